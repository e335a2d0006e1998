//! What comes out: a network at one number of customers.

use serde::Serialize;

use crate::bounds::Bounds;

/// A network with so many customers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solution {
    /// Customers.
    pub customers: usize,
    /// Rounds completed per second.
    pub rate_s: f64,
    /// Mean time of a round in s, without thinking.
    pub residence_s: f64,
    /// Index of the station with the largest utilisation; none where nobody waits anywhere.
    pub bottleneck: Option<usize>,
    /// Every station, in the order of the network.
    pub stations: Vec<StationSolution>,
    /// Between which the rate lies.
    pub bounds: Bounds,
}

/// A station of a solved network.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StationSolution {
    /// Its name.
    pub name: String,
    /// Copies.
    pub copies: usize,
    /// Busy share of the servers, 0 to 1; at a delay 0. With rates: share of the best rate that is used.
    pub utilisation: f64,
    /// Share of the time in which a server works, 0 to 1: with rates somebody is there, at whatever rate; else the
    /// utilisation.
    pub busy: f64,
    /// Mean number waiting and in service, all copies together.
    pub mean_queue: f64,
    /// What it adds to the time of a round in s.
    pub residence_s: f64,
}

/// Index of the largest utilisation, the first of equals; none where all are 0.
pub(crate) fn busiest(stations: &[StationSolution]) -> Option<usize> {
    let shares = stations.iter().map(|station| station.utilisation).enumerate();
    let most = shares.fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most });
    (most.1 > 0.0).then_some(most.0)
}
