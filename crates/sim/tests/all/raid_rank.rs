//! Whether new parity can be reckoned from what is read, by the rank of what is known: of each byte of a row the data are unknowns,
//! and every data and parity byte that is read is an equation.

use std::collections::BTreeSet;

use iodyno_sim::raid::{Layout, MemberOp};
use iodyno_sim::system::Level;

use crate::raid_bytes::{STRIP, layout, map};

/// A prime: reckoning is modulo this.
const P: u64 = 1_000_003;

/// Member and place of each byte.
fn places<'a>(operations: impl Iterator<Item = &'a MemberOp>) -> BTreeSet<(u16, u64)> {
    let bytes =
        |op: &'a MemberOp| (op.offset..op.offset + u64::from(op.bytes)).map(move |at| (op.member, at));
    operations.flat_map(bytes).collect()
}

fn power(base: u64, exponent: u64) -> u64 {
    (0..exponent).fold(1, |product, _| product * base % P)
}

fn inverse(of: u64) -> u64 {
    let (mut base, mut exponent, mut product) = (of, P - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            product = product * base % P;
        }
        (base, exponent) = (base * base % P, exponent >> 1);
    }
    product
}

fn rank(mut rows: Vec<Vec<u64>>) -> usize {
    let mut found = 0;
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(pivot) = (found..rows.len()).find(|&row| rows[row][column] != 0) else {
            continue;
        };
        rows.swap(found, pivot);
        let scale = inverse(rows[found][column]);
        let chosen = rows[found].clone();
        for row in rows.iter_mut().skip(found + 1) {
            let factor = row[column] * scale % P;
            let pairs = row.iter_mut().zip(&chosen);
            pairs.for_each(|(value, of)| *value = (*value + P * P - factor * of) % P);
        }
        found += 1;
    }
    found
}

/// Whether what is wanted follows from what is known.
fn follows(known: &[Vec<u64>], wanted: &[u64]) -> bool {
    let mut all = known.to_vec();
    all.push(wanted.to_vec());
    rank(all) == rank(known.to_vec())
}

/// An array, whole or with failed members, and where its data lie.
struct Arrays {
    whole: Layout,
    hurt: Layout,
    members: usize,
    data: usize,
}

impl Arrays {
    /// Member and place of each data byte of a row at a byte of the strip.
    fn data_at(&self, row: u64, at: u64) -> Vec<(u16, u64)> {
        let stripe = self.data as u64 * STRIP;
        let place = |strip| {
            let work = map(&self.whole, false, row * stripe + strip * STRIP + at, 1);
            (work.now[0].member, work.now[0].offset)
        };
        (0..self.data as u64).map(place).collect()
    }

    /// What a parity is of the data: Vandermonde's rows, of which any are independent.
    fn weights(&self, parity: usize) -> Vec<u64> {
        (0..self.data)
            .map(|strip| power(strip as u64 + 2, parity as u64))
            .collect()
    }

    /// Assert of a write that each parity that it writes follows from the data of the host and what was read.
    fn check(&self, offset: u64, bytes: u64, failed: &[usize]) {
        let work = map(&self.hurt, true, offset, bytes);
        let read = places(work.now.iter().filter(|op| !op.write));
        let written = places(work.now.iter().chain(&work.then).filter(|op| op.write));
        let stripe = self.data as u64 * STRIP;
        for row in offset / stripe..=(offset + bytes - 1) / stripe {
            for at in 0..STRIP {
                let data = self.data_at(row, at);
                let of_host =
                    |strip: u64| (offset..offset + bytes).contains(&(row * stripe + strip * STRIP + at));
                let is_parity = |member: &u16| data.iter().all(|place| place.0 != *member);
                let parities = (0..self.members as u16).filter(is_parity).enumerate();
                let parities: Vec<_> = parities
                    .map(|(which, member)| (which, (member, data[0].1)))
                    .collect();
                let mut known = Vec::new();
                for (strip, place) in data.iter().enumerate() {
                    if read.contains(place) {
                        known.push((0..self.data).map(|other| u64::from(other == strip)).collect());
                    }
                }
                let old = parities.iter().filter(|(_, place)| read.contains(place));
                known.extend(old.map(|&(which, _)| self.weights(which)));
                for (which, place) in parities.iter().filter(|(_, place)| written.contains(place)) {
                    let mut wanted = self.weights(*which);
                    let strips = (0..).zip(&mut wanted).filter(|(strip, _)| of_host(*strip));
                    strips.for_each(|(_, weight)| *weight = 0);
                    assert!(
                        follows(&known, &wanted),
                        "{failed:?} failed, {bytes} bytes at {offset}, row {row}: parity at {place:?}, read {read:?}"
                    );
                }
            }
        }
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

#[test]
fn new_parity_follows_from_what_is_read() {
    for (level, members, parities) in [(Level::Raid6, 6, 2), (Level::Raid6, 4, 2), (Level::Raid5, 5, 1)] {
        for failed in failures(members, parities) {
            let arrays = Arrays {
                whole: layout(level, members, &[]),
                hurt: layout(level, members, &failed),
                members,
                data: members - parities,
            };
            let end = members as u64 * arrays.data as u64 * STRIP;
            for offset in (0..end).filter(|offset| !(4..12).contains(&(offset % STRIP))) {
                for bytes in [1, 3, 16, 17, 20, 31, 32, 48] {
                    if offset + bytes <= end {
                        arrays.check(offset, bytes, &failed);
                    }
                }
            }
        }
    }
}
