//! Reads of what was written last: a command where the buffer has it, and the medium where it has not.

use iodyno_sim::system::HddModel;
use iodyno_sim::time::Ps;

use crate::hdd::drives::{plain, us};
use crate::hdd::one_by_one::{COMMAND, Given, answers};

const BYTES: u32 = 8192;
const LONG: u64 = 8192;
const FIRST: u64 = 400 * LONG;
const AHEAD: u64 = 1 << 20;
const REVOLUTION: u64 = 8_000_000_000;

fn buffered(write_cache: bool, segments: u32) -> HddModel {
    HddModel {
        read_ahead_bytes: AHEAD,
        read_segments: segments,
        write_cache,
        ..plain()
    }
}

/// Writes at places, a second apart, and then a read; whether that takes a command alone. What takes longer ends with its last
/// byte under the head.
#[track_caller]
fn finds(model: &HddModel, writes: &[u64], offset: u64, bytes: u32) -> bool {
    let second = |at: usize| us(1_000_000 * (at as u64 + 1));
    let writes = writes.iter().enumerate();
    let mut given: Vec<Given> = writes
        .map(|(at, &place)| (second(at), true, place, BYTES))
        .collect();
    let at = second(given.len());
    given.push((at, false, offset, bytes));
    let took = answers(model, &given)[given.len() - 1].since(at);
    assert!(
        took == COMMAND || took > COMMAND + us(u64::from(bytes) / 100),
        "{took:?}"
    );
    took == COMMAND
}

/// "If read caching is enabled, then data written to the medium is retained in the cache to be made available for future read
/// cache hits", and a read of which one block is not there goes to the medium (Seagate, Constellation.2 SAS Product Manual,
/// sections 5.5 and 5.5.1), whether or not writes are answered from the cache.
#[test]
fn a_read_of_what_was_just_written_takes_a_command() {
    for write_cache in [false, true] {
        let model = buffered(write_cache, 2);
        let found = |offset, bytes| finds(&model, &[FIRST], offset, bytes);
        assert!(found(FIRST, BYTES));
        assert!(found(FIRST + 4096, 4096));
        assert!(!found(FIRST + 4096, BYTES));
        assert!(!found(FIRST - 512, BYTES));
        assert!(!found(FIRST + LONG, BYTES));
    }
}

/// A segment of 1 MiB wraps around: of a stream of 160 writes of 8 kB the last 128 are there.
#[test]
fn writes_in_order_share_a_segment_that_holds_the_last_of_them() {
    let stream: Vec<u64> = (0..160).map(|at| FIRST + at * LONG).collect();
    for write_cache in [false, true] {
        let model = buffered(write_cache, 1);
        for (block, there) in [(0, false), (31, false), (32, true), (159, true)] {
            assert_eq!(finds(&model, &stream, stream[block], BYTES), there, "{block}");
        }
        assert!(finds(&model, &stream, stream[32], 128 * BYTES));
    }
}

/// "The respective cache segments are cleared. The new data is cached" (the same manual).
#[test]
fn a_write_clears_what_was_kept_with_what_it_writes() {
    let places = [0, 1, 2, 1].map(|at| FIRST + at * LONG);
    for write_cache in [false, true] {
        for (block, there) in [(0, false), (1, true), (2, false)] {
            let model = buffered(write_cache, 4);
            assert_eq!(
                finds(&model, &places, FIRST + block * LONG, BYTES),
                there,
                "{block}"
            );
        }
    }
}

/// As many places are kept as the drive has segments for reads, where that is no more than it has memory for what is written; the
/// one that was written or read longest ago gives way.
#[test]
fn the_place_used_least_recently_gives_way() {
    let place = |at: u64| (1 + at) * 100_000_000_000 / 4096 * 4096;
    let four = [0, 1, 2, 3].map(place);
    for (segments, entries, kept) in [(1, 256, 1), (2, 256, 2), (4, 256, 4), (4, 48, 3), (4, 15, 0)] {
        for write_cache in [false, true] {
            let model = HddModel {
                write_cache_entries: entries,
                ..buffered(write_cache, segments)
            };
            for (at, &place) in four.iter().enumerate() {
                assert_eq!(
                    finds(&model, &four, place, BYTES),
                    at + kept >= 4,
                    "{at} of {kept}"
                );
            }
        }
    }
    let used: [Given; 5] = [
        (us(1_000_000), true, place(0), BYTES),
        (us(2_000_000), true, place(1), BYTES),
        (us(3_000_000), false, place(0), BYTES),
        (us(4_000_000), true, place(2), BYTES),
        (us(5_000_000), false, place(0), BYTES),
    ];
    let found = answers(&buffered(false, 2), &used);
    assert_eq!([found[2], found[4]], [2, 4].map(|at| used[at].0 + COMMAND));
}

/// A disk that reads nothing ahead keeps nothing; what waits in its write cache is there until it is on the medium. The first
/// write is begun with at once, the others after it.
#[test]
fn what_waits_in_the_write_cache_is_there() {
    let model = HddModel {
        write_cache: true,
        ..plain()
    };
    let far = |at: u64| at * 300_000_000_000 / 4096 * 4096;
    let writes = [0, 1, 2, 3].map(|at| (us(at), true, far(at), 65_536));
    let asked = |at: Ps, offset, bytes| {
        let mut given = writes.to_vec();
        given.push((at, false, offset, bytes));
        answers(&model, &given)[4].since(at)
    };
    let soon = us(1_000);
    for last in 1..4 {
        assert_eq!(asked(soon, far(last), 65_536), COMMAND);
        assert_eq!(asked(soon, far(last) + 4096, 61_440), COMMAND);
        assert!(asked(soon, far(last) + 4096, 65_536) > COMMAND);
        assert!(asked(us(1_000_000), far(last), 65_536) > COMMAND);
    }
}

/// A block that is read and written in turn, as parity is: the read is there, and the write waits for its place to come by again. A
/// revolution for each pair; two where the drive keeps nothing.
#[test]
fn a_block_read_and_written_in_turn_takes_a_revolution_for_both() {
    let two = HddModel {
        read_ahead_bytes: 0,
        ..buffered(false, 1)
    };
    for (model, revolutions) in [(buffered(false, 1), 1), (two, 2)] {
        let mut given: Vec<Given> = vec![(Ps::ZERO, true, FIRST, BYTES)];
        let mut ends = Vec::new();
        for turn in 0..20 {
            let end = answers(&model, &given)[given.len() - 1];
            ends.push(end);
            given.push((end, turn % 2 == 1, FIRST, BYTES));
        }
        for pair in ends.windows(3).step_by(2) {
            assert_eq!(pair[2].since(pair[0]), Ps(revolutions * REVOLUTION));
        }
    }
}
