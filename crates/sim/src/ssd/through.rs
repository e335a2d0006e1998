//! Writes that are answered when they are programmed: which program holds which of them.

use std::collections::VecDeque;

use super::buffer::Write;
use crate::time::Ps;

/// A write that is not answered yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    token: u32,
    bytes: u32,
    arrival: Ps,
    ready: Ps,
    waited: Ps,
    /// Bytes that have not left for a die.
    left: u32,
    /// Programs under way that hold a part of it.
    programs: u32,
}

/// A write that is programmed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Programmed {
    /// The caller's number.
    pub(super) token: u32,
    /// When it came to the drive.
    pub(super) arrival: Ps,
    /// When the firmware had done with it.
    pub(super) ready: Ps,
    /// How long it then waited for room in the buffer.
    pub(super) waited: Ps,
}

/// Writes under way to dies.
#[derive(Debug)]
pub(super) struct Through {
    pending: Vec<Pending>,
    free: Vec<u32>,
    /// Those with bytes that have not left for a die, in order.
    order: VecDeque<u32>,
    /// Of each die, the writes that its program holds.
    on: Vec<Vec<u32>>,
}

impl Through {
    pub(super) fn new(dies: usize) -> Self {
        Self {
            pending: Vec::new(),
            free: Vec::new(),
            order: VecDeque::new(),
            on: vec![Vec::new(); dies],
        }
    }

    /// Take a write that has room in the buffer; gives its number here.
    pub(super) fn take(&mut self, write: &Write, waited: Ps) -> u32 {
        let pending = Pending {
            token: write.token,
            bytes: write.bytes,
            arrival: write.arrival,
            ready: write.ready,
            waited,
            left: write.bytes,
            programs: 0,
        };
        let number = self.free.pop().unwrap_or_else(|| {
            self.pending.push(pending);
            self.pending.len() as u32 - 1
        });
        self.pending[number as usize] = pending;
        self.order.push_back(number);
        number
    }

    /// Bytes of a write.
    pub(super) fn bytes(&self, number: u32) -> u64 {
        u64::from(self.pending[number as usize].bytes)
    }

    /// A program of so many bytes leaves for a die: it holds what came first.
    pub(super) fn leave(&mut self, die: usize, bytes: u64) {
        let mut bytes = bytes as u32;
        while bytes > 0 {
            let Some(&number) = self.order.front() else { return };
            let pending = &mut self.pending[number as usize];
            let part = pending.left.min(bytes);
            pending.left -= part;
            pending.programs += 1;
            bytes -= part;
            self.on[die].push(number);
            if pending.left == 0 {
                self.order.pop_front();
            }
        }
    }

    /// The program of a die has ended: the writes that are complete with it.
    pub(super) fn end(&mut self, die: usize) -> impl Iterator<Item = Programmed> {
        let (pending, free) = (&mut self.pending, &mut self.free);
        self.on[die].drain(..).filter_map(|number| {
            let write = &mut pending[number as usize];
            write.programs -= 1;
            if write.programs > 0 || write.left > 0 {
                return None;
            }
            free.push(number);
            Some(Programmed {
                token: write.token,
                arrival: write.arrival,
                ready: write.ready,
                waited: write.waited,
            })
        })
    }
}
