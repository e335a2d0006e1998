//! What a worker does beside plain accesses, where its profile asks for it: syncs, think time.

use iodyno_load::request::Profile;

use crate::backend::What;
use crate::syncing::Syncing;
use crate::thinking::{Thinking, Wait};

/// Syncs and think time of a worker; its threads share them.
pub(crate) struct Beside {
    syncing: Option<Syncing>,
    thinking: Option<Thinking>,
}

/// What a free slot is for.
pub(crate) enum Due {
    /// A sync that is due.
    Sync(What),
    /// The next access.
    Access,
    /// Nothing yet.
    Nothing(Wait),
}

impl Beside {
    /// What a profile asks for; none where it asks for plain accesses.
    pub(crate) fn of(profile: &Profile, targets: usize) -> Option<Self> {
        let syncing = Syncing::of(profile, targets);
        let thinking = Thinking::of(profile, targets);
        (syncing.is_some() || thinking.is_some()).then_some(Self { syncing, thinking })
    }

    /// A sync of a target that is due.
    pub(crate) fn sync_due(&self, target: usize) -> Option<What> {
        self.syncing.as_ref()?.take(target)
    }

    /// What a free slot of a target is for.
    pub(crate) fn due(&self, target: usize, now: u64) -> Due {
        let sync = || self.sync_due(target);
        let taken = match &self.thinking {
            Some(thinking) => thinking.take_sync(target, sync),
            None => sync(),
        };
        if let Some(what) = taken {
            return Due::Sync(what);
        }
        let thinking = self.thinking.as_ref();
        let wait = thinking.and_then(|thinking| thinking.wait(target, now));
        wait.map_or(Due::Access, Due::Nothing)
    }

    /// An I/O of a target has ended; whether it was a write that is complete.
    pub(crate) fn ended(&self, target: usize, written: bool, now: u64) {
        let owed = || {
            let syncing = self.syncing.as_ref();
            if let Some(syncing) = syncing.filter(|_| written) {
                syncing.written(target);
            }
            syncing.is_some_and(|syncing| syncing.is_due(target))
        };
        match &self.thinking {
            Some(thinking) => thinking.ended(target, owed, now),
            None => {
                owed();
            }
        }
    }
}
