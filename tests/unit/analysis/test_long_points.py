"""Points of many hours: what Python keeps of their time series is bounded, as the engine's is."""

from __future__ import annotations

import json
import tracemalloc

from factories import make_point, make_reading
from iodyno.analysis.timeseries import windows
from iodyno.reading import Reading

KEPT = 36_000
"""Values that a part of a point has at the most: crates/load/src/series.rs."""
PER_WINDOW = ("reads", "writes", "read_bytes", "written_bytes", "latency_sum_ns", "p99_ns", "max_ns")


def of_hours(values: int) -> str:
    """Make a reading up, of so many values of 32 windows each; numbers of a fast device, all different."""
    document = json.loads(make_reading(make_point(), measured_s=0.1).model_dump_json())
    for number, name in enumerate(PER_WINDOW):
        document["series"][name] = [(number + 1) * 10**9 + value for value in range(values)]
    document["series"] |= {"windows": [32] * values, "measured_from": 0}
    return json.dumps(document)


def test_a_reading_of_a_day_takes_little_memory() -> None:
    text = of_hours(KEPT)
    tracemalloc.start()
    try:
        reading = Reading.model_validate_json(text)
        shown = windows(reading.series)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert shown[-1].start_s == (KEPT - 1) * 3.2
    # Seven columns of numbers, 40 bytes each, and the windows of the one chart: 21 MB of the 150 of a study.
    assert peak < 30 << 20


def test_a_long_reading_is_kept_as_it_is() -> None:
    reading = Reading.model_validate_json(of_hours(100))
    assert Reading.model_validate_json(reading.model_dump_json()) == reading
    assert reading.series.length_s(7) == 3.2


def test_a_short_one_says_nothing_of_lengths() -> None:
    series = make_reading(make_point(), measured_s=0.1).series
    assert series.windows == ()
    assert "windows" not in series.model_dump() | json.loads(series.model_dump_json())
    assert series.length_s(0) == series.window_s
