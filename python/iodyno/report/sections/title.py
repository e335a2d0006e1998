"""The title page: what was measured, on what, and the figures that matter most."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from iodyno.analysis.curves import Curve
from iodyno.analysis.estimate import APPRECIABLE, Estimate
from iodyno.analysis.layout import EACH_UP_TO
from iodyno.analysis.run import CurveAnalysis
from iodyno.plan import Point
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_place, loaded_name, places_among, told_loop
from iodyno.report.document import TitlePage
from iodyno.report.layout.metrics import text_width
from iodyno.report.names import MARKS, main_figure, ms_text
from iodyno.report.sections import simulated
from iodyno.report.sections.facts import device_name, machine_name, target_paths
from iodyno.report.sections.remarks import remarks
from iodyno.report.sentences.least_latency import (
    level_in_latency,
    of_least_latency,
    others_are_quicker,
    smallest_random,
)
from iodyno.report.sentences.level import latency_range, main_range
from iodyno.report.sentences.loads import load_in_all
from iodyno.report.sentences.practice import (
    at_the_top,
    closed_where_any,
    of_several_systems,
)
from iodyno.report.sentences.search import headline
from iodyno.report.shared_words import told_apart
from iodyno.report.titles import title

MOST_FIGURES = 6
LEVEL_LETTERS, SHARED_LETTERS = 84, 48
"""Letters of the names of those that are level, up to which they are named, what they share once; of more
their number is told, and what they share where that is short."""
RESPONSE_SHARE = 0.99
"""The percentile of the response time of open loops."""
_LEVEL = re.compile(r"RAID (\d+)")
FOOTER = 50.0
"""Room for the text at the foot of a page, in the size of its letters."""


def title_page(context: Context) -> TitlePage:
    """Make the title page."""
    say = context.messages.say
    return TitlePage(
        kind=say("White Paper: simulated") if context.run.simulated else say("White Paper"),
        title=title(context.messages, context.run.plan.title),
        subtitle=_subtitle(context),
        facts=_facts(context),
        summary=_summary(context),
        remark=context.messages.flow(remarks(context)),
    )


def footer(context: Context) -> str:
    """Say at the foot of each page what paper it belongs to: in one line, so of a long title its head."""
    name = title(context.messages, context.run.plan.title)
    text = _footer(context, name)
    return text if text_width(text, 1) <= FOOTER else _footer(context, re.split("[:：]", name)[0].rstrip())


def _footer(context: Context, title: str) -> str:
    if context.run.simulated:
        return context.messages.say("{title} · simulated run {run}", title=title, run=context.run.id)
    return context.messages.say("{title} · run {run}", title=title, run=context.run.id)


def keywords(context: Context) -> tuple[str, ...]:
    """Name what the paper is about, for its metadata."""
    profiles = dict.fromkeys(loaded_name(context.messages, item.curve) for item in context.analysis.curves)
    return (context.messages.say("storage performance"), *profiles)


def _subtitle(context: Context) -> str:
    if context.run.simulated:
        return context.messages.say(
            "Simulated, not measured: {systems}", systems=simulated.systems_text(context)
        )
    if context.run.imported:
        return context.messages.say(
            "Measured with {tool} on {device}", tool=context.run.imported, device=target_paths(context)
        )
    device = device_name(context)
    if device:
        return context.messages.say("Measured on {device}", device=device)
    return context.messages.say("Measured on {device}", device=target_paths(context))


def _systems(context: Context) -> str:
    say = context.messages.say
    return say("System") if len(context.run.plan.systems) == 1 else say("Systems")


def _facts(context: Context) -> tuple[tuple[str, str], ...]:
    say, run = context.messages.say, context.run
    facts = [
        (say("Date"), context.messages.date(run.started_at)),
        (say("Machine"), machine_name(context)),
        (_systems(context), simulated.systems_text(context))
        if run.simulated
        else (say("Target"), target_paths(context)),
        (say("Study"), run.plan.study),
        (say("Run"), run.id),
        (say("Tool"), f"iodyno {run.tool.version} ({run.tool.commit})"),
    ]
    return tuple((name, value) for name, value in facts if value)


def _summary(context: Context) -> tuple[tuple[str, str, str], ...]:
    """Give the maxima of the first curves and, last, a latency at the lowest load; of many curves the highest
    of each profile. What searches found stands first: it was the question."""
    curves = _told(context.analysis.curves)
    answered = [found for found in context.analysis.searches if found.keeps_io_s is not None]
    every = context.analysis.curves
    answers = [headline(context.messages, every, found) for found in answered[: MOST_FIGURES - 1]]
    maxima = ((_maximum(context, item), _of_curve(item.curve.planned)) for item in curves)
    if len(curves) > EACH_UP_TO:
        groups = _by_load(context, curves)
        maxima = ((_highest(context, of), _of_profile(of[0].curve.planned)) for of in groups)
    shown = [*answers, *(_with_missing(context, *tile) for tile in maxima)][: MOST_FIGURES - 1]
    random = smallest_random(_told(every))
    quickest = of_least_latency(random)
    if quickest is not None:
        name, figure, remark = _least(context, level_in_latency(quickest, random))
        if others_are_quicker(_told(every)):
            remark = context.messages.say(
                "{remark}; the least of random profiles with the smallest blocks", remark=remark
            )
        shown.append(_with_missing(context, (name, figure, remark), lambda _: True))
    return tuple(shown)


def _of_curve(point: Point) -> Callable[[Point], bool]:
    """Tell whether points are of the same sweep, system and profiles as one."""
    alike = _of_profile(point)
    return lambda other: (other.sweep, other.system) == (point.sweep, point.system) and alike(other)


def _of_profile(point: Point) -> Callable[[Point], bool]:
    """Tell whether points are of the same profiles at once as one."""
    names = [load.profile.name for load in point.loads]
    return lambda other: [load.profile.name for load in other.loads] == names


def _with_missing(
    context: Context, tile: tuple[str, str, str], belongs: Callable[[Point], bool]
) -> tuple[str, str, str]:
    """Say with a figure how many of the points are missing that it could have come from, if any are."""
    missing = sum(map(belongs, context.lacking))
    if not missing:
        return tile
    name, figure, remark = tile
    planned = missing + sum(belongs(result.point) for result in context.stored.results)
    remark = context.messages.say_n(
        "{remark}; {count} of {planned} points is missing",
        "{remark}; {count} of {planned} points are missing",
        missing,
        remark=remark,
        planned=context.numbers.integer(planned),
    )
    return name, figure, remark


def _told(curves: tuple[CurveAnalysis, ...]) -> tuple[CurveAnalysis, ...]:
    """Leave out open loops where there are closed ones of the profile: what they come to is what was asked of
    them, or more than can be served."""
    return tuple(closed_where_any(curves))


def _by_load(context: Context, curves: Sequence[CurveAnalysis]) -> list[list[CurveAnalysis]]:
    """Give the curves of each load: of each virtual system the one with the highest maximum."""
    found: dict[str, dict[str, CurveAnalysis]] = {}
    for item in curves:
        of = found.setdefault(loaded_name(context.messages, item.curve), {})
        key = item.curve.first.system or item.curve.key
        if key not in of or item.maximum.at.main.value > of[key].maximum.at.main.value:
            of[key] = item
    return [list(of.values()) for of in found.values()]


def _highest(context: Context, items: Sequence[CurveAnalysis]) -> tuple[str, str, str]:
    """Give the highest maximum of a profile; where several are level, all of them, or how many."""
    leaders, messages = at_the_top(items), context.messages
    if len(leaders) == 1:
        places = places_among(messages, _curves(items), several=_several(context))
        place = next(place for place, item in zip(places, items, strict=True) if item is leaders[0])
        return _maximum(context, leaders[0], place)
    name = _level_name(context, leaders, loaded_name(messages, leaders[0].curve))
    return name, main_range(messages, [item.maximum.at for item in leaders]), _level_remark(context)


def _least(context: Context, leaders: Sequence[CurveAnalysis]) -> tuple[str, str, str]:
    """Give the least latency; where several are level, all of them, or how many."""
    if len(leaders) == 1:
        return _latency(context, leaders[0])
    messages = context.messages
    profiles = messages.names(list(dict.fromkeys(loaded_name(messages, item.curve) for item in leaders)))
    name = _level_name(context, leaders, messages.say("{profile}: latency", profile=profiles))
    remark = messages.say("mean, at the lowest load; {remark}", remark=_level_remark(context))
    return name, latency_range(messages, [item.curve.lowest for item in leaders]), remark


def _level_name(context: Context, leaders: Sequence[CurveAnalysis], profile: str) -> str:
    """Name a figure with those that are level in it; where they are too many, with their number."""
    messages = context.messages
    order = {id(item): place for place, item in enumerate(context.analysis.curves)}
    leaders = sorted(leaders, key=lambda item: order[id(item)])  # by their figures it would be a ranking
    places = list(dict.fromkeys(places_among(messages, _curves(leaders), several=_several(context))))
    if places == [""]:  # on the only system the profile is all there is to name
        return profile
    shared, short = told_apart(places)
    if len(shared) + sum(map(len, short)) <= LEVEL_LETTERS:
        of = messages.enumerated([profile, shared])
        return messages.say("{profile}, level: {names}", profile=of, names=_names(context, short))
    values = {"profile": profile, "count": messages.numbers.integer(len(places))}
    shared = shared if len(shared) <= SHARED_LETTERS else ""
    if not shared or "(" in shared or "（" in shared:  # brackets in brackets cannot be read
        return messages.enumerated(
            [messages.say("{profile}, level: {count} configurations", **values), shared]
        )
    return messages.say("{profile}, level: {count} configurations ({shared})", shared=shared, **values)


def _names(context: Context, names: Sequence[str]) -> str:
    """Put names beside each other; of RAID levels the word once: ``RAID 0, 1, 5``."""
    levels = [_LEVEL.fullmatch(name) for name in names]
    numbers = [found[1] for found in levels if found]
    if len(numbers) < len(names):
        return context.messages.names(names)
    return f"RAID {context.messages.names(numbers)}"


def _level_remark(context: Context) -> str:
    share = context.numbers.percent(APPRECIABLE, 0)
    return context.messages.say("differences within the intervals, or less than {share}", share=share)


def _curves(items: Sequence[CurveAnalysis]) -> list[Curve]:
    return [item.curve for item in items]


def _several(context: Context) -> bool:
    """Tell whether a figure needs the name of its system: the run has several, or would have had."""
    return of_several_systems(context.analysis.curves) or len({one.system for one in context.lacking}) > 1


def _maximum(context: Context, item: CurveAnalysis, place: str | None = None) -> tuple[str, str, str]:
    """Give a maximum; on a place that tells it from others, else that which its own curve tells."""
    top = item.maximum.at
    if item.asked and (told := top.response_time_ms_at(RESPONSE_SHARE)) is not None:
        return _response_time(context, item, told)
    where, interval = load_in_all(context.messages, top), context.numbers.half_width(top.main)
    if top.main.half_width is None:
        interval = context.messages.say("no interval")
    if len(item.curve.points) == 1 or item.asked:
        remark = context.messages.say("{load}; {interval}", load=where, interval=interval)
    else:
        remark = context.messages.say("maximum, {load}; {interval}", load=where, interval=interval)
    return _name(context, item, place), main_figure(context.messages, top), remark


def _response_time(context: Context, item: CurveAnalysis, value_ms: float) -> tuple[str, str, str]:
    """Give the response time at the highest rate that was offered: all of them are served."""
    messages, at = context.messages, item.maximum.at
    remark = messages.say(
        "{percent} of the response times, {load}",
        percent=context.numbers.percent(RESPONSE_SHARE, 0),
        load=load_in_all(messages, at),
    )
    name = messages.say("{profile}: response time", profile=_name(context, item))
    return name, f"{ms_text(messages, value_ms)}{MARKS[at.verdict.state]}", remark


def _name(context: Context, item: CurveAnalysis, place: str | None = None) -> str:
    """Name a figure by its curve; by its section too, where each curve has one and two would be alike."""
    name = _plain_name(context, item, place)
    curves = _told(context.analysis.curves)
    others = (one for one in curves if one.curve.sweep != item.curve.sweep)
    if len(curves) > EACH_UP_TO or all(_plain_name(context, one) != name for one in others):
        return name
    section = context.section_title(item.curve.sweep)
    return context.messages.say("{section} – {caption}", section=section, caption=name)


def _plain_name(context: Context, item: CurveAnalysis, place: str | None = None) -> str:
    messages = context.messages
    if place is None:
        place = curve_place(messages, item.curve, several=_several(context))
    loop = told_loop(messages, item.curve) if context.analysis.searches else ""
    return messages.enumerated([loaded_name(messages, item.curve), place, loop])


def _latency(context: Context, item: CurveAnalysis) -> tuple[str, str, str]:
    at = item.curve.lowest
    name = context.messages.say("{profile}: latency", profile=_name(context, item))
    p99 = at.latency_ms_at(0.99)
    where = load_in_all(context.messages, at)
    interval = _interval(context, at.latency_ms_mean)
    if p99 is None:
        remark = context.messages.say("mean, {load}; {interval}", load=where, interval=interval)
    else:
        remark = context.messages.say(
            "mean, {load}; {interval}; {share} within {time}",
            load=where,
            interval=interval,
            share=context.numbers.percent(0.99, 0),
            time=ms_text(context.messages, p99),
        )
    return name, f"{context.numbers.latency(at.latency_ms_mean)} ms{MARKS[at.verdict.state]}", remark


def _interval(context: Context, estimate: Estimate) -> str:
    """Write the interval of a mean latency, with its unit where it is written by its ends."""
    if estimate.half_width is None:
        return context.messages.say("no interval")
    interval = context.numbers.half_width(estimate)
    return f"{interval} ms" if context.numbers.wide(estimate) else interval
