"""Which numbers a part has: their keys and dimensions, from the records that the simulator reads.

A field ``program_ps`` is written ``program`` with a unit of time, ``data_read_bytes_s`` is
``data_read`` with a rate; so a field that a model gains is asked of every part at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from iodyno.catalog.quantity import Dimension
from iodyno.virtual import HddModel, Prefetch, SsdModel, Switch, VirtualController

Limit = Literal["gt", "ge", "lt", "le"]
Limits = tuple[tuple[Limit, int], ...]
_SUFFIXES: tuple[tuple[str, Dimension], ...] = (
    ("_bytes_s", "rate"),
    ("_bytes", "size"),
    ("_ps", "time"),
    ("_share", "share"),
)
_RENAMED: dict[str, tuple[str, Dimension]] = {
    "revolution_ps": ("rotation", "rotation"),
    "program_bytes": ("program_size", "size"),
    "read_bytes": ("read_size", "size"),
    "bytes_s": ("rate", "rate"),
}
_OF_THE_LINK: dict[str, tuple[str, Dimension]] = {
    "read_bytes_s": ("read_efficiency", "share"),
    "write_bytes_s": ("write_efficiency", "share"),
}
_POSITIVE: Limits = (("gt", 0),)
_NOT_BELOW_0: Limits = (("ge", 0),)
_FROM_0 = {"time", "cycles", "mirror_read_from"}
_SETTINGS = {"kind", "write_cache", "prefetch", "name", "path", "logicals"}


@dataclass(frozen=True)
class Number:
    """A number that a part's table has.

    Parameters
    ----------
    key
        How it is written in the part.
    dimension
        What its unit has to measure.
    field
        The field of the virtual record that it becomes; empty where there is none.
    required
        Whether every part has to give it.
    limits
        What it may be, in base units: ``(("ge", 0), ("lt", 1))``.
    """

    key: str
    dimension: Dimension
    field: str = ""
    required: bool = True
    limits: Limits = ()


def numbers_of(record: type[BaseModel], renamed: dict[str, tuple[str, Dimension]]) -> dict[str, Number]:
    """Give the numbers of a virtual record, by key."""
    made = (
        _number(name, field, renamed) for name, field in record.model_fields.items() if name not in _SETTINGS
    )
    return {number.key: number for number in made}


def _number(name: str, field: FieldInfo, renamed: dict[str, tuple[str, Dimension]]) -> Number:
    required, limits = field.is_required(), tuple(_limits(field))
    if name in _OF_THE_LINK and renamed is _OF_THE_LINK:
        key, dimension = renamed[name]
        return Number(key, dimension, name, required, (*_POSITIVE, ("le", 1)))
    if name in renamed:
        key, dimension = renamed[name]
        return Number(key, dimension, name, required, limits)
    for suffix, dimension in _SUFFIXES:
        if name.endswith(suffix):
            return Number(name.removesuffix(suffix), dimension, name, required, limits)
    return Number(name, "share" if field.annotation is float else "count", name, required, limits)


def _limits(field: FieldInfo) -> Iterator[tuple[Limit, int]]:
    for limit in ("gt", "ge", "lt", "le"):
        for known in field.metadata:
            if hasattr(known, limit):
                yield limit, getattr(known, limit)


def plain(**numbers: Dimension) -> dict[str, Number]:
    """Give numbers that no virtual record has: spent time and cycles can be 0, and what is counted from 0."""
    return {
        key: Number(key, of, limits=_NOT_BELOW_0 if of in _FROM_0 or key in _FROM_0 else _POSITIVE)
        for key, of in numbers.items()
    }


DRIVER = ("driver_read", "driver_write")
"""Cycles of the host for an I/O that an SSD's own driver takes, beside those of the software."""
MODELS: dict[str, dict[str, Number]] = {
    "ssd": numbers_of(SsdModel, _RENAMED)
    | {key: Number(key, "cycles", required=False, limits=_NOT_BELOW_0) for key in DRIVER},
    "hdd": numbers_of(HddModel, _RENAMED),
    "prefetch": numbers_of(Prefetch, _RENAMED),
    "controller": numbers_of(VirtualController, _OF_THE_LINK)
    | {"firmware_memory": Number("firmware_memory", "size", required=False, limits=_NOT_BELOW_0)},
    "onboard": {},
    "switch": numbers_of(Switch, {}) | plain(host_lanes="count", drive_lanes="count", ports="count"),
    "expander": plain(ports="count"),
    "link": plain(command="time"),
    "processor": plain(cores="count", frequency="frequency", pcie_lanes="count")
    | {
        "sockets": Number("sockets", "count", required=False, limits=_POSITIVE),
        "pcie_lanes_in_all": Number("pcie_lanes_in_all", "count", required=False, limits=_POSITIVE),
        # Facts of a processor, which the simulator does not know: it has cores at one frequency.
        "threads": Number("threads", "count", required=False, limits=_POSITIVE),
        "turbo": Number("turbo", "frequency", required=False, limits=_POSITIVE),
    },
    "server": plain(sockets="count")
    | {
        key: Number(key, "count", required=False, limits=_POSITIVE)
        for key in ("controllers", "bays", "boards")
    },
    "software": plain(read="cycles", write="cycles", per_kib="cycles", child_read="cycles",
                       child_write="cycles", child_per_kib="cycles", mirror_read_from="count"),
    "settings": plain(frequency_share="share", wakeup="time"),
}  # fmt: skip
"""The numbers of each kind of part, by key."""
