//! Think time: after every n accesses a worker leaves its target alone for a while.

use std::sync::Mutex;

use iodyno_load::request::Profile;

use crate::backend::What;

/// The think time of a worker; its threads share it.
///
/// The worker issues n accesses to a target, waits until all of them, and the syncs that they
/// made due, are complete, and then for the think time. So with one outstanding I/O its rate
/// on the target is n ÷ (n × latency + think time), and never above n ÷ (latency + think time).
pub(crate) struct Thinking {
    every: u64,
    think_ns: u64,
    /// By target.
    turns: Vec<Mutex<Turn>>,
}

/// What has to come before the next access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// So many ns.
    For(u64),
    /// The completion of what is outstanding.
    Completions,
}

#[derive(Default)]
struct Turn {
    /// Accesses issued since the last think time.
    issued: u64,
    /// I/Os that are outstanding.
    in_flight: u64,
    /// When the think time ends, in ns of the clock.
    until: u64,
}

impl Thinking {
    /// What a profile asks for; none where it asks for no think time.
    pub(crate) fn of(profile: &Profile, targets: usize) -> Option<Self> {
        Self::every(profile).map(|every| Self {
            every,
            think_ns: profile.think_time_us * 1000,
            turns: (0..targets).map(|_| Mutex::default()).collect(),
        })
    }

    /// Accesses of a worker to a target between which it does not think; none where it never does.
    pub(crate) fn every(profile: &Profile) -> Option<u64> {
        (profile.think_time_us > 0).then_some(profile.think_every)
    }

    /// Ask to issue an access to a target: what has to come first, or nothing.
    pub(crate) fn wait(&self, target: usize, now: u64) -> Option<Wait> {
        let mut turn = self.turn(target);
        if turn.until > now {
            return Some(Wait::For(turn.until - now));
        }
        if turn.issued >= self.every {
            return Some(Wait::Completions);
        }
        turn.issued += 1;
        turn.in_flight += 1;
        None
    }

    /// Take a sync of a target, if one is due, and issue it.
    pub(crate) fn take_sync(&self, target: usize, due: impl FnOnce() -> Option<What>) -> Option<What> {
        let mut turn = self.turn(target);
        let taken = due();
        turn.in_flight += u64::from(taken.is_some());
        taken
    }

    /// An I/O of a target has ended; whether another is owed before the worker may think.
    pub(crate) fn ended(&self, target: usize, owed: impl FnOnce() -> bool, now: u64) {
        let mut turn = self.turn(target);
        turn.in_flight -= 1;
        if !owed() && turn.in_flight == 0 && turn.issued >= self.every {
            turn.issued = 0;
            turn.until = now + self.think_ns;
        }
    }

    fn turn(&self, target: usize) -> std::sync::MutexGuard<'_, Turn> {
        self.turns[target].lock().expect("no thread panics with it")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::made::profile;

    fn thinking(every: u64) -> Thinking {
        Thinking {
            every,
            think_ns: 1000,
            turns: vec![Mutex::default(), Mutex::default()],
        }
    }

    #[test]
    fn a_profile_gets_the_time_that_it_names() {
        let mut profile = profile(1.0);
        assert!(Thinking::of(&profile, 1).is_none());
        (profile.think_time_us, profile.think_every) = (250, 2);
        let thinking = Thinking::of(&profile, 1).expect("it thinks");
        assert_eq!([thinking.wait(0, 0), thinking.wait(0, 0)], [None, None]);
        thinking.ended(0, || false, 10);
        thinking.ended(0, || false, 20);
        assert_eq!(thinking.wait(0, 20), Some(Wait::For(250_000)));
    }

    #[test]
    fn after_every_second_access_the_worker_thinks() {
        let thinking = thinking(2);
        assert_eq!(thinking.wait(0, 0), None);
        assert_eq!(thinking.wait(0, 0), None);
        assert_eq!(thinking.wait(0, 10), Some(Wait::Completions));
        thinking.ended(0, || false, 50);
        assert_eq!(
            thinking.wait(0, 60),
            Some(Wait::Completions),
            "one is outstanding"
        );
        thinking.ended(0, || false, 100);
        assert_eq!(thinking.wait(0, 150), Some(Wait::For(950)));
        assert_eq!(thinking.wait(1, 150), None, "another target");
        assert_eq!(thinking.wait(0, 1100), None);
    }

    #[test]
    fn it_thinks_after_the_sync_that_is_owed() {
        let thinking = thinking(1);
        assert_eq!(thinking.wait(0, 0), None);
        thinking.ended(0, || true, 100);
        assert_eq!(thinking.wait(0, 100), Some(Wait::Completions));
        assert!(thinking.take_sync(0, || Some(What::Fsync)).is_some());
        thinking.ended(0, || false, 700);
        assert_eq!(thinking.wait(0, 700), Some(Wait::For(1000)));
    }

    #[test]
    fn what_ends_while_another_thread_takes_a_sync_waits_for_it() {
        let thinking = thinking(1);
        assert_eq!(thinking.wait(0, 0), None);
        std::thread::scope(|scope| {
            let sync = thinking.take_sync(0, || {
                scope.spawn(|| thinking.ended(0, || false, 100));
                std::thread::sleep(Duration::from_millis(20)); // it has the time to come first
                Some(What::Fsync)
            });
            assert!(sync.is_some());
        });
        assert_eq!(thinking.wait(0, 100), Some(Wait::Completions));
    }
}
