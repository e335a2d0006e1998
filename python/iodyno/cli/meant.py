"""Which option was meant by one that there is not: mistyped, or what other tools call it."""

from __future__ import annotations

from collections.abc import Collection
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
    here = ELSEWHERE.get(name.lstrip("-").replace("_", "-").lower(), name)
    for option in (here, f"{here}-ios"):  # what is seconds of a measurement is I/Os of a simulation
        if option in known:
            return option
    return next(iter(get_close_matches(name, sorted(known), n=1, cutoff=LIKE)), "")


def meant_option(error: click.ClickException) -> str:
    """Give the option of its command that was meant by one that there is not; empty where none is near."""
    if not isinstance(error, click.NoSuchOption) or not error.ctx:
        return ""
    known = error.ctx.command.get_params(error.ctx)
    options = [one for one in known if isinstance(one, click.Option) and not one.hidden]
    return meant_by(error.option_name, [name for one in options for name in one.opts])
