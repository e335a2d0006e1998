"""Ctrl-C when a run is finished, while its paper is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import Bench, CommandLine
from iodyno.report import paper
from iodyno.store import Store

SMALL = ("--quick", "--size", "64k", "--profile", "database", "--outstanding", "1,2", "--buffered")
SIMULATION = ("simulate", "quick", "--on", "p3700", "--profile", "database", "--outstanding", "1,2")


@pytest.mark.parametrize("command", [("measure",), SIMULATION], ids=["measured", "simulated"])
def test_a_run_whose_paper_is_not_written_is_kept(
    iodyno_says: CommandLine,
    bench: Bench,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
) -> None:
    def pressed(*_: Any) -> Any:
        raise KeyboardInterrupt

    words = (*command, tmp_path, *SMALL) if command == ("measure",) else command
    with monkeypatch.context() as patched:
        patched.setattr(paper, "build", pressed)
        said = iodyno_says(*words, "-o", tmp_path / "paper.html")
    with Store.open(tmp_path / "runs.db") as store:
        run = store.find("latest")
    assert (said.code, run.status, len(bench.measured)) == (130, "finished", 2)
    assert said.err == (
        f"interrupted: run {run.id} is finished and kept\nhint: `iodyno report {run.id}` writes the paper\n"
    )
