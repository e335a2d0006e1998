//! A disk under streams in order: what comes next, and when.

use std::collections::VecDeque;

use super::Streams;
use super::buffer::{Buffer, ONE, Standing};
use super::layout::{Layout, Zone};
use super::queue::{Command, Queue};
use super::reader::Reader;
use super::way::Way;

/// Revolutions after which a command is taken next whatever its place.
pub(super) const OVERDUE_REVOLUTIONS: f64 = 256.0;

/// Part of them by which a command may have been passed over for less and still goes together with one that is overdue.
const TOGETHER: f64 = 0.25;

/// Bytes of an entry of the write cache.
const ENTRY_BYTES: f64 = 65_536.0;

/// The next of a sequence of draws, 0 to below 1 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014).
fn draw(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// What the mechanics are doing, and until when.
#[derive(Clone, Copy, Debug)]
struct Service {
    command: Command,
    until: f64,
}

/// Where the head is, over this byte of a stream at a moment.
#[derive(Clone, Copy, Debug)]
struct Head {
    stream: usize,
    offset: f64,
    held_from: f64,
    at: f64,
}

#[derive(Debug)]
pub(super) struct Reckoning<'a> {
    streams: &'a Streams,
    zones: Vec<Zone>,
    /// Time from stream to stream, to another track of the same one too.
    seeks: Vec<Vec<f64>>,
    /// Where the next command of each begins, and where it begins anew.
    next: Vec<f64>,
    pub(super) now: f64,
    /// Commands that were sent and are not answered, and those that wait to be sent.
    sent: usize,
    unsent: VecDeque<Command>,
    way: Way,
    /// Processed, without a tag.
    outside: VecDeque<Command>,
    tags: usize,
    queue: Queue,
    buffer: Buffer,
    head: Head,
    service: Option<Service>,
    /// When reads that wait have passed under a head that reads ahead.
    passed: f64,
    /// When cached writes let nothing go first any more.
    due: f64,
    /// Writes in the cache, entries that they take, and writes that wait for room.
    cached: usize,
    entries: usize,
    for_room: VecDeque<Command>,
    /// Answers on their way: when the next command is sent, in this order, after one of which stream, and its draw.
    answers: VecDeque<(f64, usize, f64)>,
    /// Data on their way to who has fetched them: when they are there, whose they are, and which piece of a stream.
    back: VecDeque<(f64, usize, usize)>,
    readers: Vec<Reader>,
    /// The stream whose turn it is.
    turn: usize,
    /// Commands that it has had of it.
    ran: usize,
    draws: u64,
    pub(super) answered: usize,
}

impl<'a> Reckoning<'a> {
    pub(super) fn new(streams: &'a Streams) -> Self {
        let disk = &streams.disk;
        let layout = Layout::new(disk);
        let cylinders: Vec<f64> = streams
            .starts
            .iter()
            .map(|&start| layout.cylinder(start))
            .collect();
        let from = |one: f64| {
            cylinders
                .iter()
                .map(|other| layout.seek_s((one - other).abs()))
                .collect()
        };
        let mut reckoning = Self {
            streams,
            zones: streams.starts.iter().map(|&start| layout.zone(start)).collect(),
            seeks: cylinders.iter().map(|&one| from(one)).collect(),
            next: streams.starts.clone(),
            now: 0.0,
            sent: 0,
            unsent: VecDeque::new(),
            way: Way::new(streams),
            outside: VecDeque::new(),
            tags: 0,
            queue: Queue::new(streams.starts.len()),
            buffer: Buffer::new(disk.read_segments, disk.read_ahead_bytes),
            head: Head {
                stream: 0,
                offset: streams.starts[0],
                held_from: f64::INFINITY,
                at: -1.0,
            },
            service: None,
            passed: f64::INFINITY,
            due: f64::INFINITY,
            cached: 0,
            entries: 0,
            for_room: VecDeque::new(),
            answers: VecDeque::new(),
            back: VecDeque::new(),
            readers: Vec::new(),
            turn: 0,
            ran: 0,
            draws: 0,
            answered: 0,
        };
        if let Some(readers) = &streams.readers {
            reckoning.readers = vec![Reader::new(readers); streams.starts.len()];
            return reckoning;
        }
        if streams.in_turn {
            (0..streams.outstanding).for_each(|_| reckoning.go_on(0, 0.0));
            return reckoning;
        }
        // Each core sends the first commands of its streams one after the other.
        let (count, cores) = (streams.starts.len(), streams.cores.clamp(1, streams.starts.len()));
        for at in 0..streams.outstanding * count.div_ceil(cores) {
            let first = at / streams.outstanding * cores;
            for stream in first..count.min(first + cores) {
                reckoning.go_on(stream, 0.0);
            }
        }
        reckoning
    }

    /// An answer is back at a moment, to be followed by the next command: that to a write from the cache takes long, so what
    /// is answered after it may be back before.
    fn go_on(&mut self, stream: usize, at: f64) {
        let place = self.answers.partition_point(|other| other.0 <= at);
        self.answers.insert(place, (at, stream, draw(&mut self.draws)));
    }

    /// Send the next command after one of a stream: of the same, or of the one whose turn it is.
    fn issue_next(&mut self, stream: usize, at: f64, draw: f64) {
        if self.streams.in_turn {
            self.issue(self.turn, at, draw);
            self.ran += 1;
            if self.ran == self.streams.run {
                (self.turn, self.ran) = ((self.turn + 1) % self.streams.starts.len(), 0);
            }
        } else {
            self.issue(stream, at, draw);
        }
    }

    /// Send the next command of a stream, or let it wait to be sent.
    fn issue(&mut self, stream: usize, at: f64, draw: f64) {
        let offset = self.next[stream];
        let end = offset + self.streams.bytes;
        self.next[stream] = end + self.streams.gap_bytes;
        let command = Command {
            stream,
            offset,
            end,
            write: draw >= self.streams.read_share,
            cached: false,
            since: 0.0,
        };
        if self.streams.commands.is_some_and(|most| self.sent >= most) {
            return self.unsent.push_back(command);
        }
        self.sent += 1;
        self.way.send(command, at);
    }

    fn bytes_s(&self, stream: usize) -> f64 {
        self.zones[stream].track_bytes / self.streams.disk.revolution_s
    }

    /// A command is answered, and its tag is free; its data has been leaving since a moment.
    fn answer(&mut self, command: &Command, at: f64) {
        let &Command { stream, write, .. } = command;
        self.tags -= 1;
        self.answered += 1;
        let (from, data_s) = match write {
            true => (at, 0.0),
            false => (self.way.link.pass(at), self.streams.read_back_s),
        };
        let back = from + self.streams.way_s + data_s;
        match self.unsent.pop_front() {
            Some(command) => self.way.send(command, back),
            None => self.sent -= 1,
        }
        match self.readers.is_empty() {
            true => self.go_on(stream, back),
            false => self.back.push_back((back, stream, self.piece(command))),
        }
    }

    /// Which of the pieces of its stream a command is.
    fn piece(&self, command: &Command) -> usize {
        let streams = self.streams;
        let begins = command.end - streams.bytes - streams.starts[command.stream];
        (begins / (streams.bytes + streams.gap_bytes)).round() as usize
    }

    /// Data that were fetched are there; the first reader that has come so far sends for more.
    fn fetch(&mut self, back: f64) {
        let Some(readers) = &self.streams.readers else {
            return;
        };
        let (bytes, now) = (self.streams.bytes, self.now);
        if self.now >= back {
            let (_, stream, piece) = self.back.pop_front().expect("the first");
            self.readers[stream].comes(piece, bytes, now, readers);
        }
        for stream in 0..self.readers.len() {
            while self.readers[stream].due <= now {
                self.readers[stream].sends(bytes, now, readers);
                self.go_on(stream, now);
            }
        }
    }

    /// Go on to what happens next.
    pub(super) fn step(&mut self) {
        let back = self.back.front().map_or(f64::INFINITY, |first| first.0);
        let sent = self.readers.iter().map(|reader| reader.due).fold(back, f64::min);
        let answer = self.answers.front().map_or(f64::INFINITY, |first| first.0);
        let (passes, arrives) = (self.way.passes(), self.way.arrives());
        let finished = self.service.map_or(f64::INFINITY, |service| service.until);
        let others = self.passed.min(self.due).min(sent).min(answer).min(passes);
        self.now = self.now.max(arrives.min(finished).min(others));
        if self.now >= answer {
            let (_, stream, draw) = self.answers.pop_front().expect("the first");
            self.issue_next(stream, answer, draw);
        } else if self.now >= passes {
            self.way.pass();
        } else if self.now >= sent {
            self.fetch(back);
        } else if self.now >= finished {
            self.finish();
        } else if self.now >= self.passed {
            self.passed = f64::INFINITY;
            self.give_held();
        } else if self.now >= self.due {
            self.due = f64::INFINITY;
        } else if let Some(command) = self.way.arrive() {
            self.outside.push_back(command);
        }
        self.admit();
        if self.service.is_none() && self.queue.len() > 0 && !self.holds_back() {
            self.start();
        }
    }

    /// Give room in the cache and tags to those that wait.
    fn admit(&mut self) {
        while self.for_room.front().is_some_and(|first| self.fits(first)) {
            let command = self.for_room.pop_front().expect("the first");
            self.cache(command);
        }
        while self.tags < self.streams.disk.tags {
            let Some(mut command) = self.outside.pop_front() else {
                return;
            };
            self.tags += 1;
            command.since = self.now;
            if command.write {
                self.overwrite(&command);
            }
            match command.write {
                false => self.read(command),
                true if self.streams.disk.cache_entries == 0 => self.queue.push(command),
                true if self.fits(&command) => self.cache(command),
                true => self.for_room.push_back(command),
            }
        }
    }

    /// What is written is no longer in the buffer; where the head was reading that, it stops.
    fn overwrite(&mut self, command: &Command) {
        self.see();
        self.buffer.overwrite(command.offset, command.end, self.now);
    }

    /// Look where the head is that reads ahead.
    fn see(&mut self) -> bool {
        let reading = self.buffer.reading(self.now);
        if let Some((held_from, offset)) = reading {
            self.head = Head {
                offset,
                held_from,
                at: self.now,
                ..self.head
            };
        }
        reading.is_some()
    }

    fn entries_of(command: &Command) -> usize {
        ((command.end - command.offset) / ENTRY_BYTES).ceil() as usize
    }

    fn fits(&self, command: &Command) -> bool {
        self.entries == 0 || self.entries + Self::entries_of(command) <= self.streams.disk.cache_entries
    }

    /// A write goes into the cache and is answered.
    fn cache(&mut self, command: Command) {
        self.cached += 1;
        self.entries += Self::entries_of(&command);
        self.queue.push(Command {
            cached: true,
            since: self.now,
            ..command
        });
        self.answer(&command, self.now + self.streams.disk.cached_write_s);
    }

    /// Nothing to do but cached writes that let others go first.
    fn is_idle(&self) -> bool {
        self.service.is_none() && self.queue.len() == self.cached
    }

    /// A read: from the buffer, as it comes by, or among the choices.
    fn read(&mut self, command: Command) {
        match self.buffer.standing(command.offset, command.end, self.now) {
            Standing::Held => {
                self.read_on(command.stream, command.end);
                self.answer(&command, self.now);
            }
            Standing::Coming(until) if self.is_idle() => self.service = Some(Service { command, until }),
            Standing::Coming(at) => {
                if self.buffer.leaving {
                    self.passed = self.passed.min(at);
                }
                self.queue.push(command);
            }
            Standing::From(offset) => self.queue.push(Command { offset, ..command }),
        }
    }

    /// After a read from the buffer: the head goes on, or back to where it had stopped for the stream.
    fn read_on(&mut self, stream: usize, end: f64) {
        if self.buffer.reading(self.now).is_some() {
            self.buffer.extend(end);
        } else if let (true, Some(from)) = (self.is_idle(), self.buffer.thirst(end)) {
            let at = self.now + self.access(stream, from, false).0;
            if self.queue.len() > 0 && at >= self.patient_until() {
                return;
            }
            self.head = Head {
                stream,
                offset: from,
                held_from: from,
                at,
            };
            self.buffer.resume(at, end, self.bytes_s(stream));
        }
    }

    /// Time until the head is over a byte, and the part of it that is no waiting.
    fn access(&self, stream: usize, offset: f64, write: bool) -> (f64, f64) {
        let (head, zone) = (&self.head, &self.zones[stream]);
        let same = head.stream == stream && zone.track(head.offset) == zone.track(offset);
        let settle = if write {
            self.streams.disk.write_settle_s
        } else {
            0.0
        };
        let seek = if same {
            0.0
        } else {
            self.seeks[head.stream][stream] + settle
        };
        let revolution = self.streams.disk.revolution_s;
        let turned = ((self.now + seek) / revolution).fract();
        let turn = zone.turned(offset) - turned;
        (seek + (turn + f64::from(u8::from(turn < 0.0))) * revolution, seek)
    }

    /// For how long a cached write lets reads go first: a revolution, the less the fuller the cache.
    fn patience(&self) -> f64 {
        let fill = self.entries as f64 / self.streams.disk.cache_entries.max(1) as f64;
        self.streams.disk.revolution_s * (1.0 - fill).max(0.0)
    }

    fn patient_until(&self) -> f64 {
        self.head.at + self.patience()
    }

    /// Whether cached writes, alone, still let others go first.
    fn holds_back(&mut self) -> bool {
        let due = self.patient_until();
        let alone = self.queue.len() <= self.cached && self.cached > 0 && self.now < due;
        if !alone || self.head.at == self.now && self.follows() {
            return false;
        }
        self.due = due;
        true
    }

    /// Whether one begins where the head is.
    fn follows(&self) -> bool {
        let head = &self.head;
        self.queue
            .on_the_way(head.stream, head.offset, f64::INFINITY, ONE)
            .is_some()
    }

    /// Moments before which a command came that is overdue, and one that nearly is.
    fn long_ago(&self) -> (f64, f64) {
        let longest = OVERDUE_REVOLUTIONS * self.streams.disk.revolution_s;
        (self.now - longest, self.now - longest * (1.0 - TOGETHER))
    }

    /// A write that waits for room in the cache, and is the next that passes under the head, is written past it; or, where some
    /// have waited too long, they and those that nearly have.
    fn write_past(&mut self) {
        let head = self.head;
        let (overdue, together) = self.long_ago();
        let since =
            |waiting: &VecDeque<Command>, moment| waiting.front().is_some_and(|one| one.since < moment);
        if since(&self.for_room, overdue) {
            while since(&self.for_room, together) {
                let command = self.for_room.pop_front().expect("the first");
                self.queue.push(command);
            }
            return;
        }
        if head.at != self.now {
            return;
        }
        let waiting = self.for_room.iter().enumerate();
        let ahead = waiting.filter(|(_, one)| one.stream == head.stream && one.offset >= head.offset - ONE);
        let Some((at, first)) = ahead.min_by(|one, other| one.1.offset.total_cmp(&other.1.offset)) else {
            return;
        };
        let most = (first.offset - head.offset).max(ONE);
        let near = most < self.zones[head.stream].track_bytes / 2.0;
        let before = self
            .queue
            .on_the_way(head.stream, head.offset, head.held_from, most);
        if near && before.is_none() {
            let command = self.for_room.remove(at).expect("one of them");
            self.queue.push(command);
        }
    }

    /// Take what goes on under the head, what is overdue, or what is reached first.
    fn start(&mut self) {
        let reading = self.see();
        self.write_past();
        let head = self.head;
        let (overdue, together) = self.long_ago();
        let together = self.queue.overdue(overdue, together);
        let overdue = together.and_then(|moment| {
            let access = |one: &Command| self.access(one.stream, one.offset, one.write).0;
            let those = self
                .queue
                .all()
                .filter(|(_, one)| !one.cached && one.since < moment);
            let nearest = those.map(|(place, one)| (access(one), place));
            nearest
                .min_by(|one, other| one.0.total_cmp(&other.0))
                .map(|(_, place)| place)
        });
        let half = self.zones[head.stream].track_bytes / 2.0;
        let on_the_way = if overdue.is_none() && head.at == self.now {
            self.queue
                .on_the_way(head.stream, head.offset, head.held_from, half)
        } else {
            None
        };
        let place = overdue.or(on_the_way).unwrap_or_else(|| self.nearest());
        let command = self.queue.take(place);
        let (access, seek, from) = if on_the_way.is_some() {
            let from = command.offset.max(head.offset);
            ((from - head.offset) / self.bytes_s(head.stream), 0.0, from)
        } else {
            let (access, seek) = self.access(command.stream, command.offset, command.write);
            (access, seek, command.offset)
        };
        self.leave(reading, access - seek);
        let moves = seek > 0.0 && (command.stream != head.stream || overdue.is_some());
        let missed = moves && draw(&mut self.draws) < self.streams.disk.missed_revolution;
        let again = if missed {
            self.streams.disk.revolution_s
        } else {
            0.0
        };
        let took = access + again + (command.end - from) / self.bytes_s(command.stream);
        self.service = Some(Service {
            command,
            until: self.now + took,
        });
    }

    fn nearest(&self) -> (usize, usize) {
        let patience = self.patience();
        let cost = |one: &Command| {
            let waits = if one.cached { patience } else { 0.0 };
            self.access(one.stream, one.offset, one.write).0 + waits
        };
        let all = self.queue.all().map(|(place, one)| (cost(one), place));
        all.min_by(|one, other| one.0.total_cmp(&other.0))
            .expect("a command")
            .1
    }

    /// Read on until the arm has to leave; what waits and passes by then is answered.
    fn leave(&mut self, reading: bool, slack: f64) {
        let slack = if reading { slack } else { 0.0 };
        let within = self.buffer.leave(self.now, slack);
        if slack > 0.0 && self.queue.within(self.head.stream, within).is_some() {
            self.passed = self.passed.min(self.now + slack);
        }
    }

    /// Answer the reads whose data came into the buffer with others.
    fn give_held(&mut self) {
        let held = self.buffer.held(self.now);
        let stream = self.head.stream;
        while let Some(place) = self.queue.within(stream, held) {
            let command = self.queue.take(place);
            self.answer(&command, self.now);
        }
    }

    /// The mechanics have done a command.
    fn finish(&mut self) {
        let Some(Service { command, .. }) = self.service.take() else {
            return;
        };
        self.head = Head {
            stream: command.stream,
            offset: command.end,
            held_from: command.end,
            at: self.now,
        };
        if !command.write && self.streams.disk.read_ahead_bytes > 0.0 {
            let bytes_s = self.bytes_s(command.stream);
            self.buffer.follow(command.offset, command.end, self.now, bytes_s);
            self.give_held();
        }
        if command.cached {
            self.cached -= 1;
            self.entries -= Self::entries_of(&command);
        } else {
            let passing = (command.end - command.offset) / self.bytes_s(command.stream);
            let flowing = match command.write {
                true => 0.0,
                false => self.way.link.flowing(passing, self.now - command.since),
            };
            self.answer(&command, self.now - flowing);
        }
    }
}

#[cfg(test)]
mod tests;
