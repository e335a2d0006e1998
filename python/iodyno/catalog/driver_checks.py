"""Whether the host's software is for the drives that a system has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iodyno.catalog.driver import added, beside, goes_with, systems_of
from iodyno.catalog.levels import shown_level
from iodyno.catalog.looking import Looking
from iodyno.catalog.parts import ControllerPart, Reached, SoftwarePart
from iodyno.catalog.shelf import Catalog
from iodyno.catalog.tree import HostSpec, LogicalSpec
from iodyno.catalog.written import read_or
from iodyno.problems import named_again


def software_in(look: Looking, host: HostSpec) -> list[SoftwarePart | None]:
    """Give the software that a host names, each once, none for what is no software."""
    names: Sequence[str] = read_or(host, "software", ())
    for twice in named_again("", names, "software"):
        look.wrong("host.software", twice.what, twice.hint)
    return [look.part(name, SoftwarePart, "host.software") for name in dict.fromkeys(names)]


def check_drivers(look: Looking, on: Mapping[Reached, str], software: Sequence[SoftwarePart | None]) -> None:
    """Refuse software that is for none of the drives, and of several what does not go together."""
    known = [one for one in software if one]
    if not on or len(known) < len(software):
        return
    if len(known) == 1:
        _check_single(look, on, known[0])
    elif known:
        _check_several(look, on, known)


def _check_single(look: Looking, on: Mapping[Reached, str], software: SoftwarePart) -> None:
    """Take software that is for some of the drives as it is: its costs are those of the others too. That none
    drives those of an onboard controller is told of them."""
    reached = software.reaches
    if not reached or "onboard" in on or any(where in reached for where in on):
        return
    able = [one for one in look.catalog.of(SoftwarePart) if set(on) <= set(one.reaches)]
    if "nvme" not in on:  # what is for both is taken, and not recommended
        able = [one for one in able if "nvme" not in one.reaches]
    named = " or ".join(one.name for one in able)
    look.wrong("host.software", _for_others(on, software), f"take {named or 'other host software'}")


def _for_others(on: Mapping[Reached, str], software: SoftwarePart) -> str:
    """Say what software is for that is for none of the drives."""
    if set(software.reaches) == {"onboard"}:
        what = "drives of an onboard controller, and no drive is on one"
    elif "nvme" in on:
        what = "drives behind controllers, and no drive is behind one"
    else:
        places = " or ".join(drives.removeprefix("drives ") for drives in on.values())
        what = f"NVMe drives of the host, and all drives are {places}"
    return f"{software.title} is for {what}"


def _check_several(look: Looking, on: Mapping[Reached, str], software: Sequence[SoftwarePart]) -> None:
    """All are of one operating system, each drives some, and each kind of drives is driven by one."""
    systems = systems_of(software)
    if len(systems) > 1:
        each = " and ".join(f"{', '.join(names)} of {system}" for system, names in systems.items())
        look.wrong("host.software", f"a host has one operating system: {each}", "take software of one")
        return
    for one in software:
        if not one.reaches:
            hint = f"give reaches in its part, or leave {one.name} out"
            look.wrong("host.software", f"{one.title} does not say which drives it is for", hint)
        elif not on.keys() & set(one.reaches):
            look.wrong("host.software", _for_others(on, one), f"leave {one.name} out")
    for reached, drives in on.items():
        names = [one.name for one in software if reached in one.reaches]
        if len(names) > 1:
            both = "both" if len(names) == 2 else "all"
            what = f"{', '.join(names[:-1])} and {names[-1]} are {both} for {drives}"
            look.wrong("host.software", what, "leave one of them out")
        elif not names and all(one.reaches for one in software):
            others = {other: what for other, what in on.items() if other != reached}
            able = beside(look.catalog, software, reached, others)
            for_them = beside(look.catalog, software, reached, {}) or "other host software"
            hint = f"add {able}" if able else f"take {for_them} in place of another"
            look.wrong("host.software", f"none of the software is for {drives}", hint)


def check_driver_of_board(
    look: Looking,
    logical: LogicalSpec,
    part: ControllerPart,
    software: SoftwarePart,
    on: Mapping[Reached, str],
) -> None:
    """An onboard controller has the levels that the host's software does for it, if that drives it at all.

    Software that drives others of the drives, those ``on`` which it is reached so, stays: more is added.
    """
    level = logical.level
    known = level in part.levels  # of others it is told that the controller has none
    if known and level not in ("JBOD", *software.levels):
        what = f"{part.title} leaves RAID to the host, and {software.title} has no {shown_level(level)}"
    elif software.reaches and "onboard" not in software.reaches:
        what = f"{part.title} leaves its drives to the host, and {software.title} has no driver for them"
    else:
        return
    look.wrong("host.software", what, _for_the_board(look.catalog, level, software, on))


def _for_the_board(catalog: Catalog, level: str, software: SoftwarePart, on: Mapping[Reached, str]) -> str:
    """Write the hint which software has a level of an onboard controller, in place of or beside another."""
    if "onboard" not in software.reaches:
        own = {reached: what for reached, what in on.items() if reached in software.reaches}
        beside_it = [one for one in goes_with(catalog, (software,), "onboard", own) if _has(one, level)]
        if own and beside_it:
            return added(" or ".join(one.name for one in beside_it), software)
    able = (one.name for one in catalog.of(SoftwarePart) if "onboard" in one.reaches and _has(one, level))
    return f"take {' or '.join(able) or 'another level'}"


def _has(software: SoftwarePart, level: str) -> bool:
    return level in ("JBOD", *software.levels)
