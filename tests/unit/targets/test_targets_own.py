"""A file with iodyno's mark that holds somebody else's data is left alone, however it came to that."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iodyno import bench
from iodyno.errors import TargetError
from iodyno.plan import FillData
from iodyno.targets import (
    FILE_NAME,
    Permissions,
    Target,
    claimed,
    create_file,
    find_targets,
    keep_file,
    recheck,
    remove_file,
)
from iodyno.targets.claim import is_closed
from iodyno.targets.host import Host
from iodyno.targets.making import marked_for_removal
from iodyno.targets.mark import Mark, read_mark, this_process, write_mark
from iodyno.targets.own import is_untouched

MIB = 1 << 20
SIZE = 4 * MIB
DEAD = "another-boot:1:1"
"""A process that does not live."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder on a file system with user attributes."""
    with (tmp_path / "probe").open("wb") as file:
        if not write_mark(file.fileno(), Mark(inode=0)):
            pytest.skip("this file system has no user attributes")
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """Give a file of somebody, as random as what iodyno writes, and as large."""
    image = tmp_path / "mine.img"
    image.write_bytes(os.urandom(SIZE))
    return image


def find(path: Path, *, writes: bool = True, **flags: Any) -> Target:
    allowed = Permissions(buffered=True, **flags)
    return find_targets([path], writes=writes, permissions=allowed, file_size_bytes=SIZE)[0]


def made(folder: Path, **data: Any) -> Target:
    target = create_file(find(folder), Permissions(buffered=True))
    bench.fill(target.path, 0, SIZE, seed=7, direct=False, **data)
    return target


def killed(target: Target) -> Path:
    """Leave the file as a process leaves it that is killed."""
    mark = read_mark(target.path)
    assert mark
    with Path(target.path).open("r+b") as file:
        write_mark(file.fileno(), mark.model_copy(update={"owner": DEAD}))
    return Path(target.path)


def refusal(folder: Path) -> str:
    with pytest.raises(TargetError) as caught:
        find(folder)
    (problem,) = caught.value.problems
    assert problem.where == str(folder / FILE_NAME)
    assert "--write-existing" in problem.hint
    return problem.what


CHANGED = "has changed since iodyno used it: it may hold what somebody needs"


def test_an_image_copied_onto_a_kept_file_is_not_overwritten(folder: Path, image: Path) -> None:
    target = made(folder)
    assert keep_file(target)
    assert find(folder).ours
    shutil.copyfile(image, target.path)
    assert read_mark(target.path), "its mark is there still"
    assert refusal(folder) == CHANGED
    assert find(folder, writes=False).ours is False
    shutil.copystat(image, target.path)
    assert refusal(folder) == CHANGED, "as cp --preserve leaves it"


def test_an_image_copied_onto_what_a_killed_run_left_is_neither_overwritten_nor_removed(
    folder: Path, image: Path
) -> None:
    target = made(folder)
    path = killed(target)
    again = find(folder)
    assert (again.created, again.contents) == (True, "written")
    shutil.copyfile(image, path)
    assert refusal(folder) == CHANGED
    assert marked_for_removal(str(path)) is False
    for call in (create_file, remove_file):
        with pytest.raises(TargetError, match="has changed since iodyno used it"):
            call(again)
    assert path.read_bytes() == image.read_bytes()


@pytest.mark.parametrize("size", [100, SIZE // 2, 2 * SIZE])
def test_so_is_one_of_another_size(folder: Path, tmp_path: Path, size: int) -> None:
    path = killed(made(folder))
    path.write_bytes(os.urandom(size))
    assert refusal(folder) == CHANGED


def test_so_is_one_of_few_data_between_holes(folder: Path) -> None:
    path = killed(made(folder))
    path.write_bytes(b"")
    os.truncate(path, 1 << 30)
    assert find(folder).created, "nothing is there to be lost"
    with path.open("r+b") as file:
        file.seek(777 * MIB)
        file.write(b"a word")
    assert refusal(folder) == CHANGED


def test_so_is_one_of_zeros(folder: Path) -> None:
    """They may be many, and what is not zero may lie between the blocks that are looked at."""
    path = killed(made(folder))
    path.write_bytes(bytes(SIZE))
    assert refusal(folder) == CHANGED


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.9])
def test_what_a_killed_run_wrote_is_known_by_its_data(folder: Path, share: float) -> None:
    path = killed(made(folder, data=FillData(compressible_share=share, duplicate_share=share / 2)))
    assert (find(folder).created, marked_for_removal(str(path))) == (True, True)
    with path.open("r+b") as file:
        file.seek(SIZE - 512)
        file.write(os.urandom(512))
    assert refusal(folder) == CHANGED, "its last block is somebody's"


def test_words_changed_so_that_none_begins_as_a_file_system_does_are_known(folder: Path) -> None:
    """About one sector in 240,000 has two of them; files are read by the thousand."""
    path = killed(target := made(folder))
    bench.fill(target.path, 0, MIB, seed=70, direct=False)
    words = np.fromfile(path, dtype="u8").reshape(-1, 64)
    first, second = words.view("u1")[:, 0::8], words.view("u1")[:, 1::8]
    changed = (first == ord("I")) & np.isin(second, [*b"+X"]) | (first == 0x52) & (second == 0xEF)
    assert changed[: MIB // 512, 1:].sum(axis=1).max() >= 2, "another seed is needed: no sector has two"
    os.truncate(path, MIB)
    assert (find(folder).created, marked_for_removal(str(path))) == (True, True)


TAKE = """
import sys
from iodyno.targets import Permissions, Target, create_file
create_file(Target.model_validate_json(sys.argv[1]), Permissions(buffered=True))
print("taken", flush=True)
sys.stdin.read()
"""


def test_of_two_that_take_over_what_a_killed_run_left_one_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sees that nobody has it before the other has marked it: both wrote to it."""
    killed(made(folder))
    target, others = find(folder), list[subprocess.Popen[str]]()

    def meanwhile(path: str | Path, mark: Mark) -> bool:
        words = [sys.executable, "-c", TAKE, target.model_dump_json()]
        other = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        others.append(other)
        assert other.stdout
        assert other.stdout.readline() == "taken\n"
        return is_untouched(path, mark)

    monkeypatch.setattr("iodyno.targets.making.is_untouched", meanwhile)
    try:
        with pytest.raises(TargetError, match="is in use by another iodyno, process") as caught:
            create_file(target, Permissions(buffered=True))
        assert str(others[0].pid) in str(caught.value)
    finally:
        for other in others:
            other.communicate()


def test_what_another_takes_over_this_moment_is_not_taken_over(folder: Path) -> None:
    path = killed(made(folder))
    target = find(folder)
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(TargetError, match="is in use by another iodyno, or locked"):
            create_file(target, Permissions(buffered=True))
    assert create_file(target, Permissions(buffered=True)).created


def test_what_another_has_taken_over_and_kept_meanwhile_is_its_users(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was removed at the end of a run that had looked at it before."""
    path = killed(made(folder))
    target = find(folder)

    def meanwhile(path: str | Path, mark: Mark) -> bool:
        untouched = is_untouched(path, mark)
        with Path(path).open("r+b") as file:
            write_mark(file.fileno(), mark.model_copy(update={"kept": True, "owner": ""}))
        return untouched

    monkeypatch.setattr("iodyno.targets.making.is_untouched", meanwhile)
    with pytest.raises(TargetError, match="is in use by another iodyno, or locked"):
        create_file(target, Permissions(buffered=True))
    found = read_mark(path)
    assert found
    assert (found.kept, found.owner) == (True, "")


def test_what_another_has_taken_over_and_removed_meanwhile_is_made_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(made(folder))
    target = find(folder)

    def meanwhile(path: str | Path, mark: Mark) -> bool:
        untouched = is_untouched(path, mark)
        Path(path).unlink()
        return untouched

    monkeypatch.setattr("iodyno.targets.making.is_untouched", meanwhile)
    assert create_file(target, Permissions(buffered=True)).created
    mark = read_mark(target.path)
    assert mark
    assert mark.owner == this_process()


def test_zeros_at_its_beginning_are_somebodys(folder: Path) -> None:
    """So mkfs.btrfs clears a device, whose first superblock comes 64 KiB later."""
    path = killed(made(folder))
    with path.open("r+b") as file:
        file.write(bytes(64 << 10))
    assert refusal(folder) == CHANGED


def test_two_words_of_somebody_in_a_sector_are_enough(folder: Path) -> None:
    path = killed(made(folder))
    with path.open("r+b") as file:
        file.seek(200)
        file.write(b"somebody's words")
    assert refusal(folder) == CHANGED


def test_a_run_killed_while_it_filled_is_gone_on_with(folder: Path) -> None:
    target = create_file(find(folder), Permissions(buffered=True))
    killed(target)
    assert find(folder).created
    bench.fill(target.path, 0, MIB, seed=7, direct=False)
    assert (find(folder).created, find(folder).contents) == (True, "to_be_written")


def test_a_kept_file_is_ours_after_each_run_that_writes_to_it(folder: Path) -> None:
    keep_file(made(folder))
    for seed in (1, 2):
        target = find(folder)
        assert (target.ours, target.created) == (True, False)
        with claimed([target]):
            bench.fill(target.path, 0, SIZE, seed=seed, direct=False)
    mark = read_mark(target.path)
    assert mark
    assert (mark.kept, mark.owner, mark.size_bytes) == (True, "", SIZE)


def test_a_run_that_is_killed_over_a_kept_file_leaves_it_ours_until_somebody_writes(
    folder: Path, image: Path
) -> None:
    keep_file(made(folder))
    with claimed([find(folder)]):
        mark = read_mark(folder / FILE_NAME)
    assert mark
    with (folder / FILE_NAME).open("r+b") as file:
        write_mark(file.fileno(), mark.model_copy(update={"owner": DEAD}))
    bench.fill(folder / FILE_NAME, 0, SIZE, seed=3, direct=False)
    target = find(folder)
    assert (target.ours, target.created) == (True, False)
    shutil.copyfile(image, target.path)
    assert refusal(folder) == CHANGED


@pytest.mark.parametrize("size", [SIZE // 2, 2 * SIZE])
def test_what_is_copied_onto_a_kept_file_during_a_run_is_not_vouched_for_at_its_end(
    folder: Path, size: int
) -> None:
    keep_file(made(folder))
    with claimed([target := find(folder)]):
        Path(target.path).write_bytes(os.urandom(size))
    assert refusal(folder) == CHANGED


def test_nor_is_what_a_run_stopped_at(folder: Path, image: Path) -> None:
    """Of the same size, and noticed otherwise: as in use by now, or gone."""
    keep_file(made(folder))
    with suppress(TargetError), claimed([target := find(folder)]):
        shutil.copyfile(image, target.path)
        raise TargetError.of(target.path, "is in use")
    assert refusal(folder) == CHANGED


@pytest.mark.parametrize(("size", "doubtful"), [(SIZE // 2, False), (2 * SIZE, False), (SIZE, True)])
def test_nor_is_a_file_that_is_kept_at_the_end_of_the_run_that_made_it(
    folder: Path, size: int, doubtful: bool
) -> None:
    target = made(folder)
    Path(target.path).write_bytes(os.urandom(size))
    keep_file(target, doubtful=doubtful)
    assert refusal(folder) == CHANGED


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_a_run_that_ends_otherwise_leaves_its_file_as_it_is(folder: Path, error: type[BaseException]) -> None:
    keep_file(made(folder))
    with suppress(error), claimed([target := find(folder)]):
        bench.fill(target.path, 0, SIZE, seed=5, direct=False)
        raise error
    assert find(folder).ours
    mark = read_mark(target.path)
    assert mark
    assert mark.size_bytes == SIZE


def test_a_kept_file_that_changes_between_the_look_and_the_run_is_refused(folder: Path, image: Path) -> None:
    keep_file(made(folder))
    target = find(folder)
    shutil.copyfile(image, target.path)
    with pytest.raises(TargetError, match="has changed"), claimed([target]):
        pass
    with pytest.raises(TargetError, match="has changed"):
        recheck([target], permissions=Permissions(buffered=True))


def test_what_was_given_away_is_not_removed_by_a_later_run(folder: Path, image: Path) -> None:
    """What its owner let be overwritten is iodyno's data then, and still the owner's file."""
    path = killed(made(folder))
    shutil.copyfile(image, path)
    target = find(folder, write_existing=True)
    assert (target.ours, target.created) == (False, False)
    with claimed([target]):
        bench.fill(path, 0, SIZE, seed=3, direct=False)
    assert read_mark(path) is None
    assert marked_for_removal(str(path)) is False
    with pytest.raises(TargetError, match="was not made by iodyno"):
        find(folder)


def test_a_kept_file_of_an_earlier_version_is_known_by_its_data(folder: Path, image: Path) -> None:
    """Its mark does not say how it was left."""
    target = made(folder)
    with Path(target.path).open("r+b") as file:
        write_mark(file.fileno(), Mark(inode=Path(target.path).stat().st_ino, kept=True))
    assert find(folder).ours
    shutil.copyfile(image, target.path)
    assert refusal(folder) == CHANGED


def test_a_file_that_cannot_be_read_is_not_taken_for_untouched(tmp_path: Path) -> None:
    assert is_untouched(tmp_path / "gone", Mark(inode=1)) is False


def test_a_file_is_written_beside_a_loop_device_out_of_sight_only_if_nobody_has_it_open(
    tmp_path: Path, image: Path
) -> None:
    """The name of what is behind it has gone, and this user may not ask the kernel."""
    folder = tmp_path / "sys/class/block/loop5"
    (folder / "loop").mkdir(parents=True)
    (folder / "loop/backing_file").write_text(f"{tmp_path / 'first name'} (deleted)\n")
    (folder / "size").write_text(str(SIZE // 512))
    host = Host(sys=tmp_path / "sys", proc=tmp_path / "none")

    def look(*, writes: bool = True) -> tuple[Target, ...]:
        allowed = Permissions(write_existing=True, buffered=True)
        return find_targets([image], writes=writes, permissions=allowed, file_size_bytes=SIZE, host=host)

    if not is_closed(image):
        pytest.skip("this file system has no leases")
    assert look()
    with image.open("rb"):
        with pytest.raises(TargetError, match="may be in use") as caught:
            look()
        assert caught.value.problems[0].hint.startswith("run as root")
        assert look(writes=False), "reading it does no harm"
        (folder / "size").write_text(str(SIZE // 512 + 1))
        assert look(), "it is too small to be behind that one"
