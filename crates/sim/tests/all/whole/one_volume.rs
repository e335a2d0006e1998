//! Several loads at once on one volume: what they come to together follows from what each writes, and two that are
//! alike are one with twice as many outstanding.

use iodyno_load::reading::{LoadReading, Reading};
use iodyno_load::request::Point;
use iodyno_sim::ssd::amplification::{amplification, flash_ratio};
use iodyno_sim::system::System;
use iodyno_sim::{Control, SimError, simulate};
use serde_json::{Value, json};

use super::systems::{GB, assert_near, host_raid, one_drive, point, rate, run, server};
use crate::controller::systems::{array, disk};

/// The first point with the others beside it, each on the area that it says.
pub(super) fn at_once(mut first: Value, others: &[Value]) -> Value {
    let known = ["profile", "outstanding", "workers", "rate_io_s", "arrival"];
    let mut beside = Vec::new();
    for (place, other) in others.iter().enumerate() {
        let of = known.iter().map(|&name| (name.to_owned(), other[name].clone()));
        let mut load: serde_json::Map<_, _> = of.collect();
        load.insert("targets".to_owned(), json!(1));
        load.insert("seed".to_owned(), json!(90 + place));
        beside.push(Value::Object(load));
        let targets = first["targets"].as_array_mut().expect("targets");
        targets.push(other["targets"][0].clone());
    }
    first["beside"] = json!(beside);
    first
}

/// A drive whose dies are the limit: 256 programs of four blocks in 4 ms are 64 000 blocks a second without garbage.
fn flash(filled: f64) -> Value {
    let mut drive = server(100, 0);
    (drive["program_bytes"], drive["program_ps"]) = (json!(32_768), json!(4_000_000_000_u64));
    (drive["spare_share"], drive["filled_share"]) = (json!(0.12), json!(filled));
    (drive["capacity_bytes"], drive["buffer_bytes"]) = (json!(32 * GB), json!(16 << 20));
    let mut system = one_drive(4, 0, json!([]), drive);
    system["volumes"][0]["size_bytes"] = json!(32 * GB);
    system
}

const UNAMPLIFIED: f64 = 64.0 * 4.0 / 4e-3;

fn writes(outstanding: usize, (start, length): (u64, u64)) -> Value {
    let mut load = point(0.0, outstanding, 1);
    load["targets"][0]["area_start_bytes"] = json!(start);
    load["targets"][0]["area_length_bytes"] = json!(length);
    load["stopping"]["floor_ios"] = json!(40_000);
    load
}

fn of_load(load: &LoadReading, whole: &Reading) -> f64 {
    (load.measured.reads.completed + load.measured.writes.completed) as f64 / whole.measured_s
}

fn same(system: &Value, load: &Value, within: f64) {
    let mut twice = load.clone();
    twice["outstanding"] = json!(2 * load["outstanding"].as_u64().expect("a depth"));
    let one = run(&twice, system);
    let both = run(&at_once(load.clone(), std::slice::from_ref(load)), system);
    assert_near(rate(&both) / rate(&one), 1.0, within);
    let [first, second] = &both.loads[..] else {
        panic!("two loads")
    };
    // Each has the half of it, and its own depth (Little).
    assert_near(of_load(first, &both) / of_load(second, &both), 1.0, 3.0 * within);
    for load in [first, second] {
        let depth: f64 = load.workers.iter().map(|of| of.io_time_s / of.elapsed_s).sum();
        assert_near(
            depth / (twice["outstanding"].as_f64().expect("a depth") / 2.0),
            1.0,
            1e-9,
        );
    }
}

#[test]
fn two_loads_alike_are_one_with_twice_as_many_outstanding() {
    for filled in [0.0, 1.0] {
        for length in [32 * GB, 8 * GB] {
            same(&flash(filled), &writes(32, (0, length)), 0.02);
        }
    }
    let mut mixed = writes(16, (0, 32 * GB));
    mixed["profile"]["read_share"] = json!(0.5);
    same(&flash(1.0), &mixed, 0.02);
    for cached in [false, true] {
        let mut drive = disk();
        drive["write_cache"] = json!(cached);
        let mut alone = one_drive(4, 0, json!([]), drive);
        alone["volumes"][0]["size_bytes"] = json!(450 * GB);
        for read_share in [0.0, 0.5] {
            let mut load = writes(16, (0, 100 * GB));
            load["profile"]["read_share"] = json!(read_share);
            same(&alone, &load, 0.03);
        }
    }
    // Syncs of both wait for the same flushes.
    let mut cached = one_drive(4, 0, json!([]), disk());
    cached["drives"][0]["model"]["write_cache"] = json!(true);
    cached["volumes"][0]["size_bytes"] = json!(450 * GB);
    let mut synced = writes(8, (0, 100 * GB));
    synced["profile"]["fsync_every"] = json!(1);
    same(&cached, &synced, 0.03);
    for (level, data) in [("0", 4), ("5", 3)] {
        let mut behind = array(level, 4, data, &disk());
        for cached in [false, true] {
            behind["controllers"][0]["logicals"][0]["write_back"] = json!(cached);
            for read_share in [0.0, 0.7, 1.0] {
                let mut load = writes(16, (0, 100 * GB));
                load["profile"]["read_share"] = json!(read_share);
                same(&behind, &load, 0.05);
            }
        }
    }
}

/// The caches of eight disks hold more writes than are done here in all: from empty caches the two would write
/// several times as fast. How full they stay decides the rate, and not whose writes they are.
#[test]
fn two_loads_begin_as_one_with_twice_as_many_outstanding() {
    let mut drive = disk();
    (drive["write_cache"], drive["write_cache_entries"]) = (json!(true), json!(512));
    let mut array = host_raid("0", 8, 0, &drive);
    array["volumes"][0]["size_bytes"] = json!(3_500 * GB);
    for read_share in [0.0, 0.5] {
        let load = |(start, length): (u64, u64), outstanding: usize| {
            let mut load = writes(outstanding, (start * GB, length * GB));
            load["profile"]["read_share"] = json!(read_share);
            load["stopping"]["warmup_ios"] = json!(500);
            (load["stopping"]["floor_ios"], load["stopping"]["cap_ios"]) = (json!(3000), json!(3000));
            load
        };
        same(&array, &load((0, 900), 16), 0.05);
        // So do two halves that lie apart.
        let halves = at_once(load((0, 450), 16), &[load((450, 450), 16)]);
        let (one, both) = (run(&load((0, 900), 32), &array), run(&halves, &array));
        assert_near(rate(&both) / rate(&one), 1.0, 0.05);
    }
}

#[test]
fn a_load_that_does_next_to_nothing_changes_nothing() {
    let alone = writes(64, (0, 16 * GB));
    let mut rare = writes(8, (16 * GB, 16 * GB));
    rare["rate_io_s"] = json!(1.0);
    let expected = UNAMPLIFIED / amplification(flash_ratio(0.12, 0.5, 1.0));
    let both = run(&at_once(alone.clone(), &[rare.clone()]), &flash(1.0));
    assert_near(of_load(&both.loads[0], &both) / expected, 1.0, 0.02);
    // Nor do rare sequential writes all over the area.
    rare["targets"][0]["area_start_bytes"] = json!(0);
    rare["profile"]["random_share"] = json!(0.0);
    let both = run(&at_once(alone, &[rare]), &flash(1.0));
    assert_near(of_load(&both.loads[0], &both) / expected, 1.0, 0.02);
}

#[test]
fn a_cache_keeps_what_it_did_beside_a_load_that_does_next_to_nothing() {
    let mut behind = array("10", 4, 2, &disk());
    behind["controllers"][0]["logicals"][0]["write_back"] = json!(true);
    let alone = writes(32, (0, 100 * GB));
    let mut rare = writes(8, (200 * GB, 100 * GB));
    rare["rate_io_s"] = json!(0.01);
    let both = run(&at_once(alone.clone(), &[rare]), &behind);
    let one = run(&alone, &behind);
    assert_near(of_load(&both.loads[0], &both) / rate(&one), 1.0, 0.05);
}

/// Halves that are written at one rate are one area that is written evenly.
#[test]
fn two_halves_at_one_rate_are_the_whole() {
    let halves = at_once(writes(32, (0, 16 * GB)), &[writes(32, (16 * GB, 16 * GB))]);
    let expected = UNAMPLIFIED / amplification(flash_ratio(0.12, 1.0, 1.0));
    assert_near(rate(&run(&halves, &flash(1.0))) / expected, 1.0, 0.02);
}

/// The drive serves all writes in turn, so three of four are those of the load with three times as many outstanding. What is
/// collected has the same share of valid pages whosever they are: both have as much of the spare flash, and what was not written
/// more often none of theirs.
#[test]
fn of_uneven_halves_each_has_as_much_of_the_spare_flash() {
    let halves = at_once(writes(48, (0, 16 * GB)), &[writes(16, (16 * GB, 16 * GB))]);
    let reading = run(&halves, &flash(1.0));
    let pages = amplification(flash_ratio(0.12, 1.0, 1.0));
    assert_near(rate(&reading) * pages / UNAMPLIFIED, 1.0, 0.02);
    assert_near(of_load(&reading.loads[0], &reading) / rate(&reading), 0.75, 0.01);
}

/// Where some of the writes follow on each other they go to all of the area, and so there is data between the zones as well.
#[test]
fn what_lies_between_zones_is_written_where_not_all_is_random() {
    for (random, filled, accessed) in [(1.0, 1.0, 0.5), (1.0, 0.0, 0.5), (0.5, 1.0, 0.5), (0.5, 0.0, 1.0)] {
        let mut load = writes(64, (0, 32 * GB));
        load["profile"]["random_share"] = json!(random);
        let zones = [json!({ "accesses": 1.0, "range": 0.5 })];
        load["profile"]["distribution"] = json!({ "kind": "zones", "zones": zones });
        // Of what is written in order each part has as much as data.
        let spare = flash_ratio(0.12, accessed, filled) * accessed - accessed;
        let pages = 1.0 + random * (amplification(1.0 + spare / 0.5) - 1.0);
        assert_near(rate(&run(&load, &flash(filled))) * pages / UNAMPLIFIED, 1.0, 0.02);
    }
}

/// One load with zones writes as two that each have one of them; what no zone is in is as if no load had it.
#[test]
fn zones_are_written_as_areas_of_their_own() {
    let zoned = |zones: &[(f64, f64)]| {
        let zones: Vec<_> = zones
            .iter()
            .map(|of| json!({ "accesses": of.0, "range": of.1 }))
            .collect();
        let mut load = writes(64, (0, 32 * GB));
        load["profile"]["distribution"] = json!({ "kind": "zones", "zones": zones });
        rate(&run(&load, &flash(1.0)))
    };
    for accessed in [1.0, 0.5, 0.25] {
        let pages = amplification(flash_ratio(0.12, accessed, 1.0));
        let rest = (0.0, 1.0 - accessed);
        for zones in [
            vec![(0.9, accessed * 0.1), (0.1, accessed * 0.9)],
            vec![(0.9, accessed * 0.1), rest, (0.1, accessed * 0.9)],
            vec![rest, (1.0, accessed)],
        ] {
            let zones: Vec<_> = zones.into_iter().filter(|zone| zone.1 > 0.0).collect();
            assert_near(zoned(&zones) * pages / UNAMPLIFIED, 1.0, 0.02);
        }
    }
}

/// Sequential writes beside random ones on one area: only those at random are amplified.
#[test]
fn of_random_and_sequential_writes_at_once_only_the_random_ones_are_amplified() {
    let mut sequential = writes(16, (0, 32 * GB));
    sequential["profile"]["random_share"] = json!(0.0);
    let random = writes(48, (0, 32 * GB));
    let pages = 1.0 + 0.75 * (amplification(flash_ratio(0.12, 1.0, 1.0)) - 1.0);
    for loads in [(&random, &sequential), (&sequential, &random)] {
        let reading = run(
            &at_once(loads.0.clone(), std::slice::from_ref(loads.1)),
            &flash(1.0),
        );
        assert_near(rate(&reading) * pages / UNAMPLIFIED, 1.0, 0.02);
    }
}

/// A trimming load leaves spare flash to the one that writes beside it.
#[test]
fn trims_of_one_load_help_the_writes_of_the_other() {
    let mut trims = writes(32, (0, 32 * GB));
    trims["profile"]["trim_share"] = json!(1.0);
    trims["rate_io_s"] = json!(5_000.0);
    let mut steady = writes(32, (0, 32 * GB));
    steady["rate_io_s"] = json!(5_000.0);
    let mut paced = at_once(trims, &[steady]);
    let busy = |point: &Value| {
        let reading = run(point, &flash(1.0));
        let stations = reading.simulation.expect("simulated").stations;
        let dies = stations.iter().find(|of| of.name == "drive: dies");
        dies.expect("dies").utilisation_mean
    };
    // Half of what is written or trimmed holds data: each write is so many pages, of 4 ms for four blocks.
    let expected = |valid: f64| {
        let pages = amplification(flash_ratio(0.12, 1.0, 1.0) / valid);
        5_000.0 * pages / UNAMPLIFIED
    };
    paced["stopping"]["floor_ios"] = json!(60_000);
    assert_near(busy(&paced) / expected(0.5), 1.0, 0.03);
}

#[test]
fn together_they_are_within_what_the_drive_can_do() {
    let system = one_drive(2, 0, json!([]), server(1_000, 0));
    let mut sequential = point(1.0, 4, 2);
    sequential["profile"]["random_share"] = json!(0.0);
    let reading = run(
        &at_once(point(1.0, 8, 1), &[point(0.0, 8, 1), sequential]),
        &system,
    );
    assert_near(rate(&reading), 1e6, 1e3);
    let parts: f64 = reading.loads.iter().map(|load| of_load(load, &reading)).sum();
    assert_near(parts, rate(&reading), 1e-6);
}

/// A drive whose data path, 2 GB/s out and 1 GB/s in, is the limit of what is written: a program of 64 KiB takes 65.5 µs to pass.
fn by_its_data_path() -> Value {
    let mut drive = server(0, 0);
    (drive["dies"], drive["stripe_bytes"]) = (json!(256), json!(16_384));
    (drive["read_ps"], drive["program_ps"]) = (json!(50_000_000_u64), json!(1_000_000_000_u64));
    (drive["program_bytes"], drive["buffer_bytes"]) = (json!(65_536), json!(64 << 20));
    (drive["data_read_bytes_s"], drive["data_write_bytes_s"]) = (json!(2 * GB), json!(GB));
    one_drive(2, 0, json!([]), drive)
}

/// Reads at random beside a stream of writes that would have the data path for itself.
fn beside_a_stream(outstanding: usize, reads: usize) -> Reading {
    let mut stream = point(0.0, 16, 1);
    stream["profile"]["random_share"] = json!(0.0);
    stream["profile"]["blocks"][0]["bytes"] = json!(65_536);
    let mut random = point(1.0, outstanding, 1);
    random["stopping"]["floor_ios"] = json!(reads);
    run(&at_once(random, &[stream]), &by_its_data_path())
}

/// As a read leaves, a program begins to pass and the next read comes to a die, which suspends what it programs at once. It is
/// through before that program, waits for the rest of it, and for no other, however many are in the buffer.
#[test]
fn a_read_passes_the_programs_that_wait_for_the_data_path() {
    let reading = beside_a_stream(1, 20_000);
    let latency = &reading.loads[0].measured.reads.latency;
    let mean_us = latency.sum_ns as f64 / reading.loads[0].measured.reads.completed as f64 / 1e3;
    let expected_us = 65_536.0 / 1e3 + 8192.0 / 2e3;
    assert_near(mean_us / expected_us, 1.0, 0.002);
    assert_near(latency.max_ns as f64 / 1e3 / expected_us, 1.0, 0.002);
    let written = reading.loads[1].measured.writes.bytes as f64 / reading.measured_s;
    assert_near(written / (65_536.0 / (expected_us * 1e-6)), 1.0, 0.002);
}

/// Where both wait without end they pass byte for byte.
#[test]
fn reads_and_programs_have_the_data_path_in_turns() {
    let reading = beside_a_stream(256, 100_000);
    let bytes = |load: &LoadReading| load.measured.reads.bytes + load.measured.writes.bytes;
    let each = reading.measured_s / (1.0 / 2e9 + 1.0 / 1e9);
    for load in &reading.loads {
        assert_near(bytes(load) as f64 / each, 1.0, 0.03);
    }
}

/// What a load has to itself before the other begins does not depend on what is written later.
#[test]
fn loads_that_begin_later_are_on_one_volume_too() {
    let mut both = at_once(writes(32, (0, 16 * GB)), &[writes(32, (16 * GB, 16 * GB))]);
    both["beside"][0]["begins_after_s"] = json!(0.5);
    let reading = run(&both, &flash(1.0));
    let expected = UNAMPLIFIED / amplification(flash_ratio(0.12, 1.0, 1.0));
    assert_near(rate(&reading) / expected, 1.0, 0.02);
    assert!(reading.warmup_s > 0.5);
}

#[test]
fn a_reader_finds_in_a_cache_only_what_is_written() {
    let mut behind = array("0", 4, 4, &disk());
    behind["controllers"][0]["logicals"][0]["write_back"] = json!(true);
    // What is written finds room in the cache, and what is read lies elsewhere: every read is the disks'.
    let mut reads = writes(4, (100 * GB, 100 * GB));
    reads["profile"]["read_share"] = json!(1.0);
    let reading = run(&at_once(reads, &[writes(1, (0, 256 << 20))]), &behind);
    let split = reading.loads[0].measured.reads.latency.min_ns;
    // A disk's command alone takes 60 µs, an answer from the cache some 15 µs.
    assert!(split > 60_000, "{split} ns");
}

#[test]
fn readers_in_different_ways_of_a_cache_that_keeps_reads_are_refused() {
    let mut behind = array("0", 4, 4, &disk());
    behind["controllers"][0]["logicals"][0]["cached_reads"] = json!(true);
    let system: System = serde_json::from_value(behind).expect("a system");
    let mut reads = writes(4, (0, 100 * GB));
    reads["profile"]["read_share"] = json!(1.0);
    let ask = |other: &Value| {
        let both = at_once(reads.clone(), std::slice::from_ref(other));
        let both: Point = serde_json::from_value(both).expect("a point");
        simulate(&both, &system, || Control::Continue)
    };
    assert!(ask(&reads).is_ok(), "alike");
    assert!(ask(&writes(4, (0, GB))).is_ok(), "a writer");
    let (mut smaller, mut by_a_law) = (reads.clone(), reads.clone());
    smaller["targets"][0]["area_length_bytes"] = json!(50 * GB);
    by_a_law["profile"]["distribution"] = json!({ "kind": "zipf", "parameter": 1.2 });
    let why = "several loads that read disk in different ways where its reads are cached cannot be simulated";
    for other in [smaller, by_a_law] {
        assert_eq!(ask(&other).err(), Some(SimError::Request(vec![why.to_owned()])));
    }
}

/// A load that thinks for a second after each I/O leaves another as it is alone, whatever it may have outstanding: neither sizes of
/// trims nor places apart make loads alike.
#[test]
fn loads_that_differ_in_trims_or_places_alone_are_not_alike() {
    let trimming = |outstanding: usize| {
        let mut load = writes(outstanding, (0, 32 * GB));
        load["profile"]["trim_share"] = json!(0.5);
        load["profile"]["write_blocks"] = load["profile"]["blocks"].clone();
        load
    };
    let (mut large, mut apart) = (trimming(512), trimming(512));
    large["profile"]["blocks"][0]["bytes"] = json!(131_072);
    apart["profile"]["alignment_bytes"] = json!(131_072);
    // Half of what is written or trimmed holds data.
    let pages = amplification(flash_ratio(0.12, 1.0, 1.0) / 0.5);
    for mut rare in [large, apart] {
        rare["profile"]["think_time_us"] = json!(1_000_000);
        let reading = run(&at_once(trimming(64), &[rare]), &flash(1.0));
        let written = reading.loads[0].measured.writes.completed as f64 / reading.measured_s;
        assert_near(written * pages / UNAMPLIFIED, 1.0, 0.05);
    }
}
