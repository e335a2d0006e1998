//! Trims: what a device may leave is no corruption, everything else is told as without them, and a
//! trim that takes its neighbour along is told as such.

use super::*;

/// What a device that keeps its word does with trims in the mix: nothing is told of it.
#[test]
fn a_device_that_trims_in_any_way_that_is_allowed_raises_no_alarm() {
    for (seed, leaves) in (0..40).flat_map(|seed| LEAVES.map(|leaves| (seed, leaves))) {
        let mut rig = Rig::new(seed);
        rig.leaves = leaves;
        rig.fill();
        for _ in 0..4_000 {
            while rig.under_way.len() < 24 {
                let range = rig.draw.range();
                match rig.draw.below(4) {
                    0 => drop(rig.begin_write(range)),
                    1 => drop(rig.begin_trim(range)),
                    _ => rig.begin_read(range),
                }
            }
            rig.step();
        }
        rig.drain();
        rig.pass(5 * UNIT);
        assert_eq!(
            rig.findings.total(),
            0,
            "seed {seed}, {leaves:?}: {:?}",
            rig.findings.first
        );
        let found = &rig.findings;
        assert!(found.checked_bytes > 0 && found.waited > 0);
        assert!(found.trimmed_bytes > 0 && found.trimmed_zeros_bytes <= found.trimmed_bytes);
        let sectors_of_zeros = found.trimmed_zeros_bytes > 0;
        assert_eq!(sectors_of_zeros, leaves == Leaves::Zeros, "{leaves:?}");
    }
}

#[test]
fn what_a_load_without_trims_finds_is_found_beside_trims_too() {
    for (seed, leaves) in (0..12).flat_map(|seed| LEAVES.map(|leaves| (seed, leaves))) {
        for kind in [
            Kind::BitFlip,
            Kind::Torn,
            Kind::Lost,
            Kind::Stale,
            Kind::Misdirected,
            Kind::Foreign,
        ] {
            let mut rig = Rig::new(mix(seed, kind as u64));
            rig.leaves = leaves;
            rig.fill();
            for _ in 0..20 {
                let (trimmed, written) = (rig.draw.range(), rig.draw.range());
                rig.trim(trimmed);
                rig.write(written);
            }
            // What is written here last was trimmed before, or was not, and had been written again.
            let (offset, bytes) = plant(&mut rig, kind);
            rig.pass(UNIT * (1 + seed % 9));
            // An older block may not be there any more: then it is told by what is there.
            let place = format!("seed {seed}, {leaves:?}, {kind:?}: {:?}", rig.findings.first);
            let told = rig.findings.first.iter().map(|found| found.bytes).sum::<u64>();
            assert_eq!(told, bytes, "{place}");
            assert_eq!(rig.findings.first[0].offset_bytes, offset, "{place}");
            if !matches!(kind, Kind::Torn | Kind::Lost | Kind::Stale) {
                assert_eq!(rig.only(), (kind, offset, bytes, Some(true)), "{place}");
            }
        }
    }
}

fn written(rig: &mut Rig, units: Range<u64>) -> Range<u64> {
    let range = START + units.start * UNIT..START + units.end * UNIT;
    rig.write(range.clone());
    range
}

fn erase(rig: &mut Rig, range: Range<u64>, with: u8) {
    rig.device[range.start as usize..range.end as usize].fill(with);
}

#[test]
fn a_write_after_a_trim_has_to_be_there() {
    for (leaves, kind) in [
        (Leaves::Zeros, Kind::Zeros),
        (Leaves::Ones, Kind::Foreign),
        (Leaves::Kept, Kind::Lost),
    ] {
        let mut rig = Rig::new(1);
        rig.leaves = leaves;
        rig.fill();
        let range = START + 8 * UNIT..START + 10 * UNIT;
        rig.trim(range.clone());
        let before = rig.device.clone();
        rig.write(range.clone());
        rig.pass(BYTES);
        assert_eq!(rig.findings.total(), 0);
        assert_eq!(rig.findings.trimmed_bytes, 0);
        rig.write(range.clone());
        rig.device = before;
        rig.pass(BYTES);
        assert_eq!(
            rig.only(),
            (kind, range.start, 2 * UNIT, Some(true)),
            "{leaves:?}"
        );
    }
}

#[test]
fn half_of_a_write_that_is_trimmed_leaves_the_other_half_to_be_right() {
    let mut rig = Rig::new(1);
    rig.fill();
    let range = written(&mut rig, 4..8);
    rig.trim(range.start..range.start + 2 * UNIT);
    rig.pass(BYTES);
    assert_eq!(
        (rig.findings.total(), rig.findings.trimmed_zeros_bytes),
        (0, 2 * UNIT)
    );
    assert_eq!(rig.findings.checked_bytes, BYTES - 2 * UNIT);
    let (first, last) = (range.start as usize, range.end as usize - 1);
    rig.device[first] = 1;
    rig.device[last] ^= 1;
    rig.pass(BYTES);
    assert_eq!(
        rig.only(),
        (Kind::BitFlip, range.end - SECTOR, SECTOR, Some(true))
    );
}

#[test]
fn the_neighbours_of_a_trim_that_went_too_far_are_told_as_such() {
    for with in [0, 0xff] {
        for (units, upwards) in [(1, true), (3, true), (1, false), (3, false)] {
            for mixed in [false, true] {
                let mut rig = Rig::new(1);
                rig.fill();
                let trimmed = START + 20 * UNIT..START + 24 * UNIT;
                rig.trim(trimmed.clone());
                let lost = if upwards {
                    trimmed.end..trimmed.end + units * UNIT
                } else {
                    trimmed.start - units * UNIT..trimmed.start
                };
                erase(&mut rig, lost.clone(), with);
                if mixed {
                    // A load finds the farthest of them first.
                    let far = if upwards { lost.end - UNIT } else { lost.start };
                    rig.read(far..far + UNIT);
                    assert_eq!(rig.only(), (Kind::Overtrimmed, far, UNIT, Some(true)));
                }
                rig.pass(7 * UNIT);
                let told: u64 = rig.findings.first.iter().map(|found| found.bytes).sum();
                assert_eq!(told, units * UNIT, "{:?}", rig.findings.first);
                let kinds = rig
                    .findings
                    .first
                    .iter()
                    .all(|found| found.kind == Kind::Overtrimmed);
                assert!(kinds, "{:?}", rig.findings.first);
                assert!(rig.findings.first.iter().all(|found| !found.trimmed));
                rig.findings = Findings::default();
                rig.pass(BYTES);
                assert_eq!(rig.findings.total(), 0, "what is told is told once");
                // It is no better known than what was to be trimmed.
                assert_eq!(rig.findings.trimmed_bytes, (4 + units) * UNIT);
            }
        }
    }
}

#[test]
fn what_does_not_reach_to_the_trim_is_no_doing_of_it() {
    let trimmed = START + 20 * UNIT..START + 24 * UNIT;
    // What is wiped beside the trim, and what is read of the block behind that: from 0, its near end, to 8 sectors.
    for (near, far, kind) in [
        (0..8, 0..3, Kind::Overtrimmed),
        (0..8, 5..8, Kind::Zeros),
        (0..7, 0..3, Kind::Zeros),
        (0..0, 3..4, Kind::Zeros),
    ] {
        for upwards in [true, false] {
            let mut rig = Rig::new(1);
            rig.fill();
            rig.trim(trimmed.clone());
            let place = |unit: u64, sectors: &Range<u64>| {
                let (from, to) = (
                    unit * UNIT + sectors.start * SECTOR,
                    unit * UNIT + sectors.end * SECTOR,
                );
                if upwards {
                    trimmed.end + from..trimmed.end + to
                } else {
                    trimmed.start - to..trimmed.start - from
                }
            };
            let (beside, behind) = (place(0, &near), place(1, &far));
            erase(&mut rig, beside, 0);
            erase(&mut rig, behind.clone(), 0);
            let block = place(1, &(0..8));
            rig.read(block);
            let bytes = behind.end - behind.start;
            let place = format!("{near:?}, {far:?}, {upwards}");
            assert_eq!(rig.only(), (kind, behind.start, bytes, Some(true)), "{place}");
        }
    }
    // Within the block beside it: not from its end on.
    let mut rig = Rig::new(1);
    rig.fill();
    rig.trim(trimmed.clone());
    erase(&mut rig, trimmed.end + SECTOR..trimmed.end + 2 * SECTOR, 0);
    rig.pass(BYTES);
    assert_eq!(
        rig.only(),
        (Kind::Zeros, trimmed.end + SECTOR, SECTOR, Some(true))
    );
}

#[test]
fn a_neighbour_is_told_though_what_was_trimmed_is_written_again() {
    let mut rig = Rig::new(1);
    rig.fill();
    let trimmed = START + 20 * UNIT..START + 24 * UNIT;
    rig.trim(trimmed.clone());
    erase(&mut rig, trimmed.end..trimmed.end + UNIT, 0);
    rig.write(trimmed.clone());
    rig.pass(BYTES);
    assert_eq!(rig.only(), (Kind::Overtrimmed, trimmed.end, UNIT, Some(true)));
}

#[test]
fn zeros_that_no_trim_left_are_zeros() {
    let mut rig = Rig::new(1);
    rig.fill();
    let trimmed = START + 20 * UNIT..START + 24 * UNIT;
    rig.trim(trimmed.clone());
    // Written since, and not beside it: the trim did not do that, or nobody could say so.
    rig.write(trimmed.end..trimmed.end + UNIT);
    for at in [trimmed.end, trimmed.end + 2 * UNIT] {
        erase(&mut rig, at..at + UNIT, 0);
        rig.read(at..at + UNIT);
        assert_eq!(rig.only(), (Kind::Zeros, at, UNIT, Some(true)));
        rig.findings = Findings::default();
    }
    // Nor can the trim reach through what it trimmed to what was written since.
    erase(&mut rig, trimmed.start - UNIT..trimmed.start, 0);
    rig.write(trimmed.end..trimmed.end + UNIT);
    erase(&mut rig, trimmed.end..trimmed.end + UNIT, 0);
    rig.read(trimmed.end..trimmed.end + UNIT);
    assert_eq!(rig.only(), (Kind::Zeros, trimmed.end, UNIT, Some(true)));
    rig.findings = Findings::default();
    rig.write(trimmed.start - UNIT..trimmed.start);
    // One of its neighbour's sectors is there: it is no trim that took one block and left another.
    let before = trimmed.start - UNIT;
    erase(&mut rig, before - UNIT..before, 0);
    rig.read(before - UNIT..before);
    assert_eq!(rig.only(), (Kind::Zeros, before - UNIT, UNIT, Some(true)));
}

#[test]
fn a_trim_under_way_beside_a_write_is_a_neighbour_too() {
    let mut rig = Rig::new(1);
    rig.fill();
    let trimmed = START + 20 * UNIT..START + 24 * UNIT;
    let beside = trimmed.end..trimmed.end + UNIT;
    assert!(rig.begin_trim(trimmed));
    let generation = rig
        .begin_write(beside.clone())
        .expect("it is no part of the trim");
    rig.drain();
    assert!(rig.ledger.generation_at(1, beside.start) == generation);
    erase(&mut rig, beside.clone(), 0);
    rig.pass(BYTES);
    assert_eq!(rig.only(), (Kind::Overtrimmed, beside.start, UNIT, Some(true)));
}

#[test]
fn a_trim_that_ends_beside_a_write_under_way_is_a_neighbour_too() {
    let mut rig = Rig::new(1);
    rig.fill();
    let trimmed = START + 20 * UNIT..START + 24 * UNIT;
    let beside = trimmed.end..trimmed.end + UNIT;
    rig.begin_write(beside.clone());
    assert!(rig.ledger.claim_to_trim(1, trimmed.start, 4 * UNIT));
    rig.ledger.trimmed(1, trimmed.start, 4 * UNIT);
    rig.drain();
    erase(&mut rig, beside.clone(), 0);
    rig.pass(BYTES);
    assert_eq!(rig.only(), (Kind::Overtrimmed, beside.start, UNIT, Some(true)));
}

#[test]
fn what_a_trim_that_is_still_under_way_took_along_is_told_already() {
    let mut rig = Rig::new(1);
    rig.fill();
    let trimmed = START + 20 * UNIT..START + 24 * UNIT;
    let beside = trimmed.end..trimmed.end + UNIT;
    assert!(rig.begin_trim(trimmed));
    erase(&mut rig, beside.clone(), 0);
    let mut known = Vec::new();
    rig.ledger.take_down(1, beside.start, UNIT, &mut known);
    rig.check(beside.start, &[0; UNIT as usize], &known);
    assert_eq!(rig.only(), (Kind::Overtrimmed, beside.start, UNIT, Some(true)));
}

#[test]
fn no_write_goes_to_what_is_being_trimmed_and_no_trim_to_what_is_being_written() {
    let mut rig = Rig::new(1);
    let range = START + 4 * UNIT..START + 8 * UNIT;
    assert!(rig.begin_trim(range.clone()));
    assert!(rig.begin_write(range.end - UNIT..range.end + 7 * UNIT).is_none());
    assert!(!rig.begin_trim(START..range.start + UNIT));
    assert!(rig.begin_write(range.end..range.end + UNIT).is_some());
    assert!(!rig.begin_trim(range.end..range.end + UNIT));
    rig.drain();
    assert!(rig.begin_write(range.clone()).is_some());
    rig.drain();
    assert_eq!(rig.findings.waited, 3);
}

#[test]
fn what_is_neither_zeros_nor_ones_beside_a_trim_is_foreign() {
    let mut rig = Rig::new(1);
    rig.fill();
    rig.trim(START + 20 * UNIT..START + 24 * UNIT);
    let beside = START + 24 * UNIT..START + 25 * UNIT;
    erase(&mut rig, beside.clone(), 0x5a);
    rig.pass(BYTES);
    assert_eq!(rig.only(), (Kind::Foreign, beside.start, UNIT, Some(true)));
}

#[test]
fn another_places_data_is_told_while_a_trim_is_under_way() {
    let mut rig = Rig::new(1);
    rig.fill();
    let range = START + 4 * UNIT..START + 5 * UNIT;
    assert!(rig.begin_trim(range.clone()));
    let mut known = Vec::new();
    rig.ledger.take_down(1, range.start, UNIT, &mut known);
    let mut strange = vec![7; UNIT as usize];
    rig.ledger
        .stamp(1, START + 40 * UNIT, 3)
        .put(&mut strange[..SECTOR as usize]);
    rig.check(range.start, &strange, &known);
    assert_eq!(rig.only(), (Kind::Misdirected, range.start, SECTOR, None));
}

#[test]
fn what_is_found_is_added_up() {
    let one = Findings {
        checked_bytes: 1,
        trimmed_bytes: 10,
        trimmed_zeros_bytes: 3,
        ..Findings::default()
    };
    let mut both = one.clone();
    both.merge(one);
    let bytes = [both.checked_bytes, both.trimmed_bytes, both.trimmed_zeros_bytes];
    assert_eq!(bytes, [2, 20, 6]);
}

#[test]
fn another_places_data_is_told_of_trimmed_blocks_too() {
    let mut rig = Rig::new(1);
    rig.fill();
    let elsewhere = written(&mut rig, 40..41);
    let block = rig.device[elsewhere.start as usize..elsewhere.end as usize].to_vec();
    let (there, range) = (START + 9 * UNIT, START + 8 * UNIT..START + 12 * UNIT);
    rig.trim(range);
    rig.device[there as usize..(there + UNIT) as usize].copy_from_slice(&block);
    rig.read(there - UNIT..there + 2 * UNIT);
    assert_eq!(rig.only(), (Kind::Misdirected, there, UNIT, Some(true)));
    let found = &rig.findings.first[0];
    assert!(found.trimmed);
    assert_eq!(found.found.expect("a stamp").offset_bytes, elsewhere.start);
    assert_eq!(found.expected_generation, rig.ledger.last_generation());
    rig.pass(BYTES);
    assert_eq!(rig.findings.total(), 1, "what is told is told once");
}

#[test]
fn what_another_run_wrote_elsewhere_is_told_only_where_this_run_had_written() {
    let earlier = Ledger::new(5, (UNIT, UNIT), &[("x".to_owned(), 0, START + BYTES)]);
    for (filled, moved, told) in [(true, 7, 1), (false, 7, 0), (true, 0, 0)] {
        let mut rig = Rig::new(1);
        if filled {
            rig.fill();
        }
        rig.trim(START..START + UNIT);
        let unit = &mut rig.device[START as usize..(START + UNIT) as usize];
        earlier.stamp(0, START + moved * UNIT, 3).put_all(unit);
        rig.read(START..START + UNIT);
        assert_eq!(rig.findings.total(), told, "{filled}, {moved}");
        assert_eq!(rig.findings.trimmed_bytes, UNIT);
        if told > 0 {
            assert_eq!(rig.only(), (Kind::Foreign, START, UNIT, Some(true)));
        }
    }
}

#[test]
fn of_what_may_have_been_trimmed_nothing_is_expected_until_it_is_written() {
    let mut rig = Rig::new(1);
    rig.fill();
    let range = START + 4 * UNIT..START + 8 * UNIT;
    rig.ledger.may_be_trimmed(1, range.start, 4 * UNIT);
    assert!(rig.ledger.is_trimmed(1, range.start) && !rig.ledger.is_trimmed(1, range.end));
    rig.pass(BYTES);
    assert_eq!(
        (rig.findings.trimmed_bytes, rig.findings.trimmed_zeros_bytes),
        (4 * UNIT, 0)
    );
    erase(&mut rig, range.clone(), 0);
    rig.pass(BYTES);
    assert_eq!(rig.findings.total(), 0);
    rig.write(range.clone());
    erase(&mut rig, range.start..range.start + UNIT, 0);
    rig.pass(BYTES);
    assert_eq!(rig.only(), (Kind::Zeros, range.start, UNIT, Some(true)));
}

#[test]
fn of_a_write_that_may_be_trimmed_in_part_the_rest_has_to_be_there() {
    for strange in [false, true] {
        let mut rig = Rig::new(1);
        rig.fill();
        let old = rig.device.clone();
        let range = START + 4 * UNIT..START + 8 * UNIT;
        rig.write(range.clone());
        rig.ledger.may_be_trimmed(1, range.start + 2 * UNIT, 2 * UNIT);
        if strange {
            let there = range.start as usize..range.end as usize;
            let stamp = rig.ledger.stamp(1, START + 40 * UNIT, 3);
            stamp.put_all(&mut rig.device[there]);
        } else {
            rig.device = old;
        }
        rig.pass(BYTES);
        let found = rig.findings.first.iter();
        let found: Vec<_> = found
            .map(|found| (found.kind, found.offset_bytes, found.bytes, found.trimmed))
            .collect();
        let half = range.start + 2 * UNIT;
        if strange {
            let told = [(range.start, false), (half, true)];
            assert_eq!(
                found,
                told.map(|(at, trimmed)| (Kind::Misdirected, at, 2 * UNIT, trimmed))
            );
        } else {
            assert_eq!(found, [(Kind::Lost, range.start, 2 * UNIT, false)]);
        }
    }
}

#[test]
fn beside_what_may_be_trimmed_a_trim_may_have_gone_too_far() {
    let mut rig = Rig::new(1);
    rig.fill();
    rig.ledger.may_be_trimmed(1, START + 4 * UNIT, 4 * UNIT);
    for at in [START + 3 * UNIT, START + 8 * UNIT] {
        erase(&mut rig, at..at + UNIT, 0);
        rig.read(at..at + UNIT);
        assert_eq!(rig.only(), (Kind::Overtrimmed, at, UNIT, Some(true)));
        rig.findings = Findings::default();
    }
}

#[test]
fn a_write_under_way_is_not_taken_for_older_where_generations_came_round() {
    let mut rig = Rig::new(1);
    let generation = rig.write(START..START + UNIT);
    // The number after the next, which has some, has the low bits of the first write.
    rig.ledger.skip_generations((1 << 28) - 3);
    let newer = rig
        .begin_write(START..START + UNIT)
        .expect("nothing is under way");
    assert_eq!((generation, newer), (1, (1 << 28) - 1));
    rig.begin_write(START + 4 * UNIT..START + 5 * UNIT);
    while rig.under_way[0].left.len() > 1 {
        rig.step();
    }
    rig.begin_read(START..START + UNIT);
    rig.drain();
    assert_eq!(rig.findings.total(), 0, "{:?}", rig.findings.first);
    assert!(rig.findings.not_judged_bytes > 0);
}
