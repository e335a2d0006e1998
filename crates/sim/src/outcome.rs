//! The reading: the measured windows added up, with what only a simulation can tell.

use iodyno_load::reading::{
    self, EngineFacts, LoadReading, Measured, Precision, Reading, Rebuilding, Simulation, Station,
    WorkerFacts,
};
use iodyno_load::request::Point;
use iodyno_load::stopping::assess_from;
use iodyno_load::traffic::Traffic;
use iodyno_load::window::Failures;

use crate::dirtied;
use crate::fabric::StationRow;
use crate::host::Host;
use crate::limits;
use crate::machine::Machine;
use crate::meter::{Snapshot, Tally, outstanding};
use crate::spent::{Place, SpentByAll};
use crate::station::Sums;
use crate::system::{On, System, Volume};
use crate::time::{Ps, Total};
use crate::volume::member_bytes;
use crate::way::{Part, Ways};

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
    let drained = host.ages(ended).count() as u64;
    let oldest = host.ages(ended).max().unwrap_or_default();
    let issued = host.issued;
    let meter = host.meter;
    let (stopped, assessment) = meter.outcome.expect("the rule has said stop");
    let count = meter.all.windows.len();
    let range = assessment.discarded_windows.min(count - 1)..count;
    let measured = Ps(meter.window.0 * range.len() as u64);
    let between = Between {
        from: &meter.snapshots[range.start],
        to: &meter.snapshots[range.end],
    };
    let of_load: Vec<_> = point.loads().iter().map(Point::workers_in_all).collect();
    between.keep_the_laws(&of_load);
    let warmup = meter.begin + Ps(meter.window.0 * range.start as u64);
    let workers = between.workers(measured);
    let mut loads = if meter.loads.is_empty() {
        Vec::new()
    } else {
        readings(point, meter.loads, range.start, (&issued, &workers))
    };
    let ends = &meter.snapshots[range.start + 1..];
    for (number, load) in loads.iter_mut().enumerate() {
        if let Some(opened) = &mut load.measured.open_loop {
            opened.growth_with_dirty = dirtied::growth((point, system), number, &load.series, ends);
        }
    }
    let mut all = meter.all;
    all.series.measure_from(range.start);
    let failures = failures(&all);
    let windows = all.windows[range.clone()].iter();
    let mut sum = if loads.is_empty() {
        Measured::of(windows, (point, 0, &all.series), &failures, |_| String::new())
    } else {
        Measured::of_all(windows, (point, &loads), &failures, |_| String::new())
    };
    if let Some(opened) = &mut sum.open_loop {
        opened.growth_with_dirty = dirtied::growth((point, system), 0, &all.series, ends);
    }
    let mut issued_in_all = Traffic::default();
    issued.iter().for_each(|load| issued_in_all.merge(load));
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
        series: all.series,
        stopped,
        issued: issued_in_all.into(),
        drained,
        drained_max_ns: oldest.ns(),
        workers,
        loads,
        open_loop: sum.open_loop,
        simulation: None,
        integrity: None,
    };
    let mut simulation = simulation(
        point,
        &reading,
        &between,
        (&rows, &Ways::of(point, system, &reading.per_target)),
        (measured, ended, oldest),
        machine.events,
    );
    simulation.rebuilds = between.rebuilds(system, measured);
    reading.simulation = Some(simulation);
    reading
}

/// Nothing fails in a simulation; each target has its place all the same.
fn failures(tally: &Tally) -> Failures {
    let mut failures = Failures::default();
    tally.windows.iter().for_each(|window| failures.add(window));
    failures
}

/// The reading of each of several loads, over the part that is measured of all.
fn readings(
    point: &Point,
    tallies: Vec<Tally>,
    from: usize,
    (issued, workers): (&[Traffic], &[WorkerFacts]),
) -> Vec<LoadReading> {
    let (mut first_target, mut rest) = (0, workers);
    let loads = point.loads();
    let reading = |((load, mut tally), issued): ((&Point, Tally), &Traffic)| {
        let (precision, confidence) = (load.stopping.precision, load.stopping.confidence);
        let assessment = assess_from(&tally.main, from, confidence, precision);
        tally.series.measure_from(from);
        let (own, after) = rest.split_at(load.workers_in_all());
        let place = (load, first_target, &tally.series);
        let windows = tally.windows[from..].iter();
        let measured = Measured::of(windows, place, &failures(&tally), |_| String::new());
        first_target += load.targets.len();
        rest = after;
        LoadReading {
            measured,
            precision: Precision::of(&assessment, confidence),
            series: tally.series,
            issued: (*issued).into(),
            workers: own.to_vec(),
        }
    };
    loads.iter().zip(tallies).zip(issued).map(reading).collect()
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
    let cores = (0..host.cores.len()).map(|core| StationRow {
        name: "core".to_owned(),
        place: Place::HostCpu,
        servers: 1,
        room: false,
        part: Part::Core(core),
    });
    let mut rows: Vec<_> = cores.collect();
    machine.stations(system, &mut rows);
    rows
}

fn simulation(
    point: &Point,
    reading: &Reading,
    between: &Between<'_>,
    (rows, ways): (&[StationRow], &Ways),
    (measured, ended, oldest): (Ps, Ps, Ps),
    events: u64,
) -> Simulation {
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
    let sums = between.sums();
    let longest = oldest.max(Ps::from_ns(longest));
    let mut stations = limits::stations((rows, ways), &sums, measured, longest);
    let split = limits::split(&between.spent(0));
    let completed: u64 = accesses().map(|direction| direction.completed).sum();
    let rate = completed as f64 / reading.measured_s;
    let outstanding = outstanding(point);
    let share = |station: &Station, least_busy: f64| {
        let equal = |(row, sums): &(&StationRow, &Sums)| {
            (&row.name, row.servers) == (&station.name, station.servers)
                && limits::busy(row, sums, measured) >= least_busy
        };
        let parts: Vec<_> = rows
            .iter()
            .zip(&sums)
            .filter(equal)
            .map(|(row, _)| row.part)
            .collect();
        ways.share(&parts)
    };
    for station in stations.iter_mut().filter(|station| !station.beside) {
        station.share = Some(share(station, 0.0)).filter(|&share| share < 1.0);
    }
    Simulation {
        model_version: MODEL_VERSION,
        virtual_s: ended.seconds(),
        events,
        bottleneck: limits::bottleneck(&stations, &split, share),
        bounds: limits::bounds(rate, outstanding, Ps::from_ns(least), &stations),
        latency_split: split,
        stations,
        rebuilds: Vec::new(),
    }
}

impl Between<'_> {
    /// What became of the failed members of each logical drive that rebuilds, in the order of the snapshots.
    fn rebuilds(&self, system: &System, measured: Ps) -> Vec<Rebuilding> {
        let mut done = self.to.rebuilt.iter().zip(&self.from.rebuilt);
        let mut rebuilds = Vec::new();
        for (at, of) in system.controllers.iter().enumerate() {
            let logicals = of.logicals.iter().enumerate();
            for (number, logical) in logicals.filter(|(_, logical)| logical.array.rebuilds()) {
                let is_on = |volume: &&Volume| match volume.on {
                    On::Logical { controller, logical } => (controller, logical) == (at, number),
                    _ => false,
                };
                let volume = system.volumes.iter().find(is_on);
                let (to, from) = done.next().expect("one of each that rebuilds");
                rebuilds.push(Rebuilding {
                    volume: volume.map_or_else(String::new, |volume| volume.name.clone()),
                    asked_bytes_s: logical.array.rebuild_bytes_s as f64,
                    bytes_s: (to - from) as f64 / measured.seconds(),
                    member_bytes: member_bytes(system, &logical.array),
                });
            }
        }
        rebuilds
    }

    /// The depth, integrated over time, is what the latencies add up to (Little 1961), to the picosecond: I/Os
    /// that were outstanding at either end count with the part that lies between. And every picosecond of a
    /// latency was spent somewhere. `workers` are those of each load: the law holds for each of several.
    fn keep_the_laws(&self, workers: &[usize]) {
        let all = |times: &[Total]| times.iter().copied().sum::<Total>();
        let mut first = 0;
        for (load, workers) in workers.iter().enumerate() {
            let own = first..first + workers;
            first = own.end;
            let integral = all(&self.to.io_time[own.clone()]) - all(&self.from.io_time[own]);
            let latencies = self.to.latency[load] - self.from.latency[load];
            assert_eq!(
                integral + self.from.ages[load],
                latencies + self.to.ages[load],
                "Little's law of load {load}"
            );
            assert_eq!(
                self.spent(load).total(),
                latencies,
                "the places of a latency of load {load}"
            );
        }
    }

    /// What the I/Os of a load spent.
    fn spent(&self, load: usize) -> SpentByAll {
        self.to.spent[load] - self.from.spent[load]
    }

    fn sums(&self) -> Vec<Sums> {
        let pairs = self.to.stations.iter().zip(&self.from.stations);
        pairs.map(|(&to, &from)| to - from).collect()
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
