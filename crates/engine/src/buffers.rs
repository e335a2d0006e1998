//! The memory of a worker: one mapping, so that one registration covers it.

use std::io;
use std::ptr::NonNull;

/// Alignment that direct I/O is content with everywhere.
pub(crate) const PAGE_BYTES: usize = 4096;

/// Memory of its own, zeroed, aligned to pages.
pub(crate) struct Buffers {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the mapping belongs to this value alone and is reached through it only.
unsafe impl Send for Buffers {}

impl Buffers {
    /// Map so many bytes, in large pages where there are any, touched so that none is missing.
    pub(crate) fn map(bytes: usize) -> io::Result<Self> {
        let bytes = bytes.max(1).next_multiple_of(PAGE_BYTES);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new anonymous mapping; nothing else is at stake.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).expect("a mapping is not at 0");
        let buffers = Self { base, bytes };
        // SAFETY: the mapping that was just made. A hint: without large pages it works too.
        unsafe { libc::madvise(base.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
        for page in (0..bytes).step_by(PAGE_BYTES) {
            // SAFETY: within the mapping, which nobody else knows yet.
            unsafe { base.as_ptr().add(page).write_volatile(0) };
        }
        Ok(buffers)
    }

    /// The address of a range, for the kernel to read or write.
    #[inline]
    pub(crate) fn at(&self, start: usize, bytes: usize) -> *mut u8 {
        assert!(start + bytes <= self.bytes, "a range beyond the mapping");
        // SAFETY: the range lies within the mapping, which was just checked.
        unsafe { self.base.as_ptr().add(start) }
    }

    /// A range, to look at.
    pub(crate) fn bytes(&self, start: usize, bytes: usize) -> &[u8] {
        // SAFETY: within the mapping; no I/O under way writes to it.
        unsafe { std::slice::from_raw_parts(self.at(start, bytes), bytes) }
    }

    /// A word at the start of a range of 8 bytes.
    #[inline]
    pub(crate) fn set_word(&mut self, start: usize, word: u64) {
        let place = self.at(start, 8).cast::<u64>();
        // SAFETY: within the mapping, in a place that no I/O under way uses.
        unsafe { place.write_unaligned(word) };
    }

    /// The mapping as the kernel wants to register it.
    pub(crate) fn iovec(&self) -> libc::iovec {
        libc::iovec {
            iov_base: self.base.as_ptr().cast(),
            iov_len: self.bytes,
        }
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // I/O may be under way: a leak is the lesser evil.
            return;
        }
        // SAFETY: exactly the mapping that was made. No I/O is under way: who drops it has
        // drained what was issued, or leaks it instead.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_there_before_it_is_used() {
        let buffers = Buffers::map((3 << 20) + 1).expect("memory");
        let mut there = vec![0_u8; buffers.bytes / PAGE_BYTES];
        // SAFETY: the kernel writes a byte for each page of the mapping.
        let told = unsafe { libc::mincore(buffers.base.as_ptr().cast(), buffers.bytes, there.as_mut_ptr()) };
        assert_eq!((told, there.len()), (0, 769));
        assert!(there.iter().all(|page| page & 1 == 1));
        assert!(buffers.bytes(0, buffers.bytes).iter().all(|byte| *byte == 0));
    }
}
