//! Latency histogram: 128 buckets an octave, exact merging.
//!
//! Values below 128 ns have a bucket each; above it an octave has 128, so a bucket is
//! at most 1/128 of its value wide. The range ends at 2^43 ns (2.4 hours); what is
//! longer is counted in the last bucket, and `max_ns` keeps the true value.

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
    let shift = (63 - SUB_BITS) - (value_ns | SUB_BUCKETS).leading_zeros();
    let bucket = ((shift as usize) << SUB_BITS) + (value_ns >> shift) as usize;
    bucket.min(BUCKETS - 1)
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

/// Counts of latencies in ns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: Box<[u64; BUCKETS]>,
    sum_ns: u64,
    min_ns: u64,
    max_ns: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            // Zeroed by who gives the memory: what is never counted in takes none.
            counts: vec![0; BUCKETS].try_into().expect("so many"),
            sum_ns: 0,
            min_ns: u64::MAX,
            max_ns: 0,
        }
    }
}

impl Histogram {
    /// Count one latency, in ns.
    #[inline]
    pub fn record(&mut self, value_ns: u64) {
        self.record_many(value_ns, 1);
    }

    /// Count a latency, in ns, that so many I/Os had; at least one.
    #[inline]
    pub fn record_many(&mut self, value_ns: u64, times: u64) {
        debug_assert!(times > 0, "a latency that nothing had");
        self.counts[bucket_of(value_ns)] += times;
        self.sum_ns += value_ns * times;
        // Rarely so, and a branch that is never taken costs less than a store each time.
        if value_ns < self.min_ns {
            self.min_ns = value_ns;
        }
        if value_ns > self.max_ns {
            self.max_ns = value_ns;
        }
    }

    /// Number of values: counted now.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
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
            self.counts[index as usize] += count;
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
        for (index, &count) in self.counts.iter().enumerate() {
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
        for &index in &sparse.index {
            self.counts[index as usize] = 0;
        }
        (self.sum_ns, self.min_ns, self.max_ns) = (0, u64::MAX, 0);
        sparse
    }

    /// Only the buckets that hold something.
    pub fn to_sparse(&self) -> Sparse {
        if self.is_empty() {
            return Sparse::default();
        }
        let first = bucket_of(self.min_ns);
        let held = self.counts[first..=bucket_of(self.max_ns)].iter().enumerate();
        let held = held.filter(|(_, count)| **count > 0);
        let (index, count) = held
            .map(|(index, count)| ((first + index) as u32, *count))
            .unzip();
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
