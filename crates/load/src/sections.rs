//! The interval of a percentile, from sections of the measured part.
//!
//! Response times that follow each other are alike, so the count of those beyond a percentile says less
//! than it would of independent ones. Sectioning (S. Asmussen and P. W. Glynn, "Stochastic Simulation",
//! 2007, section III.5a) takes the percentile of each of a few sections that follow each other and measures
//! how they scatter about the one of the whole.

use crate::histogram::{Histogram, Sparse};
use crate::stopping::t_two_sided;

/// Most sections.
const MOST: usize = 20;
/// Fewest: with fewer the interval says nothing.
const FEWEST: usize = 5;
/// Values beyond the percentile that a section needs, so that its own percentile is worth something.
const BEYOND: f64 = 10.0;

/// Half-width of the interval of a percentile as a share of its value; none where too few values support
/// it.
///
/// `rows` are what was counted one after the other, each in some parts.
pub(crate) fn half_width<'a, const PARTS: usize>(
    rows: impl Iterator<Item = [Option<&'a Sparse>; PARTS]>,
    share: f64,
    confidence: f64,
) -> Option<f64> {
    let rows: Vec<_> = rows.collect();
    let counted = |row: &[Option<&Sparse>; PARTS]| -> u64 {
        let parts = row.iter().flatten();
        parts.flat_map(|part| &part.count).sum()
    };
    let rows: Vec<_> = rows.into_iter().filter(|row| counted(row) > 0).collect();
    let values: u64 = rows.iter().map(counted).sum();
    let supported = (values as f64 * (1.0 - share) / BEYOND * (1.0 + 1e-9)) as usize;
    let sections = MOST.min(rows.len()).min(supported);
    if sections < FEWEST {
        return None;
    }
    let of = |rows: &[[Option<&Sparse>; PARTS]]| {
        let mut sum = Histogram::default();
        let parts = rows.iter().flatten().flatten();
        parts.for_each(|part| sum.merge(part));
        sum.percentile_ns(share) as f64
    };
    let whole = of(&rows);
    let bound = |section: usize| section * rows.len() / sections;
    let squares: f64 = (0..sections)
        .map(|section| (of(&rows[bound(section)..bound(section + 1)]) - whole).powi(2))
        .sum();
    let freedom = (sections - 1) as f64;
    let deviation = (squares / (sections as f64 * freedom)).sqrt();
    (whole > 0.0).then(|| t_two_sided(confidence, freedom) * deviation / whole)
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;

    /// Rows of exponential values with a mean of 1 ms, whose 99th percentile is ln 100 ms.
    fn rows(count: usize, values: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<Sparse> {
        let mut row = Histogram::default();
        let mut draw = || -((rng.next_u64() >> 11) as f64 + 0.5).ln() + 53.0 * 2_f64.ln();
        let mut rows = Vec::new();
        for _ in 0..count {
            (0..values).for_each(|_| row.record((draw() * 1e6) as u64));
            rows.push(row.take());
        }
        rows
    }

    fn of(rows: &[Sparse]) -> Option<f64> {
        half_width(rows.iter().map(|row| [Some(row), None]), 0.99, 0.95)
    }

    #[test]
    fn the_interval_holds_the_percentile_as_often_as_it_says() {
        let (mut rng, truth, runs) = (Xoshiro256PlusPlus::seed_from_u64(7), 100_f64.ln() * 1e6, 400);
        println!("seed 7");
        let mut held = 0;
        for _ in 0..runs {
            let rows = rows(60, 1000, &mut rng);
            let mut whole = Histogram::default();
            rows.iter().for_each(|row| whole.merge(row));
            let found = whole.percentile_ns(0.99) as f64;
            held += usize::from((found - truth).abs() <= of(&rows).expect("supported") * found);
        }
        // 95 % of 400 is 380; four standard deviations of a binomial count are 17.
        assert!((363..=397).contains(&held), "{held} of {runs}");
    }

    #[test]
    fn values_that_follow_each_other_alike_make_it_wider() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        let even = rows(60, 1000, &mut rng);
        let mut slow = rows(60, 1000, &mut rng);
        for row in &mut slow[20..30] {
            let mut moved = Histogram::default();
            for (index, count) in row.index.iter().zip(&row.count) {
                let (low, _) = crate::histogram::bounds_of(*index as usize);
                (0..*count).for_each(|_| moved.record(low * 3));
            }
            *row = moved.take();
        }
        assert!(of(&slow).expect("supported") > 3.0 * of(&even).expect("supported"));
    }

    #[test]
    fn five_sections_have_four_degrees_of_freedom() {
        // Medians 90, 100, 100, 100 and 110 about 100: √(200/(5 × 4)), and t of printed tables is 2.776.
        let rows: Vec<Sparse> = [90, 100, 100, 100, 110]
            .map(|value| {
                let mut row = Histogram::default();
                row.record_many(value, 20);
                row.take()
            })
            .into();
        let found = half_width(rows.iter().map(|row| [Some(row)]), 0.5, 0.95).expect("ten beyond it in each");
        assert!(
            (found / (2.776 * 10_f64.sqrt() / 100.0) - 1.0).abs() < 2e-3,
            "{found}"
        );
    }

    #[test]
    fn too_few_values_or_rows_have_none() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
        assert!(of(&rows(4, 10_000, &mut rng)).is_none());
        assert!(of(&rows(60, 80, &mut rng)).is_none());
        assert!(of(&rows(5, 1000, &mut rng)).is_some());
        assert!(of(&[]).is_none());
    }
}
