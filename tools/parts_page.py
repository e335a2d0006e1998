"""The part of the catalogue's page on how parts are written: keys and numbers of each kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from iodyno.catalog import parts
from iodyno.catalog.consistency import IN_ORDER, OR_0
from iodyno.catalog.fields import MODELS, Limit
from iodyno.catalog.fields import Number as PartNumber
from iodyno.catalog.quantity import Quantity
from iodyno.catalog.reading import OUTSIDE
from iodyno.units import parse_size
from iodyno.virtual import HddModel, Prefetch, SsdModel, VirtualController

_INTRODUCTION = """\
## How a part is written

A part is a TOML file: its keys first, then `[sources]` and `[model]`, and the tables of its kind. Unknown
keys are refused, and all problems are told at once. [The guide](../guides/catalog.md#a-part-of-your-own) has
a whole drive to begin with, and `iodyno catalog show NAME --toml` prints any part of the catalogue.

Each number is a table of its own: `{ value = 7200, unit = "rpm", kind = "datasheet", source = "maker" }`. In
the tables below the unit says what it has to measure ([units and bounds](#units-and-bounds)), *needed* what
every part of the kind gives. What is simulated with them says
[how a virtual target answers](../concepts/virtual-lab.md); stations mentioned here are explained there.
"""
_KINDS: tuple[tuple[str, str, type[parts.BasePart], tuple[str, ...]], ...] = (
    ("Drives", "SSDs and hard disks.", parts.DrivePart, ("ssd", "prefetch", "hdd")),
    (
        "Controllers",
        "RAID controllers and onboard ones. An onboard controller has no numbers in `[model]`: it is its "
        "link to the processor, and the host does its RAID.",
        parts.ControllerPart,
        ("controller",),
    ),
    ("Switch adapters", "PCIe switches with ports for drives.", parts.SwitchPart, ("switch",)),
    ("Expanders", "SAS expanders, between a controller and more drives than it has lanes.",
     parts.ExpanderPart, ("expander",)),
    ("Servers", "Servers and boards, with what they take.", parts.ServerPart, ("server",)),
    ("Processors", "Processors of the host.", parts.ProcessorPart, ("processor",)),
    ("Host software", "What an I/O costs in the host, and its RAID.", parts.SoftwarePart, ("software",)),
    ("Power settings", "How a host saves power.", parts.SettingsPart, ("settings",)),
    ("Links", "Kinds of links. Interfaces name them, so parts of your own need none.", parts.LinkPart,
     ("link",)),
)  # fmt: skip
"""Kinds as they stand on the page, each with its record and its tables of numbers."""
_INSIDE: tuple[tuple[type[parts.BasePart], str, str, type[BaseModel]], ...] = (
    (
        parts.ControllerPart,
        "[offered]",
        "Settings that can be chosen; what is empty is no setting.",
        parts.Offered,
    ),
    (
        parts.ControllerPart,
        "[modes.NAME]",
        f"A preset mode: {', '.join(f'`{mode}`' for mode in parts.MODES)}.",
        parts.Preset,
    ),
    (parts.ServerPart, "[takes.NAME]", "What a server takes, and how much of it.", parts.Taken),
    (parts.ServerPart, "socket", "A word with its source; a processor has it too.", parts.Socket),
    (parts.LinkPart, "[versions.NAME]", "A version of a link.", parts.LinkVersion),
)
"""Tables in a part, each with the kind that has it."""
_RECORDS: dict[str, type[BaseModel]] = {
    "ssd": SsdModel, "prefetch": Prefetch, "hdd": HddModel, "controller": VirtualController,
}  # fmt: skip
_TITLES = {"prefetch": "`[prefetch]` of an SSD"}
_LIMITS: dict[Limit, str] = {"gt": "above", "ge": "from", "lt": "below", "le": "to"}
_MEANINGS: dict[str, dict[str, str]] = {
    "ssd": {
        "driver_read": "Cycles of the host for a read that a driver of the drive's own takes, beside those "
        "of the host's software: of cards on PCIe whose firmware runs in it.",
        "driver_write": "The same for a write.",
    },
    "hdd": {"rotation": "Speed of rotation."},
    "controller": {
        "read_efficiency": "Rate at which it moves data to the host, as a share of what its link carries in "
        "practice.",
        "write_efficiency": "Rate at which it takes data from the host, as a share of the same.",
        "cache": "Its memory, what the firmware needs included; 0: it has no cache.",
        "firmware_memory": "What of `cache` its firmware needs for itself: the rest holds data.",
    },
    "switch": {
        "command": "Processing of a command, by one server, beside the links on both of its sides.",
        "host_lanes": "Lanes to the host.",
        "drive_lanes": "Lanes to each drive.",
        "ports": "Drives that it has ports for.",
    },
    "expander": {
        "ports": "Ports, a lane each: as many as the controller has lanes go to it, the others to drives. "
        "Where those need more, several expanders are joined.",
    },
    "link": {
        "command": "Overhead of a command on the direction of its data; the rate follows from transfers, "
        "lanes and coding.",
    },
    "processor": {
        "cores": "Cores; each worker of a load runs on one.",
        "frequency": "Frequency that its cores hold under load; power settings can lower it.",
        "pcie_lanes": "Lanes of PCIe of one processor.",
        "sockets": "Processors of one host at most; any number unless given.",
        "pcie_lanes_in_all": "Lanes of PCIe of a host of several, where they are fewer than those of each "
        "together.",
        "threads": "Hardware threads: shown alone, the simulator has cores.",
        "turbo": "Highest frequency of a single core: shown alone.",
    },
    "server": {
        "sockets": "Processors that it has sockets for.",
        "controllers": "Controllers that it has slots for; any number unless given.",
        "bays": "Drives that it has bays for, whatever they are connected to, but for cards; any number "
        "unless given.",
        "boards": "Boards of this kind in one system (`board_of`); any number unless given.",
    },
    "software": {
        "read": "Cycles of the worker's core for a read: system call, driver, interrupt.",
        "write": "The same for a write.",
        "per_kib": "Cycles for each KiB of an I/O, beside those.",
        "child_read": "Cycles for each operation on a member beyond the first that a read of the host's RAID "
        "becomes.",
        "child_write": "The same of a write.",
        "child_per_kib": "Cycles for each KiB of these.",
        "mirror_read_from": "Operations under way on the first of a pair from which on the other is read too "
        '(`mirror_read = "spread"`); 0: always the one that has fewest.',
    },
    "settings": {
        "frequency_share": "Share of the processor's frequency that they let it hold.",
        "wakeup": "What an idle core needs to wake up, added to an I/O that completes on it.",
    },
}
"""What numbers mean that are no fields of a virtual record, or are written otherwise than one: by kind and
key. Of all others the text under the field of the record says it."""


@dataclass(frozen=True)
class Texts:
    """What the page has of records, which whoever writes pages knows how to get."""

    meanings: Callable[[type[BaseModel]], Mapping[str, str]]
    """The text under each field."""
    default: Callable[[FieldInfo], str]
    """What a field is unless it is given."""
    choices: Callable[[object], str]
    """The words that a value is one of."""


def parts_section(texts: Texts) -> Iterator[str]:
    """Write the section, line by line."""
    yield _INTRODUCTION
    yield "### A number\n"
    yield from _keys(Quantity, texts)
    yield "### Every part\n"
    yield from _keys(parts.BasePart, texts)
    for title, text, record, kinds in _KINDS:
        yield f"### {title}\n"
        yield f"{text}\n"
        yield from _keys(record, texts, but=parts.BasePart)
        for of, name, about, inside in _INSIDE:
            if of is record:
                yield f"#### `{name}`\n"
                yield f"{about}\n"
                yield from _keys(inside, texts)
        for kind in kinds:
            yield f"#### {_TITLES.get(kind, f'`[model]` of `{kind}`')}\n"
            yield from _numbers(kind, texts)


def _keys(record: type[BaseModel], texts: Texts, but: type[BaseModel] = BaseModel) -> Iterator[str]:
    """Write the table of the keys of a record, without those of another."""
    meanings = texts.meanings(record)
    yield "| Key | Type | Default | Meaning |\n|---|---|---|---|"
    for name, field in record.model_fields.items():
        if name not in but.model_fields:
            meaning = _cell(meanings[name] + texts.choices(field.annotation))
            yield f"| `{field.alias or name}` | {_type(name, field)} | {texts.default(field)} | {meaning} |"
    yield ""


def _numbers(kind: str, texts: Texts) -> Iterator[str]:
    """Write the table of the numbers of a kind, and which of them go together."""
    known = MODELS[kind]
    yield "| Key | Unit | Default | Meaning |\n|---|---|---|---|"
    for key, number in known.items():
        default = "needed" if number.required else _left_out(kind, number)
        yield f"| `{key}` | {_unit(number)} | {default} | {_meaning(kind, number, texts)} |"
    yield ""
    pairs = [
        f"`{small}` and `{large}`" + " (or this is 0)" * (large in OR_0)
        for small, large in IN_ORDER
        if small in known and large in known
    ]
    if pairs:
        yield f"The first is not above the second of {', '.join(pairs)}.\n"


def _meaning(kind: str, number: PartNumber, texts: Texts) -> str:
    """Give the text of a number: units are those of the part, not those of the record."""
    own = _MEANINGS.get(kind, {}).get(number.key)
    if own:
        return _cell(own)
    text = texts.meanings(_RECORDS[kind])[number.field]
    return _cell(re.sub(r",? in (?:ps|bytes/s|bytes)\b", "", text))


def _left_out(kind: str, number: PartNumber) -> str:
    record = _RECORDS.get(kind)
    field = record.model_fields.get(number.field) if record else None
    return f"{field.default:g}" if field and not field.is_required() else "–"


def _unit(number: PartNumber) -> str:
    """Say what a number measures, and what it may be where its bounds do not say it."""
    limits = [f"{_LIMITS[limit]} {bound}" for limit, bound in number.limits]
    return f"{number.dimension}, {', '.join(limits)}" if limits else number.dimension


def _type(name: str, field: FieldInfo) -> str:
    if any(getattr(item, "func", None) is parse_size for item in field.metadata):
        return "size"
    return _shown(field.annotation, OUTSIDE[name].dimension if name in OUTSIDE else "")


def _shown(annotation: Any, dimension: str) -> str:
    """Say how a value is written in TOML."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        size = any(getattr(item, "func", None) is parse_size for item in inner[1:])
        return "size" if size else _shown(inner[0], dimension)
    if origin in (Union, UnionType):
        return _shown(next(one for one in inner if one is not NoneType), dimension)
    if origin is tuple:
        return f"list of {len(inner)}" if inner[-1] is not Ellipsis else f"list of {_shown(inner[0], '')}s"
    if origin is Literal:
        return "number" if all(isinstance(word, int) for word in inner) else "word"
    if origin is dict:
        return "table of numbers" if inner[1] is Quantity else "table"
    if annotation is Quantity:
        return f"number, {dimension}"
    return {str: "text", bool: "true or false", int: "number", float: "number"}.get(annotation, "table")


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("``", "`")).replace("|", "\\|").strip()
