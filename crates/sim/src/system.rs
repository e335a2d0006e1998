//! What is simulated: a system with every choice made and every number resolved, as JSON from
//! `iodyno.virtual`. Spans are integers in ps, sizes in bytes, rates in bytes per second.

use serde::Deserialize;

use crate::time::Ps;

/// A host with links, switches, controllers, drives, and the volumes that a load accesses.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Short name, for stations and errors.
    pub name: String,
    /// The host that the workers run on.
    pub host: Host,
    /// Links, named by index in paths.
    pub links: Vec<Link>,
    /// Switches, named by index in paths.
    pub switches: Vec<Switch>,
    /// Controllers with a processor of their own.
    pub controllers: Vec<Controller>,
    /// Drives, named by index everywhere.
    pub drives: Vec<DriveSlot>,
    /// What the targets of a point stand for: a target's path is a volume's name.
    pub volumes: Vec<Volume>,
}

/// The host: what it costs to issue and complete an I/O is told by the volume, because it depends
/// on the software in between.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Cores that workers run on, 1 or more: worker w runs on core w mod cores.
    pub cores: usize,
    /// What a core that has nothing to do needs to wake up: added to an I/O that completes on an idle core.
    pub wakeup_ps: Ps,
}

/// Processor time of an operation.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CpuCost {
    /// Fixed part of a read.
    pub read_ps: Ps,
    /// Fixed part of a write.
    pub write_ps: Ps,
    /// For each KiB.
    pub per_kib_ps: Ps,
}

impl CpuCost {
    /// Processor time of one operation.
    #[inline]
    pub fn of(&self, write: bool, bytes: u32) -> Ps {
        let fixed = if write { self.write_ps } else { self.read_ps };
        Ps(fixed.0 + self.per_kib_ps.0 * u64::from(bytes) / 1024)
    }
}

/// A link: each direction has the whole rate where it is full duplex, else they share it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// `PCIe 3.0 x4 of drive 0`.
    pub name: String,
    /// Practical rate of a direction in bytes/s, as negotiated.
    pub bytes_s: u64,
    /// Whether both directions can be used at once: SATA cannot.
    pub full_duplex: bool,
    /// Overhead of a command, on the direction of its data.
    pub command_ps: Ps,
    /// Whether it is between host and controller (or drive), or between controller and drives.
    pub side: Side,
}

/// Where a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Between the host and a controller or a directly connected drive.
    Host,
    /// Between a controller and its drives.
    Disk,
}

/// A switch: a server of commands, beside the links on both of its sides.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// Its name.
    pub name: String,
    /// Processing of a command.
    pub command_ps: Ps,
}

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hop {
    /// Index of a link.
    Link(usize),
    /// Index of a switch.
    Switch(usize),
}

/// A drive and how it is reached.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriveSlot {
    /// Name of the drive, for stations: equal drives have equal names.
    pub name: String,
    /// From the host (or from the controller that it hangs on) to the drive.
    pub path: Vec<Hop>,
    /// The drive.
    pub model: Model,
    /// How it flushes.
    #[serde(default)]
    pub flush: Flush,
    /// Commands that it takes at once, as many as are sent where there is none.
    #[serde(default)]
    pub commands: Option<u32>,
}

/// How a drive makes durable what it has answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flush {
    /// By a command like any other, or with each write that asks for it.
    #[default]
    Queued,
    /// By a command that has the drive for itself, without which no write is durable: so with SATA.
    Alone,
    /// It tells of nothing that could be lost, so the host sends it none.
    Unneeded,
}

/// What a drive is.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Model {
    /// A hard disk.
    Hdd(HddModel),
    /// A solid state drive.
    Ssd(SsdModel),
}

impl Model {
    /// Capacity in bytes.
    pub fn capacity_bytes(&self) -> u64 {
        match self {
            Self::Hdd(hdd) => hdd.capacity_bytes,
            Self::Ssd(ssd) => ssd.capacity_bytes,
        }
    }

    /// Whether its write cache is on.
    pub fn write_cache(&self) -> bool {
        match self {
            Self::Hdd(hdd) => hdd.write_cache,
            Self::Ssd(ssd) => ssd.write_cache,
        }
    }

    /// The drive where each write has to outlast a loss of power: a cache that does not is of no use then.
    pub fn durable(&self) -> Self {
        match self {
            Self::Hdd(hdd) => Self::Hdd(HddModel {
                write_cache: false,
                ..hdd.clone()
            }),
            Self::Ssd(ssd) => Self::Ssd(SsdModel {
                write_cache: false,
                ..ssd.clone()
            }),
        }
    }
}

/// A hard disk.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HddModel {
    /// Capacity in bytes.
    pub capacity_bytes: u64,
    /// One revolution.
    pub revolution_ps: Ps,
    /// Recording surfaces: tracks of a cylinder.
    pub heads: u32,
    /// Media rate of the outermost zone in bytes/s, gaps and switches of heads included.
    pub outer_bytes_s: u64,
    /// Media rate of the innermost zone in bytes/s.
    pub inner_bytes_s: u64,
    /// Zones; rates fall linearly from the outermost to the innermost.
    pub zones: u32,
    /// Seek to the next track.
    pub seek_track_ps: Ps,
    /// Average seek: the mean over all pairs of cylinders.
    pub seek_average_ps: Ps,
    /// Seek over the full stroke.
    pub seek_full_ps: Ps,
    /// What a write settles longer than a read.
    pub write_settle_ps: Ps,
    /// Command processing.
    pub command_ps: Ps,
    /// Probability of missing the sector after a move of the arm and waiting for a whole revolution, 0 to below 1.
    pub missed_revolution: f64,
    /// Commands that the drive takes at once and orders: 32 for SATA, 64 or more for SAS.
    pub tags: u32,
    /// Whether writes are answered from the cache (drive cache on).
    pub write_cache: bool,
    /// Writes of up to 64 KiB that the cache holds at most, where it is on; longer ones take several entries. Their memory, whether or
    /// not it is on, has what was written last.
    pub write_cache_entries: u32,
    /// What the answer to a write from the cache takes beyond the command: a delay that occupies nobody.
    pub cached_write_ps: Ps,
    /// Bytes read ahead of a sequential stream; 0: no read-ahead.
    pub read_ahead_bytes: u64,
    /// Segments of the buffer, each for what is read and read ahead of one stream, 1 or more; and the most for what was written.
    pub read_segments: u32,
}

/// A solid state drive.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SsdModel {
    /// Capacity in bytes, as the host sees it.
    pub capacity_bytes: u64,
    /// Spare flash as a share of the capacity: 0.28 is 28 % over-provisioning.
    pub spare_share: f64,
    /// Share of the capacity that holds valid data outside the accessed area: 1 filled, 0 trimmed.
    pub filled_share: f64,
    /// Firmware time of a read command: one server for both.
    pub command_read_ps: Ps,
    /// Firmware time of a write command.
    pub command_write_ps: Ps,
    /// What a read takes beyond all stations: a delay that occupies nobody.
    pub delay_read_ps: Ps,
    /// What a buffered write takes beyond all stations.
    pub delay_write_ps: Ps,
    /// The same for each KiB: a drive fetches the data of one write with few requests under way.
    #[serde(default)]
    pub delay_write_per_kib_ps: Ps,
    /// Dies.
    pub dies: u32,
    /// What a random read is cut into, in bytes: each part is read from any die.
    pub stripe_bytes: u32,
    /// A die's time to read a part: the mean.
    pub read_ps: Ps,
    /// Consecutive bytes that a die reads at once where they were written in sequence: a page of each of its planes. Not
    /// below `stripe_bytes`, which it is where it is left out.
    #[serde(default)]
    pub read_bytes: u32,
    /// Pages of cells with several bits take differently long to read: times are uniform between
    /// 1 - spread and 1 + spread of the mean, 0 to below 1. The answer of a prefetched read varies alike.
    #[serde(default)]
    pub read_spread: f64,
    /// Bytes that a die programs at once: of a stream so many lie on one die before the next one's turn, in whole parts.
    pub program_bytes: u32,
    /// A die's time to program them, its share of erasing included.
    pub program_ps: Ps,
    /// Longest wait of a read behind a program: the drive suspends programs for reads; where it
    /// does not, as long as a program.
    pub suspend_ps: Ps,
    /// Rate of the data path between dies and interface for reads, in bytes/s.
    pub data_read_bytes_s: u64,
    /// Rate of the data path for writes, in bytes/s.
    pub data_write_bytes_s: u64,
    /// Time that the data path loses for each 4 KiB of an I/O whose direction differs from that of the I/O before.
    pub turnaround_ps: Ps,
    /// Write buffer in bytes.
    pub buffer_bytes: u64,
    /// Whether its write cache is on: see [`SsdModel::buffers`].
    pub write_cache: bool,
    /// Share of the buffer's data that a loss of power leaves: 1 where capacitors save it; below 1 a flush programs it.
    #[serde(default)]
    pub protected_share: f64,
    /// Prefetching of a single sequential stream.
    pub prefetch: Option<Prefetch>,
}

impl SsdModel {
    /// Whether writes are answered from the buffer, or when programmed: a buffer that outlasts a loss of power is no volatile
    /// cache, and what turns such a cache off leaves it on.
    pub fn buffers(&self) -> bool {
        self.write_cache || self.protected_share >= 1.0
    }
}

/// How an SSD prefetches one sequential stream of reads at one outstanding I/O.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prefetch {
    /// Most outstanding reads at which it prefetches.
    pub most_outstanding: u32,
    /// Fixed part of a prefetched read.
    pub delay_ps: Ps,
    /// Rate at which prefetched data is given, in bytes/s.
    pub bytes_s: u64,
}

/// A volume: what a target stands for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Volume {
    /// Its name: the path of the target.
    pub name: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Processor time of the worker for an I/O.
    pub cpu: CpuCost,
    /// Processor time of the worker for each operation on a member beyond the first, where the host does the RAID.
    pub child_cpu: CpuCost,
    /// What it lies on.
    pub on: On,
}

/// What a volume lies on.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum On {
    /// A drive.
    Drive {
        /// Index of the drive.
        drive: usize,
    },
    /// Drives that the host joins: operating-system RAID, or an onboard controller without processor.
    HostRaid {
        /// How.
        array: Array,
    },
    /// A logical drive of a controller.
    Logical {
        /// Index of the controller.
        controller: usize,
        /// Index of the logical drive on it.
        logical: usize,
    },
}

/// RAID levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Level {
    /// A single drive, passed through.
    #[serde(rename = "JBOD")]
    Jbod,
    /// Striping.
    #[serde(rename = "0")]
    Raid0,
    /// Mirroring.
    #[serde(rename = "1")]
    Raid1,
    /// Mirroring over an odd number: each strip on two neighbours.
    #[serde(rename = "1E")]
    Raid1E,
    /// Striping over mirrors.
    #[serde(rename = "10")]
    Raid10,
    /// One parity.
    #[serde(rename = "5")]
    Raid5,
    /// Two parities.
    #[serde(rename = "6")]
    Raid6,
    /// Striping over groups with one parity.
    #[serde(rename = "50")]
    Raid50,
    /// Striping over groups with two parities.
    #[serde(rename = "60")]
    Raid60,
}

/// Drives joined to one range.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// RAID level.
    pub level: Level,
    /// Indices of the drives, in order.
    pub drives: Vec<usize>,
    /// Groups of RAID 50 and 60; 1 for the others.
    pub groups: usize,
    /// Bytes on one drive before the next one's turn.
    pub strip_bytes: u64,
    /// How mirrors read.
    pub mirror_read: MirrorRead,
    /// Members (positions in `drives`) that have failed.
    pub failed: Vec<usize>,
    /// Rate in bytes/s at which each failed member is being rebuilt onto a spare in its place; 0: not.
    pub rebuild_bytes_s: u64,
}

impl Array {
    /// Whether its drives hold copies or parity.
    pub fn is_redundant(&self) -> bool {
        !matches!(self.level, Level::Jbod | Level::Raid0)
    }

    /// Whether failed members are being rebuilt.
    pub fn rebuilds(&self) -> bool {
        !self.failed.is_empty() && self.rebuild_bytes_s > 0
    }

    /// Bytes of a member that are rebuilt at once, equal parts of a strip, and the time between two such at the rate asked for.
    pub fn rebuild_step(&self) -> (u32, Ps) {
        let mut parts = self.strip_bytes.div_ceil(256 << 10)..;
        let parts = parts.find(|&parts| self.strip_bytes.is_multiple_of(parts));
        let bytes = self.strip_bytes / parts.expect("a strip has bytes");
        let every = u128::from(bytes) * 1_000_000_000_000 / u128::from(self.rebuild_bytes_s.max(1));
        (bytes as u32, Ps(every as u64))
    }
}

/// How mirrors read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "policy", rename_all = "snake_case")]
pub enum MirrorRead {
    /// From the first of a pair.
    Primary,
    /// From the first while it has fewer operations under way than this, then from the one that has fewest;
    /// 0: always from the one that has fewest, in turns where they are equal.
    Spread {
        /// Operations under way on the first from which on the other is used as well.
        from_outstanding: u32,
    },
    /// From the one whose arm is likely nearer, unless it has more than twice as many operations under way; the
    /// arm is known to controllers with a processor. For hard disks.
    Nearest,
}

/// A controller with a processor of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Controller {
    /// Its name.
    pub name: String,
    /// From the host to the controller.
    pub path: Vec<Hop>,
    /// Cores of its processor.
    pub cores: usize,
    /// Processor time of a host I/O on the usual path.
    pub host_io_ps: Ps,
    /// Processor time of a host I/O on the fast path: no cache is looked at, and nothing is made of it but one operation.
    pub fast_io_ps: Ps,
    /// Processor time of each operation on a drive.
    pub disk_io_ps: Ps,
    /// Processor time of a job that writes after it has read what new parity needs, beside its operations on drives.
    pub parity_write_ps: Ps,
    /// Processor time of parity for each KiB of new parity.
    pub parity_per_kib_ps: Ps,
    /// What every I/O takes beyond all stations: a delay that occupies nobody.
    pub delay_ps: Ps,
    /// Rate at which it moves data to the host, in bytes/s: at most the link's.
    pub read_bytes_s: u64,
    /// Rate at which it takes data from the host, in bytes/s: at most the link's.
    pub write_bytes_s: u64,
    /// Rate at which it takes writes to arrays with parity, in bytes/s.
    pub parity_bytes_s: u64,
    /// Cache in bytes; 0: none.
    pub cache_bytes: u64,
    /// Delay of a read that the cache, or what was read ahead, answers, beside the stations.
    pub cache_read_ps: Ps,
    /// Delay of a write that the cache answers, beside the stations.
    pub cache_write_ps: Ps,
    /// Operations that it keeps under way on one drive at most.
    pub drive_queue: u32,
    /// Its logical drives.
    pub logicals: Vec<Logical>,
}

/// A logical drive of a controller, with its settings resolved.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Logical {
    /// Its name.
    pub name: String,
    /// The drives joined.
    pub array: Array,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Whether sequential reads are read ahead: into the cache, or what the controller has in place of one.
    pub read_ahead: bool,
    /// Whether writes are answered from the cache; resolved: write-back without a flash backup unit is
    /// write-through, always write-back is write-back.
    pub write_back: bool,
    /// Whether reads fill the cache (cached) or pass it by (direct).
    pub cached_reads: bool,
    /// Whether what is one operation on one SSD takes the fast path.
    pub fast_path: bool,
}
