//! Writes that are not cached, on arrays with parity: those that follow on each other are gathered to whole stripes
//! while others are under way; when nothing is, what has been gathered goes as it is.

use super::jobs::Waiting;

/// Streams that are followed at once.
const STREAMS: usize = 8;

/// Writes that follow on each other.
#[derive(Debug, Default)]
struct Stream {
    end: u64,
    held: Vec<Waiting>,
    last_used: u64,
}

/// The streams of writes of a logical drive.
#[derive(Debug)]
pub(super) struct Gather {
    /// Bytes of a whole stripe.
    stripe: u64,
    streams: Vec<Stream>,
    writes: u64,
    /// Jobs of writes under way.
    pub(super) under_way: u32,
}

impl Gather {
    pub(super) fn new(stripe: u64) -> Self {
        Self {
            stripe,
            streams: Vec::new(),
            writes: 0,
            under_way: 0,
        }
    }

    /// Take a write; where it, or what it completes, is to go now, that is put into `now`.
    pub(super) fn offer(&mut self, write: Waiting, now: &mut Vec<Waiting>) {
        self.writes += 1;
        let (from, to) = (write.op.offset, write.op.offset + u64::from(write.op.bytes));
        let Some(stream) = self.streams.iter_mut().find(|stream| stream.end == from) else {
            self.begin(to);
            return now.push(write);
        };
        (stream.end, stream.last_used) = (to, self.writes);
        stream.held.push(write);
        let first = stream.held[0].op.offset / self.stripe;
        if self.under_way == 0 || to / self.stripe > first {
            now.append(&mut stream.held);
        }
    }

    /// What has been gathered, one stream after the other, when nothing is under way any more.
    pub(super) fn release(&mut self, now: &mut Vec<Waiting>) {
        if self.under_way > 0 {
            return;
        }
        if let Some(stream) = self.streams.iter_mut().find(|stream| !stream.held.is_empty()) {
            now.append(&mut stream.held);
        }
    }

    /// A write that may be the first of a stream.
    fn begin(&mut self, end: u64) {
        let fresh = Stream {
            end,
            held: Vec::new(),
            last_used: self.writes,
        };
        if self.streams.len() < STREAMS {
            return self.streams.push(fresh);
        }
        let idle = self.streams.iter_mut().filter(|stream| stream.held.is_empty());
        if let Some(oldest) = idle.min_by_key(|stream| stream.last_used) {
            *oldest = fresh;
        }
    }
}
