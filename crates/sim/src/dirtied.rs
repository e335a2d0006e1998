//! Open loops through write-back caches: what a cache takes in above what leaves it is work that is left to do, like what is due or
//! under way. It grows from the beginning on where a rate cannot be served, long before the cache is full and writes wait.

use iodyno_load::reading::Growth;
use iodyno_load::request::{Point, Profile, Target};
use iodyno_load::series::Series;

use crate::meter::Snapshot;
use crate::system::{On, System};
use crate::volume::{answers_writes, of_target};

/// How what is left to do of one of a point's loads grew; none of a load that waits, that writes to no such cache, or that writes to
/// one beside a load that waits: that one takes what it has room for. The snapshots are those at the ends of the measured windows.
pub(crate) fn growth<'a>(
    (point, system): (&Point, &System),
    load: usize,
    series: &Series,
    ends: impl IntoIterator<Item = &'a Snapshot>,
) -> Option<Growth> {
    let each = ios_a_byte(&point.loads(), system, load)?;
    let dirty = |end: &Snapshot| -> f64 {
        let pairs = end.gained.iter().zip(&each);
        pairs.map(|(&bytes, each)| bytes as f64 * each).sum()
    };
    Growth::beside(series, ends.into_iter().map(dirty))
}

/// I/Os of a load that a dirty byte stands for, by logical drive: loads fall behind their rates by the same share.
fn ios_a_byte(loads: &[Point], system: &System, of: usize) -> Option<Vec<f64>> {
    let (mut asked, mut written) = (vec![0.0; logicals(system)], vec![0.0; logicals(system)]);
    for (number, load) in loads.iter().enumerate().filter(|load| load.1.profile.writes()) {
        for target in &load.targets {
            let Some(place) = cache_of(system, target) else {
                continue;
            };
            let rate = load.rate_io_s.unwrap_or(f64::INFINITY) / load.targets.len() as f64;
            written[place] += rate * written_by_each(&load.profile);
            if number == of {
                asked[place] += rate;
            }
        }
    }
    let pairs = asked.into_iter().zip(written);
    let each: Vec<f64> = pairs
        .map(|(asked, written)| if asked > 0.0 { asked / written } else { 0.0 })
        .collect();
    let known = each.iter().all(|each| each.is_finite()) && each.iter().any(|&each| each > 0.0);
    known.then_some(each)
}

/// Bytes that an access writes on the mean.
fn written_by_each(profile: &Profile) -> f64 {
    (1.0 - profile.trim_share) * (1.0 - profile.read_share) * profile.mean_bytes_of(true)
}

fn logicals(system: &System) -> usize {
    let each = system.controllers.iter();
    each.map(|controller| controller.logicals.len()).sum()
}

/// The logical drive of a target whose writes a cache answers, among those of all controllers.
fn cache_of(system: &System, target: &Target) -> Option<usize> {
    let On::Logical { controller, logical } = of_target(system, target)?.on else {
        return None;
    };
    let before = system.controllers[..controller].iter();
    let before: usize = before.map(|controller| controller.logicals.len()).sum();
    answers_writes(&system.controllers[controller], logical).then_some(before + logical)
}
