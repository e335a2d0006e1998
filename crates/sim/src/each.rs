//! What each of several targets, or of several loads, has of the warm-up and of what is counted at the least: where a fast
//! one has done the I/Os of all, a slow one's caches and queues are not as they stay, and of its I/Os only the quick
//! ones have come back.

use std::ops::Range;

use iodyno_load::request::Point;
use iodyno_load::window::Window;

use crate::time::{Ps, Total};

/// Of several targets of a closed loop each has that part of its share of the warm-up, and of the least that is counted.
const LEAST_SHARE: u64 = 2;

/// How much of a point one has at the least: of the warm-up, or of what is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least {
    /// I/Os of a target beside others of its load.
    target: u64,
    /// I/Os for each target of a load that is a closed loop.
    load: u64,
    /// Rounds of a load, of what is outstanding.
    rounds: u64,
}

impl Least {
    /// Of a warm-up of so many I/Os of all targets. A load has all of its share: where its beginning has nothing to do with
    /// how it goes on, what is counted may not tell.
    pub(crate) fn of_warmup((ios, targets): (u64, usize), rounds: u64) -> Self {
        let each = ios / targets as u64;
        Self {
            target: each / LEAST_SHARE,
            load: each,
            rounds,
        }
    }

    /// Of so many that are counted. The figure of each load is judged: it has its rounds, and no share.
    pub(crate) fn of_counted((ios, targets): (u64, usize), rounds: u64) -> Self {
        Self {
            load: 0,
            ..Self::of_warmup((ios, targets), rounds)
        }
    }
}

#[derive(Clone, Debug)]
struct OfTarget {
    done: u64,
    /// Not where its load has one, whose figure is the load's and judged, nor where a rate is given.
    waited_for: bool,
}

#[derive(Clone, Debug)]
struct OfLoad {
    targets: Range<usize>,
    workers: Range<usize>,
    /// As many as are outstanding in a closed loop; an open one has as many as it comes to.
    outstanding: Option<u64>,
    /// The integral of its outstanding I/Os when counting began.
    since: Total,
}

/// Counts the I/Os of each, in the warm-up and then in the windows.
#[derive(Clone, Debug)]
pub(crate) struct Each {
    targets: Vec<OfTarget>,
    /// None where there is one: the point's warm-up and rule are its own.
    loads: Vec<OfLoad>,
    begun: Ps,
}

impl Each {
    pub(crate) fn of(loads: &[Point]) -> Self {
        let target = |load: &Point| {
            let waited_for = load.targets.len() > 1 && !load.open_loop();
            vec![OfTarget { done: 0, waited_for }; load.targets.len()]
        };
        let (mut first_target, mut first_worker) = (0, 0);
        let load = |load: &Point| {
            let targets = first_target..first_target + load.targets.len();
            let workers = first_worker..first_worker + load.workers_in_all();
            (first_target, first_worker) = (targets.end, workers.end);
            OfLoad {
                targets,
                workers,
                outstanding: (!load.open_loop()).then(|| outstanding(load)),
                since: Total::ZERO,
            }
        };
        let several = loads.len() > 1;
        Self {
            targets: loads.iter().flat_map(target).collect(),
            loads: loads.iter().filter(|_| several).map(load).collect(),
            begun: Ps::ZERO,
        }
    }

    /// Begin to count, with the integral of each worker's outstanding I/Os.
    pub(crate) fn begin(&mut self, at: Ps, depths: impl Fn(usize) -> Total) {
        self.begun = at;
        self.targets.iter_mut().for_each(|target| target.done = 0);
        for load in &mut self.loads {
            load.since = load.workers.clone().map(&depths).sum();
        }
    }

    #[inline]
    pub(crate) fn done(&mut self, target: usize) {
        self.targets[target].done += 1;
    }

    pub(crate) fn add(&mut self, window: &Window) {
        let pairs = self.targets.iter_mut().zip(&window.targets);
        pairs.for_each(|(of, traffic)| of.done += traffic.reads + traffic.writes + traffic.trims);
    }

    /// Whether each target and each load has its part at a moment; an open loop, which is as slow as it is told to be, has
    /// its rounds alone.
    pub(crate) fn has(&self, least: Least, at: Ps, depths: impl Fn(usize) -> Total) -> bool {
        let target = |of: &OfTarget| !of.waited_for || of.done >= least.target;
        let load = |of: &OfLoad| {
            let done = self.targets[of.targets.clone()].iter().map(|of| of.done).sum();
            match of.outstanding {
                Some(outstanding) => {
                    done >= (least.load * of.targets.len() as u64).max(least.rounds * outstanding)
                }
                None => {
                    let depths: Total = of.workers.clone().map(&depths).sum();
                    let waited = depths - of.since;
                    Total::of(at - self.begun, done).0 >= waited.0 * u128::from(least.rounds)
                }
            }
        };
        self.targets.iter().all(target) && self.loads.iter().all(load)
    }
}

/// Outstanding I/Os of a load, or the most of them.
pub(crate) fn outstanding(load: &Point) -> u64 {
    (load.outstanding * load.workers * load.targets.len()) as u64
}
