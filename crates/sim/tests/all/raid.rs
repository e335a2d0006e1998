//! The mapping of arrays, against what the levels are defined by.

mod degraded;
mod mirrors;

use std::collections::{BTreeMap, BTreeSet};

use iodyno_load::pattern::mix;
use iodyno_sim::raid::{Layout, MemberOp, Work};
use iodyno_sim::system::{Array, Level, MirrorRead};

const SEED: u64 = 20_160_829;
const STRIP: u64 = 16;
const ROWS: u64 = 24;
const SPREAD: MirrorRead = MirrorRead::Spread { from_outstanding: 0 };

fn array(level: Level, members: usize, groups: usize) -> Array {
    Array {
        level,
        drives: (0..members).collect(),
        groups,
        strip_bytes: STRIP,
        mirror_read: MirrorRead::Primary,
        failed: Vec::new(),
        rebuild_bytes_s: 0,
    }
}

fn degraded(level: Level, members: usize, groups: usize, failed: &[usize]) -> Layout {
    let array = Array {
        failed: failed.to_vec(),
        ..array(level, members, groups)
    };
    Layout::new(&array, STRIP * ROWS).expect("an array")
}

fn layout(level: Level, members: usize, groups: usize) -> Layout {
    degraded(level, members, groups, &[])
}

fn map(layout: &Layout, write: bool, offset: u64, bytes: u64) -> Work {
    let mut work = Work::default();
    layout.map(write, offset, bytes as u32, |_| 0, &mut work);
    work
}

/// Uniform draws.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 += 1;
        mix(SEED, self.0) % bound
    }
}

/// Every level with numbers of members that it can have.
fn layouts() -> Vec<(Level, Layout)> {
    let kinds = [
        (Level::Jbod, 1, 1),
        (Level::Raid0, 1, 1),
        (Level::Raid0, 5, 1),
        (Level::Raid1, 2, 1),
        (Level::Raid1, 3, 1),
        (Level::Raid1, 6, 1),
        (Level::Raid1E, 3, 1),
        (Level::Raid1E, 4, 1),
        (Level::Raid10, 4, 1),
        (Level::Raid10, 8, 1),
        (Level::Raid5, 3, 1),
        (Level::Raid5, 8, 1),
        (Level::Raid6, 4, 1),
        (Level::Raid6, 7, 1),
        (Level::Raid50, 6, 2),
        (Level::Raid50, 12, 3),
        (Level::Raid60, 8, 2),
    ];
    kinds
        .map(|(level, members, groups)| (level, layout(level, members, groups)))
        .into()
}

/// The bytes that operations touch: (member, offset).
fn places<'a>(ops: impl IntoIterator<Item = &'a MemberOp>) -> Vec<(u16, u64)> {
    let bytes = |op: &MemberOp| {
        let member = op.member;
        (op.offset..op.offset + u64::from(op.bytes)).map(move |at| (member, at))
    };
    ops.into_iter()
        .flat_map(|op| bytes(op).collect::<Vec<_>>())
        .collect()
}

fn data_place(layout: &Layout, byte: u64) -> (u16, u64) {
    match places(&map(layout, false, byte, 1).now)[..] {
        [place] => place,
        ref several => panic!("a byte is read from {several:?}"),
    }
}

#[test]
fn capacity_is_what_the_level_leaves() {
    let member = STRIP * ROWS;
    let of = |level, members, groups| layout(level, members, groups).capacity_bytes();
    assert_eq!(of(Level::Jbod, 1, 1), member);
    assert_eq!(of(Level::Raid0, 5, 1), 5 * member);
    assert_eq!(of(Level::Raid1, 2, 1), member);
    assert_eq!(of(Level::Raid1, 5, 1), member);
    assert_eq!(of(Level::Raid1E, 3, 1), 3 * member / 2);
    assert_eq!(of(Level::Raid10, 8, 1), 4 * member);
    assert_eq!(of(Level::Raid5, 8, 1), 7 * member);
    assert_eq!(of(Level::Raid6, 7, 1), 5 * member);
    assert_eq!(of(Level::Raid50, 12, 3), 9 * member);
    assert_eq!(of(Level::Raid60, 8, 2), 4 * member);
}

#[test]
fn every_host_byte_has_a_place_of_its_own() {
    for (level, layout) in layouts() {
        let mut taken = BTreeSet::new();
        for byte in 0..layout.capacity_bytes() {
            for place in places(&map(&layout, false, byte, 1).now) {
                assert!(place.1 < STRIP * ROWS, "{level:?}: byte {byte} beyond the member");
                assert!(taken.insert(place), "{level:?}: byte {byte} shares {place:?}");
            }
        }
    }
}

#[test]
fn copies_and_parity_never_lie_on_data_of_others() {
    for (level, layout) in layouts() {
        let data: BTreeSet<_> = (0..layout.capacity_bytes())
            .map(|byte| data_place(&layout, byte))
            .collect();
        for byte in 0..layout.capacity_bytes() {
            let work = map(&layout, true, byte, 1);
            let own = data_place(&layout, byte);
            let written = places(work.now.iter().chain(&work.then).filter(|op| op.write));
            assert!(written.contains(&own), "{level:?}");
            for place in written.iter().filter(|&&place| place != own) {
                assert!(
                    !data.contains(place),
                    "{level:?}: byte {byte} writes over {place:?}"
                );
                assert_ne!(place.0, own.0, "{level:?}: a copy or parity on the same member");
            }
        }
    }
}

#[test]
fn long_accesses_touch_the_places_of_their_bytes() {
    let mut draws = Draws(0);
    for (level, layout) in layouts() {
        for _ in 0..300 {
            let offset = draws.below(layout.capacity_bytes());
            let bytes = 1 + draws.below((layout.capacity_bytes() - offset).min(20 * STRIP));
            let expected: BTreeSet<_> = (offset..offset + bytes)
                .map(|at| data_place(&layout, at))
                .collect();
            let read = places(&map(&layout, false, offset, bytes).now);
            assert_eq!(read.len() as u64, bytes, "{level:?}: a byte read twice");
            assert_eq!(read.into_iter().collect::<BTreeSet<_>>(), expected, "{level:?}");
            let work = map(&layout, true, offset, bytes);
            let written = places(work.now.iter().chain(&work.then).filter(|op| op.write));
            let different: BTreeSet<_> = written.iter().copied().collect();
            assert_eq!(different.len(), written.len(), "{level:?}: a place written twice");
            assert!(different.is_superset(&expected), "{level:?}");
        }
    }
}

#[test]
fn parity_goes_round_all_members() {
    for (members, parities) in [(5, 1), (8, 1), (6, 2)] {
        let level = if parities == 1 { Level::Raid5 } else { Level::Raid6 };
        let layout = layout(level, members, 1);
        let stripe = layout.stripe_bytes().expect("parity");
        let mut holds = BTreeMap::new();
        for row in 0..members as u64 {
            let data: BTreeSet<_> = (0..stripe)
                .map(|at| data_place(&layout, row * stripe + at).0)
                .collect();
            assert_eq!(data.len(), members - parities);
            for member in (0..members as u16).filter(|member| !data.contains(member)) {
                *holds.entry(member).or_insert(0) += 1;
            }
        }
        assert!(
            (0..members as u16).all(|member| holds[&member] == parities),
            "{holds:?}"
        );
    }
}

/// Where the bytes of a write go, with the copies and parities.
fn written(layout: &Layout, byte: u64) -> BTreeSet<(u16, u64)> {
    let work = map(layout, true, byte, 1);
    places(work.now.iter().chain(&work.then).filter(|op| op.write))
        .into_iter()
        .collect()
}

/// After a period each byte, copy and parity is on the same member as a period before, so many rows further; without copies or
/// parity of several rows that is a row.
#[test]
fn after_a_period_all_lies_as_before() {
    for (level, layout) in layouts() {
        let (period, strips) = (layout.period_bytes(), layout.period_bytes() / STRIP);
        let further = written(&layout, period).last().expect("a place").1
            - written(&layout, 0).last().expect("a place").1;
        for byte in (0..layout.capacity_bytes() - period).step_by(STRIP as usize / 2) {
            let after = written(&layout, byte + period);
            let before = written(&layout, byte);
            let before = before.into_iter().map(|(member, at)| (member, at + further));
            assert_eq!(
                after,
                before.collect(),
                "{level:?}: {strips} strips from {byte} on"
            );
        }
    }
}

/// The strips of a row are on members of their own, and the next one is on a member again. With parity a row is a stripe of each
/// group.
#[test]
fn a_row_goes_over_all_members_once() {
    for (level, layout) in layouts() {
        if layout.stripe_bytes().is_some() {
            continue;
        }
        let strips = layout.row_bytes() / STRIP;
        let member = |strip: u64| data_place(&layout, strip * STRIP).0;
        let row: BTreeSet<u16> = (0..strips).map(member).collect();
        assert_eq!(row.len() as u64, strips, "{level:?}");
        assert!(row.contains(&member(strips)), "{level:?}");
    }
    for (level, members, groups, data) in [
        (Level::Raid5, 8, 1, 7),
        (Level::Raid6, 7, 1, 5),
        (Level::Raid50, 12, 3, 9),
        (Level::Raid60, 8, 2, 4),
    ] {
        assert_eq!(
            layout(level, members, groups).row_bytes(),
            data * STRIP,
            "{level:?}"
        );
    }
}

#[test]
fn an_access_is_in_one_strip_up_to_its_end_and_one_member_has_no_strips() {
    let several = layout(Level::Raid0, 2, 1);
    assert!(several.in_one_strip(STRIP, STRIP as u32));
    assert!(several.in_one_strip(2 * STRIP - 1, 1));
    assert!(!several.in_one_strip(2 * STRIP - 1, 2));
    for level in [Level::Jbod, Level::Raid0] {
        assert!(layout(level, 1, 1).in_one_strip(STRIP - 1, 3 * STRIP as u32));
    }
}

/// Left-symmetric: a sequential read visits all members before it comes to one again.
#[test]
fn consecutive_strips_lie_on_different_members() {
    let layout = layout(Level::Raid5, 5, 1);
    for first in 0..20 {
        let members: BTreeSet<_> = (first..first + 5)
            .map(|strip| data_place(&layout, strip * STRIP).0)
            .collect();
        assert_eq!(members.len(), 5, "from strip {first}");
    }
}

#[test]
fn a_small_write_takes_1_2_4_or_6_operations_or_one_of_each_mirror() {
    let ops = |level, members, groups| map(&layout(level, members, groups), true, 4, 4).ops();
    assert_eq!(ops(Level::Raid0, 8, 1), 1);
    assert_eq!(ops(Level::Raid1, 2, 1), 2);
    assert_eq!(ops(Level::Raid1, 3, 1), 3);
    assert_eq!(ops(Level::Raid1, 7, 1), 7);
    assert_eq!(ops(Level::Raid1E, 5, 1), 2);
    assert_eq!(ops(Level::Raid10, 8, 1), 2);
    assert_eq!(ops(Level::Raid5, 8, 1), 4);
    assert_eq!(ops(Level::Raid50, 8, 2), 4);
    assert_eq!(ops(Level::Raid6, 8, 1), 6);
    assert_eq!(ops(Level::Raid60, 16, 2), 6);
}

/// A strip of a RAID 1E lies in an even row, its copy in the next row of the next member. What of a write lies side by side
/// on a member is one operation, in whichever order its strips come there.
#[test]
fn what_lies_side_by_side_on_a_raid_1e_is_one_operation() {
    for members in [3_u64, 4, 5, 8] {
        let layout = layout(Level::Raid1E, members as usize, 1);
        for (first, strips) in
            (0..members).flat_map(|first| (1..4 * members).map(move |count| (first, count)))
        {
            let mut rows = BTreeSet::new();
            for strip in first..first + strips {
                let row = strip / members * 2;
                rows.extend([(strip % members, row), ((strip + 1) % members, row + 1)]);
            }
            let begins = |&&(member, row): &&(u64, u64)| row == 0 || !rows.contains(&(member, row - 1));
            let runs = rows.iter().filter(begins).count();
            let work = map(&layout, true, first * STRIP, strips * STRIP);
            assert_eq!(
                work.now.len(),
                runs,
                "{members} members, strips {first} + {strips}"
            );
            let written: u64 = work.now.iter().map(|op| u64::from(op.bytes)).sum();
            assert_eq!(written, 2 * strips * STRIP);
        }
    }
}

#[test]
fn half_of_a_small_write_reads_first() {
    let work = map(&layout(Level::Raid5, 8, 1), true, 4, 4);
    assert!(work.now.iter().all(|op| !op.write) && work.now.len() == 2);
    assert!(work.then.iter().all(|op| op.write) && work.then.len() == 2);
    assert_eq!(
        places(&work.now),
        places(&work.then),
        "what is read is what is written"
    );
    assert_eq!(work.parity_bytes, 4);
}

/// The end of a stripe is the end of a strip: what follows on the next row lies beside it on the members, and is read and
/// written together with it.
#[test]
fn a_write_over_the_end_of_a_stripe_reads_first() {
    for (level, members, each) in [(Level::Raid5, 4, 2), (Level::Raid6, 6, 3)] {
        let layout = layout(level, members, 1);
        let stripe = layout.stripe_bytes().expect("parity");
        let work = map(&layout, true, 3 * stripe - 2, 4);
        assert!(work.now.iter().all(|op| !op.write), "{level:?}: old data first");
        assert!(work.then.iter().all(|op| op.write));
        assert_eq!((work.now.len(), work.then.len()), (each, each), "{level:?}");
        assert_eq!(
            places(&work.now),
            places(&work.then),
            "what is read is what is written"
        );
    }
}

#[test]
fn a_full_stripe_reads_nothing() {
    for (level, members, parities) in [(Level::Raid5, 8, 1), (Level::Raid6, 8, 2)] {
        let layout = layout(level, members, 1);
        let stripe = layout.stripe_bytes().expect("parity");
        let work = map(&layout, true, 3 * stripe, stripe);
        assert!(work.then.is_empty() && work.now.iter().all(|op| op.write));
        let written: u64 = work.now.iter().map(|op| u64::from(op.bytes)).sum();
        // n/(n − 1) and n/(n − 2)
        assert_eq!(
            written * (members as u64 - parities),
            stripe * members as u64,
            "{level:?}"
        );
        assert_eq!(work.now.len(), members);
    }
}

#[test]
fn the_rest_of_a_row_is_read_where_that_is_less() {
    // Three members: one read of the other strip instead of old data and old parity.
    assert_eq!(map(&layout(Level::Raid5, 3, 1), true, 4, 4).ops(), 3);
    // Six of seven strips: one read instead of seven.
    let work = map(&layout(Level::Raid5, 8, 1), true, 0, 6 * STRIP);
    assert_eq!((work.now.len(), work.then.len()), (1, 7));
    // RAID 6 of four: one instead of three.
    assert_eq!(map(&layout(Level::Raid6, 4, 1), true, 4, 4).ops(), 4);
}

/// P = (b/g − 1) / (s/g) for offsets uniform on a grain g, a block b and a strip s.
#[test]
fn strips_are_crossed_as_often_as_the_formula_says() {
    let layout = layout(Level::Raid0, 4, 1);
    for (block, grain) in [(8, 1), (8, 4), (16, 2), (4, 4)] {
        let positions = (layout.capacity_bytes() - STRIP) / grain;
        let crossings = (0..positions)
            .filter(|at| map(&layout, false, at * grain, block).now.len() == 2)
            .count();
        let expected = (block as f64 / grain as f64 - 1.0) / (STRIP as f64 / grain as f64);
        assert_eq!(
            crossings as f64 / positions as f64,
            expected,
            "{block} on {grain}"
        );
    }
}

#[test]
fn arrays_that_cannot_be_are_refused() {
    let refused = |array: &Array| Layout::new(array, STRIP * ROWS).is_err();
    assert!(refused(&array(Level::Raid1, 1, 1)));
    assert!(refused(&array(Level::Raid10, 5, 1)));
    assert!(refused(&array(Level::Raid5, 2, 1)));
    assert!(refused(&array(Level::Raid6, 3, 1)));
    assert!(refused(&array(Level::Raid50, 7, 2)));
    for (level, members, groups, failed) in [
        (Level::Raid0, 4, 1, vec![0]),
        (Level::Raid1, 3, 1, vec![0, 1, 2]),
        (Level::Raid10, 4, 1, vec![2, 3]),
        (Level::Raid1E, 3, 1, vec![0, 2]),
        (Level::Raid5, 4, 1, vec![0, 1]),
        (Level::Raid50, 6, 2, vec![0, 1]),
        (Level::Raid5, 4, 1, vec![4]),
    ] {
        assert!(
            refused(&Array {
                failed,
                ..array(level, members, groups)
            }),
            "{level:?}"
        );
    }
}
