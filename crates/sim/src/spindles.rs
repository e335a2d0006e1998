//! How fast the hard disks of an array turn: nobody keeps them in step.
//!
//! Each spindle has a clock of its own, so disks of one model turn at speeds that differ within a tolerance, and the
//! angles between them move while a point lasts. What hangs on such an angle is then a mean over all of them, and not a matter of
//! the draw. In the mean they turn at the speed of the model.

use iodyno_load::pattern::mix;

use crate::system::{Array, Model, On, System};
use crate::time::Ps;

/// How much longer or shorter than the model's a revolution takes at the most, as a share.
const TOLERANCE: f64 = 0.002;

/// In what time disks whose revolutions differ by the tolerance come round once past each other.
pub(crate) fn beat(revolution: Ps) -> Ps {
    Ps((revolution.0 as f64 / TOLERANCE) as u64)
}

/// Draws of which disk is how fast, and of how fast it is there.
const ORDER: u64 = 0;
const SPEED: u64 = 1;

/// How much longer than its model's a revolution of each drive takes, as a share; none of an SSD, or of a disk that is
/// in no array.
pub(crate) fn slower(system: &System, seed: u64) -> Vec<f64> {
    let mut slower = vec![0.0; system.drives.len()];
    for array in arrays(system) {
        let disks = working_disks(array, system);
        for (&drive, by) in disks.iter().zip(apart(&disks, seed)) {
            slower[drive] = by;
        }
    }
    slower
}

fn arrays(system: &System) -> impl Iterator<Item = &Array> {
    let controllers = system.controllers.iter();
    let logicals = controllers.flat_map(|controller| &controller.logicals);
    let hosts = system.volumes.iter().filter_map(|volume| match &volume.on {
        On::HostRaid { array } => Some(array),
        _ => None,
    });
    logicals.map(|logical| &logical.array).chain(hosts)
}

/// The hard disks of an array that turn with it: those that have failed do where they are rebuilt.
pub(crate) fn working_disks(array: &Array, system: &System) -> Vec<usize> {
    let lost = |member: &usize| array.failed.contains(member) && !array.rebuilds();
    let members = (0..array.drives.len()).filter(|member| !lost(member));
    let drives = members.map(|member| array.drives[member]);
    drives
        .filter(|&drive| matches!(system.drives[drive].model, Model::Hdd(_)))
        .collect()
}

/// How much slower than nominal each of some disks turns, together none: anywhere in the middle half of a part of the
/// tolerance that is its own, so that no two turn alike. One alone is nominal.
fn apart(disks: &[usize], seed: u64) -> Vec<f64> {
    let draw = |of: u64, disk: usize| mix(mix(seed, of), disk as u64);
    let mut order: Vec<_> = (0..disks.len()).collect();
    order.sort_by_key(|&at| (draw(ORDER, disks[at]), at));
    let mut slower = vec![0.0; disks.len()];
    for (part, at) in order.into_iter().enumerate() {
        let within = 0.25 + 0.5 * (draw(SPEED, disks[at]) as f64 / u64::MAX as f64);
        slower[at] = TOLERANCE * (2.0 * (part as f64 + within) / disks.len() as f64 - 1.0);
    }
    let mean = slower.iter().sum::<f64>() / disks.len().max(1) as f64;
    slower.iter().map(|one| one - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within the tolerance, at least a quarter of an even share of it apart, and nominal in the mean.
    #[test]
    fn no_two_turn_alike_and_all_are_nominal_in_the_mean() {
        for (seed, count) in (1..=200).flat_map(|seed| [2, 3, 8, 24].map(|count| (seed, count))) {
            let disks: Vec<_> = (3..3 + count).collect();
            let mut slower = apart(&disks, seed);
            assert!(slower.iter().sum::<f64>().abs() < 1e-12, "seed {seed}");
            slower.sort_by(f64::total_cmp);
            assert!(
                slower.iter().all(|one| one.abs() <= TOLERANCE),
                "seed {seed}: {slower:?}"
            );
            let least = TOLERANCE / count as f64;
            let gaps = slower.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(
                gaps.clone().all(|gap| gap >= 0.999 * least),
                "seed {seed}: {slower:?}"
            );
        }
    }

    #[test]
    fn one_alone_turns_as_its_maker_says() {
        for seed in 1..=20 {
            assert_eq!(apart(&[5], seed), [0.0]);
        }
    }

    /// Twice the tolerance is between the fastest and the slowest, so those come round twice.
    #[test]
    fn in_a_beat_disks_come_round_past_each_other() {
        let revolution = Ps(4_000_000_000);
        let turns = |by: f64| beat(revolution).0 as f64 / (revolution.0 as f64 * (1.0 + by));
        let past = turns(-TOLERANCE / 2.0) - turns(TOLERANCE / 2.0);
        assert!((past - 1.0).abs() < 0.01, "{past}");
    }

    /// Which is the slower one is drawn.
    #[test]
    fn seeds_turn_them_differently() {
        let first_is_slower = (1..=100).filter(|&seed| apart(&[0, 1], seed)[0] > 0.0).count();
        assert!((30..=70).contains(&first_is_slower), "{first_is_slower} of 100");
    }
}
