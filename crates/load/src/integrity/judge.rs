//! Telling what a read has found: as written, or which kind of corruption.
//!
//! What is right is told fast. What is not is looked at once more, with writes to it kept away
//! meanwhile: the kinds differ in what a second look sees.

use std::ops::Range;

use super::findings::{Finding, Findings, Found, Kind};
use super::ledger::{Known, Ledger, low};
use super::stamp::{Look, SECTOR_BYTES, Stamp, look};

/// Findings after which nothing is read again: the load would only crawl.
const MOST_READ_AGAIN: u64 = 10_000;
const SECTOR: u64 = SECTOR_BYTES as u64;

/// How a sector is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Older,
    As(Kind),
}

/// A wrong sector.
#[derive(Clone, Copy, Debug)]
struct Suspect {
    offset: u64,
    wrong: Wrong,
    stamp: Option<Stamp>,
    expected: u64,
    /// Whether no write to it was on its way: then it can be read again.
    quiet: bool,
    seen: bool,
}

impl Suspect {
    /// Whether another one is the next sector of the same trouble.
    fn goes_on_with(&self, other: &Self) -> bool {
        let place = |suspect: &Self| {
            suspect
                .stamp
                .map_or(0, |stamp| stamp.offset.wrapping_sub(suspect.offset))
        };
        self.offset + SECTOR == other.offset
            && (self.wrong, self.expected, self.quiet) == (other.wrong, other.expected, other.quiet)
            && (self.wrong != Wrong::As(Kind::Misdirected) || place(self) == place(other))
    }
}

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
        findings.checked_bytes += unit_bytes as u64;
        let at = offset + (number * unit_bytes) as u64;
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

/// How a sector is wrong where the write `expected` or a later one belongs, and what it says of
/// itself; nothing where it is right.
fn wrong(sector: &[u8], expected: &Stamp) -> Option<(Wrong, Option<Stamp>)> {
    let same_place = |stamp: &Stamp| (stamp.target, stamp.offset) == (expected.target, expected.offset);
    Some(match look(sector, expected) {
        Look::Whole(stamp) if stamp.session != expected.session => {
            let wrong = if same_place(&stamp) {
                Wrong::Older
            } else {
                Wrong::As(Kind::Foreign)
            };
            (wrong, Some(stamp))
        }
        Look::Whole(stamp) if !same_place(&stamp) => (Wrong::As(Kind::Misdirected), Some(stamp)),
        // Of what is very old the ledger knows only the low bits.
        Look::Whole(stamp) if low(stamp.generation) == low(expected.generation) => return None,
        Look::Whole(stamp) if stamp.generation < expected.generation => (Wrong::Older, Some(stamp)),
        Look::Whole(_) => return None,
        Look::Damaged(stamp) => (Wrong::As(Kind::BitFlip), Some(stamp)),
        Look::Zeros => (Wrong::As(Kind::Zeros), None),
        Look::Foreign => (Wrong::As(Kind::Foreign), None),
    })
}

struct Settling<'a> {
    ledger: &'a Ledger,
    target: usize,
    findings: &'a mut Findings,
    again: &'a mut dyn FnMut(Range<u64>) -> Option<Vec<u8>>,
}

impl Settling<'_> {
    #[cold]
    fn settle(&mut self, offset: u64, data: &[u8], before: &[Known]) {
        let ledger = self.ledger;
        // One at a time: what is read again is claimed, and must not look like being written.
        let alone = ledger.settling.lock().expect("nobody panics with it");
        let suspects = self.suspects(offset, data, before);
        let mut forget = Vec::new();
        let mut settled = 0..0;
        let mut rest = suspects.as_slice();
        while let Some(first) = rest.first() {
            let long = 1 + rest
                .windows(2)
                .take_while(|pair| pair[0].goes_on_with(&pair[1]))
                .count();
            let (group, others) = rest.split_at(long);
            rest = others;
            if first.wrong == Wrong::Older && settled.contains(&first.offset) {
                continue;
            }
            let read_again = first.quiet && self.findings.total() < MOST_READ_AGAIN;
            let (finding, range) = match first.wrong {
                Wrong::Older if read_again => self.older(group),
                Wrong::As(kind) if read_again => self.read_again(group, kind),
                _ => (as_it_stands(group), None),
            };
            if let Some(range) = range {
                if first.wrong == Wrong::Older {
                    settled = range.clone();
                }
                if finding.lasting == Some(true) {
                    forget.push(range);
                }
            }
            self.add(finding, group);
        }
        // What is wrong and stays so is told once.
        forget
            .into_iter()
            .for_each(|range| ledger.forget(range, self.target));
        drop(alone);
    }

    /// The wrong sectors of a read; those that were being written only where they are told for
    /// certain.
    fn suspects(&mut self, offset: u64, data: &[u8], before: &[Known]) -> Vec<Suspect> {
        let unit_bytes = self.ledger.unit_bytes() as usize;
        let mut suspects = Vec::new();
        for (number, (unit, known)) in data.chunks_exact(unit_bytes).zip(before).enumerate() {
            let at = offset + (number * unit_bytes) as u64;
            let now = self.ledger.known(self.target, at);
            if known.generation() == 0 || now.generation() == 0 {
                continue;
            }
            let expected = self.ledger.whole(*known);
            let quiet = !known.writing() && known.same_as(now);
            for (number, sector) in unit.chunks_exact(SECTOR_BYTES).enumerate() {
                let offset = at + number as u64 * SECTOR;
                let stamp = self.ledger.stamp(self.target, offset, expected);
                let Some((wrong, stamp)) = wrong(sector, &stamp) else {
                    continue;
                };
                if !quiet && !matches!(wrong, Wrong::Older | Wrong::As(Kind::Misdirected)) {
                    self.findings.not_judged_bytes += SECTOR;
                    continue;
                }
                let seen = known.seen() || (quiet && now.seen());
                suspects.push(Suspect {
                    offset,
                    wrong,
                    stamp,
                    expected,
                    quiet,
                    seen,
                });
            }
        }
        suspects
    }

    /// Older data where a write is expected: read all that is left of that write once more.
    fn older(&mut self, group: &[Suspect]) -> (Finding, Option<Range<u64>>) {
        let first = group[0];
        let mut finding = as_it_stands(group);
        let unit = self.units_of(first.offset..first.offset + SECTOR);
        let Some(range) = self.ledger.claim_write(self.target, unit.start) else {
            return (finding, None);
        };
        let data = (self.again)(range.clone());
        self.ledger.give_back(&range, self.target);
        let Some(data) = data else { return (finding, None) };
        let sectors = data
            .chunks_exact(SECTOR_BYTES)
            .zip((range.start..).step_by(SECTOR_BYTES));
        let (mut right, mut old) = (0, Vec::new());
        for (sector, offset) in sectors {
            match wrong(sector, &self.ledger.stamp(self.target, offset, first.expected)) {
                None => right += 1,
                Some((Wrong::Older, stamp)) => old.push((offset, stamp)),
                Some(_) => {}
            }
        }
        finding.lasting = Some(!old.is_empty());
        match old.first() {
            None => finding.kind = Kind::Stale,
            Some(&(offset, stamp)) => {
                finding.kind = match (first.seen, right) {
                    (true, _) => Kind::Stale,
                    (false, 0) => Kind::Lost,
                    (false, _) => Kind::Torn,
                };
                finding.offset_bytes = offset;
                finding.bytes = old.len() as u64 * SECTOR;
                finding.found = stamp.map(|stamp| Found::of(&stamp, self.ledger.session()));
            }
        }
        (finding, Some(range))
    }

    /// Something else than older data: whether it lasts.
    fn read_again(&mut self, group: &[Suspect], kind: Kind) -> (Finding, Option<Range<u64>>) {
        let finding = as_it_stands(group);
        let range = self.units_of(group[0].offset..group[group.len() - 1].offset + SECTOR);
        if !self
            .ledger
            .claim(self.target, range.start, range.end - range.start)
        {
            return (finding, None);
        }
        let data = (self.again)(range.clone());
        self.ledger.give_back(&range, self.target);
        let Some(data) = data else { return (finding, None) };
        let still = group.iter().any(|suspect| {
            let from = (suspect.offset - range.start) as usize;
            let stamp = self.ledger.stamp(self.target, suspect.offset, suspect.expected);
            let found = wrong(&data[from..from + SECTOR_BYTES], &stamp);
            found.is_some_and(|(wrong, _)| wrong == Wrong::As(kind))
        });
        (
            Finding {
                lasting: Some(still),
                ..finding
            },
            Some(range),
        )
    }

    fn units_of(&self, range: Range<u64>) -> Range<u64> {
        let start = self.ledger.area_start(self.target);
        let unit = self.ledger.unit_bytes();
        let from = start + (range.start - start) / unit * unit;
        from..start + (range.end - start).next_multiple_of(unit)
    }

    fn add(&mut self, finding: Finding, group: &[Suspect]) {
        let found = group[0]
            .stamp
            .map(|stamp| Found::of(&stamp, self.ledger.session()));
        self.findings.add(Finding {
            target: self.target as u32,
            found: finding.found.or(found),
            ..finding
        });
    }
}

/// What wrong sectors are taken for that cannot be read again.
fn as_it_stands(group: &[Suspect]) -> Finding {
    let first = group[0];
    Finding {
        kind: match first.wrong {
            Wrong::Older if first.seen => Kind::Stale,
            Wrong::Older => Kind::Lost,
            Wrong::As(kind) => kind,
        },
        target: 0,
        offset_bytes: first.offset,
        bytes: group.len() as u64 * SECTOR,
        expected_generation: first.expected,
        found: None,
        lasting: None,
    }
}
