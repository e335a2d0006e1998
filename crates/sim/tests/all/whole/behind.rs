//! Arrays that the host joins of drives that a controller passes through: each operation on a member is an I/O of the
//! controller. Expected values come from the times of its parts.

use iodyno_load::request::Point;
use iodyno_sim::system::System;
use iodyno_sim::{Control, SimError, simulate};
use serde_json::{Value, json};

use crate::whole::systems::{assert_near, host_raid, link, point, rate, run, server};

/// Times of the controller's processor and its delay, in ns.
const HOST_IO: u64 = 3_000;
const DISK_IO: u64 = 2_000;
const DELAY: u64 = 4_000;
const AT_ONCE: u64 = 1_000_000_000_000_000;
/// Blocks of [`aligned`].
const BLOCK: f64 = 8192.0;

/// An array of the host whose drives hang on a controller with one core and nothing else.
fn behind(level: &str, drives: usize, drive: &Value) -> Value {
    let mut system = host_raid(level, drives, 0, drive);
    let logicals: Vec<Value> = (0..drives).map(|drive| passed_through(&[drive])).collect();
    system["controllers"] = json!([{
        "name": "adapter", "path": [], "cores": 1, "host_io_ps": HOST_IO * 1000, "fast_io_ps": HOST_IO * 1000,
        "disk_io_ps": DISK_IO * 1000, "parity_write_ps": 0, "parity_per_kib_ps": 0, "delay_ps": DELAY * 1000,
        "read_bytes_s": AT_ONCE, "write_bytes_s": AT_ONCE, "parity_bytes_s": AT_ONCE, "cache_bytes": 0,
        "cache_read_ps": 0, "cache_write_ps": 0, "drive_queue": 64, "logicals": logicals,
    }]);
    system
}

fn passed_through(drives: &[usize]) -> Value {
    let level = if drives.len() == 1 { "JBOD" } else { "0" };
    json!({
        "name": "logical", "size_bytes": 800_000_000_000_u64 / 65536 * 65536, "read_ahead": false, "write_back": false,
        "cached_reads": false, "fast_path": false,
        "array": {
            "level": level, "drives": drives, "groups": 1, "strip_bytes": 65536,
            "mirror_read": { "policy": "primary" }, "failed": [], "rebuild_bytes_s": 0,
        },
    })
}

/// 8 kB in one strip each.
fn aligned(read_share: f64, outstanding: usize) -> Value {
    let mut point = point(read_share, outstanding, 1);
    point["profile"]["alignment_bytes"] = json!(8192);
    point
}

/// Its processor is all that is slow, so a write takes as long as its level has operations: and is what is named.
#[test]
fn each_operation_on_a_member_is_an_io_of_the_controller() {
    let drive = server(1, 0);
    for (level, drives, of_write) in [
        ("0", 4, 1.0),
        ("1", 2, 2.0),
        ("10", 4, 2.0),
        ("5", 5, 4.0),
        ("6", 6, 6.0),
    ] {
        let system = behind(level, drives, &drive);
        let one = (HOST_IO + DISK_IO) as f64 * 1e-9;
        for (read_share, operations) in [(1.0, 1.0), (0.0, of_write)] {
            let reading = run(&aligned(read_share, 64), &system);
            // Of 20 000 writes to RAID 5 and 6 a few meet in a stripe.
            assert_near(rate(&reading) * operations * one, 1.0, 5e-3);
            let limit = &reading.simulation.expect("simulated").bottleneck;
            assert_eq!(
                limit.station.as_deref(),
                Some("adapter: processor"),
                "RAID {level}"
            );
            assert_eq!(limit.share, None);
        }
    }
}

/// RAID 5 of five reads data and parity, then writes both: the second of each waits for the processor behind the first. Of
/// three the other data are all that is to be read.
#[test]
fn operations_side_by_side_pass_the_processor_one_behind_the_other() {
    let service = 10_000;
    let of = |operations: u64| operations * (HOST_IO + DISK_IO) + DELAY + service;
    for (level, drives, expected) in [
        ("0", 3, of(1)),
        ("1", 2, of(2)),
        ("5", 3, of(1) + of(2)),
        ("5", 5, 2 * of(2)),
    ] {
        let reading = run(&aligned(0.0, 1), &behind(level, drives, &server(service, 0)));
        let latency = reading.writes.latency;
        assert_eq!(
            (latency.min_ns, latency.max_ns),
            (expected, expected),
            "RAID {level}"
        );
    }
}

/// One drive that the host joins with none is that drive, in all that is told of it.
#[test]
fn an_array_of_one_is_the_drive_that_is_passed_through() {
    let joined = behind("0", 1, &server(10_000, 7_000));
    let mut alone = joined.clone();
    alone["volumes"][0]["on"] = json!({ "kind": "logical", "controller": 0, "logical": 0 });
    let told = |system: &Value| serde_json::to_string(&run(&aligned(0.7, 16), system)).expect("JSON");
    assert_eq!(told(&joined), told(&alone));
}

/// Both copies of what is written pass the controller's link to the host.
#[test]
fn copies_pass_the_link_of_the_controller() {
    let mut system = behind("1", 2, &server(1, 0));
    let bytes_s = 200_000_000;
    (system["links"], system["controllers"][0]["path"]) =
        (json!([link(bytes_s, true)]), json!([{ "link": 0 }]));
    let writes = run(&aligned(0.0, 64), &system);
    assert_near(rate(&writes) * 2.0 * BLOCK / bytes_s as f64, 1.0, 5e-3);
    let reads = run(&aligned(1.0, 64), &system);
    assert_near(rate(&reads) * BLOCK / bytes_s as f64, 1.0, 5e-3);
}

/// The host reads from the one of a pair that has less to do: of unlike drives each is kept busy.
#[test]
fn mirrors_are_read_by_what_is_under_way_on_each() {
    let (fast, slow) = (20_000, 60_000);
    let mut system = behind("1", 2, &server(fast, 0));
    system["drives"][1]["model"] = server(slow, 0);
    let both = 1e9 / fast as f64 + 1e9 / slow as f64;
    assert_near(rate(&run(&aligned(1.0, 64), &system)) / both, 1.0, 0.01);
}

fn refusal(point: &Value, system: &Value) -> Vec<String> {
    let point: Point = serde_json::from_value(point.clone()).expect("a point");
    let system: System = serde_json::from_value(system.clone()).expect("a system");
    match simulate(&point, &system, || Control::Continue) {
        Err(SimError::Request(problems)) => problems,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn what_a_controller_joins_or_caches_is_not_joined_by_the_host() {
    let expected = ["disk: the host joins drives that a controller joins or caches as well"];
    let system = behind("0", 4, &server(1_000, 0));
    let mut joined = system.clone();
    joined["controllers"][0]["logicals"] = json!([passed_through(&[0, 1]), passed_through(&[2, 3])]);
    let mut cached = system.clone();
    cached["controllers"][0]["cache_bytes"] = json!(1 << 30);
    cached["controllers"][0]["logicals"][3]["write_back"] = json!(true);
    for system in [joined, cached] {
        assert_eq!(refusal(&aligned(1.0, 1), &system), expected);
    }
    let mut trims = aligned(0.0, 1);
    trims["profile"]["trim_share"] = json!(0.5);
    assert_eq!(
        refusal(&trims, &system),
        ["disk: a controller passes no trims on"]
    );
}

/// A sync flushes every member, behind the controller as well, whose processor passes one after the other on.
#[test]
fn a_sync_reaches_every_member() {
    let service = 10_000;
    let mut drive = server(service, 0);
    drive["protected_share"] = json!(1.0);
    let mut point = aligned(0.0, 1);
    point["profile"]["fsync_every"] = json!(1);
    for (level, drives) in [("0", 4), ("1", 2), ("5", 3)] {
        let latency = run(&point, &behind(level, drives, &drive))
            .syncs
            .expect("syncs")
            .latency;
        let expected = drives as u64 * (HOST_IO + DISK_IO) + DELAY + service;
        assert_eq!((latency.min_ns, latency.max_ns), (expected, expected), "{level}");
    }
}
