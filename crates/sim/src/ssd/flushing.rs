//! Commands without data: trims, and flushes. Where the buffer loses its data with the power, a flush programs what it
//! holds first.

use super::{FLUSH, Ssd};
use crate::calendar::Calendar;
use crate::operation::{Done, DriveOp};
use crate::time::Ps;

/// A flush that is not answered. Bytes of the buffer are numbered in the order in which they came, and leave in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flush {
    token: u32,
    arrival: Ps,
    /// When the firmware has done with it.
    ready: Ps,
    /// Bytes that no full program was made up of when it came.
    rest: u64,
    /// Number of the byte behind the last that is in the buffer when the firmware has done with it; none before.
    end: Option<u64>,
}

impl Ssd {
    /// Take a flush or a trim: its command costs what that of a write does.
    #[cold]
    pub(super) fn command(
        &mut self,
        op: &DriveOp,
        arrival: Ps,
        calendar: &mut Calendar,
        done: &mut Vec<Done>,
    ) {
        if let Some(prefetcher) = &mut self.prefetcher {
            prefetcher.take_command();
        }
        let ready = self.firmware.serve(arrival, self.command_write);
        let flush = Flush {
            token: op.token,
            arrival,
            ready,
            rest: 0,
            end: None,
        };
        if self.volatile && !op.trim {
            let rest = self.buffer.take_rest();
            self.flushes.push_back(Flush { rest, ..flush });
            self.put(ready, FLUSH, calendar);
        } else {
            self.answer_flush(&flush, ready, done);
        }
    }

    /// The firmware has done with a flush: all that came before it is in the buffer and may leave. A write that had to
    /// wait for room may have come in since, and leave first: so it is all that is there.
    pub(super) fn reach_buffer(&mut self, calendar: &mut Calendar, done: &mut Vec<Done>) {
        let next = self.flushes.iter_mut().find(|flush| flush.end.is_none());
        let flush = next.expect("a flush on its way to the buffer");
        self.buffer.arrive(flush.rest);
        flush.end = Some(self.buffer.urge());
        self.program(calendar);
        self.answer_flushed(done);
    }

    /// Answer the flushes, in order, before which nothing is left to be programmed.
    #[inline]
    pub(super) fn answer_flushed(&mut self, done: &mut Vec<Done>) {
        while let Some(&flush) = self.flushes.front() {
            if flush.end.is_none_or(|end| self.unprogrammed() < end) {
                return;
            }
            self.flushes.pop_front();
            self.answer_flush(&flush, self.now, done);
        }
    }

    /// Number of the first byte that is not programmed.
    fn unprogrammed(&self) -> u64 {
        let programs = self.programs.iter().chain(self.staged.front());
        let first = programs.map(|program| program.first).min();
        let leaving = self.leaving.front().map(|&(first, _)| first);
        let left = leaving.unwrap_or(self.buffer.left());
        left.min(first.unwrap_or(u64::MAX))
    }

    fn answer_flush(&mut self, flush: &Flush, at: Ps, done: &mut Vec<Done>) {
        let front = flush.ready.since(flush.arrival) + self.delay_write;
        let media = at.since(flush.ready);
        self.answer(
            flush.token,
            (at + self.delay_write, Ps::ZERO),
            (front, Ps::ZERO, media),
            done,
        );
    }
}
