//! Arrays that the host joins: how many operations an I/O becomes, and what they cost.

use iodyno_load::reading::Reading;
use serde_json::json;

use crate::whole::systems::{GB, assert_near, host_raid, one_drive, point, rate, run, server};

/// Operations on drives for each I/O.
fn children(reading: &Reading) -> f64 {
    let simulation = reading.simulation.as_ref().expect("simulated");
    let firmware = simulation
        .stations
        .iter()
        .find(|station| station.name == "drive: firmware");
    firmware.expect("a firmware").jobs as f64 / (reading.reads.completed + reading.writes.completed) as f64
}

/// Writes smaller than a strip: RAID 0 one operation, RAID 10 two, RAID 1 one for each of its drives, RAID 5 four, RAID 6 six; reads one. 8 kB at
/// 4 kB offsets on strips of 64 kB: (8/4 − 1)/(64/4) = 1/16 of the I/Os cross into a second strip.
#[test]
fn an_io_becomes_as_many_operations_as_its_level_says() {
    let drive = server(1_000, 0);
    for (level, drives, of_write) in [
        ("0", 4, 1.0),
        ("1", 2, 2.0),
        ("1", 3, 3.0),
        ("1", 6, 6.0),
        ("10", 4, 2.0),
        ("5", 5, 4.0),
        ("6", 6, 6.0),
    ] {
        let system = host_raid(level, drives, 0, &drive);
        let aligned = |read_share| {
            let mut point = point(read_share, 8, 1);
            point["profile"]["alignment_bytes"] = json!(8192);
            point
        };
        assert_near(children(&run(&aligned(1.0), &system)), 1.0, 1e-3);
        assert_near(children(&run(&aligned(0.0), &system)), of_write, 5e-3);
    }
    let crossing = children(&run(&point(1.0, 8, 1), &host_raid("0", 4, 0, &drive)));
    // A share of 1/16 of 20 000 I/Os and more: standard error 0.0017 at the most.
    assert_near(crossing, 1.0 + 1.0 / 16.0, 0.006);
}

/// The worker pays for each operation beyond the first: 0 + 3 × 2 µs for a write to RAID 5.
#[test]
fn operations_beyond_the_first_cost_the_worker() {
    let system = host_raid("5", 5, 2_000, &server(100, 0));
    let mut point = point(0.0, 64, 1);
    point["profile"]["alignment_bytes"] = json!(8192);
    assert_near(rate(&run(&point, &system)) * 6e-6, 1.0, 1e-3);
}

/// A mirrored write waits for both, one after the other: read old data and parity, then write both.
#[test]
fn parity_is_written_after_it_was_read() {
    let system = host_raid("5", 3, 0, &server(10_000, 0));
    let mut point = point(0.0, 1, 1);
    point["profile"]["alignment_bytes"] = json!(8192);
    let latency = run(&point, &system).writes.latency;
    assert_eq!((latency.min_ns, latency.max_ns), (20_000, 20_000));
    let mirrored = run(&point, &host_raid("1", 2, 0, &server(10_000, 0)))
        .writes
        .latency;
    assert_eq!((mirrored.min_ns, mirrored.max_ns), (10_000, 10_000));
}

/// Striping over four drives is four times as fast, as far as nothing else is the limit.
#[test]
fn striping_adds_up_rates() {
    let one = host_raid("0", 1, 0, &server(10_000, 0));
    let four = host_raid("0", 4, 0, &server(10_000, 0));
    let mut point = point(1.0, 256, 1);
    point["profile"]["alignment_bytes"] = json!(8192);
    let quotient = rate(&run(&point, &four)) / rate(&run(&point, &one));
    assert!(quotient > 3.8 && quotient < 4.01, "{quotient}");
}

/// Garbage to collect follows from the share of each drive that is written: four drives with a quarter of each written are
/// four times as fast as one of them alone, and more than twice as fast as four that are written in full.
#[test]
fn each_member_is_written_as_far_as_the_array_is() {
    let mut drive = server(1_000, 0);
    (drive["dies"], drive["program_bytes"], drive["program_ps"]) =
        (json!(8), json!(32_768), json!(800_000_000));
    (drive["spare_share"], drive["filled_share"]) = (json!(0.07), json!(1.0));
    let of = |share: f64, joined: bool| {
        let mut system = match joined {
            true => host_raid("0", 4, 0, &drive),
            false => one_drive(1, 0, json!([]), drive.clone()),
        };
        let size = if joined { 3_199 * GB } else { 800 * GB };
        system["volumes"][0]["size_bytes"] = json!(size);
        let mut point = point(0.0, 256, 1);
        point["profile"]["alignment_bytes"] = json!(8192);
        point["targets"][0]["area_length_bytes"] = json!((size as f64 * share) as u64 / 8192 * 8192);
        rate(&run(&point, &system))
    };
    assert_near(of(0.25, true) / of(0.25, false), 4.0, 0.1);
    assert!(of(0.25, true) > 2.0 * of(1.0, true));
}

/// A stream of reads stays with one mirror, whose drive prefetches: the pair is as fast as a drive alone, and a RAID 10 as a
/// RAID 0 of as many drives as it has pairs.
#[test]
fn a_stream_of_reads_stays_with_one_mirror() {
    let mut drive = server(1_000, 0);
    (drive["read_ps"], drive["stripe_bytes"]) = (json!(80_000_000), json!(8192));
    drive["prefetch"] = json!({ "most_outstanding": 1, "delay_ps": 1_000_000, "bytes_s": 4 * GB });
    let of = |level, drives| {
        let mut point = point(1.0, 1, 1);
        point["profile"]["random_share"] = json!(0.0);
        rate(&run(&point, &host_raid(level, drives, 0, &drive)))
    };
    for (mirrored, plain) in [(("1", 2), ("0", 1)), (("10", 4), ("0", 2))] {
        assert_near(of(mirrored.0, mirrored.1) / of(plain.0, plain.1), 1.0, 1e-3);
    }
}

/// 64 MiB in strips of 512 bytes are 131 072 strips: two of three rows follow on each other on a member. An I/O is done when
/// the last of the operations is, of which a drive has a third, and takes 1 µs for each.
#[test]
fn an_io_of_tens_of_thousands_of_operations_waits_for_all_of_them() {
    let mut system = host_raid("5", 3, 0, &server(1_000, 0));
    system["volumes"][0]["on"]["array"]["strip_bytes"] = json!(512);
    let mut point = point(1.0, 1, 1);
    point["profile"]["blocks"] = json!([{ "bytes": 64 << 20, "weight": 1.0 }]);
    (point["stopping"]["warmup_ios"], point["stopping"]["floor_ios"]) = (json!(1), json!(20));
    point["stopping"]["cap_ios"] = json!(20);
    let reading = run(&point, &system);
    let operations = children(&reading);
    assert_near(operations / 65_536.0, 1.0, 1e-3);
    assert!(reading.reads.latency.min_ns as f64 >= 65_536.0 / 3.0 * 1e3);
}

/// A drive that is one server of 10 us: n mirrors read n times as much as one as soon as all have enough to do, with one failed
/// those that are left; they write as much as one, whether one has failed or not; and half of each takes (1 + n) ÷ 2 operations.
#[test]
fn mirrors_read_as_all_their_drives_and_write_as_one() {
    let drive = server(10_000, 0);
    for count in [2, 3, 5] {
        let of = |read_share: f64, failed: &[usize]| {
            let mut system = host_raid("1", count, 0, &drive);
            system["volumes"][0]["on"]["array"]["failed"] = json!(failed);
            rate(&run(&point(read_share, 256, 1), &system)) / 100_000.0
        };
        let all = count as f64;
        assert_near(of(1.0, &[]) / all, 1.0, 1e-3);
        assert_near(of(1.0, &[1]) / (all - 1.0), 1.0, 1e-3);
        assert_near(of(0.0, &[]), 1.0, 1e-3);
        assert_near(of(0.0, &[0]), 1.0, 1e-3);
        assert_near(of(0.5, &[]) / (2.0 * all / (1.0 + all)), 1.0, 0.02);
    }
}

/// Reads of mirrors go to the one with fewer under way: two drives that serve one after the other give twice what one does.
#[test]
fn a_host_reads_from_both_mirrors() {
    let system = host_raid("1", 2, 0, &server(100_000, 0));
    assert_near(rate(&run(&point(1.0, 16, 1), &system)) / 20_000.0, 1.0, 0.01);
}
