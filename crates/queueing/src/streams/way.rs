//! The way of commands to a disk: data of writes over its link, then what it processes one after the other.

use std::collections::VecDeque;

use super::Streams;
use super::link::Link;
use super::queue::Command;

/// A command that comes to the disk, or is being processed.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    at: f64,
    /// When it is processed.
    ready: f64,
    command: Command,
}

/// Commands that were sent and are not processed.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) link: Link,
    /// What the data of a write take to the link, and over it.
    to_link_s: f64,
    over_link_s: f64,
    command_s: f64,
    /// Writes, and when their data come to the link.
    outgoing: VecDeque<(f64, Command)>,
    arrivals: VecDeque<Arrival>,
    /// When the last command that has been processed was.
    front: f64,
}

impl Way {
    pub(super) fn new(streams: &Streams) -> Self {
        Self {
            link: Link::new(streams),
            to_link_s: (streams.write_out_s - streams.link_s).max(0.0),
            over_link_s: streams.write_out_s.min(streams.link_s),
            command_s: streams.disk.command_s,
            outgoing: VecDeque::new(),
            arrivals: VecDeque::new(),
            front: 0.0,
        }
    }

    /// A command is sent: a read is at the disk, the data of a write are on links, of which that of the disk is the last.
    pub(super) fn send(&mut self, command: Command, at: f64) {
        if !command.write {
            return self.come(command, at);
        }
        let at = at + self.to_link_s;
        let place = self.outgoing.partition_point(|other| other.0 <= at);
        self.outgoing.insert(place, (at, command));
    }

    /// When the next data come to the link; infinite: none are on the way.
    pub(super) fn passes(&self) -> f64 {
        self.outgoing.front().map_or(f64::INFINITY, |first| first.0)
    }

    /// They do.
    pub(super) fn pass(&mut self) {
        let (at, command) = self.outgoing.pop_front().expect("data on the way");
        let passes = self.link.pass(at);
        self.come(command, passes + self.over_link_s);
    }

    /// A command comes to the disk: a read overtakes the data of a write.
    fn come(&mut self, command: Command, at: f64) {
        let place = self.arrivals.partition_point(|other| other.at <= at);
        let before = place.checked_sub(1).map(|before| self.arrivals[before].ready);
        let ready = 0.0;
        self.arrivals.insert(place, Arrival { at, ready, command });
        let mut front = before.unwrap_or(self.front);
        for arrival in self.arrivals.iter_mut().skip(place) {
            front = front.max(arrival.at) + self.command_s;
            arrival.ready = front;
        }
    }

    /// When the next command is processed; infinite: none has come.
    pub(super) fn arrives(&self) -> f64 {
        self.arrivals.front().map_or(f64::INFINITY, |first| first.ready)
    }

    /// It is.
    pub(super) fn arrive(&mut self) -> Option<Command> {
        let arrival = self.arrivals.pop_front()?;
        self.front = arrival.ready;
        Some(arrival.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 5 s that the data of a write take, the last 2 are on the link of the disk: what is read and comes to that before
    /// them passes first, however late the write was sent, and several writes one behind the other.
    #[test]
    fn a_write_comes_to_the_link_after_the_links_before() {
        let arrive = |shared, reads: &[f64]| {
            let mut way = Way {
                link: Link::of(shared, 2.0),
                to_link_s: 3.0,
                over_link_s: 2.0,
                command_s: 0.0,
                outgoing: VecDeque::new(),
                arrivals: VecDeque::new(),
                front: 0.0,
            };
            [10.0, 10.5].into_iter().for_each(|at| way.send(command(), at));
            assert_eq!(way.passes(), 13.0);
            for &at in reads {
                way.link.pass(at);
            }
            [(), ()].map(|()| {
                way.pass();
                let at = way.arrives();
                way.arrive().expect("a write");
                at
            })
        };
        assert_eq!(arrive(true, &[]), [15.0, 17.0]);
        assert_eq!(arrive(true, &[12.0]), [16.0, 18.0]);
        assert_eq!(arrive(true, &[12.0, 12.5]), [18.0, 20.0]);
        assert_eq!(arrive(false, &[12.0, 12.5]), [15.0, 15.5]);
    }

    fn command() -> Command {
        Command {
            stream: 0,
            offset: 0.0,
            end: 1.0,
            write: true,
            cached: false,
            since: 0.0,
        }
    }
}
