"""What the method says of distributions, areas of workers and made data, where a run uses them."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.plan import FillData, WorkersArea
from iodyno.profiles import LoadProfile
from iodyno.report.context import Context
from iodyno.report.messages import N_
from iodyno.report.names import alignment, exact_size, profile_name

_MEANINGS = {
    "zipf": N_(
        "Zipf: the probability of the block of rank k is proportional to k to the power of −θ. Each rank "
        "has a block of its own, anywhere in the area."
    ),
    "pareto": N_(
        "Pareto: the share h of the blocks gets the share 1 − h of the accesses, and so on within that "
        "share. These blocks lie anywhere in the area."
    ),
    "normal": N_(
        "Normal: the ranks of the blocks follow a normal law about the middle one, whose standard deviation "
        "is a share of their number. Each rank has a block of its own, anywhere in the area."
    ),
    "zones": N_(
        "Zones: the first figure is the share of the random accesses, the second the share of the area that "
        "they go to. Zones follow each other from the beginning of the area; within each, offsets are drawn "
        "evenly. What no zone names is not accessed."
    ),
    "permutation": N_(
        "Each block once: the blocks of the area are accessed in an order of chance, each once, and then "
        "again in another order."
    ),
}
_AREAS: dict[WorkersArea, str] = {
    "own": N_("Each worker accesses a part of the area of its own; all parts are of the same length."),
    "stream": N_(
        "All workers together drive one sequential stream: each takes the next block, so that none is left "
        "out and none is accessed twice before the area begins again."
    ),
}
_SOME_AREAS: dict[WorkersArea, str] = {
    "own": N_(
        "Workers with areas of their own each access a part of the area; all parts are of the same length."
    ),
    "stream": N_(
        "Workers of one sequential stream drive it together: each takes the next block, so that none is left "
        "out and none is accessed twice before the area begins again."
    ),
}
"""The same where other points of the run share the area in another way."""


def draws(context: Context) -> str:
    """Say what is drawn for each access."""
    say, profiles = context.messages.say, _profiles(context)
    if all(found.even for profile in profiles for found in profile.distributions):
        return say(
            "Whether an access reads or writes, and whether it goes to a random offset, is drawn for each "
            "access by the shares of the profile. Random offsets are drawn evenly over the measured area, "
            "with replacement, and are multiples of {alignment}. Sequential accesses follow one cursor for "
            "each worker and target, which all of its outstanding I/Os share and which starts again at the "
            "end of the area.",
            alignment=_multiples(context),
        )
    return say(
        "Whether an access reads or writes, and whether it goes to a random offset, is drawn for each access "
        "by the shares of the profile. Random offsets are multiples of {alignment}; unless the table of the "
        "load profiles says where they go, they are drawn evenly over the measured area, with replacement. "
        "Sequential accesses follow one cursor for each worker and target, which all of its outstanding I/Os "
        "share and which starts again at the end of the area.",
        alignment=_multiples(context),
    )


def _profiles(context: Context) -> list[LoadProfile]:
    """Give the profiles of all points, and of what runs beside them."""
    return [profile for point in context.run.plan.points for profile in point.profiles]


def _multiples(context: Context) -> str:
    """Write what random offsets are multiples of, with the profiles where they differ."""
    messages, found = context.messages, dict[str, dict[str, None]]()
    profiles = _profiles(context)
    for profile in [profile for profile in profiles if profile.random] or profiles:
        found.setdefault(alignment(messages, profile), {})[profile_name(messages, profile)] = None
    if len(found) == 1:
        return next(iter(found))
    each = [messages.in_brackets(text, messages.names(list(names))) for text, names in found.items()]
    return messages.names(each)


def places(context: Context) -> Iterator[str]:
    """Say what each distribution and area of workers means that the run uses."""
    known, points, profiles = context.messages.known, context.run.plan.points, _profiles(context)
    if any(profile.ways_differ for profile in profiles):
        yield context.messages.say(
            "Where reads and writes go different ways, each direction has a sequence of its own: what is "
            "sequential follows the last access of its direction, whatever the other does. Where both follow "
            "laws of ranks, a rank has the same place for both."
        )
    elif any(profile.cursors == "own" for profile in profiles):
        yield context.messages.say(
            "Where each direction has a cursor, a sequential access follows the last one of its direction, "
            "whatever the other does."
        )
    yield from _turns(context)
    yield from _gaps(context)
    kinds = (found.kind for profile in profiles for found in profile.distributions)
    for kind in dict.fromkeys(kinds):
        if kind in _MEANINGS:
            yield known(_MEANINGS[kind])
    areas = dict.fromkeys(point.workers_area for point in points)
    for area in areas:
        if area in _AREAS:
            yield known((_AREAS if len(areas) == 1 else _SOME_AREAS)[area])


def _turns(context: Context) -> Iterator[str]:
    """Say which accesses can be random, where not all can."""
    for profile in {profile.name: profile for profile in _profiles(context)}.values():
        if profile.random_every > 1:
            yield context.messages.say(
                "{profile}: of every {count} accesses of a worker to a target only the first can go to a "
                "random offset; the others follow the cursor.",
                profile=profile_name(context.messages, profile),
                count=context.numbers.integer(profile.random_every),
            )


def _gaps(context: Context) -> Iterator[str]:
    """Say where sequential accesses go that leave gaps, or go back."""
    say = context.messages.say
    for profile in {profile.name: profile for profile in _profiles(context)}.values():
        said = {
            "profile": profile_name(context.messages, profile),
            "size": exact_size(context.messages, abs(profile.gap_bytes)),
        }
        if profile.gap_bytes > 0:
            yield say(
                "{profile}: a sequential access begins {size} behind the end of the one before. What does "
                "not fit into the area begins again at its start.",
                **said,
            )
        elif profile.gap_bytes:
            yield say(
                "{profile}: a sequential access begins {size} before the end of the one before. What would "
                "begin before the area begins {size} before its end.",
                **said,
            )


def data(context: Context) -> Iterator[str]:
    """Say what share of the data that is written compresses or repeats."""
    percent, say = context.numbers.chosen, context.messages.say
    every = (profile for point in context.run.plan.points for profile in point.profiles)
    profiles = {profile.name: profile for profile in every}
    for profile in profiles.values():
        if profile.writes and made(profile):
            yield say(
                "{profile} writes blocks of which {compressible} compress away; {duplicate} of its blocks "
                "are copies of earlier ones.",
                profile=profile_name(context.messages, profile),
                compressible=percent(profile.data_compressible_share),
                duplicate=percent(profile.data_duplicate_share),
            )


def filled(context: Context) -> Iterator[str]:
    """Say what was filled before, where profiles write data that compresses or repeats."""
    plan, say = context.run.plan, context.messages.say
    created = all(target.created for point in plan.points for target in point.targets)
    if not (created or plan.conditioning) or not any(made(point.profile) for point in plan.points):
        return
    if plan.fill_data == FillData():
        yield say("What was filled before the measurement is incompressible and different in each block.")
    else:
        yield say("What was filled before the measurement has the same shares, in blocks of 128 kB.")


def made(profile: LoadProfile) -> bool:
    """Tell whether a share of a profile's data compresses or repeats."""
    return profile.data_compressible_share > 0 or profile.data_duplicate_share > 0
