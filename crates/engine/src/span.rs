//! How many windows a point can have.

use iodyno_load::request::{Point, Stopping};
use iodyno_load::window::WINDOW_NS;

/// Windows that cover so many seconds.
pub(crate) fn windows(seconds: f64) -> usize {
    ((seconds * 1e9).round() as u64).div_ceil(WINDOW_NS) as usize
}

/// Windows that count at the most: one at least, since the rule is asked after it.
pub(crate) fn cap_windows(stopping: &Stopping) -> usize {
    windows(stopping.cap_s).max(1)
}

/// Windows before what is counted: the warm-up, which is from the last beginning of a load on.
pub(crate) fn windows_before(point: &Point) -> usize {
    point.all_begun_ns().div_ceil(WINDOW_NS) as usize + windows(point.stopping.warmup_s)
}

/// Of these, the whole ones since a load of the point began.
pub(crate) fn windows_of_load_before(point: &Point, load: &Point) -> usize {
    windows_before(point) - load.begins_after_ns().div_ceil(WINDOW_NS) as usize
}

/// Where the last window that can count ends, in ns after the start.
pub(crate) fn last_end_ns(point: &Point) -> u64 {
    (windows_before(point) + cap_windows(&point.stopping)) as u64 * WINDOW_NS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_their_seconds_and_no_more() {
        for tenths in 0..100_000 {
            let seconds = tenths as f64 / 10.0;
            assert_eq!(windows(seconds), tenths, "{seconds} s");
        }
        assert_eq!([windows(8.301), windows(0.001)], [84, 1]);
    }
}
