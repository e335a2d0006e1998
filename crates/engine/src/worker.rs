//! A worker: keeps its load outstanding, times every I/O, counts in windows.

mod alike;
mod commands;
mod issue;

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use iodyno_load::integrity::Findings;
use iodyno_load::traffic::Command;
use iodyno_load::traffic::Sent;
use iodyno_load::window::{HeldBy, WINDOW_NS, Window, WindowCounter};

use crate::backend::{self, Backend, Done};
use crate::beside::Beside;
use crate::check::Checker;
use crate::clock::{Clock, thread_cpu_ns};
use crate::lane::{Arrived, Lane};
use crate::machine::wake_precisely;
use crate::memory::Memory;
use alike::Run;

/// A start this close is waited for awake: a sleep ends later than that.
const AWAKE_NS: u64 = 60_000;
/// Longest time until a worker looks again whether it shall stop.
const LONGEST_WAIT_NS: u64 = backend::LONGEST_WAIT_NS + AWAKE_NS;

/// What a worker's thread shares with the coordinator.
#[derive(Default)]
pub(crate) struct Shared {
    /// Set to end the load, by the coordinator or by the thread itself where its time is over.
    pub(crate) stop: AtomicBool,
    /// Windows that this thread has closed and nobody has fetched; once it has ended, behind them what was left.
    pub(crate) windows: Mutex<VecDeque<Window>>,
    /// Processors that this thread is pinned to; none: not pinned.
    pub(crate) cpus: Mutex<Vec<usize>>,
}

/// What a worker did in all.
#[derive(Clone, Default)]
pub(crate) struct Drained {
    /// What was sent to each target of the point; empty where nothing was.
    pub(crate) targets: Vec<Sent>,
    /// I/Os that were outstanding at the end, commands included.
    pub(crate) drained: u64,
    /// Greatest latency of these in ns.
    pub(crate) drained_max_ns: u64,
    /// What was found in the data that came back.
    pub(crate) findings: Findings,
}

impl Drained {
    /// Add what another did.
    pub(crate) fn merge(&mut self, other: Self) {
        for (target, sent) in other.targets.iter().enumerate() {
            self.of(target).merge(sent);
        }
        self.drained += other.drained;
        self.drained_max_ns = self.drained_max_ns.max(other.drained_max_ns);
        self.findings.merge(other.findings);
    }

    /// What was sent to all targets.
    pub(crate) fn sent(&self) -> Sent {
        let mut sum = Sent::default();
        self.targets.iter().for_each(|target| sum.merge(target));
        sum
    }

    /// What was sent to a target, to be added to.
    fn of(&mut self, target: usize) -> &mut Sent {
        if self.targets.len() <= target {
            self.targets.resize_with(target + 1, Sent::default);
        }
        &mut self.targets[target]
    }
}

/// An outstanding I/O, in less than a line of the processor's cache.
#[derive(Clone, Copy, Default)]
struct Slot {
    issued: u64,
    intended: u64,
    offset: u64,
    bytes: u32,
    lane: u16,
    write: bool,
    /// What held up its start, in an open loop.
    held: HeldBy,
    /// What it does instead of reading or writing.
    command: Option<Command>,
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
    /// When the load begins, in ns.
    pub(crate) begins: u64,
    /// Where the last window that can count ends, in ns: the load ends there even if nobody has the time to
    /// say so, with more threads than processors.
    pub(crate) until: u64,
    /// Outstanding I/Os per target.
    pub(crate) outstanding: usize,
    pub(crate) open_loop: bool,
    /// Whether the profile has syncs or trims.
    pub(crate) commands: bool,
    /// Syncs and think time, where the profile has any.
    pub(crate) beside: Option<Arc<Beside>>,
    pub(crate) shared: &'a Shared,
    /// Checks data, where that is asked for.
    pub(crate) check: Option<Checker<'a>>,
}

/// The state of a worker at work.
struct Load<'a, B> {
    worker: Worker<'a, B>,
    slots: Vec<Slot>,
    /// Slots in hand: back from the backend, or given to it and not stamped yet.
    hand: Vec<usize>,
    /// Slots that wait for a start, by target, where accesses have to wait.
    free: Vec<Vec<usize>>,
    /// The next start of each target, where the loop is open and it has been asked for.
    next: Vec<Option<Arrived>>,
    /// Until when, in ns, every slot of each target was taken, at the last; in an open loop.
    full_until: Vec<u64>,
    in_flight: usize,
    counter: WindowCounter,
    drained: Drained,
    accounted_to: u64,
    window_end: u64,
    cpu_at_close: u64,
}

impl<B: Backend> Worker<'_, B> {
    /// Keep the load from now until told to stop, then wait for what is outstanding.
    pub(crate) fn run(self) -> io::Result<Drained> {
        if self.open_loop {
            wake_precisely();
        }
        let (lanes, outstanding) = (self.lanes.len(), self.outstanding);
        let slot_of = |slot: usize| Slot {
            lane: u16::try_from(slot / outstanding).expect("fewer targets than 65536"),
            ..Slot::default()
        };
        let free_of = |lane: usize| (lane * outstanding..(lane + 1) * outstanding).rev().collect();
        let (hand, free) = if self.waits() {
            let hand = Vec::with_capacity(lanes * outstanding);
            (hand, (0..lanes).map(free_of).collect())
        } else {
            ((0..lanes * outstanding).rev().collect(), Vec::new())
        };
        let mut load = Load {
            slots: (0..lanes * outstanding).map(slot_of).collect(),
            hand,
            free,
            next: vec![None; lanes],
            full_until: vec![0; lanes],
            in_flight: 0,
            counter: WindowCounter::new(
                self.targets,
                self.first_target..self.first_target + lanes,
                self.open_loop,
            )
            .with_commands(self.commands),
            drained: Drained::default(),
            accounted_to: self.clock.now(),
            window_end: WINDOW_NS,
            cpu_at_close: thread_cpu_ns(),
            worker: self,
        };
        load.await_beginning();
        let kept = if load.worker.plain() {
            load.keep::<true>()
        } else {
            load.keep::<false>()
        };
        if load.in_flight > 0 {
            // The kernel may still be writing to it: a leak is the lesser evil.
            std::mem::forget(load.worker.memory);
        }
        if let Some(check) = load.worker.check {
            load.drained.findings = check.findings;
        }
        kept.map(|()| load.drained)
    }
}

impl<B: Backend> Worker<'_, B> {
    /// Whether a slot that is free may have to wait: for its start, a sync or think time.
    fn waits(&self) -> bool {
        self.open_loop || self.beside.is_some()
    }

    /// Whether each slot that is free reads or writes at once, and nothing is checked.
    fn plain(&self) -> bool {
        !self.waits() && self.check.is_none() && !self.commands
    }

    /// Check what came of an I/O against what is known of its place.
    #[cold]
    fn compare(check: &mut Checker<'_>, memory: &mut Memory, slot: &Slot, done: Done) {
        let (lane, whole) = (usize::from(slot.lane), done.result == slot.bytes as i32);
        match slot.command {
            Some(Command::Trim) => return check.trimmed(lane, (slot.offset, slot.bytes)),
            Some(Command::Sync) => return,
            None => {}
        }
        if slot.write {
            check.written(lane, done.slot, (slot.offset, slot.bytes), whole);
        } else if whole {
            let bytes = slot.bytes as usize;
            let block = memory.block(done.slot, false, bytes);
            // SAFETY: the block lies in the worker's buffers; its I/O has ended.
            let data = unsafe { std::slice::from_raw_parts(block, bytes) };
            check.read(lane, done.slot, slot.offset, data);
        }
    }
}

/// `PLAIN`, in what follows: [`Worker::plain`], known to the compiler. What such a load never needs is left out
/// of its loop, and costs nothing there.
impl<B: Backend> Load<'_, B> {
    /// Let the others run until this load begins, or is to end before: its windows hold nothing.
    fn await_beginning(&mut self) {
        let begins = self.worker.begins;
        while self.accounted_to < begins && !self.worker.shared.stop.load(Ordering::Relaxed) {
            self.rest((begins - self.accounted_to).min(LONGEST_WAIT_NS));
        }
    }

    fn keep<const PLAIN: bool>(&mut self) -> io::Result<()> {
        loop {
            let running = !self.worker.shared.stop.load(Ordering::Relaxed);
            let wait = if running {
                self.issue::<PLAIN>()
            } else {
                LONGEST_WAIT_NS
            };
            if self.in_flight == 0 {
                if !running {
                    self.hand_on(0);
                    return Ok(());
                }
                self.rest(wait);
                continue;
            }
            let want = usize::from(wait > AWAKE_NS);
            let wait = wait.saturating_sub(AWAKE_NS);
            self.counter.system_calls += self.worker.backend.exchange(want, wait)?;
            self.reap::<PLAIN>();
        }
    }

    /// Take every completion that is there: what is reaped together is stamped together.
    #[inline]
    fn reap<const PLAIN: bool>(&mut self) {
        let now = self.worker.clock.now();
        self.account(now);
        let stopping = self.worker.shared.stop.load(Ordering::Relaxed);
        let Self {
            worker,
            slots,
            hand,
            free,
            full_until,
            counter,
            drained,
            ..
        } = self;
        let waits = !PLAIN && worker.waits();
        let (mut reaped, mut run, mut longest_apart) = (0, Run::default(), 0);
        worker.backend.reap(|done| {
            let slot = &slots[done.slot];
            let latency = now.saturating_sub(slot.issued);
            reaped += 1;
            let lane = usize::from(slot.lane);
            let target = worker.first_target + lane;
            if !waits {
                hand.push(done.slot);
            } else {
                if free[lane].is_empty() {
                    full_until[lane] = now;
                }
                free[lane].push(done.slot);
            }
            if !PLAIN && let Some(check) = &mut worker.check {
                Worker::<B>::compare(check, &mut worker.memory, slot, done);
            }
            if !PLAIN && let Some(beside) = &worker.beside {
                beside.ended(target, slot.write && done.result == slot.bytes as i32, now);
            }
            if done.result != slot.bytes as i32 {
                let times = worker.open_loop.then_some(now);
                longest_apart = longest_apart.max(latency);
                return apart((target, slot, done.result), (latency, times), (counter, drained));
            }
            run.add(counter, (target, slot.write, slot.bytes, latency));
            if !PLAIN && worker.open_loop {
                let start = (slot.issued.saturating_sub(slot.intended), slot.held);
                counter.responded(target, slot.write, now.saturating_sub(slot.intended), start);
            }
        });
        run.count(counter);
        if stopping {
            let longest = run.longest.max(longest_apart);
            drained.drained += reaped as u64;
            drained.drained_max_ns = drained.drained_max_ns.max(longest);
        }
        self.in_flight -= reaped;
    }

    /// Nothing is outstanding: wait for the next start.
    fn rest(&mut self, wait: u64) {
        if wait > AWAKE_NS {
            std::thread::sleep(std::time::Duration::from_nanos(wait - AWAKE_NS));
        }
        self.account(self.worker.clock.now());
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

    /// Accesses of an open loop that are due at `end` and not issued: those nobody has asked for, the next of each
    /// target, and those in hand or held up by another of the same place.
    fn backlog(&self, end: u64) -> u64 {
        let Self {
            worker, slots, next, ..
        } = self;
        let not_asked_for: u64 = worker.lanes.iter().map(|lane| lane.backlog(end)).sum();
        let next = next.iter().flatten().map(|arrived| arrived.intended);
        let in_hand = self.hand.iter().copied();
        let in_hand = in_hand.filter(|slot| slots[*slot].command != Some(Command::Sync));
        let held_up = worker.check.iter().flat_map(Checker::waiting);
        let due = next.chain(in_hand.chain(held_up).map(|slot| slots[slot].intended));
        not_asked_for + due.filter(|intended| *intended <= end).count() as u64
    }

    #[cold]
    fn close_window(&mut self, end: u64) {
        let backlog = if self.worker.open_loop {
            self.backlog(end)
        } else {
            0
        };
        self.hand_on(backlog);
        self.window_end += WINDOW_NS;
        if end >= self.worker.until {
            self.worker.shared.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Hand on what was counted since the last window was closed.
    fn hand_on(&mut self, backlog: u64) {
        let cpu = thread_cpu_ns();
        for (target, traffic) in self.counter.traffic().enumerate() {
            self.drained.of(target).issued.merge(&traffic);
        }
        let window = Window {
            under_way: self.in_flight as u64,
            ..self.counter.close(cpu - self.cpu_at_close, backlog)
        };
        self.cpu_at_close = cpu;
        let windows = &self.worker.shared.windows;
        windows.lock().expect("nobody panics with it").push_back(window);
    }
}

/// A command is counted for itself. An I/O that failed or came back short is counted, and was issued all the same.
#[cold]
fn apart(
    (target, slot, result): (usize, &Slot, i32),
    times: (u64, Option<u64>),
    (counter, drained): (&mut WindowCounter, &mut Drained),
) {
    if slot.command.is_some() {
        return commands::ended((target, slot, result), times, (counter, drained));
    }
    let errno = if result < 0 { -result } else { 0 };
    counter.failed(target, slot.write, (errno, slot.offset));
    let sent = drained.of(target);
    sent.issued.add(slot.write, u64::from(slot.bytes));
    sent.failed.add(slot.write, u64::from(slot.bytes));
}

#[cfg(test)]
mod tests;
