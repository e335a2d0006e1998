//! Random writes to places that leave what lies between them as it is, against a translation layer that is run.

use iodyno_sim::ssd::amplification::{amplification, flash_ratio};
use serde_json::{Value, json};

use super::one_volume::at_once;
use super::systems::{GB, assert_near, host_raid, limited_by_dies, point, rate, run};
use crate::ssd::greedy::run_places;

/// Blocks of 4 kB a second of one drive without garbage: see [`limited_by_dies`].
const UNAMPLIFIED: f64 = 64.0 * 8.0 / 4e-3;

/// Writes of 4 kB at multiples of so many of them.
fn writes(step: u64, length: u64) -> Value {
    let mut load = point(0.0, 64, 1);
    load["profile"]["blocks"] = json!([{ "bytes": 4096, "weight": 1.0 }]);
    load["profile"]["alignment_bytes"] = json!(4096 * step);
    load["targets"][0]["area_length_bytes"] = json!(length);
    load["stopping"]["floor_ios"] = json!(60_000);
    load
}

#[test]
fn what_lies_between_places_is_not_overwritten() {
    for (step, within) in [(2, 0.05), (8, 0.05), (16, 0.02)] {
        let reading = run(&writes(step, 40 * GB), &limited_by_dies());
        let expected = UNAMPLIFIED / run_places(0.12, (1.0, true), (1, step as usize));
        assert_near(rate(&reading) / expected, 1.0, within);
    }
}

/// A block of 512 bytes is a page of the drive. What is longer than the way to the next one leaves nothing, nor do
/// writes of which some go on behind the last.
#[test]
fn pages_are_whole_and_what_is_not_at_places_is_everywhere() {
    let rate_of = |load: &Value| rate(&run(load, &limited_by_dies()));
    let places = rate_of(&writes(16, 40 * GB));
    let mut small = writes(16, 40 * GB);
    small["profile"]["blocks"] = json!([{ "bytes": 512, "weight": 1.0 }]);
    assert_near(rate_of(&small) / (8.0 * places), 1.0, 0.02);
    let all = rate_of(&writes(1, 40 * GB));
    let mut long = writes(16, 40 * GB);
    long["profile"]["blocks"] = json!([{ "bytes": 65536, "weight": 1.0 }]);
    assert_near(16.0 * rate_of(&long) / all, 1.0, 0.02);
    let mut sizes = writes(16, 40 * GB);
    sizes["profile"]["blocks"] =
        json!([{ "bytes": 4096, "weight": 15.0 }, { "bytes": 65536, "weight": 1.0 }]);
    assert_near(31.0 / 16.0 * rate_of(&sizes) / all, 1.0, 0.05);
    let mut runs = writes(16, 40 * GB);
    runs["profile"]["random_every"] = json!(2);
    let amplified = UNAMPLIFIED / all;
    assert_near(
        rate_of(&runs) * f64::midpoint(1.0, amplified) / UNAMPLIFIED,
        1.0,
        0.02,
    );
}

/// Strips of 64 kB have 4 kB each, and so has the parity; a write is two of them in RAID 5 and 1, on four and two drives.
#[test]
fn members_of_arrays_have_the_places_that_strips_copies_and_parity_make() {
    let expected = UNAMPLIFIED / run_places(0.12, (1.0, true), (1, 16));
    for (level, drives, data, writes_each) in [("0", 2, 2, 1.0), ("1", 2, 1, 2.0), ("5", 4, 3, 2.0)] {
        let mut system = host_raid(level, drives, 0, &limited_by_dies()["drives"][0]["model"]);
        system["volumes"][0]["size_bytes"] = json!(data * 39 * GB);
        let mut load = writes(16, data * 39 * GB);
        load["outstanding"] = json!(256);
        let found = rate(&run(&load, &system)) * writes_each / drives as f64;
        assert_near(found / expected, 1.0, 0.03);
    }
}

/// Two loads at the same places are one; one on other halves has places there.
#[test]
fn loads_at_once_have_the_places_of_both() {
    let expected = UNAMPLIFIED / run_places(0.12, (1.0, true), (1, 16));
    let half = |from: u64| {
        let mut load = writes(16, 20 * GB);
        load["targets"][0]["area_start_bytes"] = json!(from);
        load
    };
    let whole = at_once(writes(16, 40 * GB), &[writes(16, 40 * GB)]);
    // Multiples of 64 KiB.
    let halves = at_once(half(0), &[half(20 * GB / 65_536 * 65_536)]);
    for load in [whole, halves] {
        assert_near(rate(&run(&load, &limited_by_dies())) / expected, 1.0, 0.03);
    }
    // All is written by one of them: nothing lies between.
    let mut everywhere = writes(1, 40 * GB);
    everywhere["outstanding"] = json!(32);
    let all = rate(&run(&everywhere, &limited_by_dies()));
    let both = at_once(writes(16, 40 * GB), &[everywhere]);
    assert_near(rate(&run(&both, &limited_by_dies())) / all, 1.0, 0.03);
}

/// What reads go to everywhere is not overwritten for that.
#[test]
fn reads_between_places_overwrite_nothing() {
    let expected = UNAMPLIFIED / run_places(0.12, (1.0, true), (1, 16));
    let mut reads = writes(1, 40 * GB);
    reads["profile"]["read_share"] = json!(1.0);
    (reads["rate_io_s"], reads["outstanding"]) = (json!(100.0), json!(1));
    let both = at_once(writes(16, 40 * GB), &[reads]);
    assert_near(rate(&run(&both, &limited_by_dies())) / expected, 1.0, 0.03);
}

/// Writes everywhere and trims at every sixteenth page, which is trimmed sixteen times as often as the mean: at most a
/// sixteenth is without data, whatever number of loads does it.
#[test]
fn trims_at_places_leave_no_more_spare_flash_than_there_are() {
    let of = |outstanding: usize| {
        let mut load = writes(1, 40 * GB);
        load["outstanding"] = json!(outstanding);
        load["profile"]["trim_share"] = json!(0.25);
        load["profile"]["alignment_bytes"] = json!(65_536);
        load["profile"]["write_alignment_bytes"] = json!(4096);
        load
    };
    let data = 1.0 - 1.0 / 16.0 * (16.0 * 0.25 / (16.0 * 0.25 + 0.75));
    let expected = UNAMPLIFIED / amplification(flash_ratio(0.12, 1.0, 1.0) / data);
    for load in [of(64), at_once(of(32), &[of(32)])] {
        let reading = run(&load, &limited_by_dies());
        let found = reading.writes.completed as f64 / reading.measured_s;
        assert_near(found / expected, 1.0, 0.03);
    }
}

/// Two writes for each trim hold data in two thirds of all, however many reads are among them, which take no time here.
#[test]
fn reads_among_writes_and_trims_leave_as_much_data() {
    let mut system = limited_by_dies();
    system["drives"][0]["model"]["read_ps"] = json!(0);
    let expected = UNAMPLIFIED / amplification(flash_ratio(0.12, 1.0, 1.0) * 3.0 / 2.0);
    for (trims, reads) in [(1.0 / 3.0, 0.0), (0.2, 0.5)] {
        let mut load = writes(1, 40 * GB);
        (load["profile"]["trim_share"], load["profile"]["read_share"]) = (json!(trims), json!(reads));
        let reading = run(&load, &system);
        let found = reading.writes.completed as f64 / reading.measured_s;
        assert_near(found / expected, 1.0, 0.03);
    }
}
