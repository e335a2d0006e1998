//! Read-ahead: after a read the head stays on the track and fills the buffer until something else is
//! wanted, so that the next read of the stream is there already or passes by without a lost revolution.

use crate::hdd::geometry::Geometry;
use crate::time::Ps;

/// What the buffer holds of the newest stream, and how far the head has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead {
    /// First byte in the buffer.
    start: u64,
    /// The head was, or will be, over this byte at `since`.
    from: u64,
    since: Ps,
    /// The head stops here.
    limit: u64,
}

/// How a read stands to the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// In the buffer.
    Held,
    /// Passes under the head, all of it by this moment.
    Coming(Ps),
    /// Somewhere else.
    Elsewhere,
}

impl Ahead {
    /// The byte up to which the buffer is filled.
    #[inline]
    pub fn frontier(&self, now: Ps, geometry: &Geometry) -> u64 {
        let passed = geometry.passed(self.from, now.since(self.since));
        self.limit.min(self.from + passed)
    }

    /// First byte in the buffer, and the one up to which it is filled.
    pub fn held(&self, now: Ps, geometry: &Geometry) -> (u64, u64) {
        (self.start, self.frontier(now, geometry))
    }

    /// Whether the head is still reading.
    #[inline]
    pub fn runs(&self, now: Ps, geometry: &Geometry) -> bool {
        self.frontier(now, geometry) < self.limit
    }

    /// Where a read of `offset..end` is.
    pub fn standing(&self, offset: u64, end: u64, now: Ps, geometry: &Geometry) -> Standing {
        let frontier = self.frontier(now, geometry);
        if offset < self.start || offset > frontier.max(self.limit) || self.limit == 0 {
            Standing::Elsewhere
        } else if end <= frontier {
            Standing::Held
        } else if frontier < self.limit || now <= self.since {
            Standing::Coming(self.since + geometry.transfer(self.from, end - self.from))
        } else {
            Standing::Elsewhere
        }
    }

    /// The head goes elsewhere: what the buffer holds stays.
    #[inline]
    pub fn stop(&mut self, now: Ps, geometry: &Geometry) {
        self.limit = self.frontier(now, geometry);
    }

    /// A read from `offset` has brought the head to `end` now: go on up to `bytes` more. It continues the
    /// stream where it touches it, else begins a new one.
    pub fn follow(&mut self, offset: u64, end: u64, now: Ps, bytes: u64) {
        if offset < self.start || offset > self.limit {
            self.start = offset;
        }
        self.start = self.start.max(end.saturating_sub(bytes));
        (self.from, self.since, self.limit) = (end, now, end + bytes);
    }

    /// A read up to `end` was served from the buffer while the head runs: it may go on so much further.
    pub fn extend(&mut self, end: u64, bytes: u64) {
        self.limit = self.limit.max(end + bytes);
        self.start = self.start.max(end.saturating_sub(bytes));
    }

    /// Where the head would go on, if the buffer is half used up and the head has stopped.
    pub fn thirst(&self, end: u64, bytes: u64) -> Option<u64> {
        (self.limit.saturating_sub(end) < bytes / 2).then_some(self.limit)
    }

    /// Go on from where the head had stopped, from a later moment on.
    pub fn resume(&mut self, at: Ps, end: u64, bytes: u64) {
        (self.from, self.since) = (self.limit, at);
        self.extend(end, bytes);
    }
}
