//! The dirty blocks that a cache holds in the steady state of a random load, without storing them.
//!
//! A controller keeps dirty blocks as long as it has room, so under a lasting load the cache is full of them.
//! They are destaged in one sweep after the other over the accessed area while new ones come everywhere: at a
//! distance x ahead of the sweep (a share of the area) the last sweep is 1 − x of a round ago, and the density
//! is 2(1 − x) of the mean. Blocks are therefore at x = 1 − √(1 − u) with u uniform. To find them in order without
//! keeping them all, they are drawn in bunches that follow each other: bunch number i of n has its blocks at
//! u = (i + r)/n, r uniform. So a bunch is a function of its number, and the number one of a place.

use iodyno_load::pattern::mix;
use iodyno_load::request::Profile;

/// Where the sweep stands: where the mean distance to a uniform place is a third of the area, as it is on the
/// average of all places: x² + (1 − x)² = 2/3.
const SWEEP: f64 = 0.211_324_865_405_187;

/// Blocks of a bunch: many, so that their places are as irregular as those of independent blocks; few, because all
/// are looked at where one is looked for.
const BUNCH: usize = 16;

/// Dirty blocks of before.
#[derive(Debug)]
pub(super) struct Ballast {
    start: u64,
    end: u64,
    grain: u64,
    /// Places that a block can have, on the grain.
    places: u64,
    /// The place where the sweep began.
    first: u64,
    /// Sizes in bytes with the draws below which they are taken.
    sizes: Vec<(u32, f64)>,
    bunches: u64,
    /// The bunch that the sweep is in, in order, and how many of it are taken.
    number: u64,
    bunch: [(u64, u32); BUNCH],
    taken: usize,
    seed: u64,
}

impl Ballast {
    /// As many blocks as make `bytes`, spread over an area as a profile does.
    pub(super) fn new(profile: &Profile, area: (u64, u64), bytes: u64, seed: u64) -> Self {
        let (blocks, grain) = (profile.blocks_of(true), profile.alignment_of(true));
        let weight: f64 = blocks.iter().map(|block| block.weight).sum();
        let mut below = 0.0;
        let sizes = blocks.iter().map(|block| {
            below += block.weight / weight;
            (block.bytes, below)
        });
        let largest = u64::from(profile.largest_of(true));
        let places = (area.1.saturating_sub(largest) / grain + 1).max(1);
        let mut ballast = Self {
            start: area.0,
            end: area.0.saturating_add(area.1),
            grain,
            places,
            first: (places as f64 * SWEEP) as u64,
            sizes: sizes.collect(),
            bunches: (bytes as f64 / profile.mean_bytes_of(true)) as u64 / BUNCH as u64,
            number: 0,
            bunch: [(0, 0); BUNCH],
            taken: 0,
            seed,
        };
        ballast.open();
        ballast
    }

    /// Where the sweep begins.
    pub(super) fn sweep(&self) -> u64 {
        self.start + self.first * self.grain
    }

    /// The next block of the sweep.
    #[inline]
    pub(super) fn next(&self) -> Option<(u64, u32)> {
        (self.number < self.bunches).then(|| {
            let (ahead, bytes) = self.bunch[self.taken];
            (self.offset(ahead), bytes)
        })
    }

    /// The next block is taken.
    #[inline]
    pub(super) fn take(&mut self) {
        self.taken += 1;
        if self.taken == BUNCH {
            self.number += 1;
            self.open();
        }
    }

    /// Put the blocks of the bunch in order.
    fn open(&mut self) {
        self.taken = 0;
        self.bunch = std::array::from_fn(|at| self.block(self.number, at));
        self.bunch.sort_unstable();
    }

    /// Whether a range is dirty in one of the blocks.
    #[inline]
    pub(super) fn covers(&self, offset: u64, bytes: u64) -> bool {
        if offset < self.start || offset >= self.end {
            return false;
        }
        let place = (offset - self.start) / self.grain % self.places;
        let ahead = (place + self.places - self.first) % self.places;
        let rest = 1.0 - ahead as f64 / self.places as f64;
        let number = ((1.0 - rest * rest) * self.bunches as f64) as u64;
        let is = |&(at, size): &(u64, u32)| {
            let at = self.offset(at);
            at <= offset && offset + bytes <= at + u64::from(size)
        };
        match number {
            _ if number < self.number || number >= self.bunches => false,
            _ if number == self.number => self.bunch[self.taken..].iter().any(is),
            _ => (0..BUNCH).any(|at| is(&self.block(number, at))),
        }
    }

    /// A block of a bunch: how many places ahead of the sweep's beginning, and bytes.
    #[inline]
    fn block(&self, bunch: u64, at: usize) -> (u64, u32) {
        let draw = mix(self.seed, bunch * BUNCH as u64 + at as u64);
        let share = (bunch as f64 + unit(draw)) / self.bunches.max(1) as f64;
        let ahead = ((1.0 - (1.0 - share).max(0.0).sqrt()) * self.places as f64) as u64;
        (ahead.min(self.places - 1), self.size(draw))
    }

    #[inline]
    fn offset(&self, ahead: u64) -> u64 {
        self.start + (self.first + ahead) % self.places * self.grain
    }

    #[inline]
    fn size(&self, draw: u64) -> u32 {
        let [.., (last, _)] = self.sizes[..] else {
            unreachable!("a profile has a block")
        };
        if self.sizes.len() == 1 {
            return last;
        }
        let draw = unit(mix(draw, 1));
        self.sizes
            .iter()
            .find(|size| draw < size.1)
            .map_or(last, |size| size.0)
    }
}

/// A draw as a share, 0 to below 1.
fn unit(draw: u64) -> f64 {
    (draw >> 11) as f64 / (1_u64 << 53) as f64
}
