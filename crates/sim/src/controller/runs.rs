//! The dirty blocks that a cache holds in the steady state of a load whose accesses follow each other until one goes elsewhere.
//!
//! Such a load goes over its area in runs, each from a place of its own. What it reads or leaves out lies between what a run writes,
//! so that what is dirty of it lies in pieces near each other, and a sweep is from one to the next in no time: pieces that lay
//! anywhere ([`super::ballast`]) would cost the drives a way each. So runs of the last round of a sweep are drawn, each at any time of
//! it, until what is left of them fills the cache.

use iodyno_load::pattern::{AccessStream, mix};
use iodyno_load::request::Profile;

use super::ballast::{LONGEST, SWEEP};
use super::dirty::Dirty;
use super::drawn::chosen;
use super::{LogicalUse, unit};

/// Bytes that are drawn for each that finds room, at most: whole stripes find none, and areas are full.
const MOST: u64 = 64;

/// Least share of writes among the accesses: with fewer what is destaged is of little account, and runs without any are many.
const WRITES: f64 = 1.0 / 64.0;

/// Accesses among which the beginning of a run is looked for.
const SEARCHED: u32 = 1 << 20;

/// Whether any of these loads [has](has) runs, and a sweep finds the same all the way: they write alike, or all in one area. Where unlike
/// loads have areas of their own a sweep is in each for longer than a point lasts, and no beginning makes a point what both are on the mean.
pub(super) fn have(writers: &[&LogicalUse]) -> bool {
    let all = |same: fn(&LogicalUse, &LogicalUse) -> bool| writers.windows(2).all(|two| same(two[0], two[1]));
    let in_one_area = |one: &LogicalUse, other: &LogicalUse| {
        (one.start_bytes, one.length_bytes) == (other.start_bytes, other.length_bytes)
    };
    let even = all(|one, other| one.profile == other.profile) || all(in_one_area);
    even && writers.iter().any(|usage| has(usage))
}

/// Whether a load writes in runs that [`super::ballast`] does not have: something lies between what one of them writes, they are longer,
/// or they begin at some places more often than at others.
fn has(usage: &LogicalUse) -> bool {
    let profile = &usage.profile;
    let share = profile.drawn_of(true);
    let alone = profile.own_sequences() || profile.read_share == 0.0 && profile.trim_share == 0.0;
    let whole = alone && profile.gap_bytes == 0;
    let short = whole && profile.mean_bytes_of(true) <= share * f64::from(LONGEST);
    0.0 < share && share < 1.0 && writes(profile) >= WRITES && (usage.writes_unevenly() || !short)
}

/// Make about so many bytes dirty; gives how many, and where the sweep stands. `shares` are those of the loads in the bytes that are
/// written.
pub(super) fn fill(
    dirty: &mut Dirty,
    writers: &[&LogicalUse],
    shares: &[f64],
    bytes: u64,
    seed: u64,
) -> (u64, u64) {
    let seeds = (0..).map(|at| if at == 0 { seed } else { mix(seed, u64::MAX - at) });
    let mut runs: Vec<_> = writers
        .iter()
        .zip(seeds)
        .map(|of| Runs::new(of.0, of.1))
        .collect();
    let count = |(usage, share): (&&LogicalUse, &f64)| share / usage.profile.mean_bytes_of(true);
    let counts: Vec<f64> = writers.iter().zip(shares).map(count).collect();
    let each: f64 = counts.iter().sum();
    let way = Way { writers, shares };
    let (mut held, mut written, mut draws) = (0, 0, 0);
    while held < bytes && written < MOST * bytes {
        let of = match counts.len() {
            1 => 0,
            _ => chosen(&counts, each * unit(mix(seed, u64::MAX / 4 + draws))),
        };
        draws += 1;
        let (at, size) = runs[of].next();
        written += u64::from(size);
        let at = writers[of].start_bytes + at;
        if runs[of].age < way.ahead(at) {
            continue;
        }
        dirty.insert(at, at + u64::from(size), |from, to| held += to - from);
        // Whole stripes are destaged as soon as they are whole.
        while let Some((from, to)) = dirty.take_full() {
            held -= to - from;
        }
    }
    (held, way.begins())
}

/// The way of a sweep over what loads write: it is the longer in an area, the more is written there.
struct Way<'a> {
    writers: &'a [&'a LogicalUse],
    shares: &'a [f64],
}

impl Way<'_> {
    /// The part of it that is before a place, 0 to 1.
    fn before(&self, at: u64) -> f64 {
        let pairs = self.writers.iter().zip(self.shares);
        let of = |(usage, share): (&&LogicalUse, &f64)| {
            let within = at.saturating_sub(usage.start_bytes).min(usage.length_bytes);
            share * within as f64 / usage.length_bytes as f64
        };
        pairs.map(of).sum()
    }

    /// How far a place is ahead of where the sweep stands.
    fn ahead(&self, at: u64) -> f64 {
        (self.before(at) - SWEEP).rem_euclid(1.0)
    }

    /// Where the sweep stands.
    fn begins(&self) -> u64 {
        let ends = self
            .writers
            .iter()
            .map(|usage| usage.start_bytes + usage.length_bytes);
        let (mut low, mut high) = (0, ends.max().unwrap_or(0));
        while low + 1 < high {
            let middle = u64::midpoint(low, high);
            if self.before(middle) <= SWEEP {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Share of the accesses of a run that write.
fn writes(profile: &Profile) -> f64 {
    match profile.own_sequences() {
        true => 1.0,
        false => (1.0 - profile.trim_share) * (1.0 - profile.read_share),
    }
}

/// What runs write, one after the other.
struct Runs<'a> {
    profile: &'a Profile,
    start: u64,
    length: u64,
    /// Share of the accesses of a run that write, and of every so many that go elsewhere. A load that always does writes each
    /// time, and so may one that writes little.
    writes: f64,
    random: f64,
    every: u64,
    /// From an access that does not write to the next one.
    step: i64,
    /// Accesses that are left of the run, and where in the area it is.
    left: u64,
    at: i64,
    /// Where runs begin, of each worker with places of its own; none: anywhere.
    places: Vec<AccessStream>,
    begun: usize,
    /// When it was written: a draw from 0 to 1.
    age: f64,
    seed: u64,
    draws: u64,
}

impl<'a> Runs<'a> {
    fn new(usage: &'a LogicalUse, seed: u64) -> Self {
        let profile = &usage.profile;
        let uneven = usage.uneven.as_ref().filter(|_| usage.writes_unevenly());
        let workers = uneven.map_or(&[][..], |uneven| &uneven.workers);
        let apart = profile.drawn_of(true) == 1.0 || writes(profile) < WRITES;
        let grain = profile.alignment_of(false);
        let step = (profile.mean_bytes_of(false) as u64 / grain).max(1) * grain;
        Self {
            profile,
            start: usage.start_bytes,
            length: usage.length_bytes,
            writes: if apart { 1.0 } else { writes(profile) },
            random: if apart { 1.0 } else { profile.random_of(true) },
            every: if apart { 1 } else { profile.random_every },
            step: step as i64 + profile.gap_bytes,
            left: 0,
            at: 0,
            places: (u64::MAX / 2..)
                .zip(workers)
                .map(|(at, worker)| worker.writes(mix(seed, at)))
                .collect(),
            begun: 0,
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

    /// Another run begins.
    fn begin(&mut self) {
        let turns = 1 + self.failures(self.random);
        self.left = turns.saturating_mul(self.every);
        self.at = match self.places.len() {
            0 => self.anywhere(),
            several => {
                self.begun = (self.begun + 1) % several;
                let gap = self.profile.gap_bytes;
                (elsewhere(&mut self.places[self.begun], gap) - self.start) as i64
            }
        };
        self.age = self.draw();
    }

    fn anywhere(&mut self) -> i64 {
        let grain = self.profile.alignment_of(true);
        (self.draw() * (self.length / grain) as f64) as i64 * grain as i64
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

/// Where a stream goes next that does not go on.
fn elsewhere(accesses: &mut AccessStream, gap: i64) -> u64 {
    let mut last = accesses.next();
    for _ in 0..SEARCHED {
        let next = accesses.next();
        if next.offset != (last.offset + u64::from(last.bytes)).wrapping_add_signed(gap) {
            return next.offset;
        }
        last = next;
    }
    last.offset
}
