"""What distributions, areas of workers and made data ask of a load, and what virtual targets know of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from iodyno.distributions import Distribution
from iodyno.errors import Problem
from iodyno.profiles import LoadProfile
from iodyno.study.expand import Draft
from iodyno.units import format_size, short_size, signed_size


class Named(Protocol):
    """What of a target a message names."""

    @property
    def path(self) -> str:
        """Absolute path, or the name of a virtual volume."""


def load_problems(draft: Draft) -> Iterator[Problem]:
    """Yield what of a load makes no sense on any target."""
    profile, where = draft.profile, draft.where
    yield from _write_way_problems(profile, where) if profile.ways_differ else _permutation_problems(draft)
    if profile.think_time_us and draft.open_loop:
        what = "has a think time and a rate: a rate says when accesses start"
        yield Problem(where, what, "leave one of them out")
    if draft.workers_area != "stream":
        return
    hint = 'leave it out, or take workers_area = "shared" or "own"'
    if profile.gap_bytes:
        what = f'workers_area = "stream" leaves no gaps, and {profile.name} has gap_bytes'
        yield Problem(where, what, hint)
    if profile.cursors == "own":
        what = f'workers_area = "stream" has one cursor, and {profile.name} has cursors = "own"'
        yield Problem(where, what, hint)
    sizes = len(profile.block_sizes)
    if profile.random:
        what = f'workers_area = "stream" is one sequential stream, and {profile.name} accesses at random'
        yield Problem(where, what, 'choose a sequential profile, or workers_area = "shared" or "own"')
    if sizes > 1:
        what = f'workers_area = "stream" needs one block size, and {profile.name} has {sizes}'
        yield Problem(where, what, _one_size(profile))


def _permutation_problems(draft: Draft) -> Iterator[Problem]:
    """Yield why a permutation cannot be that of both directions."""
    profile, where = draft.profile, draft.where
    sizes = len(profile.block_sizes)
    if profile.distribution.kind != "permutation":
        return
    if sizes > 1:
        what = f"a permutation goes through blocks of one size, and {profile.name} has {sizes}"
        yield Problem(where, what, f"{_one_size(profile)}, or choose another distribution")
    if 0 < profile.random_share < 1:
        share = f"{profile.random_share * 100:.10g}%"
        what = f"a permutation touches each block once, and only {share} of {profile.name} is random"
        yield Problem(where, what, "set random_share = 1")


def _write_way_problems(profile: LoadProfile, where: str) -> Iterator[Problem]:
    """Yield why a permutation cannot be that of one direction."""
    for write, accesses in ((False, "reads"), (True, "writes")):
        sizes, share = len({block.bytes for block in profile.blocks_of(write)}), profile.random_of(write)
        if not share or profile.distribution_of(write).kind != "permutation":
            continue
        if sizes > 1:
            what = f"a permutation goes through blocks of one size, and the {accesses} of {profile.name}"
            yield Problem(
                where, f"{what} have {sizes}", "keep one block size, or choose another distribution"
            )
        if share < 1:
            only = f"only {share * 100:.10g}% of the {accesses} of {profile.name} are random"
            what = f"a permutation touches each block once, and {only}"
            yield Problem(where, what, "let all of them be random")


def _one_size(profile: LoadProfile) -> str:
    return "keep one block size for reads and writes" if profile.write_blocks else "keep one block size"


def area_problems(draft: Draft, target: Named, length_bytes: int) -> Iterator[Problem]:
    """Yield why parts of an area, or zones, have no room for a block, or parts none for a gap.

    Parameters
    ----------
    draft
        The load.
    target
        Where its area lies.
    length_bytes
        Length of the area; it holds a block.
    """
    largest = draft.profile.largest_block_bytes
    part = part_bytes(draft, length_bytes)
    if part < largest:
        what = (
            f"the area of {short_size(length_bytes)} on {target.path} gives each of {draft.workers} workers "
            f"{short_size(part)}, less than a block of {format_size(largest)}"
        )
        yield Problem(draft.where, what, "take a larger area, or fewer workers, or a smaller block")
        return
    gap = draft.profile.gap_bytes
    if gap and part < abs(gap) + 2 * largest:
        what = (
            f"a gap of {signed_size(gap)} leaves no room for a second block of {format_size(largest)} in the "
            f"{short_size(part)} that a worker accesses on {target.path}"
        )
        yield Problem(draft.where, what, "take a smaller gap, or a larger area")
    for found in draft.profile.distributions:
        for number, (start, end) in enumerate(zone_bounds(draft, found, part), 1):
            if end - start < largest:
                room = (
                    f"{short_size(end - start)} on {target.path}, less than a block of {format_size(largest)}"
                )
                what = f"zone {number} of {found} has {room}"
                yield Problem(draft.where, what, "give the zone more of the range, or take a larger area")


def part_bytes(draft: Draft, length_bytes: int) -> int:
    """Give the length of the part of an area that one worker accesses."""
    if draft.workers_area != "own":
        return length_bytes
    grain = draft.profile.grain_bytes
    return length_bytes // draft.workers // grain * grain


def zone_bounds(draft: Draft, found: Distribution, length_bytes: int) -> Iterator[tuple[int, int]]:
    """Yield start and end in the area of each zone that is accessed, as the engine rounds them."""
    grain, covered = draft.profile.grain_bytes, 0.0
    for zone in found.zones:
        start = _bound(covered, length_bytes, grain)
        covered += zone.range
        if zone.accesses > 0:
            yield start, _bound(covered, length_bytes, grain)


def _bound(share: float, length_bytes: int, grain_bytes: int) -> int:
    return min(int(share * length_bytes + 0.5), length_bytes) // grain_bytes * grain_bytes


def made_data_problems(draft: Draft) -> Iterator[Problem]:
    """Yield that a load asks for data of a kind, which virtual parts do not know."""
    profile = draft.profile
    if profile.data_compressible_share or profile.data_duplicate_share:
        what = f"{profile.name} writes data that compresses or repeats, and no virtual part knows its data"
        yield Problem(draft.where, what, "leave the shares 0, or measure a real target")
