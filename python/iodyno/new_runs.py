"""The record of a run that begins now: its id, which iodyno makes it, and what it is made on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from iodyno.store import new_run_id
from iodyno.store.records import Run, ToolFacts

if TYPE_CHECKING:
    from iodyno.plan import Plan
    from iodyno.system import System


def new_run(plan: Plan, system: System, command: Sequence[str]) -> Run:
    """Make the record of a run that begins now.

    Parameters
    ----------
    plan
        What is to be measured.
    system
        What it is measured on.
    command
        The words of the command line that makes it.
    """
    from iodyno import bench

    now = datetime.now(timezone.utc)
    return Run(
        id=new_run_id(now),
        started_at=now.isoformat(timespec="seconds"),
        plan=plan,
        tool=ToolFacts(**bench.build_facts()),
        system=system,
        command=tuple(command),
    )


def new_simulated_run(plan: Plan, command: Sequence[str]) -> Run:
    """Make the record of a simulated run that begins now, with a description of its virtual systems.

    Parameters
    ----------
    plan
        What is to be simulated.
    command
        The words of the command line that makes it.
    """
    from iodyno.analysis.configurations import configuration_title, configurations_of
    from iodyno.study.configuration import Configuration
    from iodyno.study.systems import written
    from iodyno.system.virtual import describe

    titles = {name: configuration_title(plan, name) for name in plan.systems}
    told = configurations_of(plan)
    trees = {name: written(Configuration.model_validate(told[name])) for name in plan.systems}
    run = new_run(plan, describe(plan.systems, titles, trees), command)
    return run.model_copy(update={"simulated": True})
