//! Updates of stripes: what the host does with writes that it gathers.

use iodyno_load::pattern::Access;

use super::parts::send_parts;
use super::stripes::Step;
use super::{GATHERED, Host, host};
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
    left: u32,
    /// Whether it still reads.
    reads: bool,
    step: Step,
    began: Ps,
    /// What it waited for the processor.
    cpu: Ps,
    /// When it began to write, and what it had spent until then.
    wrote: Ps,
    before: Spent,
}

impl Job {
    /// What it has spent since it began to read or to write, when the last operation of that is back.
    fn spent(&self, back: &Returned) -> Spent {
        let mut spent = back.spent;
        // One that joined left later than the first: what those before took is not told apart.
        let before = back.at.since(self.wrote + back.spent.total());
        spent.add(Place::HostCpu, self.cpu.min(before));
        spent.add(Place::DriveMedia, before.since(self.cpu));
        spent
    }
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
    /// The number that the next one gets.
    fn upcoming(&self) -> u32 {
        self.free.last().copied().unwrap_or(self.jobs.len() as u32)
    }

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
    /// A write that is gathered visits the core; what its operations cost there comes with the update.
    pub(super) fn gather(&mut self, slot: u32, access: &Access, at: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let lane = &self.lanes[io.lane as usize];
        let cost = self.volumes[lane.target].cpu.of(true, access.bytes);
        self.cpu[lane.worker] += cost;
        let depart = self.cores[lane.core].server.serve(at, cost);
        io.spent.add(Place::HostCpu, depart - at);
        self.stripes
            .stripes(lane.target)
            .expect(access.offset, access.bytes);
        self.updates.offsets.resize(self.ios.len(), 0);
        self.updates.offsets[slot as usize] = access.offset;
        machine.fabric.calendar().at(depart, host(GATHERED, slot));
    }

    /// A write has left its core.
    pub(super) fn gathered(&mut self, slot: u32, now: Ps, machine: &mut Machine) {
        let io = &mut self.ios[slot as usize];
        let target = self.lanes[io.lane as usize].target;
        let offset = self.updates.offsets[slot as usize];
        io.left = self.stripes.stripes(target).arrive(slot, offset, io.bytes);
        self.update(target, now, machine);
    }

    /// Do what can be done.
    fn update(&mut self, target: usize, at: Ps, machine: &mut Machine) {
        while let Some(step) = self.stripes.stripes(target).next(self.updates.upcoming()) {
            self.begin_step(target, step, at, machine);
        }
    }

    fn begin_step(&mut self, target: usize, mut step: Step, at: Ps, machine: &mut Machine) {
        for slot in step.cut.drain(..) {
            self.ios[slot as usize].left += 1;
        }
        let depart = self.pay(target, &step, at);
        let reads = !step.reads.is_empty();
        let writes_now = !reads && step.joins.is_none();
        let ops = std::mem::take(if writes_now {
            &mut step.writes
        } else {
            &mut step.reads
        });
        let number = match step.joins {
            Some(number) => {
                let job = &mut self.updates.jobs[number as usize];
                job.left += ops.len() as u32;
                job.step.slots.extend(step.slots);
                number
            }
            None => {
                let left = ops.len() as u32;
                self.updates.keep(Job {
                    target,
                    left,
                    reads,
                    step,
                    began: at,
                    cpu: depart - at,
                    wrote: at,
                    before: Spent::default(),
                })
            }
        };
        self.send_update(target, number, &ops, depart, machine);
    }

    /// Charge the worker of the first write for operations beyond the first of an update; gives when they leave.
    fn pay(&mut self, target: usize, step: &Step, at: Ps) -> Ps {
        let volume = &self.volumes[target];
        let parts = step.reads.iter().chain(&step.writes);
        let child = |part: &MemberOp| volume.child_cpu.of(part.write, part.bytes);
        let cost = parts.skip(usize::from(step.joins.is_none())).map(child).sum();
        let lane = &self.lanes[self.ios[step.slots[0] as usize].lane as usize];
        self.cpu[lane.worker] += cost;
        self.cores[lane.core].server.serve(at, cost)
    }

    fn send_update(&mut self, target: usize, number: u32, ops: &[MemberOp], at: Ps, machine: &mut Machine) {
        let Backing::Raid(joined) = &self.volumes[target].on else {
            unreachable!("only arrays have stripes")
        };
        let token = (self.ios.len() as u32 + number, false);
        send_parts(token, ops, &joined.members, &mut self.under_way, machine, at);
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
        let spent = job.spent(back);
        if !job.reads {
            let job = std::mem::take(job);
            self.updates.free.push(number);
            return self.end_update(&job, spent, back.at, machine);
        }
        let target = job.target;
        let writes = self.stripes.stripes(target).write(&job.step, number);
        (job.reads, job.left) = (false, writes.len() as u32);
        (job.wrote, job.before, job.cpu) = (back.at, spent, Ps::ZERO);
        self.send_update(target, number, &writes, back.at, machine);
    }

    /// An update is on the drives: so are the writes of which it was the last part.
    fn end_update(&mut self, job: &Job, spent: Spent, at: Ps, machine: &mut Machine) {
        self.close_windows(at, machine);
        self.stripes.stripes(job.target).done(&job.step);
        for &slot in &job.step.slots {
            let io = &mut self.ios[slot as usize];
            io.left -= 1;
            if io.left == 0 {
                let arrived = io.issued + io.spent.total();
                if arrived > job.began {
                    // It has joined while others read.
                    io.spent.add(Place::DriveMedia, job.wrote.since(arrived));
                } else {
                    io.spent.add(Place::DriveMedia, job.began.since(arrived));
                    io.spent += job.before;
                }
                io.spent += spent;
                self.came_back(slot, at, machine);
            }
        }
        self.update(job.target, at, machine);
    }
}
