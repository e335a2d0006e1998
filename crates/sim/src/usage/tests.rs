use serde_json::{Value, json};

use super::*;

/// One drive, 1 GB of which each load has.
fn streams_of(loads: &[(f64, f64, usize)]) -> u32 {
    streams_of_parts(loads, 1)
}

/// The same where each load has so many parts of it.
fn streams_of_parts(loads: &[(f64, f64, usize)], parts: usize) -> u32 {
    usage_of(loads, &vec![(0, 1 << 30); parts]).write_streams
}

/// One drive, of which each load has parts: first byte and length.
fn usage_of(loads: &[(f64, f64, usize)], parts: &[(u64, u64)]) -> Usage {
    let profile = |random: f64, reads: f64| {
        json!({
            "random_share": random, "read_share": reads, "blocks": [{ "bytes": 65536, "weight": 1.0 }],
            "alignment_bytes": 4096, "data": "zeros", "shown_as": "throughput",
        })
    };
    let load = |&(random, reads, workers): &(f64, f64, usize)| {
        json!({
            "profile": profile(random, reads), "targets": parts.len(), "outstanding": 1, "workers": workers,
            "rate_io_s": null, "arrival": "poisson", "seed": 1,
        })
    };
    let target = |&(from, bytes): &(u64, u64)| json!({ "path": "disk", "kind": "virtual", "area_start_bytes": from, "area_length_bytes": bytes });
    let targets = loads.iter().flat_map(|_| parts.iter().map(target));
    let mut point = load(&loads[0]);
    point["targets"] = targets.collect();
    point["beside"] = loads[1..].iter().map(load).collect();
    (point["engine"], point["direct"]) = (json!("simulator"), json!(true));
    point["stopping"] =
        json!({ "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95 });
    let (point, system) = (read::<Point>(point), read::<System>(drives(1)));
    usages(&point, &system, &crate::sharing::guess(&point)).remove(0)
}

/// So many drives, each a volume: `disk`, and then `disk1` and on.
fn drives(count: usize) -> Value {
    let drive = json!({
        "kind": "ssd", "capacity_bytes": 1_u64 << 40, "spare_share": 0.28, "filled_share": 0.0,
        "command_read_ps": 1, "command_write_ps": 1, "delay_read_ps": 1, "delay_write_ps": 1, "dies": 1,
        "stripe_bytes": 8192, "read_ps": 1, "program_bytes": 8192, "program_ps": 1, "suspend_ps": 1,
        "data_read_bytes_s": 1, "data_write_bytes_s": 1, "turnaround_ps": 1, "buffer_bytes": 8192,
        "write_cache": true, "prefetch": null,
    });
    let cpu = json!({ "read_ps": 0, "write_ps": 0, "per_kib_ps": 0 });
    let volume = |drive: usize| {
        json!({
            "name": if drive == 0 { "disk".to_owned() } else { format!("disk{drive}") },
            "size_bytes": 1_u64 << 40, "cpu": cpu, "child_cpu": cpu, "on": { "kind": "drive", "drive": drive },
        })
    };
    json!({
        "name": "test", "host": { "cores": 0, "wakeup_ps": 0 }, "links": [], "switches": [], "controllers": [],
        "drives": vec![json!({ "name": "drive", "path": [], "model": drive }); count],
        "volumes": (0..count).map(volume).collect::<Vec<_>>(),
    })
}

/// A load of 64 KiB writes at random, with two workers of three outstanding, on targets: their volumes, and an area of 1 GiB in each
/// that begins where the one before ended.
fn load_on(volumes: &[&str]) -> Point {
    let target = |(at, path): (usize, &&str)| json!({ "path": path, "kind": "virtual", "area_start_bytes": at << 30, "area_length_bytes": 1 << 30 });
    read(json!({
        "profile": {
            "random_share": 1.0, "read_share": 0.0, "blocks": [{ "bytes": 65536, "weight": 1.0 }],
            "alignment_bytes": 4096, "data": "zeros", "shown_as": "throughput",
        },
        "targets": volumes.iter().enumerate().map(target).collect::<Vec<_>>(), "outstanding": 3, "workers": 2,
        "rate_io_s": null, "arrival": "poisson", "seed": 1, "engine": "simulator", "direct": true,
        "stopping": { "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95 },
    }))
}

/// Of 400 writes each of four targets has 100: a drive with three of them has 300, and 3 GiB of it are accessed and overwritten.
#[test]
fn a_drive_has_what_its_targets_have() {
    let point = load_on(&["disk", "disk", "disk1", "disk"]);
    let moved = Moved {
        written: 400.0 * 65_536.0,
        trimmed: 0.0,
    };
    let usages = usages(&point, &read(drives(2)), &[moved]);
    for (usage, targets) in usages.iter().zip([3_u64, 1]) {
        assert_eq!(usage.written.len(), 1);
        assert_eq!(usage.written[0].writes, 100.0 * targets as f64);
        assert_eq!(usage.written[0].parts.len() as u64, targets);
        assert_eq!(
            (usage.accessed_bytes, usage.overwritten_bytes),
            (targets << 30, targets << 30)
        );
    }
}

/// A logical drive with two targets of a load: each has the outstanding I/Os of all its workers, and half of what it writes.
#[test]
fn a_logical_drive_is_told_what_all_workers_do_with_each_area() {
    let mut system = drives(2);
    let array = json!({
        "level": "1", "drives": [0, 1], "groups": 1, "strip_bytes": 65536, "failed": [], "rebuild_bytes_s": 0,
        "mirror_read": { "policy": "primary" },
    });
    system["controllers"] = json!([{
        "name": "controller", "path": [], "cores": 1, "host_io_ps": 1, "fast_io_ps": 1, "disk_io_ps": 1,
        "parity_write_ps": 1, "parity_per_kib_ps": 1, "delay_ps": 1, "read_bytes_s": 1, "write_bytes_s": 1,
        "parity_bytes_s": 1, "cache_bytes": 1 << 30, "cache_read_ps": 1, "cache_write_ps": 1, "drive_queue": 64,
        "logicals": [{
            "name": "logical", "size_bytes": 1_u64 << 40, "read_ahead": false, "write_back": true,
            "cached_reads": false, "fast_path": false, "array": array,
        }],
    }]);
    system["volumes"][0]["on"] = json!({ "kind": "logical", "controller": 0, "logical": 0 });
    let (point, system) = (load_on(&["disk", "disk"]), read::<System>(system));
    let moved = Moved {
        written: 100.0,
        trimmed: 0.0,
    };
    let uses = logical_uses(&point, &system, &[moved], 0);
    let found: Vec<_> = uses
        .iter()
        .map(|of| (of.outstanding, of.written, of.start_bytes))
        .collect();
    assert_eq!(found, [(6, 50.0, 0), (6, 50.0, 1 << 30)]);
    let mut without = system.clone();
    without.controllers[0].cache_bytes = 0;
    for (system, cached) in [(&system, true), (&without, false)] {
        let through = Point {
            write_through: true,
            ..point.clone()
        };
        assert_eq!(written_through(&through, system), [!cached, !cached]);
    }
}

/// All of them, and not the last: where nothing is in order. Loads of one outstanding write as often as each other.
#[test]
fn random_writes_go_to_every_part() {
    let parts = [(1 << 33, 1 << 30), (0, 1 << 32), (1 << 36, 1 << 20)];
    let (random, stream, reads) = ((1.0, 0.0, 1), (0.0, 0.0, 1), (1.0, 1.0, 1));
    let written = |loads: &[(f64, f64, usize)], parts: &[(u64, u64)]| {
        let usage = usage_of(loads, parts);
        let each = usage.written.into_iter().map(|of| {
            assert_eq!(of.writes, parts.len() as f64);
            of.parts
        });
        each.collect::<Vec<_>>()
    };
    assert_eq!(written(&[random], &parts), [parts]);
    assert_eq!(written(&[random], &parts[..1]), [&parts[..1]]);
    assert_eq!(written(&[stream], &parts), [[]; 0]);
    assert_eq!(written(&[random, random], &parts), [parts, parts]);
    assert_eq!(written(&[reads, random], &parts), [parts]);
    assert_eq!(written(&[random, stream], &parts), [[]; 0]);
    assert_eq!(written(&[stream, random], &parts), [[]; 0]);
}

/// Zones have written what goes to them, each to its part of a disk; what a law scatters lies everywhere. A zone that nothing goes
/// to has none.
#[test]
fn zones_have_written_their_own_parts() {
    let zones = json!({ "kind": "zones", "zones": [
        { "accesses": 0.75, "range": 0.25 }, { "accesses": 0.0, "range": 0.25 }, { "accesses": 0.25, "range": 0.5 },
    ] });
    let written = |distribution: Value| {
        let mut load = load_on(&["disk"]);
        load.profile.distribution = read(distribution);
        let system: System = read(drives(1));
        let moved = [Moved {
            written: 8.0 * load.profile.mean_bytes_of(true),
            trimmed: 0.0,
        }];
        let found = usages(&load, &system, &moved).remove(0).written;
        (load.targets[0].area_length_bytes, found)
    };
    let (length, found) = written(zones);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].writes, found[1].writes), (6.0, 2.0));
    assert_eq!(found[0].parts, [(0, length / 4)]);
    assert_eq!(found[1].parts, [(length / 2, length / 2)]);
    let (_, found) = written(json!({ "kind": "zipf", "parameter": 1.2 }));
    assert_eq!((found.len(), found[0].writes), (1, 8.0));
    assert_eq!(found[0].parts, [(0, length)]);
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("what it is to be")
}

#[test]
fn streams_that_are_written_add_up_over_loads_unless_one_writes_at_random() {
    let (writes, reads, random) = ((0.0, 0.0, 2), (0.0, 1.0, 4), (1.0, 0.0, 1));
    assert_eq!(streams_of(&[writes]), 2);
    assert_eq!(streams_of(&[writes, (0.0, 0.0, 3)]), 5);
    assert_eq!(streams_of(&[writes, reads]), 2);
    assert_eq!(streams_of(&[reads, writes]), 2);
    assert_eq!(streams_of(&[writes, random]), 0);
    assert_eq!(streams_of(&[random, writes]), 0);
    // Each worker writes a stream on each part.
    assert_eq!(streams_of_parts(&[writes], 3), 6);
    assert_eq!(streams_of_parts(&[writes, (0.0, 0.0, 3)], 2), 10);
    assert_eq!(streams_of_parts(&[random], 2), 0);
}

/// However many workers drive a stream that is one of all of them.
#[test]
fn workers_that_share_a_stream_write_one() {
    for (area, streams) in [("stream", 1), ("shared", 3), ("own", 3)] {
        let mut load = load_on(&["disk"]);
        load.workers = 3;
        load.profile.random_share = 0.0;
        load.workers_area = read(json!(area));
        assert_eq!(write_streams(&load), streams, "{area}");
    }
}

/// Writes to a drive read nothing. The drives of a host's array are read for its parity, by all cores and by what goes on later.
#[test]
fn only_an_array_of_the_host_reads_where_a_load_writes() {
    let mut host = drives(2);
    host["host"]["cores"] = json!(2);
    let alone = flows(&load_on(&["disk"]), &read(host.clone()));
    assert_eq!(alone.len(), 2, "of two cores");
    assert!(alone.iter().all(|flow| flow.writes && !flow.reads));
    let array = json!({
        "level": "1", "drives": [0, 1], "groups": 1, "strip_bytes": 65536, "failed": [], "rebuild_bytes_s": 0,
        "mirror_read": { "policy": "primary" },
    });
    host["volumes"][0]["on"] = json!({ "kind": "host_raid", "array": array });
    let joined = flows(&load_on(&["disk"]), &read(host));
    assert_eq!(joined.len(), 2 * (2 + 1), "of two drives");
    assert!(joined.iter().all(|flow| flow.writes && flow.reads));
}
