//! Settling what kind of corruption something is: it is looked at once more, with writes to it kept
//! away meanwhile, because the kinds differ in what a second look sees.

use std::ops::Range;

use super::findings::{Finding, Findings, Found, Kind};
use super::ledger::{GENERATION, Known, Ledger};
use super::stamp::{SECTOR_BYTES, Stamp};
use super::trims::{Left, blank, by_trim};
use super::wrong::{Wrong, trouble, wrong};

/// Findings after which nothing is read again: the load would only crawl.
const MOST_READ_AGAIN: u64 = 10_000;
const SECTOR: u64 = SECTOR_BYTES as u64;
/// Generations among which those of all writes under way are.
const RECENT: u64 = 1 << 26;

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
    /// What was known of its unit, where that was trimmed.
    trimmed: Option<Known>,
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
            && self.trimmed.is_some() == other.trimmed.is_some()
            && (self.wrong != Wrong::As(Kind::Misdirected) || place(self) == place(other))
    }
}

/// What reading again came to.
#[derive(Default)]
struct Again {
    /// What was read.
    read: Range<u64>,
    /// Units of it that are wrong for good.
    wrong: Vec<Range<u64>>,
}

/// What was known of a unit when a read of it began, and is now.
struct About {
    offset: u64,
    known: Known,
    now: Known,
    /// Number of the last write or trim when the read began.
    expected: u64,
}

/// Settles what is wrong in a read.
pub(super) struct Settling<'a> {
    pub(super) ledger: &'a Ledger,
    pub(super) target: usize,
    pub(super) findings: &'a mut Findings,
    /// Reads a range of the target once more.
    pub(super) again: &'a mut dyn FnMut(Range<u64>) -> Option<Vec<u8>>,
}

impl Settling<'_> {
    #[cold]
    pub(super) fn settle(&mut self, offset: u64, data: &[u8], before: &[Known]) {
        let ledger = self.ledger;
        // One at a time: what is read again is claimed, and must not look like being written.
        let alone = ledger.settling.lock().expect("nobody panics with it");
        let suspects = self.suspects(offset, data, before);
        let mut told = Vec::new();
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
            let (finding, again) = match first.wrong {
                Wrong::Older if read_again => self.older(group),
                Wrong::As(kind) if read_again => self.read_again(group, kind),
                _ => (as_it_stands(group), Again::default()),
            };
            if first.wrong == Wrong::Older {
                settled = again.read;
            }
            let overtrimmed = finding.kind == Kind::Overtrimmed;
            told.extend(again.wrong.into_iter().map(|range| (range, overtrimmed)));
            self.add(finding, group);
        }
        // What is wrong and stays so is told once.
        for (range, overtrimmed) in told {
            if overtrimmed {
                ledger.overtrimmed(self.target, range.start, range.end - range.start);
            } else {
                ledger.forget(range, self.target);
            }
        }
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
            let about = About {
                offset: at,
                known: *known,
                now,
                expected: self.ledger.whole(*known),
            };
            self.suspects_of(unit, &about, &mut suspects);
        }
        suspects
    }

    fn suspects_of(&mut self, unit: &[u8], about: &About, suspects: &mut Vec<Suspect>) {
        let (known, now, expected) = (about.known, about.now, about.expected);
        let quiet = !known.writing() && known.same_as(now);
        let trimmed = known.trimmed().then_some(known);
        for (sector, offset) in unit
            .chunks_exact(SECTOR_BYTES)
            .zip((about.offset..).step_by(SECTOR_BYTES))
        {
            let stamp = self.ledger.stamp(self.target, offset, expected);
            let Some((wrong, stamp)) = trouble(sector, &stamp, trimmed) else {
                continue;
            };
            let certain = match wrong {
                Wrong::Older => self.is_older(about, stamp),
                Wrong::As(kind) => kind == Kind::Misdirected,
            };
            if !quiet && !certain {
                self.findings.not_judged_bytes += SECTOR;
                continue;
            }
            suspects.push(Suspect {
                offset,
                wrong,
                stamp,
                expected,
                quiet,
                seen: known.seen() || (quiet && now.seen()),
                trimmed,
            });
        }
    }

    /// Whether what is older than what was known before a write that is under way is wrong for certain.
    fn is_older(&self, about: &About, stamp: Option<Stamp>) -> bool {
        let last = self.ledger.last_generation();
        // Of what was written so long ago that its low bits came round again, nobody knows how old it is: it
        // may be older than a write under way.
        let came_round = |stamp: Stamp| last > u64::from(GENERATION) && stamp.generation + RECENT > last;
        // Where another operation began or ended meanwhile, it may have been a trim, and what that leaves is open.
        let trimmed = self.ledger.trims() && about.known.generation() != about.now.generation();
        !trimmed && !stamp.is_some_and(came_round)
    }

    /// Older data where a write is expected: read all that is left of that write once more.
    fn older(&mut self, group: &[Suspect]) -> (Finding, Again) {
        let first = group[0];
        let mut finding = as_it_stands(group);
        let unit = self.units_of(first.offset..first.offset + SECTOR);
        let Some(range) = self.ledger.claim_write(self.target, unit.start) else {
            return (finding, Again::default());
        };
        let data = (self.again)(range.clone());
        self.ledger.give_back(&range, self.target);
        let Some(data) = data else {
            return (finding, Again::default());
        };
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
        // What else is wrong of that write is told for itself.
        let mut units: Vec<_> = old
            .iter()
            .map(|(offset, _)| self.units_of(*offset..offset + SECTOR))
            .collect();
        units.dedup();
        let again = Again {
            read: range,
            wrong: units,
        };
        (finding, again)
    }

    /// Something else than older data: whether it lasts.
    fn read_again(&mut self, group: &[Suspect], kind: Kind) -> (Finding, Again) {
        let finding = as_it_stands(group);
        let range = self.units_of(group[0].offset..group[group.len() - 1].offset + SECTOR);
        if !self
            .ledger
            .take(self.target, range.start, range.end - range.start)
        {
            return (finding, Again::default());
        }
        let data = (self.again)(range.clone());
        self.ledger.give_back(&range, self.target);
        let Some(data) = data else {
            return (finding, Again::default());
        };
        let sector = |suspect: &Suspect| {
            let from = (suspect.offset - range.start) as usize;
            &data[from..from + SECTOR_BYTES]
        };
        let still = group.iter().any(|suspect| {
            let stamp = self.ledger.stamp(self.target, suspect.offset, suspect.expected);
            let found = trouble(sector(suspect), &stamp, suspect.trimmed);
            found.is_some_and(|(wrong, _)| wrong == Wrong::As(kind))
        });
        let last = group[group.len() - 1].offset + SECTOR;
        let place = Left {
            target: self.target,
            range: range.clone(),
            ends: (group[0].offset == range.start, last == range.end),
        };
        let mut sectors = group.iter().map(sector);
        let overtrimmed = still && sectors.all(blank) && by_trim(self.ledger, &place, self.again);
        let finding = Finding {
            kind: if overtrimmed { Kind::Overtrimmed } else { kind },
            lasting: Some(still),
            ..finding
        };
        let again = Again {
            read: range.clone(),
            wrong: still.then_some(range).into_iter().collect(),
        };
        (finding, again)
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
        trimmed: first.trimmed.is_some(),
        found: None,
        lasting: None,
    }
}
