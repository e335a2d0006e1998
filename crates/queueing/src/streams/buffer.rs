//! The buffer of a disk: segments, each with what was read of one stretch, the one that was used least recently the next to
//! be given away; and how far the head has come with the newest of them.

/// Bytes by which two places can differ and be one: what has passed is no whole number.
pub(super) const ONE: f64 = 0.5;

/// What the buffer holds of one stretch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) start: f64,
    /// Up to where it is filled or, while the head fills it, can be.
    pub(super) limit: f64,
    used: u64,
}

/// One that no read touches.
const EMPTY: Segment = Segment {
    start: f64::INFINITY,
    limit: f64::NEG_INFINITY,
    used: 0,
};

impl Segment {
    fn touches(&self, offset: f64) -> bool {
        self.start <= offset && offset <= self.limit + ONE
    }
}

/// How a read stands to the buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Standing {
    /// In it.
    Held,
    /// Passes under the head, all of it by this moment.
    Coming(f64),
    /// To be read from this byte on.
    From(f64),
}

/// The segments.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    segments: Vec<Segment>,
    uses: u64,
    /// The one that the head fills, or has filled last.
    current: usize,
    /// The head was over this byte of it at `since`.
    from: f64,
    since: f64,
    bytes_s: f64,
    /// The head is needed elsewhere when it has come to the limit.
    pub(super) leaving: bool,
    ahead: f64,
}

impl Buffer {
    pub(super) fn new(segments: usize, ahead: f64) -> Self {
        Self {
            segments: vec![EMPTY; segments.max(1)],
            uses: 0,
            current: 0,
            from: f64::INFINITY,
            since: 0.0,
            bytes_s: 0.0,
            leaving: true,
            ahead,
        }
    }

    /// First byte of the newest segment and up to where it is filled.
    pub(super) fn held(&self, now: f64) -> (f64, f64) {
        let segment = &self.segments[self.current];
        let passed = (now - self.since).max(0.0) * self.bytes_s;
        (segment.start, segment.limit.min(self.from + passed))
    }

    /// The same, if the head is reading and not needed elsewhere.
    pub(super) fn reading(&self, now: f64) -> Option<(f64, f64)> {
        let held = self.held(now);
        (!self.leaving && held.1 < self.segments[self.current].limit).then_some(held)
    }

    fn use_now(&mut self, at: usize) {
        self.uses += 1;
        self.segments[at].used = self.uses;
    }

    fn touched(&self, offset: f64) -> Option<usize> {
        let touched = self.segments.iter().enumerate();
        let touched = touched.filter(|(_, segment)| segment.touches(offset));
        touched
            .max_by(|one, other| one.1.limit.total_cmp(&other.1.limit))
            .map(|(at, _)| at)
    }

    /// Where a read is; it counts as a use of what answers it.
    pub(super) fn standing(&mut self, offset: f64, end: f64, now: f64) -> Standing {
        let Some(at) = self.touched(offset) else {
            return Standing::From(offset);
        };
        self.use_now(at);
        let (limit, is_current) = (self.segments[at].limit, at == self.current);
        let (_, filled) = self.held(now);
        let comes =
            is_current && (filled < limit || now <= self.since) && (!self.leaving || end <= limit + ONE);
        if end <= if is_current { filled } else { limit } + ONE {
            Standing::Held
        } else if comes {
            Standing::Coming(now.max(self.since + (end - self.from) / self.bytes_s))
        } else {
            Standing::From(offset.max(limit))
        }
    }

    /// A read has brought the head to `end`: it goes on for its stream, which passes at such a rate.
    pub(super) fn follow(&mut self, offset: f64, end: f64, now: f64, bytes_s: f64) {
        let oldest = || {
            let all = self.segments.iter().enumerate();
            all.min_by_key(|(_, segment)| segment.used)
                .map_or(0, |(at, _)| at)
        };
        let at = self.touched(offset).unwrap_or_else(oldest);
        let ahead = self.ahead;
        let segment = &mut self.segments[at];
        if !segment.touches(offset) {
            segment.start = offset;
        }
        segment.start = segment.start.max(end - ahead);
        segment.limit = end + ahead;
        self.current = at;
        (self.from, self.since, self.bytes_s, self.leaving) = (end, now, bytes_s, false);
        self.use_now(at);
    }

    /// The head is needed elsewhere, and leaves after it has gone on for so long. Gives what the segment holds then.
    pub(super) fn leave(&mut self, now: f64, after: f64) -> (f64, f64) {
        let (start, filled) = self.held(now);
        let segment = &mut self.segments[self.current];
        segment.limit = segment.limit.min(filled + after * self.bytes_s);
        (self.from, self.since, self.leaving) = (filled, now, true);
        (start, segment.limit)
    }

    /// Clear the segments that hold some of what is written, as makers say of theirs (Seagate, product manual of
    /// Constellation.2, Caching write data).
    pub(super) fn overwrite(&mut self, offset: f64, end: f64, now: f64) {
        let (_, filled) = self.held(now);
        for (at, segment) in self.segments.iter_mut().enumerate() {
            let limit = if at == self.current { filled } else { segment.limit };
            if segment.start < end && offset < limit {
                *segment = EMPTY;
                self.leaving |= at == self.current;
            }
        }
    }

    /// The one that was used last.
    fn last(&self) -> usize {
        let all = self.segments.iter().enumerate();
        all.max_by_key(|(_, segment)| segment.used)
            .map_or(0, |(at, _)| at)
    }

    /// A read up to `end` was answered while the head runs: it may go on so much further for its stream.
    pub(super) fn extend(&mut self, end: f64) {
        if self.last() == self.current && !self.leaving {
            let segment = &mut self.segments[self.current];
            segment.limit = segment.limit.max(end + self.ahead);
            segment.start = segment.start.max(end - self.ahead);
        }
    }

    /// Where the head would go on for a read that was answered, if what is held for it is half used up.
    pub(super) fn thirst(&self, end: f64) -> Option<f64> {
        let limit = self.segments[self.last()].limit;
        (limit - end < self.ahead / 2.0).then_some(limit)
    }

    /// Go on from there at a later moment.
    pub(super) fn resume(&mut self, at: f64, end: f64, bytes_s: f64) {
        self.current = self.last();
        self.from = self.segments[self.current].limit;
        (self.since, self.bytes_s, self.leaving) = (at, bytes_s, false);
        self.extend(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A head that is over byte 100 at 10 s and goes on by 50 bytes for its stream, 5 a second.
    fn followed() -> Buffer {
        let mut buffer = Buffer::new(2, 50.0);
        buffer.follow(80.0, 100.0, 10.0, 5.0);
        buffer
    }

    #[test]
    fn the_head_reads_until_it_has_come_to_the_limit_or_leaves() {
        let mut buffer = followed();
        assert_eq!(buffer.reading(10.0), Some((80.0, 100.0)));
        assert_eq!(buffer.reading(19.0), Some((80.0, 145.0)));
        assert_eq!(buffer.reading(20.0), None);
        assert_eq!(buffer.held(30.0), (80.0, 150.0));
        assert_eq!(buffer.leave(14.0, 2.0), (80.0, 130.0));
        assert_eq!(buffer.reading(15.0), None);
        assert_eq!(buffer.held(15.0), (80.0, 125.0));
        assert_eq!(buffer.held(17.0), (80.0, 130.0));
    }

    #[test]
    fn a_read_is_held_or_coming_or_begins_where_what_is_held_ends() {
        let standing = |offset, end, now| followed().standing(offset, end, now);
        assert_eq!(standing(80.0, 120.0, 14.0), Standing::Held);
        // 40 bytes behind where the head was at 10 s.
        assert_eq!(standing(120.0, 140.0, 14.0), Standing::Coming(18.0));
        assert_eq!(standing(79.0, 90.0, 14.0), Standing::From(79.0));
        assert_eq!(standing(151.0, 160.0, 14.0), Standing::From(151.0));
        // The head has stopped at 150.
        assert_eq!(standing(140.0, 160.0, 30.0), Standing::From(150.0));
        let left = |end| {
            let mut buffer = followed();
            buffer.leave(14.0, 2.0);
            buffer.standing(110.0, end, 14.0)
        };
        assert_eq!(left(130.0), Standing::Coming(16.0));
        assert_eq!(left(131.0), Standing::From(130.0));
    }

    #[test]
    fn the_segment_that_was_used_least_recently_is_given_away() {
        let mut buffer = followed();
        buffer.follow(1000.0, 1010.0, 30.0, 5.0);
        buffer.leave(40.0, 0.0);
        // Of the first something is asked for: the second is the older use then.
        assert_eq!(buffer.standing(90.0, 95.0, 41.0), Standing::Held);
        buffer.follow(2000.0, 2010.0, 50.0, 5.0);
        assert_eq!(buffer.standing(90.0, 95.0, 51.0), Standing::Held);
        assert_eq!(buffer.standing(1000.0, 1010.0, 51.0), Standing::From(1000.0));
    }

    #[test]
    fn no_more_than_what_is_read_ahead_is_kept_behind_the_head() {
        let mut buffer = followed();
        buffer.follow(100.0, 140.0, 18.0, 5.0);
        assert_eq!(buffer.held(18.0), (90.0, 140.0));
        buffer.extend(145.0);
        assert_eq!(buffer.held(100.0), (95.0, 195.0));
    }

    #[test]
    fn the_head_goes_on_where_half_of_what_is_held_is_used_up() {
        let mut buffer = followed();
        assert_eq!(buffer.thirst(125.0), None);
        assert_eq!(buffer.thirst(125.5), Some(150.0));
        buffer.resume(40.0, 130.0, 5.0);
        assert_eq!(buffer.held(39.0), (80.0, 150.0));
        assert_eq!(buffer.held(42.0), (80.0, 160.0));
        assert_eq!(buffer.held(90.0), (80.0, 180.0));
    }

    #[test]
    fn what_is_written_over_is_held_no_more() {
        let written = |offset, end| {
            let mut buffer = followed();
            buffer.overwrite(offset, end, 14.0);
            buffer.standing(80.0, 90.0, 14.0)
        };
        // Held: 80 to 120. What comes later than that is read anew anyway.
        for (offset, end) in [(70.0, 80.0), (120.0, 130.0)] {
            assert_eq!(written(offset, end), Standing::Held);
        }
        for (offset, end) in [(70.0, 81.0), (119.0, 130.0), (90.0, 91.0)] {
            assert_eq!(written(offset, end), Standing::From(80.0));
        }
        let mut buffer = followed();
        buffer.overwrite(90.0, 91.0, 14.0);
        assert!(buffer.leaving);
    }
}
