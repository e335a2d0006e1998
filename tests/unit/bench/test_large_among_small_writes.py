"""Writes nearly as large as the buffer of an SSD, or larger, among many small ones."""

from __future__ import annotations

from pathlib import Path

from command_line import CommandLine

STUDY = """
name = "unlike"
title = "Large and small writes"
[measurement]
seed = 1
[[profile]]
name = "unlike"
random_share = 1
read_share = 0
think_time_us = 200000
think_every = 16
blocks = [{ bytes = "20k", weight = 300 }, { bytes = "12M", weight = 1 }, { bytes = "20M", weight = 1 }]
[[sweep]]
name = "pauses"
profiles = ["unlike"]
outstanding = [1, 2, 4, 8, 16]
[simulation]
warmup_ios = 500
floor_ios = 20000
cap_ios = 40000
"""


def test_a_write_finds_room_after_what_was_forgotten_is_held_again(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """What is held again are whole programs: a part of one stayed over, and with it nothing was to happen."""
    (study := tmp_path / "unlike.toml").write_text(STUDY)
    for system in ("raid-single-drive", "p3700"):
        said = iodyno_says("simulate", study, "--on", system, "--quiet")
        assert (said.code, said.err) == (0, "")
