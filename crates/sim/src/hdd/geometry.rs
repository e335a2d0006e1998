//! Where a byte is: zone, track, cylinder and angle, computed from the capacity, the heads and the rates.

use crate::system::HddModel;
use crate::time::{PS_PER_S, Ps};

/// Tracks of one length.
#[derive(Clone, Copy, Debug)]
struct Zone {
    first_byte: u64,
    first_track: u64,
    track_bytes: u64,
}

/// Where an access begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Track, counted over all heads from the outermost.
    pub track: u64,
    /// Cylinder, counted from the outermost.
    pub cylinder: u32,
    /// When in a revolution the head is over it.
    pub phase: Ps,
}

/// How one disk turns beside others.
#[derive(Clone, Copy, Debug)]
pub struct Spindle {
    /// A draw of how far it has turned at the beginning.
    pub angle: u64,
    /// How much longer than its model's a revolution takes, as a share.
    pub slower: f64,
}

/// The layout: consecutive bytes fill the tracks of a cylinder, then the next cylinder inwards. A track
/// holds what passes in a revolution at the media rate, which has gaps and switches of heads in it; so a
/// sequential access runs on from track to track.
#[derive(Clone, Debug)]
pub struct Geometry {
    revolution: Ps,
    /// How far the disk has turned at the beginning.
    begun: Ps,
    heads: u64,
    cylinders: u32,
    zones: Vec<Zone>,
}

impl Geometry {
    /// Zones of equally many cylinders; rates fall linearly from the outermost to the innermost.
    pub fn new(model: &HddModel) -> Self {
        let (count, heads) = (u64::from(model.zones.max(1)), u64::from(model.heads.max(1)));
        let lengths: Vec<u64> = (0..count).map(|zone| track_bytes(model, zone, count)).collect();
        let of_all: u64 = lengths.iter().sum();
        let cylinders_each = model.capacity_bytes.div_ceil(heads * of_all).max(1);
        let mut zones = Vec::with_capacity(lengths.len());
        let mut first_byte = 0;
        for (zone, track_bytes) in (0..).zip(lengths) {
            let first_track = zone * cylinders_each * heads;
            zones.push(Zone {
                first_byte,
                first_track,
                track_bytes,
            });
            first_byte += cylinders_each * heads * track_bytes;
        }
        let cylinders = u32::try_from(cylinders_each * count).expect("fewer than 2^32 cylinders");
        Self {
            revolution: model.revolution_ps,
            begun: Ps::ZERO,
            heads,
            cylinders,
            zones,
        }
    }

    /// Let the disk turn as a spindle does, and give its revolution. What is on a track stays the same.
    pub fn turn(&mut self, spindle: Spindle) -> Ps {
        self.revolution = self.revolution.times(1.0 + spindle.slower);
        self.begun = Ps(spindle.angle % self.revolution.0);
        self.revolution
    }

    /// Cylinders.
    pub fn cylinders(&self) -> u32 {
        self.cylinders
    }

    #[inline]
    fn zone(&self, offset: u64) -> &Zone {
        &self.zones[self.zones.partition_point(|zone| zone.first_byte <= offset) - 1]
    }

    /// Where a byte is.
    #[inline]
    pub fn place(&self, offset: u64) -> Place {
        let zone = self.zone(offset);
        let within = offset - zone.first_byte;
        let track = zone.first_track + within / zone.track_bytes;
        let into = within % zone.track_bytes;
        Place {
            track,
            cylinder: (track / self.heads) as u32,
            phase: Ps(share(into, self.revolution.0, zone.track_bytes)),
        }
    }

    /// Time in which `bytes` from `offset` on pass under the head.
    #[inline]
    pub fn transfer(&self, offset: u64, bytes: u64) -> Ps {
        let track = self.zone(offset).track_bytes;
        Ps(share(bytes, self.revolution.0, track))
    }

    /// Bytes from `offset` on that pass under the head in a time.
    #[inline]
    pub fn passed(&self, offset: u64, time: Ps) -> u64 {
        let track = self.zone(offset).track_bytes;
        share(time.0, track, self.revolution.0)
    }

    /// Bytes that pass in a revolution where `offset` is.
    #[inline]
    pub fn track_bytes(&self, offset: u64) -> u64 {
        self.zone(offset).track_bytes
    }

    /// One turn of the disk.
    #[inline]
    pub fn revolution(&self) -> Ps {
        self.revolution
    }

    /// How far the disk has turned since its last whole revolution.
    #[inline]
    pub fn turned(&self, now: Ps) -> Ps {
        Ps((now.0 + self.begun.0) % self.revolution.0)
    }

    /// From a moment, as far as the disk has turned then, until the head is over a phase of the revolution.
    #[inline]
    pub fn rotation(&self, turned: Ps, phase: Ps) -> Ps {
        let (mut at, revolution) = (turned.0, self.revolution.0);
        // A seek takes few revolutions, and subtracting is quicker than dividing; for most, one without a branch.
        at -= if at >= revolution { revolution } else { 0 };
        while at >= revolution {
            at -= revolution;
        }
        Ps(if phase.0 >= at {
            phase.0 - at
        } else {
            phase.0 + revolution - at
        })
    }
}

/// `part` × `of` ÷ `whole`, rounded down.
#[inline]
fn share(part: u64, of: u64, whole: u64) -> u64 {
    match part.checked_mul(of) {
        Some(product) => product / whole,
        None => (u128::from(part) * u128::from(of) / u128::from(whole)) as u64,
    }
}

/// Bytes of a track of a zone.
fn track_bytes(model: &HddModel, zone: u64, zones: u64) -> u64 {
    let (outer, inner) = (model.outer_bytes_s as f64, model.inner_bytes_s as f64);
    let share = zone as f64 / (zones.max(2) - 1) as f64;
    let rate = outer - (outer - inner) * share;
    ((rate * model.revolution_ps.0 as f64 / PS_PER_S) as u64).max(512)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hdd::disk_of_tests;

    /// A disk that turns more slowly has the same bytes on a track, at the same angles, and takes longer for them.
    #[test]
    fn a_slower_disk_has_the_same_tracks() {
        let nominal = Geometry::new(&disk_of_tests(16));
        let mut slower = nominal.clone();
        let spindle = Spindle {
            angle: 0,
            slower: 0.25,
        };
        assert_eq!(slower.turn(spindle), Ps(5_000_000_000));
        for offset in [0, 123_456_789, 300_000_000_000] {
            assert_eq!(slower.track_bytes(offset), nominal.track_bytes(offset));
            let (place, other) = (nominal.place(offset), slower.place(offset));
            assert_eq!((other.track, other.cylinder), (place.track, place.cylinder));
            for (a, b) in [
                (other.phase, place.phase),
                (slower.transfer(offset, 65536), nominal.transfer(offset, 65536)),
            ] {
                assert!((a.0 * 4).abs_diff(b.0 * 5) < 10, "{a:?} {b:?}");
            }
        }
    }

    /// After a minute under an idle head as many tracks have passed as the disk has turned, and so many bytes take a minute:
    /// picoseconds times bytes are more than 64 bits hold.
    #[test]
    fn long_times_are_as_many_revolutions() {
        let geometry = Geometry::new(&disk_of_tests(16));
        let (turns, minute) = (15_000, Ps::from_ns(60_000_000_000));
        assert_eq!(Ps(geometry.revolution().0 * turns), minute);
        let bytes = turns * geometry.track_bytes(0);
        assert_eq!(geometry.passed(0, minute), bytes);
        assert_eq!(geometry.transfer(0, bytes), minute);
    }
}
