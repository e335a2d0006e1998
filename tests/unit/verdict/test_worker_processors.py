"""How busy a worker is: its processor time over that of the processors its threads can use at once."""

from __future__ import annotations

import pytest

from factories import make_observation, make_point, make_reading, make_result
from iodyno.analysis.figures import point_figures
from iodyno.reading import WorkerFacts
from iodyno.verdict import judge

POINT = make_point("database", 32, engine="sync")


def worker(cpu_s: float, threads: int, cpus: tuple[int, ...] = ()) -> WorkerFacts:
    """Give a worker of 10 s."""
    return WorkerFacts(
        threads=threads, cpus=cpus, cpu_s=cpu_s, elapsed_s=10.0, system_calls=1, io_time_s=320.0
    )


@pytest.mark.parametrize(
    ("of", "share"),
    [
        (worker(9.0, 1), 0.9),
        (worker(16.0, 32), 0.05),
        (worker(16.0, 32, (0, 1)), 0.8),
        (worker(9.0, 1, (0, 1, 2, 3)), 0.9),
        (worker(16.0, 2, (0, 1, 2, 3)), 0.8),
    ],
)
def test_the_share_is_that_of_what_its_threads_can_use(of: WorkerFacts, share: float) -> None:
    """Of 32 threads no more than two run at a time on two processors, and one thread runs on one."""
    found = make_result(POINT, reading=make_reading(POINT, workers=(of,)))
    assert point_figures(found).utilisation_worker == pytest.approx(share)


@pytest.mark.parametrize(("cpu_s", "noted"), [(19.5, True), (18.5, False)])
def test_threads_that_fill_the_processors_they_have_are_the_limit(cpu_s: float, noted: bool) -> None:
    """Pinned to two processors 32 threads have 20 s in 10 s, and not 320: the note was never given."""
    reading = make_reading(POINT, workers=(worker(cpu_s, 32, (0, 1)),))
    verdict = judge(POINT, reading, make_observation(reading), contents="written", optimised=True)
    shares = [note.values["share"] for note in verdict.notes if note.code == "host_cpu"]
    assert shares == ([pytest.approx(cpu_s / 20)] if noted else [])
