//! When a measurement may stop, and the interval that it then claims: the honest rule.
//!
//! The input is the main figure in windows of 100 ms, summed over the workers. Such samples
//! are correlated, start from a state that is not the settled one, and may never settle;
//! an interval that ignores this is narrow and wrong. The rule:
//!
//! 1. **Floor.** Nothing is decided before a least number of windows.
//! 2. **Settling.** The MSER-5 cut (White 1997; White, Cobb & Spratt 2000) is the beginning
//!    whose removal makes the standard error of the rest smallest. Twice that is discarded,
//!    half of the series at the most; where twice the cut would be more than half, the load
//!    counts as not settled.
//! 3. **Batch means** (Law & Kelton 1982; Fishman 1978). What is kept is averaged in 20
//!    batches, 5 at the least and 24 at the most. Their variance is raised for the lag-1 correlation that is left between them,
//!    by (1 + r)/(1 − r), the factor of a first-order autoregressive process. r is the largest
//!    of three: measured on the batches, and foreseen from the correlation of windows and of
//!    half seconds; each cleared of its small-sample bias (Marriott & Pope 1954). Student's t has the
//!    degrees of freedom that the correlation leaves. A second set of batches, longer by a
//!    factor that is far from a whole number, keeps a periodic disturbance from hiding in batches as
//!    long as its period; the wider interval counts.
//! 4. **Enough data.** The windows kept cover 15 correlation times or more.
//! 5. **No drift.** After the SNIA Performance Test Specification the line fitted to the kept part
//!    moves by no more than 10 % of the mean, and the means of 5 rounds lie within 20 %, unless
//!    noise alone explains more (98 %). A drift of more than a third of the precision asked for
//!    postpones the decision already where it is suspected (80 %).
//! 6. **Rounds.** Where the outstanding I/Os take long to come back, what is discarded lasts two rounds of them since the load
//!    began, half of the series at the most, and what is kept ten at the least: [`Rounds`].
//! 7. **Two passes.** All of this but the rounds holds at each check from some length of the series on until
//!    it is half as long again. A narrow interval by luck does not last that long.
//!
//! At the cap the time was chosen beforehand, not by the data, and one look suffices: [`StopReason::Precise`]
//! where the interval is as narrow as asked and no drift is proven, else [`StopReason::Cap`]
//! with the interval that the data give, however wide.
//!
//! A check every tenth more data takes some µs for a minute of windows and half a ms for an hour.
//!
//! # Where it is honest, and where not
//!
//! `tests/all/stopping_coverage.rs` simulates it. With a floor of 5 s and a cap of 60 s, 95 % intervals hold
//! at least 93 % of the time for noise up to 50 % (normal, log-normal, Poisson), for correlation
//! up to 0.95 from window to window, for periodic dips, two-state series, and loads that settle within seconds.
//! Where floor and cap are 3 s they hold for correlation up to 0.6. Beyond that:
//!
//! - What is slower than the data cannot be seen in them: at 3 s a correlation time of 1 s or more, a period
//!   above 3 s, a settling time constant above half a second. Such an interval is that of the time measured.
//! - A slow movement (correlation time of seconds) under faster noise of its own size shows
//!   only in long series. There the intervals hold about 87–93 % of the time.
//! - A drift too slow to rise above the noise before the rule stops is not seen; the
//!   mean is then that of the measured part.
//! - Where it was settled for less than 5 s after a beginning that was discarded, that beginning may as well
//!   come back. The interval is widened by all that discarding it changed.

mod batch;
mod drift;
mod rounds;
mod settle;
mod student;
#[cfg(test)]
mod tests;

use serde::Serialize;

use batch::Interval;
use drift::Drift;
pub use rounds::Rounds;
use settle::Cut;
pub(crate) use student::t_two_sided;

/// Windows of a settled part from which on a discarded beginning is taken not to come back:
/// 5 s, the usual period of journal commits and of write-back.
const RETURN_WINDOWS: usize = 50;
/// Correlation times that the kept part must cover.
const CORRELATION_TIMES: f64 = 15.0;
/// How much longer the series must be when the rule has held all the while.
const SECOND_PASS: f64 = 1.5;
/// The part of the precision asked for above which a drift is suspicious: precision ÷ this.
const SUSPICIOUS: f64 = 3.0;
/// Steps between checks: in windows, and as a share of the series, the larger of the two.
const STEP_WINDOWS: usize = 5;
const STEP_SHARE: f64 = 0.1;

/// Windows up to which each is kept by itself.
const KEPT_APART: usize = 1024;

/// Windows that are kept as one in a series of so many, and cut off as one at its beginning: a power of two,
/// less than 1/500 of the series.
///
/// ```
/// use iodyno_load::stopping::grain;
/// assert_eq!((grain(0), grain(1024), grain(1025), grain(36_000)), (1, 1, 2, 64));
/// ```
pub fn grain(windows: usize) -> usize {
    windows.div_ceil(KEPT_APART).next_power_of_two()
}

/// What is asked of a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// Windows before which it never stops, unless they are more than the cap.
    pub floor_windows: usize,
    /// Windows at which it always stops.
    pub cap_windows: usize,
    /// Half-width asked for, as a share of the mean: 0.02 is ±2 %.
    pub precision: f64,
    /// Confidence of the interval, above 0 and below 1: 0.95.
    pub confidence: f64,
}

/// The mean of a series, its interval, and whether it was steady.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assessment {
    /// Mean of the windows that were kept, in the unit of the series.
    pub mean: f64,
    /// Half-width of the interval as a share of the mean, 0 or more; none where fewer than 10 windows
    /// were left or the mean is not above 0.
    pub half_width: Option<f64>,
    /// Batch means that the interval rests on, 5 to 24; 0 where there is none.
    pub batches: usize,
    /// Windows in a batch.
    pub batch_windows: usize,
    /// Lag-1 correlation of the batch means that was corrected for, 0 to 1.
    pub lag1: f64,
    /// Windows cut off at the beginning because the load had not settled.
    pub discarded_windows: usize,
    /// Excursion of the fitted line over the kept part, as a share of the mean; below 0 where it falls.
    pub drift: f64,
    /// Range of the means of five equal rounds of the kept part, as a share of the mean.
    pub range: f64,
    /// Whether drift or range are over the limit and noise does not explain it: not steady.
    pub drifting: bool,
}

/// Why a measurement stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The interval is as narrow as asked for.
    Precise,
    /// Time ran out before.
    Cap,
}

/// What to do after a check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    /// Go on; with the half-width so far as a share of the mean, for display only.
    Continue(Option<f64>),
    /// Stop, with what the series then says.
    Stop(StopReason, Assessment),
}

/// Says what a series of windows tells: its mean, the interval at `confidence`, whether it was steady.
///
/// `series` holds whole windows only, finite and 0 or more. `precision` is the half-width asked for, as a
/// share of the mean: a smaller drift is not worth a word.
///
/// ```
/// let series: Vec<f64> = (0..100).map(|i| 1000.0 + f64::from(i * 7 % 11)).collect();
/// let found = iodyno_load::stopping::assess(&series, 0.95, 0.02);
/// assert!((found.mean - 1005.0).abs() < 1.0 && found.half_width.unwrap() < 0.02 && !found.drifting);
/// ```
pub fn assess(series: &[f64], confidence: f64, precision: f64) -> Assessment {
    look_at_all(&[series], &[], (confidence, precision)).assessment
}

/// As [`assess`] where it is settled which beginning is cut off: that of several series together.
pub fn assess_from(series: &[f64], discarded_windows: usize, confidence: f64, precision: f64) -> Assessment {
    let cut = Cut {
        windows: discarded_windows,
        settled: settle::find(series).settled,
    };
    look(series, &cut, confidence, precision).assessment
}

/// How the level of a series moved, where all of it is taken as settled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Movement {
    /// Excursion of the fitted line, as a share of the mean; below 0 where it falls.
    pub drift: f64,
    /// Range of the means of five equal rounds, as a share of the mean.
    pub range: f64,
    /// Whether one of them is over the limit and noise does not explain it.
    pub drifting: bool,
}

impl Movement {
    /// None of fewer than 10 windows, or where the mean is not above 0.
    pub(crate) fn of(series: &[f64]) -> Option<Self> {
        let interval = Interval::of(series, 0.95)?; // of it the error counts, and not the half-width
        let drift = Drift::of(series, &interval);
        Some(Self {
            drift: drift.excursion,
            range: drift.range,
            drifting: drift.over_limit(),
        })
    }
}

/// Follows a series and says when to stop.
#[derive(Debug, Clone)]
pub struct Stopper {
    rule: Rule,
    next: usize,
    passing_since: Option<usize>,
    half_width: Option<f64>,
}

impl Stopper {
    /// Starts to follow a series. Panics where precision or confidence are out of range.
    pub fn new(rule: Rule) -> Self {
        assert!(
            rule.confidence > 0.0 && rule.confidence < 1.0 && rule.precision >= 0.0,
            "{rule:?}"
        );
        let next = (rule.floor_windows as f64 / SECOND_PASS) as usize;
        Self {
            rule,
            next,
            passing_since: None,
            half_width: None,
        }
    }

    /// Takes the whole series so far, whole windows only; at any time, nearly free where nothing is due.
    pub fn check(&mut self, series: &[f64]) -> Decision {
        self.check_all(&[series])
    }

    /// As [`Stopper::check`] of several series of the same windows, at least one: what holds must hold for each
    /// of them, over one measured part. The decision tells the first.
    pub fn check_all(&mut self, several: &[&[f64]]) -> Decision {
        self.check_in_rounds(several, &[])
    }

    /// As [`Stopper::check_all`] where what is kept must be long beside the latencies of loads, or of the targets of
    /// one, each of which has followed the same windows.
    pub fn check_in_rounds(&mut self, several: &[&[f64]], loads: &[&Rounds]) -> Decision {
        let windows = several[0].len();
        let capped = windows >= self.rule.cap_windows;
        if !capped && windows < self.next {
            return Decision::Continue(self.half_width);
        }
        self.next = windows + STEP_WINDOWS.max((windows as f64 * STEP_SHARE) as usize);
        let look = look_at_all(several, loads, (self.rule.confidence, self.rule.precision));
        let from = look.assessment.discarded_windows;
        let enough = loads.iter().all(|load| load.enough(from));
        self.half_width = look.widest;
        if capped {
            let reason = if look.narrow {
                StopReason::Precise
            } else {
                StopReason::Cap
            };
            return Decision::Stop(reason, look.assessment);
        }
        if self.passed_long_enough(windows, look.passes) && enough {
            return Decision::Stop(StopReason::Precise, look.assessment);
        }
        Decision::Continue(self.half_width)
    }

    fn passed_long_enough(&mut self, windows: usize, passes: bool) -> bool {
        if !passes {
            self.passing_since = None;
            return false;
        }
        let since = *self.passing_since.get_or_insert(windows);
        windows >= self.rule.floor_windows && windows as f64 >= SECOND_PASS * since as f64
    }
}

/// One look at a series.
struct Look {
    assessment: Assessment,
    /// The widest half-width of all series; none where one has none.
    widest: Option<f64>,
    /// Whether the interval is as narrow as asked for, and no drift is proven.
    narrow: bool,
    /// Whether, besides, there is enough data to trust this at a time that the data chose.
    passes: bool,
}

/// Looks at series of the same windows: the beginning that one has to lose is cut off all of them.
fn look_at_all(several: &[&[f64]], loads: &[&Rounds], (confidence, precision): (f64, f64)) -> Look {
    let cuts = several.iter().map(|series| settle::find(series));
    let cut = cuts.reduce(|one, other| Cut {
        windows: one.windows.max(other.windows),
        settled: one.settled && other.settled,
    });
    let mut cut = cut.expect("at least one series");
    cut.windows = cut.windows.max(first_rounds(several[0].len(), loads));
    let looks = several
        .iter()
        .map(|series| look(series, &cut, confidence, precision));
    let all = looks.reduce(|first, other| Look {
        assessment: first.assessment,
        widest: first.widest.zip(other.widest).map(|(one, other)| one.max(other)),
        narrow: first.narrow && other.narrow,
        passes: first.passes && other.passes,
    });
    all.expect("at least one series")
}

/// Windows that are within the first rounds of any load: half of them at the most, in whole grains.
fn first_rounds(windows: usize, loads: &[&Rounds]) -> usize {
    let longest = loads.iter().map(|load| load.beginning()).max();
    longest.map_or(0, |first| first.min(windows / 2).next_multiple_of(grain(windows)))
}

fn look(series: &[f64], cut: &Cut, confidence: f64, precision: f64) -> Look {
    let kept = &series[cut.windows..];
    let Some(interval) = Interval::of(kept, confidence) else {
        return too_short(kept, cut.windows);
    };
    let drift = Drift::of(kept, &interval);
    let half_width = (interval.half_width + doubt(series, cut.windows, interval.mean)) / interval.mean;
    let drifting = drift.over_limit() || (!cut.settled && drift.proven(precision));
    let narrow = half_width <= precision && !drifting && !drift.proven(precision);
    let sure = cut.settled
        && kept.len() as f64 >= CORRELATION_TIMES * interval.correlation_windows
        && !drift.suspected(precision / SUSPICIOUS);
    let assessment = Assessment {
        mean: interval.mean,
        half_width: Some(half_width),
        batches: interval.batches,
        batch_windows: interval.batch_windows,
        lag1: interval.lag1,
        discarded_windows: cut.windows,
        drift: drift.excursion,
        range: drift.range,
        drifting,
    };
    Look {
        assessment,
        widest: assessment.half_width,
        narrow,
        passes: narrow && sure,
    }
}

/// What discarding the beginning changed, as long as the rest is too short to say that it will not come back.
fn doubt(series: &[f64], discarded: usize, mean: f64) -> f64 {
    if discarded == 0 || series.len() - discarded >= RETURN_WINDOWS {
        return 0.0;
    }
    (batch::mean(series) - mean).abs()
}

fn too_short(kept: &[f64], discarded: usize) -> Look {
    let assessment = Assessment {
        mean: batch::mean(kept),
        half_width: None,
        batches: 0,
        batch_windows: 0,
        lag1: 0.0,
        discarded_windows: discarded,
        drift: 0.0,
        range: 0.0,
        drifting: false,
    };
    Look {
        assessment,
        widest: None,
        narrow: false,
        passes: false,
    }
}
