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

/// A reader on its way: what has come it takes at its own pace, and it asks for a little more. What has come in any other
/// order it takes where it gets there.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// What it has asked for at a moment, in bytes from its beginning.
    asked: f64,
    at: f64,
    /// Up to where all has come, and where other pieces begin that have, in order.
    come: f64,
    beyond: Vec<f64>,
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
            beyond: Vec::new(),
            sent: 0.0,
            due: 0.0,
        }
    }

    /// A piece of so many bytes has come.
    pub(super) fn comes(&mut self, piece: usize, bytes: f64, now: f64, readers: &Readers) {
        self.go_on(now, bytes, readers);
        let from = piece as f64 * bytes;
        let place = self.beyond.partition_point(|&other| other < from);
        self.beyond.insert(place, from);
        while self.beyond.first().is_some_and(|&first| first <= self.come) {
            self.beyond.remove(0);
            self.come += bytes;
        }
        self.plan(bytes, readers);
    }

    /// So many more are sent for.
    pub(super) fn sends(&mut self, bytes: f64, now: f64, readers: &Readers) {
        self.go_on(now, bytes, readers);
        self.sent += bytes;
        self.plan(bytes, readers);
    }

    /// How far it can ask, with what lacks on the way there outstanding.
    fn most(&self, bytes: f64, readers: &Readers) -> f64 {
        let asks = self.come + readers.asks();
        (self.beyond.iter()).fold(asks, |most, &from| if from < most { most + bytes } else { most })
    }

    fn go_on(&mut self, now: f64, bytes: f64, readers: &Readers) {
        let passed = readers.asks() * (now - self.at) / readers.way_s;
        self.asked = self.most(bytes, readers).min(self.asked + passed);
        self.at = now;
    }

    /// Find when it has come so far that more is sent for.
    fn plan(&mut self, bytes: f64, readers: &Readers) {
        let from = self.sent - readers.ahead * bytes;
        self.due = if self.most(bytes, readers) > from {
            self.at + (from - self.asked).max(0.0) * readers.way_s / readers.asks()
        } else {
            f64::INFINITY
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of 10 bytes, and 15 outstanding in reads of 5: without the first piece a reader asks for 15, takes what of the
    /// second it gets to, and asks for as much more; what begins behind that does not help it.
    #[test]
    fn a_reader_waits_for_what_lies_before() {
        let readers = Readers {
            outstanding: 3,
            bytes: 5.0,
            way_s: 1.0,
            ahead: 4.0,
        };
        let mut reader = Reader::new(&readers);
        let mut most = |piece| {
            reader.comes(piece, 10.0, 0.0, &readers);
            (reader.come, reader.most(10.0, &readers))
        };
        assert_eq!(most(4), (0.0, 15.0));
        assert_eq!(most(1), (0.0, 25.0));
        assert_eq!(most(2), (0.0, 35.0));
        assert_eq!(most(0), (30.0, 55.0));
        assert_eq!(most(3), (50.0, 65.0));
    }

    /// Two outstanding and one fetched ahead, of 100 bytes each, 2 s for two: three are sent for before any has come. Once these are
    /// there the reader goes on, and for each that it has taken one more is sent for: the first at once, the next 1 s later.
    #[test]
    fn as_many_are_sent_for_as_are_outstanding_and_ahead() {
        let readers = Readers {
            outstanding: 2,
            bytes: 100.0,
            way_s: 2.0,
            ahead: 1.0,
        };
        let mut reader = Reader::new(&readers);
        let sends = |reader: &mut Reader, now: f64| {
            let mut sent = 0;
            while reader.due <= now {
                reader.sends(100.0, now, &readers);
                sent += 1;
            }
            sent
        };
        assert_eq!((sends(&mut reader, 0.0), reader.due), (3, f64::INFINITY));
        (0..3).for_each(|piece| reader.comes(piece, 100.0, 1.0, &readers));
        assert_eq!((sends(&mut reader, 1.0), reader.due), (1, 2.0));
        assert_eq!((sends(&mut reader, 2.0), reader.due), (1, 3.0));
    }
}
