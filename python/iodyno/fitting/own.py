"""Fits of parts of one's own: what ``[fitting]`` of a part asks for, as a specification with its points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from iodyno.catalog.parts import Part
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog
from iodyno.catalog.tree import part_names
from iodyno.catalog.wanted import Fitting, WantedFigure, WantedUnit
from iodyno.errors import CatalogError, IodynoError, Problem
from iodyno.fitting.answers import At, Best, Range
from iodyno.fitting.curves import UNITS, Metric, Series
from iodyno.fitting.fit import Target
from iodyno.fitting.lab import Asked, Key, by_key, spec_of
from iodyno.fitting.specs import FitSpec, Parameter
from iodyno.problems import did_you_mean
from iodyno.profiles import STANDARD_LOADS
from iodyno.study.configuration import Configuration
from iodyno.study.load import study_of_document
from iodyno.study.simulating import plan_simulation
from iodyno.virtual import VirtualSystem

ALL_LOADS = tuple(2**power for power in range(10))
"""Outstanding I/Os of which the best counts: 1 to 512."""
_METRICS: Mapping[WantedUnit, tuple[Metric, float]] = {
    "IO/s": ("rate", 1), "MB/s": ("throughput", 1), "ms": ("latency", 1), "us": ("latency", 1e-3),
}  # fmt: skip
"""What a unit is of, and how much it is of the unit that the lab has for it."""


@dataclass(frozen=True)
class OwnFit:
    """What is fitted of a part of one's own."""

    spec: FitSpec
    targets: tuple[Target, ...]
    points: Mapping[str, Mapping[Key, Asked]]
    """By name of the study that they are of: that of the part."""


@dataclass(frozen=True)
class _Figure:
    """A figure where it is simulated."""

    wanted: WantedFigure
    configuration: Configuration

    @property
    def way(self) -> tuple[str, str, int]:
        """What figures of one curve have in common: configuration, profile, workers."""
        return self.configuration.name, self.wanted.profile, self.wanted.workers

    @property
    def loads(self) -> tuple[int, ...]:
        """What is simulated for it."""
        return ALL_LOADS if self.wanted.outstanding is None else (self.wanted.outstanding,)


def own_fit(part: Part, catalog: Catalog, folder: Path) -> OwnFit:
    """Make the fit that a part asks for.

    Parameters
    ----------
    part
        A part with ``[fitting]``.
    catalog
        All parts, this one among them.
    folder
        Where its file lies: paths of systems begin there.

    Raises
    ------
    IodynoError
        With all that is wrong with what it asks for.
    """
    wanted = part.fitting
    assert wanted is not None, "a part that asks for a fit"
    if not wanted.figures:
        hint = "give [[fitting.figures]], or --run RUN with a run that was measured on it"
        raise CatalogError.of(f"{part.name}: fitting", "has no figures", hint)
    figures = list(_placed(wanted, folder))
    configurations = {figure.configuration.name: figure.configuration for figure in figures}
    problems = list(_unknown_profiles(part.name, wanted))
    systems = {}
    for name, item in configurations.items():
        try:
            systems[name] = system_of_part(part, item, catalog)
        except IodynoError as error:
            problems += error.problems
    if problems:
        raise CatalogError(*dict.fromkeys(problems))
    study = study_of_document(_study(part.name, wanted, figures), f"{part.name}: fitting")
    points = by_key(part.name, plan_simulation(study, systems), configurations)
    source, citation = _cited(part, wanted)
    return OwnFit(
        FitSpec(part.name, tuple(numbers_of(wanted)), (), source=source, citation=citation),
        tuple(_targets(part.name, figures)),
        {part.name: points},
    )


def _cited(part: Part, wanted: Fitting) -> tuple[str, str]:
    """Give the source of the figures; of several one that cites all of them, with its text."""
    sources = list(dict.fromkeys(figure.source for figure in wanted.figures))
    if len(sources) == 1:
        return sources[0], ""
    cited = "; ".join(part.sources[source] for source in sources)
    return f"figures-of-{part.name.replace('.', '-')}", f"Several: {cited}"


def _unknown_profiles(name: str, wanted: Fitting) -> Iterator[Problem]:
    known = [*STANDARD_LOADS, *(str(profile.get("name")) for profile in wanted.profile)]
    for at, figure in enumerate(wanted.figures):
        if figure.profile not in known:
            what = f'there is no profile "{figure.profile}"'
            hint = did_you_mean(figure.profile, known, "profiles")
            yield Problem(f"{name}: fitting.figures[{at}].profile", what, hint)


def _placed(wanted: Fitting, folder: Path) -> Iterator[_Figure]:
    """Give each figure its configuration, one for all that have the same changes."""
    known: dict[str, Configuration] = {}
    for figure in wanted.figures:
        made = configuration_of(wanted, figure.changes, f"system-{len(known) + 1}", folder)
        yield _Figure(figure, known.setdefault(str(sorted(made.changes.items(), key=str)), made))


def configuration_of(wanted: Fitting, changes: Mapping[str, Any], name: str, folder: Path) -> Configuration:
    """Give the system that a part is simulated in, with further changes, under a name."""
    made = {**wanted.changes, **changes}
    return Configuration(name=name, system=wanted.system, changes=made).beside(folder)


def system_of_part(part: Part, item: Configuration, catalog: Catalog) -> VirtualSystem:
    """Resolve a system, which must have the part in it."""
    where = f"{part.name}: fitting.system"
    try:
        system = spec_of(item)
    except IodynoError as error:
        raise CatalogError(
            *(Problem(f"{where}: {p.where}", p.what, p.hint) for p in error.problems)
        ) from None
    if part.name not in part_names(system):
        place = {"ssd": "drive", "hdd": "drive", "onboard": "controller"}.get(part.kind, part.kind)
        hint = f'give changes that put it there: changes = {{ {place} = "{part.name}" }}'
        raise CatalogError.of(where, f"{system.name} does not have {part.name} in it", hint)
    return resolve(system, catalog, where)


def _study(name: str, wanted: Fitting, figures: Iterable[_Figure]) -> dict[str, Any]:
    """Write the study that has every point: a sweep for each curve."""
    loads: dict[tuple[str, str, int], set[int]] = {}
    configurations: dict[str, dict[str, Any]] = {}
    for figure in figures:
        loads.setdefault(figure.way, set()).update(figure.loads)
        item = figure.configuration
        system, changes = item.system, dict(item.changes)
        configurations[item.name] = {"name": item.name, "system": system, "changes": changes}
    return {
        "schema": 1,
        "name": name,
        "title": name,
        "profile": list(wanted.profile),
        "configuration": list(configurations.values()),
        "sweep": [
            {
                "name": f"curve-{at}", "configurations": [configuration], "profiles": [profile],
                "workers": [workers], "outstanding": sorted(asked),
            }
            for at, ((configuration, profile, workers), asked) in enumerate(loads.items(), 1)
        ],
    }  # fmt: skip


def numbers_of(wanted: Fitting) -> Iterator[Parameter]:
    """Give the numbers that are to be found."""
    for table, numbers in wanted.numbers.items():
        for key, (low, high) in numbers.items():
            yield Parameter(f"{table}.{key}", low, high)


def _targets(name: str, figures: Iterable[_Figure]) -> Iterator[Target]:
    """Give what is to be come close to; figures of one name are numbered."""
    seen: dict[str, int] = {}
    for figure in figures:
        wanted, (configuration, profile, workers) = figure.wanted, figure.way
        metric, scale = _METRICS[wanted.unit]
        series = Series(name, configuration, profile, workers)
        value = wanted.value * scale
        said = _said(wanted, metric)
        seen[said] = seen.get(said, 0) + 1
        yield Target(
            said if seen[said] == 1 else f"{said} ({seen[said]})",
            Best((series,), metric) if wanted.outstanding is None else At(series, wanted.outstanding, metric),
            Range(value, value),
        )


def _said(wanted: WantedFigure, metric: Metric) -> str:
    """Name a figure: ``database at 32, IO/s``."""
    best = "least" if metric == "latency" else "most"
    load = best if wanted.outstanding is None else f"at {wanted.outstanding}"
    workers = f", {wanted.workers} workers" if wanted.workers > 1 else ""
    changes = "".join(f", {key} {word}" for key, word in wanted.changes.items())
    return f"{wanted.profile} {load}{workers}{changes}, {UNITS[metric]}"
