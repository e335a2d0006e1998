//! What an I/O costs where nothing but the controller and one drive is in its way.

use serde_json::{Value, json};

use crate::controller::systems::*;

const SERVICE: u64 = 20_000;

#[test]
fn one_io_takes_the_sum_of_its_steps() {
    let system = array("0", 4, 4, &server(SERVICE));
    let latency =
        |read_share: f64, system: &Value| only_latency(&run(&random(system, read_share, 8192, 1), system));
    let drives = HOST_IO + DISK_IO + SERVICE + DELAY;
    assert_eq!(latency(1.0, &system), drives);
    assert_eq!(latency(0.0, &system), drives);
    let fast = with(system.clone(), "fast_path", json!(true));
    assert_eq!(latency(1.0, &fast), drives - HOST_IO + FAST_IO);
    assert_eq!(latency(0.0, &fast), drives - HOST_IO + FAST_IO);
    // Write-back: answered from the cache; a destaging may be on the processor before.
    let back = with(system, "write_back", json!(true));
    let latency = run(&random(&back, 0.0, 8192, 1), &back).writes.latency;
    let cache = HOST_IO + CACHE_WRITE + DELAY;
    assert_eq!(latency.min_ns, cache);
    assert!(latency.max_ns <= cache + DISK_IO, "{}", latency.max_ns);
}

/// What an I/O takes that is one operation on one drive.
fn alone(cost: u64) -> u64 {
    cost + DISK_IO + SERVICE + DELAY
}

fn fast(level: &str, drives: usize, data: u64) -> Value {
    with(
        array(level, drives, data, &server(SERVICE)),
        "fast_path",
        json!(true),
    )
}

/// Least and greatest latency of random I/Os of 8 KiB on multiples of 4, one at a time: one of 16 goes over the border
/// of two strips.
fn over_borders(system: &Value, read_share: f64) -> (u64, u64) {
    let mut point = random(system, read_share, 8192, 1);
    point["profile"]["alignment_bytes"] = json!(4096);
    let reading = run(&point, system);
    let latency = if read_share > 0.0 {
        reading.reads.latency
    } else {
        reading.writes.latency
    };
    (latency.min_ns, latency.max_ns)
}

#[test]
fn the_fast_path_takes_all_sizes_up_to_a_strip_but_not_with_write_back() {
    let latency =
        |system: &Value, share: f64, bytes: u64| only_latency(&run(&random(system, share, bytes, 1), system));
    for (level, drives, data) in [("0", 4, 4), ("1", 2, 1), ("10", 4, 2), ("5", 4, 3), ("6", 4, 2)] {
        for bytes in [4096, 8192, 16384, STRIP] {
            let found = latency(&fast(level, drives, data), 1.0, bytes);
            assert_eq!(found, alone(FAST_IO), "RAID {level}, {bytes} bytes");
        }
    }
    for bytes in [8192, STRIP] {
        assert_eq!(latency(&fast("0", 4, 4), 0.0, bytes), alone(FAST_IO));
    }
    // Two strips are two operations.
    let two = alone(HOST_IO) + DISK_IO;
    assert_eq!(latency(&fast("0", 4, 4), 1.0, 2 * STRIP), two);
    let back = with(fast("0", 4, 4), "write_back", json!(true));
    assert_eq!(latency(&back, 1.0, 8192), alone(HOST_IO));
}

/// No step from one size to the next but by data: the rate is that of the slowest of processor, drives and data. Strips of
/// 48 KiB are whole numbers of all of these blocks.
#[test]
fn on_the_fast_path_larger_blocks_cost_only_their_data() {
    const DRIVES: u64 = 8;
    let service = 20_000;
    let mut system = array("0", DRIVES as usize, DRIVES, &server(service));
    system["controllers"][0]["logicals"][0]["array"]["strip_bytes"] = json!(48 << 10);
    let system = having(with(system, "fast_path", json!(true)), "read_bytes_s", 3 * GB);
    let system = having(system, "write_bytes_s", 3 * GB);
    for kib in [4, 8, 12, 16, 24, 48] {
        let bytes = kib << 10;
        let (processor, drives) = (
            1e9 / (FAST_IO + DISK_IO) as f64,
            DRIVES as f64 * 1e9 / service as f64,
        );
        let expected = processor.min(drives).min(3e9 / bytes as f64);
        for read_share in [1.0, 0.0] {
            let mut point = random(&system, read_share, bytes, 1024);
            point["targets"][0]["area_length_bytes"] = json!(40 * GB / bytes * bytes);
            assert_near(rate(&run(&point, &system)) / expected, 1.0, 0.005);
        }
    }
}

#[test]
fn an_io_over_the_border_of_two_strips_leaves_the_fast_path() {
    let two = alone(HOST_IO) + DISK_IO;
    for (level, drives, data) in [("0", 4, 4), ("10", 4, 2), ("5", 4, 3)] {
        let found = over_borders(&fast(level, drives, data), 1.0);
        assert_eq!(found, (alone(FAST_IO), two), "RAID {level}");
    }
    assert_eq!(over_borders(&fast("0", 4, 4), 0.0), (alone(FAST_IO), two));
    // A pair of mirrors reads it in one operation, but it is of two strips.
    assert_eq!(
        over_borders(&fast("1", 2, 1), 1.0),
        (alone(FAST_IO), alone(HOST_IO))
    );
    // One drive alone has no borders.
    assert_eq!(
        over_borders(&fast("0", 1, 1), 1.0),
        (alone(FAST_IO), alone(FAST_IO))
    );
}

#[test]
fn writes_with_a_copy_or_parity_do_not_take_the_fast_path() {
    for (level, drives, data) in [("1", 2, 1), ("10", 4, 2), ("1E", 4, 2), ("5", 4, 3), ("6", 4, 2)] {
        let usual = array(level, drives, data, &server(SERVICE));
        let [fast, usual] = [fast(level, drives, data), usual].map(|system| over_borders(&system, 0.0));
        assert_eq!(fast, usual, "RAID {level}");
        assert!(fast.0 >= alone(HOST_IO), "RAID {level}");
    }
}

/// Beside a lost member reads of what is left are fast; what all others have to tell is not, nor a write of the copy that is
/// left, and nothing is while the member is rebuilt.
#[test]
fn the_fast_path_with_a_lost_member() {
    let lost = |mut system: Value, rebuild_bytes_s: u64| {
        let array = &mut system["controllers"][0]["logicals"][0]["array"];
        (array["failed"], array["rebuild_bytes_s"]) = (json!([1]), json!(rebuild_bytes_s));
        system
    };
    // What three have read tells 8 KiB; 24 KiB of it take hardly a ps.
    let of_all = alone(HOST_IO) + 2 * DISK_IO + 8 * PARITY_KIB;
    let random_reads = |system: &Value| run(&random(system, 1.0, 8192, 1), system).reads.latency;
    let found = random_reads(&lost(fast("5", 4, 3), 0));
    assert_eq!((found.min_ns, found.max_ns), (alone(FAST_IO), of_all));
    let mirrored = lost(fast("10", 4, 2), 0);
    let found = random_reads(&mirrored);
    assert_eq!((found.min_ns, found.max_ns), (alone(FAST_IO), alone(FAST_IO)));
    let found = run(&random(&mirrored, 0.0, 8192, 1), &mirrored).writes.latency;
    assert_eq!(
        (found.min_ns, found.max_ns),
        (alone(HOST_IO), alone(HOST_IO) + DISK_IO)
    );
    for (level, data) in [("5", 3), ("10", 2)] {
        let found = random_reads(&lost(fast(level, 4, data), 1 << 20));
        assert_eq!(found.min_ns, alone(HOST_IO), "RAID {level}");
    }
}

/// Read two, then write two: the processor has a part before each.
#[test]
fn an_update_of_parity_has_two_phases() {
    let system = array("5", 8, 7, &server(SERVICE));
    let expected =
        HOST_IO + 2 * DISK_IO + PARITY_WRITE + SERVICE + 2 * DISK_IO + 8 * PARITY_KIB + SERVICE + DELAY;
    assert_eq!(
        only_latency(&run(&random(&system, 0.0, 8192, 1), &system)),
        expected
    );
    // RAID 6: three and three, and parity twice.
    let system = array("6", 8, 6, &server(SERVICE));
    let expected =
        HOST_IO + 3 * DISK_IO + PARITY_WRITE + SERVICE + 3 * DISK_IO + 16 * PARITY_KIB + SERVICE + DELAY;
    assert_eq!(
        only_latency(&run(&random(&system, 0.0, 8192, 1), &system)),
        expected
    );
}

/// What needs no reads has one phase, and takes nothing of what an update takes: seven strips and the parity of all.
#[test]
fn a_whole_stripe_is_no_update_of_parity() {
    let system = array("5", 8, 7, &server(SERVICE));
    let expected = HOST_IO + 8 * DISK_IO + 64 * PARITY_KIB + SERVICE + DELAY;
    let found = only_latency(&run(&random(&system, 0.0, 7 * STRIP, 1), &system));
    // Its 459 kB take half a ns to come, and half a ns of parity.
    assert!((expected..=expected + 1).contains(&found), "{found}");
}

/// Of a cache of 16 MiB beside 56 GB hardly two dirty blocks are neighbours: each is an update by itself.
#[test]
fn destaging_takes_what_an_update_of_parity_takes() {
    let system = with(array("5", 8, 7, &server(1_000)), "write_back", json!(true));
    let system = having(system, "cache_bytes", 16 << 20);
    let cost = HOST_IO + 4 * DISK_IO + PARITY_WRITE + 8 * PARITY_KIB;
    let reading = run(&random(&system, 0.0, 8192, 64), &system);
    assert_near(rate(&reading) * cost as f64 / 1e9, 1.0, 0.01);
}

#[test]
fn the_processor_limits_the_rate() {
    for (cores, fast) in [(1, false), (2, false), (1, true)] {
        let system = with(array("0", 8, 8, &server(1_000)), "fast_path", json!(fast));
        let system = having(system, "cores", cores);
        let cost = DISK_IO + if fast { FAST_IO } else { HOST_IO };
        let reading = run(&random(&system, 1.0, 8192, 256), &system);
        assert_near(rate(&reading) * cost as f64 / 1e9 / cores as f64, 1.0, 0.002);
        let simulation = reading.simulation.expect("simulated");
        assert_eq!(
            simulation.bottleneck.station.as_deref(),
            Some("controller: processor")
        );
    }
}

/// A drive has at most so many operations; the rest waits in the controller. The drive, one server, is the limit
/// all the same: by Little's law its mean queue is what it may have.
#[test]
fn a_drive_gets_no_more_than_its_queue() {
    for queue in [1, 4, 16] {
        let system = having(array("0", 1, 1, &server(SERVICE)), "drive_queue", queue);
        let reading = run(&random(&system, 1.0, 8192, 64), &system);
        assert_near(rate(&reading) * SERVICE as f64 / 1e9, 1.0, 0.002);
        let stations = reading.simulation.expect("simulated").stations;
        let drive = stations.iter().find(|station| station.name == "drive: firmware");
        assert_near(drive.expect("a drive").mean_queue, queue as f64, 0.01);
    }
}

/// A drive that takes fewer commands than its controller would send it has no more.
#[test]
fn a_drive_gets_no_more_than_it_takes() {
    let mut system = array("0", 1, 1, &server(SERVICE));
    for commands in [1, 4, 16] {
        system["drives"][0]["commands"] = json!(commands);
        let reading = run(&random(&system, 1.0, 8192, 64), &system);
        assert_near(rate(&reading) * SERVICE as f64 / 1e9, 1.0, 0.002);
        let there = station(&reading, "drive: firmware").mean_queue;
        assert_near(there, f64::from(commands), 0.01);
    }
}

/// 64 KiB at 1 GB/s, over a link of 2 GB/s at the same time: 65.536 µs, and not half of it once more.
#[test]
fn a_transfer_takes_what_the_slower_of_link_and_controller_takes() {
    let mut system = array("0", 4, 4, &server(SERVICE));
    system["links"] = json!([
        { "name": "link", "bytes_s": 2 * GB, "full_duplex": true, "command_ps": 0, "side": "host" }
    ]);
    system["controllers"][0]["path"] = json!([{ "link": 0 }]);
    let system = having(having(system, "read_bytes_s", GB), "write_bytes_s", GB);
    let drives = HOST_IO + DISK_IO + SERVICE + DELAY;
    let read = only_latency(&run(&random(&system, 1.0, STRIP, 1), &system));
    assert!(read.abs_diff(drives + 65_536) <= 1, "{read}");
    // A write's data are at the controller, over the link, when its processor begins.
    let write = only_latency(&run(&random(&system, 0.0, STRIP, 1), &system));
    assert!(
        (drives + 65_536..=drives + 65_536 + 32_768).contains(&write),
        "{write}"
    );
    for read_share in [1.0, 0.0] {
        let many = run(&random(&system, read_share, STRIP, 64), &system);
        assert_near(rate(&many) * 65.536e-6, 1.0, 0.002);
    }
}

#[test]
fn both_directions_are_used_at_once() {
    let system = having(array("0", 8, 8, &server(1_000)), "read_bytes_s", GB);
    let system = having(system, "write_bytes_s", GB);
    let reading = run(&random(&system, 0.5, STRIP, 64), &system);
    // Equal shares: each direction near 1 GB/s; the draws of reads and writes leave a little of it idle.
    let throughput = rate(&reading) * STRIP as f64 / 1e9;
    assert!((1.7..=2.001).contains(&throughput), "{throughput}");
}
