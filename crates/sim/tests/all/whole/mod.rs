//! The whole simulator: closed forms, links, arrays of the host, laws and sameness. Expected values come from formulas.

mod arrays;
mod at_once;
mod behind;
mod links;
mod loops;
mod one_volume;
mod parity;
mod places;
mod refused;
mod sameness;
mod syncs;
mod systems;
mod trims;
mod walks;
