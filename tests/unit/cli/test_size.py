"""``iodyno size``: what it takes, what it says, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from own_parts import SSD, SYSTEM, named

LOAD = ("--profile", "database", "--rate", "3000", "--p99", "50ms")
DISKS = ("--drive", "hgst-huc156045css204", "--level", "10")
DEGRADED = """
name = "degraded"
[host]
processor = "xeon-e5-2660-v3"
software = "windows-raw-megaraid"
[[controller]]
part = "praid-ep420i"
expander = "sas-expander-12g"
[[controller.logical]]
drive = "hgst-huc156045css204"
count = 8
level = "5"
failed = [0]
"""
STUDY = """
name = "mine"
title = "Mine"
[[profile]]
name = "mine"
title = "Mine"
read_share = 0.67
random_share = 1.0
blocks = [{ bytes = 8192 }]
alignment_bytes = 8192
area = { start = 0, length = "500G" }
[[sweep]]
name = "mine"
title = "Mine"
profiles = ["mine"]
"""
JOB = """
[mine]
rw=randrw
rwmixread=67
bs=8k
size=500g
"""


def sizes(says: CommandLine, *arguments: object) -> list[dict[str, Any]]:
    said = says("size", *arguments, "--json")
    assert said.code == 0, said.err
    found: list[dict[str, Any]] = json.loads(said.out)
    return found


def test_both_ends_of_an_answer_are_told(iodyno_says: CommandLine) -> None:
    (found,) = sizes(iodyno_says, "raid-controllers-24", *LOAD, *DISKS)
    fewest, breaks = found["fewest"], found["breaks"]
    assert (found["level"], found["drive"]) == ("10", "hgst-huc156045css204")
    assert (found["rate_io_s"], found["percentile"], found["limit_ms"]) == (3000, 0.99, 50)
    assert fewest["count"] == breaks["count"] + 2, "RAID 10 takes even numbers"
    assert fewest["response_time_ms"] <= 50 < breaks["response_time_ms"]
    assert fewest["served"] is True
    assert fewest["transaction_rate_io_s"] == pytest.approx(3000, rel=0.01)
    assert 0.5 < fewest["busiest"]["utilisation"] < breaks["busiest"]["utilisation"] <= 1
    assert fewest["capacity_bytes"] == pytest.approx(fewest["count"] / 2 * 450e9, rel=1e-3)


def test_the_same_seed_says_the_same_and_another_one_something_else(iodyno_says: CommandLine) -> None:
    asked = ("size", "p3700", "--profile", "database", "--rate", "150000", "--p99", "1ms", "--json")
    assert iodyno_says(*asked).out == iodyno_says(*asked).out
    assert iodyno_says(*asked).out != iodyno_says(*asked, "--seed", "2").out


def test_arrivals_at_fixed_distances_wait_less_than_those_by_chance(iodyno_says: CommandLine) -> None:
    """A link that all go through is busy for most of the time: what comes in clusters waits for it."""
    asked = ("raid-controllers", "--profile", "streaming", "--rate", "60000", "--p99", "5ms")
    fixed, chance = (sizes(iodyno_says, *asked, "--arrival", of)[0]["fewest"] for of in ("fixed", "poisson"))
    assert fixed["count"] == chance["count"]
    assert fixed["response_time_ms"] < 0.9 * chance["response_time_ms"]


def test_a_limit_that_is_looser_wants_no_more_drives(iodyno_says: CommandLine) -> None:
    tight, loose = (
        sizes(iodyno_says, "raid-controllers-24", *LOAD[:4], "--p99", limit, *DISKS)[0]["fewest"]
        for limit in ("40ms", "200ms")
    )
    assert loose["count"] < tight["count"]


def test_every_drive_is_sized_with_every_level_in_their_order(iodyno_says: CommandLine) -> None:
    both = ("--level", "raid5", "--level", "10", "--level", "5")
    of = ("--drive", "toshiba-px02smf040", "--drive", "hgst-huc156045css204")
    load = ("--profile", "streaming", "--rate", "100", "--p50", "1s")
    found = sizes(iodyno_says, "raid-controllers-24", *load, *of, *both)
    assert [(one["drive"], one["level"]) for one in found] == [
        ("toshiba-px02smf040", "5"), ("toshiba-px02smf040", "10"),
        ("hgst-huc156045css204", "5"), ("hgst-huc156045css204", "10"),
    ]  # fmt: skip


def test_what_is_too_small_is_told_by_what_it_holds(iodyno_says: CommandLine) -> None:
    asked = (
        "raid-controllers-24",
        "--profile",
        "database",
        "--rate",
        "100",
        "--p99",
        "1s",
        "--capacity",
        "2 TB",
    )
    (found,) = sizes(iodyno_says, *asked, "--level", "6")
    assert (found["fewest"]["count"], found["too_small"]["count"], found["breaks"]) == (7, 6, None)
    said = iodyno_says("size", *asked, "--level", "6").out
    assert "6: 1.6 TB" in said


def test_where_all_drives_are_too_few_it_says_so_and_why_there_are_no_more(iodyno_says: CommandLine) -> None:
    said = iodyno_says("size", "p3700", "--profile", "database", "--rate", "5000000", "--p99", "1ms")
    assert said.code == 0
    assert "more than 20 × Intel SSD DC P3700 800 GB" in said.out
    assert "overload" in said.out
    assert "and no more: the parts use 84 lanes of PCIe, the processors have 80" in said.out
    (found,) = sizes(iodyno_says, "p3700", "--profile", "database", "--rate", "5000000", "--p99", "1ms")
    assert found["fewest"] is None
    assert found["breaks"]["served"] is False


def test_the_fewest_that_can_be_have_nothing_below_them(iodyno_says: CommandLine) -> None:
    asked = ("raid-controllers", "--profile", "database", "--rate", "10", "--p50", "1s", "--level", "5")
    said = iodyno_says("size", *asked)
    assert "RAID 5, 3 ×" in said.out
    assert "cannot be" in said.out


def test_arrays_that_have_lost_a_drive_are_sized_as_they_are(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "degraded.toml"
    file.write_text(DEGRADED)
    whole = tmp_path / "whole.toml"
    whole.write_text(DEGRADED.replace("failed = [0]\n", ""))
    said = iodyno_says("size", file, whole, "--profile", "database", "--rate", "1000", "--p99", "40ms").out
    lost, found = (
        next(line for line in said.splitlines() if line.startswith(of)) for of in ("degraded: ", "whole: ")
    )
    assert ("1 failed" in lost, "failed" in found) == (True, False)
    of_lost, of_whole = (int(line.split("RAID 5, ")[1].split()[0]) for line in (lost, found))
    assert of_lost > of_whole


def test_percentiles_have_the_ios_that_they_need(iodyno_says: CommandLine) -> None:
    """A hundred beyond the 99.99th are 100,000 I/Os at the least; without them nothing is decided."""
    asked = ("raid-controllers", "--profile", "database", "--rate", "50000", "--p99.99", "20ms")
    (found,) = sizes(iodyno_says, *asked, "--arrival", "fixed")
    assert found["fewest"]["sound"] is True
    assert found["fewest"]["half_width"] is None


def test_an_answer_that_is_too_near_to_the_limit_is_told(iodyno_says: CommandLine) -> None:
    (found,) = sizes(iodyno_says, "raid-controllers-24", *LOAD, *DISKS)
    at = found["fewest"]["response_time_ms"]
    asked = ("size", "raid-controllers-24", *DISKS, *LOAD[:-1])
    assert "too near to the limit" in iodyno_says(*asked, f"{at * 1.0001:.6f}ms").out
    assert "too near to the limit" not in iodyno_says(*asked, f"{at * 2:.6f}ms").out


def test_own_parts_are_not_told_to_be_as_close_as_those_of_their_name(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    monkeypatch.setenv("IODYNO_PARTS", str(folder))
    (folder / "mine.toml").write_text(named(SSD, "mine"))
    system = tmp_path / "system.toml"
    system.write_text(SYSTEM.format(drive="mine"))
    said = iodyno_says("size", system, "--profile", "database", "--rate", "100", "--p99", "1s")
    assert said.code == 0, said.err
    assert "how close: not known" in said.out


def test_everything_that_is_missing_is_told_at_once(iodyno_says: CommandLine) -> None:
    said = iodyno_says("size")
    assert said.code == 2
    assert said.out == ""
    for what in ("no system is named", "one load profile is served, and none is given", "--rate: is missing",
                 "sizing needs the limit of one percentile"):  # fmt: skip
        assert what in said.err


def test_everything_that_is_wrong_is_told_at_once(iodyno_says: CommandLine) -> None:
    drives = ("--drive", "samsung-pm9a3-3840", "--drive", "no-such")
    load = ("--profile", "foo", "--rate", "5", "--p50", "1s", "--p99", "2s")
    said = iodyno_says("size", "nix", "raid-controllers", *drives, *load)
    assert said.code == 2
    for what in ('there is no profile "foo"', "and 2 are given: --p50, --p99", "nix: there is no system",
                 "takes SAS 12G", 'there is no part "no-such"'):  # fmt: skip
        assert what in said.err


@pytest.mark.parametrize(
    ("option", "value", "what"),
    [
        ("--capacity", "2T", "base 10 as those of drives are"),
        ("--capacity", "0TB", "no capacity that something can have"),
        ("--rate", "0", "is no number of IO/s"),
        ("--rate", "20%", "is no number of IO/s"),
        ("--outstanding", "5000", "is outside 1 to 4096"),
        ("--workers", "0", "is outside 1 to 1024"),
        ("--workers", "1,2", "has 2 values, and one is taken"),
        ("--block-size", "4k,8k", "has 2 values, and one is taken"),
        ("--read-share", "170%", "outside 0 to 100%"),
        ("--p99", "2", "has no unit"),
    ],
)
def test_values_that_cannot_be_are_told_with_what_can(
    iodyno_says: CommandLine, option: str, value: str, what: str
) -> None:
    said = iodyno_says("size", "nix", option, value)
    assert said.code == 2
    assert what in said.err
    assert "nix: there is no system" in said.err, "what is named is told beside"


def test_a_load_is_changed_as_its_options_say(iodyno_says: CommandLine) -> None:
    """Every write costs RAID 5 four operations, so fewer drives are wanted where all is read."""
    asked = ("raid-controllers-24", *DISKS[:2], "--level", "5", "--profile", "database", "--rate", "1000")
    limit = ("--p99", "50ms")
    changed = ("--block-size", "16k", "--read-share", "100%", "--random-share", "90%")
    said = iodyno_says("size", *asked, *limit, *changed)
    assert said.code == 0, said.err
    assert "Fewest drives for Database (block 16 kB, read 100%, random 90%), 1,000 IO/s" in said.out
    reads, mixed = (
        sizes(iodyno_says, *asked, *limit, *more)[0]["fewest"]["count"]
        for more in (("--read-share", "1"), ())
    )
    assert reads < mixed


def test_an_area_that_cannot_be_is_told_as_the_option(iodyno_says: CommandLine) -> None:
    said = iodyno_says("size", "raid-controllers", *LOAD, "--area", "25%@90%")
    assert said.code == 2
    assert "error: --area: " in said.err
    larger = iodyno_says("size", "raid-controllers", *LOAD, "--area", "1T").out
    assert "RAID 0, 3 × Toshiba PX02SMF040 400 GB" in larger, "two hold less than a TiB"


def test_an_area_makes_the_ways_of_the_arms_shorter(iodyno_says: CommandLine) -> None:
    all_of_it, part = (
        sizes(iodyno_says, "raid-controllers-24", *LOAD, *DISKS, *area)[0]["fewest"]["count"]
        for area in ((), ("--area", "10%"))
    )
    assert part < all_of_it


def test_a_profile_of_a_study_is_sized_as_a_standard_one_with_the_same_accesses(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    study, job = tmp_path / "mine.toml", tmp_path / "mine.fio"
    study.write_text(STUDY)
    job.write_text(JOB)
    asked = ("raid-controllers-24", *DISKS, "--rate", "2000", "--p99", "60ms")
    own, of_fio, standard = (
        sizes(iodyno_says, *asked, *load)[0]["fewest"]
        for load in (
            ("--study", study, "--profile", "mine"),
            ("--study", job, "--profile", "mine"),
            ("--profile", "database", "--area", "500G"),
        )
    )
    assert own["count"] == of_fio["count"] == standard["count"]
    assert own["response_time_ms"] == pytest.approx(standard["response_time_ms"], rel=0.1)
    assert of_fio["response_time_ms"] == own["response_time_ms"]


def test_an_area_of_an_own_profile_is_held(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(STUDY.replace("500G", "1500G"))
    asked = (
        "raid-controllers-24",
        *DISKS,
        "--study",
        study,
        "--profile",
        "mine",
        "--rate",
        "10",
        "--p99",
        "1s",
    )
    (found,) = sizes(iodyno_says, *asked)
    assert (found["fewest"]["count"], found["too_small"]["count"]) == (8, 6), "four pairs hold 1.8 TB"
    (less,) = sizes(iodyno_says, *asked, "--area", "300G")
    assert less["fewest"]["count"] < 8


def test_what_is_wrong_with_own_profiles_is_told_with_all_else(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(STUDY)
    few = ("--rate", "1", "--p99", "1s")
    said = iodyno_says("size", "nix", *few, "--study", study, "--profile", "mime")
    assert said.code == 2
    for what in ('there is no profile "mime"', "did you mean mine?", "nix: there is no system"):
        assert what in said.err
    assert f"{study} has mine" in iodyno_says("size", "p3700", *few, "--study", study).err
    for other, what in (("quick", "quick has no load profile of its own"), ("no.toml", "no such file"),
                        ("no.fio", "no such job file of fio")):  # fmt: skip
        said = iodyno_says("size", "nix", *few, "--study", other, "--profile", "mine")
        assert said.code == 2
        assert what in said.err
        assert "nix: there is no system" in said.err
        assert "there is no profile" not in said.err
