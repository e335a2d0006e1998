//! The ledger of verified I/O, and the pass that reads all that it knows.

use std::path::PathBuf;
use std::sync::Arc;

use iodyno_engine::Place;
use iodyno_load::integrity;
use pyo3::prelude::*;

use crate::{Heard, control, raised};

/// What is known of every unit of the areas of a run's targets.
///
/// Parameters
/// ----------
/// session
///     A number that no other run has.
/// unit_bytes, longest_bytes
///     What writes are multiples of, a multiple of 512, and the longest of them.
/// areas
///     Path, start and length in bytes of the area of each target.
#[pyclass(frozen)]
pub(crate) struct Ledger(pub(crate) Arc<integrity::Ledger>);

#[pymethods]
impl Ledger {
    #[new]
    fn new(session: u64, unit_bytes: u64, longest_bytes: u64, areas: Vec<(String, u64, u64)>) -> Self {
        let sizes = (unit_bytes, longest_bytes);
        Self(Arc::new(integrity::Ledger::new(session, sizes, &areas)))
    }

    /// Read a ledger of these targets that was kept.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, paths: Vec<String>) -> PyResult<Self> {
        let ledger = py.detach(|| iodyno_engine::load(&path, &paths))?;
        Ok(Self(Arc::new(ledger)))
    }

    /// Keep the ledger in a file, durable when this returns.
    ///
    /// Parameters
    /// ----------
    /// path
    ///     The file.
    /// trimming
    ///     What may be trimmed from now on: path, start and length in bytes.
    fn save(&self, py: Python<'_>, path: PathBuf, trimming: Vec<(String, u64, u64)>) -> PyResult<()> {
        Ok(py.detach(|| iodyno_engine::save(&self.0, &path, &trimming))?)
    }

    /// The number that no other run has.
    #[getter]
    fn session(&self) -> u64 {
        self.0.session()
    }

    /// What every access is a multiple of, in bytes.
    #[getter]
    fn unit_bytes(&self) -> u64 {
        self.0.unit_bytes()
    }

    /// Paths of the targets, in the order in which findings name them.
    #[getter]
    fn paths(&self) -> Vec<String> {
        self.0.paths()
    }

    /// The number of the last write.
    #[getter]
    fn last_generation(&self) -> u64 {
        self.0.last_generation()
    }

    /// Bytes of a target that something is known of and that were written after a generation.
    fn known_bytes(&self, path: &str, since: u64) -> u64 {
        let target = self.0.target(path);
        target.map_or(0, |target| self.0.known_bytes(target, since))
    }

    /// What of a target was found wrong and neither written nor trimmed since: how many places and bytes.
    fn found_wrong(&self, path: &str) -> (u64, u64) {
        let target = self.0.target(path);
        target.map_or((0, 0), |target| self.0.found_wrong(target))
    }
}

/// Read what a ledger knows of a target and compare.
///
/// Parameters
/// ----------
/// ledger
///     The ledger.
/// path
///     A file or device that the ledger has.
/// direct
///     Bypass the caches of the operating system.
/// logical_block_bytes
///     Smallest unit of direct I/O in bytes.
/// since
///     Only what was written after this generation; 0: all that is known.
/// observe
///     Called with the bytes read so far.
///
/// Returns
/// -------
/// str
///     JSON of an ``iodyno.reading.Findings``.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    ledger: &Ledger,
    path: PathBuf,
    direct: bool,
    logical_block_bytes: u64,
    since: u64,
    observe: Py<PyAny>,
) -> PyResult<String> {
    let mut heard: Heard = None;
    let ledger = &ledger.0;
    let found = py.detach(|| {
        let place = Place {
            path: &path,
            direct,
            logical_block_bytes,
            since,
        };
        iodyno_engine::verify(ledger, place, |read| {
            control(&mut heard, |py| observe.call1(py, (read,)).map(drop))
        })
    });
    let found = found.map_err(|error| heard.unwrap_or_else(|| raised(&error)))?;
    Ok(serde_json::to_string(&found).expect("findings are JSON"))
}
