"""How a command ends: what is printed of an error, and the exit status."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TextIO

import click

from iodyno.cli.lines import located
from iodyno.cli.meant import commands_with, meant_option
from iodyno.cli.sentences import fitted
from iodyno.errors import IodynoError, Problem

FAILED = 1
BAD_REQUEST = 2
INTERRUPTED = 130
_ROOM = "make room where the output and the runs are kept, or send them elsewhere"
_RIGHTS = "change the permissions of the file or of its folder, or the user"
_HINTS = {
    errno.ENOSPC: _ROOM, errno.EDQUOT: _ROOM, errno.EFBIG: _ROOM,
    errno.ENOENT: "it may have been removed meanwhile: look, and try again",
    errno.EACCES: _RIGHTS, errno.EPERM: _RIGHTS,
    errno.EROFS: "name a place that can be written",
    errno.ENAMETOOLONG: "take a shorter name",
    errno.EMFILE: "raise the limit of open files: ulimit -n",
}  # fmt: skip
"""What helps where the system refuses something."""
_NAMED = 3
"""Most commands that are named as those that have an option."""


class HintedUsageError(click.UsageError):
    """A wrong command line with a hint."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class WrongRequestError(click.UsageError):
    """A command line with several things wrong, each with its hint."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class WrongValuesError(WrongRequestError):
    """A command line with options that there are not or that cannot be read, and what else is wrong."""

    def __init__(
        self, errors: Sequence[click.UsageError], ctx: click.Context, more: Sequence[Problem] = ()
    ) -> None:
        told = [Problem("", _sentence(error), _meant_hint(error)) for error in errors]
        if told:
            shows = f"`{ctx.command_path} -h` shows what it takes"
            told[-1] = replace(told[-1], hint=f"{told[-1].hint} {shows}".lstrip())
        super().__init__(*told, *more)


class InterruptedRunError(Exception):
    """Ctrl-C after which something is left to say."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UnreadRunError(BrokenPipeError):
    """A run that is not done, as nobody reads any more what is told of it."""


def exit_code_of(group: click.Group, arguments: Sequence[str] | None) -> int:
    """Run a command; print what went wrong and give the exit status.

    Who closes the pipe has read enough: a command that only prints has done what was asked then.
    """
    arguments = list(arguments) if arguments is not None else None
    result: object = 0
    try:
        result = group.main(args=arguments, prog_name="iodyno", standalone_mode=False)
        sys.stdout.flush()
    except IodynoError as error:
        for said, hint in located(error.problems):
            say("error", said, hint)
        return error.exit_code
    except WrongRequestError as error:
        for problem in error.problems:
            say("error", str(problem), problem.hint)
        return BAD_REQUEST
    except click.ClickException as error:
        say("error", _sentence(error), _usage_hint(error, lambda: _path_of(group, arguments or sys.argv[1:])))
        return BAD_REQUEST
    except InterruptedRunError as error:
        say("interrupted", str(error), error.hint)
        return INTERRUPTED
    except (click.Abort, KeyboardInterrupt):
        say("interrupted", "nothing was kept")
        return INTERRUPTED
    except BrokenPipeError as error:
        _reader_is_gone(sys.stdout)
        result = FAILED if isinstance(error, UnreadRunError) else result
    except OSError as error:
        return _failed_by_system(error)
    return result if isinstance(result, int) else 0


def say(word: str, message: str, hint: str = "") -> None:
    """Print a message to stderr, its first word standing out on a terminal."""
    color = False if os.environ.get("NO_COLOR") else None
    for start, text in ((word, message), ("hint", hint)):
        if text:
            tone = "cyan" if start == "hint" else "red" if start == "error" else "yellow"
            label = click.style(f"{start}:", fg=tone, bold=True)
            said = fitted(f"{start}: {text}", sys.stderr).removeprefix(f"{start}:")
            with whoever_reads(sys.stderr):
                click.echo(f"{label}{said}", err=True, color=color)


def _sentence(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        return f"there is no option {error.option_name}"
    text = " ".join(error.format_message().split()).rstrip(".")
    return text[:1].lower() + text[1:]


def _usage_hint(error: click.ClickException, path_of: Callable[[], str]) -> str:
    if isinstance(error, HintedUsageError):
        return error.hint
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    shows = f"`{ctx.command_path if ctx else path_of()} -h` shows what it takes"
    return f"{_meant_hint(error)} {shows}".lstrip()


def _meant_hint(error: click.ClickException) -> str:
    """Ask whether another option was meant by one that there is not, say which commands have it, or where a
    second run belongs; empty where nothing is near."""
    if meant := meant_option(error):
        return f"did you mean {meant}?"
    if paths := commands_with(error):
        named = [f"`{path}`" for path in paths[:_NAMED]]
        more = ["others"] if len(paths) > _NAMED else []
        *first, last = [*named, *more]
        return f"it is an option of {', '.join(first)}{' and ' if first else ''}{last}."
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    return _beyond(ctx.command) if ctx and "extra argument" in error.message else ""


def _beyond(command: click.Command) -> str:
    """Say where words belong that are more than a command takes; empty where nothing is known of them."""
    arguments = {one.name for one in command.params if isinstance(one, click.Argument)}
    options = {name for one in command.params for name in one.opts}
    if "run" in arguments:
        return "it takes one run; `iodyno compare A B` puts runs side by side."
    if "study" in arguments and "--on" in options:
        return "it takes one study; each system is named with --on."
    if "study" in arguments and "--target" in options:
        return "it takes one study; each target is named with --target."
    single = [one for one in command.params if isinstance(one, click.Argument) and one.nargs == 1]
    named = [one.make_metavar(click.Context(command)).strip("[]") for one in single]
    return f"it takes one {named[0]}." if len(named) == 1 else ""


def _path_of(group: click.Group, arguments: Sequence[str]) -> str:
    """Give the command that the arguments are for: of an option without its value click does not tell."""
    path, within = "iodyno", group
    for word in arguments:
        found = within.get_command(click.Context(within), word)
        path = f"{path} {word}" if found else path
        if isinstance(found, click.Group):
            within = found
        elif found:
            break
    return path


@contextlib.contextmanager
def whoever_reads(stream: TextIO | None = None) -> Iterator[None]:
    """Print to standard output or another stream, and go on where nobody reads any more: what comes after
    tells, as the exit status does."""
    stream = stream or sys.stdout
    try:
        yield
        stream.flush()
    except BrokenPipeError:
        _reader_is_gone(stream)


def _reader_is_gone(stream: TextIO) -> None:
    """Let a stream that takes nothing more take everything without a word, until it is closed."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _failed_by_system(error: OSError) -> int:
    """Say what the system refused: mostly a full disk, under standard output or a file."""
    where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
    hint = _HINTS.get(error.errno or 0, "")
    try:
        sys.stdout.flush()
    except OSError:
        _reader_is_gone(sys.stdout)
    say("error", where + (error.strerror or str(error)).lower(), hint)
    return FAILED
