"""``iodyno doctor``: what this machine can do, and what will disturb a measurement."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from iodyno.cli.options import json_option
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from rich.text import Text

    from iodyno.doctor import Check, Place

TONES = {"good": "green", "warning": "yellow", "bad": "red", "unknown": "dim"}
MARKS = {"good": "✓", "warning": "!", "bad": "✗", "unknown": "?"}


@click.command(cls=TellingCommand)
@click.argument("paths", nargs=-1, type=click.Path(readable=False), metavar="[TARGET]...")
@json_option
def command(paths: tuple[str, ...], as_json: bool) -> int:
    """Tell what this machine can do and what will disturb a measurement.

    That is engines, rights and tools; the processor's governor and idle states; schedulers,
    queues and links of drives; and whatever else runs.

    TARGET is a folder, a file or a block device; this folder where none is given. Nothing
    is written and nothing is changed. The exit status is 1 where something spoils a
    measurement or forbids it.

    \b
    iodyno doctor /mnt/data
    """
    from iodyno import bench
    from iodyno.cli.ending import whoever_reads
    from iodyno.doctor import examine
    from iodyno.system import read_system

    places = _places(paths or (".",))
    checks = examine(read_system(places), places=places, engines=bench.engines())
    with whoever_reads():
        if as_json:
            click.echo(json.dumps([check.model_dump(mode="json") for check in checks], indent=2))
        else:
            _print(checks)
    return 1 if any(check.state == "bad" for check in checks) else 0


def _places(paths: Iterable[str]) -> list[Place]:
    from iodyno.doctor import look_at
    from iodyno.errors import Problem, TargetError

    found: list[Place] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            found.append(look_at(path))
        except TargetError as error:
            problems += error.problems
    if problems:
        raise TargetError(*problems)
    return found


def _print(checks: Iterable[Check]) -> None:
    from rich.padding import Padding

    from iodyno.cli.console import console

    out = console()
    subjects: dict[str, list[Check]] = {}
    for check in checks:
        subjects.setdefault(check.subject, []).append(check)
    for number, (subject, found) in enumerate(subjects.items()):
        out.print(("\n" if number else "") + (subject or "This machine"), style="bold")
        for check in found:
            out.print(Padding(_line(check), (0, 0, 0, 2)))
    states = [check.state for found in subjects.values() for check in found]
    counted = [(states.count(state), state) for state in ("bad", "warning", "unknown", "good")]
    words = [
        f"{count} {state}{'s' if state == 'warning' and count > 1 else ''}"
        for count, state in counted
        if count
    ]
    out.print("\n" + ", ".join(words))


def _line(check: Check) -> Text:
    from rich.text import Text

    text = Text().append(f"{MARKS[check.state]} ", style=TONES[check.state])
    text.append(check.what, style="" if check.state != "unknown" else "dim")
    return text.append(f"\n  {check.hint}", style="cyan") if check.hint else text
