"""Polled completions, and on which processors workers run: the interrupts of the drives are the witness."""

from __future__ import annotations

import pytest

from vm.guest import Guest
from vm.machine import CPUS, FAR_NODE, POLLED, SHARED, SINGLE, Drive

READS = 'read_share = 1.0\nblocks = "4k"'


def controllers(guest: Guest, drive: Drive) -> list[str]:
    """Give the guest's names of the controllers that lead to a drive."""
    serials = guest.read("/sys/class/nvme/nvme*/serial")
    return [path.split("/")[4] for path, text in serials.items() if text.strip() == drive.serial]


class Counted:
    """What a run of reads, one after the other, did to a drive."""

    def __init__(self, guest: Guest, drive: Drive, *words: str) -> None:
        device, ways = guest.device(drive.serial), controllers(guest, drive)
        assert len(ways) == drive.ways
        reads, before = guest.at_device(drive.serial), [guest.interrupts(way) for way in ways]
        result = guest.measure(f"/dev/{device}", READS, *words, outstanding=1)
        after = [guest.interrupts(way) for way in ways]
        self.reads = guest.at_device(drive.serial)["rd_operations"] - reads["rd_operations"]
        self.interrupts = [
            sum(late[cpu] - early[cpu] for late, early in zip(after, before, strict=True))
            for cpu in range(len(after[0]))
        ]
        self.cpus = tuple(result["point"].get("worker_cpus", ()))
        self.reading = result["reading"]
        self.tags = result["observation"]["device_tags"]
        self.issued = self.reading["issued"]["reads"]
        assert self.issued > 0
        assert self.reads >= self.issued, "direct I/O: the drive itself has done every read"
        assert self.reading["reads"]["errors"] == []


@pytest.fixture(scope="module")
def interrupted(guest: Guest) -> Counted:
    return Counted(guest, POLLED)


@pytest.fixture(scope="module", params=[POLLED, SHARED], ids=["one way", "two ways"])
def polled(guest: Guest, request: pytest.FixtureRequest) -> Counted:
    return Counted(guest, request.param, "--iopoll")


def test_a_drive_interrupts_for_each_read(interrupted: Counted) -> None:
    assert interrupted.issued <= sum(interrupted.interrupts) <= interrupted.reads * 1.1
    assert "IOPOLL" not in interrupted.reading["engine"]["setup"]


def test_workers_run_on_the_node_of_their_drive(interrupted: Counted) -> None:
    """A drive interrupts the processor that asked it: each has a queue of its own."""
    assert interrupted.cpus == CPUS[FAR_NODE]
    assert sum(interrupted.interrupts[cpu] for cpu in CPUS[FAR_NODE]) >= interrupted.issued


def test_polled_reads_make_no_interrupts_and_run_there_too(polled: Counted) -> None:
    assert "IOPOLL" in polled.reading["engine"]["setup"]
    others = polled.reads - polled.issued
    assert sum(polled.interrupts) <= others, "only what was read before the load, to look, is not polled"
    assert polled.cpus == CPUS[FAR_NODE]


def test_what_a_drive_takes_at_once_is_that_of_the_queues_in_use(guest: Guest, interrupted: Counted) -> None:
    name = guest.device(POLLED.serial)
    kinds = [kind.strip() for kind in guest.read(f"/sys/kernel/debug/block/{name}/hctx*/type").values()]
    tags = int(guest.word(f"/sys/block/{name}/mq/0/nr_tags"))
    polled = Counted(guest, POLLED, "--iopoll")
    assert polled.tags == tags * kinds.count("poll") > 0
    assert interrupted.tags == tags * (len(kinds) - kinds.count("poll")) != polled.tags


def test_a_drive_without_poll_queues_is_refused(guest: Guest) -> None:
    device = guest.device(SINGLE.serial)
    assert guest.word(f"/sys/block/{device}/queue/io_poll") == "0"
    said = guest.try_to_measure(f"/dev/{device}", READS, "--iopoll")
    assert said.code == 2
    assert f"no poll queues of a driver are there for /dev/{device}" in said.err
    assert "nvme.poll_queues=4" in said.err


def test_another_processor_can_be_asked_for(guest: Guest) -> None:
    found = Counted(guest, POLLED, "--pinning", "0")
    assert found.cpus == (0,)
    assert found.interrupts[0] >= found.issued
