//! The sequence of accesses against what its definition says: uniform, aligned, inside the
//! area, in the shares asked for. Expected values and limits come from theory.

use crate::made::{SEED, profile, share_holds};
use iodyno_load::pattern::{Access, AccessStream};
use iodyno_load::request::Profile;

const DRAWS: usize = 400_000;
const AREA: (u64, u64) = (1 << 20, 640 << 20);

fn draw(profile: &Profile, area: (u64, u64), worker: (usize, usize), count: usize) -> Vec<Access> {
    println!("seed {SEED}");
    let mut stream = AccessStream::new(profile, area, SEED, 0, worker);
    (0..count).map(|_| stream.next()).collect()
}

#[test]
fn random_offsets_are_uniform_aligned_and_inside() {
    for bytes in [4096, 8192, 65536] {
        let accesses = draw(&profile(1.0, 1.0, &[(bytes, 1.0)]), AREA, (0, 1), DRAWS);
        let positions = (AREA.1 - u64::from(bytes)) / 4096 + 1;
        let mut cells = vec![0f64; 1000];
        for access in &accesses {
            assert_eq!((access.offset - AREA.0) % 4096, 0);
            assert!(access.offset >= AREA.0 && access.offset + u64::from(bytes) <= AREA.0 + AREA.1);
            cells[((access.offset - AREA.0) / 4096 * 1000 / positions) as usize] += 1.0;
        }
        // Cells differ by at most one position of about 163, which weighs each cell by its
        // own number of positions.
        let width = |cell: u64| (cell + 1) * positions / 1000 - cell * positions / 1000;
        let chi2: f64 = cells
            .iter()
            .enumerate()
            .map(|(cell, count)| {
                let expected = DRAWS as f64 * exact_width(cell as u64, positions) / positions as f64;
                assert!((exact_width(cell as u64, positions) - width(cell as u64) as f64).abs() <= 1.0);
                (count - expected).powi(2) / expected
            })
            .sum();
        // 999 degrees of freedom: mean 999, standard deviation 44.7; five of them.
        assert!(
            (chi2 - 999.0).abs() < 5.0 * 44.7,
            "{bytes} bytes: chi-square {chi2}"
        );
    }
}

/// Positions p with p × 1000 ÷ positions = cell, in whole numbers.
fn exact_width(cell: u64, positions: u64) -> f64 {
    let first = |cell: u64| (cell * positions).div_ceil(1000);
    (first(cell + 1) - first(cell)) as f64
}

#[test]
fn draws_are_with_replacement() {
    let area = (0, 1000 * 4096);
    let accesses = draw(&profile(1.0, 1.0, &[(4096, 1.0)]), area, (0, 1), 1000);
    let distinct: std::collections::HashSet<u64> = accesses.iter().map(|access| access.offset).collect();
    // With replacement 1000 (1 − 1/e) = 632 of 1000 are touched, ±5 × 9.9; a permutation touches all.
    assert!((582..682).contains(&distinct.len()), "{}", distinct.len());
}

#[test]
fn both_ends_of_the_area_are_reached() {
    let area = (8192, 16 * 4096);
    let accesses = draw(&profile(1.0, 1.0, &[(8192, 1.0)]), area, (0, 1), 10_000);
    assert_eq!(accesses.iter().map(|access| access.offset).min(), Some(8192));
    assert_eq!(
        accesses.iter().map(|access| access.offset).max(),
        Some(8192 + 14 * 4096)
    );
}

#[test]
fn shares_of_reads_and_random_are_kept_and_independent() {
    let accesses = draw(&profile(0.25, 0.67, &[(4096, 1.0)]), AREA, (0, 1), DRAWS);
    let follows: Vec<bool> = accesses
        .windows(2)
        .map(|pair| pair[1].offset == pair[0].offset + u64::from(pair[0].bytes))
        .collect();
    let reads: Vec<bool> = accesses[1..].iter().map(|access| !access.write).collect();
    let count = |of: &dyn Fn(usize) -> bool| (0..follows.len()).filter(|&index| of(index)).count();
    assert!(share_holds(count(&|i| reads[i]), follows.len(), 0.67));
    assert!(share_holds(count(&|i| follows[i]), follows.len(), 0.75));
    assert!(share_holds(
        count(&|i| follows[i] && reads[i]),
        follows.len(),
        0.67 * 0.75
    ));
}

#[test]
fn shares_of_nothing_and_everything_are_exact() {
    let only_writes = draw(&profile(1.0, 0.0, &[(4096, 1.0)]), AREA, (0, 1), 10_000);
    assert!(only_writes.iter().all(|access| access.write));
    let only_reads = draw(&profile(1.0, 1.0, &[(4096, 1.0)]), AREA, (0, 1), 10_000);
    assert!(only_reads.iter().all(|access| !access.write));
}

#[test]
fn block_sizes_come_by_weight_and_fit() {
    let weights = [(4096, 60.0), (8192, 10.0), (65536, 30.0)];
    let accesses = draw(&profile(1.0, 0.5, &weights), AREA, (0, 1), DRAWS);
    for (bytes, weight) in weights {
        let of_size = accesses.iter().filter(|access| access.bytes == bytes).count();
        assert!(share_holds(of_size, DRAWS, weight / 100.0), "{bytes}: {of_size}");
    }
    assert!(
        accesses
            .iter()
            .all(|access| access.offset + u64::from(access.bytes) <= AREA.0 + AREA.1)
    );
}

#[test]
fn sequential_goes_through_the_area_and_wraps() {
    let area = (4096, 10 * 65536 + 4096);
    let accesses = draw(&profile(0.0, 1.0, &[(65536, 1.0)]), area, (0, 1), 25);
    for (index, access) in accesses.iter().enumerate() {
        assert_eq!(access.offset, 4096 + (index as u64 % 10) * 65536);
    }
}

#[test]
fn cursors_of_several_workers_start_apart() {
    let starts: Vec<u64> = (0..4)
        .map(|worker| draw(&profile(0.0, 1.0, &[(65536, 1.0)]), (0, 1 << 30), (worker, 4), 1)[0].offset)
        .collect();
    assert_eq!(starts, [0, 1 << 28, 2 << 28, 3 << 28]);
}

#[test]
fn one_seed_one_sequence_and_each_lane_its_own() {
    let profile = profile(0.5, 0.5, &[(4096, 1.0), (8192, 1.0)]);
    let stream = |seed, target, worker| {
        let mut stream = AccessStream::new(&profile, AREA, seed, target, (worker, 2));
        (0..1000).map(|_| stream.next()).collect::<Vec<_>>()
    };
    assert_eq!(stream(1, 0, 0), stream(1, 0, 0));
    let lanes = [stream(1, 0, 0), stream(2, 0, 0), stream(1, 1, 0), stream(1, 0, 1)];
    for (index, lane) in lanes.iter().enumerate() {
        assert!(lanes[index + 1..].iter().all(|other| other != lane));
    }
}
