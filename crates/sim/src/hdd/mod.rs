//! A hard disk: seek, rotation, zones, tag queue, caches.

use crate::calendar::Calendar;
use crate::drive::{Done, DriveOp, StationSums, Usage};
use crate::system::HddModel;
use crate::time::Ps;

/// A hard disk.
#[derive(Debug)]
pub struct Hdd {
    #[expect(dead_code)]
    model: HddModel,
}

impl Hdd {
    /// A hard disk that answers to events of drive `which`; `usage` is what the load does with it,
    /// `seed` the seed of its draws.
    pub fn new(model: &HddModel, _usage: Usage, _which: u16, _seed: u64) -> Self {
        Self { model: model.clone() }
    }

    /// See [`crate::drive::Drive::submit`].
    pub fn submit(&mut self, _op: DriveOp, _arrival: Ps, _calendar: &mut Calendar, _done: &mut Vec<Done>) {
        unimplemented!()
    }

    /// See [`crate::drive::Drive::event`].
    pub fn event(&mut self, _token: u32, _calendar: &mut Calendar, _done: &mut Vec<Done>) {
        unimplemented!()
    }

    /// See [`crate::drive::Drive::stations`].
    pub fn stations(&self) -> Vec<StationSums> {
        Vec::new()
    }

    /// See [`crate::drive::Drive::reset_sums`].
    pub fn reset_sums(&mut self) {}
}
