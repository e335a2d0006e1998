//! A closed loop on one drive, without host and links: so many outstanding, drawn at random or in sequence.

use iodyno_sim::calendar::Calendar;
use iodyno_sim::hdd::Hdd;
use iodyno_sim::operation::{Done, DriveOp, StationSums, Usage, Written};
use iodyno_sim::system::HddModel;
use iodyno_sim::time::Ps;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// What is asked of the drive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// Whether offsets are drawn, else in sequence.
    pub(crate) random: bool,
    /// Share of reads.
    pub(crate) reads: f64,
    /// Bytes of an operation.
    pub(crate) bytes: u32,
    /// Outstanding operations.
    pub(crate) outstanding: u32,
    /// Bytes left out between one operation of a sequence and the next.
    pub(crate) skip: u64,
    /// First byte of the area.
    pub(crate) first: u64,
    /// Bytes of the area.
    pub(crate) area: u64,
    /// Operations that are not counted.
    pub(crate) warmup: u64,
    /// Operations that are.
    pub(crate) counted: u64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// Operations per second.
    pub(crate) rate: f64,
    /// Bytes per second.
    pub(crate) bytes_s: f64,
    /// Mean latency in seconds.
    pub(crate) latency: f64,
    /// Longest latency in seconds.
    pub(crate) longest: f64,
    /// Share of the time in which the mechanics served.
    pub(crate) utilisation: f64,
    /// How many operations the mechanics had, waiting and in service.
    pub(crate) queue: f64,
    /// How full the write cache was, 0 to 1, and how many waited for room in it.
    pub(crate) cache: (f64, f64),
    /// Share of the tags that was taken, and how many commands waited for one.
    pub(crate) tags: (f64, f64),
    /// Seconds of the latency that a mean operation waited for that room.
    pub(crate) for_room: f64,
    /// Moment of the last completion in ps.
    pub(crate) end: Ps,
}

struct Draws {
    load: Load,
    rng: Xoshiro256PlusPlus,
    cursor: u64,
}

impl Draws {
    fn share(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn next(&mut self, token: u32) -> DriveOp {
        let Load {
            random,
            reads,
            bytes,
            skip,
            first,
            area,
            ..
        } = self.load;
        let write = self.share() >= reads;
        let within = if random {
            let positions = (area - u64::from(bytes)) / 4096 + 1;
            ((self.share() * positions as f64) as u64) * 4096
        } else {
            let at = self.cursor;
            let step = u64::from(bytes) + skip;
            self.cursor = if at + 2 * step > area { 0 } else { at + step };
            at
        };
        DriveOp {
            token,
            write,
            trim: false,
            limit_us: 0,
            offset: first + within,
            bytes,
        }
    }
}

/// Run a load; one seed, one outcome.
pub(crate) fn run(model: &HddModel, load: Load, seed: u64) -> Outcome {
    let usage = Usage {
        accessed_bytes: load.area,
        overwritten_bytes: load.area,
        random_write_share: 1.0,
        valid_share: 1.0,
        write_streams: u32::from(!load.random),
        written: if load.random {
            vec![Written {
                parts: vec![(load.first, load.area)],
                writes: 1.0,
            }]
        } else {
            Vec::new()
        },
    };
    let mut drive = Hdd::new(model, usage, 0, seed);
    let mut draws = Draws {
        load,
        rng: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5eed),
        cursor: 0,
    };
    let (mut calendar, mut done) = (Calendar::default(), Vec::<Done>::new());
    let mut issued = vec![Ps::ZERO; load.outstanding as usize];
    for token in 0..load.outstanding {
        drive.submit(draws.next(token), Ps::ZERO, &mut calendar);
    }
    let (mut completed, mut begin, mut sum, mut longest) = (0, Ps::ZERO, 0.0, 0.0_f64);
    let (mut for_room, mut before) = (0.0, Vec::new());
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
        let batch = std::mem::take(&mut done);
        for Done {
            token, at, inside, ..
        } in batch
        {
            let latency = at.since(issued[token as usize]);
            assert_eq!(inside.total(), latency, "the split adds up to the latency");
            completed += 1;
            if completed > load.warmup {
                sum += latency.seconds();
                for_room += inside.room.seconds();
                longest = longest.max(latency.seconds());
            }
            if completed == load.warmup {
                (begin, sum, for_room) = (at, 0.0, 0.0);
                before = drive.stations(at);
            }
            if completed == load.warmup + load.counted {
                return outcome(&drive, load, (begin, &before, at), (sum, longest, for_room));
            }
            issued[token as usize] = at;
            drive.submit(draws.next(token), at, &mut calendar);
        }
    }
    panic!("the drive fell silent after {completed} operations");
}

fn outcome(
    drive: &Hdd,
    load: Load,
    (begin, before, end): (Ps, &[StationSums], Ps),
    (sum, longest, for_room): (f64, f64, f64),
) -> Outcome {
    let span = end.since(begin).seconds();
    let mut stations = drive.stations(end);
    for (station, before) in stations.iter_mut().zip(before) {
        station.sums = station.sums - before.sums;
    }
    // An answer of the cache lies ahead of the moment from which is counted: room is left out.
    for station in stations.iter().filter(|station| !station.room) {
        let most = station.servers as f64 * span;
        assert!(
            station.sums.busy.seconds() <= most,
            "{} is busier than it can be",
            station.name
        );
    }
    let mechanics = stations.pop().expect("the mechanics");
    let cache = stations.pop().expect("the write cache").sums;
    let tags = stations.pop().expect("the tags").sums;
    Outcome {
        rate: load.counted as f64 / span,
        bytes_s: load.counted as f64 * f64::from(load.bytes) / span,
        latency: sum / load.counted as f64,
        longest,
        utilisation: mechanics.sums.busy.seconds() / span,
        queue: mechanics.sums.residence.seconds() / span,
        cache: (cache.busy.seconds() / span, cache.residence.seconds() / span),
        tags: (tags.busy.seconds() / span, tags.residence.seconds() / span),
        for_room: for_room / load.counted as f64,
        end,
    }
}
