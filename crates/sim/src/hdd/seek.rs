//! The seek curve: a + b·√d for short distances d in cylinders, c + e·d for long ones, value and slope
//! continuous where they meet (Ruemmler and Wilkes, An introduction to disk drive modeling, 1994).

use crate::time::Ps;

/// Shares of the way from the track-to-track seek to the full stroke at which the mean of all seeks can
/// lie: a straight line gives 1/3, a square root all the way gives 8/15.
const MEAN_SHARE: (f64, f64) = (1.0 / 3.0, 8.0 / 15.0);

/// Seek times by distance.
#[derive(Clone, Copy, Debug)]
pub struct SeekCurve {
    a: f64,
    b: f64,
    c: f64,
    e: f64,
    /// Distance at which the root becomes a line.
    bend: f64,
}

impl SeekCurve {
    /// The curve that takes `track` for one cylinder, `full` for `stroke` cylinders, and `average` in the
    /// mean over all pairs of cylinders, as datasheets define it. Where such a curve does not exist
    /// (`average` nearer to `track` than a line's or further than a root's mean), `full` gives way.
    pub fn fit(track: Ps, average: Ps, full: Ps, stroke: u32) -> Self {
        let (track, average) = (track.0 as f64, average.0 as f64);
        let stroke = f64::from(stroke.max(4));
        let share = (average - track) / (full.0 as f64 - track).max(1.0);
        let full = if share < MEAN_SHARE.0 || share > MEAN_SHARE.1 {
            track + (average - track) / share.clamp(MEAN_SHARE.0, MEAN_SHARE.1)
        } else {
            full.0 as f64
        };
        // The mean rises with the bend: halve the interval that holds it.
        let (mut low, mut high) = (1.0, stroke.sqrt());
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if Self::through(track, full, stroke, middle).mean(stroke) < average {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self::through(track, full, stroke, high)
    }

    /// The curve through both ends that bends at `root`² cylinders.
    fn through(track: f64, full: f64, stroke: f64, root: f64) -> Self {
        let b = (full - track) / ((root + stroke / root) / 2.0 - 1.0);
        let a = track - b;
        Self {
            a,
            b,
            c: a + b * root / 2.0,
            e: b / (2.0 * root),
            bend: root * root,
        }
    }

    /// Mean over all pairs of cylinders: of distance x·stroke there are 2(1 − x) in all.
    fn mean(&self, stroke: f64) -> f64 {
        let x = self.bend / stroke;
        let root = self.a * x * (2.0 - x) + self.b * stroke.sqrt() * (x * x.sqrt()) * (4.0 / 3.0 - 0.8 * x);
        let line =
            self.c * (1.0 - x) * (1.0 - x) + self.e * stroke * (1.0 / 3.0 - x * x * (1.0 - 2.0 * x / 3.0));
        root + line
    }

    /// Time to move over `distance` cylinders; nothing for none.
    #[inline]
    pub fn time(&self, distance: u32) -> Ps {
        let d = f64::from(distance);
        match distance {
            0 => Ps::ZERO,
            _ if d < self.bend => Ps((self.a + self.b * d.sqrt()) as u64),
            _ => Ps((self.c + self.e * d) as u64),
        }
    }

    /// A distance from which on every seek takes at least `time`.
    #[inline]
    pub fn reach(&self, time: Ps) -> u32 {
        let t = time.0 as f64;
        let root = ((t - self.a) / self.b).max(0.0);
        let distance = if root * root < self.bend {
            root * root
        } else {
            (t - self.c) / self.e
        };
        (distance as u32).saturating_add(1)
    }
}
