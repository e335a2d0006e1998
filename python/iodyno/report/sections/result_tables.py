"""The numbers of a profile over the load, and the percentiles of all profiles."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.curves import Curve
from iodyno.analysis.figures import PERCENTILES, PointFigures
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.scaling import ScalingOf
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_name, own_load
from iodyno.report.document import Cell, Column, Link, Table, Text
from iodyno.report.messages import plain
from iodyno.report.names import (
    main_figure,
    main_unit,
    marked,
    marks_note,
    profile_name,
    state_name,
    tone,
    workers_head,
)
from iodyno.report.numbers import NOT_KNOWN
from iodyno.report.sentences.loads import load

RESPONSE_SHARE = 0.99
"""The percentile of the response time that stands beside the latency."""


def load_table(context: Context, item: CurveAnalysis, percentiles: Sequence[float]) -> Table:
    """Make the table of rate, throughput and latency over the load.

    Parameters
    ----------
    percentiles
        Those that are shown, of :data:`~iodyno.analysis.figures.PERCENTILES`; one that no
        point supports is left out.
    """
    say, curve, top = context.messages.say, item.curve, item.maximum.at
    shares = [share for share in percentiles if _supported(curve.points, share)]
    return Table(
        columns=(
            load_column(context, curve),
            Column(say("Transaction rate"), "right", "IO/s"),
            Column(say("Throughput"), "right", "MB/s"),
            Column(say("Interval"), "right"),
            Column(say("Mean latency"), "right", "ms"),
            *(latency_column(context, share) for share in shares),
            Column(say("Longest"), "right", "ms"),
            *_response_columns(context, curve),
            Column(say("Verdict")),
        ),
        rows=tuple(
            _load_row(context, point, shares, strong=point is top and (item.answered or not item.asked))
            for point in curve.points
        ),
        caption=say("{profile}: rate and latency over the load", profile=curve_name(context.messages, curve)),
        key=f"table-load-{curve.key}",
        notes=(
            *_notes(context, item),
            *_passed_over(context, item),
            *_in_all(context, curve),
            _disclosure(context, item),
        ),
    )


def latency_table(context: Context) -> Table:
    """Make the table of all percentiles of each profile: at the lowest load, the knee and the maximum."""
    say = context.messages.say
    curves, one_load = context.analysis.curves, context.analysis.one_load
    shown = [point for item in curves for point in characteristic(item)]
    shares = [share for share in PERCENTILES if _supported(shown, share)]
    return Table(
        columns=(
            Column(say("Load profile")),
            *(() if one_load else (Column(say("Load")),)),
            loads_column(context, [item.curve for item in curves]),
            Column(say("Mean"), "right", "ms"),
            *(Column(context.numbers.percentile(share), "right", "ms") for share in shares),
            Column(say("Longest"), "right", "ms"),
            Column(say("I/Os"), "right"),
        ),
        rows=tuple(
            _latency_row(context, item, point, shares) for item in curves for point in characteristic(item)
        ),
        caption=_latency_caption(context, curves, one_load=one_load),
        key="table-latency",
        notes=(*_of_closed_loops(context, curves), *marks_note(context.messages, shown)),
    )


def _of_closed_loops(context: Context, curves: Sequence[CurveAnalysis]) -> tuple[Text, ...]:
    """Say what the latencies of a table are, where all are those of closed loops."""
    if any(item.curve.open_loop for item in curves):
        return ()
    say = context.messages.say
    return (
        say("The time within which a share of the I/Os completed. Latencies are those of a closed loop."),
    )


def _latency_caption(context: Context, curves: Sequence[CurveAnalysis], *, one_load: bool) -> str:
    """Say at which loads the latencies of a table are: of a knee where there is one. Rows of what has no
    maximum say themselves at which load they are."""
    say = context.messages.say
    if one_load:
        return say("Latency of each profile")
    if any(item.asked for item in curves):
        return say("Latency at selected loads")
    if not any(item.knee for item in curves):
        return say("Latency at the lowest load and at the maximum")
    return say("Latency at the lowest load, at the knee and at the maximum")


def scaling_table(context: Context, found: Sequence[ScalingOf]) -> Table:
    """Make the table of maxima over the number of workers, against the ideal."""
    say, numbers = context.messages.say, context.numbers
    return Table(
        columns=(
            Column(say("Load profile")),
            Column(workers_head(context.messages, found[0].each), "right"),
            Column(say("Maximum"), "right"),
            Column(say("Interval"), "right"),
            Column(say("Unit")),
            Column(say("Factor"), "right"),
            Column(say("Ideal"), "right"),
        ),
        rows=tuple(
            (
                Cell(
                    profile_name(context.messages, item.profile) if step is item.steps[0] else "", strong=True
                ),
                Cell(numbers.integer(step.count)),
                Cell(numbers.estimate(step.figure)),
                Cell(numbers.half_width(step.figure)),
                Cell(main_unit(item.profile)),
                Cell(numbers.quotient(step.factor)),
                Cell(numbers.significant(step.ideal)),
            )
            for item in found
            for step in item.steps
        ),
        caption=say("Maximum of each profile over the number of workers"),
        key=f"table-scaling-{found[0].sweep}",
        notes=(say("Factor: maximum ÷ that of the fewest workers, with its interval."),),
    )


def characteristic(item: CurveAnalysis) -> tuple[PointFigures, ...]:
    """Choose the points that stand for a curve: lowest load, knee and maximum, each once, by load."""
    wanted = [item.curve.lowest, item.maximum.at] + ([item.knee.at] if item.knee else [])
    return tuple(point for point in item.curve.points if any(point is chosen for chosen in wanted))


def _place(context: Context, item: CurveAnalysis, point: PointFigures) -> str:
    """Say what a point stands for: lowest load, knee, maximum, or several of them."""
    say = context.messages.say
    places = [
        (item.curve.lowest, say("lowest load")),
        (
            item.knee.at if item.knee else None,
            say("knee") if item.knee and item.knee.certain else say("near knee"),
        ),
        (item.maximum.at, _top_name(context, item)),
    ]
    return context.messages.enumerated([name for chosen, name in places if chosen is point])


def _top_name(context: Context, item: CurveAnalysis) -> str:
    say = context.messages.say
    if item.answered:
        return say("highest rate that keeps the limit")
    return say("highest rate offered") if item.asked else say("maximum")


def latency_column(context: Context, share: float) -> Column:
    """Give the column of a percentile of the latency."""
    title = context.messages.say("Latency {percentile}", percentile=context.numbers.percentile(share))
    return Column(title, "right", "ms")


def load_column(context: Context, curve: Curve) -> Column:
    """Give the column of the load."""
    say = context.messages.say
    if curve.open_loop:
        return Column(say("Offered rate"), "right", "IO/s")
    return Column(say("Outstanding I/Os"), "right")


def loads_column(context: Context, curves: Sequence[Curve], *, at: bool = False) -> Column:
    """Give the column of the loads of several curves, some of which may be open loops.

    Parameters
    ----------
    context
        The run, and the language to speak of it.
    curves
        Those that the table has rows of.
    at
        Whether the figure beside it was had there.
    """
    say, opened = context.messages.say, {curve.open_loop for curve in curves}
    if opened == {True}:
        return Column(say("At offered rate") if at else say("Offered rate"), "right", "IO/s")
    if True in opened:
        return Column(say("Outstanding I/Os or rate"), "right")
    return Column(say("At outstanding I/Os") if at else say("Outstanding I/Os"), "right")


def each_note(context: Context, curves: Sequence[Curve]) -> tuple[Text, ...]:
    """Say under a table of several curves of what the outstanding I/Os are, where that is not all of them."""
    firsts = [curve.first for curve in curves if not curve.open_loop]
    if all(first.outstanding_total == first.outstanding for first in firsts):
        return ()
    return (context.messages.say("Outstanding I/Os are those of each target and worker."),)


def in_all_note(context: Context) -> tuple[Text, ...]:
    """Say under a table of curves with other numbers of targets or workers what the outstanding I/Os are."""
    return (context.messages.say("Outstanding I/Os are those of all targets and workers together."),)


def load_cell(
    context: Context, item: PointFigures, among: Sequence[Curve] = (), *, strong: bool = False
) -> Cell:
    """Give the cell of the load; a rate has its unit where a table has outstanding I/Os as well."""
    if not all(curve.open_loop for curve in among):
        return Cell(own_load(context.messages, item.point), strong=strong)
    if item.point.rate_io_s is not None:
        return Cell(context.numbers.asked(item.point.rate_io_s), strong=strong)
    return Cell(context.numbers.integer(item.outstanding), strong=strong)


def time_cell(context: Context, value_ms: float | None) -> Cell:
    """Give the cell of a percentile; a dash where too few I/Os support it."""
    return Cell(NOT_KNOWN if value_ms is None else context.numbers.significant(value_ms))


def _load_row(
    context: Context, item: PointFigures, shares: Sequence[float], *, strong: bool
) -> tuple[Cell, ...]:
    numbers = context.numbers
    return (
        load_cell(context, item, strong=strong),
        Cell(numbers.estimate(item.transaction_rate_io_s), strong=strong),
        Cell(numbers.estimate(item.throughput_mb_s), strong=strong),
        Cell(numbers.half_width(item.main)),
        Cell(numbers.latency(item.latency_ms_mean)),
        *(time_cell(context, item.latency_ms_at(share)) for share in shares),
        time_cell(context, item.latency_ms_max or None),
        *_response_cells(context, item),
        Cell(state_name(context.messages, item.verdict.state), tone=tone(item)),
    )


def _response_columns(context: Context, curve: Curve) -> tuple[Column, ...]:
    """Give the columns of the response time, where a rate is given."""
    if not curve.open_loop:
        return ()
    say = context.messages.say
    tail = say("Response time {percentile}", percentile=context.numbers.percentile(RESPONSE_SHARE))
    return Column(say("Mean response time"), "right", "ms"), Column(tail, "right", "ms")


def _response_cells(context: Context, item: PointFigures) -> tuple[Cell, ...]:
    if item.point.rate_io_s is None:
        return ()
    return time_cell(context, item.response_time_ms_mean), time_cell(
        context, item.response_time_ms_at(RESPONSE_SHARE)
    )


def _latency_row(
    context: Context, item: CurveAnalysis, point: PointFigures, shares: Sequence[float]
) -> tuple[Cell, ...]:
    first = point is item.curve.lowest
    return (
        Cell(context.names_of_curves[item.curve.key] if first else "", strong=True),
        *(() if context.analysis.one_load else (Cell(_place(context, item, point)),)),
        load_cell(context, point, [other.curve for other in context.analysis.curves]),
        Cell(marked(context.numbers.latency(point.latency_ms_mean), point), tone=tone(point)),
        *(time_cell(context, point.latency_ms_at(share)) for share in shares),
        time_cell(context, point.latency_ms_max or None),
        Cell(context.numbers.integer(point.completed)),
    )


def _supported(points: Sequence[PointFigures], share: float) -> bool:
    return any(point.latency_ms_at(share) is not None for point in points)


def _passed_over(context: Context, item: CurveAnalysis) -> tuple[Text, ...]:
    """Name the values that are higher than the maximum, and why they are not it; of what has none nothing."""
    return tuple(_why_passed_over(context, point) for point in reads_higher(context, item))


def reads_higher(context: Context, item: CurveAnalysis) -> list[PointFigures]:
    """Give the points that are passed over and higher than the maximum also as it is written: of others a
    reader sees nothing that has to be explained."""
    if item.asked:
        return []
    highest, found = item.maximum.at.main, item.maximum.passed_over
    return [point for point in found if context.numbers.reads_higher(point.main, highest)]


def _why_passed_over(context: Context, point: PointFigures) -> str:
    say = context.messages.say
    figure, place = main_figure(context.messages, point), load(context.messages, point)
    if point.verdict.state == "disturbed":
        return say(
            "{figure} {load} is higher but was disturbed: it does not count as the maximum.",
            figure=figure,
            load=place,
        )
    if point.main.half_width is None:
        return say(
            "{figure} {load} is higher but has no interval: it does not count as the maximum.",
            figure=figure,
            load=place,
        )
    return say(
        "{figure} {load} is higher but known only to within {interval}: it does not count as the maximum.",
        figure=figure,
        load=place,
        interval=context.numbers.half_width(point.main),
    )


def unfinished_note(context: Context, items: Sequence[CurveAnalysis]) -> tuple[Text, ...]:
    """Name under a table of maxima the curves of which the run lacks loads."""
    lacking = [context.names_of_curves[item.curve.key] for item in items if not item.whole]
    if not lacking:
        return ()
    return (
        context.messages.say(
            "Not all loads of {names} are in this run: what stands there is the highest of those that are, "
            "and no maximum.",
            names=context.messages.names(context.messages.quoted_alike(lacking)),
        ),
    )


def no_maxima_notes(context: Context, items: Sequence[CurveAnalysis]) -> tuple[Text, ...]:
    """Say under a table of maxima what stands there of curves that have none."""
    say, notes = context.messages.say, list[Text]()
    if any(item.asked and not item.searched for item in items):
        notes.append(
            say("Of open loops whose rates are all served it is the highest of these, and no maximum.")
        )
    if any(item.answered for item in items):
        notes.append(say("Of searches it is the highest rate that keeps the limit, and no maximum."))
    if any(item.searched and not item.answered for item in items):
        notes.append(
            say("Of searches without an answer it is the highest rate that was tried, and no maximum.")
        )
    return tuple(notes)


def _disclosure(context: Context, item: CurveAnalysis) -> Text:
    messages = context.messages
    link = Link(messages.say("the disclosure"), f"disclosure-{item.curve.key}")
    if context.run.imported:
        return messages.compose("How these figures came about is in {disclosure}.", disclosure=link)
    return messages.compose(
        "How these figures came about, and the command that repeats them, is in {disclosure}.",
        disclosure=link,
    )


def _in_all(context: Context, curve: Curve) -> tuple[Text, ...]:
    """Say how many outstanding I/Os are so in all, where each target or worker has as many as a row says."""
    times = curve.first.outstanding_total // curve.first.outstanding
    if curve.open_loop or times == 1:
        return ()
    return (
        context.messages.say(
            "Outstanding I/Os are those of each target and worker, in all {times} times as many.",
            times=context.numbers.integer(times),
        ),
    )


def _notes(context: Context, item: CurveAnalysis) -> tuple[Text, ...]:
    messages = context.messages
    if item.answered and len(item.curve.points) > 1:
        return (messages.say("Bold: the highest rate that keeps the limit of the response time."),)
    if len(item.curve.points) == 1 or item.asked:
        return ()
    if item.maximum.at.main.half_width is None:
        return (messages.say("Bold: the highest value. Without intervals no other can be told from it."),)
    higher = reads_higher(context, item)  # they are said to be higher, which level ones are not
    level = [point for point in item.maximum.level if point not in higher]
    if not level:
        return (messages.say("Bold: the maximum."),)
    loads = messages.listed([plain(load_cell(context, point).text) for point in level])
    return (messages.say("Bold: the maximum. Level with it: {loads}.", loads=loads),)
