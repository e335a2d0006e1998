//! What accesses to arrays cost in operations and bytes, counted byte by byte.

use std::collections::BTreeSet;

use iodyno_sim::raid::{Layout, Work};
use iodyno_sim::system::{Array, Level, MirrorRead};

pub(crate) const STRIP: u64 = 16;
const ROWS: u64 = 24;

pub(crate) fn layout(level: Level, members: usize, failed: &[usize]) -> Layout {
    let array = Array {
        level,
        drives: (0..members).collect(),
        groups: 1,
        strip_bytes: STRIP,
        mirror_read: MirrorRead::Primary,
        failed: failed.to_vec(),
        rebuild_bytes_s: 0,
    };
    Layout::new(&array, STRIP * ROWS).expect("an array")
}

pub(crate) fn map(layout: &Layout, write: bool, offset: u64, bytes: u64) -> Work {
    let mut work = Work::default();
    layout.map(write, offset, bytes as u32, |_| 0, &mut work);
    work
}

/// Strips that follow each other on a member are one operation of it: a drive is not asked twice for what lies together.
#[test]
fn a_member_has_one_operation_for_what_lies_together() {
    let layout = layout(Level::Raid0, 5, &[]);
    for offset in 0..2 * STRIP {
        for bytes in 1..=12 * STRIP {
            let strips = (offset + bytes - 1) / STRIP - offset / STRIP + 1;
            let work = map(&layout, false, offset, bytes);
            assert_eq!(work.ops() as u64, strips.min(5), "{bytes} at {offset}");
        }
    }
}

/// A byte of parity belongs to the bytes at its place of all strips of the row: those at which any changes are new.
#[test]
fn parity_is_new_where_a_strip_of_its_row_changes() {
    for (level, members, parities) in [(Level::Raid5, 6, 1), (Level::Raid6, 7, 2)] {
        let (layout, data) = (layout(level, members, &[]), 5);
        for offset in 0..data * STRIP {
            for bytes in 1..=data * STRIP - offset {
                let changed: BTreeSet<u64> = (offset..offset + bytes).map(|at| at % STRIP).collect();
                let work = map(&layout, true, offset, bytes);
                let written = work.now.iter().chain(&work.then).filter(|op| op.write);
                let written: u64 = written.map(|op| u64::from(op.bytes)).sum();
                let new = parities * changed.len() as u64;
                assert_eq!(work.parity_bytes, new, "{level:?}: {bytes} at {offset}");
                assert_eq!(written, bytes + new, "{level:?}: {bytes} at {offset}");
            }
        }
    }
}

/// Blocks of one stripe that are written together: each is read and written, and each parity once from the first change to
/// the last.
#[test]
fn blocks_of_a_stripe_that_go_together_update_its_parity_once() {
    for (level, members, parities) in [(Level::Raid5, 6, 1), (Level::Raid6, 7, 2)] {
        let (layout, mut work) = (layout(level, members, &[]), Work::default());
        let parts = [(2, 4), (STRIP + 3, 4), (4 * STRIP + 8, 2)];
        layout.update(&parts, &mut work);
        for ops in [&work.now, &work.then] {
            assert_eq!(ops.len() as u64, 3 + parities, "{level:?}");
            let bytes: u64 = ops.iter().map(|op| u64::from(op.bytes)).sum();
            assert_eq!(bytes, 10 + parities * 8, "{level:?}");
        }
        assert!(work.now.iter().all(|op| !op.write) && work.then.iter().all(|op| op.write));
        assert_eq!(work.parity_bytes, parities * 8);
    }
}
