"""Technical data of the drives and controllers: from the virtual systems, or as the machine told them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from iodyno.analysis.units import mb_s
from iodyno.report.context import Context
from iodyno.report.document import Block, Cell, Column, Heading, Table
from iodyno.report.names import capacity, size
from iodyno.system import Section
from iodyno.virtual import (
    PARITY_LEVELS,
    DriveSlot,
    HddModel,
    Hop,
    LinkHop,
    VirtualController,
    VirtualSystem,
)

PS_A_MS = 1e9
MINUTE_PS = 60e12


def blocks(context: Context) -> list[Block]:
    """Make the part of the introduction; nothing where no drive is known."""
    tables = _virtual(context) if context.run.simulated else _real(context)
    if not tables:
        return []
    return [Heading(2, context.messages.say("Technical data"), "technical"), *tables]


def _virtual(context: Context) -> list[Table]:
    systems = context.run.plan.systems.values()
    drives = [(system, slot) for system in systems for slot in system.drives]
    controllers = [(system, item) for system in systems for item in system.controllers]
    made = [_drives(context, drives)]
    return made + ([_controllers(context, controllers)] if controllers else [])


def _drives(context: Context, drives: Sequence[tuple[VirtualSystem, DriveSlot]]) -> Table:
    say, last = context.messages.say, {slot.name: slot for _, slot in drives}
    links = _links((slot.name, system, slot.path) for system, slot in drives)
    return Table(
        columns=(
            Column(say("Drive")),
            Column(say("Type")),
            Column(say("Capacity"), "right"),
            Column(say("Link")),
            Column(say("Reads from its media"), "right", "MB/s"),
            Column(say("Average seek"), "right", "ms"),
        ),
        rows=tuple(_drive(context, slot, links[name]) for name, slot in last.items()),
        caption=say("The drives, as they are modelled"),
        key="table-drives",
        notes=(
            say(
                "Each number of a drive has its source in the catalogue: a data sheet, a published "
                "measurement, a fit to figures of this drive alone, or an assumption that is named as one."
            ),
        ),
    )


def _drive(context: Context, slot: DriveSlot, links: Sequence[str]) -> tuple[Cell, ...]:
    model, numbers, say = slot.model, context.numbers, context.messages.say
    if isinstance(model, HddModel):
        speed = numbers.integer(round(MINUTE_PS / model.revolution_ps))
        kind = say("hard disk, {speed} rpm", speed=speed)
        rate = f"{numbers.integer(round(mb_s(model.inner_bytes_s)))}–"
        rate += numbers.integer(round(mb_s(model.outer_bytes_s)))
        seek = numbers.significant(model.seek_average_ps / PS_A_MS)
    else:
        kind, seek = say("SSD"), "–"
        rate = numbers.integer(round(mb_s(model.data_read_bytes_s)))
    return (
        Cell(context.messages.part(slot.name), strong=True),
        Cell(kind),
        Cell(capacity(context.messages, model.capacity_bytes)),
        Cell(context.messages.enumerated(links) or "–"),
        Cell(rate),
        Cell(seek),
    )


def _controllers(context: Context, controllers: Sequence[tuple[VirtualSystem, VirtualController]]) -> Table:
    say, numbers = context.messages.say, context.numbers
    links = _links((item.name, system, item.path) for system, item in controllers)
    last = {item.name: item for _, item in controllers}
    with_parity = {
        item.name
        for _, item in controllers
        if any(logical.array.level in PARITY_LEVELS for logical in item.logicals)
    }
    return Table(
        columns=(
            Column(say("Controller")),
            Column(say("Link to the host")),
            Column(say("Cache"), "right"),
            Column(say("Reads"), "right", "MB/s"),
            Column(say("Writes"), "right", "MB/s"),
            Column(say("Sequential writes with parity"), "right", "MB/s"),
        ),
        rows=tuple(
            (
                Cell(item.name, strong=True),
                Cell(context.messages.enumerated(links[item.name]) or "–"),
                Cell(size(context.messages, item.cache_bytes) if item.cache_bytes else "–"),
                *(
                    Cell(numbers.integer(round(mb_s(rate))))
                    for rate in (item.read_bytes_s, item.write_bytes_s)
                ),
                Cell(numbers.integer(round(mb_s(item.parity_bytes_s))) if item.name in with_parity else "–"),
            )
            for item in last.values()
        ),
        caption=say("The controllers, as they are modelled"),
        key="table-controllers",
    )


def _links(placed: Iterable[tuple[str, VirtualSystem, tuple[Hop, ...]]]) -> dict[str, tuple[str, ...]]:
    """Give the links by which a part hangs in the systems, by its name: the fastest first, each once."""
    found: dict[str, dict[str, float]] = {}
    for name, system, path in placed:
        links = [system.links[hop.link] for hop in path if isinstance(hop, LinkHop)]
        speeds = found.setdefault(name, {})
        for link in links[-1:]:
            speeds[link.name.partition(" of ")[0]] = link.bytes_s
    return {name: tuple(sorted(speeds, key=lambda one: -speeds[one])) for name, speeds in found.items()}


def _real(context: Context) -> list[Table]:
    sections = list(context.run.system.all("device"))
    if not sections:
        return []
    say = context.messages.say
    return [
        Table(
            columns=(
                Column(say("Drive")),
                Column(say("Model")),
                Column(say("Firmware")),
                Column(say("Capacity"), "right"),
                Column(say("Link")),
            ),
            rows=tuple(_device(context, section) for section in sections),
            caption=say("The drives, as far as the machine tells"),
            key="table-drives",
        )
    ]


def _device(context: Context, section: Section) -> tuple[Cell, ...]:
    size_bytes = section.value("capacity")
    known = isinstance(size_bytes, int | float)
    return (
        Cell(section.subject, strong=True),
        Cell(str(section.value("model") or section.value("kind") or "–")),
        Cell(str(section.value("firmware") or "–")),
        Cell(capacity(context.messages, float(size_bytes)) if known and size_bytes else "–"),
        Cell(_real_link(section)),
    )


def _real_link(section: Section) -> str:
    """Write the link as negotiated; a dash where the machine does not tell it."""
    speed, width = section.value("pcie_speed"), section.value("pcie_width")
    if speed:
        return f"PCIe, {speed}, ×{width}" if width else f"PCIe, {speed}"
    for code, name in (("sata_speed", "SATA"), ("sas_speed", "SAS")):
        if section.value(code):
            return f"{name}, {section.value(code)}"
    return "–"
