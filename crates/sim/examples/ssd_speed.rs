//! Simulated I/Os a second of the bare SSD model in a closed loop: `cargo run --release --example ssd_speed`.

use iodyno_sim::calendar::{Calendar, Event, Kind};
use iodyno_sim::drive::{DriveOp, Usage};
use iodyno_sim::ssd::Ssd;
use iodyno_sim::system::{Prefetch, SsdModel};
use iodyno_sim::time::Ps;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const IOS: u64 = 5_000_000;

fn model() -> SsdModel {
    SsdModel {
        capacity_bytes: 800_000_000_000,
        spare_share: 0.28,
        filled_share: 1.0,
        command_read_ps: Ps::from_ns(1_500),
        command_write_ps: Ps::from_ns(2_000),
        delay_read_ps: Ps::from_ns(8_000),
        delay_write_ps: Ps::from_ns(10_000),
        delay_write_per_kib_ps: Ps::ZERO,
        dies: 64,
        stripe_bytes: 8_192,
        read_ps: Ps::from_ns(70_000),
        read_bytes: 0,
        program_bytes: 32_768,
        program_ps: Ps::from_ns(900_000),
        suspend_ps: Ps::from_ns(300_000),
        data_read_bytes_s: 2_500_000_000,
        data_write_bytes_s: 1_900_000_000,
        read_spread: 0.0,
        turnaround_ps: Ps::from_ns(1_000),
        buffer_bytes: 16 << 20,
        write_cache: true,
        protected_share: 1.0,
        prefetch: Some(Prefetch {
            most_outstanding: 1,
            delay_ps: Ps::from_ns(10_000),
            bytes_s: 2_000_000_000,
        }),
    }
}

/// Events of a closed loop of so many I/Os.
fn run(outstanding: u32, bytes: u32, read_share: f64) -> u64 {
    let usage = Usage {
        accessed_bytes: 32 << 30,
        random_write_share: 1.0,
        valid_share: 1.0,
        write_streams: 0,
        written: None,
    };
    let mut drive = Ssd::new(&model(), usage, 0, 1);
    let (mut calendar, mut done) = (Calendar::default(), Vec::new());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let positions = (32 << 30) / 4096 - 64;
    let reads = (read_share * 65_536.0) as u64;
    let mut op = |token| {
        let draw = rng.next_u64();
        DriveOp {
            token,
            write: (draw & 0xffff) >= reads,
            trim: false,
            offset: (draw >> 16) % positions * 4096,
            bytes,
        }
    };
    for token in 0..outstanding {
        drive.submit(op(token), Ps::ZERO, &mut calendar, &mut done);
    }
    let (mut ios, mut events) = (0, 0);
    while ios < IOS {
        for end in done.drain(..) {
            let (kind, which, token) = (Kind::Host, 0, end.token);
            calendar.at(end.at, Event { kind, which, token });
        }
        let event = calendar.next().expect("an event");
        events += 1;
        if event.kind == Kind::Drive {
            drive.event(event.token, &mut calendar, &mut done);
        } else {
            ios += 1;
            let now = calendar.now();
            drive.submit(op(event.token), now, &mut calendar, &mut done);
        }
    }
    events
}

/// Processor time of this thread in seconds, so that whatever else runs does not count.
fn processor_s() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let ns = text.split_whitespace().next().expect("processor time");
    ns.parse::<f64>().expect("a number") / 1e9
}

fn main() {
    for (name, outstanding, bytes, read_share) in [
        ("random read 8 kB, 32 outstanding", 32, 8192, 1.0),
        ("Database, 32 outstanding", 32, 8192, 0.67),
        ("random write 8 kB, 32 outstanding", 32, 8192, 0.0),
        ("File server, 32 outstanding", 32, 65_536, 0.67),
        ("random read 8 kB, 512 outstanding", 512, 8192, 1.0),
    ] {
        let before = processor_s();
        let events = run(outstanding, bytes, read_share);
        let seconds = processor_s() - before;
        let (rate, each) = (IOS as f64 / seconds / 1e6, events as f64 / IOS as f64);
        println!("{name:36} {rate:6.2} M I/Os/s of processor time, {each:.2} events each");
    }
}
