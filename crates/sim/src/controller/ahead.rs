//! Reading ahead: sequential streams are recognised, and what they will read next is fetched in large units
//! from all drives before it is asked for.
//!
//! Not all of what lies ahead of a stream need be read: writes of a mixed load that share its cursor leave gaps. A read
//! that begins in what has been fetched for a stream goes on with it. But a stream must have earned what is fetched: it
//! may be twice as much as it reads. So from a new stream on it doubles up to full units, stays there while the stream
//! reads more than half of where it goes, and ends with one that leaves larger gaps.

use std::collections::VecDeque;

use super::HostOp;
use super::jobs::Waiting;

/// Streams that are followed at once.
const STREAMS: usize = 32;
/// Reads in sequence after which a stream is one.
const RUNS: u32 = 2;
/// Least bytes that are fetched at once.
const UNIT_BYTES: u64 = 256 << 10;
/// Units that are fetched ahead of a stream.
const UNITS_AHEAD: u64 = 4;
/// Bytes that may be fetched for each that is read.
const EARNED: u64 = 2;

/// A unit under way or waiting for one before it.
#[derive(Clone, Copy, Debug)]
struct Unit {
    start: u64,
    end: u64,
    arrived: bool,
}

#[derive(Debug, Default)]
struct Stream {
    /// Where its next read begins, if it leaves no gap.
    next: u64,
    runs: u32,
    last_used: u64,
    /// Up to where may be fetched.
    earned_to: u64,
    /// Up to where has been fetched, and has arrived.
    fetched_to: u64,
    arrived_to: u64,
    units: VecDeque<Unit>,
    waiting: VecDeque<Waiting>,
}

impl Stream {
    /// How far a read from `offset` on is behind where the stream ended, if it goes on with it.
    fn gap(&self, offset: u64) -> Option<u64> {
        let goes_on = self.next..=self.next.max(self.fetched_to);
        goes_on.contains(&offset).then(|| offset - self.next)
    }

    /// It has read so many bytes up to `end`, and may have no more than `most` ahead.
    fn earn(&mut self, bytes: u32, end: u64, most: u64) {
        let earned_to = self.earned_to + EARNED * u64::from(bytes);
        self.earned_to = earned_to.clamp(end, end + most);
    }
}

/// What a read is to the streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No stream that is followed.
    Nothing,
    /// The next read of a stream.
    Stream(u16),
}

/// The streams of a logical drive.
#[derive(Debug)]
pub(super) struct Ahead {
    streams: Vec<Stream>,
    /// Bytes fetched at once.
    unit: u64,
    /// End of the logical drive.
    size: u64,
    reads: u64,
}

impl Ahead {
    /// For a logical drive of `size` bytes whose rows have `row` bytes.
    pub(super) fn new(row: u64, size: u64) -> Self {
        let unit = row * UNIT_BYTES.div_ceil(row);
        Self {
            streams: Vec::new(),
            unit,
            size,
            reads: 0,
        }
    }

    /// See whether a read goes on with a stream.
    pub(super) fn look(&mut self, op: &HostOp) -> Found {
        self.reads += 1;
        let end = op.offset + u64::from(op.bytes);
        let most = (UNITS_AHEAD + 1) * self.unit;
        let streams = self.streams.iter().enumerate();
        let gaps = streams.filter_map(|(at, stream)| Some((stream.gap(op.offset)?, at)));
        let Some((_, at)) = gaps.min() else {
            self.begin(op, most);
            return Found::Nothing;
        };
        let stream = &mut self.streams[at];
        stream.next = end;
        stream.earn(op.bytes, end, most);
        stream.runs += 1;
        stream.last_used = self.reads;
        if stream.runs < RUNS {
            return Found::Nothing;
        }
        if stream.fetched_to < op.offset {
            (stream.fetched_to, stream.arrived_to) = (op.offset, op.offset);
        }
        Found::Stream(at as u16)
    }

    /// A read that may be the first of a stream.
    fn begin(&mut self, op: &HostOp, most: u64) {
        let mut fresh = Stream {
            next: op.offset + u64::from(op.bytes),
            last_used: self.reads,
            earned_to: op.offset,
            ..Stream::default()
        };
        fresh.earn(op.bytes, fresh.next, most);
        if self.streams.len() < STREAMS {
            return self.streams.push(fresh);
        }
        let idle = self
            .streams
            .iter_mut()
            .filter(|stream| stream.units.is_empty() && stream.waiting.is_empty());
        if let Some(oldest) = idle.min_by_key(|stream| stream.last_used) {
            *oldest = fresh;
        }
    }

    /// The next unit to be fetched for a stream, if it is not far enough ahead: offset and length. What has not been
    /// earned of it is left out, and what is left is fetched once it is half of what may be ahead.
    pub(super) fn fetch(&mut self, stream: u16) -> Option<(u64, u32)> {
        let stream = &mut self.streams[usize::from(stream)];
        let start = stream.fetched_to;
        let enough = stream.next + UNITS_AHEAD * self.unit;
        if start >= enough.min(stream.earned_to).min(self.size) {
            return None;
        }
        let mut end = ((start / self.unit + 1) * self.unit).min(self.size);
        if end > stream.earned_to {
            end = stream.earned_to;
            if 2 * (end - start) < end - stream.next {
                return None;
            }
        }
        stream.fetched_to = end;
        stream.units.push_back(Unit {
            start,
            end,
            arrived: false,
        });
        Some((start, (end - start) as u32))
    }

    /// Whether the read's data have arrived; else it waits for them.
    pub(super) fn ask(&mut self, stream: u16, read: Waiting) -> bool {
        let stream = &mut self.streams[usize::from(stream)];
        let here = read.op.offset + u64::from(read.op.bytes) <= stream.arrived_to;
        if !here {
            stream.waiting.push_back(read);
        }
        here
    }

    /// A unit has arrived.
    pub(super) fn arrive(&mut self, stream: u16, start: u64) {
        let stream = &mut self.streams[usize::from(stream)];
        let unit = stream.units.iter_mut().find(|unit| unit.start == start);
        unit.expect("a unit under way").arrived = true;
        while let Some(&unit) = stream.units.front().filter(|unit| unit.arrived) {
            stream.arrived_to = unit.end;
            stream.units.pop_front();
        }
    }

    /// The next waiting read whose data have arrived.
    pub(super) fn release(&mut self, stream: u16) -> Option<Waiting> {
        let stream = &mut self.streams[usize::from(stream)];
        let first = stream.waiting.front()?;
        let end = first.op.offset + u64::from(first.op.bytes);
        (end <= stream.arrived_to).then(|| stream.waiting.pop_front().expect("a waiting read"))
    }
}
