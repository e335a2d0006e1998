//! A flush of a bare drive: it waits for what was answered before it, and for nothing that came after.

use iodyno_sim::calendar::Calendar;
use iodyno_sim::drive::{DriveOp, Usage};
use iodyno_sim::ssd::Ssd;
use iodyno_sim::system::SsdModel;
use iodyno_sim::time::Ps;

use crate::ssd::harness::model;

const PROGRAM: u32 = 65_536;

/// The moments at which operations that come one after the other, each 10 µs after the one before, are answered, since
/// the first of them. The drive has programmed all of before: that with which it begins.
fn answers(model: &SsdModel, bytes: &[u32]) -> Vec<Ps> {
    let usage = Usage {
        accessed_bytes: 32 << 30,
        random_write_share: 0.0,
        valid_share: 1.0,
        write_streams: 0,
        written: None,
    };
    let (mut drive, mut calendar) = (Ssd::new(model, usage, 0, 1), Calendar::default());
    let mut done = Vec::new();
    let write = |token, bytes| DriveOp {
        token,
        write: true,
        trim: false,
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
