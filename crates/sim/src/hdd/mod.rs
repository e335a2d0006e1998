//! A hard disk: commands, tags, write cache and read-ahead in front; seek, rotation and transfer behind.
//!
//! A command is processed by the front (one server), waits outside until one of the tags is free, and can
//! then be chosen. With the write cache on a write is answered as soon as the cache has room for it, and
//! stays among the choices beyond the tags until it is on the medium. The mechanics take the choice with
//! the shortest access time (see [`queue`]); with nothing to do they read ahead (see [`ahead`]). What was written
//! last stays in the buffer too (see [`kept`]).

pub mod ahead;
mod beginning;
mod flushing;
pub(crate) mod front;
pub mod geometry;
mod kept;
pub mod queue;
pub mod seek;
mod service;

use std::collections::VecDeque;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::calendar::{Calendar, Event, Kind};
use crate::hdd::ahead::Ahead;
use crate::hdd::beginning::Beginning;
use crate::hdd::flushing::Flushes;
use crate::hdd::geometry::{Geometry, Spindle};
use crate::hdd::kept::Kept;
use crate::hdd::queue::{Candidate, Head, Mechanics, Queue};
use crate::hdd::seek::SeekCurve;
use crate::operation::{Done, DriveOp, Inside, StationSums, Usage};
use crate::room::{Filled, Room};
use crate::spent::Place;
use crate::station::{Server, Sums};
use crate::system::HddModel;
use crate::time::Ps;

/// The event that the mechanics have finished; others are slots of commands that have been processed.
const FINISHED: u32 = u32::MAX;

/// The event that cached writes have waited long enough for something better to do.
const DESTAGE: u32 = u32::MAX - 1;

/// The event that a read that waits in the queue has passed under the head while that reads ahead.
const PASSED: u32 = u32::MAX - 2;

/// A command in the drive.
#[derive(Clone, Copy, Debug)]
struct Command {
    op: DriveOp,
    arrival: Ps,
    /// When it was processed.
    ready: Ps,
    /// How long it waited for room in the cache before it was written past it.
    room: Ps,
}

/// What the mechanics are doing.
#[derive(Clone, Copy, Debug)]
struct Service {
    candidate: Candidate,
    start: Ps,
}

/// A hard disk.
#[derive(Debug)]
pub struct Hdd {
    which: u16,
    revolution: Ps,
    command: Ps,
    cached_write: Ps,
    /// A draw below this misses a revolution.
    missed: u64,
    tags: usize,
    cache_entries: usize,
    read_ahead: u64,
    mechanics: Mechanics,
    rng: Xoshiro256PlusPlus,

    commands: Vec<Command>,
    unused: Vec<u32>,
    /// Processed, without a tag.
    outside: VecDeque<u32>,
    tags_held: usize,
    tag_room: Room,
    /// Writes in the cache.
    cached: usize,
    /// Entries of the cache that they take.
    held: usize,
    /// Writes with a tag that wait for room in the cache, and since when.
    for_room: VecDeque<(u32, Ps)>,
    cache_room: Room,
    flushes: Flushes,
    /// While it lasts.
    beginning: Option<Beginning>,
    queue: Queue,
    service: Option<Service>,
    /// When cached writes alone are begun with, as far as an event is on its way for it.
    destage: Option<Ps>,
    head: Head,
    /// When the arm has settled where reading on has sent it last.
    settled: Ps,
    ahead: Ahead,
    kept: Kept,

    front: Server,
    mechanics_sums: Sums,
    /// The mechanics' time is accounted for up to here.
    accounted: Ps,
    clock: Ps,
}

impl Hdd {
    /// A hard disk that answers to events of drive `which`; where the load accesses it follows from the
    /// operations, so `usage` tells no more than how it writes; `seed` is the seed of its draws.
    pub fn new(model: &HddModel, usage: Usage, which: u16, seed: u64) -> Self {
        assert!(
            (0.0..1.0).contains(&model.missed_revolution),
            "missed_revolution is 0 to below 1"
        );
        let cache_entries = front::cache_entries(model, &usage);
        let geometry = Geometry::new(model);
        let stroke = geometry.cylinders() - 1;
        let seek = SeekCurve::fit(
            model.seek_track_ps,
            model.seek_average_ps,
            model.seek_full_ps,
            stroke,
        );
        Self {
            which,
            revolution: model.revolution_ps,
            command: model.command_ps,
            cached_write: model.cached_write_ps,
            missed: (model.missed_revolution * u64::MAX as f64) as u64,
            tags: model.tags.max(1) as usize,
            cache_entries,
            read_ahead: model.read_ahead_bytes,
            head: Head {
                place: geometry.place(0),
                offset: u64::MAX,
                held_from: u64::MAX,
                at: Ps::ZERO,
            },
            mechanics: Mechanics {
                geometry,
                seek,
                write_settle: model.write_settle_ps,
            },
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            commands: Vec::new(),
            unused: Vec::new(),
            outside: VecDeque::new(),
            tags_held: 0,
            tag_room: Room::new(model.tags.max(1).into()),
            cached: 0,
            held: 0,
            for_room: VecDeque::new(),
            cache_room: Room::new(cache_entries as u64),
            flushes: Flushes::default(),
            beginning: Beginning::of(usage, cache_entries, seed),
            queue: Queue::new(model.revolution_ps),
            service: None,
            destage: None,
            settled: Ps::ZERO,
            ahead: Ahead::new(model.read_segments),
            kept: Kept::new(model),
            front: Server::default(),
            mechanics_sums: Sums::default(),
            accounted: Ps::ZERO,
            clock: Ps::ZERO,
        }
    }

    /// The same, turning as its own spindle does: nobody keeps disks in step.
    pub fn turning(mut self, spindle: Spindle) -> Self {
        self.revolution = self.mechanics.geometry.turn(spindle);
        self
    }

    /// See [`crate::drive::Drive::submit`].
    pub fn submit(&mut self, op: DriveOp, arrival: Ps, calendar: &mut Calendar) {
        let ready = self.front.serve(arrival, self.command);
        let room = Ps::ZERO;
        let command = Command {
            op,
            arrival,
            ready,
            room,
        };
        let slot = match self.unused.pop() {
            Some(slot) => {
                self.commands[slot as usize] = command;
                slot
            }
            None => {
                self.commands.push(command);
                (self.commands.len() - 1) as u32
            }
        };
        calendar.at(ready, self.event_of(slot));
    }

    /// See [`crate::drive::Drive::event`].
    pub fn event(&mut self, token: u32, calendar: &mut Calendar, done: &mut Vec<Done>) {
        let now = calendar.now();
        self.clock = now;
        match token {
            FINISHED => self.finish(now, done),
            PASSED => self.give_held(now, done),
            DESTAGE => self.destage = self.destage.filter(|&due| due > now),
            slot => self.outside.push_back(slot),
        }
        self.admit(now, calendar, done);
        self.start(now, calendar);
    }

    /// See [`crate::drive::Drive::stations`].
    pub fn stations(&self, now: Ps) -> Vec<StationSums> {
        // A service counts when it ends; here as far as it has come.
        let mut mechanics = self.mechanics_sums;
        if let Some(service) = &self.service {
            mechanics.busy += now.since(service.start);
        }
        let station = |name, place, room, sums| StationSums {
            name,
            place,
            servers: 1,
            room,
            sums,
        };
        let room = |filled| Room::sums([filled], now);
        vec![
            station("command", Place::DriveFront, false, self.front.sums),
            station("tags", Place::DriveFront, true, room(self.tags_filled(now))),
            station(
                "write cache",
                Place::DriveRoom,
                true,
                room(self.cache_filled(now)),
            ),
            station("mechanics", Place::DriveMedia, false, mechanics),
        ]
    }

    fn tags_filled(&self, now: Ps) -> Filled<'_> {
        let ready = |&slot: &u32| self.commands[slot as usize].ready;
        Filled {
            room: &self.tag_room,
            held: self.tags_held as u64,
            ages: self.outside.iter().map(|slot| now.since(ready(slot))).sum(),
        }
    }

    fn cache_filled(&self, now: Ps) -> Filled<'_> {
        Filled {
            room: &self.cache_room,
            held: self.held as u64,
            ages: self.for_room.iter().map(|&(_, since)| now.since(since)).sum(),
        }
    }

    fn event_of(&self, token: u32) -> Event {
        Event {
            kind: Kind::Drive,
            which: self.which,
            token,
        }
    }

    /// Answer a command that left the front, where it has waited for `room`, at `media` and is done at `at`; its tag
    /// and slot are free again.
    fn answer(&mut self, slot: u32, room: Ps, (media, at): (Ps, Ps), done: &mut Vec<Done>) {
        self.answer_flowing(slot, room, (media, at), Ps::ZERO, done);
    }

    /// The same of one whose data has been passing under the head for so long.
    fn answer_flowing(
        &mut self,
        slot: u32,
        room: Ps,
        (media, at): (Ps, Ps),
        flowing: Ps,
        done: &mut Vec<Done>,
    ) {
        let command = self.commands[slot as usize];
        let room = room + command.room;
        let inside = Inside {
            front: media.since(command.arrival) - room,
            room,
            media: at.since(media),
        };
        done.push(Done {
            flowing,
            token: command.op.token,
            at,
            inside,
        });
        self.tag_room.pass(self.tags_held as u64, self.clock);
        self.tags_held -= 1;
        self.unused.push(slot);
    }
}

/// A disk of 15,000 revolutions per minute whose write cache has so many entries.
#[cfg(test)]
fn disk_of_tests(write_cache_entries: u64) -> HddModel {
    let model = serde_json::json!({
        "capacity_bytes": 300_u64 << 30, "revolution_ps": 4_000_000_000_u64, "heads": 4, "zones": 5,
        "outer_bytes_s": 230_000_000, "inner_bytes_s": 140_000_000, "seek_track_ps": 200_000_000_u64,
        "seek_average_ps": 2_900_000_000_u64, "seek_full_ps": 6_500_000_000_u64,
        "write_settle_ps": 400_000_000_u64, "tags": 32, "command_ps": 0, "cached_write_ps": 0,
        "missed_revolution": 0.0, "write_cache": true, "write_cache_entries": write_cache_entries,
        "read_ahead_bytes": 0, "read_segments": 1,
    });
    serde_json::from_value(model).expect("a model")
}
