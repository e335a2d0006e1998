"""``iodyno profiles``: the standard load profiles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from iodyno.cli.options import json_option
from iodyno.cli.suggesting import complete_profiles
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from iodyno.profiles import StandardLoad


@click.command(cls=TellingCommand)
@click.argument("name", required=False, shell_complete=complete_profiles)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the load profiles, or describe one.

    NAME is the short name of a standard profile. A study can define profiles of its own.

    \b
    iodyno profiles database
    """
    from iodyno.errors import ProfileError
    from iodyno.profiles import STANDARD_LOADS, STANDARD_SETS

    if name is None:
        sets = {
            title: [load.model_dump(mode="json") for load in loads] for title, loads in STANDARD_SETS.items()
        }
        _print_json(sets) if as_json else _print_sets()
        return
    if name not in STANDARD_LOADS:
        from iodyno.study.problems import did_you_mean

        hint = did_you_mean(name, list(STANDARD_LOADS), "profiles")
        raise ProfileError.of(name, "there is no standard profile of this name", hint)
    load = STANDARD_LOADS[name]
    _print_json(load.model_dump(mode="json")) if as_json else _print_one(load)


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def _print_sets() -> None:
    from iodyno.cli.console import console, table
    from iodyno.cli.wording import profile_text
    from iodyno.profiles import STANDARD_SETS

    out = console()
    columns = ("name", "left"), ("title", "left"), ("access", "left"), ("stands for", "left")
    for name, loads in STANDARD_SETS.items():
        profiles = [load.profile for load in loads]
        shown = columns if any(profile.stands_for for profile in profiles) else columns[:-1]
        rows = [
            (profile.name, profile.shown, profile_text(profile), profile.stands_for)[: len(shown)]
            for profile in profiles
        ]
        out.print(table(shown, rows, title=f"set {name}"))
        out.print()
    out.print("`iodyno profiles NAME` describes one, with its source.", style="dim")


def _print_one(load: StandardLoad) -> None:
    from iodyno.cli.console import console, facts
    from iodyno.cli.wording import profile_text
    from iodyno.units import format_size

    profile = load.profile
    intensities = ", ".join(map(str, load.outstanding)) or "swept: 1 to 512 in powers of two"
    pairs = [
        ("name", f"{profile.name}, version {profile.version}"),
        ("stands for", profile.stands_for),
        ("access", profile_text(profile)),
        (
            "random",
            f"{profile.random_share * 100:g}%, offsets are multiples of {profile.alignment_bytes} bytes",
        ),
        ("distribution", str(profile.distribution) if profile.random_share else ""),
        ("read", f"{profile.read_share * 100:g}%"),
        ("blocks", ", ".join(format_size(block.bytes) for block in profile.blocks)),
        ("area", str(profile.area)),
        ("data", profile.data),
        ("compressible", _share(profile.data_compressible_share)),
        ("duplicate", _share(profile.data_duplicate_share)),
        ("shown as", profile.shown_as.replace("_", " ")),
        ("workers", str(load.workers)),
        ("outstanding", f"{intensities}, per target and worker"),
        ("source", profile.source),
        ("assumed", profile.assumed),
    ]
    out = console()
    out.print(profile.shown, style="bold")
    out.print(facts(pair for pair in pairs if pair[1]))


def _share(share: float) -> str:
    """Write a share of the data; empty where it is none."""
    return f"{share * 100:g}%" if share else ""
