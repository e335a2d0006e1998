//! The kernel's ring without a device: every I/O goes to the kernel and comes back undone. What it costs is what the
//! way there and back costs.

use std::io;

use io_uring::opcode;

use super::ring::{Ring, Uring};
use super::{Backend, CommandIo, Done, Io};
use crate::buffers::Buffers;

pub(crate) struct Nop<'a> {
    ring: Uring<'a>,
    /// Bytes that each slot asked for.
    bytes: Vec<i32>,
}

impl<'a> Nop<'a> {
    /// A ring for so many outstanding I/Os on nothing.
    pub(crate) fn new(ring: &'a mut Ring, buffers: &Buffers, slots: usize) -> Self {
        Self {
            ring: Uring::new(ring, &[], buffers, slots, false),
            bytes: vec![0; slots],
        }
    }
}

impl Backend for Nop<'_> {
    #[inline]
    fn push(&mut self, io: &Io) {
        self.bytes[io.slot] = io.bytes as i32;
        self.ring
            .queue(&opcode::Nop::new().build().user_data(io.slot as u64));
    }

    fn push_command(&mut self, command: &CommandIo) {
        self.bytes[command.slot] = 0;
        self.ring
            .queue(&opcode::Nop::new().build().user_data(command.slot as u64));
    }

    #[inline]
    fn exchange(&mut self, want: usize, timeout_ns: u64) -> io::Result<u64> {
        self.ring.exchange(want, timeout_ns)
    }

    #[inline]
    fn reap(&mut self, mut take: impl FnMut(Done)) {
        let bytes = &self.bytes;
        self.ring.reap(|done| {
            let done_bytes = if done.result == 0 {
                bytes[done.slot]
            } else {
                done.result
            };
            take(Done {
                slot: done.slot,
                result: done_bytes,
            });
        });
    }

    fn setup(&self) -> Vec<&'static str> {
        self.ring.setup()
    }
}
