//! A point on a system, from the first issue to the reading.

use iodyno_load::reading::Reading;
use iodyno_load::request::Point;

use crate::check;
use crate::fabric::Ahead;
use crate::host::Host;
use crate::least;
use crate::machine::{Machine, Next};
use crate::meter::{LONGEST_WAIT, Meter};
use crate::observer::{Control, SimError};
use crate::operation::Moved;
use crate::outcome;
use crate::sharing;
use crate::system::System;
use crate::time::Ps;

/// Events after which the observer is asked: some tens of ms.
const ASK_EVERY: u64 = 1 << 16;

/// Ask a virtual system: keep the load of a point on it until the rule says enough.
///
/// The observer is asked now and then whether to go on. The same point and system give the same reading, byte for byte.
///
/// # Errors
/// [`SimError::Request`] where the point does not fit the system or the system contradicts itself;
/// [`SimError::Interrupted`] where the observer says so; [`SimError::TooLong`] where the load is so slow that what is to be
/// counted takes longer than virtual time can be.
///
/// # Panics
/// If a law of closed loops or queues does not hold in the result: our bug.
pub fn simulate(
    point: &Point,
    system: &System,
    mut observe: impl FnMut() -> Control,
) -> Result<Reading, SimError> {
    let problems = check::problems(point, system);
    if !problems.is_empty() {
        return Err(SimError::Request(problems));
    }
    let moved = sharing::moved(point, system, |trial, moved| {
        simulate_with(
            (trial, sharing::LONGEST_WAIT),
            system,
            moved,
            most_ahead(trial, system),
            &mut observe,
        )
    })?;
    simulate_with(
        (point, LONGEST_WAIT),
        system,
        &moved,
        most_ahead(point, system),
        observe,
    )
}

/// A lane of an open loop, of a worker that thinks, or of a load that begins later issues at its own moments, and
/// a core that has to wake up decides at the moment whether it does: nothing may come back to them before. Writes never do, which
/// pass no link on their way back, so what they are gathered in by the host may decide at the moment too.
fn most_ahead(point: &Point, system: &System) -> Ahead {
    let waits = |load: &Point| {
        load.rate_io_s.is_none() && load.profile.think_time_us == 0 && load.begins_after_ns() == 0
    };
    if system.host.wakeup_ps == Ps::ZERO && point.loads().iter().all(waits) {
        Ahead::Returns
    } else {
        Ahead::Services
    }
}

fn simulate_with(
    (point, longest_wait): (&Point, u64),
    system: &System,
    moved: &[Moved],
    ahead: Ahead,
    mut observe: impl FnMut() -> Control,
) -> Result<Reading, SimError> {
    let mut machine = Machine::new(point, system, moved, ahead);
    let least = (least::warmup(point, system), least::measured(point, system));
    let mut host = Host::new(point, system, Meter::new(point, least, longest_wait));
    host.begin(&mut machine);
    take_back(&mut host, &mut machine);
    let mut ask = ASK_EVERY;
    while host.meter.outcome.is_none() {
        let Some(event) = machine.next() else {
            panic!("I/Os are outstanding and nothing is to happen")
        };
        if machine.now() >= Ps::LONGEST {
            return Err(SimError::TooLong);
        }
        // What controllers do behind the host's back must not fall into a window that has ended.
        if !system.controllers.is_empty() {
            host.close_windows(machine.now(), &machine);
        }
        match machine.hear(event) {
            Next::Host(event) => host.event(event, &mut machine),
            Next::Inside => {}
        }
        take_back(&mut host, &mut machine);
        if machine.events >= ask {
            ask += ASK_EVERY;
            if observe() == Control::Interrupt {
                return Err(SimError::Interrupted);
            }
        }
    }
    Ok(outcome::reading(point, system, host, &machine))
}

#[inline]
fn take_back(host: &mut Host, machine: &mut Machine) {
    while let Some(back) = machine.take() {
        host.back(back, machine);
    }
}

#[cfg(test)]
mod tests {
    use iodyno_load::request::Load;
    use serde_json::{Value, json};

    use super::*;

    /// Odd times, so that hardly two things happen at one moment.
    fn system(wakeup_ps: u64) -> Value {
        let drive = json!({
            "kind": "ssd", "capacity_bytes": 1_u64 << 40, "spare_share": 0.28, "filled_share": 0.0,
            "command_read_ps": 1_234_567, "command_write_ps": 2_345_671, "delay_read_ps": 7_654_321,
            "delay_write_ps": 3_456_789, "dies": 7, "stripe_bytes": 8192, "read_ps": 43_219_871,
            "program_bytes": 32768, "program_ps": 131_717_171, "suspend_ps": 23_232_323,
            "data_read_bytes_s": 1_999_999_973_u64, "data_write_bytes_s": 1_499_999_957_u64,
            "turnaround_ps": 1_111_117, "buffer_bytes": 1 << 20, "write_cache": true, "prefetch": null,
        });
        let link = |name: &str, bytes_s: u64| json!({ "name": name, "bytes_s": bytes_s, "full_duplex": true, "command_ps": 313_131, "side": "host" });
        let slot = |link: usize| json!({ "name": "drive", "path": [{ "link": 0 }, { "switch": 0 }, { "link": link }], "model": drive });
        let volume = |drive: usize| {
            let cpu = json!({ "read_ps": 2_123_457, "write_ps": 2_765_431, "per_kib_ps": 7_919 });
            json!({
                "name": format!("disk{drive}"), "size_bytes": 1_u64 << 40, "cpu": cpu, "child_cpu": cpu,
                "on": { "kind": "drive", "drive": drive },
            })
        };
        json!({
            "name": "test", "host": { "cores": 3, "wakeup_ps": wakeup_ps },
            "links": [link("up", 3_543_999_997), link("own", 1_777_777_777), link("own", 1_777_777_777)],
            "switches": [{ "name": "switch", "command_ps": 617_171 }], "controllers": [],
            "drives": [slot(1), slot(2)], "volumes": [volume(0), volume(1)],
        })
    }

    fn point(read_share: f64, drives: usize, workers: usize, rate_io_s: Option<f64>) -> Point {
        let target = |drive: usize| {
            json!({
                "path": format!("disk{drive}"), "kind": "virtual", "area_start_bytes": 0,
                "area_length_bytes": 1_u64 << 35,
            })
        };
        let point = json!({
            "profile": {
                "random_share": 1.0, "read_share": read_share,
                "blocks": [{ "bytes": 8192, "weight": 2.0 }, { "bytes": 49152, "weight": 1.0 }],
                "alignment_bytes": 4096, "data": "zeros", "shown_as": "transaction_rate",
            },
            "targets": (0..drives).map(target).collect::<Vec<_>>(), "outstanding": 5, "workers": workers,
            "rate_io_s": rate_io_s, "arrival": "poisson", "engine": "simulator", "direct": true, "seed": 3,
            "stopping": {
                "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95,
                "warmup_ios": 1000, "floor_ios": 10_000, "cap_ios": 10_000,
            },
        });
        serde_json::from_value(point).expect("a point")
    }

    /// What is done before its moment is what would be done at it.
    #[test]
    fn working_ahead_changes_no_result() {
        for wakeup_ps in [0, 1_000_003] {
            let system: System = serde_json::from_value(system(wakeup_ps)).expect("a system");
            for read_share in [0.0, 0.5, 1.0] {
                for (drives, workers) in [(1, 1), (1, 2), (2, 1), (2, 3)] {
                    same(&system, wakeup_ps, (read_share, drives, workers));
                }
            }
        }
    }

    fn same(system: &System, wakeup_ps: u64, (read_share, drives, workers): (f64, usize, usize)) {
        let loads = [
            (None, 0, 0.0),
            (Some(30_000.0), 0, 0.0),
            (None, 7, 0.0),
            (Some(9_000.0), 7, 0.2),
            (None, 0, 0.2),
        ];
        // A core that wakes up brings reads and trims into step: two of them come back at one moment.
        let loads = &loads[..if wakeup_ps > 0 { 4 } else { 5 }];
        for &(rate, every, trims) in loads {
            let mut point = point(read_share, drives, workers, rate);
            (point.profile.fsync_every, point.profile.trim_share) = (every, trims);
            assert!(
                both_ways(&point, system),
                "{wakeup_ps} {read_share} {drives} {workers} {rate:?} {every} {trims}"
            );
        }
    }

    fn both_ways(point: &Point, system: &System) -> bool {
        let guess = sharing::guess(point);
        let [one, all] = [Ahead::Nothing, most_ahead(point, system)].map(|ahead| {
            let reading = simulate_with((point, LONGEST_WAIT), system, &guess, ahead, || Control::Continue);
            let reading = reading.expect("a reading");
            let facts = (
                &reading.reads,
                &reading.writes,
                (&reading.trims, &reading.syncs),
                (&reading.series, &reading.loads),
                reading.measured_s,
            );
            serde_json::to_string(&facts).expect("JSON")
        });
        one == all
    }

    /// What is reserved ahead must not change which writes still find an update that they go with.
    #[test]
    fn nor_does_it_where_writes_become_stripes() {
        let mut system = system(0);
        let drive = system["drives"][0].clone();
        system["drives"] = json!([drive, drive, drive, drive]);
        system["volumes"][0]["on"] = json!({ "kind": "host_raid", "array": {
            "level": "5", "drives": [0, 1, 2, 3], "groups": 1, "strip_bytes": 16384, "failed": [],
            "mirror_read": { "policy": "spread", "from_outstanding": 0 }, "rebuild_bytes_s": 0,
        } });
        let system: System = serde_json::from_value(system).expect("a system");
        for (read_share, random_share, outstanding) in [(0.0, 0.0, 5), (0.3, 0.5, 17), (0.0, 0.2, 3)] {
            let mut point = point(read_share, 1, 2, None);
            (point.profile.random_share, point.outstanding) = (random_share, outstanding);
            assert!(
                both_ways(&point, &system),
                "{read_share} {random_share} {outstanding}"
            );
        }
    }

    /// What waits for one that is back goes when that is back, and not when its return is known.
    #[test]
    fn nor_does_it_where_a_drive_takes_few_commands() {
        let mut system: System = serde_json::from_value(system(0)).expect("a system");
        for most in [1, 3] {
            system
                .drives
                .iter_mut()
                .for_each(|drive| drive.commands = Some(most));
            for read_share in [0.0, 0.5, 1.0] {
                for (drives, workers) in [(1, 1), (1, 2), (2, 1)] {
                    let point = point(read_share, drives, workers, None);
                    assert!(
                        both_ways(&point, &system),
                        "{most}: {read_share} {drives} {workers}"
                    );
                }
            }
        }
    }

    /// Each load has cores of its own, and what they share is fed by all of them.
    #[test]
    fn nor_does_it_where_loads_run_at_once_or_workers_drive_a_part() {
        let system: System = serde_json::from_value(system(0)).expect("a system");
        for read_share in [0.0, 0.5, 1.0] {
            let mut point = point(read_share, 2, 1, None);
            point.targets_per_worker = Some(1);
            assert!(both_ways(&point, &system), "{read_share}");
            point.targets_per_worker = None;
            point.beside = vec![Load {
                profile: point.profile.clone(),
                targets: 1,
                outstanding: 5,
                workers: 1,
                workers_area: point.workers_area,
                targets_per_worker: None,
                rate_io_s: None,
                arrival: point.arrival,
                begins_after_s: 0.0,
                seed: 4,
            }];
            assert!(both_ways(&point, &system), "{read_share}");
            // On the one core they share, what the first issues after that moment must not be served before.
            let mut shared = system.clone();
            shared.host.cores = 1;
            for part in 0..=20 {
                point.beside[0].begins_after_s = f64::from(part) * 1.234_567e-4;
                assert!(both_ways(&point, &shared), "{read_share}, part {part}");
            }
        }
    }

    /// Where trials begin: ten I/Os a second are few beside a loop that waits for none, whatever may be outstanding of them.
    #[test]
    fn a_guess_takes_rates_where_some_loads_have_them() {
        let mut point = point(0.0, 2, 1, None);
        point.beside = vec![Load {
            profile: point.profile.clone(),
            targets: 1,
            outstanding: 512,
            workers: 1,
            workers_area: point.workers_area,
            targets_per_worker: None,
            rate_io_s: Some(10.0),
            arrival: point.arrival,
            begins_after_s: 0.0,
            seed: 4,
        }];
        let guess = sharing::guess(&point);
        assert!(guess[1].written < 0.01 * guess[0].written, "{guess:?}");
    }
}
