//! The dirty blocks that a cache holds in the steady state of a load whose accesses follow each other until one goes elsewhere.
//!
//! Such a load goes over its area in runs, each from a place of its own. What it reads or leaves out lies between what a run writes,
//! so that what is dirty of it lies in pieces near each other, and a sweep is from one to the next in no time: pieces that lay
//! anywhere ([`super::ballast`]) would cost the drives a way each. So runs of the last round of a sweep are drawn, each at any time of
//! it, until what is left of them fills the cache.

use iodyno_load::pattern::mix;
use iodyno_load::request::Profile;

use super::ballast::{LONGEST, SWEEP};
use super::dirty::Dirty;
use super::{LogicalUse, unit};

/// Bytes that are drawn for each that finds room, at most: whole stripes find none, and areas are full.
const MOST: u64 = 64;

/// Whether a load writes in runs that [`super::ballast`] does not have: something lies between what one of them writes, or they are
/// longer.
pub(super) fn has(profile: &Profile) -> bool {
    let share = profile.drawn_of(true);
    let alone = profile.own_sequences() || profile.read_share == 0.0 && profile.trim_share == 0.0;
    let whole = alone && profile.gap_bytes == 0;
    0.0 < share && share < 1.0 && !(whole && profile.mean_bytes_of(true) <= share * f64::from(LONGEST))
}

/// Make about so many bytes dirty; gives how many, and where the sweep stands.
pub(super) fn fill(dirty: &mut Dirty, usage: &LogicalUse, bytes: u64, seed: u64) -> (u64, u64) {
    let (start, length) = (usage.start_bytes, usage.length_bytes);
    let sweep = (length as f64 * SWEEP) as u64;
    let mut runs = Runs::new(&usage.profile, length, seed);
    let (mut held, mut written) = (0, 0);
    while held < bytes && written < MOST * bytes {
        let (at, size) = runs.next();
        written += u64::from(size);
        let ahead = (at + length - sweep) % length;
        if runs.age < ahead as f64 / length as f64 {
            continue;
        }
        let at = start + at;
        dirty.insert(at, at + u64::from(size), |from, to| held += to - from);
        // Whole stripes are destaged as soon as they are whole.
        while let Some((from, to)) = dirty.take_full() {
            held -= to - from;
        }
    }
    (held, start + sweep)
}

/// What runs write, one after the other.
struct Runs<'a> {
    profile: &'a Profile,
    length: u64,
    /// Share of the accesses of a run that write.
    writes: f64,
    /// From an access that does not write to the next one.
    step: i64,
    /// Accesses that are left of the run, and where in the area it is.
    left: u64,
    at: i64,
    /// When it was written: a draw from 0 to 1.
    age: f64,
    seed: u64,
    draws: u64,
}

impl<'a> Runs<'a> {
    fn new(profile: &'a Profile, length: u64, seed: u64) -> Self {
        let writes = match profile.own_sequences() {
            true => 1.0,
            false => (1.0 - profile.trim_share) * (1.0 - profile.read_share),
        };
        let grain = profile.alignment_of(false);
        let step = (profile.mean_bytes_of(false) as u64 / grain).max(1) * grain;
        Self {
            profile,
            length,
            writes,
            step: step as i64 + profile.gap_bytes,
            left: 0,
            at: 0,
            age: 0.0,
            seed,
            draws: 0,
        }
    }

    fn draw(&mut self) -> f64 {
        self.draws += 1;
        unit(mix(self.seed, self.draws))
    }

    /// How often something of a share does not happen before it does.
    fn failures(&mut self, share: f64) -> u64 {
        match share < 1.0 {
            true => ((1.0 - self.draw()).ln() / (-share).ln_1p()) as u64,
            false => 0,
        }
    }

    /// The next write: where in the area, and bytes.
    fn next(&mut self) -> (u64, u32) {
        loop {
            let between = self.failures(self.writes);
            if between >= self.left {
                self.begin();
                continue;
            }
            self.left -= between + 1;
            let size = self.size();
            let end = self.length as i64 - i64::from(size);
            let at = (self.at + between as i64 * self.step).rem_euclid(self.length as i64);
            self.at = at + i64::from(size) + self.profile.gap_bytes;
            if at <= end {
                return (at as u64, size);
            }
        }
    }

    /// Another run begins, anywhere.
    fn begin(&mut self) {
        let turns = 1 + self.failures(self.profile.random_of(true));
        self.left = turns.saturating_mul(self.profile.random_every);
        let grain = self.profile.alignment_of(true);
        self.at = (self.draw() * (self.length / grain) as f64) as i64 * grain as i64;
        self.age = self.draw();
    }

    fn size(&mut self) -> u32 {
        let blocks = self.profile.blocks_of(true);
        let weight: f64 = blocks.iter().map(|block| block.weight).sum();
        let mut draw = self.draw() * weight;
        let reached = blocks.iter().find(|block| {
            draw -= block.weight;
            draw < 0.0
        });
        reached.or(blocks.last()).expect("a profile has a block").bytes
    }
}
