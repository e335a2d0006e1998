//! Exact solution by convolution of a network with exponential service (Buzen, Computational algorithms for
//! closed queueing networks with exponential servers, CACM 16, 1973). All terms are positive and kept as
//! logarithms: nothing cancels, nothing overflows, however many servers or however steep the rates.

use crate::bounds::bounds;
use crate::network::{Law, Network, Station};
use crate::solution::{Solution, StationSolution, busiest};

/// What keeps this method from solving a network; empty where nothing does.
pub fn problems(network: &Network) -> Vec<String> {
    let mut problems = network.problems();
    if network.regular {
        problems.push("customers that keep step have no exact solution".to_owned());
    }
    for station in network.stations.iter().filter(|station| !station.is_plain()) {
        problems.push(format!(
            "{}: visits side by side, in the background or to the idlest copy have no exact solution",
            station.name
        ));
    }
    problems
}

/// Solve a network for numbers of customers, each 1 or more. Service is taken as exponential.
///
/// `problems` of the network are none. Takes the square of the most customers for each station that
/// is neither a delay nor a single server.
pub fn solve(network: &Network, customers: &[usize]) -> Vec<Solution> {
    let most = customers.iter().copied().max().unwrap_or(0);
    let stations: Vec<Constants> = network
        .stations
        .iter()
        .map(|station| Constants::new(station, most))
        .collect();
    let whole = together(network, &stations, None, most);
    let rests: Vec<Option<Vec<f64>>> = (0..stations.len())
        .map(|at| {
            stations[at]
                .terms
                .is_some()
                .then(|| together(network, &stations, Some(at), most))
        })
        .collect();
    let solve_one = |&present: &usize| {
        let rate = (whole[present - 1] - whole[present]).exp();
        let solved = stations.iter().zip(&rests).map(|(constants, rest)| {
            let queue = constants.queue(&whole, rest.as_deref(), present, rate);
            let busy = constants.busy(&whole, rest.as_deref(), present);
            constants.solution(queue, rate, busy)
        });
        let solved: Vec<StationSolution> = solved.collect();
        Solution {
            customers: present,
            rate_s: rate,
            // Little, station by station: what think time leaves of N / rate has few digits.
            residence_s: solved.iter().map(|station| station.residence_s).sum(),
            bottleneck: busiest(&solved),
            stations: solved,
            bounds: bounds(network, present),
        }
    };
    customers.iter().map(solve_one).collect()
}

/// Logarithms of the normalising constants for 0, 1, 2 … customers, without one copy of a station.
fn together(network: &Network, stations: &[Constants<'_>], without: Option<usize>, most: usize) -> Vec<f64> {
    let delays = stations
        .iter()
        .filter(|constants| constants.station.law == Law::Delay);
    let delay: f64 = network.think_s + delays.map(Constants::demand_s).sum::<f64>();
    let mut sums = delay_terms(delay, most);
    for (at, constants) in stations.iter().enumerate() {
        let copies = constants.station.copies - usize::from(without == Some(at));
        constants.join(&mut sums, copies);
    }
    sums
}

fn delay_terms(delay: f64, most: usize) -> Vec<f64> {
    let mut terms = vec![0.0];
    for present in 1..=most {
        terms.push(terms[present - 1] + (delay / present as f64).ln());
    }
    terms
}

struct Constants<'a> {
    station: &'a Station,
    /// Logarithms of the terms for 0, 1, 2 … at a copy, where it is neither a delay nor a single server.
    terms: Option<Vec<f64>>,
}

impl<'a> Constants<'a> {
    fn new(station: &'a Station, most: usize) -> Self {
        let seconds = |present: usize| match &station.law {
            Law::Servers(servers) => station.service_s / present.min(*servers) as f64,
            Law::Rates(rates) => 1.0 / rates[present.min(rates.len()) - 1],
            Law::Delay => unreachable!("delays have no terms of their own"),
        };
        let simple = matches!(station.law, Law::Delay | Law::Servers(1));
        let terms = || {
            let mut terms = vec![0.0];
            for present in 1..=most {
                terms.push(terms[present - 1] + (station.visits_each() * seconds(present)).ln());
            }
            terms
        };
        Self {
            station,
            terms: (!simple).then(terms),
        }
    }

    /// Demand of a round on all copies in s.
    fn demand_s(&self) -> f64 {
        self.station.visits * self.station.service_s
    }

    fn demand_each_s(&self) -> f64 {
        self.station.visits_each() * self.station.service_s
    }

    /// Take so many copies into the constants.
    fn join(&self, sums: &mut Vec<f64>, copies: usize) {
        match (&self.station.law, &self.terms) {
            (Law::Delay, _) => {}
            (_, Some(terms)) => {
                if let Some(all) = power(terms, copies) {
                    *sums = convolve(sums, &all);
                }
            }
            (_, None) => {
                let demand = self.demand_each_s().ln();
                for _ in 0..copies {
                    for present in 1..sums.len() {
                        sums[present] = add(sums[present], sums[present - 1] + demand);
                    }
                }
            }
        }
    }

    /// Mean number at all copies.
    fn queue(&self, whole: &[f64], rest: Option<&[f64]>, present: usize, rate: f64) -> f64 {
        let copies = self.station.copies as f64;
        match (&self.station.law, &self.terms, rest) {
            (Law::Delay, ..) => rate * self.demand_s(),
            (_, Some(terms), Some(rest)) => {
                let share = |at: usize| at as f64 * (terms[at] + rest[present - at] - whole[present]).exp();
                copies * (1..=present).map(share).sum::<f64>()
            }
            _ => {
                let demand = self.demand_each_s().ln();
                let at_least = |at: usize| (at as f64 * demand + whole[present - at] - whole[present]).exp();
                copies * (1..=present).map(at_least).sum::<f64>()
            }
        }
    }

    /// Share of the time with somebody at a copy whose rate hangs on how many are there; none of others.
    fn busy(&self, whole: &[f64], rest: Option<&[f64]>, present: usize) -> Option<f64> {
        let (Law::Rates(_), Some(terms), Some(rest)) = (&self.station.law, &self.terms, rest) else {
            return None;
        };
        let share = |at: usize| (terms[at] + rest[present - at] - whole[present]).exp();
        Some((1..=present).map(share).sum())
    }

    fn solution(&self, queue: f64, rate: f64, busy: Option<f64>) -> StationSolution {
        let utilisation = rate * self.station.least_s();
        StationSolution {
            name: self.station.name.clone(),
            copies: self.station.copies,
            utilisation,
            busy: busy.unwrap_or(utilisation),
            mean_queue: queue,
            residence_s: queue / rate,
        }
    }
}

/// ln(e^a + e^b).
fn add(a: f64, b: f64) -> f64 {
    let (least, most) = if a < b { (a, b) } else { (b, a) };
    if least == f64::NEG_INFINITY {
        return most;
    }
    most + (least - most).exp().ln_1p()
}

fn convolve(a: &[f64], b: &[f64]) -> Vec<f64> {
    let sum = |present: usize| {
        let terms = || (0..=present).map(|at| a[at] + b[present - at]);
        let most = terms().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return most;
        }
        most + terms().map(|term| (term - most).exp()).sum::<f64>().ln()
    };
    (0..a.len()).map(sum).collect()
}

/// The terms of so many equal stations, by squaring; none of none.
fn power(terms: &[f64], copies: usize) -> Option<Vec<f64>> {
    if copies < 2 {
        return (copies == 1).then(|| terms.to_vec());
    }
    let half = power(terms, copies / 2)?;
    let even = convolve(&half, &half);
    Some(if copies % 2 == 1 {
        convolve(&even, terms)
    } else {
        even
    })
}
