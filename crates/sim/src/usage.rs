//! What the loads of a point do with a system: its drives, logical drives of controllers, and the ways to them.

use std::collections::{BTreeMap, BTreeSet};

use iodyno_load::request::{Point, Profile, Target, WorkersArea};

use crate::controller::{LogicalUse, Uneven};
use crate::fabric::{Flow, Source, Via};
use crate::heat;
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

/// Where on each drive loads write at random, if all that write there do so throughout and no cache orders it: by zones, and
/// what laws scatter everywhere.
fn written(loads: &[Point], system: &System, moved: &[Moved], usages: &mut [Usage]) {
    let mut otherwise = BTreeSet::new();
    for (load, moved) in loads.iter().zip(moved).filter(|of| of.0.profile.writes()) {
        let mean = load.profile.mean_bytes_of(true);
        // By drive and stretch, which are the same of each target.
        let mut parts: BTreeMap<(usize, usize), Vec<(u64, u64)>> = BTreeMap::new();
        let mut accesses = Vec::new();
        for target in load.targets.iter().filter(|target| !is_cached(system, target)) {
            let stretches = heat::stretches(load, target);
            accesses = stretches.iter().map(|stretch| stretch.accesses).collect();
            for drive in drives_of(system, target) {
                if load.profile.drawn_of(true) < 1.0 {
                    otherwise.insert(drive);
                }
                let (from, to) = range(system, target, drive);
                let capacity = system.drives[drive].model.capacity_bytes() as f64;
                for (number, stretch) in stretches.iter().enumerate() {
                    let (from, to) = stretch.within((from, to));
                    let first = (from * capacity) as u64 / 4096 * 4096;
                    let part = (first, ((to - from) * capacity) as u64);
                    parts.entry((drive, number)).or_default().push(part);
                }
            }
        }
        for ((drive, number), parts) in parts.into_iter().filter(|of| accesses[of.0.1] > 0.0) {
            // Each target has as many writes as the others.
            let writes = moved.written / mean * parts.len() as f64 / load.targets.len() as f64;
            let writes = writes * accesses[number];
            usages[drive].written.push(Written { parts, writes });
        }
    }
    for drive in otherwise {
        usages[drive].written.clear();
    }
}

/// What the load does with the logical drives of a controller.
pub(crate) fn logical_uses(point: &Point, system: &System, moved: &[Moved], which: usize) -> Vec<LogicalUse> {
    let loads = point.loads();
    let uneven = |load: &Point| {
        [false, true]
            .iter()
            .any(|&write| heat::uneven(&load.profile, write))
    };
    let uneven = loads.iter().any(uneven);
    let each = loads.iter().zip(moved);
    let each = each.flat_map(|(load, moved)| (0..load.targets.len()).map(move |at| (load, moved, at)));
    let uses = each.filter_map(|(load, moved, at)| {
        let target = &load.targets[at];
        let On::Logical { controller, logical } = of_target(system, target).expect("checked").on else {
            return None;
        };
        (controller == which).then(|| LogicalUse {
            logical,
            start_bytes: target.area_start_bytes,
            length_bytes: target.area_length_bytes,
            profile: load.profile.clone(),
            outstanding: load.outstanding * load.workers,
            open_loop: load.open_loop(),
            written: moved.written / load.targets.len() as f64,
            uneven: uneven.then(|| Uneven::of(load, at)),
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
mod tests;
