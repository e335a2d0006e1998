//! How many are at one of several equal stations: of a network in which all service is exponential.
//!
//! With N customers a copy has n present for a(n) · W(N − n) / G(N) of the time: a(n) is the product of what a visit
//! takes with 1 to n present, W and G are the normalising constants without the copy and with it (Buzen, CACM 16,
//! 1973). No term is taken off another, so none loses its digits, as what is left of 1 does in mean-value analysis
//! where a copy is hardly ever idle. A copy that has one rate from J present on is a polynomial of J terms and a
//! geometric series: it costs J times as much as there are customers, and not their square.

use crate::network::{Law, Network, Station};
use crate::series::Series;

/// Most that rates may fall to the last, as the sum of ln(rate / last): beyond, most of the geometric series would be
/// taken off again, and all terms are summed.
const LARGEST_FALL: f64 = 6.0;
/// Most terms that are summed, and most customers: beyond, so much less of both customers and think time is taken.
const MOST_TERMS: f64 = 3e7;
/// So many times as many terms where rates fall: customers gather at one copy then, and fewer of them tell less of more.
const MORE_WHERE_RATES_FALL: f64 = 10.0;
const MOST_CUSTOMERS: f64 = 1e5;
/// So many times as many customers are reckoned with: more of them may be at a station than with exponential service.
const MORE: f64 = 1.25;
/// Share by which a mean differs from that of the product form by rounding alone.
const ROUNDED: f64 = 1e-9;
/// Most visits side by side that make more customers of one.
const MOST_AT_ONCE: f64 = 64.0;

/// How many are at a copy of a station.
pub(crate) struct Present {
    terms: Series,
    without: Series,
    with: Series,
    /// How many on average with 0, 1, 2 … customers; of servers how many are busy.
    means: Vec<f64>,
    /// Whether none of them is less than the one before: where rates fall, customers can gather elsewhere.
    ascending: bool,
}

impl Present {
    /// For each station whose rate hangs on how many are present, with up to so many customers; none for others.
    pub(crate) fn of(network: &Network, customers: usize) -> Vec<Option<Self>> {
        let mut found: Vec<Option<Self>> = network.stations.iter().map(|_| None).collect();
        let (those, others): (Vec<usize>, Vec<usize>) =
            (0..found.len()).partition(|&at| network.stations[at].kinds() > 1);
        if those.is_empty() || network.regular {
            return found;
        }
        let of = |at: &usize| &network.stations[*at];
        let spread = those.iter().map(|at| of(at).spread()).fold(1.0, f64::max);
        let wanted = (customers as f64 * spread * MORE).ceil() + 8.0;
        let most = wanted.min(affordable(network, wanted)).max(1.0);
        let mut rest = thinking(network, spread * most / wanted, most as usize);
        for station in others.iter().map(of) {
            rest = station.joined_to(rest);
        }
        let copies: Vec<Copy> = those.iter().map(|at| Copy::new(of(at), most as usize)).collect();
        for ((at, copy), without) in those.iter().zip(&copies).zip(each_without_one(&copies, rest)) {
            found[*at] = Some(copy.among(without));
        }
        found
    }

    /// Shares of the time with 0, 1, 2 … present, so many of them, where so many of the customers are there on average,
    /// or busy.
    pub(crate) fn shares(&self, count: usize, mean: f64, customers: usize) -> Vec<f64> {
        let mut shares = vec![0.0; count];
        let mut add = |customers: usize, weight: f64| {
            for (present, share) in (0..=customers).zip(&mut shares) {
                let others = (&self.without, customers - present);
                *share += weight * self.terms.product_share(present, others, (&self.with, customers));
            }
        };
        let (to, part) = self.place(mean, customers);
        if part < 1.0 {
            add(to - 1, 1.0 - part);
        }
        add(to, part);
        shares
    }

    /// With how many customers the product form has such a mean: with one fewer, and with these for the part that is told.
    /// Where means fall, several have it: those nearest to the customers that there are.
    fn place(&self, mean: f64, customers: usize) -> (usize, f64) {
        let last = self.means.len() - 1;
        let here = customers.min(last);
        let to = if self.ascending {
            self.means.partition_point(|&one| one < mean)
        } else if (self.means[here] - mean).abs() <= ROUNDED * mean {
            return (here, 1.0);
        } else {
            let passes = |to: usize| {
                let (one, other) = (self.means[to - 1], self.means[to]);
                one.min(other) <= mean && mean <= one.max(other)
            };
            let outwards = (0..=last).flat_map(|far| [here.wrapping_sub(far), here + far]);
            let near = outwards.filter(|to| (1..=last).contains(to));
            near.into_iter().find(|&to| passes(to)).unwrap_or(here)
        };
        if to == 0 || to > last {
            return (to.min(last), 1.0);
        }
        let (low, high) = (self.means[to - 1], self.means[to]);
        (to, ((mean - low) / (high - low)).clamp(0.0, 1.0))
    }
}

impl Station {
    /// From how many present on the rate stays; 0 where nobody waits.
    fn kinds(&self) -> usize {
        match &self.law {
            Law::Delay => 0,
            Law::Servers(servers) => *servers,
            Law::Rates(rates) => rates.len(),
        }
    }

    /// What each copy adds to a round with so many present, in s.
    fn demand_s(&self, present: usize) -> f64 {
        let seconds = match &self.law {
            Law::Delay => 0.0,
            Law::Servers(servers) => self.service_s / present.min(*servers) as f64,
            Law::Rates(rates) => 1.0 / rates[present.min(rates.len()) - 1],
        };
        self.visits_each() * seconds
    }

    /// Visits that a customer has under way at once, if they are side by side.
    fn spread(&self) -> f64 {
        let spread = self.visits / self.series();
        let spread = if spread.is_finite() { spread } else { self.parallel };
        spread.clamp(1.0, MOST_AT_ONCE)
    }

    /// Whether the rates fall so far that no geometric series is taken out of the terms.
    fn falls(&self) -> bool {
        let last = self.demand_s(self.kinds());
        let falls = (1..=self.kinds()).map(|present| (last / self.demand_s(present)).ln());
        falls.sum::<f64>() > LARGEST_FALL
    }

    /// Take all copies of a single server, or of a delay, into the constants.
    fn joined_to(&self, rest: Series) -> Series {
        let demand = if self.kinds() > 0 { self.demand_s(1) } else { 0.0 };
        if demand == 0.0 {
            return rest;
        }
        if self.copies > rest.len() {
            // (1 − d z)^−copies by the binomial series.
            let grows = |at: usize| demand * (self.copies + at - 1) as f64 / at as f64;
            return rest.by(&Series::growing((1..rest.len()).map(grows)));
        }
        (0..self.copies).fold(rest, |rest, _| rest.carried(demand))
    }
}

/// The constants of think time and delays, with so much of them.
fn thinking(network: &Network, much: f64, customers: usize) -> Series {
    let delays = network
        .stations
        .iter()
        .filter(|station| station.law == Law::Delay);
    let delay = network.think_s
        + delays
            .map(|station| station.visits * station.service_s)
            .sum::<f64>();
    Series::growing((1..=customers).map(|present| much * delay / present as f64))
}

/// How many customers the terms suffice for, of so many.
fn affordable(network: &Network, customers: f64) -> f64 {
    let each = |station: &Station| match station.kinds() {
        0 => 0.0,
        1 => (station.copies as f64).min(customers),
        _ if station.falls() => station.copies as f64 * customers,
        kinds => station.copies as f64 * (kinds as f64).min(customers),
    };
    let terms: f64 = network.stations.iter().map(each).sum();
    let halvings = (network.stations.len() as f64).log2() + 1.0;
    let falls = network
        .stations
        .iter()
        .any(|station| station.kinds() > 1 && station.falls());
    let most = MOST_TERMS * if falls { MORE_WHERE_RATES_FALL } else { 1.0 };
    (most / (terms * halvings)).min(MOST_CUSTOMERS).floor()
}

/// A station's copies, each as a polynomial and a geometric series, if that is taken out of the terms.
struct Copy {
    copies: usize,
    terms: Series,
    polynomial: Series,
    last_s: Option<f64>,
    /// What keeps a server busy, where that is what is asked for.
    busy_s: Option<f64>,
}

impl Copy {
    fn new(station: &Station, customers: usize) -> Self {
        let busy_s = matches!(station.law, Law::Servers(_)).then(|| station.demand_s(1));
        let demands = |most: usize| (1..=most).map(|present| station.demand_s(present));
        let (copies, terms) = (station.copies, Series::growing(demands(customers)));
        if station.falls() {
            let polynomial = terms.clone();
            return Self {
                copies,
                terms,
                polynomial,
                last_s: None,
                busy_s,
            };
        }
        // (1 − d z) · Σ a(n) zⁿ has a(n) − d · a(n − 1) = a(n − 1) · (demand with n − d), 0 from where it is d on.
        let last = station.demand_s(station.kinds());
        let few = Series::growing(demands(customers.min(station.kinds() - 1)));
        let polynomial = few.after(1.0).times(|present| match present {
            0 => 1.0,
            _ => station.demand_s(present) - last,
        });
        Self {
            copies,
            terms,
            polynomial,
            last_s: Some(last),
            busy_s,
        }
    }

    /// Take one copy into constants.
    fn joined_to(&self, rest: &Series) -> Series {
        self.carried(rest.by(&self.polynomial))
    }

    fn carried(&self, series: Series) -> Series {
        self.last_s
            .map_or_else(|| series.clone(), |last| series.carried(last))
    }

    fn all_joined_to(&self, rest: Series, copies: usize) -> Series {
        (0..copies).fold(rest, |rest, _| self.joined_to(&rest))
    }

    /// One copy, where the constants are those without it.
    fn among(&self, without: Series) -> Present {
        let with = self.joined_to(&without);
        let sums = match self.busy_s {
            Some(busy) => with.after(0.0).times(|_| busy),
            None => self.weighted(&without, &with),
        };
        let means: Vec<f64> = (0..with.len())
            .map(|customers| sums.share(customers, (&with, customers)))
            .collect();
        Present {
            ascending: means.is_sorted(),
            means,
            terms: self.terms.clone(),
            without,
            with,
        }
    }

    /// Σ n a(n) zⁿ in the place of its terms: from the derivative of both factors.
    fn weighted(&self, without: &Series, with: &Series) -> Series {
        let weighted = without.by(&self.polynomial.times(|present| present as f64));
        self.carried(match self.last_s {
            Some(last) => weighted.plus(&with.after(0.0).times(|_| last)),
            None => weighted,
        })
    }
}

/// For each the constants of the rest and all copies but one of its own: by halves, so that little is done twice.
fn each_without_one(copies: &[Copy], rest: Series) -> Vec<Series> {
    if let [only] = copies {
        return vec![only.all_joined_to(rest, only.copies - 1)];
    }
    let (left, right) = copies.split_at(copies.len() / 2);
    let with = |those: &[Copy]| {
        those
            .iter()
            .fold(rest.clone(), |rest, one| one.all_joined_to(rest, one.copies))
    };
    let mut found = each_without_one(left, with(right));
    found.extend(each_without_one(right, with(left)));
    found
}
