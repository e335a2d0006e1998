//! One seed, one result; and what must not matter does not.

use serde_json::{Value, json};

use crate::whole::systems::{GB, host_raid, link, one_drive, point, run, server};

fn text(point: &Value, system: &Value) -> String {
    serde_json::to_string(&run(point, system)).expect("JSON")
}

fn systems() -> Vec<Value> {
    let drive = server(3_000, 40_000);
    vec![
        one_drive(2, 1_000, json!([link(2 * GB, true)]), drive.clone()),
        one_drive(1, 0, json!([link(GB, false)]), drive.clone()),
        host_raid("5", 5, 500, &drive),
    ]
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    for system in systems() {
        for read_share in [0.67, 1.0] {
            let mut point = point(read_share, 16, 3);
            let first = text(&point, &system);
            assert_eq!(first, text(&point, &system));
            point["rate_io_s"] = json!(20_000.0);
            let open = text(&point, &system);
            assert_eq!(open, text(&point, &system));
            point["seed"] = json!(2);
            assert_ne!(open, text(&point, &system));
        }
    }
}

/// Nothing of a drive's size is kept: on the same area with the same state, 1000 times the capacity changes nothing.
#[test]
fn capacity_does_not_matter_where_nothing_depends_on_it() {
    let system = one_drive(1, 500, json!([link(2 * GB, true)]), server(3_000, 40_000));
    let mut larger = system.clone();
    larger["drives"][0]["model"]["capacity_bytes"] = json!(800_000 * GB);
    let point = point(1.0, 16, 1);
    assert_eq!(text(&point, &system), text(&point, &larger));
}
