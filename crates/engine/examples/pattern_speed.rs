//! Time of one draw by distribution, in turns: `cargo run --release -p iodyno-engine --example pattern_speed`.

use std::hint::black_box;
use std::time::Instant;

use iodyno_load::pattern::AccessStream;
use iodyno_load::request::{Distribution, Profile, Zone};
use serde_json::json;

const DRAWS: u32 = 20_000;
const ROUNDS: usize = 300;

fn main() {
    let zone = |accesses, range| Zone { accesses, range };
    let zones = vec![zone(0.9, 0.1), zone(0.1, 0.7)];
    let cases = [
        ("sequential", 0.0, Distribution::Uniform),
        ("uniform", 1.0, Distribution::Uniform),
        ("zipf:0.99", 1.0, Distribution::Zipf { parameter: 0.99 }),
        ("zipf:1.2", 1.0, Distribution::Zipf { parameter: 1.2 }),
        ("pareto:0.2", 1.0, Distribution::Pareto { parameter: 0.2 }),
        ("normal:0.1", 1.0, Distribution::Normal { parameter: 0.1 }),
        ("90/10, 10/70", 1.0, Distribution::Zones { zones }),
        ("permutation", 1.0, Distribution::Permutation),
    ];
    let mut streams: Vec<AccessStream> = cases
        .iter()
        .map(|(_, random, of)| AccessStream::new(&profile(*random, of), (0, 1 << 40), 1, 0, (0, 1)))
        .collect();
    let mut best = vec![f64::INFINITY; cases.len()];
    for _ in 0..ROUNDS {
        for (stream, best) in streams.iter_mut().zip(&mut best) {
            let begin = Instant::now();
            for _ in 0..DRAWS {
                black_box(stream.next());
            }
            *best = best.min(begin.elapsed().as_nanos() as f64 / f64::from(DRAWS));
        }
    }
    for ((name, ..), best) in cases.iter().zip(best) {
        println!("{name:14} {best:6.1} ns");
    }
}

fn profile(random_share: f64, distribution: &Distribution) -> Profile {
    let said = json!({
        "random_share": random_share,
        "read_share": 0.67,
        "blocks": [{ "bytes": 4096, "weight": 1.0 }],
        "alignment_bytes": 4096,
        "data": "incompressible",
        "shown_as": "transaction_rate",
    });
    Profile {
        distribution: distribution.clone(),
        ..serde_json::from_value(said).expect("a profile")
    }
}
