//! The part of a worker's loop that plain accesses do not need: trims, syncs and think time.

use iodyno_load::pattern::Access;
use iodyno_load::traffic::Command;
use iodyno_load::window::WindowCounter;

use super::{Drained, LONGEST_WAIT_NS, Load, Slot, Worker};
use crate::backend::{Backend, CommandIo, What};
use crate::beside::Due;
use crate::thinking::Wait;

/// Bytes of a sync: as no result of an I/O is so large, what a plain access needs to know of
/// commands costs it nothing.
const NO_DATA: u32 = i32::MAX as u32;
/// How soon a thread looks again whose worker's I/Os are with other threads, in ns.
const LOOK_AGAIN_NS: u64 = 100_000;

impl<B: Backend> Load<'_, B> {
    /// Queue what is due on each free slot of a closed loop: accesses, and the syncs between them.
    pub(super) fn prepare_with(&mut self) -> u64 {
        let mut wait = LONGEST_WAIT_NS;
        let now = self.worker.clock.now();
        for lane in 0..self.free.len() {
            let target = self.worker.first_target + lane;
            while let Some(&number) = self.free[lane].last() {
                let beside = self.worker.beside.as_ref().expect("the caller saw it");
                match beside.due(target, now) {
                    Due::Sync(what) => self.sync(lane, what),
                    Due::Access => {
                        self.free[lane].pop();
                        let access = self.worker.lanes[lane].access();
                        self.worker
                            .prepare::<false>(number, &mut self.slots[number], access);
                        self.hand.push(number);
                    }
                    Due::Nothing(reason) => {
                        wait = wait.min(self.patience(reason));
                        break;
                    }
                }
            }
        }
        wait
    }

    /// How long this thread may wait for completions of its own, in ns.
    fn patience(&self, reason: Wait) -> u64 {
        match reason {
            Wait::For(ns) => ns,
            Wait::Completions if self.in_flight + self.hand.len() == 0 => LOOK_AGAIN_NS,
            Wait::Completions => LONGEST_WAIT_NS,
        }
    }

    /// Queue a sync of a target if one is due, on a slot that the caller saw free: whether one was.
    pub(super) fn sync_if_due(&mut self, lane: usize) -> bool {
        let target = self.worker.first_target + lane;
        let beside = self.worker.beside.as_ref();
        let due = beside.and_then(|beside| beside.sync_due(target));
        due.map(|what| self.sync(lane, what)).is_some()
    }

    fn sync(&mut self, lane: usize, what: What) {
        let number = self.free[lane].pop().expect("the caller saw one");
        let slot = &mut self.slots[number];
        (slot.offset, slot.bytes, slot.write) = (0, NO_DATA, false);
        slot.command = Some(Command::Sync);
        self.worker.push_command(number, slot, what);
        self.hand.push(number);
    }
}

impl<B: Backend> Worker<'_, B> {
    #[cold]
    pub(super) fn prepare_trim(&mut self, number: usize, slot: &mut Slot, access: Access) {
        (slot.offset, slot.bytes, slot.write) = (access.offset, access.bytes, false);
        slot.command = Some(Command::Trim);
        self.push_command(number, slot, What::Trim(access.offset, access.bytes));
    }

    fn push_command(&mut self, number: usize, slot: &Slot, what: What) {
        self.backend.push_command(&CommandIo {
            slot: number,
            target: usize::from(slot.lane),
            what,
        });
    }
}

/// Count a command that has ended: its result is 0, or the negative error number. `now` is given where
/// the loop is open.
pub(super) fn ended(
    (target, slot, result): (usize, &Slot, i32),
    (latency, now): (u64, Option<u64>),
    (counter, drained): (&mut WindowCounter, &mut Drained),
) {
    let command = slot.command.expect("the caller saw one");
    let counting = counter.commands.as_mut().expect("the profile has commands");
    if result != 0 {
        let sent = drained.of(target);
        sent.issued.add_command(command, u64::from(slot.bytes));
        sent.failed.add_command(command, u64::from(slot.bytes));
        return counting.failed(target, command, (result.abs(), slot.offset));
    }
    counting.completed(target, command, slot.bytes, latency);
    if let (Command::Trim, Some(now)) = (command, now) {
        counting.trim_responded(target, now.saturating_sub(slot.intended));
        counter.started((slot.issued.saturating_sub(slot.intended), slot.held));
    }
}
