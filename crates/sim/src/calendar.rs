//! The event queue: what happens next in virtual time. Events of one moment come in the order in
//! which they were put in, so one seed gives one result.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::time::Ps;

/// What an event is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The host's next step for an I/O: `token` is its slot.
    Host,
    /// A next hop of a disk operation on its way: `token` is the operation.
    Hop,
    /// Something inside a drive: `which` is the drive, `token` is the drive's own.
    Drive,
    /// Something inside a controller: `which` is the controller, `token` is the controller's own.
    Controller,
}

/// An event: 16 bytes with its moment and order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// Who is meant.
    pub kind: Kind,
    /// Index of the drive or controller; 0 for the host.
    pub which: u16,
    /// What it is about, in the numbers of whoever is meant.
    pub token: u32,
}

/// Events in order of time.
#[derive(Debug, Default)]
pub struct Calendar {
    now: Ps,
    order: u64,
    events: BinaryHeap<Reverse<(Ps, u64, Event)>>,
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
        self.order += 1;
        self.events.push(Reverse((time.max(self.now), self.order, event)));
    }

    /// Go on to the next event.
    #[inline]
    #[allow(clippy::should_implement_trait)] // putting in goes on in between: no iterator
    pub fn next(&mut self) -> Option<Event> {
        let Reverse((time, _, event)) = self.events.pop()?;
        self.now = time;
        Some(event)
    }
}
