//! The mapping of arrays, against what the levels are defined by.

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
fn degraded_reads_double_on_each_survivor() {
    let reads = |layout: &Layout| {
        let mut reads = [0; 5];
        for strip in 0..layout.capacity_bytes() / STRIP / 20 * 20 {
            for op in map(layout, false, strip * STRIP, STRIP).now {
                reads[usize::from(op.member)] += 1;
            }
        }
        reads
    };
    let whole = reads(&layout(Level::Raid5, 5, 1));
    let lost = reads(&degraded(Level::Raid5, 5, 1, &[2]));
    assert_eq!(lost[2], 0);
    for member in [0, 1, 3, 4] {
        assert_eq!(lost[member], 2 * whole[member]);
    }
}

/// What a lost member had is told by as many others as a row has data, and nothing else of them is read: also where an access
/// has the end of a strip and the beginning of the next, with the rest of both between.
#[test]
fn a_degraded_read_reads_only_what_tells() {
    let mut draws = Draws(2);
    let kinds: [(_, _, _, u64, &[usize]); 5] = [
        (Level::Raid5, 5, 1, 4, &[2]),
        (Level::Raid6, 6, 1, 4, &[5]),
        (Level::Raid6, 6, 1, 4, &[1, 2]),
        (Level::Raid50, 8, 2, 3, &[0, 6]),
        (Level::Raid60, 10, 2, 3, &[0, 1, 9]),
    ];
    for (level, members, groups, data, failed) in kinds {
        let (whole, layout) = (
            layout(level, members, groups),
            degraded(level, members, groups, failed),
        );
        for _ in 0..400 {
            let offset = draws.below(layout.capacity_bytes() - STRIP);
            let bytes = 1 + draws.below(STRIP);
            let lost = |byte: &u64| failed.contains(&usize::from(data_place(&whole, *byte).0));
            let lost = (offset..offset + bytes).filter(lost).count() as u64;
            let read = places(&map(&layout, false, offset, bytes).now);
            assert_eq!(read.len() as u64, bytes - lost + data * lost, "{level:?}");
        }
    }
}

#[test]
fn a_degraded_stripe_is_read_once() {
    let layout = degraded(Level::Raid5, 5, 1, &[2]);
    let read = places(&map(&layout, false, 0, layout.stripe_bytes().expect("parity")).now);
    assert_eq!(read.len() as u64, 4 * STRIP);
}

#[test]
fn failed_members_are_left_alone() {
    let mut draws = Draws(1);
    let kinds: [(_, _, _, &[usize]); 10] = [
        (Level::Raid1, 2, 1, &[0]),
        (Level::Raid1, 3, 1, &[1]),
        (Level::Raid1, 4, 1, &[0, 2, 3]),
        (Level::Raid10, 8, 1, &[1, 4]),
        (Level::Raid1E, 5, 1, &[1, 3]),
        (Level::Raid5, 3, 1, &[1]),
        (Level::Raid5, 8, 1, &[7]),
        (Level::Raid6, 8, 1, &[0, 5]),
        (Level::Raid50, 8, 2, &[0, 6]),
        (Level::Raid60, 10, 2, &[0, 1, 5, 9]),
    ];
    for (level, members, groups, failed) in kinds {
        let layout = degraded(level, members, groups, failed);
        for _ in 0..400 {
            let offset = draws.below(layout.capacity_bytes());
            let bytes = 1 + draws.below((layout.capacity_bytes() - offset).min(12 * STRIP));
            let work = map(&layout, draws.below(2) == 0, offset, bytes);
            let ops = work.now.iter().chain(&work.then);
            assert!(ops.clone().count() > 0, "{level:?}");
            assert!(
                ops.clone().all(|op| !failed.contains(&usize::from(op.member))),
                "{level:?}"
            );
        }
    }
}

/// What a row's new parity can be computed from: at each offset either all data (read now or written),
/// or old parity with the old data of all that is written.
#[test]
fn new_parity_can_be_computed() {
    let mut draws = Draws(2);
    for failed in [vec![], vec![0], vec![3]] {
        let (whole, layout) = (layout(Level::Raid5, 5, 1), degraded(Level::Raid5, 5, 1, &failed));
        for _ in 0..2000 {
            let offset = draws.below(layout.capacity_bytes());
            let bytes = 1 + draws.below((layout.capacity_bytes() - offset).min(6 * STRIP));
            let work = map(&layout, true, offset, bytes);
            let read: BTreeSet<_> = places(work.now.iter().filter(|op| !op.write))
                .into_iter()
                .collect();
            let hosts: BTreeSet<_> = (offset..offset + bytes)
                .map(|at| data_place(&whole, at))
                .collect();
            let written: BTreeSet<_> = places(work.now.iter().chain(&work.then).filter(|op| op.write))
                .into_iter()
                .collect();
            for &(parity, at) in written.difference(&hosts) {
                let data: Vec<_> = (0..5)
                    .filter(|&member| member != parity)
                    .map(|member| (member, at))
                    .collect();
                let new = |place: &(u16, u64)| hosts.contains(place);
                let rest = data.iter().all(|place| new(place) || read.contains(place));
                let modify = read.contains(&(parity, at))
                    && data.iter().all(|place| !new(place) || read.contains(place));
                assert!(
                    rest || modify,
                    "parity {parity} at {at} of {offset}+{bytes}, failed {failed:?}: {work:?}"
                );
            }
            // Whatever the host writes is written, or its parity is.
            for &(member, at) in hosts.difference(&written) {
                assert!(failed.contains(&usize::from(member)));
                assert!(written.contains(&(parity_member(&whole, at), at)));
            }
        }
    }
}

/// A write that meets the strip of a failed member has its old bytes computed where new parity covers them and
/// the write does not, each of the four that tell it.
#[test]
fn lost_bytes_that_stay_are_computed() {
    let (mut draws, mut some) = (Draws(3), 0);
    for failed in [0, 3] {
        let (whole, layout) = (
            layout(Level::Raid5, 5, 1),
            degraded(Level::Raid5, 5, 1, &[failed]),
        );
        for _ in 0..2000 {
            let offset = draws.below(layout.capacity_bytes());
            let bytes = 1 + draws.below((layout.capacity_bytes() - offset).min(6 * STRIP));
            let work = map(&layout, true, offset, bytes);
            let hosts: BTreeSet<_> = (offset..offset + bytes)
                .map(|at| data_place(&whole, at))
                .collect();
            let lost = failed as u16;
            let met: BTreeSet<_> = hosts
                .iter()
                .filter(|place| place.0 == lost)
                .map(|place| place.1 / STRIP)
                .collect();
            let parity = places(work.now.iter().chain(&work.then).filter(|op| op.write));
            let stay = parity
                .iter()
                .filter(|&place| !hosts.contains(place) && !hosts.contains(&(lost, place.1)))
                .filter(|place| met.contains(&(place.1 / STRIP)))
                .count() as u64;
            assert_eq!((work.lost_bytes, work.telling_bytes), (stay, 4 * stay));
            some += stay;
        }
    }
    assert!(some > 1000, "{some}");
}

/// The member of a RAID 5 of five that holds the parity at an offset.
fn parity_member(layout: &Layout, at: u64) -> u16 {
    let row = at / STRIP * layout.stripe_bytes().expect("parity");
    let data: BTreeSet<_> = (0..4)
        .map(|strip| data_place(layout, row + strip * STRIP).0)
        .collect();
    (0..5).find(|member| !data.contains(member)).expect("a parity")
}

/// Of each failed member the same bytes, of which each survivor that is needed is read once.
#[test]
fn rebuilding_reads_what_tells_the_lost_bytes() {
    let rebuild = |level, members, groups, failed: &[usize], offset| {
        let mut work = Work::default();
        degraded(level, members, groups, failed).rebuild(offset, 8, &mut work);
        let writes = failed.iter().map(|&member| MemberOp {
            member: member as u16,
            write: true,
            offset,
            bytes: 8,
        });
        assert_eq!(work.then, writes.collect::<Vec<_>>());
        let reads = work.now.iter().map(|op| {
            assert_eq!((op.write, op.bytes), (false, 8));
            (op.member, op.offset)
        });
        reads.collect::<Vec<_>>()
    };
    let same = |members: &[u16], at| members.iter().map(|&member| (member, at)).collect::<Vec<_>>();
    assert_eq!(rebuild(Level::Raid5, 4, 1, &[1], 32), same(&[0, 2, 3], 32));
    assert_eq!(rebuild(Level::Raid50, 8, 2, &[5], 32), same(&[4, 6, 7], 32));
    assert_eq!(
        rebuild(Level::Raid50, 8, 2, &[1, 4], 32),
        same(&[0, 2, 3, 5, 6, 7], 32)
    );
    assert_eq!(rebuild(Level::Raid6, 6, 1, &[4], 32), same(&[0, 1, 2, 3], 32));
    assert_eq!(rebuild(Level::Raid6, 6, 1, &[0, 1], 32), same(&[2, 3, 4, 5], 32));
    assert_eq!(rebuild(Level::Raid10, 4, 1, &[3], 32), same(&[2], 32));
    assert_eq!(rebuild(Level::Raid10, 8, 1, &[1, 4], 32), same(&[0, 5], 32));
    assert_eq!(rebuild(Level::Raid1, 2, 1, &[0], 32), same(&[1], 32));
    assert_eq!(rebuild(Level::Raid1, 4, 1, &[0, 2], 32), same(&[1], 32));
    // Row 2 of a RAID 1E is repeated in row 3 on the next member.
    let shifted = |failed: &[usize], row| rebuild(Level::Raid1E, 6, 1, failed, row * STRIP);
    assert_eq!(shifted(&[5], 2), [(0, 3 * STRIP)]);
    assert_eq!(shifted(&[5], 3), [(4, 2 * STRIP)]);
    assert_eq!(shifted(&[2, 5], 2), [(3, 3 * STRIP), (0, 3 * STRIP)]);
}

/// A member is rebuilt step by step, from its first byte to its last: what is read of mirrors is the other copy of what is
/// written. Steps of 256 KiB divide neither strips of 384 nor of 320 KiB, and of an odd number of rows the last one of a
/// RAID 1E has no twin.
#[test]
fn each_step_of_a_rebuild_reads_the_copies_of_what_it_writes() {
    const PIECE: u64 = 4096;
    let pieces = |ops: &[MemberOp]| {
        let of = |op: &MemberOp| {
            let (member, bytes) = (op.member, op.offset..op.offset + u64::from(op.bytes));
            bytes.step_by(PIECE as usize).map(move |at| (member, at))
        };
        ops.iter().flat_map(of).collect::<Vec<_>>()
    };
    let levels = [(Level::Raid1E, 3), (Level::Raid1E, 4), (Level::Raid10, 4)];
    for ((level, members), (strip_kib, rows)) in levels.into_iter().flat_map(|level| {
        let strips = [(64, 6), (64, 7), (320, 6), (384, 5), (1024, 3)];
        strips.map(|strip| (level, strip))
    }) {
        let whole = Array {
            strip_bytes: strip_kib << 10,
            ..array(level, members, 1)
        };
        let member_bytes = whole.strip_bytes * rows;
        let layout = Layout::new(&whole, member_bytes).expect("an array");
        let mut copies = BTreeMap::new();
        for at in (0..layout.capacity_bytes()).step_by(PIECE as usize) {
            let [one, other] = pieces(&map(&layout, true, at, PIECE).now)[..] else {
                panic!("not two copies")
            };
            copies.extend([(one, other), (other, one)]);
        }
        let broken = Array {
            failed: vec![1],
            rebuild_bytes_s: 1,
            ..whole
        };
        let layout = Layout::new(&broken, member_bytes).expect("an array");
        let (bytes, _) = broken.rebuild_step();
        let (mut work, mut at) = (Work::default(), 0);
        while at < layout.member_bytes() {
            layout.rebuild(at, bytes, &mut work);
            let read: Vec<_> = pieces(&work.now).into_iter().map(Some).collect();
            let written = pieces(&work.then);
            let copies: Vec<_> = written.iter().map(|piece| copies.get(piece).copied()).collect();
            assert_eq!(read, copies, "{level:?} of {strip_kib} KiB and {rows} rows, {at}");
            at += u64::from(bytes);
        }
        assert_eq!(at, layout.member_bytes(), "{level:?} of {strip_kib} KiB");
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
