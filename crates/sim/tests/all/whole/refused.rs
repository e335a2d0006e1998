//! What does not fit together is refused with all that is wrong.

use iodyno_load::request::Point;
use iodyno_sim::system::System;
use iodyno_sim::{Control, SimError, simulate};
use serde_json::{Value, json};

use crate::controller::systems::{array, disk, server as server_behind};
use crate::whole::systems::{GB, host_raid, one_drive, point, server};

fn refusal(point: &Value, system: &Value) -> Vec<String> {
    let point: Point = serde_json::from_value(point.clone()).expect("a point");
    let system: System = serde_json::from_value(system.clone()).expect("a system");
    match simulate(&point, &system, |_| Control::Continue) {
        Err(SimError::Request(problems)) => problems,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn every_wrong_target_is_named() {
    let system = one_drive(1, 0, json!([]), server(1_000, 0));
    let mut point = point(1.0, 1, 1);
    let mut far = point["targets"][0].clone();
    far["area_start_bytes"] = json!(790 * GB);
    point["targets"][0]["path"] = json!("dsik");
    point["targets"].as_array_mut().expect("targets").push(far);
    let problems = refusal(&point, &system);
    assert_eq!(problems.len(), 2);
    assert!(problems[0].contains("dsik") && problems[1].contains("ends beyond"));
}

#[test]
fn a_system_that_contradicts_itself_is_refused() {
    let mut system = host_raid("5", 2, 0, &server(1_000, 0));
    (system["host"]["cores"], system["drives"][0]["path"]) = (json!(0), json!([{ "link": 3 }]));
    let problems = refusal(&point(1.0, 1, 1), &system);
    assert_eq!(problems.len(), 3, "{problems:?}");
}

#[test]
fn trims_that_get_nowhere_are_refused() {
    let mut point = point(0.0, 1, 1);
    point["profile"]["trim_share"] = json!(0.5);
    let parity = host_raid("5", 3, 0, &server(1_000, 0));
    assert_eq!(
        refusal(&point, &parity),
        ["disk: an array with parity passes no trims on"]
    );
    let behind = array("0", 1, 1, &server_behind(1_000));
    point["targets"][0]["area_length_bytes"] = json!(GB);
    assert_eq!(
        refusal(&point, &behind),
        ["disk: a controller passes no trims on"]
    );
    let on_disk = one_drive(1, 0, json!([]), disk());
    assert_eq!(refusal(&point, &on_disk), ["disk: a hard disk takes no trims"]);
}

#[test]
fn workers_that_the_simulator_does_not_know_are_refused() {
    let mut point = point(1.0, 1, 1);
    point["targets_per_worker"] = json!(2);
    let system = one_drive(1, 0, json!([]), server(1_000, 0));
    let even = "the targets that a worker drives do not divide their number";
    assert_eq!(refusal(&point, &system), [even]);
}

#[test]
fn the_observer_can_interrupt() {
    let point: Point = serde_json::from_value(point(1.0, 1, 1)).expect("a point");
    let system = one_drive(1, 0, json!([]), server(1_000, 0));
    let system: System = serde_json::from_value(system).expect("a system");
    let mut heard = 0;
    let answer = simulate(&point, &system, |_| {
        heard += 1;
        if heard < 3 {
            Control::Continue
        } else {
            Control::Interrupt
        }
    });
    assert_eq!((answer.err(), heard), (Some(SimError::Interrupted), 3));
}
