//! Where a series has settled: the MSER-5 cut, and twice of it.
//!
//! White (1997), An effective truncation heuristic for bias reduction in simulation output,
//! Simulation 69, 323–334; White, Cobb & Spratt (2000), A comparison of five steady-state truncation
//! heuristics for simulation, Winter Simulation Conference, 755–760, which averages fives first.

use super::batch::mean;
use super::grain;

/// Windows that are averaged before the cut is sought.
const FIVE: usize = 5;

/// How much of the beginning is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// Windows to discard: twice the MSER cut, half of the series at the most, in whole grains.
    pub(super) windows: usize,
    /// Whether twice the cut is no more than half, so that the rest may be taken as settled.
    pub(super) settled: bool,
}

/// Finds how much to discard.
pub(super) fn find(series: &[f64]) -> Cut {
    let fives: Vec<f64> = series.chunks_exact(FIVE).map(mean).collect();
    let twice = 2 * FIVE * mser(&fives);
    let half = series.len() / 2;
    Cut {
        windows: twice.min(half).next_multiple_of(grain(series.len())),
        settled: twice <= half,
    }
}

/// Number of leading values, up to half of them, without which the mean has the smallest standard error. Of one value
/// that is not known: two at least are left.
fn mser(values: &[f64]) -> usize {
    // Sums about the last value: squares of large figures would cost digits.
    let origin = values.last().copied().unwrap_or(0.0);
    let (mut sum, mut squares) = (0.0, 0.0);
    let (mut smallest, mut best) = (f64::INFINITY, 0);
    for (cut, value) in values.iter().enumerate().rev() {
        sum += value - origin;
        squares += (value - origin).powi(2);
        let left = (values.len() - cut) as f64;
        let error = (squares - sum * sum / left).max(0.0) / (left * left);
        if left > 1.0 && cut <= values.len() / 2 && error <= smallest {
            (smallest, best) = (error, cut);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_falls_where_the_step_is() {
        let mut values = vec![9.0; 7];
        values.extend((0..40).map(|i| f64::from(i % 2)));
        assert_eq!(mser(&values), 7);
    }

    #[test]
    fn the_cut_is_the_one_of_the_definition() {
        let values: Vec<f64> = (0..30)
            .map(|i| f64::from(i * i % 17) + 20.0 / f64::from(1 + i))
            .collect();
        let error = |cut: usize| {
            let left = &values[cut..];
            left.iter().map(|v| (v - mean(left)).powi(2)).sum::<f64>() / (left.len() as f64).powi(2)
        };
        let expected = (0..=15).min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap();
        assert_eq!(mser(&values), expected);
    }

    #[test]
    fn a_long_series_is_cut_between_what_is_kept_as_one() {
        let mut series = vec![9.0; 605];
        series.extend((0..19_395).map(|i| f64::from(i % 2)));
        let cut = find(&series);
        assert_eq!((grain(series.len()), cut.windows), (32, 1216));
    }

    #[test]
    fn one_value_that_would_be_left_says_nothing_of_its_error() {
        assert_eq!(mser(&[5.0, 6.0]), 0);
        assert_eq!(mser(&[9.0, 5.0, 5.0]), 1);
        // A second of windows that differ a little has settled as far as it tells.
        for windows in 0..15 {
            let series: Vec<f64> = (0..windows).map(|i| f64::from(100 + i * 7 % 11)).collect();
            let found = find(&series);
            assert_eq!((found.windows, found.settled), (0, true), "{windows}");
        }
    }

    #[test]
    fn twice_the_cut_is_discarded_and_half_at_the_most() {
        let step = |high: usize, low: usize| {
            let mut series = vec![9.0; high];
            series.extend((0..low).map(|i| (i % 2) as f64));
            find(&series)
        };
        assert_eq!(
            step(20, 180),
            Cut {
                windows: 40,
                settled: true
            }
        );
        assert_eq!(
            step(80, 120),
            Cut {
                windows: 100,
                settled: false
            }
        );
        assert_eq!(
            find(&[]),
            Cut {
                windows: 0,
                settled: true
            }
        );
        assert_eq!(
            find(&[1.0; 50]),
            Cut {
                windows: 0,
                settled: true
            }
        );
    }
}
