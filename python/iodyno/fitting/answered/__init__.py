"""What answers each published figure: the tables, a module for each paper."""

from __future__ import annotations

from collections.abc import Mapping

from iodyno.fitting.answered import nvme, p3700, primequest, raid
from iodyno.fitting.answers import Answer

__all__ = ["ANSWERS"]


def _by_id() -> Mapping[str, Answer]:
    found: dict[str, Answer] = {}
    for paper in (p3700, raid, primequest, nvme):
        for answer in paper.answers():
            assert answer.figure not in found, f"{answer.figure} is answered twice"
            found[answer.figure] = answer
    return dict(sorted(found.items()))


ANSWERS: Mapping[str, Answer] = _by_id()
"""What is simulated for a figure, by its id."""
