"""What a command line names, looked at where its values cannot be read: what is wrong with it is told beside.

A value that cannot be read leaves open what is asked of what is named, so nothing that depends on values is
looked at: no sizes, areas or loads. A name is wrong or right whatever they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.cli.telling import Values
    from iodyno.errors import Problem
    from iodyno.study import Study


def of_measuring(values: Values) -> list[Problem]:
    """Give what is wrong with papers, study, profiles, sweeps and targets of ``iodyno measure``."""
    from iodyno.cli.fio_jobs import is_job

    found, paths, study = _papers(values), values.get("paths", ()), values.get("study")
    if values.get("resume") is not None:
        return found
    if paths and is_job(paths[0]) and not study:
        return found + _targets(values, paths[1:])
    known, wrong = _study("quick" if values.get("quick") else study or "standard", ())
    return found + wrong + _chosen(values, known) + _targets(values, paths)


def of_planning(values: Values) -> list[Problem]:
    """Give what is wrong with study, its systems, profiles, sweeps and targets of ``iodyno plan``."""
    from iodyno.cli.fio_jobs import is_job

    name, targets = values.get("study") or "standard", _targets(values, values.get("paths", ()))
    if is_job(name):
        return targets
    known, wrong = _study(name, ())
    return wrong + _systems(known) + _chosen(values, known) + targets


def of_simulating(values: Values) -> list[Problem]:
    """Give what is wrong with papers, study, systems, profiles and sweeps of ``iodyno simulate``."""
    from iodyno.cli.fio_jobs import is_job
    from iodyno.errors import ProfileError
    from iodyno.problems import named_again
    from iodyno.study import chosen_configurations, on_systems
    from iodyno.study.naming import named_twice

    found, name = _papers(values), values.get("study") or "standard"
    if values.get("resume") is not None or is_job(name):
        return found
    systems = values.get("systems", ())
    known, wrong = _study(name, systems)
    if known is None:
        return found + wrong
    try:
        chosen_configurations(known, () if systems else values.get("only", ()))
    except ProfileError as error:
        found += error.problems
    on = on_systems(known, systems) if systems else known
    found += (*named_twice(systems), *named_again("--only", values.get("only", ()), "pattern"))
    return found + _systems(on, named_by_study=not systems) + _chosen(values, known)


def of_searching(values: Values) -> list[Problem]:
    """Give what is wrong with profiles, papers, systems and targets of ``iodyno search``."""
    from iodyno.cli.own_profiles import own_profiles
    from iodyno.study.naming import configurations_of, named_twice
    from iodyno.study.simulating import resolve_each
    from iodyno.study.systems import resolve

    own = own_profiles(values.get("study"))
    found = [*own.wrong(values.get("profiles", ())), *_papers(values)]
    found += named_twice(values.get("systems", ()))
    found += resolve_each(configurations_of(values.get("systems", ())), resolve)[1]
    return found + _targets(values, values.get("paths", ()))


def of_sizing(values: Values) -> list[Problem]:
    """Give what is wrong with profiles and systems of ``iodyno size``."""
    from iodyno.cli.own_profiles import own_profiles
    from iodyno.study.naming import configurations_of
    from iodyno.study.simulating import resolve_each
    from iodyno.study.systems import resolve

    systems = tuple(dict.fromkeys(values.get("systems", ())))
    own = own_profiles(values.get("study"))
    return [*own.wrong(values.get("profiles", ())), *resolve_each(configurations_of(systems), resolve)[1]]


def wrong_profiles(profiles: tuple[str, ...], own: tuple[str, ...] = ()) -> Iterator[Problem]:
    """Yield the profiles that there are not, or that are named twice; own ones are there as well."""
    from iodyno.errors import Problem
    from iodyno.problems import did_you_mean, named_again
    from iodyno.profiles import STANDARD_LOADS

    yield from named_again("--profile", profiles, "profile")
    known = [*STANDARD_LOADS, *own]
    for name in dict.fromkeys(profiles):
        if name not in known:
            hint = did_you_mean(name, known, "profiles")
            yield Problem("--profile", f'there is no profile "{name}"', hint)


def of_comparing(values: Values) -> list[Problem]:
    """Give which runs of ``iodyno compare`` there are not."""
    return _runs(values, values.get("runs", ()))


def of_showing(values: Values) -> list[Problem]:
    """Give whether there is no such run as a command about one run names."""
    return _runs(values, (values.get("run", "latest"),))


def of_reporting(values: Values) -> list[Problem]:
    """Give what is wrong with papers and runs of ``iodyno report``."""
    from iodyno.cli.papers import checked_papers

    found = list(checked_papers(values.get("outputs", ()), values.get("languages", ()))[1])
    return found + _runs(values, (*values.get("runs", ()), *values.get("beside", ())))


def of_exporting(values: Values) -> list[Problem]:
    """Give what is wrong with the file, where it is one, and the run of ``iodyno export``."""
    from iodyno.cli.output import EXPORT_SUFFIXES, wrong_output

    output = values.get("output") or ""
    one_file = values.get("kind") in EXPORT_SUFFIXES.values() or output.lower().endswith(
        tuple(EXPORT_SUFFIXES)
    )
    found = list(wrong_output(output)) if one_file else []
    return found + _runs(values, (values.get("run", "latest"),))


def _runs(values: Values, references: tuple[str, ...]) -> list[Problem]:
    from iodyno.errors import StoreError
    from iodyno.store import Store
    from iodyno.store.references import resolve

    if not references:
        return []
    try:
        with Store.open(values.get("store"), create=False) as store:
            ids = [run.id for run in store.runs()]
    except StoreError as error:
        return list(error.problems)
    found: list[Problem] = []
    for reference in dict.fromkeys(references):
        try:
            resolve(reference, ids)
        except StoreError as error:
            found += error.problems
    return found


def _papers(values: Values) -> list[Problem]:
    from iodyno.cli.papers import papers_of_a_run

    return list(papers_of_a_run(values.get("reports", ()), values.get("languages", ()))[1])


def _study(name: str, systems: tuple[str, ...]) -> tuple[Study | None, list[Problem]]:
    """Read a study; one that cannot be read is none, with what is wrong with it and with its systems."""
    from iodyno.errors import ProfileError
    from iodyno.study import load_to_simulate
    from iodyno.study.systems import resolve

    try:
        return load_to_simulate(name, systems, resolve), []
    except ProfileError as error:
        return None, list(error.problems)


def _systems(study: Study | None, *, named_by_study: bool = True) -> list[Problem]:
    from iodyno.study.simulating import resolve_each
    from iodyno.study.systems import resolve

    if study is None:
        return []
    return resolve_each(study.configurations, resolve, study.name if named_by_study else "")[1]


def _chosen(values: Values, study: Study | None) -> list[Problem]:
    """Give the sweeps and profiles that are asked for and that there are not, or that are named twice."""
    from iodyno.study import Overrides

    choices = Overrides(sweeps=values.get("sweeps", ()), profiles=values.get("profiles", ()))
    return choices.wrong_names(study) if study else []


def _targets(values: Values, paths: tuple[str, ...]) -> list[Problem]:
    from iodyno.cli.asked import permissions_of, target_problems
    from iodyno.cli.fio_jobs import refuse_as_targets
    from iodyno.cli.options import PERMISSION_VALUES
    from iodyno.errors import TargetError

    try:
        refuse_as_targets(paths)
    except TargetError as error:
        return list(error.problems)
    allowed = {name: values[name] for name in PERMISSION_VALUES if name in values}
    return list(target_problems(paths, permissions_of(allowed))) if paths else []
