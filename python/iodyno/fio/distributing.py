"""Where random accesses go: fio's distributions and its map, in iodyno's terms."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from iodyno.distributions import UNIFORM, Distribution, Zone
from iodyno.fio.jobs import Findings, Job
from iodyno.fio.values import NotTakenError, by_direction, hint_of, parse_size
from iodyno.units import format_size

_DEFAULTS = {"zipf": "1.1", "pareto": "0.2"}
_LAWS = (*_DEFAULTS, "normal")
_BLOCKS = ("blocks", "write_blocks")
_ZONE = re.compile(r"(\d+)(?:/(\d*))?", re.ASCII)
_SIZED_ZONE = re.compile(r"(\d+)/(\w+)", re.ASCII)
_MEAN_OF = 12
"""Uniform draws whose mean fio takes for a normal one."""


def distributions_of(
    job: Job,
    shares: Mapping[str, float],
    sizes: Mapping[str, Any],
    part_bytes: int | None,
    findings: Findings,
) -> dict[str, Distribution]:
    """Find where the random accesses of a job go, as fields of a profile; what is not honoured is uniform.

    Parameters
    ----------
    job
        The job.
    shares
        Share of its accesses that are random, by direction, reads before writes.
    sizes
        Its blocks and alignments, as fields of a profile.
    part_bytes
        Length of what each clone accesses of a file; none where it is not given in bytes.
    findings
        Takes what is not done as fio does it.
    """
    random = [name for name, share in shares.items() if share]
    text: str = job.get("random_distribution", "random")
    if not random:
        return {"distribution": UNIFORM}
    if text.partition(":")[0] == "random":
        return {"distribution": _by_map(job, min(shares.values()), sizes, findings)}
    first, *others = _by_law(job, text, random, part_bytes, findings)
    if first.kind in _LAWS:
        _say_what_is_ranked(job, text, sizes, findings)
    own = {"write_distribution": others[0]} if others and others[0] != first else {}
    return {"distribution": first, **own}


def _by_law(
    job: Job, text: str, directions: Sequence[str], part_bytes: int | None, findings: Findings
) -> list[Distribution]:
    """Find where the random accesses of each direction go: fio has zones for each, and one law for all."""
    name, _, rest = text.partition(":")
    place = job.place_of("random_distribution")
    try:
        if name in ("zoned", "zoned_abs"):
            parts = by_direction(rest)
            return [_zones(name, parts[direction] or "", part_bytes, job.kb_base) for direction in directions]
        if name in _LAWS and "," in rest:
            raise ValueError("fio has one law for reads and writes; zones alone can be of each")
        if name in _LAWS:
            number, colon, centre = rest.partition(":")
            if colon:
                _leave_out(number, centre, text, place, findings)
            found = _normal(number, place, findings) if name == "normal" else _ranked(name, number)
            return [found] * len(directions)
    except (ValidationError, ValueError) as error:
        said = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        what = f"random_distribution={text}: {said.removeprefix('Value error, ')}"
        findings.refuse(place, what, hint_of(error))
        return [UNIFORM]
    findings.deviate(place, f"random_distribution={text} is not honoured: offsets are uniform")
    return [UNIFORM]


def _say_what_is_ranked(job: Job, text: str, sizes: Mapping[str, Any], findings: Findings) -> None:
    """Say that a law ranks cells of the largest block of a direction; in fio blocks of the least of both."""
    found = [sorted({block.bytes for block in sizes[name]}) for name in _BLOCKS if name in sizes]
    least, most = min(of[0] for of in found), max(of[-1] for of in found)
    if least == most:
        return
    cells = "the law ranks cells of the largest block, and a smaller one lies anywhere in its cell"
    what = f"{cells}; fio ranks blocks of {format_size(least)}"
    if len({of[0] for of in found}) > 1:
        what += ", seeks most of the direction with larger ones behind the end, and does few of them"
    findings.note(job.place_of("random_distribution"), f"random_distribution={text}: {what}")


def _by_map(job: Job, random_share: float, sizes: Mapping[str, Any], findings: Findings) -> Distribution:
    """Touch every block once before any again, as fio does unless norandommap is given."""
    if job.get("norandommap") or "ba" in job.values:
        return UNIFORM
    alike = len(sizes["blocks"]) == 1 and "write_blocks" not in sizes
    each = random_share == 1 and job.get("rw", ("", 1))[1] == 1
    if alike and each and findings.real:
        return Distribution(kind="permutation")
    what = "a random offset can come again before all others had their turn, as with norandommap"
    if not alike:
        what += ", and blocks are whole: fio cuts those short that reach into what had its turn"
    findings.note(job.place_of("rw"), what)
    return UNIFORM


def _leave_out(number: str, centre: str, text: str, place: str, findings: Findings) -> None:
    """Leave out where the centre of a law lies: fio scatters the blocks before it moves them there."""
    if not (number and centre and 0 <= float(centre) <= 1):
        raise ValueError("the centre is a number from 0 to 1")
    what = "fio scatters the blocks, and where the centre lies makes no difference"
    findings.note(place, f"random_distribution={text}: {what}")


def _ranked(name: str, number: str) -> Distribution:
    found = Distribution.model_validate(f"{name}:{number or _DEFAULTS[name]}")
    if name == "zipf" and found.parameter == 1:
        raise NotTakenError("fio takes no theta of 1", "take zipf:0.9999, which is next to it")
    return found


def _normal(number: str, place: str, findings: Findings) -> Distribution:
    """Give the normal law with the deviation of what fio draws, which is not the number that it is given.

    fio takes the mean of twelve uniform draws, adds one that is as wide as the number says, and scatters
    the blocks.
    """
    percent = float(number or 0)
    if not 0 <= percent < 100:
        raise ValueError("the deviation is a number from 0 to below 100")
    width = min(percent / 100, 0.5)
    deviation = round(math.sqrt(1 / 12 / _MEAN_OF + width * width / 12), 4)
    found = Distribution(kind="normal", parameter=deviation)
    what = f"the deviation of what fio draws is {deviation:g} of the blocks: {found} has the same"
    findings.note(place, f"random_distribution=normal:{number}: {what}")
    return found


def _zones(name: str, text: str, part_bytes: int | None, kb_base: int) -> Distribution:
    """Read the zones of one direction."""
    shares = _shared_zones(text) if name == "zoned" else _sized_zones(text, part_bytes, kb_base)
    return Distribution(kind="zones", zones=shares)


def _sized_zones(text: str, part_bytes: int | None, kb_base: int) -> tuple[Zone, ...]:
    """Read accesses in percent and ranges as sizes."""
    if part_bytes is None:
        raise ValueError("zones in bytes need a size in bytes")
    zones, whole = [], 0
    for part in text.split(":"):
        match = _SIZED_ZONE.fullmatch(part)
        if not match:
            raise ValueError(f"{part!r} is no zone: write accesses in percent and a size, 60/20g")
        size = parse_size(match[2], kb_base)
        whole += size
        zones.append(Zone(accesses=int(match[1]) / 100, range=min(1.0, size / part_bytes)))
    if whole > part_bytes:
        raise ValueError(f"the zones take {whole} bytes, above the {part_bytes} that are accessed")
    return tuple(zones)


def _shared_zones(text: str) -> tuple[Zone, ...]:
    """Read accesses and ranges in percent; ranges that are not given share what is left."""
    found = [(part, _ZONE.fullmatch(part)) for part in text.split(":")]
    wrong = next((part for part, match in found if not match), None)
    if wrong is not None:
        raise ValueError(f"{wrong!r} is no zone: write accesses/range in percent")
    shares = [(int(match[1]), int(match[2] or 0)) for _, match in found if match]
    missing = sum(not size for _, size in shares)
    rest = (100 - sum(size for _, size in shares)) // missing if missing else 0
    return tuple(Zone(accesses=accesses / 100, range=(size or rest) / 100) for accesses, size in shares)
