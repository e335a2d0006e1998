"""Runs as the store keeps them."""

from __future__ import annotations

from typing import Literal

from pydantic import NonNegativeInt

from iodyno.conditioned import Step
from iodyno.plan import Plan
from iodyno.profiles import Record
from iodyno.reading import PointResult
from iodyno.system import System

RunStatus = Literal["running", "finished", "interrupted", "failed"]


class ToolFacts(Record):
    """Which iodyno made a run."""

    version: str
    commit: str
    """Commit of the source, ``unknown`` where it was built outside a checkout; ``+`` at the end: changed."""
    build_profile: str
    """``release`` or ``debug``."""
    optimised: bool
    """Whether the engine was built with optimisation. Where not, its figures are worth little."""
    python: str


class Run(Record):
    """A run without its results."""

    id: str
    """Sorts by time: ``20261121-201530-4f2a``."""
    started_at: str
    """UTC, ISO 8601."""
    finished_at: str | None = None
    status: RunStatus = "running"
    plan: Plan
    tool: ToolFacts
    system: System
    command: tuple[str, ...]
    """The command line that made it."""
    simulated: bool = False
    """Whether every figure is that of a model: ``system`` then describes the virtual systems."""
    imported: str = ""
    """The program that measured, where that was not iodyno: ``fio-3.33``; empty otherwise."""

    @property
    def config_hash(self) -> str:
        """Hash of the plan."""
        return self.plan.config_hash


class RunSummary(Record):
    """A line of ``iodyno runs``."""

    id: str
    started_at: str
    finished_at: str | None
    status: RunStatus
    study: str
    title: str
    targets: tuple[str, ...]
    points: NonNegativeInt
    done: NonNegativeInt
    simulated: bool = False
    """Whether nothing was measured: its targets are then names of virtual systems."""
    imported: str = ""
    """The program that measured, where that was not iodyno; empty otherwise."""


A_RUN = "a run, as simulate() and load_run() give it"
"""What functions take, in words."""


class StoredRun(Record):
    """A run with the results that it has."""

    run: Run
    results: tuple[PointResult, ...]
    conditioning: tuple[Step, ...] = ()
    """What was done to the targets before they were measured, and what undid it."""
