use std::os::unix::fs::FileExt;
use std::slice;

use iodyno_load::request::DataPattern;

use super::*;
use crate::backend::CommandIo;
use crate::data::Content;
use crate::fill::fill;
use crate::made::Scratch;

const UNIT: u64 = 4096;

/// A device with sectors that cannot be read: a read that touches one fails, or ends before it.
struct Bad<'a> {
    file: &'a File,
    sectors: &'a [Range<u64>],
    short: bool,
    error: i32,
    /// Which of its reads can fail.
    gone: Range<usize>,
    done: Vec<Done>,
    reads: usize,
}

impl<'a> Bad<'a> {
    fn new(file: &'a File, sectors: &'a [Range<u64>]) -> Self {
        Self {
            file,
            sectors,
            short: false,
            error: libc::EIO,
            gone: 0..usize::MAX,
            done: Vec::new(),
            reads: 0,
        }
    }
}

impl Backend for &mut Bad<'_> {
    fn push(&mut self, io: &Io) {
        let gone = self.gone.contains(&self.reads);
        self.reads += 1;
        let end = io.offset + u64::from(io.bytes);
        let touched = |bad: &&Range<u64>| gone && bad.start < end && bad.end > io.offset;
        let first = self.sectors.iter().filter(touched).map(|bad| bad.start).min();
        let good = first.map_or(end, |bad| bad.max(io.offset)) - io.offset;
        let mut data = vec![0; io.bytes as usize];
        self.file
            .read_exact_at(&mut data, io.offset)
            .expect("it is there");
        // SAFETY: the block has room for as many bytes as are asked for.
        unsafe { io.block.copy_from(data.as_ptr(), data.len()) };
        let result = match first {
            None => io.bytes as i32,
            Some(_) if self.short && good > 0 => good as i32,
            Some(_) => -self.error,
        };
        self.done.push(Done {
            slot: io.slot,
            result,
        });
    }

    fn push_command(&mut self, _command: &CommandIo) {
        unreachable!("a pass has none");
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> std::io::Result<u64> {
        Ok(1)
    }

    fn reap(&mut self, take: impl FnMut(Done)) {
        self.done.drain(..).for_each(take);
    }
}

#[test]
fn what_cannot_be_read_hides_nothing_beside_it() {
    // One bad sector, two that are neighbours across the reads of a megabyte, and a wrong one beside the first.
    let bad = [
        100 * UNIT + 512..100 * UNIT + 1024,
        (1 << 20) - 512..1 << 20,
        1 << 20..(1 << 20) + 512,
    ];
    let expected = [
        (101 * UNIT, 512, Kind::Foreign),
        (100 * UNIT, UNIT, Kind::Unreadable),
        ((1 << 20) - UNIT, 2 * UNIT, Kind::Unreadable),
    ];
    let length = 3 << 20;
    for short in [false, true] {
        let filled = Filled::new("bad", length);
        filled.spoil(101 * UNIT);
        let mut device = Bad {
            short,
            ..Bad::new(&filled.opened, &bad)
        };
        let (told, checked) = filled.pass(&mut device);
        assert_eq!(told, expected, "{short}");
        assert_eq!(checked, length - 3 * UNIT, "{short}");
        // Halves of 256 units: two reads a step for each of the three at the most.
        assert!(device.reads <= 3 + 3 * 2 * 8, "{}", device.reads);
    }
}

/// Reads of 1 MiB with all halves down to a unit: 256 leaves of a tree.
const TREE: usize = 2 * 256 - 1;
/// Parts of a tree that wait for their turn where it is left: one at each step down.
const WAITING: usize = 8;

#[test]
fn a_device_that_answers_nothing_is_not_asked_for_each_unit() {
    let length = 64 << 20;
    let filled = Filled::new("dead", length);
    let all = 0..length;
    // Two reads are outstanding at once, so that two trees are begun.
    for (error, most) in [(libc::EIO, 64 + TREE + 2 * WAITING), (libc::ENODEV, 64)] {
        let mut device = Bad {
            error,
            ..Bad::new(&filled.opened, slice::from_ref(&all))
        };
        let (told, checked) = filled.pass(&mut device);
        assert_eq!(told, [(0, length, Kind::Unreadable)], "{error}");
        assert_eq!(checked, 0, "{error}");
        assert!(device.reads <= most, "{error}: {}", device.reads);
    }
}

#[test]
fn what_follows_a_long_stretch_that_cannot_be_read_is_compared() {
    // It begins and ends in the middle of reads of 1 MiB, a wrong block before and behind it; then come another
    // bad sector and a wrong one beside it.
    const MIB: u64 = 1 << 20;
    let (begin, end) = (MIB + 40 * UNIT, 11 * MIB + 200 * UNIT);
    let (sector, length) = (13 * MIB + 100 * UNIT, 16 * MIB);
    let wrong = [begin - UNIT, end, sector + UNIT];
    let bad = [begin..end, sector..sector + 512];
    let mut expected = wrong.map(|offset| (offset, 512, Kind::Foreign)).to_vec();
    expected.extend([
        (begin, end - begin, Kind::Unreadable),
        (sector, UNIT, Kind::Unreadable),
    ]);
    let filled = Filled::new("stretch", length);
    wrong.iter().for_each(|&offset| filled.spoil(offset));
    let mut device = Bad::new(&filled.opened, &bad);
    let (mut told, checked) = filled.pass(&mut device);
    told.sort_by_key(|&(offset, _, kind)| (kind == Kind::Unreadable, offset));
    assert_eq!(told, expected);
    assert_eq!(checked, length - (end - begin) - UNIT);
    // A tree before it is left, one at each end of it, one for the bad sector, and what waits.
    let most = 16 + 4 * TREE + 4 * WAITING;
    assert!(device.reads <= most, "{}", device.reads);
}

#[test]
fn what_a_device_did_not_answer_while_it_was_gone_is_compared_when_it_is_back() {
    let length = 16 << 20;
    let filled = Filled::new("back", length);
    filled.spoil(7 << 20);
    let all = 0..length;
    let mut device = Bad {
        error: libc::ENXIO,
        gone: 3..12,
        ..Bad::new(&filled.opened, slice::from_ref(&all))
    };
    let (told, checked) = filled.pass(&mut device);
    assert_eq!(told, [(7 << 20, 512, Kind::Foreign)]);
    assert_eq!(checked, length);
}

/// A file that a ledger knows all of.
struct Filled {
    file: Scratch,
    opened: File,
    ledger: Ledger,
    length: u64,
}

impl Filled {
    fn new(name: &str, length: u64) -> Self {
        let file = Scratch::new(name, length);
        let opened = File::options().read(true).write(true).open(&file.0);
        let path = file.0.display().to_string();
        let ledger = Ledger::new(77, (UNIT, 16 * UNIT), &[(path, 0, length)]);
        let content = (Content::from(DataPattern::Incompressible), 1);
        let filled = fill(&file.0, (0, length), content, false, Some(&ledger), |_| {
            Control::Continue
        });
        filled.expect("it is filled");
        Self {
            opened: opened.expect("it is there"),
            file,
            ledger,
            length,
        }
    }

    /// Put something else into a sector.
    fn spoil(&self, offset: u64) {
        self.opened
            .write_all_at(&[7; 512], offset)
            .expect("it is written");
    }

    /// What a pass tells, two reads at a time: findings with offset and length, and how much was compared.
    fn pass(&self, device: &mut Bad<'_>) -> (Vec<(u64, u64, Kind)>, u64) {
        let place = Place {
            path: &self.file.0,
            direct: false,
            logical_block_bytes: 512,
            since: 0,
        };
        let reader = Reader::new(&self.ledger, 0, &self.opened, place).expect("memory");
        let mut read = 0;
        let found = reader.run(device, 2, &mut |bytes| {
            assert!(bytes >= read, "{bytes} after {read}");
            read = bytes;
            Control::Continue
        });
        let found = found.expect("it is read");
        assert_eq!(read, self.length);
        let told = found.first.iter();
        let told = told.map(|one| (one.offset_bytes, one.bytes, one.kind)).collect();
        (told, found.checked_bytes)
    }
}
