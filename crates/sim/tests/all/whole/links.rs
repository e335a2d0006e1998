//! Links and switches.

use serde_json::{Value, json};

use crate::whole::systems::{GB, assert_near, disk, link, one_drive, point, rate, run, server};

/// 8 kB on 1 GB/s: 8.192 µs.
const ONE_WAY: f64 = 1e9 / 8192.0;

#[test]
fn one_direction_of_a_link_is_the_limit_of_reads_and_of_writes() {
    for duplex in [true, false] {
        let system = one_drive(1, 0, json!([link(GB, duplex)]), server(1, 1_000));
        for read_share in [0.0, 1.0] {
            let found = rate(&run(&point(read_share, 32, 1), &system));
            assert_near(found / ONE_WAY, 1.0, 1e-3);
        }
    }
}

/// The data of a read passes the link while it still comes out of the drive: only its first page comes before.
#[test]
fn a_link_does_not_wait_for_the_end_of_the_data() {
    let rates = |data: u64| {
        let mut drive = server(1, 1_000);
        drive["data_read_bytes_s"] = json!(data);
        let system = one_drive(1, 0, json!([link(GB, true)]), drive);
        let mut one = point(1.0, 1, 1);
        one["profile"]["blocks"] = json!([{ "bytes": 65_536, "weight": 1 }]);
        rate(&run(&one, &system))
    };
    let (block, page) = (65_536.0, 4_096.0);
    // Half as fast as the link: 64 KiB from the drive, and the last page over the link.
    let slower_drive = 1.001 + block / 0.5e3 + page / 1e3;
    assert_near(rates(GB / 2) * slower_drive / 1e6, 1.0, 2e-3);
    // Twice as fast: the first page from the drive, and 64 KiB over the link.
    let faster_drive = 1.001 + page / 2e3 + block / 1e3;
    assert_near(rates(2 * GB) * faster_drive / 1e6, 1.0, 2e-3);
}

/// What a disk reads too, whose medium gives 120 MB/s: a faster link adds the time of the last page, a slower one hides
/// all of the medium's but the first.
#[test]
fn a_link_does_not_wait_for_the_end_of_what_a_disk_reads() {
    let mean_ms = |links: Value| {
        let mut one = point(1.0, 1, 1);
        one["profile"]["blocks"] = json!([{ "bytes": 1 << 20, "weight": 1 }]);
        1e3 / rate(&run(&one, &one_drive(1, 0, links, disk())))
    };
    let (block, page) = (f64::from(1 << 20), 4_096.0);
    let alone = mean_ms(json!([]));
    let added = |mb_s: u64| mean_ms(json!([link(mb_s * 1_000_000, true)])) - alone;
    // Half a revolution of 8 ms, the mean of 20,000, is known to 0.05 ms.
    assert_near(added(600), page / 600e3, 0.1);
    assert_near(added(60), block / 60e3 - (block - page) / 120e3, 0.1);
}

/// A stream from a disk over a link that with the command takes a little longer than the medium: the head is ahead of it before
/// long, all that is asked for has passed then, and nothing has left before it was asked for.
#[test]
fn a_link_takes_nothing_before_it_is_asked_for() {
    let mut one = point(1.0, 1, 1);
    one["profile"]["random_share"] = json!(0.0);
    one["profile"]["blocks"] = json!([{ "bytes": 65_536, "weight": 1 }]);
    let mut ahead = disk();
    ahead["read_ahead_bytes"] = json!(4 << 20);
    let (medium, passes, command) = (65_536.0 / 120e6, 65_536.0 / 130e6, 100e-6);
    assert!(passes < medium && medium < passes + command);
    let found = rate(&run(
        &one,
        &one_drive(1, 0, json!([link(130_000_000, true)]), ahead),
    ));
    assert_near(found * (passes + command), 1.0, 1e-3);
}

/// Data pass one link behind the other page by page, in both directions and whichever is slower; a switch between them takes
/// its time for the command.
#[test]
fn a_link_does_not_wait_for_the_end_of_the_data_on_another() {
    let (block, page, command) = (65_536.0, 4_096.0, 1.0);
    for (first, second) in [(GB, GB / 2), (GB / 2, GB), (GB, GB)] {
        let links = json!([link(first, true), link(second, true)]);
        let mut system = one_drive(1, 0, links, server(1, 1_000));
        system["switches"] = json!([{ "name": "switch", "command_ps": 1_000_000 }]);
        system["drives"][0]["path"] = json!([{ "link": 0 }, { "switch": 0 }, { "link": 1 }]);
        for read_share in [0.0, 1.0] {
            let mut one = point(read_share, 1, 1);
            one["profile"]["blocks"] = json!([{ "bytes": 65_536, "weight": 1 }]);
            let slower = first.min(second) as f64 / 1e6;
            let faster = first.max(second) as f64 / 1e6;
            let us = 1.001 + command + block / slower + page / faster;
            assert_near(rate(&run(&one, &system)) * us / 1e6, 1.0, 1e-4);
        }
    }
}

/// What passes a fast link as it comes from slow ones keeps nobody else off it meanwhile: four drives fill a link four times
/// as fast as their own.
#[test]
fn slow_links_fill_a_fast_one() {
    let rates = (0..5).map(|at| link(if at == 0 { 4 * GB } else { GB }, true));
    let mut system = one_drive(1, 0, rates.collect(), server(64, 1_000));
    let mut point = point(1.0, 16, 1);
    let four = |of: &mut Value, what: &str| of[what] = vec![of[what][0].clone(); 4].into();
    four(&mut system, "drives");
    four(&mut system, "volumes");
    four(&mut point, "targets");
    for at in 0..4 {
        system["drives"][at]["path"] = json!([{ "link": 0 }, { "link": at + 1 }]);
        let name = json!(format!("disk{at}"));
        (
            system["volumes"][at]["name"],
            system["volumes"][at]["on"]["drive"],
        ) = (name.clone(), json!(at));
        point["targets"][at]["path"] = name;
    }
    let found = rate(&run(&point, &system)) / ONE_WAY;
    assert!(found > 3.9, "{found}");
}

/// With half reads each direction carries half: a full-duplex link moves twice as much, a half-duplex one does not.
#[test]
fn a_mix_exceeds_one_way_only_where_the_link_is_full_duplex() {
    let system = |duplex| one_drive(1, 0, json!([link(GB, duplex)]), server(1, 1_000));
    // Many outstanding I/Os, so that neither direction runs dry for long.
    let full = rate(&run(&point(0.5, 1024, 1), &system(true)));
    assert!(full > 1.9 * ONE_WAY && full <= 2.02 * ONE_WAY, "{full}");
    let half = rate(&run(&point(0.5, 1024, 1), &system(false)));
    assert_near(half / ONE_WAY, 1.0, 1e-3);
}

/// Drives behind one link share it; the latency says where it waits.
#[test]
fn a_shared_link_is_the_bottleneck_of_the_drives_behind_it() {
    let mut system = one_drive(
        4,
        0,
        json!([link(GB, true), link(GB, true), link(GB, true)]),
        server(1, 1_000),
    );
    let path = |own: usize| json!([{ "link": 0 }, { "link": own }]);
    system["links"][0]["name"] = json!("uplink");
    system["drives"][0]["path"] = path(1);
    let mut second = system["drives"][0].clone();
    second["path"] = path(2);
    system["drives"].as_array_mut().expect("drives").push(second);
    let mut volume = system["volumes"][0].clone();
    (volume["name"], volume["on"]["drive"]) = (json!("disk2"), json!(1));
    system["volumes"].as_array_mut().expect("volumes").push(volume);
    let mut point = point(1.0, 16, 2);
    let mut target = point["targets"][0].clone();
    target["path"] = json!("disk2");
    point["targets"].as_array_mut().expect("targets").push(target);
    let reading = run(&point, &system);
    assert_near(rate(&reading) / ONE_WAY, 1.0, 1e-3);
    let simulation = reading.simulation.expect("simulated");
    assert_eq!(simulation.bottleneck.station.as_deref(), Some("uplink, reads"));
    assert_eq!(simulation.bottleneck.place, "host_link");
    let share = simulation.latency_split["host_link"];
    assert!(share > 0.9, "{share}");
}

#[test]
fn a_switch_serves_commands_at_its_own_rate() {
    let mut system = one_drive(1, 0, json!([]), server(1, 1_000));
    system["switches"] = json!([{ "name": "switch", "command_ps": 4_000_000 }]);
    system["drives"][0]["path"] = json!([{ "switch": 0 }]);
    for read_share in [0.0, 0.5, 1.0] {
        let found = rate(&run(&point(read_share, 32, 1), &system));
        assert_near(found / 250_000.0, 1.0, 1e-3);
    }
}

/// The command's overhead lies on the direction of its data.
#[test]
fn a_command_costs_the_direction_of_its_data() {
    let mut one = link(GB, true);
    one["command_ps"] = json!(1_808_000);
    let system = one_drive(1, 0, json!([one]), server(1, 1_000));
    // 8.192 + 1.808 = 10 µs.
    let found = rate(&run(&point(0.0, 32, 1), &system));
    assert_near(found / 100_000.0, 1.0, 1e-3);
    let latency = run(&point(1.0, 1, 1), &system).reads.latency;
    assert_eq!((latency.min_ns, latency.max_ns), (11_001, 11_001));
}

/// Every part of a latency has its place: a write of 8 KiB passes a host's link in 8.192 µs, and its second page comes to a
/// drives' link of half that rate while the first is under way.
#[test]
fn a_latency_is_split_by_where_the_time_was_spent() {
    let mut slow = link(GB / 2, true);
    (slow["name"], slow["side"]) = (json!("of drives"), json!("disk"));
    let mut system = one_drive(1, 3_000, json!([link(GB, true), slow]), server(2_000, 5_000));
    system["switches"] = json!([{ "name": "switch", "command_ps": 1_000_000 }]);
    system["drives"][0]["path"] = json!([{ "link": 0 }, { "switch": 0 }, { "link": 1 }]);
    let split = run(&point(0.0, 1, 1), &system)
        .simulation
        .expect("simulated")
        .latency_split;
    let places = [
        ("host_cpu", 3.0),
        ("host_link", 8.192),
        ("switch", 1.0),
        ("disk_link", 16.384 - 4.096),
        ("drive_front", 7.0),
    ];
    let total: f64 = places.iter().map(|place| place.1).sum();
    assert_eq!(split.len(), places.len(), "{split:?}");
    for (place, us) in places {
        assert_near(split[place], us / total, 1e-4);
    }
}
