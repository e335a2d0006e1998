"""What a job of fio does not say of the point that it was made of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from iodyno.distributions import UNIFORM, Distribution
from iodyno.fio.percents import is_whole, shares_of
from iodyno.fio.rates import written_rate, written_read_share
from iodyno.plan import Point
from iodyno.profiles import LoadProfile
from iodyno.units import format_size, plain_number

DEVIATIONS = (1 / 12, math.sqrt(1 / 144 + 0.5**2 / 12))
"""Least and greatest deviation of what fio draws with ``normal``, as shares of the blocks: it is the mean of
twelve uniform draws, and one that is half of them wide at the most."""
POLE = "1"
"""Theta of a Zipf law that fio refuses."""
MOST_JOBS = 4096
"""Jobs that fio runs at the most, each clone counted."""
_NEAR = 1e-9


def rounded(point: Point, options: Mapping[str, str], clones: int) -> Iterator[str]:
    """Tell which numbers of a job are not those of the point: percentages are whole for fio."""
    profile = point.profile
    shares = {
        "rwmixread": [profile.read_share],
        "percentage_random": [profile.random_of(write) for write in (False, True)],
        "buffer_compress_percentage": [profile.data_compressible_share],
        "dedupe_percentage": [profile.data_duplicate_share],
        "bssplit": [share for write in (False, True) for share in shares_of(profile.blocks_of(write))],
        "random_distribution": [share for found in profile.distributions for share in _shares_of(found)],
    }
    for option, found in shares.items():
        if option in options and not all(map(is_whole, found)):
            yield f"{option}={options[option]}: percentages are whole, of {_written(found)}"
    yield from _of_law(profile.distributions[0], options)
    if point.rate_io_s is not None:
        yield from _of_rate(point, options, clones)


def _shares_of(found: Distribution) -> list[float]:
    return [share for zone in found.zones for share in (zone.accesses, zone.range)]


def _written(shares: list[float]) -> str:
    return ", ".join(f"{share * 100:.6g}" for share in dict.fromkeys(shares))


def _of_law(found: Distribution, options: Mapping[str, str]) -> Iterator[str]:
    written = f"random_distribution={options.get('random_distribution')}"
    least, most = DEVIATIONS
    if found.kind == "normal" and not least - 1e-4 < (found.parameter or 0) < most + 1e-4:
        yield f"{written}: what fio draws has a deviation of {least:.4f} to {most:.4f}, {found} another"
    if found.kind == "zipf" and f"{found.parameter:g}" == POLE:
        yield f"{written}: fio refuses {found}"


def _of_rate(point: Point, options: Mapping[str, str], clones: int) -> Iterator[str]:
    asked, written = point.rate_io_s or 0.0, written_rate(point, clones)
    if abs(written - asked) > _NEAR * asked:
        whole = f"rate_iops={options['rate_iops']}: rates of a clone are whole"
        yield f"{whole}, {plain_number(written, 6)} IO/s in all and not {plain_number(asked, 6)}"
    share, wanted = written_read_share(point, clones), point.profile.read_share
    if share is not None and abs(share - wanted) > _NEAR:
        whole = f"rate_iops={options['rate_iops']}: rates of a clone are whole"
        yield f"{whole}, {share * 100:.4g}% of the accesses read and not {wanted * 100:.4g}%"


def needed(options: Mapping[str, str], clones: int) -> Iterator[str]:
    """Tell why not every version of fio takes a job."""
    zones = options.get("random_distribution", "")
    if "," in zones:
        what = f"random_distribution={zones}"
        yield f"{what}: fio 3.41 or later; earlier versions take zones of all directions alone"
    if "thinktime_blocks_type" in options:
        yield "thinktime_blocks_type=issue: fio 3.26 or later"
    if clones > MOST_JOBS:
        yield f"numjobs={clones}: fio runs {MOST_JOBS} jobs at the most"


def threads_of(point: Point) -> int:
    """Give the threads that a worker of the ``sync`` engine has for a target: one for each outstanding I/O,
    and no more than it issues accesses before it thinks."""
    profile = point.profile
    return min(point.outstanding, profile.think_every) if profile.think_time_us else point.outstanding


def unsaid(point: Point, clones: int) -> Iterator[str]:
    """Tell what of a point no option of fio says."""
    profile = point.profile
    if clones > point.workers_in_all:
        threads, every = threads_of(point), point.profile.think_every
        yield f"{clones} clones of one I/O each: the {threads} of a worker share one sequence"
        if point.profile.think_time_us and every % threads:
            each = math.ceil(every / threads)
            yield f"each clone thinks after {each} accesses: the {threads} of a worker after {every} together"
    if point.workers_area == "stream":
        yield "each clone goes through the area: the workers share one stream"
    if point.targets_per_worker:
        yield f"each clone accesses all files: a worker accesses {point.targets_per_worker} of them"
    if 0 < profile.trim_share < 1:
        yield f"nothing is trimmed: {profile.trim_share * 100:.6g}% of the accesses are"
    if profile.mixes and profile.sequential and not profile.own_cursors:
        yield "reads and writes follow a cursor each: they follow one"
    if profile.gap_bytes and profile.random and profile.sequential:
        yield f"sequential accesses follow without a gap: they have one of {profile.gap_bytes} bytes"
    yield from _of_laws(profile)
    yield from _of_once(profile)
    if len({(target.area_start_bytes, target.area_length_bytes) for target in point.targets}) > 1:
        yield "the area of each file is that of the first: each has its own"
    counted = _counted(profile)
    if len(point.targets) > 1 and counted:
        yield f"{', '.join(counted)}: fio counts over all files of a clone, a worker counts on each"
    if point.verify:
        yield "nothing is verified: what is written is stamped, and checked when it is read"


def _of_once(profile: LoadProfile) -> Iterator[str]:
    """Tell where what goes to each block once does so otherwise in fio: its map has blocks of one size."""
    if {found.kind for found in profile.distributions} != {"permutation"}:
        return
    grain = profile.grain_bytes
    if profile.block_sizes != (grain,):
        yield f"each block of the least size is touched once: each multiple of {grain} bytes is drawn once"


def _counted(profile: LoadProfile) -> list[str]:
    """Give the options that say after how many accesses something is."""
    found = {
        "rw": profile.random and profile.random_every > 1,
        "fsync": profile.fsync_every,
        "fdatasync": profile.fdatasync_every,
        "thinktime": profile.think_time_us,
    }
    return [name for name, is_said in found.items() if is_said]


def _of_laws(profile: LoadProfile) -> Iterator[str]:
    """Tell where fio ranks other blocks, and where writes go another way than reads, of which it has one."""
    sizes = profile.block_sizes
    if {found.kind for found in profile.distributions} & {"zipf", "pareto", "normal"} and len(sizes) > 1:
        cells = f"cells of {format_size(sizes[-1])}, and smaller blocks lie anywhere in them"
        yield f"the law ranks blocks of {format_size(sizes[0])}: it ranks {cells}"
    if len(profile.distributions) < 2:
        return
    reads, writes = profile.distributions
    kinds = {reads.kind, writes.kind}
    if "permutation" in kinds:
        yield f"nothing goes to each block once: of {reads} and {writes} one does"
    if not kinds <= {"zones", "uniform", "permutation"}:
        told = UNIFORM if reads.kind == "permutation" else reads
        yield f"writes go where reads do, by {told}: they go by {writes}"
