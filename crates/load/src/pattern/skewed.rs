//! Few blocks that take most accesses: ranks by Zipf's law, self-similar or normal, each rank a place.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::permutation::Permutation;
use super::{Size, below};

/// Most ranks of a law.
const MOST_RANKS: u64 = 1 << 52;

/// Whether the cells of an area can be ranked, as in [`Skewed::cells`].
pub(crate) fn can_rank(space: (u64, u64), largest: u64) -> bool {
    Skewed::cells(space, largest) <= MOST_RANKS
}

/// A uniform draw above 0 and below 1, of 53 bits.
#[inline]
fn fraction(rng: &mut Xoshiro256PlusPlus) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64)
}

/// Ranks from 0 on with P(rank) proportional to 1 / (rank + 1)^theta (J. Gray et al., "Quickly
/// Generating Billion-Record Synthetic Databases", SIGMOD 1994, section 4), drawn exactly, without a
/// table, by rejection-inversion (W. Hörmann and G. Derflinger, "Rejection-inversion to generate
/// variates from monotone discrete distributions", ACM TOMACS 6(3), 1996).
///
/// The histogram of the law lies below the integral of x^-theta taken over ±1/2 about each number, so
/// a uniform draw of the integral, put back through its inverse, is a number after at most a few
/// draws: for every theta and count less than 1.3 on average.
#[derive(Clone, Copy, Debug)]
pub struct Zipf {
    last: u64,
    theta: f64,
    /// 1 / (1 - theta).
    power: f64,
    /// The integral up to the first number, less its probability, and up to the last.
    ends: (f64, f64),
    /// Numbers this close above their draw are taken without a look.
    surely: f64,
}

impl Zipf {
    /// The law for so many ranks, 1 to 2^52, and a theta above 0.
    pub fn new(count: u64, theta: f64) -> Self {
        assert!((1..=MOST_RANKS).contains(&count), "1 to 2^52 ranks");
        assert!(theta > 0.0 && theta.is_finite(), "a theta above 0");
        let integral = |x: f64| integral(x, theta);
        Self {
            last: count - 1,
            theta,
            power: 1.0 / (1.0 - theta),
            ends: (integral(1.5) - 1.0, integral(count as f64 + 0.5)),
            surely: 2.0 - inverse(integral(2.5) - 2_f64.powf(-theta), theta, 1.0 / (1.0 - theta)),
        }
    }

    /// The next rank, from 0 on.
    #[inline]
    pub fn rank(&self, rng: &mut Xoshiro256PlusPlus) -> u64 {
        let (first, last) = self.ends;
        loop {
            let drawn = last + fraction(rng) * (first - last);
            let x = inverse(drawn, self.theta, self.power);
            let rank = ((x - 0.5) as u64).min(self.last);
            let number = rank as f64 + 1.0;
            if number - x <= self.surely || self.holds(number, drawn) {
                return rank;
            }
        }
    }

    /// Whether a draw of the integral lies in the part of it that is the number's probability.
    #[cold]
    fn holds(&self, number: f64, drawn: f64) -> bool {
        drawn >= integral(number + 0.5, self.theta) - number.powf(-self.theta)
    }
}

/// The integral of x^-theta from 1 to `x`.
fn integral(x: f64, theta: f64) -> f64 {
    let rest = 1.0 - theta;
    if rest == 0.0 {
        return x.ln();
    }
    (rest * x.ln()).exp_m1() / rest
}

/// Where [`integral`] has a value; `power` is 1 / (1 - theta).
#[inline]
fn inverse(value: f64, theta: f64, power: f64) -> f64 {
    let rest = 1.0 - theta;
    if rest == 0.0 {
        return value.exp();
    }
    // Beyond the end of a bounded integral lies rounding only.
    let scaled = (rest * value).max(-1.0);
    let logarithm = if rest.abs() < 1e-3 {
        scaled.ln_1p()
    } else {
        (1.0 + scaled).ln()
    };
    (logarithm * power).exp()
}

/// Ranks from 0 on of which the first share `h` gets the share 1 - h, and so on within that share: the
/// self-similar law of Gray et al. 1994, which load generators call Pareto.
///
/// rank = floor(count × u^(ln h / ln(1 - h))) of a uniform u, so that
/// P(rank < r) = (r / count)^(ln(1 - h) / ln h).
#[derive(Clone, Copy, Debug)]
pub struct SelfSimilar {
    count: f64,
    last: u64,
    power: f64,
}

impl SelfSimilar {
    /// The law for so many ranks, 1 to 2^52, and an `h` between 0 and 1.
    pub fn new(count: u64, h: f64) -> Self {
        assert!((1..=MOST_RANKS).contains(&count), "1 to 2^52 ranks");
        assert!(h > 0.0 && h < 1.0, "an h between 0 and 1");
        Self {
            count: count as f64,
            last: count - 1,
            power: h.ln() / (-h).ln_1p(),
        }
    }

    /// The next rank, from 0 on.
    #[inline]
    pub fn rank(&self, rng: &mut Xoshiro256PlusPlus) -> u64 {
        let rank = (self.count * fraction(rng).powf(self.power)) as u64;
        rank.min(self.last)
    }
}

/// Ranks by a normal law about the middle one, cut at the first and the last: what falls outside is drawn
/// again.
///
/// P(rank < r) is proportional to Φ((r / count - 1/2) / deviation) - Φ(-1/2 / deviation).
#[derive(Clone, Copy, Debug)]
pub struct Normal {
    count: f64,
    last: u64,
    deviation: f64,
}

impl Normal {
    /// The law for so many ranks, 1 to 2^52, and a deviation as a share of them, above 0 to 1.
    pub fn new(count: u64, deviation: f64) -> Self {
        assert!((1..=MOST_RANKS).contains(&count), "1 to 2^52 ranks");
        assert!(deviation > 0.0 && deviation <= 1.0, "a deviation above 0 to 1");
        Self {
            count: count as f64,
            last: count - 1,
            deviation,
        }
    }

    /// The next rank, from 0 on.
    #[inline]
    pub fn rank(&self, rng: &mut Xoshiro256PlusPlus) -> u64 {
        loop {
            // G. Box and M. Muller, "A Note on the Generation of Random Normal Deviates", 1958.
            let radius = (-2.0 * fraction(rng).ln()).sqrt();
            let drawn = radius * (std::f64::consts::TAU * fraction(rng)).cos();
            let share = 0.5 + self.deviation * drawn;
            if (0.0..1.0).contains(&share) {
                return ((self.count * share) as u64).min(self.last);
            }
        }
    }
}

/// How ranks are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Law {
    Zipf(Zipf),
    SelfSimilar(SelfSimilar),
    Normal(Normal),
}

/// Random offsets by rank. The area is cut into cells of the largest block; each rank has a cell of its
/// own, anywhere in the area.
#[derive(Clone, Debug)]
pub(super) struct Skewed {
    law: Law,
    places: Permutation,
    /// Distance of cells in bytes.
    cell: u64,
    largest: u64,
}

impl Skewed {
    /// Number of cells in an area of a length, for a grain that all offsets are multiples of, and a largest block.
    pub(super) fn cells((area_length, grain): (u64, u64), largest: u64) -> u64 {
        (area_length - largest) / largest.next_multiple_of(grain) + 1
    }

    /// Offsets in an area of a length, for that grain, by a law of as many ranks as it has cells.
    pub(super) fn new(space: (u64, u64), largest: u64, key: u64, law: Law) -> Self {
        Self {
            law,
            places: Permutation::new(Self::cells(space, largest), key),
            cell: largest.next_multiple_of(space.1),
            largest,
        }
    }

    /// The next offset in the area; a block smaller than the largest lies anywhere in its cell.
    #[inline(always)]
    pub(super) fn next(&self, rng: &mut Xoshiro256PlusPlus, size: &Size) -> u64 {
        let rank = match &self.law {
            Law::Zipf(law) => law.rank(rng),
            Law::SelfSimilar(law) => law.rank(rng),
            Law::Normal(law) => law.rank(rng),
        };
        let room = self.largest - u64::from(size.bytes);
        let within = if room < size.alignment {
            0
        } else {
            below(rng.next_u64(), room / size.alignment + 1) * size.alignment
        };
        self.places.of(rank) * self.cell + within
    }
}
