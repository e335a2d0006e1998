//! What a trim leaves behind, and what it must leave alone.
//!
//! A device may answer what it wants of a block that was trimmed: zeros, ones, what it last held,
//! what it held before, noise of its own (a layer that encrypts decrypts zeros to that). All that it
//! may not answer is another place's data, which a stamp tells.

use std::ops::Range;

use super::findings::Kind;
use super::ledger::Ledger;
use super::stamp::{Look, SECTOR_BYTES, Stamp, look};

/// How far from a trim that went too far zeros or ones are taken for its doing, in bytes.
const REACH_BYTES: u64 = 1 << 20;

/// What a trimmed sector holds.
pub(super) enum Holds {
    Zeros,
    Anything,
    /// Another place's data: what kind of corruption that is, and what it says of itself.
    Stranger(Kind, Stamp),
}

/// What a trimmed sector holds, which this run had written before or not.
///
/// Where it had not, it may hold what anybody wrote there: a file of an earlier run, which belongs to its place
/// in that file.
pub(super) fn holds(sector: &[u8], place: &Stamp, was_written: bool) -> Holds {
    match look(sector, place) {
        Look::Zeros => Holds::Zeros,
        Look::Whole(stamp) if stamp.session == place.session => {
            if (stamp.target, stamp.offset) == (place.target, place.offset) {
                Holds::Anything
            } else {
                Holds::Stranger(Kind::Misdirected, stamp)
            }
        }
        // The index of a target is its own in each run.
        Look::Whole(stamp) if was_written && stamp.offset != place.offset => {
            Holds::Stranger(Kind::Foreign, stamp)
        }
        _ => Holds::Anything,
    }
}

/// Units whose wrong sectors are as a trim leaves them.
pub(super) struct Left {
    /// Index of the target.
    pub(super) target: usize,
    /// The units, in bytes.
    pub(super) range: Range<u64>,
    /// Whether those sectors reach to the lower and to the upper end of it.
    pub(super) ends: (bool, bool),
}

/// Whether what is left reaches up to units that a trim was beside since they were written.
pub(super) fn by_trim(
    ledger: &Ledger,
    left: &Left,
    again: &mut dyn FnMut(Range<u64>) -> Option<Vec<u8>>,
) -> bool {
    let (range, target) = (&left.range, left.target);
    let mut beyond = |from: u64, upwards: bool| {
        let way = ledger.up_to_trim(target, from, REACH_BYTES, upwards);
        let data = way.and_then(&mut *again);
        data.is_some_and(|data| data.chunks_exact(SECTOR_BYTES).all(blank))
    };
    let bytes = range.end - range.start;
    match left.ends {
        _ if !ledger.trims() => false,
        (false, false) => false,
        _ if ledger.up_to_trim(target, range.start, bytes, true).is_some() => true,
        (down, up) => (up && beyond(range.end, true)) || (down && beyond(range.start, false)),
    }
}

/// Zeros or ones throughout.
pub(super) fn blank(sector: &[u8]) -> bool {
    [0, 0xff].iter().any(|byte| sector.iter().all(|one| one == byte))
}
