//! Two real drives against their published maxima: random on 25 % of the range from the 10 % position, drive
//! cache on (Fujitsu, RAID Controller Performance 2016, single-disk maxima). Database was fitted, File server not.

use iodyno_sim::system::HddModel;

use crate::hdd::closed_loop::{Load, run};
use crate::hdd::drives::{plain, sas, sata};
use crate::hdd::interval::over_seeds;

fn random(model: &HddModel, reads: f64, bytes: u32, outstanding: u32) -> f64 {
    let load = Load {
        random: true,
        reads,
        bytes,
        outstanding,
        skip: 0,
        first: model.capacity_bytes / 10 / 4096 * 4096,
        area: model.capacity_bytes / 4,
        warmup: 3000,
        counted: 4000,
    };
    over_seeds(|seed| run(model, load, seed).rate).0
}

fn within(what: &str, rate: f64, published: f64, share: f64) {
    assert!(
        (rate / published - 1.0).abs() < share,
        "{what}: {rate}, published {published}"
    );
}

#[test]
fn database_and_file_server_of_a_sata_drive() {
    within("Database", random(&sata(), 0.67, 8192, 128), 302.0, 0.02);
    within("File server", random(&sata(), 0.67, 65_536, 128), 258.0, 0.03);
}

#[test]
fn database_and_file_server_of_a_sas_drive() {
    within("Database", random(&sas(), 0.67, 8192, 128), 744.0, 0.02);
    within("File server", random(&sas(), 0.67, 65_536, 128), 608.0, 0.05);
}

/// Published for real drives: 1.6 to 2.4 times from 1 to 32 outstanding, 23 to 30 % by the write cache, as rounded there.
#[test]
fn gains_are_those_of_real_drives() {
    for model in [sata(), sas()] {
        let gain = random(&model, 1.0, 8192, 32) / random(&model, 1.0, 8192, 1);
        assert!((1.55..2.45).contains(&gain), "ordering: {gain}");
        let off = HddModel {
            write_cache: false,
            ..model.clone()
        };
        let gain = random(&model, 0.67, 8192, 128) / random(&off, 0.67, 8192, 128) - 1.0;
        assert!((0.225..0.305).contains(&gain), "write cache: {gain}");
    }
}

#[test]
fn a_mixed_load_gains_by_the_cache_at_any_intensity() {
    for outstanding in [1, 8, 64] {
        let off = plain();
        let on = HddModel {
            write_cache: true,
            ..plain()
        };
        let (with, without) = (
            random(&on, 0.67, 8192, outstanding),
            random(&off, 0.67, 8192, outstanding),
        );
        assert!(
            with > 1.1 * without,
            "{outstanding}: {with} with, {without} without"
        );
    }
}

#[test]
fn reads_alone_do_not_care_for_the_write_cache() {
    let off = HddModel {
        write_cache: false,
        ..sata()
    };
    assert_eq!(random(&sata(), 1.0, 8192, 16), random(&off, 1.0, 8192, 16));
}
