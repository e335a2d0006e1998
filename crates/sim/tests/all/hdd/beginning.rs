//! The beginning of a load is like the rest of it: what comes of random writes soon after the first is what comes of them
//! much later, however large the cache.

use crate::hdd::closed_loop::{Load, Outcome, run};
use crate::hdd::drives::sata;
use crate::hdd::interval::over_seeds;

/// Cached accesses on a quarter of a drive with a cache of 512 entries.
fn cached(reads: f64, outstanding: u32, warmup: u64, seed: u64) -> Outcome {
    let mut model = sata();
    model.write_cache_entries = 512;
    let load = Load {
        random: true,
        reads,
        bytes: 8192,
        outstanding,
        skip: 0,
        first: 0,
        area: model.capacity_bytes / 4,
        warmup,
        counted: 1200,
    };
    run(&model, load, seed)
}

#[test]
fn cached_random_writes_begin_with_a_cache_as_full_as_it_stays() {
    for (reads, outstanding) in [(0.0, 4), (0.5, 8), (0.5, 64), (0.67, 32)] {
        let of = |warmup, what: fn(Outcome) -> f64| {
            over_seeds(|seed| what(cached(reads, outstanding, warmup, seed)))
        };
        let (early, half) = of(100, |out| out.rate);
        let (late, other) = of(6000, |out| out.rate);
        assert!(half < 0.05 * early && other < 0.05 * late, "{half} {other}");
        assert!(
            (early - late).abs() <= half.hypot(other),
            "{reads} {outstanding}: {early} ± {half}, {late}"
        );
        let (early, half) = of(100, |out| out.cache.0);
        let (late, other) = of(6000, |out| out.cache.0);
        assert!(
            (early - late).abs() <= 0.03 + half.hypot(other),
            "full: {early} ± {half}, {late} ± {other}"
        );
    }
}

/// With next to no writes nothing of before is left: the cache holds what the load wrote.
#[test]
fn a_load_that_leaves_room_has_it_from_the_beginning() {
    let (early, half) = over_seeds(|seed| cached(0.97, 1, 200, seed).cache.0);
    let (late, other) = over_seeds(|seed| cached(0.97, 1, 3000, seed).cache.0);
    assert!(
        (early - late).abs() <= half.hypot(other),
        "{early} ± {half}, {late} ± {other}"
    );
    assert!(late - other < 0.02, "{late} ± {other}");
}
