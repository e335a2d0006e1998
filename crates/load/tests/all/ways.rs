//! Reads and writes with shares of random accesses and distributions of their own. Expected values are those of
//! the definition: the direction is drawn first; each then goes its own way, as if it was alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::made::{SEED, draw, fits, point, profile, share_holds, zones};
use iodyno_load::pattern::permutation::Permutation;
use iodyno_load::pattern::{Access, Streams, mix};
use iodyno_load::request::{Block, Distribution, Profile, WorkersArea};

const DRAWS: usize = 400_000;
const BLOCK: u64 = 4096;
const AREA: (u64, u64) = (1 << 20, 640 << 20);

/// A mix of 4 KiB whose writes have this share of random accesses and this distribution.
fn ways(reads: (f64, Distribution), writes: (f64, Distribution)) -> Profile {
    Profile {
        distribution: reads.1,
        write_random_share: Some(writes.0),
        write_distribution: Some(writes.1),
        ..profile(reads.0, 0.67, &[(BLOCK as u32, 1.0)])
    }
}

fn split(accesses: Vec<Access>) -> [Vec<Access>; 2] {
    let (writes, others) = accesses.into_iter().partition(|access| access.write);
    [others, writes]
}

/// How many accesses follow the one before, or begin at the start where that was the last of the area.
fn following(accesses: &[Access]) -> usize {
    let follows = |pair: &&[Access]| {
        let end = pair[0].offset + u64::from(pair[0].bytes);
        pair[1].offset == if end == AREA.0 + AREA.1 { AREA.0 } else { end }
    };
    accesses.windows(2).filter(follows).count()
}

/// How often each of equal parts of an area was accessed.
fn counted(accesses: &[Access], (start, length): (u64, u64), parts: u64) -> Vec<u64> {
    let mut counts = vec![0; parts as usize];
    for access in accesses {
        let end = access.offset + u64::from(access.bytes);
        assert!(access.offset >= start && end <= start + length, "{access:?}");
        counts[((access.offset - start) * parts / length) as usize] += 1;
    }
    counts
}

fn even(accesses: &[Access], area: (u64, u64)) {
    fits(&counted(accesses, area, 1024), &[1.0 / 1024.0; 1024]).unwrap();
}

#[test]
fn each_direction_has_its_share_of_random_accesses() {
    for (random, of_writes) in [(0.5, 0.1), (0.0, 0.9), (1.0, 0.25), (0.3, 0.0)] {
        let own = ways(
            (random, Distribution::Uniform),
            (of_writes, Distribution::Uniform),
        );
        let accesses = draw(&own, AREA, DRAWS);
        let [reads, writes] = split(accesses);
        assert!(share_holds(reads.len(), DRAWS, 0.67));
        for (accesses, share) in [(&reads, random), (&writes, of_writes)] {
            // A random block is the next one by chance once in 163 840 times.
            let next = 1.0 - share + share / (AREA.1 / BLOCK) as f64;
            let (found, count) = (following(accesses), accesses.len() - 1);
            assert!(
                share_holds(found, count, next),
                "{found} of {count} follow, {share}"
            );
        }
    }
}

#[test]
fn what_is_sequential_goes_on_whatever_the_other_direction_does() {
    let own = ways((0.0, Distribution::Uniform), (1.0, Distribution::Uniform));
    let [reads, writes] = split(draw(&own, AREA, DRAWS));
    assert_eq!(reads[0].offset, AREA.0);
    assert_eq!(following(&reads), reads.len() - 1);
    even(&writes, AREA);
    // Said of all accesses, a distribution is of those that are random.
    let mut permuted = ways((0.0, Distribution::Permutation), (1.0, Distribution::Uniform));
    permuted.write_distribution = None;
    let [reads, writes] = split(draw(&permuted, AREA, DRAWS / 4));
    assert_eq!(following(&reads), reads.len() - 1);
    let different: BTreeSet<u64> = writes.iter().map(|access| access.offset).collect();
    assert_eq!(different.len(), writes.len());
    let other = ways((1.0, Distribution::Uniform), (0.0, Distribution::Uniform));
    let [reads, writes] = split(draw(&other, AREA, DRAWS));
    assert_eq!(writes[0].offset, AREA.0);
    assert_eq!(following(&writes), writes.len() - 1);
    even(&reads, AREA);
}

#[test]
fn ranks_of_each_direction_have_the_probabilities_of_its_law() {
    const CELLS: u64 = 1000;
    let area = (AREA.0, CELLS * BLOCK);
    let zipf = |theta: f64| move |rank: f64| rank.powf(-theta);
    // The self-similar law: P(rank < r) = (r / count)^(ln(1 - h) / ln h).
    let pareto = |h: f64| {
        let below = move |rank: f64| (rank / CELLS as f64).powf((1.0 - h).ln() / h.ln());
        move |rank: f64| below(rank) - below(rank - 1.0)
    };
    let own = ways(
        (1.0, Distribution::Zipf { parameter: 1.2 }),
        (1.0, Distribution::Pareto { parameter: 0.3 }),
    );
    let [reads, writes] = split(draw(&own, area, DRAWS));
    follow_law(&reads, area, CELLS, zipf(1.2));
    follow_law(&writes, area, CELLS, pareto(0.3));
    // One kind of law for both, with parameters of their own.
    let own = ways(
        (1.0, Distribution::Zipf { parameter: 0.7 }),
        (1.0, Distribution::Zipf { parameter: 1.4 }),
    );
    let [reads, writes] = split(draw(&own, area, DRAWS));
    follow_law(&reads, area, CELLS, zipf(0.7));
    follow_law(&writes, area, CELLS, zipf(1.4));
    // Laws that take one draw an access, so that equal draws would stay side by side.
    let own = ways(
        (1.0, Distribution::Pareto { parameter: 0.1 }),
        (1.0, Distribution::Pareto { parameter: 0.2 }),
    );
    let [reads, writes] = split(draw(&own, area, DRAWS));
    draws_are_independent([&reads, &writes], area, CELLS);
}

/// The hottest block of all comes up in both of two draws as often as chance has it.
fn draws_are_independent([reads, writes]: [&[Access]; 2], area: (u64, u64), cells: u64) {
    let place = Permutation::new(cells, mix(mix(SEED, 0), u64::MAX - 1)).of(0);
    let hot = |access: &Access| (access.offset - area.0) * cells / area.1 == place;
    let share = |of: &[Access]| of.iter().filter(|access| hot(access)).count() as f64 / of.len() as f64;
    let pairs = reads.iter().zip(writes);
    let (both, count) = (
        pairs.clone().filter(|pair| hot(pair.0) && hot(pair.1)),
        pairs.clone().count(),
    );
    assert!(share_holds(both.count(), count, share(reads) * share(writes)));
}

/// Chi-square by rank: ranks lie where they would if both directions had one law.
fn follow_law(accesses: &[Access], area: (u64, u64), cells: u64, weight: impl Fn(f64) -> f64) {
    let counts = counted(accesses, area, cells);
    let places = Permutation::new(cells, mix(mix(SEED, 0), u64::MAX - 1));
    let by_rank: Vec<u64> = (0..cells).map(|rank| counts[places.of(rank) as usize]).collect();
    let weights: Vec<f64> = (1..=cells).map(|rank| weight(rank as f64)).collect();
    let sum: f64 = weights.iter().sum();
    let expected: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
    fits(&by_rank, &expected).unwrap();
}

#[test]
fn what_is_read_most_and_what_is_written_most_lie_together_whatever_their_sizes() {
    let mut own = ways(
        (1.0, Distribution::Zipf { parameter: 1.3 }),
        (1.0, Distribution::Zipf { parameter: 1.1 }),
    );
    own.write_blocks = vec![Block {
        bytes: 65536,
        weight: 1.0,
    }];
    own.write_alignment_bytes = Some(65536);
    let cells = AREA.1 / 65536;
    let hottest = |accesses: &[Access], theta: f64| {
        let counts = counted(accesses, AREA, cells);
        let (place, &count) = counts.iter().enumerate().max_by_key(|entry| entry.1).unwrap();
        let first = 1.0 / (1..=cells).map(|rank| (rank as f64).powf(-theta)).sum::<f64>();
        assert!(share_holds(count as usize, accesses.len(), first));
        place
    };
    let [reads, writes] = split(draw(&own, AREA, DRAWS));
    assert!(reads.iter().all(|access| u64::from(access.bytes) == BLOCK));
    assert!(writes.iter().all(|access| access.bytes == 65536));
    assert_eq!(hottest(&reads, 1.3), hottest(&writes, 1.1));
}

#[test]
fn zones_of_one_direction_leave_the_other_even() {
    let own = ways(
        (1.0, zones(&[(0.9, 0.125), (0.1, 0.5)])),
        (1.0, Distribution::Uniform),
    );
    let [reads, writes] = split(draw(&own, AREA, DRAWS));
    even(&writes, AREA);
    let (hot, cold): (Vec<Access>, Vec<Access>) = reads
        .iter()
        .copied()
        .partition(|access| access.offset < AREA.0 + AREA.1 / 8);
    assert!(share_holds(hot.len(), reads.len(), 0.9));
    even(&hot, (AREA.0, AREA.1 / 8));
    even(&cold, (AREA.0 + AREA.1 / 8, AREA.1 / 2));
}

#[test]
fn workers_together_write_each_block_once_and_read_anywhere() {
    let own = Profile {
        // Blocks of reads are larger, and no gap is left between those of writes.
        blocks: vec![Block {
            bytes: 65536,
            weight: 1.0,
        }],
        write_blocks: vec![Block {
            bytes: BLOCK as u32,
            weight: 1.0,
        }],
        ..ways((1.0, Distribution::Uniform), (1.0, Distribution::Permutation))
    };
    let area = (AREA.0, 40 << 20);
    let cells = (area.1 / BLOCK) as usize;
    let point = point(own, area, 3, WorkersArea::Shared);
    let streams = Streams::new(&point);
    let mut workers: Vec<_> = (0..3).map(|worker| streams.stream(worker, 0)).collect();
    let mut passes = [vec![], vec![]];
    let mut reads = Vec::new();
    for turn in 0.. {
        let access = workers[turn % 3].next();
        let pass = usize::from(passes[0].len() == cells);
        match access.write {
            false => reads.push(access),
            true => passes[pass].push(access.offset),
        }
        if passes[1].len() == cells {
            break;
        }
    }
    let each: Vec<u64> = (0..cells as u64).map(|cell| area.0 + cell * BLOCK).collect();
    assert_ne!(passes[0], passes[1]);
    for mut pass in passes {
        assert_ne!(pass, each, "no order of chance");
        pass.sort_unstable();
        assert_eq!(pass, each);
    }
    let mut again = BTreeMap::new();
    reads
        .iter()
        .for_each(|access| *again.entry(access.offset).or_insert(0) += 1);
    assert!(
        again.values().any(|&count| count > 1),
        "reads are drawn with replacement"
    );
}

#[test]
fn trims_go_where_reads_go() {
    let mut own = ways((0.0, Distribution::Uniform), (1.0, Distribution::Uniform));
    own.trim_share = 0.25;
    let accesses = draw(&own, AREA, DRAWS);
    let trims = accesses.iter().filter(|access| access.trim).count();
    assert!(share_holds(trims, DRAWS, 0.25));
    let [others, writes] = split(accesses);
    assert!(share_holds(writes.len(), DRAWS - trims, 0.33));
    assert_eq!(following(&others), others.len() - 1);
}

#[test]
fn what_both_say_alike_changes_nothing() {
    let plain = Profile {
        distribution: Distribution::Zipf { parameter: 1.2 },
        ..profile(0.5, 0.67, &[(4096, 1.0)])
    };
    let mut said = plain.clone();
    said.write_random_share = Some(0.5);
    said.write_distribution = Some(plain.distribution.clone());
    assert_eq!(draw(&plain, AREA, 20_000), draw(&said, AREA, 20_000));
}

#[test]
fn how_writes_go_moves_no_read() {
    let of = |writes| split(draw(&ways((0.5, Distribution::Uniform), writes), AREA, 50_000));
    let one = of((0.2, Distribution::Zipf { parameter: 1.2 }));
    let other = of((1.0, zones(&[(1.0, 0.5)])));
    assert_eq!(one[0], other[0]);
    assert_ne!(one[1], other[1]);
}

#[test]
fn parts_of_workers_are_their_own_for_both() {
    let own = ways(
        (0.0, Distribution::Uniform),
        (1.0, Distribution::Zipf { parameter: 0.9 }),
    );
    let area = (0, 30 << 20);
    let point = point(own, area, 3, WorkersArea::Own);
    let streams = Streams::new(&point);
    for worker in 0..3 {
        let mut stream = streams.stream(worker, 0);
        for access in (0..20_000).map(|_| stream.next()) {
            assert_eq!(access.offset / (10 << 20), worker as u64, "{access:?}");
        }
    }
}

#[test]
fn sequential_reads_of_workers_begin_apart_in_an_area_of_all() {
    let own = ways((0.0, Distribution::Uniform), (1.0, Distribution::Uniform));
    let point = point(own, AREA, 4, WorkersArea::Shared);
    let streams = Streams::new(&point);
    for worker in 0..4 {
        let mut stream = streams.stream(worker, 0);
        let first = (0..).map(|_| stream.next()).find(|access| !access.write).unwrap();
        assert_eq!(first.offset, AREA.0 + AREA.1 / 4 * worker as u64);
    }
}

/// The writes of a mix by other draws go to the places that its own go to, ranked alike, whether they
/// share them with reads or not.
#[test]
fn the_writes_alone_go_to_the_same_places() {
    let zipf = |parameter| Distribution::Zipf { parameter };
    for own in [
        Profile {
            distribution: zipf(1.2),
            trim_share: 0.2,
            ..profile(1.0, 0.67, &[(BLOCK as u32, 1.0)])
        },
        ways((1.0, Distribution::Uniform), (1.0, zipf(1.2))),
        ways((1.0, Distribution::Permutation), (1.0, zipf(1.2))),
    ] {
        let point = point(own, AREA, 1, WorkersArea::Shared);
        let streams = Streams::new(&point);
        let mut stream = streams.stream(0, 0);
        let ranked = |writes: &[Access]| {
            let mut counts = BTreeMap::<u64, u32>::new();
            writes
                .iter()
                .for_each(|access| *counts.entry(access.offset).or_default() += 1);
            let mut ranked: Vec<_> = counts
                .into_iter()
                .map(|(offset, count)| (count, offset))
                .collect();
            ranked.sort_unstable_by(|one, other| other.cmp(one));
            ranked[..4].iter().map(|of| of.1).collect::<Vec<_>>()
        };
        let mut alone = stream.writes(SEED);
        let alone: Vec<Access> = (0..100_000).map(|_| alone.next()).collect();
        assert!(alone.iter().all(|access| access.write && !access.trim));
        let (mut one, mut other) = (stream.writes(SEED + 1), stream.writes(SEED + 1));
        let (one, other): (Vec<_>, Vec<_>) = (0..100).map(|_| (one.next(), other.next())).unzip();
        assert_eq!(one, other);
        assert_ne!(one, alone[..100]);
        let mixed: Vec<Access> = (0..400_000).map(|_| stream.next()).collect();
        let writes = split(mixed).into_iter().nth(1).expect("writes");
        assert_eq!(ranked(&alone), ranked(&writes));
    }
}
