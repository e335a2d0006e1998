//! What the mechanics do: positioning and transfer, what passes by, reading ahead, destaging.

use rand_xoshiro::rand_core::Rng;

use crate::calendar::Calendar;
use crate::hdd::front::segments;
use crate::hdd::queue::{Candidate, Choice, Head};
use crate::hdd::{DESTAGE, FINISHED, Hdd, PASSED, Service};
use crate::operation::{Done, DriveOp};
use crate::time::Ps;

impl Hdd {
    /// Nothing to do but cached writes that let others go first.
    pub(super) fn is_idle(&self) -> bool {
        self.service.is_none() && self.queue.len() == self.cached
    }

    /// Let a read pass under the head, unless to position anew is quicker.
    pub(super) fn pass(&mut self, slot: u32, now: Ps, at: Ps, calendar: &mut Calendar) {
        let op = self.commands[slot as usize].op;
        let candidate = self.candidate(Some(slot), &op, now);
        // An arm that is on its way has to get there before it can be over anything.
        let (head, from) = match self.ahead.is_there(now) {
            true => (self.head_now(now), now),
            false => (self.head, now.max(self.settled)),
        };
        let transfer = self.mechanics.geometry.transfer(op.offset, u64::from(op.bytes));
        if from + self.mechanics.access(&head, from, &candidate) + transfer < at {
            self.queue.push(candidate);
        } else {
            let start = self.accounted.max(Ps(at.0.saturating_sub(transfer.0)));
            self.service = Some(Service { candidate, start });
            calendar.at(at, self.event_of(FINISHED));
        }
    }

    /// After a read from the buffer: let the head go on, or send it back to where it had stopped, if it gets there before
    /// cached writes are due: else it would come for nothing, and a full cache wait for that.
    pub(super) fn read_on(&mut self, end: u64, now: Ps) {
        if self.ahead.reading(now, &self.mechanics.geometry).is_some() {
            self.ahead.extend(end, self.read_ahead);
        } else if let (true, Some(from)) = (self.is_idle(), self.ahead.thirst(end, self.read_ahead)) {
            let op = DriveOp {
                token: 0,
                write: false,
                trim: false,
                offset: from,
                bytes: 0,
                limit_us: 0,
            };
            let to = self.candidate(None, &op, now);
            let at = now + self.mechanics.access(&self.head, now, &to);
            if !self.queue.is_empty() && at >= self.due() {
                return;
            }
            self.settled = now + self.mechanics.settled(&self.head, &to);
            self.head = Head {
                place: to.place,
                offset: from,
                held_from: from,
                at,
            };
            self.ahead.resume(at, end, self.read_ahead);
        }
    }

    /// Where the head is, which may have been reading ahead.
    pub(super) fn head_now(&self, now: Ps) -> Head {
        self.head_ahead(now).unwrap_or(self.head)
    }

    /// Where the head is, if it reads ahead.
    #[inline]
    fn head_ahead(&self, now: Ps) -> Option<Head> {
        let geometry = &self.mechanics.geometry;
        let (held_from, offset) = self.ahead.reading(now, geometry)?;
        Some(Head {
            place: geometry.place(offset),
            offset,
            held_from,
            at: now,
        })
    }

    /// Begin the next choice, if the mechanics are free.
    pub(super) fn start(&mut self, now: Ps, calendar: &mut Calendar) {
        if self.service.is_some() || self.queue.is_empty() || self.holds_back(now, calendar) {
            return;
        }
        let ahead = self.head_ahead(now);
        self.head = ahead.unwrap_or(self.head);
        self.write_past(now);
        let urgent = (self.fill(), self.flushes.overdue(now));
        let Some(choice) = self.queue.take(&self.mechanics, &self.head, now, urgent) else {
            return;
        };
        if ahead.is_some() && choice.access > Ps::ZERO {
            self.leave(choice, now, calendar);
        } else {
            self.ahead.go(ahead.map(|head| head.offset));
        }
        let (candidate, access) = (choice.candidate, choice.access);
        let missed = choice.seeks && self.rng.next_u64() < self.missed;
        let again = if missed { self.revolution } else { Ps::ZERO };
        let bytes = candidate.end() - choice.from;
        let transfer = self.mechanics.geometry.transfer(choice.from, bytes);
        self.service = Some(Service {
            candidate,
            start: now,
        });
        calendar.at(now + access + again + transfer, self.event_of(FINISHED));
    }

    /// Read ahead until the arm leaves for its next target. What waits and passes by then is answered.
    fn leave(&mut self, choice: Choice, now: Ps, calendar: &mut Calendar) {
        let (from, most) = self.ahead.leave(self.head, choice);
        if !self.queue.has_within(from, most) {
            return;
        }
        let leaves = now + self.mechanics.slack(&self.head, &choice);
        let (_, to) = self.ahead.held(leaves, &self.mechanics);
        if leaves > now && self.queue.has_within(from, to) {
            calendar.at(leaves, self.event_of(PASSED));
        }
    }

    /// Whether cached writes, alone, still let reads that may come go first. What follows the head does not wait.
    fn holds_back(&mut self, now: Ps, calendar: &mut Calendar) -> bool {
        let due = self.due();
        if self.queue.len() > self.cached || now >= due || self.queue.follows(&self.head, now) {
            return false;
        }
        if self.destage.is_none_or(|earlier| due < earlier) {
            self.destage = Some(due);
            calendar.at(due, self.event_of(DESTAGE));
        }
        true
    }

    /// When cached writes let nothing go first any more.
    fn due(&self) -> Ps {
        self.head.at + self.queue.patience(self.fill())
    }

    /// How full the write cache is, 0 to 1; a flush makes it as urgent as if it were full.
    fn fill(&self) -> f64 {
        if self.flushes.any() {
            return 1.0;
        }
        self.held as f64 / self.cache_entries.max(1) as f64
    }

    /// The mechanics have finished: answer, or make room in the cache, and read ahead after a read.
    pub(super) fn finish(&mut self, now: Ps, done: &mut Vec<Done>) {
        let Service { candidate, start } = self.service.take().expect("a service that has ended");
        self.mechanics_sums
            .count(candidate.since.min(start), now.since(start), now);
        self.accounted = now;
        let last = self.mechanics.geometry.place(candidate.end() - 1);
        self.head = Head {
            place: last,
            offset: candidate.end(),
            held_from: candidate.end(),
            at: now,
        };
        if !candidate.write && self.read_ahead > 0 {
            let (offset, end) = (candidate.offset, candidate.end());
            self.ahead
                .follow(offset, end, self.read_ahead, now, &self.mechanics);
            self.give_held(now, done);
        }
        if candidate.write && candidate.command.is_some() {
            self.kept.keep((candidate.offset, candidate.end()));
        }
        match candidate.command {
            Some(slot) => {
                let flowing = self.flowing(&candidate, now);
                self.answer_flowing(slot, Ps::ZERO, (candidate.since, now), flowing, done);
            }
            None => {
                self.cache_room.pass(self.held as u64, now);
                self.cached -= 1;
                self.held -= segments(candidate.bytes);
                self.flushed(candidate.flushes, now, done);
                self.take_away(now, done);
            }
        }
    }

    /// For how long what has been read by now has been passing under the head since it was asked for: a drive gives
    /// data away as it comes (Ruemmler and Wilkes, An introduction to disk drive modeling, 1994: bus transfers go on
    /// beside the mechanism).
    fn flowing(&self, candidate: &Candidate, now: Ps) -> Ps {
        if candidate.write {
            return Ps::ZERO;
        }
        let transfer = self
            .mechanics
            .geometry
            .transfer(candidate.offset, u64::from(candidate.bytes));
        transfer.min(now.since(candidate.since))
    }

    /// Answer the reads in the queue whose data came into the buffer with others.
    pub(super) fn give_held(&mut self, now: Ps, done: &mut Vec<Done>) {
        let (from, to) = self.ahead.held(now, &self.mechanics);
        while let Some(candidate) = self.queue.within(from, to) {
            let slot = candidate.command.expect("a read is a command");
            self.mechanics_sums.count(candidate.since, Ps::ZERO, now);
            self.answer(slot, Ps::ZERO, (candidate.since, now), done);
        }
    }

    /// Count what the head has done for a read from the buffer, no more than it had time for.
    pub(super) fn account(&mut self, op: &DriveOp, now: Ps) {
        let transfer = self.mechanics.geometry.transfer(op.offset, u64::from(op.bytes));
        let start = self.accounted.max(Ps(now.0.saturating_sub(transfer.0)));
        self.mechanics_sums.count(start, now.since(start), now);
        self.accounted = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Usage;

    /// The data of a read that has waited pass for as long as they take; of one that came when some of them had passed, since it came.
    #[test]
    fn data_flow_no_longer_than_since_they_were_asked_for() {
        let usage = Usage {
            accessed_bytes: 1 << 30,
            overwritten_bytes: 1 << 30,
            random_write_share: 0.0,
            valid_share: 1.0,
            write_streams: 0,
            written: Vec::new(),
        };
        let disk = Hdd::new(&super::super::disk_of_tests(0), usage, 0, 1);
        let op = DriveOp {
            token: 0,
            write: false,
            trim: false,
            offset: 1 << 20,
            bytes: 1 << 20,
            limit_us: 0,
        };
        let transfer = disk.mechanics.geometry.transfer(1 << 20, 1 << 20);
        assert!(transfer > Ps(1_000_000_000), "1 MiB takes more than a revolution");
        let asked = Ps(7_000_000_000);
        for (write, since, expected) in [
            (false, Ps(1_000_000_000), Ps(1_000_000_000)),
            (false, transfer, transfer),
            (false, transfer + Ps(1_000_000_000), transfer),
            (true, transfer, Ps::ZERO),
        ] {
            let candidate = disk.candidate(None, &DriveOp { write, ..op }, asked);
            assert_eq!(
                disk.flowing(&candidate, asked + since),
                expected,
                "{write}, {since:?}"
            );
        }
    }
}
