//! Accesses by number: who takes a number makes that access, whatever the others do. So several
//! workers go through one sequence without overlap or gap, and all of them together make the same
//! accesses every time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::permutation::Permutation;
use super::{Access, Share, mix};

/// What the key is mixed with to draw trims.
const TRIMS: u64 = 0x7472_696d;

/// The order in which the blocks of an area are accessed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    /// One after the other, and from the beginning again.
    Ascending,
    /// Each once in an order of chance, then each once in another: the order of a pass.
    Permuted(Permutation),
}

/// The accesses of one or several workers to one target, by number.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// The number of the next access: shared by the workers.
    next: Arc<AtomicU64>,
    order: Order,
    key: u64,
    trim: Share,
    read: Share,
    bytes: u32,
    /// Distance of blocks in bytes.
    cell: u64,
    /// Blocks that are accessed.
    cells: u64,
    area_start: u64,
    /// First number of the pass that the last access was of: nearly always the next one is of it too.
    pass_start: u64,
}

impl Counted {
    /// Accesses of blocks of one size, a distance apart, to an area of a start and length.
    pub(super) fn new(
        next: Arc<AtomicU64>,
        (area_start, area_length): (u64, u64),
        (bytes, cell): (u32, u64),
        ([trim, read], key): ([Share; 2], u64),
        permuted: bool,
    ) -> Self {
        let cells = (area_length - u64::from(bytes)) / cell + 1;
        let order = if permuted {
            Order::Permuted(Permutation::new(cells, mix(key, 0)))
        } else {
            Order::Ascending
        };
        Self {
            next,
            order,
            key,
            trim,
            read,
            bytes,
            cell,
            cells,
            area_start,
            pass_start: 0,
        }
    }

    /// The next access that nobody has taken.
    #[inline]
    pub(super) fn next(&mut self) -> Access {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number.wrapping_sub(self.pass_start) >= self.cells {
            self.begin_pass(number / self.cells);
        }
        let place = number - self.pass_start;
        let cell = match &self.order {
            Order::Ascending => place,
            Order::Permuted(places) => places.of(place),
        };
        let trim = self.trim.holds(|| mix(self.key ^ TRIMS, number));
        Access {
            trim,
            write: !trim && !self.read.holds(|| mix(!self.key, number)),
            offset: self.area_start + cell * self.cell,
            bytes: self.bytes,
        }
    }

    #[cold]
    fn begin_pass(&mut self, pass: u64) {
        self.pass_start = pass * self.cells;
        if let Order::Permuted(places) = &mut self.order {
            *places = Permutation::new(self.cells, mix(self.key, pass));
        }
    }
}
