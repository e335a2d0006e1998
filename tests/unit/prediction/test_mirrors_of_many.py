"""RAID 1 of three drives and more: whose it can be, what it holds, and what it comes to."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from iodyno import bench
from iodyno.analysis.interfaces import chain
from iodyno.catalog.checks import check
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import SystemSpec, system_of
from iodyno.errors import CatalogError
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.rough import rough
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import OnHostRaid, VirtualSystem

SSD, DISK = "toshiba-px02smf040", "hgst-huc156045css204"


def of_host(count: int, software: str = "linux-nvme", **more: Any) -> SystemSpec:
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": software}
    group = {"drive": "intel-p3700-1600", "count": count, "level": "1", **more}
    return system_of({"name": "made", "host": host, "drives": [group]})


def behind(count: int, drive: str = SSD, part: str = "psas-cp400i", **more: Any) -> SystemSpec:
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "linux-scsi"}
    logical = {"drive": drive, "count": count, "level": "1", "raid": "host", **more}
    return system_of({"name": "made", "host": host, "controller": [{"part": part, "logical": [logical]}]})


def asked(system: VirtualSystem, read: float, outstanding: int, workers: int = 1, random: float = 1) -> Point:
    size = system.volumes[0].size_bytes
    target = PlannedTarget(
        path=system.volumes[0].name, kind="virtual", size_bytes=size, area_length_bytes=size // 4 >> 20 << 20
    )
    block = Block(bytes=4096 if random else 65536, weight=1.0)
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95, warmup_ios=4000, floor_ios=4000,
        cap_ios=8000,
    )  # fmt: skip
    profile = LoadProfile(name="x", random_share=random, read_share=read, blocks=(block,))
    return Point(
        index=0, sweep="s", profile=profile,
        outstanding=outstanding, workers=workers, seed=1, system="made", engine="simulator",
        targets=(target,), stopping=stopping,
    )  # fmt: skip


def rates(spec: SystemSpec, *of: Any, **more: Any) -> tuple[float, float]:
    """By the simulator and by the formulas, which are not said to be rough."""
    system = resolve(spec)
    point = asked(system, *of, **more)
    assert rough(point, system, bench.solve_network) == ()
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    return simulated, predict(point, system, bench.solve_network).rate_io_s


@pytest.mark.parametrize("make", [of_host, behind])
@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_each_drive_has_all_data(make: Any, count: int) -> None:
    spec = make(count)
    assert list(check(spec)) == []
    system = resolve(spec)
    (volume,) = system.volumes
    assert isinstance(volume.on, OnHostRaid)
    assert len(volume.on.array.drives) == count
    assert volume.size_bytes == system.drives[0].model.capacity_bytes // 65536 * 65536


def told(spec: SystemSpec) -> list[str]:
    return [problem.what for problem in check(spec)]


@pytest.mark.parametrize(
    ("spec", "what", "hint"),
    [
        (of_host(1), "RAID 1 needs at least 2 drives, not 1", "take 2 drives or more"),
        (behind(1), "RAID 1 needs at least 2 drives, not 1", "take 2 drives or more"),
        (of_host(3, "windows-2012-ntfs-nvme"), "RAID 1 needs 2 drives, not 3",
         "take 2 drives, or RAID 10; RAID 1 of more: software linux-nvme, rhel-7.3-nvme"),
        (of_host(1, "windows-2012-ntfs-nvme"), "RAID 1 needs 2 drives, not 1", "take 2 drives, or RAID 10"),
        (behind(3, raid="controller"), "RAID 1 needs 2 drives, not 3", "take 2 drives, or RAID 10"),
        (behind(4, part="praid-ep420i", raid=None), "RAID 1 needs 2 drives, not 4",
         "take 2 drives, or RAID 10"),
        (of_host(3, failed=[0, 1, 2]), "RAID 1 does not survive that", "let fewer members fail, or others"),
    ],
)  # fmt: skip
def test_what_cannot_be(spec: SystemSpec, what: str, hint: str) -> None:
    assert [(problem.what, problem.hint) for problem in check(spec)] == [(what, hint)]


def test_all_but_one_may_fail() -> None:
    for failed in itertools.combinations(range(4), 3):
        resolve(of_host(4, failed=list(failed)))
    with pytest.raises(CatalogError, match="does not survive"):
        resolve(behind(2, failed=[0, 1]))


def test_all_sides_that_are_left_read() -> None:
    one = chain(resolve(of_host(2, failed=[0]))).media
    assert [chain(resolve(of_host(count))).media / one for count in (2, 3, 5)] == [2, 3, 5]
    assert chain(resolve(of_host(5, failed=[1, 2]))).media == 3 * one


def test_writes_through_an_adapter_take_an_io_of_it_for_each_drive() -> None:
    """Its processor is the limit: reads one operation, writes n; half of each (1 + n) ÷ 2."""
    reads, predicted = rates(behind(2), 1.0, 64)
    assert predicted == pytest.approx(reads, rel=0.01)
    for count in (2, 3, 5, 8):
        for read, operations in ((1.0, 1.0), (0.0, count), (0.5, (1 + count) / 2)):
            for found in rates(behind(count), read, 64):
                assert found * operations == pytest.approx(reads, rel=0.03), (count, read)


def test_a_write_alone_waits_for_the_last_copy_through_the_adapter() -> None:
    """One copy more is one operation of the worker more, and one of the adapter before the last."""
    child_s = resolve(behind(2)).volumes[0].child_cpu.write_ps * 1e-12
    assert child_s == pytest.approx(5500 / 2.6e9, rel=1e-5)
    step_s = child_s + 1 / rates(behind(2), 1.0, 64)[0]
    least = [1 / found for found in rates(behind(2), 0.0, 1)]
    for count in (3, 5, 8):
        for found, two in zip(rates(behind(count), 0.0, 1), least, strict=True):
            assert 1 / found - two == pytest.approx((count - 2) * step_s, rel=0.02), count


def test_reads_are_shared_by_all_that_are_left() -> None:
    """Enough outstanding that the disks are the limit: as many times the one as there are, and no more."""
    for count, failed in ((3, []), (4, [1]), (6, [0, 5])):
        left = count - len(failed)
        found = rates(behind(count, DISK, failed=failed), 1.0, 8 * left)
        one = rates(behind(2, DISK, failed=[1]), 1.0, 8)
        for many, alone in zip(found, one, strict=True):
            assert many / alone == pytest.approx(left, rel=0.05), (count, failed)


@pytest.mark.parametrize("readers", [1, 2, 3])
def test_readers_in_order_have_a_drive_each_while_there_are_enough(readers: int) -> None:
    """Each is as fast as alone: its drive fetches ahead of it, and of none of two."""
    alone = rates(of_host(3), 1.0, 1, 1, random=0)
    many = rates(of_host(3), 1.0, 1, readers, random=0)
    for found, one in zip(many, alone, strict=True):
        assert found / readers == pytest.approx(one, rel=0.01)
    six = rates(of_host(3), 1.0, 1, 6, random=0)
    assert all(found < 2 * one for found, one in zip(six, alone, strict=True))


@pytest.mark.parametrize(
    ("outstanding", "more", "marked"),
    [(1, {}, False), (2, {}, True), (6, {}, True), (7, {}, False), (2, {"failed": [0, 1]}, False),
     (4, {"failed": [1]}, True), (5, {"failed": [1]}, False), (2, {"drive": SSD}, False)],
)  # fmt: skip
def test_few_reads_of_disks_are_marked(outstanding: int, more: dict[str, Any], marked: bool) -> None:
    """As many reads as there are disks keep all busy, where the formulas have some of them meet."""
    system = resolve(behind(3, **{"drive": DISK, **more}))
    reasons = rough(asked(system, 1.0, outstanding), system, bench.solve_network)
    assert any("the idlest" in reason.what for reason in reasons) is marked
    assert not rough(asked(system, 0.0, outstanding), system, bench.solve_network)


@pytest.mark.parametrize("count", [2, 4, 6])
def test_a_deep_reader_is_as_deep_on_any_number_of_mirrors(count: int) -> None:
    """They are one set of copies, however many: 512 kB outstanding in order are half a track of it."""
    system = resolve(behind(count, drive=DISK))
    for outstanding, marked in ((7, False), (8, True)):
        reasons = rough(asked(system, 1.0, outstanding, random=0), system, bench.solve_network)
        assert any("mirrored disks in order, much at a time" in reason.what for reason in reasons) is marked


@pytest.mark.parametrize("count", [3, 6, 8])
def test_two_reads_of_a_stream_take_two_mirrors_of_as_many_as_there_are(count: int) -> None:
    """Of eight, each drive read every eighth MiB and saw no stream: two at once were slower than one."""
    one, pair, many = (in_order(2, 1), in_order(2, 2), in_order(count, 2))
    assert many == pytest.approx(pair, rel=0.01)
    assert many > one


def in_order(count: int, outstanding: int) -> float:
    """Reads of a MiB one after the other."""
    system = resolve(of_host(count, drive="samsung-pm9a3-3840"))
    point = asked(system, 1.0, outstanding, random=0)
    profile = point.profile.model_copy(update={"blocks": (Block(bytes=1 << 20, weight=1.0),)})
    point = point.model_copy(update={"profile": profile})
    return bench.simulate_point(point, system).transaction_rate_io_s
