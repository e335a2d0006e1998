//! Completions that are alike are counted together.

use iodyno_load::window::WindowCounter;

/// I/Os that came back one after the other, alike: what was handed over and reaped together has one latency, and
/// is counted at once.
#[derive(Default)]
pub(super) struct Run {
    /// Target, whether they wrote, bytes, latency in ns.
    alike: (usize, bool, u32, u64),
    ios: u64,
    /// Greatest latency in ns of those that were counted.
    pub(super) longest: u64,
}

impl Run {
    /// Take in the next.
    #[inline]
    pub(super) fn add(&mut self, counter: &mut WindowCounter, next: (usize, bool, u32, u64)) {
        if next != self.alike {
            self.count(counter);
            self.alike = next;
        }
        self.ios += 1;
    }

    /// Count those that were taken in.
    #[inline]
    pub(super) fn count(&mut self, counter: &mut WindowCounter) {
        let (target, write, bytes, latency) = self.alike;
        if self.ios > 0 {
            counter.completed_alike(target, write, bytes, (latency, self.ios));
            self.longest = self.longest.max(latency);
            self.ios = 0;
        }
    }
}
