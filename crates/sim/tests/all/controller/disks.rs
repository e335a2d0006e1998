//! Hard disks behind a controller: what the paper on RAID controllers states (Fujitsu, White Paper, RAID Controller
//! Performance 2016, sections on hard disks and on the size of the cache).

use serde_json::{Value, json};

use crate::controller::systems::*;

fn array_of_disks(level: &str, drives: usize, data_drives: u64, cache_bytes: u64) -> Value {
    let mut system = array(level, drives, data_drives, &disk());
    system["controllers"][0]["logicals"][0]["array"]["strip_bytes"] = json!(256 << 10);
    let capacity = 450 * GB / (256 << 10) * (256 << 10) * data_drives;
    system["controllers"][0]["logicals"][0]["size_bytes"] = json!(capacity);
    system["volumes"][0]["size_bytes"] = json!(capacity);
    let system = with(system, "write_back", json!(true));
    having(
        with(system, "read_ahead", json!(true)),
        "cache_bytes",
        cache_bytes,
    )
}

/// Random accesses on a quarter of the volume, after its first tenth.
fn rate_at(system: &Value, read_share: f64, bytes: u64, outstanding: usize) -> f64 {
    rate_of(system, (read_share, bytes, outstanding), 1)
}

/// The same from another seed.
fn rate_of(system: &Value, (read_share, bytes, outstanding): (f64, u64, usize), seed: u64) -> f64 {
    let mut point = random(system, read_share, bytes, outstanding);
    let size = system["volumes"][0]["size_bytes"].as_u64().expect("a size");
    point["profile"]["alignment_bytes"] = json!(4096);
    point["seed"] = json!(seed);
    point["targets"][0]["area_start_bytes"] = json!(size / 10 / 4096 * 4096);
    point["targets"][0]["area_length_bytes"] = json!(size / 4 / 4096 * 4096);
    rate(&run(&point, system))
}

/// Eight disks at the Database profile: RAID 10 above 75 % of RAID 0, RAID 5 above 50 %, because of the cache; in the mean
/// of some seeds.
#[test]
fn levels_lose_less_than_their_operations_say() {
    let of = |level, data| {
        let system = array_of_disks(level, 8, data, 1 << 30);
        (1..=6)
            .map(|seed| rate_of(&system, (0.67, 8192, 512), seed))
            .sum::<f64>()
    };
    let (striped, mirrored, parity) = (of("0", 8), of("10", 4), of("5", 7));
    assert!(mirrored > 0.75 * striped, "{mirrored} of {striped}");
    assert!(parity > 0.5 * striped, "{parity} of {striped}");
    assert!(parity < mirrored && mirrored < striped);
}

/// RAID 5 of disks, twice the cache: a gain that grows with the share of writes, falls with the block size, and is
/// larger than that of RAID 10; 6 to 11 % at 67 % reads of 4 kB.
#[test]
fn a_larger_cache_helps_where_the_paper_says() {
    let gain = |level, data, read_share, bytes, outstanding| {
        let of = |cache| {
            rate_at(
                &array_of_disks(level, 8, data, cache),
                read_share,
                bytes,
                outstanding,
            )
        };
        of(2 << 30) / of(1 << 30) - 1.0
    };
    let writes = gain("5", 7, 0.0, 4096, 64);
    let mixed = gain("5", 7, 0.67, 4096, 512);
    assert!((0.1..0.35).contains(&writes), "{writes}");
    assert!((0.04..0.14).contains(&mixed), "{mixed}");
    assert!(mixed < writes);
    assert!(gain("5", 7, 0.0, 65536, 64) < writes / 2.0);
    assert!(gain("10", 4, 0.0, 4096, 64) < writes);
}

/// What is dirty is as many bytes whatever the blocks: of larger ones fewer, further apart, and each byte costs less. Nor is
/// there a size from which on what is dirty is not sorted: more disks have shorter ways each, and write more.
#[test]
fn larger_random_writes_are_no_slower() {
    let of = |(level, disks, data, cache_mib): (&str, usize, u64, u64), bytes: u64| {
        let system = array_of_disks(level, disks, data, cache_mib << 20);
        rate_at(&system, 0.0, bytes, 1) * bytes as f64 / f64::from(1 << 20)
    };
    for array in [("0", 8, 8, 1715), ("10", 8, 4, 691), ("0", 4, 4, 691)] {
        let rates: Vec<_> = [256_u64, 512, 1024, 1536, 2048, 4096, 8192]
            .iter()
            .map(|kib| of(array, kib << 10))
            .collect();
        let grows = rates.windows(2).all(|two| two[0] < 1.02 * two[1]);
        assert!(grows, "{array:?}: {rates:?}");
    }
    for bytes in [1 << 20, 4 << 20] {
        let rates = [4, 6, 8, 16].map(|disks: usize| of(("0", disks, disks as u64, 1715), bytes));
        let grows = rates.windows(2).all(|two| two[0] < two[1]);
        assert!(grows, "{bytes} bytes: {rates:?}");
    }
}

/// Streaming and Restore on RAID 5: as much as the disks without one.
#[test]
fn sequential_rates_are_those_of_all_disks_but_one() {
    let system = array_of_disks("5", 8, 7, 1 << 30);
    for read_share in [1.0, 0.0] {
        let mut point = sequential(&system, read_share, 64);
        point["targets"][0]["area_length_bytes"] = json!(4 * GB);
        let found = rate(&run(&point, &system)) * STRIP as f64 / f64::from(240 << 20);
        assert!((6.4..=7.05).contains(&found), "{found} disks at {read_share}");
    }
}

/// Reading ahead keeps the streams of the drives however many reads of the host wait: a drive that left its stream for
/// something nearer would let the others wait for what it left.
#[test]
fn many_outstanding_reads_stream_from_all_disks_but_one() {
    for outstanding in [8, 32, 128, 512] {
        let mut system = array("5", 8, 7, &disk());
        system = with(system, "read_ahead", json!(true));
        let mut point = sequential(&system, 1.0, outstanding);
        point["targets"][0]["area_length_bytes"] = json!(40 * GB);
        let found = rate(&run(&point, &system)) * STRIP as f64 / f64::from(240 << 20);
        assert!(
            (6.9..=7.05).contains(&found),
            "{found} disks with {outstanding} outstanding"
        );
    }
}

/// Few I/Os, of which most end in a cache, and long operations behind them: what the disks did in the time is still
/// no more than the time.
#[test]
fn a_short_look_at_cached_writes_finds_no_disk_busier_than_it_can_be() {
    let mut drive = disk();
    (drive["write_cache"], drive["write_cache_entries"]) = (json!(true), json!(512));
    for strip in [64_u64 << 10, 256 << 10] {
        let mut system = array_of_disks("5", 8, 7, 1 << 30);
        system["controllers"][0]["logicals"][0]["array"]["strip_bytes"] = json!(strip);
        for slot in system["drives"].as_array_mut().expect("drives") {
            slot["model"] = drive.clone();
        }
        for outstanding in [1, 32, 512] {
            let mut point = sequential(&system, 0.0, outstanding);
            point["stopping"]["warmup_ios"] = json!(500);
            point["stopping"]["floor_ios"] = json!(1500);
            point["stopping"]["cap_ios"] = json!(3000);
            assert!(rate(&run(&point, &system)) > 0.0);
        }
    }
}

/// A stream of small writes, which the controller takes faster than two disks: from the beginning on it is as fast as their
/// outermost tracks, although caches of disks and controller could hold all of what is counted.
#[test]
fn a_stream_of_small_writes_is_no_faster_than_the_media() {
    let arrays = [
        ("0", 2, 2, false),
        ("0", 2, 2, true),
        ("5", 3, 2, true),
        ("0", 16, 16, true),
    ];
    for (level, drives, data, drive_cache) in arrays {
        let mut system = array_of_disks(level, drives, data, 1 << 30);
        for slot in system["drives"].as_array_mut().expect("drives") {
            slot["model"]["write_cache"] = json!(drive_cache);
        }
        let system = having(having(system, "host_io_ps", 100_000), "cache_write_ps", 0);
        for outstanding in [16, 256] {
            let mut point = random(&system, 0.0, 4096, outstanding);
            point["profile"]["random_share"] = json!(0.0);
            let media = data as f64 * f64::from(240 << 20) / 4096.0;
            assert_near(rate(&run(&point, &system)) / media, 1.0, 0.02);
        }
    }
}

/// Nobody keeps disks in step. The later of two copies of a random write is two thirds of a revolution away where one alone is a
/// half, over all ways in which two disks are turned: a sixth of 4 ms. The ways of 24 seeds leave 0.06 ms open. The last of n is
/// n ÷ (n + 1) away: of three a fourth of a revolution further, of five a third.
#[test]
fn a_mirror_waits_for_the_disk_that_is_turned_worst() {
    let mut steady = disk();
    steady["missed_revolution"] = json!(0.0);
    let one = array("0", 1, 1, &steady);
    let latency = |system: &Value, seed: u64| {
        let mut point = random(system, 0.0, 4096, 1);
        point["seed"] = json!(seed);
        (point["stopping"]["warmup_ios"], point["stopping"]["floor_ios"]) = (json!(100), json!(2000));
        1e3 / rate(&run(&point, system))
    };
    for (copies, revolutions) in [(2, 1.0 / 6.0), (3, 1.0 / 4.0), (5, 1.0 / 3.0)] {
        let mirror = array("1", copies, 1, &steady);
        let longer = (1..=24).map(|seed| latency(&mirror, seed) - latency(&one, seed));
        assert_near(longer.sum::<f64>() / 24.0, 4.0 * revolutions, 0.15);
    }
}

/// Small blocks in order among many reads: what a stream of before has left in the cache is long in leaving it, and while it does
/// reads wait for disks. At last reads find their data in the cache and writes have room there: one outstanding takes the
/// time of these. However short the point is to be, nothing counts before.
#[test]
fn what_was_left_before_is_gone_before_anything_counts() {
    let system = array_of_disks("5", 4, 3, 1 << 30);
    for (reads, warmup) in [(0.99, 2_500), (0.95, 20_000)] {
        let mut point = sequential(&system, reads, 1);
        let profile = &mut point["profile"];
        (profile["blocks"][0]["bytes"], profile["alignment_bytes"]) = (json!(2048), json!(2048));
        point["stopping"]["warmup_ios"] = json!(warmup);
        let mean = (HOST_IO + DELAY) as f64 + reads * CACHE_READ as f64 + (1.0 - reads) * CACHE_WRITE as f64;
        assert_near(rate(&run(&point, &system)) * mean / 1e9, 1.0, 0.05);
    }
}

/// Reads and writes in order pass the head of a disk in one go however many wait and however little of them its cache holds: 8 MiB
/// here, of up to 512 MiB. A write without room that is left behind would be a way back for the head.
#[test]
fn a_full_cache_of_a_disk_leaves_no_write_behind() {
    let mut drive = disk();
    drive["write_cache"] = json!(true);
    drive["read_ahead_bytes"] = json!(4 << 20);
    drive["read_segments"] = json!(16);
    drive["tags"] = json!(32);
    let mut system = having(array("0", 1, 1, &drive), "cache_bytes", 0);
    system["links"] = json!([{
        "name": "SAS", "bytes_s": 540_000_000, "full_duplex": false, "command_ps": 1_000_000, "side": "disk",
    }]);
    system["drives"][0]["path"] = json!([{ "link": 0 }]);
    let outer = (240_u64 << 20) as f64;
    for bytes in [256_u64 << 10, 1 << 20, 2 << 20] {
        for (outstanding, seed) in [(256, 1), (256, 2), (256, 3), (512, 1), (512, 2)] {
            let mut point = sequential(&system, 0.5, outstanding);
            let profile = &mut point["profile"];
            (profile["blocks"][0]["bytes"], profile["alignment_bytes"]) = (json!(bytes), json!(bytes));
            point["targets"][0]["area_length_bytes"] = json!(45 * GB / bytes * bytes);
            (point["stopping"]["floor_ios"], point["stopping"]["cap_ios"]) = (json!(6000), json!(6000));
            point["seed"] = json!(seed);
            let found = rate(&run(&point, &system)) * bytes as f64 / outer;
            assert!(
                (0.94..=1.01).contains(&found),
                "{found} of {bytes} at {outstanding}"
            );
        }
    }
}

/// A stream of strips that writes through to disks in RAID 5, one by one, reads the parity of each row once: the disk keeps what it
/// has written. Each reads its old data, half a revolution away in the mean, for how far the disks have turned is chance,
/// and writes them when they come by again; parity has passed by then. The first of a row reads the parity too, which begins
/// where the write before has ended on that disk: a revolution, and one more until it is written.
#[test]
fn the_parity_of_a_row_is_read_once() {
    let mut drive = disk();
    for number in ["command_ps", "missed_revolution"] {
        drive[number] = json!(0);
    }
    let mut system = array("5", 8, 7, &drive);
    for number in ["host_io_ps", "disk_io_ps", "parity_write_ps", "parity_per_kib_ps"] {
        system = having(system, number, 0);
    }
    let mut point = sequential(&system, 0.0, 1);
    point["targets"][0]["area_length_bytes"] = json!(4 * GB / (7 * STRIP) * (7 * STRIP));
    let revolutions = (1..=40).map(|seed| {
        point["seed"] = json!(seed);
        let reading = run(&point, &system);
        assert_near(jobs(&reading, "drive: mechanics"), 3.0 + 1.0 / 7.0, 0.002);
        1.0 / rate(&reading) / 0.004
    });
    let mean = revolutions.sum::<f64>() / 40.0;
    let passes = STRIP as f64 / f64::from(240 << 20) / 0.004;
    let expected = (2.0 + 6.0 * 1.5) / 7.0 + passes;
    // Seeds differ by 0.08: 0.04 are more than three standard errors.
    assert_near(mean, expected, 0.04);
}

/// Streams of writes that meet in the full cache of a disk: the head goes on with one of them, and none is passed over for ever.
/// The latencies of what was done in the measured part make up what was outstanding all the time (Little), while writes of a stream
/// that is never turned to would not be among them. None waits much longer than the 256 revolutions for which a drive may pass
/// over a command, twice for an update of parity, which reads before it writes.
#[test]
fn no_write_waits_for_ever_for_room_in_the_cache_of_a_disk() {
    let mut drive = disk();
    (drive["write_cache"], drive["tags"]) = (json!(true), json!(32));
    for (level, drives, data, workers, outstanding) in [
        ("0", 2, 2, 2, 8),
        ("0", 2, 2, 8, 8),
        ("5", 4, 3, 3, 8),
        ("5", 4, 3, 8, 8),
    ] {
        let system = having(array(level, drives, data, &drive), "cache_bytes", 0);
        let mut point = sequential(&system, 0.0, outstanding);
        point["workers"] = json!(workers);
        // For 16 times as long as these revolutions last, or longer.
        for limit in ["floor_ios", "cap_ios"] {
            point["stopping"][limit] = json!(80_000 * data);
        }
        let reading = run(&point, &system);
        let latency = &reading.writes.latency;
        let waited = latency.sum_ns as f64 / 1e9 / reading.measured_s;
        assert_near(waited / (outstanding * workers) as f64, 1.0, 0.05);
        let in_turn = if level == "5" { 2.0 } else { 1.0 };
        let longest = latency.max_ns as f64 / (in_turn * 256.0 * 4e6);
        assert!(longest < 1.5, "{longest}");
    }
}
