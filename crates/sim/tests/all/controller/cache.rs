//! The write cache: overload, keeping up, what fits, and hits.

use iodyno_load::reading::Reading;
use serde_json::{Value, json};

use crate::controller::systems::*;

const SERVICE: u64 = 100_000;

/// Bytes of the cache, which is full.
const CACHE: f64 = (1_u64 << 30) as f64;

/// Operations of destaging a write of 8 KiB at random to an area: of the share that is dirty no write makes a new one. Of a
/// place just ahead of the sweep 1 − e^(−λ) is dirty, where 1 − (1 − e^(−λ))/λ is on the average of all: so many have a
/// dirty neighbour before them in the same strip of eight, and go with it.
fn destaged(area: f64) -> f64 {
    let share = CACHE / area;
    let (mut round, mut ahead) = (2.0 * share, 0.0);
    for _ in 0..50 {
        ahead = 1.0 - f64::exp(-round);
        round = ahead / (1.0 - share);
    }
    (1.0 - share) * (1.0 - ahead * 7.0 / 8.0)
}

/// A stream that reads half of its blocks leaves gaps: of what it has written a run goes with each operation, and one begins
/// behind each block that is read, or with a strip of sixteen blocks. So it is from the beginning on, and not when the cache has
/// filled up with runs at last.
#[test]
fn what_a_stream_leaves_has_its_gaps_from_the_beginning_on() {
    let system = with(array("0", 2, 2, &server(SERVICE)), "write_back", json!(true));
    let mut point = random(&system, 0.5, 4096, 64);
    point["profile"]["random_share"] = json!(0.0);
    let runs = 0.5 + 0.5 / 16.0;
    let drives = 0.5 * (1.0 + runs) / 2.0;
    for start in [0, 8 * GB] {
        point["targets"][0]["area_start_bytes"] = json!(start);
        point["targets"][0]["area_length_bytes"] = json!(7 * GB);
        let reading = run(&point, &system);
        assert_near(rate(&reading) * drives * SERVICE as f64 / 1e9, 1.0, 0.02);
        assert_near(operations(&reading), 2.0 * drives, 0.02);
    }
}

/// A stream whose every access begins where the one before began leaves one block dirty, and no more however long it lasts.
#[test]
fn a_stream_that_stays_where_it_is_leaves_one_block() {
    let system = with(array("0", 2, 2, &server(SERVICE)), "write_back", json!(true));
    let mut point = random(&system, 0.5, 4096, 4);
    (point["profile"]["random_share"], point["profile"]["gap_bytes"]) = (json!(0.0), json!(-4096));
    let reading = run(&point, &system);
    let cache = station(&reading, "controller: write cache");
    assert!(cache.utilisation_mean < 0.01, "{}", cache.utilisation_mean);
}

/// An area that is hardly larger than a block, on a cache that is hardly larger than both, has no room for what a stream left.
#[test]
fn a_stream_on_a_small_area_and_a_small_cache_leaves_nothing() {
    let system = with(array("0", 2, 2, &server(SERVICE)), "write_back", json!(true));
    let system = having(system, "cache_bytes", 4 << 20);
    let mut point = random(&system, 0.5, 1 << 20, 4);
    point["profile"]["random_share"] = json!(0.0);
    for area in [1_u64 << 20, 8 << 20] {
        point["targets"][0]["area_length_bytes"] = json!(area);
        assert!(rate(&run(&point, &system)) > 0.0);
    }
}

/// Operations a write takes on mirrors of 32 GB.
fn mirrored() -> f64 {
    2.0 * destaged(32e9)
}

/// Writes come faster than the drives take them: in the long run the drives are the limit.
#[test]
fn a_full_cache_lets_in_what_the_drives_take() {
    let system = with(array("10", 8, 4, &server(SERVICE)), "write_back", json!(true));
    for outstanding in [1, 64] {
        let reading = run(&random(&system, 0.0, 8192, outstanding), &system);
        assert_near(
            rate(&reading) * mirrored() / 8.0 * SERVICE as f64 / 1e9,
            1.0,
            0.02,
        );
        assert_near(operations(&reading), mirrored(), 0.01);
    }
}

/// Of all that are outstanding, those wait for room that are nowhere else (Little): the drives let in as many as they
/// take, and each of these has its time in the cache and on the way; the processor takes no time here.
#[test]
fn writes_wait_for_room_unless_they_are_elsewhere() {
    let system = with(array("10", 8, 4, &server(SERVICE)), "write_back", json!(true));
    let system = having(having(system, "host_io_ps", 0), "disk_io_ps", 0);
    for outstanding in [16, 64] {
        let reading = run(&random(&system, 0.0, 8192, outstanding), &system);
        let elsewhere = 8.0 / mirrored() / SERVICE as f64 * (CACHE_WRITE + DELAY) as f64;
        let expected = outstanding as f64 - elsewhere;
        let simulation = reading.simulation.as_ref().expect("simulated");
        let cache = station(&reading, "controller: write cache");
        assert_near(cache.mean_queue, expected, 0.02);
        let share = simulation.latency_split["controller_room"];
        assert_near(share, expected / outstanding as f64, 0.002);
        assert_near(cache.utilisation_mean, 1.0, 0.001);
        let limit = simulation.bottleneck.station.as_deref();
        assert_eq!(
            limit,
            Some("drive: firmware"),
            "what empties the cache is the limit"
        );
    }
}

/// Dirty bytes are the rate of the writes times how long they stay (Little): one write at a time, a row of four goes to
/// the drives with the last of it, and is gone when the processor has done with that write, then with four operations,
/// and the drives with theirs.
#[test]
fn a_cache_is_as_full_as_long_as_writes_stay_in_it() {
    let system = with(array("0", 4, 4, &server(1_000)), "write_back", json!(true));
    let reading = run(&sequential(&system, 0.0, 1), &system);
    let each = (HOST_IO + CACHE_WRITE + DELAY) as f64;
    assert_near(rate(&reading) * each / 1e9, 1.0, 1e-3);
    let stay = 1.5 * each + (HOST_IO + 4 * DISK_IO + 1_000) as f64;
    let dirty = STRIP as f64 * stay / each;
    let cache = station(&reading, "controller: write cache");
    assert_near(cache.utilisation_mean * f64::from(64 << 20) / dirty, 1.0, 0.01);
    assert_eq!(cache.mean_queue, 0.0);
}

/// All reads go to the first of two mirrors, and the writes to both: the first is the limit, and the other is busy for as
/// much of the time as there are writes.
#[test]
fn one_of_equal_stations_can_be_the_limit() {
    let mut system = array("1", 2, 1, &server(SERVICE));
    system["controllers"][0]["logicals"][0]["array"]["mirror_read"] = json!({ "policy": "primary" });
    let reading = run(&random(&system, 0.5, 8192, 64), &system);
    let drives = station(&reading, "drive: firmware");
    assert_near(drives.utilisation_max, 1.0, 1e-3);
    assert_near(drives.utilisation_mean, 0.75, 0.01);
    let limit = &reading.simulation.as_ref().expect("simulated").bottleneck;
    assert_eq!(limit.station.as_deref(), Some("drive: firmware"));
    assert_near(limit.utilisation, 1.0, 1e-3);
}

/// Four servers with strips of 1 MiB, and what share of them the cache holds.
fn striped() -> (Value, f64) {
    let mut system = with(array("0", 4, 4, &server(1_000)), "write_back", json!(true));
    let size = 29_u64 << 30;
    let logical = &mut system["controllers"][0]["logicals"][0];
    (logical["array"]["strip_bytes"], logical["size_bytes"]) = (json!(1 << 20), json!(size));
    system["volumes"][0]["size_bytes"] = json!(size);
    (system, CACHE / size as f64)
}

/// Writes that lie on others or beside them go to the drives with them, from the beginning on as in later rounds of the sweep.
/// Of 8 KiB at multiples of 4 KiB ν begin at a place in a round, where 1 − (1 − e^(−2ν))/2ν is the share that is dirty. One
/// of them is the first of those that go together if none begins at the two places before; one of 256 is on two strips.
#[test]
fn what_overlaps_goes_to_the_drives_together() {
    let (system, share) = striped();
    let mut begin = share;
    for _ in 0..50 {
        begin = -f64::exp_m1(-2.0 * begin) / (1.0 - share) / 2.0;
    }
    let expected = -f64::exp_m1(-begin) / begin * f64::exp(-2.0 * begin) + 1.0 / 256.0;
    for passed in [5_000, 400_000] {
        let mut point = random(&system, 0.0, 8192, 1);
        point["profile"]["alignment_bytes"] = json!(4096);
        point["stopping"]["warmup_ios"] = json!(passed);
        assert_near(operations(&run(&point, &system)), expected, 0.01);
    }
}

/// Each eighth write goes elsewhere and seven follow it: runs of 64 KiB at multiples of 8 KiB are like single writes of that
/// size, from the beginning on. As above with eight places for two; seven of 128 are on two strips.
#[test]
fn what_follows_each_other_goes_to_the_drives_together() {
    let (system, share) = striped();
    let mut begin = share / 4.0;
    for _ in 0..50 {
        begin = -f64::exp_m1(-8.0 * begin) / (1.0 - share) / 8.0;
    }
    let run_expected = -f64::exp_m1(-begin) / begin * f64::exp(-8.0 * begin) + 7.0 / 128.0;
    for passed in [5_000, 400_000] {
        let mut point = random(&system, 0.0, 8192, 1);
        point["profile"]["random_every"] = json!(8);
        point["stopping"]["warmup_ios"] = json!(passed);
        let found = operations(&run(&point, &system));
        assert_near(found * 8.0, run_expected, 0.03);
    }
    // Half of the writes go elsewhere, for one: as many operations at the beginning as later.
    let of = |passed: u64| {
        let mut point = random(&system, 0.0, 8192, 1);
        point["profile"]["random_share"] = json!(0.5);
        point["stopping"]["warmup_ios"] = json!(passed);
        operations(&run(&point, &system))
    };
    assert_near(of(5_000), of(400_000), 0.01);
}

/// The drives keep up: nobody waits for room, and what comes in goes out.
#[test]
fn a_cache_that_the_drives_empty_is_never_waited_for() {
    let system = with(array("10", 8, 4, &server(1_000)), "write_back", json!(true));
    let reading = run(&random(&system, 0.0, 8192, 1), &system);
    assert_eq!(reading.writes.latency.min_ns, HOST_IO + CACHE_WRITE + DELAY);
    assert_near(operations(&reading), mirrored(), 0.01);
    assert_eq!(station(&reading, "controller: write cache").mean_queue, 0.0);
}

/// A hard disk that holds what the servers do.
fn small_disk() -> Value {
    let mut disk = disk();
    disk["capacity_bytes"] = json!(8 * GB);
    disk
}

/// Dirty blocks of one stripe are destaged together: two operations each, and two for the parity of all. Where the
/// sweep is, a stripe has on the average twice the mean number of dirty blocks, λ = 2 · 131 072 / 122 070 of 8 KiB, with
/// a Poisson distribution: operations a block 2 + 2(1 − e^−λ)/λ; and some writes hit what is dirty already.
fn operations_of_a_write(bytes: f64) -> f64 {
    let blocks = (1_u64 << 30) as f64 / bytes;
    let density = 2.0 * blocks / (8e9 / STRIP as f64);
    let hits = blocks / (7.0 * 8e9 / bytes);
    (2.0 + 2.0 * (1.0 - (-density).exp()) / density) * (1.0 - hits)
}

#[test]
fn dirty_blocks_of_a_stripe_share_its_parity() {
    let system = with(array("5", 8, 7, &small_disk()), "write_back", json!(true));
    let expected = operations_of_a_write(8192.0);
    let reading = run(&random(&system, 0.0, 8192, 64), &system);
    assert_near(operations(&reading), expected, 0.02 * expected);
}

/// The parity of all between two blocks is more for SSDs to move than two operations: there each write has its own four.
#[test]
fn dirty_blocks_on_ssds_have_updates_of_their_own() {
    let system = with(array("5", 8, 7, &server(SERVICE)), "write_back", json!(true));
    let reading = run(&random(&system, 0.0, 8192, 64), &system);
    assert_near(operations(&reading), 4.0 * destaged(7.0 * 8e9), 0.02 * 4.0);
}

/// What is dirty are writes, whatever the size of the reads beside them: reads of 64 KiB at multiples of 8 KiB are on
/// 1 + 7/8 strips on the average, and find no dirty block that holds all of them.
#[test]
fn dirty_blocks_are_of_the_size_of_writes() {
    let system = with(array("5", 8, 7, &small_disk()), "write_back", json!(true));
    let mut point = random(&system, 0.5, 65_536, 64);
    point["profile"]["alignment_bytes"] = json!(8192);
    point["profile"]["write_blocks"] = json!([{ "bytes": 8192, "weight": 1.0 }]);
    let reads = 1.0 + (65_536.0 - 8192.0) / STRIP as f64;
    let expected = 0.5 * reads + 0.5 * operations_of_a_write(8192.0);
    let reading = run(&point, &system);
    assert_near(operations(&reading), expected, 0.02 * expected);
    assert_eq!(reading.reads.bytes, reading.reads.completed * 65_536);
    assert_eq!(reading.writes.bytes, reading.writes.completed * 8192);
}

#[test]
fn an_area_that_fits_stays_in_the_cache() {
    let system = with(array("10", 8, 4, &server(SERVICE)), "write_back", json!(true));
    let mut point = random(&system, 0.5, 8192, 16);
    point["targets"][0]["area_length_bytes"] = json!(1 << 28);
    assert_near(operations(&run(&point, &system)), 0.0, 1e-9);
}

/// Blocks of 8 KiB at multiples of 64 KiB, or in a quarter of the area: what is dirty is an eighth of 4 GiB, or a quarter of 2 GiB, and
/// finds room. Four times as much does not.
#[test]
fn what_is_left_out_of_an_area_takes_no_room() {
    let system = with(array("10", 8, 4, &server(SERVICE)), "write_back", json!(true));
    let zones = json!({ "kind": "zones", "zones": [{ "accesses": 1.0, "range": 0.25 }, { "accesses": 0.0, "range": 0.75 }] });
    for (alignment, distribution, area, dirty) in [
        (65_536, json!({ "kind": "uniform" }), 4_u64 << 30, 0.5),
        (8192, zones, 2 << 30, 0.5),
    ] {
        let mut point = random(&system, 0.5, 8192, 16);
        point["profile"]["alignment_bytes"] = json!(alignment);
        point["profile"]["distribution"] = distribution;
        point["targets"][0]["area_length_bytes"] = json!(area);
        let reading = run(&point, &system);
        assert_near(operations(&reading), 0.0, 1e-9);
        let cache = station(&reading, "controller: write cache");
        assert_near(cache.utilisation_mean, dirty, 0.001);
        point["targets"][0]["area_length_bytes"] = json!(4 * area);
        assert!(operations(&run(&point, &system)) > 0.1);
    }
}

/// Reads of every eighth block of 16 times the cache find a half there.
#[test]
fn reads_hit_among_what_they_go_to() {
    let system = with(array("0", 4, 4, &server(SERVICE)), "cached_reads", json!(true));
    let mut point = random(&system, 1.0, 8192, 16);
    point["profile"]["alignment_bytes"] = json!(65_536);
    point["targets"][0]["area_length_bytes"] = json!(16_u64 << 30);
    assert_near(operations(&run(&point, &system)), 0.5, 0.015);
}

/// Uniform reads of four times the cache find a quarter there; standard error of 20 000 draws: 0.003.
#[test]
fn cached_reads_hit_as_much_as_the_cache_holds() {
    let system = with(array("0", 4, 4, &server(SERVICE)), "cached_reads", json!(true));
    let mut point = random(&system, 1.0, 8192, 16);
    point["targets"][0]["area_length_bytes"] = json!(4_u64 << 30);
    assert_near(operations(&run(&point, &system)), 0.75, 0.01);
    let direct = with(system, "cached_reads", json!(false));
    assert_near(operations(&run(&point, &direct)), 1.0, 0.002);
}

/// What the cache holds all of is never read from the drives again, in whatever order, and nothing is fetched ahead of a stream.
#[test]
fn cached_reads_of_what_fits_need_no_drive() {
    let cached = with(array("0", 4, 4, &server(SERVICE)), "cached_reads", json!(true));
    for (random_share, ahead) in [(1.0, false), (0.0, false), (0.0, true), (0.5, true)] {
        let system = with(cached.clone(), "read_ahead", json!(ahead));
        let mut point = random(&system, 1.0, 8192, 1);
        point["profile"]["random_share"] = json!(random_share);
        point["targets"][0]["area_length_bytes"] = json!(1_u64 << 30);
        let reading = run(&point, &system);
        assert_eq!(only_latency(&reading), HOST_IO + CACHE_READ + DELAY);
        assert_near(operations(&reading), 0.0, 1e-9);
    }
}

/// Two logical drives of one controller have half of its cache each: uniform reads of twice the cache find a quarter there.
#[test]
fn logical_drives_share_the_cache() {
    let mut system = with(array("0", 4, 2, &server(SERVICE)), "cached_reads", json!(true));
    let own = |system: &Value, drives: [usize; 2]| {
        let mut logical = system["controllers"][0]["logicals"][0].clone();
        logical["array"]["drives"] = json!(drives);
        logical
    };
    let both = [own(&system, [0, 1]), own(&system, [2, 3])];
    system["controllers"][0]["logicals"] = json!(both);
    let mut other = system["volumes"][0].clone();
    (other["name"], other["on"]["logical"]) = (json!("other"), json!(1));
    system["volumes"] = json!([system["volumes"][0].clone(), other]);
    let mut point = random(&system, 1.0, 8192, 16);
    point["targets"][0]["area_length_bytes"] = json!(2_u64 << 30);
    let mut second = point["targets"][0].clone();
    second["path"] = json!("other");
    point["targets"] = json!([point["targets"][0].clone(), second]);
    assert_near(operations(&run(&point, &system)), 0.75, 0.01);
}

/// Destaging takes half of what a drive may have under way, so that reads find a way in: where writes alone come faster than
/// the drives take them, so many operations are at the eight drives in the mean.
#[test]
fn destaging_leaves_half_of_the_queues_of_drives() {
    for (queue, of_drive) in [(4, false), (16, false), (4, true), (16, true)] {
        let mut system = with(array("10", 8, 4, &server(SERVICE)), "write_back", json!(true));
        if of_drive {
            // It takes fewer than the controller would send.
            for drive in system["drives"].as_array_mut().expect("drives") {
                drive["commands"] = json!(queue);
            }
        } else {
            system = having(system, "drive_queue", queue);
        }
        let reading = run(&random(&system, 0.0, 8192, 64), &system);
        let there = station(&reading, "drive: firmware").mean_queue / 8.0;
        assert!(
            there <= queue as f64 / 2.0 && there > queue as f64 / 4.0,
            "{there}"
        );
    }
}

/// Without a cache, write-back is nothing that could be.
#[test]
fn without_a_cache_writes_go_to_the_drives() {
    let system = with(array("0", 4, 4, &server(SERVICE)), "write_back", json!(true));
    let system = having(system, "cache_bytes", 0);
    let reading = run(&random(&system, 0.0, 8192, 1), &system);
    assert_eq!(only_latency(&reading), HOST_IO + DISK_IO + SERVICE + DELAY);
}

#[test]
fn one_seed_gives_one_result() {
    let system = with(array("5", 8, 7, &server(SERVICE)), "write_back", json!(true));
    let point = random(&system, 0.67, 8192, 32);
    let text = |point| serde_json::to_string(&run(point, &system)).expect("a document");
    assert_eq!(text(&point), text(&point));
    let mut other = point.clone();
    other["seed"] = json!(2);
    assert_ne!(text(&point), text(&other));
}

/// Reads find in the cache what their own share of random accesses lets them find, whatever writes do: a quarter of
/// uniform ones, and none of those that follow each other.
#[test]
fn what_reads_find_follows_from_how_they_go_alone() {
    let system = with(array("0", 4, 4, &server(SERVICE)), "cached_reads", json!(true));
    let mut point = random(&system, 0.5, 8192, 16);
    point["targets"][0]["area_length_bytes"] = json!(4_u64 << 30);
    point["profile"]["write_random_share"] = json!(0.0);
    assert_near(operations(&run(&point, &system)), 0.5 * 0.75 + 0.5, 0.01);
    point["profile"]["random_share"] = json!(0.0);
    point["profile"]["write_random_share"] = json!(1.0);
    assert_near(operations(&run(&point, &system)), 1.0, 0.002);
}

/// Random writes fill the cache as they do alone, beside reads that follow each other; these take one operation each,
/// but for those that find what is dirty.
#[test]
fn random_writes_beside_sequential_reads_share_the_parity_of_stripes() {
    let system = with(array("5", 8, 7, &small_disk()), "write_back", json!(true));
    let mut point = random(&system, 0.5, 8192, 64);
    point["profile"]["random_share"] = json!(0.0);
    point["profile"]["write_random_share"] = json!(1.0);
    let hits = (1_u64 << 30) as f64 / (7.0 * 8e9);
    let expected = 0.5 * (1.0 - hits) + 0.5 * operations_of_a_write(8192.0);
    assert_near(operations(&run(&point, &system)), expected, 0.02 * expected);
}

/// Writes that follow each other become whole stripes, however reads jump between them: eight operations for seven.
#[test]
fn sequential_writes_beside_random_reads_become_whole_stripes() {
    let write_back = with(array("5", 8, 7, &server(SERVICE)), "write_back", json!(true));
    let without_cache = having(array("5", 8, 7, &server(SERVICE)), "cache_bytes", 0);
    for system in [write_back, without_cache] {
        let mut point = random(&system, 0.5, STRIP, 64);
        point["profile"]["write_random_share"] = json!(0.0);
        assert_near(operations(&run(&point, &system)), 0.5 + 0.5 * 8.0 / 7.0, 0.02);
    }
}

/// A read of the cache is ready for the way to the host when its data have been read there. What a drive delivers before that
/// does not wait for it: both take their turn when they are ready, 65.536 µs each over 1 GB/s.
#[test]
fn data_of_drives_do_not_wait_for_a_read_of_the_cache_that_is_not_ready() {
    let system = having(array("0", 4, 4, &server(20_000)), "cache_read_ps", 1_000_000_000);
    let system = having(with(system, "write_back", json!(true)), "read_bytes_s", GB);
    let mut alone = Alone::new(&system);
    let transfer = 65_536;
    alone.submit(0, true, 0, 1);
    let began = 6 * HOST_IO;
    // What was written is in the cache; far from it nothing is.
    alone.submit(1, false, 0, 1);
    alone.submit(2, false, 20_001, 1);
    alone.until(10_000_000);
    let at = |token: u32| {
        let found = alone.done.iter().find(|done| done.token == token);
        found.expect("a read that is done").at.ns()
    };
    let (cached, read) = (at(1), at(2));
    assert!(read <= began + 20_000 + transfer + DELAY, "{read}");
    assert!(
        cached >= 1_000_000 + transfer && cached <= 1_000_000 + began + transfer,
        "{cached}"
    );
}

/// What has been written is read from the cache, on an area that the cache does not hold all of, too; what has not been comes
/// from a drive.
#[test]
fn a_read_of_what_has_just_been_written_needs_no_drive() {
    let service = 1_000_000;
    let system = with(array("0", 4, 4, &server(service)), "write_back", json!(true));
    let mut alone = Alone::new(&having(system, "cache_bytes", 256 << 20));
    alone.submit(0, true, 0, 1);
    alone.until(10_000 * service);
    alone.submit(1, false, 0, 1);
    alone.submit(2, false, 2, 1);
    alone.until(20_000 * service);
    let at = |token: u32| {
        let found = alone.done.iter().find(|done| done.token == token);
        found.expect("a read that is done").at.ns()
    };
    assert!(at(1) + service / 2 < at(2), "{} and {}", at(1), at(2));
}

/// An area of twice the cache: what is to be written and what is kept of reads have it together, so that half of the reads are
/// answered, however many writes there are and whether they go there.
#[test]
fn what_is_dirty_takes_room_from_what_is_kept_of_reads() {
    let area = 2.0 * CACHE;
    for read_share in [0.5, 0.9] {
        let through = with(array("0", 4, 4, &server(SERVICE)), "cached_reads", json!(true));
        let mut point = random(&through, read_share, 8192, 16);
        point["targets"][0]["area_length_bytes"] = json!(area as u64);
        let missed = read_share * 0.5;
        let written = 1.0 - read_share;
        assert_near(operations(&run(&point, &through)), missed + written, 0.02);
        let back = with(through, "write_back", json!(true));
        let expected = missed + written * destaged(area);
        assert_near(operations(&run(&point, &back)), expected, 0.02);
    }
}

/// A logical drive beside, whose reads and writes pass the cache, has no part of it.
#[test]
fn who_passes_the_cache_has_no_part_of_it() {
    let mut system = with(array("0", 2, 2, &server(SERVICE)), "write_back", json!(true));
    let mut beside = system["controllers"][0]["logicals"][0].clone();
    for (at, logical) in [&mut system["controllers"][0]["logicals"][0], &mut beside]
        .into_iter()
        .enumerate()
    {
        logical["array"]["drives"] = json!([at]);
        logical["name"] = json!(format!("logical {at}"));
        logical["size_bytes"] = json!(8 * GB / STRIP * STRIP);
    }
    beside["write_back"] = json!(false);
    system["controllers"][0]["logicals"]
        .as_array_mut()
        .expect("a list")
        .push(beside);
    system["volumes"][0]["size_bytes"] = json!(8 * GB / STRIP * STRIP);
    let mut volume = system["volumes"][0].clone();
    (volume["name"], volume["on"]["logical"]) = (json!("beside"), json!(1));
    system["volumes"].as_array_mut().expect("a list").push(volume);
    // Three quarters of the cache, which takes all of them, and half of it does not.
    let mut point = random(&system, 0.0, 8192, 16);
    point["targets"][0]["area_length_bytes"] = json!(CACHE as u64 / 4 * 3);
    let dirty = |reading: &Reading| station(reading, "controller: write cache").utilisation_mean;
    assert_near(dirty(&run(&point, &system)), 0.75, 0.01);
    let mut target = point["targets"][0].clone();
    target["path"] = json!("beside");
    point["targets"].as_array_mut().expect("a list").push(target);
    let mut reads = point["profile"].clone();
    reads["read_share"] = json!(1.0);
    point["beside"] = json!([{
        "profile": reads, "targets": 1, "outstanding": 1, "workers": 1, "rate_io_s": 10.0, "arrival": "poisson", "seed": 2,
    }]);
    assert_near(dirty(&run(&point, &system)), 0.75, 0.01);
}
