"""What changing one thing does, in words: the advice of papers of many systems.

Only the names of systems are compared: a processor of another frequency may have other cores too.
"""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.pairs import PIECES, Change, Effect, changes
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.curve_names import loaded_name
from iodyno.report.messages import Messages
from iodyno.report.text import capitalised

MOST_CHANGES = 6
"""Changes that a paper tells of."""


def told_changes(messages: Messages, items: Sequence[CurveAnalysis]) -> list[str]:
    """Say what the changes do that enough pairs of systems show."""
    return [_change(messages, change) for change in changes(items)[:MOST_CHANGES]]


def _change(messages: Messages, change: Change) -> str:
    clear = [effect for effect in change.effects if effect.clear]
    alike = [effect for effect in change.effects if effect.alike]
    mixed = [effect for effect in change.effects if not effect.clear and not effect.alike]
    findings = [_factor(messages, effect) for effect in clear]
    if alike:
        findings.append(
            messages.say("no appreciable difference with {profiles}", profiles=_profiles(messages, alike))
        )
    if mixed:
        findings.append(
            messages.say(
                "{profiles}: not the same in all systems, or within the intervals",
                profiles=_profiles(messages, mixed),
            )
        )
    said = messages.say(
        "{first} instead of {second}, all else named alike. {findings}.",
        first=_piece(messages, change, 0),
        second=_piece(messages, change, 1),
        findings=capitalised(messages.gathered(findings)),
    )
    return capitalised(said)


def _factor(messages: Messages, effect: Effect) -> str:
    low, high = (messages.numbers.significant(end, 2) for end in (effect.low, effect.high))
    profile = loaded_name(messages, effect.item.curve)
    if low == high:
        return messages.say("{profile}: {factor} times as much", profile=profile, factor=low)
    return messages.say("{profile}: {low} to {high} times as much", profile=profile, low=low, high=high)


def _profiles(messages: Messages, effects: Sequence[Effect]) -> str:
    """List profiles among other findings: in quotes, as names have commas and the findings semicolons."""
    names = dict.fromkeys(loaded_name(messages, effect.item.curve) for effect in effects)
    return messages.listed([messages.say("“{name}”", name=name) for name in names])


def _piece(messages: Messages, change: Change, which: int) -> str:
    """Give a piece of a system's name in the language: where it stands in the whole name."""
    raw, name = (change.first, change.second)[which], change.names[which]
    said, pieces = PIECES.split(messages.titled(name)), PIECES.split(name)
    return said[pieces.index(raw)] if len(said) == len(pieces) else messages.of_study(raw)
