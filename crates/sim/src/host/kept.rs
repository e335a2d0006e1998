//! What Linux md still knows of the stripes that were written last: their pages stay in its stripe cache.

use std::collections::BTreeMap;

use super::pages::ByStrip;

/// Pages of a member that are kept (`stripe_cache_size`, 256 unless told otherwise: Linux, Documentation/admin-guide/md.rst).
const PAGES: u32 = 256;

/// Known pages of stripes of which nothing is under way, the last ones.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// When each was put in, and its pages.
    by_number: BTreeMap<u64, (u64, ByStrip)>,
    /// Their numbers, in the order in which they were put in.
    order: BTreeMap<u64, u64>,
    turn: u64,
    pages: u32,
}

impl Kept {
    /// Keep what is known of a stripe, and forget what was put in first where there is no room.
    pub(super) fn put(&mut self, number: u64, known: ByStrip) {
        self.pages += pages(&known);
        self.turn += 1;
        self.order.insert(self.turn, number);
        self.by_number.insert(number, (self.turn, known));
        while self.pages > PAGES {
            let (_, first) = self.order.pop_first().expect("what has pages");
            let (_, known) = self.by_number.remove(&first).expect("in order");
            self.pages -= pages(&known);
        }
    }

    /// Take out what is known of a stripe, if anything.
    pub(super) fn take(&mut self, number: u64) -> Option<ByStrip> {
        let (turn, known) = self.by_number.remove(&number)?;
        self.order.remove(&turn);
        self.pages -= pages(&known);
        Some(known)
    }
}

/// Pages of a member: those at the same place of each strip are one.
fn pages(known: &ByStrip) -> u32 {
    known.iter().fold(0, |all, of| all | of).count_ones()
}
