//! Following a point from outside: gathers windows, tells the observer, asks the rule.

use std::sync::Arc;
use std::time::Duration;

use iodyno_load::gather::{Gatherer, Place, Row};
use iodyno_load::reading::{
    self, EngineFacts, LoadReading, Precision, Reading, Stopped, TargetReading, WorkerFacts,
};
use iodyno_load::request::Point;
use iodyno_load::stopping::{Assessment, Decision, Rounds, Rule, StopReason, Stopper, assess};
use iodyno_load::traffic::Sent;
use iodyno_load::window::WINDOW_NS;

use crate::crew::Crew;
use crate::error::EngineError;
use crate::observer::{Control, Phase, Sample};
use crate::span::{cap_windows, windows, windows_before, windows_of_load_before};
use crate::tally::{Tally, worker_facts};
use crate::worker::{Drained, Shared};

/// Follows a point from outside: gathers windows, tells the observer, asks the rule.
pub(crate) struct Watch {
    warmup_windows: usize,
    confidence: f64,
    precision: f64,
    gatherer: Gatherer,
    /// All loads together.
    all: Tally,
    /// Each load as a point of its own, where there are several.
    loads: Vec<(Point, Tally)>,
    stopper: Stopper,
    half_width: Option<f64>,
    /// Windows of the whole point so far.
    windows: usize,
}

pub(crate) type Outcome = Result<(Stopped, Assessment), EngineError>;

impl Watch {
    pub(crate) fn new(point: &Point) -> Self {
        let stopping = &point.stopping;
        let mut loads = point.loads();
        if loads.len() == 1 {
            loads.clear();
        }
        let tally = |load: &Point, first_target| {
            Tally::new((load, first_target), windows_of_load_before(point, load))
        };
        let mut first_target = 0;
        Self {
            warmup_windows: windows_before(point),
            confidence: stopping.confidence,
            precision: stopping.precision,
            gatherer: Gatherer::new(Vec::new()),
            all: tally(point, 0),
            loads: loads
                .into_iter()
                .map(|load| {
                    let tally = tally(&load, first_target);
                    first_target += load.targets.len();
                    (load, tally)
                })
                .collect(),
            stopper: Stopper::new(rule(point)),
            half_width: None,
            windows: 0,
        }
    }

    /// Look at every window until the rule, the errors or the observer say stop.
    pub(crate) fn follow(
        &mut self,
        crew: &Crew,
        observe: &mut impl FnMut(Option<&Sample>) -> Control,
    ) -> Outcome {
        self.gatherer = Gatherer::new(crew.places.clone());
        loop {
            let next = (self.windows as u64 + 1) * WINDOW_NS;
            let wait = next.saturating_sub(crew.clock.now()).clamp(1_000_000, WINDOW_NS);
            std::thread::sleep(Duration::from_nanos(wait));
            let ended = crew.has_ended();
            self.fetch(&crew.shared);
            let mut heard = false;
            while let Some(row) = self.gatherer.complete() {
                let ended = self.next_window(row);
                heard = true;
                if ended.is_some() {
                    crew.stop();
                }
                if observe(Some(&self.sample())) == Control::Interrupt {
                    return Err(EngineError::Interrupted);
                }
                if let Some(outcome) = ended {
                    return Ok(outcome);
                }
            }
            if !heard && observe(None) == Control::Interrupt {
                return Err(EngineError::Interrupted);
            }
            if self.hopeless() {
                return Ok((Stopped::Failed, self.so_far()));
            }
            if crew.lost_one() {
                // Joining tells why.
                return Ok((Stopped::Failed, self.so_far()));
            }
            // The load ends by itself where the rule does at the latest: else nobody would end this.
            assert!(!ended || heard, "the load has ended before its time");
        }
    }

    /// Take in what failed after the series, of threads that have ended.
    pub(crate) fn take_rest(&mut self, threads: &[Arc<Shared>]) {
        self.fetch(threads);
        for row in self.gatherer.rest() {
            self.all.failures.add(&row.sum);
            let loads = self.loads.iter_mut().zip(&row.loads);
            loads.for_each(|((_, tally), sum)| tally.failures.add(sum));
        }
    }

    fn fetch(&mut self, threads: &[Arc<Shared>]) {
        for (thread, shared) in threads.iter().enumerate() {
            let closed = std::mem::take(&mut *shared.windows.lock().expect("no worker panics with it"));
            let closed = closed.iter();
            closed.for_each(|window| self.gatherer.add(thread, window));
        }
    }

    /// Take the next window of all threads into the series; the outcome if the rule stops.
    fn next_window(&mut self, mut row: Row) -> Option<(Stopped, Assessment)> {
        self.windows += 1;
        let counted = self.windows > self.warmup_windows;
        self.next_of_loads(&mut row, counted);
        self.all.push(row, counted);
        if !counted {
            if self.windows == self.warmup_windows {
                self.begin_part();
            }
            return None;
        }
        let (figures, rounds) = judged(&self.all, &self.loads);
        match self.stopper.check_in_rounds(&figures, &rounds) {
            Decision::Continue(half_width) => {
                self.half_width = half_width;
                None
            }
            Decision::Stop(StopReason::Precise, assessment) => Some((Stopped::Precise, assessment)),
            Decision::Stop(StopReason::Cap, assessment) => Some((Stopped::Cap, assessment)),
        }
    }

    /// What each target did is kept with the load that has it.
    fn next_of_loads(&mut self, row: &mut Row, counted: bool) {
        let of_loads = std::mem::take(&mut row.loads);
        for ((_, tally), sum) in self.loads.iter_mut().zip(of_loads) {
            let of_load = Row {
                sum,
                ..Row::default()
            };
            tally.push(of_load, counted);
            row.sum.split.clear();
        }
    }

    fn begin_part(&mut self) {
        self.all.series.begin_part();
        self.loads
            .iter_mut()
            .for_each(|(_, tally)| tally.series.begin_part());
    }

    fn so_far(&self) -> Assessment {
        assess(&self.all.main, self.confidence, self.precision)
    }

    /// Whether a load, or all together, hardly does anything but fail: another that goes on does not make up for it.
    fn hopeless(&self) -> bool {
        let mut tallies = std::iter::once(&self.all).chain(self.loads.iter().map(|(_, tally)| tally));
        tallies.any(Tally::hopeless)
    }

    fn sample(&self) -> Sample {
        let (last, window_s) = (self.all.series.last(), self.all.series.window_s);
        Sample {
            phase: if self.windows <= self.warmup_windows {
                Phase::Warmup
            } else {
                Phase::Measured
            },
            elapsed_s: self.windows as f64 * window_s,
            rate_io_s: last.completed() as f64 / window_s,
            throughput_bytes_s: last.bytes() as f64 / window_s,
            latency_mean_ns: last.latency_mean_ns(),
            p99_ns: last.p99_ns,
            half_width: self.half_width,
            waiting: last.waiting,
        }
    }

    /// Add up the measured part; `ended` has what each load issued.
    pub(crate) fn reading(
        mut self,
        point: &Point,
        (engine, crew_places): (EngineFacts, &[Place]),
        (stopped, assessment): (Stopped, &Assessment),
        ended: &[Drained],
    ) -> Reading {
        let before = (self.warmup_windows + assessment.discarded_windows).min(self.windows);
        let windows = self.windows - before;
        if self.windows < self.warmup_windows {
            self.begin_part(); // which stays empty
        }
        let rows = self.all.kept.since(assessment.discarded_windows);
        let workers = worker_facts(rows, crew_places, windows);
        let loads = readings(self.loads, assessment.discarded_windows, (ended, &workers));
        let mut all = self.all;
        all.series.measure_from(assessment.discarded_windows);
        let sum = if loads.is_empty() {
            let mut sum = all.measured((point, 0), assessment);
            tell_issued(&mut sum.per_target, ended.first(), 0);
            sum
        } else {
            all.measured_of_all(point, &loads, assessment)
        };
        let mut sent = Sent::default();
        ended.iter().for_each(|load| sent.merge(&load.sent()));
        Reading {
            reading_schema: reading::SCHEMA,
            engine,
            warmup_s: before as f64 * all.series.window_s,
            measured_s: windows as f64 * all.series.window_s,
            reads: sum.reads,
            writes: sum.writes,
            trims: sum.trims,
            syncs: sum.syncs,
            per_target: sum.per_target,
            precision: Precision::of(assessment, point.stopping.confidence),
            series: all.series,
            stopped,
            issued: sent.into(),
            drained: ended.iter().map(|load| load.drained).sum(),
            drained_max_ns: ended.iter().map(|load| load.drained_max_ns).max().unwrap_or(0),
            workers: workers.into_iter().map(|(_, facts)| facts).collect(),
            loads,
            open_loop: sum.open_loop,
            simulation: None,
            integrity: None,
        }
    }
}

fn rule(point: &Point) -> Rule {
    let stopping = &point.stopping;
    Rule {
        floor_windows: windows(stopping.floor_s),
        cap_windows: cap_windows(stopping),
        precision: stopping.precision,
        confidence: stopping.confidence,
    }
}

/// The main figure of all loads, and of each where there are several: the rule asks for each of them. And the
/// rounds of each load, and of each of its targets.
fn judged<'a>(all: &'a Tally, loads: &'a [(Point, Tally)]) -> (Vec<&'a [f64]>, Vec<&'a Rounds>) {
    let each = loads.iter().map(|(_, tally)| tally);
    let all = std::iter::once(all);
    let figures = all.clone().chain(each.clone()).map(|tally| tally.main.as_slice());
    let rounds = if loads.is_empty() {
        all.flat_map(|tally| &tally.rounds).collect()
    } else {
        each.flat_map(|tally| &tally.rounds).collect()
    };
    (figures.collect(), rounds)
}

/// The reading of each of several loads, with what it issued and its workers.
fn readings(
    loads: Vec<(Point, Tally)>,
    discarded_windows: usize,
    (ended, workers): (&[Drained], &[(usize, WorkerFacts)]),
) -> Vec<LoadReading> {
    let mut first_target = 0;
    let reading = |(number, (load, tally)): (usize, (Point, Tally))| {
        let own = workers.iter().filter(|(of, _)| *of == number);
        let own = own.map(|(_, facts)| facts.clone()).collect();
        let sent = ended.get(number).map(Drained::sent).unwrap_or_default();
        let place = (&load, first_target);
        let mut reading = tally.reading(place, discarded_windows, (sent.into(), own));
        tell_issued(&mut reading.measured.per_target, ended.get(number), first_target);
        first_target += load.targets.len();
        reading
    };
    loads.into_iter().enumerate().map(reading).collect()
}

/// Say of the targets of a load, of the point's from the first on, what was issued to each.
fn tell_issued(targets: &mut [TargetReading], ended: Option<&Drained>, first_target: usize) {
    let sent = |target: usize| ended.and_then(|load| load.targets.get(target)).copied();
    for (target, reading) in (first_target..).zip(targets) {
        reading.issued = Some(sent(target).unwrap_or_default().into());
    }
}

#[cfg(test)]
mod tests;
