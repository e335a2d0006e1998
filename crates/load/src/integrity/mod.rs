//! Whether what is read is what was written: stamps on sectors, a ledger of the last write of
//! every unit, and the judge that tells kinds of corruption apart.

mod findings;
mod judge;
mod ledger;
mod settling;
mod stamp;
mod trims;
mod wrong;

pub use findings::{Finding, Findings, Found, Kind};
pub use judge::judge;
pub use ledger::{Known, Ledger, word_of_first};
pub use stamp::{Look, SECTOR_BYTES, Stamp, checksum, look};
