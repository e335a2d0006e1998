//! Drives to test with: a plain one for theory, and two real ones from their published numbers.

use iodyno_sim::system::HddModel;
use iodyno_sim::time::Ps;

/// A span from microseconds.
pub(crate) const fn us(us: u64) -> Ps {
    Ps(us * 1_000_000)
}

/// One zone, so that a uniform offset is a uniform cylinder; no cache, no read-ahead, no misses.
pub(crate) fn plain() -> HddModel {
    HddModel {
        capacity_bytes: 1_000_000_000_000,
        revolution_ps: Ps(8_000_000_000),
        heads: 4,
        outer_bytes_s: 100_000_000,
        inner_bytes_s: 100_000_000,
        zones: 1,
        seek_track_ps: us(300),
        seek_average_ps: us(8_000),
        seek_full_ps: us(18_000),
        write_settle_ps: us(500),
        command_ps: us(150),
        missed_revolution: 0.0,
        tags: 32,
        write_cache: false,
        write_cache_entries: 256,
        cached_write_ps: Ps::ZERO,
        read_ahead_bytes: 0,
        read_segments: 1,
    }
}

/// Seagate ST91000640NS. Heads, seek times, settling, overhead and the ratio of the zones' rates: Constellation.2
/// SAS Product Manual, Rev. H, section 5 (the same mechanics); the outer rate: its published sequential
/// throughput; the probability of a missed revolution: fitted to its published Database rate.
pub(crate) fn sata() -> HddModel {
    HddModel {
        capacity_bytes: 1_000_204_886_016,
        revolution_ps: Ps(60_000_000_000_000 / 7200),
        heads: 8,
        outer_bytes_s: 113_400_000,
        inner_bytes_s: 58_400_000,
        zones: 16,
        seek_track_ps: us(230),
        seek_average_ps: us(7_500),
        seek_full_ps: us(17_060),
        write_settle_ps: us(1_000),
        command_ps: us(200),
        missed_revolution: 0.135,
        tags: 32,
        write_cache: true,
        write_cache_entries: 256,
        cached_write_ps: Ps::ZERO,
        read_ahead_bytes: 4 << 20,
        read_segments: 7,
    }
}

/// HGST HUC156045CSS204. Average seek and settling: Ultrastar C15K600 Specification 1.6, section 4.4.1; outer
/// rate and missed revolutions as above; the rest assumed.
pub(crate) fn sas() -> HddModel {
    HddModel {
        capacity_bytes: 450_098_159_616,
        revolution_ps: Ps(4_000_000_000),
        heads: 6,
        outer_bytes_s: 248_900_000,
        inner_bytes_s: 166_000_000,
        seek_track_ps: us(200),
        seek_average_ps: us(2_900),
        seek_full_ps: us(6_600),
        write_settle_ps: us(200),
        command_ps: us(100),
        missed_revolution: 0.109,
        write_cache_entries: 512,
        ..sata()
    }
}
