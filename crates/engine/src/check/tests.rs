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
        assert!(check.holds_up(1) && !check.holds_up(0));
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
        assert!(!check.holds_up(1) && check.again_in(|| 0).is_none());
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

#[test]
fn what_waits_long_is_tried_again_less_often() {
    let ms = |ms: u64| ms * 1_000_000;
    let mut check = Checker::new(ledger(), vec![0], &[], 4);
    assert!(check.admits(0, 0, access(false, 0, 1)));
    assert!(!check.admits(0, 1, access(false, 0, 1)));
    let mut again = |now, also: Option<usize>| {
        for held in check.take_waiting() {
            assert!(!check.admits(0, held.slot, held.access));
        }
        assert!(also.is_none_or(|slot| !check.admits(0, slot, access(false, 0, 1))));
        check.again_in(|| now).expect("it waits")
    };
    assert_eq!(again(ms(10), None), 100_000);
    assert_eq!(again(ms(10) + 300_000, None), 300_000);
    assert_eq!(again(ms(12), None), ms(2));
    assert_eq!(again(ms(100), None), ms(5));
    // One that has come since is not kept waiting by the others.
    assert_eq!(again(ms(100), Some(2)), 100_000);
    assert_eq!(again(ms(101), None), ms(1));
}
