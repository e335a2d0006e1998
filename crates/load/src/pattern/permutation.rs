//! Permutations of whole numbers, without a table: a Feistel network over two digits.

use super::mix;

/// Pairs of rounds of the network: with two, neighbours follow each other too often.
const PAIRS: usize = 3;
/// Pairs of rounds where the digits have few values, which leaves hashes little to say.
const PAIRS_OF_FEW: usize = 6;
/// Bounds up to this are few.
const FEW: u64 = 4096;

/// A permutation of the numbers below a bound, one for each key.
///
/// A number is split into a high digit and a low one of half its bits; each round adds a keyed hash of
/// one to the other (J. Black and P. Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002: the
/// generalised Feistel cipher). A result at or above the bound is put through again until it is below
/// (cycle walking), which is rare: there are about as many results too many as the root of the bound.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    bound: u64,
    /// The high digit is below this.
    high: u64,
    /// Bits of the low digit.
    low_bits: u32,
    /// Pairs of rounds.
    pairs: usize,
    keys: [[u64; 2]; PAIRS_OF_FEW],
}

impl Permutation {
    /// The permutation of the numbers below a bound, 1 to 2^62, under a key.
    pub fn new(bound: u64, key: u64) -> Self {
        assert!((1..=1 << 62).contains(&bound), "a bound of 1 to 2^62");
        let bits = u64::BITS - (bound - 1).leading_zeros();
        let low_bits = bits.div_ceil(2);
        let round = |pair: usize| [2 * pair, 2 * pair + 1].map(|round| mix(key, round as u64));
        Self {
            bound,
            high: bound.div_ceil(1 << low_bits),
            low_bits,
            pairs: if bound <= FEW { PAIRS_OF_FEW } else { PAIRS },
            keys: std::array::from_fn(round),
        }
    }

    /// What a number below the bound becomes.
    #[inline]
    pub fn of(&self, number: u64) -> u64 {
        debug_assert!(number < self.bound, "a number beyond the bound");
        let mut number = number;
        loop {
            number = self.once(number);
            if number < self.bound {
                return number;
            }
        }
    }

    #[inline]
    fn once(&self, number: u64) -> u64 {
        let mask = (1 << self.low_bits) - 1;
        let (mut high, mut low) = (number >> self.low_bits, number & mask);
        for [first, second] in &self.keys[..self.pairs] {
            high += super::below(hash(low, *first), self.high);
            high -= if high >= self.high { self.high } else { 0 };
            low = (low + super::below(hash(high, *second), mask + 1)) & mask;
        }
        high << self.low_bits | low
    }
}

/// A keyed hash whose high bits are the good ones.
#[inline]
fn hash(digit: u64, key: u64) -> u64 {
    let z = (digit ^ key).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z ^ (z >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb)
}
