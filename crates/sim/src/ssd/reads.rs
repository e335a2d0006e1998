//! Reads under way, by number.

use crate::operation::DriveOp;
use crate::time::Ps;

/// A read under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// What was asked for.
    pub(super) op: DriveOp,
    /// Turnarounds that it costs on the data path.
    pub(super) turns: u32,
    /// The stream that it belongs to.
    pub(super) stream: Option<u32>,
    /// When it came to the drive.
    pub(super) arrival: Ps,
    /// When the firmware has done with it.
    pub(super) ready: Ps,
}

/// Reads under way: numbers of those that are done are given anew.
#[derive(Debug, Default)]
pub(super) struct Reads {
    reads: Vec<Read>,
    free: Vec<u32>,
}

impl Reads {
    /// Take a read; gives its number.
    #[inline]
    pub(super) fn take(&mut self, read: Read) -> u32 {
        if let Some(number) = self.free.pop() {
            self.reads[number as usize] = read;
            return number;
        }
        self.reads.push(read);
        self.reads.len() as u32 - 1
    }

    /// The most that have been under way at once.
    pub(super) fn most(&self) -> usize {
        self.reads.len()
    }

    /// A read under way.
    #[inline]
    pub(super) fn get(&self, number: u32) -> &Read {
        &self.reads[number as usize]
    }

    /// Give a read back.
    #[inline]
    pub(super) fn give(&mut self, number: u32) -> Read {
        self.free.push(number);
        self.reads[number as usize]
    }
}
