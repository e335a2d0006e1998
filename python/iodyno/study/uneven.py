"""Accesses that go to some blocks more often than to others, where virtual parts do not follow them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from iodyno.distributions import UNIFORM, Distribution
from iodyno.errors import Problem
from iodyno.study.expand import Draft
from iodyno.study.on_targets import listed
from iodyno.virtual import OnLogical, VirtualSystem, Volume

if TYPE_CHECKING:
    from iodyno.study.planning import Loads
    from iodyno.study.simulating import VirtualTarget


def uneven_problems(loads: Loads[VirtualTarget], system: VirtualSystem) -> Iterator[Problem]:
    """Yield what of uneven writes the models do not know, of the loads of a point on a system.

    Flash is collected, and caches are filled, as the frequencies of blocks make them. A permutation has none,
    trims are taken to be of all blocks alike, and how far a cache has swept over zones no single point tells.
    """
    volumes = {volume.name: volume for volume in system.volumes}
    trimmed = {target.path for draft, group in loads if draft.profile.trim_share for target in group}
    for draft, group in loads:
        writes = _where_writes_go(draft)
        if writes.even:
            continue
        name = "distribution" if draft.profile.write_distribution is None else "write_distribution"
        hint = f'simulate it with {name} = "uniform", or measure a real target'
        says = f"{draft.profile.name} writes by {writes}"
        paths = [target.path for target in group]
        if writes.kind == "permutation":
            what = f"{says}, and garbage collection is modelled for writes that come to a block at any time"
            yield Problem(draft.where, what, hint)
        if both := [path for path in paths if path in trimmed]:
            what = f"{says}, and trims of {listed(both)} are modelled beside even writes"
            yield Problem(draft.where, what, "leave the trims out, or the distribution of the writes")
        behind = [path for path in paths if path in volumes and _answers_writes(system, volumes[path])]
        if writes.kind == "zones" and behind:
            what = (
                f"{says}, and the write-back cache of {listed(behind)} is modelled for laws and even writes"
            )
            hint = "take a law such as zipf:0.9, write-through, or drives of the host"
            yield Problem(draft.where, what, hint)


def _where_writes_go(draft: Draft) -> Distribution:
    """Give where random writes of a load go; evenly where it has none."""
    profile = draft.profile
    random = profile.writes and profile.random_of(write=True) > 0
    return profile.distribution_of(write=True) if random else UNIFORM


def _answers_writes(system: VirtualSystem, volume: Volume) -> bool:
    if not isinstance(volume.on, OnLogical):
        return False
    controller = system.controllers[volume.on.controller]
    return controller.cache_bytes > 0 and controller.logicals[volume.on.logical].write_back
