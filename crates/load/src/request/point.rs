//! A point: one load on targets, or several that run at once.

use serde::Deserialize;

use super::{Arrival, EngineChoice, Profile, Stopping, Target, WorkersArea};

/// A load that runs at the same time as another, on targets of its own or on the same.
#[derive(Clone, Debug, Deserialize)]
pub struct Load {
    /// What is asked of each target.
    pub profile: Profile,
    /// How many of the point's targets are its own, at least one: they follow those of the loads before it.
    pub targets: usize,
    /// Outstanding I/Os per target and worker; with a rate, the most of them.
    pub outstanding: usize,
    /// Workers.
    pub workers: usize,
    /// Which part of the area a worker accesses.
    #[serde(default)]
    pub workers_area: WorkersArea,
    /// Targets that a worker drives, as in [`Point`].
    #[serde(default)]
    pub targets_per_worker: Option<usize>,
    /// I/Os per second in all, where the loop is open.
    pub rate_io_s: Option<f64>,
    /// How arrivals are spaced where a rate is given.
    pub arrival: Arrival,
    /// When it begins, in seconds after the beginning of the point.
    #[serde(default)]
    pub begins_after_s: f64,
    /// Seed of its draws.
    pub seed: u64,
}

/// A point of a plan.
#[derive(Clone, Debug, Deserialize)]
pub struct Point {
    /// What is asked of each target.
    pub profile: Profile,
    /// Targets, at least one; the same path may stand for several loads.
    pub targets: Vec<Target>,
    /// Loads that run at the same time; their targets are the last ones.
    #[serde(default)]
    pub beside: Vec<Load>,
    /// Outstanding I/Os per target and worker; with a rate, the most of them.
    pub outstanding: usize,
    /// Workers.
    pub workers: usize,
    /// Which part of the area a worker accesses.
    #[serde(default)]
    pub workers_area: WorkersArea,
    /// Targets that a worker drives, which divides their number: each such part of them has `workers` of its
    /// own; none: every worker drives all targets.
    #[serde(default)]
    pub targets_per_worker: Option<usize>,
    /// I/Os per second in all, where the loop is open.
    pub rate_io_s: Option<f64>,
    /// How arrivals are spaced where a rate is given.
    pub arrival: Arrival,
    /// When the first load begins, in seconds after the beginning of the point.
    #[serde(default)]
    pub begins_after_s: f64,
    /// Engine asked for.
    pub engine: EngineChoice,
    /// Bypass the caches of the operating system.
    pub direct: bool,
    /// Make each write durable before it is complete (O_DSYNC).
    #[serde(default)]
    pub write_through: bool,
    /// Begin with nothing of the targets in the caches of the operating system, and tell it whether accesses
    /// are random; for buffered I/O.
    #[serde(default)]
    pub cold_cache: bool,
    /// Poll the device for completions.
    #[serde(default)]
    pub iopoll: bool,
    /// Processors that the workers are pinned to, ascending; none: wherever the kernel puts them.
    #[serde(default)]
    pub worker_cpus: Vec<usize>,
    /// When to end.
    pub stopping: Stopping,
    /// Seed of every draw.
    pub seed: u64,
    /// Name of the virtual system that the targets are volumes of; none: they are real.
    #[serde(default)]
    pub system: Option<String>,
}

impl Point {
    /// Targets that each worker of the first load drives.
    pub fn driven_by_each(&self) -> usize {
        self.targets_per_worker.unwrap_or(self.targets.len())
    }

    /// Workers of all targets of the first load.
    pub fn workers_in_all(&self) -> usize {
        self.workers * (self.targets.len() / self.driven_by_each())
    }

    /// Its loads, each as a point of its own: itself, where nothing runs beside it.
    ///
    /// # Panics
    /// If a load beside has no targets, or they have as many as the point, or more: a plan gives each some.
    pub fn loads(&self) -> Vec<Self> {
        let others: usize = self.beside.iter().map(|load| load.targets).sum();
        let each_has_some = self.beside.iter().all(|load| load.targets > 0);
        assert!(
            each_has_some && others < self.targets.len(),
            "a load without targets"
        );
        let (own, mut rest) = self.targets.split_at(self.targets.len() - others);
        let first = Self {
            targets: own.to_vec(),
            beside: Vec::new(),
            ..self.clone()
        };
        let others = self.beside.iter().map(|load| {
            let (own, after) = rest.split_at(load.targets);
            rest = after;
            Self {
                profile: load.profile.clone(),
                targets: own.to_vec(),
                outstanding: load.outstanding,
                workers: load.workers,
                workers_area: load.workers_area,
                targets_per_worker: load.targets_per_worker,
                rate_io_s: load.rate_io_s,
                arrival: load.arrival,
                begins_after_s: load.begins_after_s,
                seed: load.seed,
                ..first.clone()
            }
        });
        let others: Vec<_> = others.collect();
        std::iter::once(first).chain(others).collect()
    }

    /// Whether starts follow a schedule; of several loads each has its own answer.
    pub fn open_loop(&self) -> bool {
        self.rate_io_s.is_some() && self.beside.is_empty()
    }

    /// When the first load begins, in ns after the beginning of the point.
    pub fn begins_after_ns(&self) -> u64 {
        ns(self.begins_after_s)
    }

    /// When the last of all loads begins, in ns after the beginning of the point: what is counted comes after it.
    pub fn all_begun_ns(&self) -> u64 {
        let others = self.beside.iter().map(|load| ns(load.begins_after_s));
        others.fold(self.begins_after_ns(), u64::max)
    }

    /// Profiles of all loads.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        std::iter::once(&self.profile).chain(self.beside.iter().map(|load| &load.profile))
    }
}

fn ns(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}
