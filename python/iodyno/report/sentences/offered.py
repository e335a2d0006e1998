"""What open loops show, in words: whether the rates are served, and what the response times are at them.

As in :mod:`iodyno.report.sentences.curve` no sentence says more than its interval does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from iodyno.analysis.bottleneck import serves_its_rate
from iodyno.analysis.estimate import distinguishable
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.maxima import hardly_known
from iodyno.analysis.ranking import leaves_out, sound
from iodyno.analysis.run import CurveAnalysis
from iodyno.plan import RateShare
from iodyno.report.curve_names import curve_place, loaded_name
from iodyno.report.messages import Messages
from iodyno.report.names import ms_text
from iodyno.report.sentences.curve import capitalised
from iodyno.report.sentences.loads import load
from iodyno.report.sentences.practice import of_several_systems

RESPONSE_SHARE = 0.99
"""The percentile of the response time that sentences are of."""
MOST_PROFILES = 3
"""Profiles of which a conclusion tells response times."""


def rate_share(at: PointFigures) -> float | None:
    """Give the rate asked for as a share of what the target serves; none where it is no share."""
    return at.point.rate_from.share if isinstance(at.point.rate_from, RateShare) else None


def paragraph(
    messages: Messages, items: Sequence[CurveAnalysis], named: Callable[[CurveAnalysis], str]
) -> str:
    """Say of open loops of one profile which rates are served, and what the response times are at the highest
    load that all of them have and serve."""
    return messages.flow((served(messages, items), at_common_load(messages, items, named)))


def conclusion(messages: Messages, items: Sequence[CurveAnalysis], failed: Collection[str]) -> list[str]:
    """Say the response times of the first profiles that have open loops.

    Parameters
    ----------
    items
        The curves of a run.
    failed
        The names of the systems with failed members: beside several without they are not compared.
    """
    by_profile: dict[str, list[CurveAnalysis]] = {}
    for item in items:
        if item.curve.open_loop:
            by_profile.setdefault(loaded_name(messages, item.curve), []).append(item)
    several = of_several_systems(items)

    def named(item: CurveAnalysis) -> str:
        return curve_place(messages, item.curve, several=several)

    found = []
    for name, those in list(by_profile.items())[:MOST_PROFILES]:
        compared = sound(those, failed) if leaves_out(those, failed) else those
        if said := at_common_load(messages, compared, named):
            found.append(messages.say("{name}: {finding}", name=name, finding=said))
    return found


def served(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Say whether the offered rates are served."""
    points = [at for item in items for at in item.curve.points]
    not_served = [at for at in points if at.overloaded]
    without = [at for at in points if not at.completed and not at.overloaded]
    if without and not not_served:
        return _served_where_known(messages, len(without), len(points))
    if not not_served and all(at.point.rate_from is not None for at in points):
        return messages.say("Every rate that was offered is served.")
    if not not_served:
        return messages.say(
            "Every rate that was offered is served; what could be served at most was not asked."
        )
    return messages.say_n(
        "{count} of {every} offered rates is not served: its response times grow as long as it is offered.",
        "{count} of {every} offered rates are not served: their response times grow as long as they are "
        "offered.",
        len(not_served),
        every=messages.numbers.integer(len(points)),
    )


def _served_where_known(messages: Messages, without: int, every: int) -> str:
    """Say at how many rates no I/O completed, and that the others are served."""
    said = messages.say_n(
        "No I/O completed at {count} of {every} offered rates: whether it is served is not known.",
        "No I/O completed at {count} of {every} offered rates: whether these are served is not known.",
        without,
        every=messages.numbers.integer(every),
    )
    return messages.flow((said, messages.say("Every other one is served.") if without < every else ""))


def at_common_load(
    messages: Messages, items: Sequence[CurveAnalysis], named: Callable[[CurveAnalysis], str]
) -> str:
    """Compare the response times at the highest load that all curves have and serve; empty where there is
    none, or a response time there is not known. That intervals do not tell them apart is said of intervals
    that could: where there is none, or hardly one, the range alone is given."""
    found = _common(items)
    times = [(at.response_time_ms_p99, item) for at, item in found if at.response_time_ms_p99 is not None]
    if not times or len(times) < len(items):
        return ""
    least, best = min(times, key=lambda pair: pair[0].value)
    most, worst = max(times, key=lambda pair: pair[0].value)
    values = {
        "load": share_text(messages, found[0][0]),
        "percent": messages.numbers.percent(RESPONSE_SHARE, 0),
        "least": ms_text(messages, least.value),
    }
    if best is worst:
        said = messages.say("{load}, {percent} of the response times are at most {least}.", **values)
        return capitalised(said)
    values["most"] = ms_text(messages, most.value)
    if not distinguishable(least, most):
        if any(time.half_width is None or hardly_known(time) for time in (least, most)):
            said = messages.say(
                "{load}, {percent} of the response times are at most {least} to {most}.", **values
            )
            return capitalised(said)
        said = messages.say(
            "{load}, {percent} of the response times are at most {least} to {most}; the intervals do not "
            "tell these apart.",
            **values,
        )
        return capitalised(said)
    name_of_best, name_of_worst = messages.quoted_alike([named(best), named(worst)])
    said = messages.say(
        "{load}, {percent} of the response times are at most {least} with {best}, and {most} with {worst}.",
        best=name_of_best,
        worst=name_of_worst,
        **values,
    )
    return capitalised(said)


def _common(items: Sequence[CurveAnalysis]) -> list[tuple[PointFigures, CurveAnalysis]]:
    """Give the points of the highest load that every curve has and serves, each with its curve."""
    loads = [{_key(at): at for at in item.curve.points if serves_its_rate(at)} for item in items]
    shared = set.intersection(*(set(of) for of in loads)) if loads else set()
    if not shared:
        return []
    highest = max(shared)
    return [(of[highest], item) for of, item in zip(loads, items, strict=True)]


def _key(at: PointFigures) -> tuple[bool, float]:
    """Give what loads of two systems have in common: the share of what each serves, else the rate."""
    share = rate_share(at)
    return (True, share) if share is not None else (False, at.point.rate_io_s or 0.0)


def share_text(messages: Messages, at: PointFigures) -> str:
    """Name the load of an open loop: a share of what the closed loop reached, or a rate."""
    share = rate_share(at)
    if share is None:
        return load(messages, at)
    return messages.say(
        "at an offered rate of {share} of what the closed loop reached",
        share=messages.numbers.chosen(share),
    )
