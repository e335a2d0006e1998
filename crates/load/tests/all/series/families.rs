//! The families of series that the stopping rule is tried on. All have the mean 1 where they have settled.

use super::{
    Make, both, correlated, dips, log_normal, poisson, sawtooth, settling, shaped, two_states, white,
};

/// What a table calls a family, and how its series are made.
pub(crate) type Family = (&'static str, Make);

/// Families whose mean never moves and that even 3 s can judge.
pub(crate) fn fast() -> Vec<Family> {
    vec![
        ("white, 1 %", white(0.01)),
        ("white, 5 %", white(0.05)),
        ("white, 20 %", white(0.20)),
        ("white, 50 %", white(0.50)),
        ("AR 0.3, 5 %", correlated(0.3, 0.05)),
        ("AR 0.3, 20 %", correlated(0.3, 0.20)),
        ("AR 0.6, 2 %", correlated(0.6, 0.02)),
        ("AR 0.6, 5 %", correlated(0.6, 0.05)),
        ("AR 0.6, 20 %", correlated(0.6, 0.20)),
        ("log-normal, 20 %", log_normal(0.0, 0.2)),
        ("log-normal, 50 %", log_normal(0.0, 0.5)),
        ("log-normal, AR 0.5, 30 %", log_normal(0.5, 0.3)),
        ("Poisson, 3 a window", poisson(3.0)),
        ("Poisson, 10 a window", poisson(10.0)),
        ("two states, 1 and 0.7, 0.3 s each", two_states(0.7, 3.0)),
        (
            "dips of 30 %, 0.5 s each 3 s, white 1 %",
            shaped(white(0.01), dips(0.3, 3.0, 0.5)),
        ),
        (
            "dips of 30 %, 0.5 s each 3 s, white 5 %",
            shaped(white(0.05), dips(0.3, 3.0, 0.5)),
        ),
        (
            "dips of 30 %, 0.5 s each 3 s, AR 0.6, 5 %",
            shaped(correlated(0.6, 0.05), dips(0.3, 3.0, 0.5)),
        ),
        (
            "from 2 times, 0.5 s, white 2 %",
            shaped(white(0.02), settling(2.0, 0.5)),
        ),
        (
            "from half, 0.5 s, white 2 %",
            shaped(white(0.02), settling(0.5, 0.5)),
        ),
    ]
}

/// Families that need longer than 3 s.
pub(crate) fn slow() -> Vec<Family> {
    vec![
        ("AR 0.8, 2 %", correlated(0.8, 0.02)),
        ("AR 0.8, 5 %", correlated(0.8, 0.05)),
        ("AR 0.8, 20 %", correlated(0.8, 0.20)),
        ("AR 0.9, 2 %", correlated(0.9, 0.02)),
        ("AR 0.9, 5 %", correlated(0.9, 0.05)),
        ("AR 0.9, 20 %", correlated(0.9, 0.20)),
        ("AR 0.95, 2 %", correlated(0.95, 0.02)),
        ("AR 0.95, 5 %", correlated(0.95, 0.05)),
        ("AR 0.95, 20 %", correlated(0.95, 0.20)),
        (
            "AR 0.8, 5 % and white 5 %",
            both(correlated(0.8, 0.05), white(0.05)),
        ),
        ("log-normal, 100 %", log_normal(0.0, 1.0)),
        ("log-normal, AR 0.8, 30 %", log_normal(0.8, 0.3)),
        ("two states, 1 and 0.7, 1 s each", two_states(0.7, 10.0)),
        (
            "sawtooth of 30 % in 3 s, white 2 %",
            shaped(white(0.02), sawtooth(0.3, 3.0)),
        ),
        (
            "sawtooth of 30 % in 7 s, white 2 %",
            shaped(white(0.02), sawtooth(0.3, 7.0)),
        ),
        (
            "from 2 times, 2 s, white 2 %",
            shaped(white(0.02), settling(2.0, 2.0)),
        ),
        (
            "from half, 2 s, white 2 %",
            shaped(white(0.02), settling(0.5, 2.0)),
        ),
        (
            "from 2 times, 5 s, white 2 %",
            shaped(white(0.02), settling(2.0, 5.0)),
        ),
        (
            "from half, 5 s, white 2 %",
            shaped(white(0.02), settling(0.5, 5.0)),
        ),
        (
            "from 2 times, 2 s, AR 0.6, 5 %",
            shaped(correlated(0.6, 0.05), settling(2.0, 2.0)),
        ),
        (
            "from 2 times, 2 s, white 20 %",
            shaped(white(0.20), settling(2.0, 2.0)),
        ),
        ("from 2 times, 2 s, dips, white 2 %", dipping_and_settling()),
    ]
}

fn dipping_and_settling() -> Make {
    shaped(shaped(white(0.02), dips(0.3, 3.0, 0.5)), settling(2.0, 2.0))
}
