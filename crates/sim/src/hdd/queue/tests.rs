use iodyno_load::pattern::mix;

use super::*;
use crate::hdd::disk_of_tests;

fn mechanics() -> Mechanics {
    let model = disk_of_tests(64);
    let geometry = Geometry::new(&model);
    let seek = SeekCurve::fit(
        model.seek_track_ps,
        model.seek_average_ps,
        model.seek_full_ps,
        geometry.cylinders() - 1,
    );
    Mechanics {
        geometry,
        seek,
        write_settle: model.write_settle_ps,
    }
}

fn head_at(mechanics: &Mechanics, offset: u64, at: Ps) -> Head {
    Head {
        place: mechanics.geometry.place(offset - 1),
        offset,
        held_from: offset,
        at,
    }
}

/// The choice by its definition: each candidate is looked at. `together` is when a set of those that were overdue began.
fn best(
    queue: &[Candidate],
    mechanics: &Mechanics,
    head: &Head,
    (now, together): (Ps, &mut Ps),
    patience: Ps,
) -> usize {
    let least = |keys: &mut dyn Iterator<Item = (u64, usize)>| keys.min().map(|(_, at)| at);
    let all = || queue.iter().enumerate();
    let is_overdue = |one: &Candidate, by: Ps| one.command.is_some() && one.until < by;
    let oldest = all().filter(|(_, one)| is_overdue(one, now));
    let oldest = least(&mut oldest.map(|(at, one)| (one.until.0, at)));
    if oldest.is_some_and(|at| queue[at].hurried) {
        return oldest.expect("one");
    }
    let goes_together = |one: &Candidate, by: Ps| is_overdue(one, by) && !one.hurried;
    if oldest.is_some() && !queue.iter().any(|one| goes_together(one, *together)) {
        *together = now + Ps(4_000_000_000 * 64);
    }
    // They go first as long as the oldest of all is overdue itself.
    let first = oldest.map_or(Ps::ZERO, |_| *together);
    let overdue = all().filter(|(_, one)| goes_together(one, first));
    let on_the_way = all().filter(|(_, one)| {
        let half = head.offset + mechanics.geometry.track_bytes(head.offset) / 2;
        head.at == now && (head.offset..half).contains(&one.offset)
    });
    let cost = |one: &Candidate| {
        let waits = if one.command.is_none() { patience } else { Ps::ZERO };
        mechanics.access(head, now, one) + waits
    };
    least(&mut overdue.map(|(at, one)| (mechanics.access(head, now, one).0, at)))
        .or_else(|| least(&mut on_the_way.map(|(at, one)| (one.offset, at))))
        .or_else(|| least(&mut all().map(|(at, one)| (cost(one).0, at))))
        .expect("a candidate")
}

#[test]
fn a_cached_write_is_found_by_what_it_writes() {
    let mechanics = mechanics();
    let mut queue = Queue::new(Ps(4_000_000_000));
    for (offset, command) in [(8192, None), (65_536, None), (16_384, Some(0))] {
        queue.push(Candidate {
            offset,
            place: mechanics.geometry.place(offset),
            bytes: 8192,
            write: true,
            command,
            flushes: 0,
            since: Ps::ZERO,
            until: Ps(u64::MAX),
            hurried: false,
        });
    }
    let ranges = [(8192, 16_384), (12_288, 16_384), (65_536, 73_728)];
    assert_eq!(ranges.map(|range| queue.caches(range)), [true; 3]);
    let others = [
        (4096, 8192),
        (4096, 12_288),
        (8192, 20_480),
        (16_384, 24_576),
        (73_728, 77_824),
    ];
    assert_eq!(others.map(|range| queue.caches(range)), [false; 5]);
}

#[test]
fn the_choice_is_the_best_of_all_candidates() {
    let mechanics = mechanics();
    let own = 4_000_000_000 * AGE_LIMIT_REVOLUTIONS;
    for spread in [1 << 20, 1 << 28, 250_u64 << 30] {
        let (mut queue, mut list) = (Queue::new(Ps(4_000_000_000)), Vec::new());
        let (mut head, mut now) = (head_at(&mechanics, 1, Ps::ZERO), Ps::ZERO);
        let mut together = Ps::ZERO;
        for step in 0..20_000_u64 {
            let draw = |what: u64| mix(step, what);
            // Few places, so that several candidates are often at one.
            let offset = draw(0) % spread / 65_536 * 65_536;
            // Most bring no limit; the others one of 0.1 to 1 s.
            let limit_us = if draw(6) % 8 > 0 {
                0
            } else {
                100_000 + (draw(6) % 900_000) as u32
            };
            let candidate = Candidate {
                offset,
                place: mechanics.geometry.place(offset),
                bytes: 65_536,
                write: draw(1) % 2 == 0,
                command: (draw(1) % 2 > 0 || draw(2) % 3 > 0).then_some(0),
                flushes: 0,
                since: now,
                until: now
                    + Ps(own.min(if limit_us == 0 {
                        own
                    } else {
                        1_000_000 * u64::from(limit_us)
                    })),
                hurried: limit_us > 0,
            };
            assert_eq!(queue.until(now, limit_us), candidate.until);
            assert_eq!(queue.hurries(limit_us), candidate.hurried);
            queue.push(candidate);
            list.push(candidate);
            let more = draw(3) % 100 < if list.len() < 60 { 40 } else { 60 };
            if !more || list.is_empty() {
                continue;
            }
            let fill = list.len() as f64 / 100.0;
            let wanted = best(
                &list,
                &mechanics,
                &head,
                (now, &mut together),
                queue.patience(fill),
            );
            let wanted = list.swap_remove(wanted);
            let found = queue.take(&mechanics, &head, now, (fill, None));
            let found = found.expect("a candidate");
            let key = |one: &Candidate| (one.offset, one.write, one.command, one.until);
            assert_eq!(
                key(&found.candidate),
                key(&wanted),
                "step {step}, spread {spread}"
            );
            now = now + found.access + mechanics.geometry.transfer(wanted.offset, 65_536);
            head = head_at(&mechanics, wanted.end(), now);
            if draw(4) % 4 == 0 {
                now += Ps(draw(5) % 5_000_000_000);
            }
        }
    }
}

/// A revolution of 4 ms, of which 256 are the limit and 64 a quarter of it.
fn with_limit() -> (Mechanics, Queue) {
    (mechanics(), Queue::new(Ps(4_000_000_000)))
}

fn ms(ms: u64) -> Ps {
    Ps(1_000_000_000 * ms)
}

fn read_at(mechanics: &Mechanics, offset: u64, until: Ps) -> Candidate {
    Candidate {
        offset,
        place: mechanics.geometry.place(offset),
        bytes: 4096,
        write: false,
        command: Some(0),
        flushes: 0,
        since: Ps::ZERO,
        until,
        hurried: false,
    }
}

/// In what order all of a queue is taken from a moment on, with a flush that is overdue since then.
fn order(mechanics: &Mechanics, queue: &mut Queue, now: Ps, flush: Option<(Ps, u64)>) -> Vec<u64> {
    let (mut head, mut now, mut order) = (head_at(mechanics, 1, Ps::ZERO), now, Vec::new());
    while let Some(choice) = queue.take(mechanics, &head, now, (1.0, flush)) {
        now = now + choice.access + mechanics.geometry.transfer(choice.candidate.offset, 4096);
        head = head_at(mechanics, choice.candidate.end(), now);
        order.push(choice.candidate.offset);
    }
    order
}

const NEAR: u64 = 1 << 30;
const FAR: u64 = 200 << 30;

/// One has been passed over too long, one nearly so, and one not at all, which is the nearest of all.
#[test]
fn what_nearly_has_been_passed_over_too_long_goes_with_what_has() {
    let (mechanics, mut queue) = with_limit();
    let now = ms(2000);
    for (offset, until) in [(FAR, ms(1999)), (NEAR, ms(2255)), (4096, ms(2257))] {
        queue.push(read_at(&mechanics, offset, until));
    }
    assert_eq!(order(&mechanics, &mut queue, now, None), [NEAR, FAR, 4096]);
}

/// A command with a limit of its own is taken when it is its turn by time, and waits for no set of others.
#[test]
fn a_hurried_command_is_taken_next() {
    let (mechanics, mut queue) = with_limit();
    for (offset, until) in [(NEAR, ms(1990)), (NEAR + 8192, ms(1998)), (4096, ms(2100))] {
        queue.push(read_at(&mechanics, offset, until));
    }
    for (offset, until) in [(FAR, ms(1980)), (2 * NEAR, ms(2001))] {
        let read = read_at(&mechanics, offset, until);
        queue.push(Candidate {
            hurried: true,
            ..read
        });
    }
    let found = order(&mechanics, &mut queue, ms(2000), None);
    assert_eq!(found[0], FAR, "{found:?}");
    assert_eq!(found.len(), 5);
}

/// A flush goes before what is overdue since later, and not before what is since longer, however near others of its set are.
#[test]
fn a_flush_waits_for_what_is_overdue_since_longer() {
    let (mechanics, mut queue) = with_limit();
    let cached = Candidate {
        write: true,
        command: None,
        ..read_at(&mechanics, 4096, Ps(u64::MAX))
    };
    queue.push(cached);
    for (offset, until) in [(FAR, ms(1990)), (NEAR, ms(2200))] {
        queue.push(read_at(&mechanics, offset, until));
    }
    let flush = Some((ms(1995), 0));
    assert_eq!(order(&mechanics, &mut queue, ms(2000), flush), [NEAR, FAR, 4096]);
    queue.push(cached);
    queue.push(read_at(&mechanics, NEAR, ms(1999)));
    assert_eq!(order(&mechanics, &mut queue, ms(2000), flush), [4096, NEAR]);
}

/// Of the cached writes that a flush waits for the one goes first that the head gets to first, and what came later waits.
#[test]
fn a_flush_has_the_nearest_of_its_writes_written_first() {
    let (mechanics, mut queue) = with_limit();
    let head = head_at(&mechanics, 1, ms(1999));
    let mut cached = [4096, NEAR, FAR, NEAR + 8192].map(|offset| Candidate {
        write: true,
        command: None,
        ..read_at(&mechanics, offset, Ps(u64::MAX))
    });
    cached[3].flushes = 1;
    cached.iter().for_each(|&write| queue.push(write));
    queue.push(read_at(&mechanics, 65_536, Ps(u64::MAX)));
    let access = |one: &Candidate| mechanics.access(&head, ms(2000), one);
    let mut expected: Vec<_> = cached[..3].iter().map(|one| (access(one), one.offset)).collect();
    expected.sort_unstable();
    let mut found = Vec::new();
    for _ in 0..3 {
        let choice = queue.take(&mechanics, &head, ms(2000), (1.0, Some((ms(1995), 0))));
        found.push(choice.expect("a choice").candidate.offset);
    }
    assert_eq!(found, expected.iter().map(|one| one.1).collect::<Vec<_>>());
}

/// Half a track from the head on is on its way: what comes by in less than half a revolution is nearer than a way to another track
/// and back. Nothing is the first there while a read goes on that has begun to pass, from the first byte of what is held on.
#[test]
fn what_comes_by_in_less_than_half_a_revolution_comes_first() {
    let mechanics = mechanics();
    let (offset, now) = (100 << 30, Ps(1_000_000_000));
    let half = mechanics.geometry.track_bytes(offset) / 2;
    let head = Head {
        held_from: offset - 65_536,
        ..head_at(&mechanics, offset, now)
    };
    let mut queue = Queue::new(Ps(4_000_000_000));
    assert!(queue.comes_first(offset, &head, now, &mechanics));
    assert!(queue.comes_first(offset + half - 1, &head, now, &mechanics));
    assert!(!queue.comes_first(offset + half, &head, now, &mechanics));
    assert!(
        !queue.comes_first(offset, &head, now + Ps(1), &mechanics),
        "it has left"
    );
    for (from, bytes, write, begun) in [
        (offset - 65_536, 131_072, false, true),
        (offset - 4096, 8192, false, true),
        (offset - 65_537, 131_072, false, false),
        (offset - 4096, 4096, false, false),
        (offset - 4096, 8192, true, false),
    ] {
        queue.push(Candidate {
            offset: from,
            place: mechanics.geometry.place(from),
            bytes,
            write,
            command: Some(0),
            flushes: 0,
            since: Ps::ZERO,
            until: Ps(u64::MAX),
            hurried: false,
        });
        assert_eq!(
            queue.comes_first(offset, &head, now, &mechanics),
            !begun,
            "{from}"
        );
        let choice = queue.take(&mechanics, &head, now, (0.0, None)).expect("one");
        assert_eq!(
            choice.access == Ps::ZERO && choice.from == offset,
            begun,
            "{from}"
        );
    }
}

/// 256 revolutions of 4 ms. A limit of a command makes that shorter, and never longer.
#[test]
fn a_command_is_passed_over_no_longer_than_the_drive_lets_it_be() {
    let queue = Queue::new(Ps(4_000_000_000));
    let (now, own) = (Ps(7), Ps(1_024_000_000_000));
    for (limit_us, expected, hurries) in [
        (0, own, false),
        (1_000, Ps(1_000_000_000), true),
        (1_024_000, own, false),
        (5_000_000, own, false),
    ] {
        assert_eq!(queue.until(now, limit_us), now + expected);
        assert_eq!(queue.hurries(limit_us), hurries);
    }
}
