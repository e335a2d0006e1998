//! Closed networks for Python: a network goes in as JSON, and its solutions come out.

use iodyno_queueing::network::Network;
use iodyno_queueing::{exact, mva};
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
    let (problems, solve): (fn(&_) -> _, fn(&_, &_) -> _) = match method {
        "corrected" => (mva::problems, mva::solve),
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
    let solutions = py.detach(|| solve(&network, &customers));
    Ok(serde_json::to_string(&solutions).expect("a solution is JSON"))
}
