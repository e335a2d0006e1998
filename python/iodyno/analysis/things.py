"""What virtual systems are, thing by thing, and in what two of them differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from iodyno.analysis.configurations import configuration_title, configurations_of
from iodyno.analysis.kin import INDEPENDENT
from iodyno.store.records import StoredRun
from iodyno.virtual import Array, Logical, OnDrive, OnHostRaid, SsdModel, VirtualSystem

WITHOUT_STRIPS = ("JBOD", "1")
"""Levels whose members hold the same or are alone: the size of a strip means nothing there."""
FOLLOWING = frozenset(
    {"server", "strip", "read_ahead", "write_back", "cached_reads", "fast_path", "drive_cache", "link"}
)
"""Settings that come with a controller or a drive: another part may have to have another one. It is told."""
PARTS = frozenset({"controller", "drive"})


@dataclass(frozen=True)
class Described:
    """A virtual system, and what a run says of it besides."""

    system: VirtualSystem
    facts: Mapping[str, str] = field(default_factory=dict)
    """Facts of its description by code: names of parts that the resolved system has as numbers alone."""
    area: str = ""
    """What the configuration says of the area that is accessed."""


@dataclass(frozen=True)
class Difference:
    """A thing that two systems have differently, in the words of the run."""

    thing: str
    """``processor``, ``settings``, ``software``, ``server``, ``host``, ``controller``, ``drive``, ``model``,
    ``drives``, ``level``, ``raid`` (who joins the drives behind a controller), ``groups``, ``strip``,
    ``read_ahead``, ``write_back``, ``cached_reads``,
    ``fast_path``, ``drive_cache``, ``filled``, ``failed``, ``switch``, ``link``, ``area``;
    ``controller_numbers`` and ``mirror`` where only such numbers are others."""
    first: str
    second: str

    @property
    def turned(self) -> Difference:
        """The same seen from the other system."""
        return Difference(self.thing, self.second, self.first)


def described(stored: StoredRun) -> dict[str, Described]:
    """Give the virtual systems of a run with what it says of them, by name."""
    plan = stored.run.plan
    titles = [configuration_title(plan, name) for name in plan.systems]
    said: dict[str, dict[str, str]] = {
        section.subject: {fact.code: str(fact.value) for fact in section.facts}
        for section in stored.run.system.sections
        if section.code == "virtual_system" and titles.count(section.subject) == 1
    }
    source = configurations_of(plan)
    return {
        name: Described(
            system,
            said.get(configuration_title(plan, name), {}),
            json.dumps(source.get(name, {}).get("area", {}), sort_keys=True),
        )
        for name, system in plan.systems.items()
    }


def with_failed(systems: Mapping[str, VirtualSystem]) -> frozenset[str]:
    """Give the names of the systems of which members have failed."""
    return frozenset(
        name for name, system in systems.items() if any(array.failed for array in _arrays(system))
    )


def differences(one: Described, other: Described) -> tuple[Difference, ...]:
    """Name each thing in which two systems differ; what only follows from another is left out.

    Links follow from parts and how many there are, what the host takes for an I/O from its processor,
    settings and software, and the numbers of a part from which it is.
    """
    left, right = _things(one), _things(other)
    found = {
        thing: Difference(thing, left[thing][1], right[thing][1])
        for thing in left
        if left[thing][0] != right[thing][0] and None not in (left[thing][0], right[thing][0])
    }
    for thing, causes in _FOLLOWS.items():
        if thing in found and found.keys() & causes:
            del found[thing]
    return tuple(found.values())


def one_thing(found: tuple[Difference, ...]) -> bool:
    """Tell whether differences are those of a single thing: alone, or a part with a setting that comes with
    it."""
    things = {one.thing for one in found}
    if len(things) <= 1:
        return bool(things)
    return len(things) == 2 and len(things & PARTS) == 1 and things - PARTS <= FOLLOWING


_FOLLOWS: Mapping[str, frozenset[str]] = {
    "host": frozenset({"processor", "settings", "software"}),
    "model": frozenset({"drive"}),
    "controller_numbers": frozenset({"controller"}),
    "link": frozenset({"controller", "drive", "drives", "switch", "level"}),
    "mirror": frozenset({"controller", "level", "drive", "software", "raid"}),
    "filled": frozenset({"drive"}),
}


def _things(of: Described) -> dict[str, tuple[Any, str]]:
    """Give for each thing what it is compared by, none where nothing can be, and how it is said."""
    system, facts = of.system, of.facts
    models = [slot.model for slot in system.drives]
    logicals = [logical for controller in system.controllers for logical in controller.logicals]
    arrays = list(_arrays(system))
    striped = [array for array in arrays if array.level not in WITHOUT_STRIPS]
    filled = [model.filled_share for model in models if isinstance(model, SsdModel)]
    host = system.host.model_dump_json() + _all(system.volumes, lambda item: item.cpu.model_dump_json())
    return {
        "processor": (facts.get("virtual_processors"), _processor(facts)),
        "settings": _said(facts.get("virtual_settings")),
        "software": _said(facts.get("virtual_software")),
        "server": _said(facts.get("virtual_server")),
        "host": (host, str(system.host.cores)),
        "controller": _named(item.name for item in system.controllers),
        "controller_numbers": (_all(system.controllers, _numbers), ""),
        "drive": _named(slot.name for slot in system.drives),
        "model": (_all(models, _model), ""),
        "drives": (len(models), str(len(models))),
        "level": _named(_levels(system)),
        "raid": _named(joining) if (joining := list(_joining(system))) else (None, ""),
        "groups": _named(str(array.groups) for array in arrays) if arrays else (None, ""),
        "mirror": (_all(arrays, lambda item: item.mirror_read.model_dump_json()) or None, ""),
        "strip": _named(f"{array.strip_bytes >> 10}" for array in striped) if striped else (None, ""),
        "read_ahead": _setting(logicals, lambda item: item.read_ahead),
        "write_back": _setting(logicals, lambda item: item.write_back),
        "cached_reads": _setting(logicals, lambda item: item.cached_reads),
        "fast_path": _setting(logicals, lambda item: item.fast_path),
        "drive_cache": _named(str(model.write_cache) for model in models),
        "filled": _named(f"{share:g}" for share in filled) if filled else (None, ""),
        "failed": (_all(arrays, lambda item: f"{item.failed} {item.rebuild_bytes_s}") or None, ""),
        "switch": _named(item.name for item in system.switches),
        "link": (_all(system.links, lambda item: item.model_dump_json()), ""),
        "area": (of.area, ""),
    }  # fmt: skip


def _processor(facts: Mapping[str, str]) -> str:
    clock = facts.get("virtual_clock", "")
    return facts.get("virtual_processors", "") + (f" ({float(clock):g} GHz)" if clock else "")


def _said(text: str | None) -> tuple[str | None, str]:
    return text, text or ""


def _named(names: Iterable[str]) -> tuple[str, str]:
    """Compare by the names and how they are said: each once."""
    text = ", ".join(dict.fromkeys(names))
    return text, text


def _all(items: Iterable[Any], text: Callable[[Any], str]) -> str:
    return "\n".join(dict.fromkeys(text(item) for item in items))


def _setting(logicals: list[Logical], value: Callable[[Logical], bool]) -> tuple[Any, str]:
    return _named(str(value(item)) for item in logicals) if logicals else (None, "")


def _model(model: Any) -> str:
    """Write the numbers of a drive, without what is a setting."""
    return str(model.model_dump_json(exclude={"write_cache", "filled_share"}))


def _numbers(controller: Any) -> str:
    return str(controller.model_dump_json(exclude={"name", "path", "logicals"}))


def _levels(system: VirtualSystem) -> Iterable[str]:
    for volume in system.volumes:
        on = volume.on
        if isinstance(on, OnDrive):
            yield INDEPENDENT
        elif isinstance(on, OnHostRaid):
            yield on.array.level
        else:
            yield system.controllers[on.controller].logicals[on.logical].array.level


def _joining(system: VirtualSystem) -> Iterable[str]:
    """Name who joins the drives of each array that is behind a controller."""
    for volume in system.volumes:
        on = volume.on
        if isinstance(on, OnHostRaid):
            yield from () if system.behind(on.array.drives[0]) is None else ("host",)
        elif not isinstance(on, OnDrive):
            array = system.controllers[on.controller].logicals[on.logical].array
            yield from () if array.level == "JBOD" else ("controller",)


def _arrays(system: VirtualSystem) -> Iterable[Array]:
    for volume in system.volumes:
        on = volume.on
        if isinstance(on, OnHostRaid):
            yield on.array
        elif not isinstance(on, OnDrive):
            yield system.controllers[on.controller].logicals[on.logical].array
