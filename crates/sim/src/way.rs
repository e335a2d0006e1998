//! The ways of loads: what of a system their I/Os go through.

use std::collections::BTreeSet;

use iodyno_load::reading::TargetReading;
use iodyno_load::request::{Point, Target};

use crate::system::{Hop, On, System};
use crate::volume;

/// A part of a system that has stations, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Core(usize),
    Link(usize, Direction),
    Switch(usize),
    Controller(usize),
    Drive(usize),
}

/// Which data a station of a link moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direction {
    Reads,
    Writes,
    /// Of a link that is half duplex.
    Both,
}

/// The ways of the loads of a point.
#[derive(Debug)]
pub(crate) struct Ways {
    /// Of the first load, whose figures are those of the point, by target, with the I/Os that it completed.
    first: Vec<(Way, u64)>,
    /// Of the others.
    others: Vec<Way>,
}

impl Ways {
    /// The ways of a point whose targets have completed so much.
    pub(crate) fn of(point: &Point, system: &System, completed: &[TargetReading]) -> Self {
        let (loads, mut ways, mut first_worker) = (point.loads(), Vec::new(), 0);
        for load in &loads {
            ways.extend((0..load.targets.len()).map(|target| Way::of(load, first_worker, target, system)));
            first_worker += load.workers_in_all();
        }
        let others = ways.split_off(loads[0].targets.len());
        let done = |of: &TargetReading| of.completed.reads + of.completed.writes + of.completed.trims;
        Self {
            first: ways.into_iter().zip(completed.iter().map(done)).collect(),
            others,
        }
    }

    /// Of no load.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self {
            first: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Whether only loads beside the first go through a part.
    pub(crate) fn beside(&self, part: Part) -> bool {
        let first = self.first.iter().any(|(way, _)| way.has(part));
        !first && self.others.iter().any(|way| way.has(part))
    }

    /// The share of the first load's I/Os whose targets lie behind one of some parts.
    pub(crate) fn share(&self, parts: &[Part]) -> f64 {
        let goes = |way: &Way| parts.iter().any(|&part| way.has(part));
        let served = |(way, completed): &(Way, u64)| if goes(way) { *completed } else { 0 };
        let all: u64 = self.first.iter().map(|(_, completed)| completed).sum();
        match all {
            0 => 1.0,
            _ => self.first.iter().map(served).sum::<u64>() as f64 / all as f64,
        }
    }
}

/// What the I/Os of a load on a target go through, and what the target lies on.
#[derive(Debug, Default)]
struct Way(BTreeSet<Part>);

impl Way {
    fn of(load: &Point, first_worker: usize, target: usize, system: &System) -> Self {
        let mut way = Self::default();
        let cores = cores_of(load, first_worker, system, target);
        way.0.extend(cores.into_iter().map(Part::Core));
        let (profile, target): (_, &Target) = (&load.profile, &load.targets[target]);
        let (reads, writes) = (profile.reads(), profile.writes() || profile.trims());
        // Parity is read before it is written: by the host from where it joins drives, by a controller behind it.
        let parity = volume::array_of(system, target).is_some_and(volume::has_parity);
        let by_host = matches!(
            volume::of_target(system, target).expect("checked").on,
            On::HostRaid { .. }
        );
        for controller in volume::controllers_of(system, target) {
            way.0.insert(Part::Controller(controller));
            way.go(
                &system.controllers[controller].path,
                (reads || (parity && by_host), writes),
            );
        }
        for drive in volume::drives_of(system, target) {
            way.0.insert(Part::Drive(drive));
            way.go(&system.drives[drive].path, (reads || parity, writes));
        }
        way
    }

    fn has(&self, part: Part) -> bool {
        match part {
            Part::Link(link, Direction::Both) => [Direction::Reads, Direction::Writes]
                .into_iter()
                .any(|direction| self.0.contains(&Part::Link(link, direction))),
            _ => self.0.contains(&part),
        }
    }

    fn go(&mut self, path: &[Hop], (reads, writes): (bool, bool)) {
        for hop in path {
            match *hop {
                Hop::Link(link) => {
                    let directions = [(reads, Direction::Reads), (writes, Direction::Writes)];
                    let gone = directions.into_iter().filter(|(gone, _)| *gone);
                    self.0
                        .extend(gone.map(|(_, direction)| Part::Link(link, direction)));
                }
                Hop::Switch(switch) => {
                    self.0.insert(Part::Switch(switch));
                }
            }
        }
    }
}

/// The cores of the workers that drive a target of a load; its first worker has a number among those of all.
pub(crate) fn cores_of(load: &Point, first_worker: usize, system: &System, target: usize) -> BTreeSet<usize> {
    let first = first_worker + target / load.driven_by_each() * load.workers;
    let workers = first..first + load.workers;
    workers.map(|worker| worker % system.host.cores).collect()
}
