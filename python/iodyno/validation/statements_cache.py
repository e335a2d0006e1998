"""Statements of the RAID controller paper on the size of the controller's cache."""

from __future__ import annotations

from iodyno.fitting.answered.raid import (
    LOW,
    OVERLOAD,
    READ_67_4K,
    READ_67_64K,
    WRITE_4K,
    WRITE_64K,
    gain,
    ssds,
)
from iodyno.fitting.answers import Curves, MeanGain
from iodyno.validation.statements import Finding, Paper, each, rising, top, within

ALL = LOW + OVERLOAD
paper = Paper("raid")


@paper.says(332, "8 hard disks, RAID 5, 4 kB: the larger cache gains more at 100 % write than at 33 %")
def _with_writes(curves: Curves) -> Finding:
    return _gains(curves, [gain(READ_67_4K, ALL), gain(WRITE_4K, ALL)])


def _gains(curves: Curves, gains: list[MeanGain]) -> Finding:
    return rising("EP420i ÷ EP400i:", [one.value(curves) for one in gains], slack=0.0, gain=0.002)


@paper.says(333, "8 hard disks, random writes of 4 kB: the larger cache gains more in RAID 5 than in RAID 10")
def _with_level(curves: Curves) -> Finding:
    return _gains(curves, [gain(WRITE_4K, ALL, level="10"), gain(WRITE_4K, ALL)])


@paper.says(334, "RAID 5, random writes of 4 kB: the larger cache gains more with 4 hard disks than with 8")
def _with_disks(curves: Curves) -> Finding:
    return _gains(curves, [gain(WRITE_4K, ALL), gain(WRITE_4K, ALL, drives=4)])


@paper.says(335, "8 hard disks, RAID 5, random writes: the larger cache gains more at 4 kB than at 64 kB")
def _with_block(curves: Curves) -> Finding:
    return _gains(curves, [gain(WRITE_64K, ALL), gain(WRITE_4K, ALL)])


@paper.says(
    336, "8 hard disks, RAID 5, File server: the larger cache gains more at 64 to 512 than at 1 to 32"
)
def _with_load(curves: Curves) -> Finding:
    return _gains(curves, [gain(READ_67_64K, LOW), gain(READ_67_64K, OVERLOAD)])


@paper.says(337, "8 SAS SSDs, RAID 0, 10 and 5, Database and File server: EP420i and EP400i within 3 %")
def _ssds(curves: Curves) -> Finding:
    return each(
        within(
            f"RAID {level} {profile}",
            *(top(curves, ssds(name, level, 8, profile)) for name in ("ep420i", "ep400i")),
            share=0.03,
        )
        for level in ("0", "10", "5")
        for profile in ("database", "file-server")
    )
