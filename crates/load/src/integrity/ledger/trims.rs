//! What a ledger knows of trims: of what was trimmed nothing is expected, and beside it a trim may
//! have gone too far.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::{BESIDE, GENERATION, Known, Ledger, SEEN, TRIMMED, WRITING, change, low, release};

impl Ledger {
    /// Take the units of a trim as [`Ledger::claim`] does those of a write: from now on, nothing is expected
    /// of what they hold.
    pub fn claim_to_trim(&self, target: usize, offset: u64, bytes: u64) -> bool {
        if !self.take(target, offset, bytes) {
            return false;
        }
        self.trims.store(true, Ordering::Release);
        let generation = low(self.next_generation());
        for unit in self.units(target, offset, bytes) {
            change(unit, |known| after_trim(known, generation) | WRITING);
        }
        self.beside(target, offset, bytes);
        true
    }

    /// Give back the units of a trim, whether it was done or failed: what it left was open before.
    pub fn trimmed(&self, target: usize, offset: u64, bytes: u64) {
        self.units(target, offset, bytes).iter().for_each(release);
        self.beside(target, offset, bytes);
    }

    /// Whether the unit at an offset is trimmed.
    pub fn is_trimmed(&self, target: usize, offset: u64) -> bool {
        self.known(target, offset).trimmed()
    }

    /// Know of a range that it may have been trimmed since it was written.
    pub fn may_be_trimmed(&self, target: usize, offset: u64, bytes: u64) {
        self.trims.store(true, Ordering::Release);
        for unit in self.units(target, offset, bytes) {
            change(unit, |known| match known & (GENERATION | WRITING) {
                generation @ 1..=GENERATION => after_trim(known, generation),
                _ => known,
            });
        }
        self.beside(target, offset, bytes);
    }

    /// Know of a range that a trim beside it took it along: it is as if it were trimmed, and was found wrong.
    pub(in crate::integrity) fn overtrimmed(&self, target: usize, offset: u64, bytes: u64) {
        self.may_be_trimmed(target, offset, bytes);
        for unit in self.units(target, offset, bytes) {
            change(unit, |known| match known & (TRIMMED | WRITING) {
                TRIMMED => known | SEEN,
                _ => known,
            });
        }
    }

    /// Note of the units at both ends of a trim that it was beside them.
    fn beside(&self, target: usize, offset: u64, bytes: u64) {
        let area = &self.areas[target];
        let first = ((offset - area.start) / self.unit_bytes) as usize;
        let before = first.checked_sub(1).map(|before| &area.units[before]);
        let after = area.units.get(first + (bytes / self.unit_bytes) as usize);
        for unit in before.into_iter().chain(after) {
            change(unit, |known| match known & (TRIMMED | GENERATION) {
                1..=GENERATION => known | BESIDE,
                _ => known,
            });
        }
    }

    /// The written units from a place on, upwards or downwards, as far as to the first that a trim was beside
    /// since, and at most so many bytes: their range; none where no trim is so near.
    pub(in crate::integrity) fn up_to_trim(
        &self,
        target: usize,
        offset: u64,
        most: u64,
        upwards: bool,
    ) -> Option<Range<u64>> {
        let area = &self.areas[target];
        let at = ((offset - area.start) / self.unit_bytes) as usize;
        let known = |unit: usize| Known(area.units[unit].load(Ordering::Acquire));
        let many = (most / self.unit_bytes).max(1) as usize;
        let way: Vec<usize> = if upwards {
            (at..area.units.len()).take(many).collect()
        } else {
            (0..at).rev().take(many).collect()
        };
        let nearest = way
            .iter()
            .take_while(|unit| known(**unit).generation() != 0 && !known(**unit).trimmed())
            .position(|unit| known(*unit).beside_a_trim())?;
        let byte = |unit: usize| area.start + unit as u64 * self.unit_bytes;
        let far = way[nearest];
        Some(if upwards {
            byte(at)..byte(far + 1)
        } else {
            byte(far)..byte(at)
        })
    }
}

/// What is known of a unit after a trim of this generation.
fn after_trim(known: u32, generation: u32) -> u32 {
    let written = known & GENERATION != 0 && known & TRIMMED == 0;
    let before = if written { BESIDE } else { known & BESIDE };
    TRIMMED | before | generation
}
