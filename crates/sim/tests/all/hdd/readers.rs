//! Several readers on one disk: segments of the buffer, and how far is read ahead while another waits.

use iodyno_sim::calendar::Calendar;
use iodyno_sim::hdd::Hdd;
use iodyno_sim::hdd::geometry::Geometry;
use iodyno_sim::hdd::seek::SeekCurve;
use iodyno_sim::operation::{Done, DriveOp, Usage};
use iodyno_sim::system::HddModel;
use iodyno_sim::time::Ps;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::hdd::drives::{plain, sas, us};
use crate::hdd::interval::over_seeds;
use crate::hdd::one_by_one::{COMMAND, Given, answers};

const BYTES: u32 = 65_536;
/// A byte of the plain drive passes in 10 ns.
const BYTE: u64 = 10_000;
const REVOLUTION: u64 = 8_000_000_000;
const MEDIA: f64 = 100e6;

/// The plain drive with a buffer.
fn buffered(segments: u32) -> HddModel {
    HddModel {
        read_ahead_bytes: 4 << 20,
        read_segments: segments,
        ..plain()
    }
}

fn seek(model: &HddModel) -> SeekCurve {
    let stroke = Geometry::new(model).cylinders() - 1;
    SeekCurve::fit(
        model.seek_track_ps,
        model.seek_average_ps,
        model.seek_full_ps,
        stroke,
    )
}

/// Time of the arm from one place to another.
fn way(model: &HddModel, from: u64, to: u64) -> Ps {
    let cylinder = |offset| Geometry::new(model).place(offset).cylinder;
    seek(model).time(cylinder(to).abs_diff(cylinder(from)))
}

/// A reader with one read outstanding.
#[derive(Clone, Copy, Debug)]
enum Reader {
    /// From here on in order.
    InOrder(u64),
    /// Anywhere below this byte.
    Anywhere(u64),
}

/// Bytes/s of each reader, where each reads so many bytes at once.
fn rates(model: &HddModel, readers: &[(Reader, u32)], counted: u64, seed: u64) -> Vec<f64> {
    let usage = Usage {
        accessed_bytes: model.capacity_bytes,
        overwritten_bytes: model.capacity_bytes,
        random_write_share: 0.0,
        valid_share: 1.0,
        write_streams: 0,
        written: Vec::new(),
    };
    let (mut drive, mut calendar) = (Hdd::new(model, usage, 0, seed), Calendar::default());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5eed);
    let (mut readers, number) = (readers.to_vec(), readers.len());
    let mut next = |token: u32| {
        let (reader, bytes) = &mut readers[token as usize];
        let offset = match reader {
            Reader::InOrder(at) => {
                *at += u64::from(*bytes);
                *at - u64::from(*bytes)
            }
            Reader::Anywhere(below) => rng.next_u64() % *below / 4096 * 4096,
        };
        DriveOp {
            token,
            write: false,
            trim: false,
            limit_us: 0,
            offset,
            bytes: *bytes,
        }
    };
    let (mut done, mut begin) = (Vec::<Done>::new(), Ps::ZERO);
    let (mut read, mut completed) = (vec![0_u64; number], 0);
    for token in 0..number as u32 {
        drive.submit(next(token), Ps::ZERO, &mut calendar);
    }
    while let Some(event) = calendar.next() {
        drive.event(event.token, &mut calendar, &mut done);
        for Done { token, at, .. } in std::mem::take(&mut done) {
            completed += 1;
            if completed == counted / 4 {
                (begin, read) = (at, vec![0; number]);
            }
            let op = next(token);
            read[token as usize] += u64::from(op.bytes);
            if completed == counted {
                let span = at.since(begin).seconds();
                return read.iter().map(|&bytes| bytes as f64 / span).collect();
            }
            drive.submit(op, at, &mut calendar);
        }
    }
    panic!("the drive fell silent after {completed} reads");
}

fn in_order(from: &[u64], bytes: u32) -> Vec<(Reader, u32)> {
    from.iter().map(|&at| (Reader::InOrder(at), bytes)).collect()
}

/// The head comes back over the byte at which it left after whole revolutions: of two readers at one outstanding each, on
/// either side of a seek s, it spends -2s modulo a revolution with each, or as much and revolutions more where that is less than a
/// read takes. In that time it reads, and on the way it does not.
#[test]
fn two_readers_share_the_time_that_no_seek_takes() {
    let real = HddModel {
        missed_revolution: 0.0,
        ..sas()
    };
    for model in [buffered(2), real] {
        let (geometry, revolution) = (Geometry::new(&model), model.revolution_ps.0);
        let mut looked_at = 0;
        for part in 2..30 {
            let other = model.capacity_bytes / 31 * part / 4096 * 4096;
            let seek = way(&model, 0, other).0;
            let with_each = revolution - 2 * seek % revolution;
            if with_each < 2 * geometry.transfer(other, BYTES.into()).0 {
                continue;
            }
            let found = rates(&model, &in_order(&[0, other], BYTES), 6000, 1);
            let share = with_each as f64 / (with_each + seek) as f64 / 2.0;
            for (offset, found) in [0, other].into_iter().zip(found) {
                let expected = share * geometry.track_bytes(offset) as f64 / model.revolution_ps.seconds();
                let off = (found / expected - 1.0).abs();
                assert!(
                    off < 0.015,
                    "{part}/31 from {offset}: {found}, expected {expected}"
                );
            }
            looked_at += 1;
        }
        assert!(looked_at > 15, "{looked_at}");
    }
}

/// More than at random, less than alone, whatever lies between the readers and however many there are.
#[test]
fn readers_in_order_are_between_one_alone_and_random() {
    let model = buffered(16);
    let alone = rates(&model, &in_order(&[0], BYTES), 4000, 1)[0];
    assert!((alone / MEDIA - 1.0).abs() < 0.002, "{alone}");
    for readers in [2_u64, 3, 4, 8, 16] {
        let area = model.capacity_bytes / readers / 4096 * 4096;
        let from: Vec<u64> = (0..readers).map(|at| at * area).collect();
        let found = rates(&model, &in_order(&from, BYTES), 8000, 1);
        let random = vec![(Reader::Anywhere(model.capacity_bytes - 65_536), BYTES); readers as usize];
        let random: f64 = rates(&model, &random, 8000, 1).iter().sum();
        let total: f64 = found.iter().sum();
        assert!(
            total > 1.05 * random && total < 0.95 * alone,
            "{readers}: {total}, at random {random}, alone {alone}"
        );
    }
}

/// The reader in order and one at random, one outstanding each, take turns. While the other's place turns to the head, half
/// a revolution in the mean, the head reads ahead; of a read that is not all there by then, half in the mean, it reads the rest when it
/// comes back. That takes a seek and half a revolution, and so does each random read.
#[test]
fn a_reader_in_order_beside_a_random_one_has_the_time_that_the_other_waits() {
    let model = buffered(2);
    let (small, area) = (8192_u32, model.capacity_bytes - 8192);
    let curve = seek(&model);
    let stroke = Geometry::new(&model).cylinders();
    let seeks: f64 = (0..stroke).map(|distance| curve.time(distance).seconds()).sum();
    let (way, half) = (seeks / f64::from(stroke), 4e-3);
    let read = half * MEDIA + f64::from(BYTES) / 2.0;
    let cycle = 2.0 * (way + half) + f64::from(BYTES / 2 + small) / MEDIA;
    let readers = [(Reader::InOrder(0), BYTES), (Reader::Anywhere(area), small)];
    for (reader, expected) in [(0, read / cycle), (1, f64::from(small) / cycle)] {
        let (found, half) = over_seeds(|seed| rates(&model, &readers, 12_000, seed)[reader]);
        assert!(half < 0.03 * expected, "{half} of {expected}");
        assert!(
            (found - expected).abs() < half + 0.01 * expected,
            "reader {reader}: {found} ± {half}, expected {expected}"
        );
    }
}

/// Two readers that leave the head nine tenths of the time: each has what is read ahead of it in a segment of its own, and
/// no read waits for the medium. In one segment each would drive out what is there for the other.
#[test]
fn readers_with_a_segment_each_find_all_that_they_read() {
    let other = 300_000_000_000 / 4096 * 4096;
    let given: Vec<Given> = (0..4000_u64)
        .map(|at| {
            let offset = at % 2 * other + at / 2 * 8192;
            (us(1000 * at), false, offset, 8192)
        })
        .collect();
    let waited = |segments| {
        let found = answers(&buffered(segments), &given);
        let later = given.iter().zip(found).skip(100);
        later.filter(|(given, found)| *found != given.0 + COMMAND).count()
    };
    assert_eq!(waited(2), 0);
    assert!(waited(1) > 1900);
}

const FIRST: u64 = 4096 * 50;
const SECOND: u64 = 400_000_000_000 / 4096 * 4096;

/// When the first of two reads far apart is done, when the arm leaves for the second, and how many bytes pass between.
fn leaves(model: &HddModel) -> (Ps, Ps, u64) {
    let found = answers(
        model,
        &[(Ps::ZERO, false, FIRST, BYTES), (Ps::ZERO, false, SECOND, BYTES)],
    );
    let there = Ps(found[1].0 - u64::from(BYTES) * BYTE);
    let leaves = Ps(there.0 - way(model, FIRST, SECOND).0);
    (found[0], leaves, leaves.since(found[0]).0 / BYTE)
}

/// The head reads on until it has to leave for the other read, and no further, though what it has read is used meanwhile; nothing
/// takes longer for that.
#[test]
fn the_head_reads_ahead_until_the_arm_has_to_leave() {
    let model = buffered(2);
    let (done, _, ahead) = leaves(&model);
    assert!(ahead > 150_000, "{ahead}");
    let (end, later) = (FIRST + u64::from(BYTES), us(1_000_000));
    let both = [(Ps::ZERO, false, FIRST, BYTES), (Ps::ZERO, false, SECOND, BYTES)];
    let used: Given = (done + us(1000), false, end, 4096);
    for (to, there) in [(ahead - 600, true), (ahead + 600, false)] {
        let last: Given = (later, false, end + to - 4096, 4096);
        let found = answers(&model, &[both[0], both[1], used, last]);
        assert_eq!(found[2], used.0 + COMMAND);
        assert_eq!(found[3] == later + COMMAND, there, "{to} of {ahead}");
        let unused = answers(&model, &[both[0], both[1], last]);
        assert_eq!(unused[2] == later + COMMAND, there, "{to} of {ahead}");
        let without = HddModel {
            read_ahead_bytes: 0,
            ..buffered(2)
        };
        assert_eq!(found[..2], answers(&without, &both));
    }
}

/// A write to what has just been read comes by after a revolution. The head reads on into the next track meanwhile, and comes
/// back in time: that takes a seek to the next track and settling.
#[test]
fn the_head_comes_back_in_time_from_the_next_track() {
    let model = buffered(2);
    let both = [(Ps::ZERO, false, FIRST, BYTES), (Ps::ZERO, true, FIRST, BYTES)];
    let found = answers(&model, &both);
    assert_eq!(found[1].since(found[0]).0, REVOLUTION);
    let away = model.seek_track_ps.0 + model.write_settle_ps.0;
    let ahead = (REVOLUTION - away) / BYTE - u64::from(BYTES);
    let later = us(1_000_000);
    for (to, there) in [(ahead - 600, true), (ahead + 600, false)] {
        let last: Given = (later, false, FIRST + u64::from(BYTES) + to - 4096, 4096);
        let found = answers(&model, &[both[0], both[1], last]);
        assert_eq!(found[2] == later + COMMAND, there, "{to} of {ahead}");
    }
}

/// What passes while the head reads ahead, with another read waiting, is answered as it passes; of a read that goes over the
/// end of that only the rest is read when the head is back.
#[test]
fn what_passes_before_the_arm_leaves_is_answered_then() {
    let model = buffered(2);
    let (done, leaves, ahead) = leaves(&model);
    let end = FIRST + u64::from(BYTES);
    let both = [(Ps::ZERO, false, FIRST, BYTES), (Ps::ZERO, false, SECOND, BYTES)];
    let next: Given = (done, false, end, BYTES);
    let found = answers(&model, &[both[0], both[1], next]);
    let expected = Ps(done.0 + u64::from(BYTES) * BYTE);
    assert!(expected < leaves);
    assert!(
        found[2].0.abs_diff(expected.0) < 10,
        "{:?}, {expected:?}",
        found[2]
    );

    let rest = 10_000;
    let over: Given = (done, false, end + ahead + rest - 65_536, BYTES);
    let found = answers(&model, &[both[0], both[1], over]);
    let back = Ps(found[1].0 + way(&model, SECOND, FIRST).0);
    let first = Geometry::new(&model).place(end + ahead).phase.0;
    let turned = back.0 % REVOLUTION;
    let turning = (first + REVOLUTION - turned) % REVOLUTION;
    let expected = back.0 + turning + rest * BYTE;
    assert!(
        found[2].0.abs_diff(expected) < 2 * BYTE,
        "{:?}, {expected}",
        found[2]
    );
}

/// A read far away has waited for as long as it can be passed over, 256 revolutions, and goes before those of a stream that wait,
/// too. What of them passes before the arm leaves is answered then.
#[test]
fn reads_that_wait_are_answered_with_what_is_read_ahead() {
    let model = buffered(2);
    let each = u64::from(BYTES) * BYTE;
    // They come twenty at once, so that none comes just before the arm leaves.
    let stream = (0..4000_u64).map(|at| {
        let at_once = Ps((at / 20 * 20 * each).saturating_sub(4 * each));
        (at_once, false, FIRST + at * u64::from(BYTES), BYTES)
    });
    let other: Given = (Ps::ZERO, false, SECOND, BYTES);
    let mut given: Vec<Given> = stream.collect();
    given.insert(1, other);
    let mut found = answers(&model, &given);
    let other = found.remove(1);
    assert!(other.0 > 256 * REVOLUTION, "{other:?}");
    let before = found
        .iter()
        .position(|at| *at > other)
        .expect("one that comes later") as u64;
    let from = FIRST + before * u64::from(BYTES);
    let leaves = other.0 - each - way(&model, from, SECOND).0;
    let then = found.iter().filter(|at| at.0.abs_diff(leaves) < 2 * BYTE).count();
    assert!(then > 0, "none at {leaves}");
}

/// The buffer has room for so many streams. The next takes the room of the one that was read longest ago.
#[test]
fn the_segment_used_least_recently_gives_way() {
    let places = [
        100_000_000_000,
        300_000_000_000,
        500_000_000_000,
        700_000_000_000_u64,
    ]
    .map(|at| at / 4096 * 4096);
    let second = |at: usize| us(1_000_000 * (at as u64 + 1));
    let behind = |stream: usize, reads: u64| places[stream] + reads * u64::from(BYTES);
    let cases: [(u32, &[usize], usize, bool); 6] = [
        (2, &[0, 1], 0, true),
        (2, &[0, 1, 2], 0, false),
        (2, &[0, 1, 2], 1, true),
        (2, &[0, 1, 0, 2], 0, true),
        (2, &[0, 1, 0, 2], 1, false),
        (4, &[0, 1, 2, 3], 0, true),
    ];
    for (segments, order, last, there) in cases {
        let mut reads = [0; 4];
        let mut given: Vec<Given> = Vec::new();
        for &stream in order.iter().chain([&last]) {
            given.push((second(given.len()), false, behind(stream, reads[stream]), BYTES));
            reads[stream] += 1;
        }
        let found = answers(&buffered(segments), &given);
        let (begin, end) = (given[order.len()].0, found[order.len()]);
        assert_eq!(
            end == begin + COMMAND,
            there,
            "{segments} segments, {order:?}, {last}"
        );
    }
}
