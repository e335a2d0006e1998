use iodyno_load::request::Cursors;
use serde_json::json;

use super::*;
use crate::controller::drawn::tests::{point, usage};
use crate::controller::jobs::Waiting;
use crate::spent::Spent;
use crate::system::{Array, Level, MirrorRead};

const STRIP: u64 = 65_536;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

fn layout(level: Level, members: usize, failed: &[usize]) -> Layout {
    let array = Array {
        level,
        drives: (0..members).collect(),
        groups: 1,
        strip_bytes: STRIP,
        mirror_read: MirrorRead::Primary,
        failed: failed.to_vec(),
        rebuild_bytes_s: 0,
    };
    Layout::new(&array, 1 << 40).expect("an array")
}

/// Ten outstanding accesses of so many bytes to an area from so many bytes on.
fn load(random: f64, reads: f64, bytes: u64, (start, length): (u64, u64)) -> LogicalUse {
    let profile = json!({
        "random_share": random, "read_share": reads, "data": "incompressible", "alignment_bytes": 4096.min(bytes),
        "shown_as": "transaction_rate", "blocks": [{ "bytes": bytes, "weight": 1.0 }],
    });
    LogicalUse {
        logical: 0,
        start_bytes: start,
        length_bytes: length,
        profile: serde_json::from_value(profile).expect("a profile"),
        outstanding: 10,
        open_loop: false,
        written: 1.0,
        uneven: None,
    }
}

/// A cache of so many bytes before four drives that have eight operations under way at most.
fn cache(level: Level, writers: &[&LogicalUse], bytes: u64) -> Cache {
    Cache::new(&layout(level, 4, &[]), writers, bytes, (8, true, 0), 7)
}

fn write(offset: u64, bytes: u64) -> Waiting {
    let op = HostOp {
        token: 0,
        logical: 0,
        write: true,
        offset,
        bytes: bytes as u32,
    };
    Waiting {
        op,
        since: Ps::ZERO,
        spent: Spent::default(),
    }
}

/// Twice ten outstanding writes and 32 operations are the margin. It begins with half of it dirty, so half of the 32 operations are
/// under way until the first ends; what is below is dirty as well.
#[test]
fn random_writes_begin_with_half_of_the_margin() {
    let random = load(1.0, 0.0, 8192, (0, 1 << 40));
    let mut cache = cache(Level::Raid0, &[&random], GIB);
    let margin = 2 * (10 + 32) * 8192;
    assert_eq!((cache.margin, cache.held()), (margin, GIB - margin / 2));
    let mut parts = Vec::new();
    while cache.next(&mut parts) {
        cache.under_way += 1;
    }
    assert_eq!(cache.under_way, 16);
}

/// Where any of several loads writes some blocks more often than others, what is dirty of all of them is stored and not calculated:
/// as much of the room as of even loads, from where the sweep stands of the first.
#[test]
fn one_uneven_load_is_enough() {
    let hot = usage(&point(0.5, 0.0, 1 << 24));
    let even = |uneven| LogicalUse {
        profile: load(1.0, 0.0, 4096, (0, GIB)).profile,
        uneven,
        ..usage(&point(0.5, 0.0, 1 << 24))
    };
    let (alone, beside) = (even(None), even(hot.uneven.clone()));
    let room = 64 * MIB;
    for writers in [[&beside, &hot], [&hot, &beside]] {
        let found = cache(Level::Raid0, &writers, room);
        assert!(found.ballasts.is_empty());
        assert!(found.dirty.next_from(0, true).is_some());
        let start = hot.start_bytes as f64 + hot.length_bytes as f64 * ballast::SWEEP;
        assert_eq!(found.position, start as u64);
        assert!(found.held().abs_diff(room - found.margin / 2) <= 4096);
    }
    let found = cache(Level::Raid0, &[&alone], room);
    assert!(!found.ballasts.is_empty() && found.dirty.next_from(0, true).is_none());
}

/// A block takes a line of the cache at least: of 512 bytes an eighth of it finds room.
#[test]
fn small_blocks_take_whole_lines() {
    let random = load(1.0, 0.0, 512, (0, 1 << 40));
    let cache = cache(Level::Raid0, &[&random], GIB);
    assert_eq!(cache.held() + cache.margin / 2, GIB / 8);
}

/// Of 40 MiB that blocks of 1 MiB are written to a bunch of sixteen is below the margin, and is there: no more than half of the room.
#[test]
fn large_random_blocks_leave_half_of_the_room_below_the_margin() {
    let random = load(1.0, 0.0, MIB, (0, 1 << 40));
    let mut cache = cache(Level::Raid0, &[&random], 40 * MIB);
    assert_eq!((cache.below, cache.margin), (16 * MIB, 24 * MIB));
    let ballast = &mut cache.ballasts[0];
    let mut blocks = 0;
    while ballast.next().is_some() {
        ballast.take();
        blocks += 1;
    }
    assert_eq!(blocks, 16);
}

/// However small the cache: it would wait for room for ever.
#[test]
fn a_write_that_is_larger_than_the_cache_is_taken_in() {
    for random in [0.0, 1.0] {
        let large = load(random, 0.0, 256 * MIB, (0, 1 << 40));
        let mut cache = cache(Level::Raid0, &[&large], 4 * MIB);
        cache.used = 0;
        assert!(cache.offer(write(0, 256 * MIB), Ps::ZERO));
    }
}

/// A write fills less of an empty margin than one of 32 operations stands for, and goes to the drives at once; another waits for it.
#[test]
fn little_that_is_dirty_goes_one_after_the_other() {
    let random = load(1.0, 0.0, 8192, (0, 1 << 40));
    let mut cache = cache(Level::Raid0, &[&random], GIB);
    (cache.used, cache.under_way) = (0, 0);
    let mut parts = Vec::new();
    assert!(!cache.next(&mut parts), "nothing is there");
    assert!(cache.offer(write(0, 8192), Ps::ZERO));
    assert!(cache.next(&mut parts));
    cache.under_way = 1;
    assert!(!cache.next(&mut parts));
}

/// No more than it has, whatever streams would like: sixteen blocks of 1 MiB.
#[test]
fn a_small_cache_takes_in_what_it_has_room_for() {
    let stream = load(0.0, 0.0, MIB, (0, 1 << 40));
    let mut cache = cache(Level::Raid0, &[&stream], 16 * MIB);
    cache.used = 0;
    let taken = (0..64).take_while(|at| cache.offer(write(at * MIB, MIB), Ps::ZERO));
    assert_eq!(taken.count(), 16);
}

/// An area that just finds room below the margin stays there, and a larger one does not.
#[test]
fn an_area_that_finds_room_below_the_margin_is_never_destaged() {
    let below = GIB - 2 * (10 + 32) * 8192;
    for (area, stays) in [(below, true), (below + 8192, false)] {
        let random = load(1.0, 0.0, 8192, (0, area));
        let mut cache = cache(Level::Raid0, &[&random], GIB);
        assert_eq!(cache.next(&mut Vec::new()), !stays, "{area}");
    }
}

/// Half of the blocks of a stripe are dirty. They share their parity where that saves disks seeks and no member is lost.
#[test]
fn blocks_of_a_stripe_go_together_on_disks_that_are_all_there() {
    let random = load(1.0, 0.0, 8192, (0, 2 * GIB));
    for (failed, seeks, together) in [
        (&[][..], true, true),
        (&[], false, false),
        (&[1], true, false),
        (&[1], false, false),
    ] {
        let layout = layout(Level::Raid5, 4, failed);
        let mut cache = Cache::new(&layout, &[&random], GIB, (8, seeks, 0), 7);
        let (mut most, mut parts) = (0, Vec::new());
        for _ in 0..10 {
            assert!(cache.next(&mut parts));
            most = most.max(parts.len());
        }
        assert_eq!(most > 1, together, "{failed:?}, {seeks}");
    }
}

/// The sweep goes on to the end of the area before it comes to what has been written behind it.
#[test]
fn what_is_written_behind_the_sweep_waits_for_the_next() {
    let random = load(1.0, 0.0, 8192, (0, 4 * GIB));
    let mut cache = cache(Level::Raid0, &[&random], GIB);
    let mut parts = Vec::new();
    for _ in 0..20 {
        assert!(cache.next(&mut parts));
        let (at, bytes) = parts[0];
        assert!(at > 0 && at >= cache.ballasts[0].sweep(), "back at {at}");
        cache.release(bytes, Ps::ZERO);
        assert!(cache.offer(write(at - 8192, 8192), Ps::ZERO));
    }
}

/// Bytes of an area that are dirty, of every 4 KiB.
fn dirty(cache: &Cache, area: u64) -> i64 {
    let units = (0..area).step_by(4096);
    let dirty = units.filter(|&at| cache.covers(at, 4096));
    dirty.count() as i64 * 4096
}

/// Writes of 8 KiB at multiples of 4 lie on each other and on blocks of before, and go with what lies beside them: what the cache
/// counts as held changes by what becomes dirty and clean.
#[test]
fn what_is_held_is_what_is_dirty() {
    let seed = 5;
    println!("seed {seed}");
    let area = 16 * MIB;
    for level in [Level::Raid0, Level::Raid5] {
        let random = load(1.0, 0.0, 8192, (0, area));
        let mut cache = cache(level, &[&random], area / 2);
        let (held, before) = (cache.held() as i64, dirty(&cache, area));
        let (mut parts, mut draws) = (Vec::new(), (0..).map(|at| mix(seed, at)));
        for round in 0..4000 {
            let at = draws.next().expect("a draw") % (area / 4096 - 1) * 4096;
            cache.offer(write(at, 8192), Ps::ZERO);
            while cache.next(&mut parts) {
                let stripe = |at: u64| at / cache.dirty.unit();
                let within = |&(at, bytes): &(u64, u32)| {
                    [at, at + u64::from(bytes) - 1].map(stripe) == [stripe(parts[0].0); 2]
                };
                assert!(
                    parts.len() == 1 || parts.iter().all(within),
                    "not of one stripe: {parts:?}"
                );
                parts.iter().for_each(|part| cache.release(part.1, Ps::ZERO));
            }
            while cache.admit(Ps::ZERO).is_some() {}
            if round % 400 == 0 {
                let change = dirty(&cache, area) - before;
                assert_eq!(cache.held() as i64 - held, change, "{level:?}, after {round}");
            }
        }
    }
}

/// Reads and trims leave gaps, and steps forward do. What is written an access is half of a block where half of them read.
#[test]
fn steps_leave_gaps_as_reads_do() {
    let written = |reads: f64, gap: i64| {
        let mut stream = load(0.0, reads, 8192, (0, GIB)).profile;
        stream.gap_bytes = gap;
        bytes_between_gaps(&stream)
    };
    assert_eq!(written(0.0, 0), None);
    assert_eq!(written(0.0, -4096), None);
    assert_eq!(written(0.0, 4096), Some(8192.0));
    assert_eq!(written(0.5, 0), Some(4096.0));
    assert_eq!(written(1.0, 0), None, "nothing is written");
}

/// Of ten stripes those before the area, down to the first of the logical drive; else the first of the area, and no more than it has.
#[test]
fn whole_stripes_of_before_lie_before_the_area() {
    let unit = 3 * STRIP;
    let of = |start: u64, length: u64| {
        let stream = load(0.0, 0.0, 8192, (start * unit, length * unit));
        let behind = Behind::of(&stream, 10 * unit + 5, unit);
        (behind.next / unit, behind.left / unit)
    };
    assert_eq!(of(12, 100), (2, 10));
    assert_eq!(of(10, 100), (0, 10));
    assert_eq!(of(9, 100), (9, 10));
    assert_eq!(of(12, 3), (9, 3));
}

/// A stream that writes half of its blocks of 4 KiB has gone 2 MiB when it has written 1, and 4 MiB where it leaves out as much as
/// it accesses. That is before its area, or an eighth within it; from a stripe on.
#[test]
fn gaps_of_before_lie_before_the_area_or_an_eighth_within() {
    let unit = 3 * STRIP;
    let from = |start: u64, gap: i64| {
        let mut stream = load(0.0, 0.5, 4096, (start, 8000 * unit));
        stream.profile.gap_bytes = gap;
        gaps_begin(&stream, MIB, unit)
    };
    let stripe = |at: u64| at / unit * unit;
    assert_eq!(from(100 * unit, 0), stripe(100 * unit - 2 * MIB));
    assert_eq!(from(100 * unit, 4096), stripe(100 * unit - 4 * MIB));
    assert_eq!(from(0, 0), 1000 * unit);
    assert_eq!(from(5 * unit + 4096, 0), 1005 * unit);
}

/// Of two loads that write as many bytes: 8 KiB eight times as often as 64 KiB. Nine writes have twice 64 KiB.
#[test]
fn the_mean_block_of_several_loads_is_that_of_their_writes() {
    let (small, large) = (load(1.0, 0.0, 8192, (0, GIB)), load(1.0, 0.0, 65_536, (0, GIB)));
    let mean = mean_bytes(&[&small, &large]);
    assert!((mean / (2.0 * 65_536.0 / 9.0) - 1.0).abs() < 1e-12, "{mean}");
}

/// A load that writes nine tenths has a small area, of 16 MiB: so much of 256 MiB is of it at most, and the rest is of the other. On an
/// area with room for it, a load that writes three quarters has so many of the dirty bytes.
#[test]
fn no_load_has_more_dirty_than_its_area() {
    for (area, written, [expected, other]) in [(16 * MIB, 9.0, [16.0, 240.0]), (8 * GIB, 3.0, [192.0, 64.0])]
    {
        let mut loads = [
            load(1.0, 0.0, 8192, (0, area)),
            load(1.0, 0.0, 8192, (0, 8 * GIB)),
        ];
        loads[0].written = written;
        for load in &mut loads {
            load.profile.alignment_bytes = 8192;
        }
        let mut each = ballasts(&[&loads[0], &loads[1]], 256 * MIB, 7);
        let mut blocks = |load: usize| {
            let mut places = Vec::new();
            while let Some((at, _)) = each[load].next() {
                places.push(at);
                each[load].take();
            }
            let whole_area = load == 0 && area == 16 * MIB;
            if !whole_area {
                places.sort_unstable();
                places.dedup();
            }
            places.len() as f64 * 8192.0 / MIB as f64
        };
        for (load, expected) in [expected, other].into_iter().enumerate() {
            let found = blocks(load) / expected;
            assert!((found - 1.0).abs() < 0.02, "{area}, {load}: {found}");
        }
    }
}

/// Dirty blocks of 4 KiB of an area after many rounds of a sweep, in order from where it stands; each access writes but for a share
/// that reads, and goes on `gap` blocks behind the one before but for a share, of every so many, that goes anywhere.
fn swept(
    (random, every): (f64, u64),
    (reads, gap): (f64, u64),
    (blocks, room): (u64, u64),
    mut anywhere: impl FnMut() -> u64,
) -> Vec<u64> {
    let mut draws = (0_u64..).map(|at| crate::controller::unit(mix(11, at)));
    let mut draw = || draws.next().expect("endless");
    let mut at = 0;
    rounds((blocks, room), |turn| {
        at = match turn.is_multiple_of(every) && draw() < random {
            true => anywhere(),
            false => (at + 1 + gap) % blocks,
        };
        (draw() >= reads).then_some(at)
    })
}

/// Dirty blocks of an area after many rounds of a sweep, in order from where it stands; `access` tells of each which it writes, if any.
fn rounds((blocks, room): (u64, u64), mut access: impl FnMut(u64) -> Option<u64>) -> Vec<u64> {
    let (mut dirty, mut held, mut sweep) = (vec![false; blocks as usize], 0, 0);
    for turn in 0..4_000_000_u64 {
        let Some(at) = access(turn) else {
            continue;
        };
        held += u64::from(!std::mem::replace(&mut dirty[at as usize], true));
        while held > room {
            held -= u64::from(std::mem::replace(&mut dirty[sweep as usize], false));
            sweep = (sweep + 1) % blocks;
        }
    }
    let order = (sweep..blocks).chain(0..sweep);
    order.filter(|&at| dirty[at as usize]).collect()
}

/// What a cache of 64 MiB begins with, as blocks of 4 KiB of an area from a GiB on, in the order of its sweep.
fn destaged(loads: &[&LogicalUse]) -> Vec<u64> {
    let mut cache = cache(Level::Raid0, loads, 64 * MIB);
    let mut found = Vec::new();
    while let Some(block) = cache.peek() {
        cache.take(block);
        let first = (block.at - GIB) / 4096;
        found.extend((0..u64::from(block.bytes) / 4096).map(|at| first + at));
    }
    found
}

/// Share of blocks that another one follows within so many.
fn near(blocks: &[u64], within: u64) -> f64 {
    let pairs = blocks.windows(2);
    pairs
        .filter(|pair| pair[1].wrapping_sub(pair[0]) <= within)
        .count() as f64
        / blocks.len() as f64
}

/// Shares of blocks in each quarter of the way of a sweep over so many, from the first of them on.
fn quarters(found: &[u64], blocks: u64) -> [f64; 4] {
    let mut counts = [0.0; 4];
    for at in found {
        counts[((at + blocks - found[0]) % blocks * 4 / blocks) as usize] += 1.0 / found.len() as f64;
    }
    counts
}

/// A load that goes elsewhere now and then leaves what it writes between near each other, and reads or gaps between it, as many rounds of
/// a sweep do.
#[test]
fn what_runs_leave_lies_near_each_other() {
    let blocks = 1 << 20;
    for (random, every, reads, gap, own) in [
        (0.02, 1, 0.5, 0, false),
        (0.1, 1, 0.67, 0, false),
        (0.05, 1, 0.0, 3, false),
        (0.002, 1, 0.0, 0, false),
        (0.8, 32, 0.5, 0, false),
        (0.003, 1, 0.5, 0, true),
    ] {
        let mut runs = load(random, reads, 4096, (GIB, blocks * 4096));
        runs.profile.gap_bytes = gap as i64 * 4096;
        runs.profile.random_every = every;
        if own {
            runs.profile.cursors = Cursors::Own;
        }
        let found = destaged(&[&runs]);
        let mut draws = (0_u64..).map(|at| mix(12, at) % blocks);
        // Of a sequence of its own nothing that is read lies between.
        let between = if own { 0.0 } else { reads };
        let room = 64 * MIB / 4096;
        let expected = swept((random, every), (between, gap), (blocks, room), || {
            draws.next().expect("endless")
        });
        let what = format!("{random} of every {every}, {reads} reads, {gap} left out, {own}");
        let size = found.len() as f64 / room as f64;
        assert!((size - 1.0).abs() < 0.02, "{what}: {size}");
        for within in [1, 4, 16] {
            let (found, expected) = (near(&found, within), near(&expected, within));
            assert!(
                (found - expected).abs() < 0.03,
                "{what}, {within}: {found} and {expected}"
            );
        }
        // Where the sweep has just been little is dirty. Of long runs there are too few to tell.
        if random > 0.01 {
            for (found, expected) in quarters(&found, blocks)
                .into_iter()
                .zip(quarters(&expected, blocks))
            {
                assert!((found - expected).abs() < 0.1, "{what}: {found} and {expected}");
            }
        }
    }
}

/// And so do runs that begin at some places more often than at others.
#[test]
fn runs_begin_where_the_load_goes() {
    let blocks = 1 << 18;
    for reads in [0.0, 0.5] {
        let mut load = point(0.9, reads, blocks);
        let all = usage(&load);
        let mut places = all.uneven.as_ref().expect("uneven").workers[0].writes(5);
        let expected = swept((0.05, 1), (reads, 0), (blocks, 64 * MIB / 4096), || {
            (places.next().offset - GIB) / 4096
        });
        load.profile.random_share = 0.05;
        let found = destaged(&[&usage(&load)]);
        for within in [1, 4, 16] {
            let (found, expected) = (near(&found, within), near(&expected, within));
            assert!(
                (found - expected).abs() < 0.03,
                "{reads}, {within}: {found} and {expected}"
            );
        }
    }
}

/// Several loads leave runs in their areas where they write alike, and in one area where they do not, each as many bytes as it writes.
#[test]
fn several_loads_leave_their_runs() {
    let (blocks, room) = (1_u64 << 20, 64 * MIB / 4096);
    let half = blocks / 2;
    let areas = [(GIB, half * 4096), (GIB + half * 4096, half * 4096)];
    let whole = (GIB, blocks * 4096);
    for (what, randoms, areas, way) in [
        ("two areas", [0.05, 0.05], areas, 0.7),
        ("one area", [0.05, 1.0], [whole, whole], 0.5),
    ] {
        let [mut one, mut other] = [0, 1].map(|of| load(randoms[of], 0.5, 4096, areas[of]));
        (one.written, other.written) = (0.7, 0.3);
        let found = destaged(&[&one, &other]);
        let mut draws = (0_u64..).map(|at| crate::controller::unit(mix(13, at)));
        let mut draw = || draws.next().expect("endless");
        let mut at = [0; 2];
        let expected = rounds((blocks, room), |_| {
            let of = usize::from(draw() < 0.3);
            let length = areas[of].1 / 4096;
            at[of] = match draw() < randoms[of] {
                true => (draw() * length as f64) as u64,
                false => (at[of] + 1) % length,
            };
            (draw() >= 0.5).then_some((areas[of].0 - GIB) / 4096 + at[of])
        });
        for within in [1, 4, 16] {
            let (found, expected) = (near(&found, within), near(&expected, within));
            assert!(
                (found - expected).abs() < 0.03,
                "{what}, {within}: {found} and {expected}"
            );
        }
        // A sweep that stands at u of its way finds 1 − (1 − x)² of what is dirty on the next x of it. The first half of the blocks is the
        // first w of the way: what is next up to w − u, and what is last from 1 − u on.
        let (u, w) = (crate::controller::ballast::SWEEP, way);
        let law = 1.0 - (1.0 - w + u).powi(2) + u * u;
        let first = found.iter().filter(|&&at| at < half).count() as f64 / found.len() as f64;
        assert!((first - law).abs() < 0.03, "{what}: {first} and {law}");
    }
}

/// Unlike loads in areas of their own do not: a sweep is in one of them for longer than a point lasts.
#[test]
fn unlike_loads_in_areas_of_their_own_begin_anywhere() {
    let areas = [(GIB, 2 * GIB), (3 * GIB, 2 * GIB)];
    for (random, ballasts) in [(0.05, 0), (1.0, 2)] {
        let loads = [load(0.05, 0.5, 4096, areas[0]), load(random, 0.5, 4096, areas[1])];
        let cache = cache(Level::Raid0, &[&loads[0], &loads[1]], 64 * MIB);
        assert_eq!(cache.ballasts.len(), ballasts, "{random}");
    }
}
