//! Who has a unit while it is written or trimmed, and what the ledger knows of it afterwards, whatever
//! came in between.

use super::*;

/// What some other run wrote for another place.
fn strange(rig: &mut Rig, unit: u64) {
    let earlier = Ledger::new(5, (UNIT, UNIT), &[("x".to_owned(), 0, START + BYTES)]);
    let there = (START + unit * UNIT) as usize;
    let stamp = earlier.stamp(0, START + (unit + 7) * UNIT, 3);
    stamp.put_all(&mut rig.device[there..there + UNIT as usize]);
}

fn unit(number: u64) -> Range<u64> {
    units(number..number + 1)
}

fn units(numbers: Range<u64>) -> Range<u64> {
    START + numbers.start * UNIT..START + numbers.end * UNIT
}

impl Rig {
    fn bytes(&self, range: Range<u64>) -> Vec<u8> {
        self.device[range.start as usize..range.end as usize].to_vec()
    }

    fn put(&mut self, range: Range<u64>, bytes: &[u8]) {
        self.device[range.start as usize..range.end as usize].copy_from_slice(bytes);
    }

    /// What is known of a unit now, for a read that ends later.
    fn known(&self, number: u64) -> Vec<Known> {
        let mut known = Vec::new();
        self.ledger.take_down(1, unit(number).start, UNIT, &mut known);
        known
    }
}

#[test]
fn who_is_turned_away_leaves_nothing_taken() {
    let ledger = Rig::new(1).ledger;
    assert!(ledger.claim(1, START + 2 * UNIT, UNIT));
    assert!(!ledger.claim(1, START, 4 * UNIT));
    assert!(!ledger.claim_to_trim(1, START, 4 * UNIT));
    assert!(ledger.claim(1, START, 2 * UNIT) && ledger.claim(1, START + 3 * UNIT, UNIT));
    assert!(!ledger.is_trimmed(1, START));
}

#[test]
fn a_unit_is_free_again_after_a_write_a_trim_and_what_failed_of_them() {
    let ledger = Rig::new(1).ledger;
    for _ in 0..2 {
        assert!(ledger.claim(1, START, UNIT));
        ledger.written(1, START, UNIT, ledger.next_generation());
        assert!(ledger.claim_to_trim(1, START, UNIT));
        ledger.trimmed(1, START, UNIT);
        assert!(ledger.claim(1, START, UNIT));
        ledger.failed(1, START, UNIT);
    }
}

#[test]
fn a_unit_that_is_being_written_is_not_taken_for_trimmed() {
    let mut rig = Rig::new(1);
    rig.fill();
    rig.begin_write(unit(2)).expect("nothing is under way");
    rig.ledger.may_be_trimmed(1, START, 4 * UNIT);
    assert!(!rig.ledger.claim(1, unit(2).start, UNIT), "its write has it");
    rig.drain();
    let trimmed = [1, 2, 3].map(|number| rig.ledger.is_trimmed(1, unit(number).start));
    assert_eq!(trimmed, [true, false, true]);
}

#[test]
fn what_was_written_beside_a_trim_under_way_may_be_taken_along_by_it() {
    let mut rig = Rig::new(1);
    rig.fill();
    assert!(rig.ledger.claim_to_trim(1, unit(8).start, 4 * UNIT));
    rig.write(unit(12));
    rig.ledger.trimmed(1, unit(8).start, 4 * UNIT);
    rig.put(unit(12), &[0; UNIT as usize]);
    rig.read(unit(12));
    assert_eq!(rig.only(), (Kind::Overtrimmed, unit(12).start, UNIT, Some(true)));
}

#[test]
fn of_what_this_run_never_wrote_nothing_is_told_however_often_it_is_trimmed() {
    let mut rig = Rig::new(1);
    rig.trim(unit(0));
    rig.trim(unit(1));
    rig.trim(unit(1));
    strange(&mut rig, 1);
    rig.read(unit(1));
    assert_eq!(rig.findings.total(), 0);
}

#[test]
fn what_this_run_wrote_is_known_through_any_number_of_trims() {
    let mut rig = Rig::new(1);
    rig.fill();
    rig.trim(unit(1));
    rig.trim(unit(1));
    strange(&mut rig, 1);
    rig.read(unit(1));
    assert_eq!(rig.only(), (Kind::Foreign, unit(1).start, UNIT, Some(true)));
}

#[test]
fn a_ledger_that_goes_on_from_another_knows_of_its_trims() {
    let mut rig = Rig::new(1);
    rig.fill();
    rig.trim(units(8..12));
    let later = Rig::new(1).ledger;
    later.skip_generations(rig.ledger.last_generation());
    later.set_words(1, &rig.ledger.words(1));
    rig.ledger = later;
    rig.put(unit(12), &[0; UNIT as usize]);
    rig.pass(BYTES);
    assert_eq!(rig.only(), (Kind::Overtrimmed, unit(12).start, UNIT, Some(true)));
}

#[test]
fn a_read_from_before_a_write_has_not_seen_what_it_wrote() {
    let mut rig = Rig::new(1);
    rig.fill();
    let (known, old) = (rig.known(0), rig.bytes(unit(0)));
    rig.write(unit(0));
    rig.check(START, &old, &known);
    rig.put(unit(0), &old);
    rig.pass(BYTES);
    assert_eq!(rig.only(), (Kind::Lost, START, UNIT, Some(true)));
}

#[test]
fn what_another_read_saw_meanwhile_was_not_lost() {
    let mut rig = Rig::new(1);
    rig.fill();
    let old = rig.bytes(unit(0));
    rig.write(unit(0));
    let known = rig.known(0);
    rig.read(unit(0));
    rig.put(unit(0), &old);
    rig.check(START, &old, &known);
    assert_eq!(rig.only(), (Kind::Stale, START, UNIT, Some(true)));
}

#[test]
fn that_a_later_write_was_seen_says_nothing_of_the_one_before() {
    let mut rig = Rig::new(1);
    rig.fill();
    let oldest = rig.bytes(unit(0));
    rig.write(unit(0));
    let known = rig.known(0);
    rig.write(unit(0));
    rig.read(unit(0));
    rig.check(START, &oldest, &known);
    assert_eq!(rig.only(), (Kind::Lost, START, UNIT, None));
}

#[test]
fn what_one_read_has_told_another_does_not_tell_again() {
    let mut rig = Rig::new(1);
    rig.fill();
    let old = rig.bytes(unit(0));
    rig.write(unit(0));
    rig.put(unit(0), &old);
    let (one, other) = (rig.known(0), rig.known(0));
    rig.check(START, &old, &one);
    rig.check(START, &old, &other);
    assert_eq!(rig.findings.total(), 1);
}

#[test]
fn the_neighbours_of_what_was_read_again_can_be_written() {
    let mut rig = Rig::new(1);
    rig.fill();
    let old = rig.bytes(unit(4));
    rig.write(unit(4));
    rig.put(unit(4), &old);
    rig.pass(BYTES);
    assert_eq!(rig.findings.counts[&Kind::Lost], 1);
    assert!(rig.begin_write(units(3..6)).is_some());
}

#[test]
fn of_a_fill_no_more_is_read_again_than_around_the_longest_write() {
    let mut rig = Rig::new(1);
    rig.fill();
    let old = rig.bytes(unit(30));
    let generation = rig.ledger.next_generation();
    let all = rig.block(&units(0..UNITS), generation);
    rig.put(units(0..UNITS), &all);
    rig.ledger.filled(1, generation);
    rig.put(unit(30), &old);
    let (known, mut ranges) = (rig.known(30), Vec::new());
    let mut again = |range: Range<u64>| {
        ranges.push(range.clone());
        Some(rig.device[range.start as usize..range.end as usize].to_vec())
    };
    let (place, findings) = ((1, unit(30).start), &mut rig.findings);
    judge(&rig.ledger, place, &old, &known, findings, &mut again);
    // The longest write is of 8 units: it reaches so far to either side at the most.
    assert_eq!(ranges, [units(30 - 8..31 + 8)]);
    assert_eq!(rig.only(), (Kind::Torn, unit(30).start, UNIT, Some(true)));
}

#[test]
fn what_was_written_since_is_what_came_after_and_no_longer_than_asked() {
    let mut rig = Rig::new(1);
    rig.fill();
    let since = rig.ledger.last_generation();
    assert_eq!(rig.ledger.known_bytes(1, since), 0);
    assert_eq!(rig.ledger.next_range(1, 0, BYTES, since), None);
    rig.write(units(5..8));
    assert_eq!(rig.ledger.known_bytes(1, since), 3 * UNIT);
    assert_eq!(rig.ledger.next_range(1, 0, BYTES, since), Some(units(5..8)));
    assert_eq!(rig.ledger.next_range(1, 0, 2 * UNIT, since), Some(units(5..7)));
}

#[test]
fn neighbours_that_come_from_different_places_are_two_findings() {
    for (apart, findings) in [(0, 1), (3 * SECTOR, 2)] {
        let mut rig = Rig::new(1);
        rig.fill();
        for (number, moved) in [(0, 0), (1, apart)] {
            let from = unit(40).start + number * SECTOR + moved;
            let stamp = rig.ledger.stamp(1, from, 3);
            stamp.put(&mut rig.device[place(START + number * SECTOR)]);
        }
        rig.read(unit(0));
        assert_eq!(rig.findings.counts[&Kind::Misdirected], findings, "{apart}");
    }
}

#[test]
fn zeros_are_a_trims_doing_as_far_as_a_megabyte_from_it() {
    let many = 600;
    let ledger = Ledger::new(77, (UNIT, UNIT), &[("a".to_owned(), 0, many * UNIT)]);
    ledger.filled(0, ledger.next_generation());
    assert!(ledger.claim_to_trim(0, (many - 1) * UNIT, UNIT));
    ledger.trimmed(0, (many - 1) * UNIT, UNIT);
    for (number, kind) in [(400, Kind::Overtrimmed), (10, Kind::Zeros)] {
        let (mut known, mut findings) = (Vec::new(), Findings::default());
        ledger.take_down(0, number * UNIT, UNIT, &mut known);
        let mut again = |range: Range<u64>| Some(vec![0; (range.end - range.start) as usize]);
        let zeros = [0; UNIT as usize];
        judge(
            &ledger,
            (0, number * UNIT),
            &zeros,
            &known,
            &mut findings,
            &mut again,
        );
        assert_eq!(findings.first[0].kind, kind, "unit {number}");
    }
}

#[test]
fn findings_of_all_workers_are_added_up_and_the_first_hundred_kept() {
    let mut found = Rig::new(1);
    found.fill();
    found.device[START as usize] ^= 1;
    found.read(unit(0));
    let one = Findings {
        checked_bytes: 1,
        not_judged_bytes: 2,
        trimmed_bytes: 3,
        trimmed_zeros_bytes: 4,
        waited: 5,
        ..found.findings.clone()
    };
    let mut all = Findings::default();
    (0..150).for_each(|_| all.merge(one.clone()));
    let bytes = [all.checked_bytes, all.not_judged_bytes, all.trimmed_bytes];
    assert_eq!(bytes, [150, 300, 450]);
    assert_eq!((all.trimmed_zeros_bytes, all.waited), (600, 750));
    assert_eq!((all.counts[&Kind::BitFlip], all.first.len()), (150, 100));
    (0..50).for_each(|_| all.add(one.first[0].clone()));
    assert_eq!((all.total(), all.first.len()), (200, 100));
}
