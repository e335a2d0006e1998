//! RAID: which operations on members an access to an array becomes. Pure mapping, no time in it.
//!
//! Levels without parity lay strips over sets of copies: RAID 0 is many sets of one, RAID 1 one set of
//! two or more, RAID 10 many sets of two. RAID 1E repeats each row of strips in the row after it, shifted by one
//! member. Levels with parity rotate it left-symmetrically: in row r of a group of n the parity is on
//! member n − 1 − r mod n, a second one on the member after it, and the data follow from there.

mod mirrors;
mod parity;

use iodyno_load::pattern::mix;

use crate::system::{Array, Level, MirrorRead, System};
use mirrors::Turns;
use parity::{Groups, Rows};

/// An operation on a member of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberOp {
    /// Position of the member in the array.
    pub member: u16,
    /// Whether it writes.
    pub write: bool,
    /// Offset on the member in bytes.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u32,
}

/// What an access becomes: filled by [`Layout::map`], and reused from access to access.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Operations that can begin at once.
    pub now: Vec<MemberOp>,
    /// Writes that need all of `now` to be done: new data and parity after old ones have been read.
    pub then: Vec<MemberOp>,
    /// Bytes of new parity to be computed.
    pub parity_bytes: u64,
    /// Bytes of failed members to be computed when `now` is done.
    pub lost_bytes: u64,
    /// Bytes of the others that tell them.
    pub telling_bytes: u64,
    /// Whose turn it is in each set of mirrors, one bit a set; of a RAID 1E in each column of strips.
    turns: u128,
    /// Seed and number of the draws, where equally busy mirrors are drawn.
    draws: Option<(u64, u64)>,
    /// Where the last read of each has ended on its member.
    ends: Vec<u64>,
    /// The turns of a set of more than two.
    turns_of_many: Turns,
}

impl Work {
    /// Operations on members in all.
    pub fn ops(&self) -> usize {
        self.now.len() + self.then.len()
    }

    /// Whose turn it is to read in a set of mirrors: in turn, but for a read that goes on where the last one has ended, which
    /// stays with the same mirror, so that its drive sees the stream.
    #[inline]
    fn turn(&mut self, set: u64, range: Range) -> u64 {
        let at = (set % 128) as usize;
        if self.ends.len() <= at {
            self.ends.resize(at + 1, u64::MAX);
        }
        self.turns ^= u128::from(self.ends[at] == range.from) << at;
        let turn = (self.turns >> at) as u64 & 1;
        self.turns ^= 1 << at;
        self.ends[at] = range.to;
        turn
    }

    /// Work of whom draws which of two equally busy mirrors reads: turns, which follow from what was before, can keep several in
    /// step with each other for good, one way or another by the first few reads.
    pub fn drawing(seed: u64) -> Self {
        Self {
            draws: Some((seed, 0)),
            ..Self::default()
        }
    }

    /// One of two by a draw, if there are draws.
    fn draw(&mut self) -> Option<u64> {
        let (seed, count) = self.draws.as_mut()?;
        *count += 1;
        Some(mix(*seed, *count) >> 63)
    }

    /// Forget the operations, keep the room and the mirrors' turns.
    fn clear(&mut self) {
        self.now.clear();
        self.then.clear();
        (self.parity_bytes, self.lost_bytes, self.telling_bytes) = (0, 0, 0);
    }
}

/// What is known of a member when a mirror is chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Operations under way on it and waiting for it.
    pub under_way: u32,
    /// Where its arm is likely to be, as an offset in bytes.
    pub arm: u64,
}

impl From<u32> for Seen {
    fn from(under_way: u32) -> Self {
        Self { under_way, arm: 0 }
    }
}

/// Bytes of a member or strip, from and up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    from: u64,
    to: u64,
}

impl Range {
    fn bytes(self) -> u64 {
        self.to - self.from
    }
}

/// How strips lie on members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    /// Sets of members with the same data.
    Copies { sets: u64, copies: u64 },
    /// Each row of strips once more in the next row, shifted by one member.
    Shifted,
    /// Groups of members, in each row some of them parity.
    Parity(Rows),
}

/// An array as a mapping.
#[derive(Clone, Debug)]
pub struct Layout {
    scheme: Scheme,
    members: u64,
    strip: u64,
    member_bytes: u64,
    failed: Vec<bool>,
    degraded: bool,
    mirror_read: MirrorRead,
}

impl Layout {
    /// The mapping of an array of a system.
    ///
    /// # Errors
    /// As [`Layout::new`], or that it has no such drives.
    pub fn of(system: &System, array: &Array) -> Result<Self, String> {
        let capacity = |drive: &usize| system.drives.get(*drive).map(|slot| slot.model.capacity_bytes());
        let capacities: Option<Vec<u64>> = array.drives.iter().map(capacity).collect();
        let capacities = capacities.ok_or("a drive that the system does not have")?;
        Self::new(array, *capacities.iter().min().ok_or("no drives")?)
    }

    /// The mapping of an array whose members have `member_bytes` each (that of the smallest).
    ///
    /// # Errors
    /// What is wrong with the array, in a sentence: too few members for the level, no strip, or more failed
    /// members than it survives.
    pub fn new(array: &Array, member_bytes: u64) -> Result<Self, String> {
        let members = array.drives.len();
        let mut failed = vec![false; members];
        for &member in &array.failed {
            *failed
                .get_mut(member)
                .ok_or(format!("no member {member} to fail"))? = true;
        }
        if array.strip_bytes == 0 {
            return Err("a strip of 0 bytes".to_owned());
        }
        let scheme = scheme(array)?;
        let rows = member_bytes / array.strip_bytes;
        let rows = if scheme == Scheme::Shifted {
            rows / 2 * 2
        } else {
            rows
        };
        let layout = Self {
            scheme,
            members: members as u64,
            strip: array.strip_bytes,
            member_bytes: rows * array.strip_bytes,
            degraded: failed.contains(&true),
            failed,
            mirror_read: array.mirror_read,
        };
        layout
            .survives()
            .then_some(layout)
            .ok_or("more members have failed than the level survives".to_owned())
    }

    /// Bytes that the array holds.
    pub fn capacity_bytes(&self) -> u64 {
        match self.scheme {
            Scheme::Copies { sets, .. } => sets * self.member_bytes,
            Scheme::Shifted => self.member_bytes / 2 * self.members,
            Scheme::Parity(rows) => rows.groups * rows.data() * self.member_bytes,
        }
    }

    /// Bytes of host data in a row over all members that are written without reading: a full stripe of a
    /// group. Nothing for levels without parity.
    pub fn stripe_bytes(&self) -> Option<u64> {
        match self.scheme {
            Scheme::Parity(rows) => Some(rows.data() * self.strip),
            _ => None,
        }
    }

    /// Bytes of a strip.
    pub fn strip_bytes(&self) -> u64 {
        self.strip
    }

    /// Bytes of host data that lie beside each other over all members before a member has its next turn.
    pub fn row_bytes(&self) -> u64 {
        self.strip
            * match self.scheme {
                Scheme::Copies { sets, .. } => sets,
                Scheme::Shifted => self.members,
                Scheme::Parity(rows) => rows.groups * rows.data(),
            }
    }

    /// Bytes of host data after which everything lies on members as before.
    pub fn period_bytes(&self) -> u64 {
        match self.scheme {
            Scheme::Parity(rows) => self.row_bytes() * (self.members / rows.groups),
            _ => self.row_bytes(),
        }
    }

    /// Bytes used of each member.
    pub fn member_bytes(&self) -> u64 {
        self.member_bytes
    }

    /// Whether every byte is there once: no copies, no parity.
    #[inline]
    pub fn plain(&self) -> bool {
        matches!(self.scheme, Scheme::Copies { copies: 1, .. })
    }

    /// Whether an access ends in the strip in which it begins; one member alone has no borders of strips.
    #[inline]
    pub fn in_one_strip(&self, offset: u64, bytes: u32) -> bool {
        self.members == 1 || offset % self.strip + u64::from(bytes) <= self.strip
    }

    /// Number of members.
    pub fn members(&self) -> usize {
        self.members as usize
    }

    /// Whether any member has failed.
    pub fn degraded(&self) -> bool {
        self.degraded
    }

    /// Make `work` what an access becomes; `seen` tells what is known of a member, for the choice between mirrors.
    #[inline]
    pub fn map<S: Into<Seen>>(
        &self,
        write: bool,
        offset: u64,
        bytes: u32,
        seen: impl Fn(usize) -> S,
        work: &mut Work,
    ) {
        work.clear();
        let end = offset + u64::from(bytes);
        debug_assert!(end <= self.capacity_bytes(), "an access beyond the array");
        let seen = |member| seen(member).into();
        match self.scheme {
            Scheme::Parity(rows) => Groups::new(self, rows).map(write, offset, end, work),
            Scheme::Copies { sets: 1, copies } => {
                self.copies(
                    (0, copies),
                    write,
                    Range {
                        from: offset,
                        to: end,
                    },
                    &seen,
                    work,
                );
            }
            Scheme::Copies { sets, copies } => self.strips(offset, end, |strip, range| {
                let (set, base) = (strip % sets, strip / sets * self.strip);
                self.copies((set, copies), write, range.above(base), &seen, work);
            }),
            Scheme::Shifted => {
                self.strips(offset, end, |strip, range| {
                    self.shifted(strip, write, range, &seen, work);
                });
                join(&mut work.now);
            }
        }
    }

    /// Make `work` a flush of every member: a write of nothing.
    pub fn flush(&self, work: &mut Work) {
        work.clear();
        let nothing = Range { from: 0, to: 0 };
        for member in (0..self.members).filter(|&member| self.alive(member)) {
            push(&mut work.now, member, true, nothing);
        }
    }

    /// Make `work` what several writes within one full stripe become when they are made together: the parity is
    /// read and written once for all. Only for levels with parity and no failed member.
    ///
    /// # Panics
    /// If the level has no parity or there is no part.
    pub fn update(&self, parts: &[(u64, u32)], work: &mut Work) {
        work.clear();
        let Scheme::Parity(rows) = self.scheme else {
            panic!("a level without parity updates nothing");
        };
        debug_assert!(!self.degraded, "a degraded stripe is updated write by write");
        Groups::new(self, rows).update(parts, work);
    }

    /// How many data strips and parities a row of a group has; none for levels without parity.
    pub fn row_strips(&self) -> Option<(usize, usize)> {
        match self.scheme {
            Scheme::Parity(rows) => Some((rows.data() as usize, rows.parity as usize)),
            _ => None,
        }
    }

    /// Add an operation on bytes of a strip of a full stripe: from and up to which of the strip. The data come first, then the
    /// parities; what lies on a failed member is left out. Only for levels with parity.
    pub(crate) fn push_strip(
        &self,
        (stripe, strip): (u64, usize),
        write: bool,
        (from, to): (u64, u64),
        ops: &mut Vec<MemberOp>,
    ) {
        if let Some((member, offset)) = self.place(stripe, strip) {
            push(ops, member, write, Range { from, to }.above(offset));
        }
    }

    /// Whether the member that holds a strip of a full stripe is there.
    pub(crate) fn holds(&self, stripe: u64, strip: usize) -> bool {
        self.place(stripe, strip).is_some()
    }

    fn place(&self, stripe: u64, strip: usize) -> Option<(u64, u64)> {
        match self.scheme {
            Scheme::Parity(rows) => Groups::new(self, rows).place(stripe, strip as u64),
            _ => None,
        }
    }

    /// Make `work` the rebuilding of the failed members' bytes within a strip, of each the same: reads of the
    /// survivors that tell them, once for all that they tell, then the writes.
    pub fn rebuild(&self, offset: u64, bytes: u32, work: &mut Work) {
        work.clear();
        let range = Range {
            from: offset,
            to: offset + u64::from(bytes),
        };
        match self.scheme {
            Scheme::Parity(rows) => {
                let of = Groups::new(self, rows);
                (0..rows.groups)
                    .filter(|group| !self.whole(group * rows.width, rows.width))
                    .for_each(|group| of.survivors(group, range, work));
            }
            Scheme::Copies { sets, copies } => {
                for first in (0..sets)
                    .map(|set| set * copies)
                    .filter(|&first| !self.whole(first, copies))
                {
                    let source = (first..first + copies).find(|&member| self.alive(member));
                    push(&mut work.now, source.expect("a surviving copy"), false, range);
                }
            }
            Scheme::Shifted => {
                for member in self.lost(0, self.members) {
                    let (source, range) = self.twin(member, range);
                    push(&mut work.now, source, false, range);
                }
            }
        }
        for member in self.lost(0, self.members) {
            push(&mut work.then, member, true, range);
        }
    }

    /// Every strip of an access with the bytes of it that are accessed.
    #[inline]
    fn strips(&self, offset: u64, end: u64, mut each: impl FnMut(u64, Range)) {
        let mut at = offset;
        while at < end {
            let (strip, from) = (at / self.strip, at % self.strip);
            let to = (from + (end - at)).min(self.strip);
            each(strip, Range { from, to });
            at += to - from;
        }
    }

    #[inline]
    fn alive(&self, member: u64) -> bool {
        !self.degraded || !self.failed[member as usize]
    }

    /// Which of so many members from one on have failed.
    fn lost(&self, first: u64, count: u64) -> impl Iterator<Item = u64> {
        (first..first + count).filter(|&member| !self.alive(member))
    }

    fn whole(&self, first: u64, count: u64) -> bool {
        self.lost(first, count).next().is_none()
    }

    fn survives(&self) -> bool {
        let lost = |first, count| self.lost(first, count).count() as u64;
        match self.scheme {
            Scheme::Copies { sets, copies } => (0..sets).all(|set| lost(set * copies, copies) < copies),
            Scheme::Shifted => {
                (0..self.members).all(|at| self.alive(at) || self.alive((at + 1) % self.members))
            }
            Scheme::Parity(Rows {
                groups,
                width,
                parity,
            }) => (0..groups).all(|group| lost(group * width, width) <= parity),
        }
    }
}

impl Range {
    /// The same bytes so much further.
    #[inline]
    fn above(self, base: u64) -> Self {
        Self {
            from: base + self.from,
            to: base + self.to,
        }
    }
}

/// Put an operation in, or lengthen the member's last one where it follows on that.
#[inline]
fn push(ops: &mut Vec<MemberOp>, member: u64, write: bool, range: Range) {
    let (member, bytes) = (member as u16, range.bytes() as u32);
    let own = |op: &&mut MemberOp| op.member == member && op.write == write;
    let follows = |op: &&mut MemberOp| op.offset + u64::from(op.bytes) == range.from;
    match ops.iter_mut().rev().filter(own).take(2).find(follows) {
        Some(op) => op.bytes += bytes,
        None => ops.push(MemberOp {
            member,
            write,
            offset: range.from,
            bytes,
        }),
    }
}

/// Make one operation of those that lie side by side on a member, whichever of them was put in first.
fn join(ops: &mut Vec<MemberOp>) {
    ops.sort_unstable_by_key(|op| (op.member, op.offset));
    ops.dedup_by(|next, op| {
        let follows = op.member == next.member && op.offset + u64::from(op.bytes) == next.offset;
        if follows {
            op.bytes += next.bytes;
        }
        follows
    });
}

fn scheme(array: &Array) -> Result<Scheme, String> {
    let members = array.drives.len() as u64;
    let groups = array.groups.max(1) as u64;
    let parity = |groups: u64, parity: u64| {
        let width = members / groups;
        if !members.is_multiple_of(groups) || width < parity + 2 {
            return Err(format!(
                "{members} members do not make {groups} group(s) of {} or more",
                parity + 2
            ));
        }
        Ok(Scheme::Parity(Rows {
            groups,
            width,
            parity,
        }))
    };
    match array.level {
        Level::Jbod if members == 1 => Ok(Scheme::Copies { sets: 1, copies: 1 }),
        Level::Raid0 if members >= 1 => Ok(Scheme::Copies {
            sets: members,
            copies: 1,
        }),
        Level::Raid1 if members >= 2 => Ok(Scheme::Copies {
            sets: 1,
            copies: members,
        }),
        Level::Raid10 if members >= 4 && members.is_multiple_of(2) => Ok(Scheme::Copies {
            sets: members / 2,
            copies: 2,
        }),
        Level::Raid1E if members >= 3 => Ok(Scheme::Shifted),
        Level::Raid5 => parity(1, 1),
        Level::Raid6 => parity(1, 2),
        Level::Raid50 => parity(groups, 1),
        Level::Raid60 => parity(groups, 2),
        level => Err(format!(
            "{members} members do not make an array of level {level:?}"
        )),
    }
}
