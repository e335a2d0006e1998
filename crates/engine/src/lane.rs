//! Where a worker's accesses to one target come from, and, in an open loop, when.

use std::sync::{Arc, Mutex};

use iodyno_load::pattern::{Access, AccessStream, mix};
use iodyno_load::request::{Arrival, Point};

/// An access and the moment it is meant to start, in ns of the clock; 0 in a closed loop.
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
    /// The next access.
    #[inline]
    pub(crate) fn next(&mut self) -> Arrived {
        match self {
            Self::Own(source) => source.next(),
            Self::Shared { source, .. } => source.lock().expect("no thread panics with it").next(),
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

/// Where the accesses of a worker to a target come from.
pub(crate) struct Source {
    stream: AccessStream,
    schedule: Option<Schedule>,
}

impl Source {
    /// The accesses of a worker to a target.
    pub(crate) fn new(point: &Point, worker: usize, target: usize) -> Self {
        let area = &point.targets[target];
        let area = (area.area_start_bytes, area.area_length_bytes);
        let workers = (worker, point.workers);
        Self {
            stream: AccessStream::new(&point.profile, area, point.seed, target, workers),
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

/// Intended starts in ns from one epoch: they wait for nothing and never drain.
struct Schedule {
    period_ns: f64,
    arrival: Arrival,
    phase_ns: f64,
    count: u64,
    poisson_ns: f64,
    seed: u64,
}

impl Schedule {
    /// The share of one lane in the rate of all; fixed arrivals of the lanes interleave.
    fn new(rate_io_s: f64, arrival: Arrival, seed: u64, (lane, lanes): (usize, usize)) -> Self {
        let period_ns = 1e9 * lanes as f64 / rate_io_s;
        Self {
            period_ns,
            arrival,
            phase_ns: period_ns * lane as f64 / lanes as f64,
            count: 0,
            poisson_ns: 0.0,
            seed: mix(mix(seed, lane as u64), 0x0a77_17a1),
        }
    }

    fn next(&mut self) -> u64 {
        let start = match self.arrival {
            Arrival::Fixed => self.phase_ns + self.count as f64 * self.period_ns,
            Arrival::Poisson => {
                // 53 random bits, above 0 and at most 1.
                let draw = ((mix(self.seed, self.count) >> 11) + 1) as f64 / 2f64.powi(53);
                self.poisson_ns -= draw.ln() * self.period_ns;
                self.poisson_ns
            }
        };
        self.count += 1;
        start as u64
    }

    /// Starts that are due and not yet given: exact for fixed arrivals, expected for Poisson.
    fn backlog(&self, now: u64) -> u64 {
        let next = match self.arrival {
            Arrival::Fixed => self.phase_ns + self.count as f64 * self.period_ns,
            Arrival::Poisson => self.poisson_ns + self.period_ns,
        };
        let late = now as f64 - next;
        if late < 0.0 {
            0
        } else {
            (late / self.period_ns) as u64 + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_arrivals_of_all_lanes_are_evenly_spaced() {
        let mut starts: Vec<u64> = (0..4)
            .flat_map(|lane| {
                let mut schedule = Schedule::new(10_000.0, Arrival::Fixed, 1, (lane, 4));
                (0..100).map(move |_| schedule.next()).collect::<Vec<_>>()
            })
            .collect();
        starts.sort_unstable();
        assert!(starts.windows(2).all(|pair| pair[1] - pair[0] == 100_000));
    }

    #[test]
    fn poisson_arrivals_have_the_rate_and_the_spread_of_poisson() {
        for rate in [300.0, 60_000.0, 700_000.0] {
            let mut schedule = Schedule::new(rate, Arrival::Poisson, 3, (0, 1));
            let starts: Vec<f64> = (0..200_000).map(|_| schedule.next() as f64).collect();
            let gaps: Vec<f64> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
            let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
            // The mean of n exponential gaps has a standard error of 1/sqrt(n): 0.22 %.
            assert!((mean * rate / 1e9 - 1.0).abs() < 0.009, "rate {rate}: {mean}");
            assert!((variance.sqrt() / mean - 1.0).abs() < 0.03);
        }
    }

    #[test]
    fn backlog_counts_what_is_due() {
        let mut schedule = Schedule::new(1000.0, Arrival::Fixed, 1, (0, 1));
        assert_eq!(schedule.backlog(0), 1);
        schedule.next();
        assert_eq!(schedule.backlog(999_999), 0);
        assert_eq!(schedule.backlog(5_500_000), 5);
    }
}
