"""What a virtual system consists of, as the facts that a paper and a run keep of a real one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from iodyno.system.records import Fact, Section, System
from iodyno.virtual import Array, OnHostRaid, OnLogical, VirtualSystem, Volume

MIB = 1 << 20


def describe(systems: Mapping[str, VirtualSystem], titles: Mapping[str, str] | None = None) -> System:
    """Describe virtual systems; nothing of the machine that simulates them is in it.

    Parameters
    ----------
    systems
        Resolved systems by the name of their configuration.
    titles
        How configurations are shown, by name; the name itself where it is missing.
    """
    shown = titles or {}
    return System(
        sections=tuple(
            Section(code="virtual_system", subject=shown.get(name, name), facts=tuple(_facts(system)))
            for name, system in systems.items()
        )
    )


def _facts(system: VirtualSystem) -> Iterator[Fact]:
    yield Fact(code="virtual_name", value=system.name)
    yield Fact(code="virtual_cores", value=system.host.cores)
    yield Fact(code="virtual_drives", value=_counted(drive.name for drive in system.drives))
    if system.controllers:
        yield Fact(code="virtual_controllers", value=_counted(item.name for item in system.controllers))
    if system.switches:
        yield Fact(code="virtual_switches", value=_counted(item.name for item in system.switches))
    links = (f"{link.name} ({link.bytes_s / MIB:.0f} MB/s)" for link in system.links)
    yield Fact(code="virtual_links", value=_counted(links))
    yield Fact(code="virtual_volumes", value="; ".join(_volume(system, volume) for volume in system.volumes))


def _counted(names: Iterable[str]) -> str:
    """Write equal names once, with how many there are.

    Examples
    --------
    >>> _counted(["A", "B", "A"])
    '2 × A, B'
    """
    counts = Counter(names)
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in counts.items())


def _volume(system: VirtualSystem, volume: Volume) -> str:
    text = f"{volume.name}, {volume.size_bytes / 10**9:.0f} GB"
    if isinstance(volume.on, OnHostRaid):
        return f"{text}, {_array(volume.on.array)} by the host"
    if isinstance(volume.on, OnLogical):
        logical = system.controllers[volume.on.controller].logicals[volume.on.logical]
        settings = [
            "read-ahead" if logical.read_ahead else "no read-ahead",
            "write-back" if logical.write_back else "write-through",
            "cached" if logical.cached_reads else "direct",
            *(["fast path"] if logical.fast_path else []),
        ]
        return f"{text}, {_array(logical.array)}, {', '.join(settings)}"
    return text


def _array(array: Array) -> str:
    count = len(array.drives)
    if array.level == "JBOD":
        return "single drive"
    failed = _failed(array) if array.failed else ""
    return f"RAID {array.level} of {count} drives, strip {array.strip_bytes >> 10} kB{failed}"


def _failed(array: Array) -> str:
    """Say which members have failed, and at which rate each is to be rebuilt."""
    positions = " + ".join(map(str, array.failed))
    rate = array.rebuild_bytes_s / MIB
    rebuild = f"rebuild of each asked at {rate:.6g} MB/s" if rate else "no rebuild"
    return f", {len(array.failed)} failed (position {positions}), {rebuild}"
