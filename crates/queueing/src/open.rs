//! Open queues: arrivals that do not wait for completions. Poisson arrivals, one server.

/// Mean time in an M/G/1 queue in s, waiting and in service (Pollaczek, Khinchine).
///
/// `rate_s` arrivals per second, `service_s` mean service, `service_scv` its squared coefficient of variation. None
/// where the server cannot keep up.
pub fn mg1_residence_s(rate_s: f64, service_s: f64, service_scv: f64) -> Option<f64> {
    let busy = rate_s * service_s;
    (busy < 1.0).then(|| service_s + busy * service_s * (1.0 + service_scv) / (2.0 * (1.0 - busy)))
}

/// Mean time in an M/M/1 queue in s.
pub fn mm1_residence_s(rate_s: f64, service_s: f64) -> Option<f64> {
    mg1_residence_s(rate_s, service_s, 1.0)
}

/// Mean time in an M/D/1 queue in s.
pub fn md1_residence_s(rate_s: f64, service_s: f64) -> Option<f64> {
    mg1_residence_s(rate_s, service_s, 0.0)
}

/// Share of arrivals of an M/M/1 queue that take longer than so many seconds.
pub fn mm1_longer_than(rate_s: f64, service_s: f64, longer_s: f64) -> Option<f64> {
    mm1_residence_s(rate_s, service_s).map(|mean_s| (-longer_s / mean_s).exp())
}
