//! The histogram against a sorted list of the same values.

use iodyno_load::histogram::{Histogram, Sparse, bounds_of, bucket_of};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const SEED: u64 = 4_711;

/// Values of all magnitudes: uniform in the exponent, so every octave is met.
fn values(seed: u64, count: usize) -> Vec<u64> {
    println!("seed {seed}");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count)
        .map(|_| rng.next_u64() >> (22 + rng.next_u64() % 42))
        .collect()
}

fn histogram_of(values: &[u64]) -> Histogram {
    let mut histogram = Histogram::default();
    values.iter().for_each(|&value| histogram.record(value));
    histogram
}

#[test]
fn percentiles_are_within_a_bucket_of_the_sorted_list() {
    for round in 0..50 {
        let mut values = values(SEED + round, 1 + 97 * round as usize);
        let histogram = histogram_of(&values);
        values.sort_unstable();
        for share in [0.0, 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 0.99999, 1.0] {
            let rank = ((share * values.len() as f64).ceil() as usize).max(1);
            let exact = values[rank - 1];
            let got = histogram.percentile_ns(share);
            // Half a bucket: 1/256 of the value.
            assert!(
                got.abs_diff(exact) <= exact / 256 + 1,
                "round {round}, {share}: {got} for {exact}"
            );
            assert!((values[0]..=values[values.len() - 1]).contains(&got));
        }
        assert_eq!(histogram.sum_ns(), values.iter().sum::<u64>());
        assert_eq!(
            (histogram.min_ns(), histogram.max_ns()),
            (values[0], values[values.len() - 1])
        );
    }
}

#[test]
fn merging_is_exact_in_any_order_and_grouping() {
    let values = values(SEED, 30_000);
    let whole = histogram_of(&values);
    let parts: Vec<_> = values
        .chunks(700)
        .map(|chunk| histogram_of(chunk).to_sparse())
        .collect();
    let mut forwards = Histogram::default();
    parts.iter().for_each(|part| forwards.merge(part));
    let mut backwards = Histogram::default();
    parts.iter().rev().for_each(|part| backwards.merge(part));
    let mut grouped = Histogram::default();
    for group in parts.chunks(5) {
        let mut sum = Histogram::default();
        group.iter().for_each(|part| sum.merge(part));
        grouped.merge(&sum.to_sparse());
    }
    assert_eq!(forwards, whole);
    assert_eq!(backwards, whole);
    assert_eq!(grouped, whole);
}

#[test]
fn the_ends_of_the_range_and_of_numbers_are_kept() {
    let range = 1_u64 << 43;
    let edges = [
        0,
        1,
        127,
        128,
        129,
        255,
        256,
        257,
        range - 1,
        range,
        range << 1,
        u64::MAX,
    ];
    for value in edges {
        let histogram = histogram_of(&[value]);
        assert_eq!(
            (histogram.min_ns(), histogram.max_ns(), histogram.sum_ns()),
            (value, value, value)
        );
        for share in [0.0, 0.5, 1.0] {
            assert_eq!(histogram.percentile_ns(share), value, "of {value}");
        }
        if value < range {
            let (low, above) = bounds_of(bucket_of(value));
            assert!((low..above).contains(&value), "{value} in {low}..{above}");
        }
    }
    assert!(
        edges
            .windows(2)
            .all(|pair| bucket_of(pair[0]) <= bucket_of(pair[1]))
    );
    let both = histogram_of(&[0, u64::MAX]);
    assert_eq!((both.percentile_ns(0.5), both.max_ns()), (0, u64::MAX));
    assert!((range - (range >> 7)..=u64::MAX).contains(&both.percentile_ns(1.0)));
}

#[test]
fn every_value_lies_in_its_bucket_and_buckets_follow_each_other() {
    let mut next = 0;
    for index in 0..bucket_of(u64::MAX) {
        let (low, above) = bounds_of(index);
        assert_eq!(low, next);
        assert_eq!((bucket_of(low), bucket_of(above - 1)), (index, index));
        next = above;
    }
}

#[test]
fn sparse_histograms_merge_exactly_in_every_order() {
    for round in 0..40 {
        let values = values(SEED + round, 2000);
        let mut parts: Vec<Sparse> = values
            .chunks(1 + 37 * round as usize)
            .map(|chunk| histogram_of(chunk).take())
            .collect();
        parts.push(Sparse::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED + round);
        for place in (1..parts.len()).rev() {
            parts.swap(place, (rng.next_u64() % (place as u64 + 1)) as usize);
        }
        let (mut sparse, mut dense) = (Sparse::default(), Histogram::default());
        parts.iter().for_each(|part| {
            sparse.merge(part);
            dense.merge(part);
        });
        let whole = histogram_of(&values);
        assert_eq!(dense, whole, "round {round}");
        assert_eq!(sparse, whole.to_sparse(), "round {round}");
    }
}
