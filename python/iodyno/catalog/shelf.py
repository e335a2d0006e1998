"""The shelf: all parts by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from iodyno.catalog.own_parts import read_own
from iodyno.catalog.parts import BasePart, DrivePart, Part
from iodyno.catalog.quantity import Quantity
from iodyno.catalog.reading import parse_part
from iodyno.catalog.tree import shipped_systems
from iodyno.errors import CatalogError, Problem
from iodyno.folders import data_folder, written_text
from iodyno.problems import did_you_mean

if TYPE_CHECKING:
    from importlib.abc import Traversable

P = TypeVar("P", bound=BasePart)


class Catalog:
    """Parts by name, never changed: :meth:`having` gives another catalogue.

    Parameters
    ----------
    parts
        The parts; of two with one name the latter counts.
    unread
        What is wrong with parts that could not be read, by their names and those of their files, and by the
        paths of these: told where one of them is asked for.
    own
        The user's own parts as they are written, in TOML, by the name of the part.
    left_out
        The files of parts that could not be read, each with a name by which ``unread`` has it, or its path.
    """

    def __init__(
        self,
        parts: Iterable[Part],
        unread: Mapping[str, CatalogError] | None = None,
        own: Mapping[str, str] | None = None,
        left_out: Mapping[str, str] | None = None,
    ) -> None:
        self._parts = {part.name: part for part in parts}
        self.unread = dict(unread or {})
        self.own = dict(own or {})
        self.left_out = dict(left_out or {})

    @property
    def parts(self) -> Mapping[str, Part]:
        """All parts by name."""
        return MappingProxyType(self._parts)

    def of(self, *kinds: type[P]) -> list[P]:
        """Give the parts of some records, sorted by name."""
        found = (part for part in self._parts.values() if isinstance(part, kinds))
        return sorted(found, key=lambda part: part.name)

    def get(self, name: str) -> Part:
        """Give a part.

        Raises
        ------
        CatalogError
            If there is none of this name.
        """
        if name in self.unread:
            raise CatalogError(*self.unread[name].problems)
        if name not in self._parts and (members := self.family(name)):
            raise CatalogError.of(name, IS_FAMILY, family_hint(members))
        if name not in self._parts:
            raise CatalogError.of(name, "there is no part of this name", self.hint(name))
        return self._parts[name]

    def family(self, name: str) -> list[DrivePart]:
        """Give the drives of a family, sorted by name; none where it is none, or the name of a part."""
        if not name or name in self._parts:
            return []
        return [drive for drive in self.of(DrivePart) if drive.family == name]

    def take(self, name: str, kind: type[P]) -> P:
        """Give a part that is known to be of a kind: the system was checked before."""
        part = self.get(name)
        assert isinstance(part, kind), f"{name} is no {kind.__name__}"
        return part

    def hint(
        self, name: str, *kinds: type[BasePart], called: str = "parts", beside: Iterable[str] = ()
    ) -> str:
        """Write which name was probably meant, and what there is of some kinds, or of all.

        Parameters
        ----------
        name
            What was asked for; empty where no name is like it.
        kinds
            Records of the parts that it could be; all unless given.
        called
            What parts of these kinds are called, in the plural.
        beside
            Names of what could be meant beside parts.
        """
        names = {part.name for part in self._parts.values() if not kinds or isinstance(part, kinds)}
        if not kinds:
            names |= {drive.family for drive in self.of(DrivePart) if drive.family}
        known = sorted({*names, *beside})
        if inside := _with_inside(name, known):
            return _one_of(inside)
        hint = did_you_mean(name, known, called, NAMED)
        return hint if kinds else f"{hint.split('?')[0]}?" if "?" in hint else LIST_HINT

    def having(self, *parts: Part) -> Catalog:
        """Give a catalogue in which these parts stand in place of those of the same names."""
        return Catalog([*self._parts.values(), *parts], self.unread, self.own, self.left_out)


def family_hint(members: Sequence[DrivePart]) -> str:
    """Name the parts of a family, of which one was meant."""
    return f"its parts: {', '.join(drive.name for drive in members)}"


def _with_inside(name: str, known: Sequence[str]) -> list[str]:
    """Give the names that a word is a part of: ``rx2540`` of ``primergy-rx2540-m1``."""
    word = name.lower()
    return [one for one in known if word in one] if len(word) > 2 else []


def _one_of(names: Sequence[str]) -> str:
    """Ask which of some names was meant: all of a few, and how many more there are.

    Examples
    --------
    >>> _one_of(["a"]), _one_of(["a", "b", "c"]), _one_of(["a", "b", "c", "d", "e"])
    ('did you mean a?', 'did you mean a, b or c?', 'did you mean one of a, b, c, d, e?')
    """
    if len(names) <= FEW:
        *first, last = names
        return f"did you mean {', '.join(first)} or {last}?" if first else f"did you mean {last}?"
    shown = names if len(names) <= NAMED + 1 else names[:NAMED]
    if len(shown) == len(names):
        return f"did you mean one of {', '.join(shown)}?"
    return f"did you mean one of {', '.join(shown)} and {len(names) - len(shown)} more? {LIST_HINT}"


IS_FAMILY = "is a family, no part"
"""What the name of a family is where a part is asked for."""
NAMED = 12
"""Parts that a hint names."""
FEW = 4
"""Parts that a hint gives with "or"; of more it asks for one of them."""
LIST_HINT = "`iodyno catalog list` lists the parts"


def with_numbers(part: P, numbers: Mapping[str, float]) -> P:
    """Give the part with other values, in the units that it has.

    Parameters
    ----------
    numbers
        New values by ``table.key``: ``{"model.program": 900, "prefetch.delay": 31.5}``.

    Raises
    ------
    KeyError
        If the part has no such number.
    """
    tables: dict[str, dict[str, Quantity]] = {}
    for path, value in numbers.items():
        table, key = path.split(".")
        held = tables.setdefault(table, dict(getattr(part, table)))
        held[key] = held[key].model_copy(update={"value": value})
    return part.model_copy(update=tables)


def part_files() -> Iterator[Traversable]:
    """Give the files of the shipped parts, one each."""
    folders = resources.files("iodyno").joinpath("catalog").joinpath("parts").iterdir()
    for folder in sorted((f for f in folders if f.is_dir()), key=lambda f: f.name):
        yield from sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    """Read the parts that come with iodyno.

    Raises
    ------
    CatalogError
        With every problem of every part.
    """
    parts: list[Part] = []
    problems: list[Problem] = []
    for file in part_files():
        try:
            part = parse_part(file.read_text("utf-8"), file.name)
        except CatalogError as error:
            problems += error.problems
            continue
        if part.name != file.name.removesuffix(".toml"):
            problems.append(Problem(f"{file.name}: name", f'"{part.name}" is not the name of the file'))
        if part.name in {other.name for other in parts}:
            problems.append(Problem(file.name, "another part has this name"))
        parts.append(part)
    if problems:
        raise CatalogError(*problems)
    return Catalog(parts)


def file_of(name: str) -> str:
    """Give the TOML of a part of the catalogue."""
    own = catalogue().own.get(name)
    return own or next(file for file in part_files() if file.name == f"{name}.toml").read_text("utf-8")


def own_folder() -> Path | None:
    """Give the folder of the user's own parts: ``$IODYNO_PARTS``, or ``parts`` in the user's data folder.

    Raises
    ------
    CatalogError
        If the variable names no folder.
    """
    chosen = os.environ.get("IODYNO_PARTS")
    if chosen:
        if not Path(chosen).is_dir():
            raise CatalogError.of(
                chosen, "IODYNO_PARTS names no folder", "give a folder with one TOML file a part, or unset it"
            )
        return Path(chosen)
    folder = data_folder()
    usual = folder / "parts" if folder else None
    return usual if usual and usual.is_dir() else None


def catalogue() -> Catalog:
    """Give the parts that come with iodyno, and the user's own.

    A part of the user that cannot be read stands in the way of nothing but itself.

    Raises
    ------
    CatalogError
        If ``$IODYNO_PARTS`` names no folder, or one that cannot be read.
    """
    folder = own_folder()
    if folder is None:
        return shipped()
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".toml")
        return _with_own(tuple((file, _changed_at(file)) for file in files))
    except OSError as error:
        hint = "look at the permissions of the folder"
        raise CatalogError.of(
            str(folder), f"cannot be read: {(error.strerror or '').lower()}", hint
        ) from None


def _changed_at(file: Path) -> int:
    """Tell when a file has changed, in ns; 0 where it cannot be told, for reading it tells what is wrong."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=4)
def _with_own(files: tuple[tuple[Path, int], ...]) -> Catalog:
    """Read the user's own parts, anew where a file has changed."""
    made = read_own([file for file, _ in files], _text_in, shipped().parts, shipped_systems())
    return Catalog([*shipped().parts.values(), *made.parts.values()], made.unread, made.texts, made.left_out)


def own_file(name: str) -> Path | None:
    """Give the file of a part of the user's own; none where it is none."""
    folder = own_folder()
    for file in sorted(folder.iterdir()) if folder and name in catalogue().own else ():
        if file.suffix == ".toml" and _text_in(file) == catalogue().own[name]:
            return file
    return None


def part_in(file: Path) -> Part:
    """Read a part in a file of the user's.

    Raises
    ------
    CatalogError
        With every problem of it.
    """
    return parse_part(_text_in(file), str(file))


def _text_in(file: Path) -> str:
    try:
        return written_text(file)
    except UnicodeDecodeError as error:
        raise CatalogError.of(str(file), f"byte {error.start} is not UTF-8", "save it as UTF-8") from None
    except OSError as error:
        what = f"cannot be read: {(error.strerror or '').lower()}"
        raise CatalogError.of(str(file), what, LIST_HINT) from None
