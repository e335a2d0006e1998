//! Streams of writes to arrays with parity that the host joins.

use iodyno_load::reading::Reading;
use serde_json::{Value, json};

use super::one_volume::at_once;
use super::systems::{assert_near, host_raid, point, rate, run, server};

const KIB: u64 = 1024;

/// Operations on drives for each write.
fn operations(reading: &Reading) -> f64 {
    let simulation = reading.simulation.as_ref().expect("simulated");
    let mut stations = simulation.stations.iter();
    let drives = stations.find(|station| station.name == "drive: firmware");
    drives.expect("drives").jobs as f64 / reading.writes.completed as f64
}

/// One worker that writes blocks of so many KiB one behind the other.
fn stream(kib: u64, outstanding: usize) -> Value {
    let mut point = point(0.0, outstanding, 1);
    (point["profile"]["random_share"], point["profile"]["blocks"]) =
        (json!(0.0), json!([{ "bytes": kib * KIB, "weight": 1.0 }]));
    point["targets"][0]["area_length_bytes"] = json!((32_u64 << 30) / (kib * KIB) * (kib * KIB));
    point
}

/// With many outstanding, whole stripes, wherever blocks end: n ÷ (n − 1) operations a strip in RAID 5, n ÷ (n − 2) in RAID 6,
/// none of them a read. Stripes that become whole with one write go together, an operation on each drive.
#[test]
fn a_stream_at_depth_is_written_in_whole_stripes() {
    for (level, data) in [("5", 7), ("6", 6)] {
        let system = host_raid(level, 8, 1_000, &server(20_000, 0));
        for kib in [60, 64, 100, 64 * data, 1024] {
            let found = operations(&run(&stream(kib, 64), &system));
            let stripes = (kib as f64 / (64 * data) as f64).min(1.0);
            assert!(
                (found / (8.0 * stripes) - 1.0).abs() < 0.02,
                "RAID {level}, {kib} kB: {found}"
            );
        }
    }
}

/// One by one: of the seven strips of a stripe in RAID 5 the first reads old data and old parity. Then the parity is known, and
/// each reads its old data, but the last but one, which reads the last instead, and that one then reads nothing: 7 reads
/// and 14 writes. In RAID 6 of six strips 3 + 1 + 1 + 1 + 1 + 0 reads and 18 writes. On four drives the first reads the rest
/// of its row: 2 reads for three strips, 1 for two. md itself is asked for these in `tests/vm/test_arrays.py`.
#[test]
fn one_outstanding_write_reads_no_parity_twice() {
    let cases = [
        ("5", 8, 21.0 / 7.0),
        ("6", 8, 25.0 / 6.0),
        ("5", 4, 8.0 / 3.0),
        ("6", 4, 7.0 / 2.0),
    ];
    for (level, drives, expected) in cases {
        let system = host_raid(level, drives, 0, &server(10_000, 0));
        for kib in [4, 8, 64] {
            let reading = run(&stream(kib, 1), &system);
            assert_near(operations(&reading), expected, 0.001);
            // The last ones only write.
            assert_eq!(reading.writes.latency.min_ns, 10_000);
            assert_eq!(reading.writes.latency.max_ns, 20_000);
        }
    }
}

/// Two outstanding strips of one stripe share its parity. Of the eight strips of nine drives the first two read themselves and the
/// parity, the next two themselves, the next two the last two instead, and those nothing: 7 reads and 4 · 3 writes.
#[test]
fn two_outstanding_strips_share_the_parity_of_their_stripe() {
    let system = host_raid("5", 9, 0, &server(10_000, 0));
    assert_near(operations(&run(&stream(64, 2), &system)), 19.0 / 8.0, 0.005);
}

/// Streams on areas of their own, with one outstanding each: what a stream has read is still there when it goes on, and each is as
/// one alone.
#[test]
fn several_streams_read_no_parity_twice() {
    let system = host_raid("5", 8, 0, &server(10_000, 0));
    for streams in [16, 64] {
        let mut point = stream(64, 1);
        (point["workers"], point["workers_area"]) = (json!(streams), json!("own"));
        assert_near(operations(&run(&point, &system)), 21.0 / 7.0, 0.02);
    }
}

/// Loads on one volume share its stripes: two that write the same stream in step need no operation more than one, and so half as
/// many for each write.
#[test]
fn two_loads_on_a_volume_share_its_stripes() {
    let system = host_raid("5", 8, 0, &server(10_000, 0));
    let both = run(&at_once(stream(64, 1), &[stream(64, 1)]), &system);
    assert_near(operations(&both), 21.0 / 7.0 / 2.0, 0.005);
}

/// With a member lost seven drives write a stripe: of eight rows one has lost its parity.
#[test]
fn a_stream_with_a_lost_member_is_written_in_whole_stripes() {
    let mut system = host_raid("5", 8, 0, &server(20_000, 0));
    system["volumes"][0]["on"]["array"]["failed"] = json!([2]);
    assert_near(operations(&run(&stream(64, 64), &system)), 1.0, 0.01);
    assert!(rate(&run(&stream(8, 16), &system)) > 0.0);
}
