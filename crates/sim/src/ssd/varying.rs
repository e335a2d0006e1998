//! A span that is not always the same.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use crate::time::Ps;

/// A span that varies uniformly about its mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Varying {
    least: u64,
    range: u64,
}

impl Varying {
    /// Between `1 - spread` and `1 + spread` of the mean.
    pub(super) fn new(mean: Ps, spread: f64) -> Self {
        let least = mean.times(1.0 - spread).0;
        Self {
            least,
            range: 2 * (mean.0 - least),
        }
    }

    /// The next; nothing is drawn where it does not vary.
    #[inline]
    pub(super) fn draw(self, rng: &mut Xoshiro256PlusPlus) -> Ps {
        if self.range == 0 {
            return Ps(self.least);
        }
        let drawn = (u128::from(rng.next_u64()) * u128::from(self.range)) >> 64;
        Ps(self.least + drawn as u64)
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn spans_vary_uniformly_about_their_mean() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let varying = Varying::new(Ps(1_000_000), 0.3);
        let draws: Vec<u64> = (0..10_000).map(|_| varying.draw(&mut rng).0).collect();
        let mean = draws.iter().sum::<u64>() as f64 / 10_000.0;
        // Four standard errors of a uniform span of 600 000: 600 000 / sqrt(12 * 10 000) * 4.
        assert!((mean - 1e6).abs() < 6_930.0, "{mean}");
        let (least, most) = (draws.iter().min().unwrap(), draws.iter().max().unwrap());
        assert!((700_000..701_000).contains(least) && (1_299_000..1_300_000).contains(most));
        assert_eq!(Varying::new(Ps(5), 0.0).draw(&mut rng), Ps(5));
    }
}
