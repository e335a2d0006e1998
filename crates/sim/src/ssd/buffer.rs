//! The write buffer: writes wait for room in order, and what is in it waits for a die in order.

use std::collections::VecDeque;

use crate::room::{Filled, Room};
use crate::station::Sums;
use crate::time::{Ps, Total};

/// Writes for which room is left where that is no chance. What a load that leaves no room writes in excess, a share e of it, makes
/// it leave room for n writes by chance once in about exp(2·e·n), and then it is that share that it comes out too fast.
const SHOWN_BY: u64 = 64;

/// Fillings of the buffer after which it counts as settled: a load that has left no room by then lets it empty by a small
/// share of what is written.
const SETTLED_AFTER: u64 = 8;

/// A write on its way into the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    /// The caller's number.
    pub(super) token: u32,
    /// Its bytes.
    pub(super) bytes: u32,
    /// Turnarounds that it costs on the data path.
    pub(super) turns: u32,
    /// When it came to the drive.
    pub(super) arrival: Ps,
    /// When the firmware has done with it.
    pub(super) ready: Ps,
}

/// A load for a die.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    /// Its bytes.
    pub(super) bytes: u64,
    /// Turnarounds of the writes in it.
    pub(super) turns: u64,
}

/// The write buffer.
#[derive(Debug)]
pub(super) struct Buffer {
    capacity: u64,
    /// Bytes that a die programs at once.
    program: u64,
    /// Least bytes that are worth a program.
    least: u64,
    /// Bytes that the dies have of it at the most.
    in_dies: u64,
    /// Bytes with room in the buffer, until programmed.
    occupied: u64,
    /// Bytes that have not left for a die, and the turnarounds of those that the load wrote.
    held: u64,
    turns: u64,
    /// Whether what is held may still be due to the beginning with a full buffer.
    unsettled: bool,
    /// Bytes that were forgotten as due to it, until so much is occupied again.
    forgotten: u64,
    again: u64,
    /// Writes that the load has put in meanwhile, their bytes, and their turnarounds.
    writes: u64,
    seen: u64,
    seen_turns: u64,
    /// What is left of a turnaround of what is of before, times `seen`.
    owed: u64,
    /// Of those, bytes that are in the buffer by now and may leave.
    ready: u64,
    /// Bytes that no full program has been made up of.
    rest: u64,
    /// Bytes of before the load that have not left for a die.
    old: u64,
    /// Bytes that have left, or been forgotten, since the beginning: bytes are numbered in the order in which they came.
    left: u64,
    /// Number of the byte up to which less than a program may leave as well.
    urged: u64,
    waiting: VecDeque<Write>,
    /// Bytes of all of the first that waits, where some of it is in already.
    parted: Option<u32>,
    /// Most that have waited at once, and writes since the last that had to.
    most_waiting: usize,
    run: usize,
    room: Room,
}

impl Buffer {
    /// A buffer of so many bytes for programs of so many; `least` are worth a program.
    pub(super) fn new(capacity: u64, program: u32, least: u32) -> Self {
        assert!(program > 0, "a program of nothing");
        Self {
            capacity: capacity.max(1),
            program: u64::from(program),
            least: u64::from(least),
            in_dies: 0,
            occupied: 0,
            held: 0,
            turns: 0,
            unsettled: false,
            forgotten: 0,
            again: 0,
            writes: 0,
            seen: 0,
            seen_turns: 0,
            owed: 0,
            ready: 0,
            rest: 0,
            old: 0,
            left: 0,
            urged: 0,
            waiting: VecDeque::with_capacity(64),
            parted: None,
            most_waiting: 0,
            run: 0,
            room: Room::new(capacity),
        }
    }

    /// The same before so many dies, each with its program and the next.
    pub(super) fn before(self, dies: u32) -> Self {
        Self {
            in_dies: 2 * u64::from(dies) * self.program,
            ..self
        }
    }

    /// Fill the empty buffer with writes of before that wait for dies.
    pub(super) fn fill(&mut self, now: Ps) {
        self.room.pass(self.occupied, now);
        let bytes = self.capacity / self.program * self.program;
        self.occupied = bytes;
        self.held = bytes;
        self.ready = bytes;
        self.old = bytes;
        self.unsettled = true;
    }

    /// Forget what waits for dies, once the drive is seen to keep up with the load: then only the beginning knows of a full
    /// buffer, and where the drive is little faster than the load it would take long to empty. It is where room for some
    /// writes is free, `least` to `most` bytes, and a round of the load, as many writes as `reads` and writes have waited
    /// at once, has found room at once. Only once: a load that leaves room by a pause, of syncs or by chance, fills the buffer
    /// again, and when half of the room is gone it is as full as it was.
    #[inline]
    pub(super) fn settle(&mut self, (least, most): (u64, u64), reads: usize, now: Ps) {
        if !self.unsettled || self.occupied + least > self.capacity {
            return;
        }
        if self.occupied == 0 || self.seen > SETTLED_AFTER * self.capacity {
            self.unsettled = false;
            return;
        }
        let room = (SHOWN_BY * self.seen / self.writes.max(1)).clamp(least, most);
        let round = reads + self.most_waiting;
        if !self.waiting.is_empty() || self.run < round || self.occupied + room > self.capacity {
            return;
        }
        self.room.pass(self.occupied, now);
        self.turns -= self.turns * (self.ready - self.old) / (self.held - self.old).max(1);
        self.occupied -= self.ready;
        self.held -= self.ready;
        self.left += self.ready;
        self.forgotten = self.ready;
        self.again = self.occupied + (self.capacity - self.occupied) / 2;
        (self.ready, self.old) = (0, 0);
        self.unsettled = false;
    }

    /// Whether what is held may still be due to the beginning.
    #[inline]
    pub(super) fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    /// Hold again what was forgotten: the load fills the buffer after all, and left room by a pause.
    #[cold]
    fn remember(&mut self) {
        let bytes =
            self.forgotten.min(self.capacity.saturating_sub(self.occupied)) / self.program * self.program;
        self.occupied += bytes;
        self.held += bytes;
        self.ready += bytes;
        self.old += bytes;
        self.left -= bytes;
        self.forgotten = 0;
    }

    /// Number of the next byte that leaves.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Take away the bytes that no full program has been made up of: they are to leave by themselves.
    pub(super) fn take_rest(&mut self) -> u64 {
        std::mem::take(&mut self.rest)
    }

    /// Let all that may leave do so in less than programs too; gives the number of the next byte behind it.
    pub(super) fn urge(&mut self) -> u64 {
        self.urged = self.left + self.ready;
        self.urged
    }

    /// Take a write: whether there is room at once for all of it; else it waits.
    #[inline]
    pub(super) fn take(&mut self, write: Write) -> bool {
        let room = self.waiting.is_empty()
            && if self.in_parts(write.bytes) {
                self.fits(write.bytes)
            } else {
                self.room(write.bytes)
            };
        if room {
            self.run += 1;
        } else {
            self.run = 0;
            self.waiting.push_back(write);
            self.most_waiting = self.most_waiting.max(self.waiting.len());
        }
        room
    }

    /// Whether a write that waits comes in by parts, as there is room: beside it the buffer does not hold what the dies have at
    /// the most, so that they would be idle before there is room for all of it. One that is answered when it is programmed
    /// is taken whole.
    #[inline]
    pub(super) fn in_parts(&self, bytes: u32) -> bool {
        let bytes = u64::from(bytes);
        bytes > self.program && bytes + self.in_dies > self.capacity && self.least == self.program
    }

    /// The next write that waits and has room now, with its bytes; or a part of one, without them unless it is the last.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(Write, Option<u32>)> {
        let first = *self.waiting.front()?;
        if self.parted.is_some() || self.in_parts(first.bytes) {
            return self.next_part(first);
        }
        if self.room(first.bytes) {
            self.waiting.pop_front();
            Some((first, Some(first.bytes)))
        } else {
            None
        }
    }

    /// The next part, of a program at the most, of a write that comes in by parts.
    #[cold]
    fn next_part(&mut self, left: Write) -> Option<(Write, Option<u32>)> {
        let bytes = u64::from(left.bytes).min(self.program) as u32;
        if !self.room(bytes) {
            return None;
        }
        let all = *self.parted.get_or_insert(left.bytes);
        let turns = (u64::from(left.turns) * u64::from(bytes) / u64::from(left.bytes)) as u32;
        let part = Write { bytes, turns, ..left };
        if bytes == left.bytes {
            self.parted = None;
            self.waiting.pop_front();
            return Some((part, Some(all)));
        }
        let rest = self.waiting.front_mut().expect("what is left of it");
        rest.bytes -= bytes;
        rest.turns -= turns;
        Some((part, None))
    }

    /// Room is also where the buffer holds less than a program: that does not leave before there is more.
    #[inline]
    fn room(&self, bytes: u32) -> bool {
        self.fits(bytes) || self.occupied < self.program
    }

    #[inline]
    fn fits(&self, bytes: u32) -> bool {
        self.occupied + u64::from(bytes) <= self.capacity
    }

    /// Give a write, or a part of one, its room; gives how long it has waited for it. It is counted with its `last` part.
    #[inline]
    pub(super) fn admit(&mut self, write: &Write, last: bool, now: Ps) -> Ps {
        self.room.pass(self.occupied, now);
        let bytes = u64::from(write.bytes);
        self.occupied += bytes;
        self.held += bytes;
        self.turns += u64::from(write.turns);
        if self.unsettled {
            self.writes += u64::from(last);
            self.seen += bytes;
            self.seen_turns += u64::from(write.turns);
        }
        if self.forgotten > 0 && self.occupied >= self.again {
            self.remember();
        }
        let waited = now.since(write.ready);
        if last {
            self.room.count(waited);
        }
        waited
    }

    /// Full programs that so many more bytes make up.
    #[inline]
    pub(super) fn programs(&mut self, bytes: u32) -> u32 {
        self.rest += u64::from(bytes);
        if self.rest < self.program {
            return 0;
        }
        let full = self.rest / self.program;
        self.rest -= full * self.program;
        full as u32
    }

    /// So many bytes may leave for dies.
    pub(super) fn arrive(&mut self, bytes: u64) {
        self.ready += bytes;
    }

    /// So many full programs may leave for dies.
    pub(super) fn arrive_programs(&mut self, programs: u32) {
        self.ready += u64::from(programs) * self.program;
    }

    /// Whether something may leave for a die.
    #[inline]
    pub(super) fn has_batch(&self) -> bool {
        self.ready >= self.least || (self.ready > 0 && self.left < self.urged)
    }

    /// Let a batch leave for a die, with its share of the turnarounds. One that may leave in less than a program ends
    /// where those bytes end: of the full program behind them nothing is left over that no other would fill up.
    pub(super) fn leave(&mut self) -> Batch {
        let urged = self.urged.saturating_sub(self.left);
        let most = if urged > 0 { urged } else { self.program };
        let bytes = self.ready.min(self.program).min(most);
        // What is of before has cost as many turnarounds as what is written now does.
        let old = bytes.min(self.old);
        let turns = match old {
            0 => self.turns * bytes / self.held,
            _ => self.turns_of_old(old),
        };
        self.ready -= bytes;
        self.held -= bytes;
        self.left += bytes;
        self.old -= old;
        if old == 0 {
            self.turns -= turns;
        }
        Batch { bytes, turns }
    }

    fn turns_of_old(&mut self, bytes: u64) -> u64 {
        let seen = self.seen.max(1);
        self.owed += self.seen_turns * bytes;
        let turns = self.owed / seen;
        self.owed %= seen;
        turns
    }

    /// So many bytes are programmed.
    pub(super) fn free(&mut self, bytes: u64, now: Ps) {
        self.room.pass(self.occupied, now);
        self.occupied -= bytes;
    }

    /// Sums so far: utilisation is the share of the buffer that is occupied, the queue the writes that
    /// wait for room.
    pub(super) fn sums(&self, now: Ps) -> Sums {
        let filled = Filled {
            room: &self.room,
            held: self.occupied,
            ages: self.ages(now),
        };
        Room::sums([filled], now)
    }

    fn ages(&self, now: Ps) -> Total {
        self.waiting.iter().map(|write| now.since(write.ready)).sum()
    }
}

#[cfg(test)]
mod tests;
