"""The figures of each target of a point that has several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from iodyno.analysis.estimate import Estimate
from iodyno.analysis.figures import PERCENTILES, Percentile, percentiles_ms
from iodyno.analysis.units import mb_s, ms
from iodyno.histogram import Histogram
from iodyno.reading import PointResult, Split


@dataclass(frozen=True)
class TargetFigures:
    """What one target among several did, in the units that are shown."""

    result: PointResult
    """Of several loads at once that of its own."""
    load: int
    """Which load of its point it is of, from 0."""
    path: str
    """Path of the file or device, or the name of a virtual volume."""
    reads: int
    writes: int
    trims: int
    syncs: int
    transaction_rate_io_s: float
    throughput_mb_s: float
    latency: Histogram
    """Issue to completion, of reads, writes and trims."""
    trim_latency: Histogram | None
    """That of the trims; none where the profile has none."""
    sync_latency: Histogram | None
    """That of the syncs, which are in no other figure; none where the profile has none."""
    response_time: Histogram | None
    """Intended start to completion; only where a rate was given."""
    errors: int

    @property
    def completed(self) -> int:
        """I/Os completed on it in the measured part: reads, writes and trims."""
        return self.reads + self.writes + self.trims

    @property
    def latency_ms_mean(self) -> float | None:
        """Mean latency in ms; none where nothing completed."""
        return ms(self.latency.mean_ns) if self.completed else None

    def known_as(self, value: float, total: Estimate) -> Estimate:
        """Give a figure of it with the interval that it has at best.

        Counts by chance scatter by the root of their number, and nothing of a target is known better than the
        total of its load; without an interval there it has none.

        Parameters
        ----------
        value
            Its transaction rate or throughput.
        total
            The same of all targets of its load.
        """
        if total.half_width is None or not self.completed:
            return Estimate(value)
        return Estimate(value, max(total.half_width, 1 / math.sqrt(self.completed)))

    def latency_ms_at(self, share: float) -> float | None:
        """Give a percentile of the latency in ms; none where too few I/Os support it."""
        return _at(percentiles_ms(self.latency), share)

    @property
    def trim_latency_ms_p99(self) -> float | None:
        """99th percentile of the latency of its trims in ms; none where too few trims support it."""
        return _at(percentiles_ms(self.trim_latency), 0.99) if self.trim_latency else None

    @property
    def sync_latency_ms_p99(self) -> float | None:
        """99th percentile of the latency of its syncs in ms; none where too few syncs support it."""
        return _at(percentiles_ms(self.sync_latency), 0.99) if self.sync_latency else None

    def response_time_ms_at(self, share: float) -> float | None:
        """Give a percentile of the response time in ms; none without a rate or enough I/Os."""
        return _at(percentiles_ms(self.response_time), share) if self.response_time else None


def _at(found: Iterable[Percentile], share: float) -> float | None:
    assert share in PERCENTILES, share
    return next(item.value_ms for item in found if item.share == share)


def target_figures(result: PointResult) -> tuple[TargetFigures, ...]:
    """Give the figures of each target, in the order of the plan; none where there is only one.

    Of several loads at once each has its targets, and one that several load has figures for each of them.
    """
    return tuple(_figures(result)) if len(result.point.targets) > 1 else ()


def _figures(whole: PointResult) -> Iterator[TargetFigures]:
    loads = ((number, load) for number, load in enumerate(whole.loads) for _ in load.point.targets)
    parts = zip(loads, whole.point.targets, whole.reading.per_target, strict=False)
    for (number, result), target, part in parts:
        reading, split = result.reading, part.split
        if split is None:
            continue
        directions = (*split.accesses, *((split.syncs,) if split.syncs else ()))
        seconds = reading.measured_s or 1.0
        yield TargetFigures(
            result=result,
            load=number,
            path=target.path,
            reads=part.reads,
            writes=part.writes,
            trims=part.trims,
            syncs=part.syncs,
            transaction_rate_io_s=part.completed / seconds,
            throughput_mb_s=mb_s(part.bytes / seconds),
            latency=Histogram.merged(of.latency for of in split.accesses),
            trim_latency=split.trims.latency if split.trims else None,
            sync_latency=split.syncs.latency if split.syncs else None,
            response_time=_response_time(split),
            errors=sum(error.count for of in directions for error in of.errors),
        )


def _response_time(split: Split) -> Histogram | None:
    parts = [of.response_time for of in split.accesses if of.response_time is not None]
    return Histogram.merged(parts) if parts else None
