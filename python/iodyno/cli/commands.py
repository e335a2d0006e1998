"""The table of commands."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from iodyno.cli.ending import HintedUsageError

COMMANDS: dict[str, tuple[str, str]] = {
    "measure": ("Measure", "Measure targets and keep the readings."),
    "search": ("Measure", "Find the highest rate at which response times keep a limit."),
    "plan": ("Measure", "Print every point of a study, decided, and stop."),
    "simulate": ("Simulate", "Simulate a study on virtual hardware, and keep the readings."),
    "size": ("Simulate", "Find the fewest drives that serve a load within a limit."),
    "catalog": ("Simulate", "Look at virtual hardware: parts, what fits where, systems."),
    "verify": ("Measure", "Read what a run with --verify has written, and compare it."),
    "doctor": ("Measure", "Tell what this machine can do and what will disturb a measurement."),
    "profiles": ("Measure", "List the load profiles, or describe one."),
    "studies": ("Measure", "List the studies that come with iodyno, or describe one."),
    "report": ("Look at runs", "Write the white paper of a run, as PDF or HTML."),
    "runs": ("Look at runs", "List the runs that are kept, latest first."),
    "show": ("Look at runs", "Show the figures and verdicts of a run."),
    "compare": ("Look at runs", "Compare runs point by point, with intervals."),
    "export": ("Look at runs", "Write a run as JSON, CSV or Parquet, or as fio writes its results."),
    "import": ("Look at runs", "Take results of fio into the store as a run."),
    "remove": ("Look at runs", "Remove runs with all their results from the store."),
    "completion": ("Shell", "Print the completion script of a shell."),
}
"""Heading and short help of each command; the module of the same name holds it."""
_MODULES = {"import": "importing"}
"""Modules of commands whose names Python keeps for itself."""


_CALLED = {
    "run": "measure", "bench": "measure", "benchmark": "measure", "resume": "measure",
    "predict": "simulate --analytic", "calculate": "simulate --analytic",
    "sizing": "size", "dimension": "size",
    "parts": "catalog", "systems": "catalog", "list": "runs", "ls": "runs", "history": "runs",
    "results": "show", "paper": "report", "diff": "compare", "rm": "remove", "delete": "remove",
}  # fmt: skip
"""What people and other tools call commands, and what they are called here."""


@contextmanager
def _unnumbered() -> Iterator[None]:
    """Take the number from the error of a pipe that nobody reads: click ends the process by it, with 1."""
    try:
        yield
    except BrokenPipeError as error:
        error.errno = None
        raise


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and none to list them."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the options of the group; its help is printed here."""
        with _unnumbered():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command."""
        with _unnumbered():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Give the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(
            f"iodyno.cli.{_MODULES.get(cmd_name, cmd_name)}"
        ).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one was probably meant."""
        name = args[0]
        if name in COMMANDS or name.startswith("-"):
            return super().resolve_command(ctx, args)
        guess = _CALLED.get(name) or next(iter(difflib.get_close_matches(name, COMMANDS, n=1)), "")
        meant = f"did you mean {guess}? " if guess else ""
        raise HintedUsageError(f'there is no command "{name}"', f"{meant}`iodyno -h` lists the commands")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands under their headings."""
        for heading in dict.fromkeys(heading for heading, _ in COMMANDS.values()):
            rows = [(name, text) for name, (of, text) in COMMANDS.items() if of == heading]
            with formatter.section(heading):
                formatter.write_dl(rows, col_spacing=12 - min(11, max(len(name) for name, _ in rows)) + 2)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete names of commands without importing them."""
        from click.shell_completion import CompletionItem

        names = [name for name in COMMANDS if name.startswith(incomplete)]
        found = [CompletionItem(name, help=COMMANDS[name][1]) for name in names]
        return found + click.Command.shell_complete(self, ctx, incomplete)


def _print_version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: ARG001
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        click.echo(f"iodyno {version('iodyno')}")
    except PackageNotFoundError:
        click.echo("iodyno, not installed")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 done, 1 failed or I/O errors seen, 2 bad request, 130 interrupted.",
)
@click.option(
    "-V", "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Print the version and stop.",
)  # fmt: skip
@click.pass_context
def iodyno(ctx: click.Context) -> None:
    """The test stand for storage: measures disks with the load profiles of the field and writes the
    white paper.

    \b
    iodyno measure --quick . -o paper.pdf    measure the disk under this folder in three minutes
    iodyno report                            write the white paper of the latest run
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
