"""Which part of the targets a run of many curves accesses: another area is another result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from iodyno.analysis.curves import Curve
from iodyno.analysis.run import CurveAnalysis
from iodyno.profiles import Area
from iodyno.report.curve_names import curve_place, loaded_name
from iodyno.report.document import Text
from iodyno.report.messages import Messages
from iodyno.report.names import exact_size

MOST_NAMED = 8
"""Profiles or systems that the most usual area is told with by name; of more it is that elsewhere."""


def measured_areas(messages: Messages, curves: Iterable[Curve]) -> str:
    """Say which part of the targets was accessed, and where that differs, by whom.

    Empty where nobody knows, as of what another program measured, and where loads at once had several.
    """
    found: dict[Area, list[Curve]] = {}
    for curve in curves:
        if any(not target.area_length_bytes for target in curve.first.targets):
            return ""
        if any(load.profile.area != curve.profile.area for load in curve.beside):
            return ""
        found.setdefault(curve.profile.area, []).append(curve)
    if len(found) == 1:
        return area_text(messages, next(iter(found)))
    name = _telling(messages, list(found.values()))
    names = {area: list(dict.fromkeys(map(name, of))) for area, of in found.items()}
    most = max(names, key=lambda area: len(names[area]))
    usual = most if len(names[most]) > MOST_NAMED else None
    told = [
        messages.remarked(area_text(messages, area), messages.names(of))
        for area, of in names.items()
        if area != usual
    ]
    rest = messages.say("elsewhere {area}", area=area_text(messages, usual)) if usual else ""
    return messages.gathered([*told, rest])


def unlike_areas_note(messages: Messages, items: Sequence[CurveAnalysis]) -> tuple[Text, ...]:
    """Say which areas curves that are compared were on, where those of one profile were on several."""
    areas: dict[str, set[Area]] = {}
    for item in items:
        areas.setdefault(item.curve.profile.name, set()).add(item.curve.profile.area)
    if all(len(found) == 1 for found in areas.values()):
        return ()
    told = measured_areas(messages, (item.curve for item in items))
    return (messages.say("Measured area: {areas}.", areas=told),) if told else ()


def area_text(messages: Messages, area: Area) -> str:
    """Write an area as a study asks for it: ``25% of the target from 10% on``."""
    if area == Area():
        return messages.say("all of the target")
    length = _end(messages, area.length)
    length = messages.say("{length} of the target", length=length) if _is_share(area.length) else length
    if not area.start:
        return length
    return messages.say("{length} from {start} on", length=length, start=_end(messages, area.start))


def _is_share(end: float) -> bool:
    return isinstance(end, float)


def _end(messages: Messages, end: float) -> str:
    return messages.numbers.chosen(end) if _is_share(end) else exact_size(messages, int(end))


def _telling(messages: Messages, areas: Sequence[Sequence[Curve]]) -> Callable[[Curve], str]:
    """Choose what tells areas apart: profiles, where each has one area, else systems, else these with what
    curves on them differ in, else that and profiles."""

    def profile(curve: Curve) -> str:
        return loaded_name(messages, curve)

    def system(curve: Curve) -> str:
        return messages.titled(curve.configuration)

    def place(curve: Curve) -> str:
        return curve_place(messages, curve, several=True)

    for name in (profile, system, place):
        named = [{name(curve) for curve in curves} for curves in areas]
        if sum(map(len, named)) == len(set.union(*named)):
            return name
    return lambda curve: messages.enumerated([profile(curve), place(curve)])
