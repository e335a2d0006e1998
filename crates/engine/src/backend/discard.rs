//! Which engines can trim a block device: `sync` by an ioctl everywhere, `io_uring` by a
//! command of Linux 6.12.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use io_uring::types::Fd;
use io_uring::{IoUring, opcode, squeue};
use iodyno_load::request::Point;

use super::Engine;

/// BLOCK_URING_CMD_DISCARD of linux/blkdev.h.
const COMMAND: u32 = 0x12 << 8;

/// The ring's command that trims bytes of a file from an offset on.
pub(crate) fn entry(file: Fd, offset: u64, bytes: u32) -> squeue::Entry {
    let mut length = [0; 16];
    length[..8].copy_from_slice(&u64::from(bytes).to_ne_bytes());
    let command = opcode::UringCmd16::new(file, COMMAND);
    command.addr(Some(offset)).cmd(length).build()
}

/// Why an engine cannot trim the targets of a point; nothing where it can.
pub(crate) fn forbidden(engine: Engine, point: &Point) -> Option<String> {
    match engine {
        Engine::Sync | Engine::Null | Engine::Nop => None,
        Engine::Aio => Some("the kernel's asynchronous I/O has no trim".to_owned()),
        // What the caches hold is written back first, and the trim is refused where another write comes meanwhile.
        Engine::IoUring if !point.direct => {
            Some("the kernel refuses its ring trims of what the caches hold".to_owned())
        }
        Engine::IoUring => {
            let mut failures = point.targets.iter().map(|target| probe(&target.path));
            let failure = failures.find_map(Result::err)?;
            Some(format!("its ring does not trim: {failure}"))
        }
    }
}

/// Ask for a trim through a file that is open for reading only: a kernel that knows the
/// command objects to that, and nothing is trimmed.
fn probe(path: &str) -> io::Result<()> {
    match ask(&File::open(path)?)? {
        errno if errno == -libc::EBADF => Ok(()),
        errno => Err(io::Error::from_raw_os_error(-errno)),
    }
}

fn ask(file: &File) -> io::Result<i32> {
    let mut ring = IoUring::new(1)?;
    let entry = entry(Fd(file.as_raw_fd()), 0, 4096);
    // SAFETY: the entry names a file that is open, and no memory.
    unsafe { ring.submission().push(&entry) }.map_err(|_| io::ErrorKind::WouldBlock)?;
    ring.submit_and_wait(1)?;
    let done = ring.completion().next().ok_or(io::ErrorKind::WouldBlock)?;
    Ok(done.result())
}
