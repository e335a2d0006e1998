//! Random series of windows with a mean that is known: 1, in the settled part.

pub(crate) mod families;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::f64::consts::TAU;

/// Windows in a second.
pub(crate) const PER_SECOND: f64 = 10.0;

/// Random numbers of the distributions that the series need.
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Uniform in (0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Standard normal, by Box and Muller.
    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (TAU * self.uniform()).cos()
    }

    /// Poisson by Knuth's product of uniforms; for small means.
    fn poisson(&mut self, mean: f64) -> f64 {
        let limit = (-mean).exp();
        let (mut product, mut count) = (self.uniform(), 0.0);
        while product > limit {
            product *= self.uniform();
            count += 1.0;
        }
        count
    }
}

/// Makes a series of that many windows.
pub(crate) type Make = Box<dyn Fn(&mut Dice, usize) -> Vec<f64>>;

/// Independent normal noise; `cv` is its standard deviation as a share of the mean.
pub(crate) fn white(cv: f64) -> Make {
    Box::new(move |dice, windows| (0..windows).map(|_| 1.0 + cv * dice.normal()).collect())
}

/// First-order autoregressive normal noise, stationary from the start.
pub(crate) fn correlated(phi: f64, cv: f64) -> Make {
    let fresh = (1.0 - phi * phi).sqrt();
    Box::new(move |dice, windows| {
        let mut state = dice.normal();
        let mut next = || {
            state = phi * state + fresh * dice.normal();
            1.0 + cv * state
        };
        (0..windows).map(|_| next()).collect()
    })
}

/// Log-normal noise whose logarithm is autoregressive; independent where `phi` is 0.
pub(crate) fn log_normal(phi: f64, cv: f64) -> Make {
    let variance = (1.0 + cv * cv).ln();
    let exponents = correlated(phi, 1.0);
    Box::new(move |dice, windows| {
        let exponents = exponents(dice, windows);
        exponents
            .into_iter()
            .map(|x| (variance.sqrt() * (x - 1.0) - variance / 2.0).exp())
            .collect()
    })
}

/// Poisson counts with that mean in a window, divided by it.
pub(crate) fn poisson(mean: f64) -> Make {
    Box::new(move |dice, windows| (0..windows).map(|_| dice.poisson(mean) / mean).collect())
}

/// Two levels that follow each other after times that are geometrically distributed, with noise of 1 %.
pub(crate) fn two_states(low: f64, dwell_windows: f64) -> Make {
    let mean = (1.0 + low) / 2.0;
    Box::new(move |dice, windows| {
        let mut up = dice.uniform() < 0.5;
        let mut next = || {
            up ^= dice.uniform() < 1.0 / dwell_windows;
            (if up { 1.0 } else { low }) / mean + 0.01 * dice.normal()
        };
        (0..windows).map(|_| next()).collect()
    })
}

/// A random walk from 1 on, never below 0.05.
pub(crate) fn walk(step: f64) -> Make {
    Box::new(move |dice, windows| {
        let mut level = 1.0_f64;
        let mut next = || {
            level = (level + step * dice.normal()).max(0.05);
            level
        };
        (0..windows).map(|_| next()).collect()
    })
}

/// Both at once: the deviations add up.
pub(crate) fn both(one: Make, other: Make) -> Make {
    Box::new(move |dice, windows| {
        let other = other(dice, windows);
        one(dice, windows)
            .into_iter()
            .zip(other)
            .map(|(a, b)| a + b - 1.0)
            .collect()
    })
}

/// Adds a shape: a function of the time in s and of a phase, uniform in (0, 1) for each series.
pub(crate) fn shaped(noise: Make, shape: impl Fn(f64, f64) -> f64 + 'static) -> Make {
    Box::new(move |dice, windows| {
        let phase = dice.uniform();
        let noise = noise(dice, windows).into_iter().enumerate();
        noise
            .map(|(i, x)| x + shape(i as f64 / PER_SECOND, phase))
            .collect()
    })
}

/// An exponential approach from `from` times the settled mean, time constant in s.
pub(crate) fn settling(from: f64, constant_s: f64) -> impl Fn(f64, f64) -> f64 {
    move |time, _| (from - 1.0) * (-time / constant_s).exp()
}

/// A dip in each period, as garbage collection makes them; its mean is 0.
pub(crate) fn dips(depth: f64, period_s: f64, length_s: f64) -> impl Fn(f64, f64) -> f64 {
    let share = length_s / period_s;
    move |time, phase| {
        let inside = (time / period_s + phase).fract() < share;
        depth * (share - if inside { 1.0 } else { 0.0 })
    }
}

/// A sawtooth; its mean is 0.
pub(crate) fn sawtooth(height: f64, period_s: f64) -> impl Fn(f64, f64) -> f64 {
    move |time, phase| height * ((time / period_s + phase).fract() - 0.5)
}

/// A ramp that moves by `total` in 60 s and is 0 in their middle.
pub(crate) fn ramp(total: f64) -> impl Fn(f64, f64) -> f64 {
    move |time, _| total * (time / 60.0 - 0.5)
}
