"""The studies of the papers: what their methods say of area, load, drives and modes is in their plans."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

import pytest

from iodyno import bench
from iodyno.catalog.parts import ControllerPart
from iodyno.catalog.shelf import catalogue
from iodyno.fitting.curves import Series
from iodyno.fitting.lab import Lab
from iodyno.plan import Plan, Point
from iodyno.study import Sweep, load_study, plan_simulation, resolve_all
from iodyno.study.systems import resolve
from iodyno.virtual import Logical

PAPERS = ("nvme-host-connections", "p3700", "primequest-2800e3", "raid-controllers")
GIB = 1 << 30
FIELD = {"file-copy", "file-server", "database", "streaming", "restore"}


@cache
def plan(name: str) -> Plan:
    study = load_study(name)
    return plan_simulation(study, resolve_all(study.configurations, resolve))


def points(study: str, system: str, profile: str, workers: int = 1) -> list[Point]:
    return [
        point
        for point in plan(study).points
        if (point.system, point.profile.name, point.workers) == (system, profile, workers)
    ]


def logical(system: str) -> Logical:
    return plan("raid-controllers").systems[system].controllers[0].logicals[0]


@pytest.mark.parametrize("name", PAPERS)
def test_every_configuration_can_exist_and_is_used(name: str) -> None:
    found = plan(name)
    assert set(found.systems) == {item.name for item in load_study(name).configurations}
    assert {point.system for point in found.points} == set(found.systems)


@pytest.mark.parametrize("profile", sorted(FIELD))
def test_one_ssd_is_loaded_as_in_its_report(profile: str) -> None:
    found = points("p3700", "single-800g", profile)
    # "1, 3, 8, 16 ... 512", and 2 of which its text speaks; a file of 32 GB.
    assert {1, 2, 3, 8, 16, 32, 64, 128, 256, 512} <= {point.outstanding for point in found}
    assert {point.targets[0].area_length_bytes for point in found} == {32 * GIB}
    assert points("p3700", "single-800g-full", profile)[0].targets[0].area_length_bytes > 700 * GIB


def test_four_independent_ssds_are_loaded_together() -> None:
    first = points("p3700", "independent-4", "database")[0]
    assert len(first.targets) == 4
    assert first.outstanding_total == 4 * first.outstanding


@pytest.mark.parametrize("study", ["raid-controllers", "primequest-2800e3"])
def test_arrays_are_accessed_where_the_papers_accessed_them(study: str) -> None:
    for point in plan(study).points:
        for target in point.targets:
            start, length = (
                round(part / target.size_bytes, 3)
                for part in (target.area_start_bytes, target.area_length_bytes)
            )
            assert (start, length) == ((0.1, 0.25) if point.profile.random_share else (0.0, 0.1))


def test_cache_modes_are_those_of_the_paper() -> None:
    # SAS hard disks: Performance with the drives' caches off. SSDs: Fast Path optimum.
    disks = plan("raid-controllers").systems["ep420i-8x-sas-hdd-raid5"]
    assert logical("ep420i-8x-sas-hdd-raid5").write_back
    assert {drive.model.write_cache for drive in disks.drives} == {False}
    fast = logical("ep420i-8x-sas-ssd-raid0-fast-path-optimum")
    assert fast.fast_path
    assert not fast.write_back
    assert not fast.read_ahead
    # Performance reads ahead, also where there is no cache that writes could be kept in.
    plain = logical("cp400i-8x-sas-ssd-raid0")
    assert (plain.read_ahead, plain.write_back) == (True, False)


@pytest.mark.parametrize(
    ("system", "strip_kib", "drives"),
    [
        ("ep420i-8x-sas-hdd-raid5", 256, 8),
        ("cp400i-8x-sas-hdd-raid5", 64, 8),
        ("ep400i-24x-sas-ssd-raid0-performance", 256, 24),
        ("ep420i-16x-sas-ssd-raid10-fast-path-optimum", 256, 16),
    ],
)
def test_strips_and_numbers_of_drives_are_those_of_the_paper(
    system: str, strip_kib: int, drives: int
) -> None:
    array = logical(system).array
    assert (array.strip_bytes, len(array.drives)) == (strip_kib * 1024, drives)


def test_eight_workers_load_nvme_drives_with_256_in_all() -> None:
    found = points("nvme-host-connections", "direct-1", "random-read-4k", 8)
    assert 256 in {point.outstanding_total for point in found}


def test_a_full_system_has_eight_controllers_and_24_drives() -> None:
    system = plan("primequest-2800e3").systems["full-ssd-performance"]
    assert (len(system.controllers), len(system.drives), len(system.volumes)) == (8, 24, 8)


@pytest.mark.parametrize(
    ("configuration", "profile", "outstanding"),
    [
        ("ep420i-4x-sata-ssd-raid10-performance", "file-server", 512),
        ("ep420i-8x-sas-ssd-raid10-performance", "database", 512),
        ("ep420i-4x-sata-hdd-raid10", "database", 512),
        ("ep420i-16x-sas-ssd-raid10-performance", "restore", 32),
        ("ep420i-8x-sas-ssd-raid5-performance", "restore", 16),
        ("ep400i-2x-sata-ssd-raid1-performance", "file-server", 32),
        ("em400i-2x-sata-ssd-raid1-performance", "file-server", 32),
    ],
)
def test_what_a_study_counts_is_what_lasts(configuration: str, profile: str, outstanding: int) -> None:
    # Buffers and caches that were filling would show as a rate that falls: 13 to 20 % were seen.
    key = (Series("raid-controllers", configuration, profile), outstanding)
    short, long = Lab(), Lab(ios=40_000)
    short.ask([key])
    long.ask([key])
    assert short.outcomes[key].rate == pytest.approx(long.outcomes[key].rate, rel=0.05)


@pytest.mark.parametrize("name", PAPERS)
def test_formulas_have_an_answer_for_every_system_and_profile(name: str) -> None:
    first = {(point.system, point.profile.name): point for point in reversed(plan(name).points)}
    chosen = plan(name).model_copy(update={"points": tuple(first.values())})
    found = list(bench.simulate(chosen, jobs=1, analytic=True))
    assert len(found) == len(first)
    assert all(result.reading.completed > 0 for result in found)


def sweep_of(study: str, name: str) -> Sweep:
    return next(sweep for sweep in load_study(study).sweep if sweep.name == name)


def of_sweep(study: str, name: str) -> list[Point]:
    return [point for point in plan(study).points if point.sweep == name]


def test_the_text_on_connections_has_the_loads_of_all_profiles() -> None:
    said = sweep_of("nvme-host-connections", "connections").description
    number = {1: "one worker with", 8: "eight workers with"}
    found = {(point.workers, point.outstanding) for point in of_sweep("nvme-host-connections", "connections")}
    assert len(found) == 2
    assert all(f"{number[workers]} {outstanding}" in said for workers, outstanding in found)
    # OLTP writes: it is no random read.
    assert "OLTP" in sweep_of("nvme-host-connections", "load").title


def test_other_media_are_compared_with_the_ssd_that_the_report_is_of() -> None:
    """Its quotients are P3700 ÷ medium: the first system is what quotients are to."""
    systems = list(dict.fromkeys(point.system for point in of_sweep("p3700", "media")))
    assert systems == ["single-800g", "sas-hdd-450g", "sas-ssd-400g", "iodrive2-1200g"]


def test_each_part_on_the_size_of_a_cache_compares_two_controllers_alone() -> None:
    sweep = sweep_of("raid-controllers", "cache-size")
    systems = {point.system or "" for point in of_sweep("raid-controllers", "cache-size")}
    parts = [
        {name for name in systems if any(fnmatchcase(name, of) for of in part.configurations)}
        for part in sweep.chart.part
    ]
    assert set.union(*parts) == systems
    for names in parts:
        assert {name.partition("-")[0] for name in names} == {"ep400i", "ep420i"}
        assert len({name.partition("-")[2] for name in names}) == 1
    for name, gib in (("ep400i", 1), ("ep420i", 2)):
        part = catalogue().parts[f"praid-{name}"]
        assert isinstance(part, ControllerPart)
        assert (part.model["cache"].value, part.model["cache"].unit) == (gib, "GiB")
    assert "PRAID EP400i has 1 GB" in sweep.description
    assert "PRAID EP420i 2 GB" in sweep.description


def test_a_title_says_one_outstanding_io_only_where_no_point_has_more() -> None:
    for study in PAPERS:
        for sweep in load_study(study).sweep:
            if "One outstanding" in str(sweep.title):
                assert {point.outstanding for point in of_sweep(study, sweep.name)} == {1}
