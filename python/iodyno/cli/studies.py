"""``iodyno studies``: the studies that come with iodyno."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from iodyno.cli import parameters
from iodyno.cli.options import json_option
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from iodyno.study import Study, Sweep


@click.command(cls=TellingCommand)
@click.argument("name", required=False, shell_complete=parameters.complete_studies)
@click.option("--toml", "as_toml", is_flag=True, help="Print the file, to make one's own of it.")
@json_option
def command(name: str | None, as_toml: bool, as_json: bool) -> None:
    """List the studies that come with iodyno, or describe one.

    NAME is one of them, or the path of a TOML file. `iodyno plan NAME` prints its points.

    \b
    iodyno studies raid-controllers
    iodyno studies quick --toml > my-study.toml
    """  # fmt: skip
    from iodyno.cli.ending import HintedUsageError
    from iodyno.study import load_study, shipped

    if as_toml and as_json:
        raise HintedUsageError("--toml and --json print the same in two ways", "leave one of them out")
    if as_toml:
        click.echo(_toml(name), nl=False)
    elif name is None:
        studies = [load_study(each) for each in shipped()]
        _print_json([study.model_dump(mode="json") for study in studies]) if as_json else _print_all(studies)
    else:
        study = load_study(name)
        _print_json(study.model_dump(mode="json")) if as_json else _print_one(study)


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def _toml(name: str | None) -> str:
    """Give the file of a study that is shipped."""
    from importlib import resources

    from iodyno.cli.ending import HintedUsageError
    from iodyno.study import load_study, shipped

    if name is None:
        raise HintedUsageError("--toml prints the file of one study", f"name it: {', '.join(shipped())}")
    if name not in shipped():
        load_study(name)
        raise HintedUsageError(f"{name} is a file itself", "--toml prints those that come with iodyno")
    return resources.files("iodyno").joinpath("studies").joinpath(f"{name}.toml").read_text("utf-8")


def _print_all(studies: list[Study]) -> None:
    from iodyno.cli.console import console, table

    out = console()
    columns = ("name", "left"), ("title", "left"), ("systems", "right")
    out.print(table(columns, [(study.name, study.title, _systems(study) or "–") for study in studies]))
    out.print()
    out.print("`iodyno studies NAME` describes one, `iodyno plan NAME` prints its points.", style="dim")
    out.print("Those with systems are simulated on these; any on what `--on` names.", style="dim")


def _print_one(study: Study) -> None:
    from iodyno.cli.console import console, facts, table

    pairs = [
        ("name", study.name),
        ("question", study.question),
        ("description", study.description),
        ("reference", _reference(study)),
        ("systems", _systems(study)),
        ("file", "" if _systems(study) else _size(study)),
    ]
    out = console()
    out.print(study.title, style="bold")
    out.print(facts(pair for pair in pairs if pair[1]))
    out.print()
    columns = ("sweep", "left"), ("title", "left"), ("profiles", "left")
    out.print(
        table(columns, [(sweep.name, sweep.title, ", ".join(_profiles(sweep))) for sweep in study.sweep])
    )


def _profiles(sweep: Sweep) -> Iterator[str]:
    from iodyno.profiles import STANDARD_SETS

    if sweep.set:
        yield from (load.profile.name for load in STANDARD_SETS[sweep.set])
    yield from sweep.profiles


def _systems(study: Study) -> str:
    """Count the systems that a study is simulated on; empty where it has none."""
    return str(len(study.configurations) or "")


def _reference(study: Study) -> str:
    """Name the published paper that a study comes from."""
    of = study.reference
    return ", ".join(filter(None, (of.publisher, of.title, of.version, of.date))) if of else ""


def _size(study: Study) -> str:
    from iodyno.units import format_size

    return format_size(study.file.size)
