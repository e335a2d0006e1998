//! Pages of a stripe, as Linux md keeps them: which are known, and which have to be read before new parity can be written.

use crate::raid::{Layout, MemberOp};

/// Bytes of a page: what md reads and writes of a member at once.
pub(super) const PAGE: u64 = 4096;
/// Pages of a strip in one set; a longer strip has several.
const MOST: u64 = 128;

/// Pages at the same places of each strip, one bit each: what changes different ones changes different bytes of the parity.
pub(super) type Pages = u128;

/// A set of pages for each data strip, and one more for the parities where those matter.
pub(super) type ByStrip = Vec<Pages>;

/// What writes change of a stripe.
#[derive(Clone, Debug, Default)]
pub(super) struct Changed {
    /// Pages of each data strip of which anything is written, and that are written in full.
    pub(super) touched: ByStrip,
    pub(super) covered: ByStrip,
}

impl Changed {
    pub(super) fn add(&mut self, more: &Self) {
        let add =
            |all: &mut ByStrip, more: &ByStrip| all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
        add(&mut self.touched, &more.touched);
        add(&mut self.covered, &more.covered);
    }

    /// What of it lies in some pages.
    pub(super) fn of(&self, pages: Pages) -> Self {
        let of = |all: &ByStrip| all.iter().map(|all| all & pages).collect();
        Self {
            touched: of(&self.touched),
            covered: of(&self.covered),
        }
    }
}

/// Stripes of an array with parity: rows of strips, those of a long strip cut into several.
#[derive(Debug)]
pub(super) struct Rows {
    layout: Layout,
    data: usize,
    parities: usize,
    strip: u64,
    /// Stripes of a row.
    parts: u64,
}

impl Rows {
    /// The stripes of an array, if it has parity.
    pub(super) fn new(layout: Layout) -> Option<Self> {
        let (data, parities) = layout.row_strips()?;
        let strip = layout.strip_bytes();
        Some(Self {
            layout,
            data,
            parities,
            strip,
            parts: strip.div_ceil(PAGE * MOST),
        })
    }

    /// What is known of a stripe of which nothing is.
    pub(super) fn unknown(&self) -> ByStrip {
        vec![0; self.data + 1]
    }

    /// Every page of a stripe.
    pub(super) fn all(&self, stripe: u64) -> Pages {
        let (from, to) = self.bounds(stripe);
        after(0) & before((to - from).div_ceil(PAGE))
    }

    /// The stripes that bytes of the array lie in, with what of them those are as bytes of its row.
    pub(super) fn cut(&self, offset: u64, bytes: u32) -> impl Iterator<Item = (u64, (u64, u64), Pages)> {
        let (row, end) = (self.data as u64 * self.strip, offset + u64::from(bytes));
        (offset / row..=(end - 1) / row).flat_map(move |number| {
            let range = (
                offset.max(number * row) - number * row,
                end.min((number + 1) * row) - number * row,
            );
            let stripes = number * self.parts..(number + 1) * self.parts;
            stripes
                .map(move |stripe| (stripe, range, self.pages(stripe, range)))
                .filter(|of| of.2 != 0)
        })
    }

    /// The pages of a stripe in which any of these bytes of its row lie, in whichever strip.
    fn pages(&self, stripe: u64, range: (u64, u64)) -> Pages {
        let strips = (range.0 / self.strip) as usize..=((range.1 - 1) / self.strip) as usize;
        strips.fold(0, |all, strip| all | self.touched(stripe, strip, range))
    }

    /// Where the pages of a stripe begin and end in each strip.
    fn bounds(&self, stripe: u64) -> (u64, u64) {
        let from = stripe % self.parts * PAGE * MOST;
        (from, (from + PAGE * MOST).min(self.strip))
    }

    /// What of a strip's part of a stripe some bytes of the row cover, from its beginning.
    fn within(&self, stripe: u64, strip: usize, range: (u64, u64)) -> Option<(u64, u64)> {
        let (from, to) = self.bounds(stripe);
        let base = strip as u64 * self.strip;
        let (first, end) = (range.0.max(base + from), range.1.min(base + to));
        (first < end).then(|| (first - base - from, end - base - from))
    }

    fn touched(&self, stripe: u64, strip: usize, range: (u64, u64)) -> Pages {
        match self.within(stripe, strip, range) {
            Some((from, to)) => after(from / PAGE) & before(to.div_ceil(PAGE)),
            None => 0,
        }
    }

    fn covered(&self, stripe: u64, strip: usize, range: (u64, u64)) -> Pages {
        let (from, to) = self.bounds(stripe);
        let Some((first, end)) = self.within(stripe, strip, range) else {
            return 0;
        };
        // A last page that is not all there is covered by what is.
        let end = match end == to - from {
            true => end.div_ceil(PAGE),
            false => end / PAGE,
        };
        match first.div_ceil(PAGE) < end {
            true => after(first.div_ceil(PAGE)) & before(end),
            false => 0,
        }
    }

    /// What pieces change of a stripe: bytes of its row, each as far as it lies in some pages.
    pub(super) fn changed(&self, stripe: u64, pieces: &[((u64, u64), Pages)]) -> Changed {
        let strips = 0..self.data;
        let of = |strip, &(range, pages): &_| self.touched(stripe, strip, range) & pages;
        let touched: ByStrip = strips
            .clone()
            .map(|strip| pieces.iter().fold(0, |all, piece| all | of(strip, piece)))
            .collect();
        // Several that follow on each other can cover a page of which each has a part.
        let runs = runs(pieces.iter().map(|piece| piece.0));
        let covered = strips.map(|strip| {
            let all = runs.iter().map(|&run| self.covered(stripe, strip, run));
            all.fold(0, |all, of| all | of) & touched[strip]
        });
        Changed {
            covered: covered.collect(),
            touched,
        }
    }

    /// What has to be read of pages before they can be written: old data and old parity (read-modify-write) or the rest of the
    /// row (reconstruct-write), of either only what is not known; the fewer of the two, the rest of the row where they are as
    /// many.
    pub(super) fn needed(&self, stripe: u64, changed: &Changed, known: &[Pages], among: Pages) -> ByStrip {
        let mut reads = self.unknown();
        let row = stripe / self.parts;
        let parities = (self.data..self.data + self.parities).filter(|&strip| self.layout.holds(row, strip));
        let parities = parities.count();
        if parities == 0 {
            return reads;
        }
        let held: Vec<_> = (0..self.data)
            .map(|strip| self.layout.holds(row, strip))
            .collect();
        let mut left = among;
        while left != 0 {
            let page = left & left.wrapping_neg();
            left ^= page;
            let unknown = |strip: &usize| known[*strip] & page == 0;
            let old = |strip: &usize| unknown(strip) && changed.touched[*strip] & page != 0;
            let rest = |strip: &usize| unknown(strip) && changed.covered[*strip] & page == 0;
            let count = |which: &dyn Fn(&usize) -> bool| {
                let strips = (0..self.data).filter(which);
                let lost = strips.clone().any(|strip| !held[strip]);
                (!lost).then(|| strips.count())
            };
            let parity = if known[self.data] & page == 0 { parities } else { 0 };
            let (modify, reconstruct) = (count(&old).map(|old| old + parity), count(&rest));
            let (which, with_parity): (&dyn Fn(&usize) -> bool, bool) = match (modify, reconstruct) {
                (Some(modify), Some(others)) if modify < others => (&old, true),
                (_, Some(_)) => (&rest, false),
                (Some(_), None) => (&old, true),
                // Lost bytes that stay are told by all that was there before.
                (None, None) => (&unknown, true),
            };
            for strip in (0..self.data).filter(|strip| which(strip) && held[*strip]) {
                reads[strip] |= page;
            }
            if with_parity && parity > 0 {
                reads[self.data] |= page;
            }
        }
        reads
    }

    /// Operations on the members for pages of each strip: data, and the parities where these have some.
    pub(super) fn operations(&self, stripe: u64, pages: &[Pages], write: bool, ops: &mut Vec<MemberOp>) {
        let (from, to) = self.bounds(stripe);
        for strip in 0..self.data + self.parities {
            let mut left = pages[strip.min(self.data)];
            while left != 0 {
                let first = left.trailing_zeros();
                let count = (left >> first).trailing_ones();
                left &= !(after(u64::from(first)) & before(u64::from(first + count)));
                let range = (
                    from + u64::from(first) * PAGE,
                    to.min(from + u64::from(first + count) * PAGE),
                );
                let place = (stripe / self.parts, strip);
                self.layout.push_strip(place, write, range, ops);
            }
        }
    }
}

/// The pages from one on, below 128.
fn after(page: u64) -> Pages {
    Pages::MAX << page
}

/// The pages before one, above 0.
fn before(page: u64) -> Pages {
    Pages::MAX >> (MOST - page)
}

/// Ranges of bytes in order, those that touch as one.
fn runs(ranges: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
    let mut sorted: Vec<_> = ranges.collect();
    sorted.sort_unstable();
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for (from, to) in sorted {
        match runs.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => runs.push((from, to)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Array, Level, MirrorRead};

    fn rows(strip_bytes: u64) -> Rows {
        rows_of(Level::Raid5, 4, strip_bytes, Vec::new())
    }

    fn rows_of(level: Level, members: usize, strip_bytes: u64, failed: Vec<usize>) -> Rows {
        let array = Array {
            level,
            drives: (0..members).collect(),
            groups: 1,
            strip_bytes,
            mirror_read: MirrorRead::Primary,
            failed,
            rebuild_bytes_s: 0,
        };
        Rows::new(Layout::new(&array, 1 << 30).expect("an array")).expect("parity")
    }

    #[test]
    fn pages_are_places_of_a_strip() {
        let cut = |offset, bytes| {
            rows(65536)
                .cut(offset, bytes)
                .map(|of| (of.0, of.2))
                .collect::<Vec<_>>()
        };
        assert_eq!(cut(0, 1024), [(0, 1)]);
        assert_eq!(cut(65536 + 4096, 8192), [(0, 0b110)]);
        assert_eq!(cut(65536 - 1024, 2048), [(0, 1 << 15 | 1)]);
        assert_eq!(cut(32768, 98_304), [(0, 0xffff)]);
        assert_eq!(cut(3 * 65536 - 4096, 8192), [(0, 1 << 15), (1, 1)]);
    }

    /// Strips of 1 MiB have 256 pages: two stripes, the second with the second half of each strip.
    #[test]
    fn a_row_of_long_strips_is_several_stripes() {
        let rows = rows(1 << 20);
        let cut: Vec<_> = rows.cut((3 << 20) + (1 << 19) - 4096, 8192).collect();
        assert_eq!(
            cut.iter().map(|of| (of.0, of.2)).collect::<Vec<_>>(),
            [(2, 1 << 127), (3, 1)]
        );
        let changed = rows.changed(3, &[(cut[1].1, cut[1].2)]);
        assert_eq!(changed.covered, [1, 0, 0]);
        let mut ops = Vec::new();
        rows.operations(3, &[1, 0, 0, 1], true, &mut ops);
        // Row 1 of four members has its parity on the third, and its data from the fourth on.
        let at = (1 << 20) + (1 << 19);
        let found: Vec<_> = ops.iter().map(|op| (op.member, op.offset, op.bytes)).collect();
        assert_eq!(found, [(3, at, 4096), (2, at, 4096)]);
    }

    /// Strips of two pages and a half, and of 256 and a half, whose last pages are less than whole: to their end they are covered, and with
    /// a part they are not.
    #[test]
    fn the_last_page_of_a_strip_is_covered_by_all_there_is_of_it() {
        let of = |strip: u64, stripe: u64, range: (u64, u64)| {
            let changed = rows(strip).changed(stripe, &[(range, u128::MAX)]);
            (changed.touched[0], changed.covered[0])
        };
        assert_eq!(of(10_240, 0, (0, 10_240)), (0b111, 0b111));
        assert_eq!(of(10_240, 0, (8192, 10_240)), (0b100, 0b100));
        assert_eq!(of(10_240, 0, (8192, 9216)), (0b100, 0));
        let long = (1 << 20) + 2048;
        assert_eq!(of(long, 2, (1 << 20, long)), (1, 1));
        assert_eq!(of(long, 2, (1 << 20, long - 1024)), (1, 0));
    }

    /// Blocks that follow on each other cover a page of which each has a part; a part alone does not.
    #[test]
    fn parts_of_a_page_cover_it_together() {
        let changed = rows(65536).changed(0, &[((0, 6144), 0b11), ((6144, 10_240), 0b110)]);
        assert_eq!((changed.touched[0], changed.covered[0]), (0b111, 0b11));
        for (piece, page) in [((0, 2048), 1), ((1024, 4096), 1), ((6144, 7168), 0b10)] {
            let alone = rows(65536).changed(0, &[(piece, page)]);
            assert_eq!((alone.touched[0], alone.covered[0]), (page, 0));
        }
    }

    /// A page of three strips and their parities: which strips are there, which data are touched, which covered, and what is known, P
    /// and Q together. Strips are bits, data first.
    struct Page {
        there: usize,
        touched: usize,
        covered: usize,
        known: usize,
    }

    impl Page {
        /// Whether some reads are enough for new parity: by the other data, by the old data and parities, or by as many strips as a
        /// row has data, which tell all of it.
        fn suffices(&self, read: usize) -> bool {
            let parities = self.there & 0b11000;
            let known = self.known & 0b111 | if self.known & 0b1000 > 0 { parities } else { 0 };
            let has = |strips: usize| strips & !(read | known) == 0;
            parities == 0
                || has(0b111 & !self.covered)
                || has(self.touched | parities)
                || (read | known).count_ones() >= 3
        }

        /// The least reads of all that are enough.
        fn least(&self) -> u32 {
            let all = (0..32).filter(|read| read & !self.there == 0);
            let enough = all.filter(|&read| self.suffices(read));
            enough.map(usize::count_ones).min().expect("all that is there")
        }

        fn read(&self, rows: &Rows) -> usize {
            let bits = |of: usize| (0..3).map(|strip| (of >> strip & 1) as Pages).collect::<Vec<_>>();
            let changed = Changed {
                touched: bits(self.touched),
                covered: bits(self.covered),
            };
            let known = [bits(self.known), vec![(self.known >> 3) as Pages]].concat();
            let read = rows.needed(0, &changed, &known, 1);
            let strips = (0..5).filter(|&strip| read[strip.min(3)] > 0);
            strips.fold(0, |all, strip| all | 1 << strip) & self.there
        }
    }

    /// Every page of three strips, with every loss: what is read is enough. Of one of which nothing is known it is the least of all, but
    /// that md reads both parities where one data strip is lost and one of them would tell it: `fetch_block` computes one that is
    /// lost from all others.
    #[test]
    fn what_is_read_of_a_page_is_enough_and_no_more() {
        for (level, members, parities) in [(Level::Raid5, 4, 1), (Level::Raid6, 5, 2)] {
            for lost in (0_usize..1 << members).filter(|lost| lost.count_ones() <= parities) {
                let failed = (0..members).filter(|member| lost >> member & 1 == 1).collect();
                let rows = rows_of(level, members, PAGE, failed);
                let there = (0..members).filter(|&strip| rows.layout.holds(0, strip));
                let there = there.fold(0, |all, strip| all | 1 << strip);
                let one_of_two = parities == 2 && (there & 0b111_usize).count_ones() == 2;
                for (touched, covered) in
                    (1..8).flat_map(|touched| (0..=touched).map(move |all| (touched, all)))
                {
                    for known in (0..16).filter(|_| covered & !touched == 0) {
                        let page = Page {
                            there,
                            touched,
                            covered,
                            known,
                        };
                        let read = page.read(&rows);
                        let said = format!("{there:b} there, {touched:b}, {covered:b}, {known:b}: {read:b}");
                        assert!(page.suffices(read), "{said}");
                        let more = read.count_ones() - page.least();
                        assert!(known > 0 || more == 0 || (more == 1 && one_of_two), "{said}");
                    }
                }
            }
        }
    }
}
