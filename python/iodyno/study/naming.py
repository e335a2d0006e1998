"""Short names of the systems that a command line names: readable, and each its own."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from iodyno.errors import CatalogError, Problem
from iodyno.problems import named_again
from iodyno.study.configuration import Configuration

if TYPE_CHECKING:
    from iodyno.catalog.tree import SystemSpec

NAMELESS = "system"
"""What a system is called whose file and document give no name that can be written in ASCII."""
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe"})


def configurations_of(names: Sequence[str]) -> tuple[Configuration, ...]:
    """Give a configuration for each system of the catalogue, or in a file, that is named.

    A system of the catalogue keeps its name, and one in a file is called as its file is. Where that is the
    name of another one too, they are called what they call themselves, or by their folders, or are numbered.
    A file that is named twice, by whatever path, is one system.
    """
    from iodyno.catalog.tree import shipped_systems

    shipped = shipped_systems()
    given = [same[0] for same in _same(names, shipped)]
    own = {name: _system_in(name) for name in given if name not in shipped}
    called = _called([name for name in given if name in shipped], own)
    titles = {name: _title(name, own.get(name)) for name in given}
    several = {title for title in titles.values() if list(titles.values()).count(title) > 1}
    return tuple(
        Configuration(
            name=called[name],
            title=f"{titles[name]} ({called[name]})" if titles[name] in several else titles[name],
            system=name,
        )
        for name in given
    )


def named_twice(names: Sequence[str]) -> Iterator[Problem]:
    """Yield which systems are named again by ``--on``, by whatever path."""
    from iodyno.catalog.tree import shipped_systems

    for first, *again in _same(names, shipped_systems()):
        if others := [name for name in dict.fromkeys(again) if name != first]:
            what = f"{' and '.join(others)} {'is' if len(others) == 1 else 'are'} the same as {first}"
            yield Problem("--on", what, "name each system once")
        else:
            yield from named_again("--on", (first, *again), "system")


def _same(names: Iterable[str], shipped: Iterable[str]) -> list[list[str]]:
    """Put names together that are of one system."""
    known = set(shipped)
    systems: dict[str, list[str]] = {}
    for name in names:
        systems.setdefault(name if name in known else os.path.realpath(name), []).append(name)
    return list(systems.values())


def _system_in(name: str) -> SystemSpec | None:
    """Read the system in a file; none where it cannot be, which is told where it is resolved."""
    from iodyno.catalog.tree import load_system

    try:
        return load_system(name)
    except CatalogError:
        return None


def _title(name: str, system: SystemSpec | None) -> str:
    """Give what a system in a file calls itself; a path is no name for a paper."""
    return (system.title or system.name) if system else name


def _called(shipped: Sequence[str], own: Mapping[str, SystemSpec | None]) -> dict[str, str]:
    """Give each system a name that no other has; those whose file gives one of its own come first."""
    called = {name: name for name in shipped}
    alike: dict[str, list[str]] = {}
    for name, system in own.items():
        alike.setdefault(_of_file(name, system), []).append(name)
    for short, group in sorted(alike.items(), key=lambda item: len(item[1]) > 1 or item[0] in shipped):
        called.update(_apart(short, group, own, {*called.values(), *alike} - {short}, set(shipped)))
    return called


def _apart(
    short: str,
    group: Sequence[str],
    own: Mapping[str, SystemSpec | None],
    others: set[str],
    shipped: set[str],
) -> Mapping[str, str]:
    """Name those whose files are called alike, all of them in one way."""
    taken = others | shipped
    ways: tuple[Callable[[str], str], ...] = (
        lambda _: short,
        lambda name: _of_document(own[name]),
        lambda name: f"{short_name(Path(os.path.realpath(name)).parent.name)}-{short}".strip("-"),
    )
    for way in ways:
        tried = {name: way(name) for name in group}
        if all(tried.values()) and len(set(tried.values())) == len(group) and not taken & {*tried.values()}:
            return tried
    return dict(zip(group, _numbered(short, taken), strict=False))


def _numbered(short: str, taken: Iterable[str]) -> Iterator[str]:
    """Yield a name, then the same with 2, 3 and so on, but for those that are taken."""
    number, known = 1, set(taken)
    while True:
        name = short if number == 1 else f"{short}-{number}"
        if name not in known:
            yield name
        number += 1


def _of_file(name: str, system: SystemSpec | None) -> str:
    """Give the name of a file as a short name: that of the system where letters of it would be lost."""
    stem = Path(name).name.removesuffix(".toml")
    lost = any(letter.isalnum() and not letter.isascii() for letter in _in_ascii(stem))
    return (_of_document(system) if lost else "") or short_name(stem) or _of_document(system) or NAMELESS


def _of_document(system: SystemSpec | None) -> str:
    return system.name if system else ""


def short_name(text: str) -> str:
    """Write a text as a short name: lower case, with hyphens for what is no letter or digit.

    Examples
    --------
    >>> short_name("My array"), short_name("Größe"), short_name("Évora"), short_name("日本")
    ('my-array', 'groesse', 'evora', '')
    """
    return "".join(one if one.isascii() and one.isalnum() else "-" for one in _in_ascii(text)).strip("-")


def _in_ascii(text: str) -> str:
    """Write letters as those of ASCII where they are such with a mark, in lower case."""
    spelled = unicodedata.normalize("NFC", text.lower()).translate(_SPELLED)
    return "".join(one for one in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(one))
