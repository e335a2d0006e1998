//! Syncs: after every n writes that a worker has completed on a target it makes them durable.

use iodyno_load::request::Profile;

/// The syncs of a worker on a target. One is due when the n-th write is complete and takes the place of one I/O: so
/// do the engine's. A volume is no file system: fsync and fdatasync are one here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Syncing {
    every: u64,
    /// Writes since the last sync became due.
    written: u64,
    due: u64,
}

impl Syncing {
    /// What a profile asks for; none where it asks for no syncs.
    pub(crate) fn of(profile: &Profile) -> Option<Self> {
        profile.syncs().then(|| Self {
            every: profile.fsync_every.max(profile.fdatasync_every),
            written: 0,
            due: 0,
        })
    }

    /// A write is complete.
    pub(crate) fn written(&mut self) {
        self.written += 1;
        if self.written == self.every {
            (self.written, self.due) = (0, self.due + 1);
        }
    }

    /// Whether a sync is due.
    pub(crate) fn is_due(&self) -> bool {
        self.due > 0
    }

    /// Take a sync that is due: whether one was.
    pub(crate) fn take(&mut self) -> bool {
        let due = self.is_due();
        self.due -= u64::from(due);
        due
    }
}
