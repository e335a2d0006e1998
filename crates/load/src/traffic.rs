//! What was done to a target, in I/Os and bytes: reads, writes and commands.

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// fsync or fdatasync.
    Sync,
    /// Trim, that is discard.
    Trim,
}

/// What was done to one target, in I/Os and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Trims.
    pub trims: u64,
    /// Bytes trimmed.
    pub trimmed_bytes: u64,
    /// Syncs.
    pub syncs: u64,
}

impl Traffic {
    /// Count one I/O.
    #[inline]
    pub fn add(&mut self, write: bool, bytes: u64) {
        if write {
            self.writes += 1;
            self.written_bytes += bytes;
        } else {
            self.reads += 1;
            self.read_bytes += bytes;
        }
    }

    /// Count one command.
    pub fn add_command(&mut self, command: Command, bytes: u64) {
        match command {
            Command::Sync => self.syncs += 1,
            Command::Trim => {
                self.trims += 1;
                self.trimmed_bytes += bytes;
            }
        }
    }

    /// Add another's counts.
    pub fn merge(&mut self, other: &Self) {
        self.reads += other.reads;
        self.writes += other.writes;
        self.read_bytes += other.read_bytes;
        self.written_bytes += other.written_bytes;
        self.trims += other.trims;
        self.trimmed_bytes += other.trimmed_bytes;
        self.syncs += other.syncs;
    }
}

/// What was sent to one target, or to several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// All that was issued.
    pub issued: Traffic,
    /// What of it failed or came back short: nobody knows what of that the device has seen.
    pub failed: Traffic,
}

impl Sent {
    /// Add another's counts.
    pub fn merge(&mut self, other: &Self) {
        self.issued.merge(&other.issued);
        self.failed.merge(&other.failed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_is_added_to_its_own() {
        let (mut one, mut other) = (Traffic::default(), Traffic::default());
        for (traffic, times) in [(&mut one, 1), (&mut other, 10)] {
            for _ in 0..times {
                traffic.add(false, 100);
                traffic.add_command(Command::Trim, 7000);
            }
            for _ in 0..2 * times {
                traffic.add(true, 1000);
                traffic.add_command(Command::Sync, 0);
            }
        }
        let mut sum = Sent {
            issued: one,
            failed: other,
        };
        sum.merge(&Sent {
            issued: other,
            failed: one,
        });
        let expected = Traffic {
            reads: 11,
            writes: 22,
            read_bytes: 1100,
            written_bytes: 22_000,
            trims: 11,
            trimmed_bytes: 77_000,
            syncs: 22,
        };
        assert_eq!((sum.issued, sum.failed), (expected, expected));
    }
}
