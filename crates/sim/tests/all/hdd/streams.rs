//! Sequential accesses: the media rate of the zone, from one outstanding on.

use iodyno_sim::hdd::geometry::Geometry;
use iodyno_sim::system::HddModel;

use crate::hdd::closed_loop::{Load, Outcome, run};
use crate::hdd::drives::{plain, sata, us};

const MEDIA: f64 = 113_400_000.0;

fn stream(model: &HddModel, reads: f64, outstanding: u32, bytes: u32, first: u64) -> Outcome {
    let area = model.capacity_bytes / 40;
    let load = Load {
        random: false,
        reads,
        bytes,
        outstanding,
        skip: 0,
        first,
        area,
        warmup: 500,
        counted: 4000,
    };
    run(model, load, 1)
}

fn near(got: f64, expected: f64, share: f64, what: &str) {
    assert!(
        (got / expected - 1.0).abs() < share,
        "{what}: {got}, expected {expected}"
    );
}

#[test]
fn the_media_rate_is_reached_with_one_outstanding() {
    let model = sata();
    for (reads, what) in [(1.0, "read-ahead"), (0.0, "write cache")] {
        let outcome = stream(&model, reads, 1, 65_536, 0);
        near(outcome.bytes_s, MEDIA, 0.002, what);
        assert!(
            outcome.utilisation > 0.99,
            "{what}: the mechanics are the limit, {}",
            outcome.utilisation
        );
    }
}

/// A large cache takes in what the medium will not keep up with: for how long is no matter of what lasts.
#[test]
fn a_stream_of_writes_has_the_media_rate_from_the_beginning() {
    let model = HddModel {
        write_cache_entries: 4096,
        ..sata()
    };
    for outstanding in [1, 4, 32] {
        let load = Load {
            random: false,
            reads: 0.0,
            bytes: 65_536,
            outstanding,
            skip: 0,
            first: 0,
            area: model.capacity_bytes / 40,
            warmup: 200,
            counted: 1000,
        };
        let what = format!("{outstanding} outstanding");
        near(run(&model, load, 1).bytes_s, MEDIA, 0.01, &what);
    }
}

#[test]
fn without_caches_one_outstanding_loses_a_revolution_each_time() {
    let model = HddModel {
        write_cache: false,
        read_ahead_bytes: 0,
        missed_revolution: 0.0,
        ..sata()
    };
    let transfer = 65_536.0 / MEDIA;
    for reads in [1.0, 0.0] {
        // The next command comes when its first byte has just gone by: so a whole revolution from start to start,
        // and the rest until its own angle.
        let revolution = 60.0 / 7200.0;
        let outcome = stream(&model, reads, 1, 65_536, 0);
        near(outcome.latency, revolution + transfer, 0.01, "latency");
    }
}

#[test]
fn without_caches_two_outstanding_stream() {
    let model = HddModel {
        write_cache: false,
        read_ahead_bytes: 0,
        ..sata()
    };
    for reads in [1.0, 0.0] {
        near(
            stream(&model, reads, 2, 65_536, 0).bytes_s,
            MEDIA,
            0.002,
            "two outstanding",
        );
    }
}

#[test]
fn a_stream_runs_on_from_track_to_track() {
    // Ten accesses fill a track of 800 000 bytes: each eleventh begins on the next one.
    let outcome = stream(&plain(), 1.0, 2, 80_000, 0);
    near(outcome.bytes_s, 100e6, 0.002, "whole tracks");
}

#[test]
fn outer_zones_are_faster_than_inner_ones_by_their_ratio() {
    let model = sata();
    let inner = model.capacity_bytes - model.capacity_bytes / 40;
    for (reads, outstanding) in [(1.0, 1), (0.0, 1), (1.0, 8)] {
        let outer = stream(&model, reads, outstanding, 65_536, 0).bytes_s;
        let inner = stream(&model, reads, outstanding, 65_536, inner).bytes_s;
        near(outer / inner, 113.4 / 58.4, 0.003, "outer to inner");
    }
}

#[test]
fn what_is_left_out_passes_by_at_the_media_rate() {
    let model = sata();
    for outstanding in [1, 4, 16, 64] {
        let load = Load {
            random: false,
            reads: 1.0,
            bytes: 65_536,
            outstanding,
            skip: 65_536,
            first: 0,
            area: model.capacity_bytes / 40,
            warmup: 500,
            counted: 4000,
        };
        near(
            run(&model, load, 1).bytes_s,
            MEDIA / 2.0,
            0.01,
            "every other block",
        );
    }
}

#[test]
fn small_reads_of_a_stream_come_from_the_buffer() {
    let model = sata();
    let outcome = stream(&model, 1.0, 1, 1024, 0);
    near(outcome.latency, 200e-6, 0.001, "only the command");
    let reading = 1024.0 / MEDIA / 200e-6;
    near(
        outcome.utilisation,
        reading,
        0.01,
        "the head reads them all the same",
    );
}

#[test]
fn a_few_cached_writes_do_not_make_a_stream_lose_revolutions() {
    near(
        stream(&sata(), 0.98, 1, 65_536, 0).bytes_s,
        MEDIA,
        0.02,
        "2 % writes",
    );
}

#[test]
fn an_answer_from_the_cache_has_its_delay() {
    let model = HddModel {
        cached_write_ps: us(400),
        ..sata()
    };
    near(
        stream(&model, 0.0, 1, 1024, 0).latency,
        600e-6,
        0.001,
        "command and delay",
    );
    near(
        stream(&model, 0.0, 4, 65_536, 0).bytes_s,
        MEDIA,
        0.002,
        "a delay takes nothing from the rate",
    );
}

/// Seagate, Constellation.2 SAS Product Manual, Rev. H, section 5.1: 165 800 tracks on a surface. The model
/// computes them from capacity, heads and rates, which have gaps in them.
#[test]
fn tracks_computed_are_about_those_of_the_manual() {
    near(
        f64::from(Geometry::new(&sata()).cylinders()),
        165_800.0,
        0.06,
        "cylinders",
    );
}

#[test]
fn the_head_is_over_the_next_byte_when_an_access_ends() {
    let model = sata();
    let geometry = Geometry::new(&model);
    for offset in (0..model.capacity_bytes - 1_000_000).step_by(7_777_777_777) {
        let (from, to) = (geometry.place(offset), geometry.place(offset + 65_536));
        if to.cylinder.abs_diff(from.cylinder) > 1 {
            continue;
        }
        let revolution = model.revolution_ps.0;
        let phase = (from.phase.0 + geometry.transfer(offset, 65_536).0) % revolution;
        let apart = phase.abs_diff(to.phase.0);
        assert!(apart.min(revolution - apart) < 10, "{offset}: {apart} ps");
    }
}

/// Reads that the buffer answers while the head writes elsewhere: what it does counts once, which `run` asserts.
#[test]
fn the_head_is_never_busier_than_it_can_be() {
    for (model, area) in [(plain(), 131_072), (sata(), 524_288), (plain(), 1 << 20)] {
        for (outstanding, bytes) in [(1, 65_536), (4, 65_536), (32, 4096)] {
            let load = Load {
                random: false,
                reads: 0.9,
                bytes,
                outstanding,
                skip: 0,
                first: 0,
                area,
                warmup: 500,
                counted: 4000,
            };
            let busy = run(&model, load, 1).utilisation;
            assert!(busy <= 1.0, "{area} at {outstanding}: {busy}");
        }
    }
}
