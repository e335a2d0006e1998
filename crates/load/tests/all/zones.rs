//! Hot and cold zones against their shares.

use crate::made::{draw, fits, profile, random, share_holds, zones};
use iodyno_load::request::Distribution;

const DRAWS: usize = 400_000;

#[test]
fn zones_get_their_shares_and_the_rest_nothing() {
    let area = (1 << 30, 1000 << 20);
    let hot_and_cold = zones(&[(0.9, 0.1), (0.1, 0.7)]);
    let (mut hot, mut cold) = (0, 0);
    for access in draw(&random(4096, hot_and_cold), area, DRAWS) {
        let at = access.offset - area.0;
        hot += usize::from(at + 4096 <= 100 << 20);
        cold += usize::from(at >= 100 << 20 && at + 4096 <= 800 << 20);
        assert_eq!(at % 4096, 0);
    }
    assert_eq!(hot + cold, DRAWS);
    assert!(share_holds(hot, DRAWS, 0.9), "{hot}");
}

#[test]
fn a_zone_without_accesses_is_skipped() {
    let area = (0, 100 << 20);
    let gap = zones(&[(0.5, 0.2), (0.0, 0.3), (0.5, 0.5)]);
    let accesses = draw(&random(4096, gap), area, DRAWS);
    assert!(accesses.iter().all(|access| {
        let at = access.offset >> 20;
        !(20..50).contains(&at)
    }));
    let first = accesses.iter().filter(|access| access.offset < 20 << 20).count();
    assert!(share_holds(first, DRAWS, 0.5), "{first}");
}

#[test]
fn offsets_are_even_within_a_zone_and_blocks_stay_in_it() {
    let area = (0, 1000 << 12);
    let mut profile = profile(1.0, 0.5, &[(4096, 1.0), (32_768, 1.0)]);
    profile.distribution = zones(&[(0.3, 0.5), (0.7, 0.5)]);
    let mut positions = vec![0; 493];
    for access in draw(&profile, area, DRAWS) {
        let end = access.offset + u64::from(access.bytes);
        assert!(
            end <= 500 << 12 || access.offset >= 500 << 12,
            "a block in two zones"
        );
        if access.bytes == 32_768 && access.offset >= 500 << 12 {
            positions[(access.offset >> 12) as usize - 500] += 1;
        }
    }
    fits(&positions, &vec![1.0 / 493.0; 493]).unwrap();
}

#[test]
fn one_zone_of_everything_is_uniform() {
    let all = zones(&[(1.0, 1.0)]);
    let mut cells = vec![0; 1000];
    for access in draw(&random(4096, all), (0, 1000 << 12), DRAWS) {
        cells[(access.offset >> 12) as usize] += 1;
    }
    fits(&cells, &vec![0.001; 1000]).unwrap();
}

#[test]
#[should_panic(expected = "a block that does not fit in a zone")]
fn a_zone_smaller_than_a_block_is_a_bug_of_who_planned_it() {
    draw(
        &random(65536, zones(&[(0.5, 0.0001), (0.5, 0.5)])),
        (0, 1 << 20),
        1,
    );
}

#[test]
fn a_distribution_is_read_as_a_plan_writes_it() {
    let read = |text| serde_json::from_str::<Distribution>(text).expect("a distribution");
    assert_eq!(
        read(r#"{"kind": "uniform", "parameter": null, "zones": []}"#),
        Distribution::Uniform
    );
    assert_eq!(
        read(r#"{"kind": "zipf", "parameter": 1.2, "zones": []}"#),
        Distribution::Zipf { parameter: 1.2 }
    );
    assert_eq!(
        read(r#"{"kind": "zones", "parameter": null, "zones": [{"accesses": 1.0, "range": 0.25}]}"#),
        zones(&[(1.0, 0.25)])
    );
    assert!(serde_json::from_str::<Distribution>(r#"{"kind": "zipf"}"#).is_err());
}
