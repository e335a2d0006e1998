//! Power series whose coefficients have any size: products of the demands of thousands of customers fit into no
//! floating-point number.

/// Power of two of a coefficient that is 0: two of them still add up to a number.
const NOTHING: i32 = i32::MIN / 4;

/// Coefficients, each a fraction times a power of two.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    fractions: Vec<f64>,
    powers: Vec<i32>,
}

impl Series {
    /// 1, and then each so many times the one before.
    pub(crate) fn growing(times: impl Iterator<Item = f64>) -> Self {
        let mut series = Self::default();
        series.push(1.0, 0);
        for (before, times) in times.enumerate() {
            series.push(series.fractions[before] * times, series.powers[before]);
        }
        series
    }

    pub(crate) fn len(&self) -> usize {
        self.fractions.len()
    }

    fn push(&mut self, fraction: f64, power: i32) {
        let small = fraction.abs() < f64::MIN_POSITIVE;
        let (fraction, power) = match small {
            true => (fraction * 2.0_f64.powi(64), power - 64),
            false => (fraction, power),
        };
        let shift = (fraction.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let (fraction, power) = match fraction == 0.0 {
            true => (0.0, NOTHING),
            false => (fraction * two_to(-shift), power + shift),
        };
        self.fractions.push(fraction);
        self.powers.push(power);
    }

    /// Each coefficient times a number for its place.
    pub(crate) fn times(&self, by: impl Fn(usize) -> f64) -> Self {
        let mut series = Self::default();
        for place in 0..self.len() {
            series.push(self.fractions[place] * by(place), self.powers[place]);
        }
        series
    }

    /// Times z: each coefficient one place further, with a first one. As long as it was.
    pub(crate) fn after(&self, first: f64) -> Self {
        let mut series = Self::default();
        series.push(first, 0);
        let kept = self.len() - 1;
        series.fractions.extend(&self.fractions[..kept]);
        series.powers.extend(&self.powers[..kept]);
        series
    }

    /// The sum of two that are as long.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut sum = Self::default();
        for place in 0..self.len() {
            sum.push_sum(
                (self.fractions[place], self.powers[place]),
                (other.fractions[place], other.powers[place]),
            );
        }
        sum
    }

    fn push_sum(&mut self, one: (f64, i32), other: (f64, i32)) {
        let top = one.1.max(other.1);
        self.push(one.0 * two_to(one.1 - top) + other.0 * two_to(other.1 - top), top);
    }

    /// The product, as long as this one.
    pub(crate) fn by(&self, other: &Self) -> Self {
        let fractions: Vec<f64> = other.fractions.iter().rev().copied().collect();
        let powers: Vec<i32> = other.powers.iter().rev().copied().collect();
        let mut product = Self::default();
        for place in 0..self.len() {
            let from = (place + 1).saturating_sub(other.len());
            let theirs = other.len().saturating_sub(place + 1);
            let sums = || {
                let both = self.powers[from..=place].iter().zip(&powers[theirs..]);
                both.map(|(one, other)| one + other)
            };
            let top = sums().fold(i32::MIN, i32::max);
            let factors = self.fractions[from..=place].iter().zip(&fractions[theirs..]);
            let terms = factors.zip(sums());
            let sum = terms
                .map(|((one, other), power)| one * other * two_to(power - top))
                .sum();
            product.push(sum, top);
        }
        product
    }

    /// Divided by 1 − times · z: to each coefficient so much of the one before is added.
    pub(crate) fn carried(&self, times: f64) -> Self {
        let mut carried = Self::default();
        carried.push(self.fractions[0], self.powers[0]);
        for place in 1..self.len() {
            let before = (carried.fractions[place - 1] * times, carried.powers[place - 1]);
            carried.push_sum((self.fractions[place], self.powers[place]), before);
        }
        carried
    }

    /// A coefficient as a share of one of another series; 0 where that is 0.
    pub(crate) fn share(&self, place: usize, of: (&Self, usize)) -> f64 {
        share((self.fractions[place], self.powers[place]), of)
    }

    /// The same of the product of a coefficient with one of another.
    pub(crate) fn product_share(&self, place: usize, with: (&Self, usize), of: (&Self, usize)) -> f64 {
        let fraction = self.fractions[place] * with.0.fractions[with.1];
        share((fraction, self.powers[place] + with.0.powers[with.1]), of)
    }
}

fn share((fraction, power): (f64, i32), (all, place): (&Series, usize)) -> f64 {
    if all.fractions[place] == 0.0 {
        return 0.0;
    }
    let power = power.saturating_sub(all.powers[place]).clamp(-1074, 1023);
    fraction / all.fractions[place] * 2.0_f64.powi(power)
}

/// 2 to a power up to 1023; 0 where that is too small for a normal number.
#[inline]
fn two_to(power: i32) -> f64 {
    f64::from_bits(((power + 1023).max(0) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_geometric_series_far_beyond_the_range_of_a_number() {
        // 1 / ((1 − a z) (1 − b z)) has (aⁿ⁺¹ − bⁿ⁺¹) / (a − b).
        for (a, b) in [(1e200, 3e199), (1e-200, 3e-201)] {
            let one = Series::growing([0.0; 50].into_iter()).carried(a);
            let product = one.carried(b);
            let other = one.by(&Series::growing([b; 50].into_iter()));
            for place in [1, 10, 49] {
                let rest = (b / a).powi(place as i32 + 1);
                let quotient = a * (1.0 - rest) / (1.0 - rest / (b / a));
                for series in [&product, &other] {
                    let found = series.share(place, (series, place - 1));
                    assert!(
                        (found / quotient - 1.0).abs() < 1e-13,
                        "{place}: {found} {quotient}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_too_small_for_a_normal_number_keeps_its_size() {
        let small = Series::growing([2.0_f64.powi(-1040), 2.0_f64.powi(1020)].into_iter());
        assert_eq!(small.share(2, (&small, 0)), 2.0_f64.powi(-20));
    }

    #[test]
    fn what_is_0_stays_0() {
        let some = Series::growing([2.0, 0.0, 5.0].into_iter());
        assert_eq!(some.share(2, (&some, 1)), 0.0);
        assert_eq!(some.share(1, (&some, 3)), 0.0);
        assert_eq!(some.by(&some).share(3, (&some, 0)), 0.0);
        assert_eq!(some.plus(&some).after(0.0).share(2, (&some, 0)), 4.0);
    }
}
