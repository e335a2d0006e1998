"""The charts of a profile: rate and latency over the load, distribution, rate–latency curve."""

from __future__ import annotations

import math
from collections.abc import Sequence

from iodyno.analysis.common_load import unlike_loads
from iodyno.analysis.curves import Curve
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis
from iodyno.plan import Point
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_name
from iodyno.report.document import Axis, ChartLine, ChartPoint, Figure, LineChart
from iodyno.report.messages import N_
from iodyno.report.names import main_figure, marked, mean_latency, ms_text
from iodyno.report.sentences.curve import knee_label
from iodyno.report.sentences.loads import load, load_in_all

NINES = (0.0, 0.9, 0.99, 0.999, 0.9999, 0.99999)
MOST_DISTRIBUTIONS = 4
"""More lines than this in one chart are hard to tell apart in black and white."""
FAR_APART = 20.0
"""Quotient of maxima, or of offered rates, from which on their axis is logarithmic: the lower ones would lie
on its foot."""


def load_figures(context: Context, item: CurveAnalysis, show: Sequence[str]) -> list[Figure]:
    """Draw what the study asks for over the load, two panels a figure.

    Parameters
    ----------
    show
        Panels in order: ``main``, ``rate``, ``throughput``, ``latency``.
    """
    known = [item.latency_ms_mean.value for item in item.curve.points]
    possible = ("main", "rate", "throughput", *(("latency",) if any(known) else ()))
    panels = [name for name in show if name in possible]
    pairs = [panels[place : place + 2] for place in range(0, len(panels), 2)]
    return [_load_figure(context, item, pair, number) for number, pair in enumerate(pairs)]


def _load_figure(context: Context, item: CurveAnalysis, panels: Sequence[str], number: int) -> Figure:
    messages, curve, top = context.messages, item.curve, item.maximum.at
    name, confidence = curve_name(messages, curve), context.numbers.chosen(top.confidence)
    charts = tuple(
        _latency_chart(context, curve) if panel == "latency" else _rate_chart(context, curve, panel)
        for panel in panels
    )
    titles = messages.listed([panel_name(context, curve, panel) for panel in panels])
    caption = N_("{profile}: {panels} over the load, with intervals of {confidence}")
    if all(item.main.half_width is None for item in curve.points):
        caption = N_("{profile}: {panels} over the load")
    low, high = curve.lowest.known_latency_ms_mean, curve.points[-1].known_latency_ms_mean
    told = N_(
        "Line charts over the load: {panels}. The main figure goes from {first} to a maximum of {figure}, "
        "the mean latency from {low} to {high}."
    )
    if low is None or high is None:
        told = N_(
            "Line charts over the load: {panels}. The main figure goes from {first} to a maximum of {figure}."
        )
    if item.asked:
        told = N_("Line charts over the rates that were offered: {panels}.")
    return Figure(
        charts=charts,
        caption=messages.say(caption, profile=name, panels=titles, confidence=confidence),
        alt=messages.say(
            told,
            panels=titles,
            first=main_figure(messages, curve.lowest),
            figure=main_figure(messages, top),
            low=ms_text(messages, low),
            high=ms_text(messages, high),
        ),
        key=f"figure-load-{curve.key}" if not number else f"figure-load-{curve.key}-{number}",
    )


def panel_name(context: Context, curve: Curve, panel: str) -> str:
    """Name a panel inside a sentence."""
    say = context.messages.say
    if panel == "latency":
        return say("latency")
    throughput = panel == "throughput" or (panel == "main" and curve.profile.shown_as == "throughput")
    return say("throughput") if throughput else say("transaction rate")


def latency_figures(context: Context, item: CurveAnalysis, *, with_curve: bool) -> list[Figure]:
    """Draw the distribution of the latency and, where wanted, the rate–latency curve; none where neither is
    known."""
    told = any(item.distributions[place] for place in chosen_loads(item))
    with_curve = with_curve and any(at.latency_ms_mean.value for at in item.curve.points)
    if told:
        return [_distribution_figure(context, item, with_curve=with_curve)]
    return [_rate_latency_figure(context, item)] if with_curve else []


def _rate_latency_figure(context: Context, item: CurveAnalysis) -> Figure:
    """Draw the rate–latency curve alone, where no distribution is known."""
    messages, caption = context.messages, N_("{profile}: latency over the transaction rate")
    if _in_throughput(item.curve):
        caption = N_("{profile}: latency over the throughput")
    return Figure(
        charts=(_rate_latency_chart(context, item),),
        caption=messages.say(caption, profile=curve_name(messages, item.curve)),
        alt=messages.say("A line chart of the mean latency over the main figure, one point a load."),
        key=f"figure-latency-{item.curve.key}",
    )


def _distribution_figure(context: Context, item: CurveAnalysis, *, with_curve: bool) -> Figure:
    messages, curve = context.messages, item.curve
    name = curve_name(messages, curve)
    if not with_curve:
        return Figure(
            charts=(_distribution_chart(context, item),),
            caption=messages.say("{profile}: distribution of the latency", profile=name),
            alt=messages.say("A line chart of the share of I/Os over the time within which they completed."),
            key=f"figure-latency-{curve.key}",
        )
    if _in_throughput(curve):
        caption = N_("{profile}: distribution of the latency, and latency over the throughput")
        alt = N_(
            "Two line charts. Left: the share of I/Os over the time within which they completed, one line a "
            "load. Right: mean latency over the throughput, one point a load."
        )
    else:
        caption = N_("{profile}: distribution of the latency, and latency over the transaction rate")
        alt = N_(
            "Two line charts. Left: the share of I/Os over the time within which they completed, one line a "
            "load. Right: mean latency over the transaction rate, one point a load."
        )
    return Figure(
        charts=(_distribution_chart(context, item), _rate_latency_chart(context, item)),
        caption=messages.say(caption, profile=name),
        alt=messages.say(alt),
        key=f"figure-latency-{curve.key}",
    )


def far_apart(values: Sequence[float]) -> bool:
    """Tell whether values need a logarithmic axis."""
    return min(values) > 0 and max(values) >= FAR_APART * min(values)


def offered_axis(context: Context, points: Sequence[Point]) -> Axis:
    """Give the axis of the rates that points ask for."""
    rates = [point.rate_io_s or 0.0 for point in points]
    return Axis(context.messages.say("Offered rate in IO/s"), "log10" if far_apart(rates) else "linear")


def load_axis(context: Context, *curves: Curve) -> Axis:
    """Give the axis of the load of all curves of a chart: outstanding I/Os, or the rates offered."""
    say, curve = context.messages.say, max(curves, key=lambda curve: len(curve.points))
    if curve.open_loop:
        return offered_axis(context, [item.point for one in curves for item in one.points])
    if unlike_loads(curves):
        totals = sorted({at.point.outstanding_total for one in curves for at in one.points})
        return Axis(say("Outstanding I/Os in all"), "log2", tuple(map(float, totals)))
    several = any(one.first.outstanding_total > one.first.outstanding for one in curves)
    label = say("Outstanding I/Os per target and worker") if several else say("Outstanding I/Os")
    return Axis(label, "log2", tuple(float(item.outstanding) for item in curve.points))


def main_label(context: Context, curve: Curve) -> str:
    """Label an axis with the main figure of a curve's profile."""
    say = context.messages.say
    if curve.profile.shown_as == "throughput":
        return say("Throughput in MB/s")
    return say("Transaction rate in IO/s")


def _in_throughput(curve: Curve) -> bool:
    return curve.profile.shown_as == "throughput"


def load_of(item: PointFigures, *, in_all: bool = False) -> float:
    """Give the place of a point on the axis of the load: outstanding I/Os, or the rate offered.

    Parameters
    ----------
    in_all
        Whether the axis is that of the outstanding I/Os of all targets and workers.
    """
    if item.point.rate_io_s is not None:
        return item.point.rate_io_s
    return float(item.point.outstanding_total if in_all else item.outstanding)


def _rate_chart(context: Context, curve: Curve, panel: str) -> LineChart:
    """Draw rate or throughput; ``main`` is the one that the profile is shown in."""
    say = context.messages.say
    throughput = panel == "throughput" or (panel == "main" and curve.profile.shown_as == "throughput")
    name = say("Throughput") if throughput else say("Transaction rate")
    label = say("Throughput in MB/s") if throughput else say("Transaction rate in IO/s")
    points = tuple(_rate_point(context, item, throughput=throughput) for item in curve.points)
    return LineChart(load_axis(context, curve), Axis(label), (ChartLine(name, points),), title=name)


def rate_points(context: Context, curve: Curve, *, in_all: bool = False) -> tuple[ChartPoint, ...]:
    """Give the main figure of each point of a curve, with its interval; ``in_all`` as of :func:`load_of`."""
    throughput = curve.profile.shown_as == "throughput"
    return tuple(_rate_point(context, item, throughput=throughput, in_all=in_all) for item in curve.points)


def _rate_point(
    context: Context, item: PointFigures, *, throughput: bool, in_all: bool = False
) -> ChartPoint:
    figure = item.throughput_mb_s if throughput else item.transaction_rate_io_s
    unit = "MB/s" if throughput else "IO/s"
    known = figure.half_width is not None
    written = marked(context.numbers.estimate(figure), item)
    told = load_in_all if in_all else load
    return ChartPoint(
        x=load_of(item, in_all=in_all),
        y=figure.value,
        low=figure.low if known else None,
        high=figure.high if known else None,
        label=f"{told(context.messages, item)}: {written} {unit} ({context.numbers.half_width(figure)})",
        hollow=not item.steady,
    )


def _latency_chart(context: Context, curve: Curve) -> LineChart:
    messages = context.messages
    mean = tuple(_mean_point(context, item) for item in curve.points if item.latency_ms_mean.value)
    tails = {
        messages.say("99th percentile"): [item.latency_ms_at(0.99) for item in curve.points],
        messages.say("response time, 99th percentile"): [
            item.response_time_ms_at(0.99) for item in curve.points
        ],
    }
    lines = [ChartLine(messages.say("mean"), mean)]
    for name, values in tails.items():
        points = _tail(context, curve, values)
        lines += [ChartLine(name, points)] if points else []
    return LineChart(
        load_axis(context, curve),
        Axis(messages.say("Latency in ms"), "log10"),
        tuple(lines),
        title=messages.say("Latency"),
    )


def _tail(context: Context, curve: Curve, values: Sequence[float | None]) -> tuple[ChartPoint, ...]:
    """Place one value a point, in ms; those that too few I/Os support are left out."""
    messages = context.messages
    return tuple(
        ChartPoint(
            load_of(item),
            value,
            label=f"{load(messages, item)}: {ms_text(messages, value)}",
            hollow=not item.steady,
        )
        for item, value in zip(curve.points, values, strict=True)
        if value is not None
    )


def _mean_point(context: Context, item: PointFigures) -> ChartPoint:
    mean = item.latency_ms_mean
    known = math.isfinite(mean.high)
    return ChartPoint(
        x=load_of(item),
        y=mean.value,
        low=mean.low if known else None,
        high=mean.high if known else None,
        label=f"{load(context.messages, item)}: {mean_latency(context.messages, item)}",
        hollow=not item.steady,
    )


def chosen_loads(item: CurveAnalysis) -> tuple[int, ...]:
    """Choose the points whose distribution is drawn: lowest load, knee, maximum, highest load.

    Returns
    -------
    tuple of int
        Positions in the curve, ascending, each once, at most :data:`MOST_DISTRIBUTIONS`.
    """
    points = item.curve.points
    wanted = [points[0], item.maximum.at, points[-1]] + ([item.knee.at] if item.knee else [])
    return tuple(sorted({points.index(point) for point in wanted}))[:MOST_DISTRIBUTIONS]


def _distribution_chart(context: Context, item: CurveAnalysis) -> LineChart:
    messages = context.messages
    lines = tuple(
        ChartLine(
            load(messages, item.curve.points[place]),
            tuple(ChartPoint(share.latency_ms, share.share) for share in item.distributions[place]),
            markers=False,
        )
        for place in chosen_loads(item)
        if item.distributions[place]
    )
    return LineChart(
        Axis(messages.say("Latency in ms"), "log10"),
        Axis(messages.say("Share of I/Os completed"), "nines", NINES),
        lines,
        title=messages.say("Distribution of the latency"),
    )


def _rate_latency_chart(context: Context, item: CurveAnalysis) -> LineChart:
    messages, curve = context.messages, item.curve
    points = tuple(
        ChartPoint(
            x=point.main.value,
            y=point.latency_ms_mean.value,
            label=f"{load(messages, point)}: {main_figure(messages, point)}, "
            f"{ms_text(messages, point.latency_ms_mean.value)}",
            hollow=not point.steady,
        )
        for point in curve.points
        if point.latency_ms_mean.value
    )
    lines = [ChartLine(messages.say("mean latency"), points)]
    if item.knee is not None:
        at, label = item.knee.at, knee_label(messages, item.knee)
        mark = ChartPoint(at.main.value, at.latency_ms_mean.value, label=label)
        lines.append(ChartLine(messages.say("knee"), (mark,), labelled=True))
    return LineChart(
        Axis(main_label(context, curve)),
        Axis(messages.say("Mean latency in ms"), "log10"),
        tuple(lines),
        title=messages.say("Latency over the throughput")
        if _in_throughput(curve)
        else messages.say("Latency over the transaction rate"),
    )
