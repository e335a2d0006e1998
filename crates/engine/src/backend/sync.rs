//! pread and pwrite: one I/O at a time, so a worker needs a thread for each outstanding one.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use super::{Backend, Done, Io};

pub(crate) struct Sync<'a> {
    files: &'a [File],
    queued: Option<Io>,
    done: Option<Done>,
}

impl<'a> Sync<'a> {
    /// Work on these files.
    pub(crate) fn new(files: &'a [File]) -> Self {
        Self {
            files,
            queued: None,
            done: None,
        }
    }
}

impl Backend for Sync<'_> {
    fn push(&mut self, io: &Io) {
        assert!(self.queued.is_none(), "one I/O at a time");
        self.queued = Some(*io);
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        let Some(io) = self.queued.take() else {
            return Ok(0);
        };
        let fd = self.files[io.target].as_raw_fd();
        let (length, offset) = (io.bytes as usize, io.offset as i64);
        let mut calls = 0;
        let result = loop {
            calls += 1;
            let result = Self::transfer(fd, &io, length, offset);
            // A signal to the process is no event of the device.
            if result != -libc::EINTR {
                break result;
            }
        };
        self.done = Some(Done {
            slot: io.slot,
            result,
        });
        Ok(calls)
    }

    fn reap(&mut self, take: impl FnMut(Done)) {
        self.done.take().into_iter().for_each(take);
    }
}

impl Sync<'_> {
    /// One system call: bytes done, or the negative error number.
    fn transfer(fd: i32, io: &Io, length: usize, offset: i64) -> i32 {
        // SAFETY: the block lies in the worker's buffers and holds the I/O.
        let result = unsafe {
            if io.write {
                libc::pwrite(fd, io.block.cast(), length, offset)
            } else {
                libc::pread(fd, io.block.cast(), length, offset)
            }
        };
        match result {
            -1 => -io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO),
            bytes => bytes as i32,
        }
    }
}
