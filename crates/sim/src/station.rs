//! First come, first served stations. A server's end of service is known when a job arrives, so no
//! queue is kept: only when the server is free again, and the sums that utilisation and mean queue
//! come from (by Little's law, queue = rate × residence).

use std::ops::Sub;

use crate::time::{Ps, Total};

/// Sums of a station. What was between two moments is the difference of theirs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// Jobs.
    pub jobs: u64,
    /// Time in service.
    pub busy: Total,
    /// Time waiting and in service.
    pub residence: Total,
}

impl Sums {
    /// Count a job that arrives, waits and is served.
    #[inline]
    pub fn count(&mut self, arrival: Ps, service: Ps, end: Ps) {
        self.jobs += 1;
        self.busy += service;
        self.residence += end.since(arrival);
    }
}

impl Sub for Sums {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self {
            jobs: self.jobs - before.jobs,
            busy: self.busy - before.busy,
            residence: self.residence - before.residence,
        }
    }
}

/// A single server.
#[derive(Clone, Copy, Debug, Default)]
pub struct Server {
    free: Ps,
    /// What it has done so far.
    pub sums: Sums,
}

impl Server {
    /// Serve a job that arrives at a moment, behind those that it has been given before, though one of them came later: what a
    /// disk has read is heard of at the end. Gives the end of service.
    #[inline]
    pub fn serve(&mut self, arrival: Ps, service: Ps) -> Ps {
        let end = self.free.max(arrival) + service;
        self.free = end;
        self.sums.count(arrival, service, end);
        end
    }

    /// Keep the server from serving before a moment, without counting that as service.
    #[inline]
    pub fn hold(&mut self, until: Ps) {
        self.free = self.free.max(until);
    }

    /// When the server will be free.
    #[inline]
    pub fn free(&self) -> Ps {
        self.free
    }
}

/// Several servers with one queue.
#[derive(Clone, Debug)]
pub struct Servers {
    free: Vec<Ps>,
    /// What it has done so far.
    pub sums: Sums,
}

impl Servers {
    /// So many servers, at least one.
    pub fn new(servers: usize) -> Self {
        assert!(servers > 0, "a station without a server");
        Self {
            free: vec![Ps::ZERO; servers],
            sums: Sums::default(),
        }
    }

    /// How many servers.
    pub fn count(&self) -> usize {
        self.free.len()
    }

    /// Serve a job on the server that is free first; gives the end of service.
    #[inline]
    pub fn serve(&mut self, arrival: Ps, service: Ps) -> Ps {
        let first = match self.free.as_slice() {
            [_] => 0,
            several => (0..several.len())
                .min_by_key(|&at| several[at])
                .expect("a server"),
        };
        let end = self.free[first].max(arrival) + service;
        self.free[first] = end;
        self.sums.count(arrival, service, end);
        end
    }
}
