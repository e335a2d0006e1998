//! What of a point an engine cannot give.

use iodyno_load::request::{Point, Profile};

use super::{Engine, discard};

/// Why an engine cannot give what a point asks for; nothing where it can.
pub(crate) fn unfit(engine: Engine, point: &Point) -> Option<String> {
    if point.iopoll && engine != Engine::IoUring {
        return Some("it cannot poll a device".to_owned());
    }
    if point.profiles().any(Profile::trims) {
        return discard::forbidden(engine, point);
    }
    None
}

/// The engine that a point gets where the best one is left open: `sync` where that does not do.
pub(crate) fn fitting(best: (Engine, String), point: &Point) -> Result<(Engine, String), String> {
    let (engine, why) = best;
    let Some(no) = unfit(engine, point) else {
        return Ok((engine, why));
    };
    match unfit(Engine::Sync, point) {
        None => Ok((Engine::Sync, format!("no {}: {no}", engine.name()))),
        Some(_) => Err(format!("{no}; {why}")),
    }
}
