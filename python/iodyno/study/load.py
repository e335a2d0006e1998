"""Finding and reading a study."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from iodyno.errors import IodynoError, Problem, ProfileError, refuse_types
from iodyno.folders import is_there, toml_meant, written_text
from iodyno.problems import not_toml
from iodyno.profiles import STANDARD_LOADS
from iodyno.study.model import STUDY_SCHEMA, Study
from iodyno.study.operations import study_problems
from iodyno.study.partly import Rest, rest_of
from iodyno.study.problems import did_you_mean, problems_of
from iodyno.study.references import reference_problems

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class UnreadError(ProfileError):
    """A study of which something cannot be.

    Attributes
    ----------
    rest
        What is left of it without that: what is wrong with it on targets can be told as well.
    """

    rest = Rest()

    @classmethod
    def beside(cls, rest: Rest, problems: Iterable[Problem]) -> UnreadError:
        """Make an error of what is wrong, and of what is left."""
        made = cls(*problems)
        made.rest = rest
        return made


def shipped() -> list[str]:
    """Give the names of the studies that come with iodyno, sorted."""
    files = resources.files("iodyno").joinpath("studies").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def load_study(name_or_path: str | Path) -> Study:
    """Read a study that is shipped, by its name, or any other by its path.

    Parameters
    ----------
    name_or_path
        ``standard``, or the path of a TOML file. A shipped name wins; write ``./standard``
        for a file of that name.

    Raises
    ------
    ProfileError
        With every problem of the study, or because there is none.

    Examples
    --------
    >>> load_study("quick").name
    'quick'
    """
    refuse_types(name_or_path=(name_or_path, "the name of a study, or a path", (str, Path)))
    document, where = _found(name_or_path)
    folder = None if is_shipped(name_or_path) else Path(where).parent
    try:
        return _in_folder(study_of_document(document, where), folder)
    except UnreadError as error:
        studies = tuple(_in_folder(study, folder) for study in error.rest.studies)
        raise UnreadError.beside(replace(error.rest, studies=studies), error.problems) from None


def _in_folder(study: Study, folder: Path | None) -> Study:
    """Look for the systems that a study names beside its file; none: it is a shipped one."""
    beside = tuple(one.beside(folder) for one in study.configurations) if folder else study.configurations
    return study if beside == study.configurations else study.model_copy(update={"configuration": beside})


def is_shipped(name_or_path: str | Path) -> bool:
    """Tell whether it is the name of a study that comes with iodyno."""
    return isinstance(name_or_path, str) and name_or_path in shipped()


def document_of(name_or_path: str | Path) -> dict[str, Any]:
    """Read the TOML of a study, whatever it says.

    Raises
    ------
    ProfileError
        If there is none, or if it is no TOML.
    """
    return _found(name_or_path)[0]


def _found(name_or_path: str | Path) -> tuple[dict[str, Any], str]:
    """Give the document of a study, and what to call it."""
    name = str(name_or_path)
    if is_shipped(name_or_path):
        text = resources.files("iodyno").joinpath("studies").joinpath(f"{name}.toml").read_text("utf-8")
        return _toml(text, name), name
    path = Path(name_or_path)
    if not is_there(path) and path.suffix.lower() == ".fio":
        raise ProfileError.of(name, "there is no such job file of fio", "check the path")
    if not is_there(path) and path.suffix != ".toml" and len(path.parts) == 1:
        raise _no_study(name)
    return _toml(_read(path), str(path)), str(path)


def _no_study(name: str) -> IodynoError:
    """Say that a name is that of a system, a part or a profile, or none at all."""
    from iodyno.catalog.shelf import shipped as shipped_parts
    from iodyno.catalog.tree import shipped_systems

    known = name.lower()
    if known in shipped_systems():
        hint = f"`iodyno simulate --on {known}` runs a study on it"
        return ProfileError.of(name, "is a system, no study", hint)
    if known in STANDARD_LOADS:
        hint = f"leave it out and add --profile {known}"
        return ProfileError.of(name, "is a load profile, no study", hint)
    if known in shipped_parts().parts:
        return ProfileError.of(name, "is a part, no study", f"`iodyno catalog show {known}` describes it")
    hint = did_you_mean(name, shipped(), "studies") + "; or give the path of a TOML file"
    if file := toml_meant(name):
        hint = f"give {file}, or a name; {did_you_mean(name, shipped(), 'studies')}"
    return ProfileError.of(name, "there is no study of this name", hint)


def parse_study(text: str, where: str = "study") -> Study:
    """Read a study from TOML.

    Parameters
    ----------
    text
        The TOML document.
    where
        What to call it where something is wrong: the path of the file.

    Raises
    ------
    ProfileError
        With every problem of the study.
    """
    refuse_types(text=(text, "TOML as a text", (str,)), where=(where, "a text", (str,)))
    return study_of_document(_toml(text, where), where)


def study_of_document(document: dict[str, Any], where: str) -> Study:
    """Read a study from what TOML has been read to.

    Raises
    ------
    ProfileError
        With every problem of the study.
    """
    _refuse_newer(document, where)
    if "host" in document and "sweep" not in document:
        hint = f"`iodyno simulate --on {where}` runs a study on it"
        raise ProfileError.of(where, "is a system, no study", hint)
    if "kind" in document and "sweep" not in document:
        raise ProfileError.of(where, "is a part, no study", f"`iodyno catalog show {where}` describes it")
    found = list(reference_problems(document))
    try:
        study = Study.model_validate(document)
    except ValidationError as error:
        found = problems_of(error, document) + found
    else:
        found += study_problems(study)
    if found:
        rest, more = rest_of(document, found)
        raise UnreadError.beside(rest, _sorted([*found, *more], document, where))
    return study


def as_file(source: Mapping[str, Any]) -> dict[str, Any]:
    """Give the source of a study as a file can say it: nothing that belongs to a rate where there is none.

    Examples
    --------
    >>> source = load_study("quick").source()
    >>> study_of_document(as_file(source), "again").source() == source
    True
    """
    sweeps = []
    for sweep in source["sweep"]:
        besides = [_without_idle_arrival(beside) for beside in sweep.get("beside", ())]
        sweeps.append(_without_idle_arrival(sweep) | ({"beside": besides} if besides else {}))
    return {**source, "sweep": sweeps}


def _without_idle_arrival(load: Mapping[str, Any]) -> dict[str, Any]:
    paced = any(load.get(key) for key in ("rate_io_s", "rate_share", "search"))
    return {key: value for key, value in load.items() if paced or key != "arrival"}


def _read(path: Path) -> str:
    try:
        return written_text(path)
    except UnicodeDecodeError as error:
        raise ProfileError.of(str(path), f"byte {error.start} is not UTF-8", "save it as UTF-8") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = f"shipped studies: {', '.join(shipped())}"
        if isinstance(error, IsADirectoryError):
            hint = f"a study is a file, and a folder a target; {hint}"
        elif isinstance(error, FileNotFoundError) and (file := toml_meant(str(path))):
            hint = f"did you mean {file}? S{hint[1:]}"
        elif isinstance(error, PermissionError):
            hint = "change the permissions of the file or of its folder, or the user"
        raise ProfileError.of(str(path), f"cannot be read: {reason.lower()}", hint) from None


def _toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError.of(where, *not_toml(str(error))) from None
    except RecursionError:
        raise ProfileError.of(where, "is nested too deep", "a study needs no more than four levels") from None


def _refuse_newer(document: dict[str, Any], where: str) -> None:
    schema = document.get("schema", STUDY_SCHEMA)
    if isinstance(schema, int) and schema > STUDY_SCHEMA:
        raise ProfileError.of(
            where, f"schema {schema} is newer than this iodyno reads, {STUDY_SCHEMA}", "update iodyno"
        )


def _sorted(found: list[Problem], document: dict[str, Any], where: str) -> list[Problem]:
    """Order the problems as the document is written, and name the file in each."""
    keys = list(document)

    def rank(problem: Problem) -> tuple[int, int]:
        top, *rest = re.split(r"[.\[\]]", problem.where)
        return keys.index(top) if top in keys else -1, int(rest[0]) if rest and rest[0].isdigit() else -1

    unique = dict.fromkeys(sorted(found, key=rank))
    return [
        Problem(f"{where}: {problem.where}" if problem.where else where, problem.what, problem.hint)
        for problem in unique
    ]
