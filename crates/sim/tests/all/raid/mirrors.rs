//! Which mirror reads.

use std::collections::VecDeque;

use iodyno_sim::raid::Seen;

use super::*;

#[test]
fn mirrors_read_by_their_policy() {
    let member = |policy, load: [u32; 2]| {
        let array = Array {
            mirror_read: policy,
            ..array(Level::Raid1, 2, 1)
        };
        let layout = Layout::new(&array, STRIP * ROWS).expect("a mirror");
        let mut work = Work::default();
        let mut each = || {
            layout.map(false, 0, 4, |at| load[at], &mut work);
            work.now[0].member
        };
        [each(), each()]
    };
    let from = |from_outstanding| MirrorRead::Spread { from_outstanding };
    assert_eq!(member(MirrorRead::Primary, [9, 0]), [0, 0]);
    assert_eq!(member(SPREAD, [9, 0]), [1, 1]);
    assert_eq!(member(SPREAD, [0, 9]), [0, 0]);
    assert_eq!(member(SPREAD, [1, 1]), [0, 1], "in turns");
    assert_eq!(member(from(4), [3, 0]), [0, 0], "the first has fewer than four");
    assert_eq!(member(from(4), [4, 1]), [1, 1]);
    assert_eq!(member(from(4), [4, 4]), [0, 0]);
}

/// The mirror of two with arms and operations under way that reads an offset.
fn nearest(offset: u64, arms: [u64; 2], under_way: [u32; 2]) -> u16 {
    let array = Array {
        mirror_read: MirrorRead::Nearest,
        ..array(Level::Raid1, 2, 1)
    };
    let layout = Layout::new(&array, 1 << 30).expect("a mirror");
    let seen = |at: usize| Seen {
        under_way: under_way[at],
        arm: arms[at],
    };
    let mut work = Work::default();
    layout.map(false, offset, 4, seen, &mut work);
    work.now[0].member
}

#[test]
fn the_nearer_arm_reads_unless_its_queue_is_twice_as_long() {
    assert_eq!(nearest(100, [90, 500], [0, 0]), 0);
    assert_eq!(nearest(400, [90, 500], [0, 0]), 1);
    assert_eq!(nearest(400, [90, 500], [4, 8]), 1);
    assert_eq!(nearest(400, [90, 500], [4, 9]), 0);
    assert_eq!(
        nearest(400, [90, 500], [0, 1]),
        0,
        "an idle one rather than a busy one"
    );
    assert_eq!(nearest(400, [300, 500], [2, 1]), 1, "equally near");
}

/// A uniform offset is 1/3 of the range away from a uniform arm in the mean, and 5/24 from the nearer of two
/// independent ones.
#[test]
fn the_nearer_of_two_arms_is_five_twenty_fourths_away() {
    let range = (1_u64 << 30) - 4;
    let mut draws = Draws(0);
    let (mut to_first, mut to_nearer, count) = (0.0, 0.0, 200_000);
    for _ in 0..count {
        let arms = [draws.below(range), draws.below(range)];
        let offset = draws.below(range);
        let chosen = arms[usize::from(nearest(offset, arms, [0, 0]))];
        to_first += offset.abs_diff(arms[0]) as f64 / range as f64;
        to_nearer += offset.abs_diff(chosen) as f64 / range as f64;
    }
    let count = f64::from(count);
    assert!((to_first / count - 1.0 / 3.0).abs() < 0.002);
    assert!((to_nearer / count - 5.0 / 24.0).abs() < 0.002);
}

/// A read that goes on where the last one has ended stays with the same mirror, as long as there is more of that there: in a
/// RAID 1E to the end of the strip. The next strip is the other mirror's turn, or another pair's.
#[test]
fn a_stream_of_reads_stays_with_a_mirror() {
    for (level, members) in [(Level::Raid1, 2), (Level::Raid10, 4), (Level::Raid1E, 3)] {
        let whole = Array {
            mirror_read: SPREAD,
            ..array(level, members, 1)
        };
        let layout = Layout::new(&whole, STRIP * ROWS).expect("mirrors");
        let mut work = Work::default();
        let mut member = |offset| {
            layout.map(false, offset, 4, |_| 0, &mut work);
            work.now[0].member
        };
        for strip in 0..10 {
            let readers = [0, 4, 8, 12].map(|within| member(strip * STRIP + within));
            assert_eq!(readers, [readers[0]; 4], "{level:?}, strip {strip}");
        }
    }
}

/// Of two that are equally busy a draw tells, each as often; of two idle ones it is the turn, and a stream stays.
#[test]
fn of_equally_busy_mirrors_one_is_drawn() {
    let layout = mirrors(2, &[]);
    let second = |busy: [u32; 2], seed| {
        let mut work = Work::drawing(seed);
        let mut reader = |read: u64| {
            layout.map(false, read * 4, 4, |at| busy[at], &mut work);
            u64::from(work.now[0].member)
        };
        (0..10_000).map(&mut reader).sum::<u64>()
    };
    for seed in [1, 2] {
        // Standard error 50, times five.
        assert!(second([3, 3], seed).abs_diff(5000) < 250);
        assert_eq!(second([0, 0], seed), 0);
        assert_eq!(second([2, 3], seed), 0);
        assert_eq!(second([3, 2], seed), 10_000);
    }
    assert_ne!(second([3, 3], 1), second([3, 3], 2));
}

/// A RAID 1 of so many drives, some of which have failed, that is read from the one with fewest under way.
fn mirrors(count: usize, failed: &[usize]) -> Layout {
    let array = Array {
        mirror_read: SPREAD,
        failed: failed.to_vec(),
        ..array(Level::Raid1, count, 1)
    };
    Layout::new(&array, 1 << 30).expect("mirrors")
}

/// Reads of offsets, each from one of the mirrors: of which, with so many under way on each.
fn readers(layout: &Layout, under_way: &[u32], offsets: impl IntoIterator<Item = u64>) -> Vec<u16> {
    let mut work = Work::default();
    let mut reader = |offset| {
        layout.map(false, offset, 4, |at| under_way[at], &mut work);
        assert_eq!(work.ops(), 1);
        work.now[0].member
    };
    offsets.into_iter().map(&mut reader).collect()
}

#[test]
fn more_than_two_mirrors_take_turns_too() {
    let apart = || (0..6).map(|number| number * 100);
    assert_eq!(readers(&mirrors(3, &[]), &[1, 1, 1], apart()), [0, 1, 2, 0, 1, 2]);
    assert_eq!(readers(&mirrors(3, &[]), &[1, 0, 1], apart()), [1; 6]);
    assert_eq!(
        readers(&mirrors(4, &[]), &[2, 1, 3, 1], apart()),
        [1, 3, 1, 3, 1, 3]
    );
    // Who is left shares evenly, whoever has failed.
    assert_eq!(
        readers(&mirrors(3, &[0]), &[0, 1, 1], apart()),
        [1, 2, 1, 2, 1, 2]
    );
    assert_eq!(
        readers(&mirrors(4, &[1, 2]), &[1, 0, 0, 1], apart()),
        [0, 3, 0, 3, 0, 3]
    );
    assert_eq!(readers(&mirrors(4, &[0, 1, 3]), &[0, 0, 9, 0], apart()), [2; 6]);
}

/// By turns of as many streams as there are mirrors each has one of its own, and fewer do not wander over all.
#[test]
fn streams_stay_with_mirrors_of_their_own() {
    for (count, streams) in [(3, 1), (3, 2), (3, 3), (5, 4)] {
        let offsets = (0..40).flat_map(|read| (0..streams).map(move |stream| (stream << 20) + read * 4));
        let members = readers(&mirrors(count, &[]), &vec![0; count], offsets);
        let first = &members[..streams as usize];
        assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), streams as usize);
        assert!(
            members.chunks(streams as usize).all(|row| row == first),
            "{members:?}"
        );
    }
}

/// A stream with several reads outstanding goes on with the mirrors that it began with, as many as it needs, and each has as
/// little as may be between its pieces. It wandered over all, and what a drive read of it lay too far apart to be one stream.
#[test]
fn a_stream_of_several_outstanding_has_as_many_mirrors() {
    for (count, outstanding) in [(3, 2), (4, 2), (8, 2), (5, 3), (8, 5), (8, 8)] {
        let layout = mirrors(count, &[]);
        let (mut work, mut under_way) = (Work::default(), VecDeque::new());
        let mut readers = BTreeSet::new();
        for read in 0..100 {
            if under_way.len() == outstanding {
                under_way.pop_front();
            }
            let on = |at: usize| under_way.iter().filter(|&&member| member == at).count() as u32;
            layout.map(false, read * 4, 4, on, &mut work);
            let reader = usize::from(work.now[0].member);
            readers.insert(reader);
            under_way.push_back(reader);
        }
        assert_eq!(readers.len(), outstanding, "{outstanding} on {count}");
    }
}

/// From a number on the first has no longer all: as of two, but the idlest of all others.
#[test]
fn the_first_of_many_has_what_is_its_own() {
    let array = Array {
        mirror_read: MirrorRead::Spread { from_outstanding: 4 },
        ..array(Level::Raid1, 3, 1)
    };
    let layout = Layout::new(&array, 1 << 30).expect("mirrors");
    let apart = || (0..3).map(|number| number * 100);
    assert_eq!(readers(&layout, &[3, 0, 0], apart()), [0; 3]);
    assert_eq!(readers(&layout, &[4, 2, 1], apart()), [2; 3]);
    assert_eq!(readers(&layout, &[4, 4, 4], apart()), [0; 3]);
}
