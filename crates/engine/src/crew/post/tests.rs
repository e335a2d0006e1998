use std::collections::HashSet;

use iodyno_load::request::EngineChoice;

use super::*;
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
