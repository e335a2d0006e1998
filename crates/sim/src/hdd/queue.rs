//! The set of accesses that the drive may choose from, and the choice: shortest access time first, with a
//! limit to how long a command can be passed over. A stream is not left for something that is a little nearer.

use crate::hdd::geometry::{Geometry, Place};
use crate::hdd::seek::SeekCurve;
use crate::time::Ps;

/// Revolutions after which a command is taken next whatever its place: 2.1 s at 7200/min, 1 s at 15 000/min.
const AGE_LIMIT_REVOLUTIONS: u64 = 256;

/// Revolutions by which the first of the cached writes lets reads go first, those that are there and those
/// that may come. It falls linearly to nothing as the cache fills: then it is urgent, and there is much to
/// choose from. Assumed: half as much or four times as much changes a mixed load by 1 %, none at all by 5 %.
const DESTAGE_PATIENCE_REVOLUTIONS: f64 = 1.0;

/// What is to be done at the medium.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// First byte.
    pub offset: u64,
    /// Where that is.
    pub place: Place,
    /// Bytes.
    pub bytes: u32,
    /// Whether it writes.
    pub write: bool,
    /// The command that waits for it; none where the write was answered from the cache.
    pub command: Option<u32>,
    /// Since when it can be chosen.
    pub since: Ps,
}

impl Candidate {
    /// The byte behind its last.
    pub fn end(&self) -> u64 {
        self.offset + u64::from(self.bytes)
    }
}

/// Where the head is.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Its track and cylinder.
    pub place: Place,
    /// The byte that is under it at `at`.
    pub offset: u64,
    /// When.
    pub at: Ps,
}

/// The mechanics as formulas.
#[derive(Clone, Debug)]
pub struct Mechanics {
    /// The layout.
    pub geometry: Geometry,
    /// Seek times.
    pub seek: SeekCurve,
    /// What a write settles longer.
    pub write_settle: Ps,
}

impl Mechanics {
    /// Time from `now` until the head is over the first byte: none where the head comes over it now.
    #[inline]
    pub fn access(&self, head: &Head, now: Ps, to: &Candidate) -> Ps {
        if to.offset == head.offset && head.at == now {
            return Ps::ZERO;
        }
        let seek = self.settled(head, to);
        seek + self.geometry.rotation(now + seek, to.place.phase)
    }

    /// Seek, or switch of heads, and settling; nothing on the same track.
    #[inline]
    fn settled(&self, head: &Head, to: &Candidate) -> Ps {
        if to.place.track == head.place.track {
            return Ps::ZERO;
        }
        let distance = to.place.cylinder.abs_diff(head.place.cylinder).max(1);
        let settle = if to.write { self.write_settle } else { Ps::ZERO };
        self.seek.time(distance) + settle
    }
}

/// What the mechanics do next.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What is to be done.
    pub candidate: Candidate,
    /// Time until its first byte.
    pub access: Ps,
    /// Whether the arm moves for it.
    pub seeks: bool,
}

/// The candidates, in no order.
#[derive(Debug, Default)]
pub struct Queue {
    candidates: Vec<Candidate>,
    age_limit: Ps,
    patience: Ps,
}

impl Queue {
    /// Empty, of a drive with such a revolution.
    pub fn new(revolution: Ps) -> Self {
        Self {
            candidates: Vec::new(),
            age_limit: Ps(revolution.0 * AGE_LIMIT_REVOLUTIONS),
            patience: revolution.times(DESTAGE_PATIENCE_REVOLUTIONS),
        }
    }

    /// One more.
    pub fn push(&mut self, candidate: Candidate) {
        self.candidates.push(candidate);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Whether one begins where the head is now.
    pub fn follows(&self, head: &Head, now: Ps) -> bool {
        head.at == now
            && self
                .candidates
                .iter()
                .any(|candidate| candidate.offset == head.offset)
    }

    /// How long a cached write lets reads go first, by how full the cache is.
    pub fn patience(&self, fill: f64) -> Ps {
        self.patience.times((1.0 - fill).max(0.0))
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Take out the next one. `fill` is how full the write cache is, 0 to 1.
    pub fn take(&mut self, mechanics: &Mechanics, head: &Head, now: Ps, fill: f64) -> Option<Choice> {
        let overdue = self.overdue(now);
        let on_the_way = match overdue {
            None => self.on_the_way(mechanics, head, now),
            Some(_) => None,
        };
        if let Some((at, access)) = on_the_way {
            return Some(Choice {
                candidate: self.candidates.swap_remove(at),
                access,
                seeks: false,
            });
        }
        let at = overdue.or_else(|| self.nearest(mechanics, head, now, fill))?;
        let candidate = self.candidates.swap_remove(at);
        let access = mechanics.access(head, now, &candidate);
        Some(Choice {
            candidate,
            access,
            seeks: access > Ps::ZERO && candidate.place.cylinder != head.place.cylinder,
        })
    }

    /// The one that goes on with what the head has just read or written, and when it comes by: the first on the
    /// head's way. Nearer ones on other tracks would cost a return, half a revolution in the mean; so this one is
    /// taken if it comes by in less.
    fn on_the_way(&self, mechanics: &Mechanics, head: &Head, now: Ps) -> Option<(usize, Ps)> {
        if head.at != now {
            return None;
        }
        let (mut next, mut least) = (None, mechanics.geometry.track_bytes(head.offset) / 2);
        for (at, candidate) in self.candidates.iter().enumerate() {
            if let Some(gap) = candidate
                .offset
                .checked_sub(head.offset)
                .filter(|&gap| gap < least)
            {
                (next, least) = (Some(at), gap);
            }
        }
        next.map(|at| (at, mechanics.geometry.transfer(head.offset, least)))
    }

    /// The oldest command that has waited too long.
    fn overdue(&self, now: Ps) -> Option<usize> {
        let (mut oldest, mut since) = (None, Ps(now.0.saturating_sub(self.age_limit.0)));
        for (at, candidate) in self.candidates.iter().enumerate() {
            if candidate.since < since && candidate.command.is_some() {
                (oldest, since) = (Some(at), candidate.since);
            }
        }
        oldest
    }

    /// The one with the shortest access time. Those that the arm alone cannot reach in the best time so
    /// far are passed by without a look at their angle.
    fn nearest(&self, mechanics: &Mechanics, head: &Head, now: Ps, fill: f64) -> Option<usize> {
        let patience = self.patience(fill);
        let (mut best, mut least, mut reach) = (None, Ps(u64::MAX), u32::MAX);
        for (at, candidate) in self.candidates.iter().enumerate() {
            if candidate.place.cylinder.abs_diff(head.place.cylinder) > reach {
                continue;
            }
            let mut cost = mechanics.access(head, now, candidate);
            if candidate.command.is_none() {
                cost += patience;
            }
            if cost < least {
                (best, least, reach) = (Some(at), cost, mechanics.seek.reach(cost));
            }
        }
        best
    }
}
