//! Who feeds which station: where a station has one feeder that gives in order, its service can be
//! reserved ahead of the moment.

use std::collections::{BTreeMap, BTreeSet};

use super::stations::Stations;
use crate::system::Hop;

/// Where operations come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A core of the host: they leave in order of its service.
    Core(usize),
    /// Whatever else: they leave at any moment.
    Scattered,
}

/// What operations go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// A drive, directly.
    Drive(usize),
    /// A controller.
    Controller(usize),
}

/// Operations from a source to a destination.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// From where.
    pub source: Source,
    /// Where to.
    pub to: Via,
    /// Whether any reads.
    pub reads: bool,
    /// Whether any writes.
    pub writes: bool,
}

/// A stop of a route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) station: u32,
    /// Whether what arrives comes in order, so that a later moment can be reserved now.
    pub(super) ordered: bool,
    /// Whether it moves data, and the station that they pass next; a switch moves none.
    pub(super) data: bool,
    pub(super) next: Option<u32>,
}

/// The way to a destination and back, for reads and for writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    /// From and up to, in the stops of all routes.
    pub(super) down: [(u32, u32); 2],
    pub(super) up: [(u32, u32); 2],
    /// Whether what arrives at the destination, a drive, comes in order, and only reads do.
    pub(super) ordered: bool,
}

/// A node that a flow passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Source(Source),
    Station(usize),
    To(Via),
    Host,
}

impl Node {
    /// Whether it serves first come, first served, and so gives in order.
    fn gives_in_order(self) -> bool {
        matches!(self, Self::Source(Source::Core(_)) | Self::Station(_))
    }
}

/// The nodes that feed a node.
#[derive(Debug, Default)]
pub(super) struct Orders {
    feeders: BTreeMap<Node, BTreeSet<Node>>,
    /// Destinations of writes: what room a write finds depends on the moment.
    written: BTreeSet<Via>,
}

impl Orders {
    pub(super) fn of(flows: &[Flow], stations: &Stations, path_of: impl Fn(Via) -> Vec<Hop>) -> Self {
        let mut orders = Self::default();
        for flow in flows {
            let path = path_of(flow.to);
            if flow.writes {
                orders.written.insert(flow.to);
            }
            for write in [flow.reads.then_some(false), flow.writes.then_some(true)] {
                let Some(write) = write else { continue };
                let down = stations.down(&path, write).into_iter().map(Node::Station);
                let up = stations.up(&path, write).into_iter().map(Node::Station);
                let back = match flow.source {
                    Source::Core(_) => Node::Host,
                    Source::Scattered => Node::Source(flow.source),
                };
                let way = down.chain([Node::To(flow.to)]).chain(up).chain([back]);
                orders.follow(Node::Source(flow.source), way);
            }
        }
        orders
    }

    fn follow(&mut self, mut from: Node, way: impl Iterator<Item = Node>) {
        for node in way {
            self.feeders.entry(node).or_default().insert(from);
            from = node;
        }
    }

    fn ordered(&self, node: Node) -> bool {
        self.feeders
            .get(&node)
            .is_some_and(|feeders| feeders.len() == 1 && feeders.iter().all(|feeder| feeder.gives_in_order()))
    }

    /// Whether what comes back to the host comes in order.
    pub(super) fn returns_ordered(&self) -> bool {
        self.ordered(Node::Host)
    }

    /// The route to a destination; its stops are added to those of all.
    pub(super) fn route(&self, to: Via, path: &[Hop], stations: &Stations, stops: &mut Vec<Stop>) -> Route {
        let mut add = |way: Vec<usize>| {
            let from = stops.len() as u32;
            stops.extend(way.iter().enumerate().map(|(at, &station)| {
                Stop {
                    station: station as u32,
                    ordered: self.ordered(Node::Station(station)),
                    data: stations.moves_data(station),
                    next: (way[at + 1..].iter())
                        .find(|next| stations.moves_data(**next))
                        .map(|next| *next as u32),
                }
            }));
            (from, stops.len() as u32)
        };
        Route {
            down: [false, true].map(|write| add(stations.down(path, write))),
            up: [false, true].map(|write| add(stations.up(path, write))),
            ordered: matches!(to, Via::Drive(_)) && !self.written.contains(&to) && self.ordered(Node::To(to)),
        }
    }
}
