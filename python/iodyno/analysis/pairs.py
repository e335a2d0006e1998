"""Pairs of systems that differ in one thing: what changing it alone does to the maxima."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from iodyno.analysis.estimate import Quotient, quotient
from iodyno.analysis.ranking import APPRECIABLE
from iodyno.analysis.run import CurveAnalysis

LEAST_PAIRS = 2
"""Pairs that a change must have been seen in, for one profile, before anything is said of it."""
CLEAR = 1.1
"""A change is a gain or a loss from this factor on, interval included."""
PIECES = re.compile(r":\s*|：\s*|,\s+|、|，\s*")
"""Where the names of systems come apart."""
_NUMBER = re.compile(r"^\d+ ")


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
    """One thing changed, with nothing else."""

    first: str
    """What the name of one system has at the place, the one with more gains."""
    second: str
    """What that of the other has there."""
    names: tuple[str, str]
    """Two systems that show it."""
    effects: tuple[Effect, ...]
    """By profile, in the order of the run."""

    @property
    def pairs(self) -> int:
        """In how many pairs it was seen."""
        return sum(len(effect.quotients) for effect in self.effects)


def changes(items: Sequence[CurveAnalysis]) -> tuple[Change, ...]:
    """Find the changes that enough pairs of curves show, those of most pairs first.

    Two curves of a sweep and profile make a pair where the names of their systems differ in one piece
    between commas. Numbers of drives are left out: how maxima scale with them is looked at elsewhere.

    Parameters
    ----------
    items
        The curves of a run.
    """
    found: dict[tuple[str, str], dict[str, list[tuple[CurveAnalysis, Quotient]]]] = {}
    names: dict[tuple[str, str], tuple[str, str]] = {}
    together: dict[tuple[str, str], list[CurveAnalysis]] = {}
    for item in items:
        together.setdefault((item.curve.sweep, item.curve.profile.name), []).append(item)
    for one, other in (pair for those in together.values() for pair in combinations(those, 2)):
        difference = _difference(one, other)
        if difference is None:
            continue
        found_quotient = quotient(one.maximum.at.main, other.maximum.at.main)
        if found_quotient is None or not found_quotient.known:
            continue
        if difference[::-1] in found:  # seen the other way round
            difference, one, other = difference[::-1], other, one
            found_quotient = found_quotient.inverse
        names.setdefault(difference, (one.curve.configuration, other.curve.configuration))
        by_profile = found.setdefault(difference, {})
        by_profile.setdefault(one.curve.profile.name, []).append((one, found_quotient))
    made = [
        _change(key, names[key], tuple(_effect(pairs) for pairs in by_profile.values() if _enough(pairs)))
        for key, by_profile in found.items()
    ]
    told = [change for change in made if any(effect.clear or effect.alike for effect in change.effects)]
    return tuple(sorted(told, key=lambda change: -change.pairs))


def _difference(one: CurveAnalysis, other: CurveAnalysis) -> tuple[str, str] | None:
    """Give the only piece in which the names of two systems differ; none where it is a number of drives."""
    left, right = (PIECES.split(item.curve.configuration) for item in (one, other))
    if len(left) != len(right):
        return None
    places = [place for place, (a, b) in enumerate(zip(left, right, strict=True)) if a != b]
    if len(places) != 1 or left == [""]:
        return None
    a, b = left[places[0]], right[places[0]]
    things = [_NUMBER.sub("", name).rstrip("s") for name in (a, b)]
    return None if things[0] == things[1] else (a, b)


def _enough(pairs: Sequence[tuple[CurveAnalysis, Quotient]]) -> bool:
    return len(pairs) >= LEAST_PAIRS


def _effect(pairs: Sequence[tuple[CurveAnalysis, Quotient]]) -> Effect:
    return Effect(pairs[0][0], tuple(one for _, one in pairs))


def _change(key: tuple[str, str], names: tuple[str, str], effects: tuple[Effect, ...]) -> Change:
    """Turn a change round where it loses more than it gains."""
    first, second = key
    gain = sum(math.log(one.value) for effect in effects for one in effect.quotients)
    if gain >= 0:
        return Change(first, second, names, effects)
    turned = tuple(Effect(effect.item, tuple(one.inverse for one in effect.quotients)) for effect in effects)
    return Change(second, first, (names[1], names[0]), turned)
