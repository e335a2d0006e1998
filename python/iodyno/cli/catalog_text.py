"""How a part and a system are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from iodyno.cli.console import console, facts, table
from iodyno.cli.wording import four_digits, left_out_percent, signed_percent, to_digits

if TYPE_CHECKING:
    from rich.console import Console

    from iodyno.analysis.closeness import Comparison
    from iodyno.catalog.joined import Expanders
    from iodyno.catalog.parts import KeptFit, Part, ServerPart
    from iodyno.catalog.quantity import Quantity
    from iodyno.catalog.shelf import Catalog
    from iodyno.catalog.tree import SystemSpec
    from iodyno.virtual import Array, VirtualSystem, Volume

_HIDDEN = {
    "schema_", "name", "title", "kind", "source", "sources", "model", "facts", "fit", "fitting", "note",
    "prefetch", "offered", "modes", "takes",
}  # fmt: skip
_COLUMNS = (("number", "whole"), ("value", "right"), ("kind", "whole"), ("source", "whole"), ("note", "left"))
_CAPACITIES = (("TB", 10**12), ("GB", 10**9), ("MB", 10**6))
_MB_S = 1 << 20


def print_part(part: Part) -> None:
    """Print a part: its words, its numbers with their sources, the citations."""
    out = console()
    out.print(part.title, style="bold")
    out.print(facts([("name", part.name), ("kind", part.kind), *_words(part)]))
    _print_settings(out, part)
    _print_takes(out, part)
    _print_rates(out, part)
    tables = {"model": part.model, "prefetch": getattr(part, "prefetch", None) or {}, "facts": part.facts}
    titles = {
        "model": "Numbers of the model",
        "prefetch": "Prefetching",
        "facts": "Printed, no numbers of the model",
    }
    for name, numbers in tables.items():
        if numbers:
            out.print()
            rows = _rows(numbers, _fitted_facts(part) if name == "facts" else frozenset())
            out.print(table(_COLUMNS, rows, title=titles[name]))
        for said in _left_out(part) if name == "model" else ():
            out.print(said)
    for name, fit in (part.fit or {}).items():
        _print_kept_fit(out, part, name, fit)
    _print_closeness(out, part)
    out.print()
    out.print(table((("source", "whole"), ("", "left")), list(part.sources.items()), title="Sources"))
    if part.note:
        out.print()
        out.print(part.note)


def _left_out(part: Part) -> Iterator[str]:
    """Say what it means of an SSD that it does not give what a die brings of a stream at once."""
    if part.kind != "ssd" or ("read_size" in part.model and part.model["read_size"].base):
        return
    stripe = part.model["stripe"]
    yield (
        f"Without read_size a stream that is read in order takes a read of a die for each {stripe}, "
        "its stripe, as random reads do: with few outstanding I/Os that is slow."
    )


def _print_rates(out: Console, part: Part) -> None:
    """Print what a kind of link carries in a direction, by width and version."""
    from iodyno.catalog.links import rates
    from iodyno.catalog.parts import LinkPart
    from iodyno.catalog.shelf import catalogue

    found = rates(part, catalogue()) if isinstance(part, LinkPart) else ()
    if not found or not isinstance(part, LinkPart):
        return
    versions = list(dict.fromkeys(one.version for one in found))
    columns = ("lanes", "right"), *((version, "right") for version in versions)
    way = "in each direction" if part.full_duplex else "in one direction at a time"
    widths = list(dict.fromkeys(one.lanes for one in found))
    titles = {"theoretical": "Theoretical rate in MB/s", "practical": "Practical rate in MB/s as simulated"}
    for kind, title in titles.items():
        written = {(one.version, one.lanes): f"{float(getattr(one, kind)) / _MB_S:,.0f}" for one in found}
        rows = [(f"x{lanes}", *(written[version, lanes] for version in versions)) for lanes in widths]
        out.print()
        out.print(f"{title}, {way}", style="bold")
        out.print(table(columns, rows))


def rates_json(part: Part) -> list[dict[str, Any]]:
    """Give what a kind of link carries in a direction as JSON, in bytes/s; nothing of other parts."""
    from iodyno.catalog.links import rates
    from iodyno.catalog.parts import LinkPart
    from iodyno.catalog.shelf import catalogue

    return [
        {
            "version": one.version,
            "lanes": one.lanes,
            "theoretical_bytes_s": round(one.theoretical),
            "practical_bytes_s": round(one.practical),
        }
        for one in (rates(part, catalogue()) if isinstance(part, LinkPart) else ())
    ]


def _print_kept_fit(out: Console, part: Part, name: str, fit: KeptFit) -> None:
    """Print the figures that a fit kept with the part used, and how close it met them.

    A part that was made of another one has the fit of that, whose figures are not those of other numbers.
    """
    from iodyno.catalog.shelf import shipped

    origin = _fitted(part, name, fit)
    other = _other_numbers(part, origin) if origin else []
    figures = [
        (
            one.figure,
            f"{one.value:,.6g}",
            f"{one.simulated:,.6g}",
            signed_percent(one.residual),
            left_out_percent(one.left_out),
        )
        for one in (() if other else fit.figures)
    ]
    published = "given" if name == part.name and name not in shipped().parts else "published"
    columns = (
        ("figure", "whole"),
        (published, "right"),
        ("simulated", "right"),
        ("error", "right"),
        ("left out", "right"),
    )
    said = [("of", f"{origin.name}, which this part was made of")] if origin else []
    if origin and other:
        what = f"left out: of {origin.name}, from which differ {', '.join(other)}"
        said.append(("simulated", what))
    said.append(("numbers", ", ".join(fit.parameters)))
    if fit.beyond:
        said.append(("beyond the part", fit.beyond))
    if fit.figures_in:
        said.append(("figures", f"in {fit.figures_in}"))
    said.append(("found by", fit.command))
    out.print()
    out.print(f"Fit {name}", style="bold")
    out.print(facts(said))
    if figures:
        out.print(table(columns, figures))


def kept_fits(part: Part) -> dict[str, dict[str, Any]]:
    """Give the fits that are kept with a part as JSON, of that of another part the same as is printed of it.

    Such a fit says ``of`` which part it is and which numbers ``differ``; where some do, it has no figures.
    """
    told = dict[str, dict[str, Any]]()
    for name, fit in (part.fit or {}).items():
        told[name] = fit.model_dump(mode="json", exclude_unset=True)
        if origin := _fitted(part, name, fit):
            other = _other_numbers(part, origin)
            told[name] |= {"of": origin.name, "differ": other} | ({"figures": []} if other else {})
    return told


def _fitted(part: Part, name: str, fit: KeptFit) -> Part | None:
    """Give the part of the catalogue whose fit another part has."""
    from iodyno.catalog.shelf import shipped

    if shipped().parts.get(part.name) == part:
        return None
    having = [one for one in shipped().parts.values() if (one.fit or {}).get(name) == fit]
    return min(having, key=lambda one: len(_other_numbers(part, one)), default=None)


def _other_numbers(part: Part, origin: Part) -> list[str]:
    """Name the numbers of the model that have another value than those of another part."""
    own, others = _model_of(part), _model_of(origin)
    return [name for name in dict.fromkeys((*own, *others)) if own.get(name) != others.get(name)]


def _model_of(part: Part) -> dict[str, object]:
    tables = {"model": part.model, "prefetch": getattr(part, "prefetch", None) or {}}
    return {
        f"{name}.{key}": (number.dimension, number.base)
        for name, numbers in tables.items()
        for key, number in numbers.items()
    }


def _print_closeness(out: Console, part: Part) -> None:
    """Print how far the simulator is from what was published of a part that comes with iodyno."""
    from iodyno.analysis.closeness import fitted_or_not

    groups = fitted_or_not(compared(part))
    rows = [
        (name, str(one.count), f"{one.mean:.1%}", f"{one.most:.1%}")
        for name, one in zip(("fitted to", "not fitted to"), groups, strict=True)
        if one.count
    ]
    if rows:
        columns = (("", "whole"), ("figures", "right"), ("mean error", "right"), ("greatest error", "right"))
        out.print()
        out.print(table(columns, rows, title="Simulated and published, of arrays too"))


def compared(part: Part) -> tuple[Comparison, ...]:
    """Give the published figures that were simulated of a part; none of one's own, whatever it is called."""
    from iodyno.analysis.closeness import comparisons
    from iodyno.catalog.shelf import shipped

    if shipped().parts.get(part.name) != part:
        return ()
    return tuple(one for one in comparisons() if part.title in one.parts)


def _print_settings(out: Console, part: Part) -> None:
    """Print the settings that a controller offers, and what its modes set."""
    from iodyno.catalog.parts import ControllerPart
    from iodyno.catalog.settings import KEYS

    if not isinstance(part, ControllerPart):
        return
    columns = [("", "whole"), *((key.replace("_", " "), "left") for key in KEYS)]
    rows = [("offered", *(", ".join(getattr(part.offered, key)) or "no setting" for key in KEYS))]
    for mode, preset in part.modes.items():
        cells = [getattr(preset, key) or "" for key in KEYS]
        if preset.write_with_backup:
            cells[1] += f"; with backup unit {preset.write_with_backup}"
        rows.append((mode, *cells))
    out.print()
    out.print(table(columns, rows, title="Settings"))


def _print_takes(out: Console, part: Part) -> None:
    """Print the release matrix of a server: what it takes, with how many drives and what is less there."""
    from iodyno.catalog.parts import ServerPart
    from iodyno.catalog.shelf import catalogue

    if not isinstance(part, ServerPart) or not part.takes:
        return
    catalog = catalogue()
    rows = [
        (
            name,
            str(taken.drives),
            taken.drives.kind,
            taken.drives.source,
            "; ".join(_taken(name, part, catalog)),
        )
        for name, taken in part.takes.items()
    ]
    columns = ("name", "whole"), ("drives", "right"), ("kind", "whole"), ("source", "whole"), ("", "left")
    out.print()
    out.print(table(columns, rows, title="Takes"))


def _taken(name: str, server: ServerPart, catalog: Catalog) -> Iterator[str]:
    """Say what a name of a release matrix is, and what is less there than it could be."""
    from iodyno.catalog.matrix import takes

    taken = server.takes[name]
    if members := catalog.family(name):
        yield f"family of {', '.join(drive.name for drive in members)}"
    elif name not in catalog.parts:
        hint = catalog.hint(name).split("?")[0]
        guess = f": {hint}?" if hint.startswith("did you mean") else ""
        yield f"{name} is no part and no family of the catalogue{guess}"
    elif takes(server, catalog.parts[name]) is None:
        yield f"{catalog.parts[name].title} is nothing that a server takes so"
    if taken.drives.note:
        yield taken.drives.note
    if taken.form_factors:
        yield f"as {', '.join(taken.form_factors)}"
    if taken.link:
        yield taken.link
    if taken.lanes:
        yield f"{taken.lanes} lanes to drives"
    if taken.instances:
        yield f"{taken.instances} instances"
    if taken.levels:
        yield f"levels {', '.join(taken.levels)}"


def _words(part: Part) -> Iterator[tuple[str, str]]:
    from iodyno.catalog.matrix import notes
    from iodyno.catalog.parts import ControllerPart

    for name in type(part).model_fields:
        value = getattr(part, name)
        if name not in _HIDDEN and value not in (None, (), {}, "", False):
            yield name.replace("_", " "), _text(value)
        if (
            name == "levels"
            and isinstance(part, ControllerPart)
            and part.lanes.value < part.most_drives.value
        ):
            yield "of them there", "; ".join(notes(part, None))


def _text(value: object) -> str:
    """Write a value of a part as a person reads it."""
    from iodyno.catalog.parts import Socket
    from iodyno.catalog.quantity import Quantity
    from iodyno.profiles import Record
    from iodyno.units import format_size

    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return format_size(value)
    if isinstance(value, Quantity | Socket):
        return f"{_number(value)} ({value.kind}{f'; {value.note}' if value.note else ''})"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_text(item)}" for key, item in value.items())
    if isinstance(value, Record):
        said = {key: getattr(value, key) for key in type(value).model_fields}
        return ", ".join(f"{key.replace('_', ' ')} {_text(item)}" for key, item in said.items() if item)
    if isinstance(value, tuple):
        return ", ".join(_text(item) for item in value)
    return str(value)


def _number(number: object) -> str:
    """Write a number with commas between thousands, as the terminal has them elsewhere."""
    return str(number).replace("\N{NO-BREAK SPACE}", ",")


def _fitted_facts(part: Part) -> frozenset[str]:
    """Name the facts of a part that a fit of it uses."""
    figures = [one.figure for fit in (part.fit or {}).values() for one in fit.figures]
    return frozenset(name.removeprefix("facts.") for name in figures if name.startswith("facts."))


def _rows(
    numbers: Mapping[str, Quantity], fitted: frozenset[str]
) -> Iterator[tuple[str, str, str, str, str]]:
    from iodyno.catalog.quantity import shown_unit

    for name, number in numbers.items():
        unit = shown_unit(number.unit)
        interval = f"{' to '.join(map(four_digits, number.interval))}{unit}" if number.interval else ""
        note = "; ".join(text for text in (interval, number.note, "fitted to" * (name in fitted)) if text)
        yield name.replace("_", " "), _number(number), number.kind, number.source, note


def print_system(tree: SystemSpec, system: VirtualSystem) -> None:
    """Print a system: what the load can access, and the way to it."""
    from iodyno.catalog.driver import charged_beyond
    from iodyno.catalog.settings import always_write_back
    from iodyno.catalog.shelf import catalogue

    out, always = console(), always_write_back(tree, catalogue())
    out.print(tree.title or tree.name, style="bold")
    out.print(facts(_system_facts(tree)))
    out.print()
    rows = [
        (
            volume.name,
            _capacity(volume.size_bytes),
            _lies_on(system, volume),
            _decided(system, volume, always=volume.name in always),
        )
        for volume in system.volumes
    ]
    out.print(table((("volume", "whole"), ("size", "right"), ("on", "left"), ("settings", "left")), rows))
    if at_risk := [name for name, kept in always.items() if not kept]:
        what = f"Always write-back without a flash backup unit: {', '.join(at_risk)}."
        out.print(f"{what} A power failure loses what was answered and not yet written.", style="yellow")
    for what, hint in charged_beyond(tree, catalogue()):
        out.print(f"{what[0].upper()}{what[1:]}. {hint[0].upper()}{hint[1:]}.", style="yellow")
    out.print()
    columns = ("link", "left"), ("number", "right"), ("each", "right"), ("", "left")
    out.print(table(columns, _link_rows(system)))


def _capacity(size_bytes: int) -> str:
    """Write the capacity of a volume as the field does, base 10.

    Examples
    --------
    >>> _capacity(800_000_000_000), _capacity(1_600_321_314_816), _capacity(15_360 * 10**9)
    ('800 GB', '1.6 TB', '15.36 TB')
    """
    digits = 3 if size_bytes < 10**13 else 4
    rounded = float(f"{size_bytes:.{digits}g}")
    unit, factor = next((one for one in _CAPACITIES if rounded >= one[1]), _CAPACITIES[-1])
    return f"{to_digits(size_bytes / factor, digits)} {unit}"


def _system_facts(tree: SystemSpec) -> Iterable[tuple[str, str]]:
    from iodyno.catalog.joined import expanders_of
    from iodyno.catalog.shelf import catalogue

    host = tree.host
    yield "name", tree.name
    if host.server:
        yield "server", host.server
    yield "processors", f"{host.processors} x {host.processor}"
    yield "software", ", ".join(host.software)
    yield "power settings", host.settings
    for found in expanders_of(tree, catalogue()):
        yield "expander", _expanders(found)
    if tree.source:
        yield "source", tree.source


def _expanders(found: Expanders) -> str:
    """Say how many expanders a controller has, which no system tells: as many as its drives need."""
    name, ports = f"{found.part.title}, {found.controller.title}", found.free
    room = f"{ports or 'no'} port{'' if ports == 1 else 's'} for drives beside its {found.lanes} lanes"
    if found.least == 1:
        return f"1 x {name}"
    number = "several" if found.least is None else f"at least {found.least}"
    return f"{number} x {name}: one has {room}; they are joined, and simulated as one"


def _array(system: VirtualSystem, volume: Volume) -> Array | None:
    on = volume.on
    if on.kind == "logical":
        return system.controllers[on.controller].logicals[on.logical].array
    return on.array if on.kind == "host_raid" else None


def _decided(system: VirtualSystem, volume: Volume, *, always: bool) -> str:
    """Say the settings of a volume as they are decided: by itself, its controller, the mode, or nobody."""
    from iodyno.analysis.things import WITHOUT_STRIPS

    on, array = volume.on, _array(system, volume)
    settings = []
    if array and array.level not in WITHOUT_STRIPS:
        settings.append(f"strip {array.strip_bytes >> 10} kB")
    if on.kind == "logical":
        logical = system.controllers[on.controller].logicals[on.logical]
        settings += [
            "read-ahead" if logical.read_ahead else "no-read-ahead",
            ("always-write-back" if always else "write-back") if logical.write_back else "write-through",
            "cached" if logical.cached_reads else "direct",
            *(["fast path"] if logical.fast_path else []),
        ]
    drive = on.drive if on.kind == "drive" else array.drives[0] if array else 0
    settings.append(f"drive cache {'on' if system.drives[drive].model.write_cache else 'off'}")
    return ", ".join(settings)


def _lies_on(system: VirtualSystem, volume: Volume) -> str:
    from iodyno.system.failed import failed_text

    on, array = volume.on, _array(system, volume)
    if on.kind == "drive":
        return system.drives[on.drive].name
    assert array is not None
    where = system.controllers[on.controller].name if on.kind == "logical" else _by_host(system, array)
    level = array.level if array.level == "JBOD" else f"RAID {array.level}"
    failed = f", {failed_text(array.failed)}" if array.failed else ""
    if array.rebuild_bytes_s:
        failed += f", rebuilt at {array.rebuild_bytes_s / _MB_S:g} MB/s"
    return f"{level} of {len(array.drives)} x {system.drives[array.drives[0]].name}{failed}, {where}"


def _by_host(system: VirtualSystem, array: Array) -> str:
    number = system.behind(array.drives[0])
    return "host" if number is None else f"host, through {system.controllers[number].name}"


def _link_rows(system: VirtualSystem) -> Iterator[tuple[str, str, str, str]]:
    for name in dict.fromkeys(link.name for link in system.links):
        same = [link for link in system.links if link.name == name]
        duplex = "in each direction" if same[0].full_duplex else "in one direction at a time"
        yield (
            name,
            str(len(same)),
            f"{same[0].bytes_s / _MB_S:,.0f} MB/s",
            duplex,
        )
