"""A study taken apart: every combination of its axes, before any target is known."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from iodyno.distributions import UNIFORM
from iodyno.errors import ProfileError
from iodyno.plan import LATER_FIELDS, WALKS, Engine, WorkersArea
from iodyno.profiles import POWERS_OF_TWO, Area, Block, LoadProfile, StandardLoad
from iodyno.study.model import OPEN_LOOP_OUTSTANDING, Study, Sweep
from iodyno.units import format_size

MOST_POINTS = 100_000
"""Most points of a study: at three seconds each that is three and a half days."""


@dataclass(frozen=True)
class Relative:
    """What a point has to do with rates that follow from readings.

    Parameters
    ----------
    family
        The same for points that decide each other's rates, on the same targets.
    share
        Share of the greatest rate of the family; none: no such point.
    step
        Number of a step of a search, from 0; none: no such point. Neither: a point that finds the
        greatest rate.
    """

    family: str
    share: float | None = None
    step: int | None = None

    def identity(self) -> tuple[object, ...]:
        """What the seed of the point depends on beside its load."""
        return () if self.share is None and self.step is None else ("share", self.share, "step", self.step)


@dataclass(frozen=True)
class Draft:
    """A point that lacks only its targets.

    Parameters
    ----------
    where
        The part of the study that it comes from, for messages: by names, as places can be those of a study of
        which some sweeps and profiles were chosen.
    named
        The profile as the study names it: one that an axis changes has another name.
    sweep
        The sweep that it belongs to.
    profile
        The load profile, with what the axes change of it.
    outstanding, workers, rate_io_s, engine, workers_area
        The load; no rate: a loop that waits.
    """

    where: str
    named: str
    sweep: Sweep
    profile: LoadProfile
    outstanding: int
    workers: int
    rate_io_s: float | None
    engine: Engine
    relative: Relative | None = None
    workers_area: WorkersArea = "shared"
    beside: tuple[Draft, ...] = ()

    @property
    def loads(self) -> tuple[Draft, ...]:
        """It and what runs at the same time."""
        return (self, *self.beside)

    @property
    def open_loop(self) -> bool:
        """Whether its accesses start at a rate, one that is asked for or one that follows from readings."""
        relative = self.relative
        found = relative is not None and (relative.share is not None or relative.step is not None)
        return self.rate_io_s is not None or found

    def identity(self) -> tuple[object, ...]:
        """What the seed of the point depends on: the load, not how long it runs nor who runs it."""
        profile = self.profile
        known = LoadProfile.model_fields
        later = (
            f"{name}={value}"
            for name in (*LATER_FIELDS, *WALKS)
            if (value := getattr(profile, name)) != known[name].default
            and not (name == "cursors" and profile.ways_differ)
        )
        return (
            self.sweep.name, profile.name, profile.version, _sizes(profile.blocks), profile.read_share,
            profile.random_share, profile.alignment_bytes, str(profile.area), self.outstanding, self.workers,
            self.rate_io_s,
            *(self.relative.identity() if self.relative else ()),
            *self._places(),
            *later,
            *(part for load in self.beside for part in ("beside", *load.identity())),
        )  # fmt: skip

    def _places(self) -> Iterator[str]:
        """Yield what is written, and where, if not as usual: points without a choice keep their seeds."""
        profile = self.profile
        if profile.write_blocks:
            yield f"write_blocks {_sizes(profile.write_blocks)}"
        if profile.write_alignment_bytes:
            yield f"write_alignment_bytes {profile.write_alignment_bytes}"
        if not profile.distribution.even:
            yield f"distribution {profile.distribution}"
        if profile.random_of(write=True) != profile.random_share:
            yield f"write_random_share {profile.write_random_share}"
        if profile.distribution_of(write=True) != profile.distribution:
            yield f"write_distribution {profile.write_distribution}"
        if self.workers_area != "shared":
            yield f"workers_area {self.workers_area}"


def _sizes(blocks: Iterable[Block]) -> str:
    return ",".join(f"{block.bytes}*{block.weight:g}" for block in blocks)


def expand(study: Study) -> tuple[Draft, ...]:
    """Give every point of a study without its targets, in order.

    Profiles come as listed; for each, the axes of the sweep in their order, the last one
    fastest.

    Raises
    ------
    ProfileError
        If there are more than :data:`MOST_POINTS`.
    """
    count = sum(_count(sweep) for sweep in study.sweep)
    if count > MOST_POINTS:
        what = f"makes {count:,} points, above the limit of {MOST_POINTS:,}"
        raise ProfileError.of("sweep", what, "give fewer values to its axes")
    return tuple(itertools.chain.from_iterable(_sweep(study, place) for place in range(len(study.sweep))))


def conditioning_drafts(study: Study) -> tuple[Draft, ...]:
    """Give the loads of the profiles that a round of conditioning is made of; none where it names none."""
    options = study.conditioning
    if options is None:
        return ()
    known = study.known_profiles
    return tuple(
        Draft(
            where=f"conditioning.profiles[{place}]",
            named=name,
            sweep=Sweep(name="conditioning", profiles=(name,)),
            profile=known[name].profile,
            outstanding=options.outstanding,
            workers=options.workers,
            rate_io_s=None,
            engine=study.measurement.engine,
        )
        for place, name in enumerate(options.profiles)
    )


def _count(sweep: Sweep) -> int:
    each = math.prod(len(getattr(sweep, axis)) for axis in sweep.order)
    if sweep.relative:
        limits = len(sweep.outstanding) if "outstanding" in sweep.order else 1
        asked = len(sweep.rate_share) + (sweep.search.most_steps if sweep.search else 0)
        each = each * asked + each // limits * len(sweep.maximum_at)
    return len(sweep.profile_names) * each


def _sweep(study: Study, place: int) -> Iterator[Draft]:
    sweep = study.sweep[place]
    known = study.known_profiles
    found: set[str] = set()
    for name in sweep.profile_names:
        where = f"sweep {sweep.name}.{'set' if sweep.set else 'profiles'}.{name}"
        for choice in _choices(sweep, known[name], study):
            draft = _draft(where, sweep, known[name].profile, choice)
            draft = replace(draft, beside=tuple(_beside(f"sweep {sweep.name}", draft, known, choice)))
            yield from _relatives(draft, found) if sweep.relative else (draft,)


def _choices(sweep: Sweep, load: StandardLoad, study: Study) -> Iterator[dict[str, Any]]:
    axes: dict[str, tuple[Any, ...]] = {axis: getattr(sweep, axis) for axis in sweep.order}
    axes.setdefault("engine", (study.measurement.engine,))
    axes.setdefault("workers", (load.workers,))
    axes.setdefault("workers_area", (study.measurement.workers_area,))
    axes.setdefault("rate_io_s", (None,))
    usual = load.outstanding or POWERS_OF_TWO
    axes.setdefault("outstanding", OPEN_LOOP_OUTSTANDING if sweep.open_loop else usual)
    for values in itertools.product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


def _beside(
    where: str, draft: Draft, known: Mapping[str, StandardLoad], choice: dict[str, Any]
) -> Iterator[Draft]:
    """Give the loads beside: on what is accessed of the targets, but for one with an area of its own."""
    for place, load in enumerate(draft.sweep.beside):
        profile = known[load.profile].profile
        if "area" in choice and profile.area == Area():
            profile = varied(profile, {"area": choice["area"]})
        yield Draft(
            where=f"{where}.beside[{place}]",
            named=load.profile,
            sweep=draft.sweep,
            profile=profile,
            outstanding=load.outstanding,
            workers=load.workers,
            rate_io_s=load.rate_io_s,
            engine=draft.engine,
            workers_area=load.workers_area,
        )


def _draft(where: str, sweep: Sweep, profile: LoadProfile, choice: dict[str, Any]) -> Draft:
    load = {key: choice[key] for key in ("outstanding", "workers", "rate_io_s", "engine", "workers_area")}
    return Draft(where=where, named=profile.name, sweep=sweep, profile=varied(profile, choice), **load)


def _relatives(draft: Draft, found: set[str]) -> Iterator[Draft]:
    """Give the points that find what the target can serve, and those whose rates follow from it.

    What it can serve does not hang on how many I/Os an open loop may have outstanding: it is found once for
    all of these, and ``found`` has the loads for which it is.
    """
    sweep = draft.sweep
    family = "/".join(str(part) for part in (*replace(draft, outstanding=0).identity(), draft.engine))
    for outstanding in sweep.maximum_at if family not in found else ():
        yield replace(draft, outstanding=outstanding, relative=Relative(family))
    found.add(family)
    for share in sweep.rate_share:
        yield replace(draft, relative=Relative(family, share=share))
    for step in range(sweep.search.most_steps if sweep.search else 0):
        yield replace(draft, relative=Relative(family, step=step))


def varied(profile: LoadProfile, choice: dict[str, Any]) -> LoadProfile:
    """Change what the axes change of a profile, and its name with it: it is another profile then.

    Parameters
    ----------
    profile
        The profile as defined.
    choice
        Values by axis: ``block_sizes`` and ``random_share`` (both of reads and writes), ``read_share`` and
        ``area`` change it.
    """
    changes: dict[str, Any] = {}
    remarks: list[str] = []
    if "block_sizes" in choice and (
        profile.blocks != (blocks := (Block(bytes=choice["block_sizes"]),)) or profile.write_blocks
    ):
        changes |= {"blocks": blocks, "write_blocks": ()}
        remarks.append(f"block {format_size(choice['block_sizes'])}")
    own = profile.random_of(write=True) != profile.random_share
    for axis, word in (("read_share", "read"), ("random_share", "random"), ("area", "area")):
        if axis in choice and (choice[axis] != getattr(profile, axis) or (own and axis == "random_share")):
            changes[axis] = choice[axis]
            value = choice[axis]
            remarks.append(f"{word} {value * 100:g}%" if isinstance(value, float) else f"{word} {value}")
    if not changes:
        return profile
    if "random_share" in changes:
        changes["write_random_share"] = None
        if not changes["random_share"]:  # where no access is random, none goes by a distribution
            changes |= {"distribution": UNIFORM, "write_distribution": None}
    suffix = "-".join(re.sub(r"[^a-z0-9]+", "-", remark.lower()).strip("-") for remark in remarks)
    changes["name"] = f"{profile.name}-{suffix}"
    changes["title"] = f"{profile.shown} ({', '.join(remarks)})"
    return profile.model_copy(update=changes).settled()
