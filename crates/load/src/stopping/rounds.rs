//! How long a series is beside its latencies.
//!
//! A latency is known when its I/O ends, so a part that is short beside the latencies holds those of quick I/Os only: all that
//! were issued together at the beginning are younger than the load. Time is counted in rounds: in one, as many I/Os end
//! as are outstanding in the mean, and by Little's law (1961) it lasts as long as the mean latency. The law holds for a part of any
//! length, whether or not the latencies themselves are known already.
//!
//! Where the device serves in order, each I/O after the first round has its full latency. Where it takes any of those that
//! wait (residence times without memory), of the mean latency of what ends r rounds after the beginning e^-r is missing. Over k rounds
//! after r that were discarded (e^-r − e^-(r + k)) / k is missing: 1.4 % with 2 and 10, less than the usual precision.

use super::grain;

/// Rounds from the beginning of the load on that are not counted.
const DISCARDED: f64 = 2.0;
/// Rounds that are counted at the least.
const FEWEST: f64 = 10.0;

/// Follows what ended and what was outstanding in the windows of a series, in memory that does not grow with it.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    /// Windows of the load before the series began.
    before: usize,
    /// Windows of the series so far, and its sum.
    windows: usize,
    all: Sum,
    /// From the beginning of the series to the end of each [`grain`].
    sums: Vec<Sum>,
}

/// I/Os that ended, and the integral of the outstanding ones over time, in I/Os × windows.
type Sum = (u64, f64);

impl Rounds {
    /// Begins to follow a series, so many windows after the load has begun.
    pub fn after(before: usize) -> Self {
        Self {
            before,
            ..Self::default()
        }
    }

    /// Takes the next window: I/Os that ended in it, and how many were outstanding in the mean.
    pub fn push(&mut self, ended: u64, outstanding: f64) {
        self.all = (self.all.0 + ended, self.all.1 + outstanding);
        let before = grain(self.windows);
        self.windows += 1;
        let now = grain(self.windows);
        if now > before {
            let mut number = 0;
            self.sums.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
        if self.windows.is_multiple_of(now) {
            self.sums.push(self.all);
        }
    }

    /// Windows at the beginning of the series that are within its first rounds: all of them where nothing ends.
    pub(super) fn beginning(&self) -> usize {
        // The later half tells: the beginning may have been another load.
        let (ended, time) = self.since(self.windows / 2);
        let within = DISCARDED * time / ended; // as many as the saturating cast can say, where nothing ended
        if time > 0.0 {
            (within.round() as usize).saturating_sub(self.before)
        } else {
            0
        }
    }

    /// Whether what is left of the series without a beginning is long enough.
    pub(super) fn enough(&self, from: usize) -> bool {
        let (ended, time) = self.since(from);
        (self.windows - from) as f64 * ended >= FEWEST * time
    }

    /// What ended from the beginning of the grain that a window is in on, and the integral of the outstanding I/Os.
    fn since(&self, window: usize) -> (f64, f64) {
        let grains = window / grain(self.windows);
        let (ended, time) = grains.checked_sub(1).map_or((0, 0.0), |last| self.sums[last]);
        ((self.all.0 - ended) as f64, self.all.1 - time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of so many outstanding I/Os so many end in each of some windows.
    fn even(outstanding: f64, ended: u64, windows: usize) -> Rounds {
        let mut rounds = Rounds::after(3);
        (0..windows).for_each(|_| rounds.push(ended, outstanding));
        rounds
    }

    #[test]
    fn a_round_lasts_as_long_as_the_latency_of_littles_law() {
        // 512 outstanding, 5 in a window: 102.4 windows. Two rounds less the 3 windows before, and then ten.
        let even = |windows| even(512.0, 5, windows);
        assert_eq!((even(900).beginning(), even(2000).beginning()), (202, 202));
        assert!(even(202 + 1024).enough(202) && !even(202 + 1023).enough(202));
    }

    #[test]
    fn rounds_that_are_short_beside_a_window_discard_nothing() {
        for (outstanding, ended) in [(1.0, 1000), (512.0, 50_000), (0.0, 0), (512.0, 512)] {
            let rounds = |windows| even(outstanding, ended, windows);
            assert_eq!(rounds(50).beginning(), 0, "{outstanding} {ended}");
            assert!(rounds(10).enough(0), "{outstanding} {ended}");
        }
    }

    #[test]
    fn where_nothing_ends_nothing_is_enough() {
        let rounds = even(4.0, 0, 50);
        assert!(rounds.beginning() > 50 && !rounds.enough(10));
        assert_eq!(Rounds::default().beginning(), 0);
    }

    #[test]
    fn the_later_half_says_how_long_a_round_is() {
        let mut rounds = Rounds::after(0);
        (0..50).for_each(|_| rounds.push(1000, 100.0));
        (0..50).for_each(|_| rounds.push(10, 100.0));
        assert_eq!(rounds.beginning(), 20);
        assert!(rounds.enough(0) && !rounds.enough(50));
    }

    #[test]
    fn a_long_series_is_kept_in_grains_and_adds_up_to_its_windows() {
        let outstanding = |window: usize| 1.0 + (window % 9) as f64;
        let mut rounds = Rounds::default();
        for windows in 1..=9000_usize {
            rounds.push(windows as u64, outstanding(windows));
            assert!(rounds.sums.len() <= 1024, "{windows}");
            if [7, 1024, 1025, 1026, 2049, 5000, 9000].contains(&windows) {
                let from = windows / 3 / grain(windows) * grain(windows);
                let ended: usize = (from + 1..=windows).sum();
                let time: f64 = (from + 1..=windows).map(outstanding).sum();
                assert_eq!(rounds.since(from), (ended as f64, time), "{windows}");
            }
        }
    }
}
