//! Dies: each serves reads in the order in which they come, and one program at a time. A read behind a
//! program waits until the drive suspends it; the program is prolonged by what is read meanwhile, but not for ever.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::streams::Page;
use super::varying::Varying;
use crate::station::Sums;
use crate::system::SsdModel;
use crate::time::Ps;

/// What reads take of a die while they hold up a program, at most, in times of what the program takes: then they wait for its
/// end. Assumed, and met only where reads keep a die busy: without an end to it nothing would be programmed there.
const PROLONGED: u64 = 16;

/// One die. Programs are in the buffer until a die takes them, so a die has one at most.
#[derive(Clone, Copy, Debug, Default)]
struct Die {
    /// End of the reads that are reserved, and from when on they follow each other without a break.
    reads_end: Ps,
    reads_from: Ps,
    /// When the data of the program is at the die.
    arrives: Ps,
    /// When the program begins: behind the reads that came before it.
    begins: Ps,
    /// When it ends, if no other read suspends it.
    ends: Ps,
    /// What reads that suspended it have taken.
    prolonged: Ps,
}

impl Die {
    /// Busy time reserved beyond `now`. Between its beginning and its end a program runs, or is suspended by reads; of reads only the
    /// last are known, and where those came behind the beginning, others went before it from when the data arrived.
    fn reserved(&self, now: Ps) -> Ps {
        let suspended = self.reads_from > self.begins;
        let program_from = now.max(if suspended { self.arrives } else { self.begins });
        let reads_from = now.max(self.reads_from);
        let both = self.ends.min(self.reads_end).since(program_from.max(reads_from));
        self.ends.since(program_from) + self.reads_end.since(reads_from).since(both)
    }

    /// Read a page for `read` for a command that comes at `at`: end of the read, and how much it prolonged the
    /// program.
    #[inline]
    fn read(&mut self, at: Ps, read: Ps, times: &Times) -> (Ps, Ps) {
        let start = at.max(self.reads_end);
        let (start, prolonged) = if self.ends <= start {
            (start, Ps::ZERO)
        } else if at < self.arrives {
            (start, (start + read).since(self.begins))
        } else if self.prolonged >= times.prolonged {
            (self.ends, Ps::ZERO)
        } else if self.reads_end > at && self.reads_end > self.begins {
            (start, read)
        } else {
            self.suspend(at.max(self.begins), read, times)
        };
        let end = start + read;
        if start > self.reads_end {
            self.reads_from = start;
        }
        self.reads_end = end;
        self.ends += prolonged;
        if at < self.arrives {
            self.begins += prolonged;
        } else {
            self.prolonged += prolonged;
        }
        (end, prolonged)
    }

    /// Wait behind the program that runs at `from`: start of the read, and how much it prolongs the program.
    #[inline]
    fn suspend(&self, from: Ps, read: Ps, times: &Times) -> (Ps, Ps) {
        let left = self.ends.since(from);
        let of_this_page = if left > times.program {
            Ps(left.0 % times.program.0)
        } else {
            left
        };
        let wait = of_this_page.min(times.suspend);
        (from + wait, if wait < left { read } else { Ps::ZERO })
    }

    /// Program what arrives at `arrives`, for so long without reads; gives the end.
    fn program(&mut self, arrives: Ps, duration: Ps) -> Ps {
        self.arrives = arrives;
        self.begins = arrives.max(self.reads_end);
        self.ends = self.begins + duration;
        self.prolonged = Ps::ZERO;
        self.ends
    }
}

/// What a die takes for its work.
#[derive(Clone, Copy, Debug)]
struct Times {
    /// The mean of reading a page.
    read: Ps,
    /// One program: longer work at a die (garbage collection) is a series of them.
    program: Ps,
    /// Longest wait of a read behind a program.
    suspend: Ps,
    /// What reads take of a die while they hold up a program, at most.
    prolonged: Ps,
}

/// All dies of a drive.
#[derive(Debug)]
pub(super) struct Dies {
    dies: Vec<Die>,
    times: Times,
    /// Time at a die for each program, garbage collection included where that is not apart.
    program: Ps,
    /// What a program leaves to be collected when it has ended.
    collection: Ps,
    /// Bytes of a page.
    page_bytes: u32,
    /// Bytes that a die reads at once where data was written sequentially.
    together: u64,
    /// How often it reads that before the next die's turn: all that it programs at once.
    run: u64,
    read_times: Varying,
    rng: Xoshiro256PlusPlus,
    sums: Sums,
}

impl Dies {
    /// The dies of a drive; `amplification` is pages programmed for each page written. Where writes wait for their
    /// programs, a die collects garbage behind each, for which they do not wait.
    pub(super) fn new(model: &SsdModel, amplification: f64, seed: u64) -> Self {
        assert!(model.dies > 0 && model.stripe_bytes > 0, "a drive without flash");
        let together = model.read_bytes.max(model.stripe_bytes);
        let spent = model.program_ps.times(amplification);
        let program = if model.buffers() { spent } else { model.program_ps };
        Self {
            dies: vec![Die::default(); model.dies as usize],
            times: Times {
                read: model.read_ps,
                program: Ps(model.program_ps.0.max(1)),
                suspend: model.suspend_ps,
                prolonged: Ps(PROLONGED * program.0.max(1)),
            },
            program,
            collection: spent.since(program),
            page_bytes: model.stripe_bytes,
            together: u64::from(together),
            run: u64::from((model.program_bytes / together).max(1)),
            read_times: Varying::new(model.read_ps, model.read_spread),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            sums: Sums::default(),
        }
    }

    /// Time at a die for each program.
    pub(super) fn program_span(&self) -> Ps {
        self.program
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.dies.len()
    }

    /// Bytes of a stream that all dies together can read in a second.
    pub(super) fn stream_bytes_s(&self) -> f64 {
        self.dies.len() as f64 * self.together as f64 / self.times.read.seconds()
    }

    /// Read so many bytes that lie on random dies; gives the end of the last part.
    #[inline]
    pub(super) fn read_random(&mut self, at: Ps, bytes: u32) -> Ps {
        let mut last = at;
        for _ in 0..bytes.div_ceil(self.page_bytes) {
            let draw = self.rng.next_u64() >> 32;
            let die = (draw * self.dies.len() as u64) >> 32;
            last = last.max(self.read(die as usize, at));
        }
        last
    }

    /// Read bytes of a stream, on consecutive dies; `kept` is the page that the stream read last, which is
    /// not read again. Gives the end of the last part.
    pub(super) fn read_sequential(&mut self, at: Ps, (offset, bytes): (u64, u32), kept: &mut Page) -> Ps {
        let size = self.together;
        let pages = offset / size..(offset + u64::from(bytes)).div_ceil(size);
        let mut die = (pages.start / self.run % self.dies.len() as u64) as usize;
        let mut left = self.run - pages.start % self.run;
        let mut last = at;
        for number in pages {
            if number != kept.number {
                *kept = Page {
                    number,
                    ready: self.read(die, at),
                };
            }
            last = last.max(kept.ready);
            left -= 1;
            if left == 0 {
                left = self.run;
                die = if die + 1 == self.dies.len() { 0 } else { die + 1 };
            }
        }
        last
    }

    #[inline]
    fn read(&mut self, die: usize, at: Ps) -> Ps {
        let read = self.read_times.draw(&mut self.rng);
        let (end, prolonged) = self.dies[die].read(at, read, &self.times);
        self.sums.count(at, read, end);
        self.sums.residence += prolonged;
        end
    }

    /// Program data that arrives at a die that has no program, or what is `left` of it as a share; gives the end as far
    /// as it is known.
    pub(super) fn program(&mut self, die: usize, arrives: Ps, left: f64) -> Ps {
        let span = if left < 1.0 {
            self.program.times(left)
        } else {
            self.program
        };
        let end = self.dies[die].program(arrives, span);
        self.sums.count(arrives, span, end);
        end
    }

    /// Collect what a program has left to be collected, which begins now; gives the end. None where that is nothing.
    pub(super) fn collect(&mut self, die: usize, now: Ps) -> Option<Ps> {
        let span = self.collection;
        (span > Ps::ZERO).then(|| {
            let end = self.dies[die].program(now, span);
            self.sums.busy += span;
            self.sums.residence += end.since(now);
            end
        })
    }

    /// When what a die programs ends.
    #[inline]
    pub(super) fn program_end(&self, die: usize) -> Ps {
        self.dies[die].ends
    }

    /// Sums so far: what is reserved beyond `now` is left out.
    pub(super) fn sums(&self, now: Ps) -> Sums {
        Sums {
            busy: self.sums.busy.since(self.reserved(now)),
            ..self.sums
        }
    }

    fn reserved(&self, now: Ps) -> Ps {
        self.dies.iter().map(|die| die.reserved(now)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: Times = Times {
        read: Ps(10),
        program: Ps(100),
        suspend: Ps(30),
        prolonged: Ps(1600),
    };

    #[test]
    fn only_service_is_reserved() {
        let mut die = Die::default();
        die.read(Ps(1000), TIMES.read, &TIMES);
        assert_eq!(die.reserved(Ps(0)), Ps(10));
        assert_eq!(die.reserved(Ps(1004)), Ps(6));
        die.program(Ps(1500), Ps(100));
        assert_eq!(die.reserved(Ps(1200)), Ps(100));
        assert_eq!(die.reserved(Ps(1540)), Ps(60));
    }

    #[test]
    fn a_program_is_prolonged_by_the_reads_that_suspend_it() {
        let mut die = Die::default();
        die.program(Ps(0), Ps(100));
        assert_eq!(die.read(Ps(20), TIMES.read, &TIMES).0, Ps(60));
        assert_eq!(die.reserved(Ps(55)), Ps(5 + 50), "of the read, and the program");
        assert_eq!(
            die.read(Ps(55), TIMES.read, &TIMES).0,
            Ps(70),
            "it is suspended already"
        );
        assert_eq!(die.ends, Ps(120));
        assert_eq!(die.reserved(Ps(70)), Ps(50));
        assert_eq!(
            die.read(Ps(110), TIMES.read, &TIMES).0,
            Ps(130),
            "it ends before it would be suspended"
        );
        assert_eq!(die.ends, Ps(120));
    }

    /// The program, of 100, runs for 30 more when a read of 10 comes at 20, and for 50 behind that: of both 90 are left then, and each
    /// moment one less. A read that keeps the die until 50 when the data of a program come at 5 goes before it, and is left too.
    #[test]
    fn what_runs_before_a_read_that_is_reserved_is_reserved() {
        let mut die = Die::default();
        die.program(Ps(0), Ps(100));
        die.read(Ps(20), TIMES.read, &TIMES);
        for now in 20..=120 {
            assert_eq!(die.reserved(Ps(now)), Ps(110).since(Ps(now)), "at {now}");
        }
        let mut busy = Die::default();
        busy.read(Ps(0), Ps(50), &TIMES);
        busy.program(Ps(5), Ps(100));
        assert_eq!(busy.read(Ps(6), TIMES.read, &TIMES), (Ps(90), Ps(10)));
        for now in 6..=170 {
            assert_eq!(busy.reserved(Ps(now)), Ps(160).since(Ps(now)), "at {now}");
        }
    }

    /// A read that comes when a program has ended takes nothing of what the program has left.
    #[test]
    fn a_program_that_ends_before_a_read_is_reserved_until_its_end() {
        let mut die = Die::default();
        die.program(Ps(0), Ps(100));
        die.read(Ps(150), TIMES.read, &TIMES);
        assert_eq!(die.reserved(Ps(40)), Ps(60 + 10));
        assert_eq!(die.reserved(Ps(120)), Ps(10));
    }

    #[test]
    fn garbage_collection_is_a_series_of_programs() {
        let mut die = Die::default();
        die.program(Ps(0), Ps(250));
        assert_eq!(
            die.read(Ps(140), TIMES.read, &TIMES).0,
            Ps(160),
            "the first of them ends at 150"
        );
    }

    /// Reads of 10 follow each other without a break. The program, of 100, is suspended after 30 of it; when they have taken 16
    /// times as long as it does, the next waits for the other 70.
    #[test]
    fn reads_hold_a_program_up_for_so_long_and_no_longer() {
        let mut die = Die::default();
        die.program(Ps(0), Ps(100));
        for read in 0..160 {
            assert_eq!(die.read(Ps(10 * read), TIMES.read, &TIMES).0, Ps(40 + 10 * read));
        }
        assert_eq!(die.ends, Ps(1700));
        assert_eq!(die.read(Ps(1600), TIMES.read, &TIMES), (Ps(1710), Ps(0)));
        assert_eq!(die.read(Ps(1610), TIMES.read, &TIMES), (Ps(1720), Ps(0)));
        assert_eq!(die.ends, Ps(1700));
        assert_eq!(die.reserved(Ps(1610)), Ps(110), "it never rests");
        die.program(Ps(1720), Ps(100));
        assert_eq!(
            die.read(Ps(1750), TIMES.read, &TIMES),
            (Ps(1790), Ps(10)),
            "the next is another"
        );
    }

    #[test]
    fn a_read_that_comes_before_the_data_of_a_program_goes_first() {
        let mut die = Die::default();
        die.program(Ps(50), Ps(100));
        assert_eq!(die.read(Ps(45), TIMES.read, &TIMES).0, Ps(55));
        assert_eq!((die.begins, die.ends), (Ps(55), Ps(155)));
    }

    /// A read keeps the die until 10, the data of a program are there at 5. A read that comes at 4 goes before it, and one that comes
    /// at 7 behind it, though it has not begun: 30 of the program pass until it is suspended.
    #[test]
    fn a_read_that_comes_behind_the_data_of_a_program_waits_for_it_though_it_has_not_begun() {
        let busy = || {
            let mut die = Die::default();
            die.read(Ps(0), TIMES.read, &TIMES);
            die.program(Ps(5), Ps(100));
            die
        };
        let mut before = busy();
        assert_eq!(before.read(Ps(4), TIMES.read, &TIMES), (Ps(20), Ps(10)));
        assert_eq!((before.begins, before.ends), (Ps(20), Ps(120)));
        let mut behind = busy();
        assert_eq!(behind.read(Ps(7), TIMES.read, &TIMES), (Ps(50), Ps(10)));
        assert_eq!((behind.begins, behind.ends), (Ps(10), Ps(120)));
    }
}
