"""Where in a file what is wrong with it stands, as compilers say it: ``study.toml:12: …``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from iodyno.errors import IodynoError, Problem

_IN_FILE = re.compile(r"(.+\.toml): (.+)")
"""A file, and the path of a key in it: what is wrong in it begins so. ``sweep NAME`` is that sweep, and
``NAME: …`` or ``NAME, NAME: …`` what is wrong with configurations; one without a name has its number."""
_NAME = r"(?:configuration\[\d+\]|[a-z0-9][a-z0-9-]*)"
_CONFIGURATION = re.compile(rf"({_NAME})(?:, {_NAME})*(?: and \d+ more)?: (\S+).*")
_AT_LINE = re.compile(r"(.+):(\d+)(: .+)?")
"""A file with the line that its reader tells, as that of job files of fio does."""
_POSITION = re.compile(r"line (\d+), column (\d+): ")
_LAST = re.compile(r"(\.[^.\[\]]+|\[\d+\])$")


def located(problems: Iterable[Problem]) -> Iterator[tuple[str, str]]:
    """Write problems with their hints, and with the line behind the name of a TOML file.

    It is the line of the key, or of the table that lacks one; of no TOML, with the column. What is wrong
    in one file is told in its order, where the first of it was told; what has no line comes first.

    Parameters
    ----------
    problems
        What says ``study.toml: profile[1].area`` is in a file; others stay as they are.
    """
    found: dict[object, list[tuple[int, str, str]]] = {}
    for place, problem in enumerate(problems):
        match = _IN_FILE.fullmatch(problem.where)
        file, path = (match[1], match[2]) if match else (problem.where, "")
        position = _POSITION.match(problem.what) if file.endswith(".toml") and not path else None
        line = _line(file, path) if path else 0
        said = str(problem)
        told = _AT_LINE.fullmatch(problem.where)
        if position:
            said = f"{file}:{position[1]}:{position[2]}: {problem.what[position.end() :]}"
        elif line:
            said = f"{file}:{line}: {path}: {problem.what}"
        elif told:
            file, line = told[1], int(told[2])
        found.setdefault(file if line or file.endswith(".toml") else place, []).append(
            (line, said, problem.hint)
        )
    for group in found.values():
        yield from ((said, hint) for _, said, hint in sorted(group, key=lambda one: one[0]))


def of_configuration(file: str, where: str) -> bool:
    """Tell whether something is wrong with a configuration that stands by its name in the file of a study."""
    match = _CONFIGURATION.fullmatch(where)
    return match is not None and _configuration(_lines(file), match[1]) is not None


def _configuration(lines: Mapping[str, int], name: str) -> str | None:
    """Give the path of a configuration by its name, or of the one whose ``each`` makes that name."""
    path = f"configuration {name}"
    if path in lines or name in lines:
        return path if path in lines else name
    patterns = (key for key in lines if key.startswith("configuration ") and "{" in key)
    return next((key for key in patterns if _made_of(key).fullmatch(path)), None)


def _made_of(pattern: str) -> re.Pattern[str]:
    """Make a pattern of a name with values in braces."""
    return re.compile("[a-z0-9-]+".join(map(re.escape, re.split(r"\{\w+\}", pattern))))


def _line(file: str, path: str) -> int:
    """Find the line of a key, or of the nearest table that it would be in; 0 where it would be in none."""
    lines = _lines(file)
    match = _CONFIGURATION.fullmatch(path)
    if match and (base := _configuration(lines, match[1])):
        path = f"{base}.{match[2]}"
        of_system = (f"{base}.changes.{match[2].split('.')[-1]}", f"{base}.system.{match[2]}")
        path = next((one for one in of_system if one in lines), path)
    while path not in lines:
        shorter = _LAST.sub("", path)
        if shorter == path:
            return 0
        path = shorter
    return lines[path]


@lru_cache
def _lines(file: str) -> dict[str, int]:
    from iodyno.bench import toml_lines
    from iodyno.folders import written_text

    path = Path(file)
    try:
        text = written_text(path) if path.is_file() else ""  # a pipe has been read, and is empty
    except (OSError, ValueError):
        return {}
    lines = toml_lines(text)
    return dict(_by_names(text, lines)) | lines if lines else {}


def _by_names(text: str, lines: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the lines of sweeps and configurations by their names."""
    from iodyno.catalog.reading import parse_toml

    try:
        study = parse_toml(text, "")
    except IodynoError:  # readers of TOML need not agree on what is none
        return
    for kind in ("sweep", "configuration"):
        tables = study.get(kind)
        for place, table in enumerate(tables if isinstance(tables, list) else ()):
            start, name = f"{kind}[{place}]", table.get("name") if isinstance(table, dict) else None
            for path in (path for path in lines if path.startswith(start)):
                yield f"{kind} {name}{path.removeprefix(start)}", lines[path]
