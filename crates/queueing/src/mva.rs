//! Mean-value analysis, from one customer upwards: what a customer finds on arrival is the network with one
//! customer fewer (Reiser, Lavenberg, Mean-value analysis of closed multichain queueing networks, JACM 27, 1980).
//!
//! Exact for delays, servers and rates with exponential service, however many servers and however steep the rates:
//! how often so many are at a station is not reckoned from one customer fewer, which loses all digits, but told by
//! the product form (`present.rs`). For other service times a visit that finds a server busy waits for the residual
//! service, not for a whole one:
//! `R = s (1 + Q − U + U (1 + c²) / 2)`. Checked against Markov chains this is within 3 % where service varies
//! less than exponential (4 to 16 % without the correction), with constant service and few customers up to 8.5 % high; where it
//! varies more, 8 %. How often so many are there is then
//! that of exponential service with as many there on average, or as many servers busy. No rate above the asymptotic bound is given: what the
//! bottleneck holds back is waited for there.

use crate::bounds::{bounds, upper};
use crate::meeting::{Behind, Found, latest};
use crate::network::{Law, Network, Station};
use crate::present::Present;
use crate::solution::{Solution, StationSolution, busiest};

/// From how many on a harmonic number is taken from its asymptotic series, whose next term is below 1e-11.
const ASYMPTOTIC: f64 = 1e5;
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;

/// Rounds, at most, in which the work in the background and the rate that it leads to come together, and how near.
const BACKGROUND_ROUNDS: usize = 60;
const TOGETHER: f64 = 1e-9;

/// Solve a network for numbers of customers, ascending, each 1 or more.
///
/// One recursion answers all of them. [`Network::problems`] are none.
pub fn solve(network: &Network, customers: &[usize]) -> Vec<Solution> {
    let most = customers.last().copied().unwrap_or(0);
    let mut visits: Vec<Visits> = network
        .stations
        .iter()
        .zip(Present::of(network, most))
        .map(|(station, among)| Visits::new(station, among, network.regular))
        .collect();
    let mut solutions = Vec::with_capacity(customers.len());
    let mut wanted = customers.iter().copied().peekable();
    for present in 1..=most {
        let rate = step(network, &mut visits, present);
        while wanted.next_if_eq(&present).is_some() {
            solutions.push(solution(network, &visits, present, rate));
        }
    }
    solutions
}

/// Go on by one customer; gives the rate.
fn step(network: &Network, visits: &mut [Visits<'_>], present: usize) -> f64 {
    let (customers, most) = (present as f64, upper(network, present));
    let free = if network.stations.iter().any(|station| station.background_s > 0.0) {
        with_background(network, visits, customers, most)
    } else {
        alone(network, visits, customers)
    };
    let rate = free.min(most);
    if let (true, Some((limit, _))) = (rate < free, network.limit(present)) {
        visits[limit].hold_back(customers / rate - customers / free);
    }
    for at in visits.iter_mut() {
        at.settle(rate, present);
    }
    rate
}

/// The same where work is done in the background: that of all customers, a lone one's own included. The more of it there is, the
/// fewer rounds are left, so that one rate alone leads to itself, or the most that can be is not too much. It is found between
/// two by a straight line, of which the end that stays counts half (the Illinois method).
fn with_background(network: &Network, visits: &mut [Visits<'_>], customers: f64, most: f64) -> f64 {
    let mut led_to = |rate: f64| {
        visits.iter_mut().for_each(|at| at.work_behind(rate));
        alone(network, visits, customers)
    };
    let free = led_to(most);
    if free >= most {
        return free;
    }
    let (mut low, mut high) = ((0.0, led_to(0.0)), (most, free - most));
    let (mut rate, mut before) = (most, None);
    for _ in 0..BACKGROUND_ROUNDS {
        rate = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let more = led_to(rate) - rate;
        if more.abs() <= TOGETHER * rate {
            break;
        }
        let stays = if more > 0.0 {
            low = (rate, more);
            &mut high
        } else {
            high = (rate, more);
            &mut low
        };
        if before.replace(more > 0.0) == Some(more > 0.0) {
            stays.1 /= 2.0;
        }
    }
    rate
}

/// The rate if nothing limited it but what a customer finds.
fn alone(network: &Network, visits: &mut [Visits<'_>], customers: f64) -> f64 {
    visits.iter_mut().for_each(|at| at.arrive(customers - 1.0));
    let round: f64 = visits.iter().map(|at| at.residence_s).sum();
    customers / (network.think_s + round)
}

fn solution(network: &Network, visits: &[Visits<'_>], customers: usize, rate: f64) -> Solution {
    let stations: Vec<StationSolution> = visits.iter().map(|at| at.solution(rate)).collect();
    Solution {
        customers,
        rate_s: rate,
        residence_s: visits.iter().map(|at| at.residence_s).sum(),
        bottleneck: busiest(&stations),
        stations,
        bounds: bounds(network, customers),
    }
}

/// A copy of a station as the recursion goes on.
struct Visits<'a> {
    station: &'a Station,
    /// Time of a visit in s.
    visit_s: f64,
    /// What the station adds to a round in s.
    residence_s: f64,
    /// Mean number at the copy.
    queue: f64,
    /// Mean number of busy servers of the copy, by visits alone.
    busy: f64,
    /// Share of the time that it works in the background.
    background: f64,
    /// Probabilities of 0, 1, 2 … at the copy: as many as there are servers, or rates; and where they come from,
    /// unless there is one.
    present: Vec<f64>,
    among: Option<Present>,
    /// With rates: share of the time in which somebody is at the copy.
    visited: f64,
    /// With rates: time of a visit by them.
    by_rates_s: f64,
    harmonic: f64,
    /// What a visit finds, as a share of what is there on average.
    there: f64,
    /// Whether visits never meet.
    regular: bool,
}

impl<'a> Visits<'a> {
    fn new(station: &'a Station, among: Option<Present>, regular: bool) -> Self {
        Self {
            station,
            visit_s: 0.0,
            residence_s: 0.0,
            queue: 0.0,
            busy: 0.0,
            background: 0.0,
            present: vec![1.0],
            among,
            visited: 0.0,
            by_rates_s: 0.0,
            harmonic: harmonic(station.apart.unwrap_or(station.parallel)),
            there: 1.0,
            regular,
        }
    }

    /// Find the network with one customer fewer: so many others.
    fn arrive(&mut self, others: f64) {
        self.there = self.station.fewest.map_or(1.0, |fewest| fewest.share(others));
        let in_turn = match &self.station.law {
            _ if self.regular => self.station.alone_s(),
            Law::Delay => self.station.service_s,
            Law::Servers(servers) => self.behind_servers(*servers as f64),
            Law::Rates(rates) => {
                self.by_rates_s = self.at_rates(rates, others);
                self.beside_background_s(rates)
            }
        };
        self.visit_s = in_turn + self.met_s() + self.found_behind_s();
        self.residence_s = self.station.series() * (self.pass_s(in_turn) + self.station.longer_s());
    }

    /// Time of visits side by side: the last of them counts. What varies in a visit is taken as exponential;
    /// of the visits, as many wait as find somebody there.
    fn pass_s(&self, in_turn: f64) -> f64 {
        let (alone, parallel) = (self.station.alone_s(), self.station.parallel);
        if parallel == 1.0 {
            return self.visit_s;
        }
        let spread = self.station.service_scv.sqrt() * (self.harmonic - 1.0);
        if self.station.meeting > 0.0 && alone > 0.0 {
            let latest = latest(parallel, self.station.meeting, self.found());
            return alone * (latest + spread);
        }
        let share = self.waiting_share();
        let apart = self.station.apart();
        let longest = if share > 0.0 {
            harmonic(apart * share) / share
        } else {
            apart
        };
        alone * (1.0 + spread) + (in_turn - alone) * longest + self.longest_interruption()
    }

    /// Time of a visit by rates beside the work in the background. Of work that is always there each visit gives its share, as
    /// what is served next is chosen of all. Other work waits in turn with the visits: they wait for it as it comes in, and are
    /// served without it.
    fn beside_background_s(&self, rates: &[f64]) -> f64 {
        let left = self.left();
        if self.station.background_wait_s == 0.0 {
            return self.by_rates_s / left;
        }
        let few = self.present.iter().zip(1_usize..);
        let few_s: f64 = few
            .map(|(share, present)| share / rate_with(rates, present))
            .sum();
        let own_s = (few_s + self.or_more() / rates[rates.len() - 1]).min(self.by_rates_s);
        own_s + (self.by_rates_s - own_s) / left
    }

    /// Mean wait for work in the background that a visit finds in service; with rates for what comes meanwhile too.
    fn found_behind_s(&self) -> f64 {
        let found_s = self.background * self.station.background_wait_s;
        match self.station.law {
            Law::Rates(_) => found_s / self.left(),
            _ => found_s,
        }
    }

    /// Share of the time that is left for visits.
    fn left(&self) -> f64 {
        (1.0 - self.background).max(0.01)
    }

    /// Share of the time with visits that these have, of work that is always there; other work waits in turn with them.
    fn shared(&self) -> f64 {
        if self.station.background_wait_s == 0.0 {
            self.left()
        } else {
            1.0
        }
    }

    /// Mean wait of a visit for those of its own pass that come to the same copy before it.
    fn met_s(&self) -> f64 {
        let Station {
            meeting, parallel, ..
        } = self.station;
        self.station.alone_s() * meeting * (1.0 - 1.0 / parallel) / 2.0
    }

    /// What a visit finds at its copy.
    fn found(&self) -> Found {
        let alone = self.station.alone_s();
        Found {
            busy: self.busy.min(1.0) * self.there,
            queue: self.queue.max(self.busy) * self.there,
            scv: self.station.service_scv,
            behind: Behind {
                busy: self.background,
                mean: self.station.background_wait_s / alone,
                most: self
                    .station
                    .background_longest_s
                    .max(self.station.background_wait_s)
                    / alone,
                together: self.station.background_together,
            },
        }
    }

    /// Share of the visits that wait.
    fn waiting_share(&self) -> f64 {
        match &self.station.law {
            Law::Servers(_) => self.or_more(),
            _ => 1.0,
        }
    }

    /// Mean of the longest wait for work in the background, of visits side by side. Of k that wait for `mean` on
    /// average and `most` at most, the longest waits for `most − 2 (most − mean) / (k + 1)`; k is binomial.
    fn longest_interruption(&self) -> f64 {
        let (busy, visits) = (self.background.min(1.0), self.station.parallel);
        let mean = self.station.background_wait_s;
        let most = self.station.background_longest_s.max(mean);
        if busy * mean == 0.0 {
            return 0.0;
        }
        let none = (1.0 - busy).powf(visits);
        let inverse = (1.0 - none * (1.0 - busy)) / ((visits + 1.0) * busy) - none;
        most * (1.0 - none) - 2.0 * (most - mean) * inverse
    }

    fn behind_servers(&self, servers: f64) -> f64 {
        let service = self.station.service_s;
        let scv = self.station.service_scv;
        let waiting = (self.queue - self.busy).max(0.0);
        // Until the first of all busy servers is free: s / c if exponential, s / (c + 1) if constant.
        let residual = service * (scv / servers + (1.0 - scv) / (servers + 1.0));
        let wait = waiting * service / servers + self.or_more() * residual.max(0.0);
        service + self.there * wait
    }

    /// Share of the time with as many at the copy as there are servers, or rates, or more.
    fn or_more(&self) -> f64 {
        (1.0 - self.present.iter().sum::<f64>()).clamp(0.0, 1.0)
    }

    fn at_rates(&self, rates: &[f64], others: f64) -> f64 {
        let (few, most) = (self.present.iter().zip(1_u32..), rates[rates.len() - 1]);
        // Of the service that it finds under way so much is over already, unless it comes from there itself: then that
        // has just begun. How many of the others are there tells how likely this is.
        let there = (self.queue / others.max(1.0)).min(1.0);
        let over = (1.0 - there) * (1.0 - self.station.service_scv) / 2.0;
        let turns = |present: u32| f64::from(present) - if present > 1 { over } else { 0.0 };
        let here: f64 = few
            .clone()
            .map(|(share, present)| share * turns(present) / rate_with(rates, present as usize))
            .sum();
        let few: f64 = few.map(|(share, present)| share * f64::from(present - 1)).sum();
        here + ((self.queue - few).max(0.0) + self.or_more() * (1.0 - over)) / most
    }

    /// Wait so much longer in a round.
    fn hold_back(&mut self, longer_s: f64) {
        self.residence_s += longer_s;
        if self.station.series() > 0.0 {
            let visit_s = longer_s / self.station.series() / self.harmonic;
            self.visit_s += visit_s;
            self.by_rates_s += visit_s * (1.0 - self.background).max(0.0);
        }
    }

    /// Take on the work in the background of so many rounds per second.
    fn work_behind(&mut self, rate: f64) {
        let servers = match self.station.law {
            Law::Servers(servers) => servers,
            _ => 1,
        };
        self.background = rate * self.station.background_s / (self.station.copies * servers) as f64;
    }

    /// Take on the state of so many rounds per second of so many customers.
    fn settle(&mut self, rate: f64, customers: usize) {
        let each = rate * self.station.visits_each();
        self.queue = each * self.visit_s;
        match &self.station.law {
            Law::Delay => {}
            Law::Servers(servers) => {
                self.busy = each * self.station.service_s;
                self.settle_present(*servers, self.busy, (self.busy, customers));
            }
            Law::Rates(rates) => {
                let busy = each / (rates[0] * self.shared());
                self.settle_present(rates.len(), busy, (self.queue, customers));
                // No more than all customers can be there.
                self.visited = (1.0 - self.present[0]).max(self.queue.min(1.0) / customers as f64);
            }
        }
    }

    /// Take on how often so many are there; at one server, or rate, it is told by how often that is busy.
    fn settle_present(&mut self, count: usize, busy: f64, (mean, customers): (f64, usize)) {
        self.present = match &self.among {
            Some(among) => among.shares(count, mean, customers),
            None => vec![(1.0 - busy).max(0.0)],
        };
    }

    /// Share of the time in which a server works. What is in the background works on while nobody is there, and what is
    /// always there has its share while somebody is.
    fn working(&self, utilisation: f64) -> f64 {
        let Law::Rates(_) = self.station.law else {
            return utilisation;
        };
        (self.visited * self.shared() + self.background).clamp(utilisation, utilisation.max(1.0))
    }

    fn solution(&self, rate: f64) -> StationSolution {
        let utilisation = rate * self.station.least_s();
        StationSolution {
            name: self.station.name.clone(),
            copies: self.station.copies,
            utilisation,
            busy: self.working(utilisation),
            mean_queue: self.queue * self.station.copies as f64,
            residence_s: self.residence_s,
        }
    }
}

fn rate_with(rates: &[f64], present: usize) -> f64 {
    rates[present.min(rates.len()) - 1]
}

/// 1 + 1/2 + … + 1/n: the mean of the longest of n exponential times, in means; between integers a straight line.
pub fn harmonic(n: f64) -> f64 {
    if n > ASYMPTOTIC {
        return n.ln() + EULER_GAMMA + 0.5 / n;
    }
    let whole = n.floor();
    let sum: f64 = (1..=whole as u64).map(|at| 1.0 / at as f64).sum();
    sum + (n - whole) / (whole + 1.0)
}
