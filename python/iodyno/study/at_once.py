"""All problems of a simulation in one answer: of the study, of its systems, of its sweeps on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from iodyno.errors import Problem, ProfileError
from iodyno.plan import Plan
from iodyno.study.configuration import Configuration
from iodyno.study.load import UnreadError, document_of, is_shipped, load_study
from iodyno.study.model import Study
from iodyno.study.naming import configurations_of
from iodyno.study.overrides import Overrides
from iodyno.study.partly import Rest, readable
from iodyno.study.references import OF_ITS_SYSTEM, lacking_words
from iodyno.study.simulating import Resolve, nothing_runs, on_systems, plan_simulation, resolve_each
from iodyno.virtual import VirtualSystem


def load_to_simulate(
    name_or_path: str | Path, systems: Sequence[str], resolve: Resolve, overrides: Overrides | None = None
) -> Study:
    """Read a study that is to be simulated.

    Parameters
    ----------
    name_or_path
        A shipped study or the path of a TOML file.
    systems
        Systems that it is to run on instead of its configurations.
    resolve
        What builds the system of a configuration.
    overrides
        Choices that replace those of the study, where it is to be judged on its systems at once.

    Raises
    ------
    ProfileError
        With every problem of the study, of the systems as far as they can be read, and of what can be
        read of the study on these.
    """
    try:
        return load_study(name_or_path)
    except ProfileError as error:
        rest, wrong = error.rest if isinstance(error, UnreadError) else Rest(), error.problems
    of = "" if systems else str(name_or_path)
    found, more = resolve_each(_readable(name_or_path, systems), resolve, of)
    more = rest.as_written(more)
    if overrides is not None and found:
        more += rest.problems(lambda study: _judged(study, systems, found, overrides))
    raise UnreadError.beside(rest, dict.fromkeys((*wrong, *more)))


def _judged(
    study: Study, names: Sequence[str], systems: Mapping[str, VirtualSystem], overrides: Overrides
) -> None:
    study = on_systems(study, names) if names else study
    wrong = tuple(_of_sweeps(study, systems, overrides))
    if wrong:
        raise ProfileError(*wrong)


def plan_with_all_problems(
    study: Study,
    configurations: Sequence[Configuration],
    resolve: Resolve,
    overrides: Overrides | None = None,
    of: str = "",
) -> Plan:
    """Resolve configurations and plan a study on them.

    Parameters
    ----------
    study
        The study.
    configurations
        Those of its configurations that are chosen.
    resolve
        What builds the system of a configuration.
    overrides
        Choices that replace those of the study.
    of
        The study that names the systems, in its own words; empty where the command line does.

    Raises
    ------
    ProfileError
        With every problem of every system, and with what is wrong with the sweeps on those that
        can be.
    """
    systems, wrong = resolve_each(configurations, resolve, of)
    if not wrong:
        return plan_simulation(study, systems, overrides)
    raise ProfileError(*dict.fromkeys((*wrong, *_of_sweeps(study, systems, overrides))))


def system_problems(study: Study, resolve: Resolve) -> list[Problem]:
    """Give what is wrong with the systems of a study's configurations, whatever is to be done with it.

    Parameters
    ----------
    study
        The study.
    resolve
        What builds the system of a configuration.
    """
    return resolve_each(study.configurations, resolve, study.name)[1]


def _of_sweeps(
    study: Study, systems: Mapping[str, VirtualSystem], overrides: Overrides | None
) -> Iterable[Problem]:
    """Give what is wrong with the sweeps on the systems that can be; that there are few is no problem."""
    nothing = nothing_runs(study, systems, overrides or Overrides())
    try:
        plan_simulation(study, systems, overrides)
    except ProfileError as error:
        return [problem for problem in error.problems if problem != nothing]
    return ()


def _readable(name_or_path: str | Path, systems: Sequence[str]) -> list[Configuration]:
    """Give the configurations of a study that cannot be read as a whole, or the systems in their place."""
    if systems:
        return list(configurations_of(systems))
    try:
        tables = document_of(name_or_path).get("configuration")
    except ProfileError:
        return []
    tables = enumerate(tables) if isinstance(tables, list) else ()
    found = [one for number, table in tables for one in _expanded(table, number)]
    return found if is_shipped(name_or_path) else [one.beside(Path(name_or_path).parent) for one in found]


def _expanded(table: Any, number: int) -> Iterator[Configuration]:
    left = readable(table, number) if isinstance(table, dict) else None
    if left is None:
        return
    try:
        made = tuple(Configuration.model_validate(left).expanded())
    except (ProfileError, ValidationError):  # told with the study
        return
    if not any(lacking_words("", table, OF_ITS_SYSTEM)):
        yield from made
