//! What is written: incompressible and unique, for the cost of a word in every 4 KiB.
//!
//! A worker has a pool of random words, a part of it for each outstanding I/O, and writes
//! straight out of it, each block from where the last one of its slot ended. Before a block
//! goes out, each piece of it gets a word that no other has: a piece is what stores look for
//! copies of, 4 KiB, or the block where that is shorter. What is on its way is never touched:
//! a slot has one I/O at a time. Used up, a part is begun again: what then comes a second
//! time, but for those words, comes megabytes later. What a word costs is the line that it goes
//! to, which whoever read it for the device has taken away: so there are few words, and those of
//! a slot's next blocks are written at once: lines that are asked for together come together.
//!
//! Where a share of each block shall compress away, each sector of the pool ends in as many zeros: so it is
//! the same whatever a store compresses together. Where a share of the blocks shall be copies, a slot writes
//! what it wrote last once more, as it lies in the pool. Neither costs an I/O anything.
//!
//! `python/iodyno/targets/own.py` knows these words again, in the file of a run that was killed: what changes here
//! changes there.

use iodyno_load::pattern::mix;
use iodyno_load::request::{DataPattern, Profile};

use crate::buffers::{Buffers, PAGE_BYTES};

const SECTOR_BYTES: usize = 512;
const SECTOR_WORDS: usize = SECTOR_BYTES / 8;
/// What is unlike all that was written before: the smallest piece that stores keep once for all its copies.
const PIECE_BYTES: usize = 4096;
/// The pools of a point are together at least this large: beyond what stores compress together.
const LEAST_POOL_BYTES: usize = 4 << 20;
/// What gets its words at once, where the blocks are shorter.
const TOGETHER_BYTES: usize = 8 * PIECE_BYTES;
/// Blocks that the part of a slot holds at least.
const LEAST_BLOCKS: usize = 2;

/// What is written, and how far it compresses and repeats.
#[derive(Clone, Copy, Debug)]
pub struct Content {
    /// The kind of data.
    pub pattern: DataPattern,
    /// Share of each block that compresses away, 0 to 1, of incompressible data.
    pub compressible_share: f64,
    /// Share of the blocks that are copies of earlier ones, 0 to 1, of incompressible data.
    pub duplicate_share: f64,
}

impl From<&Profile> for Content {
    fn from(profile: &Profile) -> Self {
        Self {
            pattern: profile.data,
            compressible_share: profile.data_compressible_share,
            duplicate_share: profile.data_duplicate_share,
        }
    }
}

impl From<DataPattern> for Content {
    fn from(pattern: DataPattern) -> Self {
        Self {
            pattern,
            compressible_share: 0.0,
            duplicate_share: 0.0,
        }
    }
}

/// Gives the data of one thread: a pool in its buffers.
pub(crate) struct DataSource {
    content: Content,
    /// Where the pool begins in the buffers.
    start: usize,
    /// Bytes of the part of a slot.
    part_bytes: usize,
    /// Where the next block begins in the part of each slot.
    next: Vec<usize>,
    /// The last block of each slot that was no copy: where it begins in the part, and its bytes.
    last: Vec<(usize, usize)>,
    /// How far the pieces of each slot's part have words that no other has, by bytes; all pieces begin at pages.
    unlike: Vec<usize>,
    /// Copies that are due.
    due: f64,
    seed: u64,
    pieces: u64,
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
        content: impl Into<Content>,
        seed: u64,
        buffers: &mut Buffers,
        (start, slots, part_bytes): (usize, usize, usize),
    ) -> Self {
        let content = content.into();
        if content.pattern != DataPattern::Zeros {
            for sector in 0..slots * part_bytes / SECTOR_BYTES {
                let first = start + sector * SECTOR_BYTES;
                for word in 0..kept_words(sector, content.compressible_share) {
                    let number = (sector * SECTOR_WORDS + word) as u64;
                    buffers.set_word(first + word * 8, no_signature(mix(seed, number)));
                }
            }
        }
        Self {
            content,
            start,
            part_bytes,
            next: vec![0; slots],
            last: vec![(0, 0); slots],
            unlike: vec![0; slots],
            // Threads of few blocks each: together they have the share if they begin at any place of it.
            due: (mix(seed, u64::MAX - 1) >> 11) as f64 / (1_u64 << 53) as f64,
            seed: mix(seed, u64::MAX),
            pieces: 0,
        }
    }

    /// The data of the next block of a slot, as an address in the buffers.
    #[inline]
    pub(crate) fn next(&mut self, buffers: &mut Buffers, slot: usize, bytes: usize) -> *mut u8 {
        if self.content.pattern != DataPattern::Incompressible {
            return buffers.at(self.start, bytes);
        }
        if self.content.duplicate_share > 0.0 {
            self.due += self.content.duplicate_share;
            let (within, length) = self.last[slot];
            if self.due >= 1.0 && length >= bytes {
                self.due -= 1.0;
                return buffers.at(self.start + slot * self.part_bytes + within, bytes);
            }
        }
        let within = self.upcoming(slot, bytes);
        self.next[slot] = within + bytes.next_multiple_of(PAGE_BYTES);
        self.last[slot] = (within, bytes);
        let from = self.start + slot * self.part_bytes + within;
        if self.content.compressible_share >= 1.0 {
            return buffers.at(from, bytes);
        }
        let part = from - within;
        let unlike = if within == 0 { 0 } else { self.unlike[slot] };
        let end = within + bytes;
        if unlike < end {
            let upto = end
                .max(within + TOGETHER_BYTES)
                .min(self.part_bytes)
                .next_multiple_of(PIECE_BYTES);
            for piece in (unlike..upto).step_by(PIECE_BYTES) {
                self.pieces += 1;
                buffers.set_word(part + piece, no_signature(mix(self.seed, self.pieces)));
            }
            self.unlike[slot] = upto;
        }
        buffers.at(from, bytes)
    }

    /// Where the next block of a slot begins in its part: at the beginning again, where the rest is too short.
    #[inline]
    fn upcoming(&self, slot: usize, bytes: usize) -> usize {
        let within = self.next[slot];
        if within + bytes > self.part_bytes {
            0
        } else {
            within
        }
    }
}

/// The word, but where it begins as a device does that is taken to hold a file system: two bytes at 1024 are enough
/// for HFS+, two at 1080 for ext. Else one device in some twenty thousand that was filled would be refused.
#[inline]
fn no_signature(word: u64) -> u64 {
    let [first, second, ..] = word.to_ne_bytes();
    match [first, second] {
        [b'H', b'+' | b'X'] | [0x53, 0xef] => word ^ u64::from_ne_bytes([1, 0, 0, 0, 0, 0, 0, 0]),
        _ => word,
    }
}

/// Words at the beginning of a sector that do not compress away: on average over sectors exactly the share.
/// One at least, unless all of it compresses away: the first sector of a piece has its word there.
fn kept_words(sector: usize, compressible_share: f64) -> usize {
    let kept = (1.0 - compressible_share) * SECTOR_WORDS as f64;
    let upto = |sectors: usize| (kept * sectors as f64).floor();
    let words = (upto(sector + 1) - upto(sector)) as usize;
    words.max(usize::from(compressible_share < 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn written(content: impl Into<Content>, blocks: usize, bytes: usize) -> Vec<u8> {
        let part = DataSource::part_bytes(bytes, 4);
        let mut buffers = Buffers::map(4 * part).expect("memory");
        let mut source = DataSource::new(content, 7, &mut buffers, (0, 4, part));
        let mut all = Vec::new();
        for number in 0..blocks {
            let block = source.next(&mut buffers, number * 7 % 4, bytes);
            // SAFETY: the source gave the address of so many bytes of the mapping.
            all.extend_from_slice(unsafe { std::slice::from_raw_parts(block, bytes) });
        }
        all
    }

    #[test]
    fn no_word_begins_as_a_file_system_does() {
        // As libblkid knows them: HFS+ and HFSX at 1024 bytes, ext at 1080.
        let signatures = [*b"H+", *b"HX", [0x53, 0xef]];
        let (bytes, blocks) = (512, 200_000);
        let part = DataSource::part_bytes(bytes, 1);
        let mut buffers = Buffers::map(part).expect("memory");
        let mut source = DataSource::new(DataPattern::Incompressible, 7, &mut buffers, (0, 1, part));
        let mut begins = [0; 2];
        for _ in 0..blocks {
            let block = source.next(&mut buffers, 0, bytes);
            // SAFETY: the source gave the address of so many bytes of the mapping.
            let block = unsafe { std::slice::from_raw_parts(block, bytes) };
            for (at, count) in [0, 56].into_iter().zip(&mut begins) {
                *count += usize::from(signatures.iter().any(|two| block[at..at + 2] == *two));
            }
        }
        // Of 200,000 words that begin with any two bytes, nine would be expected.
        assert_eq!(begins, [0, 0]);
        let pool = buffers.bytes(0, part);
        let of_words = pool
            .chunks(8)
            .filter(|word| signatures.iter().any(|two| word.starts_with(two)));
        assert_eq!(of_words.count(), 0);
    }

    #[test]
    fn no_piece_comes_twice_over_many_rounds_of_the_pool() {
        for bytes in [512, 4096, 12 << 10, 64 << 10, 1 << 20] {
            let all = written(DataPattern::Incompressible, (24 << 20) / bytes, bytes);
            let piece = PIECE_BYTES.min(bytes);
            let pieces: HashSet<&[u8]> = all.chunks(piece).collect();
            assert_eq!(pieces.len(), all.len() / piece, "blocks of {bytes}");
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

    fn content(compressible_share: f64, duplicate_share: f64) -> Content {
        Content {
            pattern: DataPattern::Incompressible,
            compressible_share,
            duplicate_share,
        }
    }

    #[test]
    fn the_compressible_share_is_zeros_in_every_sector_and_the_rest_is_unique() {
        for share in [0.1, 0.25, 0.333, 0.5, 0.9, 0.98] {
            let all = written(content(share, 0.0), 1024, 4096);
            let zeros = all.iter().filter(|byte| **byte == 0).count() as f64 / all.len() as f64;
            // Of the other bytes one in 256 is 0 by chance.
            assert!((zeros - share).abs() < 0.006, "{share}: {zeros}");
            let pieces: HashSet<&[u8]> = all.chunks(PIECE_BYTES).collect();
            assert_eq!(pieces.len(), all.len() / PIECE_BYTES, "{share}");
            let most = all.chunks(SECTOR_BYTES).map(|sector| {
                let kept = sector.iter().rposition(|byte| *byte != 0).expect("a word");
                (kept + 1) as f64 / SECTOR_BYTES as f64
            });
            assert!(most.fold(0.0, f64::max) < 1.0 - share + 0.02, "{share}");
        }
        assert!(written(content(1.0, 0.0), 64, 4096).iter().all(|byte| *byte == 0));
    }

    #[test]
    fn the_duplicate_share_is_copies_of_earlier_blocks() {
        for share in [0.1, 0.5, 0.8] {
            for bytes in [4096, 65536] {
                let all = written(content(0.0, share), 2000, bytes);
                let blocks: HashSet<&[u8]> = all.chunks(bytes).collect();
                let copies = 1.0 - blocks.len() as f64 / 2000.0;
                assert!((copies - share).abs() < 0.003, "{share} of {bytes}: {copies}");
            }
        }
        let all = written(content(0.0, 1.0), 100, 4096);
        assert_eq!(
            all.chunks(4096).collect::<HashSet<_>>().len(),
            4,
            "one of each slot"
        );
    }

    #[test]
    fn copies_of_blocks_of_several_sizes_are_no_longer_than_what_they_copy() {
        let part = DataSource::part_bytes(16_384, 1);
        let mut buffers = Buffers::map(part).expect("memory");
        let mut source = DataSource::new(content(0.0, 0.5), 7, &mut buffers, (0, 1, part));
        let mut pages = Vec::new();
        for number in 0..4000_u64 {
            let bytes = if mix(1, number).is_multiple_of(2) {
                4096
            } else {
                16_384
            };
            let block = source.next(&mut buffers, 0, bytes);
            // SAFETY: the source gave the address of so many bytes of the mapping.
            let block = unsafe { std::slice::from_raw_parts(block, bytes) };
            pages.push((block[..4096].to_vec(), bytes));
        }
        let firsts: HashSet<&Vec<u8>> = pages.iter().map(|(page, _)| page).collect();
        let copies = 1.0 - firsts.len() as f64 / 4000.0;
        assert!((copies - 0.5).abs() < 0.01, "{copies}");
    }

    #[test]
    fn repeated_repeats_and_zeros_are_zeros() {
        let repeated = written(DataPattern::Repeated, 2, 8192);
        assert_eq!(repeated[..8192], repeated[8192..]);
        assert!(repeated.iter().any(|byte| *byte != 0));
        assert!(written(DataPattern::Zeros, 2, 8192).iter().all(|byte| *byte == 0));
    }
}
