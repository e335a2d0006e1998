//! A controller with drives that are single servers, so that formulas are exact.

use iodyno_load::reading::{Reading, Station};
use iodyno_load::request::Point;
use iodyno_sim::calendar::Kind;
use iodyno_sim::controller::{Controller, LogicalUse};
use iodyno_sim::drive::Drive;
use iodyno_sim::fabric::{Ahead, Fabric, Out};
use iodyno_sim::operation::{HostDone, HostOp, Usage};
use iodyno_sim::ssd::Ssd;
use iodyno_sim::system::{Model, System};
use iodyno_sim::{Control, simulate};
use serde_json::{Value, json};

pub(crate) const GB: u64 = 1_000_000_000;
pub(crate) const STRIP: u64 = 65536;
/// A rate in bytes/s that takes no time.
const AT_ONCE: u64 = GB * GB / 1000;

/// A drive that is one server: every operation takes so many ns.
pub(crate) fn server(service_ns: u64) -> Value {
    json!({
        "kind": "ssd", "capacity_bytes": 8 * GB, "spare_share": 0.28, "filled_share": 0.0,
        "command_read_ps": service_ns * 1000, "command_write_ps": service_ns * 1000,
        "delay_read_ps": 0, "delay_write_ps": 0,
        "dies": 64, "stripe_bytes": 1 << 30, "read_ps": 0, "program_bytes": 4096, "program_ps": 0,
        "suspend_ps": 0, "data_read_bytes_s": AT_ONCE, "data_write_bytes_s": AT_ONCE, "turnaround_ps": 0,
        "buffer_bytes": 1_u64 << 30, "write_cache": true, "prefetch": null,
    })
}

/// A hard disk of 15 000 rpm without write cache: numbers of a datasheet's kind, fitted to nothing.
pub(crate) fn disk() -> Value {
    let ms = 1_000_000_000_u64;
    json!({
        "kind": "hdd", "capacity_bytes": 450 * GB, "revolution_ps": 4 * ms, "heads": 6,
        "outer_bytes_s": 240 << 20, "inner_bytes_s": 165 << 20, "zones": 20,
        "seek_track_ps": ms / 5, "seek_average_ps": 29 * ms / 10, "seek_full_ps": 73 * ms / 10,
        "write_settle_ps": 3 * ms / 10, "command_ps": 60_000_000, "missed_revolution": 0.095, "tags": 64,
        "write_cache": false, "write_cache_entries": 256, "cached_write_ps": 20_000_000,
        "read_ahead_bytes": 1 << 20, "read_segments": 1,
    })
}

/// Processor times of the controller in ns.
pub(crate) const HOST_IO: u64 = 6_000;
pub(crate) const FAST_IO: u64 = 3_000;
pub(crate) const DISK_IO: u64 = 1_000;
pub(crate) const PARITY_WRITE: u64 = 7_000;
pub(crate) const PARITY_KIB: u64 = 100;
pub(crate) const DELAY: u64 = 500;
pub(crate) const CACHE_READ: u64 = 9_000;
pub(crate) const CACHE_WRITE: u64 = 11_000;

/// A host whose processor takes no time, and a controller without links and with one logical drive. The volume is
/// named `disk`; it is write-through, direct, without read-ahead and fast path.
pub(crate) fn array(level: &str, drives: usize, data_drives: u64, drive: &Value) -> Value {
    let slot = json!({ "name": "drive", "path": [], "model": drive });
    let capacity = drive["capacity_bytes"].as_u64().expect("a capacity");
    let size = capacity / STRIP * STRIP * data_drives;
    let cpu = json!({ "read_ps": 0, "write_ps": 0, "per_kib_ps": 0 });
    let logical = json!({
        "name": "logical", "size_bytes": size, "read_ahead": false, "write_back": false,
        "cached_reads": false, "fast_path": false,
        "array": {
            "level": level, "drives": (0..drives).collect::<Vec<_>>(), "groups": 1, "strip_bytes": STRIP,
            "mirror_read": { "policy": "spread", "from_outstanding": 0 }, "failed": [], "rebuild_bytes_s": 0,
        },
    });
    json!({
        "name": "test", "host": { "cores": 1, "wakeup_ps": 0 }, "links": [], "switches": [],
        "drives": vec![slot; drives],
        "controllers": [{
            "name": "controller", "path": [], "cores": 1, "host_io_ps": HOST_IO * 1000,
            "fast_io_ps": FAST_IO * 1000, "disk_io_ps": DISK_IO * 1000, "parity_write_ps": PARITY_WRITE * 1000,
            "parity_per_kib_ps": PARITY_KIB * 1000, "delay_ps": DELAY * 1000, "read_bytes_s": AT_ONCE,
            "write_bytes_s": AT_ONCE, "parity_bytes_s": AT_ONCE, "cache_bytes": 1_u64 << 30,
            "cache_read_ps": CACHE_READ * 1000, "cache_write_ps": CACHE_WRITE * 1000, "drive_queue": 64,
            "logicals": [logical],
        }],
        "volumes": [{
            "name": "disk", "size_bytes": size, "cpu": cpu, "child_cpu": cpu,
            "on": { "kind": "logical", "controller": 0, "logical": 0 },
        }],
    })
}

/// The same with a setting of the logical drive changed.
pub(crate) fn with(mut system: Value, setting: &str, value: Value) -> Value {
    system["controllers"][0]["logicals"][0][setting] = value;
    system
}

/// The same with a number of the controller changed.
pub(crate) fn having(mut system: Value, number: &str, value: u64) -> Value {
    system["controllers"][0][number] = json!(value);
    system
}

/// Random accesses of a size, aligned to it, on all of the volume.
pub(crate) fn random(system: &Value, read_share: f64, bytes: u64, outstanding: usize) -> Value {
    let length = system["volumes"][0]["size_bytes"].as_u64().expect("a size");
    json!({
        "profile": {
            "random_share": 1.0, "read_share": read_share, "blocks": [{ "bytes": bytes, "weight": 1.0 }],
            "alignment_bytes": bytes, "data": "incompressible", "shown_as": "transaction_rate",
        },
        "targets": [{
            "path": "disk", "kind": "virtual", "area_start_bytes": 0, "area_length_bytes": length,
        }],
        "outstanding": outstanding, "workers": 1, "rate_io_s": null, "arrival": "poisson",
        "engine": "simulator", "direct": true, "seed": 1, "system": "test",
        "stopping": {
            "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95,
            "warmup_ios": 5000, "floor_ios": 20000, "cap_ios": 20000,
        },
    })
}

/// Sequential accesses of 64 KiB.
pub(crate) fn sequential(system: &Value, read_share: f64, outstanding: usize) -> Value {
    let mut point = random(system, read_share, STRIP, outstanding);
    point["profile"]["random_share"] = json!(0.0);
    point
}

pub(crate) fn run(point: &Value, system: &Value) -> Reading {
    let point: Point = serde_json::from_value(point.clone()).expect("a point");
    let system: System = serde_json::from_value(system.clone()).expect("a system");
    simulate(&point, &system, || Control::Continue).expect("a reading")
}

pub(crate) fn completed(reading: &Reading) -> f64 {
    (reading.reads.completed + reading.writes.completed) as f64
}

/// I/Os per second.
pub(crate) fn rate(reading: &Reading) -> f64 {
    completed(reading) / reading.measured_s
}

/// The only latency that occurs, in ns.
pub(crate) fn only_latency(reading: &Reading) -> u64 {
    let direction = if reading.reads.completed > 0 {
        &reading.reads
    } else {
        &reading.writes
    };
    let latency = &direction.latency;
    assert_eq!(latency.min_ns, latency.max_ns, "all I/Os take the same time");
    latency.min_ns
}

/// A station by its name.
pub(crate) fn station<'a>(reading: &'a Reading, name: &str) -> &'a Station {
    let simulation = reading.simulation.as_ref().expect("simulated");
    let found = simulation.stations.iter().find(|found| found.name == name);
    found.expect(name)
}

/// Jobs of a station for each I/O.
pub(crate) fn jobs(reading: &Reading, name: &str) -> f64 {
    station(reading, name).jobs as f64 / completed(reading)
}

/// Operations on drives for each I/O.
pub(crate) fn operations(reading: &Reading) -> f64 {
    let stations = &reading.simulation.as_ref().expect("simulated").stations;
    let disks = stations.iter().any(|station| station.name == "drive: command");
    jobs(
        reading,
        if disks {
            "drive: command"
        } else {
            "drive: firmware"
        },
    )
}

pub(crate) fn assert_near(found: f64, expected: f64, within: f64) {
    assert!(
        (found - expected).abs() <= within,
        "{found} is not {expected} within {within}"
    );
}

/// The controller of an array of servers with nobody before it: its I/Os are at the controller when they are submitted.
pub(crate) struct Alone {
    fabric: Fabric,
    controller: Controller,
    /// What it has finished.
    pub(crate) done: Vec<HostDone>,
}

impl Alone {
    pub(crate) fn new(system: &Value) -> Self {
        let point: Point = serde_json::from_value(sequential(system, 0.5, 8)).expect("a point");
        let system: System = serde_json::from_value(system.clone()).expect("a system");
        let drives = (0..).zip(&system.drives).map(|(which, slot)| {
            let usage = Usage {
                accessed_bytes: GB,
                overwritten_bytes: GB,
                random_write_share: 0.0,
                valid_share: 1.0,
                write_streams: 1,
                written: Vec::new(),
            };
            match &slot.model {
                Model::Ssd(model) => Drive::Ssd(Box::new(Ssd::new(model, usage, which, 1))),
                Model::Hdd(_) => unreachable!("servers"),
            }
        });
        let uses = [LogicalUse {
            logical: 0,
            start_bytes: 0,
            length_bytes: GB,
            profile: point.profile,
            outstanding: 8,
            open_loop: false,
            written: 1.0,
            uneven: None,
        }];
        Self {
            fabric: Fabric::new(&system, drives.collect(), &[], Ahead::Services),
            controller: Controller::new(&system, 0, &uses, 1),
            done: Vec::new(),
        }
    }

    /// An I/O of so many strips from one on.
    pub(crate) fn submit(&mut self, token: u32, write: bool, strip: u64, strips: u64) {
        let op = HostOp {
            token,
            logical: 0,
            write,
            offset: strip * STRIP,
            bytes: (strips * STRIP) as u32,
        };
        self.controller.submit(op, &mut self.fabric, &mut self.done);
    }

    /// Go on to the first event at a moment, in ns, or after it.
    pub(crate) fn until(&mut self, ns: u64) {
        while self.fabric.now().ns() < ns {
            let Some(event) = self.fabric.calendar().next() else {
                return;
            };
            match event.kind {
                Kind::Controller => self
                    .controller
                    .event(event.token, &mut self.fabric, &mut self.done),
                _ => self.fabric.event(event),
            }
            while let Some(out) = self.fabric.take() {
                let Out::Back(_, back) = out else {
                    unreachable!("no I/O of a host is on its way")
                };
                let back = self.fabric.take_back(back);
                self.controller
                    .drive_done(&back, &mut self.fabric, &mut self.done);
            }
        }
    }

    /// Operations that have begun at the drives.
    pub(crate) fn begun(&self) -> u64 {
        let now = self.fabric.now();
        let stations = self.fabric.drives().iter().flat_map(|drive| drive.stations(now));
        let commands = stations.filter(|station| station.name == "firmware");
        commands.map(|station| station.sums.jobs).sum()
    }
}
