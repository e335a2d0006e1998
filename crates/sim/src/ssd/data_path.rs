//! The way between dies and interface: one server for both directions, which loses time with each page of
//! an I/O whose direction differs from that of the I/O before.
//!
//! What is read takes its place when it comes. Programs have a whole buffer behind them, so they take turns with reads, byte
//! for byte: the next takes its place when the one before has passed, or behind reads of as many bytes that came since. So
//! about half of what waits is programs at the most, and a read among nothing but writes waits for one.

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
    /// Bytes of a whole program.
    program: u64,
    /// When the newest program has passed.
    passed: Ps,
    /// Bytes read, and those of them that programs have matched.
    read: u64,
    matched: u64,
}

impl DataPath {
    pub(super) fn new(model: &SsdModel) -> Self {
        Self {
            line: Line::default(),
            read_ps_per_byte: ps_per_byte(model.data_read_bytes_s as f64),
            write_ps_per_byte: ps_per_byte(model.data_write_bytes_s as f64),
            turnaround: model.turnaround_ps,
            wrote: false,
            program: u64::from(model.program_bytes),
            passed: Ps::ZERO,
            read: 0,
            matched: 0,
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
        self.read += u64::from(bytes);
        self.serve(at, f64::from(bytes) * self.read_ps_per_byte, turns)
    }

    /// Move data that is to be programmed; gives the end.
    #[inline]
    pub(super) fn write(&mut self, at: Ps, bytes: u64, turns: u64) -> Ps {
        self.matched = self.read.min(self.matched + bytes);
        self.passed = self.serve(at, bytes as f64 * self.write_ps_per_byte, turns);
        self.passed
    }

    /// Until when the next program waits for its turn; none where it may take its place. While nothing has been read it can
    /// take that ahead, for nobody can tell, but not where the load is so `young` that its first reads may be to come.
    #[inline]
    pub(super) fn next_turn(&mut self, now: Ps, young: bool) -> Option<Ps> {
        if self.passed <= now || (self.read == 0 && !young) {
            return None;
        }
        // What has passed meanwhile is nothing that waits.
        let waits = self.line.free().since(now).0 as f64 / self.read_ps_per_byte;
        self.matched = self.matched.max(self.read.saturating_sub(waits as u64));
        (self.read - self.matched < self.program).then_some(self.passed)
    }

    /// How long a whole program takes to pass.
    pub(super) fn program_span(&self) -> Ps {
        Ps((self.program as f64 * self.write_ps_per_byte) as u64)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// 4 KiB take 1 µs either way, and a program has four of them.
    fn path() -> DataPath {
        let ps_per_byte = 1e6 / 4096.0;
        DataPath {
            line: Line::default(),
            read_ps_per_byte: ps_per_byte,
            write_ps_per_byte: ps_per_byte,
            turnaround: Ps::ZERO,
            wrote: false,
            program: 16_384,
            passed: Ps::ZERO,
            read: 0,
            matched: 0,
        }
    }

    fn us(us: u64) -> Ps {
        Ps::from_ns(1000 * us)
    }

    #[test]
    fn nobody_waits_while_nothing_is_read() {
        let mut path = path();
        for programs in 1..100 {
            assert_eq!(path.next_turn(us(0), false), None);
            assert_eq!(path.write(us(0), 16_384, 0), us(4 * programs));
        }
    }

    #[test]
    fn a_program_waits_for_the_one_before_or_for_as_much_that_is_read() {
        let mut path = path();
        assert_eq!(path.read(us(0), 4096, 0), us(1));
        assert_eq!(path.next_turn(us(0), false), None, "no other is on its way");
        assert_eq!(path.write(us(0), 16_384, 0), us(5));
        assert_eq!(path.next_turn(us(0), false), Some(us(5)));
        assert_eq!(path.next_turn(us(5), false), None, "it has passed");
        assert_eq!(path.read(us(2), 12_288, 0), us(8));
        assert_eq!(path.next_turn(us(2), false), Some(us(5)), "12 KiB are not 16");
        assert_eq!(path.read(us(3), 4096, 0), us(9));
        assert_eq!(path.next_turn(us(3), false), None);
        assert_eq!(path.write(us(3), 16_384, 0), us(13));
        assert_eq!(
            path.next_turn(us(3), false),
            Some(us(13)),
            "each byte counts once"
        );
    }

    #[test]
    fn what_has_passed_gives_no_turn() {
        let mut path = path();
        path.read(us(0), 1 << 20, 0);
        path.write(us(256), 16_384, 0);
        assert_eq!(path.next_turn(us(257), false), Some(us(260)));
    }
}
