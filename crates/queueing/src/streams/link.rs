//! The link of a disk: what is read leaves over it while more passes the head, and where it has one direction for both,
//! what is written comes over it in between.

use super::Streams;

/// What has to be there before a link begins with it, in bytes.
const PAGE_BYTES: f64 = 4096.0;

/// The link, and when it is taken.
#[derive(Debug)]
pub(super) struct Link {
    shared: bool,
    takes_s: f64,
    /// Of a read, all but the first page.
    overlaps: f64,
    /// From when to when it was taken the last time.
    taken: (f64, f64),
}

impl Link {
    pub(super) fn new(streams: &Streams) -> Self {
        Self {
            shared: streams.link_shared,
            takes_s: streams.link_s,
            overlaps: (1.0 - PAGE_BYTES / streams.bytes).max(0.0),
            taken: (0.0, 0.0),
        }
    }

    /// Data begin to pass, as soon as what is on it from the other side has passed: gives when.
    pub(super) fn pass(&mut self, at: f64) -> f64 {
        let (from, to) = self.taken;
        if !self.shared || at + self.takes_s <= from {
            return at;
        }
        let begins = at.max(to);
        self.taken = (begins, begins + self.takes_s);
        begins
    }

    /// For how long a read has been leaving that has passed the head in so long, and was asked for so long ago.
    pub(super) fn flowing(&self, passing_s: f64, asked_s: f64) -> f64 {
        passing_s.min(asked_s).min(self.takes_s) * self.overlaps
    }
}
