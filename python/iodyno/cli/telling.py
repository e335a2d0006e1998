"""Commands that tell all that is wrong with a command line at once, and not the first alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli.ending import WrongValuesError
from iodyno.cli.meant import meant_option

if TYPE_CHECKING:
    from iodyno.errors import Problem

Values = Mapping[str, Any]
"""Names, lists of names and flags of a command line, as far as they could be read."""
Unknown = click.NoSuchOption | click.BadOptionUsage


@dataclass(frozen=True)
class Readings:
    """A command line without the options that there are not, or that are written wrongly."""

    wrong: tuple[Unknown, ...]
    """Those options."""
    less: tuple[str, ...]
    """What is left, without words that may be values of them."""
    more: tuple[str, ...]
    """The same with those words, which may be names as well: of an option like none nobody knows."""


class TellingCommand(click.Command):
    """A command that tells all that is wrong with its options and with what is named beside them.

    Parameters
    ----------
    named
        Gives what is wrong with what the command line names, whatever the values of its options are; told
        where some of these cannot be read, or are of no option.
    """

    def __init__(
        self, *args: Any, named: Callable[[Values], Iterable[Problem]] | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self._named = named

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; every one that is wrong is told, and every value that is."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except (click.BadParameter, click.NoSuchOption, click.BadOptionUsage):
            raise self._all_wrong(ctx, given) from None

    def _all_wrong(self, ctx: click.Context, given: Sequence[str]) -> WrongValuesError:
        readings = self._readings(ctx, given)
        wrong, problems = self._wrong(ctx, readings.less)
        if readings.more != readings.less:  # what is wrong either way is wrong
            others, other_problems = self._wrong(ctx, readings.more)
            told = {error.format_message() for error in others}
            wrong = [error for error in wrong if error.format_message() in told]
            problems = [problem for problem in problems if problem in other_problems]
        return WrongValuesError((*readings.wrong, *wrong), ctx, problems)

    def _readings(self, ctx: click.Context, given: Sequence[str]) -> Readings:
        """Take out of the words what the parser refuses, one by one."""
        wrong, less, more = list[Unknown](), list(given), list(given)
        while True:
            try:
                self.make_parser(ctx).parse_args(list(less))
            except (click.NoSuchOption, click.BadOptionUsage) as error:
                error.ctx = ctx
                wrong.append(error)
                at, beside = _place(less, error), _place(more, error)
                value = less[at + 1 : at + 2] if _may_have_value(ctx, error, less[at:]) else []
                more[beside : beside + 1 + len(value)] = [] if meant_option(error) else value
                del less[at : at + 1 + len(value)]
            else:
                return Readings(tuple(wrong), tuple(less), tuple(more))

    def _wrong(
        self, ctx: click.Context, args: Sequence[str]
    ) -> tuple[list[click.BadParameter], list[Problem]]:
        """Give the values that cannot be read, and what is wrong with what is named."""
        words, rest, _ = self.make_parser(ctx).parse_args(list(args))
        wrong, names = list[click.BadParameter](), dict[str, Any]()
        for parameter in self.get_params(ctx):
            if parameter.is_eager:
                continue
            try:
                value, rest = parameter.handle_parse_result(ctx, words, rest)
            except click.BadParameter as error:
                wrong.append(error)
            else:
                if isinstance(value, str | bool | tuple):
                    names[parameter.name or ""] = value
        return wrong, list(self._named(names)) if self._named else []


class TellingGroup(click.Group):
    """Commands of one name whose members tell all that is wrong with their command line."""

    command_class = TellingCommand


def _may_have_value(ctx: click.Context, error: Unknown, words: Sequence[str]) -> bool:
    """Tell whether the word behind an option that there is not, the first of these, can be its value."""
    if not isinstance(error, click.NoSuchOption) or words[0] != error.option_name or len(words) < 2:
        return False
    name = meant_option(error)
    options = [one for one in ctx.command.get_params(ctx) if isinstance(one, click.Option)]
    is_flag = any(name in one.opts and one.is_flag for one in options)
    return not is_flag and (words[1][:1] != "-" or words[1][1:2].isdigit())


def _place(words: Sequence[str], error: Unknown) -> int:
    """Give where an option that is refused stands: by itself, with its value, or as a letter of several."""
    name = error.option_name

    def is_it(word: str) -> bool:
        if name.startswith("--"):
            return word.partition("=")[0] == name
        return word[:1] == "-" and word[:2] != "--" and name[1:] in word

    places = [at for at, word in enumerate(words) if is_it(word)]
    return places[0 if isinstance(error, click.NoSuchOption) else -1]
