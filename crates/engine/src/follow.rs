//! Following a point from outside: gathers windows, tells the observer, asks the rule.

use std::thread::JoinHandle;
use std::time::Duration;

use iodyno_load::gather::{Gatherer, Kept, Row};
use iodyno_load::reading::{self, EngineFacts, Measured, Precision, Reading, Series, Stopped, WorkerFacts};
use iodyno_load::request::{Point, ShownAs};
use iodyno_load::stopping::{Assessment, Decision, Rule, StopReason, Stopper, assess};
use iodyno_load::window::{Failures, WINDOW_NS};

use crate::crew::Crew;
use crate::error::EngineError;
use crate::run::{Control, Phase, Sample};
use crate::worker::Drained;

/// Failed I/Os after which a point ends, if they are so many times what completed.
const HOPELESS_ERRORS: u64 = 1000;
const HOPELESS_FACTOR: u64 = 10;

/// Follows a point from outside: gathers windows, tells the observer, asks the rule.
pub(crate) struct Watch {
    point: Point,
    warmup_windows: usize,
    threads_each: usize,
    gatherer: Gatherer,
    /// What came after the warm-up.
    kept: Kept,
    series: Series,
    /// The main figure of each window after the warm-up.
    main: Vec<f64>,
    stopper: Stopper,
    half_width: Option<f64>,
    /// In the windows of the series.
    failures: Failures,
    /// Windows of the whole point so far, and what completed and failed in them.
    windows: usize,
    completed: u64,
    failed: u64,
}

pub(crate) type Outcome = Result<(Stopped, Assessment), EngineError>;

impl Watch {
    pub(crate) fn new(point: &Point) -> Self {
        let windows = |seconds: f64| (seconds * 1e9 / WINDOW_NS as f64).ceil() as usize;
        let stopping = &point.stopping;
        Self {
            point: point.clone(),
            warmup_windows: windows(stopping.warmup_s),
            threads_each: 1,
            gatherer: Gatherer::new(point.workers_in_all(), 1),
            kept: Kept::default(),
            series: Series::new(WINDOW_NS, point.rate_io_s.is_some()),
            main: Vec::new(),
            stopper: Stopper::new(Rule {
                floor_windows: windows(stopping.floor_s),
                cap_windows: windows(stopping.cap_s),
                precision: stopping.precision,
                confidence: stopping.confidence,
            }),
            half_width: None,
            failures: Failures::default(),
            windows: 0,
            completed: 0,
            failed: 0,
        }
    }

    /// Look at every window until the rule, the errors or the observer say stop.
    pub(crate) fn follow(
        &mut self,
        crew: &Crew,
        observe: &mut impl FnMut(Option<&Sample>) -> Control,
    ) -> Outcome {
        let workers = self.point.workers_in_all();
        self.threads_each = crew.shared.len() / workers;
        self.gatherer = Gatherer::new(workers, self.threads_each);
        loop {
            let next = (self.windows as u64 + 1) * WINDOW_NS;
            let wait = next.saturating_sub(crew.clock.now()).clamp(1_000_000, WINDOW_NS);
            std::thread::sleep(Duration::from_nanos(wait));
            self.fetch(crew);
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
            if crew.threads.iter().any(JoinHandle::is_finished) {
                // A worker could not go on: joining tells why.
                return Ok((Stopped::Failed, self.so_far()));
            }
        }
    }

    fn fetch(&mut self, crew: &Crew) {
        for (thread, shared) in crew.shared.iter().enumerate() {
            let closed = std::mem::take(&mut *shared.windows.lock().expect("no worker panics with it"));
            let closed = closed.iter();
            closed.for_each(|window| self.gatherer.add(thread, window));
        }
    }

    /// Take the next window of all threads into the series; the outcome if the rule stops.
    fn next_window(&mut self, row: Row) -> Option<(Stopped, Assessment)> {
        self.windows += 1;
        self.series.push(&row.sum);
        let step = self.series.last();
        self.completed += step.completed();
        self.failed += row.sum.failed();
        self.failures.add(&row.sum);
        if self.windows <= self.warmup_windows {
            if self.windows == self.warmup_windows {
                self.series.begin_part();
            }
            return None;
        }
        self.main.push(match self.point.profile.shown_as {
            ShownAs::TransactionRate => step.completed(),
            ShownAs::Throughput => step.bytes(),
        } as f64);
        self.kept.push(row);
        match self.stopper.check(&self.main) {
            Decision::Continue(half_width) => {
                self.half_width = half_width;
                None
            }
            Decision::Stop(StopReason::Precise, assessment) => Some((Stopped::Precise, assessment)),
            Decision::Stop(StopReason::Cap, assessment) => Some((Stopped::Cap, assessment)),
        }
    }

    fn so_far(&self) -> Assessment {
        let stopping = &self.point.stopping;
        assess(&self.main, stopping.confidence, stopping.precision)
    }

    fn hopeless(&self) -> bool {
        self.failed >= HOPELESS_ERRORS && self.failed > HOPELESS_FACTOR * self.completed
    }

    fn sample(&self) -> Sample {
        let (last, window_s) = (self.series.last(), self.series.window_s);
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

    /// Add up the measured part.
    pub(crate) fn reading(
        self,
        point: &Point,
        engine: EngineFacts,
        stopped: Stopped,
        assessment: &Assessment,
        outcome: Drained,
    ) -> Reading {
        let mut series = self.series;
        let before = (self.warmup_windows + assessment.discarded_windows).min(self.windows);
        let windows = self.windows - before;
        if self.windows < self.warmup_windows {
            series.begin_part(); // which stays empty
        }
        series.measure_from(assessment.discarded_windows);
        let rows = self.kept.since(assessment.discarded_windows);
        let split = self.kept.split_since(assessment.discarded_windows);
        let measured = rows
            .iter()
            .map(|row| &row.sum)
            .chain(rows.first().map(|_| &split));
        let sum = Measured::of(measured, (point, &series), &self.failures, crate::errno_name);
        let facts = |worker: usize| {
            let spent = rows.iter().map(|row| &row.workers[worker]);
            WorkerFacts::of(spent, self.threads_each, (windows, WINDOW_NS))
        };
        Reading {
            reading_schema: reading::SCHEMA,
            engine,
            warmup_s: before as f64 * series.window_s,
            measured_s: windows as f64 * series.window_s,
            reads: sum.reads,
            writes: sum.writes,
            trims: sum.trims,
            syncs: sum.syncs,
            per_target: sum.per_target,
            precision: Precision::of(assessment, point.stopping.confidence),
            series,
            stopped,
            issued: outcome.issued.into(),
            drained_max_ns: outcome.drained_max_ns,
            workers: (0..point.workers_in_all()).map(facts).collect(),
            open_loop: sum.open_loop,
            simulation: None,
            integrity: None,
        }
    }
}
