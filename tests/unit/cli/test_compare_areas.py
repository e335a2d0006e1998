"""What two runs did differently: areas and sizes in one base, and of which profiles; and unlike limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import CommandLine

Simulate = Callable[..., str]
FEW = ("--floor-ios", "500", "--cap-ios", "500", "--warmup-ios", "0")
PROFILE = """
[[profile]]
name = "{name}"
title = "{title}"
random_share = 1
read_share = 1
blocks = [{{ bytes = "4k" }}]
area = "{area}"
"""
SWEEP = """
[[sweep]]
name = "field"
profiles = ["small", "large"]
outstanding = [1]
workers = 1
"""
SWEEP_OF = """
[[sweep]]
name = "{0}"
profiles = ["{0}"]
outstanding = [{1}]
workers = 1
"""


@pytest.fixture
def simulate(iodyno_says: CommandLine, tmp_path: Path) -> Simulate:
    """Give a function that simulates two profiles with areas on a system, and gives the run's id."""

    def run(system: str, small: str, large: str, *options: str, sweeps: str = SWEEP) -> str:
        study = tmp_path / "two.toml"
        profiles = PROFILE.format(name="small", title="Small", area=small)
        profiles += PROFILE.format(name="large", title="Large", area=large)
        study.write_text(f'schema = 1\nname = "two"\ntitle = "Two"\n{profiles}{sweeps}')
        said = iodyno_says("simulate", study, "--on", system, *FEW, *options)
        assert said.code == 0, said.err
        (found,) = re.findall(r"run (\S+) finished", said.out)
        return str(found)

    return run


def different(iodyno_says: CommandLine, *runs: str) -> list[str]:
    return [line for line in iodyno_says("compare", *runs).out.splitlines() if line.startswith("different ")]


def test_areas_that_are_all_of_their_drives_differ_in_size_alone(
    simulate: Simulate, iodyno_says: CommandLine
) -> None:
    """Both whole: the sizes say it, 800 GB and eight times 400 GB, base 10."""
    lines = different(iodyno_says, *(simulate(on, "100%", "100%") for on in ("p3700", "raid-controllers")))
    assert [line for line in lines if "area" in line] == []
    assert [line for line in lines if "size" in line] == ["different size: 800 GB and 3.2 TB"]


def test_areas_of_unlike_profiles_are_told_with_their_names(
    simulate: Simulate, iodyno_says: CommandLine
) -> None:
    """As they are asked for, base 2, where no size stands beside them."""
    lines = different(iodyno_says, simulate("p3700", "1G", "100%"), simulate("p3700", "2G", "4G"))
    assert [line for line in lines if "area" in line] == [
        "different area of Small: 1 GB from 0 B and 2 GB from 0 B",
        "different area of Large: all of it and 4 GB from 0 B",
    ]
    lines = different(iodyno_says, simulate("p3700", "1G", "1G"), simulate("p3700", "2G", "2G"))
    assert "different area: 1 GB from 0 B and 2 GB from 0 B" in lines


def test_areas_beside_sizes_are_in_their_base(simulate: Simulate, iodyno_says: CommandLine) -> None:
    """2^30 bytes are 1.07 GB of 10^9; half of 800 GB are 400 GB."""
    lines = different(
        iodyno_says, simulate("p3700", "1G", "50%"), simulate("raid-controllers", "100%", "100%")
    )
    assert [line for line in lines if "area" in line or "size" in line] == [
        "different area of Small: 1.07 GB from 0 B and all of it",
        "different size: 800 GB and 3.2 TB",
        "different area of Large: 400 GB from 0 B and all of it",
    ]


def test_areas_that_are_written_alike_are_told_byte_by_byte(
    simulate: Simulate, iodyno_says: CommandLine
) -> None:
    """8 GiB and one or two blocks of 4096 bytes more."""
    runs = (simulate("p3700", area, "100%") for area in ("8388612k", "8388616k"))
    assert "different area of Small: 8,589,938,688 B from 0 B and 8,589,942,784 B from 0 B" in different(
        iodyno_says, *runs
    )


def test_unlike_limits_of_open_loops_are_the_reason(simulate: Simulate, iodyno_says: CommandLine) -> None:
    """It was: no telling which points belong together, A has 3 and B has 3."""
    rates = ("--rate", "300,450", "--profile", "small")
    few, many = (simulate("p3700", "1G", "1G", *rates, "--outstanding", most) for most in ("32", "512"))
    said = iodyno_says("compare", few, many).err
    way = "has 1 worker on 1 target at 300/s and 450/s"
    assert f"no load in common: {few} {way}, 32 outstanding at most; {many} {way}, 512 outstanding" in said
    assert "give both the same --outstanding" in said


def test_loads_that_profiles_have_the_other_way_round_are_told_by_profile(
    simulate: Simulate, iodyno_says: CommandLine
) -> None:
    """Both runs have 1 and 2 outstanding in all, and no point in common."""
    runs = [
        simulate(
            "p3700", "1G", "1G", sweeps=SWEEP_OF.format("small", first) + SWEEP_OF.format("large", second)
        )
        for first, second in ((1, 2), (2, 1))
    ]
    said = iodyno_says("compare", *runs).err
    for run, (first, second) in zip(runs, (("1", "2"), ("2", "1")), strict=True):
        plural = {"1": "1 outstanding I/O", "2": "2 outstanding I/Os"}
        small, large = (
            f"{name}, 1 worker on 1 target at {plural[count]}"
            for name, count in (("Small", first), ("Large", second))
        )
        assert f"{run} has {small} and {large}" in said
