//! What was written last stays in the buffer, and a read of nothing else needs no medium: "if read caching is enabled, then data
//! written to the medium is retained in the cache to be made available for future read cache hits", whether or not the
//! write cache is on (Seagate, product manuals of Constellation.2, Cheetah 15K.7, Enterprise Performance 10K v8 and others,
//! *Caching write data*).
//!
//! It is kept by segments as long as those of reads: writes in order go on with one, which wraps around and holds the last of them.
//! A write clears the segments that hold some of what it writes. The one that was used least recently gives way. In the manuals reads
//! and writes share the segments; a part says how much of its buffer is for what, and so those of writes are no more than the
//! write cache has memory for, nor than there are for reads.

use crate::hdd::front::cache_bytes;
use crate::system::HddModel;

/// First byte, and the one behind the last.
type Range = (u64, u64);

/// A segment with nothing in it.
const EMPTY: Range = (u64::MAX, u64::MAX);

/// The segments.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// A ring in the order of use.
    segments: Vec<Range>,
    /// The one that was used last; before it is the one that gives way.
    newest: usize,
    /// Bytes of each.
    bytes: u64,
}

impl Kept {
    /// Nothing yet, in the buffer of such a drive.
    pub(super) fn new(model: &HddModel) -> Self {
        let (room, bytes) = (cache_bytes(model), model.read_ahead_bytes);
        let most = match bytes {
            0 => 0,
            bytes => (room / bytes).min(model.read_segments.into()),
        };
        Self {
            segments: vec![EMPTY; most as usize],
            newest: 0,
            bytes,
        }
    }

    /// Whether a read lies in one of them, which counts as a use.
    #[inline]
    pub(super) fn holds(&mut self, (offset, end): Range) -> bool {
        let found = self.find(|(start, limit)| (start <= offset) & (end <= limit));
        if let Some(at) = found {
            self.use_now(at);
        }
        found.is_some()
    }

    /// Clear those that hold some of what is to be written.
    #[inline]
    pub(super) fn overwrite(&mut self, (offset, end): Range) {
        while let Some(at) = self.find(|(start, limit)| (start < end) & (offset < limit)) {
            // It is the first to give way.
            self.use_now(at);
            self.segments[self.newest] = EMPTY;
            self.newest = self.after(self.newest);
        }
    }

    /// Keep what has been written.
    #[inline]
    pub(super) fn keep(&mut self, (offset, end): Range) {
        if self.segments.is_empty() {
            return;
        }
        let goes_on = |(start, limit)| (start <= offset) & (offset <= limit);
        // That of one stream is the newest.
        if !goes_on(self.segments[self.newest]) {
            match self.find(goes_on) {
                Some(at) => self.use_now(at),
                None => {
                    self.newest = self.before(self.newest);
                    self.segments[self.newest] = (offset, end);
                }
            }
        }
        let (start, limit) = &mut self.segments[self.newest];
        *limit = end.max(*limit);
        *start = limit.saturating_sub(self.bytes).max(*start);
    }

    /// One that is so.
    #[inline]
    fn find(&self, is: impl Fn(Range) -> bool) -> Option<usize> {
        // All of them first, without a branch for each: few reads and writes find one.
        let segments = self.segments.iter();
        if !segments.fold(false, |any, &segment| any | is(segment)) {
            return None;
        }
        self.segments.iter().position(|&segment| is(segment))
    }

    /// Which was used after it.
    #[inline]
    fn before(&self, at: usize) -> usize {
        if at == 0 { self.segments.len() - 1 } else { at - 1 }
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) % self.segments.len()
    }

    fn use_now(&mut self, mut at: usize) {
        let used = self.segments[at];
        while at != self.newest {
            let before = self.before(at);
            self.segments[at] = self.segments[before];
            at = before;
        }
        self.segments[at] = used;
    }
}

#[cfg(test)]
mod tests {
    use iodyno_load::pattern::mix;

    use super::*;

    /// The same by its definition: a list, the one used last first.
    #[derive(Default)]
    struct List(Vec<Range>);

    impl List {
        fn holds(&mut self, (offset, end): Range) -> bool {
            let found = self.0.iter().position(|one| one.0 <= offset && end <= one.1);
            if let Some(at) = found {
                let one = self.0.remove(at);
                self.0.insert(0, one);
            }
            found.is_some()
        }

        fn write(&mut self, (offset, end): Range, kept: &Kept) {
            self.0.retain(|one| one.1 <= offset || end <= one.0);
            let before = self.0.iter().position(|one| one.1 == offset);
            let start = before.map_or(offset, |at| self.0.remove(at).0);
            self.0.insert(0, (start.max(end.saturating_sub(kept.bytes)), end));
            self.0.truncate(kept.segments.len());
        }
    }

    /// Blocks of 1 to 4 in an area of 64, so that they often meet, go on with each other and are found.
    #[test]
    fn the_ring_is_a_list_of_what_was_used_last() {
        for segments in 1..6 {
            let mut kept = Kept {
                segments: vec![EMPTY; segments],
                newest: 0,
                bytes: 8,
            };
            let (mut list, mut found) = (List::default(), 0);
            for step in 0..20_000_u64 {
                let draw = |what: u64| mix(step, what);
                let offset = draw(0) % 64;
                let range = (offset, offset + 1 + draw(1) % 4);
                if draw(2) % 2 == 0 {
                    kept.overwrite(range);
                    kept.keep(range);
                    list.write(range, &kept);
                } else {
                    let held = kept.holds(range);
                    assert_eq!(held, list.holds(range), "{segments} segments, step {step}");
                    found += u64::from(held);
                }
            }
            assert!(found > 100, "{found}");
        }
    }
}
