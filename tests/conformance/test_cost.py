"""What the engine takes for an I/O, counted and not timed: system calls, and memory for each worker."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from conformance.asking import Stand, ask, needs, profile

ON_ITS_OWN = """
import pathlib, re, sys
from iodyno import bench
from iodyno.plan import Point

def most_kib():
    return int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])

one, many = (Point.model_validate_json(line) for line in sys.stdin)
bench.ask(one)
pathlib.Path("/proc/self/clear_refs").write_text("5")  # what was most so far is forgotten
before = most_kib()
assert len(bench.ask(many).workers) == many.workers
print(most_kib() - before)
"""


@pytest.mark.parametrize("outstanding", [128, 32, 8])
def test_what_is_due_together_goes_to_the_kernel_in_one_call(stand: Stand, outstanding: int) -> None:
    """Nothing is late where nothing is asked: each round hands over all that is outstanding, at once."""
    needs("nop")
    reading = ask(stand.point("nop", profile(1.0, 1.0), outstanding=outstanding))
    calls = sum(worker.system_calls for worker in reading.workers)
    # Rounds lie across the ends of windows; there are four windows and thousands of rounds.
    assert reading.completed / calls == pytest.approx(outstanding, rel=0.05)


def test_each_read_of_a_thread_is_a_system_call(stand: Stand) -> None:
    reading = ask(stand.point("sync", profile(1.0, 1.0), outstanding=3))
    calls = sum(worker.system_calls for worker in reading.workers)
    # One each is counted in the window before the one that it ends in, at the most.
    assert reading.completed - 3 <= calls <= reading.completed + 3


@pytest.mark.parametrize("workers", [1, 2])
def test_the_time_of_processors_is_that_of_the_process(stand: Stand, workers: int) -> None:
    """The kernel counts it for the process as well: its threads cannot have had more."""
    before = time.process_time()
    reading = ask(stand.point("null", profile(1.0, 1.0), workers=workers, seconds=0.6))
    used_s = time.process_time() - before
    assert 0 < sum(worker.cpu_s for worker in reading.workers) <= used_s


def test_a_worker_takes_less_than_a_megabyte_beside_its_buffers(stand: Stand) -> None:
    workers = 48
    shape = profile(1.0, 0.5)
    points = [stand.point("null", shape, outstanding=4, workers=count) for count in (1, workers)]
    lines = "\n".join(point.model_dump_json() for point in points)
    command = [sys.executable, "-c", ON_ITS_OWN]
    printed = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    # KiB, the 4 MiB of data that all workers share among them included.
    assert int(printed) < (workers + 4) * 1024
