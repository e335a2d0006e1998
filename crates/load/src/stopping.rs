//! When to stop: the honest rule.
