//! What is counted of one direction or of one kind of command: while the window lasts, and of a closed one.

use std::collections::BTreeMap;

use crate::histogram::{Sparse, WindowHistogram};

/// Failed I/Os by error number (0: came back short): how many, and the offset of the first.
pub type Errors = BTreeMap<i32, (u64, u64)>;

/// One direction of a window being counted.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    /// Issue to completion.
    pub latency: WindowHistogram,
    /// Intended start to completion, where the loop is open.
    pub response_time: Option<WindowHistogram>,
    /// Failed I/Os.
    pub errors: Errors,
}

impl Counting {
    pub(crate) fn new(open_loop: bool) -> Self {
        Self {
            response_time: open_loop.then(WindowHistogram::default),
            ..Self::default()
        }
    }

    /// Bytes of its histograms.
    pub(crate) fn bytes(&self) -> usize {
        let response_time = self.response_time.as_ref();
        self.latency.bytes() + response_time.map_or(0, WindowHistogram::bytes)
    }

    pub(crate) fn take(&mut self, bytes: u64) -> Counted {
        let response_time = self.response_time.as_mut().map(WindowHistogram::take);
        Counted {
            bytes,
            completed: self.latency.total(),
            latency: self.latency.take(),
            response_time: response_time.unwrap_or_default(),
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
    /// I/Os that came back: completed or failed.
    pub fn ended(&self) -> u64 {
        self.completed + self.errors.values().map(|(count, _)| count).sum::<u64>()
    }

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

/// Reads, writes, trims and syncs of a target.
pub type Parts = [Counted; 4];
