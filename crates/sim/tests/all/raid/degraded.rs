//! Arrays with failed members: what is read for them, computed, and written to their successors.

use super::*;

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
        let mut flush = Work::default();
        layout.flush(&mut flush);
        let flushed: Vec<usize> = flush.now.iter().map(|op| op.member.into()).collect();
        let there = (0..members).filter(|member| !failed.contains(member));
        assert!(there.eq(flushed), "{level:?}: a flush of each that is there");
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

/// What a write reads of a member is one operation where it lies together, and no byte is read twice.
#[test]
fn a_degraded_write_reads_what_lies_together_at_once() {
    let (mut draws, mut met) = (Draws(4), 0);
    let kinds: [(_, _, &[usize]); 5] = [
        (Level::Raid5, 4, &[1]),
        (Level::Raid5, 6, &[1]),
        (Level::Raid6, 6, &[0]),
        (Level::Raid6, 8, &[2, 3]),
        (Level::Raid6, 8, &[0, 5]),
    ];
    for (level, members, failed) in kinds {
        let layout = degraded(level, members, 1, failed);
        for _ in 0..2000 {
            let offset = draws.below(layout.capacity_bytes());
            let bytes = 1 + draws.below((layout.capacity_bytes() - offset).min(8 * STRIP));
            let mut read = map(&layout, true, offset, bytes).now;
            read.retain(|op| !op.write);
            read.sort_unstable_by_key(|op| (op.member, op.offset));
            for two in read.windows(2).filter(|two| two[0].member == two[1].member) {
                let end = two[0].offset + u64::from(two[0].bytes);
                assert!(
                    end < two[1].offset,
                    "{level:?} {failed:?}: {bytes} at {offset}: {two:?}"
                );
                met += 1;
            }
        }
    }
    assert!(met > 1000, "{met}");
}

/// A write of the end of a strip and the beginning of a lost one: at the places of that beginning nothing lost stays, so new parity
/// follows from the other strips alone. At those of the end it follows from the old ones of the strip and the parities.
#[test]
fn old_parity_is_read_only_where_lost_bytes_stay() {
    for (level, members, parities) in [(Level::Raid5, 5, 1), (Level::Raid6, 6, 2)] {
        let whole = layout(level, members, 1);
        let (first, lost) = (data_place(&whole, 0).0, data_place(&whole, STRIP).0);
        let broken = degraded(level, members, 1, &[lost.into()]);
        let data: BTreeSet<_> = (0..whole.stripe_bytes().expect("parity"))
            .step_by(STRIP as usize)
            .map(|at| data_place(&whole, at).0)
            .collect();
        let work = map(&broken, true, STRIP - 2, 5);
        let read = |of: &dyn Fn(u16) -> bool| {
            let ops = work.now.iter().filter(|op| of(op.member));
            ops.map(|op| (op.offset, op.bytes)).collect::<Vec<_>>()
        };
        assert_eq!(read(&|member| member == first), [(0, 3), (STRIP - 2, 2)]);
        let others = read(&|member| data.contains(&member) && member != first);
        assert_eq!(others, vec![(0, 3); data.len() - 2]);
        let old = read(&|member| !data.contains(&member));
        assert_eq!(old, vec![(STRIP - 2, 2); parities]);
        assert_eq!((work.lost_bytes, work.telling_bytes), (0, 0));
    }
}

/// A write has the old bytes of a failed member computed where new parity hangs on them: with two lost, where it goes to one and not
/// to the other; with one, where it goes to all others, which with one parity tell it in fewer reads than with both. Each of the
/// four that a row has tell it.
#[test]
fn lost_bytes_that_stay_are_computed() {
    let mut draws = Draws(3);
    let kinds: [(_, _, &[usize], bool); 5] = [
        (Level::Raid5, 5, &[0], false),
        (Level::Raid5, 5, &[3], false),
        (Level::Raid6, 6, &[4], true),
        (Level::Raid6, 6, &[1, 2], true),
        (Level::Raid6, 6, &[0, 3], true),
    ];
    for (level, members, failed, some) in kinds {
        let (whole, layout) = (layout(level, members, 1), degraded(level, members, 1, failed));
        let (row, mut met) = (whole.stripe_bytes().expect("parity"), 0);
        for _ in 0..4000 {
            let offset = draws.below(layout.capacity_bytes());
            let bytes = 1 + draws.below((layout.capacity_bytes() - offset).min(6 * STRIP));
            let rows = offset / row..=(offset + bytes - 1) / row;
            let computed = rows
                .flat_map(|row| (0..STRIP).map(move |at| (row, at)))
                .map(|(of, at)| {
                    let each = (0..4).map(|strip| of * row + strip * STRIP + at);
                    let (lost, there): (Vec<u64>, Vec<u64>) =
                        each.partition(|&at| failed.contains(&data_place(&whole, at).0.into()));
                    let new = |at: &&u64| (offset..offset + bytes).contains(*at);
                    let (written, others) =
                        (lost.iter().filter(new).count(), there.iter().filter(new).count());
                    let parities = members - 4 - (failed.len() - lost.len());
                    let all_others = parities > 1 && others == 3;
                    usize::from(written < lost.len() && (written > 0 || all_others))
                });
            let stay = computed.sum::<usize>() as u64;
            let work = map(&layout, true, offset, bytes);
            let found = (work.lost_bytes, work.telling_bytes);
            assert_eq!(
                found,
                (stay, 4 * stay),
                "{level:?}, {failed:?}: {bytes} at {offset}"
            );
            met += stay;
        }
        assert_eq!(met > 1000, some, "{level:?}, {failed:?}: {met}");
    }
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
