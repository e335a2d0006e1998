//! Several loads at once, each on a volume of its own.

use iodyno_load::reading::{Limit, LoadReading, Reading};
use iodyno_sim::ssd::amplification::{amplification, flash_ratio};
use serde_json::{Value, json};

use super::systems::{GB, assert_near, cpu, link, point, run, server};

/// A host with two drives, each a volume, both behind what is on the way.
fn two_drives(links: &Value, drives: [Value; 2]) -> Value {
    let hops = links.as_array().expect("links").len();
    let path: Vec<Value> = (0..hops).map(|link| json!({ "link": link })).collect();
    let slots = drives.map(|drive| json!({ "name": "drive", "path": path, "model": drive }));
    let volume = |drive: usize| {
        json!({
            "name": format!("disk{drive}"), "size_bytes": 800_000_000_000_u64, "cpu": cpu(0),
            "child_cpu": cpu(0), "on": { "kind": "drive", "drive": drive },
        })
    };
    json!({
        "name": "test", "host": { "cores": 2, "wakeup_ps": 0 }, "links": links, "switches": [],
        "controllers": [], "drives": slots, "volumes": [volume(0), volume(1)],
    })
}

/// The first point with the second beside it, each on its own volume.
fn both(mut first: Value, second: &Value) -> Value {
    let mut beside = second.clone();
    beside["targets"] = json!(1);
    beside["seed"] = json!(9);
    let mut target = second["targets"][0].clone();
    (first["targets"][0]["path"], target["path"]) = (json!("disk0"), json!("disk1"));
    first["targets"].as_array_mut().expect("targets").push(target);
    let known = [
        "profile",
        "targets",
        "outstanding",
        "workers",
        "rate_io_s",
        "arrival",
        "seed",
    ];
    let beside: serde_json::Map<_, _> = known
        .iter()
        .map(|&name| (name.to_owned(), beside[name].clone()))
        .collect();
    first["beside"] = json!([beside]);
    first
}

fn rate(load: &LoadReading, whole: &Reading) -> f64 {
    let done = load.measured.reads.completed + load.measured.writes.completed;
    done as f64 / whole.measured_s
}

#[test]
fn loads_on_drives_of_their_own_do_not_disturb_each_other() {
    let system = two_drives(&json!([]), [server(1_000, 0), server(4_000, 0)]);
    let reading = run(&both(point(1.0, 8, 1), &point(0.0, 4, 2)), &system);
    let [reads, writes] = &reading.loads[..] else {
        panic!("two loads")
    };
    // A server that always has work: one I/O in each service time.
    assert_near(rate(reads, &reading), 1e6, 1e3);
    assert_near(rate(writes, &reading), 0.25e6, 1e3);
    assert_eq!(
        (reads.measured.writes.completed, writes.measured.reads.completed),
        (0, 0)
    );
    assert_eq!((reads.workers.len(), writes.workers.len()), (1, 2));
    for load in [reads, writes] {
        let [target] = &load.measured.per_target[..] else {
            panic!("one target each")
        };
        assert_eq!(target.completed.reads, load.measured.reads.completed);
        assert_eq!(target.completed.writes, load.measured.writes.completed);
    }
    let depth = |load: &LoadReading| -> f64 {
        load.workers
            .iter()
            .map(|worker| worker.io_time_s / worker.elapsed_s)
            .sum()
    };
    assert_near(depth(reads), 8.0, 1e-9);
    assert_near(depth(writes), 8.0, 1e-9);
    // Little's law on each: its mean latency is its depth ÷ its rate.
    let mean = |load: &LoadReading| {
        let latency = [&load.measured.reads.latency, &load.measured.writes.latency];
        latency.iter().map(|part| part.sum_ns).sum::<u64>() as f64
            / latency
                .iter()
                .map(|part| part.count.iter().sum::<u64>())
                .sum::<u64>() as f64
    };
    assert_near(mean(reads), 8_000.0, 10.0);
    assert_near(mean(writes), 32_000.0, 100.0);
}

#[test]
fn what_they_have_in_common_they_share() {
    let limit = 2_000_000_000;
    let links = json!([link(limit, true)]);
    let system = two_drives(&links, [server(1_000, 0), server(1_000, 0)]);
    let mut large = point(1.0, 8, 1);
    large["profile"]["blocks"][0]["bytes"] = json!(65536);
    let reading = run(&both(point(1.0, 8, 1), &large), &system);
    let bytes = |load: &LoadReading| load.measured.reads.bytes as f64 / reading.measured_s;
    let moved: Vec<f64> = reading.loads.iter().map(bytes).collect();
    assert_near(moved.iter().sum(), limit as f64, limit as f64 / 500.0);
    // First come, first served, as many of each in the queue: as many of each go over.
    let rates: Vec<f64> = reading.loads.iter().map(|load| rate(load, &reading)).collect();
    assert_near(rates[0] / rates[1], 1.0, 0.02);
}

#[test]
fn a_rate_beside_a_loop_that_waits_keeps_its_schedule() {
    let system = two_drives(&json!([]), [server(1_000, 0), server(4_000, 0)]);
    let mut paced = point(1.0, 64, 1);
    (paced["rate_io_s"], paced["arrival"]) = (json!(100_000.0), json!("fixed"));
    let reading = run(&both(point(1.0, 2, 1), &paced), &system);
    let [waiting, scheduled] = &reading.loads[..] else {
        panic!("two loads")
    };
    assert!(reading.open_loop.is_none() && waiting.measured.open_loop.is_none());
    assert_near(rate(waiting, &reading), 1e6, 1e3);
    assert_near(rate(scheduled, &reading), 1e5, 1e2);
    let opened = scheduled.measured.open_loop.as_ref().expect("an open loop");
    assert_eq!((opened.held_starts, opened.late_starts), (0, 0));
    // Every 10 µs one that takes 4 µs: nobody waits.
    assert_eq!(scheduled.measured.reads.latency.max_ns, 4_000);
}

/// Dies are the limit of both, and each load has the spare flash that its own trims leave.
#[test]
fn what_a_load_does_to_its_drive_is_no_other_loads() {
    let mut drive = server(100, 0);
    (drive["program_bytes"], drive["program_ps"]) = (json!(32_768), json!(4_000_000_000_u64));
    (drive["spare_share"], drive["filled_share"]) = (json!(0.12), json!(1.0));
    (drive["capacity_bytes"], drive["buffer_bytes"]) = (json!(32 * GB), json!(16 << 20));
    let mut system = two_drives(&json!([]), [drive.clone(), drive]);
    for volume in 0..2 {
        system["volumes"][volume]["size_bytes"] = json!(32 * GB);
    }
    let shares = [0.5, 0.0];
    let [first, second] = shares.map(|share| {
        let mut writes = point(0.0, 64, 1);
        writes["profile"]["trim_share"] = json!(share);
        writes["stopping"]["floor_ios"] = json!(40_000);
        writes
    });
    let reading = run(&both(first, &second), &system);
    for (share, load) in shares.into_iter().zip(&reading.loads) {
        let amplified = amplification(flash_ratio(0.12, 1.0, 1.0) / (1.0 - share));
        let expected = 64.0 * 4.0 / (4e-3 * amplified);
        assert_near(rate(load, &reading) / expected, 1.0, 0.03);
    }
}

/// Two schedules of 100 000 I/Os a second: one is kept, of the other the drive serves half.
#[test]
fn starts_that_wait_are_those_of_the_load_that_is_overloaded() {
    let mut paced = point(1.0, 8, 1);
    (paced["rate_io_s"], paced["arrival"]) = (json!(100_000.0), json!("fixed"));
    for overloaded in [0, 1] {
        let drives = [0, 1].map(|drive| server(if drive == overloaded { 20_000 } else { 1_000 }, 0));
        let reading = run(&both(paced.clone(), &paced), &two_drives(&json!([]), drives));
        let opened = |load: usize| {
            let opened = reading.loads[load].measured.open_loop.as_ref();
            opened.expect("an open loop")
        };
        assert_eq!(
            (
                opened(1 - overloaded).backlog_end,
                opened(1 - overloaded).held_starts
            ),
            (0, 0)
        );
        let whole_s = reading.simulation.as_ref().expect("simulated").virtual_s;
        assert_near(
            opened(overloaded).backlog_end as f64,
            50_000.0 * whole_s,
            0.01 * 50_000.0 * whole_s,
        );
    }
}

/// Two targets with two workers each, four starts in turn: each target has one in every second interval, whoever drives
/// it, and so no start finds the one before it where a service takes one and a half.
#[test]
fn workers_of_a_part_take_turns_on_each_target() {
    let system = two_drives(&json!([]), [server(15_000, 0), server(15_000, 0)]);
    for driven in [json!(null), json!(1)] {
        let mut paced = point(1.0, 8, 2);
        let mut other = paced["targets"][0].clone();
        (paced["targets"][0]["path"], other["path"]) = (json!("disk0"), json!("disk1"));
        paced["targets"].as_array_mut().expect("targets").push(other);
        (paced["rate_io_s"], paced["arrival"]) = (json!(100_000.0), json!("fixed"));
        paced["targets_per_worker"] = driven;
        let latency = run(&paced, &system).reads.latency;
        assert_eq!((latency.min_ns, latency.max_ns), (15_000, 15_000));
    }
}

/// An I/O of the first takes 1 µs of its server and 9 µs of delay, one at a time: a tenth busy, whatever the other does, which
/// keeps its core busy.
#[test]
fn what_limits_another_load_is_not_told_of_the_first() {
    let mut system = two_drives(&json!([]), [server(1_000, 9_000), server(4_000, 0)]);
    system["volumes"][1]["cpu"] = cpu(20_000);
    let reading = run(&both(point(1.0, 1, 1), &point(1.0, 8, 1)), &system);
    let found = reading.simulation.expect("simulated");
    assert_eq!(
        (found.bottleneck.station, found.bottleneck.kind),
        (None, Limit::Outstanding)
    );
    assert_eq!(found.bottleneck.place, "drive_front");
    assert_near(found.bottleneck.utilisation, 0.1, 1e-3);
    let busy = |name: &str, beside: bool| {
        let those = found
            .stations
            .iter()
            .filter(|one| one.name == name && one.beside == beside);
        let [one] = &those.collect::<Vec<_>>()[..] else {
            panic!("one of each")
        };
        assert_eq!(one.count, 1);
        one.utilisation_mean
    };
    assert_near(busy("drive: firmware", false), 0.1, 1e-3);
    assert_near(busy("drive: firmware", true), 0.2, 1e-3);
    assert_near(busy("core", false), 0.0, 1e-9);
    assert_near(busy("core", true), 1.0, 1e-3);
    // Its latency is all its own.
    assert_near(found.latency_split["drive_front"], 1.0, 1e-3);
}

#[test]
fn what_both_go_through_limits_the_first_too() {
    let links = json!([link(2_000_000_000, true)]);
    let system = two_drives(&links, [server(1_000, 0), server(1_000, 0)]);
    let reading = run(&both(point(1.0, 1, 1), &point(1.0, 16, 1)), &system);
    let found = reading.simulation.expect("simulated");
    assert_eq!(found.bottleneck.station.as_deref(), Some("link, reads"));
    let shared = found
        .stations
        .iter()
        .find(|one| one.name == "link, reads")
        .expect("it");
    assert!(!shared.beside);
}

/// One load on two drives, each with so many of its I/Os outstanding: the slow drive is not what limits the sum, whether it reads,
/// writes or trims.
#[test]
fn a_target_with_few_of_the_ios_limits_those_alone() {
    for (reads, trims) in [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0)] {
        few_of_the_ios_are_limited_alone(reads, trims);
    }
}

fn few_of_the_ios_are_limited_alone(reads: f64, trims: f64) {
    let limit = |fast: Value| {
        let mut system = two_drives(&json!([]), [fast, server(100_000, 0)]);
        system["drives"][1]["name"] = json!("a slow one");
        let mut asked = point(reads, 1, 1);
        asked["profile"]["trim_share"] = json!(trims);
        let mut target = asked["targets"][0].clone();
        (asked["targets"][0]["path"], target["path"]) = (json!("disk0"), json!("disk1"));
        asked["targets"].as_array_mut().expect("targets").push(target);
        run(&asked, &system).simulation.expect("simulated").bottleneck
    };
    // 100,000 a second with 10 us each on one drive that is busy for a tenth, and 10,000 on the other.
    let found = limit(server(1_000, 9_000));
    assert_eq!(found.station.as_deref(), Some("a slow one: firmware"));
    assert_near(found.share.expect("some"), 1.0 / 11.0, 1e-3);
    // 1,000,000 a second, as fast as the drive is, and 10,000 on the other: both are saturated.
    let found = limit(server(1_000, 0));
    assert_eq!(found.station.as_deref(), Some("drive: firmware"));
    assert_near(found.share.expect("some"), 100.0 / 101.0, 1e-3);
}

/// Two drives alike are one limit, which all I/Os have.
#[test]
fn targets_on_drives_alike_have_one_limit() {
    let system = two_drives(&json!([]), [server(10_000, 0), server(10_000, 0)]);
    let mut asked = point(1.0, 16, 1);
    let mut target = asked["targets"][0].clone();
    (asked["targets"][0]["path"], target["path"]) = (json!("disk0"), json!("disk1"));
    asked["targets"].as_array_mut().expect("targets").push(target);
    let simulation = run(&asked, &system).simulation.expect("simulated");
    let limit = simulation.bottleneck;
    assert_eq!(
        (limit.station.as_deref(), limit.share),
        (Some("drive: firmware"), None)
    );
    // A share is told where it is not all.
    assert!(simulation.stations.iter().all(|station| station.share.is_none()));
}

/// Two workers, each with a drive of its own and 16 outstanding: the first serves each at once within 99 µs, the other one after the other.
#[test]
fn a_core_counts_by_the_ios_of_the_targets_that_it_drives() {
    let limit = |drive_ns: u64, core_ns: [u64; 2]| {
        let mut system = two_drives(&json!([]), [server(1_000, 99_000), server(drive_ns, 0)]);
        system["drives"][1]["name"] = json!("a slow one");
        for (volume, core_ns) in core_ns.into_iter().enumerate() {
            system["volumes"][volume]["cpu"] = cpu(core_ns);
        }
        let mut asked = point(1.0, 16, 1);
        let mut target = asked["targets"][0].clone();
        (asked["targets"][0]["path"], target["path"]) = (json!("disk0"), json!("disk1"));
        asked["targets"].as_array_mut().expect("targets").push(target);
        asked["targets_per_worker"] = json!(1);
        let found = run(&asked, &system).simulation.expect("simulated").bottleneck;
        (found.station.expect("saturated"), found.share.expect("not all"))
    };
    // 100,000 a second, as fast as its core is, and 10,000 on the drive that is saturated, too.
    let (station, share) = limit(100_000, [10_000, 0]);
    assert_eq!(station, "core");
    assert_near(share, 10.0 / 11.0, 2e-3);
    // 160,000 a second wait for a drive that is idle mostly, and 10,000 are as many as a core gives.
    let (station, share) = limit(1_000, [1_000, 100_000]);
    assert_eq!(station, "core");
    assert_near(share, 1.0 / 17.0, 2e-3);
}

/// What a load beside writes keeps the writing direction of the link busy, which a reader does not use.
#[test]
fn a_reader_is_not_limited_by_the_direction_of_writes() {
    for (full_duplex, expected) in [(true, None), (false, Some("link"))] {
        let system = two_drives(
            &json!([link(500_000_000, full_duplex)]),
            [server(1_000, 90_000), server(1_000, 0)],
        );
        let found = run(&both(point(1.0, 1, 1), &point(0.0, 16, 1)), &system);
        let found = found.simulation.expect("simulated").bottleneck;
        assert_eq!(found.station.as_deref(), expected);
    }
}

/// Mean latency of a load in seconds, and I/Os of it that count.
fn mean_latency(load: &LoadReading) -> (f64, f64) {
    let reads = &load.measured.reads;
    let mean = reads.latency.sum_ns as f64 / 1e9 / reads.completed as f64;
    (mean, reads.completed as f64)
}

/// 512 I/Os that are served one after the other, slowly beside those of another: all 512 are issued at one moment, so
/// none of the first round has waited for as long as those after it. By Little's law a latency is 512 services.
#[test]
fn a_slow_load_has_its_first_round_behind_it() {
    for (service_ns, rate_io_s) in [(200_000, json!(null)), (50_000, json!(100_000.0))] {
        let system = two_drives(&json!([]), [server(1_000, 0), server(service_ns, 0)]);
        let mut slow = point(1.0, 512, 1);
        slow["rate_io_s"] = rate_io_s;
        let reading = run(&both(point(1.0, 8, 1), &slow), &system);
        let (mean, _) = mean_latency(&reading.loads[1]);
        let service_s = service_ns as f64 / 1e9;
        assert_near(mean / (512.0 * service_s), 1.0, 0.01);
        assert_near(rate(&reading.loads[1], &reading) * service_s, 1.0, 0.01);
    }
}

/// 24 rounds of 512, of which half may be cut off, within 200,000 I/Os of both.
#[test]
fn a_slow_load_has_rounds_of_its_own() {
    let system = two_drives(&json!([]), [server(1_000, 0), server(10_000, 0)]);
    for rate_io_s in [json!(null), json!(200_000.0)] {
        let mut slow = point(1.0, 512, 1);
        slow["rate_io_s"] = rate_io_s;
        let reading = run(&both(point(1.0, 8, 1), &slow), &system);
        let (mean, counted) = mean_latency(&reading.loads[1]);
        assert!(counted >= 12.0 * 512.0, "{counted}");
        assert_near(mean / (512.0 * 10e-6), 1.0, 0.01);
    }
}

/// Of 5,000 I/Os that are not counted half are its own, each of which takes 10 µs: ten of the other are done meanwhile.
#[test]
fn a_slow_load_has_its_share_of_the_warm_up() {
    let drives = [server(1_000, 0), server(10_000, 0)];
    for drives in [drives.clone(), [drives[1].clone(), drives[0].clone()]] {
        let reading = run(
            &both(point(1.0, 8, 1), &point(1.0, 8, 1)),
            &two_drives(&json!([]), drives),
        );
        let windows = serde_json::to_value(&reading.series).expect("JSON");
        let window_s = windows["window_s"].as_f64().expect("a number");
        let cut_s = reading.precision.discarded_windows as f64 * window_s;
        assert_near(reading.warmup_s - cut_s, 2_500.0 * 10e-6, 1e-3);
    }
}

/// A rate that is low is no reason to wait: its I/Os come back at once.
#[test]
fn a_load_that_asks_for_little_makes_no_point_longer() {
    let system = two_drives(&json!([]), [server(1_000, 0), server(4_000, 0)]);
    let mut rare = point(1.0, 512, 1);
    (rare["rate_io_s"], rare["arrival"]) = (json!(100.0), json!("fixed"));
    let reading = run(&both(point(1.0, 8, 1), &rare), &system);
    // 5,000 I/Os are not counted, or two rounds of 520; 1,000,000 a second.
    assert_near(reading.warmup_s, 5e-3, 1e-3);
}
