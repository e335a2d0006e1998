//! A point, from the first thread to the reading.

use std::fs::File;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use iodyno_load::pattern::mix;
use iodyno_load::reading::{self, EngineFacts, OpenLoop, Precision, Reading, Series, Stopped, WorkerWindows};
use iodyno_load::request::{Point, Profile, ShownAs};
use iodyno_load::stopping::{Assessment, Decision, Rule, StopReason, Stopper, assess};
use iodyno_load::window::{Traffic, WINDOW_NS, Window};

use crate::backend::aio::Aio;
use crate::backend::null::Null;
use crate::backend::ring::{Ring, Uring};
use crate::backend::sync::Sync;
use crate::backend::{Backend, Engine, choose};
use crate::clock::Clock;
use crate::error::EngineError;
use crate::lane::{Lane, Source};
use crate::memory::Memory;
use crate::open::open_targets;
use crate::worker::{Shared, Worker};

/// Failed I/Os after which a point ends, if they are so many times what completed.
const HOPELESS_ERRORS: u64 = 1000;
const HOPELESS_FACTOR: u64 = 10;
/// How long workers may take to finish when the caller asked to stop.
const PATIENCE: Duration = Duration::from_millis(300);
/// Stack of a thread that does one I/O at a time.
const SMALL_STACK: usize = 256 << 10;

/// What the observer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End at once; the point is lost.
    Interrupt,
}

/// Part of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not counted.
    Warmup,
    /// Counted.
    Measured,
}

/// How a point is going: its last window.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Part of the point.
    pub phase: Phase,
    /// Seconds since the point began.
    pub elapsed_s: f64,
    /// I/Os completed per second.
    pub rate_io_s: f64,
    /// Bytes completed per second.
    pub throughput_bytes_s: f64,
    /// Mean latency in ns.
    pub latency_mean_ns: f64,
    /// 99th percentile of the latency in ns.
    pub p99_ns: u64,
    /// Half-width of the interval so far, as a share of the mean.
    pub half_width: Option<f64>,
}

/// Ask real targets: keep the load of a point on them until the rule says enough.
///
/// The observer hears of each window of 100 ms and can interrupt; it is called at least
/// that often, from the calling thread.
///
/// # Errors
/// [`EngineError`] where a target cannot be opened, the engine cannot start, or the
/// observer interrupts. An I/O that fails is no error: it is in the reading.
pub fn measure(
    point: &Point,
    observe: impl FnMut(Option<&Sample>) -> Control,
) -> Result<Reading, EngineError> {
    let (engine, why) = choose(point)?;
    let files = Arc::new(if engine == Engine::Null {
        Vec::new()
    } else {
        open_targets(point)?
    });
    let crew = Crew::start(point, engine, &files)?;
    let mut watch = Watch::new(point);
    let outcome = watch.follow(&crew, observe);
    crew.shared
        .iter()
        .for_each(|shared| shared.stop.store(true, Ordering::Relaxed));
    let (stopped, assessment) = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            crew.leave();
            return Err(error);
        }
    };
    let facts = EngineFacts {
        name: engine.name(),
        why,
        setup: crew.setup.clone(),
        direct: point.direct && engine != Engine::Null,
        clock: crew.clock.name(),
        clock_drift_ppm: crew.clock.drift_ppm(),
    };
    let issued = crew.join()?;
    Ok(watch.reading(point, facts, stopped, &assessment, issued))
}

/// Where threads wait until all are ready, or one has failed.
#[derive(Default)]
struct Gate {
    open: Mutex<Option<Option<Clock>>>,
    opened: Condvar,
}

impl Gate {
    fn open(&self, start: Option<Clock>) {
        *self.open.lock().expect("nobody panics with it") = Some(start);
        self.opened.notify_all();
    }

    fn pass(&self) -> Option<Clock> {
        let gate = self.open.lock().expect("nobody panics with it");
        let gate = self.opened.wait_while(gate, |open| open.is_none());
        gate.expect("nobody panics with it").expect("it is open")
    }
}

type Ready = Result<Vec<&'static str>, EngineError>;

/// All threads of a point.
struct Crew {
    clock: Clock,
    setup: Vec<&'static str>,
    shared: Vec<Arc<Shared>>,
    threads: Vec<JoinHandle<std::io::Result<Traffic>>>,
}

impl Crew {
    /// Start every thread, wait until all are ready, and let them go together.
    fn start(point: &Point, engine: Engine, files: &Arc<Vec<File>>) -> Result<Self, EngineError> {
        let gate = Arc::new(Gate::default());
        let (ready, heard) = mpsc::channel();
        let mut crew = Self {
            clock: Clock::start(),
            setup: Vec::new(),
            shared: Vec::new(),
            threads: Vec::new(),
        };
        let started = posts(point, engine).into_iter().try_for_each(|post| {
            let shared = Arc::new(Shared::default());
            crew.shared.push(Arc::clone(&shared));
            let (gate, ready, files) = (Arc::clone(&gate), ready.clone(), Arc::clone(files));
            let builder = std::thread::Builder::new().name(format!("iodyno-{}", crew.threads.len()));
            let builder = if engine == Engine::Sync {
                builder.stack_size(SMALL_STACK)
            } else {
                builder
            };
            let thread = builder.spawn(move || post.serve(&files, &shared, &gate, &ready));
            crew.threads
                .push(thread.map_err(EngineError::system("a thread could not be started"))?);
            Ok(())
        });
        drop(ready);
        let heard = started.and_then(|()| {
            heard
                .iter()
                .take(crew.threads.len())
                .collect::<Result<Vec<_>, _>>()
        });
        match heard {
            Ok(setups) => {
                crew.setup = setups.into_iter().next().unwrap_or_default();
                crew.clock = Clock::start();
                gate.open(Some(crew.clock));
                Ok(crew)
            }
            Err(error) => {
                gate.open(None);
                crew.join()?;
                Err(error)
            }
        }
    }

    /// Wait for every thread; all that was issued.
    fn join(self) -> Result<Traffic, EngineError> {
        let mut issued = Traffic::default();
        for thread in self.threads {
            let traffic = thread.join().expect("a worker never panics");
            issued.merge(&traffic.map_err(EngineError::system("a worker could not go on"))?);
        }
        Ok(issued)
    }

    /// Wait a moment for every thread and leave those that a device holds up: they own
    /// what they use, and end with their last I/O.
    fn leave(self) {
        let until = Instant::now() + PATIENCE;
        while self.threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The place of one thread.
struct Post {
    engine: Engine,
    lanes: Vec<Lane>,
    first_target: usize,
    targets: usize,
    profile: Profile,
    outstanding: usize,
    open_loop: bool,
    direct: bool,
    /// Seed of the data.
    seed: u64,
}

/// The threads that a point needs: one a worker, or, where an I/O holds up its thread,
/// one for each outstanding I/O.
fn posts(point: &Point, engine: Engine) -> Vec<Post> {
    let mut posts = Vec::new();
    let mut post = |lanes, first_target, outstanding| {
        posts.push(Post {
            engine,
            lanes,
            first_target,
            targets: point.targets.len(),
            profile: point.profile.clone(),
            outstanding,
            open_loop: point.rate_io_s.is_some(),
            direct: point.direct,
            seed: mix(point.seed, posts.len() as u64),
        });
    };
    for worker in 0..point.workers {
        let source = |target| Source::new(point, worker, target);
        if engine != Engine::Sync {
            let lanes = (0..point.targets.len()).map(source).map(Lane::Own);
            post(lanes.collect(), 0, point.outstanding);
            continue;
        }
        for target in 0..point.targets.len() {
            let shared = Arc::new(Mutex::new(source(target)));
            for _ in 0..point.outstanding {
                post(vec![Lane::Shared(Arc::clone(&shared))], target, 1);
            }
        }
    }
    posts
}

impl Post {
    /// Set up, wait for the others, work.
    fn serve(
        self,
        files: &[File],
        shared: &Shared,
        gate: &Gate,
        ready: &mpsc::Sender<Ready>,
    ) -> std::io::Result<Traffic> {
        let slots = self.outstanding * self.lanes.len();
        let memory = match Memory::new(&self.profile, slots, self.seed) {
            Ok(memory) => memory,
            Err(error) => return refuse(ready, "not enough memory for the blocks", error),
        };
        match self.engine {
            Engine::Null => self.work(Null::default(), memory, shared, gate, ready),
            Engine::Sync => {
                let backend = Sync::new(&files[self.first_target..]);
                self.work(backend, memory, shared, gate, ready)
            }
            Engine::Aio => match Aio::new(files, slots) {
                Ok(backend) => self.work(backend, memory, shared, gate, ready),
                Err(error) => refuse(ready, "the kernel gave no aio context", error),
            },
            Engine::IoUring => match Ring::new(slots) {
                Ok(mut ring) => {
                    let backend = Uring::new(&mut ring, files, &memory.buffers, slots, self.direct);
                    self.work(backend, memory, shared, gate, ready)
                }
                Err(error) => refuse(ready, "the kernel gave no ring", error),
            },
        }
    }

    fn work<B: Backend>(
        self,
        backend: B,
        memory: Memory,
        shared: &Shared,
        gate: &Gate,
        ready: &mpsc::Sender<Ready>,
    ) -> std::io::Result<Traffic> {
        let _ = ready.send(Ok(backend.setup()));
        let Some(clock) = gate.pass() else {
            return Ok(Traffic::default());
        };
        let worker = Worker {
            backend,
            lanes: self.lanes,
            first_target: self.first_target,
            targets: self.targets,
            memory,
            clock,
            outstanding: self.outstanding,
            open_loop: self.open_loop,
            shared,
        };
        worker.run()
    }
}

fn refuse(
    ready: &mpsc::Sender<Ready>,
    what: &'static str,
    source: std::io::Error,
) -> std::io::Result<Traffic> {
    let _ = ready.send(Err(EngineError::System { what, source }));
    Ok(Traffic::default())
}

/// Follows a point from outside: gathers windows, tells the observer, asks the rule.
struct Watch {
    point: Point,
    warmup_windows: usize,
    /// Windows by thread.
    threads: Vec<Vec<Window>>,
    series: Series,
    /// The main figure of each window after the warm-up.
    main: Vec<f64>,
    stopper: Stopper,
    half_width: Option<f64>,
    /// Failed I/Os in the windows of the series.
    errors: u64,
}

type Outcome = Result<(Stopped, Assessment), EngineError>;

impl Watch {
    fn new(point: &Point) -> Self {
        let windows = |seconds: f64| (seconds * 1e9 / WINDOW_NS as f64).ceil() as usize;
        let stopping = &point.stopping;
        Self {
            point: point.clone(),
            warmup_windows: windows(stopping.warmup_s),
            threads: Vec::new(),
            series: Series::new(),
            main: Vec::new(),
            stopper: Stopper::new(Rule {
                floor_windows: windows(stopping.floor_s),
                cap_windows: windows(stopping.cap_s),
                precision: stopping.precision,
                confidence: stopping.confidence,
            }),
            half_width: None,
            errors: 0,
        }
    }

    /// Look at every window until the rule, the errors or the observer say stop.
    fn follow(&mut self, crew: &Crew, mut observe: impl FnMut(Option<&Sample>) -> Control) -> Outcome {
        self.threads = vec![Vec::new(); crew.shared.len()];
        loop {
            let next = (self.series.len() as u64 + 1) * WINDOW_NS;
            let wait = next.saturating_sub(crew.clock.now()).clamp(1_000_000, WINDOW_NS);
            std::thread::sleep(Duration::from_nanos(wait));
            self.fetch(crew);
            let mut heard = false;
            while self
                .threads
                .iter()
                .all(|windows| windows.len() > self.series.len())
            {
                let ended = self.next_window();
                heard = true;
                if observe(Some(&self.sample())) == Control::Interrupt {
                    return Err(EngineError::Interrupted);
                }
                if let Some(outcome) = ended {
                    return Ok(outcome);
                }
            }
            if !heard && observe(None) == Control::Interrupt {
                return Err(EngineError::Interrupted);
            }
            if self.hopeless() {
                let stopping = &self.point.stopping;
                return Ok((
                    Stopped::Failed,
                    assess(&self.main, stopping.confidence, stopping.precision),
                ));
            }
            if crew.threads.iter().any(JoinHandle::is_finished) {
                // A worker could not go on: joining tells why.
                return Ok((Stopped::Failed, self.so_far()));
            }
        }
    }

    fn fetch(&mut self, crew: &Crew) {
        for (fetched, shared) in self.threads.iter_mut().zip(&crew.shared) {
            fetched.extend(shared.windows.lock().expect("no worker panics with it").drain(..));
        }
    }

    /// Take the next window of all threads into the series; the outcome if the rule stops.
    fn next_window(&mut self) -> Option<(Stopped, Assessment)> {
        let index = self.series.len();
        self.series
            .push(self.threads.iter().map(|windows| &windows[index]));
        let failed = self.threads.iter().map(|windows| windows[index].failed());
        self.errors += failed.sum::<u64>();
        if index < self.warmup_windows {
            return None;
        }
        self.main.push(match self.point.profile.shown_as {
            ShownAs::TransactionRate => self.series.reads[index] + self.series.writes[index],
            ShownAs::Throughput => self.series.read_bytes[index] + self.series.written_bytes[index],
        } as f64);
        match self.stopper.check(&self.main) {
            Decision::Continue(half_width) => {
                self.half_width = half_width;
                None
            }
            Decision::Stop(StopReason::Precise, assessment) => Some((Stopped::Precise, assessment)),
            Decision::Stop(StopReason::Cap, assessment) => Some((Stopped::Cap, assessment)),
        }
    }

    fn so_far(&self) -> Assessment {
        let stopping = &self.point.stopping;
        assess(&self.main, stopping.confidence, stopping.precision)
    }

    fn hopeless(&self) -> bool {
        let completed: u64 = self.series.reads.iter().chain(&self.series.writes).sum();
        self.errors >= HOPELESS_ERRORS && self.errors > HOPELESS_FACTOR * completed
    }

    fn sample(&self) -> Sample {
        let last = self.series.len() - 1;
        let completed = self.series.reads[last] + self.series.writes[last];
        let bytes = self.series.read_bytes[last] + self.series.written_bytes[last];
        Sample {
            phase: if last < self.warmup_windows {
                Phase::Warmup
            } else {
                Phase::Measured
            },
            elapsed_s: (last + 1) as f64 * self.series.window_s,
            rate_io_s: completed as f64 / self.series.window_s,
            throughput_bytes_s: bytes as f64 / self.series.window_s,
            latency_mean_ns: self.series.latency_sum_ns[last] as f64 / completed.max(1) as f64,
            p99_ns: self.series.p99_ns[last],
            half_width: self.half_width,
        }
    }

    /// Add up the measured part.
    fn reading(
        self,
        point: &Point,
        engine: EngineFacts,
        stopped: Stopped,
        assessment: &Assessment,
        issued: Traffic,
    ) -> Reading {
        let mut series = self.series;
        series.measured_from = (self.warmup_windows + assessment.discarded_windows).min(series.len());
        let range = series.measured_from..series.len();
        let per_worker = self.threads.len() / point.workers;
        let workers: Vec<_> = self
            .threads
            .chunks(per_worker)
            .map(|threads| WorkerWindows {
                threads: threads.to_vec(),
            })
            .collect();
        let open_loop = point.rate_io_s;
        let sum = reading::measured(
            &workers,
            range.clone(),
            point.targets.len(),
            open_loop.is_some(),
            crate::errno_name,
        );
        Reading {
            reading_schema: reading::SCHEMA,
            engine,
            warmup_s: range.start as f64 * series.window_s,
            measured_s: range.len() as f64 * series.window_s,
            reads: sum.reads,
            writes: sum.writes,
            per_target: sum.per_target,
            precision: Precision::of(assessment, point.stopping.confidence),
            series,
            stopped,
            issued: issued.into(),
            workers: sum.workers,
            open_loop: open_loop.map(|rate_asked_io_s| OpenLoop {
                rate_asked_io_s,
                late_starts: sum.late_starts,
                backlog_end: sum.backlog_end,
            }),
        }
    }
}
