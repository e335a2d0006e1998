"""Help texts of commands with many options: options under headings."""

from __future__ import annotations

import click

from iodyno.cli.ending import WrongValuesError

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
    """A command whose help lists options under headings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; every value that is wrong is told, and not the first alone."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter:
            raise WrongValuesError(self._wrong_values(ctx, given), ctx) from None

    def _wrong_values(self, ctx: click.Context, args: list[str]) -> list[click.BadParameter]:
        values, rest, _ = self.make_parser(ctx).parse_args(args)
        found = []
        for parameter in self.get_params(ctx):
            try:
                _, rest = parameter.handle_parse_result(ctx, values, rest)
            except click.BadParameter as error:
                found.append(error)
        return found

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
