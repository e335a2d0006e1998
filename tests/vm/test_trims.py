"""Trims on an NVMe drive: what the kernel counted, what the drive holds afterwards, and what is guarded."""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.plan import Point
from vm.guest import Guest, punches_holes
from vm.machine import SINGLE

TRIMS = 'read_share = 1.0\ntrim_share = 1.0\nblocks = "4k"'
BLOCK = 4096


def test_each_trim_reaches_the_drive(guest: Guest) -> None:
    name, medium = guest.device(SINGLE.serial), guest.medium(SINGLE.serial)
    if not punches_holes(guest.folder):
        pytest.skip("this file system punches no holes: trims leave no trace on it")
    medium.write_bytes(b"\xa5" * SINGLE.size_bytes)
    before = guest.stat(name)
    result = guest.measure(
        f"/dev/{name}", TRIMS, "--write-existing", "--identity", SINGLE.serial, outstanding=1
    )
    counted, issued = guest.stat(name) - before, result["reading"]["issued"]
    assert issued["trims"] > 0
    assert result["reading"]["trims"]["errors"] == []
    assert (counted.trims, counted.trimmed_bytes) == (issued["trims"], issued["trimmed_bytes"])
    assert counted.writes == 0
    held = medium.read_bytes()
    zeros = {at for at in range(0, len(held), BLOCK) if not any(held[at : at + BLOCK])}
    sequence = bench.accesses(Point.model_validate(result["point"]), count=issued["trims"])
    assert zeros == {offset for _, offset, _ in sequence}
    assert len(held) == SINGLE.size_bytes
    assert result["point"].get("worker_cpus", []) == [], "this drive hangs on no node: nothing is pinned"
    assert guest.word(f"/sys/block/{name}/device/numa_node") == "-1"


def test_what_is_on_a_drive_is_guarded(guest: Guest) -> None:
    name = guest.device(SINGLE.serial)
    device, typed = f"/dev/{name}", ("--write-existing", "--identity", SINGLE.serial)
    guest.sh(f"mkfs.ext4 -q {device}; mkdir -p /run/place; sync")
    before = guest.stat(name)
    try:
        signed = guest.try_to_measure(device, TRIMS, "--write-existing")
        assert signed.code == 2
        assert "carries ext4" in signed.err
        assert "--overwrite-signature" in signed.err
        assert "needs its serial number" in signed.err
        guest.sh(f"mount {device} /run/place")
        mounted = guest.try_to_measure(device, TRIMS, *typed, "--overwrite-signature")
        assert mounted.code == 2
        assert "is mounted at /run/place" in mounted.err
        assert (guest.stat(name) - before).trims == 0
    finally:
        guest.sh(f"umount /run/place; blkdiscard -f {device}", may_fail=True)
