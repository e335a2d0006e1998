//! Flushes: the writes that were answered from the cache go to the medium first. Others may be nearer, but a flush is passed over
//! no longer than any command: then what it waits for is taken next.

use std::collections::VecDeque;

use crate::hdd::Hdd;
use crate::operation::Done;
use crate::time::Ps;

/// A flush that is not answered.
#[derive(Clone, Copy, Debug)]
struct Flush {
    slot: u32,
    /// When it was taken.
    taken: Ps,
    /// From then on what it waits for is taken next.
    until: Ps,
    /// How many flushes there were before it.
    number: u64,
    /// Cached writes before it that are not on the medium.
    left: usize,
}

/// Flushes, in the order in which they were taken.
#[derive(Debug, Default)]
pub(super) struct Flushes {
    taken: u64,
    waiting: VecDeque<Flush>,
}

impl Flushes {
    /// How many have been taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Whether one waits for the medium.
    pub(super) fn any(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The first of them, if it has been passed over too long: since when it has, and its number.
    pub(super) fn overdue(&self, now: Ps) -> Option<(Ps, u64)> {
        let first = self.waiting.front().filter(|flush| flush.until < now)?;
        Some((first.until, first.number))
    }
}

impl Hdd {
    /// Take a flush.
    pub(super) fn flush(&mut self, slot: u32, now: Ps, done: &mut Vec<Done>) {
        let number = self.flushes.taken;
        self.flushes.taken += 1;
        if self.cached == 0 {
            return self.answer(slot, Ps::ZERO, (now, now), done);
        }
        let limit_us = self.commands[slot as usize].op.limit_us;
        self.flushes.waiting.push_back(Flush {
            slot,
            taken: now,
            until: self.queue.until(now, limit_us),
            number,
            left: self.cached,
        });
    }

    /// A cached write is on the medium, before which so many flushes had been taken.
    pub(super) fn flushed(&mut self, flushes: u64, now: Ps, done: &mut Vec<Done>) {
        for flush in &mut self.flushes.waiting {
            flush.left -= usize::from(flushes <= flush.number);
        }
        while let Some(&flush) = self.flushes.waiting.front() {
            if flush.left > 0 {
                return;
            }
            self.flushes.waiting.pop_front();
            self.answer(flush.slot, Ps::ZERO, (flush.taken, now), done);
        }
    }
}
