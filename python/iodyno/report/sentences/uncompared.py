"""What a study sets against each other and cannot be compared, in words: a sentence for each reason."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.configurations import configuration_title
from iodyno.analysis.uncompared import Asked, Side, Uncompared
from iodyno.report.context import Context
from iodyno.report.curve_names import loads_name
from iodyno.report.sentences.against import loads_text

MOST_NAMED = 4
"""Configurations, pairs of them, or profiles of one that a sentence names; of more it has the number."""


def sentences(context: Context, pairs: Sequence[Asked]) -> str:
    """Say of what a study asks to compare, and cannot be, why not; nothing where all of it is compared."""
    if not pairs:
        return context.messages.say(
            "Not compared: no configuration of this section has its counterpart with the same load profile, "
            "workers and other settings."
        )
    profiles: dict[tuple[str, ...], set[str]] = {}
    for pair in pairs:
        for sides in ((pair.one,), (pair.other,), (pair.one, pair.other)):
            profiles.setdefault(_systems(sides), set()).add(_profile(context, pair.one))
    groups: dict[str, list[Uncompared]] = {}
    for one in (one for pair in pairs for one in pair.found):
        groups.setdefault(f"{one.reason} {one.loads}", []).append(one)
    return context.messages.flow(
        [_sentence(context, those[0], _named(context, those, profiles)) for those in groups.values()]
    )


def _systems(sides: Sequence[Side]) -> tuple[str, ...]:
    return tuple(side.point.system or "" for side in sides)


def _profile(context: Context, side: Side) -> str:
    return loads_name(context.messages, side.point.loads, loads=False, begins=False)


def _named(context: Context, found: Sequence[Uncompared], profiles: dict[tuple[str, ...], set[str]]) -> str:
    """Name what a reason is about: configurations, or pairs of them, with their profiles unless it is all."""
    messages = context.messages
    those: dict[tuple[str, ...], dict[str, None]] = {}
    for one in found:
        for sides in [one.sides] if one.reason == "apart" else [(side,) for side in one.sides]:
            those.setdefault(_systems(sides), {})[_profile(context, sides[0])] = None
    if len(those) > MOST_NAMED:
        if found[0].reason == "apart":
            return messages.say_n(
                "{count} pair of configurations", "{count} pairs of configurations", len(those)
            )
        return messages.say_n("{count} configuration", "{count} configurations", len(those))
    return messages.names(
        [
            _of_profiles(context, _title(context, systems), list(of), every=len(profiles[systems]))
            for systems, of in those.items()
        ]
    )


def _of_profiles(context: Context, title: str, profiles: Sequence[str], *, every: int) -> str:
    messages = context.messages
    if len(profiles) == every:
        return title
    if len(profiles) > MOST_NAMED:
        count = messages.say_n("{count} load profile", "{count} load profiles", len(profiles))
        return messages.remarked(title, count)
    return messages.remarked(title, messages.enumerated(profiles))


def _title(context: Context, systems: Sequence[str]) -> str:
    messages, plan = context.messages, context.run.plan
    titles = [messages.titled(configuration_title(plan, name)) for name in systems]
    if len(titles) == 1:
        return titles[0]
    return messages.say("{first} ÷ {second}", first=titles[0], second=titles[1])


def _sentence(context: Context, of: Uncompared, curves: str) -> str:
    say = context.messages.say
    if of.reason == "ended":
        return say("Not compared, as the run ended before all of their points: {curves}.", curves=curves)
    if of.reason == "ended_partly":
        return say(
            "Not compared at every load, as the run ended before all of their points: {curves}.",
            curves=curves,
        )
    if of.reason == "rates":
        return say("Not compared, as their load is a rate and no number of I/Os: {curves}.", curves=curves)
    if of.reason == "served":
        return say("Maxima not compared, as all rates offered are served: {curves}.", curves=curves)
    if of.reason == "unanswered":
        return say("Maxima not compared, as a search has no answer: {curves}.", curves=curves)
    if of.loads is None:
        return say(
            "Not compared, as they have no number of outstanding I/Os in common: {curves}.", curves=curves
        )
    return say(
        "Not compared in this range, in which they have no load in common, {loads}: {curves}.",
        loads=loads_text(context.messages, of.loads, alone=True),
        curves=curves,
    )
