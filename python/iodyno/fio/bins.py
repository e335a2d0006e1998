"""Latency bins as fio has them, and histograms as iodyno has them.

fio has 64 bins an octave and names each by its middle; iodyno has 128 buckets an octave. A bin
of fio covers two buckets, and goes to the one that holds its middle: counts stay exact, and a
value moves by less than 1/64 of itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from iodyno.histogram import Histogram, bucket_bounds, bucket_index

_BITS = 6
_FINE = 1 << (_BITS + 1)
"""Below this many ns a bin holds one value."""
LAST_BIN = 29 * (1 << _BITS) - 1
"""Index of the last bin: it holds all that is longer."""


def bin_index(value_ns: int) -> int:
    """Give the index of the bin of a value.

    Examples
    --------
    >>> bin_index(5), bin_index(128), bin_index(129), bin_index(130)
    (5, 128, 128, 129)
    """
    if value_ns < _FINE:
        return value_ns
    shift = value_ns.bit_length() - 1 - _BITS
    return min(((shift + 1) << _BITS) + ((value_ns >> shift) & ((1 << _BITS) - 1)), LAST_BIN)


def bin_middle(index: int) -> int:
    """Give the value in ns that fio names a bin by.

    Examples
    --------
    >>> bin_middle(5), bin_middle(128), bin_middle(LAST_BIN)
    (5, 129, 17112760320)
    """
    if index < _FINE:
        return index
    shift = (index >> _BITS) - 1
    return (1 << (shift + _BITS)) + ((index & ((1 << _BITS) - 1)) << shift) + (1 << shift) // 2


def histogram_of(bins: Mapping[int, int], *, least: int, most: int, total_ns: int) -> Histogram:
    """Make a histogram of bins.

    Parameters
    ----------
    bins
        Counts by the middle of the bin in ns.
    least, most, total_ns
        Least value, greatest value and sum in ns, as they were told beside the bins.
    """
    counts: dict[int, int] = {}
    for middle, count in bins.items():
        if count:
            counts[bucket_index(middle)] = counts.get(bucket_index(middle), 0) + count
    order = sorted(counts)
    if not order:
        return Histogram()
    return Histogram(
        index=tuple(order),
        count=tuple(counts[index] for index in order),
        min_ns=least,
        max_ns=max(most, least),
        sum_ns=total_ns,
    )


def bins_of(latency: Histogram) -> dict[int, int]:
    """Give the counts of a histogram by the middle of fio's bins, ascending."""
    bins: dict[int, int] = {}
    for index, count in zip(latency.index, latency.count, strict=True):
        middle = bin_middle(bin_index(bucket_bounds(index)[0]))
        bins[middle] = bins.get(middle, 0) + count
    return bins


def percentiles_of(bins: Mapping[int, int], percents: Iterable[float]) -> dict[float, int]:
    """Give percentiles as fio finds them: the middle of the bin that holds the value of that rank."""
    total, found = sum(bins.values()), {}
    for percent in percents:
        seen = 0
        for middle, count in sorted(bins.items()):
            seen += count
            if seen >= percent / 100 * total:
                found[percent] = middle
                break
    return found
