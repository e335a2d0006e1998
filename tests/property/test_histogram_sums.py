"""The least and the greatest sum of a histogram, octave by octave, are those of its buckets one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from iodyno.histogram import HISTOGRAM_SUB_BUCKETS, Histogram, bucket_index

LONGEST_NS = 3_600_000_000_000
"""An hour: 34 octaves above the buckets of single values."""
OCTAVES = bucket_index(LONGEST_NS) // HISTOGRAM_SUB_BUCKETS


def _indices() -> st.SearchStrategy[int]:
    """Draw buckets anywhere, and at the ends of octaves, where the widths change."""
    ends = st.builds(
        lambda octave, beside: max(0, octave * HISTOGRAM_SUB_BUCKETS + beside),
        st.integers(0, OCTAVES),
        st.integers(-1, 1),
    )
    return st.integers(0, OCTAVES * HISTOGRAM_SUB_BUCKETS) | ends


@given(st.dictionaries(_indices(), st.integers(0, 1 << 40), max_size=40))
def test_the_sums_are_those_of_the_buckets_one_by_one(counts: dict[int, int]) -> None:
    index = tuple(sorted(counts))
    found = Histogram(index=index, count=tuple(counts[item] for item in index))
    least = sum(low * count for low, _, count in found.buckets())
    most = sum((high - 1) * count for _, high, count in found.buckets())
    assert found.sums_ns() == (least, most)


@given(st.lists(st.integers(0, LONGEST_NS), max_size=60))
def test_the_sum_of_values_lies_between(values: list[int]) -> None:
    """What the engine counts: each value in the bucket that holds it."""
    counts: dict[int, int] = {}
    for value in values:
        counts[bucket_index(value)] = counts.get(bucket_index(value), 0) + 1
    index = tuple(sorted(counts))
    least, most = Histogram(index=index, count=tuple(counts[item] for item in index)).sums_ns()
    assert least <= sum(values) <= most
