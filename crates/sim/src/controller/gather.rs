//! Writes that are not cached, on arrays with parity: those that follow on each other are gathered to whole stripes
//! while others are under way. When all are done that were when the last came, or its stripe is read, what has been
//! gathered goes as it is: a stream goes on, if it does, when one of its writes has been answered, and by then all have.
//!
//! A write that goes over the end of a stripe is cut there: its first part goes with what is before, the rest waits for
//! what follows. It is done when all of its parts are.

use super::jobs::Waiting;
use crate::time::Ps;

/// Streams that are followed at once.
const STREAMS: usize = 8;

/// A write, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Number of the write, among those that are gathered.
    write: u32,
    /// Offset on the logical drive and length in bytes.
    pub(super) offset: u64,
    pub(super) bytes: u32,
    /// Since when its data are here.
    pub(super) since: Ps,
}

impl Piece {
    fn end(&self) -> u64 {
        self.offset + u64::from(self.bytes)
    }
}

/// A write that is held or under way.
#[derive(Clone, Copy, Debug)]
struct Taken {
    write: Waiting,
    /// Parts of it that are not on the drives.
    left: u32,
}

/// Writes that follow on each other.
#[derive(Debug, Default)]
struct Stream {
    end: u64,
    held: Vec<Piece>,
    /// Jobs that had begun when the last write came, with the one that it went with.
    until: u64,
    last_used: u64,
}

/// The streams of writes of a logical drive.
#[derive(Debug)]
pub(super) struct Gather {
    /// Bytes of a whole stripe.
    stripe: u64,
    streams: Vec<Stream>,
    writes: u64,
    taken: Vec<Taken>,
    free: Vec<u32>,
    /// Jobs of writes that have begun.
    begun: u64,
    /// Those under way in the order in which they began: how many had begun before, and which they are.
    under_way: Vec<(u64, u32)>,
}

impl Gather {
    pub(super) fn new(stripe: u64) -> Self {
        Self {
            stripe,
            streams: Vec::new(),
            writes: 0,
            taken: Vec::new(),
            free: Vec::new(),
            begun: 0,
            under_way: Vec::new(),
        }
    }

    /// Writes go as a job.
    pub(super) fn begin_job(&mut self, job: u32) {
        self.under_way.push((self.begun, job));
        self.begun += 1;
    }

    /// A job is done.
    pub(super) fn end_job(&mut self, job: u32) {
        self.under_way.retain(|under_way| under_way.1 != job);
    }

    /// Take a write; where it, or what it completes, is to go now, that is put into `now`.
    pub(super) fn offer(&mut self, write: Waiting, now: &mut Vec<Piece>) {
        self.writes += 1;
        let piece = self.keep(write);
        let goes_on = |stream: &&mut Stream| stream.end == piece.offset;
        let (begun, alone) = (self.begun, self.under_way.is_empty());
        let Some(stream) = self.streams.iter_mut().find(goes_on) else {
            self.begin(piece.end());
            return now.push(piece);
        };
        (stream.end, stream.last_used) = (piece.end(), self.writes);
        stream.held.push(piece);
        let whole = piece.end() / self.stripe * self.stripe;
        if alone || whole == piece.end() {
            now.append(&mut stream.held);
        } else if whole > stream.held[0].offset {
            // Nothing that was held before reaches so far, or it would have gone.
            now.append(&mut stream.held);
            now.last_mut().expect("the write").bytes = (whole - piece.offset) as u32;
            stream.held.push(Piece {
                offset: whole,
                bytes: (piece.end() - whole) as u32,
                ..piece
            });
            self.taken[piece.write as usize].left += 1;
        }
        stream.until = begun + u64::from(!now.is_empty());
    }

    /// What has been gathered of a stream of which nothing is under way any more that could bring more of it, one stream after
    /// the other until there is none.
    pub(super) fn release(&mut self, now: &mut Vec<Piece>) {
        let oldest = self.under_way.first().map_or(u64::MAX, |job| job.0);
        let ends = |stream: &&mut Stream| !stream.held.is_empty() && stream.until <= oldest;
        if let Some(stream) = self.streams.iter_mut().find(ends) {
            now.append(&mut stream.held);
        }
    }

    /// A read: a stripe that is read besides will hardly become whole, so what has been gathered of it goes, one stream after the
    /// other until there is none.
    pub(super) fn read(&mut self, offset: u64, bytes: u32, now: &mut Vec<Piece>) {
        let stripes = offset / self.stripe..=(offset + u64::from(bytes) - 1) / self.stripe;
        let meets = |stream: &&mut Stream| {
            let first = stream.held.first();
            first.is_some_and(|piece| stripes.contains(&(piece.offset / self.stripe)))
        };
        if let Some(stream) = self.streams.iter_mut().find(meets) {
            now.append(&mut stream.held);
        }
    }

    /// A part of a write is on the drives: gives the write, if that was the last.
    pub(super) fn done(&mut self, piece: &Piece) -> Option<Waiting> {
        let taken = &mut self.taken[piece.write as usize];
        taken.left -= 1;
        (taken.left == 0).then(|| {
            self.free.push(piece.write);
            taken.write
        })
    }

    /// Number a write, which is one part yet.
    fn keep(&mut self, write: Waiting) -> Piece {
        let taken = Taken { write, left: 1 };
        let number = self.free.pop().unwrap_or(self.taken.len() as u32);
        match self.taken.get_mut(number as usize) {
            Some(place) => *place = taken,
            None => self.taken.push(taken),
        }
        Piece {
            write: number,
            offset: write.op.offset,
            bytes: write.op.bytes,
            since: write.since,
        }
    }

    /// A write that may be the first of a stream.
    fn begin(&mut self, end: u64) {
        let fresh = Stream {
            end,
            held: Vec::new(),
            until: 0,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::HostOp;
    use crate::spent::Spent;

    const STRIPE: u64 = 7 * 65536;

    fn write(token: u32, offset: u64, bytes: u64) -> Waiting {
        let op = HostOp {
            token,
            logical: 0,
            write: true,
            offset,
            bytes: bytes as u32,
        };
        Waiting {
            op,
            since: Ps::ZERO,
            spent: Spent::default(),
        }
    }

    /// The writes that are done when pieces are on the drives, which lie side by side from `from` on; and where they end.
    fn land(gather: &mut Gather, group: &mut Vec<Piece>, mut from: u64) -> (Vec<u32>, u64) {
        let mut done = Vec::new();
        for piece in group.drain(..) {
            assert_eq!(piece.offset, from);
            from = piece.end();
            done.extend(gather.done(&piece).map(|write| write.op.token));
        }
        (done, from)
    }

    /// Blocks of any size, up to three stripes: while others are under way all that goes ends with a stripe, and a write is done
    /// when its last byte is there, once.
    #[test]
    fn a_stream_is_cut_where_stripes_end() {
        let (mut gather, mut group) = (Gather::new(STRIPE), Vec::new());
        let (mut at, mut landed, mut ends) = (0, 0, Vec::new());
        let mut done: Vec<u32> = Vec::new();
        for token in 0..2000 {
            let bytes = (1 + iodyno_load::pattern::mix(11, token) % (3 * 128)) * 3584;
            gather.offer(write(token as u32, at, bytes), &mut group);
            at += bytes;
            ends.push(at);
            if token == 0 {
                gather.begin_job(0);
                assert_eq!(group.len(), 1, "what may be no stream goes at once");
            } else if let Some(last) = group.last() {
                assert_eq!(last.end() % STRIPE, 0);
            }
            let (more, to) = land(&mut gather, &mut group, landed);
            done.extend(more);
            landed = to;
            assert!(at - landed < STRIPE, "a whole stripe is held");
            assert_eq!(done.len(), ends.iter().filter(|&&end| end <= landed).count());
        }
        gather.end_job(0);
        gather.release(&mut group);
        let (more, to) = land(&mut gather, &mut group, landed);
        assert_eq!(to, at);
        done.extend(more);
        assert!(done.into_iter().eq(0..2000));
    }

    /// Where a stripe is read that writes are held of, the stream will not make it whole: its writes go, and others stay.
    #[test]
    fn a_read_of_its_stripe_ends_a_stream() {
        let (mut gather, mut group) = (Gather::new(STRIPE), Vec::new());
        for stream in [0, 4] {
            for at in [0, 65536] {
                gather.offer(write(at as u32, stream * STRIPE + at, 65536), &mut group);
                gather.begin_job(at as u32);
            }
        }
        group.clear();
        gather.read(5 * STRIPE, 65536, &mut group);
        gather.read(STRIPE, 65536, &mut group);
        gather.read(3 * STRIPE, STRIPE as u32, &mut group);
        assert!(group.is_empty());
        gather.read(4 * STRIPE + 131_072, 65536, &mut group);
        assert_eq!((group.len(), group[0].offset), (1, 4 * STRIPE + 65536));
        group.clear();
        gather.read(STRIPE - 4096, 8192, &mut group);
        assert_eq!((group.len(), group[0].offset), (1, 65536));
    }

    /// Two streams of which each has one write under way, and holds one: what a stream holds goes when both are done that were
    /// under way when it came, whatever began since.
    #[test]
    fn what_nothing_is_under_way_for_any_more_goes() {
        let (mut gather, mut group) = (Gather::new(STRIPE), Vec::new());
        for stream in [0, 4] {
            gather.offer(write(0, stream * STRIPE, 65536), &mut group);
            gather.begin_job(stream as u32);
        }
        group.clear();
        gather.offer(write(1, 65536, 65536), &mut group);
        // Another begins after that, of another stream, which holds the next.
        gather.offer(write(2, 8 * STRIPE, 65536), &mut group);
        gather.begin_job(8);
        group.clear();
        gather.offer(write(3, 8 * STRIPE + 65536, 65536), &mut group);
        let mut ends = |job| {
            gather.end_job(job);
            group.clear();
            gather.release(&mut group);
            group.iter().map(|piece| piece.offset).collect::<Vec<_>>()
        };
        assert_eq!(ends(4), [0; 0]);
        assert_eq!(ends(0), [65536]);
        assert_eq!(ends(8), [8 * STRIPE + 65536]);
    }

    /// What is held of a write, whose first part goes with what was before, waits for that as well: a stream goes on when one of its
    /// writes has been answered, and none has been of that. Where nothing is under way a write goes at once.
    #[test]
    fn the_rest_of_a_write_waits_for_its_first_part() {
        let (mut gather, mut group) = (Gather::new(STRIPE), Vec::new());
        gather.offer(write(0, 0, 65536), &mut group);
        gather.begin_job(0);
        group.clear();
        gather.offer(write(1, 65536, STRIPE), &mut group);
        assert_eq!((group.len(), group[0].end()), (1, STRIPE));
        gather.begin_job(1);
        let mut ends = |job| {
            gather.end_job(job);
            group.clear();
            gather.release(&mut group);
            group.len()
        };
        assert_eq!(ends(0), 0);
        assert_eq!(ends(1), 1);
        assert_eq!((group[0].offset, group[0].end()), (STRIPE, STRIPE + 65536));
        group.clear();
        gather.offer(write(2, STRIPE + 65536, 65536), &mut group);
        assert_eq!(group.len(), 1, "nothing is under way");
    }

    /// Of nine streams the one is forgotten that was written longest ago; what goes on with another is held.
    #[test]
    fn the_stream_that_was_written_longest_ago_is_forgotten() {
        let (mut gather, mut group) = (Gather::new(STRIPE), Vec::new());
        for stream in 0..=STREAMS as u64 {
            gather.offer(write(0, 4 * stream * STRIPE, 65536), &mut group);
            gather.begin_job(stream as u32);
        }
        for (stream, held) in [
            (1, true),
            (STREAMS as u64 - 1, true),
            (STREAMS as u64, true),
            (0, false),
        ] {
            group.clear();
            gather.offer(write(1, 4 * stream * STRIPE + 65536, 65536), &mut group);
            assert_eq!(group.is_empty(), held, "stream {stream}");
        }
    }
}
