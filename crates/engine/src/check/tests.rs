use super::*;

const UNIT: u32 = 4096;

fn access(trim: bool, offset: u64, units: u32) -> Access {
    Access {
        write: !trim,
        trim,
        offset,
        bytes: units * UNIT,
    }
}

fn ledger() -> Arc<Ledger> {
    let ledger = Ledger::new(
        7,
        (u64::from(UNIT), u64::from(4 * UNIT)),
        &[("a".to_owned(), 0, 64 << 10)],
    );
    ledger.filled(0, ledger.next_generation());
    Arc::new(ledger)
}

#[test]
fn two_that_change_the_same_place_are_never_under_way_at_once() {
    for (first, then) in [(false, false), (false, true), (true, false), (true, true)] {
        let ledger = ledger();
        let mut check = Checker::new(Arc::clone(&ledger), vec![0], &[], 3);
        assert!(check.admits(0, 0, access(first, 8192, 2)));
        // Its last unit is another's first.
        assert!(!check.admits(0, 1, access(then, 12288, 2)), "{first} {then}");
        assert!(check.holds_up(1) && check.waits() && !check.holds_up(0));
        assert!(check.admits(0, 2, access(then, 0, 2)), "beside it there is room");
        // It is asked again, and counted once.
        let again = check.take_waiting();
        assert_eq!(again.len(), 1);
        assert!(!check.admits(0, 1, again[0].access));
        assert_eq!(check.findings.waited, 1);
        if first {
            check.trimmed(0, (8192, 2 * UNIT));
        } else {
            check.written(0, 0, (8192, 2 * UNIT), true);
        }
        let again = check.take_waiting();
        assert!(check.admits(0, again[0].slot, again[0].access), "{first} {then}");
        assert!(!check.holds_up(1) && !check.waits());
    }
}

#[test]
fn a_trim_is_told_before_it_goes_out_and_when_it_has_ended() {
    let ledger = ledger();
    let mut check = Checker::new(Arc::clone(&ledger), vec![0], &[], 2);
    let trimmed = || [0, 4096, 8192, 12288].map(|offset| ledger.is_trimmed(0, offset));
    assert!(check.admits(0, 0, access(true, 4096, 2)));
    assert_eq!(trimmed(), [false, true, true, false]);
    check.trimmed(0, (4096, 2 * UNIT));
    assert_eq!(trimmed(), [false, true, true, false]);
    // What is written there next is known again.
    assert!(check.admits(0, 1, access(false, 4096, 1)));
    check.written(0, 1, (4096, UNIT), true);
    assert_eq!(trimmed(), [false, false, true, false]);
}
