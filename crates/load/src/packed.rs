//! What each of several targets did in a window, in few bytes: a point on many targets keeps a thousand of
//! them.
//!
//! Numbers of seven bits a byte, and of a bucket its distance from the one before: about two bytes a
//! bucket, and one byte for all that a target did not do. Failed I/Os are not in here;
//! [`crate::window::Failures`] has them.

use crate::counted::{Counted, Parts};
use crate::histogram::Sparse;

/// What each target did, packed.
#[derive(Debug)]
pub(crate) struct Packed(Box<[u8]>);

impl Packed {
    /// Pack what each target did.
    pub(crate) fn of(split: &[Parts]) -> Self {
        let mut bytes = Vec::new();
        put(&mut bytes, split.len() as u64);
        for parts in split {
            let did = parts.iter().rev();
            put(
                &mut bytes,
                did.fold(0, |did, part| did << 1 | u64::from(part.completed > 0)),
            );
            for part in parts.iter().filter(|part| part.completed > 0) {
                put(&mut bytes, part.completed);
                put(&mut bytes, part.bytes);
                put_histogram(&mut bytes, &part.latency);
                put_histogram(&mut bytes, &part.response_time);
            }
        }
        Self(bytes.into_boxed_slice())
    }

    /// What was packed.
    pub(crate) fn split(&self) -> Vec<Parts> {
        let mut bytes = &*self.0;
        let targets = get(&mut bytes);
        (0..targets).map(|_| parts(&mut bytes)).collect()
    }
}

/// Add what targets did, target by target.
pub(crate) fn add(sum: &mut Vec<Parts>, part: &[Parts]) {
    sum.resize_with(part.len().max(sum.len()), Default::default);
    for (sum, part) in sum.iter_mut().flatten().zip(part.iter().flatten()) {
        sum.merge(part);
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The next number. Panics at the end: only what was packed is read.
fn get(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (&byte, rest) = bytes.split_first().expect("a number that was packed");
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

fn put_histogram(bytes: &mut Vec<u8>, part: &Sparse) {
    put(bytes, part.index.len() as u64);
    let mut before = 0;
    for (&index, &count) in part.index.iter().zip(&part.count) {
        put(bytes, u64::from(index - before));
        put(bytes, count);
        before = index;
    }
    if !part.index.is_empty() {
        [part.min_ns, part.max_ns, part.sum_ns]
            .into_iter()
            .for_each(|number| put(bytes, number));
    }
}

fn parts(bytes: &mut &[u8]) -> Parts {
    let did = get(bytes);
    std::array::from_fn(|which| {
        let done = did >> which & 1 == 1;
        if done { counted(bytes) } else { Counted::default() }
    })
}

fn counted(bytes: &mut &[u8]) -> Counted {
    Counted {
        completed: get(bytes),
        bytes: get(bytes),
        latency: histogram(bytes),
        response_time: histogram(bytes),
        ..Counted::default()
    }
}

fn histogram(bytes: &mut &[u8]) -> Sparse {
    let buckets = get(bytes) as usize;
    if buckets == 0 {
        return Sparse::default();
    }
    let (mut index, mut count) = (Vec::with_capacity(buckets), Vec::with_capacity(buckets));
    let mut before = 0;
    for _ in 0..buckets {
        before += get(bytes) as u32;
        index.push(before);
        count.push(get(bytes));
    }
    Sparse {
        index,
        count,
        min_ns: get(bytes),
        max_ns: get(bytes),
        sum_ns: get(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::Histogram;
    use crate::pattern::mix;

    fn part(seed: u64, values: u64, opened: bool) -> Counted {
        let (mut latency, mut response_time) = (Histogram::default(), Histogram::default());
        for number in 0..values {
            let value = mix(seed, number) >> (20 + mix(seed, number + 99) % 40);
            latency.record(value);
            if opened {
                response_time.record(value / 3);
            }
        }
        Counted {
            completed: values,
            bytes: values << 40,
            latency: latency.take(),
            response_time: response_time.take(),
            ..Counted::default()
        }
    }

    #[test]
    fn what_is_packed_comes_back() {
        for (targets, values) in [(0, 0), (1, 0), (3, 1), (64, 500)] {
            let parts = |target| {
                let none = Counted::default;
                let transfers = [part(target, values, true), part(target + 1000, values / 2, false)];
                let [reads, writes] = transfers;
                [reads, writes, none(), part(target + 2000, 3, false)]
            };
            let split: Vec<_> = (0..targets).map(parts).collect();
            let back = Packed::of(&split).split();
            assert_eq!(back.len(), split.len());
            for (found, wanted) in back.iter().flatten().zip(split.iter().flatten()) {
                assert_eq!((found.completed, found.bytes), (wanted.completed, wanted.bytes));
                assert_eq!(found.latency, wanted.latency);
                assert_eq!(found.response_time, wanted.response_time);
            }
        }
    }

    #[test]
    fn a_bucket_takes_about_two_bytes() {
        let mut latency = Histogram::default();
        (0..400).for_each(|value| latency.record(100_000 + 500 * value));
        let latency = latency.take();
        let buckets = latency.index.len();
        let part = Counted {
            completed: 400,
            latency,
            ..Counted::default()
        };
        let none = Counted::default;
        assert!(Packed::of(&[[part, none(), none(), none()]]).0.len() < 2 * buckets + 30);
    }

    #[test]
    fn targets_are_added_one_by_one() {
        let mut sum = Vec::new();
        let parts = |counts: [u64; 4]| [counts.map(|count| part(count, count, false))];
        add(&mut sum, &parts([10, 20, 3, 4]));
        add(&mut sum, &parts([5, 6, 1, 2]));
        let completed = sum[0].each_ref().map(|part| part.completed);
        assert_eq!(completed, [15, 26, 4, 6]);
        assert_eq!(sum[0][0].latency.count.iter().sum::<u64>(), 15);
        add(&mut sum, &[]);
        assert_eq!(sum.len(), 1);
    }
}
