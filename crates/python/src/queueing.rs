//! Closed networks for Python: a network goes in as JSON, and its solutions come out.

use iodyno_queueing::network::Network;
use iodyno_queueing::streams::Streams;
use iodyno_queueing::{array, exact, mva};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Solve a closed queueing network.
///
/// Parameters
/// ----------
/// network
///     JSON of an ``iodyno.prediction.ClosedNetwork``.
/// customers
///     Numbers of customers, each 1 or more.
/// method
///     ``corrected``: mean-value analysis with the residual-life correction; ``exact``: convolution,
///     for exponential service.
///
/// Returns
/// -------
/// str
///     JSON: a list of an ``iodyno.prediction.Solution`` for each number, ascending.
///
/// Raises
/// ------
/// ValueError
///     If the JSON is no network, or the network cannot be solved so: every reason, one a line.
#[pyfunction]
pub(crate) fn solve_network(
    py: Python<'_>,
    network: &str,
    mut customers: Vec<usize>,
    method: &str,
) -> PyResult<String> {
    let network: Network = serde_json::from_str(network)
        .map_err(|error| PyValueError::new_err(format!("no network: {error}")))?;
    let (problems, solve): (fn(&Network) -> _, fn(&_, &_) -> _) = match method {
        "corrected" => (Network::problems, mva::solve),
        "exact" => (exact::problems, exact::solve),
        other => return Err(PyValueError::new_err(format!("no method {other}"))),
    };
    let mut problems: Vec<String> = problems(&network);
    if customers.contains(&0) {
        problems.push("0 customers: give 1 or more".to_owned());
    }
    if !problems.is_empty() {
        return Err(PyValueError::new_err(problems.join("\n")));
    }
    customers.sort_unstable();
    let solutions = py.detach(|| solve(&network.reckoned(), &customers));
    Ok(serde_json::to_string(&solutions).expect("a solution is JSON"))
}

/// Reckon streams in order on a hard disk command by command.
///
/// Parameters
/// ----------
/// streams
///     JSON of an ``iodyno.prediction.records.DiskStreams``.
///
/// Returns
/// -------
/// float
///     Commands answered per second.
///
/// Raises
/// ------
/// ValueError
///     If the JSON is no streams, or they cannot be reckoned.
#[pyfunction]
pub(crate) fn streams_rate(py: Python<'_>, streams: &str) -> PyResult<f64> {
    let streams: Streams = serde_json::from_str(streams)
        .map_err(|error| PyValueError::new_err(format!("no streams: {error}")))?;
    if let Some(problem) = streams.problem() {
        return Err(PyValueError::new_err(problem));
    }
    Ok(py.detach(|| streams.rate_s()))
}

/// Make the network of an array from one drive's curve.
///
/// Parameters
/// ----------
/// curve
///     Outstanding I/Os and rate a second of the drive alone, ascending from 1 on.
/// drives
///     How many, 1 or more.
/// level
///     RAID level: ``JBOD``, ``0``, ``1``, ``1E``, ``10``, ``5``, ``50``, ``6`` or ``60``.
/// read_share
///     Share of reads, 0 to 1.
///
/// Returns
/// -------
/// str
///     JSON of an ``iodyno.prediction.ClosedNetwork``.
///
/// Raises
/// ------
/// ValueError
///     With everything that is wrong, one a line.
#[pyfunction]
pub(crate) fn array_network(
    curve: Vec<(usize, f64)>,
    drives: usize,
    level: &str,
    read_share: f64,
) -> PyResult<String> {
    let mut problems = array::problems(&curve);
    if drives == 0 {
        problems.push("0 drives: give 1 or more".to_owned());
    }
    if !(0.0..=1.0).contains(&read_share) {
        problems.push(format!("{read_share} is no share of reads: 0 to 1"));
    }
    let operations = array::Operations::of(level);
    if operations.is_none() {
        problems.push(format!(
            "there is no level {level}: JBOD, 0, 1, 1E, 10, 5, 50, 6 or 60"
        ));
    }
    let Some(operations) = operations.filter(|_| problems.is_empty()) else {
        return Err(PyValueError::new_err(problems.join("\n")));
    };
    let network = array::array(array::curve(&curve), drives, operations.mean(read_share));
    Ok(serde_json::to_string(&network).expect("a network is JSON"))
}
