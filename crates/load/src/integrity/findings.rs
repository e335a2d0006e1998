//! What reads that were checked have found.

use std::collections::BTreeMap;

use serde::Serialize;

use super::stamp::Stamp;

/// Findings that are kept one by one; those after them are only counted.
const KEPT: usize = 100;

/// A kind of corruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The block of the place, but bits of it are not as written.
    BitFlip,
    /// One write is there in part: the rest holds what was there before it.
    Torn,
    /// A write that was acknowledged is not there, and no read has ever seen it: an older block is.
    Lost,
    /// An older block came back, though a read before or after it found the newest.
    Stale,
    /// A block of this run that belongs elsewhere.
    Misdirected,
    /// Zeros where something was written.
    Zeros,
    /// Zeros or ones where something was written, as trims leave them, up to a place that was trimmed since.
    Overtrimmed,
    /// What iodyno did not write, or a block that another run wrote for another place.
    Foreign,
    /// The device gave an error instead.
    Unreadable,
}

/// What a sector that is not as expected says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// Whether this run wrote it.
    pub this_run: bool,
    /// Index of the target that it belongs to.
    pub target: u32,
    /// Where it belongs, in bytes.
    pub offset_bytes: u64,
    /// Number of its write.
    pub generation: u64,
}

impl Found {
    pub(super) fn of(stamp: &Stamp, session: u64) -> Self {
        Self {
            this_run: stamp.session == session,
            target: stamp.target,
            offset_bytes: stamp.offset,
            generation: stamp.generation,
        }
    }
}

/// A range that was not as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of corruption it is.
    pub kind: Kind,
    /// Index of the target in the run.
    pub target: u32,
    /// Its first wrong sector, in bytes.
    pub offset_bytes: u64,
    /// Bytes of its wrong sectors.
    pub bytes: u64,
    /// Number of the write that was expected there, or of the trim.
    pub expected_generation: u64,
    /// Whether it was trimmed: then nothing but another place's data is wrong there.
    pub trimmed: bool,
    /// What its first wrong sector says of itself, where it says anything.
    pub found: Option<Found>,
    /// Whether reading again found it wrong again; nothing where that could not be tried.
    pub lasting: Option<bool>,
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// Bytes that were compared with what was written there.
    pub checked_bytes: u64,
    /// Bytes that were read while they were being written, and could not be told.
    pub not_judged_bytes: u64,
    /// Bytes that were read while they were trimmed: nothing says what they hold.
    pub trimmed_bytes: u64,
    /// Of these, bytes of sectors of zeros.
    pub trimmed_zeros_bytes: u64,
    /// Writes and trims that waited for another one to the same place.
    pub waited: u64,
    /// Findings by kind.
    pub counts: BTreeMap<Kind, u64>,
    /// The first of them.
    pub first: Vec<Finding>,
}

impl Findings {
    /// Add a finding.
    pub fn add(&mut self, finding: Finding) {
        *self.counts.entry(finding.kind).or_default() += 1;
        if self.first.len() < KEPT {
            self.first.push(finding);
        }
    }

    /// Add all that another has found.
    pub fn merge(&mut self, other: Self) {
        self.checked_bytes += other.checked_bytes;
        self.not_judged_bytes += other.not_judged_bytes;
        self.trimmed_bytes += other.trimmed_bytes;
        self.trimmed_zeros_bytes += other.trimmed_zeros_bytes;
        self.waited += other.waited;
        for (kind, count) in other.counts {
            *self.counts.entry(kind).or_default() += count;
        }
        let room = KEPT - self.first.len();
        self.first.extend(other.first.into_iter().take(room));
    }

    /// Number of findings.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }
}
