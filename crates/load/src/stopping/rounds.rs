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

/// Rounds from the beginning of the load on that are not counted.
const DISCARDED: f64 = 2.0;
/// Rounds that are counted at the least.
const FEWEST: f64 = 10.0;

/// Follows what ended and what was outstanding in the windows of a series.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    /// Windows of the load before the series began.
    before: usize,
    /// From the beginning of the series to the end of each window: I/Os that ended, and the integral of the
    /// outstanding ones over time, in I/Os × windows.
    sums: Vec<(u64, f64)>,
}

impl Rounds {
    /// Begins to follow a series, so many windows after the load has begun.
    pub fn after(before: usize) -> Self {
        Self {
            before,
            sums: Vec::new(),
        }
    }

    /// Takes the next window: I/Os that ended in it, and how many were outstanding in the mean.
    pub fn push(&mut self, ended: u64, outstanding: f64) {
        let (all, time) = self.sums.last().copied().unwrap_or_default();
        self.sums.push((all + ended, time + outstanding));
    }

    /// Windows at the beginning of the series that are within its first rounds: all of them where nothing ends.
    pub(super) fn beginning(&self, windows: usize) -> usize {
        // The later half tells: the beginning may have been another load.
        let (ended, time) = self.between(windows / 2, windows);
        let within = DISCARDED * time / ended; // as many as the saturating cast can say, where nothing ended
        if time > 0.0 {
            (within.round() as usize).saturating_sub(self.before)
        } else {
            0
        }
    }

    /// Whether what is left of a series without a beginning is long enough.
    pub(super) fn enough(&self, from: usize, windows: usize) -> bool {
        let (ended, time) = self.between(from, windows);
        (windows - from) as f64 * ended >= FEWEST * time
    }

    /// What ended between the ends of windows, and the integral of the outstanding I/Os.
    fn between(&self, from: usize, to: usize) -> (f64, f64) {
        let until = |windows: usize| windows.checked_sub(1).map_or((0, 0.0), |last| self.sums[last]);
        let (first, last) = (until(from), until(to));
        ((last.0 - first.0) as f64, last.1 - first.1)
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
        let rounds = even(512.0, 5, 2000);
        assert_eq!(rounds.beginning(2000), 202);
        assert!(rounds.enough(202, 202 + 1024) && !rounds.enough(202, 202 + 1023));
    }

    #[test]
    fn rounds_that_are_short_beside_a_window_discard_nothing() {
        for (outstanding, ended) in [(1.0, 1000), (512.0, 50_000), (0.0, 0), (512.0, 512)] {
            let rounds = even(outstanding, ended, 50);
            assert_eq!(rounds.beginning(50), 0, "{outstanding} {ended}");
            assert!(rounds.enough(0, 10), "{outstanding} {ended}");
        }
    }

    #[test]
    fn where_nothing_ends_nothing_is_enough() {
        let rounds = even(4.0, 0, 50);
        assert!(rounds.beginning(50) > 50 && !rounds.enough(10, 50) && rounds.beginning(0) == 0);
    }

    #[test]
    fn the_later_half_says_how_long_a_round_is() {
        let mut rounds = Rounds::after(0);
        (0..50).for_each(|_| rounds.push(1000, 100.0));
        (0..50).for_each(|_| rounds.push(10, 100.0));
        assert_eq!(rounds.beginning(100), 20);
        assert!(rounds.enough(0, 100) && !rounds.enough(50, 100));
    }
}
