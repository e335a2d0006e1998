"""Looking up the parts of a system while every problem is gathered."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from iodyno.catalog.parts import BasePart
from iodyno.catalog.shelf import IS_FAMILY, Catalog, family_hint
from iodyno.catalog.written import UnreadError, Written, read_or
from iodyno.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

P = TypeVar("P", bound=BasePart)
A = ParamSpec("A")
_KINDS = {
    "DrivePart": "drive",
    "ControllerPart": "controller",
    "SwitchPart": "switch adapter",
    "ExpanderPart": "expander",
    "ProcessorPart": "processor",
    "ServerPart": "server",
    "SoftwarePart": "software",
    "SettingsPart": "set of power settings",
}
_SEVERAL = {"SoftwarePart": "software", "SettingsPart": "power settings", "SwitchPart": "switch adapters"}


@dataclass
class Looking:
    """A catalogue, and what was found wrong so far."""

    catalog: Catalog
    where: str
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, place: str, what: str, hint: str = "") -> None:
        """Note a problem."""
        problem = Problem(f"{self.where}: {place}", what, hint)
        if problem not in self.problems:
            self.problems.append(problem)

    def at(
        self, check: Callable[Concatenate[Looking, A], None], *arguments: A.args, **named: A.kwargs
    ) -> None:
        """Make a check, or as much of it as needs no value that could not be read."""
        with suppress(UnreadError):
            check(self, *arguments, **named)

    def part_in(self, table: Written, key: str, kind: type[P], place: str) -> P | None:
        """Give the part that a key of a table names; none where it names none, or could not be read."""
        name: Any = read_or(table, key, None)
        return self.part(name, kind, f"{place}.{key}")

    def part(self, name: str | None, kind: type[P], place: str) -> P | None:
        """Give a part, or note that there is none of this name and kind."""
        if name is None:
            return None
        part = self.catalog.parts.get(name)
        if part is None and name in self.catalog.unread:
            unread = self.catalog.unread[name].problems
            self.problems += [problem for problem in unread if problem not in self.problems]
        elif part is None and (members := self.catalog.family(name)):
            self.wrong(place, f'"{name}" {IS_FAMILY}', family_hint(members))
        elif part is None:
            self.wrong(place, f'there is no part "{name}"', self._hint(name, kind))
        elif not isinstance(part, kind):
            self.wrong(place, f"{part.title} is no {_KINDS[kind.__name__]}", self._hint("", kind))
        else:
            return part
        return None

    def _hint(self, name: str, kind: type[P]) -> str:
        called = _SEVERAL.get(kind.__name__, f"{_KINDS[kind.__name__]}s")
        return self.catalog.hint(name, kind, called=called)
