//! Writes to arrays with parity that the host joins. Those that are outstanding on one stripe at the same time share an
//! update of its parity, and a stripe whose data are all there is written without reads, as Linux md does.
//!
//! A write is cut where stripes end. Its bytes of a stripe are written with all that waits there and changes the same parity,
//! and what comes meanwhile waits for the next update; what changes other parts of the parity goes beside it. A stripe that has
//! to read before it is written begins when no write that would go along is left in a core (what a worker sends at
//! once goes together: plugging), and not while whole stripes are under way, of which one that begins may pass it
//! (`preread_bypass_threshold`, 1 unless told otherwise: Linux, Documentation/admin-guide/md.rst).

use std::collections::{BTreeMap, BTreeSet};

use iodyno_load::request::Point;

use crate::system::System;
use crate::volume;

/// Whole stripes that may pass one that has to read.
const PASSED: u64 = 1;

/// By target, the stripes that are written; empty where none are gathered.
pub(super) fn stripes(point: &Point, system: &System) -> Vec<Option<Stripes>> {
    let loads = point.loads();
    let each = loads.iter().flat_map(volume::with_targets);
    let of = |(load, target)| {
        let layout = volume::gathered(load, system, target)?;
        let stripe = (layout.stripe_bytes()?, layout.strip_bytes());
        Some(Stripes::new(stripe, layout.degraded()))
    };
    let all: Vec<_> = each.map(of).collect();
    match all.iter().any(Option::is_some) {
        true => all,
        false => Vec::new(),
    }
}

/// A part of a write within a stripe.
#[derive(Clone, Copy, Debug)]
struct Piece {
    slot: u32,
    from: u64,
    to: u64,
    lines: u64,
}

/// A stripe that writes are on their way to. Its lines are parts of it at the same place of each strip, one bit each: what
/// changes different lines changes different bytes of the parity.
#[derive(Debug, Default)]
struct Stripe {
    /// Lines of each write for it that is in a core.
    coming: Vec<u64>,
    /// Lines that are being written.
    busy: u64,
    waiting: Vec<Piece>,
    /// How many updates with whole stripes had begun when it was first held back for such.
    held: Option<u64>,
}

/// What is written together.
#[derive(Debug, Default)]
pub(super) struct Update {
    /// Numbers and lines of the stripes, one behind the other.
    stripes: Vec<(u64, u64)>,
    /// Whether whole stripes are among them.
    whole: bool,
    /// Offsets and lengths in bytes; several only within one stripe.
    pub(super) parts: Vec<(u64, u32)>,
    /// The writes, once for each part of them.
    pub(super) slots: Vec<u32>,
}

impl Update {
    fn end(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.0 + u64::from(part.1))
    }
}

/// The stripes of a volume that are written.
#[derive(Debug)]
pub(super) struct Stripes {
    /// Bytes of a whole stripe and of a strip.
    bytes: u64,
    strip: u64,
    /// Whether a member is lost: then parts with gaps between them are written one after the other.
    degraded: bool,
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
    pub(super) fn new((bytes, strip): (u64, u64), degraded: bool) -> Self {
        Self {
            bytes,
            strip,
            degraded,
            by_number: BTreeMap::new(),
            look: BTreeSet::new(),
            held: BTreeSet::new(),
            whole: 0,
            begun: 0,
        }
    }

    /// The parts of a write, by stripe.
    fn cut(&self, slot: u32, offset: u64, bytes: u32) -> impl Iterator<Item = (u64, Piece)> + use<> {
        let (stripe, strip, end) = (self.bytes, self.strip, offset + u64::from(bytes));
        (offset / stripe..=(end - 1) / stripe).map(move |number| {
            let (from, to) = (offset.max(number * stripe), end.min((number + 1) * stripe));
            let lines = lines(from - number * stripe, to - number * stripe, strip);
            (
                number,
                Piece {
                    slot,
                    from,
                    to,
                    lines,
                },
            )
        })
    }

    /// A write is in a core and will arrive.
    pub(super) fn expect(&mut self, offset: u64, bytes: u32) {
        for (number, piece) in self.cut(0, offset, bytes) {
            self.by_number.entry(number).or_default().coming.push(piece.lines);
        }
    }

    /// A write that was expected arrives; gives how many parts it has.
    pub(super) fn arrive(&mut self, slot: u32, offset: u64, bytes: u32) -> u16 {
        let mut parts = 0;
        for (number, piece) in self.cut(slot, offset, bytes) {
            let stripe = self.by_number.get_mut(&number).expect("an expected write");
            let expected = stripe.coming.iter().position(|&lines| lines == piece.lines);
            stripe.coming.swap_remove(expected.expect("an expected write"));
            stripe.waiting.push(piece);
            self.look.insert(number);
            parts += 1;
        }
        parts
    }

    /// What is to be written now, if anything. Stripes that follow on each other go together.
    pub(super) fn next(&mut self) -> Option<Update> {
        loop {
            let number = *self.look.first()?;
            let Some(mut update) = self.take(number, None) else {
                self.look.remove(&number);
                continue;
            };
            let mut next = number + 1;
            while update.end() == next * self.bytes && self.look.contains(&next) {
                let Some(more) = self.take(next, Some(next * self.bytes)) else {
                    break;
                };
                update.parts[0].1 += more.parts[0].1;
                update.slots.extend(more.slots);
                update.stripes.extend(more.stripes);
                update.whole |= more.whole;
                next += 1;
            }
            if update.whole {
                self.whole += 1;
                self.begun += 1;
                self.look.extend(&self.held);
            }
            return Some(update);
        }
    }

    /// An update is on the drives.
    pub(super) fn done(&mut self, update: &Update) {
        for &(number, lines) in &update.stripes {
            let stripe = self.by_number.get_mut(&number).expect("a stripe under way");
            stripe.busy &= !lines;
            if stripe.busy == 0 && stripe.waiting.is_empty() && stripe.coming.is_empty() {
                self.by_number.remove(&number);
            } else {
                self.look.insert(number);
            }
        }
        if update.whole {
            self.whole -= 1;
            self.look.extend(&self.held);
        }
    }

    /// Begin to write what of a stripe may begin, if anything: all of it or what has lines in common, the first of it first;
    /// only one run of bytes from `at` on, where that is given.
    fn take(&mut self, number: u64, at: Option<u64>) -> Option<Update> {
        let all = (number * self.bytes, self.bytes as u32);
        let stripe = self.by_number.get(&number)?;
        let bytes: u64 = stripe.waiting.iter().map(|piece| piece.to - piece.from).sum();
        let whole = stripe.busy == 0 && bytes >= self.bytes && runs(&stripe.waiting)[0] == all;
        let lines = match whole {
            true => u64::MAX,
            false => self.partly(number)?,
        };
        let stripe = self.by_number.get_mut(&number)?;
        let goes = |piece: &Piece| piece.lines & !lines == 0;
        let now: Vec<_> = stripe.waiting.iter().copied().filter(goes).collect();
        let mut parts = runs(&now);
        if at.is_some_and(|at| parts.len() > 1 || parts[0].0 != at) {
            return None;
        }
        if self.degraded {
            parts.truncate(1);
        }
        let end = parts.last().map_or(0, |part| part.0 + u64::from(part.1));
        let goes = |piece: &Piece| goes(piece) && piece.to <= end;
        stripe.waiting.retain(|piece| !goes(piece));
        (stripe.busy, stripe.held) = (stripe.busy | lines, None);
        self.held.remove(&number);
        Some(Update {
            stripes: vec![(number, lines)],
            whole,
            parts,
            slots: now
                .iter()
                .filter(|piece| goes(piece))
                .map(|piece| piece.slot)
                .collect(),
        })
    }

    /// The lines of a stripe that is not whole in which writes may begin together, if any.
    fn partly(&mut self, number: u64) -> Option<u64> {
        let (under_way, begun) = (self.whole, self.begun);
        let stripe = self.by_number.get_mut(&number)?;
        let taken = stripe
            .coming
            .iter()
            .fold(stripe.busy, |taken, lines| taken | lines);
        let free = |piece: &&Piece| piece.lines & taken == 0;
        let first = stripe
            .waiting
            .iter()
            .filter(free)
            .min_by_key(|piece| piece.from)?;
        let mut lines = first.lines;
        if under_way > 0 && begun - *stripe.held.get_or_insert(begun) <= PASSED {
            self.held.insert(number);
            return None;
        }
        loop {
            let more = stripe
                .waiting
                .iter()
                .filter(free)
                .filter(|piece| piece.lines & lines > 0);
            let all = more.fold(lines, |all, piece| all | piece.lines);
            if all == lines {
                return Some(lines);
            }
            lines = all;
        }
    }
}

/// The lines of a range of a stripe.
fn lines(from: u64, to: u64, strip: u64) -> u64 {
    let line = strip.div_ceil(64);
    // The bits from one line on, and up to one.
    let after = |at: u64| u64::MAX << (at / line);
    let before = |at: u64| u64::MAX >> (63 - (at - 1) / line);
    let (first, last) = (from % strip, (to - 1) % strip + 1);
    match (to - 1) / strip - from / strip {
        0 => after(first) & before(last),
        1 => after(first) | before(last),
        _ => u64::MAX,
    }
}

/// The bytes of pieces, as offsets and lengths, in order and without overlaps.
fn runs(pieces: &[Piece]) -> Vec<(u64, u32)> {
    let mut sorted: Vec<_> = pieces.iter().map(|piece| (piece.from, piece.to)).collect();
    sorted.sort_unstable();
    let mut runs: Vec<(u64, u32)> = Vec::new();
    for (from, to) in sorted {
        match runs.last_mut() {
            Some(last) if from <= last.0 + u64::from(last.1) => {
                last.1 = last.1.max((to - last.0) as u32);
            }
            _ => runs.push((from, (to - from) as u32)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use iodyno_load::pattern::mix;

    use super::*;

    const STRIP: u64 = 65536;
    const STRIPE: u64 = 7 * STRIP;

    fn all_next(stripes: &mut Stripes) -> Vec<Update> {
        std::iter::from_fn(|| stripes.next()).collect()
    }

    fn write(stripes: &mut Stripes, slot: u32, offset: u64, bytes: u64) -> Vec<Update> {
        stripes.expect(offset, bytes as u32);
        stripes.arrive(slot, offset, bytes as u32);
        all_next(stripes)
    }

    /// What is under way at once changes no byte of the parity twice, and every part of every write is in one update, whose
    /// bytes are just those of its writes. With a lost member no update has gaps.
    #[test]
    fn no_two_updates_change_the_same_parity() {
        for degraded in [false, true] {
            let mut stripes = Stripes::new((STRIPE, STRIP), degraded);
            let (mut under_way, mut left) = (Vec::<Update>::new(), std::collections::BTreeMap::new());
            let (mut draw, mut stream) = ((0_u64..).map(|at| mix(5, at)), 0);
            let mut draw = |bound: u64| draw.next().expect("endless") % bound;
            for slot in 0..6000 {
                let bytes = (1 + draw(if slot % 9 == 0 { 300 } else { 20 })) * 4096;
                let offset = if draw(3) == 0 {
                    draw(40 * STRIPE) / 4096 * 4096
                } else {
                    stream
                };
                stream = (offset + bytes) % (40 * STRIPE);
                stripes.expect(offset, bytes as u32);
                left.insert(slot, stripes.arrive(slot, offset, bytes as u32));
                under_way.extend(all_next(&mut stripes));
                let mut busy = BTreeMap::new();
                for &(number, lines) in under_way.iter().flat_map(|update| &update.stripes) {
                    let of = busy.entry(number).or_insert(0_u64);
                    assert_eq!(*of & lines, 0, "stripe {number}");
                    *of |= lines;
                }
                while under_way.len() > 12 {
                    let done = under_way.swap_remove(draw(13) as usize);
                    assert!(!degraded || done.parts.len() == 1);
                    for slot in &done.slots {
                        *left.get_mut(slot).expect("a write") -= 1;
                    }
                    stripes.done(&done);
                    under_way.extend(all_next(&mut stripes));
                }
            }
            while let Some(done) = under_way.pop() {
                done.slots
                    .iter()
                    .for_each(|slot| *left.get_mut(slot).expect("a write") -= 1);
                stripes.done(&done);
                under_way.extend(all_next(&mut stripes));
            }
            assert!(left.values().all(|&left| left == 0), "a part is lost");
            assert!(stripes.by_number.is_empty() && stripes.held.is_empty() && stripes.whole == 0);
        }
    }

    #[test]
    fn what_waits_for_the_same_parity_goes_together() {
        let mut stripes = Stripes::new((STRIPE, STRIP), false);
        let first = write(&mut stripes, 0, 0, 8192);
        assert_eq!(first[0].parts, [(0, 8192)]);
        // Another place of the parity goes beside it, the same place waits.
        assert_eq!(write(&mut stripes, 1, 8192, 8192).len(), 1);
        assert!(write(&mut stripes, 2, STRIP, 8192).is_empty());
        assert!(write(&mut stripes, 3, 3 * STRIP + 4096, 4096).is_empty());
        stripes.done(&first[0]);
        let next = all_next(&mut stripes);
        assert_eq!(next.len(), 1);
        assert_eq!(next[0].parts, [(STRIP, 8192), (3 * STRIP + 4096, 4096)]);
        assert_eq!(next[0].slots, [2, 3]);
    }

    #[test]
    fn a_stripe_waits_for_what_is_in_a_core_and_for_whole_ones() {
        let mut stripes = Stripes::new((STRIPE, STRIP), false);
        for half in 0..2 {
            stripes.expect(half * 4096, 8192);
        }
        stripes.arrive(0, 0, 8192);
        assert!(stripes.next().is_none());
        stripes.arrive(1, 4096, 8192);
        assert_eq!(stripes.next().expect("both").parts, [(0, 12288)]);
        // A whole stripe goes at once, and what follows it waits for it: one may pass.
        let whole = write(&mut stripes, 2, STRIPE, STRIPE);
        assert!(whole[0].whole);
        assert!(write(&mut stripes, 3, 2 * STRIPE, STRIP).is_empty());
        assert_eq!(write(&mut stripes, 4, 5 * STRIPE, STRIPE).len(), 1);
        let passed = write(&mut stripes, 5, 6 * STRIPE, STRIPE);
        assert_eq!(passed.len(), 2);
        assert_eq!(passed[1].slots, [3]);
    }

    #[test]
    fn lines_are_places_of_a_strip() {
        assert_eq!(lines(0, 1024, STRIP), 1);
        assert_eq!(lines(STRIP + 1024, STRIP + 3072, STRIP), 0b110);
        assert_eq!(lines(1000, 1025, STRIP), 0b11);
        assert_eq!(lines(STRIP - 1024, STRIP + 1024, STRIP), 1 << 63 | 1);
        assert_eq!(lines(STRIP / 2, 2 * STRIP, STRIP), u64::MAX);
        assert_eq!(lines(0, 3 * STRIP, STRIP), u64::MAX);
    }
}
