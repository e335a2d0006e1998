"""Points as jobs of fio: the nearest there is, and what of a point it does not say."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from iodyno.distributions import Distribution
from iodyno.fio.otherwise import DEVIATIONS, POLE, needed, rounded, threads_of, unsaid
from iodyno.fio.percents import shares_of, whole_percent, whole_percents
from iodyno.fio.rates import rates_of_clone
from iodyno.plan import Point
from iodyno.profiles import Block, LoadProfile
from iodyno.units import format_cpus, format_size

_ENGINES = {"aio": "libaio", "io_uring": "io_uring", "sync": "psync", "null": "null"}
_BESIDE_POLE = "0.9999"
"""Theta that stands for the one that fio refuses."""


@dataclass(frozen=True)
class Asked:
    """A job of fio."""

    options: dict[str, str]
    otherwise: tuple[str, ...]
    """What the point asks otherwise than the job says it."""
    needs: tuple[str, ...] = ()
    """Why not every version of fio takes the job."""


def asked(point: Point, engine: str = "", *, of_fio: str = "") -> Asked:
    """Give the job of fio that is nearest to a point.

    Parameters
    ----------
    point
        The point.
    engine
        The engine that answered; that of the point where left out.
    of_fio
        The engine of fio, where it was fio that answered.
    """
    profile, name = point.profile, point.engine if of_fio else engine or point.engine
    files = point.targets_per_worker or len(point.targets)
    threads = threads_of(point) if name == "sync" and not of_fio else 0
    depth = point.outstanding * files
    clones = point.workers_in_all * (threads * files if threads else 1)
    options = {
        "name": profile.name,
        "rw": _rw(profile) + _walk(profile),
        "bs": _by_direction(profile, _largest),
        "iodepth": "1" if name == "sync" else str(depth),
        "numjobs": str(clones),
        "ioengine": of_fio or _ENGINES.get(name, name),
        "direct": str(int(point.direct)),
        "filename": ":".join(item.path.replace(":", "\\:") for item in point.targets),
        "randseed": str(point.seed),
        **_where(profile),
        **_beside(profile),
        **_thinking(profile, files, threads, 0 if of_fio or name == "sync" else depth),
        **_shares(profile),
        **_area(point, clones),
        **_opened(point),
        **_data(profile),
    }
    if len(profile.blocks) > 1 or len(profile.write_blocks) > 1:
        options["bssplit"] = _by_direction(profile, _split)
        if any(map(_cut, (profile.blocks, profile.write_blocks))):
            options["bs_unaligned"] = "1"
    if point.begins_after_s:
        options["startdelay"] = f"{round(point.begins_after_s * 1e6)}us"
    if point.rate_io_s is not None:
        options["rate_iops"] = ",".join(map(str, rates_of_clone(point, clones)))
        options["rate_process"] = "poisson" if point.arrival == "poisson" else "linear"
    said = (*rounded(point, options, clones), *unsaid(point, clones))
    return Asked(options, said, tuple(needed(options, clones)))


def _shares(profile: LoadProfile) -> dict[str, str]:
    """Give shares of reads and of random accesses in percent, and what random offsets are multiples of."""
    options = {}
    if 0 < profile.read_share < 1 and profile.trim_share < 1:
        options["rwmixread"] = str(whole_percent(profile.read_share))
    if profile.random and profile.random_of(write=True) != profile.random_share:
        shares = (profile.random_of(write) for write in (False, True, False))
        options["percentage_random"] = ",".join(str(whole_percent(share)) for share in shares)
    elif 0 < profile.random_share < 1:
        options["percentage_random"] = str(whole_percent(profile.random_share))
    alignments = [profile.alignment_of(write) for write in (False, True)]
    least = [min(block.bytes for block in profile.blocks_of(write)) for write in (False, True)]
    once = any(found.kind == "permutation" for found in profile.distributions)
    if profile.write_alignment_bytes or (profile.random and not once and alignments != least):
        reads, writes = alignments
        options["blockalign"] = str(reads) if reads == writes else f"{reads},{writes},{reads}"
    return options


def _area(point: Point, clones: int) -> dict[str, str]:
    """Give what is accessed of each file: where workers have areas of their own, by each clone."""
    target = point.targets[0]
    length = target.area_length_bytes
    if not length:
        return {}
    options = {"offset": str(target.area_start_bytes)}
    if point.workers_area == "own" and clones > 1:
        grain = point.profile.grain_bytes
        length = length // clones // grain * grain or length // clones
        options["offset_increment"] = str(length)
    return {"size": str(length * len(point.targets)), **options}


def _opened(point: Point) -> dict[str, str]:
    """Give how files are opened, what of them is in memory, and where clones run."""
    options = {"sync": "dsync"} if point.write_through else {}
    if point.iopoll:
        options["hipri"] = "1"
    if not point.direct and not point.cold_cache:
        options |= {"invalidate": "0", "fadvise_hint": "0"}
    if point.worker_cpus:
        options["cpus_allowed"] = format_cpus(point.worker_cpus)
    return options


def _data(profile: LoadProfile) -> dict[str, str]:
    """Give what is written."""
    if profile.data == "zeros":
        return {"zero_buffers": "1"}
    options = {"scramble_buffers": "0"} if profile.data == "repeated" else {}
    if profile.data_compressible_share:
        options["buffer_compress_percentage"] = str(whole_percent(profile.data_compressible_share))
    if profile.data_duplicate_share:
        options["dedupe_percentage"] = str(whole_percent(profile.data_duplicate_share))
    return options


def _where(profile: LoadProfile) -> dict[str, str]:
    """Give where random accesses go; each block once is what fio does where nothing is said.

    fio has zones by direction, and one law of another kind for all: that of reads, where writes have another.
    """
    found, of_writes = (profile.distributions * 2)[:2]
    kinds = {found.kind, of_writes.kind}
    if kinds == {"permutation"}:
        return {}
    options = {"norandommap": "1"}
    if kinds <= {"zones", "uniform", "permutation"} and "zones" in kinds:
        parts = [found] if found == of_writes else [found, of_writes, found]
        options["random_distribution"] = f"zoned:{','.join(map(_zones, parts))}"
    elif found.kind == "zones":
        options["random_distribution"] = f"zoned:{_zones(found)}"
    elif found.kind == "normal":
        least, most = DEVIATIONS
        deviation = min(max(found.parameter or 0, least), most)
        width = math.sqrt(max(0.0, 12 * (deviation**2 - least**2)))
        options["random_distribution"] = f"normal:{width * 100:.4g}"
    elif found.kind in ("zipf", "pareto"):
        parameter = f"{found.parameter:g}"
        refused = found.kind == "zipf" and parameter == POLE
        options["random_distribution"] = f"{found.kind}:{_BESIDE_POLE if refused else parameter}"
    return options


def _zones(found: Distribution) -> str:
    """Write zones as fio does; even accesses are one zone of all."""
    accesses = whole_percents([zone.accesses for zone in found.zones])
    ranges = whole_percents([zone.range for zone in found.zones])
    return ":".join(f"{of}/{on}" for of, on in zip(accesses, ranges, strict=True)) or "100/100"


def _beside(profile: LoadProfile) -> dict[str, str]:
    """Give what is asked beside accesses: syncs."""
    options = {"fsync": profile.fsync_every, "fdatasync": profile.fdatasync_every}
    return {name: str(value) for name, value in options.items() if value}


def _thinking(profile: LoadProfile, files: int, threads: int, depth: int) -> dict[str, str]:
    """Give after how many accesses to all files of a clone it thinks; one that is a thread of several does
    after its part of them. Where more are outstanding fio has to be told not to count completions."""
    if not profile.think_time_us:
        return {}
    blocks = math.ceil(profile.think_every / threads) if threads else profile.think_every * files
    options = {"thinktime": str(profile.think_time_us), "thinktime_blocks": str(blocks)}
    return options | ({"thinktime_blocks_type": "issue"} if 1 < blocks < depth else {})


def _rw(profile: LoadProfile) -> str:
    if profile.trim_share == 1:
        return "randtrim" if profile.random else "trim"
    mixed = 0 < profile.read_share < 1
    word = "rw" if mixed else "read" if profile.read_share else "write"
    return f"rand{word}" if profile.random else word


def _walk(profile: LoadProfile) -> str:
    """Write what stands behind the colon: of how many accesses one is random, or the gap."""
    if profile.random:
        return f":{profile.random_every}" if profile.random_every > 1 else ""
    return f":{profile.gap_bytes}" if profile.gap_bytes else ""


def _by_direction(profile: LoadProfile, write_down: Callable[[Sequence[Block]], str]) -> str:
    """Write what blocks are: once, or for reads, writes and trims where writes have their own."""
    if not profile.write_blocks:
        return write_down(profile.blocks)
    return ",".join(write_down(profile.blocks_of(write)) for write in (False, True, False))


def _largest(blocks: Sequence[Block]) -> str:
    return format_size(max(block.bytes for block in blocks)).lower()


def _cut(blocks: Sequence[Block]) -> bool:
    """Tell whether fio would cut sizes to multiples of the least."""
    sizes = [block.bytes for block in blocks]
    return any(size % min(sizes) for size in sizes)


def _split(blocks: Sequence[Block]) -> str:
    """Write sizes with whole percentages that add up to 100."""
    percents = whole_percents(shares_of(blocks))
    return ":".join(f"{block.bytes}/{percent}" for block, percent in zip(blocks, percents, strict=True))
