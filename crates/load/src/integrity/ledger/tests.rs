use super::*;

#[test]
fn what_is_being_written_is_not_forgotten() {
    let ledger = Ledger::new(1, (512, 512), &[("a".to_owned(), 0, 1024)]);
    ledger.filled(0, ledger.next_generation());
    assert!(ledger.claim(0, 0, 512));
    ledger.forget(0..1024, 0);
    assert!(!ledger.claim(0, 0, 512), "its write still has it");
    assert_eq!(ledger.known(0, 512).generation(), 0);
}

#[test]
fn what_was_found_wrong_is_told_until_it_is_written_or_trimmed() {
    let unit = 512;
    let ledger = Ledger::new(1, (unit, unit), &[("a".to_owned(), 4096, 10 * unit)]);
    let at = |number: u64| 4096 + number * unit;
    assert_eq!(ledger.found_wrong(0), (0, 0), "nothing is known");
    ledger.filled(0, ledger.next_generation());
    ledger.see(0, at(0), ledger.known(0, at(0)));
    assert_eq!(ledger.found_wrong(0), (0, 0), "seen and right");
    ledger.forget(at(1)..at(4), 0);
    ledger.forget(at(6)..at(7), 0);
    assert_eq!(ledger.found_wrong(0), (2, 4 * unit));
    let kept = Ledger::new(1, (unit, unit), &[("a".to_owned(), 4096, 10 * unit)]);
    kept.set_words(0, &ledger.words(0));
    assert_eq!(kept.found_wrong(0), (2, 4 * unit), "and kept");
    // The middle of the first place is written again: what is beside it is two places.
    assert!(ledger.claim(0, at(2), unit));
    ledger.written(0, at(2), unit, ledger.next_generation());
    assert_eq!(ledger.found_wrong(0), (3, 3 * unit));
    assert!(ledger.claim_to_trim(0, at(6), unit));
    ledger.trimmed(0, at(6), unit);
    assert_eq!(ledger.found_wrong(0), (2, 2 * unit));
    // What a trim took along beside it was found wrong too.
    ledger.overtrimmed(0, at(7), 2 * unit);
    assert_eq!(ledger.found_wrong(0), (3, 4 * unit));
    assert!(ledger.is_trimmed(0, at(7)) && ledger.known_bytes(0, 0) == 8 * unit);
    assert!(ledger.claim(0, at(7), unit));
    ledger.written(0, at(7), unit, ledger.next_generation());
    assert_eq!(ledger.found_wrong(0), (3, 3 * unit));
}
