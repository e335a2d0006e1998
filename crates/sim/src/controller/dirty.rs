//! Dirty bytes in the cache, as extents in order of position: neighbours become one.

use std::collections::{BTreeMap, VecDeque};

/// Dirty extents.
#[derive(Debug)]
pub(super) struct Dirty {
    /// Start to end.
    extents: BTreeMap<u64, u64>,
    /// Bytes that are best written together: a full stripe.
    unit: u64,
    /// Units that have become dirty as a whole, oldest first.
    full: VecDeque<u64>,
}

impl Dirty {
    pub(super) fn new(unit: u64) -> Self {
        Self {
            extents: BTreeMap::new(),
            unit,
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

    /// Make a range dirty; gives how many bytes were not.
    pub(super) fn insert(&mut self, from: u64, to: u64) -> u64 {
        let (mut start, mut end, mut known) = (from, to, 0);
        while let Some((&other, &other_end)) = self.extents.range(..=end).next_back() {
            if other_end < start {
                break;
            }
            known += other_end.min(to).saturating_sub(other.max(from));
            self.extents.remove(&other);
            (start, end) = (start.min(other), end.max(other_end));
        }
        self.extents.insert(start, end);
        self.note_full((start, end), (from, to));
        to - from - known
    }

    /// Remember the units in which something was written and that are whole now.
    fn note_full(&mut self, extent: (u64, u64), written: (u64, u64)) {
        if extent.1 - extent.0 < self.unit {
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

    /// The first extent from a position on, or else the first of all; no more of it than lies in one unit, unless units are
    /// of no account for what is not longer than one (`across`).
    pub(super) fn next_from(&self, position: u64, across: bool) -> Option<(u64, u64)> {
        let next = self
            .extents
            .range(position..)
            .next()
            .or_else(|| self.extents.iter().next());
        next.map(|(&start, &end)| (start, self.together(start, end, across)))
    }

    /// Where what is destaged together ends, of a range that is dirty.
    pub(super) fn together(&self, start: u64, end: u64, across: bool) -> u64 {
        if across && end - start <= self.unit {
            return end;
        }
        end.min((start / self.unit + 1) * self.unit)
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

    #[test]
    fn extents_are_a_set_of_bytes() {
        let (mut dirty, mut oracle) = (Dirty::new(16), vec![false; 256]);
        let mut draw = (0_u64..).map(|at| iodyno_load::pattern::mix(7, at));
        let mut draw = |bound: u64| draw.next().expect("endless") % bound;
        for _ in 0..5000 {
            let from = draw(250);
            let to = from + 1 + draw(6);
            if draw(3) > 0 {
                let new = (from..to).filter(|&at| !oracle[at as usize]).count();
                assert_eq!(dirty.insert(from, to), new as u64);
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
        let mut dirty = Dirty::new(16);
        assert_eq!(dirty.insert(8, 24), 16);
        assert_eq!(dirty.take_full(), None);
        assert_eq!(dirty.insert(24, 40), 16);
        assert_eq!(dirty.take_full(), Some((16, 32)));
        assert_eq!(dirty.take_full(), None);
        assert_eq!(dirty.next_from(0, false), Some((8, 16)));
        assert_eq!(dirty.next_from(20, false), Some((32, 40)));
        assert_eq!(dirty.next_from(50, false), Some((8, 16)));
        assert_eq!(dirty.insert(16, 22), 6);
        assert_eq!(dirty.next_from(0, false), Some((8, 16)));
        assert_eq!(dirty.next_from(0, true), Some((8, 22)));
        assert_eq!(dirty.insert(22, 26), 4);
        assert_eq!(dirty.next_from(0, true), Some((8, 16)));
    }
}
