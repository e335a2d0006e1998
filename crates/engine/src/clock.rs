//! The clock: the processor's time stamp counter where the kernel itself trusts it, else
//! CLOCK_MONOTONIC.
//!
//! The counter is calibrated once a process against CLOCK_MONOTONIC, and each point
//! reports how far it drifted from it.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A clock in ns since it was made. Between processors it can step back by some ns: take
/// differences with `saturating_sub`.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    kind: Kind,
    base: Instant,
}

#[derive(Clone, Copy)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Tsc {
        base: u64,
        scale: u64,
    },
    Monotonic,
}

/// ns per tick as a fraction of 2^32.
static SCALE: OnceLock<Option<u64>> = OnceLock::new();

impl Clock {
    /// A clock that begins at 0 now.
    pub(crate) fn start() -> Self {
        let scale = *SCALE.get_or_init(calibrated_scale);
        let kind = match scale {
            #[cfg(target_arch = "x86_64")]
            Some(scale) => Kind::Tsc { base: ticks(), scale },
            _ => Kind::Monotonic,
        };
        Self {
            kind,
            base: Instant::now(),
        }
    }

    /// ns since the start.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        match self.kind {
            #[cfg(target_arch = "x86_64")]
            Kind::Tsc { base, scale } => {
                let passed = ticks().saturating_sub(base);
                ((u128::from(passed) * u128::from(scale)) >> 32) as u64
            }
            Kind::Monotonic => self.base.elapsed().as_nanos() as u64,
        }
    }

    /// Name for the reading.
    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            #[cfg(target_arch = "x86_64")]
            Kind::Tsc { .. } => "tsc",
            Kind::Monotonic => "CLOCK_MONOTONIC",
        }
    }

    /// Drift against CLOCK_MONOTONIC since the start, in parts per million.
    pub(crate) fn drift_ppm(&self) -> f64 {
        let (own, reference) = simultaneous(|| self.now());
        let reference = reference.duration_since(self.base).as_nanos() as f64;
        (own as f64 / reference - 1.0) * 1e6
    }
}

/// A clock and CLOCK_MONOTONIC at one moment: the closest of several pairs of readings.
fn simultaneous(clock: impl Fn() -> u64) -> (u64, Instant) {
    let pairs = (0..20).map(|_| {
        let before = clock();
        let instant = Instant::now();
        let after = clock();
        (after.saturating_sub(before), before.midpoint(after), instant)
    });
    let (_, own, instant) = pairs.min_by_key(|pair| pair.0).expect("20 pairs");
    (own, instant)
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn ticks() -> u64 {
    // SAFETY: RDTSC reads a register and touches no memory.
    unsafe { core::arch::x86_64::_rdtsc() }
}

#[cfg(target_arch = "x86_64")]
fn calibrated_scale() -> Option<u64> {
    const SOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    if std::fs::read_to_string(SOURCE).ok()?.trim() != "tsc" {
        return None;
    }
    let (from_ticks, from) = simultaneous(ticks);
    std::thread::sleep(Duration::from_millis(20));
    let (to_ticks, to) = simultaneous(ticks);
    let ns = to.duration_since(from).as_nanos() as f64;
    let passed = to_ticks.checked_sub(from_ticks).filter(|passed| *passed > 0)?;
    Some((ns / passed as f64 * 2f64.powi(32)) as u64)
}

#[cfg(not(target_arch = "x86_64"))]
fn calibrated_scale() -> Option<u64> {
    None
}

/// CPU time of the calling thread in ns.
pub(crate) fn thread_cpu_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a timespec on this stack.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0, "a thread's CPU clock can always be read");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_kernel_over_a_while() {
        let clock = Clock::start();
        std::thread::sleep(Duration::from_millis(50));
        assert!(clock.drift_ppm().abs() < 1000.0, "{} ppm", clock.drift_ppm());
    }

    #[test]
    fn never_runs_backwards() {
        let clock = Clock::start();
        let mut last = 0;
        for _ in 0..100_000 {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
    }

    #[test]
    fn cpu_time_grows_with_work() {
        let before = thread_cpu_ns();
        std::hint::black_box((0..200_000u64).fold(0, |sum, x| sum ^ std::hint::black_box(x)));
        assert!(thread_cpu_ns() > before);
    }
}
