"""The width of a link of PCIe or DMI: one that is forgotten is asked for and is not x1."""

from __future__ import annotations

import pytest

from iodyno.catalog.changes import changed
from iodyno.catalog.checks import check
from iodyno.catalog.interfaces import parse_interface, parse_version
from iodyno.catalog.reading import parse_part
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import file_of
from iodyno.catalog.tree import load_system
from iodyno.errors import CatalogError, Problem

TOLD = "says nothing of its width"
LANES = "x1, x2, x4, x8, x12, x16 or x32"


def problems_of(part: str, line: str, written: str) -> list[Problem]:
    """Give what is said of a part with a line written another way."""
    text = file_of(part)
    assert text.count(f"\n{line}\n") == 1
    with pytest.raises(CatalogError) as raised:
        parse_part(text.replace(f"\n{line}\n", f"\n{written}\n"))
    return list(raised.value.problems)


@pytest.mark.parametrize("text", ["PCIe 3.0", "DMI 2.0"])
def test_a_link_is_nothing_without_its_width(text: str) -> None:
    with pytest.raises(CatalogError, match=f"{text}: {TOLD}"):
        parse_interface(text)
    assert str(parse_version(text).wide(4)) == f"{text} x4"


def test_a_slot_of_a_system_is_asked_for_its_width() -> None:
    system = load_system("raid-controllers")
    (problem,) = check(changed(system, {"controller": "praid-cp400i", "backup_unit": False, "mode": "none",
                                        "link": "PCIe 3.0"}), where="it")  # fmt: skip
    assert problem.where == "it: controller[0].link"
    assert problem.what == f'"PCIe 3.0" {TOLD}'
    assert problem.hint == f"write PCIe 3.0 and then its lanes: {LANES}"
    whole = changed(system, {"link": "PCIe 3.0 x8"})
    assert check(whole) == []
    assert resolve(whole).links[0].name.startswith("PCIe 3.0 x8")


@pytest.mark.parametrize(
    ("part", "key", "given", "bare"),
    [
        ("intel-p3700-800", "interface", "PCIe 3.0 x4", "PCIe 3.0"),
        ("praid-ep420i", "host_interface", "PCIe 3.0 x8", "PCIe 3.0"),
        ("c610", "host_interface", "DMI 2.0 x4", "DMI 2.0"),
        ("primequest-2800e3-sb", "link", "PCIe 2.0 x4", "PCIe 2.0"),
    ],
)
def test_a_part_is_asked_for_its_width(part: str, key: str, given: str, bare: str) -> None:
    (problem,) = problems_of(part, f'{key} = "{given}"', f'{key} = "{bare}"')
    assert problem.where.endswith(key)
    assert (problem.what, problem.hint) == (f'"{bare}" {TOLD}', f"write {bare} and then its lanes: {LANES}")


@pytest.mark.parametrize(("part", "key"), [("nvme-1610-4p", "version"), ("xeon-e5-2637-v3", "pcie")])
def test_a_version_stands_without_one(part: str, key: str) -> None:
    """The lanes are numbers of their own there: a width beside them would be another one."""
    (problem,) = problems_of(part, f'{key} = "PCIe 3.0"', f'{key} = "PCIe 3.0 x4"')
    assert problem.what == '"PCIe 3.0 x4" has a width, and here stands a version alone'
    assert problem.hint == "write PCIe 3.0"
