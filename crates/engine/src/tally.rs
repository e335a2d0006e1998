//! What came of a load so far: its series, and what its measured part is made from.

use std::ops::Range;

use iodyno_load::counted::{Counted, Parts};
use iodyno_load::gather::{Kept, Place, Row};
use iodyno_load::reading::{Issued, LoadReading, Measured, Precision, Series, WorkerFacts};
use iodyno_load::request::{Point, ShownAs};
use iodyno_load::stopping::{Assessment, Rounds, assess_from};
use iodyno_load::window::{Failures, WINDOW_NS, Window};

/// Failed I/Os after which a point ends, if they are so many times what completed.
const HOPELESS_ERRORS: u64 = 1000;
const HOPELESS_FACTOR: u64 = 10;

/// What came of a load so far, or of all loads of a point together.
pub(crate) struct Tally {
    /// What came after the warm-up.
    pub(crate) kept: Kept,
    pub(crate) series: Series,
    /// The main figure of each window after the warm-up.
    pub(crate) main: Vec<f64>,
    /// How long those windows are beside the latencies: of the load, and of each of several targets that has its own
    /// part of the outstanding I/Os. Those of a slow one are few of all.
    pub(crate) rounds: Vec<Rounds>,
    /// The targets that have, and how many of the outstanding I/Os.
    targets: Range<usize>,
    of_each: usize,
    /// In all windows, those after the series too.
    pub(crate) failures: Failures,
    /// In all windows so far.
    completed: u64,
    failed: u64,
    shown_as: ShownAs,
}

impl Tally {
    /// Begins to follow a load that has run for so many windows when the series begins, and the first of its targets.
    pub(crate) fn new((load, first_target): (&Point, usize), before: usize) -> Self {
        // A closed loop keeps as many outstanding on each. With think time that is the most.
        let several = load.targets.len() > 1 && load.beside.is_empty() && !load.open_loop();
        let targets = first_target..first_target + if several { load.targets.len() } else { 0 };
        Self {
            kept: Kept::default(),
            series: Series::new(WINDOW_NS, load.open_loop()),
            main: Vec::new(),
            rounds: vec![Rounds::after(before); 1 + targets.len()],
            targets,
            of_each: load.outstanding * load.workers,
            failures: Failures::default(),
            completed: 0,
            failed: 0,
            shown_as: load.profile.shown_as,
        }
    }

    /// Take the next window, of the warm-up or counted.
    pub(crate) fn push(&mut self, row: Row, counted: bool) {
        self.series.push(&row.sum);
        self.failures.add(&row.sum);
        let step = self.series.last();
        self.completed += step.completed();
        self.failed += row.sum.failed();
        if counted {
            self.main.push(match self.shown_as {
                ShownAs::TransactionRate => step.completed(),
                ShownAs::Throughput => step.bytes(),
            } as f64);
            self.push_rounds(&row.sum);
            self.kept.push(row);
        }
    }

    /// Count what came back, failed or not.
    fn push_rounds(&mut self, window: &Window) {
        let ended = |split: &Parts| -> u64 { split.iter().map(Counted::ended).sum() };
        let commands = window.commands.as_deref();
        let transfers = [&window.reads, &window.writes].into_iter();
        let parts = transfers.chain(commands.into_iter().flat_map(|both| [&both.trims, &both.syncs]));
        let outstanding = window.io_time_ns as f64 / WINDOW_NS as f64;
        self.rounds[0].push(parts.map(Counted::ended).sum(), outstanding);
        for (rounds, target) in self.rounds[1..].iter_mut().zip(self.targets.clone()) {
            rounds.push(window.split.get(target).map_or(0, ended), self.of_each as f64);
        }
    }

    /// Whether it hardly does anything but fail.
    pub(crate) fn hopeless(&self) -> bool {
        self.failed >= HOPELESS_ERRORS && self.failed > HOPELESS_FACTOR * self.completed
    }

    /// The reading of one of several loads, over the part that is measured of all of them.
    pub(crate) fn reading(
        mut self,
        (load, first_target): (&Point, usize),
        discarded_windows: usize,
        (issued, workers): (Issued, Vec<WorkerFacts>),
    ) -> LoadReading {
        let (precision, confidence) = (load.stopping.precision, load.stopping.confidence);
        let assessment = assess_from(&self.main, discarded_windows, confidence, precision);
        self.series.measure_from(discarded_windows);
        LoadReading {
            measured: self.measured((load, first_target), &assessment),
            series: self.series,
            precision: Precision::of(&assessment, confidence),
            issued,
            workers,
        }
    }

    /// Add up the measured part of a load whose series is cut.
    pub(crate) fn measured(
        &self,
        (load, first_target): (&Point, usize),
        assessment: &Assessment,
    ) -> Measured {
        let split = self.kept.split_since(assessment.discarded_windows);
        let load = (load, first_target, &self.series);
        Measured::of(
            self.windows(assessment, &split),
            load,
            &self.failures,
            crate::errno_name,
        )
    }

    /// Add up the measured part of all loads.
    pub(crate) fn measured_of_all(
        &self,
        point: &Point,
        loads: &[LoadReading],
        assessment: &Assessment,
    ) -> Measured {
        let nothing = Window::default();
        let windows = self.windows(assessment, &nothing);
        Measured::of_all(windows, (point, loads), &self.failures, crate::errno_name)
    }

    /// The measured windows; behind them one that holds what each of several targets did.
    fn windows<'a>(
        &'a self,
        assessment: &Assessment,
        split: &'a Window,
    ) -> impl Iterator<Item = &'a Window> + Clone {
        let rows = self.kept.since(assessment.discarded_windows);
        rows.iter().map(|row| &row.sum).chain(rows.first().map(|_| split))
    }
}

/// What each worker spent in the measured part, with the load that it keeps.
pub(crate) fn worker_facts(rows: &[Row], places: &[Place], windows: usize) -> Vec<(usize, WorkerFacts)> {
    let mut facts: Vec<(usize, WorkerFacts)> = Vec::new();
    for place in places {
        if place.worker < facts.len() {
            continue;
        }
        let threads = places.iter().filter(|other| other.worker == place.worker);
        let spent = rows.iter().map(|row| &row.workers[place.worker]);
        let of = WorkerFacts::of(spent, threads.count(), (windows, WINDOW_NS));
        facts.push((place.load, of));
    }
    facts
}
