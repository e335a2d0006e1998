"""Configurations set against others, in words: where they are level, and what one has more elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iodyno.analysis.against import Compared, Loads, Pair, Relation, runs
from iodyno.analysis.estimate import APPRECIABLE
from iodyno.report.curve_names import curve_place, loaded_name
from iodyno.report.document import Strong, Text
from iodyno.report.messages import Messages, has_brackets
from iodyno.report.sentences.curve import capitalised
from iodyno.report.shared_words import told_apart

MOST_RUNS = 4
"""Parts of the load that a sentence tells apart; of more it has at how many loads what is so."""
RELATIONS: tuple[Relation, ...] = ("more", "less", "level", "unknown")
"""In this order a sentence has them where it counts loads."""
AS_GOOD_AS_ONE = 0.01
"""A profile whose quotients are all shown to be no further from 1 has no range of them."""


def loads_text(messages: Messages, loads: Loads, *, alone: bool = False) -> str:
    """Write the loads of a quotient: ``8``, ``1 to 32`` or ``maximum``; what stands alone says what it is."""
    if loads.maxima:
        return capitalised(messages.say("maximum"))
    if loads.rate_io_s:
        rate = messages.numbers.asked(loads.rate_io_s)
        return messages.say("{rate} IO/s", rate=rate) if alone else rate
    if loads.first == loads.last:
        if alone:
            return messages.say_n("{count} outstanding I/O", "{count} outstanding I/Os", loads.first)
        return messages.numbers.integer(loads.first)
    write = messages.numbers.integer
    text = messages.say("{first} to {last}", first=write(loads.first), last=write(loads.last))
    return messages.say("{loads} outstanding I/Os", loads=text) if alone else text


def pair_names(messages: Messages, pairs: Sequence[Pair]) -> tuple[str, list[str]]:
    """Name each two configurations, with what they share before the first ÷ the second.

    Returns
    -------
    tuple
        What is the same in all names and left out of them, where that is what is divided by what; and the
        names.
    """
    found = [_shared_and_quotient(messages, pair) for pair in pairs]
    quotients, shared = {quotient for _, quotient in found}, [of for of, _ in found]
    if len(found) > 1 and len(quotients) == 1 and len(set(shared)) == len(shared) and all(shared):
        return quotients.pop(), shared
    return "", [
        messages.say("{name}: {finding}", name=of, finding=quotient) if of else quotient
        for of, quotient in found
    ]


def _shared_and_quotient(messages: Messages, pair: Pair) -> tuple[str, str]:
    names = [curve_place(messages, item.curve, several=True) for item in (pair.item, pair.other)]
    shared, (first, second) = told_apart(names)
    return shared, messages.say("{first} ÷ {second}", first=first, second=second)


def level_note(messages: Messages) -> str:
    """Say what is called level."""
    return messages.say(
        "Level: the intervals do not tell the two apart, or show that they differ by less than {share}.",
        share=messages.numbers.percent(APPRECIABLE, 0),
    )


def unknown_note(messages: Messages) -> str:
    """Say what is called not known."""
    return messages.say(
        "Not known: one of the two has no interval, or one so wide that it does not tell it from the other, "
        "which is known."
    )


def paragraphs(messages: Messages, rows: Sequence[Sequence[Pair]], names: Sequence[str]) -> list[Text]:
    """Say how each two configurations stand over the load; of ranges of loads, and of maxima, between which
    quotients each profile lies."""
    loads = _loads(rows)
    if len(loads) > 1 and all(at.first == at.last and not at.maxima for at in loads):
        said = [_over_loads(messages, row) for row in rows]
        return [
            messages.compose("{name}: {finding}", name=Strong(name), finding=finding)
            for name, finding in zip(names, said, strict=True)
        ]

    def place(name: str, step: Compared) -> str:
        return _cell_name(messages, name, step, among=len(loads))

    return [
        messages.compose("{name}: {finding}", name=Strong(name), finding=_range(messages, cells))
        for name, cells in _by_profile(messages, rows, names, place).items()
    ]


def spans(messages: Messages, rows: Sequence[Sequence[Pair]], names: Sequence[str]) -> str:
    """Say in a sentence between which quotients each profile lies, and where, unless it takes name and load.

    What is level everywhere stands together, and so does what is not known.
    """
    over_loads = len(_loads(rows)) > 1

    def place(name: str, step: Compared) -> str:
        if over_loads:
            return "" if len(names) > 1 else loads_text(messages, step.loads, alone=True)
        return name

    level, apart, nothing = [], [], []
    found = _by_profile(messages, rows, names, place)
    for profile, cells in found.items():
        known = [(name, step) for name, step in cells if step.relation != "unknown"]
        if not known:
            nothing.append(profile)
        elif len(known) == len(cells) and all(_is_one(step) for _, step in known):
            level.append(profile)
        else:
            span = _span(messages, profile, known)
            whole = len(known) == len(cells)
            apart.append(span if whole else messages.say("{finding} where it is known", finding=span))
    if level:
        once, profiles = all(len(found[one]) == 1 for one in level), messages.listed(level)
        apart.append(
            messages.say("level: {profiles}", profiles=profiles)
            if once
            else messages.say("level everywhere: {profiles}", profiles=profiles)
        )
    if nothing:
        apart.append(messages.say("not known: {profiles}", profiles=messages.listed(nothing)))
    return messages.say("{findings}.", findings=messages.gathered(apart))


def _span(messages: Messages, profile: str, known: Sequence[tuple[str, Compared]]) -> str:
    least, most = (pick(known, key=lambda cell: _value(cell[1])) for pick in (min, max))
    low, high = (messages.numbers.significant(_value(step)) for _, step in (least, most))
    if low == high:
        return messages.say("{profile} {factor}", profile=profile, factor=low)
    if not all(name and not has_brackets(name) for name, _ in known):
        return messages.say("{profile} {low} to {high}", profile=profile, low=low, high=high)
    return messages.say(
        "{profile} {low} ({least}) to {high} ({most})",
        profile=profile,
        low=low,
        least=least[0],
        high=high,
        most=most[0],
    )


def _by_profile(
    messages: Messages,
    rows: Sequence[Sequence[Pair]],
    names: Sequence[str],
    place: Callable[[str, Compared], str],
) -> dict[str, list[tuple[str, Compared]]]:
    """Give the quotients of each profile, each with its place: what is made of the name of its pair."""
    found: dict[str, list[tuple[str, Compared]]] = {}
    for name, row in zip(names, rows, strict=True):
        for pair in row:
            cells = found.setdefault(loaded_name(messages, pair.item.curve), [])
            cells += [(place(name, step), step) for step in pair.steps]
    return found


def _loads(rows: Sequence[Sequence[Pair]]) -> set[Loads]:
    return {step.loads for row in rows for pair in row for step in pair.steps}


def _cell_name(messages: Messages, name: str, step: Compared, *, among: int) -> str:
    return name if among == 1 else messages.enumerated([name, loads_text(messages, step.loads, alone=True)])


def _over_loads(messages: Messages, pairs: Sequence[Pair]) -> str:
    """Say where along the load two configurations are level, and what one has more elsewhere."""
    findings = [
        messages.say(
            "{name}: {finding}",
            name=loaded_name(messages, pair.item.curve),
            finding=over_loads(messages, pair.steps),
        )
        for pair in pairs
    ]
    return messages.say("{findings}.", findings=messages.gathered(findings))


def over_loads(messages: Messages, steps: Sequence[Compared]) -> str:
    """Say of single loads, in order, where two are level, and how many times as much one has elsewhere."""
    found = runs(steps)
    if len(found) > MOST_RUNS:
        return _counted(messages, steps)
    return messages.listed(
        [_run(messages, run, _place(messages, run, whole=len(found) == 1)) for run in found]
    )


def _counted(messages: Messages, steps: Sequence[Compared]) -> str:
    """Say at how many loads one has more, less or as much, and of how many nothing is known."""
    by_relation = [[step for step in steps if step.relation == relation] for relation in RELATIONS]
    write = messages.numbers.integer
    return messages.listed(
        [
            _run(
                messages,
                those,
                messages.say("at {count} of {all} loads", count=write(len(those)), all=write(len(steps))),
            )
            for those in by_relation
            if those
        ]
    )


def _run(messages: Messages, run: Sequence[Compared], place: str) -> str:
    """Say how two configurations stand at loads at which the relation is the same."""
    if run[0].relation == "level":
        return messages.say("level {load}", load=place)
    if run[0].relation == "unknown":
        return messages.say("not known {load}", load=place)
    values = [_value(step) for step in run]
    low, high = (messages.numbers.significant(value) for value in (min(values), max(values)))
    if low == high:
        return messages.say("{factor} times as much {load}", factor=low, load=place)
    return messages.say("{low} to {high} times as much {load}", low=low, high=high, load=place)


def _place(messages: Messages, run: Sequence[Compared], *, whole: bool) -> str:
    first, last = (load_number(messages, loads) for loads in (run[0].loads, run[-1].loads))
    if whole and first != last:
        return messages.say("at every load")
    if first == last:
        return messages.say("at {load}", load=first)
    return messages.say("from {first} to {last}", first=first, last=last)


def load_number(messages: Messages, loads: Loads) -> str:
    """Write a load without a unit: outstanding I/Os, or a rate."""
    if loads.rate_io_s:
        return messages.numbers.asked(loads.rate_io_s)
    return messages.numbers.integer(loads.last)


def _range(messages: Messages, cells: Sequence[tuple[str, Compared]]) -> str:
    """Say between which quotients a profile lies, how many of them the intervals do not tell from 1, and of
    how many nothing is known."""
    known = [(name, step) for name, step in cells if step.relation != "unknown"]
    if not known:
        return messages.say("nothing is known.")
    told = _between(messages, known, whole=len(known) == len(cells))
    unclear = 0 if all(_is_one(step) for _, step in known) else sum(not step.told_apart for _, step in known)
    return messages.flow(
        (
            told,
            _not_told(messages, unclear, len(known)),
            _not_known(messages, len(cells) - len(known), len(cells)),
        )
    )


def _between(messages: Messages, known: Sequence[tuple[str, Compared]], *, whole: bool) -> str:
    if whole and len(known) == 1:
        return _only(messages, known[0][1])
    if all(_is_one(step) for _, step in known):
        return messages.say("level everywhere.") if whole else messages.say("level wherever it is known.")
    least, most = (pick(known, key=lambda cell: _value(cell[1])) for pick in (min, max))
    low, high = (messages.numbers.significant(_value(step)) for _, step in (least, most))
    if low != high:
        ends = {"low": low, "least": least[0], "high": high, "most": most[0]}
        if any(map(has_brackets, (name for name, _ in known))):
            return messages.say("from {low} to {high}; least: {least}; most: {most}.", **ends)
        return messages.say("from {low} ({least}) to {high} ({most}).", **ends)
    if whole:
        return messages.say("{factor} everywhere.", factor=low)
    return messages.say("{factor} wherever it is known.", factor=low)


def _only(messages: Messages, step: Compared) -> str:
    """Say what the one quotient of a profile is: there is nothing that it is the same as."""
    if _is_one(step):
        return messages.say("level.")
    return messages.say("{factor} times as much.", factor=messages.numbers.significant(_value(step)))


def _not_told(messages: Messages, unclear: int, known: int) -> str:
    if not unclear:
        return ""
    return messages.say_n(
        "In {count} of {all} cases the interval does not tell the two apart.",
        "In {count} of {all} cases the intervals do not tell the two apart.",
        unclear,
        all=messages.numbers.integer(known),
    )


def _not_known(messages: Messages, unknown: int, every: int) -> str:
    if not unknown:
        return ""
    return messages.say_n(
        "{count} of {all} cases is not known.",
        "{count} of {all} cases are not known.",
        unknown,
        all=messages.numbers.integer(every),
    )


def _is_one(step: Compared) -> bool:
    found = step.quotient
    near = found is not None and found.low >= 1 - AS_GOOD_AS_ONE and found.high <= 1 + AS_GOOD_AS_ONE
    return near or not step.told_apart


def _value(step: Compared) -> float:
    assert step.quotient is not None, "what is unknown has no value"
    return step.quotient.value
