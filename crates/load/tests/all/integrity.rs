//! The judge of verified reads against a device in memory that takes writes apart, reorders
//! them, and on demand loses, tears, misdirects or damages them.

mod claims;
mod trims;

use std::ops::Range;

use iodyno_load::integrity::{Findings, Kind, Known, Ledger, SECTOR_BYTES, judge};
use iodyno_load::pattern::mix;

const UNIT: u64 = 4096;
const UNITS: u64 = 64;
const START: u64 = 3 * UNIT;
const BYTES: u64 = UNITS * UNIT;
const SECTOR: u64 = SECTOR_BYTES as u64;

/// Draws that a seed fixes.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = mix(self.0, 1);
        self.0 % bound
    }

    /// A range of one to eight units of the area.
    fn range(&mut self) -> Range<u64> {
        let units = 1 + self.below(8);
        let first = self.below(UNITS - units + 1);
        START + first * UNIT..START + (first + units) * UNIT
    }
}

/// What the device copies at once: a read beside a write can see half a sector of it, as through
/// the page cache.
const PIECE_BYTES: usize = 256;

/// An access that a device is serving: piece by piece, in any order.
struct Access {
    range: Range<u64>,
    data: Vec<u8>,
    /// Pieces that are still to be served.
    left: Vec<u64>,
    kind: What,
}

enum What {
    /// Of this generation.
    Write(u64),
    /// What was known when it began.
    Read(Vec<Known>),
    Trim,
}

/// What a device leaves where it trims.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Leaves {
    Zeros,
    Ones,
    /// What was there.
    Kept,
    /// What was there first.
    Older,
    /// Noise, as a layer that encrypts makes of zeros.
    Noise,
}
const LEAVES: [Leaves; 5] = [
    Leaves::Zeros,
    Leaves::Ones,
    Leaves::Kept,
    Leaves::Older,
    Leaves::Noise,
];

struct Rig {
    ledger: Ledger,
    device: Vec<u8>,
    draw: Draw,
    findings: Findings,
    under_way: Vec<Access>,
    leaves: Leaves,
    /// What the device held first of all.
    oldest: Vec<u8>,
}

fn place(offset: u64) -> Range<usize> {
    offset as usize..offset as usize + SECTOR_BYTES
}

impl Rig {
    fn new(seed: u64) -> Self {
        let areas = [("other".to_owned(), 0, UNIT), ("device".to_owned(), START, BYTES)];
        Self {
            ledger: Ledger::new(77, (UNIT, 8 * UNIT), &areas),
            device: vec![0; (START + BYTES) as usize],
            draw: Draw(seed),
            findings: Findings::default(),
            under_way: Vec::new(),
            leaves: Leaves::Zeros,
            oldest: Vec::new(),
        }
    }

    fn block(&mut self, range: &Range<u64>, generation: u64) -> Vec<u8> {
        let mut data: Vec<u8> = (range.clone()).map(|at| mix(generation, at) as u8).collect();
        self.ledger.stamp(1, range.start, generation).put_all(&mut data);
        data
    }

    fn begin_write(&mut self, range: Range<u64>) -> Option<u64> {
        let bytes = range.end - range.start;
        if !self.ledger.claim(1, range.start, bytes) {
            self.findings.waited += 1;
            return None;
        }
        let generation = self.ledger.next_generation();
        let data = self.block(&range, generation);
        let left = range.clone().step_by(PIECE_BYTES).collect();
        self.under_way.push(Access {
            range,
            data,
            left,
            kind: What::Write(generation),
        });
        Some(generation)
    }

    fn begin_trim(&mut self, range: Range<u64>) -> bool {
        if !self.ledger.claim_to_trim(1, range.start, range.end - range.start) {
            self.findings.waited += 1;
            return false;
        }
        let bytes = range.start as usize..range.end as usize;
        let data = match self.leaves {
            Leaves::Zeros => vec![0; bytes.len()],
            Leaves::Ones => vec![0xff; bytes.len()],
            Leaves::Kept => self.device[bytes].to_vec(),
            Leaves::Older => self.oldest[bytes].to_vec(),
            Leaves::Noise => bytes.map(|_| self.draw.below(256) as u8).collect(),
        };
        let left = range.clone().step_by(PIECE_BYTES).collect();
        self.under_way.push(Access {
            range,
            data,
            left,
            kind: What::Trim,
        });
        true
    }

    fn trim(&mut self, range: Range<u64>) {
        self.drain();
        assert!(self.begin_trim(range), "nothing is under way");
        self.drain();
    }

    fn begin_read(&mut self, range: Range<u64>) {
        let mut known = Vec::new();
        let bytes = range.end - range.start;
        self.ledger.take_down(1, range.start, bytes, &mut known);
        let left = range.clone().step_by(PIECE_BYTES).collect();
        let data = vec![0; bytes as usize];
        self.under_way.push(Access {
            range,
            data,
            left,
            kind: What::Read(known),
        });
    }

    /// Serve one piece of one access.
    fn step(&mut self) {
        let which = self.draw.below(self.under_way.len() as u64) as usize;
        let access = &mut self.under_way[which];
        let piece = access
            .left
            .swap_remove(self.draw.below(access.left.len() as u64) as usize);
        let there = piece as usize..piece as usize + PIECE_BYTES;
        let within = (piece - access.range.start) as usize;
        let within = within..within + PIECE_BYTES;
        match access.kind {
            What::Write(_) | What::Trim => self.device[there].copy_from_slice(&access.data[within]),
            What::Read(_) => access.data[within].copy_from_slice(&self.device[there]),
        }
        if access.left.is_empty() {
            let access = self.under_way.swap_remove(which);
            self.end(access);
        }
    }

    fn end(&mut self, access: Access) {
        let (start, bytes) = (access.range.start, access.range.end - access.range.start);
        match access.kind {
            What::Write(generation) => self.ledger.written(1, start, bytes, generation),
            What::Trim => self.ledger.trimmed(1, start, bytes),
            What::Read(known) => self.check(start, &access.data, &known),
        }
    }

    fn check(&mut self, start: u64, data: &[u8], known: &[Known]) {
        let device = &self.device;
        let mut again = |range: Range<u64>| Some(device[range.start as usize..range.end as usize].to_vec());
        judge(
            &self.ledger,
            (1, start),
            data,
            known,
            &mut self.findings,
            &mut again,
        );
    }

    fn drain(&mut self) {
        while !self.under_way.is_empty() {
            self.step();
        }
    }

    fn write(&mut self, range: Range<u64>) -> u64 {
        self.drain();
        let generation = self.begin_write(range).expect("nothing is under way");
        self.drain();
        generation
    }

    fn read(&mut self, range: Range<u64>) {
        self.drain();
        self.begin_read(range);
        self.drain();
    }

    fn fill(&mut self) {
        for unit in 0..UNITS {
            self.write(START + unit * UNIT..START + (unit + 1) * UNIT);
        }
        self.oldest.clone_from(&self.device);
    }

    /// Read everything that is known, in pieces that cut through writes.
    fn pass(&mut self, most: u64) {
        let mut from = 0;
        while let Some(range) = self.ledger.next_range(1, from, most, 0) {
            from = range.end;
            let mut known = Vec::new();
            self.ledger
                .take_down(1, range.start, range.end - range.start, &mut known);
            let data = self.device[range.start as usize..range.end as usize].to_vec();
            self.check(range.start, &data, &known);
        }
    }

    /// The only finding: its kind, place, length, whether it lasts.
    fn only(&self) -> (Kind, u64, u64, Option<bool>) {
        assert_eq!(self.findings.total(), 1, "{:?}", self.findings.first);
        let found = &self.findings.first[0];
        assert_eq!(found.target, 1);
        (found.kind, found.offset_bytes, found.bytes, found.lasting)
    }
}

#[test]
fn a_device_that_keeps_its_word_raises_no_alarm() {
    for seed in 0..40 {
        let mut rig = Rig::new(seed);
        rig.fill();
        for _ in 0..4_000 {
            while rig.under_way.len() < 24 {
                let range = rig.draw.range();
                if rig.draw.below(3) == 0 {
                    rig.begin_write(range);
                } else {
                    rig.begin_read(range);
                }
            }
            rig.step();
        }
        rig.drain();
        rig.pass(5 * UNIT);
        assert_eq!(rig.findings.total(), 0, "seed {seed}: {:?}", rig.findings.first);
        let (checked, waited) = (rig.findings.checked_bytes, rig.findings.waited);
        assert!(checked > BYTES && waited > 0 && rig.findings.not_judged_bytes > 0);
    }
}

#[test]
fn a_corruption_is_told_from_all_others_wherever_it_is() {
    for seed in 0..60 {
        for kind in [
            Kind::BitFlip,
            Kind::Torn,
            Kind::Lost,
            Kind::Stale,
            Kind::Misdirected,
            Kind::Zeros,
            Kind::Foreign,
        ] {
            for mixed in [false, true] {
                let mut rig = Rig::new(mix(seed, kind as u64));
                rig.fill();
                for _ in 0..20 {
                    let range = rig.draw.range();
                    rig.write(range);
                }
                let (offset, bytes) = plant(&mut rig, kind);
                if mixed {
                    // A read of the load finds it, and the pass does not tell it again.
                    rig.read(offset / UNIT * UNIT..offset / UNIT * UNIT + UNIT);
                    assert_eq!(
                        rig.findings.total(),
                        1,
                        "seed {seed}, {kind:?}: {:?}",
                        rig.findings
                    );
                }
                rig.pass(UNIT * (1 + seed % 9));
                let place = format!("seed {seed}, {kind:?}: {:?}", rig.findings.first);
                assert_eq!(rig.only(), (kind, offset, bytes, Some(true)), "{place}");
            }
        }
    }
}

/// Make one corruption of a kind; its first wrong byte and how many are wrong.
fn plant(rig: &mut Rig, kind: Kind) -> (u64, u64) {
    let range = rig.draw.range();
    let (start, bytes) = (range.start, range.end - range.start);
    let old = rig.device[start as usize..range.end as usize].to_vec();
    let generation = rig.write(range.clone());
    let sector = start + rig.draw.below(bytes / SECTOR) * SECTOR;
    match kind {
        Kind::BitFlip => {
            let byte = sector + rig.draw.below(SECTOR);
            rig.device[byte as usize] ^= 1 << rig.draw.below(8);
            (sector, SECTOR)
        }
        Kind::Torn => {
            // Everything from one sector on, but not all of it, is as it was before.
            let cut = start + (1 + rig.draw.below(bytes / SECTOR - 1)) * SECTOR;
            let part = (cut - start) as usize;
            rig.device[cut as usize..range.end as usize].copy_from_slice(&old[part..]);
            (cut, range.end - cut)
        }
        Kind::Lost => {
            rig.device[start as usize..range.end as usize].copy_from_slice(&old);
            (start, bytes)
        }
        Kind::Stale => {
            rig.read(range.clone());
            rig.device[start as usize..range.end as usize].copy_from_slice(&old);
            (start, bytes)
        }
        Kind::Misdirected => {
            // The write went here instead of there; what belongs here was the newest.
            let elsewhere = if start == START { range.end } else { START };
            let stamp = rig.ledger.stamp(1, elsewhere, generation);
            stamp.put(&mut rig.device[place(sector)]);
            (sector, SECTOR)
        }
        Kind::Zeros => {
            rig.device[place(sector)].fill(0);
            (sector, SECTOR)
        }
        Kind::Foreign => {
            let mut draw = Draw(sector);
            rig.device[place(sector)].fill_with(|| draw.below(256) as u8);
            (sector, SECTOR)
        }
        Kind::Overtrimmed | Kind::Unreadable => unreachable!("they have tests of their own"),
    }
}

#[test]
fn a_write_that_landed_elsewhere_is_missed_here_and_misplaced_there() {
    let mut rig = Rig::new(1);
    rig.fill();
    let (here, there) = (START + 4 * UNIT, START + 9 * UNIT);
    let before = rig.device[here as usize..(here + UNIT) as usize].to_vec();
    rig.write(here..here + UNIT);
    let block = rig.device[here as usize..(here + UNIT) as usize].to_vec();
    rig.device[here as usize..(here + UNIT) as usize].copy_from_slice(&before);
    rig.device[there as usize..(there + UNIT) as usize].copy_from_slice(&block);
    rig.pass(16 * UNIT);
    let kinds: Vec<_> = rig
        .findings
        .first
        .iter()
        .map(|found| (found.kind, found.offset_bytes))
        .collect();
    assert_eq!(kinds, [(Kind::Lost, here), (Kind::Misdirected, there)]);
    assert_eq!(rig.findings.first[1].found.expect("a stamp").offset_bytes, here);
    assert_eq!(rig.findings.first[1].bytes, UNIT);
}

#[test]
fn what_only_one_read_saw_wrong_does_not_last() {
    let mut rig = Rig::new(1);
    rig.fill();
    rig.write(START..START + UNIT);
    let mut known = Vec::new();
    rig.ledger.take_down(1, START, UNIT, &mut known);
    let mut data = rig.device[START as usize..(START + UNIT) as usize].to_vec();
    data[700] ^= 4;
    rig.check(START, &data, &known);
    assert_eq!(rig.only(), (Kind::BitFlip, START + 512, 512, Some(false)));
    // The place is known as before.
    rig.device[START as usize] ^= 1;
    rig.pass(UNIT);
    assert_eq!(rig.findings.counts[&Kind::BitFlip], 2);
    assert_eq!(rig.findings.first[1].lasting, Some(true));
}

#[test]
fn an_old_block_of_a_cache_is_stale_and_not_lost() {
    let mut rig = Rig::new(1);
    rig.fill();
    let old = rig.device[START as usize..(START + UNIT) as usize].to_vec();
    rig.write(START..START + UNIT);
    let mut known = Vec::new();
    rig.ledger.take_down(1, START, UNIT, &mut known);
    rig.check(START, &old, &known);
    assert_eq!(rig.only(), (Kind::Stale, START, UNIT, Some(false)));
}

#[test]
fn a_block_of_an_earlier_run_tells_so() {
    let mut rig = Rig::new(1);
    let earlier = Ledger::new(
        5,
        (UNIT, UNIT),
        &[("x".to_owned(), 0, UNIT), ("y".to_owned(), START, BYTES)],
    );
    rig.write(START..START + UNIT);
    earlier
        .stamp(1, START, 1 << 20)
        .put_all(&mut rig.device[START as usize..(START + UNIT) as usize]);
    rig.pass(UNIT);
    assert_eq!(rig.only(), (Kind::Lost, START, UNIT, Some(true)));
    assert!(!rig.findings.first[0].found.expect("a stamp").this_run);
}

#[test]
fn of_what_was_never_written_or_failed_nothing_is_asked() {
    let mut rig = Rig::new(1);
    rig.read(START..START + 8 * UNIT);
    assert_eq!((rig.findings.total(), rig.findings.checked_bytes), (0, 0));
    rig.fill();
    rig.ledger.failed(1, START + UNIT, UNIT);
    rig.device[(START + UNIT) as usize] ^= 1;
    rig.pass(BYTES);
    assert_eq!(
        (rig.findings.total(), rig.findings.checked_bytes),
        (0, BYTES - UNIT)
    );
}

#[test]
fn generations_go_on_past_what_a_unit_keeps_of_them() {
    let mut rig = Rig::new(1);
    rig.fill();
    rig.ledger
        .skip_generations((1 << 30) - rig.ledger.last_generation() - 3);
    for _ in 0..6 {
        let old = rig.device[START as usize..(START + UNIT) as usize].to_vec();
        let generation = rig.write(START..START + UNIT);
        rig.read(START..START + 2 * UNIT);
        assert_eq!(rig.findings.total(), 0, "generation {generation}");
        let mut known = Vec::new();
        rig.ledger.take_down(1, START, UNIT, &mut known);
        rig.check(START, &old, &known);
        assert_eq!(rig.only(), (Kind::Stale, START, UNIT, Some(false)));
        assert_eq!(rig.findings.first[0].expected_generation, generation);
        rig.findings = Findings::default();
    }
    assert!(rig.ledger.last_generation() > 1 << 30);
}
