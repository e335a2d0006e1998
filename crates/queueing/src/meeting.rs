//! Visits side by side that go to equal copies at random: those that meet on one wait for each other, and all behind
//! what they find there.

use std::cmp::Ordering;

/// From so many on how many come to a copy is taken as Poisson; fewer are counted out.
const MANY: f64 = 8.0;
/// Services from which on chance makes less than a hundredth of them.
const SURE: f64 = 1e5;
/// Shares that no longer count.
const NOTHING: f64 = 1e-4;
/// Least step of an integral, in services, and steps to what a visit finds on average.
const LEAST_STEP: f64 = 0.125;
const STEPS: f64 = 12.0;
/// Steps after which they become twice as long: only what is hardly ever met reaches so far.
const FAR: usize = 256;

/// What a visit finds at a copy of one server: how often it is busy, and how many are there on average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) busy: f64,
    pub(crate) queue: f64,
    /// Squared coefficient of variation of a service.
    pub(crate) scv: f64,
    pub(crate) behind: Behind,
}

/// Other work at the copies, which visits wait for as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behind {
    /// How often a copy has some.
    pub(crate) busy: f64,
    /// How long a visit waits for it on average and at the most, in services.
    pub(crate) mean: f64,
    pub(crate) most: f64,
    /// At how many copies it begins together: there it ends together too.
    pub(crate) together: f64,
}

impl Behind {
    /// How often visits meet with some that began together, where so many come to a copy on average.
    fn met(&self, parts: f64, each: f64) -> f64 {
        self.busy.min(1.0) * parts / each / self.together * (1.0 - (-self.together * each).exp())
    }

    /// The chance that one is over `time` after a visit has come: some take the most, of others any part is left alike.
    fn over(&self, time: f64) -> f64 {
        let most = self.most.min(SURE);
        if time >= most || most <= 0.0 {
            return 1.0;
        }
        let in_full = (2.0 * self.mean / most - 1.0).clamp(0.0, 1.0);
        (1.0 - in_full) * time.max(0.0) / most
    }
}

/// Chances of as many as `first`, and one more, and so on; together 1.
struct Chances {
    first: usize,
    of: Vec<f64>,
}

impl Chances {
    /// Poisson with a mean, 0 or more: out of the middle, where no chance is too small for a number.
    fn poisson(mean: f64) -> Self {
        let mode = mean.floor() as usize;
        let (mut of, mut chance) = (vec![1.0], 1.0);
        for fewer in (0..mode).rev() {
            chance *= (fewer + 1) as f64 / mean;
            if chance < NOTHING * NOTHING {
                break;
            }
            of.push(chance);
        }
        let first = mode + 1 - of.len();
        of.reverse();
        chance = 1.0;
        while chance >= NOTHING * NOTHING {
            chance *= mean / (first + of.len()) as f64;
            of.push(chance);
        }
        let all: f64 = of.iter().sum();
        of.iter_mut().for_each(|chance| *chance /= all);
        Self { first, of }
    }
}

/// How long a visit waits, in services.
///
/// What it finds came from a few customers whose visits went to copies at random, so those that wait are taken as
/// Poisson; of the one in service any part is left alike.
struct Wait {
    busy: f64,
    /// Services that the one under way can take at the most.
    left: f64,
    /// How many wait where it is busy, and the chances of no more than as many.
    waiting: Chances,
    or_fewer: Vec<f64>,
}

impl Wait {
    fn new(found: Found) -> Self {
        let busy = found.busy.min(1.0);
        let mean = if busy > 0.0 {
            (found.queue / busy - 1.0).clamp(0.0, SURE)
        } else {
            0.0
        };
        let waiting = Chances::poisson(mean);
        let mut sum = 0.0;
        let or_fewer = waiting.of.iter().map(|chance| {
            sum += chance;
            sum
        });
        Self {
            busy,
            left: 1.0 + found.scv.min(1.0),
            or_fewer: or_fewer.collect(),
            waiting,
        }
    }

    /// The chance that it is over after `time`.
    #[inline]
    fn over(&self, time: f64) -> f64 {
        if time < 0.0 {
            return 0.0;
        }
        // Of as many as this the service of all is over, whatever was left of the first.
        let whole = ((time - self.left).floor() + 1.0).max(0.0) as usize;
        let at = whole.saturating_sub(self.waiting.first);
        let mut over = match at {
            0 => 0.0,
            some => self.or_fewer[some.min(self.or_fewer.len()) - 1],
        };
        for (more, chance) in (self.waiting.first + at..).zip(self.waiting.of.iter().skip(at)) {
            if more as f64 >= time {
                break;
            }
            over += chance * ((time - more as f64) / self.left).min(1.0);
        }
        1.0 - self.busy * (1.0 - over)
    }
}

/// Mean time until the last of `parts` is done, 1 or more, in services. Of them `each` come to a copy on average.
pub(crate) fn latest(parts: f64, each: f64, found: Found) -> f64 {
    let behind = found.behind;
    let size = found.queue + each + behind.busy * behind.mean;
    if !matches!(size.partial_cmp(&SURE), Some(Ordering::Less)) {
        return size;
    }
    let (wait, met) = (Wait::new(found), behind.met(parts, each));
    let free = |time: f64| (-met * (1.0 - behind.over(time - 1.0))).exp();
    if parts >= MANY {
        let came = Chances::poisson(each);
        let all = |time| all_of_many(parts / each, &came, &wait, time);
        return integral(|time| free(time) * all(time), size);
    }
    let (few, part) = (parts.floor(), parts.fract());
    let of = |parts: f64| {
        let copies = parts / each;
        integral(
            |time| free(time) * counted(parts as usize, copies, &wait, time),
            size,
        )
    };
    match part > 0.0 {
        true => of(few) * (1.0 - part) + of(few + 1.0) * part,
        false => of(few),
    }
}

/// The chance that all is done after a time on so many copies, to each of which parts come independently of the others.
fn all_of_many(copies: f64, came: &Chances, wait: &Wait, time: f64) -> f64 {
    let done = |parts: usize| match parts {
        0 => 1.0,
        some => wait.over(time - some as f64),
    };
    let each = (came.first..)
        .zip(&came.of)
        .map(|(parts, chance)| chance * done(parts));
    each.sum::<f64>().powf(copies)
}

/// The same for so many parts on so many copies: of the power series that Poisson is the value of, the term with as
/// many parts, which is found from those before it (J. C. P. Miller's recurrence).
fn counted(parts: usize, copies: f64, wait: &Wait, time: f64) -> f64 {
    let mut of_one = vec![1.0; parts + 1];
    let mut ways = 1.0;
    for (came, term) in (0_u32..).zip(&mut of_one).skip(1) {
        ways /= f64::from(came) * copies;
        *term = ways * wait.over(time - f64::from(came));
    }
    let mut all = vec![1.0; parts + 1];
    let mut orders = 1.0;
    for many in 1..=parts {
        let terms = (1..=many).map(|one| {
            let weight = one as f64 * copies - (many - one) as f64;
            weight * of_one[one] * all[many - one]
        });
        all[many] = terms.sum::<f64>() / many as f64;
        orders *= many as f64;
    }
    all[parts] * orders
}

/// Mean of what has a chance of being over after a time. Its leaps are at whole numbers, so between the steps.
fn integral(over: impl Fn(f64) -> f64, size: f64) -> f64 {
    let mut step = LEAST_STEP;
    while step * STEPS < size {
        step *= 2.0;
    }
    let (mut sum, mut from) = (0.0, 0.0);
    for taken in 1.. {
        let time = from + step / 2.0;
        let not_yet = 1.0 - over(time);
        sum += not_yet * step;
        // Before the first service ends nothing is over.
        if time > 1.0 && !matches!(not_yet.partial_cmp(&NOTHING), Some(Ordering::Greater)) {
            break;
        }
        from += step;
        if taken % FAR == 0 {
            step *= 2.0;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: Found = Found {
        busy: 0.0,
        queue: 0.0,
        scv: 0.0,
        behind: Behind {
            busy: 0.0,
            mean: 0.0,
            most: 0.0,
            together: 1.0,
        },
    };

    #[test]
    fn of_two_parts_every_copyth_pair_meets() {
        for copies in [2.0, 16.0, 64.0] {
            let mean = latest(2.0, 2.0 / copies, NOBODY);
            assert!((mean - (1.0 + 1.0 / copies)).abs() < 1e-3, "{mean}");
        }
    }

    #[test]
    fn three_parts_on_two_copies() {
        // All on one with 1/4, else two on one.
        let mean = latest(3.0, 1.5, NOBODY);
        assert!((mean - 2.25).abs() < 1e-3, "{mean}");
    }

    /// Two and a half are as often two as three: of both means the middle. The number of copies goes with that of the parts, which
    /// takes a little of it.
    #[test]
    fn parts_of_a_part_are_between_two_numbers_of_parts() {
        let mean = latest(2.5, 1.25, NOBODY);
        assert!((mean / f64::midpoint(1.5, 2.25) - 1.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn a_lone_part_waits_as_in_mean_value_analysis() {
        for (busy, queue, scv) in [(0.3, 0.3, 0.0), (0.5, 0.8, 0.0), (0.5, 0.8, 1.0), (0.9, 6.0, 0.0)] {
            let found = Found {
                busy,
                queue,
                scv,
                ..NOBODY
            };
            let wait = (queue - busy) + busy * (1.0 + scv) / 2.0;
            let mean = latest(1.0, 1.0 / 64.0, found);
            assert!((mean - (1.0 + wait)).abs() < 0.01 * wait, "{mean} for {wait}");
        }
    }

    #[test]
    fn counted_out_and_by_poisson_many_parts_come_to_the_same() {
        let found = Found {
            busy: 0.4,
            queue: 0.6,
            ..NOBODY
        };
        let by_poisson = latest(16.0, 0.25, found);
        let counted = integral(|time| counted(16, 64.0, &Wait::new(found), time), 0.85);
        assert!(
            (by_poisson / counted - 1.0).abs() < 0.03,
            "{by_poisson} {counted}"
        );
    }

    #[test]
    fn many_parts_with_work_before_them_as_drawn_at_random() {
        // Copies with no work, or one service of which all parts are left alike.
        let (copies, parts, busy) = (64, 16, 0.3);
        let found = Found {
            busy,
            queue: busy,
            ..NOBODY
        };
        let mut state = 1_u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let rounds = 20_000;
        let mut sum = 0.0;
        for _ in 0..rounds {
            let mut at: Vec<f64> = vec![0.0; copies];
            for work in &mut at {
                if draw() < busy {
                    *work = draw();
                }
            }
            let mut last = 0.0_f64;
            for _ in 0..parts {
                let copy = (draw() * copies as f64) as usize;
                at[copy] += 1.0;
                last = last.max(at[copy]);
            }
            sum += last;
        }
        let (drawn, mean) = (sum / f64::from(rounds), latest(f64::from(parts), 0.25, found));
        assert!((mean / drawn - 1.0).abs() < 0.03, "{mean} {drawn}");
    }

    /// Of a mean of half the most any part is left alike; of one of three quarters half of them take the most.
    #[test]
    fn work_that_is_met_takes_any_part_or_the_most() {
        for (mean, over) in [
            (10.0, [0.0, 0.25, 0.95, 1.0]),
            (15.0, [0.0, 0.125, 0.475, 1.0]),
            (20.0, [0.0, 0.0, 0.0, 1.0]),
        ] {
            let behind = Behind {
                busy: 0.1,
                mean,
                most: 20.0,
                together: 1.0,
            };
            for (time, over) in [0.0, 5.0, 19.0, 20.0].into_iter().zip(over) {
                assert!((behind.over(time) - over).abs() < 1e-12, "{mean} {time}");
            }
            assert_eq!(behind.over(-1.0), 0.0);
        }
    }

    #[test]
    fn work_that_began_together_is_met_once() {
        // Of four copies, all with the same work: it is there or not. Each with its own: one of four is hardly ever free.
        let behind = Behind {
            busy: 0.1,
            mean: 10.0,
            most: 20.0,
            together: 1.0,
        };
        let of = |together: f64| {
            let behind = Behind { together, ..behind };
            latest(32.0, 8.0, Found { behind, ..NOBODY })
        };
        let free = latest(32.0, 8.0, NOBODY);
        let (apart, together) = (of(1.0), of(4.0));
        // Once: any part of 20 services and the own ones, less what passes while these are served.
        assert!((together - free) < 0.1 * 10.0, "{free} {together}");
        assert!(
            (apart - free) > 3.0 * (together - free),
            "{free} {together} {apart}"
        );
    }
}
