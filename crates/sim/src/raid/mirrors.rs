//! Levels with copies: where they lie, and which of them a read takes.

use super::{Layout, Range, Seen, Work, push};
use crate::system::MirrorRead;

/// A copy that can be read.
#[derive(Clone, Copy, Debug)]
struct Mirror {
    member: u64,
    under_way: u32,
    /// Bytes from where its arm is likely to be.
    distance: u64,
}

impl Mirror {
    #[inline]
    fn new((member, offset): (u64, u64), seen: Seen) -> Self {
        Self {
            member,
            under_way: seen.under_way,
            distance: offset.abs_diff(seen.arm),
        }
    }

    /// This one if it is better, else the other.
    #[inline]
    fn or(self, other: Self, better: bool) -> Self {
        if better { self } else { other }
    }

    /// Whether it has fewer operations under way than another.
    #[inline]
    fn is_idler(&self, other: &Self) -> bool {
        self.under_way < other.under_way
    }

    /// Whether it is nearer than another and has at most twice as many operations under way.
    #[inline]
    fn is_nearer(&self, other: &Self) -> bool {
        let counts = (self.under_way, other.under_way);
        let unequal = counts.0.max(counts.1) > 2 * counts.0.min(counts.1);
        if unequal || self.distance == other.distance {
            return self.is_idler(other);
        }
        self.distance < other.distance
    }
}

/// In which order more than two mirrors are looked at, of which the first of the idlest reads: first those whose last read
/// this one follows, the closest first, so that each of several streams stays with a drive, and one of more outstanding with
/// as many as it needs; then in turns, from the one after who read last.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// The member after the one that read last.
    next: u64,
    /// Where the last read of each member has ended.
    ends: Vec<u64>,
    order: Vec<u64>,
}

impl Turns {
    fn look(&mut self, copies: u64, range: Range) {
        self.ends.resize(copies as usize, u64::MAX);
        self.order.clear();
        self.order.extend((self.next..copies).chain(0..self.next));
        // Between two reads of a stream there is one of each other mirror at the most.
        let others = (copies - 1) * range.bytes();
        let gap = |end: u64| range.from.checked_sub(end).filter(|&gap| gap <= others);
        self.order
            .sort_by_key(|&member| gap(self.ends[member as usize]).unwrap_or(u64::MAX));
    }

    #[inline]
    fn took(&mut self, member: u64, copies: u64, to: u64) {
        self.ends[member as usize] = to;
        self.next = (member + 1) % copies;
    }
}

impl Layout {
    /// An access to a set of copies.
    #[inline]
    pub(super) fn copies(
        &self,
        set: (u64, u64),
        write: bool,
        range: Range,
        seen: &impl Fn(usize) -> Seen,
        work: &mut Work,
    ) {
        let (set, copies) = set;
        let first = set * copies;
        if write {
            for member in (first..first + copies).filter(|&member| self.alive(member)) {
                push(&mut work.now, member, true, range);
            }
            return;
        }
        if copies > 2 {
            return self.one_of_many(copies, range, seen, work);
        }
        let mut turn = if copies == 2 { work.turn(set, range) } else { 0 };
        if copies == 2 && self.mirror_read == (MirrorRead::Spread { from_outstanding: 0 }) {
            let [one, other] = [first, first + 1].map(|member| seen(member as usize).under_way);
            if one == other && one > 0 {
                turn = work.draw().unwrap_or(turn);
            }
        }
        let turn = first + self.turn_of(turn);
        let in_turn = (turn..first + copies).chain(first..turn);
        let member = self.choose(in_turn.map(|member| (member, range.from)), seen);
        push(&mut work.now, member, false, range);
    }

    /// A read of more than two mirrors, which are the only set.
    fn one_of_many(&self, copies: u64, range: Range, seen: &impl Fn(usize) -> Seen, work: &mut Work) {
        let turns = &mut work.turns_of_many;
        turns.look(copies, range);
        let place = |at: u64| match self.turn_of(at + 1) {
            0 => at,
            _ => turns.order[at as usize],
        };
        let member = self.choose((0..copies).map(|at| (place(at), range.from)), seen);
        turns.took(member, copies, range.to);
        push(&mut work.now, member, false, range);
    }

    /// Whose turn it is, where turns are taken: else that of the first.
    #[inline]
    fn turn_of(&self, turn: u64) -> u64 {
        match self.mirror_read {
            MirrorRead::Spread { from_outstanding: 0 } | MirrorRead::Nearest => turn,
            MirrorRead::Spread { .. } | MirrorRead::Primary => 0,
        }
    }

    /// An access to a strip of RAID 1E.
    pub(super) fn shifted(
        &self,
        strip: u64,
        write: bool,
        range: Range,
        seen: &impl Fn(usize) -> Seen,
        work: &mut Work,
    ) {
        let (column, row) = (strip % self.members, strip / self.members * 2);
        let own = (column, range.above(row * self.strip));
        let twin = self.twin(own.0, own.1);
        if write {
            for (member, range) in [own, twin].into_iter().filter(|copy| self.alive(copy.0)) {
                push(&mut work.now, member, true, range);
            }
            return;
        }
        let in_turn = match self.turn_of(work.turn(column, own.1)) {
            0 => [own, twin],
            _ => [twin, own],
        };
        let in_turn = in_turn.map(|(member, range)| (member, range.from));
        let member = self.choose(in_turn.into_iter(), seen);
        let (member, range) = if member == own.0 { own } else { twin };
        push(&mut work.now, member, false, range);
    }

    /// Where the other copy of bytes on a member of a RAID 1E is.
    pub(super) fn twin(&self, member: u64, range: Range) -> (u64, Range) {
        let row = range.from / self.strip;
        let within = Range {
            from: range.from - row * self.strip,
            to: range.to - row * self.strip,
        };
        match row % 2 {
            0 => ((member + 1) % self.members, within.above((row + 1) * self.strip)),
            _ => (
                (member + self.members - 1) % self.members,
                within.above((row - 1) * self.strip),
            ),
        }
    }

    /// The copy that a read takes, of members with the offset of it on each, the one whose turn it is first.
    #[inline]
    fn choose(&self, copies: impl Iterator<Item = (u64, u64)>, seen: &impl Fn(usize) -> Seen) -> u64 {
        let alive = copies.filter(|copy| self.alive(copy.0));
        let mut alive = alive.map(|copy| Mirror::new(copy, seen(copy.0 as usize)));
        let first = alive.next().expect("a surviving copy");
        let best = match self.mirror_read {
            MirrorRead::Primary => first,
            MirrorRead::Spread { from_outstanding } if first.under_way < from_outstanding => first,
            MirrorRead::Spread { .. } => alive.fold(first, |best, copy| copy.or(best, copy.is_idler(&best))),
            MirrorRead::Nearest => alive.fold(first, |best, copy| copy.or(best, copy.is_nearer(&best))),
        };
        best.member
    }
}
