//! Networks whose solution is a formula.

use iodyno_queueing::bounds::bounds;
use iodyno_queueing::network::{Fewest, Law, Network, Station};
use iodyno_queueing::solution::Solution;
use iodyno_queueing::{array, exact, mva};

type Method = fn(&Network, &[usize]) -> Vec<Solution>;
const METHODS: [Method; 2] = [mva::solve, exact::solve];

fn network(think_s: f64, stations: Vec<Station>) -> Network {
    Network {
        think_s,
        regular: false,
        stations,
    }
}

fn close(left: f64, right: f64, tolerance: f64) {
    assert!(
        (left - right).abs() <= tolerance * right.abs(),
        "{left} is not {right}"
    );
}

#[test]
fn balanced_stations() {
    // N customers on K equal stations: X = N / (N + K - 1) / s.
    let net = network(0.0, vec![Station::queue("each", 3.0 * 0.25).times(3)]);
    for solve in METHODS {
        for solution in solve(&net, &[1, 2, 10, 100]) {
            let customers = solution.customers as f64;
            close(solution.rate_s, customers / (customers + 2.0) / 0.25, 1e-9);
            close(solution.stations[0].mean_queue, customers, 1e-9);
        }
    }
}

#[test]
fn delay_only() {
    let net = network(1.0, vec![Station::new("delay", Law::Delay, 2.0, 0.5)]);
    for solve in METHODS {
        let solution = &solve(&net, &[40])[0];
        close(solution.rate_s, 20.0, 1e-9);
        close(solution.stations[0].mean_queue, 20.0, 1e-9);
        assert_eq!(solution.bottleneck, None);
    }
}

/// Stations that take no time, and one that takes next to none beside a long think time: of N / X − Z hardly a digit is left.
#[test]
fn rounds_that_take_next_to_no_time() {
    let unvisited = |law| Station::new("none", law, 0.0, 1.0);
    let laws = [
        Law::Servers(1),
        Law::Servers(4),
        Law::Delay,
        Law::Rates(vec![1.0, 3.0]),
    ];
    let nothing = network(0.0447, laws.map(unvisited).to_vec());
    let little = network(10.0, vec![Station::queue("fast", 1e-9)]);
    for solve in METHODS {
        for solution in solve(&nothing, &[1, 5, 300]) {
            assert_eq!(solution.residence_s, 0.0);
            close(solution.rate_s, solution.customers as f64 / 0.0447, 1e-9);
        }
        // Of so many thinkers arrivals are Poisson: M/M/1.
        let busy = 20_000.0 / 10.0 * 1e-9;
        close(
            solve(&little, &[20_000])[0].residence_s,
            1e-9 / (1.0 - busy),
            1e-8,
        );
    }
}

/// A station with another squared coefficient of variation.
fn with_scv(station: Station, service_scv: f64) -> Station {
    Station {
        service_scv,
        ..station
    }
}

#[test]
fn constant_service_of_one_customer_and_at_saturation() {
    let station = |name| with_scv(Station::queue(name, 1.0), 0.0);
    let net = network(3.0, vec![station("only")]);
    let solutions = mva::solve(&net, &[1, 1000]);
    close(solutions[0].rate_s, 0.25, 1e-12);
    close(solutions[1].rate_s, 1.0, 1e-12);
    // The law of Little for the whole loop, held back at the bottleneck or not.
    for solution in &solutions {
        close(
            solution.rate_s * (3.0 + solution.residence_s),
            solution.customers as f64,
            1e-9,
        );
    }
    // Nothing waits for constant service of the same length: one of two customers always waits at a lone station.
    let lone = &mva::solve(&network(0.0, vec![station("lone")]), &[2])[0];
    close(lone.residence_s, 2.0, 1e-12);
}

#[test]
fn many_customers_over_a_little_used_server_are_poisson_arrivals() {
    // Think time of a long-thinking crowd makes arrivals Poisson: R is that of M/G/1.
    let customers = 100_000;
    let think_s = customers as f64 / 0.7;
    for scv in [0.0, 0.3, 1.0, 2.5] {
        let net = network(think_s, vec![with_scv(Station::queue("server", 1.0), scv)]);
        let solution = &mva::solve(&net, &[customers])[0];
        // Pollaczek and Khinchine: a job finds the server busy for a share of the time, and then half of such a service.
        let busy = solution.rate_s;
        let residence_s = 1.0 + busy * (1.0 + scv) / (2.0 * (1.0 - busy));
        close(solution.residence_s, residence_s, 1e-3);
    }
}

#[test]
fn both_methods_agree_on_arrays() {
    let rates: Vec<f64> = (1..=32).map(|q| 70.0 * f64::from(q).powf(0.27)).collect();
    for drives in [1, 2, 5, 24] {
        let net = array::array(rates.clone(), drives, 2.66);
        let both = |customers| (mva::solve(&net, &[customers]), exact::solve(&net, &[customers]));
        for customers in [1, 8, 64, 256] {
            let (analysis, convolution) = both(customers);
            close(analysis[0].rate_s, convolution[0].rate_s, 1e-6);
            close(convolution[0].stations[0].mean_queue, customers as f64, 1e-9);
        }
    }
}

#[test]
fn rates_of_servers_are_servers() {
    let rates = (1..=4).map(|busy| f64::from(busy) / 0.5).collect();
    let as_rates = network(2.0, vec![Station::new("four", Law::Rates(rates), 1.0, 0.0)]);
    let as_servers = network(2.0, vec![Station::new("four", Law::Servers(4), 1.0, 0.5)]);
    for solve in METHODS {
        for (one, other) in solve(&as_rates, &[1, 5, 40])
            .iter()
            .zip(solve(&as_servers, &[1, 5, 40]))
        {
            close(one.rate_s, other.rate_s, 1e-9);
            close(one.stations[0].mean_queue, other.stations[0].mean_queue, 1e-9);
        }
    }
}

#[test]
fn bounds_hold_and_meet_where_they_must() {
    let net = network(
        1.0,
        vec![
            Station::queue("a", 0.5),
            Station::queue("b", 0.2),
            Station::queue("c", 0.3),
        ],
    );
    for solution in exact::solve(&net, &[1, 2, 3, 5, 10, 50, 500]) {
        assert_eq!(solution.bottleneck, Some(0));
        let Bounds4 {
            upper,
            lower,
            balanced_upper,
            balanced_lower,
        } = Bounds4::of(&net, solution.customers);
        assert!(lower <= balanced_lower + 1e-12 && balanced_lower <= solution.rate_s + 1e-12);
        assert!(solution.rate_s <= balanced_upper + 1e-12 && balanced_upper <= upper + 1e-12);
    }
    // Up to the knee at (Z + D) / D_max = 4 customers it is N / (Z + D).
    close(Bounds4::of(&net, 1).upper, 0.5, 1e-12);
    close(Bounds4::of(&net, 3).upper, 1.5, 1e-12);
    // Lazowska et al.: one customer meets nobody; D + Z = 2 s.
    close(Bounds4::of(&net, 1).balanced_lower, 0.5, 1e-12);
    close(Bounds4::of(&net, 1).balanced_upper, 0.5, 1e-12);
    close(Bounds4::of(&net, 500).upper, 2.0, 1e-12);
    // N / (Z + D + (N - 1) D_max / (1 + Z / (N D))) with N = 4: 4 / (2 + 3 × 0.5 / 1.25).
    close(Bounds4::of(&net, 4).balanced_lower, 4.0 / 3.2, 1e-12);
    // N / (Z + D + (N - 1) D_mean / (1 + Z / D)): 4 / (2 + 3 × (1/3) / 2).
    close(Bounds4::of(&net, 4).balanced_upper, 4.0 / 2.5, 1e-12);
}

#[test]
fn equal_stations_have_the_bounds_of_so_many_single_ones() {
    let twice = network(
        1.0,
        vec![Station::queue("a", 0.8).times(2), Station::queue("b", 0.2)],
    );
    let single = network(
        1.0,
        vec![
            Station::queue("a", 0.4),
            Station::queue("a", 0.4),
            Station::queue("b", 0.2),
        ],
    );
    for customers in [1, 2, 5, 30] {
        let (one, other) = (Bounds4::of(&twice, customers), Bounds4::of(&single, customers));
        close(one.upper, other.upper, 1e-12);
        close(one.lower, other.lower, 1e-12);
        close(one.balanced_upper, other.balanced_upper, 1e-12);
        close(one.balanced_lower, other.balanced_lower, 1e-12);
    }
}

/// By Little a visit among q takes q / µ(q): a second in company may leave sooner than one alone.
#[test]
fn the_shortest_visit_may_be_one_in_company() {
    let station = Station::new("disk", Law::Rates(vec![1.0, 4.0, 5.0]), 2.0, 0.0);
    close(station.shortest_s(), 0.5, 1e-12);
    let net = network(1.0, vec![station]);
    close(bounds(&net, 1).upper_s, 1.0 / 2.0, 1e-12);
    close(exact::solve(&net, &[1])[0].rate_s, 1.0 / 3.0, 1e-12);
}

/// Behind all others everywhere, each visit at the least rate: N / (Z + N V / µ).
#[test]
fn a_station_of_rates_is_no_slower_than_at_its_least() {
    let station = Station::new("disk", Law::Rates(vec![4.0, 2.0, 8.0]), 3.0, 0.0);
    let found = bounds(&network(1.0, vec![station]), 2);
    close(
        found.lower_s.expect("in series"),
        2.0 / (1.0 + 2.0 * 3.0 / 2.0),
        1e-12,
    );
}

/// Two customers bring no station to the rate that it has with three; where there is one station, all are there.
#[test]
fn no_station_is_faster_than_with_all_customers() {
    let mut station = Station::new("disk", Law::Rates(vec![1.0, 1.2, 3.0]), 1.0, 0.0);
    for scv in [1.0, 0.1] {
        station.service_scv = scv;
        let net = network(0.0, vec![station.clone()]);
        for (customers, rate) in [(1, 1.0), (2, 1.2), (3, 3.0), (4, 3.0)] {
            close(bounds(&net, customers).upper_s, rate, 1e-12);
            close(mva::solve(&net, &[customers])[0].rate_s, rate, 1e-12);
        }
    }
}

/// Between whole numbers a straight line: the mean of the longest of two is 3/2, of three 11/6.
#[test]
fn the_longest_of_so_many_exponential_times() {
    for (count, mean) in [
        (1.0, 1.0),
        (2.0, 1.5),
        (3.0, 11.0 / 6.0),
        (2.5, (1.5 + 11.0 / 6.0) / 2.0),
    ] {
        close(mva::harmonic(count), mean, 1e-12);
    }
}

struct Bounds4 {
    upper: f64,
    lower: f64,
    balanced_upper: f64,
    balanced_lower: f64,
}

impl Bounds4 {
    fn of(net: &Network, customers: usize) -> Self {
        let found = bounds(net, customers);
        Self {
            upper: found.upper_s,
            lower: found.lower_s.unwrap(),
            balanced_upper: found.balanced_upper_s.unwrap(),
            balanced_lower: found.balanced_lower_s.unwrap(),
        }
    }
}

#[test]
fn visits_side_by_side_cost_the_longest() {
    // One customer: two exponential visits side by side take s (1 + 1/2), two constant ones take s.
    let forked = |scv| Station {
        passes: Some(1.0),
        parallel: 2.0,
        ..with_scv(Station::new("forked", Law::Servers(1), 2.0, 1.0).times(2), scv)
    };
    close(
        mva::solve(&network(0.0, vec![forked(1.0)]), &[1])[0].rate_s,
        1.0 / 1.5,
        1e-12,
    );
    close(
        mva::solve(&network(0.0, vec![forked(0.0)]), &[1])[0].rate_s,
        1.0,
        1e-12,
    );
    assert_eq!(exact::problems(&network(0.0, vec![forked(1.0)])).len(), 1);
}

#[test]
fn background_work_limits_the_rate_and_costs_little_latency() {
    let station = Station {
        background_s: 3.0,
        ..Station::new("dies", Law::Servers(1), 1.0, 1.0).times(4)
    };
    let net = network(0.0, vec![station]);
    let solutions = mva::solve(&net, &[1, 100]);
    close(solutions[0].rate_s, 1.0, 1e-12);
    // Four dies, four seconds a round.
    close(solutions[1].rate_s, 1.0, 1e-12);
    close(solutions[1].stations[0].utilisation, 1.0, 1e-12);
    close(solutions[1].residence_s, 100.0, 1e-9);
}

/// A disk that is four times as fast where it can choose: n present for (think^(N - n) / (N - n)!) / (µ(1) … µ(n)), and idle for
/// the share of that with none, whatever part of its best rate is used.
#[test]
fn a_station_of_rates_is_busy_while_somebody_is_there() {
    let net = network(
        2.0,
        vec![Station::new("disk", Law::Rates(vec![1.0, 4.0]), 1.0, 0.0)],
    );
    for solve in METHODS {
        let [one, two] = &solve(&net, &[1, 2])[..] else {
            panic!("two numbers were asked")
        };
        close(one.stations[0].busy, 1.0 / 3.0, 1e-9);
        close(one.stations[0].utilisation, 1.0 / 3.0 / 4.0, 1e-9);
        // 2 of 2 + 2 + 1/4.
        close(two.stations[0].busy, 1.0 - 2.0 / 4.25, 1e-9);
    }
    // Ten such disks have a tenth of the visits each.
    let ten = network(
        0.0,
        vec![Station::new("disk", Law::Rates(vec![1.0, 4.0]), 1.0, 0.0).times(10)],
    );
    for solve in METHODS {
        close(solve(&ten, &[1])[0].stations[0].busy, 0.1, 1e-9);
    }
}

/// A station of rates that works for itself half a second a round: a visit takes 1 / (1 − x/2), thinking 1 s. So
/// x (1 + 1 / (1 − x/2)) = 1, or x² − 5 x + 2 = 0.
#[test]
fn background_work_slows_a_station_of_rates() {
    // Nobody comes beside one, however fast the station is with two.
    for rates in [vec![1.0], vec![1.0, 4.0]] {
        let station = Station {
            background_s: 0.5,
            ..Station::new("disk", Law::Rates(rates), 1.0, 0.0)
        };
        let solution = &mva::solve(&network(1.0, vec![station]), &[1])[0];
        close(solution.rate_s, (5.0 - 17.0_f64.sqrt()) / 2.0, 2e-3);
        close(solution.stations[0].busy, 1.5 * solution.rate_s, 1e-9);
    }
}

/// Of work that is always there each visit gives its share: the rates are slower by that, and nothing else is another.
/// Where customers think too, how many are at a disk is told by its rates alone.
#[test]
fn background_work_that_is_always_there_takes_its_share_of_the_rates() {
    for copies in [1, 2, 4, 8] {
        let with = |background_s: f64, left: f64| Station {
            background_s,
            ..Station::new("disks", Law::Rates(scaled(&DISK, left)), 0.67, 0.0).times(copies)
        };
        for customers in [copies, 4 * copies, 16 * copies] {
            for (background_s, think_s, tolerance) in
                [(0.0002, 0.0, 1e-6), (0.002, 0.0, 1e-6), (0.0005, 0.002, 0.01)]
            {
                let rate = |station| mva::solve(&network(think_s, vec![station]), &[customers])[0].rate_s;
                let found = rate(with(background_s, 1.0));
                let left = 1.0 - found * background_s / copies as f64;
                close(found, rate(with(0.0, left)), tolerance);
            }
        }
    }
}

/// Operations a second of a disk that chooses, with 1, 2, 3 and more at it.
const DISK: [f64; 8] = [200.0, 240.0, 266.0, 287.0, 304.0, 319.0, 332.0, 343.0];

fn scaled(rates: &[f64], by: f64) -> Vec<f64> {
    rates.iter().map(|rate| rate * by).collect()
}

/// A lone customer's visit of one second, and work of `after` behind its back: with an idle time of `think` besides, a rate x leaves
/// it 1 - after·x of the station, so x (think + 1 / (1 - after·x)) = 1. However much work there is, one rate below 1 / after solves that.
#[test]
fn much_background_work_and_few_visits_come_to_one_rate() {
    for after in [0.5, 3.0, 10.0, 50.0] {
        for think in [0.0, 1.0, 20.0] {
            let station = Station {
                background_s: after,
                ..Station::new("disk", Law::Rates(vec![1.0]), 1.0, 0.0)
            };
            let found = mva::solve(&network(think, vec![station]), &[1])[0].rate_s;
            // after·think·x² - (1 + think + after)·x + 1 = 0, of which the lesser root.
            let half = (1.0 + think + after) / 2.0;
            let expected = 1.0 / (half + (half * half - after * think).sqrt());
            close(found, expected, 1e-6 * expected);
        }
    }
}

/// Work that comes as visits do and waits in turn with them: a lone customer's is the only visit of a second, and finds what
/// Pollaczek and Khinchine say of the work, ρ w / (1 − ρ), if it comes by chance. With half a second a round, x/2 of the time, that
/// gives way after a quarter of a second on average: x (think + 1 + x/8 ÷ (1 − x/2)) = 1.
#[test]
fn a_lone_visit_waits_for_the_background_and_is_served_without_it() {
    for think in [1.0, 3.0, 9.0] {
        for rates in [vec![1.0], vec![1.0, 4.0]] {
            let station = Station {
                background_s: 0.5,
                background_wait_s: 0.25,
                ..Station::new("disk", Law::Rates(rates), 1.0, 0.0)
            };
            let found = mva::solve(&network(think, vec![station]), &[1])[0].rate_s;
            let (a, b) = ((1.0 + think) / 2.0 - 0.125, 1.5 + think);
            close(found, (b - (b * b - 4.0 * a).sqrt()) / (2.0 * a), 1e-6);
        }
    }
}

/// Many customers that think for long come by chance: the work that a visit of a second finds is that of both, of which Pollaczek
/// and Khinchine say (λ·1 + ρ·w) / (1 − λ − ρ) where visits are exponential.
#[test]
fn visits_and_background_wait_in_one_line() {
    let station = Station {
        background_s: 0.5,
        background_wait_s: 0.25,
        ..Station::new("disk", Law::Rates(vec![1.0]), 1.0, 1.0)
    };
    for (think, customers) in [(20_000.0, 2_000), (20_000.0, 8_000), (20_000.0, 11_000)] {
        let found = &mva::solve(&network(think, vec![station.clone()]), &[customers])[0];
        let visits = found.rate_s;
        let waits = (visits + visits * 0.5 * 0.25) / (1.0 - visits * 1.5);
        close(found.residence_s, 1.0 + waits, 0.01 * (1.0 + waits));
    }
}

/// Many customers leave nothing of the time, whether such work waits in turn or is always there.
#[test]
fn many_visits_share_a_station_with_the_background() {
    for background_wait_s in [0.0, 0.25] {
        let station = Station {
            background_s: 0.5,
            background_wait_s,
            ..Station::new("disk", Law::Rates(vec![1.0, 2.0]), 1.0, 0.0)
        };
        let found = &mva::solve(&network(1.0, vec![station]), &[500])[0];
        close(found.rate_s, 1.0, 1e-3);
    }
}

#[test]
fn visits_wait_for_background_work_that_is_in_service() {
    // A share of 0.4 of the time in the background, 0.25 s until it gives way: 0.1 s a visit.
    let station = Station {
        background_s: 0.8,
        background_wait_s: 0.25,
        ..Station::new("dies", Law::Servers(1), 1.0, 1e-6)
    };
    let solution = &mva::solve(&network(20_000.0, vec![station]), &[10_000])[0];
    close(solution.residence_s, 0.1, 1e-3);
}

#[test]
fn of_several_interruptions_the_longest_counts() {
    // Uniform waits up to 3 s. With one customer the share of the time in the background is the rate x.
    let station = |visits: f64| Station {
        passes: Some(1.0),
        parallel: visits,
        background_s: 1.0,
        background_wait_s: 1.5,
        background_longest_s: 3.0,
        ..Station::new("dies", Law::Servers(1), visits, 1e-9)
    };
    let lone = |visits| mva::solve(&network(0.0, vec![station(visits)]), &[1])[0].rate_s;
    // One visit waits 1.5 s with probability x: x · 1.5 x = 1.
    close(lone(1.0), (1.0_f64 / 1.5).sqrt(), 2e-3);
    // Two visits: 2 x (1 - x) · 1.5 + x² · 2 = 1 / x, or 3 x² - x³ = 1: x = 0.6527.
    close(lone(2.0), 0.6527, 2e-3);
}

#[test]
fn customers_who_keep_step_reach_the_bound() {
    let net = Network {
        regular: true,
        ..network(1.0, vec![Station::queue("a", 0.5), Station::queue("b", 0.2)])
    };
    for (solution, rate) in
        mva::solve(&net, &[1, 2, 3, 4, 50])
            .iter()
            .zip([1.0 / 1.7, 2.0 / 1.7, 3.0 / 1.7, 2.0, 2.0])
    {
        close(solution.rate_s, rate, 1e-12);
    }
    assert_eq!(exact::problems(&net).len(), 1);
}

#[test]
fn operations_of_an_array() {
    let of = |level| array::Operations::of(level).unwrap();
    // Database on RAID 5: 0.67 × 1 + 0.33 × 4.
    close(of("5").mean(0.67), 1.99, 1e-12);
    close(of("10").mean(0.67), 1.33, 1e-12);
    close(of("6").mean(0.0), 6.0, 1e-12);
    assert_eq!(array::Operations::of("7"), None);
}

#[test]
fn curves_between_measured_points_follow_the_power_law() {
    let rates = array::curve(&[
        (1, 70.0),
        (4, 70.0 * 4f64.powf(0.27)),
        (32, 70.0 * 32f64.powf(0.27)),
    ]);
    assert_eq!(rates.len(), 32);
    for (rate, outstanding) in rates.iter().zip(1..) {
        close(*rate, 70.0 * f64::from(outstanding).powf(0.27), 1e-12);
    }
}

/// Of n visits at once to c copies each pair meets with 1 / c, and then one of both waits for the other: each of them waits for
/// (n − 1) / 2c services on average.
#[test]
fn visits_of_a_pass_that_meet_wait_for_each_other() {
    for (visits, copies) in [(2.0, 2), (4.0, 8), (16.0, 8)] {
        let station = Station {
            passes: Some(1.0),
            parallel: visits,
            meeting: visits / f64::from(copies),
            copies: copies as usize,
            ..Station::new("dies", Law::Servers(1), visits, 0.01)
        };
        let lone = &mva::solve(&network(0.0, vec![station]), &[1])[0];
        let visit_s = 0.01 * (1.0 + (visits - 1.0) / f64::from(2 * copies));
        close(lone.stations[0].mean_queue, lone.rate_s * visits * visit_s, 1e-9);
    }
}

/// What is not all in series has neither an exact solution nor a lower bound by one queue behind the other.
#[test]
fn what_runs_side_by_side_or_behind_has_no_exact_solution() {
    let plain = || Station::new("a", Law::Servers(1), 2.0, 0.1);
    let with = |change: fn(&mut Station)| {
        let mut station = plain();
        change(&mut station);
        network(1.0, vec![station])
    };
    let known = |net: &Network| (exact::problems(net).is_empty(), bounds(net, 3).lower_s.is_some());
    assert_eq!(known(&network(1.0, vec![plain()])), (true, true));
    for other in [
        with(|station| station.passes = Some(1.0)),
        with(|station| station.passed_s = Some(0.2)),
        with(|station| station.fewest = Some(Fewest { of: 2, sets: 1 })),
        with(|station| station.parallel = 2.0),
        with(|station| station.background_s = 0.1),
    ] {
        assert_eq!(known(&other), (false, false), "{other:?}");
    }
}

/// More copies of a server than there are customers, beside one with several servers: service is exponential, so both methods are
/// exact.
#[test]
fn both_methods_agree_on_more_copies_than_customers() {
    let disks = Station::queue("disks", 1.0).times(40);
    let stations = vec![disks, Station::new("cores", Law::Servers(2), 1.0, 0.3)];
    let net = network(0.5, stations);
    let customers = [1, 2, 3, 5, 8];
    let pairs = mva::solve(&net, &customers)
        .into_iter()
        .zip(exact::solve(&net, &customers));
    for (one, other) in pairs {
        close(one.rate_s, other.rate_s, 1e-9);
    }
}

#[test]
fn everything_wrong_is_said_at_once() {
    let station = Station {
        copies: 0,
        visits: f64::NAN,
        ..Station::new("a", Law::Servers(0), 1.0, 1.0)
    };
    let problems = network(
        -1.0,
        vec![station, Station::new("b", Law::Rates(vec![]), 1.0, 0.0)],
    )
    .problems();
    assert_eq!(problems.len(), 5, "{problems:?}");
    assert_eq!(network(0.0, vec![]).problems(), ["no station"]);
}
