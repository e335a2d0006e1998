//! What a worker counts: windows of 100 ms, each with its own histograms, so that any
//! range of them can become the measured part.

use std::collections::BTreeMap;

use crate::histogram::{Histogram, Sparse};

/// Length of a window in ns.
pub const WINDOW_NS: u64 = 100_000_000;

/// Failed I/Os by error number (0: came back short): how many, and the offset of the first.
pub type Errors = BTreeMap<i32, (u64, u64)>;

/// One direction of a window being counted.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    /// Issue to completion.
    pub latency: Histogram,
    /// Failed I/Os.
    pub errors: Errors,
}

impl Counting {
    fn take(&mut self, bytes: u64) -> Counted {
        Counted {
            bytes,
            completed: self.latency.total(),
            latency: self.latency.take(),
            response_time: Sparse::default(),
            errors: std::mem::take(&mut self.errors),
        }
    }
}

/// One direction of a window, closed.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// I/Os completed.
    pub completed: u64,
    /// Bytes completed.
    pub bytes: u64,
    /// Issue to completion.
    pub latency: Sparse,
    /// Intended start to completion; empty where the loop is closed.
    pub response_time: Sparse,
    /// Failed I/Os.
    pub errors: Errors,
}

impl Counted {
    /// Add another's counts, exactly.
    pub fn merge(&mut self, other: &Self) {
        self.completed += other.completed;
        self.bytes += other.bytes;
        self.latency.merge(&other.latency);
        self.response_time.merge(&other.response_time);
        merge_errors(&mut self.errors, &other.errors);
    }
}

/// Add failed I/Os; the offset of the first stays.
pub fn merge_errors(sum: &mut Errors, other: &Errors) {
    for (&errno, &(count, first)) in other {
        sum.entry(errno).or_insert((0, first)).0 += count;
    }
}

/// What was done to one target, in I/Os and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
}

impl Traffic {
    /// Count one I/O.
    #[inline]
    pub fn add(&mut self, write: bool, bytes: u64) {
        if write {
            self.writes += 1;
            self.written_bytes += bytes;
        } else {
            self.reads += 1;
            self.read_bytes += bytes;
        }
    }

    /// Add another's counts.
    pub fn merge(&mut self, other: &Self) {
        self.reads += other.reads;
        self.writes += other.writes;
        self.read_bytes += other.read_bytes;
        self.written_bytes += other.written_bytes;
    }
}

/// I/Os and bytes of one direction on one target: counted without asking which direction it is.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    ios: u64,
    bytes: u64,
}

impl From<[Tally; 2]> for Traffic {
    fn from([reads, writes]: [Tally; 2]) -> Self {
        Self {
            reads: reads.ios,
            writes: writes.ios,
            read_bytes: reads.bytes,
            written_bytes: writes.bytes,
        }
    }
}

/// A closed window of one worker.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// Reads.
    pub reads: Counted,
    /// Writes.
    pub writes: Counted,
    /// Completed by target.
    pub targets: Vec<Traffic>,
    /// CPU time of the thread in ns.
    pub cpu_ns: u64,
    /// System calls for I/O.
    pub system_calls: u64,
    /// Integral of the outstanding I/Os over time, in I/Os × ns.
    pub io_time_ns: u64,
    /// I/Os issued more than 1 ms after their intended start.
    pub late_starts: u64,
    /// I/Os due but not issued, at the end of the window.
    pub backlog: u64,
}

impl Window {
    /// Add another thread's window of the same time, exactly.
    pub fn join(&mut self, other: &Self) {
        let backlog = self.backlog + other.backlog;
        self.follow(other);
        self.backlog = backlog;
    }

    /// Add the window that comes next, exactly.
    pub fn follow(&mut self, next: &Self) {
        self.reads.merge(&next.reads);
        self.writes.merge(&next.writes);
        if self.targets.is_empty() {
            self.targets.clone_from(&next.targets);
        } else {
            let pairs = self.targets.iter_mut().zip(&next.targets);
            pairs.for_each(|(sum, part)| sum.merge(part));
        }
        self.cpu_ns += next.cpu_ns;
        self.system_calls += next.system_calls;
        self.io_time_ns += next.io_time_ns;
        self.late_starts += next.late_starts;
        self.backlog = next.backlog;
    }

    /// Failed I/Os.
    pub fn failed(&self) -> u64 {
        let errors = self.reads.errors.values().chain(self.writes.errors.values());
        errors.map(|(count, _)| count).sum()
    }
}

/// Counts the window in progress.
#[derive(Debug)]
pub struct WindowCounter {
    directions: [Counting; 2],
    response_time: Option<[Histogram; 2]>,
    targets: Vec<[Tally; 2]>,
    /// System calls for I/O.
    pub system_calls: u64,
    /// Integral of the outstanding I/Os over time, in I/Os × ns.
    pub io_time_ns: u64,
    /// I/Os issued more than 1 ms after their intended start.
    pub late_starts: u64,
}

impl WindowCounter {
    /// Count for so many targets; with response times where the loop is open.
    pub fn new(targets: usize, open_loop: bool) -> Self {
        Self {
            directions: Default::default(),
            response_time: open_loop.then(Default::default),
            targets: vec![<[Tally; 2]>::default(); targets],
            system_calls: 0,
            io_time_ns: 0,
            late_starts: 0,
        }
    }

    /// Count a completed I/O.
    #[inline]
    pub fn completed(&mut self, target: usize, write: bool, bytes: u32, latency_ns: u64) {
        let direction = usize::from(write);
        self.directions[direction].latency.record(latency_ns);
        let tally = &mut self.targets[target][direction];
        tally.ios += 1;
        tally.bytes += u64::from(bytes);
    }

    /// What was completed so far in the window.
    pub fn traffic(&self) -> Traffic {
        let mut sum = Traffic::default();
        let targets = self.targets.iter().copied();
        targets.for_each(|target| sum.merge(&target.into()));
        sum
    }

    /// Count the response time of a completed I/O of an open loop.
    #[inline]
    pub fn responded(&mut self, write: bool, response_ns: u64) {
        if let Some(histograms) = &mut self.response_time {
            histograms[usize::from(write)].record(response_ns);
        }
    }

    /// Count a failed I/O.
    #[cold]
    pub fn failed(&mut self, write: bool, errno: i32, offset: u64) {
        let errors = &mut self.directions[usize::from(write)].errors;
        errors.entry(errno).or_insert((0, offset)).0 += 1;
    }

    /// Close the window and begin the next.
    pub fn close(&mut self, cpu_ns: u64, backlog: u64) -> Window {
        let sum = self.traffic();
        let [reads, writes] = &mut self.directions;
        let (mut reads, mut writes) = (reads.take(sum.read_bytes), writes.take(sum.written_bytes));
        if let Some([of_reads, of_writes]) = &mut self.response_time {
            (reads.response_time, writes.response_time) = (of_reads.take(), of_writes.take());
        }
        let targets = self.targets.iter_mut().map(std::mem::take);
        Window {
            reads,
            writes,
            targets: targets.map(Traffic::from).collect(),
            cpu_ns,
            system_calls: std::mem::take(&mut self.system_calls),
            io_time_ns: std::mem::take(&mut self.io_time_ns),
            late_starts: std::mem::take(&mut self.late_starts),
            backlog,
        }
    }
}
