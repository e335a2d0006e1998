//! What a write to an array with parity reads, against what the levels are defined by: P is the sum of a row's data, Q that of the
//! data times the powers of 2, both in GF(256) with the polynomial 0x11d (H. P. Anvin, *The mathematics of RAID-6*). Of each byte
//! of a row the data are unknowns, every data and parity byte that is read is an equation, and the least reads are found by trying
//! all sets of them.

use std::collections::{BTreeMap, BTreeSet};

use iodyno_sim::raid::{Layout, MemberOp, Work};
use iodyno_sim::system::{Array, Level, MirrorRead};

/// Bytes of a strip: parts of two strips can lie apart, meet, or lie on each other, at the ends of these and within.
const STRIP: u64 = 4;

fn layout(level: Level, members: usize, failed: &[usize]) -> Layout {
    let array = Array {
        level,
        drives: (0..members).collect(),
        groups: 1,
        strip_bytes: STRIP,
        mirror_read: MirrorRead::Primary,
        failed: failed.to_vec(),
        rebuild_bytes_s: 0,
    };
    Layout::new(&array, STRIP * 4 * members as u64).expect("an array")
}

fn map(layout: &Layout, write: bool, offset: u64, bytes: u64) -> Work {
    let mut work = Work::default();
    layout.map(write, offset, bytes as u32, |_| 0, &mut work);
    work
}

fn product(mut one: u8, mut other: u8) -> u8 {
    let mut sum = 0;
    while other > 0 {
        if other & 1 == 1 {
            sum ^= one;
        }
        (one, other) = (one << 1 ^ if one & 0x80 > 0 { 0x1d } else { 0 }, other >> 1);
    }
    sum
}

fn power(base: u8, exponent: usize) -> u8 {
    (0..exponent).fold(1, |all, _| product(all, base))
}

fn rank(mut rows: Vec<Vec<u8>>) -> usize {
    let mut found = 0;
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(pivot) = (found..rows.len()).find(|&row| rows[row][column] != 0) else {
            continue;
        };
        rows.swap(found, pivot);
        let inverse = power(rows[found][column], 254);
        let chosen = rows[found].clone();
        for row in rows.iter_mut().skip(found + 1) {
            let factor = product(row[column], inverse);
            let pairs = row.iter_mut().zip(&chosen);
            pairs.for_each(|(value, of)| *value ^= product(factor, *of));
        }
        found += 1;
    }
    found
}

/// Strips of a row as bits, data first, then P and Q.
type Strips = u32;

/// A row at one byte of its strips: which of them are lost and which data the host writes, or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    data: usize,
    parities: usize,
    lost: Strips,
    own: Strips,
    write: bool,
}

impl At {
    fn strips(&self) -> std::ops::Range<usize> {
        0..self.data + self.parities
    }

    /// What a strip has, as weights of the data.
    fn weights(&self, strip: usize) -> Vec<u8> {
        let weight = |of: usize| match strip.checked_sub(self.data) {
            None => u8::from(of == strip),
            Some(parity) => power(power(2, parity), of),
        };
        (0..self.data).map(weight).collect()
    }

    /// What has to follow from what is read: of a write what stays of each parity, without the data that are written.
    fn wanted(&self) -> Vec<Vec<u8>> {
        if !self.write {
            let own = (0..self.data).filter(|strip| self.own >> strip & 1 == 1);
            return own.map(|strip| self.weights(strip)).collect();
        }
        let new = |strip: &usize| self.own > 0 && self.lost >> strip & 1 == 0;
        let parities = self.strips().skip(self.data).filter(new);
        let stays = |strip| {
            let weights = self.weights(strip).into_iter().enumerate();
            let stays = weights.map(|(of, weight)| if self.own >> of & 1 == 1 { 0 } else { weight });
            stays.collect()
        };
        parities.map(stays).collect()
    }

    fn suffices(&self, read: Strips) -> bool {
        let known = || {
            self.strips()
                .filter(|strip| read >> strip & 1 == 1)
                .map(|strip| self.weights(strip))
        };
        rank(known().chain(self.wanted()).collect()) == rank(known().collect())
    }

    /// The least reads, of all sets of strips that are there.
    fn least(&self) -> u32 {
        let all = (0..1 << self.strips().end).filter(|read: &Strips| read & self.lost == 0);
        let enough = all.filter(|&read| self.suffices(read));
        enough.map(Strips::count_ones).min().expect("all that is there")
    }

    fn data_lost(&self) -> bool {
        self.lost & ((1 << self.data) - 1) > 0
    }
}

/// Member and place of each byte.
fn places<'a>(operations: impl Iterator<Item = &'a MemberOp>) -> BTreeSet<(u16, u64)> {
    let bytes =
        |op: &'a MemberOp| (op.offset..op.offset + u64::from(op.bytes)).map(move |at| (op.member, at));
    operations.flat_map(bytes).collect()
}

/// An array, whole or with failed members, and where the strips of its rows lie.
struct Arrays<'a> {
    hurt: Layout,
    failed: &'a [usize],
    data: usize,
    parities: usize,
    /// Members of the strips of each row, data first, then P and Q.
    rows: Vec<Vec<u16>>,
}

impl<'a> Arrays<'a> {
    fn new(level: Level, members: usize, parities: usize, failed: &'a [usize]) -> Self {
        let (whole, data) = (layout(level, members, &[]), members - parities);
        // The parity turns from row to row: P on the member before the first strip's last, Q behind it.
        let row = |row: usize| {
            let first = |strip| map(&whole, false, ((row * data + strip) as u64) * STRIP, 1).now[0].member;
            let at = (members - 1 - row % members) as u16;
            let parity = (0..parities).map(|which| (at + which as u16) % members as u16);
            (0..data).map(first).chain(parity).collect()
        };
        Self {
            hurt: layout(level, members, failed),
            failed,
            data,
            parities,
            rows: (0..2 * members).map(row).collect(),
        }
    }

    /// What an access makes of each byte of the rows that it touches: what there is, and which strips are read and written.
    fn made(&self, write: bool, offset: u64, bytes: u64) -> Vec<(At, Strips, Strips)> {
        let work = map(&self.hurt, write, offset, bytes);
        let every = || work.now.iter().chain(&work.then);
        let read = places(every().filter(|op| !op.write));
        let written = places(every().filter(|op| op.write));
        let stripe = self.data as u64 * STRIP;
        let rows = offset / stripe..=(offset + bytes - 1) / stripe;
        let bytes_of_rows = rows.flat_map(|row| (0..STRIP).map(move |at| (row, at)));
        let one = |(row, at)| {
            let members = &self.rows[row as usize];
            let bits = |has: &dyn Fn(usize, u16) -> bool| -> Strips {
                let each = members.iter().enumerate();
                each.map(|(strip, &member)| Strips::from(has(strip, member)) << strip)
                    .sum()
            };
            let place = |member| (member, row * STRIP + at);
            let of_host = |strip: usize| row * stripe + strip as u64 * STRIP + at;
            let what = At {
                data: self.data,
                parities: self.parities,
                lost: bits(&|_, member| self.failed.contains(&member.into())),
                own: bits(&|strip, _| {
                    strip < self.data && (offset..offset + bytes).contains(&of_host(strip))
                }),
                write,
            };
            (
                what,
                bits(&|_, member| read.contains(&place(member))),
                bits(&|_, member| written.contains(&place(member))),
            )
        };
        bytes_of_rows.map(one).collect()
    }
}

/// Members that have failed: none, each, and each two where there are two parities.
fn failures(members: usize, parities: usize) -> Vec<Vec<usize>> {
    let mut found = vec![vec![]];
    for one in 0..members {
        found.push(vec![one]);
        if parities == 2 {
            found.extend((one + 1..members).map(|other| vec![one, other]));
        }
    }
    found
}

/// Check every access of up to two rows, at every place, of small arrays with every loss that they survive.
fn every(write: bool, mut check: impl FnMut(&[(At, Strips, Strips)], &str)) {
    let kinds = [
        (Level::Raid5, 3, 1),
        (Level::Raid5, 4, 1),
        (Level::Raid5, 5, 1),
        (Level::Raid6, 4, 2),
        (Level::Raid6, 5, 2),
        (Level::Raid6, 6, 2),
    ];
    for (level, members, parities) in kinds {
        for failed in failures(members, parities) {
            let arrays = Arrays::new(level, members, parities, &failed);
            let row = arrays.data as u64 * STRIP;
            for offset in 0..members as u64 * row {
                for bytes in 1..=2 * row {
                    let said = format!("{level:?} of {members}, {failed:?} lost, {bytes} bytes at {offset}");
                    check(&arrays.made(write, offset, bytes), &said);
                }
            }
        }
    }
}

/// Least reads by what there is, each found once.
#[derive(Default)]
struct Least(BTreeMap<At, u32>);

impl Least {
    fn of(&mut self, at: At) -> u32 {
        *self.0.entry(at).or_insert_with(|| at.least())
    }
}

/// All that the host writes is written where it is there, with each parity that is.
#[test]
fn new_parity_follows_from_what_is_read() {
    let mut known = BTreeMap::new();
    every(true, |made, said| {
        for &(at, read, written) in made {
            let parities = if at.own > 0 { !0 << at.data } else { 0 };
            let all = (at.own | parities) & !at.lost & ((1 << at.strips().end) - 1);
            assert_eq!(written, all, "{said}: {at:?}");
            let enough = *known.entry((at, read)).or_insert_with(|| at.suffices(read));
            assert!(enough, "{said}: {at:?} from {read:b}");
        }
    });
}

/// Where data of a row are lost, each byte is read for in the way that takes least of all there are.
#[test]
fn beside_lost_data_no_write_reads_more_than_it_needs() {
    let (mut least, mut met) = (Least::default(), 0);
    every(true, |made, said| {
        for &(at, read, _) in made.iter().filter(|(at, ..)| at.data_lost() && at.own > 0) {
            assert_eq!(read.count_ones(), least.of(at), "{said}: {at:?} reads {read:b}");
            met += 1;
        }
        let idle = made.iter().filter(|(at, ..)| at.own == 0);
        idle.for_each(|&(at, read, _)| assert_eq!(read, 0, "{said}: {at:?}"));
    });
    assert!(met > 100_000, "{met}");
}

/// Where all data of a row are there, whole or without some parity, all of the row is read for in one way: the old data and the old
/// parities, or the rest. At each byte one of them takes the least.
#[test]
fn where_all_data_are_there_one_of_two_ways_is_taken() {
    let mut least = Least::default();
    every(true, |made, said| {
        for row in made.chunks(STRIP as usize).filter(|row| !row[0].0.data_lost()) {
            let alive = |at: &At| (((1 << at.parities) - 1) << at.data) & !at.lost;
            let modify = |at: &At| match at.own > 0 && alive(at) > 0 {
                true => at.own | alive(at),
                false => 0,
            };
            let rest = |at: &At| match at.own > 0 && alive(at) > 0 {
                true => ((1 << at.data) - 1) & !at.own,
                false => 0,
            };
            let by = |way: &dyn Fn(&At) -> Strips| row.iter().all(|(at, read, _)| *read == way(at));
            assert!(by(&modify) || by(&rest), "{said}: {row:?}");
            // Reads of a strip that lie together are one.
            let operations = |way: &dyn Fn(&At) -> Strips| {
                let of = |strip: usize| {
                    let there: Vec<_> = row.iter().map(|(at, ..)| way(at) >> strip & 1).collect();
                    usize::from(there[0] == 1) + there.windows(2).filter(|two| two == &[0, 1]).count()
                };
                row[0].0.strips().map(of).sum::<usize>()
            };
            let fewer: &dyn Fn(&At) -> Strips = match operations(&modify) <= operations(&rest) {
                true => &modify,
                false => &rest,
            };
            assert!(by(fewer), "{said}: {row:?}");
            for (at, ..) in row.iter().filter(|(at, ..)| at.own > 0) {
                let best = modify(at).count_ones().min(rest(at).count_ones());
                assert_eq!(best, least.of(*at), "{said}: {at:?}");
            }
        }
    });
}

/// Of a read what is lost is told by the least that tells it.
#[test]
fn no_read_reads_more_than_it_needs() {
    let mut least = Least::default();
    every(false, |made, said| {
        for &(at, read, _) in made {
            assert!(at.suffices(read), "{said}: {at:?} from {read:b}");
            assert_eq!(read.count_ones(), least.of(at), "{said}: {at:?} reads {read:b}");
        }
    });
}
