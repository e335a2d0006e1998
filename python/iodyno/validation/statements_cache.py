"""Statements of the RAID controller paper on the size of the controller's cache."""

from __future__ import annotations

from itertools import pairwise

from iodyno.fitting.answered.raid import (
    LOW,
    OVERLOAD,
    READ_67_4K,
    READ_67_64K,
    WRITE_4K,
    WRITE_8K,
    WRITE_64K,
    gain,
)
from iodyno.fitting.answers import Curves, MeanGain
from iodyno.validation.statements import POINT, Finding, Paper, each, within
from iodyno.validation.statements_raid import RANDOM, SEQUENTIAL, best_mode

ALL = LOW + OVERLOAD
ARRAYS = (("5", 8), ("10", 8), ("5", 4))
"""RAID levels and hard disks that the caches are compared with."""
paper = Paper("raid")


@paper.says(
    332,
    "4 and 64 kB, RAID 5 and 10 of 8 hard disks, RAID 5 of 4: the larger cache gains over a point more at"
    " 100 % write than at 33 %",
)
def _with_writes(curves: Curves) -> Finding:
    return each(
        _more(curves, f"RAID {level} of {drives}, {block}", few, many)
        for level, drives in ARRAYS
        for block, *profiles in (("4 kB", READ_67_4K, WRITE_4K), ("64 kB", READ_67_64K, WRITE_64K))
        for few, many in [[gain(profile, ALL, level, drives) for profile in profiles]]
    )


def _more(curves: Curves, name: str, *gains: MeanGain, point: float = POINT) -> Finding:
    """Hold where each gain is greater than the one before, by more than so many shares."""
    shares = [one.value(curves) - 1 for one in gains]
    steps = [later - earlier for earlier, later in pairwise(shares)]
    return Finding(min(steps) > point, f"{name} {' → '.join(f'{share * 100:.1f} %' for share in shares)}")


@paper.says(
    333,
    "8 hard disks, random writes and 67 % reads of 4 kB: the larger cache gains over a point more in RAID 5"
    " than in RAID 10",
)
def _with_level(curves: Curves) -> Finding:
    return each(
        _more(curves, profile, gain(profile, ALL, level="10"), gain(profile, ALL))
        for profile in (READ_67_4K, WRITE_4K)
    )


@paper.says(
    334,
    "RAID 5, random writes and 67 % reads of 4 kB: the larger cache gains over a point more with 4 hard"
    " disks than with 8",
)
def _with_disks(curves: Curves) -> Finding:
    return each(
        _more(curves, profile, gain(profile, ALL), gain(profile, ALL, drives=4))
        for profile in (READ_67_4K, WRITE_4K)
    )


@paper.says(
    335,
    "RAID 5 and 10 of 8 hard disks, RAID 5 of 4: the larger cache gains over a point more of writes at 8 than"
    " at 64 kB and at 4 than at 8, of 67 % reads at 4 than at 64",
)
def _with_block(curves: Curves) -> Finding:
    return each(
        _more(
            curves, f"RAID {level} of {drives}", *(gain(profile, ALL, level, drives) for profile in profiles)
        )
        for level, drives in ARRAYS
        for profiles in ((WRITE_64K, WRITE_8K, WRITE_4K), (READ_67_64K, READ_67_4K))
    )


@paper.says(
    336,
    "8 hard disks, RAID 5, 67 % reads of 4 and 64 kB: the larger cache gains over half a point more at 64 to"
    " 512 than at 1 to 32. Writes alone are no part of this",
)
def _with_load(curves: Curves) -> Finding:
    return each(
        _more(curves, profile, gain(profile, LOW), gain(profile, OVERLOAD), point=0.005)
        for profile in (READ_67_4K, READ_67_64K)
    )


@paper.says(
    337,
    "8 SAS SSDs, each profile, and 8 SAS hard disks, Streaming and Restore, RAID 0, 10 and 5: EP420i and"
    " EP400i within 3 %",
)
def _elsewhere(curves: Curves) -> Finding:
    return each(
        within(
            f"RAID {level}, {drive}, {profile}",
            *(best_mode(curves, name, level, 8, profile, drive) for name in ("ep420i", "ep400i")),
            share=0.03,
        )
        for level in ("0", "10", "5")
        for drive, profiles in (("sas-ssd", (*RANDOM, *SEQUENTIAL)), ("sas-hdd", SEQUENTIAL))
        for profile in profiles
    )
