//! Windows of random loads: the series adds up to the total exactly, whatever is added first.

use iodyno_load::counted::Counted;
use iodyno_load::histogram::Histogram;
use iodyno_load::reading::Series;
use iodyno_load::traffic::Command;
use iodyno_load::window::{Window, WindowCounter};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const SEED: u64 = 815;

/// What was counted, added up one by one.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sums {
    ios: [u64; 2],
    bytes: [u64; 2],
    latency_ns: u64,
    response_ns: u64,
    failed: u64,
}

/// Windows of some workers on some targets, by worker and time, and the sums of what is in them.
fn random_windows(rng: &mut Xoshiro256PlusPlus, open_loop: bool) -> (Vec<Vec<Window>>, Sums) {
    let mut below = |bound: u64| rng.next_u64() % bound;
    let (workers, targets, times) = (1 + below(4), 1 + below(3) as usize, 1 + below(12));
    let mut sums = Sums::default();
    let mut windows = Vec::new();
    for _ in 0..workers {
        let mut counter = WindowCounter::new(targets, 0..targets, open_loop);
        let mut own = Vec::new();
        for _ in 0..times {
            for _ in 0..below(60) {
                let (target, write) = (below(targets as u64) as usize, below(2) == 1);
                if below(20) == 0 {
                    counter.failed(target, write, (below(3) as i32, 512));
                    sums.failed += 1;
                    continue;
                }
                let magnitude = 1 + below(40);
                let (bytes, latency) = (512 << below(8), below(1 << magnitude));
                counter.completed(target, write, bytes as u32, latency);
                sums.ios[usize::from(write)] += 1;
                sums.bytes[usize::from(write)] += bytes;
                sums.latency_ns += latency;
                if open_loop {
                    let response = latency + below(1 << 20);
                    counter.responded(target, write, response, (below(1 << 21), below(2) == 1));
                    sums.response_ns += response;
                }
            }
            own.push(counter.close(0, 0));
        }
        windows.push(own);
    }
    (windows, sums)
}

/// The sums of a window of everything.
fn sums_of(window: &Window) -> Sums {
    let of = |get: &dyn Fn(&Window) -> [u64; 2]| get(window);
    Sums {
        ios: of(&|window| [window.reads.completed, window.writes.completed]),
        bytes: of(&|window| [window.reads.bytes, window.writes.bytes]),
        latency_ns: window.reads.latency.sum_ns + window.writes.latency.sum_ns,
        response_ns: window.reads.response_time.sum_ns + window.writes.response_time.sum_ns,
        failed: window.failed(),
    }
}

#[test]
fn the_series_of_100_ms_adds_up_to_the_total_exactly() {
    for round in 0..300 {
        println!("seed {}", SEED + round);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED + round);
        let open_loop = round % 2 == 1;
        let (workers, sums) = random_windows(&mut rng, open_loop);
        let mut series = Series::new(100_000_000, open_loop);
        let mut total = Window::default();
        for time in 0..workers[0].len() {
            let mut joined = Window::default();
            workers.iter().for_each(|own| joined.join(&own[time]));
            series.push(&joined);
            total.follow(&joined);
        }
        let sum = |values: &[u64]| values.iter().sum::<u64>();
        assert_eq!([sum(&series.reads), sum(&series.writes)], sums.ios);
        assert_eq!([sum(&series.read_bytes), sum(&series.written_bytes)], sums.bytes);
        assert_eq!(sum(&series.latency_sum_ns), sums.latency_ns);
        assert_eq!(sum(&series.response_sum_ns), sums.response_ns);
        assert_eq!(sums_of(&total), sums);
        let by_target = total.targets.iter();
        let (reads, writes) = by_target.fold((0, 0), |all, of| (all.0 + of.reads, all.1 + of.writes));
        assert_eq!([reads, writes], sums.ios);
    }
}

#[test]
fn workers_can_be_added_first_or_times_first() {
    for round in 0..100 {
        println!("seed {}", SEED + round);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED + round);
        let (workers, _) = random_windows(&mut rng, round % 2 == 1);
        let mut times_first = Window::default();
        for own in workers.iter().rev() {
            let mut of_worker = Window::default();
            own.iter().for_each(|window| of_worker.follow(window));
            times_first.join(&of_worker);
        }
        let mut workers_first = Window::default();
        for time in 0..workers[0].len() {
            let mut joined = Window::default();
            workers.iter().for_each(|own| joined.join(&own[time]));
            workers_first.follow(&joined);
        }
        assert_eq!(sums_of(&times_first), sums_of(&workers_first));
        for (one, other) in [
            (&times_first.reads, &workers_first.reads),
            (&times_first.writes, &workers_first.writes),
        ] {
            assert_eq!(one.latency, other.latency);
            assert_eq!(one.response_time, other.response_time);
        }
        let split: u64 = times_first
            .split
            .iter()
            .flatten()
            .map(|part| part.completed)
            .sum();
        let whole = times_first.reads.completed + times_first.writes.completed;
        assert!(
            times_first.split.is_empty() || split == whole,
            "{split} of {whole}"
        );
        let mut dense = Histogram::default();
        workers
            .iter()
            .flatten()
            .for_each(|window| dense.merge(&window.reads.latency));
        assert_eq!(dense.to_sparse(), times_first.reads.latency);
    }
}

#[test]
fn commands_of_each_target_add_up_to_those_of_all() {
    for round in 0..100 {
        println!("seed {}", SEED + round);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED + round);
        let mut below = |bound: u64| rng.next_u64() % bound;
        let targets = 2 + below(3) as usize;
        let mut counter = WindowCounter::new(targets, 0..targets, true).with_commands(true);
        // Of each target: syncs, trims, failed syncs, and the sums of their latencies and response times.
        let mut expected = vec![[0; 6]; targets];
        let mut total = Window::default();
        for _ in 0..5 {
            for _ in 0..below(40) {
                let (target, latency) = (below(targets as u64) as usize, below(1 << 30));
                let commands = counter.commands.as_mut().expect("there are some");
                let of = &mut expected[target];
                match below(3) {
                    0 => {
                        commands.completed(target, Command::Sync, 0, latency);
                        (of[0], of[3]) = (of[0] + 1, of[3] + latency);
                    }
                    1 => {
                        commands.completed(target, Command::Trim, 4096, latency);
                        commands.trim_responded(target, latency + 7);
                        (of[1], of[4], of[5]) = (of[1] + 1, of[4] + latency, of[5] + latency + 7);
                    }
                    _ => {
                        commands.failed(target, Command::Sync, (5, 0));
                        of[2] += 1;
                    }
                }
            }
            total.follow(&counter.close(0, 0));
        }
        let figures = |trims: &Counted, syncs: &Counted| {
            assert_eq!(trims.bytes, trims.completed * 4096);
            let failed = syncs.errors.get(&5).map_or(0, |(count, _)| *count);
            let counts = [syncs.latency.count.iter().sum(), trims.completed, failed];
            let times = [&syncs.latency, &trims.latency, &trims.response_time].map(|of| of.sum_ns);
            [counts, times].concat()
        };
        let found: Vec<_> = total.split.iter().map(|of| figures(&of[2], &of[3])).collect();
        assert_eq!(found, expected);
        let sums: Vec<u64> = (0..6).map(|at| expected.iter().map(|of| of[at]).sum()).collect();
        let commands = total.commands.as_ref().expect("there are some");
        assert_eq!(figures(&commands.trims, &commands.syncs), sums);
    }
}

/// Below 1 MB a worker: 64 targets, reads and writes of latencies from 20 µs to 5 ms, every octave of them.
#[test]
fn histograms_of_many_targets_stay_below_a_megabyte() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut counter = WindowCounter::new(64, 0..64, false);
    for _ in 0..3 {
        for io in 0..64 * 2 * 200 {
            let octaves = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * 8.0;
            let latency_ns = 20_000.0 * octaves.exp2();
            counter.completed(io / 2 % 64, io % 2 == 1, 4096, latency_ns as u64);
        }
        assert_eq!(counter.close(0, 0).split.len(), 64);
    }
    assert!(counter.bytes() < 1 << 20, "{}", counter.bytes());
}
