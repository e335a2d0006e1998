//! Opening targets: read-only where nothing is written, exclusive where a device is.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, Instant};

use iodyno_load::request::{Point, Target, TargetKind};

use crate::error::EngineError;
use crate::run::Control;

/// How long a device may stay claimed by the point before: the kernel lets go of a ring's files in its own time,
/// after the ring is closed.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(2);

/// Open every target of a point; the observer can interrupt while one is still claimed.
pub(crate) fn open_targets(
    point: &Point,
    observe: &mut dyn FnMut() -> Control,
) -> Result<Vec<File>, EngineError> {
    let targets = point.targets.iter();
    targets
        .map(|target| open_when_free(target, point, observe))
        .collect()
}

fn open_when_free(
    target: &Target,
    point: &Point,
    observe: &mut dyn FnMut() -> Control,
) -> Result<File, EngineError> {
    let until = Instant::now() + PATIENCE;
    // While one descriptor is open, the kernel gives the device's name to no other.
    let _held = File::open(&target.path);
    loop {
        match open(target, point) {
            Err(EngineError::Open { source, .. })
                if source.raw_os_error() == Some(libc::EBUSY) && Instant::now() < until => {}
            opened => return opened.and_then(|file| holds_area(file, target)),
        }
        if observe() == Control::Interrupt {
            return Err(EngineError::Interrupted);
        }
        std::thread::sleep(PAUSE);
    }
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

fn open(target: &Target, point: &Point) -> Result<File, EngineError> {
    let (profile, direct) = (&point.profile, point.direct);
    let mut flags = libc::O_CLOEXEC;
    if direct {
        flags |= libc::O_DIRECT;
    }
    if point.write_through {
        flags |= libc::O_DSYNC;
    }
    if target.kind == TargetKind::Device && (profile.writes() || profile.trims()) {
        // Held for the whole point: nobody can mount it under the load.
        flags |= libc::O_EXCL;
    }
    OpenOptions::new()
        .read(profile.reads())
        .write(profile.writes() || profile.trims())
        .custom_flags(flags)
        .open(&target.path)
        .map_err(|source| EngineError::Open {
            path: target.path.clone(),
            source,
            direct,
        })
}
