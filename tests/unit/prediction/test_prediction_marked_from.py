"""From where on, and up to where, what is calculated is marked as rough: parts made up so that it is seen."""

from __future__ import annotations

import pytest

from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction.rough import (
    _few_pairs_at_a_time,
    _few_reads_among_answered,
    _more_writers_than_rows,
    _Place,
    _restless_readers,
)
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import Array, HddModel, MirrorRead, NearestReads, PrimaryReads, SpreadReads, SsdModel

KIB, MIB = 1 << 10, 1 << 20


def disk(**changes: int) -> HddModel:
    """Take a hard disk of the catalogue, with other numbers."""
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    logical = {"drive": "hgst-huc156045css204", "level": "JBOD"}
    controller = {"part": "psas-cp400i", "drive_cache": "off", "logical": [logical]}
    model = resolve(system_of({"name": "m", "host": host, "controller": [controller]})).drives[0].model
    assert isinstance(model, HddModel)
    return model.model_copy(update=changes)


def ssd() -> SsdModel:
    host = {"processor": "xeon-e5-2660-v3", "software": "linux-nvme"}
    drives = {"drive": "intel-p3700-800", "count": 1}
    model = resolve(system_of({"name": "m", "host": host, "drives": [drives]})).drives[0].model
    assert isinstance(model, SsdModel)
    return model


def array(level: str, members: int, strip: int, mirror_read: MirrorRead | None = None) -> Array:
    return Array(
        level=level, drives=tuple(range(members)), groups=1, strip_bytes=strip, failed=(), rebuild_bytes_s=0,
        mirror_read=mirror_read or PrimaryReads(),
    )  # fmt: skip


def in_order(read: float, size: int, *, workers: int = 1, outstanding: int = 1) -> Point:
    target = PlannedTarget(path="volume", kind="virtual", size_bytes=1 << 40, area_length_bytes=1 << 40)
    profile = LoadProfile(
        name="made", random_share=0.0, read_share=read, blocks=(Block(bytes=size, weight=1.0),)
    )
    return Point(
        index=0, sweep="s", outstanding=outstanding, workers=workers, seed=1, system="m", engine="simulator",
        targets=(target,), profile=profile,
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95),
    )  # fmt: skip


def test_a_cache_has_room_for_sixteen_rows_however_long_they_are() -> None:
    """Of four rows on their way to the disks twelve are left: 64 MiB would be eight rows of 8 MiB. Of rows of
    1 MiB they are 64, so that sixty are left."""
    for strip, most in ((2 * MIB, 12), (256 * KIB, 60)):
        place = _Place(disk(), array("0", 4, strip), write_back=True, destaged=4)
        assert not _more_writers_than_rows(in_order(0.0, 64 * KIB, workers=most), place)
        assert _more_writers_than_rows(in_order(0.0, 64 * KIB, workers=most + 1), place)


@pytest.mark.parametrize(
    ("policy", "marked"),
    [(SpreadReads(from_outstanding=0), True), (SpreadReads(from_outstanding=4), False),
     (NearestReads(), False), (PrimaryReads(), False)],
)  # fmt: skip
def test_readers_are_restless_only_where_each_takes_the_copy_that_is_idle(
    policy: MirrorRead, marked: bool
) -> None:
    """Three of two copies; where the first one is read until it has enough, or the nearer one, none is."""
    place = _Place(ssd(), array("1", 2, 64 * KIB, policy))
    assert _restless_readers(in_order(1.0, 16 * KIB, workers=3), place) is marked


@pytest.mark.parametrize(
    ("command_us", "marked"), [(19.8, False), (20.2, True), (39.8, True), (40.2, False), (60.0, False)]
)
def test_pairs_of_disks_are_few_where_a_command_takes_up_to_twice_a_transfer(
    command_us: float, marked: bool
) -> None:
    """4 kB at 204.8 MB/s take 20 µs; so many are outstanding that all pairs have some."""
    model = disk(outer_bytes_s=204_800_000, command_ps=round(command_us * 1e6))
    asked = in_order(0.0, 4 * KIB, outstanding=1024)
    assert _few_pairs_at_a_time(asked, array("1E", 8, 256 * KIB), model) is marked


@pytest.mark.parametrize(
    ("read", "outstanding", "changes", "marked"),
    [
        (0.4, 4, {}, True), (0.05, 1, {}, True), (0.41, 4, {}, False), (0.0, 4, {}, False),
        (0.4, 5, {}, False),
        (0.4, 4, {"write_cache": False}, False), (0.4, 4, {"write_back": True}, False),
        (0.4, 4, {"random_share": 0.0}, False),
    ],
)  # fmt: skip
def test_few_reads_among_writes_that_disks_answer_are_marked(
    read: float, outstanding: int, changes: dict[str, float], marked: bool
) -> None:
    """Four disks: up to one outstanding each, where neither they nor a controller's cache do otherwise."""
    model = disk().model_copy(update={"write_cache": changes.get("write_cache", True)})
    place = _Place(model, array("0", 4, 64 * KIB), write_back=bool(changes.get("write_back", False)))
    asked = in_order(read, 4 * KIB, outstanding=outstanding)
    profile = asked.profile.model_copy(update={"random_share": changes.get("random_share", 1.0)})
    point = asked.model_copy(update={"profile": profile})
    assert _few_reads_among_answered(point, place) is marked


def test_reads_of_more_workers_than_disks_and_those_of_ssds_are_not_few_among_answered() -> None:
    """Two workers with three each are six on four disks; SSDs answer from their caches too."""
    asked = in_order(0.1, 4 * KIB, workers=2, outstanding=2)
    profile = asked.profile.model_copy(update={"random_share": 1.0})
    few = asked.model_copy(update={"profile": profile})
    disks = _Place(disk().model_copy(update={"write_cache": True}), array("0", 4, 64 * KIB))
    assert _few_reads_among_answered(few, disks)
    assert not _few_reads_among_answered(few.model_copy(update={"outstanding": 3}), disks)
    answering = ssd().model_copy(update={"write_cache": True})
    assert not _few_reads_among_answered(few, _Place(answering, array("0", 4, 64 * KIB)))
