use std::os::unix::fs::FileExt;

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
    done: Vec<Done>,
    reads: usize,
}

impl Backend for &mut Bad<'_> {
    fn push(&mut self, io: &Io) {
        self.reads += 1;
        let end = io.offset + u64::from(io.bytes);
        let touched = |bad: &&Range<u64>| bad.start < end && bad.end > io.offset;
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
            Some(_) => -libc::EIO,
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
    let file = Scratch::new("bad", length);
    let opened = File::options().read(true).write(true).open(&file.0);
    let opened = opened.expect("it is there");
    for short in [false, true] {
        let ledger = Ledger::new(
            77,
            (UNIT, 16 * UNIT),
            &[(file.0.display().to_string(), 0, length)],
        );
        let content = (Content::from(DataPattern::Incompressible), 1);
        let filled = fill(&file.0, (0, length), content, false, Some(&ledger), |_| {
            Control::Continue
        });
        filled.expect("it is filled");
        opened.write_all_at(&[7; 512], 101 * UNIT).expect("it is written");
        let mut device = Bad {
            file: &opened,
            sectors: &bad,
            short,
            done: Vec::new(),
            reads: 0,
        };
        let place = Place {
            path: &file.0,
            direct: false,
            logical_block_bytes: 512,
            since: 0,
        };
        let reader = Reader::new(&ledger, 0, &opened, place).expect("memory");
        let mut read = 0;
        let found = reader.run(&mut device, 2, &mut |bytes| {
            read = bytes;
            Control::Continue
        });
        let found = found.expect("it is read");
        let told = found.first.iter();
        let told: Vec<_> = told.map(|one| (one.offset_bytes, one.bytes, one.kind)).collect();
        assert_eq!(told, expected, "{short}");
        assert_eq!(
            (found.checked_bytes, read),
            (length - 3 * UNIT, length),
            "{short}"
        );
        // Halves of 256 units: two reads a step for each of the three at the most.
        assert!(device.reads <= 3 + 3 * 2 * 8, "{}", device.reads);
    }
}
