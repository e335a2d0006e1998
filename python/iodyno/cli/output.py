"""Files that a command writes, and whether that is possible before any work is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from iodyno.errors import Problem, ReportError
from iodyno.folders import refused_writing, write_whole

REPORT_SUFFIXES = (".html", ".pdf")
EXPORT_SUFFIXES = {".json": "json", ".csv": "csv", ".parquet": "parquet"}
"""Ends of names, and the format that each says."""


def check_outputs(paths: Iterable[str | Path], suffixes: Sequence[str] = ()) -> tuple[Path, ...]:
    """Refuse files that cannot be written, before anything is.

    Parameters
    ----------
    paths
        Files to write.
    suffixes
        The ends that their names may have; any where empty.

    Raises
    ------
    ReportError
        With every file that cannot be written.
    """
    files = tuple(Path(path) for path in paths)
    problems = [problem for file in files for problem in _problems(file, suffixes)]
    if problems:
        raise ReportError(*problems)
    return files


def _problems(file: Path, suffixes: Sequence[str]) -> Iterable[Problem]:
    folder = file.parent
    try:
        is_folder = file.is_dir()
        if suffixes and file.suffix.lower() not in suffixes and not is_folder:
            yield Problem(str(file), "its format is not known", f"end the name in {' or '.join(suffixes)}")
        if is_folder:
            yield Problem(str(file), "is a folder", "name a file in it")
        elif not folder.is_dir():
            yield Problem(str(file), f"the folder {folder} is missing", "make it, or name another place")
        elif why := refused_writing(file if file.exists() else folder):
            yield Problem(str(file), f"cannot be written: {why.lower()}", "name another place")
    except OSError as error:
        hint = f"make {folder} accessible to this user, or name another place"
        yield Problem(str(file), f"cannot be looked at: {_reason(error)}", hint)


def wrong_output(output: str) -> tuple[Problem, ...]:
    """Give why a file cannot be written; nothing where it is stdout."""
    try:
        check_outputs([output] if output not in ("", "-") else [])
    except ReportError as error:
        return error.problems
    return ()


class OutputError(ReportError):
    """A file that could not be written, though it seemed possible."""

    exit_code = 1


def write_output(file: Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    try:
        write_whole(file, content)
    except OSError as error:
        raise OutputError.of(
            str(file), f"cannot be written: {_reason(error)}", "make room, or name another place"
        ) from error


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
