//! A sync behind a controller: its cache answers, or every drive does.

use serde_json::{Value, json};

use crate::controller::systems::*;

const SERVICE: u64 = 20_000;

/// The only latency of the syncs after each write of 64 KiB, in ns.
fn sync(system: &Value) -> u64 {
    let mut point = random(system, 0.0, STRIP, 1);
    point["profile"]["fdatasync_every"] = json!(1);
    let latency = run(&point, system).syncs.expect("syncs").latency;
    assert_eq!(latency.min_ns, latency.max_ns, "all syncs take the same time");
    latency.min_ns
}

#[test]
fn drives_are_told_where_no_cache_answers_writes() {
    for (level, drives, data) in [("0", 4, 4), ("1", 2, 1), ("5", 4, 3)] {
        let system = array(level, drives, data, &server(SERVICE));
        let expected = HOST_IO + drives as u64 * DISK_IO + SERVICE + DELAY;
        assert_eq!(sync(&system), expected, "{level}");
    }
}

/// A host knows nothing of the drives behind a controller: it sends its flushes, even where the drives have nothing to lose.
#[test]
fn a_controller_is_told_whatever_its_drives_have_to_lose() {
    let mut system = array("0", 2, 2, &server(SERVICE));
    for drive in system["drives"].as_array_mut().expect("drives") {
        drive["flush"] = json!("unneeded");
    }
    assert_eq!(sync(&system), HOST_IO + 2 * DISK_IO + SERVICE + DELAY);
}

#[test]
fn a_failed_member_is_told_nothing() {
    let mut system = array("5", 4, 3, &server(SERVICE));
    system["controllers"][0]["logicals"][0]["array"]["failed"] = json!([2]);
    assert_eq!(sync(&system), HOST_IO + 3 * DISK_IO + SERVICE + DELAY);
}

/// Destaging may be on the processor before: of a block, or of two that are neighbours on two drives.
#[test]
fn a_cache_that_answers_writes_answers_syncs() {
    let system = with(array("0", 4, 4, &server(SERVICE)), "write_back", json!(true));
    let mut point = random(&system, 0.0, 8192, 1);
    point["profile"]["fsync_every"] = json!(2);
    let latency = run(&point, &system).syncs.expect("syncs").latency;
    assert_eq!(latency.min_ns, HOST_IO + DELAY);
    assert!(
        latency.max_ns <= HOST_IO + DELAY + 2 * DISK_IO,
        "{}",
        latency.max_ns
    );
}

/// A disk's own cache, on behind a controller that writes through, is written out; O_DSYNC does without it.
#[test]
fn caches_of_drives_are_no_place_for_what_has_to_last() {
    let mut cached = disk();
    (cached["write_cache"], cached["missed_revolution"]) = (json!(true), json!(0.0));
    let latency = |drive: &Value, durable: bool, back: bool| {
        let system = with(array("0", 1, 1, drive), "write_back", json!(back));
        let mut point = random(&system, 0.0, 8192, 1);
        (point["write_through"], point["stopping"]["floor_ios"]) = (json!(durable), json!(3_000));
        let latency = run(&point, &system).writes.latency;
        latency.sum_ns
    };
    let mut off = cached.clone();
    off["write_cache"] = json!(false);
    assert_eq!(latency(&cached, true, false), latency(&off, false, false));
    assert_ne!(latency(&cached, true, false), latency(&cached, false, false));
    assert_eq!(
        latency(&cached, true, true),
        latency(&cached, false, true),
        "the controller's cache answers"
    );
}
