//! How a sector is wrong: where something was written, and where a trim took it.

use super::findings::Kind;
use super::ledger::{Known, low};
use super::stamp::{Look, Stamp, look};
use super::trims::{Holds, holds};

/// How a sector is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    Older,
    As(Kind),
}

/// How a sector is wrong where the write `expected` or a later one belongs, and what it says of
/// itself; nothing where it is right.
pub(super) fn wrong(sector: &[u8], expected: &Stamp) -> Option<(Wrong, Option<Stamp>)> {
    let same_place = |stamp: &Stamp| (stamp.target, stamp.offset) == (expected.target, expected.offset);
    Some(match look(sector, expected) {
        Look::Whole(stamp) if stamp.session != expected.session => {
            let wrong = if same_place(&stamp) {
                Wrong::Older
            } else {
                Wrong::As(Kind::Foreign)
            };
            (wrong, Some(stamp))
        }
        Look::Whole(stamp) if !same_place(&stamp) => (Wrong::As(Kind::Misdirected), Some(stamp)),
        // Of what is very old the ledger knows only the low bits.
        Look::Whole(stamp) if low(stamp.generation) == low(expected.generation) => return None,
        Look::Whole(stamp) if stamp.generation < expected.generation => (Wrong::Older, Some(stamp)),
        Look::Whole(_) => return None,
        Look::Damaged(stamp) => (Wrong::As(Kind::BitFlip), Some(stamp)),
        Look::Zeros => (Wrong::As(Kind::Zeros), None),
        Look::Foreign => (Wrong::As(Kind::Foreign), None),
    })
}

/// How a sector is wrong where something was written or, of a unit of which that is known, trimmed.
pub(super) fn trouble(
    sector: &[u8],
    expected: &Stamp,
    trimmed: Option<Known>,
) -> Option<(Wrong, Option<Stamp>)> {
    let Some(known) = trimmed else {
        return wrong(sector, expected);
    };
    match holds(sector, expected, known.was_written()) {
        Holds::Stranger(kind, stamp) => Some((Wrong::As(kind), Some(stamp))),
        Holds::Zeros | Holds::Anything => None,
    }
}
