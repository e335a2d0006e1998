"""What simulated runs beside another were made on: systems, what of them is attached, how close they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from iodyno.analysis.closeness import compared_of
from iodyno.analysis.configurations import configuration_title
from iodyno.report.context import Context
from iodyno.report.document import Attachment, Block, Facts, Heading, Paragraph
from iodyno.report.sections import closeness
from iodyno.report.sections.attachments import FEW_SYSTEMS, own_systems, study_with, those_of_parts
from iodyno.report.sections.system import known_facts
from iodyno.store.records import StoredRun
from iodyno.system import Fact, Section
from iodyno.system.failed import as_now


def of_run(context: Context, stored: StoredRun) -> Context:
    """Give the context of a run beside this one: its names in the words of its study."""
    return replace(context, stored=stored, messages=context.messages_of(stored))


def only_system(context: Context, stored: StoredRun) -> str:
    """Give the title of the only virtual system of a run; empty where there is none, or several."""
    names = list(stored.run.plan.systems)
    if len(names) != 1:
        return ""
    return context.messages_of(stored).titled(configuration_title(stored.run.plan, names[0]))


def named(context: Context, stored: StoredRun, run: str) -> str:
    """Put what a run was made on before what the run is called, where that is one virtual system."""
    system = only_system(context, stored)
    return context.messages.enumerated([system, run] if system else [run])


def systems(context: Context, stored: StoredRun) -> list[Block]:
    """Say what the virtual systems of another run are, where they are few, which parts it has otherwise, and
    what is attached; nothing of a run whose systems and parts this one has too."""
    told, of = _told(context, stored), of_run(context, stored)
    made: list[Block] = []
    for section in told if len(told) <= FEW_SYSTEMS else ():
        name = context.messages.quoted(of.messages.titled(section.subject))
        text = context.messages.say("What run {run} simulates is {name}:", run=stored.run.id, name=name)
        made += [Paragraph(text), Facts(known_facts(of, section))]
    otherwise = _otherwise(context, stored)
    if otherwise:
        text = context.messages.say_n(
            "The part {names} of run {run} differs from that of the same name in this run.",
            "The parts {names} of run {run} differ from those of the same names in this run.",
            len(otherwise),
            run=stored.run.id,
            names=context.messages.listed(context.messages.quoted_alike(otherwise)),
        )
        made.append(Paragraph(text))
    files = [one.name for one in _files(context, stored)]
    if files:
        text = context.messages.say(
            "What of run {run} does not come with the tool is attached to this document: {files}.",
            run=stored.run.id,
            files=context.messages.listed(files),
        )
        made.append(Paragraph(text))
    return made


def _told(context: Context, stored: StoredRun) -> list[Section]:
    """Give the virtual systems of another run that this one has not."""
    here = [_facts(section) for section in context.run.system.all("virtual_system")]
    found = stored.run.system.all("virtual_system")
    return [section for section in found if section.facts and _facts(section) not in here]


def _facts(section: Section) -> tuple[object, ...]:
    return section.subject, tuple(map(_as_now, section.facts))


def _as_now(fact: Fact) -> Fact:
    """Give a fact as it is worded now: how failed members are told was another."""
    return fact.model_copy(update={"value": as_now(fact.value)}) if isinstance(fact.value, str) else fact


def _otherwise(context: Context, stored: StoredRun) -> list[str]:
    """Name the parts that another run has with other facts than this one: what the systems of both consist of
    can have the same names."""
    here = {part.subject: part.facts for part in context.run.system.all("virtual_part")}
    found = stored.run.system.all("virtual_part")
    return [part.subject for part in found if here.get(part.subject, part.facts) != part.facts]


def attachments(context: Context, already: Sequence[Attachment]) -> tuple[Attachment, ...]:
    """Give the files of the runs beside this one that it does not carry itself: studies with systems of one's
    own in them, and parts."""
    found = list(already)
    for stored in context.beside:
        found += [one for one in _files(context, stored) if one not in found]
    return tuple(found[len(already) :])


def _files(context: Context, stored: StoredRun) -> list[Attachment]:
    """Give the files of a run that has other systems or parts than this one; the names of parts that another
    run has otherwise begin with the run."""
    if not _told(context, stored) and not _otherwise(context, stored):
        return []
    of = of_run(context, stored)
    runs = [context.stored, *context.beside]
    before = runs[: next(place for place, one in enumerate(runs) if one is stored)]
    taken = [part for one in before for part in those_of_parts(of_run(context, one))]

    def apart(part: Attachment) -> Attachment:
        other = any(one.name == part.name and one.data != part.data for one in taken)
        return replace(part, name=f"{stored.run.id}-{part.name}") if other else part

    own = own_systems(stored.run)
    return [*([study_with(of, own)] if own else []), *(apart(part) for part in those_of_parts(of))]


def how_close(context: Context) -> list[Block]:
    """Say how close the model is to the parts of the simulated runs beside this one, but for those that the
    introduction has."""
    told = compared_of(context.run) if context.run.simulated else {}
    parts = {
        name: found
        for stored in context.beside
        if stored.run.simulated
        for name, found in compared_of(stored.run).items()
        if name not in told
    }
    if not parts:
        return []
    say = context.messages.say
    caption = say("Parts of the simulated runs beside published figures")
    table = closeness.table(context, parts, caption, "table-closeness-beside")
    text = "" if told else closeness.summed(context)
    return [
        Heading(2, say("How close the model is"), "closeness-beside"),
        Paragraph(context.messages.see(text, table.key)),
        table,
    ]
