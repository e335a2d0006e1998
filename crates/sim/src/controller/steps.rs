//! The steps of every job: processor, operations on drives, a second phase, the end.

use super::jobs::{Job, Kind, NO_LIST};
use super::{Controller, HostDone};
use crate::fabric::{Fabric, Returned};
use crate::operation::DriveOp;
use crate::spent::{Place, Spent};
use crate::time::Ps;

/// An event of a controller that is about what it has computed of failed members.
pub(super) const COMPUTED: u32 = 1 << 30;

impl Controller {
    /// A job that has not begun.
    #[inline]
    pub(super) fn job(kind: Kind, logical: u16, write: bool, range: (u64, u32), token: u32) -> Job {
        Job {
            kind,
            logical,
            write,
            more: false,
            tells: false,
            pending: 0,
            ops: 0,
            token,
            offset: range.0,
            bytes: range.1,
            ready: Ps::ZERO,
            spent: Spent::default(),
        }
    }

    /// Find out which operations a job needs.
    #[inline]
    pub(super) fn map(&mut self, job: &Job) {
        let logical = &self.logicals[usize::from(job.logical)];
        if job.kind == Kind::Rebuild {
            return logical.layout.rebuild(job.offset, job.bytes, &mut self.work);
        }
        if job.kind == Kind::Destage && job.token != NO_LIST {
            return logical.layout.update(self.parts.get(job.token), &mut self.work);
        }
        let seen = |member: usize| self.queues.seen(logical.members[member]);
        logical
            .layout
            .map(job.write, job.offset, job.bytes, seen, &mut self.work);
    }

    /// Begin a job whose operations have been found out; `cost` is the processor's time for it beside that for
    /// operations on drives and parity.
    #[inline]
    pub(super) fn launch(&mut self, mut job: Job, cost: Ps, fabric: &mut Fabric) {
        job.more = !self.work.then.is_empty();
        job.tells = self.work.lost_bytes > 0;
        self.prepare(&mut job, cost, fabric.now());
        let here = match job.kind {
            Kind::Host if job.write => self.transfer.receive(job.ready, job.bytes),
            Kind::Group => {
                let here = self.groups.get(job.token).iter().map(|piece| piece.since).max();
                here.expect("a write").max(job.ready)
            }
            _ => job.ready,
        };
        job.spent.add(Place::HostLink, here.since(job.ready));
        job.ready = here;
        let number = self.jobs.add(job);
        self.send(number, fabric);
    }

    /// All reads of a job that writes are back: now its writes.
    fn go_on(&mut self, number: u32, fabric: &mut Fabric) {
        let mut job = *self.jobs.get(number);
        self.map(&job);
        std::mem::swap(&mut self.work.now, &mut self.work.then);
        self.work.then.clear();
        (job.more, job.tells) = (false, false);
        if job.kind == Kind::Destage {
            let more = self.work.now.len() as u32;
            let cache = self.cache(job.logical);
            cache.under_way = cache.under_way - job.ops + more;
        }
        self.prepare(&mut job, Ps::ZERO, fabric.now());
        *self.jobs.get(number) = job;
        self.send(number, fabric);
    }

    /// The processor's part before operations leave.
    #[inline]
    fn prepare(&mut self, job: &mut Job, cost: Ps, now: Ps) {
        let ops = self.work.now.len();
        (job.pending, job.ops) = (ops as u32, ops as u32);
        let parity = self.work.parity_bytes > 0;
        let mut cost = cost + Ps(self.model.disk_io_ps.0 * ops as u64);
        if parity && job.more {
            cost += self.model.parity_write_ps;
        } else if parity {
            cost += Ps(self.model.parity_per_kib_ps.0 * self.work.parity_bytes / 1024);
        }
        job.ready = self.processor.serve(now, cost);
        if parity && !job.more {
            job.ready = self.parity.serve(job.ready, u64::from(job.bytes));
        }
        job.spent.add(Place::ControllerCpu, job.ready.since(now));
    }

    /// Send the operations that `work` has for now.
    #[inline]
    fn send(&mut self, number: u32, fabric: &mut Fabric) {
        let job = self.jobs.get(number);
        let logical = &self.logicals[usize::from(job.logical)];
        let (ready, members) = (job.ready, &logical.members);
        let limit_us = match &logical.rebuild {
            Some(rebuild) if job.kind == Kind::Rebuild => rebuild.limit_us,
            _ => 0,
        };
        for member in &self.work.now {
            let op = DriveOp {
                token: 0,
                write: member.write,
                trim: false,
                offset: member.offset,
                bytes: member.bytes,
                limit_us,
            };
            self.queues
                .send(members[usize::from(member.member)], number, op, ready, fabric);
        }
    }

    /// Take back an operation on a drive that is back now.
    #[inline]
    pub fn drive_done(&mut self, back: &Returned, fabric: &mut Fabric, done: &mut Vec<HostDone>) {
        let number = self.queues.returned(back.token, fabric);
        let job = self.jobs.get(number);
        job.pending -= 1;
        if job.pending > 0 {
            return;
        }
        // The last one back tells how the time of this phase was spent; before it left, it waited for its drive.
        let waited = fabric.now().since(job.ready).since(back.spent.total());
        job.spent += back.spent;
        job.spent.add(Place::DriveMedia, waited);
        if job.tells {
            return self.compute(number, fabric);
        }
        self.returned(number, fabric, done);
    }

    /// All that tells what failed members had is here: now it is computed, as the parity of so much is.
    #[cold]
    fn compute(&mut self, number: u32, fabric: &mut Fabric) {
        let (now, mut job) = (fabric.now(), *self.jobs.get(number));
        self.map(&job);
        let cost = Ps(self.model.parity_per_kib_ps.0 * self.work.lost_bytes / 1024);
        let end = self.processor.serve(now, cost);
        let end = self.parity.serve(end, self.work.telling_bytes);
        job.ready = now;
        job.spent.add(Place::ControllerCpu, end.since(now));
        *self.jobs.get(number) = job;
        fabric.wake(self.which, end, COMPUTED | number);
    }

    /// All that a job needs of its drives in this phase is here.
    #[inline]
    pub(super) fn returned(&mut self, number: u32, fabric: &mut Fabric, done: &mut Vec<HostDone>) {
        if self.jobs.get(number).more {
            return self.go_on(number, fabric);
        }
        let job = self.jobs.remove(number);
        match job.kind {
            Kind::Host => self.answer(&job, fabric.now(), done),
            Kind::Group => self.written(&job, fabric, done),
            Kind::Destage => self.destaged(&job, fabric, done),
            Kind::Ahead => self.fetched(&job, fabric),
            Kind::Rebuild => self.rebuilt(&job, fabric),
        }
    }
}
