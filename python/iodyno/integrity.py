"""What a plan needs so that data can be verified: the unit of the ledger, its areas, its memory.

The stamps and the judge are in the engine (``crates/load/src/integrity``); see
``docs/concepts/integrity.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from iodyno.errors import Problem
from iodyno.plan import Engine, Point
from iodyno.profiles import LoadProfile
from iodyno.units import format_size, short_size

SECTOR_BYTES = 512
"""Bytes that carry one stamp."""
ENTRY_BYTES = 4
"""Memory of a unit in the ledger."""
LEDGER_LIMIT_BYTES = 1 << 30
"""Most memory of the ledger."""


@dataclass(frozen=True)
class Layout:
    """What the ledger of a plan looks like.

    Parameters
    ----------
    unit_bytes
        What every access is a multiple of: the ledger knows the last write of each unit.
    longest_bytes
        The longest write.
    areas
        Path, start and length in bytes of what is accessed of each target.
    """

    unit_bytes: int
    longest_bytes: int
    areas: tuple[tuple[str, int, int], ...]

    @property
    def memory_bytes(self) -> int:
        """Memory of the ledger: four bytes a unit."""
        return sum(length // self.unit_bytes for _, _, length in self.areas) * ENTRY_BYTES


def layout_of(points: Iterable[Point]) -> Layout | None:
    """Lay out the ledger of the points that are verified; none where none is.

    The unit is the greatest that divides every block, gap, alignment and area; the area of a target
    reaches from the first to the last byte that any of the points accesses.
    """
    verified = [point for point in points if point.verify]
    if not verified:
        return None
    areas: dict[str, tuple[int, int]] = {}
    sizes: set[int] = set()
    for point in verified:
        for profile in point.profiles:
            sizes |= _sizes(profile)
        for target in point.targets:
            start, end = target.area_start_bytes, target.area_start_bytes + target.area_length_bytes
            sizes |= {start, target.area_length_bytes}
            before = areas.get(target.path, (start, end))
            areas[target.path] = (min(before[0], start), max(before[1], end))
    return Layout(
        unit_bytes=math.gcd(*sizes),
        longest_bytes=max(profile.largest_block_bytes for point in verified for profile in point.profiles),
        areas=tuple((path, start, end - start) for path, (start, end) in areas.items()),
    )


def trimmed_areas(point: Point) -> Iterator[tuple[str, int, int]]:
    """Yield path, start and length in bytes of what the loads of a point may trim."""
    for load in point.loads:
        if load.profile.trim_share:
            for target in load.targets:
                yield target.path, target.area_start_bytes, target.area_length_bytes


def _sizes(profile: LoadProfile) -> set[int]:
    """Blocks and alignments of both directions, and gaps, in bytes."""
    gap = {abs(profile.gap_bytes)} - {0}
    alignments = (profile.alignment_of(write) for write in (False, True))
    return {*profile.block_sizes, *alignments, *gap}


def unverifiable(profile: LoadProfile, engine: Engine, where: str) -> Iterator[Problem]:
    """Yield why the data of a load cannot be verified."""
    if engine in ("null", "nop"):
        what = f"the engine {engine} reads and writes nothing: there is nothing to verify"
        yield Problem(where, what, "take another engine, or leave verify out")
    if profile.writes and profile.data != "incompressible":
        what = f"a stamp in each sector would spoil the data of the profile, {profile.data}"
        yield Problem(where, what, 'take data = "incompressible", or leave verify out')
    if profile.writes and profile.data_duplicate_share:
        what = "a stamp in each sector leaves no block a copy of another: data_duplicate_share cannot be had"
        yield Problem(where, what, "take data_duplicate_share = 0, or leave verify out")
    for size in sorted(_sizes(profile)):
        if size % SECTOR_BYTES:
            what = f"{format_size(size)} is no multiple of {SECTOR_BYTES} bytes, which carry one stamp"
            yield Problem(
                where, what, "take blocks, gaps and an alignment of whole sectors, or leave verify out"
            )


def too_large(points: Iterable[Point], where: str) -> Iterator[Problem]:
    """Yield that the ledger of a plan takes too much memory."""
    layout = layout_of(points)
    if layout and layout.memory_bytes > LEDGER_LIMIT_BYTES:
        what = (
            f"what is known of each unit of {format_size(layout.unit_bytes)} takes "
            f"{short_size(layout.memory_bytes)} of memory, above {short_size(LEDGER_LIMIT_BYTES)}"
        )
        yield Problem(where, what, "take a smaller area, or larger blocks and alignment")
