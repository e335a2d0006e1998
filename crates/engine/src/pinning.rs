//! Which processors a thread runs on.

use std::io;

/// Pin the calling thread to these processors, never to one that it may not use already.
///
/// Gives the processors that it is pinned to, as the kernel tells them: none where none is
/// asked for, or where it may use none of them.
pub(crate) fn pin(cpus: &[usize]) -> io::Result<Vec<usize>> {
    let allowed = affinity()?;
    let chosen: Vec<usize> = cpus.iter().copied().filter(|cpu| allowed.contains(cpu)).collect();
    if chosen.is_empty() {
        return Ok(chosen);
    }
    let mut words = vec![0u64; chosen[chosen.len() - 1] / 64 + 1];
    for cpu in chosen {
        words[cpu / 64] |= 1 << (cpu % 64);
    }
    // SAFETY: the kernel reads so many bytes of the mask.
    let pinned = unsafe {
        libc::syscall(
            libc::SYS_sched_setaffinity,
            0,
            size_of_val(words.as_slice()),
            words.as_ptr(),
        )
    };
    if pinned < 0 {
        return Err(io::Error::last_os_error());
    }
    affinity()
}

/// The processors that the calling thread may use, ascending.
fn affinity() -> io::Result<Vec<usize>> {
    let mut words = [0u64; 128];
    // SAFETY: the kernel writes at most so many bytes to the mask.
    let bytes = unsafe {
        libc::syscall(
            libc::SYS_sched_getaffinity,
            0,
            size_of_val(&words),
            words.as_mut_ptr(),
        )
    };
    if bytes < 0 {
        return Err(io::Error::last_os_error());
    }
    let has = |cpu: &usize| words[cpu / 64] >> (cpu % 64) & 1 == 1;
    Ok((0..words.len() * 64).filter(has).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_pinned_to_what_it_may_use_and_no_more() {
        std::thread::spawn(|| {
            let before = affinity().expect("a mask");
            let beyond = before[before.len() - 1] + 1;
            assert!(pin(&[beyond]).expect("refused quietly").is_empty());
            assert_eq!(affinity().expect("a mask"), before);
            assert_eq!(pin(&[before[0], beyond]).expect("pinned"), before[..1]);
            assert_eq!(affinity().expect("a mask"), before[..1]);
        })
        .join()
        .expect("as asserted");
    }
}
