"""Numbers on the axes of charts: those of one axis are in one notation."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno.report.charts.numerals import Numerals
from iodyno.report.charts.scales import Scale, make_scale
from iodyno.report.document import Axis


def labels(scale: Scale) -> list[str]:
    return [tick.label for tick in scale.ticks if tick.label]


@pytest.mark.parametrize(
    ("scale", "values", "expected"),
    [
        ("linear", (0, 15e6), ["0", "0.5 × 10⁷", "1.0 × 10⁷", "1.5 × 10⁷"]),
        ("linear", (0, 2e-5), ["0", "0.5 × 10^−5", "1.0 × 10^−5", "1.5 × 10^−5", "2.0 × 10^−5"]),
        ("linear", (0, 4e6), ["0", "1,000,000", "2,000,000", "3,000,000", "4,000,000"]),
        ("log10", (2e6, 2e7), ["2 × 10⁶", "5 × 10⁶", "10⁷", "2 × 10⁷"]),
        ("log10", (1e5, 1e6), ["100,000", "200,000", "500,000", "1,000,000"]),
        ("log2", (2**22, 2**24), ["4,194,304", "8,388,608", "16,777,216"]),
    ],
)
def test_an_axis_has_one_notation(scale: Any, values: tuple[float, ...], expected: list[str]) -> None:
    written = labels(make_scale(Axis("", scale), values, Numerals(), zero=True, most=5))
    assert [text.replace("\u202f", " ") for text in written] == expected


def test_ticks_that_were_given_have_one_notation() -> None:
    axis = Axis("", "log10", ticks=(5e6, 1e7, 2e7))
    written = labels(make_scale(axis, (), Numerals(), zero=False, most=5))
    assert [text.replace("\u202f", " ") for text in written] == ["5 × 10⁶", "10⁷", "2 × 10⁷"]
