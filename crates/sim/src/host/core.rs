//! A core: a server that sleeps while it has nothing to do.

use crate::station::Server;
use crate::time::Ps;

/// A core of the host.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Core {
    pub(crate) server: Server,
    /// When it was awake last, or will be.
    awake: Ps,
}

impl Core {
    /// When the core notices an I/O that is back: at once where it works, and else when it is awake. Who is back meanwhile
    /// is noticed then as well.
    #[inline]
    pub(super) fn notices(&mut self, at: Ps, wakeup: Ps) -> Ps {
        if self.awake > at {
            return self.awake;
        }
        if wakeup == Ps::ZERO || self.server.free() > at {
            return at;
        }
        self.awake = at + wakeup;
        self.server.hold(self.awake);
        self.awake
    }
}
