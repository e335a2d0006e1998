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
