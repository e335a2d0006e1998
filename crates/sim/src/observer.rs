//! What who looks on answers, and why there may be no reading.

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
