//! Closed queueing networks as pure functions: bounds, mean-value analysis, arrays from one drive's curve.

#![forbid(unsafe_code)]
