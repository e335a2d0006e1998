"""How figures are read off curves, and how printed values are meant."""

from __future__ import annotations

import math
from typing import Any

import pytest

from factories import make_point, make_reading
from iodyno.fitting.answers import Answer, At, Best, Greatest, MeanGain, Quotient, Range
from iodyno.fitting.curves import Curve, Outcome, Series, StationUse, outcome
from iodyno.fitting.published import Figure
from iodyno.simulated import Bottleneck, Simulation, Station

ONE, TWO = Series("s", "one", "database"), Series("s", "two", "database")
CURVES: dict[Series, Curve] = {
    ONE: {1: Outcome(100, 10, 10), 8: Outcome(400, 40, 20), 64: Outcome(390, 39, 160)},
    TWO: {1: Outcome(110, 11, 9), 8: Outcome(600, 60, 13), 64: Outcome(780, 78, 80)},
}


def _figure(value: str) -> Figure:
    words = dict.fromkeys(("document", "section", "system", "configuration", "profile", "outstanding"), "")
    return Figure(id="raid-001", metric="m", value=value, unit="", kind="measured", **words)


def test_figures_are_read_off_at_a_load_and_at_the_best() -> None:
    assert At(ONE, 8, "throughput").value(CURVES.__getitem__) == 40
    assert Best((ONE,), "rate").value(CURVES.__getitem__) == 400
    assert Best((ONE, TWO), "rate").value(CURVES.__getitem__) == 780
    assert Best((ONE,), "latency").value(CURVES.__getitem__) == 10
    assert Best((ONE, TWO), "latency").value(CURVES.__getitem__) == 9
    assert Quotient(Best((TWO,), "rate"), At(ONE, 1, "rate")).value(CURVES.__getitem__) == 7.8
    both = (At(ONE, 1, "rate"), At(TWO, 1, "rate"))
    assert Greatest(both).value(CURVES.__getitem__) == 110
    assert Greatest(both, least=True).value(CURVES.__getitem__) == 100
    assert MeanGain(TWO, ONE, (8, 64)).value(CURVES.__getitem__) == pytest.approx((1.5 + 2) / 2)


@pytest.mark.parametrize(
    ("meant", "printed", "simulated", "error"),
    [
        ("value", "200", 220, 0.10),
        ("value", "200", 180, -0.10),
        ("at_least", "200", 300, 0),
        ("at_least", "200", 150, -0.25),
        ("at_most", "200", 150, 0),
        ("at_most", "200", 250, 0.25),
        ("value", "6-11", 8, 0),
        ("gain", "20-30", 1.25, 0),
        ("gain", "20-30", 1.08, -0.10),
        ("gain", "<6", 1.03, 0),
        ("loss", "30", 0.77, 0.10),
        ("loss", "20-30", 0.75, 0),
        ("loss", "20-30", 0.88, 0.10),
        ("loss", "20-30", 0.63, -0.10),
        ("percent", "50", 0.55, 0.10),
        ("gain_at_least", "20", 1.5, 0),
        ("gain_at_least", "20", 1.08, -0.10),
        ("gain_at_most", "25", 1.01, 0),
        ("gain_at_most", "25", 1.25, 0),
        ("gain_at_most", "25", 1.375, 0.10),
        ("gain_at_most", "25", 0.9, -0.10),
        ("gain", "20-30", 1.20, 0),
        ("gain", "20-30", 1.30, 0),
        ("gain", "25", 1.5, 0.20),
        ("at_most", "200", 0.5, 0),
        ("value", "<6", 3, 0),
        ("value", " 6 - 11 ", 12.1, 0.10),
    ],
)
def test_errors_are_relative_and_none_inside_a_range(
    meant: Any, printed: str, simulated: float, error: float
) -> None:
    answer = Answer("raid-001", At(ONE, 1, "rate"), meant=meant)
    assert answer.published(_figure(printed)).error(simulated) == pytest.approx(error, abs=1e-9)


def test_an_open_range_has_one_end() -> None:
    assert Range(3.0, math.inf).error(1e9) == 0
    assert Range(0.0, 3.0).error(0.1) == 0


def test_what_is_read_off_keeps_littles_law() -> None:
    """Outstanding I/Os are rate times latency, and the method's MB is 2^20 bytes."""
    point = make_point(outstanding=16)
    found = outcome(make_reading(point))
    assert found.rate * found.latency / 1000 == pytest.approx(16, rel=0.02)
    assert found.throughput == pytest.approx(found.rate * 8192 / 2**20, rel=1e-6)


@pytest.mark.parametrize(
    ("meant", "simulated", "shown"),
    [
        ("value", 220, 220),
        ("at_least", 220, 220),
        ("at_most", 220, 220),
        ("percent", 0.55, 55),
        ("gain", 1.25, 25),
        ("gain_at_least", 0.9, -10),
        ("gain_at_most", 2.0, 100),
        ("loss", 0.77, 23),
    ],
)
def test_what_is_simulated_is_shown_as_the_paper_prints_it(
    meant: Any, simulated: float, shown: float
) -> None:
    answer = Answer("raid-001", At(ONE, 1, "rate"), meant=meant)
    assert answer.shown(simulated) == pytest.approx(shown)


def test_a_series_is_named_by_study_configuration_and_profile_and_by_its_workers_where_they_are_several() -> (
    None
):
    assert str(ONE) == "s: one, database"
    assert str(Series("s", "one", "database", 4)) == "s: one, database, 4 workers"


def test_of_a_reading_the_stations_that_serve_are_kept() -> None:
    """A cache that is full is no station that could be busy: what empties it is."""
    stations = (
        Station(name="core", place="host_cpu", count=2, utilisation_mean=0.4, utilisation_max=0.5, jobs=7),
        Station(
            name="cache", place="controller_cache", room=True, utilisation_mean=1, utilisation_max=1, jobs=9
        ),
    )
    limit = Bottleneck(station="core", place="host_cpu", utilisation=0.5, kind="saturated")
    simulation = Simulation(model_version=1, virtual_s=1, events=9, stations=stations, bottleneck=limit)
    found = outcome(make_reading(make_point()).model_copy(update={"simulation": simulation}))
    assert found.stations == {"core": StationUse("host_cpu", 2, 0.4, 7)}
    assert found.bottleneck == "core"
    measured = outcome(make_reading(make_point()))
    assert (measured.stations, measured.bottleneck) == ({}, "")
    assert measured.completed == make_reading(make_point()).completed > 0


def test_what_is_read_off_names_the_points_that_it_needs() -> None:
    """A lab simulates those at once; what is not named is simulated one by one, and looked at by no fit."""
    one, two = At(ONE, 1, "rate"), Best((ONE, TWO), "rate")
    assert list(one.parts()) == [(ONE, 1)]
    assert list(two.parts()) == [(ONE, None), (TWO, None)]
    assert list(Quotient(one, two).parts()) == [(ONE, 1), (ONE, None), (TWO, None)]
    assert list(Greatest((one, two)).parts()) == [(ONE, 1), (ONE, None), (TWO, None)]
    assert list(MeanGain(TWO, ONE, (8, 64)).parts()) == [(TWO, 8), (ONE, 8), (TWO, 64), (ONE, 64)]
