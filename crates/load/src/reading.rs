//! What comes out of a point. The JSON of [`Reading`] is what Python reads; field by
//! field it is documented there, in `iodyno.reading`.

#![allow(missing_docs)]

use std::collections::BTreeMap;

use serde::Serialize;

use crate::command::Commands;
use crate::counted::{Counted, Errors};
use crate::gather::Spent;
pub use crate::growth::Growth;
use crate::histogram::{Histogram, Sparse};
use crate::integrity::Findings;
use crate::request::{Point, Profile};
use crate::response;
use crate::sections;
pub use crate::series::{Series, Waiting};
use crate::stopping::{Assessment, Movement};
use crate::traffic::{Sent, Traffic};
use crate::window::{Failures, Starts, Window};

pub const SCHEMA: u32 = 1;

#[derive(Clone, Debug, Serialize)]
pub struct IoError {
    pub errno: i32,
    pub name: String,
    pub count: u64,
    pub first_offset_bytes: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Direction {
    pub completed: u64,
    pub bytes: u64,
    pub latency: Sparse,
    pub response_time: Option<Sparse>,
    pub errors: Vec<IoError>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Precision {
    pub half_width: Option<f64>,
    pub confidence: f64,
    pub batches: usize,
    pub batch_windows: usize,
    pub lag1: f64,
    pub discarded_windows: usize,
    pub drift: f64,
    pub range: f64,
    pub drifting: bool,
}

impl Precision {
    /// The interval of an assessment, at this confidence.
    pub fn of(assessment: &Assessment, confidence: f64) -> Self {
        Self {
            half_width: assessment.half_width,
            confidence,
            batches: assessment.batches,
            batch_windows: assessment.batch_windows,
            lag1: assessment.lag1,
            discarded_windows: assessment.discarded_windows,
            drift: assessment.drift,
            range: assessment.range,
            drifting: assessment.drifting,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct WorkerFacts {
    pub threads: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<usize>,
    pub cpu_s: f64,
    pub elapsed_s: f64,
    pub system_calls: u64,
    pub io_time_s: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct EngineFacts {
    pub name: &'static str,
    pub why: String,
    pub setup: Vec<&'static str>,
    pub direct: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub write_through: bool,
    pub data_seed: u64,
    pub clock: &'static str,
    pub clock_drift_ppm: f64,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Issued {
    pub reads: u64,
    pub writes: u64,
    pub read_bytes: u64,
    pub written_bytes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub trims: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub trimmed_bytes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub syncs: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub failed_read_bytes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub failed_written_bytes: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl From<Traffic> for Issued {
    fn from(traffic: Traffic) -> Self {
        let Traffic {
            reads,
            writes,
            read_bytes,
            written_bytes,
            trims,
            trimmed_bytes,
            syncs,
        } = traffic;
        Self {
            reads,
            writes,
            read_bytes,
            written_bytes,
            trims,
            trimmed_bytes,
            syncs,
            failed_read_bytes: 0,
            failed_written_bytes: 0,
        }
    }
}

impl From<Sent> for Issued {
    fn from(sent: Sent) -> Self {
        Self {
            failed_read_bytes: sent.failed.read_bytes,
            failed_written_bytes: sent.failed.written_bytes,
            ..sent.issued.into()
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct TargetReading {
    #[serde(flatten)]
    pub completed: Issued,
    /// All that was issued to it; of an engine that asks no device none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued: Option<Issued>,
    /// Only where there are several targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
}

/// What one target among several did.
#[derive(Clone, Debug, Serialize)]
pub struct Split {
    pub reads: Direction,
    pub writes: Direction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trims: Option<Direction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syncs: Option<Direction>,
}

#[derive(Clone, Debug, Serialize)]
pub struct OpenLoop {
    pub rate_asked_io_s: f64,
    pub late_starts: u64,
    pub held_starts: u64,
    pub waited_starts: u64,
    pub host_late_starts: u64,
    pub start_delay: Sparse,
    pub backlog_start: u64,
    pub backlog_end: u64,
    pub growth: Option<Growth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth_with_dirty: Option<Growth>,
    pub response_p99_half_width: Option<f64>,
    pub response_movement: Option<Movement>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    Precise,
    Cap,
    Failed,
}

/// What one of several loads did: in it is all that a reading has, but for what they have in common.
#[derive(Clone, Debug, Serialize)]
pub struct LoadReading {
    #[serde(flatten)]
    pub measured: Measured,
    pub series: Series,
    pub precision: Precision,
    pub issued: Issued,
    pub workers: Vec<WorkerFacts>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Reading {
    pub reading_schema: u32,
    pub engine: EngineFacts,
    pub warmup_s: f64,
    pub measured_s: f64,
    pub reads: Direction,
    pub writes: Direction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trims: Option<Direction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syncs: Option<Direction>,
    pub per_target: Vec<TargetReading>,
    pub series: Series,
    pub precision: Precision,
    pub stopped: Stopped,
    pub issued: Issued,
    pub drained: u64,
    pub drained_max_ns: u64,
    pub workers: Vec<WorkerFacts>,
    /// Each load, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<LoadReading>,
    pub open_loop: Option<OpenLoop>,
    pub simulation: Option<Simulation>,
    pub integrity: Option<Integrity>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Integrity {
    pub session: u64,
    pub unit_bytes: u64,
    pub targets: Vec<String>,
    pub load: Findings,
}

#[derive(Clone, Debug, Serialize)]
pub struct Station {
    pub name: String,
    pub place: &'static str,
    pub count: usize,
    pub servers: usize,
    pub room: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    pub utilisation_mean: f64,
    pub utilisation_max: f64,
    pub mean_queue: f64,
    pub jobs: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    Saturated,
    Outstanding,
}

#[derive(Clone, Debug, Serialize)]
pub struct Bottleneck {
    pub station: Option<String>,
    pub place: &'static str,
    pub utilisation: f64,
    pub kind: Limit,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Bounds {
    pub rate_io_s: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Simulation {
    pub model_version: u32,
    pub virtual_s: f64,
    pub events: u64,
    pub stations: Vec<Station>,
    pub latency_split: BTreeMap<&'static str, f64>,
    pub bottleneck: Bottleneck,
    pub bounds: Bounds,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rebuilds: Vec<Rebuilding>,
}

/// The failed members of a volume that are rebuilt beside the load, all of them at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rebuilding {
    /// The volume that they are members of.
    pub volume: String,
    /// What the system asks for, for each of them.
    pub asked_bytes_s: f64,
    /// What each came to.
    pub bytes_s: f64,
    /// All of one of them.
    pub member_bytes: u64,
}

/// What measured windows add up to.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    pub reads: Direction,
    pub writes: Direction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trims: Option<Direction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syncs: Option<Direction>,
    pub per_target: Vec<TargetReading>,
    pub open_loop: Option<OpenLoop>,
}

impl Measured {
    /// Add up the windows of a load from `series.measured_from` on, exactly; its targets are those of the point
    /// from the first on. Failed I/Os are a fact of the point, whenever they failed: they come from `failures`.
    /// What each of several targets did may stand in windows of its own.
    pub fn of<'a>(
        windows: impl Iterator<Item = &'a Window> + Clone,
        (point, first_target, series): (&Point, usize, &Series),
        failures: &Failures,
        name_of: fn(i32) -> String,
    ) -> Self {
        let profile = &point.profile;
        let with = (profile.trims(), profile.syncs());
        let one = one_direction(point.open_loop(), name_of);
        let all = || windows.clone();
        let part = |target: usize, direction: usize| {
            let kept = all().filter_map(move |window| window.split.get(target));
            let errors = &failures.targets[target][direction];
            one(errors, &mut kept.map(move |split| &split[direction]))
        };
        let split = |target: usize| Split {
            reads: part(target, 0),
            writes: part(target, 1),
            trims: with.0.then(|| part(target, 2)),
            syncs: with.1.then(|| unscheduled(part(target, 3))),
        };
        let several = failures.targets.len() > 1 && windows.clone().next().is_some();
        let of = |(target, traffic): (usize, Traffic)| TargetReading {
            completed: traffic.into(),
            issued: None,
            split: several.then(|| split(target)),
        };
        let targets = first_target..first_target + point.targets.len();
        let mut sum = Self::sum_of(all(), with, failures, &one);
        sum.per_target = traffic(all(), targets.end)
            .into_iter()
            .enumerate()
            .skip(targets.start)
            .map(of)
            .collect();
        sum.open_loop = point.rate_io_s.map(|rate| OpenLoop {
            response_p99_half_width: sections::half_width(
                all().map(Window::response_times),
                0.99,
                point.stopping.confidence,
            ),
            response_movement: response::movement(series),
            ..OpenLoop::of(rate, all(), series)
        });
        sum
    }

    /// Add up several loads: their windows, and their targets one after the other. Each has its own schedule.
    pub fn of_all<'a>(
        windows: impl Iterator<Item = &'a Window> + Clone,
        (point, loads): (&Point, &[LoadReading]),
        failures: &Failures,
        name_of: fn(i32) -> String,
    ) -> Self {
        let any = |of: fn(&Profile) -> bool| point.profiles().any(of);
        let with = (any(Profile::trims), any(Profile::syncs));
        let mut sum = Self::sum_of(windows, with, failures, &one_direction(false, name_of));
        let targets = loads.iter().flat_map(|load| &load.measured.per_target);
        sum.per_target = targets.cloned().collect();
        sum
    }

    /// The sum of all targets, without theirs.
    fn sum_of<'a>(
        windows: impl Iterator<Item = &'a Window> + Clone,
        (trims, syncs): (bool, bool),
        failures: &Failures,
        one: &impl Fn(&Errors, &mut dyn Iterator<Item = &'a Counted>) -> Direction,
    ) -> Self {
        let all = || windows.clone();
        let of_trims = || one(&failures.all[2], &mut commands(all()).map(|of| &of.trims));
        let of_syncs = || one(&failures.all[3], &mut commands(all()).map(|of| &of.syncs));
        Self {
            reads: one(&failures.all[0], &mut all().map(|window| &window.reads)),
            writes: one(&failures.all[1], &mut all().map(|window| &window.writes)),
            trims: trims.then(of_trims),
            syncs: syncs.then(|| unscheduled(of_syncs())),
            per_target: Vec::new(),
            open_loop: None,
        }
    }
}

/// Adds up one direction, with its failed I/Os.
fn one_direction<'a>(
    opened: bool,
    name_of: fn(i32) -> String,
) -> impl Fn(&Errors, &mut dyn Iterator<Item = &'a Counted>) -> Direction {
    move |errors, parts| Direction {
        errors: named(errors, name_of),
        ..direction(parts, opened)
    }
}

/// Syncs are in no schedule.
fn unscheduled(syncs: Direction) -> Direction {
    Direction {
        response_time: None,
        ..syncs
    }
}

fn commands<'a>(windows: impl Iterator<Item = &'a Window>) -> impl Iterator<Item = &'a Commands> {
    windows.filter_map(|window| window.commands.as_deref())
}

/// Completed by target.
fn traffic<'a>(windows: impl Iterator<Item = &'a Window>, targets: usize) -> Vec<Traffic> {
    let mut sums = vec![Traffic::default(); targets];
    for window in windows {
        let pairs = sums.iter_mut().zip(&window.targets);
        pairs.for_each(|(sum, part)| sum.merge(part));
    }
    sums
}

impl OpenLoop {
    fn of<'a>(rate_asked_io_s: f64, windows: impl Iterator<Item = &'a Window>, series: &Series) -> Self {
        let mut starts = Starts::default();
        windows.for_each(|window| starts.merge(&window.starts));
        Self {
            rate_asked_io_s,
            late_starts: starts.late,
            held_starts: starts.held,
            waited_starts: starts.waited,
            host_late_starts: starts.host_late,
            start_delay: starts.delay,
            backlog_start: series.backlog_start(),
            backlog_end: series.backlog.last().copied().unwrap_or(0),
            growth: Growth::of(series),
            growth_with_dirty: None,
            response_p99_half_width: None,
            response_movement: None,
        }
    }
}

fn direction<'a>(parts: impl Iterator<Item = &'a Counted>, open_loop: bool) -> Direction {
    let (mut completed, mut bytes) = (0, 0);
    let (mut latency, mut response_time) = (Histogram::default(), Histogram::default());
    for part in parts {
        completed += part.completed;
        bytes += part.bytes;
        latency.merge(&part.latency);
        response_time.merge(&part.response_time);
    }
    Direction {
        completed,
        bytes,
        latency: latency.to_sparse(),
        response_time: open_loop.then(|| response_time.to_sparse()),
        errors: Vec::new(),
    }
}

fn named(errors: &Errors, name_of: fn(i32) -> String) -> Vec<IoError> {
    let named = errors.iter().map(|(&errno, &(count, first))| IoError {
        errno,
        name: name_of(errno),
        count,
        first_offset_bytes: first,
    });
    named.collect()
}

impl WorkerFacts {
    /// The facts of a worker of so many threads, over so many windows.
    pub fn of<'a>(
        parts: impl Iterator<Item = &'a Spent>,
        threads: usize,
        (windows, window_ns): (usize, u64),
    ) -> Self {
        let mut spent = Spent::default();
        parts.for_each(|part| spent.merge(*part));
        let seconds = |ns: u64| ns as f64 / 1e9;
        Self {
            threads,
            cpus: Vec::new(),
            cpu_s: seconds(spent.cpu_ns),
            elapsed_s: seconds(windows as u64 * window_ns),
            system_calls: spent.system_calls,
            io_time_s: seconds(spent.io_time_ns),
        }
    }
}
