//! What one thread of a point has to do: which targets, with which engine, in which memory.

use std::fs::File;
use std::sync::{Arc, mpsc};

use iodyno_load::gather::Place;
use iodyno_load::integrity::Ledger;
use iodyno_load::pattern::{Streams, mix};
use iodyno_load::request::{Point, Profile};

use super::Ready;
use crate::backend::aio::Aio;
use crate::backend::nop::Nop;
use crate::backend::null::Null;
use crate::backend::ring::{Ring, Uring};
use crate::backend::sync::Sync;
use crate::backend::{Backend, Engine};
use crate::beside::Beside;
use crate::check::Checker;
use crate::error::EngineError;
use crate::gate::{Gate, Start};
use crate::lane::{Lane, Pool, Source};
use crate::machine::available_memory;
use crate::memory::Memory;
use crate::open::{opened_again, tell_order};
use crate::pinning::pin;
use crate::span::last_end_ns;
use crate::thinking::Thinking;
use crate::worker::{Drained, Shared, Worker};

/// The place of one thread.
pub(super) struct Post {
    /// The worker and the load that the thread is of.
    pub(super) place: Place,
    engine: Engine,
    lanes: Vec<Lane>,
    first_target: usize,
    targets: usize,
    profile: Profile,
    outstanding: usize,
    /// When its load begins and when it ends by itself, in ns after the start.
    begins: u64,
    until: u64,
    open_loop: bool,
    beside: Option<Arc<Beside>>,
    direct: bool,
    cold_cache: bool,
    iopoll: bool,
    /// Outstanding I/Os of all threads.
    slots_in_all: usize,
    /// Seed of the data.
    seed: u64,
    /// Processors that the thread is pinned to.
    cpus: Vec<usize>,
    /// What is known of the targets, and the index in it of the target of each lane.
    ledger: Option<(Arc<Ledger>, Vec<usize>)>,
}

/// The threads that a point needs: one a worker, or, where an I/O holds up its thread,
/// one for each outstanding I/O.
pub(super) fn posts(
    point: &Point,
    engine: Engine,
    data_seed: u64,
    ledger: Option<&Arc<Ledger>>,
) -> Vec<Post> {
    let loads = point.loads();
    let slots = |load: &Point| load.outstanding * load.targets.len() * load.workers;
    let mut hiring = Hiring {
        engine,
        targets: point.targets.len(),
        slots_in_all: loads.iter().map(slots).sum(),
        until: last_end_ns(point),
        data_seed,
        ledger,
        worker: 0,
        first_target: 0,
        posts: Vec::new(),
    };
    for (number, load) in loads.iter().enumerate() {
        hiring.hire(number, load);
        hiring.first_target += load.targets.len();
    }
    hiring.posts
}

/// Threads of a worker for a target, where an I/O holds up its thread: as many as can be outstanding. Those that
/// think issue no more in between than they are asked to; another thread would only look whether it may.
fn threads_for(load: &Point) -> usize {
    match Thinking::every(&load.profile) {
        Some(every) => load.outstanding.min(usize::try_from(every).unwrap_or(usize::MAX)),
        None => load.outstanding,
    }
}

/// Makes the posts of one load after the other.
struct Hiring<'a> {
    engine: Engine,
    /// Targets of all loads.
    targets: usize,
    /// Outstanding I/Os of all loads.
    slots_in_all: usize,
    until: u64,
    data_seed: u64,
    ledger: Option<&'a Arc<Ledger>>,
    /// The next worker.
    worker: usize,
    /// The first target of the load.
    first_target: usize,
    posts: Vec<Post>,
}

impl Hiring<'_> {
    fn hire(&mut self, number: usize, load: &Point) {
        let streams = Streams::new(load);
        let each = load.driven_by_each();
        let parts = (0..load.targets.len()).step_by(each);
        for (first, worker) in parts.flat_map(|first| (0..load.workers).map(move |worker| (first, worker))) {
            let source = |target| Source::new(load, &streams, worker, target);
            let beside = Beside::of(&load.profile, self.targets).map(Arc::new);
            let targets = first..first + each;
            if self.engine == Engine::Sync {
                for target in targets {
                    let threads = threads_for(load);
                    let pool = Pool::shared(source(target), threads);
                    for _ in 0..threads {
                        let lane = Lane::Shared(Arc::clone(&pool));
                        self.post((number, load), (vec![lane], target, 1), beside.clone());
                    }
                }
            } else {
                let lanes = targets.map(source).map(Lane::Own).collect();
                self.post((number, load), (lanes, first, load.outstanding), beside);
            }
            self.worker += 1;
        }
    }

    fn post(
        &mut self,
        (number, load): (usize, &Point),
        (lanes, first, outstanding): (Vec<Lane>, usize, usize),
        beside: Option<Arc<Beside>>,
    ) {
        let known = |ledger: &Arc<Ledger>| {
            let targets = load.targets.iter().skip(first).take(lanes.len());
            let of = |path| ledger.target(path).expect("the ledger of the run has the target");
            (
                Arc::clone(ledger),
                targets.map(|target| of(&target.path)).collect(),
            )
        };
        self.posts.push(Post {
            place: Place {
                worker: self.worker,
                load: number,
            },
            engine: self.engine,
            ledger: self.ledger.map(known),
            lanes,
            first_target: self.first_target + first,
            targets: self.targets,
            profile: load.profile.clone(),
            outstanding,
            begins: load.begins_after_ns(),
            until: self.until,
            open_loop: load.open_loop(),
            beside,
            direct: load.direct,
            cold_cache: load.cold_cache,
            iopoll: load.iopoll,
            slots_in_all: self.slots_in_all,
            seed: mix(self.data_seed, self.posts.len() as u64),
            cpus: load.worker_cpus.clone(),
        });
    }
}

impl Post {
    /// Targets that the thread works on.
    pub(super) fn files(&self) -> usize {
        self.lanes.len()
    }

    /// Set up, wait for the others, work; with files opened for this thread alone where it shall be apart.
    pub(super) fn serve(
        self,
        (files, apart): (&[File], bool),
        shared: &Shared,
        gate: &Gate,
        ready: &mpsc::Sender<Ready>,
    ) -> std::io::Result<Drained> {
        // First of all: memory and ring then lie on the node that the thread runs on.
        let cpus = match pin(&self.cpus) {
            Ok(cpus) => cpus,
            Err(error) => return refuse(ready, "a worker could not be pinned", error),
        };
        *shared.cpus.lock().expect("nobody panics with it") = cpus;
        let slots = self.outstanding * self.lanes.len();
        let own = self.first_target..self.first_target + self.lanes.len();
        // An engine that asks nobody has no files.
        let shared_files = files.get(own).unwrap_or_default();
        // What is opened again has not claimed its device: the kernel would refuse to trim what its cache holds.
        let apart = apart && !self.profile.trims();
        let own_files = apart.then(|| opened_again(shared_files)).flatten();
        let files = own_files.as_deref().unwrap_or(shared_files);
        let told = self.cold_cache.then(|| tell_order(files, &self.profile));
        if let Some(Err(error)) = told {
            return refuse(ready, "the kernel could not be told the order of accesses", error);
        }
        let memory = match Memory::new(&self.profile, (slots, self.slots_in_all), self.seed) {
            Ok(memory) => memory,
            Err(error) => return refuse(ready, "not enough memory for the blocks", error),
        };
        match self.engine {
            Engine::Null => self.work(Null::default(), memory, files, (shared, gate, ready)),
            Engine::Sync => {
                let backend = Sync::new(files);
                self.work(backend, memory, files, (shared, gate, ready))
            }
            Engine::Aio => match Aio::new(files, slots, self.direct) {
                Ok(backend) => self.work(backend, memory, files, (shared, gate, ready)),
                Err(error) => refuse(ready, "the kernel gave no aio context", error),
            },
            Engine::IoUring => match Ring::that(slots, self.iopoll) {
                Ok(mut ring) => {
                    let backend = Uring::new(&mut ring, files, &memory.buffers, slots, self.direct);
                    self.work(backend, memory, files, (shared, gate, ready))
                }
                Err(error) => refuse(ready, "the kernel gave no ring", error),
            },
            Engine::Nop => match Ring::new(slots) {
                Ok(mut ring) => {
                    let backend = Nop::new(&mut ring, &memory.buffers, slots);
                    self.work(backend, memory, files, (shared, gate, ready))
                }
                Err(error) => refuse(ready, "the kernel gave no ring", error),
            },
        }
    }

    fn work<B: Backend>(
        self,
        mut backend: B,
        memory: Memory,
        files: &[File],
        (shared, gate, ready): (&Shared, &Gate, &mpsc::Sender<Ready>),
    ) -> std::io::Result<Drained> {
        let _ = ready.send(Ok(backend.setup()));
        let Some(Start { clock, setup }) = gate.pass() else {
            return Ok(Drained::default());
        };
        backend.agree(&setup)?;
        let slots = self.outstanding * self.lanes.len();
        let check = self
            .ledger
            .map(|(ledger, targets)| Checker::new(ledger, targets, files, slots));
        let worker = Worker {
            backend,
            check,
            lanes: self.lanes,
            first_target: self.first_target,
            targets: self.targets,
            memory,
            clock,
            begins: self.begins,
            until: self.until,
            outstanding: self.outstanding,
            open_loop: self.open_loop,
            commands: self.profile.syncs() || self.profile.trims(),
            beside: self.beside,
            shared,
        };
        worker.run()
    }
}

/// Refuse what would not fit into memory: the kernel would end a process to make room.
pub(super) fn enough_memory(posts: &[Post]) -> Result<(), EngineError> {
    let slots = |post: &Post| (post.outstanding * post.lanes.len(), post.slots_in_all);
    let needed: u64 = posts
        .iter()
        .map(|post| Memory::bytes(&post.profile, slots(post)))
        .sum();
    let Some(available) = available_memory() else {
        return Ok(());
    };
    if needed <= available / 10 * 8 {
        return Ok(());
    }
    let (needed, available) = (needed >> 20, available >> 20);
    Err(EngineError::System {
        what: "not enough memory for the outstanding I/Os",
        source: std::io::Error::other(format!("{needed} MB are needed, {available} MB are available")),
    })
}

fn refuse(
    ready: &mpsc::Sender<Ready>,
    what: &'static str,
    source: std::io::Error,
) -> std::io::Result<Drained> {
    let _ = ready.send(Err(EngineError::System { what, source }));
    Ok(Drained::default())
}

#[cfg(test)]
mod tests;
