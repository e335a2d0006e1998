//! Where bytes lie on a disk, and how long the arm takes: zones of equally many cylinders whose rates fall linearly from the
//! outermost inwards, and a seek curve through what a datasheet gives.

use super::Disk;

/// Shares of the way from the shortest seek to the longest at which the mean of all can lie: a straight line gives the one,
/// a square root the other.
const MEAN_SHARE: (f64, f64) = (1.0 / 3.0, 8.0 / 15.0);

/// Tracks of one length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zone {
    pub(super) first_byte: f64,
    pub(super) first_cylinder: f64,
    pub(super) track_bytes: f64,
}

impl Zone {
    /// Tracks of the zone before the one of a byte.
    pub(super) fn track(&self, offset: f64) -> f64 {
        ((offset - self.first_byte) / self.track_bytes).floor()
    }

    /// How much of its track lies before a byte, 0 to below 1.
    pub(super) fn turned(&self, offset: f64) -> f64 {
        ((offset - self.first_byte) / self.track_bytes).fract()
    }
}

/// A disk's zones, the outermost first, and its seek curve.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    zones: Vec<Zone>,
    heads: f64,
    curve: Curve,
}

impl Layout {
    pub(super) fn new(disk: &Disk) -> Self {
        let (count, heads) = (disk.zones.max(1), disk.heads.max(1) as f64);
        let fall = (disk.outer_bytes_s - disk.inner_bytes_s) / (count.max(2) - 1) as f64;
        let track = |at: usize| ((disk.outer_bytes_s - fall * at as f64) * disk.revolution_s).floor();
        let of_all: f64 = (0..count).map(track).sum();
        let each = (disk.capacity_bytes / (heads * of_all)).ceil().max(1.0);
        let mut first_byte = 0.0;
        let mut zones = Vec::with_capacity(count);
        for at in 0..count {
            zones.push(Zone {
                first_byte,
                first_cylinder: each * at as f64,
                track_bytes: track(at),
            });
            first_byte += each * heads * track(at);
        }
        let curve = Curve::fit(disk, each * count as f64 - 1.0);
        Self { zones, heads, curve }
    }

    pub(super) fn zone(&self, offset: f64) -> Zone {
        self.zones[self
            .zones
            .partition_point(|zone| zone.first_byte <= offset)
            .max(1)
            - 1]
    }

    pub(super) fn cylinder(&self, offset: f64) -> f64 {
        let zone = self.zone(offset);
        zone.first_cylinder + (zone.track(offset) / self.heads).floor()
    }

    /// Time to another track, so many cylinders away: to one of the same cylinder as to the next.
    pub(super) fn seek_s(&self, cylinders: f64) -> f64 {
        self.curve.time_s(cylinders.max(1.0))
    }
}

/// Seek time by distance d in cylinders: a root of d up to a bend, a line beyond, value and slope continuous there (Ruemmler,
/// Wilkes, An introduction to disk drive modeling, 1994).
#[derive(Clone, Copy, Debug)]
struct Curve {
    track_s: f64,
    /// Seconds for each unit of the root.
    factor: f64,
    /// Square root of the distance at the bend.
    bend: f64,
}

impl Curve {
    /// The curve with the disk's shortest, mean and longest seek. Where none has them, the longest gives way.
    fn fit(disk: &Disk, stroke: f64) -> Self {
        let (track, mean, stroke) = (disk.seek_track_s, disk.seek_average_s, stroke.max(4.0));
        let share = (mean - track) / (disk.seek_full_s - track).max(f64::MIN_POSITIVE);
        let full = track + (mean - track) / share.clamp(MEAN_SHARE.0, MEAN_SHARE.1);
        let through = |bend: f64| Self {
            track_s: track,
            factor: (full - track) / ((bend + stroke / bend) / 2.0 - 1.0),
            bend,
        };
        let (mut low, mut high) = (1.0, stroke.sqrt());
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if through(middle).mean_s(stroke) < mean {
                low = middle;
            } else {
                high = middle;
            }
        }
        through(high)
    }

    fn time_s(&self, distance: f64) -> f64 {
        let root = if distance < self.bend * self.bend {
            distance.sqrt()
        } else {
            (self.bend + distance / self.bend) / 2.0
        };
        self.track_s + self.factor * (root - 1.0)
    }

    /// Mean over all pairs of places: of distance x there are 2 (1 − x) in all, x a share of the stroke.
    fn mean_s(&self, stroke: f64) -> f64 {
        const STEPS: u32 = 256;
        let at = |step: u32| (f64::from(step) + 0.5) / f64::from(STEPS);
        let all = (0..STEPS)
            .map(at)
            .map(|x| 2.0 * (1.0 - x) * self.time_s(x * stroke));
        all.sum::<f64>() / f64::from(STEPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tracks a cylinder; zones of 100, 80 and 60 bytes a track, each of 25 cylinders at the least.
    fn disk() -> Disk {
        Disk {
            capacity_bytes: 12_000.0,
            revolution_s: 0.01,
            heads: 2,
            zones: 3,
            outer_bytes_s: 10_000.0,
            inner_bytes_s: 6_000.0,
            seek_track_s: 0.001,
            seek_average_s: 0.005,
            seek_full_s: 0.01,
            write_settle_s: 0.0,
            command_s: 0.0,
            cached_write_s: 0.0,
            missed_revolution: 0.0,
            tags: 1,
            cache_entries: 0,
            read_ahead_bytes: 0.0,
            read_segments: 1,
        }
    }

    #[test]
    fn zones_have_as_many_cylinders_and_fewer_bytes_inwards() {
        let layout = Layout::new(&disk());
        for (offset, cylinder, track_bytes) in [
            (0.0, 0.0, 100.0),
            (199.0, 0.0, 100.0),
            (200.0, 1.0, 100.0),
            (4_999.0, 24.0, 100.0),
            (5_000.0, 25.0, 80.0),
            (8_999.0, 49.0, 80.0),
            (9_000.0, 50.0, 60.0),
            (11_999.0, 74.0, 60.0),
        ] {
            assert_eq!(layout.cylinder(offset), cylinder, "{offset}");
            assert_eq!(layout.zone(offset).track_bytes, track_bytes, "{offset}");
        }
        let zone = layout.zone(5_000.0);
        assert_eq!((zone.track(5_239.0), zone.track(5_240.0)), (2.0, 3.0));
        assert_eq!((zone.turned(5_240.0), zone.turned(5_260.0)), (0.0, 0.25));
    }

    /// Of all pairs of cylinders: of distance d there are 2 (n − d), so the mean is their sum by n² over those that differ.
    fn mean_of_pairs(layout: &Layout, cylinders: u32) -> f64 {
        let pairs = |distance: u32| f64::from(cylinders - distance);
        let all: f64 = (1..cylinders).map(pairs).sum();
        let seeks = (1..cylinders).map(|one| pairs(one) * layout.seek_s(f64::from(one)));
        seeks.sum::<f64>() / all
    }

    #[test]
    fn seeks_take_what_the_datasheet_gives() {
        let large = Disk {
            capacity_bytes: 960_000.0,
            ..disk()
        };
        for average_s in [0.0045, 0.005, 0.0055] {
            let layout = Layout::new(&Disk {
                seek_average_s: average_s,
                ..large.clone()
            });
            let near = |seek_s: f64, wanted_s: f64, within: f64| {
                assert!(
                    (seek_s / wanted_s - 1.0).abs() < within,
                    "{seek_s} is not {wanted_s}"
                );
            };
            near(layout.seek_s(0.0), 0.001, 1e-9);
            near(layout.seek_s(1.0), 0.001, 1e-9);
            near(layout.seek_s(5_999.0), 0.01, 1e-6);
            near(mean_of_pairs(&layout, 6_000), average_s, 0.005);
        }
    }

    /// No curve of a root and a line has its mean below a third of the way or above 8/15: the longest seek gives way.
    #[test]
    fn a_mean_that_no_curve_has_is_kept() {
        for average_s in [0.002, 0.008] {
            let layout = Layout::new(&Disk {
                capacity_bytes: 960_000.0,
                seek_average_s: average_s,
                ..disk()
            });
            let mean_s = mean_of_pairs(&layout, 6_000);
            assert!(
                (mean_s / average_s - 1.0).abs() < 0.02,
                "{mean_s} is not {average_s}"
            );
        }
    }
}
