//! The engine that does nothing: every I/O is complete at once. What it costs is what
//! iodyno itself costs.

use std::io;

use super::{Backend, CommandIo, Done, Io};

#[derive(Default)]
pub(crate) struct Null {
    queued: Vec<Done>,
}

impl Backend for Null {
    #[inline]
    fn push(&mut self, io: &Io) {
        self.queued.push(Done {
            slot: io.slot,
            result: io.bytes as i32,
        });
    }

    fn push_command(&mut self, command: &CommandIo) {
        self.queued.push(Done {
            slot: command.slot,
            result: 0,
        });
    }

    #[inline]
    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        Ok(0)
    }

    #[inline]
    fn reap(&mut self, take: impl FnMut(Done)) {
        self.queued.drain(..).for_each(take);
    }
}
