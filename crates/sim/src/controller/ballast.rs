//! The dirty blocks that a cache holds in the steady state of a random load, without storing them.
//!
//! A controller keeps dirty blocks as long as it has room, so under a lasting load the cache is full of them.
//! They are destaged in one sweep after the other over the accessed area while new ones come everywhere: at a
//! distance x ahead of the sweep (a share of the area) the last sweep is 1 − x of a round ago, and the density
//! is 2(1 − x) of the mean. Blocks are therefore at x = 1 − √(1 − u) with u uniform. To find them in order without
//! keeping them all, they are drawn in bunches that follow each other: bunch number i of n has its blocks at
//! u = (i + r)/n, r uniform. So a bunch is a function of its number, and the number one of a place. Some lie on others, as
//! writes do: what is dirty twice goes to the drives once.

use iodyno_load::pattern::mix;
use iodyno_load::request::Profile;

use super::unit;

/// Where the sweep stands: where the mean distance to a uniform place is a third of the area, as it is on the
/// average of all places: x² + (1 − x)² = 2/3.
pub(super) const SWEEP: f64 = 0.211_324_865_405_187;

/// Blocks of a bunch: many, so that their places are as irregular as those of independent blocks; few, because all
/// are looked at where one is looked for.
const BUNCH: usize = 16;

/// Longest run of blocks side by side, in bytes: with it a drive streams.
pub(super) const LONGEST: u32 = 1 << 20;

/// What whole bunches of blocks of a mean size have of so many bytes.
pub(super) fn whole(bytes: u64, mean: f64) -> u64 {
    let bunch = (BUNCH as f64 * mean) as u64;
    bytes / bunch.max(1) * bunch
}

/// Dirty blocks of before.
#[derive(Debug)]
pub(super) struct Ballast {
    start: u64,
    end: u64,
    grain: u64,
    /// Places that a block can have, on the grain.
    places: u64,
    /// The place where the sweep began.
    first: u64,
    /// How far before a place a block can begin that goes on there.
    reach: u64,
    /// Sizes in bytes with the draws below which they are taken.
    sizes: Vec<(u32, f64)>,
    bunches: u64,
    /// The bunch that the sweep is in, in order, and how many of it are taken.
    number: u64,
    bunch: [(u64, u32); BUNCH],
    taken: usize,
    seed: u64,
}

impl Ballast {
    /// As many blocks as make `bytes`, spread over an area as a profile does.
    pub(super) fn new(profile: &Profile, area: (u64, u64), bytes: u64, seed: u64) -> Self {
        let grain = profile.alignment_of(true);
        let (sizes, mean) = sizes(profile);
        let largest = sizes.iter().map(|size| u64::from(size.0)).max().unwrap_or(0);
        let places = (area.1.saturating_sub(largest) / grain + 1).max(1);
        let mut ballast = Self {
            start: area.0,
            end: area.0.saturating_add(area.1),
            grain,
            places,
            first: (places as f64 * SWEEP) as u64,
            reach: largest.saturating_sub(1),
            sizes,
            bunches: (written(bytes as f64, area.1 as f64) / mean) as u64 / BUNCH as u64,
            number: 0,
            bunch: [(0, 0); BUNCH],
            taken: 0,
            seed,
        };
        ballast.open();
        ballast
    }

    /// Where the sweep begins.
    pub(super) fn sweep(&self) -> u64 {
        self.start + self.first * self.grain
    }

    /// The next block of the sweep.
    #[inline]
    pub(super) fn next(&self) -> Option<(u64, u32)> {
        (self.number < self.bunches).then(|| {
            let (ahead, bytes) = self.bunch[self.taken];
            (self.offset(ahead), bytes)
        })
    }

    /// The next block is taken.
    #[inline]
    pub(super) fn take(&mut self) {
        self.taken += 1;
        if self.taken == BUNCH {
            self.number += 1;
            self.open();
        }
    }

    /// Put the blocks of the bunch in order.
    fn open(&mut self) {
        self.taken = 0;
        self.bunch = std::array::from_fn(|at| self.block(self.number, self.draw(self.number, at)));
        self.bunch.sort_unstable();
    }

    /// Bytes of a range that are dirty in blocks.
    pub(super) fn overlap(&self, from: u64, to: u64) -> u64 {
        if self.bunches == 0 || from < self.start || from >= self.end {
            return 0;
        }
        // Of those that begin before it as well.
        let first = self.reached(from.saturating_sub(self.reach).max(self.start));
        let last = self.reached(to - 1 + self.grain);
        // A block further away than a few places, or what rounding can do, is elsewhere.
        let slack = self.bunches as f64 * (4.0 / self.places as f64 + 1e-9);
        let near = first - slack..last + slack;
        let (first, last) = (first as u64, (last as u64).min(self.bunches - 1));
        let (mut found, mut count, mut many) = ([(0, 0); BUNCH], 0, Vec::new());
        for number in first.max(self.number)..=last {
            let mut look = |(at, bytes): (u64, u32)| {
                let at = self.offset(at);
                let part = (at.max(from), (at + u64::from(bytes)).min(to));
                match part.0 < part.1 {
                    true if count < BUNCH => {
                        found[count] = part;
                        count += 1;
                    }
                    true => many.push(part),
                    false => {}
                }
            };
            if number == self.number {
                self.bunch[self.taken..].iter().copied().for_each(&mut look);
            } else {
                // The draws of what is near, as one comparison of whole numbers each.
                let least = draw_at(near.start - number as f64);
                let more = draw_at(near.end - number as f64) - least;
                let draws = (0..BUNCH).map(|at| self.draw(number, at));
                let draws = draws.filter(|draw| draw.wrapping_sub(least) <= more);
                draws.for_each(|draw| look(self.block(number, draw)));
            }
        }
        let mut found = &mut found[..count];
        if !many.is_empty() {
            many.extend_from_slice(found);
            found = &mut many;
        }
        found.sort_unstable();
        let mut reached = from;
        let new = |&mut (at, end): &mut (u64, u64)| {
            let new = end.saturating_sub(at.max(reached));
            reached = reached.max(end);
            new
        };
        found.iter_mut().map(new).sum()
    }

    /// How many bunches lie before a place: the whole part is the number of the one of its first blocks; that of its last
    /// is the one of the first of the next place.
    #[inline]
    fn reached(&self, offset: u64) -> f64 {
        let place = (offset - self.start) / self.grain % self.places;
        let ahead = (place + self.places - self.first) % self.places;
        let rest = 1.0 - ahead as f64 / self.places as f64;
        (1.0 - rest * rest) * self.bunches as f64
    }

    /// The draw of a block of a bunch.
    #[inline]
    fn draw(&self, bunch: u64, at: usize) -> u64 {
        mix(self.seed, bunch * BUNCH as u64 + at as u64)
    }

    /// A block of a bunch by its draw: how many places ahead of the sweep's beginning, and bytes.
    #[inline]
    fn block(&self, bunch: u64, draw: u64) -> (u64, u32) {
        let share = (bunch as f64 + unit(draw)) / self.bunches.max(1) as f64;
        let ahead = ((1.0 - (1.0 - share).max(0.0).sqrt()) * self.places as f64) as u64;
        (ahead.min(self.places - 1), self.size(draw))
    }

    #[inline]
    fn offset(&self, ahead: u64) -> u64 {
        self.start + (self.first + ahead) % self.places * self.grain
    }

    #[inline]
    fn size(&self, draw: u64) -> u32 {
        let [.., (last, _)] = self.sizes[..] else {
            unreachable!("a profile has a block")
        };
        if self.sizes.len() == 1 {
            return last;
        }
        let draw = unit(mix(draw, 1));
        self.sizes
            .iter()
            .find(|size| draw < size.1)
            .map_or(last, |size| size.0)
    }
}

/// The draw of a share, which is cut to 0 to 1.
#[inline]
fn draw_at(share: f64) -> u64 {
    (share.clamp(0.0, 1.0) * 2_f64.powi(64)) as u64
}

/// What a profile writes side by side, in bytes: sizes with the draws below which they are taken, and the mean. Writes that
/// are partly random go on where the one before ended, until one goes elsewhere or a read lies between.
fn sizes(profile: &Profile) -> (Vec<(u32, f64)>, f64) {
    let blocks = profile.blocks_of(true);
    let weight: f64 = blocks.iter().map(|block| block.weight).sum();
    let between = if profile.own_sequences() {
        1.0
    } else {
        1.0 - profile.read_share
    };
    let goes_on = match profile.gap_bytes {
        0 => (1.0 - profile.drawn_of(true)) * between,
        _ => 0.0,
    };
    let in_turn = profile.random_of(true) == 1.0 && between == 1.0;
    let turn = if in_turn { profile.random_every } else { u64::MAX };
    let most = (u64::from(LONGEST) / u64::from(profile.largest_of(true))).clamp(1, turn.max(1)) as i32;
    // A share goes_on^(k − 1)·(1 − goes_on) of the runs has k blocks, the longest all that is left; where each n-th access
    // goes elsewhere, all have n.
    let runs = |count: i32| match (count == most, in_turn) {
        (last, true) => f64::from(u8::from(last)),
        (true, false) => goes_on.powi(count - 1),
        (false, false) => goes_on.powi(count - 1) * (1.0 - goes_on),
    };
    let (mut below, mut mean, mut sizes) = (0.0, 0.0, Vec::new());
    for (count, share) in (1..=most)
        .map(|count| (count, runs(count)))
        .filter(|run| run.1 > 1e-6)
    {
        for block in blocks {
            let (bytes, share) = (block.bytes * count as u32, block.weight / weight * share);
            below += share;
            mean += f64::from(bytes) * share;
            sizes.push((bytes, below));
        }
    }
    (sizes, mean)
}

/// Bytes written at random to an area that leave `dirty` bytes of it dirty: some fall on others. Where a sweep has passed
/// a share x of a round ago e^(−λx) is clean, λ times the area being what is written in a round; on the average of all
/// places 1 − (1 − e^(−λ))/λ is dirty, of λ/2 of the area that was written since.
fn written(dirty: f64, area: f64) -> f64 {
    let share = dirty / area;
    if !(1e-6..1.0).contains(&share) {
        return dirty;
    }
    let (mut low, mut high) = (2.0 * share, 2.0 * share / (1.0 - share));
    for _ in 0..60 {
        let round = f64::midpoint(low, high);
        if 1.0 + (-round).exp_m1() / round < share {
            low = round;
        } else {
            high = round;
        }
    }
    area * low / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ballast(bytes: u64, area: u64) -> Ballast {
        let profile = serde_json::json!({
            "random_share": 1.0, "read_share": 0.0, "data": "incompressible", "alignment_bytes": 4096,
            "shown_as": "transaction_rate",
            "blocks": [{ "bytes": 16_384, "weight": 1.0 }, { "bytes": 4096, "weight": 2.0 }],
        });
        let profile = serde_json::from_value(profile).expect("a profile");
        Ballast::new(&profile, (4096, area), bytes, 7)
    }

    /// However seldom a write goes elsewhere, its run is no longer than a drive needs to stream.
    #[test]
    fn runs_have_an_end() {
        for (every, share, expected) in [
            (1_u64, 1.0, 4096.0),
            (8, 1.0, 32_768.0),
            (1 << 40, 1.0, 1_048_576.0),
            (1, 0.5, 8192.0),
        ] {
            let profile = serde_json::json!({
                "random_share": share, "random_every": every, "read_share": 0.0, "data": "incompressible",
                "alignment_bytes": 4096, "shown_as": "transaction_rate", "blocks": [{ "bytes": 4096, "weight": 1.0 }],
            });
            let (sizes, mean) = sizes(&serde_json::from_value(profile).expect("a profile"));
            assert!((mean / expected - 1.0).abs() < 1e-3, "{every}, {share}: {mean}");
            assert!(sizes.iter().all(|size| size.0 <= LONGEST));
        }
    }

    /// Half of the accesses read: a run goes on with a share of what does not go elsewhere, whether that is drawn or each eighth, and
    /// is 1 / (1 − share) blocks long.
    #[test]
    fn a_read_ends_a_run() {
        for (every, share, goes_on) in [(1_u64, 1.0, 0.0), (1, 0.5, 0.5 * 0.5), (8, 1.0, 0.5 * 7.0 / 8.0)] {
            let profile = serde_json::json!({
                "random_share": share, "random_every": every, "read_share": 0.5, "data": "incompressible",
                "alignment_bytes": 4096, "shown_as": "transaction_rate", "blocks": [{ "bytes": 4096, "weight": 1.0 }],
            });
            let (_, mean) = sizes(&serde_json::from_value(profile).expect("a profile"));
            let expected = 4096.0 / (1.0 - goes_on);
            assert!((mean / expected - 1.0).abs() < 1e-3, "{every}, {share}: {mean}");
        }
    }

    /// On the average of all places of a sweep the mean distance to a uniform place is a third of the area, and so it is from where it
    /// begins: half a part on, of each.
    #[test]
    fn the_sweep_begins_where_it_is_on_the_average() {
        let area = 1_u64 << 32;
        let at = (ballast(area / 4, area).sweep() - 4096) as f64 / area as f64;
        let distance = (at * at + (1.0 - at) * (1.0 - at)) / 2.0;
        assert!((distance * 3.0 - 1.0).abs() < 1e-4, "{at}");
    }

    /// Sixteen blocks each: of a million bytes fifteen bunches of 64 KiB.
    #[test]
    fn whole_bunches_are_what_they_hold() {
        assert_eq!(whole(1_000_000, 4096.0), 15 * 65_536);
        assert_eq!(whole(65_535, 4096.0), 0);
        assert_eq!(whole(65_536, 4096.0), 65_536);
    }

    /// Dirty or not, of every 4 KiB.
    fn dirty(ballast: &mut Ballast, area: u64) -> Vec<bool> {
        let mut dirty = vec![false; (area / 4096 + 2) as usize];
        while let Some((at, bytes)) = ballast.next() {
            let units = (at / 4096) as usize..((at + u64::from(bytes)) / 4096) as usize;
            dirty[units].fill(true);
            ballast.take();
        }
        dirty
    }

    /// A bunch has as many blocks as any other, which are somewhat less on each other than independent ones.
    #[test]
    fn what_lies_on_others_is_dirty_once() {
        let area = 16_u64 << 30;
        for share in [0.02, 0.3, 0.7] {
            let dirty = dirty(&mut ballast((share * area as f64) as u64, area), area);
            let found = dirty.iter().filter(|&&dirty| dirty).count() as f64 * 4096.0;
            assert!(
                (found / area as f64 / share - 1.0).abs() < 0.02,
                "{share}: {found}"
            );
        }
    }

    #[test]
    fn the_overlap_is_what_a_table_of_all_blocks_says() {
        let area = 1_u64 << 28;
        let mut moved = ballast(area / 4, area);
        for _ in 0..1000 {
            moved.take();
        }
        let mut draws = (0_u64..).map(|at| mix(3, at));
        let mut draw = |bound: u64| draws.next().expect("endless") % bound;
        let mut same = ballast(area / 4, area);
        (same.number, same.taken) = (moved.number, moved.taken);
        same.bunch = moved.bunch;
        let table = dirty(&mut same, area);
        let sweep = moved.sweep() / 4096;
        for _ in 0..20_000 {
            let from = 1 + draw(area / 4096 - 40);
            let units = 1 + draw(16);
            // Where the sweep began its last blocks are on its first ones.
            if from + units + 4 > sweep && from < sweep + 4 {
                continue;
            }
            let expected = table[from as usize..(from + units) as usize]
                .iter()
                .filter(|&&dirty| dirty)
                .count() as u64;
            assert_eq!(
                moved.overlap(from * 4096, (from + units) * 4096),
                expected * 4096,
                "{from} {units}"
            );
        }
        assert_eq!(moved.overlap(0, 4096), 0, "outside of the area");
    }

    /// A range of as many blocks as a large access beside small ones has: what is dirty of it is what is of its parts.
    #[test]
    fn the_overlap_of_a_long_range_is_that_of_its_parts() {
        let area = 1_u64 << 28;
        let moved = ballast(area / 4, area);
        let mut most = 0;
        for from in (1..64).map(|at| 4096 + at * (2 << 20)) {
            let to = from + (1 << 20);
            // Where the sweep began its last blocks are on its first ones.
            if (from - 65_536..to + 65_536).contains(&moved.sweep()) {
                continue;
            }
            let parts = (from..to).step_by(4096).map(|at| moved.overlap(at, at + 4096));
            let parts = parts.sum::<u64>();
            assert_eq!(moved.overlap(from, to), parts, "{from}");
            most = most.max(parts);
        }
        assert!(most > 16 * 16_384, "few are dirty: {most}");
    }
}
