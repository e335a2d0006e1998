"""The least latency, in words: which loads have it, and of random ones that of the title page."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.run import CurveAnalysis
from iodyno.report.curve_names import curve_place, loaded_name
from iodyno.report.messages import Messages
from iodyno.report.sentences.least_latency import (
    level_in_latency,
    maybe_quicker,
    of_least_latency,
    others_are_quicker,
    smallest_random,
)
from iodyno.report.sentences.level import latency_range, listable
from iodyno.report.sentences.loads import load_in_all
from iodyno.report.sentences.practice import (
    closed_where_any,
    of_closed_loops,
    of_several_systems,
    profiles_at_places,
)
from iodyno.report.sentences.side_by_side import not_compared


def quickest(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Name the least mean latency at the lowest load, of the closed loops where there are open ones too."""
    item = of_least_latency(items)
    if item is None:
        return ""
    said = messages.flow(
        (_quickest(messages, items, item), _maybe_quicker(messages, items, item), _of_random(messages, items))
    )
    both = len({one.curve.open_loop for one in items}) > 1
    return of_closed_loops(messages, said) if both else said


def _maybe_quicker(messages: Messages, items: Sequence[CurveAnalysis], item: CurveAnalysis) -> str:
    """Say which mean latencies are less than the least, and known too little to be it."""
    found = maybe_quicker(item, items)
    names = dict.fromkeys(profiles_at_places(messages, found, several=of_several_systems(items)))
    return not_compared(messages, messages.listed(list(names))) if names else ""


def _of_random(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Name the latency of the title page too, where it is not the least of all."""
    told = closed_where_any(items)
    random = smallest_random(told)
    item = of_least_latency(random)
    if item is None or not others_are_quicker(told):
        return ""
    leaders = level_in_latency(item, random)
    latency = latency_range(messages, [one.curve.lowest for one in leaders])
    names = list(dict.fromkeys(profiles_at_places(messages, leaders, several=of_several_systems(items))))
    if not listable(names):
        names = list(dict.fromkeys(loaded_name(messages, one.curve) for one in leaders))
    if not listable(names):
        return messages.say(
            "Of the random profiles with the smallest blocks the least is {latency}.", latency=latency
        )
    return messages.say(
        "Of the random profiles with the smallest blocks the least is {latency}, with {names}.",
        latency=latency,
        names=messages.listed(names),
    )


def _quickest(messages: Messages, items: Sequence[CurveAnalysis], item: CurveAnalysis) -> str:
    leaders = level_in_latency(item, items)
    if len(leaders) > 1:
        return _level_in_latency(messages, leaders, items)
    at, name = item.curve.lowest, curve_place(messages, item.curve, several=of_several_systems(items))
    values = {
        "latency": latency_range(messages, [at]),
        "profile": loaded_name(messages, item.curve),
        "load": load_in_all(messages, at),
    }
    if any(len(other.curve.points) > 1 for other in items):
        return _quickest_of_lowest_loads(messages, name, values)
    if name:
        return messages.say(
            "The least mean latency is {latency}, with {profile}, {name}, {load}.", name=name, **values
        )
    return messages.say("The least mean latency is {latency}, with {profile} {load}.", **values)


def _quickest_of_lowest_loads(messages: Messages, name: str, values: dict[str, str]) -> str:
    if name:
        return messages.say(
            "The least mean latency at the lowest load is {latency}, with {profile}, {name}, {load}.",
            name=name,
            **values,
        )
    return messages.say(
        "The least mean latency at the lowest load is {latency}, with {profile} {load}.", **values
    )


def _level_in_latency(
    messages: Messages, leaders: Sequence[CurveAnalysis], items: Sequence[CurveAnalysis]
) -> str:
    names = list(dict.fromkeys(profiles_at_places(messages, leaders, several=of_several_systems(items))))
    figures = latency_range(messages, [item.curve.lowest for item in leaders])
    if listable(names):
        return messages.say(
            "The least mean latencies at the lowest load are level, {figures}: {names}.",
            figures=figures,
            names=messages.listed(names),
        )
    profiles = list(dict.fromkeys(loaded_name(messages, item.curve) for item in leaders))
    values = {"count": messages.numbers.integer(len(names)), "figures": figures}
    if listable(profiles):
        return messages.say(
            "The {count} least mean latencies at the lowest load are level: {figures}, with {profiles}.",
            profiles=messages.listed(profiles),
            **values,
        )
    return messages.say("The {count} least mean latencies at the lowest load are level: {figures}.", **values)
