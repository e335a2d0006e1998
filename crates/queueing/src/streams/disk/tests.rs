//! What holds at every step, whatever the load.

use super::*;
use crate::streams::Disk;

/// Two streams of commands of 100,000 bytes, two entries of the cache each.
fn streams(cache_entries: usize, tags: usize, read_share: f64) -> Streams {
    Streams {
        disk: Disk {
            capacity_bytes: 300e9,
            revolution_s: 0.004,
            heads: 4,
            zones: 1,
            outer_bytes_s: 250e6,
            inner_bytes_s: 250e6,
            seek_track_s: 0.001,
            seek_average_s: 0.002,
            seek_full_s: 0.004,
            write_settle_s: 0.0,
            command_s: 0.000_01,
            cached_write_s: 0.000_1,
            missed_revolution: 0.0,
            tags,
            cache_entries,
            read_ahead_bytes: 4e6,
            read_segments: 8,
        },
        starts: vec![0.0, 30e9],
        outstanding: 16,
        in_turn: false,
        run: 1,
        commands: None,
        cores: 2,
        bytes: 100_000.0,
        gap_bytes: 0.0,
        read_share,
        way_s: 0.000_05,
        read_back_s: 0.0,
        link_s: 0.0,
        link_shared: false,
        write_out_s: 0.0,
        readers: None,
    }
}

/// What was in the cache and had a tag at the most. At each step the cache holds the writes that are to be done.
fn most_of(streams: &Streams) -> (usize, usize) {
    let mut reckoning = Reckoning::new(streams);
    let (mut entries, mut tags) = (0, 0);
    while reckoning.answered < 3_000 {
        reckoning.step();
        let waiting = reckoning.queue.all().filter(|(_, one)| one.cached).count();
        let under_way = reckoning.service.is_some_and(|service| service.command.cached);
        assert_eq!(reckoning.cached, waiting + usize::from(under_way));
        assert_eq!(reckoning.entries, 2 * reckoning.cached);
        entries = entries.max(reckoning.entries);
        tags = tags.max(reckoning.tags);
    }
    (entries, tags)
}

/// As many as fit; where not one does, one all the same.
#[test]
fn the_cache_holds_no_more_than_its_entries() {
    for (cache_entries, entries) in [(8, 8), (9, 8), (2, 2), (1, 2)] {
        for read_share in [0.0, 0.5] {
            assert_eq!(
                most_of(&streams(cache_entries, 32, read_share)).0,
                entries,
                "{read_share}"
            );
        }
    }
}

/// All 32 are there before long, and only so many have a tag: with the cache off each keeps its own until it is done.
#[test]
fn no_more_have_tags_than_there_are() {
    for tags in [1, 5, 31] {
        for read_share in [0.0, 0.5, 1.0] {
            assert_eq!(most_of(&streams(0, tags, read_share)).1, tags, "{read_share}");
        }
    }
}

/// A byte is under the head when the disk has turned so far that it is: first after the arm is there.
#[test]
fn the_head_is_over_a_byte_when_that_has_turned_to_it() {
    let mut streams = streams(8, 32, 0.5);
    streams.disk.write_settle_s = 0.000_5;
    let mut reckoning = Reckoning::new(&streams);
    let revolution_s = streams.disk.revolution_s;
    let (to_other, to_track) = (reckoning.seeks[0][1], reckoning.seeks[0][0]);
    assert!(to_track > 0.0 && to_other > to_track);
    // A track has a million bytes.
    for (stream, offset, write, seek) in [
        (0, 300_000.0, false, 0.0),
        (0, 300_000.0, true, 0.0),
        (0, 2_700_000.0, false, to_track),
        (0, 2_700_000.0, true, to_track + 0.000_5),
        (1, 30e9 + 100_000.0, false, to_other),
        (1, 30e9 + 900_000.0, true, to_other + 0.000_5),
    ] {
        for now in [0.0, 0.001, 0.0065, 1.2345] {
            reckoning.now = now;
            let (takes, seeks) = reckoning.access(stream, offset, write);
            assert_eq!(seeks, seek, "{stream} {offset}");
            assert!(
                takes >= seek && takes < seek + revolution_s,
                "{takes} after {seek}"
            );
            let turned = (now + takes) / revolution_s - offset / 1e6;
            assert!((turned - turned.round()).abs() < 1e-6, "{turned}");
        }
    }
}

/// It is the next of the stream that the head is with, and no farther than half a track.
#[test]
fn a_write_that_waits_for_room_is_written_past_the_cache_where_it_is_next() {
    let streams = streams(8, 32, 0.0);
    let past = |stream: usize, from: f64, at: f64| {
        let mut reckoning = Reckoning::new(&streams);
        let offset = streams.starts[stream] + from;
        reckoning.now = 1.0;
        reckoning.head = Head {
            stream: 1,
            offset: 30e9 + 500_000.0,
            held_from: f64::INFINITY,
            at,
        };
        reckoning.for_room.push_back(Command {
            stream,
            offset,
            end: offset + 100_000.0,
            write: true,
            cached: false,
            since: 0.9,
        });
        reckoning.write_past();
        (reckoning.queue.len(), reckoning.for_room.len())
    };
    for (from, is_past) in [
        (499_000.0, false),
        (500_000.0, true),
        (999_000.0, true),
        (1_001_000.0, false),
    ] {
        let expected = if is_past { (1, 0) } else { (0, 1) };
        assert_eq!(past(1, from, 1.0), expected, "{from}");
    }
    assert_eq!(past(0, 500_000.0, 1.0), (0, 1), "of another stream");
    assert_eq!(past(1, 500_000.0, 0.99), (0, 1), "the head has moved on");
}
