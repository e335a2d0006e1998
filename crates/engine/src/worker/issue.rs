//! What a worker hands over next: an access on each slot that is free and has not to wait.

use iodyno_load::pattern::Access;
use iodyno_load::window::{HeldBy, WINDOW_NS};

use super::{LONGEST_WAIT_NS, Load, Slot, Worker};
use crate::backend::{Backend, Io};
use crate::check::Waiting;

impl<B: Backend> Worker<'_, B> {
    /// Queue an access on a slot; whether it may begin, and does not wait for another.
    #[inline(always)]
    pub(super) fn prepare<const PLAIN: bool>(
        &mut self,
        number: usize,
        slot: &mut Slot,
        access: Access,
    ) -> bool {
        if !PLAIN
            && let Some(check) = &mut self.check
            && !check.admits(usize::from(slot.lane), number, access)
        {
            return false;
        }
        if !PLAIN && access.trim {
            self.prepare_trim(number, slot, access);
            return true;
        }
        let block = self.memory.block(number, access.write, access.bytes as usize);
        if !PLAIN
            && let Some(check) = &self.check
            && access.write
        {
            // SAFETY: the block lies in the worker's buffers; no I/O under way uses it.
            let data = unsafe { std::slice::from_raw_parts_mut(block, access.bytes as usize) };
            check.stamp(usize::from(slot.lane), number, access.offset, data);
        }
        slot.offset = access.offset;
        slot.bytes = access.bytes;
        slot.write = access.write;
        if !PLAIN {
            slot.command = None;
        }
        self.backend.push(&Io {
            slot: number,
            target: usize::from(slot.lane),
            write: access.write,
            offset: access.offset,
            bytes: access.bytes,
            block,
        });
        true
    }
}

impl<B: Backend> Load<'_, B> {
    /// Queue an I/O on each free slot that has something to do. Gives how long the worker
    /// may sleep, in ns.
    #[inline]
    pub(super) fn issue<const PLAIN: bool>(&mut self) -> u64 {
        let wait = if PLAIN {
            self.prepare_all::<true>()
        } else {
            self.prepare_what_may()
        };
        let now = self.worker.clock.now();
        self.account(now);
        self.in_flight += self.hand.len();
        for &slot in &self.hand {
            self.slots[slot].issued = now;
        }
        self.hand.clear();
        wait
    }

    /// Queue what has not to wait for its start, a sync, think time or a write to the same place.
    fn prepare_what_may(&mut self) -> u64 {
        let again = self.try_again();
        let wait = if self.worker.open_loop {
            self.prepare_due()
        } else if self.worker.beside.is_some() {
            self.prepare_with()
        } else {
            self.prepare_all::<false>()
        };
        if self.worker.check.is_some() {
            self.hold_up(again, wait)
        } else {
            wait
        }
    }

    /// Queue what waited for a write to the same place, where that has ended.
    #[inline]
    fn try_again(&mut self) -> Vec<Waiting> {
        let Some(check) = &mut self.worker.check else {
            return Vec::new();
        };
        let mut again = check.take_waiting();
        again.retain(|held| {
            let slot = &mut self.slots[held.slot];
            self.worker.prepare::<false>(held.slot, slot, held.access)
        });
        again
    }

    /// Leave out of the hand what has to wait, and take in what has waited long enough.
    #[cold]
    fn hold_up(&mut self, again: Vec<Waiting>, wait: u64) -> u64 {
        let clock = self.worker.clock;
        let check = self.worker.check.as_mut().expect("who holds up");
        self.hand.retain(|slot| !check.holds_up(*slot));
        self.hand.extend(again.into_iter().map(|held| held.slot));
        let again_in = check.again_in(|| clock.now());
        again_in.map_or(wait, |again_in| wait.min(again_in))
    }

    #[inline]
    fn prepare_all<const PLAIN: bool>(&mut self) -> u64 {
        let Self {
            worker, slots, hand, ..
        } = self;
        for &number in hand.iter() {
            let slot = &mut slots[number];
            let access = worker.lanes[usize::from(slot.lane)].access();
            worker.prepare::<PLAIN>(number, slot, access);
        }
        LONGEST_WAIT_NS
    }

    fn prepare_due(&mut self) -> u64 {
        let now = self.worker.clock.now();
        let closed_to = self.window_end - WINDOW_NS;
        let mut wait = LONGEST_WAIT_NS;
        for lane in 0..self.free.len() {
            while let Some(&number) = self.free[lane].last() {
                if self.worker.beside.is_some() && self.sync_if_due(lane) {
                    continue;
                }
                let source = &mut self.worker.lanes[lane];
                let arrived = *self.next[lane].get_or_insert_with(|| source.next(closed_to));
                if arrived.intended > now {
                    wait = wait.min(arrived.intended - now);
                    break;
                }
                self.next[lane] = None;
                self.free[lane].pop();
                let slot = &mut self.slots[number];
                slot.intended = arrived.intended;
                let full = arrived.intended < self.full_until[lane];
                let admitted = self.worker.prepare::<false>(number, slot, arrived.access);
                slot.held = if admitted || full {
                    full.into()
                } else {
                    HeldBy::Place
                };
                self.hand.push(number);
            }
        }
        wait
    }
}
