//! What the controller is busy with: each job is a set of operations on drives, in one phase or two.

use crate::spent::Spent;
use crate::time::Ps;

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An I/O of the host.
    Host,
    /// Dirty blocks on their way out of the cache.
    Destage,
    /// Reading ahead for a stream.
    Ahead,
    /// Rebuilding a failed member.
    Rebuild,
}

/// A job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) kind: Kind,
    /// Index of the logical drive.
    pub(super) logical: u16,
    pub(super) write: bool,
    /// Whether a second phase follows.
    pub(super) more: bool,
    /// Operations of this phase that are not back.
    pub(super) pending: u16,
    /// Operations of this phase.
    pub(super) ops: u16,
    /// The host's number, the stream, the member that is rebuilt, or the list of parts that are destaged
    /// together ([`Parts`]).
    pub(super) token: u32,
    /// Offset on the logical drive (on the member where it is rebuilt) and length in bytes.
    pub(super) offset: u64,
    pub(super) bytes: u32,
    /// Since when the operations of this phase could leave.
    pub(super) ready: Ps,
    /// Time spent before.
    pub(super) spent: Spent,
}

/// Jobs under way, by number.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    slab: Vec<Job>,
    free: Vec<u32>,
}

impl Jobs {
    #[inline]
    pub(super) fn add(&mut self, job: Job) -> u32 {
        if let Some(number) = self.free.pop() {
            self.slab[number as usize] = job;
            return number;
        }
        self.slab.push(job);
        (self.slab.len() - 1) as u32
    }

    #[inline]
    pub(super) fn get(&mut self, number: u32) -> &mut Job {
        &mut self.slab[number as usize]
    }

    #[inline]
    pub(super) fn remove(&mut self, number: u32) -> Job {
        self.free.push(number);
        self.slab[number as usize]
    }
}

/// A job without a list of parts: its range says all.
pub(super) const NO_PARTS: u32 = u32::MAX;

/// Lists of parts, by number.
#[derive(Debug, Default)]
pub(super) struct Parts {
    lists: Vec<Vec<(u64, u32)>>,
    free: Vec<u32>,
}

impl Parts {
    /// Keep a list of parts; leaves an empty one in its place.
    pub(super) fn keep(&mut self, parts: &mut Vec<(u64, u32)>) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            (self.lists.len() - 1) as u32
        });
        std::mem::swap(&mut self.lists[number as usize], parts);
        number
    }

    pub(super) fn get(&self, number: u32) -> &[(u64, u32)] {
        &self.lists[number as usize]
    }

    /// A list is not needed any more.
    pub(super) fn drop(&mut self, number: u32) {
        if number != NO_PARTS {
            self.free.push(number);
        }
    }
}
