//! Where threads wait until all are ready, or one has failed.

use std::sync::{Condvar, Mutex};

use crate::clock::Clock;

/// What every thread begins with.
#[derive(Clone)]
pub(crate) struct Start {
    pub(crate) clock: Clock,
    /// What is active in the kernel for all of them, by name.
    pub(crate) setup: Vec<&'static str>,
}

/// A gate that opens once: to a start, or to nothing where there is none.
#[derive(Default)]
pub(crate) struct Gate {
    open: Mutex<Option<Option<Start>>>,
    opened: Condvar,
}

impl Gate {
    /// Let everybody pass.
    pub(crate) fn open(&self, start: Option<Start>) {
        *self.open.lock().expect("nobody panics with it") = Some(start);
        self.opened.notify_all();
    }

    /// Wait until it is open.
    pub(crate) fn pass(&self) -> Option<Start> {
        let gate = self.open.lock().expect("nobody panics with it");
        let gate = self.opened.wait_while(gate, |open| open.is_none());
        gate.expect("nobody panics with it").clone().expect("it is open")
    }
}
