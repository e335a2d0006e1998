//! Networks with so many customers that what is left after all other probabilities has no digits.

use iodyno_queueing::bounds::upper;
use iodyno_queueing::network::{Law, Network, Station};
use iodyno_queueing::{array, exact, mva};

fn network(think_s: f64, stations: Vec<Station>) -> Network {
    Network {
        think_s,
        regular: false,
        stations,
    }
}

fn rates(name: &str, rates: impl Iterator<Item = f64>) -> Station {
    Station::new(name, Law::Rates(rates.collect()), 1.0, 0.0)
}

fn power(most: u32, exponent: f64) -> impl Iterator<Item = f64> {
    (1..=most).map(move |present| 100.0 * f64::from(present).powf(exponent))
}

/// Customers of both methods in all stations, and their rates, are the same.
fn assert_exact(net: &Network, customers: &[usize]) {
    for (found, expected) in mva::solve(net, customers)
        .iter()
        .zip(exact::solve(net, customers))
    {
        let error = found.rate_s / expected.rate_s - 1.0;
        assert!(error.abs() < 1e-9, "{} customers: {error:e}", found.customers);
        for (one, other) in found.stations.iter().zip(&expected.stations) {
            let error = (one.mean_queue - other.mean_queue) / found.customers as f64;
            assert!(
                error.abs() < 1e-9,
                "{}, {} customers: {error:e}",
                one.name,
                found.customers
            );
        }
    }
}

#[test]
fn two_equal_stations_have_half_of_the_customers_each() {
    for servers in [2, 4, 6, 8, 16, 64, 300] {
        let station = |name| Station::new(name, Law::Servers(servers), 1.0, 1.0);
        let net = network(0.0, vec![station("one"), station("other")]);
        for solution in mva::solve(&net, &[1, 7, 109, 2000]) {
            for station in &solution.stations {
                let expected = solution.customers as f64 / 2.0;
                assert!(
                    (station.mean_queue / expected - 1.0).abs() < 1e-9,
                    "{servers}: {solution:?}"
                );
            }
        }
    }
}

/// So many servers as customers are a delay, also where they are given as rates.
#[test]
fn as_many_servers_as_customers() {
    let as_rates = rates("rates", (1..=64).map(f64::from));
    let as_servers = Station::new("servers", Law::Servers(900), 1.0, 1.0);
    for (station, customers) in [(as_rates, 64), (as_servers, 900)] {
        let found = &mva::solve(&network(1.0, vec![station]), &[customers])[0];
        assert!(
            (found.rate_s / (customers as f64 / 2.0) - 1.0).abs() < 1e-9,
            "{found:?}"
        );
    }
}

#[test]
fn an_array_of_a_measured_curve() {
    let curve = array::curve(&[(1, 180.0), (4, 245.0), (32, 460.0)]);
    let net = array::array(curve, 12, array::Operations::of("10").unwrap().mean(0.67));
    assert_exact(&net, &[1, 100, 500, 600, 800, 1024]);
}

#[test]
fn steep_rates_beside_a_fast_station_and_few_customers_elsewhere() {
    for (most, exponent) in [(32, 0.5), (32, 1.0), (128, 0.3), (256, 0.9)] {
        let disks = rates("disks", power(most, exponent)).times(3);
        let net = network(1e-5, vec![disks, Station::queue("fast", 1e-5).times(2)]);
        assert_exact(&net, &[1, 2, 17, 128, 500]);
    }
}

#[test]
fn unlike_stations_and_servers() {
    let net = network(
        0.02,
        vec![
            rates("a", power(20, 0.4)),
            Station::new("cores", Law::Servers(6), 1.0, 3e-3),
            rates("b", power(9, 0.6)).times(2),
            Station::new("way", Law::Delay, 2.0, 1e-3),
            rates("none", power(5, 0.5)).times(2),
            rates("one", power(1, 0.0)),
        ]
        .into_iter()
        .map(|station| Station {
            visits: if station.name == "none" { 0.0 } else { 1.0 },
            ..station
        })
        .collect(),
    );
    assert_exact(&net, &[1, 3, 30, 300]);
}

/// The more is there, the slower: a little, and so that nearly all of a geometric series would be taken off.
#[test]
fn rates_that_fall() {
    for fall in [0.999, 0.9, 0.8] {
        let falling = (0..40).map(|present| 100.0 * f64::powi(fall, present));
        let net = network(
            0.3,
            vec![rates("falling", falling).times(2), Station::queue("b", 2e-3)],
        );
        assert_exact(&net, &[1, 10, 60, 200]);
    }
}

/// Numbers between 0 and 1 that follow from a seed.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.next())
    }
}

/// Disks of 1 to 16, with more or less to gain from a choice, beside servers: service varies less than exponential. One customer more never makes it slower, and the bound is not passed.
#[test]
fn more_customers_are_no_slower() {
    let mut draw = Draw(20_270_117);
    for round in 0..200 {
        let exponent = 0.5 * draw.next();
        let mut disks = rates("disks", power(draw.between(2.0, 128.0) as u32, exponent));
        disks.service_scv = draw.next();
        let servers = draw.between(1.0, 9.0);
        let service_s = draw.between(1e-6, 1e-2) * servers;
        let mut beside = Station::new("beside", Law::Servers(servers as usize), 1.0, service_s);
        beside.service_scv = draw.next();
        let think_s = if draw.next() < 0.5 {
            0.0
        } else {
            draw.between(1e-5, 1.0)
        };
        let copies = draw.between(1.0, 17.0) as usize;
        let net = network(think_s, vec![disks.times(copies), beside]);
        let every: Vec<usize> = (1..=400).collect();
        let mut before = 0.0;
        for found in mva::solve(&net, &every) {
            let most = upper(&net, found.customers);
            let (rate, customers) = (found.rate_s, found.customers);
            assert!(
                rate >= before * (1.0 - 1e-9),
                "{round}: {rate} after {before} with {customers} of {think_s} {copies} {exponent}"
            );
            assert!(
                rate <= most * (1.0 + 1e-9),
                "{round}: {rate} over {most} with {customers} of {net:?}"
            );
            before = rate;
        }
    }
}

/// Eight disks whose rate rises to 64 present: service that varies less than exponential is faster than that, and
/// still short of the bound with as many as 64 for each.
#[test]
fn what_varies_little_lies_between_exponential_service_and_the_bound() {
    let mut disks = rates("disks", power(64, 0.3)).times(8);
    let every = [2, 8, 32, 128, 256, 300, 320, 340, 400, 512];
    let exponential = exact::solve(&network(0.0, vec![disks.clone()]), &every);
    disks.service_scv = 0.12;
    let net = network(0.0, vec![disks]);
    for (found, slower) in mva::solve(&net, &every).iter().zip(exponential) {
        let most = upper(&net, found.customers);
        assert!(
            slower.rate_s < found.rate_s && found.rate_s < 0.995 * most,
            "{found:?} {}",
            slower.rate_s
        );
    }
}

/// How many more are asked for beside it changes nothing of a solution.
#[test]
fn a_solution_does_not_hang_on_the_others() {
    let mut disks = rates("disks", power(64, 0.3)).times(8);
    disks.service_scv = 0.12;
    let mut cores = Station::new("cores", Law::Servers(2), 1.0, 2e-3);
    cores.service_scv = 0.0;
    let net = network(1e-3, vec![disks, cores]);
    let alone = mva::solve(&net, &[100]);
    let among = mva::solve(&net, &[1, 50, 100, 300]);
    assert_eq!(alone[0], among[2]);
}

#[test]
fn falling_rates_are_exact_and_hang_on_nothing_else_that_is_asked() {
    let falling = |rate: f64, by: f64, most: i32| (0..most).map(move |more| rate * by.powi(more));
    for (by, most) in [(0.8, 20), (0.9, 8), (0.95, 20), (0.98, 20)] {
        let stations = vec![
            rates("one", falling(500.0, by, most)),
            rates("other", falling(1000.0, by, most)),
        ];
        let net = network(0.0, stations);
        assert_exact(&net, &[1, 2, 10, 40]);
        assert_eq!(
            mva::solve(&net, &[2])[0].rate_s,
            mva::solve(&net, &[2, 40])[0].rate_s
        );
    }
    // Copies that customers gather at by one, where there are enough of them.
    let copies = network(1.0, vec![rates("copies", falling(100.0, 0.9, 30)).times(40)]);
    assert_exact(&copies, &[1, 100, 500]);
    let alone = mva::solve(&copies, &[500])[0].rate_s;
    assert!((mva::solve(&copies, &[500, 2000])[0].rate_s / alone - 1.0).abs() < 1e-9);
}
