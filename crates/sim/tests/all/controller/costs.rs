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

#[test]
fn the_fast_path_ends_at_its_size_and_with_write_back() {
    let fast = with(array("0", 4, 4, &server(SERVICE)), "fast_path", json!(true));
    let latency = |system: &Value, bytes: u64| only_latency(&run(&random(system, 1.0, bytes, 1), system));
    assert_eq!(latency(&fast, 8192), FAST_IO + DISK_IO + SERVICE + DELAY);
    assert_eq!(latency(&fast, 16384), HOST_IO + DISK_IO + SERVICE + DELAY);
    let back = with(fast, "write_back", json!(true));
    assert_eq!(latency(&back, 8192), HOST_IO + DISK_IO + SERVICE + DELAY);
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
