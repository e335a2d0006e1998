use super::*;

const READ: Finished = Finished {
    load: 0,
    target: 0,
    write: false,
    command: None,
    bytes: 8192,
    latency: Ps(1),
    waited: None,
};

fn point(floor_ios: u64, cap_ios: u64) -> Point {
    let point = serde_json::json!({
        "profile": {
            "random_share": 1.0, "read_share": 1.0, "blocks": [{ "bytes": 8192, "weight": 1.0 }],
            "alignment_bytes": 4096, "data": "zeros", "shown_as": "transaction_rate",
        },
        "targets": [{
            "path": "disk", "kind": "virtual", "area_start_bytes": 0, "area_length_bytes": 1 << 30,
        }],
        "outstanding": 1, "workers": 1, "rate_io_s": null, "arrival": "fixed", "engine": "simulator",
        "direct": true, "seed": 1,
        "stopping": {
            "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95,
            "warmup_ios": 0, "floor_ios": floor_ios, "cap_ios": cap_ios,
        },
    });
    serde_json::from_value(point).expect("a point")
}

/// How many series of windows are begun until it is enough, where what is measured lasts so long at the least and so many
/// I/Os come in each window of a series; none where there is no end of it. A window should hold 20, and a series has 50.
fn series_of(least: Ps, ios_in: impl Fn(usize) -> u64) -> Option<usize> {
    let mut meter = Meter::new(&point(1000, 1000), (0, least), LONGEST_WAIT);
    let io = |meter: &mut Meter, at: Ps| {
        meter.issued(0, at);
        meter.finished(0, at + Ps(1), &READ, &Spent::default());
    };
    let mut now = Ps::ZERO;
    while !meter.due(now) {
        io(&mut meter, now);
        now += Ps(1_000_000);
    }
    let snapshot = meter.snapshot(now);
    meter.close(now, snapshot, &[(0, 0)]);
    let mut begun = 1;
    while meter.outcome.is_none() {
        let (at, apart) = (meter.all.windows.len(), meter.window.0 / 1000);
        for number in 0..ios_in(at) {
            io(&mut meter, now + Ps(apart * number));
        }
        now = meter.boundary(now);
        let snapshot = meter.snapshot(now);
        meter.close(now, snapshot, &[(0, 0)]);
        begun += usize::from(meter.all.windows.is_empty());
        if begun > 100 {
            return None;
        }
    }
    Some(begun)
}

/// As long as a beginning of a load needs them, windows tell of a pause: they are made longer, and no more often than is
/// told.
#[test]
fn windows_in_a_pause_are_made_longer_a_few_times() {
    let pause = |window| if window == 0 { 160 } else { 0 };
    assert_eq!(series_of(Ps::ZERO, pause), Some(1 + MOST_LOOKS));
    // Nor where what is left of the load is less than half of what should be.
    let fewer = |window| if window < 8 { 20 } else { [1, 9][window % 2] };
    assert_eq!(series_of(Ps::ZERO, fewer), Some(1 + MOST_LOOKS));
    let enough = |window| if window < 8 { 20 } else { [5, 23][window % 2] };
    assert_eq!(series_of(Ps::ZERO, enough), Some(1));
    // They are as long as they are by what is measured at the least, whatever comes in them.
    assert_eq!(series_of(Ps(1_000_000_000_000), pause), Some(1));
}

/// However many may be counted, what is kept of them is bounded.
#[test]
fn windows_are_longer_where_very_many_ios_may_be_counted() {
    for (floor, cap, expected) in [
        (20_000, 200_000_u64, 400),
        (20, 200_000, 20),
        (20, 10_000_000, 500),
        (20_000, 1 << 40, (1_u64 << 40) / MOST_WINDOWS),
    ] {
        let point = point(floor, cap);
        let lengths = Lengths::of(&point, (0, Ps::ZERO), LONGEST_WAIT);
        assert_eq!(lengths.window, expected);
        assert!(lengths.rule.cap_windows as u64 <= MOST_WINDOWS + 1);
    }
}

/// An I/O of each µs, of which 200 would do for the warm-up and 1000 for what is counted: where so many are told, and what is measured
/// lasts for 80 ms, the warm-up has them, and lasts for an eighth of that.
#[test]
fn what_is_measured_and_its_warm_up_last_as_long_as_is_told() {
    for (ios, least_ms) in [(0, 0), (0, 80), (50_000, 0), (50_000, 80)] {
        let least = Ps(least_ms * 1_000_000_000);
        let mut meter = Meter::new(&point(1000, 1000), (ios, least), LONGEST_WAIT);
        let (mut now, mut done) = (Ps::ZERO, 0);
        while meter.outcome.is_none() {
            meter.issued(0, now);
            now += Ps(1_000_000);
            while meter.due(now) && meter.outcome.is_none() {
                let at = meter.boundary(now);
                let snapshot = meter.snapshot(at);
                meter.close(at, snapshot, &[(0, 0)]);
            }
            meter.finished(0, now, &READ, &Spent::default());
            done += 1;
            assert!(done < 1_000_000, "it has no end");
        }
        let warmup = ios.max(200).max(least_ms * 1000 / 8);
        let began = meter.begin.0 / 1_000_000;
        assert!(
            (warmup..warmup + 100).contains(&began),
            "{ios}, {least_ms}: {began}"
        );
        let measured = meter.ended().since(meter.begin).0 / 1_000_000;
        let expected = (least_ms * 1000).max(1000);
        assert!(
            (expected - 100..2 * expected).contains(&measured),
            "{ios}, {least_ms}: {measured}"
        );
    }
}

/// Of 1000 I/Os 50 windows are made, and of 10,000 that may be counted 500. Where a window holds 20 it stays at that; of 60, a third
/// as many do, and of very many no fewer than twice those that are measured at the least.
#[test]
fn windows_that_hold_more_than_they_need_end_at_the_ios_of_the_cap() {
    let lengths = Lengths::of(&point(1000, 10_000), (0, Ps(1)), LONGEST_WAIT);
    let most = |ios| lengths.rule_at(ios).cap_windows;
    assert_eq!([10.0, 20.0, 60.0, 80.0, 1e6].map(most), [500, 500, 167, 125, 100]);
    assert_eq!(lengths.rule_at(1e6).floor_windows, 50);
    let shorter = Lengths::of(&point(1000, 1500), (0, Ps(1)), LONGEST_WAIT);
    assert_eq!(shorter.rule_at(1e6).cap_windows, 75, "no more than they were");
}

/// 80 ms at the least, with I/Os each 1 or 3 µs by turns of chance: 50 windows of 1.6 ms, in each of which some 800 end and 20 would
/// do. So it ends after 160 ms, and not at 500 windows; nor is a second target waited for any longer, to which nothing goes.
#[test]
fn what_lasts_for_a_time_ends_at_twice_that_without_precision() {
    for targets in [1, 2] {
        let mut point = point(1000, 10_000);
        point.targets = vec![point.targets[0].clone(); targets];
        let mut meter = Meter::new(&point, (0, Ps(80_000_000_000)), 1);
        let mut now = Ps::ZERO;
        while meter.outcome.is_none() {
            let turn = iodyno_load::pattern::mix(7, now.0 / 2_000_000_000);
            meter.issued(0, now);
            now += Ps(if turn.is_multiple_of(2) {
                1_000_000
            } else {
                3_000_000
            });
            while meter.due(now) && meter.outcome.is_none() {
                let at = meter.boundary(now);
                let snapshot = meter.snapshot(at);
                meter.close(at, snapshot, &[(0, 0)]);
            }
            meter.finished(0, now, &READ, &Spent::default());
            assert!(now < Ps(2_000_000_000_000), "it has no end");
        }
        assert_eq!(meter.all.windows.len(), 100, "{targets} targets");
        assert!(
            matches!(meter.outcome, Some((Stopped::Cap, _))),
            "{targets} targets"
        );
    }
}
