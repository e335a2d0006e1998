//! Asks a virtual target: a load profile drives hosts, links, controllers and drives in virtual time.
//! One seed, one result, byte for byte; memory does not grow with the capacity that is simulated.

#![forbid(unsafe_code)]

pub mod calendar;
pub mod controller;
pub mod drive;
pub mod fabric;
pub mod hdd;
pub mod raid;
pub mod spent;
pub mod ssd;
pub mod station;
pub mod system;
pub mod time;
