//! The beginning of random writes on a disk with its write cache on.
//!
//! How full the cache is under a lasting load follows from what the load writes and from how soon the mechanics let
//! cached writes have their turn; from an empty cache a disk gets there after hundreds of writes, and an array of many
//! disks after more than anybody simulates. So at the beginning each write that comes brings others of before with it, at
//! places where the load may have written (of several loads the one that the write is of), and each that the mechanics have done takes as many away: what goes in and
//! what goes out are in the same proportion, and the cache gets to where it stays that many times sooner. There are
//! the fewer the longer it lasts, and none in the end.

use iodyno_load::pattern::mix;

use crate::hdd::Hdd;
use crate::hdd::front::segments;
use crate::operation::{Done, DriveOp, Usage, Written};
use crate::time::Ps;

/// A write brings others to this part of the cache at first, and to half as much after each so many writes.
const PART: usize = 16;
const WRITES: u32 = 24;
/// Places of writes of before are multiples of this, in bytes.
const GRAIN: u64 = 4096;

/// How far a disk is in its beginning.
#[derive(Clone, Debug)]
pub(super) struct Beginning {
    /// Where writes of before have gone, of each load.
    written: Vec<Written>,
    /// Writes that a write stands for, with itself.
    each: usize,
    /// Writes until it stands for half as many.
    left: u32,
    draws: u64,
    seed: u64,
}

impl Beginning {
    /// The beginning of a load, where writes at random go to a cache of so many entries.
    pub(super) fn of(usage: Usage, entries: usize, seed: u64) -> Option<Self> {
        let begins = entries >= 2 * PART && !usage.written.is_empty();
        begins.then(|| Self {
            written: usage.written,
            each: entries / PART,
            left: WRITES,
            draws: 0,
            seed: mix(seed, 1),
        })
    }

    fn draw(&mut self) -> u64 {
        self.draws += 1;
        mix(self.seed, self.draws)
    }

    /// The load that a write to a place is of. Where several write there, each is likely as often as it does.
    fn writer(&mut self, offset: u64) -> usize {
        if self.written.len() == 1 {
            return 0;
        }
        let draw = (self.draw() >> 11) as f64 / (1_u64 << 53) as f64;
        let often = self.written.iter().map(|written| often(written, offset));
        let mut rest = often.clone().sum::<f64>() * draw;
        let mut found = 0;
        for (load, often) in often.enumerate().filter(|&(_, often)| often > 0.0) {
            found = load;
            rest -= often;
            if rest < 0.0 {
                break;
            }
        }
        found
    }

    /// Where a write of a load of before of so many bytes has gone.
    fn place(&mut self, load: usize, bytes: u32) -> u64 {
        let draw = self.draw();
        let of = &self.written[load].parts;
        let parts = of.len() as u64;
        let (from, length) = of[(draw % parts) as usize];
        let places = length.saturating_sub(bytes.into()) / GRAIN + 1;
        from + draw / parts % places * GRAIN
    }

    /// A write has come; whether the beginning goes on.
    fn goes_on(&mut self) -> bool {
        self.left -= 1;
        if self.left == 0 {
            (self.each, self.left) = (self.each / 2, WRITES);
        }
        self.each > 1
    }
}

/// How often a load writes to a place, in any unit.
fn often(written: &Written, offset: u64) -> f64 {
    let here = |&&(from, length): &&(u64, u64)| (from..from + length.max(1)).contains(&offset);
    let each = written.writes / written.parts.len() as f64;
    let parts = written.parts.iter().filter(here);
    parts.map(|&(_, length)| each / length.max(1) as f64).sum()
}

impl Hdd {
    /// A write is in the cache: it brings those of before.
    #[inline]
    pub(super) fn bring(&mut self, op: &DriveOp, now: Ps) {
        if self.beginning.is_some() {
            self.bring_others(op, now);
        }
    }

    #[cold]
    fn bring_others(&mut self, op: &DriveOp, now: Ps) {
        let Some(mut beginning) = self.beginning.take().filter(|_| self.flushes.taken() == 0) else {
            return;
        };
        let (load, bytes) = (beginning.writer(op.offset), op.bytes);
        for _ in 1..beginning.each {
            if !self.fits(bytes) {
                break;
            }
            self.cached += 1;
            self.held += segments(bytes);
            let op = DriveOp {
                token: 0,
                write: true,
                trim: false,
                offset: beginning.place(load, bytes),
                bytes,
                limit_us: 0,
            };
            self.choosable(None, &op, now);
        }
        self.beginning = beginning.goes_on().then_some(beginning);
    }

    /// A cached write is on the medium: it takes those of before away.
    #[inline]
    pub(super) fn take_away(&mut self, now: Ps, done: &mut Vec<Done>) {
        if self.beginning.is_some() {
            self.take_others(now, done);
        }
    }

    #[cold]
    fn take_others(&mut self, now: Ps, done: &mut Vec<Done>) {
        let Some(mut beginning) = self.beginning.take().filter(|_| self.flushes.taken() == 0) else {
            return;
        };
        for _ in 1..beginning.each {
            let Some(other) = self.queue.forget(beginning.draw()) else {
                break;
            };
            self.cached -= 1;
            self.held -= segments(other.bytes);
            self.flushed(other.flushes, now, done);
        }
        self.beginning = Some(beginning);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Calendar;
    use crate::hdd::disk_of_tests;

    fn usage(written: &[(f64, &[(u64, u64)])]) -> Usage {
        let of = |&(writes, parts): &(f64, &[(u64, u64)])| Written {
            writes,
            parts: parts.to_vec(),
        };
        Usage {
            accessed_bytes: 1 << 30,
            overwritten_bytes: 1 << 30,
            random_write_share: 1.0,
            valid_share: 1.0,
            write_streams: 0,
            written: written.iter().map(of).collect(),
        }
    }

    fn beginning(written: &[(f64, &[(u64, u64)])]) -> Beginning {
        Beginning::of(usage(written), 512, 1).expect("writes at random")
    }

    /// A disk with a cache of 512 entries.
    fn disk(usage: Usage) -> Hdd {
        Hdd::new(&disk_of_tests(512), usage, 0, 1)
    }

    /// 512 entries: a write stands for 32, and for half as many after each 24, so for one after 120.
    #[test]
    fn each_write_stands_for_fewer_the_longer_it_lasts() {
        let mut beginning = beginning(&[(1.0, &[(0, 1 << 30)])]);
        let mut stands_for = Vec::new();
        while stands_for.len() < 1000 {
            stands_for.push(beginning.each);
            if !beginning.goes_on() {
                break;
            }
        }
        assert_eq!(stands_for, [32, 16, 8, 4, 2].map(|each| [each; 24]).concat());
    }

    /// To each of three parts goes a third of 3,000, whatever its length, and there everywhere alike; four standard deviations
    /// are 103 of them, and 37 thousandths of a part.
    #[test]
    fn writes_of_before_have_gone_to_every_part_alike() {
        let parts = [(1 << 40, 1 << 20), (0, 1 << 30), (1 << 35, 1 << 25)];
        let mut beginning = beginning(&[(1.0, &parts)]);
        let mut found = [(0, 0); 3];
        for _ in 0..3000 {
            let place = beginning.place(0, 8192);
            let holds = |(from, length): &(u64, u64)| (*from..=from + length - 8192).contains(&place);
            let part = parts.iter().position(holds).expect("a place in one of them");
            let (from, length) = parts[part];
            found[part] = (found[part].0 + 1, found[part].1 + (place - from) * 1000 / length);
        }
        for (count, sum) in found {
            assert!(1000_u64.abs_diff(count) <= 103, "{count}");
            assert!(500_u64.abs_diff(sum / count) <= 37, "{}", sum / count);
        }
    }

    /// A write where one load alone writes is of that load. Where three writes of the first are one of the second, but to a
    /// hundredth of the room, 3 of 103 are of the first; four standard deviations are 20 of 1,000.
    #[test]
    fn a_write_brings_those_of_its_own_load() {
        let (wide, narrow) = ([(0, 100 << 30)], [(50 << 30, 1 << 30)]);
        let mut beginning = beginning(&[(3.0, &wide), (1.0, &narrow)]);
        assert!((0..100).all(|_| beginning.writer(10 << 30) == 0));
        let first = (0..1000)
            .filter(|_| beginning.writer((50 << 30) + 8192) == 0)
            .count();
        assert!(first.abs_diff(29) <= 21, "{first}");
        let disjoint = [(200 << 30, 1 << 30)];
        let mut beginning = self::beginning(&[(3.0, &wide), (0.0, &narrow), (1.0, &disjoint)]);
        assert!((0..100).all(|_| beginning.writer(200 << 30) == 2));
    }

    /// Each load writes to a part of its own, so all that a write brings lies in the part that it goes to, whichever load
    /// writes more. 512 entries: it brings 31.
    #[test]
    fn what_a_write_brings_into_a_disk_lies_where_its_own_load_writes() {
        let parts = [(0, 1 << 30), (100 << 30, 1 << 30), (200 << 30, 1 << 30)];
        for (from, length) in parts {
            let loads: [(f64, &[(u64, u64)]); 3] =
                [(7.0, &parts[..1]), (1.0, &parts[1..2]), (3.0, &parts[2..])];
            let mut disk = disk(usage(&loads));
            let (mut calendar, mut done) = (Calendar::default(), Vec::new());
            let op = DriveOp {
                token: 0,
                write: true,
                trim: false,
                offset: from + (length >> 1),
                bytes: 8192,
                limit_us: 0,
            };
            disk.submit(op, Ps::ZERO, &mut calendar);
            let event = calendar.next().expect("the command is processed");
            disk.event(event.token, &mut calendar, &mut done);
            assert_eq!(disk.cached, 32);
            let waiting = std::iter::from_fn(|| disk.queue.forget(0));
            let offsets: Vec<u64> = waiting.map(|write| write.offset).collect();
            assert!(offsets.len() >= 31, "{offsets:?}");
            assert!(
                offsets.iter().all(|at| (from..from + length).contains(at)),
                "{offsets:?}"
            );
        }
    }

    /// A write or flush, which the drive has taken when its command is processed.
    fn take(disk: &mut Hdd, bytes: u32, calendar: &mut Calendar, done: &mut Vec<Done>) {
        let op = DriveOp {
            token: bytes,
            write: true,
            trim: false,
            offset: 1 << 29,
            bytes,
            limit_us: 0,
        };
        disk.submit(op, calendar.now(), calendar);
        let event = calendar.next().expect("the command is processed");
        disk.event(event.token, calendar, done);
    }

    /// The cache is empty after a flush: a write that comes then stands for itself alone. What came before goes to the medium, all
    /// of it, before the flush is answered: the write and the 31 that it has brought.
    #[test]
    fn a_flush_ends_the_beginning() {
        let everywhere = [(0, 1 << 30)];
        let loads: [(f64, &[(u64, u64)]); 1] = [(1.0, &everywhere)];
        let (mut calendar, mut done) = (Calendar::default(), Vec::new());
        let mut flushed = disk(usage(&loads));
        take(&mut flushed, 0, &mut calendar, &mut done);
        take(&mut flushed, 8192, &mut calendar, &mut done);
        assert_eq!(flushed.cached, 1);
        let (mut calendar, mut done) = (Calendar::default(), Vec::new());
        let mut begun = disk(usage(&loads));
        take(&mut begun, 8192, &mut calendar, &mut done);
        assert_eq!(begun.cached, 32);
        take(&mut begun, 0, &mut calendar, &mut done);
        while done.iter().all(|done| done.token != 0) {
            let event = calendar.next().expect("a flush under way");
            begun.event(event.token, &mut calendar, &mut done);
        }
        assert_eq!((begun.cached, begun.mechanics_sums.jobs), (0, 32));
    }
}
