"""Numbers of a part that cannot go together, in a document that may be wrong elsewhere too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from iodyno.catalog.bounds import LEAST_STRIP, MOST_CYLINDERS, MOST_STRIP, bound_of
from iodyno.catalog.fields import DRIVER
from iodyno.catalog.interfaces import WIDTHS
from iodyno.catalog.quantity import Dimension, as_written
from iodyno.errors import Problem
from iodyno.units import format_size, parse_size

IN_ORDER = (
    ("stripe", "program_size"), ("stripe", "read_size"), ("program_size", "buffer"), ("buffer", "capacity"),
    ("inner", "outer"), ("frequency", "turbo"), ("cores", "threads"), ("firmware_memory", "cache"),
)  # fmt: skip
"""Numbers of a model of which the first is not above the second."""
OR_0 = ("read_size",)
"""Those of the second ones that can be 0, as if they were left out."""
_WIDE = ("host_lanes", "drive_lanes")
"""Numbers of lanes that a link of PCIe has to have."""
_LEAST_TRACK = 512
"""Least bytes of a track that the simulator calculates with."""


def consistency_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Find numbers that cannot go together, whatever else is wrong with the document."""
    given = document.get("model")
    model = given if isinstance(given, Mapping) else {}
    yield from _order_problems(model)
    if document.get("kind") == "hdd":
        yield from _seek_problems(model)
        yield from _cylinder_problems(model)
    if document.get("kind") == "ssd":
        yield from _driver_problems(model, document.get("interface"))
    if document.get("kind") == "switch":
        yield from _width_problems(model)
    yield from _strip_problems(document)
    yield from _mode_problems(document)


def _base(model: Mapping[str, Any], key: str, dimension: Dimension) -> Fraction | None:
    """Give a number in base units; none where it is not there, or wrong by itself."""
    quantity = as_written(model.get(key))
    if quantity is None or quantity.dimension != dimension:
        return None
    return quantity.base if quantity.base <= bound_of(key, dimension).most else None


def _order_problems(model: Mapping[str, Any]) -> Iterator[Problem]:
    """Refuse numbers that are below others which they hold: a buffer smaller than one program."""
    for smaller, larger in IN_ORDER:
        low, high = (as_written(model.get(key)) for key in (smaller, larger))
        if larger in OR_0 and high and high.base == 0:
            continue
        if low and high and low.dimension == high.dimension and low.base > high.base:
            told = [f"{size.value} {size.unit}".removesuffix(" count") for size in (low, high)]
            yield Problem(f"model.{larger}", f"{told[1]} is below {smaller}, {told[0]}")


def _seek_problems(model: Mapping[str, Any]) -> Iterator[Problem]:
    """Refuse seek times that no curve has: root over short distances, straight over long ones.

    The mean over all pairs of cylinders is between that of a straight line, 1/3 of the way from a
    track to the full stroke, and that of a root, 8/15.
    """
    track, average, full = (_base(model, f"seek_{which}", "time") for which in ("track", "average", "full"))
    if track is None or average is None or full is None:
        return
    share = (average - track) / (full - track) if full > track else Fraction(-1)
    if not Fraction(1, 3) <= share <= Fraction(8, 15):
        told = (f"{float(span) / 10**9:.6g} ms" for span in (track, average, full))
        what = "no seek curve has {} to the next track, {} on average, {} over all of it".format(*told)
        yield Problem("model.seek_average", what, "give the mean over all pairs of cylinders")


def _cylinder_problems(model: Mapping[str, Any]) -> Iterator[Problem]:
    """Refuse a disk of more cylinders than can be counted: tracks too short for what they hold together."""
    capacity, heads = _base(model, "capacity", "size"), _base(model, "heads", "count")
    outer, inner = _base(model, "outer", "rate"), _base(model, "inner", "rate")
    rpm = _base(model, "rotation", "rotation")
    if not (capacity and heads and outer and inner and rpm) or min(capacity, heads, outer, inner, rpm) <= 0:
        return
    track = max((outer + inner) / 2 * 60 / rpm, Fraction(_LEAST_TRACK))
    cylinders = round(capacity / (heads * track))
    if cylinders > MOST_CYLINDERS:
        what = f"tracks of some {round(track)} bytes make {cylinders} cylinders, more than {MOST_CYLINDERS}"
        yield Problem("model.capacity", what, "look at capacity, heads, rotation, outer and inner")


def _driver_problems(model: Mapping[str, Any], interface: Any) -> Iterator[Problem]:
    """Refuse a driver of its own to a drive that hangs on a controller, whose driver the host has."""
    if not isinstance(interface, str) or interface.startswith("PCIe"):
        return
    for key in DRIVER:
        if key in model:
            what = f"a drive with {interface} has no driver of its own"
            yield Problem(f"model.{key}", what, "leave it out: only a card on PCIe has one")


def _width_problems(model: Mapping[str, Any]) -> Iterator[Problem]:
    for key in _WIDE:
        lanes = _base(model, key, "count")
        if lanes is not None and lanes >= 1 and lanes.denominator == 1 and lanes not in WIDTHS:
            known = f"{', '.join(map(str, WIDTHS[:-1]))} or {WIDTHS[-1]}"
            yield Problem(f"model.{key}", f"no link of PCIe has {lanes} lanes", f"give {known}")


def _strip_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Refuse strips that no drive could hold some of, and a usual one that is not offered."""
    given = document.get("strips")
    strips = given if isinstance(given, list) else []
    offered = [size for size in map(_size, strips) if size is not None]
    usual = _size(document.get("strip"))
    named = [*((f"strips[{at}]", _size(strip)) for at, strip in enumerate(strips)), ("strip", usual)]
    for place, size in named:
        if size is not None and not (LEAST_STRIP <= size <= MOST_STRIP and size % LEAST_STRIP == 0):
            limits = f"{format_size(LEAST_STRIP)} to {format_size(MOST_STRIP)}"
            yield Problem(
                place, f"{format_size(size)} is no strip", f"give a multiple of 512 bytes, {limits}"
            )
    if strips and len(offered) == len(strips) and usual is not None and usual not in offered:
        told = ", ".join(map(format_size, offered))
        yield Problem("strip", f"{format_size(usual)} is not one of strips", f"take one of {told}")


def _mode_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Refuse modes that set what the controller does not offer."""
    modes, offered = document.get("modes"), document.get("offered")
    if not isinstance(modes, Mapping) or not isinstance(offered, Mapping):
        return
    for mode, preset in modes.items():
        for key, value in preset.items() if isinstance(preset, Mapping) else ():
            there = offered.get(key.removesuffix("_with_backup"), ())
            if isinstance(value, str) and isinstance(there, list | tuple) and value not in there:
                hint = f"it offers {', '.join(map(str, there)) or 'no such setting'}"
                yield Problem(f"modes.{mode}.{key}", f'"{value}" is not offered', hint)


def _size(value: Any) -> int | None:
    try:
        return parse_size(value)
    except ValueError:
        return None
