//! What is read before a write to a row that has lost data, for each part of its strips in the way that takes least.
//!
//! A part of a row is written in some of its strips, W of d data strips, and a of the parities are there. New parity follows from
//! the old one, if that is there with the old data of what is written, in W + a reads; and from the rest of the row. So where a
//! lost strip is
//!
//! - not written, W + a reads do, and what the lost strip has is not asked for; only where W + a is more than d, which with two
//!   parities a write of all others comes to, d − 1 of these and one parity tell it (d reads);
//! - written, the rest of the row does: its old bytes were needed for the other way, and are there no more;
//! - written, and another one is not, all that is there tells the latter (d reads).
//!
//! That nothing takes less is found by trying all sets of reads in `tests/all/raid_rank.rs`.

use super::{Groups, Range, Row, Work};

/// What is read of a part of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The old data of what is written, and the old parities.
    Modify,
    /// The other data.
    Rest,
    /// All data that are there, and as many old parities as strips are lost.
    All,
}

impl Groups<'_> {
    /// Read what new parity needs of a row of which data are lost. Whether there is anything to read.
    #[cold]
    pub(super) fn read_beside_lost(&self, row: &Row, work: &mut Work) -> bool {
        let parts = self
            .parts(row)
            .map(|part| part.map(|part| (part, self.way(row, part))));
        let parts = || parts.iter().flatten().copied();
        let mut any = false;
        for strip in (0..self.width).filter(|&strip| self.alive(row, strip)) {
            for (part, _) in parts().filter(|&(part, way)| self.reads(row, strip, part, way)) {
                self.push_read(row, strip, part, work);
                any = true;
            }
        }
        let told = parts().filter(|&(_, way)| way == Way::All);
        let lost = told.flat_map(|(part, _)| self.stay(row, part).map(move |_| part));
        self.tell(lost, work);
        any
    }

    /// Parts of the strips of a row at which the same ones of them are written, in order.
    fn parts(&self, row: &Row) -> [Option<Range>; 3] {
        let strip = self.layout.strip;
        let edges = match row.first == row.last {
            true => [row.from, row.to, row.to, row.to],
            false => [0, row.from.min(row.to), row.from.max(row.to), strip],
        };
        let part = |at: usize| {
            let part = Range {
                from: edges[at],
                to: edges[at + 1],
            };
            let written = (row.first..=row.last).any(|strip| self.writes(row, strip, part));
            (part.from < part.to && written).then_some(part)
        };
        [part(0), part(1), part(2)]
    }

    /// Whether an access covers a part of a strip.
    fn writes(&self, row: &Row, strip: u64, part: Range) -> bool {
        self.own(row, strip)
            .is_some_and(|own| own.from <= part.from && part.to <= own.to)
    }

    /// Lost strips of data that are not written in a part.
    fn stay(&self, row: &Row, part: Range) -> impl Iterator<Item = u64> + Clone {
        let stays = move |strip: &u64| !self.alive(row, *strip) && !self.writes(row, *strip, part);
        (0..self.data).filter(stays)
    }

    fn way(&self, row: &Row, part: Range) -> Way {
        let written = || (row.first..=row.last).filter(|&strip| self.writes(row, strip, part));
        let lost = written().any(|strip| !self.alive(row, strip));
        let parities = (self.data..self.width).filter(|&strip| self.alive(row, strip));
        match (lost, self.stay(row, part).next().is_some()) {
            (true, false) => Way::Rest,
            (true, true) => Way::All,
            (false, _) if written().count() + parities.count() <= self.data as usize => Way::Modify,
            (false, _) => Way::All,
        }
    }

    /// Whether a part of a strip that is there is read.
    fn reads(&self, row: &Row, strip: u64, part: Range, way: Way) -> bool {
        let is_data = strip < self.data;
        match way {
            Way::Modify => !is_data || self.writes(row, strip, part),
            Way::Rest => is_data && !self.writes(row, strip, part),
            Way::All => is_data || self.tells(row, strip),
        }
    }

    /// Whether a parity that is there is among the first ones, as many as there are data lost.
    fn tells(&self, row: &Row, strip: u64) -> bool {
        let before = (self.data..strip).filter(|&parity| self.alive(row, parity));
        let lost = (0..self.data).filter(|&strip| !self.alive(row, strip));
        before.count() < lost.count()
    }
}
