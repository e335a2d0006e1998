//! The way between dies and interface: one server for both directions, which loses time with each page of
//! an I/O whose direction differs from that of the I/O before.

use super::line::Line;
use crate::station::Sums;
use crate::system::SsdModel;
use crate::time::{PS_PER_S, Ps};

/// Bytes that one turnaround is counted for.
const TURNED_BYTES: u32 = 4096;

/// Picoseconds for each byte at a rate.
pub(super) fn ps_per_byte(bytes_s: f64) -> f64 {
    assert!(bytes_s > 0.0, "a rate of 0");
    PS_PER_S / bytes_s
}

/// The data path.
#[derive(Debug)]
pub(super) struct DataPath {
    line: Line,
    read_ps_per_byte: f64,
    write_ps_per_byte: f64,
    turnaround: Ps,
    wrote: bool,
}

impl DataPath {
    pub(super) fn new(model: &SsdModel) -> Self {
        Self {
            line: Line::default(),
            read_ps_per_byte: ps_per_byte(model.data_read_bytes_s as f64),
            write_ps_per_byte: ps_per_byte(model.data_write_bytes_s as f64),
            turnaround: model.turnaround_ps,
            wrote: false,
        }
    }

    /// Turnarounds that an I/O costs, in the order in which the drive takes I/Os.
    #[inline]
    pub(super) fn turns(&mut self, write: bool, bytes: u32) -> u32 {
        let turned = write != self.wrote;
        self.wrote = write;
        if turned { bytes.div_ceil(TURNED_BYTES) } else { 0 }
    }

    /// Move data that was read; gives the end.
    #[inline]
    pub(super) fn read(&mut self, at: Ps, bytes: u32, turns: u64) -> Ps {
        self.serve(at, f64::from(bytes) * self.read_ps_per_byte, turns)
    }

    /// Move data that is to be programmed; gives the end.
    #[inline]
    pub(super) fn write(&mut self, at: Ps, bytes: u64, turns: u64) -> Ps {
        self.serve(at, bytes as f64 * self.write_ps_per_byte, turns)
    }

    /// How long the data of a read takes to pass.
    #[inline]
    pub(super) fn read_span(&self, bytes: u32) -> Ps {
        Ps((f64::from(bytes) * self.read_ps_per_byte) as u64)
    }

    #[inline]
    fn serve(&mut self, at: Ps, transfer_ps: f64, turns: u64) -> Ps {
        let service = Ps(transfer_ps as u64 + turns * self.turnaround.0);
        self.line.serve(at, service)
    }

    /// Sums so far: what is reserved beyond `now` is left out.
    pub(super) fn sums(&self, now: Ps) -> Sums {
        self.line.sums(now)
    }
}
