"""Completion of what the study on the command line has: its sweeps, profiles, jobs and configurations."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from iodyno.study import Study

ALL = "all"
"""Every language, where one is asked for."""


def complete_sweeps(
    ctx: click.Context,
    parameter: click.Parameter,  # noqa: ARG001 - click's signature
    incomplete: str,
) -> list[CompletionItem]:
    """Complete the names of the study's sweeps."""
    study = _study(ctx)
    return _items(((sweep.name, sweep.title) for sweep in study.sweep) if study else (), incomplete)


def complete_configurations(
    ctx: click.Context,
    parameter: click.Parameter,  # noqa: ARG001 - click's signature
    incomplete: str,
) -> list[CompletionItem]:
    """Complete the names of the study's configurations."""
    study = _study(ctx)
    return _items(((one.name, one.shown) for one in study.configurations) if study else (), incomplete)


def complete_profiles(
    ctx: click.Context,
    parameter: click.Parameter,  # noqa: ARG001 - click's signature
    incomplete: str,
) -> list[CompletionItem]:
    """Complete the names of the study's own profiles and of the standard ones; of a job file its jobs."""
    from iodyno.cli.fio_jobs import is_job
    from iodyno.profiles import STANDARD_LOADS

    if is_job(name := _named(ctx)):
        return _items(((job, "") for job in _jobs(name)), incomplete)
    study = _study(ctx)
    profiles = [*(study.profile if study else ()), *(load.profile for load in STANDARD_LOADS.values())]
    return _items(((profile.name, profile.shown) for profile in profiles), incomplete)


def complete_languages(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Complete the languages that papers are in."""
    from iodyno.report.messages import languages

    return _items(((name, "") for name in (*languages(), ALL)), incomplete)


def _items(named: Iterable[tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name, help=title) for name, title in named if name.startswith(incomplete)]


def _study(ctx: click.Context) -> Study | None:
    """Read the study that the command line names so far; nothing where it cannot be read or is a job file."""
    from iodyno.cli.fio_jobs import is_job
    from iodyno.errors import IodynoError
    from iodyno.study import load_study

    name = _named(ctx)
    try:
        return None if is_job(name) else load_study(name)
    except (IodynoError, OSError):
        return None


def _jobs(name: str) -> tuple[str, ...]:
    """Give the names of the jobs of a file; none where it cannot be read."""
    from iodyno.errors import IodynoError
    from iodyno.fio import job_names

    try:
        return job_names(Path(name))
    except (IodynoError, OSError):
        return ()


def _named(ctx: click.Context) -> str:
    """Give the study or job file that the command line names so far."""
    from iodyno.cli.fio_jobs import is_job

    given = dict(ctx.params)
    first = next((item.name for item in ctx.command.params if isinstance(item, click.Argument)), None)
    if ctx.args and first is not None:  # what stands before an option that lacks its value is not parsed yet
        given[first] = ctx.args[0] if first == "study" else ctx.args
    job = next(filter(is_job, (given.get("paths") or ())[:1]), None)
    name: str = given.get("study") or job or ("quick" if given.get("quick") else "standard")
    return name
