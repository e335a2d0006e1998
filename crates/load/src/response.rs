//! Whether the response times of an open loop moved: where a rate is given, that rate cannot tell that a target
//! became slower.

use crate::series::Series;
use crate::stopping::Movement;

/// I/Os below which the queue of a busy target moves by chance as much as one that becomes slower.
const FEWEST_IOS: u64 = 10_000;

/// How the mean response time moved over the measured part of a series; none where it holds too little to tell.
///
/// What is looked at is the time that all I/Os of a window took together. They come at the rate asked for, so it
/// moves as their mean does, and is a value also where none completed.
pub(crate) fn movement(series: &Series) -> Option<Movement> {
    let from = series.measured_from;
    let ios = |column: &[u64]| column.iter().skip(from).sum::<u64>();
    if ios(&series.reads) + ios(&series.writes) + ios(&series.trims) < FEWEST_IOS {
        return None;
    }
    let windows = |value| series.windows.get(value).map_or(1.0, |&windows| windows as f64);
    let sums = series.response_sum_ns.iter().enumerate().skip(from);
    let taken: Vec<_> = sums.map(|(value, &sum)| sum as f64 / windows(value)).collect();
    Movement::of(&taken)
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;

    /// Windows of 100 ms, measured from the fifth on, in which so many I/Os took so long in all.
    fn series(reads: u64, response_sum_ns: Vec<u64>) -> Series {
        let mut series = Series::new(100_000_000, true);
        series.reads = vec![reads; response_sum_ns.len()];
        (series.response_sum_ns, series.measured_from) = (response_sum_ns, 5);
        series
    }

    #[test]
    fn it_is_that_of_the_measured_part_whatever_a_value_holds() {
        // From 90.5 to 109.5: by 20 % of the mean; the rounds of twenty from 92.3 to 107.7 or so.
        let rising = || (0..95).map(|value| 90_500 + 200 * value);
        let before = [1_000_000; 5].into_iter();
        let sums: Vec<u64> = before.clone().chain(rising()).collect();
        let found = movement(&series(200, sums)).unwrap();
        assert!(found.drifting, "{found:?}");
        assert!(
            (found.drift - 0.19).abs() < 0.01 && (found.range - 0.152).abs() < 0.005,
            "{found:?}"
        );
        // The second half of the values holds two windows each.
        let doubled = rising()
            .enumerate()
            .map(|(at, sum)| if at < 48 { sum } else { 2 * sum });
        let mut merged = series(200, before.chain(doubled).collect());
        merged.windows = (0..100).map(|at| if at < 53 { 1 } else { 2 }).collect();
        assert_eq!(movement(&merged), Some(found));
    }

    #[test]
    fn too_few_ios_or_windows_tell_nothing() {
        let found = |reads, values| movement(&series(reads, vec![1000; values])).is_some();
        assert_eq!([found(100, 105), found(99, 105)], [true, false]);
        // Writes and trims count as reads do.
        let mut mixed = series(50, vec![1000; 105]);
        (mixed.writes, mixed.trims) = (vec![30; 105], vec![20; 105]);
        assert!(movement(&mixed).is_some());
        assert_eq!([found(5000, 15), found(5000, 14)], [true, false]);
        assert!(movement(&series(200, vec![0; 105])).is_none());
    }

    /// In how many of 200 runs it moves, where so many arrivals come to exponential servers, so busy at first,
    /// that become slower by a share over the measured part.
    fn moves(load: f64, arrivals: f64, servers: usize, slower: f64) -> usize {
        let drifts = |seed| {
            let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut time = |mean: f64| -(((dice.next_u64() >> 11) + 1) as f64 / 2f64.powi(53)).ln() * mean;
            // Windows of 1: five to settle in and a hundred that count.
            let (mut now, mut free, gap) = (0.0, vec![0f64; servers], 100.0 / arrivals);
            let mut sums = vec![0u64; 105];
            while now < 105.0 {
                now += time(gap);
                let first = free.iter_mut().min_by(|one, other| one.total_cmp(other)).unwrap();
                let grown = 1.0 + slower * ((now - 5.0) / 100.0).max(0.0);
                *first = first.max(now) + time(gap * load * servers as f64 * grown);
                if let Some(sum) = sums.get_mut(*first as usize) {
                    *sum += ((*first - now) * 1e8) as u64;
                }
            }
            movement(&series(arrivals as u64 / 100, sums)).unwrap().drifting
        };
        (0..200).filter(|&seed| drifts(seed)).count()
    }

    #[test]
    fn a_queue_in_its_steady_state_does_not_move_and_one_that_becomes_slower_does() {
        for servers in [1, 16] {
            for arrivals in [10_000.0, 40_000.0] {
                for load in [0.3, 0.8, 0.95] {
                    // 2 % by chance are 4 of 200; eleven and more of them come once in 300.
                    let still = moves(load, arrivals, servers, 0.0);
                    assert!(still <= 10, "{load} of {servers}, {arrivals}: {still}");
                }
                for load in [0.3, 0.6] {
                    // 1 / (1 - load) service times: from 1.4 to 2.4 of the first at 0.3, from 2.5 to 8.8 at 0.6. That is many
                    // errors of a line through 10,000 of them; four of five is little to ask.
                    let slower = moves(load, arrivals, servers, 0.4);
                    assert!(slower >= 160, "{load} of {servers}, {arrivals}: {slower}");
                }
            }
        }
    }
}
