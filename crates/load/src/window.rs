//! What a worker counts: windows of 100 ms, each with its own histograms, so that any
//! range of them can become the measured part.

use crate::command::{Commands, CountingCommands, merge_commands};
use crate::counted::{Counted, Counting, Errors, Parts, merge_errors};
use crate::histogram::{Sparse, WindowHistogram};
use crate::packed;
use crate::traffic::Traffic;

/// Length of a window in ns.
pub const WINDOW_NS: u64 = 100_000_000;

/// Start later than this after its intended time, in ns, and an I/O counts as late.
pub const LATE_NS: u64 = 1_000_000;

/// Failed I/Os of all targets, and of each where there are several.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// Failed reads, writes, trims and syncs of all targets.
    pub all: [Errors; 4],
    /// Of each of several.
    pub targets: Vec<[Errors; 4]>,
}

impl Failures {
    /// Add those of a window.
    pub fn add(&mut self, window: &Window) {
        merge_errors(&mut self.all[0], &window.reads.errors);
        merge_errors(&mut self.all[1], &window.writes.errors);
        if let Some(commands) = &window.commands {
            merge_errors(&mut self.all[2], &commands.trims.errors);
            merge_errors(&mut self.all[3], &commands.syncs.errors);
        }
        let targets = self.targets.len().max(window.split.len());
        self.targets.resize_with(targets, Default::default);
        let pairs = self
            .targets
            .iter_mut()
            .flatten()
            .zip(window.split.iter().flatten());
        pairs.for_each(|(sum, part)| merge_errors(sum, &part.errors));
    }
}

/// How the starts of an open loop were, of the I/Os that completed.
#[derive(Clone, Debug, Default)]
pub struct Starts {
    /// Intended start to issue in ns, of the I/Os that found a free slot.
    pub delay: Sparse,
    /// I/Os issued more than 1 ms after their intended start.
    pub late: u64,
    /// I/Os that were due while every slot was taken: not the host held them up.
    pub held: u64,
    /// I/Os that waited for another write or trim of the same place, where data are verified, and for nothing
    /// else.
    pub waited: u64,
    /// Late I/Os that neither held up: the host was late.
    pub host_late: u64,
}

/// What held up the start of an I/O of an open loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeldBy {
    /// Nothing but the host.
    #[default]
    Nothing,
    /// It was due while every slot was taken.
    Limit,
    /// Another write or trim of the same place was under way.
    Place,
}

impl From<bool> for HeldBy {
    /// Whether it was due while every slot was taken.
    fn from(full: bool) -> Self {
        if full { Self::Limit } else { Self::Nothing }
    }
}

impl Starts {
    /// Add another's, exactly.
    pub fn merge(&mut self, other: &Self) {
        self.delay.merge(&other.delay);
        self.late += other.late;
        self.held += other.held;
        self.waited += other.waited;
        self.host_late += other.host_late;
    }
}

/// I/Os and bytes of one direction on one target: counted without asking which direction it is.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    ios: u64,
    bytes: u64,
}

impl From<[Tally; 2]> for Traffic {
    fn from([reads, writes]: [Tally; 2]) -> Self {
        Self {
            reads: reads.ios,
            writes: writes.ios,
            read_bytes: reads.bytes,
            written_bytes: writes.bytes,
            ..Self::default()
        }
    }
}

/// A closed window of one worker.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// Reads.
    pub reads: Counted,
    /// Writes.
    pub writes: Counted,
    /// Syncs and trims, where the profile has any.
    pub commands: Option<Box<Commands>>,
    /// Completed by target.
    pub targets: Vec<Traffic>,
    /// CPU time of the thread in ns.
    pub cpu_ns: u64,
    /// System calls for I/O.
    pub system_calls: u64,
    /// Integral of the outstanding I/Os over time, in I/Os × ns.
    pub io_time_ns: u64,
    /// How the starts were, where the loop is open.
    pub starts: Starts,
    /// What each target did, where there are several.
    pub split: Vec<Parts>,
    /// I/Os due but not issued, at the end of the window.
    pub backlog: u64,
    /// I/Os issued and not completed, at the end of the window.
    pub under_way: u64,
}

impl Window {
    /// Add another thread's window of the same time, exactly.
    pub fn join(&mut self, other: &Self) {
        let (backlog, under_way) = (self.backlog + other.backlog, self.under_way + other.under_way);
        self.follow(other);
        (self.backlog, self.under_way) = (backlog, under_way);
    }

    /// Add the window that comes next, exactly.
    pub fn follow(&mut self, next: &Self) {
        self.reads.merge(&next.reads);
        self.writes.merge(&next.writes);
        merge_commands(&mut self.commands, next.commands.as_deref());
        if self.targets.is_empty() {
            self.targets.clone_from(&next.targets);
        } else {
            let pairs = self.targets.iter_mut().zip(&next.targets);
            pairs.for_each(|(sum, part)| sum.merge(part));
        }
        self.cpu_ns += next.cpu_ns;
        self.system_calls += next.system_calls;
        self.io_time_ns += next.io_time_ns;
        self.starts.merge(&next.starts);
        packed::add(&mut self.split, &next.split);
        (self.backlog, self.under_way) = (next.backlog, next.under_way);
    }

    /// Response times of its accesses, where the loop is open: reads, writes and trims.
    pub fn response_times(&self) -> [Option<&Sparse>; 3] {
        let trims = self
            .commands
            .as_ref()
            .map(|commands| &commands.trims.response_time);
        [
            Some(&self.reads.response_time),
            Some(&self.writes.response_time),
            trims,
        ]
    }

    /// Failed I/Os.
    pub fn failed(&self) -> u64 {
        let errors = self.reads.errors.values().chain(self.writes.errors.values());
        let transfers: u64 = errors.map(|(count, _)| count).sum();
        transfers + self.commands.as_ref().map_or(0, |commands| commands.failed())
    }
}

/// Counts the window in progress.
#[derive(Debug)]
pub struct WindowCounter {
    /// Index in the point of the first target that is counted.
    first_target: usize,
    /// Reads and writes of each target that is counted.
    counting: Vec<[Counting; 2]>,
    /// Syncs and trims, where the profile has any.
    pub commands: Option<Box<CountingCommands>>,
    /// One for each target of the point.
    targets: Vec<[Tally; 2]>,
    /// Intended start to issue, where the loop is open.
    delay: WindowHistogram,
    starts: Starts,
    /// System calls for I/O.
    pub system_calls: u64,
    /// Integral of the outstanding I/Os over time, in I/Os × ns.
    pub io_time_ns: u64,
}

impl WindowCounter {
    /// Count for some of so many targets; with response times where the loop is open.
    pub fn new(targets: usize, own: std::ops::Range<usize>, open_loop: bool) -> Self {
        let both = || [Counting::new(open_loop), Counting::new(open_loop)];
        Self {
            first_target: own.start,
            counting: own.map(|_| both()).collect(),
            commands: None,
            targets: vec![<[Tally; 2]>::default(); targets],
            delay: WindowHistogram::default(),
            starts: Starts::default(),
            system_calls: 0,
            io_time_ns: 0,
        }
    }

    /// Bytes of its histograms.
    pub fn bytes(&self) -> usize {
        let commands = self.commands.as_ref().map_or(0, |commands| commands.bytes());
        let transfers = self.counting.iter().flatten().map(Counting::bytes);
        self.delay.bytes() + commands + transfers.sum::<usize>()
    }

    /// Count commands too, where the profile has any.
    pub fn with_commands(mut self, commands: bool) -> Self {
        self.commands = commands.then(|| Box::new(CountingCommands::new(self.targets.len())));
        self
    }

    #[inline]
    fn direction(&mut self, target: usize, write: bool) -> &mut Counting {
        &mut self.counting[target - self.first_target][usize::from(write)]
    }

    /// Count a completed I/O.
    #[inline]
    pub fn completed(&mut self, target: usize, write: bool, bytes: u32, latency_ns: u64) {
        self.completed_alike(target, write, bytes, (latency_ns, 1));
    }

    /// Count so many I/Os that completed alike: what is issued and reaped together has one latency.
    #[inline]
    pub fn completed_alike(&mut self, target: usize, write: bool, bytes: u32, (latency_ns, ios): (u64, u64)) {
        self.direction(target, write).latency.record_many(latency_ns, ios);
        let tally = &mut self.targets[target][usize::from(write)];
        tally.ios += ios;
        tally.bytes += ios * u64::from(bytes);
    }

    /// What was completed so far in the window, of each target.
    pub fn traffic(&self) -> impl Iterator<Item = Traffic> {
        let of_commands = self.of_commands();
        self.targets.iter().enumerate().map(move |(number, target)| {
            let mut sum = Traffic::from(*target);
            of_commands
                .get(number)
                .into_iter()
                .for_each(|commands| sum.merge(commands));
            sum
        })
    }

    /// What commands were completed so far in the window, by target; empty where there are none.
    fn of_commands(&self) -> &[Traffic] {
        self.commands.as_ref().map_or(&[], |commands| commands.traffic())
    }

    /// Count the response time of a completed I/O of an open loop, how long after its intended start it was
    /// issued, and what held it up.
    #[inline]
    pub fn responded(
        &mut self,
        target: usize,
        write: bool,
        response_ns: u64,
        start: (u64, impl Into<HeldBy>),
    ) {
        if let Some(histogram) = &mut self.direction(target, write).response_time {
            histogram.record(response_ns);
        }
        self.started(start);
    }

    /// Count how an I/O of an open loop started.
    #[inline]
    pub fn started(&mut self, (delay_ns, held): (u64, impl Into<HeldBy>)) {
        let late = u64::from(delay_ns > LATE_NS);
        self.starts.late += late;
        match held.into() {
            HeldBy::Limit => self.starts.held += 1,
            HeldBy::Place => self.starts.waited += 1,
            HeldBy::Nothing => {
                self.starts.host_late += late;
                self.delay.record(delay_ns);
            }
        }
    }

    /// Count a failed I/O.
    #[cold]
    pub fn failed(&mut self, target: usize, write: bool, (errno, offset): (i32, u64)) {
        let errors = &mut self.direction(target, write).errors;
        errors.entry(errno).or_insert((0, offset)).0 += 1;
    }

    /// Close the window and begin the next; what is under way its owner knows.
    pub fn close(&mut self, cpu_ns: u64, backlog: u64) -> Window {
        let tallies = self.targets.iter_mut().map(std::mem::take);
        let mut targets: Vec<_> = tallies.map(Traffic::from).collect();
        let mut split: Vec<Parts> = targets.iter().map(|_| Default::default()).collect();
        for (target, [reads, writes]) in (self.first_target..).zip(&mut self.counting) {
            let of = &targets[target];
            split[target][0] = reads.take(of.read_bytes);
            split[target][1] = writes.take(of.written_bytes);
        }
        let pairs = targets.iter_mut().zip(self.of_commands());
        pairs.for_each(|(sum, commands)| sum.merge(commands));
        if let Some(commands) = &mut self.commands {
            let pairs = split.iter_mut().zip(commands.take());
            pairs.for_each(|(parts, taken)| [parts[2], parts[3]] = taken);
        }
        let [reads, writes, trims, syncs] = if split.len() == 1 {
            split.remove(0)
        } else {
            sum_of(&split)
        };
        Window {
            reads,
            writes,
            commands: self
                .commands
                .as_ref()
                .map(|_| Box::new(Commands { trims, syncs })),
            targets,
            cpu_ns,
            system_calls: std::mem::take(&mut self.system_calls),
            io_time_ns: std::mem::take(&mut self.io_time_ns),
            starts: Starts {
                delay: self.delay.take(),
                ..std::mem::take(&mut self.starts)
            },
            split,
            backlog,
            under_way: 0,
        }
    }
}

fn sum_of(split: &[Parts]) -> Parts {
    let mut sum = Parts::default();
    for target in split {
        let pairs = sum.iter_mut().zip(target);
        pairs.for_each(|(sum, part)| sum.merge(part));
    }
    sum
}
