"""Which flags a device needs, on made-up machines."""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from pathlib import Path

import pytest

from iodyno.targets.device import find_device, write_problems
from iodyno.targets.host import Host
from iodyno.targets.identity import Identity, read_identity
from iodyno.targets.record import Permissions
from iodyno.targets.signature import Signature, parse_blkid, read_signature
from made_up_machine import Machine

WITH_SERIAL = Identity("S3X12", "naa.5002538e40ab", "Drive", 512000)
NAMELESS = Identity(None, None, None, 512000)
ALL = Permissions(write_existing=True, identity=("S3X12",), overwrite_signature=True)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def problems(
    machine: Machine,
    permissions: Permissions,
    *,
    name: str = "sdb",
    identity: Identity = WITH_SERIAL,
    host: Host | None = None,
) -> str:
    found = write_problems(
        name, f"/dev/{name}", machine.device(name), identity, permissions, host or machine.host
    )
    assert all(problem.hint and problem.where == name for problem in found)
    return " | ".join(f"{problem.what} -> {problem.hint}" for problem in found)


def signed(machine: Machine, *found: str) -> Host:
    return replace(machine.host, signature=lambda path: Signature(found))


def test_a_device_needs_the_flag(machine: Machine) -> None:
    text = problems(machine, Permissions(identity=("S3X12",)))
    assert "is a device" in text
    assert "--write-existing" in text
    assert "serial number" in text
    assert "S3X12" not in text, "the number has to be looked up on the drive, not copied from the message"


def test_a_device_needs_its_identity_after_the_flag(machine: Machine) -> None:
    assert "none is given" in problems(machine, Permissions(write_existing=True))
    text = problems(machine, Permissions(write_existing=True, identity=("S3X13", "")))
    assert "none of S3X13" in text


@pytest.mark.parametrize("typed", ["S3X12", " s3x12 ", "naa.5002538e40ab", "0x5002538E40AB", "5002538e40ab"])
def test_serial_number_or_wwn_in_the_spellings_of_common_tools(machine: Machine, typed: str) -> None:
    assert problems(machine, Permissions(write_existing=True, identity=(typed,))) == ""


def test_nothing_typed_names_no_device() -> None:
    for typed in ("", " ", "0x", "naa."):
        assert not Identity(None, "naa.", None, 512000).matches(typed)
        assert not WITH_SERIAL.matches(typed)
        assert not NAMELESS.matches(typed)


def test_the_size_counts_only_for_a_device_without_a_name(machine: Machine) -> None:
    size = Permissions(write_existing=True, identity=("512000",))
    assert problems(machine, size, identity=NAMELESS) == ""
    assert "serial number" in problems(machine, size)
    assert "exact size" in problems(machine, replace(size, identity=("511999",)), identity=NAMELESS)


def test_a_signature_needs_a_second_flag(machine: Machine) -> None:
    host = signed(machine, "ext4")
    without = replace(ALL, overwrite_signature=False)
    assert "carries ext4" in problems(machine, without, host=host)
    assert "--overwrite-signature" in problems(machine, without, host=host)
    assert problems(machine, ALL, host=host) == ""


def test_partitions_that_only_the_kernel_knows_count_as_a_signature(machine: Machine) -> None:
    assert "sda1, sda2" in problems(machine, replace(ALL, overwrite_signature=False), name="sda")
    assert problems(machine, ALL, name="sda") == ""


def test_without_blkid_nothing_is_written_whatever_the_flags(machine: Machine) -> None:
    failing = Signature(failure="blkid is not there", hint="install the package util-linux")
    host = replace(machine.host, signature=lambda path: failing)
    assert "util-linux" in problems(machine, ALL, host=host)


def test_no_flag_opens_a_device_in_use(machine: Machine) -> None:
    machine.mount("8:16", "/dev/sdb", "/mnt")
    for write, identity, overwrite, buffered in itertools.product([False, True], repeat=4):
        given = Permissions(write, ("S3X12",) if identity else (), overwrite, buffered)
        text = problems(machine, given)
        assert "is mounted at /mnt" in text
        assert "no flag" in text


def test_no_flag_opens_a_device_that_is_claimed(machine: Machine) -> None:
    host = replace(machine.host, exclusive_failure=lambda path: "is open exclusively")
    assert "open exclusively" in problems(machine, ALL, host=host)


def test_all_that_is_missing_is_said_at_once(machine: Machine) -> None:
    text = problems(machine, Permissions(), host=signed(machine, "gpt"))
    assert "is a device" in text
    assert "carries gpt" in text


def test_a_device_is_never_taken_for_one_that_iodyno_made(machine: Machine, tmp_path: Path) -> None:
    """What iodyno made it would fill and remove. A file stands for the node, which needs root."""
    node = tmp_path / "node"
    node.write_bytes(b"\x01" * 512000)
    for number, whole, part in (("8:16", "sdb", None), ("8:1", "sda", "sda1")):
        found, wrong = find_device(
            "sdx", str(node), number, False, Permissions(buffered=True), machine.host, sample=True
        )
        assert found
        assert wrong == []
        assert (found.created, found.ours, found.writes) == (False, False, False)
        assert (found.device, found.partition, found.exact) == (whole, part, part is None)


def test_identity_is_read_where_drivers_put_it(machine: Machine) -> None:
    def identity(name: str) -> Identity:
        return read_identity(machine.device(name), machine.host)

    assert identity("sdb") == Identity(None, None, None, 512000)
    assert identity("sdb").kind == "exact size in bytes"
    machine.write("sys/devices/block/sdb/device/wwid", "naa.5002538e40ab\n")
    assert identity("sdb").kind == "WWN"
    page = machine.root / "sys/devices/block/sdb/device/vpd_pg80"
    page.write_bytes(b"\x00\x80\x00\x08   WD-A12")
    assert identity("sdb").serial == "WD-A12"
    machine.write("sys/devices/block/nvme0n1/device/serial", "PHMD 01   \n")
    machine.write("sys/devices/block/nvme0n1/device/model", "INTEL SSD  \n")
    machine.write("sys/devices/block/nvme0n1/wwid", "eui.01\n")
    assert identity("nvme0n1p1") == Identity("PHMD 01", "eui.01", "INTEL SSD", 900 * 512)
    machine.write("run/udev/data/b8:0", "S:disk/by-id/x\nE:ID_SERIAL_SHORT=U1\nE:ID_WWN=0x5\n")
    assert (identity("sda1").serial, identity("sda1").wwn) == ("U1", "0x5")


def test_a_serial_number_of_zeros_is_none(machine: Machine) -> None:
    machine.write("sys/devices/block/sdb/device/serial", "0000 0000\n")
    assert read_identity(machine.device("sdb"), machine.host).serial is None


def test_blkid_is_read_by_its_exit_codes() -> None:
    # Exit codes as blkid(8) gives them.
    assert parse_blkid(2, "", "") == Signature()
    assert parse_blkid(8, "", "").found
    assert "denied" in parse_blkid(2, "", "blkid: error: /dev/sdb: Permission denied").failure
    assert parse_blkid(4, "", "usage").failure
    assert parse_blkid(0, "PTTYPE=gpt\nTYPE=zfs_member\n", "").found == ("zfs_member", "gpt")


def test_a_missing_blkid_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iodyno.targets.signature.shutil.which", lambda *_, **__: None)
    assert "util-linux" in read_signature("/dev/null").hint


@pytest.mark.parametrize(("user", "hint"), [(0, "container"), (1000, "run as root")])
def test_root_that_is_refused_hears_of_the_container(
    monkeypatch: pytest.MonkeyPatch, user: int, hint: str
) -> None:
    from iodyno.targets import device

    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert hint in device.who_may_open("Operation not permitted")
