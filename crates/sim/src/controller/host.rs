//! I/Os of the host: the fast path, the cache, the drives.

use rand_xoshiro::rand_core::Rng;

use super::ahead::Found;
use super::cache::Cache;
use super::gather::{Gather, Piece};
use super::jobs::{Job, Kind, Waiting};
use super::{Controller, unit};
use crate::fabric::Fabric;
use crate::operation::{HostDone, HostOp};
use crate::spent::{Place, Spent};
use crate::time::Ps;

/// An event of a controller that is about a read of its cache, and not about a rebuild.
pub(super) const CACHED: u32 = 1 << 31;

impl Controller {
    /// A read that may find its data in the cache, or on the way there.
    pub(super) fn read(&mut self, op: HostOp, fabric: &mut Fabric) {
        if self.logicals[usize::from(op.logical)].gather.is_some() {
            self.read_among_gathered(&op, fabric);
        }
        let logical = &mut self.logicals[usize::from(op.logical)];
        let dirty = logical
            .cache
            .as_ref()
            .is_some_and(|cache| cache.covers(op.offset, op.bytes));
        let share = logical.kept.as_ref().map_or(0.0, |kept| {
            kept.hit_share(logical.cache.as_ref().map_or(0, Cache::held))
        });
        let found = logical
            .ahead
            .as_mut()
            .map_or(Found::Nothing, |ahead| ahead.look(&op));
        match found {
            // What is there already is not fetched.
            _ if dirty || share >= 1.0 => self.read_cache(&op, fabric),
            Found::Stream(stream) => self.read_stream(op, stream, fabric),
            Found::Nothing if share > 0.0 && unit(self.rng.next_u64()) < share => {
                self.read_cache(&op, fabric);
            }
            Found::Nothing => self.host_io(op, false, fabric),
        }
    }

    /// A flush: a cache that answers writes counts as safe, and else every drive is told.
    pub(super) fn flush(&mut self, op: HostOp, fabric: &mut Fabric, done: &mut Vec<HostDone>) {
        if self.logicals[usize::from(op.logical)].cache.is_some() {
            let (ready, spent) = self.process(fabric.now());
            return self.reply(op.token, ready, spent, done);
        }
        let job = Self::job(Kind::Host, op.logical, true, (0, 0), op.token);
        self.logicals[usize::from(op.logical)]
            .layout
            .flush(&mut self.work);
        self.launch(job, self.model.host_io_ps, fabric);
    }

    /// An I/O that the drives answer; on the fast path only as one operation.
    #[inline]
    pub(super) fn host_io(&mut self, op: HostOp, fast: bool, fabric: &mut Fabric) {
        let job = Self::job(Kind::Host, op.logical, op.write, (op.offset, op.bytes), op.token);
        self.map(&job);
        let cost = if fast && self.work.ops() == 1 {
            self.model.fast_io_ps
        } else {
            self.model.host_io_ps
        };
        self.launch(job, cost, fabric);
    }

    fn read_cache(&mut self, op: &HostOp, fabric: &mut Fabric) {
        let (ready, spent) = self.process(fabric.now());
        self.answer_cached_read(op, ready, spent, fabric);
    }

    fn read_stream(&mut self, op: HostOp, stream: u16, fabric: &mut Fabric) {
        let (since, spent) = self.process(fabric.now());
        self.fetch(op.logical, stream, fabric);
        if self.streams(op.logical).ask(stream, Waiting { op, since, spent }) {
            self.answer_cached_read(&op, since, spent, fabric);
        }
    }

    /// A write to an array with parity that is answered when it is on the drives, with others if they come.
    pub(super) fn write_gathered(&mut self, op: HostOp, fabric: &mut Fabric) {
        let write = self.take_in(op, fabric.now());
        let mut group = std::mem::take(&mut self.next_group);
        self.gather(op.logical).offer(write, &mut group);
        self.write_group(op.logical, &mut group, fabric);
        self.next_group = group;
    }

    /// A read goes to stripes of which writes may be held.
    fn read_among_gathered(&mut self, op: &HostOp, fabric: &mut Fabric) {
        let mut group = std::mem::take(&mut self.next_group);
        loop {
            self.gather(op.logical).read(op.offset, op.bytes, &mut group);
            if group.is_empty() {
                break;
            }
            self.write_group(op.logical, &mut group, fabric);
        }
        self.next_group = group;
    }

    /// Write what goes together, if anything does: writes that follow on each other.
    fn write_group(&mut self, logical: u16, group: &mut Vec<Piece>, fabric: &mut Fabric) {
        let Some(first) = group.first() else { return };
        let range = (first.offset, group.iter().map(|piece| piece.bytes).sum());
        let list = self.groups.keep(group);
        let job = Self::job(Kind::Group, logical, true, range, list);
        self.gather(logical).begin_job(list);
        self.map(&job);
        self.launch(job, Ps::ZERO, fabric);
    }

    /// Writes that went together are on the drives; those of which parts went elsewhere, with the last of them.
    pub(super) fn written(&mut self, job: &Job, fabric: &mut Fabric, done: &mut Vec<HostDone>) {
        let now = fabric.now();
        let start = now - job.spent.total();
        for at in 0..self.groups.get(job.token).len() {
            let piece = self.groups.get(job.token)[at];
            let Some(write) = self.gather(job.logical).done(&piece) else {
                continue;
            };
            let mut spent = job.spent;
            spent.add(Place::DriveMedia, start.since(write.since));
            // Its data came after the processor had begun with the group: what is before is in `spent` already.
            let early = write.since.since(start);
            let link = early.min(spent.0[Place::HostLink as usize]);
            spent.0[Place::HostLink as usize] = spent.0[Place::HostLink as usize] - link;
            spent.0[Place::ControllerCpu as usize] = spent.0[Place::ControllerCpu as usize] - (early - link);
            self.reply(write.op.token, now, spent + write.spent, done);
        }
        self.groups.drop(job.token);
        self.gather(job.logical).end_job(job.token);
        let mut group = std::mem::take(&mut self.next_group);
        loop {
            self.gather(job.logical).release(&mut group);
            if group.is_empty() {
                break;
            }
            self.write_group(job.logical, &mut group, fabric);
        }
        self.next_group = group;
    }

    fn gather(&mut self, logical: u16) -> &mut Gather {
        self.logicals[usize::from(logical)]
            .gather
            .as_mut()
            .expect("a gathering")
    }

    /// The processor's part of a write, and its data.
    fn take_in(&mut self, op: HostOp, now: Ps) -> Waiting {
        let (ready, mut spent) = self.process(now);
        let since = self.transfer.receive(ready, op.bytes);
        spent.add(Place::HostLink, since.since(ready));
        Waiting { op, since, spent }
    }

    /// A write that is answered when it is in the cache.
    pub(super) fn write_back(&mut self, op: HostOp, fabric: &mut Fabric, done: &mut Vec<HostDone>) {
        let now = fabric.now();
        let write = self.take_in(op, now);
        if self.cache(op.logical).offer(write, now) {
            self.answer_cached_write(&write, now, done);
        }
        self.destage(op.logical, fabric);
    }

    /// An I/O is back from the drives.
    #[inline]
    pub(super) fn answer(&mut self, job: &Job, now: Ps, done: &mut Vec<HostDone>) {
        if job.write {
            self.reply(job.token, now, job.spent, done);
        } else {
            self.send_to_host((job.token, job.bytes), now, job.spent, done);
        }
    }

    /// A read's data are in the cache: they are ready for the way to the host once they have been read, and have no turn there
    /// before, in front of what drives deliver until then.
    pub(super) fn answer_cached_read(&mut self, op: &HostOp, since: Ps, spent: Spent, fabric: &mut Fabric) {
        let (op, mut spent) = (*op, spent);
        spent.add(Place::ControllerCache, self.model.cache_read_ps);
        let ready = since + self.model.cache_read_ps;
        let number = self.cached.add(Waiting {
            op,
            since: ready,
            spent,
        });
        fabric.wake(self.which, ready, CACHED | number);
    }

    /// A read's data have been read from the cache.
    pub(super) fn cached(&mut self, number: u32, done: &mut Vec<HostDone>) {
        let read = self.cached.remove(number);
        self.send_to_host((read.op.token, read.op.bytes), read.since, read.spent, done);
    }

    /// A write is in the cache.
    pub(super) fn answer_cached_write(&mut self, write: &Waiting, now: Ps, done: &mut Vec<HostDone>) {
        let waited = now.since(write.since);
        self.cache(write.op.logical).room.count(waited);
        let mut spent = write.spent;
        spent.add(Place::ControllerRoom, waited);
        spent.add(Place::ControllerCache, self.model.cache_write_ps);
        let at = write.since + waited + self.model.cache_write_ps;
        self.reply(write.op.token, at, spent, done);
    }

    #[inline]
    fn send_to_host(
        &mut self,
        (token, bytes): (u32, u32),
        ready: Ps,
        mut spent: Spent,
        done: &mut Vec<HostDone>,
    ) {
        let leave = self.transfer.send(ready, bytes);
        spent.add(Place::HostLink, leave.since(ready));
        self.reply(token, leave, spent, done);
    }

    #[inline]
    fn reply(&mut self, token: u32, at: Ps, mut spent: Spent, done: &mut Vec<HostDone>) {
        spent.add(Place::ControllerCpu, self.model.delay_ps);
        done.push(HostDone {
            token,
            at: at + self.model.delay_ps,
            spent,
        });
    }

    /// The processor's part of an I/O that the cache answers.
    #[inline]
    fn process(&mut self, now: Ps) -> (Ps, Spent) {
        let end = self.processor.serve(now, self.model.host_io_ps);
        let mut spent = Spent::default();
        spent.add(Place::ControllerCpu, end.since(now));
        (end, spent)
    }
}
