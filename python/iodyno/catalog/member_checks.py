"""Whether members of an array can be as they are asked for: failed, and filled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from iodyno.catalog.levels import shown_level, survives
from iodyno.catalog.links import negotiated, parse_interface
from iodyno.catalog.looking import Looking
from iodyno.catalog.parts import ControllerPart, DrivePart, Part, ServerPart, SwitchPart, Taken
from iodyno.errors import CatalogError
from iodyno.virtual import Level


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
    """Note a slot into which a part does not go, as a server's own list has it."""
    own = {ControllerPart: "host_interface", SwitchPart: "version", DrivePart: "interface"}
    interface = next((getattr(part, key) for of, key in own.items() if isinstance(part, of)), "")
    try:
        if taken.link and interface:
            negotiated(parse_interface(taken.link), parse_interface(interface))
    except CatalogError:
        what = f"{server.title} gives {part.title} {taken.link}, it has {interface}"
        look.wrong(place, what, "mend what the server takes, or leave server out")


def check_filled(look: Looking, place: str, drive: DrivePart, filled: float | None) -> None:
    """Note a share of data where no flash is that would have to make room for it."""
    if filled is not None and drive.kind == "hdd":
        what = f"{drive.title} is a hard disk: what lies on the rest of it changes nothing"
        look.wrong(f"{place}.filled", what, "leave filled out")
