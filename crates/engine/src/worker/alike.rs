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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_in_anything_is_counted_for_itself() {
        let (mut counter, mut run) = (WindowCounter::new(2, 0..2, false), Run::default());
        for next in [
            (0, false, 4096, 10),
            (0, false, 4096, 10),
            (0, false, 4096, 20),
            (0, false, 512, 20),
            (0, true, 512, 20),
            (1, true, 512, 20),
            (1, true, 512, 70),
        ] {
            run.add(&mut counter, next);
        }
        run.count(&mut counter);
        let window = counter.close(0, 0);
        let told = window.split.iter().map(|parts| {
            let [reads, writes, ..] = parts;
            [reads, writes].map(|part| (part.completed, part.bytes, part.latency.sum_ns))
        });
        let expected = [
            [(4, 3 * 4096 + 512, 60), (1, 512, 20)],
            [(0, 0, 0), (2, 1024, 90)],
        ];
        assert!(told.eq(expected));
        assert_eq!(run.longest, 70);
    }
}
