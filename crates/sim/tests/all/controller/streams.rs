//! Sequential loads: whole stripes, and reading ahead.

use serde_json::{Value, json};

use crate::controller::systems::*;

const SERVICE: u64 = 50_000;

/// Eight operations for seven strips of data, none of them a read: n/(n − 1). Written through, each I/O of a strip
/// takes four.
#[test]
fn sequential_writes_become_whole_stripes() {
    let through = array("5", 8, 7, &server(SERVICE));
    let back = with(through.clone(), "write_back", json!(true));
    for outstanding in [1, 32] {
        let reading = run(&sequential(&back, 0.0, outstanding), &back);
        assert_near(operations(&reading), 8.0 / 7.0, 0.01);
    }
    assert_near(
        operations(&run(&sequential(&through, 0.0, 1), &through)),
        4.0,
        0.01,
    );
    let six = with(array("6", 8, 6, &server(SERVICE)), "write_back", json!(true));
    assert_near(
        operations(&run(&sequential(&six, 0.0, 32), &six)),
        8.0 / 6.0,
        0.01,
    );
}

/// Written through, what follows on each other is gathered while others are under way: whole stripes again.
#[test]
fn many_outstanding_writes_become_whole_stripes_without_a_cache() {
    let system = having(array("5", 8, 7, &server(SERVICE)), "cache_bytes", 0);
    let reading = run(&sequential(&system, 0.0, 64), &system);
    assert_near(operations(&reading), 8.0 / 7.0, 0.05);
    // One by one there is nothing to gather: each strip reads two and writes two.
    let alone = run(&sequential(&system, 0.0, 1), &system);
    assert_near(operations(&alone), 4.0, 0.01);
    // Several streams at once, each of them.
    let mut point = sequential(&system, 0.0, 32);
    point["workers"] = json!(3);
    assert_near(operations(&run(&point, &system)), 8.0 / 7.0, 0.05);
    // Random writes have nothing to follow on.
    let random = run(&random(&system, 0.0, 8192, 64), &system);
    assert_near(operations(&random), 4.0, 0.02);
}

/// What is held for a stripe that never becomes whole is written all the same: the latencies of what was done in the measured part
/// make up what was outstanding all the time (Little), while a write that waited for ever would not be among them.
#[test]
fn no_write_waits_for_ever_for_its_stripe() {
    let system = having(array("5", 4, 3, &server(100 * SERVICE)), "cache_bytes", 0);
    for (random, outstanding, workers) in [(0.0, 1, 8), (0.0, 2, 8), (0.0, 4, 3), (0.1, 32, 1), (0.5, 8, 3)] {
        let mut point = sequential(&system, 0.0, outstanding);
        (point["workers"], point["profile"]["random_share"]) = (json!(workers), json!(random));
        let reading = run(&point, &system);
        let waited = reading.writes.latency.sum_ns as f64 / 1e9 / reading.measured_s;
        assert_near(waited / (outstanding * workers) as f64, 1.0, 0.03);
    }
}

/// A read that goes over the end of a stripe meets what is held of the streams on either side of it, and all of that goes: an
/// update of each reads old data and old parity, beside the two strips of the read and what went at once.
#[test]
fn a_read_lets_go_the_held_writes_of_every_stream_that_it_meets() {
    let system = having(array("5", 4, 3, &server(100 * SERVICE)), "cache_bytes", 0);
    // The operations at the drives before any is done, of I/Os that all come at once.
    let begun = |ios: &[(bool, u64, u64)]| {
        let mut alone = Alone::new(&system);
        for &(write, strip, strips) in ios {
            alone.submit(0, write, strip, strips);
        }
        alone.until(10 * SERVICE);
        alone.begun()
    };
    // The first of each stream goes at once, the next one is held.
    let writes = [(true, 0, 1), (true, 3, 1), (true, 1, 1), (true, 4, 1)];
    assert_eq!([begun(&writes[..2]), begun(&writes)], [4, 4]);
    let all = [&writes[..], &[(false, 2, 2)]].concat();
    assert_eq!(begun(&all), 4 + 2 * 2 + 2);
}

/// Whatever size the blocks have: a stripe of seven strips takes eight operations wherever writes end, and stripes that become
/// whole with one write go together, an operation on each drive. Each write of 1 MiB makes two or three of them whole.
#[test]
fn blocks_of_any_size_become_whole_stripes_without_a_cache() {
    let system = having(array("5", 8, 7, &server(SERVICE)), "cache_bytes", 0);
    for kib in [8_u64, 60, 68, 100, 448, 1024] {
        let mut point = sequential(&system, 0.0, 64.max(4 * 7 * 64 / kib as usize));
        let area = point["targets"][0]["area_length_bytes"]
            .as_u64()
            .expect("a length");
        point["profile"]["blocks"][0]["bytes"] = json!(kib << 10);
        point["profile"]["alignment_bytes"] = json!(4096);
        point["targets"][0]["area_length_bytes"] = json!(area / (kib << 10) * (kib << 10));
        let found = operations(&run(&point, &system));
        let stripes = (kib as f64 / (7.0 * 64.0)).min(1.0);
        assert!(
            (found / (8.0 * stripes) - 1.0).abs() < 0.02,
            "{found} for {kib} kB"
        );
    }
}

#[test]
fn one_outstanding_write_is_faster_into_the_cache() {
    let through = array("5", 8, 7, &server(SERVICE));
    let back = with(through.clone(), "write_back", json!(true));
    let of = |system| rate(&run(&sequential(system, 0.0, 1), system));
    assert_near(
        of(&back) * (HOST_IO + CACHE_WRITE + DELAY) as f64 / 1e9,
        1.0,
        0.25,
    );
    assert!(of(&back) > 3.0 * of(&through));
}

/// One outstanding read finds its data there: it waits for no drive. Without reading ahead it waits for one each
/// time.
#[test]
fn reading_ahead_answers_from_the_cache() {
    let without = array("0", 8, 8, &server(SERVICE));
    let ahead = with(without.clone(), "read_ahead", json!(true));
    let of = |system| rate(&run(&sequential(system, 1.0, 1), system));
    assert_near(of(&ahead) * (HOST_IO + CACHE_READ + DELAY) as f64 / 1e9, 1.0, 0.2);
    // What is fetched ahead needs no cache that writes could be kept in.
    let uncached = having(ahead.clone(), "cache_bytes", 0);
    assert_near(of(&uncached), of(&ahead), 0.0);
    assert_near(
        of(&without) * (HOST_IO + DISK_IO + SERVICE + DELAY) as f64 / 1e9,
        1.0,
        0.001,
    );
    // A random load reads nothing ahead.
    let random = run(&random(&ahead, 1.0, STRIP, 8), &ahead);
    assert_near(operations(&random), 1.0, 0.01);
}

/// Beside the unit that is read, a row of eight strips, four are on their way. Where drives answer late and are busy for
/// next to nothing, the stream has five units in the time of an answer and of the reads of one unit.
#[test]
fn four_units_are_fetched_ahead() {
    let late = 4_000_000;
    let mut drive = server(1_000);
    drive["delay_read_ps"] = json!(late * 1000);
    let system = with(array("0", 8, 8, &drive), "read_ahead", json!(true));
    let reading = run(&sequential(&system, 1.0, 1), &system);
    let round = late + 1_000 + HOST_IO + 8 * DISK_IO + 8 * (HOST_IO + CACHE_READ + DELAY);
    assert_near(rate(&reading) * round as f64 / 1e9 / (5.0 * 8.0), 1.0, 0.01);
}

/// What is fetched at once is no less than the largest read: one operation for each MB of a pair, and eight of 128 kB of eight
/// drives, where units of 256 and of 512 kB would take four and sixteen.
#[test]
fn as_much_as_the_largest_read_is_fetched_at_once() {
    for (level, drives, data_drives, count) in [("1", 2, 1, 1.0), ("0", 8, 8, 8.0)] {
        let system = array(level, drives, data_drives, &server(SERVICE));
        let system = with(system, "read_ahead", json!(true));
        for outstanding in [1, 8] {
            let point = of_a_megabyte(&system, outstanding);
            assert_near(operations(&run(&point, &system)), count, 0.01);
        }
        let mut mixed = of_a_megabyte(&system, 1);
        mixed["profile"]["blocks"] =
            json!([{ "bytes": STRIP, "weight": 0.75 }, { "bytes": 1 << 20, "weight": 0.25 }]);
        mixed["profile"]["alignment_bytes"] = json!(STRIP);
        let reading = run(&mixed, &system);
        let bytes = reading.reads.bytes as f64 / completed(&reading);
        assert_near(operations(&reading) / bytes * f64::from(1 << 20), count, 0.02);
    }
}

/// A head leaves what the other copy reads where that is as much as a track, and lets less pass in the time of a read. So large
/// reads of a pair of disks are no slower for being fetched ahead, and even one at a time is faster than a disk alone.
#[test]
fn reading_ahead_of_large_reads_is_no_slower_on_two_copies() {
    let without = array("1", 2, 1, &disk());
    let ahead = with(without.clone(), "read_ahead", json!(true));
    for outstanding in [1, 2, 8, 32] {
        let of = |system| rate(&run(&of_a_megabyte(system, outstanding), system));
        let gain = of(&ahead) / of(&without);
        assert!(gain > 0.99, "{gain} with {outstanding} outstanding");
        let found = of(&ahead) * f64::from(1 << 20) / f64::from(240 << 20);
        assert!(found > 1.25, "{found} disks with {outstanding} outstanding");
    }
}

/// Of reads of which one in ten goes on where the last has ended, and some by chance, hardly any five follow each other: units
/// stay small, and what is fetched in vain is.
#[test]
fn units_stay_small_where_few_large_reads_follow_each_other() {
    let mut drive = server(1_000);
    drive["data_read_bytes_s"] = json!(GB / 2);
    let without = array("0", 4, 4, &drive);
    let ahead = with(without.clone(), "read_ahead", json!(true));
    let of = |system: &Value| {
        let mut point = of_a_megabyte(system, 4);
        point["profile"]["blocks"][0]["bytes"] = json!(4 << 20);
        point["profile"]["random_share"] = json!(0.9);
        point["targets"][0]["area_length_bytes"] = json!(1 << 30);
        rate(&run(&point, system))
    };
    let gain = of(&ahead) / of(&without);
    assert!(gain > 0.97, "{gain}");
}

/// Reads in order of 1 MB.
fn of_a_megabyte(system: &Value, outstanding: usize) -> Value {
    let mut point = sequential(system, 1.0, outstanding);
    point["profile"]["blocks"][0]["bytes"] = json!(1 << 20);
    point["profile"]["alignment_bytes"] = json!(1 << 20);
    point
}

/// Reads that follow each other are read ahead, wherever writes go between them: those take a drive's time each.
#[test]
fn sequential_reads_beside_random_writes_are_read_ahead() {
    let system = with(array("0", 8, 8, &server(SERVICE)), "read_ahead", json!(true));
    let mut point = sequential(&system, 0.5, 1);
    point["profile"]["write_random_share"] = json!(1.0);
    let (read, written) = (HOST_IO + CACHE_READ + DELAY, HOST_IO + DISK_IO + SERVICE + DELAY);
    let mean = (read + written) as f64 / 2.0;
    assert_near(rate(&run(&point, &system)) * mean / 1e9, 1.0, 0.1);
}

/// Runs between random reads are streams as well: of long ones nearly all finds its data there.
#[test]
fn runs_between_random_reads_are_read_ahead() {
    let system = with(array("0", 8, 8, &server(SERVICE)), "read_ahead", json!(true));
    let mut point = sequential(&system, 1.0, 1);
    (point["profile"]["random_share"], point["profile"]["random_every"]) = (json!(1.0), json!(2_000));
    let found = rate(&run(&point, &system));
    assert_near(found * (HOST_IO + CACHE_READ + DELAY) as f64 / 1e9, 1.0, 0.2);
}

/// A share of a stream's accesses writes, so that its reads leave gaps as long as the writes between them. Asked one by one,
/// all reads but the first find their data there, and the gaps are fetched with them: an operation for each access, and
/// one more for each write. A stream that reads less than two fifths of what it passes has nothing fetched for it.
#[test]
fn reads_go_on_behind_writes_of_their_stream() {
    let system = with(array("0", 8, 8, &server(SERVICE)), "read_ahead", json!(true));
    let (read, direct) = (HOST_IO + CACHE_READ + DELAY, HOST_IO + DISK_IO + SERVICE + DELAY);
    for share in [0.1, 0.3, 0.5, 0.67, 0.9, 0.99] {
        let reading = run(&sequential(&system, share, 1), &system);
        let ahead = if share < 0.4 { 0.0 } else { 1.0 };
        let mean = share * ahead * read as f64 + (1.0 - share * ahead) * direct as f64;
        assert_near(rate(&reading) * mean / 1e9, 1.0, 0.1);
        assert_near(operations(&reading), 1.0 + ahead * (1.0 - share), 0.05);
    }
}

/// Where the reads that wait keep the drives busy, the gaps among them are not fetched: an operation for each access, as
/// without reading ahead, and as many of them a second.
#[test]
fn gaps_are_not_fetched_where_reads_wait() {
    let without = array("0", 8, 8, &server(SERVICE));
    let ahead = with(without.clone(), "read_ahead", json!(true));
    for share in [0.3, 0.5, 0.67, 0.8] {
        let of = |system| run(&sequential(system, share, 128), system);
        let (found, plain) = (of(&ahead), of(&without));
        assert_near(operations(&found), 1.0, 0.1);
        assert_near(rate(&found) / rate(&plain), 1.0, 0.05);
    }
}

/// A disk passes over a gap of 2 kB in a tenth of the time that a command takes it: 60 µs, in which 10 to 15 kB pass. So such
/// gaps are fetched however many reads wait, an operation for each write and hardly any for reads; gaps as long as those of
/// blocks of 64 kB are not. At any depth the stream is as fast, within what seeks between reads and writes come to.
#[test]
fn gaps_that_cost_less_than_a_command_are_fetched_wherever_reads_wait() {
    let system = with(array("0", 1, 1, &disk()), "read_ahead", json!(true));
    let of = |bytes: u64, outstanding| {
        let mut point = sequential(&system, 0.5, outstanding);
        let profile = &mut point["profile"];
        profile["blocks"][0]["bytes"] = json!(bytes);
        profile["alignment_bytes"] = json!(bytes);
        run(&point, &system)
    };
    for outstanding in [1, 32, 64, 128, 256] {
        assert_near(operations(&of(2048, outstanding)), 0.5, 0.05);
    }
    assert_near(operations(&of(STRIP, 128)), 1.0, 0.1);
    let cached = with(system.clone(), "write_back", json!(true));
    let rates = [32, 128, 512].map(|outstanding| {
        let mut point = sequential(&cached, 0.5, outstanding);
        let profile = &mut point["profile"];
        profile["blocks"][0]["bytes"] = json!(2048);
        profile["alignment_bytes"] = json!(2048);
        rate(&run(&point, &cached))
    });
    assert!(
        rates[1] > 0.8 * rates[0] && rates[2] > 0.8 * rates[0],
        "{rates:?}"
    );
}

/// However a stream goes on, no more than two and a half times of what it reads is fetched for it. Five units of eight
/// strips, and what is under way, may have been fetched before the part that is measured.
#[test]
fn no_more_than_five_halves_of_what_is_read_are_fetched() {
    let system = with(array("0", 8, 8, &server(SERVICE)), "read_ahead", json!(true));
    let keeps_to_it = |point: &Value| {
        let reading = run(point, &system);
        let (reads, writes) = (reading.reads.completed, reading.writes.completed);
        let before = 5 * 8 + point["outstanding"].as_u64().expect("a number");
        let most = (writes + 5 * reads / 2 + before) as f64 / completed(&reading);
        assert!(operations(&reading) <= most, "{} of {most}", operations(&reading));
    };
    for outstanding in [1, 8, 64] {
        for share in [0.1, 0.3, 0.4, 0.5, 0.6, 0.8] {
            keeps_to_it(&sequential(&system, share, outstanding));
        }
        for reads in [4, 8, 32, 100] {
            let mut point = sequential(&system, 1.0, outstanding);
            let profile = &mut point["profile"];
            (profile["random_share"], profile["random_every"]) = (json!(1.0), json!(reads));
            keeps_to_it(&point);
        }
    }
}

/// What has gaps is no stream: nothing of it is in the cache before it is asked for, and the other strips of a stripe
/// are not written with it. A step of one row, or of two back, leaves a strip in each stripe: four operations.
#[test]
fn what_has_gaps_is_neither_read_ahead_nor_gathered() {
    let system = with(array("0", 8, 8, &server(SERVICE)), "read_ahead", json!(true));
    let through = having(array("5", 8, 7, &server(SERVICE)), "cache_bytes", 0);
    let back = with(array("5", 8, 7, &server(SERVICE)), "write_back", json!(true));
    for rows in [1, -2] {
        let gap = |data: i64| json!((rows * data - 1) * STRIP as i64);
        let mut point = sequential(&system, 1.0, 1);
        point["profile"]["gap_bytes"] = gap(8);
        let read = (HOST_IO + DISK_IO + SERVICE + DELAY) as f64;
        assert_near(rate(&run(&point, &system)) * read / 1e9, 1.0, 0.001);
        for system in [&through, &back] {
            let mut point = sequential(system, 0.0, 64);
            point["profile"]["gap_bytes"] = gap(7);
            assert_near(operations(&run(&point, system)), 4.0, 0.02);
        }
    }
}

/// Read backwards, each block begins two of them before the head: all but one transfer of a revolution, and the
/// read-ahead of the drive holds none of it.
#[test]
fn a_disk_that_is_read_backwards_takes_a_revolution_less_a_transfer() {
    let mut drive = disk();
    drive["missed_revolution"] = json!(0.0);
    let system = array("0", 1, 1, &drive);
    let mut point = sequential(&system, 1.0, 1);
    point["profile"]["gap_bytes"] = json!(-2 * STRIP as i64);
    point["targets"][0]["area_length_bytes"] = json!(GB);
    // The first pass begins at the start, all others at the end of the area.
    let (revolution, transfer) = (4e-3, STRIP as f64 / f64::from(240 << 20));
    assert_near(rate(&run(&point, &system)) * (revolution - transfer), 1.0, 0.02);
}

#[test]
fn many_outstanding_reads_reach_the_limit_of_the_transfer() {
    let system = with(array("0", 8, 8, &server(SERVICE)), "read_ahead", json!(true));
    let system = having(system, "read_bytes_s", 5 * GB);
    for outstanding in [8, 64, 256] {
        let reading = run(&sequential(&system, 1.0, outstanding), &system);
        assert_near(rate(&reading) * STRIP as f64 / 5e9, 1.0, 0.01);
    }
}

#[test]
fn several_streams_are_followed_each() {
    let system = with(array("0", 8, 8, &server(SERVICE)), "read_ahead", json!(true));
    let mut point = sequential(&system, 1.0, 1);
    point["workers"] = json!(4);
    // All data are read once: a row of eight strips is eight operations for eight I/Os.
    assert_near(operations(&run(&point, &system)), 1.0, 0.02);
}

#[test]
fn parity_has_a_rate_of_its_own() {
    let system = with(array("5", 8, 7, &server(1_000)), "write_back", json!(true));
    let system = having(system, "parity_bytes_s", GB);
    let reading = run(&sequential(&system, 0.0, 32), &system);
    assert_near(rate(&reading) * STRIP as f64 / 1e9, 1.0, 0.03);
    let striped = with(array("0", 8, 8, &server(1_000)), "write_back", json!(true));
    let striped = having(striped, "parity_bytes_s", GB);
    assert!(rate(&run(&sequential(&striped, 0.0, 32), &striped)) * STRIP as f64 > 3e9);
}
