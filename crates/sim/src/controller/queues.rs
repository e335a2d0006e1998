//! The controller's queue of each drive: so many operations under way at the drive, the rest waits here.

use std::collections::VecDeque;

use crate::fabric::{Fabric, Owner};
use crate::operation::DriveOp;
use crate::raid::Seen;
use crate::time::Ps;

/// Bits of a token that tell the drive; the rest tells the job.
const DRIVE_BITS: u32 = 8;

#[derive(Debug)]
struct Queue {
    /// Index of the drive in the system.
    drive: usize,
    under_way: u32,
    waiting: VecDeque<(DriveOp, Ps)>,
    /// Where the drive's arm is likely to be: see [`Queue::send_arm`].
    arm: u64,
}

impl Queue {
    fn load(&self) -> u32 {
        self.under_way + self.waiting.len() as u32
    }

    /// An operation takes the arm along. With nothing else under way it will be where that ends; among n others it is
    /// on the mean where the last n reads were. So mirrors that have much to do part their range among them.
    #[inline]
    fn send_arm(&mut self, op: &DriveOp) {
        let load = i64::from(self.load());
        if load == 0 || !op.write {
            let to = (op.offset + u64::from(op.bytes)) as i64;
            self.arm = (self.arm as i64 + (to - self.arm as i64) / (1 + load)) as u64;
        }
    }
}

/// The queues of all drives of a controller, numbered in the order in which they were added.
#[derive(Debug)]
pub(super) struct Queues {
    owner: Owner,
    limit: u32,
    queues: Vec<Queue>,
}

impl Queues {
    pub(super) fn new(which: u16, limit: u32) -> Self {
        Self {
            owner: Owner::Controller(which),
            limit: limit.max(1),
            queues: Vec::new(),
        }
    }

    /// The number here of a drive of the system.
    pub(super) fn add(&mut self, drive: usize) -> u8 {
        let at = self
            .queues
            .iter()
            .position(|queue| queue.drive == drive)
            .unwrap_or_else(|| {
                self.queues.push(Queue {
                    drive,
                    under_way: 0,
                    waiting: VecDeque::new(),
                    arm: 0,
                });
                self.queues.len() - 1
            });
        u8::try_from(at).expect("at most 256 drives on a controller")
    }

    /// What is known of a drive: operations at it and waiting for it, and its arm.
    #[inline]
    pub(super) fn seen(&self, number: u8) -> Seen {
        let queue = &self.queues[usize::from(number)];
        Seen {
            under_way: queue.load(),
            arm: queue.arm,
        }
    }

    /// Send an operation of a job that is ready now or later, as soon as the drive has room.
    #[inline]
    pub(super) fn send(&mut self, number: u8, job: u32, op: DriveOp, ready: Ps, fabric: &mut Fabric) {
        let queue = &mut self.queues[usize::from(number)];
        debug_assert!(job < 1 << (32 - DRIVE_BITS), "too many jobs");
        let op = DriveOp {
            token: job << DRIVE_BITS | u32::from(number),
            ..op
        };
        // A flush goes nowhere.
        if op.bytes > 0 {
            queue.send_arm(&op);
        }
        if queue.under_way < self.limit {
            queue.under_way += 1;
            fabric.send(self.owner, queue.drive, op, ready);
        } else {
            queue.waiting.push_back((op, ready));
        }
    }

    /// An operation is back: its place is the next one's. Gives the job.
    #[inline]
    pub(super) fn returned(&mut self, token: u32, fabric: &mut Fabric) -> u32 {
        let queue = &mut self.queues[(token & ((1 << DRIVE_BITS) - 1)) as usize];
        match queue.waiting.pop_front() {
            Some((op, ready)) => fabric.send(self.owner, queue.drive, op, ready.max(fabric.now())),
            None => queue.under_way -= 1,
        }
        token >> DRIVE_BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alone an operation takes the arm to its end; among three others a read takes it a quarter of the way, and a write nowhere.
    #[test]
    fn the_arm_is_where_the_last_operations_were() {
        let op = |write, offset| DriveOp {
            token: 0,
            write,
            trim: false,
            limit_us: 0,
            offset,
            bytes: 1000,
        };
        let mut queue = Queue {
            drive: 0,
            under_way: 0,
            waiting: VecDeque::new(),
            arm: 0,
        };
        queue.send_arm(&op(true, 3000));
        assert_eq!(queue.arm, 4000);
        queue.under_way = 2;
        queue.waiting.push_back((op(false, 0), Ps::ZERO));
        queue.send_arm(&op(false, 7000));
        assert_eq!(queue.arm, 5000);
        queue.send_arm(&op(false, 0));
        assert_eq!(queue.arm, 4000);
        queue.send_arm(&op(true, 99_000));
        assert_eq!(queue.arm, 4000);
    }
}
