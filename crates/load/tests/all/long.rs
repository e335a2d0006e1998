//! Points of many hours: what is kept of them does not grow with time, and adds up to what was counted.

use iodyno_load::gather::{Gatherer, Kept, Place};
use iodyno_load::series::{KEPT_APART, Series, Step, merged};
use iodyno_load::stopping::grain;
use iodyno_load::traffic::Command;
use iodyno_load::window::{Window, WindowCounter};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const SEED: u64 = 3600;
const WINDOW_NS: u64 = 100_000_000;
const DAY: usize = 864_000;

/// Windows of a random load that opens its loop, trims and syncs.
struct Load {
    rng: Xoshiro256PlusPlus,
    counter: WindowCounter,
}

impl Load {
    fn new(seed: u64) -> Self {
        println!("seed {seed}");
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            counter: WindowCounter::new(1, 0..1, true).with_commands(true),
        }
    }

    fn window(&mut self) -> Window {
        let rng = &mut self.rng;
        let mut below = |bound: u64| rng.next_u64() % bound;
        for _ in 0..below(4) {
            let (write, latency) = (below(2) == 1, 1 << below(30));
            self.counter.completed(0, write, 4096, latency);
            self.counter.responded(0, write, latency + below(99), (0, false));
        }
        if below(8) == 0 {
            let commands = self.counter.commands.as_mut().expect("there are some");
            commands.completed(0, Command::Sync, 0, 1 << below(20));
            commands.completed(0, Command::Trim, 4096, 1 << below(20));
        }
        let (backlog, under_way) = (below(1000), below(50));
        Window {
            under_way,
            ..self.counter.close(0, backlog)
        }
    }
}

/// A series of a warm-up and a measured part, and each of its windows by itself.
fn series_of(warmup: usize, measured: usize, load: &mut Load) -> (Series, Vec<Step>) {
    let (mut series, mut steps) = (Series::new(WINDOW_NS, true), Vec::new());
    for number in 0..warmup + measured {
        if number == warmup {
            series.begin_part();
        }
        series.push(&load.window());
        steps.push(*series.last());
    }
    (series, steps)
}

#[test]
fn each_value_of_a_long_series_is_exactly_its_windows() {
    let mut load = Load::new(SEED);
    for (warmup, measured) in [
        (0, 1),
        (20, KEPT_APART),
        (0, KEPT_APART + 1),
        (23, 4 * KEPT_APART + 5),
        (2 * KEPT_APART + 3, 7),
    ] {
        let (series, steps) = series_of(warmup, measured, &mut load);
        let parts = [&steps[..warmup], &steps[warmup..]];
        let values: Vec<&[Step]> = parts
            .iter()
            .flat_map(|part| part.chunks(merged(part.len())))
            .collect();
        let sums = |get: fn(&Step) -> u64| -> Vec<u64> {
            values.iter().map(|value| value.iter().map(get).sum()).collect()
        };
        let greatest = |get: fn(&Step) -> u64| -> Vec<u64> {
            values
                .iter()
                .map(|value| value.iter().map(get).max().expect("a window"))
                .collect()
        };
        assert_eq!(series.reads, sums(|step| step.reads));
        assert_eq!(series.writes, sums(|step| step.writes));
        assert_eq!(series.read_bytes, sums(|step| step.read_bytes));
        assert_eq!(series.written_bytes, sums(|step| step.written_bytes));
        assert_eq!(series.latency_sum_ns, sums(|step| step.latency_sum_ns));
        assert_eq!(series.p99_ns, greatest(|step| step.p99_ns));
        assert_eq!(series.max_ns, greatest(|step| step.max_ns));
        assert_eq!(series.trims, sums(|step| step.commands.expect("some")[0]));
        assert_eq!(series.syncs, sums(|step| step.commands.expect("some")[1]));
        let waiting = |step: &Step| step.waiting.expect("an open loop");
        assert_eq!(
            series.response_sum_ns,
            sums(|step| step.waiting.expect("an open loop").response_sum_ns)
        );
        assert_eq!(
            series.response_p99_ns,
            greatest(|step| step.waiting.expect("an open loop").response_p99_ns)
        );
        assert_eq!(
            series.response_max_ns,
            greatest(|step| step.waiting.expect("an open loop").response_max_ns)
        );
        let last = |value: &&[Step]| waiting(value.last().expect("a window"));
        let backlog: Vec<_> = values.iter().map(|value| last(value).backlog).collect();
        let under_way: Vec<_> = values.iter().map(|value| last(value).under_way).collect();
        assert_eq!((&series.backlog, &series.under_way), (&backlog, &under_way));
        let windows: Vec<_> = values.iter().map(|value| value.len() as u64).collect();
        if warmup.max(measured) <= KEPT_APART {
            assert!(series.windows.is_empty());
        } else {
            assert_eq!(series.windows, windows);
        }
    }
}

#[test]
fn a_long_series_can_be_cut_where_the_rule_cuts_and_has_what_was_kept() {
    let mut load = Load::new(SEED + 1);
    let warmup = 17;
    for measured in [1000, KEPT_APART, KEPT_APART + 1, 3 * KEPT_APART] {
        let (mut series, mut kept, mut gatherer) = (
            Series::new(WINDOW_NS, true),
            Kept::default(),
            Gatherer::new(vec![Place { worker: 0, load: 0 }]),
        );
        for number in 0..warmup + measured {
            if number == warmup {
                series.begin_part();
            }
            gatherer.add(0, &load.window());
            let row = gatherer.complete().expect("one thread");
            series.push(&row.sum);
            if number >= warmup {
                kept.push(row);
            }
        }
        let grain = grain(measured);
        for cut in [0, grain, measured / 2 / grain * grain] {
            series.measure_from(cut);
            let rows = kept.since(cut).iter();
            let (reads, bytes) = rows.fold((0, 0), |(reads, bytes), row| {
                (reads + row.sum.reads.completed, bytes + row.sum.writes.bytes)
            });
            let of = |column: &[u64]| column[series.measured_from..].iter().sum::<u64>();
            assert_eq!((of(&series.reads), of(&series.written_bytes)), (reads, bytes));
            let lengths: &[u64] = &series.windows;
            let before: u64 = match lengths {
                [] => series.measured_from as u64,
                _ => lengths[..series.measured_from].iter().sum(),
            };
            assert_eq!(before, (warmup + cut) as u64);
        }
    }
}

#[test]
fn a_series_of_days_takes_no_more_than_one_of_hours() {
    let mut load = Load::new(SEED + 2);
    let windows: Vec<_> = (0..100).map(|_| load.window()).collect();
    let mut series = Series::new(WINDOW_NS, true);
    let mut most = 0;
    for part in [2 * KEPT_APART, DAY] {
        for number in 0..part {
            series.push(&windows[number % windows.len()]);
        }
        series.begin_part();
        most = most.max(series.bytes());
    }
    // Fourteen columns of eight bytes; a vector that grows has room for up to as much again.
    assert!(series.reads.len() <= 2 * KEPT_APART, "{}", series.reads.len());
    assert!(most <= 14 * 8 * 2 * 2 * KEPT_APART, "{most}");
    let whole: u64 = series.windows.iter().sum();
    assert_eq!(whole, (2 * KEPT_APART + DAY) as u64);
}
