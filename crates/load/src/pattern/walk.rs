//! Accesses that can be random every so many only: runs in between follow the cursor.

use super::{Access, Draws, Offsets};

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

/// Where accesses go that walk: what is random, and when.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    turns: Turns,
    /// Where random ones go, each drawn by itself.
    random: Offsets,
}

impl Walk {
    /// Accesses whose random ones go where `random` says.
    pub(super) fn new(every: u64, random: Offsets) -> Self {
        assert!(
            matches!(random, Offsets::Uniform | Offsets::Skewed(_) | Offsets::Zones(_)),
            "a walk through a sequence by number"
        );
        Self {
            turns: Turns::new(every),
            random,
        }
    }

    /// The next access.
    pub(super) fn next(&mut self, draws: &mut Draws) -> Access {
        let turn = self.turns.next();
        self.next_of_turn(draws, turn)
    }

    /// The next access, where somebody else counts turns.
    pub(super) fn next_of_turn(&mut self, draws: &mut Draws, turn: bool) -> Access {
        match &mut self.random {
            Offsets::Skewed(skewed) => draws.walk(turn, |rng, size| skewed.next(rng, size)),
            Offsets::Zones(zones) => draws.walk(turn, |rng, size| zones.next(rng, size)),
            _ => draws.walk(turn, super::even),
        }
    }
}
