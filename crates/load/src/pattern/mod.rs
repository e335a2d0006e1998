//! The sequence of accesses: read or write, where, how long.
//!
//! The semantics are Iometer's, which the published methods used: each access draws read
//! or write, and random or sequential, by its share. Random offsets are drawn with
//! replacement, evenly unless the profile says how else. The cursor follows the last access, and
//! wraps at the end of the area. Where writes have a share of random accesses, a distribution or a cursor of their
//! own, each direction has a sequence of its own, with a cursor that the other does not move. Where only every so
//! many-th access can be random, those in between follow the cursor; and a cursor can leave gaps, or go back. A draw takes the same time however large the area is: nothing
//! keeps a table of it.

mod counted;
mod directions;
pub mod permutation;
pub mod skewed;
mod streams;
mod walk;
mod zones;

pub(crate) use skewed::can_rank;
pub use streams::{Streams, own_bytes};
pub(crate) use zones::bounds as zone_bounds;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::request::{Distribution, Profile};
use counted::Counted;
use directions::Directions;
use skewed::{Law, Normal, SelfSimilar, Skewed, Zipf};
use walk::Walk;
use zones::Zones;

/// What the key of places is mixed with, so that it is no seed of draws.
const PLACES: u64 = u64::MAX - 1;

/// One access to a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Whether it writes.
    pub write: bool,
    /// Whether it trims; what neither writes nor trims reads.
    pub trim: bool,
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
            _ => Self::Below(threshold(share)),
        }
    }

    #[inline]
    fn draw(self, rng: &mut Xoshiro256PlusPlus) -> bool {
        self.holds(|| rng.next_u64())
    }

    /// Whether a draw, made only where it matters, falls into the share.
    #[inline]
    fn holds(self, draw: impl FnOnce() -> u64) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Below(threshold) => draw() < threshold,
        }
    }
}

/// A block size with the offsets it can be drawn at.
#[derive(Clone, Debug)]
struct Size {
    bytes: u32,
    /// Random offsets are multiples of this, in bytes.
    alignment: u64,
    /// Number of aligned offsets at which it fits in the area.
    positions: u64,
    /// Draws below this take it, if they took none before.
    threshold: u64,
    /// Its place among the sizes of all directions.
    place: usize,
}

/// Where random accesses go.
#[derive(Clone, Debug)]
enum Offsets {
    /// Even, of accesses that are all random, of one size and one direction: nothing else is drawn.
    Alone(Alone),
    Uniform,
    Skewed(Box<Skewed>),
    Zones(Zones),
    /// Each access follows from its number; nothing else of the stream matters.
    Counted(Box<Counted>),
    /// Reads and writes have sequences of their own; nothing else of the stream matters.
    Directions(Box<Directions>),
    /// Not every access can be random, or the cursor does not go on at the end of the last one.
    Walk(Box<Walk>),
}

/// What does not differ from access to access.
#[derive(Clone, Copy, Debug)]
struct Alone {
    write: bool,
    bytes: u32,
    alignment: u64,
    positions: u64,
}

impl Alone {
    /// What does not differ, where all but the place is settled.
    fn of(draws: &Draws) -> Option<Self> {
        let write = match (draws.random, draws.trim, draws.read) {
            (Share::Always, Share::Never, Share::Always) => false,
            (Share::Always, Share::Never, Share::Never) => true,
            _ => return None,
        };
        match sizes_for(write, &draws.sizes, &draws.write_sizes) {
            [only] => Some(Self {
                write,
                bytes: only.bytes,
                alignment: only.alignment,
                positions: only.positions,
            }),
            _ => None,
        }
    }

    #[inline]
    fn next(self, draws: &mut Draws) -> Access {
        let offset = below(draws.rng.next_u64(), self.positions) * self.alignment;
        Access {
            write: self.write,
            trim: false,
            offset: draws.area_start + offset,
            bytes: self.bytes,
        }
    }
}

/// Where a sequence begins.
struct Begin {
    area: (u64, u64),
    /// Seed of its draws.
    draws: u64,
    /// Key of the places: workers with the same area have the same.
    places: u64,
    /// Where sequential accesses begin.
    cursor: u64,
    /// The number of the next access, where it follows from its number.
    numbers: Arc<AtomicU64>,
    /// The grain and the largest block in bytes that zones and the places of ranks follow from: of both
    /// directions, so that what is read most and what is written most lie in the same places.
    grid: (u64, u64),
    /// Whether all workers drive one sequential stream.
    one_stream: bool,
}

/// What zones and the places of ranks follow from, as in [`Begin`].
fn grid(profile: &Profile) -> (u64, u64) {
    (profile.grain_bytes(), u64::from(profile.largest_block_bytes()))
}

/// Where the cursor of a worker begins in an area that all share: at equal distances, so that they do not
/// follow each other through the same blocks.
fn apart(profile: &Profile, area_length: u64, (worker, workers): (usize, usize)) -> u64 {
    own_bytes(profile, area_length, workers) * worker as u64
}

/// An endless sequence of accesses by one worker to one target: the same seed, the same
/// sequence.
#[derive(Clone, Debug)]
pub struct AccessStream {
    draws: Draws,
    offsets: Offsets,
}

/// What accesses are drawn from, but for where random ones go.
#[derive(Clone, Debug)]
struct Draws {
    rng: Xoshiro256PlusPlus,
    random: Share,
    trim: Share,
    read: Share,
    sizes: Box<[Size]>,
    /// Sizes of writes, where they have their own or another alignment.
    write_sizes: Box<[Size]>,
    area_start: u64,
    area_length: u64,
    cursor: u64,
}

impl AccessStream {
    /// Begin the sequence of a worker on a target whose area all workers share; what follows from its
    /// number is counted for this worker alone. [`Streams`] begins those of a point.
    ///
    /// # Panics
    /// If a block does not fit in the area or a zone of it, or the alignment is 0, or a sequence that follows
    /// from numbers has several block sizes: a plan has neither.
    pub fn new(
        profile: &Profile,
        area: (u64, u64),
        seed: u64,
        target: usize,
        (worker, workers): (usize, usize),
    ) -> Self {
        let seed = mix(seed, target as u64);
        let begin = Begin {
            area,
            draws: mix(seed, worker as u64),
            places: mix(seed, PLACES),
            cursor: apart(profile, area.1, (worker, workers)),
            numbers: Arc::default(),
            grid: grid(profile),
            one_stream: false,
        };
        Self::begin(profile, begin)
    }

    /// Its writes alone, at the same places and by other draws.
    ///
    /// # Panics
    /// Where each block is written once before any again.
    pub fn writes(&self, seed: u64) -> Self {
        let mut found = match &self.offsets {
            Offsets::Directions(directions) => directions.of_writes().clone(),
            Offsets::Counted(_) => panic!("no draws"),
            _ => self.clone(),
        };
        found.draws.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (found.draws.trim, found.draws.read) = (Share::Never, Share::Never);
        found
    }

    fn begin(profile: &Profile, begin: Begin) -> Self {
        let (area_start, area_length) = begin.area;
        let own = !profile.write_blocks.is_empty() || profile.write_alignment_bytes.is_some();
        let sizes_of = |write, first| sizes(profile, write, area_length, first);
        let draws = Draws {
            rng: Xoshiro256PlusPlus::seed_from_u64(begin.draws),
            random: Share::new(profile.random_share),
            trim: Share::new(profile.trim_share),
            read: Share::new(profile.read_share),
            area_start,
            area_length,
            cursor: begin.cursor,
            sizes: sizes_of(false, 0),
            write_sizes: if own {
                sizes_of(true, profile.blocks.len())
            } else {
                Box::default()
            },
        };
        Self {
            offsets: offsets(profile, begin, &draws),
            draws,
        }
    }

    /// The next access.
    #[inline]
    #[allow(clippy::should_implement_trait)] // endless: an Option would be noise on the hot path
    pub fn next(&mut self) -> Access {
        if let Offsets::Alone(alone) = self.offsets {
            return alone.next(&mut self.draws);
        }
        if !matches!(self.offsets, Offsets::Uniform) {
            let mut access = Access::default();
            self.next_uneven(&mut access);
            return Access { ..access };
        }
        self.draws.next(even)
    }

    /// The next access of one direction of several; `turn` is whether it can be random, where not all can.
    #[inline]
    fn next_of_turn(&mut self, turn: bool) -> Access {
        if !matches!(self.offsets, Offsets::Walk(_)) {
            return self.next();
        }
        let mut access = Access::default();
        self.walk(Some(turn), &mut access);
        Access { ..access }
    }

    /// The next access where offsets are not even: apart, and by reference, so that even ones cost nothing
    /// more (an access returned in registers is packed, which takes longer than drawing it).
    #[inline(never)]
    fn next_uneven(&mut self, access: &mut Access) {
        *access = match &mut self.offsets {
            Offsets::Alone(_) | Offsets::Uniform => unreachable!("drawn by who calls this"),
            Offsets::Skewed(skewed) => self.draws.next(|rng, size| skewed.next(rng, size)),
            Offsets::Zones(zones) => self.draws.next(|rng, size| zones.next(rng, size)),
            Offsets::Counted(counted) => counted.next(),
            Offsets::Directions(directions) => directions.next(),
            Offsets::Walk(_) => return self.walk(None, access),
        };
    }

    /// The next access of a walk, whose turns somebody else may count: apart again, for the same reason.
    #[inline(never)]
    fn walk(&mut self, turn: Option<bool>, access: &mut Access) {
        let Offsets::Walk(walk) = &mut self.offsets else {
            unreachable!("asked of a walk")
        };
        let (turn, gap, random) = walk.next(turn);
        *access = match random {
            Offsets::Skewed(skewed) => self.draws.walk(turn, gap, |rng, size| skewed.next(rng, size)),
            Offsets::Zones(zones) => self.draws.walk(turn, gap, |rng, size| zones.next(rng, size)),
            _ => self.draws.walk(turn, gap, even),
        };
    }
}

impl Draws {
    /// The next access; `offset` draws where in the area a random one goes.
    #[inline(always)]
    fn next(&mut self, offset: impl FnOnce(&mut Xoshiro256PlusPlus, &Size) -> u64) -> Access {
        self.walk(true, 0, offset)
    }

    /// The next access, which is random only on its `turn`; `offset` draws where. The cursor goes on `gap` bytes
    /// behind it.
    #[inline(always)]
    fn walk(
        &mut self,
        turn: bool,
        gap: i64,
        offset: impl FnOnce(&mut Xoshiro256PlusPlus, &Size) -> u64,
    ) -> Access {
        let trim = self.trim.draw(&mut self.rng);
        let write = !trim && !self.read.draw(&mut self.rng);
        let size = match sizes_for(write, &self.sizes, &self.write_sizes) {
            [only] => only,
            several => pick(several, self.rng.next_u64()),
        };
        let bytes = u64::from(size.bytes);
        let offset = if turn && self.random.draw(&mut self.rng) {
            offset(&mut self.rng, size)
        } else if self.cursor <= self.area_length - bytes {
            self.cursor
        } else {
            walk::again(self.cursor, gap, self.area_length - bytes, bytes)
        };
        self.cursor = (offset + bytes).wrapping_add_signed(gap);
        Access {
            write,
            trim,
            offset: self.area_start + offset,
            bytes: size.bytes,
        }
    }
}

fn offsets(profile: &Profile, begin: Begin, draws: &Draws) -> Offsets {
    let sizes: Vec<&Size> = draws.sizes.iter().chain(&draws.write_sizes).collect();
    if profile.own_sequences() {
        assert!(!begin.one_stream, "one stream with two sequences");
        return Offsets::Directions(Box::new(Directions::new(profile, &begin)));
    }
    let (grain, largest) = begin.grid;
    let space = (begin.area.1, grain);
    let cells = Skewed::cells(space, largest);
    let skewed = |law| Offsets::Skewed(Box::new(Skewed::new(space, largest, begin.places, law)));
    let counted = |grain: u64, permuted| {
        let alike = sizes.iter().all(|size| size.bytes == sizes[0].bytes);
        assert!(alike, "several block sizes in one sequence");
        let shares = [profile.trim_share, profile.read_share].map(Share::new);
        let block = (sizes[0].bytes, u64::from(sizes[0].bytes).next_multiple_of(grain));
        let numbers = Arc::clone(&begin.numbers);
        Offsets::Counted(Box::new(Counted::new(
            numbers,
            begin.area,
            block,
            (shares, begin.places),
            permuted,
        )))
    };
    let walks = profile.random_every > 1 || profile.gap_bytes != 0;
    let found = match &profile.distribution {
        _ if begin.one_stream => counted(1, false),
        Distribution::Uniform if walks => Offsets::Uniform,
        Distribution::Uniform => Alone::of(draws).map_or(Offsets::Uniform, Offsets::Alone),
        &Distribution::Zipf { parameter } => skewed(Law::Zipf(Zipf::new(cells, parameter))),
        &Distribution::Pareto { parameter } => skewed(Law::SelfSimilar(SelfSimilar::new(cells, parameter))),
        &Distribution::Normal { parameter } => skewed(Law::Normal(Normal::new(cells, parameter))),
        Distribution::Zones { zones } => Offsets::Zones(Zones::new(zones, space, &sizes)),
        Distribution::Permutation => counted(profile.grain_bytes(), true),
    };
    if !walks {
        return found;
    }
    Offsets::Walk(Box::new(Walk::new(profile, found)))
}

/// Draw an offset, all alike.
#[inline(always)]
fn even(rng: &mut Xoshiro256PlusPlus, size: &Size) -> u64 {
    below(rng.next_u64(), size.positions) * size.alignment
}

/// The sizes of writes, or of what does not write, numbered from `first` on.
fn sizes(profile: &Profile, write: bool, area_length: u64, first: usize) -> Box<[Size]> {
    let (blocks, alignment) = (profile.blocks_of(write), profile.alignment_of(write));
    assert!(alignment > 0, "an alignment of 0");
    let weight: f64 = blocks.iter().map(|block| block.weight).sum();
    let mut below = 0.0;
    let sizes = blocks.iter().enumerate().map(|(place, block)| {
        let bytes = u64::from(block.bytes);
        assert!(bytes > 0 && bytes <= area_length, "a block that does not fit");
        below += block.weight / weight;
        Size {
            bytes: block.bytes,
            alignment,
            positions: (area_length - bytes) / alignment + 1,
            threshold: threshold(below),
            place: first + place,
        }
    });
    sizes.collect()
}

/// Sizes of writes, or of what does not write. Whether writes have their own is looked at first: it is the same
/// for every access, and the direction is not.
#[inline(always)]
fn sizes_for<'a>(write: bool, sizes: &'a [Size], of_writes: &'a [Size]) -> &'a [Size] {
    if of_writes.is_empty() || !write {
        sizes
    } else {
        of_writes
    }
}

fn pick(sizes: &[Size], draw: u64) -> &Size {
    let last = &sizes[sizes.len() - 1];
    sizes.iter().find(|size| draw < size.threshold).unwrap_or(last)
}

/// A share as a bound of 64-bit draws.
fn threshold(share: f64) -> u64 {
    (share * (u64::MAX as f64)) as u64
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
