//! What a cache of a controller keeps of what was read.

use super::LogicalUse;
use crate::heat::Class;

/// Levels of what is dirty that the share of hits is calculated for where reads are uneven; between them it is a line.
const LEVELS: usize = 64;

/// What a cache keeps of what was read.
#[derive(Debug)]
pub(super) struct Kept {
    cache_bytes: f64,
    /// Bytes that reads go to in the long run.
    accessed: f64,
    random_share: f64,
    /// Where reads go to some blocks more often than to others: shares of random reads that hit, from nothing dirty to all of
    /// the cache.
    hits: Vec<f64>,
}

impl Kept {
    pub(super) fn of(usage: &LogicalUse, writers: &[&LogicalUse], cache_bytes: u64) -> Self {
        let (cache, accessed) = (
            cache_bytes as f64,
            usage.profile.accessed_of(false, usage.length_bytes) as f64,
        );
        let hits = usage.uneven.as_ref().map_or_else(Vec::new, |uneven| {
            let alone = matches!(writers, [only] if std::ptr::eq(*only, usage));
            let keeps = Keeps::new(&uneven.reads, accessed, alone && uneven.alike);
            let at = |level| keeps.hits(cache, cache * level as f64 / LEVELS as f64);
            (0..=LEVELS).map(at).collect()
        });
        Self {
            cache_bytes: cache,
            accessed,
            random_share: usage.profile.random_of(false),
            hits,
        }
    }

    /// The share of the reads of what is not to be written, of which the cache has some bytes, that it answers: writes have their
    /// room first. Uniform reads of an area find what it holds of the rest; a sequential read finds what it left only where
    /// the cache holds all.
    pub(super) fn hit_share(&self, dirty: u64) -> f64 {
        if self.accessed <= self.cache_bytes {
            return 1.0;
        }
        let dirty = (dirty as f64).min(self.cache_bytes);
        if !self.hits.is_empty() {
            let level = dirty / self.cache_bytes * LEVELS as f64;
            let below = (level as usize).min(LEVELS - 1);
            let part = level - below as f64;
            return self.random_share * (self.hits[below] * (1.0 - part) + self.hits[below + 1] * part);
        }
        self.random_share * (self.cache_bytes - dirty) / (self.accessed - dirty)
    }
}

/// Blocks that are read unevenly, and a cache that drops what has not been read for longest.
///
/// A block that is read q times in a unit of time is in the cache with 1 − e^(−q·t), t being the time after which a block
/// that is not read again is dropped; t is such that the cache is full (H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching
/// Systems: Modeling, Design and Experimental Results", IEEE JSAC 20(7), 2002).
#[derive(Debug)]
struct Keeps {
    /// Bytes of blocks that are read about equally often, and their share of the reads.
    classes: Vec<(f64, f64)>,
    /// Whether writes go to the same blocks as often: what is dirty is what is read most.
    alike: bool,
}

impl Keeps {
    fn new(reads: &[Class], accessed: f64, alike: bool) -> Self {
        let read = || reads.iter().filter(|class| class.accesses > 0.0);
        let all: f64 = read().map(|class| class.blocks).sum();
        let classes = read().map(|class| (class.blocks / all * accessed, class.accesses));
        Self {
            classes: classes.collect(),
            alike,
        }
    }

    /// The share of the reads of what is not dirty that a cache of so many bytes answers, so many of which are dirty.
    fn hits(&self, cache: f64, dirty: f64) -> f64 {
        let clean = self.clean(dirty);
        let held = |time: f64| -> f64 {
            let each = self.classes.iter().zip(&clean);
            each.map(|(&(bytes, reads), clean)| bytes * clean * seen(reads / bytes * time))
                .sum()
        };
        let time = solved(|time| held(time) < cache - dirty);
        let reads = |found: &dyn Fn(f64) -> f64| -> f64 {
            let each = self.classes.iter().zip(&clean);
            each.map(|(&(bytes, reads), clean)| reads * clean * found(reads / bytes))
                .sum()
        };
        let (found, all) = (reads(&|often| seen(often * time)), reads(&|_| 1.0));
        if all > 0.0 { found / all } else { 1.0 }
    }

    /// The share of each class that is not dirty, on the mean of a sweep's round: as long as it lasts is such that so much is
    /// dirty. A block x of a round behind the sweep is dirty with 1 − e^(−λx).
    fn clean(&self, dirty: f64) -> Vec<f64> {
        let all: f64 = self.classes.iter().map(|class| class.0).sum();
        if !self.alike || dirty >= all {
            return vec![(1.0 - dirty / all).max(0.0); self.classes.len()];
        }
        let clean = |writes: f64| {
            if writes > 1e-9 {
                seen(writes) / writes
            } else {
                1.0 - writes / 2.0
            }
        };
        let at = |round: f64| {
            self.classes
                .iter()
                .map(move |&(bytes, writes)| (bytes, clean(writes / bytes * round)))
        };
        let round =
            solved(|round| at(round).map(|(bytes, clean)| bytes * (1.0 - clean)).sum::<f64>() < dirty);
        at(round).map(|(_, clean)| clean).collect()
    }
}

/// The share that has been seen after so many on the mean.
fn seen(mean: f64) -> f64 {
    -(-mean).exp_m1()
}

/// Where what is true for small numbers ceases to be, from 1e-6 to 1e30.
fn solved(below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (1e-6_f64, 1e30_f64);
    for _ in 0..80 {
        let middle = (low * high).sqrt();
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use iodyno_load::pattern::mix;
    use iodyno_load::pattern::skewed::Zipf;
    use iodyno_load::request::Distribution;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::controller::drawn::tests::{point, usage};
    use crate::controller::unit;
    use crate::heat::zipf;

    const BLOCKS: u64 = 20_000;

    fn keeps(theta: f64, alike: bool) -> Keeps {
        Keeps::new(&zipf(BLOCKS as f64, theta), BLOCKS as f64, alike)
    }

    /// A cache of so many blocks that drops what has not been read for longest, where those that `dirty` tells are no matter of
    /// its: the share of the other reads that it answers.
    fn run(theta: f64, room: usize, dirty: impl Fn(u64) -> bool) -> f64 {
        let law = Zipf::new(BLOCKS, theta);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut last, mut order) = (BTreeMap::new(), BTreeMap::new());
        let (mut hits, mut reads) = (0_u32, 0_u32);
        for now in 0..600_000_u32 {
            let block = law.rank(&mut rng);
            if dirty(block) {
                continue;
            }
            let before = last.insert(block, now);
            order.insert(now, block);
            match before {
                Some(before) => _ = order.remove(&before),
                None if order.len() > room => {
                    let (_, oldest) = order.pop_first().expect("a block");
                    last.remove(&oldest);
                }
                None => {}
            }
            if now >= 300_000 {
                reads += 1;
                hits += u32::from(before.is_some());
            }
        }
        f64::from(hits) / f64::from(reads)
    }

    #[test]
    fn hits_are_those_of_a_cache_that_drops_the_oldest() {
        for theta in [0.5, 0.9, 1.2] {
            for room in [200, 2_000, 10_000] {
                let (found, expected) = (
                    keeps(theta, false).hits(f64::from(room), 0.0),
                    run(theta, room as usize, |_| false),
                );
                assert!(
                    (found - expected).abs() < 0.01,
                    "{theta}, {room}: {found} and {expected}"
                );
            }
        }
    }

    /// Blocks that are dirty have their room and are not asked for here: each as likely as its writes make it, at any place of the
    /// round; or all alike, where writes go their own way.
    #[test]
    fn what_is_dirty_is_no_hit_of_what_was_read() {
        for theta in [0.5, 0.9, 1.2] {
            let law = zipf(BLOCKS as f64, theta);
            for round in [5_000.0, 50_000.0] {
                let total: f64 = (1..=BLOCKS).map(|rank| (rank as f64).powf(-theta)).sum();
                let dirty: Vec<bool> = (0..BLOCKS)
                    .map(|rank| {
                        let writes = round * ((rank + 1) as f64).powf(-theta) / total;
                        let since = unit(mix(3, rank));
                        unit(mix(4, rank)) < seen(writes * since)
                    })
                    .collect();
                let held = dirty.iter().filter(|&&dirty| dirty).count();
                let room = held + 1_500;
                let found = Keeps::new(&law, BLOCKS as f64, true).hits(room as f64, held as f64);
                let expected = run(theta, 1_500, |block| dirty[block as usize]);
                assert!(
                    (found - expected).abs() < 0.03,
                    "{theta}, {round}: {found} and {expected}"
                );
                let dirty = |block: u64| unit(mix(9, block)) < held as f64 / BLOCKS as f64;
                let found = keeps(theta, false).hits(room as f64, held as f64);
                let expected = run(theta, 1_500, dirty);
                assert!(
                    (found - expected).abs() < 0.03,
                    "{theta}, {round}: {found} and {expected}"
                );
            }
        }
    }

    /// What is dirty is what is read most where the load that reads writes alone, and by the same law; else it says nothing of
    /// what is read. Reads in order find nothing.
    #[test]
    fn only_a_load_of_its_own_tells_what_is_dirty() {
        let mixed = usage(&point(0.9, 0.5, 100_000));
        let other = usage(&point(0.9, 0.0, 100_000));
        let mut apart = point(0.9, 0.5, 100_000);
        apart.profile.write_distribution = Some(Distribution::Zipf { parameter: 0.8 });
        let apart = usage(&apart);
        let cache = 10_000 * 4096;
        let share = |usage: &LogicalUse, writers: &[&LogicalUse]| {
            Kept::of(usage, writers, cache).hit_share(cache / 2)
        };
        let alone = share(&mixed, &[&mixed]);
        let beside = share(&mixed, &[&mixed, &other]);
        assert!(alone < 0.8 * beside, "{alone} and {beside}");
        assert_eq!(share(&mixed, &[&other]), beside);
        assert_eq!(share(&apart, &[&apart]), beside);
        let mut partly = mixed.clone();
        partly.profile.random_share = 0.5;
        assert!((share(&partly, &[&partly]) - alone / 2.0).abs() < 1e-12);
        // Between two levels it is a line, and what all finds room in is all found.
        let kept = Kept::of(&mixed, &[&mixed], cache);
        let level = cache / LEVELS as u64;
        let shares = [0, 1, 2].map(|half| kept.hit_share(10 * level + half * level / 2));
        assert!((shares[1] - f64::midpoint(shares[0], shares[2])).abs() < 1e-9 && shares[0] > shares[2]);
        assert_eq!(Kept::of(&mixed, &[&mixed], 100_000 * 4096).hit_share(0), 1.0);
    }

    /// Even reads find what the cache holds of the rest, as by the formula for them.
    #[test]
    fn even_reads_find_what_is_held() {
        let all = [Class {
            blocks: 1.0,
            accesses: 1.0,
        }];
        for (cache, dirty) in [(100.0, 0.0), (500.0, 200.0), (900.0, 899.0)] {
            for alike in [false, true] {
                let found = Keeps::new(&all, 1000.0, alike).hits(cache, dirty);
                let expected = (cache - dirty) / (1000.0 - dirty);
                assert!((found - expected).abs() < 1e-6, "{found} and {expected}");
            }
        }
    }
}
