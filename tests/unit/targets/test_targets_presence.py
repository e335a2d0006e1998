"""What gets the name of a target after it was found is not taken for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from iodyno.errors import TargetError
from iodyno.targets import check_present, gone
from iodyno.targets.host import file_id
from iodyno.targets.record import Target
from made_up_machine import Machine


def refusal(target: Target, machine: Machine | None = None) -> str:
    with pytest.raises(TargetError) as caught:
        check_present([target], machine.host if machine else None)
    # A run goes on with --resume, which its end says: no hint may speak against that.
    assert {problem.hint for problem in caught.value.problems} == {
        "look what happened to it before the run goes on"
    }
    return str(caught.value)


def file_at(path: Path) -> Target:
    return Target(path=str(path), asked="data", kind="file", size_bytes=4096, file_id=file_id(path.stat()))


def test_a_file_that_is_there_may_have_been_written(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(bytes(4096))
    target = file_at(path)
    check_present([target])
    path.write_bytes(os.urandom(4096))
    check_present([target])
    path.write_bytes(os.urandom(5000))
    check_present([target])


def test_a_file_that_was_cut_short_is_not_measured_on(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(bytes(4096))
    target = file_at(path)
    os.truncate(path, 4095)
    assert refusal(target) == "data: is smaller than it was: it had 4096 bytes, and has 4095 now"
    assert gone([target]) == (), "it is there"


def test_a_device_that_is_taken_into_use_between_points_is_not_written(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    target = Target(path="/dev/sda", asked="/dev/sda", kind="device", size_bytes=512_000)
    written = target.model_copy(update={"writes": True})
    check_present([target, written], machine.host)
    machine.mount("8:1", "/dev/sda1", "/srv")
    check_present([target], machine.host)
    with pytest.raises(
        TargetError, match="in use and will not be written: /dev/sda1 is mounted at /srv"
    ) as caught:
        check_present([written], machine.host)
    assert caught.value.problems[0].hint.startswith("unmount it")
    assert gone([written], machine.host) == ()


def test_a_file_that_has_gone_or_was_exchanged(tmp_path: Path) -> None:
    path, other = tmp_path / "data", tmp_path / "other"
    path.write_bytes(bytes(4096))
    other.write_bytes(bytes(4096))
    target = file_at(path)
    other.replace(path)
    assert refusal(target) == "data: is not the file that it was: another one has its name now"
    assert gone([target]) == ("data",)
    path.unlink()
    assert gone([file_at(tmp_path), target]) == ("data",)
    assert "has gone since it was found" in refusal(target)


def test_of_a_folder_the_file_in_it_is_named(tmp_path: Path) -> None:
    folder, path = tmp_path / "folder", tmp_path / "folder/iodyno.data"
    folder.mkdir()
    path.write_bytes(bytes(4096))
    target = file_at(path).model_copy(update={"asked": str(folder)})
    path.unlink()
    assert refusal(target).startswith(f"{path}: has gone since it was found")
    assert gone([target]) == (str(path),)
    folder.rmdir()
    assert gone([target]) == (str(folder),)


def test_a_device_that_was_exchanged(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.write("sys/devices/block/sdb/diskseq", "7")
    target = Target(path="/dev/sdb", asked="/dev/sdb", kind="device", size_bytes=512_000, disk_sequence="7")
    check_present([target], machine.host)
    machine.write("sys/devices/block/sdb/diskseq", "8")
    assert "was detached, and another one has its name" in refusal(target, machine)
    check_present([target.model_copy(update={"disk_sequence": None})], machine.host)
    machine.write("sys/devices/block/sdb/size", "0")
    assert "it had 512000 bytes, and has 0 now" in refusal(target, machine)
    gone = target.model_copy(update={"path": "/dev/sdc"})
    assert "no device has its name now" in refusal(gone, machine)


def test_every_target_is_named(tmp_path: Path) -> None:
    missing = [
        Target(path=str(tmp_path / name), asked=name, kind="file", size_bytes=1) for name in ("one", "two")
    ]
    with pytest.raises(TargetError) as caught:
        check_present(missing)
    assert [problem.where for problem in caught.value.problems] == ["one", "two"]
