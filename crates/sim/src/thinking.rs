//! Think time: after every n accesses a worker leaves its target alone for a while.

use iodyno_load::request::Profile;

use crate::time::Ps;

/// The think time of a worker on a target: it issues n accesses, waits until all of them are complete, and
/// then for the think time. So do the engine's workers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thinking {
    every: u64,
    span: Ps,
    /// Accesses issued since the last think time.
    issued: u64,
    in_flight: u64,
}

impl Thinking {
    /// What a profile asks for; none where it asks for no think time.
    pub(crate) fn of(profile: &Profile) -> Option<Self> {
        (profile.think_time_us > 0).then(|| Self {
            every: profile.think_every,
            span: Ps::from_ns(profile.think_time_us * 1000),
            issued: 0,
            in_flight: 0,
        })
    }

    /// Whether another access may be issued before the worker thinks.
    pub(crate) fn may_issue(&self) -> bool {
        self.issued < self.every
    }

    /// An access is issued.
    pub(crate) fn issued(&mut self) {
        self.issued += 1;
        self.in_flight += 1;
    }

    /// A sync is issued.
    pub(crate) fn sync_issued(&mut self) {
        self.in_flight += 1;
    }

    /// An access or sync is complete, and a sync is owed or not: how long the worker thinks now, where it was the last of
    /// its turn.
    pub(crate) fn ended(&mut self, owed: bool) -> Option<Ps> {
        self.in_flight -= 1;
        let thinks = self.in_flight == 0 && !self.may_issue() && !owed;
        if thinks {
            self.issued = 0;
        }
        thinks.then_some(self.span)
    }
}
