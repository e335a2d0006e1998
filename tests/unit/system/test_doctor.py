"""The doctor: each thing that disturbs is found in a made-up machine, and a good one is left in peace."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from iodyno.doctor import Check, Probe, examine, look_at
from iodyno.doctor import Place as Target
from iodyno.errors import TargetError
from iodyno.system import read_system
from iodyno.system.devices import device_tags, queue_requests
from iodyno.targets.host import Host as Devices
from made_up_system import Place, Tree

ALL_TOOLS = ("smartctl", "nvme", "dmidecode", "blkid")
ENGINES = {"io_uring": "", "aio": "", "sync": ""}
FREE = Probe(limit=lambda which: -1, direct=lambda path: True)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A machine that has nothing against a measurement: one NVMe drive on its full link."""
    good = Tree(tmp_path, answers=dict.fromkeys(ALL_TOOLS, "{}"))
    good.cpus(4, governor="performance")
    for index in range(4):
        good.write(f"sys/devices/system/cpu/cpu{index}/cpuidle/state2/disable", 1)
        good.write(f"sys/devices/system/cpu/cpu{index}/thermal_throttle/core_throttle_count", 0)
    good.write("sys/devices/system/cpu/intel_pstate/no_turbo", 1)
    good.write("sys/devices/system/cpu/vulnerabilities/meltdown", "Not affected")
    good.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc")
    good.write("proc/sys/kernel/osrelease", "6.12.48+deb13-amd64")
    good.write("proc/meminfo", "MemTotal: 16777216 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB")
    good.write("proc/loadavg", "0.10 0.20 0.30 1/200 300")
    good.write("proc/stat", "cpu  10 0 10 80 0 0 0 0 0 0")
    good.nvme(speed="16.0 GT/s PCIe", io_poll=1)
    smart = '{"smart_status": {"passed": true}, "temperature": {"current": 38}}'
    good.answers["smartctl"] = smart
    return good


def checks(
    tree: Tree,
    device: str | None = "nvme0n1",
    *,
    engines: Mapping[str, str] | None = ENGINES,
    probe: Probe = FREE,
    file_system: str = "ext4",
) -> tuple[Check, ...]:
    place = Place(path=str(tree.root), device=device, file_system=file_system)
    return examine(read_system([place], host=tree.host), engines=engines, host=tree.host, probe=probe)


def found(tree: Tree, code: str, **more: Any) -> Check:
    (check,) = (check for check in checks(tree, **more) if check.code == code)
    return check


def test_a_machine_that_is_set_up_for_measuring_is_left_in_peace(tree: Tree) -> None:
    assert [check for check in checks(tree) if check.state != "good" and check.code != "space"] == []


def test_the_governor(tree: Tree) -> None:
    tree.write("sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "powersave")
    check = found(tree, "governor")
    assert (check.state, check.hint) == ("warning", "cpupower frequency-set -g performance")
    assert "powersave" in check.what


@pytest.mark.parametrize(
    ("path", "value", "code", "state"),
    [
        ("sys/devices/system/cpu/cpu0/cpuidle/state2/disable", 0, "idle_states", "warning"),
        ("sys/devices/system/cpu/intel_pstate/no_turbo", 0, "turbo", "warning"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet", "clock", "warning"),
        ("sys/devices/system/cpu/cpu2/thermal_throttle/package_throttle_count", 3, "throttling", "warning"),
        ("proc/sys/kernel/osrelease", "5.10.0-30-amd64", "kernel", "warning"),
        ("proc/meminfo", "MemTotal: 9 kB\nSwapTotal: 999999 kB\nSwapFree: 0 kB", "swap", "warning"),
        ("proc/loadavg", "1.01 0.20 0.30 1/200 300", "load", "warning"),
        ("proc/77/comm", "irqbalance", "irqbalance", "warning"),
        ("proc/cpuinfo", "processor : 0\nflags : hypervisor", "virtual_machine", "warning"),
    ],
)  # fmt: skip
def test_each_setting_of_the_machine_is_found(
    tree: Tree, path: str, value: object, code: str, state: str
) -> None:
    assert found(tree, code).state == "good"
    tree.write(path, value)
    assert found(tree, code).state == state


def accesses(tree: Tree, opened: str | None = None, *, writable: bool = True) -> list[Check]:
    place = Target("/dev/nvme0n1p2", "device", "nvme0n1", "nvme0n1p2")
    probe = Probe(opened=lambda path: opened, writable=lambda path: writable)
    system = read_system([place], host=tree.host)
    found = examine(system, places=[place], host=tree.host, probe=probe)
    return [check for check in found if check.code == "access"]


def test_a_device_that_cannot_be_opened_or_written_is_found(tree: Tree) -> None:
    tree.write("sys/class/block/nvme0n1p2/ro", 0)
    assert [check.state for check in accesses(tree)] == ["good"]
    (check,) = accesses(tree, "Permission denied")
    assert (check.state, check.subject) == ("bad", "nvme0n1p2")
    assert check.what == "the device cannot be opened: Permission denied"
    (check,) = accesses(tree, writable=False)
    assert (check.state, "may not be written by this user" in check.what) == ("warning", True)
    tree.write("sys/class/block/nvme0n1p2/ro", 1)
    (check,) = accesses(tree)
    assert (check.state, "is read-only" in check.what) == ("warning", True)
    assert "access" not in {check.code for check in checks(tree)}, "a file on it is asked for no device"


def test_without_blkid_no_device_is_written(tree: Tree) -> None:
    del tree.answers["blkid"]
    assert "no device is written" in found(tree, "tool_blkid").what


def test_battery(tree: Tree) -> None:
    tree.write_all("sys/class/power_supply/BAT0", {"type": "Battery"})
    tree.write_all("sys/class/power_supply/AC", {"type": "Mains", "online": 0})
    assert found(tree, "battery").state == "bad"
    tree.write_all("sys/class/power_supply/AC", {"online": 1})
    assert found(tree, "battery").state == "good"


def test_a_machine_without_a_battery_does_not_run_on_one(tree: Tree) -> None:
    """Ports that could take power are supplies too (UCSI), and a mouse has a battery of its own."""
    tree.write_all("sys/class/power_supply/ucsi-source-psy-1", {"type": "USB", "online": 0})
    tree.write_all("sys/class/power_supply/hidpp_battery_0", {"type": "Battery", "scope": "Device"})
    assert "battery" not in {check.code for check in checks(tree)}
    tree.write_all("sys/class/power_supply/BAT0", {"type": "Battery", "scope": "System"})
    assert found(tree, "battery").state == "bad"


def test_a_virtual_machine_tells_what_was_stolen(tree: Tree) -> None:
    tree.write("proc/cpuinfo", "processor : 0\nflags : hypervisor")
    tree.write("proc/stat", "cpu  10 0 10 75 0 0 0 5 0 0")
    assert "5.0% of CPU time stolen" in found(tree, "virtual_machine").what


@pytest.mark.parametrize(
    ("name", "value", "code", "state"),
    [
        ("scheduler", "none [mq-deadline]", "scheduler", "warning"),
        ("nr_requests", 256, "requests", "warning"),
        ("iostats", 0, "iostats", "bad"),
        ("io_poll", 0, "poll_queues", "warning"),
    ],
)  # fmt: skip
def test_each_setting_of_the_queue_is_found(
    tree: Tree, name: str, value: object, code: str, state: str
) -> None:
    assert found(tree, code).state == "good"
    folder = (tree.root / "sys/class/block/nvme0n1").resolve().relative_to(tree.root)
    tree.write(f"{folder}/queue/{name}", value)
    check = found(tree, code)
    assert (check.state, check.subject) == (state, "nvme0n1")


def test_requests_that_wait_are_counted(tree: Tree) -> None:
    folder = (tree.root / "sys/class/block/nvme0n1").resolve().relative_to(tree.root)
    tree.write(f"{folder}/queue/nr_requests", 128)
    assert "of 512 outstanding I/Os 384 wait" in found(tree, "requests").what


def test_tags_that_a_load_exceeds_are_counted(tree: Tree) -> None:
    assert "tags" not in {check.code for check in checks(tree)}
    folder = (tree.root / "sys/class/block/nvme0n1").resolve().relative_to(tree.root)
    tree.write(f"{folder}/mq/0/nr_tags", 128)
    assert "takes 128 at once: of 512 outstanding I/Os 384 wait" in found(tree, "tags").what


def test_queues_are_counted_as_the_verdict_counts_them(tree: Tree) -> None:
    """A SAS drive of 64 commands behind 16 queues of 1013 tags passed; 8 queues of 256 were 256 requests."""
    folder = str((tree.root / "sys/class/block/nvme0n1").resolve().relative_to(tree.root))
    for number in range(8):
        tree.write(f"{folder}/mq/{number}/nr_tags", 256)
    tree.write(f"{folder}/queue/nr_requests", 256)
    check = found(tree, "requests")
    assert (check.state, check.what) == ("good", "256 requests a queue, 8 queues")
    assert queue_requests(tree.host, "nvme0n1") == 2048
    tree.write(f"{folder}/device/queue_depth", 64)
    check = found(tree, "tags")
    assert (check.state, device_tags(tree.host, "nvme0n1")) == ("warning", 64)
    assert "takes 64 at once: of 512 outstanding I/Os 448 wait" in check.what


CARD = "sys/devices/pci0000:00/0000:00:1d.0/0000:01:00.0"


def test_a_drive_on_two_of_its_four_lanes(tree: Tree) -> None:
    tree.write(f"{CARD}/current_link_width", 2)
    check = found(tree, "link")
    assert (check.state, check.what) == ("bad", "PCIe link: 2 of 4 lanes")


def test_a_drive_in_a_slot_of_half_its_speed(tree: Tree) -> None:
    tree.write(f"{CARD}/current_link_speed", "8.0 GT/s PCIe")
    tree.write("sys/devices/pci0000:00/0000:00:1d.0/max_link_speed", "8.0 GT/s PCIe")
    what = found(tree, "link").what
    assert what == "PCIe link: 8 of 16 GT/s, because the port has no more than 8"


def test_a_sata_drive_at_half_its_speed(tree: Tree) -> None:
    tree.sata(speed="3.0 Gbps")
    check = found(tree, "link", device="sda")
    assert (check.state, check.what) == ("bad", "SATA link: 3 of 6 Gbit/s")
    assert "scheduler" in {check.code for check in checks(tree, "sda") if check.state == "good"}


def test_a_drive_that_fails_or_is_warm(tree: Tree) -> None:
    tree.answers["smartctl"] = '{"smart_status": {"passed": false}, "temperature": {"current": 78}}'
    controller = (tree.root / "sys/class/block/nvme0n1").resolve().parent.relative_to(tree.root)
    tree.hwmon(str(controller), temp1_input=78000, temp1_max=81850)
    assert (found(tree, "health").state, found(tree, "temperature").state) == ("bad", "warning")


def test_a_loop_device_through_the_page_cache(tree: Tree) -> None:
    tree.block("sys/devices/virtual/block/loop0", sectors=8)
    tree.write_all("sys/devices/virtual/block/loop0/loop", {"backing_file": "/x", "dio": 0})
    assert found(tree, "loop", device="loop0").state == "bad"


@pytest.mark.parametrize(("name", "state"), [("xfs", "good"), ("btrfs", "warning"), ("tmpfs", "bad")])
def test_the_file_system(tree: Tree, name: str, state: str) -> None:
    assert found(tree, "file_system", file_system=name).state == state


def test_a_full_file_system(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    space = {"/": (1000, 940, 50)}
    monkeypatch.setattr("iodyno.system.file_systems._space", lambda path: space["/"])
    assert found(tree, "space").state == "warning"
    space["/"] = (1000, 500, 450)
    assert found(tree, "space").state == "good"


def test_engines_that_are_not_to_be_had_say_why(tree: Tree) -> None:
    check = found(tree, "engine_io_uring", engines={"io_uring": "EPERM from io_uring_setup", "aio": ""})
    assert (check.state, "EPERM" in check.what) == ("warning", True)
    assert found(tree, "engine_io_uring", engines=None).state == "unknown"
    tree.write("proc/sys/kernel/io_uring_disabled", 2)
    assert found(tree, "engine_io_uring", engines=None).state == "warning"


def test_what_is_used_instead_of_the_ring_is_what_is_to_be_had(tree: Tree) -> None:
    """It named the kernel's aio where that was forbidden too, and blamed a container for a sysctl."""
    ring = {"io_uring": "Operation not permitted"}
    container = "containers often forbid io_uring by their seccomp profile"
    hint = found(tree, "engine_io_uring", engines={**ring, "aio": ""}).hint
    assert hint == f"the kernel's aio is used instead; {container}"
    hint = found(tree, "engine_io_uring", engines={**ring, "aio": "Operation not permitted"}).hint
    assert hint == f"threads that read and write are used instead; {container}"
    tree.write("proc/sys/kernel/io_uring_disabled", 2)
    hint = found(tree, "engine_io_uring", engines={**ring, "aio": ""}).hint
    assert hint == "the kernel's aio is used instead; `sysctl kernel.io_uring_disabled=0` allows it again"


def test_direct_io(tree: Tree) -> None:
    states = {True: "good", False: "bad", None: "unknown"}
    for possible, state in states.items():
        probe = Probe(limit=FREE.limit, direct=lambda path, possible=possible: possible)  # type: ignore[misc]
        assert found(tree, "direct_io", probe=probe).state == state


def test_a_user_with_narrow_limits_and_no_tools(tree: Tree) -> None:
    tree.is_root = False
    tree.answers = {}
    narrow = Probe(limit=lambda which: 1000, direct=FREE.direct)
    for code in ("root", "locked_memory", "open_files", *(f"tool_{tool}" for tool in ALL_TOOLS)):
        check = found(tree, code, probe=narrow)
        assert (check.state, bool(check.hint)) == ("warning", True)


def test_one_of_two_tools_that_read_the_same_is_enough(tree: Tree) -> None:
    tree.answers = {"smartctl": "{}"}
    check = found(tree, "tool_nvme")
    assert (check.state, check.hint) == ("good", "")
    assert "not needed: smartctl reads the same" in check.what


def test_what_cannot_be_read_is_unknown_with_the_reason(tmp_path: Path) -> None:
    empty = Tree(tmp_path, is_root=False)
    unknown = {check.code for check in checks(empty, None, engines=None) if check.state == "unknown"}
    assert unknown >= {"governor", "turbo", "idle_states", "clock", "mitigations", "load", "swap", "kernel"}


def test_a_path_is_followed_to_its_device(tree: Tree, tmp_path: Path) -> None:
    tree.partition("nvme0n1", "nvme0n1p2")
    (tree.root / "sys/dev/block").mkdir(parents=True)
    (tree.root / "sys/dev/block/259:2").symlink_to((tree.root / "sys/class/block/nvme0n1p2").resolve())
    tree.write("proc/self/mountinfo", f"30 22 259:2 / {tmp_path} rw,noatime - xfs /dev/nvme0n1p2 rw")
    place = look_at(tmp_path, Devices(proc=tree.root / "proc", sys=tree.root / "sys"))
    assert (place.device, place.partition, place.kind) == ("nvme0n1", "nvme0n1p2", "file")
    assert (place.file_system, place.mount_options) == ("xfs", "rw,noatime")


def test_a_path_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TargetError, match="does not exist"):
        look_at("/no/such/place")


def test_what_is_neither_folder_file_nor_block_device_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, kind in (("/dev/null", "a character device"), (tmp_path / "pipe", "a pipe")):
        with pytest.raises(TargetError, match=f"is {kind}") as refused:
            look_at(path)
        (problem,) = refused.value.problems
        assert (problem.where, problem.hint) == (str(path), "name a file, folder or block device")


def test_this_machine_is_examined_without_a_word(tmp_path: Path) -> None:
    results = examine(read_system([look_at(tmp_path)]))
    assert {check.code for check in results} >= {"kernel", "root", "direct_io", "file_system"}
    assert all(check.what for check in results)
