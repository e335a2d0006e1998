//! What is written: incompressible and unique, for the cost of a word per sector.
//!
//! A worker has a pool of random words and writes straight out of it, each block from
//! where the last one ended. Before a block goes out, each of its sectors of 512 bytes
//! gets a word that no other has. Used up, the pool is begun again: what then comes a second
//! time, but for those words, comes megabytes later, beyond what a store looks back over.

use iodyno_load::pattern::mix;
use iodyno_load::request::DataPattern;

use crate::buffers::{Buffers, PAGE_BYTES};

const SECTOR_BYTES: usize = 512;
/// A pool is at least this large: beyond what stores compress together.
const LEAST_POOL_BYTES: usize = 4 << 20;
/// And it holds so many times what can be outstanding.
const POOL_FACTOR: usize = 2;

/// Gives the data of one worker: a pool in the worker's buffers.
pub(crate) struct DataSource {
    pattern: DataPattern,
    /// Where the pool begins in the buffers.
    start: usize,
    bytes: usize,
    next: usize,
    seed: u64,
    sectors: u64,
}

impl DataSource {
    /// Bytes of a pool for so many outstanding bytes.
    pub(crate) fn pool_bytes(outstanding_bytes: usize) -> usize {
        (POOL_FACTOR * outstanding_bytes)
            .max(LEAST_POOL_BYTES)
            .next_multiple_of(PAGE_BYTES)
    }

    /// Make the pool from `start` of the buffers on.
    pub(crate) fn new(
        pattern: DataPattern,
        seed: u64,
        buffers: &mut Buffers,
        start: usize,
        bytes: usize,
    ) -> Self {
        if pattern != DataPattern::Zeros {
            for word in 0..bytes / 8 {
                buffers.set_word(start + word * 8, mix(seed, word as u64));
            }
        }
        Self {
            pattern,
            start,
            bytes,
            next: 0,
            seed: mix(seed, u64::MAX),
            sectors: 0,
        }
    }

    /// The data of the next block, as an address in the buffers.
    #[inline]
    pub(crate) fn next(&mut self, buffers: &mut Buffers, bytes: usize) -> *mut u8 {
        if self.pattern != DataPattern::Incompressible {
            return buffers.at(self.start, bytes);
        }
        if self.next + bytes > self.bytes {
            self.next = 0;
        }
        let from = self.start + self.next;
        self.next += bytes.next_multiple_of(PAGE_BYTES);
        for sector in (0..bytes).step_by(SECTOR_BYTES) {
            self.sectors += 1;
            if bytes - sector >= 8 {
                buffers.set_word(from + sector, mix(self.seed, self.sectors));
            }
        }
        buffers.at(from, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn written(pattern: DataPattern, blocks: usize, bytes: usize) -> Vec<u8> {
        let pool = DataSource::pool_bytes(bytes);
        let mut buffers = Buffers::map(pool).expect("memory");
        let mut source = DataSource::new(pattern, 7, &mut buffers, 0, pool);
        let mut all = Vec::new();
        for _ in 0..blocks {
            let block = source.next(&mut buffers, bytes);
            // SAFETY: the source gave the address of so many bytes of the mapping.
            all.extend_from_slice(unsafe { std::slice::from_raw_parts(block, bytes) });
        }
        all
    }

    #[test]
    fn no_sector_comes_twice_over_many_rounds_of_the_pool() {
        for bytes in [512, 4096, 12 << 10, 64 << 10, 1 << 20] {
            let all = written(DataPattern::Incompressible, (24 << 20) / bytes, bytes);
            let sectors: HashSet<&[u8]> = all.chunks(SECTOR_BYTES).collect();
            assert_eq!(sectors.len(), all.len() / SECTOR_BYTES, "blocks of {bytes}");
        }
    }

    #[test]
    fn every_byte_value_is_equally_frequent() {
        let all = written(DataPattern::Incompressible, 64, 64 << 10);
        let mut counts = [0f64; 256];
        all.iter().for_each(|byte| counts[usize::from(*byte)] += 1.0);
        let expected = all.len() as f64 / 256.0;
        let chi2: f64 = counts.iter().map(|n| (n - expected).powi(2) / expected).sum();
        // 255 degrees of freedom: the 99.999 % quantile is 359.
        assert!(chi2 < 359.0, "chi-square {chi2}");
    }

    #[test]
    fn repeated_repeats_and_zeros_are_zeros() {
        let repeated = written(DataPattern::Repeated, 2, 8192);
        assert_eq!(repeated[..8192], repeated[8192..]);
        assert!(repeated.iter().any(|byte| *byte != 0));
        assert!(written(DataPattern::Zeros, 2, 8192).iter().all(|byte| *byte == 0));
    }
}
