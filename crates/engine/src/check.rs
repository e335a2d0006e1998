//! A worker's side of verified I/O: stamps what it writes, checks what it reads, and lets a
//! write or trim wait that would overlap another one.

use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::sync::Arc;

use iodyno_load::integrity::{Findings, Known, Ledger, judge};
use iodyno_load::pattern::Access;

use crate::buffers::Buffers;

/// How soon a write or trim that waits for another one is tried again, in ns: after as long as it has waited, within
/// these. Hundreds of threads that wait for one place would leave no processor to who writes it.
const RETRY_NS: std::ops::RangeInclusive<u64> = 100_000..=5_000_000;

/// An access that waits for a write or trim of the same place.
pub(crate) struct Waiting {
    pub(crate) slot: usize,
    pub(crate) access: Access,
}

/// What an outstanding I/O is checked against.
#[derive(Clone, Default)]
struct Held {
    /// Number of a write; a trim's is the ledger's own.
    generation: u64,
    /// What was known of the units of a read when it began.
    known: Vec<Known>,
    /// Whether it waits for another write, and was counted.
    held_up: bool,
    /// Since when, in ns of the clock, as far as that was asked.
    since: Option<u64>,
}

/// Checks the I/O of one thread.
pub(crate) struct Checker<'a> {
    ledger: Arc<Ledger>,
    /// Index in the ledger of the target of each lane.
    targets: Vec<usize>,
    /// One for each lane.
    files: &'a [File],
    held: Vec<Held>,
    waiting: Vec<Waiting>,
    pub(crate) findings: Findings,
}

impl<'a> Checker<'a> {
    /// Check the I/O of so many slots on lanes that are these targets of the ledger.
    pub(crate) fn new(ledger: Arc<Ledger>, targets: Vec<usize>, files: &'a [File], slots: usize) -> Self {
        Self {
            ledger,
            targets,
            files,
            held: vec![Held::default(); slots],
            waiting: Vec::new(),
            findings: Findings::default(),
        }
    }

    /// Whether an access may begin; where not, it waits here.
    pub(crate) fn admits(&mut self, lane: usize, slot: usize, access: Access) -> bool {
        let Access {
            write,
            trim,
            offset,
            bytes,
        } = access;
        let (target, bytes) = (self.targets[lane], u64::from(bytes));
        let held = &mut self.held[slot];
        if !write && !trim {
            self.ledger.take_down(target, offset, bytes, &mut held.known);
        } else if trim && self.ledger.claim_to_trim(target, offset, bytes) {
            held.held_up = false;
        } else if write && self.ledger.claim(target, offset, bytes) {
            held.generation = self.ledger.next_generation();
            held.held_up = false;
        } else {
            if !held.held_up {
                self.findings.waited += 1;
                (held.held_up, held.since) = (true, None);
            }
            self.waiting.push(Waiting { slot, access });
            return false;
        }
        true
    }

    /// Stamp the block of a write.
    pub(crate) fn stamp(&self, lane: usize, slot: usize, offset: u64, block: &mut [u8]) {
        let generation = self.held[slot].generation;
        self.ledger
            .stamp(self.targets[lane], offset, generation)
            .put_all(block);
    }

    /// Take the accesses that wait, to try them again.
    pub(crate) fn take_waiting(&mut self) -> Vec<Waiting> {
        std::mem::take(&mut self.waiting)
    }

    /// The slots whose accesses wait.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = usize> {
        self.waiting.iter().map(|held| held.slot)
    }

    /// Whether the access of a slot waits.
    pub(crate) fn holds_up(&self, slot: usize) -> bool {
        self.held[slot].held_up
    }

    /// In how many ns those that wait are to be tried again; none where nothing waits.
    pub(crate) fn again_in(&mut self, now: impl FnOnce() -> u64) -> Option<u64> {
        let slots = || self.waiting.iter().map(|held| held.slot);
        slots().next()?;
        let now = now();
        let waited = |slot: usize| now.saturating_sub(*self.held[slot].since.get_or_insert(now));
        let least = slots().map(waited).min()?;
        Some(least.clamp(*RETRY_NS.start(), *RETRY_NS.end()))
    }

    /// A write has ended.
    pub(crate) fn written(&mut self, lane: usize, slot: usize, (offset, bytes): (u64, u32), done: bool) {
        let (target, bytes) = (self.targets[lane], u64::from(bytes));
        if done {
            self.ledger
                .written(target, offset, bytes, self.held[slot].generation);
        } else {
            self.ledger.failed(target, offset, bytes);
        }
    }

    /// A trim has ended, whether it was done or failed.
    pub(crate) fn trimmed(&mut self, lane: usize, (offset, bytes): (u64, u32)) {
        self.ledger.trimmed(self.targets[lane], offset, u64::from(bytes));
    }

    /// A read has ended: judge what came.
    pub(crate) fn read(&mut self, lane: usize, slot: usize, offset: u64, data: &[u8]) {
        let file = &self.files[lane];
        judge(
            &self.ledger,
            (self.targets[lane], offset),
            data,
            &self.held[slot].known,
            &mut self.findings,
            &mut |range| read_again(file, range, 1),
        );
    }
}

/// Read a range of a file at once, in multiples of `grain` bytes; nothing where that fails.
pub(crate) fn read_again(file: &File, range: Range<u64>, grain: u64) -> Option<Vec<u8>> {
    let from = range.start / grain * grain;
    let bytes = (range.end.next_multiple_of(grain) - from) as usize;
    let buffers = Buffers::map(bytes).ok()?;
    let mut read = 0;
    while read < bytes {
        // SAFETY: the rest of the mapping, which nothing else uses, holds what is asked for.
        let got = unsafe {
            libc::pread(
                file.as_raw_fd(),
                buffers.at(read, bytes - read).cast(),
                bytes - read,
                (from + read as u64) as i64,
            )
        };
        if got <= 0 {
            return None;
        }
        read += got as usize;
    }
    let within = (range.start - from) as usize..(range.end - from) as usize;
    Some(buffers.bytes(within.start, within.len()).to_vec())
}

#[cfg(test)]
mod tests;
