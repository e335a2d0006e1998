//! Quantiles of Student's t and of the normal distribution.

use std::f64::consts::FRAC_PI_2;

/// Standard normal quantile of a probability in (0, 1), to about 7 digits.
///
/// Source: Wichura (1988), Algorithm AS 241, routine PPND7, Applied Statistics 37, 477–484.
#[allow(clippy::excessive_precision)]
fn normal_quantile(probability: f64) -> f64 {
    let q = probability - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        let above = polynomial(
            r,
            &[3.387_132_717_9, 50.434_271_938, 159.291_132_02, 59.109_374_72],
        );
        let below = polynomial(r, &[1.0, 17.895_169_469, 78.757_757_664, 67.187_563_6]);
        return q * above / below;
    }
    let r = (-probability.min(1.0 - probability).ln()).sqrt();
    let tail = if r <= 5.0 {
        let r = r - 1.6;
        polynomial(
            r,
            &[1.423_437_277_7, 2.756_815_39, 1.306_728_481_6, 0.170_238_211_03],
        ) / polynomial(r, &[1.0, 0.737_001_642_5, 0.120_211_329_75])
    } else {
        let r = r - 5.0;
        polynomial(
            r,
            &[6.657_905_115, 3.081_226_386, 0.428_682_943_37, 0.017_337_203_997],
        ) / polynomial(r, &[1.0, 0.241_978_942_25, 0.012_258_202_635])
    };
    tail.copysign(q)
}

/// Student's t that a share `confidence` of the distribution lies within, on both sides.
///
/// `freedom` is at least 2 and need not be whole. Good to 0.5 % of t.
/// Source: Hill (1970), Algorithm 396, Communications of the ACM 13, 619–620.
pub(crate) fn t_two_sided(confidence: f64, freedom: f64) -> f64 {
    assert!(
        (0.0..1.0).contains(&confidence) && freedom >= 1.0,
        "{confidence} {freedom}"
    );
    let (outside, n) = (1.0 - confidence, freedom);
    if (n - 2.0).abs() < 1e-9 {
        return (2.0 / (outside * (2.0 - outside)) - 2.0).sqrt();
    }
    let a = 1.0 / (n - 0.5);
    let b = 48.0 / (a * a);
    let c = polynomial(a, &[96.36, -16.0, -98.0, 20_700.0 / b]);
    let d = ((94.5 / (b + c) - 3.0) / b + 1.0) * (a * FRAC_PI_2).sqrt() * n;
    let y = (d * outside).powf(2.0 / n);
    let square = if y > 0.05 + a {
        near_middle(outside, n, [a, b, c, d])
    } else {
        far_tail(y, n, d)
    };
    (n * square).sqrt()
}

/// Hill's expansion about the normal quantile; gives t²/n.
fn near_middle(outside: f64, n: f64, [a, b, c, d]: [f64; 4]) -> f64 {
    let x = normal_quantile(outside / 2.0);
    let y = x * x;
    let small = if n < 5.0 { 0.3 * (n - 4.5) * (x + 0.6) } else { 0.0 };
    let c = polynomial(x, &[b + c + small, -2.0, -7.0, -5.0, 0.05 * d]);
    let y = ((polynomial(y, &[94.5, 36.0, 6.3, 0.4]) / c - y - 3.0) / b + 1.0) * x;
    (a * y * y).exp_m1()
}

/// Hill's expansion for the far tail; gives t²/n.
fn far_tail(y: f64, n: f64, d: f64) -> f64 {
    let inner = 1.0 / (((n + 6.0) / (n * y) - 0.089 * d - 0.822) * (n + 2.0) * 3.0) + 0.5 / (n + 4.0);
    (inner * y - 1.0) * (n + 1.0) / (n + 2.0) + 1.0 / y
}

fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_quantiles_are_those_of_the_tables() {
        // Abramowitz & Stegun (1964), table 26.5 and 26.6.
        for (probability, expected) in [
            (0.5, 0.0),
            (0.75, 0.674_490),
            (0.95, 1.644_854),
            (0.975, 1.959_964),
            (0.9995, 3.290_527),
        ] {
            assert!(
                (normal_quantile(probability) - expected).abs() < 2e-6,
                "{probability}"
            );
            assert!(
                (normal_quantile(1.0 - probability) + expected).abs() < 2e-6,
                "{probability}"
            );
        }
        assert!((normal_quantile(1e-12) + 7.034_484).abs() < 1e-5);
    }

    /// Compares quantiles with a table of rows of one confidence.
    fn compare<const N: usize>(freedoms: [f64; N], rows: [(f64, [f64; N]); 4], tolerance: f64) {
        for (confidence, row) in rows {
            for (freedom, expected) in freedoms.into_iter().zip(row) {
                let t = t_two_sided(confidence, freedom);
                assert!(
                    (t / expected - 1.0).abs() < tolerance,
                    "{confidence} {freedom}: {t} not {expected}"
                );
            }
        }
    }

    #[test]
    fn t_quantiles_are_those_of_the_tables() {
        // Abramowitz & Stegun (1964), table 26.10: t that a share A lies within.
        let freedoms = [2.0, 3.0, 4.0, 5.0, 6.0, 10.0, 30.0, 120.0];
        let rows = [
            (0.80, [1.886, 1.638, 1.533, 1.476, 1.440, 1.372, 1.310, 1.289]),
            (0.95, [4.303, 3.182, 2.776, 2.571, 2.447, 2.228, 2.042, 1.980]),
            (0.98, [6.965, 4.541, 3.747, 3.365, 3.143, 2.764, 2.457, 2.358]),
            (0.99, [9.925, 5.841, 4.604, 4.032, 3.707, 3.169, 2.750, 2.617]),
        ];
        compare(freedoms, rows, 6e-4);
    }

    #[test]
    fn degrees_of_freedom_need_not_be_whole() {
        // From the density by Simpson's rule, in a program that shares no code with this one.
        let rows = [
            (0.80, [1.7967, 1.7303, 1.5766, 1.4215]),
            (0.95, [3.8755, 3.5747, 2.9401, 2.3863]),
            (0.98, [6.0036, 5.3531, 4.0607, 3.0357]),
            (0.998, [17.0472, 13.8222, 8.3156, 4.8937]),
        ];
        compare([2.25, 2.5, 3.5, 6.7], rows, 5e-3);
    }

    #[test]
    fn t_falls_as_freedom_grows_to_the_normal_quantile() {
        let mut last = f64::INFINITY;
        for step in 0..400 {
            let t = t_two_sided(0.95, 2.0 + f64::from(step) * 0.05);
            assert!(t <= last * 1.002, "{step}: {t} after {last}");
            last = t;
        }
        assert!((t_two_sided(0.95, 1e7) - 1.959_964).abs() < 1e-4);
    }
}
