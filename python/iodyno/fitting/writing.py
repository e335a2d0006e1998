"""Writing a fit into the parts' files: only the numbers that were found change, all else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from iodyno.catalog.quantity import Quantity
from iodyno.catalog.reading import parse_part, parse_toml
from iodyno.catalog.shelf import Catalog
from iodyno.errors import CatalogError, Problem
from iodyno.fitting.fit import Fit, parts_of, rounded, start_of
from iodyno.fitting.least_squares import Determined, Minimum
from iodyno.fitting.published import TITLES
from iodyno.fitting.specs import FitSpec

NOT_DETERMINED = "the figures do not determine it"


def file_of(part: str) -> Path:
    """Give the file of a shipped part in a checkout, from which the catalogue is built.

    Raises
    ------
    CatalogError
        If the catalogue is an installed one: its files are the package's, and whoever changes one
        has other results than everybody else with the same version.
    """
    root = Path(str(resources.files("iodyno").joinpath("catalog").joinpath("parts")))
    found = sorted(root.glob(f"*/{part}.toml")) if (root.parents[3] / "pyproject.toml").is_file() else []
    if not found:
        hint = (
            f"`iodyno catalog show {part} --toml > my-part.toml` begins a part of your own, to be fitted;"
            " the catalogue itself is in a checkout of iodyno"
        )
        raise CatalogError.of(part, "comes with iodyno, and its file stays as it is", hint)
    return found[0]


def files_of(spec: FitSpec) -> dict[str, Path]:
    """Give the file of each shipped part that a fit would write, by the part's name.

    Raises
    ------
    CatalogError
        As :func:`file_of` does.
    """
    names = dict.fromkeys(name for parameter in spec.parameters for name in parts_of(spec, parameter))
    return {name: file_of(name) for name in names}


def write(fit: Fit, catalog: Catalog) -> list[Path]:
    """Write a fit into the files of its parts.

    Parameters
    ----------
    fit
        What was found.
    catalog
        The parts as they were.

    Returns
    -------
    list of Path
        The files that were written.

    Raises
    ------
    CatalogError
        As :func:`file_of` does, or because what would be written is no part; nothing is written then.
    """
    files = files_of(fit.spec)
    texts = {part: with_fit(file.read_text("utf-8"), fit, part, catalog) for part, file in files.items()}
    for part, file in files.items():
        parse_part(texts[part], file.name)
    for part, file in files.items():
        file.write_text(texts[part], "utf-8")
    return list(files.values())


def write_own(fit: Fit, catalog: Catalog, file: Path) -> None:
    """Write the fit of a part of one's own into its file, which has its new text at once or not at all.

    Parameters
    ----------
    fit
        What was found.
    catalog
        The parts as they were.
    file
        The file of the part.

    Raises
    ------
    CatalogError
        If a number has no line of its own there, or more than numbers, sources and the fit would change;
        nothing is written then.
    """
    made, file = _own_text(fit, catalog, file), file.resolve()
    beside = file.with_name(f".{file.name}.new")
    beside.write_bytes(made.encode("utf-8"))
    beside.chmod(file.stat().st_mode)
    beside.replace(file)


def refuse_unwritable(spec: FitSpec, catalog: Catalog, file: Path) -> None:
    """Refuse before a fit what could not be written after it.

    Raises
    ------
    CatalogError
        As :func:`write_own` does.
    """
    values = [start_of(spec, parameter, catalog).start for parameter in spec.parameters]
    names = (parameter.key for parameter in spec.parameters)
    found = tuple(
        Determined(name, value, value, value, False) for name, value in zip(names, values, strict=True)
    )
    _own_text(Fit(spec, found, (), Minimum(values, [], [], 0, True)), catalog, file)


def _own_text(fit: Fit, catalog: Catalog, file: Path) -> str:
    """Make the new text of a part of one's own, with the ends of lines that the file has."""
    was = file.read_bytes().decode("utf-8-sig")
    ending = "\r\n" if "\r\n" in was else "\n"
    text = was.replace("\r\n", "\n")
    try:
        made = with_fit(text, fit, fit.spec.name, catalog, own=True)
    except CatalogError as error:
        told = (Problem(f"{file}: {p.where}", p.what, p.hint) for p in error.problems)
        raise CatalogError(*told) from None
    parse_part(made, str(file))
    if _rest(made, fit) != _rest(text, fit):
        what = "cannot be written without changing more of it than the fit"
        raise CatalogError.of(str(file), what, f"take [fit.{fit.spec.name}] out, and write again")
    return made.replace("\n", ending)


def _rest(text: str, fit: Fit) -> dict[str, Any]:
    """Give what a fit does not change of a part."""
    document = parse_toml(text, fit.spec.name)
    document.get("fit", {}).pop(fit.spec.name, None)
    document.get("sources", {}).pop(_source(fit), None)
    for parameter in fit.spec.parameters:
        for path in parameter.keys:
            table, key = path.split(".")
            document.get(table, {}).pop(key, None)
    return {key: value for key, value in document.items() if key != "fit" or value}


def with_fit(text: str, fit: Fit, part: str, catalog: Catalog, *, own: bool = False) -> str:
    """Put what was found of a part into its text; of one's ``own`` it is kept what a number was that the
    figures do not determine."""
    source = _source(fit)
    for parameter, found in zip(fit.spec.parameters, fit.found, strict=True):
        if part in parts_of(fit.spec, parameter):
            for path in parameter.keys:
                table, key = path.split(".")
                was = getattr(catalog.get(part), table)[key]
                line = number_line(key, found, was.unit, fit, source, was if own else None)
                text = _with_line(text, table, key, line)
    text = _with_source(text, source, TITLES.get(source) or fit.spec.citation)
    return _with_table(text, fit, "\n".join(_table(fit, part)))


def number_line(
    key: str, found: Determined, unit: str, fit: Fit, source: str, was: Quantity | None = None
) -> str:
    """Write a number: fitted with its interval, or assumed where the figures do not determine it."""
    value = _plain(found.value)
    if found.low is None or found.high is None:
        others = f" apart from {', '.join(map(_short, found.together_with))}" if found.together_with else ""
        note = f"{NOT_DETERMINED}{others}{_before(was)}"
        return f'{key} = {{ value = {value}, unit = "{unit}", kind = "assumed", note = {_quoted(note)} }}'
    note = f', note = "fit {fit.spec.name}' + (', at the bound"' if found.at_bound else '"')
    return (
        f'{key} = {{ value = {value}, unit = "{unit}", kind = "fitted", source = "{source}", '
        f"interval = [{_plain(found.low)}, {_plain(found.high)}]{note} }}"
    )


def _before(was: Quantity | None) -> str:
    """Tell what a number was before; nothing where a fit has not determined it before either."""
    if was is None or was.note.startswith(NOT_DETERMINED):
        return ""
    reasons = ", ".join(filter(None, (was.kind, was.source, was.note)))
    return f"; before: {was} ({reasons})"


def _plain(value: float) -> str:
    return _as_printed(rounded(value))


def _as_printed(value: float) -> str:
    """Write a figure with all of its digits, but for those that binary fractions add."""
    exact = float(f"{value:.12g}")
    return str(int(exact)) if exact == int(exact) and abs(exact) >= 10 else repr(exact)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _source(fit: Fit) -> str:
    """The paper of the fit's figures, as a key of the sources."""
    if fit.spec.source:
        return fit.spec.source
    prefixes = [met.name.partition("-")[0] for met in fit.met if not met.name.startswith("facts.")]
    return prefixes[0] if prefixes else "spec"


def _with_line(text: str, table: str, key: str, line: str) -> str:
    """Replace the line of a key in a table; it has to be there."""
    lines = text.split("\n")
    here = ""
    for index, old in enumerate(lines):
        if match := re.fullmatch(r"\s*\[([^\[\]]+)\]\s*(#.*)?", old):
            here = match[1].strip()
        elif old.lstrip().startswith("["):
            here = ""
        elif here == table and re.match(rf"\s*{re.escape(key)}\s*=.*\}}\s*(#.*)?$", old):
            comment = re.search(r"\}\s*(#.*)$", old)
            lines[index] = line + (f" {comment[1]}" if comment else "")
            return "\n".join(lines)
    hint = f"write [{table}], and each number below it in a line: {key} = {{ value = …, unit = … }}"
    raise CatalogError.of(f"{table}.{key}", "has no line of its own that could be written", hint)


def _with_source(text: str, source: str, citation: str) -> str:
    """Add the paper, or the run, to the sources where it is not among them."""
    if not citation or re.search(rf"^{source} = ", text, re.MULTILINE):
        return text
    head = re.compile(r"^(\s*\[\s*sources\s*\][^\n]*\n)", re.MULTILINE)
    return head.sub(lambda found: f"{found[1]}{source} = {_quoted(citation)}\n", text, count=1)


def _table(fit: Fit, part: str) -> Iterator[str]:
    mine = [one for one in fit.spec.parameters if part in parts_of(fit.spec, one)]
    yield f"[fit.{fit.spec.name}]"
    yield f'command = "{fit.spec.command or f"iodyno catalog fit {fit.spec.name}"}"'
    yield f"parameters = [{', '.join(_quoted(key) for one in mine for key in one.keys)}]"
    if part != next(iter(parts_of(fit.spec, fit.spec.parameters[0]))):
        yield f'figures_in = "{next(iter(parts_of(fit.spec, fit.spec.parameters[0])))}"'
        return
    if fit.spec.beyond:
        yield f"beyond = {_quoted(fit.spec.beyond)}"
    yield f"parameters_in_all = {len(fit.found)}"
    yield "figures = ["
    for met in fit.met:
        without = "" if met.left_out is None else f", left_out = {met.left_out:+.4f}"
        yield (
            f'  {{ figure = "{met.name}", {fit.spec.figures_are} = {_as_printed(met.published)}, '
            f"simulated = {_plain(met.simulated)}, residual = {met.residual:+.4f}{without} }},"
        )
    yield "]"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _with_table(text: str, fit: Fit, table: str) -> str:
    """Put the table at the end, in place of the one of the same fit: of that the lines that a fit writes."""
    head = re.escape(f"[fit.{fit.spec.name}]")
    words = r"(?:command|parameters|figures_in|beyond|parameters_in_all) = .*\n?"
    figures = r"figures = \[\n(?:  \{.*\n)*\]\n?"
    text = re.sub(rf"\n*^{head}[^\S\n]*\n(?:{words}|{figures})*", "\n", f"{text}\n", flags=re.MULTILINE)
    return f"{text.rstrip()}\n\n{table}\n"
