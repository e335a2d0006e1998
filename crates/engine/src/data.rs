//! What is written: incompressible and unique, for the cost of a word per sector.
//!
//! A worker has a pool of random words, a part of it for each outstanding I/O, and writes
//! straight out of it, each block from where the last one of its slot ended. Before a block
//! goes out, each of its sectors of 512 bytes gets a word that no other has. What is on its
//! way is never touched: a slot has one I/O at a time. Used up, a part is begun again: what
//! then comes a second time, but for those words, comes megabytes later.

use iodyno_load::pattern::mix;
use iodyno_load::request::DataPattern;

use crate::buffers::{Buffers, PAGE_BYTES};

const SECTOR_BYTES: usize = 512;
/// The pools of a point are together at least this large: beyond what stores compress together.
const LEAST_POOL_BYTES: usize = 4 << 20;
/// Blocks that the part of a slot holds at least.
const LEAST_BLOCKS: usize = 2;

/// Gives the data of one thread: a pool in its buffers.
pub(crate) struct DataSource {
    pattern: DataPattern,
    /// Where the pool begins in the buffers.
    start: usize,
    /// Bytes of the part of a slot.
    part_bytes: usize,
    /// Where the next block begins in the part of each slot.
    next: Vec<usize>,
    seed: u64,
    sectors: u64,
}

impl DataSource {
    /// Bytes of the part of a slot, for blocks of at most `stride` bytes and so many slots in all
    /// threads of a point.
    pub(crate) fn part_bytes(stride: usize, slots_in_all: usize) -> usize {
        let least = LEAST_POOL_BYTES / slots_in_all;
        least.max(LEAST_BLOCKS * stride).next_multiple_of(PAGE_BYTES)
    }

    /// Make the pool of so many slots from `start` of the buffers on.
    pub(crate) fn new(
        pattern: DataPattern,
        seed: u64,
        buffers: &mut Buffers,
        (start, slots, part_bytes): (usize, usize, usize),
    ) -> Self {
        if pattern != DataPattern::Zeros {
            for word in 0..slots * part_bytes / 8 {
                buffers.set_word(start + word * 8, mix(seed, word as u64));
            }
        }
        Self {
            pattern,
            start,
            part_bytes,
            next: vec![0; slots],
            seed: mix(seed, u64::MAX),
            sectors: 0,
        }
    }

    /// The data of the next block of a slot, as an address in the buffers.
    #[inline]
    pub(crate) fn next(&mut self, buffers: &mut Buffers, slot: usize, bytes: usize) -> *mut u8 {
        if self.pattern != DataPattern::Incompressible {
            return buffers.at(self.start, bytes);
        }
        let mut within = self.next[slot];
        if within + bytes > self.part_bytes {
            within = 0;
        }
        self.next[slot] = within + bytes.next_multiple_of(PAGE_BYTES);
        let from = self.start + slot * self.part_bytes + within;
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
        let part = DataSource::part_bytes(bytes, 4);
        let mut buffers = Buffers::map(4 * part).expect("memory");
        let mut source = DataSource::new(pattern, 7, &mut buffers, (0, 4, part));
        let mut all = Vec::new();
        for number in 0..blocks {
            let block = source.next(&mut buffers, number * 7 % 4, bytes);
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
    fn what_a_slot_writes_is_left_alone_by_the_others() {
        let part = DataSource::part_bytes(8192, 2);
        let mut buffers = Buffers::map(2 * part).expect("memory");
        let mut source = DataSource::new(DataPattern::Incompressible, 7, &mut buffers, (0, 2, part));
        let block = source.next(&mut buffers, 0, 8192);
        // SAFETY: the source gave the address of so many bytes of the mapping.
        let bytes = || unsafe { std::slice::from_raw_parts(block, 8192) }.to_vec();
        let before = bytes();
        for _ in 0..10_000 {
            source.next(&mut buffers, 1, 8192);
        }
        assert_eq!(bytes(), before);
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
