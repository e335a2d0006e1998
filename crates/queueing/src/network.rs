//! What is solved: a closed network of one class of customers.

use serde::{Deserialize, Serialize};

use crate::streams::Streams;

/// A closed network: each customer thinks, visits stations, and begins again.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Seconds between the end of one round of a customer and the beginning of the next, 0 or more.
    #[serde(default)]
    pub think_s: f64,
    /// Whether customers keep step, so that they meet at the station that limits the rate and nowhere else: the
    /// rate is then the asymptotic bound.
    #[serde(default)]
    pub regular: bool,
    /// Stations, at least one.
    pub stations: Vec<Station>,
}

/// Some equal stations that a customer visits, each as often as the other.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Station {
    /// Its name.
    pub name: String,
    /// How many there are, at least 1.
    #[serde(default = "one")]
    pub copies: usize,
    /// Who serves at each of them.
    pub law: Law,
    /// Visits of a round to all copies together, 0 or more.
    pub visits: f64,
    /// Mean service of a visit in s; with rates it is not used, for `rates[0]` says it.
    #[serde(default)]
    pub service_s: f64,
    /// Squared coefficient of variation of the service: 0 constant, 1 exponential.
    #[serde(default = "exponential")]
    pub service_scv: f64,
    /// Visits that come one after the other: what a customer waits for. None: all of them.
    /// Fewer than `visits` where visits run side by side or in the background.
    #[serde(default)]
    pub passes: Option<f64>,
    /// Mean service in s of those visits, where the others take longer or less. None: that of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_s: Option<f64>,
    /// Visits side by side in each pass, of which the last counts, at least 1.
    #[serde(default = "single")]
    pub parallel: f64,
    /// The same, where those that always find the same, and take as long, count as one, as copies that are written together do;
    /// none: all of them count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<f64>,
    /// How many of them come to each copy that they can go to, on average, where they go at random and those that
    /// meet wait for each other. 0: each has a copy of its own.
    #[serde(default)]
    pub meeting: f64,
    /// Among how many a visit chooses the copy, or the group of copies, that has the fewest customers; none: at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fewest: Option<Fewest>,
    /// Service of a round in s, at all copies together, that nobody waits for and that gives way to visits.
    #[serde(default)]
    pub background_s: f64,
    /// Mean wait of a visit in s that finds such work in service. With rates 0 says that there is always some, and that what is
    /// served next is chosen of all: then each visit lasts as much longer as such work has of the time.
    #[serde(default)]
    pub background_wait_s: f64,
    /// Longest such wait in s; no shorter than the mean.
    #[serde(default)]
    pub background_longest_s: f64,
    /// At how many copies such work begins together, at least 1, as far as visits that meet find it.
    #[serde(default = "single")]
    pub background_together: f64,
    /// Streams in order on a disk, whose commands are the visits: what each takes is reckoned from them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<Box<Streams>>,
}

/// A choice of the copy, or of the group of copies that stand for one drive, with the fewest customers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fewest {
    /// How many there are to choose from, at least 1.
    pub of: usize,
    /// How many such sets a customer goes to one of, at random, at least 1.
    pub sets: usize,
}

impl Fewest {
    /// What a customer finds where it goes as a share of what is there on average, with so many others. Of k in its
    /// set each has k / of then, or one more.
    pub fn share(self, others: f64) -> f64 {
        if others <= 0.0 || self.of < 2 {
            return 1.0;
        }
        let (of, there) = (self.of as f64, others / self.sets as f64);
        let over = match self.sets {
            1 => there % of,
            _ => self.over(others),
        };
        ((there - over) / there).clamp(0.0, 1.0)
    }

    /// Mean of how many are over when a set's customers, of `others` each there with the same chance, are shared out.
    /// How often so many are over is a Fourier sum over the binomial distribution; the mean of it is summed here.
    fn over(self, others: f64) -> f64 {
        let (of, chance) = (self.of as f64, 1.0 / self.sets as f64);
        let angles = (1..self.of).map(|at| std::f64::consts::TAU * at as f64 / of);
        let waves = angles.map(|angle| {
            let (sin, cos) = (chance * angle.sin(), 1.0 - chance + chance * angle.cos());
            let (size, turn) = (sin.hypot(cos).powf(others), sin.atan2(cos) * others);
            // 1 / (ω⁻¹ − 1) = (−1 + i cot(angle / 2)) / 2
            (-size * turn.cos() - size * turn.sin() / (angle / 2.0).tan()) / 2.0
        });
        (of - 1.0) / 2.0 + waves.sum::<f64>()
    }
}

/// Who serves at a station.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// Nobody waits.
    Delay,
    /// So many servers with one queue, first come, first served.
    Servers(usize),
    /// Visits completed per second with 1, 2, 3 … at the station; the last holds for more.
    Rates(Vec<f64>),
}

fn one() -> usize {
    1
}

fn single() -> f64 {
    1.0
}

fn exponential() -> f64 {
    1.0
}

impl Station {
    /// A station of one kind with exponential service.
    pub fn new(name: &str, law: Law, visits: f64, service_s: f64) -> Self {
        Self {
            name: name.to_owned(),
            copies: 1,
            law,
            visits,
            service_s,
            service_scv: 1.0,
            passes: None,
            passed_s: None,
            parallel: 1.0,
            apart: None,
            meeting: 0.0,
            fewest: None,
            background_s: 0.0,
            background_wait_s: 0.0,
            background_longest_s: 0.0,
            background_together: 1.0,
            streams: None,
        }
    }

    /// A single server with exponential service.
    pub fn queue(name: &str, demand_s: f64) -> Self {
        Self::new(name, Law::Servers(1), 1.0, demand_s)
    }

    /// The same, so many times.
    #[must_use]
    pub fn times(self, copies: usize) -> Self {
        Self { copies, ..self }
    }

    /// Mean service in s of a visit that finds nobody.
    pub fn alone_s(&self) -> f64 {
        match &self.law {
            Law::Rates(rates) => 1.0 / rates[0],
            _ => self.service_s,
        }
    }

    /// Shortest mean time in s that a visit can take, whoever is there.
    pub fn shortest_s(&self) -> f64 {
        match &self.law {
            Law::Rates(rates) => (1..)
                .zip(rates)
                .map(|(present, rate)| f64::from(present) / rate)
                .fold(f64::INFINITY, f64::min),
            _ => self.service_s,
        }
    }

    /// Visits in series: what a customer waits for.
    pub fn series(&self) -> f64 {
        self.passes.unwrap_or(self.visits)
    }

    /// How much longer a visit of a pass takes than visits do on average, in s.
    pub fn longer_s(&self) -> f64 {
        self.passed_s.map_or(0.0, |passed| passed - self.service_s)
    }

    /// Whether all visits are in series and nothing is in the background.
    pub fn is_plain(&self) -> bool {
        self.passes.is_none_or(|passes| passes == self.visits)
            && self.passed_s.is_none()
            && self.fewest.is_none()
            && self.parallel == 1.0
            && self.background_s == 0.0
    }

    /// Of the visits side by side in a pass so many find what the others do not.
    pub fn apart(&self) -> f64 {
        if self.is_alike() {
            1.0
        } else {
            self.apart.unwrap_or(self.parallel)
        }
    }

    /// Whether a pass finds the same at all that it visits: at copies that keep no order of their own, each of which every pass
    /// comes to; or of each set of them to the one with the fewest.
    pub fn is_alike(&self) -> bool {
        let sets = self
            .fewest
            .map_or(self.copies, |fewest| self.copies.div_ceil(fewest.of));
        matches!(self.law, Law::Servers(_)) && self.parallel >= sets as f64
    }

    /// Visits of a round to each copy.
    pub fn visits_each(&self) -> f64 {
        self.visits / self.copies as f64
    }

    /// Seconds of a round for which all servers of all copies are busy at their best: the inverse of the most
    /// rounds per second; 0 where there is no limit.
    pub fn least_s(&self) -> f64 {
        let copies = self.copies as f64;
        match &self.law {
            Law::Delay => 0.0,
            Law::Servers(servers) => {
                (self.visits * self.service_s + self.background_s) / (copies * *servers as f64)
            }
            Law::Rates(rates) => (self.visits / best(rates) + self.background_s) / copies,
        }
    }

    /// The same at the best that the station has with so many customers, who are all that can be present.
    pub fn least_with(&self, customers: usize) -> f64 {
        let Law::Rates(rates) = &self.law else {
            return self.least_s();
        };
        let passes = self.passes.unwrap_or(self.visits);
        if self.visits > passes * self.parallel * (1.0 + 1e-9) {
            return self.least_s();
        }
        let present = (customers as f64 * self.parallel).ceil() as usize;
        (self.visits / best(&rates[..present.clamp(1, rates.len())]) + self.background_s) / self.copies as f64
    }
}

fn best(rates: &[f64]) -> f64 {
    rates.iter().copied().fold(0.0, f64::max)
}

impl Network {
    /// The same where streams on disks are reckoned: a visit takes as long as they have between two commands.
    #[must_use]
    pub fn reckoned(mut self) -> Self {
        for station in &mut self.stations {
            if let Some(streams) = station.streams.take() {
                station.service_s = 1.0 / streams.rate_s();
            }
        }
        self
    }

    /// Shortest time of a round in s, without thinking.
    pub fn shortest_s(&self) -> f64 {
        let shortest = |station: &Station| station.series() * (station.shortest_s() + station.longer_s());
        self.stations.iter().map(shortest).sum()
    }

    /// Index of the station that limits the rate of so many customers, and its `least_with` them; none where nothing
    /// limits it.
    pub fn limit(&self, customers: usize) -> Option<(usize, f64)> {
        let demands = self
            .stations
            .iter()
            .map(|station| station.least_with(customers))
            .enumerate();
        // The first of equals.
        let limit = demands.fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most });
        (limit.1 > 0.0).then_some(limit)
    }

    /// Everything that is wrong with it, each with the station's name.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !(self.think_s >= 0.0 && self.think_s.is_finite()) {
            problems.push(format!("think_s is {}: give 0 or more", self.think_s));
        }
        if self.stations.is_empty() {
            problems.push("no station".to_owned());
        }
        for station in &self.stations {
            let named = |what| format!("{}: {what}", station.name);
            problems.extend(station.problems().into_iter().map(named));
        }
        if problems.is_empty() && self.think_s + self.shortest_s() == 0.0 {
            problems.push("a round takes no time".to_owned());
        }
        problems
    }
}

impl Station {
    fn problems(&self) -> Vec<String> {
        let fields = [
            ("visits", self.visits),
            ("service_s", self.service_s),
            ("service_scv", self.service_scv),
            ("passes", self.passes.unwrap_or(0.0)),
            ("passed_s", self.passed_s.unwrap_or(0.0)),
            ("meeting", self.meeting),
            ("background_s", self.background_s),
            ("background_wait_s", self.background_wait_s),
            ("background_longest_s", self.background_longest_s),
        ];
        let mut problems: Vec<String> = fields
            .into_iter()
            .filter(|(_, value)| !(*value >= 0.0 && value.is_finite()))
            .map(|(field, value)| format!("{field} is {value}: give 0 or more"))
            .collect();
        if self.copies == 0 {
            problems.push("no copies".to_owned());
        }
        if !(self.parallel >= 1.0 && self.parallel.is_finite()) {
            problems.push(format!("parallel is {}: give 1 or more", self.parallel));
        }
        if !(self.background_together >= 1.0 && self.background_together.is_finite()) {
            let together = self.background_together;
            problems.push(format!("background_together is {together}: give 1 or more"));
        }
        if self
            .apart
            .is_some_and(|apart| !(apart >= 1.0 && apart <= self.parallel))
        {
            let (apart, most) = (self.apart.unwrap_or_default(), self.parallel);
            problems.push(format!(
                "apart is {apart}, parallel {most}: give 1 or more, and no more"
            ));
        }
        if self.meeting > self.parallel {
            let meeting = self.meeting;
            problems.push(format!(
                "meeting is {meeting}, parallel {}: give no more",
                self.parallel
            ));
        }
        if self.passed_s.is_some() && matches!(self.law, Law::Rates(_)) {
            problems.push("passed_s has no meaning with rates: leave it out".to_owned());
        }
        if self.meeting > 0.0 && self.law != Law::Servers(1) {
            problems.push("visits that meet are reckoned at one server: give servers 1".to_owned());
        }
        if self
            .fewest
            .is_some_and(|fewest| fewest.of == 0 || fewest.sets == 0)
        {
            problems.push("the fewest of none: give 1 or more".to_owned());
        }
        problems.extend(self.law.problem());
        problems.extend(self.streams.as_ref().and_then(|streams| streams.problem()));
        problems
    }
}

impl Law {
    fn problem(&self) -> Option<String> {
        match self {
            Self::Servers(0) => Some("no servers".to_owned()),
            Self::Rates(rates) if rates.is_empty() => Some("no rates".to_owned()),
            Self::Rates(rates) => {
                let wrong = rates.iter().find(|rate| !(**rate > 0.0 && rate.is_finite()))?;
                Some(format!("a rate is {wrong}: give more than 0"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean of what the least of equal groups has, of `others` in `sets` sets at random, as a share of what they have.
    fn counted(fewest: Fewest, others: i32) -> f64 {
        let chance = 1.0 / fewest.sets as f64;
        let (mut ways, mut least) = ((1.0 - chance).powi(others), 0.0);
        for there in 0..=others {
            least += ways * (f64::from(there) / fewest.of as f64).floor();
            ways *= f64::from(others - there) / f64::from(there + 1) * chance / (1.0 - chance);
        }
        least * fewest.of as f64 / (f64::from(others) * chance)
    }

    #[test]
    fn who_comes_finds_the_fewest() {
        for (of, sets) in [(2, 2), (2, 4), (3, 2), (4, 3), (8, 2)] {
            let fewest = Fewest { of, sets };
            for others in [1, 2, 5, 16, 63] {
                let (share, expected) = (fewest.share(f64::from(others)), counted(fewest, others));
                assert!(
                    (share - expected).abs() < 1e-9,
                    "{of} of {sets}, {others}: {share}, {expected}"
                );
            }
        }
        let one_set = Fewest { of: 4, sets: 1 };
        for (others, share) in [(3.0, 0.0), (4.0, 1.0), (6.0, 4.0 / 6.0), (15.0, 12.0 / 15.0)] {
            assert!((one_set.share(others) - share).abs() < 1e-12);
        }
    }
    /// What is said of a station that is right but for one thing.
    fn said(wrong: impl FnOnce(&mut Station)) -> Vec<String> {
        let mut station = Station::queue("one", 1.0);
        (station.parallel, station.visits) = (2.0, 2.0);
        wrong(&mut station);
        station.problems()
    }

    type Field = (&'static str, fn(&mut Station) -> &mut f64);

    #[test]
    fn a_number_that_cannot_be_is_named() {
        let of_0_or_more: [Field; 9] = [
            ("visits", |one| &mut one.visits),
            ("service_s", |one| &mut one.service_s),
            ("service_scv", |one| &mut one.service_scv),
            ("passes", |one| one.passes.insert(0.0)),
            ("passed_s", |one| one.passed_s.insert(0.0)),
            ("meeting", |one| &mut one.meeting),
            ("background_s", |one| &mut one.background_s),
            ("background_wait_s", |one| &mut one.background_wait_s),
            ("background_longest_s", |one| &mut one.background_longest_s),
        ];
        for (name, field) in of_0_or_more {
            assert_eq!(said(|one| *field(one) = 0.0), [""; 0], "{name}");
            for wrong in [-1e-9, f64::NAN, f64::INFINITY] {
                let told = said(|one| *field(one) = wrong);
                let expected = format!("{name} is {wrong}: give 0 or more");
                assert!(told.contains(&expected), "{name} {wrong}: {told:?}");
            }
        }
        let of_1_or_more: [Field; 2] = [
            ("parallel", |one| &mut one.parallel),
            ("background_together", |one| &mut one.background_together),
        ];
        for (name, field) in of_1_or_more {
            assert_eq!(said(|one| *field(one) = 1.0), [""; 0], "{name}");
            for wrong in [0.999, f64::NAN, f64::INFINITY] {
                let expected = format!("{name} is {wrong}: give 1 or more");
                assert_eq!(said(|one| *field(one) = wrong), [expected]);
            }
        }
    }

    #[test]
    fn what_does_not_go_together_is_said() {
        for (apart, problems) in [(0.999, 1), (1.0, 0), (2.0, 0), (2.001, 1)] {
            assert_eq!(said(|one| one.apart = Some(apart)).len(), problems, "{apart}");
        }
        for (meeting, problems) in [(2.0, 0), (2.001, 1)] {
            assert_eq!(said(|one| one.meeting = meeting).len(), problems, "{meeting}");
        }
        let meet_at = |servers| said(|one| (one.meeting, one.law) = (1.0, Law::Servers(servers)));
        assert_eq!((meet_at(1).len(), meet_at(2).len()), (0, 1));
        for (of, sets, problems) in [(1, 1, 0), (0, 1, 1), (1, 0, 1)] {
            assert_eq!(said(|one| one.fewest = Some(Fewest { of, sets })).len(), problems);
        }
        let laws = [Law::Servers(0), Law::Rates(vec![]), Law::Rates(vec![1.0, 0.0])];
        for law in laws {
            assert_eq!(said(|one| one.law = law.clone()).len(), 1, "{law:?}");
        }
        let rates = said(|one| (one.law, one.passed_s) = (Law::Rates(vec![1.0]), Some(1.0)));
        assert_eq!(rates.len(), 1, "{rates:?}");
        assert_eq!(said(|one| one.copies = 0), ["no copies"]);
    }

    #[test]
    fn a_round_takes_time_be_it_to_think() {
        let network = |think_s, service_s| Network {
            think_s,
            regular: false,
            stations: vec![Station::queue("one", service_s)],
        };
        assert_eq!(network(0.0, 0.0).problems(), ["a round takes no time"]);
        assert_eq!(network(1.0, 0.0).problems(), [""; 0]);
        assert_eq!(network(0.0, 1.0).problems(), [""; 0]);
        for wrong in [-1e-9, f64::NAN, f64::INFINITY] {
            assert_eq!(network(wrong, 1.0).problems().len(), 1);
        }
    }
}
