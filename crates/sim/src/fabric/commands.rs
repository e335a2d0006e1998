//! How many commands a drive takes at once: what is sent beyond waits at its sender until one is back.

use std::collections::VecDeque;

/// The commands of a drive.
#[derive(Debug)]
pub(super) struct Commands {
    most: u32,
    under_way: u32,
    /// Numbers of the operations that wait, in order.
    waiting: VecDeque<u32>,
}

impl Commands {
    /// So many at once.
    pub(super) fn new(most: u32) -> Self {
        Self {
            most: most.max(1),
            under_way: 0,
            waiting: VecDeque::new(),
        }
    }

    /// Whether an operation may go; else it waits.
    #[inline]
    pub(super) fn send(&mut self, number: u32) -> bool {
        let goes = self.under_way < self.most;
        if goes {
            self.under_way += 1;
        } else {
            self.waiting.push_back(number);
        }
        goes
    }

    /// One is back: its place is that of the next that waits, which goes now.
    #[inline]
    pub(super) fn returned(&mut self) -> Option<u32> {
        let next = self.waiting.pop_front();
        self.under_way -= u32::from(next.is_none());
        next
    }
}
