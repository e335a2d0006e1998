"""The results, in the sections of the study: what the numbers show, charts, and the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from iodyno.analysis.layout import Layout, groups, layout
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_name
from iodyno.report.document import Block, Heading, Paragraph
from iodyno.report.sections import against, matrix, offered, side_by_side
from iodyno.report.sections.at_once import loads_table
from iodyno.report.sections.part_charts import utilisation_figure
from iodyno.report.sections.result_charts import latency_figures, load_figures
from iodyno.report.sections.result_tables import load_table, scaling_table
from iodyno.report.sections.several import search_table, target_table
from iodyno.report.sentences.curve import latency_paragraph, rate_paragraph

OF_CURVES = ("side-", "results-")
"""Beginnings of the keys of headings of curves."""
DEFAULT_PERCENTILES = (0.5, 0.99, 0.999)
"""Shown where the study does not say which."""


def blocks(context: Context) -> list[Block]:
    """Make the section."""
    made: list[Block] = [Heading(1, context.messages.say("Results"), "results")]
    made += _not_begun(context)
    sweeps = context.analysis.sweeps
    for sweep in sweeps:
        made.extend(_sweep(context, sweep, headed=len(sweeps) > 1))
    alone = _alone(made)
    return [block for block in made if block not in alone]


def _not_begun(context: Context) -> list[Block]:
    """Name the parts of the study of which the run has no point."""
    planned = dict.fromkeys(point.sweep for point in context.run.plan.points)
    titles = [context.section_title(sweep) for sweep in planned if sweep not in context.analysis.sweeps]
    if not titles:
        return []
    messages = context.messages
    parts = messages.names(titles)
    return [
        Paragraph(messages.say("The run ended before the first point of these parts: {parts}.", parts=parts))
    ]


def _alone(blocks: Sequence[Block]) -> list[Heading]:
    """Find headings of curves that are the only one below another: they part nothing, and the captions below
    them say what the curves are of."""
    below: dict[str, list[Heading]] = {}
    above: list[Heading] = []
    for block in blocks:
        if isinstance(block, Heading):
            above = [heading for heading in above if heading.level < block.level]
            below.setdefault(above[-1].key if above else "", []).append(block)
            above.append(block)
    return [those[0] for those in below.values() if len(those) == 1 and those[0].key.startswith(OF_CURVES)]


def sweep_source(context: Context, sweep: str) -> dict[str, Any]:
    """Give how the study describes a sweep; empty where it does not."""
    listed = context.run.plan.study_source.get("sweep", [])
    found = next((item for item in listed if isinstance(item, dict) and item.get("name") == sweep), {})
    return dict(found)


def chosen_layout(context: Context, sweep: str, items: Sequence[CurveAnalysis]) -> Layout:
    """Give the layout that the study asks for, else the one that the number of curves allows."""
    chart = sweep_source(context, sweep).get("chart") or {}
    asked = chart.get("layout", "auto")
    if asked in ("each", "together", "matrix"):
        chosen: Layout = asked
        return chosen
    return layout(len(context.analysis.curves), items)


def parts(context: Context, sweep: str) -> Iterator[tuple[str, tuple[CurveAnalysis, ...]]]:
    """Give the parts of a sweep that the study names, each with its curves; what is in none comes last."""
    left = list(context.analysis.of_sweep(sweep))
    chart = sweep_source(context, sweep).get("chart") or {}
    for part in chart.get("part") or ():
        patterns = part.get("configurations", ())
        items = [
            item
            for item in left
            if any(fnmatchcase(item.curve.first.system or "", pattern) for pattern in patterns)
        ]
        left = [item for item in left if all(item is not other for other in items)]
        if items:
            yield str(part.get("title", "")), tuple(items)
    if left:
        yield "", tuple(left)


def by_themselves(context: Context) -> Iterator[CurveAnalysis]:
    """Give the curves that have charts, a table and words of their own: of others no knee is told."""
    for sweep in context.analysis.sweeps:
        for _, items in parts(context, sweep):
            closed = tuple(item for item in items if not item.curve.open_loop)
            if chosen_layout(context, sweep, closed or items) == "each":
                yield from items


def _sweep(context: Context, sweep: str, *, headed: bool) -> list[Block]:
    source = sweep_source(context, sweep)
    made: list[Block] = []
    if headed:
        made.append(
            Heading(2, context.messages.of_study(str(source.get("title") or sweep)), f"sweep-{sweep}")
        )
    if source.get("description"):
        made.append(Paragraph(context.messages.of_study(str(source["description"]))))
    found = list(parts(context, sweep))
    for number, (title, items) in enumerate(found):
        level = 3 if headed else 2
        if title:
            made.append(Heading(level, context.messages.of_study(title), f"part-{sweep}-{number}"))
            level += 1
        elif len(found) > 1:
            made.append(Heading(level, context.messages.say("Further results"), f"part-{sweep}-{number}"))
            level += 1
        made.extend(_part(context, sweep, items, level, f"{sweep}-{number}"))
    made += against.blocks(context, sweep, source, 3 if headed else 2)
    scalings = [scaling for scaling in context.analysis.scalings if scaling.sweep == sweep]
    if scalings:
        made.append(Heading(3 if headed else 2, context.messages.say("Scaling"), f"scaling-{sweep}"))
        made.append(scaling_table(context, scalings))
    searches = [one for one in context.analysis.searches if one.steps[0].result.point.sweep == sweep]
    if searches:
        title = context.messages.say("Highest rates")
        made.append(Heading(3 if headed else 2, title, f"searches-{sweep}"))
        made.append(search_table(context, sweep, searches))
    return made


def _part(context: Context, sweep: str, items: Sequence[CurveAnalysis], level: int, key: str) -> list[Block]:
    closed = [item for item in items if not item.curve.open_loop]
    opened = [item for item in items if item.curve.open_loop]
    chosen = chosen_layout(context, sweep, closed or items)
    at_once = [table for item in items for table in loads_table(context, item)]
    if chosen == "matrix":
        maxima = matrix.blocks(context, closed, key) if closed else []
        return [*maxima, *offered.blocks(context, opened, level), *at_once]
    if chosen == "together":
        side = [block for group in groups(closed) for block in side_by_side.blocks(context, group, level)]
        return [*side, *offered.blocks(context, opened, level), *at_once]
    chart = sweep_source(context, sweep).get("chart") or {}
    return [block for item in items for block in _curve(context, item, chart, level)]


def _curve(context: Context, item: CurveAnalysis, chart: dict[str, Any], level: int) -> list[Block]:
    messages, several = context.messages, len(item.curve.points) > 1
    made: list[Block] = [
        Heading(level, curve_name(messages, item.curve), f"results-{item.curve.key}"),
    ]
    figures = load_figures(context, item, chart.get("show") or ("main", "latency")) if several else []
    percentiles = tuple(float(share) for share in chart.get("percentiles") or DEFAULT_PERCENTILES)
    table = load_table(context, item, percentiles)
    shown = (*(figure.key for figure in figures[:1]), table.key)
    rate, told = rate_paragraph(messages, item), latency_paragraph(messages, item)
    if item.curve.open_loop:  # response times are in what shows the rates: the other charts are of latencies
        rate, told = messages.flow((rate, told)), ""
    made += [Paragraph(messages.see(rate, *shown)), *figures, table]
    made += [*loads_table(context, item), *target_table(context, item)]
    with_curve = several and bool(chart.get("rate_latency", True))
    drawn = [*latency_figures(context, item, with_curve=with_curve), *utilisation_figure(context, item)]
    if not told and not drawn:
        return made
    if not told and any(item.distributions):
        told = messages.say("A chart shows how the latency is distributed.")
    elif not told:
        told = messages.say("A chart shows the mean latency over the main figure.")
    words = messages.see(told, *(figure.key for figure in drawn)) if drawn else told
    return [*made, Paragraph(words), *drawn]
