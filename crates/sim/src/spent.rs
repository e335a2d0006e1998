//! Where an operation spent its time: the split of a latency that each result shows.

use std::ops::{Add, AddAssign, Sub};

use crate::time::{Ps, Total};

/// A kind of place where an operation waits or is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A worker's processor time: submitting, completing, operating-system RAID.
    HostCpu = 0,
    /// Links between the host and a drive or controller.
    HostLink = 1,
    /// A switch's command processing.
    Switch = 2,
    /// A controller's processor.
    ControllerCpu = 3,
    /// The memory of a controller's cache.
    ControllerCache = 4,
    /// Waiting for room in a controller's write cache.
    ControllerRoom = 5,
    /// Links between a controller and its drives.
    DiskLink = 6,
    /// A drive's own command processing.
    DriveFront = 7,
    /// Waiting for room in a drive's write buffer or write cache.
    DriveRoom = 8,
    /// Dies and channels, or seek, rotation and media transfer.
    DriveMedia = 9,
}

/// Number of places.
pub const PLACES: usize = 10;

/// Names of the places in the order of their numbers, as the reading gives them.
pub const PLACE_NAMES: [&str; PLACES] = [
    "host_cpu",
    "host_link",
    "switch",
    "controller_cpu",
    "controller_cache",
    "controller_room",
    "disk_link",
    "drive_front",
    "drive_room",
    "drive_media",
];

/// Time spent by place, waiting and service together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent(pub [Ps; PLACES]);

impl Spent {
    /// Spend time at a place.
    #[inline]
    pub fn add(&mut self, place: Place, span: Ps) {
        self.0[place as usize] += span;
    }

    /// All of it.
    pub fn total(&self) -> Ps {
        self.0.iter().copied().sum()
    }
}

impl Add for Spent {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        for (sum, part) in self.0.iter_mut().zip(other.0) {
            *sum += part;
        }
    }
}

/// What many operations spent, by place.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpentByAll(pub [Total; PLACES]);

impl SpentByAll {
    /// All of it.
    pub fn total(&self) -> Total {
        self.0.iter().copied().sum()
    }
}

impl AddAssign<&Spent> for SpentByAll {
    #[inline]
    fn add_assign(&mut self, one: &Spent) {
        for (sum, part) in self.0.iter_mut().zip(one.0) {
            *sum += part;
        }
    }
}

impl Sub for SpentByAll {
    type Output = Self;
    fn sub(mut self, before: Self) -> Self {
        for (span, before) in self.0.iter_mut().zip(before.0) {
            *span = *span - before;
        }
        self
    }
}
