//! The door between Python and the engine. Points go in and readings come out as JSON;
//! the GIL is free while I/O is under way, and Ctrl-C is heard meanwhile.

mod integrity;
mod lines;
mod queueing;

use std::path::PathBuf;

use iodyno_engine::{Content, Control, EngineError, Phase, Sample};
use iodyno_load::pattern::Streams;
use iodyno_load::request::{DataPattern, Point, problems};
use iodyno_sim::SimError;
use iodyno_sim::system::System;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What keeps an observer from going on, or `None`.
type Heard = Option<PyErr>;

/// Ask real targets for a reading.
///
/// Parameters
/// ----------
/// point
///     JSON of an ``iodyno.plan.Point``.
/// observe
///     Called with a dict for each window of 100 ms: the fields of ``iodyno.events.Sample``
///     without its index.
/// ledger
///     What is known of the targets: data is then stamped and checked.
///
/// Returns
/// -------
/// str
///     JSON of an ``iodyno.reading.Reading``.
///
/// Raises
/// ------
/// ValueError
///     If the JSON is no point, or one that cannot be: every reason, one a line.
/// RuntimeError
///     If the engine cannot start.
/// KeyboardInterrupt
///     If a signal came; the point is lost.
#[pyfunction]
#[pyo3(signature = (point, observe, ledger = None))]
fn measure(
    py: Python<'_>,
    point: &str,
    observe: Py<PyAny>,
    ledger: Option<&integrity::Ledger>,
) -> PyResult<String> {
    let point = parse(point)?;
    let ledger = ledger.map(|ledger| &ledger.0);
    let mut heard: Heard = None;
    let reading = py.detach(|| {
        iodyno_engine::measure(&point, ledger, |sample| {
            control(&mut heard, |py| match sample {
                Some(sample) => observe.call1(py, (sample_dict(py, sample)?,)).map(drop),
                None => Ok(()),
            })
        })
    });
    let reading = reading.map_err(|error| heard.unwrap_or_else(|| raised(&error)))?;
    Ok(serde_json::to_string(&reading).expect("a reading is JSON"))
}

/// Ask a virtual system for a reading.
///
/// Parameters
/// ----------
/// point
///     JSON of an ``iodyno.plan.Point`` whose targets are virtual.
/// system
///     JSON of the ``iodyno.virtual.VirtualSystem`` that they are volumes of.
/// observe
///     Called now and then; what it raises ends the point. ``None``: nobody is. Signals are heard either way.
///
/// Returns
/// -------
/// str
///     JSON of an ``iodyno.reading.Reading``.
///
/// Raises
/// ------
/// ValueError
///     If the JSON is no point or no system, or the point cannot be, or the two do not fit together.
/// KeyboardInterrupt
///     If a signal came; the point is lost.
#[pyfunction]
#[pyo3(signature = (point, system, observe = None))]
fn simulate(py: Python<'_>, point: &str, system: &str, observe: Option<Py<PyAny>>) -> PyResult<String> {
    let point = parse(point)?;
    let system: System =
        serde_json::from_str(system).map_err(|error| PyValueError::new_err(format!("no system: {error}")))?;
    let mut heard: Heard = None;
    let reading = py.detach(|| {
        iodyno_sim::simulate(&point, &system, || {
            let control = control(&mut heard, |py| match &observe {
                Some(observe) => observe.call0(py).map(drop),
                None => Ok(()),
            });
            match control {
                Control::Continue => iodyno_sim::Control::Continue,
                Control::Interrupt => iodyno_sim::Control::Interrupt,
            }
        })
    });
    let reading = reading.map_err(|error| heard.unwrap_or_else(|| refused(&error)))?;
    Ok(serde_json::to_string(&reading).expect("a reading is JSON"))
}

/// Write a range of a file in full with incompressible data.
///
/// Parameters
/// ----------
/// path
///     An existing file or device.
/// start, length
///     The range in bytes.
/// seed
///     Seed of the data.
/// direct
///     Bypass the caches of the operating system.
/// observe
///     Called with the bytes written so far.
/// ledger
///     What is known of the file: it is stamped, and the ledger knows it as filled.
/// compressible_share, duplicate_share
///     Share of each block that compresses away, and share of blocks of 128 KiB that are copies of earlier ones.
#[pyfunction]
#[pyo3(signature = (
    path, start, length, seed, direct, observe, ledger = None, compressible_share = 0.0, duplicate_share = 0.0
))]
#[allow(clippy::too_many_arguments)] // by name from Python
fn fill(
    py: Python<'_>,
    path: PathBuf,
    start: u64,
    length: u64,
    seed: u64,
    direct: bool,
    observe: Py<PyAny>,
    ledger: Option<&integrity::Ledger>,
    compressible_share: f64,
    duplicate_share: f64,
) -> PyResult<()> {
    let ledger = ledger.map(|ledger| &*ledger.0);
    let mut heard: Heard = None;
    let content = Content {
        pattern: DataPattern::Incompressible,
        compressible_share,
        duplicate_share,
    };
    let data = (content, seed);
    let filled = py.detach(|| {
        iodyno_engine::fill(&path, (start, length), data, direct, ledger, |written| {
            control(&mut heard, |py| observe.call1(py, (written,)).map(drop))
        })
    });
    filled.map_err(|error| heard.unwrap_or_else(|| raised(&error)))
}

/// The first accesses of a worker of the load that a target of a point is of, as if it was alone where workers
/// share a sequence: (writes, offset, bytes) each.
#[pyfunction]
fn accesses(point: &str, target: usize, worker: usize, count: usize) -> PyResult<Vec<(bool, u64, u32)>> {
    let mut target = target;
    for load in parse(point)?.loads() {
        if target < load.targets.len() {
            return of_load(&load, (worker, target), count);
        }
        target -= load.targets.len();
    }
    Err(PyValueError::new_err("no such target"))
}

fn of_load(load: &Point, (worker, target): (usize, usize), count: usize) -> PyResult<Vec<(bool, u64, u32)>> {
    if worker >= load.workers {
        return Err(PyValueError::new_err("no such worker"));
    }
    let mut stream = Streams::new(load).stream(worker, target);
    let next = |_| {
        let access = stream.next();
        (access.write, access.offset, access.bytes)
    };
    Ok((0..count).map(next).collect())
}

/// Every engine with the reason why this machine does not allow it; empty where it does.
#[pyfunction]
fn engines(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let engines = PyDict::new(py);
    for (engine, forbidden) in iodyno_engine::available() {
        engines.set_item(engine.name(), forbidden.unwrap_or_default())?;
    }
    Ok(engines)
}

/// Bytes of memory that this process can take without swapping; none where the kernel does not tell.
#[pyfunction]
fn available_memory() -> Option<u64> {
    iodyno_engine::available_memory()
}

/// Version, commit and build profile of the engine, and whether it was optimised.
#[pyfunction]
fn build(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("version", env!("CARGO_PKG_VERSION"))?;
    facts.set_item("commit", env!("IODYNO_COMMIT"))?;
    facts.set_item("build_profile", env!("IODYNO_BUILD_PROFILE"))?;
    facts.set_item(
        "optimised",
        env!("IODYNO_OPT_LEVEL") != "0" && !cfg!(debug_assertions),
    )?;
    Ok(facts)
}

fn parse(point: &str) -> PyResult<Point> {
    let point: Point =
        serde_json::from_str(point).map_err(|error| PyValueError::new_err(format!("no point: {error}")))?;
    let problems = problems(&point);
    if problems.is_empty() {
        return Ok(point);
    }
    Err(PyValueError::new_err(problems.join("\n")))
}

/// Call an observer with the GIL; what it raises, or a signal, interrupts.
fn control(heard: &mut Heard, observe: impl FnOnce(Python<'_>) -> PyResult<()>) -> Control {
    let result = Python::attach(|py| py.check_signals().and_then(|()| observe(py)));
    match result {
        Ok(()) => Control::Continue,
        Err(error) => {
            *heard = Some(error);
            Control::Interrupt
        }
    }
}

fn sample_dict<'py>(py: Python<'py>, sample: &Sample) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    let phase = match sample.phase {
        Phase::Warmup => "warmup",
        Phase::Measured => "measured",
    };
    fields.set_item("phase", phase)?;
    fields.set_item("elapsed_s", sample.elapsed_s)?;
    fields.set_item("rate_io_s", sample.rate_io_s)?;
    fields.set_item("throughput_bytes_s", sample.throughput_bytes_s)?;
    fields.set_item("latency_mean_ns", sample.latency_mean_ns)?;
    fields.set_item("p99_ns", sample.p99_ns)?;
    fields.set_item("half_width", sample.half_width)?;
    if let Some(waiting) = sample.waiting {
        fields.set_item("response_mean_ns", waiting.response_mean_ns())?;
        fields.set_item("response_p99_ns", waiting.response_p99_ns)?;
        fields.set_item("backlog", waiting.backlog)?;
    }
    Ok(fields)
}

fn refused(error: &SimError) -> PyErr {
    match error {
        SimError::Interrupted => PyKeyboardInterrupt::new_err(()),
        SimError::Request(_) | SimError::TooLong => PyValueError::new_err(error.to_string()),
    }
}

fn raised(error: &EngineError) -> PyErr {
    match error {
        EngineError::Interrupted => PyKeyboardInterrupt::new_err(()),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

/// The engine behind `iodyno.bench`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(measure, module)?)?;
    module.add_function(wrap_pyfunction!(simulate, module)?)?;
    module.add_function(wrap_pyfunction!(fill, module)?)?;
    module.add_function(wrap_pyfunction!(accesses, module)?)?;
    module.add_function(wrap_pyfunction!(queueing::array_network, module)?)?;
    module.add_function(wrap_pyfunction!(queueing::solve_network, module)?)?;
    module.add_function(wrap_pyfunction!(queueing::streams_rate, module)?)?;
    module.add_class::<integrity::Ledger>()?;
    module.add_function(wrap_pyfunction!(integrity::verify, module)?)?;
    module.add_function(wrap_pyfunction!(lines::toml_lines, module)?)?;
    module.add_function(wrap_pyfunction!(engines, module)?)?;
    module.add_function(wrap_pyfunction!(available_memory, module)?)?;
    module.add_function(wrap_pyfunction!(build, module)?)
}
