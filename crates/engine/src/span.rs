//! How many windows a point can have.

use iodyno_load::request::{Point, Stopping};
use iodyno_load::window::WINDOW_NS;

/// Windows that cover so many seconds.
pub(crate) fn windows(seconds: f64) -> usize {
    (seconds * 1e9 / WINDOW_NS as f64).ceil() as usize
}

/// Windows that count at the most: one at least, since the rule is asked after it.
pub(crate) fn cap_windows(stopping: &Stopping) -> usize {
    windows(stopping.cap_s).max(1)
}

/// Windows before what is counted: the warm-up, which is from the last beginning of a load on.
pub(crate) fn windows_before(point: &Point) -> usize {
    point.all_begun_ns().div_ceil(WINDOW_NS) as usize + windows(point.stopping.warmup_s)
}

/// Where the last window that can count ends, in ns after the start.
pub(crate) fn last_end_ns(point: &Point) -> u64 {
    (windows_before(point) + cap_windows(&point.stopping)) as u64 * WINDOW_NS
}
