"""Reads and writes that go different ways, on every engine and the simulator."""

from __future__ import annotations

import pytest

from conformance.asking import EVERY, FILE_BYTES, REAL, Stand, ask, both_served, needs, profile
from iodyno import bench
from iodyno.profiles import Block, LoadProfile
from iodyno.verdict import laws

AREA = (1 << 20, 12 << 20)
BLOCK = 65536


def apart(random: float, of_writes: float, size: int = 4096, **fields: object) -> LoadProfile:
    """Give a mix whose writes have a share of random accesses of their own."""
    return profile(random, 0.67, size, write_random_share=of_writes, **fields)


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize(("random", "of_writes"), [(0.0, 1.0), (1.0, 0.0), (0.5, 0.1)])
def test_every_share_keeps_the_laws(stand: Stand, engine: str, random: float, of_writes: float) -> None:
    needs(engine)
    point = stand.point(engine, apart(random, of_writes), outstanding=4, workers=2, area=AREA)
    reading = ask(point, served=both_served)
    assert laws(point, reading) == []
    assert reading.errors == 0
    assert min(reading.reads.completed, reading.writes.completed) > 0


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize(
    ("shape", "workers_area"),
    [
        (apart(0.0, 1.0, BLOCK), "shared"),
        (apart(1.0, 0.0, BLOCK), "own"),
        (apart(0.0, 1.0, BLOCK, write_distribution="zipf:1.2"), "own"),
        (apart(1.0, 1.0, write_blocks=(Block(bytes=BLOCK),), write_distribution="90/10, 10/70"), "shared"),
    ],
)
def test_what_is_written_is_what_was_planned(
    stand: Stand, engine: str, shape: LoadProfile, workers_area: str
) -> None:
    needs(engine)
    before = stand.path.read_bytes()
    point = stand.point(
        engine, shape, outstanding=1, workers=2, workers_area=workers_area, area=AREA, seconds=0.2
    )
    reading = ask(point, served=lambda reading: reading.issued.writes)
    issued = reading.issued.reads + reading.issued.writes
    after = stand.path.read_bytes()
    changed = {at for at in range(0, FILE_BYTES, 4096) if before[at : at + 4096] != after[at : at + 4096]}
    planned = {
        at
        for worker in (0, 1)
        for write, offset, length in bench.accesses(point, worker=worker, count=issued)
        if write
        for at in range(offset, offset + length, 4096)
    }
    assert changed
    assert changed <= planned


@pytest.mark.parametrize("engine", REAL)
def test_writes_of_all_workers_touch_each_block_once_beside_reads_anywhere(stand: Stand, engine: str) -> None:
    needs(engine)
    before = stand.path.read_bytes()
    shape = apart(0.5, 1.0, BLOCK, write_distribution="permutation")
    reading = ask(stand.point(engine, shape, outstanding=2, workers=3, area=AREA, seconds=0.2))
    after = stand.path.read_bytes()
    changed = [at for at in range(0, FILE_BYTES, BLOCK) if before[at : at + BLOCK] != after[at : at + BLOCK]]
    # With a draw for each, of 192 blocks some would come again before all had their turn.
    assert len(changed) == min(reading.issued.writes, AREA[1] // BLOCK)
    assert all(AREA[0] <= at < sum(AREA) for at in changed)
