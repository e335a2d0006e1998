//! Commands: I/Os that carry no data. A sync makes earlier writes durable, a trim says that
//! blocks are no longer needed. Each is counted for itself and never among reads and writes.

use crate::histogram::Histogram;
use crate::window::{Counted, Counting, Traffic};

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// fsync or fdatasync.
    Sync,
    /// Trim, that is discard.
    Trim,
}

/// Commands of the window being counted.
#[derive(Debug, Default)]
pub struct CountingCommands {
    syncs: Counting,
    trims: Counting,
    trim_response_time: Histogram,
    targets: Vec<Traffic>,
}

/// Commands of a closed window.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    /// Syncs.
    pub syncs: Counted,
    /// Trims.
    pub trims: Counted,
}

impl CountingCommands {
    /// Count for so many targets.
    pub fn new(targets: usize) -> Self {
        Self {
            targets: vec![Traffic::default(); targets],
            ..Self::default()
        }
    }

    fn of(&mut self, command: Command) -> &mut Counting {
        match command {
            Command::Sync => &mut self.syncs,
            Command::Trim => &mut self.trims,
        }
    }

    /// Count a completed command.
    pub fn completed(&mut self, target: usize, command: Command, bytes: u32, latency_ns: u64) {
        self.of(command).latency.record(latency_ns);
        self.targets[target].add_command(command, u64::from(bytes));
    }

    /// Count the response time of a completed trim of an open loop; syncs are in no schedule.
    pub fn trim_responded(&mut self, response_ns: u64) {
        self.trim_response_time.record(response_ns);
    }

    /// Count a failed command.
    pub fn failed(&mut self, command: Command, errno: i32, offset: u64) {
        let errors = &mut self.of(command).errors;
        errors.entry(errno).or_insert((0, offset)).0 += 1;
    }

    /// What was completed so far in the window, by target.
    pub(crate) fn traffic(&self) -> &[Traffic] {
        &self.targets
    }

    /// Close the window and begin the next.
    pub(crate) fn take(&mut self) -> Commands {
        let trimmed_bytes = self.targets.iter().map(|target| target.trimmed_bytes).sum();
        self.targets.fill(Traffic::default());
        Commands {
            syncs: self.syncs.take(0),
            trims: Counted {
                response_time: self.trim_response_time.take(),
                ..self.trims.take(trimmed_bytes)
            },
        }
    }
}

impl Commands {
    /// Add another's counts, exactly.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.syncs.merge(&other.syncs);
        self.trims.merge(&other.trims);
    }

    /// Failed commands.
    pub(crate) fn failed(&self) -> u64 {
        let errors = self.syncs.errors.values().chain(self.trims.errors.values());
        errors.map(|(count, _)| count).sum()
    }
}

/// Add another window's commands to those of a window, exactly.
pub(crate) fn merge_commands(sum: &mut Option<Box<Commands>>, other: Option<&Commands>) {
    match (sum, other) {
        (Some(sum), Some(other)) => sum.merge(other),
        (sum @ None, Some(other)) => *sum = Some(Box::new(other.clone())),
        (_, None) => {}
    }
}
