"""The size of a file that is there already: one that was asked for is never left aside in silence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import Bench, CommandLine
from iodyno.targets import Permissions, create_file, find_targets, keep_file
from loop_devices import loop_device

SMALL = ("--quick", "--profile", "database", "--outstanding", "1", "--buffered")
KIB = 1 << 10


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Give a folder with a file of 64 KiB that iodyno made and that was kept."""
    folder = tmp_path / "target"
    folder.mkdir()
    allowed = Permissions(buffered=True)
    (target,) = find_targets([folder], writes=True, permissions=allowed, file_size_bytes=64 * KIB)
    made = create_file(target, allowed)
    Path(made.path).write_bytes(os.urandom(64 * KIB))
    if not keep_file(made):
        pytest.skip("this file system has no user attributes")
    return folder


def test_another_size_than_that_of_a_kept_file_is_refused(
    iodyno_says: CommandLine, bench: Bench, kept: Path
) -> None:
    said = iodyno_says("measure", kept, *SMALL, "--size", "128k")
    assert (said.code, bench.measured) == (2, [])
    what = "is a file of 64k, which would be measured as it is, and --size asks for 128k"
    assert f"{kept / 'iodyno.data'}: {what}" in said.err
    assert "leave out --size, or name another directory; or remove the file" in said.err
    assert iodyno_says("plan", "quick", "--target", kept, "--buffered", "--size", "128k").code == 2


def test_sizes_that_would_read_alike_are_told_in_bytes(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    """A file of 8,388,610 bytes was "a file of 8 MiB, and --size asks for 8M"."""
    file = tmp_path / "disk.img"
    file.write_bytes(os.urandom((8 << 20) + 2))
    only_reads = ("--quick", "--profile", "random-read-4k", "--outstanding", "1", "--buffered")
    said = iodyno_says("measure", file, *only_reads, "--size", "8M")
    assert said.code == 2
    told = (
        "is a file of 8,388,610 bytes, which would be measured as it is, and --size asks for 8,388,608 bytes"
    )
    assert told in said.err


def test_another_size_than_that_of_a_file_of_somebody_else_is_refused(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    file = tmp_path / "disk.img"
    file.write_bytes(os.urandom(64 * KIB))
    only_reads = ("--quick", "--profile", "random-read-4k", "--outstanding", "1", "--buffered")
    said = iodyno_says("measure", file, *only_reads, "--size", "1G")
    assert (said.code, bench.measured) == (2, [])
    assert "is a file of 64k" in said.err
    assert "remove the file" not in said.err, "it may hold what somebody needs"
    assert iodyno_says("measure", file, *only_reads).err == "", "its size is nobody's request"


def test_the_size_that_a_kept_file_has_may_be_asked_for(
    iodyno_says: CommandLine, bench: Bench, kept: Path
) -> None:
    said = iodyno_says("measure", kept, *SMALL, "--size", "64k")
    assert (said.code, said.err) == (0, "")
    assert bench.measured == [0]


def test_a_note_says_that_a_kept_file_has_not_the_size_of_the_study(
    iodyno_says: CommandLine, bench: Bench, kept: Path
) -> None:
    said = iodyno_says("measure", kept, *SMALL)
    assert said.code == 0
    assert "note: " in said.err
    assert "a kept file of 64k, and is measured as it is: the study asks for 2G" in said.err.replace(
        "\n", " "
    )
    assert bench.filled == []
    assert iodyno_says("measure", kept, *SMALL, "--quiet").err == ""
    assert "iodyno.data (64k)" in iodyno_says("show").out.replace("\n", "")


def test_what_an_interrupted_run_left_is_made_anew_in_the_size_asked_for(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    allowed = Permissions(buffered=True)
    (target,) = find_targets([tmp_path], writes=True, permissions=allowed, file_size_bytes=64 * KIB)
    create_file(target, allowed)
    said = iodyno_says("measure", tmp_path, *SMALL, "--size", "128k")
    assert (said.code, said.err) == (0, "")
    assert bench.filled == [target.path]


def test_the_size_is_that_of_the_file_to_be_made_where_another_is_there(
    iodyno_says: CommandLine, bench: Bench, kept: Path, tmp_path: Path
) -> None:
    """So a printed command that repeats a run on both is not refused."""
    (new := tmp_path / "new").mkdir()
    said = iodyno_says("measure", kept, new, *SMALL, "--size", "128k")
    assert said.code == 0
    assert f"note: {kept / 'iodyno.data'} is a kept file of 64k" in said.err
    assert bench.filled == [str(new / "iodyno.data")]


def test_of_a_job_file_the_size_is_that_of_the_file_beside_an_area(
    iodyno_says: CommandLine, bench: Bench, kept: Path, tmp_path: Path
) -> None:
    """So papers write the command that repeats a job; without an area it is what the job accesses."""
    job = tmp_path / "job.fio"
    job.write_text("[one]\nrw=randread\nsize=32k\ntime_based\nruntime=1\n")
    said = iodyno_says("measure", job, kept, "--buffered", "--size", "128k", "--area", "32k")
    assert (said.code, bench.measured) == (2, [])
    assert "is a file of 64k, which would be measured as it is, and --size asks for 128k" in said.err
    for size in (("--size", "64k", "--area", "32k"), ("--size", "16k"), ()):
        assert iodyno_says("measure", job, kept, "--buffered", *size).code == 0


@pytest.fixture
def device(tmp_path: Path) -> Iterator[str]:
    """Give a loop device of 64 KiB over a file that was made here."""
    file = tmp_path / "disk.img"
    file.write_bytes(os.urandom(64 * KIB))
    with loop_device(file) as path:
        yield path


READS = ("--quick", "--profile", "random-read-4k", "--outstanding", "1", "--buffered")


def test_a_size_is_refused_where_all_targets_are_devices(
    iodyno_says: CommandLine, bench: Bench, device: str
) -> None:
    """It is the size of files: it was left aside in silence."""
    said = iodyno_says("measure", device, *READS, "--size", "32k")
    assert (said.code, bench.measured) == (2, [])
    what = "is a block device of 64k, and --size, which is for files, asks for 32k"
    assert f"{device}: {what}" in said.err
    assert "leave out --size, or give --area 32k for a part of the device" in said.err.replace("\n", " ")
    said = iodyno_says("measure", device, *READS, "--size", "1G")
    assert said.code == 2
    assert "--area" not in said.err, "no part is larger than the device"
    assert iodyno_says("plan", "quick", "--target", device, "--buffered", "--size", "32k").code == 2
    assert iodyno_says("measure", device, *READS, "--size", "64k").code == 0, "that is its size"
    assert iodyno_says("measure", device, *READS, "--area", "32k").code == 0


def test_a_size_is_that_of_the_files_beside_a_device(
    iodyno_says: CommandLine, bench: Bench, device: str, kept: Path, tmp_path: Path
) -> None:
    (new := tmp_path / "new").mkdir()
    assert iodyno_says("measure", device, new, *READS, "--size", "32k").code == 0
    assert iodyno_says("measure", device, kept, *READS, "--size", "64k").code == 0
    said = iodyno_says("measure", device, kept, *READS, "--size", "32k")
    assert said.code == 2
    assert "is a file of 64k" in said.err
    assert "block device" not in said.err


def test_a_study_may_say_how_large_files_are_whatever_the_targets_are(
    iodyno_says: CommandLine, bench: Bench, device: str
) -> None:
    """What was asked for by nobody is no contradiction: quick has files of 2 GiB."""
    assert iodyno_says("measure", device, *READS).code == 0


@pytest.mark.parametrize(
    ("name", "told"), [("data", True), ("test.file", False), ("there", False), ("there/data", True)]
)
def test_a_new_name_that_looks_like_a_folder_is_told_to_become_a_file(
    iodyno_says: CommandLine, tmp_path: Path, name: str, told: bool
) -> None:
    (tmp_path / "there").mkdir()
    said = iodyno_says("measure", tmp_path / name, "--quick", "--size", "1M", "--buffered", "--plan")
    assert said.code == 0, said.err
    folder = (tmp_path / name).parent
    what = f"there is no such directory or file: a file of this name is made in {folder}"
    assert told == (what in said.err.replace("\n", " "))
