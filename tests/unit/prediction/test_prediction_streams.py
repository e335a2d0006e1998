"""Which loads become streams on a disk, and what of the system they are reckoned from."""

from __future__ import annotations

import json
from typing import Any

import pytest

from iodyno import bench
from iodyno.bench import _core, virtual
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import NetworkStation, build, predict
from iodyno.prediction.records import ClosedNetwork
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import HddModel, VirtualSystem
from virtual_systems import virtual_system

GIB = 1 << 30
KIB = 1024


def behind(part: str, count: int = 1, level: str = "0", **settings: Any) -> VirtualSystem:
    """Put disks behind a controller."""
    logical = {"drive": "seagate-st91000640ns", "count": count, "level": level}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    controller = {"part": part, "logical": [logical], **settings}
    return resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))


def stations(
    system: VirtualSystem,
    *,
    read_share: float = 1.0,
    random_share: float = 0.0,
    workers: int = 3,
    kib: int = 64,
) -> dict[str, NetworkStation]:
    """Give the stations of a point by the last words of their names."""
    profile = LoadProfile(
        name="made", random_share=random_share, read_share=read_share,
        blocks=(Block(bytes=kib * KIB, weight=1.0),),
    )  # fmt: skip
    volume = system.volumes[0]
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_start_bytes=GIB, area_length_bytes=31 * GIB,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, outstanding=2, workers=workers, seed=1, system="made-up",
        engine="simulator", targets=(target,),
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95),
    )  # fmt: skip
    network = build(point, system).network
    return {station.name.rsplit(": ")[-1]: station for station in network.stations}


def test_a_stream_begins_where_its_worker_does() -> None:
    """The area is divided in equal parts, each a multiple of the block."""
    streams = stations(behind("psas-cp400i", level="JBOD"))["mechanics"].streams
    assert streams is not None
    part = 31 * GIB // 3 // (64 * KIB) * 64 * KIB
    assert streams.starts == pytest.approx((GIB, GIB + part, GIB + 2 * part), abs=2 * 64 * KIB)
    assert (streams.outstanding, streams.bytes, streams.read_share) == (2, 64 * KIB, 1.0)
    assert streams.readers is None
    assert not streams.in_turn


def test_the_way_between_two_commands_is_all_but_the_disk() -> None:
    system = behind("psas-cp400i", level="JBOD")
    found = stations(system)
    model = system.drives[0].model
    assert isinstance(model, HddModel)
    streams = found["mechanics"].streams
    assert streams is not None
    others = [station for name, station in found.items() if name not in ("mechanics", "command")]
    way = sum(one.service_s * (one.visits if one.passes is None else one.passes) for one in others)
    assert streams.way_s == pytest.approx(way)
    assert streams.disk.command_s == pytest.approx(model.command_ps * 1e-12)


@pytest.mark.parametrize("cache", ["on", "off"])
def test_each_writer_fills_so_much_of_the_cache(cache: str) -> None:
    """128 entries of 64 KiB each, as far as there are so many."""
    system = behind("psas-cp400i", level="JBOD", drive_cache=cache)
    model = system.drives[0].model
    assert isinstance(model, HddModel)
    streams = stations(system, read_share=0.0)["mechanics"].streams
    assert streams is not None
    entries = min(model.write_cache_entries, 3 * 128) if cache == "on" else 0
    assert (streams.disk.cache_entries, streams.read_share) == (entries, 0.0)


def test_each_of_a_pair_is_written_like_one_alone() -> None:
    """Nothing gathers for it, and both have all that is written: as many streams, of the same starts."""
    settings: dict[str, Any] = {"drive_cache": "off", "read": "no-read-ahead"}
    alone = stations(behind("praid-cp400i", **settings), read_share=0.0)["mechanics"].streams
    pair = stations(behind("praid-cp400i", 2, "1", **settings), read_share=0.0)["mechanics"]
    assert alone is not None
    assert pair.streams is not None
    assert pair.copies == 2
    assert pair.visits == pytest.approx(2)
    assert pair.streams.starts == alone.starts
    assert (pair.streams.outstanding, pair.streams.bytes) == (2, 64 * KIB)
    for level, count in (("0", 2), ("10", 4), ("1E", 3)):
        system = behind("praid-cp400i", count, level, **settings)
        assert stations(system, read_share=0.0)["mechanics"].streams is None
    assert stations(behind("praid-cp400i", 2, "1", **settings))["mechanics"].streams is None


def test_one_writer_is_no_matter_for_streams_and_one_that_reads_too_is() -> None:
    system = behind("psas-cp400i", level="JBOD")
    for read_share in (0.0, 1.0):
        assert stations(system, read_share=read_share, workers=1)["mechanics"].streams is None
    mixed = stations(system, read_share=0.5, workers=1)["mechanics"].streams
    assert mixed is not None
    assert mixed.starts == pytest.approx((GIB,))


def test_nothing_at_random_and_nothing_over_several_disks() -> None:
    alone = behind("psas-cp400i", level="JBOD")
    assert stations(alone, random_share=1.0)["mechanics"].streams is None
    assert stations(behind("praid-ep420i", count=2, read="no-read-ahead"))["mechanics"].streams is None
    assert all(station.streams is None for station in stations(virtual_system()).values())


def test_a_controller_fetches_four_times_256_kib_ahead_of_a_reader() -> None:
    found = stations(behind("praid-cp400i", read="read-ahead"))
    streams = found["mechanics"].streams
    assert streams is not None
    assert streams.readers is not None
    assert streams.bytes == 256 * KIB
    assert (streams.readers.outstanding, streams.readers.bytes, streams.readers.ahead) == (2, 64 * KIB, 4)
    assert found["mechanics"].visits == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("kib", "read_share", "settings", "fetched"),
    [
        (4, 0.5, {}, True),
        (32, 0.9, {}, True),
        (4, 0.3, {}, False),
        (128, 0.5, {}, False),
        (4, 0.5, {"drive_cache": "off"}, False),
        (4, 0.5, {"read": "no-read-ahead"}, False),
    ],
)
def test_small_writes_between_reads_are_fetched_over(
    kib: int, read_share: float, settings: dict[str, str], fetched: bool
) -> None:
    """Two fifths are reads at least, an eighth of 256 KiB and little more lies between them, and the disk's
    cache takes what is written: its arm has no part in who waits."""
    usual: dict[str, Any] = {"read": "read-ahead", "drive_cache": "on"}
    system = behind("praid-cp400i", **usual | settings)
    mechanics = stations(system, read_share=read_share, kib=kib)["mechanics"]
    assert (mechanics.streams is None) == fetched


def test_a_cache_sends_what_it_has_gathered_in_turn() -> None:
    """Half of the 32 commands that a drive with SATA takes are for it; strips of 256 KiB."""
    found = stations(behind("praid-ep420i", write="always-write-back"), read_share=0.0, kib=4)
    streams = found["mechanics"].streams
    assert streams is not None
    assert streams.in_turn
    assert (streams.outstanding, streams.bytes) == (16, 256 * KIB)
    assert streams.run == 1
    assert found["mechanics"].visits == pytest.approx(4 / 256)


@pytest.mark.parametrize(("count", "level", "run"), [(1, "0", 4), (2, "0", 2), (4, "0", 1), (4, "5", 1)])
def test_rows_that_a_write_makes_whole_follow_each_other(count: int, level: str, run: int) -> None:
    """Of 1 MiB, on rows of 256 KiB for each disk with data."""
    system = behind("praid-ep420i", count, level, write="always-write-back")
    streams = stations(system, read_share=0.0, kib=1024)["mechanics"].streams
    assert streams is not None
    assert streams.run == run


# On RAID 5 three strips of four are data; a pair holds each strip twice.
@pytest.mark.parametrize(
    ("level", "count", "strips"),
    [("0", 4, 1.0), ("5", 4, 4 / 3), ("6", 4, 2.0), ("1", 2, 2.0), ("10", 4, 2.0)],
)
def test_a_stream_behind_a_cache_is_written_in_whole_strips(level: str, count: int, strips: float) -> None:
    system = behind("praid-ep420i", count, level, write="always-write-back")
    strip = system.controllers[0].logicals[0].array.strip_bytes
    found = stations(system, read_share=0.0, kib=4, workers=1)["command"]
    assert found.visits == pytest.approx(4 * KIB / strip * strips)


def test_streams_are_reckoned_once_however_often_their_network_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Chains of equal disks meet at the processor of a controller, round by round, and cores wake up; nothing
    of that changes what a disk does for streams behind a cache."""
    reckoned, streams_rate = list[str](), _core.streams_rate

    def counted(streams: str) -> float:
        reckoned.append(streams)
        rate: float = streams_rate(streams)
        return rate

    monkeypatch.setattr(_core, "streams_rate", counted)
    virtual._between_s.cache_clear()
    logical = {"drive": "seagate-exos-x20-20tb", "level": "0"}
    controller = {"part": "praid-ep420i", "write": "always-write-back", "logical": [logical] * 4}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))
    targets = tuple(
        PlannedTarget(path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=GIB)
        for volume in system.volumes
    )
    point = Point(
        index=0, sweep="s", outstanding=8, workers=8, seed=1, system="made-up", engine="simulator",
        targets=targets,
        profile=LoadProfile(
            name="made", random_share=0.0, read_share=0.0, blocks=(Block(bytes=8 * KIB, weight=1.0),)
        ),
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95),
    )  # fmt: skip
    predict(point, system, bench.solve_network)
    assert len(reckoned) == len(set(reckoned)) == 1


def test_what_was_reckoned_once_is_what_the_solver_reckons() -> None:
    found = stations(behind("psas-cp400i", level="JBOD"))
    network = ClosedNetwork(stations=tuple(found.values()))
    text = _core.solve_network(network.model_dump_json(exclude_none=True), [3], "corrected")
    (solution,) = bench.solve_network(network, [3])
    (inside,) = json.loads(text)
    assert (solution.rate_s, solution.residence_s) == (inside["rate_s"], inside["residence_s"])


def test_streams_that_cannot_be_reckoned_are_refused() -> None:
    streams = stations(behind("psas-cp400i", level="JBOD"))["mechanics"].streams
    assert streams is not None
    with pytest.raises(ValueError, match="starts is 0"):
        _core.streams_rate(streams.model_copy(update={"starts": ()}).model_dump_json())
