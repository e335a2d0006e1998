//! The link of a disk: what is read leaves over it while more passes the head, and where it has one direction for both,
//! what is written comes over it in between.

use super::Streams;

/// What has to be there before a link begins with it, in bytes.
const PAGE_BYTES: f64 = 4096.0;

/// The link, and when it is taken.
#[derive(Debug)]
pub(super) struct Link {
    shared: bool,
    takes_s: f64,
    /// Of a read, all but the first page.
    overlaps: f64,
    /// From when to when it was taken the last time.
    taken: (f64, f64),
}

impl Link {
    pub(super) fn new(streams: &Streams) -> Self {
        Self {
            shared: streams.link_shared,
            takes_s: streams.link_s,
            overlaps: (1.0 - PAGE_BYTES / streams.bytes).max(0.0),
            taken: (0.0, 0.0),
        }
    }

    /// Data begin to pass, as soon as what is on it from the other side has passed: gives when.
    pub(super) fn pass(&mut self, at: f64) -> f64 {
        let (from, to) = self.taken;
        if !self.shared || at + self.takes_s <= from {
            return at;
        }
        let begins = at.max(to);
        self.taken = (begins, begins + self.takes_s);
        begins
    }

    /// Data of a write leave the host, and are so long on links, of which this is the last: gives when they are there.
    pub(super) fn bring(&mut self, at: f64, out_s: f64) -> f64 {
        let before = (out_s - self.takes_s).max(0.0);
        self.pass(at + before) + out_s - before
    }

    /// For how long a read has been leaving that has passed the head in so long, and was asked for so long ago.
    pub(super) fn flowing(&self, passing_s: f64, asked_s: f64) -> f64 {
        passing_s.min(asked_s).min(self.takes_s) * self.overlaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 5 s that a write takes to the disk the last 2 are on its link, which a read has taken, or has not.
    #[test]
    fn a_write_comes_to_the_link_after_the_links_before() {
        let link = |shared, taken| Link {
            shared,
            takes_s: 2.0,
            overlaps: 1.0,
            taken,
        };
        for (shared, taken, there) in [
            (true, (0.0, 0.0), 15.0),
            (true, (12.0, 14.0), 16.0),
            (true, (9.0, 12.5), 15.0),
            (true, (16.0, 18.0), 15.0),
            (false, (12.0, 14.0), 15.0),
        ] {
            assert_eq!(link(shared, taken).bring(10.0, 5.0), there, "{taken:?}");
        }
        let mut taken = link(true, (0.0, 0.0));
        taken.bring(10.0, 5.0);
        assert_eq!(taken.taken, (13.0, 15.0));
    }
}
