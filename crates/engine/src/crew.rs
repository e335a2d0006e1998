//! The threads of a point: they set up, wait for each other, begin together, and end.

mod post;

use std::fs::File;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use iodyno_load::gather::Place;
use iodyno_load::integrity::Ledger;
use iodyno_load::request::Point;

use crate::backend::Engine;
use crate::clock::Clock;
use crate::error::EngineError;
use crate::gate::{Gate, Start};
use crate::machine::raise_file_limit;
use crate::observer::Control;
use crate::worker::{Drained, Shared};
use post::{enough_memory, posts};

/// How often the observer is asked while threads set up.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long workers may take to finish when the caller asked to stop.
const PATIENCE: Duration = Duration::from_millis(300);
/// Stack of a thread that does one I/O at a time.
const SMALL_STACK: usize = 256 << 10;

type Ready = Result<Vec<&'static str>, EngineError>;

/// All threads of a point.
pub(crate) struct Crew {
    pub(crate) clock: Clock,
    /// What is active in the kernel, by name.
    pub(crate) setup: Vec<&'static str>,
    /// One for each thread.
    pub(crate) shared: Vec<Arc<Shared>>,
    /// The worker and the load of each thread.
    pub(crate) places: Vec<Place>,
    pub(crate) threads: Vec<JoinHandle<std::io::Result<Drained>>>,
}

impl Crew {
    /// Start every thread, wait until all are ready, and let them go together.
    pub(crate) fn start(
        point: &Point,
        engine: Engine,
        files: &Arc<Vec<File>>,
        (data_seed, ledger): (u64, Option<&Arc<Ledger>>),
        observe: &mut dyn FnMut() -> Control,
    ) -> Result<Self, EngineError> {
        let limit = raise_file_limit();
        let posts = posts(point, engine, data_seed, ledger);
        // With rings at most half of what may be open: the rest of the process opens files too.
        let own: usize = posts.iter().map(|post| post.files() + 1).sum();
        let apart = posts.len() > 1 && own <= limit / 2;
        enough_memory(&posts)?;
        let gate = Arc::new(Gate::default());
        let (ready, heard) = mpsc::channel();
        let mut crew = Self {
            clock: Clock::start(),
            setup: Vec::new(),
            shared: Vec::new(),
            places: posts.iter().map(|post| post.place).collect(),
            threads: Vec::new(),
        };
        let started = posts.into_iter().try_for_each(|post| {
            let shared = Arc::new(Shared::default());
            crew.shared.push(Arc::clone(&shared));
            let (gate, ready, files) = (Arc::clone(&gate), ready.clone(), Arc::clone(files));
            let builder = std::thread::Builder::new().name(format!("iodyno-{}", crew.threads.len()));
            let builder = if engine == Engine::Sync {
                builder.stack_size(SMALL_STACK)
            } else {
                builder
            };
            let thread = builder.spawn(move || post.serve((&files, apart), &shared, &gate, &ready));
            crew.threads
                .push(thread.map_err(EngineError::system("a thread could not be started"))?);
            Ok(())
        });
        drop(ready);
        let heard = started.and_then(|()| crew.hear(&heard, observe));
        match heard {
            Ok(setup) => {
                crew.setup.clone_from(&setup);
                crew.clock = Clock::start();
                let clock = crew.clock;
                gate.open(Some(Start { clock, setup }));
                Ok(crew)
            }
            Err(error) => {
                gate.open(None);
                crew.leave();
                Err(error)
            }
        }
    }

    /// Hear of every thread that it is ready; what is active in the kernel for all of them.
    fn hear(
        &self,
        heard: &mpsc::Receiver<Ready>,
        observe: &mut dyn FnMut() -> Control,
    ) -> Result<Vec<&'static str>, EngineError> {
        let mut setups = Vec::new();
        while setups.len() < self.threads.len() {
            // Before it is listened: who refuses ends too, and is heard then.
            let one_ended = self.threads.iter().any(JoinHandle::is_finished);
            match heard.recv_timeout(LOOK_EVERY) {
                Ok(setup) => setups.push(setup?),
                Err(_) if one_ended => return Err(panicked()),
                Err(_) => {}
            }
            if observe() == Control::Interrupt {
                return Err(EngineError::Interrupted);
            }
        }
        Ok(common(setups))
    }

    /// Whether a thread has ended before its time.
    pub(crate) fn lost_one(&self) -> bool {
        let mut threads = self.threads.iter().zip(&self.shared);
        threads.any(|(thread, shared)| thread.is_finished() && !shared.stop.load(Ordering::Relaxed))
    }

    /// Whether every thread has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.threads.iter().all(JoinHandle::is_finished)
    }

    /// The processors that each worker is pinned to; its threads are pinned alike.
    pub(crate) fn cpus(&self) -> Vec<Vec<usize>> {
        let mut cpus = Vec::new();
        for (shared, place) in self.shared.iter().zip(&self.places) {
            if place.worker == cpus.len() {
                cpus.push(shared.cpus.lock().expect("nobody panics with it").clone());
            }
        }
        cpus
    }

    /// Ask every thread to stop.
    pub(crate) fn stop(&self) {
        self.shared
            .iter()
            .for_each(|shared| shared.stop.store(true, Ordering::Relaxed));
    }

    /// Wait for every thread, for as long as the observer has patience; all that was issued, of each load.
    pub(crate) fn join(self, observe: &mut dyn FnMut() -> Control) -> Result<Vec<Drained>, EngineError> {
        while self.threads.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(2));
            if observe() == Control::Interrupt {
                return Err(EngineError::Interrupted);
            }
        }
        let mut loads: Vec<Drained> = Vec::new();
        for (thread, place) in self.threads.into_iter().zip(self.places) {
            let outcome = thread.join().map_err(|_| panicked())?;
            let outcome = outcome.map_err(EngineError::system("a worker could not go on"))?;
            loads.resize_with(loads.len().max(place.load + 1), Drained::default);
            loads[place.load].merge(outcome);
        }
        Ok(loads)
    }

    /// Wait a moment for every thread and leave those that a device holds up: they own
    /// what they use, and end with their last I/O.
    pub(crate) fn leave(self) {
        let until = Instant::now() + PATIENCE;
        while self.threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// What is in every set-up.
fn common(mut setups: Vec<Vec<&'static str>>) -> Vec<&'static str> {
    let mut common = setups.pop().unwrap_or_default();
    common.retain(|name| setups.iter().all(|setup| setup.contains(name)));
    common
}

fn panicked() -> EngineError {
    EngineError::System {
        what: "a worker ended by a bug of iodyno",
        source: std::io::Error::other("see the message above"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_every_thread_has_is_in_common() {
        let setups = vec![vec!["A", "B", "C"], vec!["C", "A"], vec!["A", "B", "C"]];
        assert_eq!(common(setups), ["A", "C"]);
        assert!(common(vec![vec!["A"], vec![]]).is_empty());
    }

    #[test]
    fn what_is_told_to_all_is_what_every_thread_that_is_ready_has() {
        let (go, wait) = mpsc::channel::<()>();
        let wait = Arc::new(std::sync::Mutex::new(wait));
        let thread = || {
            let wait = Arc::clone(&wait);
            std::thread::spawn(move || {
                let _ = wait.lock().expect("nobody panics with it").recv();
                Ok(Drained::default())
            })
        };
        let crew = Crew {
            clock: Clock::start(),
            setup: Vec::new(),
            shared: Vec::new(),
            places: Vec::new(),
            threads: vec![thread(), thread(), thread()],
        };
        let (ready, heard) = mpsc::channel();
        for setup in [vec!["A", "B", "C"], vec!["A", "C"], vec!["C", "B", "A"]] {
            ready.send(Ok(setup)).expect("somebody listens");
        }
        let told = crew
            .hear(&heard, &mut || Control::Continue)
            .expect("all are ready");
        assert_eq!(told, ["C", "A"]);
        drop(go);
        crew.leave();
    }
}
