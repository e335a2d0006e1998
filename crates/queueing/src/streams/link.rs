//! The link of a disk: what is read leaves over it while more passes the head, and where it has one direction for both,
//! what is written comes over it in between.

use super::Streams;

/// What has to be there before a link begins with it, in bytes.
const PAGE_BYTES: f64 = 4096.0;

/// The link, and until when it is taken.
#[derive(Debug)]
pub(super) struct Link {
    shared: bool,
    takes_s: f64,
    /// Of a read, all but the first page.
    overlaps: f64,
    free: f64,
}

impl Link {
    pub(super) fn new(streams: &Streams) -> Self {
        Self {
            overlaps: (1.0 - PAGE_BYTES / streams.bytes).max(0.0),
            ..Self::of(streams.link_shared, streams.link_s)
        }
    }

    /// A link that takes so long for a command, whose direction is one for both ways or not; nothing of a read overlaps.
    pub(super) fn of(shared: bool, takes_s: f64) -> Self {
        Self {
            shared,
            takes_s,
            overlaps: 0.0,
            free: 0.0,
        }
    }

    /// Data come to the link at a moment, and pass behind what came before them: gives when they begin to.
    pub(super) fn pass(&mut self, at: f64) -> f64 {
        if !self.shared {
            return at;
        }
        let begins = at.max(self.free);
        self.free = begins + self.takes_s;
        begins
    }

    /// For how long a read has been leaving that has passed the head in so long, and was asked for so long ago.
    pub(super) fn flowing(&self, passing_s: f64, asked_s: f64) -> f64 {
        passing_s.min(asked_s).min(self.takes_s) * self.overlaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_pass_a_link_that_both_ways_share_one_behind_the_other() {
        let begins = |shared| {
            let mut link = Link::of(shared, 2.0);
            [1.0, 1.5, 2.0, 9.0, 8.0].map(|at| link.pass(at))
        };
        assert_eq!(begins(true), [1.0, 3.0, 5.0, 9.0, 11.0]);
        assert_eq!(begins(false), [1.0, 1.5, 2.0, 9.0, 8.0]);
    }
}
