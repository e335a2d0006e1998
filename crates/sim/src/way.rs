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
    Link(usize),
    Switch(usize),
    Controller(usize),
    Drive(usize),
}

/// The ways of the loads of a point.
#[derive(Debug)]
pub(crate) struct Ways {
    /// Of the first load, whose figures are those of the point, and of the others.
    first: Way,
    others: Way,
    /// Workers of the first load, which are on the first cores.
    workers: usize,
    /// Of each target of the first load, with the I/Os that it completed.
    targets: Vec<(Way, u64)>,
}

impl Ways {
    /// The ways of a point whose targets have completed so much.
    pub(crate) fn of(point: &Point, system: &System, completed: &[TargetReading]) -> Self {
        let loads = point.loads();
        let (first, others) = loads.split_first().expect("a load");
        let others: Vec<_> = others.iter().flat_map(|load| &load.targets).cloned().collect();
        let targets = first.targets.iter().zip(completed);
        let done = |of: &TargetReading| of.completed.reads + of.completed.writes + of.completed.trims;
        Self {
            first: Way::to(&first.targets, system),
            others: Way::to(&others, system),
            workers: first.workers_in_all(),
            targets: targets
                .map(|(target, of)| (Way::to(std::slice::from_ref(target), system), done(of)))
                .collect(),
        }
    }

    /// Whether only loads beside the first go through a part.
    pub(crate) fn beside(&self, part: Part) -> bool {
        match part {
            Part::Core(core) => core >= self.workers,
            _ => self.others.has(part) && !self.first.has(part),
        }
    }

    /// The share of the first load's I/Os whose targets lie behind one of some parts.
    pub(crate) fn share(&self, parts: &[Part]) -> f64 {
        let goes = |way: &Way| {
            parts
                .iter()
                .any(|&part| matches!(part, Part::Core(_)) || way.has(part))
        };
        let served = |(way, completed): &(Way, u64)| if goes(way) { *completed } else { 0 };
        let all: u64 = self.targets.iter().map(|(_, completed)| completed).sum();
        match all {
            0 => 1.0,
            _ => self.targets.iter().map(served).sum::<u64>() as f64 / all as f64,
        }
    }
}

/// What lies between the host and what targets lie on, with that; no cores.
#[derive(Debug, Default)]
struct Way(BTreeSet<Part>);

impl Way {
    fn to(targets: &[Target], system: &System) -> Self {
        let mut way = Self::default();
        for target in targets {
            let on = volume::of_target(system, target).map(|volume| &volume.on);
            if let Some(On::Logical { controller, .. }) = on {
                way.0.insert(Part::Controller(*controller));
                way.go(&system.controllers[*controller].path);
            }
            for drive in volume::drives_of(system, target) {
                way.0.insert(Part::Drive(drive));
                way.go(&system.drives[drive].path);
            }
        }
        way
    }

    fn has(&self, part: Part) -> bool {
        self.0.contains(&part)
    }

    fn go(&mut self, path: &[Hop]) {
        self.0.extend(path.iter().map(|hop| match *hop {
            Hop::Link(link) => Part::Link(link),
            Hop::Switch(switch) => Part::Switch(switch),
        }));
    }
}
