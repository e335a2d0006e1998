//! The buffer: segments, each with what a stream of reads was given and what was read ahead of it. After a read the
//! head stays on the track and fills the segment until something else is wanted, so that the next read of the stream
//! is there already or passes by without a lost revolution. The segment that was used least recently gives way.
//!
//! A drive that has something else to do reads on for as long as it would otherwise wait there for the medium to turn:
//! the arm leaves just in time for its next target (Seagate, *Rotationally optimized seek initiation*, GB 2363668). So
//! reading ahead costs others nothing, and beyond that it ends at once, as drives do whose minimum prefetch is 0.

use crate::hdd::geometry::Geometry;
use crate::time::Ps;

/// What the buffer holds of one stream.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    /// First byte.
    start: u64,
    /// The byte up to which it is filled, or, where the head is filling it, will be.
    limit: u64,
    /// When it was used last: a count, 0 for never.
    used: u64,
}

impl Segment {
    /// Whether a read from `offset` is in the segment or begins where it ends.
    #[inline]
    fn touches(&self, offset: u64) -> bool {
        offset >= self.start && offset <= self.limit && self.limit > 0
    }
}

/// The segments, and how far the head has come with the newest of them.
#[derive(Clone, Debug)]
pub struct Ahead {
    segments: Vec<Segment>,
    /// The one that the head fills, or has filled last.
    current: usize,
    /// The head was, or will be, over this byte of it at `since`.
    from: u64,
    since: Ps,
    /// The head is needed elsewhere when it has come to the limit.
    leaving: bool,
    /// The one that was used last, and how many uses there were.
    last: usize,
    uses: u64,
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
        Self {
            segments: vec![Segment::default(); segments.max(1) as usize],
            current: 0,
            from: 0,
            since: Ps::ZERO,
            leaving: false,
            last: 0,
            uses: 0,
        }
    }

    /// The byte up to which the newest segment is filled.
    #[inline]
    pub fn frontier(&self, now: Ps, geometry: &Geometry) -> u64 {
        let limit = self.segments[self.current].limit;
        if self.from >= limit {
            return limit;
        }
        limit.min(self.from + geometry.passed(self.from, now.since(self.since)))
    }

    /// First byte of the newest segment, and the one up to which it is filled.
    pub fn held(&self, now: Ps, geometry: &Geometry) -> (u64, u64) {
        (self.segments[self.current].start, self.frontier(now, geometry))
    }

    /// Whether the head is still reading.
    #[inline]
    pub fn runs(&self, now: Ps, geometry: &Geometry) -> bool {
        self.frontier(now, geometry) < self.segments[self.current].limit
    }

    /// Whether the head reads on only until it is needed elsewhere.
    pub fn is_leaving(&self) -> bool {
        self.leaving
    }

    /// Where a read of `offset..end` is. It counts as a use of what answers it.
    pub fn standing(&mut self, offset: u64, end: u64, now: Ps, geometry: &Geometry) -> Standing {
        if self.segments[self.current].touches(offset) {
            let standing = self.standing_in_current(offset, end, now, geometry);
            if standing != Standing::Elsewhere {
                self.use_now(self.current);
                return standing;
            }
        }
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

    /// The head goes elsewhere at a moment: what the buffer holds by then stays. Gives the byte up to which that is.
    #[inline]
    pub fn leave(&mut self, at: Ps, geometry: &Geometry) -> u64 {
        let frontier = self.frontier(at, geometry);
        self.segments[self.current].limit = frontier;
        self.leaving = true;
        frontier
    }

    /// A read from `offset` has brought the head to `end` now: go on up to `bytes` more. It continues the
    /// stream whose segment it touches, else begins a new one.
    pub fn follow(&mut self, offset: u64, end: u64, now: Ps, bytes: u64) {
        if !self.segments[self.current].touches(offset) {
            self.current = match self.segments.iter().position(|segment| segment.touches(offset)) {
                Some(at) => at,
                None => self.begin(offset),
            };
        }
        let segment = &mut self.segments[self.current];
        segment.start = segment.start.max(end.saturating_sub(bytes));
        segment.limit = end + bytes;
        (self.from, self.since, self.leaving) = (end, now, false);
        self.use_now(self.current);
    }

    /// Empty the segment that was used least recently for a stream that begins at a byte.
    fn begin(&mut self, offset: u64) -> usize {
        let used = self.segments.iter().enumerate();
        let (_, at) = used
            .map(|(at, segment)| (segment.used, at))
            .min()
            .expect("a segment");
        self.segments[at].start = offset;
        at
    }

    #[inline]
    fn use_now(&mut self, at: usize) {
        self.uses += 1;
        self.segments[at].used = self.uses;
        self.last = at;
    }

    /// A read up to `end` was served while the head runs: where it reads for that stream it may go on so much further.
    pub fn extend(&mut self, end: u64, bytes: u64) {
        if self.last == self.current && !self.leaving {
            let segment = &mut self.segments[self.current];
            segment.limit = segment.limit.max(end + bytes);
            segment.start = segment.start.max(end.saturating_sub(bytes));
        }
    }

    /// Where the head would go on for a read up to `end` that was served from the buffer, if its segment is half used up.
    pub fn thirst(&self, end: u64, bytes: u64) -> Option<u64> {
        let limit = self.segments[self.last].limit;
        (limit.saturating_sub(end) < bytes / 2).then_some(limit)
    }

    /// Go on from where the head had stopped with what was used last, from a later moment on.
    pub fn resume(&mut self, at: Ps, end: u64, bytes: u64) {
        self.current = self.last;
        let from = self.segments[self.current].limit;
        (self.from, self.since, self.leaving) = (from, at, false);
        self.extend(end, bytes);
    }
}
