//! What limits a result: utilisations, the bottleneck, bounds; and the laws that every result must keep.

use std::collections::BTreeMap;

use iodyno_load::reading::{Bottleneck, Bounds, Limit, Station};

use crate::fabric::StationRow;
use crate::spent::{PLACE_NAMES, Spent};
use crate::station::Sums;
use crate::time::Ps;

/// Utilisation from which on a station is saturated.
const SATURATED: f64 = 0.9;
/// What utilisations may be over 1: service that was reserved for later is counted when it is reserved.
const AHEAD: f64 = 0.02;
/// Services that what goes on behind answered I/Os may have reserved at a station when the measured part ends: a
/// full queue of a drive. It matters where little is measured.
const RESERVED: f64 = 256.0;

/// The stations of the measured part, equal ones together, in the order of their first. Those that nothing was
/// asked of, as a failed drive's, are left out beside others that worked.
pub(crate) fn stations(rows: &[StationRow], sums: &[Sums], measured: Ps, longest: Ps) -> Vec<Station> {
    let mut stations: Vec<Station> = Vec::new();
    let mut known: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for (row, sums) in rows.iter().zip(sums) {
        let busy = sums.busy.seconds() / (measured.seconds() * row.servers as f64);
        let reserved = RESERVED * sums.busy.seconds() / sums.jobs.max(1) as f64;
        let most = 1.0 + AHEAD + (longest.seconds() + reserved) / measured.seconds();
        assert!(busy <= most, "{} is busy for {busy} of the time", row.name);
        let busy = busy.min(1.0);
        let at = *known.entry((&row.name, row.servers)).or_insert(stations.len());
        if at == stations.len() {
            stations.push(Station {
                name: row.name.clone(),
                place: PLACE_NAMES[row.place as usize],
                count: 0,
                servers: row.servers,
                utilisation_mean: 0.0,
                utilisation_max: 0.0,
                mean_queue: 0.0,
                jobs: 0,
            });
        }
        let station = &mut stations[at];
        let idle = sums.jobs == 0 && sums.busy == Ps::ZERO;
        if station.count > 0 && idle {
            continue;
        }
        if station.jobs == 0 && station.utilisation_max == 0.0 {
            station.count = 0;
        }
        station.count += 1;
        station.utilisation_mean += (busy - station.utilisation_mean) / station.count as f64;
        station.utilisation_max = station.utilisation_max.max(busy);
        station.mean_queue += sums.residence.seconds() / measured.seconds();
        station.jobs += sums.jobs;
    }
    stations
}

/// The share of each place in the latency; places without time are left out.
pub(crate) fn split(spent: &Spent) -> BTreeMap<&'static str, f64> {
    let total = spent.total().seconds();
    let shares = PLACE_NAMES
        .iter()
        .zip(spent.0)
        .filter(|(_, span)| *span > Ps::ZERO);
    shares
        .map(|(name, span)| (*name, span.seconds() / total))
        .collect()
}

/// What limits the rate: a saturated station, or the latency that each outstanding I/O waits for.
pub(crate) fn bottleneck(stations: &[Station], split: &BTreeMap<&'static str, f64>) -> Bottleneck {
    let used = stations.iter().filter(|station| station.jobs > 0);
    let busiest = used.max_by(|a, b| a.utilisation_mean.total_cmp(&b.utilisation_mean));
    let utilisation = busiest.map_or(0.0, |station| station.utilisation_mean);
    match busiest {
        Some(station) if utilisation >= SATURATED => Bottleneck {
            station: Some(station.name.clone()),
            place: station.place,
            utilisation,
            kind: Limit::Saturated,
        },
        _ => Bottleneck {
            station: None,
            place: split
                .iter()
                .max_by(|a, b| a.1.total_cmp(b.1))
                .map_or(PLACE_NAMES[0], |(name, _)| *name),
            utilisation,
            kind: Limit::Outstanding,
        },
    }
}

/// The asymptotic bound of a closed loop: no more than the busiest station can serve, and no more than one I/O
/// for each outstanding one in the least latency that was seen.
///
/// # Panics
/// If the rate is above it.
pub(crate) fn bounds(rate_io_s: f64, outstanding: usize, least: Ps, stations: &[Station]) -> Bounds {
    let busiest = stations
        .iter()
        .map(|station| station.utilisation_max)
        .fold(0.0, f64::max);
    let by_stations = (busiest > 0.0).then(|| rate_io_s / busiest);
    let by_latency = (least > Ps::ZERO).then(|| outstanding as f64 / least.seconds());
    let bound = [by_stations, by_latency].into_iter().flatten().reduce(f64::min);
    if let Some(bound) = bound {
        assert!(
            rate_io_s <= bound * 1.05,
            "{rate_io_s} I/Os per second where {bound} are possible"
        );
    }
    Bounds { rate_io_s: bound }
}
