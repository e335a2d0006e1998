//! Closed and open loops on one station.

use serde_json::json;

use crate::controller::systems::disk;
use crate::whole::systems::{GB, assert_near, link, one_drive, over_seeds, point, rate, run, server};

/// With constant service the asymptotic bounds are reached: X = min(N / (Z + s), 1 / s).
#[test]
fn a_closed_loop_on_one_server_is_as_fast_as_the_bounds_allow() {
    let (service, delay) = (2_000, 18_000);
    let system = one_drive(1, 0, json!([]), server(service, delay));
    for outstanding in [1, 2, 5, 9, 10, 11, 32, 100] {
        let reading = run(&point(1.0, outstanding, 1), &system);
        let expected = (outstanding as f64 / (service + delay) as f64).min(1.0 / service as f64) * 1e9;
        // A window's edges cut one I/O in 20 000.
        assert_near(rate(&reading) / expected, 1.0, 1e-3);
        let bounds = reading.simulation.expect("simulated").bounds;
        assert_near(bounds.rate_io_s.expect("a bound") / expected, 1.0, 1e-3);
    }
}

/// A drive that takes so many commands at once is as fast as with so many outstanding, whoever sends them: what is beyond
/// waits for one that is back. A link of 1 µs for 8 kB is part of a command's time, and what a latency has more is the wait.
#[test]
fn a_drive_that_takes_few_commands_is_as_fast_with_many_outstanding() {
    let (service, delay, pass) = (2_000, 17_000, 1_000);
    let links = json!([link(8_192_000_000, true)]);
    let mut system = one_drive(2, 0, links, server(service, delay));
    for commands in [1_u32, 4, 9, 32] {
        system["drives"][0]["commands"] = json!(commands);
        for (outstanding, workers, read_share) in [(1, 1, 1.0), (4, 1, 0.0), (16, 2, 1.0), (64, 1, 0.0)] {
            let reading = run(&point(read_share, outstanding, workers), &system);
            let all = (outstanding * workers) as f64;
            let there = all.min(f64::from(commands));
            let expected = (there / (service + delay + pass) as f64).min(1.0 / service as f64) * 1e9;
            assert_near(rate(&reading) / expected, 1.0, 1e-3);
            let split = &reading.simulation.expect("simulated").latency_split;
            let waited = split.get("drive_media").unwrap_or(&0.0) * all / expected;
            if there / (service + delay + pass) as f64 * service as f64 <= 0.9 {
                assert_near(waited, (all - there) / expected, 1e-3 * all / expected);
            }
        }
    }
}

/// A worker's core is a server as well: one worker reaches one core, four workers four of them.
#[test]
fn cores_are_the_limit_of_their_workers() {
    let system = one_drive(4, 5_000, json!([]), server(100, 10_000));
    for workers in [1, 2, 4, 8] {
        let reading = run(&point(0.5, 32, workers), &system);
        assert_near(rate(&reading) / (workers.min(4) as f64 / 5e-6), 1.0, 1e-3);
        let simulation = reading.simulation.expect("simulated");
        assert_eq!(simulation.bottleneck.station.as_deref(), Some("core"));
        assert_near(simulation.bottleneck.utilisation, 1.0, 1e-3);
        let cpu: f64 = reading
            .workers
            .iter()
            .map(|worker| worker.cpu_s / worker.elapsed_s)
            .sum();
        assert_near(cpu, workers.min(4) as f64, 1e-2);
    }
}

/// An I/O's time on its core: a part of its own for reads and for writes, and one for each KiB of either.
#[test]
fn reads_and_writes_have_their_time_on_the_core() {
    let mut system = one_drive(1, 0, json!([]), server(2_000, 7_000));
    system["volumes"][0]["cpu"] =
        json!({ "read_ps": 1_000_000, "write_ps": 3_000_000, "per_kib_ps": 500_000 });
    for (read_share, fixed) in [(1.0, 1_000), (0.0, 3_000)] {
        let reading = run(&point(read_share, 1, 1), &system);
        let direction = if read_share > 0.0 {
            reading.reads
        } else {
            reading.writes
        };
        let expected = fixed + 8 * 500 + 9_000;
        assert_eq!(
            (direction.latency.min_ns, direction.latency.max_ns),
            (expected, expected)
        );
    }
}

#[test]
fn a_core_that_sleeps_adds_its_wake_up_to_every_latency() {
    let mut system = one_drive(1, 1_000, json!([]), server(2_000, 7_000));
    system["host"]["wakeup_ps"] = json!(5_000_000);
    let reading = run(&point(1.0, 1, 1), &system);
    assert_eq!(
        (reading.reads.latency.min_ns, reading.reads.latency.max_ns),
        (15_000, 15_000)
    );
}

/// Two I/Os are back 1 µs apart, of which the first wakes the core in 5 µs: both are noticed then and go out one after
/// the other. So each takes 5 + 1 µs at the core and 1 + 7 µs beyond it: the second has 1 µs more to wait for the core and
/// 1 µs less for it to wake up.
#[test]
fn a_core_wakes_up_once_for_all_that_are_back_meanwhile() {
    let mut system = one_drive(1, 1_000, json!([]), server(1_000, 7_000));
    system["host"]["wakeup_ps"] = json!(5_000_000);
    let reading = run(&point(1.0, 2, 1), &system);
    let latency = &reading.reads.latency;
    assert_eq!((latency.min_ns, latency.max_ns), (14_000, 14_000));
    assert_near(rate(&reading) / (2.0 / 14e-6), 1.0, 1e-3);
    let split = reading.simulation.expect("simulated").latency_split;
    assert_near(split["host_cpu"], 6.0 / 14.0, 1e-3);
}

/// Nothing goes out of a core that wakes up. An I/O is due every 10 µs and is back 9 µs later, 1 µs of them at the core; so
/// the next one is due while the core wakes up in 5 µs, and leaves 4 µs late. That one is back 3 µs after the one after it
/// went out, and is noticed before the following one is due, which is as early as the first: every second takes 14 µs, the
/// others 18.
#[test]
fn what_is_due_waits_for_a_core_that_wakes_up() {
    let mut system = one_drive(1, 1_000, json!([]), server(1_000, 7_000));
    system["host"]["wakeup_ps"] = json!(5_000_000);
    let mut point = point(1.0, 8, 1);
    (point["rate_io_s"], point["arrival"]) = (json!(100_000.0), json!("fixed"));
    let reads = run(&point, &system).reads;
    assert_eq!((reads.latency.min_ns, reads.latency.max_ns), (14_000, 18_000));
    assert_near(
        reads.latency.sum_ns as f64 / reads.completed as f64,
        16_000.0,
        1.0,
    );
}

/// An I/O of every 10 µs has the core for 8 µs and is back 5 µs later, when the core has the next one: it need not wake up.
#[test]
fn a_core_that_works_is_awake() {
    let mut system = one_drive(1, 8_000, json!([]), server(0, 5_000));
    system["host"]["wakeup_ps"] = json!(2_000_000);
    let mut point = point(1.0, 8, 1);
    (point["rate_io_s"], point["arrival"]) = (json!(100_000.0), json!("fixed"));
    let latency = run(&point, &system).reads.latency;
    assert_eq!((latency.min_ns, latency.max_ns), (13_000, 13_000));
}

/// Poisson arrivals, constant service: mean residence s + ρ s / (2 (1 − ρ)) (Pollaczek 1930, Khinchine 1932).
#[test]
fn an_open_loop_of_poisson_arrivals_waits_as_an_m_d_1_queue() {
    let service = 10e-6;
    let system = one_drive(1, 0, json!([]), server(10_000, 0));
    for load in [0.3, 0.6, 0.8] {
        let mut point = point(1.0, 1000, 1);
        point["rate_io_s"] = json!(load / service);
        point["stopping"]["cap_ios"] = json!(400_000);
        point["stopping"]["floor_ios"] = json!(400_000);
        let (found, half_width) = over_seeds(10, &point, &system, |reading| {
            let latency = &reading.reads.latency;
            latency.sum_ns as f64 / reading.reads.completed as f64
        });
        let expected = (service + load * service / (2.0 * (1.0 - load))) * 1e9;
        assert_near(found, expected, half_width);
        assert!(
            half_width < 0.03 * expected,
            "{half_width} says nothing of {expected}"
        );
    }
}

/// Fixed arrivals below saturation never wait, and the rate is the one asked for.
#[test]
fn an_open_loop_of_fixed_arrivals_keeps_its_rate_without_a_queue() {
    let mut point = point(1.0, 64, 1);
    (point["rate_io_s"], point["arrival"]) = (json!(50_000.0), json!("fixed"));
    let reading = run(&point, &one_drive(1, 0, json!([]), server(10_000, 5_000)));
    assert_near(rate(&reading) / 50_000.0, 1.0, 1e-3);
    assert_eq!(reading.reads.latency.max_ns, 15_000);
    let open = reading.open_loop.expect("an open loop");
    assert_eq!((open.late_starts, open.backlog_end), (0, 0));
}

/// Where more is asked than can be served, response time counts from the intended start and grows.
#[test]
fn an_open_loop_beyond_saturation_is_late() {
    let mut point = point(1.0, 8, 1);
    (point["rate_io_s"], point["arrival"]) = (json!(200_000.0), json!("fixed"));
    let reading = run(&point, &one_drive(1, 0, json!([]), server(10_000, 0)));
    assert_near(rate(&reading) / 100_000.0, 1.0, 1e-3);
    // Eight outstanding at 10 µs each.
    assert_eq!(reading.reads.latency.max_ns, 80_000);
    let waited = reading.reads.response_time.expect("an open loop");
    assert!(waited.sum_ns > 100 * reading.reads.latency.sum_ns);
    assert!(reading.open_loop.expect("an open loop").backlog_end > 10_000);
}

/// Beyond saturation every slot is taken at each moment, and each start was due meanwhile: of reads, and of trims that take as long.
#[test]
fn beyond_saturation_each_start_is_held_and_all_slots_are_taken() {
    let of = |read_share: f64, trim_share: f64| {
        let mut point = point(read_share, 8, 1);
        point["profile"]["trim_share"] = json!(trim_share);
        (point["rate_io_s"], point["arrival"]) = (json!(200_000.0), json!("fixed"));
        let reading = run(&point, &one_drive(1, 0, json!([]), server(10_000, 0)));
        assert!(reading.series.under_way.iter().all(|&under_way| under_way == 8));
        let trims = reading.trims.as_ref().map_or(0, |trims| trims.completed);
        let open = reading.open_loop.expect("an open loop");
        assert_eq!(open.held_starts, reading.reads.completed + trims);
    };
    of(1.0, 0.0);
    of(0.0, 1.0);
}

/// So many outstanding at a server of 10 µs are of as many ages, 10 µs apart. When the load ends the oldest has waited for all
/// but one of them, and for what was left of that one: also if it has come back by the time that this is told.
#[test]
fn what_is_outstanding_at_the_end_is_told_with_the_age_of_the_oldest() {
    for outstanding in [1, 4] {
        let system = one_drive(1, 0, json!([]), server(10_000, 0));
        let reading = run(&point(1.0, outstanding, 1), &system);
        assert_eq!(reading.drained, outstanding as u64);
        let (most, oldest) = (10_000 * outstanding as u64, reading.drained_max_ns);
        assert!(
            (most - 10_000 + 1..=most).contains(&oldest),
            "{oldest} of {outstanding}"
        );
    }
}

/// What is due and waits when the measured part begins is what the warm-up fell behind by, (λ − µ) t, but for what is
/// outstanding; from then on the backlog grows at the same rate.
#[test]
fn an_open_loop_beyond_saturation_begins_with_what_its_warm_up_fell_behind_by() {
    let system = one_drive(2, 0, json!([]), server(10_000, 0));
    for (workers, asked, warmup) in [
        (1, 200_000.0, 20_000),
        (1, 110_000.0, 50_000),
        (2, 150_000.0, 2_000),
    ] {
        let mut point = point(1.0, 8, workers);
        (point["rate_io_s"], point["arrival"]) = (json!(asked), json!("fixed"));
        point["stopping"]["warmup_ios"] = json!(warmup);
        let reading = run(&point, &system);
        let beyond = asked - 100_000.0;
        let open = reading.open_loop.expect("an open loop");
        let outstanding = (8 * workers) as f64;
        assert!(reading.warmup_s >= f64::from(warmup) * 0.99e-5);
        assert_near(
            open.backlog_start as f64 + outstanding,
            beyond * reading.warmup_s,
            3.0,
        );
        let grown = (open.backlog_end - open.backlog_start) as f64;
        assert_near(grown, beyond * reading.measured_s, 3.0);
    }
}

/// Several workers and targets: outstanding I/Os are per target and worker, and depth = rate × latency.
#[test]
fn the_depth_is_what_was_asked_and_what_littles_law_says() {
    let mut system = one_drive(2, 300, json!([]), server(1_000, 50_000));
    let volume = system["volumes"][0].clone();
    system["volumes"].as_array_mut().expect("volumes").push(volume);
    system["volumes"][1]["name"] = json!("disk2");
    let mut point = point(0.67, 3, 4);
    let mut target = point["targets"][0].clone();
    target["path"] = json!("disk2");
    point["targets"].as_array_mut().expect("targets").push(target);
    let reading = run(&point, &system);
    let depth: f64 = reading
        .workers
        .iter()
        .map(|worker| worker.io_time_s / worker.elapsed_s)
        .sum();
    assert_near(depth, 24.0, 1e-6);
    let latency = (reading.reads.latency.sum_ns + reading.writes.latency.sum_ns) as f64 / 1e9;
    assert_near(latency / reading.measured_s, 24.0, 0.01);
    let split = reading.simulation.expect("simulated").latency_split;
    assert_near(split.values().sum(), 1.0, 1e-9);
    assert_eq!(reading.per_target.len(), 2);
}

/// With constant service and think time the asymptotic bounds are reached: X = min(N / (Z + R), 1 / s), where each of
/// N workers waits for its one I/O and thinks (Lazowska et al. 1984, table 5.2).
#[test]
fn workers_that_think_are_as_fast_as_the_bounds_allow() {
    let (service, delay, think) = (2_000, 18_000, 80_000);
    let system = one_drive(64, 0, json!([]), server(service, delay));
    for workers in [1, 3, 25, 49, 51, 64] {
        let mut point = point(1.0, 1, workers);
        point["profile"]["think_time_us"] = json!(think / 1000);
        let found = rate(&run(&point, &system));
        let round = (think + service + delay) as f64;
        let expected = (workers as f64 / round).min(1.0 / service as f64) * 1e9;
        assert_near(found / expected, 1.0, 2e-3);
    }
}

/// The response time law R = N / X − Z holds for any service (Little 1961), here with blocks of two sizes and a link.
#[test]
fn thinking_workers_keep_the_response_time_law() {
    let links = json!([link(GB, true)]);
    let system = one_drive(8, 1_500, links, server(4_000, 7_000));
    for workers in [2, 8] {
        let mut point = point(0.67, 1, workers);
        point["profile"]["blocks"] =
            json!([{ "bytes": 4096, "weight": 2.0 }, { "bytes": 65536, "weight": 1.0 }]);
        point["profile"]["think_time_us"] = json!(30);
        let reading = run(&point, &system);
        let latency = (reading.reads.latency.sum_ns + reading.writes.latency.sum_ns) as f64 / 1e9;
        let completed = (reading.reads.completed + reading.writes.completed) as f64;
        let expected = workers as f64 / rate(&reading) - 30e-6;
        // Either end of the window cuts each worker's round.
        assert_near(latency / completed / expected, 1.0, 2e-3);
    }
}

/// A turn of n accesses: they wait for each other at the one server, at most d at a time, and then the worker thinks.
/// n ÷ (n × s + delay + Z) where all are outstanding at once, n ÷ (n × (s + delay) + Z) where one is.
#[test]
fn a_worker_thinks_after_every_so_many_accesses() {
    let system = one_drive(1, 0, json!([]), server(5_000, 15_000));
    for (outstanding, every, turn_ns) in [(1, 4, 4 * 20_000), (4, 4, 35_000), (8, 4, 35_000), (1, 1, 20_000)]
    {
        let mut point = point(1.0, outstanding, 1);
        point["profile"]["think_time_us"] = json!(60);
        point["profile"]["think_every"] = json!(every);
        let expected = f64::from(every) / f64::from(turn_ns + 60_000) * 1e9;
        assert_near(rate(&run(&point, &system)) / expected, 1.0, 1e-3);
    }
}

/// All of a load start at one moment: a closed loop makes 24 rounds before anything is counted.
#[test]
fn the_first_rounds_of_a_closed_loop_count_for_nothing() {
    let mut point = point(1.0, 1000, 1);
    point["stopping"]["warmup_ios"] = json!(0);
    let reading = run(&point, &one_drive(1, 0, json!([]), server(10_000, 0)));
    let begin = reading.warmup_s - reading.precision.discarded_windows as f64 * reading.series.window_s;
    assert_near(begin * 100_000.0 / 24_000.0, 1.0, 0.01);
}

/// In a few rounds quick I/Os complete often and slow ones hardly at all: 24 are counted, and twice as many where the
/// precision asked for is not reached before. What an open loop counts is what the point says.
#[test]
fn a_closed_loop_counts_rounds_and_not_ios_alone() {
    let counted = |precision: f64, rate: Option<f64>| {
        let mut point = point(0.5, 1000, 1);
        point["rate_io_s"] = json!(rate);
        point["stopping"]["floor_ios"] = json!(2000);
        point["stopping"]["cap_ios"] = json!(3000);
        point["stopping"]["precision"] = json!(precision);
        let reading = run(&point, &one_drive(1, 0, json!([]), server(5_000, 20_000)));
        let series = &reading.series;
        series.reads.iter().chain(&series.writes).sum::<u64>()
    };
    let least = counted(0.5, None);
    assert!((23_500..=48_500).contains(&least), "{least}");
    assert_near(counted(1e-6, None) as f64 / 48_000.0, 1.0, 0.05);
    assert_near(counted(1e-6, Some(50_000.0)) as f64 / 3000.0, 1.0, 0.1);
}

/// What the stopping rule discards is in the series and in no figure: those are of the windows behind it. At 90 % of what the
/// server can, the queue is long in filling.
#[test]
fn what_is_discarded_is_in_no_figure() {
    let mut discarded = 0;
    for seed in 1..=8 {
        let mut point = point(1.0, 1000, 1);
        point["rate_io_s"] = json!(90_000.0);
        point["seed"] = json!(seed);
        point["stopping"]["warmup_ios"] = json!(0);
        let reading = run(&point, &one_drive(1, 0, json!([]), server(10_000, 0)));
        let (series, from) = (&reading.series, reading.precision.discarded_windows);
        discarded += from;
        let behind: u64 = series.reads[from..].iter().sum();
        assert_eq!(reading.reads.completed, behind, "seed {seed}");
        let windows = (series.reads.len() - from) as f64;
        assert_near(reading.measured_s / (windows * series.window_s), 1.0, 1e-9);
        let begin = reading.warmup_s - from as f64 * series.window_s;
        // The least warm-up of an open loop: twice as many I/Os as can be outstanding.
        assert_near(begin * 90_000.0 / 2_000.0, 1.0, 0.1);
    }
    assert!(discarded > 0, "nothing is tested");
}

/// The waiting of so many, added up, is longer than virtual time itself can be.
#[test]
fn a_deep_queue_is_as_long_as_what_is_outstanding() {
    let mut system = one_drive(4, 0, json!([]), disk());
    system["volumes"][0]["size_bytes"] = json!(450 * GB);
    let reading = run(&point(1.0, 4096, 4), &system);
    let stations = reading.simulation.expect("simulated").stations;
    let waiting: f64 = stations.iter().map(|station| station.mean_queue).sum();
    assert_near(waiting / 16384.0, 1.0, 0.01);
    for worker in &reading.workers {
        assert_near(worker.io_time_s / worker.elapsed_s, 4096.0, 1e-9);
    }
}
