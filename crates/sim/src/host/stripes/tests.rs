use std::collections::BTreeSet;

use iodyno_load::pattern::mix;

use super::*;
use crate::raid::Layout;
use crate::system::{Array, Level, MirrorRead};

const STRIP: u64 = 65536;
const STRIPE: u64 = 7 * STRIP;
const PAGE: u64 = 4096;

fn of(level: Level, failed: Vec<usize>) -> Stripes {
    let array = Array {
        level,
        drives: (0..8).collect(),
        groups: 1,
        strip_bytes: STRIP,
        mirror_read: MirrorRead::Primary,
        failed,
        rebuild_bytes_s: 0,
    };
    let layout = Layout::new(&array, 1 << 30).expect("an array");
    Stripes::new(Rows::new(layout).expect("parity"))
}

fn write(stripes: &mut Stripes, slot: u32, offset: u64, bytes: u64) -> Vec<Step> {
    stripes.expect(offset, bytes as u32);
    stripes.arrive(slot, offset, bytes as u32);
    (0..).map_while(|of| stripes.next(10 * slot + of)).collect()
}

/// Write alone, one behind the other; gives the reads and writes on members.
fn alone(stripes: &mut Stripes, offset: u64, bytes: u64) -> (usize, usize) {
    let steps = write(stripes, 0, offset, bytes);
    let mut operations = (0, 0);
    for (number, step) in steps.iter().enumerate() {
        operations.0 += step.reads.len();
        operations.1 += step.writes.len();
        if !step.reads.is_empty() {
            assert_eq!(stripes.write(step, number as u32), step.writes);
        }
        stripes.done(step);
    }
    operations
}

/// What a check of many writes knows.
#[derive(Default)]
struct Seen {
    /// Parts of each write that are not done.
    left: BTreeMap<u32, u32>,
    /// Updates under way, by number.
    under_way: BTreeMap<u32, Step>,
    numbers: u32,
    /// Pages of members that have been read or written at any time.
    known: BTreeSet<(u16, u64)>,
}

fn pages(ops: &[MemberOp]) -> impl Iterator<Item = (u16, u64)> {
    let of = |op: &MemberOp| op.offset / PAGE..(op.offset + u64::from(op.bytes)) / PAGE;
    ops.iter()
        .flat_map(move |op| of(op).map(|page| (op.member, page)))
}

impl Seen {
    fn begin(&mut self, stripes: &mut Stripes) {
        while let Some(mut step) = stripes.next(self.numbers) {
            for slot in std::mem::take(&mut step.cut) {
                *self.left.get_mut(&slot).expect("a write") += 1;
            }
            self.known.extend(pages(&step.reads));
            if let Some(joined) = step.joins {
                self.under_way
                    .get_mut(&joined)
                    .expect("an update")
                    .slots
                    .extend(step.slots);
                continue;
            }
            if step.reads.is_empty() {
                self.written(&step.writes);
            }
            self.under_way.insert(self.numbers, step);
            self.numbers += 1;
            self.apart();
        }
    }

    /// What is under way at once changes no page of the parity twice.
    fn apart(&self) {
        let mut busy = BTreeMap::new();
        for &(number, pages) in self.under_way.values().flat_map(|step| &step.stripes) {
            let of = busy.entry(number).or_insert(0);
            assert_eq!(*of & pages, 0, "stripe {number}");
            *of |= pages;
        }
    }

    /// New parity can be told by old data and parity, or by the rest of the row.
    fn written(&mut self, writes: &[MemberOp]) {
        let mut rows: BTreeMap<u64, BTreeSet<u16>> = BTreeMap::new();
        for (member, page) in pages(writes) {
            rows.entry(page).or_default().insert(member);
        }
        for (&page, members) in &rows {
            assert!(
                members.contains(&(7 - (page * PAGE / STRIP % 8) as u16)),
                "no parity"
            );
            let known = |member: &u16| self.known.contains(&(*member, page));
            let (modify, rest) = (
                members.iter().all(known),
                (0..8)
                    .filter(|member| !members.contains(member))
                    .all(|member| known(&member)),
            );
            assert!(modify || rest, "page {page}: {members:?}");
        }
        self.known.extend(pages(writes));
    }

    fn end(&mut self, number: u32, stripes: &mut Stripes) {
        let step = self.under_way.get(&number).expect("an update");
        if !step.reads.is_empty() {
            let writes = stripes.write(step, number);
            self.written(&writes);
            self.under_way.get_mut(&number).expect("an update").reads.clear();
            return;
        }
        let step = self.under_way.remove(&number).expect("an update");
        for slot in &step.slots {
            *self.left.get_mut(slot).expect("a write") -= 1;
        }
        stripes.done(&step);
    }
}

/// What is under way at once changes no page of the parity twice, new parity can be told by what has been read and written,
/// and every part of every write is in one update.
#[test]
fn no_two_updates_change_the_same_parity() {
    let (mut stripes, mut seen) = (of(Level::Raid5, Vec::new()), Seen::default());
    let (mut draw, mut stream) = ((0_u64..).map(|at| mix(5, at)), 0);
    let mut draw = |bound: u64| draw.next().expect("endless") % bound;
    for slot in 0..6000 {
        let bytes = (1 + draw(if slot % 9 == 0 { 300 } else { 20 })) * 2048;
        let offset = match draw(3) {
            0 => draw(40 * STRIPE) / 2048 * 2048,
            _ => stream,
        };
        stream = (offset + bytes) % (40 * STRIPE);
        stripes.expect(offset, bytes as u32);
        seen.left.insert(slot, stripes.arrive(slot, offset, bytes as u32));
        seen.begin(&mut stripes);
        while seen.under_way.len() > if slot < 5990 { 12 } else { 0 } {
            let which = draw(seen.under_way.len() as u64) as usize;
            let number = *seen.under_way.keys().nth(which).expect("an update");
            seen.end(number, &mut stripes);
            seen.begin(&mut stripes);
        }
    }
    assert!(seen.left.values().all(|&left| left == 0), "a part is lost");
    assert!(stripes.by_number.is_empty() && stripes.held.is_empty() && stripes.whole == 0);
}

/// What comes while an update of the same pages reads joins it and reads only its own old data; what comes later waits.
#[test]
fn what_comes_while_its_parity_is_read_joins() {
    let mut stripes = of(Level::Raid5, Vec::new());
    let mut first = write(&mut stripes, 0, 0, 8192).remove(0);
    assert_eq!((first.reads.len(), first.writes.len()), (2, 2));
    // Another place of the parity goes beside it.
    let beside = write(&mut stripes, 1, 8192, 8192).remove(0);
    assert_eq!((beside.joins, beside.reads.len()), (None, 2));
    for (slot, offset) in [(2, STRIP), (3, 3 * STRIP + 4096)] {
        let joins = write(&mut stripes, slot, offset, 4096).remove(0);
        assert_eq!((joins.joins, joins.reads.len()), (Some(0), 1));
        first.slots.extend(joins.slots);
    }
    let writes = stripes.write(&first, 0);
    assert_eq!(writes.len(), 4);
    assert!(write(&mut stripes, 4, 2 * STRIP, 8192).is_empty());
    stripes.done(&first);
    assert_eq!(first.slots, [0, 2, 3]);
    let next = stripes.next(50).expect("what has waited");
    assert_eq!((next.reads.len(), next.writes.len()), (1, 2));
}

/// A write that has only some pages in common with an update joins with those, and the others go by themselves.
#[test]
fn a_write_is_cut_where_only_some_of_its_pages_can_join() {
    let mut stripes = of(Level::Raid5, Vec::new());
    write(&mut stripes, 0, 0, 8192);
    let steps = write(&mut stripes, 1, STRIP + 4096, 8192);
    assert_eq!((steps[0].joins, steps[1].joins), (Some(0), None));
    assert_eq!(
        (&steps[0].slots, &steps[0].cut, &steps[1].slots),
        (&vec![1], &vec![1], &vec![1])
    );
    assert_eq!((steps[0].reads.len(), steps[1].reads.len()), (1, 2));
}

/// Strips one behind the other: the first reads old data and the parities; then the parities are known, and each reads its old
/// data as long as the strips after it are more; then those are read instead, and the last reads nothing.
#[test]
fn pages_that_are_known_are_not_read_again() {
    for (level, parities, reads) in [
        (Level::Raid5, 1, vec![2, 1, 1, 1, 1, 1, 0]),
        (Level::Raid6, 2, vec![3, 1, 1, 1, 1, 0]),
    ] {
        for bytes in [4096, STRIP] {
            let mut stripes = of(level, Vec::new());
            for (strip, &expected) in (0..).zip(&reads) {
                let found = alone(&mut stripes, strip * STRIP, bytes);
                assert_eq!(found, (expected, 1 + parities), "{level:?}, strip {strip}");
            }
        }
    }
}

/// Where old data are as many as the rest of the row, that is read: the last strip for the last but one, each on the member of
/// its number in row 0.
#[test]
fn of_reads_that_are_as_many_the_rest_is_taken() {
    let mut stripes = of(Level::Raid5, Vec::new());
    for strip in 0..5 {
        alone(&mut stripes, strip * STRIP, STRIP);
    }
    let step = write(&mut stripes, 0, 5 * STRIP, STRIP).remove(0);
    assert_eq!(step.reads.iter().map(|op| op.member).collect::<Vec<_>>(), [6]);
}

/// 256 pages of a member are kept: sixteen strips, and those that were written first go first.
#[test]
fn what_was_written_last_is_kept() {
    for (others, reads) in [(15, 1), (16, 2)] {
        let mut stripes = of(Level::Raid5, Vec::new());
        for number in 0..=others {
            assert_eq!(alone(&mut stripes, number * STRIPE, STRIP), (2, 2));
        }
        assert_eq!(alone(&mut stripes, STRIP, STRIP), (reads, 2), "{others} others");
    }
}

/// In row 0 the parity is on the last member and the data from the first on: a lost strip is told by all others, a strip
/// beside it needs only its old data and the parity, and without parity nothing is read.
#[test]
fn lost_members_are_neither_read_nor_written() {
    for (failed, expected) in [(0, (6, 1)), (1, (2, 2)), (7, (0, 1))] {
        let mut stripes = of(Level::Raid5, vec![failed]);
        assert_eq!(alone(&mut stripes, 0, STRIP), expected, "member {failed}");
    }
}

#[test]
fn a_stripe_waits_for_what_is_in_a_core_and_for_whole_ones() {
    let mut stripes = of(Level::Raid5, Vec::new());
    for half in 0..2 {
        stripes.expect(half * 4096, 8192);
    }
    stripes.arrive(0, 0, 8192);
    assert!(stripes.next(0).is_none());
    stripes.arrive(1, 4096, 8192);
    assert_eq!(stripes.next(0).expect("both").slots, [0, 1]);
    // A whole stripe goes at once, and what follows it waits for it: one may pass.
    let whole = write(&mut stripes, 2, STRIPE, STRIPE);
    assert!(whole[0].whole && whole[0].reads.is_empty() && whole[0].writes.len() == 8);
    assert!(write(&mut stripes, 3, 2 * STRIPE, STRIP).is_empty());
    assert_eq!(write(&mut stripes, 4, 5 * STRIPE, STRIPE).len(), 1);
    let passed = write(&mut stripes, 5, 6 * STRIPE, STRIPE);
    assert_eq!(passed.len(), 2);
    assert_eq!(passed[1].slots, [3]);
}

/// Whole stripes that follow on each other go together; one that lies apart goes by itself, and so does what is not whole.
#[test]
fn whole_stripes_that_follow_on_each_other_go_together() {
    let mut stripes = of(Level::Raid5, Vec::new());
    let steps = write(&mut stripes, 0, 0, 3 * STRIPE + STRIP);
    assert_eq!(
        steps[0].stripes.iter().map(|of| of.0).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    let bytes: u64 = steps[0].writes.iter().map(|op| u64::from(op.bytes)).sum();
    assert_eq!(bytes, 3 * 8 * STRIP);
    for stripe in [10, 12] {
        stripes.expect(stripe * STRIPE, STRIPE as u32);
        stripes.arrive(1, stripe * STRIPE, STRIPE as u32);
    }
    let apart: Vec<_> = std::iter::from_fn(|| stripes.next(100))
        .map(|step| step.stripes[0].0)
        .collect();
    assert_eq!(apart.iter().filter(|&&stripe| stripe >= 10).count(), 2);
}

/// What has been written without reads is known as well: a whole stripe, of which a strip is written once more, needs neither its old
/// data nor the parity.
#[test]
fn what_was_written_whole_is_known() {
    let mut stripes = of(Level::Raid5, Vec::new());
    assert_eq!(alone(&mut stripes, 0, STRIPE), (0, 8));
    assert_eq!(alone(&mut stripes, STRIP, STRIP), (0, 2));
}

/// What has joined an update is known after it: no data of these strips and no parity is read again.
#[test]
fn what_has_joined_an_update_is_known() {
    let mut stripes = of(Level::Raid5, Vec::new());
    let mut first = write(&mut stripes, 0, 0, 4096).remove(0);
    let joins = write(&mut stripes, 1, STRIP, 4096).remove(0);
    assert_eq!((joins.joins, joins.reads.len()), (Some(0), 1));
    first.slots.extend(joins.slots);
    stripes.write(&first, 0);
    stripes.done(&first);
    assert_eq!(alone(&mut stripes, STRIP, 4096), (0, 2));
}

/// A strip is lost, and less than a page of it written: what stays of it is told by all that was there before, the other data with the
/// old parity.
#[test]
fn what_stays_of_a_lost_page_is_told_by_all_others() {
    let mut stripes = of(Level::Raid5, vec![2]);
    let step = write(&mut stripes, 0, 2 * STRIP, 2048).remove(0);
    let members: BTreeSet<u16> = step.reads.iter().map(|op| op.member).collect();
    assert_eq!(members, BTreeSet::from([0, 1, 3, 4, 5, 6, 7]));
}

/// A stripe of which an update reads is not written beside it, though all its data come together with those of the one before.
#[test]
fn a_whole_stripe_joins_the_update_that_reads_for_it() {
    let mut stripes = of(Level::Raid5, Vec::new());
    assert_eq!(write(&mut stripes, 0, STRIPE, 4096).len(), 1);
    let steps = write(&mut stripes, 1, 0, 2 * STRIPE);
    assert!(steps[0].whole);
    assert_eq!(steps[0].stripes.iter().map(|of| of.0).collect::<Vec<_>>(), [0]);
    assert_eq!(steps[1].joins, Some(0));
}

/// What is held back for a whole stripe begins when that is done, if none has passed meanwhile.
#[test]
fn what_is_held_back_begins_when_the_whole_stripe_is_done() {
    let mut stripes = of(Level::Raid5, Vec::new());
    let whole = write(&mut stripes, 0, 0, STRIPE).remove(0);
    assert!(whole.whole);
    assert!(write(&mut stripes, 1, 2 * STRIPE, STRIP).is_empty());
    stripes.done(&whole);
    assert_eq!(stripes.next(10).expect("what was held back").slots, [1]);
}
