//! The mean over seeds and its interval.

/// Student's t for 99.9 %, two-sided, with 15 degrees of freedom.
const T_99_9: f64 = 4.073;

/// Seeds of an interval.
const SEEDS: u64 = 16;

/// Mean over seeds, and half of the interval that holds the true mean in 999 of 1000 cases.
pub(crate) fn over_seeds(of: impl Fn(u64) -> f64) -> (f64, f64) {
    let values: Vec<f64> = (0..SEEDS).map(|seed| of(1000 + seed)).collect();
    let count = SEEDS as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, T_99_9 * (variance / count).sqrt())
}

/// The expected value lies in the interval, and the interval is no wider than `width` of the value.
pub(crate) fn agrees(what: &str, expected: f64, width: f64, of: impl Fn(u64) -> f64) {
    let (mean, half) = over_seeds(of);
    assert!(
        half < width * expected,
        "{what}: interval too wide, {mean} ± {half}"
    );
    assert!(
        (mean - expected).abs() <= half,
        "{what}: {mean} ± {half}, expected {expected}"
    );
}
