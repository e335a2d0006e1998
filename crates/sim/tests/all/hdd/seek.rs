//! The seek curve.

use iodyno_sim::hdd::seek::SeekCurve;

use crate::hdd::drives::us;

const STROKE: u32 = 165_800;

fn curve() -> SeekCurve {
    SeekCurve::fit(us(230), us(7_500), us(17_060), STROKE)
}

#[test]
fn track_average_and_full_stroke_are_met() {
    let curve = curve();
    assert!(curve.time(1).0.abs_diff(us(230).0) < 1000, "{:?}", curve.time(1));
    assert!(
        curve.time(STROKE).0.abs_diff(us(17_060).0) < 1000,
        "{:?}",
        curve.time(STROKE)
    );
    // The definition of the datasheets: the sum over all pairs, of which 2(C − d) have distance d.
    let cylinders = f64::from(STROKE) + 1.0;
    let sum: f64 = (1..=STROKE)
        .map(|d| 2.0 * (cylinders - f64::from(d)) * curve.time(d).seconds())
        .sum();
    let average = sum / (cylinders * cylinders);
    assert!((average - 7.5e-3).abs() < 1e-6, "{average}");
}

#[test]
fn it_rises_without_a_jump_and_bends_once() {
    let curve = curve();
    assert_eq!(curve.time(0).0, 0);
    let slope = |d: u32| curve.time(d + 1).0 as i64 - curve.time(d).0 as i64;
    let mut before = slope(1);
    for d in 2..STROKE {
        let now = slope(d);
        assert!(now > 0, "falls at {d}");
        assert!(now <= before + 2, "steeper at {d}: {before} then {now} ps");
        before = now;
    }
}

#[test]
fn a_quarter_of_the_average_distance_costs_more_than_a_quarter_of_the_time() {
    let curve = curve();
    let (third, twelfth) = (curve.time(STROKE / 3), curve.time(STROKE / 12));
    assert!(twelfth.0 * 4 > third.0);
    // Ruemmler and Wilkes: a root for short distances. Four times as far is about twice as long beyond the settling.
    let settle = curve.time(1).0 as f64;
    let ratio = (curve.time(4000).0 as f64 - settle) / (curve.time(1000).0 as f64 - settle);
    assert!((1.95..2.1).contains(&ratio), "{ratio}");
}

#[test]
fn an_average_that_no_such_curve_has_is_met_all_the_same() {
    for (average, full) in [(1_000, 18_000), (9_500, 12_000)] {
        let curve = SeekCurve::fit(us(300), us(average), us(full), STROKE);
        let cylinders = f64::from(STROKE);
        let sum: f64 = (1..STROKE)
            .map(|d| 2.0 * (cylinders - f64::from(d)) * curve.time(d).seconds())
            .sum();
        let met = sum / (cylinders * cylinders);
        assert!(
            (met * 1e6 / average as f64 - 1.0).abs() < 0.01,
            "{met} for {average} us"
        );
    }
}

#[test]
fn beyond_its_reach_everything_takes_longer() {
    let curve = curve();
    for d in (2..STROKE).step_by(997) {
        let reach = curve.reach(curve.time(d));
        assert!(reach >= d && reach <= d + 2, "{d}: {reach}");
    }
}
