"""Whether a controller of a system can be as it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.catalog.levels import drives_hint, drives_problem, groups_of
from iodyno.catalog.links import link_part, negotiated, parse_interface
from iodyno.catalog.looking import Looking
from iodyno.catalog.member_checks import check_failed, check_filled
from iodyno.catalog.naming import volumes_of
from iodyno.catalog.parts import (
    ControllerPart,
    DrivePart,
    ExpanderPart,
    ServerPart,
    SoftwarePart,
    Taken,
)
from iodyno.catalog.settings import KEYS, resolved
from iodyno.catalog.tree import ControllerSpec, LogicalSpec, Settings
from iodyno.errors import CatalogError
from iodyno.units import format_size


def check_controller(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    server: ServerPart | None,
    software: SoftwarePart | None,
    before: Sequence[ControllerSpec] = (),
) -> None:
    """Note every problem of a controller and its logical drives; ``before`` are the controllers before it."""
    part = look.part(spec.part, ControllerPart, f"{place}.part")
    unit = look.part(spec.unit, ServerPart, f"{place}.unit") or server
    expander = look.part(spec.expander, ExpanderPart, f"{place}.expander")
    for index, logical in enumerate(spec.logical):
        look.part(logical.drive, DrivePart, f"{place}.logical[{index}].drive")
    if part is None:
        return
    taken = _check_unit(look, place, part, unit)
    _check_settings(look, spec, place, part, spec)
    _check_mode(look, spec, place, part)
    _check_instances(look, spec, place, part, taken, before)
    _check_link(look, spec, place, part)
    _check_count(look, spec, place, part, expander, taken)
    for index, logical in enumerate(spec.logical):
        _check_logical(look, spec, logical, f"{place}.logical[{index}]", part, taken)
        if part.kind == "onboard" and software and logical.level not in software.levels:
            hint = f"take software of a host that does it, for example {_onboard_software(look)}"
            what = (
                f"{part.title} leaves RAID to the host, and {software.title} has no {_shown(logical.level)}"
            )
            look.wrong("host.software", what, hint)


def _check_unit(look: Looking, place: str, part: ControllerPart, unit: ServerPart | None) -> Taken | None:
    if unit is None:
        return None
    if part.name not in unit.takes:
        hint = f"`iodyno catalog fits {part.name}` lists what takes it"
        look.wrong(f"{place}.part", f"{unit.title} does not take {part.title}", hint)
    return unit.takes.get(part.name)


def _check_settings(
    look: Looking, settings: Settings, place: str, part: ControllerPart, spec: ControllerSpec
) -> None:
    for key in KEYS:
        value, offered = getattr(settings, key), getattr(part.offered, key)
        if value is None:
            continue
        if not offered:
            look.wrong(f"{place}.{key}", f"{part.title} has no such setting", f"leave {key} out")
        elif value not in offered:
            look.wrong(
                f"{place}.{key}", f'{part.title} does not offer "{value}"', f"it offers {', '.join(offered)}"
            )
    if settings.write == "write-back" and not spec.backup_unit and part.has_cache:
        hint = 'give backup_unit = true, or write = "always-write-back" at the risk of data'
        look.wrong(f"{place}.write", "write-back needs a flash backup unit", hint)


def _check_mode(look: Looking, spec: ControllerSpec, place: str, part: ControllerPart) -> None:
    if spec.mode and spec.mode not in part.modes:
        look.wrong(
            f"{place}.mode", f"{part.title} has no mode {spec.mode}", f"its modes: {', '.join(part.modes)}"
        )
    if spec.backup_unit and not part.backup_unit:
        look.wrong(
            f"{place}.backup_unit", f"{part.title} takes no flash backup unit", "leave backup_unit out"
        )


def _check_instances(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    part: ControllerPart,
    taken: Taken | None,
    before: Sequence[ControllerSpec],
) -> None:
    """An onboard controller is there as often as the board has it, in however many tables it is given."""
    has = taken.instances if taken else part.most_instances
    most = int(has.value) if has else 1
    alike = before if part.kind == "onboard" else ()
    others = sum(one.instances for one in alike if (one.part, one.unit) == (spec.part, spec.unit))
    count = spec.instances + others
    if count > most:
        here = " here" if taken else ""
        what = f"{count} instances of {part.title}, at most {most}{here}"
        look.wrong(f"{place}.instances", what, "take fewer")


def _check_link(look: Looking, spec: ControllerSpec, place: str, part: ControllerPart) -> None:
    if spec.link is None:
        return
    hint = ""
    try:
        asked = parse_interface(spec.link)
        link_part(asked, look.catalog)
        hint = f"{part.title} has {part.host_interface}"
        negotiated(parse_interface(part.host_interface), asked)
    except CatalogError as error:
        found = error.problems[0]
        look.wrong(f"{place}.link", f'"{spec.link}" {found.what}', hint or found.hint)


def _check_count(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    part: ControllerPart,
    expander: ExpanderPart | None,
    taken: Taken | None,
) -> None:
    count = sum(logical.count for logical in spec.logical)
    lanes = lanes_of(part, taken) * spec.instances
    if taken and count > taken.drives.value * spec.instances:
        what = f"{count} drives, at most {taken.drives} fit on {part.title} here"
        look.wrong(f"{place}.logical", what, "take fewer drives, or another server")
    if expander and part.most_drives_expanded is None:
        look.wrong(f"{place}.expander", f"{part.title} takes no expander", "leave expander out")
    most = part.most_drives_expanded if expander and part.most_drives_expanded else part.most_drives
    if count > most.value * spec.instances:
        more = part.most_drives_expanded and not expander
        hint = f"with an expander it takes {part.most_drives_expanded}" if more else "take fewer drives"
        look.wrong(f"{place}.logical", f"{count} drives, {part.title} takes {most}", hint)
    elif count > lanes and not expander:
        hint = "give an expander, or take fewer drives" if part.most_drives_expanded else "take fewer drives"
        look.wrong(f"{place}.logical", f"{count} drives, {part.title} has {lanes} lanes to drives here", hint)


def lanes_of(part: ControllerPart, taken: Taken | None) -> int:
    """Give the lanes to drives of a controller where it sits."""
    return int((taken.lanes if taken and taken.lanes else part.lanes).value)


def _check_logical(
    look: Looking,
    spec: ControllerSpec,
    logical: LogicalSpec,
    place: str,
    part: ControllerPart,
    taken: Taken | None,
) -> None:
    _check_settings(look, logical, place, part, spec)
    _check_level(look, logical, place, part, taken)
    drive = look.catalog.parts.get(logical.drive)
    if isinstance(drive, DrivePart):
        _check_drive(look, spec, logical, place, part, drive)
    if logical.strip and logical.strip not in part.strips:
        offered = ", ".join(format_size(strip) for strip in part.strips)
        look.wrong(
            f"{place}.strip",
            f"{part.title} has no strips of {format_size(logical.strip)}",
            f"it offers {offered}",
        )
    if part.kind == "onboard" and volumes_of(logical) == 1 and logical.count > lanes_of(part, taken):
        what = f"{logical.count} drives in one array, an instance has {lanes_of(part, taken)}"
        look.wrong(f"{place}.count", what, "take fewer drives, or several arrays")


def _check_level(
    look: Looking, logical: LogicalSpec, place: str, part: ControllerPart, taken: Taken | None
) -> None:
    levels = tuple(lv for lv in part.levels if not taken or not taken.levels or lv in taken.levels)
    groups = groups_of(logical.level, logical.groups)
    most = part.most_drives_of_level.get(logical.level)
    if logical.level not in levels:
        here = " here" if logical.level in part.levels else ""
        look.wrong(
            f"{place}.level",
            f"{part.title} has no {_shown(logical.level)}{here}",
            f"its levels: {', '.join(levels)}",
        )
    if logical.level not in ("50", "60") and groups != 1:
        look.wrong(f"{place}.groups", f"{_shown(logical.level)} has no groups", "leave groups out")
        groups = 1
    if problem := drives_problem(logical.level, logical.count, groups):
        look.wrong(f"{place}.count", problem, drives_hint(logical.level))
    elif most and logical.count > most.value:
        what = f"{logical.count} drives, {_shown(logical.level)} on {part.title} takes {most}"
        look.wrong(f"{place}.count", what, "take fewer drives, or several logical drives")
    else:
        check_failed(look, place, logical.level, logical.count, groups, logical.failed)
    if logical.rebuild_mb_s and not logical.failed:
        look.wrong(f"{place}.rebuild_mb_s", "no member has failed", "give failed = [0]")


def _check_drive(
    look: Looking,
    spec: ControllerSpec,
    logical: LogicalSpec,
    place: str,
    part: ControllerPart,
    drive: DrivePart,
) -> None:
    try:
        negotiated(parse_interface(part.drive_interface), parse_interface(drive.interface))
    except CatalogError:
        what = f"{drive.title} has {drive.interface}, {part.title} takes {part.drive_interface}"
        look.wrong(f"{place}.drive", what, "take a drive with an interface that it has")
    # Its own, the controller's or the mode's: what is asked for must be there.
    cache = resolved(part, spec, logical).drive_cache
    if cache and cache not in drive.write_cache:
        what = f"{drive.title} cannot have it {cache}"
        look.wrong(f"{place}.drive_cache", what, f"it has it {' or '.join(drive.write_cache)}")
    check_filled(look, place, drive, logical.filled)


def _shown(level: str) -> str:
    return level if level == "JBOD" else f"RAID {level}"


def _onboard_software(look: Looking) -> str:
    found = (part.name for part in look.catalog.of(SoftwarePart) if "JBOD" in part.levels)
    return next(found, "none")
