//! What is told to who looks on, and what they answer.

use iodyno_load::reading::Waiting;

/// What the observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End at once; the point is lost.
    Interrupt,
}

/// Part of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not counted.
    Warmup,
    /// Counted.
    Measured,
}

/// How a point is going: its last window.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Part of the point.
    pub phase: Phase,
    /// Seconds since the point began.
    pub elapsed_s: f64,
    /// I/Os completed per second.
    pub rate_io_s: f64,
    /// Bytes completed per second.
    pub throughput_bytes_s: f64,
    /// Mean latency in ns.
    pub latency_mean_ns: f64,
    /// 99th percentile of the latency in ns.
    pub p99_ns: u64,
    /// Half-width of the interval so far, as a share of the mean.
    pub half_width: Option<f64>,
    /// How it waited, where the loop is open.
    pub waiting: Option<Waiting>,
}
