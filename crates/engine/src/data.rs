//! What is written: incompressible and unique, at about the cost of copying it.
//!
//! Each 4 KiB of a block is a stretch of a pool of random words, begun at a random place
//! and combined with a key of its own, so no two stretches share a byte sequence that a
//! compressor or a deduplicating store could find.

use iodyno_load::pattern::mix;
use iodyno_load::request::DataPattern;

const CHUNK_WORDS: usize = 512;
const POOL_WORDS: usize = 16 * CHUNK_WORDS;
/// Chunks begin at multiples of this many words: a cache line.
const STEP_WORDS: usize = 8;

/// Makes the data of one worker.
pub(crate) struct DataSource {
    pattern: DataPattern,
    pool: Box<[u64]>,
    seed: u64,
    chunks: u64,
}

impl DataSource {
    pub(crate) fn new(pattern: DataPattern, seed: u64) -> Self {
        let pool = (0..(POOL_WORDS + CHUNK_WORDS) as u64).map(|word| mix(seed, word));
        Self {
            pattern,
            pool: pool.collect(),
            seed: mix(seed, u64::MAX),
            chunks: 0,
        }
    }

    /// Fill a block that is about to be written.
    #[inline]
    pub(crate) fn fill(&mut self, block: &mut [u8]) {
        match self.pattern {
            DataPattern::Incompressible => self.fresh(block),
            DataPattern::Repeated => {
                self.chunks = 0;
                self.fresh(block);
            }
            DataPattern::Zeros => block.fill(0),
        }
    }

    fn fresh(&mut self, block: &mut [u8]) {
        for chunk in block.chunks_mut(CHUNK_WORDS * 8) {
            let key = mix(self.seed, self.chunks);
            self.chunks += 1;
            let from = (key as usize % (POOL_WORDS / STEP_WORDS)) * STEP_WORDS;
            let key = key | 1;
            let pool = &self.pool[from..from + CHUNK_WORDS];
            let (words, rest) = chunk.as_chunks_mut::<8>();
            for (word, random) in words.iter_mut().zip(pool) {
                *word = (random ^ key).to_le_bytes();
            }
            rest.fill(key as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn blocks(pattern: DataPattern, count: usize) -> Vec<Vec<u8>> {
        let mut source = DataSource::new(pattern, 7);
        let make = |_| {
            let mut block = vec![0; 65536];
            source.fill(&mut block);
            block
        };
        (0..count).map(make).collect()
    }

    #[test]
    fn no_32_bytes_come_twice() {
        let mut seen = HashSet::new();
        for block in blocks(DataPattern::Incompressible, 64) {
            for piece in block.chunks(32) {
                assert!(seen.insert(piece.to_vec()), "a piece comes again");
            }
        }
    }

    #[test]
    fn every_byte_value_is_equally_frequent() {
        let mut counts = [0f64; 256];
        let blocks = blocks(DataPattern::Incompressible, 16);
        for byte in blocks.iter().flatten() {
            counts[usize::from(*byte)] += 1.0;
        }
        let expected = (blocks.len() * 65536) as f64 / 256.0;
        let chi2: f64 = counts.iter().map(|n| (n - expected).powi(2) / expected).sum();
        // 255 degrees of freedom: mean 255, standard deviation 22.6. One key is shared by
        // the 512 words of a chunk, which widens the spread; a constant byte would give 10^7.
        assert!(chi2 < 1000.0, "chi-square {chi2}");
    }

    #[test]
    fn repeated_repeats_and_zeros_are_zeros() {
        let repeated = blocks(DataPattern::Repeated, 2);
        assert_eq!(repeated[0], repeated[1]);
        assert!(blocks(DataPattern::Zeros, 1)[0].iter().all(|byte| *byte == 0));
    }
}
