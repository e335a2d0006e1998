"""No acknowledged point is lost: not by kill -9, and not by other processes that write."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from factories import make_plan, make_run
from iodyno.store import Store
from iodyno.store.writing import lock_path

ROUNDS = 8
LIMIT = 50
"""Points of a round at most: however fast a machine writes them, the last round has some left to write."""
INTENSITIES = range(1, 401)

WRITER = """
import sys
from factories import make_plan, make_result, make_run
from iodyno.store import Store

path, run_id, mode, limit = sys.argv[1:]
with Store.open(path) as store:
    run = make_run(make_plan(intensities=range(1, 401)), run_id=run_id)
    if mode == "resume":
        run = store.reopen(run_id)
    else:
        store.create_run(run)
    done = store.done(run_id)
    left = [point for point in run.plan.points if point.index not in done]
    for point in left[: int(limit)]:
        result = make_result(point)
        store.add(run_id, result)
        print(point.index, flush=True)  # The acknowledgement: printed only after add has returned.
    sys.stdin.read()  # It ends when nobody has anything to say to it any more, or is killed.
    store.finish(run_id, "interrupted")
"""


def start(path: Path, run_id: str, mode: str, limit: int = 400) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    command = [sys.executable, "-c", WRITER, str(path), run_id, mode, str(limit)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


def kill_after(process: subprocess.Popen[str], points: int, delay_s: float) -> list[int]:
    """Kill a writer with SIGKILL a moment after it has acknowledged so many points; give what it said."""
    assert process.stdout
    said = [process.stdout.readline() for _ in range(points)]
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()  # communicate() passes over what lines were read ahead
    process.communicate(timeout=60)
    whole = [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    return [int(line) for line in said + whole if line]


@pytest.mark.parametrize("seed", [20260314])
def test_kill_9_loses_no_acknowledged_point(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    path, run_id = tmp_path / "runs.db", "20260314-092653-4f2a"
    acknowledged: set[int] = set()
    for round_ in range(ROUNDS):
        process = start(path, run_id, "resume" if round_ else "create", LIMIT)
        acknowledged.update(kill_after(process, draw.randint(1, 12), draw.uniform(0, 0.03)))
        assert process.returncode == -signal.SIGKILL
        with Store.open(path, create=False) as store:
            kept = store.load(run_id)
            assert kept.run.status == "interrupted"
        indices = {result.point.index for result in kept.results}
        assert acknowledged <= indices, f"seed {seed}, round {round_}"
        assert len(indices - acknowledged) <= round_ + 1  # Kept, and killed before it could say so.
    assert len(acknowledged) >= ROUNDS


def test_a_killed_run_is_finished_by_the_next(tmp_path: Path) -> None:
    path, run_id = tmp_path / "runs.db", "20260314-092653-4f2a"
    kill_after(start(path, run_id, "create"), 2, 0.0)
    assert lock_path(path, run_id).exists()
    with Store.open(path) as store:
        before = store.done(run_id)
        assert store.reopen(run_id).plan == make_plan(intensities=INTENSITIES)
        assert store.done(run_id) == before
        store.finish(run_id, "finished")
    assert not lock_path(path, run_id).exists()


def test_four_processes_write_at_once_into_a_new_store(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    ids = [f"20260314-09265{number}-00aa" for number in range(4)]
    writers = {run_id: start(path, run_id, "create", limit=60) for run_id in ids}
    said = {run_id: writer.communicate(timeout=300)[0] for run_id, writer in writers.items()}
    assert [writer.returncode for writer in writers.values()] == [0] * 4
    with Store.open(path, create=False) as store:
        for run_id in ids:
            assert store.done(run_id) == {int(line) for line in said[run_id].split()} == set(range(60))
            assert len(store.load(run_id).results) == 60


def test_a_run_that_a_living_process_writes_is_not_resumed(tmp_path: Path) -> None:
    path, run_id = tmp_path / "runs.db", "20260314-092653-4f2a"
    process = start(path, run_id, "create", limit=1)
    assert process.stdout
    process.stdout.readline()
    try:
        second = start(path, run_id, "resume")
        assert second.communicate(timeout=60)[0] == ""
        assert second.returncode == 1
        with Store.open(path, create=False) as store:
            assert store.find(run_id).status == "running"
            store.create_run(make_run(run_id="20260315-000000-00aa"))  # Another run is nobody's business.
    finally:
        process.kill()
        process.communicate(timeout=60)
