"""The series of a point as fio's logs have it: what programs that draw rates and latencies over time read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from iodyno.reading import PointResult, Series

_DIRECTIONS = {"read": 0, "write": 1, "trim": 2}
"""The numbers that fio has for directions."""


def logs(result: PointResult) -> Iterator[tuple[str, str]]:
    """Yield each log of a point with the word that fio has for it: ``iops``, ``bw``, ``lat``, ``clat``.

    A line is ``time in ms, value, direction, 0, 0``, as fio writes it with ``log_avg_msec``: values are means
    of windows (of 100 ms on real targets, of virtual time in a simulation), of rates in IO/s, of throughput
    in KiB/s, of latencies in ns. Time counts from where the measured part begins. A mix has no logs of
    latencies: the series has those of all directions together.
    """
    series = result.reading.series
    counts = {"read": series.reads, "write": series.writes, "trim": series.trims}
    done = {way: values for way, values in counts.items() if any(values[series.measured_from :])}
    if not done:
        return
    yield "iops", _lines(series, ((way, _per_s(values, series)) for way, values in done.items()))
    sizes = {"read": series.read_bytes, "write": series.written_bytes}
    moved = ((way, _per_s(sizes[way], series, 1024)) for way in done if way in sizes)
    yield "bw", _lines(series, moved)
    if len(done) == 1:
        [(way, values)] = done.items()
        means = [
            total / count if count else None
            for total, count in zip(series.latency_sum_ns, values, strict=False)
        ]
        for kind in ("lat", "clat"):
            yield kind, _lines(series, [(way, means)])


def _per_s(values: Sequence[int], series: Series, unit: int = 1) -> list[float | None]:
    lengths = series.windows or (1,) * len(values)
    pairs = zip(values, lengths, strict=False)
    return [value / (windows * series.window_s * unit) for value, windows in pairs]


def _lines(series: Series, told: Iterable[tuple[str, Sequence[float | None]]]) -> str:
    """Write the measured part, line by line as time goes on; where nothing is known, nothing."""
    columns = list(told)
    first = series.measured_from
    rows = max((len(values) for _, values in columns), default=0)
    lengths = series.windows or (1,) * rows
    windows, lines = 0, []
    for row in range(first, rows):
        windows += lengths[row]
        at_ms = round(windows * series.window_s * 1000)
        for way, values in columns:
            value = values[row]
            if value is not None:
                lines.append(f"{at_ms}, {round(value)}, {_DIRECTIONS[way]}, 0, 0\n")
    return "".join(lines)
