//! Workers on one target: the whole area for all, a part for each, or one stream of all.

use std::collections::HashSet;

use crate::made::{SEED, point, profile, random, share_holds, zones};
use iodyno_load::pattern::{Access, Streams, mix, own_bytes};
use iodyno_load::request::{Block, Distribution, Point, Profile, WorkersArea};

const BLOCK: u64 = 65536;

/// What each worker of a point draws, all of them at once on threads of their own.
fn at_once(point: &Point, each: usize) -> Vec<Vec<Access>> {
    let streams = Streams::new(point);
    let draws = (0..point.workers).map(|worker| {
        let mut stream = streams.stream(worker, 0);
        move || (0..each).map(|_| stream.next()).collect::<Vec<Access>>()
    });
    std::thread::scope(|scope| {
        let threads: Vec<_> = draws.map(|draw| scope.spawn(draw)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn sequential(read_share: f64) -> Profile {
    profile(0.0, read_share, &[(BLOCK as u32, 1.0)])
}

#[test]
fn one_stream_of_several_workers_has_no_overlap_and_no_gap() {
    let blocks = 40_000;
    let point = point(
        sequential(1.0),
        (4096, blocks * BLOCK + 4096),
        4,
        WorkersArea::Stream,
    );
    let drawn = at_once(&point, 10_000);
    let mut offsets: Vec<u64> = drawn.iter().flatten().map(|access| access.offset).collect();
    offsets.sort_unstable();
    let whole: Vec<u64> = (0..blocks).map(|block| 4096 + block * BLOCK).collect();
    assert_eq!(offsets, whole, "each block once before the area begins again");
    for worker in &drawn {
        assert!(worker.windows(2).all(|pair| pair[1].offset > pair[0].offset));
    }
}

#[test]
fn all_workers_together_access_the_same_whoever_is_faster() {
    for workers_profile in [
        (sequential(0.3), WorkersArea::Stream),
        (
            Profile {
                read_share: 0.3,
                ..random(BLOCK as u32, Distribution::Permutation)
            },
            WorkersArea::Shared,
        ),
    ] {
        let (profile, area) = workers_profile;
        let all = |workers, each| {
            let point = point(profile.clone(), (0, 700 * BLOCK), workers, area);
            let mut all: Vec<(u64, bool)> = at_once(&point, each)
                .iter()
                .flatten()
                .map(|access| (access.offset, access.write))
                .collect();
            all.sort_unstable();
            all
        };
        let alone = all(1, 12_000);
        assert_eq!(all(3, 4000), alone);
        assert_eq!(all(4, 3000), alone);
        let reads = alone.iter().filter(|(_, write)| !write).count();
        assert!(share_holds(reads, alone.len(), 0.3), "{reads}");
    }
}

#[test]
fn a_permutation_of_several_workers_touches_every_block_once() {
    let point = point(
        random(4096, Distribution::Permutation),
        (0, 40_000 * 4096),
        4,
        WorkersArea::Shared,
    );
    let offsets: Vec<u64> = at_once(&point, 10_000)
        .concat()
        .iter()
        .map(|access| access.offset)
        .collect();
    assert_eq!(offsets.len(), 40_000);
    assert_eq!(offsets.into_iter().collect::<HashSet<u64>>().len(), 40_000);
}

#[test]
fn each_worker_stays_in_its_own_part_and_reaches_both_ends() {
    let (area, workers) = ((1 << 20, 1001 * 4096), 7);
    for distribution in [
        Distribution::Uniform,
        Distribution::Zipf { parameter: 0.5 },
        Distribution::Permutation,
        zones(&[(0.5, 0.5), (0.5, 0.5)]),
    ] {
        let point = point(random(4096, distribution), area, workers, WorkersArea::Own);
        for (worker, accesses) in at_once(&point, 20_000).iter().enumerate() {
            let start = area.0 + worker as u64 * 143 * 4096;
            let offsets = || accesses.iter().map(|access| access.offset);
            assert_eq!(offsets().min(), Some(start));
            assert_eq!(offsets().max(), Some(start + 142 * 4096));
        }
    }
}

#[test]
fn sequential_workers_with_own_parts_go_through_them_and_wrap_there() {
    let point = point(sequential(1.0), (4096, 103 * BLOCK), 2, WorkersArea::Own);
    let part = own_bytes(&point.profile, 103 * BLOCK, 2);
    assert_eq!(part, 51 * BLOCK + BLOCK / 2);
    for (worker, accesses) in at_once(&point, 120).iter().enumerate() {
        for (number, access) in accesses.iter().enumerate() {
            let start = 4096 + worker as u64 * part;
            assert_eq!(access.offset, start + number as u64 % 51 * BLOCK);
        }
    }
}

#[test]
fn workers_that_share_an_area_share_its_hot_blocks() {
    let hottest = |area| {
        let profile = random(4096, Distribution::Zipf { parameter: 2.0 });
        let drawn = at_once(&point(profile, (0, 1 << 30), 4, area), 1000);
        let most = |accesses: &Vec<Access>| {
            let offsets: Vec<u64> = accesses.iter().map(|access| access.offset % (1 << 28)).collect();
            let count = |at: u64| offsets.iter().filter(|&&other| other == at).count();
            *offsets.iter().max_by_key(|&&at| count(at)).unwrap()
        };
        drawn.iter().map(most).collect::<HashSet<u64>>().len()
    };
    assert_eq!(hottest(WorkersArea::Shared), 1);
    assert_eq!(hottest(WorkersArea::Own), 4);
}

/// Offsets of every distribution, on areas and blocks of all kinds.
#[test]
fn every_access_is_aligned_and_inside_whatever_is_asked() {
    println!("seed {SEED}");
    for trial in 0..400_u64 {
        let mut draws = (0..).map(|number| mix(mix(SEED, trial), number));
        let mut below = |bound: u64| draws.next().unwrap() % bound;
        let alignment = [512, 4096, 12_288, 65_536][below(4) as usize];
        let start = below(1000) * alignment;
        let single = below(2) == 0;
        let own = !single && below(2) == 0;
        let write_alignment = own.then(|| [512, 8192, 20_480][below(3) as usize]);
        let bytes = |of: u64| 512 << (of % 9) as u32;
        let mut sizes = |count| -> Vec<(u32, f64)> { (0..count).map(|_| (bytes(below(9)), 1.0)).collect() };
        let blocks = sizes(if single { 1 } else { 3 });
        let writes = sizes(if own { 2 } else { 0 });
        let largest = blocks.iter().chain(&writes).map(|block| block.0).max();
        let workers = 1 + below(3) as usize;
        let grain = alignment * write_alignment.unwrap_or(1);
        let length = (4 * u64::from(largest.unwrap()) + 4 * grain) * workers as u64 + below(1 << 22);
        let distribution = match below(if single { 5 } else { 4 }) {
            0 => Distribution::Uniform,
            1 => Distribution::Zipf {
                parameter: 0.1 + below(30) as f64 / 10.0,
            },
            2 => Distribution::Pareto {
                parameter: 0.05 + below(9) as f64 / 10.0,
            },
            3 => zones(&[(0.6, 0.5), (0.4, 0.5)]),
            _ => Distribution::Permutation,
        };
        let sequential = distribution == Distribution::Uniform && below(2) == 0;
        let profile = Profile {
            distribution,
            alignment_bytes: alignment,
            write_alignment_bytes: write_alignment,
            write_blocks: writes
                .iter()
                .map(|&(bytes, weight)| Block { bytes, weight })
                .collect(),
            ..profile(if sequential { 0.5 } else { 1.0 }, 0.5, &blocks)
        };
        let area = [WorkersArea::Shared, WorkersArea::Own][below(2) as usize];
        let point = point(profile, (start, length), workers, area);
        let part = own_bytes(&point.profile, length, workers);
        for worker in 0..workers {
            let (first, bytes) = match area {
                WorkersArea::Own => (start + worker as u64 * part, part),
                _ => (start, length),
            };
            let mut stream = Streams::new(&point).stream(worker, 0);
            for _ in 0..300 {
                let access = stream.next();
                let end = access.offset + u64::from(access.bytes);
                assert!(
                    access.offset >= first && end <= first + bytes,
                    "trial {trial}: {access:?}"
                );
                let (sizes, alignment) = match own && access.write {
                    true => (&writes, write_alignment.unwrap()),
                    false => (&blocks, alignment),
                };
                let aligned = (access.offset - first).is_multiple_of(alignment);
                assert!(aligned || sequential, "trial {trial}: {access:?}");
                assert!(sizes.iter().any(|block| block.0 == access.bytes));
            }
        }
    }
}
