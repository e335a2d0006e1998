//! Updates of stripes: what the host does with writes that it gathers.

use iodyno_load::pattern::Access;

use super::stripes::{Stripes, Update};
use super::{GATHERED, Host, host, send_parts};
use crate::fabric::Returned;
use crate::machine::Machine;
use crate::raid::MemberOp;
use crate::spent::{Place, Spent};
use crate::time::Ps;
use crate::volume::Backing;

/// An update that is under way.
#[derive(Debug, Default)]
struct Job {
    target: usize,
    /// Operations of it under way.
    left: u16,
    /// Operations that wait for those under way.
    then: Vec<MemberOp>,
    update: Update,
    began: Ps,
    spent: Spent,
}

/// Updates under way, by number.
#[derive(Debug, Default)]
pub(super) struct Updates {
    jobs: Vec<Job>,
    free: Vec<u32>,
    /// Where the write of a slot goes, in bytes, from issue to core.
    offsets: Vec<u64>,
}

impl Updates {
    fn keep(&mut self, job: Job) -> u32 {
        let number = self.free.pop().unwrap_or(self.jobs.len() as u32);
        match self.jobs.get_mut(number as usize) {
            Some(place) => *place = job,
            None => self.jobs.push(job),
        }
        number
    }
}

impl Host {
    /// The stripes of a target, where its writes are gathered.
    #[inline]
    pub(super) fn stripes_of(&mut self, target: usize) -> Option<&mut Stripes> {
        self.stripes.get_mut(target)?.as_mut()
    }

    /// A write that is gathered visits the core; what its operations cost there comes with the update.
    pub(super) fn gather(&mut self, slot: u32, access: &Access, at: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let lane = &self.lanes[io.lane as usize];
        let cost = self.volumes[lane.target].cpu.of(true, access.bytes);
        self.cpu[lane.worker] += cost;
        let depart = self.cores[lane.core].serve(at, cost);
        io.spent.add(Place::HostCpu, depart - at);
        let target = lane.target;
        let stripes = self.stripes_of(target).expect("stripes");
        stripes.expect(access.offset, access.bytes);
        self.updates.offsets.resize(self.ios.len(), 0);
        self.updates.offsets[slot as usize] = access.offset;
        machine.fabric.calendar().at(depart, host(GATHERED, slot));
    }

    /// A write has left its core.
    pub(super) fn gathered(&mut self, slot: u32, now: Ps, machine: &mut Machine) {
        let io = &self.ios[slot as usize];
        let (bytes, target) = (io.bytes, self.lanes[io.lane as usize].target);
        let offset = self.updates.offsets[slot as usize];
        let stripes = self.stripes_of(target).expect("stripes");
        self.ios[slot as usize].left = stripes.arrive(slot, offset, bytes);
        self.update(target, now, machine);
    }

    /// Begin the updates that can begin.
    fn update(&mut self, target: usize, at: Ps, machine: &mut Machine) {
        while let Some(update) = self.stripes_of(target).and_then(Stripes::next) {
            self.begin_update(target, update, at, machine);
        }
    }

    fn begin_update(&mut self, target: usize, update: Update, at: Ps, machine: &mut Machine) {
        let volume = &mut self.volumes[target];
        let Backing::Raid(joined) = &mut volume.on else {
            unreachable!("only arrays have stripes")
        };
        match update.parts[..] {
            [(offset, bytes)] => joined.layout.map(true, offset, bytes, |_| 0, &mut joined.work),
            _ => joined.layout.update(&update.parts, &mut joined.work),
        }
        let parts = joined.work.now.iter().chain(&joined.work.then);
        let child = |part: &MemberOp| volume.child_cpu.of(part.write, part.bytes);
        let cost = parts.skip(1).map(child).sum();
        // The worker of the first write pays.
        let lane = &self.lanes[self.ios[update.slots[0] as usize].lane as usize];
        self.cpu[lane.worker] += cost;
        let depart = self.cores[lane.core].serve(at, cost);
        let mut job = Job {
            target,
            left: joined.work.now.len() as u16,
            then: joined.work.then.clone(),
            update,
            began: at,
            spent: Spent::default(),
        };
        job.spent.add(Place::HostCpu, depart - at);
        let token = self.ios.len() as u32 + self.updates.keep(job);
        let parts = &joined.work.now;
        send_parts(
            (token, false),
            parts,
            &joined.drives,
            &mut self.under_way,
            machine,
            depart,
        );
    }

    /// An operation of an update is back.
    #[cold]
    pub(super) fn updated(&mut self, back: &Returned, machine: &mut Machine) {
        let number = back.token - self.ios.len() as u32;
        let job = &mut self.updates.jobs[number as usize];
        job.left -= 1;
        if job.left > 0 {
            return;
        }
        job.spent += back.spent;
        if !job.then.is_empty() {
            let Backing::Raid(joined) = &self.volumes[job.target].on else {
                unreachable!("only arrays have stripes")
            };
            let then = std::mem::take(&mut job.then);
            job.left = then.len() as u16;
            let token = (back.token, false);
            return send_parts(
                token,
                &then,
                &joined.drives,
                &mut self.under_way,
                machine,
                back.at,
            );
        }
        let job = std::mem::take(job);
        self.updates.free.push(number);
        self.end_update(&job, back.at, machine);
    }

    /// An update is on the drives: so are the writes of which it was the last part.
    fn end_update(&mut self, job: &Job, at: Ps, machine: &mut Machine) {
        self.close_windows(at, machine);
        let stripes = self.stripes_of(job.target).expect("stripes");
        stripes.done(&job.update);
        for &slot in &job.update.slots {
            let io = &mut self.ios[slot as usize];
            io.left -= 1;
            if io.left == 0 {
                let waited = job.began.since(io.issued + io.spent.total());
                io.spent.add(Place::DriveMedia, waited);
                io.spent += job.spent;
                self.came_back(slot, at, machine);
            }
        }
        self.update(job.target, at, machine);
    }
}
