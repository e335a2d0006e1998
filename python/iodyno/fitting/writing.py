"""Writing a fit into the parts' files: only the numbers that were found change, all else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from iodyno.catalog.reading import parse_part
from iodyno.catalog.shelf import Catalog
from iodyno.errors import CatalogError
from iodyno.fitting.fit import Fit, parts_of, rounded
from iodyno.fitting.least_squares import Determined
from iodyno.fitting.published import TITLES

NOT_DETERMINED = "the figures do not determine it"


def file_of(part: str) -> Path:
    """Give the file of a shipped part.

    Raises
    ------
    CatalogError
        If it is no file that can be written: the catalogue is inside an archive.
    """
    root = Path(str(resources.files("iodyno").joinpath("catalog").joinpath("parts")))
    found = sorted(root.glob(f"*/{part}.toml"))
    if not found:
        raise CatalogError.of(part, "has no file that could be written", "run it in a checkout of iodyno")
    return found[0]


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
    """
    written = []
    for part in dict.fromkeys(name for one in fit.spec.parameters for name in parts_of(fit.spec, one)):
        file = file_of(part)
        text = with_fit(file.read_text("utf-8"), fit, part, catalog)
        parse_part(text, file.name)
        file.write_text(text, "utf-8")
        written.append(file)
    return written


def write_own(fit: Fit, catalog: Catalog, file: Path) -> None:
    """Write the fit of a part of one's own into its file.

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
        If a number has no line of its own there; nothing is written then.
    """
    text = with_fit(file.read_text("utf-8-sig"), fit, fit.spec.name, catalog)
    parse_part(text, str(file))
    file.write_text(text, "utf-8")


def with_fit(text: str, fit: Fit, part: str, catalog: Catalog) -> str:
    """Put what was found of a part into its text."""
    source = _source(fit)
    for parameter, found in zip(fit.spec.parameters, fit.found, strict=True):
        if part in parts_of(fit.spec, parameter):
            for path in parameter.keys:
                table, key = path.split(".")
                unit = getattr(catalog.get(part), table)[key].unit
                text = _with_line(text, table, key, number_line(key, found, unit, fit, source))
    text = _with_source(text, source, TITLES.get(source) or fit.spec.citation)
    return _with_table(text, fit, "\n".join(_table(fit, part)))


def number_line(key: str, found: Determined, unit: str, fit: Fit, source: str) -> str:
    """Write a number: fitted with its interval, or assumed where the figures do not determine it."""
    value = _plain(found.value)
    if found.low is None or found.high is None:
        others = f" apart from {', '.join(map(_short, found.together_with))}" if found.together_with else ""
        return (
            f'{key} = {{ value = {value}, unit = "{unit}", kind = "assumed", '
            f'note = "{NOT_DETERMINED}{others}" }}'
        )
    note = f', note = "fit {fit.spec.name}' + (', at the bound"' if found.at_bound else '"')
    return (
        f'{key} = {{ value = {value}, unit = "{unit}", kind = "fitted", source = "{source}", '
        f"interval = [{_plain(found.low)}, {_plain(found.high)}]{note} }}"
    )


def _plain(value: float) -> str:
    short = rounded(value)
    return str(int(short)) if short == int(short) and abs(short) >= 10 else repr(short)


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
        if match := re.fullmatch(r"\[([^\[\]]+)\]\s*(#.*)?", old):
            here = match[1]
        elif here == table and re.match(rf"{re.escape(key)}\s*=", old):
            comment = re.search(r"\}\s*(#.*)$", old)
            lines[index] = line + (f" {comment[1]}" if comment else "")
            return "\n".join(lines)
    hint = f"write [{table}], and each number below it in a line: {key} = {{ value = …, unit = … }}"
    raise CatalogError.of(f"{table}.{key}", "has no line of its own that could be written", hint)


def _with_source(text: str, source: str, citation: str) -> str:
    """Add the paper, or the run, to the sources where it is not among them."""
    if not citation or re.search(rf"^{source} = ", text, re.MULTILINE):
        return text
    return text.replace("[sources]\n", f"[sources]\n{source} = {_quoted(citation)}\n", 1)


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
        yield (
            f'  {{ figure = "{met.name}", published = {_plain(met.published)}, '
            f"simulated = {_plain(met.simulated)}, residual = {met.residual:+.4f} }},"
        )
    yield "]"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _with_table(text: str, fit: Fit, table: str) -> str:
    """Put the table at the end, in place of the one of the same fit."""
    head = re.escape(f"[fit.{fit.spec.name}]")
    text = re.sub(rf"\n*^{head}\n(?:(?!^\[[^\n]*\]$).*\n?)*", "\n", text, flags=re.MULTILINE)
    return f"{text.rstrip()}\n\n{table}\n"
