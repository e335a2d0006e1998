//! A closed loop on a bare drive: as many operations under way as asked for, the next one when one is done.

use iodyno_sim::calendar::{Calendar, Event, Kind};
use iodyno_sim::operation::{DriveOp, Usage};
use iodyno_sim::ssd::Ssd;
use iodyno_sim::system::{Prefetch, SsdModel};
use iodyno_sim::time::Ps;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// 400 GB, numbers that are easy to calculate with; much of the buffer is never needed.
pub(crate) fn model() -> SsdModel {
    SsdModel {
        capacity_bytes: 400_000_000_000,
        spare_share: 0.28,
        filled_share: 1.0,
        command_read_ps: Ps::from_ns(1_000),
        command_write_ps: Ps::from_ns(1_500),
        delay_read_ps: Ps::from_ns(5_000),
        delay_write_ps: Ps::from_ns(7_000),
        delay_write_per_kib_ps: Ps::ZERO,
        dies: 32,
        stripe_bytes: 16_384,
        read_ps: Ps::from_ns(60_000),
        read_bytes: 0,
        program_bytes: 65_536,
        program_ps: Ps::from_ns(800_000),
        suspend_ps: Ps::from_ns(20_000),
        data_read_bytes_s: 2_000_000_000,
        data_write_bytes_s: 1_600_000_000,
        read_spread: 0.0,
        turnaround_ps: Ps::from_ns(1_000),
        buffer_bytes: 4 << 20,
        write_cache: true,
        protected_share: 0.0,
        prefetch: None,
    }
}

/// Prefetching at one outstanding I/O.
pub(crate) fn prefetch() -> Prefetch {
    Prefetch {
        most_outstanding: 1,
        delay_ps: Ps::from_ns(10_000),
        bytes_s: 2_000_000_000,
    }
}

/// What is asked of the drive.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) outstanding: u32,
    pub(crate) bytes: u32,
    pub(crate) read_share: f64,
    pub(crate) random: bool,
    /// Bytes accessed, from the beginning of the drive.
    pub(crate) accessed: u64,
    pub(crate) seed: u64,
}

impl Load {
    /// Random accesses on 32 GiB.
    pub(crate) fn random(outstanding: u32, bytes: u32, read_share: f64) -> Self {
        Self {
            outstanding,
            bytes,
            read_share,
            random: true,
            accessed: 32 << 30,
            seed: 1,
        }
    }

    /// One stream over 32 GiB.
    pub(crate) fn sequential(outstanding: u32, bytes: u32, read_share: f64) -> Self {
        Self {
            random: false,
            ..Self::random(outstanding, bytes, read_share)
        }
    }
}

/// What came out after the warm-up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) io_s: f64,
    pub(crate) read_us: f64,
    pub(crate) write_us: f64,
    pub(crate) front_us: f64,
    pub(crate) room_us: f64,
    pub(crate) media_us: f64,
    /// Name, utilisation and mean queue of each station.
    pub(crate) stations: Vec<(&'static str, f64, f64)>,
}

impl Outcome {
    pub(crate) fn utilisation(&self, name: &str) -> f64 {
        self.stations
            .iter()
            .find(|station| station.0 == name)
            .expect("a station")
            .1
    }

    pub(crate) fn queue(&self, name: &str) -> f64 {
        self.stations
            .iter()
            .find(|station| station.0 == name)
            .expect("a station")
            .2
    }
}

struct Source {
    load: Load,
    rng: Xoshiro256PlusPlus,
    cursor: u64,
}

impl Source {
    fn next(&mut self, token: u32) -> DriveOp {
        let Load {
            bytes,
            accessed,
            read_share,
            random,
            ..
        } = self.load;
        let write = (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 >= read_share;
        let draw = self.rng.next_u64() % ((accessed - u64::from(bytes)) / 4096 + 1) * 4096;
        let offset = if random { draw } else { self.cursor };
        self.cursor = (offset + u64::from(bytes)) % (accessed / u64::from(bytes) * u64::from(bytes));
        DriveOp {
            token,
            write,
            trim: false,
            limit_us: 0,
            offset,
            bytes,
        }
    }
}

/// Sums of the stations grow and never shrink: windows are told by their differences.
#[derive(Default)]
struct Watch(Vec<u128>);

impl Watch {
    fn look(&mut self, drive: &Ssd) {
        let busy: Vec<u128> = drive
            .stations(Ps::ZERO)
            .iter()
            .map(|station| station.sums.busy.0)
            .collect();
        let grown = self.0.iter().zip(&busy).all(|(before, now)| before <= now);
        assert!(grown, "busy times shrink: {:?} {busy:?}", self.0);
        self.0 = busy;
    }
}

/// Run so many operations, of which the first `warmup` are not counted.
pub(crate) fn run(model: &SsdModel, load: Load, warmup: u64, counted: u64) -> Outcome {
    let random_write_share = if load.random { 1.0 } else { 0.0 };
    let usage = Usage {
        accessed_bytes: load.accessed,
        overwritten_bytes: load.accessed,
        random_write_share,
        valid_share: 1.0,
        write_streams: 0,
        written: Vec::new(),
    };
    let mut drive = Ssd::new(model, usage, 3, load.seed);
    let mut source = Source {
        load,
        rng: Xoshiro256PlusPlus::seed_from_u64(load.seed),
        cursor: 0,
    };
    let (mut calendar, mut done) = (Calendar::default(), Vec::new());
    let mut ops = Vec::new();
    for token in 0..load.outstanding {
        let op = source.next(token);
        ops.push((op, Ps::ZERO));
        drive.submit(op, Ps::ZERO, &mut calendar, &mut done);
    }
    let mut sums = [(0u64, 0u64); 2];
    let (mut front, mut room, mut media) = (0u64, 0u64, 0u64);
    let (mut begun, mut completed, mut watch) = (Ps::ZERO, 0u64, Watch::default());
    let mut before = Vec::new();
    loop {
        for end in done.drain(..) {
            assert!(end.at >= calendar.now(), "done in the past");
            assert_eq!(
                end.inside.total(),
                end.at.since(ops[end.token as usize].1),
                "time is not accounted for"
            );
            if completed >= warmup {
                front += end.inside.front.0;
                room += end.inside.room.0;
                media += end.inside.media.0;
            }
            calendar.at(
                end.at,
                Event {
                    kind: Kind::Host,
                    which: 0,
                    token: end.token,
                },
            );
        }
        let event = calendar.next().expect("the drive goes on");
        if event.kind == Kind::Drive {
            assert_eq!(event.which, 3, "another drive's event");
            drive.event(event.token, &mut calendar, &mut done);
            continue;
        }
        let now = calendar.now();
        let (op, issued) = ops[event.token as usize];
        completed += 1;
        if completed > warmup {
            let sum = &mut sums[usize::from(op.write)];
            *sum = (sum.0 + 1, sum.1 + now.since(issued).0);
        }
        if completed == warmup {
            begun = now;
            before = drive.stations(now);
        }
        if completed == warmup + counted {
            break;
        }
        if completed % 500 == 0 {
            watch.look(&drive);
        }
        let op = source.next(event.token);
        ops[event.token as usize] = (op, now);
        drive.submit(op, now, &mut calendar, &mut done);
    }
    let span = calendar.now().since(begun);
    let mean = |(count, sum): (u64, u64)| {
        if count == 0 {
            f64::NAN
        } else {
            sum as f64 / count as f64 / 1e6
        }
    };
    let stations = drive.stations(calendar.now()).into_iter().zip(before);
    let stations = stations.map(|(station, before)| {
        let sums = station.sums - before.sums;
        (
            station.name,
            sums.busy.seconds() / (span.seconds() * station.servers as f64),
            sums.residence.seconds() / span.seconds(),
        )
    });
    Outcome {
        io_s: counted as f64 / span.seconds(),
        read_us: mean(sums[0]),
        write_us: mean(sums[1]),
        front_us: front as f64 / counted as f64 / 1e6,
        room_us: room as f64 / counted as f64 / 1e6,
        media_us: media as f64 / counted as f64 / 1e6,
        stations: stations.collect(),
    }
}

/// Whether a value is within so many percent of what is expected.
#[track_caller]
pub(crate) fn assert_near(value: f64, expected: f64, percent: f64) {
    let off = (value / expected - 1.0) * 100.0;
    assert!(off.abs() <= percent, "{value} is {off:+.2} % off {expected}");
}
