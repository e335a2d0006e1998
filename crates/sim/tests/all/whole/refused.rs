//! What does not fit together is refused with all that is wrong.

use iodyno_load::request::Point;
use iodyno_sim::system::System;
use iodyno_sim::{Control, SimError, simulate};
use serde_json::{Value, json};

use crate::controller::systems::{array, disk, server as server_behind};
use crate::whole::systems::{GB, host_raid, one_drive, point, rate, run, server};

fn refusal(point: &Value, system: &Value) -> Vec<String> {
    let point: Point = serde_json::from_value(point.clone()).expect("a point");
    let system: System = serde_json::from_value(system.clone()).expect("a system");
    match simulate(&point, &system, || Control::Continue) {
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
fn a_volume_that_is_larger_than_its_logical_drive_is_refused() {
    let mut system = array("5", 3, 2, &server_behind(1_000));
    let point = point(1.0, 1, 1);
    let held = system["controllers"][0]["logicals"][0]["size_bytes"].clone();
    let size = 33 * GB;
    assert!(held.as_u64().expect("a size") < size);
    system["volumes"][0]["size_bytes"] = json!(size);
    let expected = format!("disk: {size} bytes, but the logical drive holds {held}");
    assert_eq!(refusal(&point, &system), [expected]);
}

#[test]
fn a_system_that_contradicts_itself_is_refused() {
    let mut system = host_raid("5", 2, 0, &server(1_000, 0));
    (system["host"]["cores"], system["drives"][0]["path"]) = (json!(0), json!([{ "link": 3 }]));
    let problems = refusal(&point(1.0, 1, 1), &system);
    let expected = [
        "the host has no core",
        "the path of drive has a hop that the system does not have",
        "disk: 2 members do not make 1 group(s) of 3 or more",
    ];
    assert_eq!(problems.len(), 3, "{problems:?}");
    for (problem, expected) in problems.iter().zip(expected) {
        assert!(problem.starts_with(expected), "{problems:?}");
    }
}

#[test]
fn more_drives_on_a_controller_than_its_queues_are_numbered_for_are_refused() {
    let most = array("0", 256, 256, &disk());
    assert!(rate(&run(&point(1.0, 1, 1), &most)) > 0.0);
    let problems = refusal(&point(1.0, 1, 1), &array("0", 257, 257, &disk()));
    assert!(
        problems[0].ends_with("257 drives where 256 can be simulated on a controller"),
        "{problems:?}"
    );
}

#[test]
fn a_point_that_lasts_longer_than_virtual_time_can_be_is_refused() {
    let system = one_drive(1, 0, json!([]), server(1_000, 0));
    let mut thinking = point(1.0, 1, 1);
    thinking["profile"]["think_time_us"] = json!(3_600_000_000_u64); // an hour: 20 000 of them are 2.3 years
    let mut rare = point(1.0, 1, 1);
    rare["rate_io_s"] = json!(0.000_2);
    for slow in [thinking, rare] {
        let point: Point = serde_json::from_value(slow).expect("a point");
        let system: System = serde_json::from_value(system.clone()).expect("a system");
        let found = simulate(&point, &system, || Control::Continue);
        assert_eq!(found.err(), Some(SimError::TooLong));
    }
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
    let mut point = point(1.0, 1, 1);
    for many in ["floor_ios", "cap_ios"] {
        point["stopping"][many] = json!(1_000_000);
    }
    let point: Point = serde_json::from_value(point).expect("a point");
    let system = one_drive(1, 0, json!([]), server(1_000, 0));
    let system: System = serde_json::from_value(system).expect("a system");
    let mut heard = 0;
    let answer = simulate(&point, &system, || {
        heard += 1;
        if heard < 3 {
            Control::Continue
        } else {
            Control::Interrupt
        }
    });
    assert_eq!((answer.err(), heard), (Some(SimError::Interrupted), 3));
}
