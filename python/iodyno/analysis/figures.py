"""One point's figures, all in the units that are shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from iodyno.analysis.estimate import Estimate
from iodyno.analysis.units import mb_s, ms
from iodyno.histogram import BEYOND_A_PERCENTILE, Histogram
from iodyno.plan import Point
from iodyno.profiles import LoadProfile
from iodyno.reading import Direction, PointResult, Reading, Simulation, Verdict
from iodyno.verdict.schedule import missing_allowed

PERCENTILES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
"""Percentiles that are shown, as shares."""


@dataclass(frozen=True)
class Percentile:
    """A percentile of the latency."""

    share: float
    """0 to 1: 0.99 is the 99th."""
    value_ms: float | None
    """In ms; none where too few I/Os support it."""


@dataclass(frozen=True)
class CommandFigures:
    """Syncs, or trims, of a point: I/Os that move no data."""

    rate_s: float
    """Completed ÷ measured seconds."""
    latency_ms_mean: float | None
    """None where nothing completed."""
    latency_ms_p99: float | None
    """None where too few support it."""


@dataclass(frozen=True)
class PointFigures:
    """What a point came to, in the units that are shown."""

    point: Point
    verdict: Verdict
    transaction_rate_io_s: Estimate
    throughput_mb_s: Estimate
    latency_ms_mean: Estimate
    """Issue to completion. By Little's law a closed loop's latency is outstanding ÷ rate, so its
    interval is that of the rate turned round; an open loop's has none. 0 where none is known."""
    latency_ms: tuple[Percentile, ...]
    """One for each of :data:`PERCENTILES`."""
    latency_ms_max: float
    """Greatest latency; 0 where none is known."""
    response_time_ms_mean: float | None
    """Intended start to completion; only where a rate was given."""
    response_time_ms: tuple[Percentile, ...]
    """Empty where no rate was given."""
    response_time_ms_p99: Estimate | None
    """99th percentile of the response time with its interval; none where no rate was given, or too few I/Os
    support it."""
    completed: int
    """I/Os completed in the measured part: the samples of the latencies."""
    warmup_s: float
    """Seconds before the measured part, what was discarded of them included."""
    discarded_s: float
    """Seconds after the warm-up that the rule discarded because the load had not settled."""
    measured_s: float
    confidence: float
    """Confidence of the intervals."""
    utilisation_worker: float
    """CPU time of the busiest worker as a share of that of the processors it can use at once, 0 to 1."""
    depth_kept: float
    """Mean outstanding I/Os as a share of those asked for, 0 to 1."""
    errors: int
    simulation: Simulation | None = None
    """Where the time went in a virtual system; none where a real target was measured."""
    syncs: CommandFigures | None = None
    """Syncs, which are in no other figure; none where the profile has none."""
    trims: CommandFigures | None = None
    """Trims, which are among the accesses; none where the profile has none."""
    beside: tuple[PointFigures, ...] = ()
    """What ran at the same time; these figures are those of the first load alone."""
    whole: Point | None = None
    """The point with all loads, where there are several: :attr:`point` is the first of them alone."""

    @property
    def planned(self) -> Point:
        """The point of the plan that it is of, with all its loads."""
        return self.whole or self.point

    @property
    def warmed_up_s(self) -> float:
        """Seconds of warm-up: from when the last load of the point began to what was discarded or counted."""
        return max(0.0, self.warmup_s - self.discarded_s - self.planned.all_begun_s)

    @property
    def profile(self) -> LoadProfile:
        """The load profile."""
        return self.point.profile

    @property
    def outstanding(self) -> int:
        """Outstanding I/Os per target and worker."""
        return self.point.outstanding

    @property
    def main(self) -> Estimate:
        """The profile's main figure: IO/s or MB/s."""
        return self.throughput_mb_s if self.profile.shown_as == "throughput" else self.transaction_rate_io_s

    @property
    def known_latency_ms_mean(self) -> float | None:
        """Mean latency; none where none is known."""
        return self.latency_ms_mean.value or None

    @property
    def overloaded(self) -> bool:
        """Whether the target did not keep up with the rate asked for; of an imported point, which nobody
        judged, whether more is missing of the rate than a verdict lets pass."""
        if self.verdict.state != "not_judged" or self.point.rate_io_s is None:
            return self.verdict.overloaded
        asked = self.point.rate_io_s * self.measured_s
        return asked - self.completed - self.errors > missing_allowed(self.point, asked)

    @property
    def steady(self) -> bool:
        """Whether the verdict has nothing against the point."""
        return self.verdict.state == "steady"

    def tail_ratio(self, share: float) -> float | None:
        """Give a percentile of the latency ÷ its mean; none where too few I/Os support it."""
        value, mean = self.latency_ms_at(share), self.known_latency_ms_mean
        return value / mean if value is not None and mean else None

    def latency_ms_at(self, share: float) -> float | None:
        """Give a percentile of :data:`PERCENTILES` in ms; none where too few I/Os support it."""
        return next(item.value_ms for item in self.latency_ms if item.share == share)

    def response_time_ms_at(self, share: float) -> float | None:
        """Give a percentile of the response time in ms; none without a rate or enough I/Os."""
        return next((item.value_ms for item in self.response_time_ms if item.share == share), None)


def supported(share: float, samples: int) -> bool:
    """Tell whether so many I/Os support a percentile.

    Examples
    --------
    >>> supported(0.99, 1000), supported(0.999, 1000)
    (True, False)
    """
    return samples * (1 - share) >= BEYOND_A_PERCENTILE * (1 - 1e-9)


def percentiles_ms(latency: Histogram, shares: Iterable[float] = PERCENTILES) -> tuple[Percentile, ...]:
    """Give percentiles in ms, none where too few I/Os support them."""
    total = latency.total
    return tuple(
        Percentile(
            share,
            ms(latency.percentile_ns(share)) if latency.knows(share) and supported(share, total) else None,
        )
        for share in shares
    )


def point_figures(result: PointResult) -> PointFigures:
    """Turn a reading into figures in the units that are shown; of several loads those of each.

    Parameters
    ----------
    result
        A point with what came of it.

    Returns
    -------
    PointFigures
        Rates in IO/s, throughputs in MB/s (2^20 bytes/s), times in ms.
    """
    first, *others = (_figures(load) for load in result.loads)
    return replace(first, beside=tuple(others), whole=result.point) if others else first


def _figures(result: PointResult) -> PointFigures:
    reading, half_width = result.reading, result.reading.precision.half_width
    latency, response_time = reading.latency, _response_time(reading)
    return PointFigures(
        point=result.point,
        verdict=result.verdict,
        transaction_rate_io_s=Estimate(reading.transaction_rate_io_s, half_width),
        throughput_mb_s=Estimate(mb_s(reading.throughput_bytes_s), half_width),
        latency_ms_mean=Estimate(
            ms(latency.mean_ns), half_width if _waits_for_accesses(result.point) else None, reciprocal=True
        ),
        latency_ms=percentiles_ms(latency),
        latency_ms_max=ms(latency.max_ns),
        response_time_ms_mean=ms(response_time.mean_ns) if response_time and response_time.total else None,
        response_time_ms=percentiles_ms(response_time) if response_time else (),
        response_time_ms_p99=_response_p99(reading, response_time),
        completed=reading.completed,
        warmup_s=reading.warmup_s,
        discarded_s=min(reading.warmup_s, reading.precision.discarded_windows * reading.series.window_s),
        measured_s=reading.measured_s,
        confidence=reading.precision.confidence,
        utilisation_worker=_busiest(reading),
        depth_kept=reading.mean_outstanding / result.point.outstanding_total,
        errors=reading.errors,
        simulation=reading.simulation,
        syncs=_command(reading.syncs, reading.measured_s),
        trims=_command(reading.trims, reading.measured_s),
    )


def _waits_for_accesses(point: Point) -> bool:
    """Tell whether Little's law gives the latency: all that is outstanding are accesses, all the time."""
    return point.rate_io_s is None and not point.profile.syncs and not point.profile.think_time_us


def _command(found: Direction | None, measured_s: float) -> CommandFigures | None:
    if found is None:
        return None
    (p99,) = percentiles_ms(found.latency, (0.99,))
    mean = ms(found.latency.mean_ns) if found.completed else None
    return CommandFigures(found.completed / measured_s if measured_s else 0.0, mean, p99.value_ms)


def _busiest(reading: Reading) -> float:
    return max((worker.utilisation for worker in reading.workers), default=0.0)


def _response_p99(reading: Reading, found: Histogram | None) -> Estimate | None:
    (p99,) = percentiles_ms(found, (0.99,)) if found else (None,)
    if p99 is None or p99.value_ms is None:
        return None
    return Estimate(p99.value_ms, reading.open_loop.response_p99_half_width if reading.open_loop else None)


def _response_time(reading: Reading) -> Histogram | None:
    parts = [item.response_time for item in reading.accesses if item.response_time]
    return Histogram.merged(parts) if parts else None
