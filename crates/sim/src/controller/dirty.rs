//! Dirty bytes in the cache, as extents in order of position: neighbours become one.

use std::collections::{BTreeMap, VecDeque};

/// Dirty extents.
#[derive(Debug)]
pub(super) struct Dirty {
    /// Start to end.
    extents: BTreeMap<u64, u64>,
    /// Bytes that are best written together: a full stripe.
    unit: u64,
    /// Whether units that have become dirty as a whole go before others.
    whole: bool,
    /// They, oldest first.
    full: VecDeque<u64>,
}

/// Longest extent that is destaged whole where units are of no account, in bytes: with it a drive streams.
const LONGEST: u64 = 1 << 20;

impl Dirty {
    pub(super) fn new(unit: u64, whole: bool) -> Self {
        Self {
            extents: BTreeMap::new(),
            unit,
            whole,
            full: VecDeque::new(),
        }
    }

    /// Bytes that are best written together.
    #[inline]
    pub(super) fn unit(&self) -> u64 {
        self.unit
    }

    /// Whether all of a range is dirty.
    #[inline]
    pub(super) fn covers(&self, from: u64, to: u64) -> bool {
        let before = self.extents.range(..=from).next_back();
        before.is_some_and(|(_, &end)| end >= to)
    }

    /// Make a range dirty; calls `new` with each part of it that was not, from behind.
    pub(super) fn insert(&mut self, from: u64, to: u64, mut new: impl FnMut(u64, u64)) {
        let (mut start, mut end, mut known) = (from, to, to);
        while let Some((&other, &other_end)) = self.extents.range(..=end).next_back() {
            if other_end < start {
                break;
            }
            if other_end < known {
                new(other_end.max(from), known);
            }
            known = known.min(other.max(from));
            self.extents.remove(&other);
            (start, end) = (start.min(other), end.max(other_end));
        }
        if from < known {
            new(from, known);
        }
        self.extents.insert(start, end);
        self.note_full((start, end), (from, to));
    }

    /// Remember the units in which something was written and that are whole now.
    fn note_full(&mut self, extent: (u64, u64), written: (u64, u64)) {
        if !self.whole || extent.1 - extent.0 < self.unit {
            return;
        }
        for unit in written.0 / self.unit..written.1.div_ceil(self.unit) {
            let at = unit * self.unit;
            if extent.0 <= at && at + self.unit <= extent.1 {
                self.full.push_back(at);
            }
        }
    }

    /// Take a unit that is dirty as a whole.
    pub(super) fn take_full(&mut self) -> Option<(u64, u64)> {
        while let Some(at) = self.full.pop_front() {
            if self.covers(at, at + self.unit) {
                self.take(at, at + self.unit);
                return Some((at, at + self.unit));
            }
        }
        None
    }

    /// The first extent from a position on, or else the first of all; no more of it than is destaged together.
    pub(super) fn next_from(&self, position: u64, across: bool) -> Option<(u64, u64)> {
        let next = self
            .extents
            .range(position..)
            .next()
            .or_else(|| self.extents.iter().next());
        next.map(|(&start, &end)| (start, self.together(start, end, across)))
    }

    /// Where what is destaged together ends, of a range that is dirty: with the unit; or, where units are of no account
    /// (`across`), with the last that begins within the longest that goes whole.
    pub(super) fn together(&self, start: u64, end: u64, across: bool) -> u64 {
        let longest = if across { self.unit.max(LONGEST) } else { 0 };
        if end - start <= longest {
            return end;
        }
        let whole = (start + longest) / self.unit * self.unit;
        end.min(whole.max((start / self.unit + 1) * self.unit))
    }

    /// Make a range clean, whatever of it is dirty.
    pub(super) fn clear(&mut self, from: u64, to: u64) {
        while let Some((&start, &end)) = self.extents.range(..to).next_back() {
            if end <= from {
                return;
            }
            self.take(start.max(from), end.min(to));
        }
    }

    /// Take a range that is dirty.
    pub(super) fn take(&mut self, from: u64, to: u64) {
        let (&start, &end) = self.extents.range(..=from).next_back().expect("a dirty range");
        self.extents.remove(&start);
        if start < from {
            self.extents.insert(start, from);
        }
        if to < end {
            self.extents.insert(to, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(dirty: &mut Dirty, from: u64, to: u64) -> u64 {
        let mut found = 0;
        dirty.insert(from, to, |from, to| found += to - from);
        found
    }

    #[test]
    fn extents_are_a_set_of_bytes() {
        let (mut dirty, mut oracle) = (Dirty::new(16, true), vec![false; 256]);
        let mut draw = (0_u64..).map(|at| iodyno_load::pattern::mix(7, at));
        let mut draw = |bound: u64| draw.next().expect("endless") % bound;
        for _ in 0..5000 {
            let from = draw(250);
            let to = from + 1 + draw(6);
            if draw(3) > 0 {
                let new = (from..to).filter(|&at| !oracle[at as usize]).count();
                assert_eq!(insert(&mut dirty, from, to), new as u64);
                (from..to).for_each(|at| oracle[at as usize] = true);
            } else if let Some((from, to)) = if draw(2) == 0 {
                dirty.take_full()
            } else {
                dirty.next_from(from, false)
            } {
                if dirty.covers(from, to) {
                    dirty.take(from, to);
                }
                assert!((from..to).all(|at| oracle[at as usize]));
                (from..to).for_each(|at| oracle[at as usize] = false);
            }
            let covered = (from..to.min(256)).all(|at| oracle[at as usize]);
            assert_eq!(dirty.covers(from, to.min(256)), covered);
        }
    }

    #[test]
    fn a_unit_is_full_when_its_last_byte_comes() {
        let mut dirty = Dirty::new(16, true);
        assert_eq!(insert(&mut dirty, 8, 24), 16);
        assert_eq!(dirty.take_full(), None);
        assert_eq!(insert(&mut dirty, 24, 40), 16);
        assert_eq!(dirty.take_full(), Some((16, 32)));
        assert_eq!(dirty.take_full(), None);
        assert_eq!(dirty.next_from(0, false), Some((8, 16)));
        assert_eq!(dirty.next_from(20, false), Some((32, 40)));
        assert_eq!(dirty.next_from(50, false), Some((8, 16)));
        assert_eq!(insert(&mut dirty, 16, 22), 6);
        assert_eq!(dirty.next_from(0, false), Some((8, 16)));
        assert_eq!(dirty.next_from(0, true), Some((8, 22)));
        assert_eq!(insert(&mut dirty, 22, 26), 4);
        assert_eq!(dirty.next_from(0, true), Some((8, 26)));
    }

    #[test]
    fn without_units_what_lies_together_goes_together() {
        let mut dirty = Dirty::new(LONGEST / 4, false);
        let end = LONGEST * 9 / 8;
        assert_eq!(insert(&mut dirty, 100, end), end - 100);
        assert_eq!(dirty.take_full(), None);
        assert_eq!(dirty.next_from(0, true), Some((100, LONGEST)));
        assert_eq!(dirty.next_from(0, false), Some((100, LONGEST / 4)));
        dirty.clear(50, LONGEST / 2);
        dirty.clear(LONGEST, LONGEST + 1);
        assert_eq!(dirty.next_from(0, true), Some((LONGEST / 2, LONGEST)));
        assert_eq!(dirty.next_from(LONGEST, true), Some((LONGEST + 1, end)));
    }
}
