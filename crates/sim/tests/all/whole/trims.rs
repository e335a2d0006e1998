//! Trims: a command without data for each, and more spare flash for what is written beside them.

use iodyno_sim::ssd::amplification::{amplification, flash_ratio};
use serde_json::{Value, json};

use crate::whole::systems::{
    GB, assert_near, host_raid, limited_by_dies, link, one_drive, point, run, server,
};

const CPU: u64 = 1_000;
const SERVICE: u64 = 3_000;
const DELAY: u64 = 16_000;

/// Random accesses of 8 kB of which a share trims; of the others none reads.
fn trims(share: f64, outstanding: usize) -> Value {
    let mut point = point(0.0, outstanding, 1);
    point["profile"]["trim_share"] = json!(share);
    point
}

#[test]
fn a_trim_is_a_command_and_moves_no_data() {
    // A link on which data would take their time.
    let system = one_drive(1, CPU, json!([link(GB / 100, true)]), server(SERVICE, DELAY));
    let reading = run(&trims(1.0, 1), &system);
    let done = reading.trims.as_ref().expect("trims");
    assert_eq!((done.latency.min_ns, done.latency.max_ns), (20_000, 20_000));
    assert_eq!(done.bytes, done.completed * 8192);
    assert_near(done.completed as f64 / reading.measured_s / 50_000.0, 1.0, 1e-3);
    assert_eq!(reading.reads.completed + reading.writes.completed, 0);
    assert_eq!(reading.issued.trims, reading.issued.trimmed_bytes / 8192);
}

#[test]
fn the_share_of_trims_is_kept_and_their_starts_are_in_the_schedule() {
    for rate in [None, Some(30_000.0)] {
        let mut point = trims(0.3, 8);
        point["rate_io_s"] = json!(rate);
        let reading = run(&point, &one_drive(1, CPU, json!([]), server(SERVICE, DELAY)));
        let done = reading.trims.as_ref().expect("trims");
        let all = done.completed + reading.writes.completed;
        // Four standard errors of a binomial share.
        assert_near(
            done.completed as f64 / all as f64,
            0.3,
            4.0 * (0.21 / all as f64).sqrt(),
        );
        let waited = done.response_time.as_ref().map(|times| times.count.iter().sum());
        assert_eq!(waited, rate.map(|_| done.completed));
    }
}

/// Dies are the limit: each write is programmed WA times, and the trimmed share of the area is spare flash as well.
#[test]
fn writes_beside_trims_are_amplified_less() {
    let system = limited_by_dies();
    for share in [0.0, 0.25, 0.5] {
        let mut point = trims(share, 64);
        point["targets"][0]["area_length_bytes"] = json!(40 * GB);
        let reading = run(&point, &system);
        let amplified = amplification(flash_ratio(0.12, 1.0, 1.0) / (1.0 - share));
        let expected = 64.0 * 4.0 / (4e-3 * amplified);
        let found = reading.writes.completed as f64 / reading.measured_s;
        assert_near(found / expected, 1.0, 0.02);
    }
}

/// What holds data are the bytes written last: of trims four times as long as writes a quarter takes away eight bytes for
/// each six that are written.
#[test]
fn long_trims_take_away_more_than_short_writes_bring() {
    let system = limited_by_dies();
    let mut point = trims(0.25, 64);
    point["targets"][0]["area_length_bytes"] = json!(40 * GB);
    point["profile"]["blocks"] = json!([{ "bytes": 32_768, "weight": 1.0 }]);
    point["profile"]["write_blocks"] = json!([{ "bytes": 8192, "weight": 1.0 }]);
    let reading = run(&point, &system);
    let amplified = amplification(flash_ratio(0.12, 1.0, 1.0) * 14.0 / 6.0);
    let found = reading.writes.completed as f64 / reading.measured_s;
    assert_near(found / (64.0 * 4.0 / (4e-3 * amplified)), 1.0, 0.02);
}

/// Both copies of a mirror are trimmed, side by side, and the one member of a stripe that has the blocks. Nothing of it takes time by
/// its length: neither on the core, nor on the way, nor in the drive.
#[test]
fn arrays_of_the_host_trim_their_members() {
    for (level, drives, told) in [("0", 4, 1), ("1", 2, 2)] {
        let child = 2_000;
        let mut point = trims(1.0, 1);
        point["profile"]["alignment_bytes"] = json!(8192);
        let mut drive = server(SERVICE, DELAY);
        drive["delay_write_per_kib_ps"] = json!(1_000_000);
        let mut system = host_raid(level, drives, child, &drive);
        for cost in ["cpu", "child_cpu"] {
            system["volumes"][0][cost]["per_kib_ps"] = json!(500_000);
        }
        let reading = run(&point, &system);
        let latency = &reading.trims.as_ref().expect("trims").latency;
        let expected = (told - 1) * child + SERVICE + DELAY;
        assert_eq!((latency.min_ns, latency.max_ns), (expected, expected), "{level}");
    }
}

/// What is amplified is the share of the writes that are random, however trims go: 1 + share × (WA − 1).
#[test]
fn random_writes_are_amplified_and_no_others() {
    let system = limited_by_dies();
    let random = amplification(flash_ratio(0.12, 1.0, 1.0) / 0.75);
    for (trimmed, written) in [(0.0, 1.0), (1.0, 0.0), (0.0, 0.5)] {
        let mut point = trims(0.25, 64);
        point["targets"][0]["area_length_bytes"] = json!(40 * GB);
        point["profile"]["random_share"] = json!(trimmed);
        point["profile"]["write_random_share"] = json!(written);
        let reading = run(&point, &system);
        let expected = 64.0 * 4.0 / (4e-3 * (1.0 + written * (random - 1.0)));
        let found = reading.writes.completed as f64 / reading.measured_s;
        assert_near(found / expected, 1.0, 0.02);
    }
}
