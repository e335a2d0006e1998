"""What is watched beside a point, from made-up trees whose counters move between start and finish."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from iodyno.doctor import look_at
from iodyno.reading import DeviceCounters, Observation
from iodyno.system.places import devices_of
from iodyno.watch import Watch
from loop_devices import DIRECT, loop_device, tool
from made_up_system import Place, Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    found = Tree(tmp_path)
    found.write("proc/loadavg", "0.42 0.30 0.20 1/100 4242")
    cpu(found, user=1000, idle=9000, steal=0)
    return found


def cpu(tree: Tree, *, user: int, idle: int, steal: int) -> None:
    tree.write("proc/stat", f"cpu  {user} 0 0 {idle} 0 0 0 {steal} 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0")


def thread(tree: Tree, number: int, name: str) -> None:
    tree.write(f"proc/self/task/{number}/comm", name)


def watch(tree: Tree, *places: Place) -> Watch:
    return Watch(places, tree.host)


def test_nothing_that_can_be_read_is_an_empty_observation(tmp_path: Path) -> None:
    quiet = watch(Tree(tmp_path), Place(device="sdz"), Place(device=None))
    quiet.sample()
    assert quiet.finish() == Observation()


def test_steal_and_busy_are_shares_of_the_ticks_in_between(tree: Tree) -> None:
    watching = watch(tree)
    cpu(tree, user=1060, idle=9030, steal=10)
    found = watching.finish()
    assert (found.steal_share, found.busy_share, found.load_average) == (0.10, 0.60, 0.42)


def test_a_point_without_a_tick_has_no_shares(tree: Tree) -> None:
    assert watch(tree).finish().steal_share is None


def test_the_device_is_counted_in_between_in_bytes(tree: Tree) -> None:
    tree.nvme()
    tree.stat("nvme0n1", reads=100, read=800, writes=50, written=400)
    watching = watch(tree, Place(path="/dev/nvme0n1", kind="device", device="nvme0n1"))
    tree.stat("nvme0n1", reads=110, read=880, writes=53, written=448)
    expected = DeviceCounters(
        device="nvme0n1", reads=10, writes=3, read_bytes=40960, written_bytes=24576, targets=("/dev/nvme0n1",)
    )
    assert watching.finish().devices == (expected,)


def test_start_forgets_what_was_before(tree: Tree) -> None:
    tree.nvme()
    watching = watch(tree, Place(device="nvme0n1"))
    tree.stat("nvme0n1", reads=10, read=80)
    watching.start()
    tree.stat("nvme0n1", reads=11, read=88)
    assert [item.reads for item in watching.finish().devices] == [1]


def test_files_on_one_partition_share_its_counters_which_are_not_exact(tree: Tree) -> None:
    tree.nvme()
    tree.partition("nvme0n1", "nvme0n1p2")
    places = [Place(path=path, device="nvme0n1", partition="nvme0n1p2") for path in ("/a", "/b")]
    watching = watch(tree, *places)
    tree.stat("nvme0n1", reads=99, read=99)
    tree.stat("nvme0n1p2", reads=5, read=40)
    (found,) = watching.finish().devices
    assert (found.device, found.reads, found.exact) == ("nvme0n1p2", 5, False)


def test_a_partition_of_a_device_that_is_a_target_too_is_not_counted_twice(tree: Tree) -> None:
    tree.nvme()
    tree.partition("nvme0n1", "nvme0n1p2")
    whole = Place(path="/dev/nvme0n1", kind="device", device="nvme0n1")
    part = Place(path="/dev/nvme0n1p2", kind="device", device="nvme0n1", partition="nvme0n1p2")
    (found,) = watch(tree, part, whole).finish().devices
    assert (found.device, found.exact) == ("nvme0n1", False)


def test_a_device_whose_counters_stand_still_is_not_counted(tree: Tree) -> None:
    tree.nvme(iostats=0)
    assert watch(tree, Place(device="nvme0n1")).finish().devices == ()


def test_a_target_without_a_device_leaves_nothing_to_compare(tree: Tree) -> None:
    tree.nvme()
    assert watch(tree, Place(device="nvme0n1"), Place(path="/dev/shm/x", device=None)).finish().devices == ()


def test_the_device_with_fewest_tags_decides(tree: Tree) -> None:
    tree.nvme()
    tree.sata()
    found = watch(tree, Place(device="nvme0n1"), Place(device="sda")).finish()
    assert (found.device_tags, found.queue_requests) == (32, 64)


def test_partitions_of_a_device_share_its_queues(tree: Tree) -> None:
    tree.nvme()
    tree.sata()
    places = [Place(path=f"/dev/nvme0n1p{number}", device="nvme0n1") for number in (1, 2)]
    found = watch(tree, *places, Place(path="/dev/sda", device="sda")).finish()
    assert [(queue.device, queue.targets) for queue in found.queues] == [
        ("nvme0n1", ("/dev/nvme0n1p1", "/dev/nvme0n1p2")), ("sda", ("/dev/sda",)),
    ]  # fmt: skip
    assert found.queues[1].tags == 32


def test_a_device_on_one_other_has_the_tags_of_that_one(tree: Tree) -> None:
    tree.nvme()
    tree.write("sys/devices/virtual/block/dm-0/queue/iostats", 1)
    tree.link("sys/class/block/dm-0", "sys/devices/virtual/block/dm-0")
    tree.link("sys/devices/virtual/block/dm-0/slaves/nvme0n1", "sys/class/block/nvme0n1")
    assert watch(tree, Place(device="dm-0")).finish().device_tags == 1023


def test_a_load_that_polls_has_the_tags_of_the_queues_to_poll(tree: Tree) -> None:
    tree.nvme(io_poll=1)
    folder = (tree.root / "sys/class/block/nvme0n1").resolve().relative_to(tree.root)
    for number, cpus in enumerate(["0", "1", "0, 1"]):
        tree.write_all(f"{folder}/mq/{number}", {"nr_tags": 1023, "cpu_list": cpus})
    place = Place(device="nvme0n1")
    assert watch(tree, place).finish().device_tags == 2046
    assert Watch([place], tree.host, polled=True).finish().device_tags == 1023


def test_the_most_kernel_workers_at_once_are_kept_and_older_ones_left_out(tree: Tree) -> None:
    thread(tree, 10, "python3")
    thread(tree, 11, "iou-wrk-10")
    watching = watch(tree)
    thread(tree, 12, "iou-wrk-10")
    thread(tree, 13, "iou-wrk-10")
    watching.sample()
    for number in (12, 13):
        (tree.root / f"proc/self/task/{number}/comm").unlink()
    watching.sample()
    assert watching.finish().kernel_workers == 2


def test_the_threads_of_the_engine_are_no_kernel_workers(tree: Tree) -> None:
    watching = watch(tree)
    thread(tree, 10, "iodyno-worker-0")
    assert watching.finish().kernel_workers == 0


def test_throttling_is_counted_once_for_siblings(tree: Tree) -> None:
    for index in (0, 1):
        tree.write(f"sys/devices/system/cpu/cpu{index}/thermal_throttle/core_throttle_count", 7)
    watching = watch(tree)
    for index in (0, 1):
        tree.write(f"sys/devices/system/cpu/cpu{index}/thermal_throttle/core_throttle_count", 9)
    assert watching.finish().throttled == 2


def test_the_temperature_of_the_drive_before_and_after(tree: Tree) -> None:
    controller = tree.nvme()
    tree.hwmon(controller, temp1_input=40850, temp1_max=81850, temp1_crit=84850)
    watching = watch(tree, Place(device="nvme0n1"))
    tree.hwmon(controller, temp1_input=62850)
    found = watching.finish()
    assert (found.temperature_start_c, found.temperature_end_c, found.temperature_limit_c) == (
        40.85,
        62.85,
        81.85,
    )


def test_the_drive_nearest_to_its_limit_is_shown(tree: Tree) -> None:
    tree.hwmon(tree.nvme(), temp1_input=60000, temp1_max=82000)
    tree.hwmon(tree.sata(), temp1_input=58000, temp1_max=60000)
    found = watch(tree, Place(device="nvme0n1"), Place(device="sda")).finish()
    assert (found.temperature_end_c, found.temperature_limit_c) == (58.0, 60.0)


def test_this_machine_is_watched_without_a_word(tmp_path: Path) -> None:
    watching = Watch([Place(path=str(tmp_path / "x"))])
    watching.sample()
    found = watching.finish()
    assert found.devices == ()
    assert found.kernel_workers == 0


def test_what_this_machine_writes_its_device_counts(tmp_path: Path) -> None:
    place = look_at(tmp_path)
    watching = Watch([place])
    if not watching.finish().devices:
        pytest.skip(f"no device that counts behind {place.file_system}")
    watching.start()
    with (tmp_path / "written.dat").open("wb") as file:
        file.write(os.urandom(4 << 20))
        file.flush()
        os.fsync(file.fileno())
    (found,) = watching.finish().devices
    assert found.written_bytes >= 4 << 20
    assert found.writes >= 1


def test_loop_devices_through_the_page_cache_are_named_where_they_carry_a_target(tree: Tree) -> None:
    for number, direct in enumerate((0, 1)):
        tree.block(f"sys/devices/virtual/block/loop{number}", sectors=8)
        loop = {"backing_file": "/x", "dio": direct}
        tree.write_all(f"sys/devices/virtual/block/loop{number}/loop", loop)
    assert watch(tree, Place(device="loop0")).finish().page_cached == ("loop0",)
    assert watch(tree, Place(device="loop1")).finish().page_cached == ()
    tree.link("sys/class/block/dm-0", "sys/devices/virtual/block/dm-0")
    for number in (0, 1):
        tree.link(f"sys/devices/virtual/block/dm-0/slaves/loop{number}", f"sys/class/block/loop{number}")
    assert watch(tree, Place(device="dm-0"), Place(device="loop0")).finish().page_cached == ("loop0",)


def loop(tree: Tree, name: str, backing: str, *, direct: bool, number: str = "") -> None:
    """Make a loop device over a file, with a number of its own where something is mounted from it."""
    folder = f"sys/devices/virtual/block/{name}"
    tree.block(folder, sectors=8)
    tree.write_all(f"{folder}/loop", {"backing_file": backing, "dio": int(direct)})
    if number:
        tree.link(f"sys/dev/block/{number}", folder)


def mounts(tree: Tree, *lines: str) -> None:
    root = "22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p1 rw"
    tree.write("proc/self/mountinfo", "\n".join([root, *lines]))


def cached(tree: Tree, device: str) -> tuple[str, ...]:
    return watch(tree, Place(device=device)).finish().page_cached


def test_direct_io_is_followed_to_a_loop_device_below_the_file_system_of_another(tree: Tree) -> None:
    """It was taken to reach the drive, and only went into the page cache one floor below."""
    loop(tree, "loop0", "/disk.img", direct=False, number="7:0")
    loop(tree, "loop1", "/mnt/a b/x.img", direct=True, number="7:1")
    loop(tree, "loop2", "/mnt/top/y.img", direct=True)
    mounts(
        tree,
        "30 22 7:0 / /mnt/a\\040b rw - ext4 /dev/loop0 rw",
        "31 22 7:1 / /mnt/top rw - xfs /dev/loop1 rw",
    )
    assert cached(tree, "loop1") == ("loop0",)
    assert cached(tree, "loop2") == ("loop0",)
    tree.write("sys/devices/virtual/block/loop0/loop/dio", 1)
    assert cached(tree, "loop2") == ()
    tree.write("sys/devices/virtual/block/loop1/loop/dio", 0)
    assert cached(tree, "loop2") == ("loop1",), "below it direct I/O is no more"


def counted(tree: Tree, *places: Place) -> dict[str, tuple[tuple[str, ...], tuple[str, ...], bool]]:
    """Give of each counter the targets that it counts, those that may be among them, and if it is exact."""
    found = watch(tree, *places).finish().devices
    return {item.device: (item.targets, item.beside, item.exact) for item in found}


def test_a_device_counts_the_targets_on_a_loop_device_that_lies_on_it_too(tree: Tree) -> None:
    loop(tree, "loop0", "/disk.img", direct=True, number="7:0")
    loop(tree, "loop1", "/mnt/x.img", direct=True)
    mounts(tree, "30 22 7:0 / /mnt rw - ext4 /dev/loop0 rw")
    above = Place(path="/dev/loop1", kind="device", device="loop1")
    file = Place(path="/mnt/y", device="loop0")
    both, only = ("/dev/loop1", "/mnt/y"), ("/dev/loop1",)
    assert counted(tree, above, file) == {"loop1": (only, (), True), "loop0": (both, (), False)}
    whole = Place(path="/dev/loop0", kind="device", device="loop0")
    below = (("/dev/loop1", "/dev/loop0"), (), False)  # the file system between them writes too
    assert counted(tree, above, whole) == {"loop1": (only, (), True), "loop0": below}
    tree.write("sys/devices/virtual/block/loop1/loop/dio", 0)
    cache = (("/mnt/y",), only, False)
    assert counted(tree, above, file) == {"loop1": (only, (), True), "loop0": cache}


def test_nobody_knows_how_much_each_device_of_an_array_counts_of_it(tree: Tree) -> None:
    for name in ("sda", "sdb"):
        tree.block(f"sys/devices/pci0/{name}", sectors=8)
    tree.partition("sda", "sda1")
    tree.partition("sda", "sda2")
    for array, members in (("md0", ("sda1", "sdb")), ("md1", ("sda1",))):
        tree.block(f"sys/devices/virtual/block/{array}", sectors=8)
        for member in members:
            tree.link(f"sys/devices/virtual/block/{array}/slaves/{member}", f"sys/class/block/{member}")
    several = Place(path="/dev/md0", kind="device", device="md0")
    single = Place(path="/dev/md1", kind="device", device="md1")
    whole = Place(path="/dev/sda", kind="device", device="sda")
    of_md0, of_md1 = (("/dev/md0",), (), True), (("/dev/md1",), (), True)
    assert counted(tree, several, whole) == {"md0": of_md0, "sda": (("/dev/sda",), ("/dev/md0",), False)}
    assert counted(tree, single, whole) == {"md1": of_md1, "sda": (("/dev/md1", "/dev/sda"), (), False)}
    # A partition counts its own: what lies on another one is not in it.
    other = Place(path="/b", device="sda", partition="sda2")
    assert counted(tree, single, other) == {"md1": of_md1, "sda2": (("/b",), (), False)}
    same = Place(path="/a", device="sda", partition="sda1")
    assert counted(tree, several, same) == {"md0": of_md0, "sda1": (("/a",), ("/dev/md0",), False)}


@pytest.mark.parametrize(
    ("backing", "mount"),
    [
        ("/dev/loop0", ""),  # the device itself
        ("/dev/mapper/link", ""),
        ("/mnt/x.img", "30 22 0:45 / /mnt rw - btrfs /dev/loop0 rw"),  # which numbers its mounts itself
        ("/mnt/x.img", "30 22 7:5 / /mnt rw - ext4 /dev/loop0p1 rw"),  # a partition
        ("/mnt/x.img", "30 22 253:0 / /mnt rw - ext4 /dev/mapper/data rw"),  # LVM or dm-crypt
    ],
)
def test_what_a_file_lies_on_is_found_by_node_by_number_and_by_source(
    tree: Tree, backing: str, mount: str
) -> None:
    loop(tree, "loop0", "/disk.img", direct=False)
    part = "sys/devices/virtual/block/loop0/loop0p1"
    tree.write(f"{part}/partition", 1)
    tree.link("sys/dev/block/7:5", part)
    mapped = "sys/devices/virtual/block/dm-0"
    tree.block(mapped, sectors=8)
    tree.link(f"{mapped}/slaves/loop0", "sys/devices/virtual/block/loop0")
    tree.link("sys/dev/block/253:0", mapped)
    tree.write("dev/loop0", "")
    (tree.root / "dev/mapper").mkdir()
    (tree.root / "dev/mapper/link").symlink_to("../loop0")
    loop(tree, "loop1", backing, direct=True)
    mounts(tree, *([mount] if mount else []))
    assert cached(tree, "loop1") == ("loop0",)


@pytest.mark.parametrize(
    ("backing", "mount"),
    [
        ("/dev/shm/loop0", "30 22 0:22 / /dev/shm rw - tmpfs tmpfs rw"),
        ("/mnt/x.img", "30 22 0:45 / /mnt rw - overlay overlay rw"),
        ("/gone.img (deleted)", ""),
    ],
)
def test_what_lies_on_no_device_ends_the_search(tree: Tree, backing: str, mount: str) -> None:
    loop(tree, "loop0", "/disk.img", direct=False)
    tree.write("dev/loop0", "")
    tree.write("dev/shm/loop0", "")
    loop(tree, "loop1", backing, direct=True)
    mounts(tree, *([mount] if mount else []))
    assert cached(tree, "loop1") == ()


def test_loop_devices_that_lie_on_each_other_are_looked_at_once(tree: Tree) -> None:
    """The kernel allows none; what one process sees of the mounts of another can say so."""
    loop(tree, "loop0", "/one/x.img", direct=True, number="7:0")
    loop(tree, "loop1", "/two/y.img", direct=True, number="7:1")
    mounts(tree, "30 22 7:1 / /one rw - ext4 /dev/loop1 rw", "31 22 7:0 / /two rw - ext4 /dev/loop0 rw")
    assert devices_of(tree.host, [Place(device="loop0")]) == ["loop0", "loop1"]
    assert cached(tree, "loop0") == ()


def test_loop_devices_of_this_machine_are_followed(tmp_path: Path) -> None:
    """A cached one, a file system on it, and on a file of that a direct one."""
    disk, folder = tmp_path / "disk.img", tmp_path / "mounted"
    disk.write_bytes(bytes(16 << 20))
    folder.mkdir()
    with loop_device(disk) as below:
        tool("mkfs.ext4", "-q", below)
        tool("mount", below, str(folder))
        try:
            (folder / "x.img").write_bytes(bytes(1 << 20))
            with loop_device(folder / "x.img", DIRECT) as above:
                watching = Watch([Place(device=Path(above).name)])
                assert watching.finish().page_cached == (Path(below).name,)
        finally:
            tool("umount", "--lazy", str(folder))
