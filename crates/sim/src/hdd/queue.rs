//! The set of accesses that the drive may choose from, and the choice: shortest access time first, with a
//! limit to how long a command can be passed over. While one has been for longer, it and those that nearly have go before all
//! others, the nearest first. A stream is not left for something that is a little nearer.

use crate::hdd::geometry::{Geometry, Place};
use crate::hdd::seek::SeekCurve;
use crate::system::HddModel;
use crate::time::Ps;

/// Revolutions after which a command goes before others, whatever its place: 2.1 s at 7200/min, 1 s at 15 000/min.
const AGE_LIMIT_REVOLUTIONS: u64 = 256;

/// How long a command can be passed over.
pub(crate) fn longest_passed_over(model: &HddModel) -> Ps {
    Ps(model.revolution_ps.0 * AGE_LIMIT_REVOLUTIONS)
}

/// Part of the limit: what has been passed over for all but that goes together with what has been for all of it. Assumed: an eighth
/// or half of it changes random reads of 512 KiB, 128 outstanding at a disk, by 3 %.
const TOGETHER: f64 = 0.25;

/// Revolutions by which the first of the cached writes lets reads go first, those that are there and those
/// that may come. It falls linearly to nothing as the cache fills: then it is urgent, and there is much to
/// choose from. Assumed: half as much or four times as much changes a mixed load by 1 %, none at all by 5 %.
const DESTAGE_PATIENCE_REVOLUTIONS: f64 = 1.0;

/// Candidates that are looked at on one side of the head before as many on the other side are.
const AT_ONCE: usize = 4;

/// What is to be done at the medium.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// First byte.
    pub offset: u64,
    /// Where that is.
    pub place: Place,
    /// Bytes.
    pub bytes: u32,
    /// Whether it writes.
    pub write: bool,
    /// The command that waits for it; none of a write that was answered from the cache, which is the only other.
    pub command: Option<u32>,
    /// Flushes that the drive had taken before it.
    pub flushes: u64,
    /// Since when it can be chosen.
    pub since: Ps,
    /// From then on it goes before others whatever its place, if a command waits for it.
    pub until: Ps,
    /// Whether that is sooner than the drive has it by itself: then it is taken next, and goes together with no others.
    pub hurried: bool,
}

impl Candidate {
    /// The byte behind its last.
    pub fn end(&self) -> u64 {
        self.offset + u64::from(self.bytes)
    }
}

/// Where the head is.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Its track and cylinder.
    pub place: Place,
    /// The byte that is under it at `at`.
    pub offset: u64,
    /// From here to there the buffer holds what it has just read; `offset` where that is nothing.
    pub held_from: u64,
    /// When.
    pub at: Ps,
}

/// The mechanics as formulas.
#[derive(Clone, Debug)]
pub struct Mechanics {
    /// The layout.
    pub geometry: Geometry,
    /// Seek times.
    pub seek: SeekCurve,
    /// What a write settles longer.
    pub write_settle: Ps,
}

impl Mechanics {
    /// Time from `now` until the head is over the first byte: none where the head comes over it now.
    #[inline]
    pub fn access(&self, head: &Head, now: Ps, to: &Candidate) -> Ps {
        if to.offset == head.offset && head.at == now {
            return Ps::ZERO;
        }
        self.turns(self.settled(head, to), self.geometry.turned(now), to)
    }

    /// The same of one that the arm takes so long for, with how far the disk has turned since its last whole revolution.
    #[inline]
    fn turns(&self, seek: Ps, turned: Ps, to: &Candidate) -> Ps {
        seek + self.geometry.rotation(turned + seek, to.place.phase)
    }

    /// How long the head can stay where it is and read on, and still be over the first byte of a choice at the same moment.
    #[inline]
    pub fn slack(&self, head: &Head, choice: &Choice) -> Ps {
        let wait = choice.access.since(self.settled(head, &choice.candidate));
        // It may come to another track meanwhile.
        let passed = self.geometry.passed(head.offset, wait);
        let there = Head {
            place: self.geometry.place(head.offset + passed),
            ..*head
        };
        wait.min(choice.access.since(self.settled(&there, &choice.candidate)))
    }

    /// Seek, or switch of heads, and settling; nothing on the same track.
    #[inline]
    pub(super) fn settled(&self, head: &Head, to: &Candidate) -> Ps {
        if to.place.track == head.place.track {
            return Ps::ZERO;
        }
        let distance = to.place.cylinder.abs_diff(head.place.cylinder).max(1);
        let settle = if to.write { self.write_settle } else { Ps::ZERO };
        self.seek.time(distance) + settle
    }
}

/// What the mechanics do next.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What is to be done.
    pub candidate: Candidate,
    /// Its first byte that is to pass the head: what the buffer holds of a read has passed.
    pub from: u64,
    /// Time until that.
    pub access: Ps,
    /// Whether the arm moves for it.
    pub seeks: bool,
}

/// Where a candidate lies, and what its access time depends on: the choice goes through these alone.
#[derive(Clone, Copy, Debug)]
struct Entry {
    offset: u64,
    phase: Ps,
    /// Index among the candidates.
    at: u32,
    cylinder: u32,
}

impl Entry {
    /// Order of position; of those at one place, that of the candidates.
    #[inline]
    fn key(&self) -> (u64, u32) {
        (self.offset, self.at)
    }
}

/// Candidates in order of position, which is that of cylinders too.
#[derive(Debug, Default)]
struct Row(Vec<Entry>);

impl Row {
    fn enter(&mut self, candidate: &Candidate, at: usize) {
        let entry = Entry {
            offset: candidate.offset,
            phase: candidate.place.phase,
            at: at as u32,
            cylinder: candidate.place.cylinder,
        };
        let place = self.find(entry.offset, at);
        self.0.insert(place, entry);
    }

    /// Where a candidate is, or belongs.
    #[inline]
    fn find(&self, offset: u64, at: usize) -> usize {
        self.0.partition_point(|other| other.key() < (offset, at as u32))
    }

    fn leave(&mut self, offset: u64, at: usize) {
        let place = self.find(offset, at);
        self.0.remove(place);
    }

    /// A candidate has a lower index now: of those at its place it comes earlier.
    fn renumber(&mut self, offset: u64, from: usize, to: usize) {
        let place = self.find(offset, from);
        let first = self.0[..place]
            .iter()
            .rposition(|other| other.key() < (offset, to as u32))
            .map_or(0, |before| before + 1);
        self.0[place].at = to as u32;
        self.0[first..=place].rotate_right(1);
    }

    /// The first that begins at or behind a byte.
    #[inline]
    fn first_from(&self, offset: u64) -> Option<&Entry> {
        self.0.get(self.0.partition_point(|entry| entry.offset < offset))
    }
}

/// The candidates. Where several are as good, the first of them counts.
#[derive(Debug, Default)]
pub struct Queue {
    candidates: Vec<Candidate>,
    /// The same by place: commands, and cached writes.
    rows: [Row; 2],
    /// No command is overdue before this moment.
    overdue: Ps,
    /// Commands that are overdue by then go together.
    together: Ps,
    age_limit: Ps,
    patience: Ps,
}

impl Queue {
    /// Empty, of a drive with such a revolution.
    pub fn new(revolution: Ps) -> Self {
        Self {
            candidates: Vec::new(),
            rows: Default::default(),
            overdue: Ps(u64::MAX),
            together: Ps::ZERO,
            age_limit: Ps(revolution.0 * AGE_LIMIT_REVOLUTIONS),
            patience: revolution.times(DESTAGE_PATIENCE_REVOLUTIONS),
        }
    }

    /// One more.
    pub fn push(&mut self, candidate: Candidate) {
        if candidate.command.is_some() {
            self.overdue = self.overdue.min(candidate.until);
        }
        self.rows[row_of(&candidate)].enter(&candidate, self.candidates.len());
        self.candidates.push(candidate);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Whether one begins where the head is now.
    pub fn follows(&self, head: &Head, now: Ps) -> bool {
        head.at == now
            && self
                .first_from(head.offset)
                .is_some_and(|entry| entry.offset == head.offset)
    }

    /// How long a cached write lets reads go first, by how full the cache is.
    pub fn patience(&self, fill: f64) -> Ps {
        self.patience.times((1.0 - fill).max(0.0))
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Take out the next one. `fill` is how full the write cache is, 0 to 1; `flush` is a flush that has been passed over too
    /// long, since when and its number.
    pub fn take(
        &mut self,
        mechanics: &Mechanics,
        head: &Head,
        now: Ps,
        (fill, flush): (f64, Option<(Ps, u64)>),
    ) -> Option<Choice> {
        let mut overdue = self.overdue(mechanics, head, now);
        if let Some((until, number)) = flush
            && (overdue.is_none() || until < self.overdue)
        {
            overdue = self.before_flush(mechanics, head, now, number).or(overdue);
        }
        let on_the_way = match overdue {
            None => self.on_the_way(mechanics, head, now),
            Some(_) => None,
        };
        if let Some((at, access)) = on_the_way {
            let candidate = self.remove(at);
            return Some(Choice {
                from: candidate.offset.max(head.offset),
                candidate,
                access,
                seeks: false,
            });
        }
        let at = overdue.or_else(|| self.nearest(mechanics, head, now, fill))?;
        let candidate = self.remove(at);
        let access = mechanics.access(head, now, &candidate);
        Some(Choice {
            from: candidate.offset,
            candidate,
            access,
            seeks: access > Ps::ZERO && candidate.place.cylinder != head.place.cylinder,
        })
    }

    /// Take out a read of what lies within `from..to` only.
    pub fn within(&mut self, from: u64, to: u64) -> Option<Candidate> {
        let at = self.find_within(from, to)?;
        Some(self.remove(at))
    }

    /// Whether there is a read of what lies within `from..to` only.
    #[inline]
    pub fn has_within(&self, from: u64, to: u64) -> bool {
        self.find_within(from, to).is_some()
    }

    fn find_within(&self, from: u64, to: u64) -> Option<usize> {
        let commands = &self.rows[0].0;
        let first = commands.partition_point(|entry| entry.offset < from);
        let near = commands[first..].iter().take_while(|entry| entry.offset < to);
        let mut places = near.map(|entry| entry.at as usize);
        places.find(|&at| {
            let candidate = &self.candidates[at];
            !candidate.write && candidate.end() <= to
        })
    }

    /// Whether a range lies in what one of the cached writes writes, of those that begin at or before it the nearest.
    #[inline]
    pub fn caches(&self, (offset, end): (u64, u64)) -> bool {
        let cached = &self.rows[1].0;
        let behind = cached.partition_point(|entry| entry.offset <= offset);
        let before = cached[..behind].last();
        before.is_some_and(|entry| end <= self.candidates[entry.at as usize].end())
    }

    /// Take out any of the cached writes, by a draw.
    pub fn forget(&mut self, draw: u64) -> Option<Candidate> {
        let cached = &self.rows[1].0;
        let entry = cached.get(draw as usize % cached.len().max(1))?;
        let at = entry.at as usize;
        Some(self.remove(at))
    }

    /// Take one out; the last of the candidates takes its index.
    fn remove(&mut self, at: usize) -> Candidate {
        let last = self.candidates.len() - 1;
        let candidate = self.candidates.swap_remove(at);
        self.rows[row_of(&candidate)].leave(candidate.offset, at);
        if let Some(moved) = self.candidates.get(at) {
            self.rows[row_of(moved)].renumber(moved.offset, last, at);
        }
        candidate
    }

    /// The first that begins at or behind a byte.
    #[inline]
    fn first_from(&self, offset: u64) -> Option<&Entry> {
        let firsts = self.rows.iter().filter_map(|row| row.first_from(offset));
        firsts.min_by_key(|entry| entry.key())
    }

    /// The first read that begins in the buffer and goes on behind what the head has just read.
    fn begun(&self, head: &Head) -> Option<usize> {
        let commands = &self.rows[0].0;
        let first = commands.partition_point(|entry| entry.offset < head.held_from);
        let begun = commands[first..]
            .iter()
            .take_while(|entry| entry.offset < head.offset);
        let mut places = begun.map(|entry| entry.at as usize);
        places.find(|&at| {
            let candidate = &self.candidates[at];
            !candidate.write && candidate.end() > head.offset
        })
    }

    /// Whether what begins at a byte would be the first on the head's way.
    pub fn comes_first(&self, offset: u64, head: &Head, now: Ps, mechanics: &Mechanics) -> bool {
        let near = mechanics.geometry.track_bytes(head.offset) / 2;
        let first = || {
            self.first_from(head.offset)
                .is_none_or(|next| offset < next.offset)
        };
        head.at == now && offset - head.offset < near && self.begun(head).is_none() && first()
    }

    /// The one that goes on with what the head has just read or written, and when it comes by: one that has begun to pass,
    /// or the first on the head's way. Nearer ones on other tracks would cost a return, half a revolution in the mean; so this one is
    /// taken if it comes by in less.
    fn on_the_way(&self, mechanics: &Mechanics, head: &Head, now: Ps) -> Option<(usize, Ps)> {
        if head.at != now {
            return None;
        }
        if let Some(at) = self.begun(head) {
            return Some((at, Ps::ZERO));
        }
        let next = self.first_from(head.offset)?;
        let gap = next.offset - head.offset;
        let near = gap < mechanics.geometry.track_bytes(head.offset) / 2;
        near.then(|| (next.at as usize, mechanics.geometry.transfer(head.offset, gap)))
    }

    /// What goes together with a command that is overdue now is overdue before that.
    pub fn together_from(&self, now: Ps) -> Ps {
        now + Ps((self.age_limit.0 as f64 * TOGETHER) as u64)
    }

    /// The command that goes before others: the one that has been overdue for longest, if it is hurried, and else the nearest of
    /// those that go together with it. What comes later joins them no more, so that each waits for two such sets at most.
    fn overdue(&mut self, mechanics: &Mechanics, head: &Head, now: Ps) -> Option<usize> {
        if self.overdue >= now {
            return None;
        }
        let commands = self.candidates.iter().enumerate();
        let commands = commands.filter(|(_, one)| one.command.is_some());
        let first = commands.clone().map(|(at, one)| (one.until, at)).min();
        self.overdue = first.map_or(Ps(u64::MAX), |(until, _)| until);
        let (_, first) = first.filter(|&(until, _)| until < now)?;
        if self.candidates[first].hurried {
            return Some(first);
        }
        if self.overdue >= self.together {
            self.together = self.together_from(now);
        }
        let together = commands.filter(|(_, one)| one.until < self.together && !one.hurried);
        let nearest = together.min_by_key(|&(at, one)| (mechanics.access(head, now, one), at));
        nearest.map(|(at, _)| at)
    }

    /// The nearest of the cached writes that a flush waits for.
    #[cold]
    fn before_flush(&self, mechanics: &Mechanics, head: &Head, now: Ps, number: u64) -> Option<usize> {
        let cached = self.rows[1].0.iter().map(|entry| entry.at as usize);
        cached
            .filter(|&at| self.candidates[at].flushes <= number)
            .min_by_key(|&at| (mechanics.access(head, now, &self.candidates[at]), at))
    }

    /// Until when a command may be passed over that comes now, by the limit that it brings: µs, 0 for none.
    pub fn until(&self, now: Ps, limit_us: u32) -> Ps {
        let own = self.age_limit;
        now + match limit_us {
            0 => own,
            us => own.min(Ps::from_ns(1000 * u64::from(us))),
        }
    }

    /// Whether such a limit is shorter than the drive's own.
    pub fn hurries(&self, limit_us: u32) -> bool {
        self.until(Ps::ZERO, limit_us) < self.age_limit
    }

    /// The one with the shortest access time: from the head outwards, as far as the arm alone can go in the best
    /// time so far. Cached writes let others go first.
    fn nearest(&self, mechanics: &Mechanics, head: &Head, now: Ps, fill: f64) -> Option<usize> {
        let mut search = Search {
            mechanics,
            candidates: &self.candidates,
            head,
            turned: mechanics.geometry.turned(now),
            best: (Ps(u64::MAX), u32::MAX),
        };
        search.go_through(&self.rows[0].0, Ps::ZERO, Ps::ZERO);
        search.go_through(&self.rows[1].0, self.patience(fill), mechanics.write_settle);
        (!self.is_empty()).then_some(search.best.1 as usize)
    }
}

/// A search for the shortest access time.
struct Search<'a> {
    mechanics: &'a Mechanics,
    candidates: &'a [Candidate],
    head: &'a Head,
    /// How far the disk has turned.
    turned: Ps,
    /// The best time so far, and whose it is.
    best: (Ps, u32),
}

impl Search<'_> {
    /// Look at a row, from the head outwards, a few on each side in turn. All of it let others go first for so long, and
    /// settle so long at the least where the arm moves.
    fn go_through(&mut self, row: &[Entry], waits: Ps, settle: Ps) {
        let middle = row.partition_point(|entry| entry.cylinder < self.head.place.cylinder);
        let (below, above) = row.split_at(middle);
        let (mut below, mut above) = (below.rchunks(AT_ONCE), above.chunks(AT_ONCE));
        let (mut down, mut up) = (true, true);
        let (mut arm_down, mut arm_up) = (Ps::ZERO, Ps::ZERO);
        while up || down {
            let reach = self.mechanics.seek.reach(self.best.0.since(waits + settle));
            if up {
                let few = above.next().unwrap_or_default().iter();
                up = few.len() > 0 && self.look(few, waits, settle, reach, &mut arm_up);
            }
            if down {
                let few = below.next().unwrap_or_default().iter();
                down = few.len() > 0 && self.look(few.rev(), waits, settle, reach, &mut arm_down);
            }
        }
    }

    /// Look at a few, to none of which the arm gets sooner than is told; gives whether there is something else within reach.
    #[inline(always)]
    fn look<'a>(
        &mut self,
        few: impl Iterator<Item = &'a Entry>,
        waits: Ps,
        settle: Ps,
        reach: u32,
        arm: &mut Ps,
    ) -> bool {
        let mechanics = self.mechanics;
        for entry in few {
            let distance = entry.cylinder.abs_diff(self.head.place.cylinder);
            if distance > reach {
                return false;
            }
            // The disk has to turn so far, and once more if that is before the arm is there: for most that is too long already.
            let comes = mechanics.geometry.rotation(self.turned, entry.phase);
            let again = if comes < *arm {
                mechanics.geometry.revolution()
            } else {
                Ps::ZERO
            };
            if comes + again + waits > self.best.0 {
                continue;
            }
            let candidate = &self.candidates[entry.at as usize];
            let seek = mechanics.settled(self.head, candidate);
            if distance > 0 {
                *arm = if candidate.write {
                    seek.since(mechanics.write_settle) + settle
                } else {
                    seek
                };
            }
            let cost = mechanics.turns(seek, self.turned, candidate) + waits;
            self.best = self.best.min((cost, entry.at));
        }
        true
    }
}

/// Number of the row in which a candidate is.
#[inline]
fn row_of(candidate: &Candidate) -> usize {
    usize::from(candidate.command.is_none())
}

#[cfg(test)]
mod tests;
