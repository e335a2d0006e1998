//! Batch means: the interval of a mean whose samples are correlated.
//!
//! Fishman (1978), Grouping observations in digital simulation, Management Science 24, 510–521; Law & Kelton
//! (1982), Confidence intervals for steady-state simulations, II: a survey of sequential procedures,
//! Management Science 28, 550–562. The correction for what correlation is left is that of Tafazzoli
//! et al. (2011), Skart, INFORMS Journal on Computing 23, without its part for skewness.

use super::student::t_two_sided;

/// Windows below which there is no interval.
const FEWEST_WINDOWS: usize = 10;
/// Batches that are aimed at, batches at the least, and windows in one at the least. A batch has whole windows:
/// what the division leaves over can fill batches more, up to 24 in all.
const USUAL_BATCHES: usize = 20;
const FEWEST_BATCHES: usize = 5;
const SHORTEST_BATCH: usize = 4;
/// Batches from which on their own lag-1 correlation says something.
const ENOUGH_TO_CORRELATE: usize = 12;
/// Number of the longer batches as a share of the others: a period as long as a batch of the one kind does not go
/// into one of the other a whole number of times.
const LONGER: f64 = 0.62;
/// Windows averaged to look for correlation that the noise between windows hides.
const HALF_SECOND: usize = 5;
/// Correlation above which it cannot be told from a random walk.
const STRONGEST: f64 = 0.97;

/// The mean of a series and how well it is known.
pub(super) struct Interval {
    pub(super) mean: f64,
    /// In the unit of the mean.
    pub(super) half_width: f64,
    /// Standard error of the mean, corrected for correlation.
    pub(super) error: f64,
    /// Degrees of freedom of that error, 2 or more.
    pub(super) freedom: f64,
    pub(super) batches: usize,
    pub(super) batch_windows: usize,
    /// Lag-1 correlation of the batch means that was corrected for.
    pub(super) lag1: f64,
    /// Windows that tell as much as one independent window would, 1 or more.
    pub(super) correlation_windows: f64,
}

impl Interval {
    /// None where there are too few windows, or nothing was completed in them.
    pub(super) fn of(series: &[f64], confidence: f64) -> Option<Self> {
        let mean = mean(series);
        if series.len() < FEWEST_WINDOWS || mean <= 0.0 {
            return None;
        }
        let count = (series.len() / SHORTEST_BATCH).clamp(FEWEST_BATCHES, USUAL_BATCHES);
        let batch_windows = series.len() / count;
        let means = means(series, batch_windows);
        let scales = Scales::of(series);
        let batch = Moments::of(&means);
        let seen = if count >= ENOUGH_TO_CORRELATE {
            inflation(batch.lag1)
        } else {
            1.0
        };
        let inflation = seen.max(scales.inflation_of(batch_windows));
        let error = (batch.variance * inflation / batch.count).sqrt();
        let freedom = (batch.count / inflation - 1.0).max(2.0);
        Some(Self {
            mean,
            half_width: (t_two_sided(confidence, freedom) * error).max(of_longer(series, count, confidence)),
            error,
            freedom,
            batches: means.len(),
            batch_windows,
            lag1: (inflation - 1.0) / (inflation + 1.0),
            correlation_windows: scales.correlation_windows(),
        })
    }
}

/// Half-width from longer batches, taken as independent.
fn of_longer(series: &[f64], count: usize, confidence: f64) -> f64 {
    let count = ((count as f64 * LONGER) as usize).max(FEWEST_BATCHES);
    let batch = Moments::of(&means(series, series.len() / count));
    t_two_sided(confidence, batch.count - 1.0) * (batch.variance / batch.count).sqrt()
}

/// Correlation of neighbours at two scales: windows, and half seconds where there are enough.
struct Scales {
    window: Moments,
    half_second: Option<Moments>,
}

impl Scales {
    fn of(series: &[f64]) -> Self {
        let enough = series.len() >= ENOUGH_TO_CORRELATE * HALF_SECOND;
        let half_second = enough.then(|| Moments::of(&means(series, HALF_SECOND)));
        Self {
            window: Moments::of(series),
            half_second,
        }
    }

    /// Factor by which correlation between batches of that length raises the variance of the mean.
    fn inflation_of(&self, windows: usize) -> f64 {
        let by_window = left_between_batches(self.window.lag1, windows as f64);
        let half_seconds = windows as f64 / HALF_SECOND as f64;
        match &self.half_second {
            Some(moments) if half_seconds > 1.0 => {
                by_window.max(left_between_batches(moments.lag1, half_seconds))
            }
            _ => by_window,
        }
    }

    fn correlation_windows(&self) -> f64 {
        let by_window = inflation(self.window.lag1);
        match &self.half_second {
            Some(moments) if self.window.variance > 0.0 => {
                let share = moments.variance * HALF_SECOND as f64 / self.window.variance;
                by_window.max(share * inflation(moments.lag1))
            }
            _ => by_window,
        }
    }
}

/// Variance of a mean over that of as many independent values, in a first-order autoregressive process.
fn inflation(lag1: f64) -> f64 {
    (1.0 + lag1) / (1.0 - lag1)
}

/// The part of [`inflation`] that batches of `length` values do not take up themselves.
fn left_between_batches(lag1: f64, length: f64) -> f64 {
    let whole = inflation(lag1);
    whole / (whole - 2.0 * lag1 * (1.0 - lag1.powf(length)) / (length * (1.0 - lag1).powi(2)))
}

/// What a few values say about their process.
pub(super) struct Moments {
    pub(super) count: f64,
    pub(super) variance: f64,
    /// Correlation of neighbours, 0 to [`STRONGEST`].
    pub(super) lag1: f64,
}

impl Moments {
    pub(super) fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = mean(values);
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let products: f64 = values
            .windows(2)
            .map(|pair| (pair[0] - mean) * (pair[1] - mean))
            .sum();
        let lag1 = if squares > 0.0 {
            without_bias(products / squares, count, 1.0)
        } else {
            0.0
        };
        Self {
            count,
            variance: squares / (count - 1.0).max(1.0),
            lag1,
        }
    }
}

/// Takes the small-sample bias out of a lag-1 correlation, below 0 to 0.
///
/// Marriott & Pope (1954), Bias in the estimation of autocorrelations, Biometrika 41, 390–402, and Kendall
/// (1954) after it: r is too small by about (1 + 4r)/n where a mean was fitted, and by 1/n more for a line.
/// `fitted` is 1 for the mean, 2 for a line.
pub(super) fn without_bias(lag1: f64, count: f64, fitted: f64) -> f64 {
    ((count * lag1 + fitted) / (count - 4.0).max(1.0)).clamp(0.0, STRONGEST)
}

/// Means of batches of that many windows; what does not fill one is left out at the beginning.
pub(super) fn means(series: &[f64], windows: usize) -> Vec<f64> {
    series[series.len() % windows..]
        .chunks_exact(windows)
        .map(mean)
        .collect()
}

/// Mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_batches_need_no_correction() {
        assert_eq!((inflation(0.0), left_between_batches(0.0, 7.0)), (1.0, 1.0));
    }

    #[test]
    fn the_part_left_is_that_of_a_sum_over_all_covariances() {
        let (phi, length) = (0.6_f64, 6_i32);
        let of_batch: f64 = (0..length)
            .flat_map(|i| (0..length).map(move |j| phi.powi((i - j).abs())))
            .sum();
        let expected = inflation(phi) / (of_batch / f64::from(length));
        assert!((left_between_batches(phi, f64::from(length)) - expected).abs() < 1e-12);
    }

    #[test]
    fn moments_are_those_of_the_definition() {
        // Deviations −2 … 2: squares 10, products of neighbours 2 + 0 + 0 + 2 = 4.
        let moments = Moments::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!((moments.variance - 2.5).abs() < 1e-12);
        assert_eq!(moments.lag1, without_bias(0.4, 5.0, 1.0));
    }

    #[test]
    fn the_bias_is_taken_out_of_a_correlation() {
        // Marriott & Pope: E r = ρ - (1 + 4ρ)/n about a mean, so ρ = (n r + 1)/(n - 4); 1/n more about a line.
        assert!((without_bias(0.3, 104.0, 1.0) - 0.322).abs() < 1e-12);
        assert!((without_bias(0.3, 104.0, 2.0) - 0.332).abs() < 1e-12);
    }

    /// Twenty batches of four windows, two by two above and below 1000 by one, and a noise that each batch averages out.
    fn two_by_two(noise: f64) -> Vec<f64> {
        let level = |batch: usize| {
            if (batch / 2).is_multiple_of(2) {
                1001.0
            } else {
                999.0
            }
        };
        let noise = |window: usize| if window.is_multiple_of(2) { noise } else { -noise };
        (0..80).map(|window| level(window / 4) + noise(window)).collect()
    }

    #[test]
    fn the_interval_is_that_of_correlated_batches() {
        // Of 19 pairs of neighbours 10 are alike: r = 1/20, without bias 1/8. The variance of the mean is
        // (20/19)/20 × (1 + r)/(1 - r), of 20 (1 - r)/(1 + r) independent batches; t by Simpson's rule elsewhere.
        let found = Interval::of(&two_by_two(10.0), 0.95).expect("windows enough");
        assert!((found.mean - 1000.0).abs() < 1e-9 && (found.lag1 - 0.125).abs() < 1e-9);
        assert!((found.error.powi(2) - 9.0 / 133.0).abs() < 1e-9);
        assert!((found.freedom - 131.0 / 9.0).abs() < 1e-9);
        assert!((found.half_width / found.error / 2.1372 - 1.0).abs() < 2e-3);
        // Without noise the windows show more: 61 of 80, without bias 62/76, between batches of four of them.
        let found = Interval::of(&two_by_two(0.0), 0.95).expect("windows enough");
        let inflation = left_between_batches(62.0 / 76.0, 4.0);
        assert!((found.error.powi(2) - inflation / 19.0).abs() < 1e-9);
        assert!((found.lag1 - (inflation - 1.0) / (inflation + 1.0)).abs() < 1e-9 && found.lag1 > 0.5);
    }

    #[test]
    fn fewer_than_twelve_batches_do_not_say_how_they_correlate() {
        let lag1 = |windows| {
            Interval::of(&two_by_two(10.0)[..windows], 0.95)
                .expect("windows enough")
                .lag1
        };
        // Of 11 pairs of neighbours among twelve 6 are alike: r = 1/12, without bias 1/4.
        assert!(lag1(44) == 0.0 && (lag1(48) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn longer_batches_are_twelve_of_twenty_and_five_at_the_least() {
        // Twelve levels ±1: variance 12/11. Five levels 1, -1, 1, -1, 0: variance 1. Student's t from printed tables.
        let levels = |of: &[f64]| -> Vec<f64> { of.iter().flat_map(|level| [1000.0 + level; 10]).collect() };
        let twelve = of_longer(&levels(&[1.0, -1.0].repeat(6)), 20, 0.95);
        assert!(
            (twelve / (2.201 * (1.0_f64 / 11.0).sqrt()) - 1.0).abs() < 2e-3,
            "{twelve}"
        );
        let five = of_longer(&levels(&[1.0, -1.0, 1.0, -1.0, 0.0]), 5, 0.95);
        assert!((five / (2.776 * 0.2_f64.sqrt()) - 1.0).abs() < 2e-3, "{five}");
    }

    #[test]
    fn correlated_series_have_wider_intervals() {
        let fast: Vec<f64> = (0..400).map(|i| 100.0 + f64::from(i % 2)).collect();
        let slow: Vec<f64> = (0..400).map(|i| 100.0 + f64::from(i / 50 % 2)).collect();
        let (fast, slow) = (
            Interval::of(&fast, 0.95).unwrap(),
            Interval::of(&slow, 0.95).unwrap(),
        );
        assert!(slow.half_width > 10.0 * fast.half_width);
        assert!(slow.correlation_windows > 20.0 && fast.correlation_windows < 1.5);
    }

    #[test]
    fn a_period_as_long_as_a_batch_does_not_hide() {
        let saw: Vec<f64> = (0..600).map(|i| 100.0 + f64::from(i % 30)).collect();
        let interval = Interval::of(&saw, 0.95).unwrap();
        assert_eq!(interval.batch_windows, 30);
        assert!(interval.half_width > 0.5, "{}", interval.half_width);
    }

    #[test]
    fn batches_are_twenty_but_for_short_series_and_what_a_division_leaves_over() {
        let batches = |windows: usize| {
            let series: Vec<f64> = (0..windows).map(|at| 100.0 + (at % 3) as f64).collect();
            Interval::of(&series, 0.95).expect("windows enough").batches
        };
        assert_eq!((batches(10), batches(79)), (5, 19));
        assert_eq!((batches(80), batches(99), batches(100)), (20, 24, 20));
        assert!((10..2000).all(|windows| (5..=24).contains(&batches(windows))));
    }

    #[test]
    fn what_does_not_fill_a_batch_is_left_out_at_the_beginning() {
        assert_eq!(means(&[9.0, 1.0, 3.0, 5.0, 7.0], 2), [2.0, 6.0]);
    }

    fn of(variance: f64, lag1: f64) -> Moments {
        Moments {
            count: 100.0,
            variance,
            lag1,
        }
    }

    #[test]
    fn what_only_half_seconds_show_is_corrected_for() {
        let phi = 0.6_f64;
        let hidden = |half_second| Scales {
            window: of(1.0, 0.0),
            half_second,
        };
        // Batches of four half seconds: the variance of a mean of them by the sum over all covariances.
        let of_batch: f64 = (0..4)
            .flat_map(|i| (0..4).map(move |j: i32| phi.powi((i - j).abs())))
            .sum();
        let expected = inflation(phi) / (of_batch / 4.0);
        let scales = hidden(Some(of(0.5, phi)));
        assert!((scales.inflation_of(20) - expected).abs() < 1e-12 && expected > 1.5);
        // A batch that is no longer than half a second has nothing of them.
        assert!(scales.inflation_of(5) == 1.0 && scales.inflation_of(6) > 1.0);
        assert_eq!(hidden(None).inflation_of(20), 1.0);
        // The wider counts.
        let windows = Scales {
            window: of(1.0, 0.9),
            half_second: Some(of(0.5, 0.0)),
        };
        assert_eq!(windows.inflation_of(20), left_between_batches(0.9, 20.0));
        assert_eq!(windows.correlation_windows(), inflation(0.9));
        // The mean of n/5 half seconds has the variance 0.5 (1 + 0.6)/(1 - 0.6) / (n/5), which is that of n/10
        // independent windows of variance 1.
        assert!((scales.correlation_windows() - 10.0).abs() < 1e-12);
        assert_eq!(hidden(None).correlation_windows(), 1.0);
    }

    #[test]
    fn half_seconds_are_five_windows_where_there_are_enough_of_them() {
        // Each half second has a level, which the noise within it hides from window to window.
        let noise = [40.0, -50.0, 10.0, 50.0, -50.0];
        let level = |half_second: usize| f64::from(u8::from((half_second / 4).is_multiple_of(2)));
        let series = |windows| (0..windows).map(|i: usize| 1000.0 + level(i / 5) + noise[i % 5]);
        let series: Vec<f64> = series(160).collect();
        let scales = Scales::of(&series);
        let found = scales.half_second.expect("there are 32");
        // Deviations of a half: 32 squares, and of 31 products 24 are of equal levels, 7 of different ones.
        assert!(found.count == 32.0 && (found.variance - 32.0 / 4.0 / 31.0).abs() < 1e-9);
        assert!((found.lag1 - without_bias(17.0 / 32.0, 32.0, 1.0)).abs() < 1e-9 && found.lag1 > 0.6);
        assert_eq!(scales.window.lag1, 0.0);
        assert!(Scales::of(&series[..59]).half_second.is_none());
        assert!(Scales::of(&series[..60]).half_second.is_some());
    }
}
