"""What a shell is offered for options whose values are known: those of the study that is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from fio_documents import job_file
from iodyno.cli.commands import iodyno

STUDY = """
schema = 1
name = "mine"
title = "Mine"
[[configuration]]
name = "raid{level}-disks"
system = "p3700"
changes = { count = 4, level = "{level}" }
each.level = ["0", "10"]
[[profile]]
name = "my-reads"
random_share = 1
read_share = 1
blocks = "4k"
[[sweep]]
name = "first"
profiles = ["my-reads"]
outstanding = 1
[[sweep]]
name = "far"
profiles = ["database"]
outstanding = 1
"""


def offered(*words: str) -> list[str]:
    """Give what a shell is offered for the last word."""
    *before, begun = words
    shell = BashComplete(iodyno, {}, "iodyno", "_IODYNO_COMPLETE")
    return [item.value for item in shell.get_completions(before, begun)]


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """Write a study of one's own and give its path."""
    (tmp_path / "mine.toml").write_text(STUDY)
    return str(tmp_path / "mine.toml")


@pytest.mark.parametrize("command", [("report",), ("measure", "."), ("simulate",), ("search",)])
def test_languages_are_offered(command: tuple[str, ...]) -> None:
    assert offered(*command, "--language", "") == ["en", "de", "ja", "all"]
    assert offered(*command, "--language", "d") == ["de"]


def test_sweeps_are_those_of_the_study(mine: str) -> None:
    assert offered("simulate", mine, "--sweep", "f") == ["first", "far"]
    assert offered("measure", ".", "--study", mine, "--sweep", "fi") == ["first"]
    assert offered("measure", ".", "--quick", "--sweep", "") == ["field"]
    assert "whole-range-processes" in offered("simulate", "p3700", "--sweep", "who")


def test_configurations_are_those_of_the_study_each_written_out(mine: str) -> None:
    assert offered("simulate", mine, "--only", "r") == ["raid0-disks", "raid10-disks"]
    assert "single-800g-sff" in offered("simulate", "p3700", "--only", "single-800g-s")
    assert offered("simulate", "quick", "--only", "") == []


def test_profiles_are_those_of_the_study_and_the_standard_ones(mine: str) -> None:
    assert offered("simulate", mine, "--profile", "my") == ["my-reads"]
    assert offered("simulate", mine, "--profile", "datab") == ["database"]
    assert offered("simulate", "--profile", "my") == []


def test_jobs_are_those_of_the_job_file(tmp_path: Path) -> None:
    """Their options do not matter, nor do the standard profiles: a job file has none of them."""
    job = str(job_file(tmp_path, "[global]\nrw=read\n[first]\nratemin=1\n[database]\n[far]\n[far]\n"))
    assert offered("measure", job, "--profile", "") == ["first", "database", "far"]
    assert offered("measure", job, ".", "--profile", "f") == ["first", "far"]
    assert offered("simulate", job, "--profile", "data") == ["database"]
    assert offered("plan", job, "--profile", "fi") == ["first"]
    assert offered("measure", str(job_file(tmp_path, "nothing\n")), "--profile", "") == []


def test_what_cannot_be_read_offers_nothing(tmp_path: Path) -> None:
    assert offered("simulate", str(tmp_path / "gone.toml"), "--sweep", "") == []
    assert offered("simulate", str(tmp_path), "--sweep", "") == []
    job = str(job_file(tmp_path, "[a]\nrw=read\n"))
    assert offered("simulate", job, "--sweep", "") == offered("measure", job, "--sweep", "") == []
    assert offered("simulate", str(tmp_path / "gone.toml"), "--profile", "datab") == ["database"]
