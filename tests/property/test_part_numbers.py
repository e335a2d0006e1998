"""Whatever numbers a part has: it is refused where it is read, or it is simulated, and nothing breaks."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iodyno import bench
from iodyno.catalog.bounds import bound_of
from iodyno.catalog.interfaces import parse_interface
from iodyno.catalog.parts import ControllerPart, DrivePart, Part, SoftwarePart
from iodyno.catalog.quantity import UNITS
from iodyno.catalog.reading import parse_part, write_toml
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import part_files, shipped
from iodyno.catalog.tree import system_of
from iodyno.errors import CatalogError
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import STANDARD_LOADS
from iodyno.virtual import VirtualSystem

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCUMENTS = {file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8")) for file in part_files()}
HOST = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
OF_HOST = HOST | {"software": "linux-nvme"}
SSD, DISK, NVME = "toshiba-px02smf040", "seagate-st91000640ns", "intel-p3700-800"
BEHIND = {"sas": SSD, "sata": DISK, "dmi": DISK, "pcie": NVME}
DATABASE = STANDARD_LOADS["database"].profile
PROFILES = (DATABASE, DATABASE.model_copy(update={"random_share": 0.0, "read_share": 0.5}))
Place = tuple[str, ...]


def _numbers(here: Any, place: Place = ()) -> Iterator[Place]:
    if isinstance(here, Mapping) and "value" in here and "unit" in here:
        yield place
    elif isinstance(here, Mapping):
        for key, item in here.items():
            if place or key not in ("fit", "facts"):
                yield from _numbers(item, (*place, key))


PLACES = [(name, place) for name, document in DOCUMENTS.items() for place in _numbers(document)]


def _number(name: str, place: Place) -> dict[str, Any]:
    here: Any = DOCUMENTS[name]
    for key in place:
        here = here[key]
    found: dict[str, Any] = here
    return found


def _values(name: str, place: Place) -> st.SearchStrategy[Any]:
    """Give values near what is shipped, near the bounds, and anywhere."""
    number = _number(name, place)
    dimension, factor = UNITS[number["unit"]]
    bound = bound_of(place[-1], dimension)
    ends = [float(bound.least / factor), bound.most / factor]
    shipped_value = float(number["value"]) or 1.0
    return (
        st.floats(-5, 5).map(lambda power: shipped_value * 10**power)
        | st.sampled_from([end * near for end in ends for near in (0.999, 1, 1.001)])
        | st.sampled_from([0, 1, -1, 2, 1 << 32, (1 << 32) - 1, 1 << 64, 1e300, 1e-300])
        | st.integers(0, 1 << 40)
        | st.floats(-20, 20).map(lambda power: 10**power)
    )


def _system(part: Part) -> dict[str, Any]:
    """Build a small system that has a part in the way of its load."""
    name = part.name
    if isinstance(part, DrivePart) and parse_interface(part.interface).family == "PCIe":
        return {"host": OF_HOST, "drives": [{"drive": name}]}
    if isinstance(part, DrivePart):
        array = {"drive": name, "count": 3, "level": "5"}
        return {"host": HOST, "controller": [_controller("praid-ep420i", array)]}
    if isinstance(part, ControllerPart) and part.kind == "controller":
        level = "5" if "5" in part.levels and part.lanes.value >= 3 else "0"
        array = {"drive": SSD, "count": 3 if level == "5" else 1, "level": level}
        return {"host": HOST, "controller": [_controller(name, array)]}
    if part.kind == "onboard" or name == "dmi":
        mirror = {"drive": DISK, "count": 2, "level": "1"}
        onboard = {"part": name if part.kind == "onboard" else "c610", "logical": [mirror]}
        return {"host": HOST | {"software": "windows-onboard-raid"}, "controller": [onboard]}
    if part.kind == "expander" or name in ("sas", "sata"):
        array = {"drive": BEHIND.get(name, SSD), "count": 10, "level": "5"}
        expander = {"expander": name if part.kind == "expander" else "sas-expander-12g"}
        return {"host": HOST, "controller": [_controller("praid-ep420i", array) | expander]}
    return _of_the_host(part)


def _controller(name: str, array: dict[str, Any]) -> dict[str, Any]:
    return {"part": name, "mode": "performance", "logical": [array]}


def _of_the_host(part: Part) -> dict[str, Any]:
    group: dict[str, Any] = {"drive": NVME, "count": 2}
    if part.kind == "switch":
        return {"host": OF_HOST, "drives": [group | {"switch": part.name}]}
    if isinstance(part, SoftwarePart):
        mirror = {"level": "1"} if "1" in part.levels else {}
        return {"host": HOST | {"software": part.name}, "drives": [group | mirror]}
    keys = {"processor": "processor", "settings": "settings", "server": "server"}
    named = {keys[part.kind]: part.name} if part.kind in keys else {}
    return {"host": OF_HOST | {"processors": 1} | named, "drives": [group]}


def _simulate(system: VirtualSystem) -> None:
    targets = tuple(
        PlannedTarget(
            path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
            area_length_bytes=volume.size_bytes // 4096 * 4096,
        )
        for volume in system.volumes
    )  # fmt: skip
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=1, precision=0.5, confidence=0.95, warmup_ios=0, floor_ios=200,
        cap_ios=200,
    )  # fmt: skip
    for profile in PROFILES:
        point = Point(
            index=0, sweep="asked", profile=profile, targets=targets, outstanding=4, workers=1,
            engine="simulator", stopping=stopping, seed=1, system=system.name,
        )  # fmt: skip
        bench.simulate_point(point, system)  # asserts the laws of every result


def _changed(changes: list[tuple[tuple[str, Place], Any]]) -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENTS[changes[0][0][0]])
    for (_, place), value in changes:
        here = document
        for key in place:
            here = here[key]
        here["value"] = value
        here.pop("interval", None)
        if here["kind"] == "fitted":
            here["kind"] = "assumed"
    return document


@st.composite
def _changes(draw: st.DrawFn) -> list[tuple[tuple[str, Place], Any]]:
    name = draw(st.sampled_from(sorted(DOCUMENTS)))
    places = [place for of, place in PLACES if of == name]
    chosen = draw(st.lists(st.sampled_from(places), min_size=1, max_size=3, unique=True)) if places else []
    return [((name, place), draw(_values(name, place))) for place in chosen]


@given(_changes().filter(bool))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_part_with_other_numbers_is_refused_or_simulated(
    changes: list[tuple[tuple[str, Place], Any]],
) -> None:
    """All but one of what refuses is where the part is read: what a system lacks of it is told there."""
    try:
        part = parse_part(write_toml(_changed(changes)), "p.toml")
    except CatalogError:
        return
    catalog = shipped().having(part)
    try:
        system = resolve(system_of({"name": "made", **_system(part)}), catalog)
    except CatalogError:
        return
    _simulate(system)


def test_there_is_a_number_of_every_kind_of_part() -> None:
    kinds = {DOCUMENTS[name]["kind"] for name, _ in PLACES}
    assert kinds == {document["kind"] for document in DOCUMENTS.values()}
