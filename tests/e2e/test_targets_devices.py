"""The guards against real block devices: loop devices over files that the tests make."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from contents import no_file_system
from iodyno.errors import TargetError
from iodyno.targets import Permissions, Target, find_targets, recheck
from loop_devices import DIRECT, loop_device

MIB = 1 << 20
SIZE = 64 * MIB
LIMIT_S = 60

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(os.geteuid() != 0, reason="loop devices need root"),
    pytest.mark.skipif(not Path("/dev/loop-control").exists(), reason="this kernel has no loop devices"),
]


def call(*words: str) -> str:
    tool = shutil.which(words[0], path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not tool:
        pytest.skip(f"{words[0]} is not there")
    done = subprocess.run([tool, *words[1:]], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    return done.stdout.strip()


Attach = Callable[..., str]


@pytest.fixture
def attach(tmp_path: Path) -> Iterator[Attach]:
    """Make files and attach loop devices to them; everything is undone at the end."""
    attached = ExitStack()

    def attach_one(name: str = "disk", size: int = SIZE, *options: str) -> str:
        path = tmp_path / name
        if not path.exists():
            path.touch()
            os.truncate(path, size)
        return attached.enter_context(loop_device(path, "--partscan", *options))

    with attached:
        yield attach_one


def test_a_loop_device_is_detached_where_its_test_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "disk"
    path.write_bytes(bytes(SIZE))
    with loop_device(path, DIRECT) as device:
        facts = Path("/sys/block", Path(device).name, "loop")
        assert (facts / "backing_file").read_text().strip() == str(path)
        assert (facts / "dio").read_text().strip() == "1"
    # The kernel waits with that until nobody has it open: programs that look at each new device may.
    end = time.monotonic() + LIMIT_S
    while behind(facts / "backing_file") == str(path):
        assert time.monotonic() < end, "it stays attached"
        time.sleep(0.1)


def behind(told: Path) -> str:
    """Give the file behind a loop device, as the kernel tells it; empty where there is none."""
    try:
        return told.read_text().strip()
    except OSError:
        return ""


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount devices, and unmount them at the end, before they are detached."""
    points: list[Path] = []

    def mount(device: str) -> Path:
        points.append(tmp_path / f"mount{len(points)}")
        points[-1].mkdir()
        try:
            call("mount", device, str(points[-1]))
        except RuntimeError as error:
            points.pop()
            pytest.skip(f"nothing can be mounted here: {error}")
        return points[-1]

    yield mount
    for point in points:
        call("umount", str(point))


def find(*paths: str | Path, writes: bool = True, **flags: Any) -> tuple[Target, ...]:
    permissions = Permissions(buffered=True, **flags)
    return find_targets(paths, writes=writes, permissions=permissions, file_size_bytes=MIB)


def find_all(*paths: str | Path) -> tuple[Target, ...]:
    """Find with every flag given, and the size of every device typed."""
    sizes = {size_of(str(path)) for path in paths}
    return find(*paths, write_existing=True, identity=tuple(sizes), overwrite_signature=True)


def size_of(path: str) -> str:
    return call("blockdev", "--getsize64", path)


def refusal(*paths: str | Path, **flags: Any) -> str:
    with pytest.raises(TargetError) as caught:
        find(*paths, **flags)
    return str(caught.value)


def refusal_of_all(*paths: str | Path) -> str:
    with pytest.raises(TargetError) as caught:
        find_all(*paths)
    return str(caught.value)


def partition(device: str) -> tuple[str, str]:
    call(
        "parted",
        "-s",
        device,
        "mklabel",
        "gpt",
        "mkpart",
        "a",
        "1MiB",
        "30MiB",
        "mkpart",
        "b",
        "30MiB",
        "60MiB",
    )
    parts = (f"{device}p1", f"{device}p2")
    for _ in range(50):
        if all(Path(part).exists() for part in parts):
            return parts
        time.sleep(0.1)
    pytest.skip("no partitions of loop devices appear here")


def unchanged(path: Path) -> Callable[[], bool]:
    before = path.read_bytes()
    return lambda: path.read_bytes() == before


def test_the_flags_of_a_free_device(attach: Attach, tmp_path: Path) -> None:
    device = attach()
    same = unchanged(tmp_path / "disk")
    assert "is a device, and the profiles write" in refusal(device)
    assert "exact size in bytes" in refusal(device, write_existing=True)
    assert "exact size in bytes" in refusal(device, write_existing=True, identity=(str(SIZE + 512),))
    (target,) = find(device, write_existing=True, identity=(str(SIZE),))
    assert (target.kind, target.size_bytes, target.exact) == ("device", SIZE, True)
    assert (target.device, target.partition) == (Path(device).name, None)
    assert target.contents == "never_written"
    recheck([target], writes=True, permissions=Permissions(True, (str(SIZE),), buffered=True))
    with pytest.raises(TargetError, match="is a device"):
        recheck([target], writes=True, permissions=Permissions(buffered=True))
    assert same(), "finding writes nothing"


def test_every_device_needs_an_identity_of_its_own(attach: Attach) -> None:
    one, two = attach("one"), attach("two", 2 * SIZE)
    text = refusal(one, two, write_existing=True, identity=(str(SIZE),))
    assert text.startswith(f"{two}: needs its exact size")
    assert len(text.splitlines()) == 1
    assert len(find(one, two, write_existing=True, identity=(str(SIZE), str(2 * SIZE)))) == 2


def test_what_a_device_holds_is_told(attach: Attach, tmp_path: Path) -> None:
    device = attach()
    with Path(device).open("r+b", buffering=0) as file:
        file.write(no_file_system(SIZE // 2))
    assert find_all(device)[0].contents == "partly_zero"
    with Path(device).open("r+b", buffering=0) as file:
        file.write(no_file_system(SIZE))
    assert find_all(device)[0].contents == "written"


def test_a_device_that_is_only_read_needs_no_flag(attach: Attach, mounted: Callable[[str], Path]) -> None:
    device = attach()
    call("mkfs.ext4", "-q", device)
    (target,) = find(device, writes=False)
    assert (target.writes, target.in_use) == (False, ())
    point = mounted(device)
    (target,) = find(device, writes=False)
    assert target.in_use == (f"{device} is mounted at {point}",)
    recheck([target], permissions=Permissions(buffered=True))
    with pytest.raises(TargetError, match="is mounted"):
        recheck([target], writes=True, permissions=Permissions(buffered=True))


def test_a_file_system_needs_the_second_flag(attach: Attach) -> None:
    device = attach()
    call("mkfs.ext4", "-q", device)
    text = refusal(device, write_existing=True, identity=(str(SIZE),))
    assert text == f"{device}: carries ext4: it may hold data that is needed"
    assert find_all(device)


def test_a_mounted_device_is_refused_whatever_the_flags(
    attach: Attach, mounted: Callable[[str], Path]
) -> None:
    device = attach()
    call("mkfs.ext4", "-q", device)
    (free,) = find_all(device)
    point = mounted(device)
    assert f"{device} is mounted at {point}" in refusal_of_all(device)
    flags = Permissions(True, (str(SIZE),), overwrite_signature=True, buffered=True)
    with pytest.raises(TargetError, match="is mounted at"):
        recheck([free], writes=True, permissions=flags)


def test_partitions(attach: Attach, mounted: Callable[[str], Path]) -> None:
    disk = attach()
    one, two = partition(disk)
    assert "carries gpt" in refusal(disk, write_existing=True, identity=(str(SIZE),))
    call("mkfs.ext4", "-q", one)
    point = mounted(one)
    assert f"{one} is mounted at {point}" in refusal_of_all(one)
    assert f"{one} is mounted at {point}" in refusal_of_all(disk)
    (target,) = find(two, write_existing=True, identity=(size_of(two),))
    assert (target.device, target.partition, target.exact) == (Path(disk).name, Path(two).name, False)
    assert target.size_bytes == 30 * MIB


def test_a_partition_and_its_disk_are_not_two_targets(attach: Attach) -> None:
    disk = attach()
    one, two = partition(disk)
    assert f"{two}: is part of {disk}, which is a target too" in refusal_of_all(disk, two)
    assert len(find_all(one, two)) == 2


def test_swap(attach: Attach) -> None:
    disk = attach()
    part, _ = partition(disk)
    call("mkswap", part)
    assert "carries swap" in refusal(part, write_existing=True, identity=(size_of(part),))
    try:
        call("swapon", "--priority", "0", part)
    except RuntimeError as error:
        pytest.skip(f"swap cannot be used here: {error}")
    try:
        assert f"{part} is in use as swap" in refusal_of_all(part)
        assert f"{part} is in use as swap" in refusal_of_all(disk)
    finally:
        call("swapoff", part)
    assert find_all(part)


def test_every_member_of_a_btrfs(attach: Attach, mounted: Callable[[str], Path]) -> None:
    one, two = attach("one", 256 * MIB), attach("two", 256 * MIB)
    call("mkfs.btrfs", "-q", one, two)
    assert "carries btrfs" in refusal(two, write_existing=True, identity=(str(256 * MIB),))
    point = mounted(one)
    for device in (one, two):
        assert "is part of the mounted btrfs" in refusal_of_all(device)
    (target,) = find(point, writes=False)
    assert target.device in (Path(one).name, Path(two).name), "the device behind a number of btrfs's own"


def test_a_device_open_exclusively_is_refused_whatever_the_flags(attach: Attach) -> None:
    device = attach()
    descriptor = os.open(device, os.O_RDONLY | os.O_EXCL)
    try:
        assert "is open exclusively" in refusal_of_all(device)
    finally:
        os.close(descriptor)
    assert find_all(device)
    os.close(os.open(device, os.O_RDONLY | os.O_EXCL))  # and find_targets left nothing open


def test_a_loop_device_over_a_device_holds_it(attach: Attach) -> None:
    lower = attach()
    try:
        upper = call("losetup", "--find", "--show", lower)
    except RuntimeError as error:
        pytest.skip(f"no loop device over a loop device here: {error}")
    try:
        assert f"is held by the loop device {Path(upper).name}" in refusal_of_all(lower)
    finally:
        call("losetup", "--detach", upper)


def test_a_file_behind_a_loop_device(attach: Attach, tmp_path: Path) -> None:
    device = attach()
    text = refusal(tmp_path / "disk", write_existing=True)
    assert f"it is behind the loop device {Path(device).name}" in text


def test_a_file_mounted_by_another_loop_device_is_in_use(
    attach: Attach, mounted: Callable[[str], Path]
) -> None:
    device, other = attach(), attach()
    call("mkfs.ext4", "-q", device)
    assert f"{other}: is the same as {device}" in refusal(device, other, writes=False)
    text = refusal_of_all(device)
    assert text.endswith(f"the file behind {device} is behind {other} too")
    point = mounted(other)
    assert f"{other} is mounted at {point}" in refusal_of_all(device)
    assert find(device, writes=False)[0].in_use[0] == f"{other} is mounted at {point}"


def test_loop_devices_over_other_parts_of_a_file_are_no_matter(attach: Attach) -> None:
    half = str(SIZE // 2)
    one, two = attach("disk", SIZE, "--sizelimit", half), attach("disk", SIZE, "--offset", half)
    assert len(find_all(one, two)) == 2
    whole = attach()
    assert f"{one}: is part of {whole}" in refusal(one, whole, writes=False)
    assert f"behind {one} is behind {whole} too" in refusal_of_all(one)


def test_a_loop_device_over_a_mounted_device_is_in_use(
    attach: Attach, mounted: Callable[[str], Path]
) -> None:
    lower = attach()
    one, _ = partition(lower)
    call("mkfs.ext4", "-q", one)
    upper = attach(lower)
    assert find_all(upper), "it is free, and so is what it lies on"
    assert f"{upper}: is the same as {lower}" in refusal(lower, upper, writes=False)
    descriptor = os.open(one, os.O_RDONLY | os.O_EXCL)
    try:
        # So a file system shows that is mounted where this process does not see it.
        assert f"{one} is open exclusively" in refusal_of_all(upper)
    finally:
        os.close(descriptor)
    point = mounted(one)
    assert f"{one} is mounted at {point}" in refusal_of_all(upper)


def test_a_loop_device_over_the_neighbour_of_a_mounted_partition_is_free(
    attach: Attach, mounted: Callable[[str], Path]
) -> None:
    one, two = partition(attach())
    call("mkfs.ext4", "-q", one)
    mounted(one)
    assert find_all(attach(two))


def test_a_file_behind_a_loop_device_by_another_name(
    attach: Attach, mounted: Callable[[str], Path], tmp_path: Path
) -> None:
    device = attach()
    call("mkfs.ext4", "-q", device)
    mounted(device)
    other = tmp_path / "other name"
    os.link(tmp_path / "disk", other)
    (tmp_path / "disk").unlink()
    text = refusal(other, write_existing=True)
    assert f"it is behind the loop device {Path(device).name}" in text


def test_a_device_behind_a_loop_device_by_a_name_that_has_gone(attach: Attach, tmp_path: Path) -> None:
    lower, node = attach(), tmp_path / "node"
    try:
        os.mknod(node, 0o600 | 0o060000, Path(lower).stat().st_rdev)
    except OSError as error:
        pytest.skip(f"no device node can be made here: {error}")
    upper = attach("node")
    node.unlink()
    assert f"{lower} is held by the loop device {Path(upper).name}" in refusal_of_all(lower)


def test_one_device_under_two_names(attach: Attach, tmp_path: Path) -> None:
    device = attach()
    (tmp_path / "link").symlink_to(device)
    number = Path(device).stat().st_rdev
    try:
        os.mknod(tmp_path / "node", 0o600 | 0o060000, number)
    except OSError as error:
        pytest.skip(f"no device node can be made here: {error}")
    for other in (tmp_path / "link", tmp_path / "node"):
        text = refusal(device, other, write_existing=True, identity=(str(SIZE),))
        assert "is the same as" in text


def test_another_name_does_not_lead_past_a_guard(
    attach: Attach, mounted: Callable[[str], Path], tmp_path: Path
) -> None:
    device = attach()
    call("mkfs.ext4", "-q", device)
    (tmp_path / "link").symlink_to(device)
    mounted(device)
    assert "is mounted at" in refusal_of_all(tmp_path / "link")


def test_a_read_only_device(attach: Attach) -> None:
    device = attach("disk", SIZE, "--read-only")
    assert "is read-only" in refusal_of_all(device)
    assert find(device, writes=False)


def test_a_device_without_a_medium(attach: Attach) -> None:
    attach()
    empty = call("losetup", "--find")
    if int(size_of(empty)):
        pytest.skip("somebody else attached it meanwhile")
    assert "has no medium" in refusal(empty, writes=False)


def test_the_logical_block_is_the_devices(attach: Attach) -> None:
    device = attach("disk", SIZE, "--sector-size", "4096")
    assert find_all(device)[0].logical_block_bytes == 4096


def test_a_file_on_a_read_only_mount(attach: Attach, mounted: Callable[[str], Path]) -> None:
    device = attach()
    call("mkfs.ext4", "-q", device)
    point = mounted(device)
    (point / "data").write_bytes(os.urandom(MIB))
    (target,) = find(point / "data", writes=False)
    assert (target.device, target.file_system) == (Path(device).name, "ext4")
    call("mount", "-o", "remount,ro", str(point))
    assert "is mounted read-only" in refusal(point)
    assert "mounted read-only" in refusal(point / "data", write_existing=True)
    assert find(point / "data", writes=False)
    assert "ro" in find(point / "data", writes=False)[0].mount_options


def test_a_full_file_system(attach: Attach, mounted: Callable[[str], Path]) -> None:
    device = attach()
    call("mkfs.ext4", "-q", device)
    point = mounted(device)
    with pytest.raises(TargetError, match="10% of it"):
        find_targets([point], writes=True, permissions=Permissions(buffered=True), file_size_bytes=SIZE)
    assert [path.name for path in point.iterdir()] == ["lost+found"]
