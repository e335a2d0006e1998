//! Arrays with failed members.

use iodyno_load::reading::{Reading, Rebuilding};
use serde_json::{Value, json};

use crate::controller::systems::*;

const SERVICE: u64 = 200_000;

/// Bytes of a member whose rebuilding begins at once: four steps of a strip.
const AT_ONCE: f64 = 4.0 * STRIP as f64;

fn failed(mut system: Value, failed: &[usize], rebuild_bytes_s: u64) -> Value {
    let array = &mut system["controllers"][0]["logicals"][0]["array"];
    array["failed"] = json!(failed);
    array["rebuild_bytes_s"] = json!(rebuild_bytes_s);
    system
}

/// Seven of eight reads find their drive; the eighth reads the seven others: 14/8 operations a read. Each survivor
/// has twice the load, so the array has 8/7 · 7/14 of its rate.
#[test]
fn a_lost_member_doubles_the_reads_of_the_others() {
    let whole = array("5", 8, 7, &server(SERVICE));
    let degraded = failed(whole.clone(), &[3], 0);
    let (one, other) = (
        run(&random(&whole, 1.0, 8192, 256), &whole),
        run(&random(&degraded, 1.0, 8192, 256), &degraded),
    );
    // The share of reads that are lost has a standard error of 0.0023, times six.
    assert_near(operations(&other), 14.0 / 8.0, 0.05);
    assert_near(rate(&other) / rate(&one), 0.5, 0.04);
    // The one that does nothing does not hide that the others do all they can.
    let drives = station(&other, "drive: firmware");
    assert_eq!(drives.count, 7);
    assert!(drives.utilisation_mean > 0.97, "{}", drives.utilisation_mean);
    let limit = other.simulation.expect("simulated").bottleneck;
    assert!(limit.station.is_some() && limit.utilisation > 0.97, "{limit:?}");
}

/// What a stream reads of a row with a lost strip is told by all of the row, and two reads of the host that share a row read it
/// twice. Still it passes the heads once: seven disks' rates, as with all members, however many reads wait.
#[test]
fn a_stream_with_a_lost_member_has_the_rate_of_all_disks_but_one() {
    let whole = array("5", 8, 7, &disk());
    for system in [failed(whole.clone(), &[0], 0), whole] {
        for bytes in [256_u64 << 10, 1 << 20] {
            for outstanding in [2, 4, 32] {
                let mut point = random(&system, 1.0, bytes, outstanding);
                point["profile"]["random_share"] = json!(0.0);
                point["targets"][0]["area_length_bytes"] = json!(40 * GB / bytes * bytes);
                let found = rate(&run(&point, &system)) * bytes as f64 / f64::from(240 << 20);
                let shown = format!("{found} disks, {bytes} bytes, {outstanding} outstanding");
                assert!((6.9..=7.05).contains(&found), "{shown}");
            }
        }
    }
}

#[test]
fn a_mirror_without_its_twin_reads_at_half_the_rate() {
    let whole = array("1", 2, 1, &server(SERVICE));
    let degraded = failed(whole.clone(), &[0], 0);
    let of = |system| rate(&run(&random(system, 1.0, 8192, 64), system));
    assert_near(of(&degraded) / of(&whole), 0.5, 0.01);
    assert_near(
        operations(&run(&random(&degraded, 0.0, 8192, 4), &degraded)),
        1.0,
        0.001,
    );
}

/// A rebuild of 100 MB/s in steps of a strip of 64 KiB: so many steps a second, each seven reads and a write, beside
/// the 14/8 operations of a read of the host.
#[test]
fn a_rebuild_takes_its_rate_of_the_drives() {
    let system = failed(array("5", 8, 7, &server(50_000)), &[3], 100_000_000);
    let reading = run(&random(&system, 1.0, 8192, 1), &system);
    let steps = 100e6 / STRIP as f64 / rate(&reading);
    assert_near(operations(&reading), 14.0 / 8.0 + 8.0 * steps, 0.05);
    let told = rebuilding(&reading);
    assert_near(told.bytes_s, 100e6, AT_ONCE / reading.measured_s);
    assert_eq!((told.volume.as_str(), told.asked_bytes_s), ("disk", 100e6));
}

/// All failed members are rebuilt at once, each at the rate: four reads tell the bytes of both of a RAID 6 of six. A read of the
/// host finds its drive four times of six, and reads four in its place else.
#[test]
fn all_failed_members_are_rebuilt() {
    let system = failed(array("6", 6, 4, &server(50_000)), &[1, 4], 200_000_000);
    let reading = run(&random(&system, 1.0, 8192, 1), &system);
    let steps = 200e6 / STRIP as f64 / rate(&reading);
    assert_near(operations(&reading), (4.0 + 2.0 * 4.0) / 6.0 + 6.0 * steps, 0.05);
    assert_near(rebuilding(&reading).bytes_s, 200e6, AT_ONCE / reading.measured_s);
}

/// What a reading tells of the one logical drive that rebuilds.
fn rebuilding(reading: &Reading) -> &Rebuilding {
    let simulation = reading.simulation.as_ref().expect("simulated");
    assert_eq!(simulation.rebuilds.len(), 1);
    &simulation.rebuilds[0]
}

/// A controller whose parity engine is so slow that it counts.
fn computing(level: &str, drives: usize, data: u64, lost: &[usize], rebuild_bytes_s: u64) -> Value {
    let system = failed(
        array(level, drives, data, &server(SERVICE)),
        lost,
        rebuild_bytes_s,
    );
    having(system, "parity_bytes_s", GB)
}

/// What a lost member had is computed when all that tells it is here, at the cost of as much parity: at the engine that of the
/// bytes that are put together, at the processor that of those that come out.
#[test]
fn what_a_lost_member_had_is_computed() {
    let found = HOST_IO + DISK_IO + SERVICE + DELAY;
    for (level, drives, data, lost) in [("5", 8, 7, &[3][..]), ("6", 8, 6, &[3, 5])] {
        let system = computing(level, drives, data, lost, 0);
        let latency = run(&random(&system, 1.0, 8192, 1), &system).reads.latency;
        let told = found + (data - 1) * DISK_IO + 8 * PARITY_KIB + 8192 * data;
        assert_eq!((latency.min_ns, latency.max_ns), (found, told), "RAID {level}");
    }
}

/// A row that is read has lost data in seven of eight times: the lost member has the parity in the eighth or, of a RAID 6, two
/// beside each other have both. They are put together from as many strips as a row has data, and two lost ones out of the same.
#[test]
fn the_engine_of_parity_limits_reads_of_lost_members() {
    for (level, data, lost, share) in [("5", 7, &[3][..], 7.0 / 8.0), ("6", 6, &[2, 3], 7.0 / 8.0)] {
        let system = computing(level, 8, data, lost, 0);
        for ahead in [false, true] {
            let system = with(system.clone(), "read_ahead", json!(ahead));
            let mut point = random(&system, 1.0, data * STRIP, 16);
            point["profile"]["random_share"] = json!(if ahead { 0.0 } else { 1.0 });
            let reading = run(&point, &system);
            let each = share * (data * STRIP) as f64 / 1e9;
            // The share of rows without lost data has a standard error of 0.0023 where they are drawn.
            assert_near(rate(&reading) * each, 1.0, 0.012);
            let simulation = reading.simulation.expect("simulated");
            let (limit, waited) = (
                simulation.bottleneck.station,
                simulation.latency_split["controller_cpu"],
            );
            assert_eq!(
                limit.as_deref(),
                Some("controller: parity"),
                "RAID {level}, {ahead}"
            );
            // That is where most of the latency is, also of what was fetched ahead.
            assert!(waited > 0.5, "RAID {level}, {ahead}: {waited}");
        }
    }
}

/// Each step of a rebuild is put together once for all that it tells.
#[test]
fn what_is_rebuilt_is_computed() {
    for (level, drives, data, lost) in [("5", 8, 7, &[3][..]), ("6", 6, 4, &[1, 4])] {
        let system = computing(level, drives, data, lost, 40_000_000);
        let mut point = random(&system, 1.0, 8192, 1);
        point["rate_io_s"] = json!(100.0);
        let reading = run(&point, &system);
        let engine = station(&reading, "controller: parity").utilisation_mean;
        assert_near(engine / (data as f64 * 0.04), 1.0, 0.03);
        // At the processor each of the lost members costs, and so do the operations on all.
        let lost = lost.len() as u64;
        let step = (data + lost) * DISK_IO + lost * STRIP / 1024 * PARITY_KIB;
        let steps = 40e6 / STRIP as f64 * step as f64 / 1e9;
        let share = lost as f64 / drives as f64;
        let read = DISK_IO as f64 * (1.0 - share + share * data as f64) + share * 8.0 * PARITY_KIB as f64;
        let reads = 100.0 * (HOST_IO as f64 + read) / 1e9;
        let processor = station(&reading, "controller: processor").utilisation_mean;
        assert_near(processor / (steps + reads), 1.0, 0.03);
    }
}

#[test]
fn what_rebuilds_nothing_tells_of_none() {
    let degraded = failed(array("5", 8, 7, &server(SERVICE)), &[3], 0);
    let reading = run(&random(&degraded, 1.0, 8192, 1), &degraded);
    assert_eq!(reading.simulation.expect("simulated").rebuilds, []);
}

#[test]
fn a_rebuild_costs_the_host() {
    let degraded = failed(array("5", 8, 7, &server(SERVICE)), &[3], 0);
    let rebuilding = failed(degraded.clone(), &[3], 100_000_000);
    let of = |system| rate(&run(&random(system, 1.0, 8192, 64), system));
    assert!(of(&rebuilding) < 0.9 * of(&degraded));
}

/// A rebuild that is asked to be faster than the drives can be keeps them busy, and still lets the host in: it has sixteen
/// steps at one of them at most, and a read of the host comes behind those and all others.
#[test]
fn a_rebuild_as_fast_as_can_be_lets_the_host_in() {
    let system = failed(array("5", 8, 7, &server(SERVICE)), &[3], GB / 2);
    let mut point = random(&system, 1.0, 8192, 128);
    (point["stopping"]["warmup_ios"], point["stopping"]["floor_ios"]) = (json!(500), json!(1000));
    let reading = run(&point, &system);
    let drives = station(&reading, "drive: firmware");
    assert!(drives.utilisation_max > 0.95, "{}", drives.utilisation_max);
    let most = (128 + 16) * SERVICE + 128 * (HOST_IO + 7 * DISK_IO) + DELAY;
    let longest = reading.reads.latency.max_ns;
    assert!(longest <= most, "{longest} of {most}");
}

/// Beside one outstanding read nearly all that the drives do is the rebuild's: seven reads and a write for each step.
#[test]
fn what_a_rebuild_came_to_is_told() {
    let system = failed(array("5", 8, 7, &server(SERVICE)), &[3], GB);
    let reading = run(&random(&system, 1.0, 8192, 1), &system);
    let told = rebuilding(&reading);
    let steps = rate(&reading) * (operations(&reading) - 14.0 / 8.0) / 8.0;
    assert_near(told.bytes_s / (steps * STRIP as f64), 1.0, 0.01);
    assert!(told.bytes_s < 0.5 * told.asked_bytes_s, "{told:?}");
}

/// A rebuild goes on from strip to strip. So a disk writes what of four steps is there in one revolution of 4 ms, up to
/// 66 MB/s; at one place it would need a revolution for each, 16 MB/s.
#[test]
fn a_rebuild_of_disks_is_sequential() {
    let mut slow = disk();
    (slow["missed_revolution"], slow["capacity_bytes"]) = (json!(0.0), json!(10 * GB));
    let system = failed(array("1", 2, 1, &slow), &[0], 40_000_000);
    let mut point = random(&system, 1.0, 8192, 1);
    point["profile"]["think_time_us"] = json!(200_000);
    (point["stopping"]["warmup_ios"], point["stopping"]["floor_ios"]) = (json!(50), json!(100));
    let reading = run(&point, &system);
    let steps = station(&reading, "drive: mechanics").jobs as f64 / reading.measured_s / 2.0;
    assert_near(steps * STRIP as f64 / 40e6, 1.0, 0.05);
    let told = rebuilding(&reading);
    assert_near(told.bytes_s / (steps * STRIP as f64), 1.0, 0.01);
    assert_eq!(told.member_bytes, 10 * GB);
}

/// A step that could not begin when it was due is made up for: one behind the other they need no revolution each, and the
/// rate asked for is reached, four times what single steps of 64 KiB in 4 ms come to. The outermost tracks have 240 MB/s.
#[test]
fn a_rebuild_of_disks_comes_to_the_rate_asked_for() {
    let mut slow = disk();
    (slow["missed_revolution"], slow["capacity_bytes"]) = (json!(0.0), json!(10 * GB));
    for asked in [70_000_000, 120_000_000, 200_000_000] {
        let system = failed(array("1", 2, 1, &slow), &[0], asked);
        let mut point = random(&system, 1.0, 8192, 1);
        point["profile"]["think_time_us"] = json!(200_000);
        (point["stopping"]["warmup_ios"], point["stopping"]["floor_ios"]) = (json!(50), json!(100));
        point["stopping"]["cap_ios"] = json!(100);
        let told = rebuilding(&run(&point, &system)).bytes_s;
        assert_near(told / asked as f64, 1.0, 0.02);
    }
}

/// A stream that fills the disks is left for a rebuild, which comes to its rate, and goes on. At 1 MB/s there are 15 steps
/// a second; each is read in one excursion at the most: there and back the whole stroke of 7.3 ms and a revolution of 4 ms, and
/// a quarter of a millisecond for 64 KiB.
#[test]
fn a_rebuild_beside_a_stream_comes_to_the_rate_asked_for() {
    let mut steady = disk();
    steady["missed_revolution"] = json!(0.0);
    let of = |asked: u64, outstanding| {
        let system = failed(array("5", 8, 7, &steady), &[3], asked);
        let mut point = sequential(&system, 1.0, outstanding);
        point["targets"][0]["area_length_bytes"] = json!(400 * GB);
        let reading = run(&point, &system);
        if asked > 0 {
            let told = rebuilding(&reading).bytes_s;
            let open = 0.01 * asked as f64 + AT_ONCE / reading.measured_s;
            assert_near(told, asked as f64, open);
        }
        rate(&reading)
    };
    for outstanding in [1, 8, 64] {
        let alone = of(0, outstanding);
        let beside = [1, 5, 20, 50].map(|mb_s| of(mb_s * 1_000_000, outstanding));
        let away = 1e6 / STRIP as f64 * (2.0 * (7.3e-3 + 4e-3) + 0.4e-3);
        assert!(
            beside[0] > (1.0 - away) * alone,
            "{beside:?} of {alone} at {outstanding}"
        );
        assert!(
            beside.is_sorted_by(|less, more| less > more),
            "{beside:?} at {outstanding}"
        );
    }
}

/// Asked for more than the disks can do beside a stream, a rebuild has more than the 50 MB/s that it has where they are asked for,
/// and the load goes on: a disk passes no command over for longer than 1 s.
#[test]
fn a_rebuild_of_disks_that_is_asked_for_too_much_has_no_less() {
    let system = failed(array("5", 8, 7, &disk()), &[3], GB);
    let mut point = sequential(&system, 1.0, 64);
    point["targets"][0]["area_length_bytes"] = json!(400 * GB);
    (point["stopping"]["warmup_ios"], point["stopping"]["floor_ios"]) = (json!(50), json!(100));
    let reading = run(&point, &system);
    let told = rebuilding(&reading).bytes_s;
    assert!(told > 50e6 && told < 240e6, "{told}");
    assert!(rate(&reading) > 32.0, "{}", rate(&reading));
}

/// A hundred steps at the rate asked for; of disks sixteen times what one of them can pass over, 256 revolutions of 4 ms; and
/// an eighth of it before. Without a rebuild nothing asks for more than the I/Os.
#[test]
fn a_rebuild_is_watched_for_long_enough() {
    let watched = |drive: &Value, rate: u64| {
        let system = failed(array("1", 2, 1, drive), &[0], rate);
        let mut point = random(&system, 1.0, 8192, 16);
        for (what, ios) in [("warmup_ios", 200), ("floor_ios", 500), ("cap_ios", 500)] {
            point["stopping"][what] = json!(ios);
        }
        let reading = run(&point, &system);
        (reading.measured_s, reading.warmup_s)
    };
    let (step, rate) = (100.0 * STRIP as f64, 10_000_000);
    let ssd = server(10_000);
    for (drive, rate, least) in [
        (&ssd, rate, step / 10e6),
        (&disk(), rate, 16.0 * 256.0 * 0.004),
        // Not for days.
        (&server(1_000_000), 1, 8.0),
    ] {
        let ((measured, warmup), (without, _)) = (watched(drive, rate), watched(drive, 0));
        // What had not settled counts with the warm-up.
        assert!(
            measured + warmup >= 9.0 / 8.0 * least,
            "{measured} {warmup} of {least}"
        );
        assert!(warmup >= least / 8.0, "{warmup} of {least}");
        assert!(
            measured >= 0.5 * least && measured < 2.0 * least,
            "{measured} of {least}"
        );
        assert!(without < least, "{without}");
    }
}

/// So is one of drives beside those of the load, which the point's notes tell of as well.
#[test]
fn a_rebuild_beside_the_volume_of_the_load_is_watched_too() {
    let mut system = array("1", 2, 1, &server(10_000));
    let drives = system["drives"].as_array_mut().expect("drives");
    drives.extend_from_within(..);
    let mut beside = failed(system.clone(), &[0], 10_000_000)["controllers"][0]["logicals"][0].take();
    beside["array"]["drives"] = json!([2, 3]);
    let logicals = &mut system["controllers"][0]["logicals"];
    logicals.as_array_mut().expect("logical drives").push(beside);
    let mut point = random(&system, 1.0, 8192, 16);
    (point["stopping"]["floor_ios"], point["stopping"]["cap_ios"]) = (json!(500), json!(500));
    let reading = run(&point, &system);
    let least = 100.0 * STRIP as f64 / 10e6;
    assert!(reading.measured_s >= 0.5 * least, "{}", reading.measured_s);
    assert_near(rebuilding(&reading).bytes_s, 10e6, AT_ONCE / reading.measured_s);
}

/// And one on a controller that no load comes to.
#[test]
fn a_rebuild_on_another_controller_goes_on_too() {
    let mut system = array("1", 2, 1, &server(10_000));
    let drives = system["drives"].as_array_mut().expect("drives");
    drives.extend_from_within(..);
    let mut other = failed(system.clone(), &[0], 10_000_000)["controllers"][0].take();
    other["logicals"][0]["array"]["drives"] = json!([2, 3]);
    system["controllers"]
        .as_array_mut()
        .expect("controllers")
        .push(other);
    let mut point = random(&system, 1.0, 8192, 16);
    (point["stopping"]["floor_ios"], point["stopping"]["cap_ios"]) = (json!(500), json!(500));
    let reading = run(&point, &system);
    assert_near(rebuilding(&reading).bytes_s, 10e6, AT_ONCE / reading.measured_s);
}
