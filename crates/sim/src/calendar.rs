//! The event queue: what happens next in virtual time. Events of one moment come in the order in
//! which they were put in, so one seed gives one result.
//!
//! A radix heap (Ahuja, Mehlhorn, Orlin & Tarjan 1990, Faster algorithms for the shortest path problem,
//! Journal of the ACM 37, 213–223): since nothing is put in before the present, an event waits in the bucket of the
//! highest bit in which its moment differs from the present, and moves to a lower one when the present comes near.
//! Events of one moment are always in the same bucket, in order.

use crate::time::Ps;

/// What an event is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The host's next step, of which `which` says what it is: `token` is the slot of an I/O, or a lane.
    Host,
    /// A next hop of a disk operation on its way: `token` is the operation.
    Hop,
    /// Something inside a drive: `which` is the drive, `token` is the drive's own.
    Drive,
    /// Something inside a controller: `which` is the controller, `token` is the controller's own.
    Controller,
}

/// An event: 8 bytes, and 8 for its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// Who is meant.
    pub kind: Kind,
    /// Index of the drive or controller; for the host, which step.
    pub which: u16,
    /// What it is about, in the numbers of whoever is meant.
    pub token: u32,
}

/// Buckets: one for the present, and one for each bit.
const BUCKETS: usize = 65;

/// Events in order of time.
#[derive(Debug)]
pub struct Calendar {
    now: Ps,
    /// Buckets that hold something, of those for a bit.
    held: u64,
    /// The first is that of the present, taken from its `taken`.
    buckets: Box<[Vec<(Ps, Event)>; BUCKETS]>,
    taken: usize,
}

impl Default for Calendar {
    fn default() -> Self {
        Self {
            now: Ps::ZERO,
            held: 0,
            buckets: Box::new(std::array::from_fn(|_| Vec::new())),
            taken: 0,
        }
    }
}

impl Calendar {
    /// The present moment.
    #[inline]
    pub fn now(&self) -> Ps {
        self.now
    }

    /// Put an event in; a moment that is past is the present.
    #[inline]
    pub fn at(&mut self, time: Ps, event: Event) {
        let time = time.max(self.now);
        self.put(time, event);
    }

    #[inline]
    fn put(&mut self, time: Ps, event: Event) {
        let bits = 64 - (time.0 ^ self.now.0).leading_zeros();
        self.held |= 1_u64.checked_shl(bits.wrapping_sub(1)).unwrap_or(0);
        self.buckets[bits as usize].push((time, event));
    }

    /// Go on to the next event.
    #[inline]
    #[allow(clippy::should_implement_trait)] // putting in goes on in between: no iterator
    pub fn next(&mut self) -> Option<Event> {
        if let Some(&(_, event)) = self.buckets[0].get(self.taken) {
            self.taken += 1;
            return Some(event);
        }
        self.buckets[0].clear();
        self.taken = 0;
        self.advance()
    }

    /// The present is over: go on to the first event of the lowest bucket, and deal out the others of it.
    fn advance(&mut self) -> Option<Event> {
        if self.held == 0 {
            return None;
        }
        let bit = self.held.trailing_zeros();
        self.held &= self.held - 1;
        let bucket = bit as usize + 1;
        if let [(time, event)] = self.buckets[bucket][..] {
            self.now = time;
            self.buckets[bucket].clear();
            return Some(event);
        }
        let dealt = std::mem::take(&mut self.buckets[bucket]);
        let first = (0..dealt.len()).min_by_key(|&at| dealt[at].0);
        let first = first.expect("a held bucket is not empty");
        let (time, event) = dealt[first];
        self.now = time;
        for &(time, event) in dealt[..first].iter().chain(&dealt[first + 1..]) {
            self.put(time, event);
        }
        self.buckets[bucket] = dealt;
        self.buckets[bucket].clear();
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use iodyno_load::pattern::mix;

    use super::*;

    fn event(token: u32) -> Event {
        Event {
            kind: Kind::Host,
            which: 0,
            token,
        }
    }

    /// Against a list that is sorted, stably, by moment.
    #[test]
    fn events_come_by_moment_and_then_in_the_order_of_putting_in() {
        for spread in [1, 3, 50, 1 << 20, 1 << 45] {
            let (mut calendar, mut list) = (Calendar::default(), Vec::new());
            for step in 0..5_000_u32 {
                let draw = mix(7, u64::from(step));
                for more in 0..draw % 3 {
                    let time = Ps(calendar.now().0 + mix(draw, more) % spread);
                    calendar.at(time, event(step));
                    list.push((time, step));
                }
                if draw & 4 == 4 && !list.is_empty() {
                    list.sort_by_key(|&(time, _)| time);
                    let (time, token) = list.remove(0);
                    let next = calendar.next().expect("an event");
                    assert_eq!((calendar.now(), next.token), (time, token), "spread {spread}");
                }
            }
        }
    }

    #[test]
    fn a_moment_that_is_past_is_the_present() {
        let mut calendar = Calendar::default();
        calendar.at(Ps(100), event(1));
        assert!(calendar.next().is_some());
        calendar.at(Ps(10), event(2));
        assert_eq!(calendar.next().map(|event| event.token), Some(2));
        assert_eq!((calendar.now(), calendar.next()), (Ps(100), None));
    }
}
