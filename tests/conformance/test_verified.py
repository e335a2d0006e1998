"""Verified I/O: a clean run raises no alarm, and each kind of corruption is told, at its place."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from conformance.asking import FILE_BYTES, REAL, SEED, Stand, ask, needs, profile
from iodyno import bench
from iodyno.events import Event, Verifying
from iodyno.plan import Plan, Point
from iodyno.profiles import LoadProfile
from iodyno.reading import Findings, PointResult, Reading
from iodyno.targets import Target

UNIT = 4096
SECTOR = 512
HALF = UNIT // 2
MIXED = LoadProfile(
    name="mixed",
    random_share=0.8,
    read_share=0.67,
    blocks=[{"bytes": 4096, "weight": 3}, {"bytes": 8192, "weight": 2}, {"bytes": 65536, "weight": 1}],
)


def _plan(*points: Point) -> Plan:
    return Plan(study="test", title="Test", seed=SEED, points=points)


def _waited(reading: Reading) -> bool:
    """Tell whether any read waited for the write of a block that it met."""
    return reading.integrity is not None and reading.integrity.load.waited > 0


def _target(stand: Stand) -> Target:
    return Target(
        path=str(stand.path), asked=".", kind="file", size_bytes=FILE_BYTES, direct=stand.direct, ours=True,
        writes=True, contents="written",
    )  # fmt: skip


def _stamp(sector: bytes) -> tuple[int, int]:
    """Read offset and generation of a sector as the format says, and check its checksum with zlib's."""
    magic, _, offset, generation, target = struct.unpack_from("<8sQQQI", sector)
    assert (magic, target) == (b"iodyno\x1e\x01", 0)
    assert int.from_bytes(sector[-4:], "little") == zlib.crc32(sector[:-4])
    return offset, generation


@dataclass
class Written:
    """A file after a verified load: what it held before, and where it was written since."""

    stand: Stand
    before: bytes
    ledger: bench.Ledger
    check: Callable[[], Findings]

    def block(self, number: int) -> int:
        """Give the offset of one of the blocks that the load wrote; no two of them are neighbours."""
        data = self.stand.path.read_bytes()
        filled = _stamp(self.before[:SECTOR])[1]
        written = [at for at in range(0, FILE_BYTES, UNIT) if _stamp(data[at : at + SECTOR])[1] > filled]
        return written[number * 2]

    def read(self, offset: int) -> bytes:
        """Read a block."""
        return self.stand.path.read_bytes()[offset : offset + UNIT]

    def write(self, offset: int, data: bytes) -> None:
        """Change the file behind the back of the run."""
        with self.stand.path.open("r+b") as file:
            os.pwrite(file.fileno(), data, offset)

    def old(self, offset: int) -> bytes:
        """Give what a block was before the load."""
        return self.before[offset : offset + UNIT]


@pytest.fixture
def written(stand: Stand) -> Written:
    """Load a stamped file with random writes, and no read that could have seen any of them."""
    point = stand.point("auto", profile(1.0, 0.0), outstanding=8, seconds=0.3, verify=True)
    ledger = bench.ledger_of(_plan(point))
    bench.fill(stand.path, 0, FILE_BYTES, seed=2, direct=stand.direct, ledger=ledger)
    before = stand.path.read_bytes()
    reading = ask(point, ledger=ledger, served=lambda reading: reading.completed >= 100)
    assert reading.corruptions == 0
    assert ledger is not None
    return Written(stand, before, ledger, lambda: bench.check(_target(stand), ledger))


def _only(findings: Findings) -> tuple[str, int, int]:
    assert findings.total == 1, findings.first
    assert findings.first[0].lasting
    return findings.first[0].kind, findings.first[0].offset_bytes, findings.first[0].bytes


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("load", [MIXED, profile(1.0, 0.67)], ids=["mixed", "random"])
def test_overlapping_writes_of_two_workers_raise_no_alarm(
    stand: Stand, engine: str, seed: int, load: LoadProfile
) -> None:
    needs(engine)
    area = (1 << 20, 256 << 10)
    fields = {"outstanding": 32, "workers": 2, "seed": seed, "area": area, "verify": True}
    point = stand.point(engine, load, seconds=0.4, **fields)
    ledger = bench.ledger_of(_plan(point))
    assert ledger is not None
    bench.fill(stand.path, 0, FILE_BYTES, seed=seed, direct=stand.direct, ledger=ledger)
    reading = ask(point, ledger=ledger, served=_waited)
    assert reading.integrity is not None
    assert reading.errors == 0
    assert reading.corruptions == 0, reading.integrity.load.first
    assert reading.integrity.load.checked_bytes > 0
    assert reading.integrity.load.waited > 0
    found = bench.check(_target(stand), ledger)
    assert (found.total, found.checked_bytes) == (0, area[1]), found.first
    assert found.not_judged_bytes == 0, "no write is under way any more"


@pytest.mark.parametrize("engine", REAL)
def test_syncs_between_writes_are_no_data(stand: Stand, engine: str) -> None:
    needs(engine)
    load = profile(1.0, 0.3, fdatasync_every=4)
    point = stand.point(engine, load, outstanding=8, workers=2, area=(0, 1 << 20), verify=True)
    ledger = bench.ledger_of(_plan(point))
    assert ledger is not None
    bench.fill(stand.path, 0, FILE_BYTES, seed=2, direct=stand.direct, ledger=ledger)
    reading = ask(point, ledger=ledger)
    assert reading.corruptions == 0
    found = bench.check(_target(stand), ledger)
    assert (found.total, found.checked_bytes) == (0, 1 << 20), found.first
    assert found.not_judged_bytes == 0, "no write is under way any more"


@pytest.mark.parametrize("rate", [2000.0])
def test_an_open_loop_is_verified_too(stand: Stand, rate: float) -> None:
    point = stand.point(
        "auto", profile(1.0, 0.5), outstanding=32, workers=2, area=(0, 1 << 18), rate_io_s=rate, verify=True
    )
    ledger = bench.ledger_of(_plan(point))
    assert ledger is not None
    bench.fill(stand.path, 0, FILE_BYTES, seed=2, direct=stand.direct, ledger=ledger)
    assert ask(point, ledger=ledger).corruptions == 0
    assert bench.check(_target(stand), ledger).total == 0


def test_every_sector_carries_its_stamp_as_the_format_says(written: Written) -> None:
    data = written.stand.path.read_bytes()
    offsets = range(0, FILE_BYTES, SECTOR)
    assert [_stamp(data[at : at + SECTOR])[0] for at in offsets] == list(offsets)
    assert written.check().checked_bytes == FILE_BYTES


def test_a_flipped_bit_is_told(written: Written) -> None:
    at = written.block(3)
    block = bytearray(written.read(at))
    block[3 * SECTOR + 100] ^= 8
    written.write(at, bytes(block))
    assert _only(written.check()) == ("bit_flip", at + 3 * SECTOR, SECTOR)


def test_a_torn_write_is_told(written: Written) -> None:
    at = written.block(4)
    written.write(at + HALF, written.old(at)[HALF:])
    found = written.check()
    assert _only(found) == ("torn", at + HALF, HALF)
    first = found.first[0]
    assert first.found is not None
    assert first.expected_generation == _stamp(written.read(at)[:SECTOR])[1]
    assert first.found.generation == _stamp(written.old(at)[:SECTOR])[1]


def test_a_lost_write_is_told(written: Written) -> None:
    at = written.block(5)
    written.write(at, written.old(at))
    assert _only(written.check()) == ("lost", at, UNIT)


def test_what_goes_back_after_it_was_seen_is_stale(written: Written) -> None:
    assert written.check().total == 0
    at = written.block(5)
    written.write(at, written.old(at))
    assert _only(written.check()) == ("stale", at, UNIT)


def test_a_misdirected_write_is_told_where_it_landed_and_where_it_is_missed(written: Written) -> None:
    meant, landed = written.block(6), written.block(7)
    written.write(landed, written.read(meant))
    written.write(meant, written.old(meant))
    found = written.check()
    assert found.counts == {"lost": 1, "misdirected": 1}
    lost, misdirected = sorted(found.first, key=lambda finding: finding.kind)
    assert (lost.offset_bytes, misdirected.offset_bytes) == (meant, landed)
    assert misdirected.found is not None
    assert misdirected.found.offset_bytes == meant


def test_zeros_and_what_others_wrote_are_told(written: Written) -> None:
    zeros, foreign = written.block(8), written.block(9)
    written.write(zeros, bytes(UNIT))
    written.write(foreign, b"somebody else's " * (UNIT // 16))
    found = {finding.kind: finding.offset_bytes for finding in written.check().first}
    assert found == {"zeros": zeros, "foreign": foreign}


def test_what_is_told_is_told_once(written: Written) -> None:
    written.write(written.block(3), bytes(UNIT))
    assert written.check().total == 1
    assert written.check().total == 0


@pytest.mark.parametrize("engine", REAL)
def test_reads_of_the_load_tell_too(stand: Stand, engine: str) -> None:
    needs(engine)
    point = stand.point(engine, profile(0.0, 1.0), seconds=1.0, area=(0, 1 << 20), verify=True)
    ledger = bench.ledger_of(_plan(point))
    bench.fill(stand.path, 0, FILE_BYTES, seed=2, direct=stand.direct, ledger=ledger)
    block = bytearray(stand.path.read_bytes()[:UNIT])
    block[700] ^= 1
    with stand.path.open("r+b") as file:
        os.pwrite(file.fileno(), block, 0)
        os.fsync(file.fileno())
    reading = ask(point, ledger=ledger)
    assert reading.integrity is not None
    assert _only(reading.integrity.load) == ("bit_flip", SECTOR, SECTOR)


def _result(stand: Stand, plant: Callable[[], None], points: int = 1) -> list[PointResult]:
    """Measure verified points, and change the file between the load of the last one and its pass."""
    load = profile(1.0, 0.67)
    plan = _plan(
        *(
            stand.point("auto", load, outstanding=8, seconds=0.3, verify=True).model_copy(
                update={"index": index}
            )
            for index in range(points)
        )
    )
    target = _target(stand).model_copy(update={"contents": "to_be_written"})

    def listen(event: Event) -> None:
        if isinstance(event, Verifying) and event.done_bytes == 0 and event.index == points - 1:
            plant()

    ledger = bench.ledger_of(plan)
    bench.prepare([target], SEED, listen, ledger=ledger)
    return list(bench.measure(plan, [target], listener=listen, ledger=ledger))


def test_a_run_reads_what_its_points_wrote_and_at_the_end_everything(stand: Stand) -> None:
    first, last = _result(stand, lambda: None, points=2)
    for result in (first, last):
        assert result.reading.integrity is not None
        assert result.reading.integrity.final_pass is not None
        assert "corrupted" not in {cause.code for cause in result.verdict.causes}
        assert "verified" in {note.code for note in result.verdict.notes}
    assert first.reading.integrity is not None
    assert first.reading.integrity.final_pass is not None
    assert last.reading.integrity is not None
    assert last.reading.integrity.final_pass is not None
    assert not first.reading.integrity.final_pass.everything
    assert first.reading.integrity.final_pass.findings.checked_bytes <= first.reading.issued.written_bytes
    assert last.reading.integrity.final_pass.everything
    assert last.reading.integrity.final_pass.findings.checked_bytes == FILE_BYTES


def test_wrong_data_disturbs_the_verdict(stand: Stand) -> None:
    (result,) = _result(stand, lambda: _flip(stand.path, 12_345))
    assert result.verdict.state == "disturbed"
    cause = next(cause for cause in result.verdict.causes if cause.code == "corrupted")
    assert cause.values == {"findings": 1, "kinds": "bit flip: 1"}


def _flip(path: Path, at: int) -> None:
    data = path.read_bytes()[at : at + 1]
    with path.open("r+b") as file:
        os.pwrite(file.fileno(), bytes([data[0] ^ 1]), at)


def test_without_verify_nothing_is_stamped(stand: Stand) -> None:
    point = stand.point("auto", profile(1.0, 0.0), area=(0, 1 << 20))
    assert bench.ledger_of(_plan(point)) is None
    assert ask(point).integrity is None
    assert b"iodyno\x1e" not in stand.path.read_bytes()
