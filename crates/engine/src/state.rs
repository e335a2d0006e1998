//! A ledger as a file: so that what a run has written can be verified later, by another
//! process, after a power cut.
//!
//! A line `iodyno ledger 2`, a line of numbers (session, unit, longest write, last generation,
//! targets, ranges), a line for each range that may be trimmed since (target, start, bytes), then
//! for each target a line with start, units and path, and the words of its units, little-endian; at
//! the end the CRC-32 of all before it. The first format, `iodyno ledger 1`, knew no ranges and no
//! trims: its words had two bits more for the generation.

use std::fs::File;
use std::io::{self, Error, ErrorKind, Write};
use std::path::Path;

use iodyno_load::integrity::{Ledger, checksum, word_of_first};

const FIRST_LINE: &str = "iodyno ledger 2";
const FIRST_LINE_1: &str = "iodyno ledger 1";

/// Write a ledger to a file, durable when this returns; what was there before stays until then.
///
/// What is trimmed after that, nobody could know who reads the file: `trimming` names where that may
/// be, by path, start and length in bytes.
///
/// # Panics
/// If the ledger does not have the path of a range.
///
/// # Errors
/// What the system says.
pub fn save(ledger: &Ledger, path: &Path, trimming: &[(String, u64, u64)]) -> io::Result<()> {
    let (unit, longest) = (ledger.unit_bytes(), ledger.longest_bytes());
    let (session, last, paths) = (ledger.session(), ledger.last_generation(), ledger.paths());
    let mut text = format!(
        "{FIRST_LINE}\n{session} {unit} {longest} {last} {} {}\n",
        paths.len(),
        trimming.len()
    )
    .into_bytes();
    for (path, start, bytes) in trimming {
        let target = ledger.target(path).expect("a target of the ledger");
        text.extend(format!("{target} {start} {bytes}\n").bytes());
    }
    for (target, path) in paths.iter().enumerate() {
        let words = ledger.words(target);
        let start = ledger.area_start(target);
        text.extend(format!("{start} {} {}\n", words.len(), path.escape_default()).bytes());
        text.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    text.extend(checksum(&text).to_le_bytes());
    let beside = path.with_extension("new");
    let mut file = File::create(&beside)?;
    file.write_all(&text)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Read a ledger of these targets from a file.
///
/// # Errors
/// What the system says, or that the file is no ledger of these targets.
pub fn load(path: &Path, paths: &[String]) -> io::Result<Ledger> {
    let text = std::fs::read(path)?;
    let (text, kept) = text.split_last_chunk::<4>().ok_or_else(no_ledger)?;
    if checksum(text).to_le_bytes() != *kept {
        return Err(no_ledger());
    }
    let mut rest = text;
    let first = match line(&mut rest)? {
        FIRST_LINE => false,
        FIRST_LINE_1 => true,
        _ => return Err(no_ledger()),
    };
    let [session, unit, longest, last, targets, ranges] = if first {
        let [session, unit, longest, last, targets] = numbers(line(&mut rest)?)?;
        [session, unit, longest, last, targets, 0]
    } else {
        numbers(line(&mut rest)?)?
    };
    let mut trimming: Vec<[u64; 3]> = Vec::new();
    for _ in 0..ranges {
        trimming.push(numbers(line(&mut rest)?)?);
    }
    let mut areas = Vec::new();
    let mut known = Vec::new();
    for _ in 0..targets {
        let described = line(&mut rest)?;
        let (sizes, escaped) = described
            .match_indices(' ')
            .nth(1)
            .map(|(at, _)| described.split_at(at))
            .ok_or_else(no_ledger)?;
        let [start, units] = numbers(sizes)?;
        let path = paths
            .iter()
            .find(|path| path.escape_default().to_string() == escaped[1..]);
        let words = rest.split_off(..4 * units as usize).ok_or_else(no_ledger)?;
        areas.push((path.ok_or_else(no_ledger)?.clone(), start, units * unit));
        let word = |bytes: &[u8]| {
            let word = u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
            if first { word_of_first(word) } else { word }
        };
        known.push(words.chunks_exact(4).map(word).collect::<Vec<_>>());
    }
    let ledger = Ledger::new(session, (unit, longest), &areas);
    ledger.skip_generations(last);
    for (target, words) in known.iter().enumerate() {
        ledger.set_words(target, words);
    }
    for [target, start, bytes] in trimming {
        ledger.may_be_trimmed(target as usize, start, bytes);
    }
    Ok(ledger)
}

fn no_ledger() -> Error {
    Error::new(
        ErrorKind::InvalidData,
        "it is damaged, or no ledger of these targets",
    )
}

fn line<'a>(rest: &mut &'a [u8]) -> io::Result<&'a str> {
    let end = rest
        .iter()
        .position(|byte| *byte == b'\n')
        .ok_or_else(no_ledger)?;
    let (text, after) = rest.split_at(end);
    *rest = &after[1..];
    std::str::from_utf8(text).map_err(|_| no_ledger())
}

fn numbers<const N: usize>(text: &str) -> io::Result<[u64; N]> {
    let parsed: Result<Vec<u64>, _> = text.split(' ').map(str::parse).collect();
    let numbers = parsed.map_err(|_| no_ledger())?;
    numbers.try_into().map_err(|_| no_ledger())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(folder: &Path) -> (Ledger, Vec<String>) {
        let paths = vec!["/a b\nc".to_owned(), folder.display().to_string()];
        let areas = [(paths[0].clone(), 4096, 8192), (paths[1].clone(), 0, 4096)];
        let ledger = Ledger::new(77, (4096, 65536), &areas);
        ledger.skip_generations(40);
        ledger.filled(0, ledger.next_generation());
        ledger.written(0, 8192, 4096, ledger.next_generation());
        (ledger, paths)
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("iodyno-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn a_ledger_reads_back_as_it_was_written() {
        let folder = folder("ledger");
        let (ledger, paths) = ledger(&folder);
        let path = folder.join("run.ledger");
        save(&ledger, &path, &[]).expect("it is written");
        let back = load(&path, &paths).expect("it is read");
        assert_eq!(
            (back.session(), back.unit_bytes(), back.longest_bytes()),
            (77, 4096, 65536)
        );
        assert_eq!((back.last_generation(), back.paths()), (42, paths));
        assert_eq!(
            [back.generation_at(0, 4096), back.generation_at(0, 8192)],
            [41, 42]
        );
        assert_eq!((back.known_bytes(0, 0), back.known_bytes(1, 0)), (8192, 0));
        std::fs::remove_dir_all(folder).expect("it goes");
    }

    #[test]
    fn what_may_be_trimmed_since_is_no_longer_known() {
        let folder = folder("trimming");
        let (ledger, paths) = ledger(&folder);
        assert!(ledger.claim_to_trim(1, 0, 4096));
        ledger.trimmed(1, 0, 4096);
        let path = folder.join("run.ledger");
        save(&ledger, &path, &[(paths[0].clone(), 8192, 4096)]).expect("it is written");
        let back = load(&path, &paths).expect("it is read");
        let trimmed = |ledger: &Ledger| {
            [(0, 4096), (0, 8192), (1, 0)].map(|(target, offset)| ledger.is_trimmed(target, offset))
        };
        assert_eq!(trimmed(&back), [false, true, true]);
        assert_eq!(trimmed(&ledger), [false, false, true]);
        assert_eq!([back.generation_at(0, 8192), back.generation_at(1, 0)], [42, 43]);
        std::fs::remove_dir_all(folder).expect("it goes");
    }

    #[test]
    fn a_ledger_of_the_first_format_is_read() {
        let folder = folder("first");
        let path = folder.join("run.ledger");
        // 30 bits of the generation: 2^28 + 5, seen; 2^29 + 7; and nothing is known.
        let words: [u32; 4] = [1 << 30 | 1 << 28 | 5, 1 << 29 | 7, 0, 1 << 30 | 1 << 28];
        let mut text = format!("iodyno ledger 1\n77 4096 65536 {} 1\n0 4 /a\n", (1 << 29) + 7).into_bytes();
        text.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        text.extend(checksum(&text).to_le_bytes());
        std::fs::write(&path, text).expect("it is written");
        let back = load(&path, &["/a".to_owned()]).expect("it is read");
        assert_eq!(back.known_bytes(0, 0), 8192);
        assert_eq!(back.words(0), [1 << 30 | 5, 7, 0, 0]);
        assert_eq!(back.found_wrong(0), (0, 0));
        assert_eq!(back.generation_at(0, 4096), (1 << 29) + 7);
        assert!([0, 4096, 8192].iter().all(|offset| !back.is_trimmed(0, *offset)));
        std::fs::remove_dir_all(folder).expect("it goes");
    }

    #[test]
    fn what_is_damaged_cut_off_or_of_other_targets_is_refused() {
        let folder = folder("damaged");
        let (ledger, paths) = ledger(&folder);
        let path = folder.join("run.ledger");
        save(&ledger, &path, &[(paths[0].clone(), 4096, 4096)]).expect("it is written");
        let whole = std::fs::read(&path).expect("it is there");
        assert!(load(&path, &paths[1..]).is_err());
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).expect("it is written");
            assert!(load(&path, &paths).is_err(), "byte {at}");
            std::fs::write(&path, &whole[..at]).expect("it is written");
            assert!(load(&path, &paths).is_err(), "cut at {at}");
        }
        std::fs::remove_dir_all(folder).expect("it goes");
    }
}
