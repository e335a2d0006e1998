"""``iodyno catalog loss``: what it takes, what it says, and what it refuses."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog.parts import DrivePart
from iodyno.catalog.shelf import shipped
from own_parts import SSD, SYSTEM, named

OF_FOUR = ("catalog", "loss", "nvme-today", "--rebuild", "200")


def losses(says: CommandLine, *arguments: object) -> list[dict[str, Any]]:
    said = says("catalog", "loss", *arguments, "--json")
    assert said.code == 0, said.err
    found: list[dict[str, Any]] = json.loads(said.out)
    return found


def test_a_drive_alone_is_lost_as_often_as_it_fails(iodyno_says: CommandLine) -> None:
    """P3700: 2 million hours between failures, of the product specification."""
    (found,) = losses(iodyno_says, "p3700", "--years", "3")
    assert (found["level"], found["drives"], found["rebuild_s"]) == ("JBOD", 1, None)
    assert (found["mtbf_h"], found["unreadable_bits"]) == (2e6, 1e17)
    expected = -math.expm1(-3 * 365.25 * 24 / 2e6)
    assert found["loss"]["probability"] == pytest.approx(expected, abs=1.6 * found["loss"]["half_width"])


def test_own_records_stand_for_what_the_part_says(iodyno_says: CommandLine) -> None:
    (found,) = losses(iodyno_says, "p3700", "--years", "1", "--annual-failures", "2%")
    assert found["loss"]["probability"] == pytest.approx(0.02, abs=1.6 * found["loss"]["half_width"])
    said = iodyno_says("catalog", "loss", "p3700", "--annual-failures", "2%").out
    assert "2% fail in a year, " in said
    assert "MTBF" not in said


def test_levels_are_compared_in_the_order_that_they_are_asked_in(iodyno_says: CommandLine) -> None:
    found = losses(iodyno_says, *OF_FOUR[2:], "--level", "raid5", "--level", "10", "--level", "5")
    assert [one["level"] for one in found] == ["5", "10"]
    size = shipped().take(found[0]["drive"], DrivePart).model["capacity"].whole
    assert {one["rebuild_s"] for one in found} == {size / (200 << 20)}
    five, ten = (one["loss"]["probability"] for one in found)
    assert five > 2 * ten


def test_equal_arrays_are_told_once(iodyno_says: CommandLine) -> None:
    found = losses(iodyno_says, "primequest-2800e3-full")
    assert [(one["drives"], one["equal"]) for one in found] == [(4, 4), (2, 4)]
    assert "each of 4" in iodyno_says("catalog", "loss", "primequest-2800e3-full").out


def test_every_level_that_cannot_be_is_told_at_once(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "loss", "nvme-today", "--level", "1E", "--level", "50", "--level", "5")
    assert said.code == 2
    assert said.err.count("error:") >= 3
    assert "how fast the host rebuilds its RAID is not modelled" in said.err
    assert "--rebuild" in said.err
    assert said.out == ""


def test_what_a_part_does_not_say_is_told_at_once(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    monkeypatch.setenv("IODYNO_PARTS", str(folder))
    text = "\n".join(
        line for line in named(SSD, "mine").splitlines() if not line.startswith(("mtbf", "unreadable"))
    )
    (folder / "mine.toml").write_text(text)
    system = tmp_path / "system.toml"
    system.write_text(SYSTEM.format(drive="mine"))
    said = iodyno_says("catalog", "loss", system)
    assert said.code == 2
    assert "mine: facts.mtbf: is missing" in said.err
    assert "mine: facts.unreadable: is missing" in said.err
    assert "facts.mtbf" not in iodyno_says("catalog", "loss", system, "--annual-failures", "1%").err
    wrong = '[facts]\nmtbf = { value = 5, unit = "GB", kind = "assumed", note = "n" }\n'
    wrong += 'unreadable = { value = 0, unit = "Pbit", kind = "assumed", note = "n" }\n'
    (folder / "mine.toml").write_text(text.replace("[facts]\n", wrong))
    said = iodyno_says("catalog", "loss", system)
    assert "mine: facts.mtbf: is no number of h above 0" in said.err
    assert "mine: facts.unreadable: is no number of Pbit above 0" in said.err


def test_arrays_that_have_failed_already_are_refused(iodyno_says: CommandLine, tmp_path: Path) -> None:
    system = tmp_path / "system.toml"
    system.write_text(SYSTEM.format(drive="intel-p3700-800") + 'count = 4\nlevel = "5"\nfailed = [1]\n')
    said = iodyno_says("catalog", "loss", system, "--rebuild", "100")
    assert (said.code, "error: volume: has failed members" in said.err) == (2, True), said.err


@pytest.mark.parametrize(
    ("option", "value", "wrong"),
    [
        ("--years", "0", "no number of years from 0.01 to 100"),
        ("--level", "7", "no RAID level"),
        ("--rebuild", "0", "no number of MB/s"),
        ("--annual-failures", "100%", "not above 0 and below 100%"),
        ("--replace", "-1h", "no duration"),
        ("--seed", "x", "no whole number"),
    ],
)
def test_values_that_cannot_be(iodyno_says: CommandLine, option: str, value: str, wrong: str) -> None:
    said = iodyno_says("catalog", "loss", "p3700", option, value)
    assert (said.code, wrong in said.err) == (2, True), said.err


@pytest.mark.parametrize("name", [part.name for part in shipped().of(DrivePart)])
def test_every_drive_says_how_often_it_fails(name: str) -> None:
    facts = shipped().take(name, DrivePart).facts
    assert (facts["mtbf"].dimension, facts["unreadable"].dimension) == ("time", "bits")
