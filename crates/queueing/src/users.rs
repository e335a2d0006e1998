//! Users who think: Little's law for a closed loop, users = rate × (think + response).

/// Users that a rate of interactions per second stands for.
pub fn users(rate_s: f64, think_s: f64, response_s: f64) -> f64 {
    rate_s * (think_s + response_s)
}

/// Mean response time in s of so many users.
pub fn response_s(users: f64, rate_s: f64, think_s: f64) -> f64 {
    users / rate_s - think_s
}

/// Interactions per second of so many users.
pub fn rate_s(users: f64, think_s: f64, response_s: f64) -> f64 {
    users / (think_s + response_s)
}
