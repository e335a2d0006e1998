"""Latency histograms: what the engine counted, its percentiles, and sums of several."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from operator import mul

from pydantic import NonNegativeInt

from iodyno.record import Record

BEYOND_A_PERCENTILE = 10
"""I/Os that must lie beyond a percentile before it means something. With 10 of them its rank has a
standard deviation of √10, about a third: fewer would show the luck of single I/Os."""

HISTOGRAM_SUB_BUCKETS = 128
"""Buckets an octave."""
_SUB_BITS = HISTOGRAM_SUB_BUCKETS.bit_length() - 1


def bucket_bounds(index: int) -> tuple[int, int]:
    """Give the values that a histogram bucket holds.

    Parameters
    ----------
    index
        Index of the bucket: below 128 the value itself, above it 128 buckets an octave.

    Returns
    -------
    tuple of int
        Lowest value and the first value above, in ns.

    Examples
    --------
    >>> bucket_bounds(5), bucket_bounds(128), bucket_bounds(256)
    ((5, 6), (128, 129), (256, 258))
    """
    if index < 2 * HISTOGRAM_SUB_BUCKETS:
        return index, index + 1
    shift = (index >> _SUB_BITS) - 1
    low = ((index & (HISTOGRAM_SUB_BUCKETS - 1)) | HISTOGRAM_SUB_BUCKETS) << shift
    return low, low + (1 << shift)


def bucket_index(value_ns: int) -> int:
    """Give the histogram bucket that holds a value: the inverse of :func:`bucket_bounds`.

    Examples
    --------
    >>> bucket_index(5), bucket_index(128), bucket_index(257)
    (5, 128, 256)
    """
    shift = max(0, value_ns.bit_length() - _SUB_BITS - 1)
    if not shift:
        return value_ns
    return ((shift + 1) << _SUB_BITS) | ((value_ns >> shift) & (HISTOGRAM_SUB_BUCKETS - 1))


class Histogram(Record):
    """Latencies in ns, sparse: only buckets that hold something."""

    index: tuple[NonNegativeInt, ...] = ()
    """Bucket indices, ascending."""
    count: tuple[NonNegativeInt, ...] = ()
    """Counts, one for each index."""
    min_ns: NonNegativeInt = 0
    max_ns: NonNegativeInt = 0
    sum_ns: NonNegativeInt = 0
    untold: NonNegativeInt = 0
    """Values that no bucket holds: an imported result told only their number, mean, least and greatest."""
    percentiles: tuple[tuple[float, NonNegativeInt], ...] = ()
    """Share and value in ns of percentiles that were told where buckets were not, ascending."""

    @cached_property
    def up_to(self) -> tuple[int, ...]:
        """Values up to and in each bucket."""
        return tuple(accumulate(self.count))

    @property
    def total(self) -> int:
        """Number of values."""
        return (self.up_to[-1] if self.count else 0) + self.untold

    def knows(self, share: float) -> bool:
        """Tell whether a percentile is known: always, but where buckets were not told."""
        return not self.untold or any(told == share for told, _ in self.percentiles)

    @property
    def mean_ns(self) -> float:
        """Mean in ns, exact; 0 where empty."""
        total = self.total
        return self.sum_ns / total if total else 0.0

    def percentile_ns(self, share: float) -> float:
        """Give a percentile, never outside [min, max].

        Parameters
        ----------
        share
            0 to 1: 0.99 is the 99th percentile.

        Returns
        -------
        float
            Middle of the bucket that holds the value of that rank, in ns; 0 where empty, and where
            it is not known.
        """
        assert 0 <= share <= 1, share
        total = self.total
        if not total:
            return 0.0
        if self.untold:
            return next((float(value) for told, value in self.percentiles if told == share), 0.0)
        rank = max(1, -int(-share * total // 1))
        place = bisect_left(self.up_to, rank)
        if place == len(self.index):
            return float(self.max_ns)
        low, high = bucket_bounds(self.index[place])
        return float(min(max((low + high - 1) / 2, self.min_ns), self.max_ns))

    def buckets(self) -> Iterator[tuple[int, int, int]]:
        """Yield lowest value, first value above, count of each bucket that holds something."""
        for index, count in zip(self.index, self.count, strict=True):
            low, high = bucket_bounds(index)
            yield low, high, count

    def sums_ns(self) -> tuple[int, int]:
        """Give the least and the greatest sum in ns that values in its buckets can have.

        Examples
        --------
        >>> Histogram(index=(5, 256), count=(2, 3)).sums_ns()
        (778, 781)
        """
        least = most = begin = 0
        while begin < len(self.index):
            # Those of an octave are equally wide.
            shift = max(0, (self.index[begin] >> _SUB_BITS) - 1)
            end = bisect_left(self.index, (shift + 2) << _SUB_BITS, begin)
            counts = self.count[begin:end]
            number = sum(counts)
            steps = sum(map(mul, self.index[begin:end], counts)) - (number * shift << _SUB_BITS)
            least += steps << shift
            most += (steps << shift) + number * ((1 << shift) - 1)
            begin = end
        return least, most

    @classmethod
    def merged(cls, parts: Iterable[Histogram]) -> Histogram:
        """Add histograms, exactly; their order does not matter."""
        full = [part for part in parts if part.index or part.untold]
        if not full:
            return cls()
        if len(full) == 1:
            return full[0]
        counts = dict(zip(full[0].index, full[0].count, strict=True))
        for part in full[1:]:
            for index, count in zip(part.index, part.count, strict=True):
                counts[index] = counts.get(index, 0) + count
        order = sorted(counts)
        return cls.model_construct(  # sums of what was checked when it was read
            index=tuple(order),
            count=tuple(map(counts.__getitem__, order)),
            min_ns=min(part.min_ns for part in full),
            max_ns=max(part.max_ns for part in full),
            sum_ns=sum(part.sum_ns for part in full),
            untold=sum(part.untold for part in full),
        )
