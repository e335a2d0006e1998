//! The memory of a worker: one mapping, a block for each outstanding I/O.

use std::io;
use std::ptr::NonNull;

const PAGE: usize = 4096;

/// Blocks of equal size, aligned for direct I/O, in memory of their own.
pub(crate) struct Buffers {
    base: NonNull<u8>,
    stride: usize,
    blocks: usize,
}

// SAFETY: the mapping belongs to this value alone and is reached through it only.
unsafe impl Send for Buffers {}

impl Buffers {
    /// Map `blocks` blocks that hold `bytes` each, touched so that no page is missing.
    pub(crate) fn map(blocks: usize, bytes: usize) -> io::Result<Self> {
        let stride = bytes.next_multiple_of(PAGE);
        let length = stride.checked_mul(blocks).ok_or(io::ErrorKind::OutOfMemory)?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_POPULATE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new anonymous mapping; nothing else is at stake.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), length, access, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).expect("a mapping is not at 0");
        Ok(Self { base, stride, blocks })
    }

    /// Where a block begins.
    #[inline]
    pub(crate) fn at(&self, block: usize) -> *mut u8 {
        assert!(block < self.blocks, "a block that there is not");
        // SAFETY: the block lies within the mapping, which was just checked.
        unsafe { self.base.as_ptr().add(block * self.stride) }
    }

    /// The first `bytes` of a block, to be written to.
    ///
    /// The caller makes sure that no I/O is under way on the block.
    #[inline]
    pub(crate) fn block_mut(&mut self, block: usize, bytes: usize) -> &mut [u8] {
        assert!(bytes <= self.stride, "more than a block holds");
        // SAFETY: within the mapping, initialised by the kernel, and borrowed with self.
        unsafe { std::slice::from_raw_parts_mut(self.at(block), bytes) }
    }

    /// The mapping as the kernel wants to register it.
    pub(crate) fn iovec(&self) -> libc::iovec {
        libc::iovec {
            iov_base: self.base.as_ptr().cast(),
            iov_len: self.stride * self.blocks,
        }
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        let iovec = self.iovec();
        // SAFETY: exactly the mapping that was made, and no I/O is under way when a worker
        // lets go of it.
        unsafe { libc::munmap(iovec.iov_base, iovec.iov_len) };
    }
}
