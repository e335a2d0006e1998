//! Room that is taken and given back: a write buffer, or the write cache of a controller or hard disk. It serves
//! nobody, so it is not the limit itself: it is full because what empties it is. But an SSD's buffer that has no program
//! for each die limits how many programs there are at once, and serves as those do.

use crate::station::Sums;
use crate::time::{Ps, Total};

/// How full room has been, and how long was waited for it. What is held of it, and who waits, is the owner's to know.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    capacity: u64,
    /// What was held times ps, up to `since`.
    area: u128,
    since: Ps,
    /// Who has come in, and how long they waited.
    admitted: u64,
    waited: Total,
}

/// What its owner knows of room.
#[derive(Clone, Copy, Debug)]
pub struct Filled<'a> {
    /// The room.
    pub room: &'a Room,
    /// What is held of it since the last change.
    pub held: u64,
    /// How long those who wait for it have waited, together.
    pub ages: Total,
}

impl Room {
    /// Room for so much, in bytes or entries.
    pub fn new(capacity: u64) -> Self {
        Self {
            capacity: capacity.max(1),
            area: 0,
            since: Ps::ZERO,
            admitted: 0,
            waited: Total::ZERO,
        }
    }

    /// So much was held since the last change; that is about to change now.
    #[inline]
    pub fn pass(&mut self, held: u64, now: Ps) {
        self.area += self.held_since(held, now);
        self.since = now;
    }

    /// Somebody comes in who has waited for it.
    #[inline]
    pub fn count(&mut self, waited: Ps) {
        self.admitted += 1;
        self.waited += waited;
    }

    #[inline]
    fn held_since(&self, held: u64, now: Ps) -> u128 {
        u128::from(held.min(self.capacity)) * u128::from(now.since(self.since).0)
    }

    /// Sums of rooms that are shown as one, up to a moment: busy is the share that was held, residence the time that
    /// was waited for room. So utilisation is how full they were, and the queue who waited.
    pub fn sums<'a>(rooms: impl IntoIterator<Item = Filled<'a>>, now: Ps) -> Sums {
        let (mut sums, mut area, mut capacity) = (Sums::default(), 0, 0);
        for Filled { room, held, ages } in rooms {
            sums.jobs += room.admitted;
            sums.residence += room.waited + ages;
            area += room.area + room.held_since(held, now);
            capacity += u128::from(room.capacity);
        }
        sums.busy = Ps((area / capacity.max(1)) as u64).into();
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(room: &Room, held: u64, ages: Ps) -> Filled<'_> {
        let ages = ages.into();
        Filled { room, held, ages }
    }

    #[test]
    fn utilisation_is_the_mean_share_that_was_held_and_the_queue_who_waited() {
        let mut room = Room::new(8);
        room.pass(0, Ps(100));
        room.pass(4, Ps(300));
        room.count(Ps(30));
        room.count(Ps(50));
        // Nothing for 100, a half for 200, all of it for 100: more than there is counts as full.
        let sums = Room::sums([filled(&room, 20, Ps(7))], Ps(400));
        assert_eq!(sums.jobs, 2);
        assert_eq!((sums.busy, sums.residence), (Ps(200).into(), Ps(87).into()));
        let other = Room::new(24);
        let both = Room::sums([filled(&room, 20, Ps(7)), filled(&other, 0, Ps::ZERO)], Ps(400));
        assert_eq!(
            (both.jobs, both.busy),
            (2, Ps(50).into()),
            "a quarter of all the room"
        );
    }
}
