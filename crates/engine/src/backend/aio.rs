//! The kernel's asynchronous I/O by raw system calls, for where io_uring is forbidden.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use super::{Backend, CommandIo, Done, Io, What, batch};

const READ: u16 = 0;
const WRITE: u16 = 1;
const FSYNC: u16 = 2;
const FDATASYNC: u16 = 3;

/// `struct iocb` of linux/aio_abi.h.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Iocb {
    data: u64,
    key: u32,
    rw_flags: u32,
    opcode: u16,
    priority: i16,
    fd: u32,
    buffer: u64,
    bytes: u64,
    offset: i64,
    reserved: u64,
    flags: u32,
    event_fd: u32,
}

/// `struct io_event` of linux/aio_abi.h.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Event {
    data: u64,
    iocb: u64,
    result: i64,
    result2: i64,
}

/// A context of the kernel, destroyed when dropped.
struct Context(u64);

impl Context {
    fn new(events: usize) -> io::Result<Self> {
        let mut id = 0u64;
        let number = i64::try_from(events).map_err(|_| io::ErrorKind::InvalidInput)?;
        // SAFETY: the kernel writes one word to the pointer.
        match check(unsafe { libc::syscall(libc::SYS_io_setup, number, &raw mut id) }) {
            Ok(_) => Ok(Self(id)),
            Err(error) if error.raw_os_error() == Some(libc::EAGAIN) => Err(io::Error::other(format!(
                "{events} outstanding I/Os are more than fs.aio-max-nr leaves"
            ))),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the id came from io_setup; the call waits for what is under way.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.0) };
    }
}

pub(crate) struct Aio<'a> {
    context: Context,
    files: &'a [File],
    /// One for each slot: the kernel copies it at io_submit.
    control: Box<[Iocb]>,
    queued: Vec<*const Iocb>,
    events: Vec<Event>,
    /// How many of the events are new.
    got: usize,
    /// I/Os that the kernel did not take, with their errors.
    refused: Vec<Done>,
    batch: usize,
}

impl<'a> Aio<'a> {
    /// A context for so many outstanding I/Os on these files.
    pub(crate) fn new(files: &'a [File], slots: usize, direct: bool) -> io::Result<Self> {
        Ok(Self {
            context: Context::new(slots)?,
            files,
            control: vec![Iocb::default(); slots].into_boxed_slice(),
            queued: Vec::with_capacity(slots),
            events: vec![Event::default(); slots],
            got: 0,
            refused: Vec::new(),
            batch: batch(slots, direct),
        })
    }

    /// Hand over what is queued; gives the number of system calls.
    fn submit(&mut self) -> io::Result<u64> {
        let (mut from, mut calls) = (0, 0);
        while from < self.queued.len() {
            let rest = &self.queued[from..self.queued.len().min(from + self.batch)];
            calls += 1;
            // SAFETY: the pointers are to `control`, whose blocks stay as they are until
            // their I/O completes.
            let submitted = check(unsafe {
                libc::syscall(libc::SYS_io_submit, self.context.0, rest.len(), rest.as_ptr())
            });
            match submitted {
                Ok(number) => from += number as usize,
                Err(error) if error.raw_os_error() == Some(libc::EAGAIN) => break,
                Err(error) => {
                    // The first of the rest was refused: that is its result.
                    // SAFETY: as above, a pointer into `control`.
                    let slot = unsafe { (*rest[0]).data } as usize;
                    let result = -error.raw_os_error().unwrap_or(libc::EIO);
                    self.refused.push(Done { slot, result });
                    from += 1;
                }
            }
        }
        self.queued.drain(..from);
        Ok(calls)
    }
}

impl Backend for Aio<'_> {
    fn push(&mut self, io: &Io) {
        let control = &mut self.control[io.slot];
        *control = Iocb {
            data: io.slot as u64,
            opcode: if io.write { WRITE } else { READ },
            fd: self.files[io.target].as_raw_fd() as u32,
            buffer: io.block as u64,
            bytes: u64::from(io.bytes),
            offset: io.offset as i64,
            ..Iocb::default()
        };
        self.queued.push(control);
    }

    fn push_command(&mut self, command: &CommandIo) {
        let control = &mut self.control[command.slot];
        *control = Iocb {
            data: command.slot as u64,
            opcode: match command.what {
                What::Fsync => FSYNC,
                What::Fdatasync => FDATASYNC,
                What::Trim(..) => unreachable!("the engine was chosen without"),
            },
            fd: self.files[command.target].as_raw_fd() as u32,
            ..Iocb::default()
        };
        self.queued.push(control);
    }

    fn exchange(&mut self, want: usize, timeout_ns: u64) -> io::Result<u64> {
        let calls = self.submit()?;
        let want = want.saturating_sub(self.refused.len());
        let mut timeout = timespec(timeout_ns);
        // SAFETY: the kernel writes at most `events.len()` events.
        let got = check(unsafe {
            libc::syscall(
                libc::SYS_io_getevents,
                self.context.0,
                want as i64,
                self.events.len() as i64,
                self.events.as_mut_ptr(),
                &raw mut timeout,
            )
        });
        self.got = match got {
            Err(error) if error.raw_os_error() == Some(libc::EINTR) => 0,
            other => other? as usize,
        };
        Ok(calls + 1)
    }

    fn reap(&mut self, mut take: impl FnMut(Done)) {
        self.refused.drain(..).for_each(&mut take);
        let events = self.events[..std::mem::take(&mut self.got)].iter();
        events.for_each(|event| {
            take(Done {
                slot: event.data as usize,
                result: event.result as i32,
            });
        });
    }
}

/// Whether the kernel gives a context.
pub(crate) fn probe() -> io::Result<()> {
    Context::new(1).map(drop)
}

fn check(result: i64) -> io::Result<i64> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

fn timespec(ns: u64) -> libc::timespec {
    libc::timespec {
        tv_sec: (ns / 1_000_000_000) as i64,
        tv_nsec: (ns % 1_000_000_000) as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffers::Buffers;
    use crate::made::{HOURS_NS, Scratch, signalled};

    #[test]
    fn a_sync_is_the_call_that_was_asked_for() {
        let files = [File::open("/dev/null").expect("it is there")];
        let Ok(mut backend) = Aio::new(&files, 2, true) else {
            return;
        };
        for (slot, what) in [(0, What::Fsync), (1, What::Fdatasync)] {
            let target = 0;
            backend.push_command(&CommandIo { slot, target, what });
        }
        // IOCB_CMD_FSYNC and IOCB_CMD_FDSYNC of linux/aio_abi.h.
        assert_eq!([backend.control[0].opcode, backend.control[1].opcode], [2, 3]);
    }

    #[test]
    fn more_events_than_the_system_has_are_refused_with_the_limit_by_name() {
        let most = std::fs::read_to_string("/proc/sys/fs/aio-max-nr").expect("it is there");
        let most: usize = most.trim().parse().expect("a number");
        let Err(error) = Context::new(most + 1) else {
            panic!("{most} are the most");
        };
        // Above some millions the kernel says that it is no number of events at all.
        let named = error.to_string().contains("fs.aio-max-nr");
        assert!(probe().is_err() || named || most >= 1 << 22, "{error}");
    }

    #[test]
    fn a_signal_ends_a_wait_for_events_and_is_no_error() {
        if probe().is_err() {
            return;
        }
        signalled(|| {
            let mut backend = Aio::new(&[], 1, true)?;
            backend.exchange(1, HOURS_NS).map(drop)
        });
    }

    #[test]
    fn what_finds_no_room_in_the_context_is_handed_over_again() {
        let file = Scratch::new("no-room", 4096);
        let files = [File::open(&file.0).expect("it is there")];
        let slots = 1 << 14;
        let (Ok(mut backend), Ok(small)) = (Aio::new(&files, slots, false), Context::new(1)) else {
            return;
        };
        backend.context = small; // for fewer than it is asked for
        let buffers = Buffers::map(512).expect("memory");
        for slot in 0..slots {
            backend.push(&Io {
                slot,
                target: 0,
                write: false,
                offset: 0,
                bytes: 512,
                block: buffers.at(0, 512),
            });
        }
        let (mut came, mut turns) = (vec![0; slots], 0);
        while came.iter().sum::<usize>() < slots {
            assert!(backend.exchange(1, HOURS_NS).expect("no error") >= 2);
            backend.reap(|done| {
                assert_eq!(done.result, 512);
                came[done.slot] += 1;
            });
            turns += 1;
        }
        assert!(turns > 1, "all found room at once");
        assert!(came.iter().all(|times| *times == 1));
    }
}
