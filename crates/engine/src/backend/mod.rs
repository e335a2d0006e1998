//! The ways to the kernel. A backend takes I/Os in and gives completions out; what to
//! ask, when, and what to count is the worker's.

pub(crate) mod aio;
mod discard;
pub(crate) mod nop;
pub(crate) mod null;
pub(crate) mod ring;
pub(crate) mod sync;
mod unfit;

use std::io;

use iodyno_load::request::{EngineChoice, Point, Target, TargetKind};

use crate::error::EngineError;

/// An I/O to be done. The slot comes back with the completion.
#[derive(Clone, Copy)]
pub(crate) struct Io {
    pub(crate) slot: usize,
    pub(crate) target: usize,
    pub(crate) write: bool,
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
    /// Memory that it reads into or writes from, in the worker's buffers.
    pub(crate) block: *mut u8,
}

/// A command to be done: an I/O without data.
#[derive(Clone, Copy)]
pub(crate) struct CommandIo {
    pub(crate) slot: usize,
    pub(crate) target: usize,
    pub(crate) what: What,
}

/// What a command does. Its completion has the result 0.
#[derive(Clone, Copy)]
pub(crate) enum What {
    /// Make what was written durable, and all of the file's metadata with it.
    Fsync,
    /// The same with the metadata that are needed to read it.
    Fdatasync,
    /// Trim bytes from an offset on.
    Trim(u64, u32),
}

/// A completion: bytes done, or the negative error number.
#[derive(Clone, Copy)]
pub(crate) struct Done {
    pub(crate) slot: usize,
    pub(crate) result: i32,
}

/// Longest wait in the kernel that has to end by itself: how long a worker takes to hear that it shall stop.
pub(crate) const LONGEST_WAIT_NS: u64 = 50_000_000;

/// Most I/Os handed over in one go to a device: what the kernel itself gathers before a device hears of it.
const LARGEST_BATCH: usize = 32;

/// I/Os handed over in one go. Past the caches a quarter of what may be outstanding: a batch saves CPU time, but its
/// first I/O starts only when the last is prepared, and a device that waits for batches is not kept at its depth.
/// From the caches the kernel copies within the call: no device waits, and all go over at once.
pub(crate) fn batch(slots: usize, direct: bool) -> usize {
    if direct {
        (slots / 4).clamp(1, LARGEST_BATCH)
    } else {
        slots.max(1)
    }
}

/// A way to the kernel.
pub(crate) trait Backend {
    /// Queue an I/O; [`Backend::exchange`] hands it over.
    fn push(&mut self, io: &Io);

    /// Queue a command; [`Backend::exchange`] hands it over.
    fn push_command(&mut self, command: &CommandIo);

    /// Hand over what is queued, and wait until `want` I/Os are complete or the time is up. Gives the number of
    /// system calls.
    fn exchange(&mut self, want: usize, timeout_ns: u64) -> io::Result<u64>;

    /// Give every completion that the exchange found.
    fn reap(&mut self, take: impl FnMut(Done));

    /// Set-up flags and registrations that are active, by their kernel names.
    fn setup(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Give up what is not in the set-up of every worker, so that all are alike. Comes before the first I/O.
    fn agree(&mut self, _common: &[&'static str]) -> io::Result<()> {
        Ok(())
    }
}

/// An engine that can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A ring a worker.
    IoUring,
    /// The kernel's asynchronous I/O.
    Aio,
    /// pread and pwrite, a thread for each outstanding I/O.
    Sync,
    /// Nothing.
    Null,
    /// A ring a worker, in which nothing is asked of the targets.
    Nop,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Self; 5] = [Self::IoUring, Self::Aio, Self::Sync, Self::Null, Self::Nop];

    /// Its name in studies and readings.
    pub fn name(self) -> &'static str {
        match self {
            Self::IoUring => "io_uring",
            Self::Aio => "aio",
            Self::Sync => "sync",
            Self::Null => "null",
            Self::Nop => "nop",
        }
    }

    /// Whether it asks the targets.
    pub(crate) fn asks(self) -> bool {
        !matches!(self, Self::Null | Self::Nop)
    }

    /// Why this machine does not allow it; nothing where it does.
    pub fn forbidden(self) -> Option<String> {
        let probe = match self {
            Self::IoUring | Self::Nop => ring::probe(),
            Self::Aio => aio::probe(),
            Self::Sync | Self::Null => Ok(()),
        };
        probe.err().map(|error| error.to_string())
    }
}

/// Every engine with the reason why this machine does not allow it.
pub fn available() -> Vec<(Engine, Option<String>)> {
    let all = Engine::ALL.into_iter();
    all.map(|engine| (engine, engine.forbidden())).collect()
}

/// The engine that answers a point, and why it was chosen if that was left open.
pub(crate) fn choose(point: &Point) -> Result<(Engine, String), EngineError> {
    refuse_virtual(point)?;
    let asked = match point.engine {
        EngineChoice::Auto => {
            return unfit::fitting(best(), point)
                .map_err(|why| EngineError::Unavailable { engine: "auto", why });
        }
        EngineChoice::IoUring => Engine::IoUring,
        EngineChoice::Aio => Engine::Aio,
        EngineChoice::Sync => Engine::Sync,
        EngineChoice::Null => Engine::Null,
        EngineChoice::Nop => Engine::Nop,
        EngineChoice::Simulator | EngineChoice::Analytic => return Err(unavailable("simulator")),
    };
    match asked.forbidden().or_else(|| unfit::unfit(asked, point)) {
        None => Ok((asked, String::new())),
        Some(why) => Err(EngineError::Unavailable {
            engine: asked.name(),
            why,
        }),
    }
}

/// A virtual target is nothing that an engine could open.
fn refuse_virtual(point: &Point) -> Result<(), EngineError> {
    let real = |target: &Target| target.kind != TargetKind::Virtual;
    if point.system.is_none() && point.targets.iter().all(real) {
        return Ok(());
    }
    Err(unavailable("engine"))
}

fn unavailable(engine: &'static str) -> EngineError {
    EngineError::Unavailable {
        engine,
        why: "virtual targets are simulated, real ones measured".to_owned(),
    }
}

fn best() -> (Engine, String) {
    let Some(no_ring) = Engine::IoUring.forbidden() else {
        return (Engine::IoUring, "io_uring is allowed here".to_owned());
    };
    match Engine::Aio.forbidden() {
        None => (Engine::Aio, format!("no io_uring: {no_ring}")),
        Some(no_aio) => (Engine::Sync, format!("no io_uring: {no_ring}; no aio: {no_aio}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made;

    fn point(engine: EngineChoice, kind: TargetKind, system: Option<&str>) -> Point {
        let mut target = made::target("a", (0, 4096));
        target.kind = kind;
        Point {
            system: system.map(str::to_owned),
            ..made::point(engine, made::profile(1.0), &[target])
        }
    }

    #[test]
    fn what_is_virtual_is_refused() {
        for (engine, kind, system) in [
            (EngineChoice::Null, TargetKind::Virtual, None),
            (EngineChoice::Null, TargetKind::File, Some("p3700")),
            (EngineChoice::Simulator, TargetKind::File, None),
            (EngineChoice::Analytic, TargetKind::File, None),
        ] {
            let refused = choose(&point(engine, kind, system)).expect_err("nothing to open");
            assert!(refused.to_string().contains("virtual targets"), "{refused}");
        }
        assert!(choose(&point(EngineChoice::Null, TargetKind::File, None)).is_ok());
    }

    #[test]
    fn a_device_begins_before_all_is_prepared_and_the_caches_get_all_at_once() {
        for slots in 1..2000 {
            let of = batch(slots, true);
            assert!(
                (1..=LARGEST_BATCH).contains(&of) && (of == 1 || 4 * of <= slots),
                "{slots}: {of}"
            );
            assert_eq!(batch(slots, false), slots);
        }
    }
}
