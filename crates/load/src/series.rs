//! A point in time, window by window. Up to an hour each window is kept by itself; of a longer part neighbours
//! are kept as one, two by two and again two by two, so that memory does not grow with time and the sum stays
//! exactly the total.

use serde::Serialize;

use crate::histogram::{Histogram, Sparse};
use crate::window::Window;

/// Windows up to which each is kept by itself: an hour of 100 ms.
pub const KEPT_APART: usize = 36_000;

/// Windows that are kept as one in a part of so many: a power of two, and one that divides
/// [`crate::stopping::grain`], so that a beginning can be cut off a part between two values.
///
/// ```
/// use iodyno_load::series::merged;
/// assert_eq!((merged(36_000), merged(36_001), merged(864_000)), (1, 2, 32));
/// ```
pub fn merged(windows: usize) -> usize {
    windows.div_ceil(KEPT_APART).next_power_of_two()
}

/// How an open loop waited in a window.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// Accesses completed.
    pub completed: u64,
    /// Sum of intended start to completion, in ns.
    pub response_sum_ns: u64,
    /// 99th percentile of it in ns.
    pub response_p99_ns: u64,
    /// The greatest in ns.
    pub response_max_ns: u64,
    /// I/Os due but not issued, at the end of the window.
    pub backlog: u64,
    /// I/Os issued and not completed, at the end of the window.
    pub under_way: u64,
}

/// One window of all workers together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// Reads completed.
    pub reads: u64,
    /// Writes completed.
    pub writes: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Sum of the latencies of all accesses, in ns.
    pub latency_sum_ns: u64,
    /// 99th percentile of them in ns.
    pub p99_ns: u64,
    /// The greatest in ns.
    pub max_ns: u64,
    /// Where the loop is open.
    pub waiting: Option<Waiting>,
    /// Trims and syncs completed, where the profile has any.
    pub commands: Option<[u64; 2]>,
}

impl Step {
    fn of(window: &Window, open_loop: bool) -> Self {
        let commands = window.commands.as_deref();
        let trims = commands.map(|commands| &commands.trims.latency);
        let latency = sum_of(&[Some(&window.reads.latency), Some(&window.writes.latency), trims]);
        Self {
            reads: window.reads.completed,
            writes: window.writes.completed,
            read_bytes: window.reads.bytes,
            written_bytes: window.writes.bytes,
            latency_sum_ns: latency.sum_ns(),
            p99_ns: latency.percentile_ns(0.99),
            max_ns: latency.max_ns(),
            waiting: open_loop.then(|| Waiting::of(window)),
            commands: commands.map(|commands| [commands.trims.completed, commands.syncs.completed]),
        }
    }

    /// Accesses completed: reads, writes and trims.
    pub fn completed(&self) -> u64 {
        self.reads + self.writes + self.commands.map_or(0, |[trims, _]| trims)
    }

    /// Bytes read and written.
    pub fn bytes(&self) -> u64 {
        self.read_bytes + self.written_bytes
    }

    /// Mean latency of the accesses in ns; 0 of none.
    pub fn latency_mean_ns(&self) -> f64 {
        self.latency_sum_ns as f64 / self.completed().max(1) as f64
    }
}

impl Waiting {
    fn of(window: &Window) -> Self {
        let response_time = sum_of(&window.response_times());
        Self {
            completed: response_time.total(),
            response_sum_ns: response_time.sum_ns(),
            response_p99_ns: response_time.percentile_ns(0.99),
            response_max_ns: response_time.max_ns(),
            backlog: window.backlog,
            under_way: window.under_way,
        }
    }

    /// Mean of intended start to completion in ns; 0 of none.
    pub fn response_mean_ns(&self) -> f64 {
        self.response_sum_ns as f64 / self.completed.max(1) as f64
    }
}

fn sum_of(parts: &[Option<&Sparse>]) -> Histogram {
    let mut sum = Histogram::default();
    parts.iter().flatten().for_each(|part| sum.merge(part));
    sum
}

/// How two values that follow each other become one.
type Join = fn(u64, u64) -> u64;
const SUM: Join = |one, next| one + next;
const GREATER: Join = u64::max;
const LATER: Join = |_, next| next;

/// The columns of a reading's series; field by field they are documented in `iodyno.reading`.
#[allow(missing_docs)]
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub response_sum_ns: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub response_p99_ns: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub response_max_ns: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub backlog: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub under_way: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trims: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub syncs: Vec<u64>,
    /// Windows in each value; empty where each is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<u64>,
    #[serde(skip)]
    open_loop: bool,
    /// I/Os due but not issued before the first window.
    #[serde(skip)]
    backlog_before: u64,
    /// First value of the part in progress.
    #[serde(skip)]
    part: usize,
    /// Windows of that part.
    #[serde(skip)]
    in_part: usize,
    #[serde(skip)]
    last: Step,
}

impl Series {
    /// An empty series of windows of this length; with response times and backlog where the loop is open.
    pub fn new(window_ns: u64, open_loop: bool) -> Self {
        Self {
            window_s: window_ns as f64 / 1e9,
            open_loop,
            ..Self::default()
        }
    }

    /// The same, of a load of which so many I/Os are due but not issued already.
    #[must_use]
    pub fn behind_by(self, backlog_before: u64) -> Self {
        Self {
            backlog_before,
            ..self
        }
    }

    /// I/Os due but not issued when the measured part began.
    pub(crate) fn backlog_start(&self) -> u64 {
        let before = self.measured_from.checked_sub(1);
        before.map_or(self.backlog_before, |window| self.backlog[window])
    }

    /// Begin a part, after the warm-up: no value holds windows of two parts.
    pub fn begin_part(&mut self) {
        (self.part, self.in_part) = (self.reads.len(), 0);
    }

    /// Add a window of all workers together.
    pub fn push(&mut self, window: &Window) {
        self.last = Step::of(window, self.open_loop);
        let (before, now) = (merged(self.in_part), merged(self.in_part + 1));
        if now > before {
            self.halve();
        }
        let joins = !self.in_part.is_multiple_of(now);
        for (column, value, join) in self.columns() {
            match column.last_mut() {
                Some(last) if joins => *last = join(*last, value),
                _ => column.push(value),
            }
        }
        self.in_part += 1;
    }

    /// Two values of the part become one.
    fn halve(&mut self) {
        if self.windows.is_empty() {
            self.windows = vec![1; self.reads.len()];
        }
        let part = self.part;
        for (column, _, join) in self.columns() {
            let pairs = column.split_off(part);
            let joined = pairs
                .chunks(2)
                .map(|pair| pair.iter().copied().reduce(join).expect("one or two"));
            column.extend(joined);
        }
    }

    /// The columns in use, what the last window adds to each, and how two values of it become one.
    fn columns(&mut self) -> impl Iterator<Item = (&mut Vec<u64>, u64, Join)> {
        let step = self.last;
        let waiting = |get: fn(Waiting) -> u64| step.waiting.map(get);
        let command = |index: usize| step.commands.map(|commands| commands[index]);
        let counted = (!self.windows.is_empty()).then_some(1);
        let columns = [
            (&mut self.reads, Some(step.reads), SUM),
            (&mut self.writes, Some(step.writes), SUM),
            (&mut self.read_bytes, Some(step.read_bytes), SUM),
            (&mut self.written_bytes, Some(step.written_bytes), SUM),
            (&mut self.latency_sum_ns, Some(step.latency_sum_ns), SUM),
            (&mut self.p99_ns, Some(step.p99_ns), GREATER),
            (&mut self.max_ns, Some(step.max_ns), GREATER),
            (&mut self.response_sum_ns, waiting(|of| of.response_sum_ns), SUM),
            (
                &mut self.response_p99_ns,
                waiting(|of| of.response_p99_ns),
                GREATER,
            ),
            (
                &mut self.response_max_ns,
                waiting(|of| of.response_max_ns),
                GREATER,
            ),
            (&mut self.backlog, waiting(|of| of.backlog), LATER),
            (&mut self.under_way, waiting(|of| of.under_way), LATER),
            (&mut self.trims, command(0), SUM),
            (&mut self.syncs, command(1), SUM),
            (&mut self.windows, counted, SUM),
        ];
        let columns = columns.into_iter();
        columns.filter_map(|(column, value, join)| Some((column, value?, join)))
    }

    /// Let the result begin so many windows after the beginning of the part in progress.
    ///
    /// # Panics
    /// Where that is within a value, as no multiple of [`crate::stopping::grain`] is.
    pub fn measure_from(&mut self, window: usize) {
        let merged = merged(self.in_part);
        assert!(window.is_multiple_of(merged), "a cut within a value");
        self.measured_from = (self.part + window / merged).min(self.reads.len());
    }

    /// The last window by itself; zeros before the first.
    pub fn last(&self) -> &Step {
        &self.last
    }

    /// Bytes of its columns.
    pub fn bytes(&mut self) -> usize {
        let columns = self.columns();
        columns
            .map(|(column, ..)| column.capacity() * size_of::<u64>())
            .sum()
    }
}
