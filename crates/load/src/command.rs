//! Commands: I/Os that carry no data. A sync makes earlier writes durable, a trim says that
//! blocks are no longer needed. Each is counted for itself and never among reads and writes.

use crate::counted::{Counted, Counting};
use crate::traffic::{Command, Traffic};

/// Commands of the window being counted, target by target.
#[derive(Debug, Default)]
pub struct CountingCommands {
    syncs: Vec<Counting>,
    trims: Vec<Counting>,
    traffic: Vec<Traffic>,
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
            syncs: vec![Counting::default(); targets],
            trims: vec![Counting::default(); targets],
            traffic: vec![Traffic::default(); targets],
        }
    }

    /// Bytes of its histograms.
    pub(crate) fn bytes(&self) -> usize {
        self.syncs.iter().chain(&self.trims).map(Counting::bytes).sum()
    }

    fn of(&mut self, target: usize, command: Command) -> &mut Counting {
        match command {
            Command::Sync => &mut self.syncs[target],
            Command::Trim => &mut self.trims[target],
        }
    }

    /// Count a completed command.
    pub fn completed(&mut self, target: usize, command: Command, bytes: u32, latency_ns: u64) {
        self.of(target, command).latency.record(latency_ns);
        self.traffic[target].add_command(command, u64::from(bytes));
    }

    /// Count the response time of a completed trim of an open loop; syncs are in no schedule.
    pub fn trim_responded(&mut self, target: usize, response_ns: u64) {
        let response_time = &mut self.trims[target].response_time;
        response_time.get_or_insert_default().record(response_ns);
    }

    /// Count a failed command.
    pub fn failed(&mut self, target: usize, command: Command, (errno, offset): (i32, u64)) {
        let errors = &mut self.of(target, command).errors;
        errors.entry(errno).or_insert((0, offset)).0 += 1;
    }

    /// What was completed so far in the window, by target.
    pub(crate) fn traffic(&self) -> &[Traffic] {
        &self.traffic
    }

    /// Close the window and begin the next: trims and syncs of each target.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = [Counted; 2]> {
        let both = self.trims.iter_mut().zip(&mut self.syncs);
        let traffic = self.traffic.iter_mut().map(std::mem::take);
        traffic
            .zip(both)
            .map(|(of, (trims, syncs))| [trims.take(of.trimmed_bytes), syncs.take(0)])
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
