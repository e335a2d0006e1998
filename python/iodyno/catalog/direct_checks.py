"""Whether drives that a host has without a controller can be as they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.catalog.interfaces import parse_version
from iodyno.catalog.levels import drives_hint, drives_problem, shown_level
from iodyno.catalog.looking import Looking
from iodyno.catalog.matrix import CARD, is_direct, more_hint, taken_of, takes, untaken, untaken_hint
from iodyno.catalog.member_checks import (
    check_failed,
    check_filled,
    check_link,
    check_slot,
    most_of_processor,
    software_that_mirrors,
)
from iodyno.catalog.parts import DrivePart, ProcessorPart, ServerPart, SoftwarePart, SwitchPart, Taken
from iodyno.catalog.tree import DirectSpec, LogicalSpec
from iodyno.units import format_size
from iodyno.virtual import Level

LEAST_STRIP, LARGEST_STRIP = 4096, 64 << 20
"""Strips of RAID of an operating system, in bytes; md takes powers of two from a page on (mdadm(8))."""

_Above = ServerPart | ProcessorPart | SwitchPart
"""What a drive is attached to."""


def check_direct(
    look: Looking,
    group: DirectSpec,
    place: str,
    server: ServerPart | None,
    processor: ProcessorPart | None,
    software: SoftwarePart | None,
) -> None:
    """Note every problem of a group of drives of the host."""
    drive = look.part_in(group, "drive", DrivePart, place)
    switch = look.part_in(group, "switch", SwitchPart, place)
    if drive:
        _check_interface(look, place, drive)
        look.at(_check_form, group, place, drive)
        look.at(_check_write_cache, group, place, drive)
        look.at(_check_filled, group, place, drive)
        look.at(_check_link, group, place, drive, switch, [server, processor])
    if switch:
        look.at(_check_ports, group, place, switch, server)
    if drive and switch:
        look.at(_check_cable, group, place, drive, switch)
    if switch and server:
        _check_adapter_taken(look, place, switch, server)
    look.at(_check_members, group, place, software)


def _check_adapter_taken(look: Looking, place: str, switch: SwitchPart, server: ServerPart) -> None:
    taken = takes(server, switch)
    if taken is None:
        look.wrong(f"{place}.switch", untaken(server, switch), untaken_hint(server, switch))
    else:
        check_slot(look, f"{place}.switch", switch, server, taken)


def takes_hint(server: ServerPart) -> str:
    """Say where it stands what a server is known to take, and what to do where one knows better."""
    return f"`iodyno catalog fits {server.name}` lists what it is known to take; where it does, leave it out"


def _check_interface(look: Looking, place: str, drive: DrivePart) -> None:
    if not is_direct(drive):
        hint = "put it on a controller: [[controller.logical]]"
        look.wrong(f"{place}.drive", f"{drive.title} has {drive.interface}, the host only PCIe", hint)


def _check_form(look: Looking, group: DirectSpec, place: str, drive: DrivePart) -> None:
    if group.form_factor is not None and group.form_factor not in drive.form_factors:
        what = f'{drive.title} does not come as "{group.form_factor}"'
        look.wrong(f"{place}.form_factor", what, f"it comes as {', '.join(drive.form_factors)}")


def _check_write_cache(look: Looking, group: DirectSpec, place: str, drive: DrivePart) -> None:
    if group.write_cache and group.write_cache not in drive.write_cache:
        what = f"{drive.title} cannot have it {group.write_cache}"
        look.wrong(f"{place}.write_cache", what, f"it has it {' or '.join(drive.write_cache)}")


def _check_filled(look: Looking, group: DirectSpec, place: str, drive: DrivePart) -> None:
    check_filled(look, place, drive, group.filled)


def _check_link(
    look: Looking,
    group: DirectSpec,
    place: str,
    drive: DrivePart,
    switch: SwitchPart | None,
    host: Sequence[_Above | None],
) -> None:
    """Hold the link that the slot of a drive is said to give to what the drive could have there."""
    if group.link is None:
        return
    if not is_direct(drive):
        what = f"{drive.title} has {drive.interface}, and sits in no slot of PCIe"
        look.wrong(f"{place}.link", what, "leave link out: it is what a slot of PCIe gives")
        return
    above: Sequence[_Above | None] = host if group.switch is None else [switch]
    limits = [(part, most) for part in above if part and (most := _most_link(part, drive))]
    check_link(look, place, drive, drive.interface, group.link, limits)


def _most_link(part: _Above, drive: DrivePart) -> str:
    """Give the link that a server, a processor or a switch adapter has for a drive; empty if unknown."""
    if isinstance(part, ServerPart):
        taken = taken_of(part, drive)
        return taken.link if taken else ""
    if isinstance(part, SwitchPart):
        return str(parse_version(part.version).wide(part.model["drive_lanes"].whole))
    return most_of_processor(part, drive.interface)


def _check_ports(
    look: Looking, group: DirectSpec, place: str, switch: SwitchPart, server: ServerPart | None
) -> None:
    """Count the drives of an adapter: what the server connects to it, what it has ports for."""
    ports = switch.model["ports"]
    taken = takes(server, switch) if server else None
    if server and taken and group.count > taken.drives.value and taken.drives.value <= ports.value:
        what = f"{group.count} drives, at most {taken.drives} fit on {switch.title} here"
        look.wrong(f"{place}.count", what, more_hint(switch, server, look.catalog))
    elif group.count > ports.value:
        what = f"{group.count} drives, {switch.title} has {ports} ports"
        look.wrong(f"{place}.count", what, "take fewer drives, or another [[drives]] for a second adapter")


def _check_cable(look: Looking, group: DirectSpec, place: str, drive: DrivePart, switch: SwitchPart) -> None:
    """A card sits in a slot: no cable of a switch adapter leads to it."""
    if not is_direct(drive):
        return
    if drive.form_factors == (CARD,):
        what = f"{drive.title} comes as a card alone ({CARD}): it is on no cable of {switch.title}"
        look.wrong(f"{place}.switch", what, "leave switch out, or take another drive")
    elif group.form_factor == CARD and CARD in drive.form_factors:
        others = ", ".join(form for form in drive.form_factors if form != CARD)
        what = f"a card ({CARD}) is on no cable of {switch.title}"
        look.wrong(f"{place}.form_factor", what, f"take it as {others}, or leave switch out")


def _check_members(look: Looking, group: DirectSpec, place: str, software: SoftwarePart | None) -> None:
    """Check the level first: what an array needs is asked of one that can be."""
    if group.level is not None and software and group.level not in software.levels:
        without = "without level each drive is a volume of its own"
        check_host_level(look, place, group.level, software, without)
    elif group.level in (None, "JBOD"):
        look.at(_check_alone, group, place)
    else:
        look.at(check_host_strip, group, place)
        look.at(_check_array, group, place, software)


def _check_array(look: Looking, group: DirectSpec, place: str, software: SoftwarePart | None) -> None:
    assert group.level is not None
    mirrors = software.mirrors if software else "any"
    if problem := drives_problem(group.level, group.count, 1, mirrors):
        able = software_that_mirrors(look, group.level, group.count, mirrors, "nvme")
        look.wrong(f"{place}.count", problem, drives_hint(group.level, mirrors) + able)
    else:
        check_failed(look, place, group.level, group.count, 1, group.failed)


def check_host_level(look: Looking, place: str, level: Level, software: SoftwarePart, hint: str) -> None:
    """Note a level that the operating system does not have."""
    if level not in software.levels:
        offered = f"its levels: {', '.join(software.levels)}" if software.levels else "it has no RAID"
        what = f"{software.title} has no {shown_level(level)}"
        look.wrong(f"{place}.level", what, f"{offered}; {hint}")


def check_host_strip(look: Looking, group: DirectSpec | LogicalSpec, place: str) -> None:
    """An operating system has strips of a power of two."""
    strip = group.strip
    if strip and (strip & (strip - 1) or not LEAST_STRIP <= strip <= LARGEST_STRIP):
        limits = f"{format_size(LEAST_STRIP)} to {format_size(LARGEST_STRIP)}"
        what = f"the operating system has no strips of {format_size(strip)}"
        look.wrong(f"{place}.strip", what, f"give a power of two, {limits}")


def _check_alone(look: Looking, group: DirectSpec, place: str) -> None:
    """Refuse what only an array has where each drive is a volume."""
    for key in ("failed", "strip"):
        if getattr(group, key):
            note_alone(look, place, key)


def note_alone(look: Looking, place: str, key: str) -> None:
    """Note a key that only an array has where each drive is a volume."""
    what = "without a RAID level each drive is a volume of its own"
    look.wrong(f"{place}.{key}", what, f"give level, or leave {key} out")


def check_server_takes(look: Looking, groups: Sequence[DirectSpec], place: str, server: ServerPart) -> None:
    """Check the last of some groups; what a server takes of a family counts all of them."""
    group = groups[-1]
    drive = look.catalog.parts.get(group.drive)
    if not isinstance(drive, DrivePart) or not is_direct(drive):
        return
    taken = taken_of(server, drive)
    if taken is None:
        look.wrong(f"{place}.drive", untaken(server, drive), takes_hint(server))
        return
    check_slot(look, f"{place}.drive", drive, server, taken)
    look.at(_check_forms_taken, group, place, server, drive, taken)
    parts = ((other, look.catalog.parts.get(other.drive)) for other in groups)
    total = sum(
        other.count
        for other, part in parts
        if isinstance(part, DrivePart) and taken_of(server, part) is taken
    )
    most = taken.drives.value
    if total > most >= total - group.count:
        together = " together" if total > group.count else ""
        what = f"{total} drives{together}, {server.title} takes {taken.drives} of them"
        look.wrong(f"{place}.count", what, "take fewer drives")


def _check_forms_taken(
    look: Looking, group: DirectSpec, place: str, server: ServerPart, drive: DrivePart, taken: Taken
) -> None:
    forms = ", ".join(taken.form_factors)
    if not taken.form_factors or set(taken.form_factors) >= set(drive.form_factors):
        return
    if not set(taken.form_factors) & set(drive.form_factors):
        own = ", ".join(drive.form_factors)
        what = f"the release matrix of {server.title} has it as {forms}, {drive.title} comes as {own}"
        look.wrong(f"{place}.drive", what, takes_hint(server))
    elif (
        group.form_factor
        and group.form_factor in drive.form_factors
        and group.form_factor not in taken.form_factors
    ):
        what = f"the release matrix of {server.title} has it as {forms}, not as {group.form_factor}"
        look.wrong(
            f"{place}.form_factor",
            what,
            f"take it as {forms}, or leave {server.name} out",
        )
