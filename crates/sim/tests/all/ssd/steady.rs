//! The state of the flash: write amplification by spare flash and by what is accessed.

use iodyno_sim::ssd::amplification::{amplification, flash_ratio, lambert_w0};

use iodyno_sim::system::SsdModel;

use crate::ssd::harness::{Load, assert_near, model, run};

#[test]
fn lambert_w0_is_the_inverse_of_w_times_e_to_the_w() {
    for step in 1..=999 {
        let w = -f64::from(step) / 1000.0;
        assert_near(lambert_w0(w * w.exp()), w, 1e-4);
    }
    // Values of scipy.special.lambertw.
    assert_near(lambert_w0(-0.1), -0.111_832_559_158_962_96, 1e-12);
    assert_near(lambert_w0(-0.2), -0.259_171_101_819_073_77, 1e-12);
    assert_near(lambert_w0(-0.36), -0.806_084_315_970_817_8, 1e-9);
    assert_eq!(lambert_w0(0.0), 0.0);
}

#[test]
fn amplification_by_spare_flash() {
    // As printed for greedy garbage collection, rounded there to the digits given.
    for (spare, expected) in [(0.07, 7.8), (0.12, 4.85), (0.28, 2.48)] {
        assert_near(amplification(1.0 + spare), expected, 0.6);
    }
}

#[test]
fn amplification_by_the_share_that_is_accessed() {
    for (accessed, expected) in [(0.5, 4.3), (0.25, 2.5), (0.1, 1.47), (0.05, 1.15)] {
        let filled = flash_ratio(0.07, accessed, 1.0);
        assert_near(filled, 1.0 + 0.07 / accessed, 1e-9);
        assert_near(amplification(filled), expected, 2.0); // 1.5 % between formula and trial, and rounding
        assert_near(flash_ratio(0.07, accessed, 0.0), 1.07 / accessed, 1e-9);
    }
}

#[test]
fn valid_pages_follow_from_the_age_of_a_block() {
    // A block is collected after the share u of its pages has stayed valid: u = e^(-a(1 - u)), WA = 1/(1 - u).
    for ratio in [1.02, 1.1, 1.28, 2.0, 5.0, 40.0] {
        let valid = 1.0 - 1.0 / amplification(ratio);
        assert!((valid - (-ratio * (1.0 - valid)).exp()).abs() < 1e-9);
    }
    assert!(amplification(1.0).is_finite());
}

fn random_writes(capacity_bytes: u64, accessed: u64) -> f64 {
    let mut drive = model();
    drive.capacity_bytes = capacity_bytes;
    let load = Load {
        accessed,
        ..Load::random(64, 8192, 0.0)
    };
    run(&drive, load, 50_000, 200_000).io_s
}

#[test]
fn full_range_random_writes_are_slower_by_the_amplification() {
    let dies_io_s = 32.0 * 65_536.0 / 800e-6 / 8192.0;
    let full_range = random_writes(400_000_000_000, 400_000_000_000);
    assert_near(full_range, dies_io_s / 2.48, 0.5);
}

#[test]
fn amplification_depends_on_shares_and_not_on_capacity() {
    let half = random_writes(400_000_000_000, 200_000_000_000);
    assert_eq!(half, random_writes(8_000_000_000_000, 4_000_000_000_000));
}

#[test]
fn a_hot_spot_is_written_faster_the_smaller_it_is() {
    let rates = [1.0, 0.5, 0.1, 0.01].map(|share| {
        let accessed = (4e11 * share) as u64 / 4096 * 4096;
        run(
            &model(),
            Load {
                accessed,
                ..Load::random(64, 65_536, 0.0)
            },
            10_000,
            20_000,
        )
        .io_s
    });
    assert!(rates.is_sorted(), "{rates:?}");
}

#[test]
fn reads_do_not_depend_on_what_is_accessed() {
    let small = run(&model(), Load::random(32, 8192, 1.0), 1000, 10_000);
    let full = run(
        &model(),
        Load {
            accessed: 400_000_000_000,
            ..Load::random(32, 8192, 1.0)
        },
        1000,
        10_000,
    );
    assert_near(full.io_s, small.io_s, 0.5);
}

/// Reads at random of any area find their pages anywhere.
#[test]
fn nor_where_that_is_next_to_nothing() {
    let mut small_pages = model();
    small_pages.stripe_bytes = 4096;
    let io_s = |accessed: u64| {
        let load = Load {
            accessed,
            ..Load::random(1, 8192, 1.0)
        };
        run(&small_pages, load, 1000, 20_000).io_s
    };
    let large = io_s(32 << 30);
    for accessed in [1 << 20, 4 << 20, 16 << 20, 64 << 20] {
        assert_near(io_s(accessed), large, 1.0);
    }
}

#[test]
fn one_seed_one_result() {
    let load = Load::random(32, 8192, 0.67);
    let first = run(&model(), load, 1000, 50_000);
    assert_eq!(first, run(&model(), load, 1000, 50_000));
    let other = run(&model(), Load { seed: 2, ..load }, 1000, 50_000);
    assert_ne!(first.io_s, other.io_s);
    assert_near(other.io_s, first.io_s, 2.0);
}

#[test]
fn a_large_buffer_begins_full_where_dies_cannot_keep_up() {
    let mut large = model();
    large.buffer_bytes = 1 << 30;
    let load = Load {
        accessed: 400_000_000_000,
        ..Load::random(64, 8192, 0.0)
    };
    let out = run(&large, load, 500, 20_000);
    assert_near(out.io_s, 32.0 * 65_536.0 / 800e-6 / 8192.0 / 2.48, 1.5);
    assert_near(out.utilisation("write buffer"), 1.0, 1.0);
    // Those wait for room that are nowhere else (Little). A program makes room for eight: they are answered together,
    // and the next eight come to the firmware together, where each waits for 3.5 others on the average.
    let waiting = 64.0 - out.io_s * (4.5 * 1.5e-6 + 7e-6);
    assert_near(out.queue("write buffer"), waiting, 0.5);
    assert_near(out.room_us, waiting / out.io_s * 1e6, 0.5);
    assert_near(out.front_us, 4.5 * 1.5 + 7.0, 0.5);
}

#[test]
fn a_large_buffer_is_soon_empty_where_dies_keep_up() {
    let mut large = model();
    large.buffer_bytes = 1 << 30;
    let load = Load {
        accessed: 400_000_000_000,
        ..Load::random(1, 8192, 0.0)
    };
    // 964 MB/s of 1057: 4 MiB of room come in 45 ms, and what was written meanwhile leaves in 0.46 s, 54 000 writes.
    // All of the buffer would take 1.3 million.
    let out = run(&large, load, 60_000, 20_000);
    assert_near(out.write_us, 1.5 + 7.0, 0.001);
    // Bytes are there for as long as they stay (Little): until eight writes make a program, that has passed the data
    // path, and a die has programmed it. A die is always free: there are 32, and 29 at work.
    let program = 800e-6 * amplification(1.28);
    let stay = 3.5 * 8.5e-6 + 65_536.0 / 1.6e9 + program;
    let occupied = out.io_s * 8192.0 * stay / f64::from(1 << 30);
    assert_near(out.utilisation("write buffer"), occupied, 1.0);
    assert_eq!(out.queue("write buffer"), 0.0);
}

/// Random writes that the data path takes more slowly than dies program; each block that follows on a read turns it round,
/// as does each read that follows on a write.
fn by_the_data_path(read_share: f64) -> (SsdModel, f64) {
    let mut drive = model();
    drive.buffer_bytes = 1 << 30;
    drive.dies = 64;
    let turned = 2.0 * read_share * (1.0 - read_share) * 2.0 * 1e-6;
    let (read, write) = (8192.0 / 2e9 * read_share, 8192.0 / 1.6e9 * (1.0 - read_share));
    (drive, 1.0 / (turned + read + write))
}

#[test]
fn a_large_buffer_begins_full_where_the_data_path_cannot_keep_up() {
    for read_share in [0.0, 0.3] {
        let (drive, io_s) = by_the_data_path(read_share);
        let out = run(&drive, Load::random(512, 8192, read_share), 10_000, 40_000);
        assert_near(out.io_s, io_s, 1.5);
        assert_near(out.utilisation("write buffer"), 1.0, 1.0);
        assert_near(out.utilisation("data path"), 1.0, 0.5);
    }
}
