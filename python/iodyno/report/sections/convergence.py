"""Appendix: how the figure of each maximum came about in time."""

from __future__ import annotations

from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_name
from iodyno.report.document import Axis, Block, ChartLine, ChartPoint, Figure, Heading, LineChart, Paragraph
from iodyno.report.messages import N_
from iodyno.report.sections.result_charts import panel_name
from iodyno.report.sentences.loads import load


def blocks(context: Context) -> list[Block]:
    """Make the section: two profiles a figure."""
    say = context.messages.say
    if context.run.simulated:
        return []  # the same seed gives the same series: nothing happened that one would have to look at
    curves = [item for item in context.analysis.curves if item.series.reads]
    if not curves:
        return []
    figures = [_figure(context, curves[place : place + 2]) for place in range(0, len(curves), 2)]
    merged = say("Of a part that lasted more than an hour, several windows are shown as one.")
    return [
        Heading(1, say("Appendix: time series"), "time-series"),
        Paragraph(
            context.messages.see(
                say(
                    "For each profile the point with its maximum, in windows of 100 ms. What lies in the "
                    "shaded part, warm-up and what had not settled, is not counted: it is not in the result."
                )
                if not any(item.asked for item in curves)
                else say(
                    "For each profile the point with its maximum, of offered rates that are all served and "
                    "of searches the one that their title names, in windows of 100 ms. What lies in the "
                    "shaded part, warm-up and what had not settled, is not counted: it is not in the result."
                ),
                *(figure.key for figure in figures),
            )
        ),
        *([Paragraph(merged)] if any(item.series.windows for item in curves) else []),
        *figures,
    ]


def _figure(context: Context, items: list[CurveAnalysis]) -> Figure:
    messages = context.messages
    names = messages.listed([curve_name(messages, item.curve) for item in items])
    panels = dict.fromkeys(panel_name(context, item.curve, "main") for item in items)
    return Figure(
        charts=tuple(_chart(context, item) for item in items),
        caption=messages.say(
            N_("{profiles}: {panels} over time")
            if any(item.asked or len(item.curve.points) == 1 for item in items)
            else N_("{profiles}: {panels} over time, at the load of the maximum"),
            profiles=names,
            panels=messages.listed(list(panels)),
        ),
        alt=messages.say("Line charts over time, the part that is not in the result shaded."),
        key="figure-series-" + items[0].curve.key,
    )


def _chart(context: Context, item: CurveAnalysis) -> LineChart:
    messages, at = context.messages, item.maximum.at
    throughput = item.curve.profile.shown_as == "throughput"
    label = messages.say("Throughput in MB/s") if throughput else messages.say("Transaction rate in IO/s")
    points = tuple(
        ChartPoint(window.start_s, window.throughput_mb_s if throughput else window.transaction_rate_io_s)
        for window in item.series_at_maximum
    )
    times = [window.start_s for window in item.series_at_maximum if window.measured]
    level = tuple(ChartPoint(time, at.main.value) for time in times[:1] + times[-1:])
    title = messages.say(
        "{profile}, {load}", profile=curve_name(messages, item.curve), load=load(messages, at)
    )
    name = messages.say("throughput") if throughput else messages.say("transaction rate")
    return LineChart(
        Axis(messages.say("Time in s")),
        Axis(label),
        (ChartLine(name, points, markers=False), ChartLine(messages.say("mean"), level, markers=False)),
        title=title,
        shaded=_shaded(context, item, times),
    )


def _shaded(
    context: Context, item: CurveAnalysis, measured: list[float]
) -> tuple[tuple[float, float, str], ...]:
    """Shade what comes before the measured part; apart, what comes before the last beginning of a load."""
    say, begun = context.messages.say, item.maximum.at.planned.all_begun_s
    if not measured or measured[0] <= 0:
        return ()
    before = ((0.0, begun, say("not all loads run")),) if begun else ()
    return (*before, (begun, measured[0], say("not counted"))) if begun < measured[0] else before
