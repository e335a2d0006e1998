//! Points for the tests of this crate.

use std::io;
use std::os::unix::thread::JoinHandleExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use iodyno_load::request::{
    Arrival, EngineChoice, Load, Point, Profile, Stopping, Target, TargetKind, WorkersArea,
};
use serde_json::json;

pub(crate) const REAL: [EngineChoice; 3] = [EngineChoice::IoUring, EngineChoice::Aio, EngineChoice::Sync];

/// Random accesses of 4 KiB of which this share reads.
pub(crate) fn profile(read_share: f64) -> Profile {
    let said = json!({
        "random_share": 1.0,
        "read_share": read_share,
        "blocks": [{ "bytes": 4096, "weight": 1.0 }],
        "alignment_bytes": 4096,
        "data": "incompressible",
        "shown_as": "transaction_rate",
    });
    serde_json::from_value(said).expect("a profile")
}

/// An area of a target.
pub(crate) fn target(path: impl AsRef<Path>, (start, length): (u64, u64)) -> Target {
    Target {
        path: path.as_ref().display().to_string(),
        kind: TargetKind::File,
        area_start_bytes: start,
        area_length_bytes: length,
    }
}

/// One I/O outstanding on targets for a tenth of a second, through the caches.
pub(crate) fn point(engine: EngineChoice, profile: Profile, targets: &[Target]) -> Point {
    Point {
        profile,
        targets: targets.to_vec(),
        beside: Vec::new(),
        outstanding: 1,
        workers: 1,
        workers_area: WorkersArea::Shared,
        targets_per_worker: None,
        rate_io_s: None,
        arrival: Arrival::Fixed,
        begins_after_s: 0.0,
        engine,
        direct: false,
        write_through: false,
        cold_cache: false,
        iopoll: false,
        worker_cpus: Vec::new(),
        stopping: Stopping {
            warmup_s: 0.0,
            floor_s: 0.1,
            cap_s: 0.1,
            precision: 0.02,
            confidence: 0.95,
            warmup_ios: None,
            floor_ios: None,
            cap_ios: None,
        },
        seed: 20_260_101,
        system: None,
    }
}

/// A load on so many targets, beside another.
pub(crate) fn beside(profile: Profile, targets: usize) -> Load {
    Load {
        profile,
        targets,
        outstanding: 1,
        workers: 1,
        workers_area: WorkersArea::Shared,
        targets_per_worker: None,
        rate_io_s: None,
        arrival: Arrival::Fixed,
        begins_after_s: 0.0,
        seed: 77,
    }
}

/// A wait that only a signal ends, in ns.
pub(crate) const HOURS_NS: u64 = 10 * 3600 * 1_000_000_000;

/// Send signals to a thread until what it does ends, which must be well.
pub(crate) fn signalled(does: impl FnOnce() -> io::Result<()> + Send + 'static) {
    extern "C" fn heard(_: libc::c_int) {}
    // SAFETY: the handler does nothing; calls that it interrupts are not begun again.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = heard as extern "C" fn(libc::c_int) as libc::sighandler_t;
        assert_eq!(
            libc::sigaction(libc::SIGUSR2, &raw const action, std::ptr::null_mut()),
            0
        );
    }
    let thread = std::thread::spawn(does);
    while !thread.is_finished() {
        // SAFETY: the thread has not been joined, so that its handle is its own.
        unsafe { libc::pthread_kill(thread.as_pthread_t(), libc::SIGUSR2) };
        std::thread::sleep(Duration::from_millis(1));
    }
    thread.join().expect("it does not panic").expect("no error");
}

/// A file that goes with the test; sparse, of so many bytes.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, bytes: u64) -> Self {
        let path = std::env::temp_dir().join(format!("iodyno-{name}-{}", std::process::id()));
        let file = std::fs::File::create(&path).expect("a file");
        file.set_len(bytes).expect("its length");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
