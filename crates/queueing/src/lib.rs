//! Closed queueing networks as pure functions: bounds, mean-value analysis, arrays from one drive's curve, streams on
//! a disk.

#![forbid(unsafe_code)]

pub mod array;
pub mod bounds;
pub mod exact;
mod meeting;
pub mod mva;
pub mod network;
mod present;
mod series;
pub mod solution;
pub mod streams;
