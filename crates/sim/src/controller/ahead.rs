//! Reading ahead: sequential streams are recognised, and what they will read next is fetched in large units
//! from all drives before it is asked for.

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

/// A unit under way or waiting for one before it.
#[derive(Clone, Copy, Debug)]
struct Unit {
    start: u64,
    end: u64,
    arrived: bool,
}

#[derive(Debug, Default)]
struct Stream {
    /// Where its next read begins.
    next: u64,
    runs: u32,
    last_used: u64,
    /// Up to where has been fetched, and has arrived.
    fetched_to: u64,
    arrived_to: u64,
    units: VecDeque<Unit>,
    waiting: VecDeque<Waiting>,
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
        let Some(at) = self.streams.iter().position(|stream| stream.next == op.offset) else {
            self.begin(end);
            return Found::Nothing;
        };
        let stream = &mut self.streams[at];
        stream.next = end;
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
    fn begin(&mut self, next: u64) {
        let fresh = Stream {
            next,
            last_used: self.reads,
            ..Stream::default()
        };
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

    /// The next unit to be fetched for a stream, if it is not far enough ahead: offset and length.
    pub(super) fn fetch(&mut self, stream: u16) -> Option<(u64, u32)> {
        let stream = &mut self.streams[usize::from(stream)];
        let start = stream.fetched_to;
        if start >= (stream.next + UNITS_AHEAD * self.unit).min(self.size) {
            return None;
        }
        let end = ((start / self.unit + 1) * self.unit).min(self.size);
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
