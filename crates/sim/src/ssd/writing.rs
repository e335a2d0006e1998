//! The way of a write: the buffer, and behind its back the data path and a die.

use super::buffer::Write;
use super::{IN_BUFFER, PASSED, PROGRAMMED, PROGRAMS, Program, Ssd};
use crate::calendar::Calendar;
use crate::operation::Done;
use crate::time::Ps;

impl Ssd {
    pub(super) fn write(&mut self, write: Write, calendar: &mut Calendar, done: &mut Vec<Done>) {
        if self.fill {
            self.fill = false;
            self.begin_full(calendar);
        }
        if self.buffer.take(write) {
            self.admit(&write, Some(write.bytes), calendar, done);
        } else if self.buffer.in_parts(write.bytes) {
            self.admit_next(calendar, done);
        }
    }

    /// Let in what waits and has room.
    fn admit_next(&mut self, calendar: &mut Calendar, done: &mut Vec<Done>) {
        while let Some((write, of)) = self.buffer.next() {
            self.admit(&write, of, calendar, done);
        }
    }

    /// Let in a write of so many bytes, or a part of one; with its last part it is answered.
    fn admit(&mut self, write: &Write, of: Option<u32>, calendar: &mut Calendar, done: &mut Vec<Done>) {
        let waited = self.buffer.admit(write, of.is_some(), self.now);
        let at = write.ready + waited;
        if let Some(through) = &mut self.through {
            let number = through.take(write, waited);
            return self.put(at, IN_BUFFER | number, calendar);
        }
        let programs = self.buffer.programs(write.bytes);
        if programs > 0 {
            self.put(at, PROGRAMS | programs, calendar);
        }
        let Some(of) = of else { return };
        // What came in before its last part was fetched meanwhile.
        let fetched = |bytes: u32| Ps(self.delay_write_per_kib.0 * u64::from(bytes) / 1024);
        let end = (at + fetched(write.bytes)).max(write.ready + fetched(of)) + self.delay_write;
        self.answer(
            write.token,
            (end, Ps::ZERO),
            (end.since(write.arrival) - waited, waited, Ps::ZERO),
            done,
        );
    }

    /// Let programs leave for dies, as many as those can take, over the data path when that lets them pass.
    pub(super) fn program(&mut self, calendar: &mut Calendar) {
        while self.buffer.has_batch()
            && self.leaving.len() < self.idle.len() + self.dies.len() - self.staged.len()
        {
            let first = self.buffer.left();
            self.leaving.push_back((first, self.buffer.leave()));
        }
        while let Some(&(first, batch)) = self.leaving.front() {
            if let Some(at) = self.data.next_turn(self.now, self.buffer.is_unsettled()) {
                return self.wait_for_turn(at, calendar);
            }
            self.leaving.pop_front();
            let program = Program {
                first,
                bytes: batch.bytes,
                passed: self.data.write(self.now, batch.bytes, batch.turns),
            };
            match self.idle.take() {
                Some(die) => self.begin(die, program, calendar),
                None => self.staged.push_back(program),
            }
        }
    }

    /// Go on with programs when the data path lets the next one pass.
    fn wait_for_turn(&mut self, at: Ps, calendar: &mut Calendar) {
        if !self.passing {
            self.passing = true;
            self.put(at, PASSED, calendar);
        }
    }

    /// Begin as a lasting load has left the drive: the buffer is full, dies are anywhere in their programs, and the
    /// next program of each is past the data path. Where that lets fewer pass than the dies can program, only as many are
    /// busy as it feeds (Little's law), and nothing waits behind it.
    #[cold]
    fn begin_full(&mut self, calendar: &mut Calendar) {
        self.buffer.fill(self.now);
        let dies = self.dies.len();
        let fed = (self.dies.program_span().0 / self.data.program_span().0.max(1)) as usize;
        let (busy, past) = if fed < dies { (fed, fed) } else { (dies, 2 * dies) };
        for at in 0..past {
            if !self.buffer.has_batch() {
                return;
            }
            let program = Program {
                first: self.buffer.left(),
                bytes: self.buffer.leave().bytes,
                passed: self.now,
            };
            match self.idle.take() {
                Some(die) => self.go_on(die, program, (at as f64 + 0.5) / busy as f64, calendar),
                None => self.staged.push_back(program),
            }
        }
        self.program(calendar);
    }

    fn begin(&mut self, die: u32, program: Program, calendar: &mut Calendar) {
        self.go_on(die, program, 1.0, calendar);
    }

    /// Program what is left of a program.
    fn go_on(&mut self, die: u32, program: Program, left: f64, calendar: &mut Calendar) {
        let (at, bytes) = (die as usize, program.bytes);
        let end = self.dies.program(at, program.passed.max(self.now), left);
        self.programs[at] = program;
        if let Some(through) = &mut self.through {
            through.leave(at, bytes);
        }
        self.put(end, PROGRAMMED | die, calendar);
    }

    /// A die has programmed or collected, if no read has prolonged it.
    pub(super) fn programmed(&mut self, die: u32, calendar: &mut Calendar, done: &mut Vec<Done>) {
        let at = die as usize;
        let end = self.dies.program_end(at);
        if end > self.now {
            return self.put(end, PROGRAMMED | die, calendar);
        }
        let program = std::mem::replace(&mut self.programs[at], Program::NONE);
        self.buffer.free(program.bytes, self.now);
        self.buffer.settle(self.room, self.reads.most(), self.now);
        self.answer_programmed(at, done);
        // What is collected has no bytes.
        let ended = program.bytes > 0;
        if let Some(end) = ended.then(|| self.dies.collect(at, self.now)).flatten() {
            self.put(end, PROGRAMMED | die, calendar);
        } else if let Some(next) = self.staged.pop_front() {
            self.begin(die, next, calendar);
        } else {
            self.idle.add(die);
        }
        self.admit_next(calendar, done);
        self.program(calendar);
        self.answer_flushed(done);
    }

    fn answer_programmed(&mut self, die: usize, done: &mut Vec<Done>) {
        let Some(mut through) = self.through.take() else {
            return;
        };
        for write in through.end(die) {
            let front = write.ready.since(write.arrival);
            let media = self.now.since(write.ready + write.waited);
            self.answer(
                write.token,
                (self.now, Ps::ZERO),
                (front, write.waited, media),
                done,
            );
        }
        self.through = Some(through);
    }
}
