//! Opening targets: read-only where nothing is written, exclusive where a device is.

use std::collections::HashMap;
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
            None => open_when_free(target, (point, accesses[target.path.as_str()]), observe)?,
        };
        files.push(holds_area(file, target)?);
    }
    Ok(files)
}

fn open_when_free(
    target: &Target,
    (point, access): (&Point, Access),
    observe: &mut dyn FnMut() -> Control,
) -> Result<File, EngineError> {
    let until = Instant::now() + PATIENCE;
    // While one descriptor is open, the kernel gives the device's name to no other.
    let _held = File::open(&target.path);
    loop {
        match open(target, point, access) {
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
    let mut flags = libc::O_CLOEXEC;
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
    OpenOptions::new()
        .read(access.reads)
        .write(access.alters)
        .custom_flags(flags)
        .open(&target.path)
        .map_err(|source| EngineError::Open {
            path: target.path.clone(),
            source,
            direct,
        })
}
