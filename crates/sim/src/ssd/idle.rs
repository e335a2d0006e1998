//! Dies without a program, of which any takes the next.

use iodyno_load::pattern::mix;

/// Dies without a program. Which of them programs next is drawn: the drive puts its data wherever it has room. In turns the order
/// that dies began in would stay for good, and with it how often a stream that is read in order meets programs.
#[derive(Debug)]
pub(super) struct Idle {
    dies: Vec<u32>,
    seed: u64,
    draws: u64,
}

impl Idle {
    /// All of so many dies.
    pub(super) fn all(dies: u32, seed: u64) -> Self {
        Self {
            dies: (0..dies).collect(),
            seed,
            draws: 0,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.dies.len()
    }

    /// One of them, if there is one, which has a program then.
    #[inline]
    pub(super) fn take(&mut self) -> Option<u32> {
        if self.dies.len() < 2 {
            return self.dies.pop();
        }
        self.draws += 1;
        let draw = mix(self.seed, self.draws) >> 32;
        let at = (draw * self.dies.len() as u64) >> 32;
        Some(self.dies.swap_remove(at as usize))
    }

    /// A die has no program any more.
    #[inline]
    pub(super) fn add(&mut self, die: u32) {
        self.dies.push(die);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 32 dies one programs at a time. In turns each would have its own again after 32 programs; drawn, it is each of them as
    /// often as any other: over 3200 draws one has 100 ± 4 √97.
    #[test]
    fn any_die_is_as_likely_as_any_other_however_long_it_has_been_idle() {
        let seed = 5;
        println!("seed {seed}");
        let mut idle = Idle::all(32, seed);
        let mut since = [0; 32];
        let (mut last, mut order) = (0, Vec::new());
        for _ in 0..3200 {
            let die = idle.take().expect("31 and this one are idle");
            idle.add(die);
            since[((die + 32 - last) % 32) as usize] += 1;
            last = die;
            order.push(die);
        }
        assert!(
            since.iter().all(|&count| (61..=139).contains(&count)),
            "{since:?}"
        );
        let again = order.windows(33).filter(|turn| turn[0] == turn[32]).count();
        assert!((61..=139).contains(&again), "{again}");
    }

    #[test]
    fn each_die_is_taken_once() {
        let mut idle = Idle::all(7, 1);
        let mut taken: Vec<u32> = std::iter::from_fn(|| idle.take()).collect();
        taken.sort_unstable();
        assert_eq!((taken, idle.len()), ((0..7).collect(), 0));
        assert_eq!(idle.take(), None);
    }
}
