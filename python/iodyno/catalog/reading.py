"""Reading a part: TOML to record, with every problem at once."""

from __future__ import annotations

import json
import operator
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from iodyno.catalog import parts
from iodyno.catalog.bounds import bound_of
from iodyno.catalog.consistency import consistency_problems
from iodyno.catalog.fields import MODELS, Number, plain
from iodyno.catalog.interfaces import parse_interface, parse_version, versions_of
from iodyno.catalog.parts import Part
from iodyno.catalog.quantity import UNITS, Dimension, Quantity, as_written
from iodyno.catalog.wanted import Fitting, WantedFigure, wanted_problems
from iodyno.errors import CatalogError, Problem
from iodyno.problems import LIMIT_WORDS, Tables, closest, did_you_mean, not_toml, path_text, problems_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KINDS: dict[str, type[parts.BasePart]] = {
    "ssd": parts.DrivePart,
    "hdd": parts.DrivePart,
    "controller": parts.ControllerPart,
    "onboard": parts.ControllerPart,
    "switch": parts.SwitchPart,
    "expander": parts.ExpanderPart,
    "link": parts.LinkPart,
    "processor": parts.ProcessorPart,
    "server": parts.ServerPart,
    "software": parts.SoftwarePart,
    "settings": parts.SettingsPart,
}
"""Kinds of parts, and the record of each."""
OUTSIDE = plain(
    lanes="count", most_drives="count", most_drives_expanded="count", most_instances="count",
    most_drives_in_all="count", instances="count", drives="count", mirror_read_from="count",
    transfer="transfer",
)  # fmt: skip
"""Numbers outside of the model, by key."""
_GONE = dict.fromkeys(
    ("fast_path_size", "model.fast_path_size"),
    "remove it: the fast path takes what is one operation on one drive, whatever its size",
)
"""What to do about keys that parts had once, by their path."""
_INTERFACES = {
    "interface": ("PCIe", "SAS", "SATA"),
    "host_interface": ("PCIe", "DMI"),
    "drive_interface": ("SAS", "SATA"),
    "version": ("PCIe",),
    "pcie": ("PCIe",),
}
"""Keys of a part that hold an interface, and of which families it can be."""
_VERSIONS = ("version", "pcie")
"""Those of them whose width is told elsewhere."""
_WITHIN = {"gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le}


UNREADABLE = "a number in it has too many digits"


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Read a TOML document.

    Raises
    ------
    CatalogError
        If it is none, with the position.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CatalogError.of(where, *not_toml(str(error))) from None
    except (ValueError, RecursionError) as error:
        what = "tables or lists in it lie too deep" if isinstance(error, RecursionError) else UNREADABLE
        raise CatalogError.of(where, what, "look for what got into it by mistake") from None


def write_toml(document: Mapping[str, Any]) -> str:
    """Write a document as TOML: what :func:`parse_toml` reads as the same.

    As people write it: lists in a line, tables under their heads. ``tomli_w`` gives each entry of a list a
    line of its own and pulls short tables of drives above ``[host]``, which no option of it changes.

    Examples
    --------
    >>> print(write_toml({"name": "a", "host": {"cores": 2}, "drives": [{"drive": "b"}]}))
    name = "a"
    <BLANKLINE>
    [host]
    cores = 2
    <BLANKLINE>
    [[drives]]
    drive = "b"
    """
    return "\n".join(_lines(document, ())).strip()


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of a table: its values first, then the tables in it."""
    inside = {key: value for key, value in table.items() if _holds_tables(value)}
    yield from (f"{_key(key)} = {_value(value)}" for key, value in table.items() if key not in inside)
    for key, value in inside.items():
        name = ".".join(map(_key, (*path, key)))
        several = isinstance(value, list | tuple)
        for one in value if several else (value,):
            yield from ("", f"[[{name}]]" if several else f"[{name}]")
            yield from _lines(one, (*path, key))


def _holds_tables(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(item, Mapping) for item in value)
    return isinstance(value, Mapping)


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _quoted(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    """Write a text in quotes, as JSON does but for one sign that TOML escapes too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def parse_part(text: str, where: str = "part") -> Part:
    """Read a part from TOML.

    Parameters
    ----------
    text
        The TOML document.
    where
        What to call it where something is wrong.

    Raises
    ------
    CatalogError
        With every problem of the part: unknown keys, wrong units, missing numbers and sources.
    """
    document = parse_toml(text, where)
    kind = document.get("kind")
    if kind is None and "host" in document:
        raise CatalogError.of(where, "is a system, no part", f"`iodyno catalog show {where}` describes it")
    if kind is None and "sweep" in document:
        raise CatalogError.of(where, "is a study, no part", f"`iodyno plan {where}` shows it")
    if kind is None:
        what = "is missing" if document else "is missing: the file is empty"
        raise CatalogError.of(f"{where}: kind", what, f"add kind = …, one of {', '.join(KINDS)}")
    if not isinstance(kind, str) or kind not in KINDS:
        raise CatalogError.of(
            f"{where}: kind", f'"{kind}" is no kind of part', did_you_mean(str(kind), list(KINDS), "kinds")
        )
    found = list(_number_problems(document))
    try:
        part: Part = _adapter(kind).validate_python(document)
    except ValidationError as error:
        seen = {problem.where for problem in found}
        found += [p for p in problems_of(error, document, _tables(document)) if p.where not in seen]
    found += _interface_problems(document)
    if found:
        told = (Problem(f"{where}: {p.where}", p.what, _GONE.get(p.where, p.hint)) for p in found)
        raise CatalogError(*told)
    return part


@lru_cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(KINDS[kind])


def _tables(document: Mapping[str, Any]) -> Tables:
    presets: Tables = {("modes", mode): parts.Preset for mode in parts.MODES}
    fitting: Tables = {("fitting",): Fitting, ("fitting", "figures"): WantedFigure}
    kept = document.get("fit")
    fits: Tables = {("fit", name): parts.KeptFit for name in kept} if isinstance(kept, Mapping) else {}
    rows: Tables = {(*place, "figures"): parts.KeptFigure for place in fits}
    return {(): KINDS[document["kind"]], ("offered",): parts.Offered, **presets, **fitting, **fits, **rows}


def _number_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Find what is wrong with the numbers, in a document that may be wrong elsewhere too."""
    sources = document.get("sources")
    sources = sources if isinstance(sources, Mapping) else {}
    yield from _source_problems("source", {"source": document.get("source")}, sources)
    yield from _table_problems("model", document.get("model", {}), MODELS[document["kind"]])
    if "prefetch" in document:
        yield from _table_problems("prefetch", document["prefetch"], MODELS["prefetch"])
    yield from consistency_problems(document)
    yield from wanted_problems(document)
    yield from _ends_problems(document)
    if document["kind"] == "hdd" and "prefetch" in document:
        yield Problem("prefetch", "is of an SSD alone", "leave [prefetch] out: a disk has read_ahead")
    yield from _outside_problems(document, ())
    for place, number in _numbers(document, ()):
        yield from _quantity_problems(place, number, sources)


def _numbers(
    here: Any, place: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, Any]]]:
    if place and isinstance(here, Mapping) and "value" in here:
        yield place, here
    elif isinstance(here, Mapping):
        for key, item in here.items():
            if place or key not in ("fit", "fitting", "sources"):
                yield from _numbers(item, (*place, key))


def _table_problems(name: str, table: Any, known: Mapping[str, Number]) -> Iterator[Problem]:
    if not isinstance(table, Mapping):
        return
    for key in table:
        if key not in known:
            yield Problem(
                f"{name}.{key}",
                "is no number of this kind of part",
                did_you_mean(key, list(known), "numbers"),
            )
    meant = {closest(key, known) for key in table if key not in known}
    for key, number in known.items():
        if key in meant and key not in table:
            continue  # it is there, mistyped, and that is told
        if key not in table and number.required:
            yield Problem(
                f"{name}.{key}", "is missing", f"give a number with a unit of {_units(number.dimension)}"
            )
        elif key in table and not isinstance(table[key], Mapping):
            yield _bare(f"{name}.{key}", table[key], number)
        elif key in table:
            yield from _dimension_problems(f"{name}.{key}", table[key], number.dimension)
            yield from _range_problems(f"{name}.{key}", table[key], number)


def _bare(where: str, value: Any, number: Number) -> Problem:
    """Say how a number is written where it stands without unit, kind and source."""
    shown = value if isinstance(value, int | float) and not isinstance(value, bool) else "…"
    unit = _units(number.dimension).split(", ")[0]
    hint = f'write {{ value = {shown}, unit = "{unit}", kind = "…", source = "…" }}'
    return Problem(where, "is no number with unit, kind and source", hint)


def _ends_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Find ends of what is to be fitted that the number cannot have; a whole number is not fitted at all."""
    fitting = document.get("fitting")
    numbers = fitting.get("numbers") if isinstance(fitting, Mapping) else None
    for table, of in numbers.items() if isinstance(numbers, Mapping) else ():
        known = MODELS["prefetch" if table == "prefetch" else document["kind"]]
        has = document.get(table)
        there = has if isinstance(has, Mapping) else {}
        for key, ends in of.items() if isinstance(of, Mapping) else ():
            where, number = f"fitting.numbers.{table}.{key}", there.get(key)
            if key not in known or not isinstance(number, Mapping):
                continue
            if known[key].dimension in ("count", "size"):
                hint = "give it a value, and fit times, rates or shares"
                yield Problem(where, "is a whole number, which is not fitted", hint)
                continue
            for end in ends if isinstance(ends, list) else ():
                yield from _range_problems(where, {**number, "value": end}, known[key])


def _outside_problems(here: Any, place: tuple[str, ...]) -> Iterator[Problem]:
    """Find numbers outside of the model that stand without unit, kind and source."""
    for key, value in here.items() if isinstance(here, Mapping) else ():
        if key in OUTSIDE and not isinstance(value, Mapping):
            yield _bare(path_text((*place, key)), value, OUTSIDE[key])
        elif key in ("takes", "versions") or place:
            yield from _outside_problems(value, (*place, key))


def _dimension_problems(where: str, number: Any, dimension: Dimension) -> Iterator[Problem]:
    unit = number.get("unit") if isinstance(number, Mapping) else None
    if isinstance(unit, str) and unit in UNITS and UNITS[unit][0] != dimension:
        yield Problem(where, f'"{unit}" is no unit of {dimension}', f"write {_units(dimension)}")


def _range_problems(where: str, number: Any, known: Number) -> Iterator[Problem]:
    """Find what nothing can have: no dies, a share above 1, half a lane."""
    quantity = as_written(number)
    if quantity is None or quantity.dimension != known.dimension:
        return
    base = quantity.base
    if known.dimension == "count" and base.denominator != 1:
        yield Problem(where, f"{quantity.value} is no whole number")
    shown = f"{quantity.value} {quantity.unit}".removesuffix(" share").removesuffix(" count")
    for limit, bound in known.limits:
        if not _WITHIN[limit](base, bound):
            yield Problem(where, f"{shown} is {LIMIT_WORDS[limit]} {bound}")
            return
    ends = bound_of(known.key, known.dimension)
    if base > ends.most:
        yield Problem(where, f"{shown} is more than {ends.most_called}")
    elif ("gt", 0) in known.limits and base < ends.least:
        yield Problem(where, f"{shown} is less than {ends.least_called}")


def _quantity_problems(
    place: tuple[str | int, ...], number: Mapping[str, Any], sources: Mapping[str, str]
) -> Iterator[Problem]:
    where = path_text(place)
    unit, kind = number.get("unit"), number.get("kind")
    if isinstance(unit, str) and unit not in UNITS:
        yield Problem(f"{where}.unit", f'"{unit}" is no unit', did_you_mean(str(unit), list(UNITS), "units"))
    if place[-1] in OUTSIDE and place[0] not in ("model", "facts"):
        known = OUTSIDE[str(place[-1])]
        yield from _dimension_problems(where, number, known.dimension)
        yield from _range_problems(where, number, known)
    if kind != "assumed" or "source" in number or not number.get("note"):
        yield from _source_problems(f"{where}.source", number, sources)
    yield from _interval_problems(where, number)


def _interval_problems(where: str, number: Mapping[str, Any]) -> Iterator[Problem]:
    """A fitted number has an interval that holds it; of others nobody says one."""
    interval, value = number.get("interval"), number.get("value")
    if number.get("kind") == "fitted" and "interval" not in number:
        hint = "a fitted number says between which values the figures leave it"
        yield Problem(f"{where}.interval", "is missing", hint)
    if "interval" in number and number.get("kind") in ("datasheet", "published", "assumed"):
        yield Problem(
            f"{where}.interval", f"a number that is {number['kind']} has none", "leave interval out"
        )
    ends = [*interval, value] if isinstance(interval, list) and len(interval) == 2 else []
    if ends and all(isinstance(end, int | float) and not isinstance(end, bool) for end in ends):
        low, high, _ = ends
        if not low <= ends[2] <= high:
            yield Problem(f"{where}.interval", f"{low} to {high} does not hold {value}")


def _interface_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Find interfaces that are none, that a part cannot have, or of a version that is not known."""
    for key, families in _INTERFACES.items():
        known = ("SAS",) if document["kind"] == "expander" else families
        yield from _wrong_interface(key, document.get(key), known)
    takes = document.get("takes")
    for name, taken in takes.items() if isinstance(takes, Mapping) else ():
        if isinstance(taken, Mapping) and taken.get("link") != "":
            yield from _wrong_interface(f"takes.{name}.link", taken.get("link"), ("PCIe", "DMI"))


def _wrong_interface(where: str, text: Any, families: Sequence[str]) -> Iterator[Problem]:
    if not isinstance(text, str):
        return
    try:
        interface = (parse_version if where in _VERSIONS else parse_interface)(text)
    except CatalogError as error:
        yield from (Problem(where, f'"{text}" {p.what}', p.hint) for p in error.problems)
        return
    if interface.family not in families:
        yield Problem(where, f'"{text}" is nothing that it can have', f"write one of {' or '.join(families)}")
    elif interface.version not in (versions := versions_of(interface.family)):
        what = f'"{text}" has a version that {interface.family} does not have'
        yield Problem(where, what, f"known versions: {', '.join(versions)}")


def _source_problems(where: str, number: Mapping[str, Any], sources: Mapping[str, str]) -> Iterator[Problem]:
    source = number.get("source")
    if source is None:
        hint = "name a key of [sources]"
        yield Problem(where, "is missing", hint + "; an assumption may have a note instead" * ("." in where))
    elif not isinstance(source, str) or source not in sources:
        yield Problem(
            where, f'"{source}" is not in [sources]', did_you_mean(str(source), list(sources), "sources")
        )


def _units(dimension: Dimension) -> str:
    return ", ".join(unit for unit, (of, _) in UNITS.items() if of == dimension)


def converted(table: Mapping[str, Quantity], known: Mapping[str, Number]) -> dict[str, int | float]:
    """Turn a part's numbers into the fields of a virtual record.

    Parameters
    ----------
    table
        Numbers of a part by key.
    known
        The numbers of its kind, of :data:`iodyno.catalog.fields.MODELS`.

    Returns
    -------
    dict
        Whole base units by field; shares as they are. A rotation becomes the ps of a revolution.
    """
    return {known[key].field: _converted(number) for key, number in table.items() if known[key].field}


def _converted(number: Quantity) -> int | float:
    if number.dimension == "share":
        return number.real
    if number.dimension == "rotation":
        return round(60 * 10**12 / number.base)
    return number.whole
