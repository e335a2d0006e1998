//! Windows of all threads, added up as soon as every thread has closed them, and kept so that memory does not
//! grow with time: the longer the series, the more windows are kept as one.

use std::collections::VecDeque;

use crate::packed::{self, Packed};
use crate::stopping::grain;
use crate::window::Window;

/// What a worker spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// CPU time of its threads in ns.
    pub cpu_ns: u64,
    /// System calls for I/O.
    pub system_calls: u64,
    /// Integral of its outstanding I/Os over time, in I/Os × ns.
    pub io_time_ns: u64,
}

impl Spent {
    /// Add another's.
    pub fn merge(&mut self, other: Self) {
        self.cpu_ns += other.cpu_ns;
        self.system_calls += other.system_calls;
        self.io_time_ns += other.io_time_ns;
    }
}

/// Where a thread belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The worker that it is of, among those of all loads.
    pub worker: usize,
    /// The load that the worker keeps.
    pub load: usize,
}

/// What all workers did in a window, or in some that follow each other.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// All of them together.
    pub sum: Window,
    /// One for each worker.
    pub workers: Vec<Spent>,
    /// One for each load, where there are several; not kept.
    pub loads: Vec<Window>,
}

impl Row {
    /// Add the row that comes next, exactly.
    fn follow(&mut self, next: &Self) {
        self.sum.follow(&next.sum);
        let pairs = self.workers.iter_mut().zip(&next.workers);
        pairs.for_each(|(sum, part)| sum.merge(*part));
    }
}

/// Adds up what threads have closed: a window goes into its row at once and is not kept.
#[derive(Debug)]
pub struct Gatherer {
    /// One for each thread.
    places: Vec<Place>,
    /// What a row begins with.
    nothing: Row,
    /// Windows of each thread in the rows that are open.
    given: Vec<usize>,
    /// Rows that some thread has not closed yet.
    open: VecDeque<Row>,
}

impl Gatherer {
    /// Gather from threads, one at each of these places.
    pub fn new(places: Vec<Place>) -> Self {
        let count = |of: fn(&Place) -> usize| places.iter().map(of).max().map_or(0, |last| last + 1);
        let (workers, loads) = (count(|place| place.worker), count(|place| place.load));
        Self {
            nothing: Row {
                sum: Window::default(),
                workers: vec![Spent::default(); workers],
                loads: vec![Window::default(); if loads > 1 { loads } else { 0 }],
            },
            given: vec![0; places.len()],
            places,
            open: VecDeque::new(),
        }
    }

    /// Take the next window of a thread.
    pub fn add(&mut self, thread: usize, window: &Window) {
        let place = self.given[thread];
        self.given[thread] += 1;
        if place == self.open.len() {
            self.open.push_back(self.nothing.clone());
        }
        let (row, Place { worker, load }) = (&mut self.open[place], self.places[thread]);
        row.sum.join(window);
        if let Some(of) = row.loads.get_mut(load) {
            of.join(window);
        }
        row.workers[worker].merge(Spent {
            cpu_ns: window.cpu_ns,
            system_calls: window.system_calls,
            io_time_ns: window.io_time_ns,
        });
    }

    /// The next row that every thread has closed.
    pub fn complete(&mut self) -> Option<Row> {
        if self.given.contains(&0) {
            return None;
        }
        self.given.iter_mut().for_each(|given| *given -= 1);
        self.open.pop_front()
    }

    /// The rows that are left, where nobody closes any more windows: not every thread has closed them.
    pub fn rest(&mut self) -> impl Iterator<Item = Row> {
        self.given.fill(0);
        self.open.drain(..)
    }
}

/// Keeps rows, [`grain`] windows in each.
#[derive(Debug, Default)]
pub struct Kept {
    windows: usize,
    /// Without what each of several targets did.
    rows: Vec<Row>,
    /// That, one for each row.
    splits: Vec<Packed>,
}

impl Kept {
    /// Keep the next window.
    pub fn push(&mut self, mut row: Row) {
        let split = std::mem::take(&mut row.sum.split);
        let (before, now) = (grain(self.windows), grain(self.windows + 1));
        if now > before {
            self.halve();
        }
        if self.windows.is_multiple_of(now) {
            self.rows.push(row);
            self.splits.push(Packed::of(&split));
        } else {
            self.rows.last_mut().expect("a row has begun").follow(&row);
            let last = self.splits.last_mut().expect("a row has begun");
            let mut sum = last.split();
            packed::add(&mut sum, &split);
            *last = Packed::of(&sum);
        }
        self.windows += 1;
    }

    /// Two rows become one.
    fn halve(&mut self) {
        let pairs = std::mem::take(&mut self.rows).into_iter();
        for (number, row) in pairs.enumerate() {
            if number.is_multiple_of(2) {
                self.rows.push(row);
            } else {
                self.rows.last_mut().expect("the one before").follow(&row);
            }
        }
        let pairs = self.splits.chunks(2).map(|pair| {
            let mut sum = pair[0].split();
            pair[1..]
                .iter()
                .for_each(|part| packed::add(&mut sum, &part.split()));
            Packed::of(&sum)
        });
        self.splits = pairs.collect();
    }

    /// Everything from a window on, which must be a multiple of the grain; but for what each of several
    /// targets did.
    ///
    /// # Panics
    /// Where it is not.
    pub fn since(&self, window: usize) -> &[Row] {
        &self.rows[self.row_of(window)..]
    }

    /// What each of several targets did from a window on, added up: a window that holds nothing else.
    ///
    /// # Panics
    /// As [`Kept::since`].
    pub fn split_since(&self, window: usize) -> Window {
        let mut split = Vec::new();
        for part in &self.splits[self.row_of(window)..] {
            packed::add(&mut split, &part.split());
        }
        Window {
            split,
            ..Window::default()
        }
    }

    fn row_of(&self, window: usize) -> usize {
        let grain = grain(self.windows);
        assert!(window.is_multiple_of(grain), "a cut within a row");
        window / grain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::WindowCounter;

    /// A window that differs with thread and number.
    fn window(thread: u64, number: u64) -> Window {
        let mut counter = WindowCounter::new(1, 0..1, false);
        for io in 0..3 {
            counter.completed(
                0,
                false,
                4096,
                100_000 * (thread + 1) + 7_919 * (number % 50) + io,
            );
        }
        counter.system_calls = thread + 1;
        counter.close(10 * (thread + 1), number)
    }

    /// Two workers of two threads each, of one load or of a load each.
    fn gatherer(loads: usize) -> Gatherer {
        let place = |thread: usize| Place {
            worker: thread / 2,
            load: thread / 2 % loads,
        };
        Gatherer::new((0..4).map(place).collect())
    }

    fn gathered(windows: u64) -> (Kept, Gatherer) {
        let (mut kept, mut gatherer) = (Kept::default(), gatherer(1));
        for number in 0..windows {
            (0..4).for_each(|thread| gatherer.add(thread, &window(thread as u64, number)));
            kept.push(gatherer.complete().expect("all have closed it"));
        }
        (kept, gatherer)
    }

    #[test]
    fn a_row_is_complete_when_the_slowest_thread_has_closed_it() {
        let mut gatherer = gatherer(1);
        for number in 0..5 {
            (0..3).for_each(|thread| gatherer.add(thread, &window(thread as u64, number)));
            assert!(gatherer.complete().is_none());
        }
        gatherer.add(3, &window(3, 0));
        let row = gatherer.complete().expect("the first");
        assert_eq!((row.sum.reads.completed, row.sum.backlog), (12, 0));
        let calls: Vec<_> = row.workers.iter().map(|worker| worker.system_calls).collect();
        assert_eq!(calls, [1 + 2, 3 + 4]);
        assert!(gatherer.complete().is_none());
    }

    #[test]
    fn each_of_several_loads_has_what_its_workers_did() {
        let mut gatherer = gatherer(2);
        (0..4).for_each(|thread| gatherer.add(thread, &window(thread as u64, 7)));
        let row = gatherer.complete().expect("all have closed it");
        let latest: Vec<_> = row
            .loads
            .iter()
            .map(|load| load.reads.latency.max_ns / 100_000)
            .collect();
        assert_eq!((row.loads.len(), row.sum.reads.completed), (2, 12));
        assert_eq!(
            row.loads
                .iter()
                .map(|load| load.reads.completed)
                .collect::<Vec<_>>(),
            [6, 6]
        );
        assert_eq!(latest, [2, 4]);
        // Seven were due in each of the two threads.
        let due: Vec<_> = row.loads.iter().map(|load| load.backlog).collect();
        assert_eq!((due, row.sum.backlog), (vec![14, 14], 28));
    }

    #[test]
    fn any_end_of_the_series_adds_up_to_its_windows() {
        for windows in [1, 1023, 1024, 1025, 2050, 5000] {
            let (kept, _) = gathered(windows);
            let grain = grain(windows as usize);
            for from in [0, grain, windows as usize / 2 / grain * grain] {
                let completed: u64 = kept.since(from).iter().map(|row| row.sum.reads.completed).sum();
                assert_eq!(
                    completed,
                    12 * (windows - from.min(windows as usize) as u64),
                    "{windows} from {from}"
                );
                let counts = kept
                    .since(from)
                    .iter()
                    .flat_map(|row| &row.sum.reads.latency.count);
                assert_eq!(counts.sum::<u64>(), completed);
                let spent = kept.since(from).iter().flat_map(|row| &row.workers);
                let calls: u64 = spent.map(|worker| worker.system_calls).sum();
                assert_eq!(calls, (1 + 2 + 3 + 4) * completed / 12);
            }
            let last = kept.since(0).last().expect("a row");
            assert_eq!(last.sum.backlog, 4 * (windows - 1));
        }
    }

    #[test]
    fn what_each_of_several_targets_did_adds_up_however_many_windows_are_one() {
        for windows in [1, 1024, 1025, 2050] {
            let (mut kept, mut counter) = (Kept::default(), WindowCounter::new(2, 0..2, false));
            for _ in 0..windows {
                counter.completed(0, false, 4096, 100);
                counter.completed_alike(1, true, 512, (200, 3));
                let sum = counter.close(0, 0);
                kept.push(Row {
                    sum,
                    ..Row::default()
                });
            }
            let split = kept.split_since(0).split;
            let done = split
                .iter()
                .map(|[reads, writes, ..]| [reads.completed, writes.bytes]);
            assert_eq!(done.collect::<Vec<_>>(), [[windows, 0], [0, 3 * 512 * windows]]);
        }
    }

    #[test]
    fn memory_does_not_grow_with_time() {
        let rows = |windows| {
            let (kept, gatherer) = gathered(windows);
            let held = kept.rows.iter().map(|row| row.sum.reads.latency.index.capacity());
            assert!(gatherer.open.is_empty());
            (kept.rows.len(), held.sum::<usize>())
        };
        let (most, held) = (1024, 1024 * 4 * 3 * 50);
        for windows in [1000, 10_000, 40_000] {
            let found = rows(windows);
            assert!(found.0 <= most && found.1 <= held, "{found:?}");
        }
    }
}
