"""Ctrl-C while formulas are solved: what is left of the point under way is not waited for."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno import bench
from iodyno.bench import virtual
from iodyno.prediction import ClosedNetwork, Solution

SYSTEM = """
name = "asleep"
[host]
processor = "xeon-e5-2660-v3"
software = "windows-2012-ntfs-nvme"
settings = "default"
[[drives]]
drive = "intel-p3700-800"
"""
"""Cores that sleep: a point is solved for several times."""


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_ends_the_point_that_is_calculated(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A signal that arrives in a callback of the collector, which tools for tests have, is lost there.
    gc.disable()
    solve, asked = bench.solve_network, list[str]()
    threads, heard = set(threading.enumerate()), threading.Event()

    class Heard(ThreadPoolExecutor):
        """A pool of this test: those of others may end at any time."""

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            heard.set()
            super().shutdown(wait, cancel_futures=cancel_futures)

    def interrupted(network: ClosedNetwork, customers: Sequence[int]) -> list[Solution]:
        asked.append(f"{threading.current_thread().name} for {len(customers)}, heard: {heard.is_set()}")
        if len(asked) == 2:
            # One to this thread does not wake the main thread, nor does one that comes right before it waits.
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            heard.wait(30)  # until it has ended the pool
        return solve(network, customers)

    monkeypatch.setattr(virtual, "solve_network", interrupted)
    monkeypatch.setattr("concurrent.futures.ThreadPoolExecutor", Heard)
    (tmp_path / "asleep.toml").write_text(SYSTEM)
    try:
        said = iodyno_says("simulate", "quick", "--on", tmp_path / "asleep.toml", "--analytic", "--jobs", "1")
    finally:
        gc.enable()
    assert (said.code, said.out, said.err.strip()) == (130, "", "interrupted: nothing was kept")
    for thread in set(threading.enumerate()) - threads:
        thread.join(timeout=30)
    assert len(asked) == 2, asked
