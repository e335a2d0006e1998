//! What no point can be is told before anything is done with it, and nothing else is.

use iodyno_load::pattern::{Streams, mix};
use iodyno_load::request::{Point, problems};
use serde_json::{Value, json};

fn document() -> Value {
    json!({
        "profile": {
            "random_share": 1.0, "read_share": 0.5, "blocks": [{ "bytes": 8192, "weight": 1.0 }],
            "alignment_bytes": 4096, "data": "zeros", "shown_as": "transaction_rate",
        },
        "targets": [
            { "path": "a", "kind": "file", "area_start_bytes": 0, "area_length_bytes": 1 << 20 },
            { "path": "b", "kind": "file", "area_start_bytes": 4096, "area_length_bytes": 1 << 20 },
        ],
        "outstanding": 1, "workers": 4, "rate_io_s": null, "arrival": "fixed", "engine": "auto",
        "direct": true, "seed": 1,
        "stopping": {
            "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95,
        },
    })
}

fn with(changes: &[(&str, Value)]) -> Point {
    let mut document = document();
    for (place, value) in changes {
        *document.pointer_mut(place).unwrap_or(&mut Value::Null) = value.clone();
        if document.pointer(place).is_none() {
            let (of, name) = place.rsplit_once('/').expect("a place");
            document.pointer_mut(of).expect("it is there")[name] = value.clone();
        }
    }
    serde_json::from_value(document).expect("a point, as far as it can be read")
}

fn beside(targets: usize) -> Value {
    let mut load = document();
    load["targets"] = json!(targets);
    json!([load])
}

#[test]
fn what_cannot_be_is_told() {
    let zones = |accesses: f64, range: f64| json!({ "kind": "zones", "zones": [{ "accesses": accesses, "range": range }] });
    let cases = [
        (vec![("/targets", json!([]))], "0 targets"),
        (vec![("/outstanding", json!(0))], "outstanding is 0"),
        (vec![("/outstanding", json!(1_u64 << 40))], "outstanding is"),
        (vec![("/workers", json!(0))], "workers is 0"),
        (vec![("/profile/blocks", json!([]))], "without blocks"),
        (
            vec![("/profile/blocks/0/bytes", json!(0))],
            "a block without bytes",
        ),
        (
            vec![("/profile/blocks/0/weight", json!(0.0))],
            "a block without bytes",
        ),
        (
            vec![("/profile/write_blocks", json!([{ "bytes": 0, "weight": 1.0 }]))],
            "a block without bytes",
        ),
        (vec![("/profile/alignment_bytes", json!(0))], "an alignment of 0"),
        (
            vec![("/profile/write_alignment_bytes", json!(0))],
            "an alignment of 0",
        ),
        (
            vec![
                ("/profile/alignment_bytes", json!((1_u64 << 40) - 1)),
                ("/profile/write_alignment_bytes", json!(1_u64 << 40)),
            ],
            "alignments",
        ),
        (
            vec![("/targets/0/area_length_bytes", json!(8191))],
            "less than a block",
        ),
        (
            vec![
                ("/targets/0/area_length_bytes", json!(16384)),
                ("/workers_area", json!("own")),
            ],
            "less than a block",
        ),
        (
            vec![("/targets/1/area_start_bytes", json!(u64::MAX))],
            "beyond 2^62",
        ),
        (vec![("/profile/random_share", json!(2.0))], "random_share is 2"),
        (vec![("/profile/read_share", json!(-0.1))], "read_share is -0.1"),
        (vec![("/profile/trim_share", json!(1.1))], "trim_share is 1.1"),
        (vec![("/profile/random_every", json!(0))], "random_every is 0"),
        (vec![("/profile/think_every", json!(0))], "think_every is 0"),
        (vec![("/stopping/confidence", json!(2.0))], "confidence is 2"),
        (vec![("/stopping/precision", json!(-1.0))], "precision is -1"),
        (vec![("/stopping/cap_s", json!(1e300))], "cap_s is"),
        (vec![("/stopping/warmup_s", json!(-1.0))], "warmup_s is -1"),
        (vec![("/begins_after_s", json!(-1.0))], "begins_after_s is -1"),
        (vec![("/targets_per_worker", json!(0))], "targets_per_worker is 0"),
        (vec![("/targets_per_worker", json!(3))], "targets_per_worker is 3"),
        (vec![("/rate_io_s", json!(0.0))], "rate_io_s is 0"),
        (vec![("/rate_io_s", json!(-5.0))], "rate_io_s is -5"),
        (
            vec![("/rate_io_s", json!(5.0)), ("/profile/think_time_us", json!(10))],
            "a think time and a rate",
        ),
        (vec![("/beside", beside(0))], "each load has a target"),
        (vec![("/beside", beside(2))], "each load has a target"),
        (
            vec![("/beside", beside(1)), ("/beside/0/outstanding", json!(0))],
            "load 1 beside: outstanding is 0",
        ),
        (vec![("/workers_area", json!("stream"))], "one stream"),
        (
            vec![
                ("/workers_area", json!("stream")),
                ("/profile/random_share", json!(0.0)),
                ("/profile/write_blocks", json!([{ "bytes": 4096, "weight": 1.0 }])),
            ],
            "one block size",
        ),
        (
            vec![
                ("/profile/distribution", json!({ "kind": "permutation" })),
                ("/profile/write_blocks", json!([{ "bytes": 4096, "weight": 1.0 }])),
            ],
            "one size",
        ),
        (
            vec![
                ("/profile/distribution", json!({ "kind": "permutation" })),
                ("/profile/random_every", json!(8)),
            ],
            "all random",
        ),
        (
            vec![(
                "/profile/distribution",
                json!({ "kind": "zipf", "parameter": 0.0 }),
            )],
            "no distribution",
        ),
        (
            vec![(
                "/profile/distribution",
                json!({ "kind": "pareto", "parameter": 1.0 }),
            )],
            "no distribution",
        ),
        (
            vec![(
                "/profile/write_distribution",
                json!({ "kind": "normal", "parameter": 2.0 }),
            )],
            "no distribution",
        ),
        (
            vec![("/profile/distribution", zones(0.0, 1.0))],
            "no distribution",
        ),
        (
            vec![("/profile/distribution", zones(1.0, 0.001))],
            "no room for a block",
        ),
        (
            vec![
                (
                    "/profile/distribution",
                    json!({ "kind": "zipf", "parameter": 1.0 }),
                ),
                ("/profile/blocks/0/bytes", json!(1)),
                ("/profile/alignment_bytes", json!(1)),
                ("/targets/0/area_length_bytes", json!(1_u64 << 60)),
            ],
            "can be ranked",
        ),
    ];
    for (changes, expected) in cases {
        let found = problems(&with(&changes));
        assert!(
            !found.is_empty() && found.iter().all(|one| one.contains(expected)),
            "{changes:?}: {found:?}"
        );
    }
    let several = [
        ("/outstanding", json!(0)),
        ("/workers", json!(0)),
        ("/stopping/confidence", json!(1.0)),
    ];
    assert_eq!(problems(&with(&several)).len(), 3);
}

/// Of points by chance those without a problem have sequences, and accesses within their areas.
#[test]
fn what_no_problem_is_told_of_can_be() {
    let seed = std::env::var("IODYNO_SEED").map_or(20_261_127, |seed| seed.parse().expect("a number"));
    println!("seed {seed}");
    let mut sound = 0;
    for number in 0..20_000_u64 {
        let mut drawn = 0;
        let mut one_of = |values: &[Value]| {
            drawn += 1;
            values[(mix(mix(seed, number), drawn) % values.len() as u64) as usize].clone()
        };
        let shares = [json!(0.0), json!(0.5), json!(1.0)];
        let distributions = [
            json!({ "kind": "uniform" }),
            json!({ "kind": "permutation" }),
            json!({ "kind": "zipf", "parameter": 1.2 }),
            json!({ "kind": "zones", "zones": [{ "accesses": 0.9, "range": 0.1 }, { "accesses": 0.1, "range": 0.9 }] }),
        ];
        let blocks = [
            json!([{ "bytes": 4096, "weight": 1.0 }]),
            json!([{ "bytes": 512, "weight": 1.0 }, { "bytes": 65536, "weight": 2.0 }]),
            json!([]),
        ];
        let changes = [
            ("/profile/random_share", one_of(&shares)),
            ("/profile/read_share", one_of(&shares)),
            ("/profile/trim_share", one_of(&shares[..2])),
            (
                "/profile/write_random_share",
                one_of(&[Value::Null, json!(0.0), json!(1.0)]),
            ),
            ("/profile/blocks", one_of(&blocks)),
            (
                "/profile/write_blocks",
                one_of(&[json!([]), json!([]), json!([{ "bytes": 16384, "weight": 1.0 }])]),
            ),
            (
                "/profile/alignment_bytes",
                one_of(&[json!(512), json!(4096), json!(12_288)]),
            ),
            ("/profile/distribution", one_of(&distributions)),
            (
                "/profile/write_distribution",
                one_of(&[Value::Null, json!({ "kind": "permutation" })]),
            ),
            ("/profile/random_every", one_of(&[json!(1), json!(1), json!(8)])),
            (
                "/profile/gap_bytes",
                one_of(&[json!(0), json!(0), json!(-8192), json!(1 << 30)]),
            ),
            (
                "/profile/cursors",
                one_of(&[json!("shared"), json!("shared"), json!("own")]),
            ),
            (
                "/workers_area",
                one_of(&[json!("shared"), json!("own"), json!("stream")]),
            ),
            (
                "/targets/0/area_length_bytes",
                one_of(&[json!(4096), json!(100_000), json!(1 << 20), json!(1 << 30)]),
            ),
        ];
        let point = with(&changes);
        if !problems(&point).is_empty() {
            continue;
        }
        sound += 1;
        let streams = Streams::new(&point);
        for worker in 0..point.workers {
            let mut stream = streams.stream(worker, 0);
            for _ in 0..20 {
                let access = stream.next();
                let end = access.offset + u64::from(access.bytes);
                assert!(
                    end <= point.targets[0].area_length_bytes,
                    "{number}: {access:?} {changes:?}"
                );
            }
        }
    }
    assert!(sound > 1000, "{sound}");
}
