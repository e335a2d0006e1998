//! Which reads continue a stream, and prefetching for the only one.

use iodyno_load::pattern::mix;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::data_path::ps_per_byte;
use super::varying::Varying;
use crate::operation::DriveOp;
use crate::system::Prefetch;
use crate::time::Ps;

/// Streams that are followed at once.
const STREAMS: usize = 8;

/// How far a read may be from the end of a stream's last and still belong to it: what comes out of order,
/// and the gaps where an array has parity.
const NEAR: u64 = 1 << 20;

/// Reads forward, one after the other, before what is near an end is held for a part of a stream: by chance so many random
/// ones of a small area hardly follow each other. The most that count, and what one backward takes away: some of a
/// stream come out of order.
const TRUSTED: u8 = 8;
const MOST_TRUST: u8 = 24;
const BACKWARD: u8 = 4;

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
    /// By how many reads each has gone forward.
    trust: [u8; STREAMS],
    pages: [Page; STREAMS],
    /// Where the next that begins is put, if that may be.
    next: usize,
}

impl Streams {
    pub(super) fn new() -> Self {
        let none = Page {
            number: u64::MAX,
            ready: Ps::ZERO,
        };
        Self {
            ends: [u64::MAX / 2; STREAMS],
            trust: [0; STREAMS],
            pages: [none; STREAMS],
            next: 0,
        }
    }

    /// The stream that a read belongs to; a read that belongs to none may begin one.
    #[inline]
    pub(super) fn follow(&mut self, op: &DriveOp) -> Option<u32> {
        let near = |end: &u64| op.offset.wrapping_sub(*end).wrapping_add(NEAR) <= 2 * NEAR;
        let end = op.offset + u64::from(op.bytes);
        let Some(stream) = self.ends.iter().position(near) else {
            let begun = self.least();
            (self.ends[begun], self.trust[begun]) = (end, 0);
            return None;
        };
        let (from, trust) = (self.ends[stream], &mut self.trust[stream]);
        *trust = match op.offset >= from {
            true => (*trust + 1).min(MOST_TRUST),
            false => trust.saturating_sub(BACKWARD),
        };
        self.ends[stream] = end;
        (*trust >= TRUSTED).then_some(stream as u32)
    }

    /// Where a stream may begin: the next that has not gone forward, or does so no longer.
    #[inline]
    fn least(&mut self) -> usize {
        loop {
            let at = self.next;
            self.next = (at + 1) % STREAMS;
            if self.trust[at] == 0 {
                return at;
            }
            self.trust[at] -= 1;
        }
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
            limit_us: 0,
            offset,
            bytes,
        }
    }

    #[test]
    fn streams_of_several_workers_are_told_apart() {
        let mut streams = Streams::new();
        let begins = [0, 1 << 32, 2 << 32, 3 << 32];
        for step in 0..100 {
            let followed = begins.map(|begin| streams.follow(&read(begin + step * 8192, 8192)));
            let known = [0, 1, 2, 3].map(|stream| (step >= u64::from(TRUSTED)).then_some(stream));
            assert_eq!(followed, known);
        }
    }

    #[test]
    fn gaps_of_parity_and_some_disorder_belong_to_a_stream_and_far_places_do_not() {
        let mut streams = Streams::new();
        // Each fifth strip is parity, and of each ten two come in the other order.
        let order = [0, 1, 2, 3, 5, 6, 8, 7, 10, 11];
        for step in 0..100_u64 {
            let strip = step / 10 * 15 + order[(step % 10) as usize];
            let followed = streams.follow(&read((1 << 30) + strip * 65_536, 65_536));
            assert!(followed == Some(0) || step < 20, "{step}");
        }
        assert_eq!(streams.follow(&read(1 << 31, 65_536)), None);
    }

    #[test]
    fn a_stream_is_known_among_reads_of_other_places() {
        let mut streams = Streams::new();
        let followed = (0..1000).filter(|&step| {
            let far = mix(step, 0) % (1 << 20) * 4096;
            streams.follow(&read((1 << 50) + far * 1024, 4096));
            streams.follow(&read(step * 8192, 8192)).is_some()
        });
        assert!(followed.count() > 980);
    }

    #[test]
    fn random_reads_of_a_small_area_are_no_stream() {
        for area in [1 << 18, 1 << 20, 4 << 20, 16 << 20] {
            let mut streams = Streams::new();
            let taken = (0..20_000).filter(|&step| {
                let offset = mix(area, step) % (area / 4096) * 4096;
                streams.follow(&read(offset, 4096)).is_some()
            });
            let taken = taken.count();
            assert!(taken < 200, "{area}: {taken}");
        }
    }
}
