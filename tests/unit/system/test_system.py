"""The system under test, read from made-up trees and from the machine that the tests run on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from iodyno.catalog.tree import document_of
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve, written
from iodyno.system import FACT_LABELS, MISSING_REASONS, SECTION_LABELS, Fact, System, read_system
from iodyno.system.devices import device_tags, queue_requests
from iodyno.system.host import Missing, run_command
from iodyno.system.records import Section
from iodyno.system.virtual import describe
from made_up_system import Place, Tree

SMART = {
    "smart_status": {"passed": True},
    "temperature": {"current": 38},
    "power_on_time": {"hours": 1234},
    "nvme_smart_health_information_log": {
        "percentage_used": 3, "available_spare": 100, "media_errors": 0, "data_units_written": 2_000_000,
    },
}  # fmt: skip
NVME_LOG = {
    "critical_warning": 0, "temperature": 311, "avail_spare": 100, "percent_used": 3, "power_on_hours": 1234,
    "media_errors": 0, "data_units_written": 2_000_000,
}  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def read(tree: Tree, *devices: str, serials: bool = True) -> System:
    return read_system([Place(device=device) for device in devices], serials=serials, host=tree.host)


def fact(of: System | Section, *names: str) -> Fact:
    """Give a fact that is there, known or not."""
    found = of.get(*names)
    assert found is not None, names
    return found


def test_the_processor_is_counted_and_named(tree: Tree) -> None:
    tree.cpus(4)
    system = read(tree)
    facts = {fact.code: fact.value for fact in next(system.all("processor")).facts}
    assert facts["model"] == "Made-up CPU @ 2.10GHz"
    assert (facts["sockets"], facts["cores"], facts["threads"], facts["smt"]) == (1, 2, 4, True)
    assert (facts["base_frequency"], facts["max_frequency"], facts["microcode"]) == (2100, 3900, "0x2b")


def test_processors_that_are_off_line_do_not_count(tree: Tree) -> None:
    tree.cpus(4)
    tree.write("sys/devices/system/cpu/cpu3/online", 0)
    assert read(tree).value("processor", "threads") == 3


def test_the_base_frequency_is_found_in_the_name_where_nothing_else_tells_it(tree: Tree) -> None:
    tree.cpus(1)
    (tree.root / "sys/devices/system/cpu/cpu0/cpufreq/base_frequency").unlink()
    assert read(tree).value("processor", "base_frequency") == 2100


def test_the_frequency_policy_names_every_governor_in_use(tree: Tree) -> None:
    tree.cpus(4)
    tree.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance")
    system = read(tree)
    assert system.value("frequency", "governor") == "powersave, performance"
    assert system.value("frequency", "turbo") is True
    assert system.value("frequency", "energy_preference") == "balance_performance"


def test_a_disabled_idle_state_does_not_count_for_the_longest_way_back(tree: Tree) -> None:
    tree.cpus(2)
    assert read(tree).value("idle", "idle_latency") == 133
    tree.write("sys/devices/system/cpu/cpu0/cpuidle/state2/disable", 1)
    system = read(tree)
    assert system.value("idle", "idle_latency") == 2
    assert system.value("idle", "idle_states") == "POLL, C1, C6"
    assert system.value("idle", "idle_disabled") == "C6"


def test_memory_in_use_and_its_modules(tree: Tree) -> None:
    tree.write("proc/meminfo", "MemTotal: 2048 kB\nMemAvailable: 1024 kB\nSwapTotal: 100 kB\nSwapFree: 60 kB")
    lines = ("Size: 16 GB", "Type: DDR5", "Speed: 4800 MT/s", "Configured Memory Speed: 4400 MT/s")
    module = "Handle 0x1\nMemory Device\n" + "".join(f"\t{line}\n" for line in lines)
    empty = "Handle 0x2\nMemory Device\n\tSize: No Module Installed\n\tType: Unknown\n"
    tree.answers["dmidecode"] = f"{module}\n{empty}\n{module}"
    system = read(tree)
    assert system.value("memory", "memory_size") == 2 << 20
    assert system.value("memory", "swap_used") == 40 * 1024
    assert system.value("memory", "dimms") == "2 × 16 GB"
    assert (system.value("memory", "dimm_type"), system.value("memory", "dimm_speed")) == ("DDR5", 4400)


def test_what_needs_root_says_so(tree: Tree) -> None:
    tree.is_root = False
    tree.answers["dmidecode"] = "never asked"
    fact = read(tree).get("memory", "dimm_type")
    assert fact is not None
    assert (fact.value, fact.missing) == (None, "needs root")
    assert tree.asked == []


def test_a_tool_that_is_missing_or_silent_says_so(tree: Tree) -> None:
    tree.nvme()
    assert str(fact(read(tree, "nvme0n1"), "device", "smart_healthy").text) == "smartctl is not installed"
    tree.answers["smartctl"] = "no JSON"
    assert str(fact(read(tree, "nvme0n1"), "device", "smart_healthy").text) == "smartctl gave no answer"


def test_a_file_for_root_alone_says_so(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.is_root = False

    def forbidden(self: Path) -> bytes:
        raise PermissionError

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    assert fact(read(tree), "board", "bios_version").missing == "needs root"


def test_kernel_command_line_and_mitigations(tree: Tree) -> None:
    tree.write("proc/sys/kernel/osrelease", "6.12.1-made-up")
    tree.write("proc/cmdline", "quiet nvme.poll_queues=4")
    tree.write("etc/os-release", 'NAME="x"\nPRETTY_NAME="Made-up Linux 9"\n')
    tree.write_all(
        "sys/devices/system/cpu/vulnerabilities",
        {"meltdown": "Mitigation: PTI", "mds": "Not affected", "srbds": "Vulnerable: No microcode"},
    )
    system = read(tree)
    assert system.value("os", "kernel") == "6.12.1-made-up"
    assert system.value("os", "command_line") == "quiet nvme.poll_queues=4"
    assert system.value("os", "os_name") == "Made-up Linux 9"
    assert system.value("os", "mitigations") == "active: meltdown; vulnerable: srbds"


def test_a_virtual_machine_is_told_by_its_flag_and_named_by_the_tool_or_its_vendor(tree: Tree) -> None:
    tree.write("proc/cpuinfo", "flags : fpu hypervisor tsc")
    tree.write("sys/class/dmi/id/sys_vendor", "QEMU")
    assert read(tree).value("virtualisation", "virtual_machine") is True
    assert read(tree).value("virtualisation", "hypervisor") == "qemu"
    tree.answers["systemd-detect-virt"] = "kvm"
    assert read(tree).value("virtualisation", "hypervisor") == "kvm"
    tree.write("proc/cpuinfo", "flags : fpu tsc")
    tree.answers["systemd-detect-virt"] = "none"
    assert read(tree).value("virtualisation", "virtual_machine") is False


def test_an_nvme_drive_on_a_narrower_and_slower_link(tree: Tree) -> None:
    tree.nvme(speed="8.0 GT/s PCIe", width=2)
    device = next(read(tree, "nvme0n1").all("device"))
    assert (device.value("kind"), device.value("model")) == ("nvme", "Made-up NVMe 960GB")
    assert (device.value("firmware"), device.value("serial")) == ("EDA7", "S3RIAL-1")
    assert device.value("capacity") == 960_197_124_096
    assert (device.value("pcie_speed"), device.value("pcie_speed_possible")) == (8.0, 16.0)
    assert (device.value("pcie_width"), device.value("pcie_width_possible")) == (2, 4)
    assert (device.value("pcie_address"), device.value("numa_node")) == ("0000:01:00.0", 1)
    assert (device.value("driver"), device.value("scheduler")) == ("nvme", "none")
    assert fact(device, "capacity").text == "960.2 GB"


def test_a_link_that_does_not_know_its_speed_has_none(tree: Tree) -> None:
    tree.nvme(speed="Unknown", width=0)
    device = next(read(tree, "nvme0n1").all("device"))
    assert fact(device, "pcie_speed").missing == "not present on this machine"
    assert fact(device, "pcie_width").missing == "not present on this machine"


def test_a_serial_number_can_be_left_out(tree: Tree) -> None:
    tree.nvme()
    tree.sata()
    system = read(tree, "nvme0n1", "sda", serials=False)
    assert [fact(section, "serial").text for section in system.all("device")] == ["left out on request"] * 2
    assert "S3RIAL" not in system.model_dump_json()


def test_a_sata_drive_tells_its_whole_name_and_its_slower_link(tree: Tree) -> None:
    tree.sata()
    device = next(read(tree, "sda").all("device"))
    assert (device.value("kind"), device.value("driver")) == ("sata", "ahci")
    assert (device.value("model"), device.value("firmware")) == ("Made-up SATA SSD 480GB long", "FW-1.0.7")
    assert (device.value("serial"), device.value("queue_depth")) == ("S3RIAL-2", 32)
    assert (device.value("sata_speed"), device.value("sata_speed_possible")) == (3.0, 6.0)
    assert (device.value("sata_speed_port"), device.value("scheduler")) == (6.0, "mq-deadline")


def test_smartctl_answers_for_health_temperature_and_wear(tree: Tree) -> None:
    tree.nvme()
    tree.answers["smartctl"] = json.dumps(SMART)
    device = next(read(tree, "nvme0n1").all("device"))
    assert (device.value("smart_healthy"), device.value("temperature"), device.value("wear")) == (True, 38, 3)
    assert device.value("written_in_life") == 1_024_000_000_000
    smart = [command for command in tree.asked if command[0] == "smartctl"]
    assert smart == [["smartctl", "-j", "-a", str(tree.root / "dev/nvme0n1")]]


def test_nvme_answers_the_same_where_smartctl_is_missing(tree: Tree) -> None:
    tree.nvme()
    tree.answers["smartctl"] = json.dumps(SMART)
    by_smartctl = next(read(tree, "nvme0n1").all("device"))
    tree.answers = {"nvme": json.dumps(NVME_LOG)}
    assert next(read(tree, "nvme0n1").all("device")) == by_smartctl


def test_the_kernel_tells_the_temperature_where_smart_cannot_be_asked(tree: Tree) -> None:
    tree.is_root = False
    tree.hwmon(tree.nvme(), temp1_input=41850, temp1_max=81850, temp1_crit=84850)
    device = next(read(tree, "nvme0n1").all("device"))
    assert (device.value("temperature"), device.value("temperature_limit")) == (41.85, 81.85)
    assert fact(device, "smart_healthy").missing == "needs root"


def test_a_stacked_device_is_followed_down_to_its_drives(tree: Tree) -> None:
    tree.nvme()
    tree.partition("nvme0n1", "nvme0n1p2")
    tree.block("sys/devices/virtual/block/dm-0", sectors=1000)
    tree.write("sys/devices/virtual/block/dm-0/dm/name", "vg-data")
    tree.link("sys/devices/virtual/block/dm-0/slaves/nvme0n1p2", "sys/class/block/nvme0n1p2")
    system = read(tree, "dm-0")
    assert [section.subject for section in system.all("device")] == ["dm-0", "nvme0n1"]
    assert system.value("device", "stands_on", "dm-0") == "nvme0n1"
    assert system.value("device", "mapping", "dm-0") == "vg-data"


def test_a_namespace_with_multipath_has_the_queues_of_its_path(tree: Tree) -> None:
    head = "sys/devices/virtual/nvme-subsystem/nvme-subsys0"
    controller = tree.nvme("nvme0c0n1")
    (tree.root / "sys/class/block/nvme0c0n1").unlink()
    real = controller.replace("nvme0c0", "nvme0")
    (tree.root / controller).rename(tree.root / real)
    (tree.root / real / "nvme0c0n1/device").unlink()
    tree.write(f"{head}/nvme0n1/size", 1000)
    tree.write(f"{head}/nvme0n1/queue/iostats", 1)
    tree.link(f"{head}/nvme0", real)
    tree.link("sys/class/block/nvme0n1", f"{head}/nvme0n1")
    tree.link(f"{head}/nvme0n1/device", head)
    device = next(read(tree, "nvme0n1").all("device"))
    assert (device.value("nr_requests"), device.value("scheduler")) == (1023, "none")
    assert (device.value("model"), device.value("pcie_width")) == ("Made-up NVMe 960GB", 4)


def test_tags_are_those_of_all_queues_or_of_the_scsi_device(tree: Tree) -> None:
    tree.nvme()
    folder = (tree.root / "sys/class/block/nvme0n1").resolve().relative_to(tree.root)
    tree.write(f"{folder}/mq/1/nr_tags", 1023)
    assert device_tags(tree.host, "nvme0n1") == 2046
    assert queue_requests(tree.host, "nvme0n1") == 2046
    tree.sata()
    assert device_tags(tree.host, "sda") == 32
    assert queue_requests(tree.host, "sda") == 64


def test_polled_io_has_queues_of_its_own(tree: Tree) -> None:
    """Four processors: two queues for writes, four for reads, two to poll, as the NVMe driver makes them."""
    tree.nvme(io_poll=1)
    folder = (tree.root / "sys/class/block/nvme0n1").resolve().relative_to(tree.root)
    served = ["0, 1", "2, 3", "0", "1", "2", "3", "0, 2", "1, 3"]
    for number, cpus in enumerate(served):
        tree.write_all(f"{folder}/mq/{number}", {"nr_tags": 1023, "cpu_list": cpus})
    assert device_tags(tree.host, "nvme0n1") == 6 * 1023
    assert device_tags(tree.host, "nvme0n1", polled=True) == 2 * 1023
    assert queue_requests(tree.host, "nvme0n1", polled=True) == 2 * 1023
    device = next(read(tree, "nvme0n1").all("device"))
    assert (device.value("hardware_queues"), device.value("poll_queues")) == (8, 2)
    for number in range(2, 8):
        (tree.root / f"{folder}/mq/{number}").rename(tree.root / f"gone-{number}")
    assert device_tags(tree.host, "nvme0n1", polled=True) == 2 * 1023, "none that nobody else uses"
    for number in range(2, 8):
        (tree.root / f"gone-{number}").rename(tree.root / f"{folder}/mq/{number}")
    tree.write(f"{folder}/queue/io_poll", 0)
    assert device_tags(tree.host, "nvme0n1") == 8 * 1023
    assert device_tags(tree.host, "nvme0n1", polled=True) == 8 * 1023
    assert next(read(tree, "nvme0n1").all("device")).value("poll_queues") is None


def test_the_file_system_of_a_target_is_that_of_the_deepest_mount(tree: Tree, tmp_path: Path) -> None:
    mounts = (
        f"30 22 8:2 / {tmp_path} rw,noatime - xfs /dev/sda2 rw,attr2",
        f"31 22 8:3 / {tmp_path}/other rw - btrfs /dev/sda3 rw",
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro",
    )
    tree.write("proc/self/mountinfo", "\n".join(mounts))
    target = Place(path=str(tmp_path / "not-yet.dat"), file_system=None, mount_options="")
    system = read_system([target], host=tree.host)
    assert system.value("file_system", "file_system") == "xfs"
    assert system.value("file_system", "mount_options") == "rw,noatime,attr2"
    assert system.value("file_system", "fs_device") == "/dev/sda2"
    space = os.statvfs(tmp_path)
    assert system.value("file_system", "fs_size") == space.f_blocks * space.f_frsize


def test_an_empty_machine_gives_a_reason_for_everything(tree: Tree) -> None:
    system = read(tree, "nvme7n1", "sdz", "dm-9", "md3", "loop5", "vdb")
    given = {
        "architecture",
        "kind",
        "file_system",
        "mount_options",
        "fs_device",
        "fs_size",
        "fs_used",
        "fs_free",
    }
    for section in system.sections:
        for fact in section.facts:
            assert (fact.value is None) == bool(fact.missing), fact
            assert fact.code in given or fact.missing in MISSING_REASONS, fact


def test_every_fact_and_section_has_a_label(tree: Tree) -> None:
    tree.cpus()
    tree.nvme()
    tree.sata()
    tree.block("sys/devices/virtual/block/md0", sectors=8)
    tree.block("sys/devices/virtual/block/loop0", sectors=8)
    system = read(tree, "nvme0n1", "sda", "md0", "loop0", "dm-0")
    kinds = {
        "as-it-is": Configuration(name="as-it-is", system="raid-controllers"),
        "changed": Configuration(name="changed", system="raid-controllers", changes={"level": "5"}),
        "own": Configuration(name="own", system=document_of("p3700")),
    }
    virtual = describe(
        {name: resolve(item) for name, item in kinds.items()},
        trees={name: written(item) for name, item in kinds.items()},
    )
    elsewhere = {"virtual_system", "virtual_part", "imported"}
    assert {section.code for section in system.sections} == SECTION_LABELS.keys() - elsewhere
    assert {section.code for section in virtual.sections} == {"virtual_system"}
    sections = (*system.sections, *virtual.sections)
    codes = {fact.code for section in sections for fact in section.facts}
    assert codes <= FACT_LABELS.keys()
    rare = {
        "stands_on",
        "poll_queues",
        "sas_speed",
        "sas_speed_possible",
        "virtual_controllers",
        "virtual_switches",
        "virtual_part_file",
        "virtual_software_others",
    }
    imported = {code for code in FACT_LABELS if code.startswith("imported_")}
    assert FACT_LABELS.keys() - codes - imported <= rare


def test_a_system_survives_the_store(tree: Tree) -> None:
    tree.cpus()
    tree.nvme()
    system = read(tree, "nvme0n1")
    again = System.model_validate_json(system.model_dump_json())
    assert again == system
    assert isinstance(again.value("frequency", "turbo"), bool)
    assert isinstance(again.value("device", "pcie_speed"), float)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (Fact(code="a", value=True), "yes"),
        (Fact(code="a", value=16.0, unit="GT/s"), "16 GT/s"),
        (Fact(code="a", value=133, unit="us"), "133 µs"),
        (Fact(code="a", value=24 << 30, unit="bytes"), "24 GB"),
        (Fact(code="a", value=512, unit="bytes"), "512 bytes"),
        (Fact(code="a", value=480_103_981_056, unit="bytes_base10"), "480.1 GB"),
        (Fact(code="a", missing="needs root"), "needs root"),
    ],
)
def test_facts_read_well(fact: Fact, text: str) -> None:
    assert fact.text == text


def test_a_command_that_fails_still_answers_and_one_that_cannot_start_is_missing() -> None:
    assert run_command(["sh", "-c", "echo told; exit 3"]) == "told\n"
    with pytest.raises(Missing, match="could not be read"):
        run_command(["/nowhere/no-such-tool"])


def test_this_machine_is_read_without_a_word() -> None:
    system = read_system([Place(path="/tmp", device=None, file_system=None, mount_options="")])
    assert system.value("os", "kernel") == os.uname().release
    assert system.value("os", "architecture") == os.uname().machine
    assert system.value("processor", "threads") == os.cpu_count()
    assert int(system.value("memory", "memory_size") or 0) > 0
