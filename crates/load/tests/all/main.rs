//! What the crate promises, from outside: one program, since each would be linked for itself.

mod counted;
mod directions;
mod histogram;
mod integrity;
mod long;
mod made;
mod pattern;
mod permutation;
mod problems;
mod series;
mod skewed;
mod stopping_coverage;
mod walks;
mod ways;
mod window;
mod workers;
mod zones;
