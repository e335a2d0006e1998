//! Disks of an array turn at speeds of their own: what needs two of them waits for the later of two angles that know nothing of
//! each other, in every point.

use serde_json::{Value, json};

use crate::controller::systems::*;

const TRACK: f64 = 0.2e-3;
const FULL: f64 = 12.2e-3;
const REVOLUTION: f64 = 4e-3;
const SETTLE: f64 = 0.3e-3;
const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;

/// Disks of one zone that miss no revolution, whose seeks take a time linear in the distance: a third of the stroke in the
/// mean.
fn two(level: &str, data_drives: u64) -> Value {
    let ps = |seconds: f64| json!((seconds * 1e12) as u64);
    let mut drive = disk();
    (drive["zones"], drive["missed_revolution"]) = (json!(1), json!(0.0));
    drive["inner_bytes_s"] = drive["outer_bytes_s"].clone();
    drive["seek_track_ps"] = ps(TRACK);
    drive["seek_average_ps"] = ps(TRACK + (FULL - TRACK) / 3.0);
    drive["seek_full_ps"] = ps(FULL);
    having(array(level, 2, data_drives, &drive), "cache_bytes", 0)
}

/// Each of the seeds against the later of two uniform waits, two thirds of a revolution in the mean; and how many of them
/// have it in their interval.
fn is_the_later_of_two(system: &Value, read_share: f64, bytes: u64, others: f64) {
    let seek = TRACK + (FULL - TRACK) / 3.0;
    let command = 60e-6 + (HOST_IO + DISK_IO) as f64 * 1e-9;
    let expected = 1.0 / (command + seek + others + REVOLUTION * 2.0 / 3.0);
    let within = SEEDS.filter(|&seed| {
        let mut point = random(system, read_share, bytes, 1);
        point["seed"] = json!(seed);
        let reading = run(&point, system);
        let off = (rate(&reading) / expected - 1.0).abs();
        assert!(
            off < 0.015,
            "seed {seed}: {} IO/s, not {expected}",
            rate(&reading)
        );
        off <= reading.precision.half_width.expect("an interval")
    });
    // Of 95 of 100 intervals, as they are told.
    let within = within.count();
    assert!(within >= 6, "{within} of 8");
}

/// Both copies are on the same track of their disks.
#[test]
fn a_mirrored_write_waits_for_the_later_of_two_disks() {
    let transfer = 4096.0 / f64::from(240 << 20);
    is_the_later_of_two(&two("1", 1), 0.0, 4096, SETTLE + transfer);
}

/// So are both halves of a read of two strips.
#[test]
fn a_read_of_two_strips_waits_for_the_later_of_two_disks() {
    let transfer = STRIP as f64 / f64::from(240 << 20);
    is_the_later_of_two(&two("0", 2), 1.0, 2 * STRIP, transfer);
}
