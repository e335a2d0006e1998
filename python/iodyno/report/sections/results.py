"""The results: for each profile what the numbers show, charts, and the numbers."""

from __future__ import annotations

from typing import Any

from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.document import Block, Heading, Paragraph
from iodyno.report.names import curve_name
from iodyno.report.sections.result_charts import latency_figure, load_figures
from iodyno.report.sections.result_tables import load_table, scaling_table
from iodyno.report.text import latency_paragraph, rate_paragraph

DEFAULT_PERCENTILES = (0.5, 0.99, 0.999)
"""Shown where the study does not say which."""
MOST_DRAWN = 40
"""Curves of a run up to which each has its charts: more of them nobody looks through."""


def blocks(context: Context) -> list[Block]:
    """Make the section."""
    say = context.messages.say
    made: list[Block] = [Heading(1, say("Results"), "results")]
    if not _drawn(context):
        made.append(Paragraph(_not_drawn(context)))
    sweeps = context.analysis.sweeps
    for sweep in sweeps:
        made.extend(_sweep(context, sweep, headed=len(sweeps) > 1))
    return made


def _drawn(context: Context) -> bool:
    return len(context.analysis.curves) <= MOST_DRAWN


def _not_drawn(context: Context) -> str:
    return context.messages.say(
        "This run has {count} curves over the load, too many to draw each: their figures are in the tables, "
        "and the maxima are drawn side by side after the table of the maxima. The paper of a run with up "
        "to {most} curves, of fewer profiles or configurations, draws each of them.",
        count=context.numbers.integer(len(context.analysis.curves)),
        most=context.numbers.integer(MOST_DRAWN),
    )


def sweep_source(context: Context, sweep: str) -> dict[str, Any]:
    """Give how the study describes a sweep; empty where it does not."""
    listed = context.run.plan.study_source.get("sweep", [])
    found = next((item for item in listed if isinstance(item, dict) and item.get("name") == sweep), {})
    return dict(found)


def _sweep(context: Context, sweep: str, *, headed: bool) -> list[Block]:
    source = sweep_source(context, sweep)
    made: list[Block] = []
    if headed:
        made.append(Heading(2, context.messages.known(str(source.get("title") or sweep)), f"sweep-{sweep}"))
    if source.get("description"):
        made.append(Paragraph(context.messages.known(str(source["description"]))))
    for item in context.analysis.of_sweep(sweep):
        made.extend(_curve(context, item, source.get("chart") or {}, level=3 if headed else 2))
    found = [scaling for scaling in context.analysis.scalings if scaling.sweep == sweep]
    if found:
        made.append(Heading(3 if headed else 2, context.messages.say("Scaling"), f"scaling-{sweep}"))
        made.append(scaling_table(context, found))
    return made


def _curve(context: Context, item: CurveAnalysis, chart: dict[str, Any], level: int) -> list[Block]:
    messages, several, drawn = context.messages, len(item.curve.points) > 1, _drawn(context)
    made: list[Block] = [
        Heading(level, curve_name(messages, item.curve), f"results-{item.curve.key}"),
        Paragraph(rate_paragraph(messages, item)),
    ]
    if several and drawn:
        made += load_figures(context, item, chart.get("show") or ("main", "latency"))
    percentiles = tuple(float(share) for share in chart.get("percentiles") or DEFAULT_PERCENTILES)
    made.append(load_table(context, item, percentiles))
    words = latency_paragraph(messages, item)
    if words:
        made.append(Paragraph(words))
    if drawn:
        with_curve = several and bool(chart.get("rate_latency", True))
        made.append(latency_figure(context, item, with_curve=with_curve))
    return made
