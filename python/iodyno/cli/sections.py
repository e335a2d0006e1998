"""Help texts of commands with many options: options under headings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli.ending import WrongValuesError

if TYPE_CHECKING:
    from iodyno.cli.named import Values
    from iodyno.errors import Problem

HEADINGS: dict[str, tuple[str, ...]] = {
    "Change the study": (
        "profiles", "block_sizes", "read_share", "random_share", "outstanding", "workers", "workers_area",
        "which_targets", "targets_per_worker", "rates",
        "arrival", "area", "size", "engine", "write_through", "cold_cache", "iopoll", "pinning", "verify",
        "condition", "precision", "warmup_s", "floor_s", "cap_s", "warmup_ios", "floor_ios", "cap_ios",
        "seed",
    ),
    "Allow what is refused otherwise": ("buffered", "write_existing", "identity", "overwrite_signature"),
}  # fmt: skip
"""Heading and names of the options under it; the others stand under Options."""


class SectionedCommand(click.Command):
    """A command whose help lists options under headings, and that tells all that is wrong at once.

    Parameters
    ----------
    named
        Gives what is wrong with what the command line names, whatever the values of its options are; told
        where some of these cannot be read.
    """

    def __init__(
        self, *args: Any, named: Callable[[Values], Iterable[Problem]] | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self._named = named

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; every value that is wrong is told, and not the first alone."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter:
            wrong, names = self._values(ctx, given)
            raise WrongValuesError(wrong, ctx, tuple(self._named(names)) if self._named else ()) from None

    def _values(self, ctx: click.Context, args: list[str]) -> tuple[list[click.BadParameter], Values]:
        """Give what cannot be read, and of the rest the names, lists of them and flags."""
        words, rest, _ = self.make_parser(ctx).parse_args(args)
        wrong, names = list[click.BadParameter](), dict[str, Any]()
        for parameter in self.get_params(ctx):
            try:
                value, rest = parameter.handle_parse_result(ctx, words, rest)
            except click.BadParameter as error:
                wrong.append(error)
            else:
                if isinstance(value, str | bool | tuple):
                    names[parameter.name or ""] = value
        return wrong, names

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those without a heading first."""
        placed = {name: heading for heading, names in HEADINGS.items() for name in names}
        for heading in ("Options", *HEADINGS):
            records = [
                record
                for parameter in self.get_params(ctx)
                if isinstance(parameter, click.Option)
                and placed.get(parameter.name or "", "Options") == heading
                and (record := parameter.get_help_record(ctx)) is not None
            ]
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
