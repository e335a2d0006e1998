"""What ``import iodyno`` offers to scripts and notebooks, beside what it passes on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from numbers import Integral, Real
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from iodyno.errors import IodynoError, Problem, ProfileError, ReportError, refuse_types
from iodyno.folders import write_whole
from iodyno.plan import Plan
from iodyno.problems import named_again
from iodyno.record import Record
from iodyno.store import Store
from iodyno.store.records import A_RUN, Run, StoredRun
from iodyno.study import (
    Overrides,
    Study,
    chosen_configurations,
    load_study,
    on_systems,
    plan_with_all_problems,
    shipped,
)
from iodyno.study.problems import problems_of

if TYPE_CHECKING:
    from iodyno.analysis.compare import Comparison
    from iodyno.analysis.rows import Row

_PATH = (str, Path)
_A_PATH = "a path"
_STORE = (Store, *_PATH, NoneType)
What = Literal["points", "series", "histogram", "targets"]
PREDICTED = (
    "point", "sweep", "system", "profile", "outstanding", "workers", "outstanding_total", "load",
    "rate_asked_io_s", "transaction_rate_io_s", "throughput_mb_s", "latency_ms_mean",
    "limited_by", "limit_place", "limit_station", "limit_utilisation",
)  # fmt: skip
"""Columns of the table of points that formulas have an answer to."""
_ARGUMENTS = {
    "on": "on=", "only": "only=", "profile": "profiles=", "outstanding": "outstanding=",
    "workers": "workers=", "area": "area=", "seed": "seed=", "jobs": "jobs=", "rate": "rate",
}  # fmt: skip
"""Arguments by the names of their options; a rate is a study's alone."""
_OPTION = re.compile(
    rf"(?<!\S)--(?P<name>{'|'.join(_ARGUMENTS)})\b(?: (?P<number>\d+)\b)?(?=(?:[^`]*`[^`]*`)*[^`]*$)"
)
"""An option with its number, outside of the commands that a hint quotes."""


def study_names() -> list[str]:
    """Name the studies that come with iodyno, sorted.

    Examples
    --------
    >>> "quick" in study_names()
    True
    """
    return shipped()


def system_names() -> list[str]:
    """Name the virtual systems that come with iodyno, sorted.

    Examples
    --------
    >>> "p3700" in system_names()
    True
    """
    from iodyno.catalog.tree import shipped_systems

    return shipped_systems()


def planned(
    study: str | Path | Study,
    on: str | Path | Sequence[str | Path] = (),
    *,
    only: str | Sequence[str] = (),
    profiles: str | Sequence[str] = (),
    outstanding: int | Sequence[int] = (),
    workers: int | Sequence[int] = (),
    area: str = "",
    seed: int | None = None,
) -> Plan:
    """Decide every point of a study on virtual systems, and answer none.

    Parameters
    ----------
    study
        The name of a study that comes with iodyno, the path of a TOML file, or what
        :func:`iodyno.load_study` and :func:`iodyno.parse_study` give.
    on
        Systems of the catalogue, or TOML files of them, instead of the configurations of the study.
    only
        Only the configurations of the study that fit one of these patterns: ``["raid5-*"]``.
    profiles
        Only these profiles, or ones that the study lacks.
    outstanding
        Outstanding I/Os per target and worker instead of the study's, each 1 to 4096.
    workers
        Numbers of workers instead of the study's, each 1 to 1024.
    area
        The part of each target that is accessed, from its start: ``"32G"`` or ``"25%"``.
    seed
        Seed of every draw instead of the study's.

    Returns
    -------
    Plan
        ``points`` in their order and ``systems`` by name. The same arguments give the same plan.

    Raises
    ------
    ProfileError
        With every problem of the study, of its systems and of these choices.

    Examples
    --------
    >>> len(planned("quick", "p3700", profiles=["database"]).points)
    10
    """
    return _Asked(study, on, only, profiles, outstanding, workers, area, seed).plan()


def simulate(
    study: str | Path | Study,
    on: str | Path | Sequence[str | Path] = (),
    *,
    only: str | Sequence[str] = (),
    profiles: str | Sequence[str] = (),
    outstanding: int | Sequence[int] = (),
    workers: int | Sequence[int] = (),
    area: str = "",
    seed: int | None = None,
    jobs: int | None = None,
    store: Store | str | Path | None = None,
) -> StoredRun:
    """Simulate a study on virtual systems.

    The same arguments give the same readings, byte for byte, on however many processors.

    Parameters
    ----------
    study, on, only, profiles, outstanding, workers, area, seed
        What is asked: as for :func:`iodyno.planned`.
    jobs
        Points at a time, 1 or more; one for each processor where left out.
    store
        Where to keep the run, each point when it is finished: an open store, or the path of one, which is
        made where there is none. Nowhere where left out.

    Returns
    -------
    StoredRun
        ``run`` with its plan, and ``results`` with a reading and a verdict for each point, in the order
        of the plan. Of a run that is kept, as it is in the store.

    Raises
    ------
    ProfileError
        With every problem of what is asked, before anything is simulated; or if the memory that is
        available does not hold what is in flight at the least.
    EngineError
        If a point cannot be simulated.
    StoreError
        If the run cannot be kept.
    """
    from iodyno import bench
    from iodyno.in_flight import refuse_without_memory
    from iodyno.new_runs import new_simulated_run

    asked = _Asked(study, on, only, profiles, outstanding, workers, area, seed)
    number = (jobs, "a whole number from 1 on, or None", (Integral, NoneType))
    refuse_types(**asked.arguments(), jobs=number, store=(store, f"an open store, {_A_PATH} or None", _STORE))
    if jobs is not None and jobs < 1:
        raise ProfileError.of(
            "jobs", f"{jobs} is below the least of 1", "leave it out: one for each processor"
        )
    plan = asked.plan()
    with _told_as_arguments():
        refuse_without_memory(plan, jobs)
    run = new_simulated_run(plan, asked.command())
    if store is None:
        results = tuple(bench.simulate(plan, jobs=jobs))
        return StoredRun(run=run.model_copy(update={"status": "finished"}), results=results)
    with nullcontext(store) if isinstance(store, Store) else Store.open(store) as kept:
        return _simulated_into(kept, run, plan, jobs)


def _simulated_into(store: Store, run: Run, plan: Plan, jobs: int | None) -> StoredRun:
    """Simulate a plan and keep each point when it is finished, and how the run ended."""
    from iodyno import bench

    run = store.begin(run)
    status: Literal["finished", "interrupted", "failed"] = "failed"
    try:
        for _ in bench.simulate(plan, jobs=jobs, keep=lambda found: store.add_all(run.id, found)):
            pass
        status = "finished"
    except KeyboardInterrupt:
        status = "interrupted"
        raise
    finally:
        store.finish(run.id, status)
    return store.load(run.id)


def predict(
    study: str | Path | Study,
    on: str | Path | Sequence[str | Path] = (),
    *,
    only: str | Sequence[str] = (),
    profiles: str | Sequence[str] = (),
    outstanding: int | Sequence[int] = (),
    workers: int | Sequence[int] = (),
    area: str = "",
    seed: int | None = None,
) -> list[Row]:
    """Calculate a study on virtual systems from queueing formulas, in milliseconds.

    There are means and nothing else: no percentiles, no intervals, and no run that could be kept.

    Parameters
    ----------
    study, on, only, profiles, outstanding, workers, area, seed
        What is asked: as for :func:`iodyno.planned`.

    Returns
    -------
    list of dict
        One dict a point, in the order of the plan: the columns of :data:`PREDICTED` as in :func:`rows`, and
        ``rough``, why the formulas can be far off there; empty where they are near.

    Raises
    ------
    ProfileError
        With every problem of what is asked, or where the formulas do not know a load.

    Examples
    --------
    >>> (row,) = predict("quick", "p3700", profiles="random-read-4k", outstanding=1)
    >>> row["system"], row["transaction_rate_io_s"] > 1000, row["rough"]
    ('p3700', True, '')
    """
    from iodyno import bench
    from iodyno.analysis.bottleneck import serves_its_rate
    from iodyno.analysis.figures import point_figures
    from iodyno.analysis.rows import point_rows
    from iodyno.prediction.rough import rough

    plan = _Asked(study, on, only, profiles, outstanding, workers, area, seed).plan()
    found: list[Row] = []
    for result in bench.simulate(plan, jobs=1, analytic=True):
        # Of a rate that is served the latency is what was calculated.
        served = serves_its_rate(point_figures(result))
        reasons = rough(result.point, plan.systems[result.point.system or ""], bench.solve_network)
        of_it = "; ".join(reason.what for reason in reasons if served or reason.of == "rate")
        for row in point_rows([result]):
            found.append({**{name: row[name] for name in PREDICTED}, "rough": of_it})
    return found


def rows(run: StoredRun, what: What = "points") -> list[Row]:
    """Make a table of a run: what ``iodyno export`` writes, as a list for pandas or polars.

    Parameters
    ----------
    run
        A run with its results.
    what
        ``points``: one row a point; ``series``: one a window of time; ``histogram``: one a bucket of
        latencies; ``targets``: one a target of each point that has several; ``comparisons``: one a quotient
        that the study asks for.

    Returns
    -------
    list of dict
        One dict a row, all with the same keys, ``run`` first; None where a figure is not known. Rates are
        in IO/s, throughputs in MB/s (2^20 bytes/s), latencies in ms, shares 0 to 1, sizes in bytes.

    Raises
    ------
    StoreError
        If there is no such table.
    """
    from iodyno.export.tables import table

    refuse_types(run=(run, A_RUN, (StoredRun,)), what=(what, "the name of a table", (str,)))
    return table(run, what).rows


def compare(base: StoredRun, other: StoredRun) -> Comparison:
    """Compare a run with another, point by point.

    Points match where profile name, workers, number of targets, outstanding I/Os and rate
    are the same; which targets they are does not matter, that is what is compared. Two runs on one virtual
    system each match whatever these are called; where a run has several, points of equally named ones match.

    Parameters
    ----------
    base, other
        Two runs with results.

    Returns
    -------
    Comparison
        ``points`` with a ``ratio`` each: above 1 the other run is faster, if its interval says so. Where
        nothing has a counterpart there are none, and ``why_none`` says why: a :class:`iodyno.Problem`.

    Examples
    --------
    >>> base = simulate("quick", "p3700", profiles="database", outstanding=1)
    >>> print(compare(base, simulate("quick", "p3700", profiles="restore", outstanding=1)).why_none.hint)
    make both with one study and the same choices, area= and profiles= among them
    """
    from iodyno.analysis import compare as by_points
    from iodyno.report.sentences.unlike import with_reason

    refuse_types(base=(base, A_RUN, (StoredRun,)), other=(other, A_RUN, (StoredRun,)))
    found = with_reason(by_points.compare(base, other), base, other)
    return replace(found, why_none=_as_argument(found.why_none)) if found.why_none else found


def open_store(path: str | Path | None = None) -> Store:
    """Open the store of runs, and make it where there is none yet.

    Parameters
    ----------
    path
        The file; ``$IODYNO_STORE`` or the user's data folder where none is given.

    Returns
    -------
    Store
        A context manager: ``runs()`` lists the runs, ``load(reference)`` gives one with its results.

    Raises
    ------
    StoreError
        If it is no store, damaged, of a newer version, locked or not permitted.
    """
    refuse_types(path=(path, f"{_A_PATH} or None", (*_PATH, NoneType)))
    return Store.open(path)


def load_run(reference: str = "latest", store: str | Path | None = None) -> StoredRun:
    """Load a run with its results from a store.

    Parameters
    ----------
    reference
        The id of a run, the beginning of one, ``latest`` or ``latest~1``.
    store
        The file; ``$IODYNO_STORE`` or the user's data folder where none is given.

    Returns
    -------
    StoredRun
        ``run`` with its plan and system, and ``results`` in the order of the plan.

    Raises
    ------
    StoreError
        If there is no such store, no such run or more than one.
    """
    reference_taken = (reference, "the id of a run, or latest", (str,))
    refuse_types(reference=reference_taken, store=(store, f"{_A_PATH} or None", (*_PATH, NoneType)))
    with Store.open(store, create=False) as kept:
        return kept.load(reference)


def write_paper(
    run: StoredRun,
    file: str | Path,
    *,
    language: str = "en",
    beside: StoredRun | Sequence[StoredRun] = (),
) -> Path:
    """Write the paper of a run whole or not at all, as HTML or as PDF by the name of the file.

    Parameters
    ----------
    run
        A run with results.
    file
        Where to write: a name that ends in ``.html`` or ``.pdf``.
    language
        ``en``, ``de`` or ``ja``.
    beside
        A run that the paper compares this one with, or several.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ReportError
        If the run has no results, if it has no point in common with one beside it, or if the format or the
        language is not known.
    OSError
        If the file cannot be written.
    """
    each = _each("beside", beside)
    refuse_types(
        run=(run, A_RUN, (StoredRun,)),
        file=(file, _A_PATH, _PATH),
        language=(language, "en, de or ja", (str,)),
        **{name: (one, A_RUN, (StoredRun,)) for name, one in each.items()},
    )
    beside, path = tuple(each.values()), Path(file)
    if path.suffix.lower() not in (".html", ".pdf"):
        raise ReportError.of(str(path), "its format is not known", "end the name in .html or .pdf")
    from iodyno.report import html, pdf
    from iodyno.report.paper import build
    from iodyno.report.sentences.unlike import refuse_unlike

    with _told_as_arguments():
        refuse_unlike(run, beside)
    document = build(run, language, beside)
    is_pdf = path.suffix.lower() == ".pdf"
    write_whole(path, pdf.render(document) if is_pdf else html.render(document).encode())
    return path


@dataclass(frozen=True)
class _Asked:
    """What is asked of virtual systems, as it was written."""

    study: str | Path | Study
    on: str | Path | Sequence[str | Path]
    only: str | Sequence[str]
    profiles: str | Sequence[str]
    outstanding: int | Sequence[int]
    workers: int | Sequence[int]
    area: str
    seed: int | None

    def arguments(self) -> dict[str, tuple[object, str, tuple[type, ...]]]:
        """Give what must be of certain types; the other choices are read as the command line gives them."""
        study = (self.study, "the name of a study, a path, or a study", (*_PATH, Study))
        area = (self.area, 'a text such as "32G" or "25%"', (str, Real, NoneType))
        systems = {
            name: (one, "the name of a system, or a path", _PATH)
            for name, one in _each("on", self.on).items()
        }
        only = {name: (one, "a pattern of names", (str,)) for name, one in _each("only", self.only).items()}
        return {"study": study, **systems, **only, "area": area}

    def plan(self) -> Plan:
        """Decide every point."""
        refuse_types(**self.arguments())
        from iodyno.study.naming import named_twice
        from iodyno.study.systems import resolve

        study = self.study if isinstance(self.study, Study) else load_study(self.study)
        systems, only, choices = _several(self.on), _several(self.only), self._choices()
        twice = (*named_twice(systems), *named_again("--only", only, "pattern"))
        study = on_systems(study, systems) if systems else study
        if not study.configurations:
            hint = "name a system with on=: iodyno.system_names() lists them"
            raise ProfileError.of(study.name, "the study has no configurations", hint)
        with _told_as_arguments():
            try:
                chosen = chosen_configurations(study, only)
                plan = plan_with_all_problems(study, chosen, resolve, choices, "" if systems else study.name)
            except ProfileError as error:
                raise ProfileError(*twice, *error.problems) from None
            if twice:
                raise ProfileError(*twice)
        return plan

    def _choices(self) -> Overrides:
        lists = {"profiles": self.profiles, "outstanding": self.outstanding, "workers": self.workers}
        given = {
            **{name: list(_several(values)) for name, values in lists.items() if _several(values)},
            **({"area": self.area} if self.area else {}),
            **({"seed": self.seed} if self.seed is not None else {}),
        }
        try:
            return Overrides.model_validate(given)
        except ValidationError as error:
            raise ProfileError(*problems_of(error, given)) from None

    def command(self) -> tuple[str, ...]:
        """Write the command line that asks the same: a run keeps it, and its paper prints it."""
        study = f"{self.study.name}.toml" if isinstance(self.study, Study) else str(self.study)
        words = ["iodyno", "simulate", study]
        for option, values in (("--on", self.on), ("--only", self.only), ("--profile", self.profiles)):
            words += [word for value in _several(values) for word in (option, str(value))]
        for option, numbers in (("--outstanding", self.outstanding), ("--workers", self.workers)):
            if several := _several(numbers):
                words += [option, ",".join(map(str, several))]
        words += ["--area", self.area] if self.area else []
        words += ["--seed", str(self.seed)] if self.seed is not None else []
        return tuple(words)


@contextmanager
def _told_as_arguments() -> Iterator[None]:
    """Tell by the names of the arguments what the command line tells by those of its options."""
    try:
        yield
    except IodynoError as error:
        raise type(error)(*map(_as_argument, error.problems)) from None


def _as_argument(problem: Problem) -> Problem:
    where = _OPTION.sub(lambda found: _ARGUMENTS[found["name"]].rstrip("="), problem.where)
    return replace(problem, where=where, hint=_OPTION.sub(_argument, problem.hint))


def _argument(found: re.Match[str]) -> str:
    """Name the argument of an option, with the number that stands behind it: ``jobs=1``, ``workers=``."""
    return f"{_ARGUMENTS[found['name']]}{found['number'] or ''}"


def _several(values: object) -> tuple[Any, ...]:
    """Give values as a tuple, one alone too, and none for None."""
    return tuple(str(one) if isinstance(one, Path) else one for one in _each("", values).values())


def _each(name: str, values: object) -> dict[str, Any]:
    """Give each of several values by what it is called, ``on[1]``; one alone by the name, None not at all."""
    if values is None:
        return {}
    if isinstance(values, str | bytes | Mapping | Record) or not isinstance(values, Iterable):
        return {name: values}
    return {f"{name}[{place}]": value for place, value in enumerate(values)}
