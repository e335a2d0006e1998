"""Help texts of commands with many options: options under headings."""

from __future__ import annotations

import click

from iodyno.cli.telling import TellingCommand

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


class SectionedCommand(TellingCommand):
    """A command whose help lists options under headings, and that tells all that is wrong at once."""

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
