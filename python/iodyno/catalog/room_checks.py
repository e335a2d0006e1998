"""How much there is room for in a server, and in a system of several boards: controllers, drives, boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from iodyno.catalog.looking import Looking
from iodyno.catalog.parts import ControllerPart, DrivePart, ServerPart
from iodyno.catalog.tree import ControllerSpec, SystemSpec


def check_room(look: Looking, system: SystemSpec, server: ServerPart | None) -> None:
    """Note what a server, or the boards of a system, have no room for."""
    if server:
        look.at(_check_controllers, system, server)
        look.at(_check_bays, system, server)
    look.at(_check_boards, system)


def _check_controllers(look: Looking, system: SystemSpec, server: ServerPart) -> None:
    """Hold cards in the server itself to what it has slots for; those of units are counted as boards."""
    cards = [place for place, spec in _cards(look, system) if spec.unit in (None, server.name)]
    most = server.model.get("controllers")
    if most and len(cards) > most.value:
        what = f"{len(cards)} controllers, {server.title} has room for {most}"
        look.wrong(f"controller[{cards[most.whole]}]", what, "take fewer, or another server")


def _check_bays(look: Looking, system: SystemSpec, server: ServerPart) -> None:
    """Hold all drives but those that are cards to the bays; more on one controller is told there."""
    bays = server.model.get("bays")
    on_controllers = [sum(logical.count for logical in spec.logical) for spec in system.controller]
    direct = [group.count for group in system.drives if not _is_card(look, group.drive, group.form_factor)]
    total = sum(on_controllers) + sum(direct)
    if bays and total > bays.value >= max((*on_controllers, *direct)):
        what = f"{total} drives in all, {server.title} has {bays} bays"
        look.wrong("drives" if direct else "controller", what, "take fewer drives, or another server")


def _check_boards(look: Looking, system: SystemSpec) -> None:
    """Count the boards that the controllers need, each with as many controllers as it has room for."""
    needed: dict[str, int] = {}
    held: dict[str, list[ServerPart]] = {}
    for unit in dict.fromkeys(spec.unit for spec in system.controller):
        part = look.catalog.parts.get(unit or "")
        room = part.model.get("controllers") if isinstance(part, ServerPart) else None
        if isinstance(part, ServerPart) and part.board_of and room:
            count = sum(spec.unit == unit for _, spec in _cards(look, system))
            needed[part.board_of] = needed.get(part.board_of, 0) + ceil(count / room.value)
            held.setdefault(part.board_of, []).append(part)
    for name, count in needed.items():
        most = held[name][0].model.get("boards")
        if most and count > most.value:
            units = ", ".join(part.title for part in held[name])
            look.wrong("controller", f"{count} of {units}, there are {most} in one system", "take fewer")


def _cards(look: Looking, system: SystemSpec) -> Iterator[tuple[int, ControllerSpec]]:
    """Give the controllers that are no part of the board, with their place."""
    controllers: Sequence[ControllerSpec] = system.controller
    for place, spec in enumerate(controllers):
        part = look.catalog.parts.get(spec.part)
        if isinstance(part, ControllerPart) and part.kind == "controller":
            yield place, spec


def _is_card(look: Looking, drive: str, form_factor: str | None) -> bool:
    """Tell whether a drive of the host is a card: asked for as one, or what comes in no other form."""
    part = look.catalog.parts.get(drive)
    forms = part.form_factors if isinstance(part, DrivePart) else ()
    return form_factor == "AIC" or forms == ("AIC",)
