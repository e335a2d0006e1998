//! Several loads on the same parts: what they write decides what becomes of a drive's flash and of a cache, and how much
//! each writes is known only once they run. So a trial run tells it, and another with what that one told, until
//! they agree.

use std::collections::{BTreeMap, BTreeSet};

use iodyno_load::reading::{LoadReading, Reading};
use iodyno_load::request::{Point, Profile};

use crate::each::outstanding;
use crate::heat::{self, Stretch};
use crate::observer::SimError;
use crate::operation::Moved;
use crate::overwritten::{self, Churn, Share};
use crate::ssd::amplification::{amplification, amplification_of_places};
use crate::system::{Model, On, SsdModel, System};
use crate::volume::{drives_of, of_target, range};

/// Trial runs at most.
const TRIALS: usize = 4;
/// Trials agree where no load's share of what is moved differs by more than this.
const AGREED: f64 = 0.01;
/// How long an I/O of a closed loop takes before a trial tells, in seconds: where trials begin, and not where they end.
const GUESSED_S: f64 = 1e-3;
/// So many times the warm-up a trial waits at the most until each load has its part of it: shares are known sooner than rates.
pub(crate) const LONGEST_WAIT: u64 = 4;
/// I/Os of a trial that count.
const TRIAL_IOS: u64 = 10_000;

/// What each load of a point may write in [`GUESSED_S`]: as much as it has outstanding, or as its rate asks.
pub(crate) fn guess(point: &Point) -> Vec<Moved> {
    let loads = point.loads();
    let meanwhile = |load: &Point| {
        let asked = load.rate_io_s.map(|rate| rate * GUESSED_S);
        asked.unwrap_or(outstanding(load) as f64)
    };
    let ios: Vec<f64> = loads.iter().map(meanwhile).collect();
    let of = |(load, ios): (&Point, f64)| {
        let profile = &load.profile;
        let writes = (1.0 - profile.trim_share) * (1.0 - profile.read_share);
        Moved {
            written: ios * writes * profile.mean_bytes_of(true),
            trimmed: ios * profile.trim_share * profile.mean_bytes_of(false),
        }
    };
    loads.iter().zip(ios).map(of).collect()
}

/// What each load of a point moves; `ask` runs a trial with what is known so far. A point whose loads have parts of
/// their own needs none.
pub(crate) fn moved(
    point: &Point,
    system: &System,
    mut ask: impl FnMut(&Point, &[Moved]) -> Result<Reading, SimError>,
) -> Result<Vec<Moved>, SimError> {
    let mut known = guess(point);
    if !needs_trials(point, system) {
        return Ok(known);
    }
    let trial = trial_of(point);
    for _ in 0..TRIALS {
        let reading = ask(&trial, &known)?;
        let next: Vec<_> = reading.loads.iter().map(moved_by).collect();
        if next.iter().all(|moved| moved.written + moved.trimmed == 0.0) {
            break; // too rare to be seen: what they ask for is all that is known
        }
        let apart = apart(&known, &next);
        known = next;
        if apart <= AGREED {
            break;
        }
    }
    Ok(known)
}

/// All loads at once, for as long as tells what they move.
fn trial_of(point: &Point) -> Point {
    let mut trial = point.clone();
    trial.begins_after_s = 0.0;
    trial.beside.iter_mut().for_each(|load| load.begins_after_s = 0.0);
    (trial.stopping.floor_ios, trial.stopping.cap_ios) = (Some(TRIAL_IOS), Some(TRIAL_IOS));
    trial
}

fn moved_by(load: &LoadReading) -> Moved {
    Moved {
        written: load.measured.writes.bytes as f64,
        trimmed: load
            .measured
            .trims
            .as_ref()
            .map_or(0.0, |trims| trims.bytes as f64),
    }
}

/// The greatest difference of a load's share.
fn apart(one: &[Moved], other: &[Moved]) -> f64 {
    let of = |moved: &Moved| moved.written + moved.trimmed;
    let all = |moved: &[Moved]| moved.iter().map(of).sum::<f64>().max(1.0);
    let (all_one, all_other) = (all(one), all(other));
    let pairs = one.iter().zip(other);
    pairs
        .map(|(one, other)| (of(one) / all_one - of(other) / all_other).abs())
        .fold(0.0, f64::max)
}

/// Whether loads that write in different ways have a drive in common that is an SSD, or is behind a cache: whatever
/// the shares of loads that are alike, they come to the same.
fn needs_trials(point: &Point, system: &System) -> bool {
    let loads = point.loads();
    let mut ways: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for load in loads
        .iter()
        .filter(|load| load.profile.writes() || load.profile.trims())
    {
        for target in &load.targets {
            let area = (&target.path, target.area_start_bytes, target.area_length_bytes);
            let way = format!("{area:?} {}", way_of(&load.profile));
            let cached = of_target(system, target).is_some_and(|of| matches!(of.on, On::Logical { .. }));
            for drive in drives_of(system, target) {
                if cached || matches!(system.drives[drive].model, Model::Ssd(_)) {
                    ways.entry(drive).or_default().insert(way.clone());
                }
            }
        }
    }
    ways.values().any(|ways| ways.len() > 1)
}

/// All that decides where writes of a load and its trims go, and how much of both there is of the other.
fn way_of(profile: &Profile) -> String {
    let of = |write| {
        (
            profile.drawn_of(write),
            profile.blocks_of(write),
            profile.alignment_of(write),
            profile.distribution_of(write),
        )
    };
    let shares = (profile.read_share, profile.trim_share, profile.gap_bytes);
    let writes = profile.writes().then(|| of(true));
    let trims = profile.trims().then(|| of(false));
    format!("{shares:?} {} {writes:?} {trims:?}", profile.grain_bytes())
}

/// An area of a drive that a load accesses.
#[derive(Clone, Copy, Debug)]
struct Area {
    load: usize,
    /// From and to, as shares of the drive's capacity.
    from: f64,
    to: f64,
    moved: Moved,
    random_share: f64,
    /// What of it the load writes, and what it trims, in the long run.
    writes: Share,
    trims: Share,
}

impl Area {
    fn has(&self, (from, to): (f64, f64)) -> bool {
        self.from <= from && to <= self.to
    }
}

/// Pages that each SSD programs for each that is written, where several loads have it, or one that writes some blocks more
/// often than others; none where one has it that writes evenly.
pub(crate) fn amplifications(point: &Point, system: &System, moved: &[Moved]) -> Vec<Option<f64>> {
    let loads = point.loads();
    let uneven: Vec<bool> = loads
        .iter()
        .map(|load| heat::uneven(&load.profile, true))
        .collect();
    let stretches = loads
        .iter()
        .map(|load| load.targets.iter().map(|target| heat::stretches(load, target)));
    let stretches: Vec<Vec<_>> = stretches.map(Iterator::collect).collect();
    // By drive and volume: what lies on different volumes lies apart.
    let mut areas = vec![BTreeMap::<&str, Vec<Area>>::new(); system.drives.len()];
    for (load, (asked, moved)) in loads.iter().zip(moved).enumerate() {
        for (target, stretches) in asked.targets.iter().zip(&stretches[load]) {
            let drives = drives_of(system, target);
            let part = 1.0 / (asked.targets.len() * drives.len()) as f64;
            let of = |write| overwritten::shares(system, target, &asked.profile, write).into_iter();
            for (drive, (writes, trims)) in drives.into_iter().zip(of(true).zip(of(false))) {
                let whole = range(system, target, drive);
                let known = areas[drive].entry(&target.path).or_default();
                // What is written nowhere but in zones lies beside them as if no load had it.
                let written =
                    |stretch: &&Stretch| stretch.accesses > 0.0 || asked.profile.drawn_of(true) < 1.0;
                for stretch in stretches.iter().filter(written) {
                    let (from, to) = stretch.within(whole);
                    known.push(Area {
                        load,
                        from,
                        to,
                        moved: Moved {
                            written: moved.written * part * stretch.accesses,
                            trimmed: moved.trimmed * part * (stretch.to - stretch.from),
                        },
                        random_share: asked.profile.drawn_of(true),
                        writes,
                        trims,
                    });
                }
            }
        }
    }
    let of = |(slot, areas): (&crate::system::DriveSlot, &BTreeMap<&str, Vec<Area>>)| {
        let loads: BTreeSet<usize> = areas.values().flatten().map(|area| area.load).collect();
        match &slot.model {
            Model::Ssd(model) if loads.len() > 1 || loads.iter().any(|&load| uneven[load]) => {
                Some(amplified(model, areas.values()))
            }
            _ => None,
        }
    };
    system.drives.iter().zip(&areas).map(of).collect()
}

/// The mean over all that is written: each part of the drive has the loads that write there.
fn amplified<'a>(model: &SsdModel, volumes: impl Iterator<Item = &'a Vec<Area>>) -> f64 {
    let (mut parts, mut accessed, mut written) = (Vec::new(), 0.0, 0.0);
    for areas in volumes {
        written += areas.iter().map(|area| area.moved.written).sum::<f64>();
        let mut bounds: Vec<f64> = areas.iter().flat_map(|area| [area.from, area.to]).collect();
        bounds.sort_by(f64::total_cmp);
        bounds.dedup();
        for pair in bounds.windows(2) {
            if let Some(here) = part(areas, (pair[0], pair[1])) {
                accessed += here.accessed;
                parts.push(here);
            }
        }
    }
    if written == 0.0 {
        return 1.0;
    }
    let flash = 1.0 + model.spare_share - model.filled_share * (1.0 - accessed.min(1.0));
    let (random, still): (Vec<_>, Vec<_>) = parts.iter().partition(|here| here.random > 0.0);
    let data = |parts: &[&Here]| parts.iter().map(|here| here.data()).sum::<f64>();
    // The same of every part: greedy collection takes units with the same share of valid pages, whatever is in them.
    let ratio = (flash - data(&still)) / data(&random);
    let copied = random.iter().map(|here| {
        let pages = if here.overwritten < here.accessed {
            amplification_of_places(ratio * here.data(), here.accessed, here.overwritten, here.valid)
        } else {
            amplification(ratio)
        };
        here.random * (pages - 1.0)
    });
    1.0 + copied.sum::<f64>() / written
}

/// What all loads do with a part of a volume.
#[derive(Clone, Copy, Debug)]
struct Here {
    /// As shares of the drive's capacity: all of it, and what is overwritten.
    accessed: f64,
    overwritten: f64,
    /// Share of what is overwritten that holds data.
    valid: f64,
    /// Bytes written at random.
    random: f64,
}

impl Here {
    /// What of it holds data.
    fn data(&self) -> f64 {
        self.accessed - self.overwritten + self.overwritten * self.valid
    }
}

/// What all loads do with a part of a volume that none has only half of; none where no load has it.
fn part(areas: &[Area], (from, to): (f64, f64)) -> Option<Here> {
    let here: Vec<_> = areas.iter().filter(|area| area.has((from, to))).collect();
    if here.is_empty() {
        return None;
    }
    let sum = |of: fn(&Area) -> f64| -> f64 {
        let each = here.iter();
        each.map(|area| of(area) * (to - from) / (area.to - area.from))
            .sum()
    };
    let mut churn = Churn::default();
    for area in &here {
        let scale = (to - from) / (area.to - area.from);
        churn.writes.push((area.writes, area.moved.written * scale));
        churn.trims.push((area.trims, area.moved.trimmed * scale));
    }
    Some(Here {
        accessed: to - from,
        overwritten: (to - from) * churn.overwritten(),
        valid: churn.valid(),
        random: sum(|area| area.moved.written * area.random_share),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A load that writes 8 to all of a drive and one that writes 3 to the second half of it: what is written is parted as the areas
    /// are, and nothing of it is lost.
    #[test]
    fn what_a_load_writes_is_spread_over_its_area() {
        let area = |load: usize, from: f64, written: f64| Area {
            load,
            from,
            to: 1.0,
            moved: Moved {
                written,
                trimmed: 0.0,
            },
            random_share: 0.5,
            writes: Share::ALL,
            trims: Share::NOTHING,
        };
        let areas = [area(0, 0.0, 8.0), area(1, 0.5, 3.0)];
        let random = |from: f64, to: f64| part(&areas, (from, to)).expect("a load there").random;
        assert_eq!([random(0.0, 0.5), random(0.5, 1.0)], [2.0, 3.5]);
        assert!(part(&areas[1..], (0.0, 0.5)).is_none());
        // The other trims: where it does, four are written and three trimmed.
        let trims = Area {
            moved: Moved {
                written: 0.0,
                trimmed: 3.0,
            },
            writes: Share::NOTHING,
            trims: Share::ALL,
            ..areas[1]
        };
        let valid = |from: f64, to: f64| part(&[areas[0], trims], (from, to)).expect("a load").valid;
        assert_eq!(valid(0.0, 0.5), 1.0);
        assert!((valid(0.5, 1.0) - 4.0 / 7.0).abs() < 1e-12);
        // Trims of eight go everywhere and writes of three to the second half: there are three written and four trimmed.
        let everywhere = Area {
            moved: Moved {
                written: 0.0,
                trimmed: 8.0,
            },
            writes: Share::NOTHING,
            trims: Share::ALL,
            ..areas[0]
        };
        let half = part(&[everywhere, areas[1]], (0.5, 1.0)).expect("a load");
        assert!((half.valid - 3.0 / 7.0).abs() < 1e-12, "{}", half.valid);
    }

    /// Loads that write 8 KiB at random, each with its outstanding I/Os or rate, and the parts of a drive of 1 GiB that it has: number
    /// and length in MiB, one behind the other.
    fn loads(of: &[(usize, Option<f64>, &[u64])]) -> Point {
        let mut at = 0;
        let mut targets = Vec::new();
        for length in of.iter().flat_map(|load| load.2) {
            targets.push(json!({
                "path": "disk", "kind": "virtual", "area_start_bytes": at << 20, "area_length_bytes": length << 20,
            }));
            at += length;
        }
        let load = |&(outstanding, rate, parts): &(usize, Option<f64>, &[u64])| {
            json!({
                "profile": {
                    "random_share": 1.0, "read_share": 0.0, "blocks": [{ "bytes": 8192, "weight": 1.0 }],
                    "alignment_bytes": 8192, "data": "zeros", "shown_as": "throughput",
                },
                "targets": parts.len(), "outstanding": outstanding, "workers": 1, "rate_io_s": rate,
                "arrival": "poisson", "seed": 1,
            })
        };
        let mut point = load(&of[0]);
        point["targets"] = targets.into();
        point["beside"] = of[1..].iter().map(load).collect();
        (point["engine"], point["direct"]) = (json!("simulator"), json!(true));
        point["stopping"] =
            json!({ "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95 });
        serde_json::from_value(point).expect("a point")
    }

    /// In a millisecond: as many as are outstanding, or as the rate asks, whatever may be outstanding then.
    #[test]
    fn what_a_load_writes_is_guessed_by_its_rate_if_it_has_one() {
        let point = loads(&[(64, Some(3000.0), &[1]), (2, Some(9000.0), &[1]), (5, None, &[1])]);
        let written: Vec<f64> = guess(&point).iter().map(|moved| moved.written / 8192.0).collect();
        assert_eq!(written, [3.0, 9.0, 5.0]);
    }

    /// All that begins later by its own word is there from the beginning of a trial.
    #[test]
    fn a_trial_has_all_loads_at_once() {
        let mut point = loads(&[(1, None, &[1]), (1, None, &[1]), (1, None, &[1])]);
        point.begins_after_s = 3.0;
        point.beside[1].begins_after_s = 7.0;
        let trial = trial_of(&point);
        let begin: Vec<_> = trial.loads().iter().map(|load| load.begins_after_s).collect();
        assert_eq!(begin, [0.0; 3]);
        assert_eq!(trial.stopping.cap_ios, Some(TRIAL_IOS));
    }

    /// A drive, flash or a hard disk, of 1 GiB: alone, or behind a controller with a cache that answers writes.
    fn one_drive(flash: bool, behind: bool) -> System {
        let cpu = json!({ "read_ps": 0, "write_ps": 0, "per_kib_ps": 0 });
        let ssd = json!({
            "kind": "ssd", "capacity_bytes": 1 << 30, "spare_share": 0.1, "filled_share": 1.0,
            "command_read_ps": 1, "command_write_ps": 1, "delay_read_ps": 1, "delay_write_ps": 1, "dies": 1,
            "stripe_bytes": 8192, "read_ps": 1, "program_bytes": 8192, "program_ps": 1, "suspend_ps": 1,
            "data_read_bytes_s": 1_000_000_000, "data_write_bytes_s": 1_000_000_000, "turnaround_ps": 1,
            "buffer_bytes": 8192, "write_cache": true, "prefetch": null,
        });
        let hdd = json!({
            "kind": "hdd", "capacity_bytes": 1 << 30, "revolution_ps": 4_000_000_000_u64, "heads": 4, "zones": 5,
            "outer_bytes_s": 230_000_000, "inner_bytes_s": 140_000_000, "seek_track_ps": 200_000_000_u64,
            "seek_average_ps": 2_900_000_000_u64, "seek_full_ps": 6_500_000_000_u64, "write_settle_ps": 1, "tags": 32,
            "command_ps": 0, "cached_write_ps": 0, "missed_revolution": 0.0, "write_cache": false,
            "write_cache_entries": 0, "read_ahead_bytes": 0, "read_segments": 1,
        });
        let on = match behind {
            true => json!({ "kind": "logical", "controller": 0, "logical": 0 }),
            false => json!({ "kind": "drive", "drive": 0 }),
        };
        let array = json!({
            "level": "0", "drives": [0], "groups": 1, "strip_bytes": 65_536, "failed": [], "rebuild_bytes_s": 0,
            "mirror_read": { "policy": "primary" },
        });
        let controller = json!({
            "name": "controller", "path": [], "cores": 1, "host_io_ps": 1, "fast_io_ps": 1, "disk_io_ps": 1,
            "parity_write_ps": 1, "parity_per_kib_ps": 1, "delay_ps": 1, "read_bytes_s": 1, "write_bytes_s": 1,
            "parity_bytes_s": 1, "cache_bytes": 1 << 20, "cache_read_ps": 1, "cache_write_ps": 1, "drive_queue": 64,
            "logicals": [{
                "name": "logical", "size_bytes": 1 << 30, "read_ahead": false, "write_back": true,
                "cached_reads": false, "fast_path": false, "array": array,
            }],
        });
        let system = json!({
            "name": "test", "host": { "cores": 1, "wakeup_ps": 0 }, "links": [], "switches": [],
            "controllers": if behind { vec![controller] } else { Vec::new() },
            "drives": [{ "name": "drive", "path": [], "model": if flash { ssd } else { hdd } }],
            "volumes": [{ "name": "disk", "size_bytes": 1 << 30, "cpu": cpu, "child_cpu": cpu, "on": on }],
        });
        serde_json::from_value(system).expect("a system")
    }

    /// What is written where matters to flash and to a cache, and to nothing else; and of loads that are alike it is known.
    #[test]
    fn loads_are_tried_where_they_share_flash_or_a_cache() {
        let apart = loads(&[(1, None, &[256]), (1, None, &[256])]);
        for (flash, behind, tried) in [
            (true, false, true),
            (true, true, true),
            (false, true, true),
            (false, false, false),
        ] {
            let system = one_drive(flash, behind);
            assert_eq!(needs_trials(&apart, &system), tried, "flash {flash}, {behind}");
        }
        let mut alike = apart.clone();
        alike.targets[1].area_start_bytes = 0;
        assert!(!needs_trials(&alike, &one_drive(true, false)), "of one area");
    }

    /// It is guessed that two loads write as much as each other. Trials end with one that says what was known, and after four.
    #[test]
    fn trials_end_when_they_tell_nothing_new() {
        let mut point = loads(&[(1, None, &[256]), (1, None, &[256])]);
        (point.stopping.floor_ios, point.stopping.cap_ios) = (Some(1000), Some(1000));
        let system = one_drive(true, false);
        let reading = crate::simulate(&point, &system, || crate::Control::Continue).expect("a reading");
        for (told, expected) in [
            (&[1, 1][..], 1),
            (&[101, 100], 1),
            (&[3, 3], 2),
            (&[3, 1, 1], 3),
            (&[3, 1, 3, 1, 3], 4),
        ] {
            let mut trials = 0;
            let ask = |_: &Point, _: &[Moved]| {
                let mut next = reading.clone();
                next.loads[0].measured.writes.bytes = 100 * told[trials];
                next.loads[1].measured.writes.bytes = if told[0] > 100 { 10_000 } else { 100 };
                trials += 1;
                Ok(next)
            };
            moved(&point, &system, ask).expect("what is moved");
            assert_eq!(trials, expected, "{told:?}");
        }
    }

    /// What a load writes is parted over its targets: one that has two halves of an area does there what two loads do that have one
    /// each and write half as much.
    #[test]
    fn a_load_of_two_targets_is_two_loads_of_one() {
        let system = one_drive(true, false);
        let amplified = |point: &Point, written: &[f64]| {
            let of = |&written: &f64| Moved {
                written,
                trimmed: 0.0,
            };
            let moved: Vec<_> = written.iter().map(of).collect();
            amplifications(point, &system, &moved)[0].expect("several loads")
        };
        let two = amplified(&loads(&[(1, None, &[256, 256]), (1, None, &[512])]), &[6.0, 1.0]);
        let parted = [(1, None, &[256][..]), (1, None, &[256]), (1, None, &[512])];
        let three = amplified(&loads(&parted), &[3.0, 3.0, 1.0]);
        assert!(two > 1.5, "{two}");
        assert!((two / three - 1.0).abs() < 1e-9, "{two} and {three}");
    }
}
