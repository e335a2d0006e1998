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

/// Two pieces of parity, at the end of its strip and at its beginning, where an access has the end of a strip and less of the beginning
/// of the next: RAID 6 of five reads the other bytes of the three strips at these places, four pieces, and not six: the old ones of
/// both strips and of both parities.
#[test]
fn what_takes_fewer_reads_is_read_for_two_pieces_of_parity() {
    let work = map(&layout(Level::Raid6, 5, &[]), true, STRIP - 2, 4);
    assert_eq!(work.now.len(), 4);
    let read: u64 = work.now.iter().map(|op| u64::from(op.bytes)).sum();
    assert_eq!((read, work.parity_bytes), (8, 8));
    // RAID 5 of five: the old ones of two strips and the parity, of it two pieces, and not six of the rest.
    let work = map(&layout(Level::Raid5, 5, &[]), true, STRIP - 2, 4);
    assert_eq!(work.now.len(), 4);
}

/// Each of the lost members is computed, from as many others as a row has data.
#[test]
fn a_step_of_a_rebuild_computes_all_that_is_lost() {
    for (level, failed) in [
        (Level::Raid5, &[3][..]),
        (Level::Raid6, &[3]),
        (Level::Raid6, &[0, 4]),
    ] {
        let (layout, mut work) = (layout(level, 6, failed), Work::default());
        let data = layout.stripe_bytes().expect("parity") / STRIP;
        layout.rebuild(2 * STRIP, 10, &mut work);
        let lost = failed.len();
        assert_eq!(
            (work.now.len() as u64, work.then.len()),
            (data, lost),
            "{level:?}"
        );
        assert_eq!(work.lost_bytes, 10 * lost as u64, "{level:?}");
        assert_eq!(work.telling_bytes, 10 * data, "{level:?}");
    }
}

/// One strip is lost, and the three others of its row are written: what stays of it is told by these and one of the parities, and
/// not by both; two are read where fewer are written, and it is not told.
#[test]
fn what_stays_of_one_lost_strip_is_told_by_one_parity() {
    let whole = layout(Level::Raid6, 6, &[]);
    let member = map(&whole, false, 3 * STRIP, 1).now[0].member;
    let hurt = layout(Level::Raid6, 6, &[member.into()]);
    for (strips, reads, lost) in [(3, 4, STRIP), (2, 4, 0), (1, 3, 0)] {
        let work = map(&hurt, true, 0, strips * STRIP);
        assert_eq!(
            (work.now.len(), work.lost_bytes),
            (reads, lost),
            "{strips} strips"
        );
    }
}

/// Whatever of an array is accessed, or read of one with a failed member, no member has two operations of one kind that lie side by
/// side.
#[test]
fn nothing_that_lies_together_is_asked_for_twice() {
    for (level, members, failed) in [
        (Level::Raid1E, 5, &[][..]),
        (Level::Raid10, 6, &[]),
        (Level::Raid5, 4, &[]),
        (Level::Raid6, 5, &[]),
        (Level::Raid5, 4, &[1]),
        (Level::Raid6, 6, &[2]),
    ] {
        let layout = layout(level, members, failed);
        for offset in 0..2 * STRIP {
            for bytes in (1..=12 * STRIP).step_by(5) {
                for write in [false, true]
                    .into_iter()
                    .take(if failed.is_empty() { 2 } else { 1 })
                {
                    let work = map(&layout, write, offset, bytes);
                    for ops in [&work.now, &work.then] {
                        let ends: BTreeSet<_> = ops
                            .iter()
                            .map(|op| (op.member, op.write, op.offset + u64::from(op.bytes)))
                            .collect();
                        let begins = |op: &&iodyno_sim::raid::MemberOp| {
                            ends.contains(&(op.member, op.write, op.offset))
                        };
                        let twice = ops.iter().find(begins);
                        assert_eq!(twice, None, "{level:?} {failed:?}: {bytes} at {offset}");
                    }
                }
            }
        }
    }
}
