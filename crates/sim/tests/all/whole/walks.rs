//! How a load walks over its area, and what drives make of it.

use iodyno_sim::ssd::amplification::{amplification, flash_ratio};
use serde_json::json;

use crate::whole::systems::{GB, assert_near, limited_by_dies, one_drive, point, run, server};

/// Of every eight writes one is random: what is amplified is an eighth of them, 1 + (WA − 1) / 8.
#[test]
fn of_turns_only_the_random_writes_are_amplified() {
    let system = limited_by_dies();
    let random = amplification(flash_ratio(0.12, 1.0, 1.0));
    for every in [1, 8] {
        let mut point = point(0.0, 64, 1);
        point["targets"][0]["area_length_bytes"] = json!(40 * GB);
        point["profile"]["random_every"] = json!(every);
        let reading = run(&point, &system);
        let expected = 64.0 * 4.0 / (4e-3 * (1.0 + (random - 1.0) / f64::from(every)));
        let found = reading.writes.completed as f64 / reading.measured_s;
        assert_near(found / expected, 1.0, 0.02);
    }
}

/// One outstanding read of 8 kB: command and die. What has gaps, or goes back, is no stream that could be fetched
/// ahead; what follows is.
#[test]
fn what_has_gaps_is_not_prefetched() {
    let mut drive = server(1_000, 2_000);
    (drive["read_ps"], drive["stripe_bytes"]) = (json!(60_000_000), json!(8192));
    drive["prefetch"] = json!({ "most_outstanding": 1, "delay_ps": 1_000_000, "bytes_s": 4 * GB });
    let system = one_drive(1, 0, json!([]), drive);
    let latency = |gap: i64| {
        let mut point = point(1.0, 1, 1);
        (point["profile"]["random_share"], point["profile"]["gap_bytes"]) = (json!(0.0), json!(gap));
        let reading = run(&point, &system);
        reading.measured_s * 1e9 / reading.reads.completed as f64
    };
    for gap in [8_192, 4 << 20, -16_384, -(4 << 20)] {
        assert_near(latency(gap), 63_000.0, 63.0);
    }
    assert!(latency(0) < 10_000.0);
}
