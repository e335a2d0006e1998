//! Whether the level moves: the fitted line, and the range of five rounds.
//!
//! The limits are those of the SNIA Solid State Storage Performance Test Specification; that noise must not explain
//! what is over them is added here, since that specification is for rounds of a minute.

use super::batch::{Interval, mean, means, without_bias};
use super::student::t_two_sided;

/// Excursion of the fitted line over the kept part, as a share of the mean.
const EXCURSION_LIMIT: f64 = 0.10;
/// Range of the means of the rounds, as a share of the mean.
const RANGE_LIMIT: f64 = 0.20;
const ROUNDS: usize = 5;
/// Points that the line is fitted to, at the least where there are as many windows: each has equally many whole
/// windows, and what the division leaves over makes points more, 39 in all at the most.
const POINTS: usize = 20;
/// Confidence at which a movement is taken as proven, and as one to wait for.
const PROVEN: f64 = 0.98;
const SUSPECTED: f64 = 0.80;

/// How the level moved over a series.
pub(super) struct Drift {
    /// Excursion of the fitted line, as a share of the mean; below 0 where it falls.
    pub(super) excursion: f64,
    /// Range of the means of the rounds, as a share of the mean.
    pub(super) range: f64,
    /// Slope over its standard error.
    slope_t: f64,
    slope_freedom: f64,
    /// Range over the standard error of a difference between two rounds.
    range_t: f64,
    range_freedom: f64,
}

impl Drift {
    pub(super) fn of(series: &[f64], interval: &Interval) -> Self {
        let points = means(series, series.len() / POINTS.min(series.len()));
        let line = Line::through(&points);
        let range = range_of_rounds(series);
        Self {
            excursion: line.slope * points.len() as f64 / interval.mean,
            range: range / interval.mean,
            slope_t: ratio(line.slope.abs(), line.error),
            slope_freedom: line.freedom,
            range_t: ratio(range, interval.error * (2.0 * ROUNDS as f64).sqrt()),
            range_freedom: interval.freedom,
        }
    }

    /// Whether excursion or range are over their limits, and more than noise explains.
    pub(super) fn over_limit(&self) -> bool {
        // The largest of all differences between two rounds: Bonferroni's bound.
        let pairs = (ROUNDS * (ROUNDS - 1) / 2) as f64;
        let range_is_real = self.range_t > t_two_sided(1.0 - (1.0 - PROVEN) / pairs, self.range_freedom);
        self.proven(EXCURSION_LIMIT) || (self.range > RANGE_LIMIT && range_is_real)
    }

    /// Whether the line moves by more than that share of the mean, and not by chance.
    pub(super) fn proven(&self, share: f64) -> bool {
        self.moves(share, PROVEN)
    }

    /// Whether the line moves by more than that share of the mean, and that needs more data to be told from chance.
    pub(super) fn suspected(&self, share: f64) -> bool {
        self.moves(share, SUSPECTED)
    }

    fn moves(&self, share: f64, confidence: f64) -> bool {
        self.excursion.abs() > share && self.slope_t > t_two_sided(confidence, self.slope_freedom)
    }
}

/// A line by least squares through equidistant points.
struct Line {
    /// Rise from one point to the next.
    slope: f64,
    /// Its standard error, corrected for the correlation of the residuals.
    error: f64,
    /// Degrees of freedom of that error, 2 or more.
    freedom: f64,
}

impl Line {
    fn through(points: &[f64]) -> Self {
        let count = points.len() as f64;
        let (mean, middle) = (mean(points), (count - 1.0) / 2.0);
        let spread = count * (count * count - 1.0) / 12.0;
        let offsets = || {
            points
                .iter()
                .enumerate()
                .map(|(i, value)| (i as f64 - middle, value - mean))
        };
        let slope = offsets().map(|(x, y)| x * y).sum::<f64>() / spread;
        let residuals: Vec<f64> = offsets().map(|(x, y)| y - slope * x).collect();
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        let products: f64 = residuals.windows(2).map(|pair| pair[0] * pair[1]).sum();
        let lag1 = if squares > 0.0 {
            without_bias(products / squares, count, 2.0)
        } else {
            0.0
        };
        let inflation = (1.0 + lag1) / (1.0 - lag1);
        Self {
            slope,
            error: (squares / (count - 2.0) * inflation / spread).sqrt(),
            freedom: (count / inflation - 2.0).max(2.0),
        }
    }
}

fn range_of_rounds(series: &[f64]) -> f64 {
    let rounds = means(&series[series.len() % ROUNDS..], series.len() / ROUNDS);
    let (low, high) = rounds
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(l, h), m| (l.min(*m), h.max(*m)));
    high - low
}

/// 0 of nothing over nothing.
fn ratio(value: f64, error: f64) -> f64 {
    if value > 0.0 { value / error } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drift(series: &[f64]) -> Drift {
        Drift::of(series, &Interval::of(series, 0.95).unwrap())
    }

    #[test]
    fn a_line_is_found() {
        let line = Line::through(&[3.0, 5.0, 7.0, 9.0, 11.0, 13.0]);
        assert!((line.slope - 2.0).abs() < 1e-12 && line.error < 1e-12);
    }

    #[test]
    fn the_error_of_the_slope_is_that_of_the_textbook() {
        // y = 1, 3, 2, 4: slope 0.8, residual squares 1.8, error √(1.8/2/5) = 0.424 where nothing is correlated.
        let line = Line::through(&[1.0, 3.0, 2.0, 4.0]);
        assert!((line.slope - 0.8).abs() < 1e-12 && (line.error - 0.18_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_error_of_the_slope_grows_with_the_correlation_of_what_is_left() {
        // Two by two above and below, the same from either end: no slope, squares 40. Of the neighbours 21 are alike
        // and 18 are not, r = 3/40; without the bias of a line (3 + 2)/36, which makes (1 + r)/(1 - r) = 41/31.
        let half: Vec<f64> = [1.0, 1.0, -1.0, -1.0].repeat(5);
        let points: Vec<f64> = half.iter().chain(half.iter().rev()).copied().collect();
        let line = Line::through(&points);
        let spread = 40.0 * (1600.0 - 1.0) / 12.0;
        assert!(line.slope.abs() < 1e-12);
        assert!((line.error.powi(2) - 40.0 / 38.0 * 41.0 / 31.0 / spread).abs() < 1e-12);
        assert!((line.freedom - (40.0 * 31.0 / 41.0 - 2.0)).abs() < 1e-9);
    }

    #[test]
    fn a_line_has_twenty_points_and_a_round_a_fifth_of_the_windows() {
        // Points that alternate leave nothing correlated: two less than twenty degrees of freedom.
        let series: Vec<f64> = (0..100).map(|i| 100.0 + f64::from(i / 5 % 2)).collect();
        assert_eq!(drift(&series).slope_freedom, 18.0);
        // Each of two rounds of a fifth has five times the variance of the whole mean. Rounds of 20: 20 × 4 between
        // the middles of the first and the last.
        let rising: Vec<f64> = (0..100).map(f64::from).collect();
        let (drift, interval) = (drift(&rising), Interval::of(&rising, 0.95).unwrap());
        assert!((drift.range_t - 80.0 / (10.0 * interval.error.powi(2)).sqrt()).abs() < 1e-9);
        assert_eq!(drift.range_freedom, interval.freedom);
    }

    #[test]
    fn a_line_moves_by_its_excursion_and_more_than_chance() {
        let moves = |excursion, slope_t| Drift {
            excursion,
            range: 0.0,
            slope_t,
            slope_freedom: 10.0,
            range_t: 0.0,
            range_freedom: 10.0,
        };
        // Student's t of ten degrees of freedom in printed tables: 2.764 at 98 %, 1.372 at 80 %.
        assert!(moves(0.03, 2.77).proven(0.02) && !moves(0.03, 2.76).proven(0.02));
        assert!(moves(0.03, 1.38).suspected(0.02) && !moves(0.03, 1.36).suspected(0.02));
        assert!(moves(-0.03, 9.0).proven(0.02) && !moves(0.02, 9.0).proven(0.02));
        // SNIA's limit of the line is 10 %, whatever was asked for.
        assert!(moves(0.101, 9.0).over_limit() && !moves(0.1, 9.0).over_limit());
    }

    #[test]
    fn excursion_and_range_are_shares_of_the_mean() {
        let rising: Vec<f64> = (0..100).map(|i| 90.1 + 0.2 * f64::from(i)).collect();
        let drift = drift(&rising);
        assert!((drift.excursion - 0.2).abs() < 1e-9 && (drift.range - 0.16).abs() < 0.001);
        assert!(drift.over_limit() && drift.suspected(0.01) && !drift.proven(0.3));
    }

    #[test]
    fn a_hump_is_over_the_range_although_no_line_moves() {
        let hump: Vec<f64> = (0..400)
            .map(|i| 100.0 + 60.0 * (f64::from(i) / 400.0 * std::f64::consts::PI).sin())
            .collect();
        let drift = drift(&hump);
        assert!(drift.excursion.abs() < 0.01 && drift.range > 0.2);
    }

    #[test]
    fn there_are_five_rounds_however_short_the_series_is() {
        for windows in 10..200 {
            // The first window of the fifth round before the end, and of the sixth where there was one.
            let mut series = vec![0.0; windows];
            let round = windows / 5;
            series[windows - 5 * round] = round as f64;
            assert_eq!(range_of_rounds(&series), 1.0, "{windows}");
            if let Some(before) = (windows - 5 * round).checked_sub(1) {
                series = vec![0.0; windows];
                series[before] = round as f64;
                assert_eq!(range_of_rounds(&series), 0.0, "{windows}");
            }
        }
    }

    #[test]
    fn a_level_series_does_not_move() {
        let level: Vec<f64> = (0..100).map(|i| 100.0 + f64::from(i * 7 % 11)).collect();
        let drift = drift(&level);
        assert!(!drift.over_limit() && !drift.proven(0.01));
    }

    #[test]
    fn the_widest_of_ten_differences_needs_more_than_one_would() {
        let moves = |range, range_t| Drift {
            excursion: 0.0,
            range,
            slope_t: 0.0,
            slope_freedom: 10.0,
            range_t,
            range_freedom: 10.0,
        };
        // Five rounds have ten pairs, 2 % of chance for all of them is 0.2 % for each: Student's t of ten degrees of
        // freedom is 4.144 there in printed tables, where one difference would do with 2.764.
        assert!(!moves(0.3, 2.8).over_limit() && !moves(0.3, 4.14).over_limit());
        assert!(moves(0.3, 4.15).over_limit());
        assert!(!moves(0.2, 100.0).over_limit());
    }
}
