//! What the controller does of itself: destaging, reading ahead, rebuilding.

use super::Controller;
use super::ahead::Ahead;
use super::cache::Cache;
use super::host::CACHED;
use super::jobs::{Job, Kind, NO_LIST};
use super::steps::COMPUTED;
use crate::fabric::Fabric;
use crate::operation::HostDone;
use crate::spent::Place;
use crate::time::Ps;

/// Steps of a rebuild that begin at once: 256 KiB of each member in strips of 64 KiB. Assumed; a disk that leaves a load
/// for a rebuild does what is there of it.
const AT_ONCE: u32 = 4;

/// Steps under way at most.
const REBUILDS: u32 = 4 * AT_ONCE;

/// For how long a drive may pass an operation of a rebuild over, whose steps are so far apart, in µs. All that are under way
/// may take sixteen times that, for two operations one behind the other, reads and writes. With a quarter for each to wait the
/// rate asked for is reached, if need be at the load's cost: SAS and SATA have limits to a command's duration for this.
pub(super) fn limit_us(every: Ps) -> u32 {
    let limit = every.0 / 1_000_000 * u64::from(REBUILDS / 4);
    u32::try_from(limit).unwrap_or(u32::MAX).max(1)
}

impl Controller {
    pub(super) fn cache(&mut self, logical: u16) -> &mut Cache {
        self.logicals[usize::from(logical)]
            .cache
            .as_mut()
            .expect("a cache")
    }

    pub(super) fn streams(&mut self, logical: u16) -> &mut Ahead {
        self.logicals[usize::from(logical)]
            .ahead
            .as_mut()
            .expect("streams")
    }

    /// Start destaging what is to be destaged now.
    pub(super) fn destage(&mut self, logical: u16, fabric: &mut Fabric) {
        let mut parts = std::mem::take(&mut self.next_parts);
        while self.cache(logical).next(&mut parts) {
            let bytes = parts.iter().map(|part| part.1).sum();
            let range = (parts[0].0, bytes);
            let list = if parts.len() == 1 {
                NO_LIST
            } else {
                self.parts.keep(&mut parts)
            };
            let job = Self::job(Kind::Destage, logical, true, range, list);
            self.map(&job);
            let ops = self.work.now.len() as u32;
            self.cache(logical).under_way += ops;
            self.launch(job, Ps::ZERO, fabric);
        }
        self.next_parts = parts;
    }

    /// Dirty blocks are on the drives.
    pub(super) fn destaged(&mut self, job: &Job, fabric: &mut Fabric, done: &mut Vec<HostDone>) {
        self.parts.drop(job.token);
        let now = fabric.now();
        let cache = self.cache(job.logical);
        cache.under_way -= job.ops;
        cache.release(job.bytes, now);
        while let Some(write) = self.cache(job.logical).admit(now) {
            self.answer_cached_write(&write, now, done);
        }
        self.destage(job.logical, fabric);
    }

    /// Fetch for a stream as far ahead as it should be.
    pub(super) fn fetch(&mut self, logical: u16, stream: u16, fabric: &mut Fabric) {
        while let Some(range) = self.streams(logical).fetch(stream) {
            let job = Self::job(Kind::Ahead, logical, false, range, u32::from(stream));
            self.map(&job);
            self.launch(job, Ps::ZERO, fabric);
        }
    }

    /// What was fetched for a stream is here.
    pub(super) fn fetched(&mut self, job: &Job, fabric: &mut Fabric) {
        let now = fabric.now();
        let stream = job.token as u16;
        self.streams(job.logical).arrive(stream, job.offset);
        let computed = if job.tells { now - job.ready } else { Ps::ZERO };
        let range = job.offset..job.offset + u64::from(job.bytes);
        while let Some(read) = self.streams(job.logical).release(stream, &range) {
            let (mut spent, at) = (read.spent, now.max(read.since));
            let waited = at.since(read.since);
            let computed = computed.min(waited);
            spent.add(Place::ControllerCpu, computed);
            spent.add(Place::DriveMedia, waited - computed);
            self.answer_cached_read(&read.op, at, spent, fabric);
        }
    }

    /// Begin what goes on by itself.
    pub fn begin(&mut self, fabric: &mut Fabric) {
        for at in 0..self.logicals.len() {
            if self.logicals[at].rebuild.is_some() {
                self.rebuild(at, fabric);
            }
        }
    }

    /// The next steps of a rebuild: as many as are due, no more at once than it may, and await the ones after.
    pub(super) fn rebuild(&mut self, at: usize, fabric: &mut Fabric) {
        loop {
            let logical = &mut self.logicals[at];
            let rebuild = logical.rebuild.as_mut().expect("a rebuild");
            while rebuild.due <= fabric.now() {
                rebuild.owed += u64::from(AT_ONCE);
                rebuild.due += Ps(rebuild.every.0 * u64::from(AT_ONCE));
            }
            if rebuild.owed == 0 && !rebuild.awaited {
                rebuild.awaited = true;
                fabric.wake(self.which, rebuild.due, at as u32);
            }
            if rebuild.owed == 0 || rebuild.under_way >= REBUILDS {
                return;
            }
            rebuild.owed -= 1;
            rebuild.under_way += 1;
            let (offset, bytes) = (rebuild.position, rebuild.bytes);
            rebuild.position = (offset + u64::from(bytes)) % logical.layout.member_bytes();
            let job = Self::job(Kind::Rebuild, at as u16, true, (offset, bytes), NO_LIST);
            self.map(&job);
            self.launch(job, Ps::ZERO, fabric);
        }
    }

    /// Hear an event that the controller has put in: a read of the cache is over, what failed members had is computed, or the
    /// next step of a rebuild is due, that of the logical drive `token`.
    #[inline]
    pub fn event(&mut self, token: u32, fabric: &mut Fabric, done: &mut Vec<HostDone>) {
        if token & CACHED != 0 {
            return self.cached(token ^ CACHED, done);
        }
        if token & COMPUTED != 0 {
            return self.returned(token ^ COMPUTED, fabric, done);
        }
        let at = token as usize;
        let rebuild = self.logicals[at].rebuild.as_mut();
        rebuild.expect("a rebuild").awaited = false;
        self.rebuild(at, fabric);
    }

    /// A step of a rebuild is done.
    pub(super) fn rebuilt(&mut self, job: &Job, fabric: &mut Fabric) {
        let at = usize::from(job.logical);
        let rebuild = self.logicals[at].rebuild.as_mut();
        let rebuild = rebuild.expect("a rebuild");
        rebuild.under_way -= 1;
        rebuild.done += u64::from(rebuild.bytes);
        self.rebuild(at, fabric);
    }

    /// Bytes of each failed member that its logical drives have rebuilt, of those that rebuild.
    pub fn rebuilt_bytes(&self) -> impl Iterator<Item = u64> {
        let rebuilds = self
            .logicals
            .iter()
            .filter_map(|logical| logical.rebuild.as_ref());
        rebuilds.map(|rebuild| rebuild.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps 1 ms apart, sixteen under way: a quarter of 16 ms.
    #[test]
    fn an_operation_of_a_rebuild_waits_for_a_quarter_of_what_all_steps_may_take() {
        assert_eq!(limit_us(Ps::from_ns(1_000_000)), 4000);
        assert_eq!(limit_us(Ps::ZERO), 1, "0 would be no limit");
    }
}
