"""A sweep set against another one, in words: what the load beside costs, in rate and in response time."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.against import Compared
from iodyno.analysis.two_sweeps import TAIL, Beside, What
from iodyno.report.curve_names import curve_place, loaded_name
from iodyno.report.messages import Messages
from iodyno.report.sentences.against import load_number, over_loads

MOST_SAID = 6
"""Pairs of curves of which each has its sentence; of more, it is said between which quotients they lie."""


def figure_name(messages: Messages, pair: Beside, what: What) -> str:
    """Name a figure of both, with its unit."""
    say, percentile = messages.say, messages.numbers.percentile(TAIL)
    if what == "main":
        if pair.item.curve.profile.shown_as == "throughput":
            return say("Throughput in MB/s")
        return say("Transaction rate in IO/s")
    if pair.open_loop:
        if what == "time_mean":
            return say("Mean response time in ms")
        return say("Response time {percentile} in ms", percentile=percentile)
    if what == "time_mean":
        return say("Mean latency in ms")
    return say("Latency {percentile} in ms", percentile=percentile)


def _bare_name(messages: Messages, pair: Beside, what: What) -> str:
    """Name a figure in a sentence, without its unit: a quotient has none."""
    say, percentile = messages.say, messages.numbers.percentile(TAIL)
    if what == "main":
        throughput = pair.item.curve.profile.shown_as == "throughput"
        return say("throughput") if throughput else say("transaction rate")
    if pair.open_loop:
        if what == "time_mean":
            return say("mean response time")
        return say("response time {percentile}", percentile=percentile)
    if what == "time_mean":
        return say("mean latency")
    return say("latency {percentile}", percentile=percentile)


def pair_name(messages: Messages, pair: Beside, *, several: bool) -> str:
    """Name what is set against what, and on which configuration where there are several."""
    names = [loaded_name(messages, item.curve) for item in (pair.item, pair.other)]
    name = (
        names[0]
        if names[0] == names[1]
        else messages.say("{first} ÷ {second}", first=names[0], second=names[1])
    )
    places = [
        curve_place(messages, item.curve, several=several, leave_out="profile")
        for item in (pair.item, pair.other)
    ]
    if places[0] == places[1]:
        return messages.enumerated([name, places[0]])
    told = messages.say("{first} ÷ {second}", first=places[0], second=places[1])
    return messages.enumerated([name, told])


def finding(messages: Messages, pair: Beside) -> str:
    """Say what one curve has of the other's figures: over its loads, and where it costs most."""
    told = [
        messages.say("{name}: {finding}", name=_bare_name(messages, pair, what), finding=found)
        for what in pair.figures
        if (found := _over(messages, [step.compared for step in pair.figures[what]]))
    ]
    if not told:
        return messages.say("no quotient has an interval.")
    said = messages.say("{findings}.", findings=messages.gathered(told))
    loads = {step.loads for steps in pair.figures.values() for step in steps}
    return messages.flow((said, worst(messages, pair) if len(loads) > 1 else ""))


def _over(messages: Messages, steps: Sequence[Compared]) -> str:
    """Say between which quotients loads lie; of one load with its interval; nothing where none is known."""
    if len(steps) == 1:
        return _only(messages, steps[0])
    if not any(step.quotient and step.quotient.known for step in steps):
        return ""
    if all(step.loads.first == step.loads.last and not step.loads.maxima for step in steps):
        return over_loads(messages, steps)
    known = [step.quotient for step in steps if step.quotient and step.quotient.known]
    low, high = (pick(one.value for one in known) for pick in (min, max))
    write = messages.numbers.significant
    if write(low) == write(high):
        return messages.say("{factor} times as much", factor=write(low))
    return messages.say("{low} to {high} times as much", low=write(low), high=write(high))


def _only(messages: Messages, step: Compared) -> str:
    if step.quotient is None or not step.quotient.known:
        return ""
    factor = messages.numbers.quotient(step.quotient)
    if step.relation == "level":
        return messages.say("level, {factor}", factor=factor)
    return messages.say("{factor} times as much", factor=factor)


def worst(messages: Messages, pair: Beside) -> str:
    """Say at which load most is lost and how much, with the intervals; nothing where nothing is lost."""
    found = pair.worst
    if found is None:
        return ""
    loads, at = found
    decides = at.get("time_p99") if pair.open_loop and "time_p99" in at else at.get("main")
    if decides is None or decides.relation != ("more" if decides is at.get("time_p99") else "less"):
        return ""
    told = messages.gathered(
        [
            messages.say(
                "{name}: {finding}",
                name=_bare_name(messages, pair, what),
                finding=messages.numbers.quotient(step.quotient),
            )
            for what, step in at.items()
        ]
    )
    if loads.maxima:
        return messages.say("Of the maxima, the quotients with their intervals: {findings}.", findings=told)
    if loads.rate_io_s:
        rate = load_number(messages, loads)
        return messages.say(
            "It costs most at {rate} IO/s, the quotients with their intervals: {findings}.",
            rate=rate,
            findings=told,
        )
    if loads.several:
        return messages.say(
            "It costs most at {first} to {last} outstanding I/Os, the quotients with their intervals: "
            "{findings}.",
            first=messages.numbers.integer(loads.first),
            last=messages.numbers.integer(loads.last),
            findings=told,
        )
    return messages.say_n(
        "It costs most at {count} outstanding I/O, the quotients with their intervals: {findings}.",
        "It costs most at {count} outstanding I/Os, the quotients with their intervals: {findings}.",
        loads.first,
        findings=told,
    )


def summary(messages: Messages, pairs: Sequence[Beside], names: Sequence[str]) -> str:
    """Say between which quotients many pairs lie, figure by figure."""
    every: dict[str, list[tuple[str, float]]] = {}
    for name, pair in zip(names, pairs, strict=True):
        for what, steps in pair.figures.items():
            known = [step.compared.quotient for step in steps if step.compared.relation != "unknown"]
            cells = [(name, found.value) for found in known if found is not None]
            if cells:
                every.setdefault(_bare_name(messages, pair, what), []).extend(cells)
    told = []
    for name, cells in every.items():
        least, most = (pick(cells, key=lambda cell: cell[1]) for pick in (min, max))
        span = messages.say(
            "{low} ({least}) to {high} ({most})",
            low=messages.numbers.significant(least[1]),
            least=least[0],
            high=messages.numbers.significant(most[1]),
            most=most[0],
        )
        told.append(messages.say("{name}: {finding}", name=name, finding=span))
    if not told:
        return messages.say("no quotient has an interval.")
    return messages.say("{findings}.", findings=messages.gathered(told))
