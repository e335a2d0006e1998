//! Networks against line-solver, whose values are kept in tests/theory/line_solver.json.

use iodyno_queueing::network::Network;
use iodyno_queueing::solution::Solution;
use iodyno_queueing::{exact, mva};
use serde::Deserialize;

#[derive(Deserialize)]
struct Values {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    network: Network,
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    customers: usize,
    rate_s: f64,
    mean_queues: Vec<f64>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../tests/theory/line_solver.json");
    let values: Values = serde_json::from_str(text).expect("values as the script writes them");
    values.cases
}

/// Largest relative error of the rate, and of a mean queue as a share of all customers.
fn errors(case: &Case, solutions: &[Solution]) -> (f64, f64) {
    let (mut rate, mut queue) = (0.0_f64, 0.0_f64);
    for (answer, solution) in case.answers.iter().zip(solutions) {
        rate = rate.max((solution.rate_s / answer.rate_s - 1.0).abs());
        for (expected, station) in answer.mean_queues.iter().zip(&solution.stations) {
            queue = queue.max((station.mean_queue - expected).abs() / answer.customers as f64);
        }
    }
    (rate, queue)
}

fn exponential(case: &Case) -> bool {
    case.network
        .stations
        .iter()
        .all(|station| station.service_scv == 1.0)
}

fn customers(case: &Case) -> Vec<usize> {
    case.answers.iter().map(|answer| answer.customers).collect()
}

#[test]
fn exponential_networks_are_exact() {
    for case in cases().iter().filter(|case| exponential(case)) {
        let (rate, queue) = errors(case, &exact::solve(&case.network, &customers(case)));
        assert!(rate < 1e-8 && queue < 1e-8, "{}: {rate:e} {queue:e}", case.name);
        let (rate, queue) = errors(case, &mva::solve(&case.network, &customers(case)));
        assert!(rate < 1e-8 && queue < 1e-8, "{}: {rate:e} {queue:e}", case.name);
    }
}

#[test]
fn the_residual_life_correction_is_close() {
    for case in cases().iter().filter(|case| !exponential(case)) {
        let (corrected, _) = errors(case, &mva::solve(&case.network, &customers(case)));
        let (plain, _) = errors(case, &exact::solve(&case.network, &customers(case)));
        println!("{}: {corrected:.4} corrected, {plain:.4} exponential", case.name);
        if case.network.stations[0].service_scv < 1.0 {
            assert!(
                corrected < 0.035 && corrected < 0.75 * plain,
                "{}: {corrected}",
                case.name
            );
        } else {
            // Service that varies more than exponential: no better than without, and said so.
            assert!(corrected < 0.09, "{}: {corrected}", case.name);
        }
    }
}
