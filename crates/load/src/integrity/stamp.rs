//! The stamp that each sector of a verified write carries: whose it is, where it belongs and
//! which write it came with, and a checksum over all of it.
//!
//! ```text
//!   0  magic       8 bytes
//!   8  session     8 bytes, a number that no other run has
//!  16  offset      8 bytes, where on the target the sector belongs
//!  24  generation  8 bytes, the number of the write in the session
//!  32  target      4 bytes, its index in the session
//!  36  data        as the load makes it, its first bit turned where the sector would end as a boot record
//! 508  checksum    4 bytes, CRC-32 (IEEE 802.3) of all before it
//! ```
//! Numbers are little-endian. At this length CRC-32 finds every error of up to three bits and
//! every burst of up to 32 bits; of anything else it misses one in 2^32.

/// Bytes that carry one stamp: no device writes less at once.
pub const SECTOR_BYTES: usize = 512;
const MAGIC: [u8; 8] = *b"iodyno\x1e\x01";
const DATA_FROM: usize = 36;
const CHECKSUM_AT: usize = SECTOR_BYTES - 4;
/// What a master boot record ends in. `blkid` takes a device for one with a partition table whose first sector
/// does, where it holds zeros before: that of one write in 65,536 with data that compress away.
const BOOT_RECORD: [u8; 2] = [0x55, 0xaa];
/// Bits of magic, session, target and offset that may be wrong in a sector that is still taken
/// for a damaged one of this place. In random data some 112 of the 224 are.
const DAMAGED_BITS: u32 = 32;

/// The checksum of stamps and of kept ledgers: CRC-32 of IEEE 802.3.
#[inline]
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// What a sector says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// A number that no other run has.
    pub session: u64,
    /// Index of its target in the session.
    pub target: u32,
    /// Where on the target it belongs, in bytes.
    pub offset: u64,
    /// The number of its write in the session, from 1.
    pub generation: u64,
}

/// What a sector turns out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A whole sector, somewhere's.
    Whole(Stamp),
    /// A sector of the place that was looked for, but not as it was written.
    Damaged(Stamp),
    /// Nothing but zeros.
    Zeros,
    /// Nothing that iodyno wrote, or damaged beyond recognition.
    Foreign,
}

impl Stamp {
    /// Put the stamp on a sector: its first and last bytes give way.
    ///
    /// # Panics
    /// If it is no sector.
    #[inline]
    pub fn put(&self, sector: &mut [u8]) {
        assert_eq!(sector.len(), SECTOR_BYTES, "a sector");
        sector[..8].copy_from_slice(&MAGIC);
        sector[8..16].copy_from_slice(&self.session.to_le_bytes());
        sector[16..24].copy_from_slice(&self.offset.to_le_bytes());
        sector[24..32].copy_from_slice(&self.generation.to_le_bytes());
        sector[32..DATA_FROM].copy_from_slice(&self.target.to_le_bytes());
        let mut kept = checksum(&sector[..CHECKSUM_AT]).to_le_bytes();
        if kept[2..] == BOOT_RECORD {
            // Another bit of the data is another checksum, and its end another too.
            sector[DATA_FROM] ^= 1;
            kept = checksum(&sector[..CHECKSUM_AT]).to_le_bytes();
        }
        sector[CHECKSUM_AT..].copy_from_slice(&kept);
    }

    /// Stamp every sector of a block that one write puts at this stamp's offset.
    #[inline]
    pub fn put_all(&self, block: &mut [u8]) {
        let mut stamp = *self;
        for sector in block.chunks_exact_mut(SECTOR_BYTES) {
            stamp.put(sector);
            stamp.offset += SECTOR_BYTES as u64;
        }
    }

    fn read(sector: &[u8]) -> Self {
        let word = |at: usize| u64::from_le_bytes(sector[at..at + 8].try_into().expect("8 bytes"));
        Self {
            session: word(8),
            offset: word(16),
            generation: word(24),
            target: u32::from_le_bytes(sector[32..DATA_FROM].try_into().expect("4 bytes")),
        }
    }

    /// Bits in which the place that a sector names differs from this one.
    fn bits_apart(&self, other: &Self) -> u32 {
        (self.session ^ other.session).count_ones()
            + (self.offset ^ other.offset).count_ones()
            + (self.target ^ other.target).count_ones()
    }
}

/// Look at a sector that was read where `place` (its generation aside) is expected.
///
/// # Panics
/// If it is no sector.
#[inline]
pub fn look(sector: &[u8], place: &Stamp) -> Look {
    assert_eq!(sector.len(), SECTOR_BYTES, "a sector");
    let kept = &sector[CHECKSUM_AT..];
    let whole = sector[..8] == MAGIC && checksum(&sector[..CHECKSUM_AT]).to_le_bytes() == kept;
    if whole {
        return Look::Whole(Stamp::read(sector));
    }
    look_at_wrong(sector, place)
}

#[cold]
fn look_at_wrong(sector: &[u8], place: &Stamp) -> Look {
    if sector.iter().all(|byte| *byte == 0) {
        return Look::Zeros;
    }
    let found = Stamp::read(sector);
    let magic: u32 = sector[..8]
        .iter()
        .zip(MAGIC)
        .map(|(a, b)| (a ^ b).count_ones())
        .sum();
    if magic + found.bits_apart(place) <= DAMAGED_BITS {
        Look::Damaged(found)
    } else {
        Look::Foreign
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::mix;

    const STAMP: Stamp = Stamp {
        session: 0x1234_5678_9abc_def0,
        target: 2,
        offset: 7 << 20,
        generation: 99,
    };

    fn data(bytes: usize) -> Vec<u8> {
        (0..bytes).map(|at| mix(5, at as u64) as u8).collect()
    }

    #[test]
    fn a_stamp_reads_back_from_every_sector() {
        let mut block = data(4096);
        STAMP.put_all(&mut block);
        for (number, sector) in block.chunks(SECTOR_BYTES).enumerate() {
            let offset = STAMP.offset + (number * SECTOR_BYTES) as u64;
            let expected = Stamp { offset, ..STAMP };
            assert_eq!(look(sector, &expected), Look::Whole(expected));
            assert_eq!(sector[40..400], data(4096)[number * SECTOR_BYTES..][40..400]);
        }
    }

    #[test]
    fn every_single_flipped_bit_is_damage_of_this_place() {
        let mut sector = data(SECTOR_BYTES);
        STAMP.put(&mut sector);
        for bit in 0..SECTOR_BYTES * 8 {
            sector[bit / 8] ^= 1 << (bit % 8);
            let found = look(&sector, &STAMP);
            assert!(matches!(found, Look::Damaged(_)), "bit {bit}: {found:?}");
            sector[bit / 8] ^= 1 << (bit % 8);
        }
        assert_eq!(look(&sector, &STAMP), Look::Whole(STAMP));
    }

    #[test]
    fn no_sector_ends_as_a_boot_record_does() {
        let mut sector = [0; SECTOR_BYTES];
        for number in 0..400_000 {
            sector.fill(0);
            let stamp = Stamp {
                session: mix(1, number),
                ..STAMP
            };
            stamp.put(&mut sector);
            // Of 400,000 ends of two bytes six would be expected.
            assert_ne!(sector[SECTOR_BYTES - 2..], [0x55, 0xaa], "{number}");
            assert_eq!(look(&sector, &stamp), Look::Whole(stamp));
        }
    }

    #[test]
    fn the_checksum_is_the_one_of_the_standard() {
        // The check value of CRC-32 (IEEE 802.3), as in every catalogue of them.
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn zeros_and_foreign_data_are_no_damage() {
        assert_eq!(look(&[0; SECTOR_BYTES], &STAMP), Look::Zeros);
        assert_eq!(look(&data(SECTOR_BYTES), &STAMP), Look::Foreign);
        assert_eq!(look(&[0xff; SECTOR_BYTES], &STAMP), Look::Foreign);
    }
}
