"""What pydantic says about a study, in the words of who wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from iodyno import problems
from iodyno.catalog.changes import CHANGES
from iodyno.distributions import Zone
from iodyno.errors import Problem
from iodyno.problems import UNKNOWN_KEY, did_you_mean
from iodyno.profiles import Area, Block, LoadProfile
from iodyno.study.conditioning import ConditioningOptions
from iodyno.study.configuration import AccessedAreas, Configuration, SimulationOptions
from iodyno.study.model import Beside, Chart, Comparison, FileOptions, Measurement, Part, Search, Study, Sweep

__all__ = ["NAMED", "did_you_mean", "problems_of"]

NAMED = 8
"""Configurations that a hint names: a study can have a hundred."""

TABLES: problems.Tables = {
    (): Study,
    ("measurement",): Measurement,
    ("file",): FileOptions,
    ("profile",): LoadProfile,
    ("profile", "blocks"): Block,
    ("profile", "write_blocks"): Block,
    ("profile", "area"): Area,
    ("profile", "distribution"): Zone,
    ("conditioning",): ConditioningOptions,
    ("simulation",): SimulationOptions,
    ("configuration",): Configuration,
    ("configuration", "area"): AccessedAreas,
    ("sweep",): Sweep,
    ("sweep", "beside"): Beside,
    ("sweep", "area"): Area,
    ("sweep", "search"): Search,
    ("sweep", "chart"): Chart,
    ("sweep", "chart", "part"): Part,
    ("sweep", "chart", "compare"): Comparison,
}
"""The table that each path holds, its indices left out."""


def problems_of(error: ValidationError, document: Mapping[str, Any]) -> list[Problem]:
    """Translate all that pydantic found in a study, one problem a place."""
    found = problems.problems_of(error, document, TABLES)
    return [_as_a_change(one) for problem in found for one in each_by_itself(problem)]


def _as_a_change(problem: Problem) -> Problem:
    """Say of a key of a system that stands in a configuration where it goes."""
    found = re.fullmatch(r"configuration\[\d+\]\.(\w+)", problem.where)
    if not found or problem.what != UNKNOWN_KEY or found[1] not in CHANGES:
        return problem
    hint = f"what differs from the system goes into changes = {{ {found[1]} = … }}"
    return replace(problem, hint=hint)


def each_by_itself(problem: Problem) -> Iterator[Problem]:
    """Take apart what fields of a profile contradict each other; anything else stays as it is."""
    apart = problem.what.split("; ") if re.fullmatch(r"profile\[\d+\]", problem.where) else [problem.what]
    yield from (replace(problem, what=what) for what in apart)
