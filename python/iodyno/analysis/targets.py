"""The figures of each target of a point that has several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from iodyno.analysis.figures import PERCENTILES, Percentile, percentiles_ms
from iodyno.analysis.units import mb_s, ms
from iodyno.histogram import Histogram
from iodyno.reading import PointResult, Split


@dataclass(frozen=True)
class TargetFigures:
    """What one target among several did, in the units that are shown."""

    result: PointResult
    path: str
    """Path of the file or device, or the name of a virtual volume."""
    reads: int
    writes: int
    transaction_rate_io_s: float
    throughput_mb_s: float
    latency: Histogram
    """Issue to completion."""
    response_time: Histogram | None
    """Intended start to completion; only where a rate was given."""
    errors: int

    @property
    def completed(self) -> int:
        """I/Os completed on it in the measured part."""
        return self.reads + self.writes

    @property
    def latency_ms_mean(self) -> float | None:
        """Mean latency in ms; none where nothing completed."""
        return ms(self.latency.mean_ns) if self.completed else None

    def latency_ms_at(self, share: float) -> float | None:
        """Give a percentile of the latency in ms; none where too few I/Os support it."""
        return _at(percentiles_ms(self.latency), share)

    def response_time_ms_at(self, share: float) -> float | None:
        """Give a percentile of the response time in ms; none without a rate or enough I/Os."""
        return _at(percentiles_ms(self.response_time), share) if self.response_time else None


def _at(found: Iterable[Percentile], share: float) -> float | None:
    assert share in PERCENTILES, share
    return next(item.value_ms for item in found if item.share == share)


def target_figures(result: PointResult) -> tuple[TargetFigures, ...]:
    """Give the figures of each target, in the order of the plan; none where there is only one."""
    return tuple(_figures(result))


def _figures(result: PointResult) -> Iterator[TargetFigures]:
    reading = result.reading
    for target, part in zip(result.point.targets, reading.per_target, strict=False):
        if part.split is None:
            continue
        seconds = reading.measured_s or 1.0
        yield TargetFigures(
            result=result,
            path=target.path,
            reads=part.reads,
            writes=part.writes,
            transaction_rate_io_s=part.completed / seconds,
            throughput_mb_s=mb_s(part.bytes / seconds),
            latency=Histogram.merged((part.split.reads.latency, part.split.writes.latency)),
            response_time=_response_time(part.split),
            errors=sum(error.count for error in part.split.reads.errors + part.split.writes.errors),
        )


def _response_time(split: Split) -> Histogram | None:
    parts = [part for part in (split.reads.response_time, split.writes.response_time) if part is not None]
    return Histogram.merged(parts) if parts else None
