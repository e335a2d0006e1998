//! A point, from the first thread to the reading.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use iodyno_load::integrity::{Findings, Ledger};
use iodyno_load::pattern::mix;
use iodyno_load::reading::{EngineFacts, Integrity, Reading};
use iodyno_load::request::{DataPattern, Point, Profile};

use crate::backend::choose;
use crate::crew::Crew;
use crate::error::EngineError;
use crate::follow::Watch;
use crate::machine::raise_file_limit;
use crate::observer::{Control, Sample};
use crate::open::open_targets;
use crate::worker::Drained;

/// Ask real targets: keep the load of a point on them until the rule says enough.
///
/// The observer hears of each window of 100 ms and can interrupt; it is called at least
/// that often, from the calling thread. With a ledger, what is written is stamped and what is
/// read is compared with it.
///
/// # Errors
/// [`EngineError`] where a target cannot be opened, the engine cannot start, or the
/// observer interrupts. An I/O that fails is no error: it is in the reading.
pub fn measure(
    point: &Point,
    ledger: Option<&Arc<Ledger>>,
    mut observe: impl FnMut(Option<&Sample>) -> Control,
) -> Result<Reading, EngineError> {
    let (engine, why) = choose(point)?;
    raise_file_limit(); // before the targets: each is an open file too
    let files = Arc::new(if engine.asks() {
        open_targets(point, &mut || observe(None))?
    } else {
        Vec::new()
    });
    let stamped = |profile: &Profile| !profile.writes() || profile.data == DataPattern::Incompressible;
    assert!(
        ledger.is_none() || point.profiles().all(stamped),
        "data that a stamp would spoil"
    );
    let data_seed = data_seed(point);
    let crew = Crew::start(point, engine, &files, (data_seed, ledger), &mut || observe(None))?;
    let mut watch = Watch::new(point);
    let outcome = watch.follow(&crew, &mut observe);
    crew.stop();
    let (stopped, assessment) = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            crew.leave();
            return Err(error);
        }
    };
    let facts = EngineFacts {
        name: engine.name(),
        why,
        setup: crew.setup.clone(),
        direct: point.direct && engine.asks(),
        write_through: point.write_through && engine.asks(),
        data_seed,
        clock: crew.clock.name(),
        clock_drift_ppm: crew.clock.drift_ppm(),
    };
    let (cpus, places, shared) = (crew.cpus(), crew.places.clone(), crew.shared.clone());
    let ended = crew.join(&mut || observe(None))?;
    watch.take_rest(&shared);
    let integrity = ledger.map(|ledger| Integrity {
        session: ledger.session(),
        unit_bytes: ledger.unit_bytes(),
        targets: ledger.paths(),
        load: findings(&ended),
    });
    let mut reading = watch.reading(point, (facts, &places), (stopped, &assessment), &ended);
    reading.integrity = integrity;
    let of_loads = reading.loads.iter_mut().flat_map(|load| &mut load.workers);
    for (worker, cpus) in of_loads.zip(&cpus) {
        worker.cpus.clone_from(cpus);
    }
    for (worker, cpus) in reading.workers.iter_mut().zip(cpus) {
        worker.cpus = cpus;
    }
    Ok(reading)
}

/// What all loads found in the data that came back.
fn findings(ended: &[Drained]) -> Findings {
    let mut all = Findings::default();
    ended.iter().for_each(|load| all.merge(load.findings.clone()));
    all
}

/// A seed of the data that no other run has: a store that keeps equal blocks once would
/// find those of the run before. The reading tells it. Offsets follow the point's own seed.
fn data_seed(point: &Point) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    mix(point.seed, now.as_nanos() as u64) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_load_found_is_told() {
        let of = |checked_bytes| Drained {
            findings: Findings {
                checked_bytes,
                ..Findings::default()
            },
            ..Drained::default()
        };
        assert_eq!(findings(&[of(1), of(2), of(4)]).checked_bytes, 7);
    }
}
