//! What is told to who looks on, what they answer, and why there may be no reading.

/// What the observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End at once; the point is lost.
    Interrupt,
}

/// Why there is no reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimError {
    /// Point and system do not fit together: all that is wrong, in sentences.
    Request(Vec<String>),
    /// The observer interrupted.
    Interrupted,
    /// The point would last longer than [`Ps::LONGEST`](crate::time::Ps::LONGEST).
    TooLong,
}

impl std::fmt::Display for SimError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Request(problems) => write!(out, "{}", problems.join("; ")),
            Self::Interrupted => write!(out, "interrupted"),
            Self::TooLong => write!(
                out,
                "what is to be counted would take longer than 106 days of virtual time: ask for fewer I/Os, or for more at a time"
            ),
        }
    }
}

impl std::error::Error for SimError {}

/// How a point is going: its last window, in virtual time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Virtual seconds since the point began.
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
}
