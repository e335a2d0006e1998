//! Machines that are repaired: customers who think, and one station.

use iodyno_queueing::network::{Law, Network, Station};
use iodyno_queueing::solution::Solution;
use iodyno_queueing::{exact, mva};

type Method = fn(&Network, &[usize]) -> Vec<Solution>;
const METHODS: [Method; 2] = [mva::solve, exact::solve];

fn network(think_s: f64, station: Station) -> Network {
    Network {
        think_s,
        regular: false,
        stations: vec![station],
    }
}

fn close(left: f64, right: f64, tolerance: f64) {
    assert!(
        (left - right).abs() <= tolerance * right.abs(),
        "{left} is not {right}"
    );
}

/// M/M/c//N: the repair of machines. Rate from the stationary probabilities of the birth and death process.
fn repair_rate(machines: usize, think_s: f64, service_s: f64, servers: usize) -> f64 {
    let mut weight = 1.0;
    let (mut sum, mut busy) = (1.0, 0.0);
    for broken in 1..=machines {
        let served = broken.min(servers) as f64;
        weight *= (machines - broken + 1) as f64 / think_s * service_s / served;
        sum += weight;
        busy += weight * served;
    }
    busy / sum / service_s
}

#[test]
fn machine_repair() {
    for servers in [1, 3, 16, 40, 500] {
        let station = Station::new("repair", Law::Servers(servers), 1.0, 2.0);
        let net = network(10.0, station);
        for solve in METHODS {
            for solution in solve(&net, &[1, 2, 7, 20, 60]) {
                close(
                    solution.rate_s,
                    repair_rate(solution.customers, 10.0, 2.0, servers),
                    1e-9,
                );
            }
        }
    }
}

/// As many are reckoned with as there are, where the repairers are busy for about all of the time.
#[test]
fn machine_repair_of_thousands() {
    for (machines, servers) in [(20_000, 2), (3_000, 10)] {
        let think_s = machines as f64 * 2.0 / servers as f64;
        let station = Station::new("repair", Law::Servers(servers), 1.0, 2.0);
        let solved = mva::solve(&network(think_s, station), &[machines]);
        close(
            solved[0].rate_s,
            repair_rate(machines, think_s, 2.0, servers),
            1e-9,
        );
    }
}

/// Two customers who think for Z on average, and a service that always takes s: every service begins with one who
/// thinks, who is still thinking at its end with exp(−s / Z), and then both think for Z / 2.
#[test]
fn two_customers_at_constant_service() {
    for think_s in [0.5, 1.0, 2.0_f64] {
        let rate = 1.0 / (1.0 + (-1.0 / think_s).exp() * think_s / 2.0);
        let station = Station {
            service_scv: 0.0,
            ..Station::new("one", Law::Rates(vec![1.0]), 1.0, 0.0)
        };
        let solved = mva::solve(&network(think_s, station), &[2]);
        close(solved[0].rate_s, rate, 0.01);
    }
}

/// At an ordinary server what comes is taken for half over on average: so near N* the rate comes out too high, by no more
/// than 8.5 %.
#[test]
fn two_customers_at_a_server_with_constant_service() {
    for tenth in 1..200 {
        let think_s = f64::from(tenth) / 10.0;
        let rate = 1.0 / (1.0 + (-1.0 / think_s).exp() * think_s / 2.0);
        let station = Station {
            service_scv: 0.0,
            ..Station::new("one", Law::Servers(1), 1.0, 1.0)
        };
        let solved = mva::solve(&network(think_s, station), &[1, 2]);
        close(solved[0].rate_s, 1.0 / (think_s + 1.0), 1e-9);
        let more = solved[1].rate_s / rate - 1.0;
        assert!(
            (-1e-9..0.085).contains(&more),
            "{more} where they think for {think_s} s"
        );
    }
}
