use std::time::{Duration, Instant};

use iodyno_load::pattern::Streams;
use iodyno_load::request::EngineChoice;

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

#[test]
fn an_io_that_lasts_for_windows_is_outstanding_in_all_of_each() {
    let asked = point(EngineChoice::Null, profile(1.0), &[target("a", (0, 1 << 20))]);
    let (outstanding, shared) = (2, Shared::default());
    let worker = Worker {
        backend: Slow {
            each: Duration::from_millis(350),
            begun: Vec::new(),
        },
        lanes: vec![Lane::Own(Source::new(&asked, &Streams::new(&asked), 0, 0))],
        first_target: 0,
        targets: 1,
        memory: Memory::new(&asked.profile, (outstanding, outstanding), 1).expect("memory"),
        clock: Clock::start(),
        until: 2 * WINDOW_NS,
        outstanding,
        open_loop: false,
        commands: false,
        beside: None,
        shared: &shared,
        check: None,
    };
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
