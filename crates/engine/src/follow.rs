//! Following a point from outside: gathers windows, tells the observer, asks the rule.

use std::thread::JoinHandle;
use std::time::Duration;

use iodyno_load::reading::{self, EngineFacts, OpenLoop, Precision, Reading, Series, Stopped, WorkerWindows};
use iodyno_load::request::{Point, ShownAs};
use iodyno_load::stopping::{Assessment, Decision, Rule, StopReason, Stopper, assess};
use iodyno_load::window::{WINDOW_NS, Window};

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
    /// Windows by thread.
    threads: Vec<Vec<Window>>,
    series: Series,
    /// The main figure of each window after the warm-up.
    main: Vec<f64>,
    stopper: Stopper,
    half_width: Option<f64>,
    /// Failed I/Os in the windows of the series.
    errors: u64,
}

pub(crate) type Outcome = Result<(Stopped, Assessment), EngineError>;

impl Watch {
    pub(crate) fn new(point: &Point) -> Self {
        let windows = |seconds: f64| (seconds * 1e9 / WINDOW_NS as f64).ceil() as usize;
        let stopping = &point.stopping;
        Self {
            point: point.clone(),
            warmup_windows: windows(stopping.warmup_s),
            threads: Vec::new(),
            series: Series::new(WINDOW_NS),
            main: Vec::new(),
            stopper: Stopper::new(Rule {
                floor_windows: windows(stopping.floor_s),
                cap_windows: windows(stopping.cap_s),
                precision: stopping.precision,
                confidence: stopping.confidence,
            }),
            half_width: None,
            errors: 0,
        }
    }

    /// Look at every window until the rule, the errors or the observer say stop.
    pub(crate) fn follow(
        &mut self,
        crew: &Crew,
        observe: &mut impl FnMut(Option<&Sample>) -> Control,
    ) -> Outcome {
        self.threads = vec![Vec::new(); crew.shared.len()];
        loop {
            let next = (self.series.len() as u64 + 1) * WINDOW_NS;
            let wait = next.saturating_sub(crew.clock.now()).clamp(1_000_000, WINDOW_NS);
            std::thread::sleep(Duration::from_nanos(wait));
            self.fetch(crew);
            let mut heard = false;
            while self
                .threads
                .iter()
                .all(|windows| windows.len() > self.series.len())
            {
                let ended = self.next_window();
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
        for (fetched, shared) in self.threads.iter_mut().zip(&crew.shared) {
            fetched.extend(shared.windows.lock().expect("no worker panics with it").drain(..));
        }
    }

    /// Take the next window of all threads into the series; the outcome if the rule stops.
    fn next_window(&mut self) -> Option<(Stopped, Assessment)> {
        let index = self.series.len();
        self.series
            .push(self.threads.iter().map(|windows| &windows[index]));
        let failed = self.threads.iter().map(|windows| windows[index].failed());
        self.errors += failed.sum::<u64>();
        if index < self.warmup_windows {
            return None;
        }
        self.main.push(match self.point.profile.shown_as {
            ShownAs::TransactionRate => self.series.reads[index] + self.series.writes[index],
            ShownAs::Throughput => self.series.read_bytes[index] + self.series.written_bytes[index],
        } as f64);
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
        let completed: u64 = self.series.reads.iter().chain(&self.series.writes).sum();
        self.errors >= HOPELESS_ERRORS && self.errors > HOPELESS_FACTOR * completed
    }

    fn sample(&self) -> Sample {
        let last = self.series.len() - 1;
        let completed = self.series.reads[last] + self.series.writes[last];
        let bytes = self.series.read_bytes[last] + self.series.written_bytes[last];
        Sample {
            phase: if last < self.warmup_windows {
                Phase::Warmup
            } else {
                Phase::Measured
            },
            elapsed_s: (last + 1) as f64 * self.series.window_s,
            rate_io_s: completed as f64 / self.series.window_s,
            throughput_bytes_s: bytes as f64 / self.series.window_s,
            latency_mean_ns: self.series.latency_sum_ns[last] as f64 / completed.max(1) as f64,
            p99_ns: self.series.p99_ns[last],
            half_width: self.half_width,
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
        series.measured_from = (self.warmup_windows + assessment.discarded_windows).min(series.len());
        let range = series.measured_from..series.len();
        let per_worker = self.threads.len() / point.workers;
        let workers: Vec<_> = self
            .threads
            .chunks(per_worker)
            .map(|threads| WorkerWindows {
                threads: threads.to_vec(),
            })
            .collect();
        let open_loop = point.rate_io_s;
        let sum = reading::measured(
            &workers,
            (range.clone(), WINDOW_NS),
            point.targets.len(),
            open_loop.is_some(),
            crate::errno_name,
        );
        Reading {
            reading_schema: reading::SCHEMA,
            engine,
            warmup_s: range.start as f64 * series.window_s,
            measured_s: range.len() as f64 * series.window_s,
            reads: sum.reads,
            writes: sum.writes,
            per_target: sum.per_target,
            precision: Precision::of(assessment, point.stopping.confidence),
            series,
            stopped,
            issued: outcome.issued.into(),
            drained_max_ns: outcome.drained_max_ns,
            workers: sum.workers,
            open_loop: open_loop.map(|rate_asked_io_s| OpenLoop {
                rate_asked_io_s,
                late_starts: sum.late_starts,
                backlog_end: sum.backlog_end,
            }),
            simulation: None,
        }
    }
}
