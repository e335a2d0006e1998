"""What a run says of the systems that it compares, profile by profile: the fastest, and by how much."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from iodyno.analysis.ranking import Ranking, leaves_out, ranking, sound
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.curve_names import loaded_name, places_among
from iodyno.report.messages import Messages
from iodyno.report.names import main_figure
from iodyno.report.sentences.level import level_at_top, listable, main_range, names_level, with_level
from iodyno.report.sentences.practice import as_loaded, closed_where_any, tops
from iodyno.report.sentences.side_by_side import at_maximum, unranked

MOST_PROFILES = 6
"""Profiles of which a conclusion compares systems, as far as some have more systems than others."""
MOST_ALIKE = 12
"""The same where more have as many systems: none of them is left out for another up to here."""
FEW_SYSTEMS = 6
"""Systems up to which the lowest is told too: of more it is another kind of system."""


def comparable(items: Sequence[CurveAnalysis], failed: Collection[str] = ()) -> list[list[CurveAnalysis]]:
    """Give, for each profile of several systems, the curve of each with its highest maximum.

    A maximum without interval, or whose measurement was disturbed, is compared with none: its profile is left
    out. So is one of which a system serves all rates that it is offered: that is no maximum, and the others
    have not the highest. A system that was asked for less than others, and had room, is left out itself; so
    is one with failed members beside several without: beside one alone they show what a failure costs.

    Parameters
    ----------
    items
        The curves of a run.
    failed
        The names of the systems with failed members.
    """
    found = [
        as_loaded(sound(of, failed) if leaves_out(of, failed) else of) for of in _highest(items).values()
    ]
    return [of for of in found if len(of) > 1 and _known(of) and not any(item.asked for item in of)]


def left_out(
    messages: Messages,
    items: Sequence[CurveAnalysis],
    groups: Sequence[list[CurveAnalysis]],
    failed: Collection[str],
) -> str:
    """Say of which profiles systems with failed members are not compared; nothing where all of them are."""
    highest = _highest(items)
    without = [group for group in groups if leaves_out(highest[_profile(group[0])], failed)]
    if not without:
        return ""
    if not any(item.curve.first.system in failed for group in groups for item in group):
        return messages.say("Configurations with failed members are not compared with others.")
    names = [loaded_name(messages, group[0].curve) for group in without]
    if listable(names):
        return messages.say(
            "Configurations with failed members are not compared with others of these load profiles: "
            "{names}.",
            names=messages.names(names),
        )
    return messages.say(
        "Configurations with failed members are not compared with others of {count} load profiles.",
        count=messages.numbers.integer(len(names)),
    )


def _highest(items: Sequence[CurveAnalysis]) -> dict[str, list[CurveAnalysis]]:
    """Give, for each profile, the curve of each system with its highest maximum."""
    by_profile: dict[str, list[CurveAnalysis]] = {}
    for item in closed_where_any(items):
        by_profile.setdefault(_profile(item), []).append(item)
    return {profile: list(tops(those).values()) for profile, those in by_profile.items()}


def _profile(item: CurveAnalysis) -> str:
    return "/".join(at.profile.name for at in (item.curve.lowest, *item.curve.lowest.beside))


def _known(items: Iterable[CurveAnalysis]) -> bool:
    tops = [item.maximum.at for item in items]
    return all(at.main.half_width is not None and at.verdict.state != "disturbed" for at in tops)


def chosen(groups: Sequence[list[CurveAnalysis]]) -> list[list[CurveAnalysis]]:
    """Choose the profiles that the most systems have, in their order: all that as many have as the last of
    them; the first ones, where far too many have as many systems."""
    if len(groups) <= MOST_PROFILES:
        return list(groups)
    least = sorted((len(group) for group in groups), reverse=True)[MOST_PROFILES - 1]
    alike = [group for group in groups if len(group) >= least]
    if len(alike) <= MOST_ALIKE:
        return alike
    return [group for group in groups if len(group) > least] or alike[:MOST_PROFILES]


def lead(
    messages: Messages, shown: Sequence[list[CurveAnalysis]], groups: Sequence[list[CurveAnalysis]]
) -> str:
    """Say of which profiles systems are compared, and what is left out of those that can be."""
    count, left = messages.numbers.integer(len(shown)), len(groups) - len(shown)
    if not left:
        return messages.say("How the configurations compare, by the highest maximum of each load profile:")
    out = (len(group) for group in groups if not any(group is one for one in shown))
    if max(out) == min(map(len, shown)):
        return messages.say(
            "How the configurations compare, by the highest maximum of each of the first {count} of {all} "
            "load profiles:",
            count=count,
            all=messages.numbers.integer(len(groups)),
        )
    return messages.say_n(
        "How the configurations compare, by the highest maximum of each of {shown} load profiles; {count} "
        "more is of fewer configurations:",
        "How the configurations compare, by the highest maximum of each of {shown} load profiles; {count} "
        "more are of fewer configurations:",
        left,
        shown=count,
    )


def fastest(messages: Messages, items: Sequence[CurveAnalysis], drives: Mapping[str, int]) -> str:
    """Say which system of a profile is the fastest, and how far the next of as many drives is from it.

    Where several are level none of them is called the fastest.

    Parameters
    ----------
    messages
        The language.
    items
        Curves of one profile, of at least two systems, all with an interval.
    drives
        The number of drives of each system by its name.
    """
    places = places_among(messages, [item.curve for item in items], several=True)
    names = {item.curve.key: name for item, name in zip(items, places, strict=True)}
    found = ranking(items)
    name = loaded_name(messages, items[0].curve)
    if len(items) <= FEW_SYSTEMS or found.alike or not found.lowest:
        finding = at_maximum(messages, items, lambda item: names[item.curve.key])
        return messages.say("{name}: {finding}", name=name, finding=finding)
    if len(found.highest) > 1:
        level = [names[item.curve.key] for item in found.highest]
        figures = main_range(messages, [item.maximum.at for item in found.highest])
        finding = level_at_top(messages, level, len(items), figures)
    else:
        finding = _ahead(messages, found, drives, names)
    left_out = unranked(messages, found, lambda item: names[item.curve.key])
    return messages.say("{name}: {finding}", name=name, finding=messages.flow((finding, left_out)))


def _ahead(messages: Messages, found: Ranking, drives: Mapping[str, int], names: Mapping[str, str]) -> str:
    """Compare with the next of as many drives and workers, where there is one: that of fewer says what these
    bring."""
    best, *others = (item for item in found.order if item not in found.unknown)
    alike = [item for item in others if _means(item, drives) == _means(best, drives)]
    behind = (alike or others)[0]
    spread = ranking([best, behind]).spread
    first, figure = names[best.curve.key], main_figure(messages, best.maximum.at)
    if spread is None or not spread.known:
        return messages.say(
            "{figure} with {name}, the highest maximum.", name=messages.quoted(first), figure=figure
        )
    following = names_level(alike or others, lambda item: names[item.curve.key])
    name, *following = messages.quoted_alike([first, *following])
    values = {
        "name": name,
        "figure": figure,
        "other": with_level(messages, following),
        "factor": messages.numbers.quotient(spread),
    }
    if not alike or len(alike) == len(others):
        return messages.say("{figure} with {name}, {factor} times that of the next, {other}.", **values)
    if len({item.curve.first.workers_in_all for item in found.order}) > 1:
        return messages.say(
            "{figure} with {name}, {factor} times that of the next with as many drives and workers, {other}.",
            **values,
        )
    return messages.say(
        "{figure} with {name}, {factor} times that of the next with as many drives, {other}.", **values
    )


def _means(item: CurveAnalysis, drives: Mapping[str, int]) -> tuple[int, int]:
    return drives.get(item.curve.first.system or "", 0), item.curve.first.workers_in_all
