use std::cell::Cell;

use iodyno_load::request::DataPattern;

use super::*;
use crate::backend::CommandIo;

/// A device that fails its third write: those that are at hand fail wherever they are full, and then all.
struct Failing<'a> {
    begun: &'a Cell<usize>,
    result: i32,
    queued: Vec<Done>,
}

impl Backend for Failing<'_> {
    fn push(&mut self, io: &Io) {
        self.begun.set(self.begun.get() + 1);
        let third = self.begun.get() == 3;
        let result = if third { self.result } else { io.bytes as i32 };
        self.queued.push(Done {
            slot: io.slot,
            result,
        });
    }

    fn push_command(&mut self, _command: &CommandIo) {
        unreachable!("a fill has none");
    }

    fn exchange(&mut self, _want: usize, _timeout_ns: u64) -> io::Result<u64> {
        Ok(1)
    }

    /// One at a time: the others are still on their way.
    fn reap(&mut self, take: impl FnMut(Done)) {
        self.queued.drain(..1).for_each(take);
    }
}

#[test]
fn after_a_failure_nothing_more_is_written_and_what_is_on_its_way_is_waited_for() {
    let content = Content::from(DataPattern::Repeated);
    for (result, says) in [(-libc::EIO, libc::EIO), (512, libc::ENOSPC)] {
        let (begun, depth) = (Cell::new(0), 2);
        let part = DataSource::part_bytes(BLOCK_BYTES as usize, depth);
        let mut buffers = Buffers::map(depth * part).expect("memory");
        let data = Data {
            source: DataSource::new(content, 1, &mut buffers, (0, depth, part)),
            stamps: None,
        };
        let device = Failing {
            begun: &begun,
            result,
            queued: Vec::new(),
        };
        let filler = Filler::new(
            device,
            buffers,
            data,
            (0, 100 * BLOCK_BYTES),
            (depth, BLOCK_BYTES),
        );
        let mut told = 0;
        let failure = filler.run(&mut |written| {
            told = written;
            Control::Continue
        });
        let failure = failure.expect_err("the third write failed");
        let expected = io::Error::from_raw_os_error(says).to_string();
        assert!(failure.to_string().ends_with(&expected), "{failure}");
        // The fourth was under way beside it, and is counted.
        assert_eq!((begun.get(), told), (4, 3 * BLOCK_BYTES));
    }
}
