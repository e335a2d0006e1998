"""Parts: every one loads, every number has a source, and what is wrong is told at once."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from iodyno.catalog import shelf
from iodyno.catalog.fields import MODELS
from iodyno.catalog.parts import BasePart, ControllerPart, DrivePart
from iodyno.catalog.quantity import UNITS, Quantity
from iodyno.catalog.reading import converted, parse_part
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system
from iodyno.errors import CatalogError
from iodyno.profiles import Record
from iodyno.virtual import HddModel, SsdModel, VirtualController

PARTS = sorted(shelf.shipped().parts.values(), key=lambda part: part.name)
WANTED = {
    "intel-p3700-800", "intel-p3700-1600", "intel-p3700-2000", "toshiba-px02smf040", "intel-ssdsc2ba400g3c",
    "hgst-huc156045css204", "seagate-st91000640ns", "fusion-io-iodrive2-1200", "toshiba-px04pmb-960",
    "c220", "c236", "c610", "praid-cm400i", "praid-cp400i", "praid-em400i", "praid-ep400i", "praid-ep420i",
    "psas-cp400i", "nvme-1610-4p", "nvme-810-4p", "pcie", "dmi", "sas", "sata",
}  # fmt: skip
BROKEN = """
schema = 1
kind = "hdd"
name = "broken"
title = "Broken"
interface = "SAS 12G"
form_factors = ["2.5 inch"]
source = "nowhere"
colour = "red"

[sources]
raid = "A paper"

[model]
capacity = { value = 450, unit = "GB", kind = "datasheet", source = "papr" }
rotation = { value = 15000, unit = "ms", kind = "published", source = "raid" }
heads = { value = 6, unit = "count", kind = "assumed" }
outer = { value = 240, unit = "MB/sec", kind = "published", source = "raid" }
inner = { value = 160, unit = "MB/s", kind = "fitted", source = "raid" }
zones = { value = "many", unit = "count", kind = "published", source = "raid" }
seek_trak = { value = 0.2, unit = "ms", kind = "published", source = "raid" }
"""


def _quantities(value: Any) -> Iterator[Quantity]:
    if isinstance(value, Quantity):
        yield value
    elif isinstance(value, Record):
        for name in type(value).model_fields:
            yield from _quantities(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from _quantities(item)


def test_the_wanted_parts_are_there() -> None:
    assert {part.name for part in PARTS} >= WANTED


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_number_has_a_source_that_exists(part: BasePart) -> None:
    assert part.source in part.sources
    for number in _quantities(part):
        if number.source:
            assert number.source in part.sources
        else:
            assert number.kind == "assumed"
            assert number.note
            assert "starting value" not in number.note  # of which nobody knows why it is sensible
        assert number.kind != "fitted" or number.interval is not None


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_no_source_is_left_without_a_number_or_word(part: BasePart) -> None:
    used = {number.source for number in _quantities(part)} | {part.source}
    fit = str(part.fit)
    assert {key for key in part.sources if key not in used and key not in fit} == set()


def test_what_a_source_says_is_of_one_kind_wherever_it_is_cited() -> None:
    """A document is a maker's or somebody else's; what is fitted to it or reckoned from it is neither."""
    kinds: dict[str, set[str]] = {}
    for part in PARTS:
        for number in _quantities(part):
            if number.source:
                kinds.setdefault(part.sources[number.source], set()).add(number.kind)
    assert {source: of for source, of in kinds.items() if of >= {"datasheet", "published"}} == {}


MAKERS = ("Samsung", "Seagate", "Fusion-io", "Intel", "HGST", "AMD", "PCI-SIG", "INCITS", "SATA-IO")


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_datasheet_is_that_of_a_maker(part: BasePart) -> None:
    of = {part.sources[number.source] for number in _quantities(part) if number.kind == "datasheet"}
    assert [source for source in of if not source.startswith(MAKERS)] == []
    others = {part.sources[number.source] for number in _quantities(part) if number.kind == "published"}
    assert [source for source in others if source.startswith(MAKERS)] == []


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("samsung-pm9a3-3840", {"capacity", "data_read", "data_write", "protected", "random_read_4k",
                                "random_write_4k", "endurance", "power_most"}),
        ("samsung-pm1743-7680", {"capacity", "data_read", "data_write", "random_read_4k",
                                 "random_write_4k", "endurance"}),
        ("seagate-exos-x20-20tb", {"capacity", "rotation", "heads", "outer", "buffer", "mtbf"}),
        (
            "fusion-io-iodrive2-1200",
            {"bandwidth_read", "bandwidth_write", "latency_read", "latency_write", "random_read_512",
             "random_write_512"},
        ),
    ],
)  # fmt: skip
def test_what_the_maker_of_a_drive_says_is_its_datasheet(name: str, keys: set[str]) -> None:
    part = shelf.shipped().take(name, DrivePart)
    numbers = part.model | part.facts
    assert {key for key, number in numbers.items() if number.kind == "datasheet"} == keys


@pytest.mark.parametrize("capacity", ["800", "1600", "2000"])
def test_both_form_factors_of_the_p3700_are_one_part(capacity: str) -> None:
    part = shelf.shipped().take(f"intel-p3700-{capacity}", DrivePart)
    assert part.form_factors == ("AIC", "SFF")


def test_all_problems_of_a_part_at_once() -> None:
    with pytest.raises(CatalogError) as raised:
        parse_part(BROKEN, "broken.toml")
    told = {problem.where.removeprefix("broken.toml: "): problem for problem in raised.value.problems}
    assert told["source"].what == '"nowhere" is not in [sources]'
    assert told["colour"].what == "is no key of this table"
    assert told["model.capacity.source"].what == '"papr" is not in [sources]'
    assert told["model.rotation"].what == '"ms" is no unit of rotation'
    assert told["model.rotation"].hint == "write rpm"
    assert told["model.heads.source"].what == "is missing"
    assert told["model.outer.unit"].hint.startswith("did you mean MB/s?")
    assert told["model.inner.interval"].what == "is missing"
    assert told["model.zones.value"].what == '"many" is no number'
    assert told["model.seek_trak"].hint.startswith("did you mean seek_track?")
    assert told["model.seek_full"].what == "is missing"
    assert raised.value.code == "catalog"


def test_a_mistyped_number_of_a_part_is_not_missing_too() -> None:
    """Who follows both hints has it twice."""
    text = (
        shelf.file_of("hgst-huc156045css204")
        .replace("\nheads =", "\nhead =")
        .replace("\nrotation =", "\nturns =")
    )
    with pytest.raises(CatalogError) as raised:
        parse_part(text, "p")
    told = {problem.where.removeprefix("p: "): problem.what for problem in raised.value.problems}
    mistyped = "is no number of this kind of part"
    assert told == {"model.head": mistyped, "model.turns": mistyped, "model.rotation": "is missing"}


def test_a_seek_curve_that_cannot_be() -> None:
    file = next(f for f in shelf.part_files() if f.name == "hgst-huc156045css204.toml")
    text = file.read_text("utf-8").replace("seek_full = { value = 6.6", "seek_full = { value = 4")
    with pytest.raises(CatalogError, match="no seek curve has"):
        parse_part(text)


def test_an_unknown_kind() -> None:
    with pytest.raises(CatalogError) as raised:
        parse_part('kind = "drives"')
    assert raised.value.problems[0].what == '"drives" is no kind of part'


def test_no_toml() -> None:
    with pytest.raises(CatalogError, match="line 2"):
        parse_part('kind = "ssd"\nname = ?\n')


@pytest.mark.parametrize(
    ("value", "unit", "base"),
    [
        (1, "GiB", 1 << 30), (800, "GB", 800 * 10**9), (3380, "MB/s", 3380 * (1 << 20)),
        (285, "MB/s(10^6)", 285_000_000), (2.1, "us", 2_100_000), (0.041, "ms", 41_000_000),
        (3.5, "GHz", 3_500_000_000), (0.1, "share", Fraction(1, 10)),
    ],
)  # fmt: skip
def test_units_are_exact(value: float, unit: str, base: int | Fraction) -> None:
    assert Quantity(value=value, unit=unit, kind="assumed", note="x").base == base


def test_a_rotation_becomes_a_revolution() -> None:
    number = Quantity(value=15000, unit="rpm", kind="published", source="x")
    assert converted({"rotation": number}, MODELS["hdd"]) == {"revolution_ps": 4_000_000_000}


@pytest.mark.parametrize("model", [SsdModel, HddModel, VirtualController])
def test_every_number_of_a_virtual_record_is_asked_of_parts(model: type[Record]) -> None:
    settings = {"kind", "write_cache", "prefetch", "name", "path", "logicals"}
    kind = {"SsdModel": "ssd", "HddModel": "hdd"}.get(model.__name__, "controller")
    asked = {number.field for number in MODELS[kind].values() if number.field}
    assert asked == set(model.model_fields) - settings


def test_every_dimension_has_a_unit() -> None:
    dimensions = {number.dimension for numbers in MODELS.values() for number in numbers.values()}
    assert dimensions <= {dimension for dimension, _ in UNITS.values()}


def test_other_numbers_leave_the_part_as_it_was() -> None:
    part = shelf.shipped().take("intel-p3700-800", DrivePart)
    other = shelf.with_numbers(part, {"model.read": 99.5, "prefetch.delay": 1})
    assert (other.model["read"].value, other.model["read"].unit) == (99.5, "us")
    assert other.prefetch is not None
    assert other.prefetch["delay"].value == 1
    assert shelf.shipped().take("intel-p3700-800", DrivePart) == part
    assert shelf.shipped().having(other).get("intel-p3700-800") == other


@pytest.mark.parametrize(
    ("name", "cores", "cache_gib", "lanes", "levels"),
    [
        ("praid-cm400i", 1, 0, 2, "0,1"),
        ("praid-cp400i", 1, 0, 8, "0,1,1E,5,10,50"),
        ("psas-cp400i", 1, 0, 8, "JBOD,0,1"),
        ("praid-em400i", 2, 1, 2, "0,1,1E,5,6,10,50,60"),
        ("praid-ep400i", 2, 1, 8, "0,1,1E,5,6,10,50,60"),
        ("praid-ep420i", 2, 2, 8, "0,1,1E,5,6,10,50,60"),
    ],
)
def test_controllers_as_published(name: str, cores: int, cache_gib: int, lanes: int, levels: str) -> None:
    """Fujitsu, RAID Controller Performance 2016: presentation of the controllers, limits."""
    part = shelf.shipped().take(name, ControllerPart)
    assert (part.model["cores"].value, part.model["cache"].value, part.lanes.value) == (
        cores,
        cache_gib,
        lanes,
    )
    assert part.levels == tuple(levels.split(","))
    assert part.host_interface == "PCIe 3.0 x8"
    with_cache = cache_gib > 0
    assert part.strip == (262144 if with_cache else 65536)
    assert part.has_cache == part.backup_unit == part.fast_path == with_cache


def test_what_the_firmware_needs_is_no_cache() -> None:
    """storcli on a PRAID EP420i, firmware 24.21.0: 2048 MB on board, "Current Size of FW Cache (MB)" 1715."""
    controller = resolve(load_system("raid-controllers"), shelf.shipped()).controllers[0]
    assert controller.name == "PRAID EP420i"
    assert controller.cache_bytes == 1715 << 20


def test_an_unknown_part() -> None:
    with pytest.raises(CatalogError) as raised:
        shelf.shipped().get("praid-ep42i")
    assert raised.value.problems[0].hint == "did you mean praid-ep420i?"


def test_what_one_disk_has_of_another_is_what_that_has() -> None:
    """A new fit of the one had left the other with the number of before."""
    taken, own = (
        shelf.shipped().take(name, DrivePart) for name in ("hgst-huc156045css204", "sas-12g-hdd-450-15k")
    )
    assert "15000 rpm drive of the P3700 paper" in taken.model["command"].note
    assert taken.model["command"].value == own.model["command"].value
    assert "HUC156045CSS204" in own.model["tags"].note
    assert own.model["tags"].value == taken.model["tags"].value
