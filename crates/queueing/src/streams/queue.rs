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
    /// Commands that came before it go together, once one of them is overdue.
    together: f64,
}

impl Queue {
    pub(super) fn new(streams: usize) -> Self {
        Self {
            streams: vec![VecDeque::new(); streams],
            len: 0,
            oldest: f64::INFINITY,
            together: f64::NEG_INFINITY,
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

    /// If somebody has waited for one since before `overdue`: those go together that came before the moment that it gives,
    /// which is `together` for a new set. What comes later joins it no more.
    pub(super) fn overdue(&mut self, overdue: f64, together: f64) -> Option<f64> {
        if self.oldest >= overdue {
            return None;
        }
        let waited = self.all().filter(|(_, one)| !one.cached);
        self.oldest = waited.map(|(_, one)| one.since).fold(f64::INFINITY, f64::min);
        if self.oldest >= overdue {
            return None;
        }
        if self.oldest >= self.together {
            self.together = together;
        }
        Some(self.together)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn command(since: f64) -> Command {
        Command {
            stream: 0,
            offset: since,
            end: since + 1.0,
            write: true,
            cached: false,
            since,
        }
    }

    /// Passed over too long after 8, and together with that after 6: what comes later is no more of a set that has begun.
    #[test]
    fn what_is_overdue_goes_with_what_nearly_is() {
        let mut queue = Queue::new(1);
        for since in [0.0, 1.0, 3.0] {
            queue.push(command(since));
        }
        assert_eq!(queue.overdue(-0.5, 1.5), None);
        assert_eq!(queue.overdue(0.5, 2.5), Some(2.5));
        queue.take((0, 0));
        assert_eq!(queue.overdue(1.5, 3.5), Some(2.5), "of the same set");
        queue.take((0, 0));
        assert_eq!(queue.overdue(2.5, 4.5), None);
        assert_eq!(queue.overdue(3.5, 5.5), Some(5.5), "a new one");
        queue.take((0, 0));
        assert_eq!(queue.overdue(9.0, 11.0), None);
    }
    fn at(offset: f64, write: bool) -> Command {
        let end = offset + 10.0;
        Command {
            offset,
            end,
            write,
            ..command(0.0)
        }
    }

    fn queue_of(commands: &[Command]) -> Queue {
        let mut queue = Queue::new(2);
        commands.iter().for_each(|&one| queue.push(one));
        queue
    }

    /// A write begins where the head is, half a byte off at the most, or behind, no farther than asked; of a read some may be in
    /// the buffer.
    #[test]
    fn what_is_on_the_way_begins_where_the_head_is_or_behind() {
        let found = |write, held_from, most| {
            let begins = |offset: &f64| {
                let queue = queue_of(&[at(*offset, write)]);
                queue.on_the_way(0, 100.0, held_from, most).is_some()
            };
            let all: [f64; 8] = [90.0, 91.0, 99.4, 99.5, 100.0, 119.9, 120.0, 150.0];
            all.into_iter().filter(begins).collect::<Vec<f64>>()
        };
        assert_eq!(found(true, 90.0, 20.0), [99.5, 100.0, 119.9]);
        assert_eq!(found(false, 91.0, 20.0), [91.0, 99.4, 99.5, 100.0, 119.9]);
        assert_eq!(found(false, 99.45, 50.0), [99.5, 100.0, 119.9, 120.0]);
    }

    #[test]
    fn the_next_of_a_stream_is_on_the_way_and_none_of_another() {
        let queue = queue_of(&[at(130.0, true), at(110.0, true), at(80.0, true)]);
        assert_eq!(queue.on_the_way(0, 100.0, 100.0, 50.0), Some((0, 1)));
        assert_eq!(queue.on_the_way(1, 100.0, 100.0, 50.0), None);
    }

    #[test]
    fn a_read_is_within_a_stretch_that_holds_all_of_it() {
        let within =
            |stretch| queue_of(&[at(100.0, true), at(120.0, false), at(140.0, false)]).within(0, stretch);
        for (from, to, place) in [
            (100.0, 150.0, Some(1)),
            (120.0, 130.0, Some(1)),
            (120.0, 129.5, Some(1)),
            (120.0, 129.4, None),
            (120.1, 149.4, None),
            (120.1, 150.0, Some(2)),
        ] {
            assert_eq!(within((from, to)), place.map(|at| (0, at)), "{from} to {to}");
        }
        assert_eq!(queue_of(&[at(100.0, true)]).within(0, (0.0, 200.0)), None);
    }
}
