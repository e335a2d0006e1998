//! Levels with parity: rows of strips of which some are parity.

mod lost;

use super::{Layout, Range, Work, push};

/// Groups of members with parity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) groups: u64,
    /// Members of a group.
    pub(super) width: u64,
    /// Those of them that are parity, in each row.
    pub(super) parity: u64,
}

impl Rows {
    /// Data strips of a row of a group.
    pub(super) fn data(self) -> u64 {
        self.width - self.parity
    }
}

/// The groups of an array.
pub(super) struct Groups<'a> {
    layout: &'a Layout,
    groups: u64,
    width: u64,
    parity: u64,
    data: u64,
}

/// A row of a group, and the part of it that an access covers.
#[derive(Clone, Copy)]
struct Row {
    /// First member of the group.
    base: u64,
    /// Member of the group that has the parity.
    parity_at: u64,
    /// Where the row begins on each member.
    offset: u64,
    /// First and last data strip accessed.
    first: u64,
    last: u64,
    /// Where the access begins in the first strip, and ends in the last.
    from: u64,
    to: u64,
}

impl<'a> Groups<'a> {
    pub(super) fn new(layout: &'a Layout, rows: Rows) -> Self {
        let Rows {
            groups,
            width,
            parity,
        } = rows;
        Self {
            layout,
            groups,
            width,
            parity,
            data: rows.data(),
        }
    }

    /// Make the operations of an access.
    pub(super) fn map(&self, write: bool, offset: u64, end: u64, work: &mut Work) {
        let stripe = self.data * self.layout.strip;
        let mut at = offset;
        while at < end {
            let (number, from) = (at / stripe, at % stripe);
            let to = (from + (end - at)).min(stripe);
            let row = self.row(number, from, to);
            if write {
                self.write(&row, work);
            } else {
                self.read(&row, work);
            }
            at += to - from;
        }
    }

    /// Read what tells the bytes of a group's failed members within a strip: as many survivors as there are data strips.
    pub(super) fn survivors(&self, group: u64, range: Range, work: &mut Work) {
        let base = group * self.width;
        let survivors = (base..base + self.width).filter(|&member| self.layout.alive(member));
        for member in survivors.take(self.data as usize) {
            push(&mut work.now, member, false, range);
        }
        let lost = self.layout.lost(base, self.width).count() as u64;
        work.lost_bytes += lost * range.bytes();
        work.telling_bytes += self.data * range.bytes();
    }

    /// Update several parts of one row together: each part's old data and once the old parity from the first
    /// change to the last, then the writes.
    pub(super) fn update(&self, parts: &[(u64, u32)], work: &mut Work) {
        let stripe = self.data * self.layout.strip;
        let number = parts[0].0 / stripe;
        let mut changed: Option<Range> = None;
        let mut row = None;
        for &(offset, bytes) in parts {
            let from = offset - number * stripe;
            let part = self.row(number, from, from + u64::from(bytes));
            for strip in part.first..=part.last {
                let own = self.own(&part, strip).expect("a strip of the part");
                changed = Some(changed.map_or(own, |all| hull(all, own)));
                self.push_own(&part, strip, false, &mut work.now);
                self.push_own(&part, strip, true, &mut work.then);
            }
            row = Some(part);
        }
        let (row, changed) = (row.expect("a part"), changed.expect("a part"));
        for strip in self.data..self.width {
            let member = self.member(&row, strip);
            push(&mut work.now, member, false, changed.above(row.offset));
            push(&mut work.then, member, true, changed.above(row.offset));
            work.parity_bytes += changed.bytes();
        }
    }

    /// The member that holds a strip of a row and where the row begins on it, unless it has failed.
    pub(super) fn place(&self, number: u64, strip: u64) -> Option<(u64, u64)> {
        let row = self.row(number, 0, 1);
        self.alive(&row, strip)
            .then(|| (self.member(&row, strip), row.offset))
    }

    fn row(&self, number: u64, from: u64, to: u64) -> Row {
        let strip = self.layout.strip;
        let (group, row) = (number % self.groups, number / self.groups);
        let last = (to - 1) / strip;
        Row {
            base: group * self.width,
            parity_at: self.width - 1 - row % self.width,
            offset: row * strip,
            first: from / strip,
            last,
            from: from % strip,
            to: to - last * strip,
        }
    }

    /// The member that holds a strip of a row: data strips first, then parities.
    #[inline]
    fn member(&self, row: &Row, strip: u64) -> u64 {
        let step = if strip < self.data {
            self.parity + strip
        } else {
            strip - self.data
        };
        let at = row.parity_at + step;
        row.base + if at < self.width { at } else { at - self.width }
    }

    #[inline]
    fn alive(&self, row: &Row, strip: u64) -> bool {
        self.layout.alive(self.member(row, strip))
    }

    /// What the access covers of a data strip.
    #[inline]
    fn own(&self, row: &Row, strip: u64) -> Option<Range> {
        let from = if strip == row.first { row.from } else { 0 };
        let to = if strip == row.last {
            row.to
        } else {
            self.layout.strip
        };
        (row.first..=row.last)
            .contains(&strip)
            .then_some(Range { from, to })
    }

    fn read(&self, row: &Row, work: &mut Work) {
        let mut lost = (row.first..=row.last)
            .filter(|&strip| !self.alive(row, strip))
            .peekable();
        if !self.layout.degraded || lost.peek().is_none() {
            for strip in row.first..=row.last {
                self.push_own(row, strip, false, &mut work.now);
            }
            return;
        }
        let (lost, count) = self.tell(lost.filter_map(|strip| self.own(row, strip)), work);
        let lost = lost.into_iter().take(count);
        let sources = (0..self.width)
            .filter(|&strip| self.alive(row, strip))
            .take(self.data as usize);
        for strip in sources {
            let (ranges, count) = joined(lost.clone().chain(self.own(row, strip)));
            for range in &ranges[..count] {
                push(
                    &mut work.now,
                    self.member(row, strip),
                    false,
                    range.above(row.offset),
                );
            }
        }
    }

    fn write(&self, row: &Row, work: &mut Work) {
        let parities = (self.data..self.width).filter(|&strip| self.alive(row, strip));
        let (ranges, count) = self.parity_ranges(row);
        let ranges = &ranges[..count];
        let reads = parities.clone().next().is_some() && self.read_before(row, ranges, work);
        let writes = if reads { &mut work.then } else { &mut work.now };
        for strip in (row.first..=row.last).filter(|&strip| self.alive(row, strip)) {
            self.push_own(row, strip, true, writes);
        }
        for strip in parities {
            for range in ranges {
                push(writes, self.member(row, strip), true, range.above(row.offset));
                work.parity_bytes += range.bytes();
            }
        }
    }

    /// The reads that new parity needs: old data and old parity (read-modify-write), or the rest of the row
    /// (reconstruct-write) where these are fewer; where data of the row are lost, what [`Self::read_beside_lost`] finds.
    /// Whether there are any.
    fn read_before(&self, row: &Row, ranges: &[Range], work: &mut Work) -> bool {
        if self.layout.degraded && (0..self.data).any(|strip| !self.alive(row, strip)) {
            return self.read_beside_lost(row, work);
        }
        let parities = (self.data..self.width).filter(|&strip| self.alive(row, strip));
        let modify = (row.last - row.first + 1) as usize + parities.count() * ranges.len();
        let rest = self.gaps(row, ranges).count();
        if rest < modify {
            for (strip, gap) in self.gaps(row, ranges) {
                self.push_read(row, strip, gap, work);
            }
            rest > 0
        } else {
            self.read_old(row, ranges, work);
            true
        }
    }

    /// Old data of what is written, and old parities.
    fn read_old(&self, row: &Row, ranges: &[Range], work: &mut Work) {
        for strip in row.first..=row.last {
            self.push_own(row, strip, false, &mut work.now);
        }
        for strip in (self.data..self.width).filter(|&strip| self.alive(row, strip)) {
            for &range in ranges {
                self.push_read(row, strip, range, work);
            }
        }
    }

    /// What of each data strip is not written where parity changes.
    fn gaps(&self, row: &Row, ranges: &[Range]) -> impl Iterator<Item = (u64, Range)> {
        (0..self.data).flat_map(move |strip| {
            let own = self.own(row, strip);
            let gaps = ranges.iter().filter_map(move |&range| gap(range, own));
            gaps.map(move |gap| (strip, gap))
        })
    }

    /// Count bytes of lost strips that are computed, and those of the others that tell them; where these lie, as
    /// bytes of a strip.
    fn tell(&self, lost: impl Iterator<Item = Range> + Clone, work: &mut Work) -> ([Range; 2], usize) {
        work.lost_bytes += lost.clone().map(Range::bytes).sum::<u64>();
        let (told, count) = joined(lost);
        work.telling_bytes += self.data * told[..count].iter().map(|range| range.bytes()).sum::<u64>();
        (told, count)
    }

    /// What changes of a parity strip: one range, or two where an access covers the end of a strip and
    /// less of the beginning of the next one.
    fn parity_ranges(&self, row: &Row) -> ([Range; 2], usize) {
        let strip = self.layout.strip;
        let whole = Range { from: 0, to: strip };
        let (head, tail) = (
            Range { from: 0, to: row.to },
            Range {
                from: row.from,
                to: strip,
            },
        );
        match row.last - row.first {
            0 => (
                [
                    Range {
                        from: row.from,
                        to: row.to,
                    },
                    whole,
                ],
                1,
            ),
            1 if row.to < row.from => ([head, tail], 2),
            _ => ([whole, whole], 1),
        }
    }

    #[inline]
    fn push_read(&self, row: &Row, strip: u64, range: Range, work: &mut Work) {
        let member = self.member(row, strip);
        push(&mut work.now, member, false, range.above(row.offset));
    }

    #[inline]
    fn push_own(&self, row: &Row, strip: u64, write: bool, ops: &mut Vec<super::MemberOp>) {
        let own = self.own(row, strip).expect("a strip of the access");
        push(ops, self.member(row, strip), write, own.above(row.offset));
    }
}

fn hull(one: Range, other: Range) -> Range {
    Range {
        from: one.from.min(other.from),
        to: one.to.max(other.to),
    }
}

/// What an access covers of some strips of a row, as bytes of a strip: those that meet or lie on each other as one. An access
/// has the end of a strip, the beginning of one, and whole ones between, so no more than two are left.
fn joined(ranges: impl Iterator<Item = Range>) -> ([Range; 2], usize) {
    let (mut found, mut count) = ([Range { from: 0, to: 0 }; 2], 0);
    for range in ranges {
        let (mut all, mut apart) = (range, 0);
        for at in 0..count {
            if all.to < found[at].from || found[at].to < all.from {
                found[apart] = found[at];
                apart += 1;
            } else {
                all = hull(all, found[at]);
            }
        }
        found[apart] = all;
        count = apart + 1;
    }
    (found, count)
}

/// What of a range is not covered; a range is never covered in its middle alone.
fn gap(range: Range, cover: Option<Range>) -> Option<Range> {
    let Some(cover) = cover else { return Some(range) };
    if cover.to <= range.from || range.to <= cover.from {
        return Some(range);
    }
    if range.from < cover.from {
        return Some(Range {
            from: range.from,
            to: cover.from,
        });
    }
    (cover.to < range.to).then_some(Range {
        from: cover.to,
        to: range.to,
    })
}
