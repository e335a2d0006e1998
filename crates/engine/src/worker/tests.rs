use std::time::{Duration, Instant};

use iodyno_load::pattern::Streams;
use iodyno_load::request::{EngineChoice, Point};

use super::*;
use crate::backend::{CommandIo, Io};
use crate::lane::Source;
use crate::made::{point, profile, target};

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

/// A worker with two outstanding I/Os, of a load that begins and ends at these moments.
fn worker<'a>(
    asked: &Point,
    each: Duration,
    (begins, until): (u64, u64),
    shared: &'a Shared,
) -> Worker<'a, Slow> {
    let outstanding = 2;
    Worker {
        backend: Slow {
            each,
            begun: Vec::new(),
        },
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
        check: None,
    }
}

#[test]
fn an_io_that_lasts_for_windows_is_outstanding_in_all_of_each() {
    let asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, 1 << 20))]);
    let shared = Shared::default();
    let worker = worker(&asked, Duration::from_millis(350), (0, 2 * WINDOW_NS), &shared);
    let drained = worker.run().expect("it ends");
    let windows = shared.windows.into_inner().expect("nobody panics with it");
    let times: Vec<_> = windows.iter().map(|window| window.io_time_ns).collect();
    // Wherever it begins, two windows lie within 350 ms.
    let whole = times.iter().filter(|time| **time == 2 * WINDOW_NS);
    assert!(whole.count() >= 2, "{times:?}");
    assert!(times.iter().all(|time| *time <= 2 * WINDOW_NS), "{times:?}");
    // Its time is over when they end.
    assert_eq!(drained.issued.reads, 2);
}

#[test]
fn windows_before_a_load_begins_are_closed_in_their_time_and_hold_nothing() {
    let asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, 1 << 20))]);
    let shared = Shared::default();
    let begins = 2 * WINDOW_NS + WINDOW_NS / 2;
    let worker = worker(&asked, Duration::from_millis(1), (begins, 4 * WINDOW_NS), &shared);
    let drained = worker.run().expect("it ends");
    let windows = shared.windows.into_inner().expect("nobody panics with it");
    let reads: Vec<_> = windows.iter().map(|window| window.reads.completed).collect();
    let times: Vec<_> = windows.iter().map(|window| window.io_time_ns).collect();
    assert_eq!((&reads[..2], &times[..2]), (&[0, 0][..], &[0, 0][..]));
    // In the third window it is outstanding for half of the time at most.
    assert!(reads[2] > 0 && times[2] > 0 && times[2] <= WINDOW_NS, "{times:?}");
    assert!(
        reads[3] > 0 && drained.issued.reads >= reads.iter().sum(),
        "{reads:?}"
    );
}

#[test]
fn a_load_that_has_not_begun_ends_at_once_when_it_is_told_to() {
    let asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, 1 << 20))]);
    let shared = Shared::default();
    let late = 20_000_000_000;
    let worker = worker(&asked, Duration::from_millis(1), (late, 2 * late), &shared);
    std::thread::scope(|scope| {
        let load = scope.spawn(|| worker.run().expect("it ends"));
        std::thread::sleep(Duration::from_millis(120));
        let told = Instant::now();
        shared.stop.store(true, Ordering::Relaxed);
        let drained = load.join().expect("no panic");
        // It looks every 50 ms; a machine that is busy takes longer.
        assert!(told.elapsed() < Duration::from_secs(10));
        assert_eq!(drained.issued, Traffic::default());
    });
}
