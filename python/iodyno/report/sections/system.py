"""The system under test, as far as it could be read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from iodyno.report import rows_in_common
from iodyno.report.context import Context
from iodyno.report.document import (
    Block,
    Callout,
    Cell,
    Code,
    CodeBlock,
    Column,
    Facts,
    Heading,
    Paragraph,
    Table,
    Text,
)
from iodyno.report.messages import N_
from iodyno.report.names import capacity, size
from iodyno.report.sections.attachments import FEW_SYSTEMS, own_systems, part_file, study_name
from iodyno.report.sections.simulated import named_or_counted
from iodyno.system import FACT_LABELS, SECTION_LABELS, Fact, Section
from iodyno.system.failed import failed_positions

_REBUILD = re.compile(r"rebuild of each asked at ([0-9.]+) MB/s")
"""The rate at which failed members are to be rebuilt."""
_LINK = re.compile(r"(\d+ × )?(.+?) \((\d+) MB/s\)(?:, |$)")
"""A link, or several that are alike, with its rate."""
_NUMBERED, _SIZE = re.compile(r"volume(-\d+)?"), re.compile(r"(\d+) GB")
"""A volume that has no name of its own, and a size in whole GB."""
_PARTED = re.compile(r", (?![^()]*\))")
"""What stands between pieces; brackets hold their commas."""
_UNITS = {"us": "µs", "degC": "°C"}
VOLUME_TEXTS = (
    N_("RAID {level} of {count} drives by the host"),
    N_("RAID {level} of {count} drives"),
    N_("RAID {level} of {count} drive"),
    N_("strip {size} by the host"),
    N_("strip {size}"),
    N_("{count} failed"),
    N_("no rebuild"),
    N_("single drive by the host"),
    N_("single drive"),
    N_("read-ahead"),
    N_("no read-ahead"),
    N_("write-back"),
    N_("always write-back"),
    N_("write-through"),
    N_("cached"),
    N_("direct"),
    N_("fast path"),
    N_("drive caches on"),
    N_("drive caches off"),
    N_("volume"),
)
"""What the facts of a virtual system say of a volume, between commas."""
HOST_FACTS = (
    "virtual_server",
    "virtual_processors",
    "virtual_clock",
    "virtual_cores",
    "virtual_software",
    "virtual_settings",
)
"""Facts of a virtual system that decide what an I/O costs beside its drives and controllers."""
SETTINGS = (
    N_("Default: balanced energy settings, virtualisation and C6 on"),
    N_("Performance: energy settings for performance, C6 off"),
    N_("Power plan: high performance plan of the operating system, firmware settings at their defaults"),
)
"""Titles of the power settings of the catalogue."""
SOFTWARE = (
    N_("Linux, NVMe driver, io_uring"),
    N_("Linux, SCSI driver, io_uring"),
    N_("Red Hat Enterprise Linux 7.3, NVMe driver"),
    N_("Windows Server 2012, NTFS, IaNVMe driver"),
    N_("Windows, raw device, MegaRAID driver"),
    N_("Windows, raw device, onboard software RAID"),
)
"""Titles of the host software of the catalogue."""
OTHER_DRIVES = (
    N_("drives behind {controller}"),
    N_("drives on {controller}"),
    N_("NVMe drives of the host"),
)
"""Drives that the only software of a host is not for."""
CLAUSES = (N_("active: {names}"), N_("vulnerable: {names}"), N_("none"))
"""What the facts of a machine say in words of iodyno, between semicolons."""
LINK_TEXTS = (N_("{link} of {part}"),)
"""What a link of a virtual system is called."""
CACHES = "virtual_drive_caches"
"""The fact whether the write caches of the drives are on, where all of a system are alike."""
UNTABLED = ("virtual_tree", "virtual_part_file", "virtual_software_others")
"""Facts that are whole files, or that a note says."""
CACHE_MODES = ("write_cache",)
"""Facts that the kernel words as a mode of a cache, which the volumes of virtual systems have too."""


def blocks(context: Context) -> list[Block]:
    """Make the section: a heading and facts for each part of the system."""
    say = context.messages.say
    made: list[Block] = [Heading(1, say("System under test"), "system")]
    sections = [section for section in context.run.system.sections if section.facts]
    if not sections:
        return [*made, Paragraph(say("Nothing is known of the system under test."))]
    virtual = [section for section in sections if section.code == "virtual_system"]
    if len(virtual) > FEW_SYSTEMS:
        hosts = _hosts(context, virtual)
        made += _host_blocks(context, virtual, hosts)
        made.append(_virtual_table(context, virtual, hosts))
        made += _charged(context, virtual)
        made += _study(context)
        sections = [section for section in sections if section.code != "virtual_system"]
    for number, section in enumerate(sections):
        if section.code == "virtual_part":
            made += _part(context, section)
            continue
        known = known_facts(context, section)
        if known:
            made.append(Heading(2, _name(context, section), f"system-{section.code}-{number}"))
            made.append(Facts(known))
            made += _charged(context, [section])
            made += _tree(context, section)
    return made + _unknown(context, sections)


def _charged(context: Context, sections: Sequence[Section]) -> list[Block]:
    """Say of which drives the costs in the host are those of software that is for others; of many systems, in
    which of them."""
    messages = context.messages
    told: dict[str, list[str]] = {}
    for section in sections:
        if found := _others(context, section):
            told.setdefault(found, []).append(messages.titled(section.subject))
    return [
        Callout(
            said
            if len(titles) == len(sections)
            else messages.say("{name}: {finding}", name=named_or_counted(context, titles), finding=said)
        )
        for said, titles in told.items()
    ]


def _others(context: Context, section: Section) -> str:
    messages, others = context.messages, section.value("virtual_software_others")
    if others is None:
        return ""
    drives = [messages.composed(text, OTHER_DRIVES) for text in str(others).split("; ")]
    return messages.say(
        "The only host software, “{software}”, is not for {drives}; what their I/Os cost in the host is "
        "taken from it all the same. With software that is for them it can be more or less.",
        software=_fact(context, section, "virtual_software"),
        drives=messages.listed(drives),
    )


def _tree(context: Context, section: Section) -> list[Block]:
    """Print the file of a system that the catalogue does not have: so anybody can simulate it."""
    tree = section.value("virtual_tree")
    if tree is None:
        return []
    text = context.messages.compose(
        "This is the system as a file, which {command} takes:", command=Code("iodyno simulate --on FILE.toml")
    )
    return [Paragraph(text), CodeBlock(str(tree))]


def _study(context: Context) -> list[Block]:
    """Say where those of many systems are that nobody else has: their files would fill pages."""
    if not own_systems(context.run):
        return []
    text = context.messages.compose(
        "Not all of these systems come with the tool. The study with all of them in it, {file}, is attached "
        "to this document; {command} simulates it again.",
        file=Code(study_name(context)),
        command=Code(f"iodyno simulate {study_name(context)}"),
    )
    return [Paragraph(text)]


def _part(context: Context, section: Section) -> list[Block]:
    """Print a part that does not come with iodyno, whole: without it nobody can simulate the system."""
    text = context.messages.compose(
        "This part of a system above does not come with the tool. It is printed as it was when the run was "
        "made; the file {file}, which is attached to this document, is found again in the folder that "
        "{variable} names:",
        file=Code(part_file(section.subject)),
        variable=Code("$IODYNO_PARTS"),
    )
    heading = Heading(2, _name(context, section), f"part-{section.subject}")
    return [heading, Paragraph(text), CodeBlock(str(section.value("virtual_part_file")).strip())]


Host = tuple[tuple[str, str], ...]
"""What decides the cost of an I/O in a host: labels and values."""


def _hosts(context: Context, sections: list[Section]) -> list[Host]:
    """Give the hosts of many systems, each once.

    Runs that were kept before know nothing of a host but its cores: of those nothing is said.
    """
    if not any(section.get("virtual_processors") for section in sections):
        return []
    return list(dict.fromkeys(_host(context, section) for section in sections))


def _host(context: Context, section: Section) -> Host:
    return tuple(
        (_label(context, fact), _value(context, fact)) for fact in section.facts if fact.code in HOST_FACTS
    )


def _host_name(context: Context, number: int) -> str:
    """Call a host by a number that stays beside its word."""
    name = context.messages.say("Host {number}", number=context.numbers.integer(number))
    return name.replace(" ", "\u00a0")


def _host_blocks(context: Context, sections: list[Section], hosts: list[Host]) -> list[Block]:
    """Say once what all hosts have in common; of the rest each has a row, with how many systems have it."""
    labels = dict.fromkeys(label for host in hosts for label, _ in host)
    values = {label: [dict(host).get(label, "") for host in hosts] for label in labels}
    common = tuple((label, found[0]) for label, found in values.items() if len(set(found)) == 1)
    caches = {_fact(context, section, CACHES) for section in sections}
    if len(caches) == 1 and "" not in caches:
        common = (*common, (context.messages.known(FACT_LABELS[CACHES]), caches.pop()))
    made: list[Block] = [Facts(common)] if common else []
    if len(hosts) < 2:
        return made
    own = {label: found for label, found in values.items() if len(set(found)) > 1}
    counts = Counter(_host(context, section) for section in sections)
    say, integer = context.messages.say, context.numbers.integer
    rows = tuple(
        (
            Cell(_host_name(context, number), strong=True),
            *(Cell(found[number - 1] or "–") for found in own.values()),
            Cell(integer(counts[host])),
        )
        for number, host in enumerate(hosts, 1)
    )
    counted = context.messages.known(FACT_LABELS["virtual_cores"])
    columns = (
        Column(say("Host")),
        *(Column(label, "right" if label == counted else "left") for label in own),
        Column(say("Systems"), "right"),
    )
    caption = say("The hosts of the virtual systems")
    return [*made, Table(columns=columns, rows=rows, caption=caption, key="table-hosts")]


def _virtual_table(context: Context, sections: list[Section], hosts: list[Host]) -> Table:
    """Describe many virtual systems, a row each; the table of the interfaces has their links."""
    codes = dict.fromkeys(fact.code for section in sections for fact in section.facts)
    caches = {_fact(context, section, CACHES) for section in sections}
    told = ("virtual_controllers", "virtual_volumes", *([CACHES] if len(caches) > 1 else []))
    shown = [code for code in codes if code in told]
    label = {fact.code: _label(context, fact) for section in sections for fact in section.facts}
    say = context.messages.say
    label[CACHES] = say("Drive caches on")  # beside texts of two lines a row, no head of six
    groups: dict[str, list[int]] = {}
    for place, section in enumerate(sections):
        groups.setdefault(_fact(context, section, "virtual_drives"), []).append(place)

    def host(section: Section) -> tuple[Cell, ...]:
        if len(hosts) < 2:
            return ()
        return (Cell(_host_name(context, hosts.index(_host(context, section)) + 1)),)

    names = [context.messages.titled(section.subject) for section in sections]
    cells = [
        (*host(section), *(Cell(_fact(context, section, code) or "–") for code in shown))
        for section in sections
    ]
    rows: list[tuple[Cell, ...]] = []
    for drives, those in groups.items():
        rows.append((Cell(drives),))
        rows += rows_in_common.rows_of(context, names, cells, those)
    return Table(
        columns=(
            Column(say("Configuration")),
            *([Column(say("Host"))] if len(hosts) > 1 else []),
            *(Column(label[code]) for code in shown),
            *rows_in_common.counted_columns(context, len(names)),
        ),
        rows=tuple(rows),
        caption=say("The virtual systems of this paper"),
        key="table-systems",
        notes=rows_in_common.note(context, len(names)),
    )


def _fact(context: Context, section: Section, code: str) -> str:
    return next((_value(context, fact) for fact in section.facts if fact.code == code), "")


def known_facts(context: Context, section: Section) -> tuple[tuple[str, Text], ...]:
    """Give what is known of a part of a system, but for what stands below: labels and values."""
    return tuple(
        (_label(context, fact), _value(context, fact))
        for fact in section.facts
        if fact.value is not None and fact.code not in UNTABLED
    )


def _unknown(context: Context, sections: list[Section]) -> list[Block]:
    """Say what could not be read, gathered by reason."""
    items = tuple(
        (_name(context, section), context.messages.gathered(_reasons(context, section)))
        for section in sections
        if any(fact.value is None for fact in section.facts)
    )
    if not items:
        return []
    return [Heading(2, context.messages.say("What could not be read"), "system-unknown"), Facts(items)]


def _reasons(context: Context, section: Section) -> list[str]:
    missing: dict[str, list[str]] = {}
    for fact in section.facts:
        if fact.value is None:
            missing.setdefault(fact.missing, []).append(_label(context, fact))
    return [
        context.messages.in_brackets(context.messages.gathered(labels), context.messages.known(reason))
        for reason, labels in missing.items()
    ]


def _name(context: Context, section: Section) -> str:
    label = context.messages.known(SECTION_LABELS.get(section.code, section.code))
    subject = (
        context.messages.titled(section.subject) if section.code == "virtual_system" else section.subject
    )
    return f"{label} {subject}".rstrip()


def _label(context: Context, fact: Fact) -> str:
    return context.messages.known(FACT_LABELS.get(fact.code, fact.code))


def _value(context: Context, fact: Fact) -> str:
    messages, value = context.messages, fact.value
    if fact.code == "virtual_volumes":
        return _volumes(context, str(value or ""))
    if fact.code == "virtual_links":
        return _links(context, str(value or ""))
    if fact.code == "virtual_drives":
        return messages.part(str(value or ""))
    if fact.code == "virtual_software":
        return messages.gathered([messages.known(title) for title in str(value or "").split("; ")])
    if fact.code == "virtual_settings":
        return messages.known(str(value or ""))
    if fact.code in ("mitigations", "idle_disabled"):
        return messages.gathered([messages.composed(text, CLAUSES) for text in str(value or "").split("; ")])
    if fact.unit == "GHz" and isinstance(value, int | float):
        return f"{messages.numbers.shortest(value)} GHz"
    if fact.code in CACHE_MODES:
        return messages.known(str(value or "").replace(" ", "-"))
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return messages.say("yes") if value else messages.say("no")
    if fact.unit == "bytes":
        return size(messages, value)
    if fact.unit == "bytes_base10":
        return capacity(messages, value)
    if isinstance(value, int):
        number = messages.numbers.integer(value) if fact.unit else str(value)
    else:
        number = messages.numbers.significant(value, 4)
    return f"{number} {_UNITS.get(fact.unit, fact.unit)}".rstrip()


def _links(context: Context, text: str) -> str:
    """Say the links of a virtual system, each with its rate."""
    messages, integer = context.messages, context.messages.numbers.integer
    return messages.enumerated(
        [
            f"{count}{messages.composed(name, LINK_TEXTS)} ({integer(int(rate))} MB/s)"
            for count, name, rate in _LINK.findall(text)
        ]
    )


def _volumes(context: Context, text: str) -> str:
    """Say what is known of the volumes, piece by piece; those that differ in their number alone together."""
    found: dict[tuple[str, ...], int] = {}
    for volume in text.split("; "):
        name, *pieces = _PARTED.split(volume)
        kind = tuple(pieces) if _NUMBERED.fullmatch(name) and pieces else (name, *pieces)
        found[kind] = found.get(kind, 0) + 1
    return context.messages.gathered(
        [
            f"{count} × {_pieces(context, kind)}" if count > 1 else _pieces(context, kind)
            for kind, count in found.items()
        ]
    )


def _pieces(context: Context, pieces: Sequence[str]) -> str:
    messages = context.messages

    def said(piece: str) -> str:
        if size := _SIZE.fullmatch(piece):
            return capacity(messages, int(size[1]) * 10**9)
        if rate := _REBUILD.fullmatch(piece):
            return messages.say(
                "rebuild of each asked at {rate} MB/s", rate=messages.numbers.shortest(float(rate[1]))
            )
        if positions := failed_positions(piece):
            return messages.say_n(
                "{count} failed (position {positions})",
                "{count} failed (positions {positions})",
                len(positions),
                positions=messages.listed([messages.numbers.integer(place) for place in positions]),
            )
        return messages.composed(piece, VOLUME_TEXTS)

    return messages.enumerated([said(piece) for piece in pieces])
