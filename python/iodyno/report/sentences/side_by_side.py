"""What several curves side by side show, in words: rules with thresholds, one function a rule.

As in :mod:`iodyno.report.sentences.curve` no sentence says more than its interval does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from iodyno.analysis.anomalies import Anomaly
from iodyno.analysis.bottleneck import Limit, asked_limit
from iodyno.analysis.common_load import begin_apart, lowest_common, unlike_loads
from iodyno.analysis.estimate import APPRECIABLE, Estimate, quotient
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.maxima import hardly_known
from iodyno.analysis.ranking import Ranking, level, of_maxima, ranking
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.messages import Messages
from iodyno.report.names import LIMIT_NAMES, OF_A_PART, limit_text, main_figure, place_name
from iodyno.report.sentences.curve import anomaly, anomaly_of, rate_paragraph
from iodyno.report.sentences.level import latency_range, level_at_top, listable, main_range, written_alike
from iodyno.report.sentences.loads import Told, load, load_in_all

Named = Callable[[CurveAnalysis], str]
"""Names a curve among those that it stands with."""


def side_paragraph(
    messages: Messages,
    items: Sequence[CurveAnalysis],
    named: Named,
    *,
    brief: bool = False,
    limited: bool = True,
) -> str:
    """Compare curves of one unit in words: each rule that applies, in order.

    Parameters
    ----------
    messages
        The language.
    items
        The curves, at least one.
    named
        Names a curve among them.
    brief
        Count the dips and falls of curves, instead of naming each.
    limited
        Say what limits every maximum, where it is the same for all.
    """
    if len(items) == 1:
        return rate_paragraph(messages, items[0])
    sentences = [
        least_latency(messages, items, named) if asks_latency(items) else at_maximum(messages, items, named),
        latencies(messages, items),
        at_lowest_load(messages, items, named),
        common_limit(messages, items) if limited else "",
        *(counted_anomalies(messages, items, named) if brief else anomalies(messages, items, named)),
    ]
    return messages.flow(sentences)


def asks_latency(items: Iterable[CurveAnalysis]) -> bool:
    """Tell whether the question is the latency: one I/O is outstanding and no more, and its time is known."""
    return all(
        len(item.curve.points) == 1
        and item.curve.first.outstanding_total == 1
        and _is_known(item.curve.lowest.latency_ms_mean)
        for item in items
    )


def _is_known(latency: Estimate) -> bool:
    return latency.value > 0 and latency.half_width is not None and not hardly_known(latency)


def least_latency(messages: Messages, items: Sequence[CurveAnalysis], named: Named) -> str:
    """Say whose mean latency is least, and how far the greatest is from it."""
    order = sorted(items, key=lambda item: item.curve.lowest.latency_ms_mean.value)
    (least, first), (most, last) = (_level_with(one, order) for one in (order[0], order[-1]))
    if order[-1] in first:
        return messages.say(
            "The mean latencies are level, {latencies}: what they differ by is within the intervals, or less "
            "than {share}.",
            latencies=latency_range(messages, [item.curve.lowest for item in order]),
            share=messages.numbers.percent(APPRECIABLE, 0),
        )
    values = {
        "least": latency_range(messages, [item.curve.lowest for item in first]),
        "best": _names(messages, first, named),
        "most": latency_range(messages, [item.curve.lowest for item in last]),
        "worst": _names(messages, last, named),
    }
    spread = quotient(most, least)
    if spread is None or not spread.known:
        return messages.say(
            "The least mean latency is {least}, with {best}, and the greatest {most}, with {worst}.", **values
        )
    ends = messages.numbers.with_ends(spread)
    if ends["low"] == ends["high"]:
        return messages.say(
            "The least mean latency is {least}, with {best}, and the greatest {most}, with {worst}: {factor} "
            "times as much.",
            factor=ends["factor"],
            **values,
        )
    return messages.say(
        "The least mean latency is {least}, with {best}, and the greatest {most}, with {worst}: {factor} "
        "times as much (interval {low} to {high}).",
        **values,
        **ends,
    )


def _level_with(item: CurveAnalysis, items: Sequence[CurveAnalysis]) -> tuple[Estimate, list[CurveAnalysis]]:
    of = item.curve.lowest.latency_ms_mean
    return of, [one for one in items if one is item or level(one.curve.lowest.latency_ms_mean, of)]


def latencies(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Give the mean latencies of curves that have a point each, where nothing else of the words does."""
    points = [item.curve.lowest for item in items]
    single = all(len(item.curve.points) == 1 for item in items)
    if not single or asks_latency(items) or not all(at.latency_ms_mean.value > 0 for at in points):
        return ""
    return messages.say("Mean latency: {latencies}.", latencies=latency_range(messages, points))


def at_maximum(messages: Messages, items: Sequence[CurveAnalysis], named: Named) -> str:
    """Say whose maximum is highest, and how far the lowest is from it."""
    found = ranking(items)
    if not found.ranked:
        return messages.say(
            "The maxima have no intervals, and so are not compared: {figures}.",
            figures=main_range(messages, [item.maximum.at for item in items]),
        )
    share, left_out = messages.numbers.percent(APPRECIABLE, 0), unranked(messages, found, named)
    shown = found.highest if found.apart else found.ranked
    figures = main_range(messages, [item.maximum.at for item in shown])
    if len(found.ranked) == 1:
        only = messages.say(
            "The maximum of {name} is {figure}.",
            name=messages.quoted(named(found.ranked[0])),
            figure=figures,
        )
        return messages.flow((only, left_out))
    if found.alike and written_alike(messages, [item.maximum.at for item in shown]):
        return messages.say("All reach a maximum of {figure}.", figure=figures)
    if found.alike:
        return messages.say(
            "The maxima show no appreciable difference: {figures}, the highest less than {share} above the "
            "lowest.",
            figures=figures,
            share=share,
        )
    if not found.apart:
        alike = messages.say("The intervals do not tell the maxima apart: {figures}.", figures=figures)
        return messages.flow((alike, left_out))
    if not found.lowest:
        level = messages.say(
            "The maxima are level, {figures}: what they differ by is within the intervals, or less than "
            "{share}.",
            figures=figures,
            share=share,
        )
        return messages.flow((level, left_out))
    highest, distance = _highest(messages, found, named, figures), _distance(messages, found, named)
    return messages.flow((highest, distance, left_out))


def unranked(messages: Messages, found: Ranking, named: Named) -> str:
    """Say which figures are not compared; nothing where all are."""
    if not found.unknown:
        return ""
    return not_compared(messages, _names(messages, found.unknown, named))


def not_compared(messages: Messages, names: str) -> str:
    """Say which figures are not compared as they are hardly known."""
    return messages.say("Not compared, for want of a narrow enough interval: {names}.", names=names)


def _highest(messages: Messages, found: Ranking, named: Named, figures: str) -> str:
    if len(found.highest) == 1:
        return messages.say(
            "The highest maximum is that of {name} with {figure}.",
            name=messages.quoted(named(found.highest[0])),
            figure=figures,
        )
    return level_at_top(messages, [named(item) for item in found.highest], len(found.order), figures)


def _distance(messages: Messages, found: Ranking, named: Named) -> str:
    spread, names = found.spread, _names(messages, found.lowest, named)
    figure = main_range(messages, [item.maximum.at for item in found.lowest])
    if spread is None or not spread.known:
        return messages.say("The lowest is that of {names}: {figure}.", names=names, figure=figure)
    ends = messages.numbers.with_ends(spread)
    if ends["low"] == ends["high"]:
        return messages.say(
            "The lowest is that of {names}: {figure}. The highest is {factor} times as much.",
            names=names,
            figure=figure,
            factor=ends["factor"],
        )
    return messages.say(
        "The lowest is that of {names}: {figure}. The highest is {factor} times as much (interval {low} to "
        "{high}).",
        names=names,
        figure=figure,
        **ends,
    )


def at_lowest_load(messages: Messages, items: Sequence[CurveAnalysis], named: Named) -> str:
    """Say how the curves stand at the lowest load that all have, where there is one and they have more.

    They are compared where as many I/Os are outstanding in all; where some begin below that, it is said.
    """
    points = lowest_common([item.curve for item in items])
    if not points or all(len(item.curve.points) == 1 for item in items):
        return ""
    told = _lowest_load_told(messages, points) if begin_apart([item.curve for item in items]) else ""
    return messages.flow((told, _at_lowest(messages, items, points, named)))


def _lowest_load_told(messages: Messages, points: Sequence[PointFigures]) -> str:
    """Say which load is called the lowest, where curves begin at unlike ones."""
    return messages.say(
        "The lowest load here is the lowest that all of them have: {count} outstanding I/Os in all.",
        count=messages.numbers.integer(points[0].point.outstanding_total),
    )


def _at_lowest(
    messages: Messages, items: Sequence[CurveAnalysis], points: Sequence[PointFigures], named: Named
) -> str:
    at = {item.curve.key: point for item, point in zip(items, points, strict=True)}
    found = ranking(items, lambda item: at[item.curve.key])
    if not found.ranked:
        return messages.say("At the lowest load they have no intervals, and so are not compared.")
    best, last = ([at[item.curve.key] for item in those] for those in (found.highest, found.lowest))
    left_out = unranked(messages, found, named)
    if len(found.ranked) == 1:
        only = messages.say(
            "At the lowest load {name} reaches {figure}.",
            name=messages.quoted(named(found.ranked[0])),
            figure=main_figure(messages, best[0]),
        )
        return messages.flow((only, left_out))
    if found.alike and written_alike(messages, best):
        return messages.say("At the lowest load all reach {figure}.", figure=main_figure(messages, best[0]))
    if found.alike:
        return messages.say(
            "At the lowest load there is no appreciable difference: {figures}.",
            figures=main_range(messages, best),
        )
    if not found.apart:
        return messages.flow(
            (messages.say("At the lowest load the intervals do not tell them apart."), left_out)
        )
    if not found.lowest:
        level = messages.say(
            "At the lowest load they are level, {figures}: what they differ by is within the intervals, "
            "or less than {share}.",
            figures=main_range(messages, best),
            share=messages.numbers.percent(APPRECIABLE, 0),
        )
        return messages.flow((level, left_out))
    ends = messages.say(
        "At the lowest load the most is {high}, with {best}, and the least {low}, with {worst}.",
        best=_names(messages, found.highest, named),
        high=main_range(messages, best),
        worst=_names(messages, found.lowest, named),
        low=main_range(messages, last),
    )
    return messages.flow((ends, left_out))


def common_limit(messages: Messages, items: Sequence[CurveAnalysis]) -> str:
    """Say what limits every maximum, where it is the same for all."""
    unknown = [item for item in items for entry in item.limits
               if entry.at is item.maximum.at and entry.by == "unknown"]  # fmt: skip
    asked = {asked_limit(item.maximum.at) for item in items}
    if asked == {"rate"}:
        return messages.say("The offered rates are served, and no part is saturated at any of the maxima.")
    if asked == {"think"}:
        return messages.say(
            "The think time is most of the time at all of the maxima, and no part is saturated there."
        )
    if asked - {None}:
        return ""
    simulated = [found.bottleneck for item in items if (found := item.maximum.at.simulation)]
    kinds, places = {found.kind for found in simulated}, {found.place for found in simulated}
    if unknown or len(kinds) > 1 or len(places) > 1:
        return ""
    if kinds == {"outstanding"}:
        return messages.say(
            "No part is saturated at any of the maxima: the latency is the limit, above all of {place}.",
            place=place_name(messages, places.pop()),
        )
    names = {limit_name(messages, item, bare=True) for item in items}
    if len(names) == 1:
        return messages.say("Every maximum has the same limit: {limit}.", limit=names.pop())
    if not places:
        return ""
    return messages.say(
        "All maxima are limited in the same place: {place}.",
        place=place_name(messages, places.pop()),
    )


def limit_name(messages: Messages, item: CurveAnalysis, *, short: bool = False, bare: bool = False) -> str:
    """Name what limits a maximum: a station or the latency in a virtual system, or what the rules say of a
    real one."""
    found = item.maximum.at.simulation
    if found is not None:
        return limit_text(messages, item.maximum.at, found, short=short, bare=bare)
    by: Limit = next(entry.by for entry in item.limits if entry.at is item.maximum.at)
    return messages.known(LIMIT_NAMES[by])


def latency_note(
    messages: Messages, items: Iterable[CurveAnalysis], *, short: bool = False
) -> tuple[str, ...]:
    """Explain the cells of a table whose limit is the latency or what was asked for, where there are any, and
    those of a part of the I/Os; in cells that are short these have a mark."""
    found = [(at, at.simulation) for item in items for at in (item.maximum.at,)]
    notes = []
    if any(one.bottleneck.part is not None for _, one in found if one):
        text = messages.say(
            "Targets are unlike: a station that only a part of the I/Os goes through limits that part alone."
        )
        notes.append(f"{OF_A_PART} {text}" if short else text)
    asked = {asked_limit(at) for at, _ in found}
    if "rate" in asked:
        notes.append(messages.say("Offered rate: it is served, and no station is saturated there."))
    if "think" in asked:
        notes.append(
            messages.say(
                "Think time: the pauses that the load asks for are most of the time of its workers, and no "
                "station is saturated there."
            )
        )
    if any(one.bottleneck.kind == "outstanding" and asked_limit(at) is None for at, one in found if one):
        notes.append(
            messages.say(
                "Latency: no station is saturated there; beside it stands the place where most of it is "
                "spent."
            )
        )
    return tuple(notes)


def anomalies(messages: Messages, items: Sequence[CurveAnalysis], named: Named) -> list[str]:
    """Name dips and falls of each curve: those of several in one sentence, what they do alike once."""
    told, made = _load_told(items), []
    for kind in ("dip", "fall"):
        found: dict[str, tuple[Anomaly, list[CurveAnalysis]]] = {}
        for item in items:
            for one in (one for one in item.anomalies if one.kind == kind):
                found.setdefault(anomaly(messages, one, told), (one, []))[1].append(item)
        curves = {id(item): item for _, those in found.values() for item in those}
        if len(found) == 1 or len(curves) == 1:
            made += [
                messages.say("{name}: {finding}", name=_names(messages, those, named), finding=finding)
                for finding, (_, those) in found.items()
            ]
        elif found:
            quoted = messages.quoted_alike([named(item) for item in curves.values()])
            names = dict(zip(curves, quoted, strict=True))
            each = messages.gathered(
                [
                    anomaly_of(messages, one, told, _listed(messages, [names[id(item)] for item in those]))
                    for one, those in found.values()
                ]
            )
            made.append(_several(messages, kind, each))
    return made


def _several(messages: Messages, kind: str, curves: str) -> str:
    if kind == "dip":
        return messages.say(
            "Curves dip between neighbours, more than the intervals explain: {curves}.", curves=curves
        )
    return messages.say("Curves have fallen at the end of the range: {curves}.", curves=curves)


def _load_told(items: Sequence[CurveAnalysis]) -> Told:
    """Give what names loads: of curves of unlike numbers of targets or workers those in all."""
    return load_in_all if unlike_loads([item.curve for item in items]) else load


def counted_anomalies(messages: Messages, items: Sequence[CurveAnalysis], named: Named) -> list[str]:
    """Count the curves that dip, and those that have fallen at the end of the range; name the worst."""
    made = []
    for kind in ("dip", "fall"):
        found = [(one, item) for item in items for one in item.anomalies if one.kind == kind]
        if found:
            one, item = max(found, key=lambda pair: pair[0].loss)
            count = len({id(item) for _, item in found})
            values = {
                "name": messages.quoted(named(item)),
                "load": _load_told(items)(messages, one.at),
                "loss": messages.numbers.lost(one.quotient),
            }
            made.append(_dips(messages, count, values) if kind == "dip" else _falls(messages, count, values))
    return made


def _dips(messages: Messages, count: int, values: dict[str, str]) -> str:
    return messages.say_n(
        "One curve dips between its neighbours, more than the intervals explain: {name}, {load}, by {loss}.",
        "{count} curves dip between neighbours, more than the intervals explain, most of all {name}, {load}, "
        "by {loss}.",
        count,
        **values,
    )


def _falls(messages: Messages, count: int, values: dict[str, str]) -> str:
    return messages.say_n(
        "One curve has fallen at the highest load: {name}, by {loss} from its maximum.",
        "{count} curves have fallen at the highest load, most of all {name}, by {loss} from its maximum.",
        count,
        name=values["name"],
        loss=values["loss"],
    )


def _names(messages: Messages, items: Sequence[CurveAnalysis], named: Named) -> str:
    return _listed(messages, messages.quoted_alike([named(item) for item in items]))


def _listed(messages: Messages, names: Sequence[str]) -> str:
    if listable(names):
        return messages.listed(names)
    return messages.say_n(
        "{name} and {count} other", "{name} and {count} others", len(names) - 1, name=names[0]
    )


__all__ = ["of_maxima", "side_paragraph"]
