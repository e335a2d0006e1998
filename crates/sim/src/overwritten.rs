//! What writes at random really overwrite of the area that they go to: blocks at multiples of more than their size leave
//! what lies between them as it is. Of an array's drives that is what its strips, copies and parities make of them.

use iodyno_load::request::{Distribution, Profile, Target};

use crate::raid::{Layout, Work};
use crate::system::System;
use crate::volume::{array_of, drives_of};

/// What an SSD maps, and writes anew as a whole.
pub(crate) const PAGE: u64 = 4096;

/// Places that are looked at; of more the first stand for all. As many as the strips of most arrays have until all is again
/// as it was.
const MOST: u64 = 1 << 14;

/// Places that are looked at at the least: a page that the first of them shares with one before is little then.
const FEWEST: u64 = 1 << 8;

/// Blocks with something between them.
#[derive(Clone, Copy, Debug)]
struct Places {
    bytes: u32,
    /// From the beginning of one to that of the next.
    step: u64,
}

impl Places {
    /// Where the writes of a load go, or its trims; none where they go everywhere in the long run.
    fn of(profile: &Profile, write: bool) -> Option<Self> {
        let bytes = profile.largest_of(write);
        let step = match profile.distribution_of(write) {
            Distribution::Permutation => u64::from(bytes).next_multiple_of(profile.grain_bytes()),
            // A rank has a cell of the largest block, where smaller ones lie anywhere.
            Distribution::Zipf { .. } | Distribution::Pareto { .. } | Distribution::Normal { .. }
                if bytes == profile.largest_block_bytes() =>
            {
                u64::from(bytes).next_multiple_of(profile.grain_bytes())
            }
            _ => profile.alignment_of(write),
        };
        // What is not drawn goes on behind what was.
        (profile.drawn_of(write) >= 1.0 && step > u64::from(bytes)).then_some(Self { bytes, step })
    }

    fn count(self, length: u64) -> u64 {
        length.saturating_sub(u64::from(self.bytes)) / self.step + 1
    }
}

/// What writes, or trims, of one load have of an area, or several of one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    /// What of it they overwrite, above 0 to 1.
    pub(crate) share: f64,
    /// Bytes of whole pages of a place, and from one place to the next; 0 where they are everywhere.
    bytes: u64,
    step: u64,
}

impl Share {
    pub(crate) const ALL: Self = Self::of(1.0);
    pub(crate) const NOTHING: Self = Self::of(0.0);

    const fn of(share: f64) -> Self {
        Self {
            share,
            bytes: 0,
            step: 0,
        }
    }

    /// What of an area is in both. Places at multiples of two steps come to lie against each other at any multiple of what
    /// the steps have in common, each as often as the others.
    pub(crate) fn meeting(self, other: Self) -> f64 {
        let less = self.share.min(other.share);
        if self.step == other.step || self.step == 0 || other.step == 0 {
            return less;
        }
        let common = common_divisor(self.step, other.step);
        let met = if self.bytes.is_multiple_of(common) || other.bytes.is_multiple_of(common) {
            (self.bytes * other.bytes / common) as f64
        } else {
            let before = other.bytes / common;
            let of = |at: u64| {
                let (first, begins) = (before * common, at * common);
                let to = (first + self.bytes).min(begins + other.bytes);
                to.saturating_sub(first.max(begins)) as f64
            };
            (0..=before + self.bytes / common).map(of).sum()
        };
        // Of all that both steps come by until they meet again.
        let area = self.step as f64 / common as f64 * other.step as f64;
        let of = |share: Self| share.bytes as f64 / share.step as f64;
        less * (met / area / of(self).min(of(other))).min(1.0)
    }

    /// What of an area is in one of both.
    pub(crate) fn with(self, other: Self) -> Self {
        let more = if self.share < other.share { other } else { self };
        let share = (self.share + other.share - self.meeting(other)).min(1.0);
        Self { share, ..more }
    }
}

/// What loads write and trim of an area together, so many bytes at so much of it each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Churn {
    pub(crate) writes: Vec<(Share, f64)>,
    pub(crate) trims: Vec<(Share, f64)>,
}

impl Churn {
    /// What of the area is overwritten, or trimmed.
    pub(crate) fn overwritten(&self) -> f64 {
        all_of(self.writes.iter().chain(&self.trims)).share
    }

    /// Share of that that holds data in the long run: that was written last and not trimmed.
    pub(crate) fn valid(&self) -> f64 {
        let (writes, trims) = (all_of(&self.writes), all_of(&self.trims));
        let all = self.overwritten();
        let both = writes.share + trims.share - all;
        if writes.share * trims.share == 0.0 {
            return 1.0;
        }
        let there = |of: &[(Share, f64)], others: Share| -> f64 {
            let each = of.iter().filter(|of| of.0.share > 0.0);
            each.map(|(share, bytes)| bytes * share.meeting(others) / share.share)
                .sum()
        };
        let (written, trimmed) = (there(&self.writes, trims), there(&self.trims, writes));
        let empty = if written + trimmed > 0.0 {
            both * trimmed / (written + trimmed)
        } else {
            0.0
        };
        (writes.share - empty) / all
    }
}

/// What of an area is in any, whatever their order: of those at equal distances the largest, and these joined.
fn all_of<'a>(of: impl IntoIterator<Item = &'a (Share, f64)>) -> Share {
    let mut each: Vec<Share> = Vec::new();
    for (share, _) in of {
        match each.iter_mut().find(|known| known.step == share.step) {
            Some(known) if known.share < share.share => *known = *share,
            Some(_) => {}
            None => each.push(*share),
        }
    }
    each.sort_by(|one, other| other.share.total_cmp(&one.share).then(one.step.cmp(&other.step)));
    each.into_iter().fold(Share::NOTHING, Share::with)
}

/// What writes of a load, or its trims, overwrite of what each drive of a target has of its area.
pub(crate) fn shares(system: &System, target: &Target, profile: &Profile, write: bool) -> Vec<Share> {
    let drives = drives_of(system, target).len();
    let goes = if write { profile.writes() } else { profile.trims() };
    if !goes {
        return vec![Share::NOTHING; drives];
    }
    let Some(places) = Places::of(profile, write) else {
        return vec![Share::ALL; drives];
    };
    let layout = array_of(system, target).map(|array| Layout::of(system, array).expect("checked"));
    let shares = match &layout {
        Some(layout) => of_members(places, target, layout),
        None => vec![alone(places, target)],
    };
    let (bytes, step) = (u64::from(places.bytes).next_multiple_of(PAGE), places.step);
    let of = |share: f64| {
        if share < 1.0 {
            Share { share, bytes, step }
        } else {
            Share::ALL
        }
    };
    shares.into_iter().map(of).collect()
}

/// Of a drive.
fn alone(places: Places, target: &Target) -> f64 {
    let mut pages = Pages::default();
    let looked = looked_at(places, target, PAGE);
    for place in 0..looked {
        let from = target.area_start_bytes + place * places.step;
        pages.add(from, from + u64::from(places.bytes));
    }
    let bytes = pages.bytes() * scale(places, target, looked);
    (bytes / target.area_length_bytes as f64).min(1.0)
}

/// Of each member of an array.
fn of_members(places: Places, target: &Target, layout: &Layout) -> Vec<f64> {
    let mut members = vec![Pages::default(); layout.members()];
    let looked = looked_at(places, target, layout.period_bytes());
    let mut work = Work::default();
    for place in 0..looked {
        let from = target.area_start_bytes + place * places.step;
        layout.map(true, from, places.bytes, |_| 0, &mut work);
        for op in work.now.iter().chain(&work.then).filter(|op| op.write) {
            members[usize::from(op.member)].add(op.offset, op.offset + u64::from(op.bytes));
        }
    }
    let area = target.area_length_bytes as f64 / layout.capacity_bytes() as f64;
    let area = area * layout.member_bytes() as f64;
    let scale = scale(places, target, looked);
    members
        .into_iter()
        .map(|pages| (pages.bytes() * scale / area).min(1.0))
        .collect()
}

/// How many places tell of all: those until everything is as before, and again until some are that many.
fn looked_at(places: Places, target: &Target, period: u64) -> u64 {
    let again = period / common_divisor(period, places.step);
    let looked = FEWEST.next_multiple_of(again).min(MOST);
    places.count(target.area_length_bytes).min(looked)
}

fn scale(places: Places, target: &Target, looked: u64) -> f64 {
    places.count(target.area_length_bytes) as f64 / looked as f64
}

/// Greatest common divisor (Euclid).
fn common_divisor(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => common_divisor(other, one % other),
    }
}

/// Pages of a drive, in runs.
#[derive(Clone, Debug, Default)]
struct Pages {
    runs: Vec<(u64, u64)>,
}

impl Pages {
    /// Add those that hold some of a range.
    fn add(&mut self, from: u64, to: u64) {
        self.runs.push((from / PAGE * PAGE, to.next_multiple_of(PAGE)));
    }

    /// Bytes of all of them, each once.
    fn bytes(mut self) -> f64 {
        self.runs.sort_unstable();
        let mut reached = 0;
        let new = |(from, to): (u64, u64)| {
            let new = to.saturating_sub(from.max(reached));
            reached = reached.max(to);
            new
        };
        self.runs.into_iter().map(new).sum::<u64>() as f64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use iodyno_load::request::TargetKind;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};
    use serde_json::json;

    use super::*;
    use crate::system::Array;

    const MEMBER: u64 = 1 << 40;

    fn area(start: u64, length: u64) -> Target {
        Target {
            path: "t".into(),
            kind: TargetKind::Virtual,
            area_start_bytes: start,
            area_length_bytes: length,
        }
    }

    fn layout(level: &str, members: usize, groups: usize, strip: u64) -> Layout {
        let drives: Vec<usize> = (0..members).collect();
        let array = json!({
            "level": level, "drives": drives, "groups": groups, "strip_bytes": strip, "failed": [],
            "mirror_read": { "policy": "primary" }, "rebuild_bytes_s": 0,
        });
        let array: Array = serde_json::from_value(array).expect("an array");
        Layout::new(&array, MEMBER).expect("a layout")
    }

    fn all_of(pages: &mut BTreeSet<u64>, from: u64, bytes: u64) {
        pages.extend(from / PAGE..(from + bytes).div_ceil(PAGE));
    }

    /// Every place of the area, and every page of it.
    #[test]
    fn a_drive_has_the_pages_of_all_places() {
        let seed = 11;
        println!("seed {seed}");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..200 {
            let bytes = 512 * (1 + (rng.next_u64() % 24) as u32);
            let step = u64::from(bytes) + 512 * (1 + rng.next_u64() % 200);
            let places = Places { bytes, step };
            let count = 64 + rng.next_u64() % 1024;
            let start = step * (rng.next_u64() % 50);
            let target = area(start, count * step);
            let mut pages = BTreeSet::new();
            for place in 0..count {
                all_of(&mut pages, start + place * step, bytes.into());
            }
            let expected = (pages.len() as u64 * PAGE) as f64 / (count * step) as f64;
            let found = alone(places, &target);
            // The area ends amid what repeats, or begins amid a page.
            let slack = expected / 64.0;
            assert!(
                (found - expected).abs() <= slack,
                "{places:?}: {found} and {expected}"
            );
        }
    }

    /// A permutation has each place once: blocks of 4 KiB side by side, or at multiples of 64 KiB where reads beside them are aligned so.
    #[test]
    fn a_permutation_leaves_out_what_lies_between_its_places() {
        let step = |bytes: u32, alignment: u64, writes: u64| {
            let profile = json!({
                "random_share": 1.0, "read_share": 0.5, "blocks": [{ "bytes": bytes, "weight": 1.0 }],
                "alignment_bytes": alignment, "write_alignment_bytes": writes, "data": "zeros", "shown_as": "throughput",
                "distribution": { "kind": "permutation" },
            });
            let profile: Profile = serde_json::from_value(profile).expect("a profile");
            Places::of(&profile, true).map(|places| (places.bytes, places.step))
        };
        assert_eq!(step(4096, 4096, 4096), None);
        assert_eq!(step(4096, 512, 512), None);
        assert_eq!(step(4096, 65_536, 65_536), Some((4096, 65_536)));
        assert_eq!(step(4096, 65_536, 4096), Some((4096, 65_536)));
        assert_eq!(step(6144, 4096, 4096), Some((6144, 8192)));
        assert_eq!(step(4096, 6144, 2048), Some((4096, 6144)));
    }

    /// 4 kB in every 64: a sixteenth, and of 512 bytes as well. An area of whole blocks has nothing between them.
    #[test]
    fn the_share_is_that_of_places_in_whole_pages() {
        let of = |bytes, step| alone(Places { bytes, step }, &area(0, 1 << 30));
        assert_eq!(of(4096, 65_536), 1.0 / 16.0);
        assert_eq!(of(512, 65_536), 1.0 / 16.0);
        assert_eq!(of(6144, 65_536), 2.0 / 16.0);
        assert_eq!(of(512, 4096), 1.0);
    }

    /// All places of some rounds of parity over the members, one by one, against the first of them.
    #[test]
    fn members_have_what_the_array_makes_of_all_places() {
        for (level, members, groups, strip) in [
            ("0", 3, 1, 65_536),
            ("1", 2, 1, 65_536),
            ("10", 6, 1, 16_384),
            ("1E", 5, 1, 65_536),
            ("5", 4, 1, 65_536),
            ("6", 6, 1, 16_384),
            ("50", 8, 2, 65_536),
        ] {
            let layout = layout(level, members, groups, strip);
            for (bytes, step) in [(4096, 65_536), (4096, 24_576), (8192, 131_072), (98_304, 262_144)] {
                let length = 6 * layout.period_bytes() * step / common_divisor(step, layout.period_bytes());
                let mut pages = vec![BTreeSet::new(); members];
                let mut work = Work::default();
                for from in (0..length).step_by(step as usize) {
                    layout.map(true, from, bytes, |_| 0, &mut work);
                    for op in work.now.iter().chain(&work.then).filter(|op| op.write) {
                        all_of(&mut pages[usize::from(op.member)], op.offset, op.bytes.into());
                    }
                }
                let part = length as f64 / layout.capacity_bytes() as f64 * layout.member_bytes() as f64;
                let found = of_members(Places { bytes, step }, &area(0, length), &layout);
                for (pages, found) in pages.iter().zip(found) {
                    let expected = (pages.len() as u64 * PAGE) as f64 / part;
                    assert!(
                        (found / expected.max(1e-9) - 1.0).abs() < 1e-9 || found == expected,
                        "RAID {level}, {bytes} in {step}: {found} and {expected}"
                    );
                }
            }
        }
    }

    /// RAID 5 of four: three strips of a row have their 4 kB at the same place, and so has the parity. At multiples of a row
    /// one strip of data of three has some, and every parity.
    #[test]
    fn parity_is_where_any_strip_of_its_row_is_written() {
        let layout = layout("5", 4, 1, 65_536);
        let of = |step: u64| of_members(Places { bytes: 4096, step }, &area(0, 4 * 9 * 196_608), &layout);
        assert_eq!(of(65_536), [1.0 / 16.0; 4]);
        let mean = of(196_608).iter().sum::<f64>() / 4.0;
        assert!((mean - 0.5 / 16.0).abs() < 1e-12, "{mean}");
        // All is as before after 24 rows of 23 strips, of which each has its 4 kB.
        let many = self::layout("5", 24, 1, 65_536);
        let area = area(0, many.period_bytes());
        let found = of_members(
            Places {
                bytes: 4096,
                step: 65_536,
            },
            &area,
            &many,
        );
        assert_eq!(found, [1.0 / 16.0; 24]);
    }

    /// Page by page, until both come to lie as at first: what of them has a place of either, and how likely it is that one
    /// was written last.
    #[test]
    fn what_two_have_is_that_of_all_their_pages() {
        let seed = 3;
        println!("seed {seed}");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..300 {
            let mut of = || {
                let pages = 1 + rng.next_u64() % 12;
                (pages, pages + 1 + rng.next_u64() % 40)
            };
            let (one, other) = (of(), of());
            if one.1 == other.1 {
                continue;
            }
            let share = |(pages, step): (u64, u64)| Share {
                share: pages as f64 / step as f64,
                bytes: pages * PAGE,
                step: step * PAGE,
            };
            let all = one.1 * other.1;
            let has = |page: u64, of: (u64, u64)| page % of.1 < of.0;
            let count =
                |of: &dyn Fn(u64) -> bool| (0..all).filter(|&page| of(page)).count() as f64 / all as f64;
            let both = count(&|page| has(page, one) && has(page, other));
            let any = count(&|page| has(page, one) || has(page, other));
            let (first, second) = (share(one), share(other));
            assert!(
                (first.meeting(second) - both).abs() < 1e-12,
                "{one:?} and {other:?}"
            );
            assert!((first.with(second).share - any).abs() < 1e-12);
            let (written, trimmed) = (3.0, 1.0);
            let churn = Churn {
                writes: vec![(first, written)],
                trims: vec![(second, trimmed)],
            };
            let (writes, trims) = (written / first.share, trimmed / second.share);
            let data = count(&|page| has(page, one)) - both * trims / (writes + trims);
            assert!(
                (churn.valid() - data / any).abs() < 1e-12,
                "{one:?} and {other:?}"
            );
        }
    }

    /// Every 64 kB and every 48: of twelve pages times four 3 and 4 begin one, and one of both is the same. However many
    /// loads write them, and in whatever order.
    #[test]
    fn what_several_loads_have_hangs_on_no_order() {
        let of = |pages: u64| Share {
            share: 1.0 / pages as f64,
            bytes: PAGE,
            step: pages * PAGE,
        };
        let (a, b) = ((of(16), 1.0), (of(12), 1.0));
        let expected = (3.0 + 4.0 - 1.0) / 48.0;
        for writes in [vec![a, b], vec![b, a, a], vec![a, b, a, b], vec![b, a, b, b, a]] {
            let trims = vec![a, a];
            let churn = Churn { writes, trims };
            assert!((churn.overwritten() - expected).abs() < 1e-12, "{churn:?}");
            // Of each place of the trims, which are half of what goes there or more, a share is empty.
            assert!(
                churn.valid() < 1.0 && churn.valid() > 1.0 - 3.0 / 6.0,
                "{churn:?}"
            );
        }
    }

    #[test]
    fn what_two_loads_have_at_equal_distances_is_the_larger() {
        let of = |share| Share {
            share,
            bytes: PAGE,
            step: 4 * PAGE,
        };
        assert_eq!(of(0.25).with(of(0.5)), of(0.5));
        assert_eq!(of(0.25).with(Share::NOTHING).share, 0.25);
        assert_eq!(of(0.25).with(Share::ALL), Share::ALL);
        assert_eq!(of(0.25).meeting(Share::NOTHING), 0.0);
    }
}
