//! Syncs and durable writes: what they cost follows from where a loss of power leaves the data. Expected values from formulas.

use iodyno_load::reading::Reading;
use serde_json::{Value, json};

use crate::whole::systems::{GB, assert_near, disk, host_raid, one_drive, over_seeds, point, run, server};

const CPU: u64 = 1_000;
const SERVICE: u64 = 3_000;
const DELAY: u64 = 16_000;
/// What a write that is answered from a buffer takes.
const ANSWER: u64 = CPU + SERVICE + DELAY;
const PROGRAM: u64 = 700_000;

/// Writes of 8 kB with a sync after so many.
fn writes(every: u64, outstanding: usize) -> Value {
    let mut point = point(0.0, outstanding, 1);
    point["profile"]["fsync_every"] = json!(every);
    point
}

/// A drive whose buffer outlasts a loss of power, or does not: 64 dies that program 32 KiB at once.
fn flash(protected: bool) -> Value {
    let mut drive = server(SERVICE, DELAY);
    drive["protected_share"] = json!(f64::from(u8::from(protected)));
    (drive["program_bytes"], drive["program_ps"]) = (json!(32_768), json!(PROGRAM * 1000));
    drive["data_write_bytes_s"] = json!(2 * GB);
    drive
}

/// The data path's time for so many bytes, in ns.
fn passing(bytes: u64) -> u64 {
    bytes / 2
}

fn syncs(reading: &Reading) -> &iodyno_load::reading::Direction {
    reading.syncs.as_ref().expect("syncs")
}

/// The only latency of syncs that occurs, in ns.
fn only(reading: &Reading) -> u64 {
    let latency = &syncs(reading).latency;
    assert_eq!(latency.min_ns, latency.max_ns, "all syncs take the same time");
    latency.min_ns
}

#[test]
fn a_protected_buffer_answers_a_sync_like_a_write() {
    for every in [1, 3, 100] {
        let reading = run(&writes(every, 1), &one_drive(1, CPU, json!([]), flash(true)));
        assert_eq!(only(&reading), ANSWER);
        assert_eq!(syncs(&reading).bytes, 0);
        let (written, synced) = (reading.writes.completed, syncs(&reading).completed);
        assert!(synced.abs_diff(written / every) <= 1, "{synced} of {written}");
        // n writes and a sync, one after the other.
        let cycle = (every + 1) * ANSWER;
        let found = written as f64 / reading.measured_s;
        assert_near(found / (every as f64 * 1e9 / cycle as f64), 1.0, 1e-3);
    }
}

/// Three writes are less than a program: the sync has them programmed, in one. Eight are two programs: the first has
/// left before the sync comes, the second goes when the last write is in the buffer, before that is answered.
#[test]
fn a_volatile_buffer_is_programmed_before_a_sync_is_answered() {
    let system = one_drive(1, CPU, json!([]), flash(false));
    let reading = run(&writes(3, 1), &system);
    assert_eq!(only(&reading), ANSWER + passing(3 * 8192) + PROGRAM);
    let cycle = 4 * ANSWER + passing(3 * 8192) + PROGRAM;
    assert_near(
        reading.writes.completed as f64 / reading.measured_s / (3e9 / cycle as f64),
        1.0,
        1e-3,
    );
    let reading = run(&writes(8, 1), &system);
    assert_eq!(only(&reading), passing(32_768) + PROGRAM);
}

/// A buffer with little more room than two programs: what a sync has let leave in less than a program must leave no
/// part of one behind that nothing fills up, for then large writes would wait for room for ever.
#[test]
fn a_small_volatile_buffer_is_never_stuck() {
    let loads = [(8192, 1), (16_384, 2), (24_576, 3), (57_344, 3), (131_072, 3)];
    for ((bytes, every), dies) in loads.into_iter().flat_map(|load| [(load, 1), (load, 64)]) {
        let mut drive = flash(false);
        (drive["buffer_bytes"], drive["dies"]) = (json!(65_536), json!(dies));
        let mut point = writes(every, 4);
        point["profile"]["blocks"] =
            json!([{ "bytes": 12_288, "weight": 1.0 }, { "bytes": bytes, "weight": 1.0 }]);
        let reading = run(&point, &one_drive(1, CPU, json!([]), drive));
        assert!(reading.writes.completed >= 20_000 && syncs(&reading).completed > 0);
    }
}

/// Many writes outstanding: each sync stands for four that were complete, and takes the place of one I/O.
#[test]
fn syncs_of_many_outstanding_writes_are_all_issued() {
    for rate in [None, Some(40_000.0)] {
        let mut point = writes(4, 16);
        point["rate_io_s"] = json!(rate);
        (point["arrival"], point["profile"]["read_share"]) = (json!("fixed"), json!(0.5));
        let reading = run(&point, &one_drive(1, CPU, json!([]), flash(false)));
        let (written, synced) = (reading.issued.writes, reading.issued.syncs);
        assert!(
            synced <= written / 4 && synced + 17 >= written / 4,
            "{synced} of {written}"
        );
        if let Some(rate) = rate {
            let accesses = reading.reads.completed + reading.writes.completed;
            assert_near(accesses as f64 / reading.measured_s / rate, 1.0, 1e-3);
        }
        let depth = reading.workers[0].io_time_s / reading.workers[0].elapsed_s;
        assert!(
            depth <= 16.0 + 1e-9 && (rate.is_some() || depth > 15.9),
            "{depth}"
        );
    }
}

/// A worker that thinks after each write thinks after the sync that the write made due.
#[test]
fn a_sync_comes_before_the_think_time() {
    let mut point = writes(2, 1);
    point["profile"]["think_time_us"] = json!(50);
    let reading = run(&point, &one_drive(1, CPU, json!([]), flash(true)));
    let cycle = 2.0 * 50_000.0 + 3.0 * ANSWER as f64;
    assert_near(
        reading.writes.completed as f64 / reading.measured_s / (2e9 / cycle),
        1.0,
        1e-3,
    );
}

/// The host tells every member, side by side: its processor has work for each beyond the first.
#[test]
fn an_array_of_the_host_flushes_every_member() {
    for (level, drives) in [("0", 4), ("1", 2), ("5", 3)] {
        let child = 2_000;
        let reading = run(&writes(1, 1), &host_raid(level, drives, child, &flash(true)));
        let expected = (drives as u64 - 1) * child + SERVICE + DELAY;
        assert_eq!(only(&reading), expected, "{level}");
    }
}

/// O_DSYNC where the buffer is lost with the power is the drive with its cache off, and nothing where it is not.
#[test]
fn durable_writes_are_those_of_a_drive_without_a_cache() {
    let measured = |drive: &Value, durable: bool| {
        let mut point = point(0.3, 4, 1);
        point["write_through"] = json!(durable);
        let reading = run(&point, &one_drive(1, CPU, json!([]), drive.clone()));
        assert_eq!(reading.engine.write_through, durable);
        serde_json::to_string(&(&reading.reads, &reading.writes, &reading.series)).expect("JSON")
    };
    for mut drive in [flash(false), disk()] {
        let (durable, cached) = (measured(&drive, true), measured(&drive, false));
        drive["write_cache"] = json!(false);
        assert!(durable == measured(&drive, false) && durable != cached);
    }
    let protected = flash(true);
    assert!(measured(&protected, true) == measured(&protected, false));
}

/// A stream: what follows on the last sync is under the head again after a revolution, in which the next writes have
/// come, and all of them go in one. So n writes take a revolution and the time that the medium needs for them.
#[test]
fn a_disk_loses_a_revolution_for_each_sync_of_a_stream() {
    for every in [1, 4, 16] {
        let mut point = writes(every, 1);
        point["profile"]["random_share"] = json!(0.0);
        let reading = run(&point, &one_drive(1, CPU, json!([]), disk()));
        let cycle = 8e-3 + (every * 8192) as f64 / 120e6;
        let found = reading.writes.completed as f64 / reading.measured_s;
        assert_near(found / (every as f64 / cycle), 1.0, 1e-3);
    }
}

/// After every write at random the arm sets out when the sync comes, which is a command later than without the cache: a
/// visit to the core and the command once more, and nothing is won.
#[test]
fn a_sync_after_each_random_write_undoes_the_cache() {
    let mut synced = writes(1, 1);
    synced["stopping"]["floor_ios"] = json!(4_000);
    let mut plain = point(0.0, 1, 1);
    plain["stopping"] = synced["stopping"].clone();
    let mut without = disk();
    without["write_cache"] = json!(false);
    let cycle = |reading: &Reading| reading.measured_s / reading.writes.completed as f64;
    let system = |drive: Value| one_drive(1, CPU, json!([]), drive);
    let (found, near) = over_seeds(10, &synced, &system(disk()), cycle);
    let (expected, off) = over_seeds(10, &plain, &system(without), cycle);
    assert_near(found, expected + 0.101e-3, near + off);
}

/// The same drive behind SATA: a flush is no queued command.
fn sata(cores: usize, drive: Value) -> Value {
    let mut system = one_drive(cores, CPU, json!([]), drive);
    system["drives"][0]["flush"] = json!("alone");
    system
}

/// What several durable writes at once take, and for how long of it each waits for others in the mean: they go through the firmware one
/// after the other. The first to come back flushes at once, which the drive does when all of them have ended, and for it alone. One
/// flush serves the others after that; the next write of the first waits for it in the drive, and begins as it ends.
fn two_flushes(writes: u64) -> (u64, f64) {
    let flush = SERVICE + DELAY;
    let flushed = writes * SERVICE + DELAY + flush;
    let cycle = flushed + CPU + flush;
    let back = |number: u64| number * SERVICE + DELAY;
    // Of the time for a flush that of the one that carries it counts where it is spent.
    let waited = flushed - back(2) + (3..=writes).map(|number| cycle - back(number)).sum::<u64>();
    (cycle, waited as f64 / writes as f64)
}

/// A durable write is a write and a flush there, and who waits when a flush begins shares it. Where writes are answered from the
/// medium there is nothing to flush.
#[test]
fn durable_writes_of_sata_share_a_flush() {
    for outstanding in [1, 2, 5, 10] {
        let mut point = point(0.0, outstanding as usize, 1);
        point["write_through"] = json!(true);
        let reading = run(&point, &sata(1, flash(true)));
        let (cycle, waited) = match outstanding {
            1 => (2 * ANSWER, 0.0),
            several => two_flushes(several),
        };
        let latency = &reading.writes.latency;
        assert_eq!((latency.min_ns, latency.max_ns), (cycle, cycle), "{outstanding}");
        let split = reading.simulation.expect("simulated").latency_split;
        let media = split.get("drive_media").copied().unwrap_or(0.0);
        assert_near(media, waited / cycle as f64, 1e-3);

        let mut off = flash(true);
        off["write_cache"] = json!(false);
        let [durable, plain] = [true, false].map(|durable| {
            point["write_through"] = json!(durable);
            serde_json::to_string(&run(&point, &sata(1, off.clone())).writes).expect("JSON")
        });
        assert!(durable == plain, "{outstanding}");
    }
}

/// What a durable write waits for there is what a sync after each write does: one after the other they are equally fast,
/// whatever the drive does with its cache.
#[test]
fn a_durable_write_of_sata_is_a_write_and_a_sync() {
    for drive in [flash(true), flash(false), disk()] {
        let mut durable = point(0.0, 1, 1);
        durable["write_through"] = json!(true);
        durable["stopping"]["floor_ios"] = json!(4_000);
        let mut synced = writes(1, 1);
        synced["stopping"] = durable["stopping"].clone();
        let [durable, synced] = [durable, synced].map(|point| {
            let reading = run(&point, &sata(1, drive.clone()));
            reading.writes.completed as f64 / reading.measured_s
        });
        assert_near(durable / synced, 1.0, 1e-3);
    }
}

/// Reads go on beside durable writes, but not beside a flush: of one outstanding I/O nothing changes.
#[test]
fn a_flush_of_sata_has_the_drive_for_itself() {
    let of = |flush: &str, outstanding: usize| {
        let mut point = point(0.5, outstanding, 1);
        point["profile"]["fsync_every"] = json!(1);
        let mut system = sata(1, flash(true));
        system["drives"][0]["flush"] = json!(flush);
        run(&point, &system)
    };
    let figures = |reading: &Reading| {
        let all = (&reading.reads, &reading.writes, &reading.syncs);
        serde_json::to_string(&all).expect("JSON")
    };
    assert!(figures(&of("alone", 1)) == figures(&of("queued", 1)));
    let (own, queued) = (of("alone", 8), of("queued", 8));
    // A sync begins when what is in the drive has ended, and a read may come upon one.
    assert_eq!(syncs(&queued).latency.min_ns, ANSWER);
    let mean = |reading: &Reading| {
        let of = syncs(reading);
        of.latency.sum_ns as f64 / of.completed as f64
    };
    assert!(
        mean(&own) > 1.5 * mean(&queued),
        "{} {}",
        mean(&own),
        mean(&queued)
    );
    assert!(own.reads.latency.max_ns > queued.reads.latency.max_ns + ANSWER / 2);
    // Several syncs share a flush: the firmware has less to do than there are I/Os.
    let station = |reading: &Reading| {
        let simulation = reading.simulation.as_ref().expect("simulated");
        let firmware = simulation
            .stations
            .iter()
            .find(|station| station.name.ends_with("firmware"));
        firmware.expect("firmware").jobs as f64
    };
    let asked = |reading: &Reading| {
        (reading.reads.completed + reading.writes.completed + syncs(reading).completed) as f64
    };
    assert_near(station(&queued) / asked(&queued), 1.0, 1e-3);
    assert!(
        station(&own) < 0.95 * asked(&own),
        "{} of {}",
        station(&own),
        asked(&own)
    );
}

/// Where no drive has anything to flush a sync takes its worker's time and no drive's, and other I/Os as little notice of it.
#[test]
fn a_sync_that_no_drive_need_hear_of_takes_time_of_the_core() {
    const SYNC: u64 = 400;
    for drives in [1, 2] {
        let mut system = match drives {
            1 => one_drive(1, SYNC, json!([]), flash(true)),
            _ => host_raid("1", 2, 0, &flash(true)),
        };
        system["volumes"][0]["cpu"] = json!({ "read_ps": 0, "write_ps": SYNC * 1000, "per_kib_ps": 0 });
        for drive in 0..drives {
            system["drives"][drive]["flush"] = json!("unneeded");
        }
        let reading = run(&writes(1, 1), &system);
        assert_eq!(only(&reading), SYNC);
        let cycle = (SYNC + SERVICE + DELAY + SYNC) as f64;
        let written = reading.writes.completed as f64;
        assert_near(written / reading.measured_s / (1e9 / cycle), 1.0, 1e-3);
        let simulation = reading.simulation.as_ref().expect("simulated");
        let of = |name: &str| {
            simulation
                .stations
                .iter()
                .find(|station| station.name.ends_with(name))
        };
        assert_near(
            of("firmware").expect("firmware").jobs as f64 / written,
            drives as f64,
            1e-3,
        );
        assert_near(reading.workers[0].cpu_s, 2.0 * written * SYNC as f64 / 1e9, 1e-5);
        // One member that has makes it a flush of all.
        if drives == 2 {
            system["drives"][1]["flush"] = json!("queued");
            assert_eq!(only(&run(&writes(1, 1), &system)), SYNC + SERVICE + DELAY);
        }
    }
}

/// Nothing has to be synced on this drive: a sync is the host's alone, and sooner back than a write. What the latency allows is a matter
/// of the writes, of which each takes what one takes.
#[test]
fn a_sync_is_no_io_that_the_latency_bounds() {
    let mut system = one_drive(1, CPU, json!([]), flash(true));
    system["drives"][0]["flush"] = json!("unneeded");
    let reading = run(&writes(1, 1), &system);
    assert!(only(&reading) < ANSWER / 4, "{}", only(&reading));
    let simulation = reading.simulation.expect("simulated");
    let bound = simulation.bounds.rate_io_s.expect("a bound");
    assert_near(bound * ANSWER as f64 / 1e9, 1.0, 1e-6);
}
