"""All answers and statements, by the id of the published row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from iodyno.fitting.answered import nvme, p3700, primequest, raid
from iodyno.fitting.answers import Answer
from iodyno.validation import (
    statements_cache,
    statements_nvme,
    statements_p3700,
    statements_p3700_host,
    statements_raid,
)
from iodyno.validation.statements import Statement

T = TypeVar("T", Answer, Statement)


def _by_id(rows: Iterable[T]) -> Mapping[str, T]:
    found: dict[str, T] = {}
    for row in rows:
        assert row.figure not in found, f"{row.figure} is answered twice"
        found[row.figure] = row
    return dict(sorted(found.items()))


ANSWERS: Mapping[str, Answer] = _by_id(
    answer for paper in (p3700, raid, primequest, nvme) for answer in paper.answers()
)
"""What is simulated for a figure."""
STATEMENTS: Mapping[str, Statement] = _by_id(
    statement
    for module in (
        statements_p3700,
        statements_p3700_host,
        statements_raid,
        statements_cache,
        statements_nvme,
    )
    for statement in module.paper.statements
)
"""What decides a statement."""
