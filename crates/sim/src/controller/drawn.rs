//! The dirty blocks that a cache holds in the steady state of writes that go to some blocks more often than to others.
//!
//! As with even writes ([`super::ballast`]) the cache is full of them, and a sweep destages one after the other: what lies a share
//! x of the area ahead of it was swept 1 − x of a round ago, and a write of the last round is still there if it has come since.
//! So writes of the last round are drawn, each at any time of it, until what is left of them fills the cache. What is written
//! most is dirty once. Unlike the blocks of even writes these are stored: as many as the cache holds, however large the area is.

use iodyno_load::pattern::{AccessStream, mix};

use super::ballast::SWEEP;
use super::dirty::Dirty;
use super::{LogicalUse, unit};

/// Writes that are drawn for each that finds room, at most. A law that is so steep that they do not fill the cache has hardly
/// any writes of what is not dirty: the cache is taken to be full with what there is.
const MOST: f64 = 64.0;

/// Make about so many bytes dirty; gives how many, and where the sweep stands. `written` are the loads' shares of the bytes that
/// are written.
pub(super) fn fill(
    dirty: &mut Dirty,
    writers: &[&LogicalUse],
    written: &[f64],
    bytes: u64,
    seed: u64,
) -> (u64, u64) {
    let writes = |(usage, seed): (&&LogicalUse, u64)| -> Vec<AccessStream> {
        let workers = &usage
            .uneven
            .as_ref()
            .expect("a load beside an uneven one")
            .workers;
        workers
            .iter()
            .zip(0..)
            .map(|(worker, at)| worker.writes(mix(seed, at)))
            .collect()
    };
    let mut streams: Vec<_> = writers
        .iter()
        .zip((1..).map(|at| mix(seed, u64::MAX - at)))
        .map(writes)
        .collect();
    let at = |usage: &LogicalUse| usage.start_bytes as f64 + usage.length_bytes as f64 * SWEEP;
    let position = writers.first().map_or(0.0, |usage| at(usage)) as u64;
    let count = |(usage, share): (&&LogicalUse, &f64)| share / usage.profile.mean_bytes_of(true);
    let counts: Vec<f64> = writers.iter().zip(written).map(count).collect();
    // Writes for each byte.
    let each: f64 = counts.iter().sum();
    let (mut held, draws) = (0, (MOST * bytes as f64 * each) as u64);
    for number in 0..draws {
        if held >= bytes {
            break;
        }
        let of = chosen(&counts, each * unit(mix(seed, 2 * number)));
        let (usage, turn) = (writers[of], number as usize % streams[of].len());
        let access = streams[of][turn].next();
        let ahead = (access.offset as f64 - at(usage)) / usage.length_bytes as f64;
        if unit(mix(seed, 2 * number + 1)) < ahead.rem_euclid(1.0) {
            continue;
        }
        dirty.insert(
            access.offset,
            access.offset + u64::from(access.bytes),
            |from, to| held += to - from,
        );
        // Whole stripes are destaged as soon as they are whole.
        while let Some((from, to)) = dirty.take_full() {
            held -= to - from;
        }
    }
    (held, position)
}

/// Which of several has a draw, each by its share.
pub(super) fn chosen(shares: &[f64], draw: f64) -> usize {
    let mut below = 0.0;
    let reached = |share: &f64| {
        below += share;
        draw < below
    };
    shares.iter().position(reached).unwrap_or(shares.len() - 1)
}

#[cfg(test)]
pub(super) mod tests {
    use iodyno_load::request::{Point, WorkersArea};
    use serde_json::json;

    use super::*;
    use crate::controller::Uneven;

    const BLOCK: u64 = 4096;

    pub(in crate::controller) fn point(theta: f64, reads: f64, blocks: u64) -> Point {
        let point = json!({
            "profile": {
                "random_share": 1.0, "read_share": reads, "blocks": [{ "bytes": BLOCK, "weight": 1.0 }],
                "alignment_bytes": BLOCK, "data": "zeros", "shown_as": "throughput",
                "distribution": { "kind": "zipf", "parameter": theta },
            },
            "targets": [{ "path": "v", "kind": "virtual", "area_start_bytes": 1 << 30, "area_length_bytes": blocks * BLOCK }],
            "outstanding": 1, "workers": 2, "arrival": "poisson", "seed": 9, "engine": "simulator", "direct": true,
            "stopping": { "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95 },
        });
        serde_json::from_value(point).expect("a point")
    }

    pub(in crate::controller) fn usage(point: &Point) -> LogicalUse {
        let target = &point.targets[0];
        LogicalUse {
            logical: 0,
            start_bytes: target.area_start_bytes,
            length_bytes: target.area_length_bytes,
            profile: point.profile.clone(),
            outstanding: 1,
            open_loop: false,
            written: 1.0,
            uneven: Some(Uneven::of(point, 0)),
        }
    }

    fn filled(usage: &LogicalUse, blocks: u64) -> (Dirty, u64, u64) {
        let mut dirty = Dirty::new(65_536, false);
        let (held, position) = fill(&mut dirty, &[usage], &[1.0], blocks * BLOCK, 3);
        (dirty, held, position)
    }

    /// Where writes have gone on for long, sweep after sweep, and each block that the sweep comes to is clean: the share of all
    /// writes that find their block dirty.
    fn swept(usage: &LogicalUse, (blocks, room): (u64, u64)) -> f64 {
        let mut writes = usage.uneven.as_ref().expect("uneven").workers[0].writes(77);
        let (mut dirty, mut held) = (vec![false; blocks as usize], 0);
        let (mut sweep, mut hits, mut count) = (0, 0_u32, 0_u32);
        for number in 0..4_000_000 {
            let block = ((writes.next().offset - usage.start_bytes) / BLOCK) as usize;
            if number >= 2_000_000 {
                (count, hits) = (count + 1, hits + u32::from(dirty[block]));
            }
            held += u64::from(!std::mem::replace(&mut dirty[block], true));
            while held > room {
                held -= u64::from(std::mem::replace(&mut dirty[sweep], false));
                sweep = (sweep + 1) % blocks as usize;
            }
        }
        f64::from(hits) / f64::from(count)
    }

    /// As many writes find their block dirty as after many rounds of a sweep that is run.
    #[test]
    fn what_is_drawn_is_what_rounds_of_sweeps_leave() {
        for theta in [0.5, 0.9, 1.1] {
            let blocks = 100_000;
            let point = point(theta, 0.5, blocks);
            let usage = usage(&point);
            let (dirty, held, position) = filled(&usage, 10_000);
            assert_eq!(held, 10_000 * BLOCK);
            assert_eq!(
                position,
                (1 << 30) + (blocks as f64 * BLOCK as f64 * SWEEP) as u64
            );
            let mut writes = usage.uneven.as_ref().expect("uneven").workers[0].writes(5);
            let found = (0..100_000).filter(|_| {
                let at = writes.next().offset;
                dirty.covers(at, at + BLOCK)
            });
            let found = found.count() as f64 / 1e5;
            let expected = swept(&usage, (blocks, 10_000));
            assert!((found - expected).abs() < 0.02, "{theta}: {found} and {expected}");
        }
    }

    /// What is ahead of the sweep was swept nearly a round ago, what is behind it just now.
    #[test]
    fn there_is_more_ahead_of_the_sweep_than_behind_it() {
        let blocks = 1 << 20;
        let point = point(0.1, 0.0, blocks);
        let (dirty, _, position) = filled(&usage(&point), 10_000);
        let within = |from: f64| {
            let place = (position - (1 << 30)) / BLOCK + (from * blocks as f64) as u64;
            let blocks = (0..blocks / 8).map(|at| (1 << 30) + (place + at) % blocks * BLOCK);
            blocks.filter(|&at| dirty.covers(at, at + BLOCK)).count() as f64
        };
        for eighth in 0..8 {
            let from = f64::from(eighth) / 8.0;
            let expected = 10_000.0 / 4.0 * (1.0 - from - 1.0 / 16.0);
            assert!(
                (within(from) - expected).abs() < 5.0 * expected.sqrt(),
                "{from}: {} and {expected}",
                within(from)
            );
        }
    }

    /// Each of several loads has its share of the draws; what shares leave by rounding is the last one's.
    #[test]
    fn loads_have_their_shares_of_what_is_drawn() {
        let found = [0.0, 0.19, 0.2, 0.69, 0.7, 1.0].map(|draw| chosen(&[0.2, 0.5, 0.3 - 1e-9], draw));
        assert_eq!(found, [0, 0, 1, 1, 2, 2]);
    }

    /// Two loads that write as many bytes have as many dirty, whatever the size of their blocks.
    #[test]
    fn loads_have_their_bytes_of_what_is_drawn() {
        let (small, mut large) = (point(0.1, 0.0, 1 << 24), point(0.1, 0.0, 1 << 24));
        large.profile.blocks[0].bytes = 16 * BLOCK as u32;
        large.targets[0].area_start_bytes += 1 << 40;
        let uses = [usage(&small), usage(&large)];
        let mut dirty = Dirty::new(65_536, false);
        let writers: Vec<_> = uses.iter().collect();
        let (held, _) = fill(&mut dirty, &writers, &[0.25, 0.75], 20_000 * BLOCK, 3);
        let blocks = (0..1 << 24).map(|at| (1 << 30) + at * BLOCK);
        let small = blocks.filter(|&at| dirty.covers(at, at + BLOCK)).count() as u64 * BLOCK;
        let share = small as f64 / held as f64;
        assert!((share - 0.25).abs() < 0.02, "{share}");
    }

    /// A stripe that writes have made whole has gone to the drives: none of them is among what is dirty, nor in its bytes.
    #[test]
    fn whole_stripes_are_not_among_what_is_drawn() {
        let point = point(0.5, 0.0, 4_000);
        let usage = usage(&point);
        let mut dirty = Dirty::new(2 * BLOCK, true);
        let (held, _) = fill(&mut dirty, &[&usage], &[1.0], 1_500 * BLOCK, 3);
        let blocks: Vec<u64> = (0..4_000).map(|block| (1 << 30) + block * BLOCK).collect();
        let there = |at: &&u64| dirty.covers(**at, **at + BLOCK);
        assert_eq!(blocks.iter().filter(there).count() as u64 * BLOCK, held);
        let whole = blocks
            .chunks(2)
            .filter(|stripe| stripe.iter().all(|at| there(&at)));
        assert_eq!(whole.count(), 0);
    }

    /// Of a law so steep that it takes days to fill a cache some of it is drawn; and workers have areas of their own.
    #[test]
    fn steep_laws_are_drawn_in_part_and_workers_have_their_places() {
        let mut steep = point(4.0, 0.0, 1 << 30);
        let (_, held, _) = filled(&usage(&steep), 100_000);
        assert!(held > 0 && held < 1000 * BLOCK, "{held}");
        steep.workers_area = WorkersArea::Own;
        let usage = usage(&steep);
        let (dirty, _, _) = filled(&usage, 1000);
        let workers = &usage.uneven.as_ref().expect("uneven").workers;
        assert_eq!(workers.len(), 2);
        for (worker, from) in workers.iter().zip([1 << 30, (1 << 30) + (1 << 29) * BLOCK]) {
            let mut writes = worker.writes(1);
            let places: Vec<u64> = (0..1000).map(|_| writes.next().offset).collect();
            assert!(
                places
                    .iter()
                    .all(|&at| (from..from + (1 << 29) * BLOCK).contains(&at))
            );
            let dirty = places.iter().filter(|&&at| dirty.covers(at, at + BLOCK)).count();
            assert!(dirty > 800, "{dirty}");
        }
    }
}
