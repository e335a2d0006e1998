//! The load engine: keeps a load on real targets and times every I/O.
//!
//! [`measure`] answers a point with a reading, [`fill`] writes a file in full, [`verify`]
//! reads what a ledger knows of and compares,
//! [`available`] tells which engines this machine allows.

mod backend;
mod beside;
mod buffers;
mod check;
mod clock;
mod crew;
mod data;
mod error;
mod fill;
mod follow;
mod gate;
mod lane;
mod machine;
#[cfg(test)]
mod made;
mod memory;
mod observer;
mod open;
mod pass;
mod pinning;
mod run;
mod span;
mod state;
mod syncing;
mod tally;
#[cfg(test)]
mod tests;
mod thinking;
mod worker;

pub use backend::{Engine, available};
pub use data::Content;
pub use error::EngineError;
pub use fill::fill;
pub use machine::available_memory;
pub use observer::{Control, Phase, Sample};
pub use pass::{Place, verify};
pub use run::measure;
pub use state::{load, save};

/// Name of an error number: `EIO`; `SHORT` for 0, an I/O that came back short.
pub fn errno_name(errno: i32) -> String {
    let name = match errno {
        0 => "SHORT",
        libc::EIO => "EIO",
        libc::ENOSPC => "ENOSPC",
        libc::ENODEV => "ENODEV",
        libc::ENXIO => "ENXIO",
        libc::EINVAL => "EINVAL",
        libc::EROFS => "EROFS",
        libc::EPERM => "EPERM",
        libc::EBADF => "EBADF",
        libc::ETIMEDOUT => "ETIMEDOUT",
        libc::EOPNOTSUPP => "EOPNOTSUPP",
        libc::EREMOTEIO => "EREMOTEIO",
        libc::EILSEQ => "EILSEQ",
        libc::ENODATA => "ENODATA",
        libc::EBUSY => "EBUSY",
        libc::EAGAIN => "EAGAIN",
        libc::ENOMEM => "ENOMEM",
        libc::EFBIG => "EFBIG",
        libc::EDQUOT => "EDQUOT",
        libc::ESHUTDOWN => "ESHUTDOWN",
        other => return format!("errno {other}"),
    };
    name.to_owned()
}
