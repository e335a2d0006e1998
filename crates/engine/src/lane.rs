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
