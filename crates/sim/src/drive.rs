//! A drive of either kind: operations go in, and come back done.

mod unqueued;

use crate::calendar::Calendar;
use crate::hdd::Hdd;
use crate::operation::{Done, DriveOp, StationSums};
use crate::ssd::Ssd;
use crate::time::Ps;
pub use unqueued::Unqueued;

/// A drive of either kind.
#[derive(Debug)]
pub enum Drive {
    /// A hard disk.
    Hdd(Box<Hdd>),
    /// A solid state drive.
    Ssd(Box<Ssd>),
    /// One of both whose flushes are no queued commands.
    Unqueued(Box<Unqueued>),
}

impl Drive {
    /// Take an operation whose command (and data, where it writes) is at the drive at `arrival`, now or
    /// later, in order of arrival.
    #[inline]
    pub fn submit(&mut self, op: DriveOp, arrival: Ps, calendar: &mut Calendar, done: &mut Vec<Done>) {
        match self {
            Self::Hdd(hdd) => hdd.submit(op, arrival, calendar),
            Self::Ssd(ssd) => ssd.submit(op, arrival, calendar, done),
            Self::Unqueued(drive) => drive.submit(op, arrival, calendar, done),
        }
    }

    /// Hear an event that the drive has put in.
    #[inline]
    pub fn event(&mut self, token: u32, calendar: &mut Calendar, done: &mut Vec<Done>) {
        match self {
            Self::Hdd(hdd) => hdd.event(token, calendar, done),
            Self::Ssd(ssd) => ssd.event(token, calendar, done),
            Self::Unqueued(drive) => drive.event(token, calendar, done),
        }
    }

    /// The stations inside, with their sums up to a moment: what is reserved for later is left out.
    pub fn stations(&self, now: Ps) -> Vec<StationSums> {
        match self {
            Self::Hdd(hdd) => hdd.stations(now),
            Self::Ssd(ssd) => ssd.stations(now),
            Self::Unqueued(drive) => drive.stations(now),
        }
    }
}
