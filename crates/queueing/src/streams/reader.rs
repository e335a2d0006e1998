//! Who reads a stream that is fetched ahead: how far it has come decides what is fetched next.

use serde::{Deserialize, Serialize};

/// Readers before whom a controller fetches ahead, one for each stream.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Readers {
    /// Reads that each has outstanding, at least 1.
    pub outstanding: usize,
    /// Bytes of one.
    pub bytes: f64,
    /// Seconds of a read that has been fetched.
    pub way_s: f64,
    /// Bytes that are fetched at once, as often as this ahead of where a reader is.
    pub ahead: f64,
}

impl Readers {
    /// Bytes that a reader asks for at once.
    fn asks(&self) -> f64 {
        self.outstanding as f64 * self.bytes
    }
}

/// A reader on its way: what has come it takes at its own pace, and it asks for a little more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    /// What it has asked for at a moment, in bytes from its beginning.
    asked: f64,
    at: f64,
    /// What has come.
    come: f64,
    /// What has been sent for.
    sent: f64,
    /// When more is sent for.
    pub(super) due: f64,
}

impl Reader {
    pub(super) fn new(readers: &Readers) -> Self {
        Self {
            asked: readers.asks(),
            at: 0.0,
            come: 0.0,
            sent: 0.0,
            due: 0.0,
        }
    }

    /// So many bytes more have come.
    pub(super) fn comes(&mut self, bytes: f64, now: f64, readers: &Readers) {
        self.go_on(now, readers);
        self.come += bytes;
        self.plan(bytes, readers);
    }

    /// So many more are sent for.
    pub(super) fn sends(&mut self, bytes: f64, now: f64, readers: &Readers) {
        self.go_on(now, readers);
        self.sent += bytes;
        self.plan(bytes, readers);
    }

    fn most(&self, readers: &Readers) -> f64 {
        self.come + readers.asks()
    }

    fn go_on(&mut self, now: f64, readers: &Readers) {
        let passed = readers.asks() * (now - self.at) / readers.way_s;
        self.asked = self.most(readers).min(self.asked + passed);
        self.at = now;
    }

    /// Find when it has come so far that more is sent for.
    fn plan(&mut self, bytes: f64, readers: &Readers) {
        let from = self.sent - readers.ahead * bytes;
        self.due = if self.most(readers) > from {
            self.at + (from - self.asked).max(0.0) * readers.way_s / readers.asks()
        } else {
            f64::INFINITY
        };
    }
}
