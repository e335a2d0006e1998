"""The laws that every reading must keep, measured or simulated."""

from __future__ import annotations

import math
from collections.abc import Iterator

from iodyno.histogram import Histogram, bucket_bounds
from iodyno.plan import Point
from iodyno.reading import Cause, Direction, Reading
from iodyno.verdict.limits import LITTLES_LAW_SHARE, SIGMAS

_ROUNDING = 1e-6


def laws(point: Point, reading: Reading) -> list[Cause]:
    """List the laws that a reading breaks; empty for every sound one.

    Every completed I/O was timed, listed and issued; bytes are the sum of sizes; reads and
    writes have the share asked for; histograms agree with themselves; the depth is never
    above what was asked; and depth = rate × mean latency (Little 1961), within 5 % and what
    the I/Os cut by the ends of the window explain. Errors suspend the last three.

    Parameters
    ----------
    point
        What was asked.
    reading
        What came out.

    Returns
    -------
    list of Cause
        Codes of ``CAUSES``: ``law_completed``, ``law_bytes``, ``law_direction``, ``law_trims``,
        ``law_latency``, ``law_depth``, ``littles_law``, each with its figures.
    """
    broken = [*_completed(point, reading), *_bytes(point, reading), *_latency(reading)]
    if reading.loads:
        broken += [*_sums(reading)]
        broken += (cause for pair in zip(point.loads, reading.apart, strict=True) for cause in laws(*pair))
    if not reading.errors and reading.completed:
        shares = () if reading.loads else _direction(point, reading)
        broken += [*shares, *_depth(point, reading), *_little(point, reading)]
    return broken


def _sums(reading: Reading) -> Iterator[Cause]:
    """Hold what several loads did against the sum."""
    for name in ("reads", "writes"):
        parts = [getattr(load, name) for load in reading.loads]
        whole = getattr(reading, name)
        done, moved = sum(part.completed for part in parts), sum(part.bytes for part in parts)
        yield from _unequal("law_completed", f"{name} of all loads", done, whole.completed)
        yield from _unequal("law_bytes", f"bytes of the {name} of all loads", moved, whole.bytes)


def _unequal(code: str, what: str, found: int, expected: int) -> Iterator[Cause]:
    if found != expected:
        yield Cause(code=code, values={"what": what, "found": found, "expected": expected})


def _completed(point: Point, reading: Reading) -> Iterator[Cause]:
    code, begin = "law_completed", reading.series.measured_from
    for name, direction, listed, issued in _counts(reading):
        done = direction.completed
        yield from _unequal(code, f"{name} timed", direction.latency.total, done)
        yield from _unequal(code, f"{name} in the series", sum(listed[begin:]), done)
        if point.open_loop and direction is not reading.syncs:
            waited = direction.response_time.total if direction.response_time else 0
            yield from _unequal(code, f"{name} with a response time", waited, done)
        yield from _on_targets(reading, name, done)
        if issued < done:
            yield Cause(code=code, values={"what": f"{name} issued", "found": issued, "expected": done})
    if reading.per_target:
        per_target = sum(part.reads + part.writes + part.trims for part in reading.per_target)
        yield from _unequal(code, "targets", len(reading.per_target), len(point.targets))
        yield from _unequal(code, "I/Os of all targets", per_target, reading.completed)
    if reading.open_loop is not None:
        opened = reading.open_loop
        started = opened.start_delay.total + opened.held_starts + opened.waited_starts
        yield from _unequal(code, "starts in time, late or held up", started, reading.completed)


def _on_targets(reading: Reading, name: str, done: int) -> Iterator[Cause]:
    """Hold the latencies of each of several targets against their sum; of commands the counts too."""
    if name in ("trims", "syncs") and reading.per_target:
        counted = sum(getattr(part, name) for part in reading.per_target)
        yield from _unequal("law_completed", f"{name} of all targets", counted, done)
    splits = [part.split for part in reading.per_target if part.split is not None]
    parts = [part for part in (getattr(split, name) for split in splits) if part is not None]
    if parts:
        timed = sum(part.latency.total for part in parts)
        yield from _unequal("law_completed", f"{name} timed on all targets", timed, done)


def _counts(reading: Reading) -> Iterator[tuple[str, Direction, tuple[int, ...], int]]:
    series, issued = reading.series, reading.issued
    yield "reads", reading.reads, series.reads, issued.reads
    yield "writes", reading.writes, series.writes, issued.writes
    if reading.trims:
        yield "trims", reading.trims, series.trims, issued.trims
    if reading.syncs:
        yield "syncs", reading.syncs, series.syncs, issued.syncs


def _bytes(point: Point, reading: Reading) -> Iterator[Cause]:
    code, begin = "law_bytes", reading.series.measured_from
    for name, write, direction, listed in (
        ("bytes read", False, reading.reads, reading.series.read_bytes),
        ("bytes written", True, reading.writes, reading.series.written_bytes),
    ):
        sizes = [block.bytes for profile in point.profiles for block in profile.blocks_of(write)]
        least, most = direction.completed * min(sizes), direction.completed * max(sizes)
        if not least <= direction.bytes <= most:
            near = least if direction.bytes < least else most
            yield Cause(code=code, values={"what": name, "found": direction.bytes, "expected": near})
        yield from _unequal(code, f"{name} in the series", sum(listed[begin:]), direction.bytes)
    if reading.per_target:
        per_target = sum(part.read_bytes + part.written_bytes for part in reading.per_target)
        yield from _unequal(code, "bytes of all targets", per_target, reading.bytes)


def _latency(reading: Reading) -> Iterator[Cause]:
    for name, direction, _, _ in _counts(reading):
        for what, histogram in _histograms(direction):
            if not _agrees(histogram):
                yield Cause(code="law_latency", values={"what": f"{what} of {name}"})
        waited = direction.response_time
        if (
            waited is not None
            and waited.total == direction.completed
            and waited.sum_ns < direction.latency.sum_ns
        ):
            yield Cause(code="law_latency", values={"what": f"response time of {name} below latency"})


def _histograms(direction: Direction) -> Iterator[tuple[str, Histogram]]:
    yield "latency", direction.latency
    if direction.response_time is not None:
        yield "response time", direction.response_time


def _agrees(histogram: Histogram) -> bool:
    """Tell whether minimum, maximum and sum of a histogram can be those of its buckets."""
    if not histogram.index:
        return histogram.sum_ns == 0
    (low, high), (last_low, last_high) = bucket_bounds(histogram.index[0]), bucket_bounds(histogram.index[-1])
    least, most = histogram.sums_ns()
    ends = low <= histogram.min_ns < high and last_low <= histogram.max_ns < last_high
    return ends and least <= histogram.sum_ns <= most


def _direction(point: Point, reading: Reading) -> Iterator[Cause]:
    """Compare the shares of reads and trims with what was asked: binomial draws, and the I/Os cut by the
    ends."""
    transfers = reading.reads.completed + reading.writes.completed
    asked = point.profile.read_share
    if transfers and not _drawn(point, asked, reading.reads.completed, transfers):
        found = reading.reads.completed / transfers
        yield Cause(code="law_direction", values={"read_share": found, "asked": asked})
    trims, asked = reading.completed - transfers, point.profile.trim_share
    if not _drawn(point, asked, trims, reading.completed):
        yield Cause(code="law_trims", values={"trim_share": trims / reading.completed, "asked": asked})


def _drawn(point: Point, share: float, found: int, of: int) -> bool:
    """Tell whether so many can have been drawn with a share."""
    chance = SIGMAS * math.sqrt(share * (1 - share) / of)
    cut = 2 * point.outstanding_total / of if 0 < share < 1 else 0.0
    return abs(found / of - share) <= chance + cut + _ROUNDING


def _depth(point: Point, reading: Reading) -> Iterator[Cause]:
    if reading.mean_outstanding > point.outstanding_total * (1 + 1e-3):
        values = {"depth": reading.mean_outstanding, "asked": point.outstanding_total}
        yield Cause(code="law_depth", values=values)


def depth_by_latency(reading: Reading) -> float:
    """Give rate × mean latency, syncs included: the mean depth of what is long beside the latencies."""
    waited_ns = reading.latency.sum_ns + (reading.syncs.latency.sum_ns if reading.syncs else 0)
    return waited_ns / 1e9 / reading.measured_s


def _little(point: Point, reading: Reading) -> Iterator[Cause]:
    depth = reading.mean_outstanding
    if depth <= 0 or reading.measured_s <= 0:
        return
    expected = depth_by_latency(reading)
    # What the I/Os under way at the beginning had waited before is in their latencies, and what those
    # at the end have waited is not yet: they differ by no more than one of the two. As many as can be
    # outstanding, be it fewer on average, each for at most the greatest latency, also of those at the end.
    longest_sync_ns = reading.syncs.latency.max_ns if reading.syncs else 0
    longest_ns = max(reading.latency.max_ns, longest_sync_ns, reading.drained_max_ns)
    ends = longest_ns / 1e9 / reading.measured_s * max(1.0, point.outstanding_total / depth)
    if abs(expected / depth - 1) > LITTLES_LAW_SHARE + ends:
        yield Cause(code="littles_law", values={"expected": expected, "depth": depth})
