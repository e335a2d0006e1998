"""Rates of jobs, read and written: fio counts bytes, and I/Os as if each were of the least block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iodyno.fio.jobs import Findings, Job
from iodyno.plan import Point
from iodyno.profiles import Block, LoadProfile, mean_bytes
from iodyno.units import format_size, plain_number


def limits_of(job: Job, blocks: Mapping[str, Sequence[Block]], findings: Findings) -> dict[str, float]:
    """Find the limit of each direction of a clone in IO/s, where one is given.

    fio makes bytes of ``rate_iops`` by the smallest block, and I/Os of them by what each moves. Only with
    ``rate_process=poisson`` it draws the time of each I/O, whatever it moves, and makes I/Os of ``rate`` by
    the smallest block.
    """
    in_ios, in_bytes = job.get("rate_iops", {}), job.get("rate", {})
    if any(in_ios.values()) and any(in_bytes.values()):
        what = "rate stands beside rate_iops, and fio takes one of them alone"
        findings.refuse(job.place_of("rate_iops"), what, "take one of them out")
    found: dict[str, float] = {}
    for name, sizes in blocks.items():
        least, mean = _least(sizes), mean_bytes(sizes)
        asked = in_ios.get(name) or in_bytes.get(name, 0) / least
        if not asked:
            continue
        drawn = job.get("rate_process") == "poisson"
        found[name] = asked if drawn else asked * least / mean
        if drawn != bool(in_ios.get(name)) and mean > least:
            _say_smallest(job, name, least, found[name], findings)
    return found


def _say_smallest(job: Job, direction: str, least: int, rate_io_s: float, findings: Findings) -> None:
    what = f"the rate counts blocks of {format_size(least)}, the smallest size, as in fio"
    findings.note(
        job.place_of("rate_iops", "rate"), f"{what}: {plain_number(rate_io_s, 4)} {direction}s a second"
    )


def rate_of(job: Job, profile: LoadProfile, limits: dict[str, float], findings: Findings) -> float | None:
    """Find the rate in all: each direction of each clone keeps its own limit in fio."""
    shares = {"read": profile.read_share, "write": 1 - profile.read_share}
    if profile.trim_share:
        shares = {"trim": 1.0}
    asked = [limits[name] / share for name, share in shares.items() if share and name in limits]
    if not asked:
        return None
    place = job.place_of("rate_iops", "rate")
    what = (
        "I/Os start by a schedule that never waits for completions; fio lets them complete before it sleeps"
    )
    findings.note(place, what)
    return float(min(asked)) * int(job.get("numjobs", 1))


def rates_of_clone(point: Point, clones: int) -> list[int]:
    """Give the rate of each clone of a point: fio has one for each direction of a mix, whole, and 0 is no
    limit."""
    rate_io_s = (point.rate_io_s or 0.0) / clones
    return [max(1, round(rate_io_s * share * blocks)) for share, blocks in _counted(point)]


def written_rate(point: Point, clones: int) -> float:
    """Give the rate in all that these come to, in IO/s."""
    rates = zip(rates_of_clone(point, clones), _counted(point), strict=True)
    return clones * sum(rate / blocks for rate, (_, blocks) in rates)


def written_read_share(point: Point, clones: int) -> float | None:
    """Give the share of reads that the rates of a mix come to; none where no mix has rates."""
    rates = zip(rates_of_clone(point, clones), _counted(point), strict=True)
    done = [rate / blocks for rate, (_, blocks) in rates]
    return done[0] / sum(done) if len(done) == 2 else None


def _counted(point: Point) -> list[tuple[float, float]]:
    """Give the share of each direction, and as how many I/Os fio counts one of it on the mean."""
    profile = point.profile
    mix = 0 < profile.read_share < 1 and profile.trim_share < 1
    shares = {False: profile.read_share, True: 1 - profile.read_share} if mix else {profile.writes: 1.0}
    drawn = point.arrival == "poisson"
    return [
        (share, 1.0 if drawn else profile.mean_bytes_of(write) / _least(profile.blocks_of(write)))
        for write, share in shares.items()
    ]


def _least(blocks: Sequence[Block]) -> int:
    return min(block.bytes for block in blocks)
