"""From the options of a job to a load profile, a load and a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from iodyno.fio.distributing import distributions_of
from iodyno.fio.jobs import Findings, Job
from iodyno.fio.operations import of_measurement, of_profile, thought_otherwise
from iodyno.fio.rates import limits_of, rate_of
from iodyno.plan import Arrival, RealEngine
from iodyno.profiles import LARGEST_BLOCK_BYTES, OF_A_JOB_FILE, STANDARD_LOADS, Block, LoadProfile
from iodyno.units import format_size

_DEFAULT_BLOCK = 4096
_MOST_BLOCKS = 64
_SHOWN_AS_THROUGHPUT = 65536
"""Mean block in bytes from which on a sequential job is shown in MB/s."""

_SYNC = ("sync", "psync", "vsync", "pvsync", "pvsync2")
ENGINES: dict[str, RealEngine] = {
    "libaio": "aio", "io_uring": "io_uring", "null": "null", **dict.fromkeys(_SYNC, "sync")
}  # fmt: skip
"""Engines of fio, and those of iodyno that make the same system calls."""
NEAR: dict[str, RealEngine] = {"posixaio": "aio", "mmap": "sync", "splice": "sync"}
"""Engines of fio on files and devices that iodyno has no like of, and the nearest."""

_MIXED = ("rw", "readwrite", "randrw")


@dataclass(frozen=True)
class Load:
    """What a job comes to in iodyno's terms, but for its targets."""

    profile: LoadProfile
    engine: RealEngine
    direct: bool
    outstanding: int
    """In all, of one clone: shared out over its files later."""
    workers: int
    rate_io_s: float | None
    arrival: Arrival
    opened: dict[str, Any]
    """How targets are opened and where workers run: fields of a study's measurement."""


def load_of(job: Job, name: str, part_bytes: int | None, findings: Findings) -> Load | None:
    """Translate a job; none where that cannot be, the findings say why.

    Parameters
    ----------
    job
        The job.
    name
        Name of its profile.
    part_bytes
        Length of what each clone accesses of a file; none where it is not given in bytes.
    findings
        Takes what is not done as fio does it.
    """
    word, _ = job.get("rw", ("read", 1))
    if word in ("trimwrite", "randtrimwrite"):
        what = f"rw={word}: iodyno does not trim each block before it writes it"
        findings.refuse(job.place_of("rw"), what, "take the job out")
        return None
    engine = _engine(job, findings)
    blocks = _blocks(job, word, findings)
    if blocks is None:
        return None
    shares = _random_shares(job, word)
    limits = limits_of(job, blocks, findings)
    sizes = _sizes(job, word, blocks)
    profile = LoadProfile(
        name=name,
        title=job.name,
        stands_for=job.get("description", ""),
        **_random(shares),
        **_walk(job, word, shares, findings),
        **distributions_of(job, shares, sizes, part_bytes, findings),
        read_share=_read_share(job, word, limits, findings),
        **sizes,
        **_data(job, findings),
        source=OF_A_JOB_FILE,
        **of_profile(job, word, findings),
    )
    profile = profile.model_copy(update={"shown_as": _shown_as(word, profile)})
    if profile.mixes and not profile.random:
        _say_where_mixes_begin_again(job, profile, part_bytes, findings)
    _say_where_it_ends(job, profile, part_bytes, findings)
    rate = rate_of(job, profile, limits, findings)
    direct = _is_direct(job)
    cold = {"cold_cache": True} if _is_cold(job, engine, findings, direct=direct) else {}
    outstanding = _outstanding(job, engine, findings)
    if otherwise := thought_otherwise(job, outstanding):
        hint = "with thinktime_blocks_type=issue it does as here"
        findings.note(job.place_of("thinktime_blocks"), f"{otherwise}: {hint}")
    return Load(
        profile=profile,
        engine=engine,
        direct=direct,
        outstanding=outstanding,
        workers=job.get("numjobs", 1),
        rate_io_s=rate,
        arrival="poisson" if rate and job.get("rate_process") == "poisson" else "fixed",
        opened=of_measurement(job, engine, findings) | cold,
    )


def _is_cold(job: Job, engine: RealEngine, findings: Findings, *, direct: bool) -> bool:
    """Decide whether a job begins with nothing of its files in memory: buffered ones do in fio, and it tells
    the kernel the order of their accesses."""
    if direct or engine == "null" or not findings.real:
        return False
    cold: bool = job.get("invalidate", True)
    told = job.get("fadvise_hint", "1") == "1"
    if not cold and told:
        what = "what memory has of the file is kept, and the kernel is not told the order of accesses"
        findings.note(job.place_of("invalidate"), f"invalidate=0: {what}")
    elif cold:
        what = "what memory has of the file is dropped once, and by fio before each pass over the file"
        said = job.last_of("direct", "buffered") or "direct"
        findings.note(job.place_of("invalidate", said), f"buffered: {what}")
    if cold and not told:
        what = "the kernel is told whether accesses are random, as fio does with 1"
        findings.note(job.place_of("fadvise_hint"), f"fadvise_hint={job.get('fadvise_hint')}: {what}")
    return cold


def profile_name(name: str, taken: set[str]) -> str:
    """Make a short name of a job's name that no other profile has.

    Examples
    --------
    >>> profile_name("Rand_Read 4k", set()), profile_name("a", {"a"}), profile_name("database", set())
    ('rand-read-4k', 'a-2', 'database-job')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "job"
    plain = f"{plain}-job" if plain in STANDARD_LOADS else plain
    number = next(number for number in range(1, len(taken) + 2) if _numbered(plain, number) not in taken)
    taken.add(_numbered(plain, number))
    return _numbered(plain, number)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"


def _engine(job: Job, findings: Findings) -> RealEngine:
    """Find the engine; one that is refused stands for another, so that the other problems are found too."""
    asked = job.get("ioengine", "psync")
    if asked in ENGINES:
        return ENGINES[asked]
    place = job.place_of("ioengine")
    if asked in NEAR:
        findings.deviate(place, f"ioengine={asked} is not honoured: the nearest of iodyno is {NEAR[asked]}")
        return NEAR[asked]
    findings.refuse(
        place, f"ioengine={asked} is no engine of iodyno", f"it knows {', '.join([*ENGINES, *NEAR])}"
    )
    return "aio"


def _outstanding(job: Job, engine: RealEngine, findings: Findings) -> int:
    depth: int = job.get("iodepth", 1)
    if engine != "sync" or depth == 1:
        return depth
    what = f"iodepth={depth} has no effect with a synchronous engine, here as in fio: 1 outstanding I/O"
    findings.note(job.place_of("iodepth"), what)
    return 1


def _read_share(job: Job, word: str, limits: dict[str, float], findings: Findings) -> float:
    """Find the share of reads: where both directions of a mix have a rate, fio keeps the rates and not it."""
    if word not in _MIXED:
        return float("read" in word)
    asked = _asked_share(job)
    both = [limits[name] for name in ("read", "write") if name in limits]
    if asked in (0, 1) or not both:
        return asked
    place = job.place_of("rate_iops", "rate")
    if len(both) == 1:
        (limited,) = (name for name in ("read", "write") if name in limits)
        what = f"of a mix only the {limited}s have a rate, and fio does as many others as it can"
        findings.deviate(place, f"{what}: iodyno keeps the mix")
        return asked
    share = both[0] / sum(both)
    if abs(share - asked) > 1e-9:
        what = f"reads and writes have rates of their own: {share * 100:.4g}% of the accesses read"
        findings.note(place, f"{what}, as in fio, which keeps to the rates and not to rwmixread")
    return share


def _asked_share(job: Job) -> float:
    if job.last_of("rwmixread", "rwmixwrite") == "rwmixwrite":
        return float(100 - job.get("rwmixwrite")) / 100
    return float(job.get("rwmixread", 50)) / 100


def _is_direct(job: Job) -> bool:
    """Tell whether the caches of the system are bypassed: fio has one switch with two names."""
    last = job.last_of("direct", "buffered")
    return last is not None and bool(job.get(last)) == (last == "direct")


def _directions(job: Job, word: str) -> tuple[str, ...]:
    """Give what a job does, reads before writes."""
    if word in _MIXED:
        share = _asked_share(job)
        return (*(("read",) if share > 0 else ()), *(("write",) if share < 1 else ()))
    return (next(name for name in ("read", "trim", "write") if name in word),)


def _random_shares(job: Job, word: str) -> dict[str, float]:
    """Find the random share of each thing that the job does."""
    directions = _directions(job, word)
    if not word.startswith("rand"):
        return dict.fromkeys(directions, 0.0)
    given = job.get("percentage_random", {})
    return {name: given.get(name, 100) / 100 for name in directions}


def _walk(job: Job, word: str, shares: dict[str, float], findings: Findings) -> dict[str, Any]:
    """Give what a profile says of turns, gaps and cursors: fio has a cursor for each direction, and
    counts the I/Os of a clone, whatever their direction."""
    number: int = job.get("rw", (word, 0))[1]
    every = number if word.startswith("rand") and any(shares.values()) else 1
    fields: dict[str, Any] = {}
    if len(set(shares.values())) == 1 < len(shares) and (every > 1 or min(shares.values()) < 1):
        fields["cursors"] = "own"
    if not word.startswith("rand"):
        if number and job.get("offset"):
            what = "sequential accesses with gaps begin at the offset, and again there or at the end"
            findings.note(job.place_of("rw"), f"{what}; with an offset fio begins elsewhere")
        return {**fields, "gap_bytes": number}
    if every == 1:
        return fields
    if len(job.get("filename", ())) > 1 or job.get("nrfiles", 1) > 1:
        what = f"of every {every} accesses to each file one is random; fio counts over all files"
        findings.note(job.place_of("rw"), what)
    return {**fields, "random_every": every}


def _say_where_mixes_begin_again(
    job: Job, profile: LoadProfile, part_bytes: int | None, findings: Findings
) -> None:
    """Say that each direction goes to the end; fio lets it in one file that its blocks fill."""
    sizes = [[block.bytes for block in profile.blocks_of(write)] for write in (False, True)]
    fills = part_bytes and not any(part_bytes % min(of) or size % min(of) for of in sizes for size in of)
    one = len(job.get("filename", ())) < 2 and job.get("nrfiles", 1) == 1
    if not (fills and one and not profile.gap_bytes and job.get("time_based")):
        what = "reads and writes each begin again where they have come to the end of the file"
        findings.note(job.place_of("rw"), f"{what}; fio begins both again, where one has, or before")


def _say_where_it_ends(job: Job, profile: LoadProfile, part_bytes: int | None, findings: Findings) -> None:
    """Say that blocks end with the area. In fio one that begins in it may end behind it where accesses
    of one size follow each other and the file goes on: it only looks at the end of the file."""
    alone = {of[0].bytes for write in (False, True) if len(of := profile.blocks_of(write)) == 1}
    over = {size for size in alone if part_bytes and part_bytes % size}
    if part_bytes and over and profile.sequential:
        what = (
            f"no block of {format_size(max(over))} reaches past {format_size(part_bytes)} that are accessed"
        )
        place = job.place_of("filesize", "size")
        findings.note(place, f"{what}; the last one of fio does, where the file goes on behind them")


def _random(shares: dict[str, float]) -> dict[str, float]:
    """Give what a profile says of random shares: of writes only where theirs is another."""
    first = next(iter(shares.values()))
    fields = {"random_share": first}
    if shares.get("write", first) != first:
        fields["write_random_share"] = shares["write"]
    return fields


Blocks = dict[str, tuple[Block, ...]]
"""Block sizes of each direction of a job."""


def _blocks(job: Job, word: str, findings: Findings) -> Blocks | None:
    """Find the block sizes of each thing that the job does."""
    found: Blocks = {}
    for direction in _directions(job, word):
        sizes = _sizes_of(job, direction, findings)
        if sizes is None or not _within_limits(job, sizes, findings):
            return None
        found[direction] = tuple(Block(bytes=size, weight=weight) for size, weight in sizes)
    return found


def _within_limits(job: Job, sizes: tuple[tuple[int, float], ...], findings: Findings) -> bool:
    if max(size for size, _ in sizes) <= LARGEST_BLOCK_BYTES and len(sizes) <= _MOST_BLOCKS:
        return True
    what = f"a block is above the limit of {format_size(LARGEST_BLOCK_BYTES)}"
    if len(sizes) > _MOST_BLOCKS:
        what = f"there are {len(sizes)} block sizes, above the limit of {_MOST_BLOCKS}"
    findings.refuse(job.place_of("bssplit", "bsrange", "bs"), what, "take a smaller one, or fewer")
    return False


def _sizes(job: Job, word: str, blocks: Blocks) -> dict[str, Any]:
    """Give what a profile says of sizes and alignments: of writes only where theirs are others."""
    aligned = {name: _alignment(job, word, name, found) for name, found in blocks.items()}
    first = next(iter(blocks))
    fields: dict[str, Any] = {"blocks": blocks[first], "alignment_bytes": aligned[first]}
    if blocks.get("write", blocks[first]) != blocks[first]:
        fields["write_blocks"] = blocks["write"]
    if aligned.get("write", aligned[first]) != aligned[first]:
        fields["write_alignment_bytes"] = aligned["write"]
    return fields


def _sizes_of(job: Job, direction: str, findings: Findings) -> tuple[tuple[int, float], ...] | None:
    """Give the sizes in bytes of a direction with their weights; none where they are not honoured."""
    split = job.get("bssplit", {}).get(direction)
    if split:
        return _multiples(job, split, findings)
    ends = job.get("bsrange", {}).get(direction)
    if not ends:
        return ((job.get("bs", {}).get(direction, _DEFAULT_BLOCK), 1.0),)
    low, high = ends
    place = job.place_of("bsrange")
    if low == high:
        return ((low, 1.0),)
    if job.get("bs_unaligned"):
        what = "bs_unaligned is not honoured with bsrange: sizes are multiples of the least"
        findings.deviate(job.place_of("bs_unaligned"), what)
    if low & (low - 1) or high % low or high // low > _MOST_BLOCKS:
        what = f"bsrange from {format_size(low)} to {format_size(high)} is not honoured"
        hint = f"iodyno takes up to {_MOST_BLOCKS} sizes, multiples of a power of two: write bssplit"
        findings.refuse(place, what, hint)
        return None
    return tuple((size, 1.0) for size in range(low, high + 1, low))


def _multiples(
    job: Job, split: Sequence[tuple[int, float]], findings: Findings
) -> tuple[tuple[int, float], ...]:
    """Cut sizes to multiples of the least, as fio does unless it is told to let them be."""
    least = min(size for size, _ in split)
    unit = 1 if job.get("bs_unaligned") else least
    found: dict[int, float] = {}
    for size, percent in split:
        whole = size // unit * unit
        found[whole] = found.get(whole, 0.0) + percent
        if whole < size:
            what = (
                f"blocks of {format_size(size)} are {format_size(whole)}, a multiple of {format_size(least)}"
            )
            findings.note(job.place_of("bssplit"), f"{what}, as in fio without bs_unaligned=1")
    return tuple(found.items())


def _alignment(job: Job, word: str, direction: str, blocks: tuple[Block, ...]) -> int:
    """Random offsets of a direction are multiples of its least block, as in fio, unless it is said."""
    least = min(block.bytes for block in blocks)
    given: dict[str, Any] = job.get("ba", {})
    return given.get(direction, least) if word.startswith("rand") else least


def _shown_as(word: str, profile: LoadProfile) -> Any:
    large = (
        profile.mean_block_bytes >= _SHOWN_AS_THROUGHPUT
        and not word.startswith("rand")
        and "trim" not in word
    )
    return "throughput" if large else "transaction_rate"


def _data(job: Job, findings: Findings) -> dict[str, Any]:
    """Give what is written: incompressible and unique unless it is said otherwise."""
    if job.get("zero_buffers"):
        return {"data": "zeros"}
    made = ("refill_buffers", "buffer_compress_percentage", "dedupe_percentage")
    if job.get("scramble_buffers", True) is False and not any(map(job.get, made)):
        what = "one block is written again and again; fio has one for each outstanding I/O"
        if job.get("iodepth", 1) > 1:
            findings.note(job.place_of("scramble_buffers"), f"scramble_buffers=0: {what}")
        return {"data": "repeated"}
    return {
        "data_compressible_share": job.get("buffer_compress_percentage", 0) / 100,
        "data_duplicate_share": job.get("dedupe_percentage", 0) / 100,
    }
