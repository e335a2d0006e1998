"""Limits, rules and settings of the papers beside what the catalogue and its formulas say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from iodyno.catalog.checks import check as problems_of
from iodyno.catalog.interfaces import Interface, parse_interface, parse_version
from iodyno.catalog.links import CODINGS, PRACTICAL, practical, theoretical
from iodyno.catalog.parts import BasePart, ControllerPart, DrivePart, ServerPart, SwitchPart
from iodyno.catalog.shelf import Catalog
from iodyno.catalog.tree import system_of
from iodyno.fitting.published import Figure
from iodyno.units import GIB, MIB

P = TypeVar("P", bound=BasePart)
Found = float | str


@dataclass(frozen=True)
class Check:
    """A published limit or rule, and what the catalogue or a formula says."""

    figure: str
    found: str
    right: bool
    how: str
    """Where the value comes from."""


Rule = Callable[[Figure, Catalog], tuple[Found, str]]
"""Gives the value and where it comes from."""
_RULES: list[tuple[str, range, Rule]] = []
TOLERANCE_MB_S = 1.0
"""The papers round and cut whole MB/s."""
NOT_KEPT = ("qpi_speed", "max_memory_frequency", "tdp")
"""Facts of processors that the catalogue does not keep."""
CONTRADICTED = {"raid-157": "the paper's rule, DMI as PCIe of the same version and width, gives"}
"""Rows that contradict a rule of their own paper, and what gives another value."""


def _rule(prefix: str, first: int, last: int) -> Callable[[Rule], Rule]:
    def keep(rule: Rule) -> Rule:
        _RULES.append((prefix, range(first, last + 1), rule))
        return rule

    return keep


def rule_of(figure: Figure) -> Rule | None:
    """Give the rule that answers a row; the last one that was written counts."""
    if _is_not_kept(figure):
        return None
    here = figure.number_in_document
    found = [rule for prefix, rows, rule in _RULES if prefix == figure.prefix and here in rows]
    return found[-1] if found else None


def _is_not_kept(figure: Figure) -> bool:
    return figure.metric in NOT_KEPT or (figure.metric == "cache" and figure.configuration == "processor")


def check(figure: Figure, catalog: Catalog) -> Check:
    """Compare a row with the catalogue."""
    rule = rule_of(figure)
    assert rule is not None, figure.id
    found, how = rule(figure, catalog)
    shown = found if isinstance(found, str) else f"{found:.6g}"
    return Check(figure.id, shown, _agrees(figure, found), how)


def checked(rows: Mapping[str, Figure], catalog: Catalog) -> Iterator[Check]:
    """Check every row that a rule answers."""
    for figure in rows.values():
        if rule_of(figure):
            yield check(figure, catalog)


def _agrees(figure: Figure, found: Found) -> bool:
    if isinstance(found, str):
        return found == figure.value
    slack = TOLERANCE_MB_S if figure.unit.startswith("MB/s") else 0.0
    return abs(float(re.findall(r"[\d.]+", figure.value)[-1]) - found) <= slack + 1e-9 * abs(found)


def _part(catalog: Catalog, name: str, kind: type[P]) -> P:
    part = catalog.get(name)
    assert isinstance(part, kind), name
    return part


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _controller(figure: Figure, catalog: Catalog) -> ControllerPart:
    """The controller that a row names; of two with one row, the second."""
    name = figure.system.removeprefix("1 x ").removeprefix("2 x ").split(" (")[0]
    if "/" in name:
        name = f"PRAID {name.split('/')[-1].strip()}"
    if name in ("EP400i", "EP420i"):
        name = f"PRAID {name}"
    return _part(catalog, _slug(name), ControllerPart)


def _model(part: BasePart, key: str) -> float:
    return float(part.model[key].base)


def _mb_s(interface: Interface, catalog: Catalog) -> float:
    return float(practical(interface, catalog)) / MIB


CONTROLLER_FACTS: Mapping[str, Callable[[ControllerPart], Found]] = {
    "cache": lambda part: _model(part, "cache") / GIB if "cache" in part.model else 0.0,
    "disk_interface_frequency": lambda part: float(parse_interface(part.drive_interface).version.rstrip("G")),
    "max_disks_direct": lambda part: float(part.most_drives.value),
    "max_disks": lambda part: float(part.most_drives.value),
    "cpu_side_interface": lambda part: part.host_interface,
    "raid_levels": lambda part: ",".join(part.levels),
    "controller_cores": lambda part: (
        f"{part.model['cores'].value} x {part.facts['processor_frequency'].value} GHz"
    ),
    "stripe_size_default": lambda part: part.strip / 1024,
    "stripe_sizes_possible": lambda part: ",".join(str(size // 1024) for size in part.strips),
    "max_disks_raid10": lambda part: float(part.most_drives_of_level["10"].value),
}


@_rule("raid", 3, 42)
@_rule("raid", 305, 305)
@_rule("raid", 357, 359)
def _presented(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    part = _controller(figure, catalog)
    return CONTROLLER_FACTS[figure.metric](part), part.name


@_rule("raid", 207, 209)
def _strips(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    name = "praid-cp400i" if "without" in figure.system else "praid-ep420i"
    return CONTROLLER_FACTS[figure.metric](_part(catalog, name, ControllerPart)), name


@_rule("raid", 43, 44)
def _of_a_logical_drive(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    server = "primergy-cx2550-m1" if "CX25x0" in figure.system else "primergy-rx2540-m1"
    return float(_part(catalog, server, ServerPart).takes["c610"].drives.value), f"{server}, c610"


@_rule("raid", 47, 106)
def _release_matrix(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    server = _part(catalog, _slug(figure.system), ServerPart)
    taken = server.takes[_slug(figure.configuration)]
    drives, instances = float(taken.drives.value), taken.instances
    return drives * (instances.value if instances else 1), f"{server.name}, {_slug(figure.configuration)}"


VERSIONS = {"PCIe.1.0": "PCIe 1.0", "PCIe.2.0": "PCIe 2.0", "PCIe 3.0": "PCIe 3.0", "DMI 2.0": "DMI 2.0"}


@_rule("raid", 107, 116)
@_rule("raid", 118, 129)
@_rule("raid", 131, 151)
def _links(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    if figure.metric == "coding_redundancy":
        coding = "128b/130b" if "128b" in figure.configuration else "8b/10b"
        return round(float(1 - CODINGS[coding]) * 100, 2), f"coding {coding}"
    interface = _link_named(figure)
    if figure.metric == "interface_frequency":
        lane = theoretical(interface.wide(1), catalog) * 8
        coding = "128b/130b" if interface.version == "3.0" else "8b/10b"
        return float(lane / CODINGS[coding]) / 1e6, f"transfers of {interface}"
    rate = theoretical if figure.metric.startswith("theoretical") else practical
    return float(rate(interface, catalog)) / MIB, f"the rule for {interface} x{interface.lanes}"


def _link_named(figure: Figure) -> Interface:
    ports = re.fullmatch(r"(?:(\d) x )?x(\d)", figure.configuration)
    lanes = int(ports[1] or 1) * int(ports[2]) if ports else 1
    name = figure.system.split(" / ")[0].split(",")[0]
    return parse_version(VERSIONS.get(name, name)).wide(lanes)


@_rule("raid", 117, 117)
def _practical_factor(_figure: Figure, _catalog: Catalog) -> tuple[Found, str]:
    return float(PRACTICAL), "the rule"


@_rule("raid", 130, 130)
def _wide_port(_figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    lane = parse_interface("SAS 12G")
    return float(practical(lane.wide(4), catalog) / practical(lane, catalog)), "the rule for 4 lanes and 1"


@_rule("raid", 153, 188)
def _applied(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    part = _controller(figure, catalog)
    if figure.metric == "controller_cores":
        return CONTROLLER_FACTS["controller_cores"](part), part.name
    return _limit(figure, part, catalog), f"lanes and interfaces of {part.name}, the rule"


def _limit(figure: Figure, part: ControllerPart, catalog: Catalog) -> float:
    drives = parse_interface(part.drive_interface).wide(_lanes(figure, part))
    sides = {
        "disk_interface_limit": _mb_s(drives, catalog),
        "cpu_side_interface_limit": _mb_s(parse_interface(part.host_interface), catalog),
    }
    return sides.get(figure.metric, min(sides.values()))


def _lanes(figure: Figure, part: ControllerPart) -> int:
    """Lanes to drives; an onboard controller has four, each instance, but in one family of servers."""
    lanes = min(int(part.lanes.value), 4) if part.kind == "onboard" else int(part.lanes.value)
    return lanes * (2 if figure.system.startswith("2 x") else 1)


@_rule("raid", 189, 194)
def _only_6g(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    part = _controller(figure, catalog)
    return _mb_s(
        parse_interface("SAS 6G").wide(int(part.lanes.value)), catalog
    ), f"lanes of {part.name}, the rule"


@_rule("raid", 196, 196)
def _half(_figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    slow, fast = (practical(parse_interface(name), catalog) for name in ("SAS 6G", "SAS 12G"))
    return float(slow / fast), "the rule for SAS 6G and 12G"


@_rule("raid", 195, 195)
def _second_instance(_figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    part = _part(catalog, "c610", ControllerPart)
    one = _mb_s(parse_interface(part.host_interface), catalog)
    disks = _mb_s(parse_interface(part.drive_interface).wide(4), catalog)
    return (
        "false" if min(2 * disks, one) <= min(disks, one) else "true"
    ), "min(drives, processor side) with 4 and 8 lanes"


@_rule("raid", 152, 152)
def _dmi(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    pairs = [
        [practical(parse_interface(f"{name} {v} x4"), catalog) for name in ("DMI", "PCIe")]
        for v in ("2.0", "3.0")
    ]
    return (figure.value if all(a == b for a, b in pairs) else "not so"), "the rule for both"


@_rule("raid", 204, 206)
def _modes(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    name = "c610" if "C610" in figure.configuration else "praid-ep420i"
    part = _part(catalog, name, ControllerPart)
    key = _slug(figure.configuration.split(",")[0])
    mode = next(value for mode, value in part.modes.items() if mode == key)
    wanted = dict(item.split("=") for item in figure.value.split("; "))
    having = {
        "read": mode.read or "",
        "write": " / ".join(filter(None, (mode.write, mode.write_with_backup))),
        "cache": mode.cache or "",
        "disk cache": mode.drive_cache or "",
    }
    same = all(_slug(wanted[key].replace("(FBU)", "")) == _slug(value) for key, value in having.items())
    return (figure.value if same else str(having)), f"{name}, mode {key}"


@_rule("raid", 214, 214)
@_rule("raid", 347, 347)
def _onboard(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    names = ("c220", "c236") if figure.value == "4" else ("c220", "c236", "c610")
    return max(float(_part(catalog, n, ControllerPart).most_drives.value) for n in names), ", ".join(names)


@_rule("raid", 215, 215)
def _no_processor(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    parts = [_part(catalog, name, ControllerPart) for name in ("c220", "c236", "c610")]
    own = any("cores" in part.model for part in parts)
    return ("a processor" if own else figure.value), "c220, c236, c610"


DRIVES = {
    "SATA-6G-HDD": "seagate-st91000640ns",
    "SAS-12G-HDD": "hgst-huc156045css204",
    "SATA-6G-SSD": "intel-ssdsc2ba400g3c",
    "SAS-12G-SSD": "toshiba-px02smf040",
}


@_rule("raid", 257, 262)
def _drives(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    part = _part(catalog, DRIVES[figure.system], DrivePart)
    if figure.metric == "capacity":
        return _model(part, "capacity") / 1e9, part.name
    return _model(part, "rotation"), part.name


@_rule("raid", 304, 304)
def _most_internal(_figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    server = _part(catalog, "primergy-rx2560-m1", ServerPart)
    return _model(server, "bays"), server.name


@_rule("p3700", 1, 1)
def _endurance(_figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    return float(catalog.get("intel-p3700-800").facts["endurance"].value), "intel-p3700-800"


@_rule("p3700", 3, 5)
def _capacities(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    name = {"800": "intel-p3700-800", "1.6": "intel-p3700-1600", "2": "intel-p3700-2000"}[figure.value]
    return _model(catalog.get(name), "capacity") / (1e9 if figure.value == "800" else 1e12), name


@_rule("p3700", 7, 7)
def _interface(_figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    part = _part(catalog, "intel-p3700-800", DrivePart)
    return _mb_s(parse_interface(part.interface), catalog), f"the rule for {part.interface}"


@_rule("p3700", 9, 10)
def _heat(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    key = "power_most" if figure.unit == "W" else "throttling"
    return float(catalog.get("intel-p3700-800").facts[key].value), "intel-p3700-800"


@_rule("p3700", 12, 21)
def _most_ssds(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    server = _part(catalog, _slug(figure.system), ServerPart)
    return float(server.takes["intel-p3700"].drives.value), server.name


@_rule("p3700", 108, 108)
def _at_least_four(_figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    drives = _part(catalog, "primergy-rx2540-m1", ServerPart).takes["intel-p3700"].drives.value
    return min(float(drives), 4.0), f"primergy-rx2540-m1 takes {drives}"


@_rule("p3700", 171, 171)
def _eight(_figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    taken = [
        s.takes["intel-p3700"]
        for s in catalog.of(ServerPart)
        if "primergy" in s.name and "intel-p3700" in s.takes
    ]
    return max(float(one.drives.value) for one in taken), "the greatest of all PRIMERGY"


@_rule("raid", 360, 360)
def _two_controllers(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    logical = {"drive": "toshiba-px02smf040", "count": 8, "level": "0"}
    host = {
        "server": "primergy-rx2540-m1",
        "processor": "xeon-e5-2660-v3",
        "software": "windows-raw-megaraid",
    }
    controllers = [{"part": "praid-ep420i", "logical": [logical]}] * 2
    system = system_of({"name": "two", "host": host, "controller": controllers})
    wrong = "; ".join(str(problem) for problem in problems_of(system, catalog))
    return wrong or figure.value, "a system of PRIMERGY RX2540 M1 with two PRAID EP420i can exist"


PROCESSOR_FACTS = {
    "cores": ("cores", 1.0), "threads": ("threads", 1.0), "nominal_frequency": ("frequency", 1e9),
    "max_turbo_frequency": ("turbo", 1e9),
}  # fmt: skip


@_rule("primequest", 12, 75)
def _processors(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    part = catalog.get(_slug(figure.system))
    key, unit = PROCESSOR_FACTS[figure.metric]
    return _model(part, key) / unit, part.name


BOARDS = {
    "PRAID EP420i (SB)": "primequest-2800e3-sb",
    "PRAID EP420i (DU-1C)": "primequest-2800e3-du-1c",
    "PRAID EP420i (DU-2C)": "primequest-2800e3-du-2c",
    "System Board": "primequest-2800e3-sb",
    "Disk Unit (1C)": "primequest-2800e3-du-1c",
    "Disk Unit (2C)": "primequest-2800e3-du-2c",
}


@_rule("primequest", 164, 165)
def _how_many_boards(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    name = {"system_boards_max": "primequest-2800e3-sb", "disk_units_max": "primequest-2800e3-du-2c"}
    server = _part(catalog, name[figure.metric], ServerPart)
    return _model(server, "boards"), server.name


@_rule("primequest", 166, 189)
def _boards(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    server = _part(catalog, BOARDS[figure.system], ServerPart)
    taken = server.takes["praid-ep420i"]
    part = _part(catalog, "praid-ep420i", ControllerPart)
    assert taken.lanes is not None
    limits = {
        "disk_interface_limit": _mb_s(
            parse_interface(part.drive_interface).wide(int(taken.lanes.value)), catalog
        ),
        "cpu_side_interface_limit": _mb_s(parse_interface(taken.link), catalog),
    }
    found: dict[str, Found] = {
        **limits,
        "effective_limit": min(limits.values()),
        "max_disks": float(taken.drives.value),
        "controllers": _model(server, "controllers"),
        "cache": _model(part, "cache") / GIB,
        "raid_levels": ",".join(taken.levels),
    }
    return found[figure.metric], server.name


@_rule("primequest", 196, 197)
def _totals(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    whole = [_part(catalog, f"primequest-2800e3-{name}", ServerPart) for name in ("sb", "du-2c")]
    controllers = [_model(board, "boards") * _model(board, "controllers") for board in whole]
    if figure.metric == "controllers_total":
        return sum(controllers), "boards and disk units with the controllers of each"
    drives = [board.takes["praid-ep420i"].drives.value for board in whole]
    total = sum(count * each for count, each in zip(controllers, drives, strict=True))
    return float(total), "drives on the controllers of all boards and disk units"


@_rule("nvme", 2, 6)
@_rule("nvme", 33, 34)
def _nvme_lanes(figure: Figure, catalog: Catalog) -> tuple[Found, str]:
    named = f"{figure.system} {figure.configuration}"
    switch = next((f"nvme-{n}-4p" for n in ("1610", "810") if f"{n}-4P" in named), "")
    if not switch:
        part = _part(catalog, "toshiba-px04pmb-960", DrivePart)
        lanes = float(parse_interface(part.interface).lanes)
    else:
        model = _part(catalog, switch, SwitchPart).model
        lanes = float(model["host_lanes" if figure.metric == "pcie_lanes_to_cpu" else "drive_lanes"].value)
    return (f"x{lanes:.0f}" if figure.value.startswith("x") else lanes), switch or "toshiba-px04pmb-960"
