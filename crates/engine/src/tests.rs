//! The engine on real files.

use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use iodyno_load::integrity::{Kind, Ledger};
use iodyno_load::reading;
use iodyno_load::request::{DataPattern, EngineChoice, Point};

use crate::backend::choose;
use crate::data::Content;
use crate::made::{REAL, Scratch, point, profile, target};
use crate::observer::Control;
use crate::pass::{Place, verify};
use crate::run::measure;
use crate::{Engine, fill};

const GIB: u64 = 1 << 30;
const UNIT: u64 = 4096;

fn place(path: &Path) -> Place<'_> {
    Place {
        path,
        direct: false,
        logical_block_bytes: 512,
        since: 0,
    }
}

fn written(path: &Path, (start, length): (u64, u64)) -> bool {
    let mut data = vec![0; length as usize];
    let file = std::fs::File::open(path).expect("it is there");
    file.read_exact_at(&mut data, start).expect("it is long enough");
    data.chunks(UNIT as usize)
        .all(|unit| unit.iter().any(|byte| *byte != 0))
}

#[test]
fn what_lies_beyond_four_gigabytes_is_written_and_read_there() {
    let length = 4 * UNIT;
    for engine in REAL {
        let file = Scratch::new(&format!("far-{engine:?}"), 8 * GIB);
        let area = [target(&file.0, (5 * GIB, length))];
        let mut writes = profile(0.0);
        writes.random_share = 0.0;
        let asked = point(engine, writes, &area);
        if choose(&asked).is_err() {
            continue;
        }
        let reading = measure(&asked, None, |_| Control::Continue).expect("it is measured");
        let issued = reading.issued.written_bytes.min(length);
        assert!(issued > 0 && written(&file.0, (5 * GIB, issued)), "{engine:?}");
        let blocks = std::fs::metadata(&file.0).expect("it is there").blocks();
        // The file system may take some for itself; a second place would be another four units.
        assert!(blocks * 512 < 2 * length, "{engine:?}: {blocks} blocks");
        // Bytes behind the end of a shorter file: a read from its first 4 GiB would find some.
        let cut = std::fs::OpenOptions::new()
            .write(true)
            .open(&file.0)
            .expect("it is there");
        cut.set_len(5 * GIB).expect("it is cut");
        let reads = until_it_fails(point(engine, profile(1.0), &area));
        let reading = measure(&reads, None, |_| Control::Continue).expect("it is measured");
        assert_eq!(reading.reads.completed, 0, "{engine:?}");
        assert_eq!(reading.reads.errors[0].name, "SHORT", "{engine:?}");
    }
}

/// A point that ends when a thousand I/Os have failed.
fn until_it_fails(asked: Point) -> Point {
    let mut stopping = asked.stopping.clone();
    (stopping.floor_s, stopping.cap_s) = (600.0, 600.0);
    Point { stopping, ..asked }
}

#[test]
fn a_write_that_failed_was_issued_and_makes_no_sync_due() {
    for engine in REAL {
        let mut writes = profile(0.0);
        writes.fsync_every = 1;
        let asked = until_it_fails(point(engine, writes, &[target("/dev/full", (0, 1 << 20))]));
        if choose(&asked).is_err() {
            continue;
        }
        let reading = measure(&asked, None, |_| Control::Continue).expect("it is measured");
        let errors = &reading.writes.errors;
        assert_eq!((errors.len(), reading.writes.completed), (1, 0), "{engine:?}");
        // The kernel's asynchronous I/O does not even begin a write to it.
        assert!(
            ["ENOSPC", "EINVAL"].contains(&errors[0].name.as_str()),
            "{engine:?}"
        );
        assert_eq!(
            reading.issued.writes, errors[0].count,
            "{engine:?}: after the last window too"
        );
        assert_eq!(
            reading.issued.written_bytes,
            UNIT * reading.issued.writes,
            "{engine:?}"
        );
        assert_eq!(reading.issued.syncs, 0, "{engine:?}");
        let told = |issued: &reading::Issued| (issued.written_bytes, issued.failed_written_bytes);
        let target = reading.per_target[0].issued.expect("an engine sent it");
        assert_eq!(
            [told(&reading.issued), told(&target)],
            [(UNIT * errors[0].count, UNIT * errors[0].count); 2],
            "{engine:?}: all of it failed"
        );
        assert_eq!(reading.issued.failed_read_bytes, 0, "{engine:?}");
    }
}

fn filled(path: &Path, range: (u64, u64), ledger: Option<&Ledger>) -> Result<(), crate::EngineError> {
    let content = Content::from(DataPattern::Incompressible);
    fill(path, range, (content, 1), false, ledger, |_| Control::Continue)
}

#[test]
fn a_fill_writes_its_range_and_nothing_else() {
    let (start, length) = (3 * UNIT, (1 << 20) + 5 * UNIT);
    let file = Scratch::new("fill", 4 << 20);
    filled(&file.0, (start, length), None).expect("it is filled");
    assert!(written(&file.0, (start, length)));
    let data = std::fs::read(&file.0).expect("it is there");
    let (from, to) = (start as usize, (start + length) as usize);
    assert!(data[..from].iter().chain(&data[to..]).all(|byte| *byte == 0));
    assert_eq!(data.len(), 4 << 20);
}

/// Wait until nobody has a file open: the kernel closes a ring in its own time.
fn let_go(path: &Path) -> bool {
    let file = std::fs::File::options().read(true).write(true).open(path);
    let file = file.expect("it is there");
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        // SAFETY: asks for a lease on a descriptor that is open; the kernel gives one where no other is.
        let leased = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_WRLCK) } == 0;
        let error = std::io::Error::last_os_error().raw_os_error();
        if leased || error != Some(libc::EAGAIN) || Instant::now() > until {
            return leased || error == Some(libc::EINVAL); // of a file system without leases nothing is known
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_was_filled_and_verified_is_let_go() {
    let area = (0, 16 * UNIT);
    let file = Scratch::new("let-go", area.1);
    let ledger = ledger(&file.0, area);
    filled(&file.0, area, Some(&ledger)).expect("it is filled");
    assert!(let_go(&file.0), "after the fill");
    verify(&ledger, place(&file.0), |_| Control::Continue).expect("it is read");
    assert!(let_go(&file.0), "after the pass");
}

#[test]
fn a_fill_that_finds_no_room_says_so() {
    let failed = filled(Path::new("/dev/full"), (0, 1 << 20), None).expect_err("it is full");
    assert!(failed.to_string().contains("No space left"), "{failed}");
}

fn ledger(path: &Path, (start, length): (u64, u64)) -> Ledger {
    let areas = [(path.display().to_string(), start, length)];
    Ledger::new(77, (UNIT, 16 * UNIT), &areas)
}

#[test]
fn a_pass_reads_all_that_is_known_and_tells_what_is_missing() {
    let area = (3 * UNIT, (2 << 20) + UNIT);
    let file = Scratch::new("pass", area.0 + area.1);
    let ledger = ledger(&file.0, area);
    filled(&file.0, area, Some(&ledger)).expect("it is filled");
    let mut read = 0;
    let found = verify(&ledger, place(&file.0), |bytes| {
        read = bytes;
        Control::Continue
    });
    let found = found.expect("it is read");
    assert_eq!((found.total(), found.checked_bytes, read), (0, area.1, area.1));

    let cut = std::fs::OpenOptions::new()
        .write(true)
        .open(&file.0)
        .expect("it is there");
    let left = (1 << 20) + 3 * UNIT;
    cut.set_len(area.0 + left + 100).expect("it is cut");
    let found = verify(&ledger, place(&file.0), |_| Control::Continue).expect("it is read");
    // It reads a megabyte at a time: of the second three units and 100 bytes are there, of the third none.
    let told = found.first.iter();
    let told: Vec<_> = told.map(|one| (one.offset_bytes, one.bytes, one.kind)).collect();
    assert_eq!(told, [(area.0 + left, area.1 - left, Kind::Unreadable)]);
    assert_eq!(found.checked_bytes, left);
}

#[test]
fn a_pass_reads_what_lies_in_the_last_block_of_a_file_that_ends_within_it() {
    let area = (0, UNIT + 512);
    let file = Scratch::new("within", area.1);
    let ledger = Ledger::new(77, (512, UNIT), &[(file.0.display().to_string(), area.0, area.1)]);
    filled(&file.0, area, Some(&ledger)).expect("it is filled");
    let place = Place {
        direct: true,
        logical_block_bytes: UNIT,
        ..place(&file.0)
    };
    let Ok(found) = verify(&ledger, place, |_| Control::Continue) else {
        return; // no direct I/O there
    };
    assert_eq!((found.total(), found.checked_bytes), (0, area.1), "{found:?}");
}

#[test]
fn a_start_that_waited_for_a_write_of_the_same_place_is_not_the_hosts_fault() {
    let area = (0, UNIT);
    let file = Scratch::new("waits", UNIT);
    let mut asked = Point {
        rate_io_s: Some(100.0),
        outstanding: 128,
        ..point(EngineChoice::Auto, profile(0.0), &[target(&file.0, area)])
    };
    (asked.stopping.floor_s, asked.stopping.cap_s) = (0.6, 0.6);
    // On a busy machine more slip in, or all comes too late to wait; not each time.
    let told = (0..20).any(|_| {
        let ledger = Arc::new(ledger(&file.0, area));
        // Somebody writes it until the first window is over.
        assert!(ledger.claim(0, 0, UNIT));
        let mut held = true;
        let reading = measure(&asked, Some(&ledger), |sample| {
            if sample.is_some() && std::mem::take(&mut held) {
                ledger.written(0, 0, UNIT, ledger.next_generation());
            }
            Control::Continue
        });
        let reading = reading.expect("it is measured");
        let waited = reading.integrity.expect("it is verified").load.waited;
        let open = reading.open_loop.expect("a rate");
        // Never were as many outstanding as may be.
        assert_eq!(open.held_starts, 0);
        assert!(open.waited_starts <= waited);
        // Those that waited are the first that are complete; one may slip in before them.
        waited > 0 && open.waited_starts + 1 >= waited.min(reading.writes.completed)
    });
    assert!(told);
}

#[test]
fn after_a_load_with_syncs_no_unit_is_still_taken() {
    let area = (0, 64 * UNIT);
    let content = Content::from(DataPattern::Zeros);
    for engine in REAL {
        let file = Scratch::new(&format!("taken-{engine:?}"), area.1);
        fill(&file.0, area, (content, 1), false, None, |_| Control::Continue).expect("it is filled");
        let ledger = Arc::new(ledger(&file.0, area));
        let mut shape = profile(0.5);
        shape.fdatasync_every = 1;
        let asked = point(engine, shape, &[target(&file.0, area)]);
        if choose(&asked).is_err() {
            continue;
        }
        let reading = measure(&asked, Some(&ledger), |_| Control::Continue).expect("it is measured");
        assert_eq!(
            reading.integrity.expect("it is verified").load.total(),
            0,
            "{engine:?}"
        );
        let free = |unit| ledger.claim(0, unit * UNIT, UNIT);
        assert!((0..64).all(free), "{engine:?}");
    }
}

#[test]
fn an_engine_that_cannot_trim_is_refused_and_not_chosen() {
    let file = Scratch::new("trims", UNIT);
    let mut trims = profile(0.5);
    trims.trim_share = 0.5;
    let area = [target(&file.0, (0, UNIT))];
    let refused = choose(&point(EngineChoice::Aio, trims.clone(), &area));
    assert!(
        refused
            .expect_err("aio has no trim")
            .to_string()
            .contains("no trim")
    );
    // The ring knows no trims of files.
    let (engine, why) = choose(&point(EngineChoice::Auto, trims, &area)).expect("another");
    assert_eq!(engine, Engine::Sync);
    assert!(why.starts_with("no "), "{why}");
}

#[test]
fn through_the_caches_no_ring_is_chosen_to_trim() {
    let mut trims = profile(0.5);
    trims.trim_share = 0.5;
    let area = [target("/dev/null", (0, UNIT))]; // never asked
    let point = |engine, direct| Point {
        direct,
        ..point(engine, trims.clone(), &area)
    };
    let why = |direct| {
        let (engine, why) = choose(&point(EngineChoice::Auto, direct)).expect("another");
        assert_eq!(engine, Engine::Sync);
        why
    };
    if Engine::IoUring.forbidden().is_none() {
        assert!(why(false).contains("caches") && !why(true).contains("caches"));
        let refused = choose(&point(EngineChoice::IoUring, false)).expect_err("it would fail now and then");
        assert!(refused.to_string().contains("caches"), "{refused}");
    }
}

#[test]
fn a_cap_that_holds_no_window_ends_after_the_first_that_counts() {
    let mut asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, UNIT))]);
    (asked.stopping.warmup_s, asked.stopping.cap_s) = (0.2, 0.0);
    let begun = Instant::now();
    let reading = measure(&asked, None, |_| match begun.elapsed() {
        long if long > Duration::from_secs(20) => Control::Interrupt,
        _ => Control::Continue,
    });
    let reading = reading.expect("it ends by itself");
    assert!((reading.warmup_s - 0.2).abs() < 1e-9 && (reading.measured_s - 0.1).abs() < 1e-9);
}
