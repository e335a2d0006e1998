"""When a point ends, and what its interval rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from iodyno.plan import Stopping
from iodyno.report.context import Context
from iodyno.report.document import Block, Cell, Column, Link, Paragraph, Table, Text
from iodyno.report.names import profile_name
from iodyno.report.sections import simulated

SHORT_S = 5.0
"""Below so many seconds of measurement the reader is told what their interval leaves out."""
MOST_SECTIONS = 2
"""Sections whose titles a row holds; of more it has the numbers, which lead to them."""

Place: TypeAlias = tuple[str, str, str]
"""Section and profile of a point, and the virtual system that it is of."""
Used: TypeAlias = Mapping[Stopping, Sequence[Place]]
"""By rule, the places of the points that it ends."""


def blocks(context: Context) -> list[Block]:
    """Describe each stopping rule of the plan; nearly always there is one."""
    used, each = _used(context, each=False), _used(context, each=True)
    of_each = len(each) < len(used)
    used = each if of_each else used
    lengths_alone = len({(rule.precision, rule.confidence) for rule in used}) == 1
    if len(used) > 1 and lengths_alone and all(rule.cap_ios is not None for rule in used):
        made: list[Block] = [Paragraph(simulated.rules(context, next(iter(used)))), _table(context, used)]
    else:
        made = [Paragraph(_rule(context, rule)) for rule in used]
    if of_each:
        made.append(Paragraph(simulated.for_each_target(context)))
    if context.run.simulated:
        made.append(Paragraph(context.messages.flow(list(simulated.counted(context)))))
    return [
        *made,
        *(Paragraph(text) for text in _short(context, tuple(used))),
        Paragraph(
            context.messages.say(
                "The samples of a time series depend on each other, which makes a plain standard error too "
                "small. The intervals therefore rest on means of batches that are longer than this "
                "dependence, with the remaining correlation of successive batches corrected for. What has "
                "not settled at the beginning is cut off before. Percentiles come from histograms of all "
                "I/Os with a resolution of 0.8% and are never averaged."
            )
        ),
    ]


def _used(context: Context, *, each: bool) -> Used:
    """Find what ends by each rule; with ``each`` the rules as they are for each of several targets."""
    found: dict[Stopping, dict[Place, None]] = {}
    for point in context.run.plan.points:
        place = (point.sweep, profile_name(context.messages, point.profile), point.system or "")
        rule = simulated.of_each_target(point) if each else point.stopping
        found.setdefault(rule, {})[place] = None
    return {rule: tuple(places) for rule, places in found.items()}


def _table(context: Context, used: Used) -> Table:
    """Tell what ends by each rule: the profiles, the sections where a profile has several rules, and the
    systems where it has several in one section. Beside sections the rule of most comes last, for all that
    the others do not name."""
    messages, numbers = context.messages, context.numbers
    say = messages.say

    def in_several(what: slice) -> bool:
        those = [{place[what] for place in places} for places in used.values()]
        return sum(map(len, those)) > len(set().union(*those))

    by_system = context.run.simulated and in_several(slice(0, 2))
    apart = len({frozenset(section for section, _, _ in places) for places in used.values()}) > 1
    by_section = apart and in_several(slice(1, 2))
    most = max(used, key=lambda rule: len(used[rule])) if by_section else None
    order = sorted(used, key=lambda rule: rule == most)
    counted = all(len({system for _, _, system in places}) > simulated.MOST_NAMED for places in used.values())

    def sections(places: Sequence[Place]) -> Text:
        names = list(dict.fromkeys(sweep for sweep, _, _ in places))
        if len(names) > MOST_SECTIONS and set(names) <= set(context.analysis.sweeps):
            return messages.linked([Link("", f"sweep-{name}") for name in names])
        return messages.gathered([context.section_title(name) for name in names])

    def row(rule: Stopping, places: Sequence[Place]) -> tuple[Cell, ...]:
        profiles = list(dict.fromkeys(profile for _, profile, _ in places))
        systems = list(dict.fromkeys(system for _, _, system in places))
        where = say("All other points") if rule == most else sections(places)
        count = numbers.integer(len(systems))
        return (
            *((Cell(where),) if by_section else ()),
            *((Cell(count if counted else simulated.systems_text(context, systems)),) if by_system else ()),
            Cell(messages.names(profiles)),
            *(Cell(numbers.integer(count or 0)) for count in (rule.warmup_ios, rule.floor_ios, rule.cap_ios)),
        )

    return Table(
        columns=(
            *((Column(say("Section")),) if by_section else ()),
            *((Column(say("Systems"), "right" if counted else "left"),) if by_system else ()),
            Column(say("Load profiles")),
            Column(say("Not counted"), "right", say("I/Os")),
            Column(say("Counted, at least"), "right", say("I/Os")),
            Column(say("At most"), "right", say("I/Os")),
        ),
        rows=tuple(row(rule, used[rule]) for rule in order),
        caption=say("How long the points are"),
        key="table-stopping",
    )


def _rule(context: Context, rule: Stopping) -> str:
    messages, numbers = context.messages, context.numbers
    if rule.cap_ios is not None:
        return simulated.rule(context, rule)
    seconds = {
        "warmup": numbers.shortest(rule.warmup_s),
        "floor": numbers.shortest(rule.floor_s),
        "cap": numbers.shortest(rule.cap_s),
        "precision": numbers.chosen(rule.precision),
        "confidence": numbers.chosen(rule.confidence),
    }
    if rule.floor_s >= rule.cap_s:
        return messages.say(
            "Each point runs {warmup} s of warm-up that is not counted, then {cap} s, of which what had not "
            "settled, up to a half, is not counted either. The precision that is aimed at is an interval of "
            "±{precision} at {confidence} confidence; the time is fixed, so the interval is what this time "
            "gave.",
            **{key: seconds[key] for key in ("warmup", "cap", "precision", "confidence")},
        )
    return messages.say(
        "Each point runs {warmup} s of warm-up that is not counted, then at least {floor} s, of which what "
        "had not settled, up to a half, is not counted either. It ends when the {confidence} interval of its "
        "main figure is within ±{precision} and no drift is found, at each check until half as much time "
        "again is measured, or after {cap} s.",
        **seconds,
    )


def _short(context: Context, rules: tuple[Stopping, ...]) -> list[str]:
    """Say what a measurement of a few seconds cannot know."""
    if context.run.simulated or min(rule.cap_s for rule in rules) >= SHORT_S:
        return []
    return [
        context.messages.say(
            "An interval of a few seconds is that of the time measured: slower movements, of the system or "
            "of what else runs on it, are not in it, and a repetition can differ by more."
        )
    ]
