//! How long a point lasts at the least, and how many I/Os are not counted, for what the loads meet in a system.

use iodyno_load::request::{Point, Target, WorkersArea};

use crate::controller;
use crate::hdd::queue::longest_passed_over;
use crate::spindles;
use crate::system::{Array, HddModel, Model, On, System};
use crate::time::Ps;
use crate::volume::{answers_writes, array_of, is_cached, of_target, with_targets};

/// Steps of a rebuild that a point lasts at the least, at the rate asked for, and the longest time that they are waited for:
/// the slowest rebuild disturbs nobody.
const STEPS: u64 = 100;
const LONGEST: Ps = Ps(8_000_000_000_000);
/// Times that a hard disk can pass a command over for as long as it may: once or twice hold a rebuild up for a whole point.
const TIMES_PASSED_OVER: u64 = 16;
/// Times that disks which turn apart come round past each other: what hangs on the angle between them is a mean over it then.
const BEATS: u64 = 8;
/// As often for one reader: his disks follow on each other in one of two ways, and have had both by then.
const BEATS_OF_ONE: u64 = 2;

/// I/Os of a warm-up that follow from a cache, at the most.
const MOST_WARMUP: f64 = 200_000.0;

/// How long a point lasts at the least, for what is slower than its I/Os.
pub(crate) fn measured(point: &Point, system: &System) -> Ps {
    beside_rebuilds(system).max(in_step(point, system))
}

/// For what rebuilds beside it: so many steps at its rate, and on hard disks many times as long as one can pass over what is
/// not near.
fn beside_rebuilds(system: &System) -> Ps {
    let logicals = system
        .controllers
        .iter()
        .flat_map(|controller| &controller.logicals);
    let arrays = logicals.map(|logical| &logical.array);
    let rebuilding = arrays.filter(|array| array.rebuilds());
    let one = |array: &Array| {
        let passed_over = array
            .drives
            .iter()
            .map(|&drive| match &system.drives[drive].model {
                Model::Hdd(model) => longest_passed_over(model),
                Model::Ssd(_) => Ps::ZERO,
            });
        let longest = passed_over.max().unwrap_or(Ps::ZERO);
        let step = array.rebuild_step().1.min(Ps(LONGEST.0 / STEPS));
        Ps(STEPS * step.0).max(Ps(TIMES_PASSED_OVER * longest.0))
    };
    rebuilding.map(one).max().unwrap_or(Ps::ZERO)
}

/// For streams on arrays of disks: how several that are read get in each other's way, one that is read passes over copies or
/// parity, or one that is written gets in its own where the disks answer it themselves, hangs on the angles between the disks,
/// which move on by their spindles alone.
fn in_step(point: &Point, system: &System) -> Ps {
    let loads = point.loads();
    let of = |(load, target): (&Point, &Target)| {
        let Some(array) = array_of(system, target) else {
            return Ps::ZERO;
        };
        let drives = spindles::working_disks(array, system).into_iter();
        let disks: Vec<_> = drives
            .filter_map(|drive| match &system.drives[drive].model {
                Model::Hdd(disk) => Some(disk),
                Model::Ssd(_) => None,
            })
            .collect();
        let read = match readers(&loads, target) {
            (0, _) => 0,
            (1, outstanding) if outstanding < 2 || !array.is_redundant() => 0,
            (1, _) => BEATS_OF_ONE,
            _ => BEATS,
        };
        let unanswered = writes_in_order(load) && !is_cached(system, target);
        let written = disks.iter().filter(|disk| unanswered && !disk.write_cache);
        beats(disks.iter(), read).max(beats(written, BEATS))
    };
    let each = loads.iter().flat_map(with_targets).map(of);
    each.max().unwrap_or(Ps::ZERO)
}

/// So many beats of the slowest of several disks.
fn beats<'a>(disks: impl Iterator<Item = &'a &'a HddModel>, beats: u64) -> Ps {
    let turns: Vec<_> = disks.map(|disk| disk.revolution_ps).collect();
    let slowest = turns.iter().max().filter(|_| turns.len() > 1);
    slowest.map_or(Ps::ZERO, |revolution| Ps(beats * spindles::beat(*revolution).0))
}

fn writes_in_order(load: &Point) -> bool {
    load.profile.read_share < 1.0 && load.profile.random_of(true) < 1.0
}

/// Streams in which loads read the volume of a target, and how many I/Os these have outstanding at the most.
fn readers(loads: &[Point], target: &Target) -> (usize, usize) {
    let of_one = |load: &Point| {
        let same = load.targets.iter().filter(|one| one.path == target.path).count();
        if load.profile.read_share == 0.0 || load.profile.random_of(false) == 1.0 {
            return (0, 0);
        }
        let streams = match load.workers_area {
            WorkersArea::Stream => 1,
            _ => load.workers,
        };
        (same * streams, same * load.workers * load.outstanding)
    };
    let each = loads.iter().map(of_one);
    each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// I/Os of the warm-up at the least for caches of controllers before hard disks that streams with gaps write to: so many as
/// write half of what such a stream has of the cache. It begins full, and small blocks among many reads are long in filling it
/// again, or drives in emptying it to where it stays.
pub(crate) fn warmup(point: &Point, system: &System) -> u64 {
    let of = |(load, target): (&Point, &Target)| {
        let On::Logical { controller, logical } = of_target(system, target).expect("checked").on else {
            return 0;
        };
        let model = &system.controllers[controller];
        let array = &model.logicals[logical].array;
        let mut drives = array.drives.iter().map(|&drive| &system.drives[drive].model);
        let disks = drives.any(|model| matches!(model, Model::Hdd(_)));
        if !disks || !answers_writes(model, logical) || load.profile.random_of(true) > 0.0 {
            return 0;
        }
        let bytes = controller::bytes_between_gaps(&load.profile);
        let ios = bytes.map_or(0.0, |bytes| controller::STREAM_BYTES as f64 / 2.0 / bytes);
        (ios * load.targets.len() as f64).min(MOST_WARMUP) as u64
    };
    let loads = point.loads();
    loads.iter().flat_map(with_targets).map(of).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use iodyno_load::request::Load;
    use serde_json::{Value, json};

    use super::*;
    use crate::system::Level;

    /// A mirror of disks of 15,000 revolutions per minute or, where none is given, of SSDs, behind a controller with a cache that
    /// answers writes. A member that has failed is rebuilt at a rate in bytes/s.
    fn mirror(disk: bool, rebuild_bytes_s: u64) -> System {
        let ssd = json!({
            "kind": "ssd", "capacity_bytes": 1_u64 << 40, "spare_share": 0.28, "filled_share": 0.0,
            "command_read_ps": 1, "command_write_ps": 1, "delay_read_ps": 1, "delay_write_ps": 1, "dies": 1,
            "stripe_bytes": 8192, "read_ps": 1, "program_bytes": 8192, "program_ps": 1, "suspend_ps": 1,
            "data_read_bytes_s": 1, "data_write_bytes_s": 1, "turnaround_ps": 1, "buffer_bytes": 8192,
            "write_cache": true, "prefetch": null,
        });
        let hdd = json!({
            "kind": "hdd", "capacity_bytes": 1_u64 << 40, "revolution_ps": 4_000_000_000_u64, "heads": 4, "zones": 5,
            "outer_bytes_s": 230_000_000, "inner_bytes_s": 140_000_000, "seek_track_ps": 200_000_000_u64,
            "seek_average_ps": 2_900_000_000_u64, "seek_full_ps": 6_500_000_000_u64, "write_settle_ps": 1, "tags": 32,
            "command_ps": 0, "cached_write_ps": 0, "missed_revolution": 0.0, "write_cache": false,
            "write_cache_entries": 0, "read_ahead_bytes": 0, "read_segments": 1,
        });
        let model = if disk { hdd } else { ssd };
        let cpu = json!({ "read_ps": 0, "write_ps": 0, "per_kib_ps": 0 });
        let array = json!({
            "level": "1", "drives": [0, 1], "groups": 1, "strip_bytes": 65_536, "rebuild_bytes_s": rebuild_bytes_s,
            "failed": if rebuild_bytes_s > 0 { vec![1] } else { vec![] }, "mirror_read": { "policy": "primary" },
        });
        let system = json!({
            "name": "test", "host": { "cores": 1, "wakeup_ps": 0 }, "links": [], "switches": [],
            "drives": vec![json!({ "name": "drive", "path": [], "model": model }); 2],
            "controllers": [{
                "name": "controller", "path": [], "cores": 1, "host_io_ps": 1, "fast_io_ps": 1, "disk_io_ps": 1,
                "parity_write_ps": 1, "parity_per_kib_ps": 1, "delay_ps": 1, "read_bytes_s": 1, "write_bytes_s": 1,
                "parity_bytes_s": 1, "cache_bytes": 1 << 30, "cache_read_ps": 1, "cache_write_ps": 1, "drive_queue": 64,
                "logicals": [{
                    "name": "logical", "size_bytes": 1_u64 << 40, "read_ahead": false, "write_back": true,
                    "cached_reads": false, "fast_path": false, "array": array,
                }],
            }],
            "volumes": [{
                "name": "disk", "size_bytes": 1_u64 << 40, "cpu": cpu, "child_cpu": cpu,
                "on": { "kind": "logical", "controller": 0, "logical": 0 },
            }],
        });
        serde_json::from_value(system).expect("a system")
    }

    /// Steps of 64 KiB: a hundred take 10 s at 655 360 bytes/s, and are not waited for longer than 8 s. Disks can pass a command over
    /// for 256 revolutions of 4 ms, and 16 times as long are 16.384 s.
    #[test]
    fn a_rebuild_lasts_a_hundred_steps_or_as_long_as_disks_pass_over() {
        let seconds = |disk, rate| measured(&load(1.0, 0.5, 8192, 1), &mirror(disk, rate)).seconds();
        assert_eq!(seconds(false, 0), 0.0);
        assert_eq!(seconds(false, 6_553_600), 1.0);
        assert_eq!(seconds(false, 655_360), 8.0);
        assert_eq!(seconds(false, 1), 8.0);
        assert_eq!(seconds(true, 0), 0.0);
        assert_eq!(seconds(true, 6_553_600), 16.384);
        assert_eq!(seconds(true, 1), 16.384);
    }

    /// Accesses of some bytes to one target or several areas of the volume, of which a share reads.
    fn load(random: f64, reads: f64, bytes: u64, targets: u64) -> Point {
        let target = |at: u64| json!({ "path": "disk", "kind": "virtual", "area_start_bytes": at << 30, "area_length_bytes": 1 << 30 });
        let load: Value = json!({
            "profile": {
                "random_share": random, "read_share": reads, "blocks": [{ "bytes": bytes, "weight": 1.0 }],
                "alignment_bytes": 512, "data": "zeros", "shown_as": "throughput",
            },
            "targets": (0..targets).map(target).collect::<Vec<_>>(), "outstanding": 1, "workers": 1,
            "rate_io_s": null, "arrival": "poisson", "seed": 1, "engine": "simulator", "direct": true,
            "stopping": { "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95 },
        });
        serde_json::from_value(load).expect("a point")
    }

    /// A stream has 64 MiB of the cache. Half of its accesses write 8 KiB: half of that is written by 8192 of them, and by as many for
    /// each target that they go to in turn. Of the smallest that mostly read so many are not waited for.
    #[test]
    fn the_warm_up_of_a_stream_with_gaps_writes_half_of_its_cache() {
        let disks = mirror(true, 0);
        for targets in [1, 2, 5] {
            assert_eq!(warmup(&load(0.0, 0.5, 8192, targets), &disks), 8192 * targets);
        }
        assert_eq!(warmup(&load(0.0, 0.99, 512, 1), &disks), 200_000);
        for (random, reads) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.5)] {
            assert_eq!(
                warmup(&load(random, reads, 8192, 1), &disks),
                0,
                "{random}, {reads}"
            );
        }
        assert_eq!(warmup(&load(0.0, 0.5, 8192, 1), &mirror(false, 0)), 0, "no disks");
    }

    /// Disks of 4 ms that differ by 0.2 % come round past each other in 2 s: eight times that, where a stream of writes reaches two
    /// of them with no cache in between.
    #[test]
    fn streams_that_an_array_of_disks_answers_last_for_eight_beats() {
        let seconds =
            |system: &System, (random, reads)| measured(&load(random, reads, 65_536, 1), system).seconds();
        let uncached = |disk| {
            let mut system = mirror(disk, 0);
            system.controllers[0].logicals[0].write_back = false;
            system
        };
        for streams in [(0.0, 0.0), (0.0, 0.5), (0.5, 0.0)] {
            assert_eq!(seconds(&uncached(true), streams), 16.0, "{streams:?}");
        }
        assert_eq!(seconds(&uncached(true), (1.0, 0.0)), 0.0, "random writes");
        assert_eq!(seconds(&uncached(true), (0.0, 1.0)), 0.0, "reads");
        assert_eq!(seconds(&mirror(true, 0), (0.0, 0.0)), 0.0, "a controller's cache");
        assert_eq!(seconds(&uncached(false), (0.0, 0.0)), 0.0, "SSDs");
        for (cached, expected) in [(vec![0, 1], 0.0), (vec![1], 0.0), (vec![], 16.0)] {
            let mut host = uncached(true);
            let array = host.controllers.remove(0).logicals.remove(0).array;
            host.volumes[0].on = On::HostRaid { array };
            for &drive in &cached {
                let Model::Hdd(disk) = &mut host.drives[drive].model else {
                    panic!("a disk")
                };
                disk.write_cache = true;
            }
            assert_eq!(
                seconds(&host, (0.0, 0.0)),
                expected,
                "{cached:?} with their caches on"
            );
        }
        let mut alone = uncached(true);
        alone.volumes[0].on = On::Drive { drive: 0 };
        assert_eq!(seconds(&alone, (0.0, 0.0)), 0.0, "one disk");
        let mut left = uncached(true);
        left.controllers[0].logicals[0].array.failed = vec![1];
        assert_eq!(
            seconds(&left, (0.0, 0.0)),
            0.0,
            "the disk that is left of a mirror"
        );
    }

    /// Two beats of 2 s, where more than one of its reads can be on the way and disks hold what others hold too.
    #[test]
    fn one_reader_of_a_redundant_array_of_disks_lasts_for_two_beats() {
        let seconds = |level, (reads, outstanding), lost: &[usize]| {
            let mut system = mirror(true, 0);
            let array = &mut system.controllers[0].logicals[0].array;
            (array.level, array.failed) = (level, lost.to_vec());
            let mut load = load(0.0, reads, 65_536, 1);
            load.outstanding = outstanding;
            measured(&load, &system).seconds()
        };
        for level in [Level::Raid1, Level::Raid10, Level::Raid5, Level::Raid60] {
            assert_eq!(seconds(level, (1.0, 2), &[]), 4.0, "{level:?}");
        }
        assert_eq!(seconds(Level::Raid0, (1.0, 64), &[]), 0.0, "no copies");
        assert_eq!(seconds(Level::Raid1, (1.0, 1), &[]), 0.0, "one at a time");
        assert_eq!(seconds(Level::Raid1, (1.0, 2), &[1]), 0.0, "one disk is left");
        assert_eq!(seconds(Level::Raid1, (0.5, 2), &[]), 4.0, "writes beside");
        let mut uncached = mirror(true, 0);
        uncached.controllers[0].logicals[0].write_back = false;
        let mut both = load(0.0, 0.5, 65_536, 1);
        both.outstanding = 2;
        assert_eq!(measured(&both, &uncached).seconds(), 16.0, "the disks answer");
    }

    /// Whatever caches there are: what is read ahead comes from all disks.
    #[test]
    fn several_readers_of_an_array_of_disks_last_for_eight_beats() {
        let reads = |of: (f64, f64), targets, workers, area| {
            let mut load = load(of.0, of.1, 65_536, targets);
            (load.workers, load.workers_area) = (workers, area);
            load
        };
        let seconds = |load: &Point, system: &System| measured(load, system).seconds();
        let disks = mirror(true, 0);
        let shared = WorkersArea::Shared;
        for (targets, workers, area, expected) in [
            (1, 1, shared, 0.0),
            (1, 2, shared, 16.0),
            (2, 1, shared, 16.0),
            (1, 2, WorkersArea::Own, 16.0),
            (1, 2, WorkersArea::Stream, 4.0),
        ] {
            let found = seconds(&reads((0.0, 1.0), targets, workers, area), &disks);
            assert_eq!(found, expected, "{targets} targets, {workers} workers, {area:?}");
        }
        assert_eq!(
            seconds(&reads((1.0, 1.0), 1, 4, shared), &disks),
            0.0,
            "random reads"
        );
        assert_eq!(seconds(&reads((0.0, 0.0), 1, 4, shared), &disks), 0.0, "writes");
        assert_eq!(
            seconds(&reads((0.5, 0.1), 1, 4, shared), &disks),
            16.0,
            "some in order"
        );
        assert_eq!(
            seconds(&reads((0.0, 1.0), 1, 4, shared), &mirror(false, 0)),
            0.0,
            "SSDs"
        );
        let mut two = reads((0.0, 1.0), 2, 1, shared);
        two.beside = vec![Load {
            profile: two.profile.clone(),
            targets: 1,
            outstanding: 1,
            workers: 1,
            workers_area: shared,
            targets_per_worker: None,
            rate_io_s: None,
            arrival: two.arrival,
            begins_after_s: 0.0,
            seed: 2,
        }];
        assert_eq!(seconds(&two, &disks), 16.0, "two loads");
    }
}
