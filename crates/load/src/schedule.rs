//! When the accesses of an open loop are meant to start.

use crate::pattern::mix;
use crate::request::Arrival;

/// Intended starts in ns from one epoch: they wait for nothing and never drain.
#[derive(Clone, Debug)]
pub struct Schedule {
    period_ns: f64,
    arrival: Arrival,
    phase_ns: f64,
    count: u64,
    poisson_ns: f64,
    seed: u64,
}

impl Schedule {
    /// The share of one lane in the rate of all; fixed arrivals of the lanes interleave.
    pub fn new(rate_io_s: f64, arrival: Arrival, seed: u64, (lane, lanes): (usize, usize)) -> Self {
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

    /// The same schedule, begun so many ns after the epoch.
    pub fn begun_at(mut self, begin_ns: u64) -> Self {
        self.phase_ns += begin_ns as f64;
        self.poisson_ns += begin_ns as f64;
        self
    }

    /// The next intended start in ns.
    #[inline]
    #[allow(clippy::should_implement_trait)] // endless
    pub fn next(&mut self) -> u64 {
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
    pub fn backlog(&self, now: u64) -> u64 {
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
    fn poisson_arrivals_of_all_lanes_are_poisson_together() {
        // 40 in each of 5000 windows: the variance of their counts is the mean. Of n windows its ratio to it scatters
        // by √(2/n), 2 %; four lanes that come together would make it four.
        let mut counts = vec![0_u32; 5000];
        for lane in 0..4 {
            let mut schedule = Schedule::new(400.0, Arrival::Poisson, 3, (lane, 4));
            while let Some(count) = counts.get_mut((schedule.next() / 100_000_000) as usize) {
                *count += 1;
            }
        }
        let mean = f64::from(counts.iter().sum::<u32>()) / 5000.0;
        let squares = counts
            .iter()
            .map(|count| (f64::from(*count) - mean).powi(2))
            .sum::<f64>();
        assert!((mean / 40.0 - 1.0).abs() < 0.01, "{mean}");
        assert!((squares / 5000.0 / mean - 1.0).abs() < 0.1, "{squares}");
    }

    #[test]
    fn backlog_counts_what_is_due() {
        let mut schedule = Schedule::new(1000.0, Arrival::Fixed, 1, (0, 1));
        assert_eq!(schedule.backlog(0), 1);
        schedule.next();
        assert_eq!(schedule.backlog(999_999), 0);
        assert_eq!(schedule.backlog(5_500_000), 5);
    }

    #[test]
    fn a_schedule_that_begins_later_is_the_same_one_moved() {
        let begin = 5_000_000_000;
        for arrival in [Arrival::Fixed, Arrival::Poisson] {
            let new = || Schedule::new(1000.0, arrival, 7, (1, 3));
            let (mut usual, mut late) = (new(), new().begun_at(begin));
            assert_eq!(late.backlog(begin), 0, "{arrival:?}");
            for _ in 0..1000 {
                // In floating point, moved starts are rounded otherwise.
                assert!(late.next().abs_diff(usual.next() + begin) <= 1, "{arrival:?}");
            }
            assert_eq!(late.backlog(begin + 9_000_000_000), usual.backlog(9_000_000_000));
        }
    }

    #[test]
    fn the_backlog_of_poisson_arrivals_is_what_is_expected_since_the_last() {
        let mut schedule = Schedule::new(1000.0, Arrival::Poisson, 1, (0, 1));
        let last = (0..100).map(|_| schedule.next()).last().expect("a hundred");
        // One a millisecond: the first is due a millisecond later.
        let due = [999_000, 1_001_000, 3_500_000].map(|later| schedule.backlog(last + later));
        assert_eq!(due, [0, 1, 3]);
    }
}
