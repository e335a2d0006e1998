//! The sequences of a point, one for each worker and target: whole area, parts of it, or one stream.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::{AccessStream, Begin, PLACES, apart, grid, mix};
use crate::request::{Point, Profile, WorkersArea};

/// The sequences of a point: what its workers share is in here.
#[derive(Debug)]
pub struct Streams<'a> {
    point: &'a Point,
    /// The number of the next access of all workers, by target.
    numbers: Vec<Arc<AtomicU64>>,
}

impl<'a> Streams<'a> {
    /// The sequences of a point, at their beginning.
    pub fn new(point: &'a Point) -> Self {
        Self {
            point,
            numbers: point.targets.iter().map(|_| Arc::default()).collect(),
        }
    }

    /// The sequence of a worker on a target.
    ///
    /// # Panics
    /// As [`AccessStream::new`].
    pub fn stream(&self, worker: usize, target: usize) -> AccessStream {
        let point = self.point;
        let of = &point.targets[target];
        let area = (of.area_start_bytes, of.area_length_bytes);
        let seed = mix(point.seed, target as u64);
        let begin = match point.workers_area {
            WorkersArea::Own => {
                let length = own_bytes(&point.profile, area.1, point.workers);
                Begin {
                    area: (area.0 + worker as u64 * length, length),
                    draws: mix(seed, worker as u64),
                    places: mix(mix(seed, PLACES), worker as u64),
                    cursor: 0,
                    numbers: Arc::default(),
                    grid: grid(&point.profile),
                    one_stream: false,
                }
            }
            shared => Begin {
                area,
                draws: mix(seed, worker as u64),
                places: mix(seed, PLACES),
                cursor: apart(&point.profile, area.1, (worker, point.workers)),
                numbers: Arc::clone(&self.numbers[target]),
                grid: grid(&point.profile),
                one_stream: shared == WorkersArea::Stream,
            },
        };
        AccessStream::begin(&point.profile, begin)
    }
}

/// Bytes of each worker's part where an area is divided among workers.
pub fn own_bytes(profile: &Profile, area_length: u64, workers: usize) -> u64 {
    let grain = profile.grain_bytes();
    area_length / workers as u64 / grain * grain
}
