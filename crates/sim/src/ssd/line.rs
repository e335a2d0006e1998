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

    /// When it has served all that came.
    #[inline]
    pub(super) fn free(&self) -> Ps {
        self.server.free()
    }

    /// Sums so far, without what is reserved beyond `now`.
    pub(super) fn sums(&self, now: Ps) -> Sums {
        let sums = self.server.sums;
        Sums {
            busy: sums.busy.since(self.reserved(now)),
            ..sums
        }
    }

    fn reserved(&self, now: Ps) -> Ps {
        self.server.free().since(now.max(self.from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_for_later_is_not_counted_and_takes_nothing_from_what_was() {
        let mut line = Line::default();
        line.serve(Ps(0), Ps(50));
        assert_eq!(line.sums(Ps(20)).busy, Ps(20).into());
        assert_eq!(line.sums(Ps(60)).busy, Ps(50).into());
        line.serve(Ps(1000), Ps(10));
        assert_eq!(line.sums(Ps(60)).busy, Ps(50).into());
        assert_eq!(line.sums(Ps(1005)).busy, Ps(55).into());
        assert_eq!(line.sums(Ps(2000)).busy, Ps(60).into());
    }
}
