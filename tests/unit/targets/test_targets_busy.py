"""A device in use is never free, whoever uses it; the trees in sysfs and proc are made up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from iodyno.targets.busy import why_busy, why_claimed
from iodyno.targets.signature import Signature
from made_up_machine import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_device_that_nothing_uses_is_free(machine: Machine) -> None:
    assert machine.busy("sda") == machine.busy("sda1") == machine.busy("sdb") == ""


def test_a_mounted_partition_makes_its_disk_busy_but_not_its_neighbour(machine: Machine) -> None:
    machine.mount("8:1", "/dev/sda1", "/srv/my\\040data")
    assert machine.busy("sda1") == "/dev/sda1 is mounted at /srv/my data"
    assert machine.busy("sda") == "/dev/sda1 is mounted at /srv/my data"
    assert machine.busy("sda2") == ""


def test_the_root_disk_is_busy(machine: Machine) -> None:
    assert "is mounted at /" in machine.busy("nvme0n1")


def test_a_mount_is_known_by_its_source_where_its_number_says_nothing(machine: Machine) -> None:
    machine.mount("0:40", "/dev/sdb", "/pool", "btrfs")
    assert machine.busy("sdb") == "/dev/sdb is mounted at /pool"


def test_a_disk_mounted_as_a_whole_makes_its_partitions_busy(machine: Machine) -> None:
    machine.mount("8:0", "/dev/sda", "/whole")
    assert machine.busy("sda2") == "/dev/sda is mounted at /whole"


def test_an_overlapping_partition_counts(machine: Machine) -> None:
    machine.part("sda", "sda5", "8:5", 410, 100)
    machine.mount("8:5", "/dev/sda5", "/inner")
    assert machine.busy("sda2") == "/dev/sda5 is mounted at /inner"
    assert machine.busy("sda1") == ""


def test_swap(machine: Machine) -> None:
    machine.swap("/dev/sda2")
    assert machine.busy("sda2") == machine.busy("sda") == "/dev/sda2 is in use as swap"
    assert machine.busy("sda1") == ""


def test_md(machine: Machine) -> None:
    machine.disk("md0", "9:0", 800)
    machine.write("sys/devices/block/md0/md/level", "raid1")
    machine.hold("md0", "sda1", "sdb")
    assert machine.busy("sdb") == "/dev/sdb is held by the md array md0"
    assert machine.busy("sda") == "/dev/sda1 is held by the md array md0"
    assert machine.busy("sda2") == ""
    assert machine.busy("md0") == "", "an array may be a target itself"


def test_a_disk_held_as_a_whole_makes_a_stale_partition_busy(machine: Machine) -> None:
    machine.disk("md0", "9:0", 800)
    machine.write("sys/devices/block/md0/md/level", "raid1")
    machine.hold("md0", "sda")
    assert machine.busy("sda1") == "/dev/sda is held by the md array md0"


def test_a_mount_two_holders_up_is_seen(machine: Machine) -> None:
    machine.disk("md0", "9:0", 800)
    machine.write("sys/devices/block/md0/md/level", "raid1")
    machine.part("md0", "md0p1", "259:9", 8, 100)
    machine.hold("md0", "sdb")
    machine.mount("259:9", "/dev/md0p1", "/data")
    assert "/dev/md0p1 is mounted at /data" in machine.busy("sdb")


@pytest.mark.parametrize(
    ("uuid", "name", "words"),
    [
        ("LVM-abc", "vg-root", "the LVM volume vg-root"),
        ("CRYPT-LUKS2-abc", "secret", "the device mapper's secret"),
    ],
)
def test_lvm_and_device_mapper(machine: Machine, uuid: str, name: str, words: str) -> None:
    machine.disk("dm-0", "253:0", 300)
    machine.write("sys/devices/block/dm-0/dm/uuid", uuid + "\n")
    machine.write("sys/devices/block/dm-0/dm/name", name + "\n")
    machine.hold("dm-0", "sda2")
    assert machine.busy("sda2") == machine.busy("sda") == f"/dev/sda2 is held by {words}"


def test_every_member_of_a_mounted_btrfs(machine: Machine) -> None:
    machine.write("sys/fs/btrfs/features/x", "0")
    for name in ("sda1", "sdb"):
        link = machine.root / f"sys/fs/btrfs/11-22/devices/{name}"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(machine.root / "sys/class/block" / name)
    assert machine.busy("sdb") == "/dev/sdb is part of the mounted btrfs 11-22"
    assert machine.busy("sda") == "/dev/sda1 is part of the mounted btrfs 11-22"
    assert machine.busy("sda2") == ""


def test_a_loop_device_over_a_device_holds_it(machine: Machine) -> None:
    machine.disk("loop3", "7:3", 100)
    machine.write("sys/devices/block/loop3/loop/backing_file", "/dev/sdb\n")
    assert machine.busy("sdb") == "/dev/sdb is held by the loop device loop3"


def loop(machine: Machine, number: int, backing: str, *, behind: str = "", sectors: int = 100) -> None:
    name = f"loop{number}"
    machine.disk(name, f"7:{number}", sectors)
    machine.write(f"sys/devices/block/{name}/loop/backing_file", backing + "\n")
    if behind:
        machine.behind[f"7:{number}"] = behind


def test_the_kernel_is_asked_what_is_behind_a_loop_device_and_its_name_is_not_trusted(
    machine: Machine,
) -> None:
    loop(machine, 3, "/dev/sda (deleted)", behind="8:16")
    assert machine.busy("sdb") == "/dev/sdb is held by the loop device loop3"
    assert machine.busy("sda") == ""


def test_of_what_is_out_of_sight_only_a_device_that_is_large_enough_is_doubted(machine: Machine) -> None:
    loop(machine, 3, "/dev/vg/gone (deleted)", sectors=1000)
    said = "/dev/loop3 may lie on it: it is attached to /dev/vg/gone (deleted), which is out of sight here"
    assert machine.busy("sdb") == machine.busy("sda1") == said
    machine.disk("sdc", "8:32", 999)
    assert machine.busy("sdc") == ""


def test_images_of_another_mount_namespace_hold_up_no_device(machine: Machine) -> None:
    """In a container each of the host's snaps is a loop device over a file that is not there."""
    loop(machine, 3, "/var/lib/snapd/snaps/core_1.snap")
    loop(machine, 4, "/dev/shm/image")
    assert machine.busy("sdb") == ""


def test_loop_devices_over_one_file(machine: Machine) -> None:
    loop(machine, 3, "/srv/image", behind="259:1:77")
    loop(machine, 4, "/srv/other name", behind="259:1:77")
    loop(machine, 5, "/srv/image", behind="259:1:78")
    assert machine.busy("loop3") == "the file behind /dev/loop3 is behind /dev/loop4 too"
    assert machine.busy("loop5") == ""
    loop(machine, 6, "/srv/image (deleted)")
    assert machine.busy("loop5") == (
        "/dev/loop6 may lie on it: it is attached to /srv/image (deleted), which is out of sight here"
    )
    machine.disk("md0", "9:0", 800)
    machine.write("sys/devices/block/md0/md/level", "raid1")
    machine.hold("md0", "loop4")
    assert "/dev/loop4 is held by the md array md0" in machine.busy("loop3")


def test_what_a_loop_device_lies_on_is_in_use_with_its_parts(machine: Machine) -> None:
    loop(machine, 3, "/dev/sda", behind="8:0", sectors=1000)
    loop(machine, 4, "/dev/sda2", behind="8:2")
    assert machine.busy("loop4") == "/dev/sda is held by the loop device loop3"
    machine.mount("8:1", "/dev/sda1", "/home")
    assert "/dev/sda1 is mounted at /home" in machine.busy("loop3")
    assert "/home" not in machine.busy("loop4")


def test_swap_in_the_file_behind_a_loop_device(machine: Machine) -> None:
    loop(machine, 3, "/srv/swap", behind="259:1:77")
    machine.swap("/srv/swap", "file")
    host = replace(machine.host, file_of=lambda path: {"/srv/swap": "259:1:77"}.get(str(path)))
    assert why_busy(machine.device("loop3"), host) == ("the file behind /dev/loop3 is in use as swap",)


def test_a_ring_of_loop_devices_ends(machine: Machine) -> None:
    loop(machine, 3, "/dev/loop4", behind="7:4")
    loop(machine, 4, "/dev/loop3", behind="7:3")
    assert machine.busy("loop3") == ""


def test_zfs_is_named_by_its_label_on_any_partition(machine: Machine) -> None:
    label = {"/dev/sda1": Signature(("zfs_member",)), "/dev/sda": Signature(("gpt",))}
    host = replace(
        machine.host,
        exclusive_failure=lambda path: "is open exclusively",
        signature=lambda path: label.get(path, Signature()),
    )
    assert why_claimed("/dev/sda", machine.device("sda"), host) == (
        "/dev/sda is in use by ZFS: it is open exclusively",
    )
    assert why_claimed("/dev/sdb", machine.device("sdb"), host) == ("/dev/sdb is open exclusively",)


def test_a_device_that_nothing_claims_is_free(machine: Machine) -> None:
    assert why_claimed("/dev/sda", machine.device("sda"), machine.host) == ()


def test_holders_that_form_a_ring_end(machine: Machine) -> None:
    machine.hold("sda", "sdb")
    machine.hold("sdb", "sda")
    machine.mount("8:2", "/dev/sda2", "/inner")
    assert "/dev/sda2 is mounted at /inner" in machine.busy("sda")
    assert "/dev/sda2 is mounted at /inner" in machine.busy("sdb")
