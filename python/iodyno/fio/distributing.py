"""Where random accesses go: fio's distributions and its map, in iodyno's terms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import ValidationError

from iodyno.distributions import UNIFORM, Distribution, Zone
from iodyno.fio.jobs import Findings, Job
from iodyno.profiles import Block

_DEFAULTS = {"zipf": "1.1", "pareto": "0.2"}
_ZONE = re.compile(r"(\d+)(?:/(\d*))?", re.ASCII)


def distribution_of(
    job: Job, random_share: float, blocks: Sequence[Block], findings: Findings
) -> Distribution:
    """Find where the random accesses of a job go; what is not honoured becomes uniform."""
    if not random_share:
        return UNIFORM
    text = job.get("random_distribution", "random")
    name, _, rest = text.partition(":")
    if name == "random":
        return _by_map(job, random_share, blocks, findings)
    place = job.place_of("random_distribution")
    try:
        if name in _DEFAULTS:
            return Distribution.model_validate(f"{name}:{rest or _DEFAULTS[name]}")
        if name == "zoned":
            return Distribution(kind="zones", zones=_zones(rest))
    except (ValidationError, ValueError) as error:
        said = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        what = f"random_distribution={text}: {said.removeprefix('Value error, ')}"
        findings.refuse(place, what, "write it as fio documents it")
        return UNIFORM
    findings.deviate(place, f"random_distribution={text} is not honoured: offsets are uniform")
    return UNIFORM


def _by_map(job: Job, random_share: float, blocks: Sequence[Block], findings: Findings) -> Distribution:
    """Touch every block once before any again, as fio does unless norandommap is given."""
    if job.get("norandommap") or "ba" in job.values:
        return UNIFORM
    if len(blocks) == 1 and random_share == 1 and findings.real:
        return Distribution(kind="permutation")
    what = "a random offset can come again before all others had their turn, as with norandommap"
    findings.note(job.place_of("rw"), what)
    return UNIFORM


def _zones(text: str) -> tuple[Zone, ...]:
    """Read accesses and ranges in percent; ranges that are not given share what is left."""
    if "," in text:
        raise ValueError("reads and writes have one distribution in iodyno")
    found = [(part, _ZONE.fullmatch(part)) for part in text.split(":")]
    wrong = next((part for part, match in found if not match), None)
    if wrong is not None:
        raise ValueError(f"{wrong!r} is no zone: write accesses/range in percent")
    shares = [(int(match[1]), int(match[2] or 0)) for _, match in found if match]
    missing = sum(not size for _, size in shares)
    rest = (100 - sum(size for _, size in shares)) // missing if missing else 0
    return tuple(Zone(accesses=accesses / 100, range=(size or rest) / 100) for accesses, size in shares)
