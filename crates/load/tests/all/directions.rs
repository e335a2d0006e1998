//! Reads and writes with block sizes and alignments of their own. Expected values are those of the definition:
//! direction first, by the share of reads; then a size by the weights of its direction; then an offset by its
//! alignment, even in the area or a zone of it.

use std::collections::BTreeMap;

use iodyno_load::pattern::Access;
use iodyno_load::request::{Block, Distribution, Profile, WorkersArea};

use crate::made::{draw, fits, point, profile, share_holds, zones};
use iodyno_load::pattern::Streams;

const DRAWS: usize = 400_000;
const AREA: (u64, u64) = (1 << 20, 640 << 20);
const READS: [(u32, f64); 2] = [(4096, 3.0), (12288, 1.0)];
const WRITES: [(u32, f64); 3] = [(32768, 1.0), (65536, 2.0), (131_072, 5.0)];

fn of_their_own(read_share: f64, distribution: Distribution) -> Profile {
    Profile {
        write_blocks: WRITES.map(|(bytes, weight)| Block { bytes, weight }).to_vec(),
        write_alignment_bytes: Some(32768),
        distribution,
        ..profile(1.0, read_share, &READS)
    }
}

fn split(accesses: &[Access]) -> [Vec<Access>; 2] {
    let of = |write| {
        accesses
            .iter()
            .filter(|access| access.write == write)
            .copied()
            .collect()
    };
    [of(false), of(true)]
}

fn sizes_hold(accesses: &[Access], sizes: &[(u32, f64)]) {
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    accesses
        .iter()
        .for_each(|access| *counts.entry(access.bytes).or_default() += 1);
    let weight: f64 = sizes.iter().map(|size| size.1).sum();
    let found: Vec<u64> = sizes
        .iter()
        .map(|size| counts.remove(&size.0).unwrap_or(0))
        .collect();
    let expected: Vec<f64> = sizes.iter().map(|size| size.1 / weight).collect();
    assert!(counts.is_empty(), "sizes of the other direction: {counts:?}");
    fits(&found, &expected).unwrap();
}

/// Chi-square of the offsets of accesses over a thousandth each of all that they can have.
fn even(accesses: &[Access], (start, length): (u64, u64), alignment: u64) {
    let mut cells = vec![0; 1000];
    let mut expected = vec![0.0; 1000];
    let total = accesses.len() as f64;
    let mut by_size: BTreeMap<u32, u64> = BTreeMap::new();
    for access in accesses {
        *by_size.entry(access.bytes).or_default() += 1;
        assert_eq!((access.offset - AREA.0) % alignment, 0, "{access:?}");
        assert!(access.offset >= start && access.offset + u64::from(access.bytes) <= start + length);
        cells[((access.offset - start) * 1000 / length) as usize] += 1;
    }
    for (bytes, count) in by_size {
        let positions = (length - u64::from(bytes)) / alignment + 1;
        for position in 0..positions {
            expected[(position * alignment * 1000 / length) as usize] +=
                count as f64 / total / positions as f64;
        }
    }
    fits(&cells, &expected).unwrap();
}

#[test]
fn each_direction_has_its_share_sizes_and_alignment() {
    let accesses = draw(&of_their_own(0.67, Distribution::Uniform), AREA, DRAWS);
    let [reads, writes] = split(&accesses);
    assert!(
        share_holds(reads.len(), DRAWS, 0.67),
        "{} of {DRAWS} read",
        reads.len()
    );
    for (accesses, sizes, alignment) in [(&reads, &READS[..], 4096), (&writes, &WRITES[..], 32768)] {
        sizes_hold(accesses, sizes);
        even(accesses, AREA, alignment);
    }
}

#[test]
fn one_size_each_needs_no_draw_and_keeps_the_sequence_of_directions() {
    let alike = profile(1.0, 0.67, &[(4096, 1.0)]);
    let mut own = alike.clone();
    own.write_blocks = vec![Block {
        bytes: 65536,
        weight: 1.0,
    }];
    let pairs = draw(&alike, AREA, 10_000)
        .into_iter()
        .zip(draw(&own, AREA, 10_000));
    for (before, now) in pairs {
        assert_eq!(before.write, now.write);
        assert_eq!(now.bytes, if now.write { 65536 } else { 4096 });
        assert!(
            now.write || now == before,
            "a read is what it was: {before:?} {now:?}"
        );
    }
}

#[test]
fn what_has_one_direction_has_the_sizes_of_that() {
    let [reads, writes] = split(&draw(&of_their_own(1.0, Distribution::Uniform), AREA, 50_000));
    assert!(writes.is_empty());
    sizes_hold(&reads, &READS);
    let [reads, writes] = split(&draw(&of_their_own(0.0, Distribution::Uniform), AREA, 50_000));
    assert!(reads.is_empty());
    sizes_hold(&writes, &WRITES);
    even(&writes, AREA, 32768);
    // One size only: what is drawn without a look at anything else.
    let mut one = of_their_own(0.0, Distribution::Uniform);
    one.write_blocks.truncate(1);
    one.blocks.truncate(1);
    let accesses = draw(&one, AREA, 50_000);
    assert!(
        accesses
            .iter()
            .all(|access| access.write && access.bytes == 32768)
    );
    even(&accesses, AREA, 32768);
}

#[test]
fn trims_have_the_sizes_of_reads() {
    let mut trimming = of_their_own(0.5, Distribution::Uniform);
    trimming.trim_share = 0.25;
    let (trims, others): (Vec<Access>, Vec<Access>) = draw(&trimming, AREA, DRAWS)
        .into_iter()
        .partition(|access| access.trim);
    assert!(share_holds(trims.len(), DRAWS, 0.25));
    sizes_hold(&trims, &READS);
    let [reads, writes] = split(&others);
    sizes_hold(&reads, &READS);
    sizes_hold(&writes, &WRITES);
}

#[test]
fn a_sequence_of_both_has_no_gaps_and_no_draws_of_places() {
    let mut sequential = of_their_own(0.67, Distribution::Uniform);
    sequential.random_share = 0.0;
    let accesses = draw(&sequential, (1 << 20, 1 << 40), 20_000);
    for pair in accesses.windows(2) {
        assert_eq!(pair[1].offset, pair[0].offset + u64::from(pair[0].bytes));
    }
    let [reads, writes] = split(&accesses);
    sizes_hold(&reads, &READS);
    sizes_hold(&writes, &WRITES);
}

#[test]
fn zones_take_their_shares_of_both_at_either_alignment() {
    // A third of the area would end at a multiple of 4 KiB that is none of 32.
    let third = 1.0 / 3.0;
    let own = of_their_own(0.5, zones(&[(0.9, third), (0.1, third)]));
    let [reads, writes] = split(&draw(&own, AREA, DRAWS));
    let bound = |share: f64| (share * AREA.1 as f64).round() as u64 / 32768 * 32768;
    for (accesses, sizes, alignment) in [(reads, &READS[..], 4096), (writes, &WRITES[..], 32768)] {
        sizes_hold(&accesses, sizes);
        let inside = |access: &Access| access.offset < AREA.0 + bound(third);
        let (hot, cold): (Vec<Access>, Vec<Access>) = accesses.iter().copied().partition(inside);
        assert!(share_holds(hot.len(), accesses.len(), 0.9));
        even(&hot, (AREA.0, bound(third)), alignment);
        even(
            &cold,
            (AREA.0 + bound(third), bound(2.0 * third) - bound(third)),
            alignment,
        );
    }
}

#[test]
fn skewed_reads_and_writes_meet_in_the_same_cells() {
    // The first rank of Zipf's law has 1 / (sum of rank^-theta) of the accesses of either direction.
    let own = of_their_own(0.5, Distribution::Zipf { parameter: 1.2 });
    let cells = AREA.1 / 131_072;
    let first = 1.0 / (1..=cells).map(|rank| (rank as f64).powf(-1.2)).sum::<f64>();
    let accesses = draw(&own, AREA, DRAWS);
    let mut counts: BTreeMap<(u64, bool), usize> = BTreeMap::new();
    for access in &accesses {
        let alignment = if access.write { 32768 } else { 4096 };
        assert_eq!((access.offset - AREA.0) % alignment, 0, "{access:?}");
        let cell = (access.offset - AREA.0) / 131_072;
        assert!(access.offset + u64::from(access.bytes) <= AREA.0 + (cell + 1) * 131_072);
        *counts.entry((cell, access.write)).or_default() += 1;
    }
    for (write, of) in [false, true].into_iter().zip(split(&accesses)) {
        let by_direction = counts.iter().filter(|entry| entry.0.1 == write);
        let (hot, count) = by_direction.max_by_key(|entry| entry.1).unwrap();
        assert!(
            share_holds(*count, of.len(), first),
            "{count} of {} in {hot:?}",
            of.len()
        );
        let other = counts[&(hot.0, !write)];
        assert!(share_holds(other, accesses.len() - of.len(), first));
    }
}

#[test]
fn parts_of_workers_begin_where_both_can() {
    let mut own = of_their_own(0.5, Distribution::Uniform);
    (own.alignment_bytes, own.write_alignment_bytes) = (12288, Some(32768));
    let area = (0, 10 << 20);
    let point = point(own, area, 3, WorkersArea::Own);
    let streams = Streams::new(&point);
    for worker in 0..3 {
        let mut stream = streams.stream(worker, 0);
        for access in (0..10_000).map(|_| stream.next()) {
            assert_eq!(
                access.offset % if access.write { 32768 } else { 12288 },
                0,
                "{access:?}"
            );
            let part = area.1 / 3 / 98304 * 98304;
            assert_eq!(access.offset / part, worker as u64);
        }
    }
}

#[test]
#[should_panic(expected = "several block sizes in one sequence")]
fn a_permutation_has_no_room_for_two_sizes() {
    draw(&of_their_own(0.5, Distribution::Permutation), AREA, 1);
}
