//! What a load is and what came of it: profile, access pattern, histogram, reading and
//! the rule that says when to stop. Nothing here has a clock, does I/O, starts a thread
//! or is unsafe, so an engine and a simulator share all of it.

#![forbid(unsafe_code)]

pub mod command;
pub mod counted;
pub mod gather;
mod growth;
pub mod histogram;
pub mod integrity;
mod packed;
pub mod pattern;
pub mod reading;
pub mod request;
mod response;
pub mod schedule;
mod sections;
pub mod series;
pub mod stopping;
pub mod traffic;
pub mod window;
