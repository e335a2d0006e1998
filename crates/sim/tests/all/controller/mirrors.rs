//! Mirrors of hard disks, read from the nearer arm.

use iodyno_load::reading::Station;
use serde_json::{Value, json};

use crate::controller::systems::*;

const TRACK: u64 = 200_000_000;
const FULL: u64 = 12_200_000_000;

/// Two disks of one zone whose seeks take a time linear in the distance: a mean seek tells the mean distance.
fn pair(policy: &Value) -> Value {
    let mut drive = disk();
    drive["zones"] = json!(1);
    drive["inner_bytes_s"] = drive["outer_bytes_s"].clone();
    drive["seek_track_ps"] = json!(TRACK);
    drive["seek_average_ps"] = json!(TRACK + (FULL - TRACK) / 3);
    drive["seek_full_ps"] = json!(FULL);
    drive["missed_revolution"] = json!(0.0);
    mirrored("1", 2, 1, &drive, policy)
}

fn mirrored(level: &str, drives: usize, data: u64, drive: &Value, policy: &Value) -> Value {
    let mut system = array(level, drives, data, drive);
    system["controllers"][0]["logicals"][0]["array"]["mirror_read"] = policy.clone();
    having(system, "cache_bytes", 0)
}

fn nearest() -> Value {
    json!({ "policy": "nearest" })
}

fn spread() -> Value {
    json!({ "policy": "spread", "from_outstanding": 0 })
}

fn rate_of(system: &Value, read_share: f64, outstanding: usize) -> f64 {
    rate(&run(&random(system, read_share, 4096, outstanding), system))
}

/// A single arm moves a third of the stroke in the mean. Two independent ones have the nearer at 5/24, two that keep
/// apart because each serves what is near it are no further.
#[test]
fn one_outstanding_read_moves_the_nearer_arm() {
    let stroke = (FULL - TRACK) as f64 * 1e-12;
    let latency = |policy: &Value| 1.0 / rate_of(&pair(policy), 1.0, 1);
    let single = latency(&json!({ "policy": "primary" }));
    let expected = stroke / 3.0 + (TRACK as f64 + 2e9 + 60e6) * 1e-12 + 4096.0 / f64::from(240 << 20);
    assert_near(single / expected, 1.0, 0.01);
    assert_near(latency(&spread()) / single, 1.0, 0.01);
    let distance = 1.0 / 3.0 - (single - latency(&nearest())) / stroke;
    assert!((0.1..5.0 / 24.0).contains(&distance), "{distance} of the stroke");
}

fn mechanics(system: &Value, point: &Value) -> Station {
    let simulation = run(point, system).simulation.expect("simulated");
    let mut stations = simulation.stations.into_iter();
    stations
        .find(|station| station.name == "drive: mechanics")
        .expect("the mechanics")
}

#[test]
fn both_arms_have_as_much_to_do() {
    let system = pair(&nearest());
    for read_share in [1.0, 0.67] {
        let found = mechanics(&system, &random(&system, read_share, 4096, 1));
        assert_near(found.utilisation_max / found.utilisation_mean, 1.0, 0.05);
    }
}

/// With few outstanding an idle arm is not left idle, with many each arm has a part of the range.
#[test]
fn at_any_load_it_is_no_worse_than_the_shorter_queue() {
    for outstanding in [2, 8, 64, 256] {
        for read_share in [1.0, 0.67] {
            let of =
                |policy: &Value| rate_of(&mirrored("10", 4, 2, &disk(), policy), read_share, outstanding);
            let gain = of(&nearest()) / of(&spread());
            assert!(
                gain > 0.985,
                "{gain} with {outstanding} outstanding, {read_share} reads"
            );
        }
    }
}

#[test]
fn a_stream_is_no_slower_than_from_the_shorter_queue() {
    for (ahead, outstanding) in [
        (true, 1),
        (true, 8),
        (true, 256),
        (false, 2),
        (false, 8),
        (false, 256),
    ] {
        let of = |policy: &Value| {
            let system = with(mirrored("10", 8, 4, &disk(), policy), "read_ahead", json!(ahead));
            let system = having(system, "cache_bytes", 1 << 30);
            let mut point = sequential(&system, 1.0, outstanding);
            point["targets"][0]["area_length_bytes"] = json!(40 * GB);
            rate(&run(&point, &system))
        };
        let gain = of(&nearest()) / of(&spread());
        assert!(
            gain > 0.99,
            "{gain} with {outstanding} outstanding, ahead {ahead}"
        );
    }
}
