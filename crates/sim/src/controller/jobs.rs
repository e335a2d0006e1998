//! What the controller is busy with: each job is a set of operations on drives, in one phase or two.

use crate::operation::HostOp;
use crate::spent::Spent;
use crate::time::Ps;

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An I/O of the host.
    Host,
    /// Writes of the host, and parts of them, that go together.
    Group,
    /// Dirty blocks on their way out of the cache.
    Destage,
    /// Reading ahead for a stream.
    Ahead,
    /// Rebuilding the failed members.
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
    /// Whether the operations of this phase tell what failed members had: it is computed when they are back.
    pub(super) tells: bool,
    /// Operations of this phase that are not back.
    pub(super) pending: u32,
    /// Operations of this phase.
    pub(super) ops: u32,
    /// The host's number, the stream, or the list of parts that are destaged or
    /// of I/Os that are written together ([`Lists`]).
    pub(super) token: u32,
    /// Offset on the logical drive (on the member where it is rebuilt) and length in bytes.
    pub(super) offset: u64,
    pub(super) bytes: u32,
    /// Since when the operations of this phase could leave; once they are back, since when what they tell is computed.
    pub(super) ready: Ps,
    /// Time spent before.
    pub(super) spent: Spent,
}

/// What is under way, by number: jobs, or reads of the cache.
#[derive(Debug)]
pub(super) struct Slab<T> {
    slab: Vec<T>,
    free: Vec<u32>,
}

impl<T: Copy> Slab<T> {
    pub(super) fn new() -> Self {
        Self {
            slab: Vec::new(),
            free: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn add(&mut self, one: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.slab[number as usize] = one;
            return number;
        }
        self.slab.push(one);
        (self.slab.len() - 1) as u32
    }

    #[inline]
    pub(super) fn get(&mut self, number: u32) -> &mut T {
        &mut self.slab[number as usize]
    }

    #[inline]
    pub(super) fn remove(&mut self, number: u32) -> T {
        self.free.push(number);
        self.slab[number as usize]
    }
}

/// A job without a list: its range says all.
pub(super) const NO_LIST: u32 = u32::MAX;

/// An I/O of the host that waits for something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) op: HostOp,
    /// Since when.
    pub(super) since: Ps,
    /// Time spent before.
    pub(super) spent: Spent,
}

/// Lists that belong to jobs, by number.
#[derive(Debug)]
pub(super) struct Lists<T> {
    lists: Vec<Vec<T>>,
    free: Vec<u32>,
}

impl<T> Lists<T> {
    pub(super) fn new() -> Self {
        Self {
            lists: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Keep a list; leaves an old one in its place.
    pub(super) fn keep(&mut self, list: &mut Vec<T>) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            (self.lists.len() - 1) as u32
        });
        std::mem::swap(&mut self.lists[number as usize], list);
        number
    }

    pub(super) fn get(&self, number: u32) -> &[T] {
        &self.lists[number as usize]
    }

    /// A list is not needed any more.
    pub(super) fn drop(&mut self, number: u32) {
        if number != NO_LIST {
            self.lists[number as usize].clear();
            self.free.push(number);
        }
    }
}
