"""Formulas beside the simulator at rates: what of two answers is compared, and what the comparison says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from command_line import CommandLine

SHORT = (
    "--on", "p3700", "--area", "1G", "--warmup-ios", "2000", "--floor-ios", "4000", "--cap-ios", "4000",
    "--analytic", "--compare",
)  # fmt: skip
STUDY = """
schema = 1
name = "rates"
title = "Rates"
[[sweep]]
name = "field"
profiles = ["random-read-4k"]
outstanding = [1]
workers = 1
"""


@pytest.fixture
def study(tmp_path: Any) -> str:
    path = tmp_path / "rates.toml"
    path.write_text(STUDY)
    return str(path)


def rows(iodyno_says: CommandLine, study: str, *asked: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(iodyno_says("simulate", study, *SHORT, *asked, "--json").out)
    return found


def quotient(row: dict[str, Any], of: str) -> float:
    value: float = row[f"calculated_{of}"] / row[f"simulated_{of}"] - 1
    return value


def test_a_rate_that_both_serve_is_not_compared_with_itself(iodyno_says: CommandLine, study: str) -> None:
    few, many = rows(iodyno_says, study, "--rate", "1000,10000000")
    assert few["calculated_io_s"] == pytest.approx(few["simulated_io_s"], rel=1e-3)
    assert few["difference_of"] == "latency"
    assert few["difference"] == pytest.approx(quotient(few, "latency_ms_mean"), rel=1e-6)
    # Ten million are more than the drive serves: what both serve instead tells how far they are apart.
    assert many["difference_of"] == "rate"
    assert many["difference"] == pytest.approx(quotient(many, "io_s"), rel=1e-6)


def test_shares_of_two_maxima_are_compared_by_their_latencies(iodyno_says: CommandLine, study: str) -> None:
    found = rows(iodyno_says, study, "--rate", "20%,50%")
    closed, shares = [row for row in found if row["outstanding"] < 512], found[-2:]
    assert {row["difference_of"] for row in closed} == {"rate"}
    assert {row["difference_of"] for row in shares} == {"latency at the share"}
    for row in shares:
        assert row["difference"] == pytest.approx(quotient(row, "latency_ms_mean"), rel=1e-6)


def test_the_table_says_of_what_the_difference_is(iodyno_says: CommandLine, study: str) -> None:
    said = iodyno_says("simulate", study, *SHORT, "--rate", "1000,10000000").out
    (head,) = [line for line in said.splitlines() if "asked" in line.split()[:1]]
    assert "latency differs" in head
    (last,) = [line for line in said.splitlines() if line.lstrip().startswith("10,000,000/s")]
    assert "  rate " in last
    summary = said[said.index("difference: ") :]
    assert "of the mean latency where both have the rate asked for, else of the rate" in summary
    assert "latencies at a rate are" in summary
    assert "latency" not in iodyno_says("simulate", study, *SHORT).out.rpartition("difference: ")[2]


def test_latencies_at_a_rate_are_marked_and_the_rate_is_not(iodyno_says: CommandLine, study: str) -> None:
    """The rate is what was asked; its latency is that of a closed loop, which is not the same."""
    said = iodyno_says("simulate", study, *SHORT[:-1], "--rate", "1000,10000000").out
    (few,) = [line.split() for line in said.splitlines() if line.lstrip().startswith("1,000/s")]
    assert (few[1], few[3][0]) == ("1,000", "~")
    (many,) = [line for line in said.splitlines() if line.lstrip().startswith("10,000,000/s")]
    assert "~" not in many
