use std::collections::HashSet;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use iodyno_load::request::EngineChoice;

use super::*;
use crate::backend::{CommandIo, Done, Io};
use crate::clock::Clock;
use crate::made;

/// Two workers with three outstanding I/Os on two targets, and beside them one with five on a third.
fn two_loads(engine: Engine) -> Vec<Post> {
    let targets = ["a", "b", "c"].map(|path| made::target(path, (0, 1 << 20)));
    let ledger = targets.clone().map(|target| (target.path, 0, 1 << 20));
    let ledger = Arc::new(Ledger::new(1, (4096, 4096), &ledger));
    let mut other = made::beside(made::profile(0.0), 1);
    (other.outstanding, other.rate_io_s, other.begins_after_s) = (5, Some(100.0), 0.25);
    let point = Point {
        outstanding: 3,
        workers: 2,
        targets_per_worker: Some(1),
        beside: vec![other],
        ..made::point(EngineChoice::Null, made::profile(1.0), &targets)
    };
    posts(&point, engine, 7, Some(&ledger))
}

#[test]
fn every_thread_has_its_load_its_targets_and_data_of_its_own() {
    for (engine, threads, slots) in [
        (Engine::Null, [1; 5], [3, 3, 3, 3, 5]),
        (Engine::Sync, [3, 3, 3, 3, 5], [1; 5]),
    ] {
        let posts = two_loads(engine);
        let told = |post: &Post| {
            let known = post.ledger.as_ref().map(|(_, targets)| targets.clone());
            (post.place.worker, post.place.load, post.first_target, known)
        };
        let mut expected = Vec::new();
        for (worker, (load, target)) in [(0, 0), (0, 0), (0, 1), (0, 1), (1, 2)].into_iter().enumerate() {
            let of = (worker, load, target, Some(vec![target]));
            expected.extend(vec![of; threads[worker]]);
        }
        assert_eq!(posts.iter().map(told).collect::<Vec<_>>(), expected, "{engine:?}");
        for post in &posts {
            assert_eq!(post.outstanding, slots[post.place.worker], "{engine:?}");
            // Three windows until both have begun, and one that counts.
            let begins = [0, 250_000_000][post.place.load];
            assert_eq!((post.begins, post.until), (begins, 400_000_000), "{engine:?}");
            assert_eq!(
                (post.targets, post.slots_in_all),
                (3, 2 * 2 * 3 + 5),
                "{engine:?}"
            );
            assert_eq!(
                (post.open_loop, post.profile.writes()),
                (post.place.load == 1, post.place.load == 1)
            );
        }
        let seeds: HashSet<_> = posts.iter().map(|post| post.seed).collect();
        assert_eq!(seeds.len(), posts.len(), "{engine:?}");
    }
}

#[test]
fn no_thread_is_hired_that_would_have_to_wait_for_the_others() {
    let mut shape = made::profile(0.5);
    let threads = |shape: &Profile, engine| {
        let point = Point {
            outstanding: 64,
            workers: 2,
            ..made::point(
                EngineChoice::Null,
                shape.clone(),
                &[made::target("a", (0, 1 << 20))],
            )
        };
        let posts = posts(&point, engine, 7, None);
        (posts.len(), posts[0].outstanding)
    };
    assert_eq!(threads(&shape, Engine::Sync), (128, 1));
    // Of a worker no more are outstanding than it issues before it thinks.
    (shape.think_time_us, shape.think_every) = (50, 3);
    assert_eq!(threads(&shape, Engine::Sync), (6, 1));
    assert_eq!(threads(&shape, Engine::Null), (2, 64));
    shape.think_every = 100;
    assert_eq!(threads(&shape, Engine::Sync), (128, 1));
}

/// A way to the kernel with more active than other workers have.
struct Richer<'a>(&'a Mutex<Vec<Vec<&'static str>>>, bool);

impl Backend for Richer<'_> {
    fn push(&mut self, _io: &Io) {
        unreachable!("it is told to stop before");
    }

    fn push_command(&mut self, _command: &CommandIo) {
        unreachable!("the profile has none");
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        unreachable!("nothing is under way");
    }

    fn reap(&mut self, _take: impl FnMut(Done)) {}

    fn setup(&self) -> Vec<&'static str> {
        vec!["A", "B"]
    }

    fn agree(&mut self, common: &[&'static str]) -> io::Result<()> {
        self.0
            .lock()
            .expect("nobody panics with it")
            .push(common.to_vec());
        if self.1 {
            Ok(())
        } else {
            Err(io::ErrorKind::Other.into())
        }
    }
}

#[test]
fn a_worker_tells_what_it_has_and_gives_up_what_others_have_not() {
    for able in [true, false] {
        let post = two_loads(Engine::Null).swap_remove(0);
        let memory = Memory::new(&post.profile, (6, 6), 1).expect("memory");
        let (shared, gate, agreed) = (Shared::default(), Gate::default(), Mutex::default());
        let (ready, heard) = mpsc::channel();
        shared.stop.store(true, Ordering::Relaxed);
        let (clock, setup) = (Clock::start(), vec!["A"]);
        gate.open(Some(Start { clock, setup }));
        let ended = post.work(Richer(&agreed, able), memory, &[], (&shared, &gate, &ready));
        assert_eq!(
            heard.recv().expect("it is told").expect("it is ready"),
            ["A", "B"]
        );
        assert_eq!(*agreed.lock().expect("nobody panics with it"), [["A"]]);
        assert_eq!(
            ended.is_ok(),
            able,
            "what cannot be given up is no worker like the others"
        );
    }
}
