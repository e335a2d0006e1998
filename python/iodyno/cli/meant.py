"""Which option was meant by one that there is not: mistyped, or what other tools call it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches

import click

ELSEWHERE = {
    "bs": "--block-sizes", "blocksize": "--block-sizes", "block-size": "--block-sizes",
    "iodepth": "--outstanding", "queue-depth": "--outstanding", "depth": "--outstanding",
    "qd": "--outstanding",
    "numjobs": "--workers", "threads": "--workers", "thread": "--workers",
    "runtime": "--cap", "duration": "--cap", "time": "--cap", "ramp-time": "--warmup",
    "rw": "--profile", "readwrite": "--profile", "rwmixread": "--read-share",
    "percentage-random": "--random-share",
    "ioengine": "--engine", "rate-iops": "--rate", "randseed": "--seed", "sync": "--write-through",
    "cpus-allowed": "--pinning", "filesize": "--size", "output": "--report", "export-json": "--json",
    "format": "--output", "dry-run": "--plan", "force": "--yes",
}  # fmt: skip
"""What fio, diskspd, hyperfine and their like call options, and what they are called here."""
LIKE = 0.75
"""How like a name has to be, 0 to 1, to be one mistyped: a letter left out or two exchanged, but no other."""


def meant_by(name: str, known: Collection[str]) -> str:
    """Give the option that was meant; empty where none is near.

    Parameters
    ----------
    name
        What was written, with its dashes.
    known
        Options of the command.

    Examples
    --------
    >>> known = ["--outstanding", "--block-sizes", "--seed", "--size"]
    >>> meant_by("--outsanding", known), meant_by("--bs", known), meant_by("--verbose", known)
    ('--outstanding', '--block-sizes', '')
    """
    called = _called_here(name, known)
    return called or next(iter(get_close_matches(name, sorted(known), n=1, cutoff=LIKE)), "")


def _called_here(name: str, known: Collection[str]) -> str:
    """Give what an option of another tool, or of another command, is called here; empty where it is none."""
    here = ELSEWHERE.get(name.lstrip("-").replace("_", "-").lower(), name)
    options = (here, f"{here}-ios")  # what is seconds of a measurement is I/Os of a simulation
    return next((option for option in options if option in known), "")


def meant_option(error: click.ClickException) -> str:
    """Give the option of its command that was meant by one that there is not; empty where none is near.

    An option of another command is not taken for one mistyped.
    """
    if not isinstance(error, click.NoSuchOption) or not error.ctx:
        return ""
    known = _options_of(error.ctx.command, error.ctx)
    if called := _called_here(error.option_name, known):
        return called
    if (other_case := error.option_name.swapcase()) in known:
        return other_case
    return "" if commands_with(error) else meant_by(error.option_name, known)


def commands_with(error: click.ClickException) -> list[str]:
    """Give the commands, as they are called, that have an option which the error's command has not."""
    if not isinstance(error, click.NoSuchOption) or not error.ctx:
        return []
    root = error.ctx.find_root()
    return [path for path, ctx in _commands(root) if error.option_name in _options_of(ctx.command, ctx)]


def _commands(ctx: click.Context) -> Iterator[tuple[str, click.Context]]:
    """Give each command below that of a context, with its path."""
    group = ctx.command
    if not isinstance(group, click.Group):
        yield ctx.command_path, ctx
        return
    for name in group.list_commands(ctx):
        if command := group.get_command(ctx, name):
            yield from _commands(click.Context(command, parent=ctx, info_name=name))


def _options_of(command: click.Command, ctx: click.Context) -> list[str]:
    options = [one for one in command.get_params(ctx) if isinstance(one, click.Option) and not one.hidden]
    return [name for one in options for name in one.opts]
