//! Between which values the rate of a closed network lies, whatever happens inside.
//!
//! Asymptotic bounds: Muntz, Wong, Asymptotic properties of closed queueing network models, 1974. Balanced-job
//! bounds: Zahorjan, Sevcik, Eager, Galler, Balanced job bound analysis of queueing networks, CACM 25, 1982; the
//! form with think time: Lazowska, Zahorjan, Graham, Sevcik, Quantitative System Performance, 1984, table 5.2.

use serde::Serialize;

use crate::network::{Law, Network, Station};

/// Bounds of the rate in rounds per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// At most this, whatever the distributions: min(N / (Z + D), 1 / D of the bottleneck, with N present at the most).
    pub upper_s: f64,
    /// At least this, where each waits for all others everywhere: N / (Z + N D). None where visits run side by
    /// side.
    pub lower_s: Option<f64>,
    /// At most this with exponential service at single servers; none where stations are others.
    pub balanced_upper_s: Option<f64>,
    /// At least this with exponential service at single servers; none where stations are others.
    pub balanced_lower_s: Option<f64>,
}

/// Bounds of the rate with so many customers.
pub fn bounds(network: &Network, customers: usize) -> Bounds {
    let upper_s = upper(network, customers);
    let balanced = Balanced::of(network).map(|balanced| balanced.bounds(customers as f64, upper_s));
    Bounds {
        upper_s,
        lower_s: lower(network, customers as f64),
        balanced_upper_s: balanced.map(|(_, most)| most),
        balanced_lower_s: balanced.map(|(least, _)| least),
    }
}

/// The asymptotic bound: more cannot be.
pub fn upper(network: &Network, customers: usize) -> f64 {
    let alone = customers as f64 / (network.think_s + network.shortest_s());
    network
        .limit(customers)
        .map_or(alone, |(_, least_s)| alone.min(1.0 / least_s))
}

fn lower(network: &Network, customers: f64) -> Option<f64> {
    let behind_all = |station: &Station| {
        let each = match &station.law {
            Law::Delay => return Some(station.visits * station.service_s),
            Law::Servers(_) => station.service_s,
            Law::Rates(rates) => 1.0 / rates.iter().copied().fold(f64::INFINITY, f64::min),
        };
        station.is_plain().then_some(station.visits * each * customers)
    };
    let longest: Option<f64> = network.stations.iter().map(behind_all).sum();
    Some(customers / (network.think_s + longest?))
}

/// Demands of a network of single servers and delays.
struct Balanced {
    think_s: f64,
    total_s: f64,
    mean_s: f64,
    most_s: f64,
}

impl Balanced {
    fn of(network: &Network) -> Option<Self> {
        let mut think_s = network.think_s;
        let (mut total_s, mut most_s, mut servers) = (0.0, 0.0_f64, 0.0);
        for station in &network.stations {
            match station.law {
                Law::Delay if station.is_plain() => think_s += station.visits * station.service_s,
                Law::Servers(1) if station.is_plain() => {
                    total_s += station.visits * station.service_s;
                    most_s = most_s.max(station.visits_each() * station.service_s);
                    servers += station.copies as f64;
                }
                _ => return None,
            }
        }
        let mean_s = total_s / servers;
        (total_s > 0.0).then_some(Self {
            think_s,
            total_s,
            mean_s,
            most_s,
        })
    }

    fn bounds(&self, customers: f64, upper_s: f64) -> (f64, f64) {
        let others = customers - 1.0;
        let alone = self.think_s + self.total_s;
        let least = 1.0 + self.think_s / (customers * self.total_s);
        let most = 1.0 + self.think_s / self.total_s;
        let lower = customers / (alone + others * self.most_s / least);
        let upper = customers / (alone + others * self.mean_s / most);
        (lower, upper.min(upper_s))
    }
}
