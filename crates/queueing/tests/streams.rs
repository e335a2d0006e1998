//! Streams on a disk against what follows by hand from its numbers.

use iodyno_queueing::streams::{Disk, Readers, Streams};

const REVOLUTION_S: f64 = 0.004;
const BYTES_S: f64 = 250e6;
const BYTES: f64 = 65_536.0;
const GB: f64 = 1e9;

/// A disk of one zone whose seeks all take as long, with no cache for writes.
fn disk(seek_s: f64) -> Disk {
    Disk {
        capacity_bytes: 300.0 * GB,
        revolution_s: REVOLUTION_S,
        heads: 4,
        zones: 1,
        outer_bytes_s: BYTES_S,
        inner_bytes_s: BYTES_S,
        seek_track_s: seek_s,
        seek_average_s: seek_s,
        seek_full_s: seek_s,
        write_settle_s: 0.0,
        command_s: 0.000_01,
        cached_write_s: 0.0,
        missed_revolution: 0.0,
        tags: 32,
        cache_entries: 0,
        read_ahead_bytes: 4e6,
        read_segments: 8,
    }
}

fn streams(disk: Disk, count: usize, outstanding: usize, read_share: f64) -> Streams {
    Streams {
        starts: (0..count)
            .map(|at| at as f64 * 30.0 * GB / count as f64)
            .collect(),
        disk,
        outstanding,
        in_turn: false,
        run: 1,
        commands: None,
        cores: count,
        bytes: BYTES,
        gap_bytes: 0.0,
        read_share,
        way_s: 0.000_05,
        read_back_s: 0.0,
        write_out_s: 0.0,
        link_s: 0.0,
        link_shared: false,
        readers: None,
    }
}

#[track_caller]
fn near(found: f64, wanted: f64, within: f64) {
    assert!((found / wanted - 1.0).abs() < within, "{found} is not {wanted}");
}

#[test]
fn one_stream_has_the_rate_of_the_medium() {
    for outstanding in [1, 2, 8] {
        near(
            streams(disk(0.002), 1, outstanding, 1.0).rate_s(),
            BYTES_S / BYTES,
            0.001,
        );
    }
    let cached = Disk {
        cache_entries: 128,
        ..disk(0.002)
    };
    near(streams(cached, 1, 4, 0.0).rate_s(), BYTES_S / BYTES, 0.001);
}

/// Its zone is the outermost of four, whose rates fall from 250 to 100 MB/s; the last is that of the innermost.
#[test]
fn a_stream_has_the_rate_of_its_zone() {
    let zoned = Disk {
        zones: 4,
        inner_bytes_s: 100e6,
        ..disk(0.002)
    };
    for (start, bytes_s) in [(0.0, 250e6), (120.0, 200e6), (200.0, 150e6), (290.0, 100e6)] {
        let mut one = streams(zoned.clone(), 1, 2, 1.0);
        one.starts = vec![start * GB];
        near(one.rate_s(), bytes_s / BYTES, 0.001);
    }
}

/// What follows a write has begun to pass when it comes: a revolution later it is there again.
#[test]
fn a_write_that_comes_late_waits_for_a_revolution() {
    let every = REVOLUTION_S + BYTES / BYTES_S;
    near(streams(disk(0.002), 1, 1, 0.0).rate_s(), 1.0 / every, 0.001);
    // Without reading ahead it is so with reads.
    let short = Disk {
        read_ahead_bytes: 0.0,
        ..disk(0.002)
    };
    near(streams(short, 1, 1, 1.0).rate_s(), 1.0 / every, 0.001);
}

/// Two of a stream at a time: while one passes, the next is on its way, unless that is the data of a write behind those of a
/// read. Such a write is a revolution late, and gives the one behind it time: of w writes (1 − w)·w·(1 − (1 − w)·w) are.
#[test]
fn a_write_behind_the_data_of_a_read_is_late() {
    let passes = BYTES / BYTES_S;
    let two = |writes: f64, data_s: f64| {
        let mut one = streams(disk(0.002), 1, 2, 1.0 - writes);
        (one.read_back_s, one.write_out_s) = (data_s, data_s);
        one.rate_s()
    };
    for writes in [0.05, 0.1] {
        near(two(writes, 0.3 * passes), 1.0 / passes, 0.001);
        let pairs = (1.0 - writes) * writes;
        let every = passes + pairs * (1.0 - pairs) * REVOLUTION_S;
        near(two(writes, 0.6 * passes), 1.0 / every, 0.02);
    }
    near(two(0.0, 0.6 * passes), 1.0 / passes, 0.001);
    near(two(1.0, 0.6 * passes), 1.0 / passes, 0.001);
}

/// Data of a write that are on their way for as long as a hundred reads pass: these come behind it, and are there before. It
/// costs no more than two revolutions, to go back to it and on, unless the next write is sent meanwhile (with one of 500 in 18 %).
#[test]
fn reads_overtake_the_data_of_a_write() {
    let passes = BYTES / BYTES_S;
    let mut one = streams(disk(0.002), 1, 2, 0.998);
    one.write_out_s = 100.0 * passes;
    let every = 500.0 * passes + 2.0 * REVOLUTION_S + 0.18 * one.write_out_s;
    assert!(one.rate_s() > 500.0 / every, "{}", one.rate_s() * passes);
}

/// With the cache off only a read behind a read comes in time: where half are reads, one of four.
#[test]
fn in_a_mix_only_a_read_behind_a_read_is_not_late() {
    for reads in [0.25, 0.5, 0.8_f64] {
        let every = BYTES / BYTES_S + (1.0 - reads * reads) * REVOLUTION_S;
        near(streams(disk(0.002), 1, 1, reads).rate_s(), 1.0 / every, 0.02);
    }
}

/// The head comes back over the byte at which it left one after whole revolutions. Meanwhile it has been with the other, and
/// two seeks; so it is with each for what these leave of a revolution.
#[test]
fn two_readers_have_what_two_seeks_leave_of_a_revolution() {
    for seek_s in [0.001_f64, 0.0015, 0.0023, 0.0034] {
        let visit = (-2.0 * seek_s).rem_euclid(REVOLUTION_S);
        let wanted = BYTES_S / BYTES * visit / (visit + seek_s);
        near(streams(disk(seek_s), 2, 1, 1.0).rate_s(), wanted, 0.02);
    }
}

/// The next of two is in the queue when the first has passed: it keeps the head, until others have waited for 256
/// revolutions; then each of them has its two reads.
#[test]
fn a_reader_with_two_keeps_the_head_until_others_have_waited_too_long() {
    let many = streams(disk(0.002), 4, 2, 1.0);
    let found = many.rate_s() / (BYTES_S / BYTES);
    // Of 256 revolutions and more three seeks of half a one are lost at the least, and four visits of two at the most.
    assert!(found < 1.0 - 1.4 / 256.0 && found > 1.0 - 8.0 / 256.0, "{found}");
}

/// The head passes over parity.
#[test]
fn a_gap_passes_like_what_is_read() {
    let mut gaps = streams(disk(0.002), 1, 4, 1.0);
    gaps.gap_bytes = BYTES / 3.0;
    near(gaps.rate_s(), BYTES_S / BYTES * 0.75, 0.001);
}

/// Neither the medium nor the processing of commands gives more, whatever the load.
#[test]
fn no_stream_beats_the_medium_or_the_front() {
    for count in [1, 2, 5, 20] {
        for outstanding in [1, 3, 16] {
            for read_share in [0.0, 0.6, 1.0] {
                for cache_entries in [0, 128] {
                    let base = Disk {
                        cache_entries,
                        command_s: 0.0003,
                        ..disk(0.001)
                    };
                    let found = streams(base, count, outstanding, read_share).rate_s();
                    let most = (BYTES_S / BYTES).min(1.0 / 0.0003);
                    assert!(
                        found > 1.0 && found < 1.001 * most,
                        "{count} {outstanding} {read_share} {found}"
                    );
                }
            }
        }
    }
}

/// A reader that takes less than the medium gives sets the pace: two of them, each with two reads of 16 KiB in 0.4 ms.
#[test]
fn what_is_fetched_ahead_is_fetched_as_it_is_read() {
    let mut fetched = streams(disk(0.001), 2, 1, 1.0);
    fetched.bytes = 262_144.0;
    fetched.readers = Some(Readers {
        outstanding: 2,
        bytes: 16_384.0,
        way_s: 0.0004,
        ahead: 4.0,
    });
    near(fetched.rate_s() * 262_144.0, 2.0 * 2.0 * 16_384.0 / 0.0004, 0.01);
}

/// Whoever is answered, all have their turn: with as many at the disk as there are streams, each visit writes one.
#[test]
fn streams_in_turn_leave_one_command_for_a_visit() {
    let mut turns = streams(disk(0.001), 4, 4, 0.0);
    turns.in_turn = true;
    let in_turn = turns.rate_s();
    turns.outstanding = 32;
    // Eight of each are there, and follow on each other.
    assert!(turns.rate_s() > 2.0 * in_turn, "{in_turn} {}", turns.rate_s());
}

/// Four at once of each are about as good as one that is four times as long.
#[test]
fn streams_of_several_commands_in_a_turn() {
    for count in [2, 6] {
        let mut long = streams(disk(0.001), count, 4, 0.0);
        (long.in_turn, long.bytes) = (true, 4.0 * BYTES);
        let mut runs = streams(disk(0.001), count, 16, 0.0);
        (runs.in_turn, runs.run) = (true, 4);
        near(runs.rate_s(), 4.0 * long.rate_s(), 0.2);
    }
}

/// As many at the disk as come in a turn follow each other; one of each of four streams is a visit each.
#[test]
fn commands_of_a_turn_follow_each_other() {
    let mut runs = streams(disk(0.001), 4, 4, 0.0);
    (runs.in_turn, runs.run) = (true, 4);
    let together = runs.rate_s();
    runs.run = 1;
    assert!(together > 1.5 * runs.rate_s(), "{together} {}", runs.rate_s());
}

/// Of one stream the disk has what it is sent, whatever waits behind; and with as many as there are, none waits.
#[test]
fn what_is_sent_at_once_is_as_if_no_more_were_outstanding() {
    for read_share in [0.0, 1.0] {
        for commands in [1, 8] {
            let fewer = streams(disk(0.001), 1, commands, read_share).rate_s();
            let mut more = streams(disk(0.001), 1, 64, read_share);
            more.commands = Some(commands);
            near(more.rate_s(), fewer, 1e-3);
        }
        let mut all = streams(disk(0.001), 4, 8, read_share);
        let any = all.rate_s();
        all.commands = Some(32);
        near(all.rate_s(), any, 1e-12);
    }
}

#[test]
fn what_no_disk_is_is_said() {
    assert_eq!(streams(disk(0.001), 1, 1, 1.0).problem(), None);
    let none = Disk {
        tags: 0,
        ..disk(0.001)
    };
    assert!(
        streams(none, 1, 1, 1.0)
            .problem()
            .is_some_and(|said| said.contains("tags"))
    );
    let mut nothing = streams(disk(0.001), 1, 1, 1.0);
    nothing.bytes = f64::NAN;
    assert!(nothing.problem().is_some_and(|said| said.contains("bytes")));
}

/// What is read leaves over the link as it passes the head, but for its first page: here half of it. What follows is there again
/// after a revolution, if it is sent by then.
#[test]
fn all_of_a_read_but_its_first_page_leaves_as_it_passes() {
    let short = Disk {
        read_ahead_bytes: 0.0,
        ..disk(0.002)
    };
    let mut one = streams(short, 1, 1, 1.0);
    one.bytes = 8192.0;
    let passes = one.bytes / BYTES_S;
    for (left, revolutions) in [(0.25, 1.0), (0.75, 2.0)] {
        // Sent just in time where so much of the time in which it passes lies within that of the link.
        one.link_s = REVOLUTION_S - 0.000_06 + left * passes;
        one.way_s = one.link_s + 0.000_05;
        near(one.rate_s(), 1.0 / (revolutions * REVOLUTION_S + passes), 0.001);
    }
}

/// A stream whose sender is a little slower than the medium: the head is ahead of it before long, all that it asks for has passed
/// then, and nothing has left before it was asked for.
#[test]
fn no_read_leaves_before_it_was_asked_for() {
    let mut one = streams(disk(0.002), 1, 1, 1.0);
    one.link_s = 0.9 * BYTES / BYTES_S;
    one.way_s = one.link_s + 0.000_05;
    near(one.rate_s(), 1.0 / (one.way_s + one.disk.command_s), 0.001);
}

/// Two of a stream at a time, over a link that takes 0.6 of the time of the medium for each: in two directions nobody waits for the
/// other, and each comes before the one ahead of it has passed. By turns some writes wait for the data of a read, and come a
/// revolution late.
#[test]
fn a_link_with_one_direction_for_both_is_taken_by_turns() {
    let passes = BYTES / BYTES_S;
    for read_share in [0.5, 0.9] {
        let mut mixed = streams(disk(0.002), 1, 2, read_share);
        mixed.link_s = 0.6 * passes;
        (mixed.read_back_s, mixed.write_out_s) = (mixed.link_s, mixed.link_s);
        near(mixed.rate_s(), 1.0 / passes, 0.001);
        mixed.link_shared = true;
        assert!(mixed.rate_s() < 0.95 / passes, "{}", mixed.rate_s() * passes);
    }
}

/// A write that is sent after a long way takes the link when it comes: what is read before that need not wait for it.
#[test]
fn what_is_read_passes_the_link_before_what_comes_later() {
    let cached = Disk {
        cache_entries: 128,
        ..disk(0.002)
    };
    let mut mixed = streams(cached, 1, 4, 0.5);
    mixed.way_s = 0.002;
    mixed.link_s = 0.000_001;
    (mixed.read_back_s, mixed.write_out_s) = (mixed.link_s, mixed.link_s);
    let apart = mixed.rate_s();
    mixed.link_shared = true;
    near(mixed.rate_s(), apart, 0.02);
}

/// Two of a stream at a time: what replaces a write that the cache has answered comes a little later than what replaces the read
/// behind it, and each is the next of the stream when it is sent. A write is there when the one before it begins to pass, so
/// none is late while the answer and the way after it take no longer than two pass.
#[test]
fn what_replaces_cached_writes_goes_on_with_the_stream() {
    let two_pass_s = 2.0 * BYTES / BYTES_S;
    let cached = Disk {
        cache_entries: 128,
        cached_write_s: 0.000_4,
        ..disk(0.002)
    };
    for read_share in [0.25, 0.5, 0.67, 0.9] {
        let two = streams(cached.clone(), 1, 2, read_share);
        assert!(two.disk.cached_write_s + two.way_s + two.disk.command_s < two_pass_s);
        near(two.rate_s(), BYTES_S / BYTES, 0.001);
    }
}
