"""Charts of the parts of a virtual system: how busy each is over the load, what interfaces let through."""

from __future__ import annotations

from collections.abc import Mapping

from iodyno.analysis.configurations import configuration_title
from iodyno.analysis.interfaces import Chain
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.units import mb_s
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_name
from iodyno.report.document import Axis, BarChart, ChartLine, ChartPoint, Figure, LineChart
from iodyno.report.names import PLACE_NAMES, marked
from iodyno.report.sections.result_charts import load_axis
from iodyno.report.sentences.loads import load

MOST_ROWS = 24
"""Systems of a bar chart that is not taller than a page."""
LEAST_SHOWN = 0.01
"""A part that is never busy for a hundredth of the time is not drawn."""


def utilisation_figure(context: Context, item: CurveAnalysis) -> list[Figure]:
    """Draw how busy each place of a virtual system is over the load; nothing where nothing was simulated."""
    lines = [line for place in PLACE_NAMES if (line := _utilisation(context, item, place))]
    if not lines or len(item.curve.points) < 2:
        return []
    messages, name = context.messages, curve_name(context.messages, item.curve)
    return [
        Figure(
            charts=(
                LineChart(load_axis(context, item.curve), Axis(messages.say("Utilisation")), tuple(lines)),
            ),
            caption=messages.say(
                "{profile}: utilisation of each part over the load, its busiest station", profile=name
            ),
            alt=messages.say(
                "A line chart of the utilisation of each part over the load; the part that comes near 1 is "
                "the limit."
            ),
            key=f"figure-utilisation-{item.curve.key}",
        )
    ]


def _utilisation(context: Context, item: CurveAnalysis, place: str) -> ChartLine | None:
    points = []
    for at in item.curve.points:
        if at.simulation is None:
            return None
        busy = [one.utilisation_max for one in at.simulation.stations if one.place == place and one.serves]
        x = float(at.outstanding) if at.point.rate_io_s is None else at.point.rate_io_s
        value = max(busy, default=0.0)
        label = f"{load(context.messages, at)}: {context.numbers.percent(value, 1)}"
        points.append(ChartPoint(x, value, label=label))
    if max(point.y for point in points) < LEAST_SHOWN:
        return None
    return ChartLine(context.messages.known(PLACE_NAMES[place]), tuple(points))


def _sequential_reads(context: Context, chains: Mapping[str, Chain]) -> dict[str, CurveAnalysis]:
    """Give the curve of the highest sequential read of each system."""
    best: dict[str, CurveAnalysis] = {}
    for item in context.analysis.curves:
        name, profile = item.curve.first.system or "", item.curve.profile
        if profile.read_share == 1 and profile.random_share == 0 and name in chains:
            known = best.get(name)
            value = item.maximum.at.throughput_mb_s.value
            if known is None or value > known.maximum.at.throughput_mb_s.value:
                best[name] = item
    return best


def above_limits(context: Context, chains: Mapping[str, Chain]) -> str:
    """Say what it means that a read lies above its limit, where one does by less than its interval."""
    reads = _sequential_reads(context, chains)
    reached = [(item.maximum.at.throughput_mb_s, mb_s(chains[name].least)) for name, item in reads.items()]
    if not any(one.half_width is not None and one.low <= limit < one.value for one, limit in reached):
        return ""
    return context.messages.say(
        "A simulated rate is an estimate with an interval: one that lies above its limit by less than that "
        "does not exceed it."
    )


def limit_bars(context: Context, chains: Mapping[str, Chain]) -> list[Figure]:
    """Draw the highest sequential read of each system beside what its interfaces let through at most."""
    best = _sequential_reads(context, chains)
    if not best or len(best) > MOST_ROWS:
        return []
    say = context.messages.say
    rows = tuple(
        (
            context.messages.titled(configuration_title(context.run.plan, name)),
            _bars(context, item, chains[name]),
        )
        for name, item in best.items()
    )
    names = (say("highest sequential read"), say("practical limit of the interfaces"))
    return [
        Figure(
            charts=(BarChart(Axis(say("Throughput in MB/s")), rows, names),),
            caption=say("Highest sequential read of each system beside the limit of its interfaces"),
            alt=say(
                "A bar chart with two bars for each system: its highest sequential read, and the least "
                "practical limit of the interfaces and media on its way."
            ),
            key="figure-interfaces",
            floats=True,
        )
    ]


def _bars(context: Context, item: CurveAnalysis, found: Chain) -> tuple[ChartPoint, ...]:
    at = item.maximum.at
    reached, limit = at.throughput_mb_s, mb_s(found.least)
    known = reached.half_width is not None
    return (
        ChartPoint(
            0,
            reached.value,
            low=reached.low if known else None,
            high=reached.high if known else None,
            label=marked(context.numbers.estimate(reached), at),
            hollow=not at.steady,
        ),
        ChartPoint(0, limit, label=context.numbers.integer(round(limit))),
    )
