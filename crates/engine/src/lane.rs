//! Where a worker's accesses to one target come from, and, in an open loop, when.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use iodyno_load::pattern::{Access, AccessStream, Streams};
use iodyno_load::request::Point;
use iodyno_load::schedule::Schedule;
use iodyno_load::window::WINDOW_NS;

/// An access and the moment it is meant to start, in ns of the clock.
#[derive(Clone, Copy)]
pub(crate) struct Arrived {
    pub(crate) access: Access,
    pub(crate) intended: u64,
}

/// Gives accesses; one lane for each worker and target.
pub(crate) enum Lane {
    /// Of a worker that is one thread.
    Own(Source),
    /// Shared by the threads of a worker that needs one for each outstanding I/O.
    Shared(Arc<Mutex<Pool>>),
}

impl Lane {
    /// The next access of an open loop, and when it is meant to start, for who has closed windows up to then.
    #[inline]
    pub(crate) fn next(&mut self, closed_to: u64) -> Arrived {
        match self {
            Self::Own(source) => source.next(),
            Self::Shared(pool) => pool.lock().expect("no thread panics with it").next(closed_to),
        }
    }

    /// The next access of a closed loop.
    #[inline(always)]
    pub(crate) fn access(&mut self) -> Access {
        match self {
            Self::Own(source) => source.stream.next(),
            Self::Shared(pool) => shared_access(pool),
        }
    }

    /// Accesses due at the end of a window that nobody had asked for then. Each thread that shares them asks once for
    /// each window, as it closes it; the last is told.
    pub(crate) fn backlog(&self, end: u64) -> u64 {
        match self {
            Self::Own(source) => source.backlog(end),
            Self::Shared(pool) => pool.lock().expect("no thread panics with it").close(end),
        }
    }
}

/// Apart, so that a source of one thread needs no code for this.
#[inline(never)]
fn shared_access(pool: &Mutex<Pool>) -> Access {
    let mut pool = pool.lock().expect("no thread panics with it");
    pool.source.stream.next()
}

/// What the threads of a worker share: where their accesses come from, and which of them were due when a window
/// ended and were taken later.
///
/// A thread that waits for its I/O closes windows when that has ended. What was due in them others may have taken by
/// then, and did not count there, as they had closed them themselves.
pub(crate) struct Pool {
    source: Source,
    threads: usize,
    /// Where the last window ended that every thread has closed.
    closed_by_all: u64,
    /// Of each window after it that one has closed: how many have, and what they took that was due.
    open: VecDeque<(usize, u64)>,
}

impl Pool {
    /// For so many threads.
    pub(crate) fn shared(source: Source, threads: usize) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            source,
            threads,
            closed_by_all: 0,
            open: VecDeque::new(),
        }))
    }

    fn next(&mut self, closed_to: u64) -> Arrived {
        let arrived = self.source.next();
        let windows = |until: u64| until.saturating_sub(self.closed_by_all).div_ceil(WINDOW_NS) as usize;
        let (first, upto) = (windows(arrived.intended).max(1) - 1, windows(closed_to));
        let due_in = self.open.range_mut(first.min(upto)..upto);
        due_in.for_each(|(_, taken)| *taken += 1);
        arrived
    }

    fn close(&mut self, end: u64) -> u64 {
        let place = ((end - self.closed_by_all) / WINDOW_NS) as usize - 1;
        if place == self.open.len() {
            self.open.push_back((0, 0));
        }
        let (closed, taken) = &mut self.open[place];
        *closed += 1;
        if *closed < self.threads {
            return 0;
        }
        let taken = *taken;
        self.open.pop_front();
        self.closed_by_all = end;
        taken + self.source.backlog(end)
    }
}

/// Where the accesses of a worker to a target come from.
pub(crate) struct Source {
    stream: AccessStream,
    schedule: Option<Schedule>,
}

impl Source {
    /// The accesses of a worker to a target.
    pub(crate) fn new(point: &Point, streams: &Streams<'_>, worker: usize, target: usize) -> Self {
        Self {
            stream: streams.stream(worker, target),
            schedule: point.rate_io_s.map(|rate| {
                let lanes = point.workers * point.targets.len();
                let lane = worker * point.targets.len() + target;
                Schedule::new(rate, point.arrival, point.seed, (lane, lanes))
                    .begun_at(point.begins_after_ns())
            }),
        }
    }

    #[inline]
    fn next(&mut self) -> Arrived {
        Arrived {
            access: self.stream.next(),
            intended: self.schedule.as_mut().map_or(0, Schedule::next),
        }
    }

    fn backlog(&self, now: u64) -> u64 {
        self.schedule.as_ref().map_or(0, |schedule| schedule.backlog(now))
    }
}

#[cfg(test)]
mod tests {
    use iodyno_load::request::{Arrival, EngineChoice};

    use super::*;
    use crate::made;

    /// The first starts of all lanes of two workers on three targets, at 6000 a second in all.
    fn starts(arrival: Arrival) -> Vec<Vec<u64>> {
        let targets = ["a", "b", "c"].map(|path| made::target(path, (0, 1 << 20)));
        let point = Point {
            workers: 2,
            rate_io_s: Some(6000.0),
            arrival,
            ..made::point(EngineChoice::Null, made::profile(1.0), &targets)
        };
        let streams = Streams::new(&point);
        let lanes = (0..2).flat_map(|worker| (0..3).map(move |target| (worker, target)));
        let of = |(worker, target)| {
            let mut source = Source::new(&point, &streams, worker, target);
            (0..50).map(|_| source.next().intended).collect()
        };
        lanes.map(of).collect()
    }

    #[test]
    fn starts_of_all_workers_and_targets_are_evenly_spaced() {
        let mut all = starts(Arrival::Fixed).concat();
        all.sort_unstable();
        let period = 1e9 / 6000.0;
        for (number, start) in all.iter().enumerate() {
            assert_eq!(*start, (number as f64 * period + 1e-3) as u64, "start {number}");
        }
    }

    #[test]
    fn random_arrivals_of_workers_and_targets_are_their_own() {
        let lanes = starts(Arrival::Poisson);
        for (number, lane) in lanes.iter().enumerate() {
            assert!(
                lanes[..number].iter().all(|other| other[0] != lane[0]),
                "lane {number}"
            );
        }
    }
}
