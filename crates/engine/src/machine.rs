//! What this machine has, and lets a process have.

use std::path::Path;

/// Bytes that can be taken without swapping, where the kernel tells: of the machine, and of what the group of
/// processes that this one is in, a container, may have.
pub fn available_memory() -> Option<u64> {
    available_below(Path::new("/proc"), Path::new("/sys/fs/cgroup"))
}

fn available_below(proc: &Path, groups: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(proc.join("meminfo")).ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    let own = std::fs::read_to_string(proc.join("self/cgroup")).unwrap_or_default();
    let rooms = own
        .lines()
        .flat_map(|line| rooms_of_groups(line, groups).unwrap_or_default());
    rooms.chain([kib << 10]).min()
}

/// What is left in the group of a line of `/proc/self/cgroup`, and in those that it is in. In a container the
/// path can be that outside of it: what is not there has no limit, and the last is the container's own.
fn rooms_of_groups(line: &str, groups: &Path) -> Option<Vec<u64>> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/'));
    let (base, names) = if controllers.is_empty() {
        (groups.to_path_buf(), VERSION_2)
    } else if controllers.split(',').any(|name| name == "memory") {
        (groups.join("memory"), VERSION_1)
    } else {
        return None;
    };
    let rooms = Path::new(path)
        .ancestors()
        .filter_map(|at| room(&base.join(at), &names));
    Some(rooms.collect())
}

/// Files of a group that tell its limit and its use, and lines of `memory.stat` that tell what of the use are
/// files, which the kernel drops where it needs room.
type Names = [&'static str; 4];
const VERSION_1: Names = [
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    "total_active_file",
    "total_inactive_file",
];
const VERSION_2: Names = ["memory.max", "memory.current", "active_file", "inactive_file"];

fn room(group: &Path, [limit, used, files @ ..]: &Names) -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(group.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let limit = number(limit)?;
    let stat = read("memory.stat").unwrap_or_default();
    let dropped: u64 = stat
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(name, _)| files.contains(name))
        .filter_map(|(_, bytes)| bytes.parse::<u64>().ok())
        .sum();
    let kept = number(used).unwrap_or(0).saturating_sub(dropped);
    Some(limit.saturating_sub(kept))
}

/// Let this process open as many files as it may: each ring is one. How many that are.
pub(crate) fn raise_file_limit() -> usize {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: both calls read or write the limit on this stack, and nothing else.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) == 0 {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit);
            libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        }
    }
    usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX)
}

/// Let the kernel wake this thread when it asked to be woken: by default it may come 50 µs later.
pub(crate) fn wake_precisely() {
    // SAFETY: takes a number, and changes nothing but this thread's timer slack.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) };
}

#[cfg(test)]
mod tests;
