//! Where a worker's accesses to one target come from, and, in an open loop, when.

use std::sync::{Arc, Mutex};

use iodyno_load::pattern::{Access, AccessStream, Streams};
use iodyno_load::request::Point;
use iodyno_load::schedule::Schedule;

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
    Shared {
        /// Where the accesses come from.
        source: Arc<Mutex<Source>>,
        /// Whether this thread reports the backlog of the source: one of them does.
        reports: bool,
    },
}

impl Lane {
    /// The next access of an open loop, and when it is meant to start.
    #[inline]
    pub(crate) fn next(&mut self) -> Arrived {
        match self {
            Self::Own(source) => source.next(),
            Self::Shared { source, .. } => source.lock().expect("no thread panics with it").next(),
        }
    }

    /// The next access of a closed loop.
    #[inline(always)]
    pub(crate) fn access(&mut self) -> Access {
        match self {
            Self::Own(source) => source.stream.next(),
            Self::Shared { source, .. } => shared_access(source),
        }
    }

    /// Accesses due at `now` that were not asked for.
    pub(crate) fn backlog(&self, now: u64) -> u64 {
        match self {
            Self::Own(source) => source.backlog(now),
            Self::Shared { reports: false, .. } => 0,
            Self::Shared { source, .. } => source.lock().expect("no thread panics with it").backlog(now),
        }
    }
}

/// Apart, so that a source of one thread needs no code for this.
#[inline(never)]
fn shared_access(source: &Mutex<Source>) -> Access {
    source.lock().expect("no thread panics with it").stream.next()
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
