"""Files as targets: made, found again, left alone, removed."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
from collections import namedtuple
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from iodyno import bench
from iodyno.errors import TargetError
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
from iodyno.targets import direct as direct_module
from iodyno.targets.direct import DirectIO
from iodyno.targets.host import Host
from iodyno.targets.mark import Mark, read_mark, this_process, write_mark

MIB = 1 << 20
BUFFERED = Permissions(buffered=True)
WRITE = Permissions(write_existing=True, buffered=True)


def find(*paths: str | Path, writes: bool = False, permissions: Permissions = BUFFERED, **more: Any) -> Any:
    more.setdefault("file_size_bytes", MIB)
    return find_targets(paths, writes=writes, permissions=permissions, **more)


def refusal(*paths: str | Path, **more: Any) -> str:
    with pytest.raises(TargetError) as caught:
        find(*paths, **more)
    assert all(problem.hint for problem in caught.value.problems), "each problem has a hint"
    return str(caught.value)


def data_file(path: Path, size_bytes: int = MIB) -> Path:
    path.write_bytes(os.urandom(size_bytes))
    return path


@pytest.fixture
def marks(tmp_path: Path) -> None:
    probe = tmp_path / "probe"
    with probe.open("wb") as file:
        if not write_mark(file.fileno(), Mark(inode=0)):
            pytest.skip("this file system has no user attributes")
    probe.unlink()


def fill(target: Target) -> None:
    bench.fill(target.path, 0, target.size_bytes, seed=1, direct=False)


# Files still to be made


def test_a_directory_becomes_a_file_in_it_and_nothing_is_written(tmp_path: Path) -> None:
    (target,) = find(tmp_path, writes=True)
    assert target.path == str(tmp_path / FILE_NAME)
    assert target.asked == str(tmp_path)
    assert (target.kind, target.created, target.writes, target.contents) == (
        "file",
        True,
        True,
        "to_be_written",
    )
    assert target.size_bytes == MIB
    assert list(tmp_path.iterdir()) == []
    assert Target.model_validate_json(target.model_dump_json()) == target


def test_a_missing_path_becomes_a_file(tmp_path: Path) -> None:
    (target,) = find(tmp_path / "new.data")
    assert (target.path, target.created) == (str(tmp_path / "new.data"), True)


def test_a_made_file_is_marked_private_and_removed(tmp_path: Path, marks: None) -> None:
    (target,) = find(tmp_path, writes=True)
    made = create_file(target)
    path = Path(made.path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_size == MIB
    assert read_mark(path)
    assert made.file_id
    assert remove_file(made) is True
    assert list(tmp_path.iterdir()) == []
    assert remove_file(made) is False


def test_a_made_file_is_never_made_over_another(tmp_path: Path) -> None:
    (target,) = find(tmp_path / "x", writes=True)
    data_file(tmp_path / "x", 10)
    with pytest.raises(TargetError, match="another maker"):
        create_file(target)
    assert (tmp_path / "x").stat().st_size == 10
    with pytest.raises(TargetError, match="did not make"):
        remove_file(target)
    assert (tmp_path / "x").exists()


def test_of_two_runs_at_once_the_later_names_the_other(
    tmp_path: Path, marks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (target,) = find(tmp_path / "x", writes=True)
    path = tmp_path / "x"
    path.touch()
    other = os.getppid()
    if not (Path("/proc") / str(other) / "stat").exists():
        pytest.skip("the parent of this process is out of sight")

    def mark_it(seconds: float) -> None:
        stat = (Path("/proc") / str(other) / "stat").read_text()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        owner = f"{boot}:{other}:{stat.rpartition(')')[2].split()[19]}"
        with path.open("r+b") as file:
            write_mark(file.fileno(), Mark(inode=path.stat().st_ino, owner=owner))

    monkeypatch.setattr("iodyno.targets.making.time.sleep", mark_it)
    with pytest.raises(TargetError, match=f"in use by another iodyno, process {other}"):
        create_file(target)
    assert path.exists()


@pytest.mark.parametrize("writes", [False, True])
def test_a_file_that_was_there_is_measured_by_one_at_a_time(tmp_path: Path, writes: bool) -> None:
    """It has no mark that says who measures it, or one of a run that has ended."""
    file = data_file(tmp_path / "x")
    asked: dict[str, Any] = {"writes": writes, "permissions": WRITE}
    targets = find(file, **asked)
    with claimed(targets):
        assert f"{file}: is in use by another iodyno" in refusal(file, **asked)
        with pytest.raises(TargetError, match="in use by another iodyno"), claimed(targets):
            pass
    assert find(file, **asked) == targets
    with claimed(targets):
        pass


def test_a_file_that_others_lock_together_is_in_use(tmp_path: Path) -> None:
    """What would be refused when the run begins is refused before."""
    file = data_file(tmp_path / "x")
    with file.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        assert "or locked by another program" in refusal(file)
    assert find(file)


def test_what_has_no_locks_is_claimed_by_nobody(tmp_path: Path) -> None:
    target = find(data_file(tmp_path / "x"))[0]
    gone = target.model_copy(update={"path": str(tmp_path / "gone")})
    with claimed((gone,)), claimed((gone,)):
        pass


def test_a_made_file_does_not_follow_a_link(tmp_path: Path) -> None:
    (target,) = find(tmp_path / "x", writes=True)
    (tmp_path / "x").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(TargetError):
        create_file(target)
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (target,) = find(tmp_path, writes=True)
    monkeypatch.setattr("iodyno.targets.making._reserve", full)
    with pytest.raises(TargetError, match="No space left"):
        create_file(target)
    assert list(tmp_path.iterdir()) == []


def test_a_size_is_rounded_up_to_whole_blocks(tmp_path: Path) -> None:
    (target,) = find(tmp_path, writes=True, file_size_bytes=1_000_001)
    assert target.size_bytes == 1_003_520


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / os.fsdecode(b"caf\xe9")
    bad.mkdir()
    (tmp_path / "link").symlink_to(bad)
    for path in (bad, tmp_path / "link", bad / "new"):
        problem = refusal(path)
        assert "caf\\xe9" in problem
        assert "not UTF-8" in problem


# Files found again


def test_a_file_of_an_interrupted_run_is_taken_over(tmp_path: Path, marks: None) -> None:
    made = create_file(find(tmp_path, writes=True)[0])
    (again,) = find(tmp_path, writes=True)
    assert (again.created, again.contents) == (True, "to_be_written")
    fill(made)
    (again,) = find(tmp_path, writes=True)
    assert (again.created, again.contents) == (True, "written")
    inode = Path(made.path).stat().st_ino
    (larger,) = find(tmp_path, writes=True, file_size_bytes=2 * MIB)
    assert (larger.size_bytes, larger.contents) == (2 * MIB, "to_be_written")
    create_file(larger)
    assert (Path(made.path).stat().st_ino, Path(made.path).stat().st_size) == (inode, 2 * MIB)


def test_a_kept_file_is_used_again_without_a_flag_and_stays(tmp_path: Path, marks: None) -> None:
    made = create_file(find(tmp_path, writes=True)[0])
    fill(made)
    assert keep_file(made)
    (again,) = find(tmp_path, writes=True, file_size_bytes=5 * MIB)
    assert (again.created, again.contents, again.size_bytes) == (False, "written", MIB)


def test_a_kept_file_that_was_never_filled_is_filled_even_to_be_read(tmp_path: Path, marks: None) -> None:
    keep_file(create_file(find(tmp_path, writes=True)[0]))
    (again,) = find(tmp_path, writes=False)
    assert (again.created, again.contents, again.writes) == (False, "to_be_written", True)


def test_a_copy_of_a_marked_file_is_not_ours(tmp_path: Path, marks: None) -> None:
    made = create_file(find(tmp_path, writes=True)[0])
    copy = data_file(tmp_path / "copy")
    os.setxattr(copy, "user.iodyno", os.getxattr(made.path, "user.iodyno"))
    assert read_mark(copy) is None
    assert "was not made by iodyno" in refusal(copy, writes=True)


@pytest.mark.parametrize("text", [b"", b"yes", b"[]", b'{"mark_schema":99,"inode":1}', b"\xff"])
def test_a_mark_that_says_nothing_is_none(tmp_path: Path, marks: None, text: bytes) -> None:
    path = data_file(tmp_path / "x")
    os.setxattr(path, "user.iodyno", text)
    assert read_mark(path) is None


def test_a_mark_of_a_newer_schema_is_none(tmp_path: Path, marks: None) -> None:
    with (tmp_path / "x").open("wb") as file:
        write_mark(file.fileno(), Mark(mark_schema=2, inode=os.fstat(file.fileno()).st_ino))
    assert read_mark(tmp_path / "x") is None


def test_a_file_in_use_by_another_iodyno_is_refused(tmp_path: Path, marks: None) -> None:
    made = create_file(find(tmp_path, writes=True)[0])
    mark = read_mark(made.path)
    assert mark is not None
    assert mark.owner == this_process()
    boot = mark.owner.split(":")[0]
    with subprocess.Popen(["sleep", "60"]) as other:
        # proc(5): the start time is field 22, and the name in field 2 may hold blanks.
        start = int(Path(f"/proc/{other.pid}/stat").read_text().rpartition(")")[2].split()[19])
        own(made, mark, f"{boot}:{other.pid}:{start}")
        assert f"process {other.pid}" in refusal(tmp_path, writes=True)
        own(made, mark, f"{boot}:{other.pid}:{start + 1}")
        assert find(tmp_path, writes=True), "the process of that number is another by now"
        own(made, mark, f"{boot}:{other.pid}:{start}")
        other.kill()
    assert find(tmp_path, writes=True), "the process has ended"


def own(made: Target, mark: Mark, owner: str) -> None:
    with Path(made.path).open("r+b") as file:
        write_mark(file.fileno(), mark.model_copy(update={"owner": owner}))


# Files of others


def test_a_file_of_others_is_read_without_a_flag(tmp_path: Path) -> None:
    (target,) = find(data_file(tmp_path / "x"))
    assert (target.created, target.writes) == (False, False)
    assert target.contents in ("written", "unknown")


def test_a_file_of_others_is_written_only_with_the_flag(tmp_path: Path) -> None:
    path = data_file(tmp_path / "x")
    assert "was not made by iodyno" in refusal(path, writes=True)
    (target,) = find(path, writes=True, permissions=WRITE)
    assert (target.created, target.writes) == (False, True)
    with pytest.raises(TargetError):
        remove_file(target)
    assert path.exists()


def test_an_identity_does_not_stand_in_for_the_flag(tmp_path: Path) -> None:
    path = data_file(tmp_path / "x")
    permissions = replace(BUFFERED, identity=(str(MIB),), overwrite_signature=True)
    assert "was not made by iodyno" in refusal(path, writes=True, permissions=permissions)


def test_without_attributes_every_file_counts_as_foreign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object, **__: object) -> bytes:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "setxattr", unsupported)
    monkeypatch.setattr(os, "getxattr", unsupported)
    (target,) = find(tmp_path, writes=True)
    made = create_file(target)
    assert "was not made by iodyno" in refusal(tmp_path, writes=True)
    recheck([made], writes=True, permissions=BUFFERED)
    assert remove_file(made), "but the run that made it knows it"


def test_a_foreign_file_in_a_directory_is_named_itself(tmp_path: Path) -> None:
    """Not the directory would be written with --write-existing, but that file."""
    data_file(tmp_path / "iodyno.data")
    with pytest.raises(TargetError) as caught:
        find(tmp_path, writes=True)
    (problem,) = caught.value.problems
    assert problem.where == str(tmp_path / "iodyno.data")
    assert problem.hint.startswith("name another directory: ")


@pytest.mark.parametrize("make", ["holes", "zeros"])
def test_a_file_that_was_never_written_is_not_read(tmp_path: Path, make: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(MIB) if make == "zeros" else b"")
    os.truncate(path, MIB)
    text = refusal(path)
    assert "was never written in full" in text
    (target,) = find(path, permissions=WRITE)
    assert (target.contents, target.writes) == ("to_be_written", True)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    assert "is empty" in refusal(tmp_path / "x")


def test_a_file_behind_a_loop_device_or_in_use_as_swap(tmp_path: Path) -> None:
    path = data_file(tmp_path / "x")
    (tmp_path / "sys/class/block/loop5/loop").mkdir(parents=True)
    (tmp_path / "sys/class/block/loop5/loop/backing_file").write_text(f"{path}\n")
    (tmp_path / "proc").mkdir()
    behind = Host(sys=tmp_path / "sys", proc=tmp_path / "proc")
    assert "loop device loop5" in refusal(path, writes=True, permissions=WRITE, host=behind)
    assert find(path, host=behind), "reading it does no harm"
    os.link(path, tmp_path / "other name")
    (tmp_path / "proc/swaps").write_text(f"Filename\n{tmp_path}/other\\040name file 1 0 -2\n")
    swap = Host(sys=tmp_path / "none", proc=tmp_path / "proc")
    assert "in use as swap" in refusal(path, writes=True, permissions=WRITE, host=swap)


# The same target twice


def test_one_file_under_several_names_is_refused(tmp_path: Path) -> None:
    path = data_file(tmp_path / "x")
    (tmp_path / "link").symlink_to("x")
    os.link(path, tmp_path / "hard")
    for other in ("x", "link", "hard", "../" + tmp_path.name + "/x"):
        assert "is the same as" in refusal(path, tmp_path / other)
    assert len(find(path, data_file(tmp_path / "y"))) == 2


def test_one_file_to_be_made_under_two_names_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    assert "is the same as" in refusal(tmp_path, tmp_path / "link" / FILE_NAME)


def test_a_file_that_is_named_twice_needs_its_room_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda path: Statvfs(100, MIB, 30, 0))
    assert refusal(tmp_path, tmp_path, file_size_bytes=15 * MIB).endswith(f"is the same as {tmp_path}")


# Bad input


def test_a_link_to_nothing_is_told_with_what_helps(tmp_path: Path) -> None:
    """A link in a folder was told to look among devices."""
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(TargetError) as raised:
        find(tmp_path / "dangling", "")
    told = [problem.hint for problem in raised.value.problems]
    assert told == [
        "make what it leads to, or name another path",
        "name a directory, a file or a block device",
    ]


def test_every_problem_of_every_target_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "ring").symlink_to("ring")
    data_file(tmp_path / "foreign")
    cases = {
        str(tmp_path / "fifo"): "is a pipe",
        str(tmp_path / "socket"): "is a socket",
        "/dev/null": "is a character device",
        str(tmp_path / "dangling"): "is a link to nowhere, where nothing is",
        str(tmp_path / "ring"): "is a link to ring, where nothing is",
        str(tmp_path / "none/file"): "so is its directory",
        str(tmp_path / "foreign/file"): "cannot be looked at: Not a directory",
        "/dev/no-such-device": "there is no such device",
        "/dev/mapper/no-such-device": "there is no such device",
        "/dev/no-such-folder/no-such-device": "there is no such device",
        "/dev": "is a folder of devices: no file is made there",
        str(tmp_path / "foreign"): "was not made by iodyno",
        "": "is an empty path",
        "a\0b": "cannot be looked at",
    }
    text = refusal(*cases, writes=True)
    for asked, words in cases.items():
        assert f"{asked}: " in text
        assert words in text
    assert len(text.splitlines()) == len(cases)
    assert not (tmp_path / "nowhere").exists()


def test_no_target_at_all() -> None:
    assert "none is given" in refusal()


def test_a_directory_where_nothing_may_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
    assert "is not writable" in refusal(tmp_path)
    path = data_file(tmp_path / "x")
    assert "may not be written" in refusal(path, writes=True, permissions=WRITE)
    assert find(path)


def test_a_file_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> int:
        raise OSError(1, "Operation not permitted")

    path = data_file(tmp_path / "x")
    monkeypatch.setattr(os, "open", forbidden)
    assert refusal(path) == f"{path}: cannot be opened: Operation not permitted"


# Free space

Statvfs = namedtuple("Statvfs", "f_blocks f_frsize f_bavail f_flag")


def test_a_tenth_of_the_file_system_stays_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # 100 blocks of 1 MiB, 30 of them free: 10 stay free, so 20 may be used.
    monkeypatch.setattr(os, "statvfs", lambda path: Statvfs(100, MIB, 30, 0))
    assert find(tmp_path, file_size_bytes=20 * MIB)
    assert "10% of it" in refusal(tmp_path, file_size_bytes=20 * MIB + 1)
    assert len(find(tmp_path / "a", tmp_path / "b", file_size_bytes=10 * MIB)) == 2
    text = refusal(tmp_path / "a", tmp_path / "b", file_size_bytes=10 * MIB + 1)
    assert f"{tmp_path / 'a'}, {tmp_path / 'b'}" in text
    assert len(text.splitlines()) == 1, "files on one file system are counted together"


def test_holes_of_a_file_of_others_must_fit_before_they_are_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be written in full first, and end in the middle of it when its file system is full."""
    monkeypatch.setattr(os, "statvfs", lambda path: Statvfs(100, MIB, 30, 0))
    sparse, allowed = tmp_path / "sparse", Permissions(write_existing=True, buffered=True)
    for size, fits in ((20 * MIB, True), (21 * MIB, False)):
        with sparse.open("wb") as file:
            file.truncate(size)
        if fits:
            assert find(sparse, writes=True, permissions=allowed)
        else:
            said = refusal(sparse, writes=True, permissions=allowed)
            # Base 2, as --size is asked for: 30 of 100 blocks of 1 MiB are free, a tenth of all stays so.
            assert "needs 21M on its file system, where 20M may be used: 10% of it (10M) stays free" in said


def test_space_already_taken_is_not_counted_again(
    tmp_path: Path, marks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create_file(find(tmp_path, file_size_bytes=8 * MIB)[0])
    fill(made)
    monkeypatch.setattr(os, "statvfs", lambda path: Statvfs(100, MIB, 10, 0))
    assert find(tmp_path, file_size_bytes=8 * MIB)
    assert "10% of it" in refusal(tmp_path, file_size_bytes=9 * MIB)


# Direct I/O


def test_direct_io_that_is_impossible_needs_a_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = data_file(tmp_path / "x")
    monkeypatch.setattr("iodyno.targets.file.direct_of_existing", lambda path: DirectIO(False))
    monkeypatch.setattr("iodyno.targets.file.direct_in_directory", lambda path: DirectIO(False))
    for asked in (path, tmp_path):
        with pytest.raises(TargetError, match="without direct I/O") as caught:
            find(asked, permissions=Permissions())
        assert "--buffered" in caught.value.problems[0].hint
        assert find(asked)[0].direct is False


def test_direct_io_that_only_the_file_can_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iodyno.targets.file.direct_in_directory", lambda path: DirectIO(None))
    (target,) = find(tmp_path, permissions=Permissions())
    assert target.direct is None
    monkeypatch.setattr("iodyno.targets.making.direct_of_existing", lambda path: DirectIO(False))
    with pytest.raises(TargetError, match="without direct I/O"):
        create_file(target)
    assert list(tmp_path.iterdir()) == []
    assert create_file(target, BUFFERED).direct is False


def test_the_answer_of_the_open_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refuse_direct(path: Any, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_DIRECT:
            raise OSError(22, "Invalid argument")
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse_direct)
    path = data_file(tmp_path / "x")
    assert direct_module.direct_of_existing(str(path)).possible is False
    assert direct_module.direct_in_directory(tmp_path).possible in (False, None)


@pytest.mark.parametrize("number", [0x01021994, 0x858458F6])
def test_a_file_in_memory_has_no_direct_io_whatever_the_open_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(direct_module, "_file_system_type", lambda descriptor: number)
    problem = refusal(tmp_path, permissions=Permissions())
    assert "without direct I/O" in problem
    assert direct_module.direct_of_existing(str(data_file(tmp_path / "x"))).possible is False


def test_tmpfs_is_known_by_its_type() -> None:
    place = Path("/dev/shm")
    mount = Host().mount_of(place, "") if place.is_dir() else None
    if mount is None or mount.file_system != "tmpfs" or not os.access(place, os.W_OK):
        pytest.skip("no tmpfs at /dev/shm")
    assert direct_module.direct_in_directory(place).possible is False


# Guards again


def test_recheck_passes_what_has_not_changed(tmp_path: Path, marks: None) -> None:
    path = data_file(tmp_path / "x")
    targets = find(path, tmp_path, writes=True, permissions=WRITE)
    recheck(targets, writes=True, permissions=WRITE)
    made = tuple(create_file(target) if target.created else target for target in targets)
    recheck(made, writes=True, permissions=WRITE)
    recheck(targets, writes=True, permissions=WRITE)


def test_recheck_refuses_what_has_changed(tmp_path: Path) -> None:
    path = data_file(tmp_path / "x")
    (target,) = find(path, writes=True, permissions=WRITE)
    with pytest.raises(TargetError, match="was not made by iodyno"):
        recheck([target], writes=True, permissions=BUFFERED)
    with pytest.raises(TargetError, match="was not made by iodyno"):
        recheck([target], permissions=BUFFERED)
    os.truncate(path, MIB // 2)
    with pytest.raises(TargetError, match="size bytes was 1048576 and is 524288"):
        recheck([target], writes=True, permissions=WRITE)
    path.unlink()
    with pytest.raises(TargetError, match="has gone"):
        recheck([target], writes=True, permissions=WRITE)


def test_recheck_refuses_a_foreign_file_where_one_was_to_be_made(tmp_path: Path) -> None:
    (target,) = find(tmp_path / "x", writes=True)
    data_file(tmp_path / "x")
    with pytest.raises(TargetError, match="another maker"):
        recheck([target], writes=True, permissions=WRITE)


def test_a_file_kept_by_an_interrupted_run_passes_when_it_is_resumed(tmp_path: Path, marks: None) -> None:
    made = create_file(find(tmp_path, writes=True)[0])
    keep_file(made)
    recheck([made], writes=True, permissions=BUFFERED)
    (again,) = find(tmp_path, writes=True)
    assert (again.created, again.ours) == (False, True)


def test_the_place_of_a_file_is_described(tmp_path: Path) -> None:
    (target,) = find(tmp_path)
    assert target.file_system
    assert "rw" in target.mount_options.split(",")
    assert not target.exact
    assert target.logical_block_bytes >= 1
