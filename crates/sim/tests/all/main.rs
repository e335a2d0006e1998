//! The simulator from outside: one program, since each would be linked for itself.

mod controller;
mod hdd;
mod raid;
mod raid_bytes;
mod ssd;
mod whole;
