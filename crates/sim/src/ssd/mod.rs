//! A solid state drive: firmware, write buffer, dies, data path, garbage collection.

use crate::calendar::Calendar;
use crate::drive::{Done, DriveOp, StationSums, Usage};
use crate::system::SsdModel;
use crate::time::Ps;

/// A solid state drive.
#[derive(Debug)]
pub struct Ssd {
    #[expect(dead_code)]
    model: SsdModel,
}

impl Ssd {
    /// A solid state drive that answers to events of drive `which`; `usage` is what the load does with it,
    /// `seed` the seed of its draws.
    pub fn new(model: &SsdModel, _usage: Usage, _which: u16, _seed: u64) -> Self {
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
