//! Which reads continue a stream, and prefetching for the only one.

use iodyno_load::pattern::mix;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::data_path::ps_per_byte;
use super::dies::Varying;
use crate::drive::DriveOp;
use crate::system::Prefetch;
use crate::time::Ps;

/// Streams that are followed at once.
const STREAMS: usize = 8;

/// How far a read may be from the end of a stream's last and still belong to it: what comes out of order,
/// and the gaps where an array has parity.
const NEAR: u64 = 1 << 20;

/// Reads one by one in sequence before the drive prefetches: two that meet now and then are no lone stream.
const RUN: u32 = 16;

/// Ends of operations that are remembered to know how many are under way at a moment.
const REMEMBERED: usize = 16;

/// A page that a stream has read, still in the drive's memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    /// Number of the page on the drive.
    pub(super) number: u64,
    /// When it was or will be read.
    pub(super) ready: Ps,
}

/// Streams of reads.
#[derive(Debug)]
pub(super) struct Streams {
    ends: [u64; STREAMS],
    pages: [Page; STREAMS],
    oldest: usize,
}

impl Streams {
    pub(super) fn new() -> Self {
        let none = Page {
            number: u64::MAX,
            ready: Ps::ZERO,
        };
        Self {
            ends: [u64::MAX / 2; STREAMS],
            pages: [none; STREAMS],
            oldest: 0,
        }
    }

    /// The stream that a read belongs to; a read that belongs to none may begin one.
    #[inline]
    pub(super) fn follow(&mut self, op: &DriveOp) -> Option<u32> {
        let near = |end: &u64| op.offset.wrapping_sub(*end).wrapping_add(NEAR) <= 2 * NEAR;
        let found = self.ends.iter().position(near);
        let stream = found.unwrap_or(self.oldest);
        self.ends[stream] = op.offset + u64::from(op.bytes);
        if found.is_none() {
            self.oldest = (self.oldest + 1) % STREAMS;
        }
        found.map(|stream| stream as u32)
    }

    /// The page that a stream read last.
    pub(super) fn page(&mut self, stream: u32) -> &mut Page {
        &mut self.pages[stream as usize]
    }
}

/// Prefetching: it needs a single stream of reads with few of them under way.
#[derive(Debug)]
pub(super) struct Prefetcher {
    most_outstanding: u32,
    delay: Varying,
    ps_per_byte: f64,
    rng: Xoshiro256PlusPlus,
    /// Taken and not yet answered.
    under_way: u32,
    /// Ends of those answered last: an answer may be given for a later moment.
    ends: [Ps; REMEMBERED],
    answered: usize,
    /// Reads one by one in sequence.
    run: u32,
    /// Where the next read of the stream begins.
    next: u64,
}

impl Prefetcher {
    /// Prefetching no faster than `most_bytes_s`; its delays vary by `spread`.
    pub(super) fn new(model: Prefetch, most_bytes_s: f64, spread: f64, seed: u64) -> Self {
        Self {
            most_outstanding: model.most_outstanding,
            delay: Varying::new(model.delay_ps, spread),
            rng: Xoshiro256PlusPlus::seed_from_u64(mix(seed, 1)),
            ps_per_byte: ps_per_byte((model.bytes_s as f64).min(most_bytes_s)),
            under_way: 0,
            ends: [Ps::ZERO; REMEMBERED],
            answered: 0,
            run: 0,
            next: u64::MAX,
        }
    }

    /// Take an operation; whether it has been prefetched.
    #[inline]
    pub(super) fn take(&mut self, op: &DriveOp, arrival: Ps) -> bool {
        self.under_way += 1;
        let continues = !op.write && op.offset == self.next;
        self.next = op.offset + u64::from(op.bytes);
        self.run = if continues && self.few(arrival) {
            self.run + 1
        } else {
            0
        };
        self.run >= RUN
    }

    /// Take a flush or trim: it is no part of a stream, and breaks none.
    pub(super) fn take_command(&mut self) {
        self.under_way += 1;
    }

    /// An operation is answered, for a moment now or later.
    #[inline]
    pub(super) fn answer(&mut self, at: Ps) {
        self.under_way -= 1;
        self.ends[self.answered % REMEMBERED] = at;
        self.answered += 1;
    }

    /// Fixed part and transfer of a prefetched read.
    pub(super) fn spans(&mut self, bytes: u32) -> (Ps, Ps) {
        let transfer = Ps((f64::from(bytes) * self.ps_per_byte) as u64);
        (self.delay.draw(&mut self.rng), transfer)
    }

    fn few(&self, arrival: Ps) -> bool {
        let to_come = self.ends.iter().filter(|end| **end > arrival).count();
        self.under_way as usize + to_come <= self.most_outstanding as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(offset: u64, bytes: u32) -> DriveOp {
        DriveOp {
            token: 0,
            write: false,
            trim: false,
            offset,
            bytes,
        }
    }

    #[test]
    fn streams_of_several_workers_are_told_apart() {
        let mut streams = Streams::new();
        let begins = [0, 1 << 32, 2 << 32, 3 << 32];
        let begun = begins.map(|begin| streams.follow(&read(begin, 8192)));
        assert_eq!(begun, [None; 4]);
        for step in 1..100 {
            let followed = begins.map(|begin| streams.follow(&read(begin + step * 8192, 8192)));
            assert_eq!(followed, [Some(0), Some(1), Some(2), Some(3)]);
        }
    }

    #[test]
    fn gaps_of_parity_belong_to_a_stream_and_far_places_do_not() {
        let mut streams = Streams::new();
        streams.follow(&read(1 << 30, 65_536));
        assert_eq!(streams.follow(&read((1 << 30) + 131_072, 65_536)), Some(0));
        assert_eq!(streams.follow(&read(1 << 31, 65_536)), None);
    }
}
