//! What a worker reads into and writes from: a block for each outstanding read, and the
//! pool that writes come out of.

use std::io;

use iodyno_load::request::{DataPattern, Profile};

use crate::buffers::{Buffers, PAGE_BYTES};
use crate::data::DataSource;

/// Whole pages for the largest write of a profile, or the largest read, in bytes.
fn stride(profile: &Profile, write: bool) -> usize {
    (profile.largest_of(write) as usize).next_multiple_of(PAGE_BYTES)
}

/// Parts of the pool that writes come out of, and the bytes of each: one for each slot, or one block for all that write the
/// same again and again; none where nothing is written.
fn pool(profile: &Profile, (slots, slots_in_all): (usize, usize)) -> (usize, usize) {
    let stride = stride(profile, true);
    match profile.data {
        _ if !profile.writes() => (0, 0),
        DataPattern::Incompressible => (slots, DataSource::part_bytes(stride, slots_in_all)),
        DataPattern::Repeated | DataPattern::Zeros => (1, stride),
    }
}

/// The memory of one thread.
pub(crate) struct Memory {
    pub(crate) buffers: Buffers,
    stride: usize,
    data: Option<DataSource>,
}

impl Memory {
    /// Bytes that the memory takes for so many outstanding I/Os of a profile, of so many in
    /// all threads.
    pub(crate) fn bytes(profile: &Profile, (slots, slots_in_all): (usize, usize)) -> u64 {
        let reads = if profile.reads() {
            stride(profile, false)
        } else {
            0
        };
        let (parts, part) = pool(profile, (slots, slots_in_all));
        slots as u64 * reads as u64 + parts as u64 * part as u64
    }

    /// The memory for so many outstanding I/Os of a profile, of so many in all threads.
    pub(crate) fn new(
        profile: &Profile,
        (slots, slots_in_all): (usize, usize),
        seed: u64,
    ) -> io::Result<Self> {
        let read = stride(profile, false);
        let outstanding = read.checked_mul(slots).ok_or(io::ErrorKind::OutOfMemory)?;
        let reads = if profile.reads() { outstanding } else { 0 };
        let (parts, part) = pool(profile, (slots, slots_in_all));
        let mut buffers = Buffers::map(reads + parts * part)?;
        let place = (reads, parts, part);
        let data = profile
            .writes()
            .then(|| DataSource::new(profile, seed, &mut buffers, place));
        Ok(Self {
            buffers,
            stride: read,
            data,
        })
    }

    /// The address for an I/O of a slot; of a write, with its data.
    #[inline(always)]
    pub(crate) fn block(&mut self, slot: usize, write: bool, bytes: usize) -> *mut u8 {
        match &mut self.data {
            Some(data) if write => data.next(&mut self.buffers, slot, bytes),
            _ => self.buffers.at(slot * self.stride, bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made::profile;

    #[test]
    fn as_much_is_mapped_as_was_said_and_no_pool_for_who_only_reads() {
        for read_share in [0.0, 0.5, 1.0] {
            let shape = profile(read_share);
            let said = Memory::bytes(&shape, (3, 6));
            let memory = Memory::new(&shape, (3, 6), 1).expect("memory");
            assert_eq!(said, memory.buffers.iovec().iov_len as u64, "{read_share}");
            let reads = if read_share > 0.0 { 3 * 4096 } else { 0 };
            // The pools of a point are 4 MiB at least, in equal parts of whole pages for its six I/Os.
            let pool = if read_share < 1.0 { said - reads } else { 0 };
            assert!(said == reads + pool && (pool == 0 || (2 << 20..(2 << 20) + 3 * 4096).contains(&pool)));
        }
    }

    #[test]
    fn what_is_always_the_same_is_there_once() {
        for data in [DataPattern::Repeated, DataPattern::Zeros] {
            let shape = Profile { data, ..profile(0.0) };
            let mut memory = Memory::new(&shape, (512, 512), 1).expect("memory");
            assert_eq!(memory.buffers.iovec().iov_len, 4096, "{data:?}");
            assert_eq!(Memory::bytes(&shape, (512, 512)), 4096, "{data:?}");
            assert_eq!(
                memory.block(0, true, 4096),
                memory.block(511, true, 4096),
                "{data:?}"
            );
            let data_is = memory.buffers.bytes(0, 4096).iter().any(|byte| *byte != 0);
            assert_eq!(data_is, data == DataPattern::Repeated);
            // Beside reads it lies behind theirs.
            let shape = Profile { data, ..profile(0.5) };
            assert_eq!(Memory::bytes(&shape, (3, 6)), 4 * 4096, "{data:?}");
        }
    }
}
