"""What of a system several kinds of tables share: members that failed, data that fills, slots and links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from iodyno.catalog.interfaces import Interface, negotiated, parse_interface, parse_version
from iodyno.catalog.levels import Mirrors, shown_level, survives
from iodyno.catalog.links import link_part
from iodyno.catalog.looking import Looking
from iodyno.catalog.parts import (
    BasePart,
    ControllerPart,
    DrivePart,
    Part,
    ProcessorPart,
    Reached,
    ServerPart,
    SoftwarePart,
    SwitchPart,
    Taken,
)
from iodyno.errors import CatalogError
from iodyno.virtual import Level

_OF_A_SLOT: dict[type[BasePart], tuple[str, tuple[str, ...]]] = {
    ControllerPart: ("host_interface", ("form_factors",)),
    SwitchPart: ("host_interface", ("lanes", "levels", "instances", "form_factors")),
    DrivePart: ("interface", ("lanes", "levels", "instances")),
}
"""What goes into a slot of a server: the key of its interface, and what a matrix cannot say of it."""


def check_failed(
    look: Looking, place: str, level: Level, count: int, groups: int, failed: Sequence[int]
) -> None:
    """Note what is wrong with the members that have failed, where level and number are right."""
    twice = sorted(member for member, times in Counter(failed).items() if times > 1)
    if twice:
        look.wrong(f"{place}.failed", f"member {twice[0]} is there twice", "name each member once")
    if any(member >= count for member in failed):
        hint = f"give positions from 0 to {count - 1}"
        look.wrong(f"{place}.failed", f"there are {count} members, counted from 0", hint)
    elif not survives(level, count, groups, failed):
        what = f"{shown_level(level)} does not survive that"
        look.wrong(f"{place}.failed", what, "let fewer members fail, or others")


def check_slot(look: Looking, place: str, part: Part, server: ServerPart, taken: Taken) -> None:
    """Note a slot into which a part does not go, and what is said of it that it does not have."""
    own, others = next((found for of, found in _OF_A_SLOT.items() if isinstance(part, of)), ("", ()))
    for key in others:
        if getattr(taken, key):
            what = f"{server.title} says {key.replace('_', ' ')} of {part.title}, which has none to choose"
            look.wrong(place, what, f"leave {key} out of what the server takes")
    interface = getattr(part, own, "")
    try:
        if taken.link and interface:
            negotiated(parse_interface(taken.link), parse_interface(interface))
    except CatalogError:
        what = f"{server.title} gives {part.title} {taken.link}, it has {interface}"
        look.wrong(place, what, "mend what the server takes, or leave server out")


def check_link(
    look: Looking, place: str, part: Part, own: str, asked: str, limits: Sequence[tuple[Part, str]]
) -> None:
    """Note what is wrong with the link that a slot is said to give a part.

    Parameters
    ----------
    own
        The interface of the part.
    asked
        What its slot gives, as written.
    limits
        What gives the part less than its own, and which link.
    """
    hint = ""
    try:
        slot = parse_interface(asked)
        link_part(slot, look.catalog)
        hint = f"{part.title} has {own}"
        given = negotiated(parse_interface(own), slot)
    except CatalogError as error:
        found = error.problems[0]
        look.wrong(f"{place}.link", f'"{asked}" {found.what}', hint or found.hint)
        return
    for by, most in limits:
        if _is_more(given, most):
            what = f'"{asked}" is more than {by.title} gives {part.title}, {most}'
            look.wrong(f"{place}.link", what, "leave link out, or give less")


def most_of_processor(processor: ProcessorPart, own: str) -> str:
    """Give the link that a processor has for a part with such an interface; empty if that is none of PCIe."""
    interface = parse_interface(own)
    return str(parse_version(processor.pcie).wide(interface.lanes)) if interface.family == "PCIe" else ""


def _is_more(given: Interface, most: str) -> bool:
    """Tell whether a link is more than another; of one that it does not go into :func:`check_slot` tells."""
    with suppress(CatalogError):
        return negotiated(parse_interface(most), given) != given
    return False


def software_that_mirrors(look: Looking, level: Level, count: int, mirrors: Mirrors, reached: Reached) -> str:
    """Name the software that mirrors over so many drives, reached so, where that of the host does not."""
    software = look.catalog.of(SoftwarePart)
    able = [one.name for one in software if one.mirrors == "any" and reached in one.reaches]
    more = level == "1" and mirrors == "two" and count > 2 and able
    return f"; RAID 1 of more: software {', '.join(able)}" if more else ""


def check_filled(look: Looking, place: str, drive: DrivePart, filled: float | None) -> None:
    """Note a share of data where no flash is that would have to make room for it."""
    if filled is not None and drive.kind == "hdd":
        what = f"{drive.title} is a hard disk: what lies on the rest of it changes nothing"
        look.wrong(f"{place}.filled", what, "leave filled out")
