//! io_uring: one ring a worker, one system call to hand over and reap.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use io_uring::types::{Fd, FsyncFlags, SubmitArgs, Timespec};
use io_uring::{IoUring, Probe, cqueue, opcode, squeue};

use super::{Backend, CommandIo, Done, Io, LONGEST_WAIT_NS, What, batch, discard};
use crate::buffers::Buffers;

/// IORING_ENTER_GETEVENTS and IORING_ENTER_EXT_ARG of linux/io_uring.h.
const GET_EVENTS: u32 = 1;
const EXT_ARG: u32 = 1 << 3;

const REGISTER_FILES: &str = "REGISTER_FILES";
const REGISTER_BUFFERS: &str = "REGISTER_BUFFERS";

/// The longest wait, as an entry of the ring: no slot has its number. While it is under way the kernel needs no timer
/// for each wait.
static TICK: Timespec = Timespec::new().nsec(LONGEST_WAIT_NS as u32);
const TICK_NUMBER: u64 = u64::MAX;

/// Waits below this are for a start that must not be missed.
const POLLED_OUT_NS: u64 = 40_000_000;

/// A set of set-up flags, by name.
type Flags = &'static [&'static str];

/// Sets that are tried, best first: older kernels refuse the later flags.
const FLAG_SETS: [Flags; 4] = [
    &["SINGLE_ISSUER", "DEFER_TASKRUN", "NO_SQARRAY"],
    &["SINGLE_ISSUER", "DEFER_TASKRUN"],
    &["COOP_TASKRUN"],
    &[],
];

/// A ring with the flags that the kernel took. It belongs to the thread that made it.
pub(crate) struct Ring {
    ring: IoUring,
    flags: Flags,
    iopoll: bool,
}

impl Ring {
    /// Make a ring for so many outstanding I/Os.
    pub(crate) fn new(slots: usize) -> io::Result<Self> {
        Self::that(slots, false)
    }

    /// Make a ring that polls the device where asked.
    pub(crate) fn that(slots: usize, iopoll: bool) -> io::Result<Self> {
        let entries = u32::try_from(slots).map_err(|_| io::ErrorKind::InvalidInput)?;
        let mut refused = None;
        for flags in FLAG_SETS {
            match build(entries, flags, iopoll) {
                Ok(ring) if ring.params().sq_entries() < entries => {
                    let most = ring.params().sq_entries();
                    return Err(io::Error::other(format!(
                        "{slots} outstanding I/Os, a ring holds {most}"
                    )));
                }
                Ok(ring) if ring.params().is_feature_ext_arg() => {
                    return Ok(Self { ring, flags, iopoll });
                }
                Ok(_) => refused = Some(io::Error::other("the kernel is older than 5.11")),
                Err(error) if error.raw_os_error() == Some(libc::EINVAL) => refused = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(refused.expect("a set was tried"))
    }
}

fn build(entries: u32, flags: Flags, iopoll: bool) -> io::Result<IoUring> {
    let mut builder = IoUring::builder();
    builder.setup_clamp();
    if iopoll {
        builder.setup_iopoll();
    }
    for flag in flags {
        match *flag {
            "SINGLE_ISSUER" => builder.setup_single_issuer(),
            "DEFER_TASKRUN" => builder.setup_defer_taskrun(),
            "NO_SQARRAY" => builder.setup_no_sqarray(),
            "COOP_TASKRUN" => builder.setup_coop_taskrun(),
            other => unreachable!("{other}"),
        };
    }
    builder.build(entries.next_power_of_two())
}

/// A ring at work on files and buffers.
pub(crate) struct Uring<'a> {
    submitter: io_uring::Submitter<'a>,
    queue: squeue::SubmissionQueue<'a>,
    completions: cqueue::CompletionQueue<'a>,
    /// File numbers, or indices of the registration.
    files: Vec<i32>,
    numbers: Vec<i32>,
    file_flags: squeue::Flags,
    setup: Vec<&'static str>,
    batch: u32,
    fixed_buffers: bool,
    iopoll: bool,
    /// Whether the ring takes ticks, and whether one is under way, which ends a wait.
    takes_ticks: bool,
    ticking: bool,
}

impl<'a> Uring<'a> {
    /// Register files and buffers, which saves the kernel from looking them up for each I/O. What is refused is
    /// left out. The buffers must outlive the ring.
    pub(crate) fn new(
        ring: &'a mut Ring,
        files: &'a [File],
        buffers: &Buffers,
        slots: usize,
        direct: bool,
    ) -> Self {
        let mut setup = ring.flags.to_vec();
        let iopoll = ring.iopoll;
        setup.extend(iopoll.then_some("IOPOLL"));
        let (mut submitter, queue, completions) = ring.ring.split();
        let mut note = |name, taken: bool| {
            setup.extend(taken.then_some(name));
            taken
        };
        let fds: Vec<_> = files.iter().map(AsRawFd::as_raw_fd).collect();
        let fixed_files = note(REGISTER_FILES, submitter.register_files(&fds).is_ok());
        // SAFETY: the kernel holds the pages of a registered mapping for as long as it uses them.
        let register = || unsafe { submitter.register_buffers(&[buffers.iovec()]) }.is_ok();
        let fixed_buffers = note(REGISTER_BUFFERS, register());
        note("REGISTER_RING_FDS", submitter.register_ring_fd().is_ok());
        Self {
            submitter,
            queue,
            completions,
            files: if fixed_files {
                (0..files.len() as i32).collect()
            } else {
                fds.clone()
            },
            numbers: fds,
            file_flags: if fixed_files {
                squeue::Flags::FIXED_FILE
            } else {
                squeue::Flags::empty()
            },
            setup,
            batch: batch(slots, direct) as u32,
            fixed_buffers,
            iopoll,
            takes_ticks: !iopoll,
            ticking: false,
        }
    }

    /// Whether a tick is under way: one is queued where there is none, and room for it.
    #[inline]
    fn ticks(&mut self) -> bool {
        if self.takes_ticks && !self.ticking && !self.queue.is_full() {
            let tick = opcode::Timeout::new(&raw const TICK).build();
            self.queue(&tick.user_data(TICK_NUMBER));
            self.ticking = true;
        }
        self.ticking
    }

    /// Queue an entry for the next exchange. What it points to must outlive its I/O.
    #[inline]
    pub(super) fn queue(&mut self, entry: &squeue::Entry) {
        // SAFETY: the caller promises that.
        while unsafe { self.queue.push(entry) }.is_err() {
            self.hand_over();
        }
    }

    /// Every entry is taken, where there is one for each I/O: a tick has one of them, because the kernel was short of
    /// memory when it should have taken it.
    #[cold]
    fn hand_over(&mut self) {
        assert!(self.ticking, "more I/Os than the ring has entries");
        self.queue.sync();
        // SAFETY: no argument; the entries were pushed as promised.
        let entered = unsafe { self.submitter.enter::<()>(self.queue.len() as u32, 0, 0, None) };
        if accepted(entered)
            .expect("a ring that took entries takes more")
            .is_none()
        {
            std::thread::yield_now(); // to whoever gives the memory back
        }
        self.queue.sync();
    }

    #[inline]
    fn entry(&self, io: &Io) -> squeue::Entry {
        let (file, block) = (Fd(self.files[io.target]), io.block);
        let entry = match (io.write, self.fixed_buffers) {
            (false, true) => opcode::ReadFixed::new(file, block, io.bytes, 0)
                .offset(io.offset)
                .build(),
            (false, false) => opcode::Read::new(file, block, io.bytes).offset(io.offset).build(),
            (true, true) => opcode::WriteFixed::new(file, block, io.bytes, 0)
                .offset(io.offset)
                .build(),
            (true, false) => opcode::Write::new(file, block, io.bytes)
                .offset(io.offset)
                .build(),
        };
        entry.flags(self.file_flags).user_data(io.slot as u64)
    }

    fn command_entry(&self, command: &CommandIo) -> squeue::Entry {
        let file = Fd(self.files[command.target]);
        let entry = match command.what {
            What::Fsync => opcode::Fsync::new(file).build(),
            What::Fdatasync => opcode::Fsync::new(file).flags(FsyncFlags::DATASYNC).build(),
            What::Trim(offset, bytes) => discard::entry(file, offset, bytes),
        };
        entry.flags(self.file_flags).user_data(command.slot as u64)
    }
}

impl Drop for Uring<'_> {
    /// A thread that lives on would keep the ring, and with it files and buffers, for as long as it lives.
    fn drop(&mut self) {
        let _ = self.submitter.unregister_ring_fd(); // where it was refused there is nothing to give up
    }
}

/// What a call of the ring took; nothing where time is up, a signal came, or the kernel
/// wants its completions reaped first.
fn accepted(entered: io::Result<usize>) -> io::Result<Option<u32>> {
    match entered {
        Ok(taken) => Ok(Some(taken as u32)),
        Err(error) => match error.raw_os_error() {
            Some(libc::ETIME | libc::EINTR | libc::EBUSY | libc::EAGAIN) => Ok(None),
            _ => Err(error),
        },
    }
}

impl Backend for Uring<'_> {
    #[inline]
    fn push(&mut self, io: &Io) {
        // The block lies in the worker's buffers, which outlive the I/O.
        self.queue(&self.entry(io));
    }

    fn push_command(&mut self, command: &CommandIo) {
        self.queue(&self.command_entry(command));
    }

    #[inline]
    fn exchange(&mut self, want: usize, timeout_ns: u64) -> io::Result<u64> {
        // A ring that polls knows no timeouts: where a start comes soon, it looks once and returns.
        let want = if self.iopoll && timeout_ns < POLLED_OUT_NS {
            0
        } else {
            want
        };
        let timed = want > 0 && !(timeout_ns >= LONGEST_WAIT_NS && self.ticks());
        // Show the kernel what is queued, and what was reaped: else it would not wait.
        self.queue.sync();
        self.completions.sync();
        let timeout = Timespec::new()
            .sec(timeout_ns / 1_000_000_000)
            .nsec((timeout_ns % 1_000_000_000) as u32);
        let args = SubmitArgs::new().timespec(&timeout);
        let (mut waiting, mut calls) = (self.queue.len() as u32, 1);
        while waiting > self.batch {
            // SAFETY: no argument; the entries were pushed as promised.
            let entered = unsafe { self.submitter.enter::<()>(self.batch, 0, 0, None) };
            match accepted(entered)? {
                Some(taken) => waiting -= taken,
                None => break,
            }
            calls += 1;
        }
        let want = want as u32;
        // SAFETY: the arguments live through the call; the entries were pushed as promised.
        let entered = unsafe {
            if timed {
                self.submitter
                    .enter(waiting, want, GET_EVENTS | EXT_ARG, Some(&args))
            } else {
                self.submitter.enter::<()>(waiting, want, GET_EVENTS, None)
            }
        };
        accepted(entered)?;
        // See what the kernel took, and what it gave.
        self.queue.sync();
        self.completions.sync();
        Ok(calls)
    }

    #[inline]
    fn reap(&mut self, mut take: impl FnMut(Done)) {
        (&mut self.completions).for_each(|entry| {
            if entry.user_data() == TICK_NUMBER {
                self.ticking = false;
                self.takes_ticks &= entry.result() == -libc::ETIME;
                return;
            }
            take(Done {
                slot: entry.user_data() as usize,
                result: entry.result(),
            });
        });
    }

    fn agree(&mut self, common: &[&'static str]) -> io::Result<()> {
        if self.fixed_buffers && !common.contains(&REGISTER_BUFFERS) {
            self.submitter.unregister_buffers()?;
            self.fixed_buffers = false;
        }
        if self.file_flags.contains(squeue::Flags::FIXED_FILE) && !common.contains(&REGISTER_FILES) {
            self.submitter.unregister_files()?;
            self.files.clone_from(&self.numbers);
            self.file_flags = squeue::Flags::empty();
        }
        Ok(())
    }

    fn setup(&self) -> Vec<&'static str> {
        self.setup.clone()
    }
}

/// Whether the kernel gives a ring that can read and write.
pub(crate) fn probe() -> io::Result<()> {
    let ring = Ring::new(1)?;
    let mut probe = Probe::new();
    ring.ring.submitter().register_probe(&mut probe)?;
    let needed = [opcode::Read::CODE, opcode::Write::CODE, opcode::ReadFixed::CODE];
    if needed.into_iter().all(|code| probe.is_supported(code)) {
        Ok(())
    } else {
        Err(io::Error::other("the kernel's ring cannot read and write"))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::made::{HOURS_NS, signalled};

    /// What a ring that was set up for direct I/O reads after workers agreed on this.
    fn read_after(common: &[&'static str]) -> (bool, bool, i32) {
        let path = std::env::temp_dir().join(format!("iodyno-ring-{}-{}", std::process::id(), common.len()));
        let mut file = File::create_new(&path).expect("a file");
        file.write_all(&[7; 4096]).expect("written");
        let files = [File::open(&path).expect("opened")];
        std::fs::remove_file(&path).expect("removed");
        let buffers = Buffers::map(4096).expect("memory");
        let mut ring = Ring::new(1).expect("a ring");
        let mut backend = Uring::new(&mut ring, &files, &buffers, 1, true);
        backend.agree(common).expect("agreed");
        let io = Io {
            slot: 0,
            target: 0,
            write: false,
            offset: 0,
            bytes: 4096,
            block: buffers.at(0, 4096),
        };
        backend.push(&io);
        backend.exchange(1, 10_000_000_000).expect("exchanged");
        let mut result = 0;
        backend.reap(|done| result = done.result);
        let fixed_files = backend.file_flags.contains(squeue::Flags::FIXED_FILE);
        (fixed_files, backend.fixed_buffers, result)
    }

    #[test]
    fn a_sync_is_the_call_that_was_asked_for() {
        let files = [File::open("/dev/null").expect("it is there")];
        let buffers = Buffers::map(4096).expect("memory");
        let Ok(mut ring) = Ring::new(1) else {
            return;
        };
        let backend = Uring::new(&mut ring, &files, &buffers, 1, true);
        let words = |what| {
            let (slot, target) = (0, 0);
            let entry = backend.command_entry(&CommandIo { slot, target, what });
            // SAFETY: an entry is `struct io_uring_sqe`, 64 bytes of any value.
            let words: [u32; 16] = unsafe { std::mem::transmute(entry) };
            (words[0] & 0xff, words[7])
        };
        // IORING_OP_FSYNC, and IORING_FSYNC_DATASYNC in fsync_flags, of linux/io_uring.h.
        assert_eq!([words(What::Fsync), words(What::Fdatasync)], [(3, 0), (3, 1)]);
    }

    #[test]
    fn what_not_every_worker_has_is_given_up_and_reads_go_on() {
        if probe().is_err() {
            return;
        }
        let (_, _, read) = read_after(&[REGISTER_FILES, REGISTER_BUFFERS]);
        assert_eq!(read, 4096);
        assert_eq!(read_after(&[REGISTER_FILES]), (true, false, 4096));
        assert_eq!(read_after(&[]), (false, false, 4096));
    }

    #[test]
    fn where_a_tick_is_refused_waits_have_timers_of_their_own() {
        if probe().is_err() {
            return;
        }
        let buffers = Buffers::map(4096).expect("memory");
        let mut ring = Ring::new(2).expect("a ring");
        let mut backend = Uring::new(&mut ring, &[], &buffers, 2, true);
        // What comes back at once, as a refusal does.
        backend.queue(&opcode::Nop::new().build().user_data(TICK_NUMBER));
        backend.ticking = true;
        let mut done = 0;
        for _ in 0..2 {
            backend.exchange(1, LONGEST_WAIT_NS).expect("exchanged");
            backend.reap(|_| done += 1);
            assert_eq!((backend.takes_ticks, backend.ticking, done), (false, false, 0));
        }
    }

    #[test]
    fn a_tick_that_the_kernel_did_not_take_leaves_room_for_every_io() {
        if probe().is_err() {
            return;
        }
        let buffers = Buffers::map(4096).expect("memory");
        let mut ring = Ring::new(1).expect("a ring");
        let mut backend = Uring::new(&mut ring, &[], &buffers, 1, true);
        assert!(backend.ticks());
        backend.queue(&opcode::Nop::new().build().user_data(0));
        let mut done = Vec::new();
        while done.is_empty() {
            backend.exchange(1, LONGEST_WAIT_NS).expect("exchanged");
            backend.reap(|one| done.push((one.slot, one.result)));
        }
        assert_eq!(done, [(0, 0)]);
    }

    #[test]
    fn what_passes_by_itself_is_no_error_of_a_ring() {
        for passing in [libc::ETIME, libc::EINTR, libc::EBUSY, libc::EAGAIN] {
            let error = io::Error::from_raw_os_error(passing);
            assert_eq!(accepted(Err(error)).expect("tried again"), None, "{passing}");
        }
        for lasting in [libc::EBADF, libc::EINVAL, libc::ENXIO] {
            assert!(accepted(Err(io::Error::from_raw_os_error(lasting))).is_err());
        }
        assert_eq!(accepted(Ok(3)).expect("taken"), Some(3));
    }

    #[test]
    fn a_signal_ends_a_wait_of_a_ring_and_is_no_error() {
        if probe().is_err() {
            return;
        }
        signalled(|| {
            let buffers = Buffers::map(4096).expect("memory");
            let mut ring = Ring::new(1).expect("a ring");
            let mut backend = Uring::new(&mut ring, &[], &buffers, 1, true);
            backend.takes_ticks = false; // which would end the wait too
            backend.exchange(1, HOURS_NS).map(drop)
        });
    }

    #[test]
    fn a_wait_for_nothing_ends_each_time() {
        if probe().is_err() {
            return;
        }
        let (told, heard) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let buffers = Buffers::map(4096).expect("memory");
            let mut ring = Ring::new(1).expect("a ring");
            let mut backend = Uring::new(&mut ring, &[], &buffers, 1, true);
            for _ in 0..3 {
                backend.exchange(1, LONGEST_WAIT_NS).expect("exchanged");
                let mut done = 0;
                backend.reap(|_| done += 1);
                told.send(done).expect("somebody listens");
            }
        });
        for _ in 0..3 {
            let wait = std::time::Duration::from_secs(60);
            assert_eq!(heard.recv_timeout(wait), Ok(0), "a tick is no I/O");
        }
    }
}
