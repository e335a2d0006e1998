//! What keeps an engine from starting or going on.

use std::fmt;
use std::io;

/// An engine that could not start or go on. A failed I/O is none of these: it is data.
#[derive(Debug)]
pub enum EngineError {
    /// This machine does not allow the engine that was asked for.
    Unavailable {
        /// Its name.
        engine: &'static str,
        /// Why not.
        why: String,
    },
    /// A target could not be opened.
    Open {
        /// Its path.
        path: String,
        /// What the system said.
        source: io::Error,
        /// Whether O_DIRECT was asked for.
        direct: bool,
    },
    /// The system refused something that the engine needs.
    System {
        /// What was refused.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl EngineError {
    pub(crate) fn system(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { what, source }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable { engine, why } => {
                write!(f, "the engine {engine} cannot run here: {why}")
            }
            Self::Open {
                path,
                source,
                direct: true,
            } => {
                write!(f, "{path} cannot be opened for direct I/O: {source}")
            }
            Self::Open { path, source, .. } => write!(f, "{path} cannot be opened: {source}"),
            Self::System { what, source } => write!(f, "{what}: {source}"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for EngineError {}
