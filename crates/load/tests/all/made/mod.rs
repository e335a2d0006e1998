//! Profiles and points for the tests of access patterns, and the limits that theory gives.

use iodyno_load::pattern::{Access, AccessStream};
use iodyno_load::request::{
    Arrival, Distribution, EngineChoice, Point, Profile, Stopping, Target, TargetKind, WorkersArea, Zone,
};
use serde_json::json;

pub(crate) const SEED: u64 = 20_260_101;

/// A profile of these shares and blocks, offsets multiples of 4 KiB, drawn evenly.
pub(crate) fn profile(random_share: f64, read_share: f64, blocks: &[(u32, f64)]) -> Profile {
    let block = |&(bytes, weight): &(u32, f64)| json!({ "bytes": bytes, "weight": weight });
    let said = json!({
        "random_share": random_share,
        "read_share": read_share,
        "blocks": blocks.iter().map(block).collect::<Vec<_>>(),
        "alignment_bytes": 4096,
        "data": "incompressible",
        "shown_as": "transaction_rate",
    });
    serde_json::from_value(said).expect("a profile")
}

/// Random reads of one block size by a distribution.
pub(crate) fn random(bytes: u32, distribution: Distribution) -> Profile {
    Profile {
        distribution,
        ..profile(1.0, 1.0, &[(bytes, 1.0)])
    }
}

/// Zones of (accesses, range).
pub(crate) fn zones(shares: &[(f64, f64)]) -> Distribution {
    let zone = |&(accesses, range): &(f64, f64)| Zone { accesses, range };
    Distribution::Zones {
        zones: shares.iter().map(zone).collect(),
    }
}

/// A point of a profile on one target.
pub(crate) fn point(profile: Profile, area: (u64, u64), workers: usize, workers_area: WorkersArea) -> Point {
    println!("seed {SEED}");
    let target = Target {
        path: "/somewhere".to_owned(),
        kind: TargetKind::File,
        area_start_bytes: area.0,
        area_length_bytes: area.1,
    };
    Point {
        profile,
        targets: vec![target],
        beside: Vec::new(),
        outstanding: 1,
        workers,
        workers_area,
        targets_per_worker: None,
        rate_io_s: None,
        arrival: Arrival::Fixed,
        begins_after_s: 0.0,
        engine: EngineChoice::Null,
        direct: true,
        write_through: false,
        cold_cache: false,
        iopoll: false,
        worker_cpus: Vec::new(),
        stopping: Stopping {
            warmup_s: 0.0,
            floor_s: 1.0,
            cap_s: 1.0,
            precision: 0.02,
            confidence: 0.95,
            warmup_ios: None,
            floor_ios: None,
            cap_ios: None,
        },
        seed: SEED,
        system: None,
    }
}

/// The first accesses of the only worker.
pub(crate) fn draw(profile: &Profile, area: (u64, u64), count: usize) -> Vec<Access> {
    println!("seed {SEED}");
    let mut stream = AccessStream::new(profile, area, SEED, 0, (0, 1));
    (0..count).map(|_| stream.next()).collect()
}

/// Whether a count of successes is within five standard deviations of the binomial mean.
pub(crate) fn share_holds(successes: usize, draws: usize, share: f64) -> bool {
    let mean = draws as f64 * share;
    (successes as f64 - mean).abs() <= 5.0 * (mean * (1.0 - share)).sqrt()
}

/// Whether counts fit probabilities: chi-square within five standard deviations of its mean. Cells that
/// expect fewer than ten are put together.
pub(crate) fn fits(counts: &[u64], probabilities: &[f64]) -> Result<(), String> {
    assert_eq!(counts.len(), probabilities.len());
    let total: f64 = probabilities.iter().sum();
    assert!((total - 1.0).abs() < 1e-9, "probabilities add up to {total}");
    let draws = counts.iter().sum::<u64>() as f64;
    let (mut chi2, mut cells) = (0.0, 0.0);
    let (mut seen, mut expected) = (0.0, 0.0);
    for (&count, &probability) in counts.iter().zip(probabilities) {
        seen += count as f64;
        expected += probability * draws;
        if expected >= 10.0 {
            chi2 += (seen - expected).powi(2) / expected;
            cells += 1.0;
            (seen, expected) = (0.0, 0.0);
        }
    }
    let freedom: f64 = cells - 1.0;
    let off = (chi2 - freedom) / (2.0 * freedom.max(1.0)).sqrt();
    // The distribution of chi-square is skewed where there are few cells.
    let limit = 5.0 + 10.0 / freedom.max(1.0).sqrt();
    if off.abs() < limit {
        Ok(())
    } else {
        Err(format!("chi-square {chi2:.1} with {freedom} degrees of freedom"))
    }
}
