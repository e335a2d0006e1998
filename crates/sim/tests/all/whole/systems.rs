//! Systems as simple as formulas want them.

use iodyno_load::reading::Reading;
use iodyno_load::request::Point;
use iodyno_sim::system::System;
use iodyno_sim::{Control, simulate};
use serde_json::{Value, json};

pub(crate) const GB: u64 = 1_000_000_000;
/// A rate in bytes/s that takes no time.
const AT_ONCE: u64 = GB * GB / 1000;

/// A drive that is one server: every operation takes `service_ns` and, beyond it, a delay that occupies nobody.
pub(crate) fn server(service_ns: u64, delay_ns: u64) -> Value {
    json!({
        "kind": "ssd", "capacity_bytes": 800 * GB, "spare_share": 0.28, "filled_share": 0.0,
        "command_read_ps": service_ns * 1000, "command_write_ps": service_ns * 1000,
        "delay_read_ps": delay_ns * 1000, "delay_write_ps": delay_ns * 1000,
        "dies": 64, "stripe_bytes": 1 << 30, "read_ps": 0, "program_bytes": 4096, "program_ps": 0,
        "suspend_ps": 0, "data_read_bytes_s": AT_ONCE, "data_write_bytes_s": AT_ONCE, "turnaround_ps": 0,
        "buffer_bytes": 1_u64 << 30, "write_cache": true, "prefetch": null,
    })
}

/// A host with cores, one drive and what is on the way; the volume is named `disk`.
pub(crate) fn one_drive(cores: usize, cpu_ns: u64, links: Value, drive: Value) -> Value {
    let hops = links.as_array().expect("links").len();
    let path: Vec<Value> = (0..hops).map(|link| json!({ "link": link })).collect();
    json!({
        "name": "test", "host": { "cores": cores, "wakeup_ps": 0 }, "links": links, "switches": [],
        "controllers": [], "drives": [{ "name": "drive", "path": path, "model": drive }],
        "volumes": [{
            "name": "disk", "size_bytes": 800 * GB, "cpu": cpu(cpu_ns), "child_cpu": cpu(0),
            "on": { "kind": "drive", "drive": 0 },
        }],
    })
}

/// A drive of 40 GB with spare flash of 12 %, all filled, whose dies limit its writes: 64 programs of 32 KiB in 4 ms, each
/// so many times as is collected for it.
pub(crate) fn limited_by_dies() -> Value {
    let mut drive = server(100, 0);
    (drive["program_bytes"], drive["program_ps"]) = (json!(32_768), json!(4_000_000_000_u64));
    (drive["spare_share"], drive["filled_share"]) = (json!(0.12), json!(1.0));
    (drive["capacity_bytes"], drive["buffer_bytes"]) = (json!(40 * GB), json!(16 << 20));
    let mut system = one_drive(1, 0, json!([]), drive);
    system["volumes"][0]["size_bytes"] = json!(40 * GB);
    system
}

/// A disk of 7500 rpm with one zone of 120 MB/s, write cache on.
pub(crate) fn disk() -> Value {
    let ms = 1_000_000_000_u64;
    json!({
        "kind": "hdd", "capacity_bytes": 800 * GB, "revolution_ps": 8 * ms, "heads": 4,
        "outer_bytes_s": 120_000_000, "inner_bytes_s": 120_000_000, "zones": 1, "seek_track_ps": ms / 2,
        "seek_average_ps": 8 * ms, "seek_full_ps": 18 * ms, "write_settle_ps": ms / 2, "command_ps": 100_000_000,
        "missed_revolution": 0.0, "tags": 32, "write_cache": true, "write_cache_entries": 256,
        "cached_write_ps": 0, "read_ahead_bytes": 0, "read_segments": 1,
    })
}

/// A host with equal drives joined to an array by itself; the volume is named `disk`.
pub(crate) fn host_raid(level: &str, drives: usize, child_cpu_ns: u64, drive: &Value) -> Value {
    let slot = json!({ "name": "drive", "path": [], "model": drive });
    json!({
        "name": "test", "host": { "cores": 1, "wakeup_ps": 0 }, "links": [], "switches": [],
        "controllers": [], "drives": vec![slot; drives],
        "volumes": [{
            "name": "disk", "size_bytes": 100 * GB, "cpu": cpu(0), "child_cpu": cpu(child_cpu_ns),
            "on": { "kind": "host_raid", "array": {
                "level": level, "drives": (0..drives).collect::<Vec<_>>(), "groups": 1, "strip_bytes": 65536,
                "mirror_read": { "policy": "spread", "from_outstanding": 0 }, "failed": [], "rebuild_bytes_s": 0,
            } },
        }],
    })
}

pub(crate) fn cpu(ns: u64) -> Value {
    json!({ "read_ps": ns * 1000, "write_ps": ns * 1000, "per_kib_ps": 0 })
}

/// A link of that rate in bytes/s.
pub(crate) fn link(bytes_s: u64, full_duplex: bool) -> Value {
    json!({ "name": "link", "bytes_s": bytes_s, "full_duplex": full_duplex, "command_ps": 0, "side": "host" })
}

/// A point of 8 kB random accesses on 32 GB.
pub(crate) fn point(read_share: f64, outstanding: usize, workers: usize) -> Value {
    json!({
        "profile": {
            "random_share": 1.0, "read_share": read_share, "blocks": [{ "bytes": 8192, "weight": 1.0 }],
            "alignment_bytes": 4096, "data": "incompressible", "shown_as": "transaction_rate",
        },
        "targets": [{
            "path": "disk", "kind": "virtual", "area_start_bytes": 0, "area_length_bytes": 32 * GB,
        }],
        "outstanding": outstanding, "workers": workers, "rate_io_s": null, "arrival": "poisson",
        "engine": "simulator", "direct": true, "seed": 1, "system": "test",
        "stopping": {
            "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95,
            "warmup_ios": 5000, "floor_ios": 20000, "cap_ios": 200_000,
        },
    })
}

pub(crate) fn run(point: &Value, system: &Value) -> Reading {
    let point: Point = serde_json::from_value(point.clone()).expect("a point");
    let system: System = serde_json::from_value(system.clone()).expect("a system");
    simulate(&point, &system, || Control::Continue).expect("a reading")
}

/// I/Os per second.
pub(crate) fn rate(reading: &Reading) -> f64 {
    (reading.reads.completed + reading.writes.completed) as f64 / reading.measured_s
}

/// Mean and half-width of a 99 % interval over seeds.
pub(crate) fn over_seeds(
    seeds: u64,
    point: &Value,
    system: &Value,
    figure: impl Fn(&Reading) -> f64,
) -> (f64, f64) {
    let figures: Vec<f64> = (0..seeds)
        .map(|seed| {
            let mut point = point.clone();
            point["seed"] = json!(seed + 1);
            figure(&run(&point, system))
        })
        .collect();
    let count = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / count;
    let variance = figures.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    // Student's t at 99 % with 9 degrees of freedom and more is 3.25 and less.
    (mean, 3.25 * (variance / count).sqrt())
}

pub(crate) fn assert_near(found: f64, expected: f64, within: f64) {
    assert!(
        (found - expected).abs() <= within,
        "{found} is not {expected} within {within}"
    );
}
