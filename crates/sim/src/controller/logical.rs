//! A logical drive: its array, its settings, and what the cache does for it.

use super::LogicalUse;
use super::ahead::Ahead;
use super::background;
use super::cache::Cache;
use super::gather::Gather;
use super::kept::Kept;
use super::queues::Queues;
use crate::hdd::front;
use crate::operation::HostOp;
use crate::raid::Layout;
use crate::system::{self, Model};
use crate::time::Ps;

/// A logical drive as the controller sees it.
#[derive(Debug)]
pub(super) struct Logical {
    pub(super) layout: Layout,
    /// The controller's number of the drive of each member.
    pub(super) members: Vec<u8>,
    /// Whether there is a fast path.
    fast_path: bool,
    pub(super) cache: Option<Cache>,
    /// Where writes that are not cached become whole stripes.
    pub(super) gather: Option<Gather>,
    pub(super) ahead: Option<Ahead>,
    /// What the cache keeps of reads, where they go through it.
    pub(super) kept: Option<Kept>,
    pub(super) rebuild: Option<Rebuild>,
}

/// A rebuild under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rebuild {
    /// Bytes that are rebuilt at once, within a strip.
    pub(super) bytes: u32,
    /// Time between two such, at the rate asked for.
    pub(super) every: Ps,
    /// For how long a drive may pass its operations over, in µs.
    pub(super) limit_us: u32,
    /// When the next are due.
    pub(super) due: Ps,
    /// Those that were due and have not begun: they are made up for.
    pub(super) owed: u64,
    /// Whether that moment is awaited.
    pub(super) awaited: bool,
    /// It begins in the middle, as it is met on the mean, and not where the load may go in step with it.
    pub(super) position: u64,
    pub(super) under_way: u32,
    /// Bytes of each failed member that are on a drive again, counted on from round to round.
    pub(super) done: u64,
}

impl Logical {
    /// The logical drive of a system; `uses` is what each load does with it, `cache_bytes` its part of the cache.
    pub(super) fn new(
        system: &system::System,
        controller: &system::Controller,
        logical: &system::Logical,
        uses: &[&LogicalUse],
        (cache_bytes, seed): (u64, u64),
        queues: &mut Queues,
    ) -> Self {
        let array = &logical.array;
        let layout = Layout::of(system, array).expect("an array that the catalogue has checked");
        let cached = cache_bytes > 0;
        let commands = array
            .drives
            .iter()
            .filter_map(|&drive| system.drives[drive].commands);
        let depth = (commands.fold(controller.drive_queue, u32::min) / 2).max(1);
        let seeks = array
            .drives
            .iter()
            .any(|&drive| matches!(system.drives[drive].model, Model::Hdd(_)));
        let writers: Vec<_> = uses
            .iter()
            .copied()
            .filter(|usage| cached && logical.write_back && usage.profile.writes())
            .collect();
        let held = |&drive: &usize| match &system.drives[drive].model {
            Model::Hdd(model) => front::stream_bytes(model),
            Model::Ssd(_) => 0,
        };
        let drives = (depth, seeks, array.drives.iter().map(held).sum());
        let cache = (!writers.is_empty()).then(|| Cache::new(&layout, &writers, cache_bytes, drives, seed));
        // A controller with a cache makes whole stripes there or, told to write through, not at all.
        let stripe = layout.stripe_bytes().filter(|_| !cached);
        let follows = uses.iter().any(|usage| usage.profile.drawn_of(true) < 1.0);
        let sequential = |usage: &&LogicalUse| usage.profile.reads() && usage.profile.drawn_of(false) < 1.0;
        let size = logical.size_bytes.min(layout.capacity_bytes());
        let ahead = logical.read_ahead && uses.iter().any(sequential);
        // Loads that read here where reads are cached are alike: others are refused.
        let reader = uses.iter().find(|usage| usage.profile.reads()).or(uses.first());
        Self {
            members: array.drives.iter().map(|&drive| queues.add(drive)).collect(),
            fast_path: logical.fast_path && !logical.write_back && !array.rebuilds(),
            cache,
            gather: stripe.filter(|_| follows).map(Gather::new),
            ahead: ahead.then(|| Ahead::new(layout.row_bytes(), cheap_gap(system, array), size)),
            kept: reader
                .filter(|_| logical.cached_reads)
                .map(|usage| Kept::of(usage, &writers, cache_bytes)),
            rebuild: rebuild(array, layout.member_bytes()),
            layout,
        }
    }

    /// Whether an I/O takes the fast path, unless a lost member makes several operations of it: within a strip, and
    /// a write only where neither a copy nor parity is written with it.
    ///
    /// So says Linux' driver of these controllers, which sends what takes it to the drive itself
    /// (`drivers/scsi/megaraid/megaraid_sas_fp.c`: one strip; of writes those of level 0), and so say manuals
    /// (Dell's of the PERC H710: reads of all levels, arrays with lost members too, writes of RAID 0, no I/O beside a rebuild).
    #[inline]
    pub(super) fn fast(&self, op: &HostOp) -> bool {
        self.fast_path && (!op.write || self.layout.plain()) && self.layout.in_one_strip(op.offset, op.bytes)
    }
}

/// Bytes that every drive of an array reads in the time that a command takes it: none where one is an SSD, which has many
/// commands in hand at once.
fn cheap_gap(system: &system::System, array: &system::Array) -> u64 {
    let bytes = |&drive: &usize| match &system.drives[drive].model {
        Model::Hdd(model) => {
            (u128::from(model.command_ps.0) * u128::from(model.inner_bytes_s) / 1_000_000_000_000) as u64
        }
        Model::Ssd(_) => 0,
    };
    array.drives.iter().map(bytes).min().unwrap_or(0)
}

fn rebuild(array: &system::Array, member_bytes: u64) -> Option<Rebuild> {
    let (bytes, every) = array.rebuild_step();
    array.rebuilds().then_some(Rebuild {
        bytes,
        every,
        limit_us: background::limit_us(every),
        due: Ps::ZERO,
        owed: 0,
        awaited: false,
        position: member_bytes / 2 / u64::from(bytes) * u64::from(bytes),
        under_way: 0,
        done: 0,
    })
}
