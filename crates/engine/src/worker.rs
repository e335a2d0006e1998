//! A worker: keeps its load outstanding, times every I/O, counts in windows.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use iodyno_load::window::{Traffic, WINDOW_NS, Window, WindowCounter};

use crate::backend::{Backend, Done, Io};
use crate::clock::{Clock, thread_cpu_ns};
use crate::lane::{Arrived, Lane};
use crate::memory::Memory;

/// Longest wait in the kernel: how long a worker takes to hear that it shall stop.
const LONGEST_WAIT_NS: u64 = 50_000_000;
/// A start this close is waited for awake: a sleep ends later than that.
const AWAKE_NS: u64 = 60_000;
/// A start later than this after its intended time counts as late.
const LATE_NS: u64 = 1_000_000;

/// What a worker's thread shares with the coordinator.
#[derive(Default)]
pub(crate) struct Shared {
    /// Set to end the load.
    pub(crate) stop: AtomicBool,
    /// Windows that this thread has closed and nobody has fetched.
    pub(crate) windows: Mutex<VecDeque<Window>>,
}

/// What a worker did in all.
#[derive(Clone, Copy, Default)]
pub(crate) struct Drained {
    /// All that was issued.
    pub(crate) issued: Traffic,
    /// Greatest latency in ns of the I/Os that were outstanding at the end.
    pub(crate) drained_max_ns: u64,
}

/// An outstanding I/O.
#[derive(Clone, Copy, Default)]
struct Slot {
    issued: u64,
    intended: u64,
    offset: u64,
    bytes: u32,
    write: bool,
}

/// One thread that keeps a load on targets.
pub(crate) struct Worker<'a, B> {
    pub(crate) backend: B,
    /// One for each target that this thread works on.
    pub(crate) lanes: Vec<Lane>,
    /// Index of the first of them in the point.
    pub(crate) first_target: usize,
    /// Targets of the point.
    pub(crate) targets: usize,
    pub(crate) memory: Memory,
    pub(crate) clock: Clock,
    /// Outstanding I/Os per target.
    pub(crate) outstanding: usize,
    pub(crate) open_loop: bool,
    pub(crate) shared: &'a Shared,
}

/// The state of a worker at work.
struct Load<'a, B> {
    worker: Worker<'a, B>,
    slots: Vec<Slot>,
    /// Slots that wait for work, by target.
    free: Vec<Vec<usize>>,
    /// The next start of each target, where the loop is open and it has been asked for.
    next: Vec<Option<Arrived>>,
    fresh: Vec<usize>,
    in_flight: usize,
    counter: WindowCounter,
    issued: Traffic,
    drained_max_ns: u64,
    accounted_to: u64,
    window_end: u64,
    cpu_at_close: u64,
}

impl<B: Backend> Worker<'_, B> {
    /// Keep the load from now until told to stop, then wait for what is outstanding.
    pub(crate) fn run(self) -> io::Result<Drained> {
        let (lanes, outstanding) = (self.lanes.len(), self.outstanding);
        let slots_of = |lane: usize| (lane * outstanding..(lane + 1) * outstanding).rev().collect();
        let mut load = Load {
            slots: vec![Slot::default(); lanes * outstanding],
            free: (0..lanes).map(slots_of).collect(),
            next: vec![None; lanes],
            fresh: Vec::with_capacity(lanes * outstanding),
            in_flight: 0,
            counter: WindowCounter::new(self.targets, self.open_loop),
            issued: Traffic::default(),
            drained_max_ns: 0,
            accounted_to: self.clock.now(),
            window_end: WINDOW_NS,
            cpu_at_close: thread_cpu_ns(),
            worker: self,
        };
        let kept = load.keep();
        if load.in_flight > 0 {
            // The kernel may still be writing to it: a leak is the lesser evil.
            std::mem::forget(load.worker.memory);
        }
        kept.map(|()| Drained {
            issued: load.issued,
            drained_max_ns: load.drained_max_ns,
        })
    }
}

impl<B: Backend> Load<'_, B> {
    fn keep(&mut self) -> io::Result<()> {
        let mut done = Vec::with_capacity(self.slots.len());
        loop {
            let running = !self.worker.shared.stop.load(Ordering::Relaxed);
            let wait = if running { self.issue() } else { LONGEST_WAIT_NS };
            if self.in_flight == 0 {
                if !running {
                    return Ok(());
                }
                self.rest(wait);
                continue;
            }
            let want = usize::from(wait > AWAKE_NS);
            let wait = wait.saturating_sub(AWAKE_NS);
            self.counter.system_calls += self.worker.backend.exchange(want, wait, &mut done)?;
            let now = self.worker.clock.now();
            self.account(now);
            let stopping = self.worker.shared.stop.load(Ordering::Relaxed);
            for done in done.drain(..) {
                if stopping {
                    let latency = now.saturating_sub(self.slots[done.slot].issued);
                    self.drained_max_ns = self.drained_max_ns.max(latency);
                }
                self.complete(done, now);
            }
        }
    }

    /// Nothing is outstanding: wait for the next start.
    fn rest(&mut self, wait: u64) {
        if wait > AWAKE_NS {
            std::thread::sleep(std::time::Duration::from_nanos(wait - AWAKE_NS));
        }
        self.account(self.worker.clock.now());
    }

    /// Queue an I/O on each free slot that has something to do. Gives how long the worker
    /// may sleep, in ns.
    #[inline]
    fn issue(&mut self) -> u64 {
        let wait = if self.worker.open_loop {
            self.prepare_due()
        } else {
            self.prepare_all()
        };
        let now = self.worker.clock.now();
        self.account(now);
        self.in_flight += self.fresh.len();
        for slot in self.fresh.drain(..) {
            let slot = &mut self.slots[slot];
            slot.issued = now;
            self.issued.add(slot.write, u64::from(slot.bytes));
            let late = now.saturating_sub(slot.intended);
            self.counter.late_starts += u64::from(slot.intended > 0 && late > LATE_NS);
        }
        wait
    }

    #[inline]
    fn prepare_all(&mut self) -> u64 {
        for lane in 0..self.free.len() {
            while let Some(slot) = self.free[lane].pop() {
                let arrived = self.worker.lanes[lane].next();
                self.prepare(lane, slot, arrived);
            }
        }
        LONGEST_WAIT_NS
    }

    fn prepare_due(&mut self) -> u64 {
        let now = self.worker.clock.now();
        let mut wait = LONGEST_WAIT_NS;
        for lane in 0..self.free.len() {
            while let Some(&slot) = self.free[lane].last() {
                let source = &mut self.worker.lanes[lane];
                let arrived = *self.next[lane].get_or_insert_with(|| source.next());
                if arrived.intended > now {
                    wait = wait.min(arrived.intended - now);
                    break;
                }
                self.next[lane] = None;
                self.free[lane].pop();
                self.prepare(lane, slot, arrived);
            }
        }
        wait
    }

    #[inline]
    fn prepare(&mut self, lane: usize, slot: usize, arrived: Arrived) {
        let access = arrived.access;
        let block = self
            .worker
            .memory
            .block(slot, access.write, access.bytes as usize);
        self.slots[slot] = Slot {
            issued: 0,
            intended: arrived.intended,
            offset: access.offset,
            bytes: access.bytes,
            write: access.write,
        };
        self.worker.backend.push(&Io {
            slot,
            target: lane,
            write: access.write,
            offset: access.offset,
            bytes: access.bytes,
            block,
        });
        self.fresh.push(slot);
    }

    #[inline]
    fn complete(&mut self, done: Done, now: u64) {
        let slot = self.slots[done.slot];
        let lane = done.slot / self.worker.outstanding;
        self.in_flight -= 1;
        self.free[lane].push(done.slot);
        if done.result != slot.bytes as i32 {
            let errno = if done.result < 0 { -done.result } else { 0 };
            self.counter.failed(slot.write, errno, slot.offset);
            return;
        }
        let bytes = u64::from(slot.bytes);
        let target = self.worker.first_target + lane;
        let latency = now.saturating_sub(slot.issued);
        self.counter.completed(target, slot.write, bytes, latency);
        if self.worker.open_loop {
            self.counter
                .responded(slot.write, now.saturating_sub(slot.intended));
        }
    }

    /// Account for the time up to now, closing the windows that end in it.
    #[inline]
    fn account(&mut self, now: u64) {
        while now >= self.window_end {
            let end = self.window_end;
            self.counter.io_time_ns += self.in_flight as u64 * end.saturating_sub(self.accounted_to);
            self.accounted_to = end;
            self.close_window(end);
        }
        self.counter.io_time_ns += self.in_flight as u64 * now.saturating_sub(self.accounted_to);
        self.accounted_to = self.accounted_to.max(now);
    }

    #[cold]
    fn close_window(&mut self, end: u64) {
        let cpu = thread_cpu_ns();
        let backlog: u64 = self.worker.lanes.iter().map(|lane| lane.backlog(end)).sum();
        let waiting = self
            .next
            .iter()
            .flatten()
            .filter(|arrived| arrived.intended <= end);
        let backlog = if self.worker.open_loop {
            backlog + waiting.count() as u64
        } else {
            0
        };
        let window = self.counter.close(cpu - self.cpu_at_close, backlog);
        self.cpu_at_close = cpu;
        self.window_end += WINDOW_NS;
        let windows = &self.worker.shared.windows;
        windows.lock().expect("nobody panics with it").push_back(window);
    }
}
