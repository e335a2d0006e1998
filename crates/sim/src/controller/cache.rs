//! The write cache of a logical drive: what is dirty, what waits for room, and what is destaged next.
//!
//! A controller keeps dirty blocks as long as it has room, because so it finds neighbours for them; it destages
//! the more, the fuller the cache is. So a lasting load has it nearly full, whether the drives keep up with the
//! writes or not, and only the last part of the room, the margin, tells the difference: it is empty while the
//! drives keep up, and full while they do not and writes wait for room. A simulation begins with everything
//! below the margin dirty ([`Ballast`]), as random writes leave it. Sequential writes leave whole stripes, which
//! are destaged as soon as they are whole: of them it begins with a full margin, and as many more as fill the caches of
//! the drives, so that a load that drives keep up with gets rid of them and another waits for them from the beginning on.
//! A stream that reads in between, or leaves something out, leaves gaps: of it the simulation begins with what it leaves so.

use std::collections::VecDeque;

use iodyno_load::pattern::{AccessStream, mix};
use iodyno_load::request::Profile;

use super::ballast::{self, Ballast};
use super::dirty::Dirty;
use super::drawn;
use super::jobs::Waiting;
use super::runs;
use super::{HostOp, LogicalUse};
use crate::raid::Layout;
use crate::room::{Filled, Room};
use crate::time::Ps;

/// Smallest part of the cache that a block takes, in bytes.
const LINE_BYTES: f64 = 4096.0;
/// Least room for sequential writes in bytes: what gathers there is whole stripes and what the drives have.
pub(crate) const STREAM_BYTES: u64 = 64 << 20;

/// Dirty blocks of a stripe whose parity is updated at once, at most. That takes the parity of all between the first and the
/// last of them: hard disks save seeks by it, and SSDs would have more to read and to write, so they do without.
const TOGETHER: usize = 16;

/// The write cache.
#[derive(Debug)]
pub(super) struct Cache {
    dirty: Dirty,
    /// Of each load that writes at random.
    ballasts: Vec<Ballast>,
    /// Whether any load writes at random.
    at_random: bool,
    /// Room above the ballast in bytes: within it destaging goes from none to as much as can be. However large the blocks, half
    /// of the room at least is below it where they come at random.
    margin: u64,
    /// Stripes that a stream has left before the beginning.
    behind: Behind,
    /// Bytes used of the margin; negative while less than the ballast is left, above it while drives have not taken what
    /// their caches hold.
    used: i64,
    /// Bytes of them that are on their way to the drives.
    leaving: u64,
    /// Operations on drives that destaging has under way, and may have at most.
    pub(super) under_way: u32,
    most: u32,
    /// Parts that are destaged together at most.
    together: usize,
    /// Whether a part may reach over the end of a unit: there is no parity to update.
    across: bool,
    /// The areas that are written, where all of them together find room: nothing is ever destaged; else none.
    resident: Vec<(u64, u64)>,
    /// Where the sweep is.
    position: u64,
    span: u64,
    waiting: VecDeque<Waiting>,
    /// Dirty bytes beside those of the margin: the ballast, or all of an area that finds room.
    below: u64,
    pub(super) room: Room,
}

impl Cache {
    /// The cache of a logical drive with so many bytes of it, for loads that write there; `depth` is how many operations a drive has under
    /// way for destaging at most, `seeks` whether each operation costs it a seek, `drives_hold` what caches of drives hold of a
    /// stream in bytes.
    pub(super) fn new(
        layout: &Layout,
        writers: &[&LogicalUse],
        bytes: u64,
        (depth, seeks, drives_hold): (u32, bool, u64),
        seed: u64,
    ) -> Self {
        let unit = layout.stripe_bytes().unwrap_or(layout.row_bytes());
        let most = depth * layout.members() as u32;
        let mean = mean_bytes(writers);
        let room = (bytes as f64 * (mean / mean.max(LINE_BYTES))) as u64;
        let at_random = |usage: &&&LogicalUse| usage.profile.random_of(true) > 0.0;
        let random: Vec<_> = writers.iter().filter(at_random).copied().collect();
        let mut margin = 0;
        if !random.is_empty() {
            let outstanding: usize = random.iter().map(|usage| usage.outstanding).sum();
            margin = ((2 * outstanding + 2 * most as usize) as f64 * mean) as u64;
            margin = margin.min(room - ballast::whole(room / 2, mean));
        }
        if random.len() < writers.len() {
            margin = margin.max(STREAM_BYTES.max(16 * unit));
        }
        let largest = writers.iter().map(|usage| usage.profile.largest_block_bytes());
        let margin = margin.min(room).max(4 * u64::from(largest.max().unwrap_or(0)));
        let old = room.saturating_sub(margin);
        let areas = joined(writers);
        let all = match writers {
            [one] => one.profile.accessed_of(true, one.length_bytes),
            _ => areas.iter().map(|(from, to)| to - from).sum(),
        };
        let resident = if all <= old { areas } else { Vec::new() };
        let mut dirty = Dirty::new(unit, layout.stripe_bytes().is_some() || random.is_empty());
        let begins = resident.is_empty() && !random.is_empty() && old > 0;
        let uneven = begins && random.iter().any(|usage| usage.writes_unevenly());
        let in_runs = begins && runs::have(&random);
        let ballasts = if begins && !uneven && !in_runs {
            ballasts(&random, old, seed)
        } else {
            Vec::new()
        };
        let mut below = match (resident.is_empty(), begins) {
            (false, _) => all,
            (true, true) => old,
            (true, false) => 0,
        };
        let mut room = if below > 0 { room } else { margin };
        let mut position = ballasts.first().map_or(0, Ballast::sweep);
        // At a rate of its own a load has the destaging that it needs at once: what is more would be in its way for long.
        let asked = random.iter().all(|usage| usage.open_loop);
        let (mut behind, mut used) = (Behind::default(), if asked { 0 } else { margin / 2 });
        if in_runs {
            (below, position) = runs::fill(&mut dirty, &random, &shares(&random), old, seed);
            room = below + margin;
        } else if uneven {
            (below, position) = drawn::fill(&mut dirty, &random, &shares(&random), old, seed);
            room = below + margin;
        } else if ballasts.is_empty() {
            let stream = writers
                .first()
                .filter(|_| resident.is_empty() && random.is_empty());
            let left = margin + drives_hold;
            used = match stream {
                Some(stream) if leaves_gaps(&stream.profile) => {
                    position = gaps_begin(stream, left, unit);
                    leave_gaps(stream, position, left, seed, &mut dirty)
                }
                Some(stream) => {
                    behind = Behind::of(stream, left, unit);
                    behind.left
                }
                None => 0,
            };
        }
        Self {
            dirty,
            position,
            used: used as i64,
            behind,
            ballasts,
            at_random: !random.is_empty(),
            margin,
            leaving: 0,
            under_way: 0,
            most,
            together: if layout.stripe_bytes().is_some() && !layout.degraded() && seeks {
                TOGETHER
            } else {
                1
            },
            across: layout.stripe_bytes().is_none(),
            resident,
            span: writers
                .iter()
                .map(|usage| usage.start_bytes + usage.length_bytes)
                .max()
                .unwrap_or(0),
            waiting: VecDeque::new(),
            below,
            room: Room::new(room),
        }
    }

    /// Whether all of a range is dirty here.
    #[inline]
    pub(super) fn covers(&self, offset: u64, bytes: u32) -> bool {
        let (from, to) = (offset, offset + u64::from(bytes));
        self.covers_since(from, to) || self.before(from, to) >= to - from
    }

    /// Bytes of a range that are dirty since before the beginning.
    #[inline]
    fn before(&self, from: u64, to: u64) -> u64 {
        overlap(&self.ballasts, from, to)
    }

    /// Whether all of a range has been written since the beginning, or stays here for ever.
    #[inline]
    fn covers_since(&self, from: u64, to: u64) -> bool {
        let within = |&(start, end): &(u64, u64)| start <= from && to <= end;
        self.resident.iter().any(within) || self.dirty.covers(from, to)
    }

    /// Take a write, if there is room and nothing waits; else it waits.
    #[inline]
    pub(super) fn offer(&mut self, write: Waiting, now: Ps) -> bool {
        let taken = self.waiting.is_empty() && self.take_in(&write.op, now);
        if !taken {
            self.waiting.push_back(write);
        }
        taken
    }

    /// The next waiting write that finds room, and is taken in.
    pub(super) fn admit(&mut self, now: Ps) -> Option<Waiting> {
        let op = self.waiting.front()?.op;
        self.take_in(&op, now)
            .then(|| self.waiting.pop_front().expect("a waiting write"))
    }

    /// Dirty bytes.
    pub(super) fn held(&self) -> u64 {
        self.below.saturating_add_signed(self.used)
    }

    /// Dirty bytes above what it begins with: what has come and is still to be written to the drives.
    pub(super) fn gained(&self) -> u64 {
        self.used.max(0) as u64
    }

    /// How full it is, and who waits.
    pub(super) fn filled(&self, now: Ps) -> Filled<'_> {
        Filled {
            room: &self.room,
            held: self.held(),
            ages: self.waiting.iter().map(|write| now.since(write.since)).sum(),
        }
    }

    #[inline]
    fn take_in(&mut self, op: &HostOp, now: Ps) -> bool {
        if self.used + i64::from(op.bytes) > self.margin as i64 {
            return self.covers(op.offset, op.bytes);
        }
        let (from, to) = (op.offset, op.offset + u64::from(op.bytes));
        if self.covers_since(from, to) {
            return true;
        }
        let before = self.before(from, to);
        if before < to - from {
            self.room.pass(self.held(), now);
            let (ballasts, mut new) = (&self.ballasts, 0);
            self.dirty.insert(from, to, |start, end| {
                let old = match (start, end) == (from, to) {
                    true => before,
                    false => overlap(ballasts, start, end),
                };
                new += end - start - old;
            });
            self.used += new as i64;
        }
        true
    }

    /// What is to be destaged now, if anything, as offsets and lengths: parts of one stripe.
    pub(super) fn next(&mut self, parts: &mut Vec<(u64, u32)>) -> bool {
        parts.clear();
        if self.used <= 0 {
            return false;
        }
        let share = u64::from(self.most) * (self.used as u64).min(self.margin) / self.margin;
        if u64::from(self.under_way) >= share.max(1) {
            return false;
        }
        // What is not whole may become so, unless accesses are random anyway or room is short.
        let rest = (self.used as u64).saturating_sub(self.leaving);
        let any = self.at_random || rest > self.margin / 4 * 3;
        if let Some((from, to)) = self.behind.take(self.dirty.unit()) {
            parts.push((from, (to - from) as u32));
        } else {
            if let Some((from, to)) = self.dirty.take_full() {
                parts.push((from, (to - from) as u32));
            } else if any {
                self.gather(parts);
            }
            self.count_once(parts);
        }
        self.leaving += parts.iter().map(|part| u64::from(part.1)).sum::<u64>();
        !parts.is_empty()
    }

    /// What of these parts lies in blocks of before that stay gives no room back: it will when they go. What has come since
    /// went with the parts.
    #[inline]
    fn count_once(&mut self, parts: &[(u64, u32)]) {
        if self.ballasts.is_empty() {
            return;
        }
        for &(from, bytes) in parts {
            let to = from + u64::from(bytes);
            self.used += self.before(from, to) as i64;
            self.dirty.clear(from, to);
        }
    }

    /// The next dirty block of the sweep and, where they share a parity, the others of its stripe.
    fn gather(&mut self, parts: &mut Vec<(u64, u32)>) {
        while let Some(block) = self.peek() {
            if let Some(&(first, bytes)) = parts.first() {
                let stripe = first / self.dirty.unit();
                let within =
                    |(at, bytes): (u64, u32)| (at + u64::from(bytes) - 1) / self.dirty.unit() == stripe;
                if block.at / self.dirty.unit() != stripe
                    || !within((first, bytes))
                    || !within((block.at, block.bytes))
                {
                    return;
                }
            }
            self.take(block);
            let end = self.join(block);
            parts.push((block.at, (end - block.at) as u32));
            if parts.len() == self.together {
                return;
            }
        }
    }

    /// Take along what goes on where a block ends, or before, as far as is destaged together: of before or since, which are
    /// not joined before. Gives the end.
    fn join(&mut self, block: Block) -> u64 {
        let mut end = block.end();
        if self.ballasts.iter().all(|ballast| ballast.next().is_none()) {
            return end;
        }
        while let Some(next) = self.peek() {
            let joined = end.max(next.end());
            let apart = joined > end && self.dirty.together(block.at, joined, self.across) < joined;
            if next.at < block.at || next.at > end || apart {
                break;
            }
            self.take(next);
            end = joined;
        }
        end
    }

    /// The next dirty block from where the sweep is, of before or since.
    fn peek(&self) -> Option<Block> {
        let old = self.ballasts.iter().enumerate();
        let old = old.filter_map(|(of, ballast)| {
            let old = Some(of);
            ballast.next().map(|(at, bytes)| Block { at, bytes, old })
        });
        let new = self.dirty.next_from(self.position, self.across);
        let new = new.map(|(from, to)| Block {
            at: from,
            bytes: (to - from) as u32,
            old: None,
        });
        let ahead = |block: &Block| {
            if block.at < self.position {
                block.at + self.span
            } else {
                block.at
            }
        };
        old.chain(new).min_by_key(ahead)
    }

    fn take(&mut self, block: Block) {
        match block.old {
            Some(of) => self.ballasts[of].take(),
            None => self.dirty.take(block.at, block.at + u64::from(block.bytes)),
        }
        self.position = block.at;
    }

    /// Bytes have reached the drives: their room is free.
    #[inline]
    pub(super) fn release(&mut self, bytes: u32, now: Ps) {
        self.room.pass(self.held(), now);
        self.used -= i64::from(bytes);
        self.leaving -= u64::from(bytes);
    }
}

/// Whole stripes that a stream has written before the beginning: those before its area or, where that is too near the
/// beginning of the logical drive, the first of it, so that disks write them as fast as what follows.
#[derive(Clone, Copy, Debug, Default)]
struct Behind {
    next: u64,
    /// Bytes that are left of them.
    left: u64,
}

impl Behind {
    fn of(stream: &LogicalUse, bytes: u64, unit: u64) -> Self {
        let stripes = (bytes / unit).min(stream.length_bytes / unit);
        let start = stream.start_bytes / unit;
        Self {
            next: (if stripes <= start { start - stripes } else { start }) * unit,
            left: stripes * unit,
        }
    }

    /// The next of them, from and to.
    #[inline]
    fn take(&mut self, unit: u64) -> Option<(u64, u64)> {
        (self.left > 0).then(|| {
            let from = self.next;
            self.next += unit;
            self.left -= unit;
            (from, self.next)
        })
    }
}

/// Whether a stream leaves gaps between what it writes: reads and trims of it, or steps.
fn leaves_gaps(profile: &Profile) -> bool {
    let alone = profile.own_sequences() || profile.read_share == 0.0 && profile.trim_share == 0.0;
    !alone || profile.gap_bytes > 0
}

/// Bytes that an access of a stream with gaps writes on the mean; none of one without, and of one that writes nothing.
pub(crate) fn bytes_between_gaps(profile: &Profile) -> Option<f64> {
    let written = (1.0 - profile.trim_share) * (1.0 - profile.read_share);
    (leaves_gaps(profile) && written > 0.0).then(|| written * profile.mean_bytes_of(true))
}

/// Where what a stream with gaps has left begins: before its area or, where that is too near the beginning of the logical
/// drive, so far within it that the stream will not soon be there.
fn gaps_begin(stream: &LogicalUse, bytes: u64, unit: u64) -> u64 {
    let profile = &stream.profile;
    let written = (1.0 - profile.trim_share) * (1.0 - profile.read_share);
    let step = f64::from(profile.largest_block_bytes()) + profile.gap_bytes.max(0) as f64;
    let span = (bytes as f64 * step / (written * profile.mean_bytes_of(true))) as u64;
    let start = stream.start_bytes;
    (start.checked_sub(span).unwrap_or(start + stream.length_bytes / 8)) / unit * unit
}

/// Make so many bytes dirty as a stream with gaps leaves them from there on, as far as its area goes and it does, for one can
/// stay where it is. Gives the bytes.
fn leave_gaps(stream: &LogicalUse, from: u64, bytes: u64, seed: u64, dirty: &mut Dirty) -> u64 {
    let length = (stream.start_bytes + stream.length_bytes).saturating_sub(from);
    let alone = stream.profile.own_sequences();
    let profile = if alone {
        &stream.profile.way_of(true)
    } else {
        &stream.profile
    };
    if length < u64::from(profile.largest_block_bytes()) {
        return 0;
    }
    let mut accesses = AccessStream::new(profile, (from, length), mix(seed, 1), 0, (0, 1));
    let (mut left, mut at) = (0, from);
    while left < bytes {
        let access = accesses.next();
        if access.write {
            if access.offset < at {
                break;
            }
            at = access.offset;
            let before = left;
            dirty.insert(at, at + u64::from(access.bytes), |from, to| left += to - from);
            if left == before {
                break;
            }
        }
    }
    left
}

/// A dirty block.
#[derive(Clone, Copy, Debug)]
struct Block {
    at: u64,
    bytes: u32,
    /// Of which ballast it is, if of one.
    old: Option<usize>,
}

impl Block {
    fn end(&self) -> u64 {
        self.at + u64::from(self.bytes)
    }
}

/// Bytes of a range that are in blocks of before: those of several loads can lie on each other.
#[inline]
fn overlap(ballasts: &[Ballast], from: u64, to: u64) -> u64 {
    let of = |ballast: &Ballast| ballast.overlap(from, to);
    ballasts.iter().map(of).sum::<u64>().min(to - from)
}

/// Mean size of what loads write, in bytes.
fn mean_bytes(writers: &[&LogicalUse]) -> f64 {
    let mean = |usage: &LogicalUse| usage.profile.mean_bytes_of(true);
    if let [only] = writers {
        return mean(only);
    }
    let writes: f64 = shares(writers)
        .iter()
        .zip(writers)
        .map(|(share, usage)| share / mean(usage))
        .sum();
    1.0 / writes
}

/// Shares of the written bytes; equal ones where nothing was written.
fn shares(writers: &[&LogicalUse]) -> Vec<f64> {
    let all: f64 = writers.iter().map(|usage| usage.written).sum();
    let share = |usage: &&LogicalUse| match all > 0.0 {
        true => usage.written / all,
        false => 1.0 / writers.len() as f64,
    };
    writers.iter().map(share).collect()
}

/// The areas that loads write, from and to, where they meet as one.
fn joined(writers: &[&LogicalUse]) -> Vec<(u64, u64)> {
    let area = |usage: &&LogicalUse| (usage.start_bytes, usage.start_bytes + usage.length_bytes);
    let mut areas: Vec<_> = writers.iter().map(area).collect();
    areas.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (from, to) in areas {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// Dirty blocks of before, `bytes` of all loads together: each has as many as it writes, but no more than its area.
fn ballasts(random: &[&LogicalUse], bytes: u64, seed: u64) -> Vec<Ballast> {
    let one = |usage: &LogicalUse, bytes: u64, seed: u64| {
        Ballast::new(
            &usage.profile,
            (usage.start_bytes, usage.length_bytes),
            bytes,
            seed,
        )
    };
    if let [only] = random {
        return vec![one(only, bytes, seed)];
    }
    let shares = shares(random);
    let most = |level: f64, place: usize| (shares[place] * level).min(random[place].length_bytes as f64);
    let (mut low, mut high) = (0.0, bytes as f64 * 1e6);
    for _ in 0..100 {
        let level = f64::midpoint(low, high);
        let all: f64 = (0..random.len()).map(|place| most(level, place)).sum();
        if all < bytes as f64 {
            low = level;
        } else {
            high = level;
        }
    }
    let each = random.iter().enumerate();
    each.map(|(place, usage)| one(usage, most(high, place) as u64, mix(seed, place as u64)))
        .collect()
}

#[cfg(test)]
mod tests;
