//! Reads and writes with sequences of their own: what one does moves nothing of the other.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::walk::Turns;
use super::{Access, AccessStream, Begin, Share, mix};
use crate::request::Profile;

/// A sequence for what does not write, and one for writes; which is next is drawn by the shares.
#[derive(Clone, Debug)]
pub(super) struct Directions {
    rng: Xoshiro256PlusPlus,
    trim: Share,
    read: Share,
    /// Whose turn it is to be random, whatever its direction.
    turns: Turns,
    ways: [AccessStream; 2],
}

impl Directions {
    /// The sequences of both directions. Both begin where the one of both would, and ranks have the places that
    /// they have for both; draws are their own. At most one of them follows from numbers: were both each
    /// block once, they would not differ, and nothing would follow a cursor.
    pub(super) fn new(profile: &Profile, begin: &Begin) -> Self {
        let way = |write: bool| {
            let begin = Begin {
                draws: mix(begin.draws, u64::from(write)),
                numbers: Arc::clone(&begin.numbers),
                ..*begin
            };
            AccessStream::begin(&profile.way_of(write), begin)
        };
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(begin.draws),
            trim: Share::new(profile.trim_share),
            read: Share::new(profile.read_share),
            turns: Turns::new(profile.random_every),
            ways: [way(false), way(true)],
        }
    }

    /// The sequence of writes.
    pub(super) fn of_writes(&self) -> &AccessStream {
        &self.ways[1]
    }

    /// The next access.
    #[inline]
    pub(super) fn next(&mut self) -> Access {
        let trim = self.trim.draw(&mut self.rng);
        let write = !trim && !self.read.draw(&mut self.rng);
        let access = self.ways[usize::from(write)].next_of_turn(self.turns.next());
        Access {
            write,
            trim,
            ..access
        }
    }
}
