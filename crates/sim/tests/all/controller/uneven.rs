//! Accesses that go to some blocks more often than to others, behind a cache: against caches that are run, block by block,
//! and share no code with the model.

use std::collections::BTreeMap;

use iodyno_load::pattern::skewed::Zipf;
use iodyno_load::reading::Reading;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use super::systems::{array, assert_near, operations, random, run, server, with};

const BLOCK: u64 = 65_536;
/// Blocks that the cache of the controller holds.
const ROOM: usize = (1 << 30) / BLOCK as usize;

fn zipf(system: &Value, reads: f64, theta: f64) -> Value {
    let mut point = random(system, reads, BLOCK, 16);
    point["profile"]["distribution"] = json!({ "kind": "zipf", "parameter": theta });
    point
}

fn blocks(system: &Value) -> u64 {
    system["volumes"][0]["size_bytes"].as_u64().expect("a size") / BLOCK
}

/// The share of reads that a cache of what was read last does not answer.
fn misses(blocks: u64, theta: f64) -> f64 {
    let law = Zipf::new(blocks, theta);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut last, mut order) = (BTreeMap::new(), BTreeMap::new());
    let mut missed = 0;
    for now in 0..1_000_000_u32 {
        let block = law.rank(&mut rng);
        let before = last.insert(block, now);
        order.insert(now, block);
        match before {
            Some(before) => _ = order.remove(&before),
            None if order.len() > ROOM => {
                let (_, oldest) = order.pop_first().expect("a block");
                last.remove(&oldest);
            }
            None => {}
        }
        missed += u32::from(now >= 500_000 && before.is_none());
    }
    f64::from(missed) / 500_000.0
}

#[test]
fn reads_of_what_is_hot_are_answered_as_by_a_cache_that_drops_the_oldest() {
    let system = with(array("0", 4, 4, &server(100_000)), "cached_reads", json!(true));
    for theta in [0.5, 0.9, 1.2] {
        let expected = misses(blocks(&system), theta);
        assert_near(
            operations(&run(&zipf(&system, 1.0, theta), &system)),
            expected,
            0.015,
        );
    }
}

/// Reads that no cache keeps go to the drives, wherever they go.
#[test]
fn reads_that_are_not_kept_go_to_the_drives() {
    let system = array("0", 4, 4, &server(100_000));
    assert_near(operations(&run(&zipf(&system, 1.0, 1.2), &system)), 1.0, 1e-9);
}

/// The share of writes that make a block dirty that was not, in a cache from which a sweep takes the next dirty block for each:
/// as many operations a write has, after so many millions of them. The ranks lie scattered.
fn new_blocks(blocks: u64, theta: f64, millions: u32) -> f64 {
    let law = Zipf::new(blocks, theta);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut places: Vec<u32> = (0..blocks as u32).collect();
    for at in (1..places.len()).rev() {
        places.swap(at, (rng.next_u64() % (at as u64 + 1)) as usize);
    }
    let mut dirty = vec![false; blocks as usize];
    let (mut held, mut sweep, mut new) = (0, 0, 0);
    for now in 0..2 * millions * 1_000_000 {
        let place = places[law.rank(&mut rng) as usize] as usize;
        if !std::mem::replace(&mut dirty[place], true) {
            held += 1;
            new += u32::from(now >= millions * 1_000_000);
        }
        while held > ROOM {
            held -= usize::from(std::mem::replace(&mut dirty[sweep], false));
            sweep = (sweep + 1) % dirty.len();
        }
    }
    f64::from(new) / f64::from(millions) / 1e6
}

/// What is written again while it is dirty is destaged once: of mirrors, two operations for each block that gets dirty.
#[test]
fn writes_of_what_is_hot_are_destaged_once() {
    let system = with(array("10", 8, 4, &server(100_000)), "write_back", json!(true));
    for (theta, millions) in [(0.01, 2), (0.5, 2), (0.9, 2), (1.1, 2), (1.3, 4), (1.6, 16)] {
        let expected = 2.0 * new_blocks(blocks(&system), theta, millions);
        let mut point = zipf(&system, 0.0, theta);
        // Of steep laws few writes are new: many pass until the drives have what is over at the beginning.
        point["stopping"]["warmup_ios"] = json!(if theta > 1.1 { 400_000 } else { 5_000 });
        let found = operations(&run(&point, &system));
        println!("{theta}: {found} and {expected}");
        // Of a law as steep as the last one next to nothing is new, and what is left of the beginning shows.
        assert_near(found, expected, 0.02 * expected + 0.01);
    }
}

/// A law that hardly differs from even writes comes to what they come to, by whichever way the cache is filled before.
#[test]
fn next_to_even_is_even() {
    for (level, drives, data) in [("10", 8, 4), ("5", 8, 7)] {
        let system = with(
            array(level, drives, data, &server(100_000)),
            "write_back",
            json!(true),
        );
        for reads in [0.0, 0.5] {
            let even = run(&random(&system, reads, BLOCK, 16), &system);
            let nearly = run(&zipf(&system, reads, 0.001), &system);
            let (expected, found) = (operations(&even), operations(&nearly));
            assert_near(found / expected, 1.0, 0.02);
            let rate = |of: &Reading| (of.reads.completed + of.writes.completed) as f64 / of.measured_s;
            assert_near(rate(&nearly) / rate(&even), 1.0, 0.03);
        }
    }
}

/// Two loads on one volume, even writes first and a law beside them or the other way round: what both write comes to the same.
#[test]
fn a_law_beside_even_writes_is_followed_whichever_is_first() {
    let system = with(array("10", 8, 4, &server(100_000)), "write_back", json!(true));
    let (even, hot) = (random(&system, 0.0, BLOCK, 16), zipf(&system, 0.0, 1.1));
    let both = |first: &Value, second: &Value| {
        let mut point = first.clone();
        let targets = [&first["targets"][0], &second["targets"][0]];
        point["targets"] = json!(targets);
        point["beside"] = json!([{
            "profile": second["profile"], "targets": 1, "outstanding": 16, "workers": 1, "rate_io_s": null,
            "arrival": "poisson", "seed": 2,
        }]);
        let reading = run(&point, &system);
        let rate = (reading.reads.completed + reading.writes.completed) as f64 / reading.measured_s;
        (rate, operations(&reading))
    };
    let (one, other) = (both(&even, &hot), both(&hot, &even));
    assert_near(one.0 / other.0, 1.0, 0.05);
    assert_near(one.1 / other.1, 1.0, 0.05);
    let of = |point: &Value| operations(&run(point, &system));
    assert!(
        one.1 < 0.95 * of(&even) && one.1 > of(&hot),
        "{}: {} and {}",
        one.1,
        of(&hot),
        of(&even)
    );
}
