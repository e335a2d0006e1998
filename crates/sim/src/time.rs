//! Virtual time in integer picoseconds: a 4 kB transfer at 14 GB/s takes 290 ns, and thousands of
//! such roundings must not add up to a figure. 2^64 ps are 213 days: what would be later is at the end of time, and no point
//! lasts half as long. Spans of many at once add up to more.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// A moment of virtual time, or a span of it, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ps(pub u64);

/// Picoseconds in a second.
pub const PS_PER_S: f64 = 1e12;

impl Ps {
    /// Nothing, or the beginning.
    pub const ZERO: Self = Self(0);

    /// No point lasts longer, 106 days.
    pub const LONGEST: Self = Self(1 << 63);

    /// A span from nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns.saturating_mul(1000))
    }

    /// Whole nanoseconds, rounded to nearest.
    pub const fn ns(self) -> u64 {
        self.0.saturating_add(500) / 1000
    }

    /// Seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / PS_PER_S
    }

    /// The span since an earlier moment; nothing where it is later.
    #[inline]
    pub fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }

    /// The span times a factor of 0 or more.
    #[inline]
    pub fn times(self, factor: f64) -> Self {
        Self((self.0 as f64 * factor) as u64)
    }
}

impl Add for Ps {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Ps {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// A span that is known to be none below nothing: where it may be, [`Ps::since`] is meant.
impl Sub for Ps {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        match self.0.checked_sub(other.0) {
            Some(span) => Self(span),
            None => backwards(),
        }
    }
}

/// A wrong model, found where it shows: a wrapped span would be 213 days, and pass for a latency.
#[cold]
#[inline(never)]
fn backwards() -> ! {
    panic!("less than no time has passed")
}

impl Sum for Ps {
    fn sum<I: Iterator<Item = Self>>(spans: I) -> Self {
        spans.fold(Self::ZERO, Add::add)
    }
}

/// Spans of many at once, added up: of each outstanding I/O, or of each that waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Total(pub u128);

impl Total {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// A span, so many times.
    #[inline]
    pub const fn of(span: Ps, times: u64) -> Self {
        Self(span.0 as u128 * times as u128)
    }

    /// Seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / PS_PER_S
    }

    /// What it is more than before; nothing where it is less.
    #[inline]
    pub fn since(self, before: impl Into<Self>) -> Self {
        Self(self.0.saturating_sub(before.into().0))
    }
}

impl From<Ps> for Total {
    #[inline]
    fn from(span: Ps) -> Self {
        Self(u128::from(span.0))
    }
}

impl<T: Into<Self>> Add<T> for Total {
    type Output = Self;
    #[inline]
    fn add(self, other: T) -> Self {
        Self(self.0 + other.into().0)
    }
}

impl<T: Into<Self>> AddAssign<T> for Total {
    #[inline]
    fn add_assign(&mut self, other: T) {
        self.0 += other.into().0;
    }
}

impl Sub for Total {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        match self.0.checked_sub(other.0) {
            Some(sum) => Self(sum),
            None => backwards(),
        }
    }
}

impl<T: Into<Self>> Sum<T> for Total {
    fn sum<I: Iterator<Item = T>>(spans: I) -> Self {
        spans.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: Ps = Ps(3);

    #[test]
    fn a_span_is_what_lies_between() {
        assert_eq!((LATER - Ps(1), LATER - LATER), (Ps(2), Ps::ZERO));
        assert_eq!((LATER.since(Ps(1)), Ps(1).since(LATER)), (Ps(2), Ps::ZERO));
        assert_eq!(Total::from(LATER) - Total(1), Total(2));
        assert_eq!(Total(1).since(LATER), Total::ZERO);
    }

    #[test]
    #[should_panic(expected = "less than no time")]
    fn no_span_is_less_than_nothing() {
        let _ = Ps(1) - std::hint::black_box(LATER);
    }

    #[test]
    #[should_panic(expected = "less than no time")]
    fn no_total_is_less_than_nothing() {
        let _ = Total(1) - Total::from(std::hint::black_box(LATER));
    }
}
