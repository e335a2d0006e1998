//! One or two operations at a time: the latency is the sum of the parts.

use iodyno_sim::calendar::Calendar;
use iodyno_sim::operation::{DriveOp, Usage};
use iodyno_sim::ssd::Ssd;
use iodyno_sim::system::{Prefetch, SsdModel};
use iodyno_sim::time::Ps;

use crate::ssd::harness::{Load, assert_near, model, prefetch, run};

#[test]
fn a_random_read_of_one_part_takes_command_die_data_path_and_delay() {
    let full_range = Load {
        accessed: 400_000_000_000,
        ..Load::random(1, 8192, 1.0)
    };
    let one = run(&model(), full_range, 10, 1000);
    let data_path_us = 8192.0 / 2e9 * 1e6;
    assert_near(one.read_us, 1.0 + 60.0 + data_path_us + 5.0, 0.001);
    assert_near(one.front_us, 1.0 + 5.0, 0.001);
    assert_near(one.media_us, 60.0 + data_path_us, 0.001);
}

#[test]
fn parts_of_a_random_read_wait_for_each_other_where_they_meet_on_a_die() {
    let mut two_dies = model();
    two_dies.dies = 2;
    let one = run(&two_dies, Load::random(1, 32_768, 1.0), 10, 20_000);
    // Two parts on the same of two dies in half of the reads.
    let data_path_us = 32_768.0 / 2e9 * 1e6;
    assert_near(one.read_us, 1.0 + 60.0 * 1.5 + data_path_us + 5.0, 1.0);
}

#[test]
fn a_sequential_read_finds_its_parts_as_they_were_programmed() {
    let one = run(&model(), Load::sequential(1, 131_072, 1.0), 10, 1000);
    // Two dies, four parts of 16 KiB on each.
    let data_path_us = 131_072.0 / 2e9 * 1e6;
    assert_near(one.read_us, 1.0 + 4.0 * 60.0 + data_path_us + 5.0, 0.001);
}

/// Two planes: a die brings 32 KiB in the time of a page, for reads of 4 kB as well; what lies at random is read by pages.
#[test]
fn a_die_reads_a_page_of_each_plane_of_what_was_written_in_sequence() {
    let planes = SsdModel {
        read_bytes: 32_768,
        ..model()
    };
    let span_us = |bytes: u32| f64::from(bytes) / 2e9 * 1e6;
    let one = run(&planes, Load::sequential(1, 131_072, 1.0), 10, 1000);
    assert_near(one.read_us, 1.0 + 2.0 * 60.0 + span_us(131_072) + 5.0, 0.001);
    let small = run(&planes, Load::sequential(1, 4096, 1.0), 16, 4000);
    assert_near(small.read_us, 1.0 + 60.0 / 8.0 + span_us(4096) + 5.0, 0.01);
    let random = run(&planes, Load::random(1, 16_384, 1.0), 10, 1000);
    assert_near(random.read_us, 1.0 + 60.0 + span_us(16_384) + 5.0, 0.01);
}

#[test]
fn small_sequential_reads_read_a_page_once() {
    let one = run(&model(), Load::sequential(1, 4096, 1.0), 16, 4000);
    let data_path_us = 4096.0 / 2e9 * 1e6;
    assert_near(one.read_us, 1.0 + 60.0 / 4.0 + data_path_us + 5.0, 0.01);
}

#[test]
fn a_buffered_write_takes_command_and_delay() {
    let one = run(&model(), Load::random(1, 8192, 0.0), 10, 1000);
    assert_near(one.write_us, 1.5 + 7.0, 0.001);
    assert_near(one.front_us, one.write_us, 0.001);
}

/// A buffer that outlasts a loss of power is no cache that can be turned off; one that loses some of its data is.
#[test]
fn a_buffer_that_loses_nothing_answers_writes_with_the_cache_off_too() {
    let mut off = model();
    off.write_cache = false;
    let write_us = |protected_share: f64| {
        let drive = SsdModel {
            protected_share,
            ..off.clone()
        };
        run(&drive, Load::sequential(1, 8192, 0.0), 10, 1000).write_us
    };
    assert_near(write_us(1.0), 1.5 + 7.0, 0.001);
    assert_near(write_us(0.99), 1.5 + 8192.0 / 1.6e9 * 1e6 + 800.0, 0.001);
}

#[test]
fn without_write_cache_a_write_takes_its_program_as_well() {
    let mut uncached = model();
    uncached.write_cache = false;
    let one = run(&uncached, Load::sequential(1, 16_384, 0.0), 10, 1000);
    let data_path_us = 16_384.0 / 1.6e9 * 1e6;
    assert_near(one.write_us, 1.5 + data_path_us + 800.0, 0.001);
    assert_near(one.front_us, 1.5, 0.001);
}

#[test]
fn without_write_cache_a_write_does_not_wait_for_what_it_leaves_to_be_collected() {
    let mut uncached = model();
    uncached.write_cache = false;
    let full_range = |outstanding| Load {
        accessed: uncached.capacity_bytes,
        ..Load::random(outstanding, 65_536, 0.0)
    };
    let one = run(&uncached, full_range(1), 10, 1000);
    let data_path_us = 65_536.0 / 1.6e9 * 1e6;
    assert_near(one.write_us, 1.5 + data_path_us + 800.0, 0.001);
    // 2.48 pages are programmed for each, one of them by the write; so many occupy dies for the whole of that.
    assert_near(one.utilisation("dies"), 2.48 * 800.0 / one.write_us / 32.0, 0.6);
    // Nothing waits for a die: what is at dies is what they do (Little).
    assert_near(one.queue("dies"), 32.0 * one.utilisation("dies"), 0.1);
    let many = run(&uncached, full_range(64), 5000, 20_000);
    assert_near(many.utilisation("dies"), 1.0, 0.5);
    assert_near(many.io_s, 32.0 / (2.48 * 800e-6), 0.6);
}

#[test]
fn without_write_cache_a_write_of_several_programs_waits_for_all() {
    let mut uncached = model();
    uncached.write_cache = false;
    let one = run(&uncached, Load::sequential(1, 131_072, 0.0), 10, 1000);
    let data_path_us = 131_072.0 / 1.6e9 * 1e6;
    assert_near(one.write_us, 1.5 + data_path_us + 800.0, 0.001);
}

/// Mean latency of a read of one part among programs of 64 KiB, and what it should be: besides its own parts
/// the mean wait for a program that runs on its die, by the share of the time that a die programs. The small
/// part of the drive that is accessed amplifies writes by less than 2 %.
fn among_programs(suspend_ns: u64, mean_wait_us: f64) -> (f64, f64) {
    let mut drive = model();
    drive.dies = 8;
    drive.suspend_ps = Ps::from_ns(suspend_ns);
    drive.turnaround_ps = Ps::ZERO;
    drive.data_write_bytes_s = 1_000_000_000_000;
    let out = run(&drive, Load::random(1, 8192, 0.5), 1000, 200_000);
    let programs_s = out.io_s * 0.5 * 8192.0 / 65_536.0;
    let occupied = programs_s * 800e-6 / 8.0;
    let alone = 1.0 + 60.0 + 8192.0 / 2e9 * 1e6 + 5.0;
    (out.read_us, alone + occupied * mean_wait_us)
}

#[test]
fn a_read_waits_for_half_a_program_where_programs_are_not_suspended() {
    let (read_us, expected) = among_programs(800_000, 400.0);
    assert_near(read_us, expected, 3.0);
}

#[test]
fn a_read_waits_until_the_program_is_suspended() {
    // The mean of the lesser of 200 us and what is left of 800 us.
    let (read_us, expected) = among_programs(200_000, 200.0 - 200.0 * 200.0 / 1600.0);
    assert_near(read_us, expected, 3.0);
    let (at_once, alone) = among_programs(0, 0.0);
    assert_near(at_once, alone, 1.0);
}

#[test]
fn a_write_takes_longer_by_what_each_kib_takes() {
    let mut drive = model();
    drive.delay_write_per_kib_ps = Ps::from_ns(20_000);
    // Slow enough for the dies to keep up: firmware, delay, and 20 us for each KiB.
    let longer = run(&drive, Load::sequential(1, 65_536, 0.0), 10, 200).write_us;
    assert_near(longer, 1.5 + 7.0 + 64.0 * 20.0, 0.001);
    // What the buffer takes by parts is fetched meanwhile, and no sooner: that takes longer than to program it.
    let parted = run(&drive, Load::sequential(1, 8 << 20, 0.0), 10, 20).write_us;
    assert_near(parted, 1.5 + 7.0 + 8192.0 * 20.0, 0.001);
}

#[test]
fn one_stream_is_prefetched_at_one_outstanding_and_not_at_two() {
    let mut eager = model();
    eager.prefetch = Some(prefetch());
    let transfer_us = 65_536.0 / 2e9 * 1e6;
    let one = run(&eager, Load::sequential(1, 65_536, 1.0), 20, 1000);
    assert_near(one.read_us, 1.0 + 10.0 + transfer_us, 0.001);
    let two = run(&eager, Load::sequential(2, 65_536, 1.0), 10, 1000);
    let plain = run(&model(), Load::sequential(2, 65_536, 1.0), 10, 1000);
    assert_eq!(two.io_s, plain.io_s);
    assert!(two.io_s < one.io_s * 0.75, "no dip: {} {}", one.io_s, two.io_s);
    // Nor where both spend most of their time after their way through the stations is known.
    eager.read_ps = Ps::from_ns(1_000);
    eager.delay_read_ps = Ps::from_ns(500_000);
    let late = run(&eager, Load::sequential(2, 65_536, 1.0), 10, 1000);
    assert!(late.read_us > 500.0, "prefetched at two outstanding");
    let random = run(&eager, Load::random(1, 65_536, 1.0), 10, 1000);
    assert!(random.read_us > 500.0, "random reads cannot be prefetched");
}

/// Prefetching takes what the dies can read and no more: four of them 16 KiB in 60 µs each.
#[test]
fn a_prefetched_stream_is_no_faster_than_its_dies() {
    let mut few = model();
    (few.dies, few.prefetch) = (4, Some(prefetch()));
    let one = run(&few, Load::sequential(1, 65_536, 1.0), 20, 1000);
    assert_near(one.read_us, 1.0 + 10.0 + 60.0, 0.01);
}

/// A prefetched read is no earlier than its data have passed the data path, which they do while it is delayed.
#[test]
fn a_prefetched_stream_is_no_faster_than_its_data_path() {
    let mut slow = model();
    (slow.data_read_bytes_s, slow.prefetch) = (1_000_000_000, Some(prefetch()));
    let one = run(&slow, Load::sequential(1, 65_536, 1.0), 20, 1000);
    assert_near(one.read_us, 1.0 + 65.536, 0.001);
}

/// Prefetching at two outstanding, and three of which each is on its way to the host for most of its time.
#[test]
fn all_that_are_on_their_way_to_the_host_count_as_outstanding() {
    let mut eager = model();
    eager.prefetch = Some(Prefetch {
        most_outstanding: 2,
        ..prefetch()
    });
    (eager.read_ps, eager.delay_read_ps) = (Ps::from_ns(1_000), Ps::from_ns(500_000));
    let three = run(&eager, Load::sequential(3, 65_536, 1.0), 10, 1000);
    assert!(
        three.read_us > 500.0,
        "prefetched at three outstanding: {}",
        three.read_us
    );
    let two = run(&eager, Load::sequential(2, 65_536, 1.0), 20, 1000);
    assert!(two.read_us < 100.0, "not prefetched at two: {}", two.read_us);
}

/// All of a drive is accessed in order, with so many streams of writes.
fn in_order(model: &SsdModel, write_streams: u32) -> Usage {
    Usage {
        accessed_bytes: model.capacity_bytes,
        overwritten_bytes: model.capacity_bytes,
        random_write_share: 0.0,
        valid_share: 1.0,
        write_streams,
        written: Vec::new(),
    }
}

/// A flush and a trim between the reads of a stream are no part of it and leave nothing behind: the reads take the firmware, the
/// delay of prefetching and the transfer.
#[test]
fn commands_between_the_reads_of_a_stream_do_not_end_its_prefetching() {
    let model = SsdModel {
        prefetch: Some(prefetch()),
        ..model()
    };
    let (mut drive, mut calendar) = (Ssd::new(&model, in_order(&model, 0), 0, 1), Calendar::default());
    let (mut now, mut done, mut offset, mut last) = (Ps::ZERO, Vec::new(), 0, Ps::ZERO);
    for at in 0..100 {
        let (write, trim) = [(true, false), (true, true), (false, false)][at % 3];
        let op = DriveOp {
            token: 0,
            write,
            trim,
            limit_us: 0,
            offset: if write { 1 << 30 } else { offset },
            bytes: if write { 0 } else { 65_536 },
        };
        offset += if write { 0 } else { 65_536 };
        drive.submit(op, now, &mut calendar, &mut done);
        while done.is_empty() {
            let event = calendar.next().expect("an operation under way");
            drive.event(event.token, &mut calendar, &mut done);
        }
        let end = done.pop().expect("one").at;
        if !write {
            last = end.since(now);
        }
        now = end + Ps::from_ns(1000);
    }
    assert_eq!(last, Ps::from_ns(1_000 + 10_000 + 32_768));
}

/// Eight reads that follow each other and a step back are no lone stream: they take the way of all reads.
#[test]
fn short_runs_are_not_prefetched() {
    let mut eager = model();
    eager.prefetch = Some(prefetch());
    let runs = Load {
        accessed: 8 * 65_536,
        ..Load::sequential(1, 65_536, 1.0)
    };
    let data_path_us = 65_536.0 / 2e9 * 1e6;
    let one = run(&eager, runs, 20, 1000);
    assert_near(one.read_us, 1.0 + 4.0 * 60.0 + data_path_us + 5.0, 0.001);
}

/// The greatest of n uniform times is s (n − 1) / (n + 1) above their mean. Dies are so many that parts hardly meet.
#[test]
fn the_slowest_part_of_a_read_is_waited_for() {
    let mut varied = model();
    (varied.dies, varied.read_spread) = (1 << 16, 0.5);
    for (parts, above) in [(1, 0.0), (4, 0.3), (16, 0.5 * 15.0 / 17.0)] {
        let out = run(&varied, Load::random(1, parts * 16_384, 1.0), 10, 10_000);
        let data_path_us = f64::from(parts) * 16_384.0 / 2e9 * 1e6;
        assert_near(out.read_us, 1.0 + 60.0 * (1.0 + above) + data_path_us + 5.0, 1.0);
    }
}

/// One die, and firmware that is slow with reads: the first of two comes to it when the drive has ceased to program, and still
/// before the second, which came when it had.
#[test]
fn reads_come_to_a_die_in_order_where_the_drive_ceases_to_program() {
    let model = SsdModel {
        dies: 1,
        command_read_ps: Ps::from_ns(100_000),
        program_ps: Ps::from_ns(60_000),
        turnaround_ps: Ps::ZERO,
        write_cache: false,
        ..model()
    };
    let (mut drive, mut calendar) = (Ssd::new(&model, in_order(&model, 1), 0, 1), Calendar::default());
    let mut done = Vec::new();
    for (token, arrival_us) in [(0, 0), (1, 10), (2, 70)] {
        let op = DriveOp {
            token,
            write: token == 0,
            trim: false,
            limit_us: 0,
            offset: u64::from(token) << 30,
            bytes: 8192,
        };
        drive.submit(op, Ps::from_ns(1000 * arrival_us), &mut calendar, &mut done);
        // The write comes to the die, and is programmed.
        let event = calendar.next().expect("a write under way");
        drive.event(event.token, &mut calendar, &mut done);
    }
    assert_eq!(done.len(), 1, "it is programmed before a read comes to the die");
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
    }
    let beyond = Ps::from_ns(60_000 + 4_096 + 5_000);
    for (read, ready_us) in done[1..].iter().zip([110, 210]) {
        assert_eq!(read.at, Ps::from_ns(1000 * ready_us) + beyond);
    }
}
