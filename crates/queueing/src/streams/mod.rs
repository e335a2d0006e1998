//! Streams in order on one hard disk, reckoned command by command from the numbers of the disk.
//!
//! Such a load leaves little to chance. For how long the head stays with a stream and what that gives it follows from
//! where the streams lie, from the seek between them and how far the disk has turned meanwhile, from what the buffer
//! holds of each, and from which commands the disk has to choose from. A mean over distances and angles says little of it,
//! so it is reckoned as it goes: seconds and bytes, one disk, nothing around it.

mod buffer;
mod disk;
mod layout;
mod link;
mod queue;
mod reader;
mod way;

use serde::{Deserialize, Serialize};

use disk::{OVERDUE_REVOLUTIONS, Reckoning};
pub use reader::Readers;

/// Commands until streams have found to each other, at least and at most, and then those that count.
const COMMANDS: usize = 20_000;
const MOST_COMMANDS: usize = 100_000;

/// How long several streams have for it, in times that a command may be passed over: each has had its turn by then.
const TURNS: f64 = 2.0;

/// The numbers of a disk.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Disk {
    /// Capacity in bytes.
    pub capacity_bytes: f64,
    /// One revolution in s.
    pub revolution_s: f64,
    /// Tracks of a cylinder.
    pub heads: usize,
    /// Zones, at least 1.
    pub zones: usize,
    /// Rate of the outermost zone in bytes/s.
    pub outer_bytes_s: f64,
    /// Rate of the innermost zone in bytes/s.
    pub inner_bytes_s: f64,
    /// Seek to the next track in s.
    pub seek_track_s: f64,
    /// Mean seek over all pairs of cylinders in s.
    pub seek_average_s: f64,
    /// Seek over the full stroke in s.
    pub seek_full_s: f64,
    /// What a write settles longer, in s.
    pub write_settle_s: f64,
    /// Processing of a command in s.
    pub command_s: f64,
    /// What the answer to a write from the cache takes beyond that, in s.
    pub cached_write_s: f64,
    /// Share of the moves of the arm that miss the sector and take a revolution more, 0 to below 1.
    pub missed_revolution: f64,
    /// Commands that the disk takes at once, at least 1.
    pub tags: usize,
    /// Entries of 64 KiB of its write cache; 0 where that is off.
    pub cache_entries: usize,
    /// Bytes read ahead of a stream; 0: none.
    pub read_ahead_bytes: f64,
    /// Segments of its buffer, at least 1.
    pub read_segments: usize,
}

/// Streams on a disk.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Streams {
    /// The disk.
    pub disk: Disk,
    /// First byte of each stream on the disk, ascending, at least one.
    pub starts: Vec<f64>,
    /// Commands that each has outstanding, at least 1.
    pub outstanding: usize,
    /// Whether streams send in turn, whoever was answered, and have so many outstanding together: a cache before the disk
    /// gathers what they write.
    #[serde(default)]
    pub in_turn: bool,
    /// Commands of a stream in its turn, at least 1: as many as what the cache takes at once of it makes whole.
    #[serde(default = "one")]
    pub run: usize,
    /// Commands that are sent to the disk at once, at least 1: those beyond wait for one that is answered. None: any number.
    #[serde(default)]
    pub commands: Option<usize>,
    /// Processor cores that begin with them: the order in which the first commands come is long kept.
    pub cores: usize,
    /// Bytes of a command.
    pub bytes: f64,
    /// Bytes from the end of one to the beginning of the next of its stream, such as parity.
    #[serde(default)]
    pub gap_bytes: f64,
    /// Share of reads, 0 to 1.
    pub read_share: f64,
    /// Seconds from the answer to a command until the next of its stream has come to the disk, or its data to who has sent
    /// it for readers.
    pub way_s: f64,
    /// By how much the answer to a read takes longer on it, with its data, than that to a write, in seconds.
    #[serde(default)]
    pub read_back_s: f64,
    /// The part of it for which a read passes a link that it need not wait for: while more of it passes the head, all but the
    /// first page leaves over it.
    #[serde(default)]
    pub link_s: f64,
    /// Whether reads and writes pass it by turns.
    #[serde(default)]
    pub link_shared: bool,
    /// By how much a write takes longer on it to the disk, with its data, than a read, in seconds.
    #[serde(default)]
    pub write_out_s: f64,
    /// Readers for whom the commands fetch ahead: they decide what is outstanding.
    #[serde(default)]
    pub readers: Option<Readers>,
}

fn one() -> usize {
    1
}

impl Streams {
    /// What is wrong with it.
    pub fn problem(&self) -> Option<String> {
        let disk = &self.disk;
        let least = |name: &str, value: usize| (value == 0).then(|| format!("{name} is 0: give 1 or more"));
        let more = |name: &str, value: f64| {
            (!(value > 0.0 && value.is_finite())).then(|| format!("{name} is {value}: give more than 0"))
        };
        least("starts", self.starts.len())
            .or_else(|| least("outstanding", self.outstanding))
            .or_else(|| least("run", self.run))
            .or_else(|| least("commands", self.commands.unwrap_or(1)))
            .or_else(|| least("tags", disk.tags))
            .or_else(|| more("bytes", self.bytes))
            .or_else(|| more("capacity_bytes", disk.capacity_bytes))
            .or_else(|| more("revolution_s", disk.revolution_s))
            .or_else(|| more("inner_bytes_s", disk.inner_bytes_s))
            .or_else(|| more("outer_bytes_s", disk.outer_bytes_s))
            .or_else(|| {
                let readers = self.readers.as_ref()?;
                let reads =
                    least("outstanding", readers.outstanding).or_else(|| more("bytes", readers.bytes));
                reads
                    .or_else(|| more("way_s", readers.way_s))
                    .or_else(|| more("ahead", readers.ahead))
            })
    }

    /// Commands answered per second.
    pub fn rate_s(&self) -> f64 {
        let mut reckoning = Reckoning::new(self);
        let begins = self.begins();
        while reckoning.answered < begins {
            reckoning.step();
        }
        let (begun, answered) = (reckoning.now, reckoning.answered);
        while reckoning.answered < answered + COMMANDS {
            reckoning.step();
        }
        (reckoning.answered - answered) as f64 / (reckoning.now - begun)
    }

    /// Commands answered before what counts: as many as the disk could read in the turns of several streams.
    fn begins(&self) -> usize {
        let turn_s = OVERDUE_REVOLUTIONS * self.disk.revolution_s;
        let turns = match self.starts.len() {
            1 => 0.0,
            _ => TURNS * turn_s * self.disk.outer_bytes_s / self.bytes,
        };
        (turns as usize).clamp(COMMANDS, MOST_COMMANDS)
    }
}
