//! What a disk can choose from, by stream and place.

use std::collections::VecDeque;

use super::buffer::ONE;

/// What is to be done at the medium.
#[derive(Clone, Copy, Debug)]
pub(super) struct Command {
    pub(super) stream: usize,
    /// Its first byte that is to pass the head.
    pub(super) offset: f64,
    pub(super) end: f64,
    pub(super) write: bool,
    /// A write that has been answered.
    pub(super) cached: bool,
    /// Since when it can be chosen.
    pub(super) since: f64,
}

/// The commands of all streams, each in order of place.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    streams: Vec<VecDeque<Command>>,
    len: usize,
    /// No command that somebody waits for is older.
    oldest: f64,
}

impl Queue {
    pub(super) fn new(streams: usize) -> Self {
        Self {
            streams: vec![VecDeque::new(); streams],
            len: 0,
            oldest: f64::INFINITY,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, command: Command) {
        if !command.cached {
            self.oldest = self.oldest.min(command.since);
        }
        let all = &mut self.streams[command.stream];
        let at = all.partition_point(|other| other.offset <= command.offset);
        all.insert(at, command);
        self.len += 1;
    }

    /// The place of the first of a stream that ends behind a byte.
    fn first_behind(&self, stream: usize, offset: f64) -> usize {
        self.streams[stream].partition_point(|one| one.end <= offset + ONE)
    }

    /// One that goes on with what has just passed: it begins where the head is, or a little behind, or in what the buffer
    /// holds from `held_from` on.
    pub(super) fn on_the_way(
        &self,
        stream: usize,
        head: f64,
        held_from: f64,
        most: f64,
    ) -> Option<(usize, usize)> {
        let at = self.first_behind(stream, head);
        let mut behind = self.streams[stream].iter().enumerate().skip(at);
        let (at, _) = behind.find(|(_, one)| {
            let gap = one.offset - head;
            gap < most && (gap >= -ONE || !one.write && one.offset >= held_from)
        })?;
        Some((stream, at))
    }

    /// The one that somebody has waited for longest, if since before a moment.
    pub(super) fn overdue(&mut self, before: f64) -> Option<(usize, usize)> {
        if self.oldest >= before {
            return None;
        }
        let waited = self.all().filter(|(_, one)| !one.cached);
        let waited = waited.map(|(place, one)| (one.since, place));
        let oldest = waited.min_by(|one, other| one.0.total_cmp(&other.0));
        self.oldest = oldest.map_or(f64::INFINITY, |(since, _)| since);
        oldest
            .filter(|(since, _)| *since < before)
            .map(|(_, place)| place)
    }

    /// All with their places.
    pub(super) fn all(&self) -> impl Iterator<Item = ((usize, usize), &Command)> {
        let streams = self.streams.iter().enumerate();
        streams.flat_map(|(stream, all)| all.iter().enumerate().map(move |(at, one)| ((stream, at), one)))
    }

    pub(super) fn take(&mut self, (stream, at): (usize, usize)) -> Command {
        self.len -= 1;
        self.streams[stream].remove(at).expect("a command")
    }

    /// The place of a read of what lies within a stretch of a stream.
    pub(super) fn within(&self, stream: usize, (from, to): (f64, f64)) -> Option<(usize, usize)> {
        let all = &self.streams[stream];
        let first = all.partition_point(|one| one.offset < from);
        let mut near = all
            .iter()
            .enumerate()
            .skip(first)
            .take_while(|(_, one)| one.offset < to);
        let (at, _) = near.find(|(_, one)| !one.write && one.end <= to + ONE)?;
        Some((stream, at))
    }
}
