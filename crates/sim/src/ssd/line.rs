//! A server whose sums leave out what is reserved for later, so that a saturated one is busy all of the
//! time and never longer.

use crate::station::{Server, Sums};
use crate::time::Ps;

/// A server, and since when or from when on it is busy without a break.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    server: Server,
    from: Ps,
}

impl Line {
    /// Serve a job that arrives at a moment no earlier than the job before; gives the end of service.
    #[inline]
    pub(super) fn serve(&mut self, arrival: Ps, service: Ps) -> Ps {
        if arrival > self.server.free() {
            self.from = arrival;
        }
        self.server.serve(arrival, service)
    }

    /// Sums since the last reset, without what is reserved beyond `now`.
    pub(super) fn sums(&self, now: Ps) -> Sums {
        let sums = self.server.sums;
        Sums {
            busy: sums.busy.since(self.reserved(now)),
            ..sums
        }
    }

    /// Begin the sums anew with what is reserved beyond `now`.
    pub(super) fn reset_sums(&mut self, now: Ps) {
        self.server.sums = Sums {
            busy: self.reserved(now),
            ..Sums::default()
        };
    }

    fn reserved(&self, now: Ps) -> Ps {
        self.server.free().since(now.max(self.from))
    }
}
