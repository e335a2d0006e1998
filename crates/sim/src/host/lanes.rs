//! Lanes: what one worker does with one target.

use iodyno_load::pattern::{AccessStream, Streams};
use iodyno_load::request::Point;
use iodyno_load::schedule::Schedule;

use crate::syncing::Syncing;
use crate::thinking::Thinking;
use crate::time::Ps;

/// What one worker does with one target.
#[derive(Debug)]
pub(super) struct Lane {
    /// The load that the worker keeps.
    pub(super) load: usize,
    pub(super) worker: usize,
    pub(super) core: usize,
    pub(super) target: usize,
    /// When its load begins.
    pub(super) begins: Ps,
    pub(super) stream: AccessStream,
    pub(super) schedule: Option<Schedule>,
    /// The next intended start, where the loop is open.
    pub(super) next: Ps,
    /// Whether an event for it is in the calendar.
    pub(super) awaited: bool,
    pub(super) thinking: Option<Thinking>,
    pub(super) syncing: Option<Syncing>,
    /// Free slots, where the loop is open or the worker thinks.
    pub(super) free: Vec<u32>,
    /// Until when every slot was taken, at the last.
    pub(super) full_until: Ps,
}

impl Lane {
    /// A free slot for an access that its worker may issue before it thinks.
    pub(super) fn allowed(&mut self) -> Option<u32> {
        let thinking = self.thinking.as_mut().filter(|thinking| thinking.may_issue())?;
        let slot = self.free.pop()?;
        thinking.issued();
        Some(slot)
    }

    /// Whether a sync is due, which is taken.
    #[inline]
    pub(super) fn sync(&mut self) -> bool {
        self.syncing.as_mut().is_some_and(Syncing::take)
    }

    /// A free slot for a sync that is due.
    pub(super) fn synced(&mut self) -> Option<u32> {
        if self.free.is_empty() || !self.sync() {
            return None;
        }
        if let Some(thinking) = &mut self.thinking {
            thinking.sync_issued();
        }
        self.free.pop()
    }

    /// Starts that are due at a moment and not issued.
    pub(super) fn backlog(&self, at: Ps) -> u64 {
        match &self.schedule {
            Some(schedule) if self.next <= at => 1 + schedule.backlog(at.ns()),
            _ => 0,
        }
    }
}

/// The lanes of all loads, one load after the other; so are their slots.
pub(super) fn lanes(loads: &[Point], cores: usize) -> Vec<Lane> {
    let (mut lanes, mut slots) = (Vec::new(), 0);
    let (mut first_worker, mut first_target) = (0, 0);
    for (number, load) in loads.iter().enumerate() {
        for mut lane in lanes_of(load) {
            lane.load = number;
            lane.worker += first_worker;
            lane.core = lane.worker % cores;
            lane.target += first_target;
            lane.free = (slots..slots + load.outstanding as u32).rev().collect();
            slots += load.outstanding as u32;
            lanes.push(lane);
        }
        first_worker += load.workers_in_all();
        first_target += load.targets.len();
    }
    lanes
}

/// The lanes of a load, as if it was alone and without slots.
fn lanes_of(load: &Point) -> impl Iterator<Item = Lane> {
    let (targets, each) = (load.targets.len(), load.driven_by_each());
    let lanes = load.workers * targets;
    let streams = Streams::new(load);
    (0..lanes).map(move |index| {
        let worker = index / each;
        let (part, of_part) = (worker / load.workers, worker % load.workers);
        let target = part * each + index % each;
        // Lanes share the rate by worker of a part and target, whoever drives the target: so do the engine's.
        let turn = of_part * targets + target;
        let new = |rate| {
            Schedule::new(rate, load.arrival, load.seed, (turn, lanes)).begun_at(load.begins_after_ns())
        };
        let mut schedule = load.rate_io_s.map(new);
        Lane {
            load: 0,
            worker,
            core: 0,
            target,
            begins: Ps::from_ns(load.begins_after_ns()),
            stream: streams.stream(of_part, target),
            next: schedule
                .as_mut()
                .map_or(Ps::ZERO, |schedule| Ps::from_ns(schedule.next())),
            schedule,
            thinking: Thinking::of(&load.profile),
            syncing: Syncing::of(&load.profile),
            awaited: false,
            free: Vec::new(),
            full_until: Ps::ZERO,
        }
    })
}
