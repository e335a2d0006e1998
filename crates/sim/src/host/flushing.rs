//! Durable writes and syncs on a volume whose drives make nothing durable but by a flush: the flushes of all are gathered.

use std::collections::BTreeMap;

use iodyno_load::request::Point;

use crate::system::System;
use crate::time::Ps;
use crate::usage;

/// Who waits for flushes of each volume, for all targets on it.
#[derive(Debug, Default)]
pub(super) struct Flushers {
    /// Which of them that of a target is.
    of: Vec<Option<usize>>,
    all: Vec<Flusher>,
}

impl Flushers {
    pub(super) fn new(point: &Point, system: &System) -> Self {
        let (mut flushers, mut volumes) = (Self::default(), BTreeMap::new());
        for target in &point.targets {
            let of = usage::flushed(point, system, target).map(|durable| {
                *volumes.entry(&target.path).or_insert_with(|| {
                    flushers.all.push(Flusher::new(durable));
                    flushers.all.len() - 1
                })
            });
            flushers.of.push(of);
        }
        flushers
    }

    /// Whether the host flushes none.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The one of a target, if it has one.
    #[inline]
    pub(super) fn of(&mut self, target: usize) -> Option<&mut Flusher> {
        Some(&mut self.all[self.of[target]?])
    }
}

/// Who waits for a flush of a volume. As Linux does: one flush at a time, for all who wait when it begins. To a block device a
/// durable write is a write like any and then a flush, so a flush waits for no write that is still on its way.
#[derive(Debug, Default)]
pub(super) struct Flusher {
    /// Whether writes are durable: each waits for a flush that begins after it.
    pub(super) durable: bool,
    /// Who waits for the next flush, and since when; and for the one under way, the first of whom carries it.
    waiting: Vec<(u32, Ps)>,
    flushing: Vec<(u32, Ps)>,
}

impl Flusher {
    pub(super) fn new(durable: bool) -> Self {
        Self {
            durable,
            ..Self::default()
        }
    }

    /// Whether it is the flush that is back, of what has come back for a slot.
    pub(super) fn carries(&self, slot: u32) -> bool {
        self.flushing.first().is_some_and(|&(carrier, _)| carrier == slot)
    }

    /// A durable write has come back, or a sync is issued: it waits for the next flush.
    pub(super) fn wait(&mut self, slot: u32, at: Ps) {
        self.waiting.push((slot, at));
    }

    /// Begin a flush if one is to begin: the slot that carries it, and since when it has waited.
    pub(super) fn begin(&mut self) -> Option<(u32, Ps)> {
        if !self.flushing.is_empty() {
            return None;
        }
        std::mem::swap(&mut self.waiting, &mut self.flushing);
        self.flushing.first().copied()
    }

    /// The flush is over: all who have waited for it, the one that carried it first.
    pub(super) fn end(&mut self) -> Vec<(u32, Ps)> {
        std::mem::take(&mut self.flushing)
    }
}
