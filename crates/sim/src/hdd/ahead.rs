//! The buffer: segments, each with what a stream of reads was given and what was read ahead of it. After a read the
//! head stays on the track and fills the segment until something else is wanted, so that the next read of the stream
//! is there already or passes by without a lost revolution. The segment that was used least recently gives way.
//!
//! A drive that has something else to do reads on for as long as it would otherwise wait there for the medium to turn:
//! the arm leaves just in time for its next target (Seagate, *Rotationally optimized seek initiation*, GB 2363668). So
//! reading ahead costs others nothing, and beyond that it ends at once, as drives do whose minimum prefetch is 0.
//!
//! A write clears the segments that hold some of what it writes (Seagate, product manuals of Constellation.2, Cheetah 15K.7,
//! Enterprise Performance 10K v8 and others, *Caching write data*).

use crate::hdd::geometry::Geometry;
use crate::hdd::queue::{Choice, Head, Mechanics};
use crate::time::Ps;

/// What the buffer holds of one stream.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// First byte.
    start: u64,
    /// The byte up to which it is filled, or, where the head is filling it, can be.
    limit: u64,
    /// Whether it has still to be worked out how far the head came: few reads need to know.
    open: bool,
}

impl Segment {
    /// Whether a read from `offset` is in the segment or begins where it ends.
    #[inline]
    fn touches(&self, offset: u64) -> bool {
        offset.wrapping_sub(self.start) <= self.limit.wrapping_sub(self.start)
    }
}

/// One that no read touches.
const EMPTY: Segment = Segment {
    start: u64::MAX,
    limit: u64::MAX,
    open: false,
};

/// Where the head was when it was needed elsewhere, and for what.
#[derive(Clone, Copy, Debug)]
struct Leaving {
    head: Head,
    choice: Choice,
}

/// The segments, and how far the head has come with the newest of them.
#[derive(Clone, Debug)]
pub struct Ahead {
    segments: Vec<Segment>,
    /// How the head left each.
    leavings: Vec<Option<Leaving>>,
    /// Their numbers, the one that was used last first.
    order: Vec<u32>,
    /// The one that the head fills, or has filled last.
    current: usize,
    /// The head was, or will be, over this byte of it at `since`.
    from: u64,
    since: Ps,
    /// The head is needed elsewhere when it has come to the limit.
    leaving: bool,
}

/// How a read stands to the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// In the buffer.
    Held,
    /// Passes under the head, all of it by this moment.
    Coming(Ps),
    /// In the buffer up to this byte, and the head is not there.
    Rest(u64),
    /// Somewhere else.
    Elsewhere,
}

impl Ahead {
    /// An empty buffer of so many segments.
    pub fn new(segments: u32) -> Self {
        let segments = segments.max(1);
        Self {
            segments: vec![EMPTY; segments as usize],
            leavings: vec![None; segments as usize],
            order: (0..segments).collect(),
            current: 0,
            from: u64::MAX,
            since: Ps::ZERO,
            leaving: false,
        }
    }

    /// The byte up to which the newest segment is filled.
    #[inline]
    fn frontier(&self, now: Ps, geometry: &Geometry) -> u64 {
        let limit = self.segments[self.current].limit;
        if self.from >= limit {
            return limit;
        }
        limit.min(self.from + geometry.passed(self.from, now.since(self.since)))
    }

    /// First byte of the newest segment, and the one up to which it is filled.
    pub fn held(&mut self, now: Ps, mechanics: &Mechanics) -> (u64, u64) {
        self.close(self.current, mechanics);
        let start = self.segments[self.current].start;
        (start, self.frontier(now, &mechanics.geometry))
    }

    /// First byte of the newest segment and where the head is, if it is still reading and not needed elsewhere.
    #[inline]
    pub fn reading(&self, now: Ps, geometry: &Geometry) -> Option<(u64, u64)> {
        if self.leaving {
            return None;
        }
        let segment = &self.segments[self.current];
        let frontier = self.frontier(now, geometry);
        (frontier < segment.limit).then_some((segment.start, frontier))
    }

    /// Whether the head has come to where it goes on.
    pub fn is_there(&self, now: Ps) -> bool {
        now >= self.since
    }

    /// Whether the head reads on only until it is needed elsewhere, or has gone there.
    pub fn is_leaving(&self) -> bool {
        self.leaving
    }

    /// Where a read of `offset..end` is. It counts as a use of what answers it.
    #[inline]
    pub fn standing(&mut self, offset: u64, end: u64, now: Ps, mechanics: &Mechanics) -> Standing {
        // All of them, without a branch for each.
        let touched = self.segments.iter();
        if !touched.fold(false, |any, segment| any | segment.touches(offset)) {
            return Standing::Elsewhere;
        }
        self.standing_near(offset, end, now, mechanics)
    }

    fn standing_near(&mut self, offset: u64, end: u64, now: Ps, mechanics: &Mechanics) -> Standing {
        if self.segments[self.current].touches(offset) {
            self.close(self.current, mechanics);
        }
        if self.segments[self.current].touches(offset) {
            let standing = self.standing_in_current(offset, end, now, &mechanics.geometry);
            if standing != Standing::Elsewhere {
                self.use_now(self.current);
                return standing;
            }
        }
        self.close_near(offset, mechanics);
        let others = self.segments.iter().enumerate();
        let touched = others.filter(|&(at, segment)| at != self.current && segment.touches(offset));
        let Some((at, segment)) = touched.max_by_key(|(_, segment)| segment.limit) else {
            return Standing::Elsewhere;
        };
        let limit = segment.limit;
        self.use_now(at);
        match limit {
            _ if end <= limit => Standing::Held,
            _ if offset < limit => Standing::Rest(limit),
            _ => Standing::Elsewhere,
        }
    }

    fn standing_in_current(&self, offset: u64, end: u64, now: Ps, geometry: &Geometry) -> Standing {
        let limit = self.segments[self.current].limit;
        let frontier = self.frontier(now, geometry);
        let coming = || Standing::Coming(self.since + geometry.transfer(self.from, end - self.from));
        if end <= frontier {
            Standing::Held
        } else if self.leaving {
            match limit {
                _ if end <= limit => coming(),
                _ if offset < limit => Standing::Rest(limit),
                _ => Standing::Elsewhere,
            }
        } else if frontier < limit || now <= self.since {
            coming()
        } else if offset < limit {
            Standing::Rest(limit)
        } else {
            Standing::Elsewhere
        }
    }

    /// The head is needed for a choice. Gives what the newest segment can hold at most when the arm leaves.
    #[inline]
    pub fn leave(&mut self, head: Head, choice: Choice) -> (u64, u64) {
        let segment = &mut self.segments[self.current];
        segment.open = true;
        self.leavings[self.current] = Some(Leaving { head, choice });
        self.leaving = true;
        (segment.start, segment.limit)
    }

    /// The head goes elsewhere at once; where it was reading, from this byte.
    #[inline]
    pub fn go(&mut self, from: Option<u64>) {
        if let Some(from) = from {
            self.segments[self.current].limit = from;
        }
        self.leaving = true;
    }

    /// Work out how far the head came in segments that a read from `offset` may touch.
    fn close_near(&mut self, offset: u64, mechanics: &Mechanics) {
        for at in 0..self.segments.len() {
            if self.segments[at].touches(offset) {
                self.close(at, mechanics);
            }
        }
    }

    fn close(&mut self, at: usize, mechanics: &Mechanics) {
        if let (true, Some(Leaving { head, choice })) = (self.segments[at].open, self.leavings[at]) {
            let passed = mechanics
                .geometry
                .passed(head.offset, mechanics.slack(&head, &choice));
            let segment = &mut self.segments[at];
            (segment.limit, segment.open) = (segment.limit.min(head.offset + passed), false);
        }
    }

    /// A read from `offset` has brought the head to `end` now: go on up to `bytes` more. It continues the
    /// stream whose segment it touches, else begins a new one.
    pub fn follow(&mut self, offset: u64, end: u64, bytes: u64, now: Ps, mechanics: &Mechanics) {
        let mut found = self.to_follow(offset);
        if self.segments[found].open && self.segments[found].touches(offset) {
            self.close_near(offset, mechanics);
            found = self.to_follow(offset);
        }
        self.current = found;
        let segment = &mut self.segments[found];
        if !segment.touches(offset) {
            segment.start = offset;
        }
        segment.start = segment.start.max(end.saturating_sub(bytes));
        (segment.limit, segment.open) = (end + bytes, false);
        (self.from, self.since, self.leaving) = (end, now, false);
        self.use_now(found);
    }

    /// Whether a segment may hold some of `offset..end`.
    #[inline]
    pub fn may_hold(&self, (offset, end): (u64, u64)) -> bool {
        let meets = |segment: &Segment| segment.start < end && offset < segment.limit;
        // All of them, without a branch for each.
        self.segments
            .iter()
            .fold(false, |any, segment| any | meets(segment))
    }

    /// Clear the segments that hold some of `offset..end`, which is written. Gives whether the head was filling one of them: it
    /// stops then.
    pub fn overwrite(&mut self, (offset, end): (u64, u64), now: Ps, mechanics: &Mechanics) -> bool {
        let reading = self.reading(now, &mechanics.geometry).is_some();
        let filled = self.held(now, mechanics).1;
        let mut stops = false;
        for at in 0..self.segments.len() {
            self.close(at, mechanics);
            let segment = self.segments[at];
            let limit = if at == self.current { filled } else { segment.limit };
            if segment.start < end && offset < limit {
                self.clear(at);
                stops |= reading && at == self.current;
            }
        }
        stops
    }

    /// Nothing is in a segment any more: it is the first to give way.
    fn clear(&mut self, at: usize) {
        (self.segments[at], self.leavings[at]) = (EMPTY, None);
        if at == self.current {
            (self.from, self.leaving) = (u64::MAX, true);
        }
        self.order.retain(|&other| other as usize != at);
        self.order.push(at as u32);
    }

    /// The segment that a read from `offset` touches, or else the one that was used least recently.
    #[inline]
    fn to_follow(&self, offset: u64) -> usize {
        if self.segments[self.current].touches(offset) {
            return self.current;
        }
        let mut found = *self.order.last().expect("a segment") as usize;
        for (at, segment) in self.segments.iter().enumerate() {
            if segment.touches(offset) {
                found = at;
            }
        }
        found
    }

    #[inline]
    fn use_now(&mut self, at: usize) {
        let mut before = at as u32;
        for place in &mut self.order {
            std::mem::swap(place, &mut before);
            if before == at as u32 {
                return;
            }
        }
    }

    fn last(&self) -> usize {
        self.order[0] as usize
    }

    /// A read up to `end` was served while the head runs: where it reads for that stream it may go on so much further.
    pub fn extend(&mut self, end: u64, bytes: u64) {
        if self.last() == self.current && !self.leaving {
            let segment = &mut self.segments[self.current];
            segment.limit = segment.limit.max(end + bytes);
            segment.start = segment.start.max(end.saturating_sub(bytes));
        }
    }

    /// Where the head would go on for a read up to `end` that was served from the buffer, if its segment is half used up.
    pub fn thirst(&self, end: u64, bytes: u64) -> Option<u64> {
        let limit = self.segments[self.last()].limit;
        (limit.saturating_sub(end) < bytes / 2).then_some(limit)
    }

    /// Go on from where the head had stopped with what was used last, from a later moment on.
    pub fn resume(&mut self, at: Ps, end: u64, bytes: u64) {
        self.current = self.last();
        let from = self.segments[self.current].limit;
        (self.from, self.since, self.leaving) = (from, at, false);
        self.extend(end, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hdd::disk_of_tests;
    use crate::hdd::seek::SeekCurve;

    /// A head that reads on is over all of a read that goes on there, even where that is longer than what is to be read ahead; when it
    /// is about to leave, only what it reads until then is in the buffer.
    #[test]
    fn a_long_read_passes_under_a_head_that_reads_on() {
        let model = disk_of_tests(16);
        let geometry = Geometry::new(&model);
        let seek = SeekCurve::fit(
            model.seek_track_ps,
            model.seek_average_ps,
            model.seek_full_ps,
            geometry.cylinders() - 1,
        );
        let mechanics = Mechanics {
            geometry,
            seek,
            write_settle: model.write_settle_ps,
        };
        let (ahead_bytes, now) = (65_536, Ps::from_ns(1000));
        let mut ahead = Ahead::new(2);
        ahead.follow(0, 8192, ahead_bytes, now, &mechanics);
        let end = 8192 + 2 * ahead_bytes;
        let passed = mechanics.geometry.transfer(8192, end - 8192);
        let standing = ahead.standing(8192, end, now, &mechanics);
        assert_eq!(standing, Standing::Coming(now + passed));
        ahead.go(None);
        let standing = ahead.standing(8192, end, now, &mechanics);
        assert_eq!(standing, Standing::Rest(8192 + ahead_bytes));
    }
}
