"""How a load walks over its area, on every engine and the simulator."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.asking import EVERY, FILE_BYTES, REAL, Stand, ask, both_served, needs, profile
from iodyno import bench
from iodyno.plan import Plan
from iodyno.profiles import LoadProfile
from iodyno.targets import Target
from iodyno.verdict import laws

AREA = (1 << 20, 12 << 20)
BLOCK = 65536


def walk(random: float, read: float, **fields: Any) -> LoadProfile:
    return profile(random, read, BLOCK, alignment_bytes=BLOCK, **fields)


SHAPES: dict[str, LoadProfile] = {
    "runs": walk(1.0, 0.5, random_every=8),
    "runs, own shares": walk(1.0, 0.5, random_every=5, write_random_share=0.3),
    "gaps": walk(0.0, 0.5, gap_bytes=3 * BLOCK),
    "steps back": walk(0.0, 0.5, gap_bytes=-2 * BLOCK, cursors="own"),
    "steps back, some random": walk(0.2, 0.5, gap_bytes=-3 * BLOCK),
    "own cursors": walk(0.3, 0.5, cursors="own"),
    "runs, zipf": walk(0.5, 0.0, random_every=3, distribution="zipf:1.2"),
}

# Writes by a law are not modelled.
EACH = [(engine, name) for engine in EVERY for name in SHAPES if engine != "simulator" or "zipf" not in name]


@pytest.mark.parametrize(("engine", "shape"), EACH)
def test_every_walk_keeps_the_laws(stand: Stand, engine: str, shape: str) -> None:
    needs(engine)
    point = stand.point(engine, SHAPES[shape], outstanding=4, workers=2, area=AREA)
    reading = ask(point)
    assert laws(point, reading) == []
    assert reading.errors == 0
    assert reading.completed > 0


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize("workers_area", ["shared", "own"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_what_is_written_is_what_was_planned(
    stand: Stand, engine: str, shape: LoadProfile, workers_area: str
) -> None:
    needs(engine)
    before = stand.path.read_bytes()
    # Few enough that most of the area is none of them.
    point = stand.point(
        engine, shape, workers=2, workers_area=workers_area, area=AREA, seconds=0.05, rate_io_s=1000.0
    )
    reading = ask(point)
    after = stand.path.read_bytes()
    changed = {at for at in range(0, FILE_BYTES, BLOCK) if before[at : at + BLOCK] != after[at : at + BLOCK]}
    issued = reading.issued.reads + reading.issued.writes
    planned = {
        offset
        for worker in (0, 1)
        for write, offset, _ in bench.accesses(point, worker=worker, count=issued)
        if write
    }
    assert changed
    assert changed <= planned
    assert len(planned) < AREA[1] // BLOCK


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize(
    "fields",
    [
        {"random_every": 5},
        {"gap_bytes": 5120, "cursors": "own"},
        {"gap_bytes": -11264},
        {"gap_bytes": -1024, "random_every": 3},
    ],
    ids=str,
)
def test_what_is_written_on_any_walk_is_verified(stand: Stand, engine: str, fields: dict[str, Any]) -> None:
    """Small blocks in a small area: writes overlap each other, and reads meet them."""
    needs(engine)
    load = profile(1.0 if "random_every" in fields else 0.0, 0.5, **fields)
    area = (1 << 20, 64 << 10)
    shape: dict[str, Any] = {"outstanding": 16, "workers": 2, "area": area, "verify": True, "direct": False}
    point = stand.point(engine, load, **shape)
    ledger = bench.ledger_of(Plan(study="test", title="Test", seed=point.seed, points=(point,)))
    assert ledger is not None
    bench.fill(stand.path, 0, FILE_BYTES, seed=3, direct=stand.direct, ledger=ledger)
    reading = ask(point, ledger=ledger, served=both_served)
    assert reading.integrity is not None
    assert (reading.errors, reading.corruptions) == (0, 0), reading.integrity.load.first
    assert min(reading.reads.completed, reading.writes.completed) > 0
    assert reading.integrity.load.checked_bytes > 0
    target = Target(
        path=str(stand.path), asked=".", kind="file", size_bytes=FILE_BYTES, direct=False, ours=True,
        writes=True, contents="written",
    )  # fmt: skip
    found = bench.check(target, ledger)
    assert (found.total, found.checked_bytes) == (0, area[1]), found.first
