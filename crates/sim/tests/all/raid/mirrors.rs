//! Which mirror reads.

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
