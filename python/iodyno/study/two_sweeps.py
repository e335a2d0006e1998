"""A sweep set against another one of its study: what both load alike, and what is wrong where nothing is."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from iodyno.errors import Problem
from iodyno.plan import Point
from iodyno.study.charted import has_load, listed_loads
from iodyno.study.counterparts import counterpart
from iodyno.study.model import Comparison, Study, Sweep
from iodyno.study.problems import NAMED


class Alike(NamedTuple):
    """Points that differ in nothing but their load, and those of another sweep that are asked the same."""

    own: tuple[Point, ...]
    others: tuple[Point, ...]


_WORDS = {
    "targets": "targets", "workers": "workers", "workers_area": "workers_area",
    "targets_per_worker": "targets_per_worker", "engine": "engine", "arrival": "arrival",
    "outstanding": "outstanding, the most that may be under way",
}  # fmt: skip
"""Keys of a sweep that both have to say alike, as they are told."""


def asked_of(point: Point) -> dict[str, Hashable]:
    """Give by the keys of a sweep what the first load of a point is asked, but for how much: what runs beside
    it is what is compared."""
    first = point.loads[0]
    return {
        "profiles": first.profile.name,
        "rate_io_s": first.open_loop,
        "targets": tuple(target.path for target in first.targets),
        "workers": first.workers,
        "workers_area": first.workers_area,
        "targets_per_worker": first.shared_out,
        "engine": first.engine,
        "arrival": first.arrival if first.open_loop else None,
        "outstanding": first.outstanding if first.open_loop else None,
    }


def load_of(point: Point) -> float | None:
    """Give how much the first load of a point is: I/Os that are outstanding in all, or the rate; none where
    it follows from readings."""
    first = point.loads[0]
    return first.rate_io_s if first.open_loop else first.outstanding_total


def counterparts(system: str | None, compare: Mapping[str, Any]) -> list[str | None]:
    """Name what a configuration is set against in another sweep, for each pattern that its name fits; real
    targets against themselves."""
    if system is None:
        return [None]
    fits = (counterpart(system, pattern, str(compare["to"])) for pattern in compare["of"])
    return [other for other in fits if other]


def pairs(own: Iterable[Point], others: Iterable[Point], compare: Mapping[str, Any]) -> list[Alike]:
    """Put points of a sweep beside those of another that are asked the same, whatever runs beside them.

    Parameters
    ----------
    own, others
        Points of both.
    compare
        An entry of ``sweep.chart.compare``.

    Returns
    -------
    list of Alike
        In the order of the first sweep. On one configuration targets are the same as well; of several
        patterns that fit a name, the first counts whose counterpart there is.
    """
    there = _grouped(others)
    made = []
    for points in _grouped(own).values():
        fits = (
            found
            for name in counterparts(points[0].system, compare)
            for found in there.values()
            if found[0].system == name and not _unlike(points[0], found[0])
        )
        other = next(fits, None)
        if other is not None:
            made.append(Alike(tuple(points), tuple(other)))
    return made


def _grouped(points: Iterable[Point]) -> dict[Hashable, list[Point]]:
    found: dict[Hashable, list[Point]] = {}
    for point in points:
        found.setdefault((point.system, *asked_of(point).values()), []).append(point)
    return found


def _unlike(one: Point, other: Point) -> list[str]:
    """Give the keys on which two points differ; targets of other systems are others anyway."""
    mine, theirs = asked_of(one), asked_of(other)
    keys = [key for key in mine if key != "targets" or one.system == other.system]
    return [key for key in keys if mine[key] != theirs[key]]


def common_loads(pair: Alike) -> set[float]:
    """Give the loads at which both have a point."""
    mine, theirs = ({load_of(point) for point in points} for points in pair)
    return {load for load in mine & theirs if load is not None}


def of_left_out(study: Study) -> Study:
    """Leave out of a study the comparisons with sweeps that were left out of it."""
    names = {sweep.name for sweep in study.sweep}
    return _with_comparisons(
        study,
        lambda sweep: [one for one in sweep.chart.compare if one.to_sweep is None or one.to_sweep in names],
    )


def on_common(study: Study, points: Sequence[Point]) -> Study:
    """Leave out of a study what it sets against another sweep and cannot be with these points, which choices
    have changed."""
    of_sweep = _by_sweep(points)

    def kept(sweep: Sweep) -> list[Comparison]:
        found = []
        for one in sweep.chart.compare:
            if one.to_sweep is not None:
                loads, opened = _loads(one, of_sweep.get(sweep.name, ()), of_sweep.get(one.to_sweep, ()))
                some = tuple(asked for asked in one.loads if has_load(asked, () if opened else loads))
                one = one.model_copy(update={"loads": some if loads else ()})
            found += [one] if one.loads else []
        return found

    return _with_comparisons(study, kept)


def _with_comparisons(study: Study, kept: Any) -> Study:
    sweeps = (
        sweep.model_copy(update={"chart": sweep.chart.model_copy(update={"compare": tuple(kept(sweep))})})
        if sweep.chart.compare
        else sweep
        for sweep in study.sweep
    )
    return study.model_copy(update={"sweep": tuple(sweeps)})


def _by_sweep(points: Iterable[Point]) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for point in points:
        found.setdefault(point.sweep, []).append(point)
    return found


def _loads(compare: Comparison, own: Sequence[Point], others: Sequence[Point]) -> tuple[set[float], bool]:
    """Give the loads that two sweeps have in common, and whether these are rates."""
    found = pairs(own, others, compare.model_dump(mode="json"))
    loads = {load for pair in found for load in common_loads(pair)}
    return loads, any(pair.own[0].loads[0].open_loop for pair in found)


def nothing_in_common(study: Study, points: Sequence[Point]) -> Iterator[Problem]:
    """Look for sweeps that are set against another one, and have no point that is asked the same.

    Parameters
    ----------
    study
        The study.
    points
        All points of its sweeps.
    """
    of_sweep = _by_sweep(points)
    for sweep in study.sweep:
        for place, one in enumerate(sweep.chart.compare):
            if one.to_sweep is None or not {sweep.name, one.to_sweep} <= of_sweep.keys():
                continue
            own, others = of_sweep[sweep.name], of_sweep[one.to_sweep]
            path = f"sweep {sweep.name}.chart.compare[{place}]"
            loads, opened = _loads(one, own, others)
            if not loads:
                yield Problem(f"{path}.to_sweep", *_why(one, own, others))
                continue
            for asked in one.loads:
                if not has_load(asked, () if opened else loads):
                    what = f'the sweep has no load in "{asked}" in common with "{one.to_sweep}"'
                    yield Problem(f"{path}.loads", what, _loads_hint(loads, opened=opened))


def _loads_hint(loads: Collection[float], *, opened: bool) -> str:
    if opened:
        return "rates have no such loads: leave it out"
    return f"outstanding I/Os in all that both have are {listed_loads(loads)}"


def _why(compare: Comparison, own: Sequence[Point], others: Sequence[Point]) -> tuple[str, str]:
    """Say why two sweeps have nothing in common, and what helps."""
    named, nothing = f'"{compare.to_sweep}"', "has nothing to set against"
    table = compare.model_dump(mode="json")
    profiles = [list(dict.fromkeys(point.profile.name for point in points)) for points in (own, others)]
    if not set(profiles[0]) & set(profiles[1]):
        hint = f"this sweep loads {_some(profiles[0])}, and {named} {_some(profiles[1])}"
        return f"{nothing} {named}: no load profile is in both", hint
    fits = [
        (one, other)
        for one in own
        for other in others
        if one.profile.name == other.profile.name and other.system in counterparts(one.system, table)
    ]
    if not fits:
        systems = [list(dict.fromkeys(point.system or "" for point in points)) for points in (own, others)]
        hint = f"this sweep runs on {_some(systems[0])}, and {named} on {_some(systems[1])}"
        return f"{nothing} {named}: no configuration with a load profile of both has its counterpart", hint
    one, other = min(fits, key=lambda pair: len(_unlike(*pair)))
    unlike = _unlike(one, other)
    if "rate_io_s" in unlike:
        rated, waits = ("this sweep", named) if one.loads[0].open_loop else (named, "this sweep")
        what = f"{nothing} {named}: {rated} asks for rates, and {waits} keeps I/Os outstanding"
        return what, "give both the same rates, or the same outstanding"
    if unlike:
        told = " and ".join(_WORDS[key] for key in unlike)
        return f"{nothing} {named}: they differ in {told}", f"write the same {' and '.join(unlike)} in both"
    return _no_load_in_common(named, [one for one, _ in fits], [other for _, other in fits])


def _no_load_in_common(named: str, own: Sequence[Point], others: Sequence[Point]) -> tuple[str, str]:
    nothing = f"has nothing to set against {named}"
    loads = [{load_of(point) for point in points} for points in (own, others)]
    if any(None in found for found in loads):
        what = f"{nothing}: its rates follow from what the target can serve"
        return what, "give both sweeps the same rates as rate_io_s"
    mine, theirs = (listed_loads([load for load in found if load is not None]) for found in loads)
    what = "rates in IO/s" if own[0].loads[0].open_loop else "outstanding I/Os in all"
    return f"{nothing}: no load is in both", f"{what} are {mine} in this sweep, and {theirs} in {named}"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if names[NAMED:] else "")
