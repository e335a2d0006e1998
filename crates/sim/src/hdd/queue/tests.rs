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
    let any = |by: Ps| queue.iter().any(|one| is_overdue(one, by));
    if any(now) && !any(*together) {
        *together = now + Ps(4_000_000_000 * 64);
    }
    // They go first as long as the oldest of them is overdue itself.
    let first = if any(now) { *together } else { Ps::ZERO };
    let overdue = all().filter(|(_, one)| is_overdue(one, first));
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
            };
            assert_eq!(queue.until(now, limit_us), candidate.until);
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
