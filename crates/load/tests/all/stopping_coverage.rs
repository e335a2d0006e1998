//! Simulates the stopping rule: how often do its 95 % intervals hold the true mean, and in what time?
//!
//! Each test prints its table in Markdown, with the seed. To see them, with another seed if wanted:
//!
//! ```text
//! IODYNO_SEED=2 cargo test --release -p iodyno-load --test all stopping_coverage -- --nocapture --test-threads 1
//! ```

use crate::series::families::{Family, fast, slow};
use crate::series::{Dice, PER_SECOND, both, correlated, ramp, settling, shaped, two_states, walk, white};
use iodyno_load::stopping::{Assessment, Decision, Rule, StopReason, Stopper, assess};

/// Series of each family; a share of 0.93 among 1500 lies 3.5 standard errors below 0.95.
const SERIES: u64 = if cfg!(debug_assertions) { 1000 } else { 1500 };
const LEAST_HELD: f64 = 0.93;
const STANDARD: Rule = Rule {
    floor_windows: 50,
    cap_windows: 600,
    precision: 0.02,
    confidence: 0.95,
};
const QUICK: Rule = Rule {
    floor_windows: 30,
    cap_windows: 30,
    ..STANDARD
};
const FIXED: Rule = Rule {
    floor_windows: 600,
    cap_windows: 600,
    ..STANDARD
};

fn seed() -> u64 {
    std::env::var("IODYNO_SEED")
        .ok()
        .map_or(1, |text| text.parse().expect("IODYNO_SEED is a whole number"))
}

/// What came of a family: shares of the series, and means over them.
struct Outcome {
    name: &'static str,
    held: f64,
    precise: f64,
    drifting: f64,
    precise_and_steady: f64,
    seconds: f64,
    half_width: f64,
}

impl Outcome {
    fn print(&self) {
        println!(
            "| {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
            self.name,
            100.0 * self.held,
            self.seconds,
            100.0 * self.half_width,
            100.0 * self.precise,
            100.0 * self.drifting
        );
    }
}

fn print_head(title: &str) {
    println!("\n{title}; {SERIES} series each, seed {}\n", seed());
    println!(
        "| series | intervals that hold, % | mean time, s | mean half-width, % | precise, % | drifting, % |"
    );
    println!("|---|---|---|---|---|---|");
}

/// Runs the rule on one series to its end.
fn run(rule: Rule, series: &[f64]) -> (usize, StopReason, Assessment) {
    let mut stopper = Stopper::new(rule);
    for windows in 1..=series.len() {
        if let Decision::Stop(reason, found) = stopper.check(&series[..windows]) {
            return (windows, reason, found);
        }
    }
    panic!("the cap did not stop it");
}

/// Runs the rule on many series of a family. `truth` gives the mean that an interval over the windows
/// from the first to before the second index should hold.
fn simulate(
    rule: Rule,
    number: usize,
    (name, make): &Family,
    truth: impl Fn(usize, usize) -> f64,
) -> Outcome {
    let (mut held, mut precise, mut drifting, mut both, mut seconds, mut half_width) = (0, 0, 0, 0, 0.0, 0.0);
    for index in 0..SERIES {
        let mut dice = Dice::new((seed() << 32) + ((number as u64) << 20) + index);
        let series = make(&mut dice, rule.cap_windows);
        let (windows, reason, found) = run(rule, &series);
        let share = found.half_width.expect("enough windows for an interval");
        let truth = truth(found.discarded_windows, windows);
        held += u64::from((found.mean - truth).abs() <= share * found.mean);
        precise += u64::from(reason == StopReason::Precise);
        drifting += u64::from(found.drifting);
        both += u64::from(reason == StopReason::Precise && !found.drifting);
        seconds += windows as f64 / PER_SECOND;
        half_width += share;
    }
    let of_all = |count: u64| count as f64 / SERIES as f64;
    let outcome = Outcome {
        name,
        held: of_all(held),
        precise: of_all(precise),
        drifting: of_all(drifting),
        precise_and_steady: of_all(both),
        seconds: seconds / SERIES as f64,
        half_width: half_width / SERIES as f64,
    };
    outcome.print();
    outcome
}

fn one(_: usize, _: usize) -> f64 {
    1.0
}

fn check_stationary(
    rule: Rule,
    families: &[Family],
    limit_of_drifting: impl Fn(&str) -> f64,
) -> Vec<Outcome> {
    let outcomes: Vec<Outcome> = families
        .iter()
        .enumerate()
        .map(|(number, family)| simulate(rule, number, family, one))
        .collect();
    for Outcome {
        name, held, drifting, ..
    } in &outcomes
    {
        assert!(*held >= LEAST_HELD, "{name}: {held} hold");
        assert!(
            *drifting <= limit_of_drifting(name),
            "{name}: {drifting} called drifting"
        );
    }
    outcomes
}

#[test]
fn intervals_hold_with_a_floor_of_5_s_and_a_cap_of_60_s() {
    print_head("Floor 5 s, cap 60 s, ±2 %");
    let families: Vec<Family> = fast().into_iter().chain(slow()).collect();
    let outcomes = check_stationary(STANDARD, &families, |_| 0.05);
    let quiet = &outcomes[0];
    assert!(
        quiet.seconds < 10.0 && quiet.precise > 0.99,
        "quiet series take {} s",
        quiet.seconds
    );
}

#[test]
fn intervals_hold_where_floor_and_cap_are_3_s() {
    print_head("Floor and cap 3 s");
    // A load that settles within these 3 s is rightly called drifting.
    check_stationary(
        QUICK,
        &fast(),
        |name| if name.starts_with("from") { 1.0 } else { 0.05 },
    );
}

#[test]
fn a_drift_is_not_called_precise_and_steady() {
    print_head("No steady mean: floor 5 s, cap 60 s, ±2 %; held is the mean of the measured part");
    let ramps: [(&str, f64, f64); 6] = [
        ("ramp +20 % in 60 s, white 1 %", 0.20, 0.01),
        ("ramp −20 % in 60 s, white 1 %", -0.20, 0.01),
        ("ramp +30 % in 60 s, white 1 %", 0.30, 0.01),
        ("ramp +50 % in 60 s, white 2 %", 0.50, 0.02),
        ("ramp −50 % in 60 s, white 2 %", -0.50, 0.02),
        ("ramp +50 % in 60 s, white 5 %", 0.50, 0.05),
    ];
    for (number, (name, total, cv)) in ramps.into_iter().enumerate() {
        let outcome = simulate(
            STANDARD,
            number,
            &(name, shaped(white(cv), ramp(total))),
            mean_of_ramp(total),
        );
        assert!(
            outcome.precise_and_steady <= 0.05,
            "{name}: {}",
            outcome.precise_and_steady
        );
    }
    let walks = [
        ("random walk, 0.5 % a window; held is its start", 0.005),
        ("random walk, 1 % a window; held is its start", 0.01),
        ("random walk, 3 % a window; held is its start", 0.03),
    ];
    for (number, (name, step)) in walks.into_iter().enumerate() {
        let outcome = simulate(STANDARD, number, &(name, walk(step)), one);
        assert!(
            outcome.precise_and_steady <= 0.05,
            "{name}: {}",
            outcome.precise_and_steady
        );
    }
}

/// Mean of a ramp over the windows kept.
fn mean_of_ramp(total: f64) -> impl Fn(usize, usize) -> f64 {
    move |from, to| 1.0 + total * ((from + to - 1) as f64 / 2.0 / PER_SECOND / 60.0 - 0.5)
}

#[test]
fn a_ramp_of_15_percent_over_the_measured_part_is_called_drifting() {
    print_head("Ramp of 15 %: floor and cap 60 s");
    for (number, (name, cv, least)) in [
        ("white 1 %", 0.01, 0.99),
        ("white 2 %", 0.02, 0.99),
        ("white 3 %", 0.03, 0.99),
        ("white 5 %", 0.05, 0.90),
    ]
    .into_iter()
    .enumerate()
    {
        let outcome = simulate(
            FIXED,
            number,
            &(name, shaped(white(cv), ramp(0.15))),
            mean_of_ramp(0.15),
        );
        assert!(outcome.drifting >= least, "{name}: {}", outcome.drifting);
    }
}

/// What the module's documentation names as its limits; printed so that they are known, and kept from growing.
#[test]
fn the_limits_are_as_documented() {
    print_head("Limits: floor 5 s, cap 60 s, ±2 %");
    for (number, family) in [
        (
            "AR 0.9, 2 % and white 5 %",
            both(correlated(0.9, 0.02), white(0.05)),
        ),
        (
            "AR 0.95, 5 % and white 5 %",
            both(correlated(0.95, 0.05), white(0.05)),
        ),
        (
            "AR 0.95, 2 % and white 2 %",
            both(correlated(0.95, 0.02), white(0.02)),
        ),
    ]
    .iter()
    .enumerate()
    {
        let outcome = simulate(STANDARD, number, family, one);
        assert!(outcome.held >= 0.82, "{}: {}", outcome.name, outcome.held);
    }
    let hidden = (
        "ramp +20 % in 60 s, white 5 %; held is the mean of the measured part",
        shaped(white(0.05), ramp(0.2)),
    );
    simulate(STANDARD, 9, &hidden, mean_of_ramp(0.2));
    print_head("Limits: floor and cap 3 s");
    for (number, family) in [
        ("AR 0.8, 5 %", correlated(0.8, 0.05)),
        ("AR 0.9, 5 %", correlated(0.9, 0.05)),
        ("AR 0.95, 5 %", correlated(0.95, 0.05)),
        ("two states, 1 and 0.7, 1 s each", two_states(0.7, 10.0)),
        (
            "from 2 times, 2 s, white 2 %",
            shaped(white(0.02), settling(2.0, 2.0)),
        ),
        (
            "from 2 times, 5 s, white 20 %",
            shaped(white(0.20), settling(2.0, 5.0)),
        ),
    ]
    .iter()
    .enumerate()
    {
        simulate(QUICK, number, family, one);
    }
}

/// Stops as soon as the interval for independent samples is narrow enough: what the rule is there to avoid.
fn naive(series: &[f64]) -> (f64, f64) {
    let (mut sum, mut squares) = (0.0, 0.0);
    for (index, value) in series.iter().enumerate() {
        sum += value;
        squares += value * value;
        let count = (index + 1) as f64;
        let mean = sum / count;
        let half_width = 1.96 * ((squares / count - mean * mean).max(0.0) / (count - 1.0)).sqrt();
        if count >= 10.0 && (half_width <= 0.02 * mean || index + 1 == series.len()) {
            return (mean, half_width);
        }
    }
    unreachable!("the last value ends it");
}

#[test]
fn a_naive_rule_fails_where_the_honest_one_holds() {
    println!(
        "\nNaive rule: as soon as the interval for independent samples is narrow; {SERIES} series, seed {}\n",
        seed()
    );
    println!("| series | intervals that hold, % |");
    println!("|---|---|");
    let families: [(Family, f64); 4] = [
        (("white, 20 %", white(0.2)), 1.0),
        (("AR 0.8, 5 %", correlated(0.8, 0.05)), 0.8),
        (("AR 0.95, 5 %", correlated(0.95, 0.05)), 0.5),
        (
            (
                "from 2 times, 2 s, white 2 %",
                shaped(white(0.02), settling(2.0, 2.0)),
            ),
            0.5,
        ),
    ];
    for (number, ((name, make), at_most)) in families.iter().enumerate() {
        let holds = |index: u64| {
            let mut dice = Dice::new((seed() << 32) + ((number as u64) << 20) + index);
            let (mean, half_width) = naive(&make(&mut dice, STANDARD.cap_windows));
            (mean - 1.0).abs() <= half_width
        };
        let held = (0..SERIES).filter(|index| holds(*index)).count() as f64 / SERIES as f64;
        println!("| {name} | {:.1} |", 100.0 * held);
        assert!(held <= *at_most, "{name}: {held}");
    }
}

#[test]
fn of_several_loads_the_half_width_so_far_is_the_widest() {
    let series =
        |swing: usize| -> Vec<f64> { (0..50).map(|i| (1000 + swing * (i * 7 % 11)) as f64).collect() };
    let (steady, noisy) = (series(1), series(60));
    let alone = |series: &[f64]| assess(series, 0.95, 0.001).half_width.expect("enough windows");
    assert!(alone(&noisy) > 10.0 * alone(&steady));
    for several in [[steady.as_slice(), &noisy], [&noisy, &steady]] {
        let mut stopper = Stopper::new(Rule {
            floor_windows: 50,
            cap_windows: 600,
            precision: 0.001,
            confidence: 0.95,
        });
        assert_eq!(
            stopper.check_all(&several),
            Decision::Continue(Some(alone(&noisy)))
        );
    }
}
