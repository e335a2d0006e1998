"""A system that was asked for less than others, and had room, is not called slower than they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.report import paper
from iodyno.report.document import Bullets
from iodyno.report.messages import plain
from iodyno.store import Store

STUDY = """
schema = 1
name = "unlike"
title = "Unlike loads"
[[configuration]]
name = "four"
title = "Four drives"
system = "nvme-today"
[[configuration]]
name = "one"
title = "One drive"
system = "p3700"
[[configuration]]
name = "slow"
title = "Slow host"
system = "p3700"
changes = {{ processor = "xeon-e5-2603-v3", settings = "default" }}
[simulation]
warmup_ios = 1000
floor_ios = 4000
cap_ios = 8000
[[sweep]]
name = "low"
profiles = ["random-read-4k"]
workers = 1
outstanding = [{low}]
configurations = ["four"]
[[sweep]]
name = "high"
profiles = ["random-read-4k"]
workers = 1
outstanding = [1, 256]
configurations = ["one", "slow"]
"""
ONE_AND_SLOW = "The highest maximum is that of One drive"
"""225,000 IO/s, 2.5 times those of a core of 1.4 GHz."""


@pytest.mark.parametrize(
    ("low", "said"),
    [
        ("1", ONE_AND_SLOW),  # four at one each: some 80,000, and nothing of it saturated
        ("16", "The highest maximum is that of Four drives"),
        ("4", "The highest maximum is that of Four drives"),  # no more than that, and ahead of all others
    ],
)
def test_who_had_room_and_is_behind_is_not_ranked(
    iodyno_says: CommandLine, tmp_path: Path, low: str, said: str
) -> None:
    study = tmp_path / "unlike.toml"
    study.write_text(STUDY.format(low=low))
    assert iodyno_says("simulate", study).code == 0
    with Store.open() as store:
        made = paper.build(store.load("latest"))
    (told,) = (
        plain(item)
        for block in made.blocks
        if isinstance(block, Bullets)
        for item in block.items
        if "maximum is that of" in plain(item)
    )
    assert said in told
    assert "The lowest is that of Slow host" in told
    assert ("Four drives" in told) == (low != "1")
