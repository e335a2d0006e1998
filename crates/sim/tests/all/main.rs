//! The simulator from outside: one program, since each would be linked for itself.

mod controller;
mod hdd;
mod raid;
mod raid_bytes;
mod raid_rank;
mod ssd;
mod whole;
