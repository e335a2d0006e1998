"""Where accesses go on every engine and the simulator: parts of an area, one stream, each block once."""

from __future__ import annotations

import pytest

from conformance.asking import EVERY, FILE_BYTES, REAL, Stand, ask, needs, profile
from iodyno import bench
from iodyno.verdict import laws

BLOCK = 65536
AREA = (1 << 20, 12 << 20)


def changed(before: bytes, after: bytes) -> set[int]:
    """Give the blocks of the file that are not what they were."""
    return {at for at in range(0, FILE_BYTES, BLOCK) if before[at : at + BLOCK] != after[at : at + BLOCK]}


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize(
    ("distribution", "workers_area"),
    [
        ("zipf:1.1", "shared"),
        ("pareto:0.2", "own"),
        ("normal:0.1", "own"),
        ("90/10, 10/70", "shared"),
        ("permutation", "shared"),
    ],
)
def test_every_distribution_keeps_the_laws(
    stand: Stand, engine: str, distribution: str, workers_area: str
) -> None:
    needs(engine)
    shape = profile(1.0, 1.0, distribution=distribution)
    point = stand.point(engine, shape, outstanding=4, workers=3, workers_area=workers_area)
    reading = ask(point)
    assert laws(point, reading) == []
    assert reading.completed > 0
    assert reading.errors == 0


@pytest.mark.parametrize("engine", REAL)
def test_one_stream_of_several_workers_writes_every_block_up_to_where_it_came(
    stand: Stand, engine: str
) -> None:
    needs(engine)
    before = stand.path.read_bytes()
    point = stand.point(
        engine, profile(0.0, 0.0, BLOCK), workers=3, workers_area="stream", area=AREA, seconds=0.2
    )
    reading = ask(point)
    blocks = min(reading.issued.writes, AREA[1] // BLOCK)
    assert changed(before, stand.path.read_bytes()) == {AREA[0] + at * BLOCK for at in range(blocks)}


@pytest.mark.parametrize("engine", REAL)
def test_workers_write_their_own_parts_as_planned(stand: Stand, engine: str) -> None:
    needs(engine)
    before = stand.path.read_bytes()
    shape = profile(1.0, 0.0, BLOCK, distribution="permutation")
    point = stand.point(engine, shape, outstanding=1, workers=2, workers_area="own", area=AREA, seconds=0.2)
    reading = ask(point)
    planned = [bench.accesses(point, worker=worker, count=AREA[1] // BLOCK // 2) for worker in (0, 1)]
    parts = [{offset for _, offset, _ in drawn} for drawn in planned]
    half = AREA[1] // 2
    assert parts[0] == set(range(AREA[0], AREA[0] + half, BLOCK))
    assert parts[1] == set(range(AREA[0] + half, AREA[0] + 2 * half, BLOCK))
    written = changed(before, stand.path.read_bytes())
    assert written <= parts[0] | parts[1]
    assert len(written) == min(reading.issued.writes, len(written)) > 0


@pytest.mark.parametrize("engine", REAL)
def test_each_block_is_written_once_before_any_again(stand: Stand, engine: str) -> None:
    needs(engine)
    before = stand.path.read_bytes()
    shape = profile(1.0, 0.0, BLOCK, distribution="permutation")
    reading = ask(stand.point(engine, shape, outstanding=2, workers=3, area=AREA, seconds=0.2))
    written = changed(before, stand.path.read_bytes())
    assert len(written) == min(reading.issued.writes, AREA[1] // BLOCK)
