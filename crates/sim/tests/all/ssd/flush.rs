//! A flush of a bare drive: it waits for what was answered before it, and for nothing that came after.

use iodyno_sim::calendar::Calendar;
use iodyno_sim::drive::{Drive, Unqueued};
use iodyno_sim::operation::{Done, DriveOp, Usage};
use iodyno_sim::ssd::Ssd;
use iodyno_sim::system::SsdModel;
use iodyno_sim::time::Ps;

use crate::ssd::harness::model;

const PROGRAM: u32 = 65_536;
const USAGE: Usage = Usage {
    accessed_bytes: 32 << 30,
    overwritten_bytes: 32 << 30,
    random_write_share: 0.0,
    valid_share: 1.0,
    write_streams: 0,
    written: Vec::new(),
};

/// The moments at which operations that come one after the other, each 10 µs after the one before, are answered, since
/// the first of them. The drive has programmed all of before: that with which it begins.
fn answers(model: &SsdModel, bytes: &[u32]) -> Vec<Ps> {
    let (mut drive, mut calendar) = (Ssd::new(model, USAGE, 0, 1), Calendar::default());
    let mut done = Vec::new();
    let write = |token, bytes| DriveOp {
        token,
        write: true,
        trim: false,
        limit_us: 0,
        offset: u64::from(token) << 20,
        bytes,
    };
    drive.submit(write(0, PROGRAM), Ps::ZERO, &mut calendar, &mut done);
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
    }
    done.clear();
    let began = calendar.now();
    for (token, &bytes) in (0..).zip(bytes) {
        let arrival = began + Ps::from_ns(u64::from(token) * 10_000);
        drive.submit(write(token, bytes), arrival, &mut calendar, &mut done);
    }
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
    }
    let mut answers = vec![Ps::ZERO; bytes.len()];
    done.iter()
        .for_each(|done| answers[done.token as usize] = done.at.since(began));
    answers
}

/// One die, which programs for 800 µs. The data path needs 819.2 µs for a program, so the die waits for it.
fn one_die() -> SsdModel {
    SsdModel {
        dies: 1,
        data_write_bytes_s: 80_000_000,
        turnaround_ps: Ps::ZERO,
        ..model()
    }
}

#[test]
fn it_waits_for_all_that_came_before_and_nothing_after() {
    let command = Ps::from_ns(1_500);
    for (before, after) in [(1, 0), (3, 2), (4, 30)] {
        let writes = |count: usize| vec![PROGRAM; count];
        let found = answers(&one_die(), &[writes(before), vec![0], writes(after)].concat());
        let programs = Ps::from_ns(819_200 * before as u64 + 800_000);
        let delay = Ps::from_ns(7_000);
        assert_eq!(found[before], command + programs + delay, "{before} {after}");
    }
}

/// A third of a program waits for others, until a flush comes; what is left of a program goes by itself.
#[test]
fn what_makes_up_no_program_goes_with_the_flush() {
    let found = answers(&one_die(), &[PROGRAM / 4 * 5, 0, PROGRAM / 4]);
    // A whole program and a quarter, one after the other: the second is past the data path before the first ends.
    let expected = Ps::from_ns(1_500 + 819_200 + 2 * 800_000 + 7_000);
    assert_eq!(found[1], expected);
    assert!(
        found[2] < expected,
        "a write after it is answered from the buffer"
    );
}

#[test]
fn several_flushes_are_answered_in_order_each_for_itself() {
    let found = answers(&one_die(), &[PROGRAM, 0, PROGRAM, 0, 0]);
    assert_eq!(found[3].since(found[1]), Ps::from_ns(819_200));
    assert_eq!(found[3], found[4], "nothing between them");
}

#[test]
fn there_is_nothing_to_wait_for_where_the_buffer_is_safe_or_off_or_empty() {
    let answer = Ps::from_ns(10_000 + 1_500 + 7_000);
    let protected = SsdModel {
        protected_share: 1.0,
        ..one_die()
    };
    assert_eq!(answers(&protected, &[PROGRAM, 0])[1], answer);
    let off = SsdModel {
        write_cache: false,
        ..one_die()
    };
    assert_eq!(answers(&off, &[PROGRAM, 0])[1], answer);
    assert_eq!(answers(&one_die(), &[0])[0], Ps::from_ns(1_500 + 7_000));
}

/// What is answered of operations that come a nanosecond apart to a drive whose flush is no queued command: bytes read, or else
/// written; a write of nothing is a flush.
fn alone(model: &SsdModel, ops: &[(bool, u32)]) -> Vec<Done> {
    let mut calendar = Calendar::default();
    let ssd = Drive::Ssd(Box::new(Ssd::new(model, USAGE, 0, 1)));
    let mut drive = Unqueued::new(ssd);
    let mut done = Vec::new();
    for (token, &(write, bytes)) in (0..).zip(ops) {
        let op = DriveOp {
            token,
            write,
            trim: false,
            limit_us: 0,
            offset: 1 << 30,
            bytes,
        };
        drive.submit(op, Ps::from_ns(token.into()), &mut calendar, &mut done);
    }
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
    }
    assert_eq!(done.len(), ops.len());
    for one in &done {
        assert_eq!(one.inside.total(), one.at - Ps::from_ns(one.token.into()));
    }
    done
}

/// Where a flush is no queued command it begins when what was there has ended, and what comes meanwhile begins when it has: reads
/// with flushes between them, all at almost the same moment, are one after the other.
#[test]
fn a_flush_that_is_not_queued_is_alone_in_the_drive() {
    let protected = SsdModel {
        protected_share: 1.0,
        ..model()
    };
    const READ: (bool, u32) = (false, 16_384);
    const FLUSH: (bool, u32) = (true, 0);
    // Command, flash, 16 KiB at 2 GB/s, delay; command and delay of a write.
    let (read, flush) = (1_000 + 60_000 + 8_192 + 5_000, 1_500 + 7_000);
    let mut end = 0;
    for (token, done) in (0..).zip(alone(&protected, &[READ, FLUSH, READ, FLUSH, READ])) {
        end += if token % 2 == 1 { flush } else { read };
        assert_eq!((done.token, done.at), (token, Ps::from_ns(end)));
    }
    // A flush that programs lasts: the read behind it waits all that time, and turns the data path round for four pages.
    let done = alone(&model(), &[(true, PROGRAM), FLUSH, READ]);
    assert_eq!(done[2].at.since(done[1].at), Ps::from_ns(read + 4_000));
}
