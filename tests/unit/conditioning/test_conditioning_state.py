"""What is seen to undo conditioning, on real files and made-up devices."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import pytest

from iodyno.conditioning.state import carried_on, losses
from iodyno.reading import Cause
from iodyno.targets import Target, Trace, take_trace
from iodyno.targets.host import Host
from made_up_machine import Machine

SIZE = 4 << 20
PUNCH_HOLE_KEEP_SIZE = 3
STAT = "10 0 80 5 20 0 {written} 9 0 3 12 2 0 {discarded} 1 0 0"
"""A line of ``/sys/block/X/stat``: field 7 counts written sectors, field 14 discarded ones."""


def codes(causes: tuple[Cause, ...]) -> list[str]:
    return [cause.code for cause in causes]


class TestAFile:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "data"
        path.write_bytes(os.urandom(SIZE))
        os.sync()
        return path

    def look(self, path: Path) -> Trace:
        target = Target(path=str(path), asked="data", kind="file", size_bytes=SIZE)
        return take_trace(target, 0, SIZE, samples=True, host=Host())

    def test_writing_undoes_nothing(self, path: Path) -> None:
        before = self.look(path)
        with path.open("r+b") as file:
            file.write(os.urandom(SIZE))
        assert losses(before, self.look(path)) == ()

    def test_a_hole_does(self, path: Path) -> None:
        before = self.look(path)
        descriptor = os.open(path, os.O_RDWR)
        fallocate = ctypes.CDLL(None, use_errno=True).fallocate
        fallocate.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64)
        if fallocate(descriptor, PUNCH_HOLE_KEEP_SIZE, 0, SIZE // 4):
            pytest.skip("this file system punches no holes")
        os.close(descriptor)
        (holes, zeros) = losses(before, self.look(path))
        assert (holes.code, holes.values) == ("holes", {"bytes": SIZE // 4})
        assert zeros.code == "zeros"
        assert losses(before, self.look(path), own_discards=True) == (), "the plan did that itself"

    def test_another_file_does(self, path: Path, tmp_path: Path) -> None:
        before = self.look(path)
        other = tmp_path / "other"
        other.write_bytes(os.urandom(SIZE))
        other.replace(path)
        assert codes(losses(before, self.look(path))) == ["exchanged"]
        assert codes(losses(before, self.look(path), own_discards=True)) == ["exchanged"]

    def test_another_file_with_the_inode_of_one_that_was_removed_does(self, path: Path) -> None:
        """Where inodes are used again, as by ext4, the next file gets that of the last."""
        now = self.look(path)
        for _ in range(10):
            before = now
            path.unlink()
            path.write_bytes(os.urandom(SIZE))
            os.sync()
            now = self.look(path)
            if now.identity == before.identity:
                break
        else:
            pytest.skip("this file system gives no inode again")
        if now.generation is None:
            pytest.skip("this file system tells no generations")
        assert codes(losses(before, now)) == ["exchanged"]

    def test_a_file_is_known_again_where_no_generation_was_kept(self, path: Path) -> None:
        before = self.look(path).model_copy(update={"generation": None})
        assert losses(before, self.look(path)) == ()


class TestADevice:
    @pytest.fixture
    def machine(self, tmp_path: Path) -> Machine:
        machine = Machine(tmp_path)
        machine.write("proc/sys/kernel/random/boot_id", "first")
        machine.write("sys/devices/block/sdb/diskseq", "7")
        machine.write("sys/devices/block/sdb/queue/logical_block_size", "512")
        self.count(machine)
        return machine

    def count(self, machine: Machine, written: int = 100, discarded: int = 50) -> None:
        line = STAT.format(written=written, discarded=discarded)
        machine.write("sys/devices/block/sdb/stat", line)

    def look(self, machine: Machine, **changes: object) -> Trace:
        target = Target(path="/dev/sdb", asked="sdb", kind="device", size_bytes=512_000, serial="S1")
        trace = take_trace(target, 0, 512_000, samples=False, host=machine.host)
        return trace.model_copy(update=changes)

    def test_the_counters_are_those_of_the_kernel(self, machine: Machine) -> None:
        found = self.look(machine)
        assert (found.written_bytes, found.discarded_bytes) == (100 * 512, 50 * 512)
        machine.write("sys/devices/block/sdb/stat", "10 0 80 5 20 0 100 9 0 3 12")
        assert self.look(machine).discarded_bytes is None, "before Linux 4.19 they were not counted"

    def test_its_names_are_not_kept_but_another_one_is_noticed(self, machine: Machine) -> None:
        """A run of ``--no-serials`` had serial number and WWN in what was looked at."""
        machine.write("etc/machine-id", "0123456789abcdef0123456789abcdef")
        target = Target(path="/dev/sdb", asked="sdb", kind="device", size_bytes=512_000,
                        serial="S3XNX0M-123456", wwn="naa.5002538e40ab")  # fmt: skip

        def look(**changes: object) -> Trace:
            changed = target.model_copy(update=changes)
            return take_trace(changed, 0, 512_000, samples=False, host=machine.host)

        before = look()
        assert not [name for name in ("S3XNX0M-123456", "5002538e40ab") if name in before.model_dump_json()]
        assert losses(before, look()) == ()
        assert codes(losses(before, look(serial="S3XNX0M-123457"))) == ["exchanged"]
        assert codes(losses(before, look(wwn="naa.5002538e40ac"))) == ["exchanged"]
        machine.write("etc/machine-id", "f123456789abcdef0123456789abcdef")
        assert look().identity != before.identity, "found by trial by nobody else"

    def test_a_discard_undoes_it(self, machine: Machine) -> None:
        before = self.look(machine)
        self.count(machine, written=900)
        assert losses(before, self.look(machine)) == ()
        self.count(machine, discarded=58)
        assert losses(before, self.look(machine)) == (Cause(code="discarded", values={"bytes": 8 * 512}),)
        uncounted = self.look(machine, discarded_bytes=None)
        assert losses(uncounted, self.look(machine)) == losses(before, uncounted) == (), "by another kernel"

    @pytest.mark.parametrize("file", ["proc/sys/kernel/random/boot_id", "sys/devices/block/sdb/diskseq"])
    def test_counters_that_began_anew_say_nothing(self, machine: Machine, file: str) -> None:
        before = self.look(machine)
        machine.write(file, "8")
        self.count(machine, discarded=5000)
        assert losses(before, self.look(machine)) == ()

    @pytest.mark.parametrize("file", ["proc/sys/kernel/random/boot_id", "sys/devices/block/sdb/diskseq"])
    def test_a_device_without_names_is_known_within_one_attachment_alone(
        self, machine: Machine, file: str
    ) -> None:
        """Another medium of the same size passed for the one that was filled."""
        target = Target(path="/dev/sdb", asked="sdb", kind="device", size_bytes=512_000)

        def look(**names: str) -> Trace:
            named = target.model_copy(update=names)
            return take_trace(named, 0, 512_000, samples=False, host=machine.host)

        before, by_wwn = look(), look(wwn="naa.5002538e40ab")
        assert losses(before, look()) == ()
        machine.write(file, "8")
        assert codes(losses(before, look())) == ["exchanged"]
        assert codes(losses(before, look(), own_discards=True)) == ["exchanged"]
        assert losses(by_wwn, look(wwn="naa.5002538e40ab")) == ()
        unknown = before.model_copy(update={"attachment": None})
        assert losses(unknown, look()) == (), "where it was not known how it was attached"

    def test_zeros_where_data_was(self, machine: Machine) -> None:
        before = self.look(machine, samples=256, zero_samples=1)
        assert losses(before, self.look(machine, samples=256, zero_samples=1)) == ()
        assert losses(before, self.look(machine, samples=512, zero_samples=2)) == (), "others were read"
        after = self.look(machine, samples=256, zero_samples=256)
        assert losses(before, after) == (Cause(code="zeros", values={"samples": 255, "of": 256}),)
        assert losses(self.look(machine), after) == (), "nothing is known of before"

    def test_a_drive_that_forgot_blocks(self, machine: Machine) -> None:
        machine.write("sys/devices/block/sdb/nuse", "1000")
        before = self.look(machine)
        assert before.used_bytes == 1000 * 512
        machine.write("sys/devices/block/sdb/nuse", "10")
        assert codes(losses(before, self.look(machine))) == ["deallocated"]

    def test_another_device(self, machine: Machine) -> None:
        before = self.look(machine)
        machine.write("sys/devices/block/sdb/size", "2000")
        assert codes(losses(before, self.look(machine))) == ["exchanged"]

    def test_samples_of_the_last_look_that_read_some_count(self, machine: Machine) -> None:
        some, more, none = (self.look(machine, samples=256, zero_samples=zeros) for zeros in (1, 2, None))
        none = none.model_copy(update={"samples": None, "written_bytes": 7})
        assert carried_on(None, more) == more
        assert carried_on(some, more) == more
        kept = carried_on(some, none)
        assert (kept.samples, kept.zero_samples, kept.written_bytes) == (256, 1, 7)
