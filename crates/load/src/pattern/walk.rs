//! Accesses that can be random every so many only, with runs in between that follow the cursor; and cursors that
//! leave gaps, or go back.

use super::Offsets;
use crate::request::Profile;

/// Whose turn it is to be random: the first of so many accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    every: u64,
    /// Accesses before the next one that can be random.
    left: u64,
}

impl Turns {
    /// Turns of which the first comes at once.
    pub(super) fn new(every: u64) -> Self {
        assert!(every > 0, "a turn after no access");
        Self { every, left: 0 }
    }

    /// Whether the next access can be random.
    #[inline]
    pub(super) fn next(&mut self) -> bool {
        let turn = self.left == 0;
        self.left = if turn { self.every } else { self.left } - 1;
        turn
    }
}

/// Where a cursor goes that has left the area, of which a block fits up to `last`: one that went back goes to where
/// an access that ends with the area would have sent it, any other to the start.
#[inline(always)]
pub(super) fn again(cursor: u64, gap: i64, last: u64, bytes: u64) -> u64 {
    if gap < 0 && (cursor as i64) < 0 {
        return (last + bytes).saturating_add_signed(gap).min(last);
    }
    0
}

/// Where accesses go that walk: what is random, and when.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    turns: Turns,
    /// Bytes from the end of an access to where the cursor goes on.
    gap: i64,
    /// Where random ones go, each drawn by itself.
    random: Offsets,
}

impl Walk {
    /// Accesses whose random ones go where `random` says.
    pub(super) fn new(profile: &Profile, random: Offsets) -> Self {
        assert!(
            matches!(random, Offsets::Uniform | Offsets::Skewed(_) | Offsets::Zones(_)),
            "a walk through a sequence by number"
        );
        Self {
            turns: Turns::new(profile.random_every),
            gap: profile.gap_bytes,
            random,
        }
    }

    /// Whether the next access can be random, by own count unless somebody else counts; the gap behind it in bytes;
    /// and where it goes if it is random.
    #[inline]
    pub(super) fn next(&mut self, counted: Option<bool>) -> (bool, i64, &mut Offsets) {
        let turn = counted.unwrap_or_else(|| self.turns.next());
        (turn, self.gap, &mut self.random)
    }
}
