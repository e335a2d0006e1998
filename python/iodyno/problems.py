"""What pydantic says about a document, in the words of who wrote the document."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from iodyno.errors import HintedValueError, Problem
from iodyno.units import format_size

Tables = Mapping[tuple[str, ...], type[BaseModel]]
"""The table that each path of a document holds, its indices left out."""

_LIMITS = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le", "less_than": "lt"}
UNKNOWN_KEY = "is no key of this table"
LIMIT_WORDS = {"ge": "below the least of", "gt": "not above", "le": "above the limit of", "lt": "not below"}
"""What a value is that breaks a limit; the limit follows."""
_KINDS = {
    "int": "whole number",
    "float": "number",
    "string": "text in quotes",
    "bool": "true or false",
    "tuple": "list",
    "list": "list",
    "dict": "table",
    "model": "table",
}

_SIGNS = {"-": "hyphens", ".": "dots", "_": "underscores"}
"""Signs that short names can have beside letters and digits."""

_POSITION = re.compile(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_TWICE = re.compile(
    r"Cannot (?:declare|redefine namespace|mutate immutable namespace) \((.*)\)(?: twice)?"
    r"|Duplicate inline table key (.*)|Cannot overwrite a value",
    re.DOTALL,
)
"""What a reader of TOML says of what is there already; keys as Python writes them."""

Place = tuple[str | int, ...]


MOST_TABLES = 3
"""Tables up to which it is said that a key is one of theirs."""


def not_toml(message: str) -> tuple[str, str]:
    """Give what a document is that is no TOML, its position first, and a hint.

    Examples
    --------
    >>> not_toml("Invalid value (at line 3, column 5)")[0]
    'line 3, column 5: invalid value'
    >>> not_toml("Cannot declare ('host',) twice (at line 4, column 6)")[0]
    'line 4, column 6: host is given twice'
    """
    match = _POSITION.fullmatch(message)
    said = match[1] if match else message
    place = "" if not match else f"line {match[2]}, column {match[3]}: " if match[2] else "at the end: "
    twice = _TWICE.fullmatch(said)
    if not twice:
        what = f"{said[:1].lower()}{said[1:]}"
        return f"{place}{what}", "it is written in TOML: texts in quotes, lists in [ ], one key a line"
    name = re.sub(r"'(.*?)',? ?", r"\1.", twice[1] or twice[2] or "").rstrip(".") or "this key"
    hint = "give each key, and each table in [ ], once; of several tables each begins with [[ ]]"
    return f"{place}{name} is given twice", hint


def closest(word: str, known: Iterable[str]) -> str:
    """Give the known word that was probably meant, or an empty text."""
    lower = {name.lower(): name for name in known}
    found = difflib.get_close_matches(word.lower(), list(lower), n=1, cutoff=0.6)
    return lower[found[0]] if found else ""


def did_you_mean(word: str, known: Sequence[str], kind: str, most: int | None = None) -> str:
    """Write the hint for a word that is not known.

    Parameters
    ----------
    word
        What was written.
    known
        What could have been.
    kind
        What they are, in the plural.
    most
        How many of them to name, where there can be very many; all unless given.

    Examples
    --------
    >>> did_you_mean("databse", ["database", "restore"], "profiles")
    'did you mean database? Known profiles: database, restore'
    >>> did_you_mean("database,restore", ["database", "restore"], "profiles")
    'name each by itself: database and restore'
    >>> did_you_mean("databse", ["restore", "restore"], "profiles")
    'known profiles: restore'
    >>> did_you_mean("databse", [], "profiles")
    ''
    """
    if not known:
        return ""
    *others, last = (part.strip() for part in word.split(","))
    if others and {*others, last} <= set(known):
        return f"name each by itself: {', '.join(others)} and {last}"
    guess = closest(word, known)
    known = list(dict.fromkeys(known))
    named = known if most is None or len(known) <= most + 1 else known[:most]
    more = f" and {len(known) - len(named)} more" if len(named) < len(known) else ""
    listed = f"nown {kind}: {', '.join(named)}{more}"
    return f"did you mean {guess}? K{listed}" if guess else f"k{listed}"


def named_again(where: str, names: Iterable[str], kind: str) -> Iterator[Problem]:
    """Yield a problem for each name that is there more than once: it would count once.

    Parameters
    ----------
    where
        What names them.
    names
        The names.
    kind
        What they are, in the singular.

    Examples
    --------
    >>> [(str(one), one.hint) for one in named_again("--sweep", ["a", "b", "a"], "sweep")]
    [('--sweep: a is named twice', 'name each sweep once')]
    """
    for name, times in Counter(names).items():
        if times > 1:
            often = "twice" if times == 2 else f"{times} times"
            yield Problem(where, f"{name} is named {often}", f"name each {kind} once")


def path_text(place: Place) -> str:
    """Write a path as the document's reader says it.

    Examples
    --------
    >>> path_text(("sweep", 0, "profiles", 2))
    'sweep[0].profiles[2]'
    """
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def problems_of(error: ValidationError, document: Mapping[str, Any], tables: Tables) -> list[Problem]:
    """Translate all that pydantic found, one problem a place.

    Parameters
    ----------
    error
        What the model raised.
    document
        The document as read, to tell its keys from the names of types.
    tables
        The tables of the document, for hints about their keys.
    """
    found: dict[str, Problem] = {}
    details = [(detail, place_of(detail, document)) for detail in error.errors(include_url=False)]
    meant = {_meant(place, tables) for detail, place in details if detail["type"] == "extra_forbidden"}
    for detail, place in details:
        if detail["type"] == "too_short" and detail["input"]:
            continue  # its entries are wrong, and reported
        if detail["type"].endswith("_type") and any(_is_below(other, place) for _, other in details):
            continue  # it may be of several types, is of one of them, and what is wrong in it is reported
        if detail["type"] == "missing" and place in meant:
            continue  # it is there, mistyped, and that is reported
        problem = Problem(path_text(place), _what(detail), _hint(detail, place, tables))
        found.setdefault(problem.where + ("" if detail["type"] != "missing" else " missing"), problem)
    return list(found.values())


def _is_below(place: Place, other: Place) -> bool:
    return len(place) > len(other) and place[: len(other)] == other


def _meant(place: Place, tables: Tables) -> Place:
    """Give the place of the key that was probably meant by an unknown one; empty where none is near."""
    names = tuple(part for part in place if isinstance(part, str))
    table = tables.get(names[:-1])
    key = closest(names[-1], keys_of(table)) if table and names else ""
    return (*place[:-1], key) if key else ()


def place_of(detail: ErrorDetails, document: object) -> Place:
    """Keep the parts of a location that are in the document: pydantic puts names of types between them."""
    place: list[str | int] = []
    here: object = document
    for part in detail["loc"]:
        missing = detail["type"] == "missing" and part == detail["loc"][-1]
        if _holds(here, part):
            here = here[part]  # type: ignore[index]
        elif not missing:
            continue
        place.append(part)
    return tuple(place)


def _holds(container: object, part: str | int) -> bool:
    if isinstance(container, Mapping):
        return part in container
    return isinstance(container, list) and isinstance(part, int) and part < len(container)


def _what(detail: ErrorDetails) -> str:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return UNKNOWN_KEY
    if kind == "value_error":
        return str(context["error"])
    if kind in _LIMITS:
        limit = _LIMITS[kind]
        return f"{_shown(value)} is {LIMIT_WORDS[limit]} {_number(context[limit])}"
    if kind == "literal_error":
        return f"{_shown(value)} is not one of {context['expected'].replace(' or ', ', ')}".replace("'", "")
    if kind == "string_pattern_mismatch":
        return f"{_shown(value)} {_wanted_by(context['pattern'])}"
    if kind == "finite_number":
        return f"{_shown(value)} is no number that can be calculated with"
    if kind in ("too_short", "string_too_short"):
        return "is empty"
    if kind == "too_long":
        return f"has {context['actual_length']} entries, above the limit of {context['max_length']}"
    wanted = next((words for start, words in _KINDS.items() if kind.startswith(start)), "")
    return f"{_shown(value)} is no {wanted}" if wanted else f"{_shown(value)}: {detail['msg'].lower()}"


def _wanted_by(pattern: str) -> str:
    """Say what a text is not that a pattern asks for, by what the pattern lets through."""
    if re.fullmatch(pattern, "a"):
        signs = [name for sign, name in _SIGNS.items() if re.fullmatch(pattern, f"a{sign}a")]
        allowed = ["lower-case letters", "digits", *signs]
        return f"is no short name: {', '.join(allowed[:-1])} and {allowed[-1]}"
    if re.fullmatch(pattern, "A"):
        return "is no name of capital letters and digits, with a number after a hyphen: LGA2011-3"
    if re.fullmatch(pattern, "2026-11-27"):
        return "is no date: 2026, 2026-11 or 2026-11-27"
    return "is not written as it has to be"


def _hint(detail: ErrorDetails, place: Place, tables: Tables) -> str:
    error = detail.get("ctx", {}).get("error")
    if isinstance(error, HintedValueError):
        return error.hint
    names = tuple(part for part in place if isinstance(part, str))
    if detail["type"] == "missing" and names:
        return _addition(names, tables)
    if detail["type"] == "tuple_type" and names in tables:
        return f"write [[{'.'.join(names)}]]: there can be several"
    if detail["type"].startswith("model_") and names in tables:
        return f"write {_table_text(names, tables)} with its keys below it"
    if detail["type"] == "extra_forbidden" and names:
        return _unknown_key(names, tables)
    if detail["type"] == "literal_error" and isinstance(detail["input"], str):
        known = [word.strip(" '") for word in detail["ctx"]["expected"].replace(" or ", ", ").split(",")]
        guess = closest(detail["input"], known)
        return f"did you mean {guess}?" if guess else ""
    return ""


def _unknown_key(names: tuple[str, ...], tables: Tables) -> str:
    """Say where a key goes that is one of other tables, or which was meant of its own."""
    *above, key = names
    table = tables.get(tuple(above))
    if table is None:
        return ""
    others = [
        _table_text(path, tables)
        for path, other in tables.items()
        if key in keys_of(other) and (path or (key,) not in tables)
    ]
    if not 0 < len(others) <= MOST_TABLES:
        return did_you_mean(key, keys_of(table), "keys")
    where = " or ".join(filter(None, (", ".join(others[:-1]), others[-1])))
    guess = closest(key, keys_of(table))
    meant = f"or did you mean {guess}? Known" if guess else "known"
    return f"it is a key of {where}; {meant} keys here: {', '.join(keys_of(table))}"


def _table_text(path: tuple[str, ...], tables: Tables) -> str:
    """Write what begins a table: ``[[controller.logical]]``."""
    if not path:
        return "the top of the file, before all tables"
    above = tables.get(path[:-1])
    name = ".".join(path)
    return f"[[{name}]]" if above is not None and _is_list(above, path[-1]) else f"[{name}]"


def _addition(names: tuple[str, ...], tables: Tables) -> str:
    """Write what to add for a key that is missing: a text, a table, or whatever it is."""
    if names in tables:
        return f"add {_table_text(names, tables)}"
    table = tables.get(names[:-1])
    field = _field(table, names[-1]) if table else None
    if field is None:
        return ""
    return f"add {names[-1]} = " + ('"…"' if field.annotation is str or field.examples else "…")


def _field(table: type[BaseModel], key: str) -> FieldInfo | None:
    return next((field for name, field in table.model_fields.items() if key in (name, field.alias)), None)


def _is_list(table: type[BaseModel], key: str) -> bool:
    field = _field(table, key)
    return field is not None and get_origin(field.annotation) is tuple


def keys_of(table: type[BaseModel]) -> list[str]:
    """Give the keys of a table, as documents write them."""
    return [field.alias or name for name, field in table.model_fields.items()]


def _shown(value: object) -> str:
    """Write a value as TOML would, shortened."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _number(value: float) -> str:
    return format_size(int(value)) if isinstance(value, int) and value >= 1 << 40 else f"{value:.12g}"
