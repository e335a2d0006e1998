"""What changing one thing does, in words: the advice of papers of many systems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from iodyno.analysis.kin import INDEPENDENT
from iodyno.analysis.pairs import Change, Effect, changes
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.things import Described, Difference
from iodyno.report.curve_names import loaded_name
from iodyno.report.messages import N_, Messages
from iodyno.report.sentences.curve import capitalised

MOST_CHANGES = 6
"""Changes that a paper tells of."""
MOST_MIXED = 3
"""Profiles that are named of which nothing clear is shown; more are counted."""
THINGS = {
    "processor": N_("Processor"),
    "settings": N_("Settings of the host"),
    "software": N_("Host software"),
    "server": N_("Server"),
    "controller": N_("Controller"),
    "drive": N_("Drive"),
    "level": N_("RAID level"),
    "raid": N_("Who joins the drives"),
    "groups": N_("Groups"),
    "strip": N_("Strip"),
    "read_ahead": N_("Read-ahead"),
    "write_back": N_("Write policy"),
    "cached_reads": N_("Reads through the cache"),
    "fast_path": N_("Fast path"),
    "drive_cache": N_("Write cache of the drives"),
    "filled": N_("Share of the drive that holds data"),
    "switch": N_("Switch"),
}
"""Things that a change is told of."""
_SWITCHED = {"True": N_("on"), "False": N_("off")}
_JOINING = {"controller": N_("the controller"), "host": N_("the host")}
_PRICES = {
    ("level", "0"): N_("RAID 0 has neither copies nor parity: when a drive fails, all of its data is lost."),
    ("level", INDEPENDENT): N_(
        "Independent drives have neither copies nor parity: when one fails, its data is lost."
    ),
    ("drive_cache", "True"): N_(
        "What the cache of a drive holds can be lost when the power fails, unless the drive saves it."
    ),
    ("write_back", "True"): N_(
        "What a controller acknowledged from its cache is lost when the power fails, unless a battery or "
        "flash memory keeps it."
    ),
}
"""What a thing puts at risk that another does not, by the thing and its value."""
_PARTS = frozenset({"controller", "drive", "switch"})
"""Things of which a system can have several kinds."""
_CLOCK = re.compile(r"\((\d+(?:\.\d+)?) GHz\)$")


def told_changes(
    messages: Messages, items: Sequence[CurveAnalysis], systems: Mapping[str, Described]
) -> list[str]:
    """Say what the changes do that enough pairs of systems show."""
    return [_change(messages, change) for change in changes(items, systems)[:MOST_CHANGES]]


def _change(messages: Messages, change: Change) -> str:
    clear = [effect for effect in change.effects if effect.clear]
    alike = [effect for effect in change.effects if effect.alike]
    mixed = [effect for effect in change.effects if not effect.clear and not effect.alike]
    told = clear + alike + (mixed if len(mixed) <= MOST_MIXED else [])
    quoted = messages.quoted_alike([_profile(messages, effect) for effect in told])
    names = {id(effect): name for effect, name in zip(told, quoted, strict=True)}
    findings = [_factor(messages, effect, names[id(effect)]) for effect in clear]
    if alike:
        findings.append(
            messages.say(
                "no appreciable difference with {profiles}", profiles=_profiles(messages, alike, names)
            )
        )
    if len(mixed) > MOST_MIXED:
        findings.append(
            messages.say(
                "{count} other profiles: not the same in all systems, or within the intervals",
                count=messages.numbers.integer(len(mixed)),
            )
        )
    elif mixed:
        findings.append(
            messages.say(
                "{profiles}: not the same in all systems, or within the intervals",
                profiles=_profiles(messages, mixed, names),
            )
        )
    text = messages.say(
        "{changes}, nothing else changed. {findings}.",
        changes=messages.gathered([_difference(messages, one) for one in change.differences]),
        findings=capitalised(messages.gathered(findings)),
    )
    return messages.flow((text, *_prices(messages, change)))


def _prices(messages: Messages, change: Change) -> Iterator[str]:
    """Say what a change puts at risk, which no figure shows."""
    for one in change.differences:
        if one.second and (price := _PRICES.get((one.thing, one.first))):
            yield messages.known(price)


def _difference(messages: Messages, one: Difference) -> str:
    thing = messages.known(THINGS[one.thing])
    first, second = (value_text(messages, one.thing, value) for value in (one.first, one.second))
    if not first:
        return messages.say("{thing}: none instead of {second}", thing=thing, second=second)
    if not second:
        return messages.say("{thing}: {first} instead of none", thing=thing, first=first)
    return messages.say("{thing}: {first} instead of {second}", thing=thing, first=first, second=second)


def value_text(messages: Messages, thing: str, value: str) -> str:
    """Say what a system has of a thing; empty where it has none."""
    if not value:
        return ""
    if thing == "write_back" and value in _SWITCHED:
        return messages.known("write-back" if value == "True" else "write-through")
    if value in _SWITCHED:
        return messages.known(_SWITCHED[value])
    if thing == "raid":
        return messages.listed([messages.known(_JOINING[who]) for who in value.split(", ")])
    if thing == "level":
        return messages.listed([_level(messages, level) for level in value.split(", ")])
    if thing == "strip":
        return f"{value} kB"
    if thing == "filled":
        return messages.listed([messages.numbers.chosen(float(share)) for share in value.split(", ")])
    if thing == "settings":
        return messages.known(value).partition(":")[0].partition("：")[0]
    if found := _CLOCK.search(value):
        clock = f"{messages.numbers.shortest(float(found[1]))} GHz"
        return f"{value[: found.start()].rstrip()} ({clock})"
    if thing in _PARTS:
        return messages.listed([messages.part(name) for name in value.split(", ")])
    return messages.gathered([messages.part(messages.known(one)) for one in value.split("; ")])


def _level(messages: Messages, level: str) -> str:
    if level == INDEPENDENT:
        return messages.say("independent drives")
    return level if level == "JBOD" else messages.say("RAID {level}", level=level)


def _profile(messages: Messages, effect: Effect) -> str:
    return loaded_name(messages, effect.item.curve)


def _factor(messages: Messages, effect: Effect, profile: str) -> str:
    low, high = (messages.numbers.significant(end, 2) for end in (effect.low, effect.high))
    if low == high:
        return messages.say("{profile}: {factor} times as much", profile=profile, factor=low)
    return messages.say("{profile}: {low} to {high} times as much", profile=profile, low=low, high=high)


def _profiles(messages: Messages, effects: Sequence[Effect], names: Mapping[int, str]) -> str:
    """List profiles by the names that they have among the findings."""
    return messages.listed(list(dict.fromkeys(names[id(effect)] for effect in effects)))
