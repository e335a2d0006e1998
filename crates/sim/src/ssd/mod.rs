//! A solid state drive: firmware, write buffer, dies, data path, garbage collection.
//!
//! A read: firmware, then its parts on dies, then the data path, then a delay that occupies nobody. A write:
//! firmware, room in the buffer, and is answered; behind its back, each `program_bytes` pass the data path, in turns with
//! what is read, and are programmed by a die that has no program, any of them, which frees the buffer. Programs last longer by the write
//! amplification of the random writes. A drive that has to collect garbage slower than its data path writes
//! begins with a full buffer at the first write, as at steady state; where the load then leaves room in it, what
//! is left of that beginning is forgotten.
//!
//! Stations are reserved ahead where their order is known, so a read of one part costs one event.

pub mod amplification;
mod buffer;
mod data_path;
mod dies;
mod flushing;
mod idle;
mod line;
mod reading;
mod reads;
mod streams;
mod through;
mod varying;
mod writing;

use std::collections::VecDeque;

use iodyno_load::pattern::mix;

use amplification::{amplification, amplification_of_places, flash_ratio};
use buffer::{Batch, Buffer, Write};
use data_path::DataPath;
use dies::Dies;
use flushing::Flush;
use idle::Idle;
use line::Line;
use reads::{Read, Reads};
use streams::{Prefetcher, Streams};
use through::Through;

use crate::calendar::{Calendar, Event, Kind};
use crate::operation::{Done, DriveOp, Inside, StationSums, Usage};
use crate::spent::Place;
use crate::system::SsdModel;
use crate::time::Ps;

/// Bits of an event's token that say what it is about; the others are a number.
const ABOUT: u32 = 0b111 << 29;
/// The parts of a read are there.
const READ: u32 = 0;
/// A read comes to the dies.
const TO_DIES: u32 = 1 << 29;
/// So many full programs are in the buffer.
const PROGRAMS: u32 = 2 << 29;
/// A write that waits for its program is in the buffer.
const IN_BUFFER: u32 = 3 << 29;
/// A die may have programmed.
const PROGRAMMED: u32 = 4 << 29;
/// A flush comes to the buffer.
const FLUSH: u32 = 5 << 29;
/// A program has passed the data path, for which the next one waits.
const PASSED: u32 = 6 << 29;

/// What a die programs, or is to program next.
#[derive(Clone, Copy, Debug)]
struct Program {
    /// Number of its first byte among those of the buffer.
    first: u64,
    bytes: u64,
    /// When it is past the data path.
    passed: Ps,
}

impl Program {
    const NONE: Self = Self {
        first: u64::MAX,
        bytes: 0,
        passed: Ps::ZERO,
    };
}

/// A solid state drive.
#[derive(Debug)]
pub struct Ssd {
    which: u16,
    now: Ps,
    command_read: Ps,
    command_write: Ps,
    delay_read: Ps,
    delay_write: Ps,
    delay_write_per_kib: Ps,
    /// How far ahead a die may be reserved for a read while dies program.
    ahead: Ps,
    firmware: Line,
    dies: Dies,
    data: DataPath,
    reads: Reads,
    /// Reads that come to the dies by an event.
    to_dies: u32,
    streams: Streams,
    prefetcher: Option<Prefetcher>,
    buffer: Buffer,
    /// Whether the buffer holds a program for each die: one that does not keeps dies idle, and can be the limit itself.
    roomy: bool,
    /// Whether the buffer is filled at the first write.
    fill: bool,
    /// Least and most bytes free in it that show that the drive keeps up: an eighth of what the dies program at once, and
    /// twice that.
    room: (u64, u64),
    /// Where writes are answered when programmed.
    through: Option<Through>,
    /// Whether what was answered may be lost with the power, so that a flush programs it.
    volatile: bool,
    /// Flushes that are not answered.
    flushes: VecDeque<Flush>,
    /// Dies without a program.
    idle: Idle,
    /// What is under way to or in each die.
    programs: Vec<Program>,
    /// Programs that left for dies before one was idle. Each die can hold the data of its next program.
    staged: VecDeque<Program>,
    /// What waits for its turn on the data path, with the number of its first byte, and whether an event is to come for it.
    leaving: VecDeque<(u64, Batch)>,
    passing: bool,
}

impl Ssd {
    /// A solid state drive that answers to events of drive `which`; `usage` is what the load does with it,
    /// `seed` the seed of its draws.
    ///
    /// # Panics
    /// If the model has no die, or a size or rate of 0: the catalogue has neither.
    pub fn new(model: &SsdModel, usage: Usage, which: u16, seed: u64) -> Self {
        Self::amplifying(model, amplified(model, &usage), which, seed)
    }

    /// The same where pages programmed for each page that is written are known: of what several loads write.
    pub fn amplifying(model: &SsdModel, amplification: f64, which: u16, seed: u64) -> Self {
        let dies = Dies::new(model, amplification, seed);
        let most_bytes_s = dies.stream_bytes_s();
        let least = if model.buffers() { model.program_bytes } else { 1 };
        Self {
            which,
            now: Ps::ZERO,
            command_read: model.command_read_ps,
            command_write: model.command_write_ps,
            delay_read: model.delay_read_ps,
            delay_write: model.delay_write_ps,
            delay_write_per_kib: model.delay_write_per_kib_ps,
            ahead: Ps(model.read_ps.0 / 4),
            firmware: Line::default(),
            data: DataPath::new(model),
            reads: Reads::default(),
            to_dies: 0,
            streams: Streams::new(),
            prefetcher: model
                .prefetch
                .map(|prefetch| Prefetcher::new(prefetch, most_bytes_s, model.read_spread, seed)),
            buffer: Buffer::new(model.buffer_bytes, model.program_bytes, least).before(model.dies),
            roomy: !model.buffers()
                || model.buffer_bytes / u64::from(model.program_bytes) >= u64::from(model.dies),
            fill: model.buffers(),
            room: room_shown(model),
            through: (!model.buffers()).then(|| Through::new(dies.len())),
            volatile: model.buffers() && model.protected_share < 1.0,
            flushes: VecDeque::new(),
            idle: Idle::all(model.dies, mix(seed, 2)),
            programs: vec![Program::NONE; dies.len()],
            staged: VecDeque::with_capacity(dies.len()),
            leaving: VecDeque::new(),
            passing: false,
            dies,
        }
    }

    /// See [`crate::drive::Drive::submit`].
    #[inline]
    pub fn submit(&mut self, op: DriveOp, arrival: Ps, calendar: &mut Calendar, done: &mut Vec<Done>) {
        self.now = calendar.now();
        if op.bytes == 0 {
            return self.command(&op, arrival, calendar, done);
        }
        let turns = self.data.turns(op.write, op.bytes);
        let prefetched = match &mut self.prefetcher {
            Some(prefetcher) => prefetcher.take(&op, arrival),
            None => false,
        };
        if op.write {
            let ready = self.firmware.serve(arrival, self.command_write);
            let (token, bytes) = (op.token, op.bytes);
            self.write(
                Write {
                    token,
                    bytes,
                    turns,
                    arrival,
                    ready,
                },
                calendar,
                done,
            );
        } else {
            let ready = self.firmware.serve(arrival, self.command_read);
            let stream = self.streams.follow(&op);
            let read = Read {
                op,
                turns,
                stream,
                arrival,
                ready,
            };
            if prefetched {
                self.prefetched(read, done)
            } else {
                self.read(read, calendar)
            }
        }
    }

    /// See [`crate::drive::Drive::event`].
    #[inline]
    pub fn event(&mut self, token: u32, calendar: &mut Calendar, done: &mut Vec<Done>) {
        self.now = calendar.now();
        let number = token & !ABOUT;
        match token & ABOUT {
            READ => self.give(number, done),
            TO_DIES => self.reach_dies(number, calendar),
            PROGRAMS => {
                self.buffer.arrive_programs(number);
                self.program(calendar);
            }
            IN_BUFFER => {
                let through = self.through.as_ref().expect("a write that waits for its program");
                self.buffer.arrive(through.bytes(number));
                self.program(calendar);
            }
            PROGRAMMED => self.programmed(number, calendar, done),
            FLUSH => self.reach_buffer(calendar, done),
            PASSED => {
                self.passing = false;
                self.program(calendar);
            }
            _ => unreachable!("an event of no kind"),
        }
    }

    /// See [`crate::drive::Drive::stations`].
    pub fn stations(&self, now: Ps) -> Vec<StationSums> {
        use Place::{DriveFront, DriveMedia, DriveRoom};
        let now = now.max(self.now);
        let station = |name, place, servers, sums| StationSums {
            name,
            place,
            servers,
            room: false,
            sums,
        };
        vec![
            station("firmware", DriveFront, 1, self.firmware.sums(now)),
            StationSums {
                room: self.roomy,
                ..station("write buffer", DriveRoom, 1, self.buffer.sums(now))
            },
            station("dies", DriveMedia, self.dies.len(), self.dies.sums(now)),
            station("data path", DriveMedia, 1, self.data.sums(now)),
        ]
    }

    fn put(&self, at: Ps, token: u32, calendar: &mut Calendar) {
        calendar.at(
            at,
            Event {
                kind: Kind::Drive,
                which: self.which,
                token,
            },
        );
    }

    #[inline]
    fn answer(
        &mut self,
        token: u32,
        (at, flowing): (Ps, Ps),
        (front, room, media): (Ps, Ps, Ps),
        done: &mut Vec<Done>,
    ) {
        if let Some(prefetcher) = &mut self.prefetcher {
            prefetcher.answer(at);
        }
        done.push(Done {
            token,
            at,
            flowing,
            inside: Inside { front, room, media },
        });
    }
}

/// Pages programmed for each page that the load writes.
fn amplified(model: &SsdModel, usage: &Usage) -> f64 {
    let share = |bytes: u64| bytes as f64 / model.capacity_bytes as f64;
    let accessed = share(usage.accessed_bytes).clamp(1e-6, 1.0);
    let ratio = flash_ratio(model.spare_share, accessed, model.filled_share);
    let random = if usage.overwritten_bytes < usage.accessed_bytes {
        let overwritten = share(usage.overwritten_bytes).clamp(1e-9, accessed);
        amplification_of_places(ratio * accessed, accessed, overwritten, usage.valid_share)
    } else {
        amplification(ratio / usage.valid_share)
    };
    1.0 + usage.random_write_share * (random - 1.0)
}

/// Bytes free in the buffer that show that the drive keeps up, at the least and at the most.
fn room_shown(model: &SsdModel) -> (u64, u64) {
    let at_once = u64::from(model.dies) * u64::from(model.program_bytes);
    let most = (2 * at_once).min(model.buffer_bytes / 2);
    ((at_once / 8).min(most), most)
}
