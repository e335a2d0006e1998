"""How to read the paper: intervals, marks, and what the terms stand for."""

from __future__ import annotations

from iodyno.analysis.maxima import SAME_SHARE, WIDEST_SHARE
from iodyno.report.context import Context
from iodyno.report.document import Block, Bullets, Heading, Link, Paragraph, Text


def blocks(context: Context) -> list[Block]:
    """Make the guide."""
    return [
        Heading(1, context.messages.say("How to read this paper"), "reading-guide"),
        *_load(context),
        Bullets((*(_intervals(context) if _with_intervals(context) else ()), *_figures(context))),
    ]


def _with_intervals(context: Context) -> bool:
    """Tell whether a figure can have an interval: results of another program that were imported have none."""
    points = (at for item in context.analysis.curves for at in item.curve.points)
    return not context.run.imported or any(at.main.half_width is not None for at in points)


def _intervals(context: Context) -> tuple[Text, ...]:
    """Say what intervals and marks mean."""
    say = context.messages.say
    return (
        say(
            "Bars through the points of a chart, and ± in the tables, are confidence intervals of "
            "{confidence}. Two figures are called different only where the interval of their "
            "difference leaves out zero.",
            confidence=context.numbers.chosen(_confidence(context)),
        ),
        say(
            "Hollow points, and figures with a mark, carry a reservation: * capped, a point reached "
            "its limit before the precision asked for; † not steady, the figure drifted or "
            "fluctuated while it was measured; ‡ disturbed, something other than the storage "
            "influenced it."
        ),
        say(
            "A maximum is the highest figure of the points that were not disturbed and are known to "
            "within ±{widest}, where there are such points, or of those wholly above them. What lies "
            "within {same} of it at a lower load counts as the maximum. Level with it is what is "
            "known as well and cannot be told from it, or is as near as that.",
            widest=context.numbers.percent(WIDEST_SHARE, 0),
            same=context.numbers.percent(SAME_SHARE, 1),
        ),
    )


def _figures(context: Context) -> tuple[Text, ...]:
    """Say which percentiles there are, and where to find what stands behind a figure."""
    say = context.messages.say
    return (
        say("A percentile is shown only where at least ten I/Os lie beyond it; elsewhere there is a dash."),
        context.messages.compose(
            "What limited each point is in section {limits}; how each figure came about is in "
            "section {disclosure}.",
            limits=Link(say("Limits"), "limits"),
            disclosure=Link(say("Appendix: disclosure of the figures"), "disclosure"),
        ),
    )


def _load(context: Context) -> list[Block]:
    """Say what a load is: how many I/Os are outstanding, or the rate at which they are offered."""
    say, opened = context.messages.say, {item.curve.open_loop for item in context.analysis.curves}
    closed = say(
        "The load is the number of outstanding I/Os: how many requests are kept in flight at the "
        "same time. At one outstanding I/O the latency without queueing is seen; with more of "
        "them the rate grows until a part of the system is saturated, and from there on further "
        "requests only wait."
    )
    offered = say(
        "Where a rate is given, it is the load: I/Os are offered at that rate, whether or not earlier ones "
        "are complete. At a low rate the latency without queueing is seen; the nearer it comes to what the "
        "system can serve, the longer requests wait, and above that more of them wait all the time."
    )
    said = ((False, closed), (True, offered))
    return [Paragraph(text) for kind, text in said if kind in opened or (not opened and not kind)]


def _confidence(context: Context) -> float:
    return context.run.plan.points[0].stopping.confidence
