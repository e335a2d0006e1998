//! Writes to arrays with parity that the host joins, as Linux md makes them (drivers/md/raid5.c). Those that are outstanding on
//! one stripe at the same time share an update of its parity, a stripe whose data are all there is written without reads, and
//! pages that were read or written last are not read again.
//!
//! A write is cut where stripes end, and further where only some pages of it can go. Its pages of a stripe are written with all
//! that waits there and changes the same parity. What comes while an update of the same pages still reads joins it, and reads what
//! is missing for it; what comes later waits for the next update; what changes other pages goes beside it. A stripe
//! that has to read before it is written begins when no write that would go along is left in a core (what a worker sends at
//! once goes together: plugging), and not while whole stripes are under way, of which one that begins may pass it
//! (`preread_bypass_threshold`, 1 unless told otherwise: Linux, Documentation/admin-guide/md.rst).

use std::collections::{BTreeMap, BTreeSet};

use iodyno_load::request::Point;

use super::kept::Kept;
use super::pages::{ByStrip, Changed, Pages, Rows};
use crate::raid::MemberOp;
use crate::system::System;
use crate::volume;

/// Whole stripes that may pass one that has to read.
const PASSED: u64 = 1;

/// The stripes of each volume whose writes are gathered, for all targets on it.
#[derive(Debug)]
pub(super) struct Gathering {
    /// Which of them those of a target are.
    of: Vec<Option<usize>>,
    all: Vec<Stripes>,
}

impl Gathering {
    pub(super) fn new(point: &Point, system: &System) -> Self {
        let loads = point.loads();
        let each = || loads.iter().flat_map(volume::with_targets);
        let mut gathering = Self {
            of: Vec::new(),
            all: Vec::new(),
        };
        let mut volumes = BTreeMap::new();
        for (load, target) in each() {
            if let Some(rows) = volume::gathered(load, system, target).and_then(Rows::new) {
                volumes.entry(&target.path).or_insert_with(|| {
                    gathering.all.push(Stripes::new(rows));
                    gathering.all.len() - 1
                });
            }
        }
        gathering.of = each()
            .map(|(_, target)| volumes.get(&target.path).copied())
            .collect();
        gathering
    }

    /// Whether a target's writes are gathered.
    #[inline]
    pub(super) fn has(&self, target: usize) -> bool {
        self.of[target].is_some()
    }

    /// The stripes that a target's writes are gathered in.
    pub(super) fn stripes(&mut self, target: usize) -> &mut Stripes {
        &mut self.all[self.of[target].expect("a target whose writes are gathered")]
    }
}

/// A part of a write within a stripe: bytes of the row, as far as they lie in some of the stripe's pages.
#[derive(Clone, Copy, Debug)]
struct Piece {
    slot: u32,
    range: (u64, u64),
    pages: Pages,
}

/// An update that still reads.
#[derive(Debug)]
struct Open {
    number: u32,
    pages: Pages,
    changed: Changed,
}

/// A stripe that writes are on their way to.
#[derive(Debug)]
struct Stripe {
    /// Pages of each write for it that is in a core.
    coming: Vec<Pages>,
    /// Pages that are being written.
    busy: Pages,
    open: Vec<Open>,
    waiting: Vec<Piece>,
    /// What is known, or will be before it can be needed.
    known: ByStrip,
    /// How many updates with whole stripes had begun when it was first held back for such.
    held: Option<u64>,
}

impl Stripe {
    fn is_idle(&self) -> bool {
        self.busy == 0 && self.open.is_empty() && self.waiting.is_empty() && self.coming.is_empty()
    }

    /// What is changed by what waits in some pages.
    fn changes(&self, rows: &Rows, number: u64, pages: Pages) -> Changed {
        let there = self.waiting.iter().filter(|piece| piece.pages & pages != 0);
        let pieces: Vec<_> = there.map(|piece| (piece.range, piece.pages & pages)).collect();
        rows.changed(number, &pieces)
    }

    /// Take what waits out of some pages: the writes of which a part goes, and those of which one also stays.
    fn go(&mut self, pages: Pages) -> (Vec<u32>, Vec<u32>) {
        let (mut slots, mut cut) = (Vec::new(), Vec::new());
        self.waiting.retain_mut(|piece| {
            let goes = piece.pages & pages != 0;
            piece.pages &= !pages;
            let stays = piece.pages != 0;
            if goes {
                slots.push(piece.slot);
            }
            if goes && stays {
                cut.push(piece.slot);
            }
            stays
        });
        (slots, cut)
    }
}

/// What is done together: an update, or what joins one.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// The update that it joins.
    pub(super) joins: Option<u32>,
    /// Numbers and pages of the stripes, one behind the other.
    pub(super) stripes: Vec<(u64, Pages)>,
    /// Whether they are whole.
    pub(super) whole: bool,
    /// What is read first. If it is not empty, the writes are those that are known so far.
    pub(super) reads: Vec<MemberOp>,
    pub(super) writes: Vec<MemberOp>,
    /// The writes, once for each part of them.
    pub(super) slots: Vec<u32>,
    /// Writes that have a part more, for one of theirs was cut.
    pub(super) cut: Vec<u32>,
}

/// The stripes of a volume that are written.
#[derive(Debug)]
pub(super) struct Stripes {
    rows: Rows,
    kept: Kept,
    by_number: BTreeMap<u64, Stripe>,
    /// Those that may be able to begin.
    look: BTreeSet<u64>,
    /// Those that are held back for whole stripes.
    held: BTreeSet<u64>,
    /// Updates with whole stripes that are under way, and that have begun so far.
    whole: u32,
    begun: u64,
}

impl Stripes {
    pub(super) fn new(rows: Rows) -> Self {
        Self {
            rows,
            kept: Kept::default(),
            by_number: BTreeMap::new(),
            look: BTreeSet::new(),
            held: BTreeSet::new(),
            whole: 0,
            begun: 0,
        }
    }

    /// A write is in a core and will arrive.
    pub(super) fn expect(&mut self, offset: u64, bytes: u32) {
        for (number, _, pages) in self.rows.cut(offset, bytes) {
            let new = || Stripe {
                coming: Vec::new(),
                busy: 0,
                open: Vec::new(),
                waiting: Vec::new(),
                known: self.kept.take(number).unwrap_or_else(|| self.rows.unknown()),
                held: None,
            };
            self.by_number
                .entry(number)
                .or_insert_with(new)
                .coming
                .push(pages);
        }
    }

    /// A write that was expected arrives; gives how many parts it has.
    pub(super) fn arrive(&mut self, slot: u32, offset: u64, bytes: u32) -> u16 {
        let mut parts = 0;
        for (number, range, pages) in self.rows.cut(offset, bytes) {
            let stripe = self.by_number.get_mut(&number).expect("an expected write");
            let expected = stripe.coming.iter().position(|&coming| coming == pages);
            stripe.coming.swap_remove(expected.expect("an expected write"));
            stripe.waiting.push(Piece { slot, range, pages });
            self.look.insert(number);
            parts += 1;
        }
        parts
    }

    /// What is to be done now, if anything, under a number that is free. Whole stripes that follow on each other go together.
    pub(super) fn next(&mut self, free: u32) -> Option<Step> {
        loop {
            let number = *self.look.first()?;
            let Some(mut step) = self.step(number, free) else {
                self.look.remove(&number);
                continue;
            };
            let mut next = number + 1;
            while step.whole && self.look.contains(&next) && self.is_whole(next) {
                self.write_whole(next, &mut step);
                next += 1;
            }
            if step.whole {
                self.whole += 1;
                self.begun += 1;
                self.look.extend(&self.held);
            }
            return Some(step);
        }
    }

    /// An update has read: the writes of it.
    pub(super) fn write(&mut self, step: &Step, update: u32) -> Vec<MemberOp> {
        let mut writes = Vec::new();
        for &(number, _) in &step.stripes {
            let stripe = self.by_number.get_mut(&number).expect("a stripe under way");
            let is = |open: &Open| open.number == update;
            let open = stripe.open.iter().position(is).expect("an update that reads");
            let open = stripe.open.swap_remove(open);
            stripe.busy |= open.pages;
            written(&self.rows, number, &open.changed, open.pages, &mut writes);
        }
        writes
    }

    /// An update is on the drives.
    pub(super) fn done(&mut self, step: &Step) {
        for &(number, pages) in &step.stripes {
            let stripe = self.by_number.get_mut(&number).expect("a stripe under way");
            stripe.busy &= !pages;
            if stripe.is_idle() {
                let known = self.by_number.remove(&number).map(|stripe| stripe.known);
                self.kept.put(number, known.expect("a stripe"));
            } else {
                self.look.insert(number);
            }
        }
        if step.whole {
            self.whole -= 1;
            self.look.extend(&self.held);
        }
    }

    /// Do what of a stripe can be done, if anything.
    fn step(&mut self, number: u64, free: u32) -> Option<Step> {
        if let Some(step) = self.join(number) {
            return Some(step);
        }
        if self.is_whole(number) {
            let mut step = Step {
                whole: true,
                ..Step::default()
            };
            self.write_whole(number, &mut step);
            return Some(step);
        }
        self.begin(number, free)
    }

    /// Let what waits for pages of an update that still reads join it.
    fn join(&mut self, number: u64) -> Option<Step> {
        let stripe = self.by_number.get_mut(&number)?;
        let waiting = stripe.waiting.iter().fold(0, |all, piece| all | piece.pages);
        let at = stripe.open.iter().position(|open| open.pages & waiting != 0)?;
        let pages = stripe.open[at].pages & waiting;
        let joins = stripe.changes(&self.rows, number, pages);
        let open = &mut stripe.open[at];
        open.changed.add(&joins);
        let reads = self.rows.needed(number, &open.changed, &stripe.known, pages);
        know(&mut stripe.known, &open.changed, &reads, pages);
        let mut step = Step {
            joins: Some(open.number),
            ..Step::default()
        };
        self.rows.operations(number, &reads, false, &mut step.reads);
        written(&self.rows, number, &joins, 0, &mut step.writes);
        (step.slots, step.cut) = stripe.go(pages);
        Some(step)
    }

    /// Whether all data of a stripe are there, and nothing of it is under way.
    fn is_whole(&self, number: u64) -> bool {
        let Some(stripe) = self.by_number.get(&number) else {
            return false;
        };
        let all = self.rows.all(number);
        if stripe.busy != 0 || !stripe.open.is_empty() {
            return false;
        }
        let changed = stripe.changes(&self.rows, number, all);
        changed.covered.iter().all(|&covered| covered == all)
    }

    fn write_whole(&mut self, number: u64, step: &mut Step) {
        let all = self.rows.all(number);
        let changed = self.by_number[&number].changes(&self.rows, number, all);
        self.take(number, &changed, all, step);
    }

    /// Write pages of a stripe without reads.
    fn take(&mut self, number: u64, changed: &Changed, pages: Pages, step: &mut Step) {
        let stripe = self.by_number.get_mut(&number).expect("a stripe");
        let (slots, cut) = stripe.go(pages);
        step.slots.extend(slots);
        step.cut.extend(cut);
        step.stripes.push((number, pages));
        know(&mut stripe.known, changed, &[], pages);
        written(&self.rows, number, changed, pages, &mut step.writes);
        (stripe.busy, stripe.held) = (stripe.busy | pages, None);
        self.held.remove(&number);
    }

    /// Begin to write what of a stripe that is not whole may begin, if anything: what has pages in common, the first of it first;
    /// what needs no reads before what does.
    fn begin(&mut self, number: u64, free: u32) -> Option<Step> {
        let pages = self.partly(number)?;
        let stripe = self.by_number.get_mut(&number)?;
        let changed = stripe.changes(&self.rows, number, pages);
        let reads = self.rows.needed(number, &changed, &stripe.known, pages);
        let read = reads.iter().fold(0, |all, of| all | of);
        let mut step = Step::default();
        if pages & !read != 0 {
            let changed = changed.of(pages & !read);
            self.take(number, &changed, pages & !read, &mut step);
            return Some(step);
        }
        (step.slots, step.cut) = stripe.go(pages);
        step.stripes.push((number, pages));
        know(&mut stripe.known, &changed, &reads, pages);
        self.rows.operations(number, &reads, false, &mut step.reads);
        written(&self.rows, number, &changed, pages, &mut step.writes);
        stripe.open.push(Open {
            number: free,
            pages,
            changed,
        });
        stripe.held = None;
        self.held.remove(&number);
        Some(step)
    }

    /// The pages of a stripe that is not whole in which writes may begin together, if any.
    fn partly(&mut self, number: u64) -> Option<Pages> {
        let (under_way, begun) = (self.whole, self.begun);
        let stripe = self.by_number.get_mut(&number)?;
        let coming = stripe.coming.iter().fold(0, |all, pages| all | pages);
        let taken = stripe.open.iter().fold(stripe.busy, |all, open| all | open.pages);
        let waiting = stripe.waiting.iter().filter(|piece| piece.pages & coming == 0);
        let free = waiting.fold(0, |all, piece| all | piece.pages & !taken);
        if free == 0 {
            return None;
        }
        if under_way > 0 && begun - *stripe.held.get_or_insert(begun) <= PASSED {
            self.held.insert(number);
            return None;
        }
        Some(free)
    }
}

/// The operations that write what is changed, with the parity of some pages.
fn written(rows: &Rows, number: u64, changed: &Changed, parity: Pages, writes: &mut Vec<MemberOp>) {
    let mut pages = changed.touched.clone();
    pages.push(parity);
    rows.operations(number, &pages, true, writes);
}

/// Know what is read and written in full, and the parity of what is changed.
fn know(known: &mut [Pages], changed: &Changed, reads: &[Pages], pages: Pages) {
    let written = changed.covered.iter().chain([&pages]);
    for (known, written) in known.iter_mut().zip(written) {
        *known |= written;
    }
    for (known, read) in known.iter_mut().zip(reads) {
        *known |= read;
    }
}

#[cfg(test)]
mod tests {
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
        left: BTreeMap<u32, u16>,
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
}
