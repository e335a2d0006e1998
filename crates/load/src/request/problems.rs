//! Why a point that can be read cannot be: what a plan never asks, and a document by hand may.

use super::{Block, Distribution, Point, Profile, Stopping, WorkersArea};
use crate::pattern::{can_rank, own_bytes, zone_bounds};

/// Most outstanding I/Os per target and worker, most workers, and most targets.
const MOST_OUTSTANDING: usize = 4096;
const MOST_WORKERS: usize = 1024;
const MOST_TARGETS: usize = 65_535;
/// Where an area ends at most, and the longest time in seconds: 2^62 bytes, and 30 years.
const LAST_BYTE: u64 = 1 << 62;
const LONGEST_S: f64 = 1e9;

/// Everything that is wrong with a point, in sentences; empty where nothing is.
///
/// ```
/// # let document = serde_json::json!({
/// #     "profile": {
/// #         "random_share": 1.0, "read_share": 1.0, "blocks": [{ "bytes": 8192, "weight": 1.0 }],
/// #         "alignment_bytes": 4096, "data": "zeros", "shown_as": "transaction_rate",
/// #     },
/// #     "targets": [{ "path": "disk", "kind": "file", "area_start_bytes": 0, "area_length_bytes": 1 << 30 }],
/// #     "outstanding": 1, "workers": 1, "rate_io_s": null, "arrival": "fixed", "engine": "auto", "direct": true,
/// #     "seed": 1,
/// #     "stopping": {
/// #         "warmup_s": 0.0, "floor_s": 1.0, "cap_s": 1.0, "precision": 0.01, "confidence": 0.95,
/// #     },
/// # });
/// # let mut point: iodyno_load::request::Point = serde_json::from_value(document).unwrap();
/// assert!(iodyno_load::request::problems(&point).is_empty());
/// point.outstanding = 0;
/// assert_eq!(iodyno_load::request::problems(&point), ["outstanding is 0: 1 to 4096"]);
/// ```
pub fn problems(point: &Point) -> Vec<String> {
    let mut found = Vec::new();
    of_stopping(&point.stopping, &mut found);
    let targets = point.targets.len();
    if !(1..=MOST_TARGETS).contains(&targets) {
        found.push(format!("{targets} targets: 1 to {MOST_TARGETS}"));
    }
    for target in &point.targets {
        let end = target.area_start_bytes.checked_add(target.area_length_bytes);
        if end.is_none_or(|end| end > LAST_BYTE) {
            found.push(format!("the area on {} ends beyond 2^62 bytes", target.path));
        }
    }
    let others = point.beside.iter().map(|load| load.targets);
    let others = others.fold(0_usize, usize::saturating_add);
    let divided = targets > others && point.beside.iter().all(|load| load.targets > 0);
    if targets > 0 && !divided {
        found.push("each load has a target at the least: those beside have too many, or none".to_owned());
    }
    if !divided {
        of_load(point, &mut found);
        return found;
    }
    for (number, load) in point.loads().iter().enumerate() {
        let mut own = Vec::new();
        of_load(load, &mut own);
        let name = |problem| match number {
            0 => problem,
            _ => format!("load {number} beside: {problem}"),
        };
        found.extend(own.into_iter().map(name));
    }
    found
}

fn of_stopping(stopping: &Stopping, found: &mut Vec<String>) {
    seconds("warmup_s", stopping.warmup_s, found);
    seconds("floor_s", stopping.floor_s, found);
    seconds("cap_s", stopping.cap_s, found);
    if !(stopping.precision >= 0.0 && stopping.precision.is_finite()) {
        found.push(format!("precision is {}: 0 or more", stopping.precision));
    }
    if !(stopping.confidence > 0.0 && stopping.confidence < 1.0) {
        found.push(format!(
            "confidence is {}: above 0 and below 1",
            stopping.confidence
        ));
    }
}

fn seconds(name: &str, value: f64, found: &mut Vec<String>) {
    if !(0.0..=LONGEST_S).contains(&value) {
        found.push(format!("{name} is {value}: 0 to {LONGEST_S} s"));
    }
}

fn count(name: &str, value: usize, most: usize, found: &mut Vec<String>) {
    if !(1..=most).contains(&value) {
        found.push(format!("{name} is {value}: 1 to {most}"));
    }
}

fn of_load(load: &Point, found: &mut Vec<String>) {
    count("outstanding", load.outstanding, MOST_OUTSTANDING, found);
    count("workers", load.workers, MOST_WORKERS, found);
    seconds("begins_after_s", load.begins_after_s, found);
    let targets = load.targets.len();
    if let Some(each) = load.targets_per_worker
        && (each == 0 || !targets.is_multiple_of(each))
    {
        found.push(format!(
            "targets_per_worker is {each}: a divisor of the {targets} targets"
        ));
    }
    if let Some(rate) = load.rate_io_s {
        if !(rate > 0.0 && rate.is_finite()) {
            found.push(format!("rate_io_s is {rate}: above 0"));
        }
        if load.profile.think_time_us > 0 {
            found.push("a think time and a rate: a rate says when accesses start".to_owned());
        }
    }
    let before = found.len();
    of_profile(&load.profile, found);
    if found.len() == before {
        // What goes where can be told of numbers that can be.
        of_ways(load, found);
    }
}

fn of_profile(profile: &Profile, found: &mut Vec<String>) {
    let shares = [
        ("random_share", Some(profile.random_share)),
        ("write_random_share", profile.write_random_share),
        ("read_share", Some(profile.read_share)),
        ("trim_share", Some(profile.trim_share)),
        ("data_compressible_share", Some(profile.data_compressible_share)),
        ("data_duplicate_share", Some(profile.data_duplicate_share)),
    ];
    for (name, share) in shares {
        if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
            found.push(format!("{name} is {share}: 0 to 1"));
        }
    }
    for (name, every) in [
        ("random_every", profile.random_every),
        ("think_every", profile.think_every),
    ] {
        if every == 0 {
            found.push(format!("{name} is 0: 1 or more"));
        }
    }
    if profile.blocks.is_empty() {
        found.push("a profile without blocks".to_owned());
    }
    let weighed = |blocks: &[Block]| {
        let total: f64 = blocks.iter().map(|block| block.weight).sum();
        total.is_finite() && blocks.iter().all(|block| block.weight > 0.0 && block.bytes > 0)
    };
    if !weighed(&profile.blocks) || !weighed(&profile.write_blocks) {
        found.push("a block without bytes, or whose weight is not above 0".to_owned());
    }
    let alignments = [Some(profile.alignment_bytes), profile.write_alignment_bytes];
    if alignments.contains(&Some(0)) {
        found.push("an alignment of 0 bytes: 1 or more".to_owned());
    } else {
        let product: u128 = alignments.iter().flatten().copied().map(u128::from).product();
        if product > u128::from(LAST_BYTE) {
            found.push("alignments of more than 2^62 bytes together".to_owned());
        }
    }
    for distribution in std::iter::once(&profile.distribution).chain(&profile.write_distribution) {
        found.extend(of_distribution(distribution));
    }
}

fn of_distribution(distribution: &Distribution) -> Option<String> {
    let wrong = match distribution {
        Distribution::Uniform | Distribution::Permutation => false,
        Distribution::Zipf { parameter } => !(*parameter > 0.0 && parameter.is_finite()),
        Distribution::Pareto { parameter } => !(*parameter > 0.0 && *parameter < 1.0),
        Distribution::Normal { parameter } => !(*parameter > 0.0 && *parameter <= 1.0),
        Distribution::Zones { zones } => {
            let share = 0.0..=1.0;
            let each = |zone: &super::Zone| {
                share.contains(&zone.accesses) && share.contains(&zone.range) && zone.range > 0.0
            };
            !zones.iter().all(each) || zones.iter().all(|zone| zone.accesses == 0.0)
        }
    };
    wrong.then(|| format!("{distribution:?} is no distribution"))
}

/// Where accesses go: whether a block fits, and whether an order can be that of all of them.
fn of_ways(load: &Point, found: &mut Vec<String>) {
    let profile = &load.profile;
    if load.workers_area == WorkersArea::Stream {
        let random = [false, true].map(|write| profile.random_of(write));
        let walks = profile.random_every > 1 || profile.gap_bytes != 0;
        if random != [0.0; 2] || profile.own_sequences() || walks {
            found.push("one stream of all workers is sequential, with one cursor and no gaps".to_owned());
        }
        if !alike(&[profile.blocks_of(false), profile.blocks_of(true)]) {
            found.push("one stream of all workers has one block size".to_owned());
        }
    }
    let ways = if profile.own_sequences() {
        vec![profile.way_of(false), profile.way_of(true)]
    } else {
        vec![profile.clone()]
    };
    for way in ways
        .iter()
        .filter(|way| way.distribution == Distribution::Permutation)
    {
        if !alike(&[way.blocks_of(false), way.blocks_of(true)]) {
            found.push("a permutation goes through blocks of one size".to_owned());
        }
        if way.random_share < 1.0 || way.random_every > 1 || way.gap_bytes != 0 {
            found.push("a permutation is one of accesses that are all random".to_owned());
        }
    }
    for target in load.targets.iter().filter(|_| load.workers > 0) {
        let length = match load.workers_area {
            WorkersArea::Own => own_bytes(profile, target.area_length_bytes, load.workers),
            _ => target.area_length_bytes,
        };
        let largest = profile.largest_block_bytes();
        if length < u64::from(largest) {
            found.push(format!(
                "{length} bytes of {} for each worker to access: less than a block of {largest}",
                target.path
            ));
            continue;
        }
        let space = (length, profile.grain_bytes());
        for way in &ways {
            let largest = way.largest_block_bytes();
            let zones = match &way.distribution {
                Distribution::Zones { zones } => zones.as_slice(),
                _ => &[],
            };
            let narrow = |(start, end): (u64, u64)| end - start < u64::from(largest);
            if zone_bounds(zones, space).any(|(zone, at)| zone.accesses > 0.0 && narrow(at)) {
                found.push(format!(
                    "a zone of {} has no room for a block of {largest}",
                    target.path
                ));
            }
            let ranked = matches!(
                way.distribution,
                Distribution::Zipf { .. } | Distribution::Pareto { .. } | Distribution::Normal { .. }
            );
            if ranked && !can_rank(space, u64::from(profile.largest_block_bytes())) {
                found.push(format!(
                    "{} has more blocks than can be ranked: 2^52",
                    target.path
                ));
            }
        }
    }
}

fn alike(several: &[&[Block]]) -> bool {
    let mut sizes = several.iter().copied().flatten().map(|block| block.bytes);
    let first = sizes.next();
    sizes.all(|bytes| Some(bytes) == first)
}
