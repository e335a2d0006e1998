//! Simulated I/Os per second of real time on one core: `cargo run --release -p iodyno-sim --example speed`.
//!
//! Reads points and systems as JSON, or takes built-in ones where no file is named: an NVMe SSD with one worker at
//! 32 outstanding. Prints one line of JSON for each: name, I/Os, events and seconds of the best of three runs, of
//! processor time where the kernel tells it: others on the machine do not count then.

#![allow(clippy::disallowed_types)] // the only place with a clock: it is what is asked

use std::time::Instant;

use iodyno_load::request::Point;
use iodyno_sim::system::System;
use iodyno_sim::{Control, simulate};
use serde_json::{Value, json};

const IOS: u64 = 2_000_000;
const GB: u64 = 1_000_000_000;

fn ssd() -> Value {
    json!({
        "kind": "ssd", "capacity_bytes": 800 * GB, "spare_share": 0.28, "filled_share": 1.0,
        "command_read_ps": 1_800_000, "command_write_ps": 1_800_000,
        "delay_read_ps": 10_000_000, "delay_write_ps": 8_000_000,
        "dies": 96, "stripe_bytes": 8192, "read_ps": 60_000_000, "program_bytes": 32768,
        "program_ps": 900_000_000, "suspend_ps": 100_000_000, "data_read_bytes_s": 2_800_000_000_u64,
        "data_write_bytes_s": 2_000_000_000, "turnaround_ps": 1_000_000, "buffer_bytes": 2 << 20,
        "write_cache": true, "prefetch": null,
    })
}

fn system(on: &Value, drives: usize, controllers: &Value) -> Value {
    let links: Vec<Value> = (0..drives.max(1))
        .map(|_| {
            json!({
                "name": "PCIe 3.0 x4", "bytes_s": 3_544_000_000_u64, "full_duplex": true, "command_ps": 50_000,
                "side": "host",
            })
        })
        .collect();
    let slots: Vec<Value> = (0..drives)
        .map(|drive| json!({ "name": "SSD", "path": [{ "link": drive }], "model": ssd() }))
        .collect();
    let cost = json!({ "read_ps": 2_000_000, "write_ps": 2_000_000, "per_kib_ps": 10_000 });
    let child = json!({ "read_ps": 500_000, "write_ps": 500_000, "per_kib_ps": 10_000 });
    json!({
        "name": "speed", "host": { "cores": 4, "wakeup_ps": 0 }, "links": links, "switches": [],
        "controllers": controllers, "drives": slots,
        "volumes": [{ "name": "disk", "size_bytes": 800 * GB, "cpu": cost, "child_cpu": child, "on": on }],
    })
}

fn point(read_share: f64, outstanding: usize, workers: usize) -> Value {
    json!({
        "profile": {
            "random_share": 1.0, "read_share": read_share, "blocks": [{ "bytes": 8192, "weight": 1.0 }],
            "alignment_bytes": 8192, "data": "incompressible", "shown_as": "transaction_rate",
        },
        "targets": [{
            "path": "disk", "kind": "virtual", "area_start_bytes": 0, "area_length_bytes": 32 * GB,
        }],
        "outstanding": outstanding, "workers": workers, "rate_io_s": null, "arrival": "fixed",
        "engine": "simulator", "direct": true, "seed": 1, "system": "speed",
        "stopping": {
            "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95,
            "warmup_ios": 20_000, "floor_ios": IOS, "cap_ios": IOS,
        },
    })
}

fn raid_5(drives: usize) -> Value {
    json!({ "kind": "host_raid", "array": {
        "level": "5", "drives": (0..drives).collect::<Vec<_>>(), "groups": 1, "strip_bytes": 65536,
        "mirror_read": { "policy": "primary" }, "failed": [], "rebuild_bytes_s": 0,
    } })
}

fn built_in() -> Vec<(String, Value, Value)> {
    let none = json!([]);
    let one = system(&json!({ "kind": "drive", "drive": 0 }), 1, &none);
    let array = system(&raid_5(24), 24, &none);
    let named = |name: &str, point, system: &Value| (name.to_owned(), point, system.clone());
    vec![
        named(
            "one SSD, random read 8 kB, 32 outstanding",
            point(1.0, 32, 1),
            &one,
        ),
        named("one SSD, Database, 32 outstanding", point(0.67, 32, 1), &one),
        named(
            "24 SSDs in RAID 5 of the host, random read 8 kB",
            point(1.0, 64, 4),
            &array,
        ),
        named(
            "24 SSDs in RAID 5 of the host, Database",
            point(0.67, 64, 4),
            &array,
        ),
    ]
}

/// Triples of name, point and system in a JSON file.
fn read(path: &str) -> Vec<(String, Value, Value)> {
    let text = std::fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("a list of [name, point, system]")
}

/// Processor time of this thread in s, as far as Linux tells it.
fn processor_s() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let ns: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(ns / 1e9)
}

/// Seconds that something takes.
fn seconds(what: impl FnOnce()) -> f64 {
    let (start, before) = (Instant::now(), processor_s());
    what();
    match (before, processor_s()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed().as_secs_f64(),
    }
}

fn main() {
    let cases = std::env::args().nth(1).map_or_else(built_in, |path| read(&path));
    for (name, point, system) in cases {
        let point: Point = serde_json::from_value(point).expect("a point");
        let system: System = serde_json::from_value(system).expect("a system");
        let mut best = f64::INFINITY;
        let (mut ios, mut events, mut rate) = (0, 0, 0.0);
        for _ in 0..3 {
            let mut reading = None;
            best = best.min(seconds(|| {
                reading = simulate(&point, &system, || Control::Continue).ok()
            }));
            let reading = reading.expect("a reading");
            ios = reading.issued.reads + reading.issued.writes;
            events = reading.simulation.expect("simulated").events;
            rate = (reading.reads.completed + reading.writes.completed) as f64 / reading.measured_s;
        }
        let line = json!({
            "name": name, "ios": ios, "events": events, "seconds": best, "ios_per_s": ios as f64 / best,
            "virtual_rate_io_s": rate,
        });
        println!("{line}");
    }
}
