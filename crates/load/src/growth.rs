//! Whether the queue of an open loop grew: whether the target kept up with the rate asked for.
//!
//! What is due or under way grows without end where a target does not keep up, by what it falls behind by;
//! where it does, it wanders and comes back. At the rate that can just be served it wanders as a random walk
//! (J. F. C. Kingman, "On queues in heavy traffic", 1962), so growth is held against the walk that its own
//! steps would make. What chance does to arrivals and to the target shows in the steps, and need not be known.

use serde::Serialize;

use crate::series::Series;
use crate::stopping::t_two_sided;

/// Sections of the measured part, at the most, and steps from the end of one to that of the next at the least.
const MOST: usize = 20;
const FEWEST: usize = 8;
/// Confidence that chance moved it neither up nor down: that of a drift.
const PROVEN: f64 = 0.98;

/// How the queue grew over a part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Growth {
    /// I/Os a second that more were due or under way; below 0 where they became fewer.
    pub rate_io_s: f64,
    /// Whether a random walk of such steps does not explain it.
    pub proven: bool,
}

impl Growth {
    /// Over the measured part of a series; none where it is too short.
    pub(crate) fn of(series: &Series) -> Option<Self> {
        Self::beside(series, std::iter::repeat(0.0))
    }

    /// The same with what else is left to do at the end of each value of the measured part, in I/Os.
    pub fn beside(series: &Series, left: impl IntoIterator<Item = f64>) -> Option<Self> {
        let measured = series.measured_from..series.backlog.len();
        let each = measured.len().div_ceil(MOST).max(1);
        let windows = series.windows.get(measured.start).map_or(1, |&windows| windows);
        let ends = measured.zip(left).skip(each - 1).step_by(each);
        let queue: Vec<_> = ends
            .map(|(value, left)| (series.backlog[value] + series.under_way[value]) as f64 + left)
            .collect();
        Self::through(&queue, (each as u64 * windows) as f64 * series.window_s)
    }

    /// Through the I/Os due or under way at moments so many s apart.
    fn through(queue: &[f64], apart_s: f64) -> Option<Self> {
        let steps = queue.len().saturating_sub(1);
        if steps < FEWEST {
            return None;
        }
        let (growth, steps) = (queue[steps] - queue[0], steps as f64);
        let off_the_mean = queue.windows(2).map(|pair| pair[1] - pair[0] - growth / steps);
        let squares: f64 = off_the_mean.map(|off| off * off).sum();
        let walk = (steps * squares / (steps - 1.0)).sqrt();
        Some(Self {
            rate_io_s: growth / (steps * apart_s),
            proven: growth.abs() > t_two_sided(PROVEN, steps - 1.0) * walk,
        })
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;

    /// Windows of 100 ms that end with so many I/Os due and so many under way.
    fn series(due: &[u64], under_way: &[u64]) -> Series {
        let mut series = Series::new(100_000_000, true);
        (series.backlog, series.under_way) = (due.to_vec(), under_way.to_vec());
        series
    }

    #[test]
    fn growth_is_what_the_target_falls_behind_by() {
        let wandering = |at: usize| [0.0, 5.0, -3.0, 2.0][at % 4];
        let growing: Vec<f64> = (0..21).map(|at| 40.0 * at as f64 + wandering(at)).collect();
        let found = Growth::through(&growing, 0.5).unwrap();
        assert!(found.proven && (found.rate_io_s - 80.0).abs() < 1e-9, "{found:?}");
        let shrinking: Vec<f64> = growing.into_iter().rev().collect();
        let found = Growth::through(&shrinking, 0.5).unwrap();
        assert!(found.proven && (found.rate_io_s + 80.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn growth_is_held_against_the_walk_of_its_own_steps() {
        // Eight steps of 1 ± d: squares 8 d², walk √(8·8d²/7) = 3.024 d, Student's t of seven degrees of freedom 2.998
        // in printed tables: proven where 8 > 9.065 d.
        let queue = |d: f64| -> Vec<f64> {
            let signs = (0..8).map(|step| if step % 2 == 0 { d } else { -d });
            let sums = signs.scan(0.0, |sum, sign| {
                *sum += 1.0 + sign;
                Some(*sum)
            });
            std::iter::once(0.0).chain(sums).collect()
        };
        let proven = [0.87, 0.89].map(|d| Growth::through(&queue(d), 1.0).unwrap().proven);
        assert_eq!(proven, [true, false]);
    }

    #[test]
    fn a_target_that_stood_still_and_caught_up_or_did_so_last_let_nothing_grow() {
        let mut still = vec![1.0; 20];
        still[9..12].copy_from_slice(&[400.0, 900.0, 300.0]);
        assert!(!Growth::through(&still, 1.0).unwrap().proven);
        still[19] = 900.0;
        assert!(!Growth::through(&still, 1.0).unwrap().proven);
    }

    #[test]
    fn it_is_that_of_the_measured_part_whatever_a_value_holds() {
        let due: Vec<u64> = (0..45).collect();
        let rate = |series: &Series| Growth::of(series).map(|growth| (growth.rate_io_s * 1e6).round() / 1e6);
        let mut whole = series(&due, &[7; 45]);
        assert_eq!(rate(&whole), Some(10.0));
        assert_eq!(rate(&series(&[3; 45], &due)), Some(10.0));
        whole.measured_from = 36;
        assert_eq!(rate(&whole), Some(10.0));
        whole.measured_from = 37;
        assert_eq!(rate(&whole), None);
        whole.measured_from = 45;
        assert_eq!(rate(&whole), None);
        whole.measured_from = 0;
        whole.windows = vec![4; 45];
        assert_eq!(rate(&whole), Some(2.5));
    }

    /// How often the queue of a target with exponential times is proven to grow, and to shrink, at that load over
    /// so many arrivals; of 400.
    fn proven(load: f64, arrivals: f64, servers: usize) -> [usize; 2] {
        let mut counts = [0, 0];
        for seed in 0..400 {
            let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut time = |mean: f64| -(((dice.next_u64() >> 11) + 1) as f64 / 2f64.powi(53)).ln() * mean;
            // Windows of 1 from 10 on.
            let (mut now, mut free, gap) = (0.0, vec![0f64; servers], 100.0 / arrivals);
            let mut steps = [0i64; 111];
            while now < 110.0 {
                now += time(gap);
                let first = free.iter_mut().min_by(|one, other| one.total_cmp(other)).unwrap();
                *first = first.max(now) + time(gap * load * servers as f64);
                steps[(now as usize).min(110)] += 1;
                steps[(*first as usize).min(110)] -= 1;
            }
            let sums = steps[..110].iter().scan(0, |queue, step| {
                *queue += step;
                Some(*queue as u64)
            });
            let queue: Vec<u64> = sums.collect();
            let mut queue = series(&queue, &[0; 110]);
            queue.measured_from = 10;
            let found = Growth::of(&queue).unwrap();
            counts[usize::from(found.rate_io_s < 0.0)] += usize::from(found.proven);
        }
        counts
    }

    #[test]
    fn a_queue_that_is_served_does_not_grow_and_one_that_is_not_does() {
        for servers in [1, 16] {
            for arrivals in [1000.0, 10_000.0] {
                for load in [0.5, 0.9] {
                    let [up, down] = proven(load, arrivals, servers);
                    assert!(up + down <= 2, "{load} of {servers}, {arrivals}: {up}, {down}");
                }
                // Arrivals and services of a busy target scatter by √2n together; a walk of that length is beyond
                // 2.55 of it, in one direction, in 1 of 100, and that of a queue cannot go below none.
                let [up, down] = proven(1.0, arrivals, servers);
                assert!(up <= 16 && down <= 8, "{servers}, {arrivals}: {up}, {down}");
                let load = 1.0 + 6.0 * (2.0 / arrivals).sqrt();
                let [up, _] = proven(load, arrivals, servers);
                assert!(up >= 380, "{load} of {servers}, {arrivals}: {up}");
            }
        }
    }
}
