//! The way of a read: dies, then data path.

use super::reads::Read;
use super::{READ, Ssd, TO_DIES};
use crate::calendar::Calendar;
use crate::operation::Done;
use crate::time::Ps;

impl Ssd {
    /// Reads come to the dies in order; only among programs does it matter when the reservation is made, and behind reads that
    /// wait for that.
    #[inline]
    pub(super) fn read(&mut self, read: Read, calendar: &mut Calendar) {
        let ready = read.ready;
        let number = self.reads.take(read);
        let programming = self.idle.len() < self.dies.len();
        if self.to_dies > 0 || (programming && ready > self.now + self.ahead) {
            self.to_dies += 1;
            self.put(ready, TO_DIES | number, calendar);
        } else {
            self.reserve(number, calendar);
        }
    }

    pub(super) fn reach_dies(&mut self, number: u32, calendar: &mut Calendar) {
        self.to_dies -= 1;
        self.reserve(number, calendar);
    }

    #[inline]
    fn reserve(&mut self, number: u32, calendar: &mut Calendar) {
        let Read {
            op, stream, ready, ..
        } = *self.reads.get(number);
        let end = match stream {
            None => self.dies.read_random(ready, op.bytes),
            Some(stream) => {
                let kept = self.streams.page(stream);
                self.dies.read_sequential(ready, (op.offset, op.bytes), kept)
            }
        };
        self.put(end, READ | number, calendar);
    }

    /// All parts of a read are there: it leaves through the data path.
    #[inline]
    pub(super) fn give(&mut self, number: u32, done: &mut Vec<Done>) {
        let read = self.reads.give(number);
        let end = self.data.read(self.now, read.op.bytes, u64::from(read.turns));
        let front = read.ready.since(read.arrival) + self.delay_read;
        self.answer(
            read.op.token,
            (end + self.delay_read, self.data.read_span(read.op.bytes)),
            (front, Ps::ZERO, end.since(read.ready)),
            done,
        );
    }

    /// What was prefetched has occupied dies and data path like any read, but nobody waited for the dies.
    pub(super) fn prefetched(&mut self, read: Read, done: &mut Vec<Done>) {
        let (bytes, ready) = (read.op.bytes, read.ready);
        if let Some(stream) = read.stream {
            let kept = self.streams.page(stream);
            self.dies.read_sequential(ready, (read.op.offset, bytes), kept);
        }
        let passed = self.data.read(ready, bytes, u64::from(read.turns));
        let prefetcher = self.prefetcher.as_mut().expect("prefetching");
        let (delay, transfer) = prefetcher.spans(bytes);
        let media = transfer.max(passed.since(ready + delay));
        let front = ready.since(read.arrival) + delay;
        let flowing = media.min(self.data.read_span(bytes));
        self.answer(
            read.op.token,
            (ready + delay + media, flowing),
            (front, Ps::ZERO, media),
            done,
        );
    }
}
