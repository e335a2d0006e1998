"""Links: the rule against every figure that the papers print for it."""

from __future__ import annotations

import csv
import json
import re
from importlib import resources
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.catalog.interfaces import negotiated, parse_interface
from iodyno.catalog.links import practical, theoretical
from iodyno.catalog.parts import ControllerPart, LinkPart, ServerPart
from iodyno.catalog.shelf import shipped
from iodyno.errors import CatalogError
from iodyno.units import MIB

FOLDER = resources.files("iodyno").joinpath("catalog").joinpath("published")
ROWS = list(csv.DictReader(FOLDER.joinpath("figures.csv").read_text("utf-8").splitlines()))


def _mb_s(text: str, rule: str = "practical") -> float:
    interface = parse_interface(text)
    return float((practical if rule == "practical" else theoretical)(interface, shipped()) / MIB)


def _wide_mb_s(family: str, lanes: int) -> float:
    return float(practical(parse_interface(family).wide(lanes), shipped()) / MIB)


def _sas_rows() -> list[tuple[str, str, int, str, float]]:
    found = []
    for row in ROWS:
        if row["section"] == "SAS and SATA" and row["metric"] in (
            "theoretical_throughput",
            "practical_throughput_90pct",
        ):
            lanes = {"1 lane": 1, "1 x x4": 4, "2 x x4": 8}[row["configuration"]]
            found.append((row["id"], row["system"], lanes, row["metric"].split("_")[0], float(row["value"])))
    return found


@pytest.mark.parametrize(("figure", "system", "lanes", "rule", "printed"), _sas_rows())
def test_sas_and_sata(figure: str, system: str, lanes: int, rule: str, printed: float) -> None:
    for name in system.split(" / "):
        interface = parse_interface(name).wide(lanes)
        rate = (practical if rule == "practical" else theoretical)(interface, shipped())
        assert float(rate / MIB) == pytest.approx(printed, abs=1), figure


def _pcie_rows() -> list[tuple[str, str, str, float]]:
    found = []
    for row in ROWS:
        if row["section"] == "PCIe and DMI" and row["metric"].split("_")[0] in ("theoretical", "practical"):
            version = re.search(r"(PCIe|DMI)[. ](\d\.\d)", row["system"])
            assert version
            text = f"{version[1]} {version[2]} {row['configuration']}"
            found.append((row["id"], text, row["metric"].split("_")[0], float(row["value"])))
    return found


@pytest.mark.parametrize(("figure", "interface", "rule", "printed"), _pcie_rows())
def test_pcie_and_dmi(figure: str, interface: str, rule: str, printed: float) -> None:
    assert _mb_s(interface, rule) == pytest.approx(printed, abs=1), figure


@pytest.mark.parametrize("shown", ["terminal", "page", "json"])
def test_the_rates_that_papers_print_can_be_looked_up(iodyno_says: CommandLine, shown: str) -> None:
    """Only transfers and coding were told, in no command and on no page what a link carries."""
    of = {"terminal": _in_terminal, "page": _on_page, "json": _in_json}[shown]
    tables = {family: of(family, iodyno_says) for family in ("PCIe", "DMI", "SAS", "SATA")}
    printed = [(name, lanes, rule, value) for _, system, lanes, rule, value in _sas_rows()
               for name in system.split(" / ")]  # fmt: skip
    for _, text, rule, value in _pcie_rows():
        found = parse_interface(text)
        printed.append((f"{found.family} {found.version}", found.lanes, rule, value))
    seen = 0
    for name, lanes, rule, value in printed:
        family, version = name.split()
        if family == "SATA" and lanes > 1:
            continue  # several links, and no wide port
        assert tables[family][version, lanes, rule] == pytest.approx(value, abs=1), (name, lanes, rule)
        seen += 1
    assert seen > 20


Rates = dict[tuple[str, int, str], float]


def _in_json(family: str, iodyno_says: CommandLine) -> Rates:
    found = json.loads(iodyno_says("catalog", "show", family.lower(), "--json").out)["rates"]
    return {
        (one["version"], one["lanes"], rule): one[f"{rule}_bytes_s"] / MIB
        for one in found
        for rule in ("theoretical", "practical")
    }


def _in_terminal(family: str, iodyno_says: CommandLine) -> Rates:
    made: Rates = {}
    rule, versions = "", list[str]()
    for line in iodyno_says("catalog", "show", family.lower()).out.splitlines():
        if match := re.match(r"(Theoretical|Practical) rate.* in MB/s", line):
            rule = match[1].lower()
        elif rule and line.lstrip().startswith("lanes"):
            versions = line.split()[1:]
        elif rule and (match := re.match(r"\s*x(\d+) ", line)):
            cells = line.split()[1:]
            for version, cell in zip(versions, cells, strict=True):
                made[version, int(match[1]), rule] = float(cell.replace(",", ""))
        elif not line.strip():
            rule = ""
    return made


def _on_page(family: str, iodyno_says: CommandLine) -> Rates:
    title = shipped().take(family.lower(), LinkPart).title
    page = (Path(__file__).parents[3] / "docs/reference/catalog.md").read_text("utf-8")
    head, _, *rows = page.split(f"### {title}\n")[1].strip().split("\n\n")[0].splitlines()
    columns = [name.split() for name in head.strip("| ").split(" | ")[1:]]
    made: Rates = {}
    for row in rows:
        lanes, *cells = row.strip("| ").split(" | ")
        for (version, rule), cell in zip(columns, cells, strict=True):
            made[version, int(lanes), rule] = float(cell.replace(",", ""))
    return made


def test_there_are_many_figures_of_links() -> None:
    assert (len(_sas_rows()), len(_pcie_rows())) == (18, 13)


def _controller(name: str) -> ControllerPart:
    return shipped().take(name.lower().replace(" ", "-"), ControllerPart)


def _application_rows(metric: str) -> list[tuple[str, str, float]]:
    return [
        (row["id"], row["system"], float(row["value"]))
        for row in ROWS
        if row["section"] == "Application to the RAID controllers" and row["metric"] == metric
    ]


def _host_side(name: str) -> float:
    return _mb_s(_controller(name.split(" x ")[-1]).host_interface)


def _disk_side(name: str, version: str = "") -> float:
    instances = int(name.split(" x ")[0]) if " x " in name else 1
    part = _controller(name.split(" x ")[-1])
    lanes = 4 if part.kind == "onboard" else int(part.lanes.value)
    return _wide_mb_s(version or part.drive_interface, lanes) * instances


@pytest.mark.parametrize(("figure", "name", "printed"), _application_rows("cpu_side_interface_limit"))
def test_host_side_of_the_controllers(figure: str, name: str, printed: float) -> None:
    if figure in [row["id"] for row in ROWS if row["system"] == "C236" and row["value"] == "3433"]:
        assert _host_side(name) == pytest.approx(3380, abs=1)
        return
    assert _host_side(name) == pytest.approx(printed, abs=1), figure


@pytest.mark.parametrize(("figure", "name", "printed"), _application_rows("disk_interface_limit"))
def test_disk_side_of_the_controllers(figure: str, name: str, printed: float) -> None:
    assert _disk_side(name) == pytest.approx(printed, abs=1), figure


@pytest.mark.parametrize(("figure", "name", "printed"), _application_rows("disk_interface_limit_6G"))
def test_disk_side_with_drives_of_6g(figure: str, name: str, printed: float) -> None:
    assert _disk_side(name, "SAS 6G") == pytest.approx(printed, abs=1), figure


@pytest.mark.parametrize(("figure", "name", "printed"), _application_rows("effective_limit"))
def test_the_smaller_side_limits(figure: str, name: str, printed: float) -> None:
    assert min(_host_side(name), _disk_side(name)) == pytest.approx(printed, abs=1), figure


@pytest.mark.parametrize(
    ("server", "host_side", "disk_side"),
    [
        ("primequest-2800e3-sb", 1716, 4120),
        ("primequest-2800e3-du-1c", 1716, 4120),
        ("primequest-2800e3-du-2c", 1716, 2060),
    ],
)
def test_limits_of_primequest(server: str, host_side: float, disk_side: float) -> None:
    """Fujitsu, Performance Report PRIMEQUEST 2800E3: system-specific interfaces."""
    taken = shipped().take(server, ServerPart).takes["praid-ep420i"]
    link = negotiated(parse_interface("PCIe 3.0 x8"), parse_interface(taken.link))
    assert taken.lanes is not None
    assert _mb_s(str(link)) == pytest.approx(host_side, abs=1)
    assert _wide_mb_s("SAS 12G", int(taken.lanes.value)) == pytest.approx(disk_side, abs=1)


def test_pcie_4_and_5_double() -> None:
    assert _mb_s("PCIe 5.0 x4") == 2 * _mb_s("PCIe 4.0 x4") == 4 * _mb_s("PCIe 3.0 x4")


@pytest.mark.parametrize(
    ("port", "drive", "link"),
    [
        ("SAS 12G", "SATA 6G", "SATA 6G"), ("SAS 12G", "SAS 6G", "SAS 6G"), ("SATA 3G", "SATA 6G", "SATA 3G"),
        ("PCIe 5.0 x16", "PCIe 4.0 x4", "PCIe 4.0 x4"), ("PCIe 2.0 x4", "PCIe 3.0 x8", "PCIe 2.0 x4"),
    ],
)  # fmt: skip
def test_the_highest_that_both_have(port: str, drive: str, link: str) -> None:
    assert str(negotiated(parse_interface(port), parse_interface(drive))) == link


@pytest.mark.parametrize(
    ("port", "drive"), [("SATA 6G", "SAS 12G"), ("PCIe 3.0 x4", "SATA 6G"), ("SAS 12G", "PCIe 3.0 x4")]
)
def test_what_does_not_fit(port: str, drive: str) -> None:
    with pytest.raises(CatalogError, match=f"does not fit {port}"):
        negotiated(parse_interface(port), parse_interface(drive))


@pytest.mark.parametrize("text", ["SAS", "PCIe x4", "SATA 6", "USB 3.0", ""])
def test_no_interface(text: str) -> None:
    with pytest.raises(CatalogError, match="is no interface"):
        parse_interface(text)


def test_a_version_that_is_not_known() -> None:
    with pytest.raises(CatalogError, match=r"PCIe 6\.0 x4: has a version that PCIe does not have"):
        practical(parse_interface("PCIe 6.0 x4"), shipped())


def test_only_sata_uses_one_direction_at_a_time() -> None:
    assert {part.name for part in shipped().of(LinkPart) if not part.full_duplex} == {"sata"}


def test_the_unit_of_the_rates_stands_with_the_rate(iodyno_says: CommandLine) -> None:
    """It stood behind a comma: `Practical rate, as simulated in MB/s`."""
    heads = [line for line in iodyno_says("catalog", "show", "pcie").out.splitlines() if " rate in " in line]
    assert heads == [
        "Theoretical rate in MB/s, in each direction",
        "Practical rate in MB/s as simulated, in each direction",
    ]
