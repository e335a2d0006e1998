//! What limits a result: utilisations, the bottleneck, bounds; and the laws that every result must keep.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use iodyno_load::reading::{Bottleneck, Bounds, Limit, Station};

use crate::fabric::StationRow;
use crate::spent::{PLACE_NAMES, Place, SpentByAll};
use crate::station::Sums;
use crate::time::{Ps, Total};
use crate::way::Ways;

/// Places that are waiting for room and nothing else.
const ROOM_NAMES: [&str; 2] = [
    PLACE_NAMES[Place::ControllerRoom as usize],
    PLACE_NAMES[Place::DriveRoom as usize],
];
/// Utilisation from which on a station is saturated.
const SATURATED: f64 = 0.9;
/// Share of the I/Os from which on what limits them limits the rate.
const MOST: f64 = 0.5;
/// What utilisations may be over 1: service that was reserved for later is counted when it is reserved.
const AHEAD: f64 = 0.02;
/// Services that what goes on behind answered I/Os may have reserved at a station when the measured part ends: a
/// full queue of a drive. It matters where little is measured.
const RESERVED: f64 = 256.0;

/// The stations of the measured part, equal ones together, in the order of their first: those that only loads beside
/// the first go through are apart. Those that nothing was asked of, as a failed drive's, are left out beside others that
/// worked.
pub(crate) fn stations(
    (rows, ways): (&[StationRow], &Ways),
    sums: &[Sums],
    measured: Ps,
    longest: Ps,
) -> Vec<Station> {
    let mut stations: Vec<Station> = Vec::new();
    let mut known: BTreeMap<(&str, usize, bool), usize> = BTreeMap::new();
    for (row, sums) in rows.iter().zip(sums) {
        let busy = busy(row, sums, measured);
        let reserved = RESERVED * sums.busy.seconds() / sums.jobs.max(1) as f64;
        let most = 1.0 + AHEAD + (longest.seconds() + reserved) / measured.seconds();
        assert!(busy <= most, "{} is busy for {busy} of the time", row.name);
        let busy = busy.min(1.0);
        let beside = ways.beside(row.part);
        let at = *known
            .entry((&row.name, row.servers, beside))
            .or_insert(stations.len());
        if at == stations.len() {
            stations.push(Station {
                name: row.name.clone(),
                place: PLACE_NAMES[row.place as usize],
                count: 0,
                servers: row.servers,
                room: row.room,
                beside,
                share: None,
                utilisation_mean: 0.0,
                utilisation_max: 0.0,
                mean_queue: 0.0,
                jobs: 0,
            });
        }
        let station = &mut stations[at];
        let idle = sums.jobs == 0 && sums.busy == Total::ZERO;
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

/// How busy a station was.
pub(crate) fn busy(row: &StationRow, sums: &Sums, measured: Ps) -> f64 {
    sums.busy.seconds() / (measured.seconds() * row.servers as f64)
}

/// The share of each place in the latency; places without time are left out.
pub(crate) fn split(spent: &SpentByAll) -> BTreeMap<&'static str, f64> {
    let total = spent.total().seconds();
    let shares = PLACE_NAMES
        .iter()
        .zip(spent.0)
        .filter(|(_, span)| *span > Total::ZERO);
    shares
        .map(|(name, span)| (*name, span.seconds() / total))
        .collect()
}

/// The stations that serve anybody: room is full because of them.
fn servers(stations: &[Station]) -> impl Iterator<Item = &Station> {
    stations
        .iter()
        .filter(|station| !station.room && station.jobs > 0)
}

/// What limits the rate: a saturated station, or the latency that each outstanding I/O waits for. Of equal stations
/// one can be saturated while the others are not, as the first of a mirror that all reads go to. Of equally busy ones the
/// first on the way is named. Where most of the time is waited for room, what empties it is the limit. Of several loads the
/// first is told of, whose figure it is: what it does not go through limits others. Of targets that are unlike, those count that
/// have most of the I/Os: `share` is what goes to targets behind those stations of a name that are so busy or busier. A buffer
/// that limits how many programs there are comes after all that serves: what waits in it for a busy server is no limit.
pub(crate) fn bottleneck(
    stations: &[Station],
    split: &BTreeMap<&'static str, f64>,
    share: impl Fn(&Station, f64) -> f64,
) -> Bottleneck {
    let on_the_way = || servers(stations).filter(|station| !station.beside);
    let saturated = on_the_way().filter_map(|station| {
        let all = station.utilisation_mean >= SATURATED;
        let utilisation = match all {
            true => station.utilisation_mean,
            false => station.utilisation_max,
        };
        let share = share(station, if all { 0.0 } else { SATURATED });
        let key = (
            ROOM_NAMES.contains(&station.place),
            share < MOST,
            !all,
            foremost(utilisation, station.place),
            &station.name,
        );
        (utilisation >= SATURATED).then_some((key, (station, utilisation, share)))
    });
    let saturated = saturated.min_by(|one, other| one.0.cmp(&other.0));
    match saturated.map(|(_, found)| found) {
        Some((station, utilisation, share)) => Bottleneck {
            station: Some(station.name.clone()),
            place: station.place,
            utilisation,
            kind: Limit::Saturated,
            share: Some(share).filter(|&share| share < 1.0),
        },
        None => {
            let all = on_the_way()
                .filter(|station| !ROOM_NAMES.contains(&station.place))
                .map(|station| (station, station.utilisation_mean))
                .min_by_key(|&(station, busy)| (foremost(busy, station.place), &station.name));
            Bottleneck {
                station: None,
                place: longest(split)
                    .filter(|place| !ROOM_NAMES.contains(place))
                    .or(all.map(|(station, _)| station.place))
                    .unwrap_or(PLACE_NAMES[0]),
                utilisation: all.map_or(0.0, |(_, utilisation)| utilisation),
                kind: Limit::Outstanding,
                share: None,
            }
        }
    }
}

/// What sorts the greatest share to the front; of shares that have the same nine digits the first on the way from the host to
/// the media is there. The formulas name by the same rule, whose sums are in floats.
fn foremost(share: f64, place: &str) -> (Reverse<u64>, usize) {
    let at = PLACE_NAMES.iter().position(|&name| name == place);
    (Reverse((share * 1e9).round() as u64), at.expect("a place"))
}

/// The place with the greatest share of the latency, of equal ones the first on the way.
fn longest(split: &BTreeMap<&'static str, f64>) -> Option<&'static str> {
    let greatest = split.iter().min_by_key(|&(place, &share)| foremost(share, place));
    greatest.map(|(place, _)| *place)
}

/// The asymptotic bound of a closed loop: no more than the busiest station can serve, and no more than one I/O
/// for each outstanding one in the least latency that was seen.
///
/// # Panics
/// If the rate is above what the latency allows; what the stations allow is that none is busy for longer than all of the time.
pub(crate) fn bounds(rate_io_s: f64, outstanding: usize, least: Ps, stations: &[Station]) -> Bounds {
    let busiest = servers(stations)
        .filter(|station| !ROOM_NAMES.contains(&station.place))
        .map(|station| station.utilisation_max)
        .fold(0.0, f64::max);
    let by_stations = (busiest > 0.0).then(|| rate_io_s / busiest);
    let by_latency = (least > Ps::ZERO).then(|| outstanding as f64 / least.seconds());
    if let Some(bound) = by_latency {
        assert!(
            rate_io_s <= bound * 1.05,
            "{rate_io_s} I/Os per second where {bound} are possible"
        );
    }
    let bound = [by_stations, by_latency].into_iter().flatten().reduce(f64::min);
    Bounds { rate_io_s: bound }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::way::Part;

    fn station(name: &str, place: usize, room: bool, (mean, max): (f64, f64)) -> Station {
        Station {
            name: name.to_owned(),
            place: PLACE_NAMES[place],
            count: 2,
            servers: 1,
            room,
            beside: false,
            share: None,
            utilisation_mean: mean,
            utilisation_max: max,
            mean_queue: 1.0,
            jobs: 10,
        }
    }

    fn limit(drive: (f64, f64)) -> (Option<String>, &'static str, f64) {
        let stations = [
            station("core", 0, false, (0.3, 0.3)),
            station("drive: write buffer", 8, true, (1.0, 1.0)),
            station("drive: data path", 9, false, drive),
        ];
        let split = BTreeMap::from([("drive_room", 0.7), ("host_cpu", 0.3)]);
        let found = bottleneck(&stations, &split, |_, _| 1.0);
        assert_eq!(found.station.is_some(), found.kind == Limit::Saturated);
        (found.station, found.place, found.utilisation)
    }

    /// Jobs of equal drives in 10 s, and for how long they were busy with them, in ms.
    fn drives(busy: &[(u64, u64)]) -> Vec<Station> {
        let row = |drive| StationRow {
            name: "drive".to_owned(),
            place: Place::DriveMedia,
            servers: 1,
            room: false,
            part: Part::Drive(drive),
        };
        let rows: Vec<_> = (0..busy.len()).map(row).collect();
        let sums = busy.iter().map(|&(jobs, busy)| Sums {
            jobs,
            busy: Ps(busy * 1_000_000_000).into(),
            residence: Ps(2 * busy * 1_000_000_000).into(),
        });
        let sums: Vec<_> = sums.collect();
        stations((&rows, &Ways::none()), &sums, Ps(10_000_000_000_000), Ps::ZERO)
    }

    /// Nothing goes to a failed drive: what others did is the mean of them alone, wherever it is among them. Where nothing was done at
    /// all there is one of all that rested.
    #[test]
    fn drives_that_rest_are_left_out_beside_others_that_work() {
        let (rests, one, other) = ((0, 0), (4, 4000), (8, 8000));
        for busy in [[rests, one, other], [one, rests, other], [one, other, rests]] {
            let found = drives(&busy);
            assert_eq!(
                (found.len(), found[0].count, found[0].jobs),
                (1, 2, 12),
                "{busy:?}"
            );
            assert!((found[0].utilisation_mean - 0.6).abs() < 1e-12, "{busy:?}");
            assert_eq!(found[0].utilisation_max, 0.8);
            assert!((found[0].mean_queue - 2.4).abs() < 1e-12);
        }
        assert_eq!(drives(&[rests, rests])[0].count, 1);
        // One that has been busy with what came before works, and so do those whose jobs take no time.
        for (busy, jobs) in [([(0, 500), one], 4), ([(3, 0), (5, 0)], 8)] {
            let found = drives(&busy);
            assert_eq!((found[0].count, found[0].jobs), (2, jobs), "{busy:?}");
        }
    }

    /// What is reserved for later can be over the end: nothing is busy for more than all of the time.
    #[test]
    fn nothing_is_busier_than_all_of_the_time() {
        let found = drives(&[(1, 10_100), (1, 10_000)]);
        assert_eq!((found[0].utilisation_mean, found[0].utilisation_max), (1.0, 1.0));
    }

    /// A buffer that serves, and is full because programs are slow, is no bound: twice as many go through a data path that is half busy.
    #[test]
    fn room_that_serves_is_no_bound() {
        let stations = [
            station("drive: write buffer", 8, false, (1.0, 1.0)),
            station("drive: data path", 9, false, (0.5, 0.5)),
        ];
        assert_eq!(bounds(100.0, 1, Ps::ZERO, &stations).rate_io_s, Some(200.0));
    }

    /// However they are listed; and so is the place of most of the latency, where nothing is saturated.
    #[test]
    fn of_equally_busy_stations_the_first_on_the_way_is_named() {
        let split = BTreeMap::from([("drive_media", 0.4), ("switch", 0.4), ("host_cpu", 0.2)]);
        let named = |busy: f64| {
            let mut stations = [
                station("drive: data path", 9, false, (busy, busy)),
                station("link, writes", 1, false, (busy, busy)),
                station("link, reads", 1, false, (busy * (1.0 - 1e-13), busy)),
                station("core", 0, false, (busy / 2.0, busy / 2.0)),
            ];
            let all: BTreeSet<_> = (0..4)
                .flat_map(|at| [(at, 0), (at, 1), (at, 2)])
                .map(|(one, other)| {
                    stations.swap(one, other);
                    let found = bottleneck(&stations, &split, |_, _| 1.0);
                    (found.station, found.place)
                })
                .collect();
            Vec::from_iter(all)
        };
        assert_eq!(named(0.95), [(Some("link, reads".to_owned()), "host_link")]);
        assert_eq!(named(0.8), [(None, "switch")]);
    }

    #[test]
    fn what_empties_a_full_buffer_is_the_limit_and_not_the_buffer() {
        let named = Some("drive: data path".to_owned());
        assert_eq!(limit((0.95, 0.96)), (named.clone(), "drive_media", 0.95));
        assert_eq!(limit((0.6, 1.0)), (named, "drive_media", 1.0), "one of two");
        assert_eq!(limit((0.6, 0.8)), (None, "drive_media", 0.6));
        assert_eq!(limit((0.1, 0.1)), (None, "host_cpu", 0.3));
    }
}
