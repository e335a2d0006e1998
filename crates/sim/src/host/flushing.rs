//! Durable writes and syncs on a volume whose drives make nothing durable but by a flush: the flushes of all are gathered.

use iodyno_load::request::Point;

use crate::system::System;
use crate::time::Ps;
use crate::volume;

/// By target, who waits for its flushes; empty where the host flushes none.
pub(super) fn flushers(point: &Point, system: &System) -> Vec<Option<Flusher>> {
    let of = |target| volume::flushed(point, system, target).map(Flusher::new);
    let all: Vec<_> = point.targets.iter().map(of).collect();
    if all.iter().any(Option::is_some) {
        all
    } else {
        Vec::new()
    }
}

/// The one of a target, if it has one.
#[inline]
pub(super) fn of_target(flushers: &mut [Option<Flusher>], target: usize) -> Option<&mut Flusher> {
    flushers.get_mut(target)?.as_mut()
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

    /// A durable write has come back.
    pub(super) fn written(&mut self, slot: u32, at: Ps) {
        self.waiting.push((slot, at));
    }

    /// A sync is issued.
    pub(super) fn synced(&mut self, slot: u32, at: Ps) {
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
