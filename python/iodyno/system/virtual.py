"""What a virtual system consists of, as the facts that a paper and a run keep of a real one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from iodyno.catalog.driver import not_its_own
from iodyno.catalog.parts import ProcessorPart, ServerPart, SettingsPart, SoftwarePart
from iodyno.catalog.reading import write_toml
from iodyno.catalog.settings import always_write_back
from iodyno.catalog.shelf import catalogue
from iodyno.catalog.tree import SystemSpec, part_names, system_of
from iodyno.study.systems import Written
from iodyno.system.failed import failed_text
from iodyno.system.records import Fact, Section, System
from iodyno.virtual import Array, OnHostRaid, OnLogical, VirtualSystem, Volume

MIB = 1 << 20
_NAMES = {"catalogue": "virtual_name", "changed": "virtual_changed_name", "own": "virtual_own_name"}
"""Facts that hold the name of a system, by where it comes from."""


def describe(
    systems: Mapping[str, VirtualSystem],
    titles: Mapping[str, str] | None = None,
    trees: Mapping[str, Written] | None = None,
) -> System:
    """Describe virtual systems; nothing of the machine that simulates them is in it.

    Parameters
    ----------
    systems
        Resolved systems by the name of their configuration.
    titles
        How configurations are shown, by name; the name itself where it is missing.
    trees
        How systems were written, by name: processor, software, settings and parts are told of those,
        and parts of the user's own whole, as they are now.
    """
    shown, of = titles or {}, trees or {}
    return System(
        sections=tuple(
            Section(
                code="virtual_system",
                subject=shown.get(name, name),
                facts=tuple(_facts(system, of.get(name))),
            )
            for name, system in systems.items()
        )
        + tuple(_own_parts(of))
    )


def _own_parts(trees: Mapping[str, Written]) -> Iterator[Section]:
    """Yield the parts that do not come with iodyno, each once, as they are written."""
    own = catalogue().own
    used = (name for tree in trees.values() for name in part_names(system_of(tree.document)))
    for name in dict.fromkeys(name for name in used if name in own):
        yield Section(
            code="virtual_part", subject=name, facts=(Fact(code="virtual_part_file", value=own[name]),)
        )


def _facts(system: VirtualSystem, tree: Written | None) -> Iterator[Fact]:
    yield Fact(code=_NAMES[tree.origin] if tree else "virtual_name", value=system.name)
    if tree:
        yield from _host(system_of(tree.document))
    yield Fact(code="virtual_cores", value=system.host.cores)
    yield Fact(code="virtual_drives", value=_counted(drive.name for drive in system.drives))
    if system.controllers:
        yield Fact(code="virtual_controllers", value=_counted(item.name for item in system.controllers))
    if system.switches:
        yield Fact(code="virtual_switches", value=_counted(item.name for item in system.switches))
    links = (f"{link.name} ({link.bytes_s / MIB:.0f} MB/s)" for link in system.links)
    yield Fact(code="virtual_links", value=_counted(links))
    caches = {drive.model.write_cache for drive in system.drives}
    differ = len(caches) > 1
    always = always_write_back(system_of(tree.document), catalogue()) if tree else {}
    volumes = (
        _volume(system, volume, always=volume.name in always) + (_caches(system, volume) if differ else "")
        for volume in system.volumes
    )
    yield Fact(code="virtual_volumes", value="; ".join(volumes))
    if tree and not differ:
        yield Fact(code="virtual_drive_caches", value=caches.pop())
    if tree and tree.origin != "catalogue":
        yield Fact(code="virtual_tree", value=write_toml(tree.document))


def _host(system: SystemSpec) -> Iterator[Fact]:
    """Tell of the host what decides what an I/O costs in it."""
    catalog, host = catalogue(), system.host
    processor = catalog.take(host.processor, ProcessorPart)
    settings = catalog.take(host.settings, SettingsPart)
    if host.server:
        yield Fact(code="virtual_server", value=catalog.take(host.server, ServerPart).title)
    yield Fact(code="virtual_processors", value=_counted([processor.title] * host.processors))
    hz = processor.model["frequency"].base * settings.model["frequency_share"].base
    yield Fact(code="virtual_clock", value=float(hz / 10**9), unit="GHz")
    software = (catalog.take(name, SoftwarePart).title for name in host.software)
    yield Fact(code="virtual_software", value="; ".join(sorted(software)))
    if others := not_its_own(system, catalog):
        yield Fact(code="virtual_software_others", value="; ".join(others.values()))
    yield Fact(code="virtual_settings", value=settings.title)


def _counted(names: Iterable[str]) -> str:
    """Write equal names once, with how many there are.

    Examples
    --------
    >>> _counted(["A", "B", "A"])
    '2 × A, B'
    """
    counts = Counter(names)
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in counts.items())


def _volume(system: VirtualSystem, volume: Volume, *, always: bool) -> str:
    text = f"{volume.name}, {volume.size_bytes / 10**9:.0f} GB"
    if isinstance(volume.on, OnHostRaid):
        return f"{text}, {_array(volume.on.array, ' by the host')}"
    if isinstance(volume.on, OnLogical):
        logical = system.controllers[volume.on.controller].logicals[volume.on.logical]
        settings = [
            "read-ahead" if logical.read_ahead else "no read-ahead",
            ("always write-back" if always else "write-back") if logical.write_back else "write-through",
            "cached" if logical.cached_reads else "direct",
            *(["fast path"] if logical.fast_path else []),
        ]
        return f"{text}, {_array(logical.array)}, {', '.join(settings)}"
    return text


def _caches(system: VirtualSystem, volume: Volume) -> str:
    """Say whether the drives of a volume, which are alike, write through their caches."""
    on = volume.on
    if isinstance(on, OnLogical):
        drives = system.controllers[on.controller].logicals[on.logical].array.drives
    else:
        drives = on.array.drives if isinstance(on, OnHostRaid) else (on.drive,)
    return f", drive caches {'on' if system.drives[drives[0]].model.write_cache else 'off'}"


def _array(array: Array, by: str = "") -> str:
    count = len(array.drives)
    if array.level == "JBOD":
        return f"single drive{by}"
    failed = _failed(array) if array.failed else ""
    drives = "drive" if count == 1 else "drives"
    if array.level == "1":  # each drive has all: a strip means nothing
        return f"RAID 1 of {count} {drives}{by}{failed}"
    return f"RAID {array.level} of {count} {drives}, strip {array.strip_bytes >> 10} kB{by}{failed}"


def _failed(array: Array) -> str:
    """Say which members have failed, and at which rate each is to be rebuilt."""
    rate = array.rebuild_bytes_s / MIB
    rebuild = f"rebuild of each asked at {rate:.6g} MB/s" if rate else "no rebuild"
    return f", {failed_text(array.failed)}, {rebuild}"
