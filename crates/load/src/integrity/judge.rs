//! Telling what a read has found: as written, or how it is wrong. What is right is told fast.

use std::ops::Range;

use super::findings::Findings;
use super::ledger::{Known, Ledger, low};
use super::settling::Settling;
use super::stamp::{Look, SECTOR_BYTES, Stamp, look};
use super::trims::{Holds, holds};

const SECTOR: u64 = SECTOR_BYTES as u64;

/// Judge a read of whole units from a place, given what was known of them when it began.
///
/// `again` reads a range of the target once more, without a cache where that can be had.
pub fn judge(
    ledger: &Ledger,
    (target, offset): (usize, u64),
    data: &[u8],
    before: &[Known],
    findings: &mut Findings,
    again: &mut dyn FnMut(Range<u64>) -> Option<Vec<u8>>,
) {
    let unit_bytes = ledger.unit_bytes() as usize;
    assert_eq!(data.len(), before.len() * unit_bytes, "whole units");
    let mut wrong = false;
    for (number, (unit, known)) in data.chunks_exact(unit_bytes).zip(before).enumerate() {
        if known.generation() == 0 {
            continue;
        }
        let at = offset + (number * unit_bytes) as u64;
        if known.trimmed() {
            wrong |= !as_trimmed(ledger, (target, at), unit, *known, findings);
            continue;
        }
        findings.checked_bytes += unit_bytes as u64;
        if !as_known(ledger, (target, at), unit, *known) {
            wrong = true;
        } else if !known.seen() && !known.writing() {
            ledger.see(target, at, *known);
        }
    }
    if wrong {
        Settling {
            ledger,
            target,
            findings,
            again,
        }
        .settle(offset, data, before);
    }
}

#[inline]
fn as_known(ledger: &Ledger, (target, at): (usize, u64), unit: &[u8], known: Known) -> bool {
    let expected = ledger.stamp(target, at, 0);
    let sectors = unit.chunks_exact(SECTOR_BYTES).enumerate();
    sectors.into_iter().all(|(number, sector)| {
        let place = Stamp {
            offset: expected.offset + number as u64 * SECTOR,
            ..expected
        };
        matches!(look(sector, &place), Look::Whole(stamp)
            if stamp == Stamp { generation: stamp.generation, ..place }
                && low(stamp.generation) == known.generation())
    })
}

/// Count what a trimmed unit holds; whether nothing of it belongs elsewhere.
fn as_trimmed(
    ledger: &Ledger,
    (target, at): (usize, u64),
    unit: &[u8],
    known: Known,
    findings: &mut Findings,
) -> bool {
    findings.trimmed_bytes += unit.len() as u64;
    let mut right = true;
    for (sector, offset) in unit.chunks_exact(SECTOR_BYTES).zip((at..).step_by(SECTOR_BYTES)) {
        match holds(sector, &ledger.stamp(target, offset, 0), known.was_written()) {
            Holds::Zeros => findings.trimmed_zeros_bytes += SECTOR,
            Holds::Anything => {}
            Holds::Stranger(..) => right = false,
        }
    }
    right
}
