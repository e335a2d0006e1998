//! What is counted: warm-up by I/Os, then windows of virtual time that hold a useful number of completions, and
//! the stopping rule on them.

use iodyno_load::reading::{Series, Stopped};
use iodyno_load::request::{Point, ShownAs};
use iodyno_load::stopping::{Assessment, Decision, Rule, StopReason, Stopper};
use iodyno_load::traffic::Command;
use iodyno_load::window::{Window, WindowCounter};

use crate::each::{Each, Least, outstanding as outstanding_of};
use crate::spent::{Spent, SpentByAll};
use crate::station::Sums;
use crate::time::{Ps, Total};

/// Windows that the least number of measured I/Os is cut into.
const FLOOR_WINDOWS: u64 = 50;
/// I/Os of a window at the least.
const FEWEST_IOS: u64 = 20;
/// Windows that are kept at the most, each with the sums of the whole system.
const MOST_WINDOWS: u64 = 20_000;
/// I/Os before anything is counted, where the point does not say, and the least and most that are.
const WARMUP_IOS: u64 = 20_000;
const FLOOR_IOS: u64 = 20_000;
const CAP_IOS: u64 = 400_000;
/// Rounds that a closed loop makes before anything is counted, at the least, each of as many I/Os as are outstanding: at the
/// beginning all start at one moment and find empty queues, and so many pass until writes have filled buffers.
const WARMUP_ROUNDS: u64 = 24;
/// Rounds that are counted at the least, and at the most where the precision asked for is not reached before: in one round
/// I/Os that are quick complete often and the slow ones not at all.
const FLOOR_ROUNDS: u64 = 24;
const CAP_ROUNDS: u64 = 48;
/// The same of an open loop, where that many are outstanding at the most.
const OPEN_ROUNDS: u64 = 2;
/// After so many windows their length is looked at again, and so many times at most.
const LOOK_WINDOWS: usize = 8;
const MOST_LOOKS: usize = 4;
/// Windows may hold so many times the I/Os that they should, or that part of them.
const OFF: f64 = 2.0;
/// What is measured at the most where its least time alone has more I/Os than may be counted, as so many times that.
const CAP_FLOORS: usize = 2;
/// The part of what is measured at the least that the warm-up lasts at the least.
const LEAST_WARMUP: u64 = 8;
/// So many times the warm-up it is waited for that [each](crate::each) target and load has its part of it, at the most; of what is counted
/// the cap is the most.
pub(crate) const LONGEST_WAIT: u64 = 16;

/// An I/O that is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finished {
    pub(crate) load: usize,
    pub(crate) target: usize,
    pub(crate) write: bool,
    /// What it is where it is neither read nor write.
    pub(crate) command: Option<Command>,
    pub(crate) bytes: u32,
    pub(crate) latency: Ps,
    /// Where the loop is open.
    pub(crate) waited: Option<Waited>,
}

/// How an I/O of an open loop waited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waited {
    /// Intended start to completion.
    pub(crate) response: Ps,
    /// Intended start to issue.
    pub(crate) delay: Ps,
    /// Whether it was due while every slot was taken.
    pub(crate) held: bool,
}

/// What the whole system's sums are at the end of a window.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// One for each station.
    pub(crate) stations: Vec<Sums>,
    /// By load: time of all completed I/Os by place.
    pub(crate) spent: Vec<SpentByAll>,
    /// By load: sum of the latencies of all completed I/Os.
    pub(crate) latency: Vec<Total>,
    /// By load: time that the outstanding I/Os have been so, together.
    pub(crate) ages: Vec<Total>,
    /// By worker: integral of the outstanding I/Os over time.
    pub(crate) io_time: Vec<Total>,
    /// By worker: processor time.
    pub(crate) cpu: Vec<Ps>,
    /// Bytes of each failed member that are on a drive again, for each logical drive that rebuilds.
    pub(crate) rebuilt: Vec<u64>,
    /// Bytes that caches have taken in and have still to write, for each logical drive of each controller; where a loop is open.
    pub(crate) gained: Vec<u64>,
}

/// A worker's outstanding I/Os, integrated over time.
#[derive(Clone, Copy, Debug, Default)]
struct Depth {
    outstanding: u64,
    since: Ps,
    integral: Total,
}

impl Depth {
    #[inline]
    fn account(&mut self, at: Ps) {
        self.integral = self.until(at);
        self.since = at;
    }

    #[inline]
    fn until(&self, at: Ps) -> Total {
        self.integral + Total::of(at - self.since, self.outstanding)
    }
}

/// How many I/Os are for what.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    warmup: u64,
    window: u64,
    /// How long a window, and the warm-up, last at the least.
    least_window: Ps,
    least_warmup: Ps,
    /// I/Os of the warm-up at the most.
    longest_warmup: u64,
    /// What each target and each load has at the least: of the warm-up, and of what is counted.
    of_each: (Least, Least),
    rule: Rule,
}

impl Lengths {
    fn of(point: &Point, (least_warmup, least): (u64, Ps), longest_wait: u64) -> Self {
        let stopping = &point.stopping;
        let loads = point.loads();
        let in_rounds = |closed: u64, open: u64| -> u64 {
            let of = |load: &Point| outstanding_of(load) * if load.open_loop() { open } else { closed };
            loads.iter().map(of).sum()
        };
        let floor_ios = stopping.floor_ios.unwrap_or(FLOOR_IOS);
        let floor = floor_ios.max(in_rounds(FLOOR_ROUNDS, 0));
        let cap = stopping.cap_ios.unwrap_or(CAP_IOS).max(in_rounds(CAP_ROUNDS, 0));
        let window = (floor / FLOOR_WINDOWS).max(FEWEST_IOS).max(cap / MOST_WINDOWS);
        let windows = |ios: u64| ios.div_ceil(window) as usize;
        let warmup = stopping
            .warmup_ios
            .unwrap_or(WARMUP_IOS)
            .max(in_rounds(WARMUP_ROUNDS, OPEN_ROUNDS))
            .max(least_warmup)
            .max(200);
        Self {
            least_window: Ps(least.0 / windows(floor) as u64),
            least_warmup: Ps(least.0 / LEAST_WARMUP),
            longest_warmup: longest_wait * warmup,
            of_each: (
                Least::of_warmup((warmup, point.targets.len()), WARMUP_ROUNDS),
                Least::of_counted((floor, point.targets.len()), FLOOR_ROUNDS),
            ),
            warmup,
            window,
            rule: Rule {
                floor_windows: windows(floor),
                cap_windows: windows(cap.max(floor)),
                precision: stopping.precision,
                confidence: stopping.confidence,
            },
        }
    }

    /// The rule where a window holds so many I/Os: if more than it needs, as it lasts as long as is told, it ends at the I/Os of the
    /// cap, or after twice what is measured at the least where that is later.
    fn rule_at(&self, ios: f64) -> Rule {
        let Rule {
            floor_windows,
            cap_windows,
            ..
        } = self.rule;
        let cap = (self.window as f64 / ios * cap_windows as f64).ceil() as usize;
        Rule {
            cap_windows: cap.max(CAP_FLOORS * floor_windows).min(cap_windows),
            ..self.rule
        }
    }
}

/// Outstanding I/Os of all loads.
pub(crate) fn outstanding(point: &Point) -> usize {
    point.loads().iter().map(outstanding_of).sum::<u64>() as usize
}

/// What was counted of a load, or of all together, since the first window.
#[derive(Debug)]
pub(crate) struct Tally {
    shown_as: ShownAs,
    open_loop: bool,
    pub(crate) series: Series,
    pub(crate) windows: Vec<Window>,
    /// The main figure of each window.
    pub(crate) main: Vec<f64>,
}

impl Tally {
    fn new(load: &Point) -> Self {
        Self {
            shown_as: load.profile.shown_as,
            open_loop: load.open_loop(),
            series: Series::new(1, false),
            windows: Vec::new(),
            main: Vec::new(),
        }
    }

    /// Begin anew, with windows of so many ns, while so many I/Os are due and not issued.
    fn start(&mut self, window_ns: u64, backlog: u64) {
        self.series = Series::new(window_ns, self.open_loop).behind_by(backlog);
        self.windows.clear();
        self.main.clear();
    }

    fn push(&mut self, window: Window) {
        self.series.push(&window);
        self.windows.push(window);
    }

    fn judged(&mut self) -> &[f64] {
        let last = self.series.last();
        self.main.push(match self.shown_as {
            ShownAs::TransactionRate => last.completed(),
            ShownAs::Throughput => last.bytes(),
        } as f64);
        &self.main
    }
}

/// Counts, and says when it is enough.
#[derive(Debug)]
pub(crate) struct Meter {
    lengths: Lengths,
    /// When all loads have begun: the warm-up is from then on.
    begun: Ps,
    /// One for each load.
    counters: Vec<WindowCounter>,
    completed: u64,
    /// I/Os of the warm-up, once it is over.
    warmed: u64,
    /// I/Os of each target and load in the warm-up, then in the windows.
    of_each: Each,
    /// When half of the warm-up was done.
    half: Ps,
    looks: usize,
    depths: Vec<Depth>,
    /// By load.
    spent: Vec<SpentByAll>,
    latency: Vec<Total>,
    /// Length of a window; 0 before the windows begin.
    pub(crate) window: Ps,
    /// When the first window began, and when the present one ends.
    pub(crate) begin: Ps,
    end: Ps,
    /// All loads together.
    pub(crate) all: Tally,
    /// Each load, where there are several.
    pub(crate) loads: Vec<Tally>,
    /// At the beginning of the first window and the end of each.
    pub(crate) snapshots: Vec<Snapshot>,
    /// Of the windows in progress.
    rule: Rule,
    stopper: Stopper,
    pub(crate) outcome: Option<(Stopped, Assessment)>,
}

impl Meter {
    /// The warm-up has so many I/Os at the least, and what is measured lasts so long; for each target and load it is
    /// as many times as long as is told, at the most.
    pub(crate) fn new(point: &Point, least: (u64, Ps), longest_wait: u64) -> Self {
        let lengths = Lengths::of(point, least, longest_wait);
        let loads = point.loads();
        let mut first_target = 0;
        let counter = |load: &Point| {
            let own = first_target..first_target + load.targets.len();
            first_target = own.end;
            WindowCounter::new(point.targets.len(), own, load.open_loop())
                .with_commands(load.profile.syncs() || load.profile.trims())
        };
        Self {
            lengths,
            begun: Ps::from_ns(point.all_begun_ns()),
            counters: loads.iter().map(counter).collect(),
            completed: 0,
            warmed: 0,
            of_each: Each::of(&loads),
            half: Ps::ZERO,
            looks: 0,
            depths: vec![Depth::default(); loads.iter().map(Point::workers_in_all).sum()],
            spent: vec![SpentByAll::default(); loads.len()],
            latency: vec![Total::ZERO; loads.len()],
            window: Ps::ZERO,
            begin: Ps::ZERO,
            end: Ps(u64::MAX),
            all: Tally::new(point),
            loads: if loads.len() > 1 {
                loads.iter().map(Tally::new).collect()
            } else {
                Vec::new()
            },
            snapshots: Vec::new(),
            rule: lengths.rule,
            stopper: Stopper::new(lengths.rule),
            outcome: None,
        }
    }

    /// Whether a window ends at or before a moment.
    #[inline]
    pub(crate) fn due(&self, at: Ps) -> bool {
        at >= self.end
    }

    /// When the window in progress ends, as far as `at` is known: the end of the warm-up is where it is heard of.
    pub(crate) fn boundary(&self, at: Ps) -> Ps {
        if self.window == Ps::ZERO { at } else { self.end }
    }

    /// A worker issues an I/O.
    #[inline]
    pub(crate) fn issued(&mut self, worker: usize, at: Ps) {
        let depth = &mut self.depths[worker];
        depth.account(at);
        depth.outstanding += 1;
    }

    /// A worker's I/O is done, in the window in progress.
    #[inline]
    pub(crate) fn finished(&mut self, worker: usize, at: Ps, done: &Finished, spent: &Spent) {
        let depth = &mut self.depths[worker];
        depth.account(at);
        depth.outstanding -= 1;
        self.spent[done.load] += spent;
        self.latency[done.load] += done.latency;
        if let Some(command) = done.command {
            self.finished_command(command, done);
            if command == Command::Sync {
                return; // no access: it takes no part in the warm-up
            }
        } else {
            let counter = &mut self.counters[done.load];
            counter.completed(done.target, done.write, done.bytes, done.latency.ns());
            if let Some(waited) = done.waited {
                let start = (waited.delay.ns(), waited.held);
                counter.responded(done.target, done.write, waited.response.ns(), start);
            }
        }
        if self.window == Ps::ZERO {
            self.warm_up(at, done.target);
        }
    }

    /// Count a command; syncs are in no schedule.
    #[cold]
    fn finished_command(&mut self, command: Command, done: &Finished) {
        let counter = &mut self.counters[done.load];
        let counting = counter.commands.as_mut().expect("the profile has commands");
        counting.completed(done.target, command, done.bytes, done.latency.ns());
        if let (Command::Trim, Some(waited)) = (command, done.waited) {
            counting.trim_responded(done.target, waited.response.ns());
            counter.started((waited.delay.ns(), waited.held));
        }
    }

    #[cold]
    fn warm_up(&mut self, at: Ps, target: usize) {
        if at < self.begun {
            return;
        }
        if self.completed == 0 {
            self.count_each(at);
        }
        self.completed += 1;
        self.of_each.done(target);
        if self.completed <= self.lengths.warmup / 2 {
            self.half = at;
        }
        if self.completed >= self.lengths.warmup
            && at > self.half
            && at - self.begun >= self.lengths.least_warmup
            && (self.completed >= self.lengths.longest_warmup || self.each_has(self.lengths.of_each.0, at))
            && self.warmed == 0
        {
            (self.end, self.warmed) = (at, self.completed);
        }
    }

    /// Begin to count what each target and load has.
    fn count_each(&mut self, at: Ps) {
        let depths = &self.depths;
        self.of_each.begin(at, |worker| depths[worker].until(at));
    }

    fn each_has(&self, least: Least, at: Ps) -> bool {
        self.of_each
            .has(least, at, |worker| self.depths[worker].until(at))
    }

    /// The sums of the meter itself at a moment.
    pub(crate) fn snapshot(&mut self, at: Ps) -> Snapshot {
        self.depths.iter_mut().for_each(|depth| depth.account(at));
        Snapshot {
            spent: self.spent.clone(),
            latency: self.latency.clone(),
            io_time: self.depths.iter().map(|depth| depth.integral).collect(),
            ..Snapshot::default()
        }
    }

    /// A window, or the warm-up, ends at [`Meter::boundary`]; with what of each load is due and not issued, and
    /// what is under way.
    pub(crate) fn close(&mut self, at: Ps, snapshot: Snapshot, waiting: &[(u64, u64)]) {
        let pairs = self.counters.iter_mut().zip(waiting);
        let windows: Vec<_> = pairs
            .map(|(counter, &(backlog, under_way))| Window {
                under_way,
                ..counter.close(0, backlog)
            })
            .collect();
        if self.window == Ps::ZERO {
            let done = match self.lengths.least_warmup {
                Ps::ZERO => self.warmed,
                _ => self.completed,
            };
            let half = done - self.lengths.warmup / 2;
            let seconds = (at - self.half).seconds() / half as f64;
            return self.start(at, seconds, snapshot, waiting);
        }
        self.end += self.window;
        self.keep(windows);
        self.snapshots.push(snapshot);
        let may_look = self.looks < MOST_LOOKS;
        let off = may_look && self.all.windows.len() == LOOK_WINDOWS && self.off();
        if !off {
            self.judge();
        }
        if off || may_look && self.pauses() {
            self.looks += 1;
            self.outcome = None;
            let seconds = (at - self.begin).seconds() / self.counted(0).max(1) as f64;
            let snapshot = self.snapshots.pop().expect("pushed above");
            self.start(at, seconds, snapshot, waiting);
        }
    }

    /// Whether it ends at the cap with far fewer I/Os than that: windows as long as a burst needs have met a pause.
    fn pauses(&self) -> bool {
        let Some((Stopped::Cap, assessment)) = &self.outcome else {
            return false;
        };
        let kept = self.all.windows.len() - assessment.discarded_windows;
        let wanted = (kept as u64 * self.lengths.window) as f64;
        self.window.ns() > self.lengths.least_window.ns()
            && (self.counted(assessment.discarded_windows) as f64) < wanted / OFF
    }

    /// Keep a window of each load, and their sum.
    fn keep(&mut self, mut windows: Vec<Window>) {
        windows.iter().for_each(|window| self.of_each.add(window));
        if self.loads.is_empty() {
            return self.all.push(windows.remove(0));
        }
        let mut sum = Window::default();
        windows.iter().for_each(|window| sum.join(window));
        self.all.push(sum);
        self.loads
            .iter_mut()
            .zip(windows)
            .for_each(|(load, window)| load.push(window));
    }

    /// Begin windows of so many seconds an I/O, anew where there were some.
    fn start(&mut self, at: Ps, seconds: f64, snapshot: Snapshot, waiting: &[(u64, u64)]) {
        let ns = (seconds * self.lengths.window as f64 * 1e9).round().max(1.0) as u64;
        let ns = ns.max(self.lengths.least_window.ns());
        self.window = Ps::from_ns(ns);
        (self.begin, self.end) = (at, at + self.window);
        let due = || waiting.iter().map(|&(backlog, _)| backlog);
        self.count_each(at);
        self.all.start(ns, due().sum());
        let loads = self.loads.iter_mut().zip(due());
        loads.for_each(|(load, backlog)| load.start(ns, backlog));
        self.snapshots.clear();
        self.snapshots.push(snapshot);
        self.rule = self.lengths.rule_at(self.window.seconds() / seconds);
        self.stopper = Stopper::new(self.rule);
    }

    /// I/Os in the windows, but for so many of the first.
    fn counted(&self, but: usize) -> u64 {
        let Series {
            reads, writes, trims, ..
        } = &self.all.series;
        let each = [reads, writes, trims].into_iter();
        each.flat_map(|counts| counts.iter().skip(but)).sum()
    }

    /// Whether the windows hold far more or fewer I/Os than they should.
    fn off(&self) -> bool {
        if self.window.ns() == self.lengths.least_window.ns() {
            return false;
        }
        let wanted = (self.all.windows.len() as u64 * self.lengths.window) as f64;
        let held = self.counted(0) as f64;
        held > wanted * OFF || held < wanted / OFF
    }

    fn judge(&mut self) {
        let all = std::iter::once(&mut self.all).chain(&mut self.loads);
        let figures: Vec<_> = all.map(Tally::judged).collect();
        if let Decision::Stop(reason, assessment) = self.stopper.check_all(&figures) {
            let stopped = match reason {
                StopReason::Precise => Stopped::Precise,
                StopReason::Cap => Stopped::Cap,
            };
            let capped = self.all.windows.len() >= self.rule.cap_windows;
            if !capped && !self.each_has(self.lengths.of_each.1, self.ended()) {
                return;
            }
            self.outcome = Some((stopped, assessment));
        }
    }

    /// When the last window ended.
    pub(crate) fn ended(&self) -> Ps {
        self.begin + Ps(self.window.0 * self.all.windows.len() as u64)
    }
}

#[cfg(test)]
mod tests;
