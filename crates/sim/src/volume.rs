//! What targets stand for: a drive, drives that the host joins, or a logical drive of a controller.

use std::collections::BTreeSet;

use iodyno_load::request::{Point, Target};

use crate::raid::{Layout, Work};
use crate::system::{Array, Controller, CpuCost, Flush, Level, Model, On, System};

/// A volume as the host sees it.
#[derive(Debug)]
pub(crate) struct Volume {
    pub(crate) cpu: CpuCost,
    pub(crate) child_cpu: CpuCost,
    pub(crate) on: Backing,
    /// Whether the host answers a sync itself: no drive has anything to flush.
    pub(crate) nothing_to_flush: bool,
}

/// What a volume lies on.
#[derive(Debug)]
pub(crate) enum Backing {
    Drive(usize),
    Raid(Box<Joined>),
    Logical { controller: usize, logical: u16 },
}

/// Drives that the host joins.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) layout: Layout,
    pub(crate) members: Vec<Member>,
    pub(crate) work: Work,
}

/// A drive that the host joins with others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) drive: usize,
    /// The controller that it hangs on, and its logical drive there, which passes it through.
    pub(crate) behind: Option<(usize, u16)>,
}

/// The volume of a target.
pub(crate) fn of_target<'a>(system: &'a System, target: &Target) -> Option<&'a crate::system::Volume> {
    system.volumes.iter().find(|volume| volume.name == target.path)
}

impl Volume {
    /// The volume of a target; the system has been checked.
    pub(crate) fn new(system: &System, target: &Target) -> Self {
        let volume = of_target(system, target).expect("checked");
        let on = match &volume.on {
            On::Drive { drive } => Backing::Drive(*drive),
            On::HostRaid { array } => Backing::Raid(Box::new(Joined {
                layout: Layout::of(system, array).expect("checked"),
                members: members(system, array).collect(),
                work: Work::default(),
            })),
            On::Logical { controller, logical } => Backing::Logical {
                controller: *controller,
                logical: *logical as u16,
            },
        };
        Self {
            cpu: volume.cpu,
            child_cpu: volume.child_cpu,
            nothing_to_flush: controllers_of(system, target).is_empty()
                && drives_of(system, target)
                    .iter()
                    .all(|&drive| system.drives[drive].flush == Flush::Unneeded),
            on,
        }
    }
}

/// The drives of an array that the host joins.
fn members(system: &System, array: &Array) -> impl Iterator<Item = Member> {
    array.drives.iter().map(|&drive| Member {
        drive,
        behind: behind(system, drive),
    })
}

/// The controller that a drive hangs on, and the logical drive that it is part of there.
pub(crate) fn behind(system: &System, drive: usize) -> Option<(usize, u16)> {
    let logicals = system
        .controllers
        .iter()
        .enumerate()
        .flat_map(|(at, controller)| {
            let numbered = controller.logicals.iter().zip(0..);
            numbered.map(move |(logical, number)| (logical, (at, number)))
        });
    let mut holding = logicals.filter(|(logical, _)| logical.array.drives.contains(&drive));
    holding.next().map(|(_, place)| place)
}

/// The controllers that the I/Os of a target go through.
pub(crate) fn controllers_of(system: &System, target: &Target) -> BTreeSet<usize> {
    match of_target(system, target).map(|volume| &volume.on) {
        Some(On::Logical { controller, .. }) => BTreeSet::from([*controller]),
        Some(On::HostRaid { array }) => members(system, array)
            .filter_map(|member| member.behind)
            .map(|(controller, _)| controller)
            .collect(),
        _ => BTreeSet::new(),
    }
}

/// The array that a target's I/Os end in, if it has any.
pub(crate) fn array_of<'a>(system: &'a System, target: &Target) -> Option<&'a Array> {
    match &of_target(system, target)?.on {
        On::Drive { .. } => None,
        On::HostRaid { array } => Some(array),
        On::Logical { controller, logical } => {
            Some(&system.controllers[*controller].logicals[*logical].array)
        }
    }
}

/// The drives that a target's I/Os end in; none of one that the system does not have.
pub(crate) fn drives_of(system: &System, target: &Target) -> Vec<usize> {
    match of_target(system, target).map(|volume| &volume.on) {
        Some(On::Drive { drive }) => vec![*drive],
        Some(_) => array_of(system, target).map_or_else(Vec::new, |array| array.drives.clone()),
        None => Vec::new(),
    }
}

/// A load with each of its targets.
pub(crate) fn with_targets(load: &Point) -> impl Iterator<Item = (&Point, &Target)> {
    load.targets.iter().map(move |target| (load, target))
}

/// Where on a drive the area of a target lies, as shares of the drive's capacity.
pub(crate) fn range(system: &System, target: &Target, drive: usize) -> (f64, f64) {
    let (from, bytes) = (target.area_start_bytes as f64, target.area_length_bytes as f64);
    let capacity = system.drives[drive].model.capacity_bytes() as f64;
    let scale = match array_of(system, target) {
        Some(array) => {
            let of_array = Layout::of(system, array).expect("checked").capacity_bytes() as f64;
            member_bytes(system, array) as f64 / of_array
        }
        None => 1.0,
    };
    (from * scale / capacity, (from + bytes) * scale / capacity)
}

/// Why the trims of a load get nowhere on a target.
pub(crate) fn untrimmed(system: &System, target: &Target) -> Option<String> {
    let hard_disk = |drive: &usize| matches!(system.drives[*drive].model, Model::Hdd(_));
    let why = match &of_target(system, target)?.on {
        _ if !controllers_of(system, target).is_empty() => "a controller passes no trims on",
        On::HostRaid { array } if has_parity(array) => "an array with parity passes no trims on",
        On::HostRaid { array } if array.drives.iter().any(hard_disk) => "a hard disk takes no trims",
        On::Drive { drive } if hard_disk(drive) => "a hard disk takes no trims",
        _ => return None,
    };
    Some(format!("{}: {why}", target.path))
}

pub(crate) fn has_parity(array: &Array) -> bool {
    use Level::{Raid5, Raid6, Raid50, Raid60};
    matches!(array.level, Raid5 | Raid6 | Raid50 | Raid60)
}

/// Whether a cache of a controller answers the writes to a target.
pub(crate) fn is_cached(system: &System, target: &Target) -> bool {
    match of_target(system, target).expect("checked").on {
        On::Logical { controller, logical } => answers_writes(&system.controllers[controller], logical),
        _ => false,
    }
}

/// Whether a cache of the controller answers the writes to a logical drive.
pub(crate) fn answers_writes(controller: &Controller, logical: usize) -> bool {
    controller.cache_bytes > 0 && controller.logicals[logical].write_back
}

pub(crate) fn member_bytes(system: &System, array: &Array) -> u64 {
    let capacity = |drive: &usize| system.drives[*drive].model.capacity_bytes();
    array.drives.iter().map(capacity).min().unwrap_or(0)
}
