"""Many configurations and their profiles: bars and matrices of maxima, lowest loads and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from iodyno.analysis.bottleneck import asked_limit
from iodyno.analysis.estimate import APPRECIABLE, Estimate
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.layout import rows_and_columns
from iodyno.analysis.maxima import hardly_known
from iodyno.analysis.ranking import level, ranking, whole
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.curve_names import loaded_name
from iodyno.report.document import (
    Axis,
    BarChart,
    Block,
    Cell,
    ChartPoint,
    Column,
    Figure,
    Paragraph,
    Strong,
    Table,
    Text,
)
from iodyno.report.matrix_rows import Names, Row, named_rows
from iodyno.report.names import (
    PLACE_NAMES,
    SHORT_PLACE_NAMES,
    limit_text,
    main_unit,
    marked,
    marks_note,
    part_mark,
    place_name,
    tone,
)
from iodyno.report.sections.areas import unlike_areas_note
from iodyno.report.sections.result_charts import far_apart
from iodyno.report.sections.result_tables import unfinished_note
from iodyno.report.sections.side_by_side import too_wide_note
from iodyno.report.sentences.side_by_side import (
    asks_latency,
    common_limit,
    latency_note,
    limit_name,
    side_paragraph,
)

ROOM_OF_A_PAGE, BAR, NAME, GAP = 760, 10, 26, 7
"""Height of the bars that a page holds with their axis, of a bar, of a name in two lines, and the gap after a
row, in the units of a chart."""
MOST_COLUMNS = 7
"""Profiles that a table or a chart has side by side."""

Panel: TypeAlias = tuple[str, Sequence[Row], Sequence[CurveAnalysis]]
"""Label of its axis, rows and columns of bars."""
Drawn: TypeAlias = Callable[[CurveAnalysis], tuple[PointFigures, Estimate, str]]
"""Of a curve the point that a bar is of, what is drawn, and as it is written."""


def blocks(context: Context, items: Sequence[CurveAnalysis], key: str) -> list[Block]:
    """Make the part: what stands out for each profile, bars by unit, and the matrices of all profiles."""
    every, columns = rows_and_columns(items)
    rows, shared, names = named_rows(context.messages, every)
    say = context.messages.say
    texts = [say("All configurations here: {shared}.", shared=shared)] if shared else []
    if len(rows) < len(every):
        texts.append(
            say(
                "Configurations that have the same figures at every load are one row, and count once: the "
                "{count} of them make {rows} rows.",
                count=context.numbers.integer(len(every)),
                rows=context.numbers.integer(len(rows)),
            )
        )
    made: list[Block] = [Paragraph(context.messages.flow(texts))] if texts else []
    for start in range(0, len(columns), MOST_COLUMNS):
        places = range(start, min(start + MOST_COLUMNS, len(columns)))
        made += _block(context, *_cut(rows, columns, places), names, f"{key}-{start}")
    return made


def _cut(
    rows: Sequence[Row], columns: Sequence[CurveAnalysis], places: Iterable[int]
) -> tuple[list[Row], list[CurveAnalysis]]:
    """Give some columns of the matrix, without rows that have nothing there."""
    chosen = list(places)
    cut = [tuple(row[place] for place in chosen) for row in rows]
    return [row for row in cut if any(row)], [columns[place] for place in chosen]


def _block(
    context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis], names: Names, key: str
) -> list[Block]:
    items = [item for row in rows for item in row if item]
    timed = asks_latency(items)
    draw = _latency_figures if timed else _figures
    figures, maxima = draw(context, rows, heads, names, key), _maxima(context, rows, heads, names, key)
    single = all(len(item.curve.points) == 1 for item in items)
    known = any(item.curve.lowest.latency_ms_mean.value for item in items)
    latencies = [_latencies(context, rows, heads, names, key)] if single and known else []
    *texts, last = _texts(context, rows, heads, names) or [""]
    made: list[Block] = [Paragraph(text) for text in texts]
    tables = [*latencies, maxima] if timed else [maxima, *latencies]
    words = context.messages.see(last, *(figure.key for figure in figures), tables[0].key)
    made += [Paragraph(words), *figures, *tables]
    if not single:
        made.append(_lowest(context, rows, heads, names, key))
    told = _limit_of_all(context, items)
    limits = told or _same_limit(context, rows, heads)
    made += [Paragraph(limits)] if limits else []
    return made if told else [*made, _limits(context, rows, heads, names, key)]


def _same_limit(context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis]) -> str:
    """Say what limits every maximum, where it is the same for several profiles; else each says it."""
    columns = [[item for row in rows if (item := row[place]) is not None] for place in range(len(heads))]
    said = {common_limit(context.messages, items) for items in columns}
    return said.pop() if len(columns) > 1 and len(said) == 1 else ""


def _texts(context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis], names: Names) -> list[Text]:
    """Say of each profile which configurations are ahead."""
    messages, limited = context.messages, not _same_limit(context, rows, heads)
    texts: list[Text] = []
    for place, head in enumerate(heads):
        items = [item for row in rows if (item := row[place]) is not None]
        if len(items) > 1:
            text = side_paragraph(
                messages, whole(items), lambda item: names.whole[item.curve.key], brief=True, limited=limited
            )
            name = Strong(loaded_name(messages, head.curve))
            texts.append(messages.compose("{name}: {finding}", name=name, finding=text))
    return texts


def _heads(context: Context, heads: Sequence[CurveAnalysis]) -> tuple[str, ...]:
    return tuple(loaded_name(context.messages, head.curve) for head in heads)


def _label(context: Context, unit: str) -> str:
    say = context.messages.say
    return say("Transaction rate in IO/s") if unit == "IO/s" else say("Throughput in MB/s")


def bar_axis(context: Context, label: str, values: Sequence[float]) -> Axis:
    """Give the axis of bars; where they are far apart it is logarithmic and says so."""
    if not far_apart(values):
        return Axis(label)
    return Axis(context.messages.say("{label}, logarithmic", label=label), "log10")


def _figures(
    context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis], names: Names, key: str
) -> list[Figure]:
    """Draw the maxima, a panel for each unit."""
    say = context.messages.say

    def maximum(item: CurveAnalysis) -> tuple[PointFigures, Estimate, str]:
        at = item.maximum.at
        return at, at.main, context.numbers.estimate(at.main)

    panels = [
        (_label(context, unit), *_cut(rows, heads, places))
        for unit in ("IO/s", "MB/s")
        if (places := [place for place, head in enumerate(heads) if main_unit(head.curve.profile) == unit])
    ]
    caption = say(
        "Maxima over all loads: {profiles}", profiles=context.messages.listed(_heads(context, heads))
    )
    alt = say("A bar chart of the maxima, one row a configuration; its values are in the table below.")
    return _drawn(context, panels, maximum, names, (caption, alt, f"figure-matrix-{key}"))


def _latency_figures(
    context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis], names: Names, key: str
) -> list[Figure]:
    """Draw the mean latencies of one outstanding I/O, whose rates are but their reciprocals."""
    say = context.messages.say

    def latency(item: CurveAnalysis) -> tuple[PointFigures, Estimate, str]:
        at = item.curve.lowest
        return at, at.latency_ms_mean, context.numbers.latency(at.latency_ms_mean)

    caption = say(
        "Mean latencies of one outstanding I/O: {profiles}",
        profiles=context.messages.listed(_heads(context, heads)),
    )
    alt = say(
        "A bar chart of the mean latencies, one row a configuration; its values are in the table below."
    )
    panel = (say("Mean latency in ms"), rows, heads)
    return _drawn(context, [panel], latency, names, (caption, alt, f"figure-matrix-{key}"))


def _drawn(
    context: Context, panels: Sequence[Panel], of: Drawn, names: Names, described: tuple[str, str, str]
) -> list[Figure]:
    """Draw bars, as many rows on a page as it holds, all on the same axis."""
    told, alt, key = described
    count = max(len(rows) for _, rows, _ in panels)
    height = max(NAME, *(BAR * len(columns) for _, _, columns in panels)) + GAP
    pages = -(-count // (ROOM_OF_A_PAGE // height))
    made = []
    for page in range(pages):
        charts = tuple(_panel(context, panel, of, names, page, pages) for panel in panels)
        caption = told
        if pages > 1:
            caption = context.messages.say(
                "{caption}, part {part} of {parts}", caption=told, part=str(page + 1), parts=str(pages)
            )
        made.append(Figure(charts, caption, alt, f"{key}-{page}", floats=True))
    return made


def _panel(context: Context, panel: Panel, of: Drawn, names: Names, page: int, pages: int) -> BarChart:
    label, rows, heads = panel
    shown = rows[page * len(rows) // pages : (page + 1) * len(rows) // pages]
    bars = tuple((names.of(row), tuple(_bar(*of(item)) for item in row if item)) for row in shown)
    values = tuple(of(item)[1].value for row in rows for item in row if item)
    axis = bar_axis(context, label, values)
    return BarChart(replace(axis, reach=values if pages > 1 else ()), bars, _heads(context, heads))


def _bar(at: PointFigures, figure: Estimate, written: str) -> ChartPoint:
    known = figure.half_width is not None
    return ChartPoint(
        x=0,
        y=figure.value,
        low=figure.low if known else None,
        high=figure.high if known else None,
        label=marked(written, at),
        hollow=not at.steady,
    )


def _matrix(
    context: Context,
    rows: Sequence[Row],
    heads: Sequence[CurveAnalysis],
    names: Names,
    cell: Callable[[CurveAnalysis, int], Cell],
    described: tuple[str, str, tuple[Text, ...]],
    *,
    unit: str | None = None,
) -> Table:
    """Make a table, a column for each profile; ``unit`` of its numbers, where they are not the main figures,
    empty where the cells are words."""
    caption, key, notes = described
    units = [main_unit(head.curve.profile) if unit is None else unit for head in heads]
    return Table(
        columns=(
            Column(context.messages.say("Configuration")),
            *(
                Column(name, "right", unit) if unit else Column(name)
                for name, unit in zip(_heads(context, heads), units, strict=True)
            ),
        ),
        rows=tuple(_with_heads(rows, names, cell)),
        caption=caption,
        key=key,
        notes=notes,
    )


def _with_heads(
    rows: Sequence[Row], names: Names, cell: Callable[[CurveAnalysis, int], Cell]
) -> Iterator[tuple[Cell, ...]]:
    """Give the rows of a matrix, and before those that have one their head."""
    before = ""
    for row in rows:
        head, name = names.head_and_rest(row)
        if head != before:
            yield (Cell(head),)
            before = head
        cells = (Cell("–") if item is None else cell(item, place) for place, item in enumerate(row))
        yield Cell(name, strong=True), *cells


def _maxima(
    context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis], names: Names, key: str
) -> Table:
    best = [_best(rows, place) for place in range(len(heads))]

    items = [item for row in rows for item in row if item]

    def cell(item: CurveAnalysis, place: int) -> Cell:
        at = item.maximum.at
        return Cell(marked(context.numbers.estimate(at.main), at), tone=tone(at), strong=item in best[place])

    widest = max((item.maximum.at.main.half_width or 0.0 for item in items), default=0.0)
    say = context.messages.say
    notes = (
        say(
            "Bold: the highest of the column, and what is level with it: not told apart by the intervals, or "
            "shown to be less than {share} below. The intervals are {widest} or narrower.",
            share=context.numbers.percent(APPRECIABLE, 0),
            widest=context.numbers.within(widest),
        ),
        *unlike_areas_note(context.messages, items),
        *too_wide_note(context, items),
        *unfinished_note(context, items),
        *marks_note(context.messages, (item.maximum.at for item in items)),
    )
    caption = say("Maxima over all loads")
    return _matrix(context, rows, heads, names, cell, (caption, f"table-maxima-{key}", notes))


def _best(rows: Sequence[Row], place: int) -> list[CurveAnalysis]:
    items = [item for row in rows if (item := row[place]) is not None]
    if len(items) < 2:
        return []
    return list(ranking(items).highest)


def _lowest(
    context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis], names: Names, key: str
) -> Table:

    def cell(item: CurveAnalysis, _: int) -> Cell:
        low = item.curve.lowest
        figure = marked(context.numbers.estimate(low.main), low)
        return Cell(f"{figure} ({context.numbers.latency(low.latency_ms_mean)})", tone=tone(low))

    say = context.messages.say
    caption = say("Figures at the lowest load, and in brackets the mean latency in ms")
    loads = {item.curve.lowest.outstanding for row in rows for item in row if item}
    note = context.messages.say_n(
        "The lowest load is {count} outstanding I/O for each target and worker.",
        "The lowest load is {count} outstanding I/Os for each target and worker.",
        min(loads),
    )
    lowest = (item.curve.lowest for row in rows for item in row if item)
    notes = (*((note,) if len(loads) == 1 else ()), *marks_note(context.messages, lowest))
    return _matrix(context, rows, heads, names, cell, (caption, f"table-lowest-{key}", notes))


def _latencies(
    context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis], names: Names, key: str
) -> Table:
    """Make the table of the mean latencies of curves that have a point each."""
    least = [_least(rows, place) for place in range(len(heads))]

    def cell(item: CurveAnalysis, place: int) -> Cell:
        at = item.curve.lowest
        text = marked(context.numbers.latency(at.latency_ms_mean), at)
        return Cell(text, tone=tone(at), strong=item in least[place])

    say = context.messages.say
    note = say(
        "Bold: the least of the column, and what is level with it: not told apart by the intervals, or shown "
        "to be less than {share} above.",
        share=context.numbers.percent(APPRECIABLE, 0),
    )
    lowest = (item.curve.lowest for row in rows for item in row if item)
    notes = (*((note,) if any(least) else ()), *marks_note(context.messages, lowest))
    described = (say("Mean latencies"), f"table-latencies-{key}", notes)
    return _matrix(context, rows, heads, names, cell, described, unit="ms")


def _least(rows: Sequence[Row], place: int) -> list[CurveAnalysis]:
    """Give the curves of the least latency and what is level with it, where each has one that is known."""
    found = [(item, item.curve.lowest.latency_ms_mean) for row in rows if (item := row[place])]
    unknown = any(not one.value or one.half_width is None or hardly_known(one) for _, one in found)
    if len(found) < 2 or unknown:
        return []
    least = min((one for _, one in found), key=lambda one: one.value)
    return [item for item, one in found if level(one, least)]


def _limit_of_all(context: Context, items: Sequence[CurveAnalysis]) -> str:
    """Say where all maxima have their limit, where a table would have nothing else in any cell."""
    found = [item.maximum.at.simulation for item in items if asked_limit(item.maximum.at) is None]
    limits = [
        one for one in found if one and one.bottleneck.kind == "saturated" and not part_mark(one.bottleneck)
    ]
    places = {one.bottleneck.place for one in limits}
    if len(limits) < max(len(items), 2) or len(places) > 1:
        return ""
    messages = context.messages
    shares = [
        context.numbers.percent(one.utilisation, 0) for one in sorted(limits, key=lambda one: one.utilisation)
    ]
    names = {limit_name(messages, item, bare=True) for item in items}
    limit = names.pop() if len(names) == 1 else place_name(messages, places.pop())
    if len(set(shares)) == 1:
        return messages.say(
            "All maxima here have one limit: {limit}, with a utilisation of {share}.",
            limit=limit,
            share=shares[0],
        )
    return messages.say(
        "All maxima here have one limit: {limit}, with utilisations from {share} on.",
        limit=limit,
        share=shares[0],
    )


def _limits(
    context: Context, rows: Sequence[Row], heads: Sequence[CurveAnalysis], names: Names, key: str
) -> Table:
    messages = context.messages
    items = [item for row in rows for item in row if item]
    shares = _shares(context, items)
    share = shares[0] if len(shares) > 1 and len(set(shares)) == 1 else ""

    def cell(item: CurveAnalysis, _: int) -> Cell:
        found = item.maximum.at.simulation
        if found is None:
            return Cell(limit_name(messages, item))
        if found.bottleneck.kind != "saturated":
            return Cell(limit_text(messages, item.maximum.at, found, short=True))
        place = place_name(messages, found.bottleneck.place, short=True)
        said = place if share else f"{place} {context.numbers.percent(found.utilisation, 0)}"
        return Cell(f"{said}{part_mark(found.bottleneck)}")

    used = {
        found.bottleneck.place
        for item in items
        if (found := item.maximum.at.simulation) and asked_limit(item.maximum.at) is None
    }
    explained = [
        messages.say(
            "{name}: {finding}", name=messages.known(SHORT_PLACE_NAMES[place]), finding=messages.known(name)
        )
        for place, name in PLACE_NAMES.items()
        if place in used and SHORT_PLACE_NAMES[place] != name
    ]
    same = messages.say("Utilisation of each station that limits: {share}.", share=share) if share else ""
    notes = (
        *((messages.gathered(explained),) if explained else ()),
        *((same,) if same else ()),
        *latency_note(messages, items, short=True),
    )
    caption = (
        messages.say("What limits each maximum")
        if share or not shares
        else messages.say("What limits each maximum, with its utilisation")
    )
    return _matrix(context, rows, heads, names, cell, (caption, f"table-limits-{key}", notes), unit="")


def _shares(context: Context, items: Sequence[CurveAnalysis]) -> list[str]:
    """Write the utilisations of the stations that limit."""
    found = [item.maximum.at.simulation for item in items]
    return [
        context.numbers.percent(one.utilisation, 0)
        for one in found
        if one and one.bottleneck.kind == "saturated"
    ]
