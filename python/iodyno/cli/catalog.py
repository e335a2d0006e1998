"""``iodyno catalog``: virtual hardware, what fits where, and whether a system can exist."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli.catalog_loss import loss
from iodyno.cli.options import json_option, store_option
from iodyno.cli.papers import told_with
from iodyno.cli.parameters import (
    NAME,
    complete_fitting,
    complete_parts,
    complete_runs,
    complete_shown,
    complete_systems,
)
from iodyno.cli.telling import TellingGroup

if TYPE_CHECKING:
    from rich.console import Console

    from iodyno.catalog.fits import Fit
    from iodyno.catalog.parts import DrivePart, Part, ProcessorPart
    from iodyno.catalog.shelf import Catalog
    from iodyno.cli.narrow import FittedTable
    from iodyno.errors import Problem
    from iodyno.fitting.own import OwnFit
    from iodyno.store.records import StoredRun

HEADINGS = {
    "server": "Servers", "ssd": "Solid state drives", "hdd": "Hard disks", "controller": "RAID controllers",
    "onboard": "Onboard controllers", "switch": "Switch adapters", "expander": "Expanders", "link": "Links",
    "processor": "Processors", "software": "Host software", "settings": "Power settings",
}  # fmt: skip
"""Kinds of parts in the order in which they are listed."""


@click.group(cls=TellingGroup, no_args_is_help=False, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Look at virtual hardware: parts, what fits where, systems.

    Each number of a part has a unit, a kind (datasheet, published, fitted, assumed) and a source.
    Parts of one's own are TOML files in ~/.local/share/iodyno/parts, or where $IODYNO_PARTS says.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


command.add_command(loss)

_ALSO_CALLED = {
    **dict.fromkeys(("drive", "disk", "device"), "ssd or hdd: drives are one of these"),
    **dict.fromkeys(("nvme", "flash"), "ssd"),
    **dict.fromkeys(("raid", "hba", "adapter"), "controller; onboard are those of servers"),
    **dict.fromkeys(("host", "machine"), "server or processor"),
    **dict.fromkeys(("cpu", "core"), "processor"),
    **dict.fromkeys(("driver", "os"), "software"),
    **dict.fromkeys(("power", "bios"), "settings"),
    **dict.fromkeys(("bus", "pcie", "lane"), "link"),
}
"""What else kinds are called, in the singular, and what to name instead."""


class _Kind(click.Choice[str]):
    """A kind of part, or systems, in whatever case it is written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from iodyno.cli.ending import HintedUsageError
        from iodyno.problems import did_you_mean

        known = [*HEADINGS, "system"]
        if str(value).lower() not in known:
            word = str(value).lower()
            meant = _ALSO_CALLED.get(word) or _ALSO_CALLED.get(word.removesuffix("s"))
            hint = f"name {meant}" if meant else did_you_mean(str(value), known, "kinds")
            raise HintedUsageError(f'"{value}" is no kind of part', hint)
        return super().convert(str(value).lower(), param, ctx)


@command.command("list")
@click.argument("kind", required=False, type=_Kind([*HEADINGS, "system"]), metavar="[KIND]")
@json_option
def list_(kind: str | None, as_json: bool) -> None:
    """List the parts and systems, or those of one KIND.

    KIND is ssd, hdd, controller, onboard, switch, expander, link, processor, server, software,
    settings or system.

    \b
    iodyno catalog list ssd
    """
    from iodyno.catalog.shelf import catalogue
    from iodyno.catalog.tree import load_system, shipped_systems

    catalog = catalogue()
    parts = [part for part in catalog.parts.values() if kind in (None, part.kind)]
    systems = [load_system(name) for name in shipped_systems()] if kind in (None, "system") else []
    for file, name in catalog.left_out.items():
        asked = f"`iodyno catalog show {quote(name)}`"
        click.echo(f"left out: {Path(file).name}, {asked} tells what is wrong", err=True)
    if as_json:
        named = [{"name": part.name, "kind": part.kind, "title": part.title} for part in parts]
        _print_json(named + [{"name": s.name, "kind": "system", "title": s.title} for s in systems])
        return
    from iodyno.cli.console import console, table

    out = console()
    groups = {heading: [p for p in parts if p.kind == kind] for kind, heading in HEADINGS.items()}
    columns = ("name", "whole"), ("title", "left"), ("", "left")
    for heading, members in groups.items():
        ordered = sorted(members, key=lambda part: part.name)
        rows = [(part.name, part.title, _in_short(part, catalog)) for part in ordered]
        if rows:
            _print_table(out, heading, table(columns, rows))
    if systems:
        _print_table(out, "Systems", table(columns[:2], [(s.name, s.title) for s in systems]))
    out.print(
        "`iodyno catalog show NAME` describes one, `iodyno catalog fits PART` says what fits.", style="dim"
    )


def _print_table(out: Console, heading: str, rows: FittedTable) -> None:
    out.print(heading, style="bold")
    out.print(rows)
    out.print()


def _in_short(part: Part, catalog: Catalog) -> str:
    """Say the most important of a part in a few words."""
    from iodyno.catalog.parts import (
        ControllerPart,
        DrivePart,
        LinkPart,
        ProcessorPart,
        ServerPart,
        SwitchPart,
    )  # fmt: skip

    if isinstance(part, DrivePart):
        return part.interface
    if isinstance(part, ControllerPart):
        levels = ", ".join(part.levels).replace("JBOD, 0", "JBOD, RAID 0")
        levels = levels if "RAID" in levels else f"RAID {levels}"
        return f"{part.host_interface}, {part.lanes} x {part.drive_interface}, {levels}"
    if isinstance(part, LinkPart):
        return ", ".join(part.versions)
    if isinstance(part, ServerPart):
        return ", ".join(f"{name} (family)" if catalog.family(name) else name for name in part.takes)
    if isinstance(part, SwitchPart):
        lanes = part.model["host_lanes"], part.model["drive_lanes"]
        return f"{part.version} x{lanes[0]}, x{lanes[1]} to each of {part.model['ports']} drives"
    if isinstance(part, ProcessorPart):
        socket = f", {part.socket}" if part.socket else ""
        return f"{part.model['cores']} cores, {part.model['frequency']}{socket}"
    return ""


@command.command(short_help="Describe a part, with the source of each number, or a system.")
@click.argument("name", type=NAME, shell_complete=complete_shown)
@click.option("--toml", "as_toml", is_flag=True, help="Print the file, to make one's own of it.")
@json_option
def show(name: str, as_toml: bool, as_json: bool) -> None:
    """Describe a part with the source of each number, or a system with the numbers it resolves to.

    NAME is that of a part or system, or the path of a TOML file that describes one.

    \b
    iodyno catalog show praid-ep420i
    iodyno catalog show p3700 --toml > my-system.toml
    """
    from iodyno.catalog.tree import shipped_systems
    from iodyno.cli.ending import HintedUsageError

    if as_toml and as_json:
        raise HintedUsageError("--toml and --json print the same in two ways", "leave one of them out")
    if as_toml:
        click.echo(_toml(name), nl=False)
        return
    if name.endswith(".toml") and _has_host(name):
        _show_system(name, as_json)
        return
    if _spelled(name) in shipped_systems():
        _show_system(_spelled(name), as_json)
        return
    from iodyno.cli.catalog_text import compared, kept_fits, print_part, rates_json

    _refuse_left_out(name)
    part = _part(name, "part or system")
    if as_json:
        figures = [{"figure": one.id, "use": one.use, "error": one.error} for one in compared(part)]
        told = {"fit": part.fit and kept_fits(part), "compared": figures}
        told |= {"rates": rates} if (rates := rates_json(part)) else {}
        _print_json(part.model_dump(mode="json", by_alias=True) | told)
        return
    print_part(part)


def _refuse_left_out(file: str) -> None:
    """Tell what is wrong with a file of the user's parts: read by itself it does not tell that its name is
    taken. Where the folder cannot be read, a file can all the same."""
    from iodyno.catalog.shelf import catalogue
    from iodyno.errors import CatalogError

    try:
        catalog = catalogue()
    except CatalogError:
        return
    if file in catalog.left_out:
        catalog.get(file)


def _toml(name: str) -> str:
    """Give the file of a part or system."""
    from iodyno.catalog.shelf import file_of
    from iodyno.catalog.tree import shipped_systems, system_text

    if _spelled(name) in shipped_systems():
        return system_text(_spelled(name))
    if name.endswith(".toml"):
        from iodyno.cli.ending import HintedUsageError

        raise HintedUsageError(f"{name} is a file itself", "--toml prints what is in the catalogue")
    return file_of(_part(name, "part or system").name)


def _has_host(path: str) -> bool:
    """Tell whether a file describes a system; what is wrong with it is told by who reads it."""
    from iodyno.catalog.reading import parse_toml
    from iodyno.errors import CatalogError
    from iodyno.folders import written_text

    try:
        return "host" in parse_toml(written_text(Path(path)), path)
    except (OSError, ValueError, CatalogError):
        return False


def _show_system(name: str, as_json: bool) -> None:
    from iodyno.catalog.resolve import resolve
    from iodyno.catalog.tree import load_system

    system = load_system(name)
    resolved = resolve(system)
    if as_json:
        _print_json(resolved.model_dump(mode="json"))
        return
    from iodyno.cli.catalog_text import print_system

    print_system(system, resolved)


@command.command("fits", short_help="Say what takes a part, and what fits on it.")
@click.argument("part", type=NAME, shell_complete=complete_fitting)
@json_option
def fits_(part: str, as_json: bool) -> None:
    """Say which servers take a part and with how many drives, and what fits on it.

    PART is a drive, controller, switch adapter, expander, processor or server, the path of its TOML file,
    or a family of drives as servers list them. Processors and servers are told by the socket that they have
    in common.

    \b
    iodyno catalog fits praid-ep420i
    iodyno catalog fits primergy-rx2540-m1
    """
    from iodyno.catalog.fits import fits
    from iodyno.catalog.shelf import catalogue

    catalog = catalogue()
    if members := catalog.family(_spelled(part)):
        _fits_of_a_family(_spelled(part), members, catalog, as_json)
        return
    asked = _part(part)
    found = fits(asked, catalog)
    if as_json:
        _print_json([_fit_json(fit) for fit in found])
        return
    from iodyno.cli.console import console

    out = console()
    _print_fits(out, asked.title, found)
    if remark := _remark(asked, found):
        out.print(remark, style="dim" if found else None)


def _fits_of_a_family(family: str, members: Sequence[DrivePart], catalog: Catalog, as_json: bool) -> None:
    """Say what takes the drives of a family: which of them, where that are not all."""
    from iodyno.catalog.fits import family_fits

    found = family_fits(members, catalog)
    if as_json:
        _print_json([_fit_json(fit) | {"members": names} for fit, names in found])
        return
    from iodyno.cli.console import console

    out = console()
    out.print(f"{family} is a family: {', '.join(drive.name for drive in members)}")
    out.print()
    told = [
        replace(fit, note="; ".join(filter(None, (fit.note, f"only {', '.join(names)}"))))
        if len(names) < len(members)
        else fit
        for fit, names in found
    ]
    _print_fits(out, f"the family {family}", told)


def _print_fits(out: Console, of: str, found: Sequence[Fit]) -> None:
    from iodyno.cli.console import table

    for kind, heading in HEADINGS.items():
        there = [fit for fit in found if fit.part.kind == kind]
        if there:
            _print_table(out, f"{heading} for {of}", table(*_fit_rows(there)))


def _fit_rows(found: list[Fit]) -> tuple[list[tuple[str, str]], list[tuple[str, ...]]]:
    """Give columns and rows of parts of one kind: of a processor and a server the socket, else the link."""
    if any(fit.socket for fit in found):
        columns = [("name", "whole"), ("title", "left"), ("socket", "whole"), ("", "left")]
        return columns, [(fit.part.name, fit.part.title, fit.socket, fit.note) for fit in found]
    columns = [("name", "whole"), ("title", "left"), ("drives", "right"), ("link", "whole"), ("", "left")]
    return columns, [
        (fit.part.name, fit.part.title, str(fit.drives or ""), fit.link, fit.note) for fit in found
    ]


def _remark(asked: Part, found: list[Fit]) -> str:
    """Say what a reader of the tables could miss in them."""
    from iodyno.catalog.parts import ProcessorPart, ServerPart

    if isinstance(asked, ProcessorPart):
        return _remark_on_processor(asked, found)
    if not found:
        return f"The catalogue does not know what {asked.title} fits."
    if asked.kind in ("ssd", "hdd", "controller", "onboard") and found[0].part.kind != "server":
        return f"No release matrix in the catalogue names {asked.title}."
    through = [fit.part.name for fit in found if fit.part.kind in ("controller", "onboard")]
    said = []
    if asked.kind == "server" and through:
        example = f"`iodyno catalog fits {through[0]}` lists those of one."
        said.append(f"SAS and SATA drives go through its controllers: {example}")
    if asked.kind in ("server", "ssd", "hdd", "controller", "onboard", "switch"):
        said.append("Release matrices are known in part: what is not listed may fit all the same.")
    if isinstance(asked, ServerPart) and asked.socket is None:
        said.append("No source in the catalogue says which processors it takes: any is allowed.")
    return " ".join(said)


def _remark_on_processor(asked: ProcessorPart, found: list[Fit]) -> str:
    if asked.socket is None:
        return f"The catalogue does not know what {asked.title} sits in."
    if not found:
        return f"No server in the catalogue is known to have its socket, {asked.socket}."
    return "By their socket: servers of which no source says it are left out."


def _spelled(name: str) -> str:
    """Let ``PRAID-EP420i`` stand for ``praid-ep420i``."""
    return name.lower().replace(" ", "-")


def _part(name: str, wanted: str = "part") -> Part:
    """Give a part by its name; of another name say what it is, or what was probably meant."""
    from iodyno.catalog.shelf import catalogue, part_in
    from iodyno.catalog.tree import shipped_systems
    from iodyno.errors import CatalogError

    if name.endswith(".toml"):
        return part_in(Path(name))
    catalog, systems, spelled = catalogue(), shipped_systems(), _spelled(name)
    if spelled in catalog.parts or spelled in catalog.unread:
        return catalog.get(spelled)
    if spelled in systems:
        raise CatalogError.of(name, "is a system, no part", f"`iodyno catalog show {spelled}` describes it")
    if catalog.family(spelled):
        return catalog.get(spelled)
    hint = catalog.hint(spelled, beside=systems if "system" in wanted else ())
    raise CatalogError.of(name, f"there is no {wanted} of this name", hint)


def _fit_json(fit: Fit) -> dict[str, Any]:
    drives = fit.drives
    return {
        "name": fit.part.name,
        "kind": fit.part.kind,
        "title": fit.part.title,
        "drives": drives.whole if drives else None,
        "drives_source": fit.drives_source or None,
        "link": fit.link or None,
        "socket": fit.socket or None,
        "note": fit.note or None,
    }


@command.command()
@click.argument("system", type=NAME, shell_complete=complete_systems)
@json_option
def check(system: str, as_json: bool) -> None:
    """Check whether a system can exist, and tell every problem of it.

    SYSTEM is the name of a shipped system or the path of a TOML file.

    \b
    iodyno catalog check my-system.toml
    """
    from iodyno.catalog.checks import checked
    from iodyno.catalog.resolve import resolve_checked
    from iodyno.catalog.shelf import catalogue
    from iodyno.catalog.tree import document_of
    from iodyno.errors import CatalogError
    from iodyno.folders import is_there

    if system in catalogue().parts and not is_there(Path(system)):
        hint = f"`iodyno catalog show {system}` describes it"
        raise CatalogError.of(system, "is a part, no system", hint)
    tree = checked(document_of(system), system)
    resolved = resolve_checked(tree)
    if as_json:
        _print_json(resolved.model_dump(mode="json"))
        return
    from iodyno.cli.catalog_text import print_system

    print_system(tree, resolved)
    click.echo()
    click.echo(f"{tree.name} can exist.")


@command.command("fit", short_help="Fit numbers of a part to figures of that part.")
@click.argument("part", type=NAME, shell_complete=complete_parts)
@click.option(
    "--run",
    metavar="RUN",
    shell_complete=complete_runs,
    help="Fit a part of your own to a run that was measured on it: its points are the figures.",
)
@click.option("--write", is_flag=True, help="Write what was found into the part's file.")
@store_option
@json_option
def fit_(part: str, run: str | None, write: bool, store: str | None, as_json: bool) -> int:
    """Fit the unknown numbers of a part to figures of that part alone.

    PART is one of the catalogue, whose figures are published ones, or one of your own, or its file, whose
    [fitting] has them, or a run (--run). Every step simulates the figures anew, so a fit takes a minute or a
    few. Where a bound has stopped each number, or no figure moves it, nothing was found: nothing is written
    then, and the exit status is 1.

    \b
    iodyno catalog fit intel-p3700-800
    iodyno measure --quick /dev/nvme0n1 --write-existing --identity SERIAL
    iodyno catalog fit my-drive --run latest --write
    """
    from iodyno.catalog.shelf import catalogue, shipped
    from iodyno.cli.catalog_fit import fit_json, print_fit, say_nothing_found
    from iodyno.cli.ending import FAILED, HintedUsageError, whoever_reads
    from iodyno.fitting.fit import fit, fit_to
    from iodyno.fitting.specs import SPECS
    from iodyno.fitting.writing import files_of, refuse_unwritable, write_own
    from iodyno.fitting.writing import write as write_fit

    if _spelled(part) in SPECS and run:
        hint = "`iodyno catalog show NAME --toml` gives a file to make one's own part of"
        raise HintedUsageError(f"{part} is fitted to published figures", hint)
    if _spelled(part) in SPECS:
        catalog, own = shipped(), None
        if write:
            files_of(SPECS[_spelled(part)])
        found = fit(_spelled(part), catalog, listener=_say_step)
    else:
        stored, wrong = _run_of(run, store)
        with told_with(wrong):
            asked, own = _own_part(part)
        catalog = catalogue().having(asked)
        wanted = _wanted(asked, catalog, own.parent, stored)
        if write:
            refuse_unwritable(wanted.spec, catalog, own)
        found = fit_to(wanted.targets, wanted.spec, catalog, listener=_say_step, own=wanted.points)
    with whoever_reads():
        if as_json:
            _print_json(fit_json(found, catalog))
        else:
            print_fit(found, catalog)
    if found.found_nothing:
        say_nothing_found(found, catalog, write=write)
        return FAILED
    if write and own:
        write_own(found, catalog, own)
    for file in ((own,) if own else write_fit(found, catalog)) if write else ():
        click.echo(f"wrote {file}", err=True)
    return 0


def _run_of(reference: str | None, store: str | None) -> tuple[StoredRun | None, tuple[Problem, ...]]:
    """Give the run that a part is fitted to, none where it has figures, and why there is none of the name."""
    from iodyno.errors import StoreError
    from iodyno.store import Store

    if reference is None:
        return None, ()
    try:
        with Store.open(store, create=False) as kept:
            return kept.load_each((reference,))[0], ()
    except StoreError as error:
        return None, error.problems


def _wanted(part: Part, catalog: Catalog, folder: Path, stored: StoredRun | None) -> OwnFit:
    """Give what a part of one's own is fitted to: its figures, or a run."""
    from iodyno.cli.ending import say
    from iodyno.fitting.measured import measured_fit
    from iodyno.fitting.own import own_fit

    if stored is None:
        return own_fit(part, catalog, folder)
    found = measured_fit(part, catalog, folder, stored)
    for note in found.notes:
        say("note", note)
    return found.fit


def _own_part(name: str) -> tuple[Part, Path]:
    """Give a part that has figures of its own to be fitted to, and its file."""
    from iodyno.catalog.shelf import own_file
    from iodyno.errors import CatalogError
    from iodyno.fitting.fit import spec_named

    part = _part(name)
    file = Path(name) if name.endswith(".toml") else own_file(part.name)
    if file is None:
        spec_named(part.name)
    if file is None or part.fitting is None:
        hint = (
            "give it [fitting], with numbers to find and figures of the part: the guide on virtual hardware"
        )
        raise CatalogError.of(name, "has no [fitting]: nothing says what is to be fitted to what", hint)
    return part, file


def _say_step(step: int, rms: float) -> None:
    click.echo(f"step {step}: the errors are {rms * 100:.2f}% (root mean square)", err=True)


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
