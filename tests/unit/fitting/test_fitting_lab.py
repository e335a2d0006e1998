"""What the lab simulates: which points, each once, with how many I/Os, and on which system."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.shelf import shipped, with_numbers
from iodyno.fitting import lab as room
from iodyno.fitting.answers import At, Best, Expression, MeanGain, Quotient
from iodyno.fitting.curves import Outcome, Series
from iodyno.fitting.lab import Lab, MissingError, configuration_of, loads_of, points_of, times
from iodyno.plan import Point

SINGLE = Series("p3700", "single-800g", "database")
FEW = Series("p3700", "single-800g-full", "database")
LOADS = (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512)
"""What the P3700 paper loads a single drive with."""


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Point, Any]]:
    """Simulate nothing, and keep what was asked: a rate of a thousand times the load."""
    asked: list[tuple[Point, Any]] = []

    def simulate(point: Point, system: str) -> Any:
        asked.append((point, json.loads(system)))
        return SimpleNamespace(outstanding=point.outstanding)

    monkeypatch.setattr(bench, "simulate_point", simulate)
    monkeypatch.setattr(room, "outcome", lambda found: Outcome(1000.0 * found.outstanding, 1.0, 1.0))
    return asked


@pytest.mark.parametrize(
    ("configuration", "load", "many"),
    [
        ("single-800g", 1, 4), ("single-800g", 2, 4), ("single-800g", 3, 1), ("single-800g", 255, 1),
        ("single-800g", 256, 5), ("single-800g", 512, 5),
        ("ep400i-8x-sas-hdd-raid5", 1, 10), ("ep420i-8x-sas-hdd-raid5", 64, 10),
        ("cp400i-8x-sas-hdd-raid5", 64, 1), ("ep420i-8x-sas-ssd-raid5-performance", 64, 1),
        ("single-sas-hdd", 64, 1),
    ],
)  # fmt: skip
def test_some_points_want_more_ios_than_others(configuration: str, load: int, many: int) -> None:
    """Means of latencies, few rounds of many, and what differs by a few per cent, as the page says."""
    assert times((Series("any", configuration, "database"), load)) == many


@pytest.mark.parametrize(("load", "counted"), [(8, 600), (1, 2400), (256, 3000)])
def test_a_point_counts_as_many_as_were_asked_for(
    simulated: list[tuple[Point, Any]], load: int, counted: int
) -> None:
    Lab(ios=600, jobs=1).ask([(SINGLE, load)])
    ((point, _),) = simulated
    of_study = points_of("p3700")[SINGLE, load].point.stopping
    assert (point.stopping.floor_ios, point.stopping.cap_ios) == (counted, counted)
    assert point.stopping.warmup_ios == max(300, of_study.warmup_ios or 0)
    assert point.outstanding == load


def test_the_warm_up_is_half_of_what_is_counted_where_the_study_has_less(
    simulated: list[tuple[Point, Any]],
) -> None:
    Lab(ios=10_000_000, jobs=1).ask([(SINGLE, 8)])
    assert simulated[0][0].stopping.warmup_ios == 5_000_000


def test_without_a_number_of_ios_a_point_is_that_of_the_study(simulated: list[tuple[Point, Any]]) -> None:
    Lab(jobs=1).ask([(SINGLE, 8)])
    assert simulated[0][0] == points_of("p3700")[SINGLE, 8].point


def test_each_point_is_simulated_once(simulated: list[tuple[Point, Any]]) -> None:
    lab = Lab(ios=600)
    curve = lab.curves(SINGLE)
    assert {load: one.rate for load, one in curve.items()} == {load: 1000.0 * load for load in LOADS}
    assert sorted(point.outstanding for point, _ in simulated) == list(LOADS)
    lab.ask([(SINGLE, 8), (SINGLE, 8)])
    assert lab.curves(SINGLE) == curve
    assert len(simulated) == len(LOADS)


@pytest.mark.parametrize(
    ("expressions", "needed"),
    [
        ([At(SINGLE, 8, "rate")], [(SINGLE, 8)]),
        ([Best((FEW,), "rate")], [(FEW, load) for load in loads_of(FEW)]),
        ([Quotient(At(SINGLE, 8, "rate"), At(SINGLE, 1, "rate"))], [(SINGLE, 8), (SINGLE, 1)]),
        ([At(SINGLE, 8, "rate"), At(SINGLE, 8, "latency")], [(SINGLE, 8)]),
        ([MeanGain(SINGLE, FEW, (1, 2))], [(SINGLE, 1), (FEW, 1), (SINGLE, 2), (FEW, 2)]),
    ],
)  # fmt: skip
def test_expressions_need_the_points_that_they_read(
    expressions: list[Expression], needed: list[tuple[Series, int]]
) -> None:
    assert Lab().need(expressions) == needed


def test_loads_can_be_left_out(simulated: list[tuple[Point, Any]]) -> None:
    lab = Lab(ios=600, only={SINGLE: (8, 64)})
    assert lab.need([Best((SINGLE,), "rate")]) == [(SINGLE, 8), (SINGLE, 64)]
    assert list(lab.curves(SINGLE)) == [8, 64]
    assert len(simulated) == 2


def test_what_no_study_has_is_missing() -> None:
    other = Series("p3700", "single-800g", "no-such-profile")
    with pytest.raises(MissingError, match="p3700 has no points of p3700: single-800g, no-such-profile"):
        loads_of(other)
    with pytest.raises(MissingError, match="no point of p3700: single-800g, database at 7"):
        Lab().ask([(SINGLE, 7)])


def test_points_of_ones_own_are_asked_of_them(simulated: list[tuple[Point, Any]]) -> None:
    mine = Series("mine", SINGLE.configuration, SINGLE.profile)
    points = {(mine, load): points_of("p3700")[SINGLE, load] for load in (32, 4)}
    points[Series("mine", SINGLE.configuration, "other"), 2] = points_of("p3700")[SINGLE, 2]
    assert list(Lab(ios=600, own={"mine": points}).curves(mine)) == [4, 32]
    assert sorted(point.outstanding for point, _ in simulated) == [4, 32]


def test_points_are_simulated_with_the_numbers_of_the_catalogue_that_is_given(
    simulated: list[tuple[Point, Any]],
) -> None:
    part = shipped().get("intel-p3700-800")
    slow = shipped().having(with_numbers(part, {"model.data_read": 1600.0}))
    for catalog in (None, slow):
        Lab(catalog, ios=600, jobs=1).ask([(SINGLE, 8)])
    ours, other = (str(system) for _, system in simulated)
    assert str(1600 * 2**20) in other
    assert str(1600 * 2**20) not in ours


def test_a_series_is_of_its_configuration() -> None:
    assert configuration_of(SINGLE).name == "single-800g"
    assert configuration_of(FEW).name == "single-800g-full"
