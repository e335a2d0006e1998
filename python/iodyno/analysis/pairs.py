"""Pairs of systems that differ in one thing: what changing it alone does to the maxima."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from iodyno.analysis.curves import AXES, Curve, apart_from_sweep, axis_value
from iodyno.analysis.estimate import APPRECIABLE, Quotient, quotient
from iodyno.analysis.repeated import within
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.things import Described, Difference, differences, one_thing

LEAST_PAIRS = 2
"""Pairs that a change must have been seen in, for one profile, before anything is said of it."""
CLEAR = 1.1
"""A change is a gain or a loss from this factor on, interval included."""
WITHOUT_WORDS = frozenset(
    {"drives", "host", "model", "controller_numbers", "mirror", "failed", "area", "link"}
)
"""Things that no change is told of."""

Pair: TypeAlias = tuple[CurveAnalysis, CurveAnalysis]


@dataclass(frozen=True)
class Effect:
    """What a change does to the maxima of a profile."""

    item: CurveAnalysis
    """A curve of the profile."""
    quotients: tuple[Quotient, ...]
    """Maximum with the first ÷ that with the second, a quotient for each pair."""

    @property
    def low(self) -> float:
        """The least that the intervals allow."""
        return min(one.low for one in self.quotients)

    @property
    def high(self) -> float:
        """The most that the intervals allow."""
        return max(one.high for one in self.quotients)

    @property
    def clear(self) -> bool:
        """Whether every pair shows a gain, or every pair a loss."""
        return self.low >= CLEAR or self.high <= 1 / CLEAR

    @property
    def alike(self) -> bool:
        """Whether every pair is shown to differ by less than is appreciable."""
        return self.low > 1 - APPRECIABLE and self.high < 1 / (1 - APPRECIABLE)


@dataclass(frozen=True)
class Change:
    """One thing changed, with nothing else; of a part also the settings that come with it."""

    differences: tuple[Difference, ...]
    """What the one with more gains has in place of what the other has."""
    effects: tuple[Effect, ...]
    """By profile, in the order of the run."""

    @property
    def pairs(self) -> int:
        """In how many pairs it was seen."""
        return sum(len(effect.quotients) for effect in self.effects)


def changes(items: Sequence[CurveAnalysis], systems: Mapping[str, Described]) -> tuple[Change, ...]:
    """Find the changes that enough pairs of curves show, those of a single thing and of most pairs
    first.

    Two curves of a sweep and profile make a pair where nothing but their systems differs, and these in one
    thing: a part, a level, a setting; of a part also in a setting that comes with it. What the
    systems are is compared, not what they are called. Numbers of drives are left out: how maxima scale with
    them is looked at elsewhere; so is what has no word: a number of a part. A pair that another sweep has too
    counts once.

    Parameters
    ----------
    items
        The curves of a run, those that several sweeps have too: what is left out of one sweep as a repetition
        takes the pairs with it that this sweep alone has.
    systems
        Its virtual systems by name.
    """
    found: dict[tuple[Difference, ...], dict[Hashable, list[tuple[CurveAnalysis, Quotient]]]] = {}
    differ = _Differing(systems)
    for one, other in _pairs(item for item in items if item.curve.first.system in systems):
        differing = differ.between(one.curve.first.system, other.curve.first.system)
        if not one_thing(differing) or any(each.thing in WITHOUT_WORDS for each in differing):
            continue
        ratio = quotient(one.maximum.at.main, other.maximum.at.main)
        if ratio is None or not ratio.known:
            continue
        turned = tuple(each.turned for each in differing)
        if turned in found:  # seen the other way round
            differing, one, ratio = turned, other, ratio.inverse
        by_load = found.setdefault(differing, {})
        by_load.setdefault(_loaded(one.curve), []).append((one, ratio))
    made = [
        _change(key, tuple(_effect(pairs) for pairs in by_load.values() if _enough(pairs)))
        for key, by_load in found.items()
    ]
    told = [change for change in made if any(effect.clear or effect.alike for effect in change.effects)]
    return tuple(sorted(told, key=lambda change: (len(change.differences), -change.pairs)))


def _pairs(items: Iterable[CurveAnalysis]) -> list[Pair]:
    """Pair curves that were asked the same in one sweep; what sweeps ask alike of two systems counts once."""
    together: dict[Hashable, list[CurveAnalysis]] = {}
    for item in items:
        together.setdefault(_asked(item.curve), []).append(item)
    made = [pair for those in together.values() for pair in combinations(those, 2)]
    numbers: dict[Hashable, int] = {}
    of = {
        id(item): numbers.setdefault(apart_from_sweep(item.curve.planned), len(numbers))
        for those in together.values()
        for item in those
    }
    alike: dict[tuple[int, ...], list[Pair]] = {}
    for pair in made:
        one, other = sorted(pair, key=lambda item: of[id(item)])
        alike.setdefault((of[id(one)], of[id(other)]), []).append((one, other))
    kept = {tuple(map(id, pair)) for those in alike.values() for pair in _once_each(those)}
    return [pair for pair in made if {tuple(map(id, pair)), tuple(map(id, pair[::-1]))} & kept]


def _once_each(pairs: Sequence[Pair]) -> list[Pair]:
    """Leave out pairs of which both curves show no more than those of another pair."""
    shown: list[Pair] = []
    # One of many points first: of two with the same loads it is the one that stays.
    for pair in sorted(pairs, key=lambda pair: -sum(len(item.curve.points) for item in pair)):
        if not any(_within(pair, other) for other in shown):
            shown = [other for other in shown if not _within(other, pair)] + [pair]
    return shown


def _within(pair: Pair, other: Pair) -> bool:
    return all(within(item, of) for item, of in zip(pair, other, strict=True))


class _Differing:
    """In what systems differ, found once for each two of them."""

    def __init__(self, systems: Mapping[str, Described]) -> None:
        self._systems = systems
        self._found: dict[tuple[str | None, str | None], tuple[Difference, ...]] = {}

    def between(self, one: str | None, other: str | None) -> tuple[Difference, ...]:
        """Give in what two systems differ, by their names."""
        if (one, other) not in self._found:
            self._found[one, other] = differences(self._systems[one or ""], self._systems[other or ""])
        return self._found[one, other]


def _loaded(curve: Curve) -> Hashable:
    """Give the profiles that a curve loads at once: of others a name tells other figures."""
    return (curve.profile.name, *(load.profile.name for load in curve.planned.loads[1:]))


def _asked(curve: Curve) -> Hashable:
    """Give what was asked of a curve: all that it can differ in but its system with its targets and areas.
    Where a system has curves on unlike volumes it counts which of them a curve is on."""
    first, follows = curve.first, {"system", "targets", "area"} - ({"targets"} & set(curve.varied))
    loads = tuple((load.profile.name, load.outstanding, load.rate_io_s) for load in curve.planned.loads[1:])
    return (
        curve.sweep, curve.open_loop, loads,
        *(axis_value(first, axis) for axis in AXES if axis not in follows),
    )  # fmt: skip


def _enough(pairs: Sequence[tuple[CurveAnalysis, Quotient]]) -> bool:
    return len(pairs) >= LEAST_PAIRS


def _effect(pairs: Sequence[tuple[CurveAnalysis, Quotient]]) -> Effect:
    return Effect(pairs[0][0], tuple(one for _, one in pairs))


def _change(differences: tuple[Difference, ...], effects: tuple[Effect, ...]) -> Change:
    """Turn a change round where it loses more than it gains."""
    gain = sum(math.log(one.value) for effect in effects for one in effect.quotients)
    if gain >= 0:
        return Change(differences, effects)
    turned = tuple(Effect(effect.item, tuple(one.inverse for one in effect.quotients)) for effect in effects)
    return Change(tuple(one.turned for one in differences), turned)
