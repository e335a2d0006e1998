//! Writes to arrays with parity that the host joins, as Linux md makes them (drivers/md/raid5.c). Those that are outstanding on
//! one stripe at the same time share an update of its parity, a stripe whose data are all there is written without reads, and
//! pages that were read or written last are not read again.
//!
//! A write is cut where stripes end, and further where only some pages of it can go. Its pages of a stripe are written with all
//! that waits there and changes the same parity. What comes while an update of the same pages still reads joins it, and reads what
//! is missing for it; what comes later waits for the next update; what changes other pages goes beside it. A stripe
//! that has to read before it is written begins when no write that would go along is left in a core (what a worker sends at
//! once goes together: plugging), and not while whole stripes are under way, of which one that begins may pass it
//! (`preread_bypass_threshold`, 1 unless told otherwise: Linux, Documentation/admin-guide/md.rst). md does that to writes that
//! nobody waits for; for direct ones the rule stands in for what its thread finds together.

use std::collections::{BTreeMap, BTreeSet};

use iodyno_load::request::Point;

use super::kept::Kept;
use super::pages::{ByStrip, Changed, Pages, Rows};
use crate::raid::MemberOp;
use crate::system::System;
use crate::{usage, volume};

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
            if let Some(rows) = usage::gathered(load, system, target).and_then(Rows::new) {
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
    pub(super) fn arrive(&mut self, slot: u32, offset: u64, bytes: u32) -> u32 {
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
mod tests;
