//! Ranks by Zipf's law and by the self-similar law against their exact probabilities, and the places that
//! ranks have.

use std::collections::BTreeMap;

use crate::made::{SEED, draw, fits, profile, random, share_holds};
use iodyno_load::pattern::skewed::{Normal, SelfSimilar, Zipf};
use iodyno_load::request::Distribution;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

const DRAWS: usize = 400_000;

fn counts(ranks: u64, mut rank: impl FnMut(&mut Xoshiro256PlusPlus) -> u64) -> Vec<u64> {
    println!("seed {SEED}");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut counts = vec![0; ranks as usize];
    (0..DRAWS).for_each(|_| counts[rank(&mut rng) as usize] += 1);
    counts
}

#[test]
fn zipf_ranks_have_their_exact_probabilities() {
    for ranks in [1, 2, 3, 10, 1000] {
        for theta in [0.1, 0.5, 0.99, 1.0, 1.000_001, 1.2, 2.5, 6.0] {
            let law = Zipf::new(ranks, theta);
            let weights: Vec<f64> = (1..=ranks).map(|rank| (rank as f64).powf(-theta)).collect();
            let total: f64 = weights.iter().sum();
            let exact: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
            let found = fits(&counts(ranks, |rng| law.rank(rng)), &exact);
            assert!(found.is_ok(), "{ranks} ranks, theta {theta}: {found:?}");
        }
    }
}

/// The sum of rank^-theta from 1 to `last`, by Euler and Maclaurin beyond the first thousand.
fn harmonic(last: u64, theta: f64) -> f64 {
    let first = last.min(1000);
    let near: f64 = (1..=first).map(|rank| (rank as f64).powf(-theta)).sum();
    let (a, b) = (first as f64, last as f64);
    let term = |x: f64| x.powf(-theta);
    let slope = |x: f64| -theta * x.powf(-theta - 1.0);
    let integral = (b.powf(1.0 - theta) - a.powf(1.0 - theta)) / (1.0 - theta);
    near + integral + (term(b) - term(a)) / 2.0 + (slope(b) - slope(a)) / 12.0
}

#[test]
fn zipf_octaves_of_a_large_drive_have_their_exact_probabilities() {
    let ranks = (1 << 38) - 12_345;
    for theta in [0.8, 0.99, 1.2] {
        let law = Zipf::new(ranks, theta);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut counts = vec![0; 39];
        (0..DRAWS).for_each(|_| counts[(law.rank(&mut rng) + 1).ilog2() as usize] += 1);
        let total = harmonic(ranks, theta);
        let below = |octave: u32| {
            if octave == 0 {
                0.0
            } else {
                harmonic((1 << octave) - 1, theta)
            }
        };
        let exact: Vec<f64> = (0..38)
            .map(|octave| {
                let last = if octave == 37 { total } else { below(octave + 1) };
                (last - below(octave)) / total
            })
            .collect();
        counts.truncate(38);
        let found = fits(&counts, &exact);
        assert!(found.is_ok(), "theta {theta}: {found:?}");
    }
}

#[test]
fn self_similar_ranks_have_their_exact_probabilities() {
    for ranks in [1, 2, 10, 1000] {
        for h in [0.05, 0.2, 0.4, 0.5, 0.9] {
            let law = SelfSimilar::new(ranks, h);
            let below = |rank: u64| (rank as f64 / ranks as f64).powf((1.0 - h).ln() / h.ln());
            let exact: Vec<f64> = (0..ranks).map(|rank| below(rank + 1) - below(rank)).collect();
            let found = fits(&counts(ranks, |rng| law.rank(rng)), &exact);
            assert!(found.is_ok(), "{ranks} ranks, h {h}: {found:?}");
        }
    }
}

/// Φ by the series of the error function (Abramowitz and Stegun 7.1.6), exact to 1e-13 for |x| below 6.
fn below_normal(x: f64) -> f64 {
    let (mut term, mut sum, mut step) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        step += 2.0;
        term *= x * x / step;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

#[test]
fn normal_ranks_have_their_exact_probabilities() {
    assert!((below_normal(1.96) - 0.975_002_104_852).abs() < 1e-11); // tables
    for ranks in [1, 2, 10, 1000] {
        for deviation in [0.1, 0.2, 0.5, 1.0] {
            let law = Normal::new(ranks, deviation);
            let below = |rank: u64| below_normal((rank as f64 / ranks as f64 - 0.5) / deviation);
            let whole = below(ranks) - below(0);
            let exact: Vec<f64> = (0..ranks)
                .map(|rank| (below(rank + 1) - below(rank)) / whole)
                .collect();
            let found = fits(&counts(ranks, |rng| law.rank(rng)), &exact);
            assert!(found.is_ok(), "{ranks} ranks, deviation {deviation}: {found:?}");
        }
    }
}

#[test]
fn the_share_h_of_the_blocks_gets_the_others_share_of_the_accesses() {
    for h in [0.1, 0.2, 0.3] {
        let blocks = 100_000;
        let profile = random(4096, Distribution::Pareto { parameter: h });
        let mut touched = BTreeMap::<u64, usize>::new();
        for access in draw(&profile, (0, blocks * 4096), DRAWS) {
            *touched.entry(access.offset).or_default() += 1;
        }
        // The law is known, so the hottest blocks are known by rank; here by how often they were touched,
        // which favours them a little.
        let mut hottest: Vec<usize> = touched.into_values().collect();
        hottest.sort_unstable_by(|a, b| b.cmp(a));
        let taken: usize = hottest.iter().take((h * blocks as f64) as usize).sum();
        let share = taken as f64 / DRAWS as f64;
        assert!(share > 1.0 - h - 0.01, "h {h}: {share}");
        assert!(share < 1.0 - h + 0.1, "h {h}: {share}");
    }
}

#[test]
fn hot_blocks_lie_anywhere_and_never_overlap() {
    let area = (1 << 30, (3000 << 16) + 4096);
    for distribution in [
        Distribution::Zipf { parameter: 1.1 },
        Distribution::Pareto { parameter: 0.2 },
        Distribution::Normal { parameter: 0.1 },
    ] {
        let mut touched = BTreeMap::<u64, usize>::new();
        for access in draw(&random(65536, distribution), area, DRAWS) {
            *touched.entry(access.offset).or_default() += 1;
        }
        let offsets: Vec<u64> = touched.keys().copied().collect();
        assert!(offsets.windows(2).all(|pair| pair[1] - pair[0] >= 65536));
        assert!(*offsets.first().unwrap() >= area.0 && offsets.last().unwrap() + 65536 <= area.0 + area.1);
        let mut hottest: Vec<(usize, u64)> = touched.into_iter().map(|(at, count)| (count, at)).collect();
        hottest.sort_unstable();
        let top: Vec<u64> = hottest.iter().rev().take(400).map(|&(_, at)| at).collect();
        let low = top.iter().filter(|&&at| at < area.0 + area.1 / 2).count();
        assert!(share_holds(low, top.len(), 0.5), "{low} of 400 in the first half");
    }
}

#[test]
fn smaller_blocks_lie_anywhere_in_the_place_of_the_largest() {
    let mut profile = profile(1.0, 1.0, &[(4096, 1.0), (16_384, 1.0)]);
    profile.distribution = Distribution::Zipf { parameter: 1.5 };
    let mut within = [0; 4];
    for access in draw(&profile, (0, 1000 * 16_384), DRAWS) {
        assert!(access.bytes == 4096 || access.offset.is_multiple_of(16_384));
        if access.bytes == 4096 {
            within[(access.offset % 16_384 / 4096) as usize] += 1;
        }
    }
    fits(&within, &[0.25; 4]).unwrap();
}

#[test]
fn the_same_rank_has_another_place_under_another_seed() {
    let hottest = |seed| {
        let profile = random(4096, Distribution::Zipf { parameter: 3.0 });
        let mut stream = iodyno_load::pattern::AccessStream::new(&profile, (0, 1 << 30), seed, 0, (0, 1));
        let mut counts = BTreeMap::<u64, usize>::new();
        (0..100).for_each(|_| *counts.entry(stream.next().offset).or_default() += 1);
        counts.into_iter().max_by_key(|&(_, count)| count).unwrap().0
    };
    let places: std::collections::HashSet<u64> = (0..50).map(hottest).collect();
    assert!(places.len() >= 49, "{} of 50", places.len());
}
