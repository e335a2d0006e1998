//! A hard disk: commands, tags, write cache and read-ahead in front; seek, rotation and transfer behind.
//!
//! A command is processed by the front (one server), waits outside until one of the tags is free, and can
//! then be chosen. With the write cache on a write is answered as soon as the cache has room for it, and
//! stays among the choices beyond the tags until it is on the medium. The mechanics take the choice with
//! the shortest access time (see [`queue`]); with nothing to do they read ahead (see [`ahead`]).

pub mod ahead;
pub mod geometry;
pub mod queue;
pub mod seek;

use std::collections::VecDeque;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::calendar::{Calendar, Event, Kind};
use crate::drive::{Done, DriveOp, StationSums, Usage};
use crate::hdd::ahead::{Ahead, Standing};
use crate::hdd::geometry::Geometry;
use crate::hdd::queue::{Candidate, Head, Mechanics, Queue};
use crate::hdd::seek::SeekCurve;
use crate::spent::{Place, Spent};
use crate::station::{Server, Sums};
use crate::system::HddModel;
use crate::time::Ps;

/// The event that the mechanics have finished; others are slots of commands that have been processed.
const FINISHED: u32 = u32::MAX;

/// The event that cached writes have waited long enough for something better to do.
const DESTAGE: u32 = u32::MAX - 1;

/// A command in the drive.
#[derive(Clone, Copy, Debug)]
struct Command {
    op: DriveOp,
    arrival: Ps,
    /// When it was processed.
    ready: Ps,
}

/// What the mechanics are doing.
#[derive(Clone, Copy, Debug)]
struct Service {
    candidate: Candidate,
    start: Ps,
    /// Whether it began after the last reset: only then it counts.
    counts: bool,
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
    /// Writes in the cache.
    cached: usize,
    /// Writes with a tag that wait for room in the cache.
    for_room: VecDeque<u32>,
    queue: Queue,
    service: Option<Service>,
    /// When cached writes alone are begun with, as far as an event is on its way for it.
    destage: Option<Ps>,
    head: Head,
    ahead: Ahead,

    front: Server,
    outside_sums: Sums,
    mechanics_sums: Sums,
    /// The mechanics' time is accounted for up to here.
    accounted: Ps,
    clock: Ps,
}

impl Hdd {
    /// A hard disk that answers to events of drive `which`; where the load accesses it follows from the
    /// operations, so `usage` tells nothing new; `seed` is the seed of its draws.
    pub fn new(model: &HddModel, _usage: Usage, which: u16, seed: u64) -> Self {
        assert!(
            (0.0..1.0).contains(&model.missed_revolution),
            "missed_revolution is 0 to below 1"
        );
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
            cache_entries: if model.write_cache {
                model.write_cache_entries as usize
            } else {
                0
            },
            read_ahead: model.read_ahead_bytes,
            head: Head {
                place: geometry.place(0),
                offset: u64::MAX,
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
            cached: 0,
            for_room: VecDeque::new(),
            queue: Queue::new(model.revolution_ps),
            service: None,
            destage: None,
            ahead: Ahead::default(),
            front: Server::default(),
            outside_sums: Sums::default(),
            mechanics_sums: Sums::default(),
            accounted: Ps::ZERO,
            clock: Ps::ZERO,
        }
    }

    /// See [`crate::drive::Drive::submit`].
    pub fn submit(&mut self, op: DriveOp, arrival: Ps, calendar: &mut Calendar, _done: &mut Vec<Done>) {
        let ready = self.front.serve(arrival, self.command);
        let command = Command { op, arrival, ready };
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
            DESTAGE => self.destage = self.destage.filter(|&due| due > now),
            slot => self.outside.push_back(slot),
        }
        self.admit(now, calendar, done);
        self.start(now, calendar);
    }

    /// See [`crate::drive::Drive::stations`].
    pub fn stations(&self) -> Vec<StationSums> {
        let station = |name, place, servers, sums| StationSums {
            name,
            place,
            servers,
            sums,
        };
        vec![
            station("command", Place::DriveFront, 1, self.front.sums),
            station("outside tags", Place::DriveFront, self.tags, self.outside_sums),
            station("mechanics", Place::DriveMedia, 1, self.mechanics_sums),
        ]
    }

    /// See [`crate::drive::Drive::reset_sums`].
    pub fn reset_sums(&mut self) {
        self.front.sums = Sums::default();
        self.outside_sums = Sums::default();
        self.mechanics_sums = Sums::default();
        self.accounted = self.clock;
        if let Some(service) = &mut self.service {
            service.counts = false;
        }
    }

    fn event_of(&self, token: u32) -> Event {
        Event {
            kind: Kind::Drive,
            which: self.which,
            token,
        }
    }

    /// Give tags to those that wait outside, and room in the cache to writes that wait for it.
    fn admit(&mut self, now: Ps, calendar: &mut Calendar, done: &mut Vec<Done>) {
        while let Some(slot) = self.with_room() {
            self.cache(slot, now, done);
        }
        while self.tags_held < self.tags {
            let Some(slot) = self.outside.pop_front() else {
                return;
            };
            let command = self.commands[slot as usize];
            self.outside_sums.count(command.ready, Ps::ZERO, now);
            self.tags_held += 1;
            match command.op.write {
                true if self.cache_entries > 0 => self.write(slot, now, done),
                true => self.choosable(Some(slot), &command.op, now),
                false => self.read(slot, now, calendar, done),
            }
        }
    }

    fn with_room(&mut self) -> Option<u32> {
        if self.cached < self.cache_entries {
            self.for_room.pop_front()
        } else {
            None
        }
    }

    /// A write with the cache on.
    fn write(&mut self, slot: u32, now: Ps, done: &mut Vec<Done>) {
        if self.cached < self.cache_entries {
            self.cache(slot, now, done);
        } else {
            self.for_room.push_back(slot);
        }
    }

    /// Take a write into the cache and answer it.
    fn cache(&mut self, slot: u32, now: Ps, done: &mut Vec<Done>) {
        let op = self.commands[slot as usize].op;
        self.cached += 1;
        self.choosable(None, &op, now);
        let at = now + self.cached_write;
        self.answer(slot, at, at, done);
    }

    /// A read: from the buffer, as it comes by, or among the choices.
    fn read(&mut self, slot: u32, now: Ps, calendar: &mut Calendar, done: &mut Vec<Done>) {
        let op = self.commands[slot as usize].op;
        let end = op.offset + u64::from(op.bytes);
        match self.ahead.standing(op.offset, end, now, &self.mechanics.geometry) {
            Standing::Held => {
                self.read_on(end, now);
                self.account(&op, now);
                self.answer(slot, now, now, done);
            }
            Standing::Coming(at) if self.is_idle() => self.pass(slot, now, at, calendar),
            _ => self.choosable(Some(slot), &op, now),
        }
    }

    fn is_idle(&self) -> bool {
        self.service.is_none() && self.queue.is_empty()
    }

    /// Let a read pass under the head, unless to position anew is quicker.
    fn pass(&mut self, slot: u32, now: Ps, at: Ps, calendar: &mut Calendar) {
        let op = self.commands[slot as usize].op;
        let candidate = self.candidate(Some(slot), &op, now);
        let head = self.head_now(now);
        let transfer = self.mechanics.geometry.transfer(op.offset, u64::from(op.bytes));
        if now + self.mechanics.access(&head, now, &candidate) + transfer < at {
            self.queue.push(candidate);
        } else {
            let start = self.accounted.max(Ps(at.0.saturating_sub(transfer.0)));
            self.service = Some(Service {
                candidate,
                start,
                counts: true,
            });
            calendar.at(at, self.event_of(FINISHED));
        }
    }

    /// After a read from the buffer: let the head go on, or send it back to where it had stopped.
    fn read_on(&mut self, end: u64, now: Ps) {
        if self.ahead.runs(now, &self.mechanics.geometry) {
            self.ahead.extend(end, self.read_ahead);
        } else if let (true, Some(from)) = (self.is_idle(), self.ahead.thirst(end, self.read_ahead)) {
            let op = DriveOp {
                token: 0,
                write: false,
                offset: from,
                bytes: 0,
            };
            let to = self.candidate(None, &op, now);
            let at = now + self.mechanics.access(&self.head, now, &to);
            self.head = Head {
                place: to.place,
                offset: from,
                at,
            };
            self.ahead.resume(at, end, self.read_ahead);
        }
    }

    fn candidate(&self, command: Option<u32>, op: &DriveOp, since: Ps) -> Candidate {
        let place = self.mechanics.geometry.place(op.offset);
        Candidate {
            offset: op.offset,
            place,
            bytes: op.bytes,
            write: op.write,
            command,
            since,
        }
    }

    fn choosable(&mut self, command: Option<u32>, op: &DriveOp, now: Ps) {
        let candidate = self.candidate(command, op, now);
        self.queue.push(candidate);
    }

    /// Where the head is, which may have been reading ahead.
    fn head_now(&self, now: Ps) -> Head {
        let geometry = &self.mechanics.geometry;
        if !self.ahead.runs(now, geometry) {
            return self.head;
        }
        let offset = self.ahead.frontier(now, geometry);
        Head {
            place: geometry.place(offset),
            offset,
            at: now,
        }
    }

    /// Begin the next choice, if the mechanics are free.
    fn start(&mut self, now: Ps, calendar: &mut Calendar) {
        if self.service.is_some() || self.queue.is_empty() || self.holds_back(now, calendar) {
            return;
        }
        self.head = self.head_now(now);
        self.ahead.stop(now, &self.mechanics.geometry);
        let fill = self.fill();
        let Some((candidate, access)) = self.queue.take(&self.mechanics, &self.head, now, fill) else {
            return;
        };
        let moves = candidate.place.cylinder != self.head.place.cylinder;
        let missed = moves && access > Ps::ZERO && self.rng.next_u64() < self.missed;
        let again = if missed { self.revolution } else { Ps::ZERO };
        let transfer = self
            .mechanics
            .geometry
            .transfer(candidate.offset, u64::from(candidate.bytes));
        self.service = Some(Service {
            candidate,
            start: now,
            counts: true,
        });
        calendar.at(now + access + again + transfer, self.event_of(FINISHED));
    }

    /// Whether cached writes, alone, still let reads that may come go first. What follows the head does not wait.
    fn holds_back(&mut self, now: Ps, calendar: &mut Calendar) -> bool {
        let due = self.head.at + self.queue.patience(self.fill());
        if self.queue.len() > self.cached || now >= due || self.queue.follows(&self.head, now) {
            return false;
        }
        if self.destage.is_none_or(|earlier| due < earlier) {
            self.destage = Some(due);
            calendar.at(due, self.event_of(DESTAGE));
        }
        true
    }

    /// How full the write cache is, 0 to 1.
    fn fill(&self) -> f64 {
        self.cached as f64 / self.cache_entries.max(1) as f64
    }

    /// The mechanics have finished: answer, or make room in the cache, and read ahead after a read.
    fn finish(&mut self, now: Ps, done: &mut Vec<Done>) {
        let Service {
            candidate,
            start,
            counts,
        } = self.service.take().expect("a service that has ended");
        if counts {
            self.mechanics_sums
                .count(candidate.since.min(start), now.since(start), now);
        }
        self.accounted = now;
        let last = self.mechanics.geometry.place(candidate.end() - 1);
        self.head = Head {
            place: last,
            offset: candidate.end(),
            at: now,
        };
        if !candidate.write && self.read_ahead > 0 {
            self.ahead
                .follow(candidate.offset, candidate.end(), now, self.read_ahead);
        }
        match candidate.command {
            Some(slot) => self.answer(slot, candidate.since, now, done),
            None => self.cached -= 1,
        }
    }

    /// Count what the head has done for a read from the buffer, no more than it had time for.
    fn account(&mut self, op: &DriveOp, now: Ps) {
        let transfer = self.mechanics.geometry.transfer(op.offset, u64::from(op.bytes));
        let start = self.accounted.max(Ps(now.0.saturating_sub(transfer.0)));
        self.mechanics_sums.count(start, now.since(start), now);
        self.accounted = now;
    }

    /// Answer a command that left the front at `media` and is done at `at`; its tag and slot are free again.
    fn answer(&mut self, slot: u32, media: Ps, at: Ps, done: &mut Vec<Done>) {
        let command = self.commands[slot as usize];
        let mut spent = Spent::default();
        spent.add(Place::DriveFront, media.since(command.arrival));
        spent.add(Place::DriveMedia, at.since(media));
        done.push(Done {
            token: command.op.token,
            at,
            spent,
        });
        self.tags_held -= 1;
        self.unused.push(slot);
    }
}
