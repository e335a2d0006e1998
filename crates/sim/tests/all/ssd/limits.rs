//! Saturated: the rate is that of the slowest station.

use iodyno_sim::calendar::Calendar;
use iodyno_sim::operation::{DriveOp, Usage};
use iodyno_sim::ssd::Ssd;
use iodyno_sim::system::SsdModel;
use iodyno_sim::time::Ps;

use crate::ssd::harness::{Load, Outcome, assert_near, model, run};

const GIB: u64 = 1 << 30;

fn assert_laws(outcome: &Outcome, load: Load) {
    for (name, utilisation, _) in &outcome.stations {
        // The harness counts from an answer on, and a drive from its last event before that.
        assert!((0.0..1.0001).contains(utilisation), "{name} at {utilisation}");
    }
    let reads = if load.read_share > 0.0 {
        outcome.read_us * load.read_share
    } else {
        0.0
    };
    let writes = if load.read_share < 1.0 {
        outcome.write_us * (1.0 - load.read_share)
    } else {
        0.0
    };
    assert_near(
        outcome.io_s * (reads + writes) / 1e6,
        f64::from(load.outstanding),
        2.0,
    );
}

#[test]
fn reads_reach_the_data_path() {
    let load = Load::random(128, 65_536, 1.0);
    let out = run(&model(), load, 1000, 50_000);
    assert_near(out.io_s * 65_536.0, 2e9, 0.5);
    assert_near(out.utilisation("data path"), 1.0, 0.5);
    assert_laws(&out, load);
}

#[test]
fn reads_reach_the_dies_where_they_are_slower() {
    let mut few = model();
    few.dies = 4;
    // So many that hardly ever a die has none of them: N/(N + dies - 1) with exponential service.
    let load = Load::random(1024, 16_384, 1.0);
    let out = run(&few, load, 5000, 50_000);
    assert_near(out.io_s, 4.0 / 60e-6, 0.5);
    assert_near(out.utilisation("dies"), 1.0, 0.5);
    assert_laws(&out, load);
    let stream = run(&few, Load::sequential(64, 65_536, 1.0), 1000, 20_000);
    assert_near(stream.io_s * 65_536.0, 4.0 * 16_384.0 / 60e-6, 0.5);
}

#[test]
fn small_reads_reach_the_firmware() {
    let mut slow = model();
    slow.command_read_ps = Ps::from_ns(4_000);
    let load = Load::random(128, 4096, 1.0);
    let out = run(&slow, load, 1000, 50_000);
    assert_near(out.io_s, 250_000.0, 0.1);
    assert_laws(&out, load);
}

#[test]
fn a_mix_reaches_the_firmware_while_dies_program_and_read_by_turns() {
    let mut slow = model();
    slow.dies = 6;
    slow.command_read_ps = Ps::from_ns(20_000);
    slow.command_write_ps = Ps::from_ns(20_000);
    let load = Load::random(256, 8192, 0.67);
    let out = run(&slow, load, 5000, 50_000);
    assert_near(out.io_s, 50_000.0, 0.1);
    let programs_s = out.io_s * 0.33 * 8192.0 / 65_536.0;
    let dies = out.io_s * 0.67 * 60e-6 + programs_s * 800e-6 * 1.0147;
    assert_near(out.utilisation("dies"), dies / 6.0, 1.0);
    assert_laws(&out, load);
}

#[test]
fn streams_spread_over_the_dies() {
    let out = run(&model(), Load::sequential(64, 65_536, 1.0), 1000, 20_000);
    assert_near(out.io_s * 65_536.0, 2e9, 0.5);
}

/// Four reads of a stream under way are on four dies, and none waits for another: command, four pages, delay.
#[test]
fn reads_that_follow_each_other_are_on_dies_that_do() {
    let mut quick = model();
    quick.data_read_bytes_s = 1_000_000_000_000;
    let out = run(&quick, Load::sequential(4, 65_536, 1.0), 100, 2000);
    assert_near(out.read_us, 1.0 + 4.0 * 60.0 + 65_536.0 / 1e12 * 1e6 + 5.0, 1.0);
}

#[test]
fn sequential_writes_reach_the_dies() {
    let mut few = model();
    few.dies = 8;
    let load = Load::sequential(32, 65_536, 0.0);
    let out = run(&few, load, 5000, 20_000);
    assert_near(out.io_s * 65_536.0, 8.0 * 65_536.0 / 800e-6, 0.5);
    assert_near(out.utilisation("dies"), 1.0, 0.5);
    assert_laws(&out, load);
    few.write_cache = false;
    let out = run(&few, load, 5000, 20_000);
    assert_near(out.io_s * 65_536.0, 8.0 * 65_536.0 / 800e-6, 0.5);
}

#[test]
fn sequential_writes_reach_the_data_path_where_it_is_slower() {
    let load = Load::sequential(32, 65_536, 0.0);
    let out = run(&model(), load, 5000, 20_000);
    assert_near(out.io_s * 65_536.0, 1.6e9, 0.5);
    assert_laws(&out, load);
}

#[test]
fn a_mix_costs_turnarounds_of_the_data_path() {
    let mut quick = model();
    quick.dies = 256;
    for (read_share, bytes) in [(0.67, 65_536), (0.5, 65_536), (0.67, 8192)] {
        let load = Load::random(256, bytes, read_share);
        let out = run(&quick, load, 20_000, 100_000);
        let size = f64::from(bytes);
        let turned = 2.0 * read_share * (1.0 - read_share) * size / 4096.0;
        let mean_s = read_share * size / 2e9 + (1.0 - read_share) * size / 1.6e9 + turned * 1e-6;
        assert_near(out.io_s, 1.0 / mean_s, 1.0);
        assert_near(out.utilisation("data path"), 1.0, 0.5);
        assert_laws(&out, load);
    }
}

/// A die that is written without a break always has a program, however long reads prolong it, and beside it the reads that
/// are at the die: rate times what they take there (Little).
#[test]
fn a_die_has_its_program_and_the_reads() {
    let mut one = model();
    one.dies = 1;
    (one.command_read_ps, one.command_write_ps, one.turnaround_ps) = (Ps::ZERO, Ps::ZERO, Ps::ZERO);
    (one.data_read_bytes_s, one.data_write_bytes_s) = (1_000_000_000_000, 1_000_000_000_000);
    let out = run(&one, Load::random(64, 8192, 0.5), 20_000, 50_000);
    let reads = out.io_s * 0.5 * (out.read_us - 5.0) / 1e6;
    assert_near(out.utilisation("dies"), 1.0, 0.5);
    assert_near(out.queue("dies"), 1.0 + reads, 1.0);
}

#[test]
fn a_write_larger_than_the_buffer_passes_in_parts() {
    let mut small = model();
    small.buffer_bytes = 32_768;
    let out = run(&small, Load::sequential(4, 262_144, 0.0), 100, 2000);
    assert!(out.io_s > 0.0);
    assert!(out.utilisation("write buffer") <= 1.0);
}

/// Dies that program 32 × 64 KiB in 0.8 ms, and a data path that is no limit: they never wait for the next write, and it is
/// answered when all but 4 MiB of what came before its end are programmed. Of three outstanding each waits for three.
#[test]
fn writes_larger_than_the_buffer_keep_all_dies_busy() {
    let mut drive = model();
    drive.data_write_bytes_s = 1_000_000_000_000;
    for (outstanding, bytes) in [(1, 5 << 20), (1, 64 << 20), (3, 16 << 20), (2, 6_000_000)] {
        let load = Load::sequential(outstanding, bytes, 0.0);
        let out = run(&drive, load, 50, 400);
        let io_s = 32.0 * 65_536.0 / 0.8e-3 / f64::from(bytes);
        assert_near(out.io_s, io_s, 1.0);
        assert_near(out.write_us, f64::from(outstanding) * 1e6 / io_s, 1.0);
        assert_laws(&out, load);
    }
}

/// A buffer of three times what the dies have at the most, 4 MiB, and dies that begin one after the other, as the data path
/// feeds them. Writes of up to all of it leave no die idle either, whether the buffer holds them beside that or not.
#[test]
fn writes_up_to_all_of_the_buffer_keep_all_dies_busy() {
    let mut drive = model();
    (drive.data_write_bytes_s, drive.buffer_bytes) = (4_000_000_000, 12 << 20);
    for outstanding in [1, 3] {
        for mib in 4..=16 {
            let load = Load::sequential(outstanding, mib << 20, 0.0);
            let out = run(&drive, load, 50, 400);
            let io_s = 32.0 * 65_536.0 / 0.8e-3 / f64::from(mib << 20);
            assert_near(out.io_s, io_s, 1.0);
            assert_laws(&out, load);
        }
    }
}

/// A single one on a drive at rest waits until all but the buffer of it is programmed: of 12 MiB 8, in four rounds of all
/// dies, and no time where the buffer takes it whole.
#[test]
fn a_single_write_is_answered_when_its_last_part_is_in_the_buffer() {
    let mut drive = model();
    (drive.data_write_bytes_s, drive.delay_write_per_kib_ps) = (1_000_000_000_000, Ps::from_ns(1));
    for (mib, rounds) in [(4_u32, 0.0), (5, 1.0), (6, 1.0), (7, 2.0), (12, 4.0)] {
        let us = single_write(&drive, mib << 20);
        let fetched = if rounds == 0.0 {
            f64::from(mib) * 1.024
        } else {
            0.0
        };
        assert!(
            (us - 1.5 - 7.0 - fetched - rounds * 800.0).abs() < 5.0,
            "{mib} MiB: {us}"
        );
    }
}

/// The latency of one write on a drive that has been left in peace, in µs.
fn single_write(model: &SsdModel, bytes: u32) -> f64 {
    let usage = Usage {
        accessed_bytes: model.capacity_bytes,
        overwritten_bytes: model.capacity_bytes,
        random_write_share: 0.0,
        valid_share: 1.0,
        write_streams: 1,
        written: Vec::new(),
    };
    let (mut drive, mut calendar, mut done) = (Ssd::new(model, usage, 0, 1), Calendar::default(), Vec::new());
    let write = |token, bytes, offset| DriveOp {
        token,
        write: true,
        trim: false,
        offset,
        bytes,
        limit_us: 0,
    };
    // The first, of a program, finds a full buffer, as of a lasting load, and the second an empty one.
    drive.submit(write(0, 65_536, 0), Ps::ZERO, &mut calendar, &mut done);
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
    }
    assert_eq!(done.pop().map(|done| done.token), Some(0));
    let began = calendar.now();
    drive.submit(write(1, bytes, 65_536), began, &mut calendar, &mut done);
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
    }
    let done = done.pop().expect("it is answered");
    assert_eq!(done.inside.total(), done.at.since(began));
    done.inside.total().0 as f64 / 1e6
}

/// Dies program 1.8 to 6.5 times as fast as the data path lets pass: that is the limit from the first I/Os on, though only few
/// are counted.
#[test]
fn what_the_data_path_does_not_let_pass_is_not_seen_at_the_beginning_either() {
    for (dies, bytes) in [(36, 16_384), (64, 16_384), (128, 16_384), (128, 65_536)] {
        let mut drive = model();
        drive.dies = dies;
        drive.buffer_bytes = 64 << 20;
        let outcome = run(&drive, Load::sequential(64, bytes, 0.0), 200, 2000);
        assert_near(outcome.io_s, 1.6e9 / f64::from(bytes), 5.0);
    }
}

/// 32 dies, and a buffer for so many programs, which it holds until they end: fewer keep dies idle, and the buffer is the limit
/// that it is told of as; more are room for what waits.
#[test]
fn a_buffer_of_fewer_programs_than_dies_is_the_limit_itself() {
    for (programs, room) in [(8, false), (31, false), (32, true), (64, true)] {
        let mut drive = model();
        (drive.data_write_bytes_s, drive.buffer_bytes) = (1_000_000_000_000, programs << 16);
        let out = run(&drive, Load::sequential(64, 65_536, 0.0), 1000, 10_000);
        let at_once = programs.min(32) as f64;
        assert_near(out.io_s, at_once / 800e-6, 1.0);
        assert_near(out.utilisation("dies"), at_once / 32.0, 1.0);
        assert_near(out.utilisation("write buffer"), 1.0, 1.0);
        let usage = Usage {
            accessed_bytes: GIB,
            overwritten_bytes: GIB,
            random_write_share: 0.0,
            valid_share: 1.0,
            write_streams: 1,
            written: Vec::new(),
        };
        let stations = Ssd::new(&drive, usage, 0, 1).stations(Ps::ZERO);
        let buffer = stations.iter().find(|station| station.name == "write buffer");
        assert_eq!(buffer.expect("a buffer").room, room, "{programs} programs");
    }
}

/// With reads among the writes each byte takes its time on the path, and each change of direction its own.
#[test]
fn nor_is_it_with_reads_among_the_writes() {
    for (outstanding, read) in [(16, 0.2), (16, 0.33), (64, 0.33)] {
        let mut drive = model();
        drive.spare_share = 8.0;
        drive.dies = 256;
        drive.program_bytes = 16_384;
        drive.program_ps = Ps::from_ns(1_200_000);
        drive.buffer_bytes = 64 << 20;
        let turns = 2.0 * read * (1.0 - read) * 4e-6;
        let io_s = 1.0 / (16_384.0 * ((1.0 - read) / 1.6e9 + read / 2e9) + turns);
        let outcome = run(&drive, Load::random(outstanding, 16_384, read), 500, 4000);
        assert_near(outcome.io_s, io_s, 3.0);
    }
}
