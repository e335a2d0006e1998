//! What comes out of a point. The JSON of [`Reading`] is what Python reads; field by
//! field it is documented there, in `iodyno.reading`.

#![allow(missing_docs)]

use std::collections::BTreeMap;

use serde::Serialize;

use crate::gather::Spent;
use crate::histogram::{Histogram, Sparse};
use crate::stopping::Assessment;
use crate::window::{Counted, Errors, Traffic, Window};

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

#[derive(Clone, Debug, Default, Serialize)]
pub struct Series {
    pub window_s: f64,
    pub measured_from: usize,
    pub reads: Vec<u64>,
    pub writes: Vec<u64>,
    pub read_bytes: Vec<u64>,
    pub written_bytes: Vec<u64>,
    pub latency_sum_ns: Vec<u64>,
    pub p99_ns: Vec<u64>,
    pub max_ns: Vec<u64>,
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
}

impl From<Traffic> for Issued {
    fn from(traffic: Traffic) -> Self {
        let Traffic {
            reads,
            writes,
            read_bytes,
            written_bytes,
        } = traffic;
        Self {
            reads,
            writes,
            read_bytes,
            written_bytes,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct OpenLoop {
    pub rate_asked_io_s: f64,
    pub late_starts: u64,
    pub backlog_end: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    Precise,
    Cap,
    Interrupted,
    Failed,
}

#[derive(Clone, Debug, Serialize)]
pub struct Reading {
    pub reading_schema: u32,
    pub engine: EngineFacts,
    pub warmup_s: f64,
    pub measured_s: f64,
    pub reads: Direction,
    pub writes: Direction,
    pub per_target: Vec<Issued>,
    pub series: Series,
    pub precision: Precision,
    pub stopped: Stopped,
    pub issued: Issued,
    pub drained_max_ns: u64,
    pub workers: Vec<WorkerFacts>,
    pub open_loop: Option<OpenLoop>,
    pub simulation: Option<Simulation>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Station {
    pub name: String,
    pub place: &'static str,
    pub count: usize,
    pub servers: usize,
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
}

/// What measured windows add up to.
pub struct Measured {
    pub reads: Direction,
    pub writes: Direction,
    pub per_target: Vec<Issued>,
    pub late_starts: u64,
    pub backlog_end: u64,
}

impl Measured {
    /// Add up the windows of all workers, exactly. Failed I/Os are a fact of the point, whenever they failed: they
    /// come from `errors`, of reads and of writes.
    pub fn of<'a>(
        windows: impl Iterator<Item = &'a Window> + Clone,
        targets: usize,
        open_loop: bool,
        errors: &[Errors; 2],
        name_of: fn(i32) -> String,
    ) -> Self {
        let mut per_target = vec![Traffic::default(); targets];
        for window in windows.clone() {
            for (sum, part) in per_target.iter_mut().zip(&window.targets) {
                sum.merge(part);
            }
        }
        Self {
            reads: Direction {
                errors: named(&errors[0], name_of),
                ..direction(windows.clone().map(|window| &window.reads), open_loop)
            },
            writes: Direction {
                errors: named(&errors[1], name_of),
                ..direction(windows.clone().map(|window| &window.writes), open_loop)
            },
            per_target: per_target.into_iter().map(Issued::from).collect(),
            late_starts: windows.clone().map(|window| window.late_starts).sum(),
            backlog_end: windows.last().map_or(0, |window| window.backlog),
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
            cpu_s: seconds(spent.cpu_ns),
            elapsed_s: seconds(windows as u64 * window_ns),
            system_calls: spent.system_calls,
            io_time_s: seconds(spent.io_time_ns),
        }
    }
}

impl Series {
    /// An empty series of windows of this length.
    pub fn new(window_ns: u64) -> Self {
        Self {
            window_s: window_ns as f64 / 1e9,
            ..Self::default()
        }
    }

    /// Add a window of all workers together.
    pub fn push(&mut self, window: &Window) {
        let mut latency = Histogram::default();
        latency.merge(&window.reads.latency);
        latency.merge(&window.writes.latency);
        self.reads.push(window.reads.completed);
        self.writes.push(window.writes.completed);
        self.read_bytes.push(window.reads.bytes);
        self.written_bytes.push(window.writes.bytes);
        self.latency_sum_ns.push(latency.sum_ns());
        self.p99_ns.push(latency.percentile_ns(0.99));
        self.max_ns.push(latency.max_ns());
    }

    /// Number of windows.
    pub fn len(&self) -> usize {
        self.reads.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty()
    }
}
