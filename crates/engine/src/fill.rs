//! Writing a file in full, so that what is read later was written before.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use iodyno_load::integrity::Ledger;

use crate::backend::aio::Aio;
use crate::backend::ring::{Ring, Uring};
use crate::backend::sync::Sync;
use crate::backend::{Backend, Done, Engine, Io};
use crate::buffers::Buffers;
use crate::data::{Content, DataSource};
use crate::error::EngineError;
use crate::observer::Control;
use crate::open::open_when_free;

const BLOCK_BYTES: u64 = 1 << 20;
/// Bytes of a block where some are copies of others.
const COPIED_BYTES: u64 = 128 << 10;
/// I/Os at a time, where blocks are not smaller for copies.
pub(crate) const DEPTH: usize = 8;
const WAIT_NS: u64 = 50_000_000;

/// Write a range of an existing file or device in full and make it durable.
///
/// With a ledger, each sector is stamped, and the ledger knows the target as filled.
///
/// The observer hears how many bytes are written, at each block, and can interrupt.
///
/// # Errors
/// [`EngineError`] where the file cannot be opened, a write fails or the observer interrupts.
pub fn fill(
    path: &Path,
    (start, length): (u64, u64),
    (content, seed): (Content, u64),
    direct: bool,
    ledger: Option<&Ledger>,
    mut observe: impl FnMut(u64) -> Control,
) -> Result<(), EngineError> {
    let file = open_when_free(path, || open(path, direct), &mut || observe(0))?;
    let files = Arc::new([file]);
    let failed = EngineError::system;
    let range = (start, start + length);
    let ring = Engine::IoUring.forbidden().is_none();
    let (block_bytes, deep) = if content.duplicate_share > 0.0 {
        (COPIED_BYTES, DEPTH * (BLOCK_BYTES / COPIED_BYTES) as usize)
    } else {
        (BLOCK_BYTES, DEPTH)
    };
    let depth = if ring || Engine::Aio.forbidden().is_none() {
        deep
    } else {
        1
    };
    let blocks = (depth, block_bytes);
    let part = DataSource::part_bytes(block_bytes as usize, depth);
    let mut buffers = Buffers::map(depth * part).map_err(failed("not enough memory for the blocks"))?;
    let target = |ledger: &Ledger| ledger.target(&path.display().to_string());
    let stamps = ledger.and_then(|ledger| Some((ledger, target(ledger)?, ledger.next_generation())));
    let data = Data {
        source: DataSource::new(content, seed, &mut buffers, (0, depth, part)),
        stamps,
    };
    if ring {
        let mut ring = Ring::new(depth).map_err(failed("the kernel gave no ring"))?;
        let backend = Uring::new(&mut ring, &files[..], &buffers, depth, direct);
        Filler::new(backend, buffers, data, range, blocks).run(&mut observe)?;
    } else if depth > 1 {
        let backend =
            Aio::new(&files[..], depth, direct).map_err(failed("the kernel gave no aio context"))?;
        Filler::new(backend, buffers, data, range, blocks).run(&mut observe)?;
    } else {
        Filler::new(Sync::new(&files[..]), buffers, data, range, blocks).run(&mut observe)?;
    }
    make_durable(&files, || observe(length))?;
    if let Some((ledger, target, generation)) = stamps {
        ledger.filled(target, generation);
    }
    Ok(())
}

/// Open what is filled; a device so that nobody can mount it meanwhile.
fn open(path: &Path, direct: bool) -> Result<File, EngineError> {
    let device = std::fs::metadata(path).is_ok_and(|what| what.file_type().is_block_device());
    let claim = if device { libc::O_EXCL } else { 0 };
    let flags = claim | if direct { libc::O_DIRECT } else { 0 };
    let opened = OpenOptions::new().write(true).custom_flags(flags).open(path);
    opened.map_err(|source| EngineError::Open {
        path: path.display().to_string(),
        source,
        direct,
    })
}

/// Wait until a file is on the disk, for as long as the observer has patience.
fn make_durable(files: &Arc<[File; 1]>, mut observe: impl FnMut() -> Control) -> Result<(), EngineError> {
    let files = Arc::clone(files);
    let thread = std::thread::spawn(move || files[0].sync_all());
    while !thread.is_finished() {
        std::thread::sleep(Duration::from_millis(2));
        if observe() == Control::Interrupt {
            return Err(EngineError::Interrupted);
        }
    }
    let synced = thread.join().expect("fsync does not panic");
    synced.map_err(EngineError::system("the file could not be made durable"))
}

/// What is written, with or without stamps.
struct Data<'a> {
    source: DataSource,
    /// The ledger, the target in it, and the generation of the fill.
    stamps: Option<(&'a Ledger, usize, u64)>,
}

impl Data<'_> {
    /// The block for an offset, as an address in the buffers.
    fn next(&mut self, buffers: &mut Buffers, slot: usize, offset: u64, bytes: usize) -> *mut u8 {
        let block = self.source.next(buffers, slot, bytes);
        if let Some((ledger, target, generation)) = self.stamps {
            // SAFETY: the block lies in the buffers, and its slot has no I/O under way.
            let data = unsafe { std::slice::from_raw_parts_mut(block, bytes) };
            ledger.stamp(target, offset, generation).put_all(data);
        }
        block
    }
}

struct Filler<'a, B> {
    backend: B,
    buffers: Buffers,
    data: Data<'a>,
    block_bytes: u64,
    next: u64,
    end: u64,
    written: u64,
    /// Slots that wait for work.
    free: Vec<usize>,
    /// Bytes under way in each slot.
    sizes: Vec<u32>,
}

impl<'a, B: Backend> Filler<'a, B> {
    fn new(
        backend: B,
        buffers: Buffers,
        data: Data<'a>,
        (next, end): (u64, u64),
        (depth, block_bytes): (usize, u64),
    ) -> Self {
        Self {
            backend,
            buffers,
            data,
            block_bytes,
            next,
            end,
            written: 0,
            free: (0..depth).collect(),
            sizes: vec![0; depth],
        }
    }

    /// Fill, and leave the buffers to the kernel where it may still be reading them.
    fn run(mut self, observe: &mut impl FnMut(u64) -> Control) -> Result<(), EngineError> {
        let filled = self.write_all(observe);
        if !self.idle() {
            std::mem::forget(self.buffers);
        }
        filled
    }

    /// Write block after block; after a failure, or if the observer interrupts, only wait for
    /// what is on its way.
    fn write_all(&mut self, observe: &mut impl FnMut(u64) -> Control) -> Result<(), EngineError> {
        let mut done = Vec::new();
        let mut outcome = Ok(());
        loop {
            while outcome.is_ok() && self.next < self.end {
                let Some(slot) = self.free.pop() else { break };
                self.push(slot);
            }
            if self.idle() {
                return outcome;
            }
            let exchanged = self.backend.exchange(1, WAIT_NS);
            exchanged.map_err(EngineError::system("could not be filled"))?;
            self.backend.reap(|one| done.push(one));
            for done in done.drain(..) {
                self.free.push(done.slot);
                match self.check(done) {
                    Ok(bytes) => self.written += bytes,
                    Err(error) => outcome = outcome.and(Err(error)),
                }
            }
            if observe(self.written) == Control::Interrupt {
                outcome = outcome.and(Err(EngineError::Interrupted));
            }
        }
    }

    /// Whether nothing is on its way.
    fn idle(&self) -> bool {
        self.free.len() == self.sizes.len()
    }

    fn push(&mut self, slot: usize) {
        let bytes = self.block_bytes.min(self.end - self.next) as u32;
        let block = self.data.next(&mut self.buffers, slot, self.next, bytes as usize);
        self.sizes[slot] = bytes;
        self.backend.push(&Io {
            slot,
            target: 0,
            write: true,
            offset: self.next,
            bytes,
            block,
        });
        self.next += u64::from(bytes);
    }

    fn check(&self, done: Done) -> Result<u64, EngineError> {
        let failed = EngineError::system("could not be filled");
        match u32::try_from(done.result) {
            Ok(bytes) if bytes == self.sizes[done.slot] => Ok(u64::from(bytes)),
            Ok(_) => Err(failed(io::Error::from_raw_os_error(libc::ENOSPC))),
            Err(_) => Err(failed(io::Error::from_raw_os_error(-done.result))),
        }
    }
}

#[cfg(test)]
mod tests;
