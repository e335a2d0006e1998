"""What a run says of the systems that it compares, profile by profile: the fastest, and by how much."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from iodyno.analysis.ranking import Ranking, ranking
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.curve_names import curve_place, loaded_name
from iodyno.report.messages import Messages
from iodyno.report.names import main_figure
from iodyno.report.practice_text import with_maxima
from iodyno.report.side_text import at_maximum

MOST_PROFILES = 6
"""Profiles of which a conclusion compares systems: those that most systems have."""
FEW_SYSTEMS = 6
"""Systems up to which the lowest is told too: of more it is another kind of system."""
MOST_NAMED = 3
"""Systems that a sentence names as not distinguishable from the highest; more are counted."""


def comparable(items: Sequence[CurveAnalysis]) -> list[list[CurveAnalysis]]:
    """Give, for each profile of several systems, the curve of each with its highest maximum.

    A maximum without interval, or whose measurement was disturbed, is compared with none: its profile is left
    out.
    """
    by_profile: dict[str, dict[str, CurveAnalysis]] = {}
    for item in with_maxima(items):
        of = by_profile.setdefault(_profile(item), {})
        system = item.curve.first.system or ""
        if system not in of or item.maximum.at.main.value > of[system].maximum.at.main.value:
            of[system] = item
    return [list(of.values()) for of in by_profile.values() if len(of) > 1 and _known(of.values())]


def _profile(item: CurveAnalysis) -> str:
    return "/".join(at.profile.name for at in (item.curve.lowest, *item.curve.lowest.beside))


def _known(items: Iterable[CurveAnalysis]) -> bool:
    tops = [item.maximum.at for item in items]
    return all(at.main.half_width is not None and at.verdict.state != "disturbed" for at in tops)


def chosen(groups: Sequence[list[CurveAnalysis]]) -> list[list[CurveAnalysis]]:
    """Choose the profiles that most systems have, in their order."""
    most = sorted(groups, key=len, reverse=True)[:MOST_PROFILES]
    return [group for group in groups if any(group is one for one in most)]


def fastest(messages: Messages, items: Sequence[CurveAnalysis], drives: Mapping[str, int]) -> str:
    """Say which system of a profile is the fastest, and how far the next of as many drives is from it.

    Parameters
    ----------
    messages
        The language.
    items
        Curves of one profile, of at least two systems, all with an interval.
    drives
        The number of drives of each system by its name.
    """
    if len(items) <= FEW_SYSTEMS:
        finding = at_maximum(messages, items, lambda item: curve_place(messages, item.curve, several=True))
        name = loaded_name(messages, items[0].curve)
        return messages.say("{name}: {finding}", name=name, finding=finding)
    found = ranking(items)
    best = found.order[0]
    values = {
        "profile": loaded_name(messages, best.curve),
        "name": _name(messages, best),
        "figure": main_figure(messages, best.maximum.at),
    }
    if found.alike:
        return messages.say(
            "{profile}: no appreciable difference; the highest maximum is {figure}, with {name}.", **values
        )
    if len(found.highest) > 1:
        return _level(messages, found, values)
    return _ahead(messages, found, drives, values)


def _level(messages: Messages, found: Ranking, values: Mapping[str, str]) -> str:
    others = [_name(messages, item) for item in found.highest[1:]]
    if len(others) <= MOST_NAMED:
        return messages.say(
            "{profile}: {figure} with {name}; not distinguishable from it: {others}.",
            others=messages.gathered(others),
            **values,
        )
    return messages.say(
        "{profile}: {figure} with {name}; {count} others are not distinguishable from it.",
        count=messages.numbers.integer(len(others)),
        **values,
    )


def _ahead(messages: Messages, found: Ranking, drives: Mapping[str, int], values: dict[str, str]) -> str:
    """Compare with the next of as many drives, where there is one: that of fewer says what drives bring."""
    best, *others = found.order
    alike = [item for item in others if _drives(item, drives) == _drives(best, drives)]
    behind = (alike or others)[0]
    spread = ranking([best, behind]).spread
    if spread is None or not spread.known:
        return messages.say("{profile}: {figure} with {name}, the highest maximum.", **values)
    values |= {"other": _name(messages, behind), "factor": messages.numbers.quotient(spread)}
    if not alike or len(alike) == len(others):
        return messages.say(
            "{profile}: {figure} with {name}, {factor} times that of the next, {other}.", **values
        )
    return messages.say(
        "{profile}: {figure} with {name}, {factor} times that of the next with as many drives, {other}.",
        **values,
    )


def _drives(item: CurveAnalysis, drives: Mapping[str, int]) -> int:
    return drives.get(item.curve.first.system or "", 0)


def _name(messages: Messages, item: CurveAnalysis) -> str:
    return messages.quoted(curve_place(messages, item.curve, several=True))
