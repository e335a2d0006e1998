//! What was counted comes out as it went in: I/Os that are planted one by one, and the reading of them.

use iodyno_load::gather::Spent;
use iodyno_load::histogram::Histogram;
use iodyno_load::reading::{Measured, WorkerFacts};
use iodyno_load::request::{Arrival, Point, WorkersArea};
use iodyno_load::series::Series;
use iodyno_load::traffic::Command;
use iodyno_load::window::{Failures, HeldBy, LATE_NS, WINDOW_NS, Window, WindowCounter};

use crate::made::{point, profile};

/// An open loop of reads, writes, trims and syncs.
fn open() -> Point {
    let mut shape = profile(1.0, 0.5, &[(4096, 1.0)]);
    (shape.trim_share, shape.fsync_every) = (0.1, 4);
    Point {
        rate_io_s: Some(500.0),
        arrival: Arrival::Fixed,
        ..point(shape, (0, 1 << 20), 1, WorkersArea::Shared)
    }
}

fn measured(point: &Point, windows: &[Window], from: usize) -> (Measured, Series) {
    let (mut series, mut failures) = (Series::new(WINDOW_NS, true), Failures::default());
    for window in windows {
        series.push(window);
        failures.add(window);
    }
    series.measure_from(from);
    let name = |errno: i32| errno.to_string();
    let of = Measured::of(windows[from..].iter(), (point, 0, &series), &failures, name);
    (of, series)
}

fn counter() -> WindowCounter {
    WindowCounter::new(1, 0..1, true).with_commands(true)
}

#[test]
fn what_completes_alike_is_counted_as_often_as_it_came() {
    let mut counter = WindowCounter::new(1, 0..1, false);
    counter.completed_alike(0, false, 4096, (70, 3));
    counter.completed(0, false, 512, 20);
    counter.failed(0, false, (5, 0));
    let window = counter.close(0, 0);
    let (reads, target) = (window.reads, window.targets[0]);
    assert_eq!((reads.completed, reads.bytes), (4, 3 * 4096 + 512));
    assert_eq!((target.reads, target.read_bytes), (4, 3 * 4096 + 512));
    assert_eq!(reads.ended(), 5);
    assert_eq!(reads.latency.sum_ns, 3 * 70 + 20);
    assert_eq!(
        (reads.latency.index, reads.latency.count),
        (vec![20, 70], vec![1, 3])
    );
    counter.completed(0, false, 512, 30);
    let next = counter.close(0, 0).reads.latency;
    assert_eq!((next.min_ns, next.max_ns, next.sum_ns), (30, 30, 30));
}

#[test]
fn a_start_is_late_after_a_millisecond_and_the_hosts_unless_a_limit_held_it() {
    let mut window = Window::default();
    for _ in 0..2 {
        let mut counter = counter();
        for (delay_ns, held) in [
            (LATE_NS, HeldBy::Nothing),
            (LATE_NS + 1, HeldBy::Nothing),
            (5 * LATE_NS, HeldBy::Limit),
            (10, HeldBy::Limit),
            (20, HeldBy::Limit),
            (30, HeldBy::Place),
            (7 * LATE_NS, HeldBy::Place),
        ] {
            counter.responded(0, false, delay_ns + 7, (delay_ns, held));
        }
        window.join(&counter.close(0, 0));
    }
    let starts = &window.starts;
    let counts = (starts.late, starts.held, starts.waited, starts.host_late);
    assert_eq!(counts, (6, 6, 4, 2));
    assert_eq!(starts.delay.count.iter().sum::<u64>(), 4);
    assert_eq!(starts.delay.sum_ns, 2 * (2 * LATE_NS + 1));
    let told = measured(&open(), &[window], 0).0.open_loop.expect("a rate");
    let held = (told.held_starts, told.waited_starts);
    assert_eq!((told.late_starts, held, told.host_late_starts), (6, (6, 4), 2));
}

#[test]
fn failures_of_every_kind_are_counted_with_the_place_of_the_first() {
    let mut windows = Vec::new();
    for number in 0..2_u64 {
        let mut counter = counter();
        let at = 1000 * number;
        for more in 0..3 {
            counter.failed(0, true, (5, at + 100 + more));
            let commands = counter.commands.as_mut().expect("it has some");
            commands.failed(0, Command::Trim, (28, at + 200 + more));
            commands.failed(0, Command::Sync, (22, at + 300 + more));
        }
        counter.failed(0, false, (0, at));
        windows.push(counter.close(0, 0));
        assert_eq!(windows[0].failed(), 10);
    }
    let (of, _) = measured(&open(), &windows, 1);
    let (trims, syncs) = (of.trims.expect("some"), of.syncs.expect("some"));
    let told = [of.reads, of.writes, trims, syncs].map(|direction| {
        let error = &direction.errors[0];
        (
            direction.errors.len(),
            error.errno,
            error.count,
            error.first_offset_bytes,
        )
    });
    // Of the whole point, though only its second window is measured.
    assert_eq!(
        told,
        [(1, 0, 2, 0), (1, 5, 6, 100), (1, 28, 6, 200), (1, 22, 6, 300)]
    );
}

#[test]
fn trims_are_accesses_and_syncs_are_not() {
    let mut counter = counter();
    counter.completed(0, false, 4096, 10);
    counter.responded(0, false, 30, (20, false));
    let commands = counter.commands.as_mut().expect("it has some");
    commands.completed(0, Command::Trim, 8192, 50);
    commands.trim_responded(0, 90);
    commands.completed(0, Command::Sync, 0, 400);
    let (of, series) = measured(&open(), &[counter.close(0, 0)], 0);
    assert_eq!(series.last().completed(), 2);
    assert_eq!((series.latency_sum_ns[0], series.max_ns[0]), (60, 50));
    assert_eq!((series.response_sum_ns[0], series.response_max_ns[0]), (120, 90));
    assert_eq!((series.trims[0], series.syncs[0]), (1, 1));
    let target = of.per_target[0].completed;
    assert_eq!((target.trims, target.trimmed_bytes, target.syncs), (1, 8192, 1));
    let (trims, syncs) = (of.trims.expect("some"), of.syncs.expect("some"));
    assert_eq!(trims.response_time.expect("in the schedule").sum_ns, 90);
    assert!(syncs.response_time.is_none() && syncs.latency.sum_ns == 400);
}

#[test]
fn syncs_of_one_of_several_targets_are_in_no_schedule_either() {
    let mut counter = WindowCounter::new(2, 0..2, true).with_commands(true);
    let commands = counter.commands.as_mut().expect("it has some");
    commands.completed(1, Command::Sync, 0, 400);
    let mut of_two = open();
    of_two.targets.push(of_two.targets[0].clone());
    let (of, _) = measured(&of_two, &[counter.close(0, 0)], 0);
    let split = of.per_target[1].split.as_ref().expect("there are two");
    let syncs = split.syncs.as_ref().expect("some");
    assert!(syncs.completed == 1 && syncs.response_time.is_none());
}

#[test]
fn a_window_tells_the_ninety_ninth_of_a_hundred() {
    let mut counter = counter();
    // Below 128 ns each value has a bucket of its own.
    for value in (1..=100).rev() {
        counter.completed(0, value % 2 == 0, 512, value);
        counter.responded(0, value % 2 == 0, value + 20, (20, false));
    }
    let (_, series) = measured(&open(), &[counter.close(0, 0)], 0);
    assert_eq!((series.p99_ns[0], series.response_p99_ns[0]), (99, 119));
}

#[test]
fn the_backlog_of_the_beginning_is_that_of_the_window_before() {
    let windows: Vec<_> = [7, 5, 3, 9].map(|backlog| counter().close(0, backlog)).into();
    for (from, begin) in [(0, 0), (1, 7), (2, 5), (3, 3)] {
        let of = measured(&open(), &windows, from).0.open_loop.expect("a rate");
        assert_eq!((of.backlog_start, of.backlog_end), (begin, 9), "from {from}");
    }
}

#[test]
fn the_interval_of_an_open_loop_is_that_of_its_slowest_hundredth() {
    let window = |slow: u64| {
        let mut counter = counter();
        (0..1000).for_each(|io| counter.responded(0, false, if io < 900 { 10 } else { slow }, (0, false)));
        counter.close(0, 0)
    };
    let windows: Vec<_> = (0..20).map(|number| window(100_000 << (number % 2))).collect();
    let of = measured(&open(), &windows, 0).0.open_loop.expect("a rate");
    // Every second section has half of it: their spread is far above nothing, and the median has none.
    assert!(of.response_p99_half_width.expect("enough") > 0.1);
}

#[test]
fn what_windows_and_threads_spent_is_added_up() {
    let mut window = Window::default();
    for thread in 1..=3 {
        let mut counter = counter();
        (counter.system_calls, counter.io_time_ns) = (thread, 10 * thread);
        let mut own = counter.close(100 * thread, thread);
        let last = Window {
            under_way: thread,
            ..counter.close(1000, 20)
        };
        own.follow(&last);
        window.join(&own);
    }
    assert_eq!(
        (window.system_calls, window.io_time_ns, window.cpu_ns),
        (6, 60, 3600)
    );
    assert_eq!((window.backlog, window.under_way), (60, 6));
    let part = Spent {
        cpu_ns: 400_000_000,
        system_calls: 7,
        io_time_ns: 3_000_000_000,
    };
    let facts = WorkerFacts::of([part, part].iter(), 2, (15, WINDOW_NS));
    assert_eq!((facts.cpu_s, facts.elapsed_s, facts.io_time_s), (0.8, 1.5, 6.0));
    assert_eq!((facts.system_calls, facts.threads), (14, 2));
}

#[test]
fn a_histogram_that_was_taken_knows_nothing_of_what_was_before() {
    let mut histogram = Histogram::default();
    histogram.record_many(5, 2);
    histogram.take();
    histogram.record(900);
    let taken = histogram.take();
    assert_eq!((taken.min_ns, taken.max_ns, taken.sum_ns), (900, 900, 900));
}
