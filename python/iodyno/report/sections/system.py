"""The system under test, as far as it could be read."""

from __future__ import annotations

from iodyno.report.context import Context
from iodyno.report.document import Block, Facts, Heading, Paragraph, Text
from iodyno.report.names import capacity, size
from iodyno.system import FACT_LABELS, SECTION_LABELS, Fact, Section

_UNITS = {"us": "µs", "degC": "°C"}


def blocks(context: Context) -> list[Block]:
    """Make the section: a heading and facts for each part of the system."""
    say = context.messages.say
    made: list[Block] = [Heading(1, say("System under test"), "system")]
    sections = [section for section in context.run.system.sections if section.facts]
    if not sections:
        return [*made, Paragraph(say("Nothing is known of the system under test."))]
    for number, section in enumerate(sections):
        made.append(Heading(2, _name(context, section), f"system-{section.code}-{number}"))
        made.append(Facts(_items(context, section)))
    return made


def _items(context: Context, section: Section) -> tuple[tuple[str, Text], ...]:
    """Give what is known, one a line, then what is not, one line a reason."""
    known = [
        (_label(context, fact), _value(context, fact)) for fact in section.facts if fact.value is not None
    ]
    missing: dict[str, list[str]] = {}
    for fact in section.facts:
        if fact.value is None:
            missing.setdefault(fact.missing, []).append(_label(context, fact))
    reasons = [
        (context.messages.say("Not known"), f"{', '.join(labels)} ({context.messages.known(reason)})")
        for reason, labels in missing.items()
    ]
    return (*known, *reasons)


def _name(context: Context, section: Section) -> str:
    label = context.messages.known(SECTION_LABELS.get(section.code, section.code))
    return f"{label} {section.subject}".rstrip()


def _label(context: Context, fact: Fact) -> str:
    return context.messages.known(FACT_LABELS.get(fact.code, fact.code))


def _value(context: Context, fact: Fact) -> str:
    messages, value = context.messages, fact.value
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return messages.say("yes") if value else messages.say("no")
    if fact.unit == "bytes":
        return size(messages, value)
    if fact.unit == "bytes_base10":
        return capacity(messages, value)
    number = str(value) if isinstance(value, int) else messages.numbers.significant(value, 4)
    return f"{number} {_UNITS.get(fact.unit, fact.unit)}".rstrip()
