"""An NVMe drive as the system under test: against QEMU's configuration, PCI's registers and the kernel."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from vm.guest import Guest
from vm.machine import FAR_NODE, POLLED, PORT_LANES, PORT_SPEED_GT_S, SHARED, Drive

GT_S = {1: 2.5, 2: 5.0, 3: 8.0, 4: 16.0, 5: 32.0}
"""Transfer rate by the code of a link's speed (PCI Express base specification, link capabilities)."""
PCI_EXPRESS = 0x10
"""Number of the capability that holds the link's registers."""
DATA_UNIT = 512_000
"""Bytes in which an NVMe drive counts what it has written (NVM Express, SMART log)."""

Facts = dict[str, Any]


def facts(guest: Guest, drive: Drive) -> Facts:
    """Read what iodyno finds out about a drive."""
    name = guest.device(drive.serial)
    return dict(
        guest.python(
            "import json\n"
            "from iodyno.system.devices import device_section\n"
            "from iodyno.system.host import Host\n"
            f"section = device_section(Host(), {name!r}, serials=True)\n"
            "print(json.dumps({fact.code: fact.value for fact in section.facts}))\n"
        )
    )


@pytest.fixture(scope="module")
def polled(guest: Guest) -> Facts:
    return facts(guest, POLLED)


def link(config: str) -> tuple[int, int]:
    """Give link capabilities and link status of a PCIe device out of its configuration space."""
    space = config.encode("latin-1")
    at = space[0x34]
    while space[at] != PCI_EXPRESS:
        at = space[at + 1]
    capabilities, _, status = struct.unpack_from("<IHH", space, at + 0x0C)
    return capabilities, status


def test_a_drive_is_what_the_machine_was_given(guest: Guest, polled: Facts) -> None:
    version = guest.machine("query-version")["qemu"]
    assert polled["kind"] == "nvme"
    assert polled["serial"] == POLLED.serial
    assert polled["model"] == "QEMU NVMe Ctrl"
    assert polled["firmware"] == f"{version['major']}.{version['minor']}.{version['micro']}"
    assert polled["capacity"] == POLLED.size_bytes
    assert polled["logical_block"] == POLLED.block_bytes
    assert polled["rotational"] is False
    assert polled["scheduler"] == "none"
    assert polled["driver"] == "nvme"


def test_its_link_is_that_of_its_registers(guest: Guest, polled: Facts) -> None:
    name = guest.device(POLLED.serial)
    folder = f"/sys/block/{name}/device/device"
    assert polled["pcie_address"] == guest.word(f"/sys/block/{name}/device/address")
    capabilities, status = link(guest.read(f"{folder}/config")[f"{folder}/config"])
    assert (polled["pcie_speed"], polled["pcie_width"]) == (GT_S[status & 0xF], status >> 4 & 0x3F)
    possible = (polled["pcie_speed_possible"], polled["pcie_width_possible"])
    assert possible == (GT_S[capabilities & 0xF], capabilities >> 4 & 0x3F)
    assert (polled["pcie_speed_port"], polled["pcie_width_port"]) == (PORT_SPEED_GT_S, PORT_LANES)


def test_its_node_is_that_of_its_port(guest: Guest, polled: Facts) -> None:
    assert polled["numa_node"] == FAR_NODE
    assert facts(guest, SHARED)["numa_node"] == FAR_NODE


def test_its_temperature_is_that_of_the_kernel(guest: Guest, polled: Facts) -> None:
    folder = f"/sys/block/{guest.device(POLLED.serial)}/device/hwmon*"
    told = guest.read(f"{folder}/temp1_input", f"{folder}/temp1_max")
    celsius = {path.rsplit("/")[-1]: int(text) / 1000 for path, text in told.items()}
    assert polled["temperature"] == pytest.approx(celsius["temp1_input"], abs=1)
    assert polled["temperature_limit"] == celsius["temp1_max"]
    assert polled["smart_healthy"] is True
    assert polled["media_errors"] == 0


def test_its_queues_are_those_that_the_driver_made(guest: Guest, polled: Facts) -> None:
    name = guest.device(POLLED.serial)
    assert polled["io_poll"] is True
    tags = guest.read(f"/sys/block/{name}/mq/*/nr_tags")
    assert polled["hardware_queues"] == len(tags)
    kinds = guest.read(f"/sys/kernel/debug/block/{name}/hctx*/type").values()
    assert polled["poll_queues"] == sum(kind.strip() == "poll" for kind in kinds) > 0
    assert {str(polled["tags_per_queue"])} == {text.strip() for text in tags.values()}


def test_what_it_has_written_in_its_life(guest: Guest) -> None:
    name = guest.device(POLLED.serial)
    guest.sh(f"dd if=/dev/zero of=/dev/{name} bs=1M count=8 oflag=direct")
    written = guest.at_device(POLLED.serial)["wr_bytes"]
    assert written >= 8 << 20
    assert abs(facts(guest, POLLED)["written_in_life"] - written) < DATA_UNIT
