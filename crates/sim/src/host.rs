//! The host: workers on cores keep the load. An I/O visits its worker's core, goes out, and comes back; in a
//! closed loop the next one is issued at that moment, or when the worker has thought.

mod core;
mod flushing;
mod kept;
mod lanes;
mod pages;
mod parts;
mod stripes;
mod under_way;
mod updates;

use iodyno_load::pattern::Access;
use iodyno_load::request::Point;
use iodyno_load::traffic::{Command, Traffic};

use crate::calendar::{Event, Kind};
use crate::fabric::{Owner, Returned};
use crate::machine::Machine;
use crate::meter::{Finished, Meter, Waited};
use crate::operation::{DriveOp, HostOp};
use crate::raid::MemberOp;
use crate::spent::{Place, Spent};
use crate::system::System;
use crate::time::{Ps, Total};
use crate::volume::{Backing, Volume};
use core::Core;
use flushing::{Flusher, Flushers};
use lanes::{Lane, lanes};
use parts::send_parts;
use stripes::Gathering;
use under_way::UnderWay;
use updates::Updates;

/// What an event of the host is for, in `which`: an I/O is back and its core awake, or it never left.
const AWAKE: u16 = 0;
/// The next start of a lane is due.
const DUE: u16 = 1;
/// A worker has thought: the next accesses of a lane are due.
const THOUGHT: u16 = 2;
/// The load of a lane begins.
const BEGUN: u16 = 3;

/// A write that is gathered has left its core.
const GATHERED: u16 = 4;

/// A flush is a write of nothing.
const FLUSH: Access = Access {
    offset: 0,
    bytes: 0,
    write: true,
    trim: false,
};

/// An outstanding I/O.
#[derive(Clone, Debug, Default)]
struct Io {
    lane: u32,
    /// Operations of it under way, or parts of it where it is gathered.
    left: u32,
    write: bool,
    /// What it is where it is neither read nor write.
    command: Option<Command>,
    bytes: u32,
    issued: Ps,
    intended: Ps,
    /// Whether it was due while every slot was taken.
    held: bool,
    /// Whether it is outstanding.
    active: bool,
    spent: Spent,
    /// Operations that wait for those under way.
    then: Vec<MemberOp>,
}

/// Workers, cores, volumes and what is outstanding.
#[derive(Debug)]
pub(crate) struct Host {
    wakeup: Ps,
    pub(crate) cores: Vec<Core>,
    /// Processor time by worker.
    cpu: Vec<Ps>,
    lanes: Vec<Lane>,
    volumes: Vec<Volume>,
    /// By volume, where the host has to flush its drives; empty where it has to nowhere.
    flushers: Flushers,
    stripes: Gathering,
    updates: Updates,
    ios: Vec<Io>,
    /// Operations under way, by drive and then by logical drive of each controller.
    under_way: UnderWay,
    /// By load.
    pub(crate) issued: Vec<Traffic>,
    pub(crate) meter: Meter,
}

impl Host {
    pub(crate) fn new(point: &Point, system: &System, meter: Meter) -> Self {
        let loads = point.loads();
        let workers = loads.iter().map(Point::workers_in_all).sum();
        let cores = system.host.cores.min(workers);
        let lanes = lanes(&loads, cores);
        let io = |lane: usize| Io {
            lane: lane as u32,
            ..Io::default()
        };
        let slots = lanes.iter().enumerate();
        let slots = slots.flat_map(|(lane, of)| of.free.iter().map(move |_| io(lane)));
        Self {
            wakeup: system.host.wakeup_ps,
            cores: vec![Core::default(); cores],
            cpu: vec![Ps::ZERO; workers],
            ios: slots.collect(),
            lanes,
            volumes: point
                .targets
                .iter()
                .map(|target| Volume::new(system, target))
                .collect(),
            flushers: Flushers::new(point, system),
            stripes: Gathering::new(point, system),
            updates: Updates::default(),
            under_way: UnderWay::new(system),
            issued: vec![Traffic::default(); loads.len()],
            meter,
        }
    }

    /// Issue what is due at the beginning, and await the loads that begin later.
    pub(crate) fn begin(&mut self, machine: &mut Machine) {
        for index in 0..self.lanes.len() {
            let begins = self.lanes[index].begins;
            if self.lanes[index].schedule.is_some() {
                self.await_next(index, machine);
            } else if begins == Ps::ZERO {
                self.begin_lane(index, Ps::ZERO, machine);
            } else {
                machine.fabric.calendar().at(begins, host(BEGUN, index as u32));
            }
        }
    }

    /// Issue the first accesses of a lane of a closed loop.
    fn begin_lane(&mut self, index: usize, at: Ps, machine: &mut Machine) {
        let lane = &self.lanes[index];
        if lane.thinking.is_some() {
            return self.issue_allowed(index, at, machine);
        }
        for slot in lane.free.clone().into_iter().rev() {
            self.issue(slot, at, at, machine);
        }
    }

    /// Hear an event of the host.
    #[inline]
    pub(crate) fn event(&mut self, event: Event, machine: &mut Machine) {
        let now = machine.fabric.now();
        let lane = event.token as usize;
        match event.which {
            AWAKE => self.finish(event.token, now, machine),
            DUE => {
                self.lanes[lane].awaited = false;
                self.issue_due(lane, now, machine);
            }
            GATHERED => {
                self.close_windows(now, machine);
                self.gathered(event.token, now, machine);
            }
            BEGUN => {
                self.close_windows(now, machine);
                self.begin_lane(lane, now, machine);
            }
            _ => {
                self.close_windows(now, machine);
                self.issue_allowed(lane, now, machine);
            }
        }
    }

    /// An operation on a drive or controller is back.
    #[inline]
    pub(crate) fn back(&mut self, back: Returned, machine: &mut Machine) {
        self.under_way.end(&back);
        let Some(io) = self.ios.get_mut(back.token as usize) else {
            return self.updated(&back, machine);
        };
        io.left -= 1;
        if io.left > 0 {
            return;
        }
        // Of operations side by side the last one to come back is what the I/O waited for.
        io.spent += back.spent;
        if !io.then.is_empty() {
            self.send_then(back.token, back.at, machine);
        } else {
            self.came_back(back.token, back.at, machine);
        }
    }

    /// All of an I/O is back.
    #[inline]
    fn came_back(&mut self, slot: u32, at: Ps, machine: &mut Machine) {
        if self.flushers.is_empty() {
            self.complete(slot, at, machine);
        } else {
            self.flushed(slot, at, machine);
        }
    }

    /// An I/O is back, or the flush that it carries.
    #[cold]
    fn flushed(&mut self, slot: u32, at: Ps, machine: &mut Machine) {
        let io = &self.ios[slot as usize];
        let target = self.lanes[io.lane as usize].target;
        let Some(flusher) = self.flushers.of(target) else {
            return self.complete(slot, at, machine);
        };
        if flusher.carries(slot) {
            let done = flusher.end();
            self.begin_flush(target, at, machine);
            for (number, (slot, since)) in done.into_iter().enumerate() {
                // What the first of them has spent came back with the flush.
                if number > 0 {
                    let waited = at.since(since);
                    self.ios[slot as usize].spent.add(Place::DriveMedia, waited);
                }
                self.complete(slot, at, machine);
            }
        } else if io.write && flusher.durable {
            flusher.wait(slot, at);
            self.begin_flush(target, at, machine);
        } else {
            self.complete(slot, at, machine);
        }
    }

    /// Begin a flush for those who wait for one, if none is under way.
    fn begin_flush(&mut self, target: usize, at: Ps, machine: &mut Machine) {
        let flusher = self.flushers.of(target);
        if let Some((slot, since)) = flusher.and_then(Flusher::begin) {
            let waited = at.since(since);
            self.ios[slot as usize].spent.add(Place::DriveMedia, waited);
            self.dispatch(slot, FLUSH, at, machine);
        }
    }

    /// An I/O is back at its core, which may have to wake up for it.
    #[inline]
    fn complete(&mut self, slot: u32, at: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let awake = self.cores[self.lanes[io.lane as usize].core].notices(at, self.wakeup);
        if awake == at {
            return self.finish(slot, at, machine);
        }
        io.spent.add(Place::HostCpu, awake - at);
        machine.fabric.calendar().at(awake, host(AWAKE, slot));
    }

    /// An I/O is done: count it, and in a closed loop issue the next.
    #[inline]
    fn finish(&mut self, slot: u32, at: Ps, machine: &mut Machine) {
        self.close_windows(at, machine);
        if self.meter.outcome.is_some() {
            return; // the load has ended meanwhile, while this was under way
        }
        let io = &mut self.ios[slot as usize];
        io.active = false;
        let index = io.lane as usize;
        let lane = &mut self.lanes[index];
        let open_loop = lane.schedule.is_some();
        let finished = Finished {
            load: lane.load,
            target: lane.target,
            write: io.write,
            command: io.command,
            bytes: io.bytes,
            latency: at - io.issued,
            waited: open_loop.then(|| Waited {
                response: at - io.intended,
                delay: io.issued - io.intended,
                held: io.held,
            }),
        };
        self.meter.finished(lane.worker, at, &finished, &io.spent);
        if let Some(syncing) = lane.syncing.as_mut().filter(|_| finished.write) {
            syncing.written();
        }
        if open_loop {
            if lane.free.is_empty() {
                lane.full_until = at;
            }
            lane.free.push(slot);
            self.issue_due(index, at, machine);
        } else if let Some(thinking) = &mut lane.thinking {
            lane.free.push(slot);
            match thinking.ended(lane.syncing.is_some_and(|syncing| syncing.is_due())) {
                Some(span) => machine
                    .fabric
                    .calendar()
                    .at(at + span, host(THOUGHT, index as u32)),
                None => self.issue_allowed(index, at, machine),
            }
        } else if lane.sync() {
            self.issue_sync(slot, at, machine);
        } else {
            self.issue(slot, at, at, machine);
        }
    }

    /// Issue on the free slots of a lane what its worker may before it thinks.
    fn issue_allowed(&mut self, index: usize, at: Ps, machine: &mut Machine) {
        self.issue_syncs(index, at, machine);
        while let Some(slot) = self.lanes[index].allowed() {
            self.issue(slot, at, at, machine);
        }
    }

    /// Issue the syncs of a lane that are due, as long as slots are free.
    fn issue_syncs(&mut self, index: usize, at: Ps, machine: &mut Machine) {
        while let Some(slot) = self.lanes[index].synced() {
            self.issue_sync(slot, at, machine);
        }
    }

    /// Issue what is due on a lane as long as slots are free, and await the next start.
    fn issue_due(&mut self, index: usize, at: Ps, machine: &mut Machine) {
        self.close_windows(at, machine);
        self.issue_syncs(index, at, machine);
        loop {
            let lane = &mut self.lanes[index];
            if lane.next > at {
                return self.await_next(index, machine);
            }
            let Some(slot) = lane.free.pop() else { return };
            let intended = lane.next;
            let schedule = lane.schedule.as_mut().expect("an open loop");
            lane.next = Ps::from_ns(schedule.next());
            self.issue(slot, at, intended, machine);
        }
    }

    fn await_next(&mut self, index: usize, machine: &mut Machine) {
        let lane = &mut self.lanes[index];
        if !lane.awaited {
            lane.awaited = true;
            machine.fabric.calendar().at(lane.next, host(DUE, index as u32));
        }
    }

    /// Issue an I/O on a free slot: it visits the core and leaves.
    #[inline]
    fn issue(&mut self, slot: u32, at: Ps, intended: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let lane = &mut self.lanes[io.lane as usize];
        let access = lane.stream.next();
        if access.trim {
            return self.issue_trim(slot, access, (at, intended), machine);
        }
        (io.write, io.command, io.bytes) = (access.write, None, access.bytes);
        (io.issued, io.intended) = (at, intended);
        io.held = intended < lane.full_until;
        self.issued[lane.load].add(access.write, u64::from(access.bytes));
        self.send(slot, access, at, machine);
    }

    /// Issue a trim on a free slot: a write that carries no data.
    #[cold]
    fn issue_trim(&mut self, slot: u32, access: Access, (at, intended): (Ps, Ps), machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let lane = &self.lanes[io.lane as usize];
        (io.write, io.command, io.bytes) = (false, Some(Command::Trim), access.bytes);
        (io.issued, io.intended, io.held) = (at, intended, intended < lane.full_until);
        self.issued[lane.load].add_command(Command::Trim, u64::from(access.bytes));
        let trim = Access {
            write: true,
            ..access
        };
        self.send(slot, trim, at, machine);
    }

    /// Issue a sync on a free slot: a flush, which is a write of nothing.
    #[cold]
    fn issue_sync(&mut self, slot: u32, at: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        (io.write, io.command, io.bytes) = (false, Some(Command::Sync), 0);
        (io.issued, io.intended, io.held) = (at, at, false);
        let Lane { load, target, .. } = self.lanes[io.lane as usize];
        self.issued[load].add_command(Command::Sync, 0);
        self.begin_io(slot, at);
        if let Some(flusher) = self.flushers.of(target) {
            flusher.wait(slot, at);
            self.begin_flush(target, at, machine);
        } else if self.volumes[target].nothing_to_flush {
            self.answer_sync(slot, at, machine);
        } else {
            self.dispatch(slot, FLUSH, at, machine);
        }
    }

    /// Answer a sync that no drive need hear of: it takes its worker's time.
    #[cold]
    fn answer_sync(&mut self, slot: u32, at: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let lane = &self.lanes[io.lane as usize];
        let cost = self.volumes[lane.target].cpu.of(true, 0);
        self.cpu[lane.worker] += cost;
        let done = self.cores[lane.core].server.serve(at, cost);
        io.spent.add(Place::HostCpu, done - at);
        machine.fabric.calendar().at(done, host(AWAKE, slot));
    }

    /// An I/O visits the core and leaves.
    #[inline]
    fn send(&mut self, slot: u32, access: Access, at: Ps, machine: &mut Machine) {
        self.begin_io(slot, at);
        self.dispatch(slot, access, at, machine);
    }

    /// An I/O is outstanding.
    #[inline]
    fn begin_io(&mut self, slot: u32, at: Ps) {
        let io = &mut self.ios[slot as usize];
        io.active = true;
        io.spent = Spent::default();
        self.meter.issued(self.lanes[io.lane as usize].worker, at);
    }

    /// What an I/O asks for visits the core and leaves.
    #[inline]
    fn dispatch(&mut self, slot: u32, access: Access, at: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let lane = &self.lanes[io.lane as usize];
        if access.write && access.bytes > 0 && self.stripes.has(lane.target) {
            return self.gather(slot, &access, at, machine);
        }
        let volume = &mut self.volumes[lane.target];
        let carried = if access.trim { 0 } else { access.bytes };
        let mut cost = volume.cpu.of(access.write, carried);
        if let Backing::Raid(joined) = &mut volume.on {
            let under_way = |member: usize| self.under_way.at(joined.members[member]);
            let (offset, work) = (access.offset, &mut joined.work);
            if access.bytes == 0 {
                joined.layout.flush(work);
            } else {
                joined
                    .layout
                    .map(access.write, offset, access.bytes, under_way, work);
            }
            let parts = work.now.iter().chain(&work.then);
            cost += parts
                .skip(1)
                .map(|part| {
                    volume
                        .child_cpu
                        .of(part.write, if access.trim { 0 } else { part.bytes })
                })
                .sum();
        }
        self.cpu[lane.worker] += cost;
        let depart = self.cores[lane.core].server.serve(at, cost);
        io.spent.add(Place::HostCpu, depart - at);
        match &volume.on {
            &Backing::Drive(drive) => {
                let op = DriveOp {
                    token: slot,
                    write: access.write,
                    trim: access.trim,
                    offset: access.offset,
                    bytes: carried,
                    limit_us: 0,
                };
                io.left = 1;
                self.under_way.begin_on_drive(drive);
                machine.fabric.send(Owner::Host, drive, op, depart);
            }
            Backing::Raid(joined) => {
                io.then.extend_from_slice(&joined.work.then);
                send_parts(
                    (slot, access.trim),
                    &joined.work.now,
                    &joined.members,
                    &mut self.under_way,
                    machine,
                    depart,
                );
                io.left = joined.work.now.len() as u32;
            }
            &Backing::Logical { controller, logical } => {
                let op = HostOp {
                    token: slot,
                    logical,
                    write: access.write,
                    offset: access.offset,
                    bytes: access.bytes,
                };
                io.left = 1;
                self.under_way.begin_behind(controller, logical);
                machine.fabric.send_to_controller(controller, op, depart);
            }
        }
    }

    /// Send what waited for the operations before.
    fn send_then(&mut self, slot: u32, at: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let volume = &self.volumes[self.lanes[io.lane as usize].target];
        let Backing::Raid(joined) = &volume.on else {
            unreachable!("only an array has operations that wait")
        };
        io.left = io.then.len() as u32;
        let ops = &io.then;
        send_parts(
            (slot, false),
            ops,
            &joined.members,
            &mut self.under_way,
            machine,
            at,
        );
        io.then.clear();
    }

    /// Close the windows that end up to a moment.
    #[inline]
    pub(crate) fn close_windows(&mut self, at: Ps, machine: &Machine) {
        while self.meter.due(at) && self.meter.outcome.is_none() {
            self.close_window(self.meter.boundary(at), machine);
        }
    }

    #[cold]
    fn close_window(&mut self, end: Ps, machine: &Machine) {
        let mut snapshot = self.meter.snapshot(end);
        snapshot
            .stations
            .extend(self.cores.iter().map(|core| core.server.sums));
        machine.sums(&mut snapshot.stations);
        snapshot.ages = vec![Total::ZERO; self.issued.len()];
        let mut waiting = vec![(0, 0); self.issued.len()];
        for io in self.ios.iter().filter(|io| io.active) {
            let load = self.lanes[io.lane as usize].load;
            snapshot.ages[load] += end - io.issued;
            waiting[load].1 += 1;
        }
        snapshot.cpu.clone_from(&self.cpu);
        snapshot.rebuilt.extend(machine.rebuilt_bytes());
        if self.lanes.iter().any(|lane| lane.schedule.is_some()) {
            snapshot.gained.extend(machine.gained_bytes());
        }
        for lane in &self.lanes {
            waiting[lane.load].0 += lane.backlog(end);
        }
        self.meter.close(end, snapshot, &waiting);
    }

    /// Ages at a moment of the I/Os that are outstanding.
    pub(crate) fn ages(&self, at: Ps) -> impl Iterator<Item = Ps> + '_ {
        let active = self.ios.iter().filter(|io| io.active);
        active.map(move |io| at.since(io.issued))
    }
}

fn host(which: u16, token: u32) -> Event {
    Event {
        kind: Kind::Host,
        which,
        token,
    }
}
