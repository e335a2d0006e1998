"""Whether a controller of a system can be as it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iodyno.catalog.direct_checks import check_host_level, check_host_strip, note_alone
from iodyno.catalog.driver import driver, reached_by
from iodyno.catalog.driver_checks import check_driver_of_board
from iodyno.catalog.interfaces import negotiated, parse_interface
from iodyno.catalog.levels import (
    Mirrors,
    drives_hint,
    drives_problem,
    groups_of,
    least_drives,
    shown_level,
)
from iodyno.catalog.looking import Looking
from iodyno.catalog.matrix import (
    built,
    in_all,
    instances_of,
    lanes_of,
    levels_of,
    more_hint,
    reach,
    taken_of,
    takers_hint,
    untaken,
    untaken_hint,
)
from iodyno.catalog.member_checks import (
    check_failed,
    check_filled,
    check_link,
    check_slot,
    most_of_processor,
    software_that_mirrors,
)
from iodyno.catalog.onboard_checks import check_onboard, on_its_board
from iodyno.catalog.parts import (
    ControllerPart,
    DrivePart,
    ExpanderPart,
    Part,
    ProcessorPart,
    Reached,
    ServerPart,
    SoftwarePart,
    Taken,
)
from iodyno.catalog.settings import KEYS, drive_cache_of, resolved
from iodyno.catalog.tree import ControllerSpec, LogicalSpec, Settings
from iodyno.catalog.written import UNREAD, read_or
from iodyno.errors import CatalogError
from iodyno.units import format_size

LEAST_REBUILD_MB_S = 0.1
"""Slowest rebuild, MB/s: a terabyte takes a third of a year, and of less no point would see a step."""


def check_controller(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    server: ServerPart | None,
    processor: ProcessorPart | None,
    of_host: Sequence[SoftwarePart | None],
    before: Sequence[ControllerSpec],
    on: Mapping[Reached, str],
) -> None:
    """Note every problem of a controller and its logical drives; ``of_host`` is the host's software,
    ``before`` are the controllers before it, ``on`` says how the host comes to the drives of the system."""
    part = look.part_in(spec, "part", ControllerPart, place)
    software = driver(of_host, reached_by(part) if part else "scsi")
    unit = _unit(look, spec, place, server) if read_or(spec, "unit", UNREAD) else server
    expander = look.part_in(spec, "expander", ExpanderPart, place)
    logicals: Sequence[LogicalSpec] = read_or(spec, "logical", ())
    for index, logical in enumerate(logicals):
        _check_alone(look, logical, f"{place}.logical[{index}]", part, unit, software)
    if part is None:
        return
    taken = _check_unit(look, place, part, unit)
    _check_settings(look, spec, place, part, spec)
    look.at(_check_mode, spec, place, part)
    look.at(_check_read_ahead, spec, place, part, logicals)
    look.at(_check_backup_unit, spec, place, part)
    look.at(_check_link, spec, place, part, unit, processor)
    check_onboard(look, spec, place, part, unit, taken, on_its_board(spec, server, before), software)
    if expander and part.most_drives_expanded is None:
        look.wrong(f"{place}.expander", f"{part.title} takes no expander", "leave expander out")
    look.at(_check_count, spec, place, part, unit, taken)
    for index, logical in enumerate(logicals):
        _check_logical(look, spec, logical, f"{place}.logical[{index}]", part, taken, software)
        if software and _is_by_host(part, logical, software):
            look.at(_check_by_host, logical, f"{place}.logical[{index}]", part, software)
        elif software and part.kind == "onboard":
            look.at(check_driver_of_board, logical, part, software, on)


def _unit(look: Looking, spec: ControllerSpec, place: str, server: ServerPart | None) -> ServerPart | None:
    """Give the board or unit that a controller sits in; none where it is none of the server."""
    unit = look.part_in(spec, "unit", ServerPart, place)
    if unit is None or (server and unit.name == server.name):
        return unit
    boards = [one for one in look.catalog.of(ServerPart) if one.board_of]
    there = [one.name for one in boards if server is None or server.has_board(one)]
    hint = f"take {', '.join(there)}, or leave unit out" if there else "leave unit out"
    if unit.board_of is None:
        look.wrong(f"{place}.unit", f"{unit.title} is no board or unit of a server", hint)
    elif server and not server.has_board(unit):
        what = f"{unit.title} is a {unit.board_of}, and the server is {server.title}"
        look.wrong(f"{place}.unit", what, hint)
    else:
        return unit
    return None


def _check_alone(
    look: Looking,
    logical: LogicalSpec,
    place: str,
    part: ControllerPart | None,
    unit: ServerPart | None,
    software: SoftwarePart | None,
) -> None:
    """Note what is wrong with a logical drive on every controller. A level that this one cannot have needs no
    number of drives; what is said of its groups and members is right or wrong all the same."""
    drive = look.part_in(logical, "drive", DrivePart, place)
    taken = taken_of(unit, part) if part else None
    levels = built(part.levels, reach(part, taken).value) if part else ()
    level = read_or(logical, "level", None)
    there = part is None or level in levels or _is_by_host(part, logical, software)
    if there or level != "JBOD":
        look.at(_check_groups, logical, place, _mirrors(logical, part, software), there)
    look.at(_check_rebuild, logical, place, part)
    if drive:
        look.at(_check_filled, logical, place, drive)


def _check_unit(look: Looking, place: str, part: ControllerPart, unit: ServerPart | None) -> Taken | None:
    if unit is None:
        return None
    if part.name not in unit.takes:
        look.wrong(f"{place}.part", untaken(unit, part), untaken_hint(unit, part))
        return None
    taken = unit.takes[part.name]
    check_slot(look, f"{place}.part", part, unit, taken)
    return taken


def _check_settings(
    look: Looking, settings: Settings, place: str, part: ControllerPart, spec: ControllerSpec
) -> None:
    for key in KEYS:
        look.at(_check_setting, key, settings, place, part)
    if part.has_cache:
        look.at(_check_write_back, settings, place, spec)


def _check_setting(look: Looking, key: str, settings: Settings, place: str, part: ControllerPart) -> None:
    value, offered = getattr(settings, key), getattr(part.offered, key)
    if value is not None and not offered:
        look.wrong(f"{place}.{key}", f"{part.title} has no such setting", f"leave {key} out")
    elif value is not None and value not in offered:
        what = f'{part.title} does not offer "{value}"'
        look.wrong(f"{place}.{key}", what, f"it offers {', '.join(offered)}")


def _check_write_back(look: Looking, settings: Settings, place: str, spec: ControllerSpec) -> None:
    if settings.write == "write-back" and not spec.backup_unit:
        hint = 'give backup_unit = true, or write = "always-write-back" at the risk of data'
        look.wrong(f"{place}.write", "write-back needs a flash backup unit", hint)


def _check_mode(look: Looking, spec: ControllerSpec, place: str, part: ControllerPart) -> None:
    if spec.mode and spec.mode not in part.modes:
        what = f"{part.title} has no mode {spec.mode}"
        hint = f"its modes: {', '.join(part.modes)}" if part.modes else "it has none: leave mode out"
        look.wrong(f"{place}.mode", what, hint)


def _check_backup_unit(look: Looking, spec: ControllerSpec, place: str, part: ControllerPart) -> None:
    if spec.backup_unit and not part.backup_unit:
        what = f"{part.title} takes no flash backup unit"
        look.wrong(f"{place}.backup_unit", what, "leave backup_unit out")


def _check_link(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    part: ControllerPart,
    unit: ServerPart | None,
    processor: ProcessorPart | None,
) -> None:
    """Hold the link that the slot of a controller is said to give to what it could have there."""
    if spec.link is None:
        return
    limits: list[tuple[Part, str]] = []
    if unit and part.name in unit.takes:
        limits.append((unit, unit.takes[part.name].link))
    if processor:
        limits.append((processor, most_of_processor(processor, part.host_interface)))
    given = [(by, most) for by, most in limits if most]
    check_link(look, place, part, part.host_interface, spec.link, given)


def _check_count(
    look: Looking,
    spec: ControllerSpec,
    place: str,
    part: ControllerPart,
    unit: ServerPart | None,
    taken: Taken | None,
) -> None:
    """Count the drives: what the server takes, what the controller takes, what its lanes reach.

    Instances that are not there, which is told of them, hold none.
    """
    count = sum(logical.count for logical in spec.logical)
    at = f"{place}.logical"
    instances = min(spec.instances, instances_of(part, taken))
    here = taken.drives.whole * instances if taken else count
    more = part.most_drives_expanded if spec.expander is None else None
    own = part.most_drives if spec.expander is None else part.most_drives_expanded or part.most_drives
    most, lanes = in_all(part, own.whole, instances), lanes_of(part, taken).whole * instances
    fitting = min(count, here)  # what is told of more is told of the server
    if unit and count > here:
        what = f"{count} drives, at most {here} fit on {part.title} here"
        expanded = more and fitting > min(most, lanes)
        beyond = f"; more than {min(most, lanes)} need an expander" if expanded else ""
        look.wrong(at, what, f"{more_hint(part, unit, look.catalog)}{beyond}")
        if expanded:
            return
    if fitting > lanes and spec.expander is None and lanes < most:
        give = f"give an expander{_named(look)}, or take fewer drives"
        hint = give if more else takers_hint(part, look.catalog)
        plural = "lane" if lanes == 1 else "lanes"
        look.wrong(at, f"{count} drives, {part.title} has {lanes} {plural} to drives{_here(taken)}", hint)
    elif fitting > most:
        hint = f"with an expander it takes {more}{_named(look)}" if more else "take fewer drives"
        if more and fitting > in_all(part, more.whole, instances):
            hint = f"take fewer drives: with an expander it takes {more}"
        look.wrong(at, f"{count} drives, {part.title} takes {most}", hint)


def _named(look: Looking) -> str:
    """Write the key that gives an expander, with one that there is."""
    names = [part.name for part in look.catalog.of(ExpanderPart)]
    return f' (expander = "{names[0]}")' if names else ""


def _here(taken: Taken | None) -> str:
    return " here" if taken else ""


def _check_logical(
    look: Looking,
    spec: ControllerSpec,
    logical: LogicalSpec,
    place: str,
    part: ControllerPart,
    taken: Taken | None,
    software: SoftwarePart | None,
) -> None:
    _check_settings(look, logical, place, part, spec)
    look.at(_check_raid, logical, place, part, taken)
    if _is_by_host(part, logical, software):
        look.at(check_host_strip, logical, place)
    else:
        look.at(_check_level, logical, place, part, taken)
        look.at(_check_most_of_level, logical, place, part)
        look.at(_check_strip, logical, place, part)
    look.at(_check_passed_through, spec, logical, place, part)
    look.at(_check_read_ahead, logical, place, part, (logical,))
    drive = look.catalog.parts.get(read_or(logical, "drive", ""))
    if isinstance(drive, DrivePart):
        _check_interface(look, place, part, drive)
        look.at(_check_drive_cache, spec, logical, place, part, drive)


def _check_read_ahead(
    look: Looking, asked: Settings, place: str, part: ControllerPart, logicals: Sequence[LogicalSpec]
) -> None:
    """A drive that is passed through is read ahead by nobody but itself, whatever a mode says of arrays."""
    passed_through = bool(logicals) and all(one.level == "JBOD" or one.by_host for one in logicals)
    if part.kind == "controller" and passed_through and asked.read == "read-ahead":
        what = f"{part.title} passes drives of JBOD through, and reads nothing ahead"
        look.wrong(f"{place}.read", what, "leave read out, or take RAID 0")


def _is_by_host(part: ControllerPart, logical: LogicalSpec, software: SoftwarePart | None = None) -> bool:
    """Tell whether RAID of the operating system joins drives: those that a controller with a processor passes
    through where that is asked for, those of an onboard one where the software is no driver of its RAID."""
    if read_or(logical, "level", "JBOD") == "JBOD":
        return False
    if part.kind == "onboard":
        return software is not None and software.joins_onboard
    return read_or(logical, "raid", None) == "host"


def _check_raid(
    look: Looking, logical: LogicalSpec, place: str, part: ControllerPart, taken: Taken | None
) -> None:
    if logical.raid == "controller" and part.kind == "onboard" and logical.level != "JBOD":
        what = f"{part.title} leaves RAID to the host"
        look.wrong(f"{place}.raid", what, 'leave raid out, or give "host"')
    elif _is_by_host(part, logical) and "JBOD" not in levels_of(part, taken):
        what = f"{part.title} joins drives itself, and passes none through to the host"
        able = [
            one.title
            for one in look.catalog.of(ControllerPart)
            if one.kind == "controller" and "JBOD" in one.levels
        ]
        look.wrong(f"{place}.raid", what, f"leave raid out, or take {' or '.join(able)}")


def _check_passed_through(
    look: Looking, spec: ControllerSpec, logical: LogicalSpec, place: str, part: ControllerPart
) -> None:
    """What the host joins goes past the controller's cache: it alone knows what belongs together."""
    if not _is_by_host(part, logical) or not part.has_cache:
        return
    settings = resolved(part, spec, logical)
    for key, cached, past in (
        ("write", settings.write_back, "write-through"),
        ("cache", settings.cache == "cached", "direct"),
    ):
        if cached:
            what = f"the host joins the drives, and {part.title} has them {getattr(settings, key)}"
            look.wrong(f"{place}.{key}", what, f'give {key} = "{past}"')


def _check_by_host(
    look: Looking, logical: LogicalSpec, place: str, part: ControllerPart, software: SoftwarePart
) -> None:
    leave = "" if part.kind == "onboard" else "leave raid out, or "
    check_host_level(look, place, logical.level, software, f"{leave}take other host software")


def _check_level(
    look: Looking, logical: LogicalSpec, place: str, part: ControllerPart, taken: Taken | None
) -> None:
    levels, most = levels_of(part, taken), reach(part, taken)
    able = ", ".join(built(levels, most.value))
    if logical.level not in levels:
        here = " here" if logical.level in part.levels else ""
        what = f"{part.title} has no {shown_level(logical.level)}{here}"
        look.wrong(f"{place}.level", what, f"its levels{here}: {able or 'none'}")
    elif (least := least_drives(logical.level)) > most.value:
        what = f"{shown_level(logical.level)} needs {least} drives or more, {part.title} reaches {most}"
        hint = f"levels that {most} {'drive' if most.value == 1 else 'drives'} can have: {able or 'none'}"
        look.wrong(f"{place}.level", f"{what}{_here(taken)}", hint)


def _mirrors(logical: LogicalSpec, part: ControllerPart | None, software: SoftwarePart | None) -> Mirrors:
    """Tell of how many drives a RAID 1 can be: a controller's of two, the host's as its software has it."""
    by_system = part is not None and _is_by_host(part, logical, software)
    if not by_system and read_or(logical, "raid", None) != "host":
        return "two"
    return software.mirrors if software else "any"


def _check_groups(look: Looking, logical: LogicalSpec, place: str, mirrors: Mirrors, there: bool) -> None:
    """Check numbers of drives and of groups, and which members have failed; ``there`` is a level that the
    controller can have."""
    groups = groups_of(logical.level, logical.groups)
    if logical.level not in ("50", "60") and groups != 1:
        look.wrong(f"{place}.groups", f"{shown_level(logical.level)} has no groups", "leave groups out")
        groups = 1
    problem = drives_problem(logical.level, logical.count, groups, mirrors)
    if problem and there:
        by_host = read_or(logical, "raid", None) == "host"
        able = software_that_mirrors(look, logical.level, logical.count, mirrors, "scsi") if by_host else ""
        look.wrong(f"{place}.count", problem, drives_hint(logical.level, mirrors) + able)
    elif not problem:
        check_failed(look, place, logical.level, logical.count, groups, logical.failed)


def _check_rebuild(look: Looking, logical: LogicalSpec, place: str, part: ControllerPart | None) -> None:
    if not logical.rebuild_mb_s:
        return
    if logical.rebuild_mb_s < LEAST_REBUILD_MB_S:
        what = f"{logical.rebuild_mb_s:g} MB/s is less than {LEAST_REBUILD_MB_S:g} MB/s"
        look.wrong(f"{place}.rebuild_mb_s", what, "give 0 where no member is rebuilt")
    if not logical.failed:
        look.wrong(f"{place}.rebuild_mb_s", "no member has failed", "give failed = [0]")
    if part and part.kind == "onboard":
        what = f"{part.title} leaves RAID to the host, whose rebuilding is not modelled"
        look.wrong(f"{place}.rebuild_mb_s", what, "leave rebuild_mb_s out")
    elif read_or(logical, "raid", None) == "host":
        what = "the host joins the drives, whose rebuilding is not modelled"
        look.wrong(f"{place}.rebuild_mb_s", what, "leave rebuild_mb_s out")


def _check_most_of_level(look: Looking, logical: LogicalSpec, place: str, part: ControllerPart) -> None:
    most = part.most_drives_of_level.get(logical.level)
    if most and logical.count > most.value:
        what = f"{logical.count} drives, {shown_level(logical.level)} on {part.title} takes {most}"
        look.wrong(f"{place}.count", what, "take fewer drives, or several logical drives")


def _check_strip(look: Looking, logical: LogicalSpec, place: str, part: ControllerPart) -> None:
    if logical.strip and logical.level == "JBOD":
        note_alone(look, place, "strip")
    elif logical.strip and logical.strip not in part.strips:
        offered = ", ".join(format_size(strip) for strip in part.strips)
        what = f"{part.title} has no strips of {format_size(logical.strip)}"
        look.wrong(f"{place}.strip", what, f"it offers {offered}")


def _check_interface(look: Looking, place: str, part: ControllerPart, drive: DrivePart) -> None:
    try:
        negotiated(parse_interface(part.drive_interface), parse_interface(drive.interface))
    except CatalogError:
        what = f"{drive.title} has {drive.interface}, {part.title} takes {part.drive_interface}"
        look.wrong(
            f"{place}.drive", what, f"`iodyno catalog fits {part.name}` lists the drives that it takes"
        )


def _check_drive_cache(
    look: Looking,
    spec: ControllerSpec,
    logical: LogicalSpec,
    place: str,
    part: ControllerPart,
    drive: DrivePart,
) -> None:
    """Its own, the controller's or the mode's: what is asked for must be there."""
    cache = drive_cache_of(part, spec, logical)
    if cache and cache not in drive.write_cache:
        what = f"{drive.title} cannot have it {cache}"
        look.wrong(f"{place}.drive_cache", what, f"it has it {' or '.join(drive.write_cache)}")


def _check_filled(look: Looking, logical: LogicalSpec, place: str, drive: DrivePart) -> None:
    check_filled(look, place, drive, logical.filled)
