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

#[cfg(test)]
mod tests {
    use super::*;

    fn point(rate_io_s: Option<f64>, workers: usize) -> Point {
        let point = serde_json::json!({
            "profile": {
                "random_share": 1.0, "read_share": 1.0, "blocks": [{ "bytes": 8192, "weight": 1.0 }],
                "alignment_bytes": 8192, "data": "zeros", "shown_as": "transaction_rate",
            },
            "targets": [{
                "path": "disk", "kind": "virtual", "area_start_bytes": 0, "area_length_bytes": 1_u64 << 40,
            }],
            "outstanding": 4, "workers": workers, "rate_io_s": rate_io_s, "arrival": "fixed",
            "engine": "simulator", "direct": true, "seed": 1,
            "stopping": {
                "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95,
            },
        });
        serde_json::from_value(point).expect("a point")
    }

    /// A start each millisecond: those up to a moment, that one included, are due, and none of them is issued.
    #[test]
    fn starts_that_are_due_are_those_up_to_a_moment() {
        let lanes = lanes(&[point(Some(1000.0), 1)], 1);
        let (lane, ms) = (&lanes[0], Ps::from_ns(1_000_000));
        if lane.next > Ps::ZERO {
            assert_eq!(lane.backlog(lane.next - Ps(1)), 0);
        }
        for due in 0..5 {
            let at = lane.next + Ps(due * ms.0);
            assert_eq!(lane.backlog(at), 1 + due);
            assert_eq!(lane.backlog(at + Ps(ms.0 / 2)), 1 + due);
        }
        assert_eq!(
            super::lanes(&[point(None, 1)], 1)[0].backlog(ms),
            0,
            "a closed loop"
        );
    }

    /// Workers draw for themselves: of 2^27 places two hardly ever draw the same at the same time.
    #[test]
    fn workers_on_one_target_go_their_own_ways() {
        let mut lanes = lanes(&[point(None, 3)], 3);
        assert_eq!([0, 1, 2].map(|lane| lanes[lane].core), [0, 1, 2]);
        let offsets = [0, 1, 2].map(|lane| {
            (0..100)
                .map(|_| lanes[lane].stream.next().offset)
                .collect::<Vec<_>>()
        });
        for (one, other) in [(0, 1), (1, 2), (0, 2)] {
            let pairs = offsets[one].iter().zip(&offsets[other]);
            assert_eq!(pairs.filter(|(one, other)| one == other).count(), 0);
        }
    }
}
