//! What is known of every unit of the areas: the generation of the last write or trim of it.
//!
//! One word a unit: the low 28 bits of the generation (0: nothing is known), and four flags. A
//! write or trim of it is on its way; a read has seen that generation; it was a trim; and the one
//! called [`BESIDE`]. Where nothing is known or expected any more, "seen" says that it was found wrong: see
//! [`Known::found_wrong`]. All workers share it; nothing waits. A write or trim claims all its units
//! before it goes out, and no two of them have the same unit at once; reads claim nothing, and take
//! down what was known when they began.

#[cfg(test)]
mod tests;
mod trims;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::stamp::{SECTOR_BYTES, Stamp};

pub(super) const GENERATION: u32 = (1 << 28) - 1;
/// Of a unit that was written: a trim beside it was under way since. Of a trimmed one: this run had
/// written it before.
const BESIDE: u32 = 1 << 28;
const TRIMMED: u32 = 1 << 29;
const SEEN: u32 = 1 << 30;
const WRITING: u32 = 1 << 31;

/// What is known of a unit at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known(pub(super) u32);

impl Known {
    /// Low bits of the generation of the last write that was acknowledged, or of the last trim; 0: nothing is
    /// known.
    pub(super) fn generation(self) -> u32 {
        self.0 & GENERATION
    }

    pub(super) fn writing(self) -> bool {
        self.0 & WRITING != 0
    }

    pub(super) fn seen(self) -> bool {
        self.0 & SEEN != 0
    }

    /// Whether it is trimmed, or is being trimmed: what it holds is not known until it is written.
    pub(super) fn trimmed(self) -> bool {
        self.0 & TRIMMED != 0
    }

    /// Of a trimmed unit: whether this run had written it before.
    pub(super) fn was_written(self) -> bool {
        self.0 & BESIDE != 0
    }

    /// Of a unit that was written: whether a trim beside it was under way since.
    pub(super) fn beside_a_trim(self) -> bool {
        self.0 & (BESIDE | TRIMMED) == BESIDE
    }

    /// Whether it was found wrong, and neither written nor trimmed since: it is not judged again.
    fn found_wrong(self) -> bool {
        self.seen() && (self.generation() == 0 || self.trimmed())
    }

    /// Whether nothing has changed but that it was seen, or that a trim was beside it.
    pub(super) fn same_as(self, other: Self) -> bool {
        (self.0 ^ other.0) & !(SEEN | BESIDE) == 0
    }
}

struct Area {
    path: String,
    start: u64,
    units: Vec<AtomicU32>,
}

/// What was written where, for all targets of a run.
pub struct Ledger {
    /// Held by who reads something again to tell what it is.
    pub(super) settling: Mutex<()>,
    session: u64,
    unit_bytes: u64,
    /// Bytes of the longest write.
    longest_bytes: u64,
    /// The generation that was given out last.
    last: AtomicU64,
    /// Whether anything was ever trimmed.
    trims: AtomicBool,
    areas: Vec<Area>,
}

impl Ledger {
    /// A ledger that knows nothing, of areas given by path, start and length in bytes, for writes
    /// of whole units, the longest of so many bytes.
    ///
    /// # Panics
    /// If a unit is no multiple of a sector, or an area does not begin with one: a plan has neither.
    pub fn new(session: u64, (unit_bytes, longest_bytes): (u64, u64), areas: &[(String, u64, u64)]) -> Self {
        assert!(
            unit_bytes > 0 && unit_bytes.is_multiple_of(SECTOR_BYTES as u64),
            "units of {unit_bytes} bytes"
        );
        let area = |(path, start, length): &(String, u64, u64)| {
            assert!(
                start.is_multiple_of(unit_bytes),
                "an area that begins within a unit"
            );
            Area {
                path: path.clone(),
                start: *start,
                units: (0..length / unit_bytes).map(|_| AtomicU32::new(0)).collect(),
            }
        };
        Self {
            settling: Mutex::new(()),
            session,
            unit_bytes,
            longest_bytes,
            last: AtomicU64::new(0),
            trims: AtomicBool::new(false),
            areas: areas.iter().map(area).collect(),
        }
    }

    /// The number that no other run has.
    pub fn session(&self) -> u64 {
        self.session
    }

    /// Bytes of a unit.
    pub fn unit_bytes(&self) -> u64 {
        self.unit_bytes
    }

    /// Bytes of the longest write.
    pub fn longest_bytes(&self) -> u64 {
        self.longest_bytes
    }

    /// What is known of each unit of a target, to be kept; writes under way are left out.
    pub fn words(&self, target: usize) -> Vec<u32> {
        let units = self.areas[target].units.iter();
        units
            .map(|unit| unit.load(Ordering::Acquire) & !WRITING)
            .collect()
    }

    /// Know of a target what was kept of it.
    pub fn set_words(&self, target: usize, words: &[u32]) {
        let units = self.areas[target].units.iter().zip(words);
        units.for_each(|(unit, word)| unit.store(word & !WRITING, Ordering::Release));
        if words.iter().any(|word| word & TRIMMED != 0) {
            self.trims.store(true, Ordering::Release);
        }
    }

    /// Whether anything was ever trimmed.
    pub(super) fn trims(&self) -> bool {
        self.trims.load(Ordering::Acquire)
    }

    /// The generation that was given out last.
    pub fn last_generation(&self) -> u64 {
        self.last.load(Ordering::Acquire)
    }

    /// Paths of the targets.
    pub fn paths(&self) -> Vec<String> {
        self.areas.iter().map(|area| area.path.clone()).collect()
    }

    /// Index of the target at a path.
    pub fn target(&self, path: &str) -> Option<usize> {
        self.areas.iter().position(|area| area.path == path)
    }

    /// Where the area of a target begins, in bytes.
    pub fn area_start(&self, target: usize) -> u64 {
        self.areas[target].start
    }

    /// A generation for a write or trim.
    pub fn next_generation(&self) -> u64 {
        loop {
            let generation = self.last.fetch_add(1, Ordering::AcqRel) + 1;
            if low(generation) != 0 {
                return generation;
            }
        }
    }

    /// Leave out so many generations: a ledger that goes on from an earlier one gives none twice.
    pub fn skip_generations(&self, count: u64) {
        self.last.fetch_add(count, Ordering::AcqRel);
    }

    /// The stamp of a place.
    pub fn stamp(&self, target: usize, offset: u64, generation: u64) -> Stamp {
        Stamp {
            session: self.session,
            target: target as u32,
            offset,
            generation,
        }
    }

    /// Take the units of a write, all or none; none where another write or trim has one of them.
    pub fn claim(&self, target: usize, offset: u64, bytes: u64) -> bool {
        let claimed = self.take(target, offset, bytes);
        if claimed && self.trims() {
            // Trims that ended before it are no danger to what it writes.
            let written = |unit: &&AtomicU32| unit.load(Ordering::Acquire) & TRIMMED == 0;
            let units = self.units(target, offset, bytes).iter().filter(written);
            units.for_each(|unit| {
                unit.fetch_and(!BESIDE, Ordering::AcqRel);
            });
        }
        claimed
    }

    /// Take units all the same, to trim them or to read them again in peace.
    pub(super) fn take(&self, target: usize, offset: u64, bytes: u64) -> bool {
        let units = self.units(target, offset, bytes);
        for (number, unit) in units.iter().enumerate() {
            if unit.fetch_or(WRITING, Ordering::AcqRel) & WRITING != 0 {
                units[..number].iter().for_each(release);
                return false;
            }
        }
        true
    }

    /// Give back the units of a write that was acknowledged.
    pub fn written(&self, target: usize, offset: u64, bytes: u64, generation: u64) {
        let units = self.units(target, offset, bytes);
        if !self.trims() {
            return units
                .iter()
                .for_each(|unit| unit.store(low(generation), Ordering::Release));
        }
        for unit in units {
            // A trim that came beside it meanwhile stays known.
            change(unit, |known| {
                let beside = if Known(known).beside_a_trim() { BESIDE } else { 0 };
                low(generation) | beside
            });
        }
    }

    /// A target was filled from end to end with sectors of one generation.
    pub fn filled(&self, target: usize, generation: u64) {
        let units = self.areas[target].units.iter();
        units.for_each(|unit| unit.store(low(generation), Ordering::Release));
    }

    /// Give back the units of a write that failed: nobody knows what they hold.
    pub fn failed(&self, target: usize, offset: u64, bytes: u64) {
        let units = self.units(target, offset, bytes);
        units.iter().for_each(|unit| unit.store(0, Ordering::Release));
    }

    /// Know nothing of these units any more but that they were found wrong, until they are written
    /// again; what is being written is left to its write.
    pub(super) fn forget(&self, range: Range<u64>, target: usize) {
        for unit in self.units(target, range.start, range.end - range.start) {
            let known = unit.load(Ordering::Acquire);
            if known & WRITING == 0 {
                let _ = unit.compare_exchange(known, SEEN, Ordering::AcqRel, Ordering::Relaxed);
            }
        }
    }

    /// Give back units that were claimed to be read again in peace.
    pub(super) fn give_back(&self, range: &Range<u64>, target: usize) {
        let units = self.units(target, range.start, range.end - range.start);
        units.iter().for_each(release);
    }

    /// Take down what is known of these units.
    pub fn take_down(&self, target: usize, offset: u64, bytes: u64, into: &mut Vec<Known>) {
        into.clear();
        let units = self.units(target, offset, bytes);
        into.extend(units.iter().map(|unit| Known(unit.load(Ordering::Acquire))));
    }

    /// What is known of the unit at an offset.
    pub(super) fn known(&self, target: usize, offset: u64) -> Known {
        Known(self.units(target, offset, self.unit_bytes)[0].load(Ordering::Acquire))
    }

    /// Number of the write that is expected at an offset, or of the trim.
    pub fn generation_at(&self, target: usize, offset: u64) -> u64 {
        self.whole(self.known(target, offset))
    }

    /// Note that a read has seen what a unit was known to hold.
    pub(super) fn see(&self, target: usize, offset: u64, known: Known) {
        let unit = &self.units(target, offset, self.unit_bytes)[0];
        // Where it has changed meanwhile, nothing was seen of what is new.
        let _ = unit.compare_exchange(known.0, known.0 | SEEN, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// The whole of a generation of which the low bits are known.
    pub(super) fn whole(&self, known: Known) -> u64 {
        let last = self.last_generation();
        last - u64::from(low(last).wrapping_sub(known.generation()) & GENERATION)
    }

    /// Take the units around an offset that the same write wrote and nobody is writing, as far as
    /// they reach, a fill no further than the longest write; gives their range in bytes.
    pub(super) fn claim_write(&self, target: usize, offset: u64) -> Option<Range<u64>> {
        let area = &self.areas[target];
        let at = ((offset - area.start) / self.unit_bytes) as usize;
        let generation = self.known(target, offset).generation();
        let take = |unit: &AtomicU32| {
            let known = unit.load(Ordering::Acquire);
            let taken = unit.compare_exchange(known, known | WRITING, Ordering::AcqRel, Ordering::Relaxed);
            if Known(known).generation() == generation && known & (WRITING | TRIMMED) == 0 && taken.is_ok() {
                return true;
            }
            if taken.is_ok() && known & WRITING == 0 {
                release(unit);
            }
            false
        };
        if generation == 0 || !take(&area.units[at]) {
            return None;
        }
        let most = (self.longest_bytes / self.unit_bytes) as usize;
        let before = area.units[..at]
            .iter()
            .rev()
            .take(most)
            .take_while(|unit| take(unit))
            .count();
        let after = area.units[at + 1..]
            .iter()
            .take(most)
            .take_while(|unit| take(unit))
            .count();
        let byte = |unit: usize| area.start + unit as u64 * self.unit_bytes;
        Some(byte(at - before)..byte(at + 1 + after))
    }

    /// Bytes of a target that something is known of and that were written after `since`.
    pub fn known_bytes(&self, target: usize, since: u64) -> u64 {
        let units = self.areas[target].units.iter();
        let known = units.filter(|unit| self.is_after(Known(unit.load(Ordering::Acquire)), since));
        known.count() as u64 * self.unit_bytes
    }

    /// The next range in bytes, from an offset on and at most so long, that something is known of
    /// and that was written after `since`.
    pub fn next_range(&self, target: usize, from: u64, most: u64, since: u64) -> Option<Range<u64>> {
        let area = &self.areas[target];
        let first = (from.max(area.start) - area.start) / self.unit_bytes;
        let known = |unit: &AtomicU32| self.is_after(Known(unit.load(Ordering::Acquire)), since);
        let begin = first as usize + area.units.get(first as usize..)?.iter().position(known)?;
        let most = (most / self.unit_bytes).max(1) as usize;
        let long = area.units[begin..]
            .iter()
            .take(most)
            .take_while(|unit| known(unit))
            .count();
        let byte = |unit: usize| area.start + unit as u64 * self.unit_bytes;
        Some(byte(begin)..byte(begin + long))
    }

    /// What of a target was found wrong and neither written nor trimmed since: in how many places, each of
    /// units side by side, and how many bytes of units.
    pub fn found_wrong(&self, target: usize) -> (u64, u64) {
        let (mut places, mut units, mut before) = (0, 0, false);
        for unit in &self.areas[target].units {
            let wrong = Known(unit.load(Ordering::Acquire)).found_wrong();
            places += u64::from(wrong && !before);
            units += u64::from(wrong);
            before = wrong;
        }
        (places, units * self.unit_bytes)
    }

    fn is_after(&self, known: Known, since: u64) -> bool {
        known.generation() != 0 && self.whole(known) > since
    }

    fn units(&self, target: usize, offset: u64, bytes: u64) -> &[AtomicU32] {
        let area = &self.areas[target];
        let first = ((offset - area.start) / self.unit_bytes) as usize;
        &area.units[first..first + (bytes / self.unit_bytes) as usize]
    }
}

fn release(unit: &AtomicU32) {
    unit.fetch_and(!WRITING, Ordering::AcqRel);
}

fn change(unit: &AtomicU32, to: impl Fn(u32) -> u32) {
    let _ = unit.fetch_update(Ordering::AcqRel, Ordering::Acquire, |known| Some(to(known)));
}

/// What a word of the first format of kept ledgers says: it had 30 bits of the generation, and no trims.
pub fn word_of_first(word: u32) -> u32 {
    // Of a generation whose low bits are 0 nothing can be told.
    if word & GENERATION == 0 {
        return 0;
    }
    word & (GENERATION | SEEN)
}

/// The bits of a generation that a unit keeps.
#[inline]
pub(super) fn low(generation: u64) -> u32 {
    generation as u32 & GENERATION
}
