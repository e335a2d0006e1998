//! Hot and cold zones: shares of the accesses on shares of the range.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::{Size, below, threshold};
use crate::request::Zone;

/// A zone that is accessed.
#[derive(Clone, Debug)]
struct Stretch {
    /// Draws below this take it, if they took none before.
    threshold: u64,
    /// Where it begins in the area, in bytes.
    start: u64,
    /// Number of aligned offsets for each block size.
    positions: Vec<u64>,
}

/// Where zones begin and end in an area of a length, in bytes: at multiples of a grain.
pub(crate) fn bounds(
    zones: &[Zone],
    (area_length, grain): (u64, u64),
) -> impl Iterator<Item = (&Zone, (u64, u64))> {
    let bound = move |share: f64| {
        let bytes = (share * area_length as f64).round() as u64;
        bytes.min(area_length) / grain * grain
    };
    let mut range = 0.0;
    zones.iter().map(move |zone| {
        let start = bound(range);
        range += zone.range;
        (zone, (start, bound(range)))
    })
}

/// Random offsets by zone, even within each.
#[derive(Clone, Debug)]
pub(super) struct Zones(Box<[Stretch]>);

impl Zones {
    /// Zones from the beginning of an area on, one after the other; what they leave of it is not
    /// accessed.
    pub(super) fn new(zones: &[Zone], space: (u64, u64), sizes: &[&Size]) -> Self {
        let total: f64 = zones.iter().map(|zone| zone.accesses).sum();
        let mut accesses = 0.0;
        let mut stretches = Vec::new();
        for (zone, (start, end)) in bounds(zones, space) {
            accesses += zone.accesses / total;
            let length = end - start;
            if zone.accesses > 0.0 {
                let positions = sizes.iter().map(|size| {
                    let bytes = u64::from(size.bytes);
                    assert!(bytes <= length, "a block that does not fit in a zone");
                    (length - bytes) / size.alignment + 1
                });
                stretches.push(Stretch {
                    threshold: threshold(accesses),
                    start,
                    positions: positions.collect(),
                });
            }
        }
        assert!(!stretches.is_empty(), "no zone is accessed");
        Self(stretches.into_boxed_slice())
    }

    /// The next offset in the area.
    #[inline(always)]
    pub(super) fn next(&self, rng: &mut Xoshiro256PlusPlus, size: &Size) -> u64 {
        let draw = rng.next_u64();
        let last = &self.0[self.0.len() - 1];
        let stretch = self.0.iter().find(|stretch| draw < stretch.threshold);
        let stretch = stretch.unwrap_or(last);
        stretch.start + below(rng.next_u64(), stretch.positions[size.place]) * size.alignment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_end_where_their_shares_say_and_with_the_area() {
        let ends = |ranges: &[f64], area: u64| -> Vec<u64> {
            let zone = |range: &f64| Zone {
                accesses: 1.0,
                range: *range,
            };
            let zones: Vec<Zone> = ranges.iter().map(zone).collect();
            bounds(&zones, (area, 4096))
                .map(|(_, (_, end))| end >> 12)
                .collect()
        };
        // In floating point 29 % of a hundred blocks are a little less.
        assert_eq!(ends(&[0.29, 0.29], 100 << 12), [29, 58]);
        // Shares are all where they add up to a block more of 2^28: that is less than what adding them may round.
        assert_eq!(ends(&[0.5, 0.5 + 0.5_f64.powi(28)], 1 << 40), [1 << 27, 1 << 28]);
    }
}
