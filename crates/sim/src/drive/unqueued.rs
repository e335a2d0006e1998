//! Drives whose flush is no queued command, as with SATA: it waits until all others in the drive have ended, and none
//! begins until it has.

use std::collections::VecDeque;

use crate::calendar::Calendar;
use crate::drive::Drive;
use crate::operation::{Done, DriveOp, StationSums};
use crate::time::Ps;

/// A drive behind such a queue.
#[derive(Debug)]
pub struct Unqueued {
    drive: Drive,
    /// Operations in the drive, and when the last of those that have left it did.
    inside: u32,
    ended: Ps,
    /// Whether one of them is a flush, and when the last that is over was.
    flushing: bool,
    flushed: Ps,
    /// Operations that came and wait, with their arrivals.
    waiting: VecDeque<(DriveOp, Ps)>,
    /// Operations in the drive that waited, and how long.
    waited: Vec<(u32, Ps)>,
}

impl Unqueued {
    /// Nothing is in the drive yet.
    pub fn new(drive: Drive) -> Self {
        Self {
            drive,
            inside: 0,
            ended: Ps::ZERO,
            flushing: false,
            flushed: Ps::ZERO,
            waiting: VecDeque::new(),
            waited: Vec::new(),
        }
    }

    /// See [`Drive::submit`].
    pub fn submit(&mut self, op: DriveOp, arrival: Ps, calendar: &mut Calendar, done: &mut Vec<Done>) {
        self.waiting.push_back((op, arrival));
        self.let_in(calendar, done);
    }

    /// See [`Drive::event`].
    pub fn event(&mut self, token: u32, calendar: &mut Calendar, done: &mut Vec<Done>) {
        let known = done.len();
        self.drive.event(token, calendar, done);
        self.leave(&mut done[known..]);
        self.let_in(calendar, done);
    }

    /// See [`Drive::stations`].
    pub fn stations(&self, now: Ps) -> Vec<StationSums> {
        self.drive.stations(now)
    }

    /// Let into the drive what need not wait any more, in order.
    fn let_in(&mut self, calendar: &mut Calendar, done: &mut Vec<Done>) {
        while let Some(&(op, arrival)) = self.waiting.front() {
            let flush = op.is_flush();
            if self.flushing || (flush && self.inside > 0) {
                return;
            }
            self.waiting.pop_front();
            self.flushing = flush;
            let at = arrival.max(if flush { self.ended } else { self.flushed });
            if at > arrival {
                self.waited.push((op.token, at - arrival));
            }
            self.inside += 1;
            let known = done.len();
            self.drive.submit(op, at, calendar, done);
            self.leave(&mut done[known..]);
        }
    }

    /// Operations leave the drive, which may be later than the present moment.
    fn leave(&mut self, done: &mut [Done]) {
        for one in done {
            self.inside -= 1;
            self.ended = self.ended.max(one.at);
            if let Some(at) = self.waited.iter().position(|&(token, _)| token == one.token) {
                one.inside.front += self.waited.swap_remove(at).1;
            }
        }
        if self.flushing && self.inside == 0 {
            (self.flushing, self.flushed) = (false, self.ended);
        }
    }
}
