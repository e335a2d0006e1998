use super::*;

#[test]
fn what_waits_of_before_is_forgotten_where_room_is_left_and_kept_where_writes_wait_for_it() {
    let mut buffer = Buffer::new(1 << 20, 1 << 14, 1 << 14);
    buffer.fill(Ps(0));
    let room = (2 << 14, 8 << 14);
    let write = Write {
        token: 1,
        bytes: 1 << 11,
        turns: 0,
        arrival: Ps(0),
        ready: Ps(0),
    };
    assert!(!buffer.take(write));
    for _ in 0..8 {
        let batch = buffer.leave();
        buffer.free(batch.bytes, Ps(100));
        buffer.settle(room, 0, Ps(100));
    }
    assert_eq!(buffer.occupied, (1 << 20) - (8 << 14), "a write waits");
    buffer.next().expect("room");
    buffer.admit(&write, true, Ps(200));
    buffer.settle(room, 0, Ps(200));
    assert_eq!(
        buffer.occupied,
        (1 << 20) - (8 << 14) + (1 << 11),
        "room for 63 writes is free, and one has not found it at once"
    );
    for reads in [3, 1] {
        assert!(buffer.take(write));
        buffer.admit(&write, true, Ps(300));
        let batch = buffer.leave();
        buffer.free(batch.bytes, Ps(300));
        buffer.settle(room, reads, Ps(300));
        let held = if reads == 3 {
            (1 << 20) - (9 << 14) + (2 << 11)
        } else {
            3 << 11
        };
        assert_eq!(buffer.occupied, held, "a round is {} writes", reads + 1);
    }
    assert_eq!(
        (buffer.held, buffer.old),
        (3 << 11, 0),
        "what is under way to programs"
    );
}

/// The drive programs a sixteenth more than the load writes: all that is of before has long left when room is free.
/// With an eighth of a sixteenth it has not been seen after eight fillings, and the buffer counts as settled.
#[test]
fn a_drive_that_is_little_faster_than_the_load_forgets_what_waits() {
    for (every, fillings) in [(16, 2), (128, 8)] {
        let mut buffer = Buffer::new(1 << 20, 1 << 14, 1 << 14);
        buffer.fill(Ps(0));
        let mut programs = 0;
        while buffer.unsettled {
            programs += 1;
            assert!(programs < 1 << 11, "never");
            let batch = buffer.leave();
            buffer.free(batch.bytes, Ps(0));
            if programs % every > 0 {
                let write = Write {
                    token: programs,
                    bytes: 1 << 14,
                    turns: 0,
                    arrival: Ps(0),
                    ready: Ps(0),
                };
                assert!(buffer.take(write));
                buffer.admit(&write, true, Ps(0));
                buffer.arrive(1 << 14);
            }
            buffer.settle((1 << 14, 8 << 14), 0, Ps(0));
        }
        assert_eq!((programs >> 6, buffer.old), (fillings, 0), "every {every}");
        assert_eq!(buffer.occupied == 0, every == 16, "every {every}");
    }
}

/// A pause lets the drive empty a part of the buffer; then the load writes twice as fast as the drive programs.
#[test]
fn a_buffer_that_fills_again_after_a_pause_is_as_full_as_it_was() {
    let mut buffer = Buffer::new(1 << 20, 1 << 14, 1 << 14);
    buffer.fill(Ps(0));
    let program = |buffer: &mut Buffer| {
        let batch = buffer.leave();
        buffer.free(batch.bytes, Ps(0));
        buffer.settle((1 << 14, 8 << 14), 0, Ps(0));
    };
    while buffer.unsettled {
        program(&mut buffer);
    }
    assert_eq!((buffer.occupied, buffer.left), (0, 1 << 20), "all is forgotten");
    let (mut most, mut written) = (0, 0);
    while buffer.old == 0 {
        assert!(buffer.occupied < 1 << 20, "never remembered");
        for number in 0..2 {
            let write = Write {
                token: number,
                bytes: 1 << 14,
                turns: 0,
                arrival: Ps(0),
                ready: Ps(0),
            };
            most = most.max(buffer.occupied);
            assert!(buffer.take(write));
            buffer.admit(&write, true, Ps(0));
            buffer.arrive(1 << 14);
            written += 1 << 14;
            if buffer.old > 0 {
                break;
            }
        }
        if buffer.old == 0 {
            program(&mut buffer);
        }
    }
    assert_eq!(most, (1 << 19) - (1 << 14), "half of it");
    assert_eq!(buffer.occupied, 1 << 20);
    assert_eq!(
        buffer.left + buffer.held,
        (1 << 20) + written,
        "bytes keep their numbers"
    );
}

/// Half of the time before the first write, half after it.
#[test]
fn a_buffer_is_full_from_the_first_write_on() {
    let mut buffer = Buffer::new(1 << 20, 1 << 14, 1 << 14);
    buffer.fill(Ps(500));
    buffer.free(0, Ps(700));
    assert_eq!(buffer.sums(Ps(1000)).busy, Ps(500).into());
}

#[test]
fn what_is_of_before_costs_as_many_turnarounds_as_what_is_written() {
    let mut buffer = Buffer::new(1 << 20, 1 << 14, 1 << 14);
    buffer.fill(Ps(0));
    let batches = (1 << 20) / (1 << 14);
    let mut turns = 0;
    for number in 0..batches {
        let batch = buffer.leave();
        buffer.free(batch.bytes, Ps(0));
        turns += batch.turns;
        let write = Write {
            token: number,
            bytes: 1 << 14,
            turns: 4 * u32::from(number % 3 == 1),
            arrival: Ps(0),
            ready: Ps(0),
        };
        buffer.admit(&write, true, Ps(0));
    }
    // A third of the writes cost four; what the first few batches cost is known badly.
    let expected = 4.0 / 3.0 * f64::from(batches - 1);
    assert!((turns as f64 - expected).abs() < 5.0, "{turns}");
    assert_eq!(buffer.old, 0);
}

#[test]
fn nothing_stays_behind_of_what_a_flush_let_leave_in_less_than_a_program() {
    let mut buffer = Buffer::new(1 << 20, 1 << 14, 1 << 14);
    let write = |bytes| Write {
        token: 1,
        bytes,
        turns: 0,
        arrival: Ps(0),
        ready: Ps(0),
    };
    buffer.admit(&write(12_288), true, Ps(0));
    assert_eq!(buffer.programs(12_288), 0);
    let rest = buffer.take_rest();
    buffer.arrive(rest);
    assert_eq!((rest, buffer.urge()), (12_288, 12_288));
    // No die is idle yet, and a full program comes.
    buffer.admit(&write(1 << 14), true, Ps(0));
    let programs = buffer.programs(1 << 14);
    buffer.arrive_programs(programs);
    let mut left = Vec::new();
    while buffer.has_batch() {
        left.push(buffer.leave().bytes);
    }
    assert_eq!((left, buffer.held), (vec![12_288, 1 << 14], 0));
}

fn write_of(bytes: u32, turns: u32) -> Write {
    Write {
        token: 1,
        bytes,
        turns,
        arrival: Ps(0),
        ready: Ps(0),
    }
}

/// Four dies have eight programs of 16 KiB of the buffer at the most, half of 256 KiB: the other half takes a write whole.
#[test]
fn a_write_comes_in_parts_where_the_buffer_does_not_hold_it_beside_a_program_and_the_next_of_each_die() {
    let buffer = Buffer::new(16 << 14, 1 << 14, 1 << 14).before(4);
    assert!(!buffer.in_parts(8 << 14));
    assert!(buffer.in_parts((8 << 14) + 1));
    let answered_when_programmed = Buffer::new(16 << 14, 1 << 14, 1).before(4);
    assert!(!answered_when_programmed.in_parts(12 << 14));
}

/// Nine programs, and four turnarounds for each of them.
#[test]
fn a_part_of_a_write_has_its_part_of_the_turnarounds() {
    let mut buffer = Buffer::new(4 << 14, 1 << 14, 1 << 14).before(4);
    let (bytes, turns) = (9_u32 << 14, 36_u32);
    assert!(!buffer.take(write_of(bytes, turns)));
    let (mut came, mut turned) = (0, 0);
    while let Some((part, of)) = buffer.next() {
        buffer.admit(&part, of.is_some(), Ps(0));
        (came, turned) = (came + part.bytes, turned + part.turns);
        assert_eq!(turned, (came >> 14) * 4);
        buffer.arrive(u64::from(part.bytes));
        let left = buffer.leave();
        buffer.free(left.bytes, Ps(0));
        assert_eq!(of.is_some(), came == bytes);
    }
    assert_eq!((came, turned), (bytes, turns));
}

/// A buffer with 24 of 64 programs free, where eight writes of a program and four turnarounds have come in, of which so many may
/// leave; and what is held of it, in bytes and turnarounds, when it is seen to keep up.
fn settled(arrived: u64) -> (u64, u64) {
    let mut buffer = Buffer::new(1 << 20, 1 << 14, 1 << 14);
    buffer.fill(Ps(0));
    for _ in 0..32 {
        let batch = buffer.leave();
        buffer.free(batch.bytes, Ps(0));
    }
    for _ in 0..8 {
        assert!(buffer.take(write_of(1 << 14, 4)));
        buffer.admit(&write_of(1 << 14, 4), true, Ps(0));
    }
    buffer.arrive(arrived << 14);
    buffer.settle((1 << 14, 8 << 14), 1, Ps(0));
    assert!(!buffer.is_unsettled());
    (buffer.held, buffer.turns)
}

#[test]
fn what_is_forgotten_takes_its_turnarounds_along() {
    assert_eq!(settled(0), (8 << 14, 32));
    assert_eq!(settled(4), (4 << 14, 16));
    assert_eq!(settled(8), (0, 0));
}

/// Five writes have found room at once, and then one has not: a round of two, a read and a write, has to find it again.
#[test]
fn a_write_that_waits_begins_the_round_anew() {
    let mut buffer = Buffer::new(1 << 20, 1 << 14, 1 << 14);
    let room = (1 << 14, 8 << 14);
    let program = |buffer: &mut Buffer, times: u32| {
        for _ in 0..times {
            let batch = buffer.leave();
            buffer.free(batch.bytes, Ps(0));
        }
    };
    buffer.fill(Ps(0));
    program(&mut buffer, 5);
    let write = write_of(1 << 14, 0);
    for _ in 0..5 {
        assert!(buffer.take(write));
        buffer.admit(&write, true, Ps(0));
    }
    assert!(!buffer.take(write));
    program(&mut buffer, 20);
    buffer.next().expect("room");
    buffer.admit(&write, true, Ps(0));
    buffer.settle(room, 1, Ps(0));
    assert!(buffer.is_unsettled());
    for _ in 0..2 {
        assert!(buffer.take(write));
        buffer.admit(&write, true, Ps(0));
    }
    buffer.settle(room, 1, Ps(0));
    assert!(!buffer.is_unsettled());
}
