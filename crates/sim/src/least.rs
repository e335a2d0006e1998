//! How long a point lasts at the least, and how many I/Os are not counted, for what the loads meet in a system.

use iodyno_load::request::{Point, Target};

use crate::controller;
use crate::hdd::queue::longest_passed_over;
use crate::system::{Array, Model, On, System};
use crate::time::Ps;
use crate::volume::{answers_writes, of_target, with_targets};

/// Steps of a rebuild that a point lasts at the least, at the rate asked for, and the longest time that they are waited for:
/// the slowest rebuild disturbs nobody.
const STEPS: u64 = 100;
const LONGEST: Ps = Ps(8_000_000_000_000);
/// Times that a hard disk can pass a command over for as long as it may: once or twice hold a rebuild up for a whole point.
const TIMES_PASSED_OVER: u64 = 16;

/// I/Os of a warm-up that follow from a cache, at the most.
const MOST_WARMUP: f64 = 200_000.0;

/// How long a point lasts at the least for what rebuilds beside it: so many steps at its rate, and on hard disks many
/// times as long as one can pass over what is not near.
pub(crate) fn measured(system: &System) -> Ps {
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
