"""What fields of a load profile contradict each other, or say nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from iodyno.distributions import Distribution

if TYPE_CHECKING:
    from iodyno.profiles import LoadProfile


def problems_of(profile: LoadProfile) -> Iterator[str]:
    """Yield what cannot be of a profile, each in a sentence."""
    yield from _distribution_problems(profile)
    yield from _turn_problems(profile)
    yield from _cursor_problems(profile)
    yield from _data_problems(profile)
    yield from _direction_problems(profile)


def _distribution_problems(profile: LoadProfile) -> Iterator[str]:
    """Yield what a distribution has to do with the rest of a profile."""
    if not profile.ways_differ:
        yield from _way_problems(profile.distribution, profile.random_share, "access", "random_share")
        return
    # What is said of all accesses may be meant for writes alone, where the others are sequential.
    elsewhere = profile.write_distribution is None and profile.random_of(write=True) > 0
    if profile.random_share or not elsewhere:
        yield from _way_problems(profile.distribution, profile.random_share, "read", "random_share")
    name = "random_share" if profile.write_random_share is None else "write_random_share"
    if profile.write_distribution is not None or profile.random_of(write=True):
        found = profile.distribution_of(write=True)
        yield from _way_problems(found, profile.random_of(write=True), "write", name)


def _turn_problems(profile: LoadProfile) -> Iterator[str]:
    """Yield why turns to be random make no sense."""
    if profile.random_every == 1:
        return
    if not profile.random:
        yield f"random_every = {profile.random_every} says nothing: no access is random"
    if any(found.kind == "permutation" for found in profile.distributions):
        yield "a permutation touches each block once only where every access is random: random_every = 1"


def _cursor_problems(profile: LoadProfile) -> Iterator[str]:
    """Yield what cannot be said of cursors."""
    if profile.gap_bytes and not profile.sequential:
        yield f"gap_bytes = {profile.gap_bytes} says nothing: no access is sequential"
    if profile.cursors == "shared":
        return
    if not profile.mixes:
        what = f'cursors = "own" is for a profile that writes and also reads or trims, and {profile.name}'
        yield f"{what} does not: leave it out"
    elif not profile.sequential:
        yield 'cursors = "own" says nothing: no access is sequential'


def _way_problems(found: Distribution, random_share: float, access: str, name: str) -> Iterator[str]:
    """Yield why a distribution does not go with a share of random accesses."""
    if not found.even and not random_share:
        yield f"the distribution {found} says nothing: no {access} is random"
    if found.kind == "permutation" and 0 < random_share < 1:
        yield f"a permutation touches each block once only where every {access} is random: {name} = 1"


def _data_problems(profile: LoadProfile) -> Iterator[str]:
    for name in ("data_compressible_share", "data_duplicate_share"):
        if getattr(profile, name) and profile.data != "incompressible":
            yield f'{name} is said of data = "incompressible", and this is "{profile.data}"'


OF_WRITES = {
    "write_random_share": "random_share",
    "write_blocks": "blocks",
    "write_alignment_bytes": "alignment_bytes",
    "write_distribution": "distribution",
}
"""What writes can have of their own, and what says it for all accesses."""


def _direction_problems(profile: LoadProfile) -> Iterator[str]:
    """Yield what writes cannot have of their own where nothing else is accessed."""
    if profile.mixes:
        return
    for name, plain in OF_WRITES.items():
        if getattr(profile, name) not in (None, ()):
            yield (
                f"{name} is for a profile that writes and also reads or trims, and {profile.name} does not: "
                f"put it in {plain}"
            )
