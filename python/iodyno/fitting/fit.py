"""Fitting a part: simulate the points that answer its figures, and move its parameters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from iodyno.catalog.shelf import Catalog, shipped, with_numbers
from iodyno.errors import CatalogError
from iodyno.fitting.answered import ANSWERS
from iodyno.fitting.answers import Answer, Expression, Range
from iodyno.fitting.curves import Curve, Series
from iodyno.fitting.lab import Asked, Key, Lab
from iodyno.fitting.least_squares import Bounded, Determined, Minimum, intervals, least_squares
from iodyno.fitting.left_out import left_out
from iodyno.fitting.published import figures
from iodyno.fitting.specs import SPECS, FitSpec, Parameter

FIT_IOS = 20_000
"""I/Os that a fit counts at each point: always as many, with the same seed, so that a step of a
parameter and not the stopping rule moves the figure."""
NEARBY = 4
"""Simulations beside each step that tell how figures scatter."""
LEAST_SPREAD = 0.02
"""Standard deviation below which no published figure is believed: they are rounded, and the same
quantity is printed with values 2 % apart."""


@dataclass(frozen=True)
class Target:
    """A figure to come close to."""

    name: str
    """Id of the figure, or ``facts.`` and the key."""
    expression: Expression
    published: Range
    answer: Answer | None = None

    def residual(self, simulated: float) -> float:
        """Give the logarithm of simulated over published, 0 inside a range."""
        return math.log1p(self.published.error(simulated))


@dataclass(frozen=True)
class Met:
    """How close a figure was come to."""

    name: str
    published: float
    """The end of the range that is nearer; in the unit of the figure."""
    simulated: float
    left_out: float | None = None
    """How far off it would be, had it not been fitted to; none where it alone holds a number, or no number
    moves it."""

    @property
    def residual(self) -> float:
        """Relative error."""
        return self.simulated / self.published - 1


@dataclass(frozen=True)
class Fit:
    """What came of fitting a part."""

    spec: FitSpec
    found: tuple[Determined, ...]
    met: tuple[Met, ...]
    minimum: Minimum

    @property
    def degrees(self) -> int:
        """Figures beyond parameters."""
        return len(self.met) - len(self.found)

    @property
    def found_nothing(self) -> bool:
        """Whether each number was stopped by a bound, or is moved by no figure."""
        return all(one.at_bound or one.unmoved for one in self.found)

    @property
    def off(self) -> float:
        """How far the figures are off on average: the mean of the errors without their sign, as a share."""
        return sum(abs(met.residual) for met in self.met) / len(self.met)


def targets_of(spec: FitSpec, catalog: Catalog) -> list[Target]:
    """List the figures of a fit: published ones, then facts of the datasheet."""
    published = figures()
    found = [
        Target(name, ANSWERS[name].expression, ANSWERS[name].published(published[name]), ANSWERS[name])
        for name in spec.figures
    ]
    for fact in spec.facts:
        value = float(catalog.get(spec.name).facts[fact.key].base)
        found.append(Target(f"facts.{fact.key}", fact.expression, Range(value, value)))
    return found


def parts_of(spec: FitSpec, parameter: Parameter) -> tuple[str, ...]:
    """Give the parts that a parameter belongs to."""
    return parameter.parts or (spec.name,)


def with_values(catalog: Catalog, spec: FitSpec, values: Sequence[float]) -> Catalog:
    """Give the catalogue with these values of a fit's parameters."""
    numbers: dict[str, dict[str, float]] = {}
    for parameter, value in zip(spec.parameters, values, strict=True):
        for part in parts_of(spec, parameter):
            numbers.setdefault(part, {}).update(dict.fromkeys(parameter.keys, value))
    return catalog.having(*(with_numbers(catalog.get(part), changed) for part, changed in numbers.items()))


def start_of(spec: FitSpec, parameter: Parameter, catalog: Catalog) -> Bounded:
    """Begin where the part stands now, within the bounds."""
    table, key = parameter.keys[0].split(".")
    now = getattr(catalog.get(parts_of(spec, parameter)[0]), table)[key].value
    name = f"{spec.name}: {parameter.key}"
    return Bounded(name, min(max(float(now), parameter.low), parameter.high), parameter.low, parameter.high)


def spec_named(name: str) -> FitSpec:
    """Give the fit of a part.

    Raises
    ------
    CatalogError
        If nothing of it is fitted.
    """
    if name not in SPECS:
        raise CatalogError.of(name, "nothing of it is fitted", f"fitted are {', '.join(SPECS)}")
    return SPECS[name]


def rounded(value: float) -> float:
    """Round to four digits: what is written is what was simulated.

    Examples
    --------
    >>> rounded(2.123456), rounded(14210.7)
    (2.123, 14210.0)
    """
    return float(f"{value:.4g}")


def fit(
    name: str,
    catalog: Catalog | None = None,
    *,
    ios: int = FIT_IOS,
    steps: int = 12,
    listener: Callable[[int, float], None] = lambda _step, _rms: None,
) -> Fit:
    """Fit a part to the figures of its specification.

    Parameters
    ----------
    name
        Name of the fit: that of its part, but where a part has several.
    catalog
        Where all other parts are; what iodyno ships unless another is given.
    ios
        I/Os to count at each point.
    steps
        Most steps.
    listener
        Hears of each step: its number and the root mean square of the residuals.

    Raises
    ------
    CatalogError
        If nothing of the part is fitted.
    """
    spec, shelf = spec_named(name), catalog or shipped()
    return fit_to(targets_of(spec, shelf), spec, shelf, ios=ios, steps=steps, listener=listener)


def fit_to(
    targets: Sequence[Target],
    spec: FitSpec,
    shelf: Catalog,
    *,
    ios: int = FIT_IOS,
    steps: int = 12,
    listener: Callable[[int, float], None] = lambda _step, _rms: None,
    own: Mapping[str, Mapping[Key, Asked]] | None = None,
) -> Fit:
    """Fit the parameters of a specification to these figures; see :func:`fit`.

    A search goes on from where it has ended until it finds nothing better there, over all loads too: so a fit
    that is repeated gives its numbers back, and none ends further off than it began.

    ``own`` are points of studies that are not shipped, by their name.
    """
    trial = _Trial(targets, spec, shelf, ios, own)
    bounds = [start_of(spec, parameter, shelf) for parameter in spec.parameters]
    taken = evaluations = 0
    told = _numbered(listener)
    while True:
        minimum = _searched(trial, bounds, steps - taken, told)
        evaluations += minimum.evaluations
        start = [one.start for one in bounds]
        if minimum.values == start:
            break
        if trial.off(minimum.values) >= trial.off(start):
            minimum = _searched(trial, bounds, 0, told)
            evaluations, minimum.converged = evaluations + minimum.evaluations, True
            break
        bounds = [replace(one, start=value) for one, value in zip(bounds, minimum.values, strict=True)]
        taken += max(len(minimum.history) - 1, 1)
        if taken >= steps:
            break
    minimum.evaluations = evaluations
    found = intervals(minimum, bounds, least_spread=LEAST_SPREAD)
    figures = trial.everything([one.value for one in found])
    residuals = [target.residual(value) for target, value in zip(targets, figures, strict=True)]
    same = [target.expression for target in targets]
    others = left_out(minimum, bounds, residuals, same, least_spread=LEAST_SPREAD)
    met = (
        Met(target.name, _nearest(target.published, value), value, without)
        for target, value, without in zip(targets, figures, others, strict=True)
    )
    return Fit(spec, tuple(found), tuple(met), minimum)


def _numbered(listener: Callable[[int, float], None]) -> Callable[[int, float], None]:
    """Number what is told of several searches in a row."""
    numbers = itertools.count()
    return lambda _step, rms: listener(next(numbers), rms)


def _searched(
    trial: _Trial, bounds: Sequence[Bounded], steps: int, listener: Callable[[int, float], None]
) -> Minimum:
    """Search from where the bounds begin, over the loads that are promising there."""
    count = len(trial.targets)
    trial.look_from([one.start for one in bounds])
    return least_squares(
        trial.residuals,
        bounds,
        steps=steps,
        tolerance=1e-3,
        listener=lambda step, cost: listener(step, math.sqrt(cost / count)),
        nearby=NEARBY,
        written=rounded,
    )


class _Trial:
    """Simulates the figures of a fit with values of its parameters."""

    def __init__(
        self,
        targets: Sequence[Target],
        spec: FitSpec,
        shelf: Catalog,
        ios: int,
        own: Mapping[str, Mapping[Key, Asked]] | None,
    ) -> None:
        self.targets = targets
        self._spec, self._shelf, self._ios, self._own = spec, shelf, ios, own
        self._expressions = [target.expression for target in targets]
        self._only: dict[Series, tuple[int, ...]] = {}
        self._known: dict[tuple[float, ...], list[float]] = {}

    def look_from(self, values: Sequence[float]) -> None:
        """Choose the loads that are looked at from here on."""
        lab = Lab(with_values(self._shelf, self._spec, values), ios=self._ios // 4, own=self._own)
        self._only = _promising(lab, self._expressions)

    def residuals(self, values: Sequence[float]) -> list[float]:
        """Give the residuals over the loads that are looked at."""
        catalog = with_values(self._shelf, self._spec, values)
        return self._residuals(self._figures(Lab(catalog, ios=self._ios, only=self._only, own=self._own)))

    def everything(self, values: Sequence[float]) -> list[float]:
        """Give the figures over all loads."""
        if (key := tuple(values)) not in self._known:
            catalog = with_values(self._shelf, self._spec, values)
            self._known[key] = self._figures(Lab(catalog, ios=self._ios, own=self._own))
        return self._known[key]

    def off(self, values: Sequence[float]) -> float:
        """Give the sum of squares of the residuals over all loads."""
        return sum(one * one for one in self._residuals(self.everything(values)))

    def _figures(self, lab: Lab) -> list[float]:
        lab.ask(lab.need(self._expressions))
        return [expression.value(lab.curves) for expression in self._expressions]

    def _residuals(self, figures: Sequence[float]) -> list[float]:
        return [target.residual(value) for target, value in zip(self.targets, figures, strict=True)]


def _promising(lab: Lab, expressions: Sequence[Expression]) -> dict[Series, tuple[int, ...]]:
    """Give the loads of each series that a fit has to look at; the end looks at all of them again."""
    lab.ask(lab.need(expressions))
    wanted: dict[Series, set[int]] = {}
    for expression in expressions:
        for series, load in expression.parts():
            wanted.setdefault(series, set()).update(
                _best_loads(lab.curves(series)) if load is None else (load,)
            )
    return {series: tuple(sorted(found)) for series, found in wanted.items()}


def _best_loads(curve: Curve) -> set[int]:
    """The load with the greatest rate, the least one that comes within 2 % of it, and the highest."""
    most = max(point.rate for point in curve.values())
    best = next(load for load, point in curve.items() if point.rate == most)
    return {best, max(curve), next(load for load, point in curve.items() if point.rate >= 0.98 * most)}


def _nearest(published: Range, value: float) -> float:
    return min(max(value, published.low), published.high)
