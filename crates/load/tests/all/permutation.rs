//! Permutations against what they are: every number once, every order alike.

use std::collections::HashSet;

use crate::made::{SEED, draw, fits, random, share_holds};
use iodyno_load::pattern::mix;
use iodyno_load::pattern::permutation::Permutation;
use iodyno_load::request::Distribution;

fn covers(bound: u64, key: u64) {
    let permutation = Permutation::new(bound, key);
    let mut seen = vec![false; bound as usize];
    for number in 0..bound {
        let place = permutation.of(number) as usize;
        assert!(!seen[place], "bound {bound}, key {key}: {place} twice");
        seen[place] = true;
    }
}

#[test]
fn every_number_below_every_bound_comes_once() {
    for bound in 1..=700 {
        covers(bound, mix(SEED, bound));
    }
    for power in 10..=20 {
        for bound in [(1 << power) - 1, 1 << power, (1 << power) + 1] {
            covers(bound, mix(SEED, bound));
        }
    }
    for trial in 0..60 {
        let bound = 1 + mix(SEED, trial) % 60_000;
        covers(bound, mix(SEED, trial + 1000));
    }
}

#[test]
fn a_bound_of_many_terabytes_gives_places_below_it_only_once() {
    for bound in [(1 << 40) - 87, 1 << 52, (1 << 62) - 1] {
        let permutation = Permutation::new(bound, SEED);
        let places: HashSet<u64> = (0..100_000)
            .map(|number| permutation.of(number * (bound / 100_000)))
            .collect();
        assert_eq!(places.len(), 100_000);
        assert!(places.iter().all(|&place| place < bound));
    }
}

#[test]
fn every_place_and_every_pair_of_places_is_alike() {
    for bound in [37, 61, 400] {
        pairs_are_alike(bound);
    }
}

/// All pairs of places of two numbers, over keys.
fn pairs_are_alike(bound: u64) {
    let mut pairs = vec![0; (bound * (bound - 1)) as usize];
    for key in 0..600_000 {
        let permutation = Permutation::new(bound, mix(SEED, key));
        let (first, second) = (permutation.of(5), permutation.of(6));
        let second = second - u64::from(second > first);
        pairs[(first * (bound - 1) + second) as usize] += 1;
    }
    let even = vec![1.0 / pairs.len() as f64; pairs.len()];
    fits(&pairs, &even).unwrap();
}

#[test]
fn neighbours_follow_each_other_as_seldom_as_by_chance() {
    // In a permutation of chance the number of places that are followed by the next is Poisson with mean 1.
    let bound = 5000;
    let follow = |key: u64| {
        let permutation = Permutation::new(bound, mix(SEED, key));
        let place = |number| permutation.of(number);
        (1..bound)
            .filter(|&number| place(number) == place(number - 1) + 1)
            .count()
    };
    let runs = 400;
    let total: usize = (0..runs).map(follow).sum();
    let mean = runs as f64;
    assert!(
        (total as f64 - mean).abs() < 5.0 * mean.sqrt(),
        "{total} in {runs} runs"
    );
}

#[test]
fn every_block_is_touched_once_before_any_again_and_each_pass_has_an_order_of_its_own() {
    for (bytes, alignment, length) in [
        (4096, 4096, 1000 * 4096),
        (8192, 4096, 999 * 4096),
        (65536, 4096, (100 << 16) + 12_288),
        (4096, 65536, 50 << 16),
    ] {
        let mut profile = random(bytes, Distribution::Permutation);
        profile.alignment_bytes = alignment;
        let cell = u64::from(bytes).next_multiple_of(alignment);
        let cells = ((length - u64::from(bytes)) / cell + 1) as usize;
        let accesses = draw(&profile, (1 << 20, length), 3 * cells);
        let passes: Vec<Vec<u64>> = accesses
            .chunks(cells)
            .map(|pass| pass.iter().map(|access| access.offset - (1 << 20)).collect())
            .collect();
        for pass in &passes {
            let mut sorted = pass.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..cells as u64).map(|at| at * cell).collect::<Vec<_>>());
        }
        assert!(passes[0] != passes[1] && passes[1] != passes[2] && passes[0] != passes[2]);
    }
}

#[test]
fn what_is_trimmed_and_what_is_written_are_drawn_apart() {
    let mut mixed = random(4096, Distribution::Permutation);
    (mixed.trim_share, mixed.read_share) = (0.3, 0.5);
    let accesses = draw(&mixed, (0, 1000 << 12), 400_000);
    let others: Vec<_> = accesses.iter().filter(|access| !access.trim).collect();
    assert!(share_holds(accesses.len() - others.len(), accesses.len(), 0.3));
    let writes = others.iter().filter(|access| access.write).count();
    assert!(
        share_holds(writes, others.len(), 0.5),
        "{writes} of {}",
        others.len()
    );
}
