//! A point on a system, from the first issue to the reading.

use iodyno_load::reading::Reading;
use iodyno_load::request::Point;

use crate::check;
use crate::host::Host;
use crate::machine::{Machine, Next};
use crate::meter::Meter;
use crate::outcome;
use crate::system::System;

/// Events after which the observer is asked, where no window has ended.
const ASK_EVERY: u64 = 1 << 18;

/// What the observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End at once; the point is lost.
    Interrupt,
}

/// Why there is no reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimError {
    /// Point and system do not fit together: all that is wrong, in sentences.
    Request(Vec<String>),
    /// The observer interrupted.
    Interrupted,
}

impl std::fmt::Display for SimError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Request(problems) => write!(out, "{}", problems.join("; ")),
            Self::Interrupted => write!(out, "interrupted"),
        }
    }
}

impl std::error::Error for SimError {}

/// How a point is going: its last window, in virtual time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Virtual seconds since the point began.
    pub elapsed_s: f64,
    /// I/Os completed per second.
    pub rate_io_s: f64,
    /// Bytes completed per second.
    pub throughput_bytes_s: f64,
    /// Mean latency in ns.
    pub latency_mean_ns: f64,
    /// 99th percentile of the latency in ns.
    pub p99_ns: u64,
    /// Half-width of the interval so far, as a share of the mean.
    pub half_width: Option<f64>,
}

/// Ask a virtual system: keep the load of a point on it until the rule says enough.
///
/// The observer hears of each window of virtual time, and now and then of nothing; it can interrupt. The same
/// point and system give the same reading, byte for byte.
///
/// # Errors
/// [`SimError::Request`] where the point does not fit the system or the system contradicts itself;
/// [`SimError::Interrupted`] where the observer says so.
///
/// # Panics
/// If a law of closed loops or queues does not hold in the result: our bug.
pub fn simulate(
    point: &Point,
    system: &System,
    mut observe: impl FnMut(Option<&Sample>) -> Control,
) -> Result<Reading, SimError> {
    let problems = check::problems(point, system);
    if !problems.is_empty() {
        return Err(SimError::Request(problems));
    }
    let mut machine = Machine::new(point, system);
    let mut host = Host::new(point, system, Meter::new(point));
    host.begin(&mut machine);
    take_back(&mut host, &mut machine);
    let (mut windows, mut ask) = (0, ASK_EVERY);
    while host.meter.outcome.is_none() {
        match machine.next() {
            Next::Host(event) => host.event(event, &mut machine),
            Next::Inside => {}
            Next::Nothing => panic!("I/Os are outstanding and nothing is to happen"),
        }
        take_back(&mut host, &mut machine);
        if host.meter.windows.len() == windows && machine.events < ask {
            continue;
        }
        windows = host.meter.windows.len();
        ask = machine.events + ASK_EVERY;
        if observe(host.meter.sample().as_ref()) == Control::Interrupt {
            return Err(SimError::Interrupted);
        }
    }
    Ok(outcome::reading(point, system, host, &machine))
}

#[inline]
fn take_back(host: &mut Host, machine: &mut Machine) {
    while let Some(back) = machine.take() {
        host.back(back, machine);
    }
}
