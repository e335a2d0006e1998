"""The lab: studies on the systems of a catalogue, simulated where a figure asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

from iodyno import bench
from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import SystemSpec, load_system, system_of
from iodyno.fitting.answers import Expression
from iodyno.fitting.curves import Curve, Outcome, Series, outcome
from iodyno.plan import Plan, Point
from iodyno.study import Study, load_study
from iodyno.study.configuration import Configuration
from iodyno.study.simulating import plan_simulation, resolve_all

Key = tuple[Series, int]
"""A series and a load: one point."""
CACHED = ("ep400i-", "ep420i-")
"""Beginnings of the configurations with the smaller and the larger cache of a controller."""
FEW, MANY = 2, 256
"""Outstanding I/Os down to which, and up from which, a point wants more I/Os than others."""


@dataclass(frozen=True)
class Asked:
    """A point of a study, and the configuration that it is simulated on."""

    point: Point
    configuration: Configuration


class MissingError(LookupError):
    """A figure asks for what no study has."""


def times(key: Key) -> int:
    """Say how many times as many I/Os a point wants as others.

    At one and two outstanding the rate is nothing but a mean of latencies. At 256 and more as many I/Os as
    at others are few rounds, and a maximum over the load would be one of what they scatter. Hard disks behind
    the larger and the smaller cache differ by a few per cent, and what a paper says of that is a tenth of it.
    """
    series, load = key
    if series.configuration.startswith(CACHED) and "-hdd-" in series.configuration:
        return 10
    return 4 if load <= FEW else 5 if load >= MANY else 1


def spec_of(configuration: Configuration) -> SystemSpec:
    """Give the tree of parts of a configuration."""
    told = configuration.system
    system = load_system(told) if isinstance(told, str) else system_of({"name": configuration.name, **told})
    return changed(system, configuration.changes, configuration.name) if configuration.changes else system


@cache
def points_of(study_name: str) -> Mapping[Key, Asked]:
    """Give every point of a shipped study by its series and load."""
    study: Study = load_study(study_name)
    named = {item.name: item for item in study.configurations}
    plan = plan_simulation(study, resolve_all(study.configurations, lambda item: resolve(spec_of(item))))
    return by_key(study_name, plan, named)


def by_key(study_name: str, plan: Plan, configurations: Mapping[str, Configuration]) -> dict[Key, Asked]:
    """Give the points of a plan by their series and load, each once."""
    found: dict[Key, Asked] = {}
    for point in plan.points:
        assert point.system is not None
        series = Series(study_name, point.system, point.profile.name, point.workers)
        found.setdefault((series, point.outstanding), Asked(point, configurations[point.system]))
    return found


@cache
def loads_of(series: Series) -> tuple[int, ...]:
    """List the loads that a study has of a series.

    Raises
    ------
    MissingError
        If it has none.
    """
    found = tuple(sorted(load for other, load in points_of(series.study) if other == series))
    if not found:
        raise MissingError(f"the study {series.study} has no points of {series}")
    return found


def configuration_of(series: Series) -> Configuration:
    """Give the configuration that a study simulates a series on."""
    load = loads_of(series)[0]
    return points_of(series.study)[series, load].configuration


class Lab:
    """Answers series by simulation, each point once.

    Parameters
    ----------
    catalog
        The parts; what iodyno ships unless another is given.
    ios
        I/Os to count at each point instead of what the study says: a fit wants equally many at each step, and
        a maximum over the load is no maximum of noise; more of them where :func:`times` says so. The warm-up
        of the study is kept where it is longer.
    jobs
        Points simulated at a time; as many as there are processors where left out.
    only
        Loads of some series that are looked at, instead of all that the study has.
    own
        Points of studies that are not shipped, by their name.
    """

    def __init__(
        self,
        catalog: Catalog | None = None,
        *,
        ios: int | None = None,
        jobs: int | None = None,
        only: Mapping[Series, tuple[int, ...]] | None = None,
        own: Mapping[str, Mapping[Key, Asked]] | None = None,
    ) -> None:
        self._only = only or {}
        self._own = own or {}
        self._catalog = catalog or shipped()
        self._ios = ios
        self._jobs = jobs or bench.processors()
        self._systems: dict[tuple[str, str], str] = {}
        self.outcomes: dict[Key, Outcome] = {}

    def curves(self, series: Series) -> Curve:
        """Give a series over its load."""
        keys = [(series, load) for load in self._loads(series)]
        self.ask(keys)
        return {load: self.outcomes[series, load] for _, load in keys}

    def _loads(self, series: Series) -> tuple[int, ...]:
        if series in self._only:
            return self._only[series]
        if series.study in self._own:
            return tuple(sorted(load for other, load in self._own[series.study] if other == series))
        return loads_of(series)

    def need(self, expressions: Iterable[Expression]) -> list[Key]:
        """List the points that expressions read."""
        found: dict[Key, None] = {}
        for expression in expressions:
            for series, load in expression.parts():
                for one in self._loads(series) if load is None else (load,):
                    found[series, one] = None
        return list(found)

    def ask(self, keys: Iterable[Key]) -> None:
        """Simulate what is not known yet, several points at a time."""
        wanted = [key for key in dict.fromkeys(keys) if key not in self.outcomes]
        work = [(self._point(key), self._system(key)) for key in wanted]
        with ThreadPoolExecutor(self._jobs) as pool:
            for key, found in zip(wanted, pool.map(lambda one: _simulated(*one), work), strict=True):
                self.outcomes[key] = found

    def _asked(self, key: Key) -> Asked:
        series, load = key
        points = self._own.get(series.study) or points_of(series.study)
        if key not in points:
            raise MissingError(f"the study {series.study} has no point of {series} at {load}")
        return points[key]

    def _point(self, key: Key) -> Point:
        point = self._asked(key).point
        if self._ios is None:
            return point
        warmup_ios = max(self._ios // 2, point.stopping.warmup_ios or 0)
        counted = self._ios * times(key)
        counts = {"warmup_ios": warmup_ios, "floor_ios": counted, "cap_ios": counted}
        return point.model_copy(update={"stopping": point.stopping.model_copy(update=counts)})

    def _system(self, key: Key) -> str:
        series = key[0]
        name = (series.study, series.configuration)
        if name not in self._systems:
            system = resolve(spec_of(self._asked(key).configuration), self._catalog, series.configuration)
            self._systems[name] = system.model_dump_json()
        return self._systems[name]


def _simulated(point: Point, system: str) -> Outcome:
    return outcome(bench.simulate_point(point, system))
