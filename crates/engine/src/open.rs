//! Opening targets: read-only where nothing is written, exclusive where a device is.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;

use iodyno_load::request::{Point, Profile, Target, TargetKind};

use crate::error::EngineError;

/// Open every target of a point.
pub(crate) fn open_targets(point: &Point) -> Result<Vec<File>, EngineError> {
    let targets = point.targets.iter();
    targets
        .map(|target| open(target, &point.profile, point.direct))
        .collect()
}

fn open(target: &Target, profile: &Profile, direct: bool) -> Result<File, EngineError> {
    let mut flags = libc::O_CLOEXEC;
    if direct {
        flags |= libc::O_DIRECT;
    }
    if target.kind == TargetKind::Device && profile.writes() {
        // Held for the whole point: nobody can mount it under the load.
        flags |= libc::O_EXCL;
    }
    OpenOptions::new()
        .read(profile.reads())
        .write(profile.writes())
        .custom_flags(flags)
        .open(&target.path)
        .map_err(|source| EngineError::Open {
            path: target.path.clone(),
            source,
            direct,
        })
}
