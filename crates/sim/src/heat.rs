//! How unevenly a load goes to its blocks: classes of blocks that are accessed about equally often.

use iodyno_load::pattern::own_bytes;
use iodyno_load::request::{Distribution, Point, Profile, Target, WorkersArea};

/// Ranks of a class are at most this many times its first; those of a normal law lie in steps of a part of its deviation.
const RATIO: f64 = 1.3;
const STEPS: f64 = 8.0;
/// So many deviations from the middle a normal law ends, for what is counted here.
const TAIL: f64 = 7.0;

/// Blocks that are accessed about equally often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Class {
    /// Their share of the blocks, above 0.
    pub(crate) blocks: f64,
    /// Their share of the accesses, 0 or more.
    pub(crate) accesses: f64,
}

/// All alike.
const ALL: Class = Class {
    blocks: 1.0,
    accesses: 1.0,
};

/// A part of an area that is written alike everywhere, or by a law that scatters its places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// From and to, as shares of the area.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Its share of the accesses, 0 or more.
    pub(crate) accesses: f64,
}

impl Stretch {
    /// From and to, where the area lies from and to.
    pub(crate) fn within(&self, (from, to): (f64, f64)) -> (f64, f64) {
        let at = |share: f64| from * (1.0 - share) + to * share;
        (at(self.from), at(self.to))
    }
}

/// The area of a load by where its random writes go: its zones, or all of it.
pub(crate) fn stretches(load: &Point, target: &Target) -> Vec<Stretch> {
    let whole = Stretch {
        from: 0.0,
        to: 1.0,
        accesses: 1.0,
    };
    let zones = matches!(load.profile.distribution_of(true), Distribution::Zones { .. });
    let parted = load.workers_area == WorkersArea::Own && load.workers > 1;
    if !zones || parted || !uneven(&load.profile, true) {
        return vec![whole];
    }
    let mut from = 0.0;
    let stretch = |class: Class| {
        let begins = from;
        from += class.blocks;
        Stretch {
            from: begins,
            to: from,
            accesses: class.accesses,
        }
    };
    classes(load, target, true).into_iter().map(stretch).collect()
}

/// The blocks of an area that random writes of a load go to, or what does not write. Of zones those are stretches in the
/// order of the area, what they leave out included; of laws they lie scattered.
pub(crate) fn classes(load: &Point, target: &Target, write: bool) -> Vec<Class> {
    let profile = &load.profile;
    let length = match load.workers_area {
        WorkersArea::Own => own_bytes(profile, target.area_length_bytes, load.workers),
        _ => target.area_length_bytes,
    };
    let cell = u64::from(profile.largest_block_bytes()).next_multiple_of(profile.grain_bytes());
    let count = (length / cell).max(1) as f64;
    match *profile.distribution_of(write) {
        Distribution::Uniform | Distribution::Permutation => vec![ALL],
        Distribution::Zipf { parameter } => zipf(count, parameter),
        Distribution::Pareto { parameter } => self_similar(count, parameter),
        Distribution::Normal { parameter } => normal(parameter),
        Distribution::Zones { ref zones } => {
            let zones = zones.iter().map(|zone| Class {
                blocks: zone.range,
                accesses: zone.accesses,
            });
            let mut all: Vec<Class> = zones.collect();
            let rest = 1.0 - all.iter().map(|class| class.blocks).sum::<f64>();
            if rest > 1e-9 {
                all.push(Class {
                    blocks: rest,
                    accesses: 0.0,
                });
            }
            all
        }
    }
}

/// Whether a load writes some blocks more often than others, or reads them so.
pub(crate) fn uneven(profile: &Profile, write: bool) -> bool {
    let goes = if write { profile.writes() } else { profile.reads() };
    let distribution = profile.distribution_of(write);
    let even = matches!(distribution, Distribution::Uniform | Distribution::Permutation);
    goes && !even && profile.drawn_of(write) > 0.0
}

/// Ranks where classes begin, from 0 to below so many.
fn ranks(count: f64) -> Vec<f64> {
    let mut first = 0.0;
    let mut all = vec![first];
    loop {
        first = f64::max(first + 1.0, (first * RATIO).floor());
        if first >= count {
            all.push(count);
            return all;
        }
        all.push(first);
    }
}

/// Classes with the parts of a law between bounds, in any unit.
fn between(bounds: &[f64], part: impl Fn(f64, f64) -> f64) -> Vec<Class> {
    let count = bounds[bounds.len() - 1] - bounds[0];
    let parts: Vec<f64> = bounds.windows(2).map(|pair| part(pair[0], pair[1])).collect();
    let all: f64 = parts.iter().sum();
    let each = bounds.windows(2).zip(parts);
    each.map(|(pair, part)| Class {
        blocks: (pair[1] - pair[0]) / count,
        accesses: part / all,
    })
    .collect()
}

/// P(rank) in proportion to 1 / (rank + 1)^θ: of several ranks by the integral over ±1/2 about each, which is 2 % off for two of
/// the first and less for others.
pub(crate) fn zipf(count: f64, theta: f64) -> Vec<Class> {
    between(&ranks(count), |from, to| {
        if to - from == 1.0 {
            return to.powf(-theta);
        }
        // ∫ x^-θ dx, with x = middle · e^u.
        let (low, high) = ((from + 0.5).ln(), (to + 0.5).ln());
        let rest = 1.0 - theta;
        match rest.abs() < 1e-9 {
            true => high - low,
            false => (rest * low).exp() * (rest * (high - low)).exp_m1() / rest,
        }
    })
}

/// P(rank < r) = (r / count)^(ln(1 − h) / ln h). Where the last are the most frequent, they are told from the other end.
fn self_similar(count: f64, h: f64) -> Vec<Class> {
    let power = (-h).ln_1p() / h.ln();
    let below = |rank: f64| (rank / count).powf(power);
    let mut bounds = ranks(count);
    if power > 1.0 {
        bounds.iter_mut().for_each(|rank| *rank = count - *rank);
        bounds.reverse();
    }
    between(&bounds, |from, to| below(to) - below(from))
}

/// Ranks by a normal law about the middle, cut at the ends; the deviation is a share of them.
fn normal(deviation: f64) -> Vec<Class> {
    let steps = (TAIL * STEPS) as i32;
    let inner = (1 - steps..steps).map(|step| 0.5 + deviation * f64::from(step) / STEPS);
    let inner = inner.filter(|share| (1e-9..1.0 - 1e-9).contains(share));
    let bounds: Vec<f64> = [0.0].into_iter().chain(inner).chain([1.0]).collect();
    let density = |share: f64| (-((share - 0.5) / deviation).powi(2) / 2.0).exp();
    // Simpson's rule; a first and last that reach over many deviations have nothing that counts.
    let tail = |from: f64, to: f64| to - from > deviation / STEPS * 1.5;
    between(&bounds, |from, to| match tail(from, to) {
        true => 0.0,
        false => (to - from) / 6.0 * (density(from) + 4.0 * density(f64::midpoint(from, to)) + density(to)),
    })
}

#[cfg(test)]
mod tests {
    use iodyno_load::pattern::skewed::{Normal, SelfSimilar, Zipf};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use serde_json::{Value, json};

    use super::*;

    const RANKS: u64 = 1_000_000;
    const DRAWS: u32 = 400_000;

    /// As many of so many drawn ranks are in each class as it says, within five deviations and 2 % for the ranks of a class that
    /// are taken for alike.
    fn fits(classes: &[Class], mut draw: impl FnMut(&mut Xoshiro256PlusPlus) -> u64) {
        let seed = 11;
        println!("seed {seed}");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut ranks: Vec<u64> = (0..DRAWS).map(|_| draw(&mut rng)).collect();
        ranks.sort_unstable();
        assert!((classes.iter().map(|class| class.blocks).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((classes.iter().map(|class| class.accesses).sum::<f64>() - 1.0).abs() < 1e-9);
        let (mut from, mut reached) = (0, 0.0);
        for class in classes {
            reached += class.blocks * RANKS as f64;
            let to = ranks.partition_point(|&rank| (rank as f64) < reached - 1e-3);
            let expected = class.accesses * f64::from(DRAWS);
            let found = (to - from) as f64;
            let slack = 5.0 * expected.sqrt() + 3.0 + 0.02 * expected;
            assert!(
                (found - expected).abs() < slack,
                "{class:?} to {reached}: {found} and {expected}"
            );
            from = to;
        }
    }

    #[test]
    fn classes_have_what_is_drawn_by_their_laws() {
        let count = RANKS as f64;
        for theta in [0.2, 0.8, 1.0, 1.2, 3.0] {
            let law = Zipf::new(RANKS, theta);
            fits(&zipf(count, theta), |rng| law.rank(rng));
        }
        for h in [0.1, 0.2, 0.5, 0.9] {
            let law = SelfSimilar::new(RANKS, h);
            fits(&self_similar(count, h), |rng| law.rank(rng));
        }
        for deviation in [0.001, 0.05, 0.3, 1.0] {
            let law = Normal::new(RANKS, deviation);
            fits(&normal(deviation), |rng| law.rank(rng));
        }
    }

    fn load(distribution: Value, random: f64, (area, workers): (&str, usize)) -> Point {
        let point = json!({
            "profile": {
                "random_share": random, "read_share": 0.5, "blocks": [{ "bytes": 4096, "weight": 1.0 }],
                "alignment_bytes": 4096, "data": "zeros", "shown_as": "throughput", "distribution": distribution,
            },
            "targets": [{ "path": "v", "kind": "virtual", "area_start_bytes": 0, "area_length_bytes": 1 << 30 }],
            "outstanding": 1, "workers": workers, "workers_area": area, "arrival": "poisson", "seed": 9,
            "engine": "simulator", "direct": true,
            "stopping": { "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95 },
        });
        serde_json::from_value(point).expect("a point")
    }

    /// Zones are stretches, and what they leave out one more; where workers have areas of their own, each has zones there, and where
    /// nothing is written at random there are none.
    #[test]
    fn zones_are_stretches_of_an_area_that_all_share() {
        let zones = || {
            json!({ "kind": "zones", "zones": [
                { "accesses": 0.75, "range": 0.25 }, { "accesses": 0.25, "range": 0.25 },
            ] })
        };
        let stretches = |distribution: Value, random: f64, workers: (&str, usize)| {
            let load = load(distribution, random, workers);
            let found = stretches(&load, &load.targets[0]);
            found
                .iter()
                .map(|of| (of.from, of.to, of.accesses))
                .collect::<Vec<_>>()
        };
        let parted = [(0.0, 0.25, 0.75), (0.25, 0.5, 0.25), (0.5, 1.0, 0.0)];
        let whole = [(0.0, 1.0, 1.0)];
        assert_eq!(stretches(zones(), 1.0, ("shared", 2)), parted);
        assert_eq!(stretches(zones(), 1.0, ("own", 1)), parted);
        assert_eq!(stretches(zones(), 1.0, ("own", 2)), whole);
        assert_eq!(stretches(zones(), 0.0, ("shared", 2)), whole);
        assert_eq!(
            stretches(json!({ "kind": "zipf", "parameter": 1.2 }), 1.0, ("shared", 2)),
            whole
        );
    }

    /// A worker's law is one of its own area: with half of the blocks as with half of the area.
    #[test]
    fn the_law_of_a_worker_is_that_of_its_area() {
        let zipf = || json!({ "kind": "zipf", "parameter": 1.2 });
        let own = load(zipf(), 1.0, ("own", 2));
        let mut half = load(zipf(), 1.0, ("shared", 2));
        half.targets[0].area_length_bytes /= 2;
        let found = classes(&own, &own.targets[0], true);
        assert_eq!(found, classes(&half, &half.targets[0], true));
        assert_ne!(
            found,
            classes(&load(zipf(), 1.0, ("shared", 2)), &own.targets[0], true)
        );
    }

    /// Of the first ranks each is alone; there are about as many more as there are ratios between all of them.
    #[test]
    fn there_are_few_classes_however_large_the_area() {
        let classes = zipf((1_u64 << 50) as f64, 1.2);
        assert!(classes.len() < 150, "{}", classes.len());
        let first: Vec<f64> = classes[..4]
            .iter()
            .map(|class| class.accesses / classes[0].accesses)
            .collect();
        for (rank, share) in (1..).zip(first) {
            assert!(
                (share - f64::from(rank).powf(-1.2)).abs() < 1e-9,
                "{rank}: {share}"
            );
        }
        assert_eq!(zipf(1.0, 1.2), [ALL]);
    }
}
