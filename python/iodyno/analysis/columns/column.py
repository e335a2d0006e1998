"""A column of a table, and those that say which point a row is of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from iodyno.reading import PointResult

Value: TypeAlias = str | int | float | bool | None
T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True)
class Column(Generic[T_contra]):
    """A column of a table."""

    name: str
    """With its unit last, then the statistic."""
    type: type[str] | type[int] | type[float] | type[bool]
    meaning: str
    value: Callable[[T_contra], Value]


class HasResult(Protocol):
    """Anything that belongs to a result."""

    @property
    def result(self) -> PointResult:
        """The result."""


class HasLoad(Protocol):
    """Anything that belongs to one load of a point."""

    @property
    def load(self) -> int:
        """Which load of its point it is, from 0."""


KEY: tuple[Column[HasResult], ...] = (
    Column("point", int, "Index of the point in the plan, from 0", lambda i: i.result.point.index),
    Column("sweep", str, "Sweep of the study that it belongs to", lambda i: i.result.point.sweep),
    Column("profile", str, "Short name of the load profile", lambda i: i.result.point.profile.name),
    Column(
        "outstanding", int, "Outstanding I/Os per target and worker", lambda i: i.result.point.outstanding
    ),
    Column("workers", int, "Workers", lambda i: i.result.point.workers),
    Column(
        "outstanding_total",
        int,
        "Outstanding I/Os: per target and worker × workers × targets",
        lambda i: i.result.point.outstanding_total,
    ),
)
"""Which point it is."""

LOAD: Column[HasLoad] = Column(
    "load",
    int,
    "Which load of the point, from 0: of several at once each has its rows",
    lambda i: i.load,
)
"""Which of several loads at once."""

SYSTEM: Column[HasResult] = Column(
    "system",
    str,
    "Virtual system that was simulated; empty where something was measured",
    lambda i: i.result.point.system or "",
)
"""Which of several systems."""
