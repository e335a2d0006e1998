//! What the loads of a point do with a system: its drives, logical drives of controllers, and the ways to them.

use std::collections::{BTreeMap, BTreeSet};

use iodyno_load::request::{Distribution, Point, Profile, Target, WorkersArea};

use crate::controller::LogicalUse;
use crate::fabric::{Flow, Source, Via};
use crate::operation::{Moved, Usage, Written};
use crate::overwritten::{self, Churn, Share};
use crate::raid::Layout;
use crate::system::{Flush, On, System};
use crate::volume::{
    array_of, behind, controllers_of, drives_of, has_parity, is_cached, member_bytes, of_target, range,
    with_targets,
};
use crate::way::cores_of;

/// What the loads do with each drive of the system.
pub(crate) fn usages(point: &Point, system: &System, moved: &[Moved]) -> Vec<Usage> {
    let mut usages = vec![
        Usage {
            accessed_bytes: 0,
            overwritten_bytes: 0,
            random_write_share: point.profile.drawn_of(true),
            valid_share: 1.0,
            write_streams: write_streams(point),
            written: Vec::new(),
        };
        system.drives.len()
    ];
    let loads = point.loads();
    let mut streams = vec![Vec::new(); system.drives.len()];
    for (load, target) in loads.iter().flat_map(with_targets) {
        let of = |write| overwritten::shares(system, target, &load.profile, write).into_iter();
        let mut accesses = |drive: usize, bytes: u64, both: (Share, Share)| {
            usages[drive].accessed_bytes += bytes;
            let churn = churn(&load.profile, both);
            usages[drive].overwritten_bytes += (bytes as f64 * churn.overwritten()) as u64;
            usages[drive].random_write_share = load.profile.drawn_of(true);
            usages[drive].valid_share = churn.valid();
            usages[drive].write_streams = write_streams(load);
            if load.profile.writes() {
                streams[drive].push(write_streams(load));
            }
        };
        let bytes = match array_of(system, target) {
            None => target.area_length_bytes,
            Some(array) => {
                let layout = Layout::of(system, array).expect("checked");
                let share = target.area_length_bytes as f64 / layout.capacity_bytes() as f64;
                (member_bytes(system, array) as f64 * share) as u64
            }
        };
        let overwritten = of(true).zip(of(false));
        for (drive, both) in drives_of(system, target).into_iter().zip(overwritten) {
            accesses(drive, bytes, both);
        }
    }
    written(&loads, system, moved, &mut usages);
    let written = usages.iter_mut().zip(&streams);
    for (usage, streams) in written.filter(|of| !of.1.is_empty()) {
        // Streams on all parts, unless one of them is written at random.
        let all = streams.iter().all(|&of| of > 0);
        usage.write_streams = if all { streams.iter().sum() } else { 0 };
    }
    for (usage, slot) in usages.iter_mut().zip(&system.drives) {
        let whole = usage.overwritten_bytes >= usage.accessed_bytes;
        usage.accessed_bytes = usage
            .accessed_bytes
            .clamp(1 << 20, slot.model.capacity_bytes().max(1 << 20));
        usage.overwritten_bytes = match whole {
            true => usage.accessed_bytes,
            false => usage.overwritten_bytes.min(usage.accessed_bytes),
        };
    }
    usages
}

/// What a load's random writes and trims do, so much of an area each, by what it asks for.
fn churn(profile: &Profile, (writes, trims): (Share, Share)) -> Churn {
    let written = (1.0 - profile.trim_share) * (1.0 - profile.read_share) * profile.mean_bytes_of(true);
    let trimmed = profile.trim_share * profile.mean_bytes_of(false);
    Churn {
        writes: vec![(writes, written)],
        trims: vec![(trims, trimmed)],
    }
}

/// Streams in which a load writes a target where it writes none at random; else 0.
fn write_streams(load: &Point) -> u32 {
    match load.profile.drawn_of(true) > 0.0 {
        true => 0,
        false if load.workers_area == WorkersArea::Stream => 1,
        false => load.workers as u32,
    }
}

/// Where on each drive loads write at random, if all that write there do so everywhere alike and no cache orders it.
fn written(loads: &[Point], system: &System, moved: &[Moved], usages: &mut [Usage]) {
    let mut otherwise = BTreeSet::new();
    for (load, moved) in loads.iter().zip(moved).filter(|of| of.0.profile.writes()) {
        let mut parts: BTreeMap<usize, Vec<(u64, u64)>> = BTreeMap::new();
        for target in load.targets.iter().filter(|target| !is_cached(system, target)) {
            for drive in drives_of(system, target) {
                if !everywhere_alike(&load.profile) {
                    otherwise.insert(drive);
                }
                let (from, to) = range(system, target, drive);
                let capacity = system.drives[drive].model.capacity_bytes() as f64;
                let first = (from * capacity) as u64 / 4096 * 4096;
                let part = (first, ((to - from) * capacity) as u64);
                parts.entry(drive).or_default().push(part);
            }
        }
        let mean = load.profile.mean_bytes_of(true);
        for (drive, parts) in parts {
            // Each target has as many writes as the others.
            let writes = moved.written / mean * parts.len() as f64 / load.targets.len() as f64;
            usages[drive].written.push(Written { parts, writes });
        }
    }
    for drive in otherwise {
        usages[drive].written.clear();
    }
}

/// Whether a load writes at random, and every block as often as the others.
fn everywhere_alike(profile: &Profile) -> bool {
    let distribution = profile.distribution_of(true);
    let alike = matches!(distribution, Distribution::Uniform | Distribution::Permutation);
    alike && profile.drawn_of(true) >= 1.0
}

/// What the load does with the logical drives of a controller.
pub(crate) fn logical_uses(point: &Point, system: &System, moved: &[Moved], which: usize) -> Vec<LogicalUse> {
    let loads = point.loads();
    let each = loads.iter().zip(moved);
    let each = each.flat_map(|(load, moved)| load.targets.iter().map(move |target| (load, moved, target)));
    let uses = each.filter_map(|(load, moved, target)| {
        let On::Logical { controller, logical } = of_target(system, target).expect("checked").on else {
            return None;
        };
        (controller == which).then(|| LogicalUse {
            logical,
            start_bytes: target.area_start_bytes,
            length_bytes: target.area_length_bytes,
            profile: load.profile.clone(),
            outstanding: load.outstanding * load.workers,
            written: moved.written / load.targets.len() as f64,
        })
    });
    uses.collect()
}

/// Whether anything is to be made durable.
pub(crate) fn flushes(point: &Point) -> bool {
    point.write_through || point.loads().iter().any(|load| load.profile.syncs())
}

/// Whether a target's drives make nothing durable but by a flush that the host sends, which no cache of a controller answers;
/// and whether each durable write needs one, for a write cache is on.
pub(crate) fn flushed(point: &Point, system: &System, target: &Target) -> Option<bool> {
    if !flushes(point) || is_cached(system, target) {
        return None;
    }
    let drives = drives_of(system, target);
    let slots = || drives.iter().map(|&drive| &system.drives[drive]);
    let cached = || slots().any(|slot| slot.model.write_cache());
    slots()
        .any(|slot| slot.flush == Flush::Alone)
        .then(|| point.write_through && cached())
}

/// Which drives have to make each write durable (O_DSYNC): all that the load writes to, but those behind a cache of a
/// controller that answers writes.
pub(crate) fn written_through(point: &Point, system: &System) -> Vec<bool> {
    let mut through = vec![false; system.drives.len()];
    if point.write_through {
        let targets = point.targets.iter().filter(|target| !is_cached(system, target));
        let drives = targets.flat_map(|target| drives_of(system, target));
        drives.for_each(|drive| through[drive] = true);
    }
    through
}

/// The layout of a target whose writes the host gathers to whole stripes: an array of its own with parity, and writes that
/// follow on each other.
pub(crate) fn gathered(load: &Point, system: &System, target: &Target) -> Option<Layout> {
    let On::HostRaid { array } = &of_target(system, target)?.on else {
        return None;
    };
    let follow = load.profile.writes() && load.profile.drawn_of(true) < 1.0;
    (follow && has_parity(array)).then(|| Layout::of(system, array).expect("checked"))
}

/// All that will be sent: from the cores of the host, and from controllers.
pub(crate) fn flows(point: &Point, system: &System) -> Vec<Flow> {
    let (mut flows, mut first_worker) = (Vec::new(), 0);
    for load in &point.loads() {
        flows.extend(flows_of(load, first_worker, system));
        first_worker += load.workers_in_all();
    }
    flows
}

/// What one load sends.
fn flows_of(load: &Point, first_worker: usize, system: &System) -> Vec<Flow> {
    let profile = &load.profile;
    let (reads, writes) = (profile.reads(), profile.writes() || profile.trims());
    let mut flows = Vec::new();
    for (index, target) in load.targets.iter().enumerate() {
        let cores = cores_of(load, first_worker, system, index);
        let on = &of_target(system, target).expect("checked").on;
        let joined = matches!(on, On::HostRaid { array } if array.drives.len() > 1);
        let part = |drive: &usize| !matches!(on, On::Drive { .. }) && behind(system, *drive).is_some();
        let drives = drives_of(system, target).into_iter();
        let (parts, alone): (Vec<usize>, Vec<usize>) = drives.partition(part);
        let controllers = controllers_of(system, target).into_iter();
        let to = alone.into_iter().map(Via::Drive);
        let to = to.chain(controllers.map(Via::Controller));
        for to in to {
            for &core in &cores {
                let source = Source::Core(core);
                // Parity is read before it is written, and what is degraded is read from all.
                flows.push(Flow {
                    source,
                    to,
                    reads: reads || joined,
                    writes,
                });
            }
            if joined {
                let source = Source::Scattered;
                flows.push(Flow {
                    source,
                    to,
                    reads: true,
                    writes,
                });
            }
        }
        let part = |drive: usize| Flow {
            source: Source::Scattered,
            to: Via::Drive(drive),
            reads: true,
            writes: true,
        };
        flows.extend(parts.into_iter().map(part));
    }
    flows
}

#[cfg(test)]
mod tests {
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
        let drive = json!({
            "kind": "ssd", "capacity_bytes": 1_u64 << 40, "spare_share": 0.28, "filled_share": 0.0,
            "command_read_ps": 1, "command_write_ps": 1, "delay_read_ps": 1, "delay_write_ps": 1, "dies": 1,
            "stripe_bytes": 8192, "read_ps": 1, "program_bytes": 8192, "program_ps": 1, "suspend_ps": 1,
            "data_read_bytes_s": 1, "data_write_bytes_s": 1, "turnaround_ps": 1, "buffer_bytes": 8192,
            "write_cache": true, "prefetch": null,
        });
        let cpu = json!({ "read_ps": 0, "write_ps": 0, "per_kib_ps": 0 });
        let system = json!({
            "name": "test", "host": { "cores": 0, "wakeup_ps": 0 }, "links": [], "switches": [], "controllers": [],
            "drives": [{ "name": "drive", "path": [], "model": drive }],
            "volumes": [{
                "name": "disk", "size_bytes": 1_u64 << 40, "cpu": cpu, "child_cpu": cpu,
                "on": { "kind": "drive", "drive": 0 },
            }],
        });
        let (point, system) = (read::<Point>(point), read::<System>(system));
        usages(&point, &system, &crate::sharing::guess(&point)).remove(0)
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
}
