"""How much there is room for in a server, and in a system of several boards: controllers, drives, boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, inf

from iodyno.catalog.looking import Looking
from iodyno.catalog.matrix import CARD, instances_of, taken_of
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


@dataclass(frozen=True)
class _Bayed:
    """Drives in bays: of one controller, or a group of the host's."""

    place: str
    """Where they are counted."""
    count: int
    told_above: float
    """More of them are told there, as more than the server or the board takes."""


def _check_bays(look: Looking, system: SystemSpec, server: ServerPart | None) -> None:
    """Hold all drives but those that are cards to the bays of what they sit in: the server, or a board."""
    for inside, groups in _in_bays(look, system, server):
        each = inside.model.get("bays")
        if each is None:
            continue
        boards = 1 if inside is server else _boards(inside, _cards_in(look, system, inside.name))
        bays, total = each.whole * boards, sum(group.count for group in groups)
        alone = [group for group in groups if group.count > each.value]
        hint = "take fewer drives, or another server"
        for group in alone:
            if group.told_above > each.value:
                look.wrong(group.place, f"{group.count} drives, {inside.title} has {each} bays", hint)
        if total > bays and not alone:
            has = f"{boards} of {inside.title} have" if boards > 1 else f"{inside.title} has"
            direct = any(group.place.startswith("drives") for group in groups)
            look.wrong(
                "drives" if direct else "controller", f"{total} drives in all, {has} {bays} bays", hint
            )


def _in_bays(
    look: Looking, system: SystemSpec, server: ServerPart | None
) -> Iterator[tuple[ServerPart, list[_Bayed]]]:
    """Give the server and each board that is used, with the drives in their bays."""
    found: dict[str, list[_Bayed]] = {}
    own = server.name if server else ""
    for place, spec in enumerate(system.controller):
        inside, count = spec.unit or own, sum(logical.count for logical in spec.logical)
        told = _most_taken(look, inside, spec.part, spec.instances)
        found.setdefault(inside, []).append(_Bayed(f"controller[{place}].logical", count, told))
    for place, group in enumerate(system.drives):
        if not _is_card(look, group.drive, group.form_factor):
            told = _most_taken(look, own, group.switch or group.drive)
            found.setdefault(own, []).append(_Bayed(f"drives[{place}].count", group.count, told))
    for name, groups in found.items():
        part = look.catalog.parts.get(name)
        if isinstance(part, ServerPart):
            yield part, groups


def _most_taken(look: Looking, inside: str, name: str, instances: int = 1) -> float:
    """Give the most drives of a part, or on instances of it, that a server says it takes."""
    server, part = look.catalog.parts.get(inside), look.catalog.parts.get(name)
    taken = taken_of(server, part) if isinstance(server, ServerPart) and part else None
    there = min(instances, instances_of(part, taken)) if isinstance(part, ControllerPart) else 1
    return taken.drives.value * there if taken else inf


def _check_boards(look: Looking, system: SystemSpec) -> None:
    """Count the boards that the controllers need, each with as many controllers as it has room for."""
    needed: dict[str, int] = {}
    held: dict[str, list[ServerPart]] = {}
    for unit in dict.fromkeys(spec.unit for spec in system.controller):
        part = look.catalog.parts.get(unit or "")
        room = part.model.get("controllers") if isinstance(part, ServerPart) else None
        if isinstance(part, ServerPart) and part.board_of and room:
            count = _boards(part, _cards_in(look, system, part.name))
            needed[part.board_of] = needed.get(part.board_of, 0) + count
            held.setdefault(part.board_of, []).append(part)
    for name, count in needed.items():
        most = held[name][0].model.get("boards")
        if most and count > most.value:
            units = ", ".join(part.title for part in held[name])
            look.wrong("controller", f"{count} of {units}, there are {most} in one system", "take fewer")


def _boards(part: ServerPart, cards: int) -> int:
    """Count the boards that hold so many cards."""
    room = part.model.get("controllers")
    return max(ceil(cards / room.value), 1) if room else 1


def _cards_in(look: Looking, system: SystemSpec, unit: str) -> int:
    return sum(spec.unit == unit for _, spec in _cards(look, system))


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
    return form_factor == CARD or forms == (CARD,)
