//! When a worker makes its writes to a target durable: after every n of them.

use std::sync::atomic::{AtomicU64, Ordering};

use iodyno_load::request::Profile;

use crate::backend::What;

/// Counts the completed writes of a worker; its threads share it.
///
/// A sync is due when the n-th write is complete: so it makes n writes durable, however many
/// are outstanding. It takes the place of one I/O and is timed like one.
pub(crate) struct Syncing {
    every: u64,
    what: What,
    /// By target.
    counts: Vec<Counts>,
}

#[derive(Default)]
struct Counts {
    /// Writes that are complete, since the beginning.
    written: AtomicU64,
    /// Syncs that are due.
    due: AtomicU64,
}

impl Syncing {
    /// What a profile asks for; none where it asks for no syncs.
    pub(crate) fn of(profile: &Profile, targets: usize) -> Option<Self> {
        let (every, what) = match (profile.fsync_every, profile.fdatasync_every) {
            (0, 0) => return None,
            (0, every) => (every, What::Fdatasync),
            (every, _) => (every, What::Fsync),
        };
        Some(Self {
            every,
            what,
            counts: (0..targets).map(|_| Counts::default()).collect(),
        })
    }

    /// A write to a target is complete.
    pub(crate) fn written(&self, target: usize) {
        let counts = &self.counts[target];
        if (counts.written.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(self.every) {
            counts.due.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether a sync of a target is due.
    pub(crate) fn is_due(&self, target: usize) -> bool {
        self.counts[target].due.load(Ordering::Relaxed) > 0
    }

    /// Take a sync of a target that is due.
    pub(crate) fn take(&self, target: usize) -> Option<What> {
        let less = |due: u64| due.checked_sub(1);
        let due = &self.counts[target].due;
        let taken = due.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.is_ok().then_some(self.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made::profile;

    #[test]
    fn a_profile_gets_the_call_that_it_names() {
        let of = |fsync_every, fdatasync_every| {
            let mut profile = profile(0.0);
            (profile.fsync_every, profile.fdatasync_every) = (fsync_every, fdatasync_every);
            Syncing::of(&profile, 1).map(|syncing| (syncing.every, syncing.what))
        };
        assert!(of(0, 0).is_none());
        assert!(matches!(of(3, 0), Some((3, What::Fsync))));
        assert!(matches!(of(0, 5), Some((5, What::Fdatasync))));
    }

    #[test]
    fn a_sync_is_due_after_every_third_write_of_its_target() {
        let syncing = Syncing {
            every: 3,
            what: What::Fdatasync,
            counts: (0..2).map(|_| Counts::default()).collect(),
        };
        for round in 0..9 {
            assert_eq!(syncing.take(0).is_some(), round > 0 && round % 3 == 0, "{round}");
            syncing.written(0);
            assert!(!syncing.is_due(1));
        }
        assert!(matches!(syncing.take(0), Some(What::Fdatasync)));
        assert!(syncing.take(0).is_none());
    }
}
