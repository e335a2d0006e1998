"""Least squares within bounds: Levenberg and Marquardt's method, and what the data determines.

Parameters are positive and are moved in their logarithm, so that a step is a share of the
value whatever its unit. Residuals are logarithms of simulated over published: near enough
relative errors, and a factor 2 too much weighs as much as one too little.

Residuals of a simulation scatter: with a parameter changed by next to nothing its events go another way. A
step is taken only where it gains more than that explains: a search from where one has ended takes none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

from iodyno.fitting.matrices import Matrix, Row, SingularError, eigen, normal, solve

Residuals = Callable[[Sequence[float]], Sequence[float]]
FIRST_DAMPING = 1e-2
NEARBY = 5e-4
"""Share by which parameters are changed to see how residuals scatter; up to as many times as is looked."""
CLEAR_GAIN = 3.0
"""Standard deviations that a step has to gain, of what scatter makes of the sum of squares."""
DIFFERENCE = 0.03
"""Step of a derivative, as a share of the parameter: well above the noise of a simulation with one seed."""
NOT_DETERMINED = math.log(3)
"""Half-width of an interval, in the logarithm, from which on a parameter is not determined: a factor of 3."""

FEWEST_DEGREES = 3
"""Figures beyond parameters from which on Student's t is used: with one or two, residuals say next to nothing
of their own spread, and t makes every interval boundless; then the spread is taken as known."""


@dataclass(frozen=True)
class Bounded:
    """A parameter to find: positive, within bounds."""

    name: str
    start: float
    low: float
    high: float

    def __post_init__(self) -> None:
        """Hold the order 0 < low <= start <= high."""
        assert 0 < self.low <= self.start <= self.high, f"{self.name}: {self.low} {self.start} {self.high}"

    def clip(self, value: float) -> float:
        """Move a value to the nearest bound where it is outside."""
        return min(max(value, self.low), self.high)

    def ends(self, value: float) -> bool:
        """Tell whether a value is at a bound."""
        return value <= self.low * 1.0001 or value >= self.high * 0.9999


@dataclass
class Minimum:
    """Where the sum of squares is least, and how steep it is around there."""

    values: list[float]
    residuals: list[float]
    jacobian: list[list[float]]
    """Change of each residual with the logarithm of each parameter."""
    evaluations: int
    converged: bool
    history: list[float] = field(default_factory=list)
    """Sum of squares after each step that was taken."""

    @property
    def cost(self) -> float:
        """Sum of squares of the residuals."""
        return sum(r * r for r in self.residuals)


def least_squares(
    residuals: Residuals,
    parameters: Sequence[Bounded],
    *,
    steps: int = 30,
    tolerance: float = 1e-4,
    listener: Callable[[int, float], None] = lambda _step, _cost: None,
    nearby: int = 0,
    written: Callable[[float], float] = lambda value: value,
) -> Minimum:
    """Find the parameters at which the sum of squares is least.

    Parameters
    ----------
    residuals
        Gives the residuals for parameters in the order given; the same ones for the same parameters.
    parameters
        Where to begin, and within which bounds.
    steps
        Most steps.
    tolerance
        It is over where a step gains less than this share of the sum of squares, or moves no
        parameter by more than this share.
    listener
        Hears of each step: its number and the sum of squares.
    nearby
        How many times to look beside the parameters how residuals scatter, at each step; 0 where they do not.
    written
        Rounds a parameter as it will be written: only such values are tried as steps.

    Returns
    -------
    Minimum
        The best that was seen, with the derivatives there.
    """
    state = _State(residuals, parameters, nearby, written)
    history = [state.cost]
    converged = False
    for step in range(steps):
        listener(step, state.cost)
        before = state.cost
        moved = state.improve()
        if moved < tolerance or before - state.cost <= tolerance * before + 1e-14:
            converged = True
            break
        history.append(state.cost)
    jacobian = state.derivatives()
    return Minimum(state.values, state.residuals, jacobian, state.evaluations, converged, history)


class _State:
    def __init__(
        self,
        residuals: Residuals,
        parameters: Sequence[Bounded],
        nearby: int,
        written: Callable[[float], float],
    ) -> None:
        self._ask = residuals
        self._parameters = parameters
        self._nearby = nearby
        self._written = written
        self.evaluations = 0
        self.values = [p.start for p in parameters]
        self.residuals = self._evaluate(self.values)
        self._damping = FIRST_DAMPING

    @property
    def cost(self) -> float:
        return sum(r * r for r in self.residuals)

    def _evaluate(self, values: Sequence[float]) -> Row:
        self.evaluations += 1
        found = list(self._ask(values))
        assert all(math.isfinite(r) for r in found), f"a residual that is no number at {list(values)}"
        return found

    def derivatives(self) -> Matrix:
        columns = [self._derivative(index) for index in range(len(self.values))]
        return [list(row) for row in zip(*columns, strict=True)]

    def _derivative(self, index: int) -> Row:
        """A central difference; a one-sided one at a bound."""
        parameter = self._parameters[index]
        above = parameter.clip(self.values[index] * math.exp(DIFFERENCE))
        below = parameter.clip(self.values[index] * math.exp(-DIFFERENCE))
        width = math.log(above / below)
        if width == 0:
            return [0.0] * len(self.residuals)
        return [(a - b) / width for a, b in zip(self._at(index, above), self._at(index, below), strict=True)]

    def _at(self, index: int, value: float) -> Row:
        values = list(self.values)
        if values[index] == value:
            return self.residuals
        values[index] = value
        return self._evaluate(values)

    def improve(self) -> float:
        """Take one step downwards; gives by which share the parameter that moved most has moved."""
        jacobian = self.derivatives()
        product, gradient = normal(jacobian, self.residuals)
        enough = self.cost - CLEAR_GAIN * self._by_chance(jacobian)
        for _ in range(8):
            values = self._step(product, gradient)
            if values == self.values:
                break
            residuals = self._evaluate(values)
            if sum(r * r for r in residuals) < enough:
                moved = max(abs(math.log(a / b)) for a, b in zip(values, self.values, strict=True))
                self.values, self.residuals = values, residuals
                self._damping = max(self._damping / 5, 1e-7)
                return moved
            self._damping *= 6
        return 0.0

    def _by_chance(self, jacobian: Matrix) -> float:
        """Give the standard deviation of the difference of two sums of squares that only scatter tells apart.

        Of r + e with a normal e of variance v the square has the variance 4 r² v + 2 v², and a difference of
        two of them twice that.
        """
        if not self._nearby:
            return 0.0
        beside = [self._beside(jacobian, time) for time in range(1, self._nearby + 1)]
        # What lies between two of them is twice the variance of one.
        variances = [sum(e * e for e in of_one) / (2 * self._nearby) for of_one in zip(*beside, strict=True)]
        found = zip(self.residuals, variances, strict=True)
        return math.sqrt(sum(8 * r * r * v + 4 * v * v for r, v in found))

    def _beside(self, jacobian: Matrix, time: int) -> Row:
        """Give how far residuals beside the parameters are from what the derivatives say."""
        ways = [NEARBY * time * (1 if (index + time) % 2 else -1) for index in range(len(self.values))]
        values = [
            parameter.clip(value * math.exp(way))
            for parameter, value, way in zip(self._parameters, self.values, ways, strict=True)
        ]
        moved = [math.log(new / old) for new, old in zip(values, self.values, strict=True)]
        return [
            found - here - sum(slope * by for slope, by in zip(slopes, moved, strict=True))
            for found, here, slopes in zip(self._evaluate(values), self.residuals, jacobian, strict=True)
        ]

    def _step(self, product: Matrix, gradient: Sequence[float]) -> Row:
        """Solve for the free parameters; what a bound holds back stays there."""
        free = [i for i in range(len(gradient)) if not self._held(i, gradient[i])]
        largest = max((product[i][i] for i in free), default=0.0)
        if largest == 0:
            return list(self.values)
        damped = [
            [product[i][j] + (i == j) * self._damping * (product[i][i] + 1e-3 * largest) for j in free]
            for i in free
        ]
        values = list(self.values)
        try:
            change = solve(damped, [-gradient[i] for i in free])
        except SingularError:
            return values
        for i, by in zip(free, change, strict=True):
            moved = self._written(values[i] * math.exp(max(-1.0, min(1.0, by))))
            values[i] = self._parameters[i].clip(moved)
        return values

    def _held(self, index: int, gradient: float) -> bool:
        parameter, value = self._parameters[index], self.values[index]
        return (value <= parameter.low and gradient > 0) or (value >= parameter.high and gradient < 0)


@dataclass(frozen=True)
class Determined:
    """What the figures say of one parameter."""

    name: str
    value: float
    low: float | None
    """Lower end of the interval; none where the parameter is not determined."""
    high: float | None
    at_bound: bool
    """Whether a bound stopped it: it is there, and the figures ask for what is beyond."""
    together_with: tuple[str, ...] = ()
    """Where it is not determined: the parameters that it can be exchanged for."""

    @property
    def unmoved(self) -> bool:
        """Whether no figure moves it, alone or together with others."""
        return self.low is None and not self.together_with


def intervals(
    minimum: Minimum, parameters: Sequence[Bounded], *, least_spread: float, confidence: float = 0.95
) -> list[Determined]:
    """Give each parameter's interval from the curvature of the sum of squares.

    Parameters
    ----------
    minimum
        Where the sum is least.
    parameters
        Those that were moved.
    least_spread
        Standard deviation of a residual below which the figures are not believed, for example 0.02:
        with as many parameters as figures the residuals alone would claim certainty.
    confidence
        Of the intervals.

    Returns
    -------
    list of Determined
        In the order of the parameters. A flat direction makes the parameters in it "not determined". One that
        is at its bound is stopped by it only where residuals ask for more than they scatter by: a share of 1
        can be the true one.
    """
    degrees = len(minimum.residuals) - len(parameters)
    spread = max(least_spread, math.sqrt(minimum.cost / degrees) if degrees > 0 else 0.0)
    reach = student(confidence, degrees if degrees >= FEWEST_DEGREES and spread > least_spread else None)
    product, _ = normal(minimum.jacobian, minimum.residuals)
    half = _half_widths(product, spread * reach)
    stopped = _stopped(minimum, parameters, least_spread, confidence)
    found = []
    for index, (parameter, value) in enumerate(zip(parameters, minimum.values, strict=True)):
        bound = index in stopped
        if half[index] >= NOT_DETERMINED:
            others = _exchanged(product, index, [p.name for p in parameters])
            found.append(Determined(parameter.name, value, None, None, bound, others))
        else:
            low, high = value * math.exp(-half[index]), value * math.exp(half[index])
            found.append(Determined(parameter.name, value, low, high, bound))
    return found


def _stopped(
    minimum: Minimum, parameters: Sequence[Bounded], least_spread: float, confidence: float
) -> set[int]:
    """Give the parameters that figures push beyond the bound at which they are.

    By Rao's score test (Proceedings of the Cambridge Philosophical Society 44, 1948, 50-57): the sum of
    squares would fall, without that bound, by more than the square of what scatters by chance. How residuals
    scatter is told by what no parameter explains, wherever its bound is.
    """
    places = range(len(parameters))
    ends = {i for i in places if parameters[i].ends(minimum.values[i])}
    if not ends:
        return set()
    _, gradient = normal(minimum.jacobian, minimum.residuals)
    free = [i for i in places if i not in ends]
    explained, directions = _explained(minimum, places, least_spread)
    degrees = len(minimum.residuals) - directions
    rest = max(minimum.cost - explained, 0.0)
    spread = max(least_spread, math.sqrt(rest / degrees) if degrees > 0 else 0.0)
    reach = student(confidence, degrees if degrees >= FEWEST_DEGREES and spread > least_spread else None)
    settled, _ = _explained(minimum, free, least_spread)

    def pushed(index: int) -> bool:
        low = minimum.values[index] <= parameters[index].low * 1.0001
        outwards = gradient[index] > 0 if low else gradient[index] < 0
        gained = _explained(minimum, [*free, index], least_spread)[0] - settled
        return outwards and gained > (reach * spread) ** 2

    return {index for index in ends if pushed(index)}


def _explained(minimum: Minimum, columns: Sequence[int], least_spread: float) -> tuple[float, int]:
    """Give by how much the sum of squares falls as far as derivatives tell, and in how many directions."""
    if not columns:
        return 0.0, 0
    product, gradient = normal([[row[i] for i in columns] for row in minimum.jacobian], minimum.residuals)
    flat = (least_spread / (100 * NOT_DETERMINED)) ** 2
    steep = [(value, vector) for value, vector in zip(*eigen(product), strict=True) if value > flat]
    along = (
        sum(a * b for a, b in zip(vector, gradient, strict=True)) ** 2 / value for value, vector in steep
    )
    return sum(along), len(steep)


def _half_widths(product: Matrix, spread: float) -> Row:
    values, vectors = eigen(product)
    widest = NOT_DETERMINED * 100
    variances = [0.0] * len(product)
    for value, vector in zip(values, vectors, strict=True):
        own = spread / math.sqrt(value) if value > (spread / widest) ** 2 else widest
        for index, part in enumerate(vector):
            variances[index] += (part * own) ** 2
    return [math.sqrt(variance) for variance in variances]


def _exchanged(product: Matrix, index: int, names: Sequence[str]) -> tuple[str, ...]:
    """Name the parameters that share the flattest direction with this one."""
    values, vectors = eigen(product)
    flattest = [
        vector for value, vector in zip(values, vectors, strict=True) if abs(vector[index]) > 0.2
        and value == min(v for v, w in zip(values, vectors, strict=True) if abs(w[index]) > 0.2)
    ]  # fmt: skip
    return tuple(
        name for vector in flattest[:1] for i, name in enumerate(names) if i != index and abs(vector[i]) > 0.2
    )


def student(confidence: float, degrees: int | None) -> float:
    """Give the quantile of Student's t of a two-sided interval; without degrees that of the normal.

    Source: Cornish and Fisher's expansion; within 1 % from 3 degrees of freedom, exact for 1 and 2.

    Examples
    --------
    >>> round(student(0.95, 10), 2), round(student(0.95, 1), 1)
    (2.23, 12.7)
    """
    if degrees == 1:
        return math.tan(math.pi * confidence / 2)
    if degrees == 2:
        return confidence * math.sqrt(2 / (1 - confidence**2))
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    if degrees is None:
        return z
    n = float(degrees)
    return (
        z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )  # fmt: skip
