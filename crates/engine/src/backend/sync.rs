//! pread and pwrite: one I/O at a time, so a worker needs a thread for each outstanding one.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use super::{Backend, CommandIo, Done, Io, What};

/// BLKDISCARD of linux/fs.h.
const BLOCK_DISCARD: u64 = 0x1277;

/// What a thread is to do.
#[derive(Clone, Copy)]
enum Queued {
    Io(Io),
    Command(CommandIo),
}

pub(crate) struct Sync<'a> {
    files: &'a [File],
    queued: Option<Queued>,
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
        self.queue(Queued::Io(*io));
    }

    fn push_command(&mut self, command: &CommandIo) {
        self.queue(Queued::Command(*command));
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        let Some(queued) = self.queued.take() else {
            return Ok(0);
        };
        let (slot, target) = match &queued {
            Queued::Io(io) => (io.slot, io.target),
            Queued::Command(command) => (command.slot, command.target),
        };
        let fd = self.files[target].as_raw_fd();
        let (result, calls) = uninterrupted(|| match &queued {
            Queued::Io(io) => Self::transfer(fd, io),
            Queued::Command(command) => Self::command(fd, command.what),
        });
        self.done = Some(Done { slot, result });
        Ok(calls)
    }

    fn reap(&mut self, take: impl FnMut(Done)) {
        self.done.take().into_iter().for_each(take);
    }
}

impl Sync<'_> {
    fn queue(&mut self, queued: Queued) {
        assert!(self.queued.is_none(), "one I/O at a time");
        self.queued = Some(queued);
    }

    /// One system call: bytes done, or the negative error number.
    fn transfer(fd: i32, io: &Io) -> i32 {
        let (length, offset) = (io.bytes as usize, io.offset as i64);
        // SAFETY: the block lies in the worker's buffers and holds the I/O.
        outcome(unsafe {
            if io.write {
                libc::pwrite(fd, io.block.cast(), length, offset)
            } else {
                libc::pread(fd, io.block.cast(), length, offset)
            }
        })
    }

    /// One system call: 0, or the negative error number.
    fn command(fd: i32, what: What) -> i32 {
        let range;
        // SAFETY: the calls take a file number; that of a trim reads two words of this stack.
        let result = unsafe {
            match what {
                What::Fsync => libc::fsync(fd),
                What::Fdatasync => libc::fdatasync(fd),
                What::Trim(offset, bytes) => {
                    range = [offset, u64::from(bytes)];
                    libc::ioctl(fd, BLOCK_DISCARD as _, range.as_ptr())
                }
            }
        };
        outcome(result as isize)
    }
}

/// The result of a call that no signal interrupted, and how often it was called: a signal to the process is no event of
/// the device.
fn uninterrupted(mut call: impl FnMut() -> i32) -> (i32, u64) {
    let mut calls = 0;
    loop {
        calls += 1;
        match call() {
            result if result == -libc::EINTR => {}
            result => return (result, calls),
        }
    }
}

fn outcome(result: isize) -> i32 {
    match result {
        -1 => -io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO),
        result => result as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_signal_interrupts_is_called_again_and_nothing_else_is() {
        for (answers, expected) in [
            (&[-libc::EINTR, -libc::EINTR, 4096][..], (4096, 3)),
            (&[-libc::EIO, 4096], (-libc::EIO, 1)),
            (&[-libc::EAGAIN, 4096], (-libc::EAGAIN, 1)),
            (&[512, 4096], (512, 1)),
        ] {
            let mut left = answers.iter();
            assert_eq!(uninterrupted(|| *left.next().expect("asked no more")), expected);
        }
    }
}
