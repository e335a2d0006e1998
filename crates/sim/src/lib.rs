//! Asks a virtual target: a load profile drives hosts, links, controllers and drives in virtual time.
//! One seed, one result, byte for byte; memory does not grow with the capacity that is simulated.

#![forbid(unsafe_code)]

pub mod calendar;
mod check;
pub mod controller;
mod dirtied;
pub mod drive;
mod each;
pub mod fabric;
pub mod hdd;
mod heat;
mod host;
mod least;
mod limits;
mod machine;
mod meter;
mod observer;
pub mod operation;
mod outcome;
mod overwritten;
pub mod raid;
pub mod room;
mod run;
mod sharing;
pub mod spent;
mod spindles;
pub mod ssd;
pub mod station;
mod syncing;
pub mod system;
mod thinking;
pub mod time;
mod usage;
mod volume;
mod way;

pub use observer::{Control, SimError};
pub use outcome::MODEL_VERSION;
pub use run::simulate;
