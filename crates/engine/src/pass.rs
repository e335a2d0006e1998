//! Reading everything that a ledger knows of a target, and comparing.
//!
//! A read that fails is made again in halves, down to a unit: one sector that cannot be read hides nothing but
//! its own unit. Where as many in a row have failed as find no good unit in a whole read, or the device has gone, reads
//! that fail are left as they are, until one succeeds: then what lies beside that is read in halves after all.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use iodyno_load::integrity::{Finding, Findings, Kind, Known, Ledger, judge};

use crate::backend::aio::Aio;
use crate::backend::ring::{Ring, Uring};
use crate::backend::sync::Sync;
use crate::backend::{Backend, Done, Engine, Io};
use crate::buffers::{Buffers, PAGE_BYTES};
use crate::check::read_again;
use crate::error::EngineError;
use crate::fill::DEPTH;
use crate::observer::Control;

/// Most bytes of a read, unless a unit is larger.
const READ_BYTES: u64 = 1 << 20;
const WAIT_NS: u64 = 50_000_000;
/// Errors of a device that has gone: no part of what failed can be read.
const GONE: [i32; 3] = [libc::ENODEV, libc::ENXIO, libc::ENOMEDIUM];

/// A target as the pass reads it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The file or device.
    pub path: &'a Path,
    /// Bypass the caches of the operating system.
    pub direct: bool,
    /// Smallest unit of direct I/O in bytes.
    pub logical_block_bytes: u64,
    /// Only what was written after this generation; 0: all that is known.
    pub since: u64,
}

/// Read what a ledger knows of a target and compare: nobody may be writing to it.
///
/// Caches of the operating system are written back and bypassed, or dropped where they cannot
/// be bypassed. The observer hears how many bytes are read and can interrupt.
///
/// # Errors
/// [`EngineError`] where the target cannot be opened or the observer interrupts. A read that
/// fails is a finding.
///
/// # Panics
/// If the ledger does not have the target.
pub fn verify(
    ledger: &Ledger,
    place: Place<'_>,
    mut observe: impl FnMut(u64) -> Control,
) -> Result<Findings, EngineError> {
    let path = place.path.display().to_string();
    let target = ledger.target(&path).expect("the ledger has the target");
    let files = [open(&path, place.direct)?];
    drop_caches(&files[0]).map_err(EngineError::system(
        "the caches of the target could not be dropped",
    ))?;
    let failed = EngineError::system;
    let reader =
        Reader::new(ledger, target, &files[0], place).map_err(failed("not enough memory for the blocks"))?;
    if Engine::IoUring.forbidden().is_none() {
        let mut ring = Ring::new(DEPTH).map_err(failed("the kernel gave no ring"))?;
        let backend = Uring::new(&mut ring, &files, &reader.buffers, DEPTH, place.direct);
        reader.run(backend, DEPTH, &mut observe)
    } else if Engine::Aio.forbidden().is_none() {
        let backend =
            Aio::new(&files, DEPTH, place.direct).map_err(failed("the kernel gave no aio context"))?;
        reader.run(backend, DEPTH, &mut observe)
    } else {
        reader.run(Sync::new(&files), 1, &mut observe)
    }
}

fn open(path: &str, direct: bool) -> Result<File, EngineError> {
    let flags = if direct { libc::O_DIRECT } else { 0 };
    let opened = OpenOptions::new().read(true).custom_flags(flags).open(path);
    opened.map_err(|source| EngineError::Open {
        path: path.to_owned(),
        source,
        direct,
    })
}

/// Write back what caches of the operating system hold of a file, and let them drop it.
fn drop_caches(file: &File) -> std::io::Result<()> {
    file.sync_all()?;
    // SAFETY: no memory is involved; advice that is not taken is no error.
    unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
    Ok(())
}

struct Reader<'a> {
    ledger: &'a Ledger,
    target: usize,
    file: &'a File,
    buffers: Buffers,
    stride: usize,
    grain: u64,
    most: u64,
    since: u64,
    /// Where to go on.
    next: u64,
    /// What each slot reads of what is known; it reads whole grains around it.
    ranges: Vec<Range<u64>>,
    known: Vec<Known>,
    /// Parts of reads that failed or came back short, to be read by themselves.
    again: Vec<Range<u64>>,
    /// Units that cannot be read.
    unreadable: Stretches,
    /// What could not be read and was not read in halves.
    left: Stretches,
    /// Reads that failed since one has succeeded.
    failed: u64,
    read: u64,
    /// How much of that was `left` and is read again: it does not count twice.
    again_bytes: u64,
    findings: Findings,
}

impl<'a> Reader<'a> {
    fn new(ledger: &'a Ledger, target: usize, file: &'a File, place: Place<'_>) -> std::io::Result<Self> {
        let grain = if place.direct {
            place.logical_block_bytes
        } else {
            1
        };
        let most = READ_BYTES.max(ledger.unit_bytes());
        let stride = (most + 2 * grain).next_multiple_of(PAGE_BYTES as u64) as usize;
        Ok(Self {
            ledger,
            target,
            file,
            buffers: Buffers::map(DEPTH * stride)?,
            stride,
            grain,
            most,
            since: place.since,
            next: 0,
            ranges: vec![0..0; DEPTH],
            known: Vec::new(),
            again: Vec::new(),
            unreadable: Stretches::default(),
            left: Stretches::default(),
            failed: 0,
            read: 0,
            again_bytes: 0,
            findings: Findings::default(),
        })
    }

    /// Read and compare, and leave the buffers to the kernel where it may still be writing to them.
    fn run<B: Backend>(
        mut self,
        mut backend: B,
        depth: usize,
        observe: &mut impl FnMut(u64) -> Control,
    ) -> Result<Findings, EngineError> {
        let mut free: Vec<usize> = (0..depth).collect();
        let read = self.read_all(&mut backend, &mut free, observe);
        let (mut unreadable, left) = (
            std::mem::take(&mut self.unreadable),
            std::mem::take(&mut self.left),
        );
        left.0
            .into_iter()
            .for_each(|(start, end)| unreadable.add(start..end));
        for (start, end) in unreadable.0 {
            self.findings.add(self.unreadable(start..end));
        }
        if free.len() < depth {
            std::mem::forget(self.buffers);
        }
        read.map(|()| self.findings)
    }

    fn read_all<B: Backend>(
        &mut self,
        backend: &mut B,
        free: &mut Vec<usize>,
        observe: &mut impl FnMut(u64) -> Control,
    ) -> Result<(), EngineError> {
        let depth = free.len();
        let mut done = Vec::new();
        let mut outcome = Ok(());
        loop {
            while outcome.is_ok()
                && let Some(&slot) = free.last()
                && let Some(range) = self.next_range()
            {
                free.pop();
                backend.push(&self.io(slot, range));
            }
            if free.len() == depth {
                return outcome;
            }
            let exchanged = backend.exchange(1, WAIT_NS);
            exchanged.map_err(EngineError::system("the target could not be read"))?;
            backend.reap(|one| done.push(one));
            for done in done.drain(..) {
                free.push(done.slot);
                self.check(done);
            }
            if observe(self.read) == Control::Interrupt {
                outcome = Err(EngineError::Interrupted);
            }
        }
    }

    fn around(&self, range: &Range<u64>) -> Range<u64> {
        range.start / self.grain * self.grain..range.end.next_multiple_of(self.grain)
    }

    /// What is to be read next: what failed comes first.
    fn next_range(&mut self) -> Option<Range<u64>> {
        self.again.pop().or_else(|| {
            let range = self
                .ledger
                .next_range(self.target, self.next, self.most, self.since)?;
            self.next = range.end;
            Some(range)
        })
    }

    fn io(&mut self, slot: usize, range: Range<u64>) -> Io {
        let around = self.around(&range);
        let bytes = (around.end - around.start) as u32;
        self.ranges[slot] = range;
        Io {
            slot,
            target: 0,
            write: false,
            offset: around.start,
            bytes,
            block: self.buffers.at(slot * self.stride, bytes as usize),
        }
    }

    fn check(&mut self, done: Done) {
        let range = self.ranges[done.slot].clone();
        let within = range.start - self.around(&range).start;
        let asked = range.end - range.start;
        // The file may end before its last grain does; of what came, whole units can be compared.
        let unit = self.ledger.unit_bytes();
        let came = u64::try_from(done.result).unwrap_or(0).saturating_sub(within);
        let whole = came.min(asked) / unit * unit;
        if whole > 0 {
            self.judge(done.slot, range.start, (within, whole));
        }
        let good = range.start..range.start + whole;
        let rest = good.end..range.end;
        self.count(whole);
        if whole > 0 {
            self.failed = 0;
            self.resume_beside(&good);
            if !rest.is_empty() {
                self.again.push(rest); // whether it fails, or the file ends there
            }
        } else if done.result == 0 {
            self.count(asked);
            self.unreadable.add(rest);
        } else {
            self.fail(rest, GONE.contains(&-done.result));
        }
    }

    fn count(&mut self, bytes: u64) {
        let again = bytes.min(self.again_bytes);
        self.again_bytes -= again;
        self.read += bytes - again;
    }

    /// A read has failed, and no unit of it has come.
    fn fail(&mut self, range: Range<u64>, gone: bool) {
        let (unit, bytes) = (self.ledger.unit_bytes(), range.end - range.start);
        // A whole read of n units and all halves of it are 2 n - 1 reads.
        let enough = 2 * (self.most / unit) - 1;
        self.failed = if gone { enough } else { self.failed + 1 };
        if bytes <= unit {
            self.count(bytes);
            self.unreadable.add(range);
        } else if self.failed < enough {
            self.halve(range);
        } else {
            self.count(bytes);
            self.left.add(range);
        }
    }

    /// Read a range in halves, the first of them first.
    fn halve(&mut self, Range { start, end }: Range<u64>) {
        let unit = self.ledger.unit_bytes();
        let half = start + ((end - start) / unit).div_ceil(2) * unit;
        let halves = [half..end, start..half];
        self.again
            .extend(halves.into_iter().filter(|half| !half.is_empty()));
    }

    /// A read has succeeded: as much as a whole read of what was left on either side of it is read in halves.
    fn resume_beside(&mut self, good: &Range<u64>) {
        let most = self.most / self.ledger.unit_bytes() * self.ledger.unit_bytes();
        let sides = [
            self.left.take_before(good.start, most),
            self.left.take_after(good.end, most),
        ];
        for range in sides.into_iter().flatten() {
            self.again_bytes += range.end - range.start;
            self.halve(range);
        }
    }

    fn judge(&mut self, slot: usize, start: u64, (within, bytes): (u64, u64)) {
        self.ledger.take_down(self.target, start, bytes, &mut self.known);
        let (file, grain) = (self.file, self.grain);
        let from = slot * self.stride + within as usize;
        judge(
            self.ledger,
            (self.target, start),
            self.buffers.bytes(from, bytes as usize),
            &self.known,
            &mut self.findings,
            &mut |range| read_again(file, range, grain),
        );
    }

    fn unreadable(&self, range: Range<u64>) -> Finding {
        Finding {
            kind: Kind::Unreadable,
            target: self.target as u32,
            offset_bytes: range.start,
            bytes: range.end - range.start,
            expected_generation: self.ledger.generation_at(self.target, range.start),
            trimmed: self.ledger.is_trimmed(self.target, range.start),
            found: None,
            lasting: None,
        }
    }
}

/// Ranges in stretches as long as they come: where each begins and ends.
#[derive(Default)]
struct Stretches(BTreeMap<u64, u64>);

impl Stretches {
    /// Take in a range: it makes one stretch with those beside it.
    fn add(&mut self, Range { mut start, mut end }: Range<u64>) {
        if let Some((&before, &upto)) = self.0.range(..start).next_back()
            && upto == start
        {
            start = before;
        }
        if let Some(beyond) = self.0.remove(&end) {
            end = beyond;
        }
        self.0.insert(start, end);
    }

    /// Take out the end of the stretch that ends here, so many bytes at the most.
    fn take_before(&mut self, end: u64, most: u64) -> Option<Range<u64>> {
        let (&start, upto) = self.0.range_mut(..end).next_back()?;
        if *upto != end {
            return None;
        }
        let from = start.max(end.saturating_sub(most));
        *upto = from;
        if from == start {
            self.0.remove(&start);
        }
        Some(from..end)
    }

    /// Take out the beginning of the stretch that begins here, so many bytes at the most.
    fn take_after(&mut self, start: u64, most: u64) -> Option<Range<u64>> {
        let end = self.0.remove(&start)?;
        let upto = end.min(start + most);
        if upto < end {
            self.0.insert(upto, end);
        }
        Some(start..upto)
    }
}

#[cfg(test)]
mod tests;
