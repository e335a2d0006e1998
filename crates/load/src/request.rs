//! What an engine or a simulator is asked: a point, with every choice made.

mod point;
mod problems;

use serde::Deserialize;

pub use point::{Load, Point};
pub use problems::problems;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataPattern {
    /// New, incompressible bytes for each block.
    Incompressible,
    /// One incompressible block again and again.
    Repeated,
    /// Zeros.
    Zeros,
}

/// A block size and how often it is drawn.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Block {
    /// Block size in bytes, above 0.
    pub bytes: u32,
    /// Weight among the blocks, above 0.
    pub weight: f64,
}

/// Where random accesses go.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Distribution {
    /// Everywhere alike.
    #[default]
    Uniform,
    /// P(rank) is proportional to 1 / rank^theta; each rank has a place of chance.
    Zipf {
        /// Theta, above 0.
        parameter: f64,
    },
    /// The share h of the blocks gets the share 1 - h of the accesses, and so on within it.
    Pareto {
        /// h, between 0 and 1.
        parameter: f64,
    },
    /// Ranks by a normal law about the middle one; each rank has a place of chance.
    Normal {
        /// Standard deviation as a share of the ranks, above 0 to 1.
        parameter: f64,
    },
    /// Shares of the accesses on shares of the range.
    Zones {
        /// Zones from the beginning of the area on, at least one of them accessed.
        zones: Vec<Zone>,
    },
    /// Each block once before any again.
    Permutation,
}

/// A stretch of the area with accesses of its own.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Zone {
    /// Share of the random accesses, 0 to 1.
    pub accesses: f64,
    /// Share of the area, above 0 to 1.
    pub range: f64,
}

/// Which cursors sequential accesses follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cursors {
    /// One for all, unless reads and writes go different ways.
    #[default]
    Shared,
    /// Writes one, what does not write another.
    Own,
}

/// Which part of the area a worker accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkersArea {
    /// All workers the whole area, each with a cursor of its own.
    #[default]
    Shared,
    /// Each worker an equal part of it.
    Own,
    /// All workers together one sequential stream.
    Stream,
}

/// The main figure of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownAs {
    /// IO/s.
    TransactionRate,
    /// MB/s.
    Throughput,
}

/// A load profile.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Profile {
    /// Share of accesses at a random offset, 0 to 1.
    pub random_share: f64,
    /// The same of writes, 0 to 1; none: they have the others'.
    #[serde(default)]
    pub write_random_share: Option<f64>,
    /// Of so many accesses of a worker to a target, at least 1, the first alone can be random: with its share.
    #[serde(default = "one")]
    pub random_every: u64,
    /// Bytes between the end of an access and a sequential one behind it; below 0 it begins so far before that end.
    #[serde(default)]
    pub gap_bytes: i64,
    /// Which cursors sequential accesses follow.
    #[serde(default)]
    pub cursors: Cursors,
    /// Share of accesses that read, 0 to 1.
    pub read_share: f64,
    /// Block sizes with weights, at least one.
    pub blocks: Vec<Block>,
    /// Block sizes of writes, where they are not those of `blocks`; none: they are.
    #[serde(default)]
    pub write_blocks: Vec<Block>,
    /// Random offsets are multiples of this, in bytes.
    pub alignment_bytes: u64,
    /// The same of writes; none: they have the others'.
    #[serde(default)]
    pub write_alignment_bytes: Option<u64>,
    /// Where random accesses go.
    #[serde(default)]
    pub distribution: Distribution,
    /// Where random writes go; none: where the others do.
    #[serde(default)]
    pub write_distribution: Option<Distribution>,
    /// What is written.
    pub data: DataPattern,
    /// Share of each block that compresses away, 0 to 1.
    #[serde(default)]
    pub data_compressible_share: f64,
    /// Share of the blocks that are copies of earlier ones, 0 to 1.
    #[serde(default)]
    pub data_duplicate_share: f64,
    /// The main figure.
    pub shown_as: ShownAs,
    /// Share of accesses that trim, 0 to 1; `read_share` is of the others.
    #[serde(default)]
    pub trim_share: f64,
    /// A worker's fsync of a target after so many writes; 0: never.
    #[serde(default)]
    pub fsync_every: u64,
    /// A worker's fdatasync of a target after so many writes; 0: never.
    #[serde(default)]
    pub fdatasync_every: u64,
    /// Think time of a worker on a target in µs; 0: none.
    #[serde(default)]
    pub think_time_us: u64,
    /// Accesses of a worker to a target before each think time, at least 1.
    #[serde(default = "one")]
    pub think_every: u64,
}

fn one() -> u64 {
    1
}

/// Greatest common divisor (Euclid).
fn common_divisor(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => common_divisor(other, one % other),
    }
}

impl Profile {
    /// Whether any access writes.
    pub fn writes(&self) -> bool {
        self.read_share < 1.0 && self.trim_share < 1.0
    }

    /// Whether any access trims.
    pub fn trims(&self) -> bool {
        self.trim_share > 0.0
    }

    /// Whether syncs follow writes.
    pub fn syncs(&self) -> bool {
        self.fsync_every > 0 || self.fdatasync_every > 0
    }

    /// Whether any access reads.
    pub fn reads(&self) -> bool {
        self.read_share > 0.0 && self.trim_share < 1.0
    }

    /// Block sizes with weights of writes, or of what does not write: reads and trims.
    pub fn blocks_of(&self, write: bool) -> &[Block] {
        if write && !self.write_blocks.is_empty() {
            return &self.write_blocks;
        }
        &self.blocks
    }

    /// Mean size of writes in bytes, or of what does not write.
    pub fn mean_bytes_of(&self, write: bool) -> f64 {
        let blocks = self.blocks_of(write);
        let weight: f64 = blocks.iter().map(|block| block.weight).sum();
        let sized = blocks.iter().map(|block| f64::from(block.bytes) * block.weight);
        sized.sum::<f64>() / weight
    }

    /// What random offsets of writes are multiples of, in bytes, or those of what does not write.
    pub fn alignment_of(&self, write: bool) -> u64 {
        let own = self.write_alignment_bytes.filter(|_| write);
        own.unwrap_or(self.alignment_bytes)
    }

    /// Share of writes at a random offset, or of what does not write, 0 to 1.
    pub fn random_of(&self, write: bool) -> f64 {
        let own = self.write_random_share.filter(|_| write);
        own.unwrap_or(self.random_share)
    }

    /// Share of writes whose offset is drawn, or of what does not write, 0 to 1: not all have their turn.
    pub fn drawn_of(&self, write: bool) -> f64 {
        self.random_of(write) / self.random_every as f64
    }

    /// Where random writes go, or what does not write.
    pub fn distribution_of(&self, write: bool) -> &Distribution {
        let own = self.write_distribution.as_ref().filter(|_| write);
        own.unwrap_or(&self.distribution)
    }

    /// Whether each direction has a sequence of its own: writes go another way than what does not write, or follow
    /// a cursor of their own.
    pub fn own_sequences(&self) -> bool {
        self.cursors == Cursors::Own
            || self.random_of(true) != self.random_of(false)
            || self.distribution_of(true) != self.distribution_of(false)
    }

    /// Writes alone, or what does not write, as reads alone; what is all sequential has no distribution.
    pub fn way_of(&self, write: bool) -> Self {
        let random_share = self.random_of(write);
        let distribution = match random_share {
            0.0 => Distribution::Uniform,
            _ => self.distribution_of(write).clone(),
        };
        Self {
            random_share,
            write_random_share: None,
            random_every: if random_share > 0.0 { self.random_every } else { 1 },
            cursors: Cursors::Shared,
            read_share: f64::from(u8::from(!write)),
            blocks: self.blocks_of(write).to_vec(),
            write_blocks: Vec::new(),
            alignment_bytes: self.alignment_of(write),
            write_alignment_bytes: None,
            distribution,
            write_distribution: None,
            trim_share: 0.0,
            ..self.clone()
        }
    }

    /// Bytes of an area of so many that writes go to in the long run, or what does not write: blocks may leave gaps between
    /// them, and zones may never be accessed. Where it is not clear, all of it.
    pub fn accessed_of(&self, write: bool, length: u64) -> u64 {
        let largest = f64::from(self.largest_of(write));
        let (zoned, dense) = match self.random_of(write) {
            1.0 => {
                let zoned = match self.distribution_of(write) {
                    Distribution::Zones { zones } => {
                        let accessed = zones.iter().filter(|zone| zone.accesses > 0.0);
                        accessed.map(|zone| zone.range).sum()
                    }
                    _ => 1.0,
                };
                (zoned, largest / self.alignment_of(write) as f64)
            }
            // Each pass begins where the one before began.
            0.0 if self.gap_bytes > 0 && self.blocks_of(write).len() == 1 && !self.own_sequences() => {
                (1.0, largest / (largest + self.gap_bytes as f64))
            }
            _ => (1.0, 1.0),
        };
        (length as f64 * f64::min(zoned, 1.0) * f64::min(dense, 1.0)) as u64
    }

    /// Largest block of writes in bytes, or of what does not write.
    pub fn largest_of(&self, write: bool) -> u32 {
        let sizes = self.blocks_of(write).iter().map(|block| block.bytes);
        sizes.max().expect("a profile has a block")
    }

    /// Largest block in bytes.
    pub fn largest_block_bytes(&self) -> u32 {
        self.largest_of(false).max(self.largest_of(true))
    }

    /// What zones and the areas of workers begin and end at multiples of, in bytes: the least that both
    /// alignments divide.
    pub fn grain_bytes(&self) -> u64 {
        let (one, other) = (self.alignment_of(false), self.alignment_of(true));
        assert!(one > 0 && other > 0, "an alignment of 0");
        one / common_divisor(one, other) * other
    }
}

/// A target and the area of it that is accessed.
#[derive(Clone, Debug, Deserialize)]
pub struct Target {
    /// Absolute path of the file or block device.
    pub path: String,
    /// What it is.
    pub kind: TargetKind,
    /// Start of the area in bytes.
    pub area_start_bytes: u64,
    /// Length of the area in bytes.
    pub area_length_bytes: u64,
}

/// What a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A regular file.
    File,
    /// A block device.
    Device,
    /// A volume of a virtual system; its path is the volume's name.
    Virtual,
}

/// Which engine is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineChoice {
    /// The best that this machine allows.
    Auto,
    /// A ring a worker.
    IoUring,
    /// The kernel's asynchronous I/O.
    Aio,
    /// pread and pwrite, a thread for each outstanding I/O.
    Sync,
    /// Nothing: the cost of the engine itself.
    Null,
    /// The kernel's ring without a device: the cost of the way to the kernel and back.
    Nop,
    /// No engine: the system is simulated.
    Simulator,
    /// No engine: the system is calculated as a closed network.
    Analytic,
}

/// How arrivals are spaced where a rate is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrival {
    /// Equal distances.
    Fixed,
    /// Exponential distances.
    Poisson,
}

/// When the measurement ends.
#[derive(Clone, Debug, Deserialize)]
pub struct Stopping {
    /// Seconds of load before anything is counted.
    pub warmup_s: f64,
    /// Least measured seconds before the rule may stop.
    pub floor_s: f64,
    /// Most measured seconds.
    pub cap_s: f64,
    /// Half-width of the interval to reach, as a share of the mean.
    pub precision: f64,
    /// Confidence of the interval.
    pub confidence: f64,
    /// I/Os before anything is counted, where the target is virtual.
    #[serde(default)]
    pub warmup_ios: Option<u64>,
    /// Least counted I/Os before the rule may stop, where the target is virtual.
    #[serde(default)]
    pub floor_ios: Option<u64>,
    /// Most counted I/Os, where the target is virtual.
    #[serde(default)]
    pub cap_ios: Option<u64>,
}
