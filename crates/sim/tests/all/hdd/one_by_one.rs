//! Few operations at moments of their own: what each takes follows from where the disk has turned to.

use iodyno_sim::calendar::Calendar;
use iodyno_sim::hdd::Hdd;
use iodyno_sim::hdd::geometry::Geometry;
use iodyno_sim::hdd::seek::SeekCurve;
use iodyno_sim::operation::{Done, DriveOp, Usage};
use iodyno_sim::system::HddModel;
use iodyno_sim::time::Ps;

use crate::hdd::drives::{plain, sata, us};

const BYTES: u32 = 8192;
/// The command of the plain drive.
pub(crate) const COMMAND: Ps = us(150);

/// An operation: when it comes, whether it writes, offset and bytes.
pub(crate) type Given = (Ps, bool, u64, u32);

fn read(at: Ps, offset: u64) -> Given {
    (at, false, offset, BYTES)
}

fn write(at: Ps, offset: u64) -> Given {
    (at, true, offset, BYTES)
}

/// The moments at which operations are answered.
pub(crate) fn answers(model: &HddModel, given: &[Given]) -> Vec<Ps> {
    let usage = Usage {
        accessed_bytes: model.capacity_bytes,
        overwritten_bytes: model.capacity_bytes,
        random_write_share: 0.0,
        valid_share: 1.0,
        write_streams: 0,
        written: Vec::new(),
    };
    let (mut drive, mut calendar) = (Hdd::new(model, usage, 0, 1), Calendar::default());
    let mut done = Vec::<Done>::new();
    for (token, &(at, write, offset, bytes)) in (0..).zip(given) {
        let op = DriveOp {
            token,
            write,
            trim: false,
            limit_us: 0,
            offset,
            bytes,
        };
        drive.submit(op, at, &mut calendar);
    }
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
    }
    let mut answers = vec![Ps::ZERO; given.len()];
    done.iter()
        .for_each(|done| answers[done.token as usize] = done.at);
    answers
}

/// How far the disk has turned when the last byte of an operation has passed under the head.
fn passed(model: &HddModel, offset: u64) -> u64 {
    let geometry = Geometry::new(model);
    let begin = geometry.place(offset).phase.0;
    (begin + geometry.transfer(offset, u64::from(BYTES)).0) % model.revolution_ps.0
}

#[track_caller]
fn has_turned(model: &HddModel, at: Ps, offset: u64) {
    let apart = (at.0 % model.revolution_ps.0).abs_diff(passed(model, offset));
    assert!(
        apart.min(model.revolution_ps.0 - apart) < 10,
        "{offset}: {apart} ps"
    );
}

#[test]
fn an_access_ends_when_its_last_byte_has_passed_after_no_more_than_seek_and_revolution() {
    let model = HddModel {
        write_cache: false,
        read_ahead_bytes: 0,
        missed_revolution: 0.0,
        ..sata()
    };
    let geometry = Geometry::new(&model);
    let (track, average, full) = (model.seek_track_ps, model.seek_average_ps, model.seek_full_ps);
    let seek = SeekCurve::fit(track, average, full, geometry.cylinders() - 1);
    let second = Ps(1_000_000_000_000);
    let places: Vec<u64> = (0..200_u64)
        .map(|at| at * 337_777_777_777 % (model.capacity_bytes - 8192) / 4096 * 4096)
        .collect();
    let given: Vec<Given> = (1..)
        .zip(&places)
        .map(|(at, &place)| read(Ps(second.0 * at), place))
        .collect();
    let found = answers(&model, &given);
    for at in 1..places.len() {
        has_turned(&model, found[at], places[at]);
        let cylinder = |offset| geometry.place(offset).cylinder;
        let away = cylinder(places[at]).abs_diff(cylinder(places[at - 1] + u64::from(BYTES) - 1));
        let arm = model.command_ps + seek.time(away) + geometry.transfer(places[at], u64::from(BYTES));
        let turning = found[at].since(given[at].0).since(arm);
        assert!(turning < model.revolution_ps, "{turning:?}");
    }
}

/// A track of 800 000 bytes passes in 8 ms. The next head is ready after a seek to the next track, 300 µs or 30 000 bytes:
/// what begins sooner has gone by.
#[test]
fn a_switch_of_heads_takes_a_seek_to_the_next_track() {
    for (further, expected) in [(40_000, 40_000), (20_000, 820_000)] {
        let next = u64::from(BYTES) + 800_000 + further;
        let found = answers(&plain(), &[read(Ps::ZERO, 0), read(Ps::ZERO, next)]);
        let bytes = expected + u64::from(BYTES);
        assert_eq!(found[1].since(found[0]), Ps(bytes * 10_000), "{further}");
    }
}

#[test]
fn the_head_reads_ahead_so_far_and_no_further() {
    let ahead = 1 << 20;
    let model = HddModel {
        read_ahead_bytes: ahead,
        ..plain()
    };
    let (later, first) = (us(1_000_000), 4096 * 50);
    let end = first + u64::from(BYTES);
    for (offset, there) in [(end, true), (end + ahead - 8192, true), (end + ahead, false)] {
        let found = answers(&model, &[read(Ps::ZERO, first), read(later, offset)]);
        assert_eq!(found[1] == later + COMMAND, there, "{offset}");
    }
}

/// Where writes wait for room the head does not leave them to read further ahead for reads that the buffer answers: writes that
/// follow on each other take one way there and then no more than they are long.
#[test]
fn a_full_cache_is_not_left_to_read_further_ahead() {
    let (ahead, entries, tags) = (1 << 20, 8, 2);
    let model = HddModel {
        read_ahead_bytes: ahead,
        write_cache: true,
        write_cache_entries: entries,
        tags,
        command_ps: us(1),
        ..plain()
    };
    let (later, there) = (us(1_000_000), 500_000_000_000);
    let mut given = vec![read(Ps::ZERO, 0)];
    for at in 0..u64::from(entries + tags) {
        given.push(write(later, there + at * u64::from(BYTES)));
    }
    for at in 0..10 {
        // In the second half of the buffer, of which the drive would read on.
        given.push(read(later, ahead / 2 + (at + 10) * u64::from(BYTES)));
        given.push(write(
            later,
            there + (at + u64::from(entries + tags)) * u64::from(BYTES),
        ));
    }
    let found = answers(&model, &given);
    let waited = given.len() as u64 - 11 - u64::from(entries);
    let way = model.seek_full_ps + model.write_settle_ps + model.revolution_ps;
    let most = way + Ps(waited * u64::from(BYTES) * 10_000) + us(given.len() as u64);
    for (at, found) in found.iter().enumerate().skip(1) {
        assert!(
            found.since(later) <= most,
            "{at}: {:?} of {most:?}",
            found.since(later)
        );
    }
}

/// A buffer is no memory of the whole disk: the beginning of a long stream has left it, whether its reads found their data
/// there or came as they passed.
#[test]
fn the_buffer_holds_the_newest_of_a_stream() {
    let model = HddModel {
        read_ahead_bytes: 1 << 20,
        ..plain()
    };
    for (bytes, every) in [(BYTES, us(1_000)), (65_536, us(600))] {
        let long = u64::from(bytes);
        let stream = (0..1000_u64).map(|at| (Ps(at * every.0), false, at * long, bytes));
        let last = us(1_100_000);
        for (offset, there) in [(998 * long, true), (0, false), (400 * long, false)] {
            let given: Vec<Given> = stream.clone().chain([(last, false, offset, bytes)]).collect();
            let found = answers(&model, &given);
            assert_eq!(found[1000] == last + COMMAND, there, "{offset} of {bytes}");
        }
    }
}

/// A write clears the segment that holds some of what it writes, before, behind or ahead of its reads (Seagate, Constellation.2 SAS
/// Product Manual, *Caching write data*): what else was there comes from the medium then. One beside it clears nothing,
/// nor does one of what would have been read ahead next.
#[test]
fn a_write_clears_the_segment_that_holds_some_of_it() {
    let ahead = 1 << 20;
    let long = u64::from(BYTES);
    let (first, later) = (400 * long, us(1_000_000));
    for write_cache in [false, true] {
        let model = HddModel {
            read_ahead_bytes: ahead,
            read_segments: 2,
            write_cache,
            ..plain()
        };
        for (written, cleared) in [
            (first, true),
            (first + 2 * long, true),
            (first + ahead - long / 2, true),
            (first - long / 2, true),
            (first - long, false),
            (first + long + ahead, false),
            (800_000_000_000, false),
        ] {
            let given = [
                read(Ps::ZERO, first),
                read(us(100_000), 600_000_000_000),
                write(us(500_000), written),
                read(later, first + long),
                read(us(1_500_000), 600_000_000_000 + long),
            ];
            let found = answers(&model, &given);
            assert_eq!(found[3] > later + COMMAND, cleared, "{written}");
            if cleared {
                has_turned(&model, found[3], first + long);
            }
            assert_eq!(found[4], us(1_500_000) + COMMAND, "another segment stays");
        }
    }
}

/// The head stops where it fills a segment of which some is written, and finds its way from there.
#[test]
fn a_write_ends_the_reading_ahead_of_its_segment() {
    let model = HddModel {
        read_ahead_bytes: 1 << 20,
        ..plain()
    };
    let (first, long) = (400 * u64::from(BYTES), u64::from(BYTES));
    let begun = answers(&model, &[read(Ps::ZERO, first)])[0];
    let at = begun + us(1_000);
    let given = [
        read(Ps::ZERO, first),
        write(at, first),
        read(at + us(1), first + 20 * long),
        read(at + us(50_000), first + long),
    ];
    let found = answers(&model, &given);
    for place in [1, 2, 3] {
        has_turned(&model, found[place], given[place].2);
    }
}

#[test]
fn commands_are_processed_one_after_the_other() {
    let model = HddModel {
        read_ahead_bytes: 1 << 20,
        ..plain()
    };
    let later = us(1_000_000);
    let held = (1..=5_u64).map(|at| read(later, at * u64::from(BYTES)));
    let given: Vec<Given> = [read(Ps::ZERO, 0)].into_iter().chain(held).collect();
    let found = answers(&model, &given);
    for at in 1..=5 {
        assert_eq!(found[at as usize].since(later), Ps(COMMAND.0 * at));
    }
}

/// The head is on its way to the first write when a far one, the flush and a near one come; the near one goes first. The
/// flush waits for both that came before it: until the last byte of the far one has passed.
#[test]
fn a_flush_waits_for_what_came_before_and_not_for_what_came_after() {
    let model = HddModel {
        write_cache: true,
        ..plain()
    };
    let (first, far, near) = (100_000_000_000, 900_000_000_000, 100_000_400_000);
    let flush = (us(5_000), true, 0, 0);
    let given = [
        write(Ps::ZERO, first),
        (us(100), true, 0, 0),
        write(us(1_000), far),
        flush,
        write(us(5_001), near),
    ];
    let found = answers(&model, &given);
    has_turned(&model, found[1], first);
    has_turned(&model, found[3], far);
    assert!(found[3] > found[1] + us(8_000), "a seek over most of the disk");
}

/// Near writes come faster than the disk writes them, for 6 s: a flush before them, and a far write before that, are passed over
/// for 256 revolutions, as any command may be, and then for no more than the write under way and the far one take.
#[test]
fn a_flush_is_passed_over_no_longer_than_a_command() {
    let model = HddModel {
        write_cache: true,
        ..plain()
    };
    let (far, taken, revolution) = (900_000_000_000, us(1_000), model.revolution_ps.0);
    let near = |at: u64| 100_000_000_000 + at * 7_919 % 1000 * 409_600;
    let before = [write(Ps::ZERO, near(0)), write(us(500), far), (taken, true, 0, 0)];
    let after = (1..3000).map(|at| write(taken + us(2_000 * at), near(at)));
    let given: Vec<Given> = before.into_iter().chain(after).collect();
    let found = answers(&model, &given);
    let late = found[2].since(taken + Ps(256 * revolution));
    let one = model.seek_full_ps.0 + 2 * revolution;
    assert!(late < Ps(2 * one), "{late:?} after it was due");
    has_turned(&model, found[2], far);
}

/// Of two reads of the same bytes the second is in the buffer when the first is done: both are answered at once, and a third
/// of bytes before them, which the head has not read, is not.
#[test]
fn what_is_read_for_one_is_there_for_all_who_wait_for_it() {
    let model = sata();
    let offset = 100_000 * u64::from(BYTES);
    let given = [
        read(Ps::ZERO, offset),
        read(Ps::ZERO, offset),
        (Ps::ZERO, false, offset + 4096, 4096),
        read(Ps::ZERO, offset - 4096),
    ];
    let answers = answers(&model, &given);
    // Commands of one after the other: the first read is under way when the others come.
    assert_eq!(answers[1], answers[0]);
    assert_eq!(answers[2], answers[0]);
    assert!(answers[3] > answers[0], "{answers:?}");
}

/// A track passes in 8 ms, a byte in 10 ns. Of a read that begins in what has just been read for another only the rest has to
/// pass. What begins before that, and a write, waits until its first byte comes by again.
#[test]
fn a_read_that_begins_in_the_buffer_takes_the_time_of_what_goes_on_behind_it() {
    let model = HddModel {
        read_ahead_bytes: 1 << 20,
        ..plain()
    };
    let (first, half, revolution) = (4096 * 50, 32_768, 8_000_000_000);
    let of = |write: bool, offset: u64| (Ps::ZERO, write, offset, 65_536);
    let chain: Vec<Given> = (0..4).map(|at| of(false, first + at * half)).collect();
    let found = answers(&model, &chain);
    for at in 1..chain.len() {
        assert_eq!(found[at].since(found[at - 1]), Ps(half * 10_000), "read {at}");
    }
    let longer = (Ps::ZERO, false, first, 131_072);
    let found = answers(&model, &[of(false, first), longer]);
    assert_eq!(
        found[1].since(found[0]),
        Ps(65_536 * 10_000),
        "one that begins with it"
    );
    let cases = [
        (of(false, first - 4096), revolution - 4096 * 10_000),
        (of(true, first + half), revolution + half * 10_000),
    ];
    for (other, expected) in cases {
        let found = answers(&model, &[of(false, first), other]);
        let apart = found[1].since(found[0]).0.abs_diff(expected);
        assert!(apart < 10, "{other:?}: {apart} ps");
    }
}

/// A disk that has read a block and 1 MiB behind it, then somewhere else, where its arm is; a read that comes a second later.
fn after_another(read: (u64, u32), apart: u64) -> Ps {
    let model = HddModel {
        read_ahead_bytes: 1 << 20,
        read_segments: 2,
        ..plain()
    };
    let at = us(1_000_000 + apart);
    let given = [
        (Ps::ZERO, false, 0, BYTES),
        (us(100_000), false, 600_000_000_000, BYTES),
        (at, false, read.0, read.1),
    ];
    answers(&model, &given)[2].since(at)
}

/// What is held ends where reading ahead has ended: a read up to there takes a command, and of one that goes on behind that only the
/// rest has to pass, whatever the disk has turned to. That are 100 of 800 kB of a track; what is there would be half of it.
#[test]
fn a_read_that_goes_on_behind_another_segment_takes_the_time_of_the_rest() {
    let (long, held, rest) = (u64::from(BYTES), 400_000, 100_000);
    let end = long + (1 << 20);
    let (model, geometry) = (plain(), Geometry::new(&plain()));
    let (track, average, full) = (model.seek_track_ps, model.seek_average_ps, model.seek_full_ps);
    let seek = SeekCurve::fit(track, average, full, geometry.cylinders() - 1);
    let away = geometry.place(600_000_000_000 + end).cylinder;
    let arm = COMMAND + seek.time(away + 1) + model.revolution_ps;
    for apart in (0..16).map(|part| part * 500) {
        assert_eq!(after_another((end - long, BYTES), apart), COMMAND);
        let took = after_another((end - held, (held + rest) as u32), apart);
        assert!(took > COMMAND + Ps(rest * 10_000), "{apart}: {took:?}");
        assert!(took < arm + Ps(rest * 10_000), "{apart}: {took:?}");
    }
}

/// After a hit in the second half of what is held the arm goes there and reads on, and what follows is there. After one in the
/// first half it stays where it is.
#[test]
fn a_disk_reads_on_for_a_stream_that_has_used_up_half_of_what_is_held() {
    let (ahead, long) = (1 << 20, u64::from(BYTES));
    let model = HddModel {
        read_ahead_bytes: ahead,
        read_segments: 2,
        ..plain()
    };
    let (hit_at, later) = (us(1_000_000), us(2_000_000));
    for (used, goes_on) in [(ahead / 2 - long, false), (ahead / 2 + long, true)] {
        let given = [
            (Ps::ZERO, false, 0, BYTES),
            (us(100_000), false, 600_000_000_000, BYTES),
            (hit_at, false, used, BYTES),
            (later, false, long + ahead, BYTES),
        ];
        let found = answers(&model, &given);
        assert_eq!(found[2], hit_at + COMMAND);
        assert_eq!(found[3] == later + COMMAND, goes_on, "{used}");
    }
}

/// After a hit in the buffer the arm goes where reading goes on. A read that comes while it is on its way is not served as if it
/// were there: its last byte has to pass below the head.
#[test]
fn an_arm_that_is_on_its_way_reads_nothing() {
    const MIB: u32 = 1 << 20;
    let mut model = plain();
    (model.read_ahead_bytes, model.read_segments) = (u64::from(MIB), 4);
    for apart in [0, 1_000, 3_000, 12_000] {
        let second = us(1_000_000);
        let given = [
            (Ps::ZERO, false, 0, MIB),
            (second, false, u64::from(MIB), MIB),
            (second + us(apart), false, 2 * u64::from(MIB), MIB),
        ];
        let third = answers(&model, &given)[2];
        let geometry = Geometry::new(&model);
        let begin = 2 * u64::from(MIB);
        let end = geometry.place(begin).phase.0 + geometry.transfer(begin, u64::from(MIB)).0;
        let turned = (third.0 % model.revolution_ps.0).abs_diff(end % model.revolution_ps.0);
        assert!(
            turned.min(model.revolution_ps.0 - turned) < 10,
            "{apart} µs after the second: {turned} ps"
        );
    }
}

/// The head has read on for 10 MB in 100 ms, and would be long in coming to what lies as much further: a read from there has a seek and
/// a revolution at most.
#[test]
fn a_read_does_not_wait_for_a_head_that_would_be_long_in_coming() {
    const MIB: u64 = 1 << 20;
    let mut model = plain();
    (
        model.read_ahead_bytes,
        model.read_segments,
        model.missed_revolution,
    ) = (64 * MIB, 4, 0.0);
    let geometry = Geometry::new(&model);
    let (track, average, full) = (model.seek_track_ps, model.seek_average_ps, model.seek_full_ps);
    let seek = SeekCurve::fit(track, average, full, geometry.cylinders() - 1);
    for ahead in [16, 32, 60] {
        let at = us(100_000);
        let offset = ahead * MIB;
        let asked = at + COMMAND;
        let found = answers(&model, &[read(Ps::ZERO, 0), read(at, offset)])[1];
        // The head is between the first read and what is asked for, so no seek is longer than from the first.
        let anew = seek.time(geometry.place(offset).cylinder) + model.revolution_ps;
        let most = anew + geometry.transfer(offset, BYTES.into());
        assert!(
            found.since(asked) <= most,
            "{ahead} MiB ahead: {:?}",
            found.since(asked)
        );
        has_turned(&model, found, offset);
    }
}
