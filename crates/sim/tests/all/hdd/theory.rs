//! Single accesses and loops against closed forms.

use iodyno_sim::hdd::geometry::Geometry;
use iodyno_sim::hdd::seek::SeekCurve;
use iodyno_sim::system::HddModel;
use iodyno_sim::time::Ps;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::hdd::closed_loop::{Load, run};
use crate::hdd::drives::{plain, sas, sata, us};
use crate::hdd::interval::agrees;

fn random_reads(model: &HddModel, outstanding: u32) -> Load {
    Load {
        random: true,
        reads: 1.0,
        bytes: 8192,
        outstanding,
        skip: 0,
        first: 0,
        area: model.capacity_bytes,
        warmup: 200,
        counted: 4000,
    }
}

/// Half a revolution, the transfer and the command of the plain drive with 8 kB.
fn beside_the_seek() -> f64 {
    150e-6 + 4e-3 + 8192.0 / 100e6
}

#[test]
fn one_outstanding_takes_overhead_seek_half_a_revolution_and_transfer() {
    let model = plain();
    agrees("latency", beside_the_seek() + 8e-3, 0.01, |seed| {
        run(&model, random_reads(&model, 1), seed).latency
    });
}

#[test]
fn a_write_settles_longer() {
    let model = plain();
    let load = Load {
        reads: 0.0,
        ..random_reads(&model, 1)
    };
    agrees("latency", beside_the_seek() + 8.5e-3, 0.01, |seed| {
        run(&model, load, seed).latency
    });
}

#[test]
fn a_part_of_the_range_has_a_part_of_the_seeks() {
    let model = plain();
    let cylinders = Geometry::new(&model).cylinders();
    let curve = SeekCurve::fit(us(300), us(8_000), us(18_000), cylinders - 1);
    let quarter = cylinders / 4;
    let mean: f64 = (1..quarter)
        .map(|d| 2.0 * f64::from(quarter - d) * curve.time(d).seconds())
        .sum::<f64>()
        / f64::from(quarter).powi(2);
    let load = Load {
        first: model.capacity_bytes / 10,
        area: model.capacity_bytes / 4,
        ..random_reads(&model, 1)
    };
    agrees("latency", beside_the_seek() + mean, 0.01, |seed| {
        run(&model, load, seed).latency
    });
}

#[test]
fn mean_distance_over_a_fraction_is_a_third_of_it() {
    let model = plain();
    let geometry = Geometry::new(&model);
    for fraction in [1.0, 0.25, 0.1] {
        let expected = fraction * f64::from(geometry.cylinders()) / 3.0;
        agrees("distance", expected, 0.02, |seed| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut cylinder = || {
                let share = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                geometry
                    .place((share * fraction * model.capacity_bytes as f64) as u64)
                    .cylinder
            };
            (0..4000)
                .map(|_| f64::from(cylinder().abs_diff(cylinder())))
                .sum::<f64>()
                / 4000.0
        });
    }
}

#[test]
fn a_missed_revolution_costs_its_probability_of_one() {
    let model = HddModel {
        missed_revolution: 0.2,
        ..plain()
    };
    agrees("latency", beside_the_seek() + 8e-3 + 0.2 * 8e-3, 0.01, |seed| {
        run(&model, random_reads(&model, 1), seed).latency
    });
}

#[test]
fn what_is_outstanding_is_rate_times_latency() {
    for outstanding in [1, 4, 32, 100] {
        let load = random_reads(&plain(), outstanding);
        let outcome = run(&plain(), load, 5);
        let mean = outcome.rate * outcome.latency;
        assert!(
            (mean / f64::from(outstanding) - 1.0).abs() < 0.02,
            "{outstanding}: {mean}"
        );
    }
}

/// A command is processed, waits for a tag, and holds it until it is answered: those with a tag and those without are all
/// but the ones that are processed, which are rate × command (Little). Those with a tag are what the mechanics have to do.
#[test]
fn those_without_a_tag_wait_and_the_others_hold_one() {
    for outstanding in [8, 100] {
        let outcome = run(&plain(), random_reads(&plain(), outstanding), 5);
        let behind = f64::from(outstanding) - outcome.rate * 150e-6;
        let (taken, waiting) = outcome.tags;
        assert!((taken - behind.min(32.0) / 32.0).abs() < 1e-3, "{taken}");
        assert!((waiting - (behind - 32.0).max(0.0)).abs() < 0.05, "{waiting}");
        // What is still waiting at the end is not counted yet: of 4000 at most 32.
        let (there, off) = (behind.min(32.0), 32.0 / 4000.0);
        assert!(
            (outcome.queue / there - 1.0).abs() < 2.0 * off,
            "{}",
            outcome.queue
        );
    }
}

/// Worthington, Ganger and Patt and later simulations: X(q) = X(1)·q^p, p of 0.26 to 0.28 where the seeks
/// cover the whole stroke. Of q outstanding one is served while q − 1 are there to choose from.
#[test]
fn shortest_access_time_first_gains_by_a_power_of_the_queue() {
    let model = plain();
    let one = run(
        &model,
        Load {
            counted: 20_000,
            ..random_reads(&model, 1)
        },
        3,
    )
    .rate;
    let many = run(
        &model,
        Load {
            counted: 20_000,
            ..random_reads(&model, 32)
        },
        3,
    )
    .rate;
    let power = (many / one).ln() / 31f64.ln();
    assert!((0.25..0.31).contains(&power), "{power}");
}

#[test]
fn more_than_the_tags_wait_outside_and_change_nothing() {
    let model = plain();
    let rate = |outstanding| {
        run(
            &model,
            Load {
                counted: 20_000,
                ..random_reads(&model, outstanding)
            },
            3,
        )
        .rate
    };
    // With 33 there are always 32 to choose from, with 400 as well.
    assert!((rate(400) / rate(33) - 1.0).abs() < 0.02);
    let few = HddModel { tags: 1, ..plain() };
    let first_come = run(&few, random_reads(&few, 32), 3).rate;
    let alone = run(&few, random_reads(&few, 1), 3).rate;
    assert!(
        first_come / alone < 1.05,
        "one tag leaves nothing to choose: {first_come} {alone}"
    );
}

#[test]
fn one_seed_one_outcome() {
    let load = Load {
        reads: 0.67,
        outstanding: 16,
        ..random_reads(&sata(), 16)
    };
    assert_eq!(run(&sata(), load, 9), run(&sata(), load, 9));
    assert_ne!(run(&sata(), load, 9).end, run(&sata(), load, 10).end);
}

#[test]
fn nobody_is_passed_over_for_ever() {
    use iodyno_sim::calendar::Calendar;
    use iodyno_sim::hdd::Hdd;
    use iodyno_sim::operation::{DriveOp, Usage};

    let model = plain();
    let usage = Usage {
        accessed_bytes: model.capacity_bytes,
        overwritten_bytes: model.capacity_bytes,
        random_write_share: 0.0,
        valid_share: 1.0,
        write_streams: 0,
        written: Vec::new(),
    };
    let mut drive = Hdd::new(&model, usage, 0, 1);
    let (mut calendar, mut done) = (Calendar::default(), Vec::new());
    let op = |token, offset| DriveOp {
        token,
        write: false,
        trim: false,
        limit_us: 0,
        offset,
        bytes: 4096,
    };
    // Thirty near each other, which always have something nearer than the one at the far end.
    for token in 1..=30 {
        drive.submit(op(token, u64::from(token) * 1_000_000), Ps::ZERO, &mut calendar);
    }
    drive.submit(op(0, model.capacity_bytes - 4096), Ps::ZERO, &mut calendar);
    for round in 0..20_000u64 {
        let event = calendar.next().expect("work left");
        drive.event(event.token, &mut calendar, &mut done);
        for finished in std::mem::take(&mut done) {
            if finished.token == 0 {
                let revolutions = finished.at.0 / model.revolution_ps.0;
                assert!(
                    (200..280).contains(&revolutions),
                    "taken after {revolutions} revolutions"
                );
                return;
            }
            let offset = (u64::from(finished.token) * 7_919 + round * 104_729) % 30_000 * 4096;
            drive.submit(op(finished.token, offset), finished.at, &mut calendar);
        }
    }
    panic!("passed over for {:?}", calendar.now());
}

/// With the write cache on, and more writes than it has room for: those wait for room that are nowhere else (Little),
/// which is in front of the drive for a command, and in the cache until answered.
#[test]
fn writes_wait_for_room_in_the_cache_unless_they_are_elsewhere() {
    let model = HddModel {
        write_cache: true,
        write_cache_entries: 8,
        cached_write_ps: us(400),
        ..plain()
    };
    let load = Load {
        reads: 0.0,
        ..random_reads(&model, 24)
    };
    let out = run(&model, load, 1);
    let waiting = 24.0 - out.rate * (150e-6 + 400e-6);
    let (full, queue) = out.cache;
    assert!((full - 1.0).abs() < 1e-3, "{full}");
    assert!((queue / waiting - 1.0).abs() < 0.01, "{queue} {waiting}");
    let share = out.for_room / out.latency;
    assert!((share * 24.0 / waiting - 1.0).abs() < 0.01, "{share}");
}

/// Where all commands take so long that each waits for about as long as it can be passed over, 256 revolutions or 1.02 s, those
/// that have are chosen from as well. Taken in turn they would come to no more than one outstanding does.
#[test]
fn commands_that_all_wait_too_long_are_chosen_from() {
    let model = HddModel { tags: 128, ..sas() };
    for reads in [1.0, 0.5, 0.0] {
        let of = |outstanding| {
            let load = Load {
                reads,
                bytes: 1 << 20,
                warmup: 1000,
                ..random_reads(&model, outstanding)
            };
            run(&model, load, 3)
        };
        let (few, many) = (of(32), of(128));
        let gain = many.rate / few.rate;
        assert!(gain > 0.87, "{gain} with {reads} reads");
        // Beyond the limit one waits for the rest of a set, and for its own: 128 commands each, at most.
        let most = 256.0 * 0.004 + 2.0 * 128.0 / many.rate;
        assert!(many.longest < most, "{} with {reads} reads", many.longest);
    }
}
