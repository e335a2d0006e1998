//! Reading ahead: sequential streams are recognised, and what they will read next is fetched from all
//! drives before it is asked for, in large units: whole rows, and no less than the largest read where many have followed
//! each other.
//!
//! Not all of what lies ahead of a stream need be read: writes of a mixed load that share its cursor leave gaps. A read
//! that begins a little further on goes on with its stream, and what is fetched for it goes over gaps. That pays while
//! the reads that were asked keep few drives busy. Where they wait, and much lies between them, only they are
//! fetched; and for a stream that leaves much more than it reads, nothing. What a disk reads in the time of a
//! command is no gap: each read that is left alone costs it one.

use std::collections::VecDeque;
use std::ops::Range;

use super::HostOp;
use super::jobs::Waiting;

/// Streams that are followed at once.
const STREAMS: usize = 32;
/// Reads in sequence after which a stream is one.
const RUNS: u32 = 2;
/// Reads in sequence after which units are as large as they are: of fewer little of what is ahead would be read. Assumed.
const LARGE_RUNS: u32 = 5;
/// Least bytes that are fetched at once.
const UNIT_BYTES: u64 = 256 << 10;
/// Units that are fetched ahead of a stream.
const UNITS_AHEAD: u64 = 4;
/// Units over which is looked at what a stream reads of where it goes: the last so many, and half of them at least.
const UNITS_BACK: u64 = 2 * (UNITS_AHEAD + 1);
/// Percent of where it goes that a stream reads at least for what it may leave out to be fetched too.
const READS_PERCENT: u64 = 40;
/// Part of a unit that may lie between the reads that wait: with more, only reads are fetched.
const GAPS: u64 = 8;

#[derive(Debug, Default)]
struct Stream {
    /// Where its next read begins, if it leaves no gap.
    next: u64,
    runs: u32,
    last_used: u64,
    /// Bytes that it has gone of late, gaps and all, and those that it has read of them.
    went: u64,
    read: u64,
    /// Bytes fetched at once: whole rows, as many as lie between two multiples of it.
    unit: u64,
    /// Up to where has been fetched.
    fetched_to: u64,
    /// Ranges under way, and reads that wait for them, each with the gap before it: in order of their offsets.
    under_way: VecDeque<(u64, u64)>,
    waiting: VecDeque<(Waiting, i64)>,
    /// The gap before its last read, less what a command of its own costs, and those before all that wait.
    gap: i64,
    gaps: i64,
}

impl Stream {
    /// How far a read from `offset` on is behind where the stream ended, if it goes on with it: it begins in what has
    /// been fetched, or no further than the stream has come, and what may be ahead of it at most.
    fn behind(&self, offset: u64) -> Option<u64> {
        let most = UNITS_AHEAD * self.unit;
        let furthest = self.fetched_to.max(self.next + self.went.min(most));
        (self.next..=furthest)
            .contains(&offset)
            .then(|| offset - self.next)
    }

    /// Go on with a read of so many bytes, after a gap.
    fn go_on(&mut self, gap: u64, bytes: u64) {
        let back = UNITS_BACK * self.unit;
        self.next += gap + bytes;
        self.went += gap + bytes;
        self.read += bytes;
        if self.went > back {
            (self.went, self.read) = (self.went / 2, self.read / 2);
        }
    }

    /// Whether it reads too little of where it goes.
    fn scattered(&self) -> bool {
        100 * self.read < READS_PERCENT * self.went
    }

    /// Whether something under way is needed for a read.
    fn waits(&self, op: &HostOp) -> bool {
        let at = self.under_way.partition_point(|&(_, end)| end <= op.offset);
        let unit = self.under_way.get(at);
        unit.is_some_and(|&(start, _)| start < op.offset + u64::from(op.bytes))
    }
}

/// Bytes of the rows that so many bytes take up.
fn whole_rows(bytes: u64, row: u64) -> u64 {
    row * bytes.div_ceil(row)
}

/// What a read is to the streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No stream for which something is fetched.
    Nothing,
    /// The next read of a stream.
    Stream(u16),
}

/// The streams of a logical drive.
#[derive(Debug)]
pub(super) struct Ahead {
    streams: Vec<Stream>,
    /// Bytes of a row.
    row: u64,
    /// Bytes that a drive reads in the time that a command takes it.
    cheap: i64,
    /// End of the logical drive.
    size: u64,
    reads: u64,
}

impl Ahead {
    /// For a logical drive of `size` bytes whose rows have `row` bytes, and whose drives read `cheap` bytes in the time that
    /// a command takes them.
    pub(super) fn new(row: u64, cheap: u64, size: u64) -> Self {
        Self {
            streams: Vec::new(),
            row,
            cheap: cheap as i64,
            size,
            reads: 0,
        }
    }

    /// See whether a read goes on with a stream.
    pub(super) fn look(&mut self, op: &HostOp) -> Found {
        self.reads += 1;
        let streams = self.streams.iter().enumerate();
        let behind = streams.filter_map(|(at, stream)| Some((stream.behind(op.offset)?, at)));
        let Some((gap, at)) = behind.min() else {
            self.begin(op);
            return Found::Nothing;
        };
        let stream = &mut self.streams[at];
        stream.go_on(gap, u64::from(op.bytes));
        stream.gap = gap as i64 - self.cheap;
        stream.runs += 1;
        if stream.runs >= LARGE_RUNS {
            stream.unit = stream.unit.max(whole_rows(u64::from(op.bytes), self.row));
        }
        stream.last_used = self.reads;
        let fetched = stream.fetched_to >= stream.next;
        if stream.runs < RUNS || stream.scattered() && !fetched {
            return Found::Nothing;
        }
        stream.fetched_to = stream.fetched_to.max(op.offset);
        Found::Stream(at as u16)
    }

    /// A read that may be the first of a stream.
    fn begin(&mut self, op: &HostOp) {
        let fresh = Stream {
            next: op.offset + u64::from(op.bytes),
            last_used: self.reads,
            unit: whole_rows(UNIT_BYTES, self.row),
            went: u64::from(op.bytes),
            read: u64::from(op.bytes),
            ..Stream::default()
        };
        if self.streams.len() < STREAMS {
            return self.streams.push(fresh);
        }
        let idle = self
            .streams
            .iter_mut()
            .filter(|stream| stream.under_way.is_empty() && stream.waiting.is_empty());
        if let Some(oldest) = idle.min_by_key(|stream| stream.last_used) {
            *oldest = fresh;
        }
    }

    /// The next range to be fetched for a stream, if it is not far enough ahead: offset and length. It is no further
    /// ahead than it has come, and what that leaves of a unit is fetched once it is half of what may be ahead.
    pub(super) fn fetch(&mut self, stream: u16) -> Option<(u64, u32)> {
        let stream = &mut self.streams[usize::from(stream)];
        let start = stream.fetched_to;
        let whole = !stream.scattered() && stream.gaps < (stream.unit / GAPS) as i64;
        let may = if whole {
            stream.went.min((UNITS_AHEAD + 1) * stream.unit)
        } else {
            0
        };
        let (enough, most) = (stream.next + UNITS_AHEAD * stream.unit, stream.next + may);
        if start >= enough.min(most).min(self.size) {
            return None;
        }
        let mut end = ((start / stream.unit + 1) * stream.unit).min(self.size);
        if end > most {
            end = most;
            if 2 * (end - start) < end - stream.next {
                return None;
            }
        }
        stream.fetched_to = end;
        stream.under_way.push_back((start, end));
        Some((start, (end - start) as u32))
    }

    /// Whether the read's data have arrived; else it waits for them.
    pub(super) fn ask(&mut self, stream: u16, read: Waiting) -> bool {
        let stream = &mut self.streams[usize::from(stream)];
        let waits = stream.waits(&read.op);
        if waits {
            stream.gaps += stream.gap;
            stream.waiting.push_back((read, stream.gap));
        }
        !waits
    }

    /// What was fetched from `start` on has arrived.
    pub(super) fn arrive(&mut self, stream: u16, start: u64) {
        let stream = &mut self.streams[usize::from(stream)];
        let at = stream.under_way.binary_search_by_key(&start, |unit| unit.0);
        stream.under_way.remove(at.expect("a range under way"));
    }

    /// The next waiting read whose data have arrived.
    pub(super) fn release(&mut self, stream: u16, range: &Range<u64>) -> Option<Waiting> {
        let stream = &mut self.streams[usize::from(stream)];
        let end = |read: &Waiting| read.op.offset + u64::from(read.op.bytes);
        let first = stream
            .waiting
            .partition_point(|(read, _)| end(read) <= range.start);
        let mut among = stream
            .waiting
            .range(first..)
            .take_while(|(read, _)| read.op.offset < range.end);
        let at = first + among.position(|(read, _)| !stream.waits(&read.op))?;
        let (read, gap) = stream.waiting.remove(at)?;
        stream.gaps -= gap;
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spent::Spent;
    use crate::time::Ps;

    const BLOCK: u64 = 65_536;
    const ROW: u64 = 4 * BLOCK;

    fn read(offset: u64) -> HostOp {
        HostOp {
            token: 0,
            logical: 0,
            write: false,
            offset,
            bytes: BLOCK as u32,
        }
    }

    fn waiting(offset: u64) -> Waiting {
        Waiting {
            op: read(offset),
            since: Ps::ZERO,
            spent: Spent::default(),
        }
    }

    /// Of one more stream than are followed the one is forgotten that was read longest ago: the others are streams with two reads more.
    #[test]
    fn the_stream_that_was_read_longest_ago_is_forgotten() {
        let mut ahead = Ahead::new(ROW, 0, 1 << 50);
        let streams = STREAMS as u64;
        for stream in 0..=streams {
            assert_eq!(ahead.look(&read(stream << 40)), Found::Nothing);
        }
        for (stream, known) in [(streams - 1, true), (1, true), (streams, true), (0, false)] {
            ahead.look(&read((stream << 40) + BLOCK));
            let found = ahead.look(&read((stream << 40) + 2 * BLOCK));
            assert_eq!(found != Found::Nothing, known, "stream {stream}");
        }
    }

    /// A stream that ends at 1 MiB with units of 256 KiB: what goes on with it begins in what has been fetched, or as much further as the
    /// stream has come, and no more than four units.
    #[test]
    fn a_read_goes_on_no_further_than_what_may_be_ahead() {
        for (went, fetched_to, most) in [
            (BLOCK, 0, BLOCK),
            (8 * ROW, 0, 4 * ROW),
            (BLOCK, 7 * ROW, 3 * ROW),
        ] {
            let stream = Stream {
                next: 4 * ROW,
                unit: ROW,
                went,
                fetched_to,
                ..Stream::default()
            };
            assert_eq!(stream.behind(4 * ROW + most), Some(most));
            assert_eq!(stream.behind(4 * ROW + most + 1), None);
            assert_eq!(stream.behind(4 * ROW - 1), None);
        }
    }

    /// All of 100 units is read, and then a quarter: of twice as much as it is looked back over, that is soon all that counts.
    #[test]
    fn what_a_stream_read_long_ago_does_not_count() {
        let mut stream = Stream {
            unit: ROW,
            ..Stream::default()
        };
        let back = UNITS_BACK * ROW;
        for read in 0..400 + 2 * UNITS_BACK {
            stream.go_on(if read < 400 { 0 } else { 3 * BLOCK }, BLOCK);
            assert!(stream.went <= back && stream.read <= stream.went, "{read}");
            assert!(read < 20 || stream.went >= back / 2, "{read}");
            assert!(read >= 400 || !stream.scattered());
        }
        assert!(stream.scattered(), "{} of {}", stream.read, stream.went);
        let two_fifths = |read| Stream {
            read,
            went: 1000,
            ..Stream::default()
        };
        assert!(two_fifths(399).scattered() && !two_fifths(400).scattered());
    }

    /// The first five reads of 1 MiB are fetched for in units of 256 KiB, and then in their own.
    #[test]
    fn units_are_as_large_as_reads_when_five_have_followed() {
        let mut ahead = Ahead::new(ROW, 0, 1 << 40);
        for number in 0..8 {
            let op = HostOp {
                bytes: 4 * ROW as u32,
                ..read(number * 4 * ROW)
            };
            ahead.look(&op);
            let unit = if number < 5 { ROW } else { 4 * ROW };
            assert_eq!(ahead.streams[0].unit, unit, "read {number}");
        }
    }

    /// For a stream that reads a tenth of where it goes nothing more is fetched; what has been is read from there.
    #[test]
    fn what_has_been_fetched_for_a_stream_is_read_whatever_it_leaves_out() {
        for (fetched_to, found) in [(BLOCK, Found::Stream(0)), (BLOCK - 1, Found::Nothing)] {
            let mut ahead = Ahead::new(ROW, 0, 1 << 40);
            ahead.streams.push(Stream {
                runs: 10,
                unit: ROW,
                went: 9 * ROW,
                read: 9 * ROW / 10,
                fetched_to,
                ..Stream::default()
            });
            assert_eq!(ahead.look(&read(0)), found);
            assert!(found == Found::Nothing || ahead.fetch(0).is_none());
        }
    }

    /// A stream may have 100 blocks fetched ahead, less than a unit. What is not yet there of them is fetched once it is half of them.
    #[test]
    fn what_is_left_of_a_unit_is_fetched_when_it_is_half_of_what_may_be_ahead() {
        let fetched = |there: u64| {
            let mut ahead = Ahead::new(128 * BLOCK, 0, 1 << 40);
            ahead.streams.push(Stream {
                unit: 128 * BLOCK,
                went: 100 * BLOCK,
                read: 100 * BLOCK,
                fetched_to: there * BLOCK,
                ..Stream::default()
            });
            ahead
                .fetch(0)
                .map(|(start, bytes)| (start / BLOCK, u64::from(bytes) / BLOCK))
        };
        assert_eq!(fetched(40), Some((40, 60)));
        assert_eq!(fetched(50), Some((50, 50)));
        assert_eq!(fetched(51), None);
    }

    /// What is fetched is no further ahead than a stream has come, and four whole units when it has come far.
    #[test]
    fn little_is_fetched_for_a_stream_that_has_not_come_far() {
        let mut ahead = Ahead::new(ROW, 0, 1 << 40);
        for number in 0..200 {
            let Found::Stream(stream) = ahead.look(&read(number * BLOCK)) else {
                assert!(number < 2);
                continue;
            };
            while ahead.fetch(stream).is_some() {}
            let (come, to) = ((number + 1) * BLOCK, ahead.streams[0].fetched_to);
            assert!(to >= come && to <= 2 * come, "{to} after {come}");
            assert!(to <= come + 5 * ROW);
            assert!(come < 5 * ROW || to >= come + 4 * ROW, "{to} after {come}");
        }
    }

    /// A stream leaves out each second block, and its reads wait for what is fetched: the gaps before them count as long as they wait,
    /// less what a command costs.
    #[test]
    fn gaps_count_before_the_reads_that_wait() {
        let (cheap, mut fetched) = (4096, Vec::new());
        let mut ahead = Ahead::new(ROW, cheap, 1 << 40);
        let mut waits = 0;
        for number in 0..12 {
            let op = read(2 * number * BLOCK);
            if let Found::Stream(stream) = ahead.look(&op) {
                fetched.extend(std::iter::from_fn(|| ahead.fetch(stream)));
                waits += i64::from(!ahead.ask(stream, waiting(op.offset)));
                assert_eq!(ahead.streams[0].gaps, waits * (BLOCK - cheap) as i64);
            }
        }
        assert!(waits > 0, "none waits");
        for (start, bytes) in fetched {
            ahead.arrive(0, start);
            let range = start..start + u64::from(bytes);
            while ahead.release(0, &range).is_some() {
                waits -= 1;
                assert_eq!(ahead.streams[0].gaps, waits * (BLOCK - cheap) as i64);
            }
        }
        assert_eq!((waits, ahead.streams[0].gaps), (0, 0));
    }
}
