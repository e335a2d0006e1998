//! Latency histogram: 128 buckets an octave, exact merging.
//!
//! Values below 128 ns have a bucket each; above it an octave has 128, so a bucket is
//! at most 1/128 of its value wide. The range ends at 2^43 ns (2.4 hours); what is
//! longer is counted in the last bucket, and `max_ns` keeps the true value. An octave takes
//! memory from its first value on: latencies of one load lie in a few.

use serde::Serialize;

/// Buckets an octave.
pub const SUB_BUCKETS: u64 = 1 << SUB_BITS;
const SUB_BITS: u32 = 7;
const RANGE_BITS: u32 = 43;
const BUCKETS: usize = ((RANGE_BITS - SUB_BITS + 1) as usize) << SUB_BITS;

/// Index of the bucket that holds a value.
///
/// ```
/// use iodyno_load::histogram::bucket_of;
/// assert_eq!((bucket_of(5), bucket_of(128), bucket_of(257)), (5, 128, 256));
/// ```
#[inline]
pub fn bucket_of(value_ns: u64) -> usize {
    // A value of more than SUB_BITS + 1 bits is shifted until it has so many; each shift stands for SUB_BUCKETS
    // buckets before it.
    let shift = shift_of(value_ns);
    let bucket = ((shift as usize) << SUB_BITS) + (value_ns >> shift) as usize;
    bucket.min(BUCKETS - 1)
}

/// By how many bits a value is shifted until it has SUB_BITS + 1 of them.
#[inline]
fn shift_of(value_ns: u64) -> u32 {
    (63 - SUB_BITS) - (value_ns | SUB_BUCKETS).leading_zeros()
}

/// The row of a bucket: the shift of its values.
fn row_of(bucket: usize) -> usize {
    (bucket >> SUB_BITS).saturating_sub(1)
}

/// The first bucket of a row.
fn first_of(row: usize) -> usize {
    if row == 0 { 0 } else { (row + 1) << SUB_BITS }
}

/// Buckets of a row.
fn length_of(row: usize) -> usize {
    first_of(row + 1) - first_of(row)
}

/// Lowest value of a bucket, and the first value above it, in ns.
///
/// ```
/// use iodyno_load::histogram::bounds_of;
/// assert_eq!((bounds_of(5), bounds_of(256)), ((5, 6), (256, 258)));
/// ```
pub fn bounds_of(index: usize) -> (u64, u64) {
    let index = index as u64;
    if index < 2 * SUB_BUCKETS {
        return (index, index + 1);
    }
    let shift = (index >> SUB_BITS) - 1;
    let low = ((index & (SUB_BUCKETS - 1)) | SUB_BUCKETS) << shift;
    (low, low + (1 << shift))
}

/// Rows of buckets: one of each shift of a value, the first of twice as many.
const ROWS: usize = (RANGE_BITS - SUB_BITS) as usize;
/// Where no row lies.
const NOWHERE: u32 = u32::MAX / 2;

/// How a bucket counts.
pub trait Count: Copy + Default + PartialEq + std::ops::AddAssign + Into<u64> {
    /// A number as such a count, which it must fit in.
    fn of(number: u64) -> Self;
}

impl Count for u64 {
    #[inline]
    fn of(number: u64) -> Self {
        number
    }
}

impl Count for u32 {
    #[inline]
    fn of(number: u64) -> Self {
        debug_assert!(u32::try_from(number).is_ok(), "a window of 2^32 I/Os");
        number as Self
    }
}

/// Counts of latencies in ns.
pub type Histogram = Counts<u64>;
/// Those of a window: no thread completes 2^32 I/Os in 100 ms.
pub type WindowHistogram = Counts<u32>;

/// Counts of latencies in ns, of buckets that count in `C`.
#[derive(Clone, Debug)]
pub struct Counts<C> {
    /// The rows that hold something, in the order in which they came.
    counts: Vec<C>,
    /// Of each shift where its row lies, less the lowest shifted value in it; [`NOWHERE`] where there is none.
    /// A value of any size has a shift below 64.
    rows: [u32; 64],
    sum_ns: u64,
    min_ns: u64,
    max_ns: u64,
}

impl<C> Default for Counts<C> {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            rows: [NOWHERE; 64],
            sum_ns: 0,
            min_ns: u64::MAX,
            max_ns: 0,
        }
    }
}

/// Where the same was counted: the order in which octaves came does not matter.
impl<C: Count> PartialEq for Counts<C> {
    fn eq(&self, other: &Self) -> bool {
        self.to_sparse() == other.to_sparse()
    }
}

impl<C: Count> Eq for Counts<C> {}

impl<C: Count> Counts<C> {
    /// Bytes of its counts.
    pub fn bytes(&self) -> usize {
        self.counts.capacity() * size_of::<C>() + size_of::<Self>()
    }

    /// Count one latency, in ns.
    #[inline]
    pub fn record(&mut self, value_ns: u64) {
        self.record_many(value_ns, 1);
    }

    /// Count a latency, in ns, that so many I/Os had; at least one.
    #[inline]
    pub fn record_many(&mut self, value_ns: u64, times: u64) {
        debug_assert!(times > 0, "a latency that nothing had");
        let shift = shift_of(value_ns);
        let place = self.rows[shift as usize & 63].wrapping_add((value_ns >> shift) as u32) as usize;
        match self.counts.get_mut(place) {
            Some(count) => *count += C::of(times),
            None => self.count_apart(bucket_of(value_ns), times),
        }
        self.sum_ns += value_ns * times;
        // Rarely so, and a branch that is never taken costs less than a store each time.
        if value_ns < self.min_ns {
            self.min_ns = value_ns;
        }
        if value_ns > self.max_ns {
            self.max_ns = value_ns;
        }
    }

    /// Count in a bucket whose row may not be there yet.
    #[cold]
    #[inline(never)]
    fn count_apart(&mut self, bucket: usize, times: u64) {
        *self.bucket_mut(bucket) += C::of(times);
    }

    /// The count of a bucket; its row is made where there is none.
    fn bucket_mut(&mut self, bucket: usize) -> &mut C {
        let row = row_of(bucket);
        if self.rows[row] == NOWHERE {
            let (first, length) = (first_of(row), length_of(row));
            let begin = self.counts.len();
            self.counts.reserve_exact(length);
            self.counts.resize(begin + length, C::default());
            // A bucket of a row is shift × SUB_BUCKETS above the shifted value.
            let lowest = first - (row << SUB_BITS);
            self.rows[row] = (begin as u32).wrapping_sub(lowest as u32);
        }
        let place = self.rows[row].wrapping_add((bucket - (row << SUB_BITS)) as u32);
        &mut self.counts[place as usize]
    }

    /// Buckets and counts of the rows that are there, ascending.
    fn buckets(&self) -> impl Iterator<Item = (usize, u64)> {
        (0..ROWS)
            .filter(|row| self.rows[*row] != NOWHERE)
            .flat_map(|row| {
                let first = first_of(row);
                let begin = self.rows[row].wrapping_add((first - (row << SUB_BITS)) as u32) as usize;
                let counts = &self.counts[begin..begin + length_of(row)];
                (first..).zip(counts.iter().map(|count| (*count).into()))
            })
    }

    /// Number of values: counted now.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|count| (*count).into()).sum()
    }

    /// Whether it holds nothing.
    fn is_empty(&self) -> bool {
        self.min_ns > self.max_ns
    }

    /// Sum of the values in ns, exact.
    pub fn sum_ns(&self) -> u64 {
        self.sum_ns
    }

    /// Greatest value in ns; 0 where empty.
    pub fn max_ns(&self) -> u64 {
        self.max_ns
    }

    /// Least value in ns; 0 where empty.
    pub fn min_ns(&self) -> u64 {
        if self.is_empty() { 0 } else { self.min_ns }
    }

    /// Add another histogram's counts, exactly.
    pub fn merge(&mut self, part: &Sparse) {
        for (&index, &count) in part.index.iter().zip(&part.count) {
            *self.bucket_mut(index as usize) += C::of(count);
        }
        if !part.index.is_empty() {
            self.sum_ns += part.sum_ns;
            self.min_ns = self.min_ns.min(part.min_ns);
            self.max_ns = self.max_ns.max(part.max_ns);
        }
    }

    /// The value of a rank, `share` of the way through, in ns: the middle of its bucket,
    /// never outside the least and the greatest value; 0 where empty.
    pub fn percentile_ns(&self, share: f64) -> u64 {
        assert!((0.0..=1.0).contains(&share), "a percentile is a share");
        let rank = ((share * self.total() as f64).ceil() as u64).max(1);
        let mut seen = 0;
        for (index, count) in self.buckets() {
            seen += count;
            if count > 0 && seen >= rank {
                let (low, high) = bounds_of(index);
                return low.midpoint(high - 1).clamp(self.min_ns, self.max_ns);
            }
        }
        self.max_ns
    }

    /// Take what is counted so far and begin anew.
    pub fn take(&mut self) -> Sparse {
        let sparse = self.to_sparse();
        self.counts.fill(C::default());
        (self.sum_ns, self.min_ns, self.max_ns) = (0, u64::MAX, 0);
        sparse
    }

    /// Only the buckets that hold something.
    pub fn to_sparse(&self) -> Sparse {
        if self.is_empty() {
            return Sparse::default();
        }
        let held = self.buckets().filter(|(_, count)| *count > 0);
        let (index, count) = held.map(|(index, count)| (index as u32, count)).unzip();
        Sparse {
            index,
            count,
            min_ns: self.min_ns,
            max_ns: self.max_ns,
            sum_ns: self.sum_ns,
        }
    }
}

/// A histogram as it is kept: indices and counts of the buckets that hold something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sparse {
    /// Bucket indices, ascending.
    pub index: Vec<u32>,
    /// Counts, one for each index.
    pub count: Vec<u64>,
    /// Least value in ns; 0 where empty.
    pub min_ns: u64,
    /// Greatest value in ns; 0 where empty.
    pub max_ns: u64,
    /// Sum of the values in ns.
    pub sum_ns: u64,
}

impl Sparse {
    /// Add another histogram's counts, exactly.
    ///
    /// ```
    /// use iodyno_load::histogram::Histogram;
    /// let (mut one, mut other) = (Histogram::default(), Histogram::default());
    /// one.record(5);
    /// other.record(900);
    /// let mut sum = one.take();
    /// sum.merge(&other.take());
    /// assert_eq!((sum.count.len(), sum.min_ns, sum.max_ns, sum.sum_ns), (2, 5, 900, 905));
    /// ```
    pub fn merge(&mut self, other: &Self) {
        if other.index.is_empty() {
            return;
        }
        if self.index.is_empty() {
            self.clone_from(other);
            return;
        }
        let own = std::mem::take(self);
        let most = own.index.len() + other.index.len();
        (self.index, self.count) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let mut others = other.buckets().peekable();
        for (index, mut count) in own.buckets() {
            while let Some(before) = others.next_if(|next| next.0 < index) {
                self.push(before);
            }
            if let Some(same) = others.next_if(|next| next.0 == index) {
                count += same.1;
            }
            self.push((index, count));
        }
        others.for_each(|after| self.push(after));
        self.index.shrink_to_fit();
        self.count.shrink_to_fit();
        self.min_ns = own.min_ns.min(other.min_ns);
        self.max_ns = own.max_ns.max(other.max_ns);
        self.sum_ns = own.sum_ns + other.sum_ns;
    }

    fn buckets(&self) -> impl Iterator<Item = (u32, u64)> {
        self.index.iter().copied().zip(self.count.iter().copied())
    }

    fn push(&mut self, (index, count): (u32, u64)) {
        self.index.push(index);
        self.count.push(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_its_bucket_and_buckets_touch() {
        for index in 0..BUCKETS - 1 {
            let (low, high) = bounds_of(index);
            assert_eq!(bucket_of(low), index);
            assert_eq!(bucket_of(high - 1), index);
            assert_eq!(bounds_of(index + 1).0, high);
            assert!(index < 256 || (high - low) * SUB_BUCKETS <= low);
        }
    }

    #[test]
    fn range_reaches_beyond_an_hour() {
        let hour_ns = 3_600 * 1_000_000_000;
        assert!(bucket_of(hour_ns) < BUCKETS - 1);
        let mut histogram = Histogram::default();
        histogram.record(u64::MAX / 2);
        assert_eq!(histogram.percentile_ns(1.0), u64::MAX / 2);
    }

    #[test]
    fn memory_is_that_of_the_octaves_that_hold_something() {
        let mut histogram = Histogram::default();
        assert!(histogram.bytes() < 400);
        // From 50 µs to 5 ms: seven octaves, in an order that is not ascending.
        for value in [
            5_000_000, 50_000, 90_000, 200_000, 400_000, 800_000, 1_600_000, 3_200_000,
        ] {
            histogram.record(value);
        }
        assert!(histogram.bytes() < 16 << 10, "{}", histogram.bytes());
        let taken = histogram.take();
        assert!(taken.index.is_sorted());
        assert_eq!(taken.count, [1; 8]);
        assert_eq!(histogram.total(), 0);
    }

    #[test]
    fn beyond_the_range_all_is_in_the_last_bucket() {
        let mut histogram = Histogram::default();
        for value in [1 << 43, 1 << 50, u64::MAX >> 8, 1 << 43] {
            histogram.record(value);
        }
        let taken = histogram.take();
        assert_eq!((taken.index, taken.count), (vec![BUCKETS as u32 - 1], vec![4]));
    }

    #[test]
    fn every_bucket_counts_for_itself() {
        let mut histogram = Histogram::default();
        for index in (0..BUCKETS).rev() {
            histogram.record_many(bounds_of(index).0, index as u64 + 1);
        }
        let taken = histogram.take();
        assert!(taken.index.iter().copied().eq(0..BUCKETS as u32));
        assert!(taken.count.iter().copied().eq(1..=BUCKETS as u64));
    }

    #[test]
    fn an_empty_one_answers_zero() {
        let mut empty = Histogram::default();
        assert_eq!(
            (empty.percentile_ns(0.99), empty.min_ns(), empty.total()),
            (0, 0, 0)
        );
        assert_eq!(empty.take(), Sparse::default());
    }

    #[test]
    fn taking_leaves_it_empty_and_merging_gives_it_back() {
        let mut histogram = Histogram::default();
        for value in [3, 900, 900, 12_345_678] {
            histogram.record(value);
        }
        let before = histogram.clone();
        let taken = histogram.take();
        assert_eq!(histogram, Histogram::default());
        histogram.merge(&taken);
        assert_eq!(histogram, before);
    }
}
