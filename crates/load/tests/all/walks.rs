//! Accesses that can be random every so many only. Expected values are those of the definition: of `every` accesses
//! of a worker to a target, whatever their direction, the first is random with its share; all others follow.

use std::collections::BTreeMap;

use crate::made::{SEED, draw, fits, point, profile, share_holds, zones};
use iodyno_load::pattern::permutation::Permutation;
use iodyno_load::pattern::{Access, Streams, mix};
use iodyno_load::request::{Cursors, Distribution, Profile, WorkersArea};

const BLOCK: u64 = 4096;
const AREA: (u64, u64) = (1 << 20, 640 << 20);
const DRAWS: usize = 400_000;

fn every(count: u64, random: f64, read: f64) -> Profile {
    Profile {
        random_every: count,
        ..profile(random, read, &[(BLOCK as u32, 1.0)])
    }
}

/// Where an access goes that follows another: behind it, or at the start where that was the last of the area.
fn next(access: &Access, (start, length): (u64, u64)) -> u64 {
    let end = access.offset + u64::from(access.bytes);
    if end + u64::from(access.bytes) > start + length {
        start
    } else {
        end
    }
}

/// Accesses that follow their last, and those that do not, by their place in turns of `count`.
fn by_turn(
    accesses: &[Access],
    area: (u64, u64),
    count: usize,
    of: impl Fn(&Access) -> bool,
) -> Vec<[usize; 2]> {
    let mut found = vec![[0; 2]; count];
    let mut last: BTreeMap<bool, Access> = BTreeMap::new();
    for (number, access) in accesses.iter().enumerate() {
        if let Some(before) = last.insert(of(access), *access) {
            found[number % count][usize::from(access.offset == next(&before, area))] += 1;
        }
    }
    found
}

/// Chi-square of the offsets over a thousandth each of an area.
fn even(accesses: &[Access], (start, length): (u64, u64)) {
    let mut counts = vec![0; 1024];
    for access in accesses {
        counts[((access.offset - start) * 1024 / length) as usize] += 1;
    }
    fits(&counts, &[1.0 / 1024.0; 1024]).unwrap();
}

#[test]
fn exactly_every_so_many_th_access_is_random_and_the_others_follow() {
    for count in [2, 8, 100] {
        let accesses = draw(&every(count as u64, 1.0, 0.67), AREA, DRAWS);
        let [first, others @ ..] = &by_turn(&accesses, AREA, count, |_| true)[..] else {
            panic!("no turns")
        };
        // A random block is the next one by chance once in 163 840 times.
        assert!(first[1] <= 8, "{first:?}");
        assert!(others.iter().all(|turn| turn[0] == 0), "{others:?}");
        let random: Vec<Access> = accesses.iter().step_by(count).copied().collect();
        even(&random, AREA);
        let reads = accesses.iter().filter(|access| !access.write).count();
        assert!(share_holds(reads, DRAWS, 0.67));
    }
}

#[test]
fn a_turn_is_random_with_its_share_only() {
    let accesses = draw(&every(4, 0.3, 1.0), AREA, DRAWS);
    let turns = by_turn(&accesses, AREA, 4, |_| true);
    assert!(share_holds(turns[0][0], DRAWS / 4, 0.3), "{turns:?}");
    assert!(turns[1..].iter().all(|turn| turn[0] == 0), "{turns:?}");
}

#[test]
fn what_follows_begins_again_at_the_end_of_the_area() {
    let area = (1 << 20, 10 * BLOCK);
    let accesses = draw(&every(25, 1.0, 1.0), area, 100_000);
    let turns = by_turn(&accesses, area, 25, |_| true);
    assert!(turns[1..].iter().all(|turn| turn[0] == 0), "{turns:?}");
    assert!(share_holds(turns[0][1], 100_000 / 25, 0.1));
}

#[test]
fn turns_are_counted_over_both_directions_and_each_follows_its_own_last() {
    let own = Profile {
        write_random_share: Some(0.4),
        ..every(8, 1.0, 0.67)
    };
    let accesses = draw(&own, AREA, DRAWS);
    let turns = by_turn(&accesses, AREA, 8, |access| access.write);
    assert!(turns[1..].iter().all(|turn| turn[0] == 0), "{turns:?}");
    for (write, share) in [(false, 1.0), (true, 0.4)] {
        let mut last: Option<Access> = None;
        let (mut random, mut count) = (0, 0);
        for (number, access) in accesses
            .iter()
            .enumerate()
            .filter(|(_, access)| access.write == write)
        {
            if let Some(before) = last.replace(*access)
                && number % 8 == 0
            {
                count += 1;
                random += usize::from(access.offset != next(&before, AREA));
            }
        }
        let drawn = share * (1.0 - 1.0 / (AREA.1 / BLOCK) as f64);
        assert!(share_holds(random, count, drawn), "{random} of {count}, {write}");
    }
}

#[test]
fn a_direction_without_random_accesses_never_leaves_its_sequence() {
    let own = Profile {
        write_random_share: Some(0.0),
        ..every(3, 1.0, 0.67)
    };
    let writes: Vec<Access> = draw(&own, AREA, 50_000)
        .into_iter()
        .filter(|access| access.write)
        .collect();
    assert_eq!(writes[0].offset, AREA.0);
    assert!(
        writes
            .windows(2)
            .all(|pair| pair[1].offset == next(&pair[0], AREA))
    );
}

#[test]
fn random_ones_go_where_the_distribution_says() {
    const CELLS: u64 = 1000;
    let area = (AREA.0, CELLS * BLOCK);
    let random = |distribution| {
        let found = draw(
            &Profile {
                distribution,
                ..every(5, 1.0, 1.0)
            },
            area,
            5 * 200_000,
        );
        let turns = by_turn(&found, area, 5, |_| true);
        assert!(turns[1..].iter().all(|turn| turn[0] == 0), "{turns:?}");
        let mut counts = vec![0; CELLS as usize];
        found
            .iter()
            .step_by(5)
            .for_each(|access| counts[((access.offset - area.0) / BLOCK) as usize] += 1);
        counts
    };
    // Zipf's law: rank^-theta, each rank at the place that its permutation gives it.
    let counts: Vec<u64> = random(Distribution::Zipf { parameter: 1.2 });
    let places = Permutation::new(CELLS, mix(mix(SEED, 0), u64::MAX - 1));
    let by_rank: Vec<u64> = (0..CELLS).map(|rank| counts[places.of(rank) as usize]).collect();
    let weights: Vec<f64> = (1..=CELLS).map(|rank| (rank as f64).powf(-1.2)).collect();
    let sum: f64 = weights.iter().sum();
    fits(
        &by_rank,
        &weights.iter().map(|weight| weight / sum).collect::<Vec<_>>(),
    )
    .unwrap();
    let counts = random(zones(&[(0.9, 0.1), (0.1, 0.5)]));
    let zoned = |cell: usize| {
        if cell < 100 {
            0.9 / 100.0
        } else if cell < 600 {
            0.1 / 500.0
        } else {
            0.0
        }
    };
    fits(&counts[..600], &(0..600).map(zoned).collect::<Vec<_>>()).unwrap();
    assert_eq!(counts[600..].iter().sum::<u64>(), 0);
}

#[test]
fn each_worker_has_turns_of_its_own_in_its_part() {
    let area = (0, 30 << 20);
    for workers_area in [WorkersArea::Shared, WorkersArea::Own] {
        let point = point(every(6, 1.0, 1.0), area, 3, workers_area);
        let streams = Streams::new(&point);
        for worker in 0..3 {
            let mut stream = streams.stream(worker, 0);
            let accesses: Vec<Access> = (0..60_000).map(|_| stream.next()).collect();
            let part = match workers_area {
                WorkersArea::Own => (worker as u64 * (10 << 20), 10 << 20),
                _ => area,
            };
            let turns = by_turn(&accesses, part, 6, |_| true);
            assert!(turns[1..].iter().all(|turn| turn[0] == 0), "{turns:?}");
            even(&accesses.iter().step_by(6).copied().collect::<Vec<_>>(), part);
        }
    }
}

#[test]
#[should_panic(expected = "a walk through a sequence by number")]
fn a_permutation_has_no_runs() {
    draw(
        &Profile {
            distribution: Distribution::Permutation,
            ..every(8, 1.0, 1.0)
        },
        AREA,
        1,
    );
}

/// Offsets from the start of the area of a sequential walk with gaps.
fn gapped(gap: i64, block: u32, area: (u64, u64), count: usize) -> Vec<u64> {
    let shape = Profile {
        gap_bytes: gap,
        ..profile(0.0, 1.0, &[(block, 1.0)])
    };
    let accesses = draw(&shape, area, count);
    assert!(
        accesses
            .iter()
            .all(|access| access.bytes == block && !access.write)
    );
    accesses.iter().map(|access| access.offset - area.0).collect()
}

#[test]
fn a_gap_stays_between_blocks_and_what_does_not_fit_begins_at_the_start() {
    // 100 KiB: blocks of 4 KiB at every 20 KiB; the sixth would begin at the end.
    let found = gapped(16 << 10, 4096, (1 << 20, 100 << 10), 12);
    let pass = [0, 20, 40, 60, 80].map(|at| at << 10);
    assert_eq!(found[..5], pass);
    assert_eq!(found[5..10], pass);
    // One of 99 KiB ends within the block at 96; one of 84 KiB with the last block.
    assert_eq!(
        gapped(12 << 10, 4096, (1 << 20, 99 << 10), 8)[5..],
        [80 << 10, 0, 16 << 10]
    );
    assert_eq!(gapped(16 << 10, 4096, (0, 84 << 10), 6)[4..], [80 << 10, 0]);
}

#[test]
fn a_gap_below_zero_goes_back_and_begins_again_before_the_end() {
    // fio's backwards-read: blocks of 4 KiB, 8 KiB back from the end of each; in 32 KiB the first one, then those
    // from 24 KiB down.
    let found = gapped(-8 << 10, 4096, (1 << 20, 32 << 10), 17);
    let pass = [24, 20, 16, 12, 8, 4, 0].map(|at| at << 10);
    assert_eq!(found[0], 0);
    assert_eq!((&found[1..8], &found[8..15]), (&pass[..], &pass[..]));
    // Steps that do not meet the start: 28 KiB, 12, then below 0.
    let found = gapped(-20 << 10, 4096, (1 << 20, 48 << 10), 6);
    assert_eq!(found, [0, 28, 12, 28, 12, 28].map(|at| at << 10));
}

#[test]
fn a_gap_of_less_than_a_block_back_overlaps_and_of_a_block_stays() {
    let found = gapped(-4 << 10, 8192, (1 << 20, 18 << 10), 7);
    assert_eq!(found, [0, 4, 8, 0, 4, 8, 0].map(|at| at << 10));
    assert_eq!(gapped(-4096, 4096, (1 << 20, 1 << 20), 5), [0; 5]);
}

#[test]
fn gaps_keep_every_block_in_the_area_whatever_the_sizes() {
    let area = (1 << 20, 3 << 20);
    for gap in [-(1 << 20), -300 << 10, -8 << 10, 4 << 10, 300 << 10, 1 << 20] {
        let shape = Profile {
            gap_bytes: gap,
            ..profile(0.25, 0.5, &[(4096, 1.0), (65536, 1.0), (12288, 2.0)])
        };
        let accesses = draw(&shape, area, 100_000);
        let mut follows = 0;
        for pair in accesses.windows(2) {
            let next = (pair[0].offset + u64::from(pair[0].bytes)).wrapping_add_signed(gap);
            follows += usize::from(pair[1].offset == next);
            let end = pair[1].offset + u64::from(pair[1].bytes);
            assert!(
                pair[1].offset >= area.0 && end <= area.0 + area.1,
                "{gap}: {pair:?}"
            );
        }
        // Three of four are sequential, but for those that the end sends back.
        assert!(follows > 25_000 && follows < 76_000, "{gap}: {follows}");
    }
}

#[test]
fn reads_and_writes_follow_cursors_of_their_own_beside_gaps_and_turns() {
    for (gap, every, random) in [
        (0, 1, 0.0),
        (16 << 10, 1, 0.0),
        (-16 << 10, 1, 0.0),
        (0, 8, 1.0),
        (0, 1, 0.3),
    ] {
        let own = Profile {
            gap_bytes: gap,
            random_every: every,
            cursors: Cursors::Own,
            ..profile(random, 0.67, &[(BLOCK as u32, 1.0)])
        };
        let accesses = draw(&own, (1 << 20, 1 << 40), 200_000);
        let mut last: BTreeMap<bool, u64> = BTreeMap::new();
        let mut counts = [[0; 2]; 2];
        for (number, access) in accesses.iter().enumerate() {
            let next = (access.offset + BLOCK).wrapping_add_signed(gap);
            if let Some(before) = last.insert(access.write, next) {
                let turn = (number as u64).is_multiple_of(every);
                counts[usize::from(turn)][usize::from(access.offset == before)] += 1;
            }
        }
        let [others, turns] = counts;
        assert!(
            share_holds(turns[0], turns[0] + turns[1], random) || gap < 0,
            "{gap} {turns:?}"
        );
        // Going back, each begins at the start and goes to the end once.
        assert_eq!(others[0], 0);
        assert!(gap >= 0 || turns[0] == 2, "{turns:?}");
        let reads = accesses.iter().filter(|access| !access.write).count();
        assert!(share_holds(reads, 200_000, 0.67));
    }
}

#[test]
fn both_cursors_begin_where_the_worker_does_and_stay_in_its_part() {
    let area = (1 << 20, 30 << 20);
    for (workers_area, gap) in [
        (WorkersArea::Shared, 0),
        (WorkersArea::Own, 0),
        (WorkersArea::Own, 60 << 10),
    ] {
        let own = Profile {
            cursors: Cursors::Own,
            gap_bytes: gap,
            ..profile(0.0, 0.5, &[(BLOCK as u32, 1.0)])
        };
        let point = point(own, area, 3, workers_area);
        let streams = Streams::new(&point);
        for worker in 0..3 {
            let mut stream = streams.stream(worker, 0);
            let accesses: Vec<Access> = (0..20_000).map(|_| stream.next()).collect();
            let begin = area.0 + worker as u64 * (10 << 20);
            for write in [false, true] {
                let first = accesses.iter().find(|access| access.write == write).unwrap();
                assert_eq!(first.offset, begin);
            }
            if workers_area == WorkersArea::Own {
                let inside = |access: &Access| access.offset >= begin && access.offset < begin + (10 << 20);
                assert!(accesses.iter().all(inside));
            }
        }
    }
}

#[test]
#[should_panic(expected = "one stream with two sequences")]
fn one_stream_has_one_cursor() {
    let own = Profile {
        cursors: Cursors::Own,
        ..profile(0.0, 0.5, &[(BLOCK as u32, 1.0)])
    };
    let point = point(own, AREA, 2, WorkersArea::Stream);
    Streams::new(&point).stream(0, 0);
}
