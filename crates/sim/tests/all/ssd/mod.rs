//! The SSD model against what its parts add up to.

mod flush;
pub(crate) mod greedy;
mod harness;
mod limits;
mod one_by_one;
mod steady;
