//! Whether a point and a system fit together: all problems at once, before anything is simulated.

use std::collections::BTreeSet;

use iodyno_load::request::{Point, Target};

use crate::meter::outstanding;
use crate::raid::Layout;
use crate::system::{Array, Hop, On, System};
use crate::volume::{behind, of_target, untrimmed, with_targets};

/// Most outstanding I/Os of a point.
const MOST_OUTSTANDING: usize = 1 << 22;
/// Most drives of a controller: its queues are numbered in a byte.
const MOST_DRIVES: usize = 256;

/// What is wrong, in sentences; empty where all is well.
pub(crate) fn problems(point: &Point, system: &System) -> Vec<String> {
    let mut problems = of_system(system);
    if problems.is_empty() {
        problems.extend(point.targets.iter().filter_map(|target| of_area(system, target)));
        let loads = point.loads();
        let trimmed = loads.iter().filter(|load| load.profile.trims());
        let trimmed = trimmed.flat_map(|load| &load.targets);
        problems.extend(trimmed.filter_map(|target| untrimmed(system, target)));
    }
    let uneven = |load: &Point| !load.targets.len().is_multiple_of(load.driven_by_each());
    if point.loads().iter().any(uneven) {
        problems.push("the targets that a worker drives do not divide their number".to_owned());
    }
    if problems.is_empty() {
        problems.extend(cached_reads(point, system));
    }
    let outstanding = outstanding(point);
    if !(1..=MOST_OUTSTANDING).contains(&outstanding) {
        problems.push(format!(
            "{outstanding} outstanding I/Os: 1 to {MOST_OUTSTANDING} can be simulated"
        ));
    }
    problems
}

/// The volumes whose reads a cache keeps, and that several loads read in different ways: which of them find what the
/// others left there is not modelled.
fn cached_reads(point: &Point, system: &System) -> impl Iterator<Item = String> {
    let loads = point.loads();
    let readers: Vec<_> = loads
        .iter()
        .flat_map(with_targets)
        .filter(|(load, target)| load.profile.reads() && keeps_reads(system, target))
        .map(|(load, target)| {
            let area = (target.area_start_bytes, target.area_length_bytes);
            let way = (load.profile.random_of(false), load.profile.distribution_of(false));
            (target.path.clone(), area, way)
        })
        .collect();
    let other = |place: usize| {
        let (path, area, way) = &readers[place];
        readers[..place]
            .iter()
            .any(|(other, at, goes)| other == path && (at, goes) != (area, way))
    };
    let places = (0..readers.len()).filter(|&place| other(place));
    let found: BTreeSet<_> = places.map(|place| readers[place].0.clone()).collect();
    found.into_iter().map(|path| {
        format!(
            "several loads that read {path} in different ways where its reads are cached cannot be simulated"
        )
    })
}

fn keeps_reads(system: &System, target: &Target) -> bool {
    match of_target(system, target).map(|volume| &volume.on) {
        Some(On::Logical { controller, logical }) => {
            let controller = &system.controllers[*controller];
            controller.cache_bytes > 0 && controller.logicals[*logical].cached_reads
        }
        _ => false,
    }
}

fn of_system(system: &System) -> Vec<String> {
    let mut problems = Vec::new();
    if system.host.cores == 0 {
        problems.push("the host has no core".to_owned());
    }
    for link in system.links.iter().filter(|link| link.bytes_s == 0) {
        problems.push(format!("the link {} has no rate", link.name));
    }
    let mut path = |name: &str, path: &[Hop]| {
        let known = |hop: &Hop| match *hop {
            Hop::Link(link) => link < system.links.len(),
            Hop::Switch(switch) => switch < system.switches.len(),
        };
        if !path.iter().all(known) || path.len() > usize::from(u8::MAX) {
            problems.push(format!(
                "the path of {name} has a hop that the system does not have"
            ));
        }
    };
    system.drives.iter().for_each(|slot| path(&slot.name, &slot.path));
    system
        .controllers
        .iter()
        .for_each(|controller| path(&controller.name, &controller.path));
    for controller in &system.controllers {
        let arrays = controller
            .logicals
            .iter()
            .map(|logical| (&logical.name, &logical.array, logical.size_bytes));
        problems.extend(arrays.filter_map(|(name, array, size)| of_array(system, name, array, size)));
        let arrays = controller.logicals.iter().map(|logical| &logical.array.drives);
        let drives: BTreeSet<_> = arrays.flatten().collect();
        if drives.len() > MOST_DRIVES {
            problems.push(format!(
                "{}: {} drives where {MOST_DRIVES} can be simulated on a controller",
                controller.name,
                drives.len()
            ));
        }
    }
    if system.drives.len() + system.controllers.len() > usize::from(u16::MAX) {
        problems.push("too many drives and controllers".to_owned());
    }
    problems.extend(system.volumes.iter().filter_map(|volume| {
        match &volume.on {
            On::Drive { drive } => {
                (*drive >= system.drives.len()).then(|| format!("{}: no such drive", volume.name))
            }
            On::HostRaid { array } => of_array(system, &volume.name, array, volume.size_bytes)
                .or_else(|| not_passed_through(system, &volume.name, array)),
            On::Logical { controller, logical } => {
                let found = system.controllers.get(*controller);
                match found.and_then(|of| of.logicals.get(*logical)) {
                    None => Some(format!("{}: no such logical drive", volume.name)),
                    Some(of) if of.size_bytes < volume.size_bytes => Some(format!(
                        "{}: {} bytes, but the logical drive holds {}",
                        volume.name, volume.size_bytes, of.size_bytes
                    )),
                    Some(_) => None,
                }
            }
        }
    }));
    problems
}

fn of_array(system: &System, name: &str, array: &Array, size_bytes: u64) -> Option<String> {
    match Layout::of(system, array) {
        Err(problem) => Some(format!("{name}: {problem}")),
        Ok(layout) if layout.capacity_bytes() < size_bytes => Some(format!(
            "{name}: {size_bytes} bytes, but the array holds {}",
            layout.capacity_bytes()
        )),
        Ok(_) => None,
    }
}

/// The host joins drives of a controller that it passes through, and that its cache has no part in.
fn not_passed_through(system: &System, name: &str, array: &Array) -> Option<String> {
    let places = array.drives.iter().filter_map(|&drive| behind(system, drive));
    let mut joined = places.filter(|&(controller, logical)| {
        let controller = &system.controllers[controller];
        let logical = &controller.logicals[usize::from(logical)];
        let cached = controller.cache_bytes > 0 && (logical.write_back || logical.cached_reads);
        logical.array.drives.len() > 1 || logical.read_ahead || cached
    });
    joined
        .next()
        .map(|_| format!("{name}: the host joins drives that a controller joins or caches as well"))
}

fn of_area(system: &System, target: &Target) -> Option<String> {
    let Some(volume) = of_target(system, target) else {
        return Some(format!(
            "the system {} has no volume {}",
            system.name, target.path
        ));
    };
    let held = match &volume.on {
        On::Drive { drive } => system.drives[*drive]
            .model
            .capacity_bytes()
            .min(volume.size_bytes),
        _ => volume.size_bytes,
    };
    let end = target.area_start_bytes.checked_add(target.area_length_bytes);
    let inside = end.is_some_and(|end| end <= held);
    (!inside).then(|| format!("the area of {} ends beyond its {held} bytes", target.path))
}
