"""The user's own parts: those that can be used, and what is wrong with the others, by the names asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from iodyno.catalog.parts import PART_NAME, Part
from iodyno.catalog.reading import parse_part
from iodyno.errors import CatalogError, Problem

_NAME = re.compile(r"""^\s*name\s*=\s*(["'])(?P<name>[^"'\\]+)\1""", re.MULTILINE)
ANOTHER = "give it a name of its own"


@dataclass
class OwnParts:
    """Parts of the user's own, read."""

    parts: dict[str, Part] = field(default_factory=dict)
    """Those that can be used, by name."""
    texts: dict[str, str] = field(default_factory=dict)
    """The same as they are written, in TOML."""
    unread: dict[str, CatalogError] = field(default_factory=dict)
    """What is wrong with the others, by the names by which they are asked for, in the file and of it, and by
    the path of the file."""
    left_out: dict[str, str] = field(default_factory=dict)
    """The files of these, each with what ``show`` has to be asked for to tell what is wrong: a name, or the
    path."""


@dataclass
class _Faulty:
    """A file of which no part comes."""

    file: Path
    name: str
    """The name that is written in it, as far as it can be read."""
    error: CatalogError


def read_own(
    files: Sequence[Path], text_in: Callable[[Path], str], parts: Collection[str], systems: Collection[str]
) -> OwnParts:
    """Read the user's own parts.

    Of two with one name neither can be used: which one is meant nobody knows.

    Parameters
    ----------
    files
        Their files, in order.
    text_in
        Reads a file, or raises a ``CatalogError``.
    parts, systems
        Names that are taken.
    """
    made, faulty = OwnParts(), list[_Faulty]()
    found: dict[str, list[tuple[Path, str, Part]]] = {}
    for file in files:
        text = ""
        try:
            text = text_in(file)
            part = parse_part(text, str(file))
            _refuse_taken(file, part.name, parts, systems)
        except CatalogError as error:
            faulty.append(_Faulty(file, _written_name(text), error))
        else:
            found.setdefault(part.name, []).append((file, text, part))
    for name, there in found.items():
        if len(there) == 1:
            ((_, made.texts[name], made.parts[name]),) = there
            continue
        same = " and ".join(file.name for file, _, _ in there)
        where, what = str(there[0][0].parent), f'{same} have one name, "{name}"'
        twice = CatalogError(Problem(where, what, "give each a name of its own"))
        faulty += [_Faulty(file, name, twice) for file, _, _ in there]
    _tell_by_name(made, faulty, parts, systems)
    return made


def _refuse_taken(file: Path, name: str, parts: Collection[str], systems: Collection[str]) -> None:
    for kind, names in (("another part", parts), ("a system", systems)):
        if name in names:
            raise CatalogError.of(f"{file}: name", f'{kind} has the name "{name}"', ANOTHER)


def _written_name(text: str) -> str:
    """Give the name that a part has in its file, though the rest of that may be no TOML."""
    found = _NAME.search(text)
    return found["name"] if found else ""


def _tell_by_name(
    made: OwnParts, faulty: Sequence[_Faulty], parts: Collection[str], systems: Collection[str]
) -> None:
    """Let each be asked for by the name in it and by that of its file, where no part is called so, and by its
    path."""
    taken = {*parts, *systems}
    for one in faulty:
        named = [one.name] if one.name and one.name not in made.parts and one.name not in taken else []
        stem, path = one.file.stem, str(one.file)
        named += [stem] if stem not in made.parts and (stem not in taken or stem == one.name) else []
        for name in (*named, path):
            made.unread.setdefault(name, one.error)
        shown = (name for name in named if _is_shown(name, systems) and made.unread[name] is one.error)
        made.left_out[path] = next(shown, path)


def _is_shown(name: str, systems: Collection[str]) -> bool:
    """Tell whether a part is looked for by a name: no system has it, and it is neither spelled anew nor taken
    for a path."""
    return bool(re.fullmatch(PART_NAME, name)) and not name.endswith(".toml") and name not in systems
