//! Streams of writes to arrays with parity that the host joins.

use iodyno_load::reading::Reading;
use serde_json::{Value, json};

use crate::whole::systems::{assert_near, host_raid, point, rate, run, server};

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

/// One by one nothing can be shared: each reads and writes data and parity, one after the other, whatever came before.
#[test]
fn one_outstanding_write_shares_nothing() {
    let system = host_raid("5", 8, 0, &server(10_000, 0));
    for kib in [8, 64] {
        let reading = run(&stream(kib, 1), &system);
        assert_near(operations(&reading), 4.0, 0.001);
        assert_eq!(reading.writes.latency.min_ns, 20_000);
        assert_eq!(reading.writes.latency.max_ns, 20_000);
    }
}

/// Two outstanding strips of one stripe share its parity: three reads and three writes. Of fourteen strips in two stripes twelve
/// go so, and two are apart, the last of one stripe and the first of the next: 6 · 6 + 2 · 4 operations.
#[test]
fn two_outstanding_strips_share_the_parity_of_their_stripe() {
    let system = host_raid("5", 8, 0, &server(10_000, 0));
    assert_near(operations(&run(&stream(64, 2), &system)), 44.0 / 14.0, 0.005);
}

/// With a member lost seven drives write a stripe: of eight rows one has lost its parity.
#[test]
fn a_stream_with_a_lost_member_is_written_in_whole_stripes() {
    let mut system = host_raid("5", 8, 0, &server(20_000, 0));
    system["volumes"][0]["on"]["array"]["failed"] = json!([2]);
    assert_near(operations(&run(&stream(64, 64), &system)), 1.0, 0.01);
    assert!(rate(&run(&stream(8, 16), &system)) > 0.0);
}
