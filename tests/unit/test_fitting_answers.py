"""How figures are read off curves, and how printed values are meant."""

from __future__ import annotations

import math

import pytest

from factories import make_point, make_reading
from iodyno.fitting.answers import Answer, At, Best, Greatest, MeanGain, Quotient, Range
from iodyno.fitting.curves import Curve, Outcome, Series, outcome
from iodyno.fitting.published import Figure

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
    ],
)
def test_errors_are_relative_and_none_inside_a_range(
    meant: str, printed: str, simulated: float, error: float
) -> None:
    answer = Answer("raid-001", At(ONE, 1, "rate"), meant=meant)  # type: ignore[arg-type]
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
