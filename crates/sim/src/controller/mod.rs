//! A controller with a processor, a cache and logical drives: host operations go in, operations on
//! drives go out, and host operations come back done.
//!
//! What the rest relies on:
//! - [`Controller::begin`] is called once, before anything else.
//! - [`Controller::submit`] is called at the present moment ([`Fabric::now`]), when the command (and the data of a
//!   write) is at the controller.
//! - Operations on drives leave with [`Fabric::send`] from [`Owner::Controller`] and come back through
//!   [`Controller::drive_done`], each at the moment at which it is back at the controller.
//! - Moments of its own: [`Fabric::wake`], heard in [`Controller::event`].
//! - A host operation that is finished goes into `done` with a moment no earlier than the present one; a read's
//!   data leaves for the host then. `spent` covers all of the time since `submit`, exactly.

mod ahead;
mod background;
mod ballast;
mod cache;
mod dirty;
mod drawn;
mod gather;
mod host;
mod jobs;
mod kept;
mod logical;
mod queues;
mod rate;
mod runs;
mod steps;

use std::collections::BTreeSet;

use iodyno_load::pattern::{AccessStream, Streams, mix};
use iodyno_load::request::{Point, Profile, WorkersArea};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::fabric::Fabric;
use crate::heat::{self, Class};
use crate::operation::{HostDone, HostOp, StationSums};
use crate::raid::Work;
use crate::room::Room;
use crate::spent::Place;
use crate::station::Servers;
use crate::system;
use crate::time::Ps;
pub(crate) use cache::{STREAM_BYTES, bytes_between_gaps};
use gather::Piece;
use jobs::{Job, Lists, Slab, Waiting};
use logical::Logical;
use queues::Queues;
use rate::{Pipe, Transfer};

/// What the load does with a logical drive.
#[derive(Clone, Debug)]
pub struct LogicalUse {
    /// Index of the logical drive.
    pub logical: usize,
    /// Start of the accessed area on it in bytes.
    pub start_bytes: u64,
    /// Length of the accessed area in bytes.
    pub length_bytes: u64,
    /// The load profile.
    pub profile: Profile,
    /// Outstanding I/Os of the target in all.
    pub outstanding: usize,
    /// Whether they come at a rate of their own.
    pub open_loop: bool,
    /// What the load writes there beside others, in any unit: how they part what is dirty.
    pub written: f64,
    /// How its accesses are spread, where any load goes to some blocks more often than to others.
    pub uneven: Option<Uneven>,
}

impl LogicalUse {
    /// Whether it writes some blocks more often than others.
    fn writes_unevenly(&self) -> bool {
        heat::uneven(&self.profile, true)
    }
}

/// How the accesses of a load are spread over the blocks of a logical drive.
#[derive(Clone, Debug)]
pub struct Uneven {
    reads: Vec<Class>,
    /// Whether writes go to the same blocks as often as reads.
    alike: bool,
    /// The sequences of its workers that have places of their own.
    workers: Vec<AccessStream>,
}

impl Uneven {
    /// That of a load on a target.
    pub(crate) fn of(load: &Point, target: usize) -> Self {
        let streams = Streams::new(load);
        // Workers with the same area have the same places.
        let workers = match load.workers_area {
            WorkersArea::Own => load.workers,
            _ => 1,
        };
        Self {
            reads: heat::classes(load, &load.targets[target], false),
            alike: load.profile.distribution_of(true) == load.profile.distribution_of(false),
            workers: (0..workers)
                .map(|worker| streams.stream(worker, target))
                .collect(),
        }
    }
}

/// A controller.
#[derive(Debug)]
pub struct Controller {
    which: u16,
    model: system::Controller,
    processor: Servers,
    transfer: Transfer,
    /// Rate of new parity.
    parity: Pipe,
    logicals: Vec<Logical>,
    queues: Queues,
    jobs: Slab<Job>,
    /// Reads of the cache.
    cached: Slab<Waiting>,
    parts: Lists<(u64, u32)>,
    next_parts: Vec<(u64, u32)>,
    groups: Lists<Piece>,
    next_group: Vec<Piece>,
    work: Work,
    rng: Xoshiro256PlusPlus,
}

impl Controller {
    /// The controller with index `which` of a system; `uses` is what the load does with its logical drives,
    /// `seed` the seed of its draws.
    ///
    /// # Panics
    /// If an array cannot be: the catalogue refuses it before.
    pub fn new(system: &system::System, which: u16, uses: &[LogicalUse], seed: u64) -> Self {
        let model = &system.controllers[usize::from(which)];
        let mut queues = Queues::new(which, model.drive_queue);
        let in_cache = |usage: &&LogicalUse| {
            let logical = &model.logicals[usage.logical];
            logical.write_back && usage.profile.writes() || logical.cached_reads && usage.profile.reads()
        };
        let used: BTreeSet<usize> = uses.iter().filter(in_cache).map(|usage| usage.logical).collect();
        let share = model.cache_bytes / used.len().max(1) as u64;
        let logicals = model.logicals.iter().enumerate().map(|(at, logical)| {
            let uses: Vec<_> = uses.iter().filter(|usage| usage.logical == at).collect();
            let cache = (share, mix(seed, at as u64));
            Logical::new(system, model, logical, &uses, cache, &mut queues)
        });
        Self {
            which,
            processor: Servers::new(model.cores),
            transfer: Transfer::new(system, model),
            parity: Pipe::new(model.parity_bytes_s),
            logicals: logicals.collect(),
            queues,
            jobs: Slab::new(),
            cached: Slab::new(),
            parts: Lists::new(),
            next_parts: Vec::new(),
            groups: Lists::new(),
            next_group: Vec::new(),
            work: Work::drawing(mix(seed, u64::MAX)),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            model: model.clone(),
        }
    }

    /// Take an I/O of the host that is at the controller now.
    pub fn submit(&mut self, op: HostOp, fabric: &mut Fabric, done: &mut Vec<HostDone>) {
        let logical = &self.logicals[usize::from(op.logical)];
        if op.bytes == 0 {
            return self.flush(op, fabric, done);
        }
        let fast = logical.fast(&op);
        if op.write && !fast && logical.cache.is_some() {
            self.write_back(op, fabric, done);
        } else if op.write && !fast && logical.gather.is_some() {
            self.write_gathered(op, fabric);
        } else if fast || op.write {
            self.host_io(op, fast, fabric);
        } else {
            self.read(op, fabric);
        }
    }

    /// Bytes that each logical drive's cache has taken in and has still to write to the drives, none where there is no such cache.
    pub fn gained_bytes(&self) -> impl Iterator<Item = u64> {
        let caches = self.logicals.iter().map(|logical| logical.cache.as_ref());
        caches.map(|cache| cache.map_or(0, cache::Cache::gained))
    }

    /// The stations inside, with their sums up to now.
    pub fn stations(&self, now: Ps) -> Vec<StationSums> {
        let one = |name, place, servers, sums| StationSums {
            name,
            place,
            servers,
            room: false,
            sums,
        };
        let caches = self.logicals.iter().filter_map(|logical| logical.cache.as_ref());
        let write_cache = Room::sums(caches.map(|cache| cache.filled(now)), now);
        let processor = &self.processor;
        vec![
            one(
                "processor",
                Place::ControllerCpu,
                processor.count(),
                processor.sums,
            ),
            one("data to host", Place::HostLink, 1, self.transfer.to_host.sums()),
            one(
                "data from host",
                Place::HostLink,
                1,
                self.transfer.from_host.sums(),
            ),
            one("parity", Place::ControllerCpu, 1, self.parity.sums()),
            StationSums {
                room: true,
                ..one("write cache", Place::ControllerRoom, 1, write_cache)
            },
        ]
    }
}

/// A draw as a share, 0 to below 1.
fn unit(draw: u64) -> f64 {
    (draw >> 11) as f64 / (1_u64 << 53) as f64
}
