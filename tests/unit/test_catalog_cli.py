"""``iodyno catalog`` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.cli.catalog_fit import print_fit
from iodyno.fitting.fit import Fit, Met
from iodyno.fitting.least_squares import Determined, Minimum
from iodyno.fitting.specs import FitSpec

BROKEN = """
name = "broken"

[host]
processor = "xeon-e5-2637-v3"
software = "windows-raw-megaraid"

[[controller]]
part = "praid-cp400i"
mode = "fast-path-optimum"

[[controller.logical]]
drive = "intel-p3700-800"
count = 30
level = 6
"""


def test_list(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "list")
    assert said.code == 0
    assert "praid-ep420i  PRAID EP420i  PCIe 3.0 x8, 8 x SAS 12G, RAID 0, 1, 1E, 5, 6, 10, 50, 60" in said.out
    assert "raid-controllers-24" in said.out


def test_list_of_a_kind(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "list", "hdd", "--json")
    assert {entry["kind"] for entry in json.loads(said.out)} == {"hdd"}


def test_show_a_part_with_its_sources(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "show", "praid-ep420i")
    assert said.code == 0
    assert "fast-path-optimum  no-read-ahead" in said.out
    assert "RAID Controller Performance 2016, version 1.0d" in said.out


def test_show_a_system(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "show", "raid-controllers-24")
    assert "RAID 0 of 24 x Toshiba PX02SMF040 400 GB, PRAID EP420i" in said.out
    assert json.loads(iodyno_says("catalog", "show", "p3700", "--json").out)["volumes"][0]["name"] == "volume"


def test_a_server_takes_drives_through_controllers(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "fits", "primergy-rx2560-m1")
    assert "SAS and SATA drives go through its controllers:" in said.out
    assert "`iodyno catalog fits " in said.out
    assert "go through" not in iodyno_says("catalog", "fits", "PRAID-EP420i").out


def test_fits(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "fits", "PRAID-EP420i")
    assert said.code == 0
    assert "primergy-rx2560-m1       PRIMERGY RX2560 M1             32" in said.out
    there = json.loads(iodyno_says("catalog", "fits", "intel-p3700-800", "--json").out)
    assert {"name": "primergy-rx2540-m1", "drives": 8}.items() <= next(
        entry for entry in there if entry["name"] == "primergy-rx2540-m1"
    ).items()


def test_a_system_that_can_exist(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "check", "primequest-2800e3")
    assert said.code == 0
    assert said.out.endswith("primequest-2800e3 can exist.\n")


def test_a_system_that_cannot(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(BROKEN)
    said = iodyno_says("catalog", "check", file)
    assert said.code == 2
    assert said.out == ""
    assert said.err.count("error:") == 4
    assert "hint: its modes: data-protection, performance" in said.err


def test_names_that_are_not_known(iodyno_says: CommandLine) -> None:
    for asked in (("show", "p3700-80"), ("fits", "praid"), ("check", "raid-controler")):
        said = iodyno_says("catalog", *asked)
        assert said.code == 2
        assert "hint:" in said.err


def test_nothing_of_an_onboard_controller_is_fitted(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "fit", "C220")
    assert said.code == 2
    assert "error: c220: nothing of it is fitted" in said.err


def test_a_fit_is_shown_with_intervals_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    found = (
        Determined("model.read", 61.234, 55.0, 67.5, False),
        Determined("model.delay", 0.1, None, None, True, ("model.read",)),
    )
    minimum = Minimum([61.234, 0.1], [0.01], [[1.0, 0.0]], 12, converged=False)
    print_fit(Fit(FitSpec("made", (), ()), found, (Met("p3700-130", 200.0, 202.0),), minimum))
    printed = capsys.readouterr().out
    assert "model.read   61.23  55 and 67.5" in printed
    assert "not determined by these figures; exchanged for model.read; stopped at the bound" in printed
    assert "p3700-130        200        202  +1.0 %" in printed
    assert "The steps ran out before the search settled." in printed
