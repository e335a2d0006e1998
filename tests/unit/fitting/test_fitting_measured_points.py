"""Which points of a run a fit takes, what it asks of each, and what it says of the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factories import make_plan, make_result, make_run, make_section, make_target
from factories import make_point as point_of
from iodyno.catalog.parts import Part
from iodyno.catalog.reading import parse_part
from iodyno.catalog.shelf import file_of, shipped
from iodyno.errors import CatalogError
from iodyno.fitting.answers import Range
from iodyno.fitting.fit import FIT_IOS
from iodyno.fitting.measured import MeasuredFit, measured_fit
from iodyno.plan import BesideLoad, RateShare
from iodyno.profiles import STANDARD_LOADS
from iodyno.reading import PointResult
from iodyno.store.records import StoredRun
from iodyno.system.records import System
from iodyno.units import GIB

FITTING = """
[fitting]
system = "raid-single-drive"
changes = { drive = "my-drive" }

[fitting.numbers]
model.data_read = [300, 1030]
model.data_write = [200, 1030]
"""
TARGET = make_target("/dev/sdx").model_copy(
    update={"kind": "device", "area_start_bytes": 5 * GIB, "area_length_bytes": 16 * GIB}
)
BESIDE = BesideLoad(profile=STANDARD_LOADS["restore"].profile, targets=1, outstanding=1, workers=1, seed=1)
RATES = {1: 8000.0, 8: 40000.0, 32: 56000.0}


def _part(fitting: str = FITTING) -> Part:
    made = file_of("toshiba-px02smf040").partition("[fit.")[0]
    return parse_part(made.replace('name = "toshiba-px02smf040"', 'name = "my-drive"', 1) + fitting)


def _result(
    load: int, *, state: Any = "steady", rate_io_s: float | None = None, **changes: Any
) -> PointResult:
    point = point_of("database", load, targets=changes.pop("targets", (TARGET,)), **changes)
    return make_result(point, state=state, rate_io_s=RATES[load] if rate_io_s is None else rate_io_s)


def _stored(*results: PointResult) -> StoredRun:
    plan = make_plan().model_copy(update={"points": tuple(result.point for result in results)})
    return StoredRun(run=make_run(plan), results=results)


def _fit(*results: PointResult) -> MeasuredFit:
    part = _part()
    return measured_fit(part, shipped().having(part), Path(), _stored(*results))


def _used(fit: MeasuredFit) -> list[tuple[str, Range]]:
    return [(target.name, target.published) for target in fit.fit.targets]


GOOD = (_result(1), _result(8))
OF_GOOD = [("database at 1, IO/s", Range(8000.0, 8000.0)), ("database at 8, IO/s", Range(40000.0, 40000.0))]


def test_a_point_is_a_figure_its_rate() -> None:
    fit = _fit(*GOOD)
    assert [(name, round(found.low), round(found.high)) for name, found in _used(fit)] == [
        (name, found.low, found.high) for name, found in OF_GOOD
    ]
    assert fit.notes == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"direct": False},
        {"targets": (TARGET, TARGET)},
        {"beside": (BESIDE,)},
        {"rate_io_s": 100.0},
        {"rate_from": RateShare(of=(0,), share=0.5)},
        {"verify": True},
        {"iopoll": True},
    ],
    ids=lambda changes: ", ".join(changes),
)
def test_a_point_that_says_nothing_of_the_drive_is_left_out_and_told(changes: dict[str, Any]) -> None:
    point = _result(32).point.model_copy(update=changes)
    fit = _fit(*GOOD, _result(32).model_copy(update={"point": point}))
    assert [name for name, _ in _used(fit)] == [name for name, _ in OF_GOOD]
    assert [note.partition(":")[0] for note in fit.notes] == ["1 of 3 points are left out"]


def test_so_is_one_that_was_disturbed_or_completed_nothing() -> None:
    one = _result(32)
    none = {
        name: getattr(one.reading, name).model_copy(update={"completed": 0}) for name in ("reads", "writes")
    }
    empty = one.model_copy(update={"reading": one.reading.model_copy(update=none)})
    for other in (_result(32, state="disturbed"), empty):
        assert (other.reading.completed, other.verdict.state) in ((0, "steady"), (168_000, "disturbed"))
        assert len(_fit(*GOOD, other).fit.targets) == 2


@pytest.mark.parametrize(
    ("state", "said"), [("not_steady", "were not steady"), ("not_judged", "were not judged")]
)
def test_what_was_not_judged_steady_is_used_and_told(state: str, said: str) -> None:
    fit = _fit(*GOOD, _result(32, state=state))
    assert fit.notes == (f"1 of the 3 points {said}",)
    assert len(fit.fit.targets) == 3


def test_a_point_is_simulated_on_the_same_bytes_with_as_many_ios_as_a_fit_counts() -> None:
    (points,) = _fit(*GOOD).fit.points.values()
    for asked in points.values():
        (target,) = asked.point.targets
        assert (target.kind, target.area_start_bytes, target.area_length_bytes) == (
            "virtual",
            5 * GIB,
            16 * GIB,
        )
        stopping = asked.point.stopping
        assert (stopping.warmup_ios, stopping.floor_ios, stopping.cap_ios) == (FIT_IOS,) * 3
        assert (asked.point.engine, asked.point.cold_cache, asked.point.pinning) == (
            "simulator",
            False,
            "none",
        )


@pytest.mark.parametrize(("beyond", "refused"), [(0, False), (4096, True)])
def test_an_area_may_end_where_the_drive_ends_and_not_beyond(beyond: int, refused: bool) -> None:
    (points,) = _fit(*GOOD).fit.points.values()
    size = next(iter(points.values())).point.targets[0].size_bytes
    length = size // 4096 * 4096 - 5 * GIB + beyond
    target = TARGET.model_copy(update={"area_length_bytes": length})
    results = [_result(load, targets=(target,)) for load in (1, 8)]
    if not refused:
        assert _fit(*results).fit.targets
        return
    with pytest.raises(CatalogError, match=f"has {size} bytes, and the run accessed more of /dev/sdx"):
        _fit(*results)


def test_as_many_points_as_numbers_are_enough_and_no_fewer() -> None:
    assert _fit(*GOOD).fit.targets
    with pytest.raises(CatalogError, match="1 of 2 points can be used, for 2 numbers"):
        _fit(GOOD[0], _result(8, state="disturbed"))
    with pytest.raises(CatalogError, match="0 of 2 points can be used, for 2 numbers"):
        _fit(*(_result(load, state="disturbed") for load in (1, 8)))


def test_points_that_are_asked_twice_are_told_apart() -> None:
    """By their sweep, and where it is the same by their number."""
    again = [_result(8, index=index, sweep=sweep) for index, sweep in enumerate(("a", "b", "b", "b"))]
    names = [name for name, _ in _used(_fit(*again))]
    assert names == [
        "database at 8, IO/s", "database of b at 8, IO/s", "database of b, point 2 at 8, IO/s",
        "database of b, point 3 at 8, IO/s",
    ]  # fmt: skip
    assert len(set(names)) == len(names)


def test_several_workers_are_told() -> None:
    names = [name for name, _ in _used(_fit(_result(8, workers=1), _result(8, workers=4)))]
    assert names == ["database at 8, IO/s", "database at 8, 4 workers, IO/s"]


@pytest.mark.parametrize(
    ("paths", "said"), [("abc", "/dev/a, /dev/b, /dev/c"), ("abcd", "/dev/a, /dev/b, /dev/c, …")]
)
def test_three_drives_of_several_are_named(paths: str, said: str) -> None:
    results = [_result(8, targets=(TARGET.model_copy(update={"path": f"/dev/{name}"}),)) for name in paths]
    with pytest.raises(CatalogError) as caught:
        _fit(*results)
    assert caught.value.problems[0].what == f"is of several: {said}"


def test_a_run_of_several_virtual_systems_is_none_of_a_part() -> None:
    """Their volumes have one name."""
    results = [_result(8, system=name) for name in ("one", "two")]
    with pytest.raises(CatalogError) as caught:
        _fit(*results)
    assert caught.value.problems[0].what == "is of several: one, two"


def test_a_simulated_run_is_told_to_be_one() -> None:
    part, stored = _part(), _stored(*GOOD)
    run = stored.run.model_copy(update={"simulated": True})
    fit = measured_fit(part, shipped().having(part), Path(), StoredRun(run=run, results=stored.results))
    assert fit.notes == ("the run was simulated: a model is fitted to a model",)


@pytest.mark.parametrize(("kind", "where"), [("device", "on /dev/sdx"), ("virtual", "simulated")])
def test_what_a_number_is_cited_from_says_whether_anything_was_measured(kind: str, where: str) -> None:
    target = TARGET.model_copy(update={"kind": kind})
    stored, part = _stored(*(_result(load, targets=(target,)) for load in (1, 8))), _part()
    run = stored.run.model_copy(update={"id": "20261121-201530-4f2a", "started_at": "2026-11-21T20:15:30Z"})
    fit = measured_fit(part, shipped().having(part), Path(), StoredRun(run=run, results=stored.results))
    title = run.plan.title
    assert fit.fit.spec.citation == f"Run 20261121-201530-4f2a of {title}, 2026-11-21, {where}"
    assert fit.fit.spec.source == "run-20261121-201530-4f2a"
    assert fit.fit.spec.command == "iodyno catalog fit my-drive --run 20261121-201530-4f2a"


def _on_md(level: str, changes: str) -> None:
    """Fit to a run on two drives that the kernel joins, a system with such changes."""
    md = make_section("device", "md0", kind="md", stands_on="sda, sdb", raid_level=level)
    drives = [make_section("device", name, kind="sas", serial=name) for name in ("sda", "sdb")]
    target = TARGET.model_copy(update={"path": "/dev/md0"})
    stored = _stored(*(_result(load, targets=(target,)) for load in (1, 8)))
    run = stored.run.model_copy(update={"system": System(sections=(md, *drives))})
    part = _part(FITTING.replace('"my-drive" }', f'"my-drive", {changes} }}'))
    measured_fit(part, shipped().having(part), Path(), StoredRun(run=run, results=stored.results))


TWO = 'count = 2, level = "{}", raid = "host", software = "linux-scsi"'


def test_a_run_on_an_array_is_of_a_system_with_that_array() -> None:
    _on_md("raid1", TWO.format("1"))
    for level, system in (("raid0", "1"), ("raid1", "0")):
        with pytest.raises(CatalogError) as caught:
            _on_md(level, TWO.format(system))
        (problem,) = caught.value.problems
        assert problem.what == (
            f"accessed RAID {level[-1]} of 2 drives (sda, sdb) at /dev/md0, and the system of the fit has"
            f" RAID {system} of 2 drives"
        )
        assert problem.hint == "give [fitting] a system with the drives of the run"


def test_drives_that_are_joined_otherwise_than_can_be_seen_are_believed() -> None:
    """As many drives, and no level told: by a driver of its maker's, or a volume manager."""
    _on_md("", TWO.format("1"))
