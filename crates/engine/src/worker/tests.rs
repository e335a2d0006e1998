use std::collections::BTreeMap;
use std::fs::File;
use std::time::{Duration, Instant};

use iodyno_load::integrity::Ledger;
use iodyno_load::pattern::Streams;
use iodyno_load::request::{EngineChoice, Point};

use iodyno_load::traffic::Traffic;

use super::*;
use crate::backend::{CommandIo, Io};
use crate::lane::{Pool, Source};
use crate::made::{point, profile, target};

const AREA_BYTES: u64 = 1 << 20;

/// A worker that keeps so many I/Os outstanding on the only target of a point, of a load that begins and ends at
/// these moments.
fn worker<'a, B: Backend>(
    (backend, outstanding): (B, usize),
    asked: &Point,
    (begins, until): (u64, u64),
    shared: &'a Shared,
    check: Option<Checker<'a>>,
) -> Worker<'a, B> {
    Worker {
        backend,
        lanes: vec![Lane::Own(Source::new(asked, &Streams::new(asked), 0, 0))],
        first_target: 0,
        targets: 1,
        memory: Memory::new(&asked.profile, (outstanding, outstanding), 1).expect("memory"),
        clock: Clock::start(),
        begins,
        until,
        outstanding,
        open_loop: false,
        commands: false,
        beside: None,
        shared,
        check,
    }
}

/// A device that takes its time, and a kernel that wakes nobody before: none is at hand that is so slow.
struct Slow {
    each: Duration,
    begun: Vec<(Done, Instant)>,
}

impl Backend for Slow {
    fn push(&mut self, io: &Io) {
        let (slot, result) = (io.slot, io.bytes as i32);
        self.begun.push((Done { slot, result }, Instant::now()));
    }

    fn push_command(&mut self, _command: &CommandIo) {
        unreachable!("the profile has none");
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        let (_, first) = self.begun[0];
        std::thread::sleep(self.each.saturating_sub(first.elapsed()));
        Ok(1)
    }

    fn reap(&mut self, take: impl FnMut(Done)) {
        let done = |(_, begun): &(Done, Instant)| begun.elapsed() >= self.each;
        let over = self.begun.iter().take_while(|one| done(one)).count();
        self.begun.drain(..over).map(|(done, _)| done).for_each(take);
    }
}

fn slow(each: Duration) -> (Slow, usize) {
    let begun = Vec::new();
    (Slow { each, begun }, 2)
}

#[test]
fn an_io_that_lasts_for_windows_is_outstanding_in_all_of_each() {
    let asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, AREA_BYTES))]);
    let (shared, device) = (Shared::default(), slow(Duration::from_millis(350)));
    let worker = worker(device, &asked, (0, 2 * WINDOW_NS), &shared, None);
    let drained = worker.run().expect("it ends");
    let windows = shared.windows.into_inner().expect("nobody panics with it");
    let times: Vec<_> = windows.iter().map(|window| window.io_time_ns).collect();
    // Wherever it begins, two windows lie within 350 ms.
    let whole = times.iter().filter(|time| **time == 2 * WINDOW_NS);
    assert!(whole.count() >= 2, "{times:?}");
    assert!(times.iter().all(|time| *time <= 2 * WINDOW_NS), "{times:?}");
    // Its time is over when they end: both were outstanding then.
    assert_eq!((drained.sent().issued.reads, drained.drained), (2, 2));
    assert!(drained.drained_max_ns >= 350_000_000);
}

#[test]
fn windows_before_a_load_begins_are_closed_in_their_time_and_hold_nothing() {
    let asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, AREA_BYTES))]);
    let begins = 2 * WINDOW_NS + WINDOW_NS / 2;
    // A machine that is busy may leave it no time within a window; not each time.
    let served = (0..20).any(|_| {
        let (shared, device) = (Shared::default(), slow(Duration::from_millis(1)));
        let worker = worker(device, &asked, (begins, 4 * WINDOW_NS), &shared, None);
        let drained = worker.run().expect("it ends");
        let windows = shared.windows.into_inner().expect("nobody panics with it");
        let reads: Vec<_> = windows.iter().map(|window| window.reads.completed).collect();
        let times: Vec<_> = windows.iter().map(|window| window.io_time_ns).collect();
        assert_eq!((&reads[..2], &times[..2]), (&[0, 0][..], &[0, 0][..]));
        // In the third window it is outstanding for half of the time at most.
        assert!(times[2] <= WINDOW_NS, "{times:?}");
        assert!(drained.sent().issued.reads >= reads.iter().sum(), "{reads:?}");
        reads[2] > 0 && times[2] > 0 && reads[3] > 0
    });
    assert!(served);
}

#[test]
fn a_load_that_has_not_begun_ends_at_once_when_it_is_told_to() {
    let asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, AREA_BYTES))]);
    let (shared, device) = (Shared::default(), slow(Duration::from_millis(1)));
    let late = 20_000_000_000;
    let worker = worker(device, &asked, (late, 2 * late), &shared, None);
    std::thread::scope(|scope| {
        let load = scope.spawn(|| worker.run().expect("it ends"));
        std::thread::sleep(Duration::from_millis(120));
        let told = Instant::now();
        shared.stop.store(true, Ordering::Relaxed);
        let drained = load.join().expect("no panic");
        // It looks every 50 ms; a machine that is busy takes longer.
        assert!(told.elapsed() < Duration::from_secs(10));
        assert_eq!(drained.sent().issued, Traffic::default());
    });
}

/// A backend that takes its time to take an I/O, and is done with it then.
struct Reluctant {
    each: Duration,
    done: Vec<Done>,
}

impl Backend for Reluctant {
    fn push(&mut self, io: &Io) {
        std::thread::sleep(self.each);
        let (slot, result) = (io.slot, io.bytes as i32);
        self.done.push(Done { slot, result });
    }

    fn push_command(&mut self, _command: &CommandIo) {
        unreachable!("the profile has none");
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        Ok(1)
    }

    fn reap(&mut self, take: impl FnMut(Done)) {
        self.done.drain(..).for_each(take);
    }
}

/// At the end of each of four windows: accesses due at 1000 a second, complete, outstanding and waiting.
fn accounted_for<B: Backend>(device: (B, usize), read_share: f64, check: Option<Checker<'_>>) {
    let place = target("/dev/null", (0, 4096)); // never asked
    let asked = Point {
        rate_io_s: Some(1000.0),
        ..point(EngineChoice::Null, profile(read_share), &[place])
    };
    let (shared, until) = (Shared::default(), 4 * WINDOW_NS);
    let mut worker = worker(device, &asked, (0, until), &shared, check);
    worker.open_loop = true;
    worker.run().expect("it ends");
    let windows = shared.windows.into_inner().expect("nobody panics with it");
    let mut complete = 0;
    for (window, end_ms) in windows.iter().zip((100..=400).step_by(100)) {
        complete += window.reads.completed + window.writes.completed;
        let accounted_for = complete + window.under_way + window.backlog;
        // The first is due at once, and the last of a window at its very end.
        assert_eq!(accounted_for, end_ms + 1, "{complete} at {end_ms} ms");
    }
    assert!(windows.len() >= 4);
}

#[test]
fn what_is_being_handed_over_when_a_window_ends_was_due() {
    let (each, done) = (Duration::from_millis(5), Vec::new());
    accounted_for((Reluctant { each, done }, 512), 1.0, None);
}

#[test]
fn what_waits_for_a_write_to_the_same_place_is_due() {
    let areas = [("/dev/null".to_owned(), 0, 4096)];
    let ledger = Arc::new(Ledger::new(7, (4096, 4096), &areas));
    let files = [File::open("/dev/null").expect("it is there")];
    let check = Checker::new(ledger, vec![0], &files, 512);
    let (device, _) = slow(Duration::from_millis(20));
    accounted_for((device, 512), 0.0, Some(check));
}

#[test]
fn what_one_thread_took_before_another_had_closed_its_window_was_due() {
    let (rate_io_s, windows) = (1000.0, 20);
    let asked = Point {
        rate_io_s: Some(rate_io_s),
        ..point(EngineChoice::Sync, profile(1.0), &[target("a", (0, AREA_BYTES))])
    };
    // The first is busy for windows, in which the others take what was due in them.
    let each_ms = [450, 10, 10, 30];
    let source = Pool::shared(Source::new(&asked, &Streams::new(&asked), 0, 0), each_ms.len());
    let all = each_ms.map(|_| Shared::default());
    let clock = Clock::start();
    std::thread::scope(|scope| {
        for (shared, ms) in all.iter().zip(each_ms) {
            let (begun, each) = (Vec::new(), Duration::from_millis(ms));
            let mut worker = worker(
                (Slow { each, begun }, 1),
                &asked,
                (0, windows * WINDOW_NS),
                shared,
                None,
            );
            worker.lanes = vec![Lane::Shared(Arc::clone(&source))];
            (worker.open_loop, worker.clock) = (true, clock);
            scope.spawn(|| worker.run().expect("it ends"));
        }
    });
    let all = all.map(|shared| shared.windows.into_inner().expect("nobody panics with it"));
    let mut complete = 0;
    for number in 0..windows as usize {
        let mut sum = Window::default();
        all.iter().for_each(|of_thread| sum.join(&of_thread[number]));
        complete += sum.reads.completed;
        let accounted_for = complete + sum.under_way + sum.backlog;
        // The first is due at once, and the last of a window at its very end.
        let due = (number as u64 + 1) * 100 + 1;
        assert_eq!(accounted_for, due, "{complete} complete after window {number}");
    }
}

/// Answers each I/O at once as a device would that fails or stops short at chosen places, and ends the load after a
/// hundred of them. No device at hand comes back short where it is asked to.
struct Ailing<'a> {
    shared: &'a Shared,
    /// What came of the last I/O of each place: bytes, or the negative error number.
    last: &'a mut BTreeMap<u64, i32>,
    ios: u64,
    done: Vec<Done>,
}

const FAILED: i32 = -libc::EIO;
const SHORT: i32 = 2048;

impl Backend for Ailing<'_> {
    fn push(&mut self, io: &Io) {
        let result = [FAILED, SHORT, io.bytes as i32][(io.offset / 4096 % 3) as usize];
        self.last.insert(io.offset, result);
        self.done.push(Done {
            slot: io.slot,
            result,
        });
        self.ios += 1;
        self.shared.stop.store(self.ios >= 100, Ordering::Relaxed);
    }

    fn push_command(&mut self, _command: &CommandIo) {
        unreachable!("the profile has none");
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        Ok(1)
    }

    fn reap(&mut self, take: impl FnMut(Done)) {
        self.done.drain(..).for_each(take);
    }
}

/// A device that writes at once, and makes nothing durable.
#[derive(Default)]
struct Forgetful(Vec<Done>);

impl Backend for Forgetful {
    fn push(&mut self, io: &Io) {
        let (slot, result) = (io.slot, io.bytes as i32);
        self.0.push(Done { slot, result });
    }

    fn push_command(&mut self, command: &CommandIo) {
        let (slot, result) = (command.slot, FAILED);
        self.0.push(Done { slot, result });
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        Ok(1)
    }

    fn reap(&mut self, take: impl FnMut(Done)) {
        self.0.drain(..).for_each(take);
    }
}

#[test]
fn a_sync_that_failed_was_at_no_place() {
    let mut shape = profile(0.0);
    shape.fsync_every = 3;
    let asked = point(
        EngineChoice::Null,
        shape,
        &[target("a", (AREA_BYTES, AREA_BYTES))],
    );
    let shared = Shared::default();
    let mut worker = worker((Forgetful::default(), 2), &asked, (0, WINDOW_NS), &shared, None);
    worker.beside = Beside::of(&asked.profile, 1).map(Arc::new);
    worker.commands = true;
    let drained = worker.run().expect("it ends");
    let windows = shared.windows.into_inner().expect("nobody panics with it");
    let mut sum = Window::default();
    windows.iter().for_each(|window| sum.follow(window));
    let commands = sum.commands.expect("it has some");
    let syncs = drained.sent().issued.syncs;
    assert_eq!(commands.syncs.errors, [(libc::EIO, (syncs, 0))].into());
    assert_eq!(commands.syncs.completed, 0);
}

/// What an ailing device leaves in the ledger of a target that was filled, what was found, and what came of the last
/// I/O of each place.
fn ailing(read_share: f64) -> (Ledger, Findings, BTreeMap<u64, i32>) {
    let path = "/dev/null"; // never asked
    let asked = point(
        EngineChoice::Null,
        profile(read_share),
        &[target(path, (0, AREA_BYTES))],
    );
    let ledger = Arc::new(Ledger::new(7, (4096, 4096), &[(path.to_owned(), 0, AREA_BYTES)]));
    ledger.filled(0, ledger.next_generation());
    let (files, shared) = ([File::open(path).expect("it is there")], Shared::default());
    let check = Checker::new(Arc::clone(&ledger), vec![0], &files, 1);
    let mut last = BTreeMap::new();
    let device = Ailing {
        shared: &shared,
        last: &mut last,
        ios: 0,
        done: Vec::new(),
    };
    let worker = worker((device, 1), &asked, (0, 600 * WINDOW_NS), &shared, Some(check));
    let drained = worker.run().expect("it ends");
    let of = |result: i32| last.values().any(|one| *one == result);
    assert!(of(FAILED) && of(SHORT) && of(4096), "all of them came: {last:?}");
    (
        Arc::into_inner(ledger).expect("nobody else has it"),
        drained.findings,
        last,
    )
}

#[test]
fn of_what_failed_or_was_written_in_part_nothing_is_known() {
    let (ledger, findings, last) = ailing(0.0);
    for place in (0..AREA_BYTES).step_by(4096) {
        let known = ledger
            .next_range(0, place, 4096, 0)
            .is_some_and(|range| range.start == place);
        let newer = ledger
            .next_range(0, place, 4096, 1)
            .is_some_and(|range| range.start == place);
        let expected = match last.get(&place) {
            None => (true, false), // as it was filled
            Some(4096) => (true, true),
            Some(_) => (false, false),
        };
        assert_eq!((known, newer), expected, "{place}: {:?}", last.get(&place));
    }
    assert_eq!(findings, Findings::default());
}

#[test]
fn a_read_that_failed_or_came_back_short_is_not_judged() {
    let (ledger, findings, _) = ailing(1.0);
    // The whole ones hold zeros, as the memory does: each is found, and none of the others.
    let zeros = findings.first.iter().all(|one| one.offset_bytes / 4096 % 3 == 2);
    assert!(zeros && findings.total() > 0, "{findings:?}");
    assert_eq!(findings.checked_bytes, 4096 * findings.total());
    assert_eq!(ledger.known_bytes(0, 0), AREA_BYTES);
}
