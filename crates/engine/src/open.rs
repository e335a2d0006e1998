//! Opening targets: read-only where nothing is written, exclusive where a device is.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use iodyno_load::request::{Point, Profile, Target, TargetKind};

use crate::error::EngineError;
use crate::observer::Control;

/// How long a device may stay claimed by the point before: the kernel lets go of a ring's files in its own time,
/// after the ring is closed.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(2);

/// What is done to a target by all loads that have it.
#[derive(Clone, Copy, Default)]
struct Access {
    reads: bool,
    alters: bool,
}

/// Open every target of a point, one that several loads have once for all; the observer can interrupt while
/// one is still claimed.
pub(crate) fn open_targets(
    point: &Point,
    observe: &mut dyn FnMut() -> Control,
) -> Result<Vec<File>, EngineError> {
    let mut accesses: HashMap<&str, Access> = HashMap::new();
    let loads = point.loads();
    for (load, target) in loads
        .iter()
        .flat_map(|load| load.targets.iter().map(move |target| (load, target)))
    {
        let access = accesses.entry(&target.path).or_default();
        access.reads |= load.profile.reads();
        access.alters |= load.profile.writes() || load.profile.trims();
    }
    let mut files: Vec<File> = Vec::new();
    for target in &point.targets {
        let again = point.targets.iter().take(files.len());
        let file = match again.into_iter().position(|before| before.path == target.path) {
            Some(first) => files[first]
                .try_clone()
                .map_err(EngineError::system("a file could not be opened twice"))?,
            None => {
                let open = || open(target, point, accesses[target.path.as_str()]);
                open_when_free(Path::new(&target.path), open, observe)?
            }
        };
        files.push(holds_area(file, target)?);
    }
    if point.cold_cache {
        for (file, target) in files.iter().zip(&point.targets) {
            drop_cached(file, target).map_err(EngineError::system(
                "what memory has of a target could not be dropped",
            ))?;
        }
    }
    Ok(files)
}

/// Let the kernel forget what it has of an area in its cache, once that is on the device.
fn drop_cached(file: &File, target: &Target) -> io::Result<()> {
    file.sync_data()?;
    let (start, length) = (target.area_start_bytes, target.area_length_bytes);
    advise(file, (start, length), libc::POSIX_FADV_DONTNEED)
}

/// Tell the kernel how a load will access files, each of which is open for it: what it reads ahead.
pub(crate) fn tell_order(files: &[File], profile: &Profile) -> io::Result<()> {
    let random = profile.random_of(profile.read_share == 0.0) > 0.5;
    let advice = [libc::POSIX_FADV_SEQUENTIAL, libc::POSIX_FADV_RANDOM][usize::from(random)];
    files.iter().try_for_each(|file| advise(file, (0, 0), advice))
}

fn advise(file: &File, (start, length): (u64, u64), advice: libc::c_int) -> io::Result<()> {
    // SAFETY: says something of a descriptor that is open.
    match unsafe { libc::posix_fadvise(file.as_raw_fd(), start as i64, length as i64, advice) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// Open a file, again and again while it is a device that the point before still claims.
pub(crate) fn open_when_free(
    path: &Path,
    open: impl Fn() -> Result<File, EngineError>,
    observe: &mut dyn FnMut() -> Control,
) -> Result<File, EngineError> {
    let until = Instant::now() + PATIENCE;
    // While one descriptor is open, the kernel gives the device's name to no other.
    let _held = File::open(path);
    loop {
        match open() {
            Err(EngineError::Open { source, .. })
                if source.raw_os_error() == Some(libc::EBUSY) && Instant::now() < until => {}
            opened => return opened,
        }
        if observe() == Control::Interrupt {
            return Err(EngineError::Interrupted);
        }
        std::thread::sleep(PAUSE);
    }
}

/// The same files opened once more, in the same way, for one thread alone; none where the system does not do that.
///
/// The kernel notes in an open file where it was read last, with each I/O: threads on different processors
/// that share one wait for each other.
pub(crate) fn opened_again(files: &[File]) -> Option<Vec<File>> {
    let again = |file: &File| {
        let number = file.as_raw_fd();
        // SAFETY: asks for the flags of a descriptor that is open, and changes nothing.
        let flags = unsafe { libc::fcntl(number, libc::F_GETFL) };
        let access = flags & libc::O_ACCMODE;
        OpenOptions::new()
            .read(access != libc::O_WRONLY)
            .write(access != libc::O_RDONLY)
            .custom_flags(flags & !libc::O_ACCMODE)
            .open(format!("/proc/self/fd/{number}"))
            .ok()
    };
    files.iter().map(again).collect()
}

/// Refuse a device whose area is not there: it was detached, or another one has its name.
fn holds_area(mut file: File, target: &Target) -> Result<File, EngineError> {
    let end = target.area_start_bytes + target.area_length_bytes;
    let failed = |source| EngineError::Open {
        path: target.path.clone(),
        source,
        direct: false,
    };
    if target.kind == TargetKind::Device && file.seek(SeekFrom::End(0)).map_err(failed)? < end {
        return Err(failed(io::Error::from_raw_os_error(libc::ENOMEDIUM)));
    }
    Ok(file)
}

fn open(target: &Target, point: &Point, access: Access) -> Result<File, EngineError> {
    let direct = point.direct;
    let mut flags = 0;
    if direct {
        flags |= libc::O_DIRECT;
    }
    if point.write_through {
        flags |= libc::O_DSYNC;
    }
    if target.kind == TargetKind::Device && access.alters {
        // Held for the whole point: nobody can mount it under the load.
        flags |= libc::O_EXCL;
    }
    let with = |flags| {
        OpenOptions::new()
            .read(access.reads)
            .write(access.alters)
            .custom_flags(flags)
            .open(&target.path)
    };
    // Reading must not write: no access times, where the kernel lets whoever asks leave them as they are.
    with(flags | libc::O_NOATIME)
        .or_else(|error| match error.raw_os_error() {
            Some(libc::EPERM) => with(flags),
            _ => Err(error),
        })
        .map_err(|source| EngineError::Open {
            path: target.path.clone(),
            source,
            direct,
        })
}

#[cfg(test)]
mod tests {
    use iodyno_load::request::EngineChoice;

    use super::*;
    use crate::made::{Scratch, beside, point, profile, target};

    fn flags(file: &File) -> i32 {
        // SAFETY: asks for the flags of a descriptor that is open.
        unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFL) }
    }

    #[test]
    fn targets_are_opened_as_all_loads_together_need_them() {
        let (one, other) = (Scratch::new("open-1", 4096), Scratch::new("open-2", 4096));
        let [one, other] = [one, other].map(|file| (target(&file.0, (0, 4096)), file));
        let opened = |first, second: Option<f64>, (direct, write_through)| {
            let targets = [one.0.clone(), other.0.clone(), one.0.clone()];
            let beside = second.map(|share| beside(profile(share), 1));
            let point = Point {
                beside: beside.into_iter().collect(),
                direct,
                write_through,
                ..point(EngineChoice::Sync, profile(first), &targets)
            };
            open_targets(&point, &mut || Control::Continue).expect("they are opened")
        };
        let ways = |first, second| {
            let files = opened(first, second, (false, false));
            files
                .iter()
                .map(|file| flags(file) & libc::O_ACCMODE)
                .collect::<Vec<_>>()
        };
        let (reads, writes, both) = (libc::O_RDONLY, libc::O_WRONLY, libc::O_RDWR);
        assert_eq!(ways(1.0, None), [reads; 3]);
        assert_eq!(ways(0.0, None), [writes; 3]);
        assert_eq!(ways(0.5, None), [both; 3]);
        // The last load has the first file too.
        assert_eq!(ways(1.0, Some(0.0)), [both, reads, both]);
        assert_eq!(ways(0.0, Some(1.0)), [both, writes, both]);
        for (asked, flag) in [((true, false), libc::O_DIRECT), ((false, true), libc::O_DSYNC)] {
            let files = opened(0.5, None, asked);
            let has = |flag| {
                files
                    .iter()
                    .map(|file| flags(file) & flag == flag)
                    .collect::<Vec<_>>()
            };
            assert_eq!(has(flag), [true; 3]);
            let not = if flag == libc::O_DIRECT {
                libc::O_DSYNC
            } else {
                libc::O_DIRECT
            };
            assert_eq!(has(not), [false; 3]);
        }
        // What stands twice is one open file: it has one position.
        let mut files = opened(1.0, None, (false, false));
        files[0].seek(SeekFrom::Start(7)).expect("it moves");
        let places: Vec<_> = files
            .iter_mut()
            .map(|file| file.stream_position().expect("a place"))
            .collect();
        assert_eq!(places, [7, 0, 7]);
    }

    #[test]
    fn a_device_that_ends_before_its_area_is_refused() {
        let file = Scratch::new("short", 8192);
        let opened = |kind, length| {
            let mut area = target(&file.0, (4096, length));
            area.kind = kind;
            let point = point(EngineChoice::Sync, profile(1.0), &[area]);
            open_targets(&point, &mut || Control::Continue).map(|files| files.len())
        };
        assert!(matches!(opened(TargetKind::Device, 4096), Ok(1)));
        // Of a file that was cut the reads come back short: that is data.
        assert!(matches!(opened(TargetKind::File, 8192), Ok(1)));
        let refused = opened(TargetKind::Device, 8192).expect_err("it ends before");
        assert!(refused.to_string().contains("No medium found"), "{refused}");
    }

    #[test]
    fn a_file_opened_again_is_the_same_in_the_same_way_and_another_open_file() {
        let path = std::env::temp_dir().join(format!("iodyno-again-{}", std::process::id()));
        std::fs::write(&path, "0123456789").expect("a file");
        let open = |write, flags| {
            OpenOptions::new()
                .read(true)
                .write(write)
                .custom_flags(flags)
                .open(&path)
                .expect("it is there")
        };
        let mut files = [open(false, libc::O_NOATIME), open(true, libc::O_DSYNC)];
        std::fs::remove_file(&path).expect("it goes");
        let again = opened_again(&files).expect("the system opens them again");
        for (file, own) in files.iter_mut().zip(&again) {
            assert_eq!(flags(file), flags(own));
            assert_eq!(std::io::read_to_string(own).expect("it is read"), "0123456789");
            assert_eq!(file.stream_position().expect("a position"), 0);
        }
    }
}
