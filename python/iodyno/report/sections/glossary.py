"""The terms of the paper."""

from __future__ import annotations

from iodyno.analysis.layout import EACH_UP_TO
from iodyno.report.context import Context
from iodyno.report.document import Block, Facts, Heading
from iodyno.report.messages import N_
from iodyno.report.sections.results import by_themselves

TERMS = (
    (N_("Direct I/O"), N_("Access past the caches of the operating system.")),
    (
        N_("Interval"),
        N_("The range in which the true mean lies, with the confidence that is given; written ±."),
    ),
    (
        N_("Knee"),
        N_(
            "The load at which rate ÷ latency is highest: below it load is cheap, beyond it waiting is "
            "added for little."
        ),
    ),
    (N_("Latency"), N_("Time from the issue of an I/O to its completion.")),
    (N_("Load profile"), N_("Access pattern, read share and block sizes of a kind of work.")),
    (N_("Measured area"), N_("The part of the target that is accessed. Another area is another result.")),
    (N_("Outstanding I/Os"), N_("Requests issued and not yet complete, per target and worker.")),
    (N_("Percentile"), N_("The time within which a share of the I/Os completed.")),
    (
        N_("Response time"),
        N_("Time from the intended start of an I/O to its completion, where a rate is offered."),
    ),
    (N_("Saturation"), N_("The least load that comes within 5% of the maximum.")),
    (N_("Tags"), N_("Requests that the queues of a device hold at a time.")),
    (N_("Throughput"), N_("Bytes completed per second; 1 MB/s = 2²⁰ bytes per second.")),
    (N_("Transaction rate"), N_("I/Os completed per second.")),
    (N_("Utilisation"), N_("Share of time in which something is busy, 0 to 1.")),
    (N_("Warm-up"), N_("The first part of a point, which is not counted.")),
)
OF_A_MODEL = (
    (
        N_("Limit, bottleneck"),
        N_(
            "The station that is busy for at least nine tenths of the time. Where there is none, it is what "
            "was asked for, an offered rate that is served or a think time that is most of the time, else "
            "the latency."
        ),
    ),
    (
        N_("Station"),
        N_(
            "A part of a virtual system that serves I/Os, one or several at a time, while others queue: a "
            "core, a direction of a link, the media of a drive."
        ),
    ),
)
"""Terms that only papers of simulated runs use."""


def blocks(context: Context) -> list[Block]:
    """Make the section, the terms in the order of the language, without those of what the run has not."""
    known = context.messages.known
    curves = context.analysis.curves
    alone = curves if len(curves) <= EACH_UP_TO else tuple(by_themselves(context))
    absent = {
        "Knee": not any(item.knee for item in alone),
        "Response time": not any(item.curve.open_loop for item in curves),
        "Saturation": all(
            len(item.curve.points) == 1 for item in (alone if context.run.simulated else curves)
        ),
    }
    every = (*TERMS, *OF_A_MODEL) if context.run.simulated else TERMS
    terms = [(term, meaning) for term, meaning in every if context.beside or not absent.get(term)]
    items = sorted(
        ((known(term), known(meaning)) for term, meaning in terms),
        key=lambda item: context.messages.order(item[0]),
    )
    return [Heading(1, context.messages.say("Glossary"), "glossary"), Facts(tuple(items))]
