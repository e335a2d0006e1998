//! Operations on their way: over links and switches to a drive or controller, and back.
//!
//! Every link and switch is served first come, first served. Where all that reaches a station comes from one
//! other such station, it comes in order, and the end of service is reserved ahead: no event is needed. Where
//! streams meet, an operation waits for its moment in the calendar, so that the order is that of arrival.
//!
//! Data pass links one behind the other as they come, page by page: the next begins when the first page is through, or
//! as late as lets it end with the last.

mod commands;
mod flows;
mod stations;

pub use flows::{Flow, Source, Via};
pub(crate) use stations::StationRow;

use std::collections::VecDeque;

use crate::calendar::{Calendar, Event, Kind};
use crate::drive::Drive;
use crate::operation::{Done, DriveOp, HostDone, HostOp};
use crate::spent::{Place, Spent};
use crate::station::Sums;
use crate::system::System;
use crate::time::Ps;
use commands::Commands;
use flows::{Orders, Route, Stop};
use stations::Stations;

/// Who sent an operation and gets it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The host.
    Host,
    /// The controller with this index.
    Controller(u16),
}

/// What may be done before its moment, where the order of moments is kept: it saves events and changes no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Nothing: every step has its event.
    Nothing,
    /// Services are reserved.
    Services,
    /// Services are reserved, and operations of the host come back.
    Returns,
}

/// An operation that is back where it came from.
#[derive(Clone, Copy, Debug)]
pub struct Returned {
    /// The sender's number for it.
    pub token: u32,
    /// Index of the drive that it was on; of a controller's, counted on from the drives.
    pub from: u16,
    /// Logical drive of the controller that it was on.
    pub logical: u16,
    /// When.
    pub at: Ps,
    /// Time since it was sent, by place.
    pub spent: Spent,
}

/// What left the fabric and waits to be taken.
#[derive(Clone, Copy, Debug)]
pub enum Out {
    /// An I/O of the host is at a controller now.
    AtController(u16, HostOp),
    /// An operation is back at its sender, who takes it by its number.
    Back(Owner, u32),
}

/// An operation under way.
#[derive(Clone, Copy, Debug)]
struct Op {
    owner: Owner,
    token: u32,
    /// Index of its destination's routes.
    route: u16,
    /// Logical drive, where a controller is the destination.
    logical: u16,
    write: bool,
    trim: bool,
    bytes: u32,
    limit_us: u32,
    offset: u64,
    /// Whether it waits for its departure to a drive that takes so many at once.
    waits: bool,
    back: bool,
    /// Next stop in this direction, and the end of the stops.
    stop: u32,
    end: u32,
    /// Since when it is on this part of its way.
    since: Ps,
    /// How long before its end its data begins to pass the next stop.
    lead: Ps,
    spent: Spent,
}

/// Links, switches and drives, with what is under way on them.
#[derive(Debug)]
pub struct Fabric {
    calendar: Calendar,
    stations: Stations,
    drives: Vec<Drive>,
    /// By drive, of those that take so many at once.
    commands: Vec<Option<Commands>>,
    /// By drive, then by controller.
    routes: Vec<Route>,
    /// Stops of all routes.
    stops: Vec<Stop>,
    returns_ordered: bool,
    ops: Vec<Op>,
    free: Vec<u32>,
    done: Vec<Done>,
    /// Operations that are at a controller or back, in order.
    out: VecDeque<u32>,
}

impl Fabric {
    /// The links, switches and drives of a system; `flows` are all that will be sent. `drives` are all of the
    /// system's. `ahead` tells what may be done before its moment.
    pub fn new(system: &System, drives: Vec<Drive>, flows: &[Flow], ahead: Ahead) -> Self {
        let stations = Stations::new(system);
        let path_of = |to: Via| match to {
            Via::Drive(drive) => system.drives[drive].path.clone(),
            Via::Controller(controller) => system.controllers[controller].path.clone(),
        };
        let orders = match ahead {
            Ahead::Nothing => Orders::default(),
            _ => Orders::of(flows, &stations, path_of),
        };
        let to_drives = (0..system.drives.len()).map(Via::Drive);
        let all = to_drives.chain((0..system.controllers.len()).map(Via::Controller));
        let mut stops = Vec::new();
        let route = |to| orders.route(to, &path_of(to), &stations, &mut stops);
        let limits = || system.drives.iter().map(|drive| drive.commands);
        // What waits for one that is back goes when that is back.
        let returns_ahead = ahead == Ahead::Returns && limits().all(|most| most.is_none());
        Self {
            commands: limits().map(|most| most.map(Commands::new)).collect(),
            routes: all.map(route).collect(),
            stops,
            returns_ordered: returns_ahead && orders.returns_ordered(),
            calendar: Calendar::default(),
            stations,
            drives,
            ops: Vec::new(),
            free: Vec::new(),
            done: Vec::new(),
            out: VecDeque::new(),
        }
    }

    /// The present moment.
    #[inline]
    pub fn now(&self) -> Ps {
        self.calendar.now()
    }

    /// The calendar.
    #[inline]
    pub fn calendar(&mut self) -> &mut Calendar {
        &mut self.calendar
    }

    /// Put in an event of a controller.
    #[inline]
    pub fn wake(&mut self, controller: u16, at: Ps, token: u32) {
        let event = Event {
            kind: Kind::Controller,
            which: controller,
            token,
        };
        self.calendar.at(at, event);
    }

    /// Send an operation to a drive at a moment no earlier than the present one. It comes back as
    /// [`Out::Back`] with the token of `op`, which need not be unique here.
    #[inline]
    pub fn send(&mut self, owner: Owner, drive: usize, op: DriveOp, depart: Ps) {
        self.begin(owner, drive as u16, 0, op, depart);
    }

    /// Send an I/O of the host to a controller.
    #[inline]
    pub fn send_to_controller(&mut self, controller: usize, op: HostOp, depart: Ps) {
        let HostOp {
            token,
            logical,
            write,
            offset,
            bytes,
        } = op;
        let route = (self.drives.len() + controller) as u16;
        let op = DriveOp {
            token,
            write,
            trim: false,
            offset,
            bytes,
            limit_us: 0,
        };
        self.begin(Owner::Host, route, logical, op, depart);
    }

    /// What a controller has finished goes back to the host. Tokens are those of [`Out::AtController`].
    #[inline]
    pub fn finished(&mut self, done: HostDone) {
        let op = &mut self.ops[done.token as usize];
        debug_assert_eq!(done.spent.total(), done.at.since(op.since));
        op.spent += done.spent;
        self.leave_destination(done.token, done.at, Ps::ZERO);
    }

    /// Hear an event of the kinds [`Kind::Hop`] and [`Kind::Drive`].
    #[inline]
    pub fn event(&mut self, event: Event) {
        if event.kind == Kind::Drive {
            let drive = &mut self.drives[usize::from(event.which)];
            drive.event(event.token, &mut self.calendar, &mut self.done);
            self.drain_done();
        } else {
            self.go_on(event.token, self.calendar.now());
        }
    }

    /// The next of what has left the fabric.
    #[inline]
    pub fn take(&mut self) -> Option<Out> {
        let index = self.out.pop_front()?;
        let op = &self.ops[index as usize];
        if op.back {
            return Some(Out::Back(op.owner, index));
        }
        let host_op = HostOp {
            token: index,
            logical: op.logical,
            write: op.write,
            offset: op.offset,
            bytes: op.bytes,
        };
        Some(Out::AtController(op.route - self.drives.len() as u16, host_op))
    }

    /// Take an operation that is back, by its number in [`Out::Back`].
    #[inline]
    pub fn take_back(&mut self, number: u32) -> Returned {
        self.free.push(number);
        let op = &self.ops[number as usize];
        let returned = Returned {
            token: op.token,
            from: op.route,
            logical: op.logical,
            at: op.since,
            spent: op.spent,
        };
        if let Some(Some(commands)) = self.commands.get_mut(usize::from(returned.from))
            && let Some(next) = commands.returned()
        {
            let op = &mut self.ops[next as usize];
            op.waits = false;
            op.spent.add(Place::DriveMedia, returned.at - op.since);
            self.go_on(next, returned.at);
        }
        returned
    }

    /// Stations of links and switches, in a fixed order.
    pub(crate) fn stations(&self, into: &mut Vec<StationRow>) {
        self.stations.rows(into);
    }

    /// Their sums, in the same order.
    pub fn sums(&self, into: &mut Vec<Sums>) {
        self.stations.sums(into);
    }

    /// The drives.
    pub fn drives(&self) -> &[Drive] {
        &self.drives
    }

    #[inline]
    fn begin(&mut self, owner: Owner, route: u16, logical: u16, op: DriveOp, depart: Ps) {
        let DriveOp {
            token,
            write,
            trim,
            offset,
            bytes,
            limit_us,
        } = op;
        let (stop, end) = self.routes[usize::from(route)].down[usize::from(write)];
        let op = Op {
            owner,
            token,
            route,
            logical,
            write,
            trim,
            bytes,
            limit_us,
            offset,
            waits: matches!(self.commands.get(usize::from(route)), Some(Some(_))),
            back: false,
            stop,
            end,
            since: depart,
            lead: Ps::ZERO,
            spent: Spent::default(),
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.ops[index as usize] = op;
                index
            }
            None => {
                self.ops.push(op);
                (self.ops.len() - 1) as u32
            }
        };
        self.go_on(index, depart);
    }

    /// Whether the drive of an operation that departs now has as many as it takes.
    fn is_held_up(&mut self, index: u32) -> bool {
        let op = &mut self.ops[index as usize];
        let commands = self.commands[usize::from(op.route)].as_mut();
        op.waits = !commands.expect("a drive that takes so many").send(index);
        op.waits
    }

    /// An operation is before its next stop at a moment, now or later.
    #[inline]
    fn go_on(&mut self, index: u32, mut at: Ps) {
        let now = self.calendar.now();
        if self.ops[index as usize].waits {
            // In order of departure, whoever sends them.
            if at > now {
                return self.wait(index, at);
            }
            if self.is_held_up(index) {
                return;
            }
        }
        let op = &mut self.ops[index as usize];
        while op.stop < op.end {
            let Stop {
                station,
                ordered,
                data,
                next,
            } = self.stops[op.stop as usize];
            if !ordered && at > now {
                return self.wait(index, at);
            }
            let station = station as usize;
            let (place, end) = self.stations.serve(station, at, op.bytes);
            op.stop += 1;
            if !data {
                // It takes the command; the data follow.
                op.spent.add(place, end - at);
                at = end;
                continue;
            }
            op.spent.add(place, end - (at + op.lead));
            op.lead = match next {
                Some(next) => {
                    let flowing = self.stations.service(station, op.bytes);
                    self.stations.lead(next as usize, op.bytes, flowing)
                }
                None => Ps::ZERO,
            };
            at = end - op.lead;
        }
        let ordered = if op.back {
            self.returns_ordered && op.owner == Owner::Host
        } else {
            self.routes[usize::from(op.route)].ordered
        };
        if !ordered && at > now {
            return self.wait(index, at);
        }
        op.since = at;
        if op.back || usize::from(op.route) >= self.drives.len() {
            self.out.push_back(index);
        } else {
            self.arrive(index, at);
        }
    }

    #[inline]
    fn wait(&mut self, index: u32, at: Ps) {
        let event = Event {
            kind: Kind::Hop,
            which: 0,
            token: index,
        };
        self.calendar.at(at, event);
    }

    /// An operation is at its drive.
    #[inline]
    fn arrive(&mut self, index: u32, at: Ps) {
        let op = &self.ops[index as usize];
        let drive_op = DriveOp {
            token: index,
            write: op.write,
            trim: op.trim,
            offset: op.offset,
            bytes: op.bytes,
            limit_us: op.limit_us,
        };
        let drive = &mut self.drives[usize::from(op.route)];
        drive.submit(drive_op, at, &mut self.calendar, &mut self.done);
        self.drain_done();
    }

    #[inline]
    fn drain_done(&mut self) {
        for index in 0..self.done.len() {
            let done = self.done[index];
            let op = &mut self.ops[done.token as usize];
            debug_assert_eq!(done.inside.total(), done.at.since(op.since));
            done.inside.add_to(&mut op.spent);
            self.leave_destination(done.token, done.at, done.flowing);
        }
        self.done.clear();
    }

    /// An operation leaves its destination for its sender, now or later; its data has been flowing for so long.
    #[inline]
    fn leave_destination(&mut self, token: u32, at: Ps, flowing: Ps) {
        let op = &mut self.ops[token as usize];
        op.since = at;
        op.back = true;
        (op.stop, op.end) = self.routes[usize::from(op.route)].up[usize::from(op.write)];
        if flowing > Ps::ZERO && op.stop < op.end {
            let first = self.stops[op.stop as usize].station as usize;
            op.lead = self.stations.lead(first, op.bytes, flowing);
        }
        // Of a disk, which is heard of at the end, that is past: the link has been taken since, as far as it was free.
        let begin = at - op.lead;
        if begin > self.calendar.now() {
            self.wait(token, begin);
        } else {
            self.go_on(token, begin);
        }
    }
}
