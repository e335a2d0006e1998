//! All that is not the host: links, switches and drives, and the controllers.

use iodyno_load::pattern::mix;
use iodyno_load::request::Point;

use crate::calendar::{Event, Kind};
use crate::controller::Controller;
use crate::drive::{Drive, Unqueued};
use crate::fabric::{Ahead, Fabric, Out, Owner, Returned, StationRow};
use crate::hdd::Hdd;
use crate::hdd::geometry::Spindle;
use crate::operation::{HostDone, Moved, StationSums};
use crate::sharing;
use crate::spindles;
use crate::ssd::Ssd;
use crate::station::Sums;
use crate::system::{Flush, Model, System};
use crate::time::Ps;
use crate::usage;
use crate::way::Part;

/// Seeds of drives and controllers are apart from those of accesses and from each other.
const DRIVES: u64 = 0xd41e;
const CONTROLLERS: u64 = 0xc047;
/// So are how disks are turned, and their speeds.
const TURNED: u64 = 0x70ed;
const SPEEDS: u64 = 0x59ee;

/// Links, switches, drives, controllers.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) fabric: Fabric,
    controllers: Vec<Controller>,
    done: Vec<HostDone>,
    pub(crate) events: u64,
}

impl Machine {
    /// The system under a load.
    pub(crate) fn new(point: &Point, system: &System, moved: &[Moved], ahead: Ahead) -> Self {
        let usages = usage::usages(point, system, moved);
        let amplified = sharing::amplifications(point, system, moved);
        let through = usage::written_through(point, system);
        let flushes = usage::flushes(point);
        let slower = spindles::slower(system, mix(point.seed, SPEEDS));
        let drives = system.drives.iter().zip(usages).enumerate();
        let drives = drives.map(|(which, (slot, usage))| {
            let seed = mix(mix(point.seed, DRIVES), which as u64);
            let model = match through[which] && slot.flush != Flush::Alone {
                true => slot.model.durable(),
                false => slot.model.clone(),
            };
            let which = which as u16;
            let drive = match &model {
                // The first is what the others are turned against.
                Model::Hdd(model) => {
                    let spindle = Spindle {
                        angle: if which == 0 { 0 } else { mix(seed, TURNED) },
                        slower: slower[usize::from(which)],
                    };
                    Drive::Hdd(Box::new(Hdd::new(model, usage, which, seed).turning(spindle)))
                }
                Model::Ssd(model) => Drive::Ssd(Box::new(match amplified[usize::from(which)] {
                    Some(pages) => Ssd::amplifying(model, pages, which, seed),
                    None => Ssd::new(model, usage, which, seed),
                })),
            };
            match flushes && slot.flush == Flush::Alone {
                true => Drive::Unqueued(Box::new(Unqueued::new(drive))),
                false => drive,
            }
        });
        let controllers = (0..system.controllers.len()).map(|which| {
            let uses = usage::logical_uses(point, system, moved, which);
            let seed = mix(mix(point.seed, CONTROLLERS), which as u64);
            Controller::new(system, which as u16, &uses, seed)
        });
        let mut controllers: Vec<_> = controllers.collect();
        let flows = usage::flows(point, system);
        let mut fabric = Fabric::new(system, drives.collect(), &flows, ahead);
        for controller in &mut controllers {
            controller.begin(&mut fabric);
        }
        Self {
            controllers,
            fabric,
            done: Vec::new(),
            events: 0,
        }
    }

    /// Go on to the next event, which nobody has heard yet; none where nothing is to happen any more.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Event> {
        let event = self.fabric.calendar().next()?;
        self.events += 1;
        Some(event)
    }

    /// The present moment.
    #[inline]
    pub(crate) fn now(&self) -> Ps {
        self.fabric.now()
    }

    /// Whoever is meant hears an event; those of the host are given back.
    #[inline]
    pub(crate) fn hear(&mut self, event: Event) -> Next {
        match event.kind {
            Kind::Host => return Next::Host(event),
            Kind::Hop | Kind::Drive => self.fabric.event(event),
            Kind::Controller => {
                let controller = &mut self.controllers[usize::from(event.which)];
                controller.event(event.token, &mut self.fabric, &mut self.done);
                self.drain_done();
            }
        }
        Next::Inside
    }

    /// The next operation that is back at the host.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Returned> {
        while let Some(out) = self.fabric.take() {
            match out {
                Out::Back(Owner::Host, back) => return Some(self.fabric.take_back(back)),
                Out::Back(Owner::Controller(which), back) => {
                    let back = self.fabric.take_back(back);
                    let controller = &mut self.controllers[usize::from(which)];
                    controller.drive_done(&back, &mut self.fabric, &mut self.done);
                }
                Out::AtController(which, op) => {
                    let controller = &mut self.controllers[usize::from(which)];
                    controller.submit(op, &mut self.fabric, &mut self.done);
                }
            }
            self.drain_done();
        }
        None
    }

    #[inline]
    fn drain_done(&mut self) {
        for done in self.done.drain(..) {
            self.fabric.finished(done);
        }
    }

    /// Bytes of each failed member that a logical drive has rebuilt, of those that rebuild, by controller.
    pub(crate) fn rebuilt_bytes(&self) -> impl Iterator<Item = u64> {
        self.controllers.iter().flat_map(Controller::rebuilt_bytes)
    }

    /// Bytes that caches have taken in and have still to write to the drives, for each logical drive of each controller.
    pub(crate) fn gained_bytes(&self) -> impl Iterator<Item = u64> {
        self.controllers.iter().flat_map(Controller::gained_bytes)
    }

    /// The sums of every station, in a fixed order.
    pub(crate) fn sums(&self, into: &mut Vec<Sums>) {
        self.fabric.sums(into);
        let now = self.fabric.now();
        for controller in &self.controllers {
            into.extend(controller.stations(now).into_iter().map(|station| station.sums));
        }
        for drive in self.fabric.drives() {
            into.extend(drive.stations(now).into_iter().map(|station| station.sums));
        }
    }

    /// Every station, in the same order.
    pub(crate) fn stations(&self, system: &System, into: &mut Vec<StationRow>) {
        self.fabric.stations(into);
        let now = self.fabric.now();
        let controllers = self.controllers.iter().zip(&system.controllers);
        for (which, (controller, of)) in controllers.enumerate() {
            let stations = controller.stations(now).into_iter();
            into.extend(stations.map(|station| row(&of.name, Part::Controller(which), station)));
        }
        let drives = self.fabric.drives().iter().zip(&system.drives);
        for (which, (drive, slot)) in drives.enumerate() {
            let stations = drive.stations(now).into_iter();
            into.extend(stations.map(|station| row(&slot.name, Part::Drive(which), station)));
        }
    }
}

fn row(owner: &str, part: Part, station: StationSums) -> StationRow {
    StationRow {
        name: format!("{owner}: {}", station.name),
        place: station.place,
        servers: station.servers,
        room: station.room,
        part,
    }
}

/// What happened next.
pub(crate) enum Next {
    /// Something of the host's.
    Host(Event),
    /// Something inside.
    Inside,
}
