"""What a reader must know before any figure: remarks on the run as a whole."""

from __future__ import annotations

from iodyno.report.context import Context
from iodyno.report.names import profile_name
from iodyno.report.sentences.search import brackets_note

MOST_PROFILES = 4
"""Load profiles without a point that are named; of more their number is told."""


def remarks(context: Context) -> list[str]:
    """Give the remarks that apply, the gravest first; none for a run without reproach."""
    candidates = [
        _unoptimised(context),
        _imported(context),
        _simulated(context),
        _nothing_asked(context),
        _corruptions(context),
        _trimmed(context),
        _errors(context),
        _buffered(context),
        _unwritten(context),
        _virtual(context),
        *brackets_note(context.messages, context.analysis.searches),
        _incomplete(context),
        _host(context),
        _submission(context),
        _disturbed(context),
        _unsteady(context),
        _capped(context),
    ]
    return [text for text in candidates if text]


def _unoptimised(context: Context) -> str:
    if context.analysis.optimised:
        return ""
    return context.messages.say(
        "The engine was built without optimisation: its figures say little about the storage."
    )


def _imported(context: Context) -> str:
    if not context.run.imported:
        return ""
    return context.messages.say(
        "iodyno did not measure this: the figures are results of {tool} that were imported. Nothing was "
        "watched beside the measurement, and no point was judged.",
        tool=context.run.imported,
    )


def _simulated(context: Context) -> str:
    if not context.run.simulated:
        return ""
    return context.messages.say("The figures are simulated; no real storage was measured.")


def _nothing_asked(context: Context) -> str:
    if not any(context.analysis.named(code) for code in ("null_engine", "nop_engine")):
        return ""
    return context.messages.say("The engine asked nothing of the storage: the figures are its own cost.")


def _unwritten(context: Context) -> str:
    if not context.analysis.named("contents_not_written"):
        return ""
    return context.messages.say(
        "Part of what was read had not been written before, as far as could be seen: such reads can be "
        "faster."
    )


def _host(context: Context) -> str:
    count = context.analysis.limited_by("host")
    if not count:
        return ""
    return context.messages.say_n(
        "At {count} of {points} points the host was the limit, not the storage.",
        "At {count} of {points} points the host was the limit, not the storage.",
        count,
        points=context.numbers.integer(context.analysis.points),
    )


def _submission(context: Context) -> str:
    points = [
        found.at
        for item in context.analysis.curves
        for found in item.limits
        if found.by == "submission" and found.at.verdict.state != "disturbed"
    ]
    if not points:
        return ""
    return context.messages.say_n(
        "At {count} of {points} points the host kept only {share} of the I/Os asked for outstanding.",
        "At {count} of {points} points the host kept fewer I/Os outstanding than were asked for, down to "
        "{share}.",
        len(points),
        points=context.numbers.integer(context.analysis.points),
        share=context.numbers.percent(min(at.depth_kept for at in points), 0),
    )


def _errors(context: Context) -> str:
    count = context.analysis.errors
    if not count:
        return ""
    return context.messages.say_n(
        "{count} I/O failed or came back short.", "{count} I/Os failed or came back short.", count
    )


def _corruptions(context: Context) -> str:
    count = context.analysis.corruptions
    if count:
        return context.messages.say_n(
            "{count} place did not hold the data that had been written to it.",
            "{count} places did not hold the data that had been written to them.",
            count,
        )
    if not context.analysis.verified:
        return ""
    if context.analysis.trimmed_share:
        return context.messages.say(
            "All data was verified that had not been trimmed: what was read of it was what had been written. "
            "The figures hold the cost of that."
        )
    return context.messages.say(
        "All data was verified: whatever was read was what had been written. "
        "The figures hold the cost of that."
    )


def _trimmed(context: Context) -> str:
    share = context.analysis.trimmed_share
    if not share:
        return ""
    return context.messages.say(
        "{share} of what was read back to verify it had been trimmed. Nothing says what a trimmed block "
        "holds: only data of other places would have been told there.",
        share=context.numbers.percent(share, 1),
    )


def _buffered(context: Context) -> str:
    if context.analysis.direct:
        return ""
    if not any(at.point.direct for item in context.analysis.curves for at in item.curve.points):
        return context.messages.say(
            "No point bypassed the caches of the operating system: figures can be those of main memory."
        )
    return context.messages.say(
        "Not every point bypassed the caches of the operating system: figures can be those of main memory."
    )


def _incomplete(context: Context) -> str:
    done, planned = context.analysis.points, context.analysis.planned
    if done >= planned:
        return ""
    said = context.messages.say_n(
        "{count} of {planned} planned points is missing: the run ended before it.",
        "{count} of {planned} planned points are missing: the run ended before them.",
        planned - done,
        planned=context.numbers.integer(planned),
    )
    return context.messages.flow((said, _unasked_profiles(context)))


def _unasked_profiles(context: Context) -> str:
    """Name the profiles of which a run has no point at all, or say how many they are."""
    answered = {profile.name for result in context.stored.results for profile in result.point.profiles}
    found = {profile.name: profile for point in context.lacking for profile in point.profiles}
    names = [profile_name(context.messages, one) for name, one in found.items() if name not in answered]
    if not names:
        return ""
    if len(names) <= MOST_PROFILES:
        return context.messages.say("Without any point: {profiles}.", profiles=context.messages.listed(names))
    return context.messages.say_n(
        "{count} load profile has no point at all.", "{count} load profiles have no point at all.", len(names)
    )


def _virtual(context: Context) -> str:
    if context.run.system.value("virtualisation", "virtual_machine") is not True:
        return ""
    return context.messages.say(
        "The system is a virtual machine: caches of its host cannot be bypassed from within, and neither "
        "they nor other guests can be seen."
    )


def _disturbed(context: Context) -> str:
    count = context.analysis.states["disturbed"]
    if not count:
        return ""
    if 1 < count == context.analysis.points:
        return context.messages.say(
            "All {count} points were disturbed (‡).",
            count=context.numbers.integer(count),
        )
    return context.messages.say_n(
        "{count} of {points} points was disturbed (‡).",
        "{count} of {points} points were disturbed (‡).",
        count,
        points=context.numbers.integer(context.analysis.points),
    )


def _unsteady(context: Context) -> str:
    count = context.analysis.states["not_steady"]
    if not count:
        return ""
    if 1 < count == context.analysis.points:
        return context.messages.say(
            "None of the {count} points reached a steady state (†).",
            count=context.numbers.integer(count),
        )
    return context.messages.say_n(
        "{count} of {points} points reached no steady state (†).",
        "{count} of {points} points reached no steady state (†).",
        count,
        points=context.numbers.integer(context.analysis.points),
    )


def _capped(context: Context) -> str:
    count, bare = context.analysis.states["capped"], _without_interval(context)
    if not count:
        return ""
    if bare == count:
        return _capped_and_bare(context, count)
    said = _capped_with_intervals(context, count)
    if not bare:
        return said
    without = context.messages.say_n(
        "{count} of these has no interval.", "{count} of these have no interval.", bare
    )
    return context.messages.flow((said, without))


def _without_interval(context: Context) -> int:
    """Count the points that lasted as long as allowed and have no interval even so."""
    points = (at for item in context.analysis.curves for at in item.curve.points)
    return sum(at.verdict.state == "capped" and at.main.half_width is None for at in points)


def _capped_and_bare(context: Context, count: int) -> str:
    if 1 < count == context.analysis.points:
        return context.messages.say(
            "All {count} points lasted as long as allowed and have no interval (*).",
            count=context.numbers.integer(count),
        )
    return context.messages.say_n(
        "{count} of {points} points lasted as long as allowed and has no interval (*).",
        "{count} of {points} points lasted as long as allowed and have no interval (*).",
        count,
        points=context.numbers.integer(context.analysis.points),
    )


def _capped_with_intervals(context: Context, count: int) -> str:
    if 1 < count == context.analysis.points:
        return context.messages.say(
            "All {count} points lasted as long as allowed without reaching the precision asked for (*); "
            "their intervals say how precise they are.",
            count=context.numbers.integer(count),
        )
    return context.messages.say_n(
        "{count} of {points} points lasted as long as allowed without reaching the precision asked for (*); "
        "its interval says how precise it is.",
        "{count} of {points} points lasted as long as allowed without reaching the precision asked for (*); "
        "their intervals say how precise they are.",
        count,
        points=context.numbers.integer(context.analysis.points),
    )
