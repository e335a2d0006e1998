"""``[fitting]`` of a part of one's own: which of its numbers are to be fitted, to which figures of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from iodyno.errors import Problem
from iodyno.problems import did_you_mean
from iodyno.record import Number, Record

MOST_OUTSTANDING = 4096
WantedUnit = Literal["IO/s", "MB/s", "ms", "us"]
Limit = Annotated[float, Number, Field(gt=0, allow_inf_nan=False)]


class WantedFigure(Record):
    """``[[fitting.figures]]``: a figure of the part, measured or printed."""

    profile: str
    """Load profile: a standard one, or one of ``[[fitting.profile]]``."""
    outstanding: Annotated[int, Number, Field(ge=1, le=MOST_OUTSTANDING)] | None = None
    """Outstanding I/Os of each worker; left out: the best of 1, 2, 4 … 512."""
    workers: Annotated[int, Number, Field(ge=1, le=256)] = 1
    """Workers."""
    value: Limit
    """The figure: above 0."""
    unit: WantedUnit
    """``IO/s``, ``MB/s`` (1 MB = 2^20 bytes), or ``ms`` and ``us`` of the mean latency."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """Further changes of the system, for this figure alone."""
    source: str
    """Key of the part's ``[sources]``."""


class Fitting(Record):
    """``[fitting]``: read by ``iodyno catalog fit``, which writes what it finds into the part."""

    system: str
    """System that it is simulated in: one of the catalogue, or the path of a file, from the part's folder."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """Changes of the system that put the part into it: ``{ drive = "my-drive", count = 1 }``."""
    numbers: dict[Literal["model", "prefetch"], dict[str, tuple[Limit, Limit]]] = Field(min_length=1)
    """Numbers to find, each with the least and the greatest value that make sense, in its unit and above 0,
    as they are searched by their ratio: ``model.data_read = [500, 3400]``."""
    figures: tuple[WantedFigure, ...] = ()
    """``[[fitting.figures]]``: as many as numbers, or more; none where a run gives them (``--run``)."""
    profile: tuple[dict[str, Any], ...] = ()
    """``[[fitting.profile]]``: load profiles as a study has them."""


def wanted_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Find what of ``[fitting]`` does not go with the rest of the part."""
    wanted = document.get("fitting")
    if not isinstance(wanted, Mapping):
        return
    numbers, figures = wanted.get("numbers"), wanted.get("figures")
    tables = numbers if isinstance(numbers, Mapping) else {}
    named = [
        (table, key, ends)
        for table, of in tables.items()
        if isinstance(of, Mapping)
        for key, ends in of.items()
    ]
    for table, key, ends in named:
        yield from _number_problems(document, f"{table}.{key}", ends)
    if isinstance(figures, list) and 0 < len(figures) < len(named):
        what = f"{_many(len(figures), 'figure')} for {_many(len(named), 'number')}"
        yield Problem(
            "fitting.figures", what, "give as many figures as numbers, or more, or fit fewer numbers"
        )
    sources = document.get("sources")
    for at, figure in enumerate(figures if isinstance(figures, list) else ()):
        source = figure.get("source") if isinstance(figure, Mapping) else None
        if isinstance(source, str) and isinstance(sources, Mapping) and source not in sources:
            hint = did_you_mean(source, list(sources), "sources")
            yield Problem(f"fitting.figures[{at}].source", f'"{source}" is not in [sources]', hint)


def _number_problems(document: Mapping[str, Any], name: str, ends: Any) -> Iterator[Problem]:
    table, _, key = name.partition(".")
    where = f"fitting.numbers.{name}"
    has = document.get(table)
    if table in ("model", "prefetch") and not isinstance(has, Mapping):
        yield Problem(where, f"there is no [{table}]", f"give [{table}], or leave the number out")
    elif isinstance(has, Mapping) and key not in has:
        yield Problem(where, f"[{table}] has no {key}", did_you_mean(key, list(has), "numbers"))
    if (
        isinstance(ends, list)
        and len(ends) == 2
        and all(_is_number(end) for end in ends)
        and not ends[0] < ends[1]
    ):
        what = f"{ends[0]} is not below {ends[1]}"
        yield Problem(where, what, "give the least and the greatest value that make sense")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
