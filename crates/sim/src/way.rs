//! The way of a load: what of a system its I/Os go through.

use std::collections::BTreeSet;

use iodyno_load::request::Point;

use crate::system::{Hop, On, System};
use crate::volume;

/// Links, switches, controllers and drives by their indices.
#[derive(Debug, Default)]
pub(crate) struct Way {
    pub(crate) links: BTreeSet<usize>,
    pub(crate) switches: BTreeSet<usize>,
    pub(crate) controllers: BTreeSet<usize>,
    pub(crate) drives: BTreeSet<usize>,
}

impl Way {
    /// What only loads beside the first go through; nothing where there is one load.
    pub(crate) fn beside_the_first(loads: &[Point], system: &System) -> Self {
        let (first, others) = loads.split_first().expect("a load");
        let first = Self::of(first, system);
        let mut beside = Self::default();
        for way in others.iter().map(|load| Self::of(load, system)) {
            beside.links.extend(&way.links - &first.links);
            beside.switches.extend(&way.switches - &first.switches);
            beside.controllers.extend(&way.controllers - &first.controllers);
            beside.drives.extend(&way.drives - &first.drives);
        }
        beside
    }

    /// What the targets of a load lie on, and all between it and the host.
    fn of(load: &Point, system: &System) -> Self {
        let mut way = Self::default();
        for target in &load.targets {
            if let Some(On::Logical { controller, .. }) =
                volume::of_target(system, target).map(|volume| &volume.on)
            {
                way.controllers.insert(*controller);
                way.go(&system.controllers[*controller].path);
            }
            for drive in volume::drives_of(system, target) {
                way.drives.insert(drive);
                way.go(&system.drives[drive].path);
            }
        }
        way
    }

    fn go(&mut self, path: &[Hop]) {
        for hop in path {
            match *hop {
                Hop::Link(link) => self.links.insert(link),
                Hop::Switch(switch) => self.switches.insert(switch),
            };
        }
    }
}
