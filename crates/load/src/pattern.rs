//! The sequence of accesses: read or write, where, how long.
//!
//! The semantics are Iometer's, which the published methods used: each access draws read
//! or write, and random or sequential, by its share. Random offsets are drawn with
//! replacement. The cursor follows the last access, and wraps at the end of the area.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::request::Profile;

/// One access to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Whether it writes.
    pub write: bool,
    /// Offset on the target in bytes.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u32,
}

/// A share as a threshold of a 64-bit draw, so that 0 and 1 draw nothing.
#[derive(Clone, Copy, Debug)]
enum Share {
    Never,
    Always,
    Below(u64),
}

impl Share {
    fn new(share: f64) -> Self {
        assert!((0.0..=1.0).contains(&share), "a share is 0 to 1");
        match share {
            0.0 => Self::Never,
            1.0 => Self::Always,
            _ => Self::Below((share * (u64::MAX as f64)) as u64),
        }
    }

    #[inline]
    fn draw(self, rng: &mut Xoshiro256PlusPlus) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Below(threshold) => rng.next_u64() < threshold,
        }
    }
}

/// A block size with the offsets it can be drawn at.
#[derive(Clone, Debug)]
struct Size {
    bytes: u32,
    /// Number of aligned offsets at which it fits in the area.
    positions: u64,
    /// Draws below this take it, if they took none before.
    threshold: u64,
}

/// An endless sequence of accesses by one worker to one target: the same seed, the same
/// sequence.
#[derive(Clone, Debug)]
pub struct AccessStream {
    rng: Xoshiro256PlusPlus,
    random: Share,
    read: Share,
    sizes: Vec<Size>,
    alignment: u64,
    area_start: u64,
    area_length: u64,
    cursor: u64,
}

impl AccessStream {
    /// Begin the sequence of a worker on a target.
    ///
    /// Cursors of several workers start at equal distances over the area, so that they
    /// do not follow each other through the same blocks.
    ///
    /// # Panics
    /// If a block does not fit in the area or the alignment is 0: a plan has neither.
    pub fn new(
        profile: &Profile,
        area: (u64, u64),
        seed: u64,
        target: usize,
        (worker, workers): (usize, usize),
    ) -> Self {
        let (area_start, area_length) = area;
        let alignment = profile.alignment_bytes;
        assert!(alignment > 0, "an alignment of 0");
        let apart = area_length / workers as u64 / alignment * alignment;
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(mix(mix(seed, target as u64), worker as u64)),
            random: Share::new(profile.random_share),
            read: Share::new(profile.read_share),
            sizes: sizes(profile, area_length),
            alignment,
            area_start,
            area_length,
            cursor: apart * worker as u64,
        }
    }

    /// The next access.
    #[inline]
    #[allow(clippy::should_implement_trait)] // endless: an Option would be noise on the hot path
    pub fn next(&mut self) -> Access {
        let write = !self.read.draw(&mut self.rng);
        let size = match self.sizes.as_slice() {
            [only] => only,
            several => pick(several, self.rng.next_u64()),
        };
        let bytes = u64::from(size.bytes);
        let offset = if self.random.draw(&mut self.rng) {
            below(self.rng.next_u64(), size.positions) * self.alignment
        } else if self.cursor + bytes <= self.area_length {
            self.cursor
        } else {
            0
        };
        self.cursor = offset + bytes;
        Access {
            write,
            offset: self.area_start + offset,
            bytes: size.bytes,
        }
    }
}

fn sizes(profile: &Profile, area_length: u64) -> Vec<Size> {
    let weight: f64 = profile.blocks.iter().map(|block| block.weight).sum();
    let mut below = 0.0;
    let sizes = profile.blocks.iter().map(|block| {
        let bytes = u64::from(block.bytes);
        assert!(bytes > 0 && bytes <= area_length, "a block that does not fit");
        below += block.weight / weight;
        Size {
            bytes: block.bytes,
            positions: (area_length - bytes) / profile.alignment_bytes + 1,
            threshold: (below * (u64::MAX as f64)) as u64,
        }
    });
    sizes.collect()
}

fn pick(sizes: &[Size], draw: u64) -> &Size {
    let last = &sizes[sizes.len() - 1];
    sizes.iter().find(|size| draw < size.threshold).unwrap_or(last)
}

/// A uniform draw below a bound: the high half of the product (Lemire 2019, without the
/// rejection, whose bias is below bound ÷ 2^64).
#[inline]
fn below(draw: u64, bound: u64) -> u64 {
    ((u128::from(draw) * u128::from(bound)) >> 64) as u64
}

/// Mix two numbers to a seed (the finaliser of SplitMix64).
#[inline]
pub fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
