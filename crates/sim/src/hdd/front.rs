//! The front of a hard disk: tags, write cache, and reads that the buffer answers.

use crate::calendar::Calendar;
use crate::hdd::ahead::Standing;
use crate::hdd::queue::Candidate;
use crate::hdd::{Hdd, PASSED};
use crate::operation::{Done, DriveOp, Usage};
use crate::system::HddModel;
use crate::time::Ps;

/// What an entry of the write cache holds, in bytes: a longer write takes several.
const SEGMENT: u32 = 64 << 10;

/// Entries that each stream of writes has where nothing is written at random: 8 MiB.
const STREAM_ENTRIES: u32 = 128;

/// Entries of the write cache that the load gets to use.
///
/// What is written in sequence leaves in the order in which it came. Under more than the medium takes the cache is full,
/// and each write waits for the one that leaves; under less it is all but empty. How large it is does not matter
/// then, only for how long a load that has just begun is faster than it can last: in an array of many drives longer than
/// anybody simulates. So a stream has the last part of the room, as in a controller, and the rest counts as full.
pub(super) fn cache_entries(model: &HddModel, usage: &Usage) -> usize {
    let entries = match usage.write_streams {
        0 => model.write_cache_entries,
        streams => model
            .write_cache_entries
            .min(STREAM_ENTRIES.saturating_mul(streams)),
    };
    if model.write_cache { entries as usize } else { 0 }
}

/// Bytes of the buffer that are for what is written, whether or not the write cache is on.
pub(super) fn cache_bytes(model: &HddModel) -> u64 {
    u64::from(model.write_cache_entries) * u64::from(SEGMENT)
}

/// Bytes of a stream of writes that the write cache holds.
pub(crate) fn stream_bytes(model: &HddModel) -> u64 {
    let entries = model.write_cache_entries.min(STREAM_ENTRIES);
    u64::from(model.write_cache) * u64::from(entries) * u64::from(SEGMENT)
}

/// Entries of the write cache that so many bytes take.
pub(super) fn segments(bytes: u32) -> usize {
    bytes.div_ceil(SEGMENT) as usize
}

impl Hdd {
    /// Give tags to those that wait outside, and room in the cache to writes that wait for it.
    pub(super) fn admit(&mut self, now: Ps, calendar: &mut Calendar, done: &mut Vec<Done>) {
        while let Some((slot, since)) = self.with_room() {
            self.cache(slot, now.since(since), now, done);
        }
        while self.tags_held < self.tags {
            let Some(slot) = self.outside.pop_front() else {
                return;
            };
            let command = self.commands[slot as usize];
            self.tag_room.pass(self.tags_held as u64, now);
            self.tag_room.count(now.since(command.ready));
            self.tags_held += 1;
            if command.op.write && command.op.bytes > 0 {
                self.overwrite(&command.op, now);
            }
            match command.op.write {
                true if command.op.bytes == 0 => self.flush(slot, now, done),
                true if self.cache_entries > 0 => self.write(slot, now, done),
                true => self.choosable(Some(slot), &command.op, now),
                false => self.read(slot, now, calendar, done),
            }
        }
    }

    /// Where a write that waits for room is the next that the head comes over, it is written past the cache: else the head would
    /// leave it behind, and come back for it. That passes over those that wait longer, and ends where some of them have
    /// waited as long as any command may be passed over: then those are written past the cache, and those that nearly have.
    pub(super) fn write_past(&mut self, now: Ps) {
        if self.overdue_for_room(now).is_some() {
            let together = self.queue.together_from(now);
            while let Some(at) = self.overdue_for_room(together) {
                self.past(at, now);
            }
        } else if let Some(at) = self.first_for_room(now) {
            self.past(at, now);
        }
    }

    /// Write one of those that wait for room past the cache.
    fn past(&mut self, at: usize, now: Ps) {
        let (slot, since) = self.for_room.remove(at).expect("one that waits");
        self.cache_room.pass(self.held as u64, now);
        self.cache_room.count(now.since(since));
        let command = &mut self.commands[slot as usize];
        command.room = now.since(since);
        let op = command.op;
        let mut candidate = self.candidate(Some(slot), &op, now);
        candidate.until = self.queue.until(since, op.limit_us);
        self.queue.push(candidate);
    }

    /// The write that has waited longest for room, if it has been passed over too long by then.
    fn overdue_for_room(&self, by: Ps) -> Option<usize> {
        let &(slot, since) = self.for_room.front()?;
        let limit_us = self.commands[slot as usize].op.limit_us;
        (self.queue.until(since, limit_us) < by).then_some(0)
    }

    /// The write that waits for room and is the next that the head comes over.
    fn first_for_room(&self, now: Ps) -> Option<usize> {
        if self.for_room.is_empty() || self.head.at != now {
            return None;
        }
        let offset = |slot: u32| self.commands[slot as usize].op.offset;
        let ahead = |&(_, (slot, _)): &(usize, &(u32, Ps))| offset(*slot) >= self.head.offset;
        let waiting = self.for_room.iter().enumerate().filter(ahead);
        let (at, &(slot, _)) = waiting.min_by_key(|&(_, &(slot, _))| offset(slot))?;
        self.queue
            .comes_first(offset(slot), &self.head, now, &self.mechanics)
            .then_some(at)
    }

    fn with_room(&mut self) -> Option<(u32, Ps)> {
        let (first, _) = *self.for_room.front()?;
        let room = self.fits(self.commands[first as usize].op.bytes);
        if room { self.for_room.pop_front() } else { None }
    }

    /// Whether the write cache has room for so many bytes; one write always fits.
    pub(super) fn fits(&self, bytes: u32) -> bool {
        self.held == 0 || self.held + segments(bytes) <= self.cache_entries
    }

    /// A write with the cache on.
    fn write(&mut self, slot: u32, now: Ps, done: &mut Vec<Done>) {
        if self.fits(self.commands[slot as usize].op.bytes) {
            self.cache(slot, Ps::ZERO, now, done);
        } else {
            self.for_room.push_back((slot, now));
        }
    }

    /// Take a write into the cache, which has waited for room there, and answer it.
    fn cache(&mut self, slot: u32, waited: Ps, now: Ps, done: &mut Vec<Done>) {
        let op = self.commands[slot as usize].op;
        self.cache_room.pass(self.held as u64, now);
        self.cache_room.count(waited);
        self.cached += 1;
        self.held += segments(op.bytes);
        self.choosable(None, &op, now);
        self.kept.keep(op.range());
        self.bring(&op, now);
        let at = now + self.cached_write;
        self.answer(slot, waited, (at, at), done);
    }

    /// What is to be written is no longer in the buffer, nor what is in a segment with it; the head stops where it was filling that.
    fn overwrite(&mut self, op: &DriveOp, now: Ps) {
        let range = op.range();
        self.kept.overwrite(range);
        if !self.ahead.may_hold(range) {
            return;
        }
        let head = self.head_now(now);
        if self.ahead.overwrite(range, now, &self.mechanics) {
            self.head = head;
        }
    }

    /// A read: of what was written last, from the buffer, as it comes by, or among the choices.
    fn read(&mut self, slot: u32, now: Ps, calendar: &mut Calendar, done: &mut Vec<Done>) {
        let op = self.commands[slot as usize].op;
        let (_, end) = op.range();
        if self.kept.holds(op.range()) || self.queue.caches(op.range()) {
            // The head has done nothing for it, nor does it read on: drives do that for what was not in the buffer.
            return self.answer(slot, Ps::ZERO, (now, now), done);
        }
        match self.ahead.standing(op.offset, end, now, &self.mechanics) {
            Standing::Held => {
                self.read_on(end, now);
                // What the head does meanwhile counts when it has done it.
                if self.service.is_none() {
                    self.account(&op, now);
                }
                self.answer(slot, Ps::ZERO, (now, now), done);
            }
            Standing::Coming(at) if self.is_idle() => self.pass(slot, now, at, calendar),
            Standing::Coming(at) if self.ahead.is_leaving() => {
                self.choosable(Some(slot), &op, now);
                // Its last byte, too: what has passed is rounded down.
                calendar.at(at + Ps(1), self.event_of(PASSED));
            }
            Standing::Rest(from) => {
                let rest = DriveOp {
                    offset: from,
                    bytes: (end - from) as u32,
                    ..op
                };
                self.choosable(Some(slot), &rest, now);
            }
            Standing::Coming(_) | Standing::Elsewhere => self.choosable(Some(slot), &op, now),
        }
    }

    pub(super) fn candidate(&self, command: Option<u32>, op: &DriveOp, now: Ps) -> Candidate {
        let place = self.mechanics.geometry.place(op.offset);
        Candidate {
            offset: op.offset,
            place,
            bytes: op.bytes,
            write: op.write,
            command,
            flushes: self.flushes.taken(),
            since: now,
            until: self.queue.until(now, op.limit_us),
            hurried: self.queue.hurries(op.limit_us),
        }
    }

    pub(super) fn choosable(&mut self, command: Option<u32>, op: &DriveOp, now: Ps) {
        let candidate = self.candidate(command, op, now);
        self.queue.push(candidate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_write_takes_as_much_of_the_cache_as_it_is_long() {
        assert_eq!([512, 65_536, 65_537, 1 << 20].map(segments), [1, 1, 2, 16]);
    }
}
