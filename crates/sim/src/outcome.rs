//! The reading: the measured windows added up, with what only a simulation can tell.

use iodyno_load::reading::{self, EngineFacts, Measured, Precision, Reading, Simulation, WorkerFacts};
use iodyno_load::request::Point;
use iodyno_load::window::Failures;

use crate::fabric::StationRow;
use crate::host::Host;
use crate::limits;
use crate::machine::Machine;
use crate::meter::Snapshot;
use crate::spent::{Place, Spent};
use crate::station::Sums;
use crate::system::System;
use crate::time::Ps;

/// Version of the models: another one can give other figures for the same seed.
pub const MODEL_VERSION: u32 = 1;

/// The difference of the whole system's sums between two snapshots.
struct Between<'a> {
    from: &'a Snapshot,
    to: &'a Snapshot,
}

/// Make the reading of a point whose load has ended.
pub(crate) fn reading(point: &Point, system: &System, host: Host, machine: &Machine) -> Reading {
    let rows = rows(&host, machine, system);
    let ended = host.meter.ended();
    let oldest = host.oldest(ended);
    let issued = host.issued;
    let meter = host.meter;
    let (stopped, assessment) = meter.outcome.expect("the rule has said stop");
    let range = assessment.discarded_windows.min(meter.windows.len() - 1)..meter.windows.len();
    let measured = Ps(meter.window.0 * range.len() as u64);
    let between = Between {
        from: &meter.snapshots[range.start],
        to: &meter.snapshots[range.end],
    };
    between.keep_the_laws();
    let warmup = meter.begin + Ps(meter.window.0 * range.start as u64);
    let workers = between.workers(measured);
    let mut series = meter.series;
    series.measure_from(range.start);
    let mut failures = Failures::default();
    meter.windows.iter().for_each(|window| failures.add(window));
    let windows = meter.windows[range.clone()].iter();
    let sum = Measured::of(windows, (point, 0, &series), &failures, |_| String::new());
    let mut reading = Reading {
        reading_schema: reading::SCHEMA,
        engine: facts(point),
        warmup_s: warmup.seconds(),
        measured_s: measured.seconds(),
        reads: sum.reads,
        writes: sum.writes,
        trims: sum.trims,
        syncs: sum.syncs,
        per_target: sum.per_target,
        precision: Precision::of(&assessment, point.stopping.confidence),
        series,
        stopped,
        issued: issued.into(),
        drained_max_ns: oldest.ns(),
        workers,
        loads: Vec::new(),
        open_loop: sum.open_loop,
        simulation: None,
        integrity: None,
    };
    let simulation = simulation(point, &reading, &between, &rows, (ended, oldest, machine.events));
    reading.simulation = Some(simulation);
    reading
}

fn facts(point: &Point) -> EngineFacts {
    EngineFacts {
        name: "simulator",
        why: String::new(),
        setup: Vec::new(),
        direct: true,
        write_through: point.write_through,
        data_seed: 0,
        clock: "virtual",
        clock_drift_ppm: 0.0,
    }
}

/// Every station, in the order of the snapshots' sums.
fn rows(host: &Host, machine: &Machine, system: &System) -> Vec<StationRow> {
    let core = StationRow {
        name: "core".to_owned(),
        place: Place::HostCpu,
        servers: 1,
        room: false,
        sums: Sums::default(),
    };
    let mut rows = vec![core; host.cores.len()];
    machine.stations(system, &mut rows);
    rows
}

fn simulation(
    point: &Point,
    reading: &Reading,
    between: &Between<'_>,
    rows: &[StationRow],
    (ended, oldest, events): (Ps, Ps, u64),
) -> Simulation {
    let measured = Ps((reading.measured_s * 1e12).round() as u64);
    let directions = [&reading.reads, &reading.writes];
    let accesses = || directions.into_iter().chain(&reading.trims);
    let latencies = || accesses().filter(|direction| direction.completed > 0);
    let longest = latencies()
        .chain(&reading.syncs)
        .map(|direction| direction.latency.max_ns)
        .max()
        .unwrap_or(0);
    let least = latencies()
        .map(|direction| direction.latency.min_ns)
        .min()
        .unwrap_or(0);
    let stations = limits::stations(rows, &between.sums(), measured, oldest.max(Ps::from_ns(longest)));
    let split = limits::split(&between.spent());
    let completed: u64 = accesses().map(|direction| direction.completed).sum();
    let rate = completed as f64 / reading.measured_s;
    let outstanding = point.outstanding * point.workers * point.targets.len();
    Simulation {
        model_version: MODEL_VERSION,
        virtual_s: ended.seconds(),
        events,
        bottleneck: limits::bottleneck(&stations, &split),
        bounds: limits::bounds(rate, outstanding, Ps::from_ns(least), &stations),
        latency_split: split,
        stations,
    }
}

impl Between<'_> {
    /// The depth, integrated over time, is what the latencies add up to (Little 1961), to the picosecond: I/Os
    /// that were outstanding at either end count with the part that lies between. And every picosecond of a
    /// latency was spent somewhere.
    fn keep_the_laws(&self) {
        let all = |times: &[Ps]| times.iter().copied().sum::<Ps>();
        let integral = all(&self.to.io_time) - all(&self.from.io_time);
        let latencies = self.to.latency - self.from.latency;
        assert_eq!(
            integral + self.from.ages,
            latencies + self.to.ages,
            "Little's law"
        );
        assert_eq!(self.spent().total(), latencies, "the places of a latency");
    }

    fn spent(&self) -> Spent {
        let mut spent = self.to.spent;
        for (span, before) in spent.0.iter_mut().zip(self.from.spent.0) {
            *span = *span - before;
        }
        spent
    }

    fn sums(&self) -> Vec<Sums> {
        let pairs = self.to.stations.iter().zip(&self.from.stations);
        let less = |(to, from): (&Sums, &Sums)| Sums {
            jobs: to.jobs - from.jobs,
            busy: to.busy - from.busy,
            residence: to.residence - from.residence,
        };
        pairs.map(less).collect()
    }

    fn workers(&self, measured: Ps) -> Vec<WorkerFacts> {
        let facts = |worker: usize| WorkerFacts {
            threads: 1,
            cpus: Vec::new(),
            cpu_s: (self.to.cpu[worker] - self.from.cpu[worker]).seconds(),
            elapsed_s: measured.seconds(),
            system_calls: 0,
            io_time_s: (self.to.io_time[worker] - self.from.io_time[worker]).seconds(),
        };
        (0..self.to.cpu.len()).map(facts).collect()
    }
}
