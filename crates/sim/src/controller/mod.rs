//! A controller with a processor, a cache and logical drives: host operations go in, operations on
//! drives go out, and host operations come back done.
//!
//! What the rest relies on:
//! - [`Controller::submit`] is called at the present moment ([`Fabric::now`]), when the command (and the data of a
//!   write) is at the controller.
//! - Operations on drives leave with [`Fabric::send`] from [`Owner::Controller`] and come back through
//!   [`Controller::drive_done`], each at the moment at which it is back at the controller.
//! - Moments of its own: [`Fabric::wake`], heard in [`Controller::event`].
//! - A host operation that is finished goes into `done` with a moment no earlier than the present one; a read's
//!   data leaves for the host then. `spent` covers all of the time since `submit`, exactly.

use iodyno_load::request::Profile;

use crate::drive::StationSums;
use crate::fabric::{Fabric, Returned};
use crate::spent::Spent;
use crate::system;
use crate::time::Ps;

/// What the load does with a logical drive.
#[derive(Clone, Debug)]
pub struct LogicalUse {
    /// Index of the logical drive.
    pub logical: usize,
    /// Start of the accessed area on it in bytes.
    pub start_bytes: u64,
    /// Length of the accessed area in bytes.
    pub length_bytes: u64,
    /// The load profile.
    pub profile: Profile,
    /// Outstanding I/Os of the target in all.
    pub outstanding: usize,
}

/// An I/O of the host on a logical drive.
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

/// A controller.
#[derive(Debug)]
pub struct Controller {
    #[expect(dead_code)]
    which: u16,
}

impl Controller {
    /// The controller with index `which` of a system; `uses` is what the load does with its logical drives,
    /// `seed` the seed of its draws.
    pub fn new(_system: &system::System, which: u16, _uses: &[LogicalUse], _seed: u64) -> Self {
        Self { which }
    }

    /// Take an I/O of the host that is at the controller now.
    pub fn submit(&mut self, _op: HostOp, _fabric: &mut Fabric, _done: &mut Vec<HostDone>) {
        unimplemented!()
    }

    /// Hear an event that the controller has put in.
    pub fn event(&mut self, _token: u32, _fabric: &mut Fabric, _done: &mut Vec<HostDone>) {
        unimplemented!()
    }

    /// Take back an operation on a drive that is back now.
    pub fn drive_done(&mut self, _back: Returned, _fabric: &mut Fabric, _done: &mut Vec<HostDone>) {
        unimplemented!()
    }

    /// The stations inside, with their sums.
    pub fn stations(&self) -> Vec<StationSums> {
        Vec::new()
    }

    /// Begin the sums anew: the warm-up is over.
    pub fn reset_sums(&mut self) {}
}
