"""The studies of the papers have what the papers compare in one section, at the loads that these compare."""

from __future__ import annotations

from functools import cache

import pytest

from iodyno.fitting.answered import raid
from iodyno.plan import Plan, Point
from iodyno.profiles import INTENSITIES
from iodyno.study import Sweep, load_study, plan_simulation, resolve_all
from iodyno.study.counterparts import counterpart
from iodyno.study.systems import resolve

FIELD = ("file-copy", "file-server", "database", "streaming", "restore")
RANDOM_67 = ("database", "file-server", "random-67-4k")
EVERY = (1, *INTENSITIES["powers-of-two"])


@cache
def plan(study: str) -> Plan:
    found = load_study(study)
    return plan_simulation(found, resolve_all(found.configurations, resolve))


def points(study: str, sweep: str, system: str, profile: str) -> list[Point]:
    return [
        point
        for point in plan(study).points
        if (point.sweep, point.system, point.profile.name) == (sweep, system, profile)
    ]


def sweep_of(study: str, name: str) -> Sweep:
    return next(sweep for sweep in load_study(study).sweep if sweep.name == name)


def sections(study: str) -> tuple[str, ...]:
    return tuple(sweep.name for sweep in load_study(study).sweep)


def compared(study: str, sweep: str, one: str, other: str, loads: str) -> bool:
    """Tell whether a section sets one configuration against another, so."""
    return any(
        loads in entry.loads and any(counterpart(one, pattern, entry.to) == other for pattern in entry.of)
        for entry in sweep_of(study, sweep).chart.compare
    )


OVER_THE_LOAD = [
    # Rows of the P3700 paper on two SSDs: 77 to 82 and 102, 83, 85 to 90, 92 to 101.
    ("two", "raid1-of-2", "single-800g"),
    ("two", "raid0-of-2", "single-800g"),
    ("two", "independent-2", "single-800g"),
    ("two", "raid1-of-2", "raid0-of-2"),
    # On four: 102 to 107.
    ("four", "raid0-of-4", "single-800g"),
    ("four", "independent-4", "single-800g"),
    ("four", "independent-4", "raid0-of-4"),
]


@pytest.mark.parametrize(("sweep", "one", "other"), OVER_THE_LOAD)
def test_arrays_and_one_ssd_are_compared_over_the_load(sweep: str, one: str, other: str) -> None:
    assert compared("p3700", sweep, one, other, "each")
    for profile in FIELD:
        of = [
            {point.outstanding_total for point in points("p3700", sweep, name, profile)}
            for name in (one, other)
        ]
        # As many outstanding in all: of four SSDs that is 1 per SSD from 4 on.
        targets = max(len(points("p3700", sweep, name, profile)[0].targets) for name in (one, other))
        assert {load for load in EVERY if load % targets == 0} <= of[0] & of[1]


@pytest.mark.parametrize("drive", ["800g", "1600g", "2000g"])
def test_the_whole_range_is_compared_with_32_gb_of_every_capacity(drive: str) -> None:
    # Rows 109 to 117: sequential profiles; reads, 67 % read and writes, each of 4, 8 and 64 kB.
    one, other = f"single-{drive}-full", f"single-{drive}"
    blocks = {}
    for sweep in ("capacity-share", "capacity-share-field"):
        assert compared("p3700", sweep, one, other, "maximum")
        for profile in sweep_of("p3700", sweep).profile_names:
            (own, others) = (points("p3700", sweep, name, profile) for name in (one, other))
            assert {point.outstanding for point in own} == {point.outstanding for point in others} != set()
            random, read = own[0].profile.random_share, own[0].profile.read_share
            blocks[profile] = (random, round(read, 2), own[0].profile.blocks[0].bytes >> 10)
    assert {(1.0, read, block) for read in (0.0, 0.67, 1.0) for block in (4, 8, 64)} <= set(blocks.values())
    assert {"streaming", "restore", "file-copy"} <= set(blocks)


@pytest.mark.parametrize("drive", ["800g", "1600g", "2000g"])
def test_every_capacity_is_there_in_both_form_factors(drive: str) -> None:
    # Row 6, and the drives of the paper: "4x800GB AIC, 1x1.6TB AIC, 1x2TB AIC, 1 each SFF".
    for profile in FIELD:
        of = [points("p3700", "single", name, profile) for name in (f"single-{drive}", f"single-{drive}-sff")]
        assert len(of[0]) == len(of[1]) > 0


@pytest.mark.parametrize("row", range(322, 330))
def test_the_size_of_a_cache_is_compared_by_the_classes_of_load_of_its_paper(row: int) -> None:
    answer = next(answer for answer in raid.answers() if answer.figure == f"raid-{row}")
    parts = list(answer.expression.parts())
    loads = sorted({load for _, load in parts if load})
    systems = sorted({series.configuration for series, _ in parts}, reverse=True)
    assert compared("raid-controllers", "cache-size", systems[0], systems[1], f"{loads[0]}-{loads[-1]}")
    for series, _ in parts:
        found = points("raid-controllers", "cache-size", series.configuration, series.profile)
        assert set(loads) <= {point.outstanding for point in found}
        # More I/Os than elsewhere: with 12,000 the intervals were as wide as the differences.
        assert {point.stopping.cap_ios for point in found} == {30_000}


def test_controllers_are_side_by_side_at_one_outstanding_io() -> None:
    rows = {f"raid-{row}" for row in range(338, 344)}
    parts = [part for answer in raid.answers() if answer.figure in rows for part in answer.expression.parts()]
    assert len(parts) == len(rows)
    holding = [
        sweep
        for sweep in sections("raid-controllers")
        if all(
            load
            in {
                point.outstanding for point in points("raid-controllers", sweep, of.configuration, of.profile)
            }
            for of, load in parts
        )
    ]
    assert "one-outstanding" in holding
    found = [point for point in plan("raid-controllers").points if point.sweep == "one-outstanding"]
    systems = {point.system or "" for point in found}
    # "all RAID levels (max; only RAID 0 reaches it)"
    assert {name.rpartition("-raid")[2].partition("-")[0] for name in systems} == {"0", "10", "5"}


@pytest.mark.parametrize("drives", [1, 2, 3, 4])
@pytest.mark.parametrize("profile", ["random-read-4k", "random-write-4k", "oltp-4k", "sequential-read-256k"])
def test_three_connections_are_compared_with_as_many_ssds(drives: int, profile: str) -> None:
    study, names = "nvme-host-connections", ("direct", "x16-adapter", "x8-adapter")
    found = [points(study, "connections", f"{name}-{drives}", profile) for name in names]
    assert len({point.outstanding_total for own in found for point in own}) == 1
    for one, other in ((1, 0), (2, 0), (2, 1)):
        pair = [f"{names[place]}-{drives}" for place in (one, other)]
        assert compared(study, "connections", pair[0], pair[1], "maximum")
    # What is ranked in words and charts has as many drives too.
    parts = sweep_of(study, "connections").chart.part
    assert [part.configurations for part in parts if part.configurations == (f"*-{drives}",)]
