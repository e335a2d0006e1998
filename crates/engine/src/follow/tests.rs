use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use iodyno_load::request::{EngineChoice, Profile, ShownAs};
use iodyno_load::traffic::Traffic;
use iodyno_load::window::{Window, WindowCounter};

use super::*;
use crate::clock::Clock;
use crate::made::{self, beside, point, profile, target};
use crate::worker::Shared;

/// Windows of the warm-up, and after it of a beginning that is too fast, and of the whole.
const WARMUP: usize = 3;
const FAST: usize = 20;
const ALL: usize = WARMUP + 200;

/// The I/Os of a load on each of its two targets in a window: many at the beginning, then nearly as many
/// each time.
fn ios(load: usize, target: usize, window: usize) -> u64 {
    let more = if window < WARMUP + FAST { 300 } else { 0 };
    (100 + more + window % 2) as u64 * (1 + load + 2 * target) as u64
}

fn places() -> [Place; 3] {
    [(0, 0), (1, 0), (2, 1)].map(|(worker, load)| Place { worker, load })
}

/// What a thread did in a window: of the two of the first load, one worked on its first target and one on
/// the second; the thread of the other load on both of its own.
fn window(thread: usize, number: usize, targets: usize) -> Window {
    let own = [0..1, 1..2, 2..4][thread].clone();
    let mut counter = WindowCounter::new(targets, own.clone(), false);
    for target in own {
        let (load, of) = (target / 2, target % 2);
        counter.completed_alike(target, false, 4096, (100 + target as u64, ios(load, of, number)));
    }
    counter.system_calls = 1;
    counter.close(1_000_000, 0)
}

fn followed(loads: usize) -> (Reading, Vec<bool>) {
    let targets = ["a", "b", "c", "d"].map(|path| target(path, (0, 1 << 20)));
    let shape = || profile(1.0);
    let mut asked = Point {
        beside: (1..loads).map(|_| beside(shape(), 2)).collect(),
        ..point(EngineChoice::Null, shape(), &targets[..2 * loads])
    };
    let stopping = &mut asked.stopping;
    (stopping.warmup_s, stopping.precision) = (WARMUP as f64 / 10.0, 1e-6);
    if let [late] = asked.beside.as_mut_slice() {
        // Windows that a load begins in are before the warm-up: two of the three here.
        (late.begins_after_s, stopping.warmup_s) = (0.15, (WARMUP - 2) as f64 / 10.0);
    }
    (stopping.floor_s, stopping.cap_s) = (5.0, (ALL - WARMUP) as f64 / 10.0);
    let threads = [2, 3][loads - 1];
    let places = &places()[..threads];
    let mut watch = Watch::new(&asked);
    watch.gatherer = Gatherer::new(places.to_vec());
    let mut phases = Vec::new();
    let outcome = loop {
        let number = watch.windows;
        (0..threads).for_each(|thread| watch.gatherer.add(thread, &window(thread, number, 2 * loads)));
        let row = watch.gatherer.complete().expect("all have closed it");
        let ended = watch.next_window(row);
        let sample = watch.sample();
        let bytes = sample.rate_io_s * 4096.0;
        let all: u64 = (0..2 * loads)
            .map(|target| ios(target / 2, target % 2, number))
            .sum();
        assert!((sample.rate_io_s - 10.0 * all as f64).abs() < 1e-6 && sample.throughput_bytes_s == bytes);
        assert!((sample.elapsed_s - (number + 1) as f64 / 10.0).abs() < 1e-9);
        phases.push(sample.phase == Phase::Measured);
        if let Some((stopped, assessment)) = ended {
            break (stopped, assessment);
        }
    };
    let ended: Vec<_> = (0..loads as u64)
        .map(|load| Drained {
            targets: (0..2 * loads as u64).map(|target| sent(load, target)).collect(),
            drained: 7 + load,
            drained_max_ns: 50 + load,
            ..Drained::default()
        })
        .collect();
    let facts = EngineFacts {
        name: "null",
        why: String::new(),
        setup: Vec::new(),
        direct: false,
        write_through: false,
        data_seed: 0,
        clock: "none",
        clock_drift_ppm: 0.0,
    };
    let reading = watch.reading(&asked, (facts, places), (outcome.0, &outcome.1), &ended);
    (reading, phases)
}

/// What a load sent to a target of the point: to those of others nothing.
fn sent(load: u64, target: u64) -> Sent {
    let reads = if target / 2 == load { 500 + target } else { 0 };
    let traffic = |reads: u64| Traffic {
        reads,
        read_bytes: 4096 * reads,
        ..Traffic::default()
    };
    Sent {
        issued: traffic(reads),
        failed: traffic(target.min(reads)),
    }
}

/// I/Os of a target in the measured part.
fn measured(load: usize, target: usize, from: usize) -> u64 {
    (from..ALL).map(|number| ios(load, target, number)).sum()
}

#[test]
fn a_reading_is_of_the_windows_after_the_warm_up_and_what_was_discarded() {
    for loads in [1, 2] {
        let (reading, phases) = followed(loads);
        assert_eq!(phases.iter().filter(|measured| !**measured).count(), WARMUP);
        assert_eq!((reading.stopped, phases.len()), (Stopped::Cap, ALL));
        let discarded = reading.precision.discarded_windows;
        assert!((FAST..ALL / 2).contains(&discarded), "{discarded}");
        let from = WARMUP + discarded;
        assert_eq!(reading.series.measured_from, from);
        assert!((reading.warmup_s - from as f64 / 10.0).abs() < 1e-9);
        assert!((reading.measured_s - (ALL - from) as f64 / 10.0).abs() < 1e-9);
        let counts =
            |of: &[reading::TargetReading]| of.iter().map(|one| one.completed.reads).collect::<Vec<_>>();
        let of = |target: usize| measured(target / 2, target % 2, from);
        let expected: Vec<_> = (0..2 * loads).map(of).collect();
        assert_eq!(counts(&reading.per_target), expected);
        assert_eq!(reading.reads.completed, expected.iter().sum::<u64>());
        assert_eq!(
            reading.series.reads[from..].iter().sum::<u64>(),
            reading.reads.completed
        );
        for (target, one) in reading.per_target.iter().enumerate() {
            let split = one.split.as_ref().expect("there are several");
            assert_eq!(split.reads.latency.count, [expected[target]]);
            assert_eq!(split.reads.latency.max_ns, 100 + target as u64);
        }
        // A millisecond of a processor and a call in each window.
        for worker in &reading.workers {
            assert!((worker.cpu_s - 0.001 * (ALL - from) as f64).abs() < 1e-9);
            assert_eq!(worker.system_calls, (ALL - from) as u64);
        }
        assert_eq!(
            (reading.workers.len(), reading.drained_max_ns),
            ([2, 3][loads - 1], 49 + loads as u64)
        );
        assert_eq!(reading.drained, [7, 7 + 8][loads - 1]);
        assert_eq!(reading.issued.reads, [1001, 1001 + 1005][loads - 1]);
        assert_eq!(reading.issued.failed_read_bytes, 4096 * [1, 1 + 5][loads - 1]);
        let issued = reading
            .per_target
            .iter()
            .map(|one| one.issued.expect("an engine sent it"));
        let issued: Vec<_> = issued.map(|one| (one.reads, one.failed_read_bytes)).collect();
        let of = |target: u64| (500 + target, 4096 * target);
        assert_eq!(issued, (0..2 * loads as u64).map(of).collect::<Vec<_>>());
        for (number, load) in reading.loads.iter().enumerate() {
            assert_eq!(
                counts(&load.measured.per_target),
                expected[2 * number..2 * number + 2]
            );
            assert_eq!(load.precision.discarded_windows, discarded);
            assert_eq!(load.series.measured_from, from);
            assert_eq!(load.issued.reads, [1001, 1005][number]);
            assert_eq!(load.workers.len(), [2, 1][number]);
        }
        assert_eq!(reading.loads.len(), [0, 2][loads - 1]);
    }
}

#[test]
fn the_main_figure_is_that_which_the_profile_is_shown_as() {
    let of = |shown_as| {
        let shape = Profile {
            shown_as,
            ..profile(1.0)
        };
        let mut watch = Watch::new(&point(EngineChoice::Null, shape, &[target("a", (0, 4096))]));
        let mut counter = WindowCounter::new(1, 0..1, false);
        counter.completed(0, false, 512, 10);
        counter.completed(0, true, 8192, 10);
        let sum = counter.close(0, 0);
        let row = Row {
            sum,
            ..Row::default()
        };
        watch.next_window(row);
        watch.all.main.clone()
    };
    assert_eq!(of(ShownAs::TransactionRate), [2.0]);
    assert_eq!(of(ShownAs::Throughput), [8704.0]);
}

#[test]
fn a_load_that_is_not_precise_keeps_the_others_going() {
    let targets = ["a", "b"].map(|path| target(path, (0, 4096)));
    let mut asked = point(EngineChoice::Null, profile(1.0), &targets);
    asked.beside = vec![made::beside(profile(1.0), 1)];
    (asked.stopping.floor_s, asked.stopping.cap_s) = (1.0, 30.0);
    let ended = |unsteady: bool| {
        let mut watch = Watch::new(&asked);
        watch.gatherer = Gatherer::new(
            places()[1..]
                .iter()
                .map(|place| Place {
                    worker: place.worker - 1,
                    ..*place
                })
                .collect(),
        );
        for number in 0..300_u64 {
            for thread in 0..2 {
                let mut counter = WindowCounter::new(2, thread..thread + 1, false);
                // The second load is small beside the first: what it does hardly moves the sum.
                let swing = if unsteady { number * 7919 % 13 } else { 0 };
                let many = [1_000_000, 10 + swing][thread];
                counter.completed_alike(thread, false, 4096, (100, many));
                watch.gatherer.add(thread, &counter.close(0, 0));
            }
            let row = watch.gatherer.complete().expect("both have closed it");
            if let Some((stopped, _)) = watch.next_window(row) {
                return (stopped, number + 1);
            }
        }
        unreachable!("it ends at its cap")
    };
    let (stopped, after) = ended(false);
    assert!(stopped == Stopped::Precise && after < 300, "{after}");
    let (_, after) = ended(true);
    assert_eq!(after, 300);
}

#[test]
fn what_fails_after_the_series_is_told_of_its_load() {
    let targets = ["a", "b"].map(|path| target(path, (0, 4096)));
    let mut asked = point(EngineChoice::Null, profile(1.0), &targets);
    asked.beside = vec![made::beside(profile(1.0), 1)];
    let mut watch = Watch::new(&asked);
    let place = |number| Place {
        worker: number,
        load: number,
    };
    watch.gatherer = Gatherer::new((0..2).map(place).collect());
    let closed = |thread: usize, offset: u64| {
        let mut counter = WindowCounter::new(2, thread..thread + 1, false);
        counter.failed(thread, true, (libc::EIO, offset));
        counter.close(0, 0)
    };
    (0..2).for_each(|thread| watch.gatherer.add(thread, &closed(thread, 512)));
    let row = watch.gatherer.complete().expect("both have closed it");
    assert!(watch.next_window(row).is_some(), "it is the only one");
    // One has closed a window after it that nobody waits for, and handed on what was left.
    let rest = Arc::new(Shared::default());
    let windows = [closed(1, 4096), closed(1, 8192)].into();
    *rest.windows.lock().expect("nobody panics with it") = windows;
    watch.take_rest(&[Arc::default(), rest]);
    let writes = |tally: &Tally| tally.failures.all[1].clone();
    assert_eq!(writes(&watch.all), [(libc::EIO, (4, 512))].into());
    let loads: Vec<_> = watch.loads.iter().map(|(_, tally)| writes(tally)).collect();
    assert_eq!(loads, [1, 3].map(|count| [(libc::EIO, (count, 512))].into()));
    for (number, (_, tally)) in watch.loads.iter().enumerate() {
        assert_eq!(tally.failures.targets[number][1], loads[number]);
    }
}

#[test]
#[should_panic(expected = "ended before its time")]
fn a_load_that_ended_before_the_rule_did_is_not_waited_for() {
    let asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, 1 << 20))]);
    let shared = Arc::new(Shared::default());
    shared.stop.store(true, Ordering::Relaxed);
    let crew = Crew {
        clock: Clock::start(),
        setup: Vec::new(),
        shared: vec![shared],
        places: places()[..1].to_vec(),
        threads: vec![std::thread::spawn(|| Ok(Drained::default()))],
    };
    let begun = Instant::now();
    let _ = Watch::new(&asked).follow(&crew, &mut |_| match begun.elapsed() {
        long if long > Duration::from_secs(20) => Control::Interrupt,
        _ => Control::Continue,
    });
}

#[test]
fn what_is_outstanding_comes_back_twice_before_it_counts_and_ten_times_before_the_end() {
    // 512 outstanding: of 50,000 I/Os a second a round is a tenth of a window, and of 500 ten of them.
    for (ended, rounds_s) in [(5000, 0.0), (50, 1.024)] {
        let targets = [target("a", (0, 1 << 20))];
        let mut asked = point(EngineChoice::Null, profile(1.0), &targets);
        let stopping = &mut asked.stopping;
        (stopping.warmup_s, stopping.floor_s, stopping.cap_s) = (0.5, 2.0, 60.0);
        stopping.precision = 0.02;
        let mut watch = Watch::new(&asked);
        let outcome = loop {
            let mut counter = WindowCounter::new(1, 0..1, false);
            counter.completed_alike(0, false, 4096, (1000, ended));
            counter.io_time_ns = 512 * WINDOW_NS;
            let sum = counter.close(0, 0);
            let row = Row {
                sum,
                ..Row::default()
            };
            if let Some(outcome) = watch.next_window(row) {
                break outcome;
            }
        };
        assert_eq!(outcome.0, Stopped::Precise);
        let (warmup_s, all_s) = (2.0 * rounds_s - 0.5_f64, watch.windows as f64 / 10.0);
        assert_eq!(
            outcome.1.discarded_windows,
            (10.0 * warmup_s.max(0.0)).round() as usize
        );
        if rounds_s == 0.0 {
            // It ends when it would without any of this.
            let (mut without, main) = (Stopper::new(rule(&asked)), &watch.all.main);
            let stops = |windows: &usize| matches!(without.check(&main[..*windows]), Decision::Stop(..));
            assert_eq!((1..=main.len()).find(stops), Some(main.len()));
        } else {
            // A check comes each tenth more data, five windows at the least.
            let least = 12.0 * rounds_s;
            assert!((least - 0.05..1.1 * least + 0.55).contains(&all_s), "{all_s}");
        }
    }
}

#[test]
fn the_first_rounds_of_a_load_are_counted_from_its_own_beginning() {
    // Of the slow load 512 are outstanding and 50 end in a window: two rounds are 20.48 windows. The loads begin
    // a second apart and the warm-up is half a second from the later one on: the earlier one has had 15 by then.
    for (slow_begins_s, quick_begins_s, discarded) in [(0.0, 1.0, 20 - 15), (1.0, 0.0, 20 - 5)] {
        let targets = ["a", "b"].map(|path| target(path, (0, 1 << 20)));
        let mut asked = point(EngineChoice::Null, profile(1.0), &targets);
        let mut other = beside(profile(1.0), 1);
        (asked.begins_after_s, other.begins_after_s) = (slow_begins_s, quick_begins_s);
        asked.beside = vec![other];
        let stopping = &mut asked.stopping;
        (stopping.warmup_s, stopping.floor_s, stopping.cap_s) = (0.5, 2.0, 60.0);
        stopping.precision = 0.02;
        let mut watch = Watch::new(&asked);
        let places = [0, 1].map(|one| Place {
            worker: one,
            load: one,
        });
        watch.gatherer = Gatherer::new(places.to_vec());
        let outcome = loop {
            for (thread, (ended, outstanding)) in [(50, 512), (5000, 1)].into_iter().enumerate() {
                let mut counter = WindowCounter::new(2, thread..thread + 1, false);
                counter.completed_alike(thread, false, 4096, (1000, ended));
                counter.io_time_ns = outstanding * WINDOW_NS;
                watch.gatherer.add(thread, &counter.close(0, 0));
            }
            let row = watch.gatherer.complete().expect("both have closed it");
            if let Some(outcome) = watch.next_window(row) {
                break outcome;
            }
        };
        let found = (outcome.0, outcome.1.discarded_windows);
        assert_eq!(found, (Stopped::Precise, discarded), "{slow_begins_s}");
    }
}

#[test]
fn a_slow_target_beside_a_fast_one_has_rounds_of_its_own() {
    // Of each 64 are outstanding, and of the slow one 8 come back in a window: a round of it lasts 8 windows, and two
    // of them are 16, of which the warm-up has 5. It is the same where they fail. Where its loop is open nobody knows
    // how many of all that are outstanding are its own.
    for (failed, open, discarded) in [(0, false, 11), (6, false, 11), (0, true, 0)] {
        let targets = ["a", "b"].map(|path| target(path, (0, 1 << 20)));
        let mut asked = point(EngineChoice::Null, profile(1.0), &targets);
        (asked.outstanding, asked.workers) = (32, 2);
        asked.rate_io_s = open.then_some(50_080.0);
        let stopping = &mut asked.stopping;
        (stopping.warmup_s, stopping.floor_s, stopping.cap_s) = (0.5, 2.0, 60.0);
        stopping.precision = 0.02;
        let mut watch = Watch::new(&asked);
        let outcome = loop {
            let mut counter = WindowCounter::new(2, 0..2, open);
            counter.completed_alike(0, false, 4096, (1000, 5000));
            counter.completed_alike(1, false, 4096, (1000, 8 - failed));
            (0..failed).for_each(|_| counter.failed(1, false, (libc::EIO, 0)));
            counter.io_time_ns = 128 * WINDOW_NS;
            let sum = counter.close(0, 0);
            let row = Row {
                sum,
                ..Row::default()
            };
            if let Some(outcome) = watch.next_window(row) {
                break outcome;
            }
        };
        assert_eq!(
            (outcome.0, outcome.1.discarded_windows),
            (Stopped::Precise, discarded)
        );
        let expected = if open { 20..50 } else { 96..96 + 15 };
        assert!(expected.contains(&watch.windows), "{}", watch.windows);
    }
}
