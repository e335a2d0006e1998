"""Syncs, trims, think time, O_DSYNC, polling and pinning: what a plan decides and what it refuses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from factories import make_run
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system
from iodyno.errors import ProfileError
from iodyno.integrity import trimmed_areas
from iodyno.plan import LATER_CHOICES, LATER_FIELDS, Plan, Point, hashed_point
from iodyno.prediction import refuse_unknown
from iodyno.report.sections.commands import repeat
from iodyno.study import Overrides, expand, load_study, parse_study, plan_simulation, plan_study, shipped
from iodyno.study.simulating import on_systems
from iodyno.targets import Target
from iodyno.targets.abilities import abilities
from iodyno.units import format_cpus, parse_cpus
from iodyno.virtual import VirtualSystem
from made_up_machine import Machine
from virtual_systems import virtual_system

GIB = 1 << 30
STUDY = """
schema = 1
name = "mine"
title = "Mine"
[measurement]
{measurement}
[[profile]]
name = "own"
random_share = 1
read_share = {read}
blocks = "{block}"
{profile}
[[sweep]]
name = "one"
profiles = ["own"]
outstanding = 4
{sweep}
"""


def study(
    profile: str = "", *, read: float = 0.0, block: str = "4k", measurement: str = "", sweep: str = ""
) -> str:
    return STUDY.format(profile=profile, read=read, block=block, measurement=measurement, sweep=sweep)


def device(**changes: Any) -> Target:
    facts = {"path": "/dev/x", "asked": "/dev/x", "kind": "device", "size_bytes": 4 * GIB}
    return Target.model_validate({**facts, "discard_granularity_bytes": 4096, **changes})


def file(**changes: Any) -> Target:
    facts = {"path": "/data/file", "asked": "/data/file", "kind": "file", "size_bytes": 4 * GIB}
    return Target.model_validate({**facts, **changes})


def planned(text: str, *targets: Target) -> Plan:
    return plan_study(parse_study(text), targets or (device(),))


def refused(text: str, *targets: Target) -> str:
    with pytest.raises(ProfileError) as caught:
        planned(text, *targets)
    assert all(problem.hint for problem in caught.value.problems)
    return " | ".join(f"{problem.where}: {problem.what}" for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("profile", "read", "says"),
    [
        (
            "fsync_every = 8\nfdatasync_every = 8",
            0.0,
            "profile[0].fdatasync_every: stands beside fsync_every",
        ),
        ("fsync_every = 8", 1.0, "profile[0].fsync_every: asks for syncs after writes"),
        (
            "trim_share = 1\nfdatasync_every = 2",
            0.0,
            "profile[0].fdatasync_every: asks for syncs after writes",
        ),
        ('trim_share = 1\nshown_as = "throughput"', 0.0, "profile[0].shown_as: is throughput"),
        ("think_every = 3", 0.0, "profile[0].think_every: is given without a think time"),
        ("fsync_every = -1", 0.0, "profile[0].fsync_every"),
        ("fsync_every = true", 0.0, "profile[0].fsync_every"),
        ('think_time_us = "2 hours"', 0.0, "profile[0].think_time_us"),
        ("think_time_us = 1\nthink_every = 0", 0.0, "profile[0].think_every"),
        ("trim_share = 1.5", 0.0, "profile[0].trim_share"),
    ],
)
def test_what_contradicts_itself_in_a_profile(profile: str, read: float, says: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_study(study(profile, read=read))
    assert says in " | ".join(f"{problem.where}: {problem.what}" for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("written", "us"), [('"200us"', 200), ('"1.5ms"', 1500), ("250", 250), ('"2s"', 2_000_000)]
)
def test_think_time_is_a_duration_or_microseconds(written: str, us: int) -> None:
    (point,) = planned(study(f"think_time_us = {written}")).points
    assert point.profile.think_time_us == us


def test_workers_that_drive_some_of_the_targets() -> None:
    text = study(measurement="targets_per_worker = 2", sweep="workers = 3")
    four = [device(path=f"/dev/x{number}") for number in range(4)]
    (point,) = planned(text, *four).points
    assert (point.targets_per_worker, point.workers_in_all, point.outstanding_total) == (2, 6, 48)
    every = planned(study(sweep="workers = 3"), *four).points[0]
    assert (every.workers_in_all, every.outstanding_total, every.seed) == (3, 48, point.seed)
    where = "measurement.targets_per_worker: workers that drive 2 of the targets do not come out even with"
    assert refused(text, *four[:3]) == f"{where} 3 targets"
    assert refused(text) == f"{where} 1 target"


def test_a_sweep_may_share_targets_out_otherwise() -> None:
    """Its own number counts instead of that of the study, and the command line's instead of both."""
    four = [device(path=f"/dev/x{number}") for number in range(4)]
    text = study(measurement="targets_per_worker = 2", sweep="workers = 3\ntargets_per_worker = 1")
    (point,) = planned(text, *four).points
    assert (point.targets_per_worker, point.workers_in_all) == (1, 12)
    (point,) = plan_study(parse_study(text), four, Overrides(targets_per_worker=4)).points
    assert (point.targets_per_worker, point.workers_in_all) == (4, 3)
    on = on_systems(parse_study(text), ["made-up"])
    (point,) = plan_simulation(on, {"made-up": virtual_system(drives=4)}).points
    assert (point.targets_per_worker, point.workers_in_all) == (1, 12)
    text = study(sweep="workers = 3\ntargets_per_worker = 2")
    where = "sweep one.targets_per_worker: workers that drive 2 of the targets do not come out even with"
    assert refused(text, *four[:3]) == f"{where} 3 targets"
    with pytest.raises(ProfileError, match="do not come out even with 3 targets"):
        plan_simulation(on_systems(parse_study(text), ["made-up"]), {"made-up": virtual_system(drives=3)})


@pytest.mark.parametrize("engine", ["auto", "io_uring", "nop"])
def test_no_more_is_outstanding_for_a_worker_than_its_ring_holds(engine: str) -> None:
    def text(measurement: str = "", engine: str = engine) -> str:
        asked = study(measurement=measurement, sweep=f'engine = "{engine}"')
        return asked.replace("outstanding = 4\n", "outstanding = 4096\n")

    nine = [device(path=f"/dev/x{number}") for number in range(9)]
    found = refused(text(), *nine)
    assert "has 36864 I/Os outstanding for each worker, 4096 on each of 9 targets" in found
    assert "a ring of the kernel holds 32768" in found  # IORING_MAX_ENTRIES of io_uring/io_uring.h
    assert len(planned(text(), *nine[:8]).points) == 1
    assert len(planned(text("targets_per_worker = 3"), *nine).points) == 1
    own = text().replace("[[sweep]]\n", "[[sweep]]\ntargets_per_worker = 3\n")
    assert len(planned(own, *nine).points) == 1
    assert len(planned(text(engine="sync"), *nine).points) == 1


def test_virtual_workers_that_drive_some_of_the_targets() -> None:
    text = study(measurement="targets_per_worker = 2", sweep="workers = 3")
    on = on_systems(parse_study(text), ["made-up"])
    (point,) = plan_simulation(on, {"made-up": virtual_system(drives=4)}).points
    assert (point.targets_per_worker, point.workers_in_all, point.outstanding_total) == (2, 6, 48)
    with pytest.raises(ProfileError, match="do not come out even with 3 targets"):
        plan_simulation(on, {"made-up": virtual_system(drives=3)})


def test_all_that_a_plan_refuses_comes_at_once() -> None:
    text = study(
        "trim_share = 0.5\nfsync_every = 2\nthink_time_us = 5",
        measurement='iopoll = true\ndirect = false\npinning = "0-8000"',
        sweep='rate_io_s = 100\nengine = "aio"',
    )
    found = refused(text, file())
    for part in (
        "has a think time and a rate", "the engine aio has no trim", "is for io_uring, and the engine is aio",
        "needs direct I/O", "iopoll polls for reads and writes only", "a file takes no trims: /data/file",
        "no poll queues of a driver are there for /data/file", "processors that this process may not use",
    ):  # fmt: skip
        assert part in found


@pytest.mark.parametrize(
    "rate", ["rate_io_s = 100", 'rate_share = ["50%"]', 'search = { limit = "1ms", percentile = 0.99 }']
)
def test_a_think_time_beside_a_rate_is_refused_on_any_target(rate: str) -> None:
    text = study("think_time_us = 5", sweep=rate)
    says = "has a think time and a rate: a rate says when accesses start"
    assert says in refused(text, file())
    with pytest.raises(ProfileError, match=says):
        plan_simulation(on_systems(parse_study(text), ["made-up"]), {"made-up": virtual_system()})


def test_what_caches_hold_is_not_trimmed_by_a_ring() -> None:
    def text(engine: str, direct: str) -> str:
        return study("trim_share = 0.5", measurement=f"direct = {direct}", sweep=f'engine = "{engine}"')

    trims = device(discard_granularity_bytes=4096)
    assert "trims of what its caches hold" in refused(text("io_uring", "false"), trims)
    for engine, direct in (("io_uring", "true"), ("sync", "false"), ("auto", "false")):
        assert planned(text(engine, direct), trims).points


def test_a_cold_cache_is_for_what_goes_through_one() -> None:
    found = refused(study(measurement="cold_cache = true"), file())
    assert "measurement.cold_cache: is for buffered I/O" in found
    assert planned(study(measurement="cold_cache = true\ndirect = false"), file()).points[0].cold_cache


def test_trims_are_for_devices_that_take_them_and_whole_units() -> None:
    trims = study("trim_share = 0.5")
    assert planned(trims).points[0].profile.trim_share == 0.5
    assert "no trims are taken by /dev/x" in refused(trims, device(discard_granularity_bytes=0))
    small = study("trim_share = 0.5\nalignment_bytes = 512", block="6k")
    found = refused(small, device())
    assert "a trim of 6k is no multiple of 4k" in found
    assert "an alignment of 512 for trims is no multiple of 4k" in found
    assert planned(study("trim_share = 0.5", sweep='engine = "null"'), file()).points


@pytest.mark.parametrize(("gap_bytes", "fits"), [(512, False), (6144, False), (4096, True), (8192, True)])
def test_trims_lie_apart_by_whole_units(gap_bytes: int, fits: bool) -> None:
    """Of 4 KiB: what lies between is no part of one."""
    text = study(f"trim_share = 0.5\ngap_bytes = {gap_bytes}").replace("random_share = 1", "random_share = 0")
    if fits:
        assert planned(text).points
    else:
        assert "between trims is no multiple of 4k" in refused(text)


@pytest.mark.parametrize(
    ("profile", "changes", "says"),
    [
        ("trim_share = 0.5", {"kind": "file"}, "the profile trims, and a file takes no trims: {names}"),
        (
            "trim_share = 0.5",
            {"discard_granularity_bytes": 0},
            "the profile trims, and no trims are taken by {names} (discard_max_bytes is 0)",
        ),
        (
            "trim_share = 0.5",
            {"discard_granularity_bytes": 8192},
            "a trim of 4k is no multiple of 8k, the least that is trimmed on {names}",
        ),
    ],
)
def test_what_several_targets_cannot_trim_is_told_once(
    profile: str, changes: dict[str, Any], says: str
) -> None:
    """It was told once a target; and one that differs from the others is not told with them."""
    four = [device(path=f"/dev/x{number}", **changes) for number in range(3)]
    four.append(device(path="/dev/y", discard_granularity_bytes=4096))
    found = [said for said in refused(study(profile), *four).split(" | ") if "alignment" not in said]
    assert found == [f"sweep one.profiles.own: {says.format(names='/dev/x0, /dev/x1 and /dev/x2')}"]


def test_poll_queues_that_several_targets_lack_are_told_once() -> None:
    two = [device(path="/dev/x0"), device(path="/dev/x1"), device(path="/dev/y", poll_queues=True)]
    found = refused(study(measurement="iopoll = true"), *two)
    assert found == "measurement.iopoll: no poll queues of a driver are there for /dev/x0 and /dev/x1"


def test_what_several_volumes_cannot_trim_is_told_once() -> None:
    """Volumes of one system, and those of several, were told one by one."""
    on = on_systems(parse_study(study("trim_share = 0.5")), ["one", "other"])
    disks = {name: _on_hard_disks(virtual_system(name, drives=2)) for name in ("one", "other")}
    with pytest.raises(ProfileError) as caught:
        plan_simulation(on, disks)
    (problem,) = [problem for problem in caught.value.problems if "trim" in problem.what]
    names = "drive-0 of one, drive-1 of one, drive-0 of other and drive-1 of other"
    assert problem.what == f"the profile trims, and no trims are taken by {names}: hard disks take none"


def test_trims_can_be_verified() -> None:
    (point, *_) = planned(study("trim_share = 0.5", measurement="verify = true")).points
    assert point.verify
    assert list(trimmed_areas(point)) == [
        (target.path, target.area_start_bytes, target.area_length_bytes) for target in point.targets
    ]
    (still, *_) = planned(study("trim_share = 0", measurement="verify = true")).points
    assert list(trimmed_areas(still)) == []


def test_polling_needs_a_device_with_poll_queues() -> None:
    text = study(measurement="iopoll = true")
    assert "no poll queues of a driver are there for /dev/x" in refused(text, device())
    assert planned(text, device(poll_queues=True)).points[0].iopoll


def test_the_command_line_turns_them_on() -> None:
    choices = Overrides(
        write_through=True, cold_cache=False, iopoll=True, pinning="none", targets_per_worker=1
    )
    (point,) = plan_study(parse_study(study()), [device(poll_queues=True)], choices).points
    assert (point.write_through, point.iopoll, point.pinning, point.targets_per_worker) == (
        True,
        True,
        "none",
        1,
    )


def test_a_point_that_does_not_use_them_is_hashed_and_seeded_as_before() -> None:
    plain = planned(study()).points[0]
    document = hashed_point(plain)
    assert not set(document) & {*LATER_CHOICES, "worker_cpus"}
    assert not set(document["profile"]) & set(LATER_FIELDS)
    near = planned(study(), device(node_cpus=(0,))).points[0]
    assert near.worker_cpus == (0,)
    assert near.config_hash == plain.config_hash, "where a machine has its processors is no choice"
    assert planned(study(measurement="write_through = true")).points[0].config_hash != plain.config_hash
    assert planned(study(measurement="write_through = true")).points[0].seed == plain.seed
    cold, warm = (
        planned(study(measurement=f"direct = false\ncold_cache = {asked}")).points[0]
        for asked in ("true", "false")
    )
    assert cold.cold_cache
    assert cold.config_hash != warm.config_hash
    assert cold.seed == warm.seed
    source = parse_study(study()).source()
    assert not set(source["measurement"]) & set(LATER_CHOICES)
    assert not set(source["profile"][0]) & set(LATER_FIELDS)
    assert planned(study("fsync_every = 2")).points[0].seed != plain.seed


def test_the_command_of_the_paper_repeats_them() -> None:
    changes = {
        "write_through": True,
        "cold_cache": True,
        "iopoll": True,
        "pinning": "0-1",
        "targets_per_worker": 1,
    }
    run = make_run()
    point = run.plan.points[0]
    words = repeat(run, point.model_copy(update=changes)).split()
    assert {"--write-through", "--cold-cache", "--iopoll", "--pinning", "0-1"} <= set(words)
    assert "--targets-per-worker 1" in " ".join(words)
    assert not {"--write-through", "--cold-cache", "--iopoll", "--pinning"} & set(repeat(run, point).split())


class TestPinning:
    def test_workers_run_near_the_device_by_default(self) -> None:
        assert planned(study(), device(node_cpus=(2, 3))).points[0].worker_cpus == (2, 3)
        assert planned(study(), device()).points[0].worker_cpus == ()

    def test_targets_on_several_nodes_pin_nothing(self) -> None:
        targets = device(node_cpus=(0, 1)), device(path="/dev/y", node_cpus=(2, 3))
        assert planned(study(), *targets).points[0].worker_cpus == ()
        each = planned(study(sweep='targets = "each"'), *targets).points
        assert [point.worker_cpus for point in each] == [(0, 1), (2, 3)]

    def test_it_can_be_changed(self) -> None:
        allowed = sorted(os.sched_getaffinity(0))
        text = study(measurement=f'pinning = "{format_cpus(allowed[:1])}"')
        assert planned(text, device(node_cpus=(2, 3))).points[0].worker_cpus == tuple(allowed[:1])
        none = study(measurement='pinning = "none"')
        assert planned(none, device(node_cpus=(2, 3))).points[0].worker_cpus == ()

    @pytest.mark.parametrize("text", ["0-", "a", "3-1", "0,,1", "99999", ""])
    def test_what_is_no_list_of_processors(self, text: str) -> None:
        with pytest.raises(ProfileError):
            parse_study(study(measurement=f'pinning = "{text}"'))

    @pytest.mark.parametrize("cpus", [(), (0,), (0, 1, 2), (0, 2, 3, 7), (5, 6)])
    def test_a_list_is_written_as_it_is_read(self, cpus: tuple[int, ...]) -> None:
        assert (parse_cpus(format_cpus(cpus)) if cpus else ()) == cpus


class TestAbilities:
    @pytest.fixture
    def machine(self, tmp_path: Path) -> Machine:
        return Machine(tmp_path)

    def of(self, machine: Machine, name: str = "sdb") -> dict[str, Any]:
        return abilities(machine.device(name), machine.host)

    def test_what_a_device_says_of_itself(self, machine: Machine) -> None:
        queue = "sys/devices/block/sdb/queue"
        assert not any(
            self.of(machine)[name] for name in ("discard_granularity_bytes", "poll_queues", "node_cpus")
        )
        machine.write(f"{queue}/discard_granularity", "4096\n")
        machine.write(f"{queue}/discard_max_bytes", "0\n")
        machine.write(f"{queue}/io_poll", "0\n")
        assert self.of(machine)["discard_granularity_bytes"] == 0
        machine.write(f"{queue}/discard_max_bytes", "2147450880\n")
        machine.write(f"{queue}/io_poll", "1\n")
        found = self.of(machine)
        assert (found["discard_granularity_bytes"], found["poll_queues"]) == (4096, True)

    def test_processors_of_its_node_that_may_be_used(self, machine: Machine) -> None:
        first = min(os.sched_getaffinity(0))
        machine.write("sys/devices/block/sdb/device/numa_node", "1\n")
        machine.write("sys/devices/system/node/node1/cpulist", f"{first},4095\n")
        assert self.of(machine)["node_cpus"] == (), "a machine of one node pins nothing"
        machine.write("sys/devices/system/node/node0/cpulist", "4000\n")
        found = self.of(machine)
        assert (found["numa_node"], found["node_cpus"]) == (1, (first,))
        machine.write("sys/devices/block/sdb/device/numa_node", "-1\n")
        assert self.of(machine)["numa_node"] is None

    def test_a_partition_is_where_its_disk_is(self, machine: Machine) -> None:
        machine.write("sys/devices/block/sda/device/numa_node", "1\n")
        assert self.of(machine, "sda1")["numa_node"] == 1

    def test_a_drive_of_several_controllers_is_where_they_all_are(self, machine: Machine) -> None:
        """Folders as the kernel makes them: the drive in its subsystem, with links to its controllers."""
        folder, subsystem = "sys/devices/block/nvme4n1", "sys/devices/virtual/nvme-subsystem/nvme-subsys0"
        machine.disk("nvme4n1", "259:8", 1000)
        machine.write(f"{subsystem}/model", "a drive\n")
        (machine.root / folder / "device").symlink_to(machine.root / subsystem)
        for name, node in (("nvme0", 1), ("nvme1", 1)):
            machine.write(f"sys/devices/pci/{name}/numa_node", f"{node}\n")
            (machine.root / subsystem / name).symlink_to(machine.root / "sys/devices/pci" / name)
        (machine.root / subsystem / "nvme4n1").symlink_to(machine.root / folder)
        assert self.of(machine, "nvme4n1")["numa_node"] == 1
        machine.write("sys/devices/pci/nvme1/numa_node", "0\n")
        assert self.of(machine, "nvme4n1")["numa_node"] is None

    def test_an_array_is_where_all_its_members_are(self, machine: Machine) -> None:
        machine.disk("md0", "9:0", 1000)
        for name, node in (("sda", 1), ("sdb", 1)):
            machine.write(f"sys/devices/block/{name}/device/numa_node", f"{node}\n")
            machine.write(f"sys/devices/block/md0/slaves/{name}", "")
        assert self.of(machine, "md0")["numa_node"] == 1
        machine.write("sys/devices/block/sdb/device/numa_node", "0\n")
        assert self.of(machine, "md0")["numa_node"] is None


DISK = {
    "kind": "hdd", "capacity_bytes": 100 * 10**9, "revolution_ps": 4 * 10**9, "heads": 2,
    "outer_bytes_s": 2 * 10**8, "inner_bytes_s": 2 * 10**8, "zones": 1, "seek_track_ps": 10**8,
    "seek_average_ps": 3 * 10**9, "seek_full_ps": 7 * 10**9, "write_settle_ps": 0, "command_ps": 10**7,
    "missed_revolution": 0.0, "tags": 32, "write_cache": False, "write_cache_entries": 0,
    "read_ahead_bytes": 0,
}  # fmt: skip


def raid(level: str, *, hard_disks: bool = False) -> VirtualSystem:
    """Give a system whose host joins four drives to the volume ``array``."""
    made = virtual_system(drives=4)
    system = (_on_hard_disks(made) if hard_disks else made).model_dump(mode="json")
    array = {
        "level": level, "drives": [0, 1, 2, 3], "groups": 1, "strip_bytes": 65536, "failed": [],
        "mirror_read": {"policy": "primary"}, "rebuild_bytes_s": 0,
    }  # fmt: skip
    on = {"kind": "host_raid", "array": array}
    system["volumes"] = [system["volumes"][0] | {"name": "array", "on": on}]
    return VirtualSystem.model_validate(system)


def _on_hard_disks(system: VirtualSystem) -> VirtualSystem:
    document = system.model_dump(mode="json")
    for drive in document["drives"]:
        drive["model"] = DISK
    return VirtualSystem.model_validate(document)


def on_virtual(profile: str = "", measurement: str = "") -> Point:
    virtual = on_systems(parse_study(study(profile, measurement=measurement)), ["made-up"])
    (point,) = plan_simulation(virtual, {"made-up": virtual_system()}).points
    return point


@pytest.mark.parametrize(
    ("system", "why"),
    [
        ("raid-controllers", "a controller passes none on"),
        (raid("5"), "an array with parity passes none on"),
        (raid("0", hard_disks=True), "hard disks take none"),
    ],
)
def test_trims_that_get_nowhere_are_refused(system: str | VirtualSystem, why: str) -> None:
    resolved = resolve(load_system(system)) if isinstance(system, str) else system
    with pytest.raises(ProfileError) as caught:
        plan_simulation(
            on_systems(parse_study(study("trim_share = 0.5")), ["made-up"]), {"made-up": resolved}
        )
    for problem in caught.value.problems:
        assert why in problem.what
        assert "RAID 0, 1 or 10" in problem.hint


def test_virtual_ssds_take_trims() -> None:
    assert on_virtual("trim_share = 0.5").profile.trim_share == 0.5
    on = on_systems(parse_study(study("trim_share = 0.5")), ["made-up"])
    assert len(plan_simulation(on, {"made-up": raid("10")}).points) == 1


def test_virtual_writes_can_be_durable() -> None:
    assert on_virtual("fsync_every = 3").profile.fsync_every == 3
    assert on_virtual(measurement="write_through = true").write_through
    assert not on_virtual().write_through


@pytest.mark.parametrize(
    ("profile", "measurement", "says"),
    [
        ("fsync_every = 3", "", "what it costs to make writes durable"),
        ("", "write_through = true", "what it costs to make writes durable"),
        ("trim_share = 0.1", "", "do not know trims"),
    ],
)
def test_the_formulas_refuse_what_they_do_not_know(profile: str, measurement: str, says: str) -> None:
    with pytest.raises(ProfileError, match=says):
        refuse_unknown([on_virtual(profile, measurement)])
    refuse_unknown([on_virtual()])


def test_no_shipped_study_has_changed() -> None:
    for name in shipped():
        profiles = [point.profile for point in expand(load_study(name))]
        assert profiles
        for profile in profiles:
            assert not any(getattr(profile, of) for of in ("trim_share", "fsync_every", "think_time_us"))
