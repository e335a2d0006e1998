"""Literature: where the profiles and the methods come from."""

from __future__ import annotations

import re
from collections.abc import Mapping

from iodyno.profiles import OF_A_JOB_FILE
from iodyno.report.context import Context
from iodyno.report.document import Block, Bullets, Heading
from iodyno.report.sections.method import used_profiles

METHODS = (
    "E. Fieller, Some Problems in Interval Estimation, Journal of the Royal Statistical Society B 16 (1954), "
    "175–185",
    "L. Kleinrock, Power and Deterministic Rules of Thumb for Probabilistic Problems in Computer "
    "Communications, Proc. ICC 1979, 43.1.1–43.1.10",
    "E. Lazowska, J. Zahorjan, G. Graham, K. Sevcik, Quantitative System Performance, Prentice-Hall 1984",
    "A. Law, W. Kelton, Confidence Intervals for Steady-State Simulations, II: A Survey of Sequential "
    "Procedures, Management Science 28 (1982), 550–562",
    "A. Law, Simulation Modeling and Analysis, 5th ed., McGraw-Hill 2015, chapter 9",
    "J. Little, A Proof for the Queuing Formula L = λW, Operations Research 9 (1961), 383–387",
    "SNIA, Solid State Storage Performance Test Specification (SSS PTS)",
    "K. White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output, Simulation 69 "
    "(1997), 323–334",
)
"""Sources of the methods; titles are not translated."""
OF_INTERVALS = ("E. Fieller", "A. Law", "K. White")
"""Authors of those on intervals, and on how long is measured for them: without intervals none is cited."""
SAME_WORDS = 7
"""Words at their beginning that two names of one work share: publisher and title."""


def blocks(context: Context) -> list[Block]:
    """Make the section."""
    source = reference_text(context)
    sources = dict.fromkeys(profile.source for profile in used_profiles(context) if profile.source)
    published = (text for text in sources if text != OF_A_JOB_FILE)
    others = [_worded(context, text) for text in published if not _same_work(text, source)]
    methods = [text for text in METHODS if _has_intervals(context) or not text.startswith(OF_INTERVALS)]
    return [
        Heading(1, context.messages.say("Literature"), "literature"),
        Bullets((*([source] if source else []), *others, *methods), titles=True),
    ]


def _has_intervals(context: Context) -> bool:
    """Tell whether any of the runs was measured with intervals: what was imported has none."""
    return not all(stored.run.imported for stored in (context.stored, *context.beside))


def _same_work(source: str, reference: str) -> bool:
    """Tell whether two texts name one work: their words up to the version are the same."""
    words, others = (re.findall(r"\w+", text.casefold())[:SAME_WORDS] for text in (source, reference))
    return words == others


def _worded(context: Context, source: str) -> str:
    """Write version and date of a source in the language of the paper; titles are not translated."""

    def version(found: re.Match[str]) -> str:
        return context.messages.say("version {version}", version=found[1])

    source = re.sub(r"\bversion (\S+?)(?=,|$)", version, source)
    return re.sub(r"\d{4}-\d\d-\d\d", lambda found: context.messages.date(found[0]), source)


def reference_text(context: Context) -> str:
    """Name the published paper that the study comes from; empty where it comes from none."""
    source = context.run.plan.study_source.get("reference")
    if not isinstance(source, Mapping):
        return ""
    say, date = context.messages.say, str(source.get("date", ""))
    version = str(source.get("version", ""))
    numbered = say("version {version}", version=version) if version[:1].isdigit() else version
    dated = context.messages.date(date) if date.count("-") == 2 else date
    return ", ".join(part for part in (source["publisher"], source["title"], numbered, dated) if part)
