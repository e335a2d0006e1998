//! What goes into a drive or a controller and comes out of it, whatever its kind.

use crate::spent::{Place, Spent};
use crate::station::Sums;
use crate::time::Ps;

/// What a load does with a drive: what the state of an SSD's flash follows from, and the reach of a disk's arm.
#[derive(Clone, Debug)]
pub struct Usage {
    /// Bytes of the drive that the load accesses.
    pub accessed_bytes: u64,
    /// Bytes of these that writes and trims go to in the long run, in whole pages that an SSD maps: blocks at multiples of
    /// more than their size leave what lies between them as it is.
    pub overwritten_bytes: u64,
    /// Share of the writes at a random place, 0 to 1.
    pub random_write_share: f64,
    /// Share of the overwritten bytes that hold data, above 0 to 1: the others are trimmed.
    pub valid_share: f64,
    /// Streams in which the load writes where it writes none at random; 0 where it does.
    pub write_streams: u32,
    /// Where on the drive each load writes, at random and everywhere alike. None where one of them does not, or where a
    /// controller's cache puts the writes in order.
    pub written: Vec<Written>,
}

/// Where a load writes on a drive at random.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// First byte and length of each part, to all of which equally many writes go.
    pub parts: Vec<(u64, u64)>,
    /// Writes of the load, in any time that is the same for all loads.
    pub writes: f64,
}

/// What a load moves while all loads run, in bytes of any time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    pub(crate) written: f64,
    pub(crate) trimmed: f64,
}

/// An operation on one drive. A write of nothing is a trim, or a flush: that is done when all that was answered before is
/// where a loss of power leaves it.
#[derive(Clone, Copy, Debug)]
pub struct DriveOp {
    /// The caller's number for it, given back when done. Unique among the drive's operations under way.
    pub token: u32,
    /// Whether it writes.
    pub write: bool,
    /// Whether it trims: which blocks does not matter, so it has no length.
    pub trim: bool,
    /// Offset on the drive in bytes.
    pub offset: u64,
    /// Length in bytes; of a read above 0.
    pub bytes: u32,
    /// For how long the drive may pass it over for others, in µs; 0: for as long as it does by itself.
    pub limit_us: u32,
}

impl DriveOp {
    /// First byte, and the one behind the last.
    #[inline]
    pub fn range(&self) -> (u64, u64) {
        (self.offset, self.offset + u64::from(self.bytes))
    }

    /// Whether it is a flush.
    pub fn is_flush(&self) -> bool {
        self.write && !self.trim && self.bytes == 0
    }
}

/// An operation that a drive has finished.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// The number that the caller gave it.
    pub token: u32,
    /// When: no earlier than the present moment; the data of a read leaves the drive then.
    pub at: Ps,
    /// For how long before that its data has been coming out of the drive: a link need not wait for the end.
    pub flowing: Ps,
    /// Time spent inside the drive.
    pub inside: Inside,
}

/// Time that an operation spent inside a drive, by place.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// At [`Place::DriveFront`].
    pub front: Ps,
    /// At [`Place::DriveRoom`].
    pub room: Ps,
    /// At [`Place::DriveMedia`].
    pub media: Ps,
}

impl Inside {
    /// All of it.
    pub fn total(&self) -> Ps {
        self.front + self.room + self.media
    }

    /// Count it among what was spent elsewhere.
    #[inline]
    pub fn add_to(&self, spent: &mut Spent) {
        spent.add(Place::DriveFront, self.front);
        spent.add(Place::DriveRoom, self.room);
        spent.add(Place::DriveMedia, self.media);
    }
}

/// A station inside a drive, controller or host, as the reading shows it.
#[derive(Clone, Debug)]
pub struct StationSums {
    /// Short name: `dies`, `data path`, `mechanics`.
    pub name: &'static str,
    /// Where its part of a latency is counted.
    pub place: Place,
    /// Servers of the station.
    pub servers: usize,
    /// Whether it is room and no server: see [`crate::room::Room`].
    pub room: bool,
    /// Sums since the beginning.
    pub sums: Sums,
}

/// An I/O of the host on a logical drive; a write of nothing is a flush.
#[derive(Clone, Copy, Debug)]
pub struct HostOp {
    /// The host's number for it, unique among those under way.
    pub token: u32,
    /// Index of the logical drive.
    pub logical: u16,
    /// Whether it writes.
    pub write: bool,
    /// Offset on the logical drive in bytes.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u32,
}

/// An I/O of the host that the controller has finished.
#[derive(Clone, Copy, Debug)]
pub struct HostDone {
    /// The number that the host gave it.
    pub token: u32,
    /// When: no earlier than the present moment.
    pub at: Ps,
    /// Time since it was at the controller, by place.
    pub spent: Spent,
}
