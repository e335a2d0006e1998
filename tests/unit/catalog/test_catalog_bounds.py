"""Bounds of the numbers of a part: refused where it is read, with all else, within what Rust holds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog import shelf
from iodyno.catalog.bounds import BOUNDS, bound_of
from iodyno.catalog.building import drive_model
from iodyno.catalog.fields import MODELS, Number
from iodyno.catalog.parts import DrivePart
from iodyno.catalog.quantity import UNITS
from iodyno.catalog.reading import parse_part, parse_toml
from iodyno.errors import CatalogError

SHIPPED = {file.name.removesuffix(".toml"): file.read_text("utf-8") for file in shelf.part_files()}
SYSTEM_RS = Path(__file__).parents[3] / "crates" / "sim" / "src" / "system.rs"
STRUCTS = {"HddModel": "hdd", "SsdModel": "ssd", "Prefetch": "prefetch", "Controller": "controller"}


def having(name: str, key: str, value: str, unit: str = "") -> str:
    """Give a shipped part another value of a number, in a unit of its own where one is given."""
    text = SHIPPED[name]
    old = next(line for line in text.splitlines() if line.startswith(f"{key} = {{ value = "))
    new = f"{key} = {{ value = {value}, {old.split(', ', 1)[1]}"
    return text.replace(old, re.sub('unit = "[^"]*"', f'unit = "{unit}"', new) if unit else new)


def told(text: str) -> dict[str, str]:
    """Give what is wrong with a part, by place."""
    try:
        parse_part(text, "p.toml")
    except CatalogError as error:
        return {problem.where.removeprefix("p.toml: "): problem.what for problem in error.problems}
    return {}


def _narrow() -> list[tuple[str, Number]]:
    """Give the numbers that the simulator holds in 32 bits."""
    found = []
    for struct, kind in STRUCTS.items():
        body = re.search(rf"pub struct {struct} \{{(.*?)\n\}}", SYSTEM_RS.read_text("utf-8"), re.DOTALL)
        assert body
        fields = set(re.findall(r"pub (\w+): u32", body[1]))
        found += [(kind, number) for number in MODELS[kind].values() if number.field in fields]
        assert fields == {number.field for of, number in found if of == kind}
    return found


@pytest.mark.parametrize(("kind", "number"), _narrow(), ids=lambda value: getattr(value, "key", value))
def test_what_has_32_bits_in_the_simulator_is_bound_to_them(kind: str, number: Number) -> None:
    assert bound_of(number.key, number.dimension).most < 1 << 32, kind


def test_there_are_such_numbers() -> None:
    assert len(_narrow()) >= 10
    assert bound_of("mirror_read_from", "count").most < 1 << 32


def test_every_dimension_of_a_model_has_bounds() -> None:
    of = {number.dimension for numbers in MODELS.values() for number in numbers.values()}
    assert of <= BOUNDS.keys()


@pytest.mark.parametrize(
    ("name", "key", "value", "unit", "what"),
    [
        ("samsung-pm9a3-3840", "read_size", "4", "GiB", "4 GiB is more than a GiB"),
        ("samsung-pm9a3-3840", "stripe", "1", "B", "1 B is less than 512 bytes"),
        ("samsung-pm9a3-3840", "read", "1e-9", "us", "1e-09 us is less than a nanosecond"),
        ("samsung-pm9a3-3840", "data_read", "1e-6", "MB/s", "1e-06 MB/s is less than 1 MB/s(10^6)"),
        ("samsung-pm9a3-3840", "data_read", "1e30", "MB/s", "1e+30 MB/s is more than 10^9 MB/s(10^6)"),
        ("samsung-pm9a3-3840", "suspend", "2", "s", "2 s is more than a second"),
        ("seagate-exos-x20-20tb", "rotation", "1e12", "", "1000000000000.0 rpm is more than 100,000 rpm"),
        ("seagate-exos-x20-20tb", "rotation", "1e-9", "", "1e-09 rpm is less than 100 rpm"),
        ("seagate-exos-x20-20tb", "capacity", "1", "B", "1 B is less than a GB"),
        ("seagate-exos-x20-20tb", "heads", "1e99", "", "1e+99 is more than 65,536"),
        ("praid-ep420i", "parity", "1e-9", "", "1e-09 MB/s is less than 1 MB/s(10^6)"),
        ("praid-ep420i", "read_efficiency", "1e-9", "", "1e-09 is less than a tenth"),
        ("linux-nvme", "read", "1e12", "", "1000000000000.0 cycles is more than ten million cycles"),
        ("linux-nvme", "per_kib", "1e6", "", "1000000.0 cycles is more than ten thousand cycles"),
        ("performance", "frequency_share", "1e-9", "", "1e-09 is less than a tenth"),
        ("epyc-9354", "frequency", "1", "MHz", "1 MHz is less than 100 MHz"),
        ("epyc-9354", "cores", "65536", "", "65536 is more than 4,096"),
        ("nvme-1610-4p", "host_lanes", "3", "", "no link of PCIe has 3 lanes"),
    ],
)  # fmt: skip
def test_a_bound_is_named_where_the_part_is_read(
    name: str, key: str, value: str, unit: str, what: str
) -> None:
    assert what in told(having(name, key, value, unit)).values()


def test_a_version_of_a_link_that_is_too_slow_or_too_fast() -> None:
    text = SHIPPED["sata"]
    (rate,) = re.findall(r'transfer = \{ value = 6, unit = "GT/s"', text)
    for value, what in (("1e-9", "1e-09 GT/s is less than 0.1 GT/s"), ("1e9", "is more than 10,000 GT/s")):
        assert any(what in one for one in told(text.replace(rate, rate.replace("6", value))).values())


def test_bounds_are_told_with_all_else() -> None:
    text = having("praid-ep420i", "mirror_read_from", "65537")
    text = text.replace('levels = ["0"', 'levels = ["7", "0"').replace("[model]", "[model]\ncorse = 3")
    text = re.sub(r"(?m)^disk_io = .*$", 'disk_io = { value = 9, unit = "s", kind = "guess" }', text)
    assert told(text).keys() >= {
        "mirror_read_from", "levels[0]", "model.corse", "model.disk_io", "model.disk_io.kind",
    }  # fmt: skip


def test_a_disk_of_more_cylinders_than_can_be_counted() -> None:
    text = having("seagate-exos-x20-20tb", "capacity", "1000", "TB").replace("value = 285", "value = 1")
    text = text.replace("value = 135", "value = 1").replace("heads = { value = 20", "heads = { value = 1")
    text = text.replace("rotation = { value = 7200", "rotation = { value = 100000")
    (what,) = told(text).values()
    assert what == "tracks of some 600 bytes make 1666666666667 cylinders, more than 2147483648"


def test_seek_times_are_compared_whatever_their_units() -> None:
    assert told(having("hgst-huc156045css204", "seek_track", "200", "us")) == {}
    (what,) = told(having("hgst-huc156045css204", "seek_full", "4000", "us")).values()
    assert what == "no seek curve has 0.2 ms to the next track, 2.9 ms on average, 4 ms over all of it"
    assert told(having("hgst-huc156045css204", "seek_full", "0.2", "ms"))


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        ('strips = ["64k",', 'strips = ["1T",', "strips[0]", "1T is no strip"),
        ('strips = ["64k",', 'strips = ["16M",', "strips[0]", "16M is no strip"),
        ('strips = ["64k",', "strips = [1000,", "strips[0]", "1000 is no strip"),
        ('strip = "256k"', 'strip = "2M"', "strip", "2M is not one of strips"),
        ("interval = [2982, 3225]", "interval = [3225, 2982]", "model.parity.interval",
         "3225 to 2982 does not hold 3101"),
        ("interval = [2982, 3225]", "interval = [1, 2]", "model.parity.interval",
         "1 to 2 does not hold 3101"),
        ('kind = "published", source = "raid", note = "of 1.2 GHz"',
         'kind = "published", source = "raid", interval = [1, 2]', "model.cores.interval",
         "a number that is published has none"),
    ],
)  # fmt: skip
def test_what_goes_together(old: str, new: str, place: str, what: str) -> None:
    text = SHIPPED["praid-ep420i"]
    assert old in text
    assert told(text.replace(old, new, 1)) == {place: what}


def test_a_read_size_of_0_is_one_that_is_left_out() -> None:
    """A part, says the reference of 0; what is between is below a part."""
    name = "samsung-pm9a3-3840"
    without = re.sub("^read_size = .*\n", "", SHIPPED[name], flags=re.MULTILINE)
    made = [parse_part(text) for text in (having(name, "read_size", "0"), without)]
    models = [drive_model(part, "on", 1.0) for part in made if isinstance(part, DrivePart)]
    assert models[0] == models[1]
    assert told(having(name, "read_size", "2")) == {"model.read_size": "2 KiB is below stripe, 4 KiB"}


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_number_of_very_many_digits_is_no_traceback(digits: int) -> None:
    with pytest.raises(CatalogError, match="digits"):
        parse_part(having("samsung-pm9a3-3840", "dies", "9" * digits), "p.toml")


def test_toml_that_lies_too_deep_is_no_traceback() -> None:
    with pytest.raises(CatalogError, match="lie too deep"):
        parse_toml(f"a = {'[' * 20_000}", "p.toml")


def test_every_unit_of_a_dimension_is_of_it(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """The same number in another unit is the same part."""
    file = tmp_path / "p.toml"
    shown = []
    for value, unit in ((59, "us"), (59_000, "ns"), (0.059, "ms")):
        assert UNITS[unit][0] == "time"
        file.write_text(having("samsung-pm9a3-3840", "read", str(value), unit))
        part: Any = parse_part(file.read_text("utf-8"))
        shown.append(part.model["read"].whole)
        assert iodyno_says("catalog", "show", file).code == 0
    assert set(shown) == {59_000_000}
