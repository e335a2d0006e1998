//! Controllers in whole systems: what an I/O costs, what the cache does, what a degraded array does. Expected values
//! come from formulas with the numbers of the system, or are statements of publications.

mod cache;
mod costs;
mod degraded;
mod disks;
mod mirrors;
mod spindles;
mod streams;
mod syncs;
pub(crate) mod systems;
mod uneven;
