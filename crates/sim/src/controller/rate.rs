//! Data on their way between host and controller.

use crate::station::{Server, Sums};
use crate::system::{self, Hop};
use crate::time::Ps;

/// A rate as the time for a byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// Time for a byte in ps, times 2^16.
    byte_ps_16: u64,
}

impl Rate {
    /// A rate in bytes/s; 0 is no limit.
    pub(super) fn new(bytes_s: u64) -> Self {
        let whole = 1_000_000_000_000_u64 << 16;
        Self {
            byte_ps_16: whole.checked_div(bytes_s).unwrap_or(0),
        }
    }

    #[inline]
    pub(super) fn time(self, bytes: u64) -> Ps {
        Ps(((u128::from(self.byte_ps_16) * u128::from(bytes)) >> 16) as u64)
    }
}

/// A server of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pipe {
    rate: Rate,
    server: Server,
}

impl Pipe {
    pub(super) fn new(bytes_s: u64) -> Self {
        Self {
            rate: Rate::new(bytes_s),
            server: Server::default(),
        }
    }

    #[inline]
    pub(super) fn serve(&mut self, arrival: Ps, bytes: u64) -> Ps {
        self.server.serve(arrival, self.rate.time(bytes))
    }

    pub(super) fn sums(&self) -> Sums {
        self.server.sums
    }
}

/// The controller's part in moving data over the host link. The link itself is a station of the way to the
/// controller, and both work on the same bytes at the same time: a transfer takes what the slower of them takes.
#[derive(Debug)]
pub(super) struct Transfer {
    pub(super) to_host: Pipe,
    pub(super) from_host: Pipe,
    link: Rate,
}

impl Transfer {
    pub(super) fn new(system: &system::System, controller: &system::Controller) -> Self {
        let links = controller.path.iter().filter_map(|hop| match *hop {
            Hop::Link(link) => Some(system.links[link].bytes_s),
            Hop::Switch(_) => None,
        });
        Self {
            to_host: Pipe::new(controller.read_bytes_s),
            from_host: Pipe::new(controller.write_bytes_s),
            link: Rate::new(links.min().unwrap_or(0)),
        }
    }

    /// Data are ready for the host at a moment: when they begin to leave over the link, so that the last byte
    /// leaves when this side has it.
    #[inline]
    pub(super) fn send(&mut self, ready: Ps, bytes: u32) -> Ps {
        let end = self.to_host.serve(ready, u64::from(bytes));
        ready.max(Ps(end.0.saturating_sub(self.link.time(u64::from(bytes)).0)))
    }

    /// Data came over the link until a moment: when they are in the controller's memory.
    #[inline]
    pub(super) fn receive(&mut self, came: Ps, bytes: u32) -> Ps {
        let began = Ps(came.0.saturating_sub(self.link.time(u64::from(bytes)).0));
        self.from_host.serve(began, u64::from(bytes)).max(came)
    }
}
