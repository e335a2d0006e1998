"""Problems that several targets have alike: told once, with the names of the targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from iodyno.errors import Problem
from iodyno.study.problems import NAMED

_ON = "\N{OBJECT REPLACEMENT CHARACTER}"
"""What stands for the name of a target until it is known which targets have a problem."""


class Placed(Protocol):
    """What of a target an area depends on; ``Target`` has it, and a virtual volume too."""

    @property
    def path(self) -> str:
        """Absolute path, or the name of a virtual volume."""

    @property
    def size_bytes(self) -> int:
        """Size in bytes."""

    @property
    def logical_block_bytes(self) -> int:
        """Smallest unit of direct I/O in bytes."""


class _Nameless:
    """A target without its name, all else as it is."""

    path = _ON

    def __init__(self, target: object) -> None:
        self._target = target

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)


class Named(Protocol):
    """What every target has."""

    @property
    def path(self) -> str:
        """Absolute path, or the name of a virtual volume."""


_L = TypeVar("_L")
_T = TypeVar("_T", bound=Named)


def told_of_all(
    pairs: Iterable[tuple[_L, _T]], problems: Callable[[_L, _T], Iterable[Problem]]
) -> Iterator[Problem]:
    """Yield what is wrong with loads on targets, once for all targets on which it is the same.

    Parameters
    ----------
    pairs
        Each load with each of its targets.
    problems
        Gives what is wrong with a load on a target; its words hold for one target and for several.
    """
    on: dict[Problem, dict[str, None]] = {}
    for load, target in pairs:
        nameless = cast("_T", _Nameless(target))
        for problem in problems(load, nameless):
            on.setdefault(problem, {})[target.path] = None
    for problem, paths in on.items():
        named = listed(list(paths))
        yield replace(problem, what=problem.what.replace(_ON, named), hint=problem.hint.replace(_ON, named))


def listed(names: list[str]) -> str:
    """Write names, and how many more there are.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b"]), listed([str(name) for name in range(10)])
    ('a', 'a and b', '0, 1, 2, 3, 4, 5, 6, 7 and 2 more')
    """
    shown = names if len(names) <= NAMED + 1 else [*names[:NAMED], f"{len(names) - NAMED} more"]
    *first, last = shown
    return f"{', '.join(first)} and {last}" if first else last
